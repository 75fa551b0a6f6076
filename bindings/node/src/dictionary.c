// SPDX-License-Identifier: MIT
//
// The tables of dictionary.def, and the unions that they name; see dictionary.h.

#include "dictionary.h"

#include <stdio.h>
#include <string.h>

#define BEGIN(id) static const struct idl_member id##_members[] = {
#define MEMBER(name_, shape_, member_, is_required_, word_, ...) \
    {.name = name_, \
        .kind = __VA_ARGS__, \
        .shape = shape_, \
        .is_required = is_required_, \
        .offset = offsetof(IN, member_), \
        .word = word_},
#define SEQUENCE(name_, kind_, shape_, member_, count_, is_required_) \
    {.name = name_, \
        .kind = kind_, \
        .shape = shape_, \
        .is_required = is_required_, \
        .offset = offsetof(IN, member_), \
        .count_offset = offsetof(IN, count_)},
#define END(id, name_, ...) \
    } \
    ; \
    static void id##_start(void *out) { \
        static const IN start = INITIALIZER(__VA_ARGS__); \
        memcpy(out, &start, sizeof start); \
    } \
    const struct dictionary dictionary_##id = {.name = name_, \
        .size_bytes = sizeof(IN), \
        .start = id##_start, \
        .members = id##_members, \
        .member_count = sizeof id##_members / sizeof id##_members[0]};
// The INIT macros, without the cast that makes them no constant expression.
#define INITIALIZER(...) __VA_ARGS__
#undef _wgpu_MAKE_INIT_STRUCT
#define _wgpu_MAKE_INIT_STRUCT(type, ...) __VA_ARGS__

#include "dictionary.def"

//
// Unions
//

// A sequence of at most `capacity` numbers, or not a sequence at all (*out_is_sequence).
static bool convert_numbers(struct call *call, napi_value value, enum idl_type type,
    size_t capacity, bool *out_is_sequence, size_t *out_count, void *out_numbers) {
    *out_is_sequence = false;
    if (is_nullish(call, value)) {
        return true;
    }
    napi_value array;
    if (!convert_iterable(call, value, &array)) {
        return false;
    }
    if (array == NULL) {
        return true;
    }
    const void *numbers;
    if (!convert_sequence(
            call, array, (struct idl_kind){.type = type}, false, out_count, &numbers)) {
        return false;
    }
    if (*out_count > capacity) {
        return fail_type(call, "has too many elements");
    }
    if (*out_count > 0) {
        memcpy(out_numbers, numbers,
            *out_count * (type == IDL_DOUBLE ? sizeof(double) : sizeof(uint32_t)));
    }
    *out_is_sequence = true;
    return true;
}

bool convert_extent_3d(struct call *call, napi_value value, void *out_extent) {
    bool is_sequence;
    size_t count = 0;
    uint32_t numbers[3] = {0, 1, 1};
    if (!convert_numbers(call, value, IDL_U32, 3, &is_sequence, &count, numbers)) {
        return false;
    }
    if (!is_sequence) {
        return convert_dictionary(call, value, &dictionary_extent_3d, out_extent);
    }
    if (count == 0) {
        return fail_type(call, "has no width");
    }
    *(WGPUExtent3D *)out_extent = (WGPUExtent3D){numbers[0], numbers[1], numbers[2]};
    return true;
}

bool convert_origin_3d(struct call *call, napi_value value, void *out_origin) {
    bool is_sequence;
    size_t count = 0;
    uint32_t numbers[3] = {0, 0, 0};
    if (!convert_numbers(call, value, IDL_U32, 3, &is_sequence, &count, numbers)) {
        return false;
    }
    if (!is_sequence) {
        return convert_dictionary(call, value, &dictionary_origin_3d, out_origin);
    }
    *(WGPUOrigin3D *)out_origin = (WGPUOrigin3D){numbers[0], numbers[1], numbers[2]};
    return true;
}

bool convert_color(struct call *call, napi_value value, void *out_color) {
    bool is_sequence;
    size_t count = 0;
    double numbers[4] = {0, 0, 0, 0};
    if (!convert_numbers(call, value, IDL_DOUBLE, 4, &is_sequence, &count, numbers)) {
        return false;
    }
    if (!is_sequence) {
        return convert_dictionary(call, value, &dictionary_color, out_color);
    }
    if (count != 4) {
        return fail_type(call, "has not four elements");
    }
    *(WGPUColor *)out_color = (WGPUColor){numbers[0], numbers[1], numbers[2], numbers[3]};
    return true;
}

static void release_view(void *handle) {
    wgpuTextureViewRelease(handle);
}

// The texture's default view, for the duration of the call; *out_view is NULL if `value` is no
// texture.
static bool view_of_texture(struct call *call, napi_value value, WGPUTextureView *out_view) {
    struct object *texture = object_find(call->node, value, &interface_texture);
    *out_view = NULL;
    if (texture == NULL) {
        return true;
    }
    WGPUTextureView view = wgpuTextureCreateView(texture->handle, NULL);
    if (view == NULL || !scratch_defer(call->node, release_view, view)) {
        return fail_memory(call);
    }
    *out_view = view;
    return true;
}

bool convert_view(struct call *call, napi_value value, void *out_view) {
    struct object *object = object_find(call->node, value, &interface_texture_view);
    WGPUTextureView view = object == NULL ? NULL : object->handle;
    if (view == NULL && !view_of_texture(call, value, &view)) {
        return false;
    }
    if (view == NULL) {
        return fail_type(call, "is not a GPUTextureView or GPUTexture");
    }
    memcpy(out_view, &view, sizeof view);
    return true;
}

bool convert_bind_group_resource(struct call *call, napi_value value, void *out_entry_resource) {
    WGPUBindGroupEntry *entry = out_entry_resource; // its first member
    struct node_env *node = call->node;
    struct object *object = object_find(node, value, &interface_buffer);
    if (object != NULL) {
        entry->buffer = object->handle;
        return true;
    }
    object = object_find(node, value, &interface_texture_view);
    if (object != NULL) {
        entry->textureView = object->handle;
        return true;
    }
    object = object_find(node, value, &interface_sampler);
    if (object != NULL) {
        entry->sampler = object->handle;
        return true;
    }
    object = object_find(node, value, &interface_external_texture);
    if (object != NULL) {
        WGPUExternalTextureBindingEntry *chain = scratch_allocate(node, sizeof *chain);
        if (chain == NULL) {
            return fail_memory(call);
        }
        *chain = (WGPUExternalTextureBindingEntry){
            {NULL, WGPUSType_ExternalTextureBindingEntry}, object->handle};
        entry->nextInChain = &chain->chain;
        return true;
    }
    if (!view_of_texture(call, value, &entry->textureView)) {
        return false;
    }
    if (entry->textureView != NULL) {
        return true;
    }
    WGPUBindGroupEntry binding;
    if (!convert_dictionary(call, value, &dictionary_buffer_binding, &binding)) {
        return false;
    }
    entry->buffer = binding.buffer;
    entry->offset = binding.offset;
    entry->size = binding.size;
    return true;
}

bool convert_pipeline_layout(struct call *call, napi_value value, void *out_layout) {
    static const struct enum_word auto_word[] = {{"auto", 1}};
    static const struct enum_table auto_layout = {
        "GPUPipelineLayout or GPUAutoLayoutMode", 1, auto_word};
    struct object *object = object_find(call->node, value, &interface_pipeline_layout);
    WGPUPipelineLayout layout = object == NULL ? NULL : object->handle;
    uint32_t word;
    if (object == NULL && !convert_enum(call, value, &auto_layout, &word)) {
        return false;
    }
    memcpy(out_layout, &layout, sizeof layout);
    return true;
}

bool convert_constants(struct call *call, napi_value value, void *out_constants) {
    struct {
        size_t count;
        const WGPUConstantEntry *entries;
    } list = {0, NULL};
    if (!is_object(call, value)) {
        return fail_type(call, "is not an object");
    }
    // An array of keys and values, in turn.
    napi_value array = node_env_call_hook(call->node, HOOK_toEntries, 1, &value);
    uint32_t length = 0;
    if (array == NULL || napi_get_array_length(call->env, array, &length) != napi_ok) {
        return false;
    }
    list.count = length / 2;
    WGPUConstantEntry *entries = scratch_allocate(
        call->node, list.count * sizeof(WGPUConstantEntry));
    if (entries == NULL) {
        return fail_memory(call);
    }
    struct path path = {.parent = call->path};
    for (uint32_t i = 0; i < list.count; i++) {
        napi_value key;
        napi_value number;
        entries[i] = (WGPUConstantEntry){0};
        if (napi_get_element(call->env, array, 2 * i, &key) != napi_ok ||
            napi_get_element(call->env, array, 2 * i + 1, &number) != napi_ok ||
            !convert_string(call, key, &entries[i].key)) {
            return false;
        }
        path.name = entries[i].key.data;
        call->path = &path;
        if (!convert_double(call, number, &entries[i].value)) {
            return false;
        }
        call->path = path.parent;
    }
    list.entries = entries;
    memcpy(out_constants, &list, sizeof list);
    return true;
}

bool convert_any(struct call *call, napi_value value, void *out_value) {
    (void)call;
    memcpy(out_value, &value, sizeof value);
    return true;
}

bool convert_no_external_source(struct call *call, napi_value value, void *out_nothing) {
    (void)value;
    (void)out_nothing;
    return fail_type(call, "is not an image or video (there are none without a browser)");
}

// Puts a struct that begins with a WGPUChainedStruct first in the chain.
static void chain_prepend(WGPUChainedStruct *chain, void *out_chain) {
    memcpy(&chain->next, out_chain, sizeof chain->next);
    memcpy(out_chain, &chain, sizeof chain);
}

bool convert_external_texture_layout(struct call *call, napi_value value, void *out_chain) {
    WGPUExternalTextureBindingLayout *layout = scratch_allocate(call->node, sizeof *layout);
    if (layout == NULL) {
        return fail_memory(call);
    }
    if (!is_nullish(call, value) && !is_object(call, value)) {
        return fail_type(call, "is not an object (GPUExternalTextureBindingLayout)");
    }
    *layout = (WGPUExternalTextureBindingLayout){{NULL, WGPUSType_ExternalTextureBindingLayout}};
    chain_prepend(&layout->chain, out_chain);
    return true;
}

bool convert_max_draw_count(struct call *call, napi_value value, void *out_chain) {
    WGPURenderPassMaxDrawCount *count = scratch_allocate(call->node, sizeof *count);
    if (count == NULL) {
        return fail_memory(call);
    }
    *count = (WGPURenderPassMaxDrawCount){{NULL, WGPUSType_RenderPassMaxDrawCount}, 0};
    if (!convert_u64(call, value, &count->maxDrawCount)) {
        return false;
    }
    chain_prepend(&count->chain, out_chain);
    return true;
}

bool convert_texture_binding_view_dimension(struct call *call, napi_value value, void *out_chain) {
    WGPUTextureBindingViewDimension *chained = scratch_allocate(call->node, sizeof *chained);
    uint32_t dimension;
    if (chained == NULL) {
        return fail_memory(call);
    }
    if (!convert_enum(call, value, &enum_texture_view_dimension, &dimension)) {
        return false;
    }
    *chained = (WGPUTextureBindingViewDimension){
        {NULL, WGPUSType_TextureBindingViewDimension}, (WGPUTextureViewDimension)dimension};
    chain_prepend(&chained->chain, out_chain);
    return true;
}

// WebGPU §"GPUTextureViewDescriptor", swizzle: four of r, g, b, a, 0, 1. A wrong text is one that
// no device accepts.
bool convert_swizzle(struct call *call, napi_value value, void *out_chain) {
    static const char letters[] = "01rgba"; // in the order of WGPUComponentSwizzle
    WGPUTextureComponentSwizzleDescriptor *swizzle = scratch_allocate(call->node, sizeof *swizzle);
    WGPUStringView text;
    if (swizzle == NULL) {
        return fail_memory(call);
    }
    if (!convert_string(call, value, &text)) {
        return false;
    }
    if (text.length == 4 && memcmp(text.data, "rgba", 4) == 0) {
        return true; // the default
    }
    WGPUComponentSwizzle components[4];
    if (text.length != 4) {
        return fail_type(call, "has not four letters");
    }
    for (size_t i = 0; i < 4; i++) {
        const char *letter = text.data[i] == '\0' ? NULL : strchr(letters, text.data[i]);
        if (letter == NULL) {
            return fail_type(call, "has a letter that is none of r, g, b, a, 0, 1");
        }
        components[i] = (WGPUComponentSwizzle)(WGPUComponentSwizzle_Zero + (letter - letters));
    }
    *swizzle = (WGPUTextureComponentSwizzleDescriptor){
        {NULL, WGPUSType_TextureComponentSwizzleDescriptor},
        {components[0], components[1], components[2], components[3]}};
    chain_prepend(&swizzle->chain, out_chain);
    return true;
}
