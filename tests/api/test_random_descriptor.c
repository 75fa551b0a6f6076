// SPDX-License-Identifier: MIT
//
// Random descriptors of render pipelines, mostly near what is legal: nothing crashes, each makes
// either a pipeline that works or one error, and both happen often. On the null adapter.
#include "api_helper.h"

static const char *const shaders[] = {
    "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }\n"
    "@fragment fn fs() -> @location(0) vec4f { return vec4f(); }\n",
    "struct V { @builtin(position) p: vec4f, @location(0) a: vec2f, @location(3) @interpolate(flat, "
    "either) b: u32 }\n"
    "@vertex fn vs(@location(0) x: vec2f, @location(1) y: u32) -> V { return V(vec4f(), x, y); }\n"
    "@fragment fn fs(v: V) -> @location(0) vec4f { return v.p; }\n",
    "@group(0) @binding(0) var<uniform> u: vec4f;\n"
    "override n: f32;\n"
    "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return u * n; }\n"
    "struct O { @location(0) a: vec4u, @location(2) b: f32, @builtin(frag_depth) d: f32 }\n"
    "@fragment fn fs() -> O { return O(); }\n",
    "@vertex fn vs(@location(2) x: vec4i) -> @builtin(position) vec4f { return vec4f(x); }\n"
    "struct O { @location(1) a: vec2f, @builtin(sample_mask) m: u32 }\n"
    "@fragment fn fs(@builtin(front_facing) f: bool) -> O { return O(vec2f(), u32(f)); }\n",
    "@fragment fn fs() -> @location(0) vec4i { return vec4i(); }\n", // no vertex stage
    "fn broken( {\n",
};
#define SHADER_COUNT (sizeof(shaders) / sizeof(shaders[0]))

static uint64_t state;

static uint32_t next(uint32_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % bound;
}

static bool is_rare(void) {
    return next(40) == 0;
}

// From 0 to last, now and then beyond.
static uint32_t pick_enum(uint32_t last) {
    return is_rare() ? last + next(3) : is_rare() ? UINT32_MAX : next(last + 1);
}

static uint32_t pick(const uint32_t *values, uint32_t count) {
    return is_rare() ? next(UINT32_MAX) : values[next(count)];
}

static void randomise_vertex(WGPUVertexBufferLayout *buffers, WGPUVertexAttribute *attributes) {
    static const uint32_t strides[] = {0, 4, 8, 16, 32, 64, 2048};
    static const uint32_t formats[] = {WGPUVertexFormat_Float32x2, WGPUVertexFormat_Uint32,
        WGPUVertexFormat_Sint8x4, WGPUVertexFormat_Unorm16x2, WGPUVertexFormat_Float16};
    for (uint32_t i = 0; i < 3; i++) {
        WGPUVertexBufferLayout buffer = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
        buffer.arrayStride = pick(strides, 7);
        buffer.stepMode = (WGPUVertexStepMode)pick_enum(WGPUVertexStepMode_Instance);
        buffer.attributeCount = next(2);
        buffer.attributes = &attributes[i];
        buffers[i] = buffer;
        WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
        attribute.format = (WGPUVertexFormat)pick(formats, 5);
        attribute.offset = is_rare() ? UINT64_MAX - next(8) : 4 * next(2);
        attribute.shaderLocation = is_rare() ? next(40) : i;
        attributes[i] = attribute;
    }
}

static void randomise_component(WGPUBlendComponent *component) {
    component->operation = (WGPUBlendOperation)pick_enum(WGPUBlendOperation_ReverseSubtract);
    component->srcFactor = (WGPUBlendFactor)pick_enum(WGPUBlendFactor_OneMinusConstant);
    component->dstFactor = (WGPUBlendFactor)pick_enum(WGPUBlendFactor_OneMinusConstant);
}

static void randomise_targets(WGPUColorTargetState *targets, WGPUBlendState *blend) {
    static const uint32_t formats[] = {WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_Undefined,
        WGPUTextureFormat_RGBA8Uint, WGPUTextureFormat_RG16Float, WGPUTextureFormat_R32Float,
        WGPUTextureFormat_RGBA32Float};
    randomise_component(&blend->color);
    randomise_component(&blend->alpha);
    for (int i = 0; i < 3; i++) {
        WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
        target.format = (WGPUTextureFormat)(i == 0 && next(2) == 0 ? formats[0] : pick(formats, 6));
        target.blend = next(3) == 0 ? blend : NULL;
        target.writeMask = next(2) == 0 ? 0 : is_rare() ? next(64) : 15;
        targets[i] = target;
    }
}

static void randomise_face(WGPUStencilFaceState *face) {
    if (next(2) == 0) {
        face->compare = (WGPUCompareFunction)pick_enum(WGPUCompareFunction_Always);
        face->failOp = (WGPUStencilOperation)pick_enum(WGPUStencilOperation_DecrementWrap);
        face->depthFailOp = (WGPUStencilOperation)pick_enum(WGPUStencilOperation_DecrementWrap);
        face->passOp = (WGPUStencilOperation)pick_enum(WGPUStencilOperation_DecrementWrap);
    }
}

static void randomise_depth(WGPUDepthStencilState *depth) {
    static const uint32_t formats[] = {WGPUTextureFormat_Depth24PlusStencil8,
        WGPUTextureFormat_Depth32Float, WGPUTextureFormat_Stencil8};
    WGPUDepthStencilState fresh = WGPU_DEPTH_STENCIL_STATE_INIT;
    *depth = fresh;
    depth->format = (WGPUTextureFormat)pick(formats, 3);
    depth->depthWriteEnabled = (WGPUOptionalBool)pick_enum(WGPUOptionalBool_Undefined);
    depth->depthCompare = (WGPUCompareFunction)pick_enum(WGPUCompareFunction_Always);
    randomise_face(&depth->stencilFront);
    randomise_face(&depth->stencilBack);
    depth->depthBias = next(4) == 0 ? (int32_t)next(UINT32_MAX) : 0;
    depth->depthBiasClamp = is_rare() ? (float)next(3) / 0.0f : 0;
}

static bool try_pipeline(struct api *api, WGPUShaderModule const *modules) {
    WGPUVertexBufferLayout buffers[3];
    WGPUVertexAttribute attributes[3];
    WGPUColorTargetState targets[3];
    WGPUBlendState blend = WGPU_BLEND_STATE_INIT;
    WGPUDepthStencilState depth;
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    randomise_vertex(buffers, attributes);
    randomise_targets(targets, &blend);
    randomise_depth(&depth);
    uint32_t shader = is_rare() ? next(SHADER_COUNT) : next(4);
    constant.key = api_view("n");
    constant.value = next(100);
    descriptor.vertex.module = modules[shader];
    descriptor.vertex.bufferCount = next(4);
    descriptor.vertex.buffers = buffers;
    descriptor.vertex.constantCount = shader == 2;
    descriptor.vertex.constants = &constant;
    descriptor.vertex.entryPoint = api_view(is_rare() ? "fs" : "vs");
    descriptor.primitive.topology = (WGPUPrimitiveTopology)pick_enum(
        WGPUPrimitiveTopology_TriangleStrip);
    descriptor.primitive.stripIndexFormat = (WGPUIndexFormat)(next(4) == 0
            ? pick_enum(WGPUIndexFormat_Uint32)
            : 0);
    descriptor.primitive.frontFace = (WGPUFrontFace)pick_enum(WGPUFrontFace_CW);
    descriptor.primitive.cullMode = (WGPUCullMode)pick_enum(WGPUCullMode_Back);
    descriptor.primitive.unclippedDepth = is_rare();
    descriptor.depthStencil = next(2) == 0 ? &depth : NULL;
    descriptor.multisample.count = is_rare() ? next(6) : next(2) == 0 ? 4 : 1;
    descriptor.multisample.mask = next(UINT32_MAX);
    descriptor.multisample.alphaToCoverageEnabled = next(8) == 0;
    fragment.module = modules[is_rare() ? next(SHADER_COUNT) : shader];
    fragment.targetCount = is_rare() ? 0 : 1 + next(3);
    fragment.targets = targets;
    descriptor.fragment = next(10) == 0 ? NULL : &fragment;
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api->device, &descriptor);
    struct api_scope_result made = api_pop_scope(api);
    bool is_valid = made.type == WGPUErrorType_NoError;
    if (!CHECK(pipeline != NULL)) {
        return false;
    }
    // An invalid pipeline has no layouts.
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
    wgpuBindGroupLayoutRelease(wgpuRenderPipelineGetBindGroupLayout(pipeline, 0));
    CHECK_EQ(api_pop_scope(api).type == WGPUErrorType_NoError, is_valid);
    wgpuRenderPipelineRelease(pipeline);
    return is_valid;
}

TEST(random_descriptors_make_a_pipeline_or_an_error) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule modules[SHADER_COUNT];
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    for (size_t i = 0; i < SHADER_COUNT; i++) {
        modules[i] = api_shader(&api, shaders[i]);
    }
    api_pop_scope(&api);
    uint32_t valid_count = 0;
    state = 20261201;
    for (int i = 0; i < 20000; i++) {
        valid_count += try_pipeline(&api, modules);
    }
    CHECK(valid_count > 200 && valid_count < 19800);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    for (size_t i = 0; i < SHADER_COUNT; i++) {
        wgpuShaderModuleRelease(modules[i]);
    }
    api_end(&api);
}

CHECK_MAIN(random_descriptors_make_a_pipeline_or_an_error)
