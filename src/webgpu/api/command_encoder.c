// SPDX-License-Identifier: MIT
//
// Command encoders, compute passes and the queue: the arguments unpacked, then the call.
#include "webgpu/api/api_priv.h"
#include "webgpu/encode/compute_pass.h"
#include "webgpu/encode/encoder.h"
#include "webgpu/encode/pass.h"
#include "webgpu/queue/queue.h"
#include "webgpu/validate/chain.h"

// ---------------------------------------------------------------- command encoders

WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(
    WGPUDevice device, const WGPUCommandEncoderDescriptor *descriptor) {
    if (API_IS_NULL(device)) {
        return NULL;
    }
    struct text label = descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL("");
    struct validate_error error = {0};
    bool ok = descriptor == NULL ||
        validate_no_chain(
            descriptor->nextInChain, gpu_name_of_label(GPU_COMMAND_ENCODER, label).text, &error);
    if (!ok) {
        api_report(device, &error);
    }
    struct WGPUCommandEncoderImpl *encoder = gpu_command_encoder_create(
        device, label, ok && !atomic_load(&device->is_lost));
    if (encoder == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return encoder;
}

WGPUCommandBuffer wgpuCommandEncoderFinish(
    WGPUCommandEncoder commandEncoder, const WGPUCommandBufferDescriptor *descriptor) {
    if (API_IS_NULL(commandEncoder)) {
        return NULL;
    }
    struct text label = descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL("");
    struct WGPUCommandBufferImpl *commands = encoder_finish(commandEncoder, descriptor, label);
    if (commands == NULL) {
        api_lose_for_memory(commandEncoder->object.device, __func__);
    }
    return commands;
}

WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(
    WGPUCommandEncoder commandEncoder, const WGPUComputePassDescriptor *descriptor) {
    if (API_IS_NULL(commandEncoder)) {
        return NULL;
    }
    struct text label = descriptor != NULL ? view_label(descriptor->label) : TEXT_LITERAL("");
    struct WGPUComputePassEncoderImpl *pass = compute_pass_begin(commandEncoder, descriptor, label);
    if (pass == NULL) {
        api_lose_for_memory(commandEncoder->object.device, __func__);
    }
    return pass;
}

void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder commandEncoder, WGPUBuffer source,
    uint64_t sourceOffset, WGPUBuffer destination, uint64_t destinationOffset, uint64_t size) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_copy_buffer(
            commandEncoder, source, sourceOffset, destination, destinationOffset, size);
    }
}

void wgpuCommandEncoderClearBuffer(
    WGPUCommandEncoder commandEncoder, WGPUBuffer buffer, uint64_t offset, uint64_t size) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_clear_buffer(commandEncoder, buffer, offset, size);
    }
}

void wgpuCommandEncoderPushDebugGroup(
    WGPUCommandEncoder commandEncoder, WGPUStringView groupLabel) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_push_debug_group(commandEncoder, view_label(groupLabel));
    }
}

void wgpuCommandEncoderPopDebugGroup(WGPUCommandEncoder commandEncoder) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_pop_debug_group(commandEncoder);
    }
}

void wgpuCommandEncoderInsertDebugMarker(
    WGPUCommandEncoder commandEncoder, WGPUStringView markerLabel) {
    if (!API_IS_NULL(commandEncoder)) {
        encoder_insert_debug_marker(commandEncoder, view_label(markerLabel));
    }
}

// ---------------------------------------------------------------- compute passes

void wgpuComputePassEncoderEnd(WGPUComputePassEncoder computePassEncoder) {
    if (!API_IS_NULL(computePassEncoder)) {
        compute_pass_end(computePassEncoder);
    }
}

void wgpuComputePassEncoderSetPipeline(
    WGPUComputePassEncoder computePassEncoder, WGPUComputePipeline pipeline) {
    if (!API_IS_NULL(computePassEncoder)) {
        compute_pass_set_pipeline(computePassEncoder, pipeline);
    }
}

void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder computePassEncoder,
    uint32_t groupIndex, WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) {
    if (!API_IS_NULL(computePassEncoder) &&
        (dynamicOffsetCount == 0 || !API_IS_NULL(dynamicOffsets))) {
        pass_set_bind_group(&computePassEncoder->pass, __func__, groupIndex, group,
            dynamicOffsetCount, dynamicOffsets);
    }
}

void wgpuComputePassEncoderSetImmediates(
    WGPUComputePassEncoder computePassEncoder, uint32_t offset, const void *data, size_t size) {
    if (!API_IS_NULL(computePassEncoder) && (size == 0 || !API_IS_NULL(data))) {
        pass_set_immediates(&computePassEncoder->pass, __func__, offset, data, size);
    }
}

void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder computePassEncoder,
    uint32_t workgroupCountX, uint32_t workgroupCountY, uint32_t workgroupCountZ) {
    if (!API_IS_NULL(computePassEncoder)) {
        compute_pass_dispatch(
            computePassEncoder, workgroupCountX, workgroupCountY, workgroupCountZ);
    }
}

void wgpuComputePassEncoderDispatchWorkgroupsIndirect(
    WGPUComputePassEncoder computePassEncoder, WGPUBuffer indirectBuffer, uint64_t indirectOffset) {
    if (!API_IS_NULL(computePassEncoder)) {
        compute_pass_dispatch_indirect(computePassEncoder, indirectBuffer, indirectOffset);
    }
}

void wgpuComputePassEncoderPushDebugGroup(
    WGPUComputePassEncoder computePassEncoder, WGPUStringView groupLabel) {
    if (!API_IS_NULL(computePassEncoder)) {
        pass_push_debug_group(&computePassEncoder->pass, __func__, view_label(groupLabel));
    }
}

void wgpuComputePassEncoderPopDebugGroup(WGPUComputePassEncoder computePassEncoder) {
    if (!API_IS_NULL(computePassEncoder)) {
        pass_pop_debug_group(&computePassEncoder->pass, __func__);
    }
}

void wgpuComputePassEncoderInsertDebugMarker(
    WGPUComputePassEncoder computePassEncoder, WGPUStringView markerLabel) {
    if (!API_IS_NULL(computePassEncoder)) {
        pass_insert_debug_marker(&computePassEncoder->pass, __func__, view_label(markerLabel));
    }
}

// ---------------------------------------------------------------- the queue

void wgpuQueueSubmit(WGPUQueue queue, size_t commandCount, const WGPUCommandBuffer *commands) {
    if (!API_IS_NULL(queue) && (commandCount == 0 || !API_IS_NULL(commands))) {
        queue_submit(queue, commandCount, commands);
    }
}

void wgpuQueueWriteBuffer(
    WGPUQueue queue, WGPUBuffer buffer, uint64_t bufferOffset, const void *data, size_t size) {
    if (!API_IS_NULL(queue) && (size == 0 || !API_IS_NULL(data))) {
        queue_write_buffer(queue, buffer, bufferOffset, data, size);
    }
}

WGPUFuture wgpuQueueOnSubmittedWorkDone(
    WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo callbackInfo) {
    if (API_IS_NULL(queue) ||
        api_is_callback_wrong(__func__, callbackInfo.nextInChain, callbackInfo.mode)) {
        return (WGPUFuture){0};
    }
    return queue_on_work_done(queue, &callbackInfo);
}
