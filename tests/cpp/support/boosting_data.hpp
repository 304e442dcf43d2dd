// Data sets and runs of gradient boosting.
#pragma once

#include "samebits/boosting.hpp"
#include "support/matrix.hpp"
#include "support/same_bits.hpp"

#include <string>
#include <vector>

namespace samebits::test {

struct Data {
  HostMatrix<float> x;
  std::vector<double> target;
  std::vector<double> weight;  // empty: none

  boosting::Dataset view() const;
};

// Columns of finite values and NaN of every kind; a target that depends on some of them. log_loss: 0 or 1.
Data draw_data(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_features, boosting::Loss loss, bool weighted,
               Layout layout = Layout::c_order);

boosting::Matrix view_of(const HostMatrix<float>& x);
boosting::Matrix view_of(const HostMatrix<double>& x);

struct FitRun {
  Trace trace;
  boosting::FitResult result;
};
FitRun fit_on(const Device& device, const Data& train, const std::vector<const Data*>& evals,
              const boosting::Params& params);

// Everything a fit produced: model arrays, losses, iteration counts.
Outputs outputs_of(const boosting::FitResult& result);

// Every stage and everything the fit produced, to the running test's digest.
void add_to_digest(const FitRun& run);

// Stage by stage, by name: the first stage that differs is where a backend left the path.
void expect_same_run(const FitRun& want, const FitRun& got);

}  // namespace samebits::test
