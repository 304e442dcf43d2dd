#define SB_TEST_TABLE sb_test_loops_baseline
#include "elementary_loops.inc"
