// SPDX-License-Identifier: MIT
//
// Evaluation of single operations on constant bytes, straight from the C expressions of op.def: the
// constant folder, the override evaluator and the interpreter share it. Pure functions, any thread.
#pragma once

#include "shader/ir/ir.h"

// Evaluates a pure operation (component-wise families, conversions, bitcast, composites, packing,
// vector and matrix functions) whose operands are given as bytes in IR-constant layout; writes the
// result's bytes. False for an operation that cannot be evaluated this way.
bool ir_fold_op(const struct type_table *types, const struct ir_op *op, type_id result_type,
                const type_id *operand_types, const void *const *operand_bytes, void *out_bytes);
