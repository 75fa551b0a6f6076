// SPDX-License-Identifier: MIT
//
// Names, scopes, order, directives: WGSL §Declaration and Scope, §Directives.
#include "shader/wgsl/rule_rows.h"

// clang-format off
TEST(scopes) {
    RULE_ROWS(
        {"var<private> modf: f32 = 0.0; const rgba8unorm = 12; fn min() -> u32 { return 0; }", "fn f() { x = 1; }", "unresolved-identifier", "x"},
        {"var<private> bar: u32; fn g(foo: f32) { var bar: u32; { var bar: i32; } }", "var<private> bar: u32; var<private> bar: i32;", "redeclaration", "bar"},
        {"fn g(foo: f32) { { var foo: f32; } }", "fn g(foo: f32) { var foo: f32; }", "redeclaration", "foo"},
        {BODY("for (var i = 0; i < 1; i++) { { var i = 1; } }"), BODY("for (var i = 0; i < 1; i++) { var i = 1; }"), "redeclaration", "i"},
        {BODY("var a = 1; { let b = a; let a = b; _ = a; }"), BODY("{ let a = 1; } let b = a;"), "unresolved-identifier", "a"},
        {"fn g() { var early: i32 = later; } var<private> later: i32 = 1;", "fn g() { let b = a; let a = 1; }", "unresolved-identifier", "a"},
        {BODY("let a = 1; { let a = a + 1; _ = a; }"), BODY("let a = a;"), "unresolved-identifier", "a"},
        {"fn g(a: i32, b: i32) {}", "fn g(a: i32, a: i32) {}", "redeclaration", "a"},
        {BODY("loop { let a = 1; continuing { let b = a; break if b == 1; } }"), BODY("loop { break; continuing { let b = 1; } } _ = b;"), "unresolved-identifier", "b"},
        {"struct S { a: i32, b: i32 }", "struct S { a: i32, a: f32 }", "redeclaration", "a"},
        {"fn i32_() {} const vec3f = 4; const x = vec3f + 1;", NULL, NULL, NULL});
}

TEST(order_and_cycles) {
    RULE_ROWS(
        {"const a = b; const b = c; const c = 1; const_assert a == 1;", "const a = b; const b = a;", "cyclic-declaration", "a"},
        {"alias A = B; alias B = vec2<C>; alias C = f32; var<private> v: A;", "alias A = array<B, 2>; alias B = A;", "cyclic-declaration", "A"},
        {"fn a() { b(); } fn b() {}", "fn a() { a(); }", "cyclic-declaration", "a"},
        {"fn a() { b(); b(); } fn b() { c(); c(); } fn c() {}", "fn a() { b(); } fn b() { c(); } fn c() { a(); }", "cyclic-declaration", "a"},
        {"struct S { t: T } struct T { a: i32 }", "struct S { t: T } struct T { s: array<S, 2> }", "cyclic-declaration", "S"},
        {"override a = b * 2; override b = 3;", "override a = b; override b = a;", "cyclic-declaration", "a"},
        {"const n = 4; var<private> a: array<i32, n>;", "const n = a; var<private> a: array<i32, n>;", "cyclic-declaration", NULL});
}

TEST(kinds_of_names) {
    RULE_ROWS(
        {"alias T = i32; var<private> a: T;", "const T = 1; var<private> a: T;", "not-a-type", "T"},
        {"var<private> a: vec3<f32>;", "var<private> a: vec3;", "template-arguments", "vec3"},
        {NULL, "var<private> a: f32<i32>;", "template-arguments", "f32<i32>"},
        {NULL, "fn f() { let a = i32; }", "not-a-value", "i32"},
        {NULL, "fn f() { let a = f; }", "cyclic-declaration", NULL},
        {"fn g() -> i32 { return 1; } fn f() { let a = g(); }", "fn g() {} fn f() { let a = g; }", "not-a-value", "g"},
        {NULL, "fn f() { let a = read; }", "not-a-value", "read"},
        {NULL, "fn f() { let a = max; }", "not-a-value", "max"},
        {NULL, "const c = 1; fn f() { c(); }", "not-callable", "c"},
        {NULL, "var<private> a: max;", "not-a-type", "max"});
}

TEST(directives) {
    RULE_ROWS(
        {"enable f16; enable f16; var<private> a: f16 = 1.5h;", "var<private> a: f16;", "extension-not-enabled", "f16"},
        {NULL, "const a = 1h;", "extension-not-enabled", "1h"},
        {NULL, "const a = vec2h();", "extension-not-enabled", "vec2h"},
        {NULL, "enable f17;", "unknown-extension", "f17"},
        {"requires pointer_composite_access, linear_indexing;", "requires pointer_composite;", "unknown-extension", "pointer_composite"},
        {"diagnostic(off, derivative_uniformity); diagnostic(off, derivative_uniformity);", "diagnostic(off, derivative_uniformity); diagnostic(info, derivative_uniformity);", "diagnostic-conflict", NULL},
        {"diagnostic(off, no_such_rule);", NULL, NULL, NULL});
}
// clang-format on

TEST(suggestions) {
    struct rule_outcome outcome;
    rule_begin(&outcome, "fn f(colour: f32) -> f32 { return coluor; }");
    const struct diagnostic *error = rule_first_error(&outcome);
    if (CHECK(error != NULL && error->first_fix != NULL)) {
        CHECK(text_equals_string(error->first_fix->replacement, "colour"));
    }
    rule_finish(&outcome);
}

TEST(names_of_other_languages) {
    struct rule_outcome outcome;
    rule_begin(&outcome, "fn f() -> float { return 1.0; }");
    const struct diagnostic *error = rule_first_error(&outcome);
    if (CHECK(error != NULL && error->first_fix != NULL)) {
        CHECK(text_equals_string(error->first_fix->replacement, "f32"));
    }
    rule_finish(&outcome);
}

TEST(unsupported_extension) {
    struct rule_outcome outcome;
    struct wgsl_options options = {0};
    arena_init(&outcome.arena, MEMORY_TEST);
    struct text text = TEXT_LITERAL("enable subgroups;");
    source_init(&outcome.source, text, text_from_string(""), &outcome.arena);
    diagnostic_list_init(&outcome.diagnostics, &outcome.arena, 0);
    struct ast_module *module = wgsl_parse(&outcome.source, &outcome.arena, &outcome.diagnostics);
    CHECK(module != NULL && !wgsl_check(module, &options, &outcome.diagnostics));
    CHECK_STR(diagnostic_code_id(rule_first_error(&outcome)->code), "unsupported-extension");
    rule_finish(&outcome);
}

CHECK_MAIN(scopes, order_and_cycles, kinds_of_names, directives, suggestions, names_of_other_languages,
    unsupported_extension)
