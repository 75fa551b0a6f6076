// SPDX-License-Identifier: MIT
//
// const, override and let declarations and const_assert, at module and function scope (WGSL §Value
// Declarations, §Assertions). Variables are in check_variable.c. See check_priv.h for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

// Checks the initialiser against the declared type, or infers the type from it. is_concrete: an
// inferred abstract type is concretized. Gives the declaration's type, index 0 after an error.
static type_id check_initialized_type(
    struct checker *checker, struct ast_declaration *declaration, bool is_concrete) {
    struct ast_expression *initializer = declaration->initializer;
    type_id type = {0};
    bool has_type = declaration->type_expression != NULL;
    if (has_type) {
        type = check_type_expression(checker, declaration->type_expression);
    }
    if (initializer == NULL) {
        return type;
    }
    if (!check_value(checker, initializer)) {
        return type;
    }
    if (has_type) {
        char *what = text_format(checker->arena, "'%.*s'", TEXT_ARGS(declaration->name->text));
        if (type.index != 0 &&
            !check_convert_or_report(checker, initializer, type, what != NULL ? what : "this")) {
            // The type is known: what uses the name can still be checked.
            initializer->type = (type_id){0};
            initializer->value = NULL;
        }
        return type;
    }
    if (is_concrete && !check_concretize(checker, initializer)) {
        return (type_id){0};
    }
    return check_value_type(checker, initializer);
}

static void check_const(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_expression *initializer = declaration->initializer;
    type_id type = check_initialized_type(checker, declaration, false);
    declaration->stage = EVALUATION_CONST;
    if (initializer == NULL) { // a syntax error
        return;
    }
    if (initializer->type.index != 0 && initializer->stage != EVALUATION_CONST) {
        char *what = text_format(
            checker->arena, "the value of the const '%.*s'", TEXT_ARGS(declaration->name->text));
        check_report_stage(
            checker, initializer, EVALUATION_CONST, what != NULL ? what : "the value of a const");
        return;
    }
    if (type.index != 0 && !type_is_constructible(checker->types, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CONSTRUCTIBLE, declaration->name_span,
            "a const cannot be '%s'", check_type_text(checker, type));
        return;
    }
    declaration->value = initializer->value;
    // Without a value every use is silent: why there is none was reported.
    declaration->type = declaration->value != NULL ? type : (type_id){0};
}

static void check_let(struct checker *checker, struct ast_declaration *declaration) {
    type_id type = check_initialized_type(checker, declaration, true);
    declaration->stage = EVALUATION_RUNTIME;
    if (declaration->initializer == NULL || type.index == 0) {
        return; // reported
    }
    enum type_kind kind = type_kind_of(checker->types, type);
    bool is_handle = kind >= TYPE_SAMPLER && kind <= TYPE_TEXTURE_EXTERNAL;
    if (!type_is_constructible(checker->types, type) && kind != TYPE_POINTER && !is_handle) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CONSTRUCTIBLE, declaration->name_span,
            "a let cannot be '%s'", check_type_text(checker, type));
        return;
    }
    declaration->type = type;
    if (kind == TYPE_POINTER) {
        declaration->root = check_find_root(declaration->initializer);
    }
}

static void check_override_id(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_attribute *attribute = ast_attribute_find(&declaration->attributes, ATTRIBUTE_ID);
    int64_t id = 0;
    if (attribute == NULL || attribute->arguments.count != 1 ||
        !check_const_integer(
            checker, attribute->arguments.items[0], "a pipeline constant ID", &id)) {
        return;
    }
    if (id > 65535) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE,
            attribute->arguments.items[0]->span,
            "a pipeline constant ID is at most 65535, but this is %" PRId64, id);
        return;
    }
    declaration->has_override_id = true;
    declaration->override_id = (uint32_t)id;
}

static void check_override(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_expression *initializer = declaration->initializer;
    check_override_id(checker, declaration);
    // A value that the pipeline gives replaces the initialiser: that is then not evaluated.
    bool is_replaced = checker->is_specialised &&
        check_pipeline_value(checker, declaration, type_scalar(TYPE_BOOL)) != NULL;
    checker->skip_evaluation += is_replaced;
    type_id type = check_initialized_type(checker, declaration, true);
    checker->skip_evaluation -= is_replaced;
    declaration->stage = EVALUATION_OVERRIDE;
    bool has_neither = initializer == NULL && declaration->type_expression == NULL;
    if (has_neither && !checker->module->has_syntax_errors) { // else it may have been lost
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_MISSING_TYPE, declaration->name_span,
            "the override '%.*s' needs a type or a default value",
            TEXT_ARGS(declaration->name->text));
        return;
    }
    if (initializer != NULL && initializer->type.index != 0 &&
        initializer->stage == EVALUATION_RUNTIME) {
        char *what = text_format(checker->arena, "the default of the override '%.*s'",
            TEXT_ARGS(declaration->name->text));
        check_report_stage(checker, initializer, EVALUATION_OVERRIDE,
            what != NULL ? what : "an override's default");
    }
    if (type.index == 0) {
        return;
    }
    if (!type_is_scalar(checker->types, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_STORE_TYPE, declaration->name_span,
            "an override is a scalar, not '%s'", check_type_text(checker, type));
        return;
    }
    declaration->type = type;
    declaration->value = initializer != NULL ? initializer->value : NULL;
    if (checker->is_specialised) {
        const struct const_value *given = check_pipeline_value(checker, declaration, type);
        declaration->value = given != NULL ? given : declaration->value;
    }
}

static void explain_comparison(struct checker *checker, struct diagnostic *diagnostic,
    const struct ast_expression *condition) {
    while (condition->kind == EXPRESSION_PAREN) {
        condition = condition->unary.operand;
    }
    if (condition->kind != EXPRESSION_BINARY || condition->binary.left->value == NULL ||
        condition->binary.right->value == NULL) {
        return;
    }
    struct text_buffer text = {0};
    text_buffer_append_string(&text, "the left side is ");
    const_value_print(&text, checker->types, condition->binary.left->value);
    text_buffer_append_string(&text, ", the right side is ");
    const_value_print(&text, checker->types, condition->binary.right->value);
    diagnostic_explain(checker->diagnostics, diagnostic, "%.*s", TEXT_ARGS(text_buffer_get(&text)));
    text_buffer_finish(&text);
}

static void check_const_assert(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_expression *condition = declaration->initializer;
    if (condition == NULL || !check_value(checker, condition)) {
        return;
    }
    if (condition->stage != EVALUATION_CONST) {
        check_report_stage(checker, condition, EVALUATION_CONST, "the condition of a const_assert");
        return;
    }
    if (type_kind_of(checker->types, condition->type) != TYPE_BOOL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_CONDITION_TYPE, condition->span,
            "the condition is a bool, not '%s'", check_type_text(checker, condition->type));
        return;
    }
    if (condition->value != NULL && !const_value_get_bool(condition->value)) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_CONST_ASSERT, condition->span, "this const_assert does not hold");
        explain_comparison(checker, diagnostic, condition);
    }
}

void check_declaration(struct checker *checker, struct ast_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARATION_VARIABLE:
        check_variable(checker, declaration);
        return;
    case DECLARATION_CONST:
        check_const(checker, declaration);
        return;
    case DECLARATION_OVERRIDE:
        check_override(checker, declaration);
        return;
    case DECLARATION_LET:
        check_let(checker, declaration);
        return;
    case DECLARATION_CONST_ASSERT:
        check_const_assert(checker, declaration);
        return;
    case DECLARATION_PARAMETER:
    case DECLARATION_ALIAS:
    case DECLARATION_STRUCT:
    case DECLARATION_FUNCTION:
        return; // not value declarations
    }
}
