// SPDX-License-Identifier: MIT
//
// Polyfills of packing, vector and matrix operations against the folder, which knows them from
// op.def: bit for bit on random operands where both round alike, within a few units where the order
// of roundings may differ.
#include <math.h>

#include "check.h"
#include "shader/ir/ir_builder.h"
#include "shader/ir/ir_fold.h"
#include "shader/pass/pass.h"

#define VALUE_LIMIT 2048
#define VALUE_BYTES 64

static unsigned char values[VALUE_LIMIT][VALUE_BYTES];
static uint64_t random_state = 12345;

static uint32_t random_word(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

// A float in [-4, 4), often a round one; or any bits for integers.
static uint32_t random_component(enum type_kind kind) {
    float number = (float)(int32_t)random_word() * 0x1p-29f;
    uint32_t word = random_word();
    if (kind == TYPE_F32) {
        number = word % 4 == 0 ? roundf(number) : number;
        memcpy(&word, &number, sizeof(word));
    }
    return word;
}

static void fill(const struct type_table *types, type_id type, unsigned char *out) {
    const struct type *row = type_get(types, type);
    enum type_kind kind = type_kind_of(types, type_element_of(types, type));
    memset(out, 0, VALUE_BYTES);
    uint32_t columns = row->kind == TYPE_MATRIX ? row->count : 1;
    uint32_t rows = row->kind == TYPE_MATRIX ? row->rows : type_component_count(types, type);
    uint32_t stride = row->kind == TYPE_MATRIX ? row->stride_bytes : 0;
    for (uint32_t c = 0; c < columns; c++) {
        for (uint32_t r = 0; r < rows; r++) {
            uint32_t word = random_component(kind);
            memcpy(out + c * stride + 4 * r, &word, 4);
        }
    }
}

static bool run(const struct ir_module *module, void *out, size_t out_bytes) {
    const struct ir_function *function = &module->functions.items[0];
    for (ir_op_id id = ir_region_get(function, function->body)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        const void *operands[16] = {0};
        type_id types[16] = {{0}};
        for (uint32_t i = 0; i < op->operand_count && i < 16; i++) {
            const struct ir_value_info *info = ir_value_get(function, op->operands[i]);
            types[i] = info->type;
            operands[i] = info->kind == IR_VALUE_CONSTANT
                ? module->constants.items[info->definition].bytes
                : values[op->operands[i].index];
        }
        if (op->opcode == IR_RETURN) {
            memcpy(out, operands[0], out_bytes);
            return true;
        }
        memset(values[op->first_result.index], 0, VALUE_BYTES);
        if (!ir_fold_op(&module->types, op, ir_value_type(function, op->first_result), types,
                operands, values[op->first_result.index])) {
            return false;
        }
    }
    return false;
}

// Compares the polyfill with the folder on 200 random operands; ulp 0: bit for bit.
static void compare(
    enum ir_opcode opcode, const char *const *operand_types, uint32_t count, double ulp);

static type_id parse_type(struct type_table *types, const char *word) {
    type_id f32 = type_scalar(TYPE_F32);
    switch (word[0]) {
    case 'm':
        return type_matrix(types, f32, (uint32_t)(word[1] - '0'), (uint32_t)(word[2] - '0'));
    case 'v':
        return type_vector(types, f32, (uint32_t)(word[1] - '0'));
    case 'i':
        return word[1] == 0 ? type_scalar(TYPE_I32)
                            : type_vector(types, type_scalar(TYPE_I32), (uint32_t)(word[1] - '0'));
    case 'u':
        return word[1] == 0 ? type_scalar(TYPE_U32)
                            : type_vector(types, type_scalar(TYPE_U32), (uint32_t)(word[1] - '0'));
    default:
        return f32;
    }
}

static ir_value build(
    struct ir_builder *b, enum ir_opcode opcode, const ir_value *x, uint32_t count) {
    return count == 1 ? ir_builder_unary(b, opcode, x[0])
        : count == 2  ? ir_builder_binary(b, opcode, x[0], x[1])
                      : ir_builder_ternary(b, opcode, x[0], x[1], x[2]);
}

static bool is_near(const unsigned char *a, const unsigned char *b, size_t bytes, double ulp) {
    if (ulp == 0) {
        return memcmp(a, b, bytes) == 0;
    }
    double largest = 1e-30;
    for (size_t i = 0; i < bytes; i += 4) {
        float x;
        memcpy(&x, a + i, 4);
        largest = fabs((double)x) > largest ? fabs((double)x) : largest;
    }
    for (size_t i = 0; i < bytes; i += 4) {
        float x, y;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        if (!(isnan(x) && isnan(y)) && x != y &&
            !(fabs((double)x - (double)y) <= ulp * 0x1p-23 * largest)) {
            return false;
        }
    }
    return true;
}

static void compare(
    enum ir_opcode opcode, const char *const *operand_types, uint32_t count, double ulp) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    struct ir_module *module = ir_module_create(&arena);
    type_id types[3] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        types[i] = parse_type(&module->types, operand_types[i]);
    }
    uint32_t index = ir_function_create(
        module, TEXT_LITERAL("f"), type_scalar(TYPE_VOID), types, count);
    struct ir_builder b = ir_builder_create(module, index);
    ir_value parameters[3] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        parameters[i] = module->functions.items[0].parameters[i];
    }
    ir_value result = build(&b, opcode, parameters, count);
    type_id type = ir_value_type(&module->functions.items[0], result);
    struct ir_op op = *ir_op_get(&module->functions.items[0],
        (ir_op_id){ir_value_get(&module->functions.items[0], result)->definition});
    module->functions.items[0].return_type = type;
    ir_builder_terminate(&b, IR_RETURN, &result, 1);
    size_t bytes = (size_t)type_get(&module->types, type)->size_bytes;
    CHECK_EQ(pass_polyfill(module), PASS_OK);
    CHECK(module->functions.items[0].values.count < VALUE_LIMIT);
    for (size_t i = 1; i < module->functions.items[0].ops.count; i++) {
        const struct ir_op *left = &module->functions.items[0].ops.items[i];
        CHECK(left->parent.index == 0 ||
            (ir_op_get_info(left->opcode)->flags & IR_FLAG_POLYFILL) == 0);
    }
    bool ok = true;
    for (int round = 0; round < 200 && ok; round++) {
        unsigned char expected[VALUE_BYTES] = {0};
        unsigned char got[VALUE_BYTES] = {0};
        const void *operands[3] = {NULL, NULL, NULL};
        for (uint32_t i = 0; i < count; i++) {
            fill(&module->types, types[i], values[parameters[i].index]);
            operands[i] = values[parameters[i].index];
        }
        ok = ir_fold_op(&module->types, &op, type, types, operands, expected) &&
            run(module, got, bytes) && is_near(expected, got, bytes, ulp);
    }
    if (!CHECK(ok)) {
        fprintf(stderr, "    %s differs\n", ir_op_get_info(opcode)->text);
    }
    arena_finish(&arena);
}
#define COMPARE(opcode, ulp, ...) \
    compare((opcode), (const char *const[]){__VA_ARGS__}, \
        (uint32_t)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)), (ulp))

TEST(packing) {
    COMPARE(IR_PACK_4X8_SNORM, 0, "v4");
    COMPARE(IR_PACK_4X8_UNORM, 0, "v4");
    COMPARE(IR_PACK_2X16_SNORM, 0, "v2");
    COMPARE(IR_PACK_2X16_UNORM, 0, "v2");
    COMPARE(IR_PACK_2X16_FLOAT, 0, "v2");
    COMPARE(IR_PACK_4X_I8, 0, "i4");
    COMPARE(IR_PACK_4X_U8, 0, "u4");
    COMPARE(IR_PACK_4X_I8_CLAMP, 0, "i4");
    COMPARE(IR_PACK_4X_U8_CLAMP, 0, "u4");
    COMPARE(IR_UNPACK_4X8_SNORM, 0, "u");
    COMPARE(IR_UNPACK_4X8_UNORM, 0, "u");
    COMPARE(IR_UNPACK_2X16_SNORM, 0, "u");
    COMPARE(IR_UNPACK_2X16_UNORM, 0, "u");
    COMPARE(IR_UNPACK_4X_I8, 0, "u");
    COMPARE(IR_UNPACK_4X_U8, 0, "u");
    COMPARE(IR_DOT_4_I8_PACKED, 0, "u", "u");
    COMPARE(IR_DOT_4_U8_PACKED, 0, "u", "u");
    // Any bits: NaN may keep other payloads.
    COMPARE(IR_UNPACK_2X16_FLOAT, 1e-9, "u");
}

TEST(vectors) {
    COMPARE(IR_DOT_F, 0, "v2", "v2");
    COMPARE(IR_DOT_F, 0, "v4", "v4");
    COMPARE(IR_DOT_I, 0, "i3", "i3");
    COMPARE(IR_CROSS, 0, "v3", "v3");
    COMPARE(IR_LENGTH, 0, "v3");
    COMPARE(IR_LENGTH, 0, "f");
    COMPARE(IR_DISTANCE, 0, "v4", "v4");
    COMPARE(IR_NORMALIZE, 2, "v3");
    COMPARE(IR_FACE_FORWARD, 0, "v3", "v3", "v3");
    COMPARE(IR_REFLECT, 4, "v3", "v3");
    COMPARE(IR_REFRACT, 8, "v3", "v3", "f");
}

TEST(matrices) {
    COMPARE(IR_TRANSPOSE, 0, "m23");
    COMPARE(IR_TRANSPOSE, 0, "m44");
    COMPARE(IR_DETERMINANT, 0, "m22");
    COMPARE(IR_MATRIX_TIMES_VECTOR, 0, "m34", "v3");
    COMPARE(IR_VECTOR_TIMES_MATRIX, 0, "v4", "m34");
    COMPARE(IR_MATRIX_TIMES_MATRIX, 0, "m32", "m43");
    COMPARE(IR_MATRIX_TIMES_MATRIX, 0, "m44", "m44");
}

// Cancellation makes units of the result meaningless: compare against exact arithmetic in double.
TEST(determinants) {
    for (uint32_t n = 3; n <= 4; n++) {
        struct arena arena;
        arena_init(&arena, MEMORY_TEST);
        struct ir_module *module = ir_module_create(&arena);
        type_id type = type_matrix(&module->types, type_scalar(TYPE_F32), n, n);
        ir_function_create(module, TEXT_LITERAL("f"), type_scalar(TYPE_F32), &type, 1);
        struct ir_builder b = ir_builder_create(module, 0);
        ir_value parameter = module->functions.items[0].parameters[0];
        ir_value result = ir_builder_unary(&b, IR_DETERMINANT, parameter);
        ir_builder_terminate(&b, IR_RETURN, &result, 1);
        CHECK_EQ(pass_polyfill(module), PASS_OK);
        // A permutation times a triangle: the determinant is the diagonal's product, with the sign.
        float m[4][4] = {{0, 2, 0, 0}, {3, 1, 0, 0}, {5, 6, 4, 0}, {7, 8, 9, 10}};
        for (uint32_t c = 0; c < n; c++) {
            memcpy(values[parameter.index] + 16 * c, m[c], 16);
        }
        float got = 0;
        CHECK(run(module, &got, sizeof(got)));
        CHECK(got == (n == 3 ? -24.0f : -240.0f));
        arena_finish(&arena);
    }
}

CHECK_MAIN(packing, vectors, matrices, determinants)
