// SPDX-License-Identifier: MIT
//
// Averages of four samples, for every format that can be resolved, against the average in doubles:
// codes of small integers exactly, the others within what rounding allows; any count of texels.
#include "backend/cpu/resolve.h"

#include "backend/host_texel.h"
#include "check.h"

#include <webgpu/webgpu.h>

#define TEXELS 200u

struct format {
    uint32_t format;
    uint32_t texel_bytes;
    int component_count;
};

static const struct format formats[] = {
    {WGPUTextureFormat_R8Unorm, 1, 1},
    {WGPUTextureFormat_RG8Unorm, 2, 2},
    {WGPUTextureFormat_RGBA8Unorm, 4, 4},
    {WGPUTextureFormat_BGRA8Unorm, 4, 4},
    {WGPUTextureFormat_RGBA8UnormSrgb, 4, 4},
    {WGPUTextureFormat_BGRA8UnormSrgb, 4, 4},
    {WGPUTextureFormat_R8Snorm, 1, 1},
    {WGPUTextureFormat_RG8Snorm, 2, 2},
    {WGPUTextureFormat_RGBA8Snorm, 4, 4},
    {WGPUTextureFormat_RGB10A2Unorm, 4, 4},
    {WGPUTextureFormat_RG11B10Ufloat, 4, 3},
    {WGPUTextureFormat_R16Float, 2, 1},
    {WGPUTextureFormat_RG16Float, 4, 2},
    {WGPUTextureFormat_RGBA16Float, 8, 4},
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

static uint8_t samples[TEXELS * 4 * HOST_TEXEL_BYTES];
static uint8_t texels[TEXELS * HOST_TEXEL_BYTES];

static uint32_t random_state = 1;
static uint32_t next_random(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// The average lies between the values of the codes around it; what was chosen is no further from
// it than the other one.
static bool is_nearest(const struct format *format, int component, double wanted, double got) {
    double bounds[2];
    for (int i = 0; i < 2; i++) {
        double value[4] = {0, 0, 0, 1};
        double decoded[4];
        uint8_t bytes[HOST_TEXEL_BYTES];
        value[component] = wanted + (i == 0 ? -1e-9 : 1e-9) * fmax(1e-3, fabs(wanted));
        host_texel_encode(format->format, value, bytes);
        host_texel_decode(format->format, bytes, decoded);
        bounds[i] = decoded[component];
    }
    return got == bounds[0] || got == bounds[1];
}

static void check_texel(const struct format *format, uint32_t index) {
    double sum[4] = {0};
    double got[4];
    for (uint32_t i = 0; i < 4; i++) {
        double value[4];
        host_texel_decode(format->format, samples + (index * 4 + i) * format->texel_bytes, value);
        for (int j = 0; j < 4; j++) {
            sum[j] += value[j] / 4;
        }
    }
    host_texel_decode(format->format, texels + index * format->texel_bytes, got);
    for (int i = 0; i < format->component_count; i++) {
        if (!CHECK(is_nearest(format, i, sum[i], got[i]))) {
            fprintf(stderr, "    format %u, texel %u, component %d: %g, wanted %g\n",
                format->format, index, i, got[i], sum[i]);
        }
    }
}

TEST(every_format_is_averaged) {
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const struct format *format = &formats[i];
        for (uint32_t j = 0; j < TEXELS * 4; j++) {
            double value[4];
            for (int k = 0; k < 4; k++) {
                value[k] = (next_random() % 4096) / 2048.0 - 0.9;
            }
            host_texel_encode(format->format, value, samples + j * format->texel_bytes);
        }
        // The first texel has four equal samples.
        for (uint32_t j = 1; j < 4; j++) {
            memcpy(samples + j * format->texel_bytes, samples, format->texel_bytes);
        }
        for (uint32_t count = TEXELS - 70; count <= TEXELS; count += 7) {
            memset(texels, 0xee, sizeof(texels));
            struct host_resolve resolve = {.format = format->format,
                .texel_bytes = format->texel_bytes,
                .sample_count = 4,
                .texel_count = count,
                .samples = samples,
                .texels = texels};
            cpu_resolve(NULL, &resolve);
            CHECK_BYTES(texels, samples, format->texel_bytes);
            for (uint32_t j = 0; j < count; j++) {
                check_texel(format, j);
            }
            CHECK_EQ(texels[count * format->texel_bytes], 0xee);
        }
    }
}

// Halves go up in unsigned formats, to even in signed ones, as in stores of the same numbers.
TEST(halves_of_codes) {
    for (uint32_t sum = 0; sum <= 1020; sum++) {
        uint8_t codes[4];
        uint8_t signed_codes[4];
        uint8_t texel = 0;
        uint32_t rest = sum;
        for (int i = 0; i < 4; i++) {
            codes[i] = (uint8_t)(rest < 255 ? rest : 255);
            rest -= codes[i];
            signed_codes[i] = (uint8_t)(codes[i] - 128);
        }
        struct host_resolve resolve = {.format = WGPUTextureFormat_R8Unorm,
            .texel_bytes = 1,
            .sample_count = 4,
            .texel_count = 1,
            .samples = codes,
            .texels = &texel};
        cpu_resolve(NULL, &resolve);
        CHECK_EQ(texel, (uint32_t)floor(sum / 4.0 + 0.5));
        resolve.format = WGPUTextureFormat_R8Snorm;
        resolve.samples = signed_codes;
        double total = 0;
        for (int i = 0; i < 4; i++) {
            total += fmax((int8_t)signed_codes[i], -127);
        }
        cpu_resolve(NULL, &resolve);
        CHECK_EQ((int8_t)texel, (int)nearbyint(total / 4));
    }
}

CHECK_MAIN(every_format_is_averaged, halves_of_codes)
