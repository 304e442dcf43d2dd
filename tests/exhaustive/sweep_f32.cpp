// Full sweep of the f32 elementary functions: all 2^32 inputs, worst error in ulps and the hash of all outputs.
//
//   sweep_f32 [--function NAME]... [--check] [--threads N]
//
// Reference: glibc in f64 (within a few ulps of f64, that is 2^-27 ulp of f32). The figure reported is that of MPFR
// with 200 bits for the worst input; every input whose f64-based error is above 0.99 ulp is decided by MPFR, so that
// the margin of the reference cannot hide an error above 1 ulp. NaN results must be canonical, infinite and zero
// references are met with their sign. Writes conformance/vectors/elementary_f32_exhaustive.json, or with --check
// compares with it. The hash: numerics_hash.h.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

#include "../cpp/numerics/elementary_loops.h"
#include "../cpp/numerics/sweep.hpp"

namespace {

using namespace samebits_test;

constexpr std::uint64_t kBlock = std::uint64_t{1} << 16, kBlocks = std::uint64_t{1} << 16;

struct Result {
  std::uint64_t hash = 0, wrong = 0, decided_by_mpfr = 0, over_one_ulp = 0;
  double worst = 0;
  std::uint32_t worst_input = 0;

  void add_worst(double error, std::uint32_t input) {
    if (error > worst || (error == worst && input < worst_input)) worst = error, worst_input = input;
  }
  void merge(const Result& other) {
    hash += other.hash, wrong += other.wrong, decided_by_mpfr += other.decided_by_mpfr,
        over_one_ulp += other.over_one_ulp;
    add_worst(other.worst, other.worst_input);
  }
};

void check_one(float x, float y, const Reference& reference, Result& result) {
  const std::uint32_t input = sb_bits_f32(x), output = sb_bits_f32(y);
  const double r = reference.f64(x);
  if (std::isnan(r)) {
    result.wrong += output != 0x7fc00000u;
    return;
  }
  if (std::isnan(y) || std::signbit(y) != std::signbit(r) || (r == 0 && y != 0)) {
    ++result.wrong;
    return;
  }
  double error = ulp_error_f32(y, r);
  if (error > 0.99) {
    error = mpfr_ulp_error_f32(y, x, reference.mpfr);
    ++result.decided_by_mpfr;
    result.over_one_ulp += error > 1.0;
  }
  result.add_worst(error, input);
}

Result sweep_block(std::uint64_t block, const sb_test_loops& loops, const Reference& reference, std::vector<float>& x,
                   std::vector<float>& y) {
  Result result;
  for (std::uint64_t i = 0; i < kBlock; ++i) x[i] = sb_f32_bits(static_cast<std::uint32_t>(block * kBlock + i));
  loops.f32(x.data(), y.data(), kBlock);
  for (std::uint64_t i = 0; i < kBlock; ++i) result.hash += sb_test_hash(sb_bits_f32(x[i]), sb_bits_f32(y[i]));
  for (std::uint64_t i = 0; i < kBlock; ++i) check_one(x[i], y[i], reference, result);
  return result;
}

Result sweep(const sb_test_loops& loops, const Reference& reference, unsigned threads) {
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  Result total;
  auto work = [&] {
    std::vector<float> x(kBlock), y(kBlock);
    Result mine;
    for (std::uint64_t block; (block = next++) < kBlocks;) mine.merge(sweep_block(block, loops, reference, x, y));
    const std::lock_guard lock(mutex);
    total.merge(mine);
  };
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t) team.emplace_back(work);
  for (auto& thread : team) thread.join();
  const float worst_input = sb_f32_bits(total.worst_input);
  float output;
  loops.f32(&worst_input, &output, 1);
  total.worst = mpfr_ulp_error_f32(output, worst_input, reference.mpfr);
  return total;
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json;
  json["hash"] = hex(result.hash, 16);
  json["worst_ulp"] = std::round(result.worst * 1e6) / 1e6;
  json["worst_input_bits"] = hex(result.worst_input, 8);
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
  const auto path = vectors_path("elementary_f32_exhaustive.json");
  auto json = read_json(path);
  json["inputs"] = "all 2^32 bit patterns";
  json["hash"] = "sum modulo 2^64 over all inputs of mix(mix(input bits) ^ output bits), mix = finaliser of splitmix64";
  json["error"] = "distance from the exact value (MPFR, 200 bits) in ulps of the exact value";
  for (std::size_t i = 0; i < references().size(); ++i) {
    const auto& reference = references()[i];
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), reference.name) == wanted.end()) continue;
    const auto start = std::chrono::steady_clock::now();
    const Result result = sweep(sb_test_loops_native[i], reference, threads);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto measured = to_json(result);
    std::printf("%-9s worst %.6f ulp at %a (%s), %llu over 1 ulp, %llu decided by MPFR, %llu wrong, hash %s, %.0f s\n",
                reference.name, result.worst, static_cast<double>(sb_f32_bits(result.worst_input)),
                hex(result.worst_input, 8).c_str(), static_cast<unsigned long long>(result.over_one_ulp),
                static_cast<unsigned long long>(result.decided_by_mpfr), static_cast<unsigned long long>(result.wrong),
                hex(result.hash, 16).c_str(), seconds);
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
