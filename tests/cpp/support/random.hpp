// Test inputs from a counter (splitmix64, Steele, Lea and Flood 2014): the same on every machine and library, and
// independent of the generator under test.
#pragma once

#include <cstdint>

namespace samebits::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::uint64_t word() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0, n), n >= 1.
  std::uint64_t below(std::uint64_t n) { return word() % n; }
  // A multiple of 2^-53 in [0, 1).
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }
  // In [low, high).
  double between(double low, double high) { return low + (high - low) * unit(); }

 private:
  std::uint64_t state_;
};

}  // namespace samebits::test
