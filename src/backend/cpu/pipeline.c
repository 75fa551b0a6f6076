// SPDX-License-Identifier: MIT
//
// Compute pipelines of the CPU: a lowered program, compiled by libalba-jit.
#include "backend/cpu/cpu_priv.h"

#include <string.h>

#include "base/memory.h"

enum backend_status cpu_pipeline_create(struct backend_device *base,
    const struct backend_compute_pipeline_description *description,
    struct backend_compute_pipeline **out_pipeline, struct text_buffer *out_message) {
    struct cpu_device *device = cpu_device_get(base);
    *out_pipeline = NULL;
    struct cpu_kernel_entry *entry = NULL;
    enum backend_status status = cpu_kernel_get(
        device, description->module, description->label, &entry, out_message);
    if (status != BACKEND_OK) {
        return status;
    }
    status = cpu_pipeline_create_from_kernel(
        cpu_kernel_entry_get(entry), description->label, description->reflection, out_pipeline);
    if (status != BACKEND_OK) {
        cpu_kernel_cache_release(device->cache, entry);
        return status;
    }
    (*out_pipeline)->cache = device->cache;
    (*out_pipeline)->entry = entry;
    return BACKEND_OK;
}

// Allocates the arrays; false leaves what was allocated in place.
static bool init_slots(
    struct backend_compute_pipeline *pipeline, const struct reflect_entry_point *reflection) {
    uint32_t count = reflection->binding_count;
    pipeline->slot_count = count;
    pipeline->slots = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*pipeline->slots));
    pipeline->is_writable = memory_allocate_zeroed(
        MEMORY_OBJECT, count, sizeof(*pipeline->is_writable));
    pipeline->buffers = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*pipeline->buffers));
    if (pipeline->slots == NULL || pipeline->is_writable == NULL || pipeline->buffers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct reflect_binding *binding = &reflection->bindings[i];
        pipeline->slots[i] = (struct cpu_pipeline_slot){binding->group, binding->binding};
        pipeline->is_writable[i] = binding->kind == REFLECT_BUFFER_STORAGE;
    }
    return true;
}

enum backend_status cpu_pipeline_create_from_kernel(const struct jit_kernel *kernel,
    struct text label, const struct reflect_entry_point *reflection,
    struct backend_compute_pipeline **out_pipeline) {
    *out_pipeline = NULL;
    struct backend_compute_pipeline *pipeline = memory_allocate_zeroed(
        MEMORY_OBJECT, 1, sizeof(*pipeline));
    if (pipeline == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    pipeline->kernel = kernel;
    pipeline->invocation_count = kernel->workgroup_size[0] * kernel->workgroup_size[1] *
        kernel->workgroup_size[2];
    pipeline->label = memory_allocate_zeroed(MEMORY_OBJECT, 1, label.length + 1);
    if (pipeline->label == NULL || !init_slots(pipeline, reflection)) {
        cpu_pipeline_destroy(pipeline);
        return BACKEND_OUT_OF_MEMORY;
    }
    if (label.length != 0) {
        memcpy(pipeline->label, label.data, label.length);
    }
    *out_pipeline = pipeline;
    return BACKEND_OK;
}

void cpu_pipeline_destroy(struct backend_compute_pipeline *pipeline) {
    if (pipeline == NULL) {
        return;
    }
    if (pipeline->cache != NULL) {
        cpu_kernel_cache_release(pipeline->cache, pipeline->entry);
    }
    memory_free(pipeline->buffers);
    memory_free(pipeline->is_writable);
    memory_free(pipeline->slots);
    memory_free(pipeline->label);
    memory_free(pipeline);
}
