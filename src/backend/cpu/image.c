// SPDX-License-Identifier: MIT
//
// Views and samplers of the CPU adapter, and the door by which generated code comes to texture
// operations.
#include "backend/cpu/image.h"

#include <string.h>

#include "backend/cpu/image_priv.h"

#include <webgpu/webgpu.h>

// ---------------------------------------------------------------- views

static bool is_identity(const uint8_t swizzle[4]) {
    for (uint32_t i = 0; i < 4; i++) {
        if (swizzle[i] != WGPUComponentSwizzle_Undefined &&
            swizzle[i] != WGPUComponentSwizzle_R + i) {
            return false;
        }
    }
    return true;
}

static uint32_t at_least_one(uint32_t count) {
    return count != 0 ? count : 1;
}

void cpu_image_init(struct cpu_image *out_image, const struct backend_texture_view *view) {
    memset(out_image, 0, sizeof(*out_image));
    const struct host_texture_plane *plane = host_texture_find_plane(view->texture, view->aspect);
    // The plane's format but for what views may change; of depth and stencil the view's may be that
    // of both aspects.
    uint32_t format = view->aspect == TEXTURE_ASPECT_COLOR ? view->format : plane->format;
    const struct texture_format_info *info = texture_format_get_info(format);
    out_image->format = format;
    out_image->dimension = view->dimension;
    out_image->sample_count = view->texture->sample_count;
    out_image->texel_bytes = info->block_bytes;
    out_image->block_width = info->block_width;
    out_image->block_height = info->block_height;
    out_image->codec = cpu_texel_codec_get(format);
    memcpy(out_image->swizzle, view->swizzle, sizeof(out_image->swizzle));
    out_image->has_swizzle = !is_identity(view->swizzle);
    bool is_3d = view->dimension == WGPUTextureViewDimension_3D;
    for (uint32_t i = 0; i < view->mip_level_count; i++) {
        const struct host_texture_level *from = &plane->levels[view->base_mip_level + i];
        uint64_t first = is_3d ? 0 : view->base_array_layer;
        out_image->levels[i] = (struct cpu_image_level){
            .data = from->data + first * from->image_bytes,
            .row_bytes = from->row_bytes,
            .image_bytes = from->image_bytes,
            .width = from->width,
            .height = from->height,
            .image_count = is_3d ? from->image_count : view->array_layer_count,
        };
    }
    const struct cpu_image_level *base = &out_image->levels[0];
    bool is_cube_array = view->dimension == WGPUTextureViewDimension_CubeArray;
    bool is_cube = is_cube_array || view->dimension == WGPUTextureViewDimension_Cube;
    out_image->seen = (struct jit_texture){
        .width = base->width,
        .height = base->height,
        .depth = is_3d ? base->image_count : 1,
        .layer_count = is_3d ? 1 : at_least_one(view->array_layer_count / (is_cube ? 6 : 1)),
        .level_count = view->mip_level_count,
        .sample_count = view->texture->sample_count,
    };
    bool is_plain = out_image->sample_count == 1 && !out_image->has_swizzle &&
        out_image->codec != NULL && out_image->codec->decode_block == NULL;
    if (is_plain && base->image_count * base->image_bytes <= INT32_MAX) {
        out_image->seen.texels = base->data;
        out_image->seen.format = format;
        out_image->seen.row_bytes = (uint32_t)base->row_bytes;
        out_image->seen.image_bytes = (uint32_t)base->image_bytes;
    }
}

uint32_t image_get_source(const struct cpu_image *image, uint32_t component) {
    uint8_t swizzle = image->swizzle[component];
    if (swizzle == WGPUComponentSwizzle_Undefined) {
        return component;
    }
    if (swizzle < WGPUComponentSwizzle_R) {
        return swizzle == WGPUComponentSwizzle_One ? IMAGE_SOURCE_ONE : IMAGE_SOURCE_ZERO;
    }
    return swizzle - WGPUComponentSwizzle_R;
}

void cpu_sampler_init(struct cpu_sampler *out_sampler, const struct backend_sampler *state) {
    memset(out_sampler, 0, sizeof(*out_sampler));
    out_sampler->state = *state;
    out_sampler->is_linear_mag = state->mag_filter == WGPUFilterMode_Linear;
    out_sampler->is_linear_min = state->min_filter == WGPUFilterMode_Linear;
    out_sampler->is_linear_mip = state->mipmap_filter == WGPUMipmapFilterMode_Linear;
    uint32_t anisotropy = at_least_one(state->max_anisotropy);
    out_sampler->anisotropy = anisotropy < 16 ? anisotropy : 16;
}

// ---------------------------------------------------------------- operands

bool image_get_layers(const struct image_operation *operation, uint32_t *out_layers) {
    const uint32_t *row = operation->operands.layer;
    if (row == NULL) {
        return false;
    }
    uint32_t last = operation->image->seen.layer_count - 1;
    bool is_signed = operation->call->is_layer_signed != 0;
    for (uint32_t i = 0; i < operation->width; i++) {
        uint32_t layer = is_signed && (int32_t)row[i] < 0 ? 0 : row[i];
        out_layers[i] = layer < last ? layer : last;
    }
    return true;
}

void image_get_references(const struct image_operation *operation, float *out_references) {
    const float *row = image_floats(operation->operands.rest);
    memcpy(out_references, row, operation->width * sizeof(row[0]));
    if (operation->image->format == WGPUTextureFormat_Depth16Unorm) {
        for (uint32_t i = 0; i < operation->width; i++) {
            float reference = row[i] < 1.0f ? row[i] : 1.0f;
            out_references[i] = reference > 0.0f ? reference : 0.0f;
        }
    }
}

// By enum texture_dimension: coordinates, and whether an array index follows.
static const struct {
    uint8_t axis_count;
    bool is_array;
} shapes[] = {
    [TEXTURE_DIMENSION_1D] = {1, false},
    [TEXTURE_DIMENSION_2D] = {2, false},
    [TEXTURE_DIMENSION_2D_ARRAY] = {2, true},
    [TEXTURE_DIMENSION_3D] = {3, false},
    [TEXTURE_DIMENSION_CUBE] = {3, false},
    [TEXTURE_DIMENSION_CUBE_ARRAY] = {3, true},
};

static struct image_operands take_operands(
    const struct jit_texture_call *call, const uint32_t *arguments) {
    struct image_operands operands = {.axis_count = shapes[call->dimension].axis_count};
    for (uint32_t i = 0; i < operands.axis_count; i++) {
        operands.coordinates[i] = arguments;
        arguments += call->width;
    }
    if (shapes[call->dimension].is_array) {
        operands.layer = arguments;
        arguments += call->width;
    }
    operands.rest = arguments;
    return operands;
}

// ---------------------------------------------------------------- results

static uint32_t compare_word(bool is_true) {
    return is_true ? 0x3f800000u : 0;
}

#define COMPARE_LOOP(operator) \
    for (uint32_t i = 0; i < count; i++) { \
        depths[i] = compare_word(references[i] operator texels[i]); \
    }

void image_compare(const struct image_operation *operation, uint32_t count, const float *references,
    uint32_t *depths) {
    float texels[IMAGE_TEXELS];
    memcpy(texels, depths, count * sizeof(texels[0]));
    switch (operation->sampler->state.compare) {
    case WGPUCompareFunction_Less:
        COMPARE_LOOP(<)
        break;
    case WGPUCompareFunction_Equal:
        COMPARE_LOOP(==)
        break;
    case WGPUCompareFunction_LessEqual:
        COMPARE_LOOP(<=)
        break;
    case WGPUCompareFunction_Greater:
        COMPARE_LOOP(>)
        break;
    case WGPUCompareFunction_NotEqual:
        COMPARE_LOOP(!=)
        break;
    case WGPUCompareFunction_GreaterEqual:
        COMPARE_LOOP(>=)
        break;
    case WGPUCompareFunction_Always:
        for (uint32_t i = 0; i < count; i++) {
            depths[i] = compare_word(true);
        }
        break;
    default: // never
        memset(depths, 0, count * sizeof(depths[0]));
        break;
    }
}

void image_put_results(
    const struct image_operation *operation, const uint32_t *words, uint32_t stride) {
    const struct jit_texture_call *call = operation->call;
    const struct cpu_image *image = operation->image;
    uint32_t one = call->sampled_type == TYPE_F32 ? TEXEL_ONE : 1;
    uint32_t row_count = call->is_depth != 0 ? 1 : 4;
    for (uint32_t i = 0; i < row_count; i++) {
        uint32_t *out = operation->results + (size_t)i * operation->width;
        uint32_t source = image->has_swizzle ? image_get_source(image, i) : i;
        if (source < 4) {
            memcpy(out, words + (size_t)source * stride, operation->width * sizeof(out[0]));
            continue;
        }
        for (uint32_t lane = 0; lane < operation->width; lane++) {
            out[lane] = source == IMAGE_SOURCE_ONE ? one : 0;
        }
    }
}

// ---------------------------------------------------------------- calls

void cpu_image_call(const struct jit_texture_call *call, const struct jit_texture *texture,
    const void *sampler, uint64_t lanes, const uint32_t *arguments, uint32_t *results) {
    struct image_operation operation = {
        .call = call,
        .image = (const struct cpu_image *)(const void *)texture,
        .sampler = sampler,
        .width = call->width < IMAGE_LANES ? call->width : IMAGE_LANES,
        .operands = take_operands(call, arguments),
        .results = results,
    };
    if (operation.width == 0) {
        return;
    }
    operation.lanes = lanes & ~(uint64_t)0 >> (64 - operation.width);
    if (operation.lanes == 0) {
        return;
    }
    if (call->opcode == IR_TEXTURE_LOAD) {
        image_load(&operation);
    } else if (call->opcode == IR_TEXTURE_STORE) {
        image_store(&operation);
    } else if (call->opcode == IR_TEXTURE_GATHER || call->opcode == IR_TEXTURE_GATHER_COMPARE) {
        image_gather(&operation);
    } else {
        image_sample(&operation);
    }
}
