/* gradients/1: gradient and hessian of the loss, as fixed-point integers (C6).

   shapes      score f32[n], target f32[n], weight f32[n] >= 0 or NULL; gh int32[n, 2] = (gradient, hessian) per row
   meaning     (g, h) = sb_loss_gradient(loss, score, target), each multiplied by the weight (numerics/ops/loss.h);
               exponent_g = sb_fixed_exponent(max |g|), exponent_h = sb_fixed_exponent(max h) over ALL rows;
               gh = (sb_to_fixed_f32(g, exponent_g), sb_to_fixed_f32(h, exponent_h))
   bound       |gh| <= 2^30 and n < 2^31, so any sum of rows fits int64
   rounding    f32 by the formula's text; the maximum is order-free
   errors      a non-finite g or h: SB_ERROR_INVALID
   tuning      any */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_GRADIENTS_H
#define SAMEBITS_PRIMITIVES_CONTRACT_GRADIENTS_H
#include "primitives/contract/types.h"

typedef struct sb_gradients_args {
  int32_t loss; /* SB_LOSS_* of numerics/ops/loss.h */
  const float* score;
  const float* target;
  const float* weight;
  uint64_t n;
  int32_t* gh;
  int32_t* exponent_g; /* host */
  int32_t* exponent_h; /* host */
} sb_gradients_args;
#endif
