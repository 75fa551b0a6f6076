// SPDX-License-Identifier: MIT
//
// Copies of texels. A copy of nothing is validated, keeps its objects in use and records nothing.
#include "webgpu/encode/texel_copy.h"

#include "webgpu/encode/encoder.h"
#include "webgpu/validate/texel_copy.h"

static bool use_both(struct WGPUCommandEncoderImpl *encoder, struct gpu_object *source,
    struct gpu_object *destination) {
    return encoder_use(&encoder->recording, &encoder->error, source) &&
        encoder_use(&encoder->recording, &encoder->error, destination);
}

static void set_size(uint32_t out_size[3], const WGPUExtent3D *size) {
    out_size[0] = size->width;
    out_size[1] = size->height;
    out_size[2] = size->depthOrArrayLayers;
}

void encoder_copy_buffer_to_texture(struct WGPUCommandEncoderImpl *encoder,
    const WGPUTexelCopyBufferInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *size) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderCopyBufferToTexture")) {
        return;
    }
    struct validate_error error = {0};
    struct texel_copy copy = {0};
    if (!validate_buffer_texture_copy(encoder->object.device, &encoder->object, source, destination,
            size, TEXELS_FROM_BUFFER, &copy, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    struct gpu_object *buffer = &source->buffer->object;
    struct gpu_object *texture = &destination->texture->object;
    if (!use_both(encoder, buffer, texture) || copy.texel_bytes == 0) {
        return;
    }
    struct command_copy_buffer_to_texture *command = COMMAND_APPEND(
        encoder->recording.stream, COPY_BUFFER_TO_TEXTURE, copy_buffer_to_texture);
    if (command != NULL) {
        command->source = source->buffer->backend;
        command->layout = copy.layout;
        command->destination = copy.place;
        set_size(command->size, size);
        encoder_note(
            encoder, LEDGER_CALL_COPY_BUFFER_TO_TEXTURE, copy.texel_bytes, texture, buffer);
    }
}

void encoder_copy_texture_to_buffer(struct WGPUCommandEncoderImpl *encoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyBufferInfo *destination,
    const WGPUExtent3D *size) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderCopyTextureToBuffer")) {
        return;
    }
    struct validate_error error = {0};
    struct texel_copy copy = {0};
    if (!validate_buffer_texture_copy(encoder->object.device, &encoder->object, destination, source,
            size, TEXELS_TO_BUFFER, &copy, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    struct gpu_object *texture = &source->texture->object;
    struct gpu_object *buffer = &destination->buffer->object;
    if (!use_both(encoder, texture, buffer) || copy.texel_bytes == 0) {
        return;
    }
    struct command_copy_texture_to_buffer *command = COMMAND_APPEND(
        encoder->recording.stream, COPY_TEXTURE_TO_BUFFER, copy_texture_to_buffer);
    if (command != NULL) {
        command->source = copy.place;
        command->destination = destination->buffer->backend;
        command->layout = copy.layout;
        set_size(command->size, size);
        encoder_note(
            encoder, LEDGER_CALL_COPY_TEXTURE_TO_BUFFER, copy.texel_bytes, buffer, texture);
    }
}

void encoder_copy_texture_to_texture(struct WGPUCommandEncoderImpl *encoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *size) {
    if (!encoder_accepts(encoder, "wgpuCommandEncoderCopyTextureToTexture")) {
        return;
    }
    struct validate_error error = {0};
    struct command_texel_place from = {0};
    struct command_texel_place to = {0};
    uint64_t texel_bytes = 0;
    if (!validate_texture_copy(encoder->object.device, &encoder->object, source, destination, size,
            &from, &to, &texel_bytes, &error)) {
        encoder_fail(&encoder->error, &error);
        return;
    }
    struct gpu_object *source_object = &source->texture->object;
    struct gpu_object *destination_object = &destination->texture->object;
    if (!use_both(encoder, source_object, destination_object) || texel_bytes == 0) {
        return;
    }
    struct command_copy_texture_to_texture *command = COMMAND_APPEND(
        encoder->recording.stream, COPY_TEXTURE_TO_TEXTURE, copy_texture_to_texture);
    if (command != NULL) {
        command->source = from;
        command->destination = to;
        set_size(command->size, size);
        encoder_note(encoder, LEDGER_CALL_COPY_TEXTURE_TO_TEXTURE, texel_bytes, destination_object,
            source_object);
    }
}
