// SPDX-License-Identifier: MIT
//
// Private variables of one entry point alone become its function variables. See pass.h.
#include "shader/pass/pass_priv.h"

#define NOBODY UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

// Who names each module variable, and whether its pointer is passed to a call.
static bool find_users(
    const struct ir_module *module, struct arena *scratch, uint32_t *users, uint8_t *escapes) {
    for (uint32_t i = 0; i < module->variables.count; i++) {
        users[i] = NOBODY;
    }
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ir_function *function = &module->functions.items[f];
        uint32_t count = 0;
        const uint32_t *regions = pass_list_regions(function, scratch, &count);
        TRY(regions != NULL);
        for (uint32_t i = 0; i < count; i++) {
            for (ir_op_id id = function->regions.items[regions[i]].first; id.index != 0;
                 id = ir_op_get(function, id)->next) {
                const struct ir_op *op = ir_op_get(function, id);
                if (op->opcode == IR_VARIABLE) {
                    uint32_t *user = &users[op->data.index];
                    *user = *user == NOBODY || *user == f ? f : SEVERAL;
                }
                for (uint32_t k = 0; k < op->operand_count && op->opcode == IR_CALL; k++) {
                    const struct ir_op *root = pass_definition(
                        function, pass_pointer_root(function, op->operands[k]));
                    if (root != NULL && root->opcode == IR_VARIABLE) {
                        escapes[root->data.index] = 1;
                    }
                }
            }
        }
    }
    return true;
}

static ir_value make_var(
    struct ir_module *module, uint32_t function, const struct ir_variable *row) {
    ir_op_id first = ir_region_get(
        &module->functions.items[function], module->functions.items[function].body)
                         ->first;
    struct ir_builder builder = ir_builder_before(module, function, first);
    builder.span = row->span;
    ir_value var = ir_builder_var(&builder, row->type, row->name);
    ir_value initial = row->initial_constant != 0
        ? ir_builder_constant(&builder, row->initial_constant - 1)
        : ir_builder_zero(&builder, row->type);
    ir_builder_store(&builder, var, initial);
    return var;
}

// Accesses that start at a chosen variable get pointer types of the function space.
static void retype(struct ir_module *module, uint32_t index, const uint8_t *is_chosen) {
    struct ir_function *function = &module->functions.items[index];
    for (uint32_t v = 1; v < function->values.count; v++) {
        const struct ir_op *op = pass_definition(function, (ir_value){v});
        if (op == NULL || op->parent.index == 0 || op->opcode != IR_ACCESS) {
            continue;
        }
        const struct ir_op *root = pass_definition(
            function, pass_pointer_root(function, (ir_value){v}));
        if (root != NULL && root->opcode == IR_VARIABLE && is_chosen[root->data.index]) {
            type_id store = type_get(&module->types, function->values.items[v].type)->element;
            type_id type = type_pointer(&module->types, SPACE_FUNCTION, store, ACCESS_READ_WRITE);
            module->has_failed = module->has_failed || type.index == 0;
            function->values.items[v].type = type;
        }
    }
}

static bool localise_in(struct ir_module *module, struct arena *scratch, uint32_t index,
    const uint32_t *users, const uint8_t *escapes) {
    uint8_t *is_chosen = ARENA_ARRAY(scratch, uint8_t, module->variables.count + 1);
    ir_value *vars = ARENA_ARRAY(scratch, ir_value, module->variables.count + 1);
    if (is_chosen == NULL || vars == NULL) {
        return false;
    }
    bool has_any = false;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const struct ir_variable *row = &module->variables.items[i];
        is_chosen[i] = row->space == SPACE_PRIVATE && row->access == ACCESS_READ_WRITE &&
            row->initial_value.index == 0 && users[i] == index && !escapes[i];
        has_any = has_any || is_chosen[i];
    }
    if (!has_any) {
        return true;
    }
    retype(module, index, is_chosen);
    struct pass_map map;
    TRY(pass_map_init(&map, scratch, &module->functions.items[index]));
    size_t op_count = module->functions.items[index].ops.count;
    for (uint32_t i = 0; i < op_count && !module->has_failed; i++) {
        struct ir_op *op = &module->functions.items[index].ops.items[i];
        if (op->opcode != IR_VARIABLE || op->parent.index == 0 || !is_chosen[op->data.index]) {
            continue;
        }
        ir_value pointer = op->first_result;
        uint32_t variable = op->data.index;
        if (vars[variable].index == 0) {
            vars[variable] = make_var(module, index, &module->variables.items[variable]);
        }
        pass_map_set(&map, pointer, vars[variable]);
        ir_op_unlink(&module->functions.items[index], (ir_op_id){i});
    }
    pass_map_apply(&map, &module->functions.items[index]);
    return true;
}

static bool localise(struct ir_module *module, struct arena *scratch) {
    uint32_t *users = ARENA_ARRAY(scratch, uint32_t, module->variables.count + 1);
    uint8_t *escapes = ARENA_ARRAY(scratch, uint8_t, module->variables.count + 1);
    if (users == NULL || escapes == NULL) {
        return false;
    }
    TRY(find_users(module, scratch, users, escapes));
    uint8_t *is_done = ARENA_ARRAY(scratch, uint8_t, module->functions.count + 1);
    TRY(is_done != NULL);
    for (uint32_t e = 0; e < module->entry_points.count && !module->has_failed; e++) {
        uint32_t function = module->entry_points.items[e].function;
        if (!is_done[function]) {
            is_done[function] = 1;
            TRY(localise_in(module, scratch, function, users, escapes));
        }
    }
    return true;
}

enum pass_status pass_localise(struct ir_module *module) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    bool ok = !module->has_failed && localise(module, &scratch);
    arena_finish(&scratch);
    return pass_finish(module, ok);
}
