// SPDX-License-Identifier: MIT
//
// f16 in memory of every kind through the code generator: rows, vectors, structures, arrays with
// indices of the lane, masked stores beside other lanes' bytes. Bindings end at a page that cannot be
// touched. Numbers are small integers and their halves, which a half holds exactly.
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
    {JIT_LEVEL_AVX2, 8, 1}, {JIT_LEVEL_AVX2, 1, 1}, {JIT_LEVEL_AVX2, 16, 2},
    {JIT_LEVEL_AVX512, 16, 1}, {JIT_LEVEL_AVX2, 0, 0}};

#define BUFFERS 3u
struct program {
    const char *wgsl;
    uint32_t bytes[BUFFERS];
    uint32_t groups;
    void (*check)(uint8_t *const *buffers);
};

static uint16_t half_of(float value) { // of a number that is a normal half, or 0
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return (uint16_t)(value == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 13 & 0x3ffff) - 0x1c000));
}
static uint16_t get(const uint8_t *bytes, uint32_t number) {
    uint16_t half;
    memcpy(&half, bytes + 2 * (size_t)number, 2);
    return half;
}

// Input halves: number % 64 / 2 + 0.5.
static float input(uint32_t number) {
    return (float)(number % 64) / 2.0f + 0.5f;
}

static void run_form(const struct program *p, const struct form *form) {
    struct jit_options options = {
        .level = form->level, .width = form->width, .jam = form->jam, .poll_cancel = true};
    struct jit_run run;
    struct jit_buffer buffers[BUFFERS] = {{0}};
    uint8_t *pages[BUFFERS] = {0}, *data[BUFFERS] = {0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!CHECK(jit_run_create(&run, p->wgsl, &options))) {
        fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&run.error)));
        jit_run_destroy(&run);
        return;
    }
    for (uint32_t i = 0; i < BUFFERS && p->bytes[i] != 0; i++) {
        size_t room = (p->bytes[i] + page - 1) / page * page;
        pages[i] = mmap(
            NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(pages[i] + room, page, PROT_NONE);
        data[i] = pages[i] + room - p->bytes[i];
        buffers[i] = (struct jit_buffer){data[i], p->bytes[i]};
        for (uint32_t k = 0; k < p->bytes[i] / 2; k++) {
            uint16_t half = i == 0 ? half_of(input(k)) : 0xabcd;
            memcpy(data[i] + 2 * (size_t)k, &half, 2);
        }
    }
    uint64_t before = check_failure_count;
    jit_run_dispatch(&run, buffers, p->groups, 1, 1);
    p->check(data);
    if (check_failure_count != before) {
        fprintf(stderr, "    at %s, width %u, jam %u\n", jit_level_word(form->level), form->width,
            form->jam);
    }
    for (uint32_t i = 0; i < BUFFERS && pages[i] != NULL; i++) {
        munmap(pages[i], (p->bytes[i] + page - 1) / page * page + page);
    }
    jit_run_destroy(&run);
}

static void run_all(const struct program *p) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].level <= jit->native_level()) {
            run_form(p, &forms[i]);
        }
    }
}

static void check_rows(uint8_t *const *b) {
    for (uint32_t i = 0; i < 78; i++) {
        CHECK_EQ(get(b[1], i), half_of(input(i) * 2.0f + 1.0f));
    }
}
TEST(rows_that_end_within_a_vector) {
    run_all(&(struct program){
        .wgsl = "enable f16;\n"
                "@group(0) @binding(0) var<storage, read> a: array<f16>;\n"
                "@group(0) @binding(1) var<storage, read_write> b: array<f16>;\n"
                "@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                "  b[g.x] = a[g.x] * 2.0h + 1.0h;\n}\n",
        .bytes = {156, 156},
        .groups = 3,
        .check = check_rows});
}

static void check_masked(uint8_t *const *b) {
    for (uint32_t i = 0; i < 64; i++) {
        bool is_written = i % 3 == 1;
        CHECK_EQ(get(b[1], i), is_written ? half_of(input(i)) : 0xabcd);
        CHECK_EQ(get(b[1], 64 + (i * 5) % 64), i % 4 == 2 ? half_of(-input(i)) : 0xabcd);
    }
}
TEST(stores_leave_their_neighbours_alone) {
    run_all(&(struct program){
        .wgsl = "enable f16;\n"
                "@group(0) @binding(0) var<storage, read> a: array<f16>;\n"
                "@group(0) @binding(1) var<storage, read_write> b: array<f16>;\n"
                "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                "  if (g.x % 3u == 1u) { b[g.x] = a[g.x]; }\n"
                "  if (g.x % 4u == 2u) { b[64u + (g.x * 5u) % 64u] = -a[g.x]; }\n"
                "  b[g.x + 1000u] = 9.0h;\n}\n",
        .bytes = {128, 256},
        .groups = 1,
        .check = check_masked});
}

// Structure: h at 0, v (vec3) at 8, u at 16, w (vec2) at 20; 24 bytes.
static void check_structures(uint8_t *const *b) {
    for (uint32_t i = 0; i < 40; i++) {
        const uint8_t *to = b[1] + 24 * (size_t)i;
        uint32_t from = 12 * i, word;
        CHECK_EQ(get(to, 0), half_of(input(from + 5)));
        for (uint32_t k = 0; k < 3; k++) {
            CHECK_EQ(get(to + 8, k), half_of(input(from + 4 + k) + input(from)));
        }
        memcpy(&word, to + 16, 4);
        CHECK_EQ(word, (uint32_t)get(b[0], from + 8) | (uint32_t)get(b[0], from + 9) << 16);
        CHECK_EQ(get(to + 20, 0), half_of(input(from + 11)));
        CHECK_EQ(get(to + 20, 1), half_of(input(from + 10)));
        CHECK_EQ(get(to, 1), 0xabcd); // padding
        for (uint32_t k = 0; k < 12; k++) {
            bool is_padding = (k >= 1 && k < 4) || k == 7;
            CHECK_EQ(get(b[2], 12 * i + k), is_padding ? 0xabcd : get(b[0], 12 * i + k));
        }
    }
}
TEST(structures_and_copies) {
    run_all(&(struct program){
        .wgsl = "enable f16;\n"
                "struct S { h: f16, v: vec3<f16>, u: u32, w: vec2<f16> }\n"
                "@group(0) @binding(0) var<storage, read> a: array<S>;\n"
                "@group(0) @binding(1) var<storage, read_write> b: array<S>;\n"
                "@group(0) @binding(2) var<storage, read_write> c: array<S>;\n"
                "@compute @workgroup_size(40) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                "  let s = a[g.x];\n"
                "  b[g.x].h = s.v.y;\n"
                "  b[g.x].v = s.v + s.h;\n"
                "  b[g.x].u = s.u;\n"
                "  b[g.x].w = s.w.yx;\n"
                "  c[g.x] = a[g.x];\n}\n",
        .bytes = {960, 960, 960},
        .groups = 1,
        .check = check_structures});
}

static void check_private(uint8_t *const *b) {
    for (uint32_t i = 0; i < 64; i++) {
        float array[7] = {0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f}, table[5] = {1, 2, 4, 8, 16};
        array[i % 7] = input(i);
        array[3] = 40;
        if (i % 2 == 0) {
            array[(i + 2) % 7] = -1;
        }
        CHECK_EQ(get(b[1], 2 * i), half_of(array[(i * 3) % 7]));
        CHECK_EQ(get(b[1], 2 * i + 1), half_of(table[i % 5] + (i % 9 < 3 ? input(i) : 0)));
    }
}
TEST(private_arrays_and_tables) {
    run_all(&(struct program){
        .wgsl = "enable f16;\n"
                "@group(0) @binding(0) var<storage, read> a: array<f16>;\n"
                "@group(0) @binding(1) var<storage, read_write> b: array<vec2<f16>>;\n"
                "var<private> p: array<f16, 7> = array<f16, 7>(0.5, 1, 1.5, 2, 2.5, 3, 3.5);\n"
                "const table = array<f16, 5>(1, 2, 4, 8, 16);\n"
                "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                "  let i = g.x;\n"
                "  var f: array<f16, 9>;\n"
                "  p[i % 7u] = a[i];\n"
                "  p[3] = 40.0h;\n"
                "  if (i % 2u == 0u) { p[(i + 2u) % 7u] = -1.0h; }\n"
                "  for (var k = 0u; k < 3u; k++) { f[k] = a[i]; }\n"
                "  b[i] = vec2(p[(i * 3u) % 7u], table[i % 5u] + f[i % 9u]);\n}\n",
        .bytes = {128, 256},
        .groups = 1,
        .check = check_private});
}

static void check_workgroup(uint8_t *const *b) {
    for (uint32_t i = 0; i < 48; i++) {
        CHECK_EQ(get(b[1], i), half_of(input(47 - i) + input(3)));
        CHECK_EQ(get(b[1], 48 + i), 0x4400); // 4
    }
    uint32_t word = (uint32_t)half_of(input(0)) | (uint32_t)half_of(input(1)) << 16;
    uint32_t got;
    memcpy(&got, b[1] + 192, 4);
    CHECK_EQ(got, word);
}
TEST(workgroup_memory_and_bits) {
    run_all(&(struct program){
        .wgsl = "enable f16;\n"
                "@group(0) @binding(0) var<storage, read> a: array<f16, 64>;\n"
                "struct B { low: array<f16, 48>, high: array<f16, 48>, bits: u32 }\n"
                "@group(0) @binding(1) var<storage, read_write> b: B;\n"
                "var<workgroup> w: array<f16, 48>;\n"
                "@compute @workgroup_size(48) fn main(@builtin(local_invocation_index) i: u32) {\n"
                "  w[i] = a[i];\n"
                "  workgroupBarrier();\n"
                "  b.low[i] = w[47u - i] + w[3];\n"
                "  b.high[i] = f16(bitcast<vec2<f16>>(0x44000000u | i).y);\n"
                "  if (i == 0u) { b.bits = bitcast<u32>(vec2(a[0], a[1])); }\n}\n",
        .bytes = {128, 196},
        .groups = 1,
        .check = check_workgroup});
}

CHECK_MAIN(rows_that_end_within_a_vector, stores_leave_their_neighbours_alone,
    structures_and_copies, private_arrays_and_tables, workgroup_memory_and_bits)
