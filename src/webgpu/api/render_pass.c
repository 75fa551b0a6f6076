// SPDX-License-Identifier: MIT
//
// Render passes: the arguments unpacked, then the call.
#include "webgpu/encode/render_pass.h"

#include "webgpu/api/api_priv.h"
#include "webgpu/encode/pass.h"
#include "webgpu/encode/render_commands.h"

WGPURenderPassEncoder wgpuCommandEncoderBeginRenderPass(
    WGPUCommandEncoder commandEncoder, const WGPURenderPassDescriptor *descriptor) {
    if (API_IS_NULL(commandEncoder) || API_IS_NULL(descriptor) ||
        (descriptor->colorAttachmentCount != 0 && API_IS_NULL(descriptor->colorAttachments))) {
        return NULL;
    }
    struct WGPURenderPassEncoderImpl *pass = render_pass_begin(
        commandEncoder, descriptor, view_label(descriptor->label));
    if (pass == NULL) {
        api_lose_for_memory(commandEncoder->object.device, __func__);
    }
    return pass;
}

void wgpuRenderPassEncoderEnd(WGPURenderPassEncoder renderPassEncoder) {
    if (!API_IS_NULL(renderPassEncoder)) {
        render_pass_end(renderPassEncoder);
    }
}

void wgpuRenderPassEncoderSetViewport(WGPURenderPassEncoder renderPassEncoder, float x, float y,
    float width, float height, float minDepth, float maxDepth) {
    if (!API_IS_NULL(renderPassEncoder)) {
        render_pass_set_viewport(renderPassEncoder, x, y, width, height, minDepth, maxDepth);
    }
}

void wgpuRenderPassEncoderSetScissorRect(WGPURenderPassEncoder renderPassEncoder, uint32_t x,
    uint32_t y, uint32_t width, uint32_t height) {
    if (!API_IS_NULL(renderPassEncoder)) {
        render_pass_set_scissor_rect(renderPassEncoder, x, y, width, height);
    }
}

void wgpuRenderPassEncoderSetBlendConstant(
    WGPURenderPassEncoder renderPassEncoder, const WGPUColor *color) {
    if (!API_IS_NULL(renderPassEncoder) && !API_IS_NULL(color)) {
        render_pass_set_blend_constant(renderPassEncoder, color);
    }
}

void wgpuRenderPassEncoderSetStencilReference(
    WGPURenderPassEncoder renderPassEncoder, uint32_t reference) {
    if (!API_IS_NULL(renderPassEncoder)) {
        render_pass_set_stencil_reference(renderPassEncoder, reference);
    }
}

void wgpuRenderPassEncoderBeginOcclusionQuery(
    WGPURenderPassEncoder renderPassEncoder, uint32_t queryIndex) {
    if (!API_IS_NULL(renderPassEncoder)) {
        render_pass_begin_occlusion_query(renderPassEncoder, queryIndex);
    }
}

void wgpuRenderPassEncoderEndOcclusionQuery(WGPURenderPassEncoder renderPassEncoder) {
    if (!API_IS_NULL(renderPassEncoder)) {
        render_pass_end_occlusion_query(renderPassEncoder);
    }
}

void wgpuRenderPassEncoderExecuteBundles(
    WGPURenderPassEncoder renderPassEncoder, size_t bundleCount, const WGPURenderBundle *bundles) {
    if (!API_IS_NULL(renderPassEncoder) && (bundleCount == 0 || !API_IS_NULL(bundles))) {
        render_pass_execute_bundles(renderPassEncoder, bundleCount, bundles);
    }
}

#define ENCODER renderPassEncoder
#define RENDER(name) wgpuRenderPassEncoder##name
#define RENDER_HANDLE WGPURenderPassEncoder
#include "webgpu/api/render_function.def"
