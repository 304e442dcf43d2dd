// One instruction set's build of the kernels: compiled once per entry of SAMEBITS_CPU_ISAS with SAMEBITS_ISA set.
#include "backends/cpu/kernels/binning.h"
#include "backends/cpu/kernels/center.h"
#include "backends/cpu/kernels/gemm.h"
#include "backends/cpu/kernels/histogram.h"
#include "backends/cpu/kernels/loss.h"
#include "backends/cpu/kernels/map.h"
#include "backends/cpu/kernels/predict.h"
#include "backends/cpu/kernels/reduce.h"
#include "backends/cpu/kernels/rows.h"
#include "backends/cpu/kernels/split.h"

#define SB_PASTE2(a, b) a##b
#define SB_PASTE(a, b) SB_PASTE2(a, b)
#define SB_TEXT2(a) #a
#define SB_TEXT(a) SB_TEXT2(a)

extern "C" const sb_cpu_kernels* SB_PASTE(sb_cpu_kernels_, SAMEBITS_ISA)(void) {
  static const sb_cpu_kernels table = {SB_TEXT(SAMEBITS_ISA),
                                       gather_gh,
                                       gather_codes,
                                       histogram_group,
                                       histogram_flush,
                                       histogram_direct,
                                       histogram_subtract,
                                       histogram_add,
                                       split_feature,
                                       partition,
                                       sample_rows,
                                       add_leaf_value,
                                       add_tree_binned,
                                       gradients,
                                       quantise_gradients,
                                       loss_max,
                                       loss_sum,
                                       center_max,
                                       center,
                                       assign_f32,
                                       assign_f64,
                                       predict_f32,
                                       predict_f64,
                                       reduce_tiles,
                                       map,
                                       SB_GEMM_ROWS,
                                       SB_GEMM_COLUMNS(f32),
                                       SB_GEMM_COLUMNS(f64),
                                       gemm_pack_f32,
                                       gemm_pack_f64,
                                       gemm_strip_f32,
                                       gemm_strip_f64};
  return &table;
}
