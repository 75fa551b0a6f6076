// SPDX-License-Identifier: MIT
//
// Bind groups.
#include "validation.h"

// Binds `buffer` at binding 0 of a layout of that type.
static void bind(struct validation *v, WGPUBufferBindingType type, uint64_t minimum,
    WGPUBuffer buffer, uint64_t offset, uint64_t size) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, type);
    entry.buffer.minBindingSize = minimum;
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    wgpuBindGroupRelease(make_group(v, layout, buffer, offset, size));
    wgpuBindGroupLayoutRelease(layout);
}

static void bind_new(struct validation *v, WGPUBufferBindingType type, uint64_t minimum,
    uint64_t buffer_size, WGPUBufferUsage usage, uint64_t offset, uint64_t size) {
    WGPUBuffer buffer = make_buffer(v, "b", buffer_size, usage);
    bind(v, type, minimum, buffer, offset, size);
    wgpuBufferRelease(buffer);
}

CASE(GROUP_LAYOUT) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Uniform);
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("layout");
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(
        is_broken ? v->other.device : v->api.device, &descriptor);
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Uniform);
    wgpuBindGroupRelease(make_group(v, layout, buffer, 0, 256));
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
}

static void bind_entries(struct validation *v, WGPUBindGroupLayout layout,
    const WGPUBindGroupEntry *entries, size_t count) {
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = api_view("group");
    descriptor.layout = layout;
    descriptor.entryCount = count;
    descriptor.entries = entries;
    wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(v->api.device, &descriptor));
}

static void bind_two(struct validation *v, uint32_t first, uint32_t second, size_t count) {
    WGPUBindGroupLayoutEntry layout_entries[2] = {buffer_entry(4, WGPUBufferBindingType_Uniform),
        buffer_entry(2, WGPUBufferBindingType_Uniform)};
    WGPUBindGroupLayout layout = make_layout(v, layout_entries, 2);
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Uniform);
    WGPUBindGroupEntry entries[3] = {
        WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    for (size_t i = 0; i < 3; i++) {
        entries[i].binding = i == 0 ? first : second;
        entries[i].buffer = buffer;
    }
    bind_entries(v, layout, entries, count);
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
}

CASE(GROUP_ENTRY_COUNT) {
    bind_two(v, 2, 4, is_broken ? 1 : 2);
}
CASE(GROUP_BINDING_UNKNOWN) {
    bind_two(v, 2, is_broken ? 3 : 4, 2);
}
CASE(GROUP_BINDING_TWICE) {
    bind_two(v, 2, is_broken ? 2 : 4, 2);
}
CASE(GROUP_RESOURCE) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.visibility = WGPUShaderStage_Compute;
    if (is_broken) {
        entry.sampler.type = WGPUSamplerBindingType_Filtering;
    } else {
        entry.buffer.type = WGPUBufferBindingType_Uniform;
    }
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Uniform);
    wgpuBindGroupRelease(make_group(v, layout, buffer, 0, 256));
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
}
CASE(GROUP_BUFFER) {
    WGPUBuffer buffer = is_broken ? make_invalid_buffer(v)
                                  : make_buffer(v, "good", 256, WGPUBufferUsage_Uniform);
    bind(v, WGPUBufferBindingType_Uniform, 0, buffer, 0, 256);
    wgpuBufferRelease(buffer);
}
CASE(GROUP_RANGE) {
    bind_new(v, WGPUBufferBindingType_Uniform, 0, 512, WGPUBufferUsage_Uniform, 256,
        is_broken ? 260 : 256);
}
CASE(GROUP_RANGE_EMPTY) {
    bind_new(v, WGPUBufferBindingType_Uniform, 0, 512, WGPUBufferUsage_Uniform,
        is_broken ? 512 : 256, WGPU_WHOLE_SIZE);
}
CASE(GROUP_MIN_SIZE) {
    bind_new(
        v, WGPUBufferBindingType_Uniform, 64, 512, WGPUBufferUsage_Uniform, 0, is_broken ? 60 : 64);
}
CASE(GROUP_USAGE) {
    bind_new(v, WGPUBufferBindingType_ReadOnlyStorage, 0, 512,
        is_broken ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage, 0, 512);
}
CASE(GROUP_SIZE_LIMIT) {
    bind_new(v, WGPUBufferBindingType_Uniform, 0, 65552, WGPUBufferUsage_Uniform, 0,
        is_broken ? 65552 : 65536);
}
CASE(GROUP_SIZE_MULTIPLE) {
    bind_new(
        v, WGPUBufferBindingType_Storage, 0, 64, WGPUBufferUsage_Storage, 0, is_broken ? 30 : 32);
}
CASE(GROUP_OFFSET_ALIGNMENT) {
    bind_new(v, WGPUBufferBindingType_Storage, 0, 1024, WGPUBufferUsage_Storage,
        is_broken ? 128 : 256, 32);
}

static const struct validation_case cases[] = {
    ROW(GROUP_LAYOUT,
        "bind group \"group\": its layout, bind group layout \"layout\", is of another device"),
    ROW(GROUP_ENTRY_COUNT,
        "bind group \"group\" has 1 entries, but bind group layout \"layout\" has 2"),
    ROW(GROUP_BINDING_UNKNOWN,
        "bind group \"group\": binding 3 is not in bind group layout \"layout\""),
    ROW(GROUP_BINDING_TWICE, "bind group \"group\": two entries have binding 2"),
    ROW(GROUP_RESOURCE,
        "bind group \"group\": binding 0 is a sampler in bind group layout \"layout\", but a buffer was given"),
    ROW(GROUP_BUFFER, "bind group \"group\": binding 0 is given buffer \"bad\", which is invalid"),
    ROW(GROUP_RANGE,
        "bind group \"group\": binding 0: offset 256 and size 260 reach beyond buffer \"b\" of 512 bytes"),
    ROW(GROUP_RANGE_EMPTY,
        "bind group \"group\": binding 0: a size of 0 cannot be bound (offset 512 of buffer \"b\" of 512 bytes)"),
    ROW(GROUP_MIN_SIZE,
        "bind group \"group\": binding 0 is given 60 bytes of buffer \"b\", fewer than the layout's minBindingSize, 64"),
    ROW(GROUP_USAGE,
        "bind group \"group\": binding 0 needs usage Storage, but buffer \"b\" has usage Uniform"),
    ROW(GROUP_SIZE_LIMIT,
        "bind group \"group\": binding 0 is given 65552 bytes of buffer \"b\", over the limit maxUniformBufferBindingSize, 65536; storage buffers may be larger, up to 134217728"),
    ROW(GROUP_SIZE_MULTIPLE,
        "bind group \"group\": binding 0 is given 30 bytes of buffer \"b\"; a storage buffer's size must be a multiple of 4"),
    ROW(GROUP_OFFSET_ALIGNMENT,
        "bind group \"group\": binding 0 is given offset 128 of buffer \"b\", which must be a multiple of the limit minStorageBufferOffsetAlignment, 256"),
};
TABLE(group_table, cases);
