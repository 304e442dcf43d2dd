// gemm/1: the order of a product is a function of k alone (C5).
#include "support/matrix.hpp"
#include "support/same_bits.hpp"

#include <cmath>
#include <limits>

namespace samebits::test {
namespace {

constexpr std::uint64_t kChain = 256;

template <class T>
constexpr std::int32_t kDtype = sizeof(T) == 4 ? SB_DTYPE_F32 : SB_DTYPE_F64;

// C = A B; A is a.n_rows x a.n_features, B the same way. C has the layout `out`; what lies between its elements is
// compared too.
template <class T>
HostMatrix<T> product(const Device& device, const HostMatrix<T>& a, const HostMatrix<T>& b, Layout out) {
  HostMatrix<T> c = empty_matrix<T>(a.n_rows, b.n_features, out);
  const DeviceArray<T> da(device, a.storage), db(device, b.storage), dc(device, c.storage);
  sb_gemm_args args{kDtype<T>,
                    a.n_rows,
                    b.n_features,
                    a.n_features,
                    da.data() + a.origin,
                    a.row_stride,
                    a.column_stride,
                    db.data() + b.origin,
                    b.row_stride,
                    b.column_stride,
                    dc.data() + c.origin,
                    c.row_stride,
                    c.column_stride};
  call(device, "gemm", &sb_primitives::gemm, args);
  c.storage = dc.read();
  return c;
}

template <class T>
HostMatrix<T> draw_one(std::uint64_t seed, std::uint64_t rows, std::uint64_t columns, Layout layout, Values kind) {
  return draw_matrix<T>(seed, rows, static_cast<std::uint32_t>(columns), layout, &kind, 1);
}

struct Shape {
  std::uint64_t m, n, k;
};

template <class T>
void sweep(const Shape& s, Layout la, Layout lb, Layout lc, Values kind, Values other) {
  SCOPED_TRACE(testing::Message() << s.m << " x " << s.k << " x " << s.n << ", layouts " << static_cast<int>(la)
                                  << static_cast<int>(lb) << static_cast<int>(lc) << ", values "
                                  << static_cast<int>(kind) << " and " << static_cast<int>(other) << ", element size "
                                  << sizeof(T));
  const HostMatrix<T> a = draw_one<T>(s.m + s.k, s.m, s.k, la, kind), b = draw_one<T>(s.n, s.k, s.n, lb, other);
  expect_same_everywhere([&](const Device& device) {
    Outputs o;
    o.add("c", product(device, a, b, lc).storage);
    return o;
  });
}

template <class T>
void sweep_both(const Shape& s, Layout la, Layout lb, Layout lc, Values kind, Values other) {
  sweep<T>(s, la, lb, lc, kind, other);
  sweep<T>({s.n, s.m, s.k}, lb, la, lc, other, kind);
}

// Around the sizes of tiles and vectors, and of chains.
TEST(Gemm, SameBits) {
  for (std::uint64_t m : {1u, 2u, 5u, 6u, 7u, 11u, 12u, 13u, 25u}) {
    for (std::uint64_t n : {1u, 3u, 8u, 15u, 16u, 17u, 31u, 33u}) {
      const Shape s{m, n, 1 + (m * 13 + n * 7) % 40};
      sweep<float>(s, Layout::c_order, Layout::c_order, Layout::c_order, Values::uniform, Values::uniform);
      sweep<double>(s, Layout::c_order, Layout::c_order, Layout::c_order, Values::uniform, Values::uniform);
    }
  }
  for (std::uint64_t k : {1u, 2u, 7u, 8u, 9u, 255u, 256u, 257u, 511u, 512u, 513u, 767u, 1024u, 1025u, 1793u, 2049u}) {
    sweep<float>({13, 18, k}, Layout::c_order, Layout::f_order, Layout::c_order, Values::uniform, Values::adjacent);
    sweep<double>({7, 9, k}, Layout::f_order, Layout::c_order, Layout::c_order, Values::uniform, Values::adjacent);
  }
}

TEST(Gemm, SameBitsOfLargeMatrices) {
  sweep<float>({130, 140, 600}, Layout::c_order, Layout::c_order, Layout::c_order, Values::uniform, Values::uniform);
  sweep<float>({300, 5, 300}, Layout::c_order, Layout::c_order, Layout::c_order, Values::uniform, Values::uniform);
  sweep<float>({3, 400, 300}, Layout::f_order, Layout::f_order, Layout::c_order, Values::uniform, Values::uniform);
  sweep<double>({129, 65, 260}, Layout::c_order, Layout::c_order, Layout::c_order, Values::uniform, Values::uniform);
  sweep<float>({5, 6, 70001}, Layout::c_order, Layout::c_order, Layout::c_order, Values::uniform, Values::adjacent);
}

// Transposed, padded, reversed and unaligned views, in and out. HostMatrix writes poison between the elements.
TEST(Gemm, SameBitsOfEveryLayout) {
  for (Layout layout : kLayouts) {
    for (Layout other : {Layout::c_order, Layout::f_padded, Layout::offset_by_one}) {
      sweep_both<float>({9, 21, 70}, layout, other, Layout::c_order, Values::uniform, Values::small_ints);
      sweep<float>({9, 21, 70}, other, Layout::c_order, layout, Values::uniform, Values::small_ints);
      sweep<double>({9, 10, 30}, other, layout, layout, Values::uniform, Values::uniform);
    }
  }
}

TEST(Gemm, SameBitsUnaligned) {
  for (std::uint64_t shift : {1u, 3u}) {
    const Unaligned shifted(shift);
    sweep_both<float>({13, 35, 300}, Layout::c_order, Layout::f_order, Layout::c_order, Values::uniform,
                      Values::uniform);
    sweep<double>({13, 35, 300}, Layout::f_order, Layout::c_order, Layout::f_order, Values::uniform, Values::uniform);
  }
}

TEST(Gemm, SameBitsOfSpecialValues) {
  constexpr Values kKinds[] = {Values::huge_range, Values::subnormal,   Values::infinite, Values::some_nan,
                               Values::all_nan,    Values::signed_zero, Values::adjacent, Values::constant};
  for (Values kind : kKinds) {
    for (Values other : {Values::uniform, Values::huge_range, Values::signed_zero, Values::subnormal}) {
      for (std::uint64_t k : {1u, 20u, 300u}) {
        sweep_both<float>({7, 19, k}, Layout::c_order, Layout::c_order, Layout::c_order, kind, other);
        sweep<double>({7, 19, k}, Layout::c_order, Layout::c_order, Layout::c_order, kind, other);
      }
    }
  }
}

template <class T>
HostMatrix<T> row_of(const std::vector<T>& x) {
  HostMatrix<T> m = empty_matrix<T>(1, static_cast<std::uint32_t>(x.size()), Layout::c_order);
  m.storage = x;
  return m;
}

template <class T>
HostMatrix<T> column_of(const std::vector<T>& x) {
  HostMatrix<T> m = empty_matrix<T>(x.size(), 1, Layout::c_order);
  m.storage = x;
  return m;
}

template <class T>
T dot(const Device& device, const std::vector<T>& a, const std::vector<T>& b) {
  return product(device, row_of(a), column_of(b), Layout::c_order).storage[0];
}

// A value that one rounding step of T loses beside 1 / eps.
template <class T>
constexpr T kLarge = 2 / std::numeric_limits<T>::epsilon();

template <class T>
void one_chain_in_order(const Device& device) {
  const T one = 1, large = kLarge<T>;
  std::vector<T> ones(kChain, one), x(kChain, T(0));
  // Ascending: large + 1 loses the 1, then - large: 0. Two interleaved sums, or halves, keep it.
  x[0] = large, x[1] = one, x[2] = -large;
  EXPECT_EQ(dot(device, x, ones), T(0));
  // large - large, then + 1 keeps it.
  x[0] = large, x[1] = -large, x[2] = one;
  EXPECT_EQ(dot(device, x, ones), one);
  x.assign(kChain, T(0));
  x[0] = large, x[128] = one, x[255] = -large;
  EXPECT_EQ(dot(device, x, ones), T(0));
}

TEST(Gemm, AChainAscends) {
  everywhere([&](const Device& device) {
    one_chain_in_order<float>(device);
    one_chain_in_order<double>(device);
  });
}

// (1 + e)(1 - e) - 1 = -e^2 with one rounding, 0 with two.
TEST(Gemm, TermsAreFused) {
  everywhere([&](const Device& device) {
    EXPECT_EQ(dot<float>(device, {-1, 1 + 0x1p-20f}, {1, 1 - 0x1p-20f}), -0x1p-40f);
    EXPECT_EQ(dot<double>(device, {-1, 1 + 0x1p-40}, {1, 1 - 0x1p-40}), -0x1p-80);
  });
}

// One nonzero term in each of four or seven chains.
template <class T>
T of_chains(const Device& device, const std::vector<T>& sums) {
  std::vector<T> x((sums.size() - 1) * kChain + 7, T(0)), ones(x.size(), T(1));
  for (std::size_t p = 0; p < sums.size(); ++p) x[p * kChain + (p * 31) % 7] = sums[p];
  return dot(device, x, ones);
}

template <class T>
void chains_by_a_tree(const Device& device) {
  const T l = kLarge<T>;
  // A chain starts anew: l and -l in two chains, 1 in the second would be lost when s were carried on.
  EXPECT_EQ(of_chains<T>(device, {l, -l, 1}), T(1));
  // (l + 1) + (-l + 1) = l - (l - 1)' : 1 is lost in the first pair only. From the first to the last: (l + 1) - l + 1 = 1.
  EXPECT_EQ(of_chains<T>(device, {l, 1, -l, 0}), T(0));
  // Neighbours first: (l - l) + (1 + 1). By halves, 0 with 2 and 1 with 3: (l + 1) + (-l + 1): not 2.
  EXPECT_EQ(of_chains<T>(device, {l, -l, 1, 1}), T(2));
  // 1 + l loses the 1 from the first to the last; in pairs 1 + 0 and l - l: 1.
  EXPECT_EQ(of_chains<T>(device, {1, 0, l, -l}), T(1));
  // Seven: ((0+1)+(2+3)) + ((4+5)+6). 1 in 4, l in 5, -l in 6: (1 + l) - l = 0. 1 in 0 and l, -l in 4, 5: kept.
  EXPECT_EQ(of_chains<T>(device, {0, 0, 0, 0, 1, l, -l}), T(0));
  EXPECT_EQ(of_chains<T>(device, {1, 0, 0, 0, l, -l, 0}), T(1));
  // Five: ((0+1)+(2+3)) + 4: l in 3 takes the 1 of 0 with it before -l comes.
  EXPECT_EQ(of_chains<T>(device, {1, 0, 0, l, -l}), T(0));
}

TEST(Gemm, ChainsAreCombinedByATree) {
  everywhere([&](const Device& device) {
    chains_by_a_tree<float>(device);
    chains_by_a_tree<double>(device);
  });
}

// The contract once more, written as a recursion: chains of 256, split at the largest power of two below their number.
template <class T>
T chain_sum(const std::vector<T>& a, const std::vector<T>& b, std::uint64_t first, std::uint64_t chains) {
  if (chains > 1) {
    std::uint64_t half = 1;
    while (2 * half < chains) half *= 2;
    return chain_sum(a, b, first, half) + chain_sum(a, b, first + half, chains - half);
  }
  T s = 0;
  for (std::uint64_t t = first * kChain; t < (first + 1) * kChain && t < a.size(); ++t) s = std::fma(a[t], b[t], s);
  return s;
}

template <class T>
void match_recursion(std::uint64_t k) {
  const std::vector<T> a = draw_array<T>(k, Values::uniform, k), b = draw_array<T>(k + 1, Values::uniform, k);
  const T want = chain_sum(a, b, 0, k == 0 ? 1 : (k + kChain - 1) / kChain);
  everywhere([&](const Device& device) { EXPECT_EQ(dot(device, a, b), want) << "k " << k; });
}

TEST(Gemm, MatchesARecursionOfItsOwn) {
  for (std::uint64_t chains = 1; chains <= 17; ++chains) {
    match_recursion<float>(chains * kChain);
    match_recursion<float>(chains * kChain - 255);
    match_recursion<double>(chains * kChain - 100);
  }
  match_recursion<float>(100 * kChain + 1);
}

// -2^-149 * 2^-10 rounds to -0; a further step with zeros would make it +0, and NaN of an infinity.
TEST(Gemm, TermsAreNeverPadded) {
  everywhere([&](const Device& device) {
    for (std::uint64_t n : {1u, 3u, 40u}) {
      const HostMatrix<float> a = column_of(std::vector<float>(9, -0x1p-149f)),
                              b = row_of(std::vector<float>(n, 0x1p-10f));
      for (float x : product(device, a, b, Layout::c_order).storage) EXPECT_TRUE(x == 0.0f && std::signbit(x));
      const HostMatrix<float> c = column_of(std::vector<float>(9, -HUGE_VALF));
      for (float x : product(device, c, b, Layout::c_order).storage) EXPECT_EQ(x, -HUGE_VALF);
    }
  });
}

template <class T>
std::vector<std::uint64_t> bits_of(const std::vector<T>& x) {
  std::vector<std::uint64_t> bits(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (sizeof(T) == 4) {
      std::uint32_t u;
      std::memcpy(&u, &x[i], 4);
      bits[i] = u;
    } else {
      std::memcpy(&bits[i], &x[i], 8);
    }
  }
  return bits;
}

TEST(Gemm, NanIsCanonical) {
  everywhere([&](const Device& device) {
    const float nan32 = -std::numeric_limits<float>::quiet_NaN();
    const double nan64 = -std::numeric_limits<double>::quiet_NaN();
    for (std::uint64_t k : {1u, 300u}) {
      std::vector<float> x(k, 1.0f);
      std::vector<double> y(k, 1.0);
      x[k / 2] = nan32;
      y[k / 2] = nan64;
      EXPECT_EQ(bits_of<float>({dot(device, x, std::vector<float>(k, 2.0f))})[0], 0x7fc00000u);
      EXPECT_EQ(bits_of<double>({dot(device, y, std::vector<double>(k, 2.0))})[0], 0x7ff8000000000000u);
    }
    EXPECT_EQ(bits_of<float>({dot<float>(device, {HUGE_VALF}, {0.0f})})[0], 0x7fc00000u);
    EXPECT_EQ(bits_of<float>({dot<float>(device, {HUGE_VALF, -HUGE_VALF}, {1.0f, 1.0f})})[0], 0x7fc00000u);
  });
}

TEST(Gemm, NothingToAddGivesPlusZero) {
  everywhere([&](const Device& device) {
    const HostMatrix<float> a = empty_matrix<float>(3, 0, Layout::c_order),
                            b = empty_matrix<float>(0, 5, Layout::c_order);
    EXPECT_EQ(bits_of(product(device, a, b, Layout::c_order).storage), std::vector<std::uint64_t>(15, 0));
    const HostMatrix<double> none = empty_matrix<double>(0, 4, Layout::c_order),
                             wide = draw_one<double>(1, 4, 5, Layout::c_order, Values::uniform);
    product(device, none, wide, Layout::c_order);
  });
}

// What a row of C is depends neither on the other rows nor on their number (C10); the same for columns.
TEST(Gemm, RowAloneEqualsRowInBatch) {
  const HostMatrix<float> a = draw_one<float>(1, 100, 530, Layout::c_order, Values::uniform),
                          b = draw_one<float>(2, 530, 70, Layout::c_order, Values::uniform);
  everywhere([&](const Device& device) {
    const HostMatrix<float> all = product(device, a, b, Layout::c_order);
    for (std::uint64_t row : {0u, 5u, 12u, 50u, 99u}) {
      for (std::uint64_t count : {1u, 2u, 7u}) {
        if (row + count > 100) continue;
        HostMatrix<float> part = a;  // a view of a few rows
        part.n_rows = count;
        part.origin = static_cast<std::int64_t>(row) * part.row_stride;
        const HostMatrix<float> some = product(device, part, b, Layout::c_order);
        for (std::uint64_t i = 0; i < count * 70; ++i) ASSERT_EQ(some.storage[i], all.storage[row * 70 + i]);
      }
    }
    for (std::uint32_t column : {0u, 31u, 69u}) {
      HostMatrix<float> part = b;
      part.n_features = 1;
      part.origin = column;
      const HostMatrix<float> one = product(device, a, part, Layout::c_order);
      for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(one.storage[i], all.storage[i * 70 + column]);
    }
  });
}

// A against the sums of its own: integers below 2^24 / k are exact in any order.
TEST(Gemm, ExactProductsAreExact) {
  const HostMatrix<float> a = draw_one<float>(3, 20, 900, Layout::c_order, Values::small_ints),
                          b = draw_one<float>(4, 900, 35, Layout::f_order, Values::small_ints);
  std::vector<float> want;
  for (std::uint64_t i = 0; i < 20; ++i) {
    for (std::uint32_t j = 0; j < 35; ++j) {
      double sum = 0;
      for (std::uint32_t t = 0; t < 900; ++t) sum += static_cast<double>(a.at(i, t)) * static_cast<double>(b.at(t, j));
      want.push_back(static_cast<float>(sum));
    }
  }
  everywhere([&](const Device& device) { EXPECT_EQ(product(device, a, b, Layout::c_order).storage, want); });
}

TEST(Gemm, RefusesAnUnknownType) {
  everywhere([&](const Device& device) {
    const DeviceArray<float> x(device, std::vector<float>(4, 1.0f)), y(device, 4);
    for (std::int32_t dtype : {-1, 2}) {
      const sb_gemm_args args{dtype, 2, 2, 2, x.data(), 2, 1, x.data(), 2, 1, y.data(), 2, 1};
      const std::string text =
          error_of(ErrorCode::invalid_argument, [&] { call(device, "gemm", &sb_primitives::gemm, args); });
      EXPECT_NE(text.find("dtype"), std::string::npos);
    }
  });
}

}  // namespace
}  // namespace samebits::test
