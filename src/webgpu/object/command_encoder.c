// SPDX-License-Identifier: MIT
//
// Life of command encoders, compute passes and command buffers. See the header for threads.
#include "webgpu/object/command_encoder.h"

#include <string.h>

#include "base/memory.h"
#include "webgpu/object/device.h"

void gpu_recording_finish(struct gpu_recording *recording) {
    if (recording->stream != NULL) {
        command_stream_finish(recording->stream);
        memory_free(recording->stream);
    }
    object_set_finish(&recording->objects);
    vector_finish(&recording->notes);
    memset(recording, 0, sizeof(*recording));
}

static void destroy_encoder(struct gpu_object *object) {
    struct WGPUCommandEncoderImpl *encoder = (struct WGPUCommandEncoderImpl *)object;
    gpu_recording_finish(&encoder->recording);
    text_buffer_finish(&encoder->error.message);
    gpu_object_free(object);
}

static void destroy_compute_pass(struct gpu_object *object) {
    struct WGPUComputePassEncoderImpl *pass = (struct WGPUComputePassEncoderImpl *)object;
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        memory_free(pass->slots[i].dynamic_offsets);
    }
    text_buffer_finish(&pass->error.message);
    GPU_UNREF(pass->encoder);
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
    encoder->recording.stream = memory_allocate(MEMORY_COMMAND, sizeof(struct command_stream));
    if (encoder->recording.stream == NULL) {
        gpu_object_api_unref(&encoder->object);
        return NULL;
    }
    command_stream_init(encoder->recording.stream);
    return encoder;
}

struct WGPUComputePassEncoderImpl *gpu_compute_pass_encoder_create(
    struct WGPUCommandEncoderImpl *encoder, struct text label) {
    struct WGPUComputePassEncoderImpl *pass = gpu_object_create(
        &gpu_compute_pass_encoder_class, sizeof(*pass), encoder->object.device, label, true);
    if (pass != NULL) {
        pass->encoder = encoder;
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
