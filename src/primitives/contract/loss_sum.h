/* loss_sum/1: the weighted sum of the loss over the rows, for metrics and early stopping (C6).

   shapes      score f32[n], target f32[n], weight f32[n] or NULL
   meaning     l_i = sb_loss_value(loss, score_i, target_i), times the weight (>= 0, f32); s = sb_fixed_exponent(max l);
               sum = exact integer sum of sb_to_fixed_f32(l_i, s)
   out         host: sum, exponent; the real sum is sum * 2^-exponent
   errors      a non-finite l_i: SB_ERROR_INVALID
   tuning      any */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_LOSS_SUM_H
#define SAMEBITS_PRIMITIVES_CONTRACT_LOSS_SUM_H
#include "primitives/contract/types.h"

typedef struct sb_loss_sum_args {
  int32_t loss;
  const float* score;
  const float* target;
  const float* weight;
  uint64_t n;
  int64_t* sum;      /* host */
  int32_t* exponent; /* host */
} sb_loss_sum_args;
#endif
