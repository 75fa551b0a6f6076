// SPDX-License-Identifier: MIT
//
// Pipeline layouts. Any thread.
#include "webgpu/object/pipeline_layout.h"

#include "webgpu/object/device.h"

static void destroy(struct gpu_object *object) {
    struct WGPUPipelineLayoutImpl *layout = (struct WGPUPipelineLayoutImpl *)object;
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        GPU_UNREF(layout->groups[i]);
    }
    gpu_object_free(object);
}

const struct gpu_object_class gpu_pipeline_layout_class = {GPU_PIPELINE_LAYOUT, destroy, NULL};

struct WGPUPipelineLayoutImpl *gpu_pipeline_layout_create(struct WGPUDeviceImpl *device,
    struct text label, struct WGPUBindGroupLayoutImpl *const *groups, uint32_t group_count,
    uint32_t immediate_size_bytes, bool is_valid) {
    struct WGPUPipelineLayoutImpl *layout = gpu_object_create(
        &gpu_pipeline_layout_class, sizeof(*layout), device, label, is_valid);
    if (layout == NULL || !is_valid) {
        return layout;
    }
    for (uint32_t i = 0; i < group_count; i++) {
        if (groups[i] != NULL && groups[i]->entry_count != 0) {
            layout->groups[i] = groups[i];
            GPU_REF(groups[i]);
            layout->group_mask |= 1u << i;
            layout->has_writable = layout->has_writable || groups[i]->has_writable;
        }
    }
    layout->immediate_size_bytes = immediate_size_bytes;
    return layout;
}
