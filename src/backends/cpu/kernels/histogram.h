/* Histogram kernels. A local histogram serves one group of 8 features: 8 x 256 cells of two 64-bit words = 32 KiB, which
   stays in the first-level cache. Word 0 is the gradient sum, word 1 is (hessian sum) + (rows << 47): with
   0 <= h <= 2^30 and at most 2^16 - 1 rows the hessian part stays below 2^46 and the whole word below 2^63, so the two
   never meet and one 128-bit addition per (row, feature) does all three sums, exactly. Flushing splits them again. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/ops/histogram.h"

typedef sb_i64 sb_cell __attribute__((vector_size(16)));

/* Rows looked ahead by the gathers: enough lines in flight to hide the latency of a far cache. */
#define SB_AHEAD 48

static void gather_gh(const sb_u32* rows, sb_u64 n, const sb_i32* gh, sb_i32* out) {
  for (sb_u64 i = 0; i < n; ++i) {
    if (i + SB_AHEAD < n) __builtin_prefetch(gh + 2 * (sb_u64)rows[i + SB_AHEAD]);
    __builtin_memcpy(out + 2 * i, gh + 2 * (sb_u64)rows[i], 8);
  }
}

#define SB_GATHER_ROWS(WIDTH)                                                               \
  for (sb_u64 i = 0; i < n; ++i) {                                                          \
    if (i + SB_AHEAD < n) __builtin_prefetch(panel + (sb_u64)rows[i + SB_AHEAD] * (WIDTH)); \
    __builtin_memcpy(out + i * (WIDTH), panel + (sb_u64)rows[i] * (WIDTH), (WIDTH));        \
  }

/* The codes of listed rows of a panel, side by side. */
static void gather_codes(const sb_u32* rows, sb_u64 n, const sb_u8* panel, sb_u64 width, sb_u8* out) {
  if (width == 32) {
    SB_GATHER_ROWS(32)
  } else if (width == 16) {
    SB_GATHER_ROWS(16)
  } else {
    SB_GATHER_ROWS(8)
  }
}

/* Rows whose cell offsets are worked out together, in vector lanes, before the sums. */
#define SB_OFFSET_ROWS 64

#define SB_ADD(j) *(sb_cell*)(base + at[j]) += v

static void histogram_group(const sb_u8* codes, sb_u64 stride, sb_u64 n, const sb_i32* gh, sb_u32 n_features,
                            sb_i64* local) {
  sb_u64 codes8[SB_OFFSET_ROWS] = {0};
  sb_u16 offset[SB_OFFSET_ROWS * SB_GROUP];
  char* base = (char*)local;
  for (sb_u64 begin = 0; begin < n; begin += SB_OFFSET_ROWS) {
    sb_u64 m = n - begin < SB_OFFSET_ROWS ? n - begin : SB_OFFSET_ROWS;
    for (sb_u64 i = 0; i < m; ++i) __builtin_memcpy(&codes8[i], codes + (begin + i) * stride, 8);
    const sb_u8* code = (const sb_u8*)codes8;
    /* Byte offset of the cell: 4096 per feature, 16 per code; at most 7 * 4096 + 255 * 16 < 2^16. */
    for (sb_u32 k = 0; k < SB_OFFSET_ROWS * SB_GROUP; ++k) {
      offset[k] = (sb_u16)(((sb_u32)code[k] << 4) + ((k & 7u) << 12));
    }
    for (sb_u64 i = 0; i < m; ++i) {
      const sb_i32* pair = gh + 2 * (begin + i);
      const sb_u16* at = offset + i * SB_GROUP;
      sb_cell v = {pair[0], (sb_i64)pair[1] + ((sb_i64)1 << SB_COUNT_SHIFT)};
      SB_ADD(0);
      SB_ADD(1);
      SB_ADD(2);
      SB_ADD(3);
      if (n_features <= 4) continue;
      SB_ADD(4);
      SB_ADD(5);
      SB_ADD(6);
      SB_ADD(7);
    }
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
static void histogram_direct(const sb_u8* codes, sb_u64 stride, sb_u64 n, const sb_i32* gh, const sb_u32* cell_begin,
                             sb_u32 n_features, sb_histogram_pool out) {
  for (sb_u64 i = 0; i < n; ++i) {
    const sb_u8* code = codes + i * stride;
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
