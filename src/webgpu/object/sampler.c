// SPDX-License-Identifier: MIT
//
// Samplers. Any thread.
#include "webgpu/object/sampler.h"

const struct gpu_object_class gpu_sampler_class = {GPU_SAMPLER, gpu_object_free, NULL};

struct WGPUSamplerImpl *gpu_sampler_create(struct WGPUDeviceImpl *device, struct text label,
    const struct backend_sampler *sampler, bool is_valid) {
    struct WGPUSamplerImpl *object = gpu_object_create(
        &gpu_sampler_class, sizeof(*object), device, label, is_valid);
    if (object != NULL) {
        object->sampler = *sampler;
        object->is_comparison = sampler->compare != WGPUCompareFunction_Undefined;
        object->is_filtering = sampler->mag_filter == WGPUFilterMode_Linear ||
            sampler->min_filter == WGPUFilterMode_Linear ||
            sampler->mipmap_filter == WGPUMipmapFilterMode_Linear;
    }
    return object;
}
