// SPDX-License-Identifier: MIT
//
// Submissions and queue writes.
#include "validation.h"

#define COPY_BOTH (WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst)

static WGPUCommandBuffer clear_commands(struct validation *v, WGPUBuffer buffer) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 16);
    return finish_encoder(encoder);
}

// Submits a clear of `buffer` and releases everything.
static void submit_clear(struct validation *v, WGPUBuffer buffer) {
    WGPUCommandBuffer commands = clear_commands(v, buffer);
    wgpuQueueSubmit(v->api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

CASE(SUBMIT_COMMANDS) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUCommandEncoder encoder = begin_encoder(v);
    if (is_broken) {
        wgpuCommandEncoderPopDebugGroup(encoder);
    }
    WGPUCommandBuffer commands = finish_encoder(encoder);
    api_pop_scope(&v->api);
    wgpuQueueSubmit(v->api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}
CASE(SUBMIT_TWICE) {
    WGPUCommandBuffer commands[3] = {finish_encoder(begin_encoder(v)),
        finish_encoder(begin_encoder(v)), finish_encoder(begin_encoder(v))};
    WGPUCommandBuffer submitted[3] = {
        commands[0], commands[1], is_broken ? commands[0] : commands[2]};
    wgpuQueueSubmit(v->api.queue, 3, submitted);
    for (int i = 0; i < 3; i++) {
        wgpuCommandBufferRelease(commands[i]);
    }
}
CASE(SUBMIT_USED) {
    WGPUCommandBuffer first = finish_encoder(begin_encoder(v));
    WGPUCommandBuffer second = finish_encoder(begin_encoder(v));
    wgpuQueueSubmit(v->api.queue, 1, &first);
    wgpuQueueSubmit(v->api.queue, 1, is_broken ? &first : &second);
    wgpuCommandBufferRelease(first);
    wgpuCommandBufferRelease(second);
}
CASE(SUBMIT_DESTROYED) {
    WGPUBuffer buffer = make_buffer(v, "b", 16, COPY_BOTH);
    WGPUCommandBuffer commands = clear_commands(v, buffer);
    if (is_broken) {
        wgpuBufferDestroy(buffer);
    }
    wgpuQueueSubmit(v->api.queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuBufferRelease(buffer);
}
CASE(SUBMIT_MAPPED) {
    // Used through a bind group; released while still mapped.
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = api_view("b");
    descriptor.usage = WGPUBufferUsage_CopyDst;
    descriptor.size = 16;
    descriptor.mappedAtCreation = WGPU_TRUE;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(v->api.device, &descriptor);
    if (!is_broken) {
        wgpuBufferUnmap(buffer);
    }
    submit_clear(v, buffer);
    wgpuBufferRelease(buffer);
}

// ---------------------------------------------------------------- writes

static void write(struct validation *v, WGPUBuffer buffer, uint64_t offset, size_t size) {
    static const unsigned char bytes[64];
    wgpuQueueWriteBuffer(v->api.queue, buffer, offset, bytes, size);
    if (buffer != NULL) {
        wgpuBufferRelease(buffer);
    }
}

CASE(WRITE_BUFFER) {
    write(v, is_broken ? make_foreign_buffer(v, COPY_BOTH) : make_buffer(v, "b", 64, COPY_BOTH), 0,
        64);
}
CASE(WRITE_DESTROYED) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, COPY_BOTH);
    if (is_broken) {
        wgpuBufferDestroy(buffer);
    }
    write(v, buffer, 0, 64);
}
CASE(WRITE_MAPPED) {
    WGPUBuffer buffer = make_buffer(v, "b", 64, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    api_map(&v->api, buffer, WGPUMapMode_Read, 0, 64);
    if (!is_broken) {
        wgpuBufferUnmap(buffer);
    }
    write(v, buffer, 0, 64);
}
CASE(WRITE_USAGE) {
    write(v, make_buffer(v, "b", 64, is_broken ? WGPUBufferUsage_CopySrc : WGPUBufferUsage_CopyDst),
        0, 64);
}
CASE(WRITE_OFFSET) {
    write(v, make_buffer(v, "b", 64, COPY_BOTH), is_broken ? 2 : 4, 4);
}
CASE(WRITE_SIZE) {
    write(v, make_buffer(v, "b", 64, COPY_BOTH), 0, is_broken ? 3 : 4);
}
CASE(WRITE_RANGE) {
    write(v, make_buffer(v, "b", 64, COPY_BOTH), is_broken ? 4 : 0, 64);
}

static const struct validation_case cases[] = {
    ROW(SUBMIT_COMMANDS,
        "queue (no label): command buffer 0 of the submission, command buffer \"cb\", is invalid"),
    ROW(SUBMIT_TWICE,
        "queue (no label): command buffers 0 and 2 of the submission are the same, command buffer \"cb\""),
    ROW(SUBMIT_USED,
        "queue (no label): command buffer 0 of the submission, command buffer \"cb\", was submitted before"),
    ROW(SUBMIT_DESTROYED,
        "queue (no label): command buffer \"cb\" uses buffer \"b\", which was destroyed by wgpuBufferDestroy"),
    ROW(SUBMIT_MAPPED,
        "queue (no label): command buffer \"cb\" uses buffer \"b\", which is mapped by mappedAtCreation; call wgpuBufferUnmap first"),
    ROW(WRITE_BUFFER,
        "queue (no label): the buffer to write, buffer \"foreign\", is of another device"),
    ROW(WRITE_DESTROYED,
        "queue (no label): the buffer to write, buffer \"b\", was destroyed by wgpuBufferDestroy"),
    ROW(WRITE_MAPPED,
        "queue (no label): the buffer to write, buffer \"b\", is mapped by wgpuBufferMapAsync; call wgpuBufferUnmap first"),
    ROW(WRITE_USAGE,
        "queue (no label): wgpuQueueWriteBuffer needs usage CopyDst, but buffer \"b\" has usage CopySrc"),
    ROW(WRITE_OFFSET, "queue (no label): offset 2 to write at must be a multiple of 4"),
    ROW(WRITE_SIZE, "queue (no label): size 3 to write must be a multiple of 4"),
    ROW(WRITE_RANGE,
        "queue (no label): offset 4 and size 64 to write reach beyond buffer \"b\" of 64 bytes"),
};
TABLE(queue_table, cases);
