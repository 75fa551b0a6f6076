// SPDX-License-Identifier: MIT
//
// Every component-wise operation that the code generator knows, against the C expression of its row:
// all combinations of edge values, for several levels and widths, with operands that differ from lane
// to lane and with uniform ones. Bits must be equal; one NaN equals another.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jit/jit_run.h"
#include "shader/ir/ir_builder.h"
#include "shader/ir/ir_fold.h"
#include "shader/ir/ir_text.h"

#define OPERANDS 4

static const uint32_t integer_edges[] = {0, 1, 2, 3, 5, 7, 30, 31, 32, 33, 255, 0x7fffffffu,
    0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffffeu, 0x0000ffffu, 0xdeadbeefu};
static const uint32_t float_edges[] = {0, 0x80000000u, 0x3f800000u, 0xbf800000u, 0x3f000000u,
    0x40200000u, 0xc0200000u, 0x3fc00000u, 0x00000001u, 0x807fffffu, 0x00800000u, 0x7f800000u,
    0xff800000u, 0x7fc00000u, 0x7f7fffffu, 0x4effffffu, 0x4f000000u, 0x4f7fffffu, 0x4f800000u,
    0xcf000000u, 0x60ad78ecu, 0x4b800001u, 0x3eaaaaabu,
    // About halves: ties, the largest, the least.
    0x3f801000u, 0x3f803000u, 0x3f801001u, 0x477ff000u, 0x477fefffu, 0x33000000u, 0x33000001u,
    0x33c00000u, 0x387fe000u, 0x387ff000u, 0xb87fffffu};
static const uint32_t half_edges[] = {0, 0x8000u, 0x3c00u, 0xbc00u, 0x3800u, 0x4100u, 0xc100u,
    0x0001u, 0x83ffu, 0x0400u, 0x7c00u, 0xfc00u, 0x7e00u, 0x7bffu, 0xfbffu, 0x3555u, 0x3c01u,
    0x0200u, 0x6400u, 0x7800u, 0x1400u, 0x2e66u, 0x8001u, 0x53ffu};

struct row {
    enum ir_opcode opcode;
    type_id operands[OPERANDS];
    uint32_t operand_count;
    type_id result;
};

static type_id scalar_of(char letter) {
    return type_scalar(letter == 'B' ? TYPE_BOOL
            : letter == 'S'          ? TYPE_I32
            : letter == 'F'          ? TYPE_F32
                                     : TYPE_U32);
}

// The row's form for one element letter; false for operations that take no part.
static bool describe(enum ir_opcode opcode, char letter, struct row *row) {
    const struct ir_op_info *info = ir_op_get_info(opcode);
    type_id t = scalar_of(letter), u = type_scalar(TYPE_U32);
    if ((info->flags & IR_FLAG_POLYFILL) != 0) {
        return false;
    }
    *row = (struct row){.opcode = opcode, .operands = {t, t, t, t}, .result = t};
    switch (info->family) {
    case IR_FAMILY_UNARY:
        row->operand_count = 1;
        return true;
    case IR_FAMILY_BINARY:
        row->operand_count = 2;
        return true;
    case IR_FAMILY_TERNARY:
        row->operand_count = 3;
        return true;
    case IR_FAMILY_COMPARE:
        row->operand_count = 2;
        row->result = type_scalar(TYPE_BOOL);
        return true;
    case IR_FAMILY_SHIFT:
        row->operand_count = 2;
        row->operands[1] = u;
        return true;
    case IR_FAMILY_EXTRACT_BITS:
        row->operand_count = 3;
        row->operands[1] = row->operands[2] = u;
        return true;
    case IR_FAMILY_INSERT_BITS:
        row->operand_count = 4;
        row->operands[2] = row->operands[3] = u;
        return true;
    case IR_FAMILY_CONVERT:
        row->operand_count = 1;
        row->result = opcode == IR_F_TO_S ? type_scalar(TYPE_I32)
            : opcode == IR_F_TO_U         ? type_scalar(TYPE_U32)
                                          : type_scalar(TYPE_F32);
        return true;
    default:
        return false;
    }
}

static uint32_t edge_count(type_id type, uint32_t operand_count) {
    uint32_t count = type.index == TYPE_BOOL ? 2
        : type.index == TYPE_F16             ? sizeof half_edges / 4
        : type.index == TYPE_F32             ? sizeof float_edges / 4
                                             : sizeof integer_edges / 4;
    uint32_t most = operand_count == 3 ? 12 : operand_count == 4 ? 7 : 99;
    return count < most ? count : most;
}

static uint32_t edge(type_id type, uint32_t number) {
    return type.index == TYPE_BOOL ? number
        : type.index == TYPE_F16   ? half_edges[number]
        : type.index == TYPE_F32   ? float_edges[number]
                                   : integer_edges[number];
}

static ir_value load_operand(
    struct ir_builder *b, uint32_t variable, ir_value index, type_id type) {
    ir_value place = ir_builder_access(b, ir_builder_variable(b, variable), &index, 1);
    ir_value value = ir_builder_load(b, place);
    if (type.index == TYPE_BOOL) {
        return ir_builder_binary(b, IR_NE_I, value, ir_builder_u32(b, 0));
    }
    return value;
}

static type_id stored_type(type_id type) {
    return type.index == TYPE_BOOL ? type_scalar(TYPE_U32) : type;
}
static size_t stored_bytes(type_id type) {
    return type.index == TYPE_F16 ? 2 : 4;
}

// One workgroup an element (uniform operands), or one lane an element.
static struct ir_module *build(struct arena *arena, const struct row *row, bool is_uniform) {
    struct ir_module *module = ir_module_create(arena);
    for (uint32_t i = 0; i <= row->operand_count; i++) {
        type_id element = stored_type(i < row->operand_count ? row->operands[i] : row->result);
        struct ir_variable variable = {
            .space = SPACE_STORAGE,
            .access = i < row->operand_count ? ACCESS_READ : ACCESS_READ_WRITE,
            .type = type_array(&module->types, element, ARRAY_RUNTIME, 0),
            .has_binding = true,
            .binding = i,
        };
        CHECK(arena_vector_push(arena, &module->variables, variable));
    }
    uint32_t function = ir_function_create(
        module, TEXT_LITERAL("main"), type_scalar(TYPE_VOID), NULL, 0);
    struct ir_builder b = ir_builder_create(module, function);
    type_id vec3 = type_vector(&module->types, type_scalar(TYPE_U32), 3);
    ir_value id = ir_builder_op(
        &b, IR_LOAD_INPUT, NULL, 0, &vec3, 1, (union ir_op_data){.index = 0});
    ir_value index = ir_builder_extract(&b, id, 0);
    ir_value operands[OPERANDS];
    for (uint32_t i = 0; i < row->operand_count; i++) {
        operands[i] = load_operand(&b, i, index, row->operands[i]);
    }
    ir_value result = ir_builder_op(
        &b, row->opcode, operands, row->operand_count, &row->result, 1, (union ir_op_data){0});
    if (row->result.index == TYPE_BOOL) {
        result = ir_builder_select(&b, ir_builder_u32(&b, 0), ir_builder_u32(&b, 1), result);
    }
    ir_value place = ir_builder_access(&b, ir_builder_variable(&b, row->operand_count), &index, 1);
    ir_builder_store(&b, place, result);
    ir_builder_terminate(&b, IR_RETURN, NULL, 0);
    struct ir_interface *input = ARENA_NEW(arena, struct ir_interface);
    *input = (struct ir_interface){.is_builtin = true,
        .builtin = is_uniform ? BUILTIN_VALUE_WORKGROUP_ID : BUILTIN_VALUE_GLOBAL_INVOCATION_ID,
        .type = vec3};
    struct ir_entry_point entry = {.name = TEXT_LITERAL("main"),
        .stage = STAGE_COMPUTE,
        .function = function,
        .inputs = input,
        .input_count = 1,
        .workgroup_size = {is_uniform ? 1 : 64, 1, 1}};
    CHECK(arena_vector_push(arena, &module->entry_points, entry));
    CHECK(!module->has_failed);
    return module;
}

static uint32_t expected_bits(
    struct ir_module *module, const struct row *row, const uint32_t *bits) {
    const void *bytes[OPERANDS];
    ir_value none[OPERANDS] = {{0}};
    struct ir_op op = {.opcode = row->opcode,
        .operands = none,
        .operand_count = row->operand_count,
        .result_count = 1};
    uint32_t out = 0;
    for (uint32_t i = 0; i < row->operand_count; i++) {
        bytes[i] = &bits[i];
    }
    CHECK(ir_fold_op(&module->types, &op, row->result, row->operands, bytes, &out));
    return out;
}

static bool same(type_id type, uint32_t a, uint32_t b) {
    bool both_nan = type.index == TYPE_F32 && (a & 0x7fffffffu) > 0x7f800000u &&
        (b & 0x7fffffffu) > 0x7f800000u;
    both_nan = both_nan ||
        (type.index == TYPE_F16 && (a & 0x7fffu) > 0x7c00u && (b & 0x7fffu) > 0x7c00u);
    return a == b || both_nan;
}

static void compare(const struct row *row, const struct jit_options *options, bool is_uniform) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    struct arena arena;
    struct text_buffer error = {0};
    arena_init(&arena, MEMORY_TEST);
    struct ir_module *module = build(&arena, row, is_uniform);
    uint32_t total = 1, counts[OPERANDS] = {1, 1, 1, 1};
    for (uint32_t i = 0; i < row->operand_count; i++) {
        counts[i] = edge_count(row->operands[i], row->operand_count);
        total *= counts[i];
    }
    struct jit_buffer buffers[OPERANDS + 1];
    size_t sizes[OPERANDS + 1];
    for (uint32_t i = 0; i <= row->operand_count; i++) {
        sizes[i] = stored_bytes(i < row->operand_count ? row->operands[i] : row->result);
        buffers[i].size_bytes = sizes[i] * total;
        buffers[i].data = calloc(total, sizes[i]);
    }
    for (uint32_t n = 0; n < total; n++) {
        for (uint32_t i = 0, rest = n; i < row->operand_count; rest /= counts[i], i++) {
            uint32_t bits = edge(row->operands[i], rest % counts[i]);
            memcpy(buffers[i].data + sizes[i] * n, &bits, sizes[i]);
        }
    }
    const struct jit_kernel *kernel = jit->compile(module, 0, options, &error);
    CHECK(kernel != NULL);
    if (kernel == NULL) {
        fprintf(stderr, "    %s: %s\n", ir_op_get_info(row->opcode)->text, error.data);
    } else {
        atomic_uint cancel = 0;
        _Atomic uint64_t progress = 0;
        struct jit_dispatch dispatch = {.buffers = buffers,
            .num_workgroups = {is_uniform ? total : (total + 63) / 64, 1, 1},
            .cancel = &cancel};
        void *scratch = aligned_alloc(64, kernel->scratch_bytes);
        kernel->function(&dispatch, 0, dispatch.num_workgroups[0], scratch, &progress);
        CHECK_EQ(progress, dispatch.num_workgroups[0]);
        uint32_t wrong = 0;
        for (uint32_t n = 0; n < total && wrong < 3; n++) {
            uint32_t bits[OPERANDS] = {0}, got = 0;
            const size_t result_bytes = sizes[row->operand_count];
            for (uint32_t i = 0; i < row->operand_count; i++) {
                memcpy(&bits[i], buffers[i].data + sizes[i] * n, sizes[i]);
            }
            memcpy(&got, buffers[row->operand_count].data + result_bytes * n, result_bytes);
            uint32_t want = expected_bits(module, row, bits);
            if (!CHECK(same(row->result, got, want))) {
                wrong++;
                fprintf(stderr,
                    "    %s(%#x, %#x, %#x, %#x) gave %#x, expected %#x; %s width %u%s\n",
                    ir_op_get_info(row->opcode)->text, bits[0], bits[1], bits[2], bits[3], got,
                    want, jit_level_word(options->level), kernel->width,
                    is_uniform ? ", uniform" : "");
            }
        }
        jit->destroy(kernel);
        free(scratch);
    }
    for (uint32_t i = 0; i <= row->operand_count; i++) {
        free(buffers[i].data);
    }
    text_buffer_finish(&error);
    arena_finish(&arena);
}

// The row with f16 in place of f32: everywhere, of conversions on either side.
static uint32_t compare_halves(
    const struct row *row, const struct jit_options *options, bool is_uniform) {
    type_id half = type_scalar(TYPE_F16);
    struct row narrow = *row;
    bool is_conversion = ir_op_get_info(row->opcode)->family == IR_FAMILY_CONVERT;
    uint32_t rows = 0;
    if (is_conversion && row->result.index == TYPE_F32) {
        narrow.result = half;
        compare(&narrow, options, is_uniform);
        narrow.result = row->result;
        rows++;
    }
    bool has_any = false;
    for (uint32_t i = 0; i < row->operand_count; i++) {
        has_any = has_any || row->operands[i].index == TYPE_F32;
        narrow.operands[i] = row->operands[i].index == TYPE_F32 ? half : row->operands[i];
    }
    if (has_any) {
        narrow.result = row->result.index == TYPE_F32 && !is_conversion ? half : row->result;
        compare(&narrow, options, is_uniform);
        rows++;
    }
    return rows;
}

static void compare_all(enum jit_level level, uint32_t width, bool is_uniform) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    struct jit_options options = {.level = level, .width = width, .jam = 1, .poll_cancel = true};
    if (level > jit->native_level()) {
        CHECK(true);
        return;
    }
    uint32_t rows = 0;
    for (int opcode = 0; opcode < IR_OPCODE_COUNT; opcode++) {
        const char *letters = ir_op_get_info((enum ir_opcode)opcode)->elements;
        for (const char *letter = letters; *letter != 0; letter++) {
            // I stands for both integers, N for every number.
            const char *each = *letter == 'I' ? "SU" : *letter == 'N' ? "SUF" : NULL;
            char one[2] = {*letter, 0};
            for (const char *element = each != NULL ? each : one; *element != 0; element++) {
                struct row row;
                if (describe((enum ir_opcode)opcode, *element, &row)) {
                    compare(&row, &options, is_uniform);
                    rows += 1 + compare_halves(&row, &options, is_uniform);
                }
            }
        }
    }
    CHECK(rows > 100);
}

TEST(the_native_width) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    compare_all(jit->native_level(), 0, false);
}
TEST(uniform_operands_at_the_native_level) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    compare_all(jit->native_level(), 0, true);
}
TEST(sse42) {
    compare_all(JIT_LEVEL_SSE42, 0, false);
}
TEST(avx2_with_sixteen_lanes) {
    compare_all(JIT_LEVEL_AVX2, 16, false);
}
TEST(one_lane) {
    compare_all(JIT_LEVEL_SSE42, 1, false);
}

CHECK_MAIN(the_native_width, uniform_operands_at_the_native_level, sse42, avx2_with_sixteen_lanes,
    one_lane)
