// SPDX-License-Identifier: MIT
//
// Runs every kernel (or those named) and the API's own costs, and prints one line each:
//   kernel NAME CPU_MS WALL_MS CHECKSUM      milliseconds a dispatch, the least of several rounds
//   cost NAME CPU_US WALL_US -               microseconds an operation
// scripts/bench.sh runs this program for alba and for a peer in turn and prints the ratios.
//
//   kernels [NAME...]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define ROUNDS 7

static void fill(float *values, uint64_t count) {
    uint32_t state = 12345u;
    for (uint64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) / 16777216.0f;
    }
}

static void submit(const struct bench_gpu *gpu, const struct bench_kernel *kernel,
                   WGPUComputePipeline pipeline, WGPUBindGroup group, int repeats) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    for (int i = 0; i < repeats; i++) {
        wgpuComputePassEncoderDispatchWorkgroups(pass, kernel->workgroups[0],
                                                 kernel->workgroups[1], kernel->workgroups[2]);
    }
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
    bench_finish_queue(gpu);
}

static double checksum(const struct bench_gpu *gpu, const struct bench_kernel *kernel,
                       WGPUBuffer b) {
    WGPUBuffer staging = bench_buffer(gpu, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                      kernel->b_bytes, NULL);
    void *bytes = malloc((size_t)kernel->b_bytes);
    if (bytes == NULL) {
        bench_fail(kernel->name, "out of memory");
    }
    bench_read(gpu, b, staging, bytes, (size_t)kernel->b_bytes);
    double sum = 0;
    for (uint64_t i = 0; i < kernel->b_bytes / 4; i++) {
        double value = kernel->is_integer ? (double)((uint32_t *)bytes)[i] : ((float *)bytes)[i];
        sum += value * (double)(1 + i % 7); // weights: an exchange of elements shows
    }
    free(bytes);
    wgpuBufferRelease(staging);
    return sum;
}

static void measure(const struct bench_gpu *gpu, const struct bench_kernel *kernel,
                    const char *wgsl) {
    float *values = malloc((size_t)kernel->a_bytes);
    if (values == NULL) {
        bench_fail(kernel->name, "out of memory");
    }
    fill(values, kernel->a_bytes / 4);
    if (strcmp(kernel->name, "mandelbrot") == 0) {
        values[0] = 0;
    }
    WGPUBuffer a = bench_buffer(gpu, WGPUBufferUsage_Storage, kernel->a_bytes, values);
    free(values);
    WGPUBuffer b = bench_buffer(
        gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
        kernel->b_bytes, NULL);
    WGPUComputePipeline pipeline = bench_pipeline(gpu, wgsl, "main");
    WGPUBindGroup group = bench_group(gpu, pipeline, a, b);

    submit(gpu, kernel, pipeline, group, 1);
    double best_cpu = INFINITY, best_wall = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double cpu = bench_cpu_ms(), wall = bench_wall_ms();
        submit(gpu, kernel, pipeline, group, kernel->repeats);
        cpu = (bench_cpu_ms() - cpu) / kernel->repeats;
        wall = (bench_wall_ms() - wall) / kernel->repeats;
        best_cpu = cpu < best_cpu ? cpu : best_cpu;
        best_wall = wall < best_wall ? wall : best_wall;
    }
    if (kernel->clears_result) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
        wgpuCommandEncoderClearBuffer(encoder, b, 0, WGPU_WHOLE_SIZE);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(gpu->queue, 1, &commands);
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
        submit(gpu, kernel, pipeline, group, 1);
    }
    printf("kernel %s %.4f %.4f %.9g\n", kernel->name, best_cpu, best_wall,
           checksum(gpu, kernel, b));
    fflush(stdout);
    wgpuBindGroupRelease(group);
    wgpuComputePipelineRelease(pipeline);
    wgpuBufferRelease(a);
    wgpuBufferRelease(b);
}

static int is_wanted(const char *name, int argument_count, char **arguments) {
    for (int i = 1; i < argument_count; i++) {
        if (strcmp(arguments[i], name) == 0) {
            return 1;
        }
    }
    return argument_count < 2;
}

int main(int argument_count, char **arguments) {
    struct bench_gpu gpu = bench_open();
    for (const struct bench_kernel *kernel = bench_kernels; kernel->name != NULL; kernel++) {
        for (const struct bench_text *text = bench_texts; text->name != NULL; text++) {
            if (strcmp(text->name, kernel->name) == 0 &&
                is_wanted(kernel->name, argument_count, arguments)) {
                measure(&gpu, kernel, text->wgsl);
            }
        }
    }
    if (is_wanted("overhead", argument_count, arguments)) {
        bench_overhead(&gpu);
    }
    if (is_wanted("draws", argument_count, arguments)) {
        bench_draws(&gpu);
    }
    if (is_wanted("modules", argument_count, arguments)) {
        bench_modules(&gpu);
    }
    bench_close(&gpu);
    return 0;
}
