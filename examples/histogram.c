// SPDX-License-Identifier: MIT
//
// The luminance histogram of a picture, counted by the correct shader (atomics) and by the plain one
// (a data race), side by side: how many counts did the race lose in this run?
//
//   histogram INPUT.png [OUTPUT.png]
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <webgpu/webgpu.h>

#include "common/example.h"

#define BIN_COUNT 256u
#define WORKGROUPS 64u

extern const char histogram_wgsl[];

static void run(const struct example *gpu, WGPUComputePipeline pipeline, WGPUBindGroup group) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, WORKGROUPS, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
}

// The same count on the host: what the shaders must give.
static void count_on_host(const uint32_t *pixels, uint64_t count, uint32_t bins[BIN_COUNT]) {
    memset(bins, 0, BIN_COUNT * sizeof(uint32_t));
    for (uint64_t i = 0; i < count; i++) {
        uint32_t r = pixels[i] & 0xffu, g = (pixels[i] >> 8) & 0xffu, b = (pixels[i] >> 16) & 0xffu;
        bins[(r * 13933u + g * 46871u + b * 4732u + 32768u) >> 16]++;
    }
}

// Bars of square-root height, so that rare values stay visible.
static uint32_t bar_height(uint32_t count, uint32_t largest, uint32_t height) {
    double share = largest == 0 ? 0 : (double)count / largest;
    double root = share; // Newton's square root of a number in 0..1
    for (int i = 0; i < 30 && root > 0; i++) {
        root = 0.5 * (root + share / root);
    }
    return (uint32_t)(root * height + 0.5);
}

// Gold: counted by both. Red: counts that the plain form lost.
static void draw(const char *path, const uint32_t right[BIN_COUNT],
                 const uint32_t plain[BIN_COUNT]) {
    enum { BAR = 4, MARGIN = 24, WIDTH = 256 * BAR + 2 * MARGIN, HEIGHT = 400 };
    static uint32_t picture[WIDTH * HEIGHT];
    uint32_t largest = 0;
    for (uint32_t i = 0; i < BIN_COUNT; i++) {
        largest = right[i] > largest ? right[i] : largest;
    }
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            uint32_t colour = 0xff1e1a18u;
            uint32_t above_base = HEIGHT - MARGIN - y; // 1 for the lowest row of bars
            if (y == HEIGHT - MARGIN && x >= MARGIN && x < WIDTH - MARGIN) {
                colour = 0xff8a8078u;
            } else if (y < HEIGHT - MARGIN && x >= MARGIN && x < WIDTH - MARGIN &&
                       (x - MARGIN) % BAR != BAR - 1) {
                uint32_t bin = (x - MARGIN) / BAR;
                if (above_base <= bar_height(plain[bin], largest, HEIGHT - 2 * MARGIN)) {
                    colour = 0xff4fb8f2u;
                } else if (above_base <= bar_height(right[bin], largest, HEIGHT - 2 * MARGIN)) {
                    colour = 0xff4848d8u;
                }
            }
            picture[y * WIDTH + x] = colour;
        }
    }
    example_write_png(path, picture, WIDTH, HEIGHT);
}

int main(int argument_count, char **arguments) {
    example_check_arguments(argument_count, arguments, 1, 2, "histogram INPUT.png [OUTPUT.png]");
    const char *output = argument_count > 2 ? arguments[2] : "histogram.png";
    uint32_t width = 0, height = 0;
    uint32_t *pixels = example_read_png(arguments[1], &width, &height);
    uint64_t count = (uint64_t)width * height;

    struct example gpu = example_open("histogram");
    WGPUBuffer picture = example_buffer(&gpu, "pixels", WGPUBufferUsage_Storage, count * 4, pixels);
    WGPUBufferUsage usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc;
    WGPUBuffer bins = example_buffer(&gpu, "bins", usage, BIN_COUNT * 4, NULL);
    WGPUBuffer plain_bins = example_buffer(&gpu, "plain bins", usage, BIN_COUNT * 4, NULL);

    WGPUShaderModule module = example_shader(&gpu, "histogram", histogram_wgsl);
    WGPUComputePipeline atomic_form = example_compute_pipeline(&gpu, module, "count_atomic");
    WGPUComputePipeline plain_form = example_compute_pipeline(&gpu, module, "count_plain");
    wgpuShaderModuleRelease(module);
    WGPUBuffer atomic_buffers[] = {picture, bins};
    WGPUBuffer plain_buffers[] = {picture, NULL, plain_bins};
    WGPUBindGroup atomic_group =
        example_bind_group(&gpu, atomic_form, "atomic form", atomic_buffers, 2);
    WGPUBindGroup plain_group = example_bind_group(&gpu, plain_form, "plain form", plain_buffers, 3);

    run(&gpu, atomic_form, atomic_group);
    run(&gpu, plain_form, plain_group);
    uint32_t right[BIN_COUNT], plain[BIN_COUNT], expected[BIN_COUNT];
    example_read_buffer(&gpu, bins, right, sizeof(right));
    example_read_buffer(&gpu, plain_bins, plain, sizeof(plain));

    count_on_host(pixels, count, expected);
    bool is_right = memcmp(right, expected, sizeof(right)) == 0;
    uint64_t plain_total = 0;
    for (uint32_t i = 0; i < BIN_COUNT; i++) {
        plain_total += plain[i];
    }
    draw(output, right, plain);
    printf("histogram: %" PRIu64 " pixels of %s\n", count, arguments[1]);
    printf("  atomic form: %s\n",
           is_right ? "every count equals the host's" : "WRONG, it differs from the host's count");
    printf("  plain form:  %" PRIu64 " of %" PRIu64 " counts lost to the race (%.1f %%)\n",
           count - plain_total, count,
           count == 0 ? 0.0 : 100.0 * (double)(count - plain_total) / (double)count);
    printf("  picture: %s (gold: counted, red: lost by the plain form)\n", output);

    free(pixels);
    wgpuBindGroupRelease(atomic_group);
    wgpuBindGroupRelease(plain_group);
    wgpuComputePipelineRelease(atomic_form);
    wgpuComputePipelineRelease(plain_form);
    wgpuBufferRelease(picture);
    wgpuBufferRelease(bins);
    wgpuBufferRelease(plain_bins);
    example_close(&gpu);
    return is_right ? 0 : 1;
}
