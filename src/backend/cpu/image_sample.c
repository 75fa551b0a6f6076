// SPDX-License-Identifier: MIT
//
// Sampling with filters. Lanes that take the same levels are filtered together: all of them as a
// rule, which need not be brought together then.
#include <string.h>

#include "backend/cpu/image_priv.h"

// Four rows of results, dense.
struct rows {
    uint32_t words[4][IMAGE_LANES];
};

// a + (b - a) * weight
static inline uint32_t mix(uint32_t a, uint32_t b, float weight) {
    float first = texel_float(a);
    return texel_word(first + (texel_float(b) - first) * weight);
}

static bool is_cube(const struct image_operation *operation) {
    return operation->call->dimension == TEXTURE_DIMENSION_CUBE ||
        operation->call->dimension == TEXTURE_DIMENSION_CUBE_ARRAY;
}

// How many rows mean something; the others are constants, and stay so when mixed.
static uint32_t get_row_count(const struct image_operation *operation) {
    return operation->call->is_depth != 0 ? 1 : 4;
}

// ---------------------------------------------------------------- one level

static void sample_nearest(const struct image_operation *operation, uint32_t level,
    const struct image_points *points, struct rows *out) {
    const struct cpu_image *image = operation->image;
    const struct cpu_image_level *from = &image->levels[level];
    const struct jit_texture_call *call = operation->call;
    const uint32_t *modes = operation->sampler->state.address_modes;
    bool is_on_cube = is_cube(operation);
    uint32_t count = points->count;
    int32_t x[IMAGE_LANES];
    int32_t y[IMAGE_LANES] = {0};
    int32_t z[IMAGE_LANES];
    uint32_t images[IMAGE_LANES];
    const uint32_t *image_row = points->images;
    image_wrap_nearest(
        points->coordinates[0], count, from->width, is_on_cube ? 0 : modes[0], call->offset[0], x);
    if (points->coordinates[1] != NULL) {
        image_wrap_nearest(points->coordinates[1], count, from->height, is_on_cube ? 0 : modes[1],
            call->offset[1], y);
    }
    if (points->coordinates[2] != NULL) {
        image_wrap_nearest(
            points->coordinates[2], count, from->image_count, modes[2], call->offset[2], z);
        for (uint32_t i = 0; i < count; i++) {
            images[i] = (uint32_t)z[i];
        }
        image_row = images;
    }
    uint32_t words[4 * IMAGE_TEXELS];
    image_fetch(image, level, count, x, y, image_row, words);
    if (points->references != NULL) {
        image_compare(operation, count, points->references, words);
    }
    for (uint32_t c = 0; c < get_row_count(operation); c++) {
        memcpy(out->words[c], words + (size_t)c * IMAGE_TEXELS, count * sizeof(words[0]));
    }
}

// Mixes four texels a lane, which lie `count` words apart in rows of IMAGE_TEXELS.
static void mix_squares(uint32_t count, const float *weight_x, const float *weight_y,
    const uint32_t *texels, uint32_t row_count, struct rows *out) {
    for (uint32_t c = 0; c < row_count; c++) {
        const uint32_t *row = texels + (size_t)c * IMAGE_TEXELS;
        uint32_t *restrict mixed = out->words[c];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t top = mix(row[i], row[count + i], weight_x[i]);
            uint32_t bottom = mix(row[2 * count + i], row[3 * count + i], weight_x[i]);
            mixed[i] = mix(top, bottom, weight_y[i]);
        }
    }
}

static void compare_squares(
    const struct image_operation *operation, const struct image_points *points, uint32_t *words) {
    for (uint32_t corner = 0; points->references != NULL && corner < 4; corner++) {
        image_compare(
            operation, points->count, points->references, words + (size_t)corner * points->count);
    }
}

// The texel that a corner of a cube lacks is the mean of the others.
static void fill_corners(
    uint32_t count, const uint32_t *missing, uint32_t row_count, uint32_t *words) {
    for (uint32_t i = 0; i < count; i++) {
        if (missing[i] == 0) {
            continue;
        }
        for (uint32_t c = 0; c < row_count; c++) {
            uint32_t *row = words + (size_t)c * IMAGE_TEXELS + i;
            float sum = 0;
            for (uint32_t corner = 0; corner < 4; corner++) {
                sum += corner + 1 != missing[i] ? texel_float(row[(size_t)corner * count]) : 0;
            }
            row[(size_t)(missing[i] - 1) * count] = texel_word(sum / 3.0f);
        }
    }
}

static void sample_linear_cube(const struct image_operation *operation, uint32_t level,
    const struct image_points *points, struct rows *out) {
    uint32_t words[4 * IMAGE_TEXELS];
    float weight_x[IMAGE_LANES];
    float weight_y[IMAGE_LANES];
    uint32_t missing[IMAGE_LANES];
    image_fetch_cube_squares(operation->image, level, points, weight_x, weight_y, missing, words);
    compare_squares(operation, points, words);
    fill_corners(points->count, missing, get_row_count(operation), words);
    mix_squares(points->count, weight_x, weight_y, words, get_row_count(operation), out);
}

static void sample_linear(const struct image_operation *operation, uint32_t level,
    const struct image_points *points, struct rows *out) {
    const struct cpu_image *image = operation->image;
    const struct cpu_image_level *from = &image->levels[level];
    const struct jit_texture_call *call = operation->call;
    const uint32_t *modes = operation->sampler->state.address_modes;
    uint32_t count = points->count;
    struct image_axis x;
    struct image_axis y;
    image_wrap_linear(points->coordinates[0], count, from->width, modes[0], call->offset[0], &x);
    if (points->coordinates[1] != NULL) {
        image_wrap_linear(
            points->coordinates[1], count, from->height, modes[1], call->offset[1], &y);
    } else {
        memset(&y, 0, sizeof(y));
    }
    uint32_t words[4 * IMAGE_TEXELS];
    uint32_t row_count = get_row_count(operation);
    if (points->coordinates[2] == NULL) {
        image_fetch_squares(image, level, count, &x, &y, points->images, words);
        compare_squares(operation, points, words);
        mix_squares(count, x.weight, y.weight, words, row_count, out);
        return;
    }
    struct image_axis z;
    struct rows far_rows;
    uint32_t images[IMAGE_LANES];
    image_wrap_linear(
        points->coordinates[2], count, from->image_count, modes[2], call->offset[2], &z);
    for (uint32_t slice = 0; slice < 2; slice++) {
        for (uint32_t i = 0; i < count; i++) {
            images[i] = (uint32_t)(slice == 0 ? z.first[i] : z.second[i]);
        }
        image_fetch_squares(image, level, count, &x, &y, images, words);
        mix_squares(count, x.weight, y.weight, words, row_count, slice == 0 ? out : &far_rows);
    }
    for (uint32_t c = 0; c < row_count; c++) {
        for (uint32_t i = 0; i < count; i++) {
            out->words[c][i] = mix(out->words[c][i], far_rows.words[c][i], z.weight[i]);
        }
    }
}

static void sample_level(const struct image_operation *operation, uint32_t level, bool is_linear,
    const struct image_points *points, struct rows *out) {
    if (!is_linear || operation->image->codec->kind != TYPE_F32) {
        sample_nearest(operation, level, points, out);
    } else if (is_cube(operation)) {
        sample_linear_cube(operation, level, points, out);
    } else {
        sample_linear(operation, level, points, out);
    }
}

// ---------------------------------------------------------------- levels

// Lanes that take the same levels in the same way.
static void sample_levels(const struct image_operation *operation, uint32_t level, bool is_linear,
    const float *next, const struct image_points *points, struct rows *out) {
    sample_level(operation, level, is_linear, points, out);
    // Lanes that nobody asked for may want a level that is not there.
    bool has_next = false;
    for (uint32_t i = 0; level + 1 < operation->image->seen.level_count && i < points->count; i++) {
        has_next |= next[i] > 0.0f;
    }
    if (!has_next || operation->image->codec->kind != TYPE_F32) {
        return;
    }
    struct rows smaller;
    sample_level(operation, level + 1, is_linear, points, &smaller);
    for (uint32_t c = 0; c < get_row_count(operation); c++) {
        for (uint32_t i = 0; i < points->count; i++) {
            out->words[c][i] = mix(out->words[c][i], smaller.words[c][i], next[i]);
        }
    }
}

// Coordinates and what belongs to them, of all lanes.
struct sources {
    const float *coordinates[3];
    const uint32_t *images;
    const float *references;
};

// Copies the lanes of a mask next to each other.
struct dense {
    float coordinates[3][IMAGE_LANES];
    uint32_t images[IMAGE_LANES];
    float references[IMAGE_LANES];
    float next[IMAGE_LANES];
};

static void make_dense(const struct sources *sources, const float *next, uint64_t lanes,
    struct dense *dense, struct image_points *out_points) {
    uint32_t count = 0;
    for (uint32_t lane = 0; lanes != 0; lane++, lanes >>= 1) {
        if ((lanes & 1) == 0) {
            continue;
        }
        for (uint32_t i = 0; i < 3; i++) {
            if (sources->coordinates[i] != NULL) {
                dense->coordinates[i][count] = sources->coordinates[i][lane];
            }
        }
        dense->images[count] = sources->images != NULL ? sources->images[lane] : 0;
        dense->references[count] = sources->references != NULL ? sources->references[lane] : 0;
        dense->next[count] = next[lane];
        count++;
    }
    *out_points = (struct image_points){
        .count = count,
        .images = sources->images != NULL ? dense->images : NULL,
        .references = sources->references != NULL ? dense->references : NULL,
    };
    for (uint32_t i = 0; i < 3; i++) {
        out_points->coordinates[i] = sources->coordinates[i] != NULL ? dense->coordinates[i] : NULL;
    }
}

static uint64_t find_alike(const struct image_choice *choice, uint32_t width, uint32_t first) {
    uint64_t alike = 0;
    for (uint32_t lane = 0; lane < width; lane++) {
        bool is_alike = choice->level[lane] == choice->level[first] &&
            choice->is_linear[lane] == choice->is_linear[first];
        alike |= (uint64_t)is_alike << lane;
    }
    return alike;
}

static uint32_t find_first(uint64_t lanes) {
    uint32_t lane = 0;
    while ((lanes >> lane & 1) == 0) {
        lane++;
    }
    return lane;
}

static uint32_t count_lanes(uint64_t lanes) {
    uint32_t count = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        count++;
    }
    return count;
}

// Samples the lanes of a mask: each gets its place in the rows. Other lanes are unspecified.
static void sample_lanes(const struct image_operation *operation, const struct sources *sources,
    const struct image_choice *choice, uint64_t lanes, struct rows *out) {
    uint64_t rest = lanes;
    while (rest != 0) {
        uint32_t first = find_first(rest);
        uint32_t level = choice->level[first];
        bool is_linear = choice->is_linear[first] != 0;
        uint64_t alike = find_alike(choice, operation->width, first) & rest;
        if (alike == lanes && 2 * count_lanes(alike) > operation->width) {
            struct image_points points = {
                .count = operation->width,
                .coordinates = {sources->coordinates[0], sources->coordinates[1],
                    sources->coordinates[2]},
                .images = sources->images,
                .references = sources->references,
            };
            sample_levels(operation, level, is_linear, choice->next, &points, out);
            return;
        }
        struct image_points points;
        struct dense dense;
        struct rows dense_rows;
        make_dense(sources, choice->next, alike, &dense, &points);
        sample_levels(operation, level, is_linear, dense.next, &points, &dense_rows);
        uint32_t from = 0;
        for (uint32_t lane = first; lane < operation->width; lane++) {
            if ((alike >> lane & 1) != 0) {
                for (uint32_t c = 0; c < get_row_count(operation); c++) {
                    out->words[c][lane] = dense_rows.words[c][from];
                }
                from++;
            }
        }
        rest &= ~alike;
    }
}

// As sample_lanes, from coordinates as the shader gives them.
static void sample_coordinates(const struct image_operation *operation,
    const float *const coordinates[3], const uint32_t *layers, const float *references,
    const struct image_choice *choice, uint64_t lanes, struct rows *out) {
    struct sources sources = {
        .coordinates = {coordinates[0], coordinates[1], coordinates[2]},
        .images = layers,
        .references = references,
    };
    float u[IMAGE_LANES];
    float v[IMAGE_LANES];
    uint32_t faces[IMAGE_LANES];
    if (is_cube(operation)) {
        image_cube_project(operation->width, coordinates, u, v, faces);
        for (uint32_t i = 0; layers != NULL && i < operation->width; i++) {
            faces[i] += 6 * layers[i];
        }
        sources.coordinates[0] = u;
        sources.coordinates[1] = v;
        sources.coordinates[2] = NULL;
        sources.images = faces;
    }
    sample_lanes(operation, &sources, choice, lanes, out);
}

// ---------------------------------------------------------------- anisotropy

// Probes along the longer axis of the area that a lane stands for, all of the same weight.
static void sample_probes(const struct image_operation *operation,
    const float *const coordinates[3], const uint32_t *layers, const float *references,
    const struct image_choice *choice, struct rows *out) {
    uint32_t width = operation->width;
    memset(out, 0, sizeof(*out));
    for (uint32_t number = 0; number < operation->sampler->anisotropy; number++) {
        uint64_t lanes = 0;
        float moved[3][IMAGE_LANES];
        const float *rows[3] = {NULL, NULL, NULL};
        for (uint32_t lane = 0; lane < width; lane++) {
            uint64_t bit = (uint64_t)1 << lane & operation->lanes;
            lanes |= bit != 0 && number < choice->probe_count[lane] ? bit : 0;
        }
        if (lanes == 0) {
            break;
        }
        for (uint32_t i = 0; i < operation->operands.axis_count; i++) {
            rows[i] = moved[i];
            for (uint32_t lane = 0; lane < width; lane++) {
                float place = 0.0f;
                if ((lanes >> lane & 1) != 0) {
                    place = (float)(number + 1) / (float)(choice->probe_count[lane] + 1) - 0.5f;
                    place *= choice->axis[i][lane];
                }
                moved[i][lane] = coordinates[i][lane] + place;
            }
        }
        struct rows probe;
        sample_coordinates(operation, rows, layers, references, choice, lanes, &probe);
        for (uint32_t c = 0; c < get_row_count(operation); c++) {
            for (uint32_t lane = 0; lane < width; lane++) {
                if ((lanes >> lane & 1) != 0) {
                    float part = texel_float(probe.words[c][lane]) /
                        (float)choice->probe_count[lane];
                    out->words[c][lane] = texel_word(texel_float(out->words[c][lane]) + part);
                }
            }
        }
    }
}

// ---------------------------------------------------------------- the whole

// Keeps samples half a texel within the image.
static void clamp_to_edge(const struct image_operation *operation, const float *coordinates[3],
    float out_rows[2][IMAGE_LANES]) {
    const uint32_t sizes[2] = {operation->image->seen.width, operation->image->seen.height};
    for (uint32_t i = 0; i < 2; i++) {
        float half = 0.5f / (float)sizes[i];
        for (uint32_t lane = 0; lane < operation->width; lane++) {
            float at = coordinates[i][lane];
            at = at > half ? at : half;
            out_rows[i][lane] = at < 1.0f - half ? at : 1.0f - half;
        }
        coordinates[i] = out_rows[i];
    }
}

static void put_some(
    const struct image_operation *operation, uint64_t lanes, const struct rows *rows) {
    for (uint32_t lane = 0; lane < operation->width; lane++) {
        for (uint32_t c = 0; c < 4 && (lanes >> lane & 1) != 0; c++) {
            operation->results[(size_t)c * operation->width + lane] = rows->words[c][lane];
        }
    }
}

void image_sample(const struct image_operation *operation) {
    uint32_t opcode = operation->call->opcode;
    const float *coordinates[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < operation->operands.axis_count; i++) {
        coordinates[i] = image_floats(operation->operands.coordinates[i]);
    }
    float clamped[2][IMAGE_LANES];
    if (opcode == IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE) {
        clamp_to_edge(operation, coordinates, clamped);
    }
    uint32_t layer_row[IMAGE_LANES];
    const uint32_t *layers = image_get_layers(operation, layer_row) ? layer_row : NULL;
    float reference_row[IMAGE_LANES];
    const float *references = NULL;
    if (opcode == IR_TEXTURE_SAMPLE_COMPARE || opcode == IR_TEXTURE_SAMPLE_COMPARE_LEVEL) {
        image_get_references(operation, reference_row);
        references = reference_row;
    }
    struct image_choice choice;
    image_choose_levels(operation, &choice);
    struct rows rows;
    bool is_flat = operation->call->dimension == TEXTURE_DIMENSION_2D ||
        operation->call->dimension == TEXTURE_DIMENSION_2D_ARRAY;
    if (is_flat && !choice.has_axis && references == NULL && operation->call->is_depth == 0 &&
        opcode != IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE && image_has_fast_format(operation->image)) {
        uint64_t rest = image_sample_fast(operation, &choice, layers);
        if (rest != 0) {
            sample_coordinates(operation, coordinates, layers, references, &choice, rest, &rows);
            put_some(operation, rest, &rows);
        }
        return;
    }
    if (choice.has_axis) {
        sample_probes(operation, coordinates, layers, references, &choice, &rows);
    } else {
        sample_coordinates(
            operation, coordinates, layers, references, &choice, operation->lanes, &rows);
    }
    image_put_results(operation, rows.words[0], IMAGE_LANES);
}
