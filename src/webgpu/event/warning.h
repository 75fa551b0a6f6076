// SPDX-License-Identifier: MIT
//
// The channel of structured warnings of a device that was made with AlbaWarningOptions. Each
// different one is kept and told once; what comes again is counted. Safe from any thread; no lock
// is held while the callback runs.
#pragma once

#include <alba/alba.h>

#include "webgpu/object/device.h"

enum warning_id {
#define WARNING(id, word, numbers, format) WARNING_##id,
#include "webgpu/event/warning.def"
    WARNING_COUNT
};

// Formats as arrays, so that compilers check the arguments against them.
#define WARNING(id, word, numbers, format) static const char warning_format_##id[] = format;
#include "webgpu/event/warning.def"

#define WARNING_NUMBER_CAPACITY 4

// Off costs nothing but this question.
static inline bool warning_is_on(const struct WGPUDeviceImpl *device) {
    return device->warnings != NULL;
}

// NULL when out of memory. Members of options are as in the descriptor.
struct warning_list *warning_list_create(const AlbaWarningOptions *options);
void warning_list_destroy(struct warning_list *list); // NULL is allowed

// numbers: as many as the row names. call: the function's name, static.
#define WARN(device, id, call, object, numbers, ...) \
    warning_report( \
        (device), WARNING_##id, (call), (object), (numbers), warning_format_##id, __VA_ARGS__)
void warning_report(struct WGPUDeviceImpl *device, enum warning_id id, const char *call,
    struct gpu_object *object, const uint64_t *numbers, const char *format, ...) TEXT_PRINTF(6, 7);

size_t warning_get(struct warning_list *list, size_t first, size_t capacity, AlbaWarning *out);
uint64_t warning_get_dropped_count(struct warning_list *list);
void warning_print_json(struct warning_list *list, struct text_buffer *out);
