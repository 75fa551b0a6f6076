// SPDX-License-Identifier: MIT
//
// What drawing costs: scenes of a million pixels that each lean on one part of a rasteriser. A line
// each: "draw NAME cpu_ms wall_ms sum", of the least of some frames; sum is over the picture's bytes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SIDE 1024u
#define GRID 512u // cells of the mesh, a side
#define TEXTURE 256u
#define FRAMES 4

static const char code[] =
    "struct Out { @builtin(position) at: vec4f, @location(0) color: vec4f, @location(1) uv: vec2f }\n"
    "fn cover(v: u32, depth: f32, color: vec4f) -> Out {\n"
    "    let p = vec2f(f32(v & 1) * 2, f32(v & 2));\n"
    "    return Out(vec4f(p * 2 - 1, depth, 1), color * vec4f(p * 0.5, 1, 1), p);\n"
    "}\n"
    "@vertex fn layers(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Out {\n"
    "    return cover(v, f32(i) / 32, vec4f(1, 1, f32(i) / 32, 0.25));\n"
    "}\n"
    // Two triangles a cell, of two pixels each.
    "@vertex fn mesh(@builtin(vertex_index) v: u32) -> Out {\n"
    "    let cell = v / 6;\n"
    "    let corner = select(vec2u(v % 3 % 2, v % 3 / 2), vec2u(1 - v % 3 % 2, 1 - v % 3 / 2),\n"
    "        v % 6 > 2);\n"
    "    let p = vec2f(vec2u(cell % 512, cell / 512) + corner) / 512;\n"
    "    return Out(vec4f(p * 2 - 1, p.x * 0.5, 1), vec4f(p, 0.5, 1), p);\n"
    "}\n"
    "@vertex fn points(@builtin(vertex_index) v: u32) -> Out {\n"
    "    let hash = v * 2654435761u;\n"
    "    let p = (vec2f(vec2u(hash >> 22, (hash >> 12) & 1023)) + 0.5) / 1024;\n"
    "    return Out(vec4f(p * 2 - 1, 0, 1), vec4f(p, 1, 0.5), p);\n"
    "}\n"
    "@fragment fn plain(in: Out) -> @location(0) vec4f { return in.color; }\n"
    "@group(0) @binding(0) var picture: texture_2d<f32>;\n"
    "@group(0) @binding(1) var how: sampler;\n"
    "@fragment fn textured(in: Out) -> @location(0) vec4f {\n"
    "    return in.color * textureSample(picture, how, in.uv * 3);\n"
    "}\n"
    // Half a dozen operations of each kind, as a small material has.
    "@fragment fn shaded(in: Out) -> @location(0) vec4f {\n"
    "    let n = normalize(vec3f(in.uv - 0.5, 0.7));\n"
    "    let l = max(dot(n, normalize(vec3f(0.3, 0.5, 0.8))), 0.0);\n"
    "    return vec4f(in.color.rgb * l + pow(l, 16.0) * 0.25, 1);\n"
    "}\n";

struct scene {
    const char *name;
    const char *vertex;
    const char *fragment;
    uint32_t vertex_count;
    uint32_t instance_count;
    WGPUPrimitiveTopology topology;
    uint32_t sample_count;
    int has_blend;
    WGPUCompareFunction depth_compare; // Undefined: no depth
};

static const struct scene scenes[] = {
    {"fill", "layers", "plain", 3, 16, WGPUPrimitiveTopology_TriangleList, 1, 0,
     WGPUCompareFunction_Undefined},
    {"fill_hidden", "layers", "plain", 3, 16, WGPUPrimitiveTopology_TriangleList, 1, 0,
     WGPUCompareFunction_Less},
    {"fill_4_samples", "layers", "plain", 3, 8, WGPUPrimitiveTopology_TriangleList, 4, 0,
     WGPUCompareFunction_Always},
    {"blend", "layers", "plain", 3, 16, WGPUPrimitiveTopology_TriangleList, 1, 1,
     WGPUCompareFunction_Undefined},
    {"blend_4_samples", "layers", "plain", 3, 8, WGPUPrimitiveTopology_TriangleList, 4, 1,
     WGPUCompareFunction_Undefined},
    {"texture", "layers", "textured", 3, 8, WGPUPrimitiveTopology_TriangleList, 1, 0,
     WGPUCompareFunction_Undefined},
    {"shade", "layers", "shaded", 3, 8, WGPUPrimitiveTopology_TriangleList, 1, 0,
     WGPUCompareFunction_Undefined},
    {"triangles", "mesh", "plain", GRID *GRID * 6, 1, WGPUPrimitiveTopology_TriangleList, 1, 0,
     WGPUCompareFunction_Less},
    {"points", "points", "plain", 1u << 20, 1, WGPUPrimitiveTopology_PointList, 1, 0,
     WGPUCompareFunction_Undefined},
};

static WGPUTexture make_texture(const struct bench_gpu *gpu, WGPUTextureFormat format,
                                uint32_t side, uint32_t sample_count, WGPUTextureUsage usage) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = usage;
    descriptor.format = format;
    descriptor.size = (WGPUExtent3D){side, side, 1};
    descriptor.sampleCount = sample_count;
    return wgpuDeviceCreateTexture(gpu->device, &descriptor);
}

static WGPURenderPipeline make_pipeline(const struct bench_gpu *gpu, WGPUShaderModule module,
                                        const struct scene *scene) {
    WGPUBlendState blend = WGPU_BLEND_STATE_INIT;
    blend.color = (WGPUBlendComponent){WGPUBlendOperation_Add, WGPUBlendFactor_SrcAlpha,
                                       WGPUBlendFactor_OneMinusSrcAlpha};
    blend.alpha = blend.color;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    target.blend = scene->has_blend ? &blend : NULL;
    target.writeMask = WGPUColorWriteMask_All;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.entryPoint = bench_view(scene->fragment);
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPUDepthStencilState depth = WGPU_DEPTH_STENCIL_STATE_INIT;
    depth.format = WGPUTextureFormat_Depth32Float;
    depth.depthWriteEnabled = WGPUOptionalBool_True;
    depth.depthCompare = scene->depth_compare;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = module;
    descriptor.vertex.entryPoint = bench_view(scene->vertex);
    descriptor.primitive.topology = scene->topology;
    descriptor.multisample.count = scene->sample_count;
    descriptor.fragment = &fragment;
    if (scene->depth_compare != WGPUCompareFunction_Undefined) {
        descriptor.depthStencil = &depth;
    }
    return wgpuDeviceCreateRenderPipeline(gpu->device, &descriptor);
}

// ---------------------------------------------------------------- a scene's objects

struct stage {
    const struct scene *scene;
    WGPURenderPipeline pipeline;
    WGPUTexture color, samples, depth, picture;
    WGPUTextureView color_view, samples_view, depth_view, picture_view;
    WGPUSampler sampler;
    WGPUBindGroup group;
    WGPUBuffer result, staging;
};

static void bind_picture(const struct bench_gpu *gpu, struct stage *stage) {
    static uint32_t texels[TEXTURE * TEXTURE];
    for (uint32_t i = 0; i < TEXTURE * TEXTURE; i++) {
        texels[i] = i * 2654435761u | 0xff000000u;
    }
    stage->picture = make_texture(gpu, WGPUTextureFormat_RGBA8Unorm, TEXTURE, 1,
                                  WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst);
    stage->picture_view = wgpuTextureCreateView(stage->picture, NULL);
    WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    to.texture = stage->picture;
    WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    layout.bytesPerRow = TEXTURE * 4;
    WGPUExtent3D extent = {TEXTURE, TEXTURE, 1};
    wgpuQueueWriteTexture(gpu->queue, &to, texels, sizeof(texels), &layout, &extent);
    WGPUSamplerDescriptor sampler = WGPU_SAMPLER_DESCRIPTOR_INIT;
    sampler.addressModeU = sampler.addressModeV = WGPUAddressMode_Repeat;
    sampler.magFilter = sampler.minFilter = WGPUFilterMode_Linear;
    stage->sampler = wgpuDeviceCreateSampler(gpu->device, &sampler);
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    entries[0].textureView = stage->picture_view;
    entries[1].binding = 1;
    entries[1].sampler = stage->sampler;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = wgpuRenderPipelineGetBindGroupLayout(stage->pipeline, 0);
    descriptor.entryCount = 2;
    descriptor.entries = entries;
    stage->group = wgpuDeviceCreateBindGroup(gpu->device, &descriptor);
    wgpuBindGroupLayoutRelease(descriptor.layout);
}

static struct stage make_stage(const struct bench_gpu *gpu, WGPUShaderModule module,
                               const struct scene *scene) {
    const WGPUTextureUsage target = WGPUTextureUsage_RenderAttachment;
    struct stage stage = {.scene = scene};
    stage.pipeline = make_pipeline(gpu, module, scene);
    stage.color = make_texture(gpu, WGPUTextureFormat_RGBA8Unorm, SIDE, 1,
                               target | WGPUTextureUsage_CopySrc);
    stage.color_view = wgpuTextureCreateView(stage.color, NULL);
    if (scene->sample_count != 1) {
        stage.samples =
            make_texture(gpu, WGPUTextureFormat_RGBA8Unorm, SIDE, scene->sample_count, target);
        stage.samples_view = wgpuTextureCreateView(stage.samples, NULL);
    }
    if (scene->depth_compare != WGPUCompareFunction_Undefined) {
        stage.depth =
            make_texture(gpu, WGPUTextureFormat_Depth32Float, SIDE, scene->sample_count, target);
        stage.depth_view = wgpuTextureCreateView(stage.depth, NULL);
    }
    if (strcmp(scene->fragment, "textured") == 0) {
        bind_picture(gpu, &stage);
    }
    stage.result = bench_buffer(gpu, WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc,
                                SIDE * SIDE * 4, NULL);
    stage.staging = bench_buffer(gpu, WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead,
                                 SIDE * SIDE * 4, NULL);
    return stage;
}

static void free_stage(struct stage *stage) {
    WGPUTexture textures[] = {stage->color, stage->samples, stage->depth, stage->picture};
    WGPUTextureView views[] = {
        stage->color_view, stage->samples_view, stage->depth_view, stage->picture_view};
    for (int i = 0; i < 4; i++) {
        if (textures[i] != NULL) {
            wgpuTextureViewRelease(views[i]);
            wgpuTextureRelease(textures[i]);
        }
    }
    if (stage->group != NULL) {
        wgpuBindGroupRelease(stage->group);
        wgpuSamplerRelease(stage->sampler);
    }
    wgpuBufferRelease(stage->result);
    wgpuBufferRelease(stage->staging);
    wgpuRenderPipelineRelease(stage->pipeline);
}

// ---------------------------------------------------------------- frames

static void submit(const struct bench_gpu *gpu, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

static void draw_frame(const struct bench_gpu *gpu, const struct stage *stage) {
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = stage->samples_view != NULL ? stage->samples_view : stage->color_view;
    color.resolveTarget = stage->samples_view != NULL ? stage->color_view : NULL;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDepthStencilAttachment depth = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth.view = stage->depth_view;
    depth.depthLoadOp = WGPULoadOp_Clear;
    depth.depthStoreOp = WGPUStoreOp_Store;
    depth.depthClearValue = 1;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    descriptor.depthStencilAttachment = stage->depth_view != NULL ? &depth : NULL;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, stage->pipeline);
    if (stage->group != NULL) {
        wgpuRenderPassEncoderSetBindGroup(pass, 0, stage->group, 0, NULL);
    }
    wgpuRenderPassEncoderDraw(pass, stage->scene->vertex_count, stage->scene->instance_count, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    submit(gpu, encoder);
    bench_finish_queue(gpu);
}

static double sum_picture(const struct bench_gpu *gpu, const struct stage *stage) {
    static uint8_t bytes[SIDE * SIDE * 4];
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = stage->color;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = stage->result;
    to.layout.bytesPerRow = SIDE * 4;
    to.layout.rowsPerImage = SIDE;
    WGPUExtent3D extent = {SIDE, SIDE, 1};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);
    submit(gpu, encoder);
    bench_read(gpu, stage->result, stage->staging, bytes, sizeof(bytes));
    double sum = 0;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        sum += bytes[i];
    }
    return sum;
}

static void measure(const struct bench_gpu *gpu, WGPUShaderModule module,
                    const struct scene *scene) {
    struct stage stage = make_stage(gpu, module, scene);
    double least_cpu = INFINITY, least_wall = INFINITY;
    draw_frame(gpu, &stage); // compiles, touches all memory
    for (int i = 0; i < FRAMES; i++) {
        double cpu = bench_cpu_ms(), wall = bench_wall_ms();
        draw_frame(gpu, &stage);
        cpu = bench_cpu_ms() - cpu;
        wall = bench_wall_ms() - wall;
        least_cpu = cpu < least_cpu ? cpu : least_cpu;
        least_wall = wall < least_wall ? wall : least_wall;
    }
    printf("draw %s %.4f %.4f %.0f\n", scene->name, least_cpu, least_wall,
           sum_picture(gpu, &stage));
    fflush(stdout);
    free_stage(&stage);
}

void bench_draws(const struct bench_gpu *gpu) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = bench_view(code);
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(gpu->device, &descriptor);
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        measure(gpu, module, &scenes[i]);
    }
    wgpuShaderModuleRelease(module);
}
