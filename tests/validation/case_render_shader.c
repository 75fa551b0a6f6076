// SPDX-License-Identifier: MIT
//
// Render pipelines: shaders against vertex buffers, color targets and each other.
#include "validation.h"

#define POSITION "-> @builtin(position) vec4f { return vec4f(); }\n"
#define VS "@vertex fn vs() " POSITION
#define FS "@fragment fn fs() -> @location(0) vec4f { return vec4f(); }\n"

static void try_code(struct validation *v, const char *code) {
    struct render_case r;
    begin_render(v, &r, code);
    end_render(v, &r);
}

// ---------------------------------------------------------------- layout

static void run_LAYOUT_VISIBILITY(struct validation *v, bool is_broken) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(3, WGPUBufferBindingType_Uniform);
    entry.visibility = is_broken ? WGPUShaderStage_Vertex
                                 : WGPUShaderStage_Vertex | WGPUShaderStage_Fragment;
    WGPUBindGroupLayout group = make_layout(v, &entry, 1);
    WGPUPipelineLayout layout = make_pipeline_layout(v, &group, 1, 0);
    struct render_case r;
    begin_render(v, &r,
        "@group(0) @binding(3) var<uniform> tint: vec4f;\n" VS
        "@fragment fn fs() -> @location(0) vec4f { return tint; }\n");
    r.descriptor.layout = layout;
    end_render(v, &r);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(group);
}
CASE(PIPELINE_AUTO_CONFLICT) {
    try_code(v,
        is_broken ? "@group(1) @binding(2) var<uniform> a: vec4f;\n"
                    "@group(1) @binding(2) var<storage> b: vec4f;\n"
                    "@vertex fn vs() -> @builtin(position) vec4f { return a; }\n"
                    "@fragment fn fs() -> @location(0) vec4f { return b; }\n"
                  : "@group(1) @binding(2) var<uniform> a: vec4f;\n"
                    "@group(1) @binding(2) var<uniform> b: mat2x4f;\n"
                    "@vertex fn vs() -> @builtin(position) vec4f { return a; }\n"
                    "@fragment fn fs() -> @location(0) vec4f { return b[1]; }\n");
}

static void run_AUTO_BINDING(struct validation *v, bool is_broken) {
    try_code(v,
        is_broken ? "@group(2) @binding(1000) var<uniform> tint: vec4f;\n" VS
                    "@fragment fn fs() -> @location(0) vec4f { return tint; }\n"
                  : "@group(2) @binding(999) var<uniform> tint: vec4f;\n" VS
                    "@fragment fn fs() -> @location(0) vec4f { return tint; }\n");
}
// Access mode and binding type agree exactly, in either direction.
static void try_access(struct validation *v, const char *mode, WGPUBufferBindingType type) {
    char code[512];
    snprintf(code, sizeof(code),
        "@group(0) @binding(0) var<storage, %s> data: array<vec4f>;\n" VS
        "@fragment fn fs() -> @location(0) vec4f { return data[0]; }\n",
        mode);
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, type);
    entry.visibility = WGPUShaderStage_Fragment;
    WGPUBindGroupLayout group = make_layout(v, &entry, 1);
    WGPUPipelineLayout layout = make_pipeline_layout(v, &group, 1, 0);
    struct render_case r;
    begin_render(v, &r, code);
    r.descriptor.layout = layout;
    end_render(v, &r);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(group);
}
static void run_READ_NEEDS_READ_ONLY(struct validation *v, bool is_broken) {
    try_access(v, "read",
        is_broken ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage);
}
static void run_READ_WRITE_NEEDS_STORAGE(struct validation *v, bool is_broken) {
    try_access(v, "read_write",
        is_broken ? WGPUBufferBindingType_ReadOnlyStorage : WGPUBufferBindingType_Storage);
}
static void run_MODULE(struct validation *v, bool is_broken) {
    struct render_case r;
    begin_render(v, &r, NULL);
    WGPUShaderModule module = r.fragment.module;
    r.fragment.module = is_broken ? NULL : module;
    wgpuRenderPipelineRelease(wgpuDeviceCreateRenderPipeline(v->api.device, &r.descriptor));
    wgpuShaderModuleRelease(module);
}
static void run_CONSTANTS(struct validation *v, bool is_broken) {
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = api_view("count");
    constant.value = is_broken ? -1 : 4294967295.0;
    struct render_case r;
    begin_render(v, &r,
        "override count: u32;\n" VS
        "@fragment fn fs() -> @location(0) vec4f { return vec4f(f32(count)); }\n");
    r.fragment.constantCount = 1;
    r.fragment.constants = &constant;
    end_render(v, &r);
}

// ---------------------------------------------------------------- vertex inputs

static void try_input(struct validation *v, const char *code, WGPUVertexFormat format) {
    struct render_case r;
    begin_render(v, &r, code);
    r.descriptor.vertex.bufferCount = 2;
    r.buffers[1].arrayStride = 32;
    r.buffers[1].attributeCount = 1;
    r.buffers[1].attributes = r.attributes;
    r.attributes[0].format = format;
    r.attributes[0].shaderLocation = 4;
    end_render(v, &r);
}

CASE(VERTEX_INPUT_MISSING) {
    try_input(v,
        is_broken ? "@vertex fn vs(@location(5) place: vec3f) " POSITION FS
                  : "@vertex fn vs(@location(4) place: vec3f) " POSITION FS,
        WGPUVertexFormat_Float32);
}
CASE(VERTEX_INPUT_TYPE) {
    try_input(v, "@vertex fn vs(@location(4) id: vec2u) " POSITION FS,
        is_broken ? WGPUVertexFormat_Unorm8x4 : WGPUVertexFormat_Uint8);
}
static void run_VERTEX_COUNT_COMPATIBILITY(struct validation *v, bool is_broken) {
    begin_device(v, false, NULL, 0);
    struct render_case r;
    begin_render(v, &r,
        is_broken ? "@vertex fn vs(@builtin(vertex_index) i: u32) " POSITION FS
                  : "@vertex fn vs() " POSITION FS);
    r.descriptor.vertex.bufferCount = 1;
    r.buffers[0].attributeCount = 16;
    r.buffers[0].attributes = r.attributes;
    end_render(v, &r);
    end_device(v);
}

// ---------------------------------------------------------------- fragment outputs

static void try_target(struct validation *v, const char *fragment, WGPUTextureFormat format) {
    char code[512];
    snprintf(code, sizeof(code), VS "%s", fragment);
    struct render_case r;
    begin_render(v, &r, code);
    r.targets[0].format = format;
    end_render(v, &r);
}

CASE(TARGET_OUTPUT_MISSING) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.fragment.targetCount = 2;
    r.targets[1].writeMask = is_broken ? WGPUColorWriteMask_Red | WGPUColorWriteMask_Alpha
                                       : WGPUColorWriteMask_None;
    end_render(v, &r);
}
CASE(TARGET_OUTPUT_TYPE) {
    try_target(v, FS, is_broken ? WGPUTextureFormat_RGBA8Sint : WGPUTextureFormat_RGBA8Unorm);
}
CASE(TARGET_OUTPUT_SIZE) {
    try_target(v, "@fragment fn fs() -> @location(0) vec2f { return vec2f(); }\n",
        is_broken ? WGPUTextureFormat_RGBA8Unorm : WGPUTextureFormat_RG8Unorm);
}
CASE(TARGET_OUTPUT_ALPHA) {
    struct render_case r;
    begin_render(v, &r, VS "@fragment fn fs() -> @location(0) f32 { return 1; }\n");
    r.targets[0].format = WGPUTextureFormat_R8Unorm;
    r.targets[0].blend = &r.blend;
    r.blend.color.srcFactor = is_broken ? WGPUBlendFactor_SrcAlpha : WGPUBlendFactor_DstAlpha;
    r.blend.alpha.srcFactor = WGPUBlendFactor_SrcAlpha;
    end_render(v, &r);
}
CASE(OUTPUT_LOCATION) {
    try_target(v,
        is_broken ? "struct Out { @location(0) a: vec4f, @location(8) b: f32 }\n"
                    "@fragment fn fs() -> Out { return Out(); }\n"
                  : "struct Out { @location(0) a: vec4f, @location(7) b: f32 }\n"
                    "@fragment fn fs() -> Out { return Out(); }\n",
        WGPUTextureFormat_RGBA8Unorm);
}

#define SOURCES \
    "struct Out { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }\n"

static void try_second_source(
    struct validation *v, const char *fragment, uint32_t target_count, WGPUBlendFactor factor) {
    static const WGPUFeatureName feature = WGPUFeatureName_DualSourceBlending;
    begin_device(v, true, &feature, 1);
    char code[512];
    snprintf(code, sizeof(code), "enable dual_source_blending;\n" VS "%s", fragment);
    struct render_case r;
    begin_render(v, &r, code);
    r.fragment.targetCount = target_count;
    r.targets[0].blend = &r.blend;
    r.blend.color.dstFactor = factor;
    r.targets[1].writeMask = WGPUColorWriteMask_None;
    end_render(v, &r);
    end_device(v);
}

CASE(BLEND_DUAL_TARGETS) {
    try_second_source(v, SOURCES "@fragment fn fs() -> Out { return Out(); }\n", is_broken ? 2 : 1,
        WGPUBlendFactor_Src1);
}
CASE(BLEND_DUAL_OUTPUT) {
    try_second_source(
        v, FS, 1, is_broken ? WGPUBlendFactor_OneMinusSrc1Alpha : WGPUBlendFactor_Constant);
}
CASE(SAMPLES_ALPHA_MASK) {
    struct render_case r;
    begin_render(v, &r,
        VS "struct Out { @location(0) a: vec4f, @builtin(sample_mask) m: u32 }\n"
           "@fragment fn fs() -> Out { return Out(); }\n");
    r.descriptor.multisample.count = 4;
    r.descriptor.multisample.alphaToCoverageEnabled = is_broken;
    end_render(v, &r);
}

static void try_depth_output(struct validation *v, const WGPUTextureFormat *format) {
    struct render_case r;
    begin_render(v, &r,
        VS "struct Out { @location(0) a: vec4f, @builtin(frag_depth) d: f32 }\n"
           "@fragment fn fs() -> Out { return Out(); }\n");
    r.descriptor.depthStencil = format != NULL ? &r.depth_stencil : NULL;
    r.depth_stencil.format = format != NULL ? *format : WGPUTextureFormat_Undefined;
    end_render(v, &r);
}

CASE(OUTPUT_DEPTH) {
    static const WGPUTextureFormat format = WGPUTextureFormat_Depth16Unorm;
    try_depth_output(v, is_broken ? NULL : &format);
}
static void run_OUTPUT_DEPTH_STENCIL(struct validation *v, bool is_broken) {
    static const WGPUTextureFormat formats[2] = {
        WGPUTextureFormat_Depth24PlusStencil8, WGPUTextureFormat_Stencil8};
    try_depth_output(v, &formats[is_broken]);
}

static void try_compatible(struct validation *v, const char *fragment) {
    char code[512];
    snprintf(code, sizeof(code), VS "%s", fragment);
    begin_device(v, false, NULL, 0);
    try_code(v, code);
    end_device(v);
}

CASE(FRAGMENT_COMPATIBILITY) {
    try_compatible(v,
        is_broken
            ? "@fragment fn fs(@builtin(sample_index) i: u32) -> @location(0) vec4f { return vec4f(); }\n"
            : "@fragment fn fs(@builtin(front_facing) i: bool) -> @location(0) vec4f { return vec4f(); "
              "}\n");
}
static void run_FRAGMENT_COMPATIBILITY_FINE(struct validation *v, bool is_broken) {
    try_compatible(v,
        is_broken ? "fn slope(x: f32) -> f32 { return fwidthFine(x); }\n"
                    "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
                    "    return vec4f(slope(p.x));\n}\n"
                  : "fn slope(x: f32) -> f32 { return fwidthCoarse(x); }\n"
                    "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
                    "    return vec4f(slope(p.x));\n}\n");
}

// ---------------------------------------------------------------- between the stages

#define BEGIN_OUT "struct Out { @builtin(position) p: vec4f, "
#define END_OUT "}\n@vertex fn vs() -> Out { return Out(); }\n"

// A vertex stage with that many outputs, locations in order, and what `more` adds.
static void try_outputs(struct validation *v, uint32_t count, const char *enable, const char *more,
    WGPUPrimitiveTopology topology) {
    char code[2048];
    int length = snprintf(code, sizeof(code), "%s" BEGIN_OUT "%s", enable, more);
    for (uint32_t i = 0; i < count; i++) {
        length += snprintf(
            code + length, sizeof(code) - (size_t)length, "@location(%u) v%u: f32, ", i, i);
    }
    snprintf(code + length, sizeof(code) - (size_t)length, END_OUT FS);
    struct render_case r;
    begin_render(v, &r, code);
    r.descriptor.primitive.topology = topology;
    end_render(v, &r);
}

CASE(BETWEEN_OUTPUT_COUNT) {
    try_outputs(v, is_broken ? 16 : 15, "", "", WGPUPrimitiveTopology_PointList);
}
static void run_BETWEEN_OUTPUT_COUNT_CLIP(struct validation *v, bool is_broken) {
    static const WGPUFeatureName feature = WGPUFeatureName_ClipDistances;
    begin_device(v, true, &feature, 1);
    try_outputs(v, 14, "enable clip_distances;\n",
        is_broken ? "@builtin(clip_distances) c: array<f32, 5>, "
                  : "@builtin(clip_distances) c: array<f32, 4>, ",
        WGPUPrimitiveTopology_PointList);
    end_device(v);
}
CASE(BETWEEN_LOCATION) {
    try_code(v,
        is_broken ? BEGIN_OUT "@location(16) far: f32, " END_OUT FS
                  : BEGIN_OUT "@location(15) far: f32, " END_OUT FS);
}
CASE(BETWEEN_INPUT_COUNT) {
    char code[4096];
    int length = snprintf(code, sizeof(code), BEGIN_OUT);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < 15; i++) {
            length += snprintf(
                code + length, sizeof(code) - (size_t)length, "@location(%u) v%u: f32, ", i, i);
        }
        length += snprintf(code + length, sizeof(code) - (size_t)length, "%s",
            pass == 0 ? END_OUT "@fragment fn fs(@builtin(front_facing) f: bool, " : "");
    }
    snprintf(code + length, sizeof(code) - (size_t)length,
        "%s) -> @location(0) vec4f { return vec4f(); }\n",
        is_broken ? "@builtin(sample_mask) m: u32" : "");
    try_code(v, code);
}
CASE(BETWEEN_MISSING) {
    try_code(v,
        is_broken
            ? BEGIN_OUT "@location(1) uv: vec2f, " END_OUT
                        "@fragment fn fs(@location(2) st: vec2f) -> @location(0) vec4f { return "
                        "vec4f(); }\n"
            : BEGIN_OUT "@location(1) uv: vec2f, " END_OUT
                        "@fragment fn fs(@location(1) st: vec2f) -> @location(0) vec4f { return "
                        "vec4f(); }\n");
}
CASE(BETWEEN_TYPE) {
    try_code(v,
        is_broken
            ? BEGIN_OUT "@location(1) uv: vec2f, " END_OUT
                        "@fragment fn fs(@location(1) st: vec3f) -> @location(0) vec4f { return "
                        "vec4f(); }\n"
            : BEGIN_OUT "@location(1) uv: vec3f, " END_OUT
                        "@fragment fn fs(@location(1) st: vec3f) -> @location(0) vec4f { return "
                        "vec4f(); }\n");
}
CASE(BETWEEN_INTERPOLATION) {
    try_code(v,
        is_broken
            ? BEGIN_OUT "@location(1) @interpolate(flat) uv: vec2f, " END_OUT
                        "@fragment fn fs(@location(1) st: vec2f) -> @location(0) vec4f { return "
                        "vec4f(); }\n"
            : BEGIN_OUT "@location(1) @interpolate(perspective, center) uv: vec2f, " END_OUT
                        "@fragment fn fs(@location(1) st: vec2f) -> @location(0) vec4f { return "
                        "vec4f(); }\n");
}
CASE(BETWEEN_COMPATIBILITY) {
    begin_device(v, false, NULL, 0);
    try_code(v,
        is_broken ? BEGIN_OUT "@location(1) @interpolate(flat) id: u32, " END_OUT FS
                  : BEGIN_OUT "@location(1) @interpolate(flat, either) id: u32, " END_OUT FS);
    end_device(v);
}

#define PIPE "render pipeline \"pipe\": "

static const struct validation_case cases[] = {
    {RULE_PIPELINE_BINDING_VISIBILITY, run_LAYOUT_VISIBILITY,
        PIPE
        "the shader's variable \"tint\" at @group(0) @binding(3) is used by the fragment stage, "
        "to which the layout's entry is not visible"},
    {RULE_BGL_BINDING_LIMIT, run_AUTO_BINDING,
        "render pipeline \"pipe\", variable \"tint\" of the fragment stage at @group(2): binding 1000 "
        "must be below the limit maxBindingsPerBindGroup, 1000"},
    {RULE_PIPELINE_BINDING_TYPE, run_READ_NEEDS_READ_ONLY,
        PIPE
        "the shader's variable \"data\" at @group(0) @binding(0) is declared var<storage, read>, "
        "for a buffer of type ReadOnlyStorage, but the layout's entry is a buffer of type Storage"},
    {RULE_PIPELINE_BINDING_TYPE, run_READ_WRITE_NEEDS_STORAGE,
        PIPE
        "the shader's variable \"data\" at @group(0) @binding(0) is declared var<storage, "
        "read_write>, for a buffer of type Storage, but the layout's entry is a buffer of type "
        "ReadOnlyStorage"},
    {RULE_PIPELINE_MODULE, run_MODULE,
        PIPE "the module of the fragment stage, no shader module, is NULL"},
    {RULE_PIPELINE_CONSTANTS, run_CONSTANTS,
        PIPE "in the fragment stage, constant 'count': -1 is not representable as u32, the type of "
             "override 'count'"},
    ROW(PIPELINE_AUTO_CONFLICT,
        PIPE
        "an automatic layout cannot serve two uses of @group(1) @binding(2): \"a\" of the vertex "
        "stage, a buffer of type Uniform, and \"b\" of the fragment stage, a buffer of type "
        "ReadOnlyStorage; give them bindings of their own"),
    ROW(VERTEX_INPUT_MISSING,
        PIPE "vertex entry point \"vs\" has an input \"place\" at location 5, for which no vertex "
             "buffer has an attribute"),
    ROW(VERTEX_INPUT_TYPE,
        PIPE "vertex entry point \"vs\" has an input \"id\" of type vec2<u32> at location 4, but "
             "attribute 0 of vertex buffer 1 has format unorm8x4, which is for f32 or f16"),
    {RULE_VERTEX_COUNT, run_VERTEX_COUNT_COMPATIBILITY,
        PIPE "17 vertex attributes (vertex_index and instance_index among them, on a device in "
             "compatibility mode) are over the limit maxVertexAttributes, 16"},
    ROW(TARGET_OUTPUT_MISSING,
        PIPE "color target 1 has a writeMask of Red|Alpha, but fragment entry point \"fs\" has no "
             "output at location 1; write it or make the writeMask None"),
    ROW(TARGET_OUTPUT_TYPE,
        PIPE "color target 0 has format rgba8sint, which takes components of type i32, but the "
             "result of fragment entry point \"fs\" at location 0 is vec4<f32>"),
    ROW(TARGET_OUTPUT_SIZE,
        PIPE
        "color target 0 has format rgba8unorm of 4 components, but the result of fragment entry "
        "point \"fs\" at location 0 is vec2<f32>"),
    ROW(TARGET_OUTPUT_ALPHA,
        PIPE
        "color target 0: blend.color has the factor SrcAlpha, but the result of fragment entry "
        "point \"fs\" at location 0 is f32, without alpha"),
    ROW(OUTPUT_LOCATION,
        PIPE "output \"b\" of fragment entry point \"fs\" has location 8, which must be below the "
             "limit maxColorAttachments, 8"),
    ROW(BLEND_DUAL_TARGETS,
        PIPE "color target 0 has a blend factor of the second source, Src1, which allows one color "
             "target, but there are 2"),
    ROW(BLEND_DUAL_OUTPUT,
        PIPE
        "color target 0 has a blend factor of the second source, OneMinusSrc1Alpha, but fragment "
        "entry point \"fs\" has no output with @blend_src(1)"),
    ROW(SAMPLES_ALPHA_MASK,
        PIPE "alphaToCoverageEnabled, but fragment entry point \"fs\" has the output sample_mask; "
             "only one of them may say what is covered"),
    ROW(OUTPUT_DEPTH,
        PIPE "fragment entry point \"fs\" has the output frag_depth, but the pipeline has no "
             "depthStencil state"),
    {RULE_OUTPUT_DEPTH, run_OUTPUT_DEPTH_STENCIL,
        PIPE
        "fragment entry point \"fs\" has the output frag_depth, but depthStencil.format stencil8 "
        "has no depth"},
    ROW(FRAGMENT_COMPATIBILITY,
        PIPE "fragment entry point \"fs\" uses the input sample_index, which a device in "
             "compatibility mode does not have"),
    {RULE_FRAGMENT_COMPATIBILITY, run_FRAGMENT_COMPATIBILITY_FINE,
        PIPE "fragment entry point \"fs\" uses dpdxFine, dpdyFine or fwidthFine, which a device in "
             "compatibility mode does not have"},
    ROW(BETWEEN_OUTPUT_COUNT,
        PIPE "vertex entry point \"vs\" has 16 outputs with a location, but the limit "
             "maxInterStageShaderVariables, 16, leaves 15 after 1 for topology PointList"),
    {RULE_BETWEEN_OUTPUT_COUNT, run_BETWEEN_OUTPUT_COUNT_CLIP,
        PIPE
        "vertex entry point \"vs\" has 14 outputs with a location, but the limit "
        "maxInterStageShaderVariables, 16, leaves 13 after 1 for topology PointList and 2 for 5 "
        "clip_distances"},
    ROW(BETWEEN_LOCATION,
        PIPE "output \"far\" of vertex entry point \"vs\" has location 16, but the limit "
             "maxInterStageShaderVariables, 16, leaves locations below 16"),
    ROW(BETWEEN_INPUT_COUNT,
        PIPE
        "fragment entry point \"fs\" has 15 inputs with a location, but the limit "
        "maxInterStageShaderVariables, 16, leaves 14 after 1 each for front_facing, sample_mask"),
    ROW(BETWEEN_MISSING,
        PIPE
        "fragment entry point \"fs\" has an input \"st\" at location 2, but vertex entry point "
        "\"vs\" has no output there"),
    ROW(BETWEEN_TYPE,
        PIPE "location 1 is vec2<f32> in the output \"uv\" of vertex entry point \"vs\", but "
             "vec3<f32> in the input \"st\" of fragment entry point \"fs\""),
    ROW(BETWEEN_INTERPOLATION,
        PIPE "location 1 has @interpolate(flat, first) in the output \"uv\" of vertex entry point "
             "\"vs\", but @interpolate(perspective, center) in the input \"st\" of fragment entry "
             "point \"fs\""),
    ROW(BETWEEN_COMPATIBILITY,
        PIPE
        "\"id\" at location 1 of vertex entry point \"vs\" has @interpolate(flat, first), which "
        "a device in compatibility mode does not have; it has perspective with center or "
        "centroid, and flat with either"),
};
TABLE(render_shader_table, cases);
