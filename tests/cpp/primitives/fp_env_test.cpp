// The floating-point environment (C1): a caller that flushes subnormals to zero or rounds upwards changes no bit, and
// finds its own environment unchanged afterwards.
#include "support/same_bits.hpp"
#include "support/values.hpp"

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace samebits::test {
namespace {

class Environment {
 public:
  Environment() { std::fegetenv(&saved_); }
  ~Environment() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
};

std::vector<float> scores_plus(const Device& device, const DeviceArray<float>& score,
                               const DeviceArray<std::uint32_t>& rows, std::uint64_t n, float value) {
  const std::uint64_t begin = 0;
  call(device, "add_leaf_values", &sb_primitives::add_leaf_values,
       sb_add_leaf_values_args{score.data(), rows.data(), 1, &begin, &n, &value});
  return score.read();
}

#if defined(__x86_64__)
TEST(FpEnvironment, FlushToZeroOfTheCallerChangesNothing) {
  constexpr unsigned kFlush = 0x8040;  // flush to zero, denormals are zero
  everywhere([&](const Device& device) {
    std::vector<std::uint32_t> index(100000);
    for (std::uint32_t i = 0; i < 100000; ++i) index[i] = i;
    const DeviceArray<float> score(device, std::vector<float>(100000, 0x1p-149f));
    const DeviceArray<std::uint32_t> rows(device, index);
    unsigned after = 0;
    {
      const Environment environment;
      _mm_setcsr(_mm_getcsr() | kFlush);
      scores_plus(device, score, rows, 100000, 0x1p-149f);
      after = _mm_getcsr();
    }
    EXPECT_EQ(after & kFlush, kFlush);
    for (float x : score.read()) ASSERT_EQ(x, 0x1p-148f);
  });
}
#endif

TEST(FpEnvironment, RoundingModeOfTheCallerChangesNothing) {
  everywhere([&](const Device& device) {
    const std::vector<double> x = draw_array<double>(1, Values::uniform, 70000);
    const DeviceArray<double> in(device, x);
    double plain = 0, upward = 1;
    call(device, "reduce_sum", &sb_primitives::reduce_sum, sb_reduce_sum_args{in.data(), nullptr, x.size(), &plain});
    int after = 0;
    {
      const Environment environment;
      std::fesetround(FE_UPWARD);
      call(device, "reduce_sum", &sb_primitives::reduce_sum, sb_reduce_sum_args{in.data(), nullptr, x.size(), &upward});
      after = std::fegetround();
    }
    EXPECT_EQ(after, FE_UPWARD);
    EXPECT_EQ(plain, upward);
  });
}

}  // namespace
}  // namespace samebits::test
