// samebits_fuzz: see usage(). Exit status: 0 no difference, 1 a difference, 2 bad arguments or files.
#include "fuzz/options.hpp"
#include "fuzz/record.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <map>
#include <set>

namespace samebits::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<const Target*> chosen_targets(const Options& options) {
  std::vector<const Target*> chosen;
  for (const std::string& name : options.targets) chosen.push_back(&target_named(name));
  for (const Target& t : targets()) {
    if (options.targets.empty()) chosen.push_back(&t);
  }
  return chosen;
}

void print(const Difference& d) {
  std::printf("  on %s: %s, %llu of %llu elements, the first is element %llu: %s, reference %s\n", d.place.c_str(),
              d.output.c_str(), static_cast<unsigned long long>(d.differing),
              static_cast<unsigned long long>(d.elements), static_cast<unsigned long long>(d.element), d.got.c_str(),
              d.reference.c_str());
  if (!d.others.empty()) std::printf("  also:");
  for (const std::string& name : d.others) std::printf(" '%s'", name.c_str());
  if (!d.others.empty()) std::printf("\n");
}

void report(const Options& options, const Case& found, const Difference& difference) {
  std::printf("DIFFERENCE: %s\n", text_of(found).c_str());
  print(difference);
  const Shrunk s = shrink(found, difference, options.shrink_seconds);
  std::printf("smallest of %d cases tried: %s\n", s.steps, text_of(s.smallest).c_str());
  print(s.difference);
  std::printf("replay: ./dev fuzz --replay %s\n", save(options.folder, found, s).c_str());
  std::fflush(stdout);
}

int fuzz(const Options& options) {
  std::vector<const Target*> from = chosen_targets(options);
  std::map<std::string, std::uint64_t> ran;
  const std::size_t n_places = test::places().size() + 1;
  std::printf("fuzz: seed %llu, %zu targets, %zu places, the reference among them\n",
              static_cast<unsigned long long>(options.seed), from.size(), n_places);
  const Clock::time_point start = Clock::now();
  std::size_t found = 0;
  std::uint64_t index = 0;
  for (; !from.empty() && (options.cases > 0 ? index < options.cases : seconds_since(start) < options.seconds);
       ++index) {
    const Case c = draw_case(from, options.seed, index, options.most);
    ++ran[c.target->name];
    const std::optional<Difference> d = find_difference(c);
    if (!d) continue;
    report(options, c, *d);
    ++found;
    std::erase(from, c.target);  // one a target: the next is most likely the same fault
  }
  for (const auto& [name, n] : ran) std::printf("  %-20s %llu\n", name.c_str(), static_cast<unsigned long long>(n));
  std::printf("fuzz: %llu cases in %.1f s, %zu differences\n", static_cast<unsigned long long>(index),
              seconds_since(start), found);
  return found > 0 ? 1 : 0;
}

int replay(const Options& options) {
  const Case c = load(options.replay);
  std::printf("%s\n", text_of(c).c_str());
  int status = 0;
  for (const test::Place& place : test::places()) {
    const std::optional<Difference> d = find_difference(c, place.name);
    if (d) print(*d);
    status = d ? 1 : status;
  }
  std::printf(status == 0 ? "no difference\n" : "the difference is still there\n");
  return status;
}

// One line a place and target: what a separating arm must change.
int digests(const Options& options) {
  std::vector<test::Place> places = test::places();
  places.insert(places.begin(), {"reference", test::reference()});
  const std::vector<const Target*> from = chosen_targets(options);
  for (const test::Place& place : places) {
    std::map<std::string, std::uint64_t> hash;
    for (std::uint64_t index = 0; index < options.cases; ++index) {
      const Case c = draw_case(from, options.seed, index, options.most);
      hash[c.target->name] = hash[c.target->name] * 31 + digest(place.device, c);
    }
    for (const auto& [name, h] : hash)
      std::printf("%s\t%s\t%016llx\n", place.name.c_str(), name.c_str(), static_cast<unsigned long long>(h));
  }
  return 0;
}

}  // namespace
}  // namespace samebits::fuzz

int main(int argc, char** argv) {
  using namespace samebits::fuzz;
  try {
    const Options options = parse(argc, argv);
    if (options.help) return 0;
    if (!options.replay.empty()) return replay(options);
    return options.digests ? digests(options) : fuzz(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fuzz: %s\n", e.what());
    return 2;
  }
}
