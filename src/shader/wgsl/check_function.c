// SPDX-License-Identifier: MIT
//
// Function declarations: parameters, result, attributes, body (WGSL §Functions, §Entry Point
// Declaration). See check_priv.h for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

static bool is_handle(enum type_kind kind) {
    return kind >= TYPE_SAMPLER && kind <= TYPE_TEXTURE_EXTERNAL;
}

// Why no value of the type can be handed over.
static void explain_function_type(
    struct checker *checker, struct diagnostic *diagnostic, type_id type, bool may_be_pointer) {
    const char *instead = may_be_pointer ? "; pass a pointer to it" : "";
    enum type_kind kind = type_kind_of(checker->types, type);
    if (kind == TYPE_POINTER || is_handle(kind)) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "only parameters of functions that are no entry points take pointers, textures and "
            "samplers");
    } else if (type_contains_atomic(checker->types, type)) {
        diagnostic_explain(checker->diagnostics, diagnostic, "atomics cannot be copied%s", instead);
    } else if (type_contains_runtime_array(checker->types, type)) {
        diagnostic_explain(
            checker->diagnostics, diagnostic, "a runtime-sized array cannot be copied%s", instead);
    } else if (type_contains_override_array(checker->types, type)) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "an array that is sized by an override cannot be copied%s", instead);
    }
}

static void check_parameter(
    struct checker *checker, struct ast_declaration *parameter, bool is_entry_point) {
    type_id type = {0};
    if (parameter->type_expression != NULL) {
        type = check_type_expression(checker, parameter->type_expression);
    }
    parameter->stage = EVALUATION_RUNTIME;
    if (type.index == 0) {
        return;
    }
    enum type_kind kind = type_kind_of(checker->types, type);
    bool is_allowed = type_is_constructible(checker->types, type) ||
        (!is_entry_point && (kind == TYPE_POINTER || is_handle(kind)));
    if (!is_allowed) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_FUNCTION_TYPE, parameter->type_expression->span,
            is_entry_point ? "an input of an entry point cannot be '%s'"
                           : "a parameter cannot be '%s'",
            check_type_text(checker, type));
        explain_function_type(checker, diagnostic, type, !is_entry_point);
        return;
    }
    parameter->type = type;
    check_interface_attributes(checker, &parameter->attributes, type, &parameter->interface);
}

static void check_result(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_function *function = declaration->function;
    if (function->result_type_expression == NULL) {
        function->result_type = type_scalar(TYPE_VOID);
        declaration->type = function->result_type;
        return;
    }
    type_id type = check_type_expression(checker, function->result_type_expression);
    if (type.index == 0) {
        return;
    }
    if (!type_is_constructible(checker->types, type)) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_FUNCTION_TYPE, function->result_type_expression->span,
            "a function cannot return '%s'", check_type_text(checker, type));
        explain_function_type(checker, diagnostic, type, false);
        return;
    }
    function->result_type = type;
    declaration->type = type;
    check_interface_attributes(
        checker, &function->result_attributes, type, &function->result_interface);
}

// ---- Attributes --------------------------------------------------------------------------------

static void check_stage(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_function *function = declaration->function;
    const struct ast_attribute *first = NULL;
    for (uint32_t i = 0; i < declaration->attributes.count; i++) {
        const struct ast_attribute *attribute = &declaration->attributes.items[i];
        enum shader_stage stage = attribute->kind == ATTRIBUTE_VERTEX ? STAGE_VERTEX
            : attribute->kind == ATTRIBUTE_FRAGMENT                   ? STAGE_FRAGMENT
                                                                      : STAGE_COMPUTE;
        if (stage == STAGE_COMPUTE && attribute->kind != ATTRIBUTE_COMPUTE) {
            continue; // it names no stage
        }
        if (first != NULL) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_ENTRY_POINT, attribute->span, "an entry point has one stage");
            diagnostic_note(checker->diagnostics, diagnostic, first->span, "given here");
            continue;
        }
        first = attribute;
        function->is_entry_point = true;
        function->stage = stage;
    }
}

static bool check_dimension(struct checker *checker, struct ast_expression *expression) {
    if (!check_value(checker, expression)) {
        return false;
    }
    type_id type = check_value_type(checker, expression);
    if (!type_is_integer_scalar(checker->types, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE, expression->span,
            "a workgroup size is an i32 or u32, not '%s'", check_type_text(checker, type));
        return false;
    }
    if (expression->stage == EVALUATION_RUNTIME) {
        check_report_stage(checker, expression, EVALUATION_OVERRIDE, "a workgroup size");
        return false;
    }
    return true;
}

static void check_workgroup_size(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_function *function = declaration->function;
    const struct ast_attribute *attribute = ast_attribute_find(
        &declaration->attributes, ATTRIBUTE_WORKGROUP_SIZE);
    bool is_compute = function->is_entry_point && function->stage == STAGE_COMPUTE;
    if (attribute == NULL) {
        if (is_compute && !declaration->attributes.has_unknown) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_ENTRY_POINT, declaration->name_span,
                "the compute entry point '%.*s' needs @workgroup_size",
                TEXT_ARGS(declaration->name->text));
            uint32_t end =
                ast_attribute_find(&declaration->attributes, ATTRIBUTE_COMPUTE)->span.end;
            diagnostic_fix(checker->diagnostics, diagnostic, (struct source_span){end, end},
                " @workgroup_size(64)");
        }
        return;
    }
    if (!is_compute) {
        if (ast_attribute_find(&declaration->attributes, ATTRIBUTE_COMPUTE) == NULL) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ENTRY_POINT, attribute->span,
                "only a compute entry point has a workgroup size");
        }
        return;
    }
    uint32_t count = attribute->arguments.count < 3 ? attribute->arguments.count : 3;
    type_id type = type_scalar(TYPE_I32);
    bool is_ok = true, is_typed = false;
    for (uint32_t i = 0; i < count; i++) {
        struct ast_expression *size = attribute->arguments.items[i];
        is_ok = check_dimension(checker, size) && is_ok;
        if (is_ok && !is_typed && !type_is_abstract(checker->types, size->type)) {
            type = check_value_type(checker, size);
            is_typed = true;
        }
    }
    for (uint32_t i = 0; i < count && is_ok; i++) {
        struct ast_expression *size = attribute->arguments.items[i];
        if (!check_convert_or_report(checker, size, type, "the type of the other sizes")) {
            return;
        }
        if (size->value != NULL && const_value_get_integer(size->value) <= 0) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE, size->span,
                "a workgroup size is positive, but this is %" PRId64,
                const_value_get_integer(size->value));
        }
        function->workgroup_size[i] = size;
    }
}

static void check_subgroup_size(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_function *function = declaration->function;
    const struct ast_attribute *attribute = ast_attribute_find(
        &declaration->attributes, ATTRIBUTE_SUBGROUP_SIZE);
    if (attribute == NULL || attribute->arguments.count != 1 ||
        !check_need_extension(checker, WGSL_EXTENSION_SUBGROUP_SIZE_CONTROL,
            "subgroup_size_control", attribute->span, "@subgroup_size")) {
        return;
    }
    struct ast_expression *size = attribute->arguments.items[0];
    if (!function->is_entry_point || function->stage != STAGE_COMPUTE) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ENTRY_POINT, attribute->span,
            "only a compute entry point has a subgroup size");
        return;
    }
    if (!check_dimension(checker, size) || !check_concretize(checker, size)) {
        return;
    }
    if (size->value != NULL) {
        int64_t value = const_value_get_integer(size->value);
        if (value <= 0 || (value & (value - 1)) != 0) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE, size->span,
                "a subgroup size is a power of two, but this is %" PRId64, value);
        }
    }
    function->subgroup_size = size;
}

static void check_must_use(struct checker *checker, struct ast_declaration *declaration) {
    const struct ast_attribute *attribute = ast_attribute_find(
        &declaration->attributes, ATTRIBUTE_MUST_USE);
    if (attribute == NULL) {
        return;
    }
    if (declaration->function->result_type_expression == NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_MUST_USE, attribute->span,
            "@must_use is for functions with a result");
        return;
    }
    declaration->function->is_must_use = true;
}

// ---- The declaration ---------------------------------------------------------------------------

static void check_behavior_of_body(
    struct checker *checker, struct ast_declaration *declaration, uint8_t behavior) {
    struct ast_function *function = declaration->function;
    function->behavior = behavior;
    if (function->result_type_expression == NULL || !(behavior & BEHAVIOR_NEXT) ||
        function->result_type.index == 0 || checker->module->has_syntax_errors) {
        return;
    }
    struct source_span end = {function->body.span.end - 1, function->body.span.end};
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_MISSING_RETURN, end, "'%.*s' can end without returning its '%s'",
        TEXT_ARGS(declaration->name->text), check_type_text(checker, function->result_type));
    diagnostic_note(checker->diagnostics, diagnostic, function->result_type_expression->span,
        "the result is declared here");
}

void check_function(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_function *function = declaration->function;
    check_stage(checker, declaration);
    if (function->parameter_count > LIMIT_PARAMETERS) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, declaration->name_span,
            "a function of %" PRIu32 " parameters; the limit is %d", function->parameter_count,
            LIMIT_PARAMETERS);
        return;
    }
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        check_parameter(checker, function->parameters[i], function->is_entry_point);
    }
    check_result(checker, declaration);
    check_workgroup_size(checker, declaration);
    check_subgroup_size(checker, declaration);
    check_must_use(checker, declaration);
    check_entry_interface(checker, declaration);
    check_behavior_of_body(checker, declaration, check_body(checker, declaration));
}
