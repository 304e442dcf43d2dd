// A data set during the fit: binned features, target and weight as f32, the running scores.
#pragma once

#include "estimators/boosting/device_data.hpp"

namespace samebits::boosting {

// What turns the user's target into the f32 one: target = (y - offset) * 2^-exponent.
struct TargetScale {
  double offset = 0.0;
  std::int32_t exponent = 0;
};

class ScoredData {
 public:
  // Centres with `scale`; when `fit_scale` is set, first chooses scale->exponent from the data.
  ScoredData(const Device& device, const BinMapper& mapper, const sb_matrix& x, const Dataset& d, Loss loss,
             TargetScale* scale, bool fit_scale, float init_score);

  const BinnedData& bins() const { return bins_; }
  float* score() const { return score_.data(); }
  const Buffer<float>& scores() const { return score_; }
  const Buffer<float>& targets() const { return target_; }
  const float* target() const { return target_.data(); }
  const float* weight() const { return weight_.data(); }
  std::uint64_t n_rows() const { return n_; }

  // Weighted mean loss in the user's units (mean squared error, mean log-loss).
  double mean_loss(Loss loss, const TargetScale& scale) const;

 private:
  Device device_;
  std::uint64_t n_;
  BinnedData bins_;
  Buffer<float> score_, target_, weight_;
  double weight_sum_ = 0.0;
};

// sum(w y) / sum(w) by contract reduce_sum/1.
double weighted_mean(const Device& device, const Dataset& d);

}  // namespace samebits::boosting
