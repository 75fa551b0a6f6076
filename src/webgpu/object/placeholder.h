// SPDX-License-Identifier: MIT
//
// Objects of capabilities that are not built yet: render passes and the like.
// They exist so that handles are never NULL and every function on them can be called; all of them
// are invalid. They carry what their getters return. Constant.
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/object.h"

struct WGPUExternalTextureImpl {
    struct gpu_object object;
};
struct WGPURenderPassEncoderImpl {
    struct gpu_object object;
    struct WGPUCommandEncoderImpl *encoder; // an internal reference
    bool has_ended;
};
struct WGPURenderBundleEncoderImpl {
    struct gpu_object object;
};
struct WGPURenderBundleImpl {
    struct gpu_object object;
};

extern const struct gpu_object_class gpu_external_texture_class;
extern const struct gpu_object_class gpu_render_pass_encoder_class;
extern const struct gpu_object_class gpu_render_bundle_encoder_class;
extern const struct gpu_object_class gpu_render_bundle_class;
