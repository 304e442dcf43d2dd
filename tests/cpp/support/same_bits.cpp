#include "support/same_bits.hpp"

namespace samebits::test {
namespace {

std::string hex(const unsigned char* bytes, std::uint64_t n) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (std::uint64_t i = n; i-- > 0;) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

void compare(const Outputs::Item& want, const Outputs::Item& got) {
  ASSERT_EQ(want.name, got.name);
  ASSERT_EQ(want.bytes.size(), got.bytes.size()) << want.name;
  const std::uint64_t size = want.element_size, n = want.bytes.size() / size;
  std::uint64_t different = 0, first = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (std::memcmp(want.bytes.data() + i * size, got.bytes.data() + i * size, size) == 0) continue;
    if (different++ == 0) first = i;
  }
  if (different == 0) return;
  ADD_FAILURE() << want.name << ": " << different << " of " << n << " elements differ; element " << first << " is "
                << hex(got.bytes.data() + first * size, size) << ", reference "
                << hex(want.bytes.data() + first * size, size);
}

}  // namespace

// Counted anew in every test, so that a test does the same alone and among others.
Visit next_visit() {
  static const testing::TestInfo* test = nullptr;
  static std::size_t count = 0;
  const testing::TestInfo* now = testing::UnitTest::GetInstance()->current_test_info();
  if (now != test) {
    test = now;
    count = 0;
  }
  const std::size_t k = count++, n = std::size(kEnvironments), place = k / n % (places().size() + 1);
  const Environment environment = kEnvironments[k % n];
  if (place == 0) return {environment, "reference", &reference()};
  const Place& p = places()[place - 1];
  return {environment, p.name, &p.device};
}

void expect_same(const Outputs& want, const Outputs& got) {
  ASSERT_EQ(want.items().size(), got.items().size());
  for (std::size_t i = 0; i < want.items().size(); ++i) compare(want.items()[i], got.items()[i]);
}

}  // namespace samebits::test
