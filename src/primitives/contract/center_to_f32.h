/* center_to_f32/1: targets and weights as f32, centred and brought near 1 by a power of two.

   shapes      x f64[n], out f32[n]
   meaning     d_i = x_i - offset (f64). normalise != 0: *exponent = sb_exponent_f64(max |d_i|), 0 when the maximum is 0;
               normalise == 0: *exponent is an input. out_i = (f32) sb_scale2_f64(d_i, -*exponent), nearest even
   errors      a non-finite d_i: SB_ERROR_INVALID
   tuning      any; the maximum is order-free */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_CENTER_TO_F32_H
#define SAMEBITS_PRIMITIVES_CONTRACT_CENTER_TO_F32_H
#include "primitives/contract/types.h"

typedef struct sb_center_to_f32_args {
  const double* x;
  uint64_t n;
  double offset;
  int32_t normalise;
  float* out;
  int32_t* exponent; /* host, out when normalise != 0, else in */
} sb_center_to_f32_args;
#endif
