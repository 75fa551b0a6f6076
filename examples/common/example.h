// SPDX-License-Identifier: MIT
//
// The few lines that every example would repeat: opening a device, waiting for a future, making and
// reading buffers, and pictures as PNG files. Everything else stands in the example itself, as plain
// webgpu.h. One thread only. All functions print a reason and exit with status 1 when they fail, as
// suits a small program.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <webgpu/webgpu.h>

struct example {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
};

// Looks at the command line before anything else is done: -h and --help print the usage and end the
// program with status 0; an option, fewer arguments than `minimum` or more than `maximum` print it
// and end it with status 1. A file whose name begins with - is written ./-name.
void example_check_arguments(int count, char **arguments, int minimum, int maximum,
                             const char *usage);
// The argument as a whole number from 1 to 1000000, in decimal digits; anything else ends the
// program with status 1.
uint32_t example_parse_count(const char *argument, const char *usage);

// Opens the default adapter and a device with limits for buffers as large as the adapter allows.
struct example example_open(const char *label);
void example_close(struct example *example);

WGPUStringView example_text(const char *string);

// Waits until the future has completed and its callback has run.
void example_wait(const struct example *example, WGPUFuture future);
// Waits until all work submitted so far is done.
void example_wait_for_queue(const struct example *example);

// A buffer of size_bytes; data, when not NULL, is uploaded through mappedAtCreation.
WGPUBuffer example_buffer(const struct example *example, const char *label, WGPUBufferUsage usage,
                          uint64_t size_bytes, const void *data);
// Copies size_bytes from the start of a buffer (usage COPY_SRC) to `out`: copy, submit, map, read.
void example_read_buffer(const struct example *example, WGPUBuffer buffer, void *out,
                         size_t size_bytes);

WGPUShaderModule example_shader(const struct example *example, const char *label,
                                const char *wgsl);
WGPUComputePipeline example_compute_pipeline(const struct example *example,
                                             WGPUShaderModule module, const char *entry_point);
// A bind group for group 0 of an automatic layout: buffers[i] whole at binding i, NULLs left out.
WGPUBindGroup example_bind_group(const struct example *example, WGPUComputePipeline pipeline,
                                 const char *label, const WGPUBuffer *buffers, size_t count);

// Milliseconds of wall-clock time and of CPU time of the whole process.
double example_now_ms(void);
double example_cpu_ms(void);

// Pictures: 8-bit RGBA, rows from the top, 4 * width bytes a row.
void example_write_png(const char *path, const uint32_t *pixels, uint32_t width, uint32_t height);
// The caller frees the pixels with free().
uint32_t *example_read_png(const char *path, uint32_t *out_width, uint32_t *out_height);
