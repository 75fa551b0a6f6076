// SPDX-License-Identifier: MIT
//
// Executes command streams on the queue thread: byte movers directly, dispatches and draws over the
// pool.
#include "backend/cpu/execute_priv.h"

#include "backend/cpu/resolve.h"
#include "backend/host_buffer.h"
#include "backend/host_query_set.h"
#include "backend/host_texture.h"

void cpu_lose(struct cpu_device *device, const char *reason) {
    queue_thread_lose(device->queue, text_from_string(reason));
}

static void execute_commands(struct cpu_pass *pass, const struct command_stream *stream);

static void execute_command(struct cpu_pass *pass, const struct command_header *header) {
    switch ((enum command_kind)header->kind) {
    case COMMAND_COPY_BUFFER_TO_BUFFER:
    case COMMAND_CLEAR_BUFFER:
    case COMMAND_WRITE_BUFFER:
        host_buffer_execute(header);
        break;
    case COMMAND_COPY_BUFFER_TO_TEXTURE:
    case COMMAND_COPY_TEXTURE_TO_BUFFER:
    case COMMAND_COPY_TEXTURE_TO_TEXTURE:
    case COMMAND_WRITE_TEXTURE:
        host_texture_execute(header);
        break;
    case COMMAND_WRITE_TIMESTAMP:
    case COMMAND_RESOLVE_QUERY_SET:
        host_query_set_execute(header);
        break;
    case COMMAND_SET_BIND_GROUP:
        cpu_set_bind_group(pass, (const struct command_set_bind_group *)header);
        break;
    case COMMAND_SET_IMMEDIATES:
        cpu_set_immediates(pass, (const struct command_set_immediates *)header);
        break;
    case COMMAND_BEGIN_COMPUTE_PASS:
        cpu_begin_compute_pass(pass);
        break;
    case COMMAND_SET_COMPUTE_PIPELINE:
        cpu_set_compute_pipeline(
            pass, ((const struct command_set_compute_pipeline *)header)->pipeline);
        break;
    case COMMAND_DISPATCH:
        cpu_dispatch(pass, ((const struct command_dispatch *)header)->workgroups);
        break;
    case COMMAND_DISPATCH_INDIRECT:
        cpu_dispatch_indirect(pass, (const struct command_dispatch_indirect *)header);
        break;
    case COMMAND_BEGIN_RENDER_PASS:
    case COMMAND_END_RENDER_PASS:
    case COMMAND_BEGIN_OCCLUSION_QUERY:
    case COMMAND_END_OCCLUSION_QUERY:
    case COMMAND_SET_RENDER_PIPELINE:
    case COMMAND_SET_VERTEX_BUFFER:
    case COMMAND_SET_INDEX_BUFFER:
    case COMMAND_SET_VIEWPORT:
    case COMMAND_SET_SCISSOR_RECT:
    case COMMAND_SET_BLEND_CONSTANT:
    case COMMAND_SET_STENCIL_REFERENCE:
    case COMMAND_DRAW:
    case COMMAND_DRAW_INDEXED:
    case COMMAND_DRAW_INDIRECT:
    case COMMAND_DRAW_INDEXED_INDIRECT:
        cpu_render_execute(pass, header);
        break;
    case COMMAND_EXECUTE_BUNDLE:
        cpu_render_reset(pass);
        // Which holds no bundles.
        execute_commands(pass, ((const struct command_execute_bundle *)header)->stream);
        cpu_render_reset(pass);
        break;
    case COMMAND_END_COMPUTE_PASS:
    case COMMAND_PUSH_DEBUG_GROUP:
    case COMMAND_POP_DEBUG_GROUP:
    case COMMAND_INSERT_DEBUG_MARKER:
    case COMMAND_KIND_COUNT:
        break;
    }
}

static void execute_commands(struct cpu_pass *pass, const struct command_stream *stream) {
    const atomic_uint *cancel = queue_thread_cancel_flag(pass->device->queue);
    struct command_cursor cursor = {0};
    const struct command_header *header = NULL;
    while ((header = command_stream_next(stream, &cursor)) != NULL && atomic_load(cancel) == 0) {
        execute_command(pass, header);
    }
}

void cpu_execute(void *user, const struct command_stream *stream) {
    struct cpu_pass pass = {.device = user};
    pass.render.host = (struct host_render_pass){.resolve = cpu_resolve, .resolve_user = user};
    execute_commands(&pass, stream);
}
