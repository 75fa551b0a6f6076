// SPDX-License-Identifier: MIT
//
// From vertices to primitives: coverage of random triangles against exact arithmetic, shared edges,
// facing and culling, the pixels of viewport and scissor, planes of depth and varyings, depth bias.

#include "primitive_fixture.h"

#define SIZE 64

static struct fixture_vertex at(double x, double y) {
    // Pixels of a target of SIZE x SIZE to clip space, w 1.
    return (struct fixture_vertex){
        .position = {(float)(x / SIZE * 2 - 1), (float)(1 - y / SIZE * 2), 0.5f, 1}};
}

// A point in 1/256 of a pixel.
struct fixed_point {
    int64_t x;
    int64_t y;
};

static int64_t side(struct fixed_point a, struct fixed_point b, struct fixed_point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// 1 inside, 0 outside, -1 on the boundary, where the rule decides.
static int classify(const struct fixed_point corners[3], struct fixed_point p) {
    int64_t sides[3];
    for (int i = 0; i < 3; i++) {
        sides[i] = side(corners[i], corners[(i + 1) % 3], p);
    }
    bool is_positive = side(corners[0], corners[1], corners[2]) > 0;
    bool is_inside = true;
    bool is_boundary = true;
    for (int i = 0; i < 3; i++) {
        int64_t inner = is_positive ? sides[i] : -sides[i];
        is_inside = is_inside && inner > 0;
        is_boundary = is_boundary && inner >= 0;
    }
    return is_inside ? 1 : is_boundary ? -1 : 0;
}

TEST(triangles_cover_what_arithmetic_says) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    uint64_t random = 1;
    uint64_t inside_count = 0;
    for (int round = 0; round < 2000; round++) {
        struct fixture_vertex vertices[3];
        struct fixed_point corners[3];
        // Multiples of 1/16 often, so that centres lie on edges; sometimes far outside.
        int64_t step = round % 2 == 0 ? 16 : 1;
        int64_t reach = round % 5 == 0 ? 200 * 256 : SIZE * 256;
        for (int i = 0; i < 3; i++) {
            corners[i].x = (int64_t)random_between(&random, -8 * 256, (double)reach) / step * step;
            corners[i].y = (int64_t)random_between(&random, -8 * 256, (double)reach) / step * step;
            if (round % 3 == 1 && i > 0) { // a few pixels, or less than one
                int64_t reach_near = round % 2 == 0 ? 700 : 250;
                corners[i].x = corners[0].x +
                    (int64_t)random_between(&random, 0, (double)reach_near) / step * step;
                corners[i].y = corners[0].y +
                    (int64_t)random_between(&random, 0, (double)reach_near) / step * step;
            }
            vertices[i] = at((double)corners[i].x / 256, (double)corners[i].y / 256);
        }
        fixture_set_vertices(&fixture, vertices, 3);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        if (!CHECK(fixture.primitive_count <= 1)) {
            break;
        }
        int64_t area = side(corners[0], corners[1], corners[2]);
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                struct fixed_point centre = {x * 256 + 128, y * 256 + 128};
                int wanted = area == 0 ? 0 : classify(corners, centre);
                bool is_drawn = fixture.primitive_count == 1 &&
                    primitive_draws(fixture_get(&fixture, 0), x, y);
                inside_count += is_drawn;
                if (wanted >= 0 && is_drawn != (wanted == 1)) {
                    CHECK_EQ(is_drawn, wanted == 1);
                }
            }
        }
    }
    CHECK(inside_count > 100000);
    fixture_finish(&fixture);
}

// A fan around a point covers its polygon once, whatever lies on its spokes.
TEST(shared_edges_are_drawn_once) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    uint64_t random = 7;
    for (int round = 0; round < 300; round++) {
        enum { SPOKES = 9 };
        struct fixture_vertex vertices[SPOKES * 3];
        double centre_x = 32 + (next_random(&random) % 65) / 8.0 - 4;
        double centre_y = 32 + (next_random(&random) % 65) / 8.0 - 4;
        double rim[SPOKES][2];
        for (int i = 0; i < SPOKES; i++) {
            double angle = i * 6.283185307179586 / SPOKES;
            double radius = random_between(&random, 60, 120);
            rim[i][0] = floor((centre_x + radius * cos(angle)) * 2) / 2;
            rim[i][1] = floor((centre_y + radius * sin(angle)) * 2) / 2;
        }
        for (int i = 0; i < SPOKES; i++) {
            int next = (i + 1) % SPOKES;
            bool turned = next_random(&random) % 2 != 0;
            vertices[i * 3] = at(centre_x, centre_y);
            vertices[i * 3 + 1] = at(rim[turned ? next : i][0], rim[turned ? next : i][1]);
            vertices[i * 3 + 2] = at(rim[turned ? i : next][0], rim[turned ? i : next][1]);
        }
        fixture_set_vertices(&fixture, vertices, SPOKES * 3);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        // The rim is at least 40 pixels away: everything within 30 of the centre is covered.
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                uint32_t count = 0;
                for (uint32_t i = 0; i < fixture.primitive_count; i++) {
                    count += primitive_draws(fixture_get(&fixture, i), x, y);
                }
                double dx = x + 0.5 - centre_x;
                double dy = y + 0.5 - centre_y;
                bool is_near = dx * dx + dy * dy < 30 * 30;
                if (is_near ? count != 1 : count > 1) {
                    CHECK_EQ(count, 1);
                }
            }
        }
    }
    CHECK(fixture.primitive_count > 0);
    fixture_finish(&fixture);
}

TEST(faces_are_culled_by_their_winding) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    // Counter-clockwise as seen: right, then up.
    struct fixture_vertex counter[3] = {at(10, 50), at(50, 50), at(50, 10)};
    struct fixture_vertex clockwise[3] = {at(10, 50), at(50, 10), at(50, 50)};
    static const WGPUCullMode culls[3] = {WGPUCullMode_None, WGPUCullMode_Front, WGPUCullMode_Back};
    for (int face = 0; face < 2; face++) {
        for (int cull = 0; cull < 3; cull++) {
            for (int winding = 0; winding < 2; winding++) {
                fixture.pipeline.state.front_face = face == 0 ? WGPUFrontFace_CCW
                                                              : WGPUFrontFace_CW;
                fixture.pipeline.state.cull_mode = culls[cull];
                fixture_set_vertices(&fixture, winding == 0 ? counter : clockwise, 3);
                CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
                bool is_front = face == winding;
                bool is_culled = culls[cull] == WGPUCullMode_Front ? is_front
                    : culls[cull] == WGPUCullMode_Back             ? !is_front
                                                                   : false;
                CHECK_EQ(fixture.primitive_count, is_culled ? 0 : 1);
                if (fixture.primitive_count == 1) {
                    CHECK_EQ(fixture_get(&fixture, 0)->is_front_facing, is_front);
                }
            }
        }
    }
    struct fixture_vertex flat[3] = {at(10, 10), at(20, 20), at(30, 30)};
    fixture_set_vertices(&fixture, flat, 3);
    fixture_draw(&fixture);
    CHECK_EQ(fixture.primitive_count, 0);
    fixture_finish(&fixture);
}

TEST(only_pixels_of_viewport_and_scissor_are_drawn) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    // Much more than the viewport.
    struct fixture_vertex vertices[3] = {
        {.position = {-3, -3, 0, 1}}, {.position = {9, -3, 0, 1}}, {.position = {-3, 9, 0, 1}}};
    fixture_set_vertices(&fixture, vertices, 3);
    static const float viewports[][4] = {{0, 0, 64, 64}, {8, 4, 16, 32}, {7.5f, 3.5f, 10, 10},
        {7.75f, 3.25f, 10, 10.5f}, {-20, -20, 40, 40}, {50, 50, 100, 100}, {3, 3, 0, 10}};
    static const uint32_t scissors[][4] = {
        {0, 0, 64, 64}, {10, 10, 4, 40}, {0, 0, 0, 0}, {60, 0, 4, 64}};
    for (size_t v = 0; v < sizeof(viewports) / sizeof(viewports[0]); v++) {
        for (size_t s = 0; s < sizeof(scissors) / sizeof(scissors[0]); s++) {
            memcpy(fixture.draw.viewport, viewports[v], sizeof(viewports[v]));
            memcpy(fixture.draw.scissor, scissors[s], sizeof(scissors[s]));
            CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
            uint32_t wrong = 0;
            for (int32_t y = 0; y < SIZE; y++) {
                for (int32_t x = 0; x < SIZE; x++) {
                    double px = x + 0.5;
                    double py = y + 0.5;
                    const float *port = viewports[v];
                    const uint32_t *scissor = scissors[s];
                    bool is_in_viewport = px >= (double)port[0] && py >= (double)port[1] &&
                        px < (double)port[0] + (double)port[2] &&
                        py < (double)port[1] + (double)port[3];
                    bool is_in_scissor = px > scissor[0] && py > scissor[1] &&
                        px < scissor[0] + scissor[2] && py < scissor[1] + scissor[3];
                    bool is_drawn = fixture.primitive_count == 1 &&
                        primitive_draws(fixture_get(&fixture, 0), x, y);
                    wrong += is_drawn != (is_in_viewport && is_in_scissor);
                }
            }
            CHECK_EQ(wrong, 0);
        }
    }
    fixture_finish(&fixture);
}

// ---------------------------------------------------------------- planes

TEST(planes_have_the_corners_values) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 4);
    fixture.varyings[1].interpolation = RASTER_LINEAR;
    fixture.varyings[3].interpolation = RASTER_FLAT;
    fixture.draw.depth_range[0] = 0.25f;
    fixture.draw.depth_range[1] = 0.75f;
    uint64_t random = 3;
    uint32_t count = 0;
    for (int round = 0; round < 3000; round++) {
        struct fixture_vertex vertices[3];
        double pixels[3][2];
        bool has_one_w = round % 4 == 0;
        for (int i = 0; i < 3; i++) {
            pixels[i][0] = floor(random_between(&random, 0, SIZE * 256)) / 256;
            pixels[i][1] = floor(random_between(&random, 0, SIZE * 256)) / 256;
            float w = (float)(has_one_w ? 3 : random_between(&random, 0.5, 20));
            vertices[i] = at(pixels[i][0], pixels[i][1]);
            vertices[i].position[2] = (float)random_between(&random, 0, 1);
            for (int k = 0; k < 4; k++) {
                vertices[i].position[k] *= w;
                vertices[i].values[k] = (float)random_between(&random, -100, 100);
            }
            vertices[i].values[2] = 5.3f;
            uint32_t bits = 0xfff00000u + (uint32_t)i; // not a number: bits must stay
            memcpy(&vertices[i].values[3], &bits, sizeof(bits));
        }
        fixture_set_vertices(&fixture, vertices, 3);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        double area = (pixels[1][0] - pixels[0][0]) * (pixels[2][1] - pixels[0][1]) -
            (pixels[2][0] - pixels[0][0]) * (pixels[1][1] - pixels[0][1]);
        if (fixture.primitive_count != 1 || fabs(area) < 50) {
            continue; // slivers' slopes are larger than what floats hold
        }
        count++;
        const struct raster_primitive *primitive = fixture_get(&fixture, 0);
        uint32_t flat = 0;
        memcpy(&flat, &primitive->varyings[3].base, sizeof(flat));
        CHECK_EQ(flat, 0xfff00000u);
        CHECK(primitive->varyings[2].dx == 0 && primitive->varyings[2].dy == 0);
        CHECK(primitive->varyings[2].base == 5.3f);
        if (has_one_w) {
            CHECK(primitive->inverse_w.dx == 0 && primitive->inverse_w.dy == 0);
        }
        // Slopes are rounded to floats, and count over at most SIZE pixels.
        const struct raster_plane *linear = &primitive->varyings[1];
        double linear_tolerance = 1e-5 +
            0x1p-24 * SIZE * (fabs((double)linear->dx) + fabs((double)linear->dy));
        for (int i = 0; i < 3; i++) {
            double x = pixels[i][0];
            double y = pixels[i][1];
            double w = (double)vertices[i].position[3];
            CHECK_NEAR(plane_at(primitive, &primitive->inverse_w, x, y), 1 / w, 3e-6);
            CHECK_NEAR(plane_at(primitive, &primitive->depth, x, y),
                0.25 + 0.5 * (double)vertices[i].position[2] / w, 1e-6);
            CHECK_NEAR(varying_at(primitive, 0, RASTER_PERSPECTIVE, x, y),
                (double)vertices[i].values[0], 5e-3);
            CHECK_NEAR(varying_at(primitive, 1, RASTER_LINEAR, x, y), (double)vertices[i].values[1],
                linear_tolerance);
        }
        // In the middle on the screen linear values are the mean, and perspective ones weigh by 1/w.
        double sum = 0;
        double weights = 0;
        double mean = 0;
        double x = 0;
        double y = 0;
        for (int i = 0; i < 3; i++) {
            double inverse_w = 1 / (double)vertices[i].position[3];
            sum += (double)vertices[i].values[0] * inverse_w;
            weights += inverse_w;
            mean += (double)vertices[i].values[1] / 3;
            x += pixels[i][0] / 3;
            y += pixels[i][1] / 3;
        }
        CHECK_NEAR(varying_at(primitive, 0, RASTER_PERSPECTIVE, x, y), sum / weights, 5e-3);
        CHECK_NEAR(varying_at(primitive, 1, RASTER_LINEAR, x, y), mean, linear_tolerance);
    }
    CHECK(count > 2000);
    fixture_finish(&fixture);
}

TEST(depth_is_biased_by_units_and_slope) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    // Depth from 0 at the left to 0.5 at the right: 1/128 a pixel; the greatest depth is 0.5.
    struct fixture_vertex vertices[3] = {at(0, 0), at(0, SIZE), at(SIZE, 0)};
    vertices[0].position[2] = 0;
    vertices[1].position[2] = 0;
    vertices[2].position[2] = 0.5f;
    fixture_set_vertices(&fixture, vertices, 3);
    struct {
        uint32_t format;
        int32_t bias;
        float slope_scale;
        float clamp;
        double wanted;
    } cases[] = {
        {WGPUTextureFormat_Depth32Float, 0, 0, 0, 0},
        {WGPUTextureFormat_Depth32Float, 1 << 20, 0, 0, 0x1p20 * 0x1p-24}, // 0.5 = 2^-1
        {WGPUTextureFormat_Depth16Unorm, 6553, 0, 0, 6553.0 / 65535},
        {WGPUTextureFormat_Depth16Unorm, -6553, 0, 0, -6553.0 / 65535},
        {WGPUTextureFormat_Depth32Float, 0, 2, 0, 2.0 / 128},
        {WGPUTextureFormat_Depth32Float, 0, -2, 0, -2.0 / 128},
        {WGPUTextureFormat_Depth32Float, 0, 20, 0.0625f, 0.0625},
        {WGPUTextureFormat_Depth32Float, 0, 2, 0.0625f, 2.0 / 128},
        {WGPUTextureFormat_Depth32Float, 0, -20, -0.0625f, -0.0625},
        {WGPUTextureFormat_Depth32Float, 0, 20, -0.0625f, 20.0 / 128},
        {WGPUTextureFormat_Depth16Unorm, 6553, 2, 0, 6553.0 / 65535 + 2.0 / 128},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fixture.pass.depth.format = cases[i].format;
        fixture.pipeline.state.depth_bias = cases[i].bias;
        fixture.pipeline.state.depth_bias_slope_scale = cases[i].slope_scale;
        fixture.pipeline.state.depth_bias_clamp = cases[i].clamp;
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        if (CHECK_EQ(fixture.primitive_count, 1)) {
            const struct raster_primitive *primitive = fixture_get(&fixture, 0);
            CHECK_NEAR(
                plane_at(primitive, &primitive->depth, 10, 5), 10.0 / 128 + cases[i].wanted, 1e-7);
        }
    }
    fixture_finish(&fixture);
}

CHECK_MAIN(triangles_cover_what_arithmetic_says, shared_edges_are_drawn_once,
    faces_are_culled_by_their_winding, only_pixels_of_viewport_and_scissor_are_drawn,
    planes_have_the_corners_values, depth_is_biased_by_units_and_slope)
