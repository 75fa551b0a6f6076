// SPDX-License-Identifier: MIT
//
// Expressions: the walk, literals, identifiers, the load rule and conversions (WGSL §Type Checking,
// §Load Rule, §Conversion Rank). Left spines are walked by a loop, as ast.h asks. See check_priv.h
// for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"
#include "shader/wgsl/const_literal.h"

void check_set_span(struct checker *checker, struct source_span span) {
    checker->evaluator.span = span;
}

type_id check_value_type(const struct checker *checker, const struct ast_expression *expression) {
    return expression->is_reference ? type_get(checker->types, expression->type)->element
                                    : expression->type;
}

// ---- Literals ----------------------------------------------------------------------------------

static void report_literal(struct checker *checker, const struct ast_expression *expression,
    enum const_literal_status status, const char *type) {
    struct text text = check_source_text(checker, expression->span);
    diagnostic_error(checker->diagnostics, DIAGNOSTIC_LITERAL_RANGE, expression->span,
        status == CONST_LITERAL_INEXACT ? "'%.*s' is not exactly a value of %s"
                                        : "'%.*s' is outside the range of %s",
        TEXT_ARGS(text), type);
}

static void check_literal(struct checker *checker, struct ast_expression *expression) {
    static const struct {
        enum type_kind kind;
        const char *word;
    } rows[] = {
        [LITERAL_BOOL] = {TYPE_BOOL, "bool"},
        [LITERAL_ABSTRACT_INT] = {TYPE_ABSTRACT_INT, "abstract-int (64 bits)"},
        [LITERAL_I32] = {TYPE_I32, "i32"},
        [LITERAL_U32] = {TYPE_U32, "u32"},
        [LITERAL_ABSTRACT_FLOAT] = {TYPE_ABSTRACT_FLOAT, "abstract-float (64 bits)"},
        [LITERAL_F32] = {TYPE_F32, "f32"},
        [LITERAL_F16] = {TYPE_F16, "f16"},
    };
    enum type_kind kind = rows[expression->literal.kind].kind;
    struct text text = check_source_text(checker, expression->span);
    union const_scalar scalar = {.integer = expression->literal.is_true};
    enum const_literal_status status = CONST_LITERAL_OK;
    expression->stage = EVALUATION_CONST;
    if (kind == TYPE_F16 &&
        !check_need_extension(
            checker, WGSL_EXTENSION_F16, "f16", expression->span, "a literal of type f16")) {
        return;
    }
    if (kind == TYPE_ABSTRACT_INT || kind == TYPE_I32 || kind == TYPE_U32) {
        status = const_parse_integer(text, kind, &scalar.integer);
    } else if (kind != TYPE_BOOL) {
        status = const_parse_real(text, kind, &scalar.real);
    }
    if (status != CONST_LITERAL_OK) {
        report_literal(checker, expression, status, rows[expression->literal.kind].word);
        return;
    }
    expression->value = const_value_scalar(checker->arena, type_scalar(kind), scalar);
    if (expression->value == NULL) {
        check_out_of_memory(checker);
        return;
    }
    expression->type = type_scalar(kind);
}

// ---- Identifiers -------------------------------------------------------------------------------

static void report_not_a_value(struct checker *checker, const struct ast_expression *expression,
    const char *what, const char *advice) {
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_A_VALUE,
        expression->span, "'%.*s' is %s, not a value", TEXT_ARGS(expression->identifier.name->text),
        what);
    if (advice != NULL) {
        diagnostic_explain(checker->diagnostics, diagnostic, "%s", advice);
    }
}

static void check_declared_value(struct checker *checker, struct ast_expression *expression) {
    struct ast_declaration *declaration = expression->identifier.declaration;
    expression->stage = EVALUATION_RUNTIME;
    if (checker->loop != NULL && !declaration->is_module_scope) {
        check_continuing_use(checker, expression);
    }
    switch (declaration->kind) {
    case DECLARATION_VARIABLE:
        if (declaration->type.index != 0) {
            expression->type = type_reference(
                checker->types, declaration->space, declaration->type, declaration->access);
            expression->is_reference = expression->type.index != 0;
        }
        return;
    case DECLARATION_CONST:
    case DECLARATION_OVERRIDE:
    case DECLARATION_LET:
    case DECLARATION_PARAMETER:
        expression->type = declaration->type;
        expression->stage = (uint8_t)declaration->stage;
        expression->value = declaration->stage == EVALUATION_CONST ||
                (checker->is_specialised && declaration->kind == DECLARATION_OVERRIDE &&
                    checker->skip_evaluation == 0)
            ? declaration->value
            : NULL;
        return;
    case DECLARATION_ALIAS:
    case DECLARATION_STRUCT:
        report_not_a_value(
            checker, expression, "a type", "write it as a call to make a value of the type");
        return;
    case DECLARATION_FUNCTION:
        report_not_a_value(checker, expression, "a function", "write (...) to call it");
        return;
    case DECLARATION_CONST_ASSERT:
        return;
    }
}

static void check_identifier(struct checker *checker, struct ast_expression *expression) {
    switch ((enum ast_resolution)expression->resolution) {
    case RESOLUTION_NONE:
        return;
    case RESOLUTION_DECLARATION:
        if (expression->identifier.template_arguments != NULL) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
                "'%.*s' takes no template arguments", TEXT_ARGS(expression->identifier.name->text));
            return;
        }
        check_declared_value(checker, expression);
        return;
    case RESOLUTION_TYPE:
    case RESOLUTION_TYPE_GENERATOR:
        expression->type = (type_id){0};
        report_not_a_value(
            checker, expression, "a type", "write it as a call to make a value of the type");
        return;
    case RESOLUTION_ENUMERANT:
        report_not_a_value(
            checker, expression, "an enumerant", "enumerants are only template arguments");
        return;
    case RESOLUTION_BUILTIN_FUNCTION:
        report_not_a_value(checker, expression, "a built-in function", "write (...) to call it");
        return;
    }
}

static void check_paren(struct checker *checker, struct ast_expression *expression) {
    struct ast_expression *operand = expression->unary.operand;
    check_expression(checker, operand);
    expression->type = operand->type;
    expression->value = operand->value;
    expression->stage = operand->stage;
    expression->is_reference = operand->is_reference;
}

// ---- The walk ----------------------------------------------------------------------------------

// The node's left part has been checked.
static void check_node(struct checker *checker, struct ast_expression *expression) {
    switch ((enum expression_kind)expression->kind) {
    case EXPRESSION_ERROR:
        return;
    case EXPRESSION_LITERAL:
        check_literal(checker, expression);
        return;
    case EXPRESSION_IDENTIFIER:
        check_identifier(checker, expression);
        return;
    case EXPRESSION_CALL:
        check_call(checker, expression);
        return;
    case EXPRESSION_INDEX:
        check_index(checker, expression);
        return;
    case EXPRESSION_MEMBER:
        check_member(checker, expression);
        return;
    case EXPRESSION_UNARY:
        check_unary(checker, expression);
        return;
    case EXPRESSION_ADDRESS_OF:
        check_address_of(checker, expression);
        return;
    case EXPRESSION_INDIRECTION:
        check_indirection(checker, expression);
        return;
    case EXPRESSION_BINARY:
        check_binary(checker, expression);
        return;
    case EXPRESSION_PAREN:
        check_paren(checker, expression);
        return;
    }
}

void check_expression(struct checker *checker, struct ast_expression *expression) {
    size_t base = checker->spine.count;
    if (expression->is_checked) {
        return;
    }
    for (struct ast_expression *node = expression; node != NULL && !node->is_checked;
         node = ast_expression_get_spine(node)) {
        if (!vector_push(&checker->spine, MEMORY_COMPILE, node)) {
            checker->spine.count = base;
            check_out_of_memory(checker);
            return;
        }
    }
    while (checker->spine.count > base) {
        struct ast_expression *node = checker->spine.items[--checker->spine.count];
        node->is_checked = true;
        check_node(checker, node);
    }
}

// ---- The load rule -----------------------------------------------------------------------------

bool check_load(struct checker *checker, struct ast_expression *expression) {
    if (expression->type.index == 0) {
        return false;
    }
    if (!expression->is_reference) {
        if (type_kind_of(checker->types, expression->type) == TYPE_VOID) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_RESULT, expression->span,
                "this call gives no value");
            expression->type = (type_id){0};
            return false;
        }
        return true;
    }
    const struct type *reference = type_get(checker->types, expression->type);
    const struct type *store = type_get(checker->types, reference->element);
    if (store->traits & TYPE_TRAIT_CONSTRUCTIBLE || reference->space == SPACE_HANDLE) {
        expression->needs_load = true;
        check_note_access(checker, expression, CHECK_ACCESS_READ);
        return true;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_READABLE,
        expression->span, "a value of type '%s' cannot be read as a whole",
        check_type_text(checker, reference->element));
    if (store->kind == TYPE_ATOMIC) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "an atomic is read by atomicLoad(&...) and written by atomicStore(&...)");
    } else if (store->traits & TYPE_TRAIT_ATOMIC) {
        diagnostic_explain(checker->diagnostics, diagnostic, "it contains atomics");
    } else if (store->traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "its size is known only when the shader runs; read its elements");
    }
    expression->type = (type_id){0};
    expression->is_reference = false;
    return false;
}

bool check_value(struct checker *checker, struct ast_expression *expression) {
    check_expression(checker, expression);
    return check_load(checker, expression);
}

// ---- Conversions -------------------------------------------------------------------------------

bool check_can_convert(
    struct checker *checker, const struct ast_expression *expression, type_id to) {
    return builtin_conversion_rank(checker->types, &checker->structures,
               check_value_type(checker, expression), to) != UINT32_MAX;
}

bool check_convert(struct checker *checker, struct ast_expression *expression, type_id to) {
    if (type_equals(check_value_type(checker, expression), to)) {
        return true;
    }
    if (to.index == 0) {
        return check_out_of_memory(checker);
    }
    expression->type = to;
    if (expression->value != NULL) {
        check_set_span(checker, expression->span);
        expression->value = const_convert(&checker->evaluator, expression->value, to);
        if (expression->value == NULL) {
            expression->type = (type_id){0};
            return false;
        }
    }
    return true;
}

bool check_convert_or_report(
    struct checker *checker, struct ast_expression *expression, type_id to, const char *what) {
    if (expression->type.index == 0 || to.index == 0) {
        return false;
    }
    if (check_can_convert(checker, expression, to)) {
        return check_convert(checker, expression, to);
    }
    type_id from = check_value_type(checker, expression);
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_MISMATCH,
        expression->span, "%s is '%s', but this is '%s'", what, check_type_text(checker, to),
        check_type_text(checker, from));
    if (type_is_numeric_scalar(checker->types, from) &&
        type_is_numeric_scalar(checker->types, to)) {
        const char *word = check_type_text(checker, to);
        struct source_span span = expression->span;
        diagnostic_explain(checker->diagnostics, diagnostic,
            "there is no implicit conversion; write %s(...)", word);
        diagnostic_fix(checker->diagnostics, diagnostic,
            (struct source_span){span.begin, span.begin}, "%s(", word);
        diagnostic_fix(
            checker->diagnostics, diagnostic, (struct source_span){span.end, span.end}, ")");
    }
    return false;
}

bool check_concretize(struct checker *checker, struct ast_expression *expression) {
    type_id type = check_value_type(checker, expression);
    return check_convert(checker, expression, check_concrete(checker, type));
}

// ---- Early evaluation --------------------------------------------------------------------------

// The first identifier or call that makes an expression not a const-expression, or NULL.
static const struct ast_expression *find_cause(
    const struct ast_expression *expression, enum evaluation_stage allowed) {
    while (expression != NULL && expression->stage > (uint8_t)allowed) {
        switch ((enum expression_kind)expression->kind) {
        case EXPRESSION_INDEX:
            expression = expression->index.index->stage > (uint8_t)allowed ? expression->index.index
                                                                           : expression->index.base;
            break;
        case EXPRESSION_MEMBER:
            expression = expression->member.base;
            break;
        case EXPRESSION_UNARY:
        case EXPRESSION_ADDRESS_OF:
        case EXPRESSION_INDIRECTION:
        case EXPRESSION_PAREN:
            expression = expression->unary.operand;
            break;
        case EXPRESSION_BINARY:
            expression = expression->binary.right->stage > (uint8_t)allowed
                ? expression->binary.right
                : expression->binary.left;
            break;
        case EXPRESSION_CALL: {
            const struct ast_expression *inner = NULL;
            for (uint32_t i = 0; i < expression->call.arguments.count && inner == NULL; i++) {
                if (expression->call.arguments.items[i]->stage > (uint8_t)allowed) {
                    inner = expression->call.arguments.items[i];
                }
            }
            if (inner == NULL) {
                return expression;
            }
            expression = inner;
            break;
        }
        case EXPRESSION_ERROR:
        case EXPRESSION_LITERAL:
        case EXPRESSION_IDENTIFIER:
            return expression;
        }
    }
    return expression;
}

void check_report_stage(struct checker *checker, const struct ast_expression *expression,
    enum evaluation_stage required, const char *what) {
    bool is_const = required == EVALUATION_CONST;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        is_const ? DIAGNOSTIC_NOT_CONST : DIAGNOSTIC_NOT_OVERRIDE, expression->span,
        "%s must be known when the %s is created", what, is_const ? "shader" : "pipeline");
    const struct ast_expression *cause = find_cause(expression, required);
    if (cause == NULL) {
        return;
    }
    if (cause->kind == EXPRESSION_IDENTIFIER) {
        diagnostic_note(checker->diagnostics, diagnostic, cause->span, "'%.*s' is known only %s",
            TEXT_ARGS(cause->identifier.name->text),
            cause->stage == EVALUATION_RUNTIME ? "when the shader runs"
                                               : "when the pipeline is created");
    } else if (cause->kind == EXPRESSION_CALL) {
        diagnostic_note(checker->diagnostics, diagnostic, cause->span,
            "this call is made when the shader runs");
    }
}

bool check_const_integer(struct checker *checker, struct ast_expression *expression,
    const char *what, int64_t *out_value) {
    if (!check_value(checker, expression) || !check_concretize(checker, expression)) {
        return false;
    }
    if (expression->stage != EVALUATION_CONST) {
        check_report_stage(checker, expression, EVALUATION_CONST, what);
        return false;
    }
    if (!type_is_integer_scalar(checker->types, check_value_type(checker, expression))) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE, expression->span,
            "%s is an i32 or u32, not '%s'", what,
            check_type_text(checker, check_value_type(checker, expression)));
        return false;
    }
    if (expression->value == NULL) {
        return false;
    }
    *out_value = const_value_get_integer(expression->value);
    if (*out_value < 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE, expression->span,
            "%s must not be negative, but this is %" PRId64, what, *out_value);
        return false;
    }
    return true;
}
