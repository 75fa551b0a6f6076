// SPDX-License-Identifier: MIT
//
// Between the const_eval_*.c files: component-wise application and errors. See const_eval.h.
#pragma once

#include "shader/wgsl/const_eval.h"
#include "shader/wgsl/const_scalar.h"

#define CONST_COMPONENT_LIMIT 16

// One result component from the arguments' components; `kind` is the element kind of the first
// argument. False when an error was reported.
typedef bool (*const_component_function)(struct const_evaluator *evaluator, uint32_t id,
    enum type_kind kind, const union const_scalar *arguments, union const_scalar *out);

// Applies it to every component of `result`; scalar arguments are repeated.
const struct const_value *const_apply(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, uint32_t count, type_id result,
    const_component_function function);
enum type_kind const_element_kind(
    const struct const_evaluator *evaluator, const struct const_value *value);
// Rounds to the type and reports an infinite or undefined result.
bool const_finish_real(
    struct const_evaluator *evaluator, enum type_kind kind, double value, union const_scalar *out);
bool const_fail(struct const_evaluator *evaluator, enum diagnostic_code code, const char *format,
    ...) TEXT_PRINTF(3, 4);

// The families. Each is called only with its own functions.
bool const_numeric_component(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *arguments, union const_scalar *out);
bool const_bit_component(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *arguments, union const_scalar *out);
const struct const_value *const_eval_vector(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, type_id result);
const struct const_value *const_eval_packing(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, type_id result);
// left and right hold a matrix or vector; the product by WGSL §Arithmetic Expressions.
const struct const_value *const_eval_matrix_product(struct const_evaluator *evaluator,
    const struct const_value *left, const struct const_value *right, type_id result);
// The sum of count products left to right, each step rounded to the type. Strides in components.
bool const_dot(struct const_evaluator *evaluator, enum type_kind kind,
    const union const_scalar *left, uint32_t left_stride, const union const_scalar *right,
    uint32_t right_stride, uint32_t count, union const_scalar *out);

#define CONST_F16_MAXIMUM 65504.0
