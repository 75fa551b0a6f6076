// SPDX-License-Identifier: MIT
//
// Folding of vector and matrix functions. Each arithmetic step is rounded to the element type; sums
// go left to right, as the polyfills compute them. Pure functions, any thread.
#include "shader/ir/ir_fold_priv.h"

#include <string.h>

#include "shader/ir/fold_math.h"

// Components of a vector, or columns one after the other of a matrix, without padding.
struct numbers {
    float at[16];
    uint32_t count; // components, or columns
    uint32_t rows;  // matrix
};

struct kernel {
    const struct ir_fold *fold;
    bool is_half;
};

static float rounded(const struct kernel *k, float number) {
    return k->is_half ? fold_quantize_f16(number) : number;
}
static float add(const struct kernel *k, float a, float b) {
    return rounded(k, a + b);
}
static float subtract(const struct kernel *k, float a, float b) {
    return rounded(k, a - b);
}
static float multiply(const struct kernel *k, float a, float b) {
    return rounded(k, a * b);
}

static float read_number(const struct kernel *k, const unsigned char *bytes) {
    if (k->is_half) {
        uint16_t half = 0;
        memcpy(&half, bytes, sizeof(half));
        return fold_half_to_float(half);
    }
    float number = 0;
    memcpy(&number, bytes, sizeof(number));
    return number;
}

static struct numbers read_operand(const struct kernel *k, uint32_t operand) {
    const struct type_table *types = k->fold->types;
    type_id id = k->fold->operand_types[operand];
    const struct type *type = type_get(types, id);
    const unsigned char *bytes = k->fold->operands[operand];
    size_t element_bytes = k->is_half ? 2 : 4;
    struct numbers numbers = {.count = type->kind == TYPE_VECTOR ? type->count : 1};
    if (type->kind == TYPE_MATRIX) {
        numbers.count = type->count;
        numbers.rows = type->rows;
        for (uint32_t c = 0; c < type->count; c++) {
            for (uint32_t r = 0; r < type->rows; r++) {
                numbers.at[c * type->rows + r] = read_number(
                    k, bytes + (size_t)c * type->stride_bytes + r * element_bytes);
            }
        }
        return numbers;
    }
    for (uint32_t i = 0; i < numbers.count; i++) {
        numbers.at[i] = read_number(k, bytes + i * element_bytes);
    }
    return numbers;
}

static void write_number(const struct kernel *k, unsigned char *bytes, float number) {
    if (k->is_half) {
        uint16_t half = fold_float_to_half(number);
        memcpy(bytes, &half, sizeof(half));
    } else {
        memcpy(bytes, &number, sizeof(number));
    }
}

static void write_result(const struct kernel *k, const float *numbers) {
    const struct type *type = type_get(k->fold->types, k->fold->result_type);
    size_t element_bytes = k->is_half ? 2 : 4;
    if (type->kind == TYPE_MATRIX) {
        memset(k->fold->out, 0, (size_t)type->size_bytes);
        for (uint32_t c = 0; c < type->count; c++) {
            for (uint32_t r = 0; r < type->rows; r++) {
                write_number(k, k->fold->out + (size_t)c * type->stride_bytes + r * element_bytes,
                    numbers[c * type->rows + r]);
            }
        }
        return;
    }
    uint32_t count = type->kind == TYPE_VECTOR ? type->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        write_number(k, k->fold->out + i * element_bytes, numbers[i]);
    }
}

static float dot(const struct kernel *k, const float *a, const float *b, uint32_t count) {
    float sum = multiply(k, a[0], b[0]);
    for (uint32_t i = 1; i < count; i++) {
        sum = add(k, sum, multiply(k, a[i], b[i]));
    }
    return sum;
}

static float length(const struct kernel *k, const struct numbers *a) {
    return a->count == 1 ? fabsf(a->at[0]) : rounded(k, sqrtf(dot(k, a->at, a->at, a->count)));
}

static bool fold_dot_i(const struct ir_fold *fold) {
    uint32_t count = type_get(fold->types, fold->operand_types[0])->count, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = 0, b = 0;
        memcpy(&a, fold->operands[0] + i * sizeof(a), sizeof(a));
        memcpy(&b, fold->operands[1] + i * sizeof(b), sizeof(b));
        sum += a * b;
    }
    memcpy(fold->out, &sum, sizeof(sum));
    return true;
}

static void cross(const struct kernel *k, const float *a, const float *b, float *out) {
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, l = (i + 2) % 3;
        out[i] = subtract(k, multiply(k, a[j], b[l]), multiply(k, a[l], b[j]));
    }
}

static void reflect(
    const struct kernel *k, const struct numbers *a, const float *normal, float *out) {
    float twice = multiply(k, 2.0f, dot(k, normal, a->at, a->count));
    for (uint32_t i = 0; i < a->count; i++) {
        out[i] = subtract(k, a->at[i], multiply(k, twice, normal[i]));
    }
}

static void refract(
    const struct kernel *k, const struct numbers *a, const float *normal, float ratio, float *out) {
    float cosine = dot(k, normal, a->at, a->count);
    float sine_squared = subtract(k, 1.0f, multiply(k, cosine, cosine));
    float inside = subtract(k, 1.0f, multiply(k, multiply(k, ratio, ratio), sine_squared));
    if (inside < 0.0f) {
        return; // out is zero
    }
    float factor = add(k, multiply(k, ratio, cosine), rounded(k, sqrtf(inside)));
    for (uint32_t i = 0; i < a->count; i++) {
        out[i] = subtract(k, multiply(k, ratio, a->at[i]), multiply(k, factor, normal[i]));
    }
}

static float determinant_2(const struct kernel *k, float a, float b, float c, float d) {
    return subtract(k, multiply(k, a, d), multiply(k, b, c));
}

// By columns: m[c * n + r]. Cofactors of the first column.
static float determinant_3(const struct kernel *k, const float *x, const float *y, const float *z) {
    float first = multiply(k, x[0], determinant_2(k, y[1], y[2], z[1], z[2]));
    float second = multiply(k, x[1], determinant_2(k, y[0], y[2], z[0], z[2]));
    float third = multiply(k, x[2], determinant_2(k, y[0], y[1], z[0], z[1]));
    return add(k, subtract(k, first, second), third);
}

static float determinant(const struct kernel *k, const struct numbers *m) {
    if (m->count == 2) {
        return determinant_2(k, m->at[0], m->at[1], m->at[2], m->at[3]);
    }
    if (m->count == 3) {
        return determinant_3(k, m->at, m->at + 3, m->at + 6);
    }
    float sum = 0;
    for (uint32_t r = 0; r < 4; r++) {
        float minor[3][3];
        for (uint32_t c = 1; c < 4; c++) {
            for (uint32_t i = 0; i < 3; i++) {
                minor[c - 1][i] = m->at[c * 4 + (i < r ? i : i + 1)];
            }
        }
        float term = multiply(k, m->at[r], determinant_3(k, minor[0], minor[1], minor[2]));
        sum = r == 0 ? term : r % 2 == 1 ? subtract(k, sum, term) : add(k, sum, term);
    }
    return sum;
}

static void transpose(const struct numbers *m, float *out) {
    for (uint32_t c = 0; c < m->count; c++) {
        for (uint32_t r = 0; r < m->rows; r++) {
            out[r * m->count + c] = m->at[c * m->rows + r];
        }
    }
}

// Sum over the columns of a, weighted by the components of one column of b.
static void times_vector(
    const struct kernel *k, const struct numbers *a, const float *b, float *out) {
    for (uint32_t r = 0; r < a->rows; r++) {
        float sum = multiply(k, a->at[r], b[0]);
        for (uint32_t c = 1; c < a->count; c++) {
            sum = add(k, sum, multiply(k, a->at[c * a->rows + r], b[c]));
        }
        out[r] = sum;
    }
}

static void matrix_product(const struct kernel *k, float *out) {
    struct numbers a = read_operand(k, 0), b = read_operand(k, 1);
    switch (k->fold->op->opcode) {
    case IR_MATRIX_TIMES_MATRIX:
        for (uint32_t c = 0; c < b.count; c++) {
            times_vector(k, &a, &b.at[c * b.rows], &out[c * a.rows]);
        }
        break;
    case IR_MATRIX_TIMES_VECTOR:
        times_vector(k, &a, b.at, out);
        break;
    default: // vector times matrix
        for (uint32_t c = 0; c < b.count; c++) {
            out[c] = dot(k, a.at, &b.at[c * b.rows], b.rows);
        }
        break;
    }
}

static void vector_function(const struct kernel *k, float *out) {
    struct numbers a = read_operand(k, 0);
    struct numbers b = {0};
    if (k->fold->op->operand_count > 1) {
        b = read_operand(k, 1);
    }
    float scalar = 0;
    switch (k->fold->op->opcode) {
    case IR_DOT_F:
        out[0] = dot(k, a.at, b.at, a.count);
        break;
    case IR_CROSS:
        cross(k, a.at, b.at, out);
        break;
    case IR_LENGTH:
        out[0] = length(k, &a);
        break;
    case IR_DISTANCE:
        for (uint32_t i = 0; i < a.count; i++) {
            a.at[i] = subtract(k, a.at[i], b.at[i]);
        }
        out[0] = length(k, &a);
        break;
    case IR_NORMALIZE:
        scalar = length(k, &a);
        for (uint32_t i = 0; i < a.count; i++) {
            out[i] = rounded(k, a.at[i] / scalar);
        }
        break;
    case IR_FACE_FORWARD: {
        struct numbers reference = read_operand(k, 2);
        bool keeps = dot(k, b.at, reference.at, a.count) < 0.0f;
        for (uint32_t i = 0; i < a.count; i++) {
            out[i] = keeps ? a.at[i] : -a.at[i];
        }
        break;
    }
    case IR_REFLECT:
        reflect(k, &a, b.at, out);
        break;
    case IR_REFRACT:
        refract(k, &a, b.at, read_operand(k, 2).at[0], out);
        break;
    case IR_DETERMINANT:
        out[0] = determinant(k, &a);
        break;
    default: // transpose
        transpose(&a, out);
        break;
    }
}

bool ir_fold_vector(const struct ir_fold *fold) {
    if (fold->op->opcode == IR_DOT_I) {
        return fold_dot_i(fold);
    }
    type_id element = type_element_of(fold->types, fold->operand_types[0]);
    struct kernel kernel = {.fold = fold, .is_half = element.index == TYPE_F16};
    float out[16] = {0};
    if (ir_op_get_info(fold->op->opcode)->family == IR_FAMILY_MATRIX_PRODUCT) {
        matrix_product(&kernel, out);
    } else {
        vector_function(&kernel, out);
    }
    write_result(&kernel, out);
    return true;
}
