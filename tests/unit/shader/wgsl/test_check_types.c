// SPDX-License-Identifier: MIT
//
// Types, constructors and conversions: WGSL §Types, §Constructor Built-in Functions, §Conversion Rank,
// §Overload Resolution.
#include "shader/wgsl/rule_rows.h"

// clang-format off
TEST(plain_types) {
    RULE_ROWS(
        {"var<private> a: vec4<bool>;", "var<private> a: vec2<vec2<f32>>;", "invalid-element-type", "vec2<f32>"},
        {"var<private> a: mat3x2<f32>;", "var<private> a: mat2x2<i32>;", "invalid-element-type", "i32"},
        {"var<workgroup> a: atomic<i32>;", "var<workgroup> a: atomic<f32>;", "invalid-element-type", "f32"},
        {"var<private> a: array<array<i32, 2>, 3u>;", "var<private> a: array<i32, 0>;", "array-count", "0"},
        {NULL, "var<private> a: array<i32, -1>;", "array-count", "-1"},
        {NULL, "var<private> a: array<i32, 1.5>;", "array-count", "1.5"},
        {"const n = 3; var<private> a: array<i32, n + 1>; fn f() -> array<i32, 4u> { return a; }", "var<private> n = 3; var<private> a: array<i32, n>;", "not-override-expression", "n"},
        {"var<private> a: array<i32, 1000>;", "const a = array<i32, 2000000000>();", "type-too-large", NULL},
        {"struct S { a: array<i32> } @group(0) @binding(0) var<storage> s: S;", "struct S { a: array<i32>, b: i32 }", "runtime-sized-array", "array<i32>"},
        {NULL, "struct S { a: array<i32> } struct T { s: S }", "runtime-sized-array", "S"},
        {NULL, "var<private> a: array<sampler, 2>;", "invalid-element-type", "sampler"},
        {NULL, "struct S { t: texture_2d<f32> }", "invalid-element-type", "texture_2d<f32>"},
        {NULL, "struct S { p: ptr<function, i32> }", "invalid-element-type", "ptr<function, i32>"},
        {NULL, "@group(0) @binding(0) var t: texture_2d<bool>;", "invalid-element-type", "bool"},
        {"@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;", "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, storage>;", "template-arguments", "storage"},
        {"override n = 4; var<workgroup> w: array<i32, n>;", "override n = 4; var<workgroup> w: array<array<i32, n>, 2>;", "override-sized-array", "array<i32, n>"},
        {NULL, "override n = 4; var<private> w: array<i32, n>;", "override-sized-array", "array<i32, n>"},
        {NULL, "override n = 4; struct S { a: array<i32, n> }", "override-sized-array", "array<i32, n>"});
}

TEST(nesting) {
    RULE_ROWS(
        {"var<private> a: array<array<array<array<array<array<array<array<array<array<array<array<array<array<vec2f,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>;",
         "var<private> a: array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<vec2f,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>,1>;",
         "limit-exceeded", NULL});
}

// Two arrays sized by the same override are one type; any other expression is a type of its own.
TEST(override_array_types) {
    RULE_ROWS(
        {"override n = 4; var<workgroup> a: array<i32, n>; var<workgroup> b: array<i32, n>; fn g(p: ptr<workgroup, array<i32, n>>) {} fn f() { g(&a); g(&b); }",
         "override n = 4; var<workgroup> a: array<i32, (n)>; fn g(p: ptr<workgroup, array<i32, n>>) {} fn f() { g(&a); }", "type-mismatch", "&a"},
        {NULL, "override n = 4; var<workgroup> a: array<i32, 4>; fn g(p: ptr<workgroup, array<i32, n>>) {} fn f() { g(&a); }", "type-mismatch", "&a"});
}

TEST(constructors) {
    RULE_ROWS(
        {BODY("let a = vec3f(1, vec2(2, 3)); let b = vec4(a, 1); let c = vec2<u32>(vec2f(1.5)); let d = vec3(1u);"), BODY("let a = vec3f(1, 2);"), "no-matching-overload", "vec3f(1, 2)"},
        {NULL, BODY("let a = vec2f(1, 2, 3);"), "no-matching-overload", NULL},
        {NULL, BODY("let x = 1i; let a = vec2f(x, 1);"), "no-matching-overload", NULL},
        {NULL, BODY("let a = vec2(1i, 1u);"), "no-matching-overload", NULL},
        {NULL, BODY("let a = vec2(true, 1);"), "no-matching-overload", NULL},
        {BODY("let a = mat2x3(1, 2, 3, 4, 5, 6); let b = mat2x3<f32>(vec3f(), vec3f()); let c = mat2x3f(b);"), BODY("let a = mat2x3f(1, 2, 3, 4, 5);"), "no-matching-overload", NULL},
        {NULL, BODY("let a = mat2x2f(vec3f(), vec3f());"), "no-matching-overload", NULL},
        {NULL, BODY("let a = mat2x2(1i, 2i, 3i, 4i);"), "no-matching-overload", NULL},
        {BODY("let a = array(1, 2.5, 3); let b: array<f32, 3> = a; let c = array<u32, 2>(1, 2);"), BODY("let c = array<u32, 2>(1);"), "argument-count", NULL},
        {NULL, BODY("let c = array<u32, 2>(1, -2);"), "value-out-of-range", "-2"},
        {NULL, BODY("let c = array(1i, 2u);"), "no-matching-overload", NULL},
        {NULL, BODY("let c = array();"), "template-arguments", NULL},
        {"struct S { a: i32, b: vec2f } fn f() { let s = S(1, vec2(1, 2)); let z = S(); }", "struct S { a: i32, b: f32 } fn f() { let s = S(1); }", "argument-count", NULL},
        {NULL, "struct S { a: i32, b: f32 } fn f() { let s = S(1.5, 1); }", "type-mismatch", "1.5"},
        {NULL, "struct S { a: atomic<i32> } fn f() { let s = S(); }", "not-constructible", "S"},
        {NULL, BODY("let s = array<i32>();"), "not-constructible", "array<i32>"},
        {BODY("let a = i32(1.9) + i32(true) + i32(3u); let b = bool(2) && bool(0.5); let c = f32(1i);"), BODY("let a = i32(vec2f());"), "no-matching-overload", NULL},
        {NULL, BODY("let a = i32(1, 2);"), "no-matching-overload", NULL},
        {BODY("const a = vec3(); let b: vec3<u32> = a;"), NULL, NULL, NULL});
}

TEST(conversions) {
    RULE_ROWS(
        {BODY("let a: f32 = 1; let b: u32 = 1; let c: vec2f = vec2(1, 2); let d: i32 = -2147483648;"), BODY("let a: i32 = 2147483648;"), "value-out-of-range", "2147483648"},
        {NULL, BODY("let a: u32 = -1;"), "value-out-of-range", "-1"},
        {NULL, BODY("let a: i32 = 1.0;"), "type-mismatch", "1.0"},
        {NULL, BODY("let a: f32 = 1i;"), "type-mismatch", "1i"},
        {NULL, BODY("let a: f32 = 1e39;"), "value-out-of-range", "1e39"},
        {"enable f16; fn f() { let a: f16 = 65504.0; }", "enable f16; fn f() { let a: f16 = 65520.0; }", "value-out-of-range", "65520.0"},
        {BODY("const a = array(vec2(1, 2)); let b: array<vec2f, 1> = a; let c: array<vec2<u32>, 1> = a;"), BODY("let a: array<i32, 3> = array(1, 2);"), "type-mismatch", NULL},
        {BODY("let a = 1 + 2.5; let b: f32 = a; let c = 1u + 2; let d = vec2(1, 2) * 2.0;"), BODY("let a = 1u + 1i;"), "no-matching-overload", "+"},
        {BODY("let a = select(1, 2.5, true); let b: f32 = a;"), BODY("let a = 1u + 1.5;"), "no-matching-overload", "+"},
        {BODY("var b = true; let a = select(1, 2, b); let c: i32 = a;"), BODY("var b = true; let a: u32 = select(1, 2, b);"), "type-mismatch", NULL},
        {BODY("let a = array(1, 2, 3); var i = 1; let b = array(1, 2.0)[i]; let c: f32 = b;"), NULL, NULL, NULL});
}

TEST(operators) {
    RULE_ROWS(
        {BODY("let a = -1; let b = !true; let c = ~1u; let d = -vec2f(1);"), BODY("let a = -1u;"), "no-matching-overload", "-"},
        {NULL, BODY("let a = !1;"), "no-matching-overload", "!"},
        {NULL, BODY("let a = ~1.0;"), "no-matching-overload", "~"},
        {NULL, BODY("let a = -mat2x2f();"), "no-matching-overload", "-"},
        {BODY("let a = vec3f() * mat2x3f(); let b: vec2f = a; let c = mat2x3f() * vec2f(); let d: vec3f = c;"), BODY("let a = mat2x3f() * vec3f();"), "no-matching-overload", "*"},
        {BODY("let a: mat3x4f = mat2x4f() * mat3x2f(); let b = mat2x2f() * 2; let c = 2 * mat2x2f() + mat2x2f();"), BODY("let a = mat2x2f() + 1.0;"), "no-matching-overload", "+"},
        {NULL, BODY("let a = mat2x2f() / 2.0;"), "no-matching-overload", "/"},
        {NULL, BODY("let a = mat2x2f() == mat2x2f();"), "no-matching-overload", "=="},
        {BODY("let a = vec2f() + 1; let b = 1 / vec3f(1);"), BODY("let a = vec2f() + vec3f();"), "no-matching-overload", "+"},
        {BODY("let a = 1i << 2u; let b = vec2(1i) << vec2(1u); let c = 1 << 2;"), BODY("var s = 1i; let a = 1i << s;"), "no-matching-overload", "<<"},
        {NULL, BODY("let a = vec2(1i) << 1u;"), "no-matching-overload", "<<"},
        {NULL, BODY("let a = 1.0 << 1;"), "no-matching-overload", "<<"},
        {BODY("let a = (true & false) | true; let b = 1 ^ 2;"), BODY("let a = true ^ false;"), "no-matching-overload", "^"},
        {BODY("let a = true && (1 < 2); let b = vec2(true) == vec2(false);"), BODY("let a = 1 && true;"), "no-matching-overload", "&&"},
        {NULL, BODY("let a = vec2(true) && vec2(true);"), "no-matching-overload", "&&"},
        {NULL, BODY("let a = true < false;"), "no-matching-overload", "<"},
        {NULL, "struct S { a: i32 } fn f(s: S) { let a = s == s; }", "no-matching-overload", "=="});
}

TEST(accesses) {
    RULE_ROWS(
        {BODY("let v = vec4f(); let a = v.x + v[1] + v.rgba.w; let b: vec3f = v.xxy;"), BODY("let v = vec2f(); let a = v.z;"), "invalid-swizzle", "z"},
        {NULL, BODY("let v = vec4f(); let a = v.xg;"), "invalid-swizzle", "xg"},
        {NULL, BODY("let v = vec4f(); let a = v.xyzwx;"), "invalid-swizzle", "xyzwx"},
        {NULL, BODY("let v = vec4f(); let a = v.q;"), "invalid-swizzle", "q"},
        {"struct S { a: i32 } fn f(s: S) -> i32 { return s.a; }", "struct S { a: i32 } fn f(s: S) -> i32 { return s.b; }", "unknown-member", "b"},
        {NULL, BODY("let a = 1; let b = a.x;"), "unknown-member", "x"},
        {BODY("let m = mat2x3f(); let c: vec3f = m[1]; let s: f32 = m[0][2];"), BODY("let m = mat2x3f(); let c = m[2];"), "index-out-of-bounds", "2"},
        {BODY("var a: array<i32, 3>; a[2] = 1;"), BODY("var a: array<i32, 3>; a[3] = 1;"), "index-out-of-bounds", "3"},
        {NULL, BODY("let v = vec3f(); let a = v[-1];"), "index-out-of-bounds", "-1"},
        {"@group(0) @binding(0) var<storage> a: array<i32>; fn f() { let b = a[1000000]; }", "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { let b = a[-1]; }", "index-out-of-bounds", "-1"},
        {BODY("var i = 1u; let v = vec3f(); let a = v[i];"), BODY("let v = vec3f(); let a = v[1.0];"), "not-indexable", "1.0"},
        {NULL, BODY("let a = 1; let b = a[0];"), "not-indexable", "a"},
        {BODY("var v = vec3f(); let p = &v; p.x = 1; (*p).y = 2; p[2] = 3; let s = p.xy;"), BODY("var v = vec3f(); let p = &v; let q = p.w;"), "invalid-swizzle", "w"});
}
// clang-format on

CHECK_MAIN(
    plain_types, nesting, override_array_types, constructors, conversions, operators, accesses)
