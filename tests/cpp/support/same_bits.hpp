// The comparison of all conformance tests: the same bytes as the reference backend, on every place.
#pragma once

#include "primitives/dispatch/call.hpp"
#include "support/device_array.hpp"
#include "support/digest.hpp"
#include "support/environments.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace samebits::test {

// What a primitive wrote, by name. Elements are numbers: their bytes are compared and go into the digest of the test.
class Outputs {
 public:
  struct Item {
    std::string name;
    std::uint64_t element_size;
    std::vector<unsigned char> bytes;
  };

  template <class T>
  void add(const std::string& name, const std::vector<T>& x) {
    static_assert(std::is_arithmetic_v<T>, "add the members of a struct one by one: it may have padding");
    Item item{name, sizeof(T), std::vector<unsigned char>(x.size() * sizeof(T))};
    if (!x.empty()) std::memcpy(item.bytes.data(), x.data(), item.bytes.size());
    items_.push_back(std::move(item));
  }
  template <class T>
  void add_one(const std::string& name, const T& x) {
    add(name, std::vector<T>{x});
  }
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
};

// One failure per differing output, with the number of differing elements and the first of them.
void expect_same(const Outputs& want, const Outputs& got);

// The k-th comparison of a test takes place and environment k of all pairs, for k = 0, 1, ...
struct Visit {
  Environment environment;
  std::string name;
  const Device* device;
};
Visit next_visit();

// The same outputs again, called from a hostile floating-point environment, which is the same afterwards.
template <class Run>
void expect_same_in_environment(const Outputs& want, const Visit& visit, Run run) {
  SCOPED_TRACE(visit.name + ", called in environment " + name_of(visit.environment));
  Outputs got;
  bool unchanged = false;
  {
    const Within environment(visit.environment);
    got = run(*visit.device);
    unchanged = environment.unchanged();
  }
  EXPECT_TRUE(unchanged) << "the caller's floating-point environment was changed";
  expect_same(want, got);
}

// run(device) -> Outputs, on the reference and on every place, and once more in a hostile environment.
template <class Run>
void expect_same_everywhere(Run run) {
  const Outputs want = run(reference());
  add_to_digest(want);
  for (const Place& place : places()) {
    SCOPED_TRACE(place.name);
    expect_same(want, run(place.device));
    if (testing::Test::HasFailure()) return;
  }
  expect_same_in_environment(want, next_visit(), run);
}

// check(device) on the reference and on every place.
template <class Check>
void everywhere(Check check) {
  {
    SCOPED_TRACE("reference");
    check(reference());
  }
  for (const Place& place : places()) {
    SCOPED_TRACE(place.name);
    check(place.device);
    if (testing::Test::HasFailure()) return;
  }
}

// The message of the Error that run() throws; a failure when it throws none or another code.
template <class Run>
std::string error_of(ErrorCode code, Run run) {
  try {
    run();
  } catch (const Error& e) {
    EXPECT_EQ(static_cast<int>(e.code()), static_cast<int>(code)) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace samebits::test
