// elementary_map/1: every backend's text of a function gives the reference bits, NaN canonical (C2, C3).
#include "numerics/numerics_hash.h"
#include "support/same_bits.hpp"
#include "support/values.hpp"

namespace samebits::test {
namespace {

constexpr std::uint64_t kRandomValues = 60000;

template <class T, class Bits>
std::vector<T> inputs() {
  std::vector<T> x;
  Random random(11);
  for (std::uint64_t i = 0; i < kRandomValues; ++i) {
    Bits bits = static_cast<Bits>(random.word());
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    x.push_back(value);
    x.push_back(static_cast<T>(random.between(-100, 100)));
    x.push_back(static_cast<T>(random.between(-1, 1)));
  }
  for (Values kind : kFiniteOrNan) {
    for (T value : draw_array<T>(5, kind, 100)) x.push_back(value);
  }
  for (T value : draw_array<T>(6, Values::infinite, 100)) x.push_back(value);
  return x;
}

template <class T>
std::vector<T> map_values(const Device& device, std::int32_t function, std::int32_t dtype, const std::vector<T>& x) {
  DeviceArray<T> in(device, x), out(device, x.size());
  sb_elementary_map_args args{function, dtype, in.data(), out.data(), x.size()};
  call(device, "elementary_map", &sb_primitives::elementary_map, args);
  return out.read();
}

template <class T>
Outputs map(const Device& device, std::int32_t function, std::int32_t dtype, const std::vector<T>& x) {
  Outputs o;
  o.add("y", map_values(device, function, dtype, x));
  return o;
}

TEST(ElementaryMap, SameBitsF32) {
  const std::vector<float> x = inputs<float, std::uint32_t>();
  for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
    SCOPED_TRACE(f);
    expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F32, x); });
  }
}

TEST(ElementaryMap, SameBitsF64) {
  const std::vector<double> x = inputs<double, std::uint64_t>();
  for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
    SCOPED_TRACE(f);
    expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F64, x); });
  }
}

// Hashes of all functions over fixed inputs (numerics_hash.h): what a text changed everywhere alike would hide. The whole
// sets, and the errors, are in tests/cpp/numerics and tests/exhaustive.
struct Pinned {
  const char* name;
  std::uint64_t f32, f64;
};
constexpr Pinned kPinned[] = {
    {"exp", 0xd99e6bbf8bb877e1u, 0xe49ac10f5a0556e2u},      {"exp2", 0x56f90a59fd650071u, 0xbb6751d604b08178u},
    {"log", 0x431e69c3b2438da1u, 0xd11f68843ba5e2b6u},      {"log2", 0xedfad5f63a5eb4ddu, 0x4670d34dff5fc2ffu},
    {"log1p", 0x0a7a41c404d72570u, 0x0b4d9840636e1780u},    {"expm1", 0xb124a1ee8e24cb42u, 0x02beb9d4fb755d7bu},
    {"tanh", 0x6a22321ad23c3222u, 0xa5a867ba16db2e15u},     {"logistic", 0x5743eeeef65f0612u, 0xb5811ade6c431704u},
    {"log1pexp", 0x3fb0ad5ecfa6fe1fu, 0x09b02850b6d8dc05u},
};
constexpr std::uint32_t kPinnedF32 = 1u << 16, kPinnedF64 = 1u << 14;

template <class T, class Bits>
std::uint64_t hash_of(const std::vector<T>& x, const std::vector<T>& y) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Bits in, out;
    std::memcpy(&in, &x[i], sizeof(T));
    std::memcpy(&out, &y[i], sizeof(T));
    hash += sb_test_hash(in, out);
  }
  return hash;
}

TEST(ElementaryMap, PinnedOutputsF32) {
  std::vector<float> x;
  for (std::uint32_t i = 0; i < kPinnedF32; ++i) x.push_back(sb_test_stratified(255 * i));
  everywhere([&](const Device& device) {
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      EXPECT_EQ((hash_of<float, std::uint32_t>(x, map_values(device, f, SB_DTYPE_F32, x))), kPinned[f].f32)
          << kPinned[f].name;
    }
  });
}

TEST(ElementaryMap, PinnedOutputsF64) {
  std::vector<double> x;
  for (std::uint32_t i = 0; i < kPinnedF64; ++i) x.push_back(sb_test_random_f64(i));
  everywhere([&](const Device& device) {
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      EXPECT_EQ((hash_of<double, std::uint64_t>(x, map_values(device, f, SB_DTYPE_F64, x))), kPinned[f].f64)
          << kPinned[f].name;
    }
  });
}

TEST(ElementaryMap, SameBitsOfShortArrays) {
  for (std::uint64_t n : {0u, 1u, 2u, 7u, 8u, 15u, 16u, 17u, 63u, 64u, 65u, 1000u}) {
    const std::vector<float> x = draw_array<float>(n, Values::uniform, n);
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F32, x); });
    }
  }
}

TEST(ElementaryMap, SameBitsOfShortArraysF64) {
  for (std::uint64_t n : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 33u, 1000u}) {
    const std::vector<double> x = draw_array<double>(n, Values::uniform, n);
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F64, x); });
    }
  }
}

TEST(ElementaryMap, SameBitsUnaligned) {
  for (std::uint64_t shift : {1u, 3u}) {
    const Unaligned shifted(shift);
    const std::vector<float> x = draw_array<float>(7, Values::uniform, 1001);
    const std::vector<double> y = draw_array<double>(8, Values::uniform, 1001);
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F32, x); });
      expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F64, y); });
    }
  }
}

// What a value is must not depend on its place in the array (vector body or tail).
template <class T>
void independent_of_place(const Device& device, std::int32_t dtype) {
  for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
    const T alone = map_values(device, f, dtype, std::vector<T>(1, static_cast<T>(0.7310586)))[0];
    for (T value : map_values(device, f, dtype, std::vector<T>(77, static_cast<T>(0.7310586))))
      EXPECT_EQ(value, alone) << f;
  }
}

TEST(ElementaryMap, EveryElementIsIndependentOfItsPlace) {
  everywhere([&](const Device& device) {
    independent_of_place<float>(device, SB_DTYPE_F32);
    independent_of_place<double>(device, SB_DTYPE_F64);
  });
}

TEST(ElementaryMap, RefusesAnUnknownFunction) {
  everywhere([&](const Device& device) {
    DeviceArray<float> x(device, std::vector<float>(4, 1.0f)), y(device, 4);
    for (std::int32_t f : {-1, static_cast<std::int32_t>(SB_ELEMENTARY_COUNT)}) {
      sb_elementary_map_args args{f, SB_DTYPE_F32, x.data(), y.data(), 4};
      error_of(ErrorCode::invalid_argument,
               [&] { call(device, "elementary_map", &sb_primitives::elementary_map, args); });
    }
  });
}

}  // namespace
}  // namespace samebits::test
