// SPDX-License-Identifier: MIT
//
// Lines against the diamond rule, exactly: which pixels, one of each column or row, the first drawn
// and the last not; strips that draw no pixel of a joint twice; lines of several samples; points.

#include "primitive_fixture.h"

#define SIZE 32

struct fixed_point {
    int64_t x;
    int64_t y;
};

static struct fixture_vertex at(struct fixed_point p) {
    return (struct fixture_vertex){.position = {(float)((double)p.x / 256 / SIZE * 2 - 1),
                                       (float)(1 - (double)p.y / 256 / SIZE * 2), 0.5f, 1}};
}

// Whether the line from a to b, cut where it ends, leaves the diamond of a pixel: |dx| + |dy| < 1/2
// around its centre. Exact: the line is tried at the parameters where it meets the diamond's sides.
static bool leaves_diamond(struct fixed_point a, struct fixed_point b, int32_t x, int32_t y) {
    struct fixed_point centre = {x * 256 + 128, y * 256 + 128};
    // Inside: s * (p - centre) < 128 for the four s = (+-1, +-1). p = a + t (b - a).
    double first = -INFINITY;
    double last = INFINITY;
    for (int i = 0; i < 4; i++) {
        int64_t sx = i % 2 != 0 ? 1 : -1;
        int64_t sy = i / 2 != 0 ? 1 : -1;
        int64_t start = sx * (a.x - centre.x) + sy * (a.y - centre.y) - 128;
        int64_t slope = sx * (b.x - a.x) + sy * (b.y - a.y);
        if (slope == 0) {
            if (start >= 0) {
                return false;
            }
            continue;
        }
        double cut = -(double)start / (double)slope;
        if (slope > 0) {
            last = cut < last ? cut : last;
        } else {
            first = cut > first ? cut : first;
        }
    }
    // It is inside for t in (first, last): it must be so somewhere in [0, 1], and no more at 1.
    return first < last && last > 0 && first < 1 && last <= 1;
}

static uint32_t count_drawn(const struct raster_fixture *fixture, int32_t x, int32_t y) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < fixture->primitive_count; i++) {
        count += primitive_draws(fixture_get(fixture, i), x, y);
    }
    return count;
}

static bool is_corner_case(struct fixed_point a, struct fixed_point b, int32_t x, int32_t y) {
    // Where the line meets a corner of the diamond, or runs along a side, either may be right.
    static const int32_t corners[4][2] = {{0, -128}, {0, 128}, {-128, 0}, {128, 0}};
    for (int i = 0; i < 4; i++) {
        int64_t px = x * 256 + 128 + corners[i][0];
        int64_t py = y * 256 + 128 + corners[i][1];
        if ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x) == 0) {
            return true;
        }
    }
    return false;
}

TEST(lines_follow_the_diamond_rule) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_LineList;
    uint64_t random = 17;
    uint32_t drawn = 0;
    uint32_t corner_cases = 0;
    for (int round = 0; round < 1500; round++) {
        struct fixed_point ends[2];
        for (int i = 0; i < 2; i++) {
            ends[i].x = next_random(&random) % (SIZE * 256);
            ends[i].y = next_random(&random) % (SIZE * 256);
        }
        if (round % 3 == 0) { // short ones
            ends[1].x = ends[0].x + (int64_t)(next_random(&random) % 600) - 300;
            ends[1].y = ends[0].y + (int64_t)(next_random(&random) % 600) - 300;
        }
        struct fixture_vertex vertices[2] = {at(ends[0]), at(ends[1])};
        fixture_set_vertices(&fixture, vertices, 2);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                bool wanted = leaves_diamond(ends[0], ends[1], x, y);
                uint32_t count = count_drawn(&fixture, x, y);
                drawn += count;
                if (is_corner_case(ends[0], ends[1], x, y)) {
                    corner_cases++;
                } else if (count != wanted) {
                    CHECK_EQ(count, wanted);
                }
            }
        }
    }
    CHECK(drawn > 10000);
    CHECK(corner_cases < drawn / 20);
    fixture_finish(&fixture);
}

// From centre to centre: one pixel a step of the longer axis, the first drawn, the last not.
TEST(lines_between_centres_have_their_length) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_LineList;
    for (int32_t to_y = 0; to_y < SIZE; to_y += 3) {
        for (int32_t to_x = 0; to_x < SIZE; to_x++) {
            struct fixed_point from = {16 * 256 + 128, 16 * 256 + 128};
            struct fixed_point to = {to_x * 256 + 128, to_y * 256 + 128};
            struct fixture_vertex vertices[2] = {at(from), at(to)};
            fixture_set_vertices(&fixture, vertices, 2);
            fixture_draw(&fixture);
            uint32_t total = 0;
            for (int32_t y = 0; y < SIZE; y++) {
                for (int32_t x = 0; x < SIZE; x++) {
                    total += count_drawn(&fixture, x, y);
                }
            }
            int32_t dx = abs(to_x - 16);
            int32_t dy = abs(to_y - 16);
            CHECK_EQ(total, dx > dy ? dx : dy);
            CHECK_EQ(count_drawn(&fixture, to_x, to_y), 0);
            if (dx != 0 || dy != 0) {
                CHECK_EQ(count_drawn(&fixture, 16, 16), 1);
            }
        }
    }
    fixture_finish(&fixture);
}

TEST(strips_draw_no_joint_twice) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_LineStrip;
    uint64_t random = 23;
    for (int round = 0; round < 500; round++) {
        // Never back: each step goes right by more than it goes up or down.
        enum { POINTS = 6 };
        struct fixture_vertex vertices[POINTS];
        struct fixed_point point = {next_random(&random) % 512, 16 * 256};
        int64_t first = point.x;
        for (int i = 0; i < POINTS; i++) {
            vertices[i] = at(point);
            int64_t step = 100 + next_random(&random) % 1200;
            point.x += i + 1 < POINTS ? step : 0;
            point.y += (int64_t)(next_random(&random) % (uint32_t)(2 * step)) - step;
            point.y = point.y < 256 ? 256 : point.y > 31 * 256 ? 31 * 256 : point.y;
        }
        fixture_set_vertices(&fixture, vertices, POINTS);
        fixture_draw(&fixture);
        for (int32_t x = 0; x < SIZE; x++) {
            uint32_t in_column = 0;
            for (int32_t y = 0; y < SIZE; y++) {
                in_column += count_drawn(&fixture, x, y);
            }
            bool is_between = x * 256 > first && x * 256 + 256 < point.x;
            if (is_between ? in_column != 1 : in_column > 1) {
                CHECK_EQ(in_column, is_between);
            }
        }
    }
    fixture_finish(&fixture);
}

// Several samples: a parallelogram a pixel high from one end to the other.
TEST(lines_of_several_samples_are_parallelograms) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 0);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_LineList;
    fixture.pass.sample_count = 4;
    static const int32_t samples[4][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};
    uint64_t random = 29;
    uint32_t drawn = 0;
    for (int round = 0; round < 400; round++) {
        struct fixed_point a = {
            next_random(&random) % (SIZE * 256), next_random(&random) % (SIZE * 256)};
        struct fixed_point b = {
            next_random(&random) % (SIZE * 256), next_random(&random) % (SIZE * 256)};
        struct fixture_vertex vertices[2] = {at(a), at(b)};
        fixture_set_vertices(&fixture, vertices, 2);
        fixture_draw(&fixture);
        bool is_x_major = llabs(b.x - a.x) >= llabs(b.y - a.y);
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                for (int s = 0; s < 4; s++) {
                    int64_t px = x * 256 + samples[s][0];
                    int64_t py = y * 256 + samples[s][1];
                    double along = is_x_major ? (double)(px - a.x) / (double)(b.x - a.x)
                                              : (double)(py - a.y) / (double)(b.y - a.y);
                    double across = is_x_major
                        ? (double)py - ((double)a.y + along * (double)(b.y - a.y))
                        : (double)px - ((double)a.x + along * (double)(b.x - a.x));
                    bool wanted = along >= 0 && along < 1 && across >= -128 && across < 128;
                    bool is_unsure = fabs(fabs(across) - 128) < 1e-6;
                    bool is_drawn = false;
                    for (uint32_t i = 0; i < fixture.primitive_count; i++) {
                        const struct raster_primitive *line = fixture_get(&fixture, i);
                        is_drawn = x >= line->left && x < line->right && y >= line->top &&
                            y < line->bottom && primitive_covers(line, px, py);
                    }
                    drawn += is_drawn;
                    if (!is_unsure && is_drawn != wanted) {
                        CHECK_EQ(is_drawn, wanted);
                    }
                }
            }
        }
    }
    CHECK(drawn > 10000);
    fixture_finish(&fixture);
}

// Values along the line, whichever way it runs; the last end's at the last end.
TEST(values_run_along_the_line) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 1);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_LineList;
    uint64_t random = 31;
    for (int round = 0; round < 300; round++) {
        struct fixed_point ends[2];
        struct fixture_vertex vertices[2];
        for (int i = 0; i < 2; i++) {
            ends[i].x = next_random(&random) % (SIZE * 256);
            ends[i].y = next_random(&random) % (SIZE * 256);
            vertices[i] = at(ends[i]);
            vertices[i].values[0] = (float)random_between(&random, -5, 5);
            vertices[i].position[2] = (float)random_between(&random, 0, 1);
        }
        fixture_set_vertices(&fixture, vertices, 2);
        fixture_draw(&fixture);
        if (fixture.primitive_count != 1 ||
            llabs(ends[1].x - ends[0].x) + llabs(ends[1].y - ends[0].y) < 1024) {
            continue;
        }
        const struct raster_primitive *line = fixture_get(&fixture, 0);
        CHECK(line->is_front_facing);
        for (int i = 0; i < 2; i++) {
            double x = (double)ends[i].x / 256;
            double y = (double)ends[i].y / 256;
            CHECK_NEAR(
                varying_at(line, 0, RASTER_PERSPECTIVE, x, y), (double)vertices[i].values[0], 1e-4);
            CHECK_NEAR(plane_at(line, &line->depth, x, y), (double)vertices[i].position[2], 1e-5);
        }
    }
    fixture_finish(&fixture);
}

TEST(points_are_the_pixel_they_lie_in) {
    struct raster_fixture fixture;
    fixture_init(&fixture, 1, SIZE, SIZE, 1);
    fixture.pipeline.state.topology = WGPUPrimitiveTopology_PointList;
    uint64_t random = 37;
    for (int round = 0; round < 400; round++) {
        fixture.pass.sample_count = round % 2 == 0 ? 1 : 4;
        struct fixed_point point = {
            next_random(&random) % (SIZE * 256), next_random(&random) % (SIZE * 256)};
        if (round % 3 == 0) {
            point.x = point.x / 128 * 128;
            point.y = point.y / 128 * 128;
        }
        struct fixture_vertex vertex = at(point);
        vertex.values[0] = 0.7f;
        fixture_set_vertices(&fixture, &vertex, 1);
        fixture_draw(&fixture);
        if (!CHECK_EQ(fixture.primitive_count, 1)) {
            continue;
        }
        const struct raster_primitive *primitive = fixture_get(&fixture, 0);
        CHECK_EQ(primitive->left, point.x / 256);
        CHECK_EQ(primitive->right, point.x / 256 + 1);
        CHECK_EQ(primitive->top, point.y / 256);
        CHECK_EQ(primitive->bottom, point.y / 256 + 1);
        CHECK(varying_at(primitive, 0, RASTER_PERSPECTIVE, 3, 4) == (double)0.7f);
        CHECK_EQ(primitive->edge_count, 0); // all samples of the pixel
    }
    fixture_finish(&fixture);
}

CHECK_MAIN(lines_follow_the_diamond_rule, lines_between_centres_have_their_length,
    strips_draw_no_joint_twice, lines_of_several_samples_are_parallelograms,
    values_run_along_the_line, points_are_the_pixel_they_lie_in)
