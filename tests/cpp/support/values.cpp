#include "support/values.hpp"

#include <cstring>

namespace samebits::test {
namespace {

float from_bits(std::uint32_t u) {
  float x;
  std::memcpy(&x, &u, 4);
  return x;
}

double from_bits(std::uint64_t u) {
  double x;
  std::memcpy(&x, &u, 8);
  return x;
}

}  // namespace

float draw_f32(Random& random, Values kind) {
  const std::uint64_t w = random.word();
  const auto sign = static_cast<std::uint32_t>(w & 1) << 31;
  const auto mantissa = static_cast<std::uint32_t>(w >> 8) & 0x7fffffu;
  const auto byte = static_cast<std::uint32_t>(w >> 40);
  switch (kind) {
    case Values::uniform: return static_cast<float>(static_cast<std::int32_t>(w >> 40) - (1 << 23)) * 0x1p-23f;
    case Values::small_ints: return static_cast<float>(static_cast<int>(byte % 5) - 2) * (sign != 0 ? 1.0f : -1.0f);
    case Values::huge_range: return from_bits(sign | (1 + byte % 254) << 23 | mantissa);
    case Values::subnormal: return from_bits(sign | (byte % 8 == 0 ? 0u : mantissa));
    case Values::constant: return 0.1f;
    case Values::all_nan: return from_bits(sign | 0x7f800001u | mantissa);
    case Values::some_nan:
      return byte % 3 == 0 ? from_bits(sign | 0x7f800001u | mantissa)
                           : from_bits(sign | (127 + byte % 3) << 23 | mantissa);
    case Values::signed_zero: return from_bits(sign);
    case Values::adjacent: return from_bits(0x3f800000u - 20 + byte % 40);
    case Values::infinite:
      return byte % 10 == 0 ? from_bits(sign | 0x7f800000u) : from_bits(sign | 126u << 23 | mantissa);
  }
  return 0.0f;
}

double draw_f64(Random& random, Values kind) {
  const std::uint64_t w = random.word(), v = random.word();
  const std::uint64_t sign = (w & 1) << 63, mantissa = v & 0xfffffffffffffu, byte = w >> 40;
  switch (kind) {
    case Values::uniform:
      return static_cast<double>(static_cast<std::int64_t>(w >> 11) - (std::int64_t{1} << 52)) * 0x1p-52;
    case Values::small_ints: return static_cast<double>(static_cast<int>(byte % 5) - 2) * (sign != 0 ? 1.0 : -1.0);
    case Values::huge_range: return from_bits(sign | (23 + byte % 2000) << 52 | mantissa);
    case Values::subnormal: return from_bits(sign | (byte % 8 == 0 ? 0u : mantissa));
    case Values::constant: return 0.1;
    case Values::all_nan: return from_bits(sign | 0x7ff0000000000001u | mantissa);
    case Values::some_nan:
      return byte % 3 == 0 ? from_bits(sign | 0x7ff0000000000001u | mantissa)
                           : from_bits(sign | (1023 + byte % 3) << 52 | mantissa);
    case Values::signed_zero: return from_bits(sign);
    case Values::adjacent: return from_bits(0x3ff0000000000000u - 20 + byte % 40);
    case Values::infinite:
      return byte % 10 == 0 ? from_bits(sign | 0x7ff0000000000000u)
                            : from_bits(sign | std::uint64_t{1022} << 52 | mantissa);
  }
  return 0.0;
}

}  // namespace samebits::test
