// elementary_map/1: every backend's text of a function gives the reference bits, NaN canonical (C2, C3).
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
Outputs map(const Device& device, std::int32_t function, std::int32_t dtype, const std::vector<T>& x) {
  DeviceArray<T> in(device, x), out(device, x.size());
  sb_elementary_map_args args{function, dtype, in.data(), out.data(), x.size()};
  call(device, "elementary_map", &sb_primitives::elementary_map, args);
  Outputs o;
  o.add("y", out.read());
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

TEST(ElementaryMap, SameBitsOfShortArrays) {
  for (std::uint64_t n : {0u, 1u, 2u, 7u, 8u, 15u, 16u, 17u, 63u, 64u, 65u, 1000u}) {
    const std::vector<float> x = draw_array<float>(n, Values::uniform, n);
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      expect_same_everywhere([&](const Device& device) { return map(device, f, SB_DTYPE_F32, x); });
    }
  }
}

// What a value is must not depend on its place in the array (vector body or tail).
TEST(ElementaryMap, EveryElementIsIndependentOfItsPlace) {
  everywhere([&](const Device& device) {
    for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
      const std::vector<float> x(77, 0.7310586f);
      DeviceArray<float> in(device, x), out(device, x.size());
      sb_elementary_map_args args{f, SB_DTYPE_F32, in.data(), out.data(), x.size()};
      call(device, "elementary_map", &sb_primitives::elementary_map, args);
      const std::vector<float> y = out.read();
      for (float value : y) EXPECT_EQ(value, y[0]) << f;
    }
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
