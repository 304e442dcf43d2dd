/* Separating arms: a build with -DSAMEBITS_BREAK_<RULE>=1 breaks exactly one rule of the contract, so that a
   test can prove that it would notice. Product builds define none of them. The name is reported by the backend
   descriptor (SB_BROKEN_RULE) and such a build is refused by the loader unless SAMEBITS_ALLOW_BROKEN=1.
   tests/separating/arms.txt says what each of them breaks and which tests must fail. */
#ifndef SAMEBITS_NUMERICS_DIALECT_BREAK_H
#define SAMEBITS_NUMERICS_DIALECT_BREAK_H

#if defined(SAMEBITS_BREAK_CONTRACTION)
#define SB_BROKEN_RULE "contraction"
#elif defined(SAMEBITS_BREAK_RECIPROCAL)
#define SB_BROKEN_RULE "reciprocal"
#elif defined(SAMEBITS_BREAK_FLUSH_SUBNORMALS)
#define SB_BROKEN_RULE "flush_subnormals"
#elif defined(SAMEBITS_BREAK_FP_ENVIRONMENT)
#define SB_BROKEN_RULE "fp_environment"
#elif defined(SAMEBITS_BREAK_RAW_NAN)
#define SB_BROKEN_RULE "raw_nan"
#elif defined(SAMEBITS_BREAK_COEFFICIENT)
#define SB_BROKEN_RULE "coefficient"
#elif defined(SAMEBITS_BREAK_FOLD_ORDER)
#define SB_BROKEN_RULE "fold_order"
#elif defined(SAMEBITS_BREAK_CHAIN_ORDER)
#define SB_BROKEN_RULE "chain_order"
#elif defined(SAMEBITS_BREAK_UNFUSED_PRODUCT)
#define SB_BROKEN_RULE "unfused_product"
#elif defined(SAMEBITS_BREAK_FLOAT_HISTOGRAM)
#define SB_BROKEN_RULE "float_histogram"
#elif defined(SAMEBITS_BREAK_TIES)
#define SB_BROKEN_RULE "ties"
#elif defined(SAMEBITS_BREAK_ORDER_KEYS)
#define SB_BROKEN_RULE "order_keys"
#elif defined(SAMEBITS_BREAK_DRAW_POSITION)
#define SB_BROKEN_RULE "draw_position"
#elif defined(SAMEBITS_BREAK_DEVICE_PATIENCE)
#define SB_BROKEN_RULE "device_patience"
#elif defined(SAMEBITS_BREAK_ROW_COUNT)
#define SB_BROKEN_RULE "row_count"
#else
#define SB_BROKEN_RULE ""
#endif

#endif
