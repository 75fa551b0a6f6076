// SPDX-License-Identifier: MIT
//
// Algebra that is exact to the bit, and the taking apart of vectors that were just put together.
// See simplify_priv.h.
#include <string.h>

#include "shader/pass/simplify_priv.h"

static const ir_value none;

static struct ir_op *definition(const struct simplifier *s, ir_value value) {
    return pass_definition(simplify_function(s), value);
}

static type_id type_of(const struct simplifier *s, ir_value value) {
    return ir_value_type(simplify_function(s), value);
}

// All components of a 32-bit constant have these bits.
static bool is_splat_of(const struct simplifier *s, ir_value value, uint32_t bits) {
    bool is_constant = false;
    const unsigned char *bytes = pass_constant_bytes(
        s->module, simplify_function(s), value, &is_constant);
    type_id type = type_of(s, value);
    enum type_kind element = is_constant
        ? type_kind_of(&s->module->types, type_element_of(&s->module->types, type))
        : TYPE_NONE;
    if (!is_constant || element == TYPE_F16 || element == TYPE_NONE) {
        return false;
    }
    uint32_t count = type_component_count(&s->module->types, type);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = 0;
        if (bytes != NULL) {
            memcpy(&word, bytes + 4u * i, sizeof(word));
        }
        if (word != bits) {
            return false;
        }
    }
    return true;
}

static bool is_zero(const struct simplifier *s, ir_value value) {
    return is_splat_of(s, value, 0);
}

static ir_value make_zero(struct simplifier *s, ir_op_id id, ir_value like) {
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    return ir_builder_zero(&b, type_of(s, like));
}

static bool is_commutative(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_ADD_I:
    case IR_MUL_I:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_EQ_I:
    case IR_NE_I:
    case IR_MIN_S:
    case IR_MAX_S:
    case IR_MIN_U:
    case IR_MAX_U:
    case IR_EQ_F:
    case IR_NE_F:
        return true;
    default: // add.f and mul.f too, but for which NaN comes out
        return false;
    }
}

static void order_operands(const struct simplifier *s, struct ir_op *op) {
    if (!is_commutative(op->opcode)) {
        return;
    }
    const struct ir_function *function = simplify_function(s);
    bool is_first_constant = ir_value_get(function, op->operands[0])->kind == IR_VALUE_CONSTANT;
    bool is_second_constant = ir_value_get(function, op->operands[1])->kind == IR_VALUE_CONSTANT;
    bool is_swapped = is_first_constant == is_second_constant
        ? op->operands[0].index > op->operands[1].index
        : is_first_constant;
    if (is_swapped) {
        ir_value first = op->operands[0];
        op->operands[0] = op->operands[1];
        op->operands[1] = first;
    }
}

// ---------------------------------------------------------------- numbers

static ir_value integer_algebra(struct simplifier *s, ir_op_id id, const struct ir_op *op) {
    ir_value a = op->operands[0];
    ir_value b = op->operands[1];
    bool is_same = a.index == b.index;
    switch (op->opcode) {
    case IR_ADD_I:
    case IR_SHL:
    case IR_SHR_S:
    case IR_SHR_U:
        return is_zero(s, b) ? a : none;
    case IR_SUB_I:
        return is_zero(s, b) ? a : is_same ? make_zero(s, id, a) : none;
    case IR_MUL_I:
        return is_splat_of(s, b, 1) ? a : is_zero(s, b) ? b : none;
    case IR_DIV_S:
    case IR_DIV_U:
        return is_splat_of(s, b, 1) ? a : none;
    case IR_AND:
        if (type_kind_of(&s->module->types, type_element_of(&s->module->types, type_of(s, a))) ==
            TYPE_BOOL) {
            return is_same || is_splat_of(s, b, 1) ? a : is_zero(s, b) ? b : none;
        }
        return is_same || is_splat_of(s, b, UINT32_MAX) ? a : is_zero(s, b) ? b : none;
    case IR_OR:
        if (type_kind_of(&s->module->types, type_element_of(&s->module->types, type_of(s, a))) ==
            TYPE_BOOL) {
            return is_same || is_zero(s, b) ? a : is_splat_of(s, b, 1) ? b : none;
        }
        return is_same || is_zero(s, b) ? a : is_splat_of(s, b, UINT32_MAX) ? b : none;
    case IR_XOR:
        return is_zero(s, b) ? a : is_same ? make_zero(s, id, a) : none;
    case IR_MIN_S:
    case IR_MAX_S:
    case IR_MIN_U:
    case IR_MAX_U:
        return is_same ? a : none;
    default:
        return none;
    }
}

// The exact reciprocal of a power of two whose result stays normal.
static bool reciprocal_bits(const struct simplifier *s, ir_value value, unsigned char *out_bytes) {
    bool is_constant = false;
    const unsigned char *bytes = pass_constant_bytes(
        s->module, simplify_function(s), value, &is_constant);
    type_id type = type_of(s, value);
    if (!is_constant || bytes == NULL ||
        type_kind_of(&s->module->types, type_element_of(&s->module->types, type)) != TYPE_F32) {
        return false;
    }
    uint32_t count = type_component_count(&s->module->types, type);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + 4u * i, sizeof(word));
        uint32_t exponent = (word >> 23) & 255u;
        if ((word & 0x7fffffu) != 0 || exponent < 1 || exponent > 253) {
            return false;
        }
        word = (word & 0x80000000u) | ((254u - exponent) << 23);
        memcpy(out_bytes + 4u * i, &word, sizeof(word));
    }
    return true;
}

static ir_value float_algebra(struct simplifier *s, ir_op_id id, struct ir_op *op) {
    ir_value a = op->operands[0];
    ir_value b = op->operands[1];
    unsigned char bytes[16] = {0};
    switch (op->opcode) {
    case IR_ADD_F: // x + -0 is x; x + 0 is not, for -0
        return is_splat_of(s, b, 0x80000000u) ? a : is_splat_of(s, a, 0x80000000u) ? b : none;
    case IR_SUB_F:
        return is_zero(s, b) ? a : none;
    case IR_MUL_F:
        return is_splat_of(s, b, 0x3f800000u) ? a : is_splat_of(s, a, 0x3f800000u) ? b : none;
    case IR_DIV_F:
        if (is_splat_of(s, b, 0x3f800000u)) {
            return a;
        }
        if (reciprocal_bits(s, b, bytes)) {
            struct ir_builder builder = ir_builder_before(s->module, s->function, id);
            ir_value factor = ir_builder_constant_bytes(&builder, type_of(s, b), bytes);
            if (factor.index != 0) {
                op = ir_op_get(simplify_function(s), id);
                op->opcode = IR_MUL_F;
                op->operands[1] = factor;
                s->change_count++;
            }
        }
        return none;
    default:
        return none;
    }
}

static enum ir_opcode inverse_of(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_EQ_I:
        return IR_NE_I;
    case IR_NE_I:
        return IR_EQ_I;
    case IR_LT_S:
        return IR_GE_S;
    case IR_LE_S:
        return IR_GT_S;
    case IR_GT_S:
        return IR_LE_S;
    case IR_GE_S:
        return IR_LT_S;
    case IR_LT_U:
        return IR_GE_U;
    case IR_LE_U:
        return IR_GT_U;
    case IR_GT_U:
        return IR_LE_U;
    case IR_GE_U:
        return IR_LT_U;
    case IR_EQ_F:
        return IR_NE_F;
    case IR_NE_F:
        return IR_EQ_F;
    default:
        return IR_OPCODE_COUNT;
    }
}

static ir_value unary_algebra(struct simplifier *s, struct ir_op *op) {
    const struct ir_op *inner = definition(s, op->operands[0]);
    if (inner == NULL) {
        return none;
    }
    if ((op->opcode == IR_NOT || op->opcode == IR_NEG_F || op->opcode == IR_NEG_I) &&
        inner->opcode == op->opcode) {
        return inner->operands[0];
    }
    if (op->opcode == IR_NOT && inverse_of(inner->opcode) != IR_OPCODE_COUNT) {
        ir_value operands[2] = {inner->operands[0], inner->operands[1]};
        if (pass_set_operands(s->module, op, operands, 2)) {
            op->opcode = inverse_of(inner->opcode);
            s->change_count++;
        }
    }
    if (op->opcode == IR_BITCAST && inner->opcode == IR_BITCAST) {
        op->operands[0] = inner->operands[0];
        s->change_count++;
    }
    return none;
}

// ---------------------------------------------------------------- vectors and choices

static ir_value select_algebra(struct simplifier *s, ir_op_id id, struct ir_op *op) {
    ir_value no = op->operands[0];
    ir_value yes = op->operands[1];
    ir_value condition = op->operands[2];
    bool is_scalar_bool = type_of(s, no).index == TYPE_BOOL;
    if (no.index == yes.index || is_zero(s, condition)) {
        return no;
    }
    if (is_splat_of(s, condition, 1)) {
        return yes;
    }
    if (!is_scalar_bool) {
        return none;
    }
    bool has_false = is_zero(s, no);
    if (has_false && is_splat_of(s, yes, 1)) {
        return condition;
    }
    // select(false, x, c) is c & x, select(x, true, c) is c | x.
    bool is_and = has_false;
    bool is_or = is_splat_of(s, yes, 1);
    if (is_and || is_or) {
        ir_value operands[2] = {condition, is_and ? yes : no};
        if (pass_set_operands(s->module, ir_op_get(simplify_function(s), id), operands, 2)) {
            ir_op_get(simplify_function(s), id)->opcode = is_and ? IR_AND : IR_OR;
            s->change_count++;
        }
    }
    return none;
}

// Component `index` of a vector without taking it out, none when it is not known.
static ir_value known_component(const struct simplifier *s, ir_value vector, uint32_t index) {
    const struct ir_op *op = definition(s, vector);
    while (op != NULL && op->opcode == IR_INSERT && op->data.index != index) {
        op = definition(s, op->operands[0]);
    }
    if (op == NULL) {
        return none;
    }
    switch (op->opcode) {
    case IR_CONSTRUCT:
        return index < op->operand_count ? op->operands[index] : none;
    case IR_SPLAT:
        return op->operands[0];
    case IR_INSERT:
        return op->operands[1];
    default:
        return none;
    }
}

static ir_value extract_algebra(struct simplifier *s, struct ir_op *op) {
    for (uint32_t step = 0; step < 64; step++) {
        ir_value known = known_component(s, op->operands[0], op->data.index);
        if (known.index != 0) {
            return known;
        }
        const struct ir_op *inner = definition(s, op->operands[0]);
        if (inner == NULL) {
            return none;
        }
        if (inner->opcode == IR_SWIZZLE) {
            op->data.index = inner->data.swizzle[op->data.index & 3];
            op->operands[0] = inner->operands[0];
        } else if (inner->opcode == IR_INSERT && inner->data.index != op->data.index) {
            op->operands[0] = inner->operands[0];
        } else {
            return none;
        }
        s->change_count++;
    }
    return none;
}

static ir_value swizzle_algebra(struct simplifier *s, ir_op_id id) {
    struct ir_op *op = ir_op_get(simplify_function(s), id);
    const struct ir_op *inner = definition(s, op->operands[0]);
    type_id type = type_of(s, op->first_result);
    uint32_t count = type_component_count(&s->module->types, type);
    if (inner != NULL && inner->opcode == IR_SWIZZLE) {
        for (uint32_t i = 0; i < count; i++) {
            op->data.swizzle[i] = inner->data.swizzle[op->data.swizzle[i] & 3];
        }
        op->operands[0] = inner->operands[0];
        s->change_count++;
    }
    if (count == 1) {
        uint32_t index = op->data.swizzle[0];
        op->opcode = IR_EXTRACT;
        op->data = (union ir_op_data){.index = index};
        s->change_count++;
        return extract_algebra(s, op);
    }
    bool is_identity = type_equals(type, type_of(s, op->operands[0]));
    ir_value components[4] = {{0}};
    uint32_t known_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        is_identity = is_identity && op->data.swizzle[i] == i;
        components[i] = known_component(s, op->operands[0], op->data.swizzle[i]);
        known_count += components[i].index != 0;
    }
    if (is_identity) {
        return op->operands[0];
    }
    if (known_count == count && pass_set_operands(s->module, op, components, count)) {
        op->opcode = IR_CONSTRUCT;
        op->data = (union ir_op_data){0};
        s->change_count++;
    }
    return none;
}

// construct(v.x, v.y, v.z) is v; construct(a, a, a) is a splat.
static ir_value construct_algebra(struct simplifier *s, struct ir_op *op) {
    if (type_kind_of(&s->module->types, type_of(s, op->first_result)) != TYPE_VECTOR) {
        return none;
    }
    bool is_splat = true;
    bool is_whole = true;
    ir_value source = none;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        is_splat = is_splat && op->operands[i].index == op->operands[0].index;
        const struct ir_op *inner = definition(s, op->operands[i]);
        if (inner == NULL || inner->opcode != IR_EXTRACT || inner->data.index != i ||
            (i != 0 && inner->operands[0].index != source.index)) {
            is_whole = false;
            continue;
        }
        source = inner->operands[0];
    }
    if (is_whole && type_equals(type_of(s, source), type_of(s, op->first_result))) {
        return source;
    }
    if (is_splat) {
        op->opcode = IR_SPLAT;
        op->operand_count = 1;
        s->change_count++;
    }
    return none;
}

ir_value simplify_algebra(struct simplifier *s, ir_op_id id) {
    struct ir_op *op = ir_op_get(simplify_function(s), id);
    order_operands(s, op);
    switch (op->opcode) {
    case IR_SELECT:
        return select_algebra(s, id, op);
    case IR_EXTRACT:
        return extract_algebra(s, op);
    case IR_SWIZZLE:
        return swizzle_algebra(s, id);
    case IR_CONSTRUCT:
        return construct_algebra(s, op);
    case IR_BITCAST:
        if (type_equals(type_of(s, op->first_result), type_of(s, op->operands[0]))) {
            return op->operands[0];
        }
        return unary_algebra(s, op);
    case IR_NOT:
    case IR_NEG_F:
    case IR_NEG_I:
        return unary_algebra(s, op);
    case IR_ADD_F:
    case IR_SUB_F:
    case IR_MUL_F:
    case IR_DIV_F:
        return float_algebra(s, id, op);
    case IR_ALL:
    case IR_ANY:
        return type_of(s, op->operands[0]).index == TYPE_BOOL ? op->operands[0] : none;
    default:
        return op->operand_count == 2 && op->result_count == 1 &&
                (ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) != 0 &&
                op->opcode != IR_ACCESS && op->opcode != IR_EXTRACT_DYNAMIC &&
                op->opcode != IR_INSERT
            ? integer_algebra(s, id, op)
            : none;
    }
}
