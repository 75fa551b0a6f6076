// SPDX-License-Identifier: MIT
//
// Rules of compute passes. Those of a dispatch's state run only after the state has changed.
#include "webgpu/validate/compute_pass.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/try.h"
#include "webgpu/validate/buffer.h"

#define PASS_NAME GPU_NAME(pass, COMPUTE_PASS_ENCODER)

static const char *describe(const struct gpu_object *object, const struct WGPUDeviceImpl *device) {
    return rule_describe_unusable(object, device);
}

// ---------------------------------------------------------------- setting state

static bool validate_dynamic_offsets(struct WGPUComputePassEncoderImpl *pass,
    struct WGPUBindGroupImpl *group, const uint32_t *offsets, struct validate_error *error) {
    const uint64_t *limits = pass->object.device->limits.values;
    uint32_t at = 0;
    for (uint32_t i = 0; i < group->layout->entry_count; i++) {
        const struct gpu_binding_layout *entry = &group->layout->entries[i];
        if (!entry->has_dynamic_offset) {
            continue;
        }
        uint32_t offset = offsets[at++];
        const struct gpu_binding *binding = &group->bindings[i];
        enum limit_name limit = entry->type == WGPUBufferBindingType_Uniform
            ? LIMIT_minUniformBufferOffsetAlignment
            : LIMIT_minStorageBufferOffsetAlignment;
        if (offset % limits[limit] != 0) {
            return BROKEN(error, DYNAMIC_ALIGNMENT, PASS_NAME, offset, entry->binding,
                GPU_NAME(group, BIND_GROUP), limit_get_info(limit)->name, ULL(limits[limit]));
        }
        // More than the standard's minBindingSize: what is bound must lie within the buffer.
        uint64_t start = binding->offset_bytes + offset;
        if (!validate_is_within(start, binding->size_bytes, binding->buffer->size_bytes)) {
            return BROKEN(error, DYNAMIC_RANGE, PASS_NAME, offset, entry->binding,
                GPU_NAME(group, BIND_GROUP), ULL(start), ULL(binding->size_bytes),
                GPU_NAME(binding->buffer, BUFFER), ULL(binding->buffer->size_bytes));
        }
    }
    return true;
}

bool validate_set_bind_group(struct WGPUComputePassEncoderImpl *pass, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets,
    struct validate_error *error) {
    const struct WGPUDeviceImpl *device = pass->object.device;
    uint64_t group_limit = device->limits.values[LIMIT_maxBindGroups];
    if (index >= group_limit) {
        return BROKEN(error, SET_GROUP_INDEX, PASS_NAME, index, ULL(group_limit));
    }
    if (group != NULL && !gpu_is_usable(&group->object, device)) {
        return BROKEN(error, SET_GROUP, PASS_NAME, GPU_NAME(group, BIND_GROUP),
            describe(&group->object, device));
    }
    uint32_t expected = group != NULL ? group->layout->dynamic_offset_count : 0;
    if (offset_count != expected) {
        return BROKEN(error, DYNAMIC_COUNT, PASS_NAME, ULL(offset_count),
            GPU_NAME(group, BIND_GROUP), expected);
    }
    return group == NULL || validate_dynamic_offsets(pass, group, offsets, error);
}

bool validate_set_immediates(struct WGPUComputePassEncoderImpl *pass, uint32_t offset_bytes,
    size_t size_bytes, struct validate_error *error) {
    uint64_t limit = pass->object.device->limits.values[LIMIT_maxImmediateSize];
    if (offset_bytes % 4 != 0) {
        return BROKEN(error, IMMEDIATES_OFFSET, PASS_NAME, offset_bytes);
    }
    if (size_bytes % 4 != 0) {
        return BROKEN(error, IMMEDIATES_SIZE, PASS_NAME, ULL(size_bytes));
    }
    if (!validate_is_within(offset_bytes, size_bytes, limit)) {
        return BROKEN(
            error, IMMEDIATES_RANGE, PASS_NAME, offset_bytes, ULL(size_bytes), ULL(limit));
    }
    return true;
}

// ---------------------------------------------------------------- dispatches

static bool validate_deferred_sizes(
    struct WGPUComputePassEncoderImpl *pass, struct validate_error *error) {
    struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    for (uint32_t i = 0; i < pipeline->interface.deferred_size_count; i++) {
        const struct gpu_deferred_size *needed = &pipeline->interface.deferred_sizes[i];
        struct WGPUBindGroupImpl *group = pass->slots[needed->group].group;
        const struct gpu_binding *binding = &group->bindings[needed->entry];
        if (binding->size_bytes < needed->minimum_bytes) {
            return BROKEN(error, DISPATCH_SIZE_BOUND, PASS_NAME,
                GPU_NAME(pipeline, COMPUTE_PIPELINE), group->layout->entries[needed->entry].binding,
                GPU_NAME(group, BIND_GROUP), needed->group, ULL(binding->size_bytes),
                GPU_NAME(binding->buffer, BUFFER), ULL(needed->minimum_bytes));
        }
    }
    return true;
}

bool validate_dispatch_state(
    struct WGPUComputePassEncoderImpl *pass, struct validate_error *error) {
    struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    if (pipeline == NULL) {
        return BROKEN(error, DISPATCH_PIPELINE, PASS_NAME);
    }
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        struct WGPUBindGroupLayoutImpl *layout = pipeline->interface.layout->groups[i];
        struct WGPUBindGroupImpl *group = pass->slots[i].group;
        if (layout == NULL) {
            continue;
        }
        if (group == NULL) {
            return BROKEN(
                error, DISPATCH_GROUP, PASS_NAME, GPU_NAME(pipeline, COMPUTE_PIPELINE), i);
        }
        if (!gpu_bind_group_layout_is_equivalent(group->layout, layout)) {
            return BROKEN(error, DISPATCH_LAYOUT, PASS_NAME, GPU_NAME(pipeline, COMPUTE_PIPELINE),
                GPU_NAME(group, BIND_GROUP), i, GPU_NAME(group->layout, BIND_GROUP_LAYOUT),
                layout->exclusive_pipeline_id != group->layout->exclusive_pipeline_id
                    ? "one of them is of a pipeline with an automatic layout"
                    : GPU_NAME(layout, BIND_GROUP_LAYOUT));
        }
    }
    TRY(validate_deferred_sizes(pass, error));
    uint64_t unset = pipeline->interface.immediate_slots & ~pass->immediate_slots_set;
    if (unset != 0) {
        uint32_t slot = 0;
        while (((unset >> slot) & 1u) == 0) {
            slot++;
        }
        return BROKEN(
            error, DISPATCH_IMMEDIATES, PASS_NAME, GPU_NAME(pipeline, COMPUTE_PIPELINE), slot * 4);
    }
    return true;
}

static struct rule_words describe_usage(const struct usage *usage) {
    static const char *const words[] = {
        "the indirect buffer", "Uniform", "Storage", "ReadOnlyStorage"};
    struct rule_words out = {""};
    if (usage->kind == USAGE_INPUT) {
        snprintf(out.text, sizeof(out.text), "%s", words[0]);
    } else {
        snprintf(out.text, sizeof(out.text), "group %u binding %u (%s)", usage->group,
            usage->binding, words[usage->kind]);
    }
    return out;
}

static bool validate_pair(struct WGPUComputePassEncoderImpl *pass, const struct usage *a,
    const struct usage *b, struct validate_error *error) {
    struct WGPUBufferImpl *buffer = (struct WGPUBufferImpl *)(uintptr_t)a->buffer;
    if (!usage_kinds_are_compatible(a->kind, b->kind)) {
        return BROKEN(error, DISPATCH_USAGE, PASS_NAME, GPU_NAME(buffer, BUFFER),
            describe_usage(a).text, describe_usage(b).text);
    }
    // Compatible, so that if one may write, both may.
    bool overlaps = a->offset_bytes < b->offset_bytes + b->size_bytes &&
        b->offset_bytes < a->offset_bytes + a->size_bytes;
    if (a->kind == USAGE_STORAGE && overlaps && (a->visibility & b->visibility) != 0) {
        return BROKEN(error, DISPATCH_ALIAS, PASS_NAME, ULL(a->offset_bytes),
            ULL(a->offset_bytes + a->size_bytes), GPU_NAME(buffer, BUFFER), describe_usage(a).text,
            ULL(b->offset_bytes), ULL(b->offset_bytes + b->size_bytes), describe_usage(b).text);
    }
    return true;
}

static struct rule_words describe_texture_usage(const struct texture_usage *usage) {
    static const char *const words[] = {"", "Texture", "StorageTexture", "ReadOnly StorageTexture"};
    struct rule_words out = {""};
    snprintf(out.text, sizeof(out.text), "group %u binding %u (%s)", usage->group, usage->binding,
        words[usage->kind]);
    return out;
}

static bool validate_texture_pair(struct WGPUComputePassEncoderImpl *pass,
    const struct texture_usage *a, const struct texture_usage *b, struct validate_error *error) {
    struct WGPUTextureImpl *texture = a->view->texture;
    if (!usage_kinds_are_compatible(a->kind, b->kind)) {
        return BROKEN(error, DISPATCH_TEXTURE_USAGE, PASS_NAME, GPU_NAME(texture, TEXTURE),
            describe_texture_usage(a).text, describe_texture_usage(b).text);
    }
    if (a->kind == USAGE_STORAGE && (a->visibility & b->visibility) != 0) {
        return BROKEN(error, DISPATCH_TEXTURE_ALIAS, PASS_NAME, GPU_NAME(texture, TEXTURE),
            describe_texture_usage(a).text, describe_texture_usage(b).text);
    }
    return true;
}

// Few textures fit into the slots of a stage: all pairs are looked at.
static bool validate_texture_usages(struct WGPUComputePassEncoderImpl *pass,
    const struct usage_scope *scope, struct validate_error *error) {
    const struct texture_usage *items = scope->texture_usages.items;
    for (size_t i = 0; i < scope->texture_usages.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (gpu_texture_views_alias(items[i].view, items[j].view)) {
                TRY(validate_texture_pair(pass, &items[j], &items[i], error));
            }
        }
    }
    return true;
}

static int compare_usages(const void *a, const void *b) {
    const struct usage *left = a;
    const struct usage *right = b;
    if (left->buffer != right->buffer) {
        return (uintptr_t)left->buffer < (uintptr_t)right->buffer ? -1 : 1;
    }
    return left->offset_bytes < right->offset_bytes ? -1 : left->offset_bytes > right->offset_bytes;
}

// Up to here all pairs are looked at; longer lists are sorted so that only neighbours need be.
#define PAIR_LIMIT 24

bool validate_usage_scope(struct WGPUComputePassEncoderImpl *pass, struct usage_scope *scope,
    struct validate_error *error) {
    struct usage *items = scope->usages.items;
    size_t count = scope->usages.count;
    TRY(validate_texture_usages(pass, scope, error));
    if (count <= PAIR_LIMIT) {
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < i; j++) {
                if (items[i].buffer == items[j].buffer) {
                    TRY(validate_pair(pass, &items[j], &items[i], error));
                }
            }
        }
        return true;
    }
    qsort(items, count, sizeof(*items), compare_usages);
    size_t reach = 0; // the earlier use of the same buffer that ends last
    for (size_t i = 1; i < count; i++) {
        if (items[i].buffer != items[reach].buffer) {
            reach = i;
            continue;
        }
        TRY(validate_pair(pass, &items[i - 1], &items[i], error));
        TRY(validate_pair(pass, &items[reach], &items[i], error));
        if (items[i].offset_bytes + items[i].size_bytes >
            items[reach].offset_bytes + items[reach].size_bytes) {
            reach = i;
        }
    }
    return true;
}

bool validate_dispatch_count(struct WGPUComputePassEncoderImpl *pass, const uint32_t workgroups[3],
    struct validate_error *error) {
    uint64_t limit = pass->object.device->limits.values[LIMIT_maxComputeWorkgroupsPerDimension];
    if (workgroups[0] > limit || workgroups[1] > limit || workgroups[2] > limit) {
        return BROKEN(error, DISPATCH_COUNT, PASS_NAME, workgroups[0], workgroups[1], workgroups[2],
            ULL(limit));
    }
    const struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    if (!pipeline->uses_workgroup_index && !pipeline->uses_global_invocation_index) {
        return true;
    }
    uint64_t plane = (uint64_t)workgroups[0] * workgroups[1];
    bool is_plane_big = plane > UINT32_MAX;
    uint64_t total = is_plane_big ? UINT64_MAX : plane * workgroups[2];
    if (workgroups[0] == 0 || workgroups[1] == 0 || workgroups[2] == 0) {
        return true;
    }
    const uint32_t *size = pipeline->workgroup_size;
    uint64_t per_group = (uint64_t)size[0] * size[1] * size[2];
    if (pipeline->uses_workgroup_index && total > UINT32_MAX) {
        return BROKEN(error, DISPATCH_INDEX, PASS_NAME, workgroups[0], workgroups[1], workgroups[2],
            GPU_NAME(pass->pipeline, COMPUTE_PIPELINE), "workgroup_index");
    }
    if (pipeline->uses_global_invocation_index && total > UINT32_MAX / per_group) {
        return BROKEN(error, DISPATCH_INDEX, PASS_NAME, workgroups[0], workgroups[1], workgroups[2],
            GPU_NAME(pass->pipeline, COMPUTE_PIPELINE), "global_invocation_index");
    }
    return true;
}

bool validate_indirect(struct WGPUComputePassEncoderImpl *pass, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, struct validate_error *error) {
    const struct WGPUDeviceImpl *device = pass->object.device;
    if (buffer == NULL || !gpu_is_usable(&buffer->object, device)) {
        return BROKEN(error, INDIRECT_BUFFER, PASS_NAME, GPU_NAME(buffer, BUFFER),
            describe(buffer != NULL ? &buffer->object : NULL, device));
    }
    if ((buffer->usage & WGPUBufferUsage_Indirect) == 0) {
        return BROKEN(error, INDIRECT_USAGE, PASS_NAME, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    if (offset_bytes % 4 != 0) {
        return BROKEN(error, INDIRECT_OFFSET, PASS_NAME, ULL(offset_bytes));
    }
    if (!validate_is_within(offset_bytes, 12, buffer->size_bytes)) {
        return BROKEN(error, INDIRECT_RANGE, PASS_NAME, ULL(offset_bytes), GPU_NAME(buffer, BUFFER),
            ULL(buffer->size_bytes));
    }
    return true;
}
