// histogram_subtract/1.
#include "support/pool.hpp"
#include "support/random.hpp"

namespace samebits::test {
namespace {

HostPool draw_pool(std::uint64_t seed, std::uint64_t n) {
  Random random(seed);
  HostPool pool;
  for (std::uint64_t i = 0; i < n; ++i) {
    pool.gradient.push_back(static_cast<std::int64_t>(random.word()) >> 3);  // differences stay within int64
    pool.hessian.push_back(static_cast<std::int64_t>(random.word()) >> 3);
    pool.count.push_back(static_cast<std::uint32_t>(random.word()));
  }
  return pool;
}

void sweep(std::uint32_t n_cells, std::uint32_t n_pairs, bool in_place) {
  SCOPED_TRACE(testing::Message() << n_cells << " cells, " << n_pairs << " pairs" << (in_place ? ", in place" : ""));
  const HostPool host = draw_pool(n_cells, std::uint64_t{n_cells} * 3 * n_pairs);
  std::vector<std::uint32_t> parent, child, out;
  for (std::uint32_t j = 0; j < n_pairs; ++j) {  // pairs in descending order of slots
    const std::uint32_t first = 3 * (n_pairs - 1 - j);
    parent.push_back(first + 1);
    child.push_back(first);
    out.push_back(in_place ? first + 1 : first + 2);
  }
  expect_same_everywhere([&](const Device& device) {
    const DevicePool pool(device, host);
    sb_histogram_subtract_args args{pool.view(), n_cells, n_pairs, parent.data(), child.data(), out.data()};
    call(device, "histogram_subtract", &sb_primitives::histogram_subtract, args);
    Outputs o;
    pool.add_to(&o);
    return o;
  });
}

TEST(HistogramSubtract, SameBits) {
  for (std::uint32_t n_cells : {2u, 3u, 63u, 64u, 65u, 256u, 1000u, 7168u}) {
    for (std::uint32_t n_pairs : {0u, 1u, 2u, 31u}) {
      sweep(n_cells, n_pairs, false);
      sweep(n_cells, n_pairs, true);
    }
  }
  sweep(17920, 3, true);
  sweep(300, 500, true);
}

TEST(HistogramSubtract, SameBitsUnaligned) {
  const Unaligned shifted(1);
  for (std::uint32_t n_cells : {2u, 65u, 1000u}) sweep(n_cells, 3, true);
}

TEST(HistogramSubtract, ByHand) {
  const HostPool host{{10, std::int64_t{1} << 60, 3, -1, 0, 0}, {7, 8, 7, 2, 0, 0}, {5, 4000000000u, 5, 1, 0, 0}};
  const std::uint32_t parent = 0, child = 1, out = 2;
  everywhere([&](const Device& device) {
    const DevicePool pool(device, host);
    sb_histogram_subtract_args args{pool.view(), 2, 1, &parent, &child, &out};
    call(device, "histogram_subtract", &sb_primitives::histogram_subtract, args);
    const HostPool got = pool.read();
    EXPECT_EQ(got.gradient,
              (std::vector<std::int64_t>{10, std::int64_t{1} << 60, 3, -1, 7, (std::int64_t{1} << 60) + 1}));
    EXPECT_EQ(got.hessian, (std::vector<std::int64_t>{7, 8, 7, 2, 0, 6}));
    EXPECT_EQ(got.count, (std::vector<std::uint32_t>{5, 4000000000u, 5, 1, 0, 3999999999u}));
  });
}

}  // namespace
}  // namespace samebits::test
