// Continuing a fit: the trees that are already there, and whether new data and parameters would have made them.
#pragma once

#include "primitives/contract/table.h"
#include "samebits/boosting.hpp"

#include <vector>

namespace samebits::boosting {

// Nodes of tree `tree` for the walk over binned rows.
std::vector<sb_binned_node> binned_nodes(const Trees& trees, std::uint32_t tree);

// Copies tree `tree` behind those of `model`.
void append_tree(const Trees& from, std::uint32_t tree, Model* model);

// Refuses, by what differs first, a `start` whose loss, start values or bin edges are not those of `fresh`, the model
// without trees that the present data give; or that has more trees than `n_estimators`.
void check_same_beginning(const Model& fresh, const Model& start, std::uint32_t n_estimators);

// Refuses when tree `tree`, grown again, is not the one of `start` in every bit.
void check_same_tree(const Model& grown, const Model& start, std::uint32_t tree);

}  // namespace samebits::boosting
