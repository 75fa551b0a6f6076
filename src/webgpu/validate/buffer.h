// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Buffers" and §"Buffer Mapping". Functions that read map states are called
// with the device's mutex held.
#pragma once

#include "webgpu/object/buffer.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

bool validate_buffer_create(const struct WGPUDeviceImpl *device,
    const WGPUBufferDescriptor *descriptor, const char *name, struct validate_error *error);

// The state in which mapAsync refuses at once: mapped, or about to be.
bool validate_map_state(struct WGPUBufferImpl *buffer, struct validate_error *error);
// size_bytes: WGPU_WHOLE_MAP_SIZE is replaced by the caller.
bool validate_map(struct WGPUBufferImpl *buffer, WGPUMapMode mode, uint64_t offset_bytes,
    uint64_t size_bytes, struct validate_error *error);
bool validate_mapped_range(struct WGPUBufferImpl *buffer, uint64_t offset_bytes,
    uint64_t size_bytes, bool is_const, struct validate_error *error);

// "unmapped", "mapped", "waiting to be mapped".
const char *validate_describe_map_state(const struct WGPUBufferImpl *buffer);
// The call that mapped it: "wgpuBufferMapAsync", "mappedAtCreation".
const char *validate_describe_map_call(const struct WGPUBufferImpl *buffer);
// True when [offset, offset + size) lies within `limit`, without overflow.
static inline bool validate_is_within(uint64_t offset, uint64_t size, uint64_t limit) {
    return offset <= limit && size <= limit - offset;
}
