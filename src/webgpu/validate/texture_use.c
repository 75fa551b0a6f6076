// SPDX-License-Identifier: MIT
//
// Which textures are used with which samplers, against the layout and in compatibility mode.
#include "webgpu/validate/texture_use.h"

#include <stdio.h>

#include "base/try.h"
#include "webgpu/object/bind_group_layout.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/words.h"

// A WGSL name for a message, cut if it is long.
struct wgsl_name {
    char text[96];
};
static struct wgsl_name get_name(struct text name) {
    struct wgsl_name out;
    snprintf(
        out.text, sizeof(out.text), "%.*s", (int)(name.length < 90 ? name.length : 90), name.data);
    return out;
}

static const struct gpu_binding_layout *find_entry(
    const struct WGPUPipelineLayoutImpl *layout, const struct reflect_binding *binding) {
    const struct WGPUBindGroupLayoutImpl *group = layout->groups[binding->group];
    return &group->entries[gpu_bind_group_layout_find(group, binding->binding)];
}

static bool validate_pair(const struct reflect_entry_point *entry_point,
    const struct reflect_pair *pair, struct WGPUPipelineLayoutImpl *layout, const char *name,
    struct validate_error *error) {
    const struct reflect_binding *texture = &entry_point->bindings[pair->texture];
    const struct reflect_binding *sampler = &entry_point->bindings[pair->sampler];
    if (texture->kind != REFLECT_TEXTURE || sampler->kind != REFLECT_SAMPLER) {
        return true;
    }
    if (texture->is_depth && !layout->object.device->is_core) {
        return BROKEN(error, PIPELINE_COMPATIBILITY_DEPTH_SAMPLER, name,
            get_name(entry_point->name).text, get_name(texture->name).text, texture->group,
            texture->binding, get_name(sampler->name).text, sampler->group, sampler->binding);
    }
    const struct gpu_binding_layout *texture_entry = find_entry(layout, texture);
    if (find_entry(layout, sampler)->type == WGPUSamplerBindingType_Filtering &&
        texture_entry->type != WGPUTextureSampleType_Float) {
        return BROKEN(error, PIPELINE_FILTERING, name, get_name(entry_point->name).text,
            get_name(texture->name).text, texture->group, texture->binding,
            get_name(sampler->name).text, sampler->group, sampler->binding,
            words_for_sample_type(texture_entry->type));
    }
    return true;
}

// ---------------------------------------------------------------- compatibility mode

static bool validate_loads(
    const struct reflect_entry_point *entry_point, const char *name, struct validate_error *error) {
    for (uint32_t i = 0; i < entry_point->binding_count; i++) {
        const struct reflect_binding *texture = &entry_point->bindings[i];
        if (texture->is_depth && texture->is_loaded) {
            return BROKEN(error, PIPELINE_COMPATIBILITY_DEPTH_LOAD, name,
                get_name(entry_point->name).text, get_name(texture->name).text, texture->group,
                texture->binding);
        }
    }
    return true;
}

static uint64_t count_pairs(const struct reflect_entry_point *entry_point, uint32_t texture) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < entry_point->texture_pair_count; i++) {
        count += entry_point->texture_pairs[i].texture == texture;
    }
    return count != 0 ? count : 1;
}

static bool validate_pair_count(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *entry_point, const char *name, struct validate_error *error) {
    static const enum limit_name limits[] = {
        LIMIT_maxSampledTexturesPerShaderStage, LIMIT_maxSamplersPerShaderStage};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < entry_point->binding_count; i++) {
        const struct reflect_binding *texture = &entry_point->bindings[i];
        if (!texture->is_called || texture->kind == REFLECT_STORAGE_TEXTURE) {
            continue;
        }
        uint64_t count = count_pairs(entry_point, i);
        sum += texture->kind == REFLECT_EXTERNAL_TEXTURE ? 1 + 3 * count : count;
    }
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        uint64_t limit = device->limits.values[limits[i]];
        if (sum > limit) {
            return BROKEN(error, PIPELINE_COMPATIBILITY_PAIRS, name,
                get_name(entry_point->name).text, ULL(sum), limit_get_info(limits[i])->name,
                ULL(limit));
        }
    }
    return true;
}

bool validate_texture_use(const struct reflect_entry_point *entry_point,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error) {
    for (uint32_t i = 0; i < entry_point->texture_pair_count; i++) {
        TRY(validate_pair(entry_point, &entry_point->texture_pairs[i], layout, name, error));
    }
    const struct WGPUDeviceImpl *device = layout->object.device;
    return device->is_core ||
        (validate_loads(entry_point, name, error) &&
            validate_pair_count(device, entry_point, name, error));
}
