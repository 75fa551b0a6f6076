// SPDX-License-Identifier: MIT
//
// Lowering of a module: overrides, variables, functions and entry points, each after all it depends
// on. What depends on overrides and is not in a function (array sizes, workgroup sizes, initial
// values) goes to the IR module's `initialisation` function, made on first use.

#include "shader/wgsl/lower_priv.h"

#include "base/memory.h"
#include "shader/wgsl/wgsl.h"

// ---- The initialisation function ----

// Evaluates an override-expression there; later ones may use what earlier ones computed.
static ir_value lower_initialisation(struct lower *lower, struct ast_expression *expression) {
    if (lower->ir->initialisation == UINT32_MAX) {
        lower->ir->initialisation = ir_function_create(
            lower->ir, TEXT_LITERAL("initialisation"), type_scalar(TYPE_VOID), NULL, 0);
        if (lower->ir->initialisation == UINT32_MAX) {
            lower_fail(lower);
            return (ir_value){0};
        }
    }
    struct ir_builder outer = lower->at;
    lower->at = ir_builder_create(lower->ir, lower->ir->initialisation);
    ir_value value = lower_expression(lower, expression);
    lower->at = outer;
    return value;
}

static void finish_initialisation(struct lower *lower) {
    if (lower->ir->initialisation != UINT32_MAX) {
        struct ir_builder builder = ir_builder_create(lower->ir, lower->ir->initialisation);
        ir_builder_terminate(&builder, IR_RETURN, NULL, 0);
    }
}

// ---- Overrides and variables ----

static void lower_override(struct lower *lower, struct ast_declaration *declaration) {
    struct ir_override row = {
        .name = declaration->name->text,
        .has_id = ast_attribute_find(&declaration->attributes, ATTRIBUTE_ID) != NULL,
        .id = declaration->override_id,
        .type = declaration->type,
        .span = lower_span(declaration->span),
    };
    if (declaration->initializer) {
        row.has_initial_value = true;
        row.initial_value = lower_initialisation(lower, declaration->initializer);
    }
    if (!arena_vector_push(lower->ir->arena, &lower->ir->overrides, row)) {
        lower_fail(lower);
        return;
    }
    declaration->ir_id = (uint32_t)lower->ir->overrides.count;
}

static void lower_variable(struct lower *lower, struct ast_declaration *declaration) {
    struct ir_variable row = {
        .name = declaration->name->text,
        .space = declaration->space,
        .access = declaration->access,
        .type = declaration->type,
        .has_binding = declaration->has_binding,
        .group = declaration->group,
        .binding = declaration->binding,
        .span = lower_span(declaration->span),
    };
    const struct ast_expression *initializer = declaration->initializer;
    if (initializer && initializer->value) {
        row.initial_constant = lower_constant_index(lower, initializer->value) + 1;
    } else if (initializer) {
        row.initial_value = lower_initialisation(lower, declaration->initializer);
    }
    if (!arena_vector_push(lower->ir->arena, &lower->ir->variables, row)) {
        lower_fail(lower);
        return;
    }
    declaration->ir_id = (uint32_t)lower->ir->variables.count;
}

static void lower_override_counts(struct lower *lower) {
    for (size_t i = 0; i < lower->module->override_counts.count; i++) {
        ir_value count = lower_initialisation(lower, lower->module->override_counts.items[i]);
        if (!arena_vector_push(lower->ir->arena, &lower->ir->override_counts, count)) {
            lower_fail(lower);
            return;
        }
    }
}

// ---- Functions ----

static void lower_entry_point(
    struct lower *lower, struct ast_declaration *declaration, uint32_t function) {
    const struct ast_function *details = declaration->function;
    struct ir_entry_point row = {
        .name = declaration->name->text,
        .stage = details->stage,
        .function = function,
        .span = lower_span(declaration->name_span),
    };
    if (details->stage == STAGE_COMPUTE) {
        for (uint32_t i = 0; i < 3; i++) {
            struct ast_expression *size = details->workgroup_size[i];
            row.workgroup_size[i] = 1;
            if (size && size->value) {
                row.workgroup_size[i] = (uint32_t)const_value_get_integer(size->value);
            } else if (size) {
                row.workgroup_size[i] = 0;
                row.workgroup_size_value[i] = lower_initialisation(lower, size);
            }
        }
        struct ast_expression *subgroup = details->subgroup_size;
        if (subgroup && subgroup->value) {
            row.subgroup_size = (uint32_t)const_value_get_integer(subgroup->value);
        } else if (subgroup) {
            row.subgroup_size_value = lower_initialisation(lower, subgroup);
        }
    }
    lower_entry_interface(lower, declaration, &row);
    if (!arena_vector_push(lower->ir->arena, &lower->ir->entry_points, row)) {
        lower_fail(lower);
    }
}

static uint32_t create_function(struct lower *lower, struct ast_declaration *declaration) {
    const struct ast_function *details = declaration->function;
    if (details->is_entry_point) {
        return ir_function_create(
            lower->ir, declaration->name->text, type_scalar(TYPE_VOID), NULL, 0);
    }
    VECTOR(type_id) types = {0};
    bool is_ok = true;
    for (uint32_t i = 0; i < details->parameter_count && is_ok; i++) {
        is_ok = vector_push(&types, MEMORY_COMPILE, details->parameters[i]->type);
    }
    type_id result = details->result_type_expression ? details->result_type
                                                     : type_scalar(TYPE_VOID);
    uint32_t function = UINT32_MAX;
    if (is_ok) {
        function = ir_function_create(
            lower->ir, declaration->name->text, result, types.items, (uint32_t)types.count);
    }
    vector_finish(&types);
    if (function == UINT32_MAX) {
        lower_fail(lower);
    }
    return function;
}

static void bind_parameters(
    struct lower *lower, const struct ast_function *details, uint32_t function) {
    struct ir_function *row = &lower->ir->functions.items[function];
    for (uint32_t i = 0; i < details->parameter_count; i++) {
        struct ast_declaration *parameter = details->parameters[i];
        parameter->ir_id = row->parameters[i].index;
        ir_value_set_name(lower->ir, row, row->parameters[i], parameter->name->text);
    }
}

// Marks the variables and overrides that the function's operations name, with its own number.
static bool mark_used(struct lower *lower, uint32_t function) {
    uint32_t count = (uint32_t)(lower->ir->variables.count + lower->ir->overrides.count);
    if (!lower->marks) {
        lower->marks = (uint32_t *)memory_allocate_zeroed(
            MEMORY_COMPILE, count + 1, sizeof(uint32_t));
        if (!lower->marks) {
            lower_fail(lower);
            return false;
        }
    }
    const struct ir_function *row = &lower->ir->functions.items[function];
    for (size_t i = 1; i < row->ops.count; i++) {
        const struct ir_op *op = &row->ops.items[i];
        if (op->opcode == IR_VARIABLE) {
            lower->marks[op->data.index] = function + 1;
        } else if (op->opcode == IR_OVERRIDE) {
            lower->marks[lower->ir->variables.count + op->data.index] = function + 1;
        }
    }
    return true;
}

// Dead code is not lowered, but WGSL counts a variable or override as used wherever a function
// names it: what the body lost is named at its beginning.
static void name_unused(
    struct lower *lower, const struct ast_function *details, uint32_t function) {
    if (details->globals.count == 0 || lower->ir->has_failed || !mark_used(lower, function)) {
        return;
    }
    for (uint32_t i = 0; i < details->globals.count && !lower->ir->has_failed; i++) {
        const struct ast_declaration *global = details->globals.items[i];
        bool is_variable = global->kind == DECLARATION_VARIABLE;
        if (global->ir_id == 0 || (!is_variable && global->kind != DECLARATION_OVERRIDE)) {
            continue;
        }
        uint32_t index = global->ir_id - 1;
        uint32_t mark = is_variable ? index : (uint32_t)lower->ir->variables.count + index;
        if (lower->marks[mark] == function + 1) {
            continue;
        }
        lower->marks[mark] = function + 1;
        const struct ir_function *row = &lower->ir->functions.items[function];
        struct ir_builder at = ir_builder_before(
            lower->ir, function, ir_region_get(row, row->body)->first);
        if (is_variable) {
            ir_builder_variable(&at, index);
        } else {
            ir_builder_op(
                &at, IR_OVERRIDE, NULL, 0, &global->type, 1, (union ir_op_data){.index = index});
        }
    }
}

static void lower_function(struct lower *lower, struct ast_declaration *declaration) {
    struct ast_function *details = declaration->function;
    uint32_t function = create_function(lower, declaration);
    if (lower->ir->has_failed) {
        return;
    }
    declaration->ir_id = function + 1;
    details->ir_id = function + 1;
    lower->ir->functions.items[function].span = lower_span(declaration->span);
    lower->entry = NULL;
    if (details->is_entry_point) {
        lower_entry_point(lower, declaration, function);
        if (lower->ir->has_failed) {
            return;
        }
        lower->entry = &lower->ir->entry_points.items[lower->ir->entry_points.count - 1];
    }
    lower->function = declaration;
    lower->at = ir_builder_create(lower->ir, function);
    lower->is_terminated = false;
    lower->nesting = 0;
    lower->break_target = BREAK_NOTHING;
    if (details->is_entry_point) {
        lower_entry_inputs(lower, declaration);
    } else {
        bind_parameters(lower, details, function);
    }
    lower_block(lower, &details->body);
    // The checker has seen that a function with a result returns; this is the end of the others.
    lower->at.span = lower_span((struct source_span){declaration->span.end, declaration->span.end});
    lower_terminate(lower, IR_RETURN, NULL, 0);
    name_unused(lower, details, function);
}

// ---- The module ----

static bool index_structures(struct lower *lower) {
    uint32_t count = (uint32_t)lower->types->types.count;
    lower->structures = (const struct ast_declaration **)memory_allocate_zeroed(
        MEMORY_COMPILE, count, sizeof(struct ast_declaration *));
    if (!lower->structures) {
        return false;
    }
    lower->structure_count = count;
    for (uint32_t i = 0; i < lower->module->declaration_count; i++) {
        const struct ast_declaration *declaration = lower->module->declarations[i];
        if (declaration->kind == DECLARATION_STRUCT && declaration->type.index < count) {
            lower->structures[declaration->type.index] = declaration;
        }
    }
    return true;
}

static void lower_declaration(struct lower *lower, struct ast_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARATION_VARIABLE:
        lower_variable(lower, declaration);
        break;
    case DECLARATION_OVERRIDE:
        lower_override(lower, declaration);
        break;
    case DECLARATION_FUNCTION:
        lower_function(lower, declaration);
        break;
    case DECLARATION_CONST:
    case DECLARATION_LET:
    case DECLARATION_PARAMETER:
    case DECLARATION_ALIAS:
    case DECLARATION_STRUCT:
    case DECLARATION_CONST_ASSERT:
        break;
    }
}

// Overrides first, then variables and functions, each in dependency order: function bodies may use
// any override or variable, wherever it stands in the text.
static void lower_module(struct lower *lower) {
    for (int round = 0; round < 3; round++) {
        if (round == 1) {
            lower_override_counts(lower);
        }
        for (uint32_t i = 0; i < lower->module->sorted_count && !lower->ir->has_failed; i++) {
            struct ast_declaration *declaration = lower->module->sorted[i];
            int turn = declaration->kind == DECLARATION_OVERRIDE ? 0
                : declaration->kind == DECLARATION_VARIABLE      ? 1
                                                                 : 2;
            if (turn == round) {
                lower_declaration(lower, declaration);
            }
        }
    }
    finish_initialisation(lower);
}

struct ir_module *wgsl_lower(struct ast_module *module, struct diagnostic_list *diagnostics) {
    struct lower lower = {
        .module = module,
        .ir = module->ir,
        .types = module->types,
        .diagnostics = diagnostics,
    };
    uint32_t errors_before = diagnostics->error_count;
    if (index_structures(&lower)) {
        lower_module(&lower);
    } else {
        lower_fail(&lower);
    }
    memory_free((void *)lower.structures);
    memory_free(lower.constants);
    memory_free(lower.marks);
    if (lower.ir->has_failed) {
        if (lower.is_out_of_memory || lower.ir->arena->has_failed) {
            diagnostic_list_set_out_of_memory(diagnostics);
        } else if (diagnostics->error_count == errors_before) {
            diagnostic_error(diagnostics, DIAGNOSTIC_INTERNAL,
                lower.function ? lower.function->name_span : (struct source_span){0, 0},
                "alba could not translate this function: the fault is alba's, not the text's");
        }
        return NULL;
    }
    return diagnostics->error_count == errors_before ? lower.ir : NULL;
}
