/* One row per elementary function, ended by a row of zeros; elementary_loops.inc defines the tables. */
#ifndef SAMEBITS_TESTS_NUMERICS_ELEMENTARY_LOOPS_H
#define SAMEBITS_TESTS_NUMERICS_ELEMENTARY_LOOPS_H

#include "numerics_hash.h"

typedef struct sb_test_loops {
  const char* name;
  void (*f32)(const sb_f32* x, sb_f32* y, sb_u64 n);
  void (*f64)(const sb_f64* x, sb_f64* y, sb_u64 n);
  sb_u64 (*stratified)(void); /* hash over the stratified f32 inputs */
} sb_test_loops;

extern "C" const sb_test_loops sb_test_loops_native[], sb_test_loops_baseline[], sb_test_loops_avx2[],
    sb_test_loops_avx512[];

#endif
