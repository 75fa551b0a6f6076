// SPDX-License-Identifier: MIT
//
// Rules of pipelines of both kinds: entry point, shader against layout; workgroup limits.
#include "webgpu/validate/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/texture_use.h"
#include "webgpu/validate/words.h"

// ---------------------------------------------------------------- the stage

bool validate_constant(
    struct text key, double value, const char *name, struct validate_error *error) {
    if (!isfinite(value)) {
        struct gpu_label label = {0, ""};
        snprintf(label.data, sizeof(label.data), "%.*s",
            (int)(key.length < GPU_LABEL_CAPACITY ? key.length : GPU_LABEL_CAPACITY), key.data);
        return BROKEN(error, PIPELINE_CONSTANT_FINITE, name, label.data, value);
    }
    return true;
}

// " (it has: a, b)", as far as it fits.
static struct rule_words list_entry_points(
    const struct reflection *reflection, enum shader_stage stage) {
    struct rule_words words = {""};
    size_t length = 0;
    for (uint32_t i = 0; i < reflection->entry_point_count; i++) {
        const struct reflect_entry_point *entry = &reflection->entry_points[i];
        if (entry->stage != stage || length + entry->name.length + 24 > sizeof(words.text)) {
            continue;
        }
        int written = snprintf(words.text + length, sizeof(words.text) - length, "%s%.*s",
            length == 0 ? " (it has: " : ", ", TEXT_ARGS(entry->name));
        length += written > 0 ? (size_t)written : 0;
    }
    if (length != 0) {
        snprintf(words.text + length, sizeof(words.text) - length, ")");
    }
    return words;
}

static uint32_t count_entry_points(const struct reflection *reflection, enum shader_stage stage) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < reflection->entry_point_count; i++) {
        count += reflection->entry_points[i].stage == stage;
    }
    return count;
}

bool validate_given_layout(const struct WGPUDeviceImpl *device,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error) {
    if (layout != NULL && !gpu_is_usable(&layout->object, device)) {
        return BROKEN(error, PIPELINE_LAYOUT, name, GPU_NAME(layout, PIPELINE_LAYOUT),
            rule_describe_unusable(&layout->object, device));
    }
    return true;
}

bool validate_stage(const struct WGPUDeviceImpl *device, enum shader_stage stage,
    struct WGPUShaderModuleImpl *module, struct text entry_point, const char *name,
    uint32_t *out_entry_point, struct validate_error *error) {
    if (module == NULL || !gpu_is_usable(&module->object, device)) {
        return BROKEN(error, PIPELINE_MODULE, name, words_for_stage(stage),
            GPU_NAME(module, SHADER_MODULE),
            rule_describe_unusable(module != NULL ? &module->object : NULL, device));
    }
    *out_entry_point = compile_find_entry_point(module->module, stage, entry_point);
    if (*out_entry_point != COMPILE_NO_ENTRY_POINT) {
        return true;
    }
    const struct reflection *reflection = module->module->reflection;
    const char *word = words_for_stage(stage);
    if (entry_point.data != NULL) {
        struct gpu_label label = {0, ""};
        snprintf(label.data, sizeof(label.data), "%.*s",
            (int)(entry_point.length < GPU_LABEL_CAPACITY ? entry_point.length
                                                          : GPU_LABEL_CAPACITY),
            entry_point.data);
        return BROKEN(error, PIPELINE_ENTRY_POINT, name, GPU_NAME(module, SHADER_MODULE), word,
            label.data, list_entry_points(reflection, stage).text);
    }
    return BROKEN(error, PIPELINE_ENTRY_POINT_DEFAULT, name, GPU_NAME(module, SHADER_MODULE),
        count_entry_points(reflection, stage), word, list_entry_points(reflection, stage).text);
}

// ---------------------------------------------------------------- shader against layout

static uint32_t get_view_dimension(enum texture_dimension dimension) {
    switch (dimension) {
    case TEXTURE_DIMENSION_1D:
        return WGPUTextureViewDimension_1D;
    case TEXTURE_DIMENSION_2D:
        return WGPUTextureViewDimension_2D;
    case TEXTURE_DIMENSION_2D_ARRAY:
        return WGPUTextureViewDimension_2DArray;
    case TEXTURE_DIMENSION_3D:
        return WGPUTextureViewDimension_3D;
    case TEXTURE_DIMENSION_CUBE:
        return WGPUTextureViewDimension_Cube;
    case TEXTURE_DIMENSION_CUBE_ARRAY:
        break;
    }
    return WGPUTextureViewDimension_CubeArray;
}

static uint32_t get_storage_access(enum access_mode access) {
    if (access == ACCESS_READ) {
        return WGPUStorageTextureAccess_ReadOnly;
    }
    return access == ACCESS_WRITE ? WGPUStorageTextureAccess_WriteOnly
                                  : WGPUStorageTextureAccess_ReadWrite;
}

static uint32_t get_visibility(enum shader_stage stage) {
    return (uint32_t)(stage == STAGE_VERTEX ? WGPUShaderStage_Vertex
            : stage == STAGE_FRAGMENT       ? WGPUShaderStage_Fragment
                                            : WGPUShaderStage_Compute);
}

void validate_default_entry(const struct reflect_binding *binding, enum shader_stage stage,
    struct gpu_binding_layout *out_entry) {
    memset(out_entry, 0, sizeof(*out_entry));
    out_entry->binding = binding->binding;
    out_entry->visibility = get_visibility(stage);
    switch (binding->kind) {
    case REFLECT_BUFFER_UNIFORM:
    case REFLECT_BUFFER_STORAGE:
    case REFLECT_BUFFER_READ_ONLY_STORAGE:
        out_entry->kind = GPU_BINDING_BUFFER;
        out_entry->type = binding->kind == REFLECT_BUFFER_UNIFORM ? WGPUBufferBindingType_Uniform
            : binding->kind == REFLECT_BUFFER_STORAGE             ? WGPUBufferBindingType_Storage
                                                      : WGPUBufferBindingType_ReadOnlyStorage;
        out_entry->min_binding_size = binding->minimum_size_bytes;
        return;
    case REFLECT_SAMPLER:
    case REFLECT_SAMPLER_COMPARISON:
        out_entry->kind = GPU_BINDING_SAMPLER;
        out_entry->type = binding->kind == REFLECT_SAMPLER ? WGPUSamplerBindingType_Filtering
                                                           : WGPUSamplerBindingType_Comparison;
        return;
    case REFLECT_TEXTURE:
        out_entry->kind = GPU_BINDING_TEXTURE;
        out_entry->type = binding->is_depth     ? WGPUTextureSampleType_Depth
            : binding->sampled_type == TYPE_I32 ? WGPUTextureSampleType_Sint
            : binding->sampled_type == TYPE_U32 ? WGPUTextureSampleType_Uint
            : binding->is_sampled               ? WGPUTextureSampleType_Float
                                                : WGPUTextureSampleType_UnfilterableFloat;
        out_entry->dimension = get_view_dimension(binding->dimension);
        out_entry->is_multisampled = binding->is_multisampled;
        return;
    case REFLECT_STORAGE_TEXTURE:
        out_entry->kind = GPU_BINDING_STORAGE_TEXTURE;
        out_entry->type = get_storage_access(binding->access);
        out_entry->format = binding->texel_format;
        out_entry->dimension = get_view_dimension(binding->dimension);
        return;
    case REFLECT_EXTERNAL_TEXTURE:
        break;
    }
    out_entry->kind = GPU_BINDING_EXTERNAL_TEXTURE;
}

// WebGPU "validating shader binding", the type's part. `wanted` is what the shader's variable would
// have in a default layout.
static bool is_compatible(
    const struct gpu_binding_layout *wanted, const struct gpu_binding_layout *given) {
    if (wanted->kind != given->kind) {
        return false;
    }
    switch ((enum gpu_binding_kind)wanted->kind) {
    case GPU_BINDING_BUFFER:
        return wanted->type == given->type;
    case GPU_BINDING_SAMPLER:
        return (wanted->type == WGPUSamplerBindingType_Comparison) ==
            (given->type == WGPUSamplerBindingType_Comparison);
    case GPU_BINDING_TEXTURE: {
        bool wants_float = wanted->type == WGPUTextureSampleType_Float ||
            wanted->type == WGPUTextureSampleType_UnfilterableFloat;
        bool can_be_depth = wanted->dimension != WGPUTextureViewDimension_1D &&
            wanted->dimension != WGPUTextureViewDimension_3D;
        bool is_type_fine = wanted->type == given->type ||
            (wants_float &&
                (given->type == WGPUTextureSampleType_Float ||
                    given->type == WGPUTextureSampleType_UnfilterableFloat ||
                    (given->type == WGPUTextureSampleType_Depth && can_be_depth)));
        return is_type_fine && wanted->dimension == given->dimension &&
            wanted->is_multisampled == given->is_multisampled;
    }
    case GPU_BINDING_STORAGE_TEXTURE: {
        bool is_access_fine = wanted->type == given->type ||
            (wanted->type == WGPUStorageTextureAccess_WriteOnly &&
                given->type == WGPUStorageTextureAccess_ReadWrite);
        return is_access_fine && wanted->dimension == given->dimension &&
            wanted->format == given->format;
    }
    case GPU_BINDING_EXTERNAL_TEXTURE:
        break;
    }
    return true;
}

struct rule_words validate_describe_entry(const struct gpu_binding_layout *entry) {
    struct rule_words words = {""};
    switch ((enum gpu_binding_kind)entry->kind) {
    case GPU_BINDING_BUFFER:
        snprintf(words.text, sizeof(words.text), "a buffer of type %s",
            words_for_buffer_type(entry->type));
        break;
    case GPU_BINDING_SAMPLER:
        snprintf(words.text, sizeof(words.text), "a sampler of type %s",
            words_for_sampler_type(entry->type));
        break;
    case GPU_BINDING_TEXTURE:
        snprintf(words.text, sizeof(words.text), "a%s texture of sample type %s and dimension %s",
            entry->is_multisampled ? " multisampled" : "", words_for_sample_type(entry->type),
            words_for_dimension(entry->dimension));
        break;
    case GPU_BINDING_STORAGE_TEXTURE:
        snprintf(words.text, sizeof(words.text),
            "a storage texture of access %s, format %s and dimension %s",
            words_for_access(entry->type), words_for_format(entry->format),
            words_for_dimension(entry->dimension));
        break;
    case GPU_BINDING_EXTERNAL_TEXTURE:
        snprintf(words.text, sizeof(words.text), "an external texture");
        break;
    }
    return words;
}

static struct rule_words describe_variable(
    const struct reflect_binding *binding, const struct gpu_binding_layout *wanted) {
    static const char *const spaces[] = {"declared var<uniform>, for a buffer of type Uniform",
        "declared var<storage, read_write>, for a buffer of type "
        "Storage",
        "declared var<storage, read>, for a buffer of type "
        "ReadOnlyStorage"};
    if (wanted->kind != GPU_BINDING_BUFFER) {
        return validate_describe_entry(wanted);
    }
    struct rule_words words = {""};
    snprintf(words.text, sizeof(words.text), "%s",
        spaces[binding->kind == REFLECT_BUFFER_UNIFORM    ? 0
                : binding->kind == REFLECT_BUFFER_STORAGE ? 1
                                                          : 2]);
    return words;
}

static bool validate_binding(const struct reflect_binding *binding, enum shader_stage stage,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error) {
    char variable[96];
    snprintf(variable, sizeof(variable), "%.*s",
        (int)(binding->name.length < 90 ? binding->name.length : 90), binding->name.data);
    struct WGPUBindGroupLayoutImpl *group = binding->group < GPU_BIND_GROUP_SLOTS
        ? layout->groups[binding->group]
        : NULL;
    uint32_t at = group != NULL ? gpu_bind_group_layout_find(group, binding->binding) : UINT32_MAX;
    if (at == UINT32_MAX) {
        return BROKEN(error, PIPELINE_BINDING_MISSING, name, variable, binding->group,
            binding->binding, GPU_NAME(layout, PIPELINE_LAYOUT));
    }
    const struct gpu_binding_layout *given = &group->entries[at];
    struct gpu_binding_layout wanted;
    validate_default_entry(binding, stage, &wanted);
    if (!is_compatible(&wanted, given)) {
        return BROKEN(error, PIPELINE_BINDING_TYPE, name, variable, binding->group,
            binding->binding, describe_variable(binding, &wanted).text,
            validate_describe_entry(given).text);
    }
    if ((given->visibility & wanted.visibility) == 0) {
        return BROKEN(error, PIPELINE_BINDING_VISIBILITY, name, variable, binding->group,
            binding->binding, words_for_stage(stage));
    }
    if (given->kind == GPU_BINDING_BUFFER && given->min_binding_size != 0 &&
        given->min_binding_size < binding->minimum_size_bytes) {
        return BROKEN(error, PIPELINE_BINDING_MIN_SIZE, name, variable, binding->group,
            binding->binding, ULL(binding->minimum_size_bytes), ULL(given->min_binding_size));
    }
    return true;
}

bool validate_shader_layout(const struct reflect_entry_point *entry_point,
    struct WGPUPipelineLayoutImpl *layout, const char *name, struct validate_error *error) {
    for (uint32_t i = 0; i < entry_point->binding_count; i++) {
        TRY(validate_binding(&entry_point->bindings[i], entry_point->stage, layout, name, error));
    }
    TRY(validate_texture_use(entry_point, layout, name, error));
    if (entry_point->immediate_size_bytes > layout->immediate_size_bytes) {
        return BROKEN(error, PIPELINE_IMMEDIATE_SIZE, name, entry_point->immediate_size_bytes,
            GPU_NAME(layout, PIPELINE_LAYOUT), layout->immediate_size_bytes);
    }
    return true;
}

// ---------------------------------------------------------------- workgroups

// " tile: 16384 bytes, sum: 16 bytes". A specialised program has no variables that it does not use.
static void list_workgroup_variables(const struct ir_module *module, struct text_buffer *out) {
    const char *separator = " ";
    for (size_t i = 0; i < module->variables.count; i++) {
        const struct ir_variable *variable = &module->variables.items[i];
        if (variable->space == SPACE_WORKGROUP) {
            text_buffer_print(out, "%s%.*s: %llu bytes", separator, TEXT_ARGS(variable->name),
                ULL(type_get(&module->types, variable->type)->size_bytes));
            separator = ", ";
        }
    }
}

bool validate_workgroup(const struct WGPUDeviceImpl *device, const struct ir_module *module,
    const struct reflect_entry_point *entry_point, const char *name, struct validate_error *error) {
    static const enum limit_name size_limits[3] = {LIMIT_maxComputeWorkgroupSizeX,
        LIMIT_maxComputeWorkgroupSizeY, LIMIT_maxComputeWorkgroupSizeZ};
    static const char *const axes[3] = {"x", "y", "z"};
    const uint64_t *limits = device->limits.values;
    const uint32_t *size = entry_point->workgroup_size;
    char entry[96];
    snprintf(entry, sizeof(entry), "%.*s",
        (int)(entry_point->name.length < 90 ? entry_point->name.length : 90),
        entry_point->name.data);
    for (int i = 0; i < 3; i++) {
        if (size[i] > limits[size_limits[i]]) {
            return BROKEN(error, PIPELINE_WORKGROUP_SIZE, name, entry, size[i], axes[i],
                limit_get_info(size_limits[i])->name, ULL(limits[size_limits[i]]));
        }
    }
    // Each factor is within a limit below 2^21 here, so the product fits.
    uint64_t invocations = (uint64_t)size[0] * size[1] * size[2];
    if (invocations > limits[LIMIT_maxComputeInvocationsPerWorkgroup]) {
        return BROKEN(error, PIPELINE_INVOCATIONS, name, entry, size[0], size[1], size[2],
            ULL(invocations), ULL(limits[LIMIT_maxComputeInvocationsPerWorkgroup]));
    }
    if (entry_point->workgroup_memory_bytes > limits[LIMIT_maxComputeWorkgroupStorageSize]) {
        struct text_buffer list = {0};
        list_workgroup_variables(module, &list);
        BROKEN(error, PIPELINE_WORKGROUP_STORAGE, name, entry,
            ULL(entry_point->workgroup_memory_bytes),
            ULL(limits[LIMIT_maxComputeWorkgroupStorageSize]), text_buffer_get(&list).data);
        text_buffer_finish(&list);
        return false;
    }
    return true;
}
