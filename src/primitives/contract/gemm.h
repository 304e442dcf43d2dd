/* gemm/1: the product C = A B of two matrices, without factors and without adding to C (C5).

   shapes      A: [m, k], B: [k, n], C: [m, n], all of one dtype; m, n, k >= 0. Strides are in elements and may be
               negative or 0 (A, B), so a transposed, reversed or repeated matrix is a view
   meaning     c[i, j] = sum over t of a[i, t] * b[t, j]
   order       k is cut into chains of SB_CHAIN = 256 consecutive t, the last may be shorter. Within a chain, from
               s = +0, in ascending t: s = fma(a[i, t], b[t, j], s). The chains' sums are combined by a tree of the
               chain index: neighbours first, pairs of pairs next, so that n chains split at the largest power of two
               below n (numerics/product/product.h). A function of k alone
   rounding    dtype, every operation to nearest even, gradual underflow kept
   special     NaN in or infinity - infinity or 0 * infinity: canonical NaN out. k = 0 gives +0. k is never padded:
               a step with zeros would turn -0 into +0 and an infinity into NaN
   aliasing    C overlaps neither A nor B; its elements have different addresses
   tuning      blocks of m, n and k, packing, threads, which of A and B is vectorised (a product commutes)
   errors      dtype other than f32 and f64: SB_ERROR_INVALID */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_GEMM_H
#define SAMEBITS_PRIMITIVES_CONTRACT_GEMM_H
#include "primitives/contract/types.h"

typedef struct sb_gemm_args {
  int32_t dtype; /* SB_DTYPE_F32 or SB_DTYPE_F64 */
  uint64_t m;
  uint64_t n;
  uint64_t k;
  const void* a;
  int64_t a_row_stride;
  int64_t a_column_stride;
  const void* b;
  int64_t b_row_stride;
  int64_t b_column_stride;
  void* c;
  int64_t c_row_stride;
  int64_t c_column_stride;
} sb_gemm_args;
#endif
