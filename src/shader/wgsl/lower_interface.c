// SPDX-License-Identifier: MIT
//
// Entry points take and give structures and values with attributes; the IR knows flat lists of
// inputs and outputs (WGSL §Shader Interface). This file takes structures apart and puts them
// together, in the order of declaration.

#include "shader/wgsl/lower_priv.h"

#include <string.h>

struct builtin_row {
    const char *word;
    enum shader_stage stage;
    bool is_input;
};

static const struct builtin_row builtin_rows[] = {
#define IN true
#define OUT false
#define BUILTIN_VALUE(name, word, stage, direction, type, enable) {word, STAGE_##stage, direction},
#include "facts/builtin_value.def"
#undef IN
#undef OUT
};

// A structure may serve several stages: the row of the same word for this stage and direction.
static enum builtin_value find_builtin(
    enum builtin_value builtin, enum shader_stage stage, bool is_input) {
    for (uint32_t i = 0; i < sizeof builtin_rows / sizeof builtin_rows[0]; i++) {
        if (builtin_rows[i].stage == stage && builtin_rows[i].is_input == is_input &&
            strcmp(builtin_rows[i].word, builtin_rows[builtin].word) == 0) {
            return (enum builtin_value)i;
        }
    }
    return builtin;
}

typedef VECTOR(struct ir_interface) interface_list;

static bool push_interface(struct lower *lower, interface_list *list,
    const struct ast_interface *attributes, type_id type, struct text name, enum shader_stage stage,
    bool is_input) {
    struct ir_interface row = {
        .is_builtin = attributes->has_builtin,
        .location = attributes->location,
        .blend_source = attributes->blend_src,
        .has_blend_source = attributes->has_blend_src,
        .interpolation = (uint8_t)attributes->interpolation,
        .sampling = (uint8_t)attributes->sampling,
        .is_invariant = attributes->is_invariant,
        .depth_mode = attributes->depth_mode,
        .type = type,
        .name = name,
    };
    if (attributes->has_builtin) {
        row.builtin = find_builtin(attributes->builtin, stage, is_input);
    }
    if (!vector_push(list, MEMORY_COMPILE, row)) {
        lower_fail(lower);
        return false;
    }
    return true;
}

static const struct ast_struct *find_struct(const struct lower *lower, type_id type) {
    if (lower_kind_of(lower, type) != TYPE_STRUCT || type.index >= lower->structure_count ||
        !lower->structures[type.index]) {
        return NULL;
    }
    return lower->structures[type.index]->structure;
}

static void push_value(struct lower *lower, interface_list *list,
    const struct ast_interface *attributes, type_id type, struct text name, enum shader_stage stage,
    bool is_input) {
    const struct ast_struct *structure = find_struct(lower, type);
    if (!structure) {
        push_interface(lower, list, attributes, type, name, stage, is_input);
        return;
    }
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const struct ast_member *member = &structure->members[i];
        push_interface(
            lower, list, &member->interface, member->type, member->name->text, stage, is_input);
    }
}

static struct ir_interface *keep(struct lower *lower, interface_list *list, uint32_t *out_count) {
    struct ir_interface *items = NULL;
    if (list->count > 0) {
        items = (struct ir_interface *)arena_copy(
            lower->ir->arena, list->items, list->count * sizeof(struct ir_interface));
        if (!items) {
            lower_fail(lower);
        }
    }
    *out_count = items ? (uint32_t)list->count : 0;
    vector_finish(list);
    return items;
}

void lower_entry_interface(
    struct lower *lower, const struct ast_declaration *function, struct ir_entry_point *entry) {
    const struct ast_function *details = function->function;
    interface_list inputs = {0}, outputs = {0};
    for (uint32_t i = 0; i < details->parameter_count; i++) {
        const struct ast_declaration *parameter = details->parameters[i];
        push_value(lower, &inputs, &parameter->interface, parameter->type, parameter->name->text,
            entry->stage, true);
    }
    if (details->result_type_expression) {
        push_value(lower, &outputs, &details->result_interface, details->result_type,
            TEXT_LITERAL(""), entry->stage, false);
    }
    entry->inputs = keep(lower, &inputs, &entry->input_count);
    entry->outputs = keep(lower, &outputs, &entry->output_count);
}

static ir_value load_input(struct lower *lower, uint32_t index) {
    type_id type = lower->entry->inputs[index].type;
    return ir_builder_op(
        &lower->at, IR_LOAD_INPUT, NULL, 0, &type, 1, (union ir_op_data){.index = index});
}

void lower_entry_inputs(struct lower *lower, const struct ast_declaration *function) {
    const struct ast_function *details = function->function;
    uint32_t index = 0;
    for (uint32_t i = 0; i < details->parameter_count && !lower->ir->has_failed; i++) {
        struct ast_declaration *parameter = details->parameters[i];
        const struct ast_struct *structure = find_struct(lower, parameter->type);
        lower->at.span = lower_span(parameter->span);
        ir_value value;
        if (structure) {
            VECTOR(ir_value) members = {0};
            for (uint32_t j = 0; j < structure->member_count; j++) {
                ir_value member = load_input(lower, index++);
                if (!vector_push(&members, MEMORY_COMPILE, member)) {
                    lower_fail(lower);
                    break;
                }
            }
            value = ir_builder_construct(
                &lower->at, parameter->type, members.items, (uint32_t)members.count);
            vector_finish(&members);
        } else {
            value = load_input(lower, index++);
        }
        if (!lower->ir->has_failed) {
            ir_value_set_name(lower->ir, &lower->ir->functions.items[lower->at.function], value,
                parameter->name->text);
        }
        parameter->ir_id = value.index;
    }
}

void lower_entry_outputs(struct lower *lower, ir_value result) {
    type_id type = lower_type_of(lower, result);
    if (!ir_value_is_set(result)) {
        return;
    }
    bool is_struct = find_struct(lower, type) != NULL;
    for (uint32_t i = 0; i < lower->entry->output_count; i++) {
        ir_value value = is_struct ? lower_extract(lower, result, i) : result;
        ir_builder_op(
            &lower->at, IR_STORE_OUTPUT, &value, 1, NULL, 0, (union ir_op_data){.index = i});
    }
}
