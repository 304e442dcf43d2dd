// Known answers: small fits that a device must repeat bit for bit before it is used, where the machine code comes from a
// compiler that nobody here has seen (OpenCL drivers; PoCL 5.0 computes wrong bin codes from right text).
#include "runtime/loader.hpp"
#include "samebits/boosting.hpp"

#include <limits>

namespace samebits {
namespace {

// Values that are the same on every machine: multiplicative congruential words; every eleventh is missing.
template <class T>
std::vector<T> values(std::uint64_t n, T missing) {
  std::vector<T> x(n);
  std::uint64_t word = 88172645463325252u;
  for (std::uint64_t i = 0; i < n; ++i) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    x[i] =
        i % 11 == 7 ? missing : static_cast<T>(static_cast<std::int64_t>(word >> 40) - (std::int64_t{1} << 23)) / T(97);
  }
  return x;
}

struct Case {
  boosting::DType dtype;
  std::uint64_t n_rows;
  std::uint32_t n_features;
  boosting::Loss loss;
  boosting::GrowPolicy policy;
};
constexpr Case kCases[] = {
    {boosting::DType::f32, 700, 9, boosting::Loss::log_loss, boosting::GrowPolicy::lossguide},
    {boosting::DType::f64, 300, 37, boosting::Loss::squared_error, boosting::GrowPolicy::depthwise},
    {boosting::DType::f32, 500, 3, boosting::Loss::squared_error, boosting::GrowPolicy::symmetric},
};

struct Run {
  Trace trace;
  std::vector<double> raw;
};

Run run(const Device& device, const Case& c) {
  const std::uint64_t n = c.n_rows * c.n_features;
  const std::vector<float> f32 = values<float>(n, std::numeric_limits<float>::quiet_NaN());
  const std::vector<double> f64 = values<double>(n, std::numeric_limits<double>::quiet_NaN());
  const void* data = c.dtype == boosting::DType::f32 ? static_cast<const void*>(f32.data()) : f64.data();
  std::vector<double> target(c.n_rows);
  for (std::uint64_t i = 0; i < c.n_rows; ++i) {
    const bool high = f64[i * c.n_features] > 1000.0;
    target[i] = c.loss == boosting::Loss::log_loss ? (high != (i % 5 == 0) ? 1.0 : 0.0)
                : f64[i * c.n_features + 1] > 0.0  ? 3.25 * (i % 7)
                                                   : -1.5;
  }
  boosting::Params params;
  params.loss = c.loss;
  params.grow_policy = c.policy;
  params.n_estimators = 3;
  params.max_depth = 4;
  params.subsample = 0.8;
  params.colsample_bytree = 0.9;
  params.min_samples_leaf = 5;
  params.record_train_loss = true;
  const boosting::Matrix x{data, c.dtype, c.n_rows, c.n_features, c.n_features, 1};
  Run result;
  boosting::Hooks hooks;
  hooks.trace = &result.trace;
  const boosting::FitResult fitted = boosting::fit(device, {x, target.data(), nullptr}, {}, params, hooks);
  result.raw.resize(c.n_rows);
  boosting::predict_raw(device, fitted.model, x, fitted.model.n_trees, result.raw.data());
  result.trace.record("raw_prediction", "f64", {c.n_rows}, result.raw.data());
  return result;
}

}  // namespace

std::string wrong_answer(const Device& device) {
  const Device reference = Device::open("reference");
  for (const Case& c : kCases) {
    const Run want = run(reference, c), got = run(device, c);
    const auto &a = want.trace.stages(), &b = got.trace.stages();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i >= b.size() || a[i].sha256 != b[i].sha256) return a[i].tag;
    }
  }
  return "";
}

}  // namespace samebits
