// row_sample/1: a draw depends on (seed, purpose, row, draw) alone (C8).
#include "samebits/trace.hpp"
#include "support/same_bits.hpp"

namespace samebits::test {
namespace {

std::vector<std::uint32_t> sample(const Device& device, std::uint64_t seed, std::uint32_t purpose, std::uint32_t draw,
                                  std::uint64_t threshold, std::uint64_t n) {
  DeviceArray<std::uint32_t> rows(device, n);
  std::uint64_t kept = ~std::uint64_t{0};
  sb_row_sample_args args{seed, purpose, draw, threshold, n, rows.data(), &kept};
  call(device, "row_sample", &sb_primitives::row_sample, args);
  std::vector<std::uint32_t> all = rows.read();
  EXPECT_LE(kept, n);
  all.resize(kept < n ? kept : n);
  return all;
}

TEST(RowSample, SameBits) {
  for (std::uint64_t n : {0u, 1u, 2u, 63u, 64u, 65u, 1000u, 1023u, 1024u, 1025u, 4097u, 70000u, 300000u}) {
    for (std::uint64_t threshold : {std::uint64_t{0}, std::uint64_t{1} << 10, std::uint64_t{1} << 31,
                                    std::uint64_t{3500000000u}, (std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32}) {
      for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0xfedcba9876543210u}}) {
        SCOPED_TRACE(testing::Message() << "n " << n << ", threshold " << threshold);
        expect_same_everywhere([&](const Device& device) {
          Outputs o;
          o.add("rows", sample(device, seed, 0x62690002u, 3, threshold, n));
          return o;
        });
      }
    }
  }
}

TEST(RowSample, SameBitsUnaligned) {
  const Unaligned shifted(1);
  for (std::uint64_t n : {1u, 65u, 4097u, 70000u}) {
    expect_same_everywhere([&](const Device& device) {
      Outputs o;
      o.add("rows", sample(device, 5, 0x62690002u, 1, std::uint64_t{1} << 31, n));
      return o;
    });
  }
}

TEST(RowSample, EndsOfTheThreshold) {
  everywhere([&](const Device& device) {
    EXPECT_TRUE(sample(device, 1, 2, 3, 0, 5000).empty());
    const std::vector<std::uint32_t> all = sample(device, 1, 2, 3, std::uint64_t{1} << 32, 5000);
    ASSERT_EQ(all.size(), 5000u);
    for (std::uint32_t i = 0; i < 5000; ++i) ASSERT_EQ(all[i], i);
  });
}

// The sample of the first rows is the beginning of the sample of more rows.
TEST(RowSample, DoesNotDependOnTheNumberOfRows) {
  everywhere([&](const Device& device) {
    const std::vector<std::uint32_t> few = sample(device, 9, 8, 7, std::uint64_t{1} << 31, 40000);
    std::vector<std::uint32_t> many = sample(device, 9, 8, 7, std::uint64_t{1} << 31, 70001);
    ASSERT_GE(many.size(), few.size());
    many.resize(few.size());
    EXPECT_EQ(few, many);
  });
}

}  // namespace
}  // namespace samebits::test
