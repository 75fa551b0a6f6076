// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Render Pipeline Creation" and its states. The functions for states write their
// part, with all defaults resolved, to `out`, which begins zeroed; those for shaders come after.
#pragma once

#include "shader/ir/reflect.h"
#include "webgpu/object/device.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/validate/rule.h"

// Vertex buffers and attributes (validate/vertex_state.c).
bool validate_vertex_state(const struct WGPUDeviceImpl *device, const WGPUVertexState *vertex,
    const char *name, struct backend_render_pipeline_state *out, struct validate_error *error);
// The entry point's inputs against them. `vertex` only says which attribute is which.
bool validate_vertex_inputs(const struct WGPUDeviceImpl *device, const WGPUVertexState *vertex,
    const struct reflect_entry_point *entry_point, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error);

bool validate_primitive_state(const struct WGPUDeviceImpl *device,
    const WGPUPrimitiveState *primitive, const char *name,
    struct backend_render_pipeline_state *out, struct validate_error *error);
// depth_stencil may be NULL. After validate_primitive_state.
bool validate_depth_stencil_state(const struct WGPUDeviceImpl *device,
    const WGPUDepthStencilState *depth_stencil, const char *name,
    struct backend_render_pipeline_state *out, struct validate_error *error);
// The color targets (validate/color_target.c); fragment may be NULL.
bool validate_color_targets(const struct WGPUDeviceImpl *device, const WGPUFragmentState *fragment,
    const char *name, struct backend_render_pipeline_state *out, struct validate_error *error);
// After validate_color_targets and validate_depth_stencil_state.
bool validate_multisample_state(const struct WGPUDeviceImpl *device,
    const WGPUMultisampleState *multisample, const char *name,
    struct backend_render_pipeline_state *out, struct validate_error *error);

// The fragment entry point's outputs against the targets and the other states (fragment_output.c).
bool validate_fragment_outputs(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *entry_point, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error);
// What passes between the stages (inter_stage.c); fragment may be NULL.
bool validate_inter_stage(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *vertex, const struct reflect_entry_point *fragment,
    const char *name, const struct backend_render_pipeline_state *state,
    struct validate_error *error);
// maxBindGroupsPlusVertexBuffers.
bool validate_render_slots(const struct WGPUDeviceImpl *device,
    const struct WGPUPipelineLayoutImpl *layout, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error);

// ---------------------------------------------------------------- between these files

// A value of an enumeration from 1 to `last`, 0 meaning the fallback.
bool validate_render_enum(uint32_t given, uint32_t fallback, uint32_t last, const char *what,
    const char *name, uint32_t *out_value, struct validate_error *error);
// A format that exists on the device, the user being named by `what`.
bool validate_render_format(const struct WGPUDeviceImpl *device, uint32_t format, const char *what,
    const char *name, struct validate_error *error);
// A shader's name, cut to fit a message.
struct rule_words validate_cut_name(struct text name);
// "vec3<f32>".
struct rule_words validate_describe_io_type(const struct reflect_io *io);
