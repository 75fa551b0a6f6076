// SPDX-License-Identifier: MIT
//
// One vector operation to one operation for each component. See scalarise_priv.h.
#include <string.h>

#include "shader/pass/scalarise_priv.h"

static type_id type_of(const struct scalariser *s, ir_value value) {
    return ir_value_type(scalarise_function(s), value);
}

const ir_value *scalarise_components(struct scalariser *s, struct ir_builder *b, ir_value vector) {
    const struct ir_value_info *info = ir_value_get(scalarise_function(s), vector);
    if (vector.index < s->value_count && s->components[vector.index] != NULL) {
        return s->components[vector.index];
    }
    ir_value *components = ARENA_ARRAY(s->scratch, ir_value, 4);
    if (components == NULL) {
        return NULL;
    }
    uint32_t count = scalarise_count(s, vector);
    type_id type = info->type;
    type_id element = type_element_of(&s->module->types, type);
    bool is_constant = info->kind == IR_VALUE_CONSTANT;
    uint32_t constant = info->definition;
    for (uint32_t i = 0; i < count && !s->module->has_failed; i++) {
        if (is_constant) {
            const unsigned char *bytes = s->module->constants.items[constant].bytes;
            uint32_t offset_bytes = type_element_offset(&s->module->types, type, i);
            components[i] = ir_builder_constant_bytes(
                b, element, bytes == NULL ? NULL : bytes + offset_bytes);
        } else {
            components[i] = ir_builder_extract(b, vector, i);
        }
    }
    if (vector.index < s->value_count) {
        s->components[vector.index] = components;
    }
    return s->module->has_failed ? NULL : components;
}

// A vector operand of an operation that stays: built again from its components.
static bool rebuild_operand(
    struct scalariser *s, struct ir_builder *b, ir_op_id id, uint32_t position) {
    ir_value vector = ir_op_get(scalarise_function(s), id)->operands[position];
    if (!scalarise_is_vector(s, type_of(s, vector)) ||
        ir_value_get(scalarise_function(s), vector)->kind == IR_VALUE_CONSTANT) {
        return true;
    }
    const ir_value *components = scalarise_components(s, b, vector);
    TRY(components != NULL);
    ir_value built = ir_builder_construct(
        b, type_of(s, vector), components, scalarise_count(s, vector));
    TRY(built.index != 0);
    ir_op_get(scalarise_function(s), id)->operands[position] = built;
    return true;
}

static bool set_components(struct scalariser *s, ir_value result, const ir_value *components) {
    ir_value *copy = arena_copy(s->scratch, components, 4 * sizeof(ir_value));
    TRY(copy != NULL);
    s->components[result.index] = copy;
    return !s->module->has_failed;
}

// Component `i` of each operand; scalars serve all components.
static bool gather(struct scalariser *s, struct ir_builder *b, const struct ir_op *op, uint32_t i,
    ir_value *out_operands) {
    for (uint32_t k = 0; k < op->operand_count; k++) {
        out_operands[k] = op->operands[k];
        if (scalarise_is_vector(s, type_of(s, op->operands[k]))) {
            const ir_value *components = scalarise_components(s, b, op->operands[k]);
            TRY(components != NULL);
            out_operands[k] = components[i];
        }
    }
    return true;
}

static bool split_component_wise(
    struct scalariser *s, struct ir_builder *b, const struct ir_op *op) {
    ir_value components[4] = {{0}};
    uint32_t count = scalarise_count(s, op->first_result);
    type_id element = type_element_of(&s->module->types, type_of(s, op->first_result));
    for (uint32_t i = 0; i < count; i++) {
        ir_value operands[4];
        TRY(gather(s, b, op, i, operands));
        components[i] = ir_builder_op(
            b, op->opcode, operands, op->operand_count, &element, 1, op->data);
    }
    return set_components(s, op->first_result, components);
}

static bool split_swizzle(struct scalariser *s, struct ir_builder *b, const struct ir_op *op) {
    const ir_value *from = scalarise_components(s, b, op->operands[0]);
    TRY(from != NULL);
    ir_value components[4] = {{0}};
    uint32_t count = scalarise_count(s, op->first_result);
    for (uint32_t i = 0; i < count; i++) {
        components[i] = from[op->data.swizzle[i]];
    }
    if (count == 1) {
        pass_map_set(&s->map, op->first_result, components[0]);
        return true;
    }
    return set_components(s, op->first_result, components);
}

static bool split_insert(struct scalariser *s, struct ir_builder *b, const struct ir_op *op) {
    const ir_value *from = scalarise_components(s, b, op->operands[0]);
    TRY(from != NULL);
    ir_value components[4];
    memcpy(components, from, sizeof(components));
    components[op->data.index] = op->operands[1];
    return set_components(s, op->first_result, components);
}

static bool split_reduction(struct scalariser *s, struct ir_builder *b, const struct ir_op *op) {
    const ir_value *from = scalarise_components(s, b, op->operands[0]);
    TRY(from != NULL);
    uint32_t count = scalarise_count(s, op->operands[0]);
    ir_value result = from[0];
    for (uint32_t i = 1; i < count; i++) {
        result = ir_builder_binary(b, op->opcode == IR_ALL ? IR_AND : IR_OR, result, from[i]);
    }
    pass_map_set(&s->map, op->first_result, result);
    return !s->module->has_failed;
}

static bool is_component_wise(const struct scalariser *s, const struct ir_op *op) {
    const struct ir_op_info *info = ir_op_get_info(op->opcode);
    if ((info->flags & IR_FLAG_POLYFILL) != 0 || op->operand_count > 4) {
        return false;
    }
    switch (info->family) {
    case IR_FAMILY_UNARY:
    case IR_FAMILY_BINARY:
    case IR_FAMILY_TERNARY:
    case IR_FAMILY_COMPARE:
    case IR_FAMILY_SHIFT:
    case IR_FAMILY_EXTRACT_BITS:
    case IR_FAMILY_INSERT_BITS:
    case IR_FAMILY_CONVERT:
    case IR_FAMILY_SELECT:
        return true;
    case IR_FAMILY_BITCAST:
        // Between f16 and 32-bit vectors components do not correspond.
        return scalarise_count(s, op->operands[0]) == scalarise_count(s, op->first_result);
    default:
        return false;
    }
}

bool scalarise_operation(struct scalariser *s, ir_op_id id, bool *out_replaced) {
    struct ir_op op = *ir_op_get(scalarise_function(s), id);
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    bool has_vector_result = op.result_count == 1 &&
        scalarise_is_vector(s, type_of(s, op.first_result));
    bool has_vector_operand = false;
    for (uint32_t i = 0; i < op.operand_count; i++) {
        has_vector_operand = has_vector_operand ||
            scalarise_is_vector(s, type_of(s, op.operands[i]));
    }
    *out_replaced = false;
    if (!has_vector_operand && !has_vector_result) {
        return true;
    }
    *out_replaced = true;
    if (has_vector_result && is_component_wise(s, &op)) {
        return split_component_wise(s, &b, &op);
    }
    switch (op.opcode) {
    case IR_CONSTRUCT:
        if (has_vector_result) {
            ir_value components[4] = {{0}};
            memcpy(components, op.operands, op.operand_count * sizeof(ir_value));
            return set_components(s, op.first_result, components);
        }
        break;
    case IR_SPLAT: {
        ir_value all[4] = {op.operands[0], op.operands[0], op.operands[0], op.operands[0]};
        return set_components(s, op.first_result, all);
    }
    case IR_EXTRACT: {
        const ir_value *from = scalarise_components(s, &b, op.operands[0]);
        TRY(from != NULL);
        if (from[op.data.index].index == op.first_result.index) {
            *out_replaced = false; // a component of a parameter, taken where the body begins
            return true;
        }
        pass_map_set(&s->map, op.first_result, from[op.data.index]);
        return true;
    }
    case IR_SWIZZLE:
        return split_swizzle(s, &b, &op);
    case IR_INSERT:
        return split_insert(s, &b, &op);
    case IR_ALL:
    case IR_ANY:
        return split_reduction(s, &b, &op);
    default:
        break;
    }
    // It stays: vectors in, and components of the vector that comes out.
    *out_replaced = false;
    for (uint32_t i = 0; i < op.operand_count; i++) {
        TRY(rebuild_operand(s, &b, id, i));
    }
    if (has_vector_result) {
        struct ir_builder after = ir_builder_before(s->module, s->function, op.next);
        after.span = op.span;
        TRY(scalarise_components(s, &after, op.first_result) != NULL);
    }
    return true;
}
