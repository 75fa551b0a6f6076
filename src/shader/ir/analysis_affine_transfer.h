// SPDX-License-Identifier: MIT
//
// The facts of one value during the affine analysis and their transfer through operations. Shared
// by analysis_affine.c (propagation), analysis_affine_transfer.c (one operation) and the pass that
// proves bounds. Pure.
#pragma once

#include "shader/ir/analysis_affine.h"

// Facts with a lattice's top: nothing reached the value yet.
struct affine_fact {
    bool is_reached;
    struct ir_affine_value v;
};

#define AFFINE_ALIGNMENT_MAX (UINT32_C(1) << 31)

// Nothing known of an i32 or u32.
struct affine_fact affine_unknown(bool is_signed);
struct affine_fact affine_constant(bool is_signed, uint32_t bits);
// A power of two that divides the value in every lane.
uint32_t affine_lane_alignment(const struct ir_affine_value *value);
// Either of two facts, the choice being the same in all lanes of a vector or not.
struct affine_fact affine_join(const struct affine_fact *a, const struct affine_fact *b,
    bool is_choice_uniform, bool is_signed);
// The result of an integer operation. Operands that are not integers are NULL. width: lanes.
struct affine_fact affine_transfer(enum ir_opcode opcode, bool is_signed,
    const struct ir_affine_value *const *operands, uint32_t operand_count, uint32_t width);
