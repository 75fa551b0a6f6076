// SPDX-License-Identifier: MIT
//
// Making modules and functions. See ir.h for the shape of a module; one thread at a time.
#include "shader/ir/ir.h"

#include "shader/ir/ir_builder.h"

struct ir_module *ir_module_create(struct arena *arena) {
    struct ir_module *module = ARENA_NEW(arena, struct ir_module);
    if (module == NULL) {
        return NULL;
    }
    module->arena = arena;
    module->initialisation = UINT32_MAX;
    if (!type_table_init(&module->types, arena)) {
        return NULL;
    }
    return module;
}

void ir_value_set_name(
    struct ir_module *module, struct ir_function *function, ir_value value, struct text name) {
    struct ir_value_info *info = &function->values.items[value.index];
    info->name = 0;
    if (name.length == 0) {
        return;
    }
    if (arena_vector_push(module->arena, &function->names, name)) {
        info->name = (uint32_t)function->names.count;
    } else {
        module->has_failed = true;
    }
}

// Every vector of a function has an unused entry 0, the "none" of its typed index.
static bool push_unused_entries(struct arena *arena, struct ir_function *function) {
    return arena_vector_push(arena, &function->values, (struct ir_value_info){0}) &&
        arena_vector_push(arena, &function->ops, (struct ir_op){0}) &&
        arena_vector_push(arena, &function->regions, (struct ir_region){0}) &&
        arena_vector_push(arena, &function->regions, (struct ir_region){0});
}

uint32_t ir_function_create(struct ir_module *module, struct text name, type_id return_type,
    const type_id *parameter_types, uint32_t parameter_count) {
    if (module->has_failed) {
        return UINT32_MAX;
    }
    struct arena *arena = module->arena;
    struct ir_function function = {.name = name, .return_type = return_type, .body = {1}};
    bool ok = push_unused_entries(arena, &function);
    function.parameters = ARENA_ARRAY(arena, ir_value, parameter_count);
    ok = ok && function.parameters != NULL;
    for (uint32_t i = 0; ok && i < parameter_count; i++) {
        function.parameters[i] = (ir_value){(uint32_t)function.values.count};
        function.parameter_count = i + 1;
        ok = arena_vector_push(arena, &function.values,
            (struct ir_value_info){
                .kind = IR_VALUE_FUNCTION_PARAMETER, .type = parameter_types[i], .position = i});
    }
    ok = ok && arena_vector_push(arena, &module->functions, function);
    if (!ok) {
        module->has_failed = true;
        return UINT32_MAX;
    }
    return (uint32_t)(module->functions.count - 1);
}
