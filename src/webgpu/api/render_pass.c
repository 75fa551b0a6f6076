// SPDX-License-Identifier: MIT
//
// Render passes: not built yet. A pass can be begun, filled and ended; its encoder then fails to
// finish.
#include "webgpu/api/api_priv.h"
#include "webgpu/encode/encoder.h"
#include "webgpu/object/placeholder.h"

WGPURenderPassEncoder wgpuCommandEncoderBeginRenderPass(
    WGPUCommandEncoder commandEncoder, const WGPURenderPassDescriptor *descriptor) {
    if (API_IS_NULL(commandEncoder) || API_IS_NULL(descriptor)) {
        return NULL;
    }
    struct WGPUDeviceImpl *device = commandEncoder->object.device;
    bool is_open = commandEncoder->state == GPU_ENCODER_OPEN;
    if (encoder_accepts(commandEncoder, "wgpuCommandEncoderBeginRenderPass")) {
        encoder_fail_text(&commandEncoder->error, WGPUErrorType_Internal,
            not_implemented_message(NOT_IMPLEMENTED_wgpuCommandEncoderBeginRenderPass));
    }
    struct WGPURenderPassEncoderImpl *pass = gpu_object_create(&gpu_render_pass_encoder_class,
        sizeof(*pass), device, view_label(descriptor->label), false);
    if (pass == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    pass->encoder = commandEncoder;
    GPU_REF(commandEncoder);
    pass->has_ended = !is_open;
    if (is_open) {
        commandEncoder->state = GPU_ENCODER_LOCKED;
    }
    return pass;
}

void wgpuRenderPassEncoderEnd(WGPURenderPassEncoder pass) {
    if (!API_IS_NULL(pass) && !pass->has_ended) {
        pass->has_ended = true;
        if (pass->encoder->state == GPU_ENCODER_LOCKED) {
            pass->encoder->state = GPU_ENCODER_OPEN;
        }
    }
}

static void fail_pass(WGPURenderPassEncoder pass, enum not_implemented function) {
    if (pass->encoder->state != GPU_ENCODER_ENDED) {
        encoder_fail_text(
            &pass->encoder->error, WGPUErrorType_Internal, not_implemented_message(function));
    }
}

// Commands that wait for the renderer: PASS_COMMAND(name, parameters after the pass, their uses).
#define PASS_COMMAND(name, parameters, uses) \
    void wgpuRenderPassEncoder##name parameters { \
        uses if (!API_IS_NULL(pass)) { \
            fail_pass(pass, NOT_IMPLEMENTED_wgpuRenderPassEncoder##name); \
        } \
    }
#define UNUSED(x) (void)(x);

// clang-format off
PASS_COMMAND(BeginOcclusionQuery, (WGPURenderPassEncoder pass, uint32_t queryIndex), UNUSED(queryIndex))
PASS_COMMAND(EndOcclusionQuery, (WGPURenderPassEncoder pass), )
PASS_COMMAND(Draw, (WGPURenderPassEncoder pass, uint32_t a, uint32_t b, uint32_t c, uint32_t d),
             UNUSED(a) UNUSED(b) UNUSED(c) UNUSED(d))
PASS_COMMAND(DrawIndexed, (WGPURenderPassEncoder pass, uint32_t a, uint32_t b, uint32_t c, int32_t d, uint32_t e),
             UNUSED(a) UNUSED(b) UNUSED(c) UNUSED(d) UNUSED(e))
PASS_COMMAND(DrawIndirect, (WGPURenderPassEncoder pass, WGPUBuffer buffer, uint64_t offset), UNUSED(buffer) UNUSED(offset))
PASS_COMMAND(DrawIndexedIndirect, (WGPURenderPassEncoder pass, WGPUBuffer buffer, uint64_t offset), UNUSED(buffer) UNUSED(offset))
PASS_COMMAND(ExecuteBundles, (WGPURenderPassEncoder pass, size_t count, const WGPURenderBundle *bundles), UNUSED(count) UNUSED(bundles))
PASS_COMMAND(SetBindGroup, (WGPURenderPassEncoder pass, uint32_t index, WGPUBindGroup group, size_t count, const uint32_t *offsets),
             UNUSED(index) UNUSED(group) UNUSED(count) UNUSED(offsets))
PASS_COMMAND(SetBlendConstant, (WGPURenderPassEncoder pass, const WGPUColor *color), UNUSED(color))
PASS_COMMAND(SetImmediates, (WGPURenderPassEncoder pass, uint32_t offset, const void *data, size_t size), UNUSED(offset) UNUSED(data) UNUSED(size))
PASS_COMMAND(SetIndexBuffer, (WGPURenderPassEncoder pass, WGPUBuffer buffer, WGPUIndexFormat format, uint64_t offset, uint64_t size),
             UNUSED(buffer) UNUSED(format) UNUSED(offset) UNUSED(size))
PASS_COMMAND(SetPipeline, (WGPURenderPassEncoder pass, WGPURenderPipeline pipeline), UNUSED(pipeline))
PASS_COMMAND(SetScissorRect, (WGPURenderPassEncoder pass, uint32_t x, uint32_t y, uint32_t width, uint32_t height),
             UNUSED(x) UNUSED(y) UNUSED(width) UNUSED(height))
PASS_COMMAND(SetStencilReference, (WGPURenderPassEncoder pass, uint32_t reference), UNUSED(reference))
PASS_COMMAND(SetVertexBuffer, (WGPURenderPassEncoder pass, uint32_t slot, WGPUBuffer buffer, uint64_t offset, uint64_t size),
             UNUSED(slot) UNUSED(buffer) UNUSED(offset) UNUSED(size))
PASS_COMMAND(SetViewport, (WGPURenderPassEncoder pass, float x, float y, float width, float height, float near_depth, float far_depth),
             UNUSED(x) UNUSED(y) UNUSED(width) UNUSED(height) UNUSED(near_depth) UNUSED(far_depth))
// clang-format on

// Debug groups of a pass that records nothing have no effect.
void wgpuRenderPassEncoderPushDebugGroup(WGPURenderPassEncoder pass, WGPUStringView label) {
    (void)label;
    (void)API_IS_NULL(pass);
}
void wgpuRenderPassEncoderPopDebugGroup(WGPURenderPassEncoder pass) {
    (void)API_IS_NULL(pass);
}
void wgpuRenderPassEncoderInsertDebugMarker(WGPURenderPassEncoder pass, WGPUStringView label) {
    (void)label;
    (void)API_IS_NULL(pass);
}
