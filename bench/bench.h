// SPDX-License-Identifier: MIT
//
// The benchmark's shared parts. Plain webgpu.h only, so that the same source measures any
// implementation. One thread. Every failure prints a reason and ends the program with status 1.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <webgpu/webgpu.h>

struct bench_text {
    const char *name;
    const char *wgsl;
};
extern const struct bench_text bench_texts[]; // ended by a NULL name; generated from kernels/

struct bench_gpu {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
};
// ALBA_BENCH_BACKEND=null: an adapter that runs no shader, for the costs of the API alone.
struct bench_gpu bench_open(void);
void bench_close(struct bench_gpu *gpu);
void bench_fail(const char *what, const char *reason);
WGPUStringView bench_view(const char *string);
void bench_wait(const struct bench_gpu *gpu, WGPUFuture future);
void bench_finish_queue(const struct bench_gpu *gpu);
WGPUBuffer bench_buffer(const struct bench_gpu *gpu, WGPUBufferUsage usage, uint64_t size_bytes,
                        const void *data);
// Copies the start of `buffer` into `staging` (MAP_READ) and hands its bytes to `out`.
void bench_read(const struct bench_gpu *gpu, WGPUBuffer buffer, WGPUBuffer staging, void *out,
                size_t size_bytes);
WGPUComputePipeline bench_pipeline(const struct bench_gpu *gpu, const char *wgsl,
                                   const char *entry_point);
WGPUBindGroup bench_group(const struct bench_gpu *gpu, WGPUComputePipeline pipeline, WGPUBuffer a,
                          WGPUBuffer b);
double bench_cpu_ms(void);  // CPU time of all threads of the process
double bench_wall_ms(void); // monotonic

// One kernel: its workload, and how its result is summed up for comparison.
struct bench_kernel {
    const char *name;
    uint64_t a_bytes, b_bytes;
    uint32_t workgroups[3];
    int repeats;          // dispatches in one measured submission
    int is_integer;       // the result is u32, else f32
    int clears_result;    // the result accumulates: clear it before the last, checked run
};
extern const struct bench_kernel bench_kernels[]; // ended by a NULL name

// Measures costs of the API itself; prints one line each.
void bench_overhead(const struct bench_gpu *gpu);
// Measures frames of some scenes; prints one line each: "draw NAME cpu_ms wall_ms sum".
void bench_draws(const struct bench_gpu *gpu);
// Measures the creation of shader modules from the .wgsl files of the folders that ALBA_BENCH_WGSL
// names (a list with ':'; by default this repository's tests, from its root); prints a line for each:
// "module PATH cpu_us wall_us text_bytes kept_bytes", '-' for times where the text is refused.
void bench_modules(const struct bench_gpu *gpu);
