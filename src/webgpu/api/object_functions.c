// SPDX-License-Identifier: MIT
//
// SetLabel, AddRef and Release of all objects, from the one table of objects.
#include "webgpu/api/api_priv.h"
#include "webgpu/object/adapter.h"
#include "webgpu/object/command_encoder.h"
#include "webgpu/object/external_texture.h"
#include "webgpu/object/instance.h"
#include "webgpu/object/query_set.h"
#include "webgpu/object/render_bundle.h"
#include "webgpu/object/render_pass.h"
#include "webgpu/object/render_pipeline.h"
#include "webgpu/object/sampler.h"
#include "webgpu/object/shader_module.h"
#include "webgpu/object/surface.h"
#include "webgpu/object/texture.h"
#include "webgpu/queue/queue.h"

// The queue is a part of its device: its references stand for one of the device's.
void wgpuQueueAddRef(WGPUQueue queue) {
    if (!API_IS_NULL(queue)) {
        atomic_fetch_add_explicit(&queue->object.api_refs, 1, memory_order_relaxed);
    }
}

void wgpuQueueRelease(WGPUQueue queue) {
    if (API_IS_NULL(queue)) {
        return;
    }
    if (atomic_fetch_sub_explicit(&queue->object.api_refs, 1, memory_order_acq_rel) == 1) {
        GPU_UNREF(queue->object.device);
    }
}

WGPUQueue wgpuDeviceGetQueue(WGPUDevice device) {
    if (API_IS_NULL(device)) {
        return NULL;
    }
    WGPUQueue queue = device->queue;
    if (atomic_fetch_add_explicit(&queue->object.api_refs, 1, memory_order_relaxed) == 0) {
        GPU_REF(device);
    }
    return queue;
}

// The application's last reference ends a mapping, or one that is pending: nobody could use it.
void wgpuBufferAddRef(WGPUBuffer buffer) {
    if (!API_IS_NULL(buffer)) {
        gpu_object_api_ref(&buffer->object);
    }
}

void wgpuBufferRelease(WGPUBuffer buffer) {
    if (API_IS_NULL(buffer)) {
        return;
    }
    if (atomic_fetch_sub_explicit(&buffer->object.api_refs, 1, memory_order_acq_rel) == 1) {
        buffer_unmap(buffer, false);
        gpu_object_unref(&buffer->object);
    }
}

#define REFERENCES(Name) \
    void wgpu##Name##AddRef(WGPU##Name handle) { \
        if (!API_IS_NULL(handle)) { \
            gpu_object_api_ref(&handle->object); \
        } \
    } \
    void wgpu##Name##Release(WGPU##Name handle) { \
        if (!API_IS_NULL(handle)) { \
            gpu_object_api_unref(&handle->object); \
        } \
    }
#define LABEL(Name) \
    void wgpu##Name##SetLabel(WGPU##Name handle, WGPUStringView label) { \
        if (!API_IS_NULL(handle)) { \
            gpu_object_set_label(&handle->object, view_label(label)); \
        } \
    }

// clang-format off
REFERENCES(Adapter)
REFERENCES(Instance)
REFERENCES(BindGroup)            LABEL(BindGroup)
REFERENCES(BindGroupLayout)      LABEL(BindGroupLayout)
                                 LABEL(Buffer)
REFERENCES(CommandBuffer)        LABEL(CommandBuffer)
REFERENCES(CommandEncoder)       LABEL(CommandEncoder)
REFERENCES(ComputePassEncoder)   LABEL(ComputePassEncoder)
REFERENCES(ComputePipeline)      LABEL(ComputePipeline)
REFERENCES(Device)               LABEL(Device)
REFERENCES(ExternalTexture)      LABEL(ExternalTexture)
REFERENCES(PipelineLayout)       LABEL(PipelineLayout)
REFERENCES(QuerySet)             LABEL(QuerySet)
                                 LABEL(Queue)
REFERENCES(RenderBundle)         LABEL(RenderBundle)
REFERENCES(RenderBundleEncoder)  LABEL(RenderBundleEncoder)
REFERENCES(RenderPassEncoder)    LABEL(RenderPassEncoder)
REFERENCES(RenderPipeline)       LABEL(RenderPipeline)
REFERENCES(Sampler)              LABEL(Sampler)
REFERENCES(ShaderModule)         LABEL(ShaderModule)
REFERENCES(Surface)              LABEL(Surface)
REFERENCES(Texture)              LABEL(Texture)
REFERENCES(TextureView)          LABEL(TextureView)
    // clang-format on
