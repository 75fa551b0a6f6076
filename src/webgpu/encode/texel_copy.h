// SPDX-License-Identifier: MIT
//
// Copies of texels, as commands of a command encoder (encode/encoder.h): WebGPU §"Texel Copy
// Commands". One thread at a time for each encoder; no locks.
#pragma once

#include "webgpu/object/command_encoder.h"

void encoder_copy_buffer_to_texture(struct WGPUCommandEncoderImpl *encoder,
    const WGPUTexelCopyBufferInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *size);
void encoder_copy_texture_to_buffer(struct WGPUCommandEncoderImpl *encoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyBufferInfo *destination,
    const WGPUExtent3D *size);
void encoder_copy_texture_to_texture(struct WGPUCommandEncoderImpl *encoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *size);
