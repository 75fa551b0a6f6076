// SPDX-License-Identifier: MIT
//
// Filling and freeing of pipelines' common part. One thread at a time.
#include "webgpu/object/pipeline_interface.h"

#include "base/memory.h"

// A binding that two stages use needs the larger of their sizes.
static void add_deferred_size(
    struct gpu_pipeline_interface *interface, struct gpu_deferred_size size) {
    for (uint32_t i = 0; i < interface->deferred_size_count; i++) {
        struct gpu_deferred_size *known = &interface->deferred_sizes[i];
        if (known->group == size.group && known->entry == size.entry) {
            if (known->minimum_bytes < size.minimum_bytes) {
                known->minimum_bytes = size.minimum_bytes;
            }
            return;
        }
    }
    interface->deferred_sizes[interface->deferred_size_count++] = size;
}

bool gpu_pipeline_interface_add(
    struct gpu_pipeline_interface *interface, const struct reflect_entry_point *entry_point) {
    interface->immediate_slots |= entry_point->immediate_slots;
    size_t capacity = (size_t)interface->deferred_size_count + entry_point->binding_count + 1;
    struct gpu_deferred_size *grown = memory_resize(
        MEMORY_OBJECT, interface->deferred_sizes, capacity * sizeof(*grown));
    if (grown == NULL) {
        return false;
    }
    interface->deferred_sizes = grown;
    for (uint32_t i = 0; i < entry_point->binding_count; i++) {
        const struct reflect_binding *binding = &entry_point->bindings[i];
        const struct WGPUBindGroupLayoutImpl *group = interface->layout->groups[binding->group];
        uint32_t at = gpu_bind_group_layout_find(group, binding->binding);
        const struct gpu_binding_layout *entry = &group->entries[at];
        if (entry->kind == GPU_BINDING_BUFFER && entry->min_binding_size == 0) {
            struct gpu_deferred_size size = {binding->group, at, binding->minimum_size_bytes};
            add_deferred_size(interface, size);
        }
    }
    return true;
}

void gpu_pipeline_interface_finish(struct gpu_pipeline_interface *interface) {
    GPU_UNREF(interface->layout);
    memory_free(interface->deferred_sizes);
}
