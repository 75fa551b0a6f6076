// SPDX-License-Identifier: MIT
//
// The builder's short forms for memory operations and calls. See ir_builder.h.
#include "shader/ir/ir_builder_priv.h"

static const union ir_op_data no_data;

ir_value ir_builder_var(struct ir_builder *builder, type_id store_type, struct text name) {
    struct ir_module *module = builder->module;
    if (module->has_failed) {
        return (ir_value){0};
    }
    type_id pointer = type_pointer(&module->types, SPACE_FUNCTION, store_type, ACCESS_READ_WRITE);
    ir_value value = ir_builder_op(builder, IR_VAR, NULL, 0, &pointer, 1, no_data);
    if (value.index != 0) {
        ir_value_set_name(module, &module->functions.items[builder->function], value, name);
    }
    return value;
}

ir_value ir_builder_variable(struct ir_builder *builder, uint32_t variable) {
    struct ir_module *module = builder->module;
    if (module->has_failed || variable >= module->variables.count) {
        module->has_failed = true;
        return (ir_value){0};
    }
    struct ir_variable row = module->variables.items[variable];
    type_id pointer = type_pointer(&module->types, row.space, row.type, row.access);
    return ir_builder_op(
        builder, IR_VARIABLE, NULL, 0, &pointer, 1, (union ir_op_data){.index = variable});
}

// The store type that an access with these indices reaches; none when an index does not fit.
static type_id walk_access(const struct ir_builder *builder, type_id store, const ir_value *indices,
    uint32_t index_count) {
    const struct type_table *types = &builder->module->types;
    const struct ir_function *function = ir_builder_function(builder);
    for (uint32_t i = 0; i < index_count && store.index != 0; i++) {
        uint32_t number = 0;
        if (type_kind_of(types, store) == TYPE_STRUCT) {
            const struct ir_value_info *info = ir_value_get(function, indices[i]);
            if (info->kind != IR_VALUE_CONSTANT) {
                return (type_id){0};
            }
            const void *bytes = builder->module->constants.items[info->definition].bytes;
            number = bytes == NULL ? 0 : *(const uint32_t *)bytes;
            if (number >= type_get(types, store)->member_count) {
                return (type_id){0};
            }
        }
        store = type_element_at(types, store, number);
    }
    return store;
}

ir_value ir_builder_access(
    struct ir_builder *builder, ir_value pointer, const ir_value *indices, uint32_t index_count) {
    struct ir_module *module = builder->module;
    type_id type = ir_builder_type(builder, pointer);
    if (type.index == 0 || type_kind_of(&module->types, type) != TYPE_POINTER) {
        module->has_failed = true;
        return (ir_value){0};
    }
    struct type row = *type_get(&module->types, type);
    type_id store = walk_access(builder, row.element, indices, index_count);
    ir_value *operands = ARENA_ARRAY(module->arena, ir_value, (size_t)index_count + 1);
    if (store.index == 0 || operands == NULL) {
        module->has_failed = true;
        return (ir_value){0};
    }
    operands[0] = pointer;
    for (uint32_t i = 0; i < index_count; i++) {
        operands[i + 1] = indices[i];
    }
    type_id result = type_pointer(&module->types, row.space, store, row.access);
    return ir_builder_op(builder, IR_ACCESS, operands, index_count + 1, &result, 1, no_data);
}

ir_value ir_builder_load(struct ir_builder *builder, ir_value pointer) {
    type_id type = ir_builder_type(builder, pointer);
    type_id store = {0};
    if (type.index != 0 && type_kind_of(&builder->module->types, type) == TYPE_POINTER) {
        store = type_get(&builder->module->types, type)->element;
    }
    return ir_builder_op(builder, IR_LOAD, &pointer, 1, &store, 1, no_data);
}

void ir_builder_store(struct ir_builder *builder, ir_value pointer, ir_value value) {
    ir_builder_op(builder, IR_STORE, (ir_value[]){pointer, value}, 2, NULL, 0, no_data);
}

ir_value ir_builder_call(struct ir_builder *builder, uint32_t function, const ir_value *arguments,
    uint32_t argument_count) {
    struct ir_module *module = builder->module;
    if (module->has_failed || function >= module->functions.count) {
        module->has_failed = true;
        return (ir_value){0};
    }
    type_id type = module->functions.items[function].return_type;
    bool has_result = type_kind_of(&module->types, type) != TYPE_VOID;
    return ir_builder_op(builder, IR_CALL, arguments, argument_count, &type, has_result ? 1 : 0,
        (union ir_op_data){.index = function});
}
