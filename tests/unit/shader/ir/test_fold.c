// SPDX-License-Identifier: MIT
//
// Folded values against numbers from the WGSL specification and from arithmetic done by hand. Each
// row is one operation in the text form and the constant that it must give.
#include "ir_test.h"
#include "shader/ir/fold_math.h"
#include "shader/ir/ir_fold.h"

struct row {
    const char *expression; // "name operands [data]"
    const char *result;     // a constant
};

// The bytes of the operation's result, folded; false when it cannot be folded.
static bool fold_first(const struct ir_module *module, unsigned char *out) {
    const struct ir_function *function = &module->functions.items[0];
    const struct ir_op *op = ir_op_get(function, ir_region_get(function, function->body)->first);
    type_id types[8] = {{0}};
    const void *bytes[8] = {NULL};
    for (uint32_t i = 0; i < op->operand_count && i < 8; i++) {
        const struct ir_value_info *info = ir_value_get(function, op->operands[i]);
        types[i] = info->type;
        bytes[i] = module->constants.items[info->definition].bytes;
    }
    return ir_fold_op(
        &module->types, op, ir_value_type(function, op->first_result), types, bytes, out);
}

static void check_rows(const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *end = strchr(rows[i].result, '(');
        struct text_buffer source = {0};
        text_buffer_print(&source,
            "function #0 () -> void {\n%%1 = %s : %.*s\n%%2 = construct %s : "
            "array<%.*s, 1>\nreturn\n}\n",
            rows[i].expression, (int)(end - rows[i].result), rows[i].result, rows[i].result,
            (int)(end - rows[i].result), rows[i].result);
        struct ir_test test = ir_test_read(source.data);
        unsigned char folded[512] = {0};
        if (!CHECK(ir_test_is_valid(&test)) || !CHECK(fold_first(test.module, folded))) {
            fprintf(stderr, "    %s\n", rows[i].expression);
        } else {
            const struct ir_function *function = &test.module->functions.items[0];
            const struct ir_op *op = ir_op_get(
                function, ir_region_get(function, function->body)->first);
            const struct ir_op *next = ir_op_get(function, op->next);
            const struct ir_value_info *info = ir_value_get(function, next->operands[0]);
            size_t size_bytes = (size_t)type_get(&test.module->types, info->type)->size_bytes;
            if (!CHECK_BYTES(
                    folded, test.module->constants.items[info->definition].bytes, size_bytes)) {
                fprintf(stderr, "    %s is not %s\n", rows[i].expression, rows[i].result);
            }
        }
        ir_test_finish(&test);
        text_buffer_finish(&source);
    }
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(rows[0]))

TEST(integers) {
    static const struct row rows[] = {
        {"add.i i32(2147483647), i32(1)", "i32(-2147483648)"},
        {"sub.i u32(0), u32(1)", "u32(4294967295)"},
        {"mul.i i32(65536), i32(65536)", "i32(0)"},
        {"mul.i vec2<i32>(-3, 7), vec2<i32>(5, -7)", "vec2<i32>(-15, -49)"},
        {"neg.i i32(-2147483648)", "i32(-2147483648)"},
        {"div.s i32(-7), i32(2)", "i32(-3)"},
        {"div.s i32(-7), i32(0)", "i32(-7)"},
        {"div.s i32(-2147483648), i32(-1)", "i32(-2147483648)"},
        {"rem.s i32(-7), i32(2)", "i32(-1)"},
        {"rem.s i32(7), i32(0)", "i32(0)"},
        {"rem.s i32(-2147483648), i32(-1)", "i32(0)"},
        {"div.u u32(7), u32(0)", "u32(7)"},
        {"rem.u u32(4294967295), u32(10)", "u32(5)"},
        {"rem.u u32(7), u32(0)", "u32(0)"},
        {"and i32(12), i32(10)", "i32(8)"},
        {"or bool(false), bool(true)", "bool(true)"},
        {"xor vec2<bool>(true, true), vec2<bool>(true, false)", "vec2<bool>(false, true)"},
        {"not u32(0)", "u32(4294967295)"},
        {"not bool(true)", "bool(false)"},
        {"not i32(5)", "i32(-6)"},
        {"shl i32(1), u32(33)", "i32(2)"},
        {"shr.s i32(-8), u32(1)", "i32(-4)"},
        {"shr.s vec2<i32>(-1, 5), vec2<u32>(31, 32)", "vec2<i32>(-1, 5)"},
        {"shr.u u32(2147483648), u32(31)", "u32(1)"},
        {"eq.i bool(true), bool(true)", "bool(true)"},
        {"lt.s i32(-1), i32(0)", "bool(true)"},
        {"lt.u u32(4294967295), u32(0)", "bool(false)"},
        {"ge.s vec3<i32>(1, 2, 3), vec3<i32>(2, 2, 2)", "vec3<bool>(false, true, true)"},
        {"min.s i32(-1), i32(1)", "i32(-1)"},
        {"max.u u32(4294967295), u32(1)", "u32(4294967295)"},
        {"clamp.s i32(5), i32(7), i32(6)", "i32(6)"},
        {"clamp.u u32(5), u32(0), u32(3)", "u32(3)"},
        {"abs.s i32(-2147483648)", "i32(-2147483648)"},
        {"sign.s vec3<i32>(-9, 0, 9)", "vec3<i32>(-1, 0, 1)"},
        {"clz u32(0)", "u32(32)"},
        {"clz i32(1)", "i32(31)"},
        {"ctz u32(0)", "u32(32)"},
        {"ctz u32(40)", "u32(3)"},
        {"popcount i32(-1)", "i32(32)"},
        {"bitrev u32(1)", "u32(2147483648)"},
        {"bitrev u32(19088743)", "u32(3869426816)"}, // 0x01234567 -> 0xe6a2c480
        {"first_leading_bit.s i32(-1)", "i32(-1)"},
        {"first_leading_bit.s i32(-2)", "i32(0)"},
        {"first_leading_bit.s i32(0)", "i32(-1)"},
        {"first_leading_bit.u u32(0)", "u32(4294967295)"},
        {"first_leading_bit.u u32(2147483648)", "u32(31)"},
        {"first_trailing_bit u32(0)", "u32(4294967295)"},
        {"first_trailing_bit i32(-8)", "i32(3)"},
        {"extract_bits.s i32(240), u32(4), u32(4)", "i32(-1)"},
        {"extract_bits.u u32(240), u32(4), u32(4)", "u32(15)"},
        {"extract_bits.u u32(4294967295), u32(30), u32(9)", "u32(3)"},
        {"extract_bits.s i32(-1), u32(40), u32(9)", "i32(0)"},
        {"extract_bits.u vec2<u32>(7, 3735928559), u32(0), u32(32)", "vec2<u32>(7, 3735928559)"},
        {"insert_bits u32(0), u32(4294967295), u32(4), u32(8)", "u32(4080)"},
        {"insert_bits i32(-1), i32(0), u32(28), u32(99)", "i32(268435455)"},
        {"insert_bits i32(5), i32(9), u32(32), u32(1)", "i32(5)"},
    };
    CHECK_ROWS(rows);
}

TEST(floats) {
    static const struct row rows[] = {
        {"add.f f32(16777216), f32(1)", "f32(16777216)"},
        {"mul.f f32(0x1), f32(0.5)", "f32(0)"},   // the least subnormal, ties to even
        {"mul.f f32(0x3), f32(0.5)", "f32(0x2)"}, // 1.5 units: ties to even
        {"div.f f32(1), f32(-0)", "f32(0xff800000)"},
        {"rem.f f32(-5.5), f32(2)", "f32(-1.5)"},
        {"rem.f f32(5.5), f32(-2)", "f32(1.5)"},
        {"neg.f f32(0)", "f32(-0)"},
        {"eq.f f32(0), f32(-0)", "bool(true)"},
        {"ne.f f32(0x7fc00000), f32(0x7fc00000)", "bool(true)"},
        {"lt.f f32(0x7fc00000), f32(1)", "bool(false)"},
        {"min.f f32(2), f32(-3)", "f32(-3)"},
        {"max.f f32(2), f32(0x7fc00000)", "f32(2)"},
        {"clamp.f f32(7), f32(0), f32(5)", "f32(5)"},
        {"abs.f f32(-0)", "f32(0)"},
        {"sign.f vec3<f32>(-4, 0, 4)", "vec3<f32>(-1, 0, 1)"},
        {"floor f32(-1.5)", "f32(-2)"},
        {"ceil f32(-1.5)", "f32(-1)"},
        {"trunc f32(-1.5)", "f32(-1)"},
        {"round vec4<f32>(0.5, 1.5, 2.5, -0.5)", "vec4<f32>(0, 2, 2, -0)"},
        {"fract f32(-1.25)", "f32(0.75)"},
        {"sqrt f32(2)", "f32(0x3fb504f3)"},
        {"inverse_sqrt f32(4)", "f32(0.5)"},
        // (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24 exactly; two roundings would lose the last term.
        {"fma f32(0x3f800800), f32(0x3f800800), f32(-1)", "f32(0x3a000400)"},
        // The product is 2^-24 (1 - 2^-46), just under half a unit of 1 + 2^-23: rounding to double
        // first would make a tie of it and go up.
        {"fma f32(0x39800001), f32(0x397ffffe), f32(0x3f800001)", "f32(0x3f800001)"},
        {"exp f32(0)", "f32(1)"},
        {"exp2 f32(-3)", "f32(0.125)"},
        {"log f32(1)", "f32(0)"},
        {"log2 f32(0.25)", "f32(-2)"},
        {"pow f32(2), f32(10)", "f32(1024)"},
        {"sin f32(1)", "f32(0x3f576aa4)"},            // 0.84147098...
        {"atan2 f32(1), f32(-1)", "f32(0x4016cbe4)"}, // 3 pi / 4
        {"step f32(2), f32(2)", "f32(1)"},
        {"smoothstep f32(0), f32(2), f32(1)", "f32(0.5)"},
        {"mix f32(2), f32(4), f32(0.25)", "f32(2.5)"},
        {"degrees f32(3.14159274)", "f32(180)"},
        {"radians f32(180)", "f32(3.14159274)"},
        {"saturate f32(-1)", "f32(0)"},
        {"ldexp f32(0.75), i32(3)", "f32(6)"},
        {"ldexp f32(1), i32(-149)", "f32(0x1)"},
        {"ldexp f32(1), i32(2147483647)", "f32(0x7f800000)"},
        {"quantize_f16 f32(1.0001)", "f32(1)"},
        {"quantize_f16 f32(65519)", "f32(65504)"},
        {"quantize_f16 f32(65520)", "f32(0x7f800000)"},
        {"quantize_f16 f32(5.9604645e-08)", "f32(5.9604645e-08)"},
        {"frexp.fract f32(-6)", "f32(-0.75)"},
        {"frexp.exp f32(-6)", "i32(3)"},
        {"frexp.exp f32(0)", "i32(0)"},
        {"modf.fract f32(-1.25)", "f32(-0.25)"},
        {"add.f f16(2048), f16(1)", "f16(2048)"},
        {"mul.f f16(300), f16(300)", "f16(0x7c00)"},
        {"div.f f16(1), f16(3)", "f16(0x3555)"},
        {"lt.f f16(1), f16(2)", "bool(true)"},
    };
    CHECK_ROWS(rows);
}

TEST(conversions) {
    static const struct row rows[] = {
        {"f_to_s f32(1e20)", "i32(2147483520)"},
        {"f_to_s f32(-1e20)", "i32(-2147483648)"},
        {"f_to_s f32(-1.9)", "i32(-1)"},
        {"f_to_s f32(0x7fc00000)", "i32(0)"},
        {"f_to_u f32(-3)", "u32(0)"},
        {"f_to_u f32(1e20)", "u32(4294967040)"},
        {"f_to_u f32(3.99)", "u32(3)"},
        {"f_to_s f16(0x7c00)", "i32(65504)"},
        {"f_to_u f16(0xfc00)", "u32(0)"},
        {"s_to_f i32(-16777217)", "f32(-16777216)"},
        {"u_to_f u32(4294967295)", "f32(4294967296)"},
        {"u_to_f u32(65520)", "f16(0x7c00)"},
        {"s_to_f vec2<i32>(-1, 2)", "vec2<f16>(-1, 2)"},
        {"f_to_f f16(0x0001)", "f32(5.9604645e-08)"},
        {"f_to_f f32(0.333333343)", "f16(0x3555)"},
        {"bitcast f32(1)", "u32(1065353216)"},
        {"bitcast vec2<u32>(4294967295, 0)", "vec2<i32>(-1, 0)"},
        {"bitcast u32(1006632960)", "vec2<f16>(0, 1)"},
    };
    CHECK_ROWS(rows);
}

TEST(composites) {
    static const struct row rows[] = {
        {"construct f32(1), f32(2), f32(3)", "vec3<f32>(1, 2, 3)"},
        {"construct vec3<f32>(1, 2, 3), vec3<f32>(4, 5, 6)", "mat2x3<f32>((1, 2, 3), (4, 5, 6))"},
        {"construct vec3<f32>(1, 2, 3), vec3<f32>(4, 5, 6)",
            "array<vec3<f32>, 2>((1, 2, 3), (4, 5, 6))"},
        {"splat bool(true)", "vec4<bool>(true, true, true, true)"},
        {"extract vec3<i32>(1, 2, 3) [1]", "i32(2)"},
        {"extract mat2x3<f32>((1, 2, 3), (4, 5, 6)) [1]", "vec3<f32>(4, 5, 6)"},
        {"extract_dynamic array<u32, 3>(7, 8, 9), i32(2)", "u32(9)"},
        {"extract_dynamic array<u32, 3>(7, 8, 9), i32(-1)", "u32(0)"},
        {"extract_dynamic vec2<f32>(7, 8), u32(2)", "f32(0)"},
        {"insert vec3<i32>(1, 2, 3), i32(9) [2]", "vec3<i32>(1, 2, 9)"},
        {"insert_dynamic vec3<i32>(1, 2, 3), i32(9), i32(0)", "vec3<i32>(9, 2, 3)"},
        {"insert_dynamic vec3<i32>(1, 2, 3), i32(9), i32(3)", "vec3<i32>(1, 2, 3)"},
        {"insert_dynamic vec3<i32>(1, 2, 3), i32(9), i32(-1)", "vec3<i32>(1, 2, 3)"},
        {"swizzle vec3<f32>(1, 2, 3) [2 2 0 1]", "vec4<f32>(3, 3, 1, 2)"},
        {"swizzle vec3<f32>(1, 2, 3) [1]", "f32(2)"},
        {"select i32(1), i32(2), bool(true)", "i32(2)"},
        {"select vec2<i32>(1, 2), vec2<i32>(3, 4), vec2<bool>(false, true)", "vec2<i32>(1, 4)"},
        {"select vec2<i32>(1, 2), vec2<i32>(3, 4), bool(false)", "vec2<i32>(1, 2)"},
        {"all vec3<bool>(true, true, false)", "bool(false)"},
        {"any vec3<bool>(false, true, false)", "bool(true)"},
        {"all bool(true)", "bool(true)"},
    };
    CHECK_ROWS(rows);
}

TEST(packing) {
    static const struct row rows[] = {
        {"pack4x8snorm vec4<f32>(1, -1, 0, 2)", "u32(2130739583)"},       // 0x7f00817f
        {"pack4x8unorm vec4<f32>(1, 0, 0.5, -3)", "u32(8388863)"},        // 0x008000ff
        {"pack2x16snorm vec2<f32>(-1, 1)", "u32(2147450881)"},            // 0x7fff8001
        {"pack2x16unorm vec2<f32>(1, 0.5)", "u32(2147549183)"},           // 0x8000ffff
        {"pack2x16float vec2<f32>(1, -2)", "u32(3221240832)"},            // 0xc0003c00
        {"pack4xI8 vec4<i32>(-1, 128, 1, 300)", "u32(738296063)"},        // 0x2c0180ff
        {"pack4xU8 vec4<u32>(255, 256, 1, 300)", "u32(738263295)"},       // 0x2c0100ff
        {"pack4xI8Clamp vec4<i32>(-200, 200, 1, -1)", "u32(4278288256)"}, // 0xff017f80
        {"pack4xU8Clamp vec4<u32>(255, 256, 1, 300)", "u32(4278321151)"}, // 0xff01ffff
        {"unpack4x8snorm u32(2130739583)", "vec4<f32>(1, -1, 0, 1)"},
        {"unpack4x8snorm u32(128)", "vec4<f32>(-1, 0, 0, 0)"},
        {"unpack4x8unorm u32(4278190335)", "vec4<f32>(1, 0, 0, 1)"},
        {"unpack2x16snorm u32(2147450881)", "vec2<f32>(-1, 1)"},
        {"unpack2x16unorm u32(65535)", "vec2<f32>(1, 0)"},
        {"unpack2x16float u32(3221240832)", "vec2<f32>(1, -2)"},
        {"unpack4xI8 u32(738296063)", "vec4<i32>(-1, -128, 1, 44)"},
        {"unpack4xU8 u32(738296063)", "vec4<u32>(255, 128, 1, 44)"},
        {"dot4I8Packed u32(738296063), u32(16909060)", "i32(-342)"}, // -1*4 - 128*3 + 1*2 + 44*1
        {"dot4U8Packed u32(738296063), u32(16909060)", "u32(1450)"},
    };
    CHECK_ROWS(rows);
}

TEST(vectors_and_matrices) {
    static const struct row rows[] = {
        {"dot.f vec3<f32>(1, 2, 3), vec3<f32>(4, 5, 6)", "f32(32)"},
        {"dot.i vec2<i32>(-1, 2), vec2<i32>(3, 4)", "i32(5)"},
        {"cross vec3<f32>(1, 2, 3), vec3<f32>(4, 5, 6)", "vec3<f32>(-3, 6, -3)"},
        {"length vec2<f32>(3, 4)", "f32(5)"},
        {"length f32(-3)", "f32(3)"},
        {"distance vec2<f32>(1, 1), vec2<f32>(4, 5)", "f32(5)"},
        {"distance f32(1), f32(4)", "f32(3)"},
        {"normalize vec2<f32>(0, 4)", "vec2<f32>(0, 1)"},
        {"face_forward vec2<f32>(1, 2), vec2<f32>(1, 0), vec2<f32>(-1, 0)", "vec2<f32>(1, 2)"},
        {"face_forward vec2<f32>(1, 2), vec2<f32>(1, 0), vec2<f32>(1, 0)", "vec2<f32>(-1, -2)"},
        {"reflect vec2<f32>(1, -1), vec2<f32>(0, 1)", "vec2<f32>(1, 1)"},
        {"refract vec2<f32>(0, -1), vec2<f32>(0, 1), f32(0.5)", "vec2<f32>(0, -1)"},
        {"refract vec2<f32>(1, 0), vec2<f32>(0, 1), f32(2)", "vec2<f32>(0, 0)"},
        {"determinant mat2x2<f32>((1, 2), (3, 4))", "f32(-2)"},
        {"determinant mat3x3<f32>((2, 0, 1), (1, 3, 2), (1, 1, 4))", "f32(18)"},
        {"determinant mat4x4<f32>((1, 0, 2, -1), (3, 0, 0, 5), (2, 1, 4, -3), (1, 0, 5, 0))",
            "f32(30)"},
        {"transpose mat2x3<f32>((1, 2, 3), (4, 5, 6))", "mat3x2<f32>((1, 4), (2, 5), (3, 6))"},
        {"mat_mul_vec mat2x3<f32>((1, 2, 3), (4, 5, 6)), vec2<f32>(1, 10)",
            "vec3<f32>(41, 52, 63)"},
        {"vec_mul_mat vec3<f32>(1, 10, 100), mat2x3<f32>((1, 2, 3), (4, 5, 6))",
            "vec2<f32>(321, 654)"},
        {"mat_mul_mat mat2x2<f32>((1, 2), (3, 4)), mat2x2<f32>((5, 6), (7, 8))",
            "mat2x2<f32>((23, 34), (31, 46))"},
        {"dot.f vec2<f16>(2048, 1), vec2<f16>(1, 1)", "f16(2048)"},
    };
    CHECK_ROWS(rows);
}

TEST(half_conversion_is_exact_both_ways) {
    uint32_t wrong = 0;
    for (uint32_t bits = 0; bits < 0x10000u; bits++) {
        float wide = fold_half_to_float((uint16_t)bits);
        bool is_nan = (bits & 0x7fffu) > 0x7c00u;
        wrong += is_nan ? !isnan(wide) : fold_float_to_half(wide) != bits;
        uint32_t magnitude = bits & 0x7fffu;
        if (magnitude < 0x7c00u) {
            // From the definition: fraction times a power of two.
            double expected = magnitude < 0x400u
                ? magnitude * 0x1p-24
                : ldexp(1024.0 + (magnitude & 0x3ffu), (int)(magnitude >> 10) - 25);
            wrong += fabs((double)wide) != expected;
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(fold_float_to_half(1.00048828125f), 0x3c00); // half a unit: ties to even
    CHECK_EQ(fold_float_to_half(1.00146484375f), 0x3c02);
    CHECK_EQ(fold_float_to_half(0x1p-25f), 0);
    CHECK_EQ(fold_float_to_half(0x1.8p-25f), 1);
}

TEST(what_needs_memory_is_not_folded) {
    struct ir_test test = ir_test_read("function #0 () -> void {\n"
                                       "%1 = var : ptr<function, u32, read_write>\nreturn\n}\n");
    unsigned char out[16];
    if (CHECK(ir_test_is_valid(&test))) {
        CHECK(!fold_first(test.module, out));
    }
    ir_test_finish(&test);
}

CHECK_MAIN(integers, floats, conversions, composites, packing, vectors_and_matrices,
    half_conversion_is_exact_both_ways, what_needs_memory_is_not_folded)
