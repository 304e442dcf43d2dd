#include "backends/cpu/context.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace samebits::cpu {
namespace {

constexpr std::uint64_t kBlockRows = 4096;        // rows whose codes and gradients stay in the second-level cache
constexpr std::uint64_t kSplitRows = 32768;       // from here on a node's rows are split over the threads
constexpr std::uint32_t kBatchGroups = 32;        // groups that are handled in one pass over the rows
constexpr std::size_t kLocalBytes = SB_GROUP * SB_GROUP_CELLS * 16;

struct Group {
  const sb_u8* panel;   // row 0 of its panel
  std::uint32_t first;  // its first column in the panel
  std::uint32_t n_features;
  std::uint32_t cell_begin[SB_GROUP];
  std::uint32_t cell_count[SB_GROUP];
  std::uint32_t cells;
};

struct Build {
  Context& c;
  const sb_histogram_build_args& a;
  std::vector<Group> groups;
};

std::vector<Group> active_groups(const sb_histogram_build_args& a) {
  std::vector<Group> groups;
  const sb_bins& bins = a.bins;
  std::uint32_t last = ~0u;
  for (std::uint32_t i = 0; i < a.n_active; ++i) {
    std::uint32_t q = a.feature[i] / SB_GROUP;
    if (q == last) continue;
    last = q;
    Group g{};
    std::uint32_t first = q * SB_GROUP;
    g.panel = bins.data + static_cast<std::uint64_t>(first / bins.width) * bins.n_rows * bins.width;
    g.first = first % bins.width;
    g.n_features = bins.n_features - first < SB_GROUP ? bins.n_features - first : SB_GROUP;
    for (std::uint32_t j = 0; j < g.n_features; ++j) {
      g.cell_begin[j] = a.layout.offset_host[first + j];
      g.cell_count[j] = a.layout.offset_host[first + j + 1] - g.cell_begin[j];
      g.cells += g.cell_count[j];
    }
    groups.push_back(g);
  }
  return groups;
}

sb_histogram_pool at_cell(const sb_histogram_pool& pool, std::uint64_t cell) {
  return {pool.gradient + cell, pool.hessian + cell, pool.count + cell};
}

// Rows [begin, end) of the row list (or of the data), groups [g0, g1), added to `out` by one thread. Listed rows are first
// gathered side by side, block by block.
void accumulate(const Build& b, int thread, std::uint64_t begin, std::uint64_t end, std::uint32_t g0, std::uint32_t g1,
                const sb_histogram_pool& out) {
  const sb_cpu_kernels& k = *b.c.kernels;
  auto t = static_cast<std::size_t>(thread);
  auto* local = static_cast<sb_i64*>(b.c.local[t].need(kBatchGroups * kLocalBytes));
  auto* gathered_gh = static_cast<sb_i32*>(b.c.gathered[t].need(kBlockRows * (8 + 32)));
  auto* gathered_codes = reinterpret_cast<sb_u8*>(gathered_gh + 2 * kBlockRows);
  const std::uint64_t width = b.a.bins.width;
  std::uint64_t since_flush = 0;
  for (std::uint64_t i = begin; i < end; i += kBlockRows) {
    std::uint64_t n = end - i < kBlockRows ? end - i : kBlockRows;
    const sb_u32* rows = b.a.rows != nullptr ? b.a.rows + i : nullptr;
    const sb_i32* gh = b.a.gh + 2 * i;
    if (rows != nullptr) {
      k.gather_gh(rows, n, b.a.gh, gathered_gh);
      gh = gathered_gh;
    }
    bool flush = since_flush + n + kBlockRows > SB_LOCAL_ROWS || i + n == end;
    const sb_u8* gathered_panel = nullptr;
    for (std::uint32_t g = g0; g < g1; ++g) {
      const Group& group = b.groups[g];
      const sb_u8* codes = group.panel + i * width + group.first;
      if (rows != nullptr) {
        if (gathered_panel != group.panel) k.gather_codes(rows, n, group.panel, width, gathered_codes);
        gathered_panel = group.panel;
        codes = gathered_codes + group.first;
      }
      if (end - begin < group.cells / 8) {
        k.histogram_direct(codes, width, n, gh, group.cell_begin, group.n_features, out);
        continue;
      }
      sb_i64* cells = local + static_cast<std::uint64_t>(g - g0) * (kLocalBytes / 8);
      k.histogram_group(codes, width, n, gh, group.n_features, cells);
      if (flush) k.histogram_flush(cells, group.cell_begin, group.cell_count, group.n_features, out);
    }
    since_flush = flush ? 0 : since_flush + n;
  }
}

void accumulate_all_groups(const Build& b, int thread, std::uint64_t begin, std::uint64_t end,
                           const sb_histogram_pool& out) {
  auto n = static_cast<std::uint32_t>(b.groups.size());
  for (std::uint32_t g = 0; g < n; g += kBatchGroups) {
    accumulate(b, thread, begin, end, g, g + kBatchGroups < n ? g + kBatchGroups : n, out);
  }
}

void clear(const sb_histogram_pool& out, std::uint64_t n) {
  std::memset(out.gradient, 0, n * 8);
  std::memset(out.hessian, 0, n * 8);
  std::memset(out.count, 0, n * 4);
}

// A node of many rows: every thread sums its rows on its own, then the cells are added up.
void build_split(const Build& b, std::uint64_t begin, std::uint64_t end, const sb_histogram_pool& out) {
  const std::uint64_t cells = b.a.layout.n_cells;
  const int threads = b.c.n_threads;
  std::vector<sb_histogram_pool> part(static_cast<std::size_t>(threads));
  run_team(threads, [&](int t) {
    auto* memory = static_cast<sb_i64*>(t == 0 ? nullptr : b.c.partial[static_cast<std::size_t>(t)].need(cells * 20));
    sb_histogram_pool mine =
        t == 0 ? out : sb_histogram_pool{memory, memory + cells, reinterpret_cast<sb_u32*>(memory + 2 * cells)};
    part[static_cast<std::size_t>(t)] = mine;
    clear(mine, cells);
    std::uint64_t from, to;
    team_part(end - begin, threads, t, 64, &from, &to);
    accumulate_all_groups(b, t, begin + from, begin + to, mine);
  });
  run_team(threads, [&](int t) {
    std::uint64_t from, to;
    team_part(cells, threads, t, 16, &from, &to);
    for (int other = 1; other < threads; ++other) {
      sb_histogram_pool source = at_cell(part[static_cast<std::size_t>(other)], from), target = at_cell(out, from);
      b.c.kernels->histogram_add(&source, &target, to - from);
    }
  });
}

// Small nodes: items of a node and a share of its groups, taken by whichever thread is free (integer sums do not care).
// With few nodes a node is shared out, with many it is one item, so that its rows are gathered once.
void build_items(const Build& b, const std::vector<std::uint32_t>& nodes, std::uint64_t work) {
  const sb_histogram_build_args& a = b.a;
  const int threads = threads_for(b.c, work);
  const auto n_groups = static_cast<std::uint32_t>(b.groups.size());
  std::uint32_t shares =
      nodes.size() >= 4 * static_cast<std::size_t>(threads) ? 1 : static_cast<std::uint32_t>(threads);
  // A thread's local histograms hold kBatchGroups groups.
  shares = std::min(n_groups, std::max(shares, (n_groups + kBatchGroups - 1) / kBatchGroups));
  for (std::uint32_t j : nodes)
    clear(at_cell(a.pool, static_cast<std::uint64_t>(a.slot[j]) * a.layout.n_cells), a.layout.n_cells);
  std::atomic<std::uint64_t> next{0};
  run_team(threads, [&](int t) {
    for (std::uint64_t item; (item = next.fetch_add(1)) < nodes.size() * shares;) {
      const std::uint32_t j = nodes[item / shares];
      const auto share = static_cast<std::uint32_t>(item % shares);
      accumulate(b, t, a.begin[j], a.end[j], n_groups * share / shares, n_groups * (share + 1) / shares,
                 at_cell(a.pool, static_cast<std::uint64_t>(a.slot[j]) * a.layout.n_cells));
    }
  });
}

void clear_inactive(const sb_histogram_build_args& a) {
  if (a.n_active == a.layout.n_features) return;
  std::uint32_t next = 0;
  for (std::uint32_t f = 0; f < a.layout.n_features; ++f) {
    if (next < a.n_active && a.feature[next] == f) {
      ++next;
      continue;
    }
    std::uint32_t begin = a.layout.offset_host[f], n = a.layout.offset_host[f + 1] - begin;
    for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
      clear(at_cell(a.pool, static_cast<std::uint64_t>(a.slot[j]) * a.layout.n_cells + begin), n);
    }
  }
}

}  // namespace

sb_status histogram_build(sb_context* context, const sb_histogram_build_args* args) {
  FpEnvGuard environment;
  const sb_histogram_build_args& a = *args;
  Build b{*context_of(context), a, active_groups(a)};
  std::vector<std::uint32_t> small;
  std::uint64_t work = 0;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    std::uint64_t rows = a.end[j] - a.begin[j];
    if (rows >= kSplitRows && b.c.n_threads > 1) {
      build_split(b, a.begin[j], a.end[j], at_cell(a.pool, static_cast<std::uint64_t>(a.slot[j]) * a.layout.n_cells));
    } else {
      small.push_back(j);
      work += rows * a.layout.n_features;
    }
  }
  if (!small.empty()) build_items(b, small, work);
  clear_inactive(a);
  return SB_OK;
}

sb_status histogram_subtract(sb_context* context, const sb_histogram_subtract_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const std::uint64_t cells = args->n_cells;
  run_team(threads_for(c, cells * args->n_pairs), [&](int t) {
    int threads = threads_for(c, cells * args->n_pairs);
    std::uint64_t from, to;
    team_part(cells, threads, t, 16, &from, &to);
    for (std::uint32_t j = 0; j < args->n_pairs; ++j) {
      sb_histogram_pool parent = at_cell(args->pool, args->parent[j] * cells + from);
      sb_histogram_pool child = at_cell(args->pool, args->child[j] * cells + from);
      sb_histogram_pool out = at_cell(args->pool, args->out[j] * cells + from);
      c.kernels->histogram_subtract(&parent, &child, &out, to - from);
    }
  });
  return SB_OK;
}

}  // namespace samebits::cpu
