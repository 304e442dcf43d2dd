// reduce_sum/1: the order of a sum is a function of its length alone (C4).
#include "support/same_bits.hpp"
#include "support/values.hpp"

#include <cmath>

namespace samebits::test {
namespace {

constexpr std::uint64_t kSizes[] = {0,    1,    2,    3,    63,   64,    65,    127,   128,    1000,          4095,
                                    4096, 4097, 8191, 8192, 8193, 40000, 65536, 70000, 300000, 4096 * 130 + 1};

double sum_on(const Device& device, const std::vector<double>& x, const std::vector<double>* y) {
  DeviceArray<double> dx(device, x), dy(device, y == nullptr ? std::vector<double>() : *y);
  double out = -1.5;
  sb_reduce_sum_args args{dx.data(), y == nullptr ? nullptr : dy.data(), x.size(), &out};
  call(device, "reduce_sum", &sb_primitives::reduce_sum, args);
  return out;
}

void sweep(std::uint64_t n, Values kind, bool product) {
  SCOPED_TRACE(testing::Message() << "n " << n << ", values " << static_cast<int>(kind)
                                  << (product ? ", product" : ""));
  const std::vector<double> x = draw_array<double>(n + 1, kind, n), y = draw_array<double>(n + 2, Values::adjacent, n);
  expect_same_everywhere([&](const Device& device) {
    Outputs o;
    o.add_one("sum", sum_on(device, x, product ? &y : nullptr));
    return o;
  });
}

TEST(ReduceSum, SameBits) {
  for (std::uint64_t n : kSizes) {
    for (Values kind :
         {Values::uniform, Values::huge_range, Values::subnormal, Values::signed_zero, Values::adjacent}) {
      sweep(n, kind, false);
      sweep(n, kind, true);
    }
  }
}

TEST(ReduceSum, SameBitsUnaligned) {
  const Unaligned shifted(1);
  for (std::uint64_t n : {1u, 65u, 4097u, 70000u}) {
    sweep(n, Values::uniform, false);
    sweep(n, Values::uniform, true);
  }
}

TEST(ReduceSum, SameBitsWithInfinityAndNan) {
  for (std::uint64_t n : {1u, 65u, 4097u, 70000u}) {
    for (Values kind : {Values::infinite, Values::some_nan, Values::all_nan}) {
      sweep(n, kind, false);
      sweep(n, kind, true);
    }
  }
}

// Whatever sign and payload a NaN came with, or none (infinity - infinity): one NaN leaves (C2).
TEST(ReduceSum, NanIsCanonical) {
  constexpr std::uint64_t kCanonical = 0x7ff8000000000000u;
  everywhere([&](const Device& device) {
    for (std::uint64_t bits : {0xfff8000000000000u, 0x7ff8000000001234u, 0xfff0000000000001u}) {
      double nan;
      std::memcpy(&nan, &bits, 8);
      for (std::uint64_t n : {1u, 64u, 5000u}) {
        std::vector<double> x(n, 1.0);
        x[n / 2] = nan;
        const double s = sum_on(device, x, nullptr);
        std::uint64_t got;
        std::memcpy(&got, &s, 8);
        EXPECT_EQ(got, kCanonical) << n;
      }
    }
    const double s = sum_on(device, {HUGE_VAL, -HUGE_VAL}, nullptr);
    std::uint64_t got;
    std::memcpy(&got, &s, 8);
    EXPECT_EQ(got, kCanonical);
  });
}

// More tiles than one tile of partial sums holds: three levels.
TEST(ReduceSum, SameBitsOfThreeLevels) { sweep(std::uint64_t{4096} * 4096 + 4097, Values::uniform, false); }

// 2^53 + 1 is rounded to 2^53, so only the order decides whether the 1 survives. Halving adds lane 32 to lane 0 first
// (the 1 is lost) and lane 1 at the very end: 0. Adding neighbours, or left to right, gives 1.
TEST(ReduceSum, LanesFoldByHalving) {
  std::vector<double> x(64, 0.0);
  x[0] = 0x1p53;
  x[32] = 1.0;
  x[1] = -0x1p53;
  everywhere([&](const Device& device) { EXPECT_EQ(sum_on(device, x, nullptr), 0.0); });
}

// The mirror image: the 1 meets nothing large before lanes 0 and 1 have cancelled each other.
TEST(ReduceSum, LanesFoldByHalvingKeepsThePartner) {
  std::vector<double> x(64, 0.0);
  x[0] = 0x1p53;
  x[32] = -0x1p53;
  x[1] = 1.0;
  everywhere([&](const Device& device) { EXPECT_EQ(sum_on(device, x, nullptr), 1.0); });
}

// Within a tile lane l takes l, l + 64, ...: element 64 follows element 0.
TEST(ReduceSum, LanesAreStridedBy64) {
  std::vector<double> x(128, 0.0);
  x[0] = 0x1p53;
  x[64] = 1.0;
  x[1] = -0x1p53;
  everywhere([&](const Device& device) { EXPECT_EQ(sum_on(device, x, nullptr), 0.0); });
}

// A tile is summed on its own: 2^53 and -2^53 meet inside the first tile before the second tile's 1 is added. Carrying
// the lanes on into the next tile would lose the 1 in lane 0.
TEST(ReduceSum, TilesAreCombinedAfterwards) {
  std::vector<double> x(4097, 0.0);
  x[0] = 0x1p53;
  x[63] = -0x1p53;
  x[4096] = 1.0;
  everywhere([&](const Device& device) { EXPECT_EQ(sum_on(device, x, nullptr), 1.0); });
}

// (1 + 2^-30)(1 - 2^-30) = 1 - 2^-60 is rounded to 1 before it is added; a fused multiply-add leaves -2^-60. The
// pattern fills all lanes and several steps, so that vector loops and their tails are both covered.
TEST(ReduceSum, ProductIsRoundedFirst) {
  for (std::uint64_t n : {128u, 4096u, 4097u * 2u, 70000u / 128u * 128u}) {
    std::vector<double> x(n), y(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const bool first = i / 64 % 2 == 0;
      x[i] = first ? -1.0 : 1.0 + 0x1p-30;
      y[i] = first ? 1.0 : 1.0 - 0x1p-30;
    }
    // n may end in the middle of a pair of steps: then that many -1 are left over.
    const double left = -static_cast<double>(n % 128 < 64 ? n % 128 : 128 - n % 128);
    everywhere([&](const Device& device) { EXPECT_EQ(sum_on(device, x, &y), left); });
  }
}

TEST(ReduceSum, SumOfNothingAndOfMinusZerosIsPlusZero) {
  everywhere([&](const Device& device) {
    for (std::uint64_t n : {0u, 1u, 64u, 4097u}) {
      const double s = sum_on(device, std::vector<double>(n, -0.0), nullptr);
      std::uint64_t bits;
      std::memcpy(&bits, &s, 8);
      EXPECT_EQ(bits, 0u) << n;
    }
  });
}

}  // namespace
}  // namespace samebits::test
