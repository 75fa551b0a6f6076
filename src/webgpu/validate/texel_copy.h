// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Texel Copy Commands" and of wgpuQueueWriteTexture. Each resolves what the
// backend's command needs.
#pragma once

#include "webgpu/object/buffer.h"
#include "webgpu/object/command_encoder.h"
#include "webgpu/object/device.h"
#include "webgpu/object/texture.h"
#include "webgpu/validate/rule.h"

enum texel_direction { TEXELS_FROM_BUFFER, TEXELS_TO_BUFFER };

// A copy between texture and bytes, checked.
struct texel_copy {
    struct command_texel_place place;
    struct command_texel_layout layout;
    uint64_t row_bytes;   // of one row of texel blocks of the copy
    uint32_t row_count;   // rows of texel blocks in one image
    uint64_t texel_bytes; // of all texel blocks
};

bool validate_buffer_texture_copy(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyBufferInfo *buffer, const WGPUTexelCopyTextureInfo *texture,
    const WGPUExtent3D *size, enum texel_direction direction, struct texel_copy *out_copy,
    struct validate_error *error);
// Whether the texture was destroyed is looked at with the device's mutex held, by the caller:
// validate_texture_not_destroyed.
bool validate_write_texture(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyTextureInfo *texture, uint64_t data_bytes,
    const WGPUTexelCopyBufferLayout *layout, const WGPUExtent3D *size, struct texel_copy *out_copy,
    struct validate_error *error);
bool validate_texture_not_destroyed(
    struct gpu_object *owner, struct WGPUTextureImpl *texture, struct validate_error *error);
bool validate_texture_copy(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *size, struct command_texel_place *out_source,
    struct command_texel_place *out_destination, uint64_t *out_texel_bytes,
    struct validate_error *error);
