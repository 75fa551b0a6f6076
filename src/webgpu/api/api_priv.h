// SPDX-License-Identifier: MIT
//
// What the exported functions share: text from string views, guards against NULL handles,
// and the list of backends.
#pragma once

#include <webgpu/webgpu.h>

#include "backend/backend.h"
#include "base/log.h"
#include "base/text.h"
#include "webgpu/event/error.h"
#include "webgpu/event/event.h"
#include "webgpu/validate/rule.h"

// The view's bytes; the null value gives data NULL and length 0.
struct text view_text(WGPUStringView view);
// The same, where null and empty mean the same: data is never NULL.
struct text view_label(WGPUStringView view);
WGPUStringView view_from_text(struct text text);

// A handle that must not be NULL and is: one line in the log.
bool api_log_null(const char *function, const char *what);
#define API_IS_NULL(handle) ((handle) == NULL && api_log_null(__func__, #handle))
// The same in a helper of the exported function that `function` names.
#define API_IS_NULL_IN(function, handle) ((handle) == NULL && api_log_null(function, #handle))
// A callback info with a broken mode or chain: one line in the log, and the call returns no future.
bool api_is_callback_wrong(
    const char *function, const WGPUChainedStruct *chain, WGPUCallbackMode mode);

// Reports a broken rule and empties it.
void api_report(struct WGPUDeviceImpl *device, struct validate_error *error);
// A handle that could not be made for want of memory: the device is lost.
void api_lose_for_memory(struct WGPUDeviceImpl *device, const char *function);

// Makes the adapters of the backends in the set (1u << enum backend_type), in the default order.
// Returns how many.
size_t api_enumerate_backends(
    uint32_t backends, struct backend_adapter **out_adapters, size_t capacity);
// ALBA_BACKEND as a set; 0 when it is not set or not understood.
uint32_t api_get_environment_backends(void);
