// SPDX-License-Identifier: MIT
//
// What an entry point reaches: functions, variables, the slots of its bindings, the places of its
// workgroup variables in scratch memory. Found once, before the analyses.
#include "shader/jit/jit_priv.h"

// Marks functions and variables that the entry point reaches. Callees have lower numbers.
bool jit_find_reachable(struct emit *e) {
    const struct ir_module *module = e->module;
    e->function_is_used = ARENA_ARRAY(e->arena, uint8_t, module->functions.count + 1);
    e->variable_is_used = ARENA_ARRAY(e->arena, uint8_t, module->variables.count + 1);
    if (e->function_is_used == NULL || e->variable_is_used == NULL) {
        return jit_fail(e, "out of memory");
    }
    e->function_is_used[e->entry->function] = 1;
    e->function_count = 1;
    for (uint32_t f = e->entry->function + 1; f-- > 0;) {
        const struct ir_function *function = &module->functions.items[f];
        for (size_t i = 1; e->function_is_used[f] && i < function->ops.count; i++) {
            const struct ir_op *op = &function->ops.items[i];
            if (op->parent.index == 0) {
                continue;
            }
            if (op->opcode == IR_CALL) {
                e->function_count += !e->function_is_used[op->data.index];
                e->function_is_used[op->data.index] = 1;
                e->has_calls = true;
            } else if (op->opcode == IR_VARIABLE) {
                e->variable_is_used[op->data.index] = 1;
            }
        }
    }
    return true;
}

static int compare_bindings(const struct ir_module *module, uint32_t a, uint32_t b) {
    const struct ir_variable *left = &module->variables.items[a];
    const struct ir_variable *right = &module->variables.items[b];
    if (left->group != right->group) {
        return left->group < right->group ? -1 : 1;
    }
    return left->binding == right->binding ? 0 : left->binding < right->binding ? -1 : 1;
}

// A binding's slot is its rank among all bindings of the module, or of the entry point where the
// module has several.
static bool is_bound(const struct emit *e, uint32_t variable) {
    return e->module->variables.items[variable].has_binding &&
        (e->module->entry_points.count == 1 || e->variable_is_used[variable]);
}

bool jit_find_buffers(struct emit *e) {
    const struct ir_module *module = e->module;
    uint32_t count = (uint32_t)module->variables.count;
    e->buffers = ARENA_ARRAY(e->arena, struct buffer_binding, count + 1);
    e->variable_offsets = ARENA_ARRAY(e->arena, uint32_t, count + 1);
    e->private_memory = ARENA_ARRAY(e->arena, struct lane_memory, count + 1);
    uint32_t *bound = ARENA_ARRAY(e->arena, uint32_t, count + 1);
    if (e->buffers == NULL || e->variable_offsets == NULL || e->private_memory == NULL ||
        bound == NULL) {
        return jit_fail(e, "out of memory");
    }
    uint32_t bound_count = 0;
    for (uint32_t v = 0; v < count; v++) {
        if (!is_bound(e, v)) {
            continue;
        }
        uint32_t at = bound_count++;
        while (at > 0 && compare_bindings(module, v, bound[at - 1]) < 0) {
            bound[at] = bound[at - 1];
            at--;
        }
        bound[at] = v;
    }
    for (uint32_t slot = 0; slot < bound_count; slot++) {
        if (e->variable_is_used[bound[slot]]) {
            e->buffers[e->buffer_count++] = (struct buffer_binding){.variable = bound[slot],
                .slot = slot,
                .is_handle = module->variables.items[bound[slot]].space == SPACE_HANDLE};
        }
    }
    for (uint32_t v = 0; v < count; v++) {
        const struct ir_variable *variable = &module->variables.items[v];
        if (!e->variable_is_used[v]) {
            continue;
        }
        uint64_t size = type_get(&module->types, variable->type)->size_bytes;
        if (variable->space == SPACE_WORKGROUP) {
            uint64_t offset = jit_scratch_reserve(e, size, 64);
            if (e->scratch_bytes > UINT32_MAX / 2) {
                return jit_fail(e, "workgroup memory of %llu bytes is too large",
                    (unsigned long long)e->scratch_bytes);
            }
            e->variable_offsets[v] = (uint32_t)offset;
            e->workgroup_bytes = e->scratch_bytes;
        } else if (variable->space == SPACE_IMMEDIATE) {
            e->buffers[e->buffer_count++] = (struct buffer_binding){
                .variable = v, .is_immediate = true};
        } else if (variable->space == SPACE_PRIVATE && variable->access == ACCESS_READ) {
            e->buffers[e->buffer_count++] = (struct buffer_binding){
                .variable = v, .is_table = true};
        } else if (variable->space == SPACE_PRIVATE) {
            e->has_private = true;
        }
    }
    return true;
}
