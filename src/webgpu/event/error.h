// SPDX-License-Identifier: MIT
//
// Errors of a device: the stacks of error scopes, one for each thread, the uncaptured error
// callback, and the loss of the device. Safe from any thread; no lock is held while the callback
// runs. WebGPU §"Errors & Debugging".
#pragma once

#include <webgpu/webgpu.h>

#include "base/text.h"
#include "webgpu/object/device.h"

struct event_manager;

// Gives the error to the innermost scope of this thread that takes its type, else to the
// uncaptured error callback, else to the log. A lost device reports nothing.
void error_report(struct WGPUDeviceImpl *device, WGPUErrorType type, struct text message);
void error_report_format(struct WGPUDeviceImpl *device, WGPUErrorType type, const char *format, ...)
    TEXT_PRINTF(3, 4);
// The device error of a backend's failure to make `what`; BACKEND_LOST reports nothing.
void error_report_status(
    struct WGPUDeviceImpl *device, enum backend_status status, const char *what);

void error_push_scope(struct WGPUDeviceImpl *device, WGPUErrorFilter filter);
// False: this thread has no scope. The message is the caller's to free (memory_free), may be NULL.
bool error_pop_scope(struct WGPUDeviceImpl *device, struct gpu_error_scope *out_scope);
// Frees all scopes, for the device's destruction.
void error_finish_scopes(struct WGPUDeviceImpl *device);

// Makes the event behind wgpuDeviceGetLostFuture. False: no memory.
bool error_create_lost_event(struct WGPUDeviceImpl *device, const WGPUDeviceLostCallbackInfo *info);
// The callback of a device that could not be made; NULL callbacks are allowed.
void error_fire_failed_creation(
    struct event_manager *manager, const WGPUDeviceLostCallbackInfo *info, const char *message);
// Marks the device lost. False if it was lost before. What follows from it (unmapping, stopping the
// backend) and error_announce_loss are the caller's.
bool error_begin_loss(struct WGPUDeviceImpl *device);
// Makes the lost future ready.
void error_announce_loss(
    struct WGPUDeviceImpl *device, WGPUDeviceLostReason reason, const char *message, bool can_fire);
// From now on the lost callback gets no device.
void error_forget_handle(struct WGPUDeviceImpl *device);
