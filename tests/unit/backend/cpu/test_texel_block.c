// SPDX-License-Identifier: MIT
//
// Block-compressed formats: BC1 to BC5 against the formats' arithmetic in doubles, BC6H and BC7, which
// are exact, against texels that another implementation decoded, and views of them texel by texel.
#include "backend/cpu/texel.h"

#include "check.h"
#include "unit/backend/cpu/image_reference.h"

// ---------------------------------------------------------------- BC1 to BC5

static double get_linear(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static uint64_t get_bits(const uint8_t *bytes, uint32_t first, uint32_t count) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = first + i;
        value |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << i;
    }
    return value;
}

// One texel of a color block; returns alpha.
static double get_color(const uint8_t *block, bool is_opaque, uint32_t texel, double out[3]) {
    uint32_t codes[2] = {(uint32_t)get_bits(block, 0, 16), (uint32_t)get_bits(block, 16, 16)};
    double points[2][3];
    for (uint32_t i = 0; i < 2; i++) {
        points[i][0] = (codes[i] >> 11) / 31.0;
        points[i][1] = (codes[i] >> 5 & 63) / 63.0;
        points[i][2] = (codes[i] & 31) / 31.0;
    }
    uint32_t number = (uint32_t)get_bits(block, 32 + 2 * texel, 2);
    bool has_four = is_opaque || codes[0] > codes[1];
    const double part = number == 0 ? 0
        : number == 1               ? 1
        : number == 2               ? (has_four ? 1 / 3.0 : 0.5)
                                    : 2 / 3.0;
    bool is_hole = number == 3 && !has_four;
    for (uint32_t c = 0; c < 3; c++) {
        out[c] = is_hole ? 0 : points[0][c] * (1 - part) + points[1][c] * part;
    }
    return is_hole ? 0 : 1;
}

static double get_component(const uint8_t *block, bool is_signed, uint32_t texel) {
    double points[2];
    for (uint32_t i = 0; i < 2; i++) {
        points[i] = is_signed ? fmax((int8_t)block[i] / 127.0, -1) : block[i] / 255.0;
    }
    bool has_eight = is_signed ? (int8_t)block[0] > (int8_t)block[1] : block[0] > block[1];
    uint32_t number = (uint32_t)get_bits(block, 16 + 3 * texel, 3);
    if (number < 2) {
        return points[number];
    }
    if (!has_eight && number >= 6) {
        return number == 7 ? 1 : is_signed ? -1 : 0;
    }
    double part = (number - 1) / (has_eight ? 7.0 : 5.0);
    return points[0] * (1 - part) + points[1] * part;
}

// The texel by the formats' arithmetic; false: another family.
static bool get_expected(
    uint32_t format, const uint8_t *block, uint32_t texel, double out[4], double *out_tolerance) {
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    *out_tolerance = 1e-6;
    // sRGB formats follow their twins.
    bool is_srgb = format == WGPUTextureFormat_BC1RGBAUnormSrgb ||
        format == WGPUTextureFormat_BC2RGBAUnormSrgb ||
        format == WGPUTextureFormat_BC3RGBAUnormSrgb;
    switch (is_srgb ? format - 1 : format) {
    case WGPUTextureFormat_BC1RGBAUnorm:
        out[3] = get_color(block, false, texel, out);
        break;
    case WGPUTextureFormat_BC2RGBAUnorm:
        get_color(block + 8, true, texel, out);
        out[3] = (double)get_bits(block, 4 * texel, 4) / 15;
        break;
    case WGPUTextureFormat_BC3RGBAUnorm:
        get_color(block + 8, true, texel, out);
        out[3] = get_component(block, false, texel);
        break;
    case WGPUTextureFormat_BC4RUnorm:
    case WGPUTextureFormat_BC4RSnorm:
        out[0] = get_component(block, format == WGPUTextureFormat_BC4RSnorm, texel);
        break;
    case WGPUTextureFormat_BC5RGUnorm:
    case WGPUTextureFormat_BC5RGSnorm:
        out[0] = get_component(block, format == WGPUTextureFormat_BC5RGSnorm, texel);
        out[1] = get_component(block + 8, format == WGPUTextureFormat_BC5RGSnorm, texel);
        break;
    default:
        return false;
    }
    for (uint32_t c = 0; is_srgb && c < 3; c++) {
        out[c] = get_linear(out[c]);
        *out_tolerance = 0.0045; // half a code of the curve's steepest part
    }
    return true;
}

TEST(end_points_and_what_lies_between) {
    for (uint32_t format = WGPUTextureFormat_BC1RGBAUnorm; format <= WGPUTextureFormat_BC5RGSnorm;
         format++) {
        uint32_t differences = 0;
        for (uint32_t number = 0; number < 2000; number++) {
            uint8_t block[16];
            for (uint32_t i = 0; i < 16; i++) {
                block[i] = (uint8_t)reference_random(256);
            }
            if (number % 10 == 0) {
                block[0] = 0x80; // the least number of both ways
                block[8] = number % 20 == 0 ? 0x80 : 0x81;
            }
            if (number % 7 == 0) {
                block[2] = block[0]; // equal end points
                block[3] = block[1];
                block[1] = block[0];
            }
            uint32_t texels[16][4];
            cpu_texel_codec_get(format)->decode_block(block, texels);
            for (uint32_t i = 0; i < 16; i++) {
                double expected[4];
                double tolerance;
                CHECK(get_expected(format, block, i, expected, &tolerance));
                for (uint32_t c = 0; c < 4; c++) {
                    double got = reference_float(texels[i][c]);
                    differences += !(fabs(got - expected[c]) <= tolerance);
                }
            }
        }
        if (!CHECK_EQ(differences, 0)) {
            fprintf(stderr, "    %s\n", texture_format_get_info(format)->word);
        }
    }
}

// ---------------------------------------------------------------- files of blocks

static uint32_t get_hex(const char *text, size_t byte) {
    char digits[3] = {text[2 * byte], text[2 * byte + 1], '\0'};
    return (uint32_t)strtoul(digits, NULL, 16);
}

// Finite ones.
static double get_half(uint32_t code) {
    uint32_t exponent = code >> 10 & 31;
    double magnitude = exponent != 0 ? ldexp(1024 + (code & 1023), (int)exponent - 25)
                                     : ldexp(code & 1023, -24);
    return (code & 0x8000) != 0 ? -magnitude : magnitude;
}

// A line: format, bytes of the block, bytes of the texels. Returns how many components differ.
static uint32_t count_differences(
    const char *word, const char *block_text, const char *texel_text) {
    uint32_t format = 1;
    while (texture_format_get_info(format) != NULL &&
        strcmp(texture_format_get_info(format)->word, word) != 0) {
        format++;
    }
    if (texture_format_get_info(format) == NULL) {
        return 1;
    }
    const struct texture_format_info *info = texture_format_get_info(format);
    uint32_t texel_count = (uint32_t)info->block_width * info->block_height;
    bool is_half = format == WGPUTextureFormat_BC6HRGBUfloat ||
        format == WGPUTextureFormat_BC6HRGBFloat;
    uint32_t texel_bytes = is_half ? 6 : 4;
    if (strlen(block_text) != 32 || strlen(texel_text) != 2 * (size_t)texel_count * texel_bytes) {
        return 1;
    }
    uint8_t block[16];
    for (uint32_t i = 0; i < 16; i++) {
        block[i] = (uint8_t)get_hex(block_text, i);
    }
    uint32_t texels[144][4];
    cpu_texel_codec_get(format)->decode_block(block, texels);
    uint32_t differences = 0;
    for (uint32_t i = 0; i < texel_count; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            double got = reference_float(texels[i][c]);
            double expected = 1;
            if (!is_half) {
                expected = (float)(get_hex(texel_text, (size_t)i * 4 + c) / 255.0);
            } else if (c < 3) {
                size_t at = (size_t)i * 6 + 2 * c;
                expected = get_half(get_hex(texel_text, at) | get_hex(texel_text, at + 1) << 8);
            }
            differences += got != expected;
        }
    }
    return differences;
}

// Returns the count of blocks.
static uint32_t check_file(const char *name) {
    char path[1024];
    snprintf(path, sizeof(path), "%s/unit/backend/cpu/%s", ALBA_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL)) {
        return 0;
    }
    static char line[4096];
    uint32_t count = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        static char word[64];
        static char block[64];
        static char texels[2048];
        if (line[0] == '#' || sscanf(line, "%63s %63s %2047s", word, block, texels) != 3) {
            continue;
        }
        count++;
        if (!CHECK_EQ(count_differences(word, block, texels), 0)) {
            fprintf(stderr, "    %s %s\n", word, block);
        }
    }
    fclose(file);
    return count;
}

TEST(blocks_of_bc6h_and_bc7) {
    CHECK_EQ(check_file("blocks_bc.txt"), 317);
}

// ---------------------------------------------------------------- views

// Levels smaller than a block, sizes that are no multiple of one, layers and slices.
TEST(views_of_blocks) {
    static const uint32_t formats[] = {WGPUTextureFormat_BC1RGBAUnorm,
        WGPUTextureFormat_BC7RGBAUnormSrgb, WGPUTextureFormat_BC5RGSnorm};
    static const struct {
        uint32_t view;
        enum texture_dimension dimension;
    } shapes[2] = {{WGPUTextureViewDimension_2DArray, TEXTURE_DIMENSION_2D_ARRAY},
        {WGPUTextureViewDimension_3D, TEXTURE_DIMENSION_3D}};
    for (uint32_t number = 0; number < 6; number++) {
        uint32_t format = formats[number / 2];
        const uint32_t size[3] = {12, 20, 3};
        struct backend_texture texture;
        struct backend_texture_view view;
        struct cpu_image image;
        reference_texture_init(&texture, format, shapes[number % 2].view, size, 3, 1);
        reference_view_init(&view, &texture, shapes[number % 2].view);
        cpu_image_init(&image, &view);
        struct jit_texture_call call = {.opcode = IR_TEXTURE_LOAD,
            .dimension = (uint8_t)shapes[number % 2].dimension,
            .sampled_type = TYPE_F32,
            .width = 64};
        uint32_t differences = 0;
        for (uint32_t round = 0; round < 20; round++) {
            static uint32_t arguments[4][64];
            static uint32_t results[4][64];
            for (uint32_t lane = 0; lane < 64; lane++) {
                arguments[0][lane] = reference_random(13);
                arguments[1][lane] = reference_random(21);
                arguments[2][lane] = reference_random(4);
                arguments[3][lane] = reference_random(4);
            }
            cpu_image_call(&call, &image.seen, NULL, ~(uint64_t)0, arguments[0], results[0]);
            for (uint32_t lane = 0; lane < 64; lane++) {
                uint32_t texels[16][4] = {{0}};
                texels[0][3] = image.codec->component_count < 4 ? reference_word(1) : 0;
                uint32_t texel = 0;
                uint32_t level_number = arguments[3][lane];
                uint32_t x = arguments[0][lane];
                uint32_t y = arguments[1][lane];
                uint32_t z = arguments[2][lane];
                const struct host_texture_level *level = &texture.planes[0].levels[level_number];
                if (level_number < 3 && x < level->width && y < level->height &&
                    z < level->image_count) {
                    image.codec->decode_block(level->data + z * level->image_bytes +
                            y / 4 * level->row_bytes + (size_t)(x / 4) * image.texel_bytes,
                        texels);
                    texel = y % 4 * 4 + x % 4;
                }
                for (uint32_t c = 0; c < 4; c++) {
                    differences += results[c][lane] != texels[texel][c];
                }
            }
        }
        CHECK_EQ(differences, 0);
        reference_texture_finish(&texture);
    }
}

// A linear sample of a block-compressed texture is the mixture of four loads.
TEST(samples_of_blocks) {
    const uint32_t size[3] = {8, 12, 1};
    struct backend_texture texture;
    struct backend_texture_view view;
    struct cpu_image image;
    struct cpu_sampler sampler;
    reference_texture_init(
        &texture, WGPUTextureFormat_BC1RGBAUnorm, WGPUTextureViewDimension_2D, size, 1, 1);
    reference_view_init(&view, &texture, WGPUTextureViewDimension_2D);
    cpu_image_init(&image, &view);
    struct backend_sampler state = {
        .address_modes = {WGPUAddressMode_Repeat, WGPUAddressMode_Repeat, WGPUAddressMode_Repeat},
        .mag_filter = WGPUFilterMode_Linear,
        .min_filter = WGPUFilterMode_Linear,
        .mipmap_filter = WGPUMipmapFilterMode_Nearest,
        .lod_max_clamp = 32,
        .max_anisotropy = 1};
    cpu_sampler_init(&sampler, &state);
    struct jit_texture_call call = {.opcode = IR_TEXTURE_SAMPLE_LEVEL,
        .dimension = TEXTURE_DIMENSION_2D,
        .sampled_type = TYPE_F32,
        .width = 64};
    static uint32_t arguments[3][64];
    static uint32_t results[4][64];
    for (uint32_t lane = 0; lane < 64; lane++) {
        arguments[0][lane] = reference_word((float)reference_between(-1, 2));
        arguments[1][lane] = reference_word((float)reference_between(-1, 2));
    }
    cpu_image_call(&call, &image.seen, &sampler, ~(uint64_t)0, arguments[0], results[0]);
    uint32_t blocks[6][16][4];
    for (uint32_t i = 0; i < 6; i++) {
        image.codec->decode_block(texture.planes[0].levels[0].data + (size_t)i * 8, blocks[i]);
    }
    for (uint32_t lane = 0; lane < 64; lane++) {
        double u = reference_float(arguments[0][lane]) * 8.0 - 0.5;
        double v = reference_float(arguments[1][lane]) * 12.0 - 0.5;
        double sum[4] = {0, 0, 0, 0};
        for (uint32_t corner = 0; corner < 4; corner++) {
            uint32_t x = (uint32_t)((int)floor(u) + (int)(corner & 1) + 16) % 8;
            uint32_t y = (uint32_t)((int)floor(v) + (int)(corner >> 1) + 24) % 12;
            double part = (corner & 1 ? u - floor(u) : 1 - (u - floor(u))) *
                (corner >> 1 ? v - floor(v) : 1 - (v - floor(v)));
            for (uint32_t c = 0; c < 4; c++) {
                sum[c] += part * reference_float(blocks[y / 4 * 2 + x / 4][y % 4 * 4 + x % 4][c]);
            }
        }
        for (uint32_t c = 0; c < 4; c++) {
            CHECK_NEAR(reference_float(results[c][lane]), sum[c], 1e-4);
        }
    }
    reference_texture_finish(&texture);
}

CHECK_MAIN(
    end_points_and_what_lies_between, blocks_of_bc6h_and_bc7, views_of_blocks, samples_of_blocks)
