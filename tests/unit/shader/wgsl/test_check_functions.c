// SPDX-License-Identifier: MIT
//
// Statements, functions, entry points, stage interfaces, uniformity: WGSL §Statements, §Functions,
// §Entry Points, §Shader Interface, §Uniformity.
#include "shader/wgsl/rule_rows.h"

#define COMPUTE(text) \
    "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { " text " }"

// clang-format off
TEST(statements) {
    RULE_ROWS(
        {BODY("if true {} else if 1 < 2 {} else {}"), BODY("if 1 {}"), "condition-type", "1"},
        {BODY("while false {}"), BODY("while 1.5 {}"), "condition-type", "1.5"},
        {BODY("for (var i = 0; i < 1; i++) {}"), BODY("for (var i = 0; i; i++) {}"), "condition-type", "i"},
        {BODY("loop { continuing { break if true; } }"), BODY("loop { continuing { break if 1; } }"), "condition-type", "1"},
        {BODY("loop { break; }"), BODY("break;"), "control-flow", "break"},
        {BODY("loop { if true { continue; } break; }"), BODY("continue;"), "control-flow", "continue"},
        {BODY("switch 1 { default { break; } }"), BODY("switch 1 { default { continue; } }"), "control-flow", "continue"},
        {NULL, BODY("loop { if true { break; } continuing { break; } }"), "control-flow", "break"},
        {BODY("loop { if true { break; } continuing { loop { break; } } }"), BODY("loop { if true { break; } continuing { continue; } }"), "control-flow", "continue"},
        {NULL, BODY("loop { if true { break; } continuing { return; } }"), "control-flow", "return"},
        {BODY("var i = 0; loop { let step = 2; if i == 1 { continue; } if i > 3 { break; } continuing { i = i + step; } }"),
         BODY("var i = 0; loop { if i > 3 { break; } if i == 1 { continue; } let step = 2; continuing { i = i + step; } }"), "control-flow", "continue"},
        {BODY("const_assert 1 < 2; const_assert(true);"), BODY("const_assert 1 > 2;"), "const-assert", "1 > 2"},
        {NULL, "override o = true; const_assert o;", "not-const-expression", "o"},
        {NULL, "const_assert 1;", "condition-type", "1"});
}

TEST(switches) {
    RULE_ROWS(
        {BODY("switch 1 { case 1, 2: {} case 3 {} default {} }"), BODY("switch 1 { case 1 {} }"), "switch", "switch"},
        {BODY("switch 1u { case 1, default {} }"), BODY("switch 1 { case 1, default {} default {} }"), "switch", "default"},
        {NULL, BODY("switch 1 { case 1 {} case 1 {} default {} }"), "switch", "1"},
        {NULL, BODY("switch 1.5 { default {} }"), "switch", "1.5"},
        {BODY("var a = 1u; switch a { case 1 {} default {} }"), BODY("var a = 1u; switch a { case 1i {} default {} }"), "type-mismatch", "1i"},
        {"const c = 2; fn f() { switch 1 { case c + 1 {} default {} } }", BODY("let c = 1; switch 1 { case c {} default {} }"), "not-const-expression", "c"},
        {BODY("switch 1 { case 1u {} default {} }"), BODY("switch 1 { case 1u {} case 2i {} default {} }"), "type-mismatch", "2i"});
}

TEST(behaviors) {
    RULE_ROWS(
        {"fn f(a: bool) -> i32 { if a { return 1; } else { return 2; } }", "fn f(a: bool) -> i32 { if a { return 1; } }", "missing-return", "}"},
        {"fn f(a: i32) -> i32 { switch a { case 1 { return 1; } default { return 2; } } }", "fn f(a: i32) -> i32 { switch a { case 1 { break; } default { return 2; } } }", "missing-return", "}"},
        {"fn f() -> i32 { loop { return 1; } }", "fn f() -> i32 { loop { if true { break; } return 1; } }", "missing-return", "}"},
        {"fn f() -> i32 { loop { if true { continue; } return 1; } }", BODY("loop {}"), "infinite-loop", "loop"},
        {BODY("for (;;) { return; }"), BODY("for (;;) {}"), "infinite-loop", "for"},
        {BODY("for (;;) { if true { break; } }"), BODY("loop { continue; }"), "infinite-loop", "loop"},
        {"fn f() -> i32 { return 1; return 2; }", NULL, NULL, NULL},
        {"fn f() -> i32 { while true { return 1; } return 2; }", "fn f() -> i32 { while true { return 1; } }", "missing-return", "}"});
}

TEST(functions) {
    RULE_ROWS(
        {"fn f(a: i32) -> f32 { return 1; }", "fn f() -> f32 { return 1u; }", "type-mismatch", "1u"},
        {BODY("return;"), BODY("return 1;"), "return-type", "1"},
        {NULL, "fn f() -> i32 { return; }", "return-type", "return"},
        {NULL, "fn f() -> ptr<function, i32> { loop { break; } }", "function-type", "ptr<function, i32>"});
}

TEST(function_types) {
    RULE_ROWS(
        {"fn f(a: vec2f, p: ptr<function, i32>, t: texture_2d<f32>, s: sampler) {}", "fn f(a: array<i32>) {}", "function-type", "array<i32>"},
        {NULL, "fn f(a: atomic<i32>) {}", "function-type", "atomic<i32>"},
        {NULL, "fn f() -> sampler { return f(); }", "cyclic-declaration", NULL},
        {"fn g(a: i32, b: f32) {} fn f() { g(1, 2); }", "fn g(a: i32, b: f32) {} fn f() { g(1); }", "argument-count", "g(1)"},
        {NULL, "fn g(a: i32) {} fn f() { g(1.5); }", "type-mismatch", "1.5"},
        {NULL, "fn g() {} fn f() { let a = g(); }", "no-result", "g()"},
        {NULL, "@compute @workgroup_size(1) fn g() {} fn f() { g(); }", "invalid-call", "g"},
        {"@must_use fn g() -> i32 { return 1; } fn f() { _ = g(); }", "@must_use fn g() -> i32 { return 1; } fn f() { g(); }", "must-use", "g()"},
        {"fn g() -> i32 { return 1; } fn f() { g(); }", "@must_use fn g() {}", "must-use", "@must_use"},
        {BODY("_ = max(1, 2);"), BODY("max(1, 2);"), "must-use", "max(1, 2)"},
        {NULL, BODY("vec2f();"), "must-use", "vec2f()"});
}

TEST(builtin_calls) {
    RULE_ROWS(
        {BODY("let a = min(1, 2.5) + max(1f, 2); let b = clamp(vec2f(), vec2f(), vec2f(1));"), BODY("let a = min(1u, 2i);"), "no-matching-overload", "min(1u, 2i)"},
        {NULL, BODY("let a = sin(1u);"), "no-matching-overload", NULL},
        {NULL, BODY("let a = cross(vec2f(), vec2f());"), "no-matching-overload", NULL},
        {NULL, BODY("let a = min(1);"), "no-matching-overload", NULL},
        {NULL, BODY("let a = min(1, 2, 3, 4, 5, 6);"), "no-matching-overload", NULL},
        {BODY("let a = bitcast<f32>(1u); let b = bitcast<vec2i>(vec2f(1)); let c = bitcast<u32>(4000000000);"), BODY("let a = bitcast<vec2f>(1u);"), "no-matching-overload", NULL},
        {NULL, BODY("let a = bitcast(1u);"), "template-arguments", NULL},
        {NULL, BODY("let a = countOneBits(1.5);"), "no-matching-overload", NULL},
        {"var<workgroup> w: atomic<u32>; fn f() { let o = atomicAdd(&w, 1); let r = atomicCompareExchangeWeak(&w, 1, 2); let b: bool = r.exchanged; let v: u32 = r.old_value; }",
         "var<workgroup> w: u32; fn f() { let o = atomicAdd(&w, 1); }", "no-matching-overload", "&w"},
        {NULL, "var<workgroup> w: atomic<u32>; fn f() { let o = atomicAdd(&w, 1i); }", "no-matching-overload", NULL},
        {"@group(0) @binding(0) var<storage> s: array<f32>; fn f() -> u32 { return arrayLength(&s); }", "var<private> s: array<f32, 4>; fn f() -> u32 { return arrayLength(&s); }", "no-matching-overload", NULL},
        {NULL, BODY("let a = subgroupAdd(1);"), "extension-not-enabled", "subgroupAdd"});
}

TEST(entry_points) {
    RULE_ROWS(
        {"@compute @workgroup_size(8, 4u, 1) fn m() {}", "@compute fn m() {}", "entry-point", "m"},
        {"override w = 4; @compute @workgroup_size(w, w + 1) fn m() {}", "@compute @workgroup_size(0) fn m() {}", "attribute-value", "0"},
        {NULL, "@compute @workgroup_size(1i, 1u) fn m() {}", "type-mismatch", "1u"},
        {NULL, "@compute @workgroup_size(1.0) fn m() {}", "attribute-value", "1.0"},
        {NULL, "@workgroup_size(1) fn m() {}", "entry-point", "@workgroup_size(1)"},
        {NULL, "var<private> p = 1; @compute @workgroup_size(p) fn m() {}", "not-override-expression", "p"},
        {NULL, "@compute @vertex @workgroup_size(1) fn m() {}", "entry-point", "@vertex"},
        {NULL, "@compute @workgroup_size(1) fn m() -> i32 { return 1; }", "entry-point", "i32"},
        {"@vertex fn m() -> @builtin(position) vec4f { return vec4f(); }", "@vertex fn m() {}", "entry-point", "m"},
        {NULL, "@vertex fn m() -> @location(0) vec4f { return vec4f(); }", "entry-point", "m"});
}

TEST(interfaces) {
    RULE_ROWS(
        {"@compute @workgroup_size(1) fn m(@builtin(global_invocation_id) a: vec3u, @builtin(num_workgroups) b: vec3<u32>) {}", "@compute @workgroup_size(1) fn m(@builtin(global_invocation_id) a: vec3i) {}", "builtin-value", NULL},
        {NULL, "@compute @workgroup_size(1) fn m(@builtin(vertex_index) a: u32) {}", "builtin-value", NULL},
        {NULL, "@compute @workgroup_size(1) fn m(@builtin(global_invocation) a: vec3u) {}", "builtin-value", "global_invocation"},
        {NULL, "@compute @workgroup_size(1) fn m(a: u32) {}", "stage-interface", "a"},
        {NULL, "@compute @workgroup_size(1) fn m(@location(0) a: u32) {}", "stage-interface", "@location(0)"},
        {NULL, "@compute @workgroup_size(1) fn m(@builtin(workgroup_id) a: vec3u, @builtin(workgroup_id) b: vec3u) {}", "builtin-value", "@builtin(workgroup_id)"},
        {NULL, "fn g(@builtin(workgroup_id) a: vec3u) {}", "stage-interface", NULL},
        {"@fragment fn m(@location(0) a: f32, @location(1) @interpolate(flat) b: u32) -> @location(0) vec4f { return vec4f(); }", "@fragment fn m(@location(0) a: f32, @location(0) b: f32) {}", "location", "@location(0)"},
        {NULL, "@fragment fn m(@location(0) a: u32) {}", "interpolation", "@location(0)"},
        {NULL, "@fragment fn m(@location(0) a: mat2x2f) {}", "location", NULL},
        {NULL, "@fragment fn m(@location(0) a: bool) {}", "location", NULL},
        {NULL, "struct S { a: f32 } @fragment fn m(s: S) {}", "stage-interface", "a: f32"},
        {"struct S { @location(0) @interpolate(linear, sample) a: f32 } @fragment fn m(s: S) {}", "struct S { @location(0) @interpolate(flat, center) a: f32 }", "interpolation", NULL},
        {NULL, "struct S { @interpolate(flat) a: f32 }", "interpolation", NULL},
        {NULL, "struct S { @location(0) a: f32, @location(0) b: f32 }", "location", NULL},
        {"enable dual_source_blending; struct S { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f } @fragment fn m() -> S { return S(); }",
         "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: vec4f, @location(1) @blend_src(1) b: vec4f }", "location", NULL},
        {"@vertex fn m() -> @builtin(position) @invariant vec4f { return vec4f(); }", "@fragment fn m() -> @builtin(frag_depth) @invariant f32 { return 1; }", "stage-interface", "@invariant"},
        {"@fragment fn m() -> @builtin(frag_depth, less) f32 { return 1; }", "@fragment fn m() -> @builtin(frag_depth, more) f32 { return 1; }", "builtin-value", "more"},
        {"enable subgroups; @compute @workgroup_size(1) fn m(@builtin(subgroup_size) a: u32) {}", "@compute @workgroup_size(1) fn m(@builtin(subgroup_size) a: u32) {}", "extension-not-enabled", "@builtin(subgroup_size)"});
}

TEST(stages) {
    RULE_ROWS(
        {"var<workgroup> w: i32; fn a() { w = 1; } @compute @workgroup_size(1) fn m() { a(); }",
         "var<workgroup> w: i32; fn a() { w = 1; } fn b() { a(); } fn c() { b(); } @fragment fn m() { c(); }", "stage-restriction", "w"},
        {"@group(0) @binding(0) var<storage> s: i32; @vertex fn m() -> @builtin(position) vec4f { return vec4f(f32(s)); }",
         "@group(0) @binding(0) var<storage, read_write> s: i32; @vertex fn m() -> @builtin(position) vec4f { return vec4f(f32(s)); }", "stage-restriction", "s"},
        {"fn d() { discard; } @fragment fn m() { d(); }", "fn d() { discard; } @compute @workgroup_size(1) fn m() { d(); }", "stage-restriction", "discard"},
        {NULL, "fn d() { workgroupBarrier(); } @fragment fn m() { d(); }", "stage-restriction", "workgroupBarrier"},
        {"var<immediate> a: i32; var<immediate> b: i32; @compute @workgroup_size(1) fn m() { _ = a; } @compute @workgroup_size(1) fn n() { _ = b; }",
         "var<immediate> a: i32; var<immediate> b: i32; @compute @workgroup_size(1) fn m() { _ = a; _ = b; }", "immediate-count", "b"});
}

TEST(limits) {
    RULE_ROWS(
        {"var<private> a: array<f32, 256>; @compute @workgroup_size(1) fn m() { a[0] = 1; }", "var<private> a: array<f32, 30000>; @compute @workgroup_size(1) fn m() { a[0] = 1; }", "limit-exceeded", "m"},
        {BODY("var a: array<f32, 2048>;"), BODY("var a: array<f32, 30000>;"), "limit-exceeded", "a"});
}

TEST(uniformity) {
    RULE_ROWS(
        {COMPUTE("workgroupBarrier();"), COMPUTE("if i == 0 { workgroupBarrier(); }"), "uniformity", "workgroupBarrier()"},
        {"var<workgroup> w: i32;" COMPUTE("if i == 0 { w = 1; } workgroupBarrier();"), COMPUTE("if i == 0 { return; } workgroupBarrier();"), "uniformity", NULL},
        {COMPUTE("var x = i; x = 0; if x == 0 { workgroupBarrier(); }"), COMPUTE("var x = 0; if i == 0 { x = 1; } if x == 0 { workgroupBarrier(); }"), "uniformity", NULL},
        {COMPUTE("for (var k = 0; k < 4; k++) { workgroupBarrier(); }"), COMPUTE("for (var k = 0u; k < i; k++) { workgroupBarrier(); }"), "uniformity", NULL},
        {COMPUTE("loop { if i == 3 { break; } } workgroupBarrier();"), COMPUTE("loop { if i == 3 { break; } workgroupBarrier(); }"), "uniformity", NULL},
        {"var<workgroup> w: i32;" COMPUTE("let x = workgroupUniformLoad(&w); if x == 0 { workgroupBarrier(); }"), "var<workgroup> w: i32;" COMPUTE("let x = w; if x == 0 { workgroupBarrier(); }"), "uniformity", NULL},
        {"var<workgroup> w: array<i32, 64>;" COMPUTE("let x = workgroupUniformLoad(&w[1]);"), "var<workgroup> w: array<i32, 64>;" COMPUTE("let x = workgroupUniformLoad(&w[i]);"), "uniformity", NULL},
        {COMPUTE("g(1);") "fn g(x: u32) { if x == 0 { workgroupBarrier(); } }", COMPUTE("g(i);") "fn g(x: u32) { if x == 0 { workgroupBarrier(); } }", "uniformity", "i"},
        {COMPUTE("if g(i) == 0 { workgroupBarrier(); }") "fn g(x: u32) -> u32 { return 1; }", COMPUTE("if g(i) == 0 { workgroupBarrier(); }") "fn g(x: u32) -> u32 { return x; }", "uniformity", NULL},
        {COMPUTE("var x = 0u; g(&x, 3); if x == 0 { workgroupBarrier(); }") "fn g(p: ptr<function, u32>, y: u32) { *p = y; }", COMPUTE("var x = 0u; g(&x, i); if x == 0 { workgroupBarrier(); }") "fn g(p: ptr<function, u32>, y: u32) { *p = y; }", "uniformity", NULL},
        {"@group(0) @binding(0) var<storage> r: array<i32>;" COMPUTE("if r[0] == 0 { storageBarrier(); }"), "@group(0) @binding(0) var<storage, read_write> r: array<i32>;" COMPUTE("if r[0] == 0 { storageBarrier(); }"), "uniformity", "storageBarrier()"},
        {NULL, "var<workgroup> a: atomic<i32>;" COMPUTE("if atomicAdd(&a, 1) == 0 { workgroupBarrier(); }"), "uniformity", NULL},
        {COMPUTE("switch 1 { case 1 { workgroupBarrier(); } default {} }"), COMPUTE("switch i { case 1 { workgroupBarrier(); } default {} }"), "uniformity", NULL});
}
// clang-format on

CHECK_MAIN(statements, switches, behaviors, function_types, builtin_calls, entry_points, interfaces,
    stages, limits, uniformity, functions)
