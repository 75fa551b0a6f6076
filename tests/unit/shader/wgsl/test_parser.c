// SPDX-License-Identifier: MIT
//
// The lexer, template-list discovery and the parser: what is accepted and as which tree, what is
// refused, where and with how many diagnostics, and that bad input costs little. Expected trees
// follow the grammar of the WGSL specification.

#include "shader/wgsl/wgsl.h"

#include "base/memory.h"
#include "check.h"
#include "shader/wgsl/ast_print.h"
#include "shader/wgsl/token.h"

struct parsed {
    struct arena arena;
    struct source source;
    struct diagnostic_list diagnostics;
    struct ast_module *module;
};

static void parse_text(struct parsed *parsed, struct text text) {
    arena_init(&parsed->arena, MEMORY_TEST);
    diagnostic_list_init(&parsed->diagnostics, &parsed->arena, 0);
    parsed->module = NULL;
    if (source_init(&parsed->source, text, TEXT_LITERAL("t.wgsl"), &parsed->arena)) {
        parsed->module = wgsl_parse(&parsed->source, &parsed->arena, &parsed->diagnostics);
    }
}

static void finish(struct parsed *parsed) {
    arena_finish(&parsed->arena);
}

static void check_tree_at(int line, const char *source, const char *expected) {
    struct parsed parsed;
    parse_text(&parsed, text_from_string(source));
    struct text_buffer out = {0};
    if (parsed.module) {
        print_module(&out, parsed.module);
    }
    if (parsed.diagnostics.count) {
        struct text_buffer messages = {0};
        diagnostic_list_print(
            &messages, &parsed.source, &parsed.diagnostics, (struct diagnostic_style){0});
        fprintf(stderr, "line %d: unexpected diagnostics:\n%s", line, messages.data);
        text_buffer_finish(&messages);
    }
    check_record(parsed.diagnostics.error_count == 0, __FILE__, line, source);
    check_equal_string(text_buffer_get(&out).data, expected, __FILE__, line, source);
    text_buffer_finish(&out);
    finish(&parsed);
}
#define CHECK_TREE(source, expected) check_tree_at(__LINE__, (source), (expected))

// An expression, as the initialiser of a constant.
static void check_expression_at(int line, const char *expression, const char *expected) {
    char source[512], tree[512];
    snprintf(source, sizeof source, "const x = %s;", expression);
    snprintf(tree, sizeof tree, "const x = %s\n", expected);
    check_tree_at(line, source, tree);
}
#define CHECK_EXPRESSION(source, expected) check_expression_at(__LINE__, (source), (expected))

// A statement, in a function.
static void check_statement_at(int line, const char *statement, const char *expected) {
    char source[1024], tree[1024];
    snprintf(source, sizeof source, "fn f() { %s }", statement);
    snprintf(tree, sizeof tree, "fn f() { %s} \n", expected);
    check_tree_at(line, source, tree);
}
#define CHECK_STATEMENT(source, expected) check_statement_at(__LINE__, (source), (expected))

// Exactly these diagnostics: "line:column code" each, in order, joined by ", ".
static void check_errors_at(int line, struct text source, const char *expected) {
    struct parsed parsed;
    parse_text(&parsed, source);
    struct text_buffer out = {0};
    for (uint32_t i = 0; i < parsed.diagnostics.count; i++) {
        const struct diagnostic *diagnostic = parsed.diagnostics.items[i];
        struct source_location at = source_locate(&parsed.source, diagnostic->span.begin);
        text_buffer_print(&out, "%s%u:%u %s", i ? ", " : "", (unsigned)at.line, (unsigned)at.column,
            diagnostic_code_id(diagnostic->code));
    }
    check_record(parsed.module != NULL, __FILE__, line, "a module is made");
    check_equal_string(text_buffer_get(&out).data, expected, __FILE__, line, "diagnostics");
    text_buffer_finish(&out);
    finish(&parsed);
}
#define CHECK_ERRORS(source, expected) \
    check_errors_at(__LINE__, text_from_string(source), (expected))

TEST(literals) {
    CHECK_EXPRESSION("0", "ai#1");
    CHECK_EXPRESSION("0i", "i32#2");
    CHECK_EXPRESSION("123u", "u32#4");
    CHECK_EXPRESSION("0x1F", "ai#4");
    CHECK_EXPRESSION("0X1fu", "u32#5");
    CHECK_EXPRESSION("0f", "f32#2");
    CHECK_EXPRESSION("12h", "f16#3");
    CHECK_EXPRESSION("1.", "af#2");
    CHECK_EXPRESSION(".5", "af#2");
    CHECK_EXPRESSION("0.e+4f", "f32#6");
    CHECK_EXPRESSION("01.", "af#3");
    CHECK_EXPRESSION("01e2", "af#4");
    CHECK_EXPRESSION("1e-3", "af#4");
    CHECK_EXPRESSION("0xa.fp+2", "af#8");
    CHECK_EXPRESSION("0x1P+4f", "f32#7");
    CHECK_EXPRESSION("0X.3", "af#4");
    CHECK_EXPRESSION("0x1.f", "af#5"); // f is a digit here
    CHECK_EXPRESSION("0x3p+2h", "f16#7");
    CHECK_EXPRESSION("0x1.", "af#4");
    CHECK_EXPRESSION("true", "true");
    CHECK_ERRORS("const a = 012;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 01f;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 12abc;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 0x;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 0x1p;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 1e+;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 0x1.8h;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 1ui;", "1:11 invalid-literal");
    CHECK_ERRORS("const a = 1.0u;", "1:11 invalid-literal");
}

TEST(operators) {
    CHECK_EXPRESSION("a + b * c - d", "{{a + {b * c}} - d}");
    CHECK_EXPRESSION("a * b + c % d / e", "{{a * b} + {{c % d} / e}}");
    CHECK_EXPRESSION("-a * !b", "{{- a} * {! b}}");
    CHECK_EXPRESSION("- - ~a", "{- {- {~ a}}}");
    CHECK_EXPRESSION("--a", "{- {- a}}");
    CHECK_EXPRESSION("a--b", "{a - {- b}}");
    CHECK_EXPRESSION("a<b", "{a < b}");
    CHECK_EXPRESSION("a + 1 < b * 2", "{{a + ai#1} < {b * ai#1}}");
    CHECK_EXPRESSION("a << 2u == b >> 1u", "{{a << u32#2} == {b >> u32#2}}");
    CHECK_EXPRESSION("a && b && c == d", "{{a && b} && {c == d}}");
    CHECK_EXPRESSION("a || b < c", "{a || {b < c}}");
    CHECK_EXPRESSION("a & b & c", "{{a & b} & c}");
    CHECK_EXPRESSION("a | ~b", "{a | {~ b}}");
    CHECK_EXPRESSION("a ^ b ^ c", "{{a ^ b} ^ c}");
    CHECK_EXPRESSION("(a & b) == 0", "{({a & b}) == ai#1}");
    CHECK_EXPRESSION("&&a", "{& {& a}}");
    CHECK_EXPRESSION("*p.x[1]", "{* p.x[ai#1]}");
    CHECK_EXPRESSION("(*p).x", "({* p}).x");
    CHECK_EXPRESSION("f(a, b,).xyz[i]", "f(a, b).xyz[i]");
    CHECK_EXPRESSION("a >= b", "{a >= b}");
    CHECK_EXPRESSION("a<=b", "{a <= b}");
    // Mixing what has no precedence is an error, reported once, at the second operator.
    CHECK_ERRORS("const x = a & b | c;", "1:17 mixed-operators");
    CHECK_ERRORS("const x = a && b || c;", "1:18 mixed-operators");
    CHECK_ERRORS("const x = a + b << c;", "1:17 mixed-operators");
    CHECK_ERRORS("const x = a << b + c;", "1:18 mixed-operators");
    CHECK_ERRORS("const x = a < b < c;", "1:17 mixed-operators");
    CHECK_ERRORS("const x = a & b == c;", "1:17 mixed-operators");
    CHECK_ERRORS("const x = a + b & c + d;", "1:17 mixed-operators");
    CHECK_ERRORS("const x = a == b & c;", "1:18 mixed-operators");
    CHECK_ERRORS("const x = +a;", "1:11 syntax");
    CHECK_ERRORS("const x = a +;", "1:14 syntax");
}

// The examples of WGSL §Template Lists, and their neighbours.
TEST(template_lists) {
    CHECK_EXPRESSION("vec3<f32>(1)", "vec3<f32>(ai#1)");
    CHECK_EXPRESSION("array<vec4<f32>>()", "array<vec4<f32>>()");
    CHECK_EXPRESSION("array<vec2<f32>,4,>()", "array<vec2<f32>, ai#1>()");
    CHECK_EXPRESSION("A<B<<C>()", "A<{B << C}>()");
    CHECK_EXPRESSION("A<B<=C>()", "A<{B <= C}>()");
    CHECK_EXPRESSION("A<(B>=C)>()", "A<({B >= C})>()");
    CHECK_EXPRESSION("A<(B>C)>()", "A<({B > C})>()");
    CHECK_EXPRESSION("A(B < C, D > (E))", "A(B<C, D>(E))");
    CHECK_EXPRESSION("array<i32,select(2,3,a>b)>()", "array<i32, select(ai#1, ai#1, {a > b})>()");
    CHECK_EXPRESSION("a<b || c>d", "{{a < b} || {c > d}}");
    CHECK_EXPRESSION("a<b && c>d", "{{a < b} && {c > d}}");
    CHECK_EXPRESSION("a[b<d]>c", "{a[{b < d}] > c}");
    CHECK_EXPRESSION("A<B>>C<D>()", "{A<B> > C<D>()}");
    CHECK_EXPRESSION("A /* one */ < /* two */ B >()", "A<B>()");
    CHECK_EXPRESSION("A<1.0f>()", "A<f32#4>()");
    CHECK_EXPRESSION("1<2", "{ai#1 < ai#1}");
    CHECK_EXPRESSION("a != b", "{a != b}");
    CHECK_TREE("var<storage,read_write> a:array<u32>;", "var<storage, read_write> a: array<u32>\n");
    CHECK_TREE("var a:vec2<f32>=b;", "var a: vec2<f32> = b\n");
    CHECK_TREE("var a:array<vec2<f32>>=b;", "var a: array<vec2<f32>> = b\n");
    CHECK_STATEMENT("if a<b { } if c>d { }", "if {a < b} { } if {c > d} { } ");
    CHECK_STATEMENT("a>>=b; c<<=d;", "a >>= b; c <<= d; ");
}

TEST(statements) {
    CHECK_STATEMENT("; ; { ; }", "{ } ");
    CHECK_STATEMENT("var a = 1; let b: i32 = 2; const c = 3; var<function> d: f32;",
        "var a = ai#1; let b: i32 = ai#1; const c = ai#1; var<function> d: f32; ");
    CHECK_STATEMENT("a = 1; a.x[2] += b; *p -= 1; (*p).x = 2; _ = f();",
        "a = ai#1; a.x[ai#1] += b; {* p} -= ai#1; ({* p}).x = ai#1; _ = f(); ");
    CHECK_STATEMENT("a *= b; a /= b; a %= b; a &= b; a |= b; a ^= b;",
        "a *= b; a /= b; a %= b; a &= b; a |= b; a ^= b; ");
    CHECK_STATEMENT("i++; a[i]--; f(); g<u32>(1);", "i++; a[i]--; call f(); call g<u32>(ai#1); ");
    CHECK_STATEMENT("if a { } else if (b) { return; } else { discard; }",
        "if a { } elif (b) { return; } else { discard; } ");
    CHECK_STATEMENT("switch x { case 1, 2u: { } case 3 { break; } default { } }",
        "switch x [ai#1, u32#2] { } [ai#1] { break; } [ default] { } ");
    CHECK_STATEMENT("switch (x) { case default, 1, { } default: { } }",
        "switch (x) [ai#1 default] { } [ default] { } ");
    CHECK_STATEMENT("loop { if a { continue; } continuing { i++; break if i > 3; } }",
        "loop { if a { continue; } } continuing { i++; } break_if {i > ai#1} ");
    CHECK_STATEMENT("for (var i = 0; i < 4; i++) { } for (;;) { break; } for (f(); ; g()) { }",
        "for (var i = ai#1; | {i < ai#1} | i++; ) { } for (|  | ) { break; } "
        "for (call f(); |  | call g(); ) { } ");
    CHECK_STATEMENT("while a { } while (b) { break; } const_assert 1 < 2;",
        "while a { } while (b) { break; } const_assert  = {ai#1 < ai#1}; ");
    CHECK_STATEMENT("@diagnostic(off, derivative_uniformity) if a { }",
        "@7(3 derivative_uniformity) if a { } ");
    CHECK_STATEMENT("return a.b;", "return a.b; ");
}

TEST(declarations) {
    CHECK_TREE("@group(0) @binding(1) var<uniform> u: U;", "@9(ai#1) @2(ai#1) var<uniform> u: U\n");
    CHECK_TREE("@id(3) override o: f32 = 1; override p: bool;",
        "@10(ai#1) override o: f32 = ai#1\noverride p: bool\n");
    CHECK_TREE("struct S { a: f32, @size(16) b: vec3f, }; alias T = array<S, 4>;",
        "struct S {a: f32, @15(ai#2) b: vec3f}\nalias T: array<S, ai#1>\n");
    CHECK_TREE(
        "@compute @workgroup_size(8, 8,) fn main(@builtin(global_invocation_id) id: vec3u) {}",
        "@5() @18(ai#1, ai#1) fn main(@4(global_invocation_id) param id: vec3u) { } \n");
    CHECK_TREE("fn f(a: i32, b: ptr<function, f32>,) -> @location(0) vec4f { return a; }",
        "fn f(param a: i32, param b: ptr<function, f32>) -> @13(ai#1) vec4f { return a; } \n");
    CHECK_TREE("enable f16, subgroups,; requires x; diagnostic(off, a.b,); const_assert true;",
        "const_assert  = true\n");
    CHECK_TREE(
        "const Δέλτα = 1; const 朝焼け = Δέλτα;", "const Δέλτα = ai#1\nconst 朝焼け = Δέλτα\n");
    CHECK_TREE("// c\n/* a /* b */ c */ const x = 1; // \xE2\x80\xA8 const y = 2;",
        "const x = ai#1\nconst y = ai#1\n");
    CHECK_TREE("", "");
}

TEST(text_errors) {
    CHECK_ERRORS("const a = 1; /* never ends", "1:14 unterminated-comment");
    CHECK_ERRORS("const a = 1; /* /* never */ ends", "1:14 unterminated-comment");
    CHECK_ERRORS("const asm = 1;", "1:7 reserved-word");
    CHECK_ERRORS("const __a = 1;", "1:7 invalid-identifier");
    CHECK_ERRORS("const _ = 1;", "1:7 syntax");
    CHECK_ERRORS("const a = b ? c : d; const x = ;", "1:13 invalid-character, 1:32 syntax");
    CHECK_ERRORS("const a = \"text\";", "1:11 invalid-character");
    CHECK_ERRORS("const a = 1;\n\xC3", "2:1 invalid-utf8");
    CHECK_ERRORS("// \xED\xA0\x80 surrogate", "1:4 invalid-utf8");
    CHECK_ERRORS("// \xC0\x80 overlong", "1:4 invalid-utf8");
    CHECK_ERRORS("\xEF\xBB\xBF"
                 "const a = 1;",
        "1:1 invalid-utf8");
    check_errors_at(__LINE__, TEXT_LITERAL("const a = 1; // \0"), "1:17 null-code-point");
    check_errors_at(__LINE__, TEXT_LITERAL("const a\0 = 1;"), "1:8 null-code-point");
}

TEST(syntax_errors) {
    CHECK_ERRORS("fn f() { let a = 1 let b = 2; }", "1:19 syntax");
    CHECK_ERRORS("fn f() { x y; z w; }", "1:12 syntax, 1:17 syntax");
    CHECK_ERRORS("fn f() { if { a b; } else { c d; } }", "1:13 syntax, 1:17 syntax, 1:31 syntax");
    CHECK_ERRORS(
        "fn f() { let a = (1; let b = 2)); c d; }", "1:20 syntax, 1:31 syntax, 1:37 syntax");
    CHECK_ERRORS("fn f() { if a { \nfn g() { x y; }", "2:1 syntax, 2:12 syntax");
    CHECK_ERRORS("fn f() { if a {\n@compute @workgroup_size(1) fn g() { }", "2:1 syntax");
    CHECK_ERRORS("fn f() { } } fn g() { }", "1:12 syntax");
    CHECK_ERRORS("struct S { a: i32; b: i32 } struct T { }", "1:18 syntax, 1:40 syntax");
    CHECK_ERRORS("let a = 1; const b = 2", "1:1 syntax, 1:23 syntax");
    CHECK_ERRORS("fn f() { break if a; }", "1:10 syntax");
    CHECK_ERRORS("fn f() { loop { continuing { } x(); } }", "1:32 syntax");
    CHECK_ERRORS("fn f() { loop { continuing { break if a; x(); } } }", "1:42 syntax");
    CHECK_ERRORS("fn f() { else { } case 1 { } i++ }", "1:10 syntax, 1:33 syntax");
    CHECK_ERRORS("fn f() { a + b = 1; 1 = 2; }", "1:12 syntax, 1:21 syntax");
    CHECK_ERRORS("fn f() { (a + b) = 1; a; }", "1:10 syntax, 1:24 syntax");
    CHECK_ERRORS("fn f() { let a = i++; ++i; --i; }", "1:19 syntax, 1:23 syntax, 1:28 syntax");
    CHECK_ERRORS(
        "fn f() { switch a { } switch a { case 1 { } x case 2 { } } }", "1:21 syntax, 1:45 syntax");
    CHECK_ERRORS("const a = 1; enable f16; const b = 2;", "1:14 misplaced-directive");
    CHECK_ERRORS("fn f(a i32) { x y; }", "1:8 syntax, 1:17 syntax");
    CHECK_ERRORS("var<> a: i32; var a: array<f32 = 1;", "1:5 syntax, 1:27 syntax");
    CHECK_ERRORS("fn f() { for (var i = 0 i < 1; i++) { a b; } }", "1:24 syntax, 1:41 syntax");
    CHECK_ERRORS("fn if() { } fn g() { var while = 1; }", "1:4 syntax, 1:26 syntax");
}

TEST(attribute_errors) {
    CHECK_ERRORS("@nonsense fn f() { }", "1:2 unknown-attribute");
    CHECK_ERRORS("@align(4) fn f() { }", "1:1 misplaced-attribute");
    CHECK_ERRORS("@compute @compute fn f() { }", "1:10 duplicate-attribute");
    CHECK_ERRORS("@workgroup_size(1,2,3,4) fn f() { }", "1:1 attribute-arguments");
    CHECK_ERRORS("@workgroup_size() fn f() { }", "1:1 attribute-arguments");
    CHECK_ERRORS("@compute(1) fn f() { }", "1:1 attribute-arguments");
    CHECK_ERRORS("@group var<storage> a: i32;", "1:1 attribute-arguments");
    CHECK_ERRORS("struct S { @builtin(1 + 2) a: i32 }", "1:21 attribute-arguments");
    CHECK_ERRORS("@const fn f() { @must_use if a { } }",
        "1:17 misplaced-attribute, 1:1 misplaced-attribute");
    CHECK_ERRORS("fn f() { @diagnostic(off, x) return; }", "1:10 misplaced-attribute");
    CHECK_ERRORS("@diagnostic(off, x) @diagnostic(info, y) @diagnostic(off, x) fn f() { }",
        "1:42 duplicate-attribute");
    CHECK_ERRORS("@diagnostic(loud, x) fn f() { }", "1:13 syntax");
    CHECK_ERRORS("@group(0) const a = 1;", "1:1 misplaced-attribute");
}

// ---- Size ----

static char *repeat(const char *head, const char *unit, size_t count, const char *tail) {
    size_t size = strlen(head) + strlen(unit) * count + strlen(tail) + 1;
    char *text = malloc(size);
    if (!text) {
        exit(2);
    }
    char *at = text + snprintf(text, size, "%s", head);
    for (size_t i = 0; i < count; i++) {
        memcpy(at, unit, strlen(unit));
        at += strlen(unit);
    }
    memcpy(at, tail, strlen(tail) + 1);
    return text;
}

static void check_deep(
    int line, const char *head, const char *unit, size_t count, const char *tail) {
    char *text = repeat(head, unit, count, tail);
    struct parsed parsed;
    parse_text(&parsed, text_from_string(text));
    check_record(parsed.module != NULL, __FILE__, line, unit);
    bool is_reported = false;
    for (uint32_t i = 0; i < parsed.diagnostics.count; i++) {
        is_reported |= parsed.diagnostics.items[i]->code == DIAGNOSTIC_NESTING_TOO_DEEP;
    }
    check_record(is_reported, __FILE__, line, unit);
    check_record(parsed.diagnostics.error_count <= 3, __FILE__, line, unit);
    // 1 MiB and a small multiple of the text.
    check_record(parsed.arena.used_bytes <= (1u << 20) + 4 * strlen(text), __FILE__, line, unit);
    finish(&parsed);
    free(text);
}

TEST(deep_nesting_is_refused) {
    check_deep(__LINE__, "const a = ", "(", 1000000, "1;");
    check_deep(__LINE__, "const a = ", "-", 50000, "1;");
    check_deep(__LINE__, "const a = ", "&", 50000, "1;");
    check_deep(__LINE__, "const a = ", "f(", 50000, "1;");
    check_deep(__LINE__, "const a = ", "a[", 50000, "1;");
    char *tail = repeat("u32", ">", 50000, ";");
    check_deep(__LINE__, "var a: ", "array<", 50000, tail);
    free(tail);
    check_deep(__LINE__, "fn f() ", "{", 1000000, "}");
    check_deep(__LINE__, "fn f() { ", "if a {", 50000, "}");
    check_deep(__LINE__, "fn f() { ", "loop { continuing {", 50000, "}");
    check_deep(__LINE__, "fn f() { ", "switch a { default {", 50000, "}");
    check_deep(__LINE__, "fn f() { x = ", "*", 50000, "a; }");
}

static void check_long(
    int line, const char *head, const char *unit, const char *tail, size_t multiple) {
    char *text = repeat(head, unit, 100000, tail);
    struct parsed parsed;
    parse_text(&parsed, text_from_string(text));
    check_record(parsed.module != NULL, __FILE__, line, unit);
    check_equal_signed(parsed.diagnostics.error_count, 0, __FILE__, line, unit);
    check_record(
        parsed.arena.used_bytes <= (1u << 20) + multiple * strlen(text), __FILE__, line, unit);
    finish(&parsed);
    free(text);
}

TEST(long_chains_are_read) {
    check_long(__LINE__, "const a = b", "+a", ";", 96);
    check_long(__LINE__, "const a = b", "&&a", ";", 64);
    check_long(__LINE__, "const a = b", ".x", ";", 64);
    check_long(__LINE__, "const a = b", "[0]", ";", 64);
    check_long(__LINE__, "fn f() { if a { }", "else if a { }", "}", 64);
    check_long(__LINE__, "fn f() {", "a=a;", "}", 96);
    check_long(__LINE__, "const a = f(1", ",1", ");", 64);
    check_long(__LINE__, "/*", "/**/", "*/", 4);
}

TEST(errors_are_bounded) {
    char *text = repeat("", "fn f( { }\n", 5000, "");
    struct parsed parsed;
    parse_text(&parsed, text_from_string(text));
    CHECK_EQ(parsed.diagnostics.count, DIAGNOSTIC_LIMIT_DEFAULT);
    CHECK_EQ(parsed.diagnostics.error_count, 5000);
    CHECK_EQ(parsed.diagnostics.suppressed_count, 4900);
    finish(&parsed);
    free(text);
}

TEST(allocation_failure_is_reported) {
    const char *source =
        "enable f16; struct S { a: i32 } @group(0) var<uniform> u: S;\n"
        "fn f(a: i32) -> i32 { if a > 1 { switch a { case 1, 2 { } default { } } }\n"
        "for (var i = 0; i < 3; i++) { g(a, b[1].x, vec3<f32>(1)); } loop { continuing { break if"
        " a; } } @diagnostic(off, a) { } return a + b; } const x = §;";
    bool has_finished = false;
    for (int64_t countdown = 0; countdown < 200 && !has_finished; countdown++) {
        struct parsed parsed;
        arena_init(&parsed.arena, MEMORY_TEST);
        memory_fail_after(countdown, true);
        parse_text(&parsed, text_from_string(source));
        memory_fail_after(-1, false);
        CHECK(parsed.module || parsed.diagnostics.is_out_of_memory || !parsed.source.checkpoints);
        has_finished = parsed.module && !parsed.diagnostics.is_out_of_memory;
        finish(&parsed);
    }
    CHECK(has_finished);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), 0);
    CHECK_EQ(memory_live_bytes(MEMORY_COMPILE), 0);
}

// ---- Random input ----

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint32_t random_below(uint32_t limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % limit;
}

TEST(random_tokens_do_no_harm) {
    static const char *const pieces[] = {
        "fn",
        "f",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "=",
        "==",
        ";",
        ",",
        ":",
        "@",
        "if",
        "else",
        "switch",
        "case",
        "default",
        "loop",
        "continuing",
        "break",
        "for",
        "while",
        "var",
        "let",
        "const",
        "override",
        "struct",
        "alias",
        "array",
        "1",
        "2.5f",
        "0x",
        "&&",
        "&",
        "|",
        "||",
        "--",
        "++",
        "+",
        "-",
        "*",
        "/",
        ".",
        "x",
        "_",
        "[",
        "]",
        "->",
        ">>=",
        "<<",
        ">=",
        "\n",
        "/*",
        "*/",
        "//",
        "compute",
        "diagnostic",
        "enable",
        "\xFF",
        "\xC3\xA9",
        "asm",
        "return",
        "const_assert",
        "true",
        "workgroup_size",
        "off",
        "!",
        "~",
        "^=",
        "%",
        "discard",
    };
    char text[4096];
    for (int round = 0; round < 3000; round++) {
        size_t length = 0;
        uint32_t count = 1 + random_below(120);
        for (uint32_t i = 0; i < count && length < sizeof text - 32; i++) {
            const char *piece = pieces[random_below(sizeof pieces / sizeof pieces[0])];
            length += (size_t)snprintf(
                text + length, sizeof text - length, "%s%s", piece, random_below(4) ? " " : "");
        }
        struct parsed parsed;
        parse_text(&parsed, (struct text){text, length});
        CHECK(parsed.module != NULL);
        CHECK(parsed.module &&
            parsed.module->has_syntax_errors == (parsed.diagnostics.error_count > 0));
        struct text_buffer out = {0};
        diagnostic_list_print(&out, &parsed.source, &parsed.diagnostics,
            (struct diagnostic_style){.use_colour = true, .width = 40});
        diagnostic_list_print_json(&out, &parsed.source, &parsed.diagnostics);
        CHECK(!out.has_failed);
        text_buffer_finish(&out);
        finish(&parsed);
    }
}

TEST(mutated_program_does_no_harm) {
    static const char program[] =
        "struct P { pos: vec4<f32>, vel: array<vec2<f32>, 4> }\n"
        "@group(0) @binding(0) var<storage, read_write> ps: array<P>;\n"
        "override n: u32 = 4u; const k = 1.5e3f;\n"
        "fn f(p: ptr<function, i32>) -> i32 { *p += 1; return select(*p, 0x1F, n > 3u); }\n"
        "@compute @workgroup_size(64, 1) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
        "  var i = 0; for (var j = 0u; j < n; j++) { if ps[j].pos.x >= k && true { continue; }\n"
        "  else if (i << 2u) == 8 { break; } else { ps[id.x].pos.xy = vec2f(f(&i)); } }\n"
        "  switch i { case 1, 2: { discard; }\n"
        "  default { loop { i--; continuing { break if i < 0; } } } }\n"
        "}\n";
    char text[sizeof program + 64];
    for (int round = 0; round < 4000; round++) {
        size_t length = sizeof program - 1;
        memcpy(text, program, length);
        uint32_t edits = 1 + random_below(4);
        for (uint32_t i = 0; i < edits && length > 0; i++) {
            uint32_t at = random_below((uint32_t)length);
            switch (random_below(4)) {
            case 0:
                text[at] = (char)random_below(256);
                break;
            case 1:
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
                break;
            case 2:
                text[at] = program[random_below(sizeof program - 1)];
                break;
            default:
                length = at + 1;
                break;
            }
        }
        struct parsed parsed;
        parse_text(&parsed, (struct text){text, length});
        CHECK(parsed.module != NULL);
        for (uint32_t i = 0; i < parsed.diagnostics.count; i++) {
            struct source_span span = parsed.diagnostics.items[i]->span;
            CHECK(span.begin <= span.end && span.end <= length);
        }
        finish(&parsed);
    }
}

// ---- Places ----

TEST(lines_and_columns) {
    struct arena arena;
    struct source source;
    arena_init(&arena, MEMORY_TEST);
    // LF, CR LF, CR, U+2028, U+0085; then a character of two UTF-16 units.
    struct text text = TEXT_LITERAL("a\nb\r\nc\rd\xE2\x80\xA8"
                                    "e\xC2\x85\xF0\x9D\x84\x9E\xC3\xA9x");
    CHECK(source_init(&source, text, TEXT_LITERAL(""), &arena));
    CHECK_EQ(source_locate(&source, 2).line, 2);
    CHECK_EQ(source_locate(&source, 5).line, 3);
    CHECK_EQ(source_locate(&source, 7).line, 4);
    CHECK_EQ(source_locate(&source, 11).line, 5);
    struct source_location at = source_locate(&source, 20);
    CHECK_EQ(at.line, 6);
    CHECK_EQ(at.column, 3);
    CHECK_EQ(at.column_utf16, 4);
    CHECK_EQ(at.column_bytes, 7);
    CHECK_EQ(source_locate(&source, 1000).offset, text.length);
    arena_finish(&arena);
}

TEST(places_in_long_texts) {
    struct arena arena;
    struct source source;
    arena_init(&arena, MEMORY_TEST);
    char *text = repeat("", "0123456789abcd\xC3\xA9\n", 2000, "end"); // 17 bytes a line
    CHECK(source_init(&source, text_from_string(text), TEXT_LITERAL(""), &arena));
    for (uint32_t line = 0; line < 2000; line += 37) {
        struct source_location at = source_locate(&source, line * 17 + 16);
        CHECK_EQ(at.line, line + 1);
        CHECK_EQ(at.column, 16);
    }
    free(text);
    arena_finish(&arena);
}

TEST(printed_diagnostics) {
    struct parsed parsed;
    parse_text(&parsed, TEXT_LITERAL("fn f() {\n\tlet é = 1 let b = 2;\n}"));
    struct text_buffer out = {0};
    diagnostic_list_print(&out, &parsed.source, &parsed.diagnostics, (struct diagnostic_style){0});
    CHECK_STR(out.data,
        "t.wgsl:2:11: error: expected ';' after the statement, found keyword 'let'"
        " [syntax, WGSL §grammar]\n"
        " 2 |     let é = 1 let b = 2;\n"
        "   |              ^\n"
        "  fix: insert ';' at 2:11\n"
        "1 error and 0 warnings\n");
    text_buffer_finish(&out);
    diagnostic_list_print_json(&out, &parsed.source, &parsed.diagnostics);
    CHECK_STR(out.data,
        "[{\"severity\":\"error\",\"code\":\"syntax\",\"section\":\"grammar\",\"rule\":\"the tokens match the grammar\",\"message\":"
        "\"expected ';' after the statement, found keyword 'let'\",\"line\":2,\"column\":11,"
        "\"endLine\":2,\"endColumn\":11,\"offset\":20,\"length\":0,\"notes\":[],\"fixes\":"
        "[{\"replacement\":\";\",\"line\":2,\"column\":11,\"endLine\":2,\"endColumn\":11,"
        "\"offset\":20,\"length\":0}]}]");
    text_buffer_finish(&out);
    finish(&parsed);
}

TEST(every_word_is_found) {
    static const char *const words[] = {
#define KEYWORD(name, text) text,
#define RESERVED(text) text,
#include "shader/wgsl/token.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "const %s = 1;", words[i]);
        struct parsed parsed;
        parse_text(&parsed, text_from_string(text));
        if (!CHECK(parsed.diagnostics.error_count == 1)) {
            fprintf(stderr, "    %s\n", words[i]);
        }
        finish(&parsed);
    }
}

CHECK_MAIN(literals, operators, template_lists, statements, declarations, text_errors,
    syntax_errors, attribute_errors, deep_nesting_is_refused, long_chains_are_read,
    errors_are_bounded, allocation_failure_is_reported, random_tokens_do_no_harm,
    mutated_program_does_no_harm, lines_and_columns, places_in_long_texts, printed_diagnostics,
    every_word_is_found)
