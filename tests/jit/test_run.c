// SPDX-License-Identifier: MIT
//
// Directed programs through the code generator, each over levels, widths and jams, with bindings that
// end at a page that cannot be touched. Expected values are computed here, invocation by invocation.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "jit/jit_run.h"

struct form {
    enum jit_level level;
    uint32_t width, jam;
};
static const struct form forms[] = {{JIT_LEVEL_SSE42, 4, 1}, {JIT_LEVEL_SSE42, 4, 2},
    {JIT_LEVEL_AVX2, 8, 1}, {JIT_LEVEL_AVX2, 8, 4}, {JIT_LEVEL_AVX2, 1, 1}, {JIT_LEVEL_AVX2, 16, 1},
    {JIT_LEVEL_AVX512, 16, 1}, {JIT_LEVEL_AVX512, 16, 2}, {JIT_LEVEL_AVX2, 0, 0}};

// size bytes that end at a page without access.
struct guarded {
    uint8_t *pages;
    size_t page_bytes;
    struct jit_buffer buffer;
};
static struct guarded guarded_make(uint64_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guarded g = {.page_bytes = (size + page - 1) / page * page + page};
    g.pages = mmap(NULL, g.page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(g.pages + g.page_bytes - page, page, PROT_NONE);
    g.buffer = (struct jit_buffer){g.pages + g.page_bytes - page - size, size};
    return g;
}
static uint32_t get(const struct jit_buffer *buffer, uint32_t word) {
    uint32_t value;
    memcpy(&value, buffer->data + 4 * (size_t)word, 4);
    return value;
}
static void set(const struct jit_buffer *buffer, uint32_t word, uint32_t value) {
    memcpy(buffer->data + 4 * (size_t)word, &value, 4);
}

#define BUFFERS 4
struct program {
    const char *wgsl;
    uint32_t words[BUFFERS]; // sizes; 0: no more
    uint32_t groups[3];
    uint32_t (*initial)(uint32_t buffer, uint32_t word);
    void (*check)(const struct jit_buffer *buffers, const struct jit_run *run);
};

static void run_form(const struct program *program, const struct form *form, bool has_passes) {
    struct jit_options options = {
        .level = form->level, .width = form->width, .jam = form->jam, .poll_cancel = true};
    struct jit_run run;
    struct guarded memory[BUFFERS];
    struct jit_buffer buffers[BUFFERS] = {{0}};
    uint32_t count = 0;
    bool is_made = has_passes ? jit_run_create(&run, program->wgsl, &options)
                              : jit_run_create_unlowered(&run, program->wgsl, &options);
    CHECK(is_made);
    if (!is_made) {
        fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&run.error)));
        jit_run_destroy(&run);
        return;
    }
    for (; count < BUFFERS && program->words[count] != 0; count++) {
        memory[count] = guarded_make(4 * (uint64_t)program->words[count]);
        buffers[count] = memory[count].buffer;
        for (uint32_t i = 0; i < program->words[count]; i++) {
            set(&buffers[count], i, program->initial != NULL ? program->initial(count, i) : 0);
        }
    }
    uint64_t before = check_failure_count;
    jit_run_dispatch(&run, buffers, program->groups[0], program->groups[1], program->groups[2]);
    program->check(buffers, &run);
    if (check_failure_count != before) {
        fprintf(stderr, "    at %s, width %u, jam %u\n", jit_level_word(form->level), form->width,
            form->jam);
    }
    for (uint32_t i = 0; i < count; i++) {
        munmap(memory[i].pages, memory[i].page_bytes);
    }
    jit_run_destroy(&run);
}

static void run_forms(const struct program *program, bool has_passes) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].level <= jit->native_level()) {
            run_form(program, &forms[i], has_passes);
        }
    }
}

static void run_all(const struct program *program) {
    run_forms(program, true);
}

static uint32_t mix(uint32_t buffer, uint32_t word) {
    uint32_t x = (word + 1) * 2654435761u + buffer * 40503u;
    return x ^ x >> 15;
}

static uint32_t mix_first(uint32_t buffer, uint32_t word) {
    return buffer == 0 ? mix(buffer, word) : 0;
}

// ---------------------------------------------------------------- memory

static void check_tail(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 77; i++) {
        CHECK_EQ(get(&b[1], i), get(&b[0], i) * 3 + 1);
    }
}
TEST(stores_past_the_end_are_dropped) {
    // 77 elements, 96 invocations: the last vectors lie half outside.
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
        "@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
        "  b[g.x] = a[g.x] * 3u + 1u;\n}\n",
        {77, 77}, {3, 1, 1}, mix, check_tail});
}

static void check_shifted(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 64; i++) {
        CHECK_EQ(get(&b[1], i), i == 0 ? 0 : get(&b[0], i - 1));
        CHECK_EQ(get(&b[2], i), i >= 60 ? 0 : get(&b[0], i + 4));
        CHECK_EQ(get(&b[3], i), i == 63 ? mix(3, 63) : get(&b[0], i));
    }
}
TEST(indices_that_wrap_below_zero_and_past_the_end) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
        "@group(0) @binding(2) var<storage, read_write> c: array<u32>;\n"
        "@group(0) @binding(3) var<storage, read_write> d: array<u32>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  b[i] = a[i - 1u]; c[i] = a[i + 4u]; d[i - 1u] = a[i - 1u];\n}\n",
        {64, 64, 64, 64}, {1, 1, 1}, mix, check_shifted});
}

static void check_particles(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 45; i++) {
        bool is_changed = i % 3 != 1 && i < 41;
        for (uint32_t w = 0; w < 8; w++) {
            uint32_t old = mix(0, i * 8 + w);
            uint32_t want = !is_changed ? old : w == 1 ? old + i : w == 4 ? mix(0, i * 8 + 2) : old;
            CHECK_EQ(get(&b[0], i * 8 + w), want);
        }
    }
}
TEST(members_of_structures_leave_their_neighbours_alone) {
    run_all(&(struct program){
        "struct P { a: vec3u, b: u32, c: u32, d: u32, e: u32, f: u32 }\n"
        "@group(0) @binding(0) var<storage, read_write> p: array<P>;\n"
        "@compute @workgroup_size(41) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  if (i % 3u == 1u) { return; }\n"
        "  let z = p[i].a.z; p[i].a.y += i; p[i].c = z;\n}\n",
        {45 * 8}, {1, 1, 1}, mix, check_particles});
}

static void check_odd(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 40; i++) {
        for (uint32_t w = 0; w < 9; w++) {
            CHECK_EQ(get(&b[1], i * 9 + w), get(&b[0], i * 9 + (8 - w)));
        }
        CHECK_EQ(get(&b[2], i * 2), get(&b[0], i * 9) + 1);
        CHECK_EQ(get(&b[2], i * 2 + 1), get(&b[0], i * 9 + 1) + 1);
        CHECK_EQ(get(&b[3], i * 3 + 2), get(&b[0], i * 9 + 5));
        CHECK_EQ(get(&b[3], i * 3 + 1), get(&b[0], i * 9 + 4));
    }
}
TEST(rows_of_nine_two_and_three_words) {
    run_all(&(struct program){
        "struct P { v: array<u32, 9> }\nstruct T { x: u32, y: u32, z: u32 }\n"
        "@group(0) @binding(0) var<storage, read> a: array<P>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<P>;\n"
        "@group(0) @binding(2) var<storage, read_write> c: array<vec2u>;\n"
        "@group(0) @binding(3) var<storage, read_write> d: array<T>;\n"
        "@compute @workgroup_size(8, 5) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  for (var k = 0; k < 9; k++) { b[i].v[k] = a[i].v[8 - k]; }\n"
        "  c[i] = vec2u(a[i].v[0], a[i].v[1]) + 1u;\n"
        "  d[i] = T(a[i].v[3], a[i].v[4], a[i].v[5]);\n}\n",
        {40 * 9, 40 * 9, 80, 120}, {1, 1, 1}, mix, check_odd});
}

// A constant beyond the row names nothing, whether the row is at hand or is wanted after.
static void check_beyond(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 40; i++) {
        const uint32_t expected[] = {0, mix(0, 5 * i + 2), mix(0, 5 * i + 1), 0, mix(0, 5 * i + 4)};
        for (uint32_t w = 0; w < 5; w++) {
            CHECK_EQ(get(&b[0], 5 * i + w), expected[w]);
        }
    }
}
TEST(constants_beyond_a_row) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> a: array<array<u32, 5>>;\n"
        "var<private> far = 255u;\nvar<private> next = 5u;\n"
        "@compute @workgroup_size(40) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  let x = a[i][far]; let y = a[i][1]; let z = a[i][next]; let w = a[i][2];\n"
        "  a[i][far] = 7u;\n  a[i][0] = x;\n  a[i][next] = 8u;\n  a[i][2] = y;\n"
        "  a[i][3] = z;\n  a[i][1] = w;\n}\n",
        {200}, {1, 1, 1}, mix, check_beyond});
}

// LLVM gives the instruction a wrong table under a mask, with an operand in memory; any processor can
// look at the code.
TEST(no_three_way_logic_under_a_mask_with_memory) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    struct jit_options options = {.level = jit->native_level()};
    struct text_buffer text = {0};
    struct jit_run run;
    bool is_made = jit_run_create(&run,
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
        "const widths = array<u32, 2>(7, 0);\n"
        "@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
        "  let g = id.x;\n  let x = a[g + 0x20000000u];\n"
        "  a[g * 4u + 3u] = insertBits(g, g, 1u, widths[g % 2u]) * 5u;\n"
        "  a[g + 0x20000000u] = x - a[7];\n}\n",
        &options);
    options.level = JIT_LEVEL_AVX512;
    if (CHECK(is_made) && jit->native_level() != JIT_LEVEL_NEON &&
        CHECK(jit->print(run.program->ir, 0, &options, JIT_TEXT_ASSEMBLY, &text, &run.error))) {
        text_buffer_append(&text, (struct text){"", 1});
        uint32_t found = 0;
        for (char *at = text.data; (at = strstr(at, "vpternlog")) != NULL; at++) {
            size_t length = strcspn(at, "\n");
            char *memory = memchr(at, '(', length), *mask = memchr(at, 'k', length);
            CHECK(memory == NULL || mask == NULL);
            found++;
        }
        CHECK(found > 0);
    }
    text_buffer_finish(&text);
    jit_run_destroy(&run);
}

static void check_gather(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t at = get(&b[0], i) % 60; // 50 elements of four words: some are outside
        for (uint32_t w = 0; w < 4; w++) {
            CHECK_EQ(get(&b[2], i * 4 + w), at < 50 ? mix(1, at * 4 + w) : 0);
        }
    }
}
TEST(gathered_vectors_and_a_scatter) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> index: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read> a: array<vec4u>;\n"
        "@group(0) @binding(2) var<storage, read_write> b: array<vec4u>;\n"
        "@compute @workgroup_size(50) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  let j = (i * 7u + 3u) % 50u;\n  b[j] = a[index[j] % 60u];\n}\n",
        {50, 200, 200}, {1, 1, 1}, mix, check_gather});
}

static void check_private(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 33; i++) {
        uint32_t stack[12] = {0}, sum = 0;
        for (uint32_t k = 0; k < 20; k++) {
            uint32_t at = (k * 5 + i) % 16;
            if (at < 12) {
                stack[at] += k + i;
            }
        }
        for (uint32_t k = 0; k < 12; k++) {
            sum = sum * 31 + stack[k];
        }
        CHECK_EQ(get(&b[0], i), sum);
    }
}
TEST(private_arrays_with_indices_of_each_lane) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
        "var<private> stack: array<u32, 12>;\n"
        "@compute @workgroup_size(33) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  for (var k = 0u; k < 20u; k++) { stack[(k * 5u + i) % 16u] += k + i; }\n"
        "  var sum = 0u;\n"
        "  for (var k = 0u; k < 12u; k++) { sum = sum * 31u + stack[k]; }\n"
        "  b[i] = sum;\n}\n",
        {33}, {1, 1, 1}, NULL, check_private});
}

static uint32_t at_clamped(int32_t x, int32_t y) {
    x = x < 0 ? 0 : x > 31 ? 31 : x;
    y = y < 0 ? 0 : y > 7 ? 7 : y;
    return mix(0, (uint32_t)(y * 32 + x));
}
static void check_neighbours(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (int32_t i = 0; i < 256; i++) {
        uint32_t sum = 0;
        for (int32_t dy = -1; dy <= 1; dy++) {
            for (int32_t dx = -1; dx <= 1; dx++) {
                sum = sum * 3 + at_clamped(i % 32 + dx, i / 32 + dy);
            }
        }
        CHECK_EQ(get(&b[1], (uint32_t)i), sum);
        CHECK_EQ(get(&b[2], (uint32_t)i), mix(0, (uint32_t)(i + 250) % 256u));
    }
}
TEST(neighbours_with_clamped_and_wrapped_indices) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
        "@group(0) @binding(2) var<storage, read_write> c: array<u32>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
        "  let x = i32(g.x % 32u);\n  let y = i32(g.x / 32u);\n  var sum = 0u;\n"
        "  for (var dy = -1; dy <= 1; dy++) {\n    for (var dx = -1; dx <= 1; dx++) {\n"
        "      sum = sum * 3u + a[clamp(y + dy, 0, 7) * 32 + clamp(x + dx, 0, 31)];\n"
        "    }\n  }\n  b[g.x] = sum;\n  c[g.x] = a[(g.x + 250u) & 255u];\n}\n",
        {256, 256, 256}, {4, 1, 1}, mix, check_neighbours});
}

// ---------------------------------------------------------------- control flow

static uint32_t collatz(uint32_t x, uint32_t *out_kind) {
    uint32_t steps = 0;
    *out_kind = 0;
    for (;;) {
        if (x == 1) {
            *out_kind = 1;
            break;
        }
        steps++;
        if (x % 2 == 0) {
            x /= 2;
            if (x % 16 == 8) {
                continue;
            }
        } else {
            x = 3 * x + 1;
        }
        if (steps > 60) {
            *out_kind = 2;
            break;
        }
    }
    return steps;
}
static void check_collatz(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t kind, steps = collatz(i + 1, &kind);
        CHECK_EQ(get(&b[0], i), (i % 7 == 3) ? 77 : steps * 10 + kind);
    }
}
TEST(loops_that_lanes_leave_at_different_times) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
        "@compute @workgroup_size(50) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
        "  b[g.x] = 77u;\n  if (g.x % 7u == 3u) { return; }\n"
        "  var x = g.x + 1u; var steps = 0u; var kind = 0u;\n"
        "  loop {\n    if (x == 1u) { kind = 1u; break; }\n    steps++;\n"
        "    if (x % 2u == 0u) { x /= 2u; if (x % 16u == 8u) { continue; } } else { x = 3u * x + 1u; }\n"
        "    if (steps > 60u) { kind = 2u; break; }\n  }\n"
        "  b[g.x] = steps * 10u + kind;\n}\n",
        {100}, {2, 1, 1}, NULL, check_collatz});
}

// What the loops below count for invocation i; the fourth ends after its counter has wrapped.
static uint32_t counted(uint32_t i, uint32_t which) {
    uint32_t n = 0;
    switch (which) {
    case 0:
        for (float x = (float)(i * i + 1); n < 11 && x > 1.5f; n++) {
            x *= 0.5f;
        }
        return n;
    case 1:
        for (n = i; n < i + 40 && n % 7 != 0 && n % 11 != 3; n += 3) {
        }
        return n;
    case 2:
        for (n = 5; n + 1 < i / 2; n++) {
        }
        return n;
    case 3:
        for (n = 0xfffffff0u; (n + i) % 3 != 0 || n > 100; n += 5) {
        }
        return n;
    default:
        for (uint32_t k = 0; k < i % 4; k++) {
            uint32_t m = 1;
            for (; m < 9 && (m + k) % 5 != i % 5; m++) {
            }
            n = n * 10 + m;
        }
        return n;
    }
}
static void check_counters(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 100; i++) {
        for (uint32_t which = 0; which < 5; which++) {
            CHECK_EQ(get(&b[0], i * 5 + which), i % 9 == 4 ? 0 : counted(i, which));
        }
    }
}
TEST(counters_of_loops_that_lanes_leave_at_different_times) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
        "@compute @workgroup_size(50) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
        "  let i = g.x;\n  if (i % 9u == 4u) { return; }\n"
        "  var x = f32(i * i + 1u); var n = 0u;\n"
        "  while (n < 11u && x > 1.5) { x = x * 0.5; n++; }\n  b[i * 5u] = n;\n"
        "  n = i;\n"
        "  for (; n < i + 40u; n += 3u) {\n"
        "    if (n % 7u == 0u) { break; }\n    if (n % 11u == 3u) { break; }\n  }\n"
        "  b[i * 5u + 1u] = n;\n"
        "  var m = 5u;\n  loop { n = m; continuing { m++; break if m >= i / 2u; } }\n"
        "  b[i * 5u + 2u] = n;\n"
        "  for (m = 0xfffffff0u; ; m += 5u) {\n    if (m > 100u) { continue; }\n"
        "    if ((m + i) % 3u == 0u) { break; }\n  }\n"
        "  b[i * 5u + 3u] = m;\n  n = 0u;\n"
        "  for (var k = 0u; k < i % 4u; k++) {\n    m = 1u;\n"
        "    while (m < 9u && (m + k) % 5u != i % 5u) { m++; }\n    n = n * 10u + m;\n  }\n"
        "  b[i * 5u + 4u] = n;\n}\n",
        {500}, {2, 1, 1}, NULL, check_counters});
}

static uint32_t switched(uint32_t i) {
    uint32_t r = 0;
    for (uint32_t k = 0; k < 6; k++) {
        switch ((i + k) % 6) {
        case 0:
            r += 1;
            break;
        case 1:
        case 4:
            r = r * 3 + k;
            if (r % 5 == 0) {
                break;
            }
            r += 100;
            break;
        case 2:
            if (k > 3) {
                return r + 5000;
            }
            continue;
        default:
            r ^= i;
            break;
        }
        r += 7;
    }
    return r;
}
static void check_switch(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 60; i++) {
        CHECK_EQ(get(&b[0], i), switched(i));
    }
}
TEST(switches_with_returns_and_continues) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
        "fn f(i: u32) -> u32 {\n  var r = 0u;\n  for (var k = 0u; k < 6u; k++) {\n"
        "    switch (i + k) % 6u {\n      case 0u: { r += 1u; }\n"
        "      case 1u, 4u: { r = r * 3u + k; if (r % 5u == 0u) { break; } r += 100u; }\n"
        "      case 2u: { if (k > 3u) { return r + 5000u; } continue; }\n"
        "      default: { r ^= i; }\n    }\n    r += 7u;\n  }\n  return r;\n}\n"
        "@compute @workgroup_size(20) fn main(@builtin(global_invocation_id) g: vec3u) { b[g.x] = f(g.x); }\n",
        {60}, {3, 1, 1}, NULL, check_switch});
}

static uint32_t small(uint32_t buffer, uint32_t word) {
    return buffer == 0 ? word % 3 : 0;
}
static void check_uniform_exits(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t r = i;
        for (uint32_t k = 0; k < 5; k++) {
            uint32_t n = k % 3;
            if ((i + k) % 3 == 0) {
                r += n == 0 ? 0 : 100;
            } else if ((i + k) % 3 == 1) {
                if (n == 1) {
                    continue;
                }
                r += 7;
            } else {
                r += 1;
            }
            if (i % 2 == 1) {
                if (n == 2) {
                    r += 5000;
                    break;
                }
                r += 3;
            }
            r *= 2;
        }
        CHECK_EQ(get(&b[1], i), r);
    }
}
TEST(exits_that_are_uniform_inside_what_is_not) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> n: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
        "@compute @workgroup_size(40) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  var r = i;\n  for (var k = 0u; k < 5u; k++) {\n    switch (i + k) % 3u {\n"
        "      case 0u: { if (n[k] == 0u) { break; } r += 100u; }\n"
        "      case 1u: { if (n[k] == 1u) { continue; } r += 7u; }\n"
        "      default: { r += 1u; }\n    }\n"
        "    if (i % 2u == 1u) { if (n[k] == 2u) { r += 5000u; break; } r += 3u; }\n"
        "    r *= 2u;\n  }\n  b[i] = r;\n}\n",
        {5, 40}, {1, 1, 1}, small, check_uniform_exits});
}

// ---------------------------------------------------------------- barriers

static void check_scan(const struct jit_buffer *b, const struct jit_run *run) {
    uint32_t size = run->kernel->workgroup_size[0];
    for (uint32_t g = 0; g < 2; g++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < size; i++) {
            sum += mix(0, g * size + i);
            CHECK_EQ(get(&b[1], g * size + i), sum);
        }
    }
}
static void scan(const char *size, uint32_t count) {
    char wgsl[1024];
    snprintf(wgsl, sizeof wgsl,
        "const N = %su;\n@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
        "var<workgroup> t: array<u32, N>;\n"
        "@compute @workgroup_size(N) fn main(@builtin(local_invocation_index) i: u32,\n"
        "    @builtin(global_invocation_id) g: vec3u) {\n"
        "  var mine = a[g.x];\n  t[i] = mine;\n  workgroupBarrier();\n"
        "  for (var step = 1u; step < N; step *= 2u) {\n"
        "    var other = 0u;\n    if (i >= step) { other = t[i - step]; }\n    workgroupBarrier();\n"
        "    mine += other;\n    t[i] = mine;\n    workgroupBarrier();\n  }\n  b[g.x] = mine;\n}\n",
        size);
    run_all(&(struct program){wgsl, {2 * count, 2 * count}, {2, 1, 1}, mix, check_scan});
}
TEST(a_scan_over_workgroups_of_every_kind_of_size) {
    scan("1", 1);
    scan("7", 7);
    scan("33", 33);
    scan("64", 64);
    scan("100", 100);
}

static void check_uniform(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 48; i++) {
        // Each round reads the neighbour's value of the round before.
        uint32_t values[48], next[48];
        for (uint32_t k = 0; k < 48; k++) {
            values[k] = k;
        }
        for (uint32_t round = 0; round < 5; round++) {
            for (uint32_t k = 0; k < 48; k++) {
                next[k] = values[(k + 1) % 48] + (round == 2 ? 1000 : round == 3 ? k : 0);
            }
            memcpy(values, next, sizeof values);
        }
        CHECK_EQ(get(&b[0], i), values[i] + 5);
    }
}
TEST(a_switch_and_a_uniform_load_hold_barriers) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
        "var<workgroup> t: array<u32, 48>;\nvar<workgroup> rounds: u32;\n"
        "fn exchange(i: u32) -> u32 { let v = t[(i + 1u) % 48u]; workgroupBarrier(); return v; }\n"
        "@compute @workgroup_size(48) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  if (i == 0u) { rounds = 5u; }\n  t[i] = i;\n"
        "  let n = workgroupUniformLoad(&rounds);\n  var k = 0u;\n"
        "  loop {\n    if (k >= n) { break; }\n    var v = 0u;\n"
        "    switch k {\n      case 2u: { v = exchange(i) + 1000u; }\n"
        "      case 3u: { v = exchange(i); v += i; }\n      default: { v = exchange(i); }\n    }\n"
        "    t[i] = v;\n    workgroupBarrier();\n    continuing { k++; }\n  }\n  b[i] = t[i] + k;\n}\n",
        {48}, {1, 1, 1}, NULL, check_uniform});
}

static void check_tree(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t g = 0; g < 3; g++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 100; i++) {
            sum += mix(0, g * 100 + i);
        }
        CHECK_EQ(get(&b[1], g * 2), sum);
        CHECK_EQ(get(&b[1], g * 2 + 1), mix(0, g * 100 + 99));
    }
}
TEST(a_reduction_whose_last_steps_need_few_lanes) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> b: array<vec2u>;\n"
        "var<workgroup> t: array<u32, 100>;\n"
        "@compute @workgroup_size(100) fn main(@builtin(local_invocation_index) i: u32,\n"
        "    @builtin(global_invocation_id) g: vec3u, @builtin(workgroup_id) w: vec3u) {\n"
        "  t[i] = a[g.x];\n  workgroupBarrier();\n"
        "  if (i == 99u) { b[w.x].y = t[i]; }\n  workgroupBarrier();\n"
        "  for (var n = 100u; n > 1u; n = (n + 1u) / 2u) {\n"
        "    if (i < n / 2u) { t[i] += t[n - 1u - i]; }\n    workgroupBarrier();\n  }\n"
        "  if (i == 0u) { b[w.x].x = t[0]; }\n}\n",
        {300, 6}, {3, 1, 1}, mix, check_tree});
}

// ---------------------------------------------------------------- atomics

static void check_counts(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    uint32_t bins[8] = {0}, greatest = 0;
    for (uint32_t i = 0; i < 130; i++) {
        bins[mix(0, i) % 8]++;
        greatest = mix(0, i) > greatest ? mix(0, i) : greatest;
    }
    for (uint32_t k = 0; k < 8; k++) {
        CHECK_EQ(get(&b[1], k), bins[k]);
    }
    CHECK_EQ(get(&b[1], 8), 130);
    CHECK_EQ(get(&b[1], 9), greatest);
    bool is_seen[130] = {false};
    for (uint32_t i = 0; i < 130; i++) {
        uint32_t ticket = get(&b[2], i);
        CHECK(ticket < 130 && !is_seen[ticket]);
        is_seen[ticket % 130] = true;
    }
}
TEST(atomics_on_storage_and_workgroup_memory) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> n: array<atomic<u32>, 11>;\n"
        "@group(0) @binding(2) var<storage, read_write> tickets: array<u32>;\n"
        "var<workgroup> bins: array<atomic<u32>, 8>;\n"
        "@compute @workgroup_size(65) fn main(@builtin(local_invocation_index) i: u32,\n"
        "    @builtin(global_invocation_id) g: vec3u) {\n"
        "  atomicAdd(&bins[a[g.x] % 8u], 1u);\n  atomicAdd(&n[8], 1u);\n  atomicMax(&n[9], a[g.x]);\n"
        "  tickets[g.x] = atomicAdd(&n[10], 1u);\n  workgroupBarrier();\n"
        "  if (i < 8u) { atomicAdd(&n[i], atomicLoad(&bins[i])); }\n}\n",
        {130, 11, 130}, {2, 1, 1}, mix_first, check_counts});
}

static void check_lock(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    uint32_t wins = 0;
    for (uint32_t i = 0; i < 64; i++) {
        wins += get(&b[1], i);
    }
    CHECK_EQ(wins, 1);
    CHECK_EQ(get(&b[0], 0), 42);
}
TEST(one_lane_wins_an_exchange) {
    run_all(&(struct program){
        "@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> won: array<u32>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  won[i] = select(0u, 1u, atomicCompareExchangeWeak(&lock, 0u, 42u).exchanged);\n}\n",
        {1, 64}, {1, 1, 1}, NULL, check_lock});
}

// ---------------------------------------------------------------- calls

static uint32_t power(uint32_t x, uint32_t n) {
    uint32_t r = 1;
    for (uint32_t k = 0; k < n; k++) {
        if (r > 100000) {
            return 7;
        }
        r *= x;
    }
    return r;
}
static void check_calls(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 37; i++) {
        uint32_t n = i % 5, want = i % 3 == 1 ? 9 : power(i, n) + (i > 20 ? 1000 : 0);
        CHECK_EQ(get(&b[0], i * 2), want);
        CHECK_EQ(get(&b[0], i * 2 + 1), i % 3 == 1 ? 5 : n + 3);
        count += i % 3 != 1;
    }
    CHECK_EQ(get(&b[1], 0), count);
}
TEST(calls_with_masks_vectors_and_bools) {
    run_forms(
        &(struct program){
            "@group(0) @binding(0) var<storage, read_write> b: array<vec2u>;\n"
            "@group(0) @binding(1) var<storage, read_write> n: atomic<u32>;\n"
            "fn power(x: u32, n: u32) -> u32 {\n  var r = 1u;\n  for (var k = 0u; k < n; k++) {\n"
            "    if (r > 100000u) { return 7u; }\n    r *= x;\n  }\n  return r;\n}\n"
            "fn both(x: u32, n: u32, more: bool) -> vec2u {\n  atomicAdd(&n_of, 0u);\n"
            "  let p = power(x, n);\n  if (more) { return vec2u(p + 1000u, n + 3u); }\n"
            "  return vec2u(p, n + 3u);\n}\nvar<workgroup> n_of: atomic<u32>;\n"
            "fn is_large(x: u32) -> bool { return x > 20u; }\n"
            "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
            "  b[i] = vec2u(9u, 5u);\n  if (i % 3u == 1u) { return; }\n  atomicAdd(&n, 1u);\n"
            "  b[i] = both(i, i % 5u, is_large(i));\n}\n",
            {74, 1}, {1, 1, 1}, NULL, check_calls},
        false);
}

static void check_pointers(const struct jit_buffer *b, const struct jit_run *run) {
    (void)run;
    for (uint32_t i = 0; i < 21; i++) {
        uint32_t local[4] = {i, 1, 2, 3}, kept = 100 + i;
        for (uint32_t k = 0; k < 6; k++) {
            uint32_t at = (i + k) % 5;
            if (at < 4) {
                local[at] += k;
                kept += local[at];
            }
        }
        CHECK_EQ(get(&b[0], i * 2), kept);
        CHECK_EQ(get(&b[0], i * 2 + 1), local[0] * 1000 + local[3]);
        CHECK_EQ(get(&b[1], i), i * 4 + 1);
    }
}
TEST(calls_with_pointers_to_every_space) {
    run_forms(
        &(struct program){
            "@group(0) @binding(0) var<storage, read_write> b: array<vec2u>;\n"
            "@group(0) @binding(1) var<storage, read_write> c: array<u32>;\n"
            "var<private> kept: u32;\nvar<workgroup> w: array<u32, 21>;\n"
            "fn add(p: ptr<function, vec4u>, at: u32, k: u32) {\n"
            "  if (at >= 4u) { return; }\n  (*p)[at] += k;\n  kept += (*p)[at];\n}\n"
            "fn assign(p: ptr<private, u32>, x: u32) { *p = x; }\n"
            "fn twice(p: ptr<storage, u32, read_write>) { *p = *p * 2u; }\n"
            "fn length(p: ptr<storage, array<u32>, read_write>) -> u32 { return arrayLength(p); }\n"
            "fn put(p: ptr<workgroup, u32>, x: u32) { *p = x; }\n"
            "@compute @workgroup_size(21) fn main(@builtin(local_invocation_index) i: u32) {\n"
            "  var local: vec4u;\n"
            "  local[0] = i; local[1] = 1u; local[2] = 2u; local[3] = 3u;\n  assign(&kept, 100u + i);\n"
            "  for (var k = 0u; k < 6u; k++) { add(&local, (i + k) % 5u, k); }\n"
            "  b[i] = vec2u(kept, local[0] * 1000u + local[3]);\n"
            "  c[i] = i;\n  twice(&c[i]);\n  put(&w[i], c[i]);\n  twice(&c[i]);\n"
            "  c[i] = w[i] * 2u + select(0u, 1u, length(&c) == 21u);\n  twice(&c[i + 40u]);\n}\n",
            {42, 21}, {1, 1, 1}, NULL, check_pointers},
        false);
}

// ---------------------------------------------------------------- built-in values

static void check_ids(const struct jit_buffer *b, const struct jit_run *run) {
    const uint32_t *size = run->kernel->workgroup_size;
    for (uint32_t z = 0; z < 2 * size[2]; z++) {
        for (uint32_t y = 0; y < 2 * size[1]; y++) {
            for (uint32_t x = 0; x < 3 * size[0]; x++) {
                uint32_t local = (z % size[2] * size[1] + y % size[1]) * size[0] + x % size[0];
                uint32_t group = (z / size[2] * 2 + y / size[1]) * 3 + x / size[0];
                uint32_t at = (z * 2 * size[1] + y) * 3 * size[0] + x;
                CHECK_EQ(get(&b[0], at), local * 100 + group);
            }
        }
    }
}
static void ids(const char *size, uint32_t count) {
    char wgsl[700];
    snprintf(wgsl, sizeof wgsl,
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
        "@compute @workgroup_size(%s) fn main(@builtin(local_invocation_index) i: u32,\n"
        "    @builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u,\n"
        "    @builtin(workgroup_id) w: vec3u, @builtin(num_workgroups) n: vec3u) {\n"
        "  const S = vec3u(%s);\n  let local = (l.z * S.y + l.y) * S.x + l.x;\n"
        "  let at = (g.z * n.y * S.y + g.y) * n.x * S.x + g.x;\n"
        "  if (local != i) { return; }\n"
        "  b[at] = local * 100u + (w.z * n.y + w.y) * n.x + w.x;\n}\n",
        size, size);
    run_all(&(struct program){wgsl, {count * 12}, {3, 2, 2}, NULL, check_ids});
}
TEST(invocation_numbers_of_every_kind_of_workgroup) {
    ids("16, 2, 2", 64);
    ids("8, 4, 1", 32);
    ids("4, 4, 2", 32);
    ids("2, 3, 5", 30);
    ids("1, 1, 9", 9);
    ids("3, 8, 1", 24);
}

CHECK_MAIN(neighbours_with_clamped_and_wrapped_indices, a_reduction_whose_last_steps_need_few_lanes,
    stores_past_the_end_are_dropped, indices_that_wrap_below_zero_and_past_the_end,
    members_of_structures_leave_their_neighbours_alone, rows_of_nine_two_and_three_words,
    gathered_vectors_and_a_scatter, private_arrays_with_indices_of_each_lane,
    constants_beyond_a_row, no_three_way_logic_under_a_mask_with_memory,
    loops_that_lanes_leave_at_different_times,
    counters_of_loops_that_lanes_leave_at_different_times, switches_with_returns_and_continues,
    exits_that_are_uniform_inside_what_is_not, a_scan_over_workgroups_of_every_kind_of_size,
    a_switch_and_a_uniform_load_hold_barriers, atomics_on_storage_and_workgroup_memory,
    one_lane_wins_an_exchange, calls_with_masks_vectors_and_bools,
    calls_with_pointers_to_every_space, invocation_numbers_of_every_kind_of_workgroup)
