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

static float get_square(const float vector[3], uint32_t count) {
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += vector[i] * vector[i];
    }
    return sum;
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
static void choose(const struct image_operation *operation, uint32_t lane, float detail,
    struct image_choice *choice) {
    const struct cpu_sampler *sampler = operation->sampler;
    float least = sampler->state.lod_min_clamp;
    float most = sampler->state.lod_max_clamp;
    detail = detail > least ? detail : least; // what is not a number too
    detail = detail < most ? detail : most;
    choice->is_linear[lane] = detail <= 0.0f ? sampler->is_linear_mag : sampler->is_linear_min;
    float last = (float)(operation->image->seen.level_count - 1);
    detail = detail > 0.0f ? detail : 0.0f;
    detail = detail < last ? detail : last;
    choice->next[lane] = 0;
    if (sampler->is_linear_mip) {
        choice->level[lane] = (uint8_t)detail;
        choice->next[lane] = detail - (float)(uint8_t)detail;
    } else {
        choice->level[lane] = (uint8_t)(detail + 0.5f);
    }
}

// A lane from gradients in units of the coordinates.
static void choose_by_gradient(const struct image_operation *operation, uint32_t lane,
    const struct gradient *gradient, const float coordinates[3], float bias,
    struct image_choice *choice) {
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
    float square_x = get_square(texels_x, 3);
    float square_y = get_square(texels_y, 3);
    bool is_x_longer = square_x > square_y;
    float major = is_x_longer ? square_x : square_y;
    float minor = is_x_longer ? square_y : square_x;
    float detail = 0.5f * get_log2(major);
    uint32_t anisotropy = operation->sampler->anisotropy;
    if (choice->has_axis) {
        // N probes along the longer axis, each as wide as that axis's N-th part.
        float ratio = 0.5f * (get_log2(major) - get_log2(minor));
        float limit = get_log2((float)anisotropy);
        ratio = ratio < limit ? ratio : limit;
        ratio = ratio > 0.0f ? ratio : 0.0f;
        uint32_t probe_count = 1;
        while (probe_count < anisotropy && get_log2((float)probe_count) < ratio - 1e-4f) {
            probe_count++;
        }
        choice->probe_count[lane] = (uint8_t)probe_count;
        for (uint32_t i = 0; i < axis_count; i++) {
            choice->axis[i][lane] = is_x_longer ? gradient->x[i] : gradient->y[i];
        }
        detail -= ratio;
    }
    choose(operation, lane, detail + bias, choice);
}

static void copy_quad(struct image_choice *choice, uint32_t first) {
    for (uint32_t i = first + 1; i < first + 4; i++) {
        choice->level[i] = choice->level[first];
        choice->is_linear[i] = choice->is_linear[first];
        choice->next[i] = choice->next[first];
    }
    if (choice->has_axis) {
        for (uint32_t i = first + 1; i < first + 4; i++) {
            choice->probe_count[i] = choice->probe_count[first];
            for (uint32_t axis = 0; axis < 3; axis++) {
                choice->axis[axis][i] = choice->axis[axis][first];
            }
        }
    }
}

static void choose_implicit(const struct image_operation *operation, struct image_choice *choice) {
    const struct image_operands *operands = &operation->operands;
    bool has_bias = operation->call->opcode == IR_TEXTURE_SAMPLE_BIAS;
    for (uint32_t first = 0; first + 4 <= operation->width; first += 4) {
        uint32_t lanes = (uint32_t)(operation->lanes >> first) & 15u;
        if (lanes == 0) {
            continue;
        }
        struct gradient gradient = {{0, 0, 0}, {0, 0, 0}};
        float coordinates[3] = {0, 0, 0};
        for (uint32_t i = 0; i < operands->axis_count; i++) {
            const float *row = image_floats(operands->coordinates[i]) + first;
            coordinates[i] = row[0];
            gradient.x[i] = row[1] - row[0];
            gradient.y[i] = row[2] - row[0];
        }
        if (!has_bias) {
            choose_by_gradient(operation, first, &gradient, coordinates, 0, choice);
            copy_quad(choice, first);
            continue;
        }
        for (uint32_t i = first; i < first + 4; i++) {
            float bias = image_floats(operands->rest)[i];
            bias = bias > -16.0f ? bias : -16.0f;
            bias = bias < 15.99f ? bias : 15.99f;
            choose_by_gradient(operation, i, &gradient, coordinates, bias, choice);
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
        choose_by_gradient(operation, lane, &gradient, coordinates, 0, choice);
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
        choose(operation, lane, level, choice);
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
