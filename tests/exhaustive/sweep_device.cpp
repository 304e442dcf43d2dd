// The sweeps of sweep_f32.cpp and sweep_f64.cpp on a device of this machine, through the primitive elementary_map/1:
// hashes of the outputs of all elementary functions on all 2^32 f32 inputs and on 10^8 random f64 inputs, compared with
// conformance/vectors/elementary_*_exhaustive.json. The hash is an order-free sum (numerics_hash.h).
//
//   sweep_device DEVICE [--out FILE.json] [--threads N]
//
// Exit status 0: all hashes are the pinned ones.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "../cpp/numerics/sweep.hpp"
#include "primitives/dispatch/call.hpp"

namespace samebits_test {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 24;
constexpr std::uint64_t kRandom = 100000000;

struct Function {
  const char* name;
  std::int32_t number;
};
constexpr Function kFunctions[] = {
    {"exp", SB_ELEMENTARY_EXP},   {"exp2", SB_ELEMENTARY_EXP2},         {"log", SB_ELEMENTARY_LOG},
    {"log2", SB_ELEMENTARY_LOG2}, {"log1p", SB_ELEMENTARY_LOG1P},       {"expm1", SB_ELEMENTARY_EXPM1},
    {"tanh", SB_ELEMENTARY_TANH}, {"logistic", SB_ELEMENTARY_LOGISTIC}, {"log1pexp", SB_ELEMENTARY_LOG1PEXP}};
static_assert(std::size(kFunctions) == SB_ELEMENTARY_COUNT);

// f(first, last) -> sum over [0, n), on several threads.
std::uint64_t sum_parallel(unsigned threads, std::uint64_t n,
                           const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& f) {
  std::vector<std::uint64_t> sums(threads);
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t) {
    team.emplace_back([&, t] { sums[t] = f(n * t / threads, n * (t + 1) / threads); });
  }
  std::uint64_t sum = 0;
  for (unsigned t = 0; t < threads; ++t) {
    team[t].join();
    sum += sums[t];
  }
  return sum;
}

std::uint64_t bits_of(float x) { return sb_bits_f32(x); }
std::uint64_t bits_of(double x) { return sb_bits_f64(x); }

// The hash of every function over inputs input(0 .. n).
template <class T>
std::vector<std::uint64_t> sweep(const samebits::Device& device, std::int32_t dtype, std::uint64_t n, unsigned threads,
                                 T (*input)(std::uint64_t)) {
  std::vector<std::uint64_t> hashes(std::size(kFunctions));
  std::vector<T> x(kChunk), y(kChunk);
  samebits::Buffer<T> in(device, kChunk), out(device, kChunk);
  for (std::uint64_t first = 0; first < n; first += kChunk) {
    const std::uint64_t size = std::min(kChunk, n - first);
    sum_parallel(threads, size, [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) x[i] = input(first + i);
      return std::uint64_t{0};
    });
    in.upload(x.data(), size);
    for (std::size_t f = 0; f < hashes.size(); ++f) {
      const sb_elementary_map_args args{kFunctions[f].number, dtype, in.data(), out.data(), size};
      samebits::call(device, "elementary_map", &sb_primitives::elementary_map, args);
      out.download(y.data(), size);
      hashes[f] += sum_parallel(threads, size, [&](std::uint64_t from, std::uint64_t to) {
        std::uint64_t sum = 0;
        for (std::uint64_t i = from; i < to; ++i) sum += sb_test_hash(bits_of(x[i]), bits_of(y[i]));
        return sum;
      });
    }
  }
  return hashes;
}

// Prints and notes each hash; the number that differ from the pinned ones.
int compare(const char* type, const std::vector<std::uint64_t>& hashes, nlohmann::ordered_json* record) {
  const auto pinned = read_json(vectors_path(std::string("elementary_") + type + "_exhaustive.json"));
  int differences = 0;
  for (std::size_t f = 0; f < hashes.size(); ++f) {
    const std::string got = hex(hashes[f], 16);
    const std::string want = pinned.at("functions").at(kFunctions[f].name).at("hash");
    std::printf("%s.%s=%s%s\n", type, kFunctions[f].name, got.c_str(),
                got == want ? "" : (" DIFFERS, pinned " + want).c_str());
    (*record)[type][kFunctions[f].name] = got;
    differences += got == want ? 0 : 1;
  }
  return differences;
}

int run(const std::string& id, const std::string& out, unsigned threads) {
  const samebits::Device device = samebits::Device::open(id);
  const auto start = std::chrono::steady_clock::now();
  nlohmann::ordered_json record;
  record["column"] = device.info().column;
  record["device"] = device.info().name;
  record["driver"] = device.info().driver;
  int differences = compare("f32",
                            sweep<float>(device, SB_DTYPE_F32, std::uint64_t{1} << 32, threads,
                                         [](std::uint64_t i) { return sb_f32_bits(static_cast<sb_u32>(i)); }),
                            &record);
  differences += compare("f64", sweep<double>(device, SB_DTYPE_F64, kRandom, threads, sb_test_random_f64), &record);
  record["differences"] = differences;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%s (%s): %d differences, %.0f s\n", device.info().column.c_str(), device.info().name.c_str(),
              differences, seconds.count());
  if (!out.empty()) write_json(out, record);
  return differences == 0 ? 0 : 1;
}

}  // namespace
}  // namespace samebits_test

int main(int argc, char** argv) {
  std::string out;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--out") == 0) out = argv[i + 1];
    if (std::strcmp(argv[i], "--threads") == 0) threads = static_cast<unsigned>(std::stoul(argv[i + 1]));
  }
  if (argc < 2) return std::fprintf(stderr, "usage: sweep_device DEVICE [--out FILE.json] [--threads N]\n"), 2;
  try {
    return samebits_test::run(argv[1], out, threads);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "sweep_device: %s\n", error.what()), 2;
  }
}
