// fill_f32/1 and iota_u32/1.
#include "support/same_bits.hpp"

#include <cmath>

namespace samebits::test {
namespace {

constexpr std::uint64_t kSizes[] = {0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 70000, 300000};

TEST(FillF32, SameBits) {
  for (std::uint64_t n : kSizes) {
    for (float value : {0.0f, -0.0f, 1.5f, 1e-42f, -3e38f}) {
      SCOPED_TRACE(n);
      expect_same_everywhere([&](const Device& device) {
        DeviceArray<float> out(device, n);
        call(device, "fill_f32", &sb_primitives::fill_f32, sb_fill_f32_args{out.data(), value, n});
        Outputs o;
        o.add("out", out.read());
        return o;
      });
    }
  }
}

// Unaligned; infinities and a NaN with a payload: the value is copied, not computed with.
TEST(FillF32, SameBitsUnaligned) {
  const Unaligned shifted(1);
  float nan;
  const std::uint32_t bits = 0xffc12345u;
  std::memcpy(&nan, &bits, 4);
  for (std::uint64_t n : {1u, 65u, 4097u}) {
    for (float value : {1.5f, HUGE_VALF, -HUGE_VALF, nan}) {
      expect_same_everywhere([&](const Device& device) {
        DeviceArray<float> out(device, n);
        call(device, "fill_f32", &sb_primitives::fill_f32, sb_fill_f32_args{out.data(), value, n});
        Outputs o;
        o.add("out", out.read());
        return o;
      });
    }
  }
}

TEST(IotaU32, CountsUp) {
  for (std::uint64_t n : kSizes) {
    SCOPED_TRACE(n);
    const Unaligned shifted(n % 4);
    everywhere([&](const Device& device) {
      DeviceArray<std::uint32_t> out(device, n);
      call(device, "iota_u32", &sb_primitives::iota_u32, sb_iota_u32_args{out.data(), n});
      std::uint64_t i = 0;
      for (std::uint32_t x : out.read()) ASSERT_EQ(x, i++);
    });
  }
}

}  // namespace
}  // namespace samebits::test
