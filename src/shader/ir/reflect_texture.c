// SPDX-License-Identifier: MIT
//
// Reflection of which textures are sampled with which samplers: by function, in terms of module
// variables and of its own parameters, which calls replace by their arguments. See reflect_priv.h.
#include <stdlib.h>

#include "base/try.h"
#include "shader/ir/reflect_priv.h"

#define IS_PARAMETER 0x80000000u
#define IS_UNKNOWN UINT32_MAX

// The variable or parameter that a handle comes from.
static uint32_t trace(const struct ir_function *function, ir_value value) {
    const struct ir_value_info *info = ir_value_get(function, value);
    if (info->kind == IR_VALUE_FUNCTION_PARAMETER) {
        return info->position | IS_PARAMETER;
    }
    if (info->kind != IR_VALUE_RESULT) {
        return IS_UNKNOWN;
    }
    const struct ir_op *op = &function->ops.items[info->definition];
    if (op->opcode == IR_LOAD) {
        return trace(function, op->operands[0]); // one step: a variable
    }
    return op->opcode == IR_VARIABLE ? op->data.index : IS_UNKNOWN;
}

static int compare(const void *a, const void *b) {
    const struct reflect_pair *left = a, *right = b;
    if (left->texture != right->texture) {
        return left->texture < right->texture ? -1 : 1;
    }
    return left->sampler < right->sampler ? -1 : left->sampler > right->sampler;
}

static void sort_unique(reflect_pair_list *list) {
    if (list->count < 2) {
        return;
    }
    qsort(list->items, list->count, sizeof(*list->items), compare);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++) {
        if (compare(&list->items[i], &list->items[kept - 1]) != 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

// Repetitions go whenever the list has doubled, so that it stays in proportion to what differs.
static bool add(reflect_pair_list *list, size_t *unique, uint32_t texture, uint32_t sampler) {
    struct reflect_pair pair = {texture, sampler};
    if (texture == IS_UNKNOWN || sampler == IS_UNKNOWN) {
        return true;
    }
    if (list->count >= *unique * 2 + 64) {
        sort_unique(list);
        *unique = list->count;
    }
    return vector_push(list, MEMORY_COMPILE, pair);
}

static uint32_t substitute(
    const struct ir_function *function, const struct ir_op *call, uint32_t handle) {
    return handle & IS_PARAMETER ? trace(function, call->operands[handle & ~IS_PARAMETER]) : handle;
}

static bool collect_function(
    const struct ir_module *module, uint32_t number, reflect_pair_list *lists) {
    const struct ir_function *function = &module->functions.items[number];
    reflect_pair_list *list = &lists[number];
    size_t unique = 0;
    for (size_t i = 1; i < function->ops.count; i++) {
        const struct ir_op *op = &function->ops.items[i];
        if (op->parent.index == 0) {
            continue; // unlinked
        }
        enum ir_family family = ir_op_get_info(op->opcode)->family;
        if (family == IR_FAMILY_TEXTURE_SAMPLE) {
            TRY(add(
                list, &unique, trace(function, op->operands[0]), trace(function, op->operands[1])));
        } else if (family == IR_FAMILY_TEXTURE_LOAD) {
            TRY(add(list, &unique, trace(function, op->operands[0]), REFLECT_PAIR_LOAD));
        } else if (family == IR_FAMILY_TEXTURE_QUERY || family == IR_FAMILY_TEXTURE_STORE) {
            TRY(add(list, &unique, trace(function, op->operands[0]), REFLECT_PAIR_CALL));
        } else if (op->opcode == IR_CALL) {
            const reflect_pair_list *callee = &lists[op->data.index]; // it comes before
            for (size_t k = 0; k < callee->count; k++) {
                TRY(add(list, &unique, substitute(function, op, callee->items[k].texture),
                    substitute(function, op, callee->items[k].sampler)));
            }
        }
    }
    sort_unique(list);
    return true;
}

reflect_pair_list *reflect_collect_pairs(const struct ir_module *module) {
    reflect_pair_list *lists = memory_allocate_zeroed(
        MEMORY_COMPILE, module->functions.count + 1, sizeof(*lists));
    for (uint32_t i = 0; lists != NULL && i < module->functions.count; i++) {
        if (!collect_function(module, i, lists)) {
            reflect_free_pairs(module, lists);
            return NULL;
        }
    }
    return lists;
}

void reflect_free_pairs(const struct ir_module *module, reflect_pair_list *lists) {
    for (size_t i = 0; lists != NULL && i < module->functions.count; i++) {
        vector_finish(&lists[i]);
    }
    memory_free(lists);
}

static uint32_t find_binding(const struct reflect_entry_point *entry, uint32_t variable) {
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        if (entry->bindings[i].variable == variable) {
            return i;
        }
    }
    return UINT32_MAX;
}

bool reflect_describe_pairs(
    const reflect_pair_list *list, struct arena *arena, struct reflect_entry_point *out) {
    if (list->count == 0) {
        return true;
    }
    out->texture_pairs = ARENA_ARRAY(arena, struct reflect_pair, list->count);
    TRY(out->texture_pairs != NULL);
    for (size_t i = 0; i < list->count; i++) {
        uint32_t texture = find_binding(out, list->items[i].texture);
        if (texture == UINT32_MAX) {
            continue;
        }
        out->bindings[texture].is_called = true;
        if (list->items[i].sampler == REFLECT_PAIR_LOAD) {
            out->bindings[texture].is_loaded = true;
        }
        uint32_t sampler = find_binding(out, list->items[i].sampler);
        if (sampler != UINT32_MAX) {
            out->bindings[texture].is_sampled = true;
            out->texture_pairs[out->texture_pair_count++] = (struct reflect_pair){texture, sampler};
        }
    }
    return true;
}
