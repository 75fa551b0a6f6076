// SPDX-License-Identifier: MIT
//
// Runs program files (run_file.h) on every backend that has an adapter, through webgpu.h alone, and holds
// the buffers against what the files expect. On the CPU three times: plain, and with a page without access
// after and before each binding. Exit 1 when a word differs, anything reports an error, or no backend runs.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <alba/alba.h>
#include <webgpu/webgpu.h>

#include "run_file.h"

struct setting {
    const char *name;
    AlbaBackends backend;
    AlbaGuardPages guard;
};

static const struct setting settings[] = {
    {"cpu", 0x2, AlbaGuardPages_None},
    {"cpu, guard after", 0x2, AlbaGuardPages_After},
    {"cpu, guard before", 0x2, AlbaGuardPages_Before},
    {"vulkan", 0x4, AlbaGuardPages_None},
};

struct runner {
    const struct run_file *file;
    const char *path;
    const char *setting;
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUShaderModule module;
    WGPUComputePipeline pipeline;
    WGPUBuffer buffers[RUN_BINDING_LIMIT];
    WGPUBuffer copies[RUN_BINDING_LIMIT];
    bool is_mapped;
    unsigned error_count;
};

static WGPUStringView view(const char *string) {
    return (WGPUStringView){string, WGPU_STRLEN};
}

static void report(struct runner *r, const char *what, WGPUStringView message) {
    size_t length = message.length == WGPU_STRLEN && message.data != NULL ? strlen(message.data)
        : message.data == NULL                                            ? 0
                                                                          : message.length;
    fprintf(stderr, "%s (%s): %s %.*s\n", r->path, r->setting, what, (int)length,
        message.data == NULL ? "" : message.data);
    r->error_count++;
}

static void receive_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)message;
    (void)userdata2;
    if (status == WGPURequestAdapterStatus_Success) {
        ((struct runner *)userdata1)->adapter = adapter;
    }
}

static void receive_device(WGPURequestDeviceStatus status, WGPUDevice device,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    struct runner *r = userdata1;
    if (status == WGPURequestDeviceStatus_Success) {
        r->device = device;
    } else {
        report(r, "no device:", message);
    }
}

static void receive_error(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message,
    void *userdata1, void *userdata2) {
    (void)device;
    (void)type;
    (void)userdata2;
    report(userdata1, "error:", message);
}

static void receive_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    struct runner *r = userdata1;
    r->is_mapped = status == WGPUMapAsyncStatus_Success;
    if (!r->is_mapped) {
        report(r, "mapping failed:", message);
    }
}

static bool wait_for(struct runner *r, WGPUFuture future) {
    WGPUFutureWaitInfo info = {.future = future};
    return wgpuInstanceWaitAny(r->instance, 1, &info, UINT64_MAX) == WGPUWaitStatus_Success;
}

// False when the backend has no adapter here.
static bool open_adapter(struct runner *r, const struct setting *setting) {
    WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    options.backends = setting->backend;
    descriptor.nextInChain = &options.chain;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    r->instance = wgpuCreateInstance(&descriptor);
    if (r->instance == NULL) {
        return false;
    }
    WGPURequestAdapterCallbackInfo callback = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_adapter;
    callback.userdata1 = r;
    wait_for(r, wgpuInstanceRequestAdapter(r->instance, NULL, callback));
    return r->adapter != NULL;
}

static bool open_device(struct runner *r, const struct setting *setting) {
    AlbaDeviceOptions options = ALBA_DEVICE_OPTIONS_INIT;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    options.guardPages = setting->guard;
    descriptor.nextInChain = &options.chain;
    descriptor.uncapturedErrorCallbackInfo.callback = receive_error;
    descriptor.uncapturedErrorCallbackInfo.userdata1 = r;
    WGPURequestDeviceCallbackInfo callback = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_device;
    callback.userdata1 = r;
    wait_for(r, wgpuAdapterRequestDevice(r->adapter, &descriptor, callback));
    r->queue = r->device != NULL ? wgpuDeviceGetQueue(r->device) : NULL;
    return r->queue != NULL;
}

static bool make_pipeline(struct runner *r) {
    WGPUConstantEntry constants[RUN_CONSTANT_LIMIT];
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    WGPUShaderModuleDescriptor module = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    source.code = view(r->file->source);
    module.nextInChain = &source.chain;
    r->module = wgpuDeviceCreateShaderModule(r->device, &module);
    for (uint32_t i = 0; i < r->file->constant_count; i++) {
        WGPUConstantEntry entry = WGPU_CONSTANT_ENTRY_INIT;
        entry.key = view(r->file->constants[i].name);
        entry.value = r->file->constants[i].value;
        constants[i] = entry;
    }
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.compute.module = r->module;
    descriptor.compute.constants = constants;
    descriptor.compute.constantCount = r->file->constant_count;
    if (r->file->entry[0] != '\0') {
        descriptor.compute.entryPoint = view(r->file->entry);
    }
    r->pipeline = wgpuDeviceCreateComputePipeline(r->device, &descriptor);
    return r->pipeline != NULL && r->error_count == 0;
}

static bool make_buffers(struct runner *r) {
    for (uint32_t i = 0; i < r->file->binding_count; i++) {
        const struct run_binding *binding = &r->file->bindings[i];
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.size = (uint64_t)binding->word_count * 4;
        descriptor.usage = WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc |
            (binding->access == RUN_UNIFORM ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage);
        r->buffers[i] = wgpuDeviceCreateBuffer(r->device, &descriptor);
        descriptor.usage = WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead;
        r->copies[i] = wgpuDeviceCreateBuffer(r->device, &descriptor);
        if (r->buffers[i] == NULL || r->copies[i] == NULL) {
            return false;
        }
        wgpuQueueWriteBuffer(
            r->queue, r->buffers[i], 0, binding->words, (size_t)binding->word_count * 4);
    }
    return true;
}

static void set_group(struct runner *r, WGPUComputePassEncoder pass, uint32_t group) {
    WGPUBindGroupEntry entries[RUN_BINDING_LIMIT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->file->binding_count; i++) {
        if (r->file->bindings[i].group == group) {
            WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
            entry.binding = r->file->bindings[i].binding;
            entry.buffer = r->buffers[i];
            entry.size = WGPU_WHOLE_SIZE;
            entries[count++] = entry;
        }
    }
    if (count == 0) {
        return;
    }
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(r->pipeline, group);
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entries = entries;
    descriptor.entryCount = count;
    WGPUBindGroup bind_group = wgpuDeviceCreateBindGroup(r->device, &descriptor);
    wgpuComputePassEncoderSetBindGroup(pass, group, bind_group, 0, NULL);
    wgpuBindGroupRelease(bind_group);
    wgpuBindGroupLayoutRelease(layout);
}

static void dispatch(struct runner *r) {
    const uint32_t *size = r->file->dispatch;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(r->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, r->pipeline);
    for (uint32_t group = 0; group < 4; group++) {
        set_group(r, pass, group);
    }
    wgpuComputePassEncoderDispatchWorkgroups(pass, size[0], size[1], size[2]);
    wgpuComputePassEncoderEnd(pass);
    for (uint32_t i = 0; i < r->file->binding_count; i++) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, r->buffers[i], 0, r->copies[i], 0,
            (uint64_t)r->file->bindings[i].word_count * 4);
    }
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(r->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
}

static bool is_expected(const struct run_binding *binding, uint32_t at, uint32_t word) {
    uint32_t expected = binding->expected[at];
    float a = 0, b = 0;
    memcpy(&a, &expected, sizeof(a));
    memcpy(&b, &word, sizeof(b));
    switch (binding->checks[at]) {
    case RUN_SKIP:
        return true;
    case RUN_U32:
    case RUN_I32:
        return word == expected;
    case RUN_F32:
        return word == expected || (isnan(a) && isnan(b));
    case RUN_NEAR:
        return fabs((double)a - (double)b) <= binding->tolerances[at];
    }
    return false;
}

static void print_difference(
    struct runner *r, const struct run_binding *binding, uint32_t at, uint32_t word) {
    float a = 0, b = 0;
    memcpy(&a, &binding->expected[at], sizeof(a));
    memcpy(&b, &word, sizeof(b));
    if (binding->checks[at] == RUN_F32 || binding->checks[at] == RUN_NEAR) {
        fprintf(stderr, "%s (%s): binding %u.%u word %u: expected %.9g, got %.9g\n", r->path,
            r->setting, binding->group, binding->binding, at, (double)a, (double)b);
    } else {
        fprintf(stderr, "%s (%s): binding %u.%u word %u: expected %d (0x%x), got %d (0x%x)\n",
            r->path, r->setting, binding->group, binding->binding, at, (int)binding->expected[at],
            binding->expected[at], (int)word, word);
    }
    r->error_count++;
}

static void check_buffer(struct runner *r, uint32_t number) {
    const struct run_binding *binding = &r->file->bindings[number];
    size_t size_bytes = (size_t)binding->word_count * 4;
    WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_map;
    callback.userdata1 = r;
    r->is_mapped = false;
    wait_for(r, wgpuBufferMapAsync(r->copies[number], WGPUMapMode_Read, 0, size_bytes, callback));
    const uint32_t *words = r->is_mapped
        ? wgpuBufferGetConstMappedRange(r->copies[number], 0, size_bytes)
        : NULL;
    if (words == NULL) {
        report(r, "a buffer cannot be read", view(""));
        return;
    }
    unsigned shown = 0;
    for (uint32_t i = 0; i < binding->expected_count && shown < 8; i++) {
        if (!is_expected(binding, i, words[i])) {
            print_difference(r, binding, i, words[i]);
            shown++;
        }
    }
    wgpuBufferUnmap(r->copies[number]);
}

static void close_all(struct runner *r) {
    for (uint32_t i = 0; i < RUN_BINDING_LIMIT; i++) {
        if (r->buffers[i] != NULL) {
            wgpuBufferRelease(r->buffers[i]);
        }
        if (r->copies[i] != NULL) {
            wgpuBufferRelease(r->copies[i]);
        }
    }
    if (r->pipeline != NULL) {
        wgpuComputePipelineRelease(r->pipeline);
    }
    if (r->module != NULL) {
        wgpuShaderModuleRelease(r->module);
    }
    if (r->queue != NULL) {
        wgpuQueueRelease(r->queue);
    }
    if (r->device != NULL) {
        wgpuDeviceRelease(r->device);
    }
    if (r->adapter != NULL) {
        wgpuAdapterRelease(r->adapter);
    }
    if (r->instance != NULL) {
        wgpuInstanceRelease(r->instance);
    }
}

// True when it ran (well or not); errors are counted in *errors.
static bool run_on(const struct run_file *file, const char *path, const struct setting *setting,
    unsigned *errors) {
    struct runner r = {.file = file, .path = path, .setting = setting->name};
    bool has_adapter = open_adapter(&r, setting);
    if (has_adapter) {
        if (open_device(&r, setting) && make_pipeline(&r) && make_buffers(&r)) {
            dispatch(&r);
            for (uint32_t i = 0; i < file->binding_count; i++) {
                check_buffer(&r, i);
            }
        } else if (r.error_count == 0) {
            report(&r, "an object cannot be made", view(""));
        }
    }
    close_all(&r);
    *errors += r.error_count;
    return has_adapter;
}

int main(int argc, char **argv) {
    unsigned errors = 0, runs = 0;
    for (int i = 1; i < argc; i++) {
        struct run_file *file = run_file_read(argv[i]);
        if (file == NULL) {
            errors++;
            continue;
        }
        for (size_t k = 0; k < sizeof(settings) / sizeof(settings[0]); k++) {
            runs += run_on(file, argv[i], &settings[k], &errors) ? 1 : 0;
        }
        run_file_destroy(file);
    }
    printf("%d programs, %u runs, %u errors\n", argc - 1, runs, errors);
    return errors != 0 || runs == 0;
}
