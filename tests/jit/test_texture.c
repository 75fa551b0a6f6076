// SPDX-License-Identifier: MIT
//
// Textures and samplers in generated code, with a texture function of the test's own: what it is
// given for each operation and dimension, for which lanes, and that its results arrive. Expected words
// are computed here from the shader's arithmetic, invocation by invocation.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <webgpu/webgpu.h>

#include "check.h"
#include "jit/jit_run.h"

struct form {
    enum jit_level level;
    uint32_t width, jam;
};
static const struct form forms[] = {{JIT_LEVEL_SSE42, 4, 1}, {JIT_LEVEL_SSE42, 4, 2},
    {JIT_LEVEL_SSE42, 64, 1}, {JIT_LEVEL_AVX2, 8, 1}, {JIT_LEVEL_AVX2, 8, 4},
    {JIT_LEVEL_AVX2, 1, 1}, {JIT_LEVEL_AVX2, 32, 2}, {JIT_LEVEL_AVX512, 16, 1},
    {JIT_LEVEL_AVX512, 16, 2}, {JIT_LEVEL_AVX2, 0, 0}, {JIT_LEVEL_NEON, 4, 2}};

#define TEXELS 256u
#define INVOCATIONS 37u // of a workgroup: no vector divides it
#define ROWS 10u
#define OTHER_LANES 0xabababau // what a row of results holds in lanes that were not asked for

struct texture {
    struct jit_texture seen; // first
    uint32_t number;
    uint32_t texels[TEXELS];
};
struct sampler {
    uint32_t number;
};

// What the texture function saw and is to know.
static struct {
    uint32_t row_count; // words of a lane
    struct jit_texture_call call;
    uint32_t call_count;
    uint32_t lane_count; // over all calls
    uint32_t texture, sampler;
    bool has_stray; // a bit beyond the width
} seen;

static uint32_t hash(
    uint32_t texture, uint32_t sampler, const uint32_t *words, uint32_t count, uint32_t component) {
    uint32_t h = 2166136261u ^ texture * 77u ^ sampler * 1313u ^ component * 5u;
    for (uint32_t k = 0; k < count; k++) {
        h = (h ^ words[k]) * 16777619u;
        h ^= h >> 15;
    }
    return h & 0xffffu;
}

static void note(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes) {
    seen.call = *call;
    seen.call_count++;
    seen.texture = ((const struct texture *)texture)->number;
    seen.sampler = sampler == NULL ? 0 : ((const struct sampler *)sampler)->number;
    seen.has_stray = seen.has_stray || (call->width < 64 && lanes >> call->width != 0);
    for (uint32_t lane = 0; lane < call->width; lane++) {
        seen.lane_count += lanes >> lane & 1u;
    }
}

static uint32_t from_number(const struct jit_texture_call *call, uint32_t number) {
    float real = (float)number;
    uint32_t word = number;
    if (call->sampled_type == TYPE_F32) {
        memcpy(&word, &real, 4);
    }
    return word;
}

static void hashing(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes, const uint32_t *arguments, uint32_t *results) {
    note(call, texture, sampler, lanes);
    bool is_gather = call->opcode == IR_TEXTURE_GATHER || call->opcode == IR_TEXTURE_GATHER_COMPARE;
    for (uint32_t lane = 0; lane < call->width; lane++) {
        uint32_t words[ROWS];
        for (uint32_t k = 0; k < seen.row_count; k++) {
            words[k] = arguments[k * call->width + lane];
        }
        for (uint32_t c = 0; c < (call->is_depth && !is_gather ? 1 : 4); c++) {
            uint32_t number = hash(seen.texture, seen.sampler, words, seen.row_count, c);
            results[c * call->width + lane] = (lanes >> lane & 1u) == 0 ? OTHER_LANES
                                                                        : from_number(call, number);
        }
    }
}

// A line of texels: r32uint.
static void storing(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes, const uint32_t *arguments, uint32_t *results) {
    note(call, texture, sampler, lanes);
    union {
        const struct jit_texture *seen;
        struct texture *whole;
    } handle = {.seen = texture};
    for (uint32_t lane = 0; lane < call->width; lane++) {
        if ((lanes >> lane & 1u) == 0) {
            continue;
        }
        uint32_t x = arguments[lane];
        if (call->opcode == IR_TEXTURE_STORE) {
            if (x < TEXELS) {
                handle.whole->texels[x] = arguments[call->width + lane];
            }
            continue;
        }
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t texel = x < TEXELS ? handle.whole->texels[x] : 0;
            results[c * call->width + lane] = c == 0 ? texel : c == 3;
        }
    }
}

#define BINDINGS 6
struct setting {
    const char *wgsl;
    jit_texture_function function;
    bool is_unlowered;
    uint32_t groups[3];
    struct texture textures[2];
    struct sampler samplers[2];
    uint32_t words[1024];
    struct jit_buffer buffers[BINDINGS];
};

static void start(struct setting *s, const char *wgsl, jit_texture_function function) {
    memset(s, 0, sizeof *s);
    s->wgsl = wgsl;
    s->function = function;
    s->groups[0] = s->groups[1] = s->groups[2] = 1;
    for (uint32_t i = 0; i < 2; i++) {
        s->textures[i].seen = (struct jit_texture){.width = 100 + i,
            .height = 50,
            .depth = 9,
            .layer_count = 3,
            .level_count = 5,
            .sample_count = 4};
        s->textures[i].number = 10 + i;
        s->samplers[i].number = 20 + i;
    }
}

static void bind(struct setting *s, uint32_t slot, void *data, uint64_t size_bytes) {
    s->buffers[slot] = (struct jit_buffer){data, size_bytes};
}

static bool run(struct setting *s, const struct form *form) {
    struct jit_options options = {
        .level = form->level, .width = form->width, .jam = form->jam, .poll_cancel = true};
    struct jit_run jit;
    bool is_made = s->is_unlowered ? jit_run_create_unlowered(&jit, s->wgsl, &options)
                                   : jit_run_create(&jit, s->wgsl, &options);
    if (CHECK(is_made)) {
        memset(&seen.call, 0, sizeof seen.call);
        seen.call_count = seen.lane_count = 0;
        seen.has_stray = false;
        jit.texture = s->function;
        jit_run_dispatch(&jit, s->buffers, s->groups[0], s->groups[1], s->groups[2]);
        CHECK(!seen.has_stray);
    } else {
        fprintf(stderr, "%s\n    %.*s\n", s->wgsl, TEXT_ARGS(text_buffer_get(&jit.error)));
    }
    jit_run_destroy(&jit);
    return is_made;
}

static bool is_runnable(const struct form *form) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    bool is_arm = jit->native_level() == JIT_LEVEL_NEON;
    return is_arm == (form->level == JIT_LEVEL_NEON) && form->level <= jit->native_level();
}

#define FOR_FORMS(form) \
    for (const struct form *form = forms; form < forms + sizeof forms / sizeof forms[0]; form++) \
        if (is_runnable(form))

static void tell(const struct form *form, const char *what, uint64_t failures_before) {
    if (check_failure_count != failures_before) {
        fprintf(stderr, "    at %s, width %u, jam %u: %s\n", jit_level_word(form->level),
            form->width, form->jam, what);
    }
}

// ---------------------------------------------------------------- every operation and dimension

// One word of the arguments: first + step * i, an integer or a float.
struct word {
    char kind; // 'i', 'f'
    int first, step;
};
#define I(first, step) \
    { 'i', first, step }
#define F(first, step) \
    { 'f', first, step }

struct operation {
    const char *texture;
    const char *sampler;    // NULL: none is used
    const char *expression; // of i: u32, j: i32, f: f32
    bool is_scalar;
    struct jit_texture_call call; // width aside
    uint32_t row_count;
    struct word rows[ROWS];
};

#define S2 "sampler"
#define SC "sampler_comparison"
#define OF(type) .sampled_type = TYPE_##type
#define CALL(op, dim, ...) \
    .call = {.opcode = IR_TEXTURE_##op, .dimension = TEXTURE_DIMENSION_##dim, __VA_ARGS__}

static const struct operation operations[] = {
    // Loads: dimensions, and which of the operands are signed.
    {"texture_1d<f32>", NULL, "textureLoad(t, j - 3, i)", false, CALL(LOAD, 1D, OF(F32)), 2,
        {I(-3, 1), I(0, 1)}},
    {"texture_2d<i32>", NULL, "textureLoad(t, vec2u(i, 7u), -j)", false,
        CALL(LOAD, 2D, OF(I32), .is_level_signed = 1), 3, {I(0, 1), I(7, 0), I(0, -1)}},
    {"texture_2d_array<u32>", NULL, "textureLoad(t, vec2i(j, -j), i * 2u, 3)", false,
        CALL(LOAD, 2D_ARRAY, OF(U32), .is_level_signed = 1), 4,
        {I(0, 1), I(0, -1), I(0, 2), I(3, 0)}},
    {"texture_2d_array<u32>", NULL, "textureLoad(t, vec2u(i, 5u), j - 9, 3u)", false,
        CALL(LOAD, 2D_ARRAY, OF(U32), .is_layer_signed = 1), 4,
        {I(0, 1), I(5, 0), I(-9, 1), I(3, 0)}},
    {"texture_3d<f32>", NULL, "textureLoad(t, vec3u(i, i + 1u, 2u), 1u)", false,
        CALL(LOAD, 3D, OF(F32)), 4, {I(0, 1), I(1, 1), I(2, 0), I(1, 0)}},
    // As a view of one level, which is 0.
    {"texture_external", NULL, "textureLoad(t, vec2u(i, 5u))", false, CALL(LOAD, 2D, OF(F32)), 3,
        {I(0, 1), I(5, 0), I(0, 0)}},
    {"texture_multisampled_2d<f32>", NULL, "textureLoad(t, vec2u(i, 1u), j % 4)", false,
        CALL(LOAD, 2D, OF(F32), .is_multisampled = 1, .is_level_signed = 1), 3,
        {I(0, 1), I(1, 0), {'m', 4, 0}}},
    {"texture_depth_2d", NULL, "textureLoad(t, vec2u(i, 1u), 2u)", true,
        CALL(LOAD, 2D, OF(F32), .is_depth = 1), 3, {I(0, 1), I(1, 0), I(2, 0)}},
    {"texture_depth_2d_array", NULL, "textureLoad(t, vec2u(i, 1u), j, 2u)", true,
        CALL(LOAD, 2D_ARRAY, OF(F32), .is_depth = 1, .is_layer_signed = 1), 4,
        {I(0, 1), I(1, 0), I(0, 1), I(2, 0)}},
    {"texture_depth_multisampled_2d", NULL, "textureLoad(t, vec2u(i, 1u), 2u)", true,
        CALL(LOAD, 2D, OF(F32), .is_depth = 1, .is_multisampled = 1), 3,
        {I(0, 1), I(1, 0), I(2, 0)}},
    {"texture_storage_1d<r32sint, read>", NULL, "textureLoad(t, i)", false,
        CALL(LOAD, 1D, OF(I32), .texel_format = WGPUTextureFormat_R32Sint), 1, {I(0, 1)}},
    {"texture_storage_2d<rgba8unorm, read>", NULL, "textureLoad(t, vec2i(j, 2))", false,
        CALL(LOAD, 2D, OF(F32), .texel_format = WGPUTextureFormat_RGBA8Unorm), 2,
        {I(0, 1), I(2, 0)}},
    {"texture_storage_2d_array<r32uint, read_write>", NULL, "textureLoad(t, vec2u(i, 2u), i)",
        false, CALL(LOAD, 2D_ARRAY, OF(U32), .texel_format = WGPUTextureFormat_R32Uint), 3,
        {I(0, 1), I(2, 0), I(0, 1)}},
    {"texture_storage_3d<rgba32float, read>", NULL, "textureLoad(t, vec3u(i, 2u, 3u))", false,
        CALL(LOAD, 3D, OF(F32), .texel_format = WGPUTextureFormat_RGBA32Float), 3,
        {I(0, 1), I(2, 0), I(3, 0)}},
    // Sampling.
    {"texture_1d<f32>", S2, "textureSampleLevel(t, s, f, 0.0)", false,
        CALL(SAMPLE_LEVEL, 1D, OF(F32)), 2, {F(0, 1), F(0, 0)}},
    {"texture_2d<f32>", S2, "textureSampleLevel(t, s, vec2f(f, 2.0), f + 3.0, vec2i(-8, 7))", false,
        CALL(SAMPLE_LEVEL, 2D, OF(F32), .offset = {-8, 7, 0}), 3, {F(0, 1), F(2, 0), F(3, 1)}},
    {"texture_2d_array<f32>", S2, "textureSampleLevel(t, s, vec2f(f, 2.0), j, 1.0)", false,
        CALL(SAMPLE_LEVEL, 2D_ARRAY, OF(F32), .is_layer_signed = 1), 4,
        {F(0, 1), F(2, 0), I(0, 1), F(1, 0)}},
    {"texture_3d<f32>", S2, "textureSampleLevel(t, s, vec3f(f, 2.0, -f), 1.0, vec3i(1, -2, 3))",
        false, CALL(SAMPLE_LEVEL, 3D, OF(F32), .offset = {1, -2, 3}), 4,
        {F(0, 1), F(2, 0), F(0, -1), F(1, 0)}},
    {"texture_cube<f32>", S2, "textureSampleLevel(t, s, vec3f(f, 2.0, -f), f)", false,
        CALL(SAMPLE_LEVEL, CUBE, OF(F32)), 4, {F(0, 1), F(2, 0), F(0, -1), F(0, 1)}},
    {"texture_cube_array<f32>", S2, "textureSampleLevel(t, s, vec3f(f, 2.0, -f), i + 1u, f)", false,
        CALL(SAMPLE_LEVEL, CUBE_ARRAY, OF(F32)), 5, {F(0, 1), F(2, 0), F(0, -1), I(1, 1), F(0, 1)}},
    {"texture_depth_2d", S2, "textureSampleLevel(t, s, vec2f(f, 2.0), j - 1)", true,
        CALL(SAMPLE_LEVEL, 2D, OF(F32), .is_depth = 1, .is_level_signed = 1), 3,
        {F(0, 1), F(2, 0), I(-1, 1)}},
    {"texture_depth_2d_array", S2, "textureSampleLevel(t, s, vec2f(f, 2.0), j, i, vec2i(1))", true,
        CALL(SAMPLE_LEVEL, 2D_ARRAY, OF(F32), .is_depth = 1, .is_layer_signed = 1,
            .offset = {1, 1, 0}),
        4, {F(0, 1), F(2, 0), I(0, 1), I(0, 1)}},
    {"texture_depth_cube_array", S2, "textureSampleLevel(t, s, vec3f(f), 2u, 1i)", true,
        CALL(SAMPLE_LEVEL, CUBE_ARRAY, OF(F32), .is_depth = 1, .is_level_signed = 1), 5,
        {F(0, 1), F(0, 1), F(0, 1), I(2, 0), I(1, 0)}},
    {"texture_2d<f32>", S2,
        "textureSampleGrad(t, s, vec2f(f, 2.0), vec2f(3.0, f), vec2f(4.0, -f), vec2i(0, -1))",
        false, CALL(SAMPLE_GRAD, 2D, OF(F32), .offset = {0, -1, 0}), 6,
        {F(0, 1), F(2, 0), F(3, 0), F(0, 1), F(4, 0), F(0, -1)}},
    {"texture_cube_array<f32>", S2,
        "textureSampleGrad(t, s, vec3f(f, 2.0, 3.0), j, vec3f(4.0, f, 5.0), vec3f(6.0, 7.0, f))",
        false, CALL(SAMPLE_GRAD, CUBE_ARRAY, OF(F32), .is_layer_signed = 1), 10,
        {F(0, 1), F(2, 0), F(3, 0), I(0, 1), F(4, 0), F(0, 1), F(5, 0), F(6, 0), F(7, 0), F(0, 1)}},
    {"texture_2d<f32>", S2, "textureSampleBaseClampToEdge(t, s, vec2f(f, 2.0))", false,
        CALL(SAMPLE_BASE_CLAMP_TO_EDGE, 2D, OF(F32)), 2, {F(0, 1), F(2, 0)}},
    {"texture_external", S2, "textureSampleBaseClampToEdge(t, s, vec2f(f, 2.0))", false,
        CALL(SAMPLE_BASE_CLAMP_TO_EDGE, 2D, OF(F32)), 2, {F(0, 1), F(2, 0)}},
    {"texture_depth_2d", SC, "textureSampleCompareLevel(t, s, vec2f(f, 2.0), -f, vec2i(3, -4))",
        true, CALL(SAMPLE_COMPARE_LEVEL, 2D, OF(F32), .is_depth = 1, .offset = {3, -4, 0}), 3,
        {F(0, 1), F(2, 0), F(0, -1)}},
    {"texture_depth_cube_array", SC, "textureSampleCompareLevel(t, s, vec3f(f), j, 0.0)", true,
        CALL(SAMPLE_COMPARE_LEVEL, CUBE_ARRAY, OF(F32), .is_depth = 1, .is_layer_signed = 1), 5,
        {F(0, 1), F(0, 1), F(0, 1), I(0, 1), F(0, 0)}},
    // Gathering gives four components, of depth textures too.
    {"texture_2d<u32>", S2, "textureGather(2, t, s, vec2f(f, 2.0), vec2i(-1, 5))", false,
        CALL(GATHER, 2D, OF(U32), .component = 2, .offset = {-1, 5, 0}), 2, {F(0, 1), F(2, 0)}},
    {"texture_2d_array<i32>", S2, "textureGather(3u, t, s, vec2f(f, 2.0), j)", false,
        CALL(GATHER, 2D_ARRAY, OF(I32), .component = 3, .is_layer_signed = 1), 3,
        {F(0, 1), F(2, 0), I(0, 1)}},
    {"texture_cube<f32>", S2, "textureGather(1, t, s, vec3f(f, 2.0, 1.0))", false,
        CALL(GATHER, CUBE, OF(F32), .component = 1), 3, {F(0, 1), F(2, 0), F(1, 0)}},
    {"texture_depth_2d", S2, "textureGather(t, s, vec2f(f, 2.0))", false,
        CALL(GATHER, 2D, OF(F32), .is_depth = 1), 2, {F(0, 1), F(2, 0)}},
    {"texture_depth_2d_array", SC, "textureGatherCompare(t, s, vec2f(f, 2.0), i, f + 1.0)", false,
        CALL(GATHER_COMPARE, 2D_ARRAY, OF(F32), .is_depth = 1), 4,
        {F(0, 1), F(2, 0), I(0, 1), F(1, 1)}},
};

static uint32_t expected_word(const struct word *word, uint32_t i) {
    int number = word->kind == 'm' ? (int)i % word->first : word->first + word->step * (int)i;
    float real = word->step < 0 && number == 0 ? -0.0f : (float)number;
    uint32_t bits = (uint32_t)number;
    if (word->kind == 'f') {
        memcpy(&bits, &real, 4);
    }
    return bits;
}

static void check_call(const struct jit_texture_call *want) {
    const struct jit_texture_call *got = &seen.call;
    CHECK_EQ(got->opcode, want->opcode);
    CHECK_EQ(got->texel_format, want->texel_format);
    CHECK_EQ(got->dimension, want->dimension);
    CHECK_EQ(got->sampled_type, want->sampled_type);
    CHECK_EQ(got->is_depth, want->is_depth);
    CHECK_EQ(got->is_multisampled, want->is_multisampled);
    CHECK_EQ(got->component, want->component);
    for (int axis = 0; axis < 3; axis++) {
        CHECK_EQ(got->offset[axis], want->offset[axis]);
    }
    CHECK_EQ(got->is_layer_signed, want->is_layer_signed);
    CHECK_EQ(got->is_level_signed, want->is_level_signed);
}

static void check_operation(const struct operation *o, struct setting *s) {
    for (uint32_t i = 0; i < 2 * INVOCATIONS; i++) {
        uint32_t words[ROWS];
        for (uint32_t k = 0; k < o->row_count; k++) {
            words[k] = expected_word(&o->rows[k], i);
        }
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t want = hash(
                10, o->sampler != NULL ? 20 : 0, words, o->row_count, o->is_scalar ? 0 : c);
            CHECK_EQ(s->words[4 * i + c], want);
        }
    }
    check_call(&o->call);
    CHECK_EQ(seen.texture, 10);
    CHECK_EQ(seen.sampler, o->sampler != NULL ? 20 : 0);
    CHECK_EQ(seen.lane_count, 2 * INVOCATIONS);
}

TEST(each_operation_gives_its_operands_and_takes_its_result) {
    for (size_t n = 0; n < sizeof operations / sizeof operations[0]; n++) {
        const struct operation *o = &operations[n];
        char wgsl[1024];
        snprintf(wgsl, sizeof wgsl,
            "@group(0) @binding(0) var t: %s;\n@group(0) @binding(1) var s: %s;\n"
            "@group(0) @binding(2) var<storage, read_write> o: array<vec4u>;\n"
            "@compute @workgroup_size(%u) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
            "  let i = g.x; let j = i32(i); let f = f32(i);\n  o[i] = %s(%s);\n}\n",
            o->texture, o->sampler != NULL ? o->sampler : "sampler", INVOCATIONS,
            o->is_scalar ? "vec4u(u32" : "bitcast<vec4u>(vec4i", o->expression);
        if (o->is_scalar || o->call.sampled_type == TYPE_U32) {
            char *at = strstr(wgsl, "bitcast<vec4u>(vec4i");
            if (at != NULL) {
                memcpy(at, "             (vec4u  ", 20);
            }
        }
        char *end = strstr(wgsl, ";\n}\n");
        memcpy(end, ");\n}\n", 6);
        FOR_FORMS(form) {
            uint64_t before = check_failure_count;
            struct setting *s = malloc(sizeof *s);
            start(s, wgsl, hashing);
            s->groups[0] = 2;
            seen.row_count = o->row_count;
            bind(s, 0, &s->textures[0], 0);
            // What is not used has gone with the passes before.
            bind(s, 1, &s->samplers[0], 0);
            bind(s, o->sampler != NULL ? 2 : 1, s->words, sizeof s->words);
            if (run(s, form)) {
                check_operation(o, s);
            }
            tell(form, o->expression, before);
            free(s);
        }
    }
}

// ---------------------------------------------------------------- stores

#define ROW_OF_TEXELS "@group(0) @binding(0) var t: texture_storage_1d<r32uint, read_write>;\n"

// Texels, then words, of an expected run.
typedef void (*expectation)(uint32_t *texels, uint32_t *words);

static void run_row(const char *wgsl, expectation expect, uint32_t lane_count) {
    FOR_FORMS(form) {
        uint64_t before = check_failure_count;
        struct setting *s = malloc(sizeof *s);
        uint32_t texels[TEXELS], words[256] = {0};
        start(s, wgsl, storing);
        for (uint32_t i = 0; i < TEXELS; i++) {
            texels[i] = s->textures[0].texels[i] = 1000 + i;
        }
        bind(s, 0, &s->textures[0], 0);
        bind(s, 1, s->words, sizeof words);
        if (run(s, form)) {
            expect(texels, words);
            for (uint32_t i = 0; i < TEXELS; i++) {
                CHECK_EQ(s->textures[0].texels[i], texels[i]);
                CHECK_EQ(s->words[i], words[i]);
            }
            CHECK(lane_count == 0 || seen.lane_count == lane_count);
            CHECK_EQ(seen.call.texel_format, WGPUTextureFormat_R32Uint);
        }
        tell(form, wgsl, before);
        free(s);
    }
}

static void expect_branches(uint32_t *texels, uint32_t *words) {
    (void)words;
    for (uint32_t i = 0; i < 37; i++) {
        if (i % 3 == 1) {
            texels[i] = 5 * i;
        } else if (i > 20) {
            texels[i + 100] = 7;
        }
    }
}
TEST(stores_happen_for_the_lanes_of_a_branch) {
    run_row(ROW_OF_TEXELS
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  if (i % 3u == 1u) { textureStore(t, i, vec4u(5u * i, 1u, 2u, 3u)); return; }\n"
        "  if (i > 20u) { textureStore(t, i32(i) + 100, vec4u(7u)); }\n}\n",
        expect_branches, 12 + 11);
}

static void expect_loops(uint32_t *texels, uint32_t *words) {
    (void)words;
    for (uint32_t i = 0; i < 37; i++) {
        for (uint32_t k = 0; k < i % 5; k++) {
            if ((i + k) % 4 != 0) {
                texels[5 * i + k] = 10 * i + k;
            }
        }
    }
}
TEST(stores_happen_for_the_lanes_of_a_loop) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 37; i++) {
        for (uint32_t k = 0; k < i % 5; k++) {
            count += (i + k) % 4 != 0;
        }
    }
    run_row(ROW_OF_TEXELS
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  for (var k = 0u; k < i % 5u; k++) {\n    if ((i + k) % 4u == 0u) { continue; }\n"
        "    textureStore(t, 5u * i + k, vec4u(10u * i + k));\n  }\n}\n",
        expect_loops, count);
}

static void expect_uniform_stores(uint32_t *texels, uint32_t *words) {
    (void)words;
    texels[3] = 44;
    texels[6] = 46;
}
TEST(a_store_without_lanes_does_not_happen) {
    run_row(ROW_OF_TEXELS
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  if (i == 36u) { textureStore(t, 3u, vec4u(44u)); }\n"
        "  if (i == 37u) { textureStore(t, 4u, vec4u(45u)); }\n"
        "  textureStore(t, 6u, vec4u(46u));\n}\n",
        expect_uniform_stores, 0);
}

static void expect_own(uint32_t *texels, uint32_t *words) {
    for (uint32_t i = 0; i < 37; i++) {
        words[4 * i] = 1000 + i;
        words[4 * i + 1] = 3 * i;
        words[4 * i + 2] = 3 * i + 1;
        words[4 * i + 3] = 1;
        texels[i] = 3 * i + 1;
    }
}
TEST(an_invocation_reads_what_it_wrote) {
    run_row(ROW_OF_TEXELS
        "@group(0) @binding(1) var<storage, read_write> o: array<vec4u>;\n"
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  let a = textureLoad(t, i).x;\n  textureStore(t, i, vec4u(3u * i));\n"
        "  let b = textureLoad(t, i).x;\n  textureStore(t, i, vec4u(b + 1u));\n"
        "  let c = textureLoad(t, i);\n  o[i] = vec4u(a, b, c.x, c.w);\n}\n",
        expect_own, 37 * 5);
}

static void expect_shifts(uint32_t *texels, uint32_t *words) {
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t old[37];
        memcpy(old, texels, sizeof old);
        for (uint32_t i = 0; i < 37; i++) {
            texels[i] = old[(i + 1) % 37] + round + (round == 2 ? old[5] : 0);
        }
    }
    for (uint32_t i = 0; i < 37; i++) {
        words[i] = texels[36 - i];
    }
}
TEST(texture_barriers_order_the_workgroup) {
    run_row(ROW_OF_TEXELS
        "@group(0) @binding(1) var<storage, read_write> o: array<u32>;\n"
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  for (var round = 0u; round < 4u; round++) {\n"
        "    var next = textureLoad(t, (i + 1u) % 37u).x + round;\n"
        "    if (round == 2u) { next += textureLoad(t, 5u).x; textureBarrier(); }\n"
        "    textureBarrier();\n    textureStore(t, i, vec4u(next));\n    textureBarrier();\n  }\n"
        "  o[i] = textureLoad(t, 36u - i).x;\n}\n",
        expect_shifts, 0);
}

// ---------------------------------------------------------------- texels in line

// 5 x 4 texels and 3 images, rows apart: nobody may touch the bytes between, or can the page after.
#define PLAIN_WIDTH 5u
#define PLAIN_HEIGHT 4u
#define PLAIN_IMAGES 3u
#define GAP_WORDS 3u // after each row

struct plain {
    const char *dimension; // of texture_storage
    const char *format;
    const char *kind;         // of components
    const char *place, *sign; // the coordinates of an invocation
    uint32_t images;
    uint32_t words;   // of a texel
    uint32_t flat;    // 1: rows do not matter, 1D
    uint32_t sampled; // the format, where loads of sampled textures are in line too
};

#define IN_2D "vec2i(i32(g.x) - 2, i32(g.y) - 1)"
#define IN_3D "vec3u(g.x - 2u, g.y - 1u, g.z - 1u)"
static const struct plain plains[] = {
    {"1d", "r32uint", "u32", "g.x - 2u + 8u * (g.y - 1u + 6u * (g.z - 1u))", "", 1, 1, 1,
        WGPUTextureFormat_R32Uint},
    {"2d", "r32sint", "i32", IN_2D, "", 1, 1, 0, WGPUTextureFormat_R32Sint},
    {"2d", "rgba8unorm", "f32", IN_2D, "", 1, 1, 0, WGPUTextureFormat_RGBA8Unorm},
    {"2d", "bgra8unorm", "f32", IN_2D, "", 1, 1, 0, 0},
    {"2d", "rg32float", "f32", IN_2D, "", 1, 2, 0, 0},
    {"2d_array", "r32float", "f32", IN_2D ", i32(g.z) - 1", "", PLAIN_IMAGES, 1, 0,
        WGPUTextureFormat_R32Float},
    {"2d_array", "rgba32uint", "u32", IN_2D ", g.z - 1u", "", PLAIN_IMAGES, 4, 0, 0},
    {"3d", "rgba32float", "f32", IN_3D, "", PLAIN_IMAGES, 4, 0, WGPUTextureFormat_RGBA32Float},
    {"3d", "rgba8unorm", "f32", IN_3D, "", PLAIN_IMAGES, 1, 0, WGPUTextureFormat_RGBA8Unorm},
};

// What an invocation stores in a component.
static float plain_value(uint32_t number, uint32_t c) {
    return (float)(int)(number * 7 % 40) / 32.0f - 0.1f + (float)c * 0.25f;
}

static uint32_t plain_unorm(float value) {
    double clamped = value > 0 ? value : 0;
    return (uint32_t)((clamped < 1 ? clamped : 1) * 255 + 0.5);
}

// The words of a stored texel.
static void plain_texel(const struct plain *p, uint32_t number, uint32_t out_words[4]) {
    bool is_swapped = p->format[0] == 'b', is_float = p->kind[0] == 'f';
    memset(out_words, 0, 16);
    for (uint32_t c = 0; c < 4; c++) {
        float value = plain_value(number, c);
        if (strstr(p->format, "8unorm") != NULL) {
            out_words[0] |= plain_unorm(value) << 8 * (is_swapped && c < 3 ? 2 - c : c);
        } else if (is_float) {
            memcpy(&out_words[c], &value, 4);
        } else {
            out_words[c] = number * 3 + c;
        }
    }
}

// The result of a load, as the shader writes it: words.
static uint32_t plain_loaded(const struct plain *p, const uint32_t *texel, uint32_t c) {
    bool is_float = p->kind[0] == 'f';
    float real;
    uint32_t word;
    if (strstr(p->format, "8unorm") != NULL) {
        uint32_t from = p->format[0] == 'b' && c < 3 ? 2 - c : c;
        real = texel == NULL ? 0.0f : (float)(texel[0] >> 8 * from & 255u) / 255.0f;
    } else if (c < p->words) {
        return texel == NULL ? 0 : texel[c];
    } else if (is_float) {
        real = c == 3 ? 1.0f : 0.0f;
    } else {
        return c == 3;
    }
    memcpy(&word, &real, 4);
    return word;
}

// size bytes that end at a page without access.
struct guarded {
    uint8_t *pages, *data;
    size_t page_bytes;
};
static struct guarded guarded_make(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guarded g = {.page_bytes = (size + page - 1) / page * page + page};
    g.pages = mmap(NULL, g.page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(g.pages + g.page_bytes - page, page, PROT_NONE);
    g.data = g.pages + g.page_bytes - page - size;
    return g;
}

#define PLAIN_INVOCATIONS (8u * 6u * 5u)

static void check_plain(const struct plain *p, const uint32_t *before, const uint32_t *after,
    const uint32_t *loads, uint32_t row_words, uint32_t size_words) {
    uint32_t expected[2048];
    memcpy(expected, before, size_words * 4);
    for (uint32_t number = 0; number < PLAIN_INVOCATIONS; number++) {
        uint32_t x = number % 8 - 2, y = number / 8 % 6 - 1, z = number / 48 - 1, texel[4];
        bool is_inside = x < PLAIN_WIDTH && y < PLAIN_HEIGHT && z < p->images;
        if (p->flat != 0) {
            x += 8 * (y + 6 * z);
            is_inside = x < PLAIN_WIDTH;
            y = z = 0;
        } else if (p->images == 1) {
            is_inside = x < PLAIN_WIDTH && y < PLAIN_HEIGHT;
            z = 0;
        }
        uint32_t at = (z * PLAIN_HEIGHT + y) * row_words + x * p->words;
        for (uint32_t c = 0; c < 4; c++) {
            CHECK_EQ(loads[4 * number + c], plain_loaded(p, is_inside ? &before[at] : NULL, c));
        }
        plain_texel(p, p->images == 1 && p->flat == 0 ? number % 48 : number, texel);
        if (is_inside && number % 7 != 3) {
            memcpy(&expected[at], texel, p->words * 4);
        }
    }
    CHECK_BYTES(after, expected, size_words * 4);
}

static void run_plain(
    const struct plain *p, const char *size, const struct form *form, bool is_sampled) {
    // 2D: the invocations of all z store the same.
    char wgsl[2048], type[64];
    snprintf(type, sizeof type, is_sampled ? "%s<%s>" : "storage_%s<%s, read>", p->dimension,
        is_sampled ? p->kind : p->format);
    bool is_float = p->kind[0] == 'f', is_same = p->images == 1 && p->flat == 0;
    snprintf(wgsl, sizeof wgsl,
        "@group(0) @binding(0) var a: texture_%s;\n"
        "@group(0) @binding(1) var b: texture_storage_%s<%s, write>;\n"
        "@group(0) @binding(2) var<storage, read_write> o: array<vec4u>;\n"
        "@compute @workgroup_size(%s) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
        "  let n = g.x + 8u * (g.y + 6u * g.z); let i = n%s;\n"
        "  o[n] = bitcast<vec4u>(textureLoad(a, %s%s));\n"
        "  let f = f32(i * 7u %% 40u) / 32.0 - 0.1;\n  if (n %% 7u == 3u) { return; }\n"
        "  textureStore(b, %s, %s(%s));\n}\n",
        type, p->dimension, p->format, size, is_same ? " % 48u" : "", p->place,
        is_sampled ? ", 0" : "", p->place,
        is_float                ? "vec4f"
            : p->kind[0] == 'i' ? "vec4i"
                                : "vec4u",
        is_float ? "f, f + 0.25, f + 0.5, f + 0.75" : "vec4u(i * 3u) + vec4u(0u, 1u, 2u, 3u)");
    uint32_t row_words = PLAIN_WIDTH * p->words + GAP_WORDS;
    uint32_t rows = p->flat != 0 ? 1 : PLAIN_HEIGHT * p->images;
    uint32_t size_words = row_words * rows - GAP_WORDS;
    struct guarded memory[2] = {guarded_make(size_words * 4), guarded_make(size_words * 4)};
    uint32_t before[2048];
    struct setting *s = malloc(sizeof *s);
    start(s, wgsl, NULL); // never called
    for (uint32_t i = 0; i < size_words; i++) {
        before[i] = (i + 3) * 2654435761u;
    }
    for (uint32_t t = 0; t < 2; t++) {
        memcpy(memory[t].data, before, size_words * 4);
        s->textures[t].seen = (struct jit_texture){.width = PLAIN_WIDTH,
            .height = PLAIN_HEIGHT,
            .depth = PLAIN_IMAGES,
            .layer_count = PLAIN_IMAGES,
            .level_count = 1,
            .sample_count = 1,
            .texels = memory[t].data,
            .format = p->sampled,
            .row_bytes = row_words * 4,
            .image_bytes = row_words * 4 * PLAIN_HEIGHT};
        bind(s, t, &s->textures[t], 0);
    }
    bind(s, 2, s->words, sizeof s->words);
    uint32_t x = 1, y = 1, z = 1;
    sscanf(size, "%u, %u, %u", &x, &y, &z);
    s->groups[0] = 8 / x;
    s->groups[1] = 6 / y;
    s->groups[2] = 5 / z;
    if (run(s, form)) {
        check_plain(p, before, (const uint32_t *)(const void *)memory[1].data, s->words, row_words,
            size_words);
        CHECK_BYTES(memory[0].data, before, size_words * 4);
    }
    munmap(memory[0].pages, memory[0].page_bytes);
    munmap(memory[1].pages, memory[1].page_bytes);
    free(s);
}

TEST(plain_texels_are_read_and_written_in_line) {
    // Lanes in a row of texels, in parts of rows, and across rows.
    static const char *const sizes[] = {"8, 6, 5", "4, 6, 5", "8, 1, 5", "2, 3, 5"};
    for (uint32_t n = 0; n < sizeof plains / sizeof plains[0]; n++) {
        for (uint32_t k = 0; k < 4; k++) {
            FOR_FORMS(form) {
                if (form->width != 0 && ((size_t)(form - forms) + n + k) % 4 != 0) {
                    continue;
                }
                uint64_t before = check_failure_count;
                run_plain(&plains[n], sizes[k], form, false);
                if (plains[n].sampled != 0) {
                    run_plain(&plains[n], sizes[k], form, true);
                }
                tell(form, plains[n].format, before);
            }
        }
    }
}

TEST(other_levels_and_formats_are_left_to_the_function) {
    static const char wgsl[] =
        "@group(0) @binding(0) var t: texture_2d<f32>;\n"
        "@group(0) @binding(1) var<storage, read_write> o: array<vec4u>;\n"
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  let level = o[200].x;\n  o[i] = vec4u(textureLoad(t, vec2u(i, 0u), level));\n}\n";
    static uint32_t texels[4 * 128];
    for (uint32_t i = 0; i < 4 * 128; i++) {
        float value = (float)i;
        memcpy(&texels[i], &value, 4);
    }
    FOR_FORMS(form) {
        for (uint32_t way = 0; way < 3; way++) { // in line, another level, another format
            uint64_t before = check_failure_count;
            struct setting *s = malloc(sizeof *s);
            start(s, wgsl, hashing);
            seen.row_count = 3;
            s->textures[0].seen.texels = (uint8_t *)texels;
            s->textures[0].seen.format = way == 2 ? WGPUTextureFormat_RGBA16Float
                                                  : WGPUTextureFormat_RGBA32Float;
            s->words[800] = way == 1;
            bind(s, 0, &s->textures[0], 0);
            bind(s, 1, s->words, sizeof s->words);
            bool is_run = run(s, form);
            for (uint32_t i = 0; is_run && i < 37; i++) {
                uint32_t words[3] = {i, 0, way == 1};
                for (uint32_t c = 0; c < 4; c++) {
                    CHECK_EQ(s->words[4 * i + c], way == 0 ? 4 * i + c : hash(10, 0, words, 3, c));
                }
            }
            CHECK_EQ(seen.lane_count, way == 0 ? 0 : 37);
            tell(form, way == 0 ? "in line" : way == 1 ? "level" : "format", before);
            free(s);
        }
    }
}

// ---------------------------------------------------------------- values

TEST(values_pass_through_functions_and_names) {
    static const char wgsl[] =
        "@group(0) @binding(0) var a: texture_2d<f32>;\n@group(0) @binding(1) var b: "
        "texture_2d<f32>;\n@group(0) @binding(2) var x: sampler;\n@group(0) @binding(3) var y: "
        "sampler;\n@group(0) @binding(4) var<storage, read_write> o: array<vec4u>;\n"
        "fn one(s: sampler, p: vec2f, t: texture_2d<f32>) -> vec4f {\n"
        "  if (p.x > 30.0) { return vec4f(3.0); }\n  return textureSampleLevel(t, s, p, 0.0);\n}\n"
        "fn two(t: texture_2d<f32>, p: vec2f, s: sampler) -> vec4f {\n"
        "  let other = t;\n  return one(s, p, other);\n}\n"
        "fn width(t: texture_2d<f32>, level: u32) -> u32 { return textureDimensions(t, level).x; }\n"
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  let s = y; let p = vec2f(f32(i), 4.0);\n"
        "  if (i % 2u == 0u) { o[i] = vec4u(two(a, p, s)); } else { o[i] = vec4u(two(b, p, x)); }\n"
        "  o[i].w = width(b, i % 8u);\n}\n";
    for (int is_unlowered = 0; is_unlowered < 2; is_unlowered++) {
        FOR_FORMS(form) {
            uint64_t before = check_failure_count;
            struct setting *s = malloc(sizeof *s);
            start(s, wgsl, hashing);
            s->is_unlowered = is_unlowered != 0;
            seen.row_count = 3;
            bind(s, 0, &s->textures[0], 0);
            bind(s, 1, &s->textures[1], 0);
            bind(s, 2, &s->samplers[0], 0);
            bind(s, 3, &s->samplers[1], 0);
            bind(s, 4, s->words, sizeof s->words);
            bool is_run = run(s, form);
            for (uint32_t i = 0; is_run && i < 37; i++) {
                uint32_t p[3] = {0};
                float place[2] = {(float)i, 4.0f};
                memcpy(p, place, sizeof place);
                for (uint32_t c = 0; c < 3; c++) {
                    uint32_t want = i > 30 ? 3
                        : i % 2 == 0       ? hash(10, 21, p, 3, c)
                                           : hash(11, 20, p, 3, c);
                    CHECK_EQ(s->words[4 * i + c], want);
                }
                uint32_t size = 101u >> (i % 8);
                CHECK_EQ(s->words[4 * i + 3], i % 8 >= 5 ? 0 : size);
            }
            CHECK_EQ(seen.lane_count, 31);
            tell(form, is_unlowered ? "calls" : "inlined", before);
            free(s);
        }
    }
}

TEST(operands_that_all_lanes_share_take_one_call) {
    static const char wgsl[] =
        "@group(0) @binding(0) var t: texture_2d<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> o: array<vec2u>;\n"
        "var<workgroup> shared_word: u32;\n"
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32,\n"
        "    @builtin(workgroup_id) w: vec3u) {\n"
        "  let n = textureLoad(t, w.xy, 0u).y;\n  shared_word = n;\n"
        "  for (var k = 0u; k < n % 3u + 1u; k++) { workgroupBarrier(); o[37u * w.x + i].x += 1u; }\n"
        "  o[37u * w.x + i].y = shared_word;\n}\n";
    FOR_FORMS(form) {
        uint64_t before = check_failure_count;
        struct setting *s = malloc(sizeof *s);
        start(s, wgsl, hashing);
        s->groups[0] = 3;
        seen.row_count = 3;
        bind(s, 0, &s->textures[0], 0);
        bind(s, 1, s->words, sizeof s->words);
        bool is_run = run(s, form);
        for (uint32_t i = 0; is_run && i < 3 * 37; i++) {
            uint32_t words[3] = {i / 37, 0, 0};
            uint32_t n = hash(10, 0, words, 3, 1);
            CHECK_EQ(s->words[2 * i], n % 3 + 1);
            CHECK_EQ(s->words[2 * i + 1], n);
        }
        CHECK_EQ(seen.call_count, 3);
        tell(form, "uniform", before);
        free(s);
    }
}

// ---------------------------------------------------------------- fragments

#define LANES JIT_BATCH_LANES
#define FRAGMENTS 44u // of the batch: some vectors are not full
#define HELPERS UINT64_C(0x00f0137788842212)

static uint32_t quad_rows[2][LANES]; // what the function found for all lanes, row by row

static void sampling(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes, const uint32_t *arguments, uint32_t *results) {
    if (call->opcode == IR_TEXTURE_STORE) {
        storing(call, texture, sampler, lanes, arguments, results);
        return;
    }
    note(call, texture, sampler, lanes);
    for (uint32_t lane = 0; lane < call->width; lane++) {
        // The lane's number is what its first row holds, times four.
        float x, y;
        memcpy(&x, &arguments[lane], 4);
        memcpy(&y, &arguments[call->width + lane], 4);
        uint32_t number = (uint32_t)(x / 4.0f);
        if (number < LANES) {
            quad_rows[0][number] = arguments[lane];
            quad_rows[1][number] = arguments[call->width + lane];
        }
        for (uint32_t c = 0; c < 4; c++) {
            results[c * call->width + lane] = from_number(
                call, (lanes >> lane & 1u) == 0 ? 9999 : (uint32_t)x + 3 * (uint32_t)y + c);
        }
    }
}

static void check_fragments(struct setting *s, const uint32_t *outputs, uint64_t live) {
    uint32_t stores = 0;
    for (uint32_t i = 0; i < FRAGMENTS; i++) {
        uint32_t x = 4 * i, y = i % 7;
        bool is_discarded = i % 11 == 5;
        float coordinates[2] = {(float)x, (float)y}, result;
        uint32_t words[2];
        memcpy(words, coordinates, sizeof words);
        // Helpers too: their neighbours need their coordinates.
        CHECK_EQ(quad_rows[0][i], words[0]);
        CHECK_EQ(quad_rows[1][i], words[1]);
        bool is_stored = (HELPERS >> i & 1u) == 0 && !is_discarded && i % 3 != 0;
        CHECK_EQ(s->textures[1].texels[i], is_stored ? 10 * i : 0);
        stores += is_stored;
        CHECK_EQ(live >> i & 1u, (HELPERS >> i & 1u) == 0 && !is_discarded);
        for (uint32_t c = 0; c < 4 && (live >> i & 1u) != 0; c++) {
            memcpy(&result, &outputs[c * LANES + i], 4);
            CHECK_EQ((int)result, x + 3 * y + c);
        }
    }
    for (uint32_t i = FRAGMENTS; i < TEXELS; i++) {
        CHECK_EQ(s->textures[1].texels[i], 0);
    }
    CHECK_EQ(seen.lane_count, FRAGMENTS + stores);
}

TEST(helpers_sample_and_do_not_store) {
    static const char wgsl[] =
        "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n"
        "@group(0) @binding(2) var w: texture_storage_1d<r32uint, write>;\n"
        "@fragment fn main(@location(0) @interpolate(flat, either) i: u32) -> @location(0) vec4f {\n"
        "  let sampled = textureSample(t, s, vec2f(f32(4u * i), f32(i % 7u)), vec2i(2, -2));\n"
        "  if (i % 11u == 5u) { discard; }\n"
        "  if (i % 3u != 0u) { textureStore(w, i, vec4u(10u * i)); }\n  return sampled;\n}\n";
    FOR_FORMS(form) {
        if (form->width == 1) {
            continue; // no quad fits
        }
        uint64_t before = check_failure_count;
        struct jit_options options = {
            .level = form->level, .width = form->width, .jam = form->jam, .poll_cancel = true};
        struct setting *s = malloc(sizeof *s);
        struct jit_run jit;
        uint32_t inputs[LANES], outputs[4 * LANES];
        start(s, wgsl, sampling);
        bind(s, 0, &s->textures[0], 0);
        bind(s, 1, &s->samplers[1], 0);
        bind(s, 2, &s->textures[1], 0);
        memset(quad_rows, 0, sizeof quad_rows);
        seen.call_count = seen.lane_count = 0;
        for (uint32_t i = 0; i < LANES; i++) {
            inputs[i] = i < FRAGMENTS ? i : 1000000;
        }
        struct jit_batch batch = {.inputs = inputs,
            .outputs = outputs,
            .live = ~HELPERS & ((UINT64_C(1) << FRAGMENTS) - 1),
            .lane_count = FRAGMENTS};
        if (CHECK(jit_run_create(&jit, wgsl, &options))) {
            jit.texture = sampling;
            jit_run_batches(&jit, s->buffers, &batch, 0, 1);
            check_fragments(s, outputs, batch.live);
        } else {
            fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&jit.error)));
        }
        jit_run_destroy(&jit);
        tell(form, "fragments", before);
        free(s);
    }
}

static void count_lanes(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes, const uint32_t *arguments, uint32_t *results) {
    (void)arguments;
    (void)results;
    note(call, texture, sampler, lanes);
}
TEST(lanes_beyond_a_batch_are_not_asked_for) {
    static const char wgsl[] =
        "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n"
        "@vertex fn main(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
        "  return textureSampleLevel(t, s, vec2f(f32(i)), 0.0);\n}\n";
    FOR_FORMS(form) {
        uint64_t before = check_failure_count;
        struct jit_options options = {.level = form->level, .width = form->width, .jam = form->jam};
        struct setting *s = malloc(sizeof *s);
        struct jit_run jit;
        uint32_t inputs[LANES] = {0}, outputs[4 * LANES];
        start(s, wgsl, count_lanes);
        bind(s, 0, &s->textures[0], 0);
        bind(s, 1, &s->samplers[1], 0);
        bool is_made = CHECK(jit_run_create(&jit, wgsl, &options));
        jit.texture = count_lanes;
        for (uint32_t count = 1; is_made && count <= LANES; count += 21) {
            struct jit_batch batch = {.inputs = inputs, .outputs = outputs, .lane_count = count};
            seen.lane_count = 0;
            jit_run_batches(&jit, s->buffers, &batch, 0, 1);
            CHECK_EQ(seen.lane_count, count);
        }
        jit_run_destroy(&jit);
        tell(form, "vertices", before);
        free(s);
    }
}

// ---------------------------------------------------------------- queries

TEST(sizes_and_counts_need_no_texture_function) {
    static const char wgsl[] =
        "@group(0) @binding(0) var a: texture_3d<f32>;\n"
        "@group(0) @binding(1) var b: texture_cube_array<f32>;\n"
        "@group(0) @binding(2) var<storage, read_write> o: array<array<u32, 20>>;\n"
        "@group(1) @binding(0) var m: texture_multisampled_2d<f32>;\n"
        "@group(1) @binding(7) var t: texture_storage_1d<r32uint, write>;\n"
        "@compute @workgroup_size(37) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  let whole = textureDimensions(a);\n  o[i][0] = whole.x; o[i][1] = whole.y;\n"
        "  o[i][2] = whole.z;\n  let mine = textureDimensions(a, i32(i) - 2);\n"
        "  o[i][3] = mine.x; o[i][4] = mine.y; o[i][5] = mine.z;\n"
        "  let last = textureDimensions(a, textureNumLevels(a) - 1u);\n"
        "  o[i][6] = last.x; o[i][7] = last.y; o[i][8] = last.z;\n"
        "  let none = textureDimensions(a, textureNumLevels(a));\n"
        "  o[i][9] = none.x + none.y + none.z;\n  let cube = textureDimensions(b, 2);\n"
        "  o[i][10] = cube.x; o[i][11] = cube.y; o[i][12] = textureNumLayers(b);\n"
        "  o[i][13] = textureNumLevels(b); o[i][14] = textureNumSamples(m);\n"
        "  o[i][15] = textureDimensions(m).y; o[i][16] = textureDimensions(t);\n}\n";
    FOR_FORMS(form) {
        uint64_t before = check_failure_count;
        struct setting *s = malloc(sizeof *s);
        start(s, wgsl, NULL);
        bind(s, 0, &s->textures[0], 0);
        bind(s, 1, &s->textures[1], 0);
        bind(s, 2, s->words, 37 * 80);
        bind(s, 3, &s->textures[1], 0);
        bind(s, 4, &s->textures[0], 0);
        bool is_run = run(s, form);
        for (uint32_t i = 0; is_run && i < 37; i++) {
            uint32_t level = i - 2;
            bool has_level = level < 5;
            uint32_t want[17] = {100, 50, 9, has_level ? 100u >> level : 0,
                has_level ? 50u >> level : 0,
                !has_level      ? 0
                    : level > 3 ? 1
                                : 9u >> level,
                6, 3, 1, 0, 25, 12, 3, 5, 4, 50, 100};
            for (uint32_t k = 0; k < 17; k++) {
                CHECK_EQ(s->words[20 * i + k], want[k]);
            }
        }
        tell(form, "queries", before);
        free(s);
    }
}

CHECK_MAIN(each_operation_gives_its_operands_and_takes_its_result,
    stores_happen_for_the_lanes_of_a_branch, stores_happen_for_the_lanes_of_a_loop,
    a_store_without_lanes_does_not_happen, an_invocation_reads_what_it_wrote,
    texture_barriers_order_the_workgroup, plain_texels_are_read_and_written_in_line,
    other_levels_and_formats_are_left_to_the_function, values_pass_through_functions_and_names,
    operands_that_all_lanes_share_take_one_call, helpers_sample_and_do_not_store,
    lanes_beyond_a_batch_are_not_asked_for, sizes_and_counts_need_no_texture_function)
