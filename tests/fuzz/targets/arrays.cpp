// reduce_sum, elementary_map, center_to_f32, fill_f32, iota_u32.
#include "fuzz/targets/targets.hpp"

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::Outputs;

std::vector<double> doubles(std::uint64_t seed, const Parameters& p) {
  return draw_values<double>(seed, p.at("values"), p.at("precision"), p.at("skip"), p.at("rows"));
}

Outputs reduce_sum(const Device& device, std::uint64_t seed, const Parameters& p) {
  const std::vector<double> x = doubles(seed, p), y = doubles(seed + 1, p);
  const DeviceArray<double> dx(device, x), dy(device, y);
  double sum = -1.5;
  call_primitive(p, device, "reduce_sum", &sb_primitives::reduce_sum,
                 sb_reduce_sum_args{dx.data(), p.at("product") != 0 ? dy.data() : nullptr, x.size(), &sum});
  Outputs o;
  o.add_one("sum", sum);
  return o;
}

template <class T>
Outputs map(const Device& device, std::uint64_t seed, const Parameters& p) {
  std::vector<T> x = draw_values<T>(seed, p.at("values"), p.at("precision"), p.at("skip"), p.at("rows"));
  const T scale = static_cast<T>(p.at("scale"));
  for (T& v : x) v = v * scale;
  const DeviceArray<T> in(device, x), out(device, x.size());
  call_primitive(p, device, "elementary_map", &sb_primitives::elementary_map,
                 sb_elementary_map_args{static_cast<std::int32_t>(p.at("function")),
                                        sizeof(T) == 4 ? SB_DTYPE_F32 : SB_DTYPE_F64, in.data(), out.data(), x.size()});
  Outputs o;
  o.add("y", out.read());
  return o;
}

Outputs elementary_map(const Device& device, std::uint64_t seed, const Parameters& p) {
  return p.at("f64") != 0 ? map<double>(device, seed, p) : map<float>(device, seed, p);
}

Outputs center_to_f32(const Device& device, std::uint64_t seed, const Parameters& p) {
  const DeviceArray<double> in(device, doubles(seed, p));
  const DeviceArray<float> out(device, whole(p, "rows"));
  auto exponent = static_cast<std::int32_t>(p.at("exponent"));
  call_primitive(p, device, "center_to_f32", &sb_primitives::center_to_f32,
                 sb_center_to_f32_args{in.data(), whole(p, "rows"), 0.1 * static_cast<double>(p.at("offset")),
                                       static_cast<std::int32_t>(p.at("normalise")), out.data(), &exponent});
  Outputs o;
  o.add("out", out.read());
  o.add_one("exponent", exponent);
  return o;
}

Outputs fill_f32(const Device& device, std::uint64_t seed, const Parameters& p) {
  const DeviceArray<float> out(device, whole(p, "rows"));
  const float value = draw_values<float>(seed, p.at("values"), p.at("precision"), 0, 1)[0];
  call_primitive(p, device, "fill_f32", &sb_primitives::fill_f32,
                 sb_fill_f32_args{out.data(), value, whole(p, "rows")});
  Outputs o;
  o.add("out", out.read());
  return o;
}

Outputs iota_u32(const Device& device, std::uint64_t, const Parameters& p) {
  const DeviceArray<std::uint32_t> out(device, whole(p, "rows"));
  call_primitive(p, device, "iota_u32", &sb_primitives::iota_u32, sb_iota_u32_args{out.data(), whole(p, "rows")});
  Outputs o;
  o.add("out", out.read());
  return o;
}

}  // namespace

std::vector<Target> array_targets() {
  return {
      {"reduce_sum", {rows(100000), skip(), values(), precision(), flag("product")}, reduce_sum},
      {"elementary_map",
       {rows(20000),
        skip(),
        values(),
        precision(),
        f64(),
        {"function", Spec::choice, 0, SB_ELEMENTARY_COUNT - 1},
        {"scale", Spec::choice, 1, 100}},
       elementary_map},
      {"center_to_f32",
       {rows(20000),
        skip(),
        values(),
        precision(),
        flag("normalise"),
        {"offset", Spec::choice, 0, 9},
        {"exponent", Spec::size, 0, 1100}},
       center_to_f32},
      {"fill_f32", {rows(20000), values(), precision()}, fill_f32},
      {"iota_u32", {rows(20000)}, iota_u32},
  };
}

}  // namespace samebits::fuzz
