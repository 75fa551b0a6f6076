// SPDX-License-Identifier: MIT
//
// Which pixels primitives cover: triangles against the edge rule in integers, meshes that cover each
// sample once, faces, strips and restarts, indices, points, lines, viewports and scissor rectangles.
#include "raster_helper.h"

#define SIDE 64u
#define UNITS 16 // positions are multiples of a sixteenth of a pixel

struct vertex {
    float x, y; // pixels
    uint32_t id;
};

// Positions in pixels of 64 x 64; exact in f32.
static const char code[] =
    "struct Out { @builtin(position) at: vec4f, @location(0) @interpolate(flat) id: u32 }\n"
    "@vertex fn vs(@location(0) at: vec2f, @location(1) id: u32) -> Out {\n"
    "    return Out(vec4f(at.x / 32 - 1, 1 - at.y / 32, 0.5, 1), id);\n"
    "}\n"
    "@fragment fn fs(@location(0) @interpolate(flat) id: u32) -> @location(0) u32 { return id; }\n";

static const char code_one[] =
    "@vertex fn vs(@location(0) at: vec2f, @location(1) id: u32) -> @builtin(position) vec4f {\n"
    "    return vec4f(at.x / 32 - 1, 1 - at.y / 32, 0.5, 1);\n"
    "}\n"
    "@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0 / 255); }\n";

static uint32_t got[SIDE * SIDE];
static uint32_t wanted[SIDE * SIDE];

static void init_pipeline(struct raster_gpu *gpu, struct raster_pipeline *pipeline,
    const char *text, WGPUTextureFormat format) {
    raster_pipeline_init(gpu, pipeline, text);
    raster_pipeline_add(pipeline, 0, WGPUVertexFormat_Float32x2, 8, 0);
    raster_pipeline_add(pipeline, 0, WGPUVertexFormat_Uint32, 4, 1);
    pipeline->targets[0].format = format;
}

// What a test does between the beginning and the end of the pass.
struct drawing {
    const struct vertex *vertices;
    uint32_t vertex_count;
    const void *indices;
    uint64_t index_bytes;
    WGPUIndexFormat index_format;
    void (*draw)(WGPURenderPassEncoder pass, const struct drawing *drawing);
};

static void draw_all(WGPURenderPassEncoder pass, const struct drawing *drawing) {
    wgpuRenderPassEncoderDraw(pass, drawing->vertex_count, 1, 0, 0);
}

// Draws into r32uint and reads it into `got`.
static void draw_ids(
    struct raster_gpu *gpu, struct raster_pipeline *description, const struct drawing *drawing) {
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, description);
    WGPUTexture texture = raster_texture(gpu, WGPUTextureFormat_R32Uint, SIDE, SIDE, 1);
    WGPUBuffer vertices = raster_buffer(gpu, WGPUBufferUsage_Vertex, drawing->vertices,
        drawing->vertex_count * sizeof(struct vertex));
    WGPUBuffer indices = NULL;
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, texture, NULL);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(pass.pass, 0, vertices, 0, WGPU_WHOLE_SIZE);
    if (drawing->indices != NULL) {
        indices = raster_buffer(gpu, WGPUBufferUsage_Index, drawing->indices, drawing->index_bytes);
        wgpuRenderPassEncoderSetIndexBuffer(
            pass.pass, indices, drawing->index_format, 0, WGPU_WHOLE_SIZE);
    }
    drawing->draw(pass.pass, drawing);
    raster_pass_end(gpu, &pass);
    raster_read(gpu, texture, 4, got);
    if (indices != NULL) {
        wgpuBufferRelease(indices);
    }
    wgpuBufferRelease(vertices);
    wgpuTextureRelease(texture);
    wgpuRenderPipelineRelease(pipeline);
}

static bool check_ids(const char *what) {
    return raster_check(
        (const uint8_t *)got, (const uint8_t *)wanted, SIDE, SIDE, sizeof(uint32_t), what);
}

// ---------------------------------------------------------------- the edge rule

struct point {
    int64_t x, y; // in UNITS
};

static struct point get_point(const struct vertex *vertex) {
    return (struct point){(int64_t)lrintf(vertex->x * UNITS), (int64_t)lrintf(vertex->y * UNITS)};
}

static int64_t cross(struct point a, struct point b, struct point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Inside, or on a top or left edge; the corners run clockwise as one sees them.
static bool is_inside(const struct point corners[3], struct point p) {
    for (int i = 0; i < 3; i++) {
        struct point a = corners[i];
        struct point b = corners[(i + 1) % 3];
        int64_t side = cross(a, b, p);
        bool is_top_or_left = (b.y == a.y && b.x > a.x) || b.y < a.y;
        if (side < 0 || (side == 0 && !is_top_or_left)) {
            return false;
        }
    }
    return true;
}

struct area {
    uint32_t left, top, right, bottom;
};
static const struct area whole = {0, 0, SIDE, SIDE};

static void expect_triangle(const struct vertex *a, const struct vertex *b, const struct vertex *c,
    struct area area, uint32_t id) {
    struct point corners[3] = {get_point(a), get_point(b), get_point(c)};
    int64_t turn = cross(corners[0], corners[1], corners[2]);
    if (turn == 0) {
        return;
    }
    if (turn < 0) {
        struct point swapped = corners[1];
        corners[1] = corners[2];
        corners[2] = swapped;
    }
    for (uint32_t y = area.top; y < area.bottom; y++) {
        for (uint32_t x = area.left; x < area.right; x++) {
            struct point centre = {x * UNITS + UNITS / 2, y * UNITS + UNITS / 2};
            if (is_inside(corners, centre)) {
                wanted[y * SIDE + x] = id;
            }
        }
    }
}

static float random_position(uint32_t *state, int least, int most) {
    return (float)(least * UNITS +
               (int)(raster_random(state) % (uint32_t)((most - least) * UNITS))) /
        UNITS;
}

#define TRIANGLES 60u

static void make_triangles(struct vertex *vertices, uint32_t seed, int least, int most) {
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        vertices[i].x = random_position(&seed, least, most);
        vertices[i].y = random_position(&seed, least, most);
        vertices[i].id = i / 3 + 1;
    }
    // Some have edges through centres, and level or upright ones.
    for (uint32_t i = 0; i < 3 * TRIANGLES; i += 9) {
        vertices[i].x = floorf(vertices[i].x) + 0.5f;
        vertices[i].y = floorf(vertices[i].y) + 0.5f;
        vertices[i + 1].x = vertices[i].x;
        vertices[i + 1].y = floorf(vertices[i + 1].y) + 0.5f;
        vertices[i + 2].y = vertices[i].y;
    }
}

static void draw_triangles(struct raster_gpu *gpu) {
    static struct vertex vertices[3 * TRIANGLES];
    for (uint32_t seed = 1; seed <= 3; seed++) {
        make_triangles(vertices, seed * 77,
            seed == 3       ? -150
                : seed == 2 ? -16
                            : 0,
            seed == 3       ? 214
                : seed == 2 ? 80
                            : 64);
        struct raster_pipeline pipeline;
        init_pipeline(gpu, &pipeline, code, WGPUTextureFormat_R32Uint);
        struct drawing drawing = {
            .vertices = vertices, .vertex_count = 3 * TRIANGLES, .draw = draw_all};
        draw_ids(gpu, &pipeline, &drawing);
        memset(wanted, 0, sizeof(wanted));
        for (uint32_t i = 0; i < 3 * TRIANGLES; i += 3) {
            expect_triangle(
                &vertices[i], &vertices[i + 1], &vertices[i + 2], whole, vertices[i].id);
        }
        check_ids("triangles");
    }
}

TEST(triangles_follow_the_edge_rule) {
    raster_run(draw_triangles);
}

// A horizontal edge whose ends are far away, and an apex far below it: all rows from 20 on, however
// far that is.
static void draw_far_triangles(struct raster_gpu *gpu) {
    for (float far = 1e3f; far < 1e37f; far *= 10) {
        struct vertex vertices[3] = {{-far, 20, 5}, {far, 20, 5}, {0, far, 5}};
        for (uint32_t first = 0; first < 3; first++) {
            struct raster_pipeline description;
            init_pipeline(gpu, &description, code, WGPUTextureFormat_R32Uint);
            struct vertex turned[3] = {
                vertices[first], vertices[(first + 1) % 3], vertices[(first + 2) % 3]};
            struct drawing drawing = {.vertices = turned, .vertex_count = 3, .draw = draw_all};
            for (uint32_t i = 0; i < SIDE * SIDE; i++) {
                wanted[i] = i / SIDE >= 20 ? 5 : 0;
            }
            draw_ids(gpu, &description, &drawing);
            char what[64];
            snprintf(what, sizeof(what), "corners %g pixels away", (double)far);
            if (!check_ids(what)) {
                break;
            }
        }
    }
}

TEST(triangles_of_any_size_cover_what_they_surround) {
    raster_run(draw_far_triangles);
}

// ---------------------------------------------------------------- faces

static void draw_faces(struct raster_gpu *gpu) {
    static struct vertex vertices[3 * TRIANGLES];
    make_triangles(vertices, 5, 0, 64);
    for (int mode = 0; mode < 6; mode++) {
        WGPUCullMode cull = (WGPUCullMode)(WGPUCullMode_None + mode % 3);
        bool is_clockwise_front = mode >= 3;
        struct raster_pipeline pipeline;
        init_pipeline(gpu, &pipeline, code, WGPUTextureFormat_R32Uint);
        pipeline.descriptor.primitive.cullMode = cull;
        pipeline.descriptor.primitive.frontFace = is_clockwise_front ? WGPUFrontFace_CW
                                                                     : WGPUFrontFace_CCW;
        struct drawing drawing = {
            .vertices = vertices, .vertex_count = 3 * TRIANGLES, .draw = draw_all};
        draw_ids(gpu, &pipeline, &drawing);
        memset(wanted, 0, sizeof(wanted));
        for (uint32_t i = 0; i < 3 * TRIANGLES; i += 3) {
            bool is_clockwise = cross(get_point(&vertices[i]), get_point(&vertices[i + 1]),
                                    get_point(&vertices[i + 2])) > 0;
            bool is_front = is_clockwise == is_clockwise_front;
            if (cull == WGPUCullMode_None || is_front == (cull == WGPUCullMode_Back)) {
                expect_triangle(
                    &vertices[i], &vertices[i + 1], &vertices[i + 2], whole, vertices[i].id);
            }
        }
        check_ids("faces");
    }
}

TEST(faces_are_culled_by_their_winding) {
    raster_run(draw_faces);
}

// ---------------------------------------------------------------- strips and indices

// Indices of a strip with restarts; base vertex 3, first index 2.
static void draw_indexed(WGPURenderPassEncoder pass, const struct drawing *drawing) {
    uint32_t index_size = drawing->index_format == WGPUIndexFormat_Uint16 ? 2 : 4;
    wgpuRenderPassEncoderDrawIndexed(
        pass, (uint32_t)(drawing->index_bytes / index_size) - 2, 1, 2, 3, 0);
}

#define INDICES 64u

static void draw_strips(struct raster_gpu *gpu) {
    static struct vertex vertices[3 * TRIANGLES];
    uint32_t indices[INDICES];
    uint16_t indices16[INDICES];
    uint32_t state = 9;
    make_triangles(vertices, 11, 0, 64);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        vertices[i].id = i + 1; // flat: of a triangle's first vertex
    }
    for (uint32_t i = 0; i < INDICES; i++) {
        indices[i] = raster_random(&state) % 7 == 0 ? UINT32_MAX : raster_random(&state) % 150;
        indices16[i] = (uint16_t)indices[i];
    }
    memset(wanted, 0, sizeof(wanted));
    uint32_t length = 0;
    for (uint32_t i = 2; i < INDICES; i++) {
        length = indices[i] == UINT32_MAX ? 0 : length + 1;
        if (length >= 3) {
            const struct vertex *first = &vertices[indices[i - 2] + 3];
            expect_triangle(
                first, &vertices[indices[i - 1] + 3], &vertices[indices[i] + 3], whole, first->id);
        }
    }
    for (int is_short = 0; is_short < 2; is_short++) {
        struct raster_pipeline pipeline;
        init_pipeline(gpu, &pipeline, code, WGPUTextureFormat_R32Uint);
        pipeline.descriptor.primitive.topology = WGPUPrimitiveTopology_TriangleStrip;
        pipeline.descriptor.primitive.stripIndexFormat = is_short ? WGPUIndexFormat_Uint16
                                                                  : WGPUIndexFormat_Uint32;
        struct drawing drawing = {.vertices = vertices,
            .vertex_count = 3 * TRIANGLES,
            .indices = is_short ? (const void *)indices16 : (const void *)indices,
            .index_bytes = is_short ? sizeof(indices16) : sizeof(indices),
            .index_format = pipeline.descriptor.primitive.stripIndexFormat,
            .draw = draw_indexed};
        draw_ids(gpu, &pipeline, &drawing);
        check_ids("strips");
    }
}

TEST(strips_restart_at_the_last_index) {
    raster_run(draw_strips);
}

// ---------------------------------------------------------------- viewport and scissor

static void draw_views(WGPURenderPassEncoder pass, const struct drawing *drawing) {
    (void)drawing;
    // A quarter of the size, at (16, 8); cut to 20 pixels square.
    wgpuRenderPassEncoderSetViewport(pass, 16, 8, 32, 32, 0, 1);
    wgpuRenderPassEncoderSetScissorRect(pass, 18, 10, 20, 21);
    wgpuRenderPassEncoderDraw(pass, 3 * TRIANGLES / 2, 1, 0, 0);
    // The rest whole again, but for the scissor rectangle's rows.
    wgpuRenderPassEncoderSetViewport(pass, 0, 0, SIDE, SIDE, 0, 1);
    wgpuRenderPassEncoderSetScissorRect(pass, 0, 40, SIDE, 5);
    wgpuRenderPassEncoderDraw(pass, 3 * TRIANGLES / 2, 1, 3 * TRIANGLES / 2, 0);
    wgpuRenderPassEncoderSetScissorRect(pass, 5, 5, 0, 0);
    wgpuRenderPassEncoderDraw(pass, 3 * TRIANGLES, 1, 0, 0);
}

static void draw_viewports(struct raster_gpu *gpu) {
    static struct vertex vertices[3 * TRIANGLES];
    static struct vertex moved[3 * TRIANGLES];
    make_triangles(vertices, 21, 0, 64);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) { // even units: halves stay exact
        vertices[i].x = floorf(vertices[i].x * 8) / 8;
        vertices[i].y = floorf(vertices[i].y * 8) / 8;
        moved[i] = vertices[i];
        moved[i].x = vertices[i].x / 2 + 16;
        moved[i].y = vertices[i].y / 2 + 8;
    }
    struct raster_pipeline pipeline;
    init_pipeline(gpu, &pipeline, code, WGPUTextureFormat_R32Uint);
    struct drawing drawing = {
        .vertices = vertices, .vertex_count = 3 * TRIANGLES, .draw = draw_views};
    draw_ids(gpu, &pipeline, &drawing);
    memset(wanted, 0, sizeof(wanted));
    for (uint32_t i = 0; i < 3 * TRIANGLES / 2; i += 3) {
        expect_triangle(
            &moved[i], &moved[i + 1], &moved[i + 2], (struct area){18, 10, 38, 31}, moved[i].id);
    }
    for (uint32_t i = 3 * TRIANGLES / 2; i < 3 * TRIANGLES; i += 3) {
        expect_triangle(&vertices[i], &vertices[i + 1], &vertices[i + 2],
            (struct area){0, 40, SIDE, 45}, vertices[i].id);
    }
    check_ids("viewports");
}

TEST(viewports_move_and_scissors_cut) {
    raster_run(draw_viewports);
}

// ---------------------------------------------------------------- meshes

#define CELLS 7u

// A grid over the whole picture whose inner corners are anywhere near their places.
static uint32_t make_mesh(struct vertex *vertices, uint32_t seed) {
    struct vertex corners[CELLS + 1][CELLS + 1];
    for (uint32_t y = 0; y <= CELLS; y++) {
        for (uint32_t x = 0; x <= CELLS; x++) {
            bool is_x_inside = x > 0 && x < CELLS;
            bool is_y_inside = y > 0 && y < CELLS;
            corners[y][x] = (struct vertex){
                .x = x == 0      ? 0
                    : x == CELLS ? SIDE
                                 : (float)(x * SIDE / CELLS),
                .y = y == 0      ? 0
                    : y == CELLS ? SIDE
                                 : (float)(y * SIDE / CELLS),
            };
            corners[y][x].x += is_x_inside ? random_position(&seed, -3, 3) : 0;
            corners[y][x].y += is_y_inside ? random_position(&seed, -3, 3) : 0;
        }
    }
    uint32_t count = 0;
    for (uint32_t y = 0; y < CELLS; y++) {
        for (uint32_t x = 0; x < CELLS; x++) {
            const struct vertex cell[6] = {corners[y][x], corners[y][x + 1], corners[y + 1][x],
                corners[y + 1][x], corners[y][x + 1], corners[y + 1][x + 1]};
            memcpy(&vertices[count], cell, sizeof(cell));
            count += 6;
        }
    }
    return count;
}

static void draw_mesh(struct raster_gpu *gpu, uint32_t sample_count, uint32_t seed) {
    static struct vertex vertices[CELLS * CELLS * 6];
    static uint8_t counts[SIDE * SIDE];
    static uint8_t ones[SIDE * SIDE];
    uint32_t count = make_mesh(vertices, seed);
    struct raster_pipeline description;
    init_pipeline(gpu, &description, code_one, WGPUTextureFormat_R8Unorm);
    description.blend.color.dstFactor = WGPUBlendFactor_One;
    description.blend.color.srcFactor = WGPUBlendFactor_One;
    description.targets[0].blend = &description.blend;
    description.descriptor.multisample.count = sample_count;
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUTexture texture = raster_texture(gpu, WGPUTextureFormat_R8Unorm, SIDE, SIDE, 1);
    WGPUTexture samples = sample_count == 1
        ? NULL
        : raster_texture(gpu, WGPUTextureFormat_R8Unorm, SIDE, SIDE, 4);
    WGPUBuffer buffer = raster_buffer(
        gpu, WGPUBufferUsage_Vertex, vertices, count * sizeof(struct vertex));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, samples != NULL ? samples : texture, samples != NULL ? texture : NULL);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(pass.pass, 0, buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDraw(pass.pass, count, 1, 0, 0);
    raster_pass_end(gpu, &pass);
    raster_read(gpu, texture, 1, counts);
    memset(ones, 1, sizeof(ones));
    raster_check(counts, ones, SIDE, SIDE, 1, sample_count == 1 ? "mesh" : "mesh of samples");
    wgpuBufferRelease(buffer);
    wgpuTextureRelease(texture);
    if (samples != NULL) {
        wgpuTextureRelease(samples);
    }
    wgpuRenderPipelineRelease(pipeline);
}

static void draw_meshes(struct raster_gpu *gpu) {
    for (uint32_t seed = 1; seed <= 6; seed++) {
        draw_mesh(gpu, 1, seed);
        draw_mesh(gpu, 4, seed);
    }
}

TEST(meshes_cover_each_sample_once) {
    raster_run(draw_meshes);
}

// ---------------------------------------------------------------- points and lines

static void draw_points(struct raster_gpu *gpu) {
    static struct vertex vertices[500];
    uint32_t state = 3;
    memset(wanted, 0, sizeof(wanted));
    for (uint32_t i = 0; i < 500; i++) {
        // Anywhere but on the border of two pixels.
        vertices[i].x = (float)(raster_random(&state) % SIDE) +
            (float)(1 + raster_random(&state) % (UNITS - 1)) / UNITS;
        vertices[i].y = (float)(raster_random(&state) % SIDE) +
            (float)(1 + raster_random(&state) % (UNITS - 1)) / UNITS;
        vertices[i].id = i + 1;
        wanted[(uint32_t)vertices[i].y * SIDE + (uint32_t)vertices[i].x] = i + 1;
    }
    struct raster_pipeline pipeline;
    init_pipeline(gpu, &pipeline, code, WGPUTextureFormat_R32Uint);
    pipeline.descriptor.primitive.topology = WGPUPrimitiveTopology_PointList;
    struct drawing drawing = {.vertices = vertices, .vertex_count = 500, .draw = draw_all};
    draw_ids(gpu, &pipeline, &drawing);
    check_ids("points");
}

TEST(points_are_one_pixel) {
    raster_run(draw_points);
}

// Between its ends a line has one pixel in each column (or row, when it is steep), next to it.
static void check_line(const struct vertex *a, const struct vertex *b, uint32_t id) {
    double dx = (double)b->x - (double)a->x;
    double dy = (double)b->y - (double)a->y;
    bool is_steep = fabs(dy) > fabs(dx);
    double from = is_steep ? fmin(a->y, b->y) : fmin(a->x, b->x);
    double to = is_steep ? fmax(a->y, b->y) : fmax(a->x, b->x);
    for (uint32_t major = 0; major < SIDE; major++) {
        uint32_t count = 0;
        double centre = major + 0.5;
        double along = is_steep ? (double)a->x + (centre - (double)a->y) * dx / dy
                                : (double)a->y + (centre - (double)a->x) * dy / dx;
        for (uint32_t minor = 0; minor < SIDE; minor++) {
            uint32_t at = is_steep ? major * SIDE + minor : minor * SIDE + major;
            if (got[at] == id) {
                count++;
                CHECK(fabs(minor + 0.5 - along) <= 0.5 + 1.0 / UNITS);
                CHECK(centre > from - 1 && centre < to + 1);
            }
        }
        if (centre > from + 0.5 && centre < to - 0.5) {
            CHECK_EQ(count, 1);
        }
    }
}

static void draw_lines(struct raster_gpu *gpu) {
    uint32_t state = 8;
    for (uint32_t i = 0; i < 24; i++) {
        struct vertex vertices[2];
        for (int j = 0; j < 2; j++) {
            vertices[j] = (struct vertex){
                random_position(&state, 2, 62), random_position(&state, 2, 62), i + 1};
        }
        if (i < 4) { // level and upright, through centres
            vertices[0].x = 10.5f;
            vertices[0].y = 20.5f;
            vertices[1].x = i % 2 == 0 ? (i == 0 ? 40.5f : 2.5f) : 10.5f;
            vertices[1].y = i % 2 == 1 ? (i == 1 ? 50.5f : 1.5f) : 20.5f;
        }
        struct raster_pipeline pipeline;
        init_pipeline(gpu, &pipeline, code, WGPUTextureFormat_R32Uint);
        pipeline.descriptor.primitive.topology = i % 2 == 0 ? WGPUPrimitiveTopology_LineList
                                                            : WGPUPrimitiveTopology_LineStrip;
        struct drawing drawing = {.vertices = vertices, .vertex_count = 2, .draw = draw_all};
        draw_ids(gpu, &pipeline, &drawing);
        check_line(&vertices[0], &vertices[1], i + 1);
    }
}

TEST(lines_have_a_pixel_for_each_step) {
    raster_run(draw_lines);
}

CHECK_MAIN(triangles_follow_the_edge_rule, triangles_of_any_size_cover_what_they_surround,
    faces_are_culled_by_their_winding, strips_restart_at_the_last_index,
    viewports_move_and_scissors_cut, meshes_cover_each_sample_once, points_are_one_pixel,
    lines_have_a_pixel_for_each_step)
