// SPDX-License-Identifier: MIT
//
// Removes functions and variables that no entry point reaches. See pass.h.
#include "shader/pass/pass_priv.h"

#define DROPPED UINT32_MAX

struct reach {
    struct ir_module *module;
    struct arena *scratch;
    uint32_t *functions; // by function: its new index, DROPPED when not reached
    uint32_t *variables;
    bool keep_bindings;
};

// Marks what the linked operations of a function name.
static bool mark_function(struct reach *r, uint32_t index) {
    const struct ir_function *function = &r->module->functions.items[index];
    uint32_t count = 0;
    const uint32_t *regions = pass_list_regions(function, r->scratch, &count);
    if (regions == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (ir_op_id id = function->regions.items[regions[i]].first; id.index != 0;
             id = ir_op_get(function, id)->next) {
            const struct ir_op *op = ir_op_get(function, id);
            if (op->opcode == IR_CALL) {
                r->functions[op->data.index] = 0;
            } else if (op->opcode == IR_VARIABLE) {
                r->variables[op->data.index] = 0;
            }
        }
    }
    return true;
}

static void renumber_function(const struct reach *r, struct ir_function *function) {
    for (size_t i = 1; i < function->ops.count; i++) {
        struct ir_op *op = &function->ops.items[i];
        const uint32_t *map = op->opcode == IR_CALL ? r->functions
            : op->opcode == IR_VARIABLE             ? r->variables
                                                    : NULL;
        // An unlinked operation may name what is gone; nothing reads it any more.
        if (map != NULL && map[op->data.index] != DROPPED) {
            op->data.index = map[op->data.index];
        }
    }
}

static void compact(struct reach *r) {
    struct ir_module *module = r->module;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        if (r->functions[i] != DROPPED) {
            module->functions.items[kept] = module->functions.items[i];
            r->functions[i] = kept++;
        }
    }
    module->functions.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        if (r->variables[i] != DROPPED) {
            module->variables.items[kept] = module->variables.items[i];
            r->variables[i] = kept++;
        }
    }
    module->variables.count = kept;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        renumber_function(r, &module->functions.items[i]);
    }
    for (uint32_t i = 0; i < module->entry_points.count; i++) {
        struct ir_entry_point *entry = &module->entry_points.items[i];
        entry->function = r->functions[entry->function];
    }
    if (module->initialisation != UINT32_MAX) {
        module->initialisation = r->functions[module->initialisation];
    }
}

static bool mark(struct reach *r) {
    struct ir_module *module = r->module;
    r->functions = ARENA_ARRAY(r->scratch, uint32_t, module->functions.count + 1);
    r->variables = ARENA_ARRAY(r->scratch, uint32_t, module->variables.count + 1);
    if (r->functions == NULL || r->variables == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < module->functions.count; i++) {
        r->functions[i] = DROPPED;
    }
    for (uint32_t i = 0; i < module->variables.count; i++) {
        bool is_kept = r->keep_bindings && module->variables.items[i].has_binding;
        r->variables[i] = is_kept ? 0 : DROPPED;
    }
    for (uint32_t i = 0; i < module->entry_points.count; i++) {
        r->functions[module->entry_points.items[i].function] = 0;
    }
    if (module->initialisation != UINT32_MAX) {
        r->functions[module->initialisation] = 0;
    }
    // Callees stand before their callers, so one walk backwards sees all.
    for (uint32_t i = (uint32_t)module->functions.count; i-- > 0;) {
        if (r->functions[i] != DROPPED) {
            TRY(mark_function(r, i));
        }
    }
    return true;
}

enum pass_status pass_drop_unreached(struct ir_module *module, bool keep_bindings) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct reach r = {.module = module, .scratch = &scratch, .keep_bindings = keep_bindings};
    bool ok = !module->has_failed && mark(&r);
    if (ok) {
        compact(&r);
    }
    arena_finish(&scratch);
    return pass_finish(module, ok);
}
