// SPDX-License-Identifier: MIT
//
// The ways to draw: instances, indices, indirect, bundles; vertices that a compute pass of the same
// command buffer wrote, as a vertex buffer and as a storage buffer; fragments that write to storage;
// textures that are sampled.
#include "raster_rect.h"

#define PIXELS (RECT_SIDE * RECT_SIDE)

static uint8_t got[PIXELS][4];
static uint8_t wanted[PIXELS][4];

// ---------------------------------------------------------------- cells

// Each vertex is a pixel, by its index and its instance: what was drawn can be read off.
static const char cell_code[] =
    "struct Out { @builtin(position) at: vec4f, @location(0) @interpolate(flat) id: vec2u }\n"
    "@vertex fn vs(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Out {\n"
    "    return Out(vec4f((f32(v) + 0.5) / 16 - 1, 1 - (f32(i) + 0.5) / 16, 0, 1),\n"
    "        vec2u(v, i));\n"
    "}\n"
    "@fragment fn fs(@location(0) @interpolate(flat) id: vec2u) -> @location(0) vec4f {\n"
    "    return vec4f(vec2f(id) / 255, 1, 1);\n"
    "}\n";

static void expect_cell(uint32_t vertex, uint32_t instance) {
    memcpy(wanted[instance * RECT_SIDE + vertex],
        (uint8_t[4]){(uint8_t)vertex, (uint8_t)instance, 255, 255}, 4);
}

static void expect_cells(
    uint32_t first, uint32_t count, uint32_t first_instance, uint32_t instance_count) {
    for (uint32_t i = 0; i < instance_count; i++) {
        for (uint32_t v = 0; v < count; v++) {
            expect_cell(first + v, first_instance + i);
        }
    }
}

static WGPURenderPipeline make_cell_pipeline(struct raster_gpu *gpu) {
    struct raster_pipeline description;
    raster_pipeline_init(gpu, &description, cell_code);
    description.descriptor.primitive.topology = WGPUPrimitiveTopology_PointList;
    return raster_pipeline_create(gpu, &description);
}

static void check_picture(struct raster_gpu *gpu, WGPUTexture texture, const char *what) {
    raster_read(gpu, texture, 4, got);
    raster_check(got[0], wanted[0], RECT_SIDE, RECT_SIDE, 4, what);
    wgpuTextureRelease(texture);
}

static WGPUTexture make_picture(struct raster_gpu *gpu) {
    memset(wanted, 0, sizeof(wanted));
    return raster_texture(gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE, RECT_SIDE, 1);
}

static void draw_cells(struct raster_gpu *gpu) {
    WGPURenderPipeline pipeline = make_cell_pipeline(gpu);
    WGPUTexture texture = make_picture(gpu);
    static const uint16_t indices[] = {0, 3, 5, 7, 9, 11, 13, 15};
    WGPUBuffer index = raster_buffer(gpu, WGPUBufferUsage_Index, indices, sizeof(indices));
    bool has_first = wgpuDeviceHasFeature(gpu->api.device, WGPUFeatureName_IndirectFirstInstance);
    // vertex count, instance count, first vertex, first instance; then an indexed one
    const uint32_t arguments[] = {
        7, 2, 20, has_first ? 20 : 0, 0, 3, 1, 4, UINT32_MAX - 1, has_first ? 25 : 0};
    WGPUBuffer indirect = raster_buffer(
        gpu, WGPUBufferUsage_Indirect, arguments, sizeof(arguments));
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, texture, NULL);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderDraw(pass.pass, 5, 3, 2, 4);
    expect_cells(2, 5, 4, 3);
    wgpuRenderPassEncoderDraw(pass.pass, 0, 3, 0, 0);
    wgpuRenderPassEncoderDraw(pass.pass, 3, 0, 0, 0);
    wgpuRenderPassEncoderSetIndexBuffer(
        pass.pass, index, WGPUIndexFormat_Uint16, 2, sizeof(indices) - 2);
    wgpuRenderPassEncoderDrawIndexed(pass.pass, 3, 2, 1, 10, 12);
    for (uint32_t i = 0; i < 3; i++) {
        expect_cells(indices[i + 2] + 10u, 1, 12, 2);
    }
    wgpuRenderPassEncoderDrawIndirect(pass.pass, indirect, 0);
    expect_cells(20, 7, has_first ? 20 : 0, 2);
    // 3 indices, 1 instance, from index 4, base vertex -2.
    wgpuRenderPassEncoderDrawIndexedIndirect(pass.pass, indirect, 20);
    for (uint32_t i = 0; i < 3; i++) {
        expect_cells(indices[i + 5] - 2u, 1, has_first ? 25 : 0, 1);
    }
    raster_pass_end(gpu, &pass);
    check_picture(gpu, texture, "cells");
    wgpuBufferRelease(index);
    wgpuBufferRelease(indirect);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(instances_indices_and_indirect_draws) {
    raster_run(draw_cells);
}

static void draw_bundles(struct raster_gpu *gpu) {
    WGPURenderPipeline pipeline = make_cell_pipeline(gpu);
    WGPUTexture texture = make_picture(gpu);
    WGPUTextureFormat format = WGPUTextureFormat_RGBA8Unorm;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    WGPURenderBundle bundles[2];
    for (uint32_t i = 0; i < 2; i++) {
        WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(
            gpu->api.device, &descriptor);
        wgpuRenderBundleEncoderSetPipeline(encoder, pipeline);
        wgpuRenderBundleEncoderDraw(encoder, 4, 2, 3 + 10 * i, 5 + 10 * i);
        expect_cells(3 + 10 * i, 4, 5 + 10 * i, 2);
        bundles[i] = wgpuRenderBundleEncoderFinish(encoder, NULL);
        wgpuRenderBundleEncoderRelease(encoder);
    }
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, texture, NULL);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderExecuteBundles(pass.pass, 2, bundles);
    wgpuRenderPassEncoderExecuteBundles(pass.pass, 1, bundles);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline); // bundles leave nothing set
    wgpuRenderPassEncoderDraw(pass.pass, 1, 1, 31, 31);
    expect_cells(31, 1, 31, 1);
    raster_pass_end(gpu, &pass);
    check_picture(gpu, texture, "bundles");
    wgpuRenderBundleRelease(bundles[0]);
    wgpuRenderBundleRelease(bundles[1]);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(bundles_draw_what_they_recorded) {
    raster_run(draw_bundles);
}

// ---------------------------------------------------------------- particles

#define PARTICLES (1u << 20)
#define FIELD 256u

static const char particle_code[] =
    "@group(0) @binding(0) var<storage, read_write> particles: array<vec2f>;\n"
    "@compute @workgroup_size(64) fn place(@builtin(global_invocation_id) id: vec3u) {\n"
    "    let hash = id.x * 2654435761u;\n"
    "    particles[id.x] = vec2f(f32(hash >> 24), f32((hash >> 16) & 255)) + 0.5;\n"
    "}\n"
    "@group(0) @binding(0) var<storage, read> pulled: array<vec2f>;\n"
    "@vertex fn pull(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
    "    return vec4f(pulled[i].x / 128 - 1, 1 - pulled[i].y / 128, 0, 1);\n"
    "}\n"
    "@vertex fn vs(@location(0) at: vec2f) -> @builtin(position) vec4f {\n"
    "    return vec4f(at.x / 128 - 1, 1 - at.y / 128, 0, 1);\n"
    "}\n"
    "@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0 / 255); }\n";

static WGPURenderPipeline make_particle_pipeline(struct raster_gpu *gpu, bool is_pulled) {
    struct raster_pipeline description;
    raster_pipeline_init(gpu, &description, particle_code);
    description.descriptor.primitive.topology = WGPUPrimitiveTopology_PointList;
    description.descriptor.vertex.entryPoint = api_view(is_pulled ? "pull" : "vs");
    if (!is_pulled) {
        raster_pipeline_add(&description, 0, WGPUVertexFormat_Float32x2, 8, 0);
    }
    description.targets[0].format = WGPUTextureFormat_R8Unorm;
    description.blend.color = (WGPUBlendComponent){
        WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_One};
    description.blend.alpha = description.blend.color;
    description.targets[0].blend = &description.blend;
    return raster_pipeline_create(gpu, &description);
}

static WGPUBindGroup bind_buffer(
    struct raster_gpu *gpu, WGPUBindGroupLayout layout, WGPUBuffer buffer) {
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = buffer;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(gpu->api.device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

static void check_nothing_crossed(struct raster_gpu *gpu) {
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    CHECK_EQ(albaDeviceGetLedgerTotals(gpu->api.device, &totals), WGPUStatus_Success);
    CHECK_EQ(totals.submitCount, 1);
    CHECK_EQ(totals.crossed.hostToStaging, 0);
    CHECK_EQ(totals.crossed.stagingToDevice, 0);
    CHECK_EQ(totals.crossed.deviceToStaging, 0);
    CHECK_EQ(totals.crossed.stagingToHost, 0);
}

// A compute pass writes a million places into a buffer; the render pass of the same command buffer
// draws them. Nothing crosses a boundary.
static void draw_particles(struct raster_gpu *gpu) {
    static uint8_t counts[FIELD * FIELD];
    static uint8_t wanted_counts[FIELD * FIELD];
    memset(wanted_counts, 0, sizeof(wanted_counts));
    for (uint32_t i = 0; i < PARTICLES; i++) {
        uint32_t hash = i * 2654435761u;
        uint8_t *count = &wanted_counts[(hash >> 16 & 255) * FIELD + (hash >> 24)];
        *count = *count < 255 ? (uint8_t)(*count + 1) : 255;
    }
    WGPUShaderModule module = api_shader(&gpu->api, particle_code);
    WGPUComputePipeline place = api_pipeline(&gpu->api, module, NULL);
    wgpuShaderModuleRelease(module);
    WGPUBuffer particles = api_buffer(
        &gpu->api, "particles", PARTICLES * 8, WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex);
    WGPUBindGroup placing = bind_buffer(
        gpu, wgpuComputePipelineGetBindGroupLayout(place, 0), particles);
    for (int is_pulled = 0; is_pulled < 2; is_pulled++) {
        WGPURenderPipeline pipeline = make_particle_pipeline(gpu, is_pulled != 0);
        WGPUTexture texture = raster_texture(gpu, WGPUTextureFormat_R8Unorm, FIELD, FIELD, 1);
        WGPUBindGroup pulling = is_pulled == 0
            ? NULL
            : bind_buffer(gpu, wgpuRenderPipelineGetBindGroupLayout(pipeline, 0), particles);
        api_finish_queue(&gpu->api);
        albaDeviceResetLedger(gpu->api.device);
        struct raster_pass pass;
        raster_pass_init(&pass);
        raster_pass_add(&pass, texture, NULL);
        pass.encoder = wgpuDeviceCreateCommandEncoder(gpu->api.device, NULL);
        WGPUComputePassEncoder compute = wgpuCommandEncoderBeginComputePass(pass.encoder, NULL);
        wgpuComputePassEncoderSetPipeline(compute, place);
        wgpuComputePassEncoderSetBindGroup(compute, 0, placing, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(compute, PARTICLES / 64, 1, 1);
        wgpuComputePassEncoderEnd(compute);
        wgpuComputePassEncoderRelease(compute);
        pass.pass = wgpuCommandEncoderBeginRenderPass(pass.encoder, &pass.descriptor);
        wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
        if (pulling != NULL) {
            wgpuRenderPassEncoderSetBindGroup(pass.pass, 0, pulling, 0, NULL);
        } else {
            wgpuRenderPassEncoderSetVertexBuffer(pass.pass, 0, particles, 0, WGPU_WHOLE_SIZE);
        }
        wgpuRenderPassEncoderDraw(pass.pass, PARTICLES, 1, 0, 0);
        raster_pass_end(gpu, &pass);
        api_finish_queue(&gpu->api);
        check_nothing_crossed(gpu);
        raster_read(gpu, texture, 1, counts);
        raster_check(counts, wanted_counts, FIELD, FIELD, 1, is_pulled ? "pulled" : "particles");
        wgpuTextureRelease(texture);
        if (pulling != NULL) {
            wgpuBindGroupRelease(pulling);
        }
        wgpuRenderPipelineRelease(pipeline);
    }
    wgpuBindGroupRelease(placing);
    wgpuBufferRelease(particles);
    wgpuComputePipelineRelease(place);
}

TEST(a_million_particles_stay_on_the_device) {
    static const uint32_t thread_counts[] = {1, 3};
    raster_run_with(draw_particles, thread_counts, 2);
}

// ---------------------------------------------------------------- storage in fragments

// Each fragment writes its pixel and adds to counters; helper lanes and discarded ones do not.
static void draw_storage(struct raster_gpu *gpu) {
    static const char fragment[] =
        "@group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;\n"
        "@fragment fn fs(@builtin(position) at: vec4f,\n"
        "                @location(0) @interpolate(flat) color: vec4f) -> @location(0) vec4f {\n"
        "    let x = u32(at.x);\n"
        "    let y = u32(at.y);\n"
        "    if (x + y) % 3 == 0 { discard; }\n"
        "    atomicAdd(&out[0], 1);\n"
        "    atomicAdd(&out[1 + y * 32 + x], x + 100 * y + u32(dpdx(at.x)));\n"
        "    return color;\n"
        "}\n";
    static const struct rect rects[2] = {
        {3, 3, 20, 9, 0, {1, 0, 0, 1}},
        {5.5f, 6.5f, 30.25f, 31, 0, {0, 1, 0, 1}},
    };
    static uint32_t words[1 + PIXELS];
    static uint32_t wanted_words[1 + PIXELS];
    memset(wanted_words, 0, sizeof(wanted_words));
    WGPUTexture texture = make_picture(gpu);
    for (int i = 0; i < 2; i++) {
        for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
            uint32_t x = pixel % RECT_SIDE;
            uint32_t y = pixel / RECT_SIDE;
            if (rect_covers_sample(&rects[i], x, y, 1, 0) && (x + y) % 3 != 0) {
                wanted_words[0]++;
                wanted_words[1 + pixel] += x + 100 * y + 1;
                memcpy(wanted[pixel],
                    i == 0 ? (uint8_t[4]){255, 0, 0, 255} : (uint8_t[4]){0, 255, 0, 255}, 4);
            }
        }
    }
    struct raster_pipeline description;
    rect_pipeline_init(gpu, &description, fragment);
    WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
    WGPUBuffer buffer = raster_buffer(gpu, WGPUBufferUsage_Vertex, rects, sizeof(rects));
    WGPUBuffer out = raster_buffer(
        gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc, NULL, sizeof(words));
    WGPUBindGroup group = bind_buffer(gpu, wgpuRenderPipelineGetBindGroupLayout(pipeline, 0), out);
    struct raster_pass pass;
    raster_pass_init(&pass);
    raster_pass_add(&pass, texture, NULL);
    raster_pass_begin(gpu, &pass);
    wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass.pass, 0, group, 0, NULL);
    rect_draw(pass.pass, buffer, 0, 2);
    raster_pass_end(gpu, &pass);
    check_picture(gpu, texture, "storage");
    raster_read_buffer(gpu, out, words, sizeof(words));
    CHECK_BYTES(words, wanted_words, sizeof(words));
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(out);
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(fragments_write_to_storage) {
    raster_run(draw_storage);
}

// ---------------------------------------------------------------- textures

// A pass draws a picture, another one samples it, twice as large: nearest doubles each texel,
// bilinear gives quarters and three quarters of neighbours.
static void draw_sampled(struct raster_gpu *gpu) {
    static const char code[] =
        "@group(0) @binding(0) var picture: texture_2d<f32>;\n"
        "@group(0) @binding(1) var how: sampler;\n"
        "struct Out { @builtin(position) at: vec4f, @location(0) uv: vec2f }\n"
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> Out {\n"
        "    let p = vec2f(f32(i & 1) * 2, f32(i & 2));\n"
        "    return Out(vec4f(p.x * 2 - 1, 1 - p.y * 2, 0, 1), p);\n"
        "}\n"
        "@fragment fn fs(in: Out) -> @location(0) vec4f {\n"
        "    return textureSample(picture, how, in.uv);\n"
        "}\n";
    static uint8_t texels[PIXELS / 4][4];
    uint32_t random = 77;
    for (uint32_t i = 0; i < PIXELS / 4; i++) {
        for (int j = 0; j < 4; j++) {
            texels[i][j] = (uint8_t)(raster_random(&random) % 16 * 16); // quarters stay whole
        }
    }
    WGPUTexture source = raster_texture(
        gpu, WGPUTextureFormat_RGBA8Unorm, RECT_SIDE / 2, RECT_SIDE / 2, 1);
    WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    to.texture = source;
    WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    layout.bytesPerRow = RECT_SIDE / 2 * 4;
    WGPUExtent3D extent = {RECT_SIDE / 2, RECT_SIDE / 2, 1};
    wgpuQueueWriteTexture(gpu->api.queue, &to, texels, sizeof(texels), &layout, &extent);
    WGPUTextureView view = wgpuTextureCreateView(source, NULL);
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        struct raster_pipeline description;
        raster_pipeline_init(gpu, &description, code);
        WGPURenderPipeline pipeline = raster_pipeline_create(gpu, &description);
        WGPUSamplerDescriptor sampler = WGPU_SAMPLER_DESCRIPTOR_INIT;
        sampler.magFilter = is_linear ? WGPUFilterMode_Linear : WGPUFilterMode_Nearest;
        sampler.minFilter = sampler.magFilter;
        WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
        entries[0].textureView = view;
        entries[1].binding = 1;
        entries[1].sampler = wgpuDeviceCreateSampler(gpu->api.device, &sampler);
        WGPUBindGroupDescriptor binding = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        binding.layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
        binding.entryCount = 2;
        binding.entries = entries;
        WGPUBindGroup group = wgpuDeviceCreateBindGroup(gpu->api.device, &binding);
        WGPUTexture texture = make_picture(gpu);
        struct raster_pass pass;
        raster_pass_init(&pass);
        raster_pass_add(&pass, texture, NULL);
        raster_pass_begin(gpu, &pass);
        wgpuRenderPassEncoderSetPipeline(pass.pass, pipeline);
        wgpuRenderPassEncoderSetBindGroup(pass.pass, 0, group, 0, NULL);
        wgpuRenderPassEncoderDraw(pass.pass, 3, 1, 0, 0);
        raster_pass_end(gpu, &pass);
        for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
            uint32_t x = pixel % RECT_SIDE;
            uint32_t y = pixel / RECT_SIDE;
            uint32_t last = RECT_SIDE / 2 - 1;
            // The texel whose square the pixel is in, and the neighbour that it is nearer to.
            uint32_t near_x = x / 2;
            uint32_t near_y = y / 2;
            uint32_t far_x = x % 2 == 0 ? (near_x == 0 ? 0 : near_x - 1)
                                        : (near_x == last ? last : near_x + 1);
            uint32_t far_y = y % 2 == 0 ? (near_y == 0 ? 0 : near_y - 1)
                                        : (near_y == last ? last : near_y + 1);
            for (int i = 0; i < 4; i++) {
                uint32_t sum = 9u * texels[near_y * (last + 1) + near_x][i] +
                    3u * texels[near_y * (last + 1) + far_x][i] +
                    3u * texels[far_y * (last + 1) + near_x][i] +
                    texels[far_y * (last + 1) + far_x][i];
                wanted[pixel][i] = is_linear ? (uint8_t)(sum / 16)
                                             : texels[near_y * (last + 1) + near_x][i];
            }
        }
        check_picture(gpu, texture, is_linear ? "linear" : "nearest");
        wgpuBindGroupRelease(group);
        wgpuBindGroupLayoutRelease(binding.layout);
        wgpuSamplerRelease(entries[1].sampler);
        wgpuRenderPipelineRelease(pipeline);
    }
    wgpuTextureViewRelease(view);
    wgpuTextureRelease(source);
}

TEST(textures_are_sampled) {
    raster_run(draw_sampled);
}

CHECK_MAIN(instances_indices_and_indirect_draws, bundles_draw_what_they_recorded,
    a_million_particles_stay_on_the_device, fragments_write_to_storage, textures_are_sampled)
