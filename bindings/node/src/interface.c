// SPDX-License-Identifier: MIT
//
// The tables that interface.def spells out: methods, attributes and interfaces; how each kind of
// handle is released and labelled.

#include "buffer.h"
#include "device.h"
#include "method.h"
#include "shader.h"

#include <assert.h>

// Handles as void pointers, to have one type for all.
#define HANDLE_FUNCTIONS(id, Name) \
    static void release_##id(void *handle) { \
        wgpu##Name##Release(handle); \
    } \
    static void set_##id##_label(void *handle, WGPUStringView label) { \
        wgpu##Name##SetLabel(handle, label); \
    }

HANDLE_FUNCTIONS(queue, Queue)
HANDLE_FUNCTIONS(buffer, Buffer)
HANDLE_FUNCTIONS(texture, Texture)
HANDLE_FUNCTIONS(texture_view, TextureView)
HANDLE_FUNCTIONS(external_texture, ExternalTexture)
HANDLE_FUNCTIONS(sampler, Sampler)
HANDLE_FUNCTIONS(bind_group_layout, BindGroupLayout)
HANDLE_FUNCTIONS(bind_group, BindGroup)
HANDLE_FUNCTIONS(pipeline_layout, PipelineLayout)
HANDLE_FUNCTIONS(shader_module, ShaderModule)
HANDLE_FUNCTIONS(compute_pipeline, ComputePipeline)
HANDLE_FUNCTIONS(render_pipeline, RenderPipeline)
HANDLE_FUNCTIONS(query_set, QuerySet)
HANDLE_FUNCTIONS(command_buffer, CommandBuffer)
HANDLE_FUNCTIONS(command_encoder, CommandEncoder)
HANDLE_FUNCTIONS(compute_pass, ComputePassEncoder)
HANDLE_FUNCTIONS(render_pass, RenderPassEncoder)
HANDLE_FUNCTIONS(render_bundle, RenderBundle)
HANDLE_FUNCTIONS(render_bundle_encoder, RenderBundleEncoder)

static void release_nothing(void *handle) {
    (void)handle;
}

static void release_adapter(void *handle) {
    wgpuAdapterRelease(handle);
}

// The struct device owns the handle; a GPUDevice only refers to it.
static void set_device_label(void *handle, WGPUStringView label) {
    wgpuDeviceSetLabel(handle, label);
}

// Tables end with a row that does not count, so that none is empty.
#define INTERFACE(id, name, size, release, set_label) static const struct method id##_methods[] = {
#define METHOD(id, name, function, required) {&interface_##id, name, function, required, false},
#define PROMISE(id, name, function, required) {&interface_##id, name, function, required, true},
#define READONLY(id, name, getter)
#define LABEL(id)
#define END_INTERFACE \
    { NULL, NULL, NULL, 0, false } \
    } \
    ;
#include "interface.def"

#define INTERFACE(id, name, size, release, set_label) \
    static const struct attribute id##_attributes[] = {
#define METHOD(id, name, function, required)
#define PROMISE(id, name, function, required)
#define READONLY(id, name, getter) \
    {{&interface_##id, name, getter, 0, false}, {NULL, NULL, NULL, 0, false}},
#define LABEL(id) \
    {{&interface_##id, "label", object_get_label, 0, false}, \
        {&interface_##id, "label", object_set_label, 1, false}},
#define END_INTERFACE \
    { \
        {NULL, NULL, NULL, 0, false}, { \
            NULL, NULL, NULL, 0, false \
        } \
    } \
    } \
    ;
#include "interface.def"

#define INTERFACE(id_, name_, size, release_, set_label_) \
    const struct interface interface_##id_ = {.name = name_, \
        .id = INTERFACE_##id_, \
        .size_bytes = size, \
        .release = release_, \
        .set_label = set_label_, \
        .methods = id_##_methods, \
        .method_count = sizeof id_##_methods / sizeof id_##_methods[0] - 1, \
        .attributes = id_##_attributes, \
        .attribute_count = sizeof id_##_attributes / sizeof id_##_attributes[0] - 1};
#define METHOD(id, name, function, required)
#define PROMISE(id, name, function, required)
#define READONLY(id, name, getter)
#define LABEL(id)
#define END_INTERFACE
#include "interface.def"

#define INTERFACE(id, name, size, release, set_label) &interface_##id,
#define METHOD(id, name, function, required)
#define PROMISE(id, name, function, required)
#define READONLY(id, name, getter)
#define LABEL(id)
#define END_INTERFACE
const struct interface *const interfaces[INTERFACE_COUNT] = {
#include "interface.def"
};

static_assert(
    (int)INTERFACE_COUNT <= (int)INTERFACE_CAPACITY, "node_env has room for every interface");
