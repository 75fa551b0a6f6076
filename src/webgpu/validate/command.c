// SPDX-License-Identifier: MIT
//
// Rules of copies, clears, queue writes and submissions.
#include "webgpu/validate/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/try.h"
#include "webgpu/object/query_set.h"
#include "webgpu/object/render_bundle.h"
#include "webgpu/validate/buffer.h"

#define OWNER gpu_object_get_name(owner, owner->class_of->kind).text

static bool is_usable(const struct WGPUBufferImpl *buffer, const struct WGPUDeviceImpl *device) {
    return buffer != NULL && gpu_is_usable(&buffer->object, device);
}

static const char *describe(
    const struct WGPUBufferImpl *buffer, const struct WGPUDeviceImpl *device) {
    return rule_describe_unusable(buffer != NULL ? &buffer->object : NULL, device);
}

bool validate_copy(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUBufferImpl *source, uint64_t source_offset_bytes, struct WGPUBufferImpl *destination,
    uint64_t destination_offset_bytes, uint64_t size_bytes, struct validate_error *error) {
    if (!is_usable(source, device)) {
        return BROKEN(
            error, COPY_SOURCE, OWNER, GPU_NAME(source, BUFFER), describe(source, device));
    }
    if (!is_usable(destination, device)) {
        return BROKEN(error, COPY_DESTINATION, OWNER, GPU_NAME(destination, BUFFER),
            describe(destination, device));
    }
    if (source == destination) {
        return BROKEN(error, COPY_SAME_BUFFER, OWNER, GPU_NAME(source, BUFFER));
    }
    if ((source->usage & WGPUBufferUsage_CopySrc) == 0) {
        return BROKEN(error, COPY_SOURCE_USAGE, OWNER, GPU_NAME(source, BUFFER),
            rule_describe_buffer_usage(source->usage).text);
    }
    if ((destination->usage & WGPUBufferUsage_CopyDst) == 0) {
        return BROKEN(error, COPY_DESTINATION_USAGE, OWNER, GPU_NAME(destination, BUFFER),
            rule_describe_buffer_usage(destination->usage).text);
    }
    if (size_bytes % 4 != 0) {
        return BROKEN(error, COPY_SIZE, OWNER, ULL(size_bytes));
    }
    if (source_offset_bytes % 4 != 0) {
        return BROKEN(error, COPY_SOURCE_OFFSET, OWNER, ULL(source_offset_bytes));
    }
    if (destination_offset_bytes % 4 != 0) {
        return BROKEN(error, COPY_DESTINATION_OFFSET, OWNER, ULL(destination_offset_bytes));
    }
    if (!validate_is_within(source_offset_bytes, size_bytes, source->size_bytes)) {
        return BROKEN(error, COPY_SOURCE_RANGE, OWNER,
            rule_describe_range(source_offset_bytes, size_bytes, source->size_bytes, "").text,
            GPU_NAME(source, BUFFER), ULL(source->size_bytes));
    }
    if (!validate_is_within(destination_offset_bytes, size_bytes, destination->size_bytes)) {
        return BROKEN(error, COPY_DESTINATION_RANGE, OWNER,
            rule_describe_range(destination_offset_bytes, size_bytes, destination->size_bytes, "")
                .text,
            GPU_NAME(destination, BUFFER), ULL(destination->size_bytes));
    }
    return true;
}

bool validate_clear(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error) {
    if (!is_usable(buffer, device)) {
        return BROKEN(
            error, CLEAR_BUFFER, OWNER, GPU_NAME(buffer, BUFFER), describe(buffer, device));
    }
    if ((buffer->usage & WGPUBufferUsage_CopyDst) == 0) {
        return BROKEN(error, CLEAR_USAGE, OWNER, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    // The offset first: the size may be what it leaves of the buffer.
    if (offset_bytes % 4 != 0) {
        return BROKEN(error, CLEAR_OFFSET, OWNER, ULL(offset_bytes));
    }
    if (size_bytes % 4 != 0) {
        return BROKEN(error, CLEAR_SIZE, OWNER, ULL(size_bytes));
    }
    if (!validate_is_within(offset_bytes, size_bytes, buffer->size_bytes)) {
        return BROKEN(error, CLEAR_RANGE, OWNER,
            rule_describe_range(offset_bytes, size_bytes, buffer->size_bytes, " to clear").text,
            GPU_NAME(buffer, BUFFER), ULL(buffer->size_bytes));
    }
    return true;
}

bool validate_write(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUBufferImpl *buffer, uint64_t offset_bytes, uint64_t size_bytes,
    struct validate_error *error) {
    if (!is_usable(buffer, device)) {
        return BROKEN(
            error, WRITE_BUFFER, OWNER, GPU_NAME(buffer, BUFFER), describe(buffer, device));
    }
    if (buffer->state == GPU_BUFFER_DESTROYED) {
        return BROKEN(error, WRITE_DESTROYED, OWNER, GPU_NAME(buffer, BUFFER));
    }
    if (buffer->state == GPU_BUFFER_UNAVAILABLE) {
        return BROKEN(error, WRITE_MAPPED, OWNER, GPU_NAME(buffer, BUFFER),
            validate_describe_map_state(buffer), validate_describe_map_call(buffer));
    }
    if ((buffer->usage & WGPUBufferUsage_CopyDst) == 0) {
        return BROKEN(error, WRITE_USAGE, OWNER, GPU_NAME(buffer, BUFFER),
            rule_describe_buffer_usage(buffer->usage).text);
    }
    if (offset_bytes % 4 != 0) {
        return BROKEN(error, WRITE_OFFSET, OWNER, ULL(offset_bytes));
    }
    if (size_bytes % 4 != 0) {
        return BROKEN(error, WRITE_SIZE, OWNER, ULL(size_bytes));
    }
    if (!validate_is_within(offset_bytes, size_bytes, buffer->size_bytes)) {
        return BROKEN(error, WRITE_RANGE, OWNER,
            rule_describe_range(offset_bytes, size_bytes, buffer->size_bytes, " to write").text,
            GPU_NAME(buffer, BUFFER), ULL(buffer->size_bytes));
    }
    return true;
}

// ---------------------------------------------------------------- submissions

static bool validate_buffer_state(struct WGPUCommandBufferImpl *commands,
    struct WGPUBufferImpl *buffer, struct gpu_object *owner, struct validate_error *error) {
    if (buffer->state == GPU_BUFFER_AVAILABLE) {
        return true;
    }
    if (buffer->state == GPU_BUFFER_DESTROYED) {
        return BROKEN(error, SUBMIT_DESTROYED, OWNER, GPU_NAME(commands, COMMAND_BUFFER),
            GPU_NAME(buffer, BUFFER));
    }
    return BROKEN(error, SUBMIT_MAPPED, OWNER, GPU_NAME(commands, COMMAND_BUFFER),
        GPU_NAME(buffer, BUFFER), validate_describe_map_state(buffer),
        validate_describe_map_call(buffer));
}

static bool validate_texture_state(struct WGPUCommandBufferImpl *commands,
    struct WGPUTextureImpl *texture, struct gpu_object *owner, struct validate_error *error) {
    if (texture->is_destroyed) {
        return BROKEN(error, SUBMIT_TEXTURE_DESTROYED, OWNER, GPU_NAME(commands, COMMAND_BUFFER),
            GPU_NAME(texture, TEXTURE), rule_describe_destroyed(texture));
    }
    return true;
}

static bool validate_objects(struct WGPUCommandBufferImpl *commands, const struct object_set *set,
    struct gpu_object *owner, struct validate_error *error);

static bool validate_group_state(struct WGPUCommandBufferImpl *commands,
    struct WGPUBindGroupImpl *group, struct gpu_object *owner, struct validate_error *error) {
    for (uint32_t i = 0; i < group->layout->entry_count; i++) {
        if (group->bindings[i].buffer != NULL) {
            TRY(validate_buffer_state(commands, group->bindings[i].buffer, owner, error));
        } else if (group->bindings[i].view != NULL) {
            TRY(validate_texture_state(commands, group->bindings[i].view->texture, owner, error));
        }
    }
    return true;
}

static bool validate_state(struct WGPUCommandBufferImpl *commands, struct gpu_object *object,
    struct gpu_object *owner, struct validate_error *error) {
    enum gpu_object_kind kind = object->class_of->kind;
    if (kind == GPU_BUFFER) {
        return validate_buffer_state(commands, (struct WGPUBufferImpl *)object, owner, error);
    }
    if (kind == GPU_TEXTURE) {
        return validate_texture_state(commands, (struct WGPUTextureImpl *)object, owner, error);
    }
    if (kind == GPU_BIND_GROUP) {
        return validate_group_state(commands, (struct WGPUBindGroupImpl *)object, owner, error);
    }
    if (kind == GPU_QUERY_SET && ((struct WGPUQuerySetImpl *)object)->is_destroyed) {
        return BROKEN(error, SUBMIT_QUERY_SET_DESTROYED, OWNER, GPU_NAME(commands, COMMAND_BUFFER),
            gpu_object_get_name(object, GPU_QUERY_SET).text);
    }
    if (kind == GPU_RENDER_BUNDLE) { // which has no bundles in it
        return validate_objects(
            commands, &((struct WGPURenderBundleImpl *)object)->recording.objects, owner, error);
    }
    return true;
}

static bool validate_objects(struct WGPUCommandBufferImpl *commands, const struct object_set *set,
    struct gpu_object *owner, struct validate_error *error) {
    for (size_t i = 0; i < set->count; i++) {
        TRY(validate_state(commands, set->items[i], owner, error));
    }
    return true;
}

static int compare_pointers(const void *a, const void *b) {
    uintptr_t left = (uintptr_t) * (void *const *)a;
    uintptr_t right = (uintptr_t) * (void *const *)b;
    return left < right ? -1 : left > right;
}

// True when no command buffer is there twice; looked for among few by pairs, among many by sorting.
static bool is_each_unique(struct WGPUCommandBufferImpl *const *commands, size_t count) {
    struct WGPUCommandBufferImpl **sorted = NULL;
    if (count > 16) {
        sorted = memory_allocate(MEMORY_GENERAL, count * sizeof(*sorted));
    }
    bool is_unique = true;
    if (sorted != NULL) {
        memcpy(sorted, commands, count * sizeof(*sorted));
        qsort(sorted, count, sizeof(*sorted), compare_pointers);
        for (size_t i = 1; i < count; i++) {
            is_unique = is_unique && sorted[i - 1] != sorted[i];
        }
        memory_free(sorted);
        return is_unique;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            is_unique = is_unique && commands[j] != commands[i];
        }
    }
    return is_unique;
}

static bool break_unique(struct gpu_object *owner, struct WGPUCommandBufferImpl *const *commands,
    size_t count, struct validate_error *error) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (commands[j] == commands[i]) {
                return BROKEN(error, SUBMIT_TWICE, OWNER, (unsigned)j, (unsigned)i,
                    GPU_NAME(commands[i], COMMAND_BUFFER));
            }
        }
    }
    return true;
}

bool validate_submit(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUCommandBufferImpl *const *commands, size_t count, struct validate_error *error) {
    for (size_t i = 0; i < count; i++) {
        struct WGPUCommandBufferImpl *item = commands[i];
        unsigned number = (unsigned)i;
        if (item == NULL || !gpu_is_usable(&item->object, device)) {
            return BROKEN(error, SUBMIT_COMMANDS, OWNER, number, GPU_NAME(item, COMMAND_BUFFER),
                rule_describe_unusable(item != NULL ? &item->object : NULL, device));
        }
        if (item->is_submitted) {
            return BROKEN(error, SUBMIT_USED, OWNER, number, GPU_NAME(item, COMMAND_BUFFER));
        }
        TRY(validate_objects(item, &item->recording.objects, owner, error));
    }
    if (!is_each_unique(commands, count)) {
        return break_unique(owner, commands, count, error);
    }
    return true;
}
