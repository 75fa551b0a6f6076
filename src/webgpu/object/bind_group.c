// SPDX-License-Identifier: MIT
//
// Bind groups and the backend's counterpart. Any thread.
#include "webgpu/object/bind_group.h"

#include <string.h>

#include "base/memory.h"
#include "webgpu/object/device.h"

static void destroy(struct gpu_object *object) {
    struct WGPUBindGroupImpl *group = (struct WGPUBindGroupImpl *)object;
    if (group->backend != NULL) {
        struct backend_device *backend = object->device->backend;
        backend->functions->bind_group_destroy(backend, group->backend);
    }
    if (group->layout != NULL) {
        for (uint32_t i = 0; i < group->layout->entry_count; i++) {
            GPU_UNREF(group->bindings[i].buffer);
            GPU_UNREF(group->bindings[i].view);
            GPU_UNREF(group->bindings[i].sampler);
        }
    }
    GPU_UNREF(group->layout);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_bind_group_class = {GPU_BIND_GROUP, destroy, NULL};

static enum backend_status create_backend_group(struct WGPUBindGroupImpl *group) {
    struct WGPUDeviceImpl *device = group->object.device;
    uint32_t count = group->layout->entry_count;
    struct backend_binding *bindings = memory_allocate_zeroed(
        MEMORY_OBJECT, count, sizeof(*bindings));
    if (bindings == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    // Under the lock no buffer or texture can be destroyed between the look and the backend's use.
    os_mutex_lock(&device->mutex);
    bool has_destroyed = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct gpu_binding *source = &group->bindings[i];
        bindings[i].binding = group->layout->entries[i].binding;
        bindings[i].has_dynamic_offset = group->layout->entries[i].has_dynamic_offset != 0;
        bindings[i].offset_bytes = source->offset_bytes;
        bindings[i].size_bytes = source->size_bytes;
        if (source->buffer != NULL) {
            bindings[i].buffer = source->buffer->backend;
            has_destroyed |= source->buffer->state == GPU_BUFFER_DESTROYED;
        } else if (source->view != NULL) {
            bindings[i].view = &source->view->view;
            has_destroyed |= source->view->texture->is_destroyed;
        } else if (source->sampler != NULL) {
            bindings[i].sampler = &source->sampler->sampler;
        }
    }
    enum backend_status status = BACKEND_OK;
    if (!has_destroyed) {
        status = device->backend->functions->bind_group_create(
            device->backend, bindings, count, &group->backend);
    }
    os_mutex_unlock(&device->mutex);
    memory_free(bindings);
    return status;
}

static enum gpu_usage_kind get_usage_kind(const struct gpu_binding_layout *entry) {
    if (gpu_binding_is_writable(entry)) {
        return GPU_USAGE_STORAGE;
    }
    bool is_storage = entry->kind == GPU_BINDING_STORAGE_TEXTURE ||
        (entry->kind == GPU_BINDING_BUFFER && entry->type == WGPUBufferBindingType_ReadOnlyStorage);
    return is_storage ? GPU_USAGE_STORAGE_READ : GPU_USAGE_CONSTANT;
}

static void add_use(struct WGPUBindGroupImpl *group, uint32_t at) {
    const struct gpu_binding_layout *entry = &group->layout->entries[at];
    const struct gpu_binding *binding = &group->bindings[at];
    if (binding->buffer == NULL && binding->view == NULL) {
        return;
    }
    group->uses[group->use_count++] = (struct gpu_binding_use){
        .resource = binding->buffer != NULL ? &binding->buffer->object
                                            : &binding->view->texture->object,
        .view = binding->view != NULL ? &binding->view->view : NULL,
        .offset_bytes = binding->offset_bytes,
        .size_bytes = binding->size_bytes,
        .kind = get_usage_kind(entry),
        .visibility = entry->visibility,
        .entry = at,
        .has_dynamic_offset = entry->has_dynamic_offset != 0,
    };
}

struct WGPUBindGroupImpl *gpu_bind_group_create(struct WGPUDeviceImpl *device, struct text label,
    struct WGPUBindGroupLayoutImpl *layout, const struct gpu_binding *bindings,
    bool is_valid, enum backend_status *out_status) {
    *out_status = BACKEND_OK;
    size_t bindings_bytes = is_valid ? sizeof(*bindings) * layout->entry_count : 0;
    size_t uses_bytes = is_valid ? sizeof(struct gpu_binding_use) * layout->entry_count : 0;
    struct WGPUBindGroupImpl *group = gpu_object_create(&gpu_bind_group_class,
        sizeof(*group) + bindings_bytes + uses_bytes, device, label, is_valid);
    if (group == NULL || !is_valid) {
        return group;
    }
    group->layout = layout;
    GPU_REF(layout);
    group->bindings = (struct gpu_binding *)(group + 1);
    group->uses = (struct gpu_binding_use *)(group->bindings + layout->entry_count);
    atomic_init(&group->is_known_harmless, false);
    if (bindings_bytes != 0) {
        memcpy(group->bindings, bindings, bindings_bytes);
    }
    for (uint32_t i = 0; i < layout->entry_count; i++) {
        GPU_REF(group->bindings[i].buffer);
        GPU_REF(group->bindings[i].view);
        GPU_REF(group->bindings[i].sampler);
        add_use(group, i);
    }
    *out_status = create_backend_group(group);
    if (*out_status != BACKEND_OK) {
        group->object.is_valid = false;
        group->backend = NULL;
    }
    return group;
}
