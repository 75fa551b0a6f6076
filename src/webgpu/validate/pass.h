// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Programmable Passes", for compute passes, render passes and bundle encoders.
#pragma once

#include "webgpu/object/device.h"
#include "webgpu/object/pass.h"
#include "webgpu/object/pipeline_interface.h"
#include "webgpu/validate/rule.h"

bool validate_set_bind_group(struct gpu_pass *pass, uint32_t index, struct WGPUBindGroupImpl *group,
    size_t offset_count, const uint32_t *offsets, struct validate_error *error);
bool validate_set_immediates(
    struct gpu_pass *pass, uint32_t offset_bytes, size_t size_bytes, struct validate_error *error);

// ---- before a dispatch or draw. verb: "dispatch" or "draw"

// The pass's bind groups and immediate data fit its pipeline, an object of that interface.
bool validate_bound_state(struct gpu_pass *pass, struct gpu_object *pipeline,
    const struct gpu_pipeline_interface *interface, const char *verb, struct validate_error *error);
// pass->uses have no two bindings of which one may write what the other sees. May reorder them.
bool validate_draw_uses(struct gpu_pass *pass, struct validate_error *error);
// The same for a dispatch, whose uses must not exclude each other either.
bool validate_dispatch_uses(struct gpu_pass *pass, struct validate_error *error);
// The scope of a render pass or bundle has no two uses that exclude each other.
bool validate_usage_scope(
    struct gpu_pass *pass, const struct gpu_usage_scope *scope, struct validate_error *error);

// ---- shared by indirect dispatches and draws

bool validate_indirect(struct gpu_pass *pass, struct WGPUBufferImpl *buffer, uint64_t offset_bytes,
    uint32_t size_bytes, struct validate_error *error);
