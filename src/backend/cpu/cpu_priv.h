// SPDX-License-Identifier: MIT
//
// The CPU backend's own structures: device, bind group, pipeline. Private to the folder (and its
// tests). Objects are immutable once made, except where a field says that it is the queue thread's.
#pragma once

#include "backend/backend.h"
#include "backend/cpu/guard.h"
#include "backend/cpu/kernel_cache.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/watchdog.h"
#include "backend/queue_thread.h"
#include "shader/jit/jit.h"

// What the adapter advertises and the executor has room for.
#define CPU_BIND_GROUP_COUNT 8u
#define CPU_IMMEDIATE_BYTES 256u

#define CPU_NO_DYNAMIC_OFFSET UINT32_MAX

// What struct jit_buffer says: a range of a buffer, a struct cpu_image or a struct cpu_sampler (the
// last two behind the bindings, of 0 bytes).
struct cpu_binding {
    uint32_t binding;
    uint32_t dynamic_index; // which of the group's dynamic offsets, or CPU_NO_DYNAMIC_OFFSET
    uint8_t *data;
    uint64_t size_bytes;
};

struct backend_bind_group {
    uint32_t binding_count;
    struct cpu_binding bindings[]; // ascending
};

// A binding that the shader uses, in the order of reflection and jit_dispatch.
struct cpu_pipeline_slot {
    uint32_t group;
    uint32_t binding;
};

struct backend_compute_pipeline {
    char *label; // NUL-terminated, heap
    const struct jit_kernel *kernel;
    struct cpu_kernel_cache *cache;  // has the kernel; NULL: the kernel is someone else's
    struct cpu_kernel_entry *entry;
    uint32_t invocation_count;       // of one workgroup
    uint32_t slot_count;
    struct cpu_pipeline_slot *slots;
    bool *is_writable;           // by slot
    struct jit_buffer *buffers;  // the queue thread's: ranges for the next dispatch
    double ns_per_workgroup;     // the queue thread's: measured; 0: unknown
};

struct cpu_device {
    struct backend_device base;
    struct cpu_kernel_cache *cache; // the adapter's, a reference
    struct queue_thread *queue;
    struct cpu_pool *pool;         // the queue thread's
    struct cpu_watchdog *watchdog; // NULL: off
    // NULL: off; the queue thread's: of dispatches and vertex stages, and of fragment stages.
    struct cpu_guard *guard;
    struct cpu_guard *fragment_guard;
    struct raster *raster; // the queue thread's; made by the first draw
    bool has_indirect_first_instance;
    uint64_t watchdog_ms;
    bool has_guard;
    // The queue thread's: one block for all workers, scratch_stride_bytes apart.
    uint8_t *scratch;
    uint64_t scratch_stride_bytes;
};

extern const struct backend_device_functions cpu_device_functions;

// cache: the device takes a reference.
enum backend_status cpu_device_create(struct cpu_kernel_cache *cache,
                                      const struct backend_device_options *options,
                                      struct backend_device **out_device);
static inline struct cpu_device *cpu_device_get(struct backend_device *device) {
    return (struct cpu_device *)device;
}

// What a kernel depends on, as a name for where it is kept: the build, the code generator named by the
// environment or "", the options (bytes between members included: zero), the module's text.
void cpu_kernel_hash(const char *identity, const char *generator, const struct jit_options *options,
                     struct text module, struct kernel_key *out_key);
// The kernel of a specialised module's only entry point: found, or lowered and compiled. Takes a
// reference, for cpu_kernel_cache_release(device->cache, entry). The label is for the log.
enum backend_status cpu_kernel_get(struct cpu_device *device, const struct ir_module *module,
                                   struct text label, struct cpu_kernel_entry **out_entry,
                                   struct text_buffer *out_message);

// backend_device_functions.compute_pipeline_create: lowers, compiles (or finds), then as below.
enum backend_status cpu_pipeline_create(
    struct backend_device *device, const struct backend_compute_pipeline_description *description,
    struct backend_compute_pipeline **out_pipeline, struct text_buffer *out_message);
// A pipeline of a kernel that is there already, for as long as the pipeline.
enum backend_status cpu_pipeline_create_from_kernel(
    const struct jit_kernel *kernel, struct text label,
    const struct reflect_entry_point *reflection, struct backend_compute_pipeline **out_pipeline);
void cpu_pipeline_destroy(struct backend_compute_pipeline *pipeline); // NULL is allowed

// Executes one stream, on the queue thread (queue_thread_options.execute; user: the cpu_device).
void cpu_execute(void *user, const struct command_stream *stream);

// Room of size_bytes for each worker in device->scratch, for kernels' scratch_bytes (plus 64); what
// was there before is lost. Queue thread. False: out of memory.
bool cpu_scratch_reserve(struct cpu_device *device, uint64_t size_bytes);
// A worker's room, aligned to 64.
static inline void *cpu_scratch_get(const struct cpu_device *device, uint32_t worker) {
    return device->scratch + (size_t)device->scratch_stride_bytes * worker;
}
