// 10^8 random inputs (numerics_hash.h) of every f64 elementary function: worst error in ulps and the hash of all
// outputs.
//
//   sweep_f64 [--function NAME]... [--check] [--threads N]
//
// Reference: glibc in 80-bit long double (within a few of its ulps, that is 2^-8 ulp of f64); every input with an error
// above 0.98 ulp by that measure is decided by MPFR with 200 bits, and the figure reported is MPFR's for the worst
// input. Writes conformance/vectors/elementary_f64_exhaustive.json, or with --check compares with it.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

#include "../cpp/numerics/elementary_loops.h"
#include "../cpp/numerics/sweep.hpp"

namespace {

using namespace samebits_test;

constexpr std::uint64_t kCount = 100000000, kBlock = 20000;
static_assert(kCount % kBlock == 0);

struct Result {
  std::uint64_t hash = 0, wrong = 0, over_one_ulp = 0;
  double worst = 0, worst_input = 0;

  void add_worst(double error, double input) {
    if (error > worst || (error == worst && sb_bits_f64(input) < sb_bits_f64(worst_input)))
      worst = error, worst_input = input;
  }
  void merge(const Result& other) {
    hash += other.hash, wrong += other.wrong, over_one_ulp += other.over_one_ulp;
    add_worst(other.worst, other.worst_input);
  }
};

void check_one(double x, double y, const Reference& reference, Result& result) {
  const long double r = reference.f80(x);
  if (std::isnan(r)) {
    result.wrong += sb_bits_f64(y) != 0x7ff8000000000000u;
    return;
  }
  if (std::isnan(y) || std::signbit(y) != std::signbit(r)) {
    ++result.wrong;
    return;
  }
  double error = ulp_error_f64(y, r);
  if (error > 0.98) {
    error = mpfr_ulp_error_f64(y, x, reference.mpfr);
    result.over_one_ulp += error > 1.0;
  }
  result.add_worst(error, x);
}

Result sweep(const sb_test_loops& loops, const Reference& reference, unsigned threads) {
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  Result total;
  auto work = [&] {
    std::vector<double> x(kBlock), y(kBlock);
    Result mine;
    for (std::uint64_t block; (block = next++) < kCount / kBlock;) {
      for (std::uint64_t i = 0; i < kBlock; ++i) x[i] = sb_test_random_f64(block * kBlock + i);
      loops.f64(x.data(), y.data(), kBlock);
      for (std::uint64_t i = 0; i < kBlock; ++i) mine.hash += sb_test_hash(sb_bits_f64(x[i]), sb_bits_f64(y[i]));
      for (std::uint64_t i = 0; i < kBlock; ++i) check_one(x[i], y[i], reference, mine);
    }
    const std::lock_guard lock(mutex);
    total.merge(mine);
  };
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t) team.emplace_back(work);
  for (auto& thread : team) thread.join();
  double output;
  loops.f64(&total.worst_input, &output, 1);
  total.worst = mpfr_ulp_error_f64(output, total.worst_input, reference.mpfr);
  return total;
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json;
  json["hash"] = hex(result.hash, 16);
  json["worst_ulp"] = std::round(result.worst * 1e6) / 1e6;
  json["worst_input_bits"] = hex(sb_bits_f64(result.worst_input), 16);
  json["inputs_over_one_ulp"] = result.over_one_ulp;
  json["wrong_special_values"] = result.wrong;
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> wanted;
  bool check = false, failed = false;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--check")) check = true;
    if (!std::strcmp(argv[i], "--function") && i + 1 < argc) wanted.push_back(argv[++i]);
    if (!std::strcmp(argv[i], "--threads") && i + 1 < argc) threads = static_cast<unsigned>(std::atoi(argv[++i]));
  }
  const auto path = vectors_path("elementary_f64_exhaustive.json");
  auto json = read_json(path);
  json["inputs"] = "the first 10^8 of sb_test_random_f64 (tests/cpp/numerics/numerics_hash.h)";
  json["hash"] = "sum modulo 2^64 over all inputs of mix(mix(input bits) ^ output bits), mix = finaliser of splitmix64";
  json["error"] = "distance from the exact value (MPFR, 200 bits) in ulps of the exact value";
  for (std::size_t i = 0; i < references().size(); ++i) {
    const auto& reference = references()[i];
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), reference.name) == wanted.end()) continue;
    const Result result = sweep(sb_test_loops_native[i], reference, threads);
    const auto measured = to_json(result);
    std::printf("%-9s worst %.6f ulp at %a, %llu over 1 ulp, %llu wrong, hash %s\n", reference.name, result.worst,
                result.worst_input, static_cast<unsigned long long>(result.over_one_ulp),
                static_cast<unsigned long long>(result.wrong), hex(result.hash, 16).c_str());
    std::fflush(stdout);
    failed |= result.over_one_ulp != 0 || result.wrong != 0;
    if (check) {
      const bool same = json["functions"].contains(reference.name) && json["functions"][reference.name] == measured;
      if (!same) std::printf("%s: differs from %s\n", reference.name, path.c_str());
      failed |= !same;
    } else {
      json["functions"][reference.name] = measured;
    }
  }
  if (!check) write_json(path, json);
  return failed ? 1 : 0;
}
