// SPDX-License-Identifier: MIT
//
// Objects of capabilities that are not built yet: external textures.
// They exist so that handles are never NULL and every function on them can be called; all of them
// are invalid. They carry what their getters return. Constant.
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/object/object.h"

struct WGPUExternalTextureImpl {
    struct gpu_object object;
};

extern const struct gpu_object_class gpu_external_texture_class;
