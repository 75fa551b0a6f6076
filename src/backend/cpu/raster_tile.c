// SPDX-License-Identifier: MIT
//
// Primitives go into lists, one a tile, in the order of the draw; every tile with a list is an item
// of a job on the pool. A tile's pixels belong to the worker that has it. Queue thread.
//
// The lists of one job have at most ENTRY_LIMIT entries, or one primitive's tiles: more primitives
// are drawn by several jobs, one after the other, so that memory stays bounded.
#include "backend/cpu/raster_tile.h"

#include <string.h>

#include "backend/cpu/raster_priv.h"
#include "backend/queue_thread.h"
#include "base/memory.h"
#include "base/os_clock.h"

#define ENTRY_LIMIT (1u << 20)
// Up to here a job runs on the queue thread alone; each woken worker should get this much.
#define ALONE_NS 25000.0
// What is assumed until a pipeline was measured.
#define NS_PER_PIXEL 4.0

struct raster_tile_memory {
    struct cpu_device *device;
    uint8_t *workers; // pages, worker_stride_bytes apart
    size_t worker_bytes;
    size_t worker_stride_bytes;
    uint32_t ready_count; // workers that know the draw
    uint32_t *tile_ends;  // by tile of the job's area: entries before and of it
    uint32_t tile_capacity;
    uint32_t *tiles;   // those with entries
    uint32_t *entries; // numbers of primitives, by tile
    uint32_t entry_capacity;
    // What a pixel took, of the pipeline that drew last.
    const struct backend_render_pipeline *known;
    double ns_per_pixel;
};

static void free_workers(struct raster_tile_memory *memory) {
    memory_pages_free(MEMORY_JIT, memory->workers, memory->worker_bytes);
    memory->workers = NULL;
    memory->worker_bytes = 0;
    memory->worker_stride_bytes = 0;
}

static void destroy_memory(struct raster_tile_memory *memory) {
    if (memory == NULL) {
        return;
    }
    free_workers(memory);
    memory_free(memory->tile_ends);
    memory_free(memory->tiles);
    memory_free(memory->entries);
    memory_free(memory);
}

static struct raster_tile_memory *find_memory(struct raster *raster) {
    if (raster->tile_memory == NULL) {
        raster->tile_memory = memory_allocate_zeroed(MEMORY_JIT, 1, sizeof(*raster->tile_memory));
        raster->tile_memory_destroy = destroy_memory;
        if (raster->tile_memory != NULL) {
            raster->tile_memory->device = raster->device;
        }
    }
    return raster->tile_memory;
}

// ---------------------------------------------------------------- the plan of a draw

static void plan_samples(struct raster_plan *plan) {
    // The standard sample patterns.
    static const struct raster_sample_place one = {128, 128};
    static const struct raster_sample_place four[RASTER_SAMPLE_LIMIT] = {
        {96, 32}, {224, 96}, {32, 160}, {160, 224}};
    plan->sample_count = plan->draw->pass->sample_count > 1 ? RASTER_SAMPLE_LIMIT : 1;
    plan->sample_mask = plan->draw->pipeline->state.sample_mask & ((1u << plan->sample_count) - 1);
    for (uint32_t i = 0; i < RASTER_SAMPLE_LIMIT; i++) {
        plan->samples[i] = plan->sample_count == 1 ? one : four[i];
    }
}

static void plan_inputs(struct raster_plan *plan) {
    const struct raster_interface *inputs = &plan->draw->pipeline->fragment.inputs;
    plan->position_word = raster_find_builtin(inputs, BUILTIN_VALUE_FRAGMENT_POSITION);
    plan->front_facing_word = raster_find_builtin(inputs, BUILTIN_VALUE_FRONT_FACING);
    plan->sample_index_word = raster_find_builtin(inputs, BUILTIN_VALUE_SAMPLE_INDEX);
    plan->sample_mask_word = raster_find_builtin(inputs, BUILTIN_VALUE_SAMPLE_MASK_IN);
    plan->primitive_index_word = raster_find_builtin(inputs, BUILTIN_VALUE_PRIMITIVE_INDEX);
    plan->needs_center = plan->position_word != RASTER_NO_WORD;
    for (uint32_t i = 0; i < plan->varying_count; i++) {
        const struct raster_varying *varying = &plan->varyings[i];
        if (varying->interpolation == 2) {
            continue;
        }
        plan->needs_w |= varying->interpolation == 0;
        plan->needs_center |= varying->sampling == 0;
        plan->needs_centroid |= varying->sampling == 1;
        plan->needs_sample |= varying->sampling >= 2;
    }
}

static struct raster_plan make_plan(
    const struct cpu_device *device, const struct raster_draw *draw) {
    const struct backend_render_pipeline *pipeline = draw->pipeline;
    struct raster_plan plan = {
        .draw = draw,
        .kernel = pipeline->fragment.kernel,
        .cancel = queue_thread_cancel_flag(device->queue),
        .varyings = pipeline->varyings,
        .varying_count = pipeline->fragment.kernel == NULL ? 0 : pipeline->varying_count,
    };
    plan_samples(&plan);
    plan_inputs(&plan);
    plan.depth_out_word = raster_find_builtin(
        &pipeline->fragment.outputs, BUILTIN_VALUE_FRAG_DEPTH);
    plan.sample_mask_out_word = raster_find_builtin(
        &pipeline->fragment.outputs, BUILTIN_VALUE_SAMPLE_MASK_OUT);
    plan.is_sample_shaded = pipeline->is_sample_shaded && plan.kernel != NULL;
    plan.needs_depth = draw->pass->depth.data != NULL;
    plan.has_tests = plan.needs_depth || draw->pass->stencil.data != NULL ||
        draw->pass->passed_samples != NULL;
    // A fragment that may yet lose samples must not have changed depth, stencil or counts.
    plan.has_early_tests = plan.kernel == NULL ||
        (pipeline->has_early_tests && !pipeline->state.has_alpha_to_coverage &&
            plan.depth_out_word == RASTER_NO_WORD && plan.sample_mask_out_word == RASTER_NO_WORD);
    return plan;
}

// ---------------------------------------------------------------- memory

static size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

// A worker's block: the struct, rows of inputs, rows of outputs.
static bool make_workers(struct raster_tile_memory *memory, const struct raster_plan *plan) {
    const struct jit_kernel *kernel = plan->kernel;
    const size_t row_bytes = JIT_BATCH_LANES * sizeof(uint32_t);
    size_t input_bytes = kernel == NULL ? 0 : kernel->input_words * row_bytes;
    size_t output_bytes = kernel == NULL ? 0 : kernel->output_words * row_bytes;
    if (kernel != NULL && !cpu_scratch_reserve(memory->device, kernel->scratch_bytes + 64)) {
        return false;
    }
    size_t bytes = round_up(sizeof(struct raster_worker)) + input_bytes + output_bytes;
    // A line more than pages, so that the workers' blocks do not start in the same cache sets.
    size_t stride_bytes = (bytes + 4095) / 4096 * 4096 + 4096 + 64;
    uint32_t worker_count = memory->device->base.thread_count;
    if (stride_bytes > memory->worker_stride_bytes) {
        free_workers(memory);
        memory->workers = memory_pages_allocate(MEMORY_JIT, stride_bytes * worker_count);
        if (memory->workers == NULL) {
            return false;
        }
        memory->worker_bytes = stride_bytes * worker_count;
        memory->worker_stride_bytes = stride_bytes;
    }
    memory->ready_count = 0;
    return true;
}

// Prepares the first `count` workers for the draw.
static void ready_workers(
    struct raster_tile_memory *memory, const struct raster_plan *plan, uint32_t count) {
    const struct jit_kernel *kernel = plan->kernel;
    size_t input_words = kernel == NULL ? 0 : (size_t)kernel->input_words * JIT_BATCH_LANES;
    for (; memory->ready_count < count; memory->ready_count++) {
        uint32_t index = memory->ready_count;
        uint8_t *block = memory->workers + index * memory->worker_stride_bytes;
        struct raster_worker *worker = (struct raster_worker *)(void *)block;
        worker->fragments.lane_count = 0;
        memset(worker->sample_index, 0, sizeof(worker->sample_index));
        worker->inputs = (uint32_t *)(void *)(block + round_up(sizeof(*worker)));
        worker->outputs = worker->inputs + input_words;
        worker->batch = (struct jit_batch){.inputs = worker->inputs, .outputs = worker->outputs};
        worker->progress = cpu_pool_progress(memory->device->pool, index);
        if (kernel != NULL) {
            worker->scratch = cpu_scratch_get(memory->device, index);
            worker->dispatch = *plan->draw->fragment_dispatch;
            worker->dispatch.batches = &worker->batch;
        }
    }
}

// Room for `count` words; what was there is lost.
static bool make_words(uint32_t **words, uint32_t *capacity, uint32_t count) {
    if (count <= *capacity) {
        return true;
    }
    memory_free(*words);
    *capacity = 0;
    *words = memory_allocate(MEMORY_JIT, (size_t)count * sizeof(uint32_t));
    if (*words == NULL) {
        return false;
    }
    *capacity = count;
    return true;
}

// ---------------------------------------------------------------- binning

// A rectangle of tiles.
struct tile_area {
    uint32_t left;
    uint32_t top;
    uint32_t right;
    uint32_t bottom;
};

struct job {
    struct raster_tile_memory *memory;
    const struct raster_plan *plan;
    const uint8_t *primitives;
    size_t primitive_bytes;
    struct tile_area area;
    uint32_t tile_count; // with entries
    double pixel_count;  // of the primitives' rectangles, at most
    uint64_t own_ns;     // what the queue thread did itself
    double own_share;
};

static const struct raster_primitive *primitive_at(const struct job *job, uint32_t index) {
    return (const void *)(job->primitives + (size_t)index * job->primitive_bytes);
}

static bool is_empty(const struct raster_primitive *primitive) {
    return primitive->left >= primitive->right || primitive->top >= primitive->bottom;
}

static struct tile_area find_tiles(const struct raster_primitive *primitive) {
    return (struct tile_area){
        .left = (uint32_t)primitive->left / RASTER_TILE,
        .top = (uint32_t)primitive->top / RASTER_TILE,
        .right = ((uint32_t)primitive->right - 1) / RASTER_TILE + 1,
        .bottom = ((uint32_t)primitive->bottom - 1) / RASTER_TILE + 1,
    };
}

// Calls for one primitive: counts or stores it in each tile that it may touch.
static void visit_tiles(const struct job *job, uint32_t index, bool is_storing) {
    const struct raster_primitive *primitive = primitive_at(job, index);
    if (is_empty(primitive)) {
        return;
    }
    struct raster_tile_memory *memory = job->memory;
    struct tile_area tiles = find_tiles(primitive);
    uint32_t width = job->area.right - job->area.left;
    bool is_large = tiles.right - tiles.left > 1 && tiles.bottom - tiles.top > 1;
    for (uint32_t y = tiles.top; y < tiles.bottom; y++) {
        for (uint32_t x = tiles.left; x < tiles.right; x++) {
            if (is_large &&
                raster_misses(primitive, x * RASTER_TILE, y * RASTER_TILE, (x + 1) * RASTER_TILE,
                    (y + 1) * RASTER_TILE)) {
                continue;
            }
            uint32_t *end = &memory->tile_ends[(y - job->area.top) * width + x - job->area.left];
            if (is_storing) {
                memory->entries[*end] = index;
            }
            (*end)++;
        }
    }
}

// How many of the primitives from `first` on fit into one job, and the tiles they lie in.
static uint32_t find_job(struct job *job, uint32_t first, uint32_t count) {
    uint64_t entry_count = 0;
    bool has_area = false;
    uint32_t end = first;
    job->pixel_count = 0;
    job->area = (struct tile_area){0};
    for (; end < count; end++) {
        const struct raster_primitive *primitive = primitive_at(job, end);
        if (is_empty(primitive)) {
            continue;
        }
        struct tile_area tiles = find_tiles(primitive);
        entry_count += (uint64_t)(tiles.right - tiles.left) * (tiles.bottom - tiles.top);
        if (has_area && entry_count > ENTRY_LIMIT) {
            break;
        }
        job->pixel_count += (double)(primitive->right - primitive->left) *
            (double)(primitive->bottom - primitive->top);
        struct tile_area *area = &job->area;
        if (!has_area) {
            *area = tiles;
        }
        area->left = tiles.left < area->left ? tiles.left : area->left;
        area->top = tiles.top < area->top ? tiles.top : area->top;
        area->right = tiles.right > area->right ? tiles.right : area->right;
        area->bottom = tiles.bottom > area->bottom ? tiles.bottom : area->bottom;
        has_area = true;
    }
    return end;
}

// Makes the lists of primitives [first, end).
static enum backend_status fill_lists(struct job *job, uint32_t first, uint32_t end) {
    struct raster_tile_memory *memory = job->memory;
    uint32_t cell_count = (job->area.right - job->area.left) * (job->area.bottom - job->area.top);
    job->tile_count = 0;
    if (cell_count == 0) {
        return BACKEND_OK;
    }
    uint32_t same_capacity = memory->tile_capacity;
    if (!make_words(&memory->tile_ends, &memory->tile_capacity, cell_count) ||
        !make_words(&memory->tiles, &same_capacity, cell_count)) {
        memory->tile_capacity = 0;
        return BACKEND_OUT_OF_MEMORY;
    }
    memset(memory->tile_ends, 0, cell_count * sizeof(uint32_t));
    for (uint32_t i = first; i < end; i++) {
        visit_tiles(job, i, false);
    }
    uint32_t entry_count = 0;
    for (uint32_t i = 0; i < cell_count; i++) {
        uint32_t count = memory->tile_ends[i];
        if (count != 0) {
            memory->tiles[job->tile_count++] = i;
        }
        memory->tile_ends[i] = entry_count;
        entry_count += count;
    }
    if (!make_words(&memory->entries, &memory->entry_capacity, entry_count)) {
        return BACKEND_OUT_OF_MEMORY;
    }
    for (uint32_t i = first; i < end; i++) {
        visit_tiles(job, i, true);
    }
    return BACKEND_OK;
}

// ---------------------------------------------------------------- running

// How many primitives ahead memory is asked for: they lie anywhere in a large array.
#define PREFETCH_PRIMITIVES 4u

static inline void prefetch(const struct job *job, uint32_t entry) {
#if defined(__GNUC__)
    const uint8_t *primitive = (const void *)primitive_at(job, entry);
    for (size_t offset = 0; offset < job->primitive_bytes; offset += 64) {
        __builtin_prefetch(primitive + offset);
    }
#else
    (void)job, (void)entry;
#endif
}

static void run_tile(const struct job *job, struct raster_worker *worker, uint32_t cell) {
    const struct raster_tile_memory *memory = job->memory;
    uint32_t width = job->area.right - job->area.left;
    uint32_t left = (job->area.left + cell % width) * RASTER_TILE;
    uint32_t top = (job->area.top + cell / width) * RASTER_TILE;
    uint32_t first = cell == 0 ? 0 : memory->tile_ends[cell - 1];
    for (uint32_t i = first; i < memory->tile_ends[cell]; i++) {
        if (atomic_load_explicit(job->plan->cancel, memory_order_relaxed) != 0) {
            worker->fragments.lane_count = 0;
            return;
        }
        if (memory->tile_ends[cell] - i > PREFETCH_PRIMITIVES) {
            prefetch(job, memory->entries[i + PREFETCH_PRIMITIVES]);
        }
        raster_cover_tile(job->plan, worker, primitive_at(job, memory->entries[i]), left, top);
    }
    raster_fragment_flush(job->plan, worker);
    uint64_t progress = atomic_load_explicit(worker->progress, memory_order_relaxed);
    atomic_store_explicit(worker->progress, progress + 1, memory_order_relaxed);
}

static void run_tiles(void *user, uint32_t index, uint64_t first, uint64_t end) {
    struct job *job = user;
    struct raster_tile_memory *memory = job->memory;
    struct raster_worker *worker = (void *)(memory->workers +
        (size_t)index * memory->worker_stride_bytes);
    uint64_t start_ns = index == 0 ? os_clock_monotonic_ns() : 0;
    for (uint64_t i = first; i < end; i++) {
        run_tile(job, worker, memory->tiles[i]);
    }
    if (index == 0) {
        job->own_ns += os_clock_monotonic_ns() - start_ns;
        job->own_share += (double)(end - first) / (double)job->tile_count;
    }
}

static uint32_t choose_worker_count(const struct job *job) {
    const struct raster_tile_memory *memory = job->memory;
    uint32_t workers = memory->device->base.thread_count;
    workers = workers < job->tile_count ? workers : job->tile_count;
    bool is_known = memory->known == job->plan->draw->pipeline && memory->ns_per_pixel > 0;
    double ns = job->pixel_count * (is_known ? memory->ns_per_pixel : NS_PER_PIXEL);
    double useful = ns / ALONE_NS + 1;
    return useful < (double)workers ? (uint32_t)useful : workers;
}

static void learn(const struct job *job) {
    struct raster_tile_memory *memory = job->memory;
    double pixels = job->pixel_count * job->own_share;
    if (pixels > 0) {
        memory->known = job->plan->draw->pipeline;
        memory->ns_per_pixel = (double)job->own_ns / pixels;
    }
}

static void run_job(struct job *job) {
    struct cpu_device *device = job->memory->device;
    job->own_ns = 0;
    job->own_share = 0;
    uint32_t worker_count = choose_worker_count(job);
    worker_count = worker_count > 1 ? worker_count : 1;
    ready_workers(job->memory, job->plan, worker_count);
    if (device->watchdog != NULL) {
        cpu_watchdog_begin(device->watchdog);
    }
    if (worker_count == 1) {
        run_tiles(job, 0, 0, job->tile_count);
    } else {
        struct cpu_job tiles = {
            .run = run_tiles,
            .user = job,
            .count = job->tile_count,
            .minimum_chunk = 1,
            .worker_count = worker_count,
            .cancel = job->plan->cancel,
        };
        cpu_pool_run(device->pool, &tiles);
    }
    if (device->watchdog != NULL) {
        cpu_watchdog_end(device->watchdog);
    }
    learn(job);
}

enum backend_status raster_tiles(struct raster *raster, const struct raster_draw *draw,
    const uint8_t *primitives, uint32_t count) {
    struct raster_plan plan = make_plan(raster->device, draw);
    struct raster_tile_memory *memory = find_memory(raster);
    if (memory == NULL || !make_workers(memory, &plan)) {
        return BACKEND_OUT_OF_MEMORY;
    }
    struct job job = {
        .memory = memory,
        .plan = &plan,
        .primitives = primitives,
        .primitive_bytes = raster_primitive_bytes(draw->pipeline->varying_count),
    };
    uint32_t first = 0;
    while (first < count && atomic_load_explicit(plan.cancel, memory_order_relaxed) == 0) {
        uint32_t end = find_job(&job, first, count);
        enum backend_status status = fill_lists(&job, first, end);
        if (status != BACKEND_OK) {
            return status;
        }
        if (job.tile_count != 0) {
            run_job(&job);
        }
        first = end;
    }
    return BACKEND_OK;
}
