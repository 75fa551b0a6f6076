// SPDX-License-Identifier: MIT
//
// Unary and binary operators: overload resolution over the operator rows of builtin.def, and
// evaluation of constants (WGSL §Arithmetic, §Comparison, §Bit, §Logical Expressions). See
// check_priv.h for threads.
#include "shader/wgsl/check_priv.h"

uint32_t check_binary_builtin(enum binary_operator op) {
    static const uint32_t ids[] = {
        [BINARY_ADD] = BUILTIN_OPERATOR_ADD,
        [BINARY_SUBTRACT] = BUILTIN_OPERATOR_SUBTRACT,
        [BINARY_MULTIPLY] = BUILTIN_OPERATOR_MULTIPLY,
        [BINARY_DIVIDE] = BUILTIN_OPERATOR_DIVIDE,
        [BINARY_REMAINDER] = BUILTIN_OPERATOR_REMAINDER,
        [BINARY_AND] = BUILTIN_OPERATOR_AND,
        [BINARY_OR] = BUILTIN_OPERATOR_OR,
        [BINARY_XOR] = BUILTIN_OPERATOR_XOR,
        [BINARY_SHIFT_LEFT] = BUILTIN_OPERATOR_SHIFT_LEFT,
        [BINARY_SHIFT_RIGHT] = BUILTIN_OPERATOR_SHIFT_RIGHT,
        [BINARY_EQUAL] = BUILTIN_OPERATOR_EQUAL,
        [BINARY_NOT_EQUAL] = BUILTIN_OPERATOR_NOT_EQUAL,
        [BINARY_LESS] = BUILTIN_OPERATOR_LESS,
        [BINARY_LESS_EQUAL] = BUILTIN_OPERATOR_LESS_EQUAL,
        [BINARY_GREATER] = BUILTIN_OPERATOR_GREATER,
        [BINARY_GREATER_EQUAL] = BUILTIN_OPERATOR_GREATER_EQUAL,
        [BINARY_LOGICAL_AND] = BUILTIN_OPERATOR_LOGICAL_AND,
        [BINARY_LOGICAL_OR] = BUILTIN_OPERATOR_LOGICAL_OR,
    };
    return ids[op];
}

static uint8_t later(uint8_t a, uint8_t b) {
    return a > b ? a : b;
}

// What most likely went wrong, in a sentence.
static void advise(struct checker *checker, struct diagnostic *diagnostic, uint32_t id,
    type_id left, type_id right) {
    type_id a = type_element_of(checker->types, left), b = type_element_of(checker->types, right);
    enum type_kind left_kind = type_kind_of(checker->types, a);
    enum type_kind right_kind = type_kind_of(checker->types, b);
    if (id == BUILTIN_OPERATOR_SHIFT_LEFT || id == BUILTIN_OPERATOR_SHIFT_RIGHT) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "the amount of a shift is u32, or a vector of it when a vector is shifted");
    } else if (left_kind != right_kind && type_is_numeric_scalar(checker->types, a) &&
        type_is_numeric_scalar(checker->types, b)) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "'%s' and '%s' do not convert to each other implicitly", check_type_text(checker, a),
            check_type_text(checker, b));
    } else if (type_kind_of(checker->types, left) == TYPE_VECTOR &&
        type_kind_of(checker->types, right) == TYPE_VECTOR) {
        diagnostic_explain(checker->diagnostics, diagnostic, "the vectors differ in size or type");
    }
}

static void report_binary(struct checker *checker, struct ast_expression *expression, uint32_t id,
    type_id left, type_id right) {
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD,
        ast_binary_operator_span(expression), "no operator '%s' takes '%s' and '%s'",
        builtin_get(id)->name, check_type_text(checker, left), check_type_text(checker, right));
    advise(checker, diagnostic, id, left, right);
}

// The right operand of && and || is not evaluated when the left one decides.
static bool check_right(struct checker *checker, struct ast_expression *expression) {
    const struct ast_expression *left = expression->binary.left;
    bool is_decided = false;
    if (left->value != NULL && type_kind_of(checker->types, left->type) == TYPE_BOOL) {
        bool value = const_value_get_bool(left->value);
        is_decided = (expression->binary.op == BINARY_LOGICAL_AND && !value) ||
            (expression->binary.op == BINARY_LOGICAL_OR && value);
    }
    checker->skip_evaluation += is_decided;
    bool is_ok = check_value(checker, expression->binary.right);
    checker->skip_evaluation -= is_decided;
    return is_ok;
}

static void evaluate_binary(
    struct checker *checker, struct ast_expression *expression, uint32_t id) {
    struct ast_expression *left = expression->binary.left, *right = expression->binary.right;
    if (checker->skip_evaluation != 0) {
        return;
    }
    check_set_span(checker, expression->span);
    bool is_logical = id == BUILTIN_OPERATOR_LOGICAL_AND || id == BUILTIN_OPERATOR_LOGICAL_OR;
    bool has_values = left->value != NULL && (right->value != NULL || is_logical);
    if (expression->stage != EVALUATION_CONST &&
        !(check_is_evaluated(checker, expression) && has_values)) {
        if (right->value != NULL &&
            !const_check_operator(&checker->evaluator, id, left->type, right->value)) {
            expression->type = (type_id){0};
        }
        return;
    }
    if (is_logical) {
        bool decides = id == BUILTIN_OPERATOR_LOGICAL_OR;
        if (left->value != NULL) {
            expression->value = const_value_get_bool(left->value) == decides ? left->value
                                                                             : right->value;
        }
    } else if (left->value != NULL && right->value != NULL) {
        expression->value = const_eval_operator(
            &checker->evaluator, id, left->value, right->value, expression->type);
    }
    if (expression->value == NULL && expression->stage == EVALUATION_CONST) {
        expression->type = (type_id){0};
    }
}

void check_binary(struct checker *checker, struct ast_expression *expression) {
    struct ast_expression *left = expression->binary.left, *right = expression->binary.right;
    uint32_t id = check_binary_builtin((enum binary_operator)expression->binary.op);
    bool has_left = check_load(checker, left);
    bool has_right = check_right(checker, expression);
    expression->stage = later(left->stage, right->stage);
    if (!has_left || !has_right) {
        return;
    }
    type_id types[] = {check_value_type(checker, left), check_value_type(checker, right)};
    bool is_const[] = {left->stage == EVALUATION_CONST, right->stage == EVALUATION_CONST};
    struct builtin_match match = builtin_resolve(
        &checker->builtins, checker->types, &checker->structures, id, types, is_const, 2);
    if (match.status == BUILTIN_MATCH_ERROR) {
        check_out_of_memory(checker);
        return;
    }
    if (match.status != BUILTIN_MATCH_FOUND) {
        report_binary(checker, expression, id, types[0], types[1]);
        return;
    }
    if (!check_convert(checker, left, match.parameters[0]) ||
        !check_convert(checker, right, match.parameters[1])) {
        return;
    }
    expression->type = match.result;
    evaluate_binary(checker, expression, id);
}

void check_unary(struct checker *checker, struct ast_expression *expression) {
    static const uint32_t ids[] = {[UNARY_NEGATE] = BUILTIN_OPERATOR_NEGATE,
        [UNARY_NOT] = BUILTIN_OPERATOR_NOT,
        [UNARY_COMPLEMENT] = BUILTIN_OPERATOR_COMPLEMENT};
    struct ast_expression *operand = expression->unary.operand;
    uint32_t id = ids[expression->unary.op];
    bool has_value = check_value(checker, operand);
    expression->stage = operand->stage;
    if (!has_value) {
        return;
    }
    type_id type = check_value_type(checker, operand);
    bool is_const = operand->stage == EVALUATION_CONST;
    struct builtin_match match = builtin_resolve(
        &checker->builtins, checker->types, &checker->structures, id, &type, &is_const, 1);
    if (match.status == BUILTIN_MATCH_ERROR) {
        check_out_of_memory(checker);
        return;
    }
    if (match.status != BUILTIN_MATCH_FOUND) {
        struct source_span span = {expression->span.begin, expression->span.begin + 1};
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_NO_OVERLOAD, span, "no operator '%s' takes '%s'", builtin_get(id)->name,
            check_type_text(checker, type));
        if (id == BUILTIN_OPERATOR_NEGATE &&
            type_kind_of(checker->types, type_element_of(checker->types, type)) == TYPE_U32) {
            diagnostic_explain(checker->diagnostics, diagnostic,
                "unsigned integers are not negated; convert to i32 first");
        }
        return;
    }
    if (!check_convert(checker, operand, match.parameters[0])) {
        return;
    }
    expression->type = match.result;
    if (check_is_evaluated(checker, expression)) {
        check_set_span(checker, expression->span);
        if (operand->value != NULL) {
            expression->value = const_eval_operator(
                &checker->evaluator, id, operand->value, NULL, expression->type);
        }
        if (expression->value == NULL && is_const) {
            expression->type = (type_id){0};
        }
    }
}
