// SPDX-License-Identifier: MIT
//
// Calls: what the callee names decides between user functions, built-in functions and constructors
// (WGSL §Function Calls). See check_priv.h for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

static void check_arguments(struct checker *checker, struct ast_expression *expression) {
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        check_value(checker, expression->call.arguments.items[i]);
    }
}

static void report_argument_count(struct checker *checker, const struct ast_expression *expression,
    const struct ast_declaration *callee) {
    uint32_t given = expression->call.arguments.count, taken = callee->function->parameter_count;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_ARGUMENT_COUNT, expression->span,
        "'%.*s' takes %" PRIu32 " argument%s, but %" PRIu32 " %s given",
        TEXT_ARGS(callee->name->text), taken, taken == 1 ? "" : "s", given,
        given == 1 ? "is" : "are");
    diagnostic_note(checker->diagnostics, diagnostic, callee->name_span, "declared here");
}

// A pointer argument that differs from the parameter names what differs.
static void report_pointer_argument(struct checker *checker, const struct ast_expression *argument,
    const struct ast_declaration *parameter) {
    const struct type *given = type_get(checker->types, check_value_type(checker, argument));
    const struct type *wanted = type_get(checker->types, parameter->type);
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_MISMATCH,
        argument->span, "the parameter '%.*s' is '%s', but this is '%s'",
        TEXT_ARGS(parameter->name->text), check_type_text(checker, parameter->type),
        check_type_text(checker, check_value_type(checker, argument)));
    if (given->kind == TYPE_POINTER && given->space != wanted->space) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "the address spaces differ: '%s' is wanted, '%s' is given",
            address_space_word(wanted->space), address_space_word(given->space));
    } else if (given->kind == TYPE_POINTER && type_equals(given->element, wanted->element)) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "the access modes differ: '%s' is wanted, '%s' is given",
            access_mode_word(wanted->access), access_mode_word(given->access));
    } else if (type_equals(check_value_type(checker, argument), wanted->element)) {
        diagnostic_explain(checker->diagnostics, diagnostic, "write '&' to pass the address");
    }
    diagnostic_note(checker->diagnostics, diagnostic, parameter->name_span, "declared here");
}

static void check_argument(struct checker *checker, struct ast_expression *argument,
    const struct ast_declaration *parameter) {
    if (argument->type.index == 0 || parameter->type.index == 0) {
        return;
    }
    if (check_is_buffer_limit(checker->types, argument->type, parameter->type)) {
        return;
    }
    if (type_kind_of(checker->types, parameter->type) == TYPE_POINTER &&
        !type_equals(argument->type, parameter->type)) {
        report_pointer_argument(checker, argument, parameter);
        return;
    }
    if (check_can_convert(checker, argument, parameter->type)) {
        check_convert(checker, argument, parameter->type);
        return;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_MISMATCH,
        argument->span, "the parameter '%.*s' is '%s', but this is '%s'",
        TEXT_ARGS(parameter->name->text), check_type_text(checker, parameter->type),
        check_type_text(checker, check_value_type(checker, argument)));
    diagnostic_note(checker->diagnostics, diagnostic, parameter->name_span, "declared here");
}

static void check_user_call(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, struct ast_declaration *callee) {
    const struct ast_function *function = callee->function;
    expression->stage = EVALUATION_RUNTIME;
    check_arguments(checker, expression);
    if (function->is_entry_point) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_INVALID_CALL, expression->call.callee->span,
            "the entry point '%.*s' cannot be called", TEXT_ARGS(callee->name->text));
        diagnostic_note(checker->diagnostics, diagnostic, callee->name_span, "declared here");
        return;
    }
    if (expression->call.arguments.count != function->parameter_count) {
        if (!checker->module->has_syntax_errors) { // else parameters may have been lost
            report_argument_count(checker, expression, callee);
        }
    } else {
        for (uint32_t i = 0; i < function->parameter_count; i++) {
            check_argument(checker, expression->call.arguments.items[i], function->parameters[i]);
        }
        check_pointer_arguments(checker, expression, callee);
    }
    call->kind = CALL_FUNCTION;
    call->function = callee;
    expression->type = function->result_type;
}

static void check_declared_callee(
    struct checker *checker, struct ast_expression *expression, struct ast_call *call) {
    struct ast_expression *callee = expression->call.callee;
    struct ast_declaration *declaration = callee->identifier.declaration;
    if (declaration->kind == DECLARATION_FUNCTION) {
        if (callee->identifier.template_arguments != NULL) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, callee->span,
                "'%.*s' takes no template arguments", TEXT_ARGS(declaration->name->text));
        }
        check_user_call(checker, expression, call, declaration);
        return;
    }
    if (declaration->kind == DECLARATION_ALIAS || declaration->kind == DECLARATION_STRUCT) {
        check_construct(checker, expression, call, check_type_expression(checker, callee));
        return;
    }
    check_arguments(checker, expression);
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CALLABLE,
        callee->span, "'%.*s' is neither a function nor a type",
        TEXT_ARGS(declaration->name->text));
    diagnostic_note(checker->diagnostics, diagnostic, declaration->name_span, "declared here");
}

void check_call(struct checker *checker, struct ast_expression *expression) {
    struct ast_expression *callee = expression->call.callee;
    struct ast_call *call = ARENA_NEW(checker->arena, struct ast_call);
    if (call == NULL) {
        check_out_of_memory(checker);
        return;
    }
    if (callee->kind != EXPRESSION_IDENTIFIER) {
        check_arguments(checker, expression);
        return;
    }
    switch ((enum ast_resolution)callee->resolution) {
    case RESOLUTION_NONE:
        check_arguments(checker, expression);
        break;
    case RESOLUTION_DECLARATION:
        check_declared_callee(checker, expression, call);
        break;
    case RESOLUTION_TYPE:
        check_construct(checker, expression, call, check_type_expression(checker, callee));
        break;
    case RESOLUTION_TYPE_GENERATOR:
        if (callee->identifier.template_arguments == NULL) {
            check_construct_inferred(
                checker, expression, call, predeclared_get(callee->detail));
        } else {
            check_construct(checker, expression, call, check_type_expression(checker, callee));
        }
        break;
    case RESOLUTION_ENUMERANT:
        check_arguments(checker, expression);
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CALLABLE, callee->span,
            "'%.*s' is an enumerant and cannot be called",
            TEXT_ARGS(callee->identifier.name->text));
        break;
    case RESOLUTION_BUILTIN_FUNCTION:
        check_builtin_call(checker, expression, call, callee->detail);
        break;
    }
    if (call->kind != CALL_NONE && expression->type.index != 0) {
        expression->call.resolved = call;
    }
}
