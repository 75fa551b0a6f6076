// SPDX-License-Identifier: MIT
//
// Which levels of a view a lane samples: from a level, from gradients, or from the coordinates of a
// lane's neighbours in its quad, which share one choice. Formulas are Vulkan's, to which WebGPU
// refers ("Scale Factor Operation, LOD Operation and Image Level Selection").
#include "backend/cpu/image_priv.h"

#include <string.h>

// How much texels shrink in one step along x or y of the framebuffer.
struct gradient {
    float x[3];
    float y[3];
};

// Any float is taken: 0 counts as 2^-127, infinity and what is not a number as 2^128.
static float get_log2(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits &= 0x7fffffffu;
    // Mantissas from sqrt(1/2) to sqrt(2).
    int32_t exponent = (int32_t)((bits + 0x4afb0dU) >> 23) - 127;
    bits -= (uint32_t)exponent << 23;
    float mantissa;
    memcpy(&mantissa, &bits, sizeof(mantissa));
    float t = (mantissa - 1.0f) / (mantissa + 1.0f);
    float t2 = t * t;
    float sum = 2.8853901f + t2 * (0.96179669f + t2 * (0.57707802f + t2 * 0.41219859f));
    return (float)exponent + t * sum;
}

static float get_square(const float vector[3]) {
    return vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
}

// From steps of a direction to steps of u and v on the face that the direction hits, in texels.
static void project_step(const float direction[3], const float step[3], float size, float out[3]) {
    const float *const rows[3] = {&direction[0], &direction[1], &direction[2]};
    float u = 0;
    float v = 0;
    uint32_t face = 0;
    image_cube_project(1, rows, &u, &v, &face);
    uint32_t axis = face / 2;
    float major = direction[axis];
    float sign = (face & 1) != 0 ? -1.0f : 1.0f;
    // u = 1/2 + s / (2 |major|), with s the coordinate along the face's u axis.
    static const uint8_t u_axes[3] = {2, 0, 0};
    static const uint8_t v_axes[3] = {1, 2, 1};
    float inverse = 1.0f / (major * sign);
    float growth = step[axis] * sign * inverse;
    out[0] = 0.5f * size * inverse * (step[u_axes[axis]] - direction[u_axes[axis]] * growth);
    out[1] = 0.5f * size * inverse * (step[v_axes[axis]] - direction[v_axes[axis]] * growth);
    out[2] = 0;
}

// Chooses from a level of detail before it is clamped.
struct pick {
    uint8_t level;
    uint8_t is_linear;
    float next;
};

static inline struct pick choose(const struct image_operation *operation, float detail) {
    const struct cpu_sampler *sampler = operation->sampler;
    float least = sampler->state.lod_min_clamp;
    float most = sampler->state.lod_max_clamp;
    detail = detail > least ? detail : least; // what is not a number too
    detail = detail < most ? detail : most;
    struct pick pick = {
        .is_linear = detail <= 0.0f ? sampler->is_linear_mag : sampler->is_linear_min};
    float last = (float)(int32_t)(operation->image->seen.level_count - 1);
    detail = detail > 0.0f ? detail : 0.0f;
    detail = detail < last ? detail : last;
    if (sampler->is_linear_mip) {
        pick.level = (uint8_t)(int32_t)detail;
        pick.next = detail - (float)(int32_t)detail;
    } else {
        pick.level = (uint8_t)(int32_t)(detail + 0.5f);
    }
    return pick;
}

static inline void put_lane(struct image_choice *choice, uint32_t lane, struct pick pick) {
    choice->level[lane] = pick.level;
    choice->is_linear[lane] = pick.is_linear;
    choice->next[lane] = pick.next;
}

static inline void put_quad(struct image_choice *choice, uint32_t first, struct pick pick) {
    memset(choice->level + first, pick.level, 4);
    memset(choice->is_linear + first, pick.is_linear, 4);
    for (uint32_t i = 0; i < 4; i++) {
        choice->next[first + i] = pick.next;
    }
}

// The level of detail of gradients in units of the coordinates. Sets a lane's probes.
static float get_detail(const struct image_operation *operation, uint32_t lane,
    const struct gradient *gradient, const float coordinates[3], struct image_choice *choice) {
    const struct cpu_image *image = operation->image;
    uint32_t axis_count = operation->operands.axis_count;
    float texels_x[3] = {0, 0, 0};
    float texels_y[3] = {0, 0, 0};
    if (operation->call->dimension == TEXTURE_DIMENSION_CUBE ||
        operation->call->dimension == TEXTURE_DIMENSION_CUBE_ARRAY) {
        project_step(coordinates, gradient->x, (float)image->seen.width, texels_x);
        project_step(coordinates, gradient->y, (float)image->seen.width, texels_y);
    } else {
        const uint32_t sizes[3] = {image->seen.width, image->seen.height, image->seen.depth};
        for (uint32_t i = 0; i < axis_count; i++) {
            texels_x[i] = gradient->x[i] * (float)sizes[i];
            texels_y[i] = gradient->y[i] * (float)sizes[i];
        }
    }
    float square_x = get_square(texels_x);
    float square_y = get_square(texels_y);
    bool is_x_longer = square_x > square_y;
    float major = is_x_longer ? square_x : square_y;
    float detail = 0.5f * get_log2(major);
    if (!choice->has_axis) {
        return detail;
    }
    // N probes along the longer axis, each as wide as that axis's N-th part.
    uint32_t anisotropy = operation->sampler->anisotropy;
    float ratio = detail - 0.5f * get_log2(is_x_longer ? square_y : square_x);
    float limit = get_log2((float)(int32_t)anisotropy);
    ratio = ratio < limit ? ratio : limit;
    ratio = ratio > 0.0f ? ratio : 0.0f;
    uint32_t probe_count = 1;
    while (probe_count < anisotropy && get_log2((float)(int32_t)probe_count) < ratio - 1e-4f) {
        probe_count++;
    }
    choice->probe_count[lane] = (uint8_t)probe_count;
    for (uint32_t i = 0; i < axis_count; i++) {
        choice->axis[i][lane] = is_x_longer ? gradient->x[i] : gradient->y[i];
    }
    return detail - ratio;
}

// As get_detail for two dimensions, without probes: what most shaders ask for.
static inline float get_flat_detail(
    const struct image_operation *operation, const float *u, const float *v) {
    float width = (float)(int32_t)operation->image->seen.width;
    float height = (float)(int32_t)operation->image->seen.height;
    float x[2] = {(u[1] - u[0]) * width, (v[1] - v[0]) * height};
    float y[2] = {(u[2] - u[0]) * width, (v[2] - v[0]) * height};
    float square_x = x[0] * x[0] + x[1] * x[1];
    float square_y = y[0] * y[0] + y[1] * y[1];
    return 0.5f * get_log2(square_x > square_y ? square_x : square_y);
}

static float get_quad_detail(
    const struct image_operation *operation, uint32_t first, struct image_choice *choice) {
    const struct image_operands *operands = &operation->operands;
    if (operands->axis_count == 2 && !choice->has_axis) {
        return get_flat_detail(operation, image_floats(operands->coordinates[0]) + first,
            image_floats(operands->coordinates[1]) + first);
    }
    struct gradient gradient = {{0, 0, 0}, {0, 0, 0}};
    float coordinates[3] = {0, 0, 0};
    for (uint32_t i = 0; i < operands->axis_count; i++) {
        const float *row = image_floats(operands->coordinates[i]) + first;
        coordinates[i] = row[0];
        gradient.x[i] = row[1] - row[0];
        gradient.y[i] = row[2] - row[0];
    }
    float detail = get_detail(operation, first, &gradient, coordinates, choice);
    for (uint32_t i = first + 1; choice->has_axis && i < first + 4; i++) {
        choice->probe_count[i] = choice->probe_count[first];
        for (uint32_t axis = 0; axis < operands->axis_count; axis++) {
            choice->axis[axis][i] = choice->axis[axis][first];
        }
    }
    return detail;
}

static void choose_implicit(const struct image_operation *operation, struct image_choice *choice) {
    bool has_bias = operation->call->opcode == IR_TEXTURE_SAMPLE_BIAS;
    for (uint32_t first = 0; first + 4 <= operation->width; first += 4) {
        if ((operation->lanes >> first & 15) == 0) {
            continue;
        }
        float detail = get_quad_detail(operation, first, choice);
        if (!has_bias) {
            put_quad(choice, first, choose(operation, detail));
            continue;
        }
        for (uint32_t lane = first; lane < first + 4; lane++) {
            float bias = image_floats(operation->operands.rest)[lane];
            bias = bias > -16.0f ? bias : -16.0f;
            bias = bias < 15.99f ? bias : 15.99f;
            put_lane(choice, lane, choose(operation, detail + bias));
        }
    }
}

static void choose_by_operands(
    const struct image_operation *operation, struct image_choice *choice) {
    const struct image_operands *operands = &operation->operands;
    const float *rest = image_floats(operands->rest);
    uint32_t width = operation->width;
    for (uint32_t lane = 0; lane < width; lane++) {
        if ((operation->lanes >> lane & 1) == 0) {
            continue;
        }
        struct gradient gradient = {{0, 0, 0}, {0, 0, 0}};
        float coordinates[3] = {0, 0, 0};
        for (uint32_t i = 0; i < operands->axis_count; i++) {
            coordinates[i] = image_floats(operands->coordinates[i])[lane];
            gradient.x[i] = rest[(size_t)i * width + lane];
            gradient.y[i] = rest[(size_t)(operands->axis_count + i) * width + lane];
        }
        float detail = get_detail(operation, lane, &gradient, coordinates, choice);
        put_lane(choice, lane, choose(operation, detail));
    }
}

static void choose_by_level(const struct image_operation *operation, struct image_choice *choice) {
    const struct jit_texture_call *call = operation->call;
    const uint32_t *rest = operation->operands.rest;
    for (uint32_t lane = 0; lane < operation->width; lane++) {
        float level = 0;
        if (call->opcode == IR_TEXTURE_SAMPLE_LEVEL) {
            level = !call->is_depth          ? image_floats(rest)[lane]
                : call->is_level_signed != 0 ? (float)(int32_t)rest[lane]
                                             : (float)rest[lane];
        }
        put_lane(choice, lane, choose(operation, level));
    }
}

void image_choose_levels(const struct image_operation *operation, struct image_choice *out_choice) {
    uint32_t opcode = operation->call->opcode;
    bool is_implicit = opcode == IR_TEXTURE_SAMPLE || opcode == IR_TEXTURE_SAMPLE_BIAS ||
        opcode == IR_TEXTURE_SAMPLE_COMPARE;
    bool has_gradients = opcode == IR_TEXTURE_SAMPLE_GRAD;
    const struct cpu_sampler *sampler = operation->sampler;
    out_choice->has_axis = sampler->anisotropy > 1 && (is_implicit || has_gradients);
    bool is_same = operation->image->seen.level_count == 1 &&
        sampler->is_linear_mag == sampler->is_linear_min;
    // Of lanes that are not asked for too: they may be sampled with the others.
    memset(out_choice->level, 0, operation->width);
    memset(out_choice->is_linear, sampler->is_linear_mag, operation->width);
    memset(out_choice->next, 0, operation->width * sizeof(out_choice->next[0]));
    if (is_same && !out_choice->has_axis) {
        return;
    }
    if (is_implicit) {
        choose_implicit(operation, out_choice);
    } else if (has_gradients) {
        choose_by_operands(operation, out_choice);
    } else {
        choose_by_level(operation, out_choice);
    }
}
