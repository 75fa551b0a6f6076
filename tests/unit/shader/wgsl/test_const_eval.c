// SPDX-License-Identifier: MIT
//
// Const-evaluation: values by arithmetic done by hand or from the specification's examples, and the
// errors that it asks for: WGSL §Literals, §const Expressions, §Arithmetic, §Bit Expressions, §Numeric
// Built-in Functions, §Data Packing, §Floating Point Conversion.
#include "shader/wgsl/rule_rows.h"

// clang-format off
TEST(literals) {
    RULE_ROWS(
        {HOLDS("0x10 == 16 && 0X1p4 == 16.0 && 1e3 == 1000.0 && .5 == 0.5 && 5.f == 5 && 0x1.8p1 == 3.0"), NULL, NULL, NULL},
        {HOLDS("2147483647i > 0 && 4294967295u > 0 && 9223372036854775807 > 0"), "const a = 2147483648i;", "literal-out-of-range", "2147483648i"},
        {NULL, "const a = 4294967296u;", "literal-out-of-range", "4294967296u"},
        {NULL, "const a = 9223372036854775808;", "literal-out-of-range", "9223372036854775808"},
        {HOLDS("3.4028234e38f > 1"), "const a = 3.5e38f;", "literal-out-of-range", "3.5e38f"},
        {HOLDS("1e308 > 1"), "const a = 1e309;", "literal-out-of-range", "1e309"},
        {HOLDS("0x1.000002p0f > 1"), "const a = 0x1.00000001p0f;", "literal-out-of-range", "0x1.00000001p0f"},
        {HOLDS("1e-50 > 0 && 1e-50f == 0"), NULL, NULL, NULL},
        {HOLDS("0.1f == 0x1.99999ap-4f && 0.1 == 0x1.999999999999ap-4"), NULL, NULL, NULL});
}

TEST(integers) {
    RULE_ROWS(
        {HOLDS("-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1 && 7u / 2 == 3"), "const a = 1 / 0;", "division-by-zero", "1 / 0"},
        {HOLDS("2147483647i + 1i == -2147483648 && 0u - 1u == 4294967295 && 65536u * 65536u == 0"), "const a = 9223372036854775807 + 1;", "const-overflow", NULL},
        {HOLDS("-9223372036854775807 - 1 < 0"), "const a = -9223372036854775807 - 2;", "const-overflow", NULL},
        {HOLDS("3037000499 * 3037000499 == 9223372030926249001"), "const a = 3037000500 * 3037000500;", "const-overflow", NULL},
        {HOLDS("4294967296 * 2147483647 == 9223372032559808512"), "const a = 4294967296 * 2147483648;", "const-overflow", NULL},
        {NULL, "const a = -4294967296 * 2147483649;", "const-overflow", NULL},
        {NULL, "const a = 1i % 0i;", "division-by-zero", NULL},
        {NULL, "const a = -2147483648i / -1i;", "literal-out-of-range", NULL},
        {NULL, "const a = i32(-2147483648) / -1i;", "const-overflow", NULL},
        {NULL, "const a = vec2(1, 2) / vec2(1, 0);", "division-by-zero", NULL},
        {HOLDS("-(i32(-2147483648)) == i32(-2147483648)"), "fn f(x: i32) { let a = x / 0; }", "division-by-zero", NULL},
        {NULL, "fn f(x: vec2u) { let a = x % vec2(1, 0); }", "division-by-zero", NULL},
        {NULL, "fn f() { var x = 1; x /= 0; }", "division-by-zero", NULL},
        {HOLDS("true && !false && (true || 1 / 0 == 0) && !(false && 1 / 0 == 0)"), "const a = true && 1 / 0 == 0;", "division-by-zero", NULL});
}

TEST(shifts_and_bits) {
    RULE_ROWS(
        {HOLDS("1u << 31 == 0x80000000u && -8i >> 1 == -4 && 0xf0u >> 4 == 0xfu && 1 << 40 == 1099511627776"), "const a = 1u << 32;", "shift-amount", NULL},
        {HOLDS("1i << 30 == 1073741824 && -1i << 31 == i32(-2147483648)"), "const a = 1i << 31;", "shift-amount", NULL},
        {NULL, "const a = 3u << 31;", "shift-amount", NULL},
        {HOLDS("1 << 62 == 4611686018427387904"), "const a = 1 << 63;", "shift-amount", NULL},
        {NULL, "fn f(x: u32) { let a = x >> 32; }", "shift-amount", NULL},
        {NULL, "fn f() { var x = 1; x <<= 40; }", "shift-amount", NULL},
        {HOLDS("~0u == 4294967295 && ~5 == -6 && (6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5"), NULL, NULL, NULL});
}

TEST(floats) {
    RULE_ROWS(
        {HOLDS("0.1f + 0.2f == 0x1.333334p-2f && 1.0 / 3.0 == 0x1.5555555555555p-2"), "const a = 1.0 / 0.0;", "const-overflow", NULL},
        {HOLDS("16777216f + 1f == 16777216f && 5.5 % 2 == 1.5 && -5.5 % 2 == -1.5"), "const a = 3e38f * 2;", "const-overflow", NULL},
        {NULL, "const a = 0.0 / 0.0;", "const-overflow", NULL},
        {NULL, "const a = 1e308 * 10;", "const-overflow", NULL},
        {"enable f16; const_assert 2048h + 1h == 2048h && 1h / 3h == 0x1.554p-2h;", "enable f16; const a = 65504h + 65504h;", "const-overflow", NULL});
}

// The examples of §Floating Point Conversion among them.
TEST(conversions) {
    RULE_ROWS(
        {HOLDS("u32(3.9f) == 3 && u32(-1f) == 0 && u32(1e20f) == 4294967040 && i32(-3.9f) == -3 && i32(1e20f) == 2147483520 && i32(-1e20f) == i32(-2147483648)"), NULL, NULL, NULL},
        {HOLDS("i32(4294967295u) == -1 && u32(-1i) == 4294967295u && f32(true) == 1 && bool(0.5) && !bool(0u) && u32(2.0) == 2"), "const a = i32(5 * 1000 * 1000 * 1000);", "value-out-of-range", NULL},
        {HOLDS("f32(16777217) == 16777216 && f32(4294967295u) == 4294967296"), "const a = f32(1e39);", "value-out-of-range", NULL},
        {HOLDS("vec2<i32>(vec2(1.9, -1.9)).y == -1"), NULL, NULL, NULL});
}

TEST(numeric_builtins) {
    RULE_ROWS(
        {HOLDS("abs(-3) == 3 && abs(i32(-2147483648)) == i32(-2147483648) && abs(-1.5) == 1.5 && sign(-2.5) == -1 && sign(0) == 0"), NULL, NULL, NULL},
        {HOLDS("min(2, 1.5) == 1.5 && max(-1i, 1i) == 1 && clamp(7, 1, 5) == 5 && saturate(1.5) == 1 && saturate(-1.0) == 0"), "const a = clamp(1, 3, 2);", "builtin-domain", NULL},
        {NULL, "fn f(x: f32) { let a = clamp(x, 3, 2); }", "builtin-domain", NULL},
        {HOLDS("floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(2.5) == 2 && round(3.5) == 4 && round(-0.5) == 0 && fract(-1.25) == 0.75"), NULL, NULL, NULL},
        {HOLDS("sqrt(16) == 4 && inverseSqrt(4.0) == 0.5 && exp2(3.0) == 8 && log2(8.0) == 3 && pow(2, 10) == 1024 && exp(0.0) == 1 && log(1.0) == 0"), "const a = sqrt(-1.0);", "builtin-domain", NULL},
        {NULL, "const a = log(0.0);", "builtin-domain", NULL},
        {NULL, "const a = acos(1.5);", "builtin-domain", NULL},
        {NULL, "const a = inverseSqrt(0.0);", "builtin-domain", NULL},
        {NULL, "const a = pow(-1.0, 2.0);", "builtin-domain", NULL},
        {NULL, "const a = exp(100f);", "const-overflow", NULL},
        {HOLDS("abs(sin(0.5) * sin(0.5) + cos(0.5) * cos(0.5) - 1) < 1e-12 && abs(atan2(1.0, 1.0) - 0.78539816339) < 1e-9 && abs(degrees(3.14159265358979) - 180) < 1e-9"), NULL, NULL, NULL},
        {HOLDS("fma(2, 3, 4) == 10 && mix(1, 3, 0.5) == 2 && step(1, 2) == 1 && step(2, 1) == 0 && smoothstep(0, 2, 1) == 0.5"), "const a = smoothstep(1.0, 1.0, 0.0);", "builtin-domain", NULL},
        {HOLDS("ldexp(0.75, 4) == 12 && frexp(12.0).exp == 4 && frexp(12.0).fract == 0.75 && modf(-1.25).fract == -0.25 && modf(-1.25).whole == -1"), "const a = ldexp(1f, 129);", "builtin-domain", NULL},
        {"const r = frexp(vec2(12.0, 1.0)); fn f() -> i32 { let x = r; return x.exp.y; }", NULL, NULL, NULL},
        {HOLDS("quantizeToF16(1.0001f) == 1 && quantizeToF16(65504f) == 65504"), "const a = quantizeToF16(65520f);", "value-out-of-range", NULL});
}

TEST(bit_builtins) {
    RULE_ROWS(
        {HOLDS("countLeadingZeros(1u) == 31 && countTrailingZeros(8i) == 3 && countOneBits(0xffu) == 8 && countLeadingZeros(0u) == 32 && reverseBits(1u) == 0x80000000u"), NULL, NULL, NULL},
        {HOLDS("firstLeadingBit(8u) == 3 && firstLeadingBit(-1i) == -1 && firstLeadingBit(-2i) == 0 && firstTrailingBit(12i) == 2 && firstTrailingBit(0u) == 0xffffffffu"), NULL, NULL, NULL},
        {HOLDS("extractBits(0xabcdu, 4, 8) == 0xbcu && extractBits(-1i, 4, 4) == -1 && insertBits(0u, 0xfu, 4, 2) == 0x30u && extractBits(7u, 0, 0) == 0 && extractBits(7u, 32, 0) == 0"), "const a = extractBits(1u, 30, 3);", "builtin-domain", NULL},
        {NULL, "fn f(x: u32) { let a = insertBits(x, x, 20, 13); }", "builtin-domain", NULL});
}

TEST(vectors_and_matrices) {
    RULE_ROWS(
        {HOLDS("dot(vec3(1, 2, 3), vec3(4, 5, 6)) == 32 && length(vec2(3.0, 4.0)) == 5 && distance(vec2(1.0, 1.0), vec2(4.0, 5.0)) == 5 && length(-3.0) == 3"), NULL, NULL, NULL},
        {HOLDS("all(cross(vec3(1.0, 0, 0), vec3(0, 1.0, 0)) == vec3(0, 0, 1.0)) && all(normalize(vec2(0.0, 5.0)) == vec2(0.0, 1.0))"), "const a = normalize(vec2(0.0, 0.0));", "builtin-domain", NULL},
        {HOLDS("all(reflect(vec2(1.0, -1.0), vec2(0.0, 1.0)) == vec2(1.0, 1.0)) && all(faceForward(vec2(1.0, 2.0), vec2(1.0, 0.0), vec2(1.0, 0.0)) == vec2(-1.0, -2.0))"), NULL, NULL, NULL},
        {HOLDS("determinant(mat2x2(1, 2, 3, 4)) == -2 && determinant(mat3x3(1, 2, 3, 0, 1, 4, 5, 6, 0)) == 1 && determinant(mat4x4(2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 5)) == 120"), NULL, NULL, NULL},
        {HOLDS("all(mat2x3(1, 2, 3, 4, 5, 6) * vec2(1, 10) == vec3(41, 52, 63)) && all(vec3(1, 10, 100) * mat2x3(1, 2, 3, 4, 5, 6) == vec2(321, 654))"), NULL, NULL, NULL},
        {HOLDS("(mat2x2(1, 2, 3, 4) * mat2x2(5, 6, 7, 8))[0].x == 23 && (mat2x2(1, 2, 3, 4) * mat2x2(5, 6, 7, 8))[1].y == 46 && transpose(mat2x3(1, 2, 3, 4, 5, 6))[2].y == 6"), NULL, NULL, NULL},
        {HOLDS("(mat2x2(1, 2, 3, 4) * 2)[1].x == 6 && (mat2x2(1, 2, 3, 4) - mat2x2(1, 1, 1, 1))[0].y == 1"), NULL, NULL, NULL},
        {HOLDS("any(vec2(false, true)) && !all(vec2(false, true)) && all(select(vec2(1, 2), vec2(3, 4), vec2(true, false)) == vec2(3, 2))"), NULL, NULL, NULL},
        {HOLDS("vec4(1, 2, 3, 4).wzyx.y == 3 && array(5, 6, 7)[1] == 6 && array(vec2(1, 2), vec2(3, 4))[1].x == 3"), NULL, NULL, NULL});
}

TEST(packing) {
    RULE_ROWS(
        {HOLDS("pack4x8unorm(vec4f(0, 0.5, 1, 2)) == 0xffff8000u && pack4x8snorm(vec4f(-1, 0, 1, -2)) == 0x817f0081u"), NULL, NULL, NULL},
        {HOLDS("pack2x16unorm(vec2f(1, 0)) == 0x0000ffffu && pack2x16snorm(vec2f(-1, 1)) == 0x7fff8001u && pack2x16float(vec2f(1, -2)) == 0xc0003c00u"), "const a = pack2x16float(vec2f(1e6, 0));", "value-out-of-range", NULL},
        {HOLDS("pack4xI8(vec4(-1, 1, 127, -128)) == 0x807f01ffu && pack4xU8Clamp(vec4(300u, 1, 2, 3)) == 0x030201ffu && pack4xI8Clamp(vec4(-300, 300, 0, 1)) == 0x01007f80u"), NULL, NULL, NULL},
        {HOLDS("unpack4x8unorm(0xff000000u).w == 1 && unpack4x8snorm(0x80u).x == -1 && unpack2x16float(0xc0003c00u).y == -2 && unpack4xI8(0xffu).x == -1 && unpack4xU8(0xff00u).y == 255"), NULL, NULL, NULL},
        {HOLDS("dot4U8Packed(0x01020304u, 0x01010101u) == 10 && dot4I8Packed(0xff000001u, 0x02000003u) == 1"), NULL, NULL, NULL},
        {HOLDS("bitcast<u32>(1f) == 0x3f800000u && bitcast<f32>(0x40490fdbu) == 0x1.921fb6p1f && all(bitcast<vec2u>(vec2(-1i, 1i)) == vec2(4294967295u, 1u))"), "const a = bitcast<f32>(0x7f800000u);", "const-overflow", NULL},
        {"enable f16; const_assert bitcast<u32>(vec2h(1, 2)) == 0x40003c00u;", NULL, NULL, NULL});
}

// Zero values have no parts; shared parts are not copied.
TEST(large_values) {
    struct rule_outcome outcome;
    rule_begin(&outcome, "const a = array<array<i32, 60000>, 15000>(); const b = array(a, a); const c = b[1][14999][59999]; const_assert c == 0;"
                         "const d0 = array(1, 2, 3, 4, 5, 6, 7, 8, 9, 10); const d1 = array(d0, d0, d0, d0, d0, d0, d0, d0, d0, d0); const d2 = array(d1, d1, d1, d1, d1, d1, d1, d1, d1, d1);"
                         "const d3 = array(d2, d2, d2, d2, d2, d2, d2, d2, d2, d2); const d4 = array(d3, d3, d3, d3, d3, d3, d3, d3, d3, d3); const d5 = array(d4, d4, d4, d4, d4, d4, d4, d4, d4, d4);"
                         "const d6 = array(d5, d5, d5, d5, d5, d5, d5, d5, d5, d5); const_assert d6[1][2][3][4][5][6][7] == 8; fn f(i: i32) -> i32 { return d6[i][0][0][0][0][0][9]; }");
    if (!CHECK_EQ(outcome.diagnostics.error_count, 1)) { // only: b is 7.2 GB
        rule_print(&outcome, "large values");
    } else {
        CHECK_STR(diagnostic_code_id(rule_first_error(&outcome)->code), "type-too-large");
    }
    CHECK(outcome.arena.used_bytes < 1000000);
    rule_finish(&outcome);
}
// clang-format on

CHECK_MAIN(literals, integers, shifts_and_bits, floats, conversions, numeric_builtins, bit_builtins,
    vectors_and_matrices, packing, large_values)
