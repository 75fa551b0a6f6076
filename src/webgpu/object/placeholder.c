// SPDX-License-Identifier: MIT
//
// Classes of the objects that are not built yet. Any thread.
#include "webgpu/object/placeholder.h"

#define PLACEHOLDER_CLASS(name, kind) \
    const struct gpu_object_class gpu_##name##_class = {GPU_##kind, gpu_object_free, NULL};
PLACEHOLDER_CLASS(external_texture, EXTERNAL_TEXTURE)
