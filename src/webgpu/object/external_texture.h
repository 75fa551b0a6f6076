// SPDX-License-Identifier: MIT
//
// struct WGPUExternalTextureImpl. Nothing makes one, since only a browser has video frames to import;
// the standard's handle and its functions exist. Constant. WebGPU §"GPUExternalTexture".
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/object.h"

struct WGPUExternalTextureImpl {
    struct gpu_object object;
};

extern const struct gpu_object_class gpu_external_texture_class;
