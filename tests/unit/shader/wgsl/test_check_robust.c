// SPDX-License-Identifier: MIT
//
// The checker under failing allocations, on damaged programs, and on programs built to be slow: no
// crash, an error where there must be one, memory linear in the source.
#include <stdlib.h>

#include "shader/wgsl/rule_rows.h"

static const char program[] =
    "requires pointer_composite_access;\n"
    "struct P { pos: vec2f, vel: vec2f, @size(16) c: f32 }\n"
    "alias V = array<P, 4>;\n"
    "override n = 4u; override m = n * 2;\n"
    "const table = array(vec2(1, 2), vec2(3, 4)); const big = array<array<i32, 1000>, 1000>();\n"
    "@group(0) @binding(0) var<storage> a: array<P>;\n"
    "@group(0) @binding(1) var<storage, read_write> b: array<P>;\n"
    "@group(0) @binding(2) var<uniform> u: vec4f;\n"
    "var<workgroup> w: array<atomic<u32>, n>; var<private> p: V;\n"
    "fn add(q: ptr<function, P>, x: f32) -> f32 { (*q).pos.x += x; return q.vel.y; }\n"
    "@compute @workgroup_size(n, 2)\n"
    "fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) li: u32) {\n"
    "  if id.x >= arrayLength(&a) { return; }\n"
    "  var s = a[id.x]; let t = add(&s, 1) + u.x; s.vel = vec2(t) * mat2x2f(1, 2, 3, 4);\n"
    "  for (var i = 0; i < 4; i++) { if i == 2 { continue; } p[i].c = f32(table[1].y) + frexp(t).fract; }\n"
    "  switch id.y { case 0, 1 { s.pos = clamp(s.pos, vec2f(), vec2f(1)); } default { b[id.x] = s; } }\n"
    "  loop { atomicAdd(&w[li & 3], pack4x8unorm(vec4f(0.5))); continuing { break if big[1][2] == 0; } }\n"
    "}\n"
    "@compute @workgroup_size(1) fn other() { workgroupBarrier(); }\n";

TEST(program_is_valid) {
    rule_check_valid(program);
}

// Every allocation fails once: no crash, and never a verdict of "valid".
TEST(failing_allocations) {
    bool has_succeeded = false;
    int64_t countdown = 0;
    for (; countdown < 5000 && !has_succeeded; countdown++) {
        struct rule_outcome outcome;
        struct wgsl_options options = {.enabled_extensions = 0x3f};
        arena_init(&outcome.arena, MEMORY_TEST);
        source_init(
            &outcome.source, text_from_string(program), text_from_string(""), &outcome.arena);
        diagnostic_list_init(&outcome.diagnostics, &outcome.arena, 0);
        struct ast_module *module = wgsl_parse(
            &outcome.source, &outcome.arena, &outcome.diagnostics);
        if (!CHECK(module != NULL)) {
            return;
        }
        memory_fail_after(countdown, true);
        bool is_valid = wgsl_check(module, &options, &outcome.diagnostics);
        has_succeeded = is_valid && !outcome.arena.has_failed;
        memory_fail_after(-1, false);
        CHECK(!is_valid || has_succeeded);
        CHECK(is_valid || outcome.diagnostics.is_out_of_memory);
        rule_finish(&outcome);
    }
    CHECK(has_succeeded);
    CHECK(countdown > 20); // otherwise nothing was tried
}

static uint64_t random_state = 88172645463325252u;

static uint32_t next_random(uint32_t below) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % below;
}

// Pieces of the program copied over other places: an error or not, but never a crash, and a module
// that fails has said why.
TEST(damaged_programs) {
    size_t length = sizeof(program) - 1;
    for (int round = 0; round < 1500; round++) {
        char text[sizeof(program)];
        memcpy(text, program, sizeof(program));
        for (uint32_t i = 0; i <= next_random(3); i++) {
            size_t size = 1 + next_random(next_random(4) == 0 ? 60 : 8);
            size_t from = next_random((uint32_t)(length - size));
            size_t to = next_random((uint32_t)(length - size));
            memcpy(text + to, program + from, size);
        }
        struct rule_outcome outcome;
        rule_begin(&outcome, text);
        if (!CHECK(outcome.is_valid == (outcome.diagnostics.error_count == 0))) {
            rule_print(&outcome, text);
        }
        rule_finish(&outcome);
    }
}

// count copies of a piece, "%d" replaced by the copy's number and "%p" by the number before.
static char *repeat(const char *head, const char *piece, int count, const char *tail) {
    struct text_buffer out = {0};
    text_buffer_append_string(&out, head);
    for (int i = 1; i <= count; i++) {
        for (const char *at = piece; *at != '\0'; at++) {
            if (at[0] == '%' && (at[1] == 'd' || at[1] == 'p')) {
                text_buffer_print(&out, "%d", at[1] == 'd' ? i : i - 1);
                at++;
            } else {
                text_buffer_append_char(&out, *at);
            }
        }
    }
    text_buffer_append_string(&out, tail);
    return out.data;
}

// The memory that parsing and checking may take: 1 MiB and a small multiple of the source. A node of
// the tree is over a hundred bytes and may be two characters long.
static void check_linear(char *text, bool is_valid) {
    struct rule_outcome outcome;
    if (!CHECK(text != NULL)) {
        return;
    }
    rule_begin(&outcome, text);
    if (!CHECK(outcome.is_valid == is_valid)) {
        rule_print(&outcome, "a long program");
    }
    CHECK(outcome.arena.used_bytes < ((size_t)1 << 20) + 150 * strlen(text));
    rule_finish(&outcome);
    free(text);
}

static char *to_malloc(char *text) {
    char *copy = text != NULL ? malloc(strlen(text) + 1) : NULL;
    if (copy != NULL) {
        strcpy(copy, text);
    }
    memory_free(text);
    return copy;
}

TEST(long_programs) {
    check_linear(to_malloc(repeat("fn f(a: i32) -> i32 { return a", "+a", 100000, "; }")), true);
    check_linear(to_malloc(repeat("const c = 1", "+1", 100000, ";")), true);
    check_linear(to_malloc(repeat("const c = true", "&&true", 100000, ";")), true);
    check_linear(
        to_malloc(repeat("fn f(v: vec4f) -> vec4f { return v", ".xyzw", 50000, "; }")), true);
    check_linear(
        to_malloc(repeat("fn f(a: i32) { if a == 0 {}", "else if a == %d {}", 50000, "}")), true);
    check_linear(to_malloc(repeat("const a0 = 1;", "const a%d = a%p + 1;", 30000, "")), true);
    check_linear(to_malloc(repeat("alias a0 = i32;", "alias a%d = a%p;", 30000, "")), true);
    check_linear(to_malloc(repeat("fn f0() -> i32 { return 1; }",
                     "fn f%d() -> i32 { return f%p() + f%p(); }", 3000,
                     "@compute @workgroup_size(1) fn m() { _ = f3000(); workgroupBarrier(); }")),
        true);
    check_linear(to_malloc(repeat("fn f0(p: ptr<private, i32>) { *p = 1; } var<private> v: i32;",
                     "fn f%d(p: ptr<private, i32>) { f%p(p); f%p(p); }", 500, "")),
        true);
    check_linear(
        to_malloc(repeat("", "fn f%d() { f%p(); }", 20000, "fn f0() { f20000(); }")), false);
    check_linear(to_malloc(repeat("fn f() {", "let a%d = x;", 20000, "}")), false);
}

CHECK_MAIN(program_is_valid, failing_allocations, damaged_programs, long_programs)
