// SPDX-License-Identifier: MIT
//
// Vector and matrix functions on constants. Every step is rounded to the type, in the order in which
// a shader would do it: sums go left to right. const_eval.h has the contract.
#include <math.h>

#include "shader/wgsl/const_eval_priv.h"

// The components of one argument, read once.
struct components {
    union const_scalar items[CONST_COMPONENT_LIMIT];
    uint32_t count;
};

static struct components read(
    const struct const_evaluator *evaluator, const struct const_value *value) {
    struct components out = {.count = type_component_count(evaluator->types, value->type)};
    for (uint32_t i = 0; i < out.count; i++) {
        out.items[i] = const_value_get(value, evaluator->types, i);
    }
    return out;
}

static bool operate(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    union const_scalar a, union const_scalar b, union const_scalar *out) {
    double left = a.real, right = b.real;
    return const_finish_real(evaluator, kind,
        id == BUILTIN_OPERATOR_ADD            ? left + right
            : id == BUILTIN_OPERATOR_SUBTRACT ? left - right
                                              : left * right,
        out);
}

static bool dot_integer(struct const_evaluator *evaluator, enum type_kind kind,
    const union const_scalar *left, const union const_scalar *right, uint32_t count,
    union const_scalar *out) {
    // Abstract integers may overflow: the operators know how to report it.
    type_id type = type_scalar(kind);
    const struct const_value *sum = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct const_value *a = const_value_scalar(evaluator->arena, type, left[i]);
        const struct const_value *b = const_value_scalar(evaluator->arena, type, right[i]);
        if (a == NULL || b == NULL) {
            return diagnostic_list_set_out_of_memory(evaluator->diagnostics);
        }
        const struct const_value *product = const_eval_operator(
            evaluator, BUILTIN_OPERATOR_MULTIPLY, a, b, type);
        if (product == NULL) {
            return false;
        }
        sum = sum == NULL
            ? product
            : const_eval_operator(evaluator, BUILTIN_OPERATOR_ADD, sum, product, type);
        if (sum == NULL) {
            return false;
        }
    }
    out->integer = sum == NULL ? 0 : const_value_get_integer(sum);
    return true;
}

bool const_dot(struct const_evaluator *evaluator, enum type_kind kind,
    const union const_scalar *left, uint32_t left_stride, const union const_scalar *right,
    uint32_t right_stride, uint32_t count, union const_scalar *out) {
    union const_scalar sum = {.real = 0.0};
    for (uint32_t i = 0; i < count; i++) {
        union const_scalar product;
        if (!operate(evaluator, BUILTIN_OPERATOR_MULTIPLY, kind, left[i * left_stride],
                right[i * right_stride], &product)) {
            return false;
        }
        if (i == 0) {
            sum = product;
        } else if (!operate(evaluator, BUILTIN_OPERATOR_ADD, kind, sum, product, &sum)) {
            return false;
        }
    }
    *out = sum;
    return true;
}

const struct const_value *const_eval_matrix_product(struct const_evaluator *evaluator,
    const struct const_value *left, const struct const_value *right, type_id result) {
    const struct type *left_type = type_get(evaluator->types, left->type);
    const struct type *right_type = type_get(evaluator->types, right->type);
    // A vector on the left is a row, a vector on the right a column.
    bool is_left_matrix = left_type->kind == TYPE_MATRIX;
    bool is_right_matrix = right_type->kind == TYPE_MATRIX;
    uint32_t rows = is_left_matrix ? left_type->rows : 1;
    uint32_t inner = left_type->count; // columns of the matrix, or the vector's size
    uint32_t columns = is_right_matrix ? right_type->count : 1;
    struct components a = read(evaluator, left), b = read(evaluator, right);
    union const_scalar out[CONST_COMPONENT_LIMIT];
    enum type_kind kind = const_element_kind(evaluator, left);
    for (uint32_t column = 0; column < columns; column++) {
        for (uint32_t row = 0; row < rows; row++) {
            if (!const_dot(evaluator, kind, &a.items[row], rows, &b.items[column * inner], 1, inner,
                    &out[column * rows + row])) {
                return NULL;
            }
        }
    }
    return const_value_components(evaluator->arena, evaluator->types, result, out);
}

static bool length(struct const_evaluator *evaluator, enum type_kind kind,
    const struct components *v, union const_scalar *out) {
    if (v->count == 1) {
        out->real = fabs(v->items[0].real);
        return true;
    }
    // sqrt(dot(v, v)): a step that overflows is an error, even if the length would not.
    union const_scalar sum;
    return const_dot(evaluator, kind, v->items, 1, v->items, 1, v->count, &sum) &&
        const_finish_real(evaluator, kind, sqrt(sum.real), out);
}

static bool normalize(
    struct const_evaluator *evaluator, enum type_kind kind, struct components *v) {
    union const_scalar size;
    if (!length(evaluator, kind, v, &size)) {
        return false;
    }
    if (size.real == 0.0) {
        return const_fail(
            evaluator, DIAGNOSTIC_BUILTIN_DOMAIN, "a vector of length zero cannot be normalized");
    }
    for (uint32_t i = 0; i < v->count; i++) {
        if (!const_finish_real(evaluator, kind, v->items[i].real / size.real, &v->items[i])) {
            return false;
        }
    }
    return true;
}

static bool cross(struct const_evaluator *evaluator, enum type_kind kind,
    const struct components *a, const struct components *b, union const_scalar *out) {
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        union const_scalar first, second;
        if (!operate(
                evaluator, BUILTIN_OPERATOR_MULTIPLY, kind, a->items[j], b->items[k], &first) ||
            !operate(
                evaluator, BUILTIN_OPERATOR_MULTIPLY, kind, a->items[k], b->items[j], &second) ||
            !operate(evaluator, BUILTIN_OPERATOR_SUBTRACT, kind, first, second, &out[i])) {
            return false;
        }
    }
    return true;
}

// One rounded step of a computation; false after it overflowed.
static bool step(
    struct const_evaluator *evaluator, enum type_kind kind, double value, double *out) {
    union const_scalar rounded;
    if (!const_finish_real(evaluator, kind, value, &rounded)) {
        return false;
    }
    *out = rounded.real;
    return true;
}

// e1 - 2 dot(e2, e1) e2
static bool reflect(struct const_evaluator *evaluator, enum type_kind kind,
    const struct components *e1, const struct components *e2, union const_scalar *out) {
    union const_scalar dot;
    double twice, product;
    if (!const_dot(evaluator, kind, e2->items, 1, e1->items, 1, e1->count, &dot) ||
        !step(evaluator, kind, 2.0 * dot.real, &twice)) {
        return false;
    }
    for (uint32_t i = 0; i < e1->count; i++) {
        if (!step(evaluator, kind, twice * e2->items[i].real, &product) ||
            !step(evaluator, kind, e1->items[i].real - product, &out[i].real)) {
            return false;
        }
    }
    return true;
}

// k = 1 - eta eta (1 - dot dot); eta e1 - (eta dot + sqrt(k)) e2, or zero when k is below zero.
static bool refract(struct const_evaluator *evaluator, enum type_kind kind,
    const struct components *e1, const struct components *e2, double eta, union const_scalar *out) {
    union const_scalar dot;
    double square, rest, eta_square, product, k;
    if (!const_dot(evaluator, kind, e2->items, 1, e1->items, 1, e1->count, &dot) ||
        !step(evaluator, kind, dot.real * dot.real, &square) ||
        !step(evaluator, kind, 1.0 - square, &rest) ||
        !step(evaluator, kind, eta * eta, &eta_square) ||
        !step(evaluator, kind, eta_square * rest, &product) ||
        !step(evaluator, kind, 1.0 - product, &k)) {
        return false;
    }
    double eta_dot = 0.0, root = 0.0, factor = 0.0;
    if (k >= 0.0 &&
        (!step(evaluator, kind, eta * dot.real, &eta_dot) ||
            !step(evaluator, kind, sqrt(k), &root) ||
            !step(evaluator, kind, eta_dot + root, &factor))) {
        return false;
    }
    for (uint32_t i = 0; i < e1->count; i++) {
        double left, right;
        out[i].real = 0.0;
        if (k >= 0.0 &&
            (!step(evaluator, kind, eta * e1->items[i].real, &left) ||
                !step(evaluator, kind, factor * e2->items[i].real, &right) ||
                !step(evaluator, kind, left - right, &out[i].real))) {
            return false;
        }
    }
    return true;
}

static double determinant(const double *m, uint32_t size) {
    if (size == 2) {
        return m[0] * m[3] - m[2] * m[1];
    }
    double sum = 0.0;
    for (uint32_t column = 0; column < size; column++) {
        double minor[9];
        uint32_t filled = 0;
        for (uint32_t c = 0; c < size; c++) {
            for (uint32_t r = 1; r < size && c != column; r++) {
                minor[filled++] = m[c * size + r];
            }
        }
        double term = m[column * size] * determinant(minor, size - 1); // at most 4, 3, 2
        sum += column % 2 == 0 ? term : -term;
    }
    return sum;
}

static void transpose(
    const struct type *matrix, const struct components *v, union const_scalar *out) {
    for (uint32_t column = 0; column < matrix->count; column++) {
        for (uint32_t row = 0; row < matrix->rows; row++) {
            out[row * matrix->count + column] = v->items[column * matrix->rows + row];
        }
    }
}

static bool evaluate(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const struct const_value *const *arguments, union const_scalar *out) {
    struct components a = read(evaluator, arguments[0]), b;
    switch (id) {
    case BUILTIN_DETERMINANT: {
        double m[CONST_COMPONENT_LIMIT];
        for (uint32_t i = 0; i < a.count; i++) {
            m[i] = a.items[i].real;
        }
        uint32_t size = type_get(evaluator->types, arguments[0]->type)->rows;
        return const_finish_real(evaluator, kind, determinant(m, size), out);
    }
    case BUILTIN_TRANSPOSE:
        transpose(type_get(evaluator->types, arguments[0]->type), &a, out);
        return true;
    case BUILTIN_LENGTH:
        return length(evaluator, kind, &a, out);
    case BUILTIN_NORMALIZE:
        if (!normalize(evaluator, kind, &a)) {
            return false;
        }
        for (uint32_t i = 0; i < a.count; i++) {
            out[i] = a.items[i];
        }
        return true;
    default:
        break;
    }
    b = read(evaluator, arguments[1]);
    switch (id) {
    case BUILTIN_DOT:
        if (const_is_integer_kind(kind)) {
            return dot_integer(evaluator, kind, a.items, b.items, a.count, out);
        }
        return const_dot(evaluator, kind, a.items, 1, b.items, 1, a.count, out);
    case BUILTIN_CROSS:
        return cross(evaluator, kind, &a, &b, out);
    case BUILTIN_DISTANCE:
        for (uint32_t i = 0; i < a.count; i++) {
            if (!operate(evaluator, BUILTIN_OPERATOR_SUBTRACT, kind, a.items[i], b.items[i],
                    &a.items[i])) {
                return false;
            }
        }
        return length(evaluator, kind, &a, out);
    case BUILTIN_FACE_FORWARD: {
        struct components c = read(evaluator, arguments[2]);
        union const_scalar dot;
        if (!const_dot(evaluator, kind, b.items, 1, c.items, 1, b.count, &dot)) {
            return false;
        }
        for (uint32_t i = 0; i < a.count; i++) {
            out[i].real = dot.real < 0.0 ? a.items[i].real : -a.items[i].real;
        }
        return true;
    }
    case BUILTIN_REFRACT:
        return refract(evaluator, kind, &a, &b,
            const_value_get(arguments[2], evaluator->types, 0).real, out);
    default: // reflect
        return reflect(evaluator, kind, &a, &b, out);
    }
}

const struct const_value *const_eval_vector(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, type_id result) {
    union const_scalar out[CONST_COMPONENT_LIMIT];
    enum type_kind kind = const_element_kind(evaluator, arguments[0]);
    if (!evaluate(evaluator, id, kind, arguments, out)) {
        return NULL;
    }
    const struct const_value *value = const_value_components(
        evaluator->arena, evaluator->types, result, out);
    if (value == NULL) {
        diagnostic_list_set_out_of_memory(evaluator->diagnostics);
    }
    return value;
}
