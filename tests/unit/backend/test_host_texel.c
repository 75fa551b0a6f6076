// SPDX-License-Identifier: MIT
//
// Texels as numbers and back: each code of a format survives, what lies between two goes to the
// nearer, and samples that differ are averaged.
#include "backend/host_texel.h"

#include "backend/host_render_pass.h"
#include "backend/host_texture.h"
#include "check.h"

#include <webgpu/webgpu.h>

// Decodes and encodes the codes; the number of those that change.
static uint32_t count_changes(uint32_t format, uint32_t first, uint32_t end) {
    uint32_t changes = 0;
    for (uint32_t code = first; code < end; code++) {
        uint8_t bytes[HOST_TEXEL_BYTES] = {
            (uint8_t)code, (uint8_t)(code >> 8), (uint8_t)(code >> 16), (uint8_t)(code >> 24)};
        uint8_t again[HOST_TEXEL_BYTES] = {0};
        double value[4];
        host_texel_decode(format, bytes, value);
        host_texel_encode(format, value, again);
        changes += memcmp(bytes, again, 4) != 0;
    }
    return changes;
}

TEST(codes_survive) {
    CHECK_EQ(count_changes(WGPUTextureFormat_R8Unorm, 0, 256), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R8Uint, 0, 256), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R8Sint, 0, 256), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_Stencil8, 0, 256), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_RGBA8UnormSrgb, 0, 256), 0);
    // -128 and -127 are both -1: one of the codes is not written.
    CHECK_EQ(count_changes(WGPUTextureFormat_R8Snorm, 0, 256), 1);
    CHECK_EQ(count_changes(WGPUTextureFormat_R16Unorm, 0, 65536), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_Depth16Unorm, 0, 65536), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R16Sint, 0, 65536), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R16Snorm, 0, 65536), 1);
    // All halves but the 2 * 1023 NaNs, of which two are written.
    CHECK_EQ(count_changes(WGPUTextureFormat_R16Float, 0, 65536), 2 * 1023 - 2);
    // Red below infinity; red and green.
    CHECK_EQ(count_changes(WGPUTextureFormat_RG11B10Ufloat, 0, 31u << 6), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_RGB10A2Unorm, 0, 1u << 20), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_RGB10A2Uint, 1u << 30, (1u << 30) + 1024), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R32Uint, 0xfffffff0u, 0xffffffffu), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R32Sint, 0x7ffffff0u, 0x80000010u), 0);
    CHECK_EQ(count_changes(WGPUTextureFormat_R32Float, 0x3f800000u, 0x3f800100u), 0);
}

static uint32_t encode(uint32_t format, double red) {
    uint8_t bytes[HOST_TEXEL_BYTES] = {0};
    double value[4] = {red, 0, 0, 0};
    host_texel_encode(format, value, bytes);
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

TEST(values_between_go_to_the_nearer) {
    CHECK_EQ(encode(WGPUTextureFormat_R8Unorm, 127.4 / 255), 127);
    CHECK_EQ(encode(WGPUTextureFormat_R8Unorm, 127.6 / 255), 128);
    CHECK_EQ(encode(WGPUTextureFormat_R8Unorm, NAN), 0);
    CHECK_EQ(encode(WGPUTextureFormat_R8Snorm, -127.4 / 127), 0x81);
    CHECK_EQ(encode(WGPUTextureFormat_R8Snorm, -1.6 / 127), 0xfe);
    CHECK_EQ(encode(WGPUTextureFormat_R16Float, 1 + 0x1p-11), 0x3c00); // a tie, to even
    CHECK_EQ(encode(WGPUTextureFormat_R16Float, 1 + 0x3p-11), 0x3c02); // a tie, to even
    CHECK_EQ(encode(WGPUTextureFormat_R16Float, 2 - 0x1p-12), 0x4000); // up to the next exponent
    CHECK_EQ(encode(WGPUTextureFormat_R16Float, 0x1p-14 - 0x1p-26), 0x0400); // the first normal one
    CHECK_EQ(encode(WGPUTextureFormat_R16Float, -0.0), 0x8000);
    // 11 bits: no sign, and nothing finite becomes infinite.
    CHECK_EQ(encode(WGPUTextureFormat_RG11B10Ufloat, -3) & 0x7ffu, 0);
    CHECK_EQ(encode(WGPUTextureFormat_RG11B10Ufloat, 1e9) & 0x7ffu, (30u << 6) + 63);
    CHECK_EQ(encode(WGPUTextureFormat_RG11B10Ufloat, INFINITY) & 0x7ffu, 31u << 6);
}

TEST(differing_samples_are_averaged) {
    struct backend_texture_description description = {
        .dimension = WGPUTextureDimension_2D,
        .format = WGPUTextureFormat_RGBA8Unorm,
        .width = 3,
        .height = 2,
        .depth_or_array_layers = 1,
        .mip_level_count = 1,
        .sample_count = 4,
    };
    struct backend_texture *many = NULL;
    struct backend_texture *one = NULL;
    CHECK_EQ(host_texture_create(&description, &many), BACKEND_OK);
    description.sample_count = 1;
    CHECK_EQ(host_texture_create(&description, &one), BACKEND_OK);
    // Texel 4 has samples 0, 10, 20 and 255 in red: 71.25 on average; the others are equal.
    static const uint8_t reds[4] = {0, 10, 20, 255};
    uint8_t *texel = many->planes[0].levels[0].data + 4 * 16;
    for (int i = 0; i < 4; i++) {
        texel[4 * i] = reds[i];
        texel[4 * i + 3] = 200;
    }
    struct backend_texture_view views[2];
    for (int i = 0; i < 2; i++) {
        views[i] = (struct backend_texture_view){
            .texture = i == 0 ? many : one,
            .format = WGPUTextureFormat_RGBA8Unorm,
            .dimension = WGPUTextureViewDimension_2D,
            .mip_level_count = 1,
            .array_layer_count = 1,
        };
    }
    struct command_begin_render_pass begin = {
        .header = {COMMAND_BEGIN_RENDER_PASS, sizeof(begin)},
        .color_count = 1,
    };
    begin.colors[0].view = &views[0];
    begin.colors[0].resolve_target = &views[1];
    begin.colors[0].load_op = WGPULoadOp_Load;
    begin.colors[0].store_op = WGPUStoreOp_Discard;
    struct command_end_render_pass end = {.header = {COMMAND_END_RENDER_PASS, sizeof(end)}};
    struct host_render_pass pass = {0};
    CHECK(host_render_pass_execute(&pass, &begin.header));
    CHECK(host_render_pass_execute(&pass, &end.header));
    static const uint8_t expected[4] = {71, 0, 0, 200};
    static const uint8_t zero[6 * 16] = {0};
    CHECK_BYTES(one->planes[0].levels[0].data + 4 * 4, expected, 4);
    CHECK_BYTES(one->planes[0].levels[0].data, zero, 16);
    CHECK_BYTES(many->planes[0].levels[0].data, zero, sizeof(zero));
    host_texture_destroy(one);
    host_texture_destroy(many);
}

CHECK_MAIN(codes_survive, values_between_go_to_the_nearer, differing_samples_are_averaged)
