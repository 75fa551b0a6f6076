// SPDX-License-Identifier: MIT
//
// Textures, samplers, derivatives, subgroups and buffer views, and the uniformity that they need: WGSL
// §Texture Built-in Functions, §Derivative Built-in Functions, §Subgroup Built-in Functions, §Quad
// Operations, §Buffer View Built-in Functions, §Uniformity, §Diagnostic Filtering.
#include "shader/wgsl/rule_rows.h"

#define TEXTURES \
    "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler; " \
    "@group(0) @binding(2) var d: texture_depth_2d; @group(0) @binding(3) var c: sampler_comparison; " \
    "@group(0) @binding(4) var a: texture_2d_array<u32>; @group(0) @binding(5) var m: texture_multisampled_2d<i32>; " \
    "@group(0) @binding(6) var w: texture_storage_2d<rgba8unorm, write>; @group(0) @binding(7) var e: texture_external; " \
    "@group(0) @binding(8) var r: texture_storage_3d<r32sint, read_write>; @group(0) @binding(9) var q: texture_cube<f32>; " \
    "@group(0) @binding(10) var v: texture_3d<f32>; "
#define IN_FRAGMENT(body) TEXTURES "@fragment fn main(@location(0) p: vec2f) { " body " }"
#define IN_COMPUTE(body) TEXTURES "@compute @workgroup_size(1) fn main() { " body " }"

// clang-format off
TEST(texture_arguments) {
    RULE_ROWS(
        {IN_FRAGMENT("_ = textureSample(t, s, p); _ = textureSample(t, s, p, vec2i(-8, 7));"), IN_FRAGMENT("_ = textureSample(t, c, p);"), "no-matching-overload", "textureSample(t, c, p)"},
        {IN_FRAGMENT("let i = textureLoad(a, vec2u(1), 1, 0).x; let u: u32 = i;"), IN_FRAGMENT("_ = textureSample(a, s, p, 0);"), "no-matching-overload", NULL},
        {IN_FRAGMENT("_ = textureSampleCompare(d, c, p, 0.5); _ = textureGatherCompare(d, c, p, 1);"), IN_FRAGMENT("_ = textureSampleCompare(t, c, p, 0.5);"), "no-matching-overload", NULL},
        {IN_COMPUTE("_ = textureLoad(m, vec2(1), 2);"), IN_COMPUTE("_ = textureLoad(m, vec2(1));"), "no-matching-overload", NULL},
        {IN_COMPUTE("textureStore(w, vec2(1), vec4(1)); textureStore(r, vec3(1u), vec4i());"), IN_COMPUTE("textureStore(w, vec2(1), vec4i(1));"), "no-matching-overload", NULL},
        {IN_COMPUTE("_ = textureLoad(r, vec3(1));"), IN_COMPUTE("_ = textureLoad(w, vec2(1));"), "no-matching-overload", NULL},
        {IN_COMPUTE("_ = textureDimensions(e) + textureDimensions(m) + textureDimensions(t, 1) + textureDimensions(q); _ = textureNumLayers(a) + textureNumLevels(v) + textureNumSamples(m);"),
         IN_COMPUTE("_ = textureDimensions(m, 0);"), "no-matching-overload", NULL},
        {NULL, IN_COMPUTE("_ = textureNumLayers(t);"), "no-matching-overload", NULL},
        {NULL, IN_COMPUTE("_ = textureNumSamples(t);"), "no-matching-overload", NULL},
        {IN_COMPUTE("_ = textureSampleLevel(d, s, vec2f(), 1); _ = textureSampleGrad(q, s, vec3f(), vec3f(), vec3f());"), IN_COMPUTE("_ = textureSampleLevel(d, s, vec2f(), 1.5);"), "no-matching-overload", NULL},
        {IN_COMPUTE("_ = textureSampleBaseClampToEdge(e, s, vec2f()) + textureSampleBaseClampToEdge(t, s, vec2f());"), IN_COMPUTE("_ = textureSampleBaseClampToEdge(v, s, vec3f());"), "no-matching-overload", NULL},
        {NULL, IN_FRAGMENT("textureSample(t, s, p);"), "must-use", NULL},
        {TEXTURES "fn f(x: texture_2d<f32>, y: sampler) -> vec4f { let z = x; return textureSampleLevel(z, y, vec2f(), 0); } fn g() { _ = f(t, s); }", TEXTURES "fn f(x: texture_2d<u32>) {} fn g() { f(t); }", "type-mismatch", "t"});
}

TEST(texture_constants) {
    RULE_ROWS(
        {IN_FRAGMENT("const o = vec2i(1); _ = textureSample(t, s, p, o);"), IN_FRAGMENT("_ = textureSample(t, s, p, vec2i(8, 0));"), "value-out-of-range", "vec2i(8, 0)"},
        {NULL, IN_FRAGMENT("_ = textureSampleBias(v, s, p.xyx, 1, vec3i(0, 0, -9));"), "value-out-of-range", "vec3i(0, 0, -9)"},
        {NULL, IN_FRAGMENT("let o = vec2i(1); _ = textureSample(t, s, p, o);"), "not-const-expression", "o"},
        {IN_FRAGMENT("_ = textureGather(3, t, s, p);"), IN_FRAGMENT("_ = textureGather(4, t, s, p);"), "value-out-of-range", "4"},
        {NULL, IN_FRAGMENT("_ = textureGather(-1, t, s, p);"), "value-out-of-range", "-1"},
        {IN_FRAGMENT("_ = textureGather(d, s, p);"), IN_FRAGMENT("let n = 1; _ = textureGather(n, t, s, p);"), "not-const-expression", "n"},
        {NULL, IN_FRAGMENT("_ = textureGather(q, s, p.xyx);"), "no-matching-overload", NULL});
}

TEST(stages) {
    RULE_ROWS(
        {IN_FRAGMENT("_ = dpdx(p) + fwidthFine(p);"), IN_COMPUTE("_ = dpdx(1.0);"), "stage-restriction", NULL},
        {IN_COMPUTE("_ = textureSampleLevel(t, s, vec2f(), 0);"), IN_COMPUTE("_ = textureSample(t, s, vec2f());"), "stage-restriction", NULL},
        {NULL, IN_FRAGMENT("_ = dpdy(1i);"), "no-matching-overload", NULL},
        {NULL, "enable f16; " IN_FRAGMENT("_ = dpdy(1h);"), "no-matching-overload", NULL});
}

TEST(derivative_uniformity) {
    RULE_ROWS(
        {IN_FRAGMENT("_ = textureSample(t, s, p); if (p.x > 0) { _ = textureSampleLevel(t, s, p, 0); }"), IN_FRAGMENT("if (p.x > 0) { _ = textureSample(t, s, p); }"), "uniformity", "textureSample(t, s, p)"},
        {NULL, IN_FRAGMENT("if (p.x > 0) { _ = dpdx(p); }"), "uniformity", "dpdx(p)"},
        {NULL, TEXTURES "fn f() { _ = fwidth(1.0); } @fragment fn main(@builtin(front_facing) x: bool) { if x { f(); } }", "uniformity", "f()"},
        {NULL, IN_FRAGMENT("if (dpdx(p.x) > 0) { _ = dpdy(p.x); }"), "uniformity", "dpdy(p.x)"},
        {IN_FRAGMENT("if (textureLoad(t, vec2(1), 0).x > 0) { _ = dpdx(p.x); }"), IN_FRAGMENT("if (textureLoad(r, vec3(1)).x > 0) { _ = dpdx(p.x); }"), "uniformity", "dpdx(p.x)"},
        {"diagnostic(off, derivative_uniformity); " IN_FRAGMENT("if (p.x > 0) { _ = dpdx(p); }"), "diagnostic(off, derivative_uniformity); " IN_FRAGMENT("if (p.x > 0) @diagnostic(error, derivative_uniformity) { _ = dpdx(p); }"), "uniformity", "dpdx(p)"},
        {IN_FRAGMENT("@diagnostic(warning, derivative_uniformity) if (p.x > dpdx(p.x)) { _ = dpdx(p); }"), NULL, NULL, NULL},
        {TEXTURES "@diagnostic(info, derivative_uniformity) fn f() { _ = dpdx(1.0); } @fragment fn main(@location(0) p: f32) { if p > 0 { f(); } }", NULL, NULL, NULL},
        {IN_FRAGMENT("switch i32(p.x) @diagnostic(off, derivative_uniformity) { case 1 { _ = dpdx(p); } default {} }"), IN_FRAGMENT("switch i32(p.x) { case 1 { _ = dpdx(p); } default @diagnostic(off, derivative_uniformity) {} }"), "uniformity", "dpdx(p)"},
        {IN_FRAGMENT("for (var i = 0; i < i32(p.x); i++) @diagnostic(off, derivative_uniformity) { _ = dpdx(p); }"), NULL, NULL, NULL},
        {"var<private> x: u32; fn put(p: ptr<function, u32>) { *p = 1; } @fragment fn main() { var v = x; put(&v); if v == 1 { _ = dpdx(1.0); } }",
         "var<private> x: u32; fn add(p: ptr<function, u32>) { *p += 1; } @fragment fn main() { var v = x; add(&v); if v == 1 { _ = dpdx(1.0); } }", "uniformity", "dpdx(1.0)"});
}

#define GROUP(body) "enable subgroups; @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_id) g: u32, @builtin(num_subgroups) n: u32) { " body " }"
TEST(subgroups) {
    RULE_ROWS(
        {GROUP("_ = subgroupAdd(i); _ = subgroupBallot(i > 3); _ = quadSwapX(vec3f(1)); _ = subgroupElect();"), "@compute @workgroup_size(1) fn main() { _ = subgroupAdd(1); }", "extension-not-enabled", "subgroupAdd"},
        {GROUP("_ = subgroupBroadcast(i, 127); _ = quadBroadcast(i, 3u);"), GROUP("_ = subgroupBroadcast(i, 128);"), "value-out-of-range", "128"},
        {NULL, GROUP("_ = quadBroadcast(i, 4);"), "value-out-of-range", "4"},
        {NULL, GROUP("_ = quadBroadcast(i, i);"), "not-const-expression", "i"},
        {GROUP("_ = subgroupShuffle(i, i);"), GROUP("_ = subgroupShuffle(i, 128u);"), "value-out-of-range", "128u"},
        {NULL, GROUP("_ = subgroupAnd(1.5f);"), "no-matching-overload", NULL},
        {NULL, GROUP("_ = subgroupAll(i);"), "no-matching-overload", NULL},
        {"enable subgroups; @fragment fn main() { _ = subgroupAdd(1u); }", "enable subgroups; @vertex fn main() -> @builtin(position) vec4f { _ = subgroupAdd(1u); return vec4f(); }", "stage-restriction", NULL},
        {GROUP("if n > 1 { _ = subgroupAdd(i); }"), GROUP("if i > 1 { _ = subgroupAdd(i); }"), "uniformity", "subgroupAdd(i)"},
        {GROUP("if g > 1 { _ = subgroupAdd(i); }"), GROUP("if g > 1 { workgroupBarrier(); }"), "uniformity", "workgroupBarrier()"},
        {GROUP("_ = subgroupShuffleUp(i, n);"), GROUP("_ = subgroupShuffleUp(i, i);"), "uniformity", "subgroupShuffleUp(i, i)"},
        {"diagnostic(off, subgroup_uniformity); " GROUP("if i > 1 { _ = subgroupAdd(i); }"), NULL, NULL, NULL});
}

#define VIEW(body) "@group(0) @binding(0) var<storage> s: buffer; @group(0) @binding(1) var<uniform> u: buffer<64>; @group(0) @binding(2) var<storage, read_write> o: buffer<32>; fn f(n: u32) { " body " }"
TEST(buffer_views) {
    RULE_ROWS(
        {VIEW("let p = bufferView<vec4u>(&s, n); *bufferView<vec4u>(&o, 16) = *p; _ = bufferLength(&u);"), VIEW("_ = bufferLength(u);"), "not-readable", "u"},
        {NULL, "var<private> x: u32; fn f() { _ = bufferLength(&x); }", "no-matching-overload", "&x"},
        {NULL, VIEW("let p = bufferView<atomic<u32>>(&o, 0);"), "store-type", "atomic<u32>"},
        {NULL, VIEW("let p = bufferView<bool>(&o, 0);"), "store-type", "bool"},
        {NULL, VIEW("let p = bufferView<vec4u>(&s, 8);"), "buffer-view", "8"},
        {NULL, VIEW("let p = bufferView<vec4u>(&o, 32);"), "buffer-view", "32"},
        {NULL, VIEW("let p = bufferView<vec4u>(&s, -16);"), "value-out-of-range", "-16"},
        {VIEW("let p = bufferArrayView<array<vec4u>>(&u, 16, 48); _ = arrayLength(p);"), VIEW("let p = bufferArrayView<array<vec4u>>(&u, 16, 40);"), "buffer-view", "40"},
        {NULL, VIEW("let p = bufferArrayView<array<vec4u, 2>>(&u, 16, 32);"), "store-type", "array<vec4u, 2>"},
        {NULL, VIEW("let p = bufferView<array<u32, 4>>(&u, 0);"), "uniform-layout", NULL},
        {NULL, "@group(0) @binding(0) var<uniform> u: buffer;", "store-type", "buffer"},
        {"override n = 16; var<workgroup> w: buffer<n>; fn f() { *bufferView<u32>(&w, 4) = bufferLength(&w); }", "override n = 16; @group(0) @binding(0) var<storage> w: buffer<n>;", "override-sized-array", "buffer<n>"},
        {NULL, "var<workgroup> w: buffer<6>;", "array-count", "6"},
        {"fn g(p: ptr<uniform, buffer<16>>) {} fn h(p: ptr<uniform, buffer>) { _ = bufferLength(p); } " VIEW("g(&u); h(&u);"), "fn g(p: ptr<uniform, buffer<128>>) {} " VIEW("g(&u);"), "type-mismatch", "&u"});
}

TEST(attributes_and_steps) {
    RULE_ROWS(
        {"@fragment fn main() {}", "@fragment() fn main() {}", "attribute-arguments", "@fragment()"},
        {"fn f(p: ptr<function, i32>) { *p++; (*p)--; }", "fn f(p: ptr<function, array<i32, 2>>, i: i32) { p[i++] = 1; }", "syntax", "++"});
}

static void check_override(const char *text, double value, const char *id) {
    struct rule_outcome outcome;
    struct wgsl_options options = {.enabled_extensions = 0x3f};
    struct wgsl_constant constant = {TEXT_LITERAL("o"), value};
    struct wgsl_pipeline pipeline = {TEXT_LITERAL("main"), &constant, 1};
    rule_check_valid(text);
    arena_init(&outcome.arena, MEMORY_TEST);
    source_init(&outcome.source, text_from_string(text), TEXT_LITERAL("test"), &outcome.arena);
    diagnostic_list_init(&outcome.diagnostics, &outcome.arena, 0);
    bool is_valid = wgsl_check_pipeline(
        &outcome.source, &options, &pipeline, &outcome.arena, &outcome.diagnostics);
    CHECK_EQ(is_valid, id == NULL);
    const struct diagnostic *error = rule_first_error(&outcome);
    CHECK_STR(error != NULL ? diagnostic_code_id(error->code) : "", id != NULL ? id : "");
    rule_finish(&outcome);
}

TEST(override_expressions) {
#define MAIN(body) "override o = 2; @compute @workgroup_size(1) fn main() { var x = 1; " body " }"
    check_override(MAIN("x = x / o;"), 3, NULL);
    check_override(MAIN("x = x / o;"), 0, "division-by-zero");
    check_override(MAIN("x = x << u32(o);"), 32, "shift-amount");
    check_override(MAIN("x = clamp(x, 4, o);"), 3, "builtin-domain");
    check_override(MAIN("x = clamp(x, 4, o);"), 4, NULL);
    check_override(MAIN("x = array(1, 2, 3)[o];"), 3, "index-out-of-bounds");
    check_override(MAIN("if o != 0 && 1 / o > 0 { x = 2; }"), 0, NULL);
    check_override("override o: f32 = 2; const big = 3e38f; @compute @workgroup_size(1) fn main() { _ = o * big; }", 2, "const-overflow");
    // Only what the entry point reaches is evaluated, and not what a given value replaces.
    check_override("override o = 1; fn f() -> i32 { return 1 / o; } @compute @workgroup_size(1) fn main() {}", 0, NULL);
    check_override("override z = 0; override o = 1 / z; @compute @workgroup_size(1) fn main() { _ = o; }", 5, NULL);
    check_override("override o = 1; override y = 1 / o; @compute @workgroup_size(1) fn main() { _ = y; }", 0, "division-by-zero");
}
// clang-format on

CHECK_MAIN(texture_arguments, texture_constants, stages, derivative_uniformity, subgroups, buffer_views,
    attributes_and_steps, override_expressions)
