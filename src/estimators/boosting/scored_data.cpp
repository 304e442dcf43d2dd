#include "estimators/boosting/scored_data.hpp"

#include "numerics/arith/arith.h"
#include "numerics/ops/loss.h"
#include "primitives/dispatch/call.hpp"

namespace samebits::boosting {
namespace {

// A host f64 array on the device.
class DeviceArray {
 public:
  DeviceArray(const Device& device, const double* host, std::uint64_t n) : pointer_(host) {
    if (device.backend().host_memory != 0 || host == nullptr) return;
    copy_ = Buffer<double>(device, n);
    copy_.upload(host, n);
    pointer_ = copy_.data();
  }
  const double* data() const { return pointer_; }

 private:
  Buffer<double> copy_;
  const double* pointer_;
};

double sum(const Device& device, const double* x, const double* y, std::uint64_t n) {
  double out = 0.0;
  sb_reduce_sum_args args{x, y, n, &out};
  call(device, "reduce_sum", &sb_primitives::reduce_sum, args);
  return out;
}

// out = (x - offset) * 2^-exponent; fit_exponent: choose the exponent first.
void to_f32(const Device& device, const double* x, std::uint64_t n, double offset, bool fit_exponent,
            std::int32_t* exponent, float* out) {
  sb_center_to_f32_args args{x, n, offset, fit_exponent ? 1 : 0, out, exponent};
  call(device, "center_to_f32", &sb_primitives::center_to_f32, args);
}

}  // namespace

double weighted_mean(const Device& device, const Dataset& d) {
  const std::uint64_t n = d.x.n_rows;
  DeviceArray y(device, d.target, n), w(device, d.weight, n);
  double total = d.weight == nullptr ? static_cast<double>(n) : sum(device, w.data(), nullptr, n);
  return sum(device, y.data(), w.data(), n) / total;
}

ScoredData::ScoredData(const Device& device, const BinMapper& mapper, const sb_matrix& x, const Dataset& d, Loss loss,
                       TargetScale* scale, bool fit_scale, float init_score)
    : device_(device), n_(d.x.n_rows), bins_(device, mapper, x), score_(device, n_), target_(device, n_) {
  DeviceArray y(device, d.target, n_), w(device, d.weight, n_);
  const bool centred = loss == Loss::squared_error;
  to_f32(device, y.data(), n_, centred ? scale->offset : 0.0, centred && fit_scale, &scale->exponent, target_.data());
  weight_sum_ = static_cast<double>(n_);
  if (d.weight != nullptr) {
    weight_ = Buffer<float>(device, n_);
    std::int32_t none = 0;
    to_f32(device, w.data(), n_, 0.0, false, &none, weight_.data());
    weight_sum_ = sum(device, w.data(), nullptr, n_);
  }
  sb_fill_f32_args fill{score_.data(), init_score, n_};
  call(device, "fill_f32", &sb_primitives::fill_f32, fill);
}

double ScoredData::mean_loss(Loss loss, const TargetScale& scale) const {
  std::int64_t total = 0;
  std::int32_t exponent = 0;
  sb_loss_sum_args args{
      static_cast<std::int32_t>(loss), score_.data(), target_.data(), weight_.data(), n_, &total, &exponent};
  call(device_, "loss_sum", &sb_primitives::loss_sum, args);
  double mean = static_cast<double>(total) / weight_sum_;
  if (loss == Loss::log_loss) return sb_scale2_f64(mean, -exponent);
  // The summed value is half the squared error in scaled units.
  return sb_scale2_f64(mean, -exponent + 1 + 2 * scale.exponent);
}

}  // namespace samebits::boosting
