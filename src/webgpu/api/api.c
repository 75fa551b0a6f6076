// SPDX-License-Identifier: MIT
//
// Helpers of all exported functions, and wgpuGetProcAddress.
#include <string.h>

#include "webgpu/api/api_priv.h"
#include "webgpu/queue/queue.h"

struct text view_text(WGPUStringView view) {
    struct text text = {view.data, view.length};
    if (view.length == WGPU_STRLEN) {
        text.length = view.data != NULL ? strlen(view.data) : 0;
    } else if (view.data == NULL) {
        text.data = ""; // an explicit length: the empty text, not the null value
        text.length = 0;
    }
    return text;
}

struct text view_label(WGPUStringView view) {
    struct text text = view_text(view);
    return text.data != NULL ? text : TEXT_LITERAL("");
}

WGPUStringView view_from_text(struct text text) {
    WGPUStringView view = {text.data, text.length};
    return view;
}

bool api_log_null(const char *function, const char *what) {
    log_message(LOG_ERROR, "%s: %s is NULL", function, what);
    return true;
}

bool api_is_callback_wrong(
    const char *function, const WGPUChainedStruct *chain, WGPUCallbackMode mode) {
    if (chain != NULL) {
        log_message(LOG_ERROR,
            "%s: the callback info has a chained struct of sType 0x%08x, and takes "
            "none",
            function, (unsigned)chain->sType);
        return true;
    }
    if (!event_is_mode(mode)) {
        log_message(LOG_ERROR, "%s: the callback info's mode %u is no WGPUCallbackMode", function,
            (unsigned)mode);
        return true;
    }
    return false;
}

void api_report(struct WGPUDeviceImpl *device, struct validate_error *error) {
    rule_log(error);
    error_report(device, WGPUErrorType_Validation, text_buffer_get(&error->message));
    text_buffer_finish(&error->message);
}

void api_lose_for_memory(struct WGPUDeviceImpl *device, const char *function) {
    log_message(LOG_ERROR, "%s: out of memory, the device is lost", function);
    device_lose(device, WGPUDeviceLostReason_Unknown, "out of memory");
}

// ---------------------------------------------------------------- wgpuGetProcAddress

static const struct {
    const char *name; // without "wgpu"
    WGPUProc function;
} functions[] = {
#define FUNCTION(name) {#name, (WGPUProc)wgpu##name},
#include "webgpu/api/function.def"
};
#define FUNCTION_COUNT (sizeof(functions) / sizeof(functions[0]))

WGPUProc wgpuGetProcAddress(WGPUStringView procName) {
    struct text name = view_label(procName);
    if (!text_starts_with(name, "wgpu")) {
        return NULL;
    }
    name.data += 4;
    name.length -= 4;
    size_t low = 0;
    size_t high = FUNCTION_COUNT;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = text_compare(text_from_string(functions[middle].name), name);
        if (order == 0) {
            return functions[middle].function;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}
