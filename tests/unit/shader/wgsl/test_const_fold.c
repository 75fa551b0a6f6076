// SPDX-License-Identifier: MIT
//
// Two evaluators of one language: the checker's (exact rules, errors, f64 inside) and the IR's constant
// folder (the reference of every back end). On values where the first has no error to report both
// must give the same bits; where a function's accuracy is open, nearly the same.
#include "check.h"

#include "shader/ir/ir_fold.h"
#include "shader/wgsl/const_eval.h"

struct fold_test {
    struct arena arena;
    struct type_table types;
    struct builtin_structures structures;
    struct builtin_cache cache;
    struct source source;
    struct diagnostic_list diagnostics;
    struct const_evaluator evaluator;
    uint64_t random;
    uint32_t compared_count;
};

static void begin(struct fold_test *test) {
    memset(test, 0, sizeof(*test));
    arena_init(&test->arena, MEMORY_TEST);
    type_table_init(&test->types, &test->arena);
    diagnostic_list_init(&test->diagnostics, &test->arena, 1);
    test->cache.arena = &test->arena;
    test->evaluator = (struct const_evaluator){
        .arena = &test->arena,
        .types = &test->types,
        .structures = &test->structures,
        .diagnostics = &test->diagnostics,
    };
    test->random = 88172645463325252u;
}

static uint32_t next_random(struct fold_test *test) {
    test->random ^= test->random << 13;
    test->random ^= test->random >> 7;
    test->random ^= test->random << 17;
    return (uint32_t)(test->random >> 32);
}

static union const_scalar random_scalar(struct fold_test *test, enum type_kind kind) {
    static const double reals[] = {
        0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0x1p-130, 1e10, -7.25, 0.1f, 2.5};
    static const int32_t integers[] = {0, 1, -1, 2, 7, -8, 31, 32, INT32_MAX, INT32_MIN, 0xff00};
    union const_scalar scalar = {.integer = 0};
    uint32_t choice = next_random(test);
    if (kind == TYPE_F32) {
        scalar.real = reals[choice % (sizeof(reals) / sizeof(reals[0]))];
        if (choice & 0x10000) {
            scalar.real = (double)(float)((int32_t)next_random(test) * 0x1p-24);
        }
        return scalar;
    }
    int32_t integer = integers[choice % (sizeof(integers) / sizeof(integers[0]))];
    if (choice & 0x10000) {
        integer = (int32_t)next_random(test) >> (choice % 29);
    }
    scalar.integer = kind == TYPE_U32 ? (int64_t)(uint32_t)integer
        : kind == TYPE_BOOL           ? (int64_t)(integer & 1)
                                      : (int64_t)integer;
    return scalar;
}

static const struct const_value *random_value(struct fold_test *test, type_id type) {
    union const_scalar components[16];
    enum type_kind kind = type_kind_of(&test->types, type_element_of(&test->types, type));
    for (uint32_t i = 0; i < type_component_count(&test->types, type); i++) {
        components[i] = random_scalar(test, kind);
    }
    return const_value_components(&test->arena, &test->types, type, components);
}

// How far apart two f32 are, in steps between neighbours.
static uint32_t distance(uint32_t a, uint32_t b) {
    int64_t x = a >> 31 ? -(int64_t)(a & 0x7fffffff) : (int64_t)a;
    int64_t y = b >> 31 ? -(int64_t)(b & 0x7fffffff) : (int64_t)b;
    int64_t difference = x > y ? x - y : y - x;
    return difference > UINT32_MAX ? UINT32_MAX : (uint32_t)difference;
}

// Steps that two correct implementations may differ by; 0 where the result is fixed.
static uint32_t get_tolerance(uint32_t id) {
    switch (id) {
    case BUILTIN_ABS:
    case BUILTIN_CEIL:
    case BUILTIN_CLAMP:
    case BUILTIN_FACE_FORWARD:
    case BUILTIN_FLOOR:
    case BUILTIN_FMA:
    case BUILTIN_MAX:
    case BUILTIN_MIN:
    case BUILTIN_QUANTIZE_TO_F16:
    case BUILTIN_ROUND:
    case BUILTIN_SATURATE:
    case BUILTIN_SIGN:
    case BUILTIN_SQRT:
    case BUILTIN_STEP:
    case BUILTIN_TRANSPOSE:
    case BUILTIN_TRUNC:
    case BUILTIN_FRACT:
        return 0;
    case BUILTIN_NORMALIZE: // of a very short vector
        return 4096;
    default:
        return 16;
    }
}

static bool is_close(uint32_t id, enum type_kind kind, const unsigned char *a,
    const unsigned char *b, uint32_t size_bytes) {
    for (uint32_t i = 0; i + 4 <= size_bytes; i += 4) {
        uint32_t x, y;
        float real;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        memcpy(&real, a + i, 4);
        // What cancels to nearly nothing has no relative accuracy.
        bool is_tiny = kind == TYPE_F32 && fabsf(real) < 1e-5f && get_tolerance(id) != 0;
        uint32_t tolerance = kind == TYPE_F32 ? get_tolerance(id) : 0;
        bool is_exempt = kind == TYPE_F32 && (x << 1) == 0 && (y << 1) == 0;
        // Inside a function of several steps f32 may overflow where f64 does not.
        is_exempt |= kind == TYPE_F32 && tolerance != 0 && (y & 0x7f800000) == 0x7f800000;
        if (!is_tiny && !is_exempt && distance(x, y) > tolerance) {
            return false;
        }
    }
    return true;
}

static uint16_t get_opcode(uint32_t id, enum type_kind kind) {
    const struct builtin_info *info = builtin_get(id);
    return kind == TYPE_F32 ? info->float_op
        : kind == TYPE_I32  ? info->signed_op
                            : info->unsigned_op;
}

static void compare(struct fold_test *test, uint32_t id, const struct builtin_match *match,
    const type_id *types, uint32_t count) {
    const struct const_value *values[4];
    unsigned char bytes[4][64], expected[64] = {0}, folded[64] = {0};
    const void *operands[4];
    for (uint32_t i = 0; i < count; i++) {
        values[i] = random_value(test, types[i]);
        const_value_write(values[i], &test->types, bytes[i]);
        operands[i] = bytes[i];
    }
    enum type_kind kind = type_kind_of(&test->types, type_element_of(&test->types, types[0]));
    struct ir_op op = {.opcode = (enum ir_opcode)get_opcode(id, kind), .operand_count = count};
    const struct const_value *value = const_eval_builtin(
        &test->evaluator, id, values, count, match->result);
    if (value == NULL || (uint32_t)op.opcode == IR_NONE ||
        !ir_fold_op(&test->types, &op, match->result, types, operands, folded)) {
        return;
    }
    const_value_write(value, &test->types, expected);
    enum type_kind result = type_kind_of(
        &test->types, type_element_of(&test->types, match->result));
    uint32_t size_bytes = (uint32_t)type_get(&test->types, match->result)->size_bytes;
    test->compared_count++;
    if (!CHECK(is_close(id, result, expected, folded, size_bytes))) {
        fprintf(stderr, "    %s\n", builtin_get(id)->name);
        for (uint32_t i = 0; i < count; i++) {
            struct text_buffer text = {0};
            const_value_print(&text, &test->types, values[i]);
            fprintf(stderr, "    argument %s\n", text.data);
            text_buffer_finish(&text);
        }
        struct text_buffer text = {0};
        const_value_print(&text, &test->types, value);
        fprintf(stderr, "    checker  %s, folder starts with 0x%02x%02x%02x%02x\n", text.data,
            folded[3], folded[2], folded[1], folded[0]);
        text_buffer_finish(&text);
    }
}

// Argument types by pattern: T same everywhere, then the shapes that some functions ask for.
static uint32_t make_arguments(
    struct fold_test *test, uint32_t shape, type_id type, type_id *out_types) {
    type_id u32 = type_scalar(TYPE_U32);
    type_id scalar = type_element_of(&test->types, type);
    out_types[0] = out_types[1] = out_types[2] = out_types[3] = type;
    switch (shape) {
    case 0:
    case 1:
    case 2:
        return shape + 1;
    case 3: // extractBits
        out_types[1] = out_types[2] = u32;
        return 3;
    case 4: // insertBits
        out_types[2] = out_types[3] = u32;
        return 4;
    case 5: // ldexp
        out_types[1] = type_with_element(&test->types, type, type_scalar(TYPE_I32));
        return 2;
    default: // mix with a scalar, refract
        out_types[2] = scalar;
        return 3;
    }
}

static void try_all_shapes(struct fold_test *test, uint32_t id, type_id type, int rounds) {
    static const bool is_const[4] = {true, true, true, true};
    for (uint32_t shape = 0; shape < 7; shape++) {
        type_id types[4];
        uint32_t count = make_arguments(test, shape, type, types);
        struct builtin_match match = builtin_resolve(
            &test->cache, &test->types, &test->structures, id, types, is_const, count);
        for (int i = 0; i < rounds && match.status == BUILTIN_MATCH_FOUND; i++) {
            compare(test, id, &match, types, count);
        }
    }
}

TEST(builtins_agree) {
    struct fold_test test;
    begin(&test);
    type_id f32 = type_scalar(TYPE_F32);
    type_id types[] = {
        f32,
        type_vector(&test.types, f32, 2),
        type_vector(&test.types, f32, 3),
        type_vector(&test.types, f32, 4),
        type_scalar(TYPE_I32),
        type_vector(&test.types, type_scalar(TYPE_I32), 4),
        type_scalar(TYPE_U32),
        type_vector(&test.types, type_scalar(TYPE_U32), 4),
        type_matrix(&test.types, f32, 2, 2),
        type_matrix(&test.types, f32, 3, 3),
        type_matrix(&test.types, f32, 4, 4),
        type_matrix(&test.types, f32, 2, 3),
    };
    for (uint32_t id = 0; id < BUILTIN_OPERATOR_ADD; id++) {
        uint32_t flags = builtin_get(id)->flags;
        // These subtract numbers of any size: two good implementations may share no digit.
        if (!(flags & BUILTIN_FLAG_CONST) || builtin_get(id)->lowering != BUILTIN_LOWERING_OP ||
            id == BUILTIN_REFRACT || id == BUILTIN_MIX) {
            continue;
        }
        uint32_t before = test.compared_count;
        for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
            try_all_shapes(&test, id, types[i], 100);
        }
        if (!CHECK(test.compared_count > before)) {
            fprintf(stderr, "    nothing was compared for '%s'\n", builtin_get(id)->name);
        }
    }
    CHECK(test.compared_count > 10000);
    arena_finish(&test.arena);
}

// Operators: the row of the table, the IR operation for f32, i32 and u32, whether it compares.
TEST(operators_agree) {
    static const struct {
        uint32_t id;
        uint16_t ops[3];
    } rows[] = {
        {BUILTIN_OPERATOR_ADD, {IR_ADD_F, IR_ADD_I, IR_ADD_I}},
        {BUILTIN_OPERATOR_SUBTRACT, {IR_SUB_F, IR_SUB_I, IR_SUB_I}},
        {BUILTIN_OPERATOR_MULTIPLY, {IR_MUL_F, IR_MUL_I, IR_MUL_I}},
        {BUILTIN_OPERATOR_DIVIDE, {IR_DIV_F, IR_DIV_S, IR_DIV_U}},
        {BUILTIN_OPERATOR_REMAINDER, {IR_REM_F, IR_REM_S, IR_REM_U}},
        {BUILTIN_OPERATOR_AND, {IR_NONE, IR_AND, IR_AND}},
        {BUILTIN_OPERATOR_OR, {IR_NONE, IR_OR, IR_OR}},
        {BUILTIN_OPERATOR_XOR, {IR_NONE, IR_XOR, IR_XOR}},
        {BUILTIN_OPERATOR_LESS, {IR_LT_F, IR_LT_S, IR_LT_U}},
        {BUILTIN_OPERATOR_GREATER_EQUAL, {IR_GE_F, IR_GE_S, IR_GE_U}},
        {BUILTIN_OPERATOR_EQUAL, {IR_EQ_F, IR_EQ_I, IR_EQ_I}},
    };
    static const enum type_kind kinds[] = {TYPE_F32, TYPE_I32, TYPE_U32};
    struct fold_test test;
    begin(&test);
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        for (int k = 0; k < 3; k++) {
            if (rows[row].ops[k] == IR_NONE) {
                continue;
            }
            type_id type = type_vector(&test.types, type_scalar(kinds[k]), 4);
            bool compares = rows[row].id >= BUILTIN_OPERATOR_EQUAL;
            type_id result = compares ? type_vector(&test.types, type_scalar(TYPE_BOOL), 4) : type;
            for (int round = 0; round < 500; round++) {
                const struct const_value *values[] = {
                    random_value(&test, type), random_value(&test, type)};
                unsigned char bytes[2][16], expected[16], folded[16];
                const void *operands[] = {bytes[0], bytes[1]};
                type_id types[] = {type, type};
                const_value_write(values[0], &test.types, bytes[0]);
                const_value_write(values[1], &test.types, bytes[1]);
                const struct const_value *value = const_eval_operator(
                    &test.evaluator, rows[row].id, values[0], values[1], result);
                struct ir_op op = {.opcode = (enum ir_opcode)rows[row].ops[k], .operand_count = 2};
                if (value == NULL ||
                    !CHECK(ir_fold_op(&test.types, &op, result, types, operands, folded))) {
                    continue;
                }
                const_value_write(value, &test.types, expected);
                test.compared_count++;
                CHECK_BYTES(expected, folded, sizeof(folded));
            }
        }
    }
    CHECK(test.compared_count > 2000);
    arena_finish(&test.arena);
}

CHECK_MAIN(builtins_agree, operators_agree)
