// center_to_f32/1.
#include "support/same_bits.hpp"
#include "support/values.hpp"

#include <cmath>

namespace samebits::test {
namespace {

struct Centred {
  std::vector<float> out;
  std::int32_t exponent;
};

Centred center(const Device& device, const std::vector<double>& x, double offset, bool normalise,
               std::int32_t exponent) {
  DeviceArray<double> in(device, x);
  DeviceArray<float> out(device, x.size());
  sb_center_to_f32_args args{in.data(), x.size(), offset, normalise ? 1 : 0, out.data(), &exponent};
  call(device, "center_to_f32", &sb_primitives::center_to_f32, args);
  return {out.read(), exponent};
}

Outputs outputs_of(const Centred& c) {
  Outputs o;
  o.add("out", c.out);
  o.add_one("exponent", c.exponent);
  return o;
}

TEST(CenterToF32, SameBits) {
  for (std::uint64_t n : {0u, 1u, 2u, 63u, 64u, 65u, 1000u, 4097u, 70000u, 300000u}) {
    for (Values kind : {Values::uniform, Values::small_ints, Values::huge_range, Values::subnormal, Values::signed_zero,
                        Values::adjacent}) {
      const std::vector<double> x = draw_array<double>(n, kind, n);
      for (double offset : {0.0, 1.0, -0.3}) {
        for (std::int32_t given : {INT32_MIN, 0, -3, 40, -1074, 1024}) {  // INT32_MIN: normalise
          SCOPED_TRACE(testing::Message()
                       << "n " << n << ", values " << static_cast<int>(kind) << ", exponent " << given);
          expect_same_everywhere([&](const Device& device) {
            return outputs_of(center(device, x, offset, given == INT32_MIN, given == INT32_MIN ? 77 : given));
          });
          if (n > 5000 && given != INT32_MIN) break;
        }
      }
    }
  }
}

TEST(CenterToF32, SameBitsUnaligned) {
  const Unaligned shifted(1);
  for (std::uint64_t n : {1u, 65u, 4097u}) {
    const std::vector<double> x = draw_array<double>(n, Values::uniform, n);
    for (bool normalise : {false, true}) {
      expect_same_everywhere([&](const Device& device) { return outputs_of(center(device, x, 0.1, normalise, 3)); });
    }
  }
}

// With a given exponent a value is independent of the others.
TEST(CenterToF32, ValueAloneEqualsValueInBatch) {
  const std::vector<double> x = draw_array<double>(5, Values::huge_range, 300);
  everywhere([&](const Device& device) {
    const std::vector<float> all = center(device, x, 0.25, false, 100).out;
    for (std::size_t i = 0; i < x.size(); i += 7) EXPECT_EQ(center(device, {x[i]}, 0.25, false, 100).out[0], all[i]);
  });
}

// By hand: d = -3, 0, 5; 4 <= 5 < 8, so the exponent is 3 and the results are d / 8.
TEST(CenterToF32, BringsTheLargestMagnitudeBelowOne) {
  everywhere([&](const Device& device) {
    const Centred c = center(device, {7.0, 10.0, 15.0}, 10.0, true, 0);
    EXPECT_EQ(c.exponent, 3);
    EXPECT_EQ(c.out, (std::vector<float>{-0.375f, 0.0f, 0.625f}));
    EXPECT_EQ(center(device, {10.0, 10.0}, 10.0, true, 9).exponent, 0);
    EXPECT_EQ(center(device, {4.0}, 0.0, true, 0).exponent, 3);  // a power of two has the exponent above it
  });
}

// Halfway between two f32: the even one; a subnormal result too.
TEST(CenterToF32, RoundsTiesToEven) {
  everywhere([&](const Device& device) {
    EXPECT_EQ(center(device, {1 + 0x1p-24, 1 + 0x1.8p-23, -1 - 0x1p-24, 0x1p-150, 0x1.8p-149}, 0.0, false, 0).out,
              (std::vector<float>{1.0f, 1 + 0x1p-22f, -1.0f, 0.0f, 0x1p-148f}));
  });
}

TEST(CenterToF32, RefusesNonFiniteDifferences) {
  everywhere([&](const Device& device) {
    for (double bad :
         std::initializer_list<double>{NAN, HUGE_VAL, -HUGE_VAL, -1.7e308}) {  // the last overflows when centred
      for (std::size_t place : {0u, 499u, 999u}) {
        std::vector<double> x(1000, 1.0);
        x[place] = bad;
        error_of(ErrorCode::invalid_argument, [&] { center(device, x, 1e308, true, 0); });
        error_of(ErrorCode::invalid_argument, [&] { center(device, x, 1e308, false, 0); });
      }
    }
  });
}

}  // namespace
}  // namespace samebits::test
