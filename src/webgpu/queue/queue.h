// SPDX-License-Identifier: MIT
//
// The queue: writes, submissions, their retirement, and everything that waits for them (maps, work
// done). WebGPU §"Queues" and §"Buffer Mapping". Safe from any thread.
#pragma once

#include <alba/alba.h>

#include "webgpu/object/command_encoder.h"
#include "webgpu/object/device.h"

void queue_write_buffer(struct WGPUQueueImpl *queue, struct WGPUBufferImpl *buffer,
    uint64_t offset_bytes, const void *data, size_t size_bytes);
void queue_write_texture(struct WGPUQueueImpl *queue, const WGPUTexelCopyTextureInfo *destination,
    const void *data, size_t data_bytes, const WGPUTexelCopyBufferLayout *layout,
    const WGPUExtent3D *size);
void queue_submit(
    struct WGPUQueueImpl *queue, size_t count, struct WGPUCommandBufferImpl *const *commands);
WGPUFuture queue_on_work_done(
    struct WGPUQueueImpl *queue, const WGPUQueueWorkDoneCallbackInfo *info);

// With the device's mutex held: gives pending writes to the backend. Returns the serial whose
// completion means that everything so far is done.
uint64_t queue_flush(struct WGPUQueueImpl *queue);
// Lets go of what completed submissions kept alive. Takes the device's mutex; must not be called on
// a backend's thread.
void queue_retire(struct WGPUDeviceImpl *device);

// What the backend calls (backend_events).
void queue_on_completed(void *user, uint64_t serial);
void queue_on_lost(void *user, struct text reason);

WGPUFuture buffer_map_async(struct WGPUBufferImpl *buffer, WGPUMapMode mode, uint64_t offset_bytes,
    uint64_t size_bytes, const WGPUBufferMapCallbackInfo *info);
// wgpuBufferUnmap, and wgpuBufferDestroy when is_destroying.
void buffer_unmap(struct WGPUBufferImpl *buffer, bool is_destroying);
// NULL, with a line in the log, if a rule is broken. size_bytes was resolved by the caller.
void *buffer_get_mapped_range(
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes, bool is_const);
bool buffer_read_mapped_range(
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, void *data, uint64_t size_bytes);
bool buffer_write_mapped_range(
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, const void *data, uint64_t size_bytes);

// ---- the device's life

struct device_options {
    struct text label;
    struct text queue_label;
    struct limit_set limits;
    struct feature_set features;
    bool is_core;
    struct backend_device_options backend;
    size_t ledger_list_capacity;
    const AlbaWarningOptions *warnings; // NULL: off
    const WGPUDeviceLostCallbackInfo *lost;
    const WGPUUncapturedErrorCallbackInfo *uncaptured;
};
// NULL when the backend cannot make one or memory is short; out_status tells which.
struct WGPUDeviceImpl *device_create(struct WGPUAdapterImpl *adapter,
    const struct device_options *options, enum backend_status *out_status);
// Loses the device: buffers are destroyed, work is cancelled, the lost future completes. Once.
void device_lose(struct WGPUDeviceImpl *device, WGPUDeviceLostReason reason, const char *message);
