// SPDX-License-Identifier: MIT
//
// Recording of broken rules, and words that several rules share.
#include "webgpu/validate/rule.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "webgpu/object/device.h"
#include "webgpu/object/texture.h"

static const char *const rule_ids[RULE_COUNT] = {
    "NONE",
#define RULE(id, anchor, format) #id,
#include "webgpu/validate/rule.def"
};

static const char *const rule_anchors[RULE_COUNT] = {
    "",
#define RULE(id, anchor, format) anchor,
#include "webgpu/validate/rule.def"
};

bool rule_break(struct validate_error *error, enum validate_rule rule, const char *format, ...) {
    error->rule = rule;
    va_list list;
    va_start(list, format);
    text_buffer_print_list(&error->message, format, list);
    va_end(list);
    return false;
}

void rule_log(const struct validate_error *error) {
    if (error->rule != RULE_NONE) {
        const char *anchor = rule_anchors[error->rule];
        bool is_whole = strncmp(anchor, "https:", 6) == 0;
        log_message(LOG_DEBUG, "rule %s, %s%s", rule_ids[error->rule],
            is_whole ? "" : "https://www.w3.org/TR/webgpu/#", anchor);
    }
}

const char *rule_get_id(enum validate_rule rule) {
    return rule_ids[rule];
}

const char *rule_describe_unusable(
    const struct gpu_object *object, const struct WGPUDeviceImpl *device) {
    if (object == NULL) {
        return "NULL";
    }
    return object->device != device ? "of another device" : "invalid";
}

struct bit_name {
    uint64_t bit;
    const char *name;
};

static struct rule_words describe_bits(
    uint64_t usage, const struct bit_name *names, size_t name_count) {
    struct rule_words words = {""};
    size_t length = 0;
    for (size_t i = 0; i < name_count; i++) {
        if ((usage & names[i].bit) != 0) {
            int written = snprintf(words.text + length, sizeof(words.text) - length, "%s%s",
                length != 0 ? "|" : "", names[i].name);
            length += written > 0 ? (size_t)written : 0;
            usage &= ~names[i].bit;
        }
    }
    if (usage != 0 || length == 0) {
        snprintf(words.text + length, sizeof(words.text) - length, "%s0x%llx",
            length != 0 ? "|" : "", (unsigned long long)usage);
    }
    return words;
}

const char *rule_describe_destroyed(const struct WGPUTextureImpl *texture) {
    return texture->is_expired
        ? "is the frame of a surface that was presented, configured or released since; get the next "
          "frame by wgpuSurfaceGetCurrentTexture"
        : "was destroyed by wgpuTextureDestroy";
}

struct rule_words rule_describe_range(
    uint64_t offset_bytes, uint64_t size_bytes, uint64_t end_bytes, const char *verb) {
    struct rule_words words = {""};
    if (offset_bytes > end_bytes) {
        snprintf(words.text, sizeof(words.text), "offset %llu%s is",
            (unsigned long long)offset_bytes, verb);
    } else {
        snprintf(words.text, sizeof(words.text), "offset %llu and size %llu%s reach",
            (unsigned long long)offset_bytes, (unsigned long long)size_bytes, verb);
    }
    return words;
}

struct rule_words rule_describe_buffer_usage(WGPUBufferUsage usage) {
    static const struct bit_name names[] = {
        {0x0001, "MapRead"},
        {0x0002, "MapWrite"},
        {0x0004, "CopySrc"},
        {0x0008, "CopyDst"},
        {0x0010, "Index"},
        {0x0020, "Vertex"},
        {0x0040, "Uniform"},
        {0x0080, "Storage"},
        {0x0100, "Indirect"},
        {0x0200, "QueryResolve"},
    };
    return describe_bits(usage, names, sizeof(names) / sizeof(names[0]));
}

struct rule_words rule_describe_texture_usage(WGPUTextureUsage usage) {
    static const struct bit_name names[] = {
        {0x0001, "CopySrc"},
        {0x0002, "CopyDst"},
        {0x0004, "TextureBinding"},
        {0x0008, "StorageBinding"},
        {0x0010, "RenderAttachment"},
        {0x0020, "TransientAttachment"},
    };
    return describe_bits(usage, names, sizeof(names) / sizeof(names[0]));
}
