// SPDX-License-Identifier: MIT
//
// Rules of copies of texels: one side that is a texture, then bytes, then pairs of textures.
#include "webgpu/validate/texel_copy.h"

#include "base/try.h"
#include "webgpu/validate/buffer.h"
#include "webgpu/validate/texture.h"
#include "webgpu/validate/words.h"

#define OWNER gpu_object_get_name(owner, owner->class_of->kind).text
#define IS_USABLE(handle) ((handle) != NULL && gpu_is_usable(&(handle)->object, device))
#define DESCRIBE(handle) rule_describe_unusable((handle) != NULL ? &(handle)->object : NULL, device)

// ---------------------------------------------------------------- one texture

static WGPUTextureAspect get_aspect(const WGPUTexelCopyTextureInfo *info) {
    return info->aspect != WGPUTextureAspect_Undefined ? info->aspect : WGPUTextureAspect_All;
}

static bool validate_range(struct gpu_object *owner, const WGPUTexelCopyTextureInfo *info,
    const WGPUExtent3D *size, struct validate_error *error) {
    struct WGPUTextureImpl *texture = info->texture;
    const struct texture_format_info *format = texture_format_get_info(texture->format);
    const WGPUOrigin3D *origin = &info->origin;
    WGPUExtent3D extent = gpu_texture_get_physical_extent(texture, info->mipLevel);
    if (!validate_is_within(origin->x, size->width, extent.width) ||
        !validate_is_within(origin->y, size->height, extent.height) ||
        !validate_is_within(origin->z, size->depthOrArrayLayers, extent.depthOrArrayLayers)) {
        return BROKEN(error, TEXEL_RANGE, OWNER, origin->x, origin->y, origin->z, size->width,
            size->height, size->depthOrArrayLayers, info->mipLevel, GPU_NAME(texture, TEXTURE),
            extent.width, extent.height, extent.depthOrArrayLayers);
    }
    if (size->width % format->block_width != 0 || size->height % format->block_height != 0) {
        return BROKEN(error, TEXEL_SIZE, OWNER, size->width, size->height, format->block_width,
            format->block_height, format->word);
    }
    if (origin->x % format->block_width != 0 || origin->y % format->block_height != 0) {
        return BROKEN(error, TEXEL_ORIGIN, OWNER, origin->x, origin->y, format->block_width,
            format->block_height, format->word);
    }
    bool is_depth_stencil = format->aspect != TEXTURE_ASPECT_COLOR;
    bool is_whole = size->width == extent.width && size->height == extent.height;
    if (!is_whole && (is_depth_stencil || texture->sample_count > 1)) {
        return BROKEN(error, TEXEL_WHOLE, OWNER, size->width, size->height,
            size->depthOrArrayLayers, origin->x, origin->y, origin->z, info->mipLevel,
            GPU_NAME(texture, TEXTURE), extent.width, extent.height,
            is_depth_stencil ? "of a depth or stencil format" : "multisampled");
    }
    return true;
}

// Everything about one texture of a copy. `what` is "source" or "destination".
static bool validate_side(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyTextureInfo *info, const WGPUExtent3D *size, const char *what,
    WGPUTextureUsage usage, struct command_texel_place *out_place, struct validate_error *error) {
    struct WGPUTextureImpl *texture = info->texture;
    if (!IS_USABLE(texture)) {
        return BROKEN(
            error, TEXEL_TEXTURE, OWNER, what, GPU_NAME(texture, TEXTURE), DESCRIBE(texture));
    }
    if ((texture->usage & usage) == 0) {
        return BROKEN(error, TEXEL_TEXTURE_USAGE, OWNER, what,
            rule_describe_texture_usage(usage).text, GPU_NAME(texture, TEXTURE),
            rule_describe_texture_usage(texture->usage).text);
    }
    WGPUTextureAspect aspect = get_aspect(info);
    if ((uint32_t)aspect > WGPUTextureAspect_DepthOnly) {
        return BROKEN(error, TEXEL_ENUM, OWNER, what, (unsigned)aspect);
    }
    if (!validate_find_aspect(texture->format, aspect, &out_place->aspect)) {
        return BROKEN(error, TEXEL_ASPECT, OWNER, what, words_for_aspect(aspect),
            words_for_format(texture->format), GPU_NAME(texture, TEXTURE));
    }
    if (info->mipLevel >= texture->mip_level_count) {
        return BROKEN(error, TEXEL_MIP_LEVEL, OWNER, info->mipLevel, texture->mip_level_count,
            GPU_NAME(texture, TEXTURE));
    }
    TRY(validate_range(owner, info, size, error));
    out_place->texture = texture->backend;
    out_place->mip_level = info->mipLevel;
    out_place->origin[0] = info->origin.x;
    out_place->origin[1] = info->origin.y;
    out_place->origin[2] = info->origin.z;
    return true;
}

// ---------------------------------------------------------------- bytes

static bool validate_layout(struct gpu_object *owner, const WGPUTexelCopyBufferLayout *layout,
    const struct texture_format_info *format, const WGPUExtent3D *size, uint64_t byte_count,
    const char *bytes_name, struct texel_copy *out_copy, struct validate_error *error) {
    uint32_t rows = size->height / format->block_height;
    uint64_t row_bytes = (uint64_t)(size->width / format->block_width) * format->block_bytes;
    uint32_t images = size->depthOrArrayLayers;
    bool has_pitch = layout->bytesPerRow != WGPU_COPY_STRIDE_UNDEFINED;
    bool has_rows = layout->rowsPerImage != WGPU_COPY_STRIDE_UNDEFINED;
    if (!has_pitch && (rows > 1 || images > 1)) {
        return BROKEN(error, TEXEL_NO_ROW_PITCH, OWNER, rows, images);
    }
    if (!has_rows && images > 1) {
        return BROKEN(error, TEXEL_NO_ROWS_PER_IMAGE, OWNER, images);
    }
    if (has_pitch && layout->bytesPerRow < row_bytes) {
        return BROKEN(error, TEXEL_ROW_PITCH_SMALL, OWNER, layout->bytesPerRow, ULL(row_bytes));
    }
    if (has_rows && layout->rowsPerImage < rows) {
        return BROKEN(error, TEXEL_ROWS_SMALL, OWNER, layout->rowsPerImage, rows);
    }
    // Exact while it fits: three factors of 32 bits may not.
    uint64_t pitch = has_pitch ? layout->bytesPerRow : 0;
    uint64_t image_bytes = pitch * (has_rows ? layout->rowsPerImage : 0);
    uint64_t needed = 0;
    if (images > 0) {
        bool is_huge = image_bytes != 0 && images - 1 > (UINT64_MAX >> 1) / image_bytes;
        needed = is_huge ? UINT64_MAX : image_bytes * (images - 1);
        uint64_t last = rows > 0 ? pitch * (rows - 1) + row_bytes : 0;
        needed = needed > UINT64_MAX - last ? UINT64_MAX : needed + last;
    }
    if (!validate_is_within(layout->offset, needed, byte_count)) {
        return BROKEN(error, TEXEL_BYTES, OWNER, ULL(needed), ULL(layout->offset), bytes_name,
            ULL(byte_count));
    }
    out_copy->layout.offset_bytes = layout->offset;
    out_copy->layout.row_pitch_bytes = pitch;
    out_copy->layout.rows_per_image = has_rows ? layout->rowsPerImage : 0;
    out_copy->row_bytes = row_bytes;
    out_copy->row_count = rows;
    out_copy->texel_bytes = row_bytes * rows * images;
    return true;
}

static bool can_copy_aspect(uint32_t aspect_format, enum texel_direction direction) {
    if (aspect_format == WGPUTextureFormat_Depth24Plus) {
        return false;
    }
    return aspect_format != WGPUTextureFormat_Depth32Float || direction == TEXELS_TO_BUFFER;
}

// WebGPU "validating texture buffer copy".
static bool validate_bytes(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyTextureInfo *info, const WGPUTexelCopyBufferLayout *layout,
    const WGPUExtent3D *size, enum texel_direction direction, bool is_aligned, uint64_t byte_count,
    const char *bytes_name, struct texel_copy *out_copy, struct validate_error *error) {
    const char *what = direction == TEXELS_TO_BUFFER ? "source" : "destination";
    WGPUTextureUsage usage = direction == TEXELS_TO_BUFFER ? WGPUTextureUsage_CopySrc
                                                           : WGPUTextureUsage_CopyDst;
    TRY(validate_side(device, owner, info, size, what, usage, &out_copy->place, error));
    struct WGPUTextureImpl *texture = info->texture;
    const struct texture_format_info *format = texture_format_get_info(texture->format);
    if (texture->sample_count != 1) {
        return BROKEN(
            error, TEXEL_SAMPLES, OWNER, GPU_NAME(texture, TEXTURE), texture->sample_count);
    }
    uint32_t alignment = format->block_bytes;
    const struct texture_format_info *aspect_format = format;
    if (format->aspect != TEXTURE_ASPECT_COLOR) {
        if (out_copy->place.aspect == TEXTURE_ASPECT_DEPTH_STENCIL) {
            return BROKEN(
                error, TEXEL_ONE_ASPECT, OWNER, what, format->word, GPU_NAME(texture, TEXTURE));
        }
        uint32_t part = texture_format_get_aspect(texture->format, out_copy->place.aspect);
        if (!can_copy_aspect(part, direction)) {
            return BROKEN(error, TEXEL_ASPECT_COPY, OWNER,
                words_for_aspect(out_copy->place.aspect == TEXTURE_ASPECT_DEPTH
                        ? WGPUTextureAspect_DepthOnly
                        : WGPUTextureAspect_StencilOnly),
                format->word, GPU_NAME(texture, TEXTURE),
                direction == TEXELS_TO_BUFFER ? "to" : "from");
        }
        aspect_format = texture_format_get_info(part);
        alignment = 4;
    }
    if (is_aligned && layout->offset % alignment != 0) {
        return BROKEN(error, TEXEL_OFFSET, OWNER, ULL(layout->offset), alignment);
    }
    return validate_layout(
        owner, layout, aspect_format, size, byte_count, bytes_name, out_copy, error);
}

bool validate_buffer_texture_copy(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyBufferInfo *buffer_info, const WGPUTexelCopyTextureInfo *texture_info,
    const WGPUExtent3D *size, enum texel_direction direction, struct texel_copy *out_copy,
    struct validate_error *error) {
    struct WGPUBufferImpl *buffer = buffer_info->buffer;
    bool is_source = direction == TEXELS_FROM_BUFFER;
    const char *what = is_source ? "source" : "destination";
    if (!IS_USABLE(buffer)) {
        return BROKEN(error, TEXEL_BUFFER, OWNER, what, GPU_NAME(buffer, BUFFER), DESCRIBE(buffer));
    }
    uint32_t pitch = buffer_info->layout.bytesPerRow;
    if (pitch != WGPU_COPY_STRIDE_UNDEFINED && pitch % 256 != 0) {
        return BROKEN(error, TEXEL_ROW_PITCH, OWNER, pitch);
    }
    WGPUBufferUsage usage = is_source ? WGPUBufferUsage_CopySrc : WGPUBufferUsage_CopyDst;
    if ((buffer->usage & usage) == 0) {
        return BROKEN(error, TEXEL_BUFFER_USAGE, OWNER, what,
            rule_describe_buffer_usage(usage).text, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    TRY(validate_bytes(device, owner, texture_info, &buffer_info->layout, size, direction, true,
        buffer->size_bytes, GPU_NAME(buffer, BUFFER), out_copy, error));
    const struct texture_format_info *format = texture_format_get_info(
        texture_info->texture->format);
    if (!device->is_core && !is_source && texture_format_is_compressed(format)) {
        return BROKEN(error, TEXEL_COMPATIBILITY_COMPRESSED, OWNER,
            GPU_NAME(texture_info->texture, TEXTURE), format->word);
    }
    return true;
}

bool validate_texture_not_destroyed(
    struct gpu_object *owner, struct WGPUTextureImpl *texture, struct validate_error *error) {
    return !texture->is_destroyed ||
        BROKEN(error, TEXEL_DESTROYED, OWNER, GPU_NAME(texture, TEXTURE),
            rule_describe_destroyed(texture));
}

bool validate_write_texture(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyTextureInfo *texture, uint64_t data_bytes,
    const WGPUTexelCopyBufferLayout *layout, const WGPUExtent3D *size, struct texel_copy *out_copy,
    struct validate_error *error) {
    return validate_bytes(device, owner, texture, layout, size, TEXELS_FROM_BUFFER, false,
        data_bytes, "the data", out_copy, error);
}

// ---------------------------------------------------------------- two textures

static bool validate_all_aspects(struct gpu_object *owner, const WGPUTexelCopyTextureInfo *info,
    enum texture_aspect aspect, const char *what, struct validate_error *error) {
    const struct texture_format_info *format = texture_format_get_info(info->texture->format);
    if (aspect != format->aspect) {
        return BROKEN(
            error, TEXEL_ALL_ASPECTS, OWNER, what, format->word, GPU_NAME(info->texture, TEXTURE));
    }
    return true;
}

// Layers and levels: depth slices of one level are one subresource.
static bool validate_disjoint(struct gpu_object *owner, const WGPUTexelCopyTextureInfo *source,
    const WGPUTexelCopyTextureInfo *destination, const WGPUExtent3D *size,
    struct validate_error *error) {
    struct WGPUTextureImpl *texture = source->texture;
    if (texture != destination->texture || source->mipLevel != destination->mipLevel) {
        return true;
    }
    bool has_layers = texture->dimension == WGPUTextureDimension_2D;
    uint32_t a = has_layers ? source->origin.z : 0;
    uint32_t b = has_layers ? destination->origin.z : 0;
    uint32_t count = has_layers ? size->depthOrArrayLayers : 1;
    uint32_t first = a > b ? a : b;
    uint32_t end = (a < b ? a : b) + count;
    if (first < end) {
        return BROKEN(error, TEXEL_OVERLAP, OWNER, source->mipLevel, GPU_NAME(texture, TEXTURE),
            first, end - 1);
    }
    return true;
}

static bool validate_compatibility(struct gpu_object *owner, const WGPUTexelCopyTextureInfo *source,
    const WGPUTexelCopyTextureInfo *destination, struct validate_error *error) {
    struct WGPUTextureImpl *const textures[2] = {source->texture, destination->texture};
    for (int i = 0; i < 2; i++) {
        const struct texture_format_info *format = texture_format_get_info(textures[i]->format);
        if (texture_format_is_compressed(format)) {
            return BROKEN(error, TEXEL_COMPATIBILITY_COMPRESSED, OWNER,
                GPU_NAME(textures[i], TEXTURE), format->word);
        }
        if (textures[i]->sample_count != 1) {
            return BROKEN(error, TEXEL_COMPATIBILITY_SAMPLES, OWNER, GPU_NAME(textures[i], TEXTURE),
                textures[i]->sample_count);
        }
    }
    return true;
}

bool validate_texture_copy(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *size, struct command_texel_place *out_source,
    struct command_texel_place *out_destination, uint64_t *out_texel_bytes,
    struct validate_error *error) {
    TRY(validate_side(
        device, owner, source, size, "source", WGPUTextureUsage_CopySrc, out_source, error));
    TRY(validate_side(device, owner, destination, size, "destination", WGPUTextureUsage_CopyDst,
        out_destination, error));
    struct WGPUTextureImpl *from = source->texture;
    struct WGPUTextureImpl *to = destination->texture;
    if (from->sample_count != to->sample_count) {
        return BROKEN(error, TEXEL_SAMPLE_COUNTS, OWNER, GPU_NAME(from, TEXTURE),
            from->sample_count, GPU_NAME(to, TEXTURE), to->sample_count);
    }
    if (from->format != to->format &&
        texture_format_get_srgb_twin(from->format) != (uint32_t)to->format) {
        return BROKEN(error, TEXEL_FORMATS, OWNER, GPU_NAME(from, TEXTURE),
            words_for_format(from->format), GPU_NAME(to, TEXTURE), words_for_format(to->format));
    }
    TRY(validate_all_aspects(owner, source, out_source->aspect, "source", error));
    TRY(validate_all_aspects(owner, destination, out_destination->aspect, "destination", error));
    TRY(validate_disjoint(owner, source, destination, size, error));
    if (!device->is_core) {
        TRY(validate_compatibility(owner, source, destination, error));
    }
    const struct texture_format_info *format = texture_format_get_info(from->format);
    *out_texel_bytes = (uint64_t)(size->width / format->block_width) *
        (size->height / format->block_height) * size->depthOrArrayLayers * format->block_bytes *
        from->sample_count;
    return true;
}
