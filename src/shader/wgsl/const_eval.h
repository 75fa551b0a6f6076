// SPDX-License-Identifier: MIT
//
// Evaluation of const-expressions (WGSL §const Expressions, §Arithmetic Expressions, §Numeric
// Built-in Functions). The checker calls it with operands that are already converted to the types
// that the chosen overload asks for. What the specification makes a shader-creation error is
// reported at the evaluator's span, and NULL comes back. One thread at a time.
#pragma once

#include "shader/wgsl/builtin_table.h"
#include "shader/wgsl/const_value.h"
#include "shader/wgsl/diagnostic.h"

struct const_evaluator {
    struct arena *arena;
    struct type_table *types;
    struct builtin_structures *structures;
    struct diagnostic_list *diagnostics;
    struct source_span span; // of the expression being evaluated
};

// To another type of the same shape: automatic conversions and the conversions T(e). An abstract
// value that does not fit is an error.
const struct const_value *const_convert(
    struct const_evaluator *evaluator, const struct const_value *value, type_id to);
// id is BUILTIN_OPERATOR_*; right is NULL for unary operators. Not && and ||, which the checker
// short-circuits.
const struct const_value *const_eval_operator(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *left, const struct const_value *right, type_id result);
// A built-in function with BUILTIN_FLAG_CONST, except bitcast.
const struct const_value *const_eval_builtin(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, uint32_t count, type_id result);
const struct const_value *const_eval_bitcast(
    struct const_evaluator *evaluator, const struct const_value *value, type_id to);
// The checks that hold as soon as some arguments are constant (NULL: not constant), whatever the
// others are: clamp, smoothstep, extractBits, insertBits, ldexp; and for operators a constant
// divisor of zero or a shift amount that is too large. `kind` is the result's element. True when
// there is nothing to report.
bool const_check_builtin(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const struct const_value *const *arguments, uint32_t count);
bool const_check_operator(struct const_evaluator *evaluator, uint32_t id, type_id left_type,
    const struct const_value *right);
// A vector or matrix from scalars and vectors laid one after the other (already of its element
// type).
const struct const_value *const_eval_flatten(struct const_evaluator *evaluator, type_id type,
    const struct const_value *const *arguments, uint32_t count);
