// The floating-point environment (C1): a caller that flushes subnormals to zero, rounds otherwise or unmasks exceptions
// changes no bit, and finds its own environment unchanged afterwards. All primitives: expect_same_everywhere calls each
// of them in these environments too. Comparisons are of bits: with denormals-are-zero two subnormals are equal.
#include "numerics/dialect/dialect.h"
#include "samebits/environment.hpp"
#include "support/environments.hpp"
#include "support/same_bits.hpp"
#include "support/values.hpp"

#include <memory>

namespace samebits::test {
namespace {

std::vector<float> scores_plus(const Device& device, const DeviceArray<float>& score,
                               const DeviceArray<std::uint32_t>& rows, std::uint64_t n, float value) {
  const std::uint64_t begin = 0;
  call(device, "add_leaf_values", &sb_primitives::add_leaf_values,
       sb_add_leaf_values_args{score.data(), rows.data(), 1, &begin, &n, &value});
  return score.read();
}

TEST(FpEnvironment, FlushToZeroOfTheCallerChangesNothing) {
  everywhere([&](const Device& device) {
    std::vector<std::uint32_t> index(100000);
    for (std::uint32_t i = 0; i < 100000; ++i) index[i] = i;
    const DeviceArray<float> score(device, std::vector<float>(100000, 0x1p-149f));
    const DeviceArray<std::uint32_t> rows(device, index);
    {
      const Within environment(Environment::flush);
      scores_plus(device, score, rows, 100000, 0x1p-149f);
      EXPECT_TRUE(environment.unchanged());
    }
    for (float x : score.read()) ASSERT_EQ(sb_bits_f32(x), 2u);
  });
}

TEST(FpEnvironment, RoundingModeOfTheCallerChangesNothing) {
  const std::vector<double> x = draw_array<double>(1, Values::uniform, 70000);
  everywhere([&](const Device& device) {
    const DeviceArray<double> in(device, x);
    double plain = 0;
    call(device, "reduce_sum", &sb_primitives::reduce_sum, sb_reduce_sum_args{in.data(), nullptr, x.size(), &plain});
    for (Environment kind : kEnvironments) {
      double sum = 1;
      const Within environment(kind);
      call(device, "reduce_sum", &sb_primitives::reduce_sum, sb_reduce_sum_args{in.data(), nullptr, x.size(), &sum});
      EXPECT_TRUE(environment.unchanged()) << name_of(kind);
      EXPECT_EQ(sb_bits_f64(plain), sb_bits_f64(sum)) << name_of(kind);
    }
  });
}

// What a device computes does not depend on the environment in which it was opened and first used (its threads, a
// driver's compiler).
TEST(FpEnvironment, OpeningADeviceInItChangesNothing) {
  const std::vector<float> x = draw_array<float>(2, Values::huge_range, 70000);
  const auto map = [&](const Device& device) {
    const DeviceArray<float> in(device, x), out(device, x.size());
    call(device, "elementary_map", &sb_primitives::elementary_map,
         sb_elementary_map_args{SB_ELEMENTARY_EXPM1, SB_DTYPE_F32, in.data(), out.data(), x.size()});
    Outputs o;
    o.add("expm1", out.read());
    return o;
  };
  const Outputs want = map(reference());
  for (const Place& place : places()) {
    SCOPED_TRACE(place.name);
    for (Environment kind : kEnvironments) {
      std::unique_ptr<Device> device;
      bool unchanged = false;
      {
        const Within environment(kind);
        device = std::make_unique<Device>(Device::open(place.device.info().id, 3));
        map(*device);
        unchanged = environment.unchanged();
      }
      EXPECT_TRUE(unchanged) << name_of(kind);
      expect_same(want, map(*device));
    }
  }
}

// The public scope: inside it the caller's own arithmetic is that of the contract too.
TEST(FpEnvironment, ScopeIsThatOfTheContract) {
  const volatile double one = 1.0, third = 3.0, least = 0x1p-1074, half = 0.5;
  const double plain = one / third;
  for (Environment kind : kEnvironments) {
    const Within environment(kind);
    {
      const FpEnvironment scope;
      EXPECT_EQ(sb_bits_f64(one / third), sb_bits_f64(plain)) << name_of(kind);
      EXPECT_EQ(sb_bits_f64(least + least), 2u) << name_of(kind);
      EXPECT_EQ(sb_bits_f64(least * half), 0u) << name_of(kind);
    }
    EXPECT_TRUE(environment.unchanged()) << name_of(kind);
  }
}

// Rows that refuse their arguments restore it too.
TEST(FpEnvironment, RefusalsLeaveItAlone) {
  everywhere([&](const Device& device) {
    const DeviceArray<float> x(device, std::vector<float>(4, 1.0f)), y(device, 4);
    const DeviceArray<double> far(device, std::vector<double>{1.7e308, -1.7e308});
    for (Environment kind : kEnvironments) {
      const Within environment(kind);
      error_of(ErrorCode::invalid_argument, [&] {
        call(device, "elementary_map", &sb_primitives::elementary_map,
             sb_elementary_map_args{-1, SB_DTYPE_F32, x.data(), y.data(), 4});
      });
      std::int32_t exponent = 0;
      error_of(ErrorCode::invalid_argument, [&] {
        call(device, "center_to_f32", &sb_primitives::center_to_f32,
             sb_center_to_f32_args{far.data(), 2, 1.7e308, 1, y.data(), &exponent});
      });
      EXPECT_TRUE(environment.unchanged()) << name_of(kind);
    }
  });
}

}  // namespace
}  // namespace samebits::test
