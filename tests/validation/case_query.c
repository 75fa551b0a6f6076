// SPDX-License-Identifier: MIT
//
// Query sets: creation, timestamps, resolving.
#include "validation.h"

static const WGPUFeatureName timestamps[] = {WGPUFeatureName_TimestampQuery};

static WGPUQuerySet make_set(WGPUDevice device, WGPUQueryType type, uint32_t count) {
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.label = api_view("qs");
    descriptor.type = type;
    descriptor.count = count;
    return wgpuDeviceCreateQuerySet(device, &descriptor);
}

// "qs", invalid; its own error is swallowed.
static WGPUQuerySet make_invalid_set(struct validation *v) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUQuerySet set = make_set(v->api.device, WGPUQueryType_Occlusion, 5000);
    api_pop_scope(&v->api);
    return set;
}

CASE(QUERY_SET_TYPE) {
    wgpuQuerySetRelease(
        make_set(v->api.device, is_broken ? (WGPUQueryType)3 : WGPUQueryType_Occlusion, 1));
}
CASE(QUERY_SET_FEATURE) {
    begin_device(v, true, timestamps, is_broken ? 0 : 1);
    wgpuQuerySetRelease(make_set(v->api.device, WGPUQueryType_Timestamp, 1));
    end_device(v);
}
CASE(QUERY_SET_COUNT) {
    wgpuQuerySetRelease(make_set(v->api.device, WGPUQueryType_Occlusion, is_broken ? 4097 : 4096));
}

// ---------------------------------------------------------------- timestamps

// A pass with those timestampWrites; `begin` and `end` as the descriptor has them.
static void time_pass(struct validation *v, WGPUQuerySet set, uint32_t begin, uint32_t end) {
    WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    writes.querySet = set;
    writes.beginningOfPassWriteIndex = begin;
    writes.endOfPassWriteIndex = end;
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    descriptor.label = api_view("pass");
    descriptor.timestampWrites = &writes;
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
    finish_pass_and_release(encoder, pass);
}

// With timestamp-query: a set of that type and 4 queries.
static void time_new(struct validation *v, WGPUQueryType type, uint32_t begin, uint32_t end) {
    begin_device(v, true, timestamps, 1);
    WGPUQuerySet set = make_set(v->api.device, type, 4);
    time_pass(v, set, begin, end);
    wgpuQuerySetRelease(set);
    end_device(v);
}

CASE(TIMESTAMP_FEATURE) {
    begin_device(v, true, timestamps, is_broken ? 0 : 1);
    WGPUQuerySet set = make_set(
        v->api.device, is_broken ? WGPUQueryType_Occlusion : WGPUQueryType_Timestamp, 4);
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderWriteTimestamp(encoder, set, 0);
    finish_and_release(encoder);
    wgpuQuerySetRelease(set);
    end_device(v);
}
CASE(TIMESTAMP_SET) {
    begin_device(v, true, timestamps, 1);
    WGPUQuerySet set = is_broken ? make_invalid_set(v)
                                 : make_set(v->api.device, WGPUQueryType_Timestamp, 4);
    time_pass(v, set, 0, 1);
    wgpuQuerySetRelease(set);
    end_device(v);
}
CASE(TIMESTAMP_TYPE) {
    time_new(v, is_broken ? WGPUQueryType_Occlusion : WGPUQueryType_Timestamp, 0, 1);
}
CASE(TIMESTAMP_NONE) {
    time_new(v, WGPUQueryType_Timestamp, WGPU_QUERY_SET_INDEX_UNDEFINED,
        is_broken ? WGPU_QUERY_SET_INDEX_UNDEFINED : 0);
}
CASE(TIMESTAMP_EQUAL) {
    time_new(v, WGPUQueryType_Timestamp, 2, is_broken ? 2 : 3);
}
CASE(TIMESTAMP_INDEX) {
    time_new(v, WGPUQueryType_Timestamp, is_broken ? 4 : 3, WGPU_QUERY_SET_INDEX_UNDEFINED);
}

// ---------------------------------------------------------------- resolving

static void resolve(struct validation *v, WGPUQuerySet set, uint32_t first, uint32_t count,
    WGPUBuffer buffer, uint64_t offset) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderResolveQuerySet(encoder, set, first, count, buffer, offset);
    finish_and_release(encoder);
    wgpuQuerySetRelease(set);
    wgpuBufferRelease(buffer);
}

// Of a set of 4 into a buffer "b" of 512 bytes.
static void resolve_new(
    struct validation *v, uint32_t first, uint32_t count, uint64_t offset, WGPUBufferUsage usage) {
    resolve(v, make_set(v->api.device, WGPUQueryType_Occlusion, 4), first, count,
        make_buffer(v, "b", 512, usage), offset);
}

CASE(RESOLVE_SET) {
    resolve(v,
        is_broken ? make_invalid_set(v) : make_set(v->api.device, WGPUQueryType_Occlusion, 1), 0, 1,
        make_buffer(v, "b", 8, WGPUBufferUsage_QueryResolve), 0);
}
CASE(RESOLVE_BUFFER) {
    resolve(v, make_set(v->api.device, WGPUQueryType_Occlusion, 1), 0, 1,
        is_broken ? make_foreign_buffer(v, WGPUBufferUsage_QueryResolve)
                  : make_buffer(v, "b", 8, WGPUBufferUsage_QueryResolve),
        0);
}
CASE(RESOLVE_USAGE) {
    resolve_new(v, 0, 1, 0,
        is_broken ? WGPUBufferUsage_CopyDst
                  : WGPUBufferUsage_CopyDst | WGPUBufferUsage_QueryResolve);
}
CASE(RESOLVE_FIRST) {
    resolve_new(v, is_broken ? 4 : 3, 0, 0, WGPUBufferUsage_QueryResolve);
}
CASE(RESOLVE_RANGE) {
    resolve_new(v, 2, is_broken ? 3 : 2, 0, WGPUBufferUsage_QueryResolve);
}
CASE(RESOLVE_OFFSET) {
    resolve_new(v, 0, 1, is_broken ? 128 : 256, WGPUBufferUsage_QueryResolve);
}
CASE(RESOLVE_BUFFER_RANGE) {
    resolve(v, make_set(v->api.device, WGPUQueryType_Occlusion, 4), 0, 4,
        make_buffer(v, "b", is_broken ? 284 : 288, WGPUBufferUsage_QueryResolve), 256);
}
CASE(SUBMIT_QUERY_SET_DESTROYED) {
    WGPUQuerySet set = make_set(v->api.device, WGPUQueryType_Occlusion, 1);
    WGPUBuffer buffer = make_buffer(v, "b", 8, WGPUBufferUsage_QueryResolve);
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 1, buffer, 0);
    WGPUCommandBuffer commands = finish_encoder(encoder);
    if (is_broken) {
        wgpuQuerySetDestroy(set);
    }
    wgpuQueueSubmit(v->api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuQuerySetRelease(set);
    wgpuBufferRelease(buffer);
}

#define ENC "command encoder \"enc\": "
#define PASS "compute pass encoder \"pass\": "

static const struct validation_case cases[] = {
    ROW(QUERY_SET_TYPE, "query set \"qs\": type 3 is no value of WGPUQueryType"),
    ROW(QUERY_SET_FEATURE,
        "query set \"qs\": type Timestamp needs the feature timestamp-query, which the device was "
        "made without"),
    ROW(QUERY_SET_COUNT,
        "query set \"qs\": count 4097 is over 4096, the most that a query set may have"),
    ROW(TIMESTAMP_FEATURE,
        ENC "timestamps need the feature timestamp-query, which the device was made without"),
    ROW(TIMESTAMP_SET, PASS "the query set for timestamps, query set \"qs\", is invalid"),
    ROW(TIMESTAMP_TYPE,
        PASS "timestamps need a query set of type Timestamp, but query set \"qs\" has type "
             "Occlusion"),
    ROW(TIMESTAMP_NONE,
        PASS "timestampWrites has neither a beginningOfPassWriteIndex nor an endOfPassWriteIndex"),
    ROW(TIMESTAMP_EQUAL,
        PASS "beginningOfPassWriteIndex and endOfPassWriteIndex must differ, but both are 2"),
    ROW(TIMESTAMP_INDEX,
        PASS "beginningOfPassWriteIndex 4 must be below the count of query set \"qs\", 4"),
    ROW(RESOLVE_SET, ENC "the query set to resolve, query set \"qs\", is invalid"),
    ROW(RESOLVE_BUFFER,
        ENC "the buffer for query results, buffer \"foreign\", is of another device"),
    ROW(RESOLVE_USAGE,
        ENC "query results need a buffer of usage QueryResolve, but buffer \"b\" has usage "
            "CopyDst"),
    ROW(RESOLVE_FIRST,
        ENC "the first query to resolve, 4, must be below the count of query set \"qs\", 4"),
    ROW(RESOLVE_RANGE,
        ENC "first query 2 and query count 3 reach beyond the count of query set \"qs\", 4"),
    ROW(RESOLVE_OFFSET, ENC "offset 128 for query results must be a multiple of 256"),
    ROW(RESOLVE_BUFFER_RANGE,
        ENC "the results of 4 queries take 32 bytes, which from offset 256 reach beyond buffer "
            "\"b\" of 284 bytes"),
    ROW(SUBMIT_QUERY_SET_DESTROYED,
        "queue (no label): command buffer \"cb\" uses query set \"qs\", which was destroyed by "
        "wgpuQuerySetDestroy"),
};
TABLE(query_table, cases);
