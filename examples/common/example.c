// SPDX-License-Identifier: MIT
//
// Implementation of example.h over plain webgpu.h.
#include "common/example.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

WGPUStringView example_text(const char *string) {
    return (WGPUStringView){string, WGPU_STRLEN};
}

static void fail(const char *what, WGPUStringView message) {
    size_t length = message.length == WGPU_STRLEN ? strlen(message.data) : message.length;
    fprintf(stderr, "%s: %.*s\n", what, (int)length, message.data == NULL ? "" : message.data);
    exit(1);
}

void example_check_arguments(int count, char **arguments, int minimum, int maximum,
                             const char *usage) {
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "-h") == 0 || strcmp(arguments[i], "--help") == 0) {
            printf("usage: %s\n", usage);
            exit(0);
        }
    }
    for (int i = 1; i < count; i++) {
        if (arguments[i][0] == '-' || arguments[i][0] == '\0') {
            fprintf(stderr, "there is no option '%s'\nusage: %s\n", arguments[i], usage);
            exit(1);
        }
    }
    if (count - 1 < minimum || count - 1 > maximum) {
        fprintf(stderr, "usage: %s\n", usage);
        exit(1);
    }
}

uint32_t example_parse_count(const char *argument, const char *usage) {
    char *end = NULL;
    unsigned long value = strtoul(argument, &end, 10);
    bool is_number = argument[0] >= '0' && argument[0] <= '9' && *end == '\0';
    if (!is_number || value < 1 || value > 1000000) {
        fprintf(stderr, "'%s' is no whole number from 1 to 1000000\nusage: %s\n", argument, usage);
        exit(1);
    }
    return (uint32_t)value;
}

static void receive_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
                            WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    if (status != WGPURequestAdapterStatus_Success) {
        fail("No adapter", message);
    }
    *(WGPUAdapter *)userdata1 = adapter;
}

static void receive_device(WGPURequestDeviceStatus status, WGPUDevice device,
                           WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    if (status != WGPURequestDeviceStatus_Success) {
        fail("No device", message);
    }
    *(WGPUDevice *)userdata1 = device;
}

// An example has no errors; one that it makes all the same ends it.
static void receive_error(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message,
                          void *userdata1, void *userdata2) {
    (void)device, (void)type, (void)userdata1, (void)userdata2;
    fail("WebGPU error", message);
}

static void receive_loss(WGPUDevice const *device, WGPUDeviceLostReason reason,
                         WGPUStringView message, void *userdata1, void *userdata2) {
    (void)device, (void)userdata1, (void)userdata2;
    if (reason != WGPUDeviceLostReason_Destroyed &&
        reason != WGPUDeviceLostReason_CallbackCancelled) {
        fail("Device lost", message);
    }
}

void example_wait(const struct example *example, WGPUFuture future) {
    WGPUFutureWaitInfo wait = {.future = future};
    WGPUWaitStatus status = wgpuInstanceWaitAny(example->instance, 1, &wait, UINT64_MAX);
    if (status != WGPUWaitStatus_Success) {
        fail("Waiting failed", example_text("wgpuInstanceWaitAny gave no success"));
    }
}

struct example example_open(const char *label) {
    struct example example = {0};

    // Waiting with a timeout is an instance feature that must be asked for.
    WGPUInstanceFeatureName features[] = {WGPUInstanceFeatureName_TimedWaitAny};
    WGPUInstanceDescriptor instance_descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    instance_descriptor.requiredFeatureCount = 1;
    instance_descriptor.requiredFeatures = features;
    example.instance = wgpuCreateInstance(&instance_descriptor);
    if (example.instance == NULL) {
        fail("No instance", example_text("wgpuCreateInstance gave NULL"));
    }

    WGPURequestAdapterCallbackInfo adapter_callback = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    adapter_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    adapter_callback.callback = receive_adapter;
    adapter_callback.userdata1 = &example.adapter;
    example_wait(&example,
                 wgpuInstanceRequestAdapter(example.instance, NULL, adapter_callback));

    // A device has the default limits unless more is asked for.
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuAdapterGetLimits(example.adapter, &limits);
    WGPULimits required = WGPU_LIMITS_INIT;
    required.maxBufferSize = limits.maxBufferSize;
    required.maxStorageBufferBindingSize = limits.maxStorageBufferBindingSize;
    WGPUDeviceDescriptor device_descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    device_descriptor.label = example_text(label);
    device_descriptor.requiredLimits = &required;
    device_descriptor.uncapturedErrorCallbackInfo.callback = receive_error;
    device_descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
    device_descriptor.deviceLostCallbackInfo.callback = receive_loss;
    WGPURequestDeviceCallbackInfo device_callback = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    device_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    device_callback.callback = receive_device;
    device_callback.userdata1 = &example.device;
    example_wait(&example,
                 wgpuAdapterRequestDevice(example.adapter, &device_descriptor, device_callback));
    example.queue = wgpuDeviceGetQueue(example.device);
    return example;
}

void example_close(struct example *example) {
    wgpuQueueRelease(example->queue);
    wgpuDeviceRelease(example->device);
    wgpuAdapterRelease(example->adapter);
    wgpuInstanceRelease(example->instance);
    *example = (struct example){0};
}

static void receive_work_done(WGPUQueueWorkDoneStatus status, WGPUStringView message,
                              void *userdata1, void *userdata2) {
    (void)userdata1, (void)userdata2;
    if (status != WGPUQueueWorkDoneStatus_Success) {
        fail("Work failed", message);
    }
}

void example_wait_for_queue(const struct example *example) {
    WGPUQueueWorkDoneCallbackInfo callback = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_work_done;
    example_wait(example, wgpuQueueOnSubmittedWorkDone(example->queue, callback));
}

WGPUBuffer example_buffer(const struct example *example, const char *label, WGPUBufferUsage usage,
                          uint64_t size_bytes, const void *data) {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = example_text(label);
    descriptor.usage = usage;
    descriptor.size = size_bytes;
    descriptor.mappedAtCreation = data != NULL;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(example->device, &descriptor);
    if (buffer == NULL) {
        fail("No buffer", example_text(label));
    }
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
        fail("Mapping failed", message);
    }
}

void example_read_buffer(const struct example *example, WGPUBuffer buffer, void *out,
                         size_t size_bytes) {
    // Only a staging buffer can be mapped for reading: MAP_READ goes with COPY_DST alone.
    WGPUBuffer staging = example_buffer(example, "read-back", WGPUBufferUsage_MapRead |
                                        WGPUBufferUsage_CopyDst, size_bytes, NULL);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(example->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, size_bytes);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(example->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);

    WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_map;
    example_wait(example, wgpuBufferMapAsync(staging, WGPUMapMode_Read, 0, size_bytes, callback));
    memcpy(out, wgpuBufferGetConstMappedRange(staging, 0, size_bytes), size_bytes);
    wgpuBufferUnmap(staging);
    wgpuBufferRelease(staging);
}

WGPUShaderModule example_shader(const struct example *example, const char *label,
                                const char *wgsl) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = example_text(wgsl);
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = example_text(label);
    return wgpuDeviceCreateShaderModule(example->device, &descriptor);
}

WGPUComputePipeline example_compute_pipeline(const struct example *example,
                                             WGPUShaderModule module, const char *entry_point) {
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = example_text(entry_point);
    descriptor.compute.module = module;
    descriptor.compute.entryPoint = example_text(entry_point);
    return wgpuDeviceCreateComputePipeline(example->device, &descriptor);
}

WGPUBindGroup example_bind_group(const struct example *example, WGPUComputePipeline pipeline,
                                 const char *label, const WGPUBuffer *buffers, size_t count) {
    WGPUBindGroupEntry entries[8];
    size_t entry_count = 0;
    for (size_t i = 0; i < count && entry_count < 8; i++) {
        if (buffers[i] != NULL) {
            WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
            entry.binding = (uint32_t)i;
            entry.buffer = buffers[i];
            entry.size = WGPU_WHOLE_SIZE;
            entries[entry_count++] = entry;
        }
    }
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = example_text(label);
    descriptor.layout = layout;
    descriptor.entries = entries;
    descriptor.entryCount = entry_count;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(example->device, &descriptor);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

static double clock_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double example_now_ms(void) {
    return clock_ms(CLOCK_MONOTONIC);
}

double example_cpu_ms(void) {
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}
