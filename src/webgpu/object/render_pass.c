// SPDX-License-Identifier: MIT
//
// Life of render passes. See the header for threads.
#include "webgpu/object/render_pass.h"

#include "base/memory.h"

static void destroy(struct gpu_object *object) {
    struct WGPURenderPassEncoderImpl *pass = (struct WGPURenderPassEncoderImpl *)object;
    memory_free(pass->occlusion_queries_begun);
    gpu_render_commands_finish(&pass->commands);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_render_pass_encoder_class = {
    GPU_RENDER_PASS_ENCODER, destroy, NULL};

struct WGPURenderPassEncoderImpl *gpu_render_pass_encoder_create(
    struct WGPUCommandEncoderImpl *encoder, struct text label) {
    struct WGPURenderPassEncoderImpl *pass = gpu_object_create(
        &gpu_render_pass_encoder_class, sizeof(*pass), encoder->object.device, label, true);
    if (pass != NULL) {
        pass->commands.pass.encoder = encoder;
        pass->commands.pass.recording = &encoder->recording;
        GPU_REF(encoder);
    }
    return pass;
}
