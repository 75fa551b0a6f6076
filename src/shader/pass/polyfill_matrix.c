// SPDX-License-Identifier: MIT
//
// Matrices as columns: products, transpose, determinant. Sums go left to right. See
// polyfill_priv.h.
#include "shader/pass/polyfill_priv.h"

struct shape {
    uint32_t columns;
    uint32_t rows;
};

static struct shape shape_of(const struct ir_builder *b, ir_value matrix) {
    if (b->module->has_failed) {
        return (struct shape){2, 2};
    }
    const struct type *type = type_get(&b->module->types, type_of(b, matrix));
    return (struct shape){type->count, type->rows};
}

// matrix * vector as columns * components.
static ir_value transform(
    struct ir_builder *b, const ir_value *columns, uint32_t count, ir_value vector) {
    ir_value sum = {0};
    for (uint32_t i = 0; i < count && !b->module->has_failed; i++) {
        ir_value factor = ir_builder_splat(
            b, type_of(b, columns[i]), ir_builder_extract(b, vector, i));
        ir_value product = mul(b, columns[i], factor);
        sum = i == 0 ? product : add(b, sum, product);
    }
    return sum;
}

static void take_columns(struct ir_builder *b, ir_value matrix, uint32_t count, ir_value *out) {
    for (uint32_t i = 0; i < count; i++) {
        out[i] = ir_builder_extract(b, matrix, i);
    }
}

static ir_value matrix_times_matrix(struct ir_builder *b, const ir_value *x) {
    struct shape left = shape_of(b, x[0]);
    struct shape right = shape_of(b, x[1]);
    ir_value columns[4];
    ir_value products[4];
    take_columns(b, x[0], left.columns, columns);
    for (uint32_t i = 0; i < right.columns; i++) {
        products[i] = transform(b, columns, left.columns, ir_builder_extract(b, x[1], i));
    }
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    type_id element = type_element_of(&b->module->types, type_of(b, x[0]));
    type_id type = type_matrix(&b->module->types, element, right.columns, left.rows);
    return ir_builder_construct(b, type, products, right.columns);
}

static ir_value matrix_times_vector(struct ir_builder *b, const ir_value *x) {
    struct shape shape = shape_of(b, x[0]);
    ir_value columns[4];
    take_columns(b, x[0], shape.columns, columns);
    return transform(b, columns, shape.columns, x[1]);
}

static ir_value vector_times_matrix(struct ir_builder *b, const ir_value *x) {
    struct shape shape = shape_of(b, x[1]);
    ir_value sums[4];
    for (uint32_t i = 0; i < shape.columns; i++) {
        sums[i] = ir_builder_binary(b, IR_DOT_F, x[0], ir_builder_extract(b, x[1], i));
    }
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    type_id element = type_element_of(&b->module->types, type_of(b, x[0]));
    return ir_builder_construct(
        b, type_vector(&b->module->types, element, shape.columns), sums, shape.columns);
}

static ir_value transpose(struct ir_builder *b, ir_value x) {
    struct shape shape = shape_of(b, x);
    ir_value columns[4];
    ir_value results[4];
    take_columns(b, x, shape.columns, columns);
    if (b->module->has_failed) {
        return (ir_value){0};
    }
    type_id element = type_element_of(&b->module->types, type_of(b, x));
    type_id column = type_vector(&b->module->types, element, shape.columns);
    for (uint32_t r = 0; r < shape.rows; r++) {
        ir_value components[4];
        for (uint32_t c = 0; c < shape.columns; c++) {
            components[c] = ir_builder_extract(b, columns[c], r);
        }
        results[r] = ir_builder_construct(b, column, components, shape.columns);
    }
    type_id type = type_matrix(&b->module->types, element, shape.rows, shape.columns);
    return ir_builder_construct(b, type, results, shape.rows);
}

// a[i] * b[j] - a[j] * b[i]
static ir_value minor(
    struct ir_builder *b, ir_value (*m)[4], uint32_t a, uint32_t c, uint32_t i, uint32_t j) {
    return sub(b, mul(b, m[a][i], m[c][j]), mul(b, m[a][j], m[c][i]));
}

// Laplace's expansion; for 4x4 by the 2x2 minors of the first and the last two columns.
static ir_value determinant(struct ir_builder *b, ir_value x) {
    struct shape shape = shape_of(b, x);
    ir_value m[4][4] = {{{0}}};
    for (uint32_t c = 0; c < shape.columns; c++) {
        ir_value column = ir_builder_extract(b, x, c);
        for (uint32_t r = 0; r < shape.rows; r++) {
            m[c][r] = ir_builder_extract(b, column, r);
        }
    }
    if (shape.columns == 2) {
        return minor(b, m, 0, 1, 0, 1);
    }
    if (shape.columns == 3) {
        ir_value sum = mul(b, m[0][0], minor(b, m, 1, 2, 1, 2));
        sum = sub(b, sum, mul(b, m[0][1], minor(b, m, 1, 2, 0, 2)));
        return add(b, sum, mul(b, m[0][2], minor(b, m, 1, 2, 0, 1)));
    }
    // Pairs of rows (i, j) with their complement and the sign of the permutation.
    static const uint8_t rows[6][5] = {{0, 1, 2, 3, 0}, {0, 2, 1, 3, 1}, {0, 3, 1, 2, 0},
        {1, 2, 0, 3, 0}, {1, 3, 0, 2, 1}, {2, 3, 0, 1, 0}};
    ir_value sum = {0};
    for (uint32_t k = 0; k < 6; k++) {
        const uint8_t *row = rows[k];
        ir_value product = mul(
            b, minor(b, m, 0, 1, row[0], row[1]), minor(b, m, 2, 3, row[2], row[3]));
        sum = k == 0 ? product : row[4] ? sub(b, sum, product) : add(b, sum, product);
    }
    return sum;
}

ir_value polyfill_matrix(struct ir_builder *b, enum ir_opcode opcode, const ir_value *x) {
    switch (opcode) {
    case IR_MATRIX_TIMES_MATRIX:
        return matrix_times_matrix(b, x);
    case IR_MATRIX_TIMES_VECTOR:
        return matrix_times_vector(b, x);
    case IR_VECTOR_TIMES_MATRIX:
        return vector_times_matrix(b, x);
    case IR_TRANSPOSE:
        return transpose(b, x[0]);
    case IR_DETERMINANT:
        return determinant(b, x[0]);
    default:
        return (ir_value){0};
    }
}
