// SPDX-License-Identifier: MIT
//
// Between the polyfill_*.c files: what each rewrites, and short forms of the builder. An
// operation's operands are scalars or vectors of one shape; numbers are spread over that shape.
#pragma once

#include "shader/pass/pass_priv.h"

// Each builds the operation's replacement at the cursor and gives its value, index 0 for an opcode
// that it does not know. The result may hold simpler POLYFILL operations: the driver runs until
// none is left.
ir_value polyfill_exponential(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);
ir_value polyfill_trigonometry(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);
ir_value polyfill_hyperbolic(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);
ir_value polyfill_common(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);
ir_value polyfill_pack(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);
ir_value polyfill_vector(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);
ir_value polyfill_matrix(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x);

// clang-format off
static inline type_id type_of(const struct ir_builder *b, ir_value x) {
    return ir_value_type(pass_function(b), x);
}
// A constant of x's shape and type.
static inline ir_value number_like(struct ir_builder *b, ir_value x, double number) {
    return b->module->has_failed ? (ir_value){0} : pass_number(b, type_of(b, x), number);
}
static inline ir_value add(struct ir_builder *b, ir_value x, ir_value y) { return ir_builder_binary(b, IR_ADD_F, x, y); }
static inline ir_value sub(struct ir_builder *b, ir_value x, ir_value y) { return ir_builder_binary(b, IR_SUB_F, x, y); }
static inline ir_value mul(struct ir_builder *b, ir_value x, ir_value y) { return ir_builder_binary(b, IR_MUL_F, x, y); }
static inline ir_value divide(struct ir_builder *b, ir_value x, ir_value y) { return ir_builder_binary(b, IR_DIV_F, x, y); }
static inline ir_value addn(struct ir_builder *b, ir_value x, double n) { return add(b, x, number_like(b, x, n)); }
static inline ir_value muln(struct ir_builder *b, ir_value x, double n) { return mul(b, x, number_like(b, x, n)); }
static inline ir_value negate(struct ir_builder *b, ir_value x) { return ir_builder_unary(b, IR_NEG_F, x); }
static inline ir_value absolute(struct ir_builder *b, ir_value x) { return ir_builder_unary(b, IR_ABS_F, x); }
static inline ir_value square_root(struct ir_builder *b, ir_value x) { return ir_builder_unary(b, IR_SQRT, x); }
static inline ir_value round_even(struct ir_builder *b, ir_value x) { return ir_builder_unary(b, IR_ROUND, x); }
static inline ir_value binary(struct ir_builder *b, enum ir_opcode op, ir_value x, ir_value y) { return ir_builder_binary(b, op, x, y); }
static inline ir_value binaryn(struct ir_builder *b, enum ir_opcode op, ir_value x, double n) { return ir_builder_binary(b, op, x, number_like(b, x, n)); }
// condition ? yes : no
static inline ir_value choose(struct ir_builder *b, ir_value condition, ir_value yes, ir_value no) { return ir_builder_select(b, no, yes, condition); }
static inline ir_value choosen(struct ir_builder *b, ir_value condition, double yes, ir_value no) { return ir_builder_select(b, no, number_like(b, no, yes), condition); }
// Reinterpretation and conversion, shape kept.
static inline ir_value as_kind(struct ir_builder *b, ir_value x, enum type_kind kind) {
    return b->module->has_failed ? x : ir_builder_convert(b, IR_BITCAST, pass_shape(b, type_of(b, x), kind), x);
}
static inline ir_value convert(struct ir_builder *b, enum ir_opcode op, ir_value x, enum type_kind kind) {
    return b->module->has_failed ? x : ir_builder_convert(b, op, pass_shape(b, type_of(b, x), kind), x);
}
// Shifts by a constant count; the count is u32 of the same shape.
static inline ir_value shift(struct ir_builder *b, enum ir_opcode op, ir_value x, uint32_t count) {
    return b->module->has_failed ? x : ir_builder_binary(b, op, x, pass_number(b, pass_shape(b, type_of(b, x), TYPE_U32), count));
}
static inline ir_value bits_and(struct ir_builder *b, ir_value x, uint32_t bits) { return binaryn(b, IR_AND, x, bits); }
static inline ir_value bits_or(struct ir_builder *b, ir_value x, ir_value y) { return binary(b, IR_OR, x, y); }
// clang-format on

// c[0] + x * (c[1] + x * (c[2] + ...)), by multiplications and additions.
static inline ir_value polynomial(
    struct ir_builder *b, ir_value x, const double *coefficients, uint32_t count) {
    ir_value sum = number_like(b, x, coefficients[count - 1]);
    for (uint32_t i = count - 1; i-- > 0;) {
        sum = addn(b, mul(b, sum, x), coefficients[i]);
    }
    return sum;
}
#define POLYNOMIAL(b, x, coefficients) \
    polynomial( \
        (b), (x), (coefficients), (uint32_t)(sizeof(coefficients) / sizeof((coefficients)[0])))
