#include "fuzz/difference.hpp"

#include <gtest/gtest-spi.h>

#include <cstring>

namespace samebits::fuzz {
namespace {

using Item = test::Outputs::Item;

// What a run left behind: outputs, or the error that it ended with.
struct Result {
  test::Outputs outputs;
  std::string error;  // "": none
  int code = -1;
  std::string violation;  // a support's check that failed: a write outside an array
};

Result run(const Device& device, const Case& c) {
  Result r;
  testing::TestPartResultArray failures;
  {
    testing::ScopedFakeTestPartResultReporter intercept(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    try {
      const test::Unaligned shifted(static_cast<std::uint64_t>(c.parameters.at("shift")));
      r.outputs = c.target->run(device, c.seed, c.parameters);
    } catch (const Error& e) {
      r.error = e.what();
      r.code = static_cast<int>(e.code());
    }
  }
  for (int i = 0; i < failures.size(); ++i) r.violation += failures.GetTestPartResult(i).message();
  return r;
}

std::string hex(const unsigned char* bytes, std::uint64_t n) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (std::uint64_t i = n; i-- > 0;) text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  return text;
}

std::optional<Difference> compare_items(const Item& want, const Item& got) {
  const std::uint64_t size = want.element_size, n = want.bytes.size() / size;
  if (want.name != got.name) return Difference{"", want.name, 0, n, n, "'" + want.name + "'", "'" + got.name + "'", {}};
  if (want.bytes.size() != got.bytes.size()) {
    return Difference{
        "", want.name, 0, n, n, std::to_string(n) + " elements", std::to_string(got.bytes.size() / size) + " elements",
        {}};
  }
  Difference d{"", want.name, 0, 0, n, "", "", {}};
  for (std::uint64_t i = 0; i < n; ++i) {
    if (std::memcmp(want.bytes.data() + i * size, got.bytes.data() + i * size, size) == 0) continue;
    if (d.differing++ > 0) continue;
    d.element = i;
    d.reference = hex(want.bytes.data() + i * size, size);
    d.got = hex(got.bytes.data() + i * size, size);
  }
  return d.differing > 0 ? std::optional(d) : std::nullopt;
}

std::string ending(const Result& r) { return r.error.empty() ? "no error" : r.error; }

std::optional<Difference> compare(const Result& want, const Result& got) {
  if (!got.violation.empty()) return Difference{"", "memory", 0, 1, 1, "no violation", got.violation, {}};
  if (want.code != got.code) return Difference{"", "error", 0, 1, 1, ending(want), ending(got), {}};
  const auto &a = want.outputs.items(), &b = got.outputs.items();
  std::optional<Difference> first;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    std::optional<Difference> d = compare_items(a[i], b[i]);
    if (d && first) first->others.push_back(d->output);
    if (d && !first) first = d;
  }
  if (first || a.size() == b.size()) return first;
  return Difference{
      "", "outputs", 0, 1, 1, std::to_string(a.size()) + " outputs", std::to_string(b.size()) + " outputs", {}};
}

void add_bytes(std::uint64_t* hash, const void* data, std::size_t n) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < n; ++i) *hash = (*hash ^ bytes[i]) * 0x100000001b3u;  // FNV-1a
}

}  // namespace

std::optional<Difference> find_difference(const Case& c, const std::string& place) {
  const Result want = run(test::reference(), c);
  for (const test::Place& p : test::places()) {
    if (!place.empty() && p.name != place) continue;
    std::optional<Difference> d = compare(want, run(p.device, c));
    if (!d) continue;
    d->place = p.name;
    return d;
  }
  return std::nullopt;
}

std::uint64_t digest(const Device& device, const Case& c) {
  const Result r = run(device, c);
  std::uint64_t hash = 0xcbf29ce484222325u;
  add_bytes(&hash, &r.code, sizeof(r.code));
  for (const Item& item : r.outputs.items()) {
    add_bytes(&hash, item.name.data(), item.name.size());
    add_bytes(&hash, item.bytes.data(), item.bytes.size());
  }
  return hash;
}

}  // namespace samebits::fuzz
