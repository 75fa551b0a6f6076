// SPDX-License-Identifier: MIT
//
// Editing: unlinking, moving and replacing. See ir_builder.h.
#include "shader/ir/ir_builder.h"

void ir_op_unlink(struct ir_function *function, ir_op_id id) {
    struct ir_op *op = ir_op_get(function, id);
    struct ir_region *region = ir_region_get(function, op->parent);
    if (op->previous.index != 0) {
        ir_op_get(function, op->previous)->next = op->next;
    } else {
        region->first = op->next;
    }
    if (op->next.index != 0) {
        ir_op_get(function, op->next)->previous = op->previous;
    } else {
        region->last = op->previous;
    }
    op->parent = (ir_region_id){0};
    op->previous = (ir_op_id){0};
    op->next = (ir_op_id){0};
}

void ir_op_move_before(struct ir_function *function, ir_op_id id, ir_op_id before) {
    if (id.index == before.index) {
        return;
    }
    ir_op_unlink(function, id);
    struct ir_op *op = ir_op_get(function, id);
    struct ir_op *successor = ir_op_get(function, before);
    op->parent = successor->parent;
    op->next = before;
    op->previous = successor->previous;
    if (op->previous.index != 0) {
        ir_op_get(function, op->previous)->next = id;
    } else {
        ir_region_get(function, op->parent)->first = id;
    }
    successor->previous = id;
}

// Unlinked operations are rewritten too: they cost time, and nothing reads them.
void ir_value_replace(struct ir_function *function, ir_value from, ir_value to) {
    for (size_t i = 1; i < function->ops.count; i++) {
        struct ir_op *op = &function->ops.items[i];
        for (uint32_t k = 0; k < op->operand_count; k++) {
            if (op->operands[k].index == from.index) {
                op->operands[k] = to;
            }
        }
    }
}

static uint32_t resolve(const uint32_t *map, uint32_t map_count, uint32_t value) {
    while (value < map_count && map[value] != 0 && map[value] != value) {
        value = map[value];
    }
    return value;
}

void ir_function_replace_all(
    struct ir_function *function, const uint32_t *map, uint32_t map_count) {
    for (size_t i = 1; i < function->ops.count; i++) {
        struct ir_op *op = &function->ops.items[i];
        for (uint32_t k = 0; k < op->operand_count; k++) {
            op->operands[k].index = resolve(map, map_count, op->operands[k].index);
        }
    }
}
