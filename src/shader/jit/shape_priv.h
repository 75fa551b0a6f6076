// SPDX-License-Identifier: MIT
//
// What the shape analysis's walk (shape.c) and its rules for single operations (shape_rule.c) share.
#pragma once

#include "shader/jit/jit_priv.h"

struct walk_frame {
    ir_op_id op;
};

struct analyser {
    struct emit *emit;
    const struct ir_module *module;
    const struct ir_function *function;
    struct function_facts *facts;
    VECTOR(struct walk_frame) frames; // heap
    bool has_changed;
    bool is_widening;
    bool has_failed;
};

static const struct shape shape_varying = {SHAPE_VARYING, 0};

struct shape shape_join(struct shape a, struct shape b);
// Joins into what is known; notes a change.
void shape_raise(struct analyser *a, ir_value value, uint32_t component, struct shape shape);
void shape_raise_all(struct analyser *a, ir_value value, struct shape shape);
struct shape shape_get(struct analyser *a, ir_value value, uint32_t component);
// The results of an operation without regions.
void shape_apply_rule(struct analyser *a, const struct ir_op *op);
