// SPDX-License-Identifier: MIT
//
// The null backend: advertises everything, performs copies, clears, writes, mapping and what render
// passes do beside drawing, refuses what is beyond the memory budget, and runs no shader: a dispatch
// or draw completes without effect. For validation and for tests of the API. Threads as backend.h says.
#include "backend/backend.h"

#include <stdio.h>
#include <string.h>

#include "backend/host_buffer.h"
#include "backend/host_query_set.h"
#include "backend/host_render_pass.h"
#include "backend/host_texture.h"
#include "backend/queue_thread.h"
#include "base/memory.h"

struct backend_bind_group {
    uint32_t binding_count;
};

struct backend_compute_pipeline {
    uint32_t binding_count;
};

struct backend_render_pipeline {
    uint32_t target_count;
};

struct null_device {
    struct backend_device base;
    struct queue_thread *queue;
};

// ---------------------------------------------------------------- device

static struct null_device *as_null(struct backend_device *device) {
    return (struct null_device *)device;
}

static void device_destroy(struct backend_device *device) {
    struct null_device *null_device = as_null(device);
    queue_thread_destroy(null_device->queue);
    memory_free(null_device);
}

static enum backend_status buffer_create(struct backend_device *device, uint64_t size_bytes,
    uint64_t usage, struct text label, struct backend_buffer **out_buffer) {
    (void)device;
    (void)usage;
    (void)label;
    return host_buffer_create(size_bytes, out_buffer);
}

static void buffer_destroy(struct backend_device *device, struct backend_buffer *buffer) {
    (void)device;
    host_buffer_destroy(buffer);
}

static void *buffer_map(struct backend_device *device, struct backend_buffer *buffer,
    uint64_t offset_bytes, uint64_t size_bytes, bool is_write) {
    (void)device;
    (void)size_bytes;
    (void)is_write;
    return buffer->data + offset_bytes;
}

static void buffer_unmap(struct backend_device *device, struct backend_buffer *buffer) {
    (void)device;
    (void)buffer;
}

static enum backend_status texture_create(struct backend_device *device,
    const struct backend_texture_description *description, struct backend_texture **out_texture) {
    (void)device;
    return host_texture_create(description, out_texture);
}

static void texture_destroy(struct backend_device *device, struct backend_texture *texture) {
    (void)device;
    host_texture_destroy(texture);
}

static enum backend_status bind_group_create(struct backend_device *device,
    const struct backend_binding *bindings, uint32_t binding_count,
    struct backend_bind_group **out_group) {
    (void)device;
    (void)bindings;
    *out_group = memory_allocate(MEMORY_OBJECT, sizeof(**out_group));
    if (*out_group == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    (*out_group)->binding_count = binding_count;
    return BACKEND_OK;
}

static void bind_group_destroy(struct backend_device *device, struct backend_bind_group *group) {
    (void)device;
    memory_free(group);
}

static enum backend_status compute_pipeline_create(struct backend_device *device,
    const struct backend_compute_pipeline_description *description,
    struct backend_compute_pipeline **out_pipeline, struct text_buffer *out_message) {
    (void)device;
    (void)out_message;
    *out_pipeline = memory_allocate(MEMORY_OBJECT, sizeof(**out_pipeline));
    if (*out_pipeline == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    (*out_pipeline)->binding_count = description->reflection->binding_count;
    return BACKEND_OK;
}

static void compute_pipeline_destroy(
    struct backend_device *device, struct backend_compute_pipeline *pipeline) {
    (void)device;
    memory_free(pipeline);
}

static enum backend_status render_pipeline_create(struct backend_device *device,
    const struct backend_render_pipeline_description *description,
    struct backend_render_pipeline **out_pipeline, struct text_buffer *out_message) {
    (void)device;
    (void)out_message;
    *out_pipeline = memory_allocate(MEMORY_OBJECT, sizeof(**out_pipeline));
    if (*out_pipeline == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    (*out_pipeline)->target_count = description->state->target_count;
    return BACKEND_OK;
}

static void render_pipeline_destroy(
    struct backend_device *device, struct backend_render_pipeline *pipeline) {
    (void)device;
    memory_free(pipeline);
}

static enum backend_status query_set_create(struct backend_device *device, uint32_t type,
    uint32_t count, struct text label, struct backend_query_set **out_query_set) {
    (void)device;
    (void)label;
    return host_query_set_create(type, count, out_query_set);
}

static void query_set_destroy(struct backend_device *device, struct backend_query_set *query_set) {
    (void)device;
    host_query_set_destroy(query_set);
}

static void execute(void *user, const struct command_stream *stream) {
    struct null_device *device = user;
    const atomic_uint *cancel = queue_thread_cancel_flag(device->queue);
    struct host_render_pass render_pass = {0};
    struct command_cursor cursor = {0};
    const struct command_header *header = NULL;
    while ((header = command_stream_next(stream, &cursor)) != NULL && atomic_load(cancel) == 0) {
        // All else has no effect here.
        (void)(host_buffer_execute(header) || host_texture_execute(header) ||
            host_query_set_execute(header) || host_render_pass_execute(&render_pass, header));
    }
}

static enum backend_status submit(struct backend_device *device, struct command_stream **streams,
    size_t stream_count, uint64_t serial) {
    return queue_thread_submit(as_null(device)->queue, streams, stream_count, serial);
}

static uint64_t completed_serial(struct backend_device *device) {
    return queue_thread_completed_serial(as_null(device)->queue);
}

static bool wait(struct backend_device *device, uint64_t serial, uint64_t timeout_ns) {
    return queue_thread_wait(as_null(device)->queue, serial, timeout_ns);
}

static void cancel(struct backend_device *device) {
    queue_thread_cancel(as_null(device)->queue);
}

static const struct backend_device_functions device_functions = {
    .destroy = device_destroy,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .buffer_map = buffer_map,
    .buffer_unmap = buffer_unmap,
    .texture_create = texture_create,
    .texture_destroy = texture_destroy,
    .bind_group_create = bind_group_create,
    .bind_group_destroy = bind_group_destroy,
    .compute_pipeline_create = compute_pipeline_create,
    .compute_pipeline_destroy = compute_pipeline_destroy,
    .query_set_create = query_set_create,
    .query_set_destroy = query_set_destroy,
    .render_pipeline_create = render_pipeline_create,
    .render_pipeline_destroy = render_pipeline_destroy,
    .submit = submit,
    .completed_serial = completed_serial,
    .wait = wait,
    .cancel = cancel,
};

// ---------------------------------------------------------------- adapter

// Larger than any adapter's, within what the standard's 32-bit limits and our own code can count.
static void raise_limits(WGPULimits *limits) {
    limits->maxTextureDimension1D = 32768;
    limits->maxTextureDimension2D = 32768;
    limits->maxTextureDimension3D = 16384;
    limits->maxTextureArrayLayers = 2048;
    limits->maxBindGroups = 8;
    limits->maxBindGroupsPlusVertexBuffers = 32;
    limits->maxDynamicUniformBuffersPerPipelineLayout = 64;
    limits->maxDynamicStorageBuffersPerPipelineLayout = 64;
    limits->maxSampledTexturesPerShaderStage = 128;
    limits->maxSamplersPerShaderStage = 64;
    limits->maxStorageBuffersPerShaderStage = 64;
    limits->maxStorageTexturesPerShaderStage = 64;
    limits->maxUniformBuffersPerShaderStage = 64;
    limits->maxUniformBufferBindingSize = (uint64_t)1 << 31;
    limits->maxStorageBufferBindingSize = ((uint64_t)1 << 40) - 4;
    limits->minUniformBufferOffsetAlignment = 32;
    limits->minStorageBufferOffsetAlignment = 32;
    limits->maxVertexBuffers = BACKEND_VERTEX_BUFFER_CAPACITY;
    limits->maxBufferSize = (uint64_t)1 << 40;
    limits->maxVertexAttributes = BACKEND_VERTEX_ATTRIBUTE_CAPACITY;
    limits->maxVertexBufferArrayStride = 8192;
    limits->maxInterStageShaderVariables = 32;
    limits->maxColorAttachments = COMMAND_COLOR_ATTACHMENT_CAPACITY;
    limits->maxColorAttachmentBytesPerSample = 128;
    limits->maxComputeWorkgroupStorageSize = 65536;
    limits->maxComputeInvocationsPerWorkgroup = 2048;
    limits->maxComputeWorkgroupSizeX = 2048;
    limits->maxComputeWorkgroupSizeY = 2048;
    limits->maxComputeWorkgroupSizeZ = 2048;
    limits->maxImmediateSize = 256;
}

static void get_info(struct backend_adapter *adapter, struct backend_adapter_info *out_info) {
    (void)adapter;
    *out_info = (struct backend_adapter_info){
        .type = BACKEND_NULL,
        .vendor = "alba",
        .architecture = "null",
        .device = "null",
        .description = "alba's null adapter: validates and copies, runs no shader",
        .adapter_type = WGPUAdapterType_CPU,
        .subgroup_min_size = 4,
        .subgroup_max_size = 128,
        .has_unified_memory = true,
        .limits = limits_get_default(),
    };
    raise_limits(&out_info->limits);
    for (uint32_t name = 0; name < 64; name++) {
        if (feature_get_info(name) != NULL) {
            out_info->features = feature_set_with(out_info->features, name);
        }
    }
}

static enum backend_status device_create(struct backend_adapter *adapter,
    const struct backend_device_options *options, struct backend_device **out_device) {
    (void)adapter;
    *out_device = NULL;
    struct null_device *device = memory_allocate_zeroed(MEMORY_OBJECT, 1, sizeof(*device));
    if (device == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    device->base.functions = &device_functions;
    struct queue_thread_options queue_options = {
        .events = options->events,
        .user = device,
        .execute = execute,
        .name = "alba-null",
        .may_spin = false,
    };
    device->queue = queue_thread_create(&queue_options);
    if (device->queue == NULL) {
        memory_free(device);
        return BACKEND_OUT_OF_MEMORY;
    }
    *out_device = &device->base;
    return BACKEND_OK;
}

static void adapter_destroy(struct backend_adapter *adapter) {
    memory_free(adapter);
}

static const struct backend_adapter_functions adapter_functions = {
    .get_info = get_info,
    .device_create = device_create,
    .destroy = adapter_destroy,
};

static size_t enumerate(struct backend_adapter **out_adapters, size_t capacity) {
    if (capacity == 0) {
        return 0;
    }
    struct backend_adapter *adapter = memory_allocate(MEMORY_OBJECT, sizeof(*adapter));
    if (adapter == NULL) {
        return 0;
    }
    adapter->functions = &adapter_functions;
    out_adapters[0] = adapter;
    return 1;
}

const struct backend backend_null = {
    .type = BACKEND_NULL,
    .name = "null",
    .enumerate = enumerate,
};
