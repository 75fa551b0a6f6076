// SPDX-License-Identifier: MIT
//
// A textured, lit object with a shadow, drawn without a window: a depth pass from the light, then a
// picture with four samples a pixel, resolved, copied into a buffer and written as a PNG file.
//
//   torus_knot [OUTPUT.png [FRAMES]]     more than one frame: measures
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <webgpu/webgpu.h>

#include "common/example.h"

#define WIDTH 1280u
#define HEIGHT 720u
#define SHADOW_SIZE 1024u
#define PATTERN_SIZE 256u
#define PATTERN_LEVELS 9u // 256 texels down to 1

#define RINGS 512u // along the knot
#define SIDES 48u  // around it
#define KNOT_VERTICES ((RINGS + 1) * (SIDES + 1))
#define VERTEX_COUNT (KNOT_VERTICES + 4)
#define INDEX_COUNT (RINGS * SIDES * 6 + 6)

extern const char torus_knot_wgsl[];

struct vertex {
    float position[3];
    float normal[3];
    float uv[2];
    uint32_t layer;
};
_Static_assert(sizeof(struct vertex) == 36, "as in the vertex buffer layout");

// As struct Scene of the shader: matrices by columns, vec3f aligned to 16 bytes.
struct scene {
    float camera[16];
    float light[16];
    float eye[4];
    float to_light[4];
};

// ---------------------------------------------------------------- vectors and matrices

struct vector {
    float x, y, z;
};

static struct vector subtract(struct vector a, struct vector b) {
    return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static struct vector cross(struct vector a, struct vector b) {
    return (struct vector){
        a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float dot(struct vector a, struct vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector normalize(struct vector a) {
    float length = sqrtf(dot(a, a));
    return (struct vector){a.x / length, a.y / length, a.z / length};
}

static void multiply(const float a[16], const float b[16], float out[16]) {
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            out[4 * column + row] = 0;
            for (int i = 0; i < 4; i++) {
                out[4 * column + row] += a[4 * i + row] * b[4 * column + i];
            }
        }
    }
}

static void look_at(struct vector eye, struct vector target, float out[16]) {
    struct vector back = normalize(subtract(eye, target));
    struct vector right = normalize(cross((struct vector){0, 1, 0}, back));
    struct vector up = cross(back, right);
    const float matrix[16] = {right.x, up.x, back.x, 0, right.y, up.y, back.y, 0, right.z, up.z,
                              back.z, 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1};
    memcpy(out, matrix, sizeof(matrix));
}

// Depth goes from 0 at `near` to 1 at `far`, as WebGPU has it.
static void perspective(float height, float aspect, float near, float far, float out[16]) {
    const float matrix[16] = {1 / (height * aspect), 0, 0, 0, 0, 1 / height, 0, 0,
                              0, 0, far / (near - far), -1, 0, 0, near * far / (near - far), 0};
    memcpy(out, matrix, sizeof(matrix));
}

static void orthographic(float half_size, float near, float far, float out[16]) {
    const float matrix[16] = {1 / half_size, 0, 0, 0, 0, 1 / half_size, 0, 0,
                              0, 0, 1 / (near - far), 0, 0, 0, near / (near - far), 1};
    memcpy(out, matrix, sizeof(matrix));
}

static struct scene make_scene(float angle) {
    struct scene scene = {0};
    float view[16];
    float projection[16];
    struct vector eye = {6.2f * sinf(angle), 2.9f, 6.2f * cosf(angle)};
    struct vector to_light = normalize((struct vector){0.55f, 0.9f, 0.35f});
    struct vector light = {8 * to_light.x, 8 * to_light.y, 8 * to_light.z};
    look_at(eye, (struct vector){0, 0.1f, 0}, view);
    perspective(0.42f, (float)WIDTH / HEIGHT, 0.5f, 60, projection);
    multiply(projection, view, scene.camera);
    look_at(light, (struct vector){0, 0, 0}, view);
    orthographic(4.5f, 1, 16, projection);
    multiply(projection, view, scene.light);
    memcpy(scene.eye, &eye, sizeof(eye));
    memcpy(scene.to_light, &to_light, sizeof(to_light));
    return scene;
}

// ---------------------------------------------------------------- what is drawn

// The middle of the tube: twice around the axis, three times through the hole.
static struct vector find_knot(float t) {
    float radius = 1.25f + 0.55f * cosf(3 * t);
    return (struct vector){radius * cosf(2 * t), 0.75f * sinf(3 * t), radius * sinf(2 * t)};
}

static void make_knot(struct vertex *vertices, uint32_t *indices) {
    const float turn = 6.2831853f;
    for (uint32_t ring = 0; ring <= RINGS; ring++) {
        float t = turn * (float)ring / RINGS;
        struct vector middle = find_knot(t);
        struct vector along = normalize(subtract(find_knot(t + 0.01f), find_knot(t - 0.01f)));
        struct vector side = normalize(cross(along, (struct vector){0, 1, 0}));
        struct vector up = cross(side, along);
        for (uint32_t i = 0; i <= SIDES; i++) {
            float c = cosf(turn * (float)i / SIDES);
            float s = sinf(turn * (float)i / SIDES);
            struct vector normal = {c * side.x + s * up.x, c * side.y + s * up.y,
                                    c * side.z + s * up.z};
            vertices[ring * (SIDES + 1) + i] = (struct vertex){
                .position = {middle.x + 0.34f * normal.x, middle.y + 0.34f * normal.y,
                             middle.z + 0.34f * normal.z},
                .normal = {normal.x, normal.y, normal.z},
                .uv = {12 * (float)ring / RINGS, 2 * (float)i / SIDES},
            };
        }
    }
    for (uint32_t ring = 0; ring < RINGS; ring++) {
        for (uint32_t i = 0; i < SIDES; i++) {
            uint32_t a = ring * (SIDES + 1) + i;
            uint32_t b = a + SIDES + 1;
            const uint32_t quad[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(indices, quad, sizeof(quad));
            indices += 6;
        }
    }
}

static void make_floor(struct vertex *vertices, uint32_t *indices) {
    for (uint32_t i = 0; i < 4; i++) {
        float x = i % 2 == 0 ? -30.0f : 30.0f;
        float z = i / 2 == 0 ? -30.0f : 30.0f;
        vertices[i] = (struct vertex){
            .position = {x, -1.25f, z}, .normal = {0, 1, 0}, .uv = {x / 2, z / 2}, .layer = 1};
    }
    const uint32_t quad[6] = {0, 2, 1, 1, 2, 3};
    for (int i = 0; i < 6; i++) {
        indices[i] = KNOT_VERTICES + quad[i];
    }
}

// Copper with bands of enamel, and tiles.
static uint32_t find_color(uint32_t layer, uint32_t x, uint32_t y) {
    const uint32_t half = PATTERN_SIZE / 2;
    if (layer == 1) {
        bool is_joint = x % half < 3 || y % half < 3;
        return is_joint ? 0xff686460u : (x / half + y / half) % 2 == 0 ? 0xffc8d2d8u : 0xff8a7a6cu;
    }
    uint32_t band = (x + y) % PATTERN_SIZE;
    return band < 12 || (band >= half && band < half + 12) ? 0xff40c0f0u
           : band < half                                   ? 0xff2c60d8u
                                                           : 0xff805020u;
}

static uint32_t average(const uint32_t texels[4]) {
    uint32_t result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t sum = 2;
        for (int i = 0; i < 4; i++) {
            sum += texels[i] >> shift & 0xffu;
        }
        result |= (sum / 4) << shift;
    }
    return result;
}

static void write_level(const struct example *gpu, WGPUTexture texture, uint32_t layer,
                        uint32_t level, uint32_t size, const uint32_t *texels) {
    WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    to.texture = texture;
    to.mipLevel = level;
    to.origin.z = layer;
    WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    layout.bytesPerRow = size * 4;
    WGPUExtent3D extent = {size, size, 1};
    wgpuQueueWriteTexture(gpu->queue, &to, texels, (size_t)size * size * 4, &layout, &extent);
}

// Each level is the one before at half its size.
static WGPUTexture make_patterns(const struct example *gpu) {
    static uint32_t texels[PATTERN_SIZE * PATTERN_SIZE];
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.label = example_text("patterns");
    descriptor.usage = WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst;
    descriptor.format = WGPUTextureFormat_RGBA8UnormSrgb;
    descriptor.size = (WGPUExtent3D){PATTERN_SIZE, PATTERN_SIZE, 2};
    descriptor.mipLevelCount = PATTERN_LEVELS;
    WGPUTexture texture = wgpuDeviceCreateTexture(gpu->device, &descriptor);
    for (uint32_t layer = 0; layer < 2; layer++) {
        for (uint32_t i = 0; i < PATTERN_SIZE * PATTERN_SIZE; i++) {
            texels[i] = find_color(layer, i % PATTERN_SIZE, i / PATTERN_SIZE);
        }
        uint32_t size = PATTERN_SIZE;
        for (uint32_t level = 0; level < PATTERN_LEVELS; level++) {
            write_level(gpu, texture, layer, level, size, texels);
            size /= 2;
            for (uint32_t i = 0; i < size * size; i++) {
                uint32_t at = i / size * 4 * size + i % size * 2; // in place: reads run ahead
                const uint32_t four[4] = {texels[at], texels[at + 1], texels[at + 2 * size],
                                          texels[at + 2 * size + 1]};
                texels[i] = average(four);
            }
        }
    }
    return texture;
}

// ---------------------------------------------------------------- pipelines

#define COLOR_FORMAT WGPUTextureFormat_RGBA8UnormSrgb
#define DEPTH_FORMAT WGPUTextureFormat_Depth32Float

// `is_shadow`: depth alone, from the light; else the picture.
static WGPURenderPipeline make_pipeline(const struct example *gpu, WGPUShaderModule module,
                                        bool is_shadow) {
    const WGPUVertexAttribute attributes[4] = {
        {NULL, WGPUVertexFormat_Float32x3, 0, 0},
        {NULL, WGPUVertexFormat_Float32x3, 12, 1},
        {NULL, WGPUVertexFormat_Float32x2, 24, 2},
        {NULL, WGPUVertexFormat_Uint32, 32, 3},
    };
    WGPUVertexBufferLayout buffer = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    buffer.stepMode = WGPUVertexStepMode_Vertex;
    buffer.arrayStride = sizeof(struct vertex);
    buffer.attributeCount = is_shadow ? 1 : 4;
    buffer.attributes = attributes;
    WGPUDepthStencilState depth = WGPU_DEPTH_STENCIL_STATE_INIT;
    depth.format = DEPTH_FORMAT;
    depth.depthWriteEnabled = WGPUOptionalBool_True;
    depth.depthCompare = WGPUCompareFunction_Less;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = COLOR_FORMAT;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;

    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = example_text(is_shadow ? "shadow" : "picture");
    descriptor.vertex.module = module;
    descriptor.vertex.entryPoint = example_text(is_shadow ? "light_vertex" : "camera_vertex");
    descriptor.vertex.bufferCount = 1;
    descriptor.vertex.buffers = &buffer;
    descriptor.primitive.topology = WGPUPrimitiveTopology_TriangleList;
    descriptor.primitive.cullMode = WGPUCullMode_Back;
    descriptor.depthStencil = &depth;
    if (!is_shadow) {
        descriptor.multisample.count = 4;
        descriptor.fragment = &fragment;
    }
    return wgpuDeviceCreateRenderPipeline(gpu->device, &descriptor);
}

static WGPUTexture make_target(const struct example *gpu, const char *label,
                               WGPUTextureFormat format, uint32_t width, uint32_t height,
                               uint32_t sample_count, WGPUTextureUsage usage) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.label = example_text(label);
    descriptor.usage = WGPUTextureUsage_RenderAttachment | usage;
    descriptor.format = format;
    descriptor.size = (WGPUExtent3D){width, height, 1};
    descriptor.sampleCount = sample_count;
    return wgpuDeviceCreateTexture(gpu->device, &descriptor);
}

static WGPUBindGroup bind(const struct example *gpu, WGPURenderPipeline pipeline,
                          const WGPUBindGroupEntry *entries, size_t count) {
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
    descriptor.entryCount = count;
    descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(gpu->device, &descriptor);
    wgpuBindGroupLayoutRelease(descriptor.layout);
    return group;
}

// ---------------------------------------------------------------- drawing

enum { SHADOW, PICTURE, PIPELINE_COUNT };

struct stage {
    WGPUBuffer uniform, vertices, indices, picture;
    WGPUTexture patterns, shadow, samples, depth, resolved;
    WGPUTextureView patterns_view, shadow_view, samples_view, depth_view, resolved_view;
    WGPUSampler pattern_sampler, shadow_sampler;
    WGPURenderPipeline pipelines[PIPELINE_COUNT];
    WGPUBindGroup groups[PIPELINE_COUNT];
};

static void upload_mesh(const struct example *gpu, struct stage *stage) {
    struct vertex *vertices = malloc(sizeof(struct vertex) * VERTEX_COUNT);
    uint32_t *indices = malloc(sizeof(uint32_t) * INDEX_COUNT);
    if (vertices == NULL || indices == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    make_knot(vertices, indices);
    make_floor(vertices + KNOT_VERTICES, indices + RINGS * SIDES * 6);
    stage->vertices = example_buffer(gpu, "vertices", WGPUBufferUsage_Vertex,
                                     sizeof(struct vertex) * VERTEX_COUNT, vertices);
    stage->indices = example_buffer(gpu, "indices", WGPUBufferUsage_Index,
                                    sizeof(uint32_t) * INDEX_COUNT, indices);
    free(vertices);
    free(indices);
}

static struct stage make_stage(const struct example *gpu) {
    struct stage stage = {0};
    upload_mesh(gpu, &stage);
    stage.uniform = example_buffer(gpu, "scene", WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst,
                                   sizeof(struct scene), NULL);
    stage.picture = example_buffer(gpu, "picture", WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc,
                                   WIDTH * HEIGHT * 4u, NULL);
    stage.patterns = make_patterns(gpu);
    stage.shadow = make_target(gpu, "shadow", DEPTH_FORMAT, SHADOW_SIZE, SHADOW_SIZE, 1,
                               WGPUTextureUsage_TextureBinding);
    stage.samples = make_target(gpu, "samples", COLOR_FORMAT, WIDTH, HEIGHT, 4, 0);
    stage.depth = make_target(gpu, "depth", DEPTH_FORMAT, WIDTH, HEIGHT, 4, 0);
    stage.resolved =
        make_target(gpu, "resolved", COLOR_FORMAT, WIDTH, HEIGHT, 1, WGPUTextureUsage_CopySrc);
    stage.patterns_view = wgpuTextureCreateView(stage.patterns, NULL);
    stage.shadow_view = wgpuTextureCreateView(stage.shadow, NULL);
    stage.samples_view = wgpuTextureCreateView(stage.samples, NULL);
    stage.depth_view = wgpuTextureCreateView(stage.depth, NULL);
    stage.resolved_view = wgpuTextureCreateView(stage.resolved, NULL);

    WGPUSamplerDescriptor sampler = WGPU_SAMPLER_DESCRIPTOR_INIT;
    sampler.minFilter = sampler.magFilter = WGPUFilterMode_Linear;
    sampler.compare = WGPUCompareFunction_LessEqual;
    stage.shadow_sampler = wgpuDeviceCreateSampler(gpu->device, &sampler);
    sampler.compare = WGPUCompareFunction_Undefined;
    sampler.mipmapFilter = WGPUMipmapFilterMode_Linear;
    sampler.addressModeU = sampler.addressModeV = WGPUAddressMode_Repeat;
    sampler.maxAnisotropy = 8;
    stage.pattern_sampler = wgpuDeviceCreateSampler(gpu->device, &sampler);

    WGPUShaderModule module = example_shader(gpu, "torus knot", torus_knot_wgsl);
    stage.pipelines[SHADOW] = make_pipeline(gpu, module, true);
    stage.pipelines[PICTURE] = make_pipeline(gpu, module, false);
    wgpuShaderModuleRelease(module);

    WGPUBindGroupEntry entries[5];
    for (uint32_t i = 0; i < 5; i++) {
        entries[i] = WGPU_BIND_GROUP_ENTRY_INIT;
        entries[i].binding = i;
    }
    entries[0].buffer = stage.uniform;
    entries[1].textureView = stage.patterns_view;
    entries[2].sampler = stage.pattern_sampler;
    entries[3].textureView = stage.shadow_view;
    entries[4].sampler = stage.shadow_sampler;
    stage.groups[SHADOW] = bind(gpu, stage.pipelines[SHADOW], entries, 1);
    stage.groups[PICTURE] = bind(gpu, stage.pipelines[PICTURE], entries, 5);
    return stage;
}

static void draw_mesh(WGPURenderPassEncoder pass, const struct stage *stage, int which) {
    wgpuRenderPassEncoderSetPipeline(pass, stage->pipelines[which]);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, stage->groups[which], 0, NULL);
    wgpuRenderPassEncoderSetVertexBuffer(pass, 0, stage->vertices, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetIndexBuffer(pass, stage->indices, WGPUIndexFormat_Uint32, 0,
                                        WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDrawIndexed(pass, INDEX_COUNT, 1, 0, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
}

// Two passes, and no barrier between them: the second one sees what the first one drew.
static void draw_frame(const struct example *gpu, const struct stage *stage, float angle) {
    struct scene scene = make_scene(angle);
    wgpuQueueWriteBuffer(gpu->queue, stage->uniform, 0, &scene, sizeof(scene));
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);

    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.view = stage->shadow_view;
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthStoreOp = WGPUStoreOp_Store;
    depth.depthClearValue = 1;
    WGPURenderPassDescriptor pass = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass.depthStencilAttachment = &depth;
    draw_mesh(wgpuCommandEncoderBeginRenderPass(encoder, &pass), stage, SHADOW);

    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = stage->samples_view;
    color.resolveTarget = stage->resolved_view;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Discard; // only the resolved picture is wanted
    color.clearValue = (WGPUColor){0.36, 0.44, 0.55, 1};
    depth.view = stage->depth_view;
    depth.depthStoreOp = WGPUStoreOp_Discard;
    pass.colorAttachmentCount = 1;
    pass.colorAttachments = &color;
    draw_mesh(wgpuCommandEncoderBeginRenderPass(encoder, &pass), stage, PICTURE);

    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = stage->resolved;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = stage->picture;
    to.layout.bytesPerRow = WIDTH * 4;
    WGPUExtent3D extent = {WIDTH, HEIGHT, 1};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);

    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

static void free_stage(struct stage *stage) {
    for (int i = 0; i < PIPELINE_COUNT; i++) {
        wgpuBindGroupRelease(stage->groups[i]);
        wgpuRenderPipelineRelease(stage->pipelines[i]);
    }
    wgpuSamplerRelease(stage->pattern_sampler);
    wgpuSamplerRelease(stage->shadow_sampler);
    WGPUTextureView views[] = {stage->patterns_view, stage->shadow_view, stage->samples_view,
                               stage->depth_view, stage->resolved_view};
    WGPUTexture textures[] = {
        stage->patterns, stage->shadow, stage->samples, stage->depth, stage->resolved};
    for (int i = 0; i < 5; i++) {
        wgpuTextureViewRelease(views[i]);
        wgpuTextureRelease(textures[i]);
    }
    wgpuBufferRelease(stage->uniform);
    wgpuBufferRelease(stage->vertices);
    wgpuBufferRelease(stage->indices);
    wgpuBufferRelease(stage->picture);
}

int main(int argument_count, char **arguments) {
    const char *usage = "torus_knot [OUTPUT.png [FRAMES]]";
    example_check_arguments(argument_count, arguments, 0, 2, usage);
    const char *path = argument_count > 1 ? arguments[1] : "torus_knot.png";
    uint32_t frames = argument_count > 2 ? example_parse_count(arguments[2], usage) : 1u;
    printf("torus_knot: %u triangles, a shadow of %ux%u, 4 samples a pixel at %ux%u\n",
           INDEX_COUNT / 3, SHADOW_SIZE, SHADOW_SIZE, WIDTH, HEIGHT);
    struct example gpu = example_open("torus knot");
    struct stage stage = make_stage(&gpu);
    example_wait_for_queue(&gpu);
    double start = example_now_ms();
    for (uint32_t number = 0; number < frames; number++) {
        draw_frame(&gpu, &stage, 0.5f + 0.01f * (float)(frames - 1 - number));
        example_wait_for_queue(&gpu);
    }
    double elapsed = example_now_ms() - start;

    uint32_t *pixels = malloc(WIDTH * HEIGHT * 4u);
    if (pixels == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    example_read_buffer(&gpu, stage.picture, pixels, WIDTH * HEIGHT * 4u);
    example_write_png(path, pixels, WIDTH, HEIGHT);
    free(pixels);
    printf("  %.1f ms a frame\n  picture: %s\n", elapsed / frames, path);
    free_stage(&stage);
    example_close(&gpu);
    return 0;
}
