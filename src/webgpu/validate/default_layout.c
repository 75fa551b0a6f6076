// SPDX-License-Identifier: MIT
//
// Automatic layouts: one entry for each binding of any stage, and what it must hold to.
#include "webgpu/validate/default_layout.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/try.h"
#include "webgpu/validate/bind_group_layout.h"
#include "webgpu/validate/pipeline.h"
#include "webgpu/validate/words.h"

static int compare_bindings(const void *a, const void *b) {
    const struct validate_default_binding *left = a, *right = b;
    if (left->group != right->group) {
        return left->group < right->group ? -1 : 1;
    }
    if (left->entry.binding != right->entry.binding) {
        return left->entry.binding < right->entry.binding ? -1 : 1;
    }
    return left->stage < right->stage ? -1 : left->stage > right->stage;
}

static bool is_any_float(const struct gpu_binding_layout *entry) {
    return entry->kind == GPU_BINDING_TEXTURE &&
        (entry->type == WGPUTextureSampleType_Float ||
            entry->type == WGPUTextureSampleType_UnfilterableFloat);
}

static struct rule_words describe_variable(const struct validate_default_binding *binding) {
    const struct text name = binding->variable->name;
    struct rule_words words = {""};
    snprintf(words.text, sizeof(words.text), "\"%.*s\" of the %s stage, %.110s",
        (int)(name.length < 60 ? name.length : 60), name.data, words_for_stage(binding->stage),
        validate_describe_entry(&binding->entry).text);
    return words;
}

// Widens `to` to serve `from` as well.
static bool merge(struct validate_default_binding *to, const struct validate_default_binding *from,
    const char *name, struct validate_error *error) {
    struct gpu_binding_layout *a = &to->entry;
    const struct gpu_binding_layout *b = &from->entry;
    bool is_equal = a->kind == b->kind && a->format == b->format && a->dimension == b->dimension &&
        a->is_multisampled == b->is_multisampled &&
        (a->type == b->type || (is_any_float(a) && is_any_float(b)));
    if (!is_equal) {
        return BROKEN(error, PIPELINE_AUTO_CONFLICT, name, to->group, a->binding,
            describe_variable(to).text, describe_variable(from).text);
    }
    if (a->type != b->type) {
        a->type = WGPUTextureSampleType_Float;
    }
    if (a->min_binding_size < b->min_binding_size) {
        a->min_binding_size = b->min_binding_size;
    }
    a->visibility |= b->visibility;
    return true;
}

// An automatic layout's entry must be one that an application could ask for. Messages say which
// variable asks, by a longer name for the pipeline.
static bool validate_entry(const struct WGPUDeviceImpl *device,
    const struct validate_default_binding *binding, const char *name,
    struct validate_error *error) {
    const struct text variable = binding->variable->name;
    char longer[sizeof(struct gpu_name) + 160];
    snprintf(longer, sizeof(longer), "%s, variable \"%.*s\" of the %s stage at @group(%u)", name,
        (int)(variable.length < 90 ? variable.length : 90), variable.data,
        words_for_stage(binding->stage), binding->group);
    return validate_layout_entry(device, &binding->entry, longer, error);
}

bool validate_default_layout(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *const *stages, uint32_t stage_count, const char *name,
    struct validate_default_binding *out_bindings, uint32_t *out_count,
    struct validate_error *error) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < stage_count; i++) {
        for (uint32_t j = 0; j < stages[i]->binding_count; j++) {
            struct validate_default_binding *binding = &out_bindings[count++];
            binding->variable = &stages[i]->bindings[j];
            binding->stage = stages[i]->stage;
            binding->group = binding->variable->group;
            validate_default_entry(binding->variable, binding->stage, &binding->entry);
        }
    }
    if (count != 0) {
        qsort(out_bindings, count, sizeof(*out_bindings), compare_bindings);
    }
    uint64_t group_limit = device->limits.values[LIMIT_maxBindGroups];
    if (count != 0 && out_bindings[count - 1].group >= group_limit) {
        return BROKEN(error, LAYOUT_GROUP_COUNT, name, ULL(out_bindings[count - 1].group) + 1,
            ULL(group_limit));
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        // Two variables of one entry point never share a place: the compiler sees to that.
        if (kept != 0 && out_bindings[kept - 1].group == out_bindings[i].group &&
            out_bindings[kept - 1].entry.binding == out_bindings[i].entry.binding) {
            TRY(merge(&out_bindings[kept - 1], &out_bindings[i], name, error));
        } else {
            out_bindings[kept++] = out_bindings[i];
        }
    }
    for (uint32_t i = 0; i < kept; i++) {
        TRY(validate_entry(device, &out_bindings[i], name, error));
    }
    *out_count = kept;
    return true;
}
