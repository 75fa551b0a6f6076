// SPDX-License-Identifier: MIT
//
// What the files of the folder share. Operand bytes are in IR-constant layout, as in ir_fold.h; the
// operation is a valid one. Pure functions, any thread.
#pragma once

#include "shader/ir/ir_fold.h"

struct ir_fold {
    const struct type_table *types;
    const struct ir_op *op;
    type_id result_type;
    const type_id *operand_types;
    const unsigned char *const *operands;
    unsigned char *out;
};

// One component of a component-wise operation, by the element type of operand 0: `operands` point to
// the components, `result_is_half` says that a float result is to be written as f16. False where
// op.def has no expression for that element.
bool ir_fold_component(enum ir_opcode opcode, enum type_kind element, bool result_is_half,
    const unsigned char *const *operands, unsigned char *out);
bool ir_fold_composite(const struct ir_fold *fold);
bool ir_fold_packing(const struct ir_fold *fold);
bool ir_fold_vector(const struct ir_fold *fold);
