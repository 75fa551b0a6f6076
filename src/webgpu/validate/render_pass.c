// SPDX-License-Identifier: MIT
//
// Rules of render passes: their attachments together, rasterisation state, queries, bundles.
#include "webgpu/validate/render_pass.h"

#include <math.h>

#include "base/try.h"
#include "webgpu/validate/attachment.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/pass.h"
#include "webgpu/validate/render_commands.h"

#define PASS_NAME GPU_NAME(pass, RENDER_PASS_ENCODER)

// ---------------------------------------------------------------- attachments together

// The first attachment, to which the others are compared.
struct first {
    struct attachment_words words;
    struct WGPUTextureViewImpl *view; // NULL: none yet
    WGPUExtent3D size;
};

static bool validate_same_shape(struct first *first, struct WGPUTextureViewImpl *view,
    const struct attachment_words *words, const char *name, struct validate_error *error) {
    WGPUExtent3D size = gpu_texture_get_physical_extent(view->texture, view->view.base_mip_level);
    if (first->view == NULL) {
        *first = (struct first){*words, view, size};
        return true;
    }
    if (view->texture->sample_count != first->view->texture->sample_count) {
        return BROKEN(error, ATTACH_SAMPLES, name, words->text, view->texture->sample_count,
            first->words.text, first->view->texture->sample_count);
    }
    if (size.width != first->size.width || size.height != first->size.height) {
        return BROKEN(error, ATTACH_SIZE, name, words->text, size.width, size.height,
            first->words.text, first->size.width, first->size.height);
    }
    return true;
}

static bool validate_bytes(const struct WGPUDeviceImpl *device,
    const struct gpu_render_layout *layout, const char *name, struct validate_error *error) {
    uint32_t bytes = validate_count_color_bytes(layout);
    uint64_t limit = device->limits.values[LIMIT_maxColorAttachmentBytesPerSample];
    return bytes <= limit || BROKEN(error, ATTACH_BYTES, name, bytes, ULL(limit));
}

// A region of a texture that is rendered or resolved to.
struct region {
    struct WGPUTextureViewImpl *view;
    uint32_t layer; // or slice
    uint32_t index;
    bool is_resolve_target;
};

static bool validate_disjoint(
    const WGPURenderPassDescriptor *descriptor, const char *name, struct validate_error *error) {
    struct region regions[2 * COMMAND_COLOR_ATTACHMENT_CAPACITY];
    size_t count = 0;
    for (uint32_t i = 0; i < descriptor->colorAttachmentCount; i++) {
        const WGPURenderPassColorAttachment *attachment = &descriptor->colorAttachments[i];
        struct WGPUTextureViewImpl *view = attachment->view;
        if (view == NULL) {
            continue;
        }
        bool is_3d = view->view.dimension == WGPUTextureViewDimension_3D;
        uint32_t layer = is_3d ? attachment->depthSlice : view->view.base_array_layer;
        regions[count++] = (struct region){view, layer, i, false};
        struct WGPUTextureViewImpl *target = attachment->resolveTarget;
        if (target != NULL) {
            regions[count++] = (struct region){target, target->view.base_array_layer, i, true};
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct region *a = &regions[j];
            const struct region *b = &regions[i];
            if (a->view->texture == b->view->texture && a->layer == b->layer &&
                a->view->view.base_mip_level == b->view->view.base_mip_level) {
                return BROKEN(error, ATTACH_OVERLAP, name,
                    attachment_describe(a->index, a->is_resolve_target).text,
                    attachment_describe(b->index, b->is_resolve_target).text,
                    a->view->view.base_mip_level, a->layer, GPU_NAME(a->view->texture, TEXTURE));
            }
        }
    }
    return true;
}

static bool validate_colors(const struct WGPUDeviceImpl *device,
    const WGPURenderPassDescriptor *descriptor, const char *name, struct first *first,
    struct gpu_render_layout *layout, struct validate_error *error) {
    for (uint32_t i = 0; i < descriptor->colorAttachmentCount; i++) {
        const WGPURenderPassColorAttachment *attachment = &descriptor->colorAttachments[i];
        TRY(validate_no_chain(attachment->nextInChain, name, error));
        if (attachment->view == NULL) {
            continue;
        }
        TRY(validate_color_attachment(device, attachment, i, name, error));
        struct attachment_words words = attachment_describe(i, false);
        TRY(validate_same_shape(first, attachment->view, &words, name, error));
        layout->color_formats[i] = attachment->view->view.format;
        layout->color_count = i + 1;
    }
    return true;
}

static bool validate_occlusion_set(const struct WGPUDeviceImpl *device,
    struct WGPUQuerySetImpl *set, const char *name, struct validate_error *error) {
    if (!gpu_is_usable(&set->object, device)) {
        return BROKEN(error, OCCLUSION_SET, name, GPU_NAME(set, QUERY_SET),
            rule_describe_unusable(&set->object, device));
    }
    if (set->type != WGPUQueryType_Occlusion) {
        return BROKEN(error, OCCLUSION_SET_TYPE, name, GPU_NAME(set, QUERY_SET));
    }
    return true;
}

bool validate_render_pass(const struct WGPUDeviceImpl *device,
    const WGPURenderPassDescriptor *descriptor, const char *name, struct render_target *out_target,
    struct validate_error *error) {
    *out_target = (struct render_target){.max_draw_count = 50000000};
    struct validate_chain chain = {1, {WGPUSType_RenderPassMaxDrawCount}, {NULL}};
    TRY(validate_chain(descriptor->nextInChain, &chain, name, error));
    if (chain.found[0] != NULL) {
        out_target->max_draw_count =
            ((const WGPURenderPassMaxDrawCount *)chain.found[0])->maxDrawCount;
    }
    uint64_t limit = device->limits.values[LIMIT_maxColorAttachments];
    if (descriptor->colorAttachmentCount > limit) {
        return BROKEN(error, ATTACH_COUNT, name, ULL(descriptor->colorAttachmentCount), ULL(limit));
    }
    struct first first = {.view = NULL};
    struct gpu_render_layout *layout = &out_target->layout;
    TRY(validate_colors(device, descriptor, name, &first, layout, error));
    const WGPURenderPassDepthStencilAttachment *depth_stencil = descriptor->depthStencilAttachment;
    if (depth_stencil != NULL) {
        TRY(validate_no_chain(depth_stencil->nextInChain, name, error));
        TRY(validate_depth_stencil_attachment(device, depth_stencil, name, error));
        struct attachment_words words = {"the depth-stencil attachment"};
        TRY(validate_same_shape(&first, depth_stencil->view, &words, name, error));
        layout->depth_stencil_format = depth_stencil->view->view.format;
    }
    if (first.view == NULL) {
        return BROKEN(error, ATTACH_NONE, name);
    }
    layout->sample_count = first.view->texture->sample_count;
    out_target->width = first.size.width;
    out_target->height = first.size.height;
    TRY(validate_bytes(device, layout, name, error));
    TRY(validate_disjoint(descriptor, name, error));
    return descriptor->occlusionQuerySet == NULL ||
        validate_occlusion_set(device, descriptor->occlusionQuerySet, name, error);
}

// ---------------------------------------------------------------- rasterisation state

bool validate_viewport(struct WGPURenderPassEncoderImpl *pass,
    const struct command_set_viewport *viewport, struct validate_error *error) {
    uint64_t limit = pass->object.device->limits.values[LIMIT_maxTextureDimension2D];
    double range = 2.0 * (double)limit;
    double x = viewport->x;
    double y = viewport->y;
    double width = viewport->width;
    double height = viewport->height;
    // Written so that NaN breaks them.
    if (!(x >= -range && y >= -range)) {
        return BROKEN(error, VIEWPORT_ORIGIN, PASS_NAME, x, y, -range);
    }
    if (!(width >= 0 && width <= (double)limit && height >= 0 && height <= (double)limit)) {
        return BROKEN(error, VIEWPORT_SIZE, PASS_NAME, width, height, ULL(limit));
    }
    if (!(x + width <= range - 1 && y + height <= range - 1)) {
        return BROKEN(error, VIEWPORT_END, PASS_NAME, x + width, y + height, range - 1);
    }
    double near_depth = viewport->min_depth;
    double far_depth = viewport->max_depth;
    if (!(near_depth >= 0 && near_depth <= far_depth && far_depth <= 1)) {
        return BROKEN(error, VIEWPORT_DEPTH, PASS_NAME, near_depth, far_depth);
    }
    return true;
}

bool validate_blend_constant(
    struct WGPURenderPassEncoderImpl *pass, const WGPUColor *color, struct validate_error *error) {
    if (!isfinite(color->r) || !isfinite(color->g) || !isfinite(color->b) || !isfinite(color->a)) {
        return BROKEN(
            error, BLEND_CONSTANT_FINITE, PASS_NAME, color->r, color->g, color->b, color->a);
    }
    return true;
}

bool validate_scissor_rect(struct WGPURenderPassEncoderImpl *pass,
    const struct command_set_scissor_rect *rect, struct validate_error *error) {
    if ((uint64_t)rect->x + rect->width > pass->width ||
        (uint64_t)rect->y + rect->height > pass->height) {
        return BROKEN(error, SCISSOR_RANGE, PASS_NAME, rect->x, rect->width, rect->y, rect->height,
            pass->width, pass->height);
    }
    return true;
}

// ---------------------------------------------------------------- queries and bundles

bool validate_begin_occlusion_query(struct WGPURenderPassEncoderImpl *pass, uint32_t index,
    bool is_begun, struct validate_error *error) {
    struct WGPUQuerySetImpl *set = pass->occlusion_query_set;
    if (set == NULL) {
        return BROKEN(error, OCCLUSION_NO_SET, PASS_NAME);
    }
    if (index >= set->count) {
        return BROKEN(
            error, OCCLUSION_INDEX, PASS_NAME, index, set->count, GPU_NAME(set, QUERY_SET));
    }
    if (is_begun) {
        return BROKEN(error, OCCLUSION_TWICE, PASS_NAME, index, GPU_NAME(set, QUERY_SET));
    }
    if (pass->is_occlusion_query_active) {
        return BROKEN(error, OCCLUSION_NESTED, PASS_NAME, index);
    }
    return true;
}

bool validate_end_occlusion_query(
    struct WGPURenderPassEncoderImpl *pass, struct validate_error *error) {
    return pass->is_occlusion_query_active || BROKEN(error, OCCLUSION_NOT_ACTIVE, PASS_NAME);
}

bool validate_execute_bundle(struct WGPURenderPassEncoderImpl *pass, uint32_t index,
    struct WGPURenderBundleImpl *bundle, struct validate_error *error) {
    const struct WGPUDeviceImpl *device = pass->object.device;
    if (bundle == NULL || !gpu_is_usable(&bundle->object, device)) {
        return BROKEN(error, EXECUTE_BUNDLE, PASS_NAME, index, GPU_NAME(bundle, RENDER_BUNDLE),
            rule_describe_unusable(bundle != NULL ? &bundle->object : NULL, device));
    }
    const struct gpu_render_commands *commands = &pass->commands;
    if (!validate_layouts_are_equal(&commands->layout, &bundle->layout)) {
        return BROKEN(error, EXECUTE_LAYOUT, PASS_NAME, index, GPU_NAME(bundle, RENDER_BUNDLE),
            validate_describe_layout(&bundle->layout).text,
            validate_describe_layout(&commands->layout).text);
    }
    if (commands->is_depth_read_only && !bundle->is_depth_read_only) {
        return BROKEN(error, EXECUTE_READ_ONLY, PASS_NAME, index, GPU_NAME(bundle, RENDER_BUNDLE),
            "depthReadOnly", "depth");
    }
    if (commands->is_stencil_read_only && !bundle->is_stencil_read_only) {
        return BROKEN(error, EXECUTE_READ_ONLY, PASS_NAME, index, GPU_NAME(bundle, RENDER_BUNDLE),
            "stencilReadOnly", "stencil");
    }
    return true;
}

bool validate_end_render_pass(
    struct WGPURenderPassEncoderImpl *pass, struct validate_error *error) {
    TRY(validate_usage_scope(&pass->commands.pass, &pass->commands.scope, error));
    if (pass->is_occlusion_query_active) {
        return BROKEN(error, OCCLUSION_OPEN, PASS_NAME);
    }
    if (pass->commands.draw_count > pass->max_draw_count) {
        return BROKEN(error, PASS_DRAW_COUNT, PASS_NAME, ULL(pass->commands.draw_count),
            ULL(pass->max_draw_count));
    }
    return true;
}
