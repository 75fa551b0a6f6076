// SPDX-License-Identifier: MIT
//
// Constructors (WGSL §Constructor Built-in Functions): zero values, conversions, vectors and
// matrices from parts, arrays and structures, with the type written or inferred. See check_priv.h
// for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

// Checks all arguments and takes the latest of their stages.
static bool check_arguments(struct checker *checker, struct ast_expression *expression) {
    bool is_ok = true;
    expression->stage = EVALUATION_CONST;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        struct ast_expression *argument = expression->call.arguments.items[i];
        is_ok = check_value(checker, argument) && is_ok;
        if (argument->stage > expression->stage) {
            expression->stage = argument->stage;
        }
    }
    return is_ok;
}

static struct ast_expression *argument_at(const struct ast_expression *expression, uint32_t i) {
    return expression->call.arguments.items[i];
}

// True when the value is to be computed now. Overrides without a value leave holes.
static bool is_evaluated(const struct checker *checker, const struct ast_expression *expression) {
    bool is_override = expression->stage == EVALUATION_OVERRIDE;
    for (uint32_t i = 0; is_override && i < expression->call.arguments.count; i++) {
        if (expression->call.arguments.items[i]->value == NULL) {
            return false;
        }
    }
    return check_is_evaluated(checker, expression);
}

static void finish(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, enum ast_call_kind kind, type_id type, const struct const_value *value) {
    if (type.index == 0) {
        check_out_of_memory(checker);
        return;
    }
    if (is_evaluated(checker, expression) && value == NULL) {
        return; // the evaluation has reported why
    }
    call->kind = kind;
    expression->type = type;
    expression->value = value;
}

static void construct_zero(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    expression->stage = EVALUATION_CONST;
    const struct const_value *value = const_value_zero(checker->arena, type);
    if (value == NULL) {
        check_out_of_memory(checker);
        return;
    }
    call->kind = CALL_ZERO_VALUE;
    expression->type = type;
    expression->value = value;
}

// The components that the arguments give together, 0 when one of them gives none.
static uint32_t count_components(struct checker *checker, const struct ast_expression *expression) {
    uint32_t filled = 0;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        type_id part = check_value_type(checker, argument_at(expression, i));
        bool is_vector = type_kind_of(checker->types, part) == TYPE_VECTOR;
        if (!is_vector && !type_is_scalar(checker->types, part)) {
            return 0;
        }
        filled += is_vector ? type_get(checker->types, part)->count : 1;
    }
    return filled;
}

// What the type is made from. type may be index 0: it was to be inferred from the parts.
static void explain_parts(struct checker *checker, struct diagnostic *diagnostic, type_id type) {
    if (type.index == 0) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "without a type in '<>' all parts are of one type, or convert to one implicitly");
        return;
    }
    const struct type *made = type_get(checker->types, type);
    const char *element = check_type_text(checker, type_element_of(checker->types, type));
    if (made->kind == TYPE_VECTOR) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "its %" PRIu32 " components are of type '%s', or convert to it implicitly; %s(...) "
            "converts one",
            made->count, element, element);
    } else if (made->kind == TYPE_MATRIX) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "it is made from %" PRIu32 " columns of type vec%" PRIu32 "<%s>, from %" PRIu32
            " values of type '%s', or from a matrix of the same size",
            made->count, made->rows, element, made->count * made->rows, element);
    } else {
        diagnostic_explain(checker->diagnostics, diagnostic, "a scalar is made from one scalar");
    }
}

static void report_parts(
    struct checker *checker, const struct ast_expression *expression, type_id type) {
    struct text_buffer text = {0};
    for (uint32_t i = 0; i < expression->call.arguments.count && i < 20; i++) {
        text_buffer_append_string(&text, i == 0 ? "" : ", ");
        type_print(&text, checker->types, check_value_type(checker, argument_at(expression, i)));
    }
    struct text name = check_source_text(checker, expression->call.callee->span);
    if (type.index != 0) {
        name = text_from_string(check_type_text(checker, type));
    }
    uint32_t filled = count_components(checker, expression);
    const struct type *made = type.index != 0 ? type_get(checker->types, type) : NULL;
    if (made != NULL && made->kind == TYPE_VECTOR && filled != 0 && filled != made->count) {
        if (!checker->module->has_syntax_errors) { // else arguments may have been lost
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD, expression->span,
                "'%.*s' has %" PRIu32 " components, but %" PRIu32 " %s given by (%.*s)",
                TEXT_ARGS(name), made->count, filled, filled == 1 ? "is" : "are",
                TEXT_ARGS(text_buffer_get(&text)));
        }
    } else {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_NO_OVERLOAD, expression->span, "'%.*s' cannot be made from (%.*s)",
            TEXT_ARGS(name), TEXT_ARGS(text_buffer_get(&text)));
        explain_parts(checker, diagnostic, type);
    }
    text_buffer_finish(&text);
}

// T(e) for scalars, vectors and matrices of one shape.
static void construct_conversion(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    struct ast_expression *argument = argument_at(expression, 0);
    bool is_same = type_equals(check_value_type(checker, argument), type);
    const struct const_value *value = NULL;
    if (is_evaluated(checker, expression) && argument->value != NULL) {
        check_set_span(checker, expression->span);
        value = const_convert(&checker->evaluator, argument->value, type);
    }
    finish(checker, expression, call, is_same ? CALL_IDENTITY : CALL_CONVERT, type, value);
}

// Converts every argument to its own shape with the element type; false when one cannot be.
static bool convert_elements(
    struct checker *checker, struct ast_expression *expression, type_id type, type_id element) {
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        struct ast_expression *argument = argument_at(expression, i);
        type_id to = type_with_element(
            checker->types, check_value_type(checker, argument), element);
        if (to.index == 0 || !check_can_convert(checker, argument, to)) {
            report_parts(checker, expression, type);
            return false;
        }
        if (!check_convert(checker, argument, to)) {
            return false;
        }
    }
    return true;
}

static const struct const_value *flatten(
    struct checker *checker, struct ast_expression *expression, type_id type) {
    const struct const_value *values[16];
    uint32_t count = expression->call.arguments.count;
    if (!is_evaluated(checker, expression)) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        values[i] = argument_at(expression, i)->value;
        if (values[i] == NULL) {
            return NULL;
        }
    }
    check_set_span(checker, expression->span);
    return const_eval_flatten(&checker->evaluator, type, values, count);
}

static void construct_splat(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type, type_id element) {
    struct ast_expression *argument = argument_at(expression, 0);
    if (!convert_elements(checker, expression, type, element)) {
        return;
    }
    const struct const_value *value = NULL;
    if (is_evaluated(checker, expression) && argument->value != NULL) {
        union const_scalar components[4];
        for (uint32_t i = 0; i < 4; i++) {
            components[i] = const_value_get(argument->value, checker->types, 0);
        }
        value = const_value_components(checker->arena, checker->types, type, components);
    }
    finish(checker, expression, call, CALL_SPLAT, type, value);
}

static void construct_vector(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    uint32_t size = type_get(checker->types, type)->count, filled = 0;
    type_id element = type_get(checker->types, type)->element;
    uint32_t count = expression->call.arguments.count;
    for (uint32_t i = 0; i < count && filled <= size; i++) {
        type_id part = check_value_type(checker, argument_at(expression, i));
        bool is_vector = type_kind_of(checker->types, part) == TYPE_VECTOR;
        if (!is_vector && !type_is_scalar(checker->types, part)) {
            report_parts(checker, expression, type);
            return;
        }
        filled += is_vector ? type_get(checker->types, part)->count : 1;
    }
    if (count == 1 && filled == size) {
        construct_conversion(checker, expression, call, type);
        return;
    }
    if (count == 1 && filled == 1) {
        construct_splat(checker, expression, call, type, element);
        return;
    }
    if (filled != size) {
        report_parts(checker, expression, type);
        return;
    }
    if (convert_elements(checker, expression, type, element)) {
        finish(checker, expression, call, CALL_CONSTRUCT, type, flatten(checker, expression, type));
    }
}

static void construct_matrix(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    uint32_t columns = type_get(checker->types, type)->count;
    uint32_t rows = type_get(checker->types, type)->rows;
    type_id element = type_get(checker->types, type)->element;
    uint32_t count = expression->call.arguments.count;
    const struct type *first = type_get(
        checker->types, check_value_type(checker, argument_at(expression, 0)));
    if (count == 1 && first->kind == TYPE_MATRIX && first->count == columns &&
        first->rows == rows) {
        construct_conversion(checker, expression, call, type);
        return;
    }
    bool is_fitting = count == columns || count == columns * rows;
    for (uint32_t i = 0; i < count && is_fitting; i++) {
        type_id part = check_value_type(checker, argument_at(expression, i));
        const struct type *part_type = type_get(checker->types, part);
        is_fitting = count == columns * rows
            ? type_is_scalar(checker->types, part)
            : part_type->kind == TYPE_VECTOR && part_type->count == rows;
    }
    if (!is_fitting) {
        report_parts(checker, expression, type);
        return;
    }
    if (convert_elements(checker, expression, type, element)) {
        finish(checker, expression, call, CALL_CONSTRUCT, type, flatten(checker, expression, type));
    }
}

// ---- Arrays and structures ---------------------------------------------------------------------

static const struct const_value *compose(
    struct checker *checker, struct ast_expression *expression, type_id type) {
    uint32_t count = expression->call.arguments.count;
    const struct const_value *result = NULL;
    if (!is_evaluated(checker, expression)) {
        return NULL;
    }
    const struct const_value **values = memory_allocate(MEMORY_COMPILE, count * sizeof(*values));
    if (values == NULL) {
        check_out_of_memory(checker);
        return NULL;
    }
    bool has_all = true;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = argument_at(expression, i)->value;
        has_all = has_all && values[i] != NULL;
    }
    if (has_all) {
        result = const_value_composite(checker->arena, type, values, count);
        if (result == NULL) {
            check_out_of_memory(checker);
        }
    }
    memory_free(values);
    return result;
}

static bool check_part_count(struct checker *checker, const struct ast_expression *expression,
    type_id type, uint32_t wanted, const char *what) {
    uint32_t given = expression->call.arguments.count;
    if (given == wanted) {
        return true;
    }
    if (checker->module->has_syntax_errors) { // members may have been lost
        return false;
    }
    diagnostic_error(checker->diagnostics, DIAGNOSTIC_ARGUMENT_COUNT, expression->span,
        "'%s' has %" PRIu32 " %s%s, but %" PRIu32 " value%s given", check_type_text(checker, type),
        wanted, what, wanted == 1 ? "" : "s", given, given == 1 ? " is" : "s are");
    return false;
}

static void construct_array(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    type_id element = type_get(checker->types, type)->element;
    uint32_t count = type_get(checker->types, type)->count;
    if (!check_part_count(checker, expression, type, count, "element")) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!check_convert_or_report(
                checker, argument_at(expression, i), element, "the array's element")) {
            return;
        }
    }
    finish(checker, expression, call, CALL_CONSTRUCT, type, compose(checker, expression, type));
}

static void construct_structure(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    uint32_t count = type_get(checker->types, type)->member_count;
    if (!check_part_count(checker, expression, type, count, "member")) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct type_member *member = &type_get(checker->types, type)->members[i];
        char *what = text_format(checker->arena, "the member '%.*s'", TEXT_ARGS(member->name));
        if (!check_convert_or_report(checker, argument_at(expression, i), member->type,
                what != NULL ? what : "the member")) {
            return;
        }
    }
    finish(checker, expression, call, CALL_CONSTRUCT, type, compose(checker, expression, type));
}

void check_construct(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, type_id type) {
    uint32_t count = expression->call.arguments.count;
    bool has_arguments = check_arguments(checker, expression);
    if (type.index == 0) {
        return;
    }
    if (!type_is_constructible(checker->types, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CONSTRUCTIBLE,
            expression->call.callee->span, "no value of type '%s' can be made",
            check_type_text(checker, type));
        return;
    }
    if (count > LIMIT_ARRAY_ELEMENTS) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, expression->span,
            "a value is made from %" PRIu32 " parts; the limit is %d", count, LIMIT_ARRAY_ELEMENTS);
        return;
    }
    if (count == 0) {
        construct_zero(checker, expression, call, type);
        return;
    }
    if (!has_arguments) {
        return;
    }
    switch (type_kind_of(checker->types, type)) {
    case TYPE_VECTOR:
        construct_vector(checker, expression, call, type);
        return;
    case TYPE_MATRIX:
        construct_matrix(checker, expression, call, type);
        return;
    case TYPE_ARRAY:
        construct_array(checker, expression, call, type);
        return;
    case TYPE_STRUCT:
        construct_structure(checker, expression, call, type);
        return;
    default:
        if (count != 1 ||
            !type_is_scalar(
                checker->types, check_value_type(checker, argument_at(expression, 0)))) {
            report_parts(checker, expression, type);
            return;
        }
        construct_conversion(checker, expression, call, type);
        return;
    }
}

// ---- Inferred types ----------------------------------------------------------------------------

// The type to which both convert, index 0 if there is none.
static type_id join(struct checker *checker, type_id a, type_id b) {
    if (builtin_conversion_rank(checker->types, &checker->structures, a, b) != UINT32_MAX) {
        return b;
    }
    if (builtin_conversion_rank(checker->types, &checker->structures, b, a) != UINT32_MAX) {
        return a;
    }
    return (type_id){0};
}

// The common type of the arguments' elements (of vector and matrix parts) or of the arguments.
static type_id join_arguments(
    struct checker *checker, struct ast_expression *expression, bool of_elements) {
    type_id common = {0};
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        type_id type = check_value_type(checker, argument_at(expression, i));
        if (of_elements) {
            type = type_element_of(checker->types, type);
        }
        common = i == 0 ? type : join(checker, common, type);
        if (common.index == 0) {
            return common;
        }
    }
    // A value that is computed at run time is never abstract.
    return expression->stage == EVALUATION_CONST ? common : check_concrete(checker, common);
}

static void infer_array(
    struct checker *checker, struct ast_expression *expression, struct ast_call *call) {
    uint32_t count = expression->call.arguments.count;
    if (count > LIMIT_ARRAY_ELEMENTS) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, expression->span,
            "a value is made from %" PRIu32 " parts; the limit is %d", count, LIMIT_ARRAY_ELEMENTS);
        return;
    }
    type_id element = join_arguments(checker, expression, false);
    if (element.index == 0) {
        report_parts(checker, expression, element);
        return;
    }
    if (!type_is_constructible(checker->types, element)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CONSTRUCTIBLE, expression->span,
            "an array cannot hold '%s'", check_type_text(checker, element));
        return;
    }
    if (type_nesting_depth(checker->types, element) >= LIMIT_TYPE_NESTING) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, expression->span,
            "this type nests deeper than %d", LIMIT_TYPE_NESTING);
        return;
    }
    type_id type = type_array(checker->types, element, ARRAY_FIXED, count);
    if (type.index == 0 && !checker->arena->has_failed) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_TOO_LARGE, expression->span,
            "this type is larger than 4294967295 bytes");
        return;
    }
    if (type.index == 0) {
        check_out_of_memory(checker);
        return;
    }
    construct_array(checker, expression, call, type);
}

void check_construct_inferred(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, const struct predeclared *generator) {
    enum type_kind kind = (enum type_kind)generator->type_kind;
    uint32_t count = expression->call.arguments.count;
    bool has_arguments = check_arguments(checker, expression);
    if (kind != TYPE_VECTOR && kind != TYPE_MATRIX && kind != TYPE_ARRAY) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CONSTRUCTIBLE,
            expression->call.callee->span, "no value of type '%s' can be made", generator->word);
        return;
    }
    if (!has_arguments) {
        return;
    }
    if (count == 0 && kind == TYPE_VECTOR) {
        type_id abstract = type_scalar(TYPE_ABSTRACT_INT);
        construct_zero(
            checker, expression, call, type_vector(checker->types, abstract, generator->a));
        return;
    }
    if (count == 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
            "the type of '%s()' cannot be inferred without values", generator->word);
        return;
    }
    if (kind == TYPE_ARRAY) {
        infer_array(checker, expression, call);
        return;
    }
    type_id element = join_arguments(checker, expression, true);
    if (kind == TYPE_MATRIX && type_kind_of(checker->types, element) == TYPE_ABSTRACT_INT) {
        element = type_scalar(TYPE_ABSTRACT_FLOAT);
    }
    bool is_allowed = kind == TYPE_VECTOR ? type_is_scalar(checker->types, element)
                                          : type_is_float_scalar(checker->types, element);
    if (element.index == 0 || !is_allowed) {
        report_parts(checker, expression, (type_id){0});
        return;
    }
    if (kind == TYPE_VECTOR) {
        construct_vector(
            checker, expression, call, type_vector(checker->types, element, generator->a));
    } else {
        construct_matrix(checker, expression, call,
            type_matrix(checker->types, element, generator->a, generator->b));
    }
}
