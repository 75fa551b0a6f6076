// SPDX-License-Identifier: MIT
//
// Opening a device, buffers, pipelines and clocks for the benchmark.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void bench_fail(const char *what, const char *reason) {
    fprintf(stderr, "bench: %s: %s\n", what, reason);
    exit(1);
}

WGPUStringView bench_view(const char *string) {
    return (WGPUStringView){string, WGPU_STRLEN};
}

static void print_view(WGPUStringView view) {
    size_t length = view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
    fprintf(stderr, "bench: %.*s\n", (int)length, view.data == NULL ? "" : view.data);
}

static void receive_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
                            WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    if (status != WGPURequestAdapterStatus_Success) {
        print_view(message);
    }
    *(WGPUAdapter *)userdata1 = adapter;
}

static void receive_device(WGPURequestDeviceStatus status, WGPUDevice device,
                           WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    if (status != WGPURequestDeviceStatus_Success) {
        print_view(message);
    }
    *(WGPUDevice *)userdata1 = device;
}

static void receive_error(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message,
                          void *userdata1, void *userdata2) {
    (void)device, (void)type, (void)userdata1, (void)userdata2;
    print_view(message);
    exit(1);
}

void bench_wait(const struct bench_gpu *gpu, WGPUFuture future) {
    WGPUFutureWaitInfo wait = {.future = future};
    if (wgpuInstanceWaitAny(gpu->instance, 1, &wait, UINT64_MAX) != WGPUWaitStatus_Success) {
        bench_fail("wgpuInstanceWaitAny", "no success");
    }
}

struct bench_gpu bench_open(void) {
    struct bench_gpu gpu = {0};
    WGPUInstanceFeatureName features[] = {WGPUInstanceFeatureName_TimedWaitAny};
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = features;
    gpu.instance = wgpuCreateInstance(&descriptor);

    WGPURequestAdapterCallbackInfo adapter_callback = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    adapter_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    adapter_callback.callback = receive_adapter;
    adapter_callback.userdata1 = &gpu.adapter;
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    const char *wanted = getenv("ALBA_BENCH_BACKEND");
    if (wanted != NULL && strcmp(wanted, "null") == 0) {
        options.backendType = WGPUBackendType_Null;
    }
    bench_wait(&gpu, wgpuInstanceRequestAdapter(gpu.instance, &options, adapter_callback));
    if (gpu.adapter == NULL) {
        bench_fail("wgpuInstanceRequestAdapter", "no adapter");
    }
    WGPUDeviceDescriptor device_descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    device_descriptor.uncapturedErrorCallbackInfo.callback = receive_error;
    WGPURequestDeviceCallbackInfo device_callback = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    device_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    device_callback.callback = receive_device;
    device_callback.userdata1 = &gpu.device;
    bench_wait(&gpu, wgpuAdapterRequestDevice(gpu.adapter, &device_descriptor, device_callback));
    if (gpu.device == NULL) {
        bench_fail("wgpuAdapterRequestDevice", "no device");
    }
    gpu.queue = wgpuDeviceGetQueue(gpu.device);
    return gpu;
}

void bench_close(struct bench_gpu *gpu) {
    wgpuQueueRelease(gpu->queue);
    wgpuDeviceRelease(gpu->device);
    wgpuAdapterRelease(gpu->adapter);
    wgpuInstanceRelease(gpu->instance);
}

static void receive_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1,
                         void *userdata2) {
    (void)userdata1, (void)userdata2;
    if (status != WGPUQueueWorkDoneStatus_Success) {
        print_view(message);
        exit(1);
    }
}

void bench_finish_queue(const struct bench_gpu *gpu) {
    WGPUQueueWorkDoneCallbackInfo callback = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_done;
    bench_wait(gpu, wgpuQueueOnSubmittedWorkDone(gpu->queue, callback));
}

WGPUBuffer bench_buffer(const struct bench_gpu *gpu, WGPUBufferUsage usage, uint64_t size_bytes,
                        const void *data) {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = usage;
    descriptor.size = size_bytes;
    descriptor.mappedAtCreation = data != NULL;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(gpu->device, &descriptor);
    if (data != NULL) {
        memcpy(wgpuBufferGetMappedRange(buffer, 0, (size_t)size_bytes), data, (size_t)size_bytes);
        wgpuBufferUnmap(buffer);
    }
    return buffer;
}

static void receive_map(WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1,
                        void *userdata2) {
    (void)userdata1, (void)userdata2;
    if (status != WGPUMapAsyncStatus_Success) {
        print_view(message);
        exit(1);
    }
}

void bench_read(const struct bench_gpu *gpu, WGPUBuffer buffer, WGPUBuffer staging, void *out,
                size_t size_bytes) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, size_bytes);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_map;
    bench_wait(gpu, wgpuBufferMapAsync(staging, WGPUMapMode_Read, 0, size_bytes, callback));
    memcpy(out, wgpuBufferGetConstMappedRange(staging, 0, size_bytes), size_bytes);
    wgpuBufferUnmap(staging);
}

WGPUComputePipeline bench_pipeline(const struct bench_gpu *gpu, const char *wgsl,
                                   const char *entry_point) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = bench_view(wgsl);
    WGPUShaderModuleDescriptor module_descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    module_descriptor.nextInChain = &source.chain;
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(gpu->device, &module_descriptor);
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.compute.module = module;
    descriptor.compute.entryPoint = bench_view(entry_point);
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(gpu->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

WGPUBindGroup bench_group(const struct bench_gpu *gpu, WGPUComputePipeline pipeline, WGPUBuffer a,
                          WGPUBuffer b) {
    WGPUBuffer buffers[] = {a, b};
    WGPUBindGroupEntry entries[2];
    size_t count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        if (buffers[i] != NULL) {
            WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
            entry.binding = i;
            entry.buffer = buffers[i];
            entry.size = WGPU_WHOLE_SIZE;
            entries[count++] = entry;
        }
    }
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entries = entries;
    descriptor.entryCount = count;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(gpu->device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

static double clock_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double bench_cpu_ms(void) {
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_wall_ms(void) {
    return clock_ms(CLOCK_MONOTONIC);
}
