// SPDX-License-Identifier: MIT
//
// Squares of texels on cubes, which may lie across edges, and textureGather.
#include <string.h>

#include "backend/cpu/image_priv.h"

void image_fetch_cube_squares(const struct cpu_image *image, uint32_t level,
    const struct image_points *points, float *out_weight_x, float *out_weight_y,
    uint32_t *out_missing, uint32_t *words) {
    int32_t size = (int32_t)image->levels[level].width;
    uint32_t count = points->count;
    int32_t x[IMAGE_TEXELS];
    int32_t y[IMAGE_TEXELS];
    uint32_t images[IMAGE_TEXELS];
    for (uint32_t i = 0; i < count; i++) {
        // What is not a number is put beside the first texel.
        float at[2] = {points->coordinates[0][i] * (float)size - 0.5f,
            points->coordinates[1][i] * (float)size - 0.5f};
        int32_t first[2];
        for (uint32_t axis = 0; axis < 2; axis++) {
            at[axis] = at[axis] > -0.5f ? at[axis] : -0.5f;
            at[axis] = at[axis] < (float)size - 0.5f ? at[axis] : (float)size - 0.5f;
            first[axis] = (int32_t)at[axis];
            first[axis] -= (float)first[axis] > at[axis];
        }
        out_weight_x[i] = at[0] - (float)first[0];
        out_weight_y[i] = at[1] - (float)first[1];
        out_missing[i] = 0;
        uint32_t face = points->images[i] % 6;
        for (uint32_t corner = 0; corner < 4; corner++) {
            int32_t texel_x = first[0] + (int32_t)(corner & 1);
            int32_t texel_y = first[1] + (int32_t)(corner >> 1);
            uint32_t texel_face = face;
            if (!image_cube_cross(size, &texel_face, &texel_x, &texel_y)) {
                out_missing[i] = corner + 1;
                texel_x = texel_x < 0 ? 0 : size - 1;
                texel_y = texel_y < 0 ? 0 : size - 1;
            }
            x[corner * count + i] = texel_x;
            y[corner * count + i] = texel_y;
            images[corner * count + i] = points->images[i] - face + texel_face;
        }
    }
    image_fetch(image, level, 4 * count, x, y, images, words);
}

static void fetch(const struct image_operation *operation, uint32_t *words) {
    const struct jit_texture_call *call = operation->call;
    const struct cpu_image *image = operation->image;
    const struct cpu_image_level *level = &image->levels[0];
    uint32_t width = operation->width;
    uint32_t layers[IMAGE_LANES];
    bool is_array = image_get_layers(operation, layers);
    const float *coordinates[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < operation->operands.axis_count; i++) {
        coordinates[i] = image_floats(operation->operands.coordinates[i]);
    }
    if (operation->operands.axis_count == 3) {
        float u[IMAGE_LANES];
        float v[IMAGE_LANES];
        uint32_t faces[IMAGE_LANES];
        image_cube_project(width, coordinates, u, v, faces);
        for (uint32_t i = 0; is_array && i < width; i++) {
            faces[i] += 6 * layers[i];
        }
        struct image_points points = {.count = width, .coordinates = {u, v, NULL}, .images = faces};
        float weight_x[IMAGE_LANES];
        float weight_y[IMAGE_LANES];
        uint32_t missing[IMAGE_LANES];
        image_fetch_cube_squares(image, 0, &points, weight_x, weight_y, missing, words);
        return;
    }
    struct image_axis x;
    struct image_axis y;
    const struct backend_sampler *state = &operation->sampler->state;
    image_wrap_linear(
        coordinates[0], width, level->width, state->address_modes[0], call->offset[0], &x);
    image_wrap_linear(
        coordinates[1], width, level->height, state->address_modes[1], call->offset[1], &y);
    image_fetch_squares(image, 0, width, &x, &y, is_array ? layers : NULL, words);
}

void image_gather(const struct image_operation *operation) {
    const struct jit_texture_call *call = operation->call;
    uint32_t width = operation->width;
    uint32_t words[4 * IMAGE_TEXELS];
    fetch(operation, words);
    uint32_t source = image_get_source(operation->image, call->is_depth != 0 ? 0 : call->component);
    uint32_t *row = words + (size_t)(source < 4 ? source : 0) * IMAGE_TEXELS;
    if (call->opcode == IR_TEXTURE_GATHER_COMPARE) {
        float references[IMAGE_TEXELS];
        image_get_references(operation, references);
        for (uint32_t corner = 1; corner < 4; corner++) {
            memcpy(references + (size_t)corner * width, references, width * sizeof(references[0]));
        }
        row = words;
        image_compare(operation, 4 * width, references, row);
    } else if (source >= 4) {
        uint32_t one = call->sampled_type == TYPE_F32 ? TEXEL_ONE : 1;
        for (uint32_t i = 0; i < 4 * width; i++) {
            row[i] = source == IMAGE_SOURCE_ONE ? one : 0;
        }
    }
    // From (u min, v max) on, against the clock.
    static const uint8_t order[4] = {2, 3, 1, 0};
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(operation->results + (size_t)i * width, row + (size_t)order[i] * width,
            width * sizeof(row[0]));
    }
}
