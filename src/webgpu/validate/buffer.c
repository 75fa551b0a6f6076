// SPDX-License-Identifier: MIT
//
// Rules of buffer creation and mapping.
#include "webgpu/validate/buffer.h"

#include "base/try.h"
#include "webgpu/validate/chain.h"

#define ALL_USAGES \
    (WGPUBufferUsage_MapRead | WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc | \
        WGPUBufferUsage_CopyDst | WGPUBufferUsage_Index | WGPUBufferUsage_Vertex | \
        WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect | \
        WGPUBufferUsage_QueryResolve)

bool validate_buffer_create(const struct WGPUDeviceImpl *device,
    const WGPUBufferDescriptor *descriptor, const char *name, struct validate_error *error) {
    WGPUBufferUsage usage = descriptor->usage;
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    if (usage == 0) {
        return BROKEN(error, BUFFER_USAGE_NONE, name);
    }
    if ((usage & ~ALL_USAGES) != 0) {
        return BROKEN(error, BUFFER_USAGE_UNKNOWN, name, ULL(usage), ULL(usage & ~ALL_USAGES));
    }
    if ((usage & WGPUBufferUsage_MapRead) != 0 &&
        (usage & ~(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst)) != 0) {
        return BROKEN(error, BUFFER_USAGE_MAP_READ, name, rule_describe_buffer_usage(usage).text);
    }
    if ((usage & WGPUBufferUsage_MapWrite) != 0 &&
        (usage & ~(WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc)) != 0) {
        return BROKEN(error, BUFFER_USAGE_MAP_WRITE, name, rule_describe_buffer_usage(usage).text);
    }
    uint64_t limit = device->limits.values[LIMIT_maxBufferSize];
    if (descriptor->size > limit) {
        return BROKEN(error, BUFFER_SIZE, name, ULL(descriptor->size), ULL(limit));
    }
    if (descriptor->mappedAtCreation && descriptor->size % 4 != 0) {
        return BROKEN(error, BUFFER_MAPPED_SIZE, name, ULL(descriptor->size));
    }
    return true;
}

const char *validate_describe_map_state(const struct WGPUBufferImpl *buffer) {
    switch (gpu_buffer_get_map_state(buffer)) {
    case WGPUBufferMapState_Mapped:
        return "mapped";
    case WGPUBufferMapState_Pending:
        return "waiting to be mapped";
    case WGPUBufferMapState_Unmapped:
    case WGPUBufferMapState_Force32:
        break;
    }
    return "unmapped";
}

const char *validate_describe_map_call(const struct WGPUBufferImpl *buffer) {
    return buffer->mapping.is_at_creation ? "mappedAtCreation" : "wgpuBufferMapAsync";
}

bool validate_map_state(struct WGPUBufferImpl *buffer, struct validate_error *error) {
    if (gpu_buffer_get_map_state(buffer) != WGPUBufferMapState_Unmapped) {
        return BROKEN(
            error, MAP_NOT_UNMAPPED, GPU_NAME(buffer, BUFFER), validate_describe_map_state(buffer));
    }
    return true;
}

bool validate_map(struct WGPUBufferImpl *buffer, WGPUMapMode mode, uint64_t offset_bytes,
    uint64_t size_bytes, struct validate_error *error) {
    if (buffer->state == GPU_BUFFER_DESTROYED) {
        return BROKEN(error, MAP_DESTROYED, GPU_NAME(buffer, BUFFER));
    }
    if (offset_bytes % 8 != 0) {
        return BROKEN(error, MAP_OFFSET, GPU_NAME(buffer, BUFFER), ULL(offset_bytes));
    }
    if (size_bytes % 4 != 0) {
        return BROKEN(error, MAP_SIZE, GPU_NAME(buffer, BUFFER), ULL(size_bytes));
    }
    if (!validate_is_within(offset_bytes, size_bytes, buffer->size_bytes)) {
        return BROKEN(error, MAP_RANGE, GPU_NAME(buffer, BUFFER),
            rule_describe_range(offset_bytes, size_bytes, buffer->size_bytes, " to map").text,
            ULL(buffer->size_bytes));
    }
    if (mode != WGPUMapMode_Read && mode != WGPUMapMode_Write) {
        return BROKEN(error, MAP_MODE, GPU_NAME(buffer, BUFFER), ULL(mode));
    }
    if (mode == WGPUMapMode_Read && (buffer->usage & WGPUBufferUsage_MapRead) == 0) {
        return BROKEN(error, MAP_USAGE_READ, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    if (mode == WGPUMapMode_Write && (buffer->usage & WGPUBufferUsage_MapWrite) == 0) {
        return BROKEN(error, MAP_USAGE_WRITE, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    return true;
}

bool validate_mapped_range(struct WGPUBufferImpl *buffer, uint64_t offset_bytes,
    uint64_t size_bytes, bool is_const, struct validate_error *error) {
    const struct gpu_buffer_mapping *mapping = &buffer->mapping;
    if (mapping->mode == WGPUMapMode_None) {
        return BROKEN(
            error, RANGE_NOT_MAPPED, GPU_NAME(buffer, BUFFER), validate_describe_map_state(buffer));
    }
    if (!is_const && mapping->mode != WGPUMapMode_Write) {
        return BROKEN(error, RANGE_READ_ONLY, GPU_NAME(buffer, BUFFER));
    }
    if (offset_bytes % 8 != 0) {
        return BROKEN(error, RANGE_OFFSET, GPU_NAME(buffer, BUFFER), ULL(offset_bytes));
    }
    if (size_bytes % 4 != 0) {
        return BROKEN(error, RANGE_SIZE, GPU_NAME(buffer, BUFFER), ULL(size_bytes));
    }
    uint64_t end = mapping->offset_bytes + mapping->size_bytes;
    if (offset_bytes < mapping->offset_bytes ||
        !validate_is_within(offset_bytes, size_bytes, end)) {
        return BROKEN(error, RANGE_BOUNDS, GPU_NAME(buffer, BUFFER), ULL(offset_bytes),
            ULL(size_bytes), ULL(mapping->offset_bytes), ULL(end));
    }
    for (size_t i = 0; i < mapping->ranges.count; i++) {
        const struct gpu_mapped_range *range = &mapping->ranges.items[i];
        bool overlaps = offset_bytes < range->offset_bytes + range->size_bytes &&
            range->offset_bytes < offset_bytes + size_bytes;
        if (overlaps && !(is_const && range->is_const)) {
            return BROKEN(error, RANGE_OVERLAP, GPU_NAME(buffer, BUFFER), ULL(offset_bytes),
                ULL(offset_bytes + size_bytes), ULL(range->offset_bytes),
                ULL(range->offset_bytes + range->size_bytes));
        }
    }
    return true;
}
