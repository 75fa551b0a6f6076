// SPDX-License-Identifier: MIT
//
// Rules of query sets: creation, timestamps, resolving.
#include "webgpu/validate/query_set.h"

#include "base/try.h"
#include "webgpu/validate/buffer.h"
#include "webgpu/validate/chain.h"

#define OWNER gpu_object_get_name(owner, owner->class_of->kind).text

#define RESOLVE_ALIGNMENT_BYTES 256u
#define RESULT_BYTES 8u

bool validate_query_set_create(const struct WGPUDeviceImpl *device,
    const WGPUQuerySetDescriptor *descriptor, const char *name, struct validate_error *error) {
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    if (descriptor->type != WGPUQueryType_Occlusion &&
        descriptor->type != WGPUQueryType_Timestamp) {
        return BROKEN(error, QUERY_SET_TYPE, name, (unsigned)descriptor->type);
    }
    if (descriptor->type == WGPUQueryType_Timestamp &&
        !feature_set_has(device->features, WGPUFeatureName_TimestampQuery)) {
        return BROKEN(error, QUERY_SET_FEATURE, name);
    }
    if (descriptor->count > VALIDATE_QUERY_COUNT_MAX) {
        return BROKEN(
            error, QUERY_SET_COUNT, name, descriptor->count, (unsigned)VALIDATE_QUERY_COUNT_MAX);
    }
    return true;
}

// ---------------------------------------------------------------- timestamps

static bool validate_timestamp_set(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUQuerySetImpl *set, struct validate_error *error) {
    if (!feature_set_has(device->features, WGPUFeatureName_TimestampQuery)) {
        return BROKEN(error, TIMESTAMP_FEATURE, OWNER);
    }
    if (set == NULL || !gpu_is_usable(&set->object, device)) {
        return BROKEN(error, TIMESTAMP_SET, OWNER, GPU_NAME(set, QUERY_SET),
            rule_describe_unusable(set != NULL ? &set->object : NULL, device));
    }
    if (set->type != WGPUQueryType_Timestamp) {
        return BROKEN(error, TIMESTAMP_TYPE, OWNER, GPU_NAME(set, QUERY_SET));
    }
    return true;
}

static bool validate_timestamp_index(struct gpu_object *owner, struct WGPUQuerySetImpl *set,
    const char *member, uint32_t index, struct validate_error *error) {
    if (index >= set->count) {
        return BROKEN(
            error, TIMESTAMP_INDEX, OWNER, member, index, GPU_NAME(set, QUERY_SET), set->count);
    }
    return true;
}

bool validate_timestamp_writes(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    const WGPUPassTimestampWrites *writes, struct validate_error *error) {
    uint32_t begin = writes->beginningOfPassWriteIndex;
    uint32_t end = writes->endOfPassWriteIndex;
    TRY(validate_no_chain(writes->nextInChain, OWNER, error));
    TRY(validate_timestamp_set(device, owner, writes->querySet, error));
    if (begin == WGPU_QUERY_SET_INDEX_UNDEFINED && end == WGPU_QUERY_SET_INDEX_UNDEFINED) {
        return BROKEN(error, TIMESTAMP_NONE, OWNER);
    }
    if (begin == end) {
        return BROKEN(error, TIMESTAMP_EQUAL, OWNER, begin);
    }
    return (begin == WGPU_QUERY_SET_INDEX_UNDEFINED ||
               validate_timestamp_index(
                   owner, writes->querySet, "beginningOfPassWriteIndex", begin, error)) &&
        (end == WGPU_QUERY_SET_INDEX_UNDEFINED ||
            validate_timestamp_index(owner, writes->querySet, "endOfPassWriteIndex", end, error));
}

bool validate_write_timestamp(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUQuerySetImpl *set, uint32_t index, struct validate_error *error) {
    return validate_timestamp_set(device, owner, set, error) &&
        validate_timestamp_index(owner, set, "the query index", index, error);
}

// ---------------------------------------------------------------- resolving

bool validate_resolve(const struct WGPUDeviceImpl *device, struct gpu_object *owner,
    struct WGPUQuerySetImpl *set, uint32_t first, uint32_t count,
    struct WGPUBufferImpl *destination, uint64_t offset_bytes, struct validate_error *error) {
    if (set == NULL || !gpu_is_usable(&set->object, device)) {
        return BROKEN(error, RESOLVE_SET, OWNER, GPU_NAME(set, QUERY_SET),
            rule_describe_unusable(set != NULL ? &set->object : NULL, device));
    }
    if (destination == NULL || !gpu_is_usable(&destination->object, device)) {
        return BROKEN(error, RESOLVE_BUFFER, OWNER, GPU_NAME(destination, BUFFER),
            rule_describe_unusable(destination != NULL ? &destination->object : NULL, device));
    }
    if ((destination->usage & WGPUBufferUsage_QueryResolve) == 0) {
        return BROKEN(error, RESOLVE_USAGE, OWNER, GPU_NAME(destination, BUFFER),
            rule_describe_buffer_usage(destination->usage).text);
    }
    if (first >= set->count) {
        return BROKEN(error, RESOLVE_FIRST, OWNER, first, GPU_NAME(set, QUERY_SET), set->count);
    }
    if (count > set->count - first) {
        return BROKEN(
            error, RESOLVE_RANGE, OWNER, first, count, GPU_NAME(set, QUERY_SET), set->count);
    }
    if (offset_bytes % RESOLVE_ALIGNMENT_BYTES != 0) {
        return BROKEN(
            error, RESOLVE_OFFSET, OWNER, ULL(offset_bytes), (unsigned)RESOLVE_ALIGNMENT_BYTES);
    }
    if (!validate_is_within(
            offset_bytes, (uint64_t)count * RESULT_BYTES, destination->size_bytes)) {
        return BROKEN(error, RESOLVE_BUFFER_RANGE, OWNER, count, ULL(count) * RESULT_BYTES,
            ULL(offset_bytes), GPU_NAME(destination, BUFFER), ULL(destination->size_bytes));
    }
    return true;
}
