// SPDX-License-Identifier: MIT
//
// Command encoders: state, copies, clears, debug groups.
#include "validation.h"

#define COPY_BOTH (WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst)

CASE(ENCODER_LOCKED) {
    WGPUBuffer buffer = make_buffer(v, "b", 16, COPY_BOTH);
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUComputePassEncoder pass = begin_pass(encoder);
    if (is_broken) {
        wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 16);
    }
    finish_pass_and_release(encoder, pass);
    wgpuBufferRelease(buffer);
}
CASE(ENCODER_ENDED) {
    WGPUBuffer buffer = make_buffer(v, "b", 16, COPY_BOTH);
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUCommandBuffer commands = is_broken ? wgpuCommandEncoderFinish(encoder, NULL) : NULL;
    wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 16);
    if (commands == NULL) {
        commands = wgpuCommandEncoderFinish(encoder, NULL);
    }
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuBufferRelease(buffer);
}
CASE(FINISH_LOCKED) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUComputePassEncoder pass = begin_pass(encoder);
    if (!is_broken) {
        wgpuComputePassEncoderEnd(pass);
    }
    finish_and_release(encoder);
    wgpuComputePassEncoderRelease(pass);
}
CASE(FINISH_INVALID) {
    WGPUChainedStruct unknown = {NULL, (WGPUSType)0x1234};
    WGPUCommandEncoderDescriptor descriptor = WGPU_COMMAND_ENCODER_DESCRIPTOR_INIT;
    descriptor.label = api_view("enc");
    descriptor.nextInChain = is_broken ? &unknown : NULL;
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(v->api.device, &descriptor);
    api_pop_scope(&v->api);
    finish_and_release(encoder);
}
CASE(FINISH_DEBUG_GROUPS) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderPushDebugGroup(encoder, api_view("group"));
    wgpuCommandEncoderInsertDebugMarker(encoder, api_view("marker"));
    if (!is_broken) {
        wgpuCommandEncoderPopDebugGroup(encoder);
    }
    finish_and_release(encoder);
}
CASE(DEBUG_POP) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    if (!is_broken) {
        wgpuCommandEncoderPushDebugGroup(encoder, api_view("group"));
    }
    wgpuCommandEncoderPopDebugGroup(encoder);
    finish_and_release(encoder);
}

// ---------------------------------------------------------------- copies

static void copy(struct validation *v, WGPUBuffer source, uint64_t source_offset,
    WGPUBuffer destination, uint64_t destination_offset, uint64_t size) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderCopyBufferToBuffer(
        encoder, source, source_offset, destination, destination_offset, size);
    finish_and_release(encoder);
}

// Between buffers "s" and "d" of 64 bytes.
static void copy_between(struct validation *v, WGPUBufferUsage source_usage,
    WGPUBufferUsage destination_usage, uint64_t source_offset, uint64_t destination_offset,
    uint64_t size) {
    WGPUBuffer source = make_buffer(v, "s", 64, source_usage);
    WGPUBuffer destination = make_buffer(v, "d", 64, destination_usage);
    copy(v, source, source_offset, destination, destination_offset, size);
    wgpuBufferRelease(source);
    wgpuBufferRelease(destination);
}

CASE(COPY_SOURCE) {
    WGPUBuffer source = is_broken ? make_foreign_buffer(v, COPY_BOTH)
                                  : make_buffer(v, "s", 64, COPY_BOTH);
    WGPUBuffer destination = make_buffer(v, "d", 64, COPY_BOTH);
    copy(v, source, 0, destination, 0, 64);
    wgpuBufferRelease(source);
    wgpuBufferRelease(destination);
}
CASE(COPY_DESTINATION) {
    WGPUBuffer source = make_buffer(v, "s", 64, COPY_BOTH);
    WGPUBuffer destination = is_broken ? NULL : make_buffer(v, "d", 64, COPY_BOTH);
    copy(v, source, 0, destination, 0, 64);
    wgpuBufferRelease(source);
    if (destination != NULL) {
        wgpuBufferRelease(destination);
    }
}
CASE(COPY_SAME_BUFFER) {
    WGPUBuffer source = make_buffer(v, "s", 64, COPY_BOTH);
    WGPUBuffer destination = make_buffer(v, "d", 64, COPY_BOTH);
    copy(v, source, 0, is_broken ? source : destination, 32, 32);
    wgpuBufferRelease(source);
    wgpuBufferRelease(destination);
}
CASE(COPY_SOURCE_USAGE) {
    copy_between(v, is_broken ? WGPUBufferUsage_CopyDst : WGPUBufferUsage_CopySrc,
        WGPUBufferUsage_CopyDst, 0, 0, 64);
}
CASE(COPY_DESTINATION_USAGE) {
    copy_between(v, WGPUBufferUsage_CopySrc,
        is_broken ? WGPUBufferUsage_CopySrc : WGPUBufferUsage_CopyDst, 0, 0, 64);
}
CASE(COPY_SIZE) {
    copy_between(v, COPY_BOTH, COPY_BOTH, 0, 0, is_broken ? 62 : 60);
}
CASE(COPY_SOURCE_OFFSET) {
    copy_between(v, COPY_BOTH, COPY_BOTH, is_broken ? 2 : 4, 0, 4);
}
CASE(COPY_DESTINATION_OFFSET) {
    copy_between(v, COPY_BOTH, COPY_BOTH, 0, is_broken ? 2 : 4, 4);
}
CASE(COPY_SOURCE_RANGE) {
    copy_between(v, COPY_BOTH, COPY_BOTH, is_broken ? UINT64_MAX - 3 : 60, 0, 4);
}
CASE(COPY_DESTINATION_RANGE) {
    copy_between(v, COPY_BOTH, COPY_BOTH, 0, is_broken ? 64 : 60, 4);
}

// ---------------------------------------------------------------- clears

static void clear(struct validation *v, WGPUBuffer buffer, uint64_t offset, uint64_t size) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderClearBuffer(encoder, buffer, offset, size);
    finish_and_release(encoder);
    wgpuBufferRelease(buffer);
}

CASE(CLEAR_BUFFER) {
    clear(v, is_broken ? make_invalid_buffer(v) : make_buffer(v, "b", 64, COPY_BOTH), 0, 64);
}
CASE(CLEAR_USAGE) {
    clear(v, make_buffer(v, "b", 64, is_broken ? WGPUBufferUsage_Index : WGPUBufferUsage_CopyDst),
        0, 64);
}
CASE(CLEAR_SIZE) {
    clear(v, make_buffer(v, "b", 64, COPY_BOTH), 0, is_broken ? 7 : 8);
}
CASE(CLEAR_OFFSET) {
    clear(v, make_buffer(v, "b", 64, COPY_BOTH), is_broken ? 6 : 8, 8);
}
CASE(CLEAR_RANGE) {
    clear(v, make_buffer(v, "b", 64, COPY_BOTH), 32, is_broken ? 36 : 32);
}
// The size is what the offset leaves: it is not in the message.
CASE(CLEAR_REST) {
    clear(v, make_buffer(v, "b", 64, COPY_BOTH), is_broken ? 68 : 64, WGPU_WHOLE_SIZE);
}
CASE(CLEAR_REST_OFFSET) {
    clear(v, make_buffer(v, "b", 64, COPY_BOTH), is_broken ? 2 : 4, WGPU_WHOLE_SIZE);
}

static const struct validation_case cases[] = {
    ROW(ENCODER_LOCKED,
        "command encoder \"enc\": wgpuCommandEncoderClearBuffer while a pass of it is open; end the pass first"),
    ROW(ENCODER_ENDED,
        "command encoder \"enc\": wgpuCommandEncoderClearBuffer after wgpuCommandEncoderFinish"),
    ROW(FINISH_LOCKED,
        "command encoder \"enc\": wgpuCommandEncoderFinish while a pass of it is open; end the pass first"),
    ROW(FINISH_INVALID,
        "command encoder \"enc\": wgpuCommandEncoderFinish, but the encoder is invalid since its creation"),
    ROW(FINISH_DEBUG_GROUPS,
        "command encoder \"enc\": wgpuCommandEncoderFinish with 1 debug groups that were not popped"),
    ROW(DEBUG_POP, "command encoder \"enc\": popDebugGroup without a debug group to pop"),
    ROW(COPY_SOURCE,
        "command encoder \"enc\": the copy's source, buffer \"foreign\", is of another device"),
    ROW(COPY_DESTINATION, "command encoder \"enc\": the copy's destination, no buffer, is NULL"),
    ROW(COPY_SAME_BUFFER,
        "command encoder \"enc\": source and destination of a copy are both buffer \"s\""),
    ROW(COPY_SOURCE_USAGE,
        "command encoder \"enc\": the copy's source needs usage CopySrc, but buffer \"s\" has usage CopyDst"),
    ROW(COPY_DESTINATION_USAGE,
        "command encoder \"enc\": the copy's destination needs usage CopyDst, but buffer \"d\" has usage CopySrc"),
    ROW(COPY_SIZE, "command encoder \"enc\": the copy's size 62 must be a multiple of 4"),
    ROW(COPY_SOURCE_OFFSET,
        "command encoder \"enc\": the copy's source offset 2 must be a multiple of 4"),
    ROW(COPY_DESTINATION_OFFSET,
        "command encoder \"enc\": the copy's destination offset 2 must be a multiple of 4"),
    ROW(COPY_SOURCE_RANGE,
        "command encoder \"enc\": source offset 18446744073709551612 is beyond buffer \"s\" of 64 bytes"),
    ROW(COPY_DESTINATION_RANGE,
        "command encoder \"enc\": destination offset 64 and size 4 reach beyond buffer \"d\" of 64 bytes"),
    ROW(CLEAR_BUFFER, "command encoder \"enc\": the buffer to clear, buffer \"bad\", is invalid"),
    ROW(CLEAR_USAGE,
        "command encoder \"enc\": clearing needs usage CopyDst, but buffer \"b\" has usage Index"),
    ROW(CLEAR_SIZE, "command encoder \"enc\": size 7 to clear must be a multiple of 4"),
    ROW(CLEAR_OFFSET, "command encoder \"enc\": offset 6 to clear from must be a multiple of 4"),
    ROW(CLEAR_RANGE,
        "command encoder \"enc\": offset 32 and size 36 to clear reach beyond buffer \"b\" of 64 bytes"),
    {RULE_CLEAR_RANGE, run_CLEAR_REST,
        "command encoder \"enc\": offset 68 to clear is beyond buffer \"b\" of 64 bytes"},
    {RULE_CLEAR_OFFSET, run_CLEAR_REST_OFFSET,
        "command encoder \"enc\": offset 2 to clear from must be a multiple of 4"},
};
TABLE(encoder_table, cases);
