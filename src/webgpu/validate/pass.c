// SPDX-License-Identifier: MIT
//
// Rules of what passes bind. Those of a dispatch's or draw's state run only after the state has
// changed.
#include "webgpu/validate/pass.h"

#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "webgpu/validate/buffer.h"
#include "webgpu/validate/pipeline.h"

#define PASS_NAME gpu_object_get_name(&pass->object, pass->object.class_of->kind).text
#define PIPELINE_NAME gpu_object_get_name(pipeline, pipeline->class_of->kind).text

// ---------------------------------------------------------------- setting state

static bool validate_dynamic_offsets(struct gpu_pass *pass, struct WGPUBindGroupImpl *group,
    const uint32_t *offsets, struct validate_error *error) {
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

bool validate_set_bind_group(struct gpu_pass *pass, uint32_t index, struct WGPUBindGroupImpl *group,
    size_t offset_count, const uint32_t *offsets, struct validate_error *error) {
    const struct WGPUDeviceImpl *device = pass->object.device;
    uint64_t group_limit = device->limits.values[LIMIT_maxBindGroups];
    if (index >= group_limit) {
        return BROKEN(error, SET_GROUP_INDEX, PASS_NAME, index, ULL(group_limit));
    }
    if (group != NULL && !gpu_is_usable(&group->object, device)) {
        return BROKEN(error, SET_GROUP, PASS_NAME, GPU_NAME(group, BIND_GROUP),
            rule_describe_unusable(&group->object, device));
    }
    uint32_t expected = group != NULL ? group->layout->dynamic_offset_count : 0;
    if (offset_count != expected) {
        return BROKEN(error, DYNAMIC_COUNT, PASS_NAME, ULL(offset_count),
            GPU_NAME(group, BIND_GROUP), expected);
    }
    return expected == 0 || validate_dynamic_offsets(pass, group, offsets, error);
}

bool validate_set_immediates(
    struct gpu_pass *pass, uint32_t offset_bytes, size_t size_bytes, struct validate_error *error) {
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

// ---------------------------------------------------------------- dispatches and draws

static bool validate_deferred_sizes(struct gpu_pass *pass, struct gpu_object *pipeline,
    const struct gpu_pipeline_interface *interface, const char *verb,
    struct validate_error *error) {
    for (uint32_t i = 0; i < interface->deferred_size_count; i++) {
        const struct gpu_deferred_size *needed = &interface->deferred_sizes[i];
        struct WGPUBindGroupImpl *group = pass->slots[needed->group].group;
        const struct gpu_binding *binding = &group->bindings[needed->entry];
        if (binding->size_bytes < needed->minimum_bytes) {
            return BROKEN(error, BOUND_SIZE, PASS_NAME, verb, PIPELINE_NAME,
                group->layout->entries[needed->entry].binding, GPU_NAME(group, BIND_GROUP),
                needed->group, ULL(binding->size_bytes), GPU_NAME(binding->buffer, BUFFER),
                ULL(needed->minimum_bytes));
        }
    }
    return true;
}

// Of two layouts that are not equivalent; `ours` is the bind group's.
static struct rule_words describe_difference(
    const struct WGPUBindGroupLayoutImpl *ours, const struct WGPUBindGroupLayoutImpl *theirs) {
    struct rule_words words = {""};
    if (ours->exclusive_pipeline_id != theirs->exclusive_pipeline_id) {
        snprintf(words.text, sizeof(words.text),
            "one of them is of a pipeline with an automatic layout, which equals no other layout");
        return words;
    }
    uint32_t count = ours->entry_count < theirs->entry_count ? ours->entry_count
                                                             : theirs->entry_count;
    uint32_t i = 0;
    while (
        i < count && memcmp(&ours->entries[i], &theirs->entries[i], sizeof(*ours->entries)) == 0) {
        i++;
    }
    bool is_ours = i < ours->entry_count &&
        (i == theirs->entry_count || ours->entries[i].binding < theirs->entries[i].binding);
    bool is_theirs = i < theirs->entry_count &&
        (i == ours->entry_count || theirs->entries[i].binding < ours->entries[i].binding);
    if (is_ours || is_theirs) {
        snprintf(words.text, sizeof(words.text), "binding %u is in the %s alone",
            is_ours ? ours->entries[i].binding : theirs->entries[i].binding,
            is_ours ? "former" : "latter");
        return words;
    }
    const struct gpu_binding_layout *a = &ours->entries[i];
    const struct gpu_binding_layout *b = &theirs->entries[i];
    struct rule_words is = validate_describe_entry(a);
    struct rule_words should = validate_describe_entry(b);
    if (strcmp(is.text, should.text) != 0) {
        snprintf(words.text, sizeof(words.text),
            "binding %u is %.100s in the former, %.100s in the latter", a->binding, is.text,
            should.text);
    } else if (a->visibility != b->visibility) {
        snprintf(words.text, sizeof(words.text),
            "binding %u has visibility 0x%x in the former, 0x%x in the latter", a->binding,
            a->visibility, b->visibility);
    } else if (a->has_dynamic_offset != b->has_dynamic_offset) {
        snprintf(words.text, sizeof(words.text), "binding %u has a dynamic offset in the %s alone",
            a->binding, a->has_dynamic_offset ? "former" : "latter");
    } else {
        snprintf(words.text, sizeof(words.text),
            "binding %u has minBindingSize %llu in the former, %llu in the latter", a->binding,
            ULL(a->min_binding_size), ULL(b->min_binding_size));
    }
    return words;
}

static bool validate_groups(struct gpu_pass *pass, struct gpu_object *pipeline,
    const struct gpu_pipeline_interface *interface, const char *verb,
    struct validate_error *error) {
    for (uint32_t i = 0; (interface->layout->group_mask >> i) != 0; i++) {
        struct WGPUBindGroupLayoutImpl *layout = interface->layout->groups[i];
        struct WGPUBindGroupImpl *group = pass->slots[i].group;
        if (layout == NULL) {
            continue;
        }
        if (group == NULL) {
            return BROKEN(error, BOUND_GROUP, PASS_NAME, verb, PIPELINE_NAME, i);
        }
        if (!gpu_bind_group_layout_is_equivalent(group->layout, layout)) {
            return BROKEN(error, BOUND_LAYOUT, PASS_NAME, verb, PIPELINE_NAME,
                GPU_NAME(group, BIND_GROUP), i, GPU_NAME(group->layout, BIND_GROUP_LAYOUT),
                GPU_NAME(layout, BIND_GROUP_LAYOUT),
                describe_difference(group->layout, layout).text);
        }
    }
    return true;
}

static const char *find_view_difference(
    const struct backend_texture_view *a, const struct backend_texture_view *b) {
    if (a->base_mip_level != b->base_mip_level) {
        return "baseMipLevel";
    }
    if (a->mip_level_count != b->mip_level_count) {
        return "mipLevelCount";
    }
    if (a->aspect != b->aspect) {
        return "aspect";
    }
    return memcmp(a->swizzle, b->swizzle, sizeof(a->swizzle)) != 0 ? "swizzle" : NULL;
}

// `view` against all bound before it: in the groups below `group_end`, and in that group below
// `entry_end`.
static bool validate_alike(struct gpu_pass *pass, const struct gpu_pipeline_interface *interface,
    const char *verb, uint32_t group_end, uint32_t entry_end, struct WGPUTextureViewImpl *view,
    struct validate_error *error) {
    for (uint32_t i = 0; i <= group_end; i++) {
        if (interface->layout->groups[i] == NULL) {
            continue;
        }
        const struct WGPUBindGroupImpl *group = pass->slots[i].group;
        uint32_t end = i == group_end ? entry_end : group->layout->entry_count;
        for (uint32_t j = 0; j < end; j++) {
            struct WGPUTextureViewImpl *other = group->bindings[j].view;
            const char *difference = other != NULL && other->texture == view->texture
                ? find_view_difference(&other->view, &view->view)
                : NULL;
            if (difference != NULL) {
                return BROKEN(error, BOUND_COMPATIBILITY_VIEWS, PASS_NAME, verb,
                    GPU_NAME(other, TEXTURE_VIEW), GPU_NAME(view, TEXTURE_VIEW),
                    GPU_NAME(view->texture, TEXTURE), difference);
            }
        }
    }
    return true;
}

// In compatibility mode all bound views of one texture must be alike. The pass's groups fit.
static bool validate_alike_views(struct gpu_pass *pass,
    const struct gpu_pipeline_interface *interface, const char *verb,
    struct validate_error *error) {
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        if (interface->layout->groups[i] == NULL) {
            continue;
        }
        const struct WGPUBindGroupImpl *group = pass->slots[i].group;
        for (uint32_t j = 0; j < group->layout->entry_count; j++) {
            if (group->bindings[j].view != NULL) {
                TRY(validate_alike(pass, interface, verb, i, j, group->bindings[j].view, error));
            }
        }
    }
    return true;
}

bool validate_bound_state(struct gpu_pass *pass, struct gpu_object *pipeline,
    const struct gpu_pipeline_interface *interface, const char *verb,
    struct validate_error *error) {
    TRY(validate_groups(pass, pipeline, interface, verb, error));
    TRY(validate_deferred_sizes(pass, pipeline, interface, verb, error));
    if (!pass->object.device->is_core) {
        TRY(validate_alike_views(pass, interface, verb, error));
    }
    uint64_t unset = interface->immediate_slots & ~pass->immediate_slots_set;
    if (unset != 0) {
        uint32_t slot = 0;
        while (((unset >> slot) & 1u) == 0) {
            slot++;
        }
        return BROKEN(error, BOUND_IMMEDIATES, PASS_NAME, verb, PIPELINE_NAME, slot * 4);
    }
    return true;
}

bool validate_indirect(struct gpu_pass *pass, struct WGPUBufferImpl *buffer, uint64_t offset_bytes,
    uint32_t size_bytes, struct validate_error *error) {
    const struct WGPUDeviceImpl *device = pass->object.device;
    if (buffer == NULL || !gpu_is_usable(&buffer->object, device)) {
        return BROKEN(error, INDIRECT_BUFFER, PASS_NAME, GPU_NAME(buffer, BUFFER),
            rule_describe_unusable(buffer != NULL ? &buffer->object : NULL, device));
    }
    if ((buffer->usage & WGPUBufferUsage_Indirect) == 0) {
        return BROKEN(error, INDIRECT_USAGE, PASS_NAME, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    if (offset_bytes % 4 != 0) {
        return BROKEN(error, INDIRECT_OFFSET, PASS_NAME, ULL(offset_bytes));
    }
    if (!validate_is_within(offset_bytes, size_bytes, buffer->size_bytes)) {
        return BROKEN(error, INDIRECT_RANGE, PASS_NAME, size_bytes, ULL(offset_bytes),
            GPU_NAME(buffer, BUFFER), ULL(buffer->size_bytes));
    }
    return true;
}
