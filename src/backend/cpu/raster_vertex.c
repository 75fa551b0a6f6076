// SPDX-License-Identifier: MIT
//
// A draw to primitives: groups over the pool, round by round, in the order of the draw. Queue thread;
// groups are run by workers.
//
// A round has two jobs. The first takes each group from vertex numbers to surviving primitives; the
// second writes the primitives to where they belong in one array, now that all counts are known. When
// the array is full, and at the end, it is handed on.
// Nothing depends on the number of workers: neither what is computed nor its order.
#include "backend/cpu/raster_geometry.h"

#include <webgpu/webgpu.h>

#include "base/memory.h"

// Primitives that are handed on at a time, at most.
#define HAND_ON_PRIMITIVES 16384u
// What one item of the second job writes.
#define SETUP_PRIMITIVES 256u
// Fewer positions than this are not worth a group of their own.
#define LEAST_GROUP_SLOTS 768u

// What a worker needs beside the group.
struct vertex_worker {
    struct raster_numbers numbers;
    uint32_t *inputs; // rows of RASTER_INPUT_BATCHES batches
    size_t inputs_bytes;
};

struct raster_primitive_memory {
    struct raster_geometry geometry;
    struct raster_group *groups[RASTER_ROUND_GROUPS]; // made when first needed
    struct vertex_worker **workers;                   // likewise
    uint32_t worker_count;
    uint8_t *primitives; // room for HAND_ON_PRIMITIVES
    size_t primitives_bytes;
    uint32_t primitive_count; // waiting to be handed on
};

// ---------------------------------------------------------------- memory

static void destroy_group(struct raster_group *group) {
    if (group != NULL) {
        memory_free(group->vertices);
        memory_free(group->clip_vertices);
        memory_free(group->survivors);
        memory_pages_free(MEMORY_GENERAL, group->outputs, group->outputs_bytes);
        memory_free(group);
    }
}

void raster_primitive_memory_destroy(struct raster_primitive_memory *memory) {
    if (memory == NULL) {
        return;
    }
    for (uint32_t i = 0; i < RASTER_ROUND_GROUPS; i++) {
        destroy_group(memory->groups[i]);
    }
    for (uint32_t i = 0; i < memory->worker_count; i++) {
        if (memory->workers[i] != NULL) {
            memory_pages_free(
                MEMORY_GENERAL, memory->workers[i]->inputs, memory->workers[i]->inputs_bytes);
            memory_pages_free(MEMORY_GENERAL, memory->workers[i], sizeof(*memory->workers[i]));
        }
    }
    memory_free(memory->workers);
    memory_pages_free(MEMORY_GENERAL, memory->primitives, memory->primitives_bytes);
    memory_free(memory);
}

static struct raster_primitive_memory *get_memory(struct raster *raster) {
    if (raster->primitive_memory != NULL) {
        return raster->primitive_memory;
    }
    struct raster_primitive_memory *memory = memory_allocate_zeroed(
        MEMORY_GENERAL, 1, sizeof(*memory));
    if (memory == NULL) {
        return NULL;
    }
    memory->worker_count = raster->device->base.thread_count;
    memory->workers = memory_allocate_zeroed(
        MEMORY_GENERAL, memory->worker_count, sizeof(struct vertex_worker *));
    if (memory->workers == NULL) {
        memory_free(memory);
        return NULL;
    }
    raster->primitive_memory = memory;
    return memory;
}

// Pages of at least this size; what was there is lost.
static bool reserve_pages(void **block, size_t *bytes, size_t needed_bytes) {
    if (needed_bytes <= *bytes) {
        return true;
    }
    memory_pages_free(MEMORY_GENERAL, *block, *bytes);
    *bytes = 0;
    *block = memory_pages_allocate(MEMORY_GENERAL, needed_bytes);
    if (*block == NULL) {
        return false;
    }
    *bytes = needed_bytes;
    return true;
}

static bool reserve_words(uint32_t **block, size_t *bytes, size_t needed_bytes) {
    void *pages = *block;
    bool is_done = reserve_pages(&pages, bytes, needed_bytes);
    *block = pages;
    return is_done;
}

static size_t get_rows_bytes(uint32_t batches, uint32_t words) {
    // One row more: never empty.
    return ((size_t)batches * words + 1) * JIT_BATCH_LANES * sizeof(uint32_t);
}

static bool prepare_worker(struct raster_primitive_memory *memory, uint32_t number) {
    if (memory->workers[number] == NULL) {
        memory->workers[number] = memory_pages_allocate(
            MEMORY_GENERAL, sizeof(struct vertex_worker));
    }
    struct vertex_worker *worker = memory->workers[number];
    uint32_t words = memory->geometry.pipeline->vertex.kernel->input_words;
    return worker != NULL &&
        reserve_words(
            &worker->inputs, &worker->inputs_bytes, get_rows_bytes(RASTER_INPUT_BATCHES, words));
}

static bool prepare_group(struct raster_primitive_memory *memory, uint32_t number) {
    if (memory->groups[number] == NULL) {
        // Not pages: it holds addresses, and leak checkers look for those in the heap.
        memory->groups[number] = memory_allocate_zeroed(
            MEMORY_GENERAL, 1, sizeof(struct raster_group));
    }
    struct raster_group *group = memory->groups[number];
    if (group == NULL) {
        return false;
    }
    if (group->vertices == NULL) {
        group->vertices = memory_allocate(
            MEMORY_GENERAL, RASTER_GROUP_SLOTS * sizeof(struct raster_vertex));
        group->vertex_capacity = group->vertices != NULL ? RASTER_GROUP_SLOTS : 0;
    }
    return group->vertices != NULL &&
        reserve_words(&group->outputs, &group->outputs_bytes,
            get_rows_bytes(RASTER_GROUP_BATCHES, memory->geometry.output_words));
}

// ---------------------------------------------------------------- the first job: groups

struct group_job {
    struct raster_primitive_memory *memory;
    struct cpu_device *device;
};

// Runs the kernel for the batches of a group, and takes their vertices to screen space.
static void shade(struct group_job *job, uint32_t worker_number, struct raster_group *group) {
    const struct raster_geometry *geometry = &job->memory->geometry;
    struct vertex_worker *worker = job->memory->workers[worker_number];
    const struct jit_kernel *kernel = geometry->pipeline->vertex.kernel;
    size_t input_words = (size_t)kernel->input_words * JIT_BATCH_LANES;
    size_t output_words = (size_t)kernel->output_words * JIT_BATCH_LANES;
    struct jit_batch batches[RASTER_INPUT_BATCHES];
    struct jit_dispatch dispatch = *geometry->draw->vertex_dispatch;
    dispatch.batches = batches;
    uint32_t batch_count = (group->slot_count + JIT_BATCH_LANES - 1) / JIT_BATCH_LANES;
    for (uint32_t first = 0; first < batch_count; first += RASTER_INPUT_BATCHES) {
        uint32_t count = batch_count - first;
        count = count < RASTER_INPUT_BATCHES ? count : RASTER_INPUT_BATCHES;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t slot = (first + i) * JIT_BATCH_LANES;
            uint32_t lanes = group->slot_count - slot;
            lanes = lanes < JIT_BATCH_LANES ? lanes : JIT_BATCH_LANES;
            uint32_t *inputs = worker->inputs + i * input_words;
            raster_fetch_batch(&geometry->fetch, worker->numbers.vertices + slot,
                worker->numbers.instances + slot, (lanes + 3) / 4 * 4, inputs);
            batches[i] = (struct jit_batch){
                .inputs = inputs,
                .outputs = group->outputs + (first + i) * output_words,
                .live = UINT64_MAX,
                .lane_count = lanes,
            };
        }
        kernel->function(&dispatch, 0, count, cpu_scratch_get(job->device, worker_number),
            cpu_pool_progress(job->device->pool, worker_number));
        for (uint32_t i = 0; i < count; i++) {
            raster_transform_batch(geometry, group, first + i);
        }
    }
}

static void run_groups(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    struct group_job *job = user;
    const struct raster_geometry *geometry = &job->memory->geometry;
    for (uint64_t i = first; i < end; i++) {
        struct raster_group *group = job->memory->groups[i];
        raster_group_number(geometry, group, &job->memory->workers[worker]->numbers);
        group->survivor_count = 0;
        if (group->primitive_count != 0) {
            shade(job, worker, group);
            group->is_out_of_memory = !raster_assemble(geometry, group);
        }
    }
}

// ---------------------------------------------------------------- the second job: primitives

struct setup_job {
    struct raster_primitive_memory *memory;
    uint64_t first; // of the round's survivors
    uint64_t end;
    uint8_t *place;                           // of the first
    uint64_t before[RASTER_ROUND_GROUPS + 1]; // survivors of the groups before
    uint32_t group_count;
};

static void run_setup(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    (void)worker;
    struct setup_job *job = user;
    const struct raster_geometry *geometry = &job->memory->geometry;
    uint64_t number = job->first + first * SETUP_PRIMITIVES;
    uint64_t last = job->first + end * SETUP_PRIMITIVES;
    last = last < job->end ? last : job->end;
    uint8_t *place = job->place + (size_t)(number - job->first) * geometry->primitive_bytes;
    for (uint32_t i = 0; i < job->group_count && number < last; i++) {
        const struct raster_group *group = job->memory->groups[i];
        while (number < job->before[i + 1] && number < last) {
            const struct raster_survivor *survivor = &group->survivors[number - job->before[i]];
            raster_setup(geometry, group, survivor, (struct raster_primitive *)(void *)place);
            place += geometry->primitive_bytes;
            number++;
        }
    }
}

static void run_job(struct raster *raster, const struct cpu_job *job) {
    if (job->worker_count <= 1 || job->count <= 1) {
        job->run(job->user, 0, 0, job->count);
    } else {
        cpu_pool_run(raster->device->pool, job);
    }
}

static uint32_t get_worker_count(const struct raster *raster, uint64_t items) {
    uint32_t workers = raster->device->base.thread_count;
    return items < workers ? (uint32_t)items : workers;
}

static bool is_cancelled(const struct raster_draw *draw) {
    return atomic_load_explicit(draw->vertex_dispatch->cancel, memory_order_relaxed) != 0;
}

// Hands on what is there.
static enum backend_status flush(struct raster *raster, const struct raster_draw *draw) {
    struct raster_primitive_memory *memory = raster->primitive_memory;
    uint32_t count = memory->primitive_count;
    memory->primitive_count = 0;
    return count == 0 || is_cancelled(draw)
        ? BACKEND_OK
        : raster->hand_on(raster, draw, memory->primitives, count);
}

// Sets a round's primitives up, and hands on as often as there are enough.
static enum backend_status set_up_round(
    struct raster *raster, const struct raster_draw *draw, uint32_t group_count) {
    struct raster_primitive_memory *memory = raster->primitive_memory;
    struct setup_job job = {.memory = memory, .group_count = group_count};
    for (uint32_t i = 0; i < group_count; i++) {
        job.before[i + 1] = job.before[i] + memory->groups[i]->survivor_count;
    }
    uint64_t total = job.before[group_count];
    for (; job.first < total && !is_cancelled(draw); job.first = job.end) {
        uint64_t count = total - job.first;
        uint64_t room = HAND_ON_PRIMITIVES - memory->primitive_count;
        count = count < room ? count : room;
        job.end = job.first + count;
        job.place = memory->primitives + memory->primitive_count * memory->geometry.primitive_bytes;
        uint64_t items = (count + SETUP_PRIMITIVES - 1) / SETUP_PRIMITIVES;
        run_job(raster,
            &(struct cpu_job){
                .run = run_setup,
                .user = &job,
                .count = items,
                .minimum_chunk = 1,
                .worker_count = get_worker_count(raster, items),
                .cancel = draw->vertex_dispatch->cancel,
            });
        memory->primitive_count += (uint32_t)count;
        if (memory->primitive_count == HAND_ON_PRIMITIVES) {
            enum backend_status status = flush(raster, draw);
            if (status != BACKEND_OK) {
                return status;
            }
        }
    }
    return BACKEND_OK;
}

// ---------------------------------------------------------------- rounds

// How many positions a group has: as many as it holds, or fewer so that each worker gets some.
static uint64_t choose_group_positions(
    const struct raster *raster, const struct raster_geometry *geometry) {
    uint64_t most = RASTER_GROUP_SLOTS / geometry->corner_count;
    uint64_t least = LEAST_GROUP_SLOTS / geometry->corner_count;
    uint32_t workers = raster->device->base.thread_count;
    uint64_t share = (geometry->position_count + workers - 1) / workers;
    uint64_t positions = share < least ? least : share;
    return positions < most ? positions : most;
}

// Few groups a round, so that the second job finds in caches what the first one wrote.
static uint32_t choose_round_groups(const struct raster *raster) {
    uint32_t workers = raster->device->base.thread_count;
    uint32_t groups = workers == 1 ? 1 : workers * 2;
    return groups < RASTER_ROUND_GROUPS ? groups : RASTER_ROUND_GROUPS;
}

static enum backend_status run_round(
    struct raster *raster, const struct raster_draw *draw, uint32_t group_count) {
    struct raster_primitive_memory *memory = raster->primitive_memory;
    struct cpu_device *device = raster->device;
    uint32_t worker_count = get_worker_count(raster, group_count);
    for (uint32_t i = 0; i < worker_count; i++) {
        if (!prepare_worker(memory, i)) {
            return BACKEND_OUT_OF_MEMORY;
        }
    }
    struct group_job job = {memory, device};
    if (device->watchdog != NULL) {
        cpu_watchdog_begin(device->watchdog);
    }
    run_job(raster,
        &(struct cpu_job){
            .run = run_groups,
            .user = &job,
            .count = group_count,
            .minimum_chunk = 1,
            .worker_count = worker_count,
            .cancel = draw->vertex_dispatch->cancel,
        });
    if (device->watchdog != NULL) {
        cpu_watchdog_end(device->watchdog);
    }
    if (is_cancelled(draw)) {
        return BACKEND_OK;
    }
    for (uint32_t i = 0; i < group_count; i++) {
        if (memory->groups[i]->is_out_of_memory) {
            return BACKEND_OUT_OF_MEMORY;
        }
    }
    return set_up_round(raster, draw, group_count);
}

// How far a draw has come.
struct draw_progress {
    uint64_t step; // positions of a group
    uint32_t round_groups;
    uint64_t position;
    // Of indexed strips, at that position.
    uint32_t strip_length;
    uint32_t primitive_index;
};

// Says which groups the next round has, and returns their number; 0: out of memory.
static uint32_t begin_round(
    struct raster_primitive_memory *memory, struct draw_progress *progress) {
    const struct raster_geometry *geometry = &memory->geometry;
    uint32_t count = 0;
    while (count < progress->round_groups && progress->position < geometry->position_count) {
        if (!prepare_group(memory, count)) {
            return 0;
        }
        struct raster_group *group = memory->groups[count++];
        uint64_t left = geometry->position_count - progress->position;
        group->first = progress->position;
        group->end = group->first + (left < progress->step ? left : progress->step);
        group->strip_length = progress->strip_length;
        group->primitive_index = progress->primitive_index;
        group->is_out_of_memory = false;
        if (geometry->has_restart) {
            raster_group_advance(
                geometry, group, &progress->strip_length, &progress->primitive_index);
        }
        progress->position = group->end;
    }
    return count;
}

// WebGPU §"Index Resolution": a draw whose indices are not all in the index buffer draws nothing.
static bool has_indices(const struct raster_draw *draw) {
    uint64_t index_bytes = draw->index_format == WGPUIndexFormat_Uint16 ? 2 : 4;
    return draw->index_data == NULL ||
        ((uint64_t)draw->first_vertex + draw->vertex_count) * index_bytes <= draw->index_size_bytes;
}

static bool draws_nothing(const struct raster_geometry *geometry) {
    return geometry->position_count == 0 || geometry->left >= geometry->right ||
        geometry->top >= geometry->bottom || !has_indices(geometry->draw);
}

enum backend_status raster_primitives(struct raster *raster, const struct raster_draw *draw) {
    struct raster_primitive_memory *memory = get_memory(raster);
    if (memory == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    struct raster_geometry *geometry = &memory->geometry;
    raster_geometry_init(geometry, draw);
    if (draws_nothing(geometry)) {
        return BACKEND_OK;
    }
    if (!cpu_scratch_reserve(raster->device, draw->pipeline->vertex.kernel->scratch_bytes + 64)) {
        return BACKEND_OUT_OF_MEMORY;
    }
    void *block = memory->primitives;
    bool has_room = reserve_pages(
        &block, &memory->primitives_bytes, (size_t)HAND_ON_PRIMITIVES * geometry->primitive_bytes);
    memory->primitives = block;
    memory->primitive_count = 0;
    if (!has_room) {
        return BACKEND_OUT_OF_MEMORY;
    }
    struct draw_progress progress = {
        .step = choose_group_positions(raster, geometry),
        .round_groups = choose_round_groups(raster),
    };
    while (progress.position < geometry->position_count && !is_cancelled(draw)) {
        uint32_t count = begin_round(memory, &progress);
        if (count == 0) {
            return BACKEND_OUT_OF_MEMORY;
        }
        enum backend_status status = run_round(raster, draw, count);
        if (status != BACKEND_OK) {
            return status;
        }
    }
    return flush(raster, draw);
}
