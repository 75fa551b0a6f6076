// SPDX-License-Identifier: MIT
//
// Rewrites the single operations that make or take composite values. See split_priv.h.
#include <string.h>

#include "shader/pass/split_priv.h"

// An array or matrix of at most so many elements is indexed by a chain of selects.
#define SELECT_LIMIT 4u

static type_id type_of(const struct split_state *s, ir_value value) {
    return ir_value_type(&s->module->functions.items[s->function], value);
}

static bool set_form(struct split_state *s, ir_value value, struct split_form form) {
    s->forms[value.index] = form;
    return !s->module->has_failed;
}

static bool set_leaves(struct split_state *s, ir_value value, ir_value *leaves) {
    return leaves != NULL &&
        set_form(s, value, (struct split_form){.kind = SPLIT_LEAVES, .leaves = leaves});
}

// The leaves of any operand: a scalar or vector is its own.
static ir_value *operand_leaves(struct split_state *s, struct ir_builder *b, ir_value value) {
    type_id type = type_of(s, value);
    if (!split_is_composite(s, type)) {
        ir_value *one = ARENA_NEW(s->scratch, ir_value);
        if (one != NULL) {
            *one = value;
        }
        return one;
    }
    struct split_form *form = split_get_form(s, value);
    return form == NULL ? NULL : split_get_leaves(s, b, form, type);
}

static ir_value copy_to_var(
    struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type) {
    (void)s;
    ir_value var = ir_builder_var(b, type, (struct text){"", 0});
    union ir_op_data data = {0};
    ir_builder_op(b, IR_COPY_MEMORY, (ir_value[]){var, pointer}, 2, NULL, 0, data);
    return var;
}

static bool split_construct(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->first_result);
    if (!split_is_small(s, type)) {
        ir_value var = ir_builder_var(b, type, (struct text){"", 0});
        for (uint32_t i = 0; i < op->operand_count && !s->module->has_failed; i++) {
            TRY(split_store(s, b, split_access_number(b, var, i), op->operands[i]));
        }
        return set_form(
            s, op->first_result, (struct split_form){.kind = SPLIT_MEMORY, .pointer = var});
    }
    ir_value *leaves = ARENA_ARRAY(s->scratch, ir_value, (size_t)split_leaf_count(s, type) + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; leaves != NULL && i < op->operand_count; i++) {
        uint32_t count = split_leaf_count(s, type_of(s, op->operands[i]));
        const ir_value *from = operand_leaves(s, b, op->operands[i]);
        TRY(from != NULL);
        memcpy(leaves + at, from, count * sizeof(ir_value));
        at += count;
    }
    return set_leaves(s, op->first_result, leaves);
}

// Leaves before element `index`.
static uint32_t leaf_offset(struct split_state *s, type_id type, uint32_t index) {
    uint32_t offset = 0;
    if (type_kind_of(&s->module->types, type) != TYPE_STRUCT) {
        return index * split_leaf_count(s, type_element_at(&s->module->types, type, 0));
    }
    for (uint32_t i = 0; i < index; i++) {
        offset += split_leaf_count(s, type_element_at(&s->module->types, type, i));
    }
    return offset;
}

// Gives the result of an extracting operation: leaves of the element type.
static bool set_extracted(struct split_state *s, ir_value result, ir_value *leaves) {
    TRY(leaves != NULL);
    if (split_is_composite(s, type_of(s, result))) {
        return set_leaves(s, result, leaves);
    }
    pass_map_set(&s->map, result, leaves[0]);
    return true;
}

static bool set_from_memory(
    struct split_state *s, struct ir_builder *b, ir_value result, ir_value pointer) {
    type_id type = type_of(s, result);
    if (split_is_composite(s, type)) {
        return set_form(s, result, split_form_of_memory(s, b, pointer, type));
    }
    pass_map_set(&s->map, result, ir_builder_load(b, pointer));
    return !s->module->has_failed;
}

static bool split_extract(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    ir_value composite = op->operands[0];
    type_id type = type_of(s, composite);
    struct split_form *form = split_get_form(s, composite);
    TRY(form != NULL);
    if (split_is_small(s, type)) {
        ir_value *leaves = split_get_leaves(s, b, form, type);
        TRY(leaves != NULL);
        return set_extracted(s, op->first_result, leaves + leaf_offset(s, type, op->data.index));
    }
    if (form->kind == SPLIT_CONSTANT) {
        const unsigned char *bytes = s->module->constants.items[form->constant].bytes;
        if (bytes != NULL) {
            bytes += type_element_offset(&s->module->types, type, op->data.index);
        }
        uint32_t constant = ir_constant_create(s->module, type_of(s, op->first_result), bytes);
        TRY(constant != UINT32_MAX);
        if (split_is_composite(s, type_of(s, op->first_result))) {
            return set_form(s, op->first_result,
                (struct split_form){.kind = SPLIT_CONSTANT, .constant = constant});
        }
        pass_map_set(&s->map, op->first_result, ir_builder_constant(b, constant));
        return !s->module->has_failed;
    }
    return set_from_memory(
        s, b, op->first_result, split_access_number(b, form->pointer, op->data.index));
}

static ir_value *insert_leaves(struct split_state *s, struct ir_builder *b, const struct ir_op *op,
    uint32_t offset, uint32_t count) {
    type_id type = type_of(s, op->operands[0]);
    const ir_value *old = operand_leaves(s, b, op->operands[0]);
    const ir_value *element = operand_leaves(s, b, op->operands[1]);
    uint32_t total = split_leaf_count(s, type);
    ir_value *leaves = ARENA_ARRAY(s->scratch, ir_value, (size_t)total + 1);
    if (old == NULL || element == NULL || leaves == NULL) {
        return NULL;
    }
    memcpy(leaves, old, total * sizeof(ir_value));
    memcpy(leaves + offset, element, count * sizeof(ir_value));
    return leaves;
}

static bool split_insert(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->operands[0]);
    if (split_is_small(s, type)) {
        return set_leaves(s, op->first_result,
            insert_leaves(s, b, op, leaf_offset(s, type, op->data.index),
                split_leaf_count(s, type_of(s, op->operands[1]))));
    }
    struct split_form *form = split_get_form(s, op->operands[0]);
    TRY(form != NULL);
    ir_value var = copy_to_var(s, b, split_materialise(s, b, form, type), type);
    TRY(!s->module->has_failed);
    TRY(split_store(s, b, split_access_number(b, var, op->data.index), op->operands[1]));
    return set_form(s, op->first_result, (struct split_form){.kind = SPLIT_MEMORY, .pointer = var});
}

static ir_value is_index(
    struct split_state *s, struct ir_builder *b, ir_value index, uint32_t number) {
    return ir_builder_binary(b, IR_EQ_I, index, pass_number(b, type_of(s, index), number));
}

static bool extract_by_select(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->operands[0]);
    type_id element = type_of(s, op->first_result);
    uint32_t count = split_element_count(s, type);
    uint32_t leaf_count = split_leaf_count(s, element);
    const ir_value *leaves = operand_leaves(s, b, op->operands[0]);
    ir_value *results = ARENA_ARRAY(s->scratch, ir_value, (size_t)leaf_count + 1);
    if (leaves == NULL || results == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        ir_value chosen = is_index(s, b, op->operands[1], i);
        for (uint32_t k = 0; k < leaf_count && !s->module->has_failed; k++) {
            ir_value leaf = leaves[i * leaf_count + k];
            if (i == 0) {
                results[k] = ir_builder_zero(b, type_of(s, leaf));
            }
            results[k] = ir_builder_select(b, results[k], leaf, chosen);
        }
    }
    return set_extracted(s, op->first_result, results);
}

static bool split_extract_dynamic(
    struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->operands[0]);
    struct split_form *form = split_get_form(s, op->operands[0]);
    TRY(form != NULL);
    if (form->kind != SPLIT_CONSTANT && split_is_small(s, type) &&
        split_element_count(s, type) <= SELECT_LIMIT) {
        return extract_by_select(s, b, op);
    }
    ir_value pointer = split_materialise(s, b, form, type);
    return set_from_memory(
        s, b, op->first_result, ir_builder_access(b, pointer, &op->operands[1], 1));
}

static bool insert_by_select(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->operands[0]);
    uint32_t leaf_count = split_leaf_count(s, type_of(s, op->operands[1]));
    ir_value *leaves = insert_leaves(s, b, op, 0, 0);
    const ir_value *element = operand_leaves(s, b, op->operands[1]);
    if (leaves == NULL || element == NULL) {
        return false;
    }
    uint32_t count = split_element_count(s, type);
    for (uint32_t i = 0; i < count; i++) {
        ir_value chosen = is_index(s, b, op->operands[2], i);
        for (uint32_t k = 0; k < leaf_count && !s->module->has_failed; k++) {
            ir_value *leaf = &leaves[i * leaf_count + k];
            *leaf = ir_builder_select(b, *leaf, element[k], chosen);
        }
    }
    return set_leaves(s, op->first_result, leaves);
}

static bool split_insert_dynamic(
    struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->operands[0]);
    struct split_form *form = split_get_form(s, op->operands[0]);
    TRY(form != NULL);
    ir_value var = {0};
    if (split_is_small(s, type)) {
        if (split_element_count(s, type) <= SELECT_LIMIT) {
            return insert_by_select(s, b, op);
        }
        var = ir_builder_var(b, type, (struct text){"", 0});
        TRY(split_store(s, b, var, op->operands[0]));
    } else {
        var = copy_to_var(s, b, split_materialise(s, b, form, type), type);
    }
    TRY(!s->module->has_failed);
    ir_value element = ir_builder_access(b, var, &op->operands[2], 1);
    TRY(!s->module->has_failed);
    TRY(split_store(s, b, element, op->operands[1]));
    return set_form(s, op->first_result, split_form_of_memory(s, b, var, type));
}

static bool split_select(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->first_result);
    if (!split_is_small(s, type)) {
        ir_value var = ir_builder_var(b, type, (struct text){"", 0});
        ir_op_id branch = ir_builder_if(b, op->operands[2], NULL, 0);
        for (uint32_t i = 0; i < 2 && !s->module->has_failed; i++) {
            struct ir_builder in = ir_builder_in(b, branch, i);
            TRY(split_store(s, &in, var, op->operands[i == 0 ? 1 : 0]));
            ir_builder_terminate(&in, IR_EXIT_IF, NULL, 0);
        }
        return set_form(
            s, op->first_result, (struct split_form){.kind = SPLIT_MEMORY, .pointer = var});
    }
    const ir_value *no = operand_leaves(s, b, op->operands[0]);
    const ir_value *yes = operand_leaves(s, b, op->operands[1]);
    uint32_t count = split_leaf_count(s, type);
    ir_value *leaves = ARENA_ARRAY(s->scratch, ir_value, (size_t)count + 1);
    if (no == NULL || yes == NULL || leaves == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        leaves[i] = ir_builder_select(b, no[i], yes[i], op->operands[2]);
    }
    return set_leaves(s, op->first_result, leaves);
}

static bool split_load(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_of(s, op->first_result);
    ir_value pointer = op->operands[0];
    if (split_is_small(s, type)) {
        return set_leaves(s, op->first_result, split_load_leaves(s, b, pointer, type, op->opcode));
    }
    const struct type *row = type_get(&s->module->types, type_of(s, pointer));
    bool is_constant = row->space == SPACE_UNIFORM || row->space == SPACE_IMMEDIATE ||
        (row->access == ACCESS_READ && row->space != SPACE_FUNCTION);
    union ir_op_data data = {0};
    if (op->opcode == IR_WORKGROUP_UNIFORM_LOAD) {
        ir_builder_op(b, IR_WORKGROUP_BARRIER, NULL, 0, NULL, 0, data);
    }
    ir_value memory = is_constant ? pointer : copy_to_var(s, b, pointer, type);
    if (op->opcode == IR_WORKGROUP_UNIFORM_LOAD) {
        ir_builder_op(b, IR_WORKGROUP_BARRIER, NULL, 0, NULL, 0, data);
    }
    return set_form(
        s, op->first_result, (struct split_form){.kind = SPLIT_MEMORY, .pointer = memory});
}

// Small copies go by leaves, so that the variables can be taken apart.
static bool split_copy(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    type_id type = type_get(&s->module->types, type_of(s, op->operands[0]))->element;
    const ir_value *leaves = split_load_leaves(s, b, op->operands[1], type, IR_LOAD);
    return leaves != NULL && split_store_leaves(s, b, op->operands[0], type, leaves);
}

// Composite arguments and results go through memory of the caller.
static bool split_call(struct split_state *s, struct ir_builder *b, const struct ir_op *op) {
    const struct split_signature *signature = &s->signatures[op->data.index];
    bool has_pointer = split_is_composite(s, signature->return_type);
    ir_value *arguments = ARENA_ARRAY(s->scratch, ir_value, (size_t)op->operand_count + 1);
    TRY(arguments != NULL);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        arguments[i] = op->operands[i];
        type_id type = type_of(s, op->operands[i]);
        if (split_is_composite(s, type)) {
            arguments[i] = ir_builder_var(b, type, (struct text){"", 0});
            TRY(!s->module->has_failed);
            TRY(split_store(s, b, arguments[i], op->operands[i]));
        }
    }
    if (!has_pointer) {
        ir_value result = ir_builder_call(b, op->data.index, arguments, op->operand_count);
        if (op->result_count != 0) {
            pass_map_set(&s->map, op->first_result, result);
        }
        return !s->module->has_failed;
    }
    ir_value out = ir_builder_var(b, signature->return_type, (struct text){"", 0});
    arguments[op->operand_count] = out;
    ir_builder_call(b, op->data.index, arguments, op->operand_count + 1);
    TRY(!s->module->has_failed);
    return set_form(s, op->first_result, split_form_of_memory(s, b, out, signature->return_type));
}

static bool has_composite_operand(const struct split_state *s, const struct ir_op *op) {
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (split_is_composite(s, type_of(s, op->operands[i]))) {
            return true;
        }
    }
    return false;
}

static bool has_composite_result(const struct split_state *s, const struct ir_op *op) {
    for (uint32_t i = 0; i < op->result_count; i++) {
        if (split_is_composite(s, type_of(s, ir_op_result(op, i)))) {
            return true;
        }
    }
    return false;
}

static bool split_copy_if_small(
    struct split_state *s, struct ir_builder *b, const struct ir_op *op, bool *out_replaced) {
    type_id type = type_get(&s->module->types, type_of(s, op->operands[0]))->element;
    if (!split_is_small(s, type)) {
        return true;
    }
    *out_replaced = true;
    return split_copy(s, b, op);
}

bool split_operation(struct split_state *s, ir_op_id id, bool *out_replaced) {
    struct ir_op op = *ir_op_get(&s->module->functions.items[s->function], id);
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    *out_replaced = false;
    if (op.opcode == IR_COPY_MEMORY) {
        return split_copy_if_small(s, &b, &op, out_replaced);
    }
    bool is_call_with_pointer = op.opcode == IR_CALL &&
        split_is_composite(s, s->signatures[op.data.index].return_type);
    if (!has_composite_operand(s, &op) && !has_composite_result(s, &op) && !is_call_with_pointer) {
        return true;
    }
    *out_replaced = true;
    switch (op.opcode) {
    case IR_CONSTRUCT:
        return split_construct(s, &b, &op);
    case IR_EXTRACT:
        return split_extract(s, &b, &op);
    case IR_INSERT:
        return split_insert(s, &b, &op);
    case IR_EXTRACT_DYNAMIC:
        return split_extract_dynamic(s, &b, &op);
    case IR_INSERT_DYNAMIC:
        return split_insert_dynamic(s, &b, &op);
    case IR_SELECT:
        return split_select(s, &b, &op);
    case IR_LOAD:
    case IR_WORKGROUP_UNIFORM_LOAD:
        return split_load(s, &b, &op);
    case IR_STORE:
        return split_store(s, &b, op.operands[0], op.operands[1]);
    case IR_CALL:
        return split_call(s, &b, &op);
    case IR_STORE_OUTPUT: {
        const ir_value *leaves = operand_leaves(s, &b, op.operands[0]);
        TRY(leaves != NULL);
        ir_builder_op(&b, IR_STORE_OUTPUT, leaves, split_leaf_count(s, type_of(s, op.operands[0])),
            NULL, 0, op.data);
        return !s->module->has_failed;
    }
    case IR_RETURN:
        TRY(split_store(s, &b, s->result_pointer, op.operands[0]));
        ir_builder_terminate(&b, IR_RETURN, NULL, 0);
        return true;
    default:
        s->error = ir_op_get_info(op.opcode)->text;
        return true;
    }
}
