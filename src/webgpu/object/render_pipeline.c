// SPDX-License-Identifier: MIT
//
// Life of render pipelines. Any thread.
#include "webgpu/object/render_pipeline.h"

#include "webgpu/object/device.h"

static void destroy(struct gpu_object *object) {
    struct WGPURenderPipelineImpl *pipeline = (struct WGPURenderPipelineImpl *)object;
    if (pipeline->backend != NULL) {
        struct backend_device *backend = object->device->backend;
        backend->functions->render_pipeline_destroy(backend, pipeline->backend);
    }
    gpu_pipeline_interface_finish(&pipeline->interface);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_render_pipeline_class = {GPU_RENDER_PIPELINE, destroy, NULL};

struct WGPURenderPipelineImpl *gpu_render_pipeline_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid) {
    return gpu_object_create(
        &gpu_render_pipeline_class, sizeof(struct WGPURenderPipelineImpl), device, label, is_valid);
}
