// SPDX-License-Identifier: MIT
//
// What the dispatches of a pass use, and how: WebGPU "usage scope". One list for each dispatch,
// made from the bind groups that the pipeline's layout names and from the indirect buffer. One
// thread at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "webgpu/object/command_encoder.h"

// WebGPU "internal usage".
enum usage_kind { USAGE_INPUT, USAGE_CONSTANT, USAGE_STORAGE, USAGE_STORAGE_READ };

struct usage {
    const struct WGPUBufferImpl *buffer;
    enum usage_kind kind;
    uint32_t group; // of a binding; UINT32_MAX for the indirect buffer
    uint32_t binding;
    uint32_t visibility;   // WGPUShaderStage bits
    uint64_t offset_bytes; // dynamic offset included
    uint64_t size_bytes;
};

struct texture_usage {
    const struct WGPUTextureViewImpl *view;
    enum usage_kind kind; // CONSTANT: sampled
    uint32_t group;
    uint32_t binding;
    uint32_t visibility; // WGPUShaderStage bits
};

struct usage_scope {
    VECTOR(struct usage) usages;
    VECTOR(struct texture_usage) texture_usages;
};

void usage_scope_finish(struct usage_scope *scope);
// Fills the scope for a dispatch in the pass's present state, whose bind groups fit its pipeline.
// indirect may be NULL. False when out of memory.
bool usage_scope_collect(struct usage_scope *scope, const struct WGPUComputePassEncoderImpl *pass,
    const struct WGPUBufferImpl *indirect);
// True when two uses of one buffer in one scope are compatible.
bool usage_kinds_are_compatible(enum usage_kind a, enum usage_kind b);
