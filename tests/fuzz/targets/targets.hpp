// The parts of the table of targets, one file a family of primitives.
#pragma once

#include "fuzz/case.hpp"
#include "support/environments.hpp"

namespace samebits::fuzz {

std::vector<Target> array_targets();
std::vector<Target> binning_targets();
std::vector<Target> fit_targets();
std::vector<Target> histogram_targets();
std::vector<Target> loss_targets();
std::vector<Target> product_targets();
std::vector<Target> row_targets();
std::vector<Target> tree_targets();

// Parameters that several targets have.
inline Spec rows(std::int64_t most) { return {"rows", Spec::size, 0, most}; }
inline Spec skip() { return {"skip", Spec::choice, 0, 0}; }  // rows dropped from the front by the shrinker
inline Spec features(std::int64_t most) { return {"features", Spec::size, 1, most}; }
inline Spec values(std::int64_t most = kAllKinds) { return {"values", Spec::choice, 0, most}; }
inline Spec precision() { return {"precision", Spec::choice, 1, kFullPrecision}; }
inline Spec f64() { return {"f64", Spec::choice, 0, 1}; }
inline Spec flag(const std::string& name) { return {name, Spec::choice, 0, 1}; }

// run() in the floating-point environment of the case (C1), one that a caller may have; 0 is the usual one. Inputs are
// drawn and outputs read outside of it.
template <class Run>
void within_environment(const Parameters& p, Run run) {
  const std::int64_t environment = p.at("environment");
  if (environment == 0) return run();
  const test::Within within(test::kEnvironments[environment - 1]);
  run();
  EXPECT_TRUE(within.unchanged()) << "the caller's floating-point environment was changed";
}

// A primitive, so.
template <class Args>
void call_primitive(const Parameters& p, const Device& device, const char* name,
                    sb_status (*sb_primitives::*row)(sb_context*, const Args*), const Args& args) {
  within_environment(p, [&] { call(device, name, row, args); });
}

inline std::uint64_t whole(const Parameters& p, const std::string& name) {
  return static_cast<std::uint64_t>(p.at(name));
}
inline std::uint32_t small(const Parameters& p, const std::string& name) {
  return static_cast<std::uint32_t>(p.at(name));
}

}  // namespace samebits::fuzz
