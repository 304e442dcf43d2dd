// The loops compiled as the test program itself is.
#define SB_TEST_TABLE sb_test_loops_native
#include "elementary_loops.inc"
