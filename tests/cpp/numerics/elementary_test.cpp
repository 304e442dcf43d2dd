// The elementary functions on a stratified subset of all f32 inputs, on random f64 inputs and on chosen ones: output
// hash pinned in conformance/vectors, error against references, special values. The full sweeps are in
// tests/exhaustive.
#include <gtest/gtest.h>

#include "elementary_loops.h"
#include "sweep.hpp"

namespace {

using namespace samebits_test;

constexpr float kInf = HUGE_VALF;

struct Measured {
  std::uint64_t hash = 0;
  double worst = 0;
  std::uint64_t worst_input = 0;
};

// Compares with, or rewrites, the row of a function in a file of pinned results.
void check_pinned(const std::string& file, const std::string& inputs, const std::string& function,
                  const Measured& measured, int digits) {
  auto json = read_json(vectors_path(file));
  nlohmann::ordered_json row;
  row["hash"] = hex(measured.hash, 16);
  row["worst_ulp"] = std::round(measured.worst * 1e6) / 1e6;
  row["worst_input_bits"] = hex(measured.worst_input, digits);
  if (regenerate()) {
    json["inputs"] = inputs;
    json["hash"] =
        "sum modulo 2^64 over all inputs of mix(mix(input bits) ^ output bits), mix = finaliser of splitmix64";
    json["error"] = "distance from the exact value (MPFR, 200 bits) in ulps of the exact value";
    json["functions"][function] = row;
    write_json(vectors_path(file), json);
    return;
  }
  ASSERT_TRUE(json.contains("functions") && json["functions"].contains(function))
      << file << " has no row for " << function;
  const auto& pinned = json["functions"][function];
  EXPECT_EQ(pinned["hash"], row["hash"]) << function;
  EXPECT_NEAR(pinned["worst_ulp"].get<double>(), measured.worst, 2e-6) << function;
}

class Elementary : public ::testing::TestWithParam<int> {
 protected:
  const sb_test_loops& loops() const { return sb_test_loops_native[GetParam()]; }
  const Reference& reference() const { return references()[static_cast<std::size_t>(GetParam())]; }
  float f32(float x) const {
    float y;
    loops().f32(&x, &y, 1);
    return y;
  }
  double f64(double x) const {
    double y;
    loops().f64(&x, &y, 1);
    return y;
  }
};

TEST_P(Elementary, F32StratifiedSubset) {
  Measured measured;
  int reported = 0;
  constexpr std::uint32_t block = 4096;
  std::vector<float> x(block), y(block);
  for (std::uint32_t first = 0; first < SB_TEST_STRATIFIED; first += block) {
    for (std::uint32_t i = 0; i < block; ++i) x[i] = sb_test_stratified(first + i);
    loops().f32(x.data(), y.data(), block);
    for (std::uint32_t i = 0; i < block; ++i) {
      measured.hash += sb_test_hash(sb_bits_f32(x[i]), sb_bits_f32(y[i]));
      const double r = reference().f64(x[i]);
      const bool special =
          std::isnan(r) ? sb_bits_f32(y[i]) == 0x7fc00000u : !std::isnan(y[i]) && std::signbit(r) == std::signbit(y[i]);
      const double error = std::isnan(r) ? 0 : ulp_error_f32(y[i], r);
      if ((!special || error > 1.0) && reported++ < 5)
        ADD_FAILURE() << loops().name << " of " << x[i] << " is " << y[i];
      if (error > measured.worst) measured.worst = error, measured.worst_input = sb_bits_f32(x[i]);
    }
  }
  const float worst = sb_f32_bits(static_cast<std::uint32_t>(measured.worst_input));
  measured.worst = mpfr_ulp_error_f32(f32(worst), worst, reference().mpfr);
  EXPECT_LE(measured.worst, 1.0);
  check_pinned("elementary_f32.json", "2^24 stratified bit patterns (tests/cpp/numerics/numerics_hash.h)", loops().name,
               measured, 8);
}

TEST_P(Elementary, F64RandomInputs) {
  Measured measured;
  constexpr std::uint64_t count = 1000000, block = 4000;
  std::vector<double> x(block), y(block);
  double worst_mpfr = 0;
  for (std::uint64_t first = 0; first < count; first += block) {
    for (std::uint64_t i = 0; i < block; ++i) x[i] = sb_test_random_f64(first + i);
    loops().f64(x.data(), y.data(), block);
    for (std::uint64_t i = 0; i < block; ++i) {
      measured.hash += sb_test_hash(sb_bits_f64(x[i]), sb_bits_f64(y[i]));
      const long double r = reference().f80(x[i]);
      if (std::isnan(r)) {
        ASSERT_EQ(sb_bits_f64(y[i]), 0x7ff8000000000000u);
        continue;
      }
      const double error = ulp_error_f64(y[i], r);
      ASSERT_LE(error, 1.0) << loops().name << " of " << x[i];
      if (error > measured.worst) measured.worst = error, measured.worst_input = sb_bits_f64(x[i]);
      if ((first + i) % 97 == 0) worst_mpfr = std::max(worst_mpfr, mpfr_ulp_error_f64(y[i], x[i], reference().mpfr));
    }
  }
  EXPECT_LE(worst_mpfr, 1.0);
  const double worst = sb_f64_bits(measured.worst_input);
  measured.worst = mpfr_ulp_error_f64(f64(worst), worst, reference().mpfr);
  check_pinned("elementary_f64.json", "the first 10^6 of sb_test_random_f64 (tests/cpp/numerics/numerics_hash.h)",
               loops().name, measured, 16);
}

// Places where a function changes its way: ends of ranges, cuts of argument reductions (multiples of ln 2 / 2, powers
// of sqrt(2)), cuts between formulas, the subnormal border; with their neighbours.
std::vector<double> chosen_points() {
  std::vector<double> points = {0,
                                0.5,
                                0.625,
                                0.25,
                                0x1.a8279ap-2,
                                1,
                                9.01,
                                9.02,
                                17.33,
                                32,
                                36.7,
                                37.43,
                                40,
                                64,
                                80,
                                88.72,
                                88.7229,
                                89,
                                87.336,
                                103.97,
                                103.28,
                                104,
                                126,
                                127,
                                128,
                                149,
                                150,
                                151,
                                708.396,
                                709.7827,
                                709.783,
                                710,
                                744.44,
                                745.13,
                                746,
                                1022,
                                1023,
                                1024,
                                1025,
                                1074,
                                1075,
                                1076,
                                0x1p-24,
                                0x1p-25,
                                0x1p-26,
                                0x1p-53,
                                0x1p-54,
                                0x1p-55,
                                0x1p-126,
                                0x1p-149,
                                0x1p127,
                                0x1p-1022,
                                0x1p-1074,
                                0x1.fffffep127,
                                0x1.fffffffffffffp1023};
  for (int k = 1; k <= 40; ++k) points.push_back(k * 0.34657359027997264);
  for (int k = -60; k <= 60; ++k) points.push_back(std::exp2(k * 0.5));
  for (int k = -30; k <= 30; ++k) points.push_back(std::exp2(k * 0.5) - 1);
  return points;
}

TEST_P(Elementary, F32ChosenPoints) {
  for (const double point : chosen_points()) {
    const std::uint32_t center = sb_bits_f32(static_cast<float>(point));
    for (std::uint32_t d = 0; d <= 64; ++d) {
      for (const std::uint32_t sign : {0u, 0x80000000u}) {
        const float x = sb_f32_bits((center - 32 + d) ^ sign);
        if (std::isnan(x)) continue;
        EXPECT_LE(mpfr_ulp_error_f32(f32(x), x, reference().mpfr), 1.0) << loops().name << " of " << x;
      }
    }
  }
}

TEST_P(Elementary, F64ChosenPoints) {
  for (const double point : chosen_points()) {
    for (std::uint64_t d = 0; d <= 32; ++d) {
      for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1} << 63}) {
        const double x = sb_f64_bits((sb_bits_f64(point) - 16 + d) ^ sign);
        if (std::isnan(x)) continue;
        EXPECT_LE(mpfr_ulp_error_f64(f64(x), x, reference().mpfr), 1.0) << loops().name << " of " << x;
      }
    }
  }
}

// Every NaN, quiet or signalling, of either sign, gives the canonical NaN.
TEST_P(Elementary, NanIsCanonical) {
  for (const std::uint32_t u : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xff812345u, 0x7fffffffu, 0xffffffffu})
    EXPECT_EQ(sb_bits_f32(f32(sb_f32_bits(u))), 0x7fc00000u) << loops().name;
  for (const std::uint64_t u : {0x7ff8000000000000u, 0xfff8000000000000u, 0x7ff0000000000001u, 0xffffffffffffffffu})
    EXPECT_EQ(sb_bits_f64(f64(sb_f64_bits(u))), 0x7ff8000000000000u) << loops().name;
}

std::string function_name(const ::testing::TestParamInfo<int>& info) {
  return references()[static_cast<std::size_t>(info.param)].name;
}
INSTANTIATE_TEST_SUITE_P(All, Elementary, ::testing::Range(0, 9), function_name);

TEST(ElementarySpecial, ExactValues) {
  struct Row {
    const char* name;
    float x, y;
  };
  const Row rows[] = {
      {"exp", 0, 1},
      {"exp", -0.0f, 1},
      {"exp", kInf, kInf},
      {"exp", -kInf, 0},
      {"exp", 89, kInf},
      {"exp2", 10, 1024},
      {"exp2", -149, 0x1p-149f},
      {"exp2", 128, kInf},
      {"exp2", -kInf, 0},
      {"exp2", 0, 1},
      {"expm1", 0, 0},
      {"expm1", -0.0f, -0.0f},
      {"expm1", -kInf, -1},
      {"expm1", kInf, kInf},
      {"expm1", 0x1p-149f, 0x1p-149f},
      {"log", 1, 0},
      {"log", 0, -kInf},
      {"log", -0.0f, -kInf},
      {"log", kInf, kInf},
      {"log1p", -1, -kInf},
      {"log2", 1024, 10},
      {"log2", 0x1p-149f, -149},
      {"log2", 1, 0},
      {"log1p", 0, 0},
      {"log1p", -0.0f, -0.0f},
      {"log1p", kInf, kInf},
      {"tanh", 0, 0},
      {"tanh", -0.0f, -0.0f},
      {"tanh", kInf, 1},
      {"tanh", -kInf, -1},
      {"logistic", 0, 0.5f},
      {"logistic", -0.0f, 0.5f},
      {"logistic", kInf, 1},
      {"logistic", -kInf, 0},
      {"log1pexp", -kInf, 0},
      {"log1pexp", kInf, kInf},
  };
  for (const Row& row : rows) {
    for (const sb_test_loops* loops = sb_test_loops_native; loops->name; ++loops) {
      if (std::string(loops->name) != row.name) continue;
      float y;
      loops->f32(&row.x, &y, 1);
      EXPECT_EQ(sb_bits_f32(y), sb_bits_f32(row.y)) << row.name << " of " << row.x;
    }
  }
}

TEST(ElementarySpecial, OutsideTheDomainIsNan) {
  for (const char* name : {"log", "log2", "log1p"}) {
    for (const sb_test_loops* loops = sb_test_loops_native; loops->name; ++loops) {
      if (std::string(loops->name) != name) continue;
      for (const float x : {-2.0f, -kInf, -1.0000001f}) {
        float y;
        loops->f32(&x, &y, 1);
        EXPECT_EQ(sb_bits_f32(y), 0x7fc00000u) << name << " of " << x;
      }
    }
  }
}

}  // namespace
