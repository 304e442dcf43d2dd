#include "fuzz/case.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace samebits::fuzz {
namespace {

// Small numbers, numbers beside powers of two (where tiles and vectors end), and any.
std::int64_t draw_size(test::Random& random, std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  const auto range = static_cast<std::uint64_t>(high - low + 1);
  std::uint64_t bits = 0;
  while ((range >> bits) > 1) ++bits;
  const auto power = std::int64_t{1} << random.below(bits + 1);
  std::int64_t x = 0;
  switch (random.below(4)) {
    case 0: x = low + static_cast<std::int64_t>(random.below(std::min<std::uint64_t>(range, 6))); break;
    case 1: x = power - 1 + static_cast<std::int64_t>(random.below(3)); break;
    case 2: x = low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(power))); break;
    default: x = low + static_cast<std::int64_t>(random.below(range)); break;
  }
  return std::clamp(x, low, high);
}

template <class T, class Bits>
T masked(T x, int keep, int significand) {
  if (keep >= significand || !std::isfinite(x)) return x;
  Bits bits;
  std::memcpy(&bits, &x, sizeof(T));
  bits &= ~((Bits{1} << (significand - keep)) - 1);
  std::memcpy(&x, &bits, sizeof(T));
  return x;
}

}  // namespace

float with_precision(float x, std::int64_t bits) { return masked<float, std::uint32_t>(x, static_cast<int>(bits), 24); }
double with_precision(double x, std::int64_t bits) {
  return masked<double, std::uint64_t>(x, static_cast<int>(bits), 53);
}

const Target& target_named(const std::string& name) {
  std::string known;
  for (const Target& t : targets()) {
    if (t.name == name) return t;
    known += " " + t.name;
  }
  throw std::invalid_argument("no target '" + name + "'; there are:" + known);
}

Case draw_case(const std::vector<const Target*>& from, std::uint64_t run_seed, std::uint64_t index, std::int64_t most) {
  test::Random random(run_seed * 0x2545f4914f6cdd1du + index);
  Case c;
  c.target = from[index % from.size()];
  c.seed = random.word() >> 1;
  for (const Spec& spec : c.target->specs) {
    if (spec.kind == Spec::choice) {
      c.parameters[spec.name] =
          spec.simplest +
          static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(spec.most - spec.simplest + 1)));
    } else {
      c.parameters[spec.name] = draw_size(random, spec.simplest, most > 0 ? std::min(spec.most, most) : spec.most);
    }
  }
  return c;
}

std::string text_of(const Case& c) {
  std::string text = c.target->name + ", seed " + std::to_string(c.seed);
  for (const auto& [name, value] : c.parameters) text += ", " + name + " " + std::to_string(value);
  return text;
}

}  // namespace samebits::fuzz
