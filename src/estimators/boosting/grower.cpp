#include "estimators/boosting/grower.hpp"

#include "estimators/boosting/hooks.hpp"

#include "numerics/ops/split.h"
#include "primitives/dispatch/call.hpp"

#include <algorithm>
#include <string>

namespace samebits::boosting {
namespace {

// Memory that open nodes' histograms may take; beyond it a node's histogram is dropped and both its children are built
// from their rows. The sums are exact either way, so this moves no bit (C9, C11).
constexpr std::uint64_t kPoolBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kCellBytes = 20;

constexpr std::uint32_t kNoLimit = 0xffffffffu;

}  // namespace

Grower::Grower(const Device& device, const BinMapper& mapper, const BinnedData& data, const Params& params,
               const Hooks& hooks)
    : device_(device), mapper_(mapper), data_(data), params_(params), hooks_(hooks), layout_(mapper.layout()) {
  const std::uint64_t n = data.view().n_rows;
  rows_ = Buffer<std::uint32_t>(device, n);
  scratch_ = Buffer<std::uint32_t>(device, n);
  std::uint64_t wanted = slots_wanted(n);
  std::uint64_t fit = std::max<std::uint64_t>(kPoolBytes / (layout_.n_cells * kCellBytes), 8);
  n_slots_ = params.grow_policy == GrowPolicy::symmetric ? wanted : std::min(wanted, fit);
  pool_gradient_ = Buffer<std::int64_t>(device, n_slots_ * layout_.n_cells);
  pool_hessian_ = Buffer<std::int64_t>(device, n_slots_ * layout_.n_cells);
  pool_count_ = Buffer<std::uint32_t>(device, n_slots_ * layout_.n_cells);
  pool_ = {pool_gradient_.data(), pool_hessian_.data(), pool_count_.data()};
}

std::uint32_t Grower::leaf_limit() const { return params_.max_leaf_nodes == 0 ? kNoLimit : params_.max_leaf_nodes; }

// Slots with which no histogram ever has to be dropped: one per leaf of the largest tree. A symmetric level may have more
// nodes than there are rows (some are empty); its depth is limited instead.
std::uint64_t Grower::slots_wanted(std::uint64_t n_rows) const {
  std::uint64_t leaves = leaf_limit();
  if (params_.grow_policy != GrowPolicy::symmetric) leaves = std::min(leaves, n_rows / params_.min_samples_leaf + 1);
  if (params_.max_depth > 0 && params_.max_depth < 40) leaves = std::min(leaves, std::uint64_t{1} << params_.max_depth);
  return leaves + 1;
}

std::vector<GrownNode> Grower::grow(const Gradients& gradients, std::uint64_t n_rows, bool all_rows,
                                    const std::vector<std::uint32_t>& features) {
  gradients_ = gradients;
  features_ = features;
  split_parameters_ = {gradients.exponent_h,
                       sb_normalised_hessian(static_cast<float>(params_.l2_regularization), gradients.exponent_h),
                       sb_normalised_hessian(static_cast<float>(params_.min_child_weight), gradients.exponent_h),
                       params_.min_samples_leaf};
  nodes_.clear();
  traced_.clear();
  free_slots_.clear();
  for (std::uint64_t s = n_slots_; s > 0; --s) free_slots_.push_back(static_cast<std::int32_t>(s - 1));
  start_root(n_rows, all_rows);
  switch (params_.grow_policy) {
    case GrowPolicy::lossguide: grow_lossguide(); break;
    case GrowPolicy::depthwise: grow_depthwise(); break;
    case GrowPolicy::symmetric: grow_symmetric(); break;
  }
  set_leaf_values();
  return nodes_;
}

void Grower::start_root(std::uint64_t n_rows, bool all_rows) {
  if (all_rows) {
    sb_iota_u32_args iota{rows_.data(), n_rows};
    call(device_, "iota_u32", &sb_primitives::iota_u32, iota);
  }
  GrownNode root;
  root.end = n_rows;
  root.slot = take_slot();
  nodes_.push_back(root);
  build_histograms({0}, all_rows ? nullptr : rows_.data());
  // The node's sums are those of all cells of any one feature.
  const std::uint32_t f = features_[0];
  const std::uint64_t begin = layout_.offset_host[f], n = layout_.offset_host[f + 1] - begin;
  const std::uint64_t at = static_cast<std::uint64_t>(nodes_[0].slot) * layout_.n_cells + begin;
  std::vector<std::int64_t> g(n), h(n);
  std::vector<std::uint32_t> c(n);
  pool_gradient_.download(g.data(), n, at);
  pool_hessian_.download(h.data(), n, at);
  pool_count_.download(c.data(), n, at);
  for (std::uint64_t i = 0; i < n; ++i) {
    nodes_[0].sums.gradient += g[i];
    nodes_[0].sums.hessian += h[i];
    nodes_[0].sums.count += c[i];
  }
  if (may_split(nodes_[0]) && leaf_limit() > 1) {
    find_splits({0});
  } else {
    nodes_[0].split.feature = -1;
  }
}

bool Grower::may_split(const GrownNode& node) const {
  bool deep = params_.max_depth > 0 && node.depth >= params_.max_depth;
  bool rows = node.sums.count >= 2 && node.sums.count / 2 >= params_.min_samples_leaf;
  return !deep && (rows || params_.grow_policy == GrowPolicy::symmetric);
}

// Best first: the open node of the largest gain, equal gains the one made first.
void Grower::grow_lossguide() {
  Batch open;
  auto add_open = [&](std::uint32_t k) {
    if (nodes_[k].split.feature >= 0) open.push_back(k);
  };
  add_open(0);
  for (std::uint32_t leaves = 1; leaves < leaf_limit() && !open.empty(); ++leaves) {
    auto best = std::max_element(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) {
      float ga = nodes_[a].split.gain, gb = nodes_[b].split.gain;
      return ga < gb || (ga == gb && a > b);
    });
    std::uint32_t k = *best;
    open.erase(best);
    expand({k}, leaves + 1 < leaf_limit());
    add_open(nodes_[k].left);
    add_open(nodes_[k].left + 1);
  }
}

// Level by level; when the leaf limit cuts a level, its nodes of the largest gains are split.
void Grower::grow_depthwise() {
  std::uint32_t leaves = 1;
  for (Batch level{0}; !level.empty() && leaves < leaf_limit();) {
    Batch chosen;
    for (std::uint32_t k : level) {
      if (nodes_[k].split.feature >= 0) chosen.push_back(k);
    }
    if (chosen.size() > leaf_limit() - leaves) {
      std::stable_sort(chosen.begin(), chosen.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].split.gain > nodes_[b].split.gain; });
      chosen.resize(leaf_limit() - leaves);
      std::sort(chosen.begin(), chosen.end());
    }
    leaves += static_cast<std::uint32_t>(chosen.size());
    if (chosen.empty()) break;
    expand(chosen, leaves < leaf_limit());
    level.clear();
    for (std::uint32_t k : chosen) {
      level.push_back(nodes_[k].left);
      level.push_back(nodes_[k].left + 1);
    }
  }
}

// One split for the whole level, as long as the next level fits the leaf limit.
void Grower::grow_symmetric() {
  Batch level{0};
  while (nodes_[level[0]].split.feature >= 0 && 2 * level.size() <= leaf_limit()) {
    expand(level, 4 * level.size() <= leaf_limit());
    Batch next;
    for (std::uint32_t k : level) {
      next.push_back(nodes_[k].left);
      next.push_back(nodes_[k].left + 1);
    }
    level = std::move(next);
  }
}

void Grower::expand(const Batch& batch, bool children_may_split) {
  // Every node needs at most two free slots; a symmetric level is searched as a whole and its slots always suffice.
  std::size_t step =
      params_.grow_policy == GrowPolicy::symmetric ? batch.size() : std::max<std::size_t>(n_slots_ / 4, 1);
  for (std::size_t i = 0; i < batch.size(); i += step) {
    check_interrupt();
    expand_some(batch.data() + i, std::min(step, batch.size() - i), children_may_split);
  }
}

void Grower::expand_some(const std::uint32_t* first, std::size_t n, bool children_may_split) {
  for (std::size_t i = 0; i < n; ++i) {
    GrownNode parent = nodes_[first[i]];
    GrownNode left, right;
    left.depth = right.depth = parent.depth + 1;
    left.sums = parent.split.left;
    right.sums = {parent.sums.gradient - left.sums.gradient, parent.sums.hessian - left.sums.hessian,
                  parent.sums.count - left.sums.count, 0};
    left.begin = parent.begin;
    left.end = right.begin = parent.begin + left.sums.count;
    right.end = parent.end;
    left.split.feature = right.split.feature = -1;
    nodes_[first[i]].left = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(left);
    nodes_.push_back(right);
  }
  partition(first, n);
  Batch searched;
  build_children(first, n, children_may_split, &searched);
  if (!searched.empty()) find_splits(searched);
}

void Grower::partition(const std::uint32_t* first, std::size_t n) {
  std::vector<std::uint64_t> begin(n), end(n), n_left(n);
  std::vector<std::uint32_t> feature(n), bin(n), default_left(n);
  for (std::size_t i = 0; i < n; ++i) {
    const GrownNode& node = nodes_[first[i]];
    begin[i] = node.begin;
    end[i] = node.end;
    n_left[i] = node.split.left.count;
    feature[i] = static_cast<std::uint32_t>(node.split.feature);
    bin[i] = node.split.bin;
    default_left[i] = node.split.default_left;
  }
  sb_partition_rows_args args{
      data_.view(),       layout_,    rows_.data(),  scratch_.data(), static_cast<std::uint32_t>(n),
      begin.data(),       end.data(), n_left.data(), feature.data(),  bin.data(),
      default_left.data()};
  call(device_, "partition_rows", &sb_primitives::partition_rows, args);
}

// Histograms of the children that may be split: the smaller child from its rows, the larger one as the difference.
void Grower::build_children(const std::uint32_t* first, std::size_t n, bool children_may_split, Batch* searched) {
  make_room(2 * n, first, n);
  Batch built, unneeded;
  std::vector<std::uint32_t> minuend, subtrahend;
  for (std::size_t i = 0; i < n; ++i) {
    GrownNode& parent = nodes_[first[i]];
    std::uint32_t l = parent.left, r = parent.left + 1;
    bool need_left = children_may_split && may_split(nodes_[l]),
         need_right = children_may_split && may_split(nodes_[r]);
    std::uint32_t small = nodes_[l].sums.count <= nodes_[r].sums.count ? l : r, large = small == l ? r : l;
    bool need_small = small == l ? need_left : need_right, need_large = small == l ? need_right : need_left;
    if (need_large && parent.slot >= 0) {
      nodes_[small].slot = take_slot();
      built.push_back(small);
      nodes_[large].slot = parent.slot;
      parent.slot = -1;
      minuend.push_back(static_cast<std::uint32_t>(nodes_[large].slot));
      subtrahend.push_back(static_cast<std::uint32_t>(nodes_[small].slot));
    } else {
      drop_slot(parent);
      for (std::uint32_t child : {small, large}) {
        if (child == small ? !need_small : !need_large) continue;
        nodes_[child].slot = take_slot();
        built.push_back(child);
      }
    }
    for (std::uint32_t child : {l, r}) {
      (child == l ? need_left : need_right) ? searched->push_back(child) : unneeded.push_back(child);
    }
  }
  if (!built.empty()) build_histograms(built, rows_.data());
  if (!minuend.empty()) {
    sb_histogram_subtract_args args{pool_,          layout_.n_cells,   static_cast<std::uint32_t>(minuend.size()),
                                    minuend.data(), subtrahend.data(), minuend.data()};
    call(device_, "histogram_subtract", &sb_primitives::histogram_subtract, args);
  }
  if (hooks_.trace != nullptr) {
    for (std::uint32_t k : *searched) trace_histogram(static_cast<std::uint32_t>(nodes_[k].slot));
  }
  for (std::uint32_t k : unneeded) drop_slot(nodes_[k]);
}

void Grower::build_histograms(const Batch& batch, const std::uint32_t* rows) {
  std::vector<std::uint64_t> begin(batch.size()), end(batch.size());
  std::vector<std::uint32_t> slot(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    begin[i] = nodes_[batch[i]].begin;
    end[i] = nodes_[batch[i]].end;
    slot[i] = static_cast<std::uint32_t>(nodes_[batch[i]].slot);
  }
  sb_histogram_build_args args{data_.view(),
                               gradients_.gh,
                               rows,
                               layout_,
                               pool_,
                               features_.data(),
                               static_cast<std::uint32_t>(features_.size()),
                               static_cast<std::uint32_t>(batch.size()),
                               begin.data(),
                               end.data(),
                               slot.data()};
  call(device_, "histogram_build", &sb_primitives::histogram_build, args);
  if (hooks_.trace != nullptr && batch.size() == 1 && batch[0] == 0) trace_histogram(slot[0]);
}

void Grower::find_splits(const Batch& batch) {
  std::vector<std::uint32_t> slot(batch.size());
  std::vector<sb_node_sums> sums(batch.size());
  std::vector<sb_split> best(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    slot[i] = static_cast<std::uint32_t>(nodes_[batch[i]].slot);
    sums[i] = nodes_[batch[i]].sums;
  }
  sb_split_find_args args{layout_,
                          pool_,
                          features_.data(),
                          static_cast<std::uint32_t>(features_.size()),
                          static_cast<std::uint32_t>(batch.size()),
                          slot.data(),
                          sums.data(),
                          split_parameters_,
                          params_.grow_policy == GrowPolicy::symmetric ? 1 : 0,
                          best.data()};
  call(device_, "split_find", &sb_primitives::split_find, args);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    nodes_[batch[i]].split = best[i];
    if (best[i].feature < 0) drop_slot(nodes_[batch[i]]);
  }
}

std::int32_t Grower::take_slot() {
  if (free_slots_.empty())
    throw Error(ErrorCode::out_of_memory,
                "[boosting] no histogram slot is left; need a smaller max_depth, max_leaf_nodes or max_bins");
  std::int32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void Grower::drop_slot(GrownNode& node) {
  if (node.slot >= 0) free_slots_.push_back(node.slot);
  node.slot = -1;
}

// Frees slots of open nodes that are not being split now, until `slots` are free.
void Grower::make_room(std::size_t slots, const std::uint32_t* first, std::size_t n) {
  for (std::size_t k = nodes_.size(); k-- > 0 && free_slots_.size() < slots;) {
    if (nodes_[k].slot >= 0 && std::find(first, first + n, k) == first + n) drop_slot(nodes_[k]);
  }
}

void Grower::set_leaf_values() {
  for (GrownNode& node : nodes_) {
    if (node.left != 0) continue;
    node.value = sb_leaf_value(node.sums.gradient, node.sums.hessian, gradients_.exponent_g, gradients_.exponent_h,
                               split_parameters_.l2, static_cast<float>(params_.learning_rate));
  }
}

void Grower::trace_histogram(std::uint32_t slot) {
  const std::uint64_t n = layout_.n_cells, at = slot * n, base = traced_.size();
  std::vector<std::uint32_t> count(n);
  traced_.resize(base + 3 * n);
  pool_gradient_.download(traced_.data() + base, n, at);
  pool_hessian_.download(traced_.data() + base + n, n, at);
  pool_count_.download(count.data(), n, at);
  std::copy(count.begin(), count.end(), traced_.begin() + static_cast<std::ptrdiff_t>(base + 2 * n));
}

void Grower::check_interrupt() const {
  if (asked_to_stop(hooks_)) throw Error(ErrorCode::interrupted, "[boosting] the fit was interrupted");
}

}  // namespace samebits::boosting
