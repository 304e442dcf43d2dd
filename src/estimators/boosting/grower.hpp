// Growing one tree on binned data: histograms, splits, row partition. The growth policies differ only in which open
// nodes are split next.
#pragma once

#include "estimators/boosting/device_data.hpp"
#include "samebits/boosting.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace samebits::boosting {

// Fixed-point gradients of one tree (contract gradients/1).
struct Gradients {
  const std::int32_t* gh = nullptr;
  std::int32_t exponent_g = 0;
  std::int32_t exponent_h = 0;
};

struct GrownNode {
  std::uint64_t begin = 0, end = 0;  // its rows in the row list
  sb_node_sums sums{};
  std::uint32_t depth = 0;
  std::uint32_t left = 0;  // right = left + 1; 0: leaf
  sb_split split{};        // the best split found; feature < 0: none
  std::int32_t slot = -1;  // of its histogram, -1: none kept
  float value = 0.0f;      // of a leaf
};

class Grower {
 public:
  Grower(const Device& device, const BinMapper& mapper, const BinnedData& data, const Params& params,
         const Hooks& hooks);

  // Rows: all of them (n_rows == data rows, in order) or a subset that row_list() was filled with.
  std::vector<GrownNode> grow(const Gradients& gradients, std::uint64_t n_rows, bool all_rows,
                              const std::vector<std::uint32_t>& features);

  std::uint32_t* row_list() const { return rows_.data(); }
  // Histograms of the last tree in the order they were made ([gradient, hessian, count] x cells); only when tracing.
  const std::vector<std::int64_t>& traced_histograms() const { return traced_; }

 private:
  using Batch = std::vector<std::uint32_t>;

  void start_root(std::uint64_t n_rows, bool all_rows);
  void grow_lossguide();
  void grow_depthwise();
  void grow_symmetric();
  void expand(const Batch& batch, bool children_may_split);
  void expand_some(const std::uint32_t* first, std::size_t n, bool children_may_split);
  void partition(const std::uint32_t* first, std::size_t n);
  void build_children(const std::uint32_t* first, std::size_t n, bool children_may_split, Batch* searched);
  void build_histograms(const Batch& nodes, const std::uint32_t* rows);
  void find_splits(const Batch& nodes);
  bool may_split(const GrownNode& node) const;
  std::int32_t take_slot();
  void drop_slot(GrownNode& node);
  void make_room(std::size_t slots, const std::uint32_t* first, std::size_t n);
  void set_leaf_values();
  void trace_histogram(std::uint32_t slot);
  void check_interrupt() const;
  std::uint32_t leaf_limit() const;
  std::uint64_t slots_wanted(std::uint64_t n_rows) const;

  const Device& device_;
  const BinMapper& mapper_;
  const BinnedData& data_;
  const Params& params_;
  const Hooks& hooks_;
  sb_histogram_layout layout_;
  Buffer<std::uint32_t> rows_, scratch_;
  Buffer<std::int64_t> pool_gradient_, pool_hessian_;
  Buffer<std::uint32_t> pool_count_;
  sb_histogram_pool pool_{};
  std::vector<std::int32_t> free_slots_;
  std::uint64_t n_slots_ = 0;

  Gradients gradients_;
  sb_split_parameters split_parameters_{};
  std::vector<std::uint32_t> features_;
  std::vector<GrownNode> nodes_;
  std::vector<std::int64_t> traced_;
};

}  // namespace samebits::boosting
