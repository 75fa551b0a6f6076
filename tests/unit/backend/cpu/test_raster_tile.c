// SPDX-License-Identifier: MIT
//
// From primitives to fragments: coverage against a look at every sample in plain arithmetic, masks,
// interpolated inputs against double arithmetic, helper lanes, how batches are filled, the order of
// primitives, threads, failing memory. Fragment kernels are functions in C.
#include "raster_fixture.h"

// ---------------------------------------------------------------- coverage

// What a kernel counted: how often each sample of each pixel came by.
struct count_record {
    uint32_t width;
    uint32_t sample_count;
    uint32_t position_word;
    uint32_t mask_word;
    uint8_t *counts;
    atomic_uint batch_count;
    atomic_uint lane_count;
    atomic_uint wrong_count; // helper lanes with samples, or the reverse
};

static void count_samples(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
    void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    (void)progress;
    struct count_record *record = (struct count_record *)(uintptr_t)dispatch->immediates;
    for (uint64_t i = first; i < end; i++) {
        const struct jit_batch *batch = &dispatch->batches[i];
        atomic_fetch_add(&record->batch_count, 1);
        atomic_fetch_add(&record->lane_count, batch->lane_count);
        for (uint32_t lane = 0; lane < batch->lane_count; lane++) {
            uint32_t x = (uint32_t)fixture_input_f32(batch, record->position_word, lane);
            uint32_t y = (uint32_t)fixture_input_f32(batch, record->position_word + 1, lane);
            uint32_t mask = fixture_input(batch, record->mask_word, lane);
            if ((mask != 0) != (batch->live >> lane & 1)) {
                atomic_fetch_add(&record->wrong_count, 1);
            }
            for (uint32_t sample = 0; sample < record->sample_count; sample++) {
                if ((mask >> sample & 1) != 0) {
                    record->counts[(y * record->width + x) * record->sample_count + sample]++;
                }
            }
        }
    }
}

static const int32_t one_sample[1][2] = {{128, 128}};
static const int32_t four_samples[4][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};

// Adds 1 for each sample of the primitive.
static void add_reference(const struct raster_fixture *fixture,
    const struct raster_primitive *primitive, uint8_t *counts) {
    uint32_t sample_count = fixture->pass.sample_count;
    for (int32_t y = primitive->top; y < primitive->bottom; y++) {
        for (int32_t x = primitive->left; x < primitive->right; x++) {
            for (uint32_t sample = 0; sample < sample_count; sample++) {
                const int32_t *place = sample_count == 1 ? one_sample[0] : four_samples[sample];
                bool is_inside = true;
                for (uint32_t i = 0; i < primitive->edge_count; i++) {
                    const struct raster_edge *edge = &primitive->edges[i];
                    is_inside = is_inside &&
                        edge->a * ((int64_t)x * 256 + place[0]) +
                                edge->b * ((int64_t)y * 256 + place[1]) + edge->c >=
                            0;
                }
                counts[((uint32_t)y * fixture->pass.width + (uint32_t)x) * sample_count + sample] +=
                    is_inside;
            }
        }
    }
}

static struct fixture_corner corner_at(double x, double y) {
    return (struct fixture_corner){
        .x = (double)fixture_fixed(x) / 256, .y = (double)fixture_fixed(y) / 256, .w = 1};
}

// Random triangles of a size, some lying on pixel corners and sample positions.
static void check_coverage(uint32_t sample_count, double size, uint32_t count, uint32_t threads) {
    struct raster_fixture fixture;
    struct count_record record = {.width = 150, .sample_count = sample_count};
    const uint32_t height = 141;
    if (!fixture_open(
            &fixture, threads, record.width, height, sample_count, count_samples, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    size_t bytes = (size_t)record.width * height * sample_count;
    record.counts = calloc(1, bytes);
    uint8_t *expected = calloc(1, bytes);
    uint32_t state = (uint32_t)(size * 16) + sample_count;
    for (uint32_t i = 0; i < count; i++) {
        double x = fixture_random(&state) % 190 - 20.0;
        double y = fixture_random(&state) % 180 - 20.0;
        double grid = i % 3 == 0 ? 1 : i % 3 == 1 ? 0.125 : 1.0 / 256;
        struct fixture_corner corners[3];
        for (uint32_t k = 0; k < 3; k++) {
            double u = (fixture_random(&state) % 4096 / 4096.0 - 0.5) * size;
            double v = (fixture_random(&state) % 4096 / 4096.0 - 0.5) * size;
            corners[k] = corner_at(floor((x + u) / grid) * grid, floor((y + v) / grid) * grid);
        }
        const struct raster_primitive *primitive = fixture_triangle(&fixture, corners);
        if (primitive != NULL) {
            add_reference(&fixture, primitive, expected);
        }
    }
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_BYTES(record.counts, expected, bytes);
    CHECK_EQ(record.wrong_count, 0);
    CHECK(record.batch_count != 0);
    free(record.counts);
    free(expected);
    fixture_close(&fixture);
}

TEST(coverage_is_exact_with_one_sample) {
    check_coverage(1, 1.5, 250, 1);
    check_coverage(1, 12, 250, 1);
    check_coverage(1, 100, 200, 2);
    check_coverage(1, 900, 200, 3);
    check_coverage(1, 60000, 200, 1);
}

TEST(coverage_is_exact_with_four_samples) {
    check_coverage(4, 1.5, 250, 1);
    check_coverage(4, 12, 250, 2);
    check_coverage(4, 100, 200, 1);
    check_coverage(4, 900, 200, 3);
    check_coverage(4, 60000, 200, 1);
}

// Two triangles that share an edge leave no gap and touch no sample twice.
TEST(shared_edges_are_drawn_once) {
    struct raster_fixture fixture;
    struct count_record record = {.width = 96, .sample_count = 4};
    if (!fixture_open(&fixture, 1, 96, 96, 4, count_samples, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    record.counts = calloc(96 * 96, 4);
    // A fan around a point that is a sample's.
    const struct fixture_corner centre = corner_at(40.375, 50.125);
    const struct fixture_corner around[6] = {corner_at(0, 0), corner_at(96, 0),
        corner_at(96, 50.125), corner_at(96, 96), corner_at(40.375, 96), corner_at(0, 96)};
    for (uint32_t i = 0; i < 6; i++) {
        const struct fixture_corner corners[3] = {centre, around[i], around[(i + 1) % 6]};
        fixture_triangle(&fixture, corners);
    }
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    uint32_t other_count = 0;
    for (uint32_t i = 0; i < 96 * 96 * 4; i++) {
        other_count += record.counts[i] != 1;
    }
    CHECK_EQ(other_count, 0);
    free(record.counts);
    fixture_close(&fixture);
}

// The rectangle of a primitive, which has the scissor rectangle in it, cuts at any pixel.
TEST(rectangles_cut_at_any_pixel) {
    struct raster_fixture fixture;
    struct count_record record = {.width = 80, .sample_count = 1};
    if (!fixture_open(&fixture, 1, 80, 80, 1, count_samples, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    record.counts = calloc(80 * 80, 1);
    uint8_t expected[80 * 80] = {0};
    const struct fixture_corner corners[3] = {
        corner_at(-200, -200), corner_at(400, -200), corner_at(-200, 400)};
    for (int32_t i = 0; i < 80; i++) {
        struct raster_primitive *primitive = fixture_triangle(&fixture, corners);
        primitive->left = i * 7 % 70;
        primitive->right = primitive->left + 1 + i % 11;
        primitive->top = i * 5 % 60;
        primitive->bottom = primitive->top + 1 + i * 3 % 19;
        add_reference(&fixture, primitive, expected);
    }
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_BYTES(record.counts, expected, sizeof(expected));
    free(record.counts);
    fixture_close(&fixture);
}

// ---------------------------------------------------------------- batches

TEST(quads_of_many_primitives_share_a_batch) {
    struct raster_fixture fixture;
    struct count_record record = {.width = 64, .sample_count = 1};
    if (!fixture_open(&fixture, 1, 64, 64, 1, count_samples, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    record.counts = calloc(64 * 64, 1);
    // One pixel each.
    for (uint32_t i = 0; i < 100; i++) {
        double x = i % 32 * 2;
        double y = i / 32 * 2;
        const struct fixture_corner corners[3] = {
            corner_at(x, y), corner_at(x + 1, y), corner_at(x, y + 1.125)};
        fixture_triangle(&fixture, corners);
    }
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(record.lane_count, 400);
    CHECK_EQ(record.batch_count, 7); // of 16 quads
    CHECK_EQ(record.wrong_count, 0);
    free(record.counts);
    fixture_close(&fixture);
}

TEST(whole_blocks_fill_batches) {
    struct raster_fixture fixture;
    struct count_record record = {.width = 128, .sample_count = 1};
    if (!fixture_open(&fixture, 1, 128, 64, 1, count_samples, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    record.counts = calloc(128 * 64, 1);
    const struct fixture_corner corners[3] = {
        corner_at(0, 0), corner_at(300, 0), corner_at(0, 300)};
    fixture_triangle(&fixture, corners);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(record.lane_count, 128 * 64);
    CHECK_EQ(record.batch_count, 128);
    free(record.counts);
    fixture_close(&fixture);
}

// ---------------------------------------------------------------- inputs

#define INPUT_VARYINGS 7

struct input_record {
    struct raster_fixture *fixture;
    struct fixture_corner corners[3];
    uint32_t position_word;
    uint32_t index_word;
    uint32_t facing_word;
    uint32_t primitive_word;
    uint32_t words[INPUT_VARYINGS];
    uint8_t *seen; // by pixel and sample
    double worst;  // relative error
    uint32_t wrong_count;
    uint32_t helper_count;
};

// A value of the corners at a point, by barycentric coordinates.
static double interpolate(const struct input_record *record, double x, double y,
    const double values[3], bool is_perspective) {
    const struct fixture_corner *corners = record->corners;
    double weights[3];
    double sum = 0;
    double result = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const struct fixture_corner *p = &corners[(i + 1) % 3];
        const struct fixture_corner *q = &corners[(i + 2) % 3];
        weights[i] = (p->x - x) * (q->y - y) - (q->x - x) * (p->y - y);
        weights[i] /= is_perspective ? corners[i].w : 1;
        sum += weights[i];
    }
    for (uint32_t i = 0; i < 3; i++) {
        result += weights[i] / sum * values[i];
    }
    return result;
}

static void compare(struct input_record *record, double actual, double expected) {
    double error = fabs(actual - expected) / fmax(1, fabs(expected));
    record->worst = fmax(record->worst, error);
}

static double values_of(const struct input_record *record, uint32_t varying, double x, double y) {
    double values[3];
    for (uint32_t i = 0; i < 3; i++) {
        values[i] = record->corners[i].values[varying];
    }
    uint8_t interpolation = record->fixture->varyings[varying].interpolation;
    return interpolation == 2 ? values[0] : interpolate(record, x, y, values, interpolation == 0);
}

static void check_lane(struct input_record *record, const struct jit_batch *batch, uint32_t lane) {
    const struct raster_fixture *fixture = record->fixture;
    double x = fixture_input_f32(batch, record->position_word, lane);
    double y = fixture_input_f32(batch, record->position_word + 1, lane);
    uint32_t sample = fixture_input(batch, record->index_word, lane);
    bool is_live = (batch->live >> lane & 1) != 0;
    record->helper_count += !is_live;
    record->wrong_count += x - floor(x) != 0.5 || y - floor(y) != 0.5;
    record->wrong_count += fixture_input(batch, record->facing_word, lane) != 1;
    record->wrong_count += fixture_input(batch, record->primitive_word, lane) != 0;
    // Quads are quads.
    double x0 = fixture_input_f32(batch, record->position_word, lane / 4 * 4);
    double y0 = fixture_input_f32(batch, record->position_word + 1, lane / 4 * 4);
    record->wrong_count += x != x0 + lane % 2 || y != y0 + lane / 2 % 2;
    uint32_t sample_count = fixture->pass.sample_count;
    if (is_live) {
        uint32_t pixel = (uint32_t)y * fixture->pass.width + (uint32_t)x;
        record->seen[pixel * sample_count + sample]++;
    }
    double depths[3] = {
        record->corners[0].depth, record->corners[1].depth, record->corners[2].depth};
    double inverses[3];
    for (uint32_t i = 0; i < 3; i++) {
        inverses[i] = 1 / record->corners[i].w;
    }
    compare(record, fixture_input_f32(batch, record->position_word + 2, lane),
        interpolate(record, x, y, depths, false));
    compare(record, fixture_input_f32(batch, record->position_word + 3, lane),
        interpolate(record, x, y, inverses, false));
    const int32_t *place = sample_count == 1 ? one_sample[0] : four_samples[sample];
    for (uint32_t i = 0; i < INPUT_VARYINGS; i++) {
        bool is_sample = fixture->varyings[i].sampling == 2;
        double u = is_sample ? floor(x) + place[0] / 256.0 : x;
        double v = is_sample ? floor(y) + place[1] / 256.0 : y;
        if (fixture->varyings[i].sampling != 1) {
            compare(record, fixture_input_f32(batch, record->words[i], lane),
                values_of(record, i, u, v));
        }
    }
}

static void check_inputs(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
    void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    (void)progress;
    struct input_record *record = (struct input_record *)(uintptr_t)dispatch->immediates;
    for (uint64_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < dispatch->batches[i].lane_count; lane++) {
            check_lane(record, &dispatch->batches[i], lane);
        }
    }
}

static void check_interpolation(uint32_t sample_count, bool is_sample_shaded) {
    struct raster_fixture fixture;
    struct input_record record = {.fixture = &fixture};
    if (!fixture_open(&fixture, 1, 70, 66, sample_count, check_inputs, &record)) {
        return;
    }
    fixture.pipeline.is_sample_shaded = is_sample_shaded;
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.facing_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRONT_FACING, 1);
    record.words[0] = fixture_varying(&fixture, 0, 0);
    record.words[1] = fixture_varying(&fixture, 1, 0);
    record.words[2] = fixture_varying(&fixture, 2, 3);
    record.words[3] = fixture_varying(&fixture, 0, is_sample_shaded ? 2 : 0);
    record.words[4] = fixture_varying(&fixture, 1, is_sample_shaded ? 2 : 0);
    record.words[5] = fixture_varying(&fixture, 0, 1);
    record.words[6] = fixture_varying(&fixture, 0, 0);
    record.index_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_INDEX, 1);
    record.primitive_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_PRIMITIVE_INDEX, 1);
    size_t bytes = 70 * 66 * (size_t)sample_count;
    record.seen = calloc(1, bytes);
    struct fixture_corner corners[3] = {
        {.x = 3.25, .y = 1.5, .depth = 0.25, .w = 1, .values = {1, -2, 3, 4, 5, 6, 0.5}},
        {.x = 66, .y = 9.75, .depth = 0.5, .w = 3, .values = {7, 8, 9, -10, 11, 12, 0.5}},
        {.x = 20.125, .y = 64, .depth = 1, .w = 0.5, .values = {-1, 1, 4, 5, 6, 7, 0.5}}};
    memcpy(record.corners, corners, sizeof(corners));
    struct raster_primitive *primitive = fixture_triangle(&fixture, corners);
    // A constant is the value itself.
    primitive->varyings[6] = (struct raster_plane){.base = 0.5f};
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK(record.worst < 4e-6);
    CHECK_EQ(record.wrong_count, 0);
    CHECK(record.helper_count > 0);
    uint8_t *expected = calloc(1, bytes);
    add_reference(&fixture, primitive, expected);
    uint32_t different = 0;
    for (uint32_t pixel = 0; pixel < 70 * 66; pixel++) {
        uint32_t any = 0;
        for (uint32_t sample = 0; sample < sample_count; sample++) {
            uint32_t at = pixel * sample_count + sample;
            any |= expected[at];
            different += is_sample_shaded && record.seen[at] != expected[at];
        }
        different += !is_sample_shaded && record.seen[pixel * sample_count] != any;
    }
    CHECK_EQ(different, 0);
    free(expected);
    free(record.seen);
    fixture_close(&fixture);
}

TEST(inputs_of_pixels) {
    check_interpolation(1, false);
    check_interpolation(4, false);
}

TEST(inputs_of_samples) {
    check_interpolation(4, true);
    check_interpolation(1, true);
}

// ---------------------------------------------------------------- centroid

struct centroid_record {
    uint32_t position_word;
    uint32_t mask_word;
    uint32_t words[2]; // x and y, at the centroid
    uint32_t partial_count;
    uint32_t wrong_count;
};

static void check_centroids(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
    void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    (void)progress;
    (void)first;
    (void)end;
    struct centroid_record *record = (struct centroid_record *)(uintptr_t)dispatch->immediates;
    const struct jit_batch *batch = dispatch->batches;
    for (uint32_t lane = 0; lane < batch->lane_count; lane++) {
        if ((batch->live >> lane & 1) == 0) {
            continue;
        }
        uint32_t mask = fixture_input(batch, record->mask_word, lane);
        double x = fixture_input_f32(batch, record->position_word, lane);
        double y = fixture_input_f32(batch, record->position_word + 1, lane);
        double u = fixture_input_f32(batch, record->words[0], lane) - x;
        double v = fixture_input_f32(batch, record->words[1], lane) - y;
        bool is_right = mask == 15 && fabs(u) < 1e-5 && fabs(v) < 1e-5;
        for (uint32_t sample = 0; mask != 15 && sample < 4; sample++) {
            is_right = is_right ||
                ((mask >> sample & 1) != 0 &&
                    fabs(u - four_samples[sample][0] / 256.0 + 0.5) < 1e-5 &&
                    fabs(v - four_samples[sample][1] / 256.0 + 0.5) < 1e-5);
        }
        record->partial_count += mask != 15;
        record->wrong_count += !is_right;
    }
}

TEST(centroids_are_covered) {
    struct raster_fixture fixture;
    struct centroid_record record = {0};
    if (!fixture_open(&fixture, 1, 32, 32, 4, check_centroids, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    record.words[0] = fixture_varying(&fixture, 1, 1);
    record.words[1] = fixture_varying(&fixture, 0, 1);
    struct fixture_corner corners[3] = {corner_at(1, 2), corner_at(31, 5), corner_at(7, 29)};
    for (uint32_t i = 0; i < 3; i++) {
        corners[i].values[0] = corners[i].x;
        corners[i].values[1] = corners[i].y;
    }
    fixture_triangle(&fixture, corners);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(record.wrong_count, 0);
    CHECK(record.partial_count > 20);
    fixture_close(&fixture);
}

// ---------------------------------------------------------------- into attachments

// Colors of a primitive's own, some translucent; discards some pixels.
struct paint_record {
    uint32_t position_word;
    uint32_t primitive_word;
    uint32_t color_word;
    bool may_discard;
};

static bool is_discarded(uint32_t primitive, uint32_t x, uint32_t y) {
    return (x + y + primitive) % 7 == 0;
}
static float color_of(uint32_t primitive, uint32_t component) {
    return (float)((primitive * 37 + component * 101) % 256) / 255.0f;
}

static void paint(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end, void *scratch,
    _Atomic uint64_t *progress) {
    (void)scratch;
    (void)progress;
    const struct paint_record *record = dispatch->immediates;
    for (uint64_t i = first; i < end; i++) {
        struct jit_batch *batch = &dispatch->batches[i];
        for (uint32_t lane = 0; lane < batch->lane_count; lane++) {
            uint32_t primitive = fixture_input(batch, record->primitive_word, lane);
            for (uint32_t k = 0; k < 4; k++) {
                fixture_output_f32(batch, record->color_word + k, lane, color_of(primitive, k));
            }
            uint32_t x = (uint32_t)fixture_input_f32(batch, record->position_word, lane);
            uint32_t y = (uint32_t)fixture_input_f32(batch, record->position_word + 1, lane);
            if (record->may_discard && is_discarded(primitive, x, y)) {
                batch->live &= ~((uint64_t)1 << lane);
            }
        }
    }
}

static bool open_painting(struct raster_fixture *fixture, struct paint_record *record,
    uint32_t threads, uint32_t size, uint32_t sample_count) {
    if (!fixture_open(fixture, threads, size, size, sample_count, paint, record)) {
        return false;
    }
    record->position_word = fixture_builtin(fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record->primitive_word = fixture_builtin(fixture, false, BUILTIN_VALUE_PRIMITIVE_INDEX, 1);
    record->color_word = fixture_color(fixture, WGPUTextureFormat_RGBA32Float, 16);
    return true;
}

static void add_random_triangles(struct raster_fixture *fixture, uint32_t count, double size) {
    uint32_t state = count;
    for (uint32_t i = 0; i < count; i++) {
        double x = fixture_random(&state) % fixture->pass.width;
        double y = fixture_random(&state) % fixture->pass.height;
        struct fixture_corner corners[3];
        for (uint32_t k = 0; k < 3; k++) {
            double u = (fixture_random(&state) % 4096 / 4096.0 - 0.5) * size;
            double v = (fixture_random(&state) % 4096 / 4096.0 - 0.5) * size;
            corners[k] = corner_at(x + u, y + v);
            corners[k].depth = fixture_random(&state) % 1000 / 1000.0;
        }
        fixture_triangle(fixture, corners);
    }
}

// Each pixel has the color of the last primitive that was not discarded and, with depth, the
// nearest of them.
static void check_painting(
    uint32_t sample_count, uint32_t threads, bool has_depth, bool may_discard, bool is_early) {
    struct raster_fixture fixture;
    struct paint_record record = {.may_discard = may_discard};
    const uint32_t size = 133;
    if (!open_painting(&fixture, &record, threads, size, sample_count)) {
        return;
    }
    fixture.pipeline.has_early_tests = is_early;
    if (has_depth) {
        fixture_depth(&fixture);
    }
    add_random_triangles(&fixture, 300, 60);
    _Atomic uint64_t passed = 0;
    fixture.pass.passed_samples = &passed;
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);

    size_t sample_total = (size_t)size * size * sample_count;
    float *depths = calloc(sample_total, sizeof(float));
    uint32_t *winners = calloc(sample_total, sizeof(uint32_t));
    uint8_t *covered = malloc(sample_total);
    uint64_t expected_passed = 0;
    for (size_t i = 0; i < sample_total; i++) {
        depths[i] = 1;
    }
    for (uint32_t p = 0; p < fixture.primitive_count; p++) {
        const struct raster_primitive *primitive = (const void *)(fixture.primitives +
            p * raster_primitive_bytes(0));
        memset(covered, 0, sample_total);
        add_reference(&fixture, primitive, covered);
        for (size_t i = 0; i < sample_total; i++) {
            uint32_t x = (uint32_t)(i / sample_count % size);
            uint32_t y = (uint32_t)(i / sample_count / size);
            if (covered[i] == 0 || (may_discard && is_discarded(p, x, y))) {
                continue;
            }
            const int32_t *place = sample_count == 1 ? one_sample[0]
                                                     : four_samples[i % sample_count];
            float dx = (float)x + (float)place[0] / 256 - primitive->x0;
            float dy = (float)y + (float)place[1] / 256 - primitive->y0;
            float depth = primitive->depth.base + primitive->depth.dx * dx +
                primitive->depth.dy * dy;
            depth = fminf(fmaxf(depth, 0), 1);
            if (has_depth && !(depth < depths[i])) {
                continue;
            }
            depths[i] = depth;
            winners[i] = p + 1;
            expected_passed++;
        }
    }
    uint32_t different = 0;
    uint32_t different_depths = 0;
    for (size_t i = 0; i < sample_total; i++) {
        const float *color = (const float *)(const void *)fixture.pass.colors[0].data + 4 * i;
        for (uint32_t k = 0; k < 4; k++) {
            float expected = winners[i] == 0 ? 0 : color_of(winners[i] - 1, k);
            different += color[k] != expected;
        }
        if (has_depth) {
            const float *depth = (const float *)(const void *)fixture.pass.depth.data + i;
            different_depths += !(fabsf(*depth - depths[i]) <= 1e-6f);
        }
    }
    // Depths that are equal but for rounding may be decided either way.
    CHECK(different <= (has_depth ? 8u : 0u));
    CHECK_EQ(different_depths, 0);
    CHECK_NEAR((double)passed, (double)expected_passed, has_depth ? 4 : 0);
    free(depths);
    free(winners);
    free(covered);
    fixture_close(&fixture);
}

TEST(later_primitives_win) {
    check_painting(1, 1, false, false, true);
    check_painting(4, 3, false, false, true);
    check_painting(1, 2, false, true, false);
}

TEST(nearer_primitives_win) {
    check_painting(1, 1, true, false, true);
    check_painting(4, 2, true, false, true);
    check_painting(4, 1, true, false, false);
}

TEST(discarded_fragments_leave_depth_and_counts_alone) {
    check_painting(1, 1, true, true, false);
    check_painting(4, 2, true, true, false);
}

// Blended pictures depend on the order of each pixel's primitives, and on nothing else.
TEST(threads_do_not_change_the_picture) {
    uint8_t *pictures[4] = {0};
    const uint32_t size = 300;
    const size_t bytes = (size_t)size * size * 4 * 16;
    for (uint32_t i = 0; i < 4; i++) {
        struct raster_fixture fixture;
        struct paint_record record = {0};
        if (!open_painting(&fixture, &record, i == 0 ? 1 : 2 * i, size, 4)) {
            return;
        }
        struct backend_color_target *target = &fixture.pipeline.state.targets[0];
        target->has_blend = true;
        target->color = (struct backend_blend_component){.operation = WGPUBlendOperation_Add,
            .src_factor = WGPUBlendFactor_SrcAlpha,
            .dst_factor = WGPUBlendFactor_OneMinusSrcAlpha};
        target->alpha = target->color;
        add_random_triangles(&fixture, 400, 150);
        CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
        pictures[i] = malloc(bytes);
        memcpy(pictures[i], fixture.pass.colors[0].data, bytes);
        fixture_close(&fixture);
    }
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_BYTES(pictures[i], pictures[0], bytes);
    }
    for (uint32_t i = 0; i < 4; i++) {
        free(pictures[i]);
    }
}

// Without a fragment stage depth is all that is drawn.
TEST(depth_alone) {
    struct raster_fixture fixture;
    if (!fixture_open(&fixture, 1, 64, 64, 1, NULL, NULL)) {
        return;
    }
    fixture_depth(&fixture);
    struct fixture_corner corners[3] = {corner_at(0, 0), corner_at(128, 0), corner_at(0, 128)};
    for (uint32_t i = 0; i < 3; i++) {
        corners[i].depth = 1.5 - corners[i].x / 64; // clamped at the left and at the right
    }
    fixture_triangle(&fixture, corners);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    const float *depths = (const float *)(const void *)fixture.pass.depth.data;
    CHECK(depths[0] == 1.0f);
    CHECK_NEAR(depths[64 * 5 + 40], 1.5 - 40.5 / 64, 1e-6);
    CHECK_NEAR(depths[64 * 63 + 63], 1.5 - 63.5 / 64, 1e-6);
    fixture_close(&fixture);
}

// ---------------------------------------------------------------- masks

struct mask_record {
    uint32_t mask_out_word;
    uint32_t depth_out_word;
    uint32_t mask;
    float depth;
};

static void write_mask(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
    void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    (void)progress;
    (void)first;
    (void)end;
    const struct mask_record *record = dispatch->immediates;
    struct jit_batch *batch = dispatch->batches;
    for (uint32_t lane = 0; lane < batch->lane_count; lane++) {
        batch->outputs[record->mask_out_word * JIT_BATCH_LANES + lane] = record->mask;
        fixture_output_f32(batch, record->depth_out_word, lane, record->depth);
    }
}

// Draws a full screen of 8 x 8 pixels; the samples that passed, in 64ths.
static uint64_t draw_mask(uint32_t sample_mask, uint32_t mask, float depth, float *out_depth) {
    struct raster_fixture fixture;
    struct mask_record record = {.mask = mask, .depth = depth};
    if (!fixture_open(&fixture, 1, 8, 8, 4, write_mask, &record)) {
        return 0;
    }
    record.mask_out_word = fixture_builtin(&fixture, true, BUILTIN_VALUE_SAMPLE_MASK_OUT, 1);
    record.depth_out_word = fixture_builtin(&fixture, true, BUILTIN_VALUE_FRAG_DEPTH, 1);
    fixture_depth(&fixture);
    fixture.pipeline.state.sample_mask = sample_mask;
    fixture.draw.depth_range[0] = 0.25f;
    fixture.draw.depth_range[1] = 0.75f;
    _Atomic uint64_t passed = 0;
    fixture.pass.passed_samples = &passed;
    const struct fixture_corner corners[3] = {corner_at(0, 0), corner_at(16, 0), corner_at(0, 16)};
    fixture_triangle(&fixture, corners);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    memcpy(out_depth, fixture.pass.depth.data, 4 * sizeof(float));
    fixture_close(&fixture);
    return passed / 64;
}

TEST(masks_and_depths_of_the_shader) {
    float depth[4];
    CHECK_EQ(draw_mask(UINT32_MAX, UINT32_MAX, 0.5f, depth), 4);
    CHECK(depth[3] == 0.5f);
    CHECK_EQ(draw_mask(0xb, 0x6, 0.5f, depth), 1);
    CHECK(depth[0] == 1.0f);
    CHECK(depth[1] == 0.5f);
    CHECK_EQ(draw_mask(0, UINT32_MAX, 0.5f, depth), 0);
    CHECK_EQ(draw_mask(UINT32_MAX, 0xfffffff0u, 0.5f, depth), 0);
    CHECK_EQ(draw_mask(UINT32_MAX, UINT32_MAX, 7.0f, depth), 4);
    CHECK(depth[0] == 0.75f);
    CHECK_EQ(draw_mask(UINT32_MAX, UINT32_MAX, -INFINITY, depth), 4);
    CHECK(depth[0] == 0.25f);
    CHECK_EQ(draw_mask(UINT32_MAX, UINT32_MAX, NAN, depth), 4);
    CHECK(depth[0] >= 0.25f && depth[0] <= 0.75f);
}

// ---------------------------------------------------------------- memory

TEST(failing_memory_is_reported) {
    uint32_t failures = 0;
    for (int64_t countdown = 0; countdown < 32; countdown++) {
        struct raster_fixture fixture;
        struct paint_record record = {0};
        if (!open_painting(&fixture, &record, 2, 200, 1)) {
            return;
        }
        add_random_triangles(&fixture, 50, 60);
        memory_fail_after(countdown, false);
        enum backend_status status = fixture_draw(&fixture);
        memory_fail_after(-1, false);
        if (status != BACKEND_OK) {
            CHECK_EQ(status, BACKEND_OUT_OF_MEMORY);
            failures++;
            CHECK_EQ(fixture_draw(&fixture), BACKEND_OK); // and can be tried again
        }
        fixture_close(&fixture);
    }
    CHECK(failures >= 4 && failures < 32);
    CHECK_EQ(memory_live_blocks(MEMORY_TEST), 0);
}

// A long sliver; the samples that pass when it is drawn `count` times.
static uint64_t draw_slivers(uint32_t count) {
    struct raster_fixture fixture;
    const uint32_t size = 8192;
    if (!fixture_open(&fixture, 2, size, size, 1, NULL, NULL)) {
        return 0;
    }
    const struct fixture_corner corners[3] = {
        corner_at(0, 0), corner_at(size, size), corner_at(size - 8, size)};
    _Atomic uint64_t passed = 0;
    fixture.pass.passed_samples = &passed;
    for (uint32_t i = 0; i < count; i++) {
        fixture_triangle(&fixture, corners);
    }
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    fixture_close(&fixture);
    return passed;
}

// 150 times 128 * 128 tiles are more than one job has room for.
TEST(many_large_primitives_are_drawn_in_parts) {
    uint64_t once = draw_slivers(1);
    CHECK_NEAR((double)once, 8192.0 * 4, 8192);
    CHECK_EQ(draw_slivers(150), 150 * once);
}

// A device that was destroyed, or lost, draws nothing more, and keeps nothing for the next draw.
TEST(cancelled_draws_stop) {
    struct raster_fixture fixture;
    struct count_record record = {.width = 128, .sample_count = 1};
    if (!fixture_open(&fixture, 2, 128, 128, 1, count_samples, &record)) {
        return;
    }
    record.position_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_FRAGMENT_POSITION, 4);
    record.mask_word = fixture_builtin(&fixture, false, BUILTIN_VALUE_SAMPLE_MASK_IN, 1);
    record.counts = calloc(128 * 128, 1);
    add_random_triangles(&fixture, 100, 50);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    uint32_t batch_count = record.batch_count;
    CHECK(batch_count != 0);
    fixture.device->functions->cancel(fixture.device);
    CHECK_EQ(fixture_draw(&fixture), BACKEND_OK);
    CHECK_EQ(record.batch_count, batch_count);
    free(record.counts);
    fixture_close(&fixture);
}

CHECK_MAIN(coverage_is_exact_with_one_sample, coverage_is_exact_with_four_samples,
    shared_edges_are_drawn_once, rectangles_cut_at_any_pixel,
    quads_of_many_primitives_share_a_batch, whole_blocks_fill_batches, inputs_of_pixels,
    inputs_of_samples, centroids_are_covered, later_primitives_win, nearer_primitives_win,
    discarded_fragments_leave_depth_and_counts_alone, threads_do_not_change_the_picture,
    depth_alone, masks_and_depths_of_the_shader, failing_memory_is_reported, cancelled_draws_stop,
    many_large_primitives_are_drawn_in_parts)
