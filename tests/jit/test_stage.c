// SPDX-License-Identifier: MIT
//
// Vertex and fragment kernels on batches made by hand, over levels, widths, jams and partial batches.
// Rows of inputs and outputs and all bindings end at a page that cannot be touched. Expected values
// are computed here, lane by lane.
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
    {JIT_LEVEL_AVX2, 8, 1}, {JIT_LEVEL_AVX2, 8, 4}, {JIT_LEVEL_AVX2, 1, 1}, {JIT_LEVEL_AVX2, 16, 8},
    {JIT_LEVEL_AVX2, 64, 1}, {JIT_LEVEL_AVX512, 16, 1}, {JIT_LEVEL_AVX512, 16, 2},
    {JIT_LEVEL_AVX2, 0, 0}, {JIT_LEVEL_SSE42, 0, 0}};
static const uint32_t vertex_counts[] = {1, 3, 4, 5, 63, 64};
static const uint32_t fragment_counts[] = {4, 12, 32, 60, 64};

#define LANES JIT_BATCH_LANES
#define BATCHES 3u
#define BUFFERS 3u
#define UNTOUCHED 0xdeadbeefu

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
static void guarded_free(struct guarded *g) {
    munmap(g->pages, g->page_bytes);
}
static uint32_t *words_of(const struct guarded *g) {
    return (uint32_t *)(void *)g->buffer.data;
}

static float as_float(uint32_t word) {
    float value;
    memcpy(&value, &word, 4);
    return value;
}
static uint32_t as_word(float value) {
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

// One lane of one batch, or with lane == 0 of batch 0 the whole run.
struct lane {
    const uint32_t *inputs, *outputs; // of its batch
    uint32_t batch, lane;
    bool was_live, is_live;
};
static uint32_t in(const struct lane *l, uint32_t row) {
    return l->inputs[row * LANES + l->lane];
}
static uint32_t out(const struct lane *l, uint32_t row) {
    return l->outputs[row * LANES + l->lane];
}
// Of another lane of the quad.
static float quad_in(const struct lane *l, uint32_t row, uint32_t which) {
    return as_float(l->inputs[row * LANES + (l->lane & ~3u) + which]);
}

struct program {
    const char *wgsl;
    bool is_fragment;
    bool is_unlowered;
    uint32_t input_words, output_words;
    uint32_t (*input)(uint32_t row, uint32_t number); // number: of the lane, over all batches
    uint64_t live[BATCHES];                           // of fragments; 0: all
    uint32_t words[BUFFERS];                          // sizes of buffers
    uint32_t (*initial)(uint32_t buffer, uint32_t word);
    bool (*survives)(const struct lane *lane); // NULL: all
    void (*check)(const struct lane *lane);    // each that survives
    void (*check_buffers)(uint32_t *const *buffers, uint32_t lane_count);
};

struct setup {
    struct guarded inputs[BATCHES], outputs[BATCHES], memory[BUFFERS];
    struct jit_batch batches[BATCHES];
    struct jit_buffer buffers[BUFFERS];
    uint32_t *words[BUFFERS];
};

static uint64_t low_bits(uint32_t count) {
    return count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

static void set_up(const struct program *p, uint32_t count, struct setup *s) {
    memset(s, 0, sizeof(*s));
    for (uint32_t b = 0; b < BATCHES; b++) {
        s->inputs[b] = guarded_make((uint64_t)p->input_words * LANES * 4);
        s->outputs[b] = guarded_make((uint64_t)p->output_words * LANES * 4);
        for (uint32_t i = 0; i < p->input_words * LANES; i++) {
            words_of(&s->inputs[b])[i] = p->input(i / LANES, b * LANES + i % LANES);
        }
        for (uint32_t i = 0; i < p->output_words * LANES; i++) {
            words_of(&s->outputs[b])[i] = UNTOUCHED;
        }
        uint32_t lane_count = b == 1 ? LANES : count;
        uint64_t live = p->live[b] != 0 ? p->live[b] : UINT64_MAX;
        s->batches[b] = (struct jit_batch){.inputs = words_of(&s->inputs[b]),
            .outputs = words_of(&s->outputs[b]),
            .live = live & low_bits(lane_count),
            .lane_count = lane_count};
    }
    for (uint32_t i = 0; i < BUFFERS && p->words[i] != 0; i++) {
        s->memory[i] = guarded_make(4 * (uint64_t)p->words[i]);
        s->buffers[i] = s->memory[i].buffer;
        s->words[i] = words_of(&s->memory[i]);
        for (uint32_t k = 0; k < p->words[i]; k++) {
            s->words[i][k] = p->initial != NULL ? p->initial(i, k) : 0;
        }
    }
}

static void check_batch(const struct program *p, const struct setup *s, uint32_t b, uint64_t live) {
    const struct jit_batch *batch = &s->batches[b];
    for (uint32_t i = 0; i < batch->lane_count; i++) {
        struct lane lane = {.inputs = batch->inputs,
            .outputs = batch->outputs,
            .batch = b,
            .lane = i,
            .was_live = (live >> i & 1u) != 0,
            .is_live = (batch->live >> i & 1u) != 0};
        if (p->is_fragment) {
            bool survives = lane.was_live && (p->survives == NULL || p->survives(&lane));
            CHECK_EQ(lane.is_live, survives);
            if (!survives) {
                continue;
            }
        }
        if (p->check != NULL) {
            p->check(&lane);
        }
    }
    CHECK_EQ(p->is_fragment ? batch->live & ~low_bits(batch->lane_count) : 0, 0);
}

static void run_count(const struct program *p, struct jit_run *run, uint32_t count) {
    struct setup s;
    uint64_t live[BATCHES];
    set_up(p, count, &s);
    for (uint32_t b = 0; b < BATCHES; b++) {
        live[b] = s.batches[b].live;
    }
    jit_run_batches(run, s.buffers, s.batches, 0, BATCHES);
    for (uint32_t b = 0; b < BATCHES; b++) {
        check_batch(p, &s, b, live[b]);
    }
    if (p->check_buffers != NULL) {
        p->check_buffers(s.words, count);
    }
    for (uint32_t b = 0; b < BATCHES; b++) {
        guarded_free(&s.inputs[b]);
        guarded_free(&s.outputs[b]);
    }
    for (uint32_t i = 0; i < BUFFERS && p->words[i] != 0; i++) {
        guarded_free(&s.memory[i]);
    }
}

static void run_form(const struct program *p, const struct form *form) {
    struct jit_options options = {
        .level = form->level, .width = form->width, .jam = form->jam, .poll_cancel = true};
    struct jit_run run;
    bool is_made = p->is_unlowered ? jit_run_create_unlowered(&run, p->wgsl, &options)
                                   : jit_run_create(&run, p->wgsl, &options);
    const uint32_t *counts = p->is_fragment ? fragment_counts : vertex_counts;
    size_t count = p->is_fragment ? sizeof fragment_counts / sizeof fragment_counts[0]
                                  : sizeof vertex_counts / sizeof vertex_counts[0];
    if (!CHECK(is_made)) {
        fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&run.error)));
        jit_run_destroy(&run);
        return;
    }
    CHECK_EQ(run.kernel->input_words, p->input_words);
    CHECK_EQ(run.kernel->output_words, p->output_words);
    for (size_t i = 0; i < count; i++) {
        uint64_t before = check_failure_count;
        run_count(p, &run, counts[i]);
        if (check_failure_count != before) {
            fprintf(stderr, "    at %s, width %u, jam %u, %u lanes\n", jit_level_word(form->level),
                form->width, form->jam, counts[i]);
        }
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

static uint32_t mix(uint32_t a, uint32_t b) {
    uint32_t x = (b + 1) * 2654435761u + a * 40503u;
    return x ^ x >> 15;
}
// Floats of a few bits, so that sums and products of them are exact.
static uint32_t small_floats(uint32_t row, uint32_t number) {
    return as_word((float)(mix(row, number) % 1024u) / 8.0f - 32.0f);
}

// ---------------------------------------------------------------- vertices

static uint32_t vertex_input(uint32_t row, uint32_t number) {
    return row == 3 ? number * 7u : small_floats(row, number);
}
static void check_transform(const struct lane *l) {
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(out(l, i), as_word(as_float(in(l, i)) * 2.0f + 1.0f));
    }
    CHECK_EQ(out(l, 3), as_word(1.0f));
    CHECK_EQ(out(l, 4), in(l, 3) * 3u);
    CHECK_EQ(out(l, 5), as_word(as_float(in(l, 4)) + as_float(in(l, 5))));
}
static uint32_t small_uniform(uint32_t buffer, uint32_t word) {
    (void)buffer;
    return as_word(word == 0 ? 2.0f : 1.0f);
}
TEST(vertices_read_and_write_rows) {
    run_all(&(struct program){
        .wgsl =
            "@group(0) @binding(0) var<uniform> scale: vec2f;\n"
            "struct In { @location(0) p: vec3f, @builtin(vertex_index) i: u32,"
            " @location(2) uv: vec2f }\n"
            "struct Out { @builtin(position) p: vec4f, @location(0) @interpolate(flat) n: u32,"
            " @location(1) s: f32 }\n"
            "@vertex fn main(v: In) -> Out {\n"
            "  return Out(vec4f(v.p * scale.x + scale.y, 1.0), v.i * 3u, v.uv.x + v.uv.y);\n}\n",
        .input_words = 6,
        .output_words = 6,
        .input = vertex_input,
        .words = {2},
        .initial = small_uniform,
        .check = check_transform});
}

static uint32_t numbers(uint32_t row, uint32_t number) {
    return row == 0 ? number : mix(row, number);
}
static void check_branches(const struct lane *l) {
    uint32_t i = in(l, 0), expected = i % 3 == 0 ? 7 : 0;
    for (uint32_t k = 0; i % 3 != 0 && k < i % 11; k++) {
        expected += k ^ i;
        if (expected > 300) {
            expected = 1000 + k;
            break;
        }
    }
    CHECK_EQ(out(l, 4), expected);
    CHECK_EQ(out(l, 0), as_word(i % 3 == 0 ? -1.0f : 0.5f));
    CHECK_EQ(out(l, 3), as_word(1.0f));
}
TEST(vertices_return_early_and_from_loops) {
    run_all(&(struct program){
        .wgsl =
            "struct Out { @builtin(position) p: vec4f, @location(0) @interpolate(flat) n: u32 }\n"
            "@vertex fn main(@builtin(vertex_index) i: u32) -> Out {\n"
            "  if (i % 3u == 0u) { return Out(vec4f(-1.0, 0.0, 0.0, 1.0), 7u); }\n"
            "  var sum = 0u;\n"
            "  for (var k = 0u; k < i % 11u; k++) {\n"
            "    sum += k ^ i;\n"
            "    if (sum > 300u) { return Out(vec4f(0.5, 0.0, 0.0, 1.0), 1000u + k); }\n"
            "  }\n"
            "  return Out(vec4f(0.5, 0.0, 0.0, 1.0), sum);\n}\n",
        .input_words = 1,
        .output_words = 5,
        .input = numbers,
        .check = check_branches});
}

static void check_clip(const struct lane *l) {
    uint32_t i = in(l, 0);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t expected = i % 5 == 1 ? (k == i % 3 ? 9 : k) : i % 5 == 2 ? 0 : i + k;
        CHECK_EQ(out(l, k), as_word((float)expected));
    }
    CHECK_EQ(out(l, 3), as_word((float)i));
    CHECK_EQ(out(l, 7), i);
}
TEST(vertices_give_arrays_of_clip_distances) {
    run_all(&(struct program){
        .wgsl = "enable clip_distances;\n"
                "struct Out { @builtin(clip_distances) c: array<f32, 3>,"
                " @builtin(position) p: vec4f, @location(0) @interpolate(flat) n: u32 }\n"
                "@vertex fn main(@builtin(vertex_index) i: u32) -> Out {\n"
                "  var o: Out;\n  o.p.x = f32(i);\n  o.n = i;\n"
                "  if (i % 5u == 1u) {\n    o.c = array(0.0, 1.0, 2.0);\n"
                "    o.c[i % 3u] = 9.0;\n    return o;\n  }\n"
                "  if (i % 5u == 2u) { return o; }\n"
                "  for (var k = 0u; k < 3u; k++) { o.c[k] = f32(i + k); }\n"
                "  return o;\n}\n",
        .input_words = 1,
        .output_words = 8,
        .input = numbers,
        .check = check_clip});
}
static void check_one_clip(const struct lane *l) {
    CHECK_EQ(out(l, 4), as_word((float)in(l, 0)));
}
TEST(vertices_give_one_clip_distance) {
    run_all(&(struct program){.wgsl = "enable clip_distances;\n"
                                      "struct Out { @builtin(position) p: vec4f,"
                                      " @builtin(clip_distances) c: array<f32, 1> }\n"
                                      "@vertex fn main(@builtin(instance_index) i: u32) -> Out {\n"
                                      "  return Out(vec4f(), array(f32(i)));\n}\n",
        .input_words = 1,
        .output_words = 5,
        .input = numbers,
        .check = check_one_clip});
}

// ---------------------------------------------------------------- fragments

static uint32_t fragment_input(uint32_t row, uint32_t number) {
    return row == 0 ? number & 1u : small_floats(row, number);
}
static void check_facing(const struct lane *l) {
    CHECK_EQ(out(l, 0), in(l, in(l, 0) != 0 ? 1 : 2));
    CHECK_EQ(out(l, 1), as_word(as_float(in(l, 1)) * as_float(in(l, 2))));
}
TEST(fragments_read_bools) {
    run_all(&(struct program){
        .wgsl = "@fragment fn main(@builtin(front_facing) f: bool, @location(3) v: vec2f)"
                " -> @location(0) vec2f {\n"
                "  return vec2f(select(v.y, v.x, f), v.x * v.y);\n}\n",
        .is_fragment = true,
        .input_words = 3,
        .output_words = 2,
        .input = fragment_input,
        .check = check_facing});
}

static void check_derivatives(const struct lane *l) {
    uint32_t y = l->lane / 2 % 2, x = l->lane % 2;
    for (uint32_t r = 0; r < 2; r++) {
        float v[4];
        for (uint32_t i = 0; i < 4; i++) {
            v[i] = quad_in(l, r, i);
        }
        float fine_x = v[2 * y + 1] - v[2 * y], fine_y = v[2 + x] - v[x];
        float coarse_x = v[1] - v[0], coarse_y = v[2] - v[0];
        CHECK_EQ(out(l, r), as_word(fine_x));
        CHECK_EQ(out(l, 2 + r), as_word(fine_y));
        CHECK_EQ(out(l, 4 + r), as_word(coarse_x));
        CHECK_EQ(out(l, 6 + r), as_word(coarse_y));
        CHECK_EQ(out(l, 8 + r), as_word(fabsf(fine_x) + fabsf(fine_y)));
        CHECK_EQ(out(l, 10 + r), as_word(fabsf(coarse_x) + fabsf(coarse_y)));
        // The plain ones are one of the two.
        CHECK(out(l, 12 + r) == as_word(fine_x) || out(l, 12 + r) == as_word(coarse_x));
        CHECK(out(l, 14 + r) == as_word(fine_y) || out(l, 14 + r) == as_word(coarse_y));
        CHECK(as_float(out(l, 16 + r)) ==
            fabsf(as_float(out(l, 12 + r))) + fabsf(as_float(out(l, 14 + r))));
    }
}
TEST(derivatives_are_differences_in_the_quad) {
    run_all(&(struct program){
        .wgsl =
            "struct Out { @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f,"
            " @location(3) d: vec4f, @location(4) e: vec2f }\n"
            "@fragment fn main(@location(0) v: vec2f) -> Out {\n"
            "  return Out(vec4f(dpdxFine(v), dpdyFine(v)), vec4f(dpdxCoarse(v), dpdyCoarse(v)),\n"
            "    vec4f(fwidthFine(v), fwidthCoarse(v)), vec4f(dpdx(v), dpdy(v)),\n"
            "    vec2f(fwidth(v.x), fwidth(v.y)));\n}\n",
        .is_fragment = true,
        .input_words = 2,
        .output_words = 18,
        .input = small_floats,
        .live = {0x5a5a5a5a12345678u, 0, 0x8000000000000001u},
        .check = check_derivatives});
}

static uint32_t discard_input(uint32_t row, uint32_t number) {
    return row == 0 ? number : small_floats(row, number);
}
static bool survives_third(const struct lane *l) {
    return in(l, 0) % 3 != 0;
}
static void check_derivative_after_discard(const struct lane *l) {
    uint32_t y = l->lane / 2 % 2;
    float a = quad_in(l, 1, 2 * y) * 2.0f, b = quad_in(l, 1, 2 * y + 1) * 2.0f;
    CHECK_EQ(out(l, 0), as_word(b - a));
}
TEST(discarded_lanes_run_on_as_helpers) {
    run_all(&(struct program){
        .wgsl = "@fragment fn main(@location(0) @interpolate(flat) i: u32, @location(1) v: f32)"
                " -> @location(0) f32 {\n"
                "  if (i % 3u == 0u) { discard; }\n"
                "  let w = v * 2.0;\n"
                "  return dpdxFine(w);\n}\n",
        .is_fragment = true,
        .input_words = 2,
        .output_words = 1,
        .input = discard_input,
        .survives = survives_third,
        .check = check_derivative_after_discard});
}

static bool survives_loop(const struct lane *l) {
    return in(l, 0) % 7 < 3;
}
static void check_loop(const struct lane *l) {
    CHECK_EQ(out(l, 0), (in(l, 0) % 7) * 5);
}
TEST(discard_in_a_loop) {
    run_all(&(struct program){
        .wgsl = "@fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) u32 {\n"
                "  var sum = 0u;\n"
                "  for (var k = 0u; k < i % 7u; k++) {\n"
                "    if (k == 2u) { discard; }\n"
                "    sum += 5u;\n"
                "  }\n"
                "  return sum;\n}\n",
        .is_fragment = true,
        .input_words = 1,
        .output_words = 1,
        .input = numbers,
        .survives = survives_loop,
        .check = check_loop});
}

static bool survives_none(const struct lane *l) {
    (void)l;
    return false;
}
TEST(all_discard_and_an_endless_loop_ends) {
    run_all(&(struct program){
        .wgsl = "@fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) u32 {\n"
                "  var k = i;\n"
                "  loop {\n"
                "    k = k * 5u + 1u;\n"
                "    if ((k & 7u) == 3u) { discard; }\n"
                "    if (k == i && k != i) { break; }\n"
                "  }\n"
                "  return k;\n}\n",
        .is_fragment = true,
        .input_words = 1,
        .output_words = 1,
        .input = numbers,
        .survives = survives_none});
}

// ---------------------------------------------------------------- effects of helpers

#define LIVE \
    { 0x0123456789abcdefu, 0xfedcba9876543211u, 0x8421124818244281u }
static const uint64_t some_live[BATCHES] = LIVE;

// Calls visit for each lane that exists and is alive.
static uint32_t live_lanes(uint32_t lane_count, uint32_t *out_numbers) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < BATCHES; b++) {
        for (uint32_t i = 0; i < (b == 1 ? LANES : lane_count); i++) {
            if ((some_live[b] >> i & 1u) != 0) {
                out_numbers[count++] = b * LANES + i;
            }
        }
    }
    return count;
}

static bool survives_odd(const struct lane *l) {
    return in(l, 0) % 4 != 1;
}
static void check_effects(uint32_t *const *buffers, uint32_t lane_count) {
    uint32_t lanes[BATCHES * LANES], count = live_lanes(lane_count, lanes), atomic = 0;
    uint32_t expected[3][BATCHES * LANES] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = lanes[i];
        expected[0][n] = n + 100; // before the discard: all that live
        if (n % 4 != 1) {
            expected[1][n] = n + 200;
            expected[2][(n * 37u) % 192u] = n + 300;
            atomic += n;
        }
    }
    for (uint32_t i = 0; i < BATCHES * LANES; i++) {
        CHECK_EQ(buffers[0][i], expected[0][i]);
        CHECK_EQ(buffers[1][i], expected[1][i]);
        CHECK_EQ(buffers[2][i + 2], expected[2][i]);
    }
    CHECK_EQ(buffers[2][0], atomic);
    CHECK_EQ(buffers[2][1], count == 0 ? 0 : 12345);
}
static const char effects[] =
    "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
    "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
    "struct C { n: atomic<u32>, m: u32, d: array<u32> }\n"
    "@group(0) @binding(2) var<storage, read_write> c: C;\n"
    "fn visit(i: u32, p: ptr<function, u32>) {\n"
    "  if (i % 4u == 1u) { discard; }\n"
    "  b[i] = i + 200u;\n"
    "  c.d[(i * 37u) % 192u] = i + 300u;\n"
    "  *p = atomicAdd(&c.n, i);\n"
    "}\n"
    "@fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) u32 {\n"
    "  a[i] = i + 100u;\n"
    "  c.m = 12345u;\n"
    "  var old = 0u;\n"
    "  visit(i, &old);\n"
    "  return old * 0u + i;\n}\n";
static void check_number(const struct lane *l) {
    CHECK_EQ(out(l, 0), in(l, 0));
}
TEST(helpers_and_discarded_lanes_have_no_effects) {
    struct program program = {.wgsl = effects,
        .is_fragment = true,
        .input_words = 1,
        .output_words = 1,
        .input = numbers,
        .live = LIVE,
        .words = {192, 192, 194},
        .survives = survives_odd,
        .check = check_number,
        .check_buffers = check_effects};
    run_all(&program);
    program.is_unlowered = true; // a call that stays one
    run_all(&program);
}

static void check_spin(uint32_t *const *buffers, uint32_t lane_count) {
    uint32_t lanes[BATCHES * LANES], sum = 0;
    uint32_t count = live_lanes(lane_count, lanes);
    for (uint32_t i = 0; i < count; i++) {
        sum += lanes[i];
    }
    CHECK_EQ(buffers[0][1], sum);
    CHECK_EQ(buffers[0][0], 0);
}
TEST(a_lock_is_taken_by_lanes_that_live) {
    run_all(&(struct program){
        .wgsl = "struct S { lock: atomic<u32>, sum: u32 }\n"
                "@group(0) @binding(0) var<storage, read_write> s: S;\n"
                "@fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) u32 {\n"
                "  var done = false;\n"
                "  while (!done) {\n"
                "    let r = atomicCompareExchangeWeak(&s.lock, 0u, 1u);\n"
                "    if (r.exchanged) {\n"
                "      s.sum = s.sum + i;\n"
                "      atomicStore(&s.lock, 0u);\n"
                "      done = true;\n"
                "    }\n"
                "  }\n"
                "  return i;\n}\n",
        .is_fragment = true,
        .input_words = 1,
        .output_words = 1,
        .input = numbers,
        .live = LIVE,
        .words = {2},
        .check = check_number,
        .check_buffers = check_spin});
}

static void check_old(const struct lane *l) {
    CHECK(l->was_live);
    CHECK_EQ(out(l, 0), in(l, 0) + 1000);
}
static uint32_t counted(uint32_t buffer, uint32_t word) {
    (void)buffer;
    return word + 1000;
}
static void check_counted(uint32_t *const *buffers, uint32_t lane_count) {
    uint32_t lanes[BATCHES * LANES], count = live_lanes(lane_count, lanes);
    for (uint32_t i = 0, at = 0; i < BATCHES * LANES; i++) {
        bool is_live = at < count && lanes[at] == i;
        at += is_live;
        CHECK_EQ(buffers[0][i], i + 1000 + (is_live ? 5 : 0));
    }
}
TEST(atomics_of_helpers_do_nothing) {
    run_all(&(struct program){
        .wgsl = "@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;\n"
                "@fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) u32 {\n"
                "  return atomicAdd(&a[i], 5u);\n}\n",
        .is_fragment = true,
        .input_words = 1,
        .output_words = 1,
        .input = numbers,
        .live = LIVE,
        .words = {192},
        .initial = counted,
        .check = check_old,
        .check_buffers = check_counted});
}

CHECK_MAIN(vertices_read_and_write_rows, vertices_return_early_and_from_loops,
    vertices_give_arrays_of_clip_distances, vertices_give_one_clip_distance, fragments_read_bools,
    derivatives_are_differences_in_the_quad, discarded_lanes_run_on_as_helpers, discard_in_a_loop,
    all_discard_and_an_endless_loop_ends, helpers_and_discarded_lanes_have_no_effects,
    a_lock_is_taken_by_lanes_that_live, atomics_of_helpers_do_nothing)
