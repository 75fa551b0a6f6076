// SPDX-License-Identifier: MIT
//
// The class of external textures. Any thread.
#include "webgpu/object/external_texture.h"

const struct gpu_object_class gpu_external_texture_class = {
    GPU_EXTERNAL_TEXTURE, gpu_object_free, NULL};
