// SPDX-License-Identifier: MIT
//
// Bind group layouts and pipeline layouts.
#include "validation.h"

static void try_layout(
    struct validation *v, const WGPUBindGroupLayoutEntry *entries, size_t count) {
    wgpuBindGroupLayoutRelease(make_layout(v, entries, count));
}

CASE(BGL_BINDING_TWICE) {
    WGPUBindGroupLayoutEntry entries[2] = {buffer_entry(3, WGPUBufferBindingType_Uniform),
        buffer_entry(is_broken ? 3 : 2, WGPUBufferBindingType_Storage)};
    try_layout(v, entries, 2);
}
CASE(BGL_BINDING_LIMIT) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        is_broken ? 1000 : 999, WGPUBufferBindingType_Uniform);
    try_layout(v, &entry, 1);
}
CASE(BGL_KIND) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(1, WGPUBufferBindingType_Uniform);
    if (is_broken) {
        entry.sampler.type = WGPUSamplerBindingType_Filtering;
    }
    try_layout(v, &entry, 1);
}
CASE(BGL_ARRAY) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(1, WGPUBufferBindingType_Uniform);
    entry.bindingArraySize = is_broken ? 2 : 0;
    try_layout(v, &entry, 1);
}
CASE(BGL_ENUM) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        1, is_broken ? (WGPUBufferBindingType)5 : WGPUBufferBindingType_Undefined);
    try_layout(v, &entry, 1);
}
CASE(BGL_VISIBILITY) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(1, WGPUBufferBindingType_Uniform);
    entry.visibility = is_broken ? 8 : 7;
    try_layout(v, &entry, 1);
}
CASE(BGL_VERTEX_STORAGE_BUFFER) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        1, is_broken ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage);
    entry.visibility = WGPUShaderStage_Vertex;
    try_layout(v, &entry, 1);
}

static WGPUBindGroupLayoutEntry texture_entry(void) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = 5;
    entry.visibility = WGPUShaderStage_Compute;
    return entry;
}

static void try_storage_texture(struct validation *v, WGPUShaderStage visibility,
    WGPUStorageTextureAccess access, WGPUTextureFormat format, WGPUTextureViewDimension dimension) {
    WGPUBindGroupLayoutEntry entry = texture_entry();
    entry.visibility = visibility;
    entry.storageTexture.access = access;
    entry.storageTexture.format = format;
    entry.storageTexture.viewDimension = dimension;
    try_layout(v, &entry, 1);
}

CASE(BGL_VERTEX_STORAGE_TEXTURE) {
    try_storage_texture(v, WGPUShaderStage_Vertex,
        is_broken ? WGPUStorageTextureAccess_WriteOnly : WGPUStorageTextureAccess_ReadOnly,
        WGPUTextureFormat_R32Float, WGPUTextureViewDimension_2D);
}
CASE(BGL_STORAGE_DIMENSION) {
    try_storage_texture(v, WGPUShaderStage_Compute, WGPUStorageTextureAccess_WriteOnly,
        WGPUTextureFormat_R32Float,
        is_broken ? WGPUTextureViewDimension_Cube : WGPUTextureViewDimension_3D);
}
CASE(BGL_STORAGE_FORMAT) {
    try_storage_texture(v, WGPUShaderStage_Compute, WGPUStorageTextureAccess_ReadWrite,
        is_broken ? WGPUTextureFormat_RGBA8Unorm : WGPUTextureFormat_R32Uint,
        WGPUTextureViewDimension_Undefined);
}
CASE(BGL_FORMAT_FEATURE) {
    try_storage_texture(v, WGPUShaderStage_Compute, WGPUStorageTextureAccess_ReadOnly,
        is_broken ? WGPUTextureFormat_R16Unorm : WGPUTextureFormat_RGBA16Uint,
        WGPUTextureViewDimension_Undefined);
}

static void try_multisampled(
    struct validation *v, WGPUTextureSampleType type, WGPUTextureViewDimension dimension) {
    WGPUBindGroupLayoutEntry entry = texture_entry();
    entry.texture.sampleType = type;
    entry.texture.viewDimension = dimension;
    entry.texture.multisampled = WGPU_TRUE;
    try_layout(v, &entry, 1);
}

CASE(BGL_MULTISAMPLED_DIMENSION) {
    try_multisampled(v, WGPUTextureSampleType_Uint,
        is_broken ? WGPUTextureViewDimension_2DArray : WGPUTextureViewDimension_2D);
}
CASE(BGL_MULTISAMPLED_FLOAT) {
    try_multisampled(v,
        is_broken ? WGPUTextureSampleType_Undefined : WGPUTextureSampleType_UnfilterableFloat,
        WGPUTextureViewDimension_Undefined);
}
CASE(BGL_SLOTS) {
    WGPUBindGroupLayoutEntry entries[9];
    for (uint32_t i = 0; i < 9; i++) {
        entries[i] = buffer_entry(
            i, i % 2 == 0 ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage);
    }
    try_layout(v, entries, is_broken ? 9 : 8);
}

// ---------------------------------------------------------------- pipeline layouts

static void try_pipeline_layout(
    struct validation *v, const WGPUBindGroupLayout *layouts, size_t count, uint32_t immediates) {
    wgpuPipelineLayoutRelease(make_pipeline_layout(v, layouts, count, immediates));
}

CASE(LAYOUT_GROUP_COUNT) {
    WGPUBindGroupLayout layouts[5] = {NULL};
    try_pipeline_layout(v, layouts, is_broken ? 5 : 4, 0);
}
CASE(LAYOUT_GROUP) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Uniform);
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("layout");
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroupLayout layouts[2] = {NULL,
        wgpuDeviceCreateBindGroupLayout(is_broken ? v->other.device : v->api.device, &descriptor)};
    try_pipeline_layout(v, layouts, 2, 0);
    wgpuBindGroupLayoutRelease(layouts[1]);
}
CASE(LAYOUT_GROUP_EXCLUSIVE) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL,
        "@group(0) @binding(0) var<storage> a: array<u32>;\n"
        "@compute @workgroup_size(1) fn main() { _ = a[0]; }");
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    WGPUBindGroupLayout layout = is_broken ? wgpuComputePipelineGetBindGroupLayout(pipeline, 0)
                                           : make_layout(v, &entry, 1);
    wgpuBindGroupLayoutSetLabel(layout, api_view("auto"));
    try_pipeline_layout(v, &layout, 1, 0);
    wgpuBindGroupLayoutRelease(layout);
    wgpuComputePipelineRelease(pipeline);
}
CASE(LAYOUT_SLOTS) {
    WGPUBindGroupLayoutEntry entries[5];
    for (uint32_t i = 0; i < 5; i++) {
        entries[i] = buffer_entry(i, WGPUBufferBindingType_Uniform);
        entries[i].buffer.hasDynamicOffset = i < 4;
    }
    // 4 + 4 dynamic uniform buffers are the limit; the ninth is one too many.
    WGPUBindGroupLayout four = make_layout(v, entries, 5);
    WGPUBindGroupLayout one = make_layout(v, entries, 1);
    WGPUBindGroupLayout layouts[3] = {four, four, is_broken ? one : NULL};
    try_pipeline_layout(v, layouts, 3, 0);
    wgpuBindGroupLayoutRelease(four);
    wgpuBindGroupLayoutRelease(one);
}
CASE(LAYOUT_IMMEDIATE_LIMIT) {
    try_pipeline_layout(v, NULL, 0, is_broken ? 68 : 64);
}
CASE(LAYOUT_IMMEDIATE_MULTIPLE) {
    try_pipeline_layout(v, NULL, 0, is_broken ? 6 : 8);
}

static const struct validation_case cases[] = {
    ROW(BGL_BINDING_TWICE, "bind group layout \"layout\": two entries have binding 3"),
    ROW(BGL_BINDING_LIMIT,
        "bind group layout \"layout\": binding 1000 must be below the limit maxBindingsPerBindGroup, 1000"),
    ROW(BGL_KIND,
        "bind group layout \"layout\": binding 1 must be exactly one of buffer, sampler, texture, storageTexture and external texture, but it is several of them"),
    ROW(BGL_ARRAY,
        "bind group layout \"layout\": binding 1 has bindingArraySize 2; binding arrays are not supported"),
    ROW(BGL_ENUM,
        "bind group layout \"layout\": binding 1 has a buffer binding type of 5, which is no value of that enumeration"),
    ROW(BGL_VISIBILITY,
        "bind group layout \"layout\": binding 1 has visibility 0x8, with bits that are no WGPUShaderStage"),
    ROW(BGL_VERTEX_STORAGE_BUFFER,
        "bind group layout \"layout\": binding 1 is a storage buffer that shaders may write, which cannot be visible to the vertex stage; ReadOnlyStorage can"),
    ROW(BGL_VERTEX_STORAGE_TEXTURE,
        "bind group layout \"layout\": binding 5 is a storage texture with access WriteOnly, which cannot be visible to the vertex stage; ReadOnly can"),
    ROW(BGL_MULTISAMPLED_DIMENSION,
        "bind group layout \"layout\": binding 5 is a multisampled texture of view dimension 2DArray; it must be 2D"),
    ROW(BGL_MULTISAMPLED_FLOAT,
        "bind group layout \"layout\": binding 5 is a multisampled texture of sample type Float; UnfilterableFloat is meant"),
    ROW(BGL_STORAGE_DIMENSION,
        "bind group layout \"layout\": binding 5 is a storage texture of view dimension Cube, which storage textures cannot have"),
    ROW(BGL_STORAGE_FORMAT,
        "bind group layout \"layout\": binding 5 is a storage texture of format rgba8unorm, which does not allow access ReadWrite on this device"),
    ROW(BGL_FORMAT_FEATURE,
        "bind group layout \"layout\": binding 5 has format r16unorm, which needs the feature texture-formats-tier1"),
    ROW(BGL_SLOTS,
        "bind group layout \"layout\": 9 storage buffers visible to the compute stage are over the limit maxStorageBuffersPerShaderStage, 8"),
    ROW(LAYOUT_GROUP_COUNT,
        "pipeline layout \"pl\": 5 bind group layouts are over the limit maxBindGroups, 4"),
    ROW(LAYOUT_GROUP,
        "pipeline layout \"pl\": bind group layout 1, bind group layout \"layout\", is of another device"),
    ROW(LAYOUT_GROUP_EXCLUSIVE,
        "pipeline layout \"pl\": bind group layout 0, bind group layout \"auto\", is of a pipeline with an automatic layout and cannot be used for another"),
    ROW(LAYOUT_SLOTS,
        "pipeline layout \"pl\": 9 uniform buffers with dynamic offsets in all bind groups together are over the limit maxDynamicUniformBuffersPerPipelineLayout, 8"),
    ROW(LAYOUT_IMMEDIATE_LIMIT,
        "pipeline layout \"pl\": immediateSize 68 is over the limit maxImmediateSize, 64"),
    ROW(LAYOUT_IMMEDIATE_MULTIPLE,
        "pipeline layout \"pl\": immediateSize 6 must be a multiple of 4"),
};
TABLE(layout_table, cases);
