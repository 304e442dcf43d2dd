#include "backends/cpu/context.hpp"

#include <algorithm>
#include <cstring>

namespace samebits::cpu {
namespace {

// Codes of one feature: row 0 and the distance between rows.
struct FeatureCodes {
  const sb_u8* first;
  std::uint64_t stride;
};

FeatureCodes codes_of(const sb_bins& bins, std::uint32_t f) {
  if (bins.columns != nullptr) return {bins.columns + static_cast<std::uint64_t>(f) * bins.n_rows, 1};
  return {bins.data + static_cast<std::uint64_t>(f / bins.width) * bins.n_rows * bins.width + f % bins.width,
          bins.width};
}

struct Node {
  FeatureCodes codes;
  sb_u32* rows;     // the node's segment
  sb_u32* scratch;  // the same segment of the scratch array
  std::uint64_t n, n_left;
  std::uint32_t bin, missing, default_left;
};

// Returns the number of left rows found.
std::uint64_t partition_serial(const sb_cpu_kernels& k, const Node& node) {
  std::uint64_t n_left = k.partition(node.codes.first, node.codes.stride, node.rows, node.n, node.bin, node.missing,
                                     node.default_left, node.rows, node.scratch);
  std::memcpy(node.rows + n_left, node.scratch, (node.n - n_left) * 4);
  return n_left;
}

// Every thread parts its own chunk in place (left rows) and in scratch (right rows); the chunks' left rows then move down
// through scratch: first all chunks copy out, then all copy back to their final places.
std::uint64_t partition_team(Context& c, const Node& node, int threads) {
  std::vector<std::uint64_t> left(static_cast<std::size_t>(threads) + 1, 0), from(left.size(), node.n);
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(node.n, threads, t, 1024, &b, &e);
    auto i = static_cast<std::size_t>(t);
    from[i] = b;
    left[i] = c.kernels->partition(node.codes.first, node.codes.stride, node.rows + b, e - b, node.bin, node.missing,
                                   node.default_left, node.rows + b, node.scratch + b);
    // scratch[b .. b + right) holds the right rows; the left rows go behind them.
    std::memcpy(node.scratch + b + (e - b - left[i]), node.rows + b, left[i] * 4);
  });
  std::uint64_t n_left = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(threads); ++i) n_left += left[i];
  run_team(threads, [&](int t) {
    auto i = static_cast<std::size_t>(t);
    std::uint64_t left_before = 0;
    for (std::size_t u = 0; u < i; ++u) left_before += left[u];
    std::uint64_t n = from[i + 1] - from[i], right = n - left[i];
    std::uint64_t right_before = from[i] - left_before;
    std::memcpy(node.rows + n_left + right_before, node.scratch + from[i], right * 4);
    std::memcpy(node.rows + left_before, node.scratch + from[i] + right, left[i] * 4);
  });
  return n_left;
}

}  // namespace

sb_status partition_rows(sb_context* context, const sb_partition_rows_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const sb_partition_rows_args& a = *args;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    std::uint32_t f = a.feature[j];
    Node node{codes_of(a.bins, f),
              a.rows + a.begin[j],
              a.scratch + a.begin[j],
              a.end[j] - a.begin[j],
              a.n_left[j],
              a.bin[j],
              a.layout.offset_host[f + 1] - a.layout.offset_host[f] - 1,
              a.default_left[j]};
    int threads = threads_for(c, node.n * 2);
    std::uint64_t found = threads > 1 ? partition_team(c, node, threads) : partition_serial(*c.kernels, node);
    if (found != node.n_left) {
      set_error("partition_rows: node " + std::to_string(j) + " has " + std::to_string(found) +
                " left rows, n_left says " + std::to_string(node.n_left));
      return SB_ERROR_INVALID;
    }
  }
  return SB_OK;
}

sb_status row_sample(sb_context* context, const sb_row_sample_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const int threads = threads_for(c, args->n * 10);
  std::vector<std::uint64_t> begin(static_cast<std::size_t>(threads)), kept(begin.size());
  run_team(threads, [&](int t) {
    auto i = static_cast<std::size_t>(t);
    std::uint64_t end;
    team_part(args->n, threads, t, 1024, &begin[i], &end);
    kept[i] = c.kernels->sample_rows(args->seed, args->purpose, args->draw, args->threshold, begin[i], end,
                                     args->rows + begin[i]);
  });
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    std::memmove(args->rows + total, args->rows + begin[i], kept[i] * 4);
    total += kept[i];
  }
  *args->n_kept = total;
  return SB_OK;
}

sb_status add_leaf_values(sb_context* context, const sb_add_leaf_values_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  std::uint64_t n = 0;
  for (std::uint32_t j = 0; j < args->n_leaves; ++j) n += args->end[j] - args->begin[j];
  const int threads = threads_for(c, n);
  run_team(threads, [&](int t) {
    for (std::uint32_t j = 0; j < args->n_leaves; ++j) {
      std::uint64_t b, e;
      team_part(args->end[j] - args->begin[j], threads, t, 1, &b, &e);
      c.kernels->add_leaf_value(args->score, args->rows + args->begin[j] + b, e - b, args->value[j]);
    }
  });
  return SB_OK;
}

sb_status add_tree_binned(sb_context* context, const sb_add_tree_binned_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const std::uint64_t n = args->bins.n_rows;
  const int threads = threads_for(c, n * 20);
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(n, threads, t, 16, &b, &e);
    c.kernels->add_tree_binned(&args->bins, args->layout.offset_host, args->node, args->n_nodes, b, e, args->score);
  });
  return SB_OK;
}

sb_status fill_f32(sb_context*, const sb_fill_f32_args* args) {
  std::fill_n(args->out, args->n, args->value);
  return SB_OK;
}

sb_status iota_u32(sb_context*, const sb_iota_u32_args* args) {
  for (std::uint64_t i = 0; i < args->n; ++i) args->out[i] = static_cast<std::uint32_t>(i);
  return SB_OK;
}

}  // namespace samebits::cpu
