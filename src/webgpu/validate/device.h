// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"requestDevice" and "a new device".
#pragma once

#include "webgpu/object/adapter.h"
#include "webgpu/object/device.h"
#include "webgpu/validate/rule.h"

// Required features and limits against the adapter's; writes those that the device will have.
bool validate_device(struct WGPUAdapterImpl *adapter, const WGPUDeviceDescriptor *descriptor,
    struct feature_set *out_features, struct limit_set *out_limits, bool *out_is_core,
    struct validate_error *error);
// The broken rule of an adapter that has made its device. Returns false.
bool validate_device_consumed(struct WGPUAdapterImpl *adapter, struct validate_error *error);
