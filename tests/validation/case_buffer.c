// SPDX-License-Identifier: MIT
//
// Descriptors' chains, device requests, buffers and mapping.
#include "validation.h"

#define MAP_READ_USAGE (WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst)
#define MAP_WRITE_USAGE (WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc)

CASE(CHAIN_UNKNOWN) {
    WGPUChainedStruct unknown = {NULL, (WGPUSType)0x1234};
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.nextInChain = is_broken ? &unknown : NULL;
    descriptor.label = api_view("b");
    descriptor.usage = WGPUBufferUsage_CopyDst;
    wgpuBufferRelease(wgpuDeviceCreateBuffer(v->api.device, &descriptor));
}

CASE(CHAIN_TWICE) {
    WGPUShaderSourceWGSL first = WGPU_SHADER_SOURCE_WGSL_INIT;
    WGPUShaderSourceWGSL second = WGPU_SHADER_SOURCE_WGSL_INIT;
    first.chain.next = is_broken ? &second.chain : NULL;
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &first.chain;
    descriptor.label = api_view("m");
    wgpuShaderModuleRelease(wgpuDeviceCreateShaderModule(v->api.device, &descriptor));
}

// ---------------------------------------------------------------- device requests

static void request_device(
    struct validation *v, struct api *api, WGPUDeviceDescriptor *descriptor) {
    WGPUDevice device = api_request_device(api, descriptor, v->message);
    if (device != NULL) {
        wgpuDeviceRelease(device);
    }
}

CASE(DEVICE_CONSUMED) {
    static const WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_Null;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    struct api api;
    memset(&api, 0, sizeof(api));
    api.instance = wgpuCreateInstance(&descriptor);
    api.adapter = api_request_adapter(api.instance);
    WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
    if (is_broken) {
        request_device(v, &api, &device);
    }
    request_device(v, &api, &device);
    wgpuAdapterRelease(api.adapter);
    wgpuInstanceRelease(api.instance);
}

static void request_with(struct validation *v, const WGPULimits *limits, WGPUFeatureName feature) {
    struct api api;
    memset(&api, 0, sizeof(api));
    api.instance = v->api.instance;
    api.adapter = v->api.adapter;
    WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
    device.requiredLimits = limits;
    device.requiredFeatureCount = feature != 0 ? 1 : 0;
    device.requiredFeatures = &feature;
    request_device(v, &api, &device);
}

CASE(DEVICE_FEATURE) {
    request_with(v, NULL, is_broken ? (WGPUFeatureName)60 : WGPUFeatureName_CoreFeaturesAndLimits);
}

CASE(DEVICE_LIMIT) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.minUniformBufferOffsetAlignment = is_broken ? 16 : 32;
    request_with(v, &limits, (WGPUFeatureName)0);
}

CASE(DEVICE_ALIGNMENT) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.minStorageBufferOffsetAlignment = is_broken ? 96 : 128;
    request_with(v, &limits, (WGPUFeatureName)0);
}

// ---------------------------------------------------------------- creation

static void create(struct validation *v, uint64_t size, WGPUBufferUsage usage, bool is_mapped) {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = api_view("b");
    descriptor.size = size;
    descriptor.usage = usage;
    descriptor.mappedAtCreation = is_mapped;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(v->api.device, &descriptor);
    if (buffer != NULL) {
        wgpuBufferRelease(buffer);
    }
}

CASE(BUFFER_USAGE_NONE) {
    create(v, 4, is_broken ? WGPUBufferUsage_None : WGPUBufferUsage_Index, false);
}
CASE(BUFFER_USAGE_UNKNOWN) {
    create(v, 4, is_broken ? 0x1008 : 0x0008, false);
}
CASE(BUFFER_USAGE_MAP_READ) {
    create(v, 4, is_broken ? MAP_READ_USAGE | WGPUBufferUsage_Storage : MAP_READ_USAGE, false);
}
CASE(BUFFER_USAGE_MAP_WRITE) {
    create(v, 4, is_broken ? MAP_WRITE_USAGE | WGPUBufferUsage_CopyDst : MAP_WRITE_USAGE, false);
}
CASE(BUFFER_SIZE) {
    create(v, is_broken ? 268435457 : 268435456, WGPUBufferUsage_Storage, false);
}
CASE(BUFFER_MAPPED_SIZE) {
    create(v, is_broken ? 6 : 8, WGPUBufferUsage_Storage, true);
}

// ---------------------------------------------------------------- mapAsync

// Maps a buffer "b" of 64 bytes and waits.
static void map(
    struct validation *v, WGPUBufferUsage usage, WGPUMapMode mode, size_t offset, size_t size) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, usage);
    api_map(&v->api, buffer, mode, offset, size);
    wgpuBufferRelease(buffer);
}

CASE(MAP_NOT_UNMAPPED) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, MAP_READ_USAGE);
    api_map(&v->api, buffer, WGPUMapMode_Read, 0, 64);
    if (!is_broken) {
        wgpuBufferUnmap(buffer);
    }
    api_map(&v->api, buffer, WGPUMapMode_Read, 0, 64);
    wgpuBufferRelease(buffer);
}
CASE(MAP_DESTROYED) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, MAP_READ_USAGE);
    if (is_broken) {
        wgpuBufferDestroy(buffer);
    }
    api_map(&v->api, buffer, WGPUMapMode_Read, 0, 64);
    wgpuBufferRelease(buffer);
}
CASE(MAP_OFFSET) {
    map(v, MAP_READ_USAGE, WGPUMapMode_Read, is_broken ? 4 : 8, 4);
}
CASE(MAP_SIZE) {
    map(v, MAP_READ_USAGE, WGPUMapMode_Read, 0, is_broken ? 3 : 4);
}
CASE(MAP_RANGE) {
    map(v, MAP_READ_USAGE, WGPUMapMode_Read, 32, is_broken ? 36 : 32);
}
CASE(MAP_MODE) {
    map(v, MAP_READ_USAGE, is_broken ? WGPUMapMode_Read | WGPUMapMode_Write : WGPUMapMode_Read, 0,
        4);
}
CASE(MAP_USAGE_READ) {
    map(v, is_broken ? MAP_WRITE_USAGE : MAP_READ_USAGE, WGPUMapMode_Read, 0, 4);
}
CASE(MAP_USAGE_WRITE) {
    map(v, is_broken ? MAP_READ_USAGE : MAP_WRITE_USAGE, WGPUMapMode_Write, 0, 4);
}

// ---------------------------------------------------------------- mapped ranges

// A range of a buffer "b" of 64 bytes of which [16, 48) is mapped.
static void get_range(struct validation *v, WGPUMapMode mode, size_t offset, size_t size,
    bool is_const, bool is_broken) {
    WGPUBuffer buffer = make_buffer(
        v, "b", 64, mode == WGPUMapMode_Read ? MAP_READ_USAGE : MAP_WRITE_USAGE);
    api_map(&v->api, buffer, mode, 16, 32);
    begin_log(v);
    const void *range = is_const ? wgpuBufferGetConstMappedRange(buffer, offset, size)
                                 : wgpuBufferGetMappedRange(buffer, offset, size);
    end_log();
    CHECK_EQ(range == NULL, is_broken);
    wgpuBufferRelease(buffer);
}

CASE(RANGE_NOT_MAPPED) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, MAP_READ_USAGE);
    if (!is_broken) {
        api_map(&v->api, buffer, WGPUMapMode_Read, 0, 64);
    }
    begin_log(v);
    CHECK_EQ(wgpuBufferGetConstMappedRange(buffer, 0, 64) == NULL, is_broken);
    end_log();
    wgpuBufferRelease(buffer);
}
CASE(RANGE_READ_ONLY) {
    get_range(v, is_broken ? WGPUMapMode_Read : WGPUMapMode_Write, 16, 32, false, is_broken);
}
CASE(RANGE_OFFSET) {
    get_range(v, WGPUMapMode_Read, is_broken ? 20 : 24, 4, true, is_broken);
}
CASE(RANGE_SIZE) {
    get_range(v, WGPUMapMode_Read, 16, is_broken ? 30 : 32, true, is_broken);
}
CASE(RANGE_BOUNDS) {
    get_range(v, WGPUMapMode_Read, 16, is_broken ? 36 : 32, true, is_broken);
}
CASE(RANGE_OVERLAP) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, MAP_WRITE_USAGE);
    api_map(&v->api, buffer, WGPUMapMode_Write, 0, 64);
    CHECK(wgpuBufferGetMappedRange(buffer, 0, 16) != NULL);
    CHECK(wgpuBufferGetConstMappedRange(buffer, 32, 16) != NULL);
    begin_log(v);
    // Ranges for reading may overlap each other.
    CHECK(wgpuBufferGetConstMappedRange(buffer, 40, 16) != NULL);
    CHECK_EQ(wgpuBufferGetMappedRange(buffer, is_broken ? 8 : 16, 16) == NULL, is_broken);
    end_log();
    wgpuBufferRelease(buffer);
}

static const struct validation_case cases[] = {
    ROW(CHAIN_UNKNOWN,
        "buffer \"b\": a chained struct of sType 0x00001234 is not one that this descriptor takes"),
    ROW(CHAIN_TWICE, "shader module \"m\": two chained structs have the sType 0x00000002"),
    ROW(DEVICE_CONSUMED,
        "adapter \"null\" has made a device before, and the instance was made without WGPUInstanceFeatureName_MultipleDevicesPerAdapter"),
    ROW(DEVICE_FEATURE,
        "adapter \"null\" does not have the feature 60 (no WGPUFeatureName), which is requiredFeatures[0]"),
    ROW(DEVICE_LIMIT,
        "adapter \"null\": the required limit minUniformBufferOffsetAlignment of 16 is better than the adapter's, 32"),
    ROW(DEVICE_ALIGNMENT,
        "adapter \"null\": the required limit minStorageBufferOffsetAlignment of 96 must be a power of two below 2^32"),
    ROW(BUFFER_USAGE_NONE, "buffer \"b\": usage is 0; it must name at least one use"),
    ROW(BUFFER_USAGE_UNKNOWN,
        "buffer \"b\": usage 0x1008 has bits that are no WGPUBufferUsage: 0x1000"),
    ROW(BUFFER_USAGE_MAP_READ,
        "buffer \"b\": usage MapRead allows CopyDst beside it and nothing else, but usage is MapRead|CopyDst|Storage"),
    ROW(BUFFER_USAGE_MAP_WRITE,
        "buffer \"b\": usage MapWrite allows CopySrc beside it and nothing else, but usage is MapWrite|CopySrc|CopyDst"),
    ROW(BUFFER_SIZE, "buffer \"b\": size 268435457 is over the limit maxBufferSize, 268435456"),
    ROW(BUFFER_MAPPED_SIZE,
        "buffer \"b\": size 6 of a buffer with mappedAtCreation must be a multiple of 4"),
    ROW(MAP_NOT_UNMAPPED,
        "buffer \"b\": wgpuBufferMapAsync needs an unmapped buffer, but this one is mapped"),
    ROW(MAP_DESTROYED, "buffer \"b\": wgpuBufferMapAsync on a destroyed buffer"),
    ROW(MAP_OFFSET, "buffer \"b\": offset 4 to map from must be a multiple of 8"),
    ROW(MAP_SIZE, "buffer \"b\": size 3 to map must be a multiple of 4"),
    ROW(MAP_RANGE, "buffer \"b\": offset 32 and size 36 to map reach beyond the buffer's size, 64"),
    ROW(MAP_MODE, "buffer \"b\": mode 0x3 must be either WGPUMapMode_Read or WGPUMapMode_Write"),
    ROW(MAP_USAGE_READ,
        "buffer \"b\": mapping for reading needs usage MapRead, but usage is MapWrite|CopySrc"),
    ROW(MAP_USAGE_WRITE,
        "buffer \"b\": mapping for writing needs usage MapWrite, but usage is MapRead|CopyDst"),
    ROW(RANGE_NOT_MAPPED,
        "wgpuBufferGetConstMappedRange: buffer \"b\" is not mapped (its map state is unmapped)"),
    ROW(RANGE_READ_ONLY,
        "wgpuBufferGetMappedRange: buffer \"b\" is mapped for reading: a range to write to cannot be had"),
    ROW(RANGE_OFFSET,
        "wgpuBufferGetConstMappedRange: buffer \"b\": offset 20 of a mapped range must be a multiple of 8"),
    ROW(RANGE_SIZE,
        "wgpuBufferGetConstMappedRange: buffer \"b\": size 30 of a mapped range must be a multiple of 4"),
    ROW(RANGE_BOUNDS,
        "wgpuBufferGetConstMappedRange: buffer \"b\": offset 16 and size 36 are not inside the mapped part, 16 to 48"),
    ROW(RANGE_OVERLAP,
        "wgpuBufferGetMappedRange: buffer \"b\": the range from 8 to 24 overlaps one handed out before, from 0 to 16"),
};
TABLE(buffer_table, cases);
