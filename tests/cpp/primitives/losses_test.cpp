// gradients/1 and loss_sum/1.
#include "numerics/ops/loss.h"
#include "support/same_bits.hpp"
#include "support/values.hpp"

#include <cmath>

namespace samebits::test {
namespace {

constexpr std::uint64_t kSizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 4095, 4096, 4097, 70000, 300000};

struct Case {
  std::int32_t loss;
  std::vector<float> score, target, weight;  // weight empty: none
};

Case draw_case(std::int32_t loss, std::uint64_t n, Values kind, bool weighted) {
  Case c{loss, draw_array<float>(n + 3, kind, n), draw_array<float>(n + 4, Values::uniform, n), {}};
  Random random(n);
  if (loss == SB_LOSS_LOG_LOSS) {
    for (float& y : c.target) y = static_cast<float>(random.below(2));
    if (kind == Values::uniform) {
      for (float& s : c.score) s = s * 120.0f;  // p runs from 0 to 1
    }
  }
  if (weighted) {
    for (std::uint64_t i = 0; i < n; ++i)
      c.weight.push_back(random.below(4) == 0 ? 0.0f : static_cast<float>(random.between(0.0, 10.0)));
  }
  // Half of the largest float, so that differences and their squares of huge values stay finite where they should.
  if (kind == Values::huge_range) {
    for (float& s : c.score) s = std::fabs(s) > 1e18f ? 1e18f : s;
  }
  return c;
}

struct Gradients {
  std::vector<std::int32_t> gh;
  std::int32_t exponent_g = 77, exponent_h = 77;
};

Gradients gradients(const Device& device, const Case& c) {
  DeviceArray<float> score(device, c.score), target(device, c.target), weight(device, c.weight);
  DeviceArray<std::int32_t> gh(device, 2 * c.score.size());
  Gradients g;
  sb_gradients_args args{c.loss,         score.data(), target.data(), c.weight.empty() ? nullptr : weight.data(),
                         c.score.size(), gh.data(),    &g.exponent_g, &g.exponent_h};
  call(device, "gradients", &sb_primitives::gradients, args);
  g.gh = gh.read();
  return g;
}

struct Sum {
  std::int64_t sum = 77;
  std::int32_t exponent = 77;
};

Sum loss_sum(const Device& device, const Case& c) {
  DeviceArray<float> score(device, c.score), target(device, c.target), weight(device, c.weight);
  Sum s;
  sb_loss_sum_args args{c.loss,         score.data(), target.data(), c.weight.empty() ? nullptr : weight.data(),
                        c.score.size(), &s.sum,       &s.exponent};
  call(device, "loss_sum", &sb_primitives::loss_sum, args);
  return s;
}

Outputs both(const Device& device, const Case& c) {
  const Gradients g = gradients(device, c);
  const Sum s = loss_sum(device, c);
  Outputs o;
  o.add("gh", g.gh);
  o.add_one("exponent_g", g.exponent_g);
  o.add_one("exponent_h", g.exponent_h);
  o.add_one("loss sum", s.sum);
  o.add_one("loss exponent", s.exponent);
  return o;
}

TEST(Losses, SameBits) {
  for (std::uint64_t n : kSizes) {
    for (std::int32_t loss : {SB_LOSS_SQUARED_ERROR, SB_LOSS_LOG_LOSS}) {
      for (Values kind :
           {Values::uniform, Values::small_ints, Values::huge_range, Values::subnormal, Values::signed_zero}) {
        if (n > 5000 && kind != Values::uniform) continue;
        for (bool weighted : {false, true}) {
          SCOPED_TRACE(testing::Message() << "n " << n << ", loss " << loss << ", values " << static_cast<int>(kind)
                                          << (weighted ? ", weighted" : ""));
          const Case c = draw_case(loss, n, kind, weighted);
          expect_same_everywhere([&](const Device& device) { return both(device, c); });
        }
      }
    }
  }
}

TEST(Losses, SameBitsUnaligned) {
  const Unaligned shifted(1);
  for (std::uint64_t n : {1u, 65u, 4097u}) {
    for (std::int32_t loss : {SB_LOSS_SQUARED_ERROR, SB_LOSS_LOG_LOSS}) {
      for (Values kind : {Values::uniform, Values::adjacent, Values::constant}) {
        const Case c = draw_case(loss, n, kind, true);
        expect_same_everywhere([&](const Device& device) { return both(device, c); });
      }
    }
  }
}

// By hand: g = 1, -2, 0.5; 2^1 <= 2 < 2^2, so s = 30 - 2 = 28; h = 1, exponent 1, s = 29.
TEST(Losses, SquaredErrorByHand) {
  const Case c{SB_LOSS_SQUARED_ERROR, {1.0f, -2.0f, 0.5f}, {0.0f, 0.0f, 0.0f}, {}};
  everywhere([&](const Device& device) {
    const Gradients g = gradients(device, c);
    EXPECT_EQ(g.exponent_g, 28);
    EXPECT_EQ(g.exponent_h, 29);
    EXPECT_EQ(g.gh, (std::vector<std::int32_t>{1 << 28, 1 << 29, -(1 << 29), 1 << 29, 1 << 27, 1 << 29}));
    // l = 0.5, 2, 0.125: exponent 2, s = 28, sum = 2.625 * 2^28.
    const Sum s = loss_sum(device, c);
    EXPECT_EQ(s.exponent, 28);
    EXPECT_EQ(s.sum, std::int64_t{21} << 25);
  });
}

// Weights multiply the rounded gradient; ties of the fixed-point rounding go to even: 2^-29 * 2^28 = 0.5 becomes 0,
// 3 * 2^-29 * 2^28 = 1.5 becomes 2.
TEST(Losses, FixedPointRoundsTiesToEven) {
  const Case c{
      SB_LOSS_SQUARED_ERROR, {2.0f, 0x1p-29f, 0x1.8p-28f, -0x1p-29f, -0x1.8p-28f}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}};
  everywhere([&](const Device& device) {
    const Gradients g = gradients(device, c);
    EXPECT_EQ(g.exponent_g, 28);
    EXPECT_EQ((std::vector<std::int32_t>{g.gh[0], g.gh[2], g.gh[4], g.gh[6], g.gh[8]}),
              (std::vector<std::int32_t>{1 << 29, 0, 2, 0, -2}));
  });
}

// At s = 0: p = 1/2, g = -+1/2, h = 1/4, all exact. 1/2 has exponent 0, s = 30; 1/4 has exponent -1, s = 31.
TEST(Losses, LogLossAtZero) {
  const Case c{SB_LOSS_LOG_LOSS, {0.0f, -0.0f}, {0.0f, 1.0f}, {}};
  everywhere([&](const Device& device) {
    const Gradients g = gradients(device, c);
    EXPECT_EQ(g.exponent_g, 30);
    EXPECT_EQ(g.exponent_h, 31);
    EXPECT_EQ(g.gh, (std::vector<std::int32_t>{1 << 29, 1 << 29, -(1 << 29), 1 << 29}));
  });
}

TEST(Losses, AllZero) {
  const Case c{SB_LOSS_SQUARED_ERROR, std::vector<float>(100, 3.0f), std::vector<float>(100, 3.0f),
               std::vector<float>(100, 0.0f)};
  everywhere([&](const Device& device) {
    const Gradients g = gradients(device, c);
    EXPECT_EQ(g.exponent_g, 0);
    EXPECT_EQ(g.exponent_h, 0);
    EXPECT_EQ(g.gh, std::vector<std::int32_t>(200, 0));
    const Sum s = loss_sum(device, c);
    EXPECT_EQ(s.sum, 0);
    EXPECT_EQ(s.exponent, 0);
  });
}

TEST(Losses, RefusesNonFiniteValues) {
  everywhere([&](const Device& device) {
    for (float bad : {NAN, HUGE_VALF, -HUGE_VALF}) {
      for (std::size_t place : {0u, 64u, 999u}) {
        Case c{SB_LOSS_SQUARED_ERROR, std::vector<float>(1000, 1.0f), std::vector<float>(1000, 0.5f), {}};
        c.score[place] = bad;
        error_of(ErrorCode::invalid_argument, [&] { gradients(device, c); });
        error_of(ErrorCode::invalid_argument, [&] { loss_sum(device, c); });
      }
    }
    // Finite inputs, infinite square: only the loss is refused.
    const Case c{SB_LOSS_SQUARED_ERROR, {1e30f}, {0.0f}, {}};
    gradients(device, c);
    error_of(ErrorCode::invalid_argument, [&] { loss_sum(device, c); });
  });
}

}  // namespace
}  // namespace samebits::test
