// SPDX-License-Identifier: MIT
//
// What the files of texture operations share. An operation goes from the operands' rows to points
// (image.c, image_lod.c, image_cube.c), from points to texels (image_address.c), from texels to
// words (image_fetch.c), from words to results (image_sample.c, image_gather.c). Lanes are dense in
// rows of IMAGE_LANES; all loops over lanes are free of branches where compilers should vectorise
// them. Everything is safe for any thread; memory is the stack's.
#pragma once

#include "backend/cpu/image.h"
#include "backend/cpu/texel_priv.h"

#define IMAGE_LANES JIT_BATCH_LANES
// The texels of a linear filter in two dimensions: four a lane.
#define IMAGE_TEXELS (4 * IMAGE_LANES)

// The operands of an operation, as rows of call->width words.
struct image_operands {
    uint32_t axis_count;
    const uint32_t *coordinates[3];
    const uint32_t *layer; // NULL: not arrayed
    const uint32_t *rest;  // what follows, row after row
};

struct image_operation {
    const struct jit_texture_call *call;
    const struct cpu_image *image;
    const struct cpu_sampler *sampler;
    uint32_t width;
    uint64_t lanes;
    struct image_operands operands;
    uint32_t *results;
};

// Where lanes sample: all at one level.
struct image_points {
    uint32_t count;
    const float *coordinates[3]; // normalised; of a cube: within the face
    const uint32_t *images;      // index of the first image among the level's; NULL: 0
    const float *references;     // NULL: no depth comparison
};

// Texels along one axis, in range: the first and the one that follows it, and the second's part.
struct image_axis {
    int32_t first[IMAGE_LANES];
    int32_t second[IMAGE_LANES];
    float weight[IMAGE_LANES];
};

static inline const float *image_floats(const uint32_t *row) {
    return (const float *)(const void *)row;
}

// ---------------------------------------------------------------- addresses (image_address.c)

// mode: WGPUAddressMode. offset: in texels, before wrapping.
void image_wrap_linear(const float *at, uint32_t count, uint32_t size, uint32_t mode,
    int32_t offset, struct image_axis *out_axis);
void image_wrap_nearest(const float *at, uint32_t count, uint32_t size, uint32_t mode,
    int32_t offset, int32_t *out_texels);

// ---------------------------------------------------------------- cubes (image_cube.c)

// Directions to points on the face that they hit: u and v from 0 to 1, and the face.
void image_cube_project(uint32_t count, const float *const direction[3], float *out_u, float *out_v,
    uint32_t *out_faces);
// The texel beside one edge of a face, where x or y is -1 or size. False: beside a corner, where
// there is none.
bool image_cube_cross(int32_t size, uint32_t *face, int32_t *x, int32_t *y);

// ---------------------------------------------------------------- levels of detail (image_lod.c)

// What a lane takes from the levels of a view.
struct image_choice {
    uint8_t level[IMAGE_LANES];
    uint8_t is_linear[IMAGE_LANES]; // within a level
    float next[IMAGE_LANES];        // the part of the level that follows
    bool has_axis;                  // anisotropic: the four that follow are set
    uint8_t probe_count[IMAGE_LANES];
    float axis[3][IMAGE_LANES]; // what the probes spread along, in coordinates
};
void image_choose_levels(const struct image_operation *operation, struct image_choice *out_choice);

// ---------------------------------------------------------------- texels to words (image_fetch.c)

// Texels in range, by lane; images NULL: the first. words: rows of IMAGE_TEXELS.
void image_fetch(const struct cpu_image *image, uint32_t level, uint32_t count, const int32_t *x,
    const int32_t *y, const uint32_t *images, uint32_t *words);
// The four texels of each lane: (first, first), (second, first), (first, second), (second, second) of
// x and y, `count` words of each after those of the one before.
void image_fetch_squares(const struct cpu_image *image, uint32_t level, uint32_t count,
    const struct image_axis *x, const struct image_axis *y, const uint32_t *images,
    uint32_t *words);

// ---------------------------------------------------------------- operations

void image_load(const struct image_operation *operation);  // image_load.c
void image_store(const struct image_operation *operation); // image_load.c
void image_sample(const struct image_operation *operation);
void image_gather(const struct image_operation *operation);

// image_fast.c. Two-dimensional views of some formats, without swizzle.
bool image_has_fast_format(const struct cpu_image *image);
// Samples what it can; gives the lanes that are left. layers NULL: not arrayed.
uint64_t image_sample_fast(const struct image_operation *operation,
    const struct image_choice *choice, const uint32_t *layers);

// image_gather.c. Texels of a square on a cube's face, across edges: as image_fetch_squares. is_missing
// gets 1 + the number of the texel that a corner lacks, else 0; it has the value of the face's own
// corner.
void image_fetch_cube_squares(const struct cpu_image *image, uint32_t level,
    const struct image_points *points, float *out_weight_x, float *out_weight_y,
    uint32_t *out_missing, uint32_t *words);

// image.c. The index of the first image of each lane, for view->images; false: always 0.
bool image_get_layers(const struct image_operation *operation, uint32_t *out_layers);
// The depth references of all lanes, clamped as the format's depths are.
void image_get_references(const struct image_operation *operation, float *out_references);
// Compares depths by the sampler: 1.0 or 0.0.
void image_compare(const struct image_operation *operation, uint32_t count, const float *references,
    uint32_t *depths);
// Which row of words the swizzle of the view takes for a component.
#define IMAGE_SOURCE_ZERO 4u
#define IMAGE_SOURCE_ONE 5u
uint32_t image_get_source(const struct cpu_image *image, uint32_t component);
// Copies rows (of `stride` words, by lane, all that the texture's components need) to the results,
// swizzled. Lanes that are not asked for may hold anything.
void image_put_results(
    const struct image_operation *operation, const uint32_t *words, uint32_t stride);
