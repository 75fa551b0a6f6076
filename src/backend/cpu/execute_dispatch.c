// SPDX-License-Identifier: MIT
//
// Dispatches, over the pool.
//
// How a dispatch is spread. Waking a thread costs more than many a dispatch, so the time that one
// workgroup takes is measured for each pipeline; a dispatch that is expected to be over soon runs
// on the queue thread alone, and a longer one wakes only as many workers as have something to do.
#include "backend/cpu/execute_priv.h"

#include <string.h>

#include "backend/cpu/image.h"
#include "backend/host_buffer.h"
#include "base/os_clock.h"

// Up to here a dispatch runs alone; also each woken worker should get this much.
#define ALONE_NS 25000.0
// A chunk of workgroups should take at least this long.
#define CHUNK_NS 2000.0
// A dispatch of unknown cost with at most so many invocations runs alone.
#define ALONE_INVOCATIONS 256u

void cpu_begin_compute_pass(struct cpu_pass *pass) {
    pass->compute_pipeline = NULL;
    cpu_bind_reset(pass);
}

void cpu_set_compute_pipeline(struct cpu_pass *pass, struct backend_compute_pipeline *pipeline) {
    if (pipeline == pass->compute_pipeline) {
        return;
    }
    pass->compute_pipeline = pipeline;
    pass->has_changed = true;
    if (pass->device->watchdog != NULL) {
        cpu_watchdog_set_label(pass->device->watchdog, "workgroup of compute pipeline",
            text_from_string(pipeline->label));
    }
}

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
    run->function(&run->dispatch, first, end, cpu_scratch_get(device, worker),
        cpu_pool_progress(device->pool, worker));
    if (worker == 0) {
        run->own_ns += os_clock_monotonic_ns() - start_ns;
        run->own_count += end - first;
    }
}

// How many workers a dispatch of `count` workgroups is worth.
static uint32_t choose_worker_count(const struct cpu_device *device,
    const struct backend_compute_pipeline *pipeline, uint64_t count) {
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

static void run_workgroups(struct cpu_pass *pass, struct run *run, uint64_t count) {
    struct cpu_device *device = pass->device;
    struct backend_compute_pipeline *pipeline = pass->compute_pipeline;
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
            .minimum_chunk = chunk < 1 ? 1
                : chunk < 1e6          ? (uint64_t)chunk
                                       : 1000000,
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

void cpu_dispatch(struct cpu_pass *pass, const uint32_t workgroups[3]) {
    struct cpu_device *device = pass->device;
    struct backend_compute_pipeline *pipeline = pass->compute_pipeline;
    uint64_t count = (uint64_t)workgroups[0] * workgroups[1] * workgroups[2];
    if (count == 0) {
        return;
    }
    if (pipeline == NULL) {
        cpu_lose(device, "a dispatch reached the CPU adapter without a pipeline");
        return;
    }
    if (pass->has_changed) {
        if (!cpu_bind_fill(pass, pipeline->slots, pipeline->slot_count, pipeline->buffers)) {
            return;
        }
        pass->has_changed = false;
    }
    if (!cpu_scratch_reserve(device, pipeline->kernel->scratch_bytes + 64)) {
        cpu_lose(device, "out of memory: no room for workgroup and private memory of a dispatch");
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
                .texture = cpu_image_call,
            },
    };
    if (device->guard != NULL) {
        run.dispatch.buffers = cpu_guard_enter(
            device->guard, pipeline->buffers, pipeline->slot_count);
        if (run.dispatch.buffers == NULL && pipeline->slot_count != 0) {
            cpu_lose(device, "out of memory: no room for guarded copies of a dispatch's bindings");
            return;
        }
    }
    run_workgroups(pass, &run, count);
    if (device->guard != NULL) {
        cpu_guard_leave(
            device->guard, pipeline->buffers, pipeline->is_writable, pipeline->slot_count);
    }
}

void cpu_dispatch_indirect(struct cpu_pass *pass, const struct command_dispatch_indirect *command) {
    uint32_t workgroups[3];
    memcpy(workgroups, command->buffer->data + command->offset_bytes, sizeof(workgroups));
    for (int i = 0; i < 3; i++) {
        if (workgroups[i] > command->limit) {
            return;
        }
    }
    cpu_dispatch(pass, workgroups);
}
