// SPDX-License-Identifier: MIT
//
// Operators on constants: WGSL §Arithmetic, §Comparison, §Bit and §Logical Expressions. Concrete
// integers wrap, abstract ones and floats must not overflow. const_eval.h has the contract.
#include <inttypes.h>
#include <math.h>

#include "shader/wgsl/const_eval_priv.h"

static const char *integer_word(enum type_kind kind) {
    return kind == TYPE_I32 ? "i32" : kind == TYPE_U32 ? "u32" : "abstract-int";
}

static bool overflow(struct const_evaluator *evaluator, enum type_kind kind, int64_t a,
    const char *operator_text, int64_t b) {
    return const_fail(evaluator, DIAGNOSTIC_CONST_OVERFLOW,
        "'%" PRId64 " %s %" PRId64 "' overflows %s", a, operator_text, b, integer_word(kind));
}

static bool add_abstract(int64_t a, int64_t b, int64_t *out) {
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) {
        return false;
    }
    *out = a + b;
    return true;
}

static bool subtract_abstract(int64_t a, int64_t b, int64_t *out) {
    if ((b < 0 && a > INT64_MAX + b) || (b > 0 && a < INT64_MIN + b)) {
        return false;
    }
    *out = a - b;
    return true;
}

static bool multiply_abstract(int64_t a, int64_t b, int64_t *out) {
    if (a != 0 && b != 0) {
        if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN)) {
            return false;
        }
        if (a != -1 && b != -1) {
            int64_t limit = (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
            // |a * b| <= |limit| exactly when |a| <= |limit / b|; both quotients round to zero.
            if ((a > 0 && b > 0 && a > limit / b) || (a < 0 && b < 0 && a < limit / b) ||
                (a > 0 && b < 0 && b < limit / a) || (a < 0 && b > 0 && a < limit / b)) {
                return false;
            }
        }
    }
    *out = a * b;
    return true;
}

static bool divide(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind, int64_t a,
    int64_t b, int64_t *out) {
    bool is_division = id == BUILTIN_OPERATOR_DIVIDE;
    if (b == 0) {
        return const_fail(evaluator, DIAGNOSTIC_DIVISION_BY_ZERO, "%s by zero",
            is_division ? "division" : "remainder of a division");
    }
    if (b == -1 && a == const_integer_minimum(kind) && kind != TYPE_U32) {
        return overflow(evaluator, kind, a, is_division ? "/" : "%", b);
    }
    *out = is_division ? a / b : a % b;
    return true;
}

static bool arithmetic_integer(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    int64_t a, int64_t b, union const_scalar *out) {
    int64_t result = 0;
    bool is_fitting = true;
    const char *text = "+";
    if (kind != TYPE_ABSTRACT_INT) {
        // 32-bit operands: sums fit 64 bits, products are taken modulo 2^64 and then 2^32.
        switch (id) {
        case BUILTIN_OPERATOR_ADD:
            result = a + b;
            break;
        case BUILTIN_OPERATOR_SUBTRACT:
            result = a - b;
            break;
        case BUILTIN_OPERATOR_MULTIPLY:
            result = (int64_t)((uint64_t)a * (uint64_t)b);
            break;
        default:
            if (!divide(evaluator, id, kind, a, b, &result)) {
                return false;
            }
            break;
        }
        out->integer = const_wrap(kind, result);
        return true;
    }
    switch (id) {
    case BUILTIN_OPERATOR_ADD:
        is_fitting = add_abstract(a, b, &result);
        break;
    case BUILTIN_OPERATOR_SUBTRACT:
        text = "-";
        is_fitting = subtract_abstract(a, b, &result);
        break;
    case BUILTIN_OPERATOR_MULTIPLY:
        text = "*";
        is_fitting = multiply_abstract(a, b, &result);
        break;
    default:
        if (!divide(evaluator, id, kind, a, b, &result)) {
            return false;
        }
        break;
    }
    if (!is_fitting) {
        return overflow(evaluator, kind, a, text, b);
    }
    out->integer = result;
    return true;
}

static bool arithmetic(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    if (const_is_integer_kind(kind)) {
        return arithmetic_integer(evaluator, id, kind, v[0].integer, v[1].integer, out);
    }
    double a = v[0].real, b = v[1].real;
    switch (id) {
    case BUILTIN_OPERATOR_ADD:
        return const_finish_real(evaluator, kind, a + b, out);
    case BUILTIN_OPERATOR_SUBTRACT:
        return const_finish_real(evaluator, kind, a - b, out);
    case BUILTIN_OPERATOR_MULTIPLY:
        return const_finish_real(evaluator, kind, a * b, out);
    case BUILTIN_OPERATOR_DIVIDE:
        return const_finish_real(evaluator, kind, a / b, out);
    default: // remainder: e1 - e2 * trunc(e1 / e2), each step rounded as the shader would
        return const_finish_real(
            evaluator, kind, a - const_round(kind, b * trunc(const_round(kind, a / b))), out);
    }
}

static bool compare(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    (void)evaluator;
    int order;
    if (const_is_real_kind(kind)) {
        order = (v[0].real > v[1].real) - (v[0].real < v[1].real);
    } else {
        order = (v[0].integer > v[1].integer) - (v[0].integer < v[1].integer);
    }
    switch (id) {
    case BUILTIN_OPERATOR_EQUAL:
        out->integer = order == 0;
        break;
    case BUILTIN_OPERATOR_NOT_EQUAL:
        out->integer = order != 0;
        break;
    case BUILTIN_OPERATOR_LESS:
        out->integer = order < 0;
        break;
    case BUILTIN_OPERATOR_LESS_EQUAL:
        out->integer = order <= 0;
        break;
    case BUILTIN_OPERATOR_GREATER:
        out->integer = order > 0;
        break;
    default:
        out->integer = order >= 0;
        break;
    }
    return true;
}

static bool bitwise(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    (void)evaluator;
    (void)kind;
    int64_t a = v[0].integer, b = v[1].integer;
    out->integer = id == BUILTIN_OPERATOR_AND ? (a & b)
        : id == BUILTIN_OPERATOR_OR           ? (a | b)
                                              : (a ^ b);
    return true;
}

static bool shift_amount_too_large(struct const_evaluator *evaluator, int64_t amount) {
    return const_fail(evaluator, DIAGNOSTIC_SHIFT_AMOUNT,
        "the shift amount %" PRId64 " is not less than the bit width 32", amount);
}

static bool shift(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    int64_t a = v[0].integer, amount = v[1].integer;
    bool is_abstract = kind == TYPE_ABSTRACT_INT;
    if (!is_abstract && amount >= 32) {
        return shift_amount_too_large(evaluator, amount);
    }
    if (id == BUILTIN_OPERATOR_SHIFT_RIGHT) {
        // An arithmetic shift; u32 values are held zero-extended.
        int64_t clamped = amount > 63 ? 63 : amount;
        out->integer = a >= 0 ? a >> clamped : ~(~a >> clamped);
        return true;
    }
    if (a == 0) {
        out->integer = 0;
        return true;
    }
    int width = is_abstract ? 64 : 32;
    bool is_lost = amount >= width;
    int64_t result = 0;
    if (!is_lost) {
        result = const_wrap(kind, (int64_t)((uint64_t)a << amount));
        int64_t back = result >= 0 ? result >> amount : ~(~result >> amount);
        is_lost = back != a;
    }
    if (is_lost) {
        return const_fail(evaluator, DIAGNOSTIC_SHIFT_AMOUNT,
            "'%" PRId64 " << %" PRId64 "' shifts out significant bits of %s", a, amount,
            integer_word(kind));
    }
    out->integer = result;
    return true;
}

static bool unary(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    (void)evaluator;
    if (id == BUILTIN_OPERATOR_NOT) {
        out->integer = v[0].integer == 0;
    } else if (id == BUILTIN_OPERATOR_COMPLEMENT) {
        out->integer = const_wrap(kind, ~v[0].integer);
    } else if (const_is_real_kind(kind)) {
        out->real = -v[0].real;
    } else {
        // The most negative value is its own negation.
        out->integer = const_wrap(kind, (int64_t)(0 - (uint64_t)v[0].integer));
    }
    return true;
}

static bool is_matrix(const struct const_evaluator *evaluator, const struct const_value *value) {
    return type_kind_of(evaluator->types, value->type) == TYPE_MATRIX;
}

const struct const_value *const_eval_operator(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *left, const struct const_value *right, type_id result) {
    const struct const_value *operands[] = {left, right};
    switch (id) {
    case BUILTIN_OPERATOR_MULTIPLY:
        if ((is_matrix(evaluator, left) && !type_is_scalar(evaluator->types, right->type)) ||
            (is_matrix(evaluator, right) && !type_is_scalar(evaluator->types, left->type))) {
            return const_eval_matrix_product(evaluator, left, right, result);
        }
        return const_apply(evaluator, id, operands, 2, result, arithmetic);
    case BUILTIN_OPERATOR_ADD:
    case BUILTIN_OPERATOR_SUBTRACT:
    case BUILTIN_OPERATOR_DIVIDE:
    case BUILTIN_OPERATOR_REMAINDER:
        return const_apply(evaluator, id, operands, 2, result, arithmetic);
    case BUILTIN_OPERATOR_AND:
    case BUILTIN_OPERATOR_OR:
    case BUILTIN_OPERATOR_XOR:
        return const_apply(evaluator, id, operands, 2, result, bitwise);
    case BUILTIN_OPERATOR_SHIFT_LEFT:
    case BUILTIN_OPERATOR_SHIFT_RIGHT:
        return const_apply(evaluator, id, operands, 2, result, shift);
    case BUILTIN_OPERATOR_NEGATE:
    case BUILTIN_OPERATOR_NOT:
    case BUILTIN_OPERATOR_COMPLEMENT:
        return const_apply(evaluator, id, operands, 1, result, unary);
    default:
        return const_apply(evaluator, id, operands, 2, result, compare);
    }
}

bool const_check_operator(struct const_evaluator *evaluator, uint32_t id, type_id left_type,
    const struct const_value *right) {
    enum type_kind kind = const_element_kind(evaluator, right);
    if (!const_is_integer_kind(kind)) {
        return true;
    }
    for (uint32_t i = 0; i < type_component_count(evaluator->types, right->type); i++) {
        int64_t value = const_value_get(right, evaluator->types, i).integer;
        if ((id == BUILTIN_OPERATOR_DIVIDE || id == BUILTIN_OPERATOR_REMAINDER) && value == 0) {
            return const_fail(evaluator, DIAGNOSTIC_DIVISION_BY_ZERO, "%s by zero",
                id == BUILTIN_OPERATOR_DIVIDE ? "division" : "remainder of a division");
        }
        if ((id == BUILTIN_OPERATOR_SHIFT_LEFT || id == BUILTIN_OPERATOR_SHIFT_RIGHT) &&
            value >= 32 && !type_is_abstract(evaluator->types, left_type)) {
            return shift_amount_too_large(evaluator, value);
        }
    }
    return true;
}
