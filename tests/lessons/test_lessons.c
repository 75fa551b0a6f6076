// SPDX-License-Identifier: MIT
//
// Whole programs around the shaders of a course on WebGPU's memory model, through webgpu.h on the
// default adapter: address spaces, access modes, the histogram and its race, in-place updates,
// layouts, two buffers taking turns. Expected values are computed here, on the host.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <webgpu/webgpu.h>

#include "../unit/check.h"
#include "common/example.h"

static char *read_shader(const char *name) {
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s.wgsl", LESSON_FOLDER, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s is missing\n", path);
        exit(1);
    }
    char *text = calloc(1, 65536);
    if (text == NULL || fread(text, 1, 65535, file) == 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static WGPUComputePipeline make_pipeline(const struct example *gpu, const char *name,
                                         const char *entry_point) {
    char *text = read_shader(name);
    WGPUShaderModule module = example_shader(gpu, name, text);
    WGPUComputePipeline pipeline = example_compute_pipeline(gpu, module, entry_point);
    wgpuShaderModuleRelease(module);
    free(text);
    return pipeline;
}

static void run(const struct example *gpu, WGPUComputePipeline pipeline, WGPUBindGroup const *groups,
                size_t group_count, uint32_t steps, uint32_t workgroups) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    for (uint32_t step = 0; step < steps; step++) {
        wgpuComputePassEncoderSetBindGroup(pass, 0, groups[step % group_count], 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, workgroups, 1, 1);
    }
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
}

// Runs once with the buffers at bindings 0, 1, …; the last but `trailing` one is read into out.
static void run_buffers(const struct example *gpu, const char *name, const char *entry_point,
                        const WGPUBuffer *buffers, size_t count, uint32_t workgroups,
                        WGPUBuffer result, void *out, size_t out_bytes) {
    WGPUComputePipeline pipeline = make_pipeline(gpu, name, entry_point);
    WGPUBindGroup group = example_bind_group(gpu, pipeline, name, buffers, count);
    run(gpu, pipeline, &group, 1, 1, workgroups);
    example_read_buffer(gpu, result, out, out_bytes);
    wgpuBindGroupRelease(group);
    wgpuComputePipelineRelease(pipeline);
}

#define STORAGE (WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc)

TEST(test_address_spaces) {
    struct example gpu = example_open("spaces");
    float camera[] = {0.25f};
    float lights[] = {1, 2, 3, 2, 10, 20, 30, 0.5f, 5, 6, 7, 1}; // three lights of 16 bytes
    static float result[128][4];
    WGPUBuffer buffers[] = {
        example_buffer(&gpu, "camara", WGPUBufferUsage_Uniform, sizeof(camera), camera),
        example_buffer(&gpu, "luces", WGPUBufferUsage_Storage, sizeof(lights), lights),
        example_buffer(&gpu, "salida", STORAGE, sizeof(result), NULL),
    };
    run_buffers(&gpu, "spaces", "main", buffers, 3, 2, buffers[2], result, sizeof(result));
    int wrong = 0;
    for (int i = 0; i < 128; i++) {
        const float *light = &lights[i % 3 * 4];
        float partner = (float)(i / 64 * 64 + 63 - i % 64) * 0.25f; // across the barrier
        wrong += result[i][0] != light[0] * light[3] || result[i][1] != light[1] * light[3] ||
                 result[i][2] != light[2] * light[3] || result[i][3] != 2 * (6 + partner);
    }
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < 3; i++) {
        wgpuBufferRelease(buffers[i]);
    }
    example_close(&gpu);
}

TEST(test_access_modes) {
    struct example gpu = example_open("access");
    float a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40}, c[4];
    WGPUBuffer buffers[] = {
        example_buffer(&gpu, "a", WGPUBufferUsage_Storage, sizeof(a), a),
        example_buffer(&gpu, "b", WGPUBufferUsage_Storage, sizeof(b), b),
        example_buffer(&gpu, "c", STORAGE, sizeof(c), NULL),
    };
    run_buffers(&gpu, "access", "main", buffers, 3, 4, buffers[2], c, sizeof(c));
    for (int i = 0; i < 4; i++) {
        CHECK_EQ((int)c[i], (int)(a[i] + b[i]));
        if (i < 3) {
            wgpuBufferRelease(buffers[i]);
        }
    }
    example_close(&gpu);
}

// With atomics 64 increments give 64. The plain form is a race: no count is promised, but no other
// bin may change.
TEST(test_histograms) {
    struct example gpu = example_open("histogram");
    uint32_t bins[256];
    for (int is_atomic = 0; is_atomic < 2; is_atomic++) {
        WGPUBuffer buffer = example_buffer(&gpu, "histograma", STORAGE, sizeof(bins), NULL);
        run_buffers(&gpu, is_atomic ? "histogram_atomic" : "histogram_race", "main", &buffer, 1, 1,
                    buffer, bins, sizeof(bins));
        if (is_atomic) {
            CHECK_EQ(bins[7], 64);
        } else {
            CHECK(bins[7] >= 1 && bins[7] <= 64);
        }
        for (int i = 0; i < 256; i++) {
            CHECK(i == 7 || bins[i] == 0);
        }
        wgpuBufferRelease(buffer);
    }
    example_close(&gpu);
}

TEST(test_own_index) {
    enum { COUNT = 100 }; // not a multiple of the workgroup's 64
    struct example gpu = example_open("integrar");
    static float state[COUNT][8], result[COUNT][8];
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 8; k++) {
            state[i][k] = (float)(i * 8 + k);
        }
    }
    WGPUBuffer buffer = example_buffer(&gpu, "estado", STORAGE, sizeof(state), state);
    run_buffers(&gpu, "integrate", "integrar", &buffer, 1, 2, buffer, result, sizeof(result));
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 8; k++) {
            float expected = k < 3 ? state[i][k] + state[i][k + 4] * 0.5f : state[i][k];
            wrong += result[i][k] != expected;
        }
    }
    CHECK_EQ(wrong, 0);
    wgpuBufferRelease(buffer);
    example_close(&gpu);
}

TEST(test_layout) {
    struct example gpu = example_open("layout");
    float weights[64], result[64];
    struct {
        uint32_t n;
        float data[64];
    } block = {.n = 5};
    for (int i = 0; i < 64; i++) {
        weights[i] = (float)i;
        block.data[i] = (float)(100 - i);
    }
    WGPUBuffer buffers[] = {
        example_buffer(&gpu, "pesos", WGPUBufferUsage_Storage, sizeof(weights), weights),
        example_buffer(&gpu, "bloque", WGPUBufferUsage_Storage, sizeof(block), &block),
        example_buffer(&gpu, "salida", STORAGE, sizeof(result), NULL),
    };
    CHECK_EQ(sizeof(weights), 256); // struct Pesos, stride 4
    run_buffers(&gpu, "layout", "main", buffers, 3, 1, buffers[2], result, sizeof(result));
    int wrong = 0;
    for (int i = 0; i < 64; i++) {
        wrong += result[i] != weights[i] * block.data[i] + 5 + 64;
    }
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < 3; i++) {
        wgpuBufferRelease(buffers[i]);
    }
    example_close(&gpu);
}

TEST(test_two_buffers) {
    enum { COUNT = 1000, STEPS = 25 };
    struct example gpu = example_open("ping-pong");
    static uint32_t cells[2][COUNT], result[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        cells[0][i] = i * 2654435761u;
    }
    WGPUBuffer a = example_buffer(&gpu, "A", STORAGE, sizeof(result), cells[0]);
    WGPUBuffer b = example_buffer(&gpu, "B", STORAGE, sizeof(result), NULL);
    WGPUComputePipeline pipeline = make_pipeline(&gpu, "ping_pong", "paso");
    WGPUBindGroup groups[] = {
        example_bind_group(&gpu, pipeline, "A to B", (WGPUBuffer[]){a, b}, 2),
        example_bind_group(&gpu, pipeline, "B to A", (WGPUBuffer[]){b, a}, 2),
    };
    run(&gpu, pipeline, groups, 2, STEPS, (COUNT + 63) / 64); // all steps in one pass
    example_read_buffer(&gpu, STEPS % 2 == 0 ? a : b, result, sizeof(result));
    for (int step = 0; step < STEPS; step++) {
        const uint32_t *from = cells[step % 2];
        for (uint32_t i = 0; i < COUNT; i++) {
            cells[1 - step % 2][i] = from[(i + COUNT - 1) % COUNT] + from[(i + 1) % COUNT];
        }
    }
    CHECK_EQ(memcmp(result, cells[STEPS % 2], sizeof(result)), 0);
    wgpuBindGroupRelease(groups[0]);
    wgpuBindGroupRelease(groups[1]);
    wgpuComputePipelineRelease(pipeline);
    wgpuBufferRelease(a);
    wgpuBufferRelease(b);
    example_close(&gpu);
}

CHECK_MAIN(test_address_spaces, test_access_modes, test_histograms, test_own_index, test_layout,
           test_two_buffers)
