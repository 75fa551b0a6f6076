// SPDX-License-Identifier: MIT
//
// textureLoad and textureStore. Coordinates are whole texels: as unsigned numbers, those below zero
// are too large, whatever the sign of the operand's type.
#include <string.h>

#include "backend/cpu/image_priv.h"

// The lane's texel; false: out of range.
static inline bool get_place(
    const struct image_operation *operation, uint32_t lane, uint32_t level, uint32_t out_place[3]) {
    const struct image_operands *operands = &operation->operands;
    const struct cpu_image_level *from = &operation->image->levels[level];
    out_place[0] = operands->coordinates[0][lane];
    out_place[1] = operands->axis_count > 1 ? operands->coordinates[1][lane] : 0;
    out_place[2] = operands->axis_count > 2 ? operands->coordinates[2][lane]
        : operands->layer != NULL           ? operands->layer[lane]
                                            : 0;
    return out_place[0] < from->width && out_place[1] < from->height &&
        out_place[2] < from->image_count;
}

// Where it lies; NULL: out of range.
static inline uint8_t *find_texel(
    const struct image_operation *operation, uint32_t lane, uint32_t level, uint32_t sample) {
    const struct cpu_image *image = operation->image;
    uint32_t place[3];
    if (level >= image->seen.level_count || sample >= image->sample_count ||
        !get_place(operation, lane, level, place)) {
        return NULL;
    }
    const struct cpu_image_level *from = &image->levels[level];
    return from->data + place[2] * from->image_bytes + place[1] * from->row_bytes +
        ((uint64_t)place[0] * image->sample_count + sample) * image->texel_bytes;
}

// ---------------------------------------------------------------- loads

// Block-compressed textures: level by level, each with its own blocks.
static void load_blocks(const struct image_operation *operation) {
    const struct image_operands *operands = &operation->operands;
    const struct cpu_image *image = operation->image;
    uint32_t rows[4][IMAGE_LANES];
    memset(rows, 0, sizeof(rows));
    for (uint32_t lane = 0; image->codec->component_count < 4 && lane < operation->width; lane++) {
        rows[3][lane] = TEXEL_ONE;
    }
    for (uint32_t level = 0; level < image->seen.level_count; level++) {
        int32_t x[IMAGE_LANES];
        int32_t y[IMAGE_LANES];
        uint32_t z[IMAGE_LANES];
        uint32_t lanes[IMAGE_LANES];
        uint32_t count = 0;
        for (uint32_t lane = 0; lane < operation->width; lane++) {
            uint32_t at[3];
            if ((operation->lanes >> lane & 1) != 0 && operands->rest[lane] == level &&
                get_place(operation, lane, level, at)) {
                x[count] = (int32_t)at[0];
                y[count] = (int32_t)at[1];
                z[count] = at[2];
                lanes[count++] = lane;
            }
        }
        if (count == 0) {
            continue;
        }
        uint32_t words[4 * IMAGE_TEXELS];
        image_fetch(image, level, count, x, y, z, words);
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t c = 0; c < 4; c++) {
                rows[c][lanes[i]] = words[(size_t)c * IMAGE_TEXELS + i];
            }
        }
    }
    image_put_results(operation, rows[0], IMAGE_LANES);
}

#define GATHER_LOOP(bytes) \
    for (uint32_t i = 0; i < count; i++) { \
        memcpy(out + (size_t)i * (bytes), texels[i], bytes); \
    }

static void gather(
    const uint8_t *const *texels, uint32_t count, uint32_t texel_bytes, uint8_t *restrict out) {
    if (texel_bytes == 1) {
        GATHER_LOOP(1)
    } else if (texel_bytes == 2) {
        GATHER_LOOP(2)
    } else if (texel_bytes == 4) {
        GATHER_LOOP(4)
    } else if (texel_bytes == 8) {
        GATHER_LOOP(8)
    } else {
        GATHER_LOOP(16)
    }
}

void image_load(const struct image_operation *operation) {
    const struct cpu_image *image = operation->image;
    bool is_storage = operation->call->texel_format != 0;
    bool is_multisampled = operation->call->is_multisampled != 0;
    if (image->codec->decode_block != NULL) {
        load_blocks(operation);
        return;
    }
    // Bytes of zero are what lies out of range: zero, with one in alpha where the format has none.
    static const uint8_t zeros[16];
    const uint8_t *texels[IMAGE_LANES];
    for (uint32_t lane = 0; lane < operation->width; lane++) {
        texels[lane] = zeros;
        if ((operation->lanes >> lane & 1) != 0) {
            uint32_t last = is_storage ? 0 : operation->operands.rest[lane];
            const uint8_t *texel = is_multisampled ? find_texel(operation, lane, 0, last)
                                                   : find_texel(operation, lane, last, 0);
            texels[lane] = texel != NULL ? texel : zeros;
        }
    }
    uint8_t bytes[IMAGE_LANES * 16];
    uint32_t texel_bytes = image->texel_bytes;
    gather(texels, operation->width, texel_bytes, bytes);
    uint32_t words[4 * IMAGE_LANES];
    image->codec->decode(bytes, texel_bytes, operation->width, words, IMAGE_LANES);
    image_put_results(operation, words, IMAGE_LANES);
}

// ---------------------------------------------------------------- stores

void image_store(const struct image_operation *operation) {
    const struct cpu_image *image = operation->image;
    if (image->codec->encode == NULL) {
        return;
    }
    // All lanes are encoded, those that store are written: other invocations own the texels between.
    uint8_t bytes[IMAGE_LANES * 16];
    uint32_t texel_bytes = image->texel_bytes;
    image->codec->encode(
        bytes, texel_bytes, operation->width, operation->operands.rest, operation->width);
    for (uint32_t lane = 0; lane < operation->width; lane++) {
        if ((operation->lanes >> lane & 1) != 0) {
            uint8_t *texel = find_texel(operation, lane, 0, 0);
            if (texel != NULL) {
                memcpy(texel, bytes + (size_t)lane * texel_bytes, texel_bytes);
            }
        }
    }
}
