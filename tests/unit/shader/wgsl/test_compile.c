// SPDX-License-Identifier: MIT
//
// The front end as a whole: programs of tests/shader, mutated at random, never crash it, and what it
// accepts is valid IR; every allocation may fail; long and deep programs end in a module or in
// diagnostics. What the goldens cannot show.

#include "shader/wgsl/wgsl.h"

#include <time.h>

#include "base/memory.h"
#include "check.h"
#include "shader/ir/ir_text.h"
#include "shader/wgsl/extension.h"

struct compiled {
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct ir_module *module;
    bool is_valid;
};

static void compile(struct compiled *compiled, struct text text) {
    struct wgsl_options options = {.enabled_extensions = UINT32_MAX};
    arena_init(&compiled->arena, MEMORY_TEST);
    diagnostic_list_init(&compiled->diagnostics, &compiled->arena, 0);
    compiled->is_valid = wgsl_compile(
        text, &options, &compiled->arena, &compiled->diagnostics, &compiled->module);
}

static void finish(struct compiled *compiled) {
    arena_finish(&compiled->arena);
}

static void print_diagnostics(struct text text, const struct diagnostic_list *list) {
    struct source source;
    struct arena arena;
    struct text_buffer out = {0};
    arena_init(&arena, MEMORY_TEST);
    if (source_init(&source, text, TEXT_LITERAL("program"), &arena)) {
        diagnostic_list_print(&out, &source, list, (struct diagnostic_style){0});
    }
    fprintf(stderr, "%s", out.data ? out.data : "");
    text_buffer_finish(&out);
    arena_finish(&arena);
}

// Accepted or refused with a reason, and what is accepted is valid.
static bool check_outcome(struct text text) {
    struct compiled compiled;
    compile(&compiled, text);
    bool is_ok = CHECK(compiled.is_valid == (compiled.module != NULL));
    is_ok &= CHECK(compiled.is_valid == (compiled.diagnostics.error_count == 0));
    for (uint32_t i = 0; i < compiled.diagnostics.count; i++) {
        const struct diagnostic *diagnostic = compiled.diagnostics.items[i];
        is_ok &= CHECK(
            diagnostic->span.begin <= diagnostic->span.end && diagnostic->span.end <= text.length);
        is_ok &= CHECK(diagnostic->code != DIAGNOSTIC_INTERNAL);
    }
    struct text_buffer errors = {0};
    if (compiled.module) {
        is_ok &= CHECK(ir_validate(compiled.module, &errors));
    }
    if (!is_ok) {
        fprintf(stderr, "----\n%.*s\n----\n%s\n", TEXT_ARGS(text), errors.data ? errors.data : "");
        print_diagnostics(text, &compiled.diagnostics);
    }
    text_buffer_finish(&errors);
    finish(&compiled);
    return is_ok;
}

// ---- Programs to start from ----

static const char *const seeds[] = {
    "saxpy",
    "arithmetic",
    "assignment",
    "control_if",
    "control_loop",
    "control_switch",
    "short_circuit",
    "matrix",
    "vector",
    "pointer",
    "conversion",
    "builtins",
    "atomics",
    "overrides",
    "variables",
    "dead_code",
    "entry_interface",
    "entry_render",
    "shadowing",
    "layout",
};
enum { SEED_COUNT = sizeof seeds / sizeof seeds[0], SEED_LIMIT = 4096 };

static size_t read_seed(const char *name, char *out) {
    char path[512];
    snprintf(path, sizeof path, "%s/shader/%s.wgsl", ALBA_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) {
        return 0;
    }
    size_t size = fread(out, 1, SEED_LIMIT, file);
    fclose(file);
    return size;
}

static uint64_t random_state = 0x853C49E6748FEA9Bu;

static uint32_t random_below(uint32_t limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % limit;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The word or single character at a random place, as begin and end.
static void pick_token(const char *text, size_t length, size_t *out_begin, size_t *out_end) {
    size_t begin = random_below((uint32_t)length);
    while (begin > 0 && (text[begin] == ' ' || text[begin] == '\n')) {
        begin--;
    }
    size_t end = begin + 1;
    if (is_word(text[begin])) {
        while (begin > 0 && is_word(text[begin - 1])) {
            begin--;
        }
        while (end < length && is_word(text[end])) {
            end++;
        }
    }
    *out_begin = begin;
    *out_end = end;
}

// Replaces a token by another of the same program, doubles it or removes it.
static size_t mutate(char *text, size_t length, size_t capacity) {
    char token[128];
    size_t begin, end, from, to;
    pick_token(text, length, &begin, &end);
    pick_token(text, length, &from, &to);
    size_t size = to - from < sizeof token ? to - from : sizeof token;
    uint32_t choice = random_below(8);
    if (choice == 0) {
        size = 0;
    } else if (choice == 1) {
        begin = end;
    }
    memcpy(token, text + from, size);
    if (length - (end - begin) + size > capacity) {
        return length;
    }
    memmove(text + begin + size, text + end, length - end);
    memcpy(text + begin, token, size);
    return length - (end - begin) + size;
}

TEST(seeds_are_valid) {
    for (size_t i = 0; i < SEED_COUNT; i++) {
        char text[SEED_LIMIT];
        size_t length = read_seed(seeds[i], text);
        struct compiled compiled;
        compile(&compiled, (struct text){text, length});
        if (!CHECK(compiled.is_valid)) {
            fprintf(stderr, "%s\n", seeds[i]);
            print_diagnostics((struct text){text, length}, &compiled.diagnostics);
        }
        finish(&compiled);
    }
}

TEST(mutations_do_no_harm) {
    clock_t end = clock() + 2 * CLOCKS_PER_SEC;
    uint32_t rounds = 0;
    for (; rounds < 4000 && (rounds < 200 || clock() < end); rounds++) {
        char text[SEED_LIMIT * 2];
        size_t length = read_seed(seeds[rounds % SEED_COUNT], text);
        uint32_t edits = 1 + random_below(3);
        for (uint32_t i = 0; i < edits; i++) {
            length = mutate(text, length, sizeof text);
        }
        if (!check_outcome((struct text){text, length})) {
            return;
        }
    }
}

TEST(every_allocation_may_fail) {
    for (size_t seed = 0; seed < SEED_COUNT; seed += 3) {
        char text[SEED_LIMIT];
        size_t length = read_seed(seeds[seed], text);
        bool has_finished = false;
        for (int64_t countdown = 0; countdown < 5000 && !has_finished;
             countdown += 1 + countdown / 20) {
            struct compiled compiled;
            memory_fail_after(countdown, true);
            compile(&compiled, (struct text){text, length});
            memory_fail_after(-1, false);
            CHECK(compiled.is_valid || compiled.diagnostics.is_out_of_memory);
            has_finished = compiled.is_valid;
            finish(&compiled);
        }
        CHECK(has_finished);
    }
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), 0);
    CHECK_EQ(memory_live_bytes(MEMORY_COMPILE), 0);
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

static void check_long(
    int line, const char *head, const char *unit, const char *tail, bool is_valid) {
    char *text = repeat(head, unit, 100000, tail);
    struct compiled compiled;
    compile(&compiled, text_from_string(text));
    if (!check_record(compiled.is_valid == is_valid, __FILE__, line, unit)) {
        print_diagnostics((struct text){text, strlen(head) + 100}, &compiled.diagnostics);
    }
    check_record(
        compiled.is_valid == (compiled.diagnostics.error_count == 0), __FILE__, line, unit);
    size_t limit = ((size_t)1 << 20) + 400 * strlen(text);
    if (!check_record(compiled.arena.used_bytes <= limit, __FILE__, line, "memory")) {
        fprintf(stderr, "    %s: %zu bytes for %zu of text\n", unit, compiled.arena.used_bytes,
            strlen(text));
    }
    finish(&compiled);
    free(text);
}

TEST(long_programs) {
    check_long(__LINE__, "const a = 1; const b = 0", "+a", ";", true);
    check_long(__LINE__, "fn f(a: i32) -> i32 { return a", "+a", "; }", true);
    check_long(__LINE__, "fn f(a: bool) -> bool { return a", "&&a", "; }", true);
    check_long(__LINE__, "fn f(a: vec2f) -> vec2f { return a", ".xy", "; }", true);
    check_long(__LINE__, "fn f(a: i32) { if a == 0 { }", "else if a == 1 { }", "}", false);
    check_long(__LINE__, "fn f() { var a = 1; ", "a += a; ", "}", true);
    check_long(__LINE__, "fn f() { ", "if true { } ", "}", true);
    check_long(__LINE__, "fn f() { ", "var a = 1; ", "}", false);
    check_long(__LINE__, "fn f() { ", "{ let a = 1; } ", "}", true);
}

TEST(doubling_calls) {
    // f30 would execute 2^30 calls of f0; compiling it is linear.
    struct text_buffer text = {0};
    text_buffer_append_string(&text, "fn f0(a: i32) -> i32 { return a; }\n");
    for (unsigned i = 1; i <= 30; i++) {
        text_buffer_print(
            &text, "fn f%u(a: i32) -> i32 { return f%u(f%u(a)); }\n", i, i - 1, i - 1);
    }
    CHECK(check_outcome(text_buffer_get(&text)));
    text_buffer_finish(&text);
}

TEST(huge_constant_arrays) {
    struct compiled compiled;
    struct text text = TEXT_LITERAL(
        "const zero = array<vec4f, 10000000>();\n"
        "fn f(i: u32) -> f32 { return zero[i].x + zero[i + 1].y + zero[5].z; }");
    compile(&compiled, text);
    CHECK(compiled.arena.used_bytes < (size_t)4 << 20);
    CHECK(compiled.is_valid == (compiled.diagnostics.error_count == 0));
    finish(&compiled);
}

TEST(too_much_text) {
    struct compiled compiled;
    static char page[4096];
    memset(page, ' ', sizeof page);
    // Only the length is looked at.
    compile(&compiled, (struct text){page, WGSL_SOURCE_LIMIT_BYTES + 1});
    CHECK(!compiled.is_valid);
    CHECK_EQ(compiled.diagnostics.count, 1);
    CHECK(compiled.diagnostics.count &&
        compiled.diagnostics.items[0]->code == DIAGNOSTIC_SOURCE_TOO_LARGE);
    finish(&compiled);
}

CHECK_MAIN(seeds_are_valid, mutations_do_no_harm, every_allocation_may_fail, long_programs,
    doubling_calls, huge_constant_arrays, too_much_text)
