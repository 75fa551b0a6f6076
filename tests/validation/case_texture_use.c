// SPDX-License-Identifier: MIT
//
// Textures and samplers that a shader uses together.
#include "validation.h"

#define SAMPLE \
    "@group(0) @binding(0) var t: texture_2d<f32>;\n" \
    "@group(0) @binding(1) var s: sampler;\n" \
    "fn sample(t2: texture_2d<f32>) -> vec4f { return textureSampleLevel(t2, s, vec2f(), 0.0); }\n" \
    "@compute @workgroup_size(1) fn main() { _ = sample(t); }"

static void try_pipeline(struct validation *v, WGPUPipelineLayout layout, const char *code) {
    WGPUShaderModule module = make_module(v, code);
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("pipe");
    descriptor.layout = layout;
    descriptor.compute.module = module;
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(v->api.device, &descriptor));
    wgpuShaderModuleRelease(module);
}

// SAMPLE against a layout of a texture and a sampler.
static void sample_with(
    struct validation *v, WGPUTextureSampleType texture, WGPUSamplerBindingType sampler) {
    WGPUBindGroupLayoutEntry entries[2] = {
        WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT, WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT};
    entries[0].visibility = WGPUShaderStage_Compute;
    entries[0].texture.sampleType = texture;
    entries[1].binding = 1;
    entries[1].visibility = WGPUShaderStage_Compute;
    entries[1].sampler.type = sampler;
    WGPUBindGroupLayout layout = make_layout(v, entries, 2);
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, &layout, 1, 0);
    try_pipeline(v, pipeline_layout, SAMPLE);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
}

CASE(PIPELINE_FILTERING) {
    sample_with(v,
        is_broken ? WGPUTextureSampleType_UnfilterableFloat : WGPUTextureSampleType_Float,
        WGPUSamplerBindingType_Filtering);
    if (!is_broken) {
        sample_with(
            v, WGPUTextureSampleType_UnfilterableFloat, WGPUSamplerBindingType_NonFiltering);
        sample_with(v, WGPUTextureSampleType_Depth, WGPUSamplerBindingType_NonFiltering);
        try_pipeline(v, NULL, SAMPLE); // the automatic layout is Float and Filtering
    }
}

// An automatic layout is held to the rules of layouts.
CASE(BGL_STORAGE_FORMAT) {
    try_pipeline(v, NULL,
        is_broken ? "@group(0) @binding(4) var t: texture_storage_2d<rgba8snorm, read_write>;\n"
                    "@compute @workgroup_size(1) fn main() { _ = t; }"
                  : "@group(0) @binding(4) var t: texture_storage_2d<r32float, read_write>;\n"
                    "@compute @workgroup_size(1) fn main() { _ = t; }");
}

// ---------------------------------------------------------------- compatibility mode

#define DEPTH "@group(0) @binding(2) var depth: texture_depth_2d;\n"

CASE(PIPELINE_COMPATIBILITY_DEPTH_LOAD) {
    begin_device(v, false, NULL, 0);
    try_pipeline(v, NULL,
        is_broken ? DEPTH "@compute @workgroup_size(1) fn main() {\n"
                          "    _ = textureLoad(depth, vec2u(), 0);\n"
                          "}"
                  : DEPTH "@compute @workgroup_size(1) fn main() {\n"
                          "    _ = textureDimensions(depth);\n"
                          "}");
    end_device(v);
}
CASE(PIPELINE_COMPATIBILITY_DEPTH_SAMPLER) {
    begin_device(v, false, NULL, 0);
    try_pipeline(v, NULL,
        is_broken ? DEPTH "@group(0) @binding(3) var plain: sampler;\n"
                          "@compute @workgroup_size(1) fn main() {\n"
                          "    _ = textureSampleLevel(depth, plain, vec2f(), 0);\n"
                          "}"
                  : DEPTH "@group(0) @binding(3) var comparing: sampler_comparison;\n"
                          "@compute @workgroup_size(1) fn main() {\n"
                          "    _ = textureSampleCompareLevel(depth, comparing, vec2f(), 0.5);\n"
                          "}");
    end_device(v);
}
// 16 pairs fit the limits of compatibility mode: 4 textures with 4 samplers each; a fifth texture
// that is only loaded counts as one more, and one that no function takes counts not at all.
CASE(PIPELINE_COMPATIBILITY_PAIRS) {
    static char code[4096];
    int length = 0;
    for (int i = 0; i < 6; i++) {
        length += snprintf(code + length, sizeof(code) - (size_t)length,
            "@group(0) @binding(%d) var t%d: texture_2d<f32>;\n"
            "@group(1) @binding(%d) var s%d: sampler;\n",
            i, i, i, i);
    }
    length += snprintf(code + length, sizeof(code) - (size_t)length,
        "@compute @workgroup_size(1) fn main() {\n    _ = t5;\n%s",
        is_broken ? "    _ = textureLoad(t4, vec2u(), 0);\n" : "    _ = t4;\n");
    for (int i = 0; i < 16; i++) {
        length += snprintf(code + length, sizeof(code) - (size_t)length,
            "    _ = textureSampleLevel(t%d, s%d, vec2f(), 0.0);\n", i / 4, i % 4);
    }
    snprintf(code + length, sizeof(code) - (size_t)length, "}\n");
    begin_device(v, false, NULL, 0);
    try_pipeline(v, NULL, code);
    end_device(v);
}

#define PIPE "compute pipeline \"pipe\": entry point \"main\" "

static const struct validation_case cases[] = {
    ROW(PIPELINE_FILTERING,
        PIPE
        "samples \"t\" (@group(0) @binding(0)) with \"s\" (@group(0) @binding(1)), which is a "
        "sampler of type Filtering in the layout: the texture's sample type must be Float, but "
        "it is UnfilterableFloat"),
    ROW(BGL_STORAGE_FORMAT,
        "compute pipeline \"pipe\", variable \"t\" of the compute stage at @group(0): binding 4 is "
        "a storage texture of format rgba8snorm, which does not allow access ReadWrite on this "
        "device"),
    ROW(PIPELINE_COMPATIBILITY_DEPTH_LOAD,
        PIPE "calls textureLoad with \"depth\" (@group(0) @binding(2)), a depth texture, on a "
             "device in compatibility mode"),
    ROW(PIPELINE_COMPATIBILITY_DEPTH_SAMPLER,
        PIPE
        "samples \"depth\" (@group(0) @binding(2)), a depth texture, with \"plain\" (@group(0) "
        "@binding(3)), which is no sampler_comparison, on a device in compatibility mode"),
    ROW(PIPELINE_COMPATIBILITY_PAIRS,
        PIPE "uses 17 pairs of a texture and a sampler, over the limit "
             "maxSampledTexturesPerShaderStage, 16, on a device in compatibility mode"),
};
TABLE(texture_use_table, cases);
