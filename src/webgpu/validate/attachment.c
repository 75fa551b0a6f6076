// SPDX-License-Identifier: MIT
//
// Rules of single attachments.
#include "webgpu/validate/attachment.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/words.h"

const char attachment_depth_stencil_words[] = "the depth-stencil attachment";

struct attachment_words attachment_describe(uint32_t index, bool is_resolve_target) {
    struct attachment_words words;
    snprintf(words.text, sizeof(words.text), "%scolor attachment %u",
        is_resolve_target ? "the resolve target of " : "", index);
    return words;
}

// ---------------------------------------------------------------- views

static const char *get_swizzle_word(const struct backend_texture_view *view, char out[5]) {
    static const char letters[] = "?01rgba";
    for (int i = 0; i < 4; i++) {
        out[i] = letters[view->swizzle[i]];
    }
    out[4] = 0;
    return out;
}

static bool is_swizzled(const struct backend_texture_view *view) {
    return view->swizzle[0] != WGPUComponentSwizzle_R ||
        view->swizzle[1] != WGPUComponentSwizzle_G || view->swizzle[2] != WGPUComponentSwizzle_B ||
        view->swizzle[3] != WGPUComponentSwizzle_A;
}

// WebGPU "renderable texture view" of a valid view.
static bool validate_renderable(struct WGPUTextureViewImpl *view, const char *what, bool can_be_3d,
    const char *name, struct validate_error *error) {
    const char *view_name = NULL;
    struct gpu_name buffer = gpu_object_get_name(&view->object, GPU_TEXTURE_VIEW);
    view_name = buffer.text;
    if ((view->usage & WGPUTextureUsage_RenderAttachment) == 0) {
        return BROKEN(error, ATTACH_USAGE, name, what, view_name,
            rule_describe_texture_usage(view->usage).text);
    }
    uint32_t dimension = view->view.dimension;
    if (dimension != WGPUTextureViewDimension_2D && dimension != WGPUTextureViewDimension_2DArray &&
        (dimension != WGPUTextureViewDimension_3D || !can_be_3d)) {
        return BROKEN(error, ATTACH_DIMENSION, name, what, view_name,
            words_for_dimension(dimension), can_be_3d ? "2D, 2DArray or 3D" : "2D or 2DArray");
    }
    if (view->view.mip_level_count != 1 || view->view.array_layer_count != 1) {
        return BROKEN(error, ATTACH_RANGE, name, what, view_name, view->view.mip_level_count,
            view->view.array_layer_count);
    }
    if (view->view.aspect != texture_format_get_info(view->texture->format)->aspect) {
        return BROKEN(error, ATTACH_ASPECT, name, what, view_name,
            words_for_format(view->texture->format), GPU_NAME(view->texture, TEXTURE));
    }
    if (is_swizzled(&view->view)) {
        char letters[5];
        return BROKEN(
            error, ATTACH_SWIZZLE, name, what, view_name, get_swizzle_word(&view->view, letters));
    }
    return true;
}

static bool validate_view(const struct WGPUDeviceImpl *device, struct WGPUTextureViewImpl *view,
    const char *what, const char *name, struct validate_error *error) {
    if (view == NULL || !gpu_is_usable(&view->object, device)) {
        return BROKEN(error, ATTACH_VIEW, name, what, GPU_NAME(view, TEXTURE_VIEW),
            rule_describe_unusable(view != NULL ? &view->object : NULL, device));
    }
    return true;
}

// ---------------------------------------------------------------- operations

static const char *get_load_word(WGPULoadOp op) {
    static const char *const words[] = {"Undefined", "Load", "Clear"};
    return (uint32_t)op < 3 ? words[op] : "no WGPULoadOp";
}

static const char *get_store_word(WGPUStoreOp op) {
    static const char *const words[] = {"Undefined", "Store", "Discard"};
    return (uint32_t)op < 3 ? words[op] : "no WGPUStoreOp";
}

static bool validate_load_op(WGPULoadOp op, bool may_be_undefined, const char *op_name,
    const char *what, const char *name, struct validate_error *error) {
    bool is_undefined = op == WGPULoadOp_Undefined;
    if (is_undefined ? may_be_undefined : (uint32_t)op <= WGPULoadOp_Clear) {
        return true;
    }
    return BROKEN(error, ATTACH_OP, name, op_name, what, "Load or Clear", get_load_word(op));
}

static bool validate_store_op(WGPUStoreOp op, bool may_be_undefined, const char *op_name,
    const char *what, const char *name, struct validate_error *error) {
    bool is_undefined = op == WGPUStoreOp_Undefined;
    if (is_undefined ? may_be_undefined : (uint32_t)op <= WGPUStoreOp_Discard) {
        return true;
    }
    return BROKEN(error, ATTACH_OP, name, op_name, what, "Store or Discard", get_store_word(op));
}

// Transient attachments begin cleared and end discarded.
static bool validate_transient(struct WGPUTextureViewImpl *view, WGPULoadOp load_op,
    const char *load_name, WGPUStoreOp store_op, const char *store_name, const char *what,
    const char *name, struct validate_error *error) {
    if ((view->usage & WGPUTextureUsage_TransientAttachment) == 0) {
        return true;
    }
    if (load_op != WGPULoadOp_Clear) {
        return BROKEN(error, ATTACH_TRANSIENT, name, load_name, what, "Clear",
            GPU_NAME(view, TEXTURE_VIEW), get_load_word(load_op));
    }
    if (store_op != WGPUStoreOp_Discard) {
        return BROKEN(error, ATTACH_TRANSIENT, name, store_name, what, "Discard",
            GPU_NAME(view, TEXTURE_VIEW), get_store_word(store_op));
    }
    return true;
}

// ---------------------------------------------------------------- color

// Whether a component becomes a value of the type: what [EnforceRange] and float conversion take.
static bool does_component_fit(enum texture_sample sample, double value) {
    if (!isfinite(value)) {
        return false;
    }
    if (sample == TEXTURE_SAMPLE_UINT) {
        return trunc(value) >= 0 && trunc(value) <= UINT32_MAX;
    }
    if (sample == TEXTURE_SAMPLE_SINT) {
        return trunc(value) >= INT32_MIN && trunc(value) <= INT32_MAX;
    }
    // What rounds to a finite float.
    return fabs(value) < (double)FLT_MAX + 0x1p103;
}

static bool validate_clear_value(const WGPURenderPassColorAttachment *attachment, const char *what,
    const char *name, struct validate_error *error) {
    uint32_t format = attachment->view->view.format;
    enum texture_sample sample = texture_format_get_info(format)->sample;
    const WGPUColor *value = &attachment->clearValue;
    if (does_component_fit(sample, value->r) && does_component_fit(sample, value->g) &&
        does_component_fit(sample, value->b) && does_component_fit(sample, value->a)) {
        return true;
    }
    const char *type = sample == TEXTURE_SAMPLE_UINT ? "u32"
        : sample == TEXTURE_SAMPLE_SINT              ? "i32"
                                                     : "f32";
    return BROKEN(error, ATTACH_CLEAR_VALUE, name, value->r, value->g, value->b, value->a, what,
        type, words_for_format(format));
}

static bool validate_slice(const WGPURenderPassColorAttachment *attachment, const char *what,
    const char *name, struct validate_error *error) {
    struct WGPUTextureViewImpl *view = attachment->view;
    bool is_given = attachment->depthSlice != WGPU_DEPTH_SLICE_UNDEFINED;
    if (view->view.dimension != WGPUTextureViewDimension_3D) {
        return !is_given ||
            BROKEN(error, ATTACH_SLICE_EXTRA, name, attachment->depthSlice, what,
                GPU_NAME(view, TEXTURE_VIEW), words_for_dimension(view->view.dimension));
    }
    if (!is_given) {
        return BROKEN(error, ATTACH_SLICE_MISSING, name, what, GPU_NAME(view, TEXTURE_VIEW));
    }
    uint32_t depth = gpu_texture_get_physical_extent(view->texture, view->view.base_mip_level)
                         .depthOrArrayLayers;
    if (attachment->depthSlice >= depth) {
        return BROKEN(error, ATTACH_SLICE_RANGE, name, attachment->depthSlice, what, depth,
            view->view.base_mip_level, GPU_NAME(view->texture, TEXTURE));
    }
    return true;
}

static bool validate_resolve_formats(const struct WGPUDeviceImpl *device,
    struct WGPUTextureViewImpl *target, struct WGPUTextureViewImpl *view, const char *what,
    const char *name, struct validate_error *error) {
    if (target->view.format != view->view.format) {
        return BROKEN(error, RESOLVE_FORMAT, name, what, "", words_for_format(target->view.format),
            words_for_format(view->view.format));
    }
    if (target->texture->format != view->texture->format) {
        return BROKEN(error, RESOLVE_FORMAT, name, what, "a texture of ",
            words_for_format(target->texture->format), words_for_format(view->texture->format));
    }
    const struct texture_format_info *info = texture_format_get_info(view->view.format);
    if (!texture_format_can(info, TEXTURE_CAPABILITY_RESOLVE, device->features)) {
        return BROKEN(error, RESOLVE_SUPPORT, name, what, info->word);
    }
    return true;
}

static bool validate_resolve_target(const struct WGPUDeviceImpl *device,
    const WGPURenderPassColorAttachment *attachment, uint32_t index, const char *name,
    struct validate_error *error) {
    struct WGPUTextureViewImpl *view = attachment->view;
    struct WGPUTextureViewImpl *target = attachment->resolveTarget;
    struct attachment_words source = attachment_describe(index, false);
    struct attachment_words words = attachment_describe(index, true);
    if (view->texture->sample_count == 1) {
        return BROKEN(error, RESOLVE_SOURCE, name, source.text, GPU_NAME(view, TEXTURE_VIEW));
    }
    if (target->texture->sample_count != 1) {
        return BROKEN(error, RESOLVE_SAMPLES, name, words.text, GPU_NAME(target, TEXTURE_VIEW),
            target->texture->sample_count);
    }
    TRY(validate_renderable(target, words.text, false, name, error));
    WGPUExtent3D target_size = gpu_texture_get_physical_extent(
        target->texture, target->view.base_mip_level);
    WGPUExtent3D size = gpu_texture_get_physical_extent(view->texture, view->view.base_mip_level);
    if (target_size.width != size.width || target_size.height != size.height) {
        return BROKEN(error, RESOLVE_SIZE, name, words.text, target_size.width, target_size.height,
            size.width, size.height);
    }
    TRY(validate_resolve_formats(device, target, view, words.text, name, error));
    if ((target->usage & WGPUTextureUsage_TransientAttachment) != 0) {
        return BROKEN(error, RESOLVE_TRANSIENT, name, words.text, GPU_NAME(target, TEXTURE_VIEW));
    }
    return true;
}

bool validate_color_attachment(const struct WGPUDeviceImpl *device,
    const WGPURenderPassColorAttachment *attachment, uint32_t index, const char *name,
    struct validate_error *error) {
    struct attachment_words words = attachment_describe(index, false);
    struct WGPUTextureViewImpl *view = attachment->view;
    TRY(validate_view(device, view, words.text, name, error));
    if (attachment->resolveTarget != NULL) {
        TRY(validate_view(
            device, attachment->resolveTarget, attachment_describe(index, true).text, name, error));
    }
    const struct texture_format_info *info = texture_format_get_info(view->view.format);
    if (info->aspect != TEXTURE_ASPECT_COLOR ||
        !texture_format_can(info, TEXTURE_CAPABILITY_RENDER, device->features)) {
        return BROKEN(
            error, ATTACH_FORMAT, name, words.text, GPU_NAME(view, TEXTURE_VIEW), info->word);
    }
    TRY(validate_renderable(view, words.text, true, name, error));
    TRY(validate_slice(attachment, words.text, name, error));
    TRY(validate_load_op(attachment->loadOp, false, "loadOp", words.text, name, error));
    TRY(validate_store_op(attachment->storeOp, false, "storeOp", words.text, name, error));
    TRY(validate_transient(view, attachment->loadOp, "loadOp", attachment->storeOp, "storeOp",
        words.text, name, error));
    if (attachment->loadOp == WGPULoadOp_Clear) {
        TRY(validate_clear_value(attachment, words.text, name, error));
    }
    return attachment->resolveTarget == NULL ||
        validate_resolve_target(device, attachment, index, name, error);
}

// ---------------------------------------------------------------- depth and stencil

struct aspect_ops {
    const char *aspect;
    const char *load_name;
    const char *store_name;
    WGPULoadOp load_op;
    WGPUStoreOp store_op;
    bool is_read_only;
    bool has_aspect;
};

static bool break_op(const struct aspect_ops *ops, const char *op_name, const char *op_word,
    const char *format, const char *name, struct validate_error *error) {
    if (op_word == NULL) {
        return BROKEN(error, DEPTH_ATTACH_OP_MISSING, name, op_name, format, ops->aspect);
    }
    if (ops->has_aspect) {
        return BROKEN(
            error, DEPTH_ATTACH_OP_EXTRA, name, op_name, op_word, ops->aspect, " is read-only", "");
    }
    return BROKEN(
        error, DEPTH_ATTACH_OP_EXTRA, name, op_name, op_word, format, " has no ", ops->aspect);
}

// Operations of an aspect are given if and only if it is there and may be written.
static bool validate_aspect_ops(struct WGPUTextureViewImpl *view, const struct aspect_ops *ops,
    const char *name, struct validate_error *error) {
    const char *format = words_for_format(view->view.format);
    const char *what = attachment_depth_stencil_words;
    TRY(validate_load_op(ops->load_op, true, ops->load_name, what, name, error));
    TRY(validate_store_op(ops->store_op, true, ops->store_name, what, name, error));
    bool is_needed = ops->has_aspect && !ops->is_read_only;
    bool has_load = ops->load_op != WGPULoadOp_Undefined;
    bool has_store = ops->store_op != WGPUStoreOp_Undefined;
    if (has_load != is_needed) {
        return break_op(ops, ops->load_name, has_load ? get_load_word(ops->load_op) : NULL, format,
            name, error);
    }
    if (has_store != is_needed) {
        return break_op(ops, ops->store_name, has_store ? get_store_word(ops->store_op) : NULL,
            format, name, error);
    }
    return !ops->has_aspect ||
        validate_transient(
            view, ops->load_op, ops->load_name, ops->store_op, ops->store_name, what, name, error);
}

bool validate_depth_stencil_attachment(const struct WGPUDeviceImpl *device,
    const WGPURenderPassDepthStencilAttachment *attachment, const char *name,
    struct validate_error *error) {
    struct WGPUTextureViewImpl *view = attachment->view;
    const char *what = attachment_depth_stencil_words;
    TRY(validate_view(device, view, what, name, error));
    const struct texture_format_info *info = texture_format_get_info(view->view.format);
    if (info->aspect == TEXTURE_ASPECT_COLOR) {
        return BROKEN(
            error, DEPTH_ATTACH_FORMAT, name, what, GPU_NAME(view, TEXTURE_VIEW), info->word);
    }
    TRY(validate_renderable(view, what, true, name, error));
    float clear = attachment->depthClearValue;
    if (attachment->depthLoadOp == WGPULoadOp_Clear && !(clear >= 0 && clear <= 1)) {
        return BROKEN(error, DEPTH_ATTACH_CLEAR, name, (double)clear);
    }
    struct aspect_ops depth = {
        .aspect = "depth",
        .load_name = "depthLoadOp",
        .store_name = "depthStoreOp",
        .load_op = attachment->depthLoadOp,
        .store_op = attachment->depthStoreOp,
        .is_read_only = attachment->depthReadOnly != WGPU_FALSE,
        .has_aspect = info->aspect != TEXTURE_ASPECT_STENCIL,
    };
    struct aspect_ops stencil = {
        .aspect = "stencil",
        .load_name = "stencilLoadOp",
        .store_name = "stencilStoreOp",
        .load_op = attachment->stencilLoadOp,
        .store_op = attachment->stencilStoreOp,
        .is_read_only = attachment->stencilReadOnly != WGPU_FALSE,
        .has_aspect = info->aspect != TEXTURE_ASPECT_DEPTH,
    };
    return validate_aspect_ops(view, &depth, name, error) &&
        validate_aspect_ops(view, &stencil, name, error);
}
