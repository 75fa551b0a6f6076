// SPDX-License-Identifier: MIT
//
// What the API itself costs: compiling, dispatching, submitting, writing, reading back.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define ROUNDS 5

static const char tiny_wgsl[] =
    "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
    "@compute @workgroup_size(1) fn main() { b[0] += 1u; }\n";

struct clocks {
    double cpu_us, wall_us;
};

static struct clocks clocks_now(void) {
    return (struct clocks){bench_cpu_ms() * 1e3, bench_wall_ms() * 1e3};
}

static void keep_least(struct clocks *least, struct clocks start, double count) {
    struct clocks now = clocks_now();
    double cpu = (now.cpu_us - start.cpu_us) / count;
    double wall = (now.wall_us - start.wall_us) / count;
    least->cpu_us = cpu < least->cpu_us ? cpu : least->cpu_us;
    least->wall_us = wall < least->wall_us ? wall : least->wall_us;
}

static void print_cost(const char *name, struct clocks least) {
    printf("cost %s %.4f %.4f -\n", name, least.cpu_us, least.wall_us);
    fflush(stdout);
}

static const struct clocks no_clocks = {INFINITY, INFINITY};

// A shader of about `functions` * 10 lines, different for each seed so that no cache answers.
static char *make_shader(int functions, int seed) {
    size_t capacity = 1024 + (size_t)functions * 640;
    char *text = malloc(capacity);
    if (text == NULL) {
        bench_fail("shader text", "out of memory");
    }
    size_t length = (size_t)snprintf(
        text, capacity, "@group(0) @binding(1) var<storage, read_write> b: array<f32>;\n");
    for (int i = 0; i < functions; i++) {
        length += (size_t)snprintf(
            text + length, capacity - length,
            "fn step%d(x: vec3f, n: u32) -> vec3f {\n"
            "    var v = x * %d.5;\n"
            "    for (var k = 0u; k < n; k++) {\n"
            "        let t = dot(v, x) + f32(k);\n"
            "        if (t > 10.0) {\n"
            "            v = v.yzx - vec3f(t, 1.0, %d.0);\n"
            "        }\n"
            "    }\n"
            "    return select(v, x, v < vec3f(0.0));\n"
            "}\n",
            i, i % 9 + 1, seed);
    }
    length += (size_t)snprintf(text + length, capacity - length,
                               "@compute @workgroup_size(64)\n"
                               "fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                               "    var v = vec3f(id);\n");
    for (int i = 0; i < functions; i++) {
        length += (size_t)snprintf(text + length, capacity - length,
                                   "    v = step%d(v, id.x %% 3u);\n", i);
    }
    snprintf(text + length, capacity - length, "    b[id.x] = v.x + v.y + v.z;\n}\n");
    return text;
}

static void measure_compile(const struct bench_gpu *gpu, const char *name, int functions) {
    struct clocks module_least = no_clocks, pipeline_least = no_clocks;
    for (int round = 0; round < 3; round++) {
        char *text = make_shader(functions, round);
        struct clocks start = clocks_now();
        WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
        source.code = bench_view(text);
        WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
        descriptor.nextInChain = &source.chain;
        WGPUShaderModule module = wgpuDeviceCreateShaderModule(gpu->device, &descriptor);
        keep_least(&module_least, start, 1);
        wgpuShaderModuleRelease(module);

        start = clocks_now();
        WGPUBuffer b = bench_buffer(gpu, WGPUBufferUsage_Storage, 4096, NULL);
        WGPUComputePipeline pipeline = bench_pipeline(gpu, text, "main");
        WGPUBindGroup group = bench_group(gpu, pipeline, NULL, b);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        wgpuComputePassEncoderSetPipeline(pass, pipeline);
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        wgpuComputePassEncoderEnd(pass);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(gpu->queue, 1, &commands);
        bench_finish_queue(gpu);
        keep_least(&pipeline_least, start, 1);
        wgpuCommandBufferRelease(commands);
        wgpuComputePassEncoderRelease(pass);
        wgpuCommandEncoderRelease(encoder);
        wgpuBindGroupRelease(group);
        wgpuComputePipelineRelease(pipeline);
        wgpuBufferRelease(b);
        free(text);
    }
    char line[64];
    snprintf(line, sizeof(line), "module_%s", name);
    print_cost(line, module_least);
    snprintf(line, sizeof(line), "first_dispatch_%s", name);
    print_cost(line, pipeline_least);
}

static void measure_dispatches(const struct bench_gpu *gpu, WGPUComputePipeline pipeline,
                               WGPUBindGroup group) {
    enum { COUNT = 10000 };
    struct clocks encode = no_clocks, whole = no_clocks;
    for (int round = 0; round < ROUNDS; round++) {
        struct clocks start = clocks_now();
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        wgpuComputePassEncoderSetPipeline(pass, pipeline);
        for (int i = 0; i < COUNT; i++) {
            wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
            wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        }
        wgpuComputePassEncoderEnd(pass);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        keep_least(&encode, start, COUNT);
        wgpuQueueSubmit(gpu->queue, 1, &commands);
        bench_finish_queue(gpu);
        keep_least(&whole, start, COUNT);
        wgpuCommandBufferRelease(commands);
        wgpuComputePassEncoderRelease(pass);
        wgpuCommandEncoderRelease(encoder);
    }
    print_cost("encode_dispatch", encode);
    print_cost("dispatch_of_10000", whole);
}

// Sets another group before each dispatch, so that nothing is the same as before.
static void measure_groups(const struct bench_gpu *gpu, WGPUComputePipeline pipeline,
                           WGPUBindGroup first, WGPUBindGroup second) {
    enum { COUNT = 10000 };
    WGPUBindGroup groups[2] = {first, second};
    struct clocks encode = no_clocks;
    for (int round = 0; round < ROUNDS; round++) {
        struct clocks start = clocks_now();
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        wgpuComputePassEncoderSetPipeline(pass, pipeline);
        for (int i = 0; i < COUNT; i++) {
            wgpuComputePassEncoderSetBindGroup(pass, 0, groups[i & 1], 0, NULL);
            wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        }
        wgpuComputePassEncoderEnd(pass);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        keep_least(&encode, start, COUNT);
        wgpuCommandBufferRelease(commands);
        wgpuComputePassEncoderRelease(pass);
        wgpuCommandEncoderRelease(encoder);
    }
    print_cost("encode_set_group_dispatch", encode);
}

static const char draw_wgsl[] =
    "@group(0) @binding(1) var<uniform> b: vec4f;\n"
    "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p + b; }\n"
    "@fragment fn fs() -> @location(0) f32 { return 0; }\n";

static WGPURenderPipeline make_draw_pipeline(const struct bench_gpu *gpu) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = bench_view(draw_wgsl);
    WGPUShaderModuleDescriptor module_descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    module_descriptor.nextInChain = &source.chain;
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(gpu->device, &module_descriptor);
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    attribute.format = WGPUVertexFormat_Float32x4;
    WGPUVertexBufferLayout layout = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    layout.stepMode = WGPUVertexStepMode_Vertex;
    layout.arrayStride = 16;
    layout.attributeCount = 1;
    layout.attributes = &attribute;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_R8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = 1;
    descriptor.vertex.buffers = &layout;
    descriptor.fragment = &fragment;
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(gpu->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static WGPUBindGroup make_draw_group(const struct bench_gpu *gpu, WGPURenderPipeline pipeline,
                                     WGPUBuffer buffer) {
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = 1;
    entry.buffer = buffer;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(gpu->device, &descriptor);
    wgpuBindGroupLayoutRelease(descriptor.layout);
    return group;
}

// Sets another group and another part of a vertex buffer before each draw of a pass of `count`; submits nothing.
static void measure_draws(const struct bench_gpu *gpu, const char *name, int count) {
    WGPURenderPipeline pipeline = make_draw_pipeline(gpu);
    WGPUBuffer uniform = bench_buffer(gpu, WGPUBufferUsage_Uniform, 256, NULL);
    WGPUBuffer vertices = bench_buffer(gpu, WGPUBufferUsage_Vertex, 256, NULL);
    WGPUBindGroup groups[2] = {make_draw_group(gpu, pipeline, uniform),
                               make_draw_group(gpu, pipeline, uniform)};
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = WGPUTextureUsage_RenderAttachment;
    descriptor.format = WGPUTextureFormat_R8Unorm;
    descriptor.size = (WGPUExtent3D){16, 16, 1};
    WGPUTexture texture = wgpuDeviceCreateTexture(gpu->device, &descriptor);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = wgpuTextureCreateView(texture, NULL);
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass_descriptor.colorAttachmentCount = 1;
    pass_descriptor.colorAttachments = &color;
    struct clocks encode = no_clocks;
    for (int round = 0; round < ROUNDS; round++) {
        struct clocks start = clocks_now();
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
        WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor);
        wgpuRenderPassEncoderSetPipeline(pass, pipeline);
        for (int i = 0; i < count; i++) {
            wgpuRenderPassEncoderSetBindGroup(pass, 0, groups[i & 1], 0, NULL);
            wgpuRenderPassEncoderSetVertexBuffer(pass, 0, vertices, (uint64_t)(i & 1) * 16,
                                                 WGPU_WHOLE_SIZE);
            wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
        }
        wgpuRenderPassEncoderEnd(pass);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        keep_least(&encode, start, count);
        wgpuCommandBufferRelease(commands);
        wgpuRenderPassEncoderRelease(pass);
        wgpuCommandEncoderRelease(encoder);
    }
    print_cost(name, encode);
    wgpuTextureViewRelease(color.view);
    wgpuTextureRelease(texture);
    wgpuBindGroupRelease(groups[0]);
    wgpuBindGroupRelease(groups[1]);
    wgpuBufferRelease(vertices);
    wgpuBufferRelease(uniform);
    wgpuRenderPipelineRelease(pipeline);
}

// Making and letting go of a bind group of `count` storage buffers.
static void measure_group_creation(const struct bench_gpu *gpu, uint32_t count, WGPUBuffer b) {
    enum { COUNT = 10000 };
    WGPUBindGroupLayoutEntry slots[8];
    WGPUBindGroupEntry entries[8];
    for (uint32_t i = 0; i < count; i++) {
        WGPUBindGroupLayoutEntry slot = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        slot.binding = i;
        slot.visibility = WGPUShaderStage_Compute;
        slot.buffer.type = WGPUBufferBindingType_ReadOnlyStorage;
        entry.binding = i;
        entry.buffer = b;
        slots[i] = slot;
        entries[i] = entry;
    }
    WGPUBindGroupLayoutDescriptor layout_descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.entryCount = count;
    layout_descriptor.entries = slots;
    WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(gpu->device, &layout_descriptor);
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = count;
    descriptor.entries = entries;
    struct clocks create = no_clocks;
    for (int round = 0; round < ROUNDS; round++) {
        struct clocks start = clocks_now();
        for (int i = 0; i < COUNT; i++) {
            wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(gpu->device, &descriptor));
        }
        keep_least(&create, start, COUNT);
    }
    wgpuBindGroupLayoutRelease(layout);
    char name[64];
    snprintf(name, sizeof(name), "bind_group_of_%u", (unsigned)count);
    print_cost(name, create);
}

static void measure_queue(const struct bench_gpu *gpu, WGPUBuffer b) {
    struct clocks submit = no_clocks, write = no_clocks, read = no_clocks;
    WGPUBuffer staging =
        bench_buffer(gpu, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 256, NULL);
    uint32_t bytes[64] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct clocks start = clocks_now();
        for (int i = 0; i < 200; i++) {
            wgpuQueueSubmit(gpu->queue, 0, NULL);
            bench_finish_queue(gpu);
        }
        keep_least(&submit, start, 200);
        start = clocks_now();
        for (int i = 0; i < 10000; i++) {
            wgpuQueueWriteBuffer(gpu->queue, b, 0, bytes, 64);
        }
        keep_least(&write, start, 10000);
        bench_finish_queue(gpu);
        start = clocks_now();
        for (int i = 0; i < 200; i++) {
            bench_read(gpu, b, staging, bytes, 256);
        }
        keep_least(&read, start, 200);
    }
    wgpuBufferRelease(staging);
    print_cost("empty_submit_and_wait", submit);
    print_cost("write_buffer_64", write);
    print_cost("copy_submit_map_read", read);
}

void bench_overhead(const struct bench_gpu *gpu) {
    WGPUBuffer b = bench_buffer(
        gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc, 256,
        NULL);
    WGPUComputePipeline pipeline = bench_pipeline(gpu, tiny_wgsl, "main");
    WGPUBindGroup group = bench_group(gpu, pipeline, NULL, b);
    WGPUBindGroup other = bench_group(gpu, pipeline, NULL, b);
    measure_dispatches(gpu, pipeline, group);
    measure_groups(gpu, pipeline, group, other);
    measure_draws(gpu, "encode_draw_of_1000", 1000);
    measure_draws(gpu, "encode_draw_of_100000", 100000);
    measure_group_creation(gpu, 1, b);
    measure_group_creation(gpu, 8, b);
    measure_queue(gpu, b);
    measure_compile(gpu, "10_lines", 1);
    measure_compile(gpu, "1000_lines", 100);
    wgpuBindGroupRelease(other);
    wgpuBindGroupRelease(group);
    wgpuComputePipelineRelease(pipeline);
    wgpuBufferRelease(b);
}
