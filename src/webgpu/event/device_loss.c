// SPDX-License-Identifier: MIT
//
// The loss of a device as the application sees it: one future, made with the device, ready once.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "webgpu/event/error.h"
#include "webgpu/event/event.h"
#include "webgpu/object/instance.h"

struct lost_event {
    struct event event;
    WGPUDeviceLostCallbackInfo info;
    WGPUDevice device; // not a reference; NULL once the application's handle is gone
    WGPUDeviceLostReason reason;
    char message[256];
};

static void fire(struct event *event, bool is_cancelled) {
    struct lost_event *lost = (struct lost_event *)event;
    if (lost->info.callback != NULL) {
        WGPUDeviceLostReason reason = is_cancelled ? WGPUDeviceLostReason_CallbackCancelled
                                                   : lost->reason;
        const char *message = is_cancelled ? event_cancelled_message : lost->message;
        lost->info.callback(&lost->device, reason, event_message(message), lost->info.userdata1,
            lost->info.userdata2);
    }
    memory_free(lost);
}

static struct lost_event *create_lost_event(const WGPUDeviceLostCallbackInfo *info) {
    struct lost_event *lost = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*lost));
    if (lost != NULL) {
        lost->info = *info;
        // Without a callback nobody need be kept waiting for.
        lost->event.mode = info->callback == NULL ? WGPUCallbackMode_AllowSpontaneous : info->mode;
        lost->event.fire = fire;
    }
    return lost;
}

bool error_create_lost_event(
    struct WGPUDeviceImpl *device, const WGPUDeviceLostCallbackInfo *info) {
    struct lost_event *lost = create_lost_event(info);
    if (lost == NULL) {
        return false;
    }
    lost->device = device;
    device->lost_future_id = event_add(device->instance->events, &lost->event).id;
    return true;
}

void error_fire_failed_creation(
    struct event_manager *manager, const WGPUDeviceLostCallbackInfo *info, const char *message) {
    if (info->callback == NULL) {
        return;
    }
    struct lost_event *lost = create_lost_event(info);
    if (lost == NULL) {
        WGPUDevice none = NULL;
        info->callback(&none, WGPUDeviceLostReason_FailedCreation, event_message(message),
            info->userdata1, info->userdata2);
        return;
    }
    lost->reason = WGPUDeviceLostReason_FailedCreation;
    snprintf(lost->message, sizeof(lost->message), "%s", message);
    lost->event.is_ready = true;
    event_add(manager, &lost->event);
}

bool error_begin_loss(struct WGPUDeviceImpl *device) {
    atomic_store(&device->is_lost, true);
    return !atomic_exchange(&device->has_loss_begun, true);
}

struct loss {
    WGPUDeviceLostReason reason;
    const char *message;
};

static void fill_loss(struct event *event, void *argument) {
    struct lost_event *lost = (struct lost_event *)event;
    const struct loss *loss = argument;
    if (event->is_ready) {
        return; // the first news stand
    }
    lost->reason = loss->reason;
    snprintf(lost->message, sizeof(lost->message), "%s", loss->message);
}

void error_announce_loss(struct WGPUDeviceImpl *device, WGPUDeviceLostReason reason,
    const char *message, bool can_fire) {
    struct loss loss = {reason, message};
    event_complete(device->instance->events, device->lost_future_id, fill_loss, &loss, can_fire);
}

static void fill_no_handle(struct event *event, void *argument) {
    (void)argument;
    ((struct lost_event *)event)->device = NULL;
}

void error_forget_handle(struct WGPUDeviceImpl *device) {
    atomic_store(&device->is_handle_gone, true);
    event_edit(device->instance->events, device->lost_future_id, fill_no_handle, NULL);
    // A callback that has the handle already can use it until it returns.
    event_await_return(device->instance->events, device->lost_future_id);
}
