// SPDX-License-Identifier: MIT
//
// `alba run`: one compute entry point on data of the command line, through webgpu.h like any other
// program. The compiler's reflection tells which bindings the entry point needs.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <alba/alba.h>
#include <webgpu/webgpu.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "run_arguments.h"
#include "run_print.h"
#include "shader.h"

#define GROUP_LIMIT 4u

struct run {
    const struct cli_run_options *options;
    struct cli_shader shader;
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUComputePipeline pipeline;
    WGPUBuffer buffers[CLI_BINDING_LIMIT]; // parallel to options->bindings
    WGPUBindGroup groups[GROUP_LIMIT];
    bool has_failed; // an error was printed by a callback
};

static void print_view(struct run *run, const char *what, WGPUStringView message) {
    cli_progress_end();
    fprintf(stderr, "alba: %s: %.*s\n", what, cli_view_length(message), message.data);
    run->has_failed = true;
}

static void receive_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    struct run *run = userdata1;
    run->adapter = adapter;
    if (status != WGPURequestAdapterStatus_Success) {
        print_view(run, "no adapter", message);
    }
}

static void receive_device(WGPURequestDeviceStatus status, WGPUDevice device,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    struct run *run = userdata1;
    run->device = device;
    if (status != WGPURequestDeviceStatus_Success) {
        print_view(run, "no device", message);
    }
}

static void receive_error(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message,
    void *userdata1, void *userdata2) {
    (void)device, (void)type, (void)userdata2;
    print_view(userdata1, "error", message);
}

static void receive_warning(const AlbaWarning *warning, void *userdata1, void *userdata2) {
    (void)userdata1, (void)userdata2;
    fprintf(stderr, "alba: warning: %.*s [%.*s]\n", cli_view_length(warning->text),
        warning->text.data, cli_view_length(warning->id), warning->id.data);
}

static void receive_loss(WGPUDevice const *device, WGPUDeviceLostReason reason,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)device, (void)userdata2;
    if (reason == WGPUDeviceLostReason_Unknown || reason == WGPUDeviceLostReason_FailedCreation) {
        struct run *run = userdata1;
        print_view(run, "device lost", message);
        if (reason == WGPUDeviceLostReason_Unknown && !run->options->has_no_watchdog) {
            fprintf(stderr,
                "alba: a shader that needs longer: --watchdog MILLISECONDS, or "
                "--no-watchdog\n");
        }
    }
}

static void receive_work_done(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    if (status != WGPUQueueWorkDoneStatus_Success) {
        print_view(userdata1, "work failed", message);
    }
}

static void receive_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    if (status != WGPUMapAsyncStatus_Success) {
        print_view(userdata1, "reading back failed", message);
    }
}

static void receive_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)userdata2;
    struct run *run = userdata1;
    run->pipeline = pipeline;
    if (status != WGPUCreatePipelineAsyncStatus_Success) {
        print_view(run, "error", message);
    }
}

// Waits in slices so that progress can be shown.
static bool wait(struct run *run, WGPUFuture future, const char *what) {
    uint64_t start_ns = os_clock_monotonic_ns();
    for (;;) {
        WGPUFutureWaitInfo info = {.future = future};
        WGPUWaitStatus status = wgpuInstanceWaitAny(run->instance, 1, &info, 250000000u);
        if (status == WGPUWaitStatus_Success) {
            break;
        }
        if (status != WGPUWaitStatus_TimedOut) {
            cli_fail("waiting failed: %s", what);
            run->has_failed = true;
            break;
        }
        cli_progress(start_ns, what);
    }
    cli_progress_end();
    // What was waited for may have ended because the device was lost: hear that too, now.
    if (run->device != NULL) {
        WGPUFutureWaitInfo lost = {.future = wgpuDeviceGetLostFuture(run->device)};
        wgpuInstanceWaitAny(run->instance, 1, &lost, 0);
    }
    return !run->has_failed;
}

static bool open_device(struct run *run) {
    WGPUInstanceFeatureName features[] = {WGPUInstanceFeatureName_TimedWaitAny};
    WGPUInstanceDescriptor instance_descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    instance_descriptor.requiredFeatureCount = 1;
    instance_descriptor.requiredFeatures = features;
    run->instance = wgpuCreateInstance(&instance_descriptor);
    if (run->instance == NULL) {
        cli_fail("no instance: out of memory");
        return false;
    }
    WGPURequestAdapterCallbackInfo adapter_callback = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    adapter_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    adapter_callback.callback = receive_adapter;
    adapter_callback.userdata1 = run;
    if (!wait(run, wgpuInstanceRequestAdapter(run->instance, NULL, adapter_callback),
            "finding an adapter")) {
        return false;
    }

    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    if (wgpuAdapterGetInfo(run->adapter, &info) == WGPUStatus_Success) {
        if (info.backendType == WGPUBackendType_Null) {
            fprintf(stderr,
                "alba: warning: the null adapter runs no shader (ALBA_BACKEND=null): the buffers "
                "stay as they were bound\n");
        }
        wgpuAdapterInfoFreeMembers(info);
    }
    // Every limit of the adapter: the command line has no program to be portable for.
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuAdapterGetLimits(run->adapter, &limits);
    AlbaDeviceOptions options = ALBA_DEVICE_OPTIONS_INIT;
    if (run->options->has_no_watchdog) {
        options.watchdogMilliseconds = 0;
    } else if (run->options->watchdog_ms != 0) {
        options.watchdogMilliseconds = run->options->watchdog_ms;
    }
    options.ledgerListCapacity = run->options->shows_ledger ? 256 : 0;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    AlbaWarningOptions warnings = ALBA_WARNING_OPTIONS_INIT;
    warnings.callback = receive_warning;
    if (run->options->shows_warnings) {
        options.chain.next = &warnings.chain;
    }
    descriptor.label = (WGPUStringView){"alba run", WGPU_STRLEN};
    descriptor.requiredLimits = &limits;
    descriptor.uncapturedErrorCallbackInfo.callback = receive_error;
    descriptor.uncapturedErrorCallbackInfo.userdata1 = run;
    descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_WaitAnyOnly;
    descriptor.deviceLostCallbackInfo.callback = receive_loss;
    descriptor.deviceLostCallbackInfo.userdata1 = run;
    WGPURequestDeviceCallbackInfo device_callback = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    device_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    device_callback.callback = receive_device;
    device_callback.userdata1 = run;
    if (!wait(run, wgpuAdapterRequestDevice(run->adapter, &descriptor, device_callback),
            "making a device")) {
        return false;
    }
    run->queue = wgpuDeviceGetQueue(run->device);
    return true;
}

static bool make_pipeline(struct run *run) {
    struct text code = run->shader.module->source.text;
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = (WGPUStringView){code.data, code.length};
    WGPUShaderModuleDescriptor module_descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    module_descriptor.nextInChain = &source.chain;
    module_descriptor.label = (WGPUStringView){run->options->path, WGPU_STRLEN};
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(run->device, &module_descriptor);

    static WGPUConstantEntry constants[CLI_CONSTANT_LIMIT];
    for (uint32_t i = 0; i < run->options->constant_count; i++) {
        const struct cli_constant *constant = &run->options->constants[i];
        constants[i] = (WGPUConstantEntry){
            .key = {constant->name.data, constant->name.length}, .value = constant->value};
    }
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    struct text name = run->shader.reflection->name;
    descriptor.label = (WGPUStringView){name.data, name.length};
    descriptor.compute.module = module;
    descriptor.compute.entryPoint = (WGPUStringView){name.data, name.length};
    descriptor.compute.constants = constants;
    descriptor.compute.constantCount = run->options->constant_count;
    WGPUCreateComputePipelineAsyncCallbackInfo callback =
        WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_pipeline;
    callback.userdata1 = run;
    bool is_made = wait(
        run, wgpuDeviceCreateComputePipelineAsync(run->device, &descriptor, callback), "compiling");
    wgpuShaderModuleRelease(module);
    return is_made && run->pipeline != NULL;
}

static const struct cli_binding *find_binding(
    const struct run *run, uint32_t group, uint32_t binding, uint32_t *out_index) {
    for (uint32_t i = 0; i < run->options->binding_count; i++) {
        const struct cli_binding *candidate = &run->options->bindings[i];
        if (candidate->group == group && candidate->binding == binding) {
            *out_index = i;
            return candidate;
        }
    }
    return NULL;
}

// Each binding that the entry point uses needs a --bind, and each --bind a binding.
static bool check_bindings(const struct run *run) {
    const struct reflect_entry_point *entry_point = run->shader.reflection;
    bool is_valid = true;
    uint32_t index = 0;
    for (uint32_t i = 0; i < entry_point->binding_count; i++) {
        const struct reflect_binding *binding = &entry_point->bindings[i];
        if (binding->group >= GROUP_LIMIT) {
            cli_fail("'%.*s' is in group %u; this command binds groups below %u",
                TEXT_ARGS(binding->name), binding->group, GROUP_LIMIT);
            is_valid = false;
        } else if (binding->kind != REFLECT_BUFFER_UNIFORM &&
            binding->kind != REFLECT_BUFFER_STORAGE &&
            binding->kind != REFLECT_BUFFER_READ_ONLY_STORAGE) {
            cli_fail("entry point '%.*s' uses '%.*s', which is no buffer; this command binds "
                     "buffers alone",
                TEXT_ARGS(entry_point->name), TEXT_ARGS(binding->name));
            is_valid = false;
        } else if (find_binding(run, binding->group, binding->binding, &index) == NULL) {
            cli_fail("entry point '%.*s' uses '%.*s': give --bind %u.%u=… with at least %" PRIu64
                     " bytes",
                TEXT_ARGS(entry_point->name), TEXT_ARGS(binding->name), binding->group,
                binding->binding, binding->minimum_size_bytes);
            is_valid = false;
        }
    }
    for (uint32_t i = 0; i < run->options->binding_count; i++) {
        const struct cli_binding *given = &run->options->bindings[i];
        bool is_used = false;
        for (uint32_t k = 0; k < entry_point->binding_count; k++) {
            is_used = is_used ||
                (entry_point->bindings[k].group == given->group &&
                    entry_point->bindings[k].binding == given->binding);
        }
        if (!is_used) {
            cli_fail("entry point '%.*s' uses no variable at @group(%u) @binding(%u)",
                TEXT_ARGS(entry_point->name), given->group, given->binding);
            is_valid = false;
        }
    }
    return is_valid;
}

static bool make_buffers(struct run *run) {
    for (uint32_t i = 0; i < run->options->binding_count; i++) {
        const struct cli_binding *binding = &run->options->bindings[i];
        char label[48];
        snprintf(label, sizeof(label), "%u.%u", binding->group, binding->binding);
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.label = (WGPUStringView){label, WGPU_STRLEN};
        descriptor.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_Uniform |
            WGPUBufferUsage_CopySrc;
        descriptor.size = binding->size_bytes;
        descriptor.mappedAtCreation = true;
        run->buffers[i] = wgpuDeviceCreateBuffer(run->device, &descriptor);
        void *range = run->buffers[i] == NULL
            ? NULL
            : wgpuBufferGetMappedRange(run->buffers[i], 0, (size_t)binding->size_bytes);
        if (range == NULL) {
            if (!run->has_failed) {
                cli_fail("--bind %s: no buffer of %" PRIu64 " bytes", label, binding->size_bytes);
            }
            return false;
        }
        memcpy(range, binding->bytes, (size_t)binding->size_bytes);
        wgpuBufferUnmap(run->buffers[i]);
    }
    return true;
}

static bool make_groups(struct run *run) {
    const struct reflect_entry_point *entry_point = run->shader.reflection;
    for (uint32_t group = 0; group < GROUP_LIMIT; group++) {
        WGPUBindGroupEntry entries[CLI_BINDING_LIMIT];
        size_t entry_count = 0;
        for (uint32_t i = 0; i < entry_point->binding_count; i++) {
            uint32_t index = 0;
            if (entry_point->bindings[i].group == group &&
                find_binding(run, group, entry_point->bindings[i].binding, &index) != NULL) {
                WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
                entry.binding = entry_point->bindings[i].binding;
                entry.buffer = run->buffers[index];
                entry.size = WGPU_WHOLE_SIZE;
                entries[entry_count++] = entry;
            }
        }
        if (entry_count != 0) {
            WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(
                run->pipeline, group);
            WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
            descriptor.layout = layout;
            descriptor.entries = entries;
            descriptor.entryCount = entry_count;
            run->groups[group] = wgpuDeviceCreateBindGroup(run->device, &descriptor);
            wgpuBindGroupLayoutRelease(layout);
        }
    }
    return !run->has_failed;
}

static bool submit(struct run *run) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(run->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, run->pipeline);
    for (uint32_t group = 0; group < GROUP_LIMIT; group++) {
        if (run->groups[group] != NULL) {
            wgpuComputePassEncoderSetBindGroup(pass, group, run->groups[group], 0, NULL);
        }
    }
    for (uint64_t i = 0; i < run->options->repeat; i++) {
        wgpuComputePassEncoderDispatchWorkgroups(pass, run->options->workgroups[0],
            run->options->workgroups[1], run->options->workgroups[2]);
    }
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    if (!run->has_failed) {
        wgpuQueueSubmit(run->queue, 1, &commands);
    }
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
    if (run->has_failed) {
        return false;
    }
    WGPUQueueWorkDoneCallbackInfo callback = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_work_done;
    callback.userdata1 = run;
    return wait(run, wgpuQueueOnSubmittedWorkDone(run->queue, callback), "running");
}

static bool read_back(struct run *run) {
    for (uint32_t i = 0; i < run->options->binding_count; i++) {
        const struct cli_binding *binding = &run->options->bindings[i];
        if (binding->print_count == 0 && binding->out_path_count == 0) {
            continue;
        }
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.label = (WGPUStringView){"read-back", WGPU_STRLEN};
        descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
        descriptor.size = binding->size_bytes;
        WGPUBuffer staging = wgpuDeviceCreateBuffer(run->device, &descriptor);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(run->device, NULL);
        wgpuCommandEncoderCopyBufferToBuffer(
            encoder, run->buffers[i], 0, staging, 0, binding->size_bytes);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(run->queue, 1, &commands);
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
        WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
        callback.mode = WGPUCallbackMode_WaitAnyOnly;
        callback.callback = receive_map;
        callback.userdata1 = run;
        bool is_read = wait(run,
            wgpuBufferMapAsync(staging, WGPUMapMode_Read, 0, (size_t)binding->size_bytes, callback),
            "reading back");
        const void *bytes = is_read
            ? wgpuBufferGetConstMappedRange(staging, 0, (size_t)binding->size_bytes)
            : NULL;
        for (uint32_t k = 0; bytes != NULL && k < binding->print_count; k++) {
            cli_print_values(binding, &binding->prints[k], bytes);
        }
        is_read = bytes != NULL;
        for (uint32_t k = 0; is_read && k < binding->out_path_count; k++) {
            is_read = cli_write_file(binding->out_paths[k], bytes, (size_t)binding->size_bytes);
        }
        wgpuBufferRelease(staging);
        if (!is_read) {
            return false;
        }
    }
    return true;
}

static void close_run(struct run *run) {
    for (uint32_t i = 0; i < GROUP_LIMIT; i++) {
        if (run->groups[i] != NULL) {
            wgpuBindGroupRelease(run->groups[i]);
        }
    }
    for (uint32_t i = 0; i < run->options->binding_count; i++) {
        if (run->buffers[i] != NULL) {
            wgpuBufferRelease(run->buffers[i]);
        }
    }
    if (run->pipeline != NULL) {
        wgpuComputePipelineRelease(run->pipeline);
    }
    if (run->queue != NULL) {
        wgpuQueueRelease(run->queue);
    }
    if (run->device != NULL) {
        wgpuDeviceRelease(run->device);
    }
    if (run->adapter != NULL) {
        wgpuAdapterRelease(run->adapter);
    }
    if (run->instance != NULL) {
        wgpuInstanceRelease(run->instance);
    }
    cli_shader_finish(&run->shader);
}

static bool execute(struct run *run) {
    double start_ms = (double)os_clock_monotonic_ns() * 1e-6;
    if (!check_bindings(run) || !open_device(run) || !make_pipeline(run)) {
        return false;
    }
    double compiled_ms = (double)os_clock_monotonic_ns() * 1e-6;
    if (!make_buffers(run) || !make_groups(run)) {
        return false;
    }
    double ready_ms = (double)os_clock_monotonic_ns() * 1e-6;
    double ready_cpu_ms = (double)os_clock_process_cpu_ns() * 1e-6;
    if (!submit(run)) {
        return false;
    }
    double done_ms = (double)os_clock_monotonic_ns() * 1e-6;
    double done_cpu_ms = (double)os_clock_process_cpu_ns() * 1e-6;
    if (!read_back(run)) {
        return false;
    }
    if (run->options->shows_ledger) {
        cli_print_ledger(run->device);
    }
    if (run->options->shows_time) {
        double repeat = (double)run->options->repeat;
        printf("time: device and pipeline %.2f ms; a dispatch %.4f ms, %.4f ms of CPU time\n",
            compiled_ms - start_ms, (done_ms - ready_ms) / repeat,
            (done_cpu_ms - ready_cpu_ms) / repeat);
    }
    return true;
}

int cli_run(int argument_count, char **arguments) {
    static struct cli_run_options options;
    struct run run = {.options = &options};
    int status = cli_run_options_parse(&options, argument_count, arguments);
    if (status == CLI_OK) {
        status = cli_shader_open(&run.shader, options.path, options.entry_point, CLI_ENTRY_COMPUTE);
    }
    if (status == CLI_OK) {
        status = execute(&run) ? CLI_OK : CLI_FAILED;
    }
    close_run(&run);
    cli_run_options_finish(&options);
    return status;
}
