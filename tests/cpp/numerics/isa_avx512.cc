#define SB_TEST_TABLE sb_test_loops_avx512
#include "elementary_loops.inc"
