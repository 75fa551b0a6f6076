// SPDX-License-Identifier: MIT
//
// The rules of rule.def and the record of a broken one. The functions of this folder are pure: they
// read objects and arguments, change nothing, and describe the first broken rule. Any thread, under
// the locks that their headers name.
#pragma once

#include <webgpu/webgpu.h>

#include <stdbool.h>

#include "base/text.h"
#include "webgpu/object/object.h"

enum validate_rule {
    RULE_NONE,
#define RULE(id, anchor, format) RULE_##id,
#include "webgpu/validate/rule.def"
    RULE_COUNT
};

// Formats as arrays, so that compilers check the arguments against them.
#define RULE(id, anchor, format) static const char rule_format_##id[] = format;
#include "webgpu/validate/rule.def"

// Zero-initialised: nothing is broken. Finished with text_buffer_finish(&error.message).
struct validate_error {
    enum validate_rule rule;
    struct text_buffer message;
};

// Records a broken rule and returns false, for `return BROKEN(error, BUFFER_SIZE, name, …);`
#define BROKEN(error, id, ...) rule_break((error), RULE_##id, rule_format_##id, __VA_ARGS__)
bool rule_break(struct validate_error *error, enum validate_rule rule, const char *format, ...)
    TEXT_PRINTF(3, 4);

// An argument for %llu.
#define ULL(value) ((unsigned long long)(value))

// Tells the log, at its debug level, which rule of the specification a message is about.
void rule_log(const struct validate_error *error);

// The row's id, "BUFFER_SIZE". A static string.
const char *rule_get_id(enum validate_rule rule);

// Why an object is not "valid to use with" a device, for messages: "invalid", "of another device".
const char *rule_describe_unusable(
    const struct gpu_object *object, const struct WGPUDeviceImpl *device);

// "was destroyed by wgpuTextureDestroy".
const char *rule_describe_destroyed(const struct WGPUTextureImpl *texture);

// "CopySrc|Storage", for messages; unknown bits are printed as a number.
struct rule_words {
    char text[256];
};
// "offset 8 and size 16 to map reach", of a range that ends beyond `end_bytes`; where it already
// begins beyond it the size, which may be a default, is left out: "offset 2000 to map is". verb: ""
// or such as " to map".
struct rule_words rule_describe_range(
    uint64_t offset_bytes, uint64_t size_bytes, uint64_t end_bytes, const char *verb);
struct rule_words rule_describe_buffer_usage(WGPUBufferUsage usage);
struct rule_words rule_describe_texture_usage(WGPUTextureUsage usage);
