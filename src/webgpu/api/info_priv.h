// SPDX-License-Identifier: MIT
//
// What adapters and devices tell in the same way: features, limits, adapter info.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "facts/limits.h"

// An empty list when memory is short.
void info_write_features(struct feature_set set, WGPUSupportedFeatures *out_features);
// Error, with a line in the log and nothing written, when the chain has what the struct does not
// take.
WGPUStatus info_write_limits(
    const char *function, const struct limit_set *set, WGPULimits *out_limits);
WGPUStatus info_write_adapter(
    const char *function, const struct backend_adapter_info *info, WGPUAdapterInfo *out_info);
