// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Compute Passes" and §"Programmable Passes", usage scopes among them.
#pragma once

#include "webgpu/object/command_encoder.h"
#include "webgpu/object/device.h"
#include "webgpu/track/usage_scope.h"
#include "webgpu/validate/rule.h"

bool validate_set_bind_group(struct WGPUComputePassEncoderImpl *pass, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets,
    struct validate_error *error);
bool validate_set_immediates(struct WGPUComputePassEncoderImpl *pass, uint32_t offset_bytes,
    size_t size_bytes, struct validate_error *error);
// Pipeline and bind groups of the pass fit each other; immediate data is set.
bool validate_dispatch_state(struct WGPUComputePassEncoderImpl *pass, struct validate_error *error);
// The uses of one dispatch do not exclude each other. The scope may be reordered.
bool validate_usage_scope(struct WGPUComputePassEncoderImpl *pass, struct usage_scope *scope,
    struct validate_error *error);
bool validate_dispatch_count(struct WGPUComputePassEncoderImpl *pass, const uint32_t workgroups[3],
    struct validate_error *error);
bool validate_indirect(struct WGPUComputePassEncoderImpl *pass, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, struct validate_error *error);
