// SPDX-License-Identifier: MIT
//
// Texels to words. The bytes of all texels are brought together first, so that one loop decodes them.
// Block-compressed formats are decoded as they are met: a cache on the stack keeps the blocks of one
// call, whose lanes are neighbours as a rule. A decoded copy of the texture would cost its memory
// eight times over and would have to be told of every write.
#include "backend/cpu/image_priv.h"

#include <string.h>

// ---------------------------------------------------------------- bytes

#define FETCH_LOOP(bytes) \
    for (uint32_t i = 0; i < count; i++) { \
        const uint8_t *texel = level->data + \
            (images != NULL ? images[i] * level->image_bytes : 0) + \
            (uint64_t)(uint32_t)y[i] * level->row_bytes + (size_t)(uint32_t)x[i] * (bytes); \
        memcpy(out + (size_t)i * (bytes), texel, bytes); \
    }

static void fetch_bytes(const struct cpu_image_level *level, uint32_t texel_bytes, uint32_t count,
    const int32_t *x, const int32_t *y, const uint32_t *images, uint8_t *restrict out) {
    if (texel_bytes == 1) {
        FETCH_LOOP(1)
    } else if (texel_bytes == 2) {
        FETCH_LOOP(2)
    } else if (texel_bytes == 4) {
        FETCH_LOOP(4)
    } else if (texel_bytes == 8) {
        FETCH_LOOP(8)
    } else {
        FETCH_LOOP(16)
    }
}

#define FETCH_SQUARE_LOOP(bytes) \
    for (uint32_t i = 0; i < count; i++) { \
        const uint8_t *image = level->data + \
            (images != NULL ? images[i] * level->image_bytes : 0); \
        const uint8_t *top = image + (uint64_t)(uint32_t)y->first[i] * level->row_bytes; \
        const uint8_t *bottom = image + (uint64_t)(uint32_t)y->second[i] * level->row_bytes; \
        size_t left = (size_t)(uint32_t)x->first[i] * (bytes); \
        size_t right = (size_t)(uint32_t)x->second[i] * (bytes); \
        memcpy(out + (size_t)i * (bytes), top + left, bytes); \
        memcpy(out + ((size_t)count + i) * (bytes), top + right, bytes); \
        memcpy(out + (2 * (size_t)count + i) * (bytes), bottom + left, bytes); \
        memcpy(out + (3 * (size_t)count + i) * (bytes), bottom + right, bytes); \
    }

static void fetch_square_bytes(const struct cpu_image_level *level, uint32_t texel_bytes,
    uint32_t count, const struct image_axis *x, const struct image_axis *y, const uint32_t *images,
    uint8_t *restrict out) {
    if (texel_bytes == 1) {
        FETCH_SQUARE_LOOP(1)
    } else if (texel_bytes == 2) {
        FETCH_SQUARE_LOOP(2)
    } else if (texel_bytes == 4) {
        FETCH_SQUARE_LOOP(4)
    } else if (texel_bytes == 8) {
        FETCH_SQUARE_LOOP(8)
    } else {
        FETCH_SQUARE_LOOP(16)
    }
}

// ---------------------------------------------------------------- blocks

#define CACHE_TEXELS 1024u
#define CACHE_BLOCKS 64u

struct block_cache {
    const uint8_t *blocks[CACHE_BLOCKS];
    uint32_t texels[CACHE_TEXELS][4];
    uint32_t block_count; // that fit
};

static const uint32_t *find_texel(const struct cpu_image *image,
    const struct cpu_image_level *level, struct block_cache *cache, uint32_t x, uint32_t y,
    uint32_t z) {
    uint32_t column = x / image->block_width;
    uint32_t row = y / image->block_height;
    const uint8_t *block = level->data + z * level->image_bytes + row * level->row_bytes +
        (size_t)column * image->texel_bytes;
    uint32_t block_texels = image->block_width * image->block_height;
    uint32_t slot = (column + row * 5 + z * 3) % cache->block_count;
    uint32_t(*texels)[4] = cache->texels + (size_t)slot * block_texels;
    if (cache->blocks[slot] != block) {
        image->codec->decode_block(block, texels);
        cache->blocks[slot] = block;
    }
    return texels[(y - row * image->block_height) * image->block_width + x -
        column * image->block_width];
}

static void fetch_blocks(const struct cpu_image *image, const struct cpu_image_level *level,
    uint32_t count, const int32_t *x, const int32_t *y, const uint32_t *images, uint32_t *words) {
    struct block_cache cache;
    memset(cache.blocks, 0, sizeof(cache.blocks));
    cache.block_count = CACHE_TEXELS / (image->block_width * image->block_height);
    cache.block_count = cache.block_count < CACHE_BLOCKS ? cache.block_count : CACHE_BLOCKS;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *texel = find_texel(
            image, level, &cache, (uint32_t)x[i], (uint32_t)y[i], images != NULL ? images[i] : 0);
        for (uint32_t c = 0; c < 4; c++) {
            words[(size_t)c * IMAGE_TEXELS + i] = texel[c];
        }
    }
}

// ---------------------------------------------------------------- words

void image_fetch(const struct cpu_image *image, uint32_t level, uint32_t count, const int32_t *x,
    const int32_t *y, const uint32_t *images, uint32_t *words) {
    const struct cpu_image_level *from = &image->levels[level];
    if (image->codec->decode_block != NULL) {
        fetch_blocks(image, from, count, x, y, images, words);
        return;
    }
    uint8_t bytes[IMAGE_TEXELS * 16];
    fetch_bytes(from, image->texel_bytes, count, x, y, images, bytes);
    image->codec->decode(bytes, image->texel_bytes, count, words, IMAGE_TEXELS);
}

void image_fetch_squares(const struct cpu_image *image, uint32_t level, uint32_t count,
    const struct image_axis *x, const struct image_axis *y, const uint32_t *images,
    uint32_t *words) {
    const struct cpu_image_level *from = &image->levels[level];
    if (image->codec->decode_block == NULL) {
        uint8_t bytes[IMAGE_TEXELS * 16];
        fetch_square_bytes(from, image->texel_bytes, count, x, y, images, bytes);
        image->codec->decode(bytes, image->texel_bytes, 4 * count, words, IMAGE_TEXELS);
        return;
    }
    int32_t all_x[IMAGE_TEXELS];
    int32_t all_y[IMAGE_TEXELS];
    uint32_t all_images[IMAGE_TEXELS];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t corner = 0; corner < 4; corner++) {
            uint32_t at = corner * count + i;
            all_x[at] = (corner & 1) != 0 ? x->second[i] : x->first[i];
            all_y[at] = (corner & 2) != 0 ? y->second[i] : y->first[i];
            all_images[at] = images != NULL ? images[i] : 0;
        }
    }
    fetch_blocks(image, from, 4 * count, all_x, all_y, all_images, words);
}
