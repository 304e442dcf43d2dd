/* The table (contract -> function) that every backend fills. A NULL entry is a missing row: the core refuses by
   naming the contract and the backend; nothing falls back silently. Append only; a change of meaning is a new row. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_TABLE_H
#define SAMEBITS_PRIMITIVES_CONTRACT_TABLE_H

#include "primitives/contract/add_leaf_values.h"
#include "primitives/contract/add_tree_binned.h"
#include "primitives/contract/bin_assign.h"
#include "primitives/contract/center_to_f32.h"
#include "primitives/contract/elementary_map.h"
#include "primitives/contract/ensemble_predict.h"
#include "primitives/contract/fill_f32.h"
#include "primitives/contract/gemm.h"
#include "primitives/contract/gradients.h"
#include "primitives/contract/histogram_build.h"
#include "primitives/contract/histogram_subtract.h"
#include "primitives/contract/iota_u32.h"
#include "primitives/contract/loss_sum.h"
#include "primitives/contract/partition_rows.h"
#include "primitives/contract/quantile_cuts.h"
#include "primitives/contract/reduce_sum.h"
#include "primitives/contract/row_sample.h"
#include "primitives/contract/split_find.h"
#include "runtime/backend_abi.h"

/* X(name): contract name/1, arguments sb_<name>_args. */
#define SB_FOR_EACH_PRIMITIVE(X) \
  X(reduce_sum)                  \
  X(quantile_cuts)               \
  X(bin_assign)                  \
  X(gradients)                   \
  X(loss_sum)                    \
  X(row_sample)                  \
  X(histogram_build)             \
  X(histogram_subtract)          \
  X(split_find)                  \
  X(partition_rows)              \
  X(add_leaf_values)             \
  X(add_tree_binned)             \
  X(ensemble_predict)            \
  X(fill_f32)                    \
  X(iota_u32)                    \
  X(elementary_map)              \
  X(center_to_f32)               \
  X(gemm)

typedef struct sb_primitives {
#define SB_ROW(name) sb_status (*name)(sb_context*, const sb_##name##_args*);
  SB_FOR_EACH_PRIMITIVE(SB_ROW)
#undef SB_ROW
} sb_primitives;

#endif
