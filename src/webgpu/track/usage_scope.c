// SPDX-License-Identifier: MIT
//
// Collection of the uses of a dispatch.
#include "webgpu/track/usage_scope.h"

#include "base/try.h"

void usage_scope_finish(struct usage_scope *scope) {
    vector_finish(&scope->usages);
    vector_finish(&scope->texture_usages);
}

static enum usage_kind get_kind(uint32_t buffer_binding_type) {
    if (buffer_binding_type == WGPUBufferBindingType_Storage) {
        return USAGE_STORAGE;
    }
    return buffer_binding_type == WGPUBufferBindingType_ReadOnlyStorage ? USAGE_STORAGE_READ
                                                                        : USAGE_CONSTANT;
}

static enum usage_kind get_texture_kind(const struct gpu_binding_layout *entry) {
    if (entry->kind != GPU_BINDING_STORAGE_TEXTURE) {
        return USAGE_CONSTANT;
    }
    return entry->type == WGPUStorageTextureAccess_ReadOnly ? USAGE_STORAGE_READ : USAGE_STORAGE;
}

static bool collect_group(
    struct usage_scope *scope, const struct gpu_bind_slot *slot, uint32_t index) {
    const struct WGPUBindGroupImpl *group = slot->group;
    uint32_t dynamic = 0;
    for (uint32_t i = 0; i < group->layout->entry_count; i++) {
        const struct gpu_binding_layout *entry = &group->layout->entries[i];
        const struct gpu_binding *binding = &group->bindings[i];
        if (binding->view != NULL) {
            struct texture_usage texture_usage = {
                .view = binding->view,
                .kind = get_texture_kind(entry),
                .group = index,
                .binding = entry->binding,
                .visibility = entry->visibility,
            };
            TRY(vector_push(&scope->texture_usages, MEMORY_COMMAND, texture_usage));
        }
        if (binding->buffer == NULL) {
            continue;
        }
        uint64_t offset = binding->offset_bytes;
        if (entry->has_dynamic_offset) {
            offset += slot->dynamic_offsets[dynamic++];
        }
        struct usage usage = {
            .buffer = binding->buffer,
            .kind = get_kind(entry->type),
            .group = index,
            .binding = entry->binding,
            .visibility = entry->visibility,
            .offset_bytes = offset,
            .size_bytes = binding->size_bytes,
        };
        TRY(vector_push(&scope->usages, MEMORY_COMMAND, usage));
    }
    return true;
}

bool usage_scope_collect(struct usage_scope *scope, const struct WGPUComputePassEncoderImpl *pass,
    const struct WGPUBufferImpl *indirect) {
    scope->usages.count = 0;
    scope->texture_usages.count = 0;
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        if (pass->pipeline->interface.layout->groups[i] != NULL) {
            TRY(collect_group(scope, &pass->slots[i], i));
        }
    }
    if (indirect != NULL) {
        struct usage usage = {.buffer = indirect, .kind = USAGE_INPUT, .group = UINT32_MAX};
        TRY(vector_push(&scope->usages, MEMORY_COMMAND, usage));
    }
    return true;
}

bool usage_kinds_are_compatible(enum usage_kind a, enum usage_kind b) {
    return (a == USAGE_STORAGE) == (b == USAGE_STORAGE);
}
