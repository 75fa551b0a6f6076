// SPDX-License-Identifier: MIT
//
// Life of command encoders, compute passes and command buffers. See the header for threads.
#include "webgpu/object/command_encoder.h"

#include <string.h>

#include "base/memory.h"
#include "webgpu/object/device.h"

static void destroy_encoder(struct gpu_object *object) {
    struct WGPUCommandEncoderImpl *encoder = (struct WGPUCommandEncoderImpl *)object;
    gpu_recording_finish(&encoder->recording);
    text_buffer_finish(&encoder->error.message);
    gpu_object_free(object);
}

static void destroy_compute_pass(struct gpu_object *object) {
    gpu_pass_finish(&((struct WGPUComputePassEncoderImpl *)object)->pass);
    gpu_object_free(object);
}

static void destroy_command_buffer(struct gpu_object *object) {
    gpu_recording_finish(&((struct WGPUCommandBufferImpl *)object)->recording);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_command_encoder_class = {
    GPU_COMMAND_ENCODER, destroy_encoder, NULL};
const struct gpu_object_class gpu_compute_pass_encoder_class = {
    GPU_COMPUTE_PASS_ENCODER, destroy_compute_pass, NULL};
const struct gpu_object_class gpu_command_buffer_class = {
    GPU_COMMAND_BUFFER, destroy_command_buffer, NULL};

struct WGPUCommandEncoderImpl *gpu_command_encoder_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid) {
    struct WGPUCommandEncoderImpl *encoder = gpu_object_create(
        &gpu_command_encoder_class, sizeof(*encoder), device, label, is_valid);
    if (encoder == NULL) {
        return NULL;
    }
    if (!gpu_recording_init(&encoder->recording)) {
        gpu_object_api_unref(&encoder->object);
        return NULL;
    }
    return encoder;
}

struct WGPUComputePassEncoderImpl *gpu_compute_pass_encoder_create(
    struct WGPUCommandEncoderImpl *encoder, struct text label) {
    struct WGPUComputePassEncoderImpl *pass = gpu_object_create(
        &gpu_compute_pass_encoder_class, sizeof(*pass), encoder->object.device, label, true);
    if (pass != NULL) {
        pass->pass.encoder = encoder;
        pass->pass.recording = &encoder->recording;
        GPU_REF(encoder);
    }
    return pass;
}

struct WGPUCommandBufferImpl *gpu_command_buffer_create(struct WGPUDeviceImpl *device,
    struct text label, bool is_valid, struct gpu_recording *recording) {
    struct WGPUCommandBufferImpl *commands = gpu_object_create(
        &gpu_command_buffer_class, sizeof(*commands), device, label, is_valid);
    if (commands != NULL && recording != NULL) {
        commands->recording = *recording;
        memset(recording, 0, sizeof(*recording));
    }
    return commands;
}
