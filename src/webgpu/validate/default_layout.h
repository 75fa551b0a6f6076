// SPDX-License-Identifier: MIT
//
// WebGPU §"Default pipeline layout": the bind group layouts that the stages of a pipeline ask for,
// merged. Pure.
#pragma once

#include "shader/ir/reflect.h"
#include "webgpu/object/bind_group_layout.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

#define VALIDATE_STAGE_CAPACITY 2

// One entry, with a variable that asks for it.
struct validate_default_binding {
    uint32_t group;
    struct gpu_binding_layout entry;
    const struct reflect_binding *variable;
    enum shader_stage stage;
};

// Writes the merged entries, sorted by group, then binding, to out_bindings, which has room for the
// bindings of all stages, and their number to out_count. Group indices are below maxBindGroups.
// Limits on all groups together are validate_layout_slots' to check.
bool validate_default_layout(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *const *stages, uint32_t stage_count, const char *name,
    struct validate_default_binding *out_bindings, uint32_t *out_count,
    struct validate_error *error);
