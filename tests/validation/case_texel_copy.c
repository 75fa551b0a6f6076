// SPDX-License-Identifier: MIT
//
// Copies between textures and buffers, between textures, and wgpuQueueWriteTexture.
#include "validation.h"

#define COPY_BOTH (WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst)

// A copy of all of an 8 x 8 texture "t" of rgba8unorm, with a pitch of 256, to or from buffer "b" of
// 2048 bytes. A case changes one thing.
struct copy {
    WGPUTextureDescriptor texture;
    uint64_t buffer_bytes;
    WGPUBufferUsage buffer_usage;
    bool is_buffer_invalid;
    bool is_texture_foreign;
    bool is_to_buffer;
    uint32_t mip_level;
    WGPUOrigin3D origin;
    WGPUTextureAspect aspect;
    WGPUTexelCopyBufferLayout layout;
    WGPUExtent3D size;
};

static struct copy plain(WGPUTextureFormat format) {
    struct copy copy = {0};
    copy.texture = texture_descriptor(format, 8, 8, 1);
    copy.buffer_bytes = 2048;
    copy.buffer_usage = COPY_BOTH;
    copy.layout.bytesPerRow = 256;
    copy.layout.rowsPerImage = 8;
    copy.size.width = 8;
    copy.size.height = 8;
    copy.size.depthOrArrayLayers = 1;
    return copy;
}

static void run(struct validation *v, const struct copy *copy) {
    WGPUTexelCopyTextureInfo texture = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    texture.texture = copy->is_texture_foreign ? make_foreign_texture(v)
                                               : make_texture(v, &copy->texture);
    texture.mipLevel = copy->mip_level;
    texture.origin = copy->origin;
    texture.aspect = copy->aspect;
    WGPUTexelCopyBufferInfo buffer = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    buffer.buffer = copy->is_buffer_invalid
        ? make_invalid_buffer(v)
        : make_buffer(v, "b", copy->buffer_bytes, copy->buffer_usage);
    buffer.layout = copy->layout;
    WGPUCommandEncoder encoder = begin_encoder(v);
    if (copy->is_to_buffer) {
        wgpuCommandEncoderCopyTextureToBuffer(encoder, &texture, &buffer, &copy->size);
    } else {
        wgpuCommandEncoderCopyBufferToTexture(encoder, &buffer, &texture, &copy->size);
    }
    finish_and_release(encoder);
    wgpuBufferRelease(buffer.buffer);
    wgpuTextureRelease(texture.texture);
}

CASE(TEXEL_BUFFER) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.is_buffer_invalid = is_broken;
    run(v, &copy);
}
CASE(TEXEL_BUFFER_USAGE) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.is_to_buffer = true;
    copy.buffer_usage = is_broken ? WGPUBufferUsage_CopySrc : WGPUBufferUsage_CopyDst;
    run(v, &copy);
}
CASE(TEXEL_ROW_PITCH) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.layout.bytesPerRow = is_broken ? 128 : 256;
    run(v, &copy);
}
CASE(TEXEL_TEXTURE) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.is_texture_foreign = is_broken;
    run(v, &copy);
}
CASE(TEXEL_TEXTURE_USAGE) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.texture.usage = is_broken ? WGPUTextureUsage_CopySrc : WGPUTextureUsage_CopyDst;
    run(v, &copy);
}
CASE(TEXEL_ENUM) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.aspect = is_broken ? (WGPUTextureAspect)4 : WGPUTextureAspect_All;
    run(v, &copy);
}
CASE(TEXEL_ASPECT) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.aspect = is_broken ? WGPUTextureAspect_DepthOnly : WGPUTextureAspect_All;
    run(v, &copy);
}
CASE(TEXEL_MIP_LEVEL) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.texture.mipLevelCount = 2;
    copy.mip_level = is_broken ? 2 : 1;
    copy.size.width = 1;
    copy.size.height = 1;
    run(v, &copy);
}
CASE(TEXEL_ORIGIN) {
    WGPUFeatureName feature = WGPUFeatureName_TextureCompressionBC;
    begin_device(v, true, &feature, 1);
    struct copy copy = plain(WGPUTextureFormat_BC1RGBAUnorm);
    copy.origin.x = is_broken ? 2 : 4;
    copy.size.width = 4;
    run(v, &copy);
    end_device(v);
}
CASE(TEXEL_SIZE) {
    WGPUFeatureName feature = WGPUFeatureName_TextureCompressionBC;
    begin_device(v, true, &feature, 1);
    struct copy copy = plain(WGPUTextureFormat_BC1RGBAUnorm);
    copy.size.height = is_broken ? 6 : 4;
    run(v, &copy);
    end_device(v);
}
CASE(TEXEL_WHOLE) {
    struct copy copy = plain(WGPUTextureFormat_Stencil8);
    copy.size.width = is_broken ? 4 : 8;
    run(v, &copy);
}
CASE(TEXEL_RANGE) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.origin.y = 4;
    copy.size.height = is_broken ? 5 : 4;
    run(v, &copy);
}
CASE(TEXEL_SAMPLES) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.texture.usage |= WGPUTextureUsage_RenderAttachment;
    copy.texture.sampleCount = is_broken ? 4 : 1;
    run(v, &copy);
}
CASE(TEXEL_ONE_ASPECT) {
    struct copy copy = plain(WGPUTextureFormat_Depth24PlusStencil8);
    copy.aspect = is_broken ? WGPUTextureAspect_All : WGPUTextureAspect_StencilOnly;
    run(v, &copy);
}
CASE(TEXEL_ASPECT_COPY) {
    struct copy copy = plain(WGPUTextureFormat_Depth32Float);
    copy.is_to_buffer = !is_broken;
    run(v, &copy);
}
CASE(TEXEL_OFFSET) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.layout.offset = is_broken ? 6 : 8;
    run(v, &copy);
}
CASE(TEXEL_NO_ROW_PITCH) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.layout.bytesPerRow = WGPU_COPY_STRIDE_UNDEFINED;
    copy.size.height = is_broken ? 2 : 1;
    run(v, &copy);
}
CASE(TEXEL_NO_ROWS_PER_IMAGE) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.texture.size.depthOrArrayLayers = 2;
    copy.layout.rowsPerImage = WGPU_COPY_STRIDE_UNDEFINED;
    copy.size.depthOrArrayLayers = is_broken ? 2 : 1;
    run(v, &copy);
}
CASE(TEXEL_ROW_PITCH_SMALL) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.texture.size.width = 65;
    copy.size.width = is_broken ? 65 : 64;
    run(v, &copy);
}
CASE(TEXEL_ROWS_SMALL) {
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.layout.rowsPerImage = is_broken ? 7 : 8;
    run(v, &copy);
}
CASE(TEXEL_BYTES) {
    // Seven whole rows and 32 bytes.
    struct copy copy = plain(WGPUTextureFormat_RGBA8Unorm);
    copy.buffer_bytes = is_broken ? 1820 : 1824;
    run(v, &copy);
}
CASE(TEXEL_COMPATIBILITY_COMPRESSED) {
    WGPUFeatureName feature = WGPUFeatureName_TextureCompressionBC;
    begin_device(v, false, &feature, 1);
    struct copy copy = plain(WGPUTextureFormat_BC1RGBAUnorm);
    copy.is_to_buffer = is_broken;
    run(v, &copy);
    end_device(v);
}

// ---------------------------------------------------------------- two textures

// Copies all of "t" to "t2", or to another layer of itself.
static void copy_textures(struct validation *v, const WGPUTextureDescriptor *from,
    const WGPUTextureDescriptor *to, uint32_t to_layer, WGPUTextureAspect aspect) {
    WGPUTexelCopyTextureInfo source = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    WGPUTexelCopyTextureInfo destination = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    source.texture = make_texture(v, from);
    destination.texture = to != NULL ? make_texture(v, to) : source.texture;
    destination.origin.z = to_layer;
    source.aspect = aspect;
    WGPUExtent3D size = {8, 8, 1};
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderCopyTextureToTexture(encoder, &source, &destination, &size);
    finish_and_release(encoder);
    wgpuTextureRelease(source.texture);
    if (to != NULL) {
        wgpuTextureRelease(destination.texture);
    }
}

static WGPUTextureDescriptor other(WGPUTextureFormat format) {
    WGPUTextureDescriptor descriptor = texture_descriptor(format, 8, 8, 1);
    descriptor.label = api_view("t2");
    return descriptor;
}

CASE(TEXEL_SAMPLE_COUNTS) {
    WGPUTextureDescriptor from = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
    WGPUTextureDescriptor to = other(WGPUTextureFormat_RGBA8Unorm);
    from.usage |= WGPUTextureUsage_RenderAttachment;
    to.usage |= WGPUTextureUsage_RenderAttachment;
    from.sampleCount = 4;
    to.sampleCount = is_broken ? 1 : 4;
    copy_textures(v, &from, &to, 0, WGPUTextureAspect_All);
}
CASE(TEXEL_FORMATS) {
    WGPUTextureDescriptor from = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
    WGPUTextureDescriptor to = other(
        is_broken ? WGPUTextureFormat_RGBA8Uint : WGPUTextureFormat_RGBA8UnormSrgb);
    copy_textures(v, &from, &to, 0, WGPUTextureAspect_All);
}
CASE(TEXEL_ALL_ASPECTS) {
    WGPUTextureDescriptor from = texture_descriptor(WGPUTextureFormat_Depth24PlusStencil8, 8, 8, 1);
    WGPUTextureDescriptor to = other(WGPUTextureFormat_Depth24PlusStencil8);
    copy_textures(
        v, &from, &to, 0, is_broken ? WGPUTextureAspect_DepthOnly : WGPUTextureAspect_All);
}
CASE(TEXEL_OVERLAP) {
    WGPUTextureDescriptor from = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 2);
    copy_textures(v, &from, NULL, is_broken ? 0 : 1, WGPUTextureAspect_All);
}
CASE(TEXEL_COMPATIBILITY_SAMPLES) {
    begin_device(v, !is_broken, NULL, 0);
    WGPUTextureDescriptor from = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
    from.usage |= WGPUTextureUsage_RenderAttachment;
    from.sampleCount = 4;
    WGPUTextureDescriptor to = from;
    to.label = api_view("t2");
    copy_textures(v, &from, &to, 0, WGPUTextureAspect_All);
    end_device(v);
}

// ---------------------------------------------------------------- the queue

CASE(TEXEL_DESTROYED) {
    static const unsigned char bytes[256];
    WGPUTextureDescriptor descriptor = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
    WGPUTexelCopyTextureInfo texture = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    texture.texture = make_texture(v, &descriptor);
    if (is_broken) {
        wgpuTextureDestroy(texture.texture);
    }
    WGPUTexelCopyBufferLayout layout = {0, 32, WGPU_COPY_STRIDE_UNDEFINED};
    wgpuQueueWriteTexture(v->api.queue, &texture, bytes, sizeof(bytes), &layout, &descriptor.size);
    wgpuTextureRelease(texture.texture);
}
CASE(SUBMIT_TEXTURE_DESTROYED) {
    WGPUTextureDescriptor descriptor = texture_descriptor(WGPUTextureFormat_RGBA8Unorm, 8, 8, 1);
    WGPUTexelCopyTextureInfo texture = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    texture.texture = make_texture(v, &descriptor);
    WGPUTexelCopyBufferInfo buffer = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    buffer.buffer = make_buffer(v, "b", 2048, COPY_BOTH);
    buffer.layout.bytesPerRow = 256;
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &texture, &buffer, &descriptor.size);
    WGPUCommandBuffer commands = finish_encoder(encoder);
    if (is_broken) {
        wgpuTextureDestroy(texture.texture);
    }
    wgpuQueueSubmit(v->api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuBufferRelease(buffer.buffer);
    wgpuTextureRelease(texture.texture);
}

#define ENC "command encoder \"enc\": "

static const struct validation_case cases[] = {
    ROW(TEXEL_BUFFER, ENC "the copy's source, buffer \"bad\", is invalid"),
    ROW(TEXEL_BUFFER_USAGE,
        ENC "the copy's destination needs usage CopyDst, but buffer \"b\" has usage CopySrc"),
    ROW(TEXEL_ROW_PITCH, ENC "bytesPerRow 128 must be a multiple of 256"),
    ROW(TEXEL_TEXTURE, ENC "the copy's destination, texture \"foreign\", is of another device"),
    ROW(TEXEL_TEXTURE_USAGE,
        ENC "the copy's destination needs usage CopyDst, but texture \"t\" has usage CopySrc"),
    ROW(TEXEL_ENUM,
        ENC "the copy's destination has an aspect of 4, which is no value of that enumeration"),
    ROW(TEXEL_ASPECT,
        ENC
        "the copy's destination has aspect DepthOnly, which is not in format rgba8unorm of texture \"t\""),
    ROW(TEXEL_MIP_LEVEL, ENC "mip level 2 is not among the 2 of texture \"t\""),
    ROW(TEXEL_ORIGIN,
        ENC
        "origin x 2 and y 0 must be multiples of the 4 x 4 texels of a block of bc1-rgba-unorm"),
    ROW(TEXEL_SIZE,
        ENC "size 8 x 6 must be a multiple of the 4 x 4 texels of a block of bc1-rgba-unorm"),
    ROW(TEXEL_WHOLE,
        ENC
        "a copy of 4 x 8 x 1 from origin (0, 0, 0) must have all of mip level 0 of texture \"t\", 8 x 8, because the texture is of a depth or stencil format"),
    ROW(TEXEL_RANGE,
        ENC
        "origin (0, 4, 0) and size 8 x 5 x 1 reach beyond mip level 0 of texture \"t\", which is 8 x 8 x 1"),
    ROW(TEXEL_SAMPLES,
        ENC
        "texture \"t\" has 4 samples, and texels of multisampled textures cannot be copied from or to bytes"),
    ROW(TEXEL_ONE_ASPECT,
        ENC
        "the copy's destination must name one aspect of format depth24plus-stencil8 of texture \"t\", DepthOnly or StencilOnly"),
    ROW(TEXEL_ASPECT_COPY,
        ENC "aspect DepthOnly of format depth32float of texture \"t\" cannot be copied from bytes"),
    ROW(TEXEL_OFFSET, ENC "offset 6 must be a multiple of 4"),
    ROW(TEXEL_NO_ROW_PITCH, ENC "a copy of 2 rows of blocks and 1 images needs bytesPerRow"),
    ROW(TEXEL_NO_ROWS_PER_IMAGE, ENC "a copy of 2 images needs rowsPerImage"),
    ROW(TEXEL_ROW_PITCH_SMALL, ENC "bytesPerRow 256 is less than a row of the copy, 260"),
    ROW(TEXEL_ROWS_SMALL, ENC "rowsPerImage 7 is less than the rows of blocks of the copy, 8"),
    ROW(TEXEL_BYTES, ENC "the copy needs 1824 bytes from offset 0, but buffer \"b\" has 1820"),
    ROW(TEXEL_COMPATIBILITY_COMPRESSED,
        ENC
        "texture \"t\" has the compressed format bc1-rgba-unorm, which cannot be copied so on a device in compatibility mode"),
    ROW(TEXEL_SAMPLE_COUNTS,
        ENC "texture \"t\" has 4 samples and texture \"t2\" 1; they must be equal for a copy"),
    ROW(TEXEL_FORMATS,
        ENC
        "texture \"t\" has format rgba8unorm and texture \"t2\" rgba8uint; they may differ in sRGB alone for a copy"),
    ROW(TEXEL_ALL_ASPECTS,
        ENC
        "the copy's source must name all aspects of format depth24plus-stencil8 of texture \"t\""),
    ROW(TEXEL_OVERLAP,
        ENC
        "source and destination of the copy share mip level 0 of texture \"t\" in its layers 0 to 0"),
    ROW(TEXEL_COMPATIBILITY_SAMPLES,
        ENC
        "texture \"t\" has 4 samples; multisampled textures cannot be copied on a device in compatibility mode"),
    ROW(TEXEL_DESTROYED,
        "queue (no label): the texture to write, texture \"t\", was destroyed by wgpuTextureDestroy"),
    ROW(SUBMIT_TEXTURE_DESTROYED,
        "queue (no label): command buffer \"cb\" uses texture \"t\", which was destroyed by wgpuTextureDestroy"),
};
TABLE(texel_copy_table, cases);
