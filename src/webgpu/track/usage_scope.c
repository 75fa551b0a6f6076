// SPDX-License-Identifier: MIT
//
// Collection of the uses of dispatches, draws, render passes and bundles.
#include "webgpu/track/usage_scope.h"

#include "base/memory.h"
#include "base/try.h"
#include "webgpu/object/render_bundle.h"

// The compatible usage lists of the specification are classes: within one all is compatible.
enum usage_class { CLASS_READ, CLASS_STORAGE, CLASS_ATTACHMENT };

static enum usage_class get_class(enum gpu_usage_kind kind) {
    switch (kind) {
    case GPU_USAGE_STORAGE:
        return CLASS_STORAGE;
    case GPU_USAGE_ATTACHMENT:
        return CLASS_ATTACHMENT;
    case GPU_USAGE_INPUT:
    case GPU_USAGE_CONSTANT:
    case GPU_USAGE_STORAGE_READ:
    case GPU_USAGE_ATTACHMENT_READ:
        return CLASS_READ;
    }
    return CLASS_READ;
}

bool usage_kinds_are_compatible(enum gpu_usage_kind a, enum gpu_usage_kind b) {
    return get_class(a) == get_class(b);
}

static bool ranges_overlap(uint32_t a, uint32_t a_count, uint32_t b, uint32_t b_count) {
    return a < b + b_count && b < a + a_count;
}

bool usage_views_overlap(
    const struct backend_texture_view *a, const struct backend_texture_view *b) {
    bool are_aspects_apart = (a->aspect == TEXTURE_ASPECT_DEPTH &&
                                 b->aspect == TEXTURE_ASPECT_STENCIL) ||
        (a->aspect == TEXTURE_ASPECT_STENCIL && b->aspect == TEXTURE_ASPECT_DEPTH);
    return !are_aspects_apart &&
        ranges_overlap(
            a->base_mip_level, a->mip_level_count, b->base_mip_level, b->mip_level_count) &&
        ranges_overlap(
            a->base_array_layer, a->array_layer_count, b->base_array_layer, b->array_layer_count);
}

static struct gpu_usage describe_binding(struct WGPUBindGroupImpl *group,
    const struct gpu_binding_use *use, uint32_t index, uint32_t call) {
    return (struct gpu_usage){
        .resource = use->resource,
        .kind = use->kind,
        .place = GPU_USAGE_BINDING,
        .slot = index,
        .binding = group->layout->entries[use->entry].binding,
        .call = call,
        .aspect = use->view != NULL ? use->view->aspect : TEXTURE_ASPECT_COLOR,
        .view = use->view,
        .group = group,
    };
}

// ---------------------------------------------------------------- dispatches and draws

// The one bind group of the pipeline's layout; NULL: there are several, or dynamic offsets.
static struct WGPUBindGroupImpl *find_only_group(
    const struct gpu_pass *pass, const struct WGPUPipelineLayoutImpl *layout) {
    uint32_t mask = layout->group_mask;
    if ((mask & (mask - 1)) != 0 || mask == 0) {
        return NULL;
    }
    uint32_t index = 0;
    while ((mask >> index) != 1) {
        index++;
    }
    struct WGPUBindGroupImpl *group = pass->slots[index].group;
    return group->layout->dynamic_offset_count == 0 ? group : NULL;
}

bool usage_is_harmless(
    const struct gpu_pass *pass, const struct gpu_pipeline_interface *interface) {
    if (!interface->layout->has_writable) {
        return true;
    }
    const struct WGPUBindGroupImpl *group = find_only_group(pass, interface->layout);
    return group != NULL && atomic_load_explicit(&group->is_known_harmless, memory_order_relaxed);
}

void usage_keep_harmless(
    const struct gpu_pass *pass, const struct gpu_pipeline_interface *interface) {
    struct WGPUBindGroupImpl *group = find_only_group(pass, interface->layout);
    if (group != NULL) {
        atomic_store_explicit(&group->is_known_harmless, true, memory_order_relaxed);
    }
}

static bool collect_group(struct gpu_pass *pass, uint32_t index) {
    const struct gpu_bind_slot *slot = &pass->slots[index];
    const struct WGPUBindGroupImpl *group = slot->group;
    TRY(vector_reserve(&pass->uses, MEMORY_COMMAND, pass->uses.count + group->use_count));
    struct gpu_bound_use *bound = pass->uses.items + pass->uses.count;
    uint32_t dynamic = 0;
    for (uint32_t i = 0; i < group->use_count; i++) {
        const struct gpu_binding_use *use = &group->uses[i];
        bound[i].resource = use->resource;
        bound[i].view = use->view;
        bound[i].offset_bytes = use->offset_bytes +
            (use->has_dynamic_offset ? slot->dynamic_offsets[dynamic++] : 0);
        bound[i].end_bytes = bound[i].offset_bytes + use->size_bytes;
        bound[i].kind = use->kind;
        bound[i].visibility = use->visibility;
        bound[i].slot = index;
        bound[i].entry = i;
    }
    pass->uses.count += group->use_count;
    return true;
}

bool usage_collect(struct gpu_pass *pass, const struct gpu_pipeline_interface *interface) {
    pass->uses.count = 0;
    for (uint32_t i = 0; (interface->layout->group_mask >> i) != 0; i++) {
        if (interface->layout->groups[i] != NULL) {
            TRY(collect_group(pass, i));
        }
    }
    return true;
}

bool usage_collect_indirect(struct gpu_pass *pass, const struct WGPUBufferImpl *indirect) {
    struct gpu_bound_use use = {
        .resource = &indirect->object, .kind = GPU_USAGE_INPUT, .slot = UINT32_MAX};
    return vector_push(&pass->uses, MEMORY_COMMAND, use);
}

struct gpu_usage usage_describe_bound(
    const struct gpu_pass *pass, const struct gpu_bound_use *bound) {
    if (bound->slot == UINT32_MAX) {
        return (struct gpu_usage){
            .resource = (struct gpu_object *)(uintptr_t)bound->resource,
            .kind = GPU_USAGE_INPUT,
            .place = GPU_USAGE_INDIRECT_BUFFER,
            .call = pass->call_count,
        };
    }
    const struct gpu_bind_slot *slot = &pass->slots[bound->slot];
    return describe_binding(slot->group, &slot->group->uses[bound->entry], bound->slot, slot->call);
}

// ---------------------------------------------------------------- the map of a scope

static size_t find_slot(const struct gpu_usage_scope *scope, const struct gpu_object *object) {
    size_t mask = scope->slot_count - 1;
    uint64_t bits = (uint64_t)(uintptr_t)object >> 4;
    size_t at = (size_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & mask;
    while (scope->slots[at] != 0 && scope->entries.items[scope->slots[at] - 1].object != object) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool grow_slots(struct gpu_usage_scope *scope) {
    size_t slot_count = scope->slot_count == 0 ? 32 : scope->slot_count * 2;
    uint32_t *slots = memory_allocate_zeroed(MEMORY_COMMAND, slot_count, sizeof(*slots));
    if (slots == NULL) {
        return false;
    }
    memory_free(scope->slots);
    scope->slots = slots;
    scope->slot_count = slot_count;
    for (size_t i = 0; i < scope->entries.count; i++) {
        slots[find_slot(scope, scope->entries.items[i].object)] = (uint32_t)i + 1;
    }
    return true;
}

// The object's entry, made if it is new; NULL when out of memory.
static struct gpu_usage_entry *get_entry(
    struct gpu_usage_scope *scope, const struct gpu_object *object, bool *out_is_new) {
    *out_is_new = false;
    if (scope->slot_count != 0) {
        uint32_t at = scope->slots[find_slot(scope, object)];
        if (at != 0) {
            return &scope->entries.items[at - 1];
        }
    }
    if ((scope->entries.count + 1) * 2 > scope->slot_count && !grow_slots(scope)) {
        return NULL;
    }
    struct gpu_usage_entry entry = {.object = object};
    if (!vector_push(&scope->entries, MEMORY_COMMAND, entry)) {
        return NULL;
    }
    scope->slots[find_slot(scope, object)] = (uint32_t)scope->entries.count;
    *out_is_new = true;
    return &scope->entries.items[scope->entries.count - 1];
}

// ---------------------------------------------------------------- adding to a scope

// One subresource, whose first use is `first` (0: none yet). The use's own number is
// out_number, 0 until it is needed.
static bool add_part(struct gpu_usage_scope *scope, uint32_t *first, const struct gpu_usage *usage,
    uint32_t *number) {
    if (*first == 0) {
        if (*number == 0) {
            TRY(vector_push(&scope->usages, MEMORY_COMMAND, *usage));
            *number = (uint32_t)scope->usages.count;
        }
        *first = *number;
        return true;
    }
    const struct gpu_usage *other = &scope->usages.items[*first - 1];
    if (!scope->has_conflict && !usage_kinds_are_compatible(other->kind, usage->kind)) {
        scope->has_conflict = true;
        scope->conflict[0] = *other;
        scope->conflict[1] = *usage;
    }
    return true;
}

static bool add_texture(
    struct gpu_usage_scope *scope, struct gpu_usage_entry *entry, const struct gpu_usage *usage) {
    const struct WGPUTextureImpl *texture = (const struct WGPUTextureImpl *)usage->resource;
    const struct texture_format_info *info = texture_format_get_info(texture->format);
    uint32_t layer_count = gpu_texture_layer_count(texture);
    uint32_t aspect_count = info->aspect == TEXTURE_ASPECT_DEPTH_STENCIL ? 2 : 1;
    size_t part_count = (size_t)texture->mip_level_count * layer_count * aspect_count;
    const struct backend_texture_view *view = usage->view;
    bool covers_all = view->mip_level_count == texture->mip_level_count &&
        view->array_layer_count == layer_count &&
        (aspect_count == 1 || usage->aspect == TEXTURE_ASPECT_DEPTH_STENCIL);
    uint32_t number = 0;
    // As long as all subresources are used alike, the texture is as one.
    if (entry->parts == NULL && (covers_all || entry->usage != 0)) {
        return add_part(scope, &entry->usage, usage, &number);
    }
    if (entry->parts == NULL) {
        entry->parts = memory_allocate_zeroed(MEMORY_COMMAND, part_count, sizeof(*entry->parts));
        TRY(entry->parts != NULL);
    }
    for (uint32_t aspect = 0; aspect < aspect_count; aspect++) {
        enum texture_aspect other = aspect == 0 ? TEXTURE_ASPECT_STENCIL : TEXTURE_ASPECT_DEPTH;
        if (aspect_count == 2 && usage->aspect == other) {
            continue;
        }
        for (uint32_t i = 0; i < view->mip_level_count; i++) {
            size_t level = (size_t)aspect * texture->mip_level_count + view->base_mip_level + i;
            uint32_t *parts = &entry->parts[level * layer_count + view->base_array_layer];
            for (uint32_t j = 0; j < view->array_layer_count; j++) {
                TRY(add_part(scope, &parts[j], usage, &number));
            }
        }
    }
    return true;
}

static bool add(struct gpu_usage_scope *scope, const struct gpu_usage *usage) {
    bool is_new;
    struct gpu_usage_entry *entry = get_entry(scope, usage->resource, &is_new);
    TRY(entry != NULL);
    if (usage->view != NULL) {
        return add_texture(scope, entry, usage);
    }
    uint32_t number = 0;
    return add_part(scope, &entry->usage, usage, &number);
}

bool usage_scope_add_buffer(struct gpu_usage_scope *scope, struct WGPUBufferImpl *buffer,
    enum gpu_usage_place place, uint32_t slot, uint32_t call) {
    struct gpu_usage usage = {
        .resource = &buffer->object,
        .kind = GPU_USAGE_INPUT,
        .place = place,
        .slot = slot,
        .call = call,
    };
    return add(scope, &usage);
}

bool usage_scope_add_attachment(struct gpu_usage_scope *scope, struct WGPUTextureViewImpl *view,
    enum texture_aspect aspect, enum gpu_usage_kind kind, enum gpu_usage_place place,
    uint32_t slot) {
    struct gpu_usage usage = {
        .resource = &view->texture->object,
        .kind = kind,
        .place = place,
        .slot = slot,
        .aspect = aspect,
        .view = &view->view,
    };
    return add(scope, &usage);
}

bool usage_scope_add_group(
    struct gpu_usage_scope *scope, struct WGPUBindGroupImpl *group, uint32_t index, uint32_t call) {
    bool is_new;
    TRY(get_entry(scope, &group->object, &is_new) != NULL);
    for (uint32_t i = 0; is_new && i < group->use_count; i++) {
        struct gpu_usage usage = describe_binding(group, &group->uses[i], index, call);
        TRY(add(scope, &usage));
    }
    return true;
}

bool usage_scope_merge(struct gpu_usage_scope *scope, struct WGPURenderBundleImpl *bundle,
    const struct gpu_usage_scope *bundle_scope, uint32_t call) {
    bool is_new;
    TRY(get_entry(scope, &bundle->object, &is_new) != NULL);
    for (size_t i = 0; is_new && i < bundle_scope->usages.count; i++) {
        struct gpu_usage usage = bundle_scope->usages.items[i];
        usage.bundle = bundle;
        usage.bundle_call = call;
        TRY(add(scope, &usage));
    }
    return true;
}
