// SPDX-License-Identifier: MIT
//
// Life of query sets. Any thread.
#include "webgpu/object/query_set.h"

#include "webgpu/object/device.h"

static void destroy(struct gpu_object *object) {
    struct WGPUQuerySetImpl *set = (struct WGPUQuerySetImpl *)object;
    if (set->backend != NULL) {
        struct backend_device *backend = object->device->backend;
        backend->functions->query_set_destroy(backend, set->backend);
    }
    gpu_object_free(object);
}

const struct gpu_object_class gpu_query_set_class = {GPU_QUERY_SET, destroy, NULL};

struct WGPUQuerySetImpl *gpu_query_set_create(struct WGPUDeviceImpl *device, struct text label,
    WGPUQueryType type, uint32_t count, bool is_valid, enum backend_status *out_status) {
    *out_status = BACKEND_OK;
    struct WGPUQuerySetImpl *set = gpu_object_create(
        &gpu_query_set_class, sizeof(*set), device, label, is_valid);
    if (set == NULL) {
        return NULL;
    }
    set->type = type;
    set->count = count;
    if (is_valid) {
        *out_status = device->backend->functions->query_set_create(
            device->backend, type, count, label, &set->backend);
        if (*out_status != BACKEND_OK) {
            set->backend = NULL;
            set->object.is_valid = false;
        }
    }
    return set;
}
