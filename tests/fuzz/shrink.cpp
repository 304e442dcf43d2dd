#include "fuzz/shrink.hpp"

#include <chrono>

namespace samebits::fuzz {
namespace {

class Shrinker {
 public:
  Shrinker(const Case& found, const Difference& difference, double seconds)
      : best_{found, difference, 0},
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))) {}

  Shrunk run() {
    for (bool moved = true; moved && !late();) {
      moved = drop_rows();
      for (const Spec& spec : best_.smallest.target->specs) moved = lower(spec) || moved;
    }
    return best_;
  }

 private:
  bool late() const { return std::chrono::steady_clock::now() >= end_; }

  // Takes the parameters when the difference is still there.
  bool accept(const Parameters& p) {
    if (late()) return false;
    Case c = best_.smallest;
    c.parameters = p;
    ++best_.steps;
    const std::optional<Difference> d = find_difference(c, best_.difference.place);
    if (!d) return false;
    best_.smallest = c;
    best_.difference = *d;
    return true;
  }

  // The simplest value, else by halves of the way there, and at last one by one.
  bool lower(const Spec& spec) {
    bool moved = false;
    for (std::int64_t way = at(spec) - spec.simplest; way > 0 && !late();) {
      Parameters p = best_.smallest.parameters;
      p[spec.name] -= way;
      if (accept(p)) {
        moved = true;
        way = std::min(way, at(spec) - spec.simplest);
      } else {
        way /= 2;
      }
    }
    return moved;
  }

  // Rows from the front: the remaining ones keep their values.
  bool drop_rows() {
    const Parameters& now = best_.smallest.parameters;
    if (now.count("skip") == 0) return false;
    bool moved = false;
    for (std::int64_t n = now.at("rows") / 2; n > 0 && !late();) {
      Parameters p = best_.smallest.parameters;
      if (p["rows"] <= n) {
        n /= 2;
        continue;
      }
      p["rows"] -= n;
      p["skip"] += n;
      if (accept(p)) {
        moved = true;
      } else {
        n /= 2;
      }
    }
    return moved;
  }

  std::int64_t at(const Spec& spec) const { return best_.smallest.parameters.at(spec.name); }

  Shrunk best_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace

Shrunk shrink(const Case& found, const Difference& difference, double seconds) {
  return Shrinker(found, difference, seconds).run();
}

}  // namespace samebits::fuzz
