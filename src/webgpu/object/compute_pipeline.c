// SPDX-License-Identifier: MIT
//
// Life of compute pipelines. Any thread.
#include "webgpu/object/compute_pipeline.h"

#include "webgpu/object/device.h"

static void destroy(struct gpu_object *object) {
    struct WGPUComputePipelineImpl *pipeline = (struct WGPUComputePipelineImpl *)object;
    if (pipeline->backend != NULL) {
        struct backend_device *backend = object->device->backend;
        backend->functions->compute_pipeline_destroy(backend, pipeline->backend);
    }
    gpu_pipeline_interface_finish(&pipeline->interface);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_compute_pipeline_class = {GPU_COMPUTE_PIPELINE, destroy, NULL};

struct WGPUComputePipelineImpl *gpu_compute_pipeline_create(
    struct WGPUDeviceImpl *device, struct text label, bool is_valid) {
    return gpu_object_create(&gpu_compute_pipeline_class, sizeof(struct WGPUComputePipelineImpl),
        device, label, is_valid);
}
