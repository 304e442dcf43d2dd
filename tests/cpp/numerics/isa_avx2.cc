#define SB_TEST_TABLE sb_test_loops_avx2
#include "elementary_loops.inc"
