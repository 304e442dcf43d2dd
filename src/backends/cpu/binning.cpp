#include "backends/cpu/context.hpp"
#include "numerics/ops/tree.h"
#include "numerics/order/order.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace samebits::cpu {
namespace {

// Stable least-significant-digit radix sort of keys, 11 bits a pass; few keys go to std::sort (keys are all there is, so
// stability cannot be seen).
template <class Key>
void sort_keys(std::vector<Key>& keys, std::vector<Key>& spare) {
  constexpr int kBits = 11, kBuckets = 1 << kBits;
  if (keys.size() < 2000) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  spare.resize(keys.size());
  std::vector<std::size_t> start(kBuckets);
  for (unsigned shift = 0; shift < sizeof(Key) * 8; shift += kBits) {
    std::fill(start.begin(), start.end(), 0);
    for (Key key : keys) ++start[(key >> shift) & (kBuckets - 1)];
    std::size_t sum = 0;
    bool one_bucket = false;
    for (std::size_t& s : start) {
      one_bucket = one_bucket || s == keys.size();
      std::size_t count = s;
      s = sum;
      sum += count;
    }
    if (one_bucket) continue;
    for (Key key : keys) spare[start[(key >> shift) & (kBuckets - 1)]++] = key;
    keys.swap(spare);
  }
}

inline std::uint32_t key_of(float x) { return sb_order_key_f32(x); }
inline std::uint64_t key_of(double x) { return sb_order_key_f64(x); }
inline double value_of(std::uint32_t key) { return static_cast<double>(sb_order_value_f32(key)); }
inline double value_of(std::uint64_t key) { return sb_order_value_f64(key); }

// Sorted keys of the sampled values of a feature without NaN; -0 becomes +0. Returns the number of infinite values.
template <class T, class Key>
std::uint64_t sorted_column(const sb_quantile_cuts_args& a, std::uint32_t f, std::vector<Key>& keys,
                            std::vector<Key>& spare) {
  const T* column = static_cast<const T*>(a.x.data) + static_cast<std::int64_t>(f) * a.x.column_stride;
  const std::uint64_t n = a.sample_rows != nullptr ? a.n_sample : a.x.n_rows;
  std::uint64_t infinite = 0;
  keys.clear();
  keys.reserve(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t row = a.sample_rows != nullptr ? a.sample_rows[i] : i;
    T x = column[static_cast<std::int64_t>(row) * a.x.row_stride];
    if (x != x) continue;
    infinite += x - x != 0;
    keys.push_back(key_of(x + T(0)));
  }
  sort_keys(keys, spare);
  return infinite;
}

template <class Key>
void cut(const sb_quantile_cuts_args& a, std::uint32_t f, const std::vector<Key>& s) {
  const std::uint64_t k = s.size();
  const std::uint32_t max_cuts = a.max_bins - 1;
  double* lower = a.lower + static_cast<std::uint64_t>(f) * max_cuts;
  double* upper = a.upper + static_cast<std::uint64_t>(f) * max_cuts;
  std::uint32_t n = 0;
  auto add = [&](std::uint64_t p) {
    lower[n] = value_of(s[p - 1]);
    upper[n] = value_of(s[p]);
    ++n;
  };
  std::uint64_t distinct = k > 0 ? 1 : 0;
  for (std::uint64_t i = 1; i < k; ++i) distinct += s[i] != s[i - 1];
  if (distinct <= a.max_bins) {
    for (std::uint64_t i = 1; i < k; ++i) {
      if (s[i] != s[i - 1]) add(i);
    }
  } else {
    std::uint64_t last = 0;
    for (std::uint64_t j = 1; j < a.max_bins; ++j) {
      std::uint64_t r = j * k / a.max_bins;
      auto p = static_cast<std::uint64_t>(std::lower_bound(s.begin(), s.end(), s[r]) - s.begin());
      if (p > last) add(p);
      last = p;
    }
  }
  a.n_cuts[f] = n;
}

template <class T, class Key>
void cut_features(Context& c, const sb_quantile_cuts_args& a) {
  std::atomic<std::uint32_t> next{0};
  const std::uint64_t n = a.sample_rows != nullptr ? a.n_sample : a.x.n_rows;
  run_team(threads_for(c, n * a.x.n_features * 10), [&](int) {
    std::vector<Key> keys, spare;
    for (std::uint32_t f; (f = next.fetch_add(1)) < a.x.n_features;) {
      a.infinite[f] = sorted_column<T, Key>(a, f, keys, spare);
      cut(a, f, keys);
    }
  });
}

// Edges of every feature in the type of x, padded with +infinity so that the search may look past the end.
template <class T>
struct Edges {
  std::vector<T> value;
  static constexpr std::uint32_t kStride = 512;

  explicit Edges(const sb_bin_assign_args& a) {
    value.assign(static_cast<std::size_t>(a.x.n_features) * kStride,
                 static_cast<T>(sb_f64_bits(0x7ff0000000000000ull)));
    for (std::uint32_t f = 0; f < a.x.n_features; ++f) {
      for (std::uint32_t i = a.edge_offset[f]; i < a.edge_offset[f + 1]; ++i) {
        value[static_cast<std::size_t>(f) * kStride + i - a.edge_offset[f]] = convert(a.edges[i]);
      }
    }
  }
  static T convert(double edge);
};

template <>
float Edges<float>::convert(double edge) {
  return sb_floor_f32(edge);
}
template <>
double Edges<double>::convert(double edge) {
  return edge;
}

constexpr std::uint64_t kAssignRows = 512;  // rows of a block: its part of x and of the bins stay in cache

template <class T, class Kernel>
std::uint64_t assign_rows(const sb_bin_assign_args& a, const Edges<T>& edges, Kernel kernel, std::uint64_t from,
                          std::uint64_t to) {
  std::uint64_t infinite = 0;
  const sb_bins& bins = a.bins;
  for (std::uint64_t row = from; row < to; row += kAssignRows) {
    std::uint64_t n = std::min(kAssignRows, to - row);
    for (std::uint32_t f = 0; f < a.x.n_features; ++f) {
      const T* column = static_cast<const T*>(a.x.data) + static_cast<std::int64_t>(row) * a.x.row_stride +
                        static_cast<std::int64_t>(f) * a.x.column_stride;
      sb_u8* codes =
          bins.data + (static_cast<std::uint64_t>(f / bins.width) * bins.n_rows + row) * bins.width + f % bins.width;
      infinite +=
          kernel(column, a.x.row_stride, n, edges.value.data() + static_cast<std::size_t>(f) * Edges<T>::kStride,
                 a.edge_offset[f + 1] - a.edge_offset[f], codes, bins.width,
                 bins.columns != nullptr ? bins.columns + static_cast<std::uint64_t>(f) * bins.n_rows + row : nullptr);
    }
    for (std::uint32_t f = a.x.n_features; f % bins.width != 0; ++f) {
      for (std::uint64_t i = row; i < row + n; ++i)
        bins.data[(static_cast<std::uint64_t>(f / bins.width) * bins.n_rows + i) * bins.width + f % bins.width] = 0;
    }
  }
  return infinite;
}

template <class T, class Kernel>
std::uint64_t assign(Context& c, const sb_bin_assign_args& a, Kernel kernel) {
  const Edges<T> edges(a);
  const int threads = threads_for(c, a.x.n_rows * a.x.n_features * 2);
  std::atomic<std::uint64_t> infinite{0};
  run_team(threads, [&](int t) {
    std::uint64_t from, to;
    team_part(a.x.n_rows, threads, t, kAssignRows, &from, &to);
    infinite += assign_rows(a, edges, kernel, from, to);
  });
  return infinite;
}

}  // namespace

sb_status quantile_cuts(sb_context* context, const sb_quantile_cuts_args* args) {
  FpEnvGuard environment;
  if (args->max_bins < 2 || args->max_bins > 255) {
    set_error("quantile_cuts: max_bins is " + std::to_string(args->max_bins) + ", need 2 to 255");
    return SB_ERROR_INVALID;
  }
  for (std::uint64_t i = 0; args->sample_rows != nullptr && i < args->n_sample; ++i) {
    if (args->sample_rows[i] >= args->x.n_rows) {
      set_error("quantile_cuts: sample row " + std::to_string(args->sample_rows[i]) + " of " +
                std::to_string(args->x.n_rows) + " rows");
      return SB_ERROR_INVALID;
    }
  }
  Context& c = *context_of(context);
  if (args->x.dtype == SB_DTYPE_F32) {
    cut_features<float, std::uint32_t>(c, *args);
  } else {
    cut_features<double, std::uint64_t>(c, *args);
  }
  return SB_OK;
}

sb_status bin_assign(sb_context* context, const sb_bin_assign_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  *args->n_infinite = args->x.dtype == SB_DTYPE_F32 ? assign<float>(c, *args, c.kernels->assign_f32)
                                                    : assign<double>(c, *args, c.kernels->assign_f64);
  return SB_OK;
}

}  // namespace samebits::cpu
