// SPDX-License-Identifier: MIT
//
// Bind groups with samplers and texture views, and dispatches that use them.
#include "validation.h"

#define STORAGE WGPUTextureUsage_StorageBinding

static WGPUTextureDescriptor plain(uint32_t layers) {
    return texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, layers);
}

static WGPUBindGroupLayoutEntry texture_entry(WGPUTextureSampleType type) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.visibility = WGPUShaderStage_Compute;
    entry.texture.sampleType = type;
    return entry;
}

static WGPUBindGroupLayoutEntry storage_entry(uint32_t binding, WGPUTextureFormat format) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = binding;
    entry.visibility = WGPUShaderStage_Compute;
    entry.storageTexture.access = WGPUStorageTextureAccess_WriteOnly;
    entry.storageTexture.format = format;
    return entry;
}

static WGPUBindGroup bind(struct validation *v, WGPUBindGroupLayout layout,
    const WGPUBindGroupEntry *entries, size_t count) {
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = api_view("group");
    descriptor.layout = layout;
    descriptor.entryCount = count;
    descriptor.entries = entries;
    return wgpuDeviceCreateBindGroup(v->api.device, &descriptor);
}

// Binds a view of a new texture to a layout of that one entry. view may be NULL.
static void try_view(struct validation *v, const WGPUBindGroupLayoutEntry *layout_entry,
    const WGPUTextureDescriptor *texture, WGPUTextureViewDescriptor *view) {
    WGPUTextureViewDescriptor defaults = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view = view != NULL ? view : &defaults;
    view->label = api_view("view");
    WGPUBindGroupLayout layout = make_layout(v, layout_entry, 1);
    WGPUTexture object = make_texture(v, texture);
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.textureView = wgpuTextureCreateView(object, view);
    wgpuBindGroupRelease(bind(v, layout, &entry, 1));
    wgpuTextureViewRelease(entry.textureView);
    wgpuTextureRelease(object);
    wgpuBindGroupLayoutRelease(layout);
}

CASE(GROUP_SAMPLER_TYPE) {
    WGPUBindGroupLayoutEntry layout_entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    layout_entry.visibility = WGPUShaderStage_Compute;
    layout_entry.sampler.type = WGPUSamplerBindingType_NonFiltering;
    WGPUBindGroupLayout layout = make_layout(v, &layout_entry, 1);
    WGPUSamplerDescriptor descriptor = WGPU_SAMPLER_DESCRIPTOR_INIT;
    descriptor.label = api_view("s");
    descriptor.minFilter = is_broken ? WGPUFilterMode_Linear : WGPUFilterMode_Nearest;
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.sampler = wgpuDeviceCreateSampler(v->api.device, &descriptor);
    wgpuBindGroupRelease(bind(v, layout, &entry, 1));
    wgpuSamplerRelease(entry.sampler);
    wgpuBindGroupLayoutRelease(layout);
}
CASE(GROUP_VIEW_DIMENSION) {
    WGPUBindGroupLayoutEntry entry = texture_entry(WGPUTextureSampleType_Float);
    WGPUTextureDescriptor texture = plain(is_broken ? 2 : 1);
    try_view(v, &entry, &texture, NULL);
}
CASE(GROUP_SAMPLE_TYPE) {
    WGPUBindGroupLayoutEntry entry = texture_entry(WGPUTextureSampleType_Float);
    WGPUTextureDescriptor texture = plain(1);
    texture.format = is_broken ? WGPUTextureFormat_R32Float : WGPUTextureFormat_R16Float;
    try_view(v, &entry, &texture, NULL);
}
CASE(GROUP_VIEW_USAGE) {
    WGPUBindGroupLayoutEntry entry = storage_entry(0, WGPUTextureFormat_RGBA8Unorm);
    WGPUTextureDescriptor texture = plain(1);
    texture.usage = STORAGE | WGPUTextureUsage_TextureBinding;
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.usage = is_broken ? WGPUTextureUsage_TextureBinding : STORAGE;
    try_view(v, &entry, &texture, &view);
}
CASE(GROUP_MULTISAMPLED) {
    WGPUBindGroupLayoutEntry entry = texture_entry(WGPUTextureSampleType_UnfilterableFloat);
    entry.texture.multisampled = WGPU_TRUE;
    WGPUTextureDescriptor texture = plain(1);
    texture.usage |= WGPUTextureUsage_RenderAttachment;
    texture.sampleCount = is_broken ? 1 : 4;
    try_view(v, &entry, &texture, NULL);
}
CASE(GROUP_STORAGE_FORMAT) {
    WGPUBindGroupLayoutEntry entry = storage_entry(
        0, is_broken ? WGPUTextureFormat_RGBA8Uint : WGPUTextureFormat_RGBA8Unorm);
    WGPUTextureDescriptor texture = plain(1);
    texture.usage = STORAGE;
    try_view(v, &entry, &texture, NULL);
}
CASE(GROUP_ONE_LEVEL) {
    WGPUBindGroupLayoutEntry entry = storage_entry(0, WGPUTextureFormat_RGBA8Unorm);
    WGPUTextureDescriptor texture = plain(1);
    texture.usage = STORAGE;
    texture.mipLevelCount = 2;
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.mipLevelCount = is_broken ? 2 : 1;
    try_view(v, &entry, &texture, &view);
}
CASE(GROUP_STORAGE_SWIZZLE) {
    WGPUFeatureName feature = WGPUFeatureName_TextureComponentSwizzle;
    begin_device(v, true, &feature, 1);
    WGPUBindGroupLayoutEntry entry = storage_entry(0, WGPUTextureFormat_RGBA8Unorm);
    WGPUTextureDescriptor texture = plain(1);
    texture.usage = STORAGE;
    WGPUTextureComponentSwizzleDescriptor swizzle = WGPU_TEXTURE_COMPONENT_SWIZZLE_DESCRIPTOR_INIT;
    swizzle.swizzle.g = is_broken ? WGPUComponentSwizzle_Zero : WGPUComponentSwizzle_G;
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.nextInChain = &swizzle.chain;
    try_view(v, &entry, &texture, &view);
    end_device(v);
}
CASE(GROUP_EXTERNAL_FORMAT) {
    WGPUExternalTextureBindingLayout external = WGPU_EXTERNAL_TEXTURE_BINDING_LAYOUT_INIT;
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.visibility = WGPUShaderStage_Compute;
    entry.nextInChain = &external.chain;
    WGPUTextureDescriptor texture = plain(1);
    texture.format = is_broken ? WGPUTextureFormat_R8Unorm : WGPUTextureFormat_BGRA8Unorm;
    try_view(v, &entry, &texture, NULL);
}
CASE(GROUP_COMPATIBILITY_DIMENSION) {
    begin_device(v, false, NULL, 0);
    WGPUBindGroupLayoutEntry entry = texture_entry(WGPUTextureSampleType_Float);
    entry.texture.viewDimension = is_broken ? WGPUTextureViewDimension_2DArray
                                            : WGPUTextureViewDimension_2D;
    WGPUTextureDescriptor texture = plain(1);
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.dimension = entry.texture.viewDimension;
    try_view(v, &entry, &texture, &view);
    end_device(v);
}
CASE(GROUP_COMPATIBILITY_LAYERS) {
    begin_device(v, false, NULL, 0);
    WGPUBindGroupLayoutEntry entry = texture_entry(WGPUTextureSampleType_Float);
    entry.texture.viewDimension = WGPUTextureViewDimension_2DArray;
    WGPUTextureDescriptor texture = plain(4);
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    view.arrayLayerCount = is_broken ? 3 : 4;
    try_view(v, &entry, &texture, &view);
    end_device(v);
}

// ---------------------------------------------------------------- dispatches

// Dispatches with two levels, or twice one level, of a texture as bindings 0 and 1.
static void dispatch_two(
    struct validation *v, const WGPUBindGroupLayoutEntry *layout_entries, bool is_one_level) {
    WGPUTextureDescriptor descriptor = plain(1);
    descriptor.usage = STORAGE | WGPUTextureUsage_TextureBinding;
    descriptor.mipLevelCount = 2;
    WGPUTexture texture = make_texture(v, &descriptor);
    WGPUBindGroupLayout layout = make_layout(v, layout_entries, 2);
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    for (uint32_t i = 0; i < 2; i++) {
        WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
        view.mipLevelCount = 1;
        view.baseMipLevel = is_one_level ? 1 : i;
        entries[i].binding = i;
        entries[i].textureView = wgpuTextureCreateView(texture, &view);
    }
    WGPUBindGroup group = bind(v, layout, entries, 2);
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, &layout, 1, 0);
    WGPUComputePipeline pipeline = make_pipeline(
        v, pipeline_layout, "@compute @workgroup_size(1) fn main() {}");
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUComputePassEncoder pass = begin_pass(encoder);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    finish_pass_and_release(encoder, pass);
    wgpuComputePipelineRelease(pipeline);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupRelease(group);
    wgpuTextureViewRelease(entries[0].textureView);
    wgpuTextureViewRelease(entries[1].textureView);
    wgpuBindGroupLayoutRelease(layout);
    wgpuTextureRelease(texture);
}

CASE(USAGE_TEXTURE) {
    WGPUBindGroupLayoutEntry entries[2] = {
        texture_entry(WGPUTextureSampleType_Float), storage_entry(1, WGPUTextureFormat_RGBA8Unorm)};
    dispatch_two(v, entries, is_broken);
}
CASE(ALIAS_TEXTURE) {
    WGPUBindGroupLayoutEntry entries[2] = {storage_entry(0, WGPUTextureFormat_RGBA8Unorm),
        storage_entry(1, WGPUTextureFormat_RGBA8Unorm)};
    dispatch_two(v, entries, is_broken);
}

static const struct validation_case cases[] = {
    ROW(GROUP_SAMPLER_TYPE,
        "bind group \"group\": binding 0 takes a sampler of type NonFiltering, but sampler \"s\" filters"),
    ROW(GROUP_VIEW_DIMENSION,
        "bind group \"group\": binding 0 takes a view of dimension 2D, but texture view \"view\" has dimension 2DArray"),
    ROW(GROUP_SAMPLE_TYPE,
        "bind group \"group\": binding 0 takes sample type Float, which format r32float of texture view \"view\" cannot give on this device"),
    ROW(GROUP_VIEW_USAGE,
        "bind group \"group\": binding 0 needs usage StorageBinding, but texture view \"view\" has usage TextureBinding"),
    ROW(GROUP_MULTISAMPLED,
        "bind group \"group\": binding 0 takes a texture that is multisampled, but texture \"t\" has 1 samples"),
    ROW(GROUP_STORAGE_FORMAT,
        "bind group \"group\": binding 0 takes a storage texture of format rgba8uint, but texture view \"view\" has rgba8unorm"),
    ROW(GROUP_ONE_LEVEL,
        "bind group \"group\": binding 0 takes a view of one mip level, but texture view \"view\" has 2"),
    ROW(GROUP_STORAGE_SWIZZLE,
        "bind group \"group\": binding 0 takes a storage texture, which cannot be swizzled, but texture view \"view\" has swizzle r0ba"),
    ROW(GROUP_EXTERNAL_FORMAT,
        "bind group \"group\": binding 0 takes an external texture, or a view of format rgba8unorm, bgra8unorm or rgba16float, but texture view \"view\" has r8unorm"),
    ROW(GROUP_COMPATIBILITY_DIMENSION,
        "bind group \"group\": binding 0: texture view \"view\" has dimension 2DArray, but the textureBindingViewDimension of texture \"t\" is 2D, on a device in compatibility mode"),
    ROW(GROUP_COMPATIBILITY_LAYERS,
        "bind group \"group\": binding 0: texture view \"view\" must have all 4 layers of texture \"t\", on a device in compatibility mode"),
    ROW(USAGE_TEXTURE,
        "compute pass encoder \"pass\": a dispatch uses a part of texture \"t\" in two ways that exclude each other: group 0 binding 0 (Texture) of bind group \"group\", set by call 2; and group 0 binding 1 (StorageTexture) of bind group \"group\", set by call 2; in one dispatch it may be read in any number of ways, or be writable storage, but not both"),
    ROW(ALIAS_TEXTURE,
        "compute pass encoder \"pass\": a dispatch may write to a part of texture \"t\" through group 0 binding 0 (StorageTexture) of bind group \"group\", set by call 2, which is also bound as group 0 binding 1 (StorageTexture) of bind group \"group\", set by call 2"),
};
TABLE(texture_group_table, cases);
