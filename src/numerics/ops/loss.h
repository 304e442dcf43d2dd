/* Losses: gradient, hessian and value per row. One text for every backend.

   squared error   l = (s - y)^2 / 2, g = s - y, h = 1
   log-loss        l = log(1 + e^s) - y s, g = p - y, h = p (1 - p), p = 1 / (1 + e^-s), y in {0, 1}
                   (Friedman, Greedy function approximation, 2001; Chen and Guestrin, XGBoost, 2016) */
#ifndef SAMEBITS_NUMERICS_OPS_LOSS_H
#define SAMEBITS_NUMERICS_OPS_LOSS_H

#include "numerics/elementary/log1pexp.h"
#include "numerics/elementary/logistic.h"

enum { SB_LOSS_SQUARED_ERROR = 0, SB_LOSS_LOG_LOSS = 1, SB_LOSS_COUNT };

SB_FN void sb_squared_error_gradient(sb_f32 score, sb_f32 target, sb_f32* g, sb_f32* h) {
  *g = score - target;
  *h = 1.0f;
}

SB_FN void sb_log_loss_gradient(sb_f32 score, sb_f32 target, sb_f32* g, sb_f32* h) {
  sb_f32 p = sb_logistic_f32(score);
  *g = p - target;
  *h = p * (1.0f - p);
}

SB_FN void sb_loss_gradient(sb_i32 loss, sb_f32 score, sb_f32 target, sb_f32* g, sb_f32* h) {
  if (loss == SB_LOSS_LOG_LOSS) {
    sb_log_loss_gradient(score, target, g, h);
  } else {
    sb_squared_error_gradient(score, target, g, h);
  }
}

/* Never negative: log(1 + e^s) - s is written log(1 + e^-s) for y = 1, which loses nothing. */
SB_FN sb_f32 sb_log_loss_value(sb_f32 score, sb_f32 target) { return sb_log1pexp_f32(target > 0.5f ? -score : score); }

SB_FN sb_f32 sb_squared_error_value(sb_f32 score, sb_f32 target) {
  sb_f32 d = score - target;
  return d * d * 0.5f;
}

SB_FN sb_f32 sb_loss_value(sb_i32 loss, sb_f32 score, sb_f32 target) {
  return loss == SB_LOSS_LOG_LOSS ? sb_log_loss_value(score, target) : sb_squared_error_value(score, target);
}

#endif
