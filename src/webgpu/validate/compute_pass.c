// SPDX-License-Identifier: MIT
//
// Rules of dispatches.
#include "webgpu/validate/compute_pass.h"

#define PASS_NAME GPU_NAME(pass, COMPUTE_PASS_ENCODER)

bool validate_dispatch_count(struct WGPUComputePassEncoderImpl *pass, const uint32_t workgroups[3],
    struct validate_error *error) {
    uint64_t limit = pass->object.device->limits.values[LIMIT_maxComputeWorkgroupsPerDimension];
    if (workgroups[0] > limit || workgroups[1] > limit || workgroups[2] > limit) {
        return BROKEN(error, DISPATCH_COUNT, PASS_NAME, workgroups[0], workgroups[1], workgroups[2],
            ULL(limit));
    }
    const struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    if (!pipeline->uses_workgroup_index && !pipeline->uses_global_invocation_index) {
        return true;
    }
    uint64_t plane = (uint64_t)workgroups[0] * workgroups[1];
    bool is_plane_big = plane > UINT32_MAX;
    uint64_t total = is_plane_big ? UINT64_MAX : plane * workgroups[2];
    if (workgroups[0] == 0 || workgroups[1] == 0 || workgroups[2] == 0) {
        return true;
    }
    const uint32_t *size = pipeline->workgroup_size;
    uint64_t per_group = (uint64_t)size[0] * size[1] * size[2];
    if (pipeline->uses_workgroup_index && total > UINT32_MAX) {
        return BROKEN(error, DISPATCH_INDEX, PASS_NAME, workgroups[0], workgroups[1], workgroups[2],
            GPU_NAME(pass->pipeline, COMPUTE_PIPELINE), "workgroup_index");
    }
    if (pipeline->uses_global_invocation_index && total > UINT32_MAX / per_group) {
        return BROKEN(error, DISPATCH_INDEX, PASS_NAME, workgroups[0], workgroups[1], workgroups[2],
            GPU_NAME(pass->pipeline, COMPUTE_PIPELINE), "global_invocation_index");
    }
    return true;
}
