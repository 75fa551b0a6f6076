// SPDX-License-Identifier: MIT
//
// Bind group layouts, bind groups and pipeline layouts.
#include "webgpu/object/bind_group.h"
#include "base/memory.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/object/pipeline_layout.h"
#include "webgpu/validate/bind_group.h"
#include "webgpu/validate/bind_group_layout.h"

WGPUBindGroupLayout wgpuDeviceCreateBindGroupLayout(
    WGPUDevice device, const WGPUBindGroupLayoutDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor) ||
        (descriptor->entryCount != 0 && API_IS_NULL(descriptor->entries))) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_BIND_GROUP_LAYOUT, label);
    struct validate_error error = {0};
    // Bindings are unique and below a limit: with more entries than that a rule breaks before the
    // array's end.
    size_t capacity = (size_t)device->limits.values[LIMIT_maxBindingsPerBindGroup] + 1;
    capacity = descriptor->entryCount < capacity ? descriptor->entryCount : capacity;
    struct gpu_binding_layout *entries = memory_allocate_zeroed(
        MEMORY_GENERAL, capacity, sizeof(*entries));
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = entries != NULL && !is_lost &&
        validate_bind_group_layout(device, descriptor, name.text, entries, &error);
    if (entries == NULL) {
        error_report_status(device, BACKEND_OUT_OF_MEMORY, name.text);
    }
    if (error.rule != RULE_NONE) {
        api_report(device, &error);
    }
    struct WGPUBindGroupLayoutImpl *layout = gpu_bind_group_layout_create(
        device, label, entries, (uint32_t)capacity, 0, is_valid);
    memory_free(entries);
    if (layout == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return layout;
}

WGPUBindGroup wgpuDeviceCreateBindGroup(
    WGPUDevice device, const WGPUBindGroupDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor) ||
        (descriptor->entryCount != 0 && API_IS_NULL(descriptor->entries))) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_BIND_GROUP, label);
    struct validate_error error = {0};
    struct gpu_binding *bindings = NULL;
    enum backend_status status = BACKEND_OK;
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = !is_lost &&
        validate_bind_group_layout_use(device, descriptor, name.text, &error);
    if (is_valid) {
        bindings = memory_allocate_zeroed(
            MEMORY_GENERAL, descriptor->layout->entry_count, sizeof(*bindings));
        if (bindings == NULL) {
            error_report_status(device, BACKEND_OUT_OF_MEMORY, name.text);
        }
        is_valid = bindings != NULL &&
            validate_bind_group(device, descriptor, name.text, bindings, &error);
    }
    if (error.rule != RULE_NONE) {
        api_report(device, &error);
    }
    struct WGPUBindGroupImpl *group = gpu_bind_group_create(
        device, label, is_valid ? descriptor->layout : NULL, bindings, is_valid, &status);
    memory_free(bindings);
    if (group == NULL) {
        api_lose_for_memory(device, __func__);
        return NULL;
    }
    error_report_status(device, status, name.text);
    return group;
}

WGPUPipelineLayout wgpuDeviceCreatePipelineLayout(
    WGPUDevice device, const WGPUPipelineLayoutDescriptor *descriptor) {
    if (API_IS_NULL(device) || API_IS_NULL(descriptor) ||
        (descriptor->bindGroupLayoutCount != 0 && API_IS_NULL(descriptor->bindGroupLayouts))) {
        return NULL;
    }
    struct text label = view_label(descriptor->label);
    struct gpu_name name = gpu_name_of_label(GPU_PIPELINE_LAYOUT, label);
    struct validate_error error = {0};
    bool is_lost = atomic_load(&device->is_lost);
    bool is_valid = !is_lost && validate_pipeline_layout(device, descriptor, name.text, &error);
    if (error.rule != RULE_NONE) {
        api_report(device, &error);
    }
    struct WGPUPipelineLayoutImpl *layout = gpu_pipeline_layout_create(device, label,
        descriptor->bindGroupLayouts, is_valid ? (uint32_t)descriptor->bindGroupLayoutCount : 0,
        descriptor->immediateSize, is_valid);
    if (layout == NULL) {
        api_lose_for_memory(device, __func__);
    }
    return layout;
}
