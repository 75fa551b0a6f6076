// SPDX-License-Identifier: MIT
//
// Classes of the objects that are not built yet. Any thread.
#include "webgpu/object/placeholder.h"

#include "webgpu/object/command_encoder.h"

static void destroy_render_pass(struct gpu_object *object) {
    struct WGPURenderPassEncoderImpl *pass = (struct WGPURenderPassEncoderImpl *)object;
    GPU_UNREF(pass->encoder);
    gpu_object_free(object);
}

#define PLACEHOLDER_CLASS(name, kind) \
    const struct gpu_object_class gpu_##name##_class = {GPU_##kind, gpu_object_free, NULL};
PLACEHOLDER_CLASS(external_texture, EXTERNAL_TEXTURE)
PLACEHOLDER_CLASS(render_bundle_encoder, RENDER_BUNDLE_ENCODER)
PLACEHOLDER_CLASS(render_bundle, RENDER_BUNDLE)
const struct gpu_object_class gpu_render_pass_encoder_class = {
    GPU_RENDER_PASS_ENCODER, destroy_render_pass, NULL};
