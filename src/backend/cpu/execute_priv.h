// SPDX-License-Identifier: MIT
//
// What the executor's files share: the state that commands set and draws and dispatches use, by
// family of commands. All of it belongs to the queue thread.
//
//   execute.c           a stream, command by command
//   execute_bind.c      bind groups and immediate data -> what generated code is given
//   execute_dispatch.c  compute pipelines, dispatches
//   draw.c              render passes, render pipelines, draws
#pragma once

#include "backend/cpu/cpu_priv.h"
#include "backend/cpu/raster.h"
#include "backend/host_render_pass.h"

struct cpu_bound_group {
    const struct backend_bind_group *group; // NULL: none
    const uint32_t *dynamic_offsets;        // in the stream
};

// What render passes, and bundles in them, have set.
struct cpu_render_state {
    struct host_render_pass host;
    struct raster_pass pass;
    _Atomic uint64_t passed_samples; // of the occlusion query in progress
    struct backend_render_pipeline *pipeline;
    struct raster_draw draw; // fixed-function state and vertex buffers; the rest is of each draw
    struct raster_vertex_buffer index_buffer;
    uint32_t index_format; // WGPUIndexFormat
};

// What a pass has set.
struct cpu_pass {
    struct cpu_device *device;
    struct cpu_bound_group groups[CPU_BIND_GROUP_COUNT];
    bool has_changed; // the pipeline's buffers must be filled anew
    _Alignas(16) uint8_t immediates[CPU_IMMEDIATE_BYTES];
    struct backend_compute_pipeline *compute_pipeline;
    struct cpu_render_state render;
};

// The device cannot go on.
void cpu_lose(struct cpu_device *device, const char *reason);

// ---------------------------------------------------------------- execute_bind.c

// Unsets bind groups and immediate data.
void cpu_bind_reset(struct cpu_pass *pass);
void cpu_set_bind_group(struct cpu_pass *pass, const struct command_set_bind_group *command);
void cpu_set_immediates(struct cpu_pass *pass, const struct command_set_immediates *command);
// Fills out_buffers, one for each slot; false: a bind group is missing and the device is lost.
bool cpu_bind_fill(struct cpu_pass *pass, const struct cpu_pipeline_slot *slots,
    uint32_t slot_count, struct jit_buffer *out_buffers);

// ---------------------------------------------------------------- execute_dispatch.c

void cpu_begin_compute_pass(struct cpu_pass *pass);
void cpu_set_compute_pipeline(struct cpu_pass *pass, struct backend_compute_pipeline *pipeline);
void cpu_dispatch(struct cpu_pass *pass, const uint32_t workgroups[3]);
void cpu_dispatch_indirect(struct cpu_pass *pass, const struct command_dispatch_indirect *command);

// ---------------------------------------------------------------- draw.c

// Executes what belongs to render passes, but for bundles; false for every other kind.
bool cpu_render_execute(struct cpu_pass *pass, const struct command_header *header);
// Unsets what bundles unset: pipeline, bind groups, immediate data, vertex and index buffers.
void cpu_render_reset(struct cpu_pass *pass);
