// SPDX-License-Identifier: MIT
//
// Rules of bind group layouts and pipeline layouts: entries one by one, then the slots that they
// use together.
#include "webgpu/validate/bind_group_layout.h"

#include <string.h>

#include "base/try.h"
#include "facts/texture_format.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/words.h"

#define ALL_STAGES (WGPUShaderStage_Vertex | WGPUShaderStage_Fragment | WGPUShaderStage_Compute)

// ---------------------------------------------------------------- slots

struct slot_counts {
    uint32_t used[LIMIT_COUNT][3]; // by limit and stage; limits without stages use stage 0
};

static void count_entry(struct slot_counts *counts, const struct gpu_binding_layout *entry) {
    // The limit of each stage, where they differ.
    static const enum limit_name buffer_limits[3] = {LIMIT_maxStorageBuffersInVertexStage,
        LIMIT_maxStorageBuffersInFragmentStage, LIMIT_maxStorageBuffersPerShaderStage};
    static const enum limit_name texture_limits[3] = {LIMIT_maxStorageTexturesInVertexStage,
        LIMIT_maxStorageTexturesInFragmentStage, LIMIT_maxStorageTexturesPerShaderStage};
    if (entry->kind == GPU_BINDING_BUFFER && entry->has_dynamic_offset) {
        if (entry->type == WGPUBufferBindingType_Uniform) {
            counts->used[LIMIT_maxDynamicUniformBuffersPerPipelineLayout][0]++;
        } else {
            counts->used[LIMIT_maxDynamicStorageBuffersPerPipelineLayout][0]++;
        }
    }
    for (uint32_t stage = 0; stage < 3; stage++) {
        if ((entry->visibility & (1u << stage)) == 0) {
            continue;
        }
        switch ((enum gpu_binding_kind)entry->kind) {
        case GPU_BINDING_BUFFER:
            if (entry->type == WGPUBufferBindingType_Uniform) {
                counts->used[LIMIT_maxUniformBuffersPerShaderStage][stage]++;
            } else {
                counts->used[buffer_limits[stage]][stage]++;
            }
            break;
        case GPU_BINDING_SAMPLER:
            counts->used[LIMIT_maxSamplersPerShaderStage][stage]++;
            break;
        case GPU_BINDING_TEXTURE:
            counts->used[LIMIT_maxSampledTexturesPerShaderStage][stage]++;
            break;
        case GPU_BINDING_STORAGE_TEXTURE:
            counts->used[texture_limits[stage]][stage]++;
            break;
        case GPU_BINDING_EXTERNAL_TEXTURE:
            counts->used[LIMIT_maxSampledTexturesPerShaderStage][stage] += 4;
            counts->used[LIMIT_maxSamplersPerShaderStage][stage]++;
            counts->used[LIMIT_maxUniformBuffersPerShaderStage][stage]++;
            break;
        }
    }
}

static const char *describe_slots(enum limit_name limit, uint32_t stage) {
    static const char *const uniform[3] = {"uniform buffers visible to the vertex stage",
        "uniform buffers visible to the fragment stage",
        "uniform buffers visible to the compute stage"};
    static const char *const storage[3] = {"storage buffers visible to the vertex stage",
        "storage buffers visible to the fragment stage",
        "storage buffers visible to the compute stage"};
    static const char *const samplers[3] = {"samplers visible to the vertex stage",
        "samplers visible to the fragment stage", "samplers visible to the compute stage"};
    static const char *const textures[3] = {"sampled textures visible to the vertex stage",
        "sampled textures visible to the fragment stage",
        "sampled textures visible to the compute stage"};
    static const char *const images[3] = {"storage textures visible to the vertex stage",
        "storage textures visible to the fragment stage",
        "storage textures visible to the compute stage"};
    if (limit == LIMIT_maxDynamicUniformBuffersPerPipelineLayout) {
        return "uniform buffers with dynamic offsets";
    }
    if (limit == LIMIT_maxDynamicStorageBuffersPerPipelineLayout) {
        return "storage buffers with dynamic offsets";
    }
    if (limit == LIMIT_maxUniformBuffersPerShaderStage) {
        return uniform[stage];
    }
    if (limit == LIMIT_maxSamplersPerShaderStage) {
        return samplers[stage];
    }
    if (limit == LIMIT_maxSampledTexturesPerShaderStage) {
        return textures[stage];
    }
    if (limit == LIMIT_maxStorageTexturesPerShaderStage ||
        limit == LIMIT_maxStorageTexturesInVertexStage ||
        limit == LIMIT_maxStorageTexturesInFragmentStage) {
        return images[stage];
    }
    return storage[stage];
}

// The first limit that is exceeded; false when none is.
static bool find_excess(const struct slot_counts *counts, const struct limit_set *limits,
    enum limit_name *out_limit, uint32_t *out_stage) {
    for (int limit = 0; limit < LIMIT_COUNT; limit++) {
        for (uint32_t stage = 0; stage < 3; stage++) {
            if (counts->used[limit][stage] > limits->values[limit]) {
                *out_limit = (enum limit_name)limit;
                *out_stage = stage;
                return true;
            }
        }
    }
    return false;
}

bool validate_layout_slots(const struct WGPUDeviceImpl *device,
    struct WGPUBindGroupLayoutImpl *const *groups, uint32_t group_count, const char *name,
    struct validate_error *error) {
    struct slot_counts counts;
    memset(&counts, 0, sizeof(counts));
    for (uint32_t i = 0; i < group_count; i++) {
        for (uint32_t j = 0; groups[i] != NULL && j < groups[i]->entry_count; j++) {
            count_entry(&counts, &groups[i]->entries[j]);
        }
    }
    enum limit_name limit;
    uint32_t stage;
    if (find_excess(&counts, &device->limits, &limit, &stage)) {
        return BROKEN(error, LAYOUT_SLOTS, name, counts.used[limit][stage],
            describe_slots(limit, stage), limit_get_info(limit)->name,
            ULL(device->limits.values[limit]));
    }
    return true;
}

// ---------------------------------------------------------------- one entry, defaults filled in

static enum texture_capability get_access_capability(uint32_t access) {
    if (access == WGPUStorageTextureAccess_ReadOnly) {
        return TEXTURE_CAPABILITY_STORAGE_READ;
    }
    return access == WGPUStorageTextureAccess_ReadWrite ? TEXTURE_CAPABILITY_STORAGE_READ_WRITE
                                                        : TEXTURE_CAPABILITY_STORAGE_WRITE;
}

static bool validate_storage_texture(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(entry->format);
    if (!texture_format_can(info, TEXTURE_CAPABILITY_FORMAT, device->features)) {
        const struct feature_info *needed = feature_get_info(
            info->needs[TEXTURE_CAPABILITY_FORMAT]);
        return BROKEN(error, BGL_FORMAT_FEATURE, name, entry->binding, info->word,
            needed != NULL ? needed->word : "?");
    }
    if ((entry->visibility & WGPUShaderStage_Vertex) != 0 &&
        entry->type != WGPUStorageTextureAccess_ReadOnly) {
        return BROKEN(
            error, BGL_VERTEX_STORAGE_TEXTURE, name, entry->binding, words_for_access(entry->type));
    }
    if (entry->dimension == WGPUTextureViewDimension_Cube ||
        entry->dimension == WGPUTextureViewDimension_CubeArray) {
        return BROKEN(error, BGL_STORAGE_DIMENSION, name, entry->binding,
            words_for_dimension(entry->dimension));
    }
    if (!texture_format_can(info, get_access_capability(entry->type), device->features)) {
        return BROKEN(error, BGL_STORAGE_FORMAT, name, entry->binding, info->word,
            words_for_access(entry->type));
    }
    return true;
}

bool validate_layout_entry(const struct WGPUDeviceImpl *device,
    const struct gpu_binding_layout *entry, const char *name, struct validate_error *error) {
    uint64_t limit = device->limits.values[LIMIT_maxBindingsPerBindGroup];
    if (entry->binding >= limit) {
        return BROKEN(error, BGL_BINDING_LIMIT, name, entry->binding, ULL(limit));
    }
    if (entry->kind == GPU_BINDING_BUFFER && entry->type == WGPUBufferBindingType_Storage &&
        (entry->visibility & WGPUShaderStage_Vertex) != 0) {
        return BROKEN(error, BGL_VERTEX_STORAGE_BUFFER, name, entry->binding);
    }
    if (entry->kind == GPU_BINDING_TEXTURE && entry->is_multisampled) {
        if (entry->dimension != WGPUTextureViewDimension_2D) {
            return BROKEN(error, BGL_MULTISAMPLED_DIMENSION, name, entry->binding,
                words_for_dimension(entry->dimension));
        }
        if (entry->type == WGPUTextureSampleType_Float) {
            return BROKEN(error, BGL_MULTISAMPLED_FLOAT, name, entry->binding);
        }
    }
    return entry->kind != GPU_BINDING_STORAGE_TEXTURE ||
        validate_storage_texture(device, entry, name, error);
}

// ---------------------------------------------------------------- one entry as it is given

static bool validate_enum(const char *name, uint32_t binding, const char *what, uint32_t value,
    uint32_t first, uint32_t last, struct validate_error *error) {
    if (value < first || value > last) {
        return BROKEN(error, BGL_ENUM, name, binding, what, value);
    }
    return true;
}

static uint32_t value_or(uint32_t value, uint32_t undefined, uint32_t fallback) {
    return value == undefined ? fallback : value;
}

static bool resolve_buffer_entry(const WGPUBindGroupLayoutEntry *entry, const char *name,
    struct gpu_binding_layout *out, struct validate_error *error) {
    TRY(validate_no_chain(entry->buffer.nextInChain, name, error));
    TRY(validate_enum(name, entry->binding, "buffer binding type", entry->buffer.type,
        WGPUBufferBindingType_Undefined, WGPUBufferBindingType_ReadOnlyStorage, error));
    out->kind = GPU_BINDING_BUFFER;
    out->type = value_or(
        entry->buffer.type, WGPUBufferBindingType_Undefined, WGPUBufferBindingType_Uniform);
    out->has_dynamic_offset = entry->buffer.hasDynamicOffset != 0;
    out->min_binding_size = entry->buffer.minBindingSize;
    return true;
}

static bool resolve_sampler_entry(const WGPUBindGroupLayoutEntry *entry, const char *name,
    struct gpu_binding_layout *out, struct validate_error *error) {
    TRY(validate_no_chain(entry->sampler.nextInChain, name, error));
    TRY(validate_enum(name, entry->binding, "sampler binding type", entry->sampler.type,
        WGPUSamplerBindingType_Undefined, WGPUSamplerBindingType_Comparison, error));
    out->kind = GPU_BINDING_SAMPLER;
    out->type = value_or(
        entry->sampler.type, WGPUSamplerBindingType_Undefined, WGPUSamplerBindingType_Filtering);
    return true;
}

static bool resolve_texture_entry(const WGPUBindGroupLayoutEntry *entry, const char *name,
    struct gpu_binding_layout *out, struct validate_error *error) {
    const WGPUTextureBindingLayout *texture = &entry->texture;
    TRY(validate_no_chain(texture->nextInChain, name, error));
    TRY(validate_enum(name, entry->binding, "texture sample type", texture->sampleType,
        WGPUTextureSampleType_Undefined, WGPUTextureSampleType_Uint, error));
    TRY(validate_enum(name, entry->binding, "texture view dimension", texture->viewDimension,
        WGPUTextureViewDimension_Undefined, WGPUTextureViewDimension_3D, error));
    out->kind = GPU_BINDING_TEXTURE;
    out->type = value_or(
        texture->sampleType, WGPUTextureSampleType_Undefined, WGPUTextureSampleType_Float);
    out->dimension = value_or(
        texture->viewDimension, WGPUTextureViewDimension_Undefined, WGPUTextureViewDimension_2D);
    out->is_multisampled = texture->multisampled != 0;
    return true;
}

static bool resolve_storage_texture_entry(const WGPUBindGroupLayoutEntry *entry, const char *name,
    struct gpu_binding_layout *out, struct validate_error *error) {
    const WGPUStorageTextureBindingLayout *texture = &entry->storageTexture;
    TRY(validate_no_chain(texture->nextInChain, name, error));
    TRY(validate_enum(name, entry->binding, "storage texture access", texture->access,
        WGPUStorageTextureAccess_Undefined, WGPUStorageTextureAccess_ReadWrite, error));
    TRY(validate_enum(name, entry->binding, "texture view dimension", texture->viewDimension,
        WGPUTextureViewDimension_Undefined, WGPUTextureViewDimension_3D, error));
    if (texture_format_get_info(texture->format) == NULL) {
        return BROKEN(error, BGL_ENUM, name, entry->binding, "storage texture format",
            (unsigned)texture->format);
    }
    out->kind = GPU_BINDING_STORAGE_TEXTURE;
    out->type = value_or(
        texture->access, WGPUStorageTextureAccess_Undefined, WGPUStorageTextureAccess_WriteOnly);
    out->format = texture->format;
    out->dimension = value_or(
        texture->viewDimension, WGPUTextureViewDimension_Undefined, WGPUTextureViewDimension_2D);
    return true;
}

static bool resolve_entry(const WGPUBindGroupLayoutEntry *entry, const char *name,
    struct gpu_binding_layout *out, struct validate_error *error) {
    struct validate_chain chain = {1, {WGPUSType_ExternalTextureBindingLayout}, {NULL}};
    TRY(validate_chain(entry->nextInChain, &chain, name, error));
    if (entry->bindingArraySize > 1) {
        return BROKEN(error, BGL_ARRAY, name, entry->binding, entry->bindingArraySize);
    }
    bool is_buffer = entry->buffer.type != WGPUBufferBindingType_BindingNotUsed;
    bool is_sampler = entry->sampler.type != WGPUSamplerBindingType_BindingNotUsed;
    bool is_texture = entry->texture.sampleType != WGPUTextureSampleType_BindingNotUsed;
    bool is_storage_texture = entry->storageTexture.access !=
        WGPUStorageTextureAccess_BindingNotUsed;
    bool is_external = chain.found[0] != NULL;
    int kind_count = is_buffer + is_sampler + is_texture + is_storage_texture + is_external;
    if (kind_count != 1) {
        return BROKEN(error, BGL_KIND, name, entry->binding,
            kind_count == 0 ? "none of them" : "several of them");
    }
    if ((entry->visibility & ~ALL_STAGES) != 0) {
        return BROKEN(error, BGL_VISIBILITY, name, entry->binding, ULL(entry->visibility));
    }
    memset(out, 0, sizeof(*out));
    out->binding = entry->binding;
    out->visibility = (uint32_t)entry->visibility;
    if (is_buffer) {
        return resolve_buffer_entry(entry, name, out, error);
    }
    if (is_sampler) {
        return resolve_sampler_entry(entry, name, out, error);
    }
    if (is_texture) {
        return resolve_texture_entry(entry, name, out, error);
    }
    if (is_storage_texture) {
        return resolve_storage_texture_entry(entry, name, out, error);
    }
    out->kind = GPU_BINDING_EXTERNAL_TEXTURE;
    return true;
}

// ---------------------------------------------------------------- layouts

static bool validate_unique(const struct gpu_binding_layout *entries, size_t index,
    const char *name, struct validate_error *error) {
    for (size_t i = 0; i < index; i++) {
        if (entries[i].binding == entries[index].binding) {
            return BROKEN(error, BGL_BINDING_TWICE, name, entries[index].binding);
        }
    }
    return true;
}

bool validate_bind_group_layout(const struct WGPUDeviceImpl *device,
    const WGPUBindGroupLayoutDescriptor *descriptor, const char *name,
    struct gpu_binding_layout *out_entries, struct validate_error *error) {
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    struct slot_counts counts;
    memset(&counts, 0, sizeof(counts));
    for (size_t i = 0; i < descriptor->entryCount; i++) {
        // Bindings are unique and below a limit, so this ends before the square of the count hurts.
        TRY(resolve_entry(&descriptor->entries[i], name, &out_entries[i], error));
        TRY(validate_layout_entry(device, &out_entries[i], name, error));
        TRY(validate_unique(out_entries, i, name, error));
        count_entry(&counts, &out_entries[i]);
    }
    enum limit_name limit;
    uint32_t stage;
    if (find_excess(&counts, &device->limits, &limit, &stage)) {
        return BROKEN(error, BGL_SLOTS, name, counts.used[limit][stage],
            describe_slots(limit, stage), limit_get_info(limit)->name,
            ULL(device->limits.values[limit]));
    }
    return true;
}

bool validate_pipeline_layout(const struct WGPUDeviceImpl *device,
    const WGPUPipelineLayoutDescriptor *descriptor, const char *name,
    struct validate_error *error) {
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    const uint64_t *limits = device->limits.values;
    if (descriptor->bindGroupLayoutCount > limits[LIMIT_maxBindGroups]) {
        return BROKEN(error, LAYOUT_GROUP_COUNT, name, ULL(descriptor->bindGroupLayoutCount),
            ULL(limits[LIMIT_maxBindGroups]));
    }
    for (uint32_t i = 0; i < descriptor->bindGroupLayoutCount; i++) {
        struct WGPUBindGroupLayoutImpl *group = descriptor->bindGroupLayouts[i];
        // WebGPU takes a layout without entries for none.
        if (group == NULL || (group->object.is_valid && group->entry_count == 0)) {
            continue;
        }
        if (!gpu_is_usable(&group->object, device)) {
            return BROKEN(error, LAYOUT_GROUP, name, i, GPU_NAME(group, BIND_GROUP_LAYOUT),
                rule_describe_unusable(&group->object, device));
        }
        if (group->exclusive_pipeline_id != 0) {
            return BROKEN(
                error, LAYOUT_GROUP_EXCLUSIVE, name, i, GPU_NAME(group, BIND_GROUP_LAYOUT));
        }
    }
    TRY(validate_layout_slots(device, descriptor->bindGroupLayouts,
        (uint32_t)descriptor->bindGroupLayoutCount, name, error));
    if (descriptor->immediateSize > limits[LIMIT_maxImmediateSize]) {
        return BROKEN(error, LAYOUT_IMMEDIATE_LIMIT, name, descriptor->immediateSize,
            ULL(limits[LIMIT_maxImmediateSize]));
    }
    if (descriptor->immediateSize % 4 != 0) {
        return BROKEN(error, LAYOUT_IMMEDIATE_MULTIPLE, name, descriptor->immediateSize);
    }
    return true;
}
