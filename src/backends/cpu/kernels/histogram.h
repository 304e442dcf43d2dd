/* Histogram kernels. A local histogram serves one group of 8 features: 8 x 256 cells of two 64-bit words = 32 KiB, which
   stays in the first-level cache. Word 0 is the gradient sum, word 1 is (hessian sum) + (rows << 47): with
   0 <= h <= 2^30 and at most 2^16 rows the hessian part stays below 2^46 and the row count below 2^17, so the two
   never meet and one 128-bit addition per (row, feature) does all three sums, exactly. Flushing splits them again. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/ops/histogram.h"

typedef sb_i64 sb_cell __attribute__((vector_size(16)));

static void gather_gh(const sb_u32* rows, sb_u64 n, const sb_i32* gh, sb_i32* out) {
  for (sb_u64 i = 0; i < n; ++i) {
    if (i + 16 < n) __builtin_prefetch(gh + 2 * (sb_u64)rows[i + 16]);
    __builtin_memcpy(out + 2 * i, gh + 2 * (sb_u64)rows[i], 8);
  }
}

#define SB_CELL(j) local_cell[(j) * SB_GROUP_CELLS + ((codes8 >> (8 * (j))) & 255)]

static void histogram_group(const sb_u8* codes, sb_u64 stride, const sb_u32* rows, sb_u64 n, const sb_i32* gh,
                            sb_u32 n_features, sb_i64* local) {
  sb_cell* local_cell = (sb_cell*)local;
  for (sb_u64 i = 0; i < n; ++i) {
    sb_u64 row = rows ? rows[i] : i;
    if (rows && i + 24 < n) __builtin_prefetch(codes + (sb_u64)rows[i + 24] * stride);
    sb_u64 codes8;
    __builtin_memcpy(&codes8, codes + row * stride, 8);
    sb_cell v = {gh[2 * i], (sb_i64)gh[2 * i + 1] + ((sb_i64)1 << SB_COUNT_SHIFT)};
    SB_CELL(0) += v;
    SB_CELL(1) += v;
    SB_CELL(2) += v;
    SB_CELL(3) += v;
    if (n_features <= 4) continue;
    SB_CELL(4) += v;
    SB_CELL(5) += v;
    SB_CELL(6) += v;
    SB_CELL(7) += v;
  }
}

static void histogram_flush(sb_i64* local, const sb_u32* cell_begin, const sb_u32* cell_count, sb_u32 n_features,
                            sb_histogram_pool out) {
  const sb_i64 mask = ((sb_i64)1 << SB_COUNT_SHIFT) - 1;
  for (sb_u32 j = 0; j < n_features; ++j) {
    sb_i64* cell = local + (sb_u64)j * SB_GROUP_CELLS * 2;
    sb_i64* g = out.gradient + cell_begin[j];
    sb_i64* h = out.hessian + cell_begin[j];
    sb_u32* c = out.count + cell_begin[j];
    for (sb_u32 b = 0; b < cell_count[j]; ++b) {
      g[b] = sb_sum_add(g[b], cell[2 * b]);
      h[b] = sb_sum_add(h[b], cell[2 * b + 1] & mask);
      c[b] += (sb_u32)(cell[2 * b + 1] >> SB_COUNT_SHIFT);
    }
    __builtin_memset(cell, 0, (sb_u64)cell_count[j] * 16);
  }
  /* Groups of fewer than 8 features also count the padding codes (all 0), in cell 0 of the missing features. */
  for (sb_u32 j = n_features; j < SB_GROUP; ++j) __builtin_memset(local + (sb_u64)j * SB_GROUP_CELLS * 2, 0, 16);
}

/* For few rows: straight into the node's cells. */
static void histogram_direct(const sb_u8* codes, sb_u64 stride, const sb_u32* rows, sb_u64 n, const sb_i32* gh,
                             const sb_u32* cell_begin, sb_u32 n_features, sb_histogram_pool out) {
  for (sb_u64 i = 0; i < n; ++i) {
    const sb_u8* code = codes + (rows ? rows[i] : i) * stride;
    for (sb_u32 j = 0; j < n_features; ++j) {
      sb_u32 cell = cell_begin[j] + code[j];
      out.gradient[cell] = sb_sum_add(out.gradient[cell], gh[2 * i]);
      out.hessian[cell] = sb_sum_add(out.hessian[cell], gh[2 * i + 1]);
      out.count[cell] += 1;
    }
  }
}

static void histogram_subtract(const sb_histogram_pool* parent, const sb_histogram_pool* child,
                               const sb_histogram_pool* out, sb_u64 n) {
  for (sb_u64 i = 0; i < n; ++i) out->gradient[i] = parent->gradient[i] - child->gradient[i];
  for (sb_u64 i = 0; i < n; ++i) out->hessian[i] = parent->hessian[i] - child->hessian[i];
  for (sb_u64 i = 0; i < n; ++i) out->count[i] = parent->count[i] - child->count[i];
}

static void histogram_add(const sb_histogram_pool* part, const sb_histogram_pool* out, sb_u64 n) {
  for (sb_u64 i = 0; i < n; ++i) out->gradient[i] = sb_sum_add(out->gradient[i], part->gradient[i]);
  for (sb_u64 i = 0; i < n; ++i) out->hessian[i] = sb_sum_add(out->hessian[i], part->hessian[i]);
  for (sb_u64 i = 0; i < n; ++i) out->count[i] += part->count[i];
}
