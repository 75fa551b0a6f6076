// SPDX-License-Identifier: MIT
//
// The CPU device: its threads, buffers and bind groups.
#include "backend/cpu/cpu_priv.h"

#include "backend/cpu/float_state.h"
#include "backend/cpu/image.h"
#include "backend/cpu/raster.h"
#include "backend/host_buffer.h"
#include "backend/host_query_set.h"
#include "backend/host_texture.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/os_cpu.h"
#include "base/os_environment.h"

#define DEFAULT_WATCHDOG_MS 10000u
#define LARGEST_THREAD_COUNT 1024u

// ---------------------------------------------------------------- threads

static uint32_t choose_thread_count(uint32_t wanted) {
    if (wanted == 0) {
        const char *word = os_environment_find("ALBA_THREADS");
        for (const char *at = word; at != NULL && *at >= '0' && *at <= '9'; at++) {
            wanted = wanted * 10 + (uint32_t)(*at - '0');
            if (wanted > LARGEST_THREAD_COUNT) {
                break;
            }
        }
        if (word != NULL && wanted == 0) {
            log_message(
                LOG_WARNING, "ALBA_THREADS=%s is not a number of at least 1; ignored", word);
        }
    }
    if (wanted == 0) {
        wanted = os_cpu_usable_count();
    }
    return wanted > LARGEST_THREAD_COUNT ? LARGEST_THREAD_COUNT : wanted;
}

static void start_queue(void *user) {
    (void)user;
    cpu_float_state_set();
}

static uint64_t sum_progress(void *user) {
    struct cpu_device *device = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < cpu_pool_worker_count(device->pool); i++) {
        sum += atomic_load_explicit(cpu_pool_progress(device->pool, i), memory_order_relaxed);
    }
    return sum;
}

static void report_stuck(void *user, const char *what, struct text label) {
    struct cpu_device *device = user;
    struct text_buffer reason = {0};
    text_buffer_print(&reason, "no %s ", what);
    if (label.length == 0) {
        text_buffer_append_string(&reason, "(no label)");
    } else {
        text_buffer_print(&reason, "\"%.*s\"", TEXT_ARGS(label));
    }
    text_buffer_print(&reason,
        " finished for %llu ms, the watchdog's limit (AlbaDeviceOptions.watchdogMilliseconds)",
        (unsigned long long)device->watchdog_ms);
    queue_thread_lose(device->queue,
        reason.has_failed ? TEXT_LITERAL("nothing finished for the watchdog's limit")
                          : text_buffer_get(&reason));
    text_buffer_finish(&reason);
}

// ---------------------------------------------------------------- making and ending

static void device_destroy(struct backend_device *base) {
    struct cpu_device *device = cpu_device_get(base);
    if (device->queue != NULL) {
        queue_thread_stop(device->queue); // the watchdog guards the last submissions too
    }
    cpu_watchdog_destroy(device->watchdog);
    queue_thread_destroy(device->queue);
    memory_pages_free(MEMORY_JIT, device->scratch,
        (size_t)device->scratch_stride_bytes * device->base.thread_count);
    cpu_pool_destroy(device->pool);
    cpu_guard_destroy(device->guard);
    cpu_guard_destroy(device->fragment_guard);
    raster_destroy(device->raster);
    cpu_kernel_cache_unref(device->cache);
    memory_free(device);
}

static bool start_threads(struct cpu_device *device, const struct backend_device_options *options) {
    bool may_spin = os_cpu_usable_count() > 1;
    device->pool = cpu_pool_create(device->base.thread_count, may_spin);
    if (device->pool == NULL) {
        return false;
    }
    if (device->has_guard) {
        device->guard = cpu_guard_create(options->has_guard_pages_before);
        device->fragment_guard = cpu_guard_create(options->has_guard_pages_before);
        if (device->guard == NULL || device->fragment_guard == NULL) {
            return false;
        }
    }
    struct queue_thread_options queue_options = {
        .events = options->events,
        .user = device,
        .start = start_queue,
        .execute = cpu_execute,
        .name = "alba-queue",
        .may_spin = may_spin,
    };
    device->queue = queue_thread_create(&queue_options);
    if (device->queue == NULL) {
        return false;
    }
    if (device->watchdog_ms == 0) {
        return true;
    }
    struct cpu_watchdog_options watchdog_options = {
        .limit_ns = device->watchdog_ms > UINT64_MAX / 1000000u ? UINT64_MAX
                                                                : device->watchdog_ms * 1000000u,
        .progress = sum_progress,
        .stuck = report_stuck,
        .user = device,
    };
    device->watchdog = cpu_watchdog_create(&watchdog_options);
    return device->watchdog != NULL;
}

enum backend_status cpu_device_create(struct cpu_kernel_cache *cache,
    const struct backend_device_options *options, struct backend_device **out_device) {
    *out_device = NULL;
    struct cpu_device *device = memory_allocate_zeroed(MEMORY_OBJECT, 1, sizeof(*device));
    if (device == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    device->base.functions = &cpu_device_functions;
    device->cache = cpu_kernel_cache_ref(cache);
    device->has_indirect_first_instance = feature_set_has(
        options->features, WGPUFeatureName_IndirectFirstInstance);
    device->base.thread_count = choose_thread_count(options->thread_count);
    device->watchdog_ms = options->has_watchdog ? options->watchdog_ms : DEFAULT_WATCHDOG_MS;
    device->has_guard = options->has_guard_pages || options->has_guard_pages_before;
    if (!start_threads(device, options)) {
        device_destroy(&device->base);
        return BACKEND_OUT_OF_MEMORY;
    }
    *out_device = &device->base;
    return BACKEND_OK;
}

// ---------------------------------------------------------------- buffers and bind groups

static enum backend_status buffer_create(struct backend_device *device, uint64_t size_bytes,
    uint64_t usage, struct text label, struct backend_buffer **out_buffer) {
    (void)device;
    (void)usage;
    (void)label;
    return host_buffer_create(size_bytes, out_buffer);
}

static void buffer_destroy(struct backend_device *device, struct backend_buffer *buffer) {
    (void)device;
    host_buffer_destroy(buffer);
}

static void *buffer_map(struct backend_device *device, struct backend_buffer *buffer,
    uint64_t offset_bytes, uint64_t size_bytes, bool is_write) {
    (void)device;
    (void)size_bytes;
    (void)is_write;
    return buffer->data + offset_bytes;
}

static void buffer_unmap(struct backend_device *device, struct backend_buffer *buffer) {
    (void)device;
    (void)buffer;
}

static enum backend_status texture_create(struct backend_device *device,
    const struct backend_texture_description *description, struct backend_texture **out_texture) {
    (void)device;
    return host_texture_create(description, out_texture);
}

static void texture_destroy(struct backend_device *device, struct backend_texture *texture) {
    (void)device;
    host_texture_destroy(texture);
}

_Static_assert(_Alignof(struct cpu_image) <= _Alignof(struct cpu_binding) &&
        _Alignof(struct cpu_sampler) <= _Alignof(struct cpu_image),
    "they follow each other in one block");

// One block: the group, then what its textures and samplers become.
static struct backend_bind_group *allocate_group(const struct backend_binding *bindings,
    uint32_t binding_count, struct cpu_image **out_images, struct cpu_sampler **out_samplers) {
    size_t image_count = 0;
    size_t sampler_count = 0;
    for (uint32_t i = 0; i < binding_count; i++) {
        image_count += bindings[i].view != NULL;
        sampler_count += bindings[i].sampler != NULL;
    }
    struct backend_bind_group *group = memory_allocate(MEMORY_OBJECT,
        sizeof(*group) + binding_count * sizeof(group->bindings[0]) +
            image_count * sizeof(**out_images) + sampler_count * sizeof(**out_samplers));
    if (group != NULL) {
        group->binding_count = binding_count;
        *out_images = (struct cpu_image *)(void *)(group->bindings + binding_count);
        *out_samplers = (struct cpu_sampler *)(void *)(*out_images + image_count);
    }
    return group;
}

static enum backend_status bind_group_create(struct backend_device *device,
    const struct backend_binding *bindings, uint32_t binding_count,
    struct backend_bind_group **out_group) {
    (void)device;
    struct cpu_image *image = NULL;
    struct cpu_sampler *sampler = NULL;
    struct backend_bind_group *group = allocate_group(bindings, binding_count, &image, &sampler);
    *out_group = group;
    if (group == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    uint32_t dynamic_count = 0;
    for (uint32_t i = 0; i < binding_count; i++) {
        const struct backend_binding *from = &bindings[i];
        struct cpu_binding *to = &group->bindings[i];
        *to = (struct cpu_binding){
            .binding = from->binding,
            .dynamic_index = from->has_dynamic_offset ? dynamic_count++ : CPU_NO_DYNAMIC_OFFSET,
        };
        if (from->buffer != NULL) {
            to->data = from->buffer->data + from->offset_bytes;
            to->size_bytes = from->size_bytes;
        } else if (from->view != NULL) {
            to->data = (uint8_t *)image;
            cpu_image_init(image++, from->view);
        } else if (from->sampler != NULL) {
            to->data = (uint8_t *)sampler;
            cpu_sampler_init(sampler++, from->sampler);
        }
    }
    return BACKEND_OK;
}

static void bind_group_destroy(struct backend_device *device, struct backend_bind_group *group) {
    (void)device;
    memory_free(group);
}

// ---------------------------------------------------------------- queue

static void compute_pipeline_destroy(
    struct backend_device *device, struct backend_compute_pipeline *pipeline) {
    (void)device;
    cpu_pipeline_destroy(pipeline);
}

static void render_pipeline_destroy(
    struct backend_device *device, struct backend_render_pipeline *pipeline) {
    (void)device;
    cpu_render_pipeline_destroy(pipeline);
}

static enum backend_status query_set_create(struct backend_device *device, uint32_t type,
    uint32_t count, struct text label, struct backend_query_set **out_query_set) {
    (void)device;
    (void)label;
    return host_query_set_create(type, count, out_query_set);
}

static void query_set_destroy(struct backend_device *device, struct backend_query_set *query_set) {
    (void)device;
    host_query_set_destroy(query_set);
}

static enum backend_status submit(struct backend_device *device, struct command_stream **streams,
    size_t stream_count, uint64_t serial) {
    return queue_thread_submit(cpu_device_get(device)->queue, streams, stream_count, serial);
}

static uint64_t completed_serial(struct backend_device *device) {
    return queue_thread_completed_serial(cpu_device_get(device)->queue);
}

static bool wait(struct backend_device *device, uint64_t serial, uint64_t timeout_ns) {
    return queue_thread_wait(cpu_device_get(device)->queue, serial, timeout_ns);
}

static void cancel(struct backend_device *device) {
    queue_thread_cancel(cpu_device_get(device)->queue);
}

const struct backend_device_functions cpu_device_functions = {
    .destroy = device_destroy,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .buffer_map = buffer_map,
    .buffer_unmap = buffer_unmap,
    .texture_create = texture_create,
    .texture_destroy = texture_destroy,
    .bind_group_create = bind_group_create,
    .bind_group_destroy = bind_group_destroy,
    .compute_pipeline_create = cpu_pipeline_create,
    .compute_pipeline_destroy = compute_pipeline_destroy,
    .query_set_create = query_set_create,
    .query_set_destroy = query_set_destroy,
    .render_pipeline_create = cpu_render_pipeline_create,
    .render_pipeline_destroy = render_pipeline_destroy,
    .submit = submit,
    .completed_serial = completed_serial,
    .wait = wait,
    .cancel = cancel,
};
