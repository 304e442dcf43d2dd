/* Separating arms: a build with -DSAMEBITS_BREAK_<RULE>=1 breaks exactly one rule of the contract, so that a
   test can prove that it would notice. Product builds define none of them. The name is reported by the backend
   descriptor (SB_BROKEN_RULE) and such a build is refused by the loader unless SAMEBITS_ALLOW_BROKEN=1. */
#ifndef SAMEBITS_NUMERICS_DIALECT_BREAK_H
#define SAMEBITS_NUMERICS_DIALECT_BREAK_H

#if defined(SAMEBITS_BREAK_CONTRACTION)
#define SB_BROKEN_RULE "contraction"
#elif defined(SAMEBITS_BREAK_FOLD_ORDER)
#define SB_BROKEN_RULE "fold_order"
#elif defined(SAMEBITS_BREAK_TIES)
#define SB_BROKEN_RULE "ties"
#elif defined(SAMEBITS_BREAK_FLOAT_HISTOGRAM)
#define SB_BROKEN_RULE "float_histogram"
#else
#define SB_BROKEN_RULE ""
#endif

#endif
