// SPDX-License-Identifier: MIT
//
// Calls in any order, with any of the handles and with odd numbers: nothing crashes, nothing leaks, and
// each future calls back once. The seed of a run is printed when it fails.
#include "api_freed.h"

#include "base/memory.h"

#define SLOT_COUNT 6
#define CALL_COUNT 1500

struct world {
    struct api api;
    uint64_t state; // of the generator
    WGPUBuffer buffers[SLOT_COUNT];
    WGPUBindGroupLayout layouts[SLOT_COUNT];
    WGPUBindGroup groups[SLOT_COUNT];
    WGPUPipelineLayout pipeline_layouts[SLOT_COUNT];
    WGPUShaderModule modules[SLOT_COUNT];
    WGPUComputePipeline pipelines[SLOT_COUNT];
    WGPUCommandEncoder encoders[SLOT_COUNT];
    WGPUComputePassEncoder passes[SLOT_COUNT];
    WGPUCommandBuffer commands[SLOT_COUNT];
    atomic_int asked;
    atomic_int answered;
};

static uint32_t next(struct world *w) {
    // xorshift64*
    w->state ^= w->state >> 12;
    w->state ^= w->state << 25;
    w->state ^= w->state >> 27;
    return (uint32_t)((w->state * UINT64_C(2685821657736338717)) >> 32);
}

static uint32_t below(struct world *w, uint32_t bound) {
    return next(w) % bound;
}

// Mostly small and aligned, sometimes not, sometimes absurd.
static uint64_t odd_number(struct world *w) {
    switch (below(w, 8)) {
    case 0:
        return below(w, 64);
    case 1:
        return UINT64_MAX - below(w, 16);
    case 2:
        return (uint64_t)next(w) << 20;
    default:
        return (uint64_t)below(w, 9) * 256;
    }
}

#define SLOT(array) (w->array[below(w, SLOT_COUNT)])
// Puts a new handle into a slot and gives back the one that was there.
#define KEEP(Kind, array, handle) \
    do { \
        WGPU##Kind *slot = &SLOT(array); \
        WGPU##Kind fresh = (handle); \
        if (*slot != NULL) { \
            wgpu##Kind##Release(*slot); \
        } \
        *slot = fresh; \
    } while (0)

static WGPUCallbackMode any_mode(struct world *w) {
    return (WGPUCallbackMode)(1 + below(w, 3));
}

static void on_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    atomic_fetch_add(&((struct world *)userdata1)->answered, 1);
}

static void on_done(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    atomic_fetch_add(&((struct world *)userdata1)->answered, 1);
}

static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
    void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(type);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    atomic_fetch_add(&((struct world *)userdata1)->answered, 1);
}

static void on_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    if (pipeline != NULL) {
        wgpuComputePipelineRelease(pipeline);
    }
    atomic_fetch_add(&((struct world *)userdata1)->answered, 1);
}

static WGPUBuffer new_buffer(struct world *w) {
    static const WGPUBufferUsage usages[] = {
        0x000F, 0x0009, 0x0006, 0x008C, 0x004C, 0x018C, 0, 0xFFFF};
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = usages[below(w, 8)];
    descriptor.size = odd_number(w);
    descriptor.mappedAtCreation = below(w, 3) == 0;
    return wgpuDeviceCreateBuffer(w->api.device, &descriptor);
}

static WGPUBindGroupLayout new_layout(struct world *w) {
    WGPUBindGroupLayoutEntry entries[3];
    for (uint32_t i = 0; i < 3; i++) {
        entries[i] = (WGPUBindGroupLayoutEntry){0};
        entries[i].binding = below(w, 8) == 0 ? next(w) : i;
        entries[i].visibility = below(w, 10);
        entries[i].buffer.type = (WGPUBufferBindingType)below(w, 6);
        entries[i].buffer.hasDynamicOffset = below(w, 4) == 0;
        entries[i].buffer.minBindingSize = below(w, 4) == 0 ? odd_number(w) : 0;
    }
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.entryCount = below(w, 4);
    descriptor.entries = entries;
    return wgpuDeviceCreateBindGroupLayout(w->api.device, &descriptor);
}

static WGPUBindGroup new_group(struct world *w) {
    WGPUBindGroupEntry entries[3];
    for (uint32_t i = 0; i < 3; i++) {
        entries[i] = (WGPUBindGroupEntry){0};
        entries[i].binding = below(w, 8) == 0 ? next(w) : i;
        entries[i].buffer = SLOT(buffers);
        entries[i].offset = odd_number(w);
        entries[i].size = below(w, 2) == 0 ? WGPU_WHOLE_SIZE : odd_number(w);
    }
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = SLOT(layouts);
    descriptor.entryCount = below(w, 4);
    descriptor.entries = entries;
    return wgpuDeviceCreateBindGroup(w->api.device, &descriptor);
}

static WGPUShaderModule new_module(struct world *w) {
    static const char *const codes[] = {"@compute @workgroup_size(1) fn main() {}",
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
        "@compute @workgroup_size(64) fn main() { a[0] = 1; }",
        "@group(0) @binding(0) var<uniform> a: vec4f;\n"
        "@group(0) @binding(1) var<storage> b: array<f32>;\n"
        "@compute @workgroup_size(8, 8) fn main() { _ = a; _ = b[1]; }",
        "override n = 3u; @compute @workgroup_size(n) fn main() {}", "fn broken(", "",
        "@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }"};
    return api_shader(&w->api, codes[below(w, 7)]);
}

static void describe_pipeline(struct world *w, WGPUComputePipelineDescriptor *descriptor) {
    static WGPUConstantEntry constant = {NULL, {"n", 1}, 0};
    constant.value = (double)below(w, 300) - 5;
    static const WGPUComputePipelineDescriptor defaults = {
        .compute = {.entryPoint = {NULL, SIZE_MAX}}};
    *descriptor = defaults;
    descriptor->compute.module = SLOT(modules);
    descriptor->layout = below(w, 2) == 0 ? NULL : SLOT(pipeline_layouts);
    descriptor->compute.constants = &constant;
    descriptor->compute.constantCount = below(w, 6) == 0;
}

static void call_create(struct world *w) {
    WGPUComputePipelineDescriptor pipeline;
    switch (below(w, 9)) {
    case 0:
    case 1:
        KEEP(Buffer, buffers, new_buffer(w));
        break;
    case 2:
        KEEP(BindGroupLayout, layouts, new_layout(w));
        break;
    case 3:
        KEEP(BindGroup, groups, new_group(w));
        break;
    case 4: {
        WGPUBindGroupLayout list[5] = {
            SLOT(layouts), SLOT(layouts), SLOT(layouts), SLOT(layouts), SLOT(layouts)};
        WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
        descriptor.bindGroupLayoutCount = below(w, 6);
        descriptor.bindGroupLayouts = list;
        descriptor.immediateSize = below(w, 4) == 0 ? next(w) : 0;
        KEEP(PipelineLayout, pipeline_layouts,
            wgpuDeviceCreatePipelineLayout(w->api.device, &descriptor));
        break;
    }
    case 5:
        KEEP(ShaderModule, modules, new_module(w));
        break;
    case 6:
        describe_pipeline(w, &pipeline);
        KEEP(ComputePipeline, pipelines, wgpuDeviceCreateComputePipeline(w->api.device, &pipeline));
        break;
    case 7: {
        WGPUCreateComputePipelineAsyncCallbackInfo info =
            WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
        info.mode = any_mode(w);
        info.callback = on_pipeline;
        info.userdata1 = w;
        describe_pipeline(w, &pipeline);
        atomic_fetch_add(&w->asked, 1);
        wgpuDeviceCreateComputePipelineAsync(w->api.device, &pipeline, info);
        break;
    }
    default:
        if (SLOT(pipelines) != NULL) {
            WGPUComputePipeline from = SLOT(pipelines);
            if (from != NULL) {
                KEEP(BindGroupLayout, layouts,
                    wgpuComputePipelineGetBindGroupLayout(from, below(w, 6)));
            }
        }
        break;
    }
}

static void call_buffer(struct world *w) {
    WGPUBuffer buffer = SLOT(buffers);
    if (buffer == NULL) {
        return;
    }
    unsigned char bytes[64] = {0};
    switch (below(w, 10)) {
    case 0:
        wgpuBufferDestroy(buffer);
        break;
    case 1:
    case 2:
        wgpuBufferUnmap(buffer);
        break;
    case 3: {
        void *range = wgpuBufferGetMappedRange(buffer, odd_number(w), below(w, 2) == 0 ? 64 : 4);
        if (range != NULL) {
            memset(range, 7, 4);
        }
        break;
    }
    case 4:
        wgpuBufferReadMappedRange(buffer, odd_number(w), bytes, below(w, 65));
        break;
    case 5:
        wgpuBufferWriteMappedRange(buffer, odd_number(w), bytes, below(w, 65));
        break;
    case 6:
        wgpuQueueWriteBuffer(w->api.queue, buffer, odd_number(w), bytes, below(w, 65));
        break;
    default: {
        WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
        info.mode = any_mode(w);
        info.callback = on_map;
        info.userdata1 = w;
        atomic_fetch_add(&w->asked, 1);
        WGPUFuture future = wgpuBufferMapAsync(buffer, 1 + below(w, 3), odd_number(w),
            below(w, 2) == 0 ? WGPU_WHOLE_MAP_SIZE : odd_number(w), info);
        if (below(w, 2) == 0) {
            api_wait(w->api.instance, future);
        }
        break;
    }
    }
}

static void call_pass(struct world *w) {
    WGPUComputePassEncoder pass = SLOT(passes);
    if (pass == NULL) {
        return;
    }
    uint32_t offsets[3] = {below(w, 5) * 256, below(w, 600), 0};
    unsigned char bytes[80] = {0};
    switch (below(w, 10)) {
    case 0:
        wgpuComputePassEncoderEnd(pass);
        break;
    case 1:
        wgpuComputePassEncoderSetPipeline(pass, SLOT(pipelines));
        break;
    case 2:
    case 3:
        wgpuComputePassEncoderSetBindGroup(pass, below(w, 5), SLOT(groups), below(w, 3), offsets);
        break;
    case 4:
        wgpuComputePassEncoderSetImmediates(pass, below(w, 70), bytes, below(w, 80));
        break;
    case 5:
        wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, SLOT(buffers), odd_number(w));
        break;
    case 6:
        wgpuComputePassEncoderPushDebugGroup(pass, api_view("g"));
        break;
    case 7:
        wgpuComputePassEncoderPopDebugGroup(pass);
        break;
    default:
        wgpuComputePassEncoderDispatchWorkgroups(pass, below(w, 3), below(w, 70000), 1);
        break;
    }
}

static void call_encoder(struct world *w) {
    if (below(w, 4) == 0) {
        KEEP(CommandEncoder, encoders, wgpuDeviceCreateCommandEncoder(w->api.device, NULL));
        return;
    }
    WGPUCommandEncoder encoder = SLOT(encoders);
    if (encoder == NULL) {
        return;
    }
    switch (below(w, 6)) {
    case 0:
        KEEP(ComputePassEncoder, passes, wgpuCommandEncoderBeginComputePass(encoder, NULL));
        break;
    case 1:
        wgpuCommandEncoderCopyBufferToBuffer(
            encoder, SLOT(buffers), odd_number(w), SLOT(buffers), odd_number(w), odd_number(w));
        break;
    case 2:
        wgpuCommandEncoderClearBuffer(encoder, SLOT(buffers), odd_number(w), odd_number(w));
        break;
    case 3:
        wgpuCommandEncoderPushDebugGroup(encoder, api_view("g"));
        wgpuCommandEncoderPopDebugGroup(encoder);
        break;
    default:
        KEEP(CommandBuffer, commands, wgpuCommandEncoderFinish(encoder, NULL));
        break;
    }
}

static void call_queue(struct world *w) {
    WGPUCommandBuffer list[3] = {SLOT(commands), SLOT(commands), SLOT(commands)};
    switch (below(w, 6)) {
    case 0:
    case 1:
        wgpuQueueSubmit(w->api.queue, below(w, 4), list);
        break;
    case 2: {
        WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
        info.mode = any_mode(w);
        info.callback = on_done;
        info.userdata1 = w;
        atomic_fetch_add(&w->asked, 1);
        wgpuQueueOnSubmittedWorkDone(w->api.queue, info);
        break;
    }
    case 3:
        wgpuDevicePushErrorScope(w->api.device, (WGPUErrorFilter)(1 + below(w, 4)));
        break;
    case 4: {
        WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
        info.mode = any_mode(w);
        info.callback = on_scope;
        info.userdata1 = w;
        atomic_fetch_add(&w->asked, 1);
        wgpuDevicePopErrorScope(w->api.device, info);
        break;
    }
    default:
        wgpuInstanceProcessEvents(w->api.instance);
        break;
    }
}

#define RELEASE_ALL(Kind, array) \
    for (int i = 0; i < SLOT_COUNT; i++) { \
        if (w->array[i] != NULL) { \
            wgpu##Kind##Release(w->array[i]); \
        } \
    }

static void run(struct world *w, uint64_t seed) {
    memset(w, 0, sizeof(*w));
    if (!api_begin(&w->api)) {
        return;
    }
    w->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    bool is_destroyed = seed % 5 == 0;
    bool is_short_of_memory = seed % 3 == 0;
    for (int i = 0; i < CALL_COUNT; i++) {
        if (is_destroyed && i == CALL_COUNT / 2) {
            wgpuDeviceDestroy(w->api.device);
        }
        if (is_short_of_memory && below(w, 20) == 0) {
            memory_fail_after(below(w, 40), below(w, 8) == 0);
        } else if (is_short_of_memory && below(w, 10) == 0) {
            memory_fail_after(-1, false);
        }
        switch (below(w, 5)) {
        case 0:
            call_create(w);
            break;
        case 1:
            call_buffer(w);
            break;
        case 2:
            call_encoder(w);
            break;
        case 3:
            call_pass(w);
            break;
        default:
            call_queue(w);
            break;
        }
    }
    memory_fail_after(-1, false);
    RELEASE_ALL(CommandBuffer, commands)
    RELEASE_ALL(ComputePassEncoder, passes)
    RELEASE_ALL(CommandEncoder, encoders)
    RELEASE_ALL(BindGroup, groups)
    RELEASE_ALL(Buffer, buffers)
    RELEASE_ALL(BindGroupLayout, layouts)
    RELEASE_ALL(PipelineLayout, pipeline_layouts)
    RELEASE_ALL(ComputePipeline, pipelines)
    RELEASE_ALL(ShaderModule, modules)
    api_end(&w->api);
}

TEST(any_order_of_calls_is_survived) {
    static struct world world;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        run(&world, seed);
        // The instance was released: nothing is left to be answered.
        bool ok = CHECK(api_is_all_freed());
        ok = CHECK_EQ(atomic_load(&world.answered), atomic_load(&world.asked)) && ok;
        if (!ok) {
            fprintf(stderr, "    seed %llu\n", (unsigned long long)seed);
            return;
        }
    }
}

CHECK_MAIN(any_order_of_calls_is_survived)
