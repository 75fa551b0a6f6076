// SPDX-License-Identifier: MIT
//
// Executes command streams on the queue thread: byte movers directly, dispatches over the pool.
//
// How a dispatch is spread. Waking a thread costs more than many a dispatch, so the time that one
// workgroup takes is measured for each pipeline; a dispatch that is expected to be over soon runs
// on the queue thread alone, and a longer one wakes only as many workers as have something to do.
#include "backend/cpu/cpu_priv.h"

#include <string.h>

#include "backend/host_buffer.h"
#include "backend/host_query_set.h"
#include "backend/host_render_pass.h"
#include "backend/host_texture.h"
#include "base/memory.h"
#include "base/os_clock.h"

// Up to here a dispatch runs alone; also each woken worker should get this much.
#define ALONE_NS 25000.0
// A chunk of workgroups should take at least this long.
#define CHUNK_NS 2000.0
// A dispatch of unknown cost with at most so many invocations runs alone.
#define ALONE_INVOCATIONS 256u

struct bound_group {
    const struct backend_bind_group *group; // NULL: none
    const uint32_t *dynamic_offsets;        // in the stream
};

// What a pass has set.
struct pass {
    struct cpu_device *device;
    struct backend_compute_pipeline *pipeline;
    struct bound_group groups[CPU_BIND_GROUP_COUNT];
    bool has_changed; // pipeline->buffers must be filled anew
    struct host_render_pass render_pass;
    _Alignas(16) uint8_t immediates[CPU_IMMEDIATE_BYTES];
};

static void lose(struct cpu_device *device, const char *reason) {
    queue_thread_lose(device->queue, text_from_string(reason));
}

// ---------------------------------------------------------------- binding

static const struct cpu_binding *find_binding(const struct backend_bind_group *group,
                                              uint32_t binding, uint32_t hint) {
    if (hint < group->binding_count && group->bindings[hint].binding == binding) {
        return &group->bindings[hint];
    }
    uint32_t low = 0;
    uint32_t high = group->binding_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (group->bindings[middle].binding < binding) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found = low < group->binding_count && group->bindings[low].binding == binding;
    return is_found ? &group->bindings[low] : NULL;
}

static bool fill_buffers(struct pass *pass) {
    struct backend_compute_pipeline *pipeline = pass->pipeline;
    uint32_t hint = 0;
    for (uint32_t i = 0; i < pipeline->slot_count; i++) {
        const struct cpu_pipeline_slot *slot = &pipeline->slots[i];
        hint = i != 0 && slot->group == slot[-1].group ? hint + 1 : 0;
        const struct bound_group *bound = &pass->groups[slot->group];
        const struct cpu_binding *binding =
            bound->group == NULL ? NULL : find_binding(bound->group, slot->binding, hint);
        if (binding == NULL) {
            lose(pass->device, "a dispatch reached the CPU adapter without a bind group it needs");
            return false;
        }
        uint64_t offset_bytes = binding->dynamic_index == CPU_NO_DYNAMIC_OFFSET
                                    ? 0
                                    : bound->dynamic_offsets[binding->dynamic_index];
        pipeline->buffers[i] =
            (struct jit_buffer){binding->data + offset_bytes, binding->size_bytes};
    }
    pass->has_changed = false;
    return true;
}

bool cpu_scratch_reserve(struct cpu_device *device, uint64_t size_bytes) {
    if (size_bytes <= device->scratch_stride_bytes) {
        return true;
    }
    memory_pages_free(MEMORY_JIT, device->scratch,
                      (size_t)device->scratch_stride_bytes * device->base.thread_count);
    device->scratch = NULL;
    device->scratch_stride_bytes = 0;
    // A page more, so that the workers' scratches do not start in the same cache sets.
    uint64_t stride = (size_bytes + 4095) / 4096 * 4096 + 4096 + 64;
    if (size_bytes > (uint64_t)1 << 40) {
        return false;
    }
    device->scratch = memory_pages_allocate(MEMORY_JIT, (size_t)stride * device->base.thread_count);
    if (device->scratch == NULL) {
        return false;
    }
    device->scratch_stride_bytes = stride;
    return true;
}

// ---------------------------------------------------------------- dispatching

struct run {
    struct cpu_device *device;
    jit_function function;
    struct jit_dispatch dispatch;
    // What the queue thread did itself, to learn the cost of a workgroup.
    uint64_t own_count;
    uint64_t own_ns;
};

static void run_chunk(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    struct run *run = user;
    struct cpu_device *device = run->device;
    uint64_t start_ns = worker == 0 ? os_clock_monotonic_ns() : 0;
    run->function(&run->dispatch, first, end,
                  cpu_scratch_get(device, worker),
                  cpu_pool_progress(device->pool, worker));
    if (worker == 0) {
        run->own_ns += os_clock_monotonic_ns() - start_ns;
        run->own_count += end - first;
    }
}

// How many workers a dispatch of `count` workgroups is worth.
static uint32_t choose_worker_count(const struct cpu_device *device,
                                    const struct backend_compute_pipeline *pipeline,
                                    uint64_t count) {
    uint64_t workers = device->base.thread_count;
    if (workers > count) {
        workers = count;
    }
    if (pipeline->ns_per_workgroup > 0) {
        double expected_ns = pipeline->ns_per_workgroup * (double)count;
        double useful = expected_ns / ALONE_NS + 1;
        return useful < (double)workers ? (uint32_t)useful : (uint32_t)workers;
    }
    return count * pipeline->invocation_count <= ALONE_INVOCATIONS ? 1 : (uint32_t)workers;
}

static void learn(struct backend_compute_pipeline *pipeline, const struct run *run) {
    if (run->own_count == 0) {
        return;
    }
    double measured = (double)run->own_ns / (double)run->own_count;
    double known = pipeline->ns_per_workgroup;
    // Up at once, so that a run that became long is spread the next time; down by degrees.
    pipeline->ns_per_workgroup = measured > known ? measured : known + (measured - known) / 4;
}

static void run_workgroups(struct pass *pass, struct run *run, uint64_t count) {
    struct cpu_device *device = pass->device;
    struct backend_compute_pipeline *pipeline = pass->pipeline;
    uint32_t worker_count = choose_worker_count(device, pipeline, count);
    if (device->watchdog != NULL) {
        cpu_watchdog_begin(device->watchdog);
    }
    if (worker_count <= 1) {
        run_chunk(run, 0, 0, count);
    } else {
        double chunk = pipeline->ns_per_workgroup > 0 ? CHUNK_NS / pipeline->ns_per_workgroup : 1;
        struct cpu_job job = {
            .run = run_chunk,
            .user = run,
            .count = count,
            .minimum_chunk = chunk < 1 ? 1 : chunk < 1e6 ? (uint64_t)chunk : 1000000,
            .worker_count = worker_count,
            .cancel = run->dispatch.cancel,
        };
        cpu_pool_run(device->pool, &job);
    }
    if (device->watchdog != NULL) {
        cpu_watchdog_end(device->watchdog);
    }
    learn(pipeline, run);
}

static void dispatch(struct pass *pass, const uint32_t workgroups[3]) {
    struct cpu_device *device = pass->device;
    struct backend_compute_pipeline *pipeline = pass->pipeline;
    uint64_t count = (uint64_t)workgroups[0] * workgroups[1] * workgroups[2];
    if (count == 0) {
        return;
    }
    if (pipeline == NULL) {
        lose(device, "a dispatch reached the CPU adapter without a pipeline");
        return;
    }
    if (pass->has_changed && !fill_buffers(pass)) {
        return;
    }
    if (!cpu_scratch_reserve(device, pipeline->kernel->scratch_bytes + 64)) {
        lose(device, "out of memory: no room for workgroup and private memory of a dispatch");
        return;
    }
    struct run run = {
        .device = device,
        .function = pipeline->kernel->function,
        .dispatch =
            {
                .buffers = pipeline->buffers,
                .immediates = pass->immediates,
                .num_workgroups = {workgroups[0], workgroups[1], workgroups[2]},
                .cancel = queue_thread_cancel_flag(device->queue),
            },
    };
    if (device->guard != NULL) {
        run.dispatch.buffers =
            cpu_guard_enter(device->guard, pipeline->buffers, pipeline->slot_count);
        if (run.dispatch.buffers == NULL && pipeline->slot_count != 0) {
            lose(device, "out of memory: no room for guarded copies of a dispatch's bindings");
            return;
        }
    }
    run_workgroups(pass, &run, count);
    if (device->guard != NULL) {
        cpu_guard_leave(device->guard, pipeline->buffers, pipeline->is_writable,
                        pipeline->slot_count);
    }
}

static void dispatch_indirect(struct pass *pass, const struct command_dispatch_indirect *command) {
    uint32_t workgroups[3];
    memcpy(workgroups, command->buffer->data + command->offset_bytes, sizeof(workgroups));
    for (int i = 0; i < 3; i++) {
        if (workgroups[i] > command->limit) {
            return;
        }
    }
    dispatch(pass, workgroups);
}

// ---------------------------------------------------------------- commands

static void begin_pass(struct pass *pass) {
    pass->pipeline = NULL;
    memset(pass->groups, 0, sizeof(pass->groups));
    memset(pass->immediates, 0, sizeof(pass->immediates));
    pass->has_changed = true;
}

static void set_pipeline(struct pass *pass, struct backend_compute_pipeline *pipeline) {
    if (pipeline == pass->pipeline) {
        return;
    }
    pass->pipeline = pipeline;
    pass->has_changed = true;
    if (pass->device->watchdog != NULL) {
        cpu_watchdog_set_label(pass->device->watchdog, text_from_string(pipeline->label));
    }
}

static void set_bind_group(struct pass *pass, const struct command_set_bind_group *command) {
    pass->groups[command->index] =
        (struct bound_group){command->group, (const uint32_t *)(const void *)(command + 1)};
    pass->has_changed = true;
}

static void execute_command(struct pass *pass, const struct command_header *header) {
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
    case COMMAND_BEGIN_COMPUTE_PASS:
        begin_pass(pass);
        break;
    case COMMAND_SET_COMPUTE_PIPELINE:
        set_pipeline(pass, ((const struct command_set_compute_pipeline *)header)->pipeline);
        break;
    case COMMAND_SET_BIND_GROUP:
        set_bind_group(pass, (const struct command_set_bind_group *)header);
        break;
    case COMMAND_SET_IMMEDIATES: {
        const struct command_set_immediates *set = (const struct command_set_immediates *)header;
        memcpy(pass->immediates + set->offset_bytes, set + 1, set->size_bytes);
        break;
    }
    case COMMAND_DISPATCH:
        dispatch(pass, ((const struct command_dispatch *)header)->workgroups);
        break;
    case COMMAND_DISPATCH_INDIRECT:
        dispatch_indirect(pass, (const struct command_dispatch_indirect *)header);
        break;
    case COMMAND_WRITE_TIMESTAMP:
    case COMMAND_RESOLVE_QUERY_SET:
        host_query_set_execute(header);
        break;
    case COMMAND_BEGIN_RENDER_PASS:
    case COMMAND_END_RENDER_PASS:
    case COMMAND_BEGIN_OCCLUSION_QUERY:
    case COMMAND_END_OCCLUSION_QUERY:
        host_render_pass_execute(&pass->render_pass, header);
        break;
    case COMMAND_DRAW:
    case COMMAND_DRAW_INDEXED:
    case COMMAND_DRAW_INDIRECT:
    case COMMAND_DRAW_INDEXED_INDIRECT:
        lose(pass->device, "not implemented yet: draws on the CPU adapter");
        break;
    // What only draws need.
    case COMMAND_SET_RENDER_PIPELINE:
    case COMMAND_SET_VERTEX_BUFFER:
    case COMMAND_SET_INDEX_BUFFER:
    case COMMAND_SET_VIEWPORT:
    case COMMAND_SET_SCISSOR_RECT:
    case COMMAND_SET_BLEND_CONSTANT:
    case COMMAND_SET_STENCIL_REFERENCE:
    case COMMAND_EXECUTE_BUNDLE:
        break;
    case COMMAND_END_COMPUTE_PASS:
    case COMMAND_PUSH_DEBUG_GROUP:
    case COMMAND_POP_DEBUG_GROUP:
    case COMMAND_INSERT_DEBUG_MARKER:
    case COMMAND_KIND_COUNT:
        break;
    }
}

void cpu_execute(void *user, const struct command_stream *stream) {
    struct pass pass = {.device = user};
    const atomic_uint *cancel = queue_thread_cancel_flag(pass.device->queue);
    struct command_cursor cursor = {0};
    const struct command_header *header = NULL;
    while ((header = command_stream_next(stream, &cursor)) != NULL && atomic_load(cancel) == 0) {
        execute_command(&pass, header);
    }
}
