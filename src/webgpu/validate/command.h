// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Buffer Copy Commands" and of what goes straight to the queue. Those about the
// queue read buffer states: they are called with the device's mutex held.
#pragma once

#include "webgpu/object/buffer.h"
#include "webgpu/object/command_encoder.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

// `owner` is the encoder or queue. size_bytes: WGPU_WHOLE_SIZE was replaced by the caller.
bool validate_copy(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUBufferImpl *source, uint64_t source_offset_bytes, struct WGPUBufferImpl *destination,
    uint64_t destination_offset_bytes, uint64_t size_bytes, struct validate_error *error);
bool validate_clear(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error);
bool validate_write(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error);
bool validate_submit(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUCommandBufferImpl *const *commands, size_t count, struct validate_error *error);
