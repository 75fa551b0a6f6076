// SPDX-License-Identifier: MIT
//
// Bind group layouts: sorted entries and their equality. Any thread.
#include "webgpu/object/bind_group_layout.h"

#include <stdlib.h>
#include <string.h>

#include "webgpu/object/device.h"

static void destroy(struct gpu_object *object) {
    gpu_object_free(object);
}

const struct gpu_object_class gpu_bind_group_layout_class = {GPU_BIND_GROUP_LAYOUT, destroy, NULL};

static int compare_bindings(const void *a, const void *b) {
    const struct gpu_binding_layout *left = a;
    const struct gpu_binding_layout *right = b;
    return left->binding < right->binding ? -1 : left->binding > right->binding;
}

bool gpu_binding_is_writable(const struct gpu_binding_layout *entry) {
    return (entry->kind == GPU_BINDING_BUFFER && entry->type == WGPUBufferBindingType_Storage) ||
        (entry->kind == GPU_BINDING_STORAGE_TEXTURE &&
            entry->type != WGPUStorageTextureAccess_ReadOnly);
}

struct WGPUBindGroupLayoutImpl *gpu_bind_group_layout_create(struct WGPUDeviceImpl *device,
    struct text label, const struct gpu_binding_layout *entries, uint32_t entry_count,
    uint64_t exclusive_pipeline_id, bool is_valid) {
    size_t entries_bytes = is_valid ? sizeof(*entries) * entry_count : 0;
    struct WGPUBindGroupLayoutImpl *layout = gpu_object_create(
        &gpu_bind_group_layout_class, sizeof(*layout) + entries_bytes, device, label, is_valid);
    if (layout == NULL) {
        return NULL;
    }
    layout->entries = (struct gpu_binding_layout *)(layout + 1);
    layout->exclusive_pipeline_id = exclusive_pipeline_id;
    if (entries_bytes == 0) {
        return layout;
    }
    memcpy(layout->entries, entries, entries_bytes);
    layout->entry_count = entry_count;
    qsort(layout->entries, entry_count, sizeof(*entries), compare_bindings);
    for (uint32_t i = 0; i < entry_count; i++) {
        layout->dynamic_offset_count += layout->entries[i].has_dynamic_offset;
        layout->has_writable = layout->has_writable || gpu_binding_is_writable(&layout->entries[i]);
    }
    struct text bytes = {(const char *)layout->entries, entries_bytes};
    layout->hash = text_hash(bytes);
    return layout;
}

bool gpu_bind_group_layout_is_equivalent(
    const struct WGPUBindGroupLayoutImpl *a, const struct WGPUBindGroupLayoutImpl *b) {
    if (a == b) {
        return true;
    }
    return a->hash == b->hash && a->exclusive_pipeline_id == b->exclusive_pipeline_id &&
        a->entry_count == b->entry_count &&
        memcmp(a->entries, b->entries, sizeof(*a->entries) * a->entry_count) == 0;
}

uint32_t gpu_bind_group_layout_find(
    const struct WGPUBindGroupLayoutImpl *layout, uint32_t binding) {
    uint32_t low = 0;
    uint32_t high = layout->entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (layout->entries[middle].binding < binding) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found = low < layout->entry_count && layout->entries[low].binding == binding;
    return is_found ? low : UINT32_MAX;
}
