// SPDX-License-Identifier: MIT
//
// Variables, address spaces, access modes, bindings, references and pointers, aliasing, the layout of
// uniform buffers: WGSL §var Declarations, §Memory, §Address Space Layout Constraints, §Alias Analysis.
#include "shader/wgsl/rule_rows.h"

#define BIND "@group(0) @binding(0) "

// clang-format off
TEST(address_spaces) {
    RULE_ROWS(
        {"var<private> a: i32; var<workgroup> b: i32; fn f() { var c: i32; var<function> d: i32; }", "var<function> a: i32;", "address-space", "function"},
        {NULL, BODY("var<private> a: i32;"), "address-space", "private"},
        {NULL, BODY("var<workgroup> a: i32;"), "address-space", "workgroup"},
        {NULL, "var a: i32;", "address-space", "i32"},
        {BIND "var<storage> a: i32;" , BIND "var a: i32;", "address-space", "i32"},
        {NULL, BIND "var<storage, write> a: i32;", "access-mode", "write"},
        {BIND "var<storage, read> a: i32; @group(0) @binding(1) var<storage, read_write> b: i32;", "var<private, read_write> a: i32;", "access-mode", "read_write"},
        {NULL, "var<workgroup, read_write> a: i32;", "access-mode", "read_write"},
        {NULL, BIND "var<uniform, read> a: i32;", "access-mode", "read"},
        {NULL, "var<read> a: i32;", "address-space", "read"},
        {NULL, "fn f() { var a; }", "missing-type", "a"},
        {"var<immediate> a: vec4f;", "var<immediate> a: array<f32, 2>;", "store-type", "array<f32, 2>"},
        {NULL, "@group(0) @binding(0) var<immediate> a: f32;", "binding", NULL});
}

TEST(store_types) {
    RULE_ROWS(
        {"var<private> a: bool; var<workgroup> b: bool;", BIND "var<storage> a: bool;", "store-type", "bool"},
        {NULL, BIND "var<uniform> a: vec2<bool>;", "store-type", "vec2<bool>"},
        {NULL, "struct S { a: i32, b: bool } " BIND "var<storage> s: S;", "store-type", "S"},
        {BIND "var<storage> a: array<i32>;", BIND "var<uniform> a: array<vec4i>;", "runtime-sized-array", "array<vec4i>"},
        {NULL, "var<workgroup> a: array<i32>;", "runtime-sized-array", "array<i32>"},
        {NULL, "var<private> a: array<i32>;", "runtime-sized-array", "array<i32>"},
        {NULL, BODY("var a: array<i32>;"), "runtime-sized-array", "array<i32>"},
        {BIND "var<storage, read_write> a: atomic<u32>; var<workgroup> b: array<atomic<i32>, 4>;", BIND "var<storage> a: atomic<u32>;", "atomic-place", "atomic<u32>"},
        {NULL, "var<private> a: atomic<u32>;", "atomic-place", "atomic<u32>"},
        {NULL, BIND "var<uniform> a: atomic<u32>;", "atomic-place", "atomic<u32>"},
        {NULL, BODY("var a: atomic<u32>;"), "atomic-place", "atomic<u32>"},
        {BIND "var s: sampler; @group(0) @binding(1) var t: texture_depth_2d;", "var<private> s: sampler;", "store-type", "sampler"},
        {NULL, "fn f() { var s: texture_2d<f32>; }", "store-type", NULL});
}

TEST(initializers) {
    RULE_ROWS(
        {"override o = 1; var<private> a = o + 1; const c = 2; var<private> b: f32 = c;", "var<private> x = 1; var<private> a = x;", "not-override-expression", "x"},
        {NULL, "var<workgroup> a: i32 = 1;", "initializer", "1"},
        {NULL, BIND "var<storage> a: i32 = 1;", "initializer", "1"},
        {"const a = 1; override b: i32; override c = a + b;", "override b: i32; const c = b;", "not-const-expression", "b"},
        {NULL, "override b;", "missing-type", "b"},
        {NULL, "override b: vec2f;", "store-type", "b"},
        {"fn f(a: i32) { let b = a; const c = 1; }", "fn f(a: i32) { const b = a; }", "not-const-expression", "a"},
        {"@id(0) override a = 1; @id(65535) override b = 2; override c = 3;", "@id(1) override a = 1; @id(1) override b = 2;", "override-id", "b"},
        {NULL, "@id(65536) override a = 1;", "attribute-value", "65536"},
        {NULL, "@id(-1) override a = 1;", "attribute-value", "-1"});
}

TEST(bindings) {
    RULE_ROWS(
        {BIND "var<uniform> a: f32;", "@group(0) var<uniform> a: f32;", "binding", "a"},
        {NULL, "var<storage> a: f32;", "binding", "a"},
        {NULL, "@binding(0) var s: sampler;", "binding", "s"},
        {NULL, BIND "var<private> a: f32;", "binding", "@group(0)"},
        {NULL, BIND "var<workgroup> a: f32;", "binding", "@group(0)"},
        {"const g = 1; @group(g) @binding(g + 1u) var<uniform> a: f32;", "override g = 1; @group(g) @binding(0) var<uniform> a: f32;", "not-const-expression", "g"},
        {NULL, "@group(-1) @binding(0) var<uniform> a: f32;", "attribute-value", "-1"},
        {NULL, "@group(1.0) @binding(0) var<uniform> a: f32;", "attribute-value", "1.0"},
        {BIND "var<uniform> a: f32; " BIND "var<uniform> b: f32; @compute @workgroup_size(1) fn m() { _ = a; } @compute @workgroup_size(1) fn n() { _ = b; }",
         BIND "var<uniform> a: f32; " BIND "var<uniform> b: f32; fn g() { _ = b; } @compute @workgroup_size(1) fn m() { _ = a; g(); }", "binding-conflict", "b"});
}

TEST(uniform_layout) {
    RULE_ROWS(
        {"struct S { x: f32 } struct V { a: S, @align(16) b: f32 } " BIND "var<uniform> v: V;", "struct S { x: f32 } struct V { a: S, b: f32 } " BIND "var<uniform> v: V;", "uniform-layout", "V"},
        {"struct W { @size(16) e: f32 } struct B { a: array<W, 8> } " BIND "var<uniform> v: B;", "struct B { a: array<f32, 8> } " BIND "var<uniform> v: B;", "uniform-layout", "B"},
        {"requires uniform_buffer_standard_layout; struct B { a: array<f32, 8> } " BIND "var<uniform> v: B;", NULL, NULL, NULL},
        {"struct B { a: array<f32, 8> } " BIND "var<storage> v: B; var<workgroup> w: B;", NULL, NULL, NULL},
        {"struct I { x: vec3f } struct B { a: vec2f, b: I, c: vec4f } " BIND "var<uniform> v: B;", "struct I { x: f32 } struct B { a: f32, b: I } " BIND "var<uniform> v: B;", "uniform-layout", "B"},
        {BIND "var<uniform> a: array<vec4f, 16>; @group(0) @binding(1) var<uniform> b: array<mat2x4f, 2>;", BIND "var<uniform> a: array<vec2f, 16>;", "uniform-layout", "array<vec2f, 16>"},
        {"struct S { a: vec3f, b: f32 } " BIND "var<uniform> s: S;", NULL, NULL, NULL});
}

TEST(layout_attributes) {
    RULE_ROWS(
        {"struct S { @align(16) a: f32, @size(8) b: f32, @align(8) @size(32) c: vec2f }", "struct S { @align(3) a: i32 }", "attribute-value", "3"},
        {NULL, "struct S { @align(8) a: vec4f }", "attribute-value", "8"},
        {NULL, "struct S { @align(0) a: i32 }", "attribute-value", "0"},
        {NULL, "struct S { @size(3) a: i32 }", "attribute-value", "3"},
        {NULL, "struct S { @size(12) a: vec4f }", "attribute-value", "12"},
        {NULL, "struct S { @size(16) a: array<f32> }", "attribute-value", NULL});
}

TEST(references) {
    RULE_ROWS(
        {BODY("var a = 1; a = 2; a += 1; a++;"), BODY("let a = 1; a = 2;"), "not-assignable", "a"},
        {NULL, "fn f(a: i32) { a = 1; }", "not-assignable", "a"},
        {NULL, "const c = 1; fn f() { c++; }", "not-assignable", "c"},
        {NULL, BODY("var v = vec2f(); v.xy = vec2f();"), "not-assignable", "v.xy"},
        {NULL, BIND "var<uniform> u: f32; fn f() { u = 1; }", "not-assignable", "u"},
        {BIND "var<storage, read_write> s: f32; fn f() { s = 1; }", BIND "var<storage> s: array<f32>; fn f() { s[0] = 1; }", "not-assignable", "s[0]"},
        {NULL, BODY("var a = 1; a = 1.5;"), "type-mismatch", "1.5"},
        {NULL, BODY("var a = 1; a += 1.5;"), "no-matching-overload", "+="},
        {NULL, BODY("var a = 1.0; a++;"), "no-matching-overload", "a"},
        {BODY("var v = vec2f(); v *= 2; v = v * mat2x2f();"), BODY("var s = 1.0; s *= vec2f();"), "type-mismatch", "*="},
        {"var<workgroup> w: atomic<i32>; fn f() { atomicStore(&w, 1); let a = atomicLoad(&w); }", "var<workgroup> w: atomic<i32>; fn f() { w = 1; }", "not-assignable", "w"},
        {NULL, "var<workgroup> w: array<atomic<i32>, 2>; fn f() { let a = w[0]; }", "not-readable", "w[0]"},
        {BIND "var<storage> s: array<f32>; fn f() { let n = arrayLength(&s); let p = &s; let x = p[0]; }", BIND "var<storage> s: array<f32>; fn f() { let a = s; }", "not-readable", "s"},
        {BODY("var a = 1; let p = &a; *p = 2; let b = *p + 1;"), BODY("let a = 1; let p = &a;"), "address-of", "a"},
        {NULL, BODY("var v = vec2f(); let p = &v.x;"), "address-of", "v.x"},
        {NULL, BODY("var v = vec2f(); let p = &v[0];"), "address-of", "v[0]"},
        {NULL, BIND "var s: sampler; fn f() { let p = &s; }", "address-of", "s"},
        {NULL, BODY("var a = 1; let b = *a;"), "indirection", "a"},
        {BODY("var m = mat2x2f(); let p = &m[1]; *p = vec2f();"), BODY("var a = 1; let p = &a; p = 2;"), "not-assignable", "p"},
        {BODY("_ = 1; var a: array<i32, 2>; _ = a; _ = &a;"), BIND "var<storage> s: array<f32>; fn f() { _ = s; }", "not-readable", "s"},
        {BIND "var s: sampler; fn f() { _ = s; let t = s; }", NULL, NULL, NULL});
}

TEST(pointer_types) {
    RULE_ROWS(
        {"fn f(p: ptr<function, i32>, q: ptr<storage, array<i32>, read_write>, r: ptr<uniform, i32>, s: ptr<workgroup, atomic<i32>>) {}", "fn f(p: ptr<private, i32, read_write>) {}", "access-mode", "read_write"},
        {NULL, "fn f(p: ptr<storage, i32, write>) {}", "access-mode", "write"},
        {NULL, "fn f(p: ptr<function, atomic<i32>>) {}", "atomic-place", "atomic<i32>"},
        {"fn f(p: ptr<uniform, array<vec4i>>, q: ptr<workgroup, array<i32>>) {}", "fn f(p: ptr<uniform, array<i32>>) {}", "uniform-layout", "array<i32>"},
        {NULL, "fn f(p: ptr<workgroup, array<atomic<u32>>>) {}", "runtime-sized-array", "array<atomic<u32>>"},
        {NULL, "fn f(p: ptr<private, array<i32>>) {}", "runtime-sized-array", "array<i32>"},
        {NULL, "fn f(p: ptr<i32, function>) {}", "template-arguments", "i32"},
        {"fn g(p: ptr<function, i32>) {} fn f() { var a: i32; g(&a); let p = &a; g(p); g(&*p); }", "fn g(p: ptr<function, i32>) {} var<private> a: i32; fn f() { g(&a); }", "type-mismatch", "&a"},
        {NULL, "fn g(p: ptr<function, i32>) {} fn f() { var a: i32; g(a); }", "type-mismatch", "a"},
        {NULL, "fn g(p: ptr<storage, i32>) {} " BIND "var<storage, read_write> a: i32; fn f() { g(&a); }", "type-mismatch", "&a"},
        {"fn sum(p: ptr<function, array<f32, 4>>) -> f32 { return (*p)[0] + p[1]; }", "fn sum(p: ptr<function, array<f32, 4>>) -> f32 { return p[4]; }", "index-out-of-bounds", "4"});
}

TEST(aliasing) {
    RULE_ROWS(
        {"fn g(p: ptr<function, i32>, q: ptr<function, i32>) -> i32 { return *p + *q; } fn f() { var a: i32; _ = g(&a, &a); }",
         "fn g(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; } fn h(p: ptr<function, i32>, q: ptr<function, i32>) { g(p, q); } fn f() { var a: i32; h(&a, &a); }", "pointer-aliasing", "&a"},
        {"var<private> x: i32; fn g(p: ptr<private, i32>) -> i32 { return *p + x; } fn f() { _ = g(&x); }",
         "var<private> x: i32; fn g(p: ptr<private, i32>) { x = *p; } fn f() { g(&x); }", "pointer-aliasing", "&x"},
        {"var<private> x: i32; var<private> y: i32; fn g(p: ptr<private, i32>) { *p = y; } fn f() { g(&x); }",
         "var<private> x: i32; fn h() -> i32 { return x; } fn g(p: ptr<private, i32>) { *p = h(); } fn f() { g(&x); }", "pointer-aliasing", "&x"},
        {NULL, "fn g(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; } fn f() { var a: array<i32, 2>; let p = &a[0]; g(p, &a[1]); }", "pointer-aliasing", "&a[1]"});
}
// clang-format on

CHECK_MAIN(address_spaces, store_types, initializers, bindings, uniform_layout, layout_attributes,
    references, pointer_types, aliasing)
