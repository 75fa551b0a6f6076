// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Queries" and of the commands that use query sets.
#pragma once

#include "webgpu/object/buffer.h"
#include "webgpu/object/device.h"
#include "webgpu/object/query_set.h"
#include "webgpu/validate/rule.h"

// The most queries that a set may have.
#define VALIDATE_QUERY_COUNT_MAX 4096u

bool validate_query_set_create(const struct WGPUDeviceImpl *device,
    const WGPUQuerySetDescriptor *descriptor, const char *name, struct validate_error *error);
// timestampWrites of compute and render passes. `owner` is the pass.
bool validate_timestamp_writes(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUPassTimestampWrites *writes, struct validate_error *error);
// wgpuCommandEncoderWriteTimestamp.
bool validate_write_timestamp(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUQuerySetImpl *set, uint32_t index, struct validate_error *error);
bool validate_resolve(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUQuerySetImpl *set, uint32_t first, uint32_t count,
    struct WGPUBufferImpl *destination, uint64_t offset_bytes, struct validate_error *error);
