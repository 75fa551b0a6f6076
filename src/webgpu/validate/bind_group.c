// SPDX-License-Identifier: MIT
//
// Rules of bind groups.
#include "webgpu/validate/bind_group.h"

#include <stdio.h>

#include "base/try.h"
#include "webgpu/object/external_texture.h"
#include "webgpu/validate/bind_group_texture.h"
#include "webgpu/validate/buffer.h"
#include "webgpu/validate/chain.h"

bool validate_bind_group_layout_use(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupDescriptor *descriptor, const char *name, struct validate_error *error) {
    struct WGPUBindGroupLayoutImpl *layout = descriptor->layout;
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    if (layout == NULL || !gpu_is_usable(&layout->object, device)) {
        return BROKEN(error, GROUP_LAYOUT, name, GPU_NAME(layout, BIND_GROUP_LAYOUT),
            rule_describe_unusable(layout != NULL ? &layout->object : NULL, device));
    }
    if (descriptor->entryCount != layout->entry_count) {
        return BROKEN(error, GROUP_ENTRY_COUNT, name, ULL(descriptor->entryCount),
            GPU_NAME(layout, BIND_GROUP_LAYOUT), layout->entry_count);
    }
    return true;
}

static const char *describe_kind(uint32_t kind) {
    switch ((enum gpu_binding_kind)kind) {
    case GPU_BINDING_BUFFER:
        return "a buffer";
    case GPU_BINDING_SAMPLER:
        return "a sampler";
    case GPU_BINDING_TEXTURE:
        return "a texture";
    case GPU_BINDING_STORAGE_TEXTURE:
        return "a storage texture";
    case GPU_BINDING_EXTERNAL_TEXTURE:
        break;
    }
    return "an external texture";
}

static const char *describe_resource(
    const WGPUBindGroupEntry *entry, const struct validate_chain *chain) {
    int count = (entry->buffer != NULL) + (entry->sampler != NULL) + (entry->textureView != NULL) +
        (chain->found[0] != NULL);
    if (count != 1) {
        return count == 0 ? "nothing" : "more than one resource";
    }
    if (entry->buffer != NULL) {
        return "a buffer";
    }
    if (entry->sampler != NULL) {
        return "a sampler";
    }
    return entry->textureView != NULL ? "a texture view" : "an external texture";
}

static bool is_resource_of_kind(
    const WGPUBindGroupEntry *entry, const struct validate_chain *chain, uint32_t kind) {
    int count = (entry->buffer != NULL) + (entry->sampler != NULL) + (entry->textureView != NULL) +
        (chain->found[0] != NULL);
    if (count != 1) {
        return false;
    }
    switch ((enum gpu_binding_kind)kind) {
    case GPU_BINDING_BUFFER:
        return entry->buffer != NULL;
    case GPU_BINDING_SAMPLER:
        return entry->sampler != NULL;
    case GPU_BINDING_TEXTURE:
    case GPU_BINDING_STORAGE_TEXTURE:
        return entry->textureView != NULL;
    case GPU_BINDING_EXTERNAL_TEXTURE:
        break;
    }
    return chain->found[0] != NULL || entry->textureView != NULL;
}

// What the two kinds of buffer bindings ask for.
struct buffer_needs {
    WGPUBufferUsage usage;
    const char *usage_word;
    enum limit_name size_limit;
    enum limit_name alignment_limit;
    bool is_storage;
};

static struct buffer_needs get_needs(const struct gpu_binding_layout *entry) {
    static const struct buffer_needs uniform = {WGPUBufferUsage_Uniform, "Uniform",
        LIMIT_maxUniformBufferBindingSize, LIMIT_minUniformBufferOffsetAlignment, false};
    static const struct buffer_needs storage = {WGPUBufferUsage_Storage, "Storage",
        LIMIT_maxStorageBufferBindingSize, LIMIT_minStorageBufferOffsetAlignment, true};
    return entry->type == WGPUBufferBindingType_Uniform ? uniform : storage;
}

static bool validate_buffer_binding(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupEntry *entry, const struct gpu_binding_layout *layout_entry,
    const char *name, struct gpu_binding *out_binding, struct validate_error *error) {
    struct WGPUBufferImpl *buffer = entry->buffer;
    uint32_t number = entry->binding;
    if (!gpu_is_usable(&buffer->object, device)) {
        return BROKEN(error, GROUP_BUFFER, name, number, GPU_NAME(buffer, BUFFER),
            rule_describe_unusable(&buffer->object, device));
    }
    uint64_t size = entry->size;
    if (size == WGPU_WHOLE_SIZE) {
        size = entry->offset < buffer->size_bytes ? buffer->size_bytes - entry->offset : 0;
    }
    if (!validate_is_within(entry->offset, size, buffer->size_bytes)) {
        return BROKEN(error, GROUP_RANGE, name, number,
            rule_describe_range(entry->offset, size, buffer->size_bytes, "").text,
            GPU_NAME(buffer, BUFFER), ULL(buffer->size_bytes));
    }
    if (size == 0) {
        return BROKEN(error, GROUP_RANGE_EMPTY, name, number, ULL(entry->offset),
            GPU_NAME(buffer, BUFFER), ULL(buffer->size_bytes));
    }
    struct buffer_needs needs = get_needs(layout_entry);
    const uint64_t *limits = device->limits.values;
    if ((buffer->usage & needs.usage) == 0) {
        return BROKEN(error, GROUP_USAGE, name, number, needs.usage_word, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    if (size < layout_entry->min_binding_size) {
        return BROKEN(error, GROUP_MIN_SIZE, name, number, ULL(size), GPU_NAME(buffer, BUFFER),
            ULL(layout_entry->min_binding_size));
    }
    if (size > limits[needs.size_limit]) {
        char hint[96] = "";
        if (!needs.is_storage) {
            snprintf(hint, sizeof(hint), "; storage buffers may be larger, up to %llu",
                ULL(limits[LIMIT_maxStorageBufferBindingSize]));
        }
        return BROKEN(error, GROUP_SIZE_LIMIT, name, number, ULL(size), GPU_NAME(buffer, BUFFER),
            limit_get_info(needs.size_limit)->name, ULL(limits[needs.size_limit]), hint);
    }
    if (needs.is_storage && size % 4 != 0) {
        return BROKEN(
            error, GROUP_SIZE_MULTIPLE, name, number, ULL(size), GPU_NAME(buffer, BUFFER));
    }
    if (entry->offset % limits[needs.alignment_limit] != 0) {
        return BROKEN(error, GROUP_OFFSET_ALIGNMENT, name, number, ULL(entry->offset),
            GPU_NAME(buffer, BUFFER), limit_get_info(needs.alignment_limit)->name,
            ULL(limits[needs.alignment_limit]));
    }
    out_binding->buffer = buffer;
    out_binding->offset_bytes = entry->offset;
    out_binding->size_bytes = size;
    return true;
}

// No external texture is ever valid: nothing here can make one.
static bool validate_other_binding(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupEntry *entry, const struct gpu_binding_layout *layout_entry,
    const struct validate_chain *chain, const char *name, struct gpu_binding *out_binding,
    struct validate_error *error) {
    if (entry->sampler != NULL) {
        return validate_sampler_binding(
            device, layout_entry, entry->sampler, name, out_binding, error);
    }
    if (entry->textureView != NULL) {
        return validate_view_binding(
            device, layout_entry, entry->textureView, name, out_binding, error);
    }
    const WGPUExternalTextureBindingEntry *external = (const WGPUExternalTextureBindingEntry *)
                                                          chain->found[0];
    struct WGPUExternalTextureImpl *texture = external->externalTexture;
    return BROKEN(error, GROUP_BUFFER, name, entry->binding, GPU_NAME(texture, EXTERNAL_TEXTURE),
        rule_describe_unusable(texture != NULL ? &texture->object : NULL, device));
}

bool validate_bind_group(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupDescriptor *descriptor, const char *name, struct gpu_binding *out_bindings,
    struct validate_error *error) {
    struct WGPUBindGroupLayoutImpl *layout = descriptor->layout;
    for (size_t i = 0; i < descriptor->entryCount; i++) {
        const WGPUBindGroupEntry *entry = &descriptor->entries[i];
        struct validate_chain chain = {1, {WGPUSType_ExternalTextureBindingEntry}, {NULL}};
        TRY(validate_chain(entry->nextInChain, &chain, name, error));
        uint32_t at = gpu_bind_group_layout_find(layout, entry->binding);
        if (at == UINT32_MAX) {
            return BROKEN(error, GROUP_BINDING_UNKNOWN, name, entry->binding,
                GPU_NAME(layout, BIND_GROUP_LAYOUT));
        }
        if (out_bindings[at].buffer != NULL || out_bindings[at].view != NULL ||
            out_bindings[at].sampler != NULL) {
            return BROKEN(error, GROUP_BINDING_TWICE, name, entry->binding);
        }
        uint32_t kind = layout->entries[at].kind;
        if (!is_resource_of_kind(entry, &chain, kind)) {
            return BROKEN(error, GROUP_RESOURCE, name, entry->binding, describe_kind(kind),
                GPU_NAME(layout, BIND_GROUP_LAYOUT), describe_resource(entry, &chain));
        }
        if (kind == GPU_BINDING_BUFFER) {
            TRY(validate_buffer_binding(
                device, entry, &layout->entries[at], name, &out_bindings[at], error));
        } else {
            TRY(validate_other_binding(
                device, entry, &layout->entries[at], &chain, name, &out_bindings[at], error));
        }
    }
    return true;
}
