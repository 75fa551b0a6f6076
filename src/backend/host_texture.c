// SPDX-License-Identifier: MIT
//
// Linear texels: planes, levels, images, rows, blocks, in this order of nesting.
#include "backend/host_texture.h"

#include <string.h>

#include "backend/host_buffer.h"
#include "base/memory.h"

#include <webgpu/webgpu.h>

// Levels start at multiples of this, so that vectors of texels are aligned.
#define LEVEL_ALIGNMENT 64u

static uint32_t shrink(uint32_t extent, uint32_t level) {
    uint32_t size = extent >> level;
    return size != 0 ? size : 1;
}

static void lay_out_plane(struct host_texture_plane *plane, enum texture_aspect aspect,
    const struct backend_texture_description *description, uint64_t *offset_bytes) {
    plane->aspect = aspect;
    plane->format = texture_format_get_aspect(description->format, aspect);
    const struct texture_format_info *info = texture_format_get_info(plane->format);
    plane->block_bytes = info->block_bytes * description->sample_count;
    plane->block_width = info->block_width;
    plane->block_height = info->block_height;
    bool is_3d = description->dimension == WGPUTextureDimension_3D;
    for (uint32_t i = 0; i < description->mip_level_count; i++) {
        struct host_texture_level *level = &plane->levels[i];
        level->width = shrink(description->width, i);
        level->height = shrink(description->height, i);
        level->image_count = is_3d ? shrink(description->depth_or_array_layers, i)
                                   : description->depth_or_array_layers;
        uint64_t columns = (level->width + plane->block_width - 1) / plane->block_width;
        uint64_t rows = (level->height + plane->block_height - 1) / plane->block_height;
        level->row_bytes = columns * plane->block_bytes;
        level->image_bytes = level->row_bytes * rows;
        level->data = NULL;
        *offset_bytes += level->image_bytes * level->image_count;
        *offset_bytes = (*offset_bytes + LEVEL_ALIGNMENT - 1) & ~(uint64_t)(LEVEL_ALIGNMENT - 1);
    }
}

// The levels' places, once there is memory, in the order of lay_out_plane.
static void place_levels(struct backend_texture *texture) {
    uint64_t offset_bytes = 0;
    for (uint32_t i = 0; i < texture->plane_count; i++) {
        for (uint32_t j = 0; j < texture->mip_level_count; j++) {
            struct host_texture_level *level = &texture->planes[i].levels[j];
            level->data = texture->memory->data + offset_bytes;
            offset_bytes += level->image_bytes * level->image_count;
            offset_bytes = (offset_bytes + LEVEL_ALIGNMENT - 1) & ~(uint64_t)(LEVEL_ALIGNMENT - 1);
        }
    }
}

enum backend_status host_texture_create(
    const struct backend_texture_description *description, struct backend_texture **out_texture) {
    *out_texture = NULL;
    struct backend_texture *texture = memory_allocate_zeroed(MEMORY_OBJECT, 1, sizeof(*texture));
    if (texture == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    texture->dimension = description->dimension;
    texture->format = description->format;
    texture->mip_level_count = description->mip_level_count;
    texture->sample_count = description->sample_count;
    static const enum texture_aspect aspects[] = {
        TEXTURE_ASPECT_COLOR, TEXTURE_ASPECT_DEPTH, TEXTURE_ASPECT_STENCIL};
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < sizeof(aspects) / sizeof(aspects[0]); i++) {
        if (texture_format_get_aspect(description->format, aspects[i]) != 0) {
            lay_out_plane(
                &texture->planes[texture->plane_count++], aspects[i], description, &size_bytes);
        }
    }
    enum backend_status status = host_buffer_create(size_bytes, &texture->memory);
    if (status != BACKEND_OK) {
        memory_free(texture);
        return status;
    }
    place_levels(texture);
    *out_texture = texture;
    return BACKEND_OK;
}

void host_texture_destroy(struct backend_texture *texture) {
    if (texture != NULL) {
        host_buffer_destroy(texture->memory);
        memory_free(texture);
    }
}

struct host_texture_plane *host_texture_find_plane(
    struct backend_texture *texture, enum texture_aspect aspect) {
    for (uint32_t i = 0; i < texture->plane_count; i++) {
        if (texture->planes[i].aspect == aspect) {
            return &texture->planes[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------- moving

// Some rows of some images, as one side of a copy sees them.
struct rows {
    uint8_t *data;
    uint64_t row_bytes;
    uint64_t image_bytes;
};

static struct rows get_texels(
    const struct host_texture_plane *plane, const struct command_texel_place *place) {
    const struct host_texture_level *level = &plane->levels[place->mip_level];
    uint64_t row = place->origin[1] / plane->block_height;
    uint64_t column = place->origin[0] / plane->block_width;
    return (struct rows){
        .data = level->data + level->image_bytes * place->origin[2] + level->row_bytes * row +
            column * plane->block_bytes,
        .row_bytes = level->row_bytes,
        .image_bytes = level->image_bytes,
    };
}

static struct rows get_bytes(uint8_t *data, const struct command_texel_layout *layout) {
    return (struct rows){
        .data = data + layout->offset_bytes,
        .row_bytes = layout->row_pitch_bytes,
        .image_bytes = layout->row_pitch_bytes * layout->rows_per_image,
    };
}

static void move(const struct host_texture_plane *plane, struct rows to, struct rows from,
    const uint32_t size[3]) {
    size_t length = (size_t)(size[0] / plane->block_width) * plane->block_bytes;
    uint32_t row_count = size[1] / plane->block_height;
    if (length == 0) {
        return;
    }
    for (uint32_t image = 0; image < size[2]; image++) {
        for (uint32_t row = 0; row < row_count; row++) {
            memmove(to.data + to.image_bytes * image + to.row_bytes * row,
                from.data + from.image_bytes * image + from.row_bytes * row, length);
        }
    }
}

static void copy_to_texture(const struct command_copy_buffer_to_texture *copy) {
    struct host_texture_plane *plane = host_texture_find_plane(
        copy->destination.texture, copy->destination.aspect);
    move(plane, get_texels(plane, &copy->destination), get_bytes(copy->source->data, &copy->layout),
        copy->size);
}

static void copy_to_buffer(const struct command_copy_texture_to_buffer *copy) {
    struct host_texture_plane *plane = host_texture_find_plane(
        copy->source.texture, copy->source.aspect);
    move(plane, get_bytes(copy->destination->data, &copy->layout), get_texels(plane, &copy->source),
        copy->size);
}

// Formats are equal but for sRGB, so that planes match; both aspects of a depth-stencil format go.
static void copy_textures(const struct command_copy_texture_to_texture *copy) {
    struct backend_texture *source = copy->source.texture;
    struct backend_texture *destination = copy->destination.texture;
    for (uint32_t i = 0; i < source->plane_count; i++) {
        move(&source->planes[i], get_texels(&destination->planes[i], &copy->destination),
            get_texels(&source->planes[i], &copy->source), copy->size);
    }
}

static void write_texture(const struct command_write_texture *write) {
    struct host_texture_plane *plane = host_texture_find_plane(
        write->destination.texture, write->destination.aspect);
    const void *bytes = write->data != NULL ? write->data : (const void *)(write + 1);
    move(plane, get_texels(plane, &write->destination),
        get_bytes((uint8_t *)(uintptr_t)bytes, &write->layout), write->size);
}

bool host_texture_execute(const struct command_header *header) {
    if (header->kind == COMMAND_WRITE_TEXTURE) {
        write_texture((const struct command_write_texture *)header);
        return true;
    }
    if (header->kind == COMMAND_COPY_BUFFER_TO_TEXTURE) {
        copy_to_texture((const struct command_copy_buffer_to_texture *)header);
        return true;
    }
    if (header->kind == COMMAND_COPY_TEXTURE_TO_BUFFER) {
        copy_to_buffer((const struct command_copy_texture_to_buffer *)header);
        return true;
    }
    if (header->kind == COMMAND_COPY_TEXTURE_TO_TEXTURE) {
        copy_textures((const struct command_copy_texture_to_texture *)header);
        return true;
    }
    return false;
}
