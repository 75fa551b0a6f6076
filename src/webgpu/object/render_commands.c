// SPDX-License-Identifier: MIT
//
// The common part of render passes and bundle encoders.
#include "webgpu/object/render_commands.h"

#include <string.h>

void gpu_render_commands_reset(struct gpu_render_commands *commands) {
    gpu_pass_reset(&commands->pass);
    commands->are_buffers_checked = false;
    commands->pipeline = NULL;
    commands->index_buffer = NULL;
    memset(commands->vertex_buffers, 0, sizeof(commands->vertex_buffers));
}

void gpu_render_commands_finish(struct gpu_render_commands *commands) {
    gpu_usage_scope_finish(&commands->scope);
    gpu_pass_finish(&commands->pass);
}
