// SPDX-License-Identifier: MIT
//
// Cube maps: from directions to faces, and across the edges between faces.
#include "backend/cpu/image_priv.h"

// Faces in the order of layers: +x, -x, +y, -y, +z, -z. Each has an axis that it looks along, and the
// axes along which its texels lie, with signs.
struct face {
    uint8_t axis;
    int8_t sign;
    uint8_t u_axis;
    int8_t u_sign;
    uint8_t v_axis;
    int8_t v_sign;
};

static const struct face faces[6] = {
    {0, 1, 2, -1, 1, -1},
    {0, -1, 2, 1, 1, -1},
    {1, 1, 0, 1, 2, 1},
    {1, -1, 0, 1, 2, -1},
    {2, 1, 0, 1, 1, -1},
    {2, -1, 0, -1, 1, -1},
};

static inline float absolute(float value) {
    return value < 0.0f ? -value : value;
}

void image_cube_project(uint32_t count, const float *const direction[3], float *out_u, float *out_v,
    uint32_t *out_faces) {
    const float *x_row = direction[0];
    const float *y_row = direction[1];
    const float *z_row = direction[2];
    float *restrict u_row = out_u;
    float *restrict v_row = out_v;
    uint32_t *restrict face_row = out_faces;
    for (uint32_t i = 0; i < count; i++) {
        float x = x_row[i];
        float y = y_row[i];
        float z = z_row[i];
        bool is_z = absolute(z) >= absolute(x) && absolute(z) >= absolute(y);
        bool is_y = absolute(y) >= absolute(x);
        float major = is_z ? z : is_y ? y : x;
        bool is_back = major < 0.0f;
        float u = is_z ? (is_back ? -x : x) : is_y ? x : is_back ? z : -z;
        float v = is_z ? -y : is_y ? (is_back ? -z : z) : -y;
        float scale = 0.5f / absolute(major);
        u_row[i] = u * scale + 0.5f;
        v_row[i] = v * scale + 0.5f;
        face_row[i] = (is_z ? 4u : is_y ? 2u : 0u) + is_back;
    }
}

// Texel centres are odd or even numbers from 1 - size to size - 1, on a cube whose faces are at
// distance `size`: the texel beyond an edge is the outermost one of the face there.
bool image_cube_cross(int32_t size, uint32_t *face, int32_t *x, int32_t *y) {
    bool is_x_out = *x < 0 || *x >= size;
    bool is_y_out = *y < 0 || *y >= size;
    if (is_x_out && is_y_out) {
        return false;
    }
    if (!is_x_out && !is_y_out) {
        return true;
    }
    const struct face *from = &faces[*face];
    int32_t point[3];
    point[from->axis] = from->sign * (size - 1);
    point[from->u_axis] = from->u_sign * (2 * *x + 1 - size);
    point[from->v_axis] = from->v_sign * (2 * *y + 1 - size);
    uint32_t axis = is_x_out ? from->u_axis : from->v_axis;
    *face = 2 * axis + (point[axis] < 0);
    const struct face *to = &faces[*face];
    *x = (to->u_sign * point[to->u_axis] + size - 1) / 2;
    *y = (to->v_sign * point[to->v_axis] + size - 1) / 2;
    return true;
}
