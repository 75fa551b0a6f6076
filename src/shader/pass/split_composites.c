// SPDX-License-Identifier: MIT
//
// Takes composite values apart, function by function: signatures first, then every operation in
// order, then the variables. See pass.h.
#include "shader/pass/split_priv.h"

static bool keep_signatures(struct split_state *s) {
    struct ir_module *module = s->module;
    struct split_signature *signatures = ARENA_ARRAY(
        s->scratch, struct split_signature, module->functions.count + 1);
    TRY(signatures != NULL);
    for (uint32_t f = 0; f < module->functions.count; f++) {
        signatures[f].return_type = module->functions.items[f].return_type;
    }
    s->signatures = signatures;
    return true;
}

// A composite parameter becomes a pointer to it, a composite result one more pointer parameter.
static bool change_signature(struct split_state *s) {
    struct ir_module *module = s->module;
    struct ir_function *function = &module->functions.items[s->function];
    uint32_t count = function->parameter_count;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_value_info *info = &function->values.items[function->parameters[i].index];
        if (split_is_composite(s, info->type)) {
            info->type = type_pointer(
                &module->types, SPACE_FUNCTION, info->type, ACCESS_READ_WRITE);
            TRY(info->type.index != 0);
        }
    }
    s->result_pointer = (ir_value){0};
    if (!split_is_composite(s, function->return_type)) {
        return true;
    }
    ir_value *parameters = ARENA_ARRAY(module->arena, ir_value, (size_t)count + 1);
    struct ir_value_info info = {.kind = IR_VALUE_FUNCTION_PARAMETER, .position = count};
    info.type = type_pointer(
        &module->types, SPACE_FUNCTION, function->return_type, ACCESS_READ_WRITE);
    if (parameters == NULL || info.type.index == 0 ||
        !arena_vector_push(module->arena, &function->values, info)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        parameters[i] = function->parameters[i];
    }
    s->result_pointer = (ir_value){(uint32_t)function->values.count - 1};
    parameters[count] = s->result_pointer;
    function->parameters = parameters;
    function->parameter_count = count + 1;
    function->return_type = type_scalar(TYPE_VOID);
    return true;
}

// What the body uses of a composite parameter: the form of the caller's copy. Small ones are loaded
// at the start. The values' types are pointers by now, so uses are told by `was_composite`.
static bool load_parameters(struct split_state *s, const uint8_t *was_composite) {
    struct ir_function *function = &s->module->functions.items[s->function];
    ir_op_id first = ir_region_get(function, function->body)->first;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        function = &s->module->functions.items[s->function];
        if (!was_composite[i]) {
            continue;
        }
        // Uses name the parameter's old value, which is given a composite type again under a new
        // index.
        ir_value parameter = function->parameters[i];
        type_id pointer = function->values.items[parameter.index].type;
        type_id type = type_get(&s->module->types, pointer)->element;
        struct ir_value_info info = {
            .kind = IR_VALUE_FUNCTION_PARAMETER, .type = pointer, .position = i};
        if (!arena_vector_push(s->module->arena, &function->values, info)) {
            return false;
        }
        ir_value renamed = {(uint32_t)function->values.count - 1};
        function->values.items[parameter.index].type = type;
        function->values.items[parameter.index].kind = IR_VALUE_NONE;
        function->parameters[i] = renamed;
        struct ir_builder b = ir_builder_before(s->module, s->function, first);
        s->forms[parameter.index] = split_form_of_memory(s, &b, renamed, type);
        TRY(!s->module->has_failed);
    }
    return true;
}

// Recursion follows nesting, bounded by IR_NESTING_LIMIT.
static bool split_region(struct split_state *s, ir_region_id region) {
    const struct ir_function *function = &s->module->functions.items[s->function];
    ir_op_id next;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0; id = next) {
        function = &s->module->functions.items[s->function];
        next = ir_op_get(function, id)->next;
        bool is_replaced = false;
        TRY(split_operation(s, id, &is_replaced));
        if (s->error != NULL || s->module->has_failed) {
            return s->error != NULL;
        }
        if (is_replaced) {
            ir_op_unlink(&s->module->functions.items[s->function], id);
            continue;
        }
        uint32_t count = ir_op_get(&s->module->functions.items[s->function], id)->region_count;
        for (uint32_t i = 0; i < count && s->error == NULL; i++) {
            TRY(split_region(
                s, ir_op_get(&s->module->functions.items[s->function], id)->regions[i]));
        }
    }
    return true;
}

static bool split_function(struct split_state *s, uint32_t index) {
    s->function = index;
    struct ir_function *function = &s->module->functions.items[index];
    uint8_t *was_composite = ARENA_ARRAY(
        s->scratch, uint8_t, (size_t)function->parameter_count + 1);
    TRY(was_composite != NULL);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        was_composite[i] = split_is_composite(s, ir_value_type(function, function->parameters[i]));
    }
    TRY(change_signature(s));
    function = &s->module->functions.items[index];
    s->form_count = (uint32_t)function->values.count;
    s->forms = ARENA_ARRAY(s->scratch, struct split_form, s->form_count);
    TRY(s->forms != NULL);
    TRY(pass_map_init(&s->map, s->scratch, function));
    uint32_t old_count = function->parameter_count - (s->result_pointer.index != 0 ? 1 : 0);
    if (old_count != 0) {
        uint8_t *flags = ARENA_ARRAY(s->scratch, uint8_t, (size_t)function->parameter_count + 1);
        TRY(flags != NULL);
        for (uint32_t i = 0; i < old_count; i++) {
            flags[i] = was_composite[i];
        }
        TRY(load_parameters(s, flags));
    }
    TRY(split_region(s, s->module->functions.items[index].body));
    if (s->error == NULL) {
        pass_map_apply(&s->map, &s->module->functions.items[index]);
        TRY(split_variables(s->module, index));
    }
    return true;
}

static bool split_module(struct split_state *s) {
    s->leaf_count_count = (uint32_t)s->module->types.types.count;
    s->leaf_counts = ARENA_ARRAY(s->scratch, uint32_t, s->leaf_count_count);
    s->table_count = (uint32_t)s->module->constants.count;
    s->tables = ARENA_ARRAY(s->scratch, uint32_t, (size_t)s->table_count + 1);
    if (s->leaf_counts == NULL || s->tables == NULL) {
        return false;
    }
    TRY(keep_signatures(s));
    for (uint32_t f = 0; f < s->module->functions.count && s->error == NULL; f++) {
        TRY(split_function(s, f));
    }
    return true;
}

enum pass_status pass_split_composites(struct ir_module *module, struct text_buffer *out_error) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct split_state s = {.module = module, .scratch = &scratch};
    bool ok = !module->has_failed && split_module(&s);
    arena_finish(&scratch);
    if (ok && s.error != NULL) {
        text_buffer_print(out_error, "not implemented yet: composite values of '%s'", s.error);
        return PASS_ERROR;
    }
    return pass_finish(module, ok);
}
