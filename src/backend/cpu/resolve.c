// SPDX-License-Identifier: MIT
//
// Formats of small integers are averaged in integers: the sum of four codes is exact and so is its
// nearest quarter. The others go through their codecs, in doubles: f32 would round sums twice.
#include "backend/cpu/resolve.h"

#include <string.h>

#include <webgpu/webgpu.h>

#include "backend/cpu/cpu_priv.h"
#include "backend/cpu/texel.h"

// Of one step of the loops over codecs.
#define STEP_TEXELS 64u
// A worker's share is worth waking it from here on.
#define CHUNK_TEXELS 16384u
#define SAMPLE_COUNT 4u

typedef void (*average_function)(const struct host_resolve *resolve, uint64_t first, uint64_t end);

// ---------------------------------------------------------------- unsigned bytes

static inline uint32_t load32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

// Bytes 0 and 2 of the four words, and bytes 1 and 3, are summed side by side.
static void average_bytes_4(const struct host_resolve *resolve, uint64_t first, uint64_t end) {
    const uint32_t even = 0x00ff00ffu;
    const uint32_t half = 0x00020002u;
    const uint8_t *restrict samples = resolve->samples;
    uint8_t *restrict texels = resolve->texels;
    for (uint64_t i = first; i < end; i++) {
        uint32_t low = half;
        uint32_t high = half;
        for (uint32_t j = 0; j < SAMPLE_COUNT; j++) {
            uint32_t word = load32(samples + i * 16 + j * 4);
            low += word & even;
            high += word >> 8 & even;
        }
        uint32_t texel = (low >> 2 & even) | (high >> 2 & even) << 8;
        memcpy(texels + i * 4, &texel, sizeof(texel));
    }
}

static void average_bytes(const struct host_resolve *resolve, uint64_t first, uint64_t end) {
    uint32_t bytes = resolve->texel_bytes;
    for (uint64_t i = first; i < end; i++) {
        const uint8_t *samples = resolve->samples + i * bytes * SAMPLE_COUNT;
        for (uint32_t j = 0; j < bytes; j++) {
            uint32_t sum = 2;
            for (uint32_t k = 0; k < SAMPLE_COUNT; k++) {
                sum += samples[j + k * bytes];
            }
            resolve->texels[i * bytes + j] = (uint8_t)(sum >> 2);
        }
    }
}

// ---------------------------------------------------------------- signed bytes, packed fields

// The nearest quarter, ties to even, of -508..508.
static inline int32_t round_quarter(int32_t sum) {
    int32_t floored = (sum + 512) / 4 - 128;
    int32_t rest = sum - floored * 4;
    bool goes_up = rest == 3 || (rest == 2 && (floored & 1) != 0);
    return floored + (goes_up ? 1 : 0);
}

static void average_signed_bytes(const struct host_resolve *resolve, uint64_t first, uint64_t end) {
    uint32_t bytes = resolve->texel_bytes;
    for (uint64_t i = first; i < end; i++) {
        const uint8_t *samples = resolve->samples + i * bytes * SAMPLE_COUNT;
        for (uint32_t j = 0; j < bytes; j++) {
            int32_t sum = 0;
            for (uint32_t k = 0; k < SAMPLE_COUNT; k++) {
                int32_t code = (int8_t)samples[j + k * bytes];
                sum += code < -127 ? -127 : code; // both are -1
            }
            resolve->texels[i * bytes + j] = (uint8_t)round_quarter(sum);
        }
    }
}

static void average_10_10_10_2(const struct host_resolve *resolve, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++) {
        uint32_t sums[4] = {2, 2, 2, 2};
        for (uint32_t j = 0; j < SAMPLE_COUNT; j++) {
            uint32_t word = load32(resolve->samples + i * 16 + j * 4);
            sums[0] += word & 0x3ffu;
            sums[1] += word >> 10 & 0x3ffu;
            sums[2] += word >> 20 & 0x3ffu;
            sums[3] += word >> 30;
        }
        uint32_t texel = sums[0] / 4 | sums[1] / 4 << 10 | sums[2] / 4 << 20 | sums[3] / 4 << 30;
        memcpy(resolve->texels + i * 4, &texel, sizeof(texel));
    }
}

// ---------------------------------------------------------------- whatever has a codec

union rows {
    float values[4][STEP_TEXELS];
    uint32_t words[4][STEP_TEXELS];
};

static void average_step(const struct host_resolve *resolve, const struct cpu_texel_codec *codec,
    uint64_t first, uint32_t count) {
    double sums[4][STEP_TEXELS];
    union rows rows;
    size_t stride_bytes = (size_t)resolve->texel_bytes * SAMPLE_COUNT;
    memset(sums, 0, sizeof(sums));
    for (uint32_t sample = 0; sample < SAMPLE_COUNT; sample++) {
        codec->decode(
            resolve->samples + first * stride_bytes + (size_t)sample * resolve->texel_bytes,
            stride_bytes, count, rows.words[0], STEP_TEXELS);
        for (uint32_t i = 0; i < codec->component_count; i++) {
            for (uint32_t j = 0; j < count; j++) {
                sums[i][j] += (double)rows.values[i][j];
            }
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t j = 0; j < STEP_TEXELS; j++) {
            rows.values[i][j] = (float)(sums[i][j] / SAMPLE_COUNT);
        }
    }
    codec->encode(resolve->texels + first * resolve->texel_bytes, resolve->texel_bytes, count,
        rows.words[0], STEP_TEXELS);
}

static void average_decoded(const struct host_resolve *resolve, uint64_t first, uint64_t end) {
    const struct cpu_texel_codec *codec = cpu_texel_codec_get(resolve->format);
    for (uint64_t at = first; at < end; at += STEP_TEXELS) {
        average_step(
            resolve, codec, at, (uint32_t)(end - at < STEP_TEXELS ? end - at : STEP_TEXELS));
    }
}

// ---------------------------------------------------------------- the image

static average_function choose(uint32_t format) {
    switch (format) {
    case WGPUTextureFormat_RGBA8Unorm:
    case WGPUTextureFormat_BGRA8Unorm:
        return average_bytes_4;
    case WGPUTextureFormat_R8Unorm:
    case WGPUTextureFormat_RG8Unorm:
        return average_bytes;
    case WGPUTextureFormat_R8Snorm:
    case WGPUTextureFormat_RG8Snorm:
    case WGPUTextureFormat_RGBA8Snorm:
        return average_signed_bytes;
    case WGPUTextureFormat_RGB10A2Unorm:
        return average_10_10_10_2;
    default:
        return average_decoded;
    }
}

struct run {
    const struct host_resolve *resolve;
    average_function average;
};

static void run_chunk(void *user, uint32_t worker, uint64_t first, uint64_t end) {
    const struct run *run = user;
    (void)worker;
    run->average(run->resolve, first, end);
}

void cpu_resolve(void *user, const struct host_resolve *resolve) {
    struct cpu_device *device = user;
    if (resolve->sample_count != SAMPLE_COUNT) {
        host_resolve(NULL, resolve);
        return;
    }
    struct run run = {resolve, choose(resolve->format)};
    if (device == NULL || resolve->texel_count < 2 * CHUNK_TEXELS) {
        run.average(resolve, 0, resolve->texel_count);
        return;
    }
    struct cpu_job job = {
        .run = run_chunk,
        .user = &run,
        .count = resolve->texel_count,
        .minimum_chunk = CHUNK_TEXELS,
        .worker_count = cpu_pool_worker_count(device->pool),
        .cancel = queue_thread_cancel_flag(device->queue),
    };
    cpu_pool_run(device->pool, &job);
}
