// SPDX-License-Identifier: MIT
//
// Attachments are whole images of linear texels: clearing is filling them with one texel.
#include "backend/host_render_pass.h"

#include <string.h>

#include <webgpu/webgpu.h>

#include "backend/host_query_set.h"
#include "backend/host_texel.h"
#include "backend/host_texture.h"

// The one image that an attachment is.
struct image {
    uint8_t *data;
    uint64_t size_bytes;
    uint32_t texel_bytes; // of one sample
    uint32_t sample_count;
};

static struct image get_image(
    const struct backend_texture_view *view, enum texture_aspect aspect, uint32_t slice) {
    const struct host_texture_plane *plane = host_texture_find_plane(view->texture, aspect);
    const struct host_texture_level *level = &plane->levels[view->base_mip_level];
    uint32_t image = view->dimension == WGPUTextureViewDimension_3D ? slice
                                                                    : view->base_array_layer;
    return (struct image){
        .data = level->data + level->image_bytes * image,
        .size_bytes = level->image_bytes,
        .texel_bytes = plane->block_bytes / view->texture->sample_count,
        .sample_count = view->texture->sample_count,
    };
}

// What is copied from at a time stays in the nearest cache.
#define FILL_BYTES 4096u

static bool are_bytes_equal(const uint8_t *bytes, uint32_t count) {
    return memcmp(bytes, bytes + 1, count - 1) == 0;
}

static void fill(const struct image *image, const uint8_t texel[]) {
    if (are_bytes_equal(texel, image->texel_bytes)) {
        memset(image->data, texel[0], (size_t)image->size_bytes);
        return;
    }
    uint64_t filled = image->texel_bytes;
    memcpy(image->data, texel, image->texel_bytes);
    while (filled < image->size_bytes) {
        uint64_t more = image->size_bytes - filled < filled ? image->size_bytes - filled : filled;
        more = more < FILL_BYTES ? more : FILL_BYTES;
        memcpy(image->data + filled, image->data, (size_t)more);
        filled += more;
    }
}

static void discard(const struct image *image) {
    memset(image->data, 0, (size_t)image->size_bytes);
}

// ---------------------------------------------------------------- load operations

static void clear_color(const struct command_color_attachment *color) {
    uint8_t texel[HOST_TEXEL_BYTES];
    host_texel_encode(color->view->format, color->clear_value, texel);
    struct image image = get_image(color->view, TEXTURE_ASPECT_COLOR, color->depth_slice);
    fill(&image, texel);
}

static void clear_aspect(
    const struct backend_texture_view *view, enum texture_aspect aspect, double value) {
    uint8_t texel[HOST_TEXEL_BYTES];
    double values[4] = {value, 0, 0, 0};
    struct image image = get_image(view, aspect, 0);
    host_texel_encode(texture_format_get_aspect(view->format, aspect), values, texel);
    fill(&image, texel);
}

static void begin(const struct command_begin_render_pass *pass) {
    for (uint32_t i = 0; i < pass->color_count; i++) {
        if (pass->colors[i].view != NULL && pass->colors[i].load_op == WGPULoadOp_Clear) {
            clear_color(&pass->colors[i]);
        }
    }
    const struct command_depth_stencil_attachment *depth = &pass->depth_stencil;
    if (depth->view != NULL && depth->depth_load_op == WGPULoadOp_Clear) {
        clear_aspect(depth->view, TEXTURE_ASPECT_DEPTH, (double)depth->depth_clear_value);
    }
    if (depth->view != NULL && depth->stencil_load_op == WGPULoadOp_Clear) {
        clear_aspect(depth->view, TEXTURE_ASPECT_STENCIL, depth->stencil_clear_value & 0xffu);
    }
}

// ---------------------------------------------------------------- resolves

static bool are_samples_equal(const uint8_t *samples, const struct host_resolve *resolve) {
    // Each byte equals the one a texel before it.
    size_t rest = (size_t)resolve->texel_bytes * (resolve->sample_count - 1);
    return memcmp(samples, samples + resolve->texel_bytes, rest) == 0;
}

static void average(
    const struct host_resolve *resolve, const uint8_t *samples, uint8_t *out_texel) {
    double sum[4] = {0};
    for (uint32_t i = 0; i < resolve->sample_count; i++) {
        double value[4];
        host_texel_decode(resolve->format, samples + (size_t)i * resolve->texel_bytes, value);
        for (int j = 0; j < 4; j++) {
            sum[j] += value[j];
        }
    }
    for (int j = 0; j < 4; j++) {
        sum[j] /= resolve->sample_count;
    }
    host_texel_encode(resolve->format, sum, out_texel);
}

void host_resolve(void *user, const struct host_resolve *resolve) {
    (void)user;
    size_t stride = (size_t)resolve->texel_bytes * resolve->sample_count;
    for (uint64_t i = 0; i < resolve->texel_count; i++) {
        const uint8_t *samples = resolve->samples + i * stride;
        uint8_t *texel = resolve->texels + i * resolve->texel_bytes;
        if (are_samples_equal(samples, resolve)) {
            memcpy(texel, samples, resolve->texel_bytes);
        } else {
            average(resolve, samples, texel);
        }
    }
}

static void resolve_color(
    const struct host_render_pass *pass, const struct command_color_attachment *color) {
    struct image source = get_image(color->view, TEXTURE_ASPECT_COLOR, color->depth_slice);
    struct image target = get_image(color->resolve_target, TEXTURE_ASPECT_COLOR, 0);
    struct host_resolve resolve = {
        .format = color->view->format,
        .texel_bytes = source.texel_bytes,
        .sample_count = source.sample_count,
        .texel_count = target.size_bytes / target.texel_bytes,
        .samples = source.data,
        .texels = target.data,
    };
    host_resolve_function function = pass->resolve != NULL ? pass->resolve : host_resolve;
    function(pass->resolve_user, &resolve);
}

// ---------------------------------------------------------------- store operations

static void end(const struct host_render_pass *host) {
    const struct command_begin_render_pass *pass = host->begin;
    for (uint32_t i = 0; i < pass->color_count; i++) {
        const struct command_color_attachment *color = &pass->colors[i];
        if (color->view != NULL && color->resolve_target != NULL) {
            resolve_color(host, color);
        }
        if (color->view != NULL && color->store_op == WGPUStoreOp_Discard) {
            struct image image = get_image(color->view, TEXTURE_ASPECT_COLOR, color->depth_slice);
            discard(&image);
        }
    }
    const struct command_depth_stencil_attachment *depth = &pass->depth_stencil;
    if (depth->view != NULL && depth->depth_store_op == WGPUStoreOp_Discard) {
        struct image image = get_image(depth->view, TEXTURE_ASPECT_DEPTH, 0);
        discard(&image);
    }
    if (depth->view != NULL && depth->stencil_store_op == WGPUStoreOp_Discard) {
        struct image image = get_image(depth->view, TEXTURE_ASPECT_STENCIL, 0);
        discard(&image);
    }
}

bool host_render_pass_execute(struct host_render_pass *pass, const struct command_header *header) {
    switch (header->kind) {
    case COMMAND_BEGIN_RENDER_PASS:
        pass->begin = (const struct command_begin_render_pass *)header;
        pass->passed_samples = 0;
        begin(pass->begin);
        return true;
    case COMMAND_END_RENDER_PASS:
        end(pass);
        pass->begin = NULL;
        return true;
    case COMMAND_BEGIN_OCCLUSION_QUERY:
        pass->occlusion_query = ((const struct command_begin_occlusion_query *)header)->index;
        pass->passed_samples = 0;
        return true;
    case COMMAND_END_OCCLUSION_QUERY:
        pass->begin->occlusion_query_set->values[pass->occlusion_query] = pass->passed_samples;
        return true;
    default:
        return false;
    }
}
