// SPDX-License-Identifier: MIT
//
// Folding of composite operations: bytes moved by the types' layout. Pure functions, any thread.
#include "shader/ir/ir_fold_priv.h"

#include <string.h>

static size_t size_of(const struct type_table *types, type_id id) {
    return (size_t)type_get(types, id)->size_bytes;
}

static uint32_t read_u32(const unsigned char *bytes) {
    uint32_t word = 0;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

// The index of a dynamic access as an unsigned number, beyond every count when it is negative.
static uint64_t read_index(const struct ir_fold *fold, uint32_t operand) {
    uint32_t word = read_u32(fold->operands[operand]);
    bool is_negative = fold->operand_types[operand].index == TYPE_I32 && word >> 31 != 0;
    return is_negative ? UINT64_MAX : word;
}

// Padding of a result is zero, so that equal values have equal bytes.
static void clear_result(const struct ir_fold *fold) {
    memset(fold->out, 0, size_of(fold->types, fold->result_type));
}

static void construct(const struct ir_fold *fold) {
    clear_result(fold);
    for (uint32_t i = 0; i < fold->op->operand_count; i++) {
        memcpy(fold->out + type_element_offset(fold->types, fold->result_type, i),
            fold->operands[i], size_of(fold->types, fold->operand_types[i]));
    }
}

static void splat(const struct ir_fold *fold) {
    size_t size_bytes = size_of(fold->types, fold->operand_types[0]);
    uint32_t count = type_get(fold->types, fold->result_type)->count;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(fold->out + i * size_bytes, fold->operands[0], size_bytes);
    }
}

static void swizzle(const struct ir_fold *fold) {
    const struct type *from = type_get(fold->types, fold->operand_types[0]);
    const struct type *to = type_get(fold->types, fold->result_type);
    size_t size_bytes = size_of(fold->types, from->element);
    uint32_t count = to->kind == TYPE_VECTOR ? to->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(fold->out + i * size_bytes,
            fold->operands[0] + fold->op->data.swizzle[i] * size_bytes, size_bytes);
    }
}

static void extract(const struct ir_fold *fold) {
    memcpy(fold->out,
        fold->operands[0] +
            type_element_offset(fold->types, fold->operand_types[0], fold->op->data.index),
        size_of(fold->types, fold->result_type));
}

static void extract_dynamic(const struct ir_fold *fold) {
    uint64_t index = read_index(fold, 1);
    if (index >= type_get(fold->types, fold->operand_types[0])->count) {
        clear_result(fold);
        return;
    }
    memcpy(fold->out,
        fold->operands[0] +
            type_element_offset(fold->types, fold->operand_types[0], (uint32_t)index),
        size_of(fold->types, fold->result_type));
}

static void insert(const struct ir_fold *fold, uint64_t index) {
    const struct type *type = type_get(fold->types, fold->result_type);
    memcpy(fold->out, fold->operands[0], size_of(fold->types, fold->result_type));
    uint32_t count = type->kind == TYPE_STRUCT ? type->member_count : type->count;
    if (index < count) {
        memcpy(fold->out + type_element_offset(fold->types, fold->result_type, (uint32_t)index),
            fold->operands[1], size_of(fold->types, fold->operand_types[1]));
    }
}

static void select_value(const struct ir_fold *fold) {
    const struct type *condition = type_get(fold->types, fold->operand_types[2]);
    if (condition->kind != TYPE_VECTOR) {
        memcpy(fold->out, fold->operands[read_u32(fold->operands[2]) != 0 ? 1 : 0],
            size_of(fold->types, fold->result_type));
        return;
    }
    const struct type *type = type_get(fold->types, fold->result_type);
    size_t size_bytes = size_of(fold->types, type->element);
    for (uint32_t i = 0; i < type->count; i++) {
        uint32_t truth = read_u32(fold->operands[2] + i * sizeof(uint32_t));
        memcpy(fold->out + i * size_bytes, fold->operands[truth != 0 ? 1 : 0] + i * size_bytes,
            size_bytes);
    }
}

static void reduce(const struct ir_fold *fold) {
    const struct type *type = type_get(fold->types, fold->operand_types[0]);
    uint32_t count = type->kind == TYPE_VECTOR ? type->count : 1;
    bool is_all = fold->op->opcode == IR_ALL;
    bool result = is_all;
    for (uint32_t i = 0; i < count; i++) {
        bool truth = read_u32(fold->operands[0] + i * sizeof(uint32_t)) != 0;
        result = is_all ? result && truth : result || truth;
    }
    uint32_t word = result ? 1 : 0;
    memcpy(fold->out, &word, sizeof(word));
}

bool ir_fold_composite(const struct ir_fold *fold) {
    switch (fold->op->opcode) {
    case IR_CONSTRUCT:
        construct(fold);
        return true;
    case IR_SPLAT:
        splat(fold);
        return true;
    case IR_EXTRACT:
        extract(fold);
        return true;
    case IR_EXTRACT_DYNAMIC:
        extract_dynamic(fold);
        return true;
    case IR_INSERT:
        insert(fold, fold->op->data.index);
        return true;
    case IR_INSERT_DYNAMIC:
        insert(fold, read_index(fold, 2));
        return true;
    case IR_SWIZZLE:
        swizzle(fold);
        return true;
    case IR_SELECT:
        select_value(fold);
        return true;
    case IR_ALL:
    case IR_ANY:
        reduce(fold);
        return true;
    default:
        return false;
    }
}
