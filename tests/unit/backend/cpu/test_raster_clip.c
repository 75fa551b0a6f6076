// SPDX-License-Identifier: MIT
//
// Clipping: triangles in clip space against a reference that asks of each pixel centre which point of
// the triangle lies behind it and whether that is inside of the volume; values at these points; shared
// edges; lines and points; clip distances; unclipped depth; numbers that are none.

#include "primitive_fixture.h"

#define SIZE 48

// ---------------------------------------------------------------- a reference

// What lies behind a point of the screen.
struct hit {
    double weights[3]; // of the corners, in clip space
    double margin;     // how far inside of everything (positive), by weights and by distances
    double w;
};

static double determinant(double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
        m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void take_least(double *least, double value) {
    *least = value < *least ? value : *least;
}

// Solves sum(weight * corner) ~ (x, y, 1) for weights of sum 1.
static struct hit find_hit(const struct fixture_vertex vertices[3], double ndc_x, double ndc_y,
    bool clips_depth, uint32_t distance_count) {
    double weights[3];
    for (int i = 0; i < 3; i++) {
        double m[3][3];
        for (int corner = 0; corner < 3; corner++) {
            const float *position = vertices[corner].position;
            m[0][corner] = corner == i ? ndc_x : (double)position[0];
            m[1][corner] = corner == i ? ndc_y : (double)position[1];
            m[2][corner] = corner == i ? 1 : (double)position[3];
        }
        weights[i] = determinant(m);
    }
    double sum = weights[0] + weights[1] + weights[2];
    struct hit hit = {.margin = sum == 0 ? -1 : INFINITY};
    double z = 0;
    for (int i = 0; i < 3; i++) {
        hit.weights[i] = weights[i] / sum;
        take_least(&hit.margin, hit.weights[i]);
        hit.w += hit.weights[i] * (double)vertices[i].position[3];
        z += hit.weights[i] * (double)vertices[i].position[2];
    }
    take_least(&hit.margin, hit.w);
    if (clips_depth) {
        take_least(&hit.margin, z);
        take_least(&hit.margin, hit.w - z);
    }
    for (uint32_t distance = 0; distance < distance_count; distance++) {
        double at = 0;
        for (int i = 0; i < 3; i++) {
            at += hit.weights[i] * (double)vertices[i].values[4 + distance];
        }
        take_least(&hit.margin, at);
    }
    return hit;
}

// How far the nearest side of the triangle is from a pixel, roughly: what snapping may decide.
static bool is_sure(const struct fixture_vertex vertices[3], double x, double y, bool clips_depth,
    uint32_t distance_count, bool *out_is_inside) {
    int inside = 0;
    for (int i = 0; i < 5; i++) {
        double px = i == 4 ? x : x + (i % 2 * 2 - 1) / 64.0;
        double py = i == 4 ? y : y + (i / 2 * 2 - 1) / 64.0;
        struct hit hit = find_hit(
            vertices, px / SIZE * 2 - 1, 1 - py / SIZE * 2, clips_depth, distance_count);
        inside += hit.margin > 0;
    }
    *out_is_inside = inside == 5;
    return inside == 0 || inside == 5;
}

static struct fixture_vertex random_vertex(uint64_t *random, int round) {
    struct fixture_vertex vertex;
    double reach = round % 7 == 0 ? 1000 : 4;
    for (int i = 0; i < 4; i++) {
        vertex.position[i] = (float)random_between(random, -reach, reach);
    }
    if (round % 3 != 0) {
        vertex.position[3] = fabsf(vertex.position[3]);
    }
    for (int i = 0; i < 8; i++) {
        vertex.values[i] = (float)random_between(random, -1, i < 4 ? 1 : 3);
    }
    vertex.values[2] = 0.3f;
    return vertex;
}

static void compare_triangles(uint32_t distance_count, bool has_unclipped_depth) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 3);
    fixture.varyings[1].interpolation = RASTER_FLAT;
    fixture.pipeline.state.has_unclipped_depth = has_unclipped_depth;
    fixture.pipeline.clip_distance_word = distance_count != 0 ? 8 : RASTER_NO_WORD;
    fixture.pipeline.clip_distance_count = distance_count;
    uint64_t random = 99 + distance_count;
    uint64_t drawn_count = 0;
    uint64_t unsure_count = 0;
    uint64_t clipped_count = 0;
    for (int round = 0; round < 800; round++) {
        struct fixture_vertex vertices[3];
        for (int i = 0; i < 3; i++) {
            vertices[i] = random_vertex(&random, round);
        }
        fixture_set_vertices(&fixture, vertices, 3);
        if (!CHECK_EQ(fixture_draw(&fixture), BACKEND_OK)) {
            break;
        }
        clipped_count += fixture.primitive_count > 1;
        for (int32_t y = 0; y < SIZE; y += 3) {
            for (int32_t x = 0; x < SIZE; x += 3) {
                uint32_t count = 0;
                const struct raster_primitive *primitive = NULL;
                for (uint32_t i = 0; i < fixture.primitive_count; i++) {
                    if (primitive_draws(fixture_get(&fixture, i), x, y)) {
                        primitive = fixture_get(&fixture, i);
                        count++;
                    }
                }
                if (count > 1) {
                    CHECK_EQ(count, 1);
                }
                bool is_inside = false;
                if (!is_sure(vertices, x + 0.5, y + 0.5, !has_unclipped_depth, distance_count,
                        &is_inside)) {
                    unsure_count++;
                    continue;
                }
                drawn_count += count;
                if (count != (is_inside ? 1 : 0)) {
                    CHECK_EQ(count, is_inside ? 1 : 0);
                }
                if (count == 0 || !is_inside) {
                    continue;
                }
                struct hit hit = find_hit(vertices, (x + 0.5) / SIZE * 2 - 1,
                    1 - (y + 0.5) / SIZE * 2, !has_unclipped_depth, distance_count);
                // Away from where a pixel sees the whole triangle at once.
                struct hit next = find_hit(vertices, (x + 1.5) / SIZE * 2 - 1,
                    1 - (y + 1.5) / SIZE * 2, !has_unclipped_depth, distance_count);
                double wanted = 0;
                double step = 0;
                for (int i = 0; i < 3; i++) {
                    wanted += hit.weights[i] * (double)vertices[i].values[0];
                    step += fabs(hit.weights[i] - next.weights[i]);
                }
                double got = varying_at(primitive, 0, RASTER_PERSPECTIVE, x + 0.5, y + 0.5);
                if (!(fabs(got - wanted) <= 0.01 + step * 0.05)) {
                    CHECK_NEAR(got, wanted, 0.01 + step * 0.05);
                }
                CHECK(primitive->varyings[2].base == 0.3f && primitive->varyings[2].dx == 0 &&
                    primitive->varyings[2].dy == 0);
                CHECK(primitive->varyings[1].base == vertices[0].values[1]);
            }
        }
    }
    CHECK(drawn_count > 2000);
    CHECK(clipped_count > 50);
    CHECK(unsure_count < drawn_count);
    fixture_finish(&fixture);
}

TEST(triangles_are_clipped_by_the_volume) {
    compare_triangles(0, false);
}

TEST(triangles_are_clipped_by_distances) {
    compare_triangles(1, false);
    compare_triangles(4, false);
}

TEST(unclipped_depth_clips_by_w_alone) {
    compare_triangles(0, true);
}

// ---------------------------------------------------------------- interpolation

// A floor that runs from below the eye to far away: linear is linear on the screen, where it is cut.
TEST(linear_values_stay_linear_where_clipped) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 2);
    fixture.varyings[1].interpolation = RASTER_LINEAR;
    // w = 1, 1, 9; the far side of depth cuts between.
    struct fixture_vertex vertices[3] = {{.position = {-1, -1, 0.5f, 1}, .values = {0, 0}},
        {.position = {1, -1, 0.5f, 1}, .values = {0, 0}},
        {.position = {0, 9, 12, 9}, .values = {1, 1}}};
    fixture_set_vertices(&fixture, vertices, 3);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK(fixture.primitive_count == 2);
    uint32_t found = 0;
    double cut_error = 1.0 / RASTER_SUBPIXELS / SIZE; // where the sides are cut is snapped
    for (int32_t y = 0; y < SIZE; y++) {
        for (uint32_t i = 0; i < fixture.primitive_count; i++) {
            const struct raster_primitive *primitive = fixture_get(&fixture, i);
            if (primitive_draws(primitive, SIZE / 2, y)) {
                double up = (SIZE - (y + 0.5)) / SIZE; // 0 at the near edge, 1 at the far corner
                CHECK_NEAR(varying_at(primitive, 1, RASTER_LINEAR, SIZE / 2 + 0.5, y + 0.5), up,
                    cut_error);
                // By 1 / w: the weight t of the far corner with t * 9 / (1 + 8 t) = up.
                CHECK_NEAR(varying_at(primitive, 0, RASTER_PERSPECTIVE, SIZE / 2 + 0.5, y + 0.5),
                    up / (9 - 8 * up), cut_error);
                found++;
            }
        }
    }
    CHECK_EQ(found, 29); // z = w at the weight 1 / 7, 0.6 of the way up
    fixture_finish(&fixture);
}

// Two triangles with an edge in common that is cut: each pixel once, none left out between.
TEST(cut_edges_stay_shared) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    uint64_t random = 4;
    uint32_t cut_count = 0;
    for (int round = 0; round < 300; round++) {
        // A quad in a plane through the eye's space, its corners far out.
        struct fixture_vertex corners[4];
        double tilt = random_between(&random, 0.1, 2);
        static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        for (int i = 0; i < 4; i++) {
            double x = square[i][0] * random_between(&random, 2, 400);
            double y = square[i][1] * random_between(&random, 2, 400);
            corners[i] = (struct fixture_vertex){
                .position = {(float)x, (float)y, (float)(0.5 + tilt * y * 0.1),
                    (float)(2 + tilt * y * 0.3)}};
        }
        struct fixture_vertex vertices[6] = {
            corners[0], corners[1], corners[2], corners[2], corners[3], corners[0]};
        fixture_set_vertices(&fixture, vertices, 6);
        fixture_draw(&fixture);
        cut_count += fixture.primitive_count > 2;
        for (int32_t y = 0; y < SIZE; y += 3) {
            for (int32_t x = 0; x < SIZE; x++) {
                uint32_t count = 0;
                for (uint32_t i = 0; i < fixture.primitive_count; i++) {
                    count += primitive_draws(fixture_get(&fixture, i), x, y);
                }
                bool is_inside[2];
                bool first_sure = is_sure(vertices, x + 0.5, y + 0.5, true, 0, &is_inside[0]);
                bool second_sure = is_sure(vertices + 3, x + 0.5, y + 0.5, true, 0, &is_inside[1]);
                // On the diagonal neither is sure, but one of them has it.
                struct hit first = find_hit(
                    vertices, (x + 0.5) / SIZE * 2 - 1, 1 - (y + 0.5) / SIZE * 2, true, 0);
                struct hit second = find_hit(
                    vertices + 3, (x + 0.5) / SIZE * 2 - 1, 1 - (y + 0.5) / SIZE * 2, true, 0);
                bool is_diagonal = !first_sure && !second_sure &&
                    (first.margin > 0) != (second.margin > 0) && fabs(first.weights[1]) < 1e-9;
                if ((first_sure && second_sure) || is_diagonal) {
                    uint32_t wanted = is_diagonal ? 1 : is_inside[0] + is_inside[1];
                    if (count != wanted) {
                        CHECK_EQ(count, wanted);
                    }
                } else if (count > 1) {
                    CHECK(count <= 1);
                }
            }
        }
    }
    CHECK(cut_count > 100);
    fixture_finish(&fixture);
}

// ---------------------------------------------------------------- lines and points

TEST(points_are_clipped_by_their_centres) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_PointList;
    fixture.pipeline.clip_distance_word = 8;
    fixture.pipeline.clip_distance_count = 2;
    struct {
        float position[4];
        float distances[2];
        bool is_drawn;
    } cases[] = {
        {{0, 0, 0, 1}, {0, 0}, true},
        {{0, 0, 1, 1}, {5, 5}, true},
        {{0, 0, -0.001f, 1}, {0, 0}, false},
        {{0, 0, 1.001f, 1}, {0, 0}, false},
        {{0, 0, 0, 1}, {0, -0.01f}, false},
        {{0, 0, 0, 1}, {-1, 5}, false},
        {{-1, 1, 0, 1}, {0, 0}, true},
        {{-1.01f, 0, 0, 1}, {0, 0}, false},
        {{0, 1.01f, 0, 1}, {0, 0}, false},
        {{0, 0, 0, 0}, {0, 0}, false},
        {{0, 0, 0, -1}, {0, 0}, false},
        {{NAN, 0, 0, 1}, {0, 0}, false},
        {{0, INFINITY, 0, 1}, {0, 0}, false},
        {{0, 0, NAN, 1}, {0, 0}, false},
        {{0, 0, 0, INFINITY}, {0, 0}, false},
        {{0, 0, 0, NAN}, {0, 0}, false},
        {{0, 0, 0, 1}, {NAN, 0}, false},
        {{1e30f, 0, 0, 1e30f}, {0, 0}, false}, // at the right side: beyond the last pixel
        {{-1e30f, 0, 0, 1e30f}, {0, 0}, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture_vertex vertex = {.values = {0}};
        memcpy(vertex.position, cases[i].position, sizeof(vertex.position));
        memcpy(&vertex.values[4], cases[i].distances, sizeof(cases[i].distances));
        fixture_set_vertices(&fixture, &vertex, 1);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        if (!CHECK_EQ(fixture.primitive_count, cases[i].is_drawn)) {
            fprintf(stderr, "    case %zu\n", i);
        }
    }
    fixture_finish(&fixture);
}

TEST(lines_are_clipped_at_both_ends) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 2);
    fixture.varyings[1].interpolation = RASTER_FLAT;
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_LineList;
    // Along the row of pixel centres at y = 24.5, depth from -1 to 3: visible where 0 <= z <= 1.
    float row = 1 - 24.5f / SIZE * 2;
    struct fixture_vertex vertices[2] = {
        {.position = {-1, row, -1, 1}, .values = {0, 7}},
        {.position = {1, row, 3, 1}, .values = {4, 8}},
    };
    for (int turned = 0; turned < 2; turned++) {
        struct fixture_vertex line[2] = {vertices[turned], vertices[1 - turned]};
        fixture_set_vertices(&fixture, line, 2);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        if (!CHECK_EQ(fixture.primitive_count, 1)) {
            continue;
        }
        const struct raster_primitive *primitive = fixture_get(&fixture, 0);
        CHECK(primitive->varyings[1].base == line[0].values[1]);
        uint32_t drawn = 0;
        for (int32_t x = 0; x < SIZE; x++) {
            if (primitive_draws(primitive, x, 24)) {
                drawn++;
                CHECK(x >= SIZE / 4 && x < SIZE / 2);
                CHECK_NEAR(varying_at(primitive, 0, RASTER_PERSPECTIVE, x + 0.5, 24.5),
                    4 * (x + 0.5) / SIZE, 1e-5);
                CHECK_NEAR(plane_at(primitive, &primitive->depth, x + 0.5, 24.5),
                    4 * (x + 0.5) / SIZE - 1, 1e-5);
            }
        }
        CHECK_EQ(drawn, SIZE / 4);
    }
    fixture_finish(&fixture);
}

// ---------------------------------------------------------------- anything at all

TEST(no_position_breaks_anything) {
    static const float values[] = {0, -0.0f, 1, -1, 0.5f, 1e-45f, -1e-45f, 1e-38f, 1e-20f, 1e20f,
        -1e20f, 3.4e38f, -3.4e38f, INFINITY, -INFINITY, NAN, 2, -2, 1e9f, 1.0000001f};
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    static const WGPUPrimitiveTopology topologies[3] = {WGPUPrimitiveTopology_PointList,
        WGPUPrimitiveTopology_LineStrip, WGPUPrimitiveTopology_TriangleStrip};
    static const float viewports[3][4] = {
        {0, 0, SIZE, SIZE}, {-16384, -16384, 16384, 16384}, {16000, 16000, 0, 1e-20f}};
    uint64_t random = 1;
    for (int round = 0; round < 3000; round++) {
        struct raster_fixture fixture;
        fixture_init(&fixture, 1, SIZE, SIZE, 4);
        fixture.pipeline.state.topology = topologies[round % 3];
        fixture.pipeline.state.has_unclipped_depth = round % 2 == 0;
        fixture.pipeline.state.depth_bias = 1000;
        fixture.pipeline.state.depth_bias_slope_scale = 3;
        fixture.pipeline.clip_distance_word = 8;
        fixture.pipeline.clip_distance_count = (uint32_t)round % 5;
        fixture.pass.sample_count = round % 4 < 2 ? 1 : 4;
        memcpy(fixture.draw.viewport, viewports[round / 3 % 3], sizeof(viewports[0]));
        struct fixture_vertex vertices[8];
        for (int i = 0; i < 8; i++) {
            for (int k = 0; k < 4; k++) {
                vertices[i].position[k] = values[next_random(&random) % (round % 2 ? COUNT : 12)];
            }
            for (int k = 0; k < 8; k++) {
                vertices[i].values[k] = values[next_random(&random) % COUNT];
            }
        }
        fixture_set_vertices(&fixture, vertices, 8);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        for (uint32_t i = 0; i < fixture.primitive_count; i++) {
            const struct raster_primitive *primitive = fixture_get(&fixture, i);
            CHECK(primitive->left >= 0 && primitive->left < primitive->right);
            CHECK(primitive->top >= 0 && primitive->top < primitive->bottom);
            CHECK(primitive->right <= SIZE && primitive->bottom <= SIZE);
            // Sums of edges stay inside 64 bits, at any sample of the box.
            for (uint32_t e = 0; e < primitive->edge_count; e++) {
                double reach = fabs((double)primitive->edges[e].a) * SIZE * 256 +
                    fabs((double)primitive->edges[e].b) * SIZE * 256 +
                    fabs((double)primitive->edges[e].c);
                CHECK(reach < 9e18);
            }
        }
        fixture_finish(&fixture);
    }
}

CHECK_MAIN(triangles_are_clipped_by_the_volume, triangles_are_clipped_by_distances,
    unclipped_depth_clips_by_w_alone, linear_values_stay_linear_where_clipped,
    cut_edges_stay_shared, points_are_clipped_by_their_centres, lines_are_clipped_at_both_ends,
    no_position_breaks_anything)
