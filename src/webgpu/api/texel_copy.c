// SPDX-License-Identifier: MIT
//
// Copies of texels: the arguments checked for NULL, then the call.
#include "webgpu/encode/texel_copy.h"

#include "webgpu/api/api_priv.h"
#include "webgpu/queue/queue.h"

void wgpuCommandEncoderCopyBufferToTexture(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyBufferInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) {
    if (!API_IS_NULL(commandEncoder) && !API_IS_NULL(source) && !API_IS_NULL(destination) &&
        !API_IS_NULL(copySize)) {
        encoder_copy_buffer_to_texture(commandEncoder, source, destination, copySize);
    }
}

void wgpuCommandEncoderCopyTextureToBuffer(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyBufferInfo *destination,
    const WGPUExtent3D *copySize) {
    if (!API_IS_NULL(commandEncoder) && !API_IS_NULL(source) && !API_IS_NULL(destination) &&
        !API_IS_NULL(copySize)) {
        encoder_copy_texture_to_buffer(commandEncoder, source, destination, copySize);
    }
}

void wgpuCommandEncoderCopyTextureToTexture(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) {
    if (!API_IS_NULL(commandEncoder) && !API_IS_NULL(source) && !API_IS_NULL(destination) &&
        !API_IS_NULL(copySize)) {
        encoder_copy_texture_to_texture(commandEncoder, source, destination, copySize);
    }
}

void wgpuQueueWriteTexture(WGPUQueue queue, const WGPUTexelCopyTextureInfo *destination,
    const void *data, size_t dataSize, const WGPUTexelCopyBufferLayout *dataLayout,
    const WGPUExtent3D *writeSize) {
    if (!API_IS_NULL(queue) && !API_IS_NULL(destination) && !API_IS_NULL(dataLayout) &&
        !API_IS_NULL(writeSize) && (dataSize == 0 || !API_IS_NULL(data))) {
        queue_write_texture(queue, destination, data, dataSize, dataLayout, writeSize);
    }
}
