// SPDX-License-Identifier: MIT
//
// Limits, features and texture formats: the arithmetic over them, and rows against the specification.
#include <alba/alba.h>
#include <webgpu/webgpu.h>

#include "check.h"
#include "facts/feature.h"
#include "facts/limits.h"
#include "facts/blend_factor.h"
#include "facts/texture_format.h"
#include "facts/vertex_format.h"

TEST(limits_survive_the_standard_structs) {
    struct limit_set set;
    for (int i = 0; i < LIMIT_COUNT; i++) {
        set.values[i] = 1000 + (uint64_t)i;
    }
    WGPULimits limits = WGPU_LIMITS_INIT;
    WGPUCompatibilityModeLimits compatibility = WGPU_COMPATIBILITY_MODE_LIMITS_INIT;
    limit_set_write(&set, &limits, &compatibility);
    CHECK_EQ(limits.maxTextureDimension1D, 1000 + LIMIT_maxTextureDimension1D);
    CHECK_EQ(limits.maxImmediateSize, 1000 + LIMIT_maxImmediateSize);
    CHECK(limits.nextInChain == NULL);
    struct limit_set back = limit_set_read(&limits, &compatibility);
    CHECK_BYTES(&back, &set, sizeof(set));
}

TEST(undefined_limits_stay_undefined) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBufferSize = 5;
    struct limit_set set = limit_set_read(&limits, NULL);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        CHECK(set.values[i] == (i == LIMIT_maxBufferSize ? 5 : WGPU_LIMIT_U64_UNDEFINED));
    }
}

TEST(defaults_are_the_specification_s) {
    // A few of each kind, from the table of WebGPU §"Limits".
    struct limit_set core = limit_set_get_default(true);
    struct limit_set compatibility = limit_set_get_default(false);
    CHECK_EQ(core.values[LIMIT_maxUniformBufferBindingSize], 65536);
    CHECK_EQ(compatibility.values[LIMIT_maxUniformBufferBindingSize], 16384);
    CHECK_EQ(core.values[LIMIT_maxStorageBuffersInVertexStage], 8);
    CHECK_EQ(compatibility.values[LIMIT_maxStorageBuffersInVertexStage], 0);
    CHECK_EQ(core.values[LIMIT_maxInterStageShaderVariables], 16);
    CHECK_EQ(compatibility.values[LIMIT_maxInterStageShaderVariables], 15);
    CHECK_EQ(limits_get_default().maxBindGroupsPlusVertexBuffers, 24);
    // No compatibility default is better than the core one.
    for (int i = 0; i < LIMIT_COUNT; i++) {
        CHECK(!limit_is_better((enum limit_name)i, compatibility.values[i], core.values[i]));
    }
    CHECK(limit_is_better(LIMIT_minStorageBufferOffsetAlignment, 64, 256));
    CHECK(limit_is_better(LIMIT_maxBufferSize, 257, 256));
    CHECK(!limit_is_better(LIMIT_maxBufferSize, 256, 256));
}

TEST(stage_limits_are_normalised) {
    // WebGPU "a new device": the per-stage limit is raised to the greatest, and a core device has
    // it in all stages.
    struct limit_set set = limit_set_get_default(false);
    set.values[LIMIT_maxStorageBuffersInVertexStage] = 10;
    limit_set_normalise(&set, false);
    CHECK_EQ(set.values[LIMIT_maxStorageBuffersPerShaderStage], 10);
    CHECK_EQ(set.values[LIMIT_maxStorageBuffersInFragmentStage], 4);
    limit_set_normalise(&set, true);
    CHECK_EQ(set.values[LIMIT_maxStorageBuffersInFragmentStage], 10);
    CHECK_EQ(set.values[LIMIT_maxStorageTexturesInVertexStage], 4);
}

TEST(features_imply_others) {
    struct feature_set set = feature_set_with(
        (struct feature_set){0}, WGPUFeatureName_TextureFormatsTier2);
    set = feature_set_with_implied(set);
    CHECK(feature_set_has(set, WGPUFeatureName_TextureFormatsTier1));
    CHECK(feature_set_has(set, WGPUFeatureName_RG11B10UfloatRenderable));
    CHECK(!feature_set_has(set, WGPUFeatureName_Subgroups));
    CHECK(feature_get_info(0) == NULL);
    CHECK(feature_get_info(24) == NULL);
    CHECK_STR(feature_get_info(WGPUFeatureName_ShaderF16)->enable, "f16");
    int count = 0;
    for (uint32_t name = 0; name < 64; name++) {
        count += feature_set_has(feature_set_get_all(), name);
    }
    CHECK_EQ(count, 23);
    CHECK(!feature_set_has(feature_set_get_all(), UINT32_MAX));
}

TEST(every_format_has_its_row) {
    for (uint32_t format = 1; format <= 101; format++) {
        const struct texture_format_info *info = texture_format_get_info(format);
        if (!CHECK(info != NULL)) {
            continue;
        }
        CHECK(info->block_bytes > 0 && info->block_width > 0 && info->block_height > 0);
    }
    CHECK(texture_format_get_info(0) == NULL);
    CHECK(texture_format_get_info(102) == NULL);
    CHECK(texture_format_get_info(UINT32_MAX) == NULL);
}

TEST(format_rows_are_the_specification_s) {
    static const struct {
        uint32_t format;
        const char *word;
        int bytes, width, height;
    } rows[] = {
        {WGPUTextureFormat_R8Unorm, "r8unorm", 1, 1, 1},
        {WGPUTextureFormat_RGBA8UnormSrgb, "rgba8unorm-srgb", 4, 1, 1},
        {WGPUTextureFormat_RGB9E5Ufloat, "rgb9e5ufloat", 4, 1, 1},
        {WGPUTextureFormat_RGBA32Sint, "rgba32sint", 16, 1, 1},
        {WGPUTextureFormat_Depth24PlusStencil8, "depth24plus-stencil8", 4, 1, 1},
        {WGPUTextureFormat_BC1RGBAUnorm, "bc1-rgba-unorm", 8, 4, 4},
        {WGPUTextureFormat_BC6HRGBUfloat, "bc6h-rgb-ufloat", 16, 4, 4},
        {WGPUTextureFormat_ETC2RGB8A1UnormSrgb, "etc2-rgb8a1unorm-srgb", 8, 4, 4},
        {WGPUTextureFormat_EACRG11Snorm, "eac-rg11snorm", 16, 4, 4},
        {WGPUTextureFormat_ASTC12x10UnormSrgb, "astc-12x10-unorm-srgb", 16, 12, 10},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct texture_format_info *info = texture_format_get_info(rows[i].format);
        CHECK_STR(info->word, rows[i].word);
        CHECK_EQ(info->block_bytes, rows[i].bytes);
        CHECK_EQ(info->block_width, rows[i].width);
        CHECK_EQ(info->block_height, rows[i].height);
    }
}

TEST(format_capabilities_follow_features) {
    const struct texture_format_info *rgba8 = texture_format_get_info(WGPUTextureFormat_RGBA8Unorm);
    struct feature_set none = {0};
    struct feature_set tier2 = feature_set_with_implied(
        feature_set_with(none, WGPUFeatureName_TextureFormatsTier2));
    CHECK(texture_format_can(rgba8, TEXTURE_CAPABILITY_STORAGE_WRITE, none));
    CHECK(!texture_format_can(rgba8, TEXTURE_CAPABILITY_STORAGE_READ_WRITE, none));
    CHECK(texture_format_can(rgba8, TEXTURE_CAPABILITY_STORAGE_READ_WRITE, tier2));
    const struct texture_format_info *rg8 = texture_format_get_info(WGPUTextureFormat_RG8Uint);
    CHECK(!texture_format_can(rg8, TEXTURE_CAPABILITY_STORAGE_READ_WRITE, tier2));
    CHECK(texture_format_can(rg8, TEXTURE_CAPABILITY_STORAGE_READ, tier2));
    const struct texture_format_info *bgra = texture_format_get_info(
        WGPUTextureFormat_BGRA8UnormSrgb);
    CHECK(!texture_format_can(bgra, TEXTURE_CAPABILITY_FORMAT, none)); // not in compatibility mode
}

TEST(vertex_formats_have_size_and_base) {
    static const struct {
        uint32_t format;
        const char *word;
        enum vertex_base base;
        uint32_t components, bytes;
    } rows[] = {
        {WGPUVertexFormat_Uint8, "uint8", VERTEX_BASE_UINT, 1, 1},
        {WGPUVertexFormat_Snorm8x4, "snorm8x4", VERTEX_BASE_FLOAT, 4, 4},
        {WGPUVertexFormat_Sint16x2, "sint16x2", VERTEX_BASE_SINT, 2, 4},
        {WGPUVertexFormat_Float16x4, "float16x4", VERTEX_BASE_FLOAT, 4, 8},
        {WGPUVertexFormat_Float32x3, "float32x3", VERTEX_BASE_FLOAT, 3, 12},
        {WGPUVertexFormat_Uint32x4, "uint32x4", VERTEX_BASE_UINT, 4, 16},
        {WGPUVertexFormat_Unorm10_10_10_2, "unorm10-10-10-2", VERTEX_BASE_FLOAT, 4, 4},
        {WGPUVertexFormat_Unorm8x4BGRA, "unorm8x4-bgra", VERTEX_BASE_FLOAT, 4, 4},
        {AlbaVertexFormat_Snorm10_10_10_2, "snorm10-10-10-2", VERTEX_BASE_FLOAT, 4, 4},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct vertex_format_info *info = vertex_format_get_info(rows[i].format);
        if (CHECK(info != NULL)) {
            CHECK_STR(info->word, rows[i].word);
            CHECK_EQ(info->base, rows[i].base);
            CHECK_EQ(info->component_count, rows[i].components);
            CHECK_EQ(info->size_bytes, rows[i].bytes);
        }
    }
    for (uint32_t format = WGPUVertexFormat_Uint8; format <= WGPUVertexFormat_Unorm8x4BGRA;
         format++) {
        CHECK(vertex_format_get_info(format) != NULL);
    }
    CHECK(vertex_format_get_info(0) == NULL);
    CHECK(vertex_format_get_info(WGPUVertexFormat_Unorm8x4BGRA + 1) == NULL);
    CHECK(vertex_format_get_info(AlbaVertexFormat_Snorm10_10_10_2 - 1) == NULL);
    CHECK(vertex_format_get_info(AlbaVertexFormat_Snorm10_10_10_2 + 1) == NULL);
    CHECK(vertex_format_get_info(UINT32_MAX) == NULL);
}

TEST(blend_factors_say_what_they_read) {
    int alpha_count = 0;
    int second_count = 0;
    for (uint32_t factor = WGPUBlendFactor_Zero; factor <= WGPUBlendFactor_OneMinusSrc1Alpha;
         factor++) {
        const struct blend_factor_info *info = blend_factor_get_info(factor);
        if (CHECK(info != NULL)) {
            CHECK_EQ(info->uses_second_source, strstr(info->word, "Src1") != NULL);
            CHECK_EQ(info->uses_src_alpha,
                strstr(info->word, "SrcAlpha") != NULL || strstr(info->word, "Src1Alpha") != NULL);
            alpha_count += info->uses_src_alpha;
            second_count += info->uses_second_source;
        }
    }
    CHECK_EQ(alpha_count, 5);
    CHECK_EQ(second_count, 4);
    CHECK(blend_factor_get_info(0) == NULL);
    CHECK(blend_factor_get_info(WGPUBlendFactor_OneMinusSrc1Alpha + 1) == NULL);
}

// WebGPU's own example of alignment: 1, then 8 aligned to 4, and so on.
TEST(bytes_per_sample_are_aligned) {
    static const uint32_t formats[] = {WGPUTextureFormat_R8Unorm, WGPUTextureFormat_R32Float,
        WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RGBA32Float, WGPUTextureFormat_R8Unorm,
        WGPUTextureFormat_RG16Sint};
    static const uint32_t totals[] = {1, 8, 16, 32, 33, 38};
    uint32_t total = 0;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        total = texture_format_add_render_bytes(total, texture_format_get_info(formats[i]));
        CHECK_EQ(total, totals[i]);
    }
}

CHECK_MAIN(limits_survive_the_standard_structs, undefined_limits_stay_undefined,
    defaults_are_the_specification_s, stage_limits_are_normalised, features_imply_others,
    every_format_has_its_row, format_rows_are_the_specification_s,
    format_capabilities_follow_features,
    vertex_formats_have_size_and_base, blend_factors_say_what_they_read,
    bytes_per_sample_are_aligned)
