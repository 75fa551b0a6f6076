// SPDX-License-Identifier: MIT
//
// Life of render bundles and their encoders. See the header for threads.
#include "webgpu/object/render_bundle.h"

#include <string.h>

#include "webgpu/object/device.h"

static void destroy_encoder(struct gpu_object *object) {
    struct WGPURenderBundleEncoderImpl *encoder = (struct WGPURenderBundleEncoderImpl *)object;
    gpu_render_commands_finish(&encoder->commands);
    gpu_recording_finish(&encoder->recording);
    gpu_object_free(object);
}

static void destroy_bundle(struct gpu_object *object) {
    struct WGPURenderBundleImpl *bundle = (struct WGPURenderBundleImpl *)object;
    gpu_usage_scope_finish(&bundle->scope);
    gpu_recording_finish(&bundle->recording);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_render_bundle_encoder_class = {
    GPU_RENDER_BUNDLE_ENCODER, destroy_encoder, NULL};
const struct gpu_object_class gpu_render_bundle_class = {GPU_RENDER_BUNDLE, destroy_bundle, NULL};

struct WGPURenderBundleEncoderImpl *gpu_render_bundle_encoder_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid) {
    struct WGPURenderBundleEncoderImpl *encoder = gpu_object_create(
        &gpu_render_bundle_encoder_class, sizeof(*encoder), device, label, is_valid);
    if (encoder == NULL) {
        return NULL;
    }
    encoder->commands.pass.recording = &encoder->recording;
    if (is_valid && !gpu_recording_init(&encoder->recording)) {
        gpu_object_api_unref(&encoder->object);
        return NULL;
    }
    return encoder;
}

struct WGPURenderBundleImpl *gpu_render_bundle_create(
    struct WGPURenderBundleEncoderImpl *encoder, struct text label, bool is_valid) {
    struct WGPURenderBundleImpl *bundle = gpu_object_create(
        &gpu_render_bundle_class, sizeof(*bundle), encoder->object.device, label, is_valid);
    if (bundle == NULL || !is_valid) {
        return bundle;
    }
    bundle->recording = encoder->recording;
    memset(&encoder->recording, 0, sizeof(encoder->recording));
    bundle->scope = encoder->commands.scope;
    memset(&encoder->commands.scope, 0, sizeof(encoder->commands.scope));
    bundle->layout = encoder->commands.layout;
    bundle->is_depth_read_only = encoder->commands.is_depth_read_only;
    bundle->is_stencil_read_only = encoder->commands.is_stencil_read_only;
    return bundle;
}
