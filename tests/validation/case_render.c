// SPDX-License-Identifier: MIT
//
// Render pipelines: the states that no shader takes part in.
#include "validation.h"

#include <math.h>

// ---------------------------------------------------------------- general

CASE(RENDER_ENUM) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.primitive.topology = (WGPUPrimitiveTopology)(is_broken ? 6 : 5);
    end_render(v, &r);
}
static void run_RENDER_ENUM_FACTOR(struct validation *v, bool is_broken) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].blend = &r.blend;
    r.blend.alpha.dstFactor = (WGPUBlendFactor)(is_broken ? 18 : 13);
    end_render(v, &r);
}
static void run_RENDER_CHAIN(struct validation *v, bool is_broken) {
    WGPUChainedStruct chain = {NULL, WGPUSType_ShaderSourceWGSL};
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].nextInChain = is_broken ? &chain : NULL;
    end_render(v, &r);
}
CASE(RENDER_FORMAT_FEATURE) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.format = is_broken ? WGPUTextureFormat_Depth32FloatStencil8
                                       : WGPUTextureFormat_Depth24PlusStencil8;
    end_render(v, &r);
}
CASE(RENDER_SLOTS) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBindGroups = 8;
    limits.maxVertexBuffers = 18;
    begin_limited_device(v, true, NULL, 0, &limits);
    WGPUVertexBufferLayout buffers[18];
    for (int i = 0; i < 18; i++) {
        buffers[i] = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    }
    buffers[is_broken ? 17 : 16].stepMode = WGPUVertexStepMode_Vertex;
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Uniform);
    WGPUBindGroupLayout groups[8] = {NULL};
    groups[6] = make_layout(v, &entry, 1);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.layout = make_pipeline_layout(v, groups, 8, 0);
    r.descriptor.vertex.bufferCount = 18;
    r.descriptor.vertex.buffers = buffers;
    WGPUPipelineLayout layout = r.descriptor.layout;
    end_render(v, &r);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(groups[6]);
    end_device(v);
}
CASE(RENDER_NO_ATTACHMENT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].format = WGPUTextureFormat_Undefined;
    r.descriptor.depthStencil = is_broken ? NULL : &r.depth_stencil;
    end_render(v, &r);
}

// ---------------------------------------------------------------- vertex buffers

CASE(VERTEX_BUFFER_COUNT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.vertex.bufferCount = is_broken ? 9 : 8;
    end_render(v, &r);
}
CASE(VERTEX_STRIDE_LIMIT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.vertex.bufferCount = 1;
    r.buffers[0].stepMode = WGPUVertexStepMode_Instance;
    r.buffers[0].arrayStride = is_broken ? 2052 : 2048;
    end_render(v, &r);
}
CASE(VERTEX_STRIDE) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.vertex.bufferCount = 2;
    r.buffers[1].stepMode = WGPUVertexStepMode_Vertex;
    r.buffers[1].arrayStride = is_broken ? 18 : 20;
    end_render(v, &r);
}

// One attribute of buffer 1, which it makes begin at that offset.
static void try_attribute(struct validation *v, WGPUVertexFormat format, uint64_t offset,
    uint32_t location, uint64_t stride) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.vertex.bufferCount = 2;
    r.buffers[1].arrayStride = stride;
    r.buffers[1].attributeCount = 1;
    r.buffers[1].attributes = r.attributes;
    r.attributes[0].format = format;
    r.attributes[0].offset = offset;
    r.attributes[0].shaderLocation = location;
    end_render(v, &r);
}

CASE(VERTEX_RANGE) {
    try_attribute(v, WGPUVertexFormat_Float32x3, is_broken ? 24 : 20, 0, 32);
}
static void run_VERTEX_RANGE_0(struct validation *v, bool is_broken) {
    try_attribute(v, WGPUVertexFormat_Uint32, is_broken ? 2048 : 2044, 0, 0);
}
CASE(VERTEX_OFFSET) {
    try_attribute(v, WGPUVertexFormat_Float16x2, is_broken ? 2 : 4, 0, 32);
}
static void run_VERTEX_OFFSET_2(struct validation *v, bool is_broken) {
    try_attribute(v, WGPUVertexFormat_Uint16, is_broken ? 1 : 2, 0, 32);
}
CASE(VERTEX_LOCATION) {
    try_attribute(v, WGPUVertexFormat_Float32x3, 0, is_broken ? 16 : 15, 32);
}
CASE(VERTEX_LOCATION_TWICE) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.vertex.bufferCount = 3;
    r.buffers[0].arrayStride = 32;
    r.buffers[0].attributeCount = 2;
    r.buffers[0].attributes = r.attributes;
    r.buffers[2].arrayStride = 16;
    r.buffers[2].attributeCount = 1;
    r.buffers[2].attributes = &r.attributes[2];
    r.attributes[2].shaderLocation = is_broken ? 1 : 2;
    end_render(v, &r);
}
CASE(VERTEX_COUNT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.vertex.bufferCount = 2;
    for (int i = 0; i < 2; i++) {
        r.buffers[i].attributeCount = 8 + (size_t)(is_broken ? i : 0);
        r.buffers[i].attributes = &r.attributes[8 * i];
    }
    end_render(v, &r);
}

// ---------------------------------------------------------------- primitives and samples

CASE(PRIMITIVE_STRIP_FORMAT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.primitive.stripIndexFormat = WGPUIndexFormat_Uint16;
    r.descriptor.primitive.topology = is_broken ? WGPUPrimitiveTopology_LineList
                                                : WGPUPrimitiveTopology_LineStrip;
    end_render(v, &r);
}
CASE(PRIMITIVE_UNCLIPPED) {
    static const WGPUFeatureName feature = WGPUFeatureName_DepthClipControl;
    begin_device(v, true, &feature, is_broken ? 0 : 1);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.primitive.unclippedDepth = true;
    end_render(v, &r);
    end_device(v);
}
CASE(SAMPLES_COUNT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.multisample.count = is_broken ? 2 : 4;
    end_render(v, &r);
}
CASE(SAMPLES_ALPHA) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.multisample.count = is_broken ? 1 : 4;
    r.descriptor.multisample.alphaToCoverageEnabled = true;
    end_render(v, &r);
}

static void try_alpha(struct validation *v, WGPUTextureFormat format) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].format = format;
    r.descriptor.depthStencil = &r.depth_stencil;
    r.descriptor.multisample.count = 4;
    r.descriptor.multisample.alphaToCoverageEnabled = true;
    end_render(v, &r);
}

CASE(SAMPLES_ALPHA_TARGET) {
    try_alpha(v, is_broken ? WGPUTextureFormat_RG8Unorm : WGPUTextureFormat_RGBA16Float);
}
static void run_SAMPLES_ALPHA_HOLE(struct validation *v, bool is_broken) {
    try_alpha(v, is_broken ? WGPUTextureFormat_Undefined : WGPUTextureFormat_BGRA8Unorm);
}

// ---------------------------------------------------------------- depth and stencil

CASE(DEPTH_FORMAT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.format = is_broken ? WGPUTextureFormat_R32Float
                                       : WGPUTextureFormat_Depth32Float;
    end_render(v, &r);
}

static void try_depth(struct validation *v, WGPUTextureFormat format, WGPUOptionalBool write,
    WGPUCompareFunction compare, WGPUStencilOperation depth_fail) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.format = format;
    r.depth_stencil.depthWriteEnabled = write;
    r.depth_stencil.depthCompare = compare;
    r.depth_stencil.stencilBack.depthFailOp = depth_fail;
    end_render(v, &r);
}

CASE(DEPTH_NO_DEPTH) {
    try_depth(v, WGPUTextureFormat_Stencil8, WGPUOptionalBool_Undefined,
        is_broken ? WGPUCompareFunction_Less : WGPUCompareFunction_Always,
        WGPUStencilOperation_Zero);
}
static void run_DEPTH_NO_DEPTH_WRITE(struct validation *v, bool is_broken) {
    try_depth(v, WGPUTextureFormat_Stencil8,
        is_broken ? WGPUOptionalBool_True : WGPUOptionalBool_False, WGPUCompareFunction_Always,
        WGPUStencilOperation_Keep);
}
CASE(DEPTH_NO_STENCIL) {
    try_depth(v, WGPUTextureFormat_Depth24Plus, WGPUOptionalBool_False, WGPUCompareFunction_Always,
        is_broken ? WGPUStencilOperation_Zero : WGPUStencilOperation_Keep);
}
CASE(DEPTH_WRITE) {
    try_depth(v, WGPUTextureFormat_Depth24Plus,
        is_broken ? WGPUOptionalBool_Undefined : WGPUOptionalBool_False, WGPUCompareFunction_Always,
        WGPUStencilOperation_Keep);
}
CASE(DEPTH_COMPARE) {
    try_depth(v, WGPUTextureFormat_Depth24Plus,
        is_broken ? WGPUOptionalBool_True : WGPUOptionalBool_False, WGPUCompareFunction_Undefined,
        WGPUStencilOperation_Keep);
}
static void run_DEPTH_COMPARE_STENCIL(struct validation *v, bool is_broken) {
    try_depth(v, WGPUTextureFormat_Depth24PlusStencil8, WGPUOptionalBool_False,
        WGPUCompareFunction_Undefined,
        is_broken ? WGPUStencilOperation_Invert : WGPUStencilOperation_Keep);
}
CASE(DEPTH_BIAS) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.depthBiasSlopeScale = 1.5f;
    r.descriptor.primitive.topology = is_broken ? WGPUPrimitiveTopology_LineStrip
                                                : WGPUPrimitiveTopology_TriangleStrip;
    end_render(v, &r);
}
CASE(DEPTH_BIAS_FINITE) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.depthBiasClamp = is_broken ? INFINITY : 3.0e38f;
    end_render(v, &r);
}
CASE(DEPTH_BIAS_CLAMP) {
    begin_device(v, false, NULL, 0);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.depthBias = 2;
    r.depth_stencil.depthBiasClamp = is_broken ? 0.5f : 0;
    end_render(v, &r);
    end_device(v);
}

// ---------------------------------------------------------------- color targets

CASE(TARGET_COUNT) {
    WGPUColorTargetState targets[9];
    struct render_case r;
    begin_render(v, &r, NULL);
    for (int i = 0; i < 9; i++) {
        targets[i] = WGPU_COLOR_TARGET_STATE_INIT;
    }
    targets[0].format = WGPUTextureFormat_R8Unorm;
    r.fragment.targetCount = is_broken ? 9 : 8;
    r.fragment.targets = targets;
    end_render(v, &r);
}

static void try_target(struct validation *v, WGPUTextureFormat format, uint64_t write_mask) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].format = format;
    r.targets[0].writeMask = write_mask;
    end_render(v, &r);
}

CASE(TARGET_FORMAT) {
    try_target(v, is_broken ? WGPUTextureFormat_RGBA8Snorm : WGPUTextureFormat_RGBA8Unorm, 15);
}
static void run_TARGET_FORMAT_DEPTH(struct validation *v, bool is_broken) {
    try_target(v, is_broken ? WGPUTextureFormat_Depth16Unorm : WGPUTextureFormat_R16Float, 15);
}
CASE(TARGET_WRITE_MASK) {
    try_target(v, WGPUTextureFormat_RGBA8Unorm, is_broken ? 0x1f : 0xf);
}
CASE(TARGET_BLENDABLE) {
    static const WGPUFeatureName feature = WGPUFeatureName_Float32Blendable;
    begin_device(v, true, &feature, is_broken ? 0 : 1);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].format = WGPUTextureFormat_RGBA32Float;
    r.targets[0].blend = &r.blend;
    end_render(v, &r);
    end_device(v);
}
static void run_TARGET_BLENDABLE_INTEGER(struct validation *v, bool is_broken) {
    struct render_case r;
    begin_render(v, &r,
        "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }\n"
        "@fragment fn fs() -> @location(0) vec4u { return vec4u(); }\n");
    r.targets[0].format = WGPUTextureFormat_RGBA8Uint;
    r.targets[0].blend = is_broken ? &r.blend : NULL;
    end_render(v, &r);
}
CASE(BLEND_MIN_MAX) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].blend = &r.blend;
    r.blend.color.operation = WGPUBlendOperation_Max;
    r.blend.color.dstFactor = is_broken ? WGPUBlendFactor_Undefined : WGPUBlendFactor_One;
    end_render(v, &r);
}
CASE(BLEND_FEATURE) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[0].blend = &r.blend;
    r.blend.alpha.dstFactor = is_broken ? WGPUBlendFactor_Src1Alpha : WGPUBlendFactor_SrcAlpha;
    end_render(v, &r);
}
CASE(TARGET_BYTES) {
    // 8 + 8 + 16 bytes; one byte more is over the limit.
    struct render_case r;
    begin_render(v, &r, NULL);
    r.targets[1].format = WGPUTextureFormat_BGRA8Unorm;
    r.targets[2].format = WGPUTextureFormat_RGBA32Float;
    r.targets[3].format = WGPUTextureFormat_R8Unorm;
    r.fragment.targetCount = is_broken ? 4 : 3;
    for (int i = 1; i < 4; i++) {
        r.targets[i].writeMask = 0;
    }
    end_render(v, &r);
}
CASE(TARGET_COMPATIBILITY) {
    begin_device(v, false, NULL, 0);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.fragment.targetCount = 3;
    r.targets[1].format = WGPUTextureFormat_Undefined;
    for (int i = 0; i < 3; i++) {
        r.targets[i].writeMask = WGPUColorWriteMask_None;
    }
    r.targets[2].writeMask = is_broken ? WGPUColorWriteMask_Red : WGPUColorWriteMask_None;
    end_render(v, &r);
    end_device(v);
}

#define PIPE "render pipeline \"pipe\""

static const struct validation_case cases[] = {
    ROW(RENDER_ENUM, PIPE ": its primitive topology is 6, which is no value of that enumeration"),
    {RULE_RENDER_ENUM, run_RENDER_ENUM_FACTOR,
        PIPE ": its blend factor is 18, which is no value of that enumeration"},
    {RULE_CHAIN_UNKNOWN, run_RENDER_CHAIN,
        PIPE ": a chained struct of sType 0x00000002 is not one that this descriptor takes"},
    ROW(RENDER_FORMAT_FEATURE,
        PIPE ": depthStencil has format depth32float-stencil8, which needs the feature "
             "depth32float-stencil8"),
    ROW(RENDER_SLOTS,
        PIPE
        ": bind group layouts up to index 6 and vertex buffers up to slot 17, 25 together, are "
        "over the limit maxBindGroupsPlusVertexBuffers, 24"),
    ROW(RENDER_NO_ATTACHMENT,
        PIPE " has neither a color target nor a depthStencil state; it needs one of them"),
    ROW(VERTEX_BUFFER_COUNT, PIPE ": 9 vertex buffers are over the limit maxVertexBuffers, 8"),
    ROW(VERTEX_STRIDE_LIMIT,
        PIPE ": vertex buffer 0: arrayStride 2052 is over the limit maxVertexBufferArrayStride, "
             "2048"),
    ROW(VERTEX_STRIDE, PIPE ": vertex buffer 1: arrayStride 18 must be a multiple of 4"),
    ROW(VERTEX_RANGE,
        PIPE ": vertex buffer 1, attribute 0 (location 0): offset 24 and the 12 bytes of format "
             "float32x3 reach beyond arrayStride, 32"),
    {RULE_VERTEX_RANGE, run_VERTEX_RANGE_0,
        PIPE ": vertex buffer 1, attribute 0 (location 0): offset 2048 and the 4 bytes of format "
             "uint32 reach beyond the limit maxVertexBufferArrayStride (arrayStride is 0), 2048"},
    ROW(VERTEX_OFFSET,
        PIPE
        ": vertex buffer 1, attribute 0 (location 0): offset 2 must be a multiple of 4, because "
        "its format is float16x2"),
    {RULE_VERTEX_OFFSET, run_VERTEX_OFFSET_2,
        PIPE
        ": vertex buffer 1, attribute 0 (location 0): offset 1 must be a multiple of 2, because "
        "its format is uint16"},
    ROW(VERTEX_LOCATION,
        PIPE ": vertex buffer 1, attribute 0: location 16 must be below the limit "
             "maxVertexAttributes, 16"),
    ROW(VERTEX_LOCATION_TWICE,
        PIPE ": attribute 1 of vertex buffer 0 and attribute 0 of vertex buffer 2 both have "
             "location 1"),
    ROW(VERTEX_COUNT, PIPE ": 17 vertex attributes are over the limit maxVertexAttributes, 16"),
    ROW(PRIMITIVE_STRIP_FORMAT,
        PIPE ": stripIndexFormat Uint16 is for the topologies LineStrip and TriangleStrip, but the "
             "topology is LineList"),
    ROW(PRIMITIVE_UNCLIPPED, PIPE ": unclippedDepth needs the feature depth-clip-control"),
    ROW(SAMPLES_COUNT, PIPE ": multisample.count 2 must be 1 or 4"),
    ROW(SAMPLES_ALPHA, PIPE ": alphaToCoverageEnabled needs a multisample.count of 4, but it is 1"),
    ROW(SAMPLES_ALPHA_TARGET,
        PIPE ": alphaToCoverageEnabled needs a color target 0 whose format is blendable and has "
             "alpha, but its format is rg8unorm"),
    {RULE_SAMPLES_ALPHA_TARGET, run_SAMPLES_ALPHA_HOLE,
        PIPE ": alphaToCoverageEnabled needs a color target 0 whose format is blendable and has "
             "alpha, but there is none"},
    ROW(DEPTH_FORMAT,
        PIPE ": depthStencil.format r32float is neither a depth nor a stencil format"),
    ROW(DEPTH_NO_DEPTH,
        PIPE ": depthCompare is Less, but depthStencil.format stencil8 has no depth"),
    {RULE_DEPTH_NO_DEPTH, run_DEPTH_NO_DEPTH_WRITE,
        PIPE ": depthWriteEnabled is true, but depthStencil.format stencil8 has no depth"},
    ROW(DEPTH_NO_STENCIL,
        PIPE ": stencilBack has a compare that is not Always or an operation that is not Keep, but "
             "depthStencil.format depth24plus has no stencil"),
    ROW(DEPTH_WRITE,
        PIPE
        ": depthWriteEnabled must be given, because depthStencil.format depth24plus has depth"),
    ROW(DEPTH_COMPARE,
        PIPE ": depthCompare must be given, because depthStencil.format depth24plus has depth and "
             "depthWriteEnabled is true"),
    {RULE_DEPTH_COMPARE, run_DEPTH_COMPARE_STENCIL,
        PIPE ": depthCompare must be given, because depthStencil.format depth24plus-stencil8 has "
             "depth and stencilBack.depthFailOp is not Keep"},
    ROW(DEPTH_BIAS,
        PIPE
        ": depthBiasSlopeScale 1.5 must be 0 for topology LineStrip: only triangles have a depth "
        "bias"),
    ROW(DEPTH_BIAS_FINITE, PIPE ": depthBiasClamp inf must be finite"),
    ROW(DEPTH_BIAS_CLAMP, PIPE ": depthBiasClamp 0.5 must be 0 on a device in compatibility mode"),
    ROW(TARGET_COUNT, PIPE ": 9 color targets are over the limit maxColorAttachments, 8"),
    ROW(TARGET_FORMAT,
        PIPE ": color target 0: format rgba8snorm is not color-renderable on this device"),
    {RULE_TARGET_FORMAT, run_TARGET_FORMAT_DEPTH,
        PIPE ": color target 0: format depth16unorm is not color-renderable on this device"},
    ROW(TARGET_WRITE_MASK,
        PIPE ": color target 0: writeMask 0x1f has bits that are no WGPUColorWriteMask"),
    ROW(TARGET_BLENDABLE,
        PIPE ": color target 0 has a blend state, but its format rgba32float is not blendable "
             "without the feature float32-blendable"),
    {RULE_TARGET_BLENDABLE, run_TARGET_BLENDABLE_INTEGER,
        PIPE ": color target 0 has a blend state, but its format rgba8uint is not blendable"},
    ROW(BLEND_MIN_MAX,
        PIPE ": color target 0: blend.color has operation Max, which needs both factors to be One, "
             "but they are One and Zero"),
    ROW(BLEND_FEATURE,
        PIPE ": color target 0: blend.alpha has the factor Src1Alpha, which needs the feature "
             "dual-source-blending"),
    ROW(TARGET_BYTES,
        PIPE ": the color targets take 33 bytes a sample (rgba8unorm, bgra8unorm, rgba32float, "
             "r8unorm), over the limit maxColorAttachmentBytesPerSample, 32"),
    ROW(TARGET_COMPATIBILITY,
        PIPE
        ": color targets 0 and 2 differ in writeMask, which a device in compatibility mode does "
        "not allow"),
};
TABLE(render_table, cases);
