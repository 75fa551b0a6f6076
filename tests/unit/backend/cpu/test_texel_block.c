// SPDX-License-Identifier: MIT
//
// Block-compressed formats: BC1 to BC5, ETC2 and EAC against the formats' arithmetic in doubles or
// whole numbers, BC6H, BC7 and ASTC, which are exact, against texels that other implementations
// decoded, and views of them texel by texel.
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
    bool is_srgb = strstr(word, "-srgb") != NULL;
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
                expected = get_hex(texel_text, (size_t)i * 4 + c) / 255.0;
                expected = (float)(is_srgb && c < 3 ? get_linear(expected) : expected);
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

TEST(blocks_of_astc) {
    CHECK_EQ(check_file("blocks_astc.txt"), 184);
}

// Any bits are a block, and all of its texels are numbers from 0 to 1.
TEST(any_bits_are_blocks) {
    uint32_t strange = 0;
    for (uint32_t format = WGPUTextureFormat_ETC2RGB8Unorm;
         format <= WGPUTextureFormat_ASTC12x12UnormSrgb; format++) {
        const struct texture_format_info *info = texture_format_get_info(format);
        for (uint32_t number = 0; number < 300; number++) {
            uint8_t *block = malloc(info->block_bytes);
            for (uint32_t i = 0; i < info->block_bytes; i++) {
                block[i] = (uint8_t)reference_random(256);
            }
            uint32_t texels[144][4];
            cpu_texel_codec_get(format)->decode_block(block, texels);
            free(block);
            double least = strstr(info->word, "snorm") != NULL ? -1 : 0;
            for (uint32_t i = 0; i < (uint32_t)info->block_width * info->block_height * 4; i++) {
                double value = reference_float(texels[i / 4][i % 4]);
                strange += !(value >= least && value <= 1);
            }
        }
    }
    CHECK_EQ(strange, 0);
}

// ---------------------------------------------------------------- ETC2

// Puts `count` bits of a big-endian block, the highest first, as the format numbers them from 63.
static void put_bits(uint8_t *block, uint32_t highest, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bit = highest - i;
        uint32_t one = value >> (count - 1 - i) & 1;
        block[7 - bit / 8] = (uint8_t)((block[7 - bit / 8] & ~(1u << bit % 8)) | one << bit % 8);
    }
}

static uint32_t get_code(uint32_t word) {
    return (uint32_t)lround(reference_float(word) * 255.0);
}

static int32_t limit_code(int32_t code) {
    return code < 0 ? 0 : code > 255 ? 255 : code;
}

// An intensity table entry for texel numbers 0 to 3: a, b, -a, -b.
static int32_t get_intensity(uint32_t table, uint32_t number) {
    static const int32_t small[8] = {2, 5, 9, 13, 18, 24, 33, 47};
    static const int32_t large[8] = {8, 17, 29, 42, 60, 80, 106, 183};
    int32_t change = (number & 1) != 0 ? large[table] : small[table];
    return number < 2 ? change : -change;
}

// Individual and differential blocks made from their parts, either way round, with holes and without.
TEST(etc2_halves) {
    uint32_t differences = 0;
    for (uint32_t number = 0; number < 600; number++) {
        bool has_holes = number % 3 == 2;
        bool is_differential = number % 3 != 0;
        bool is_flipped = number / 3 % 2 != 0;
        uint8_t block[8];
        for (uint32_t i = 0; i < 8; i++) {
            block[i] = (uint8_t)reference_random(256);
        }
        double colors[2][3];
        for (uint32_t c = 0; c < 3; c++) {
            if (is_differential) {
                uint32_t base = 4 + reference_random(24);
                int32_t change = (int32_t)reference_random(8) - 4;
                put_bits(block, 63 - 8 * c, 5, base);
                put_bits(block, 58 - 8 * c, 3, (uint32_t)change & 7);
                uint32_t other = (uint32_t)((int32_t)base + change);
                colors[0][c] = base << 3 | base >> 2;
                colors[1][c] = other << 3 | other >> 2;
            } else {
                uint32_t codes[2] = {reference_random(16), reference_random(16)};
                put_bits(block, 63 - 8 * c, 4, codes[0]);
                put_bits(block, 59 - 8 * c, 4, codes[1]);
                colors[0][c] = codes[0] * 17;
                colors[1][c] = codes[1] * 17;
            }
        }
        uint32_t tables[2] = {reference_random(8), reference_random(8)};
        put_bits(block, 39, 3, tables[0]);
        put_bits(block, 36, 3, tables[1]);
        put_bits(block, 33, 1, is_differential && !has_holes);
        put_bits(block, 32, 1, is_flipped);
        uint32_t numbers[16];
        for (uint32_t i = 0; i < 16; i++) {
            // Down columns: texel i of the rows is at column i % 4.
            uint32_t at = i % 4 * 4 + i / 4;
            numbers[i] = reference_random(4);
            put_bits(block, 16 + at, 1, numbers[i] >> 1);
            put_bits(block, at, 1, numbers[i] & 1);
        }
        uint32_t texels[16][4];
        cpu_texel_codec_get(
            has_holes ? WGPUTextureFormat_ETC2RGB8A1Unorm : WGPUTextureFormat_ETC2RGB8Unorm)
            ->decode_block(block, texels);
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t half = is_flipped ? i / 8 : i % 4 / 2;
            int32_t change = get_intensity(tables[half], numbers[i]);
            bool is_hole = has_holes && numbers[i] == 2;
            if (has_holes && numbers[i] == 0) {
                change = 0;
            }
            for (uint32_t c = 0; c < 3; c++) {
                int32_t code = is_hole ? 0 : limit_code((int32_t)colors[half][c] + change);
                differences += (int32_t)get_code(texels[i][c]) != code;
            }
            differences += get_code(texels[i][3]) != (is_hole ? 0u : 255u);
        }
    }
    CHECK_EQ(differences, 0);
}

// Blocks whose differential sums overflow in red (T), green (H) or blue (planar). The spare bits that
// make them do so are found by trying.
static bool overflows(const uint8_t *block, uint32_t component) {
    uint32_t byte = block[component];
    int32_t change = (int32_t)(byte & 7) - ((byte & 4) != 0 ? 8 : 0);
    int32_t sum = (int32_t)(byte >> 3) + change;
    return sum < 0 || sum > 31;
}

static bool find_spare_bits(
    uint8_t *block, uint32_t component, const uint32_t *spare, uint32_t spare_count) {
    for (uint32_t value = 0; value < 1u << spare_count; value++) {
        for (uint32_t i = 0; i < spare_count; i++) {
            put_bits(block, spare[i], 1, value >> i & 1);
        }
        bool is_first = true;
        for (uint32_t c = 0; c < component; c++) {
            is_first = is_first && !overflows(block, c);
        }
        if (is_first && overflows(block, component)) {
            return true;
        }
    }
    return false;
}

TEST(etc2_paints_and_planes) {
    static const int32_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
    uint32_t counts[3] = {0, 0, 0};
    uint32_t differences = 0;
    for (uint32_t number = 0; number < 1500; number++) {
        uint32_t mode = number % 3;
        uint8_t block[8];
        for (uint32_t i = 0; i < 8; i++) {
            block[i] = (uint8_t)reference_random(256);
        }
        put_bits(block, 33, 1, 1);
        int32_t expected[16][3];
        uint32_t codes[9];
        for (uint32_t i = 0; i < 9; i++) {
            codes[i] = reference_random(16);
        }
        uint32_t numbers[16];
        for (uint32_t i = 0; mode < 2 && i < 16; i++) {
            uint32_t at = i % 4 * 4 + i / 4;
            numbers[i] = reference_random(4);
            put_bits(block, 16 + at, 1, numbers[i] >> 1);
            put_bits(block, at, 1, numbers[i] & 1);
        }
        uint32_t distance = reference_random(8);
        if (mode == 0) {
            static const uint32_t spare[4] = {63, 62, 61, 58};
            put_bits(block, 60, 2, codes[0] >> 2);
            put_bits(block, 57, 2, codes[0] & 3);
            put_bits(block, 55, 4, codes[1]);
            put_bits(block, 51, 4, codes[2]);
            put_bits(block, 47, 4, codes[3]);
            put_bits(block, 43, 4, codes[4]);
            put_bits(block, 39, 4, codes[5]);
            put_bits(block, 35, 2, distance >> 1);
            put_bits(block, 32, 1, distance & 1);
            if (!find_spare_bits(block, 0, spare, 4)) {
                continue;
            }
            for (uint32_t i = 0; i < 16; i++) {
                for (uint32_t c = 0; c < 3; c++) {
                    int32_t second = (int32_t)codes[3 + c] * 17;
                    const int32_t paints[4] = {(int32_t)codes[c] * 17, second + distances[distance],
                        second, second - distances[distance]};
                    expected[i][c] = limit_code(paints[numbers[i]]);
                }
            }
        } else if (mode == 1) {
            static const uint32_t spare[5] = {63, 55, 54, 53, 50};
            // The distance's lowest bit is the order of the colors.
            uint32_t orders[2] = {
                codes[0] << 8 | codes[1] << 4 | codes[2], codes[3] << 8 | codes[4] << 4 | codes[5]};
            distance = (distance & 6) | (orders[0] >= orders[1]);
            put_bits(block, 62, 4, codes[0]);
            put_bits(block, 58, 3, codes[1] >> 1);
            put_bits(block, 52, 1, codes[1] & 1);
            put_bits(block, 51, 1, codes[2] >> 3);
            put_bits(block, 49, 3, codes[2] & 7);
            put_bits(block, 46, 4, codes[3]);
            put_bits(block, 42, 4, codes[4]);
            put_bits(block, 38, 4, codes[5]);
            put_bits(block, 34, 1, distance >> 2);
            put_bits(block, 32, 1, distance >> 1 & 1);
            if (!find_spare_bits(block, 1, spare, 5)) {
                continue;
            }
            for (uint32_t i = 0; i < 16; i++) {
                for (uint32_t c = 0; c < 3; c++) {
                    int32_t color = (int32_t)codes[numbers[i] / 2 * 3 + c] * 17;
                    int32_t change = distances[distance];
                    expected[i][c] = limit_code(
                        numbers[i] % 2 == 0 ? color + change : color - change);
                }
            }
        } else {
            static const uint32_t spare[6] = {63, 55, 47, 46, 45, 42};
            uint32_t sizes[3] = {6, 7, 6};
            uint32_t points[3][3]; // origin, right, below
            int32_t wide[3][3];
            for (uint32_t i = 0; i < 9; i++) {
                uint32_t size = sizes[i % 3];
                uint32_t value = reference_random(1u << size);
                points[i / 3][i % 3] = value;
                wide[i / 3][i % 3] = (int32_t)(size == 6 ? value << 2 | value >> 4
                                                         : value << 1 | value >> 6);
            }
            put_bits(block, 62, 6, points[0][0]);
            put_bits(block, 56, 1, points[0][1] >> 6);
            put_bits(block, 54, 6, points[0][1] & 63);
            put_bits(block, 48, 1, points[0][2] >> 5);
            put_bits(block, 44, 2, points[0][2] >> 3 & 3);
            put_bits(block, 41, 3, points[0][2] & 7);
            put_bits(block, 38, 5, points[1][0] >> 1);
            put_bits(block, 32, 1, points[1][0] & 1);
            put_bits(block, 31, 7, points[1][1]);
            put_bits(block, 24, 6, points[1][2]);
            put_bits(block, 18, 6, points[2][0]);
            put_bits(block, 12, 7, points[2][1]);
            put_bits(block, 5, 6, points[2][2]);
            if (!find_spare_bits(block, 2, spare, 6)) {
                continue;
            }
            for (int32_t i = 0; i < 16; i++) {
                for (uint32_t c = 0; c < 3; c++) {
                    double value = wide[0][c] + i % 4 / 4.0 * (wide[1][c] - wide[0][c]) +
                        i / 4 / 4.0 * (wide[2][c] - wide[0][c]);
                    expected[i][c] = limit_code((int32_t)floor(value + 0.5));
                }
            }
        }
        counts[mode]++;
        uint32_t texels[16][4];
        cpu_texel_codec_get(WGPUTextureFormat_ETC2RGB8Unorm)->decode_block(block, texels);
        for (uint32_t i = 0; i < 16; i++) {
            for (uint32_t c = 0; c < 3; c++) {
                differences += (int32_t)get_code(texels[i][c]) != expected[i][c];
            }
        }
    }
    CHECK(counts[0] > 300);
    CHECK(counts[1] > 300);
    CHECK(counts[2] > 300);
    CHECK_EQ(differences, 0);
}

// One component of eleven bits, and alpha of eight: base + factor * change.
TEST(eac_components) {
    static const int32_t changes[4][8] = {{-3, -6, -9, -15, 2, 5, 8, 14},
        {-2, -4, -6, -13, 1, 3, 5, 12}, {-1, -2, -3, -10, 0, 1, 2, 9},
        {-3, -5, -7, -9, 2, 4, 6, 8}};
    static const uint32_t tables[4] = {0, 3, 13, 15};
    uint32_t differences = 0;
    for (uint32_t number = 0; number < 900; number++) {
        uint32_t kind = number % 3; // unorm, snorm, alpha
        uint8_t block[16];
        for (uint32_t i = 0; i < 16; i++) {
            block[i] = (uint8_t)reference_random(256);
        }
        uint32_t base = number % 10 == 0 ? 128 : reference_random(256);
        int32_t factor = (int32_t)reference_random(16);
        uint32_t table = reference_random(4);
        put_bits(block, 63, 8, base);
        put_bits(block, 55, 4, (uint32_t)factor);
        put_bits(block, 51, 4, tables[table]);
        uint32_t numbers[16];
        for (uint32_t i = 0; i < 16; i++) {
            numbers[i] = reference_random(8);
            put_bits(block, 47 - 3 * (i % 4 * 4 + i / 4), 3, numbers[i]);
        }
        static const uint32_t formats[3] = {WGPUTextureFormat_EACR11Unorm,
            WGPUTextureFormat_EACR11Snorm, WGPUTextureFormat_ETC2RGBA8Unorm};
        uint32_t texels[16][4];
        cpu_texel_codec_get(formats[kind])->decode_block(block, texels);
        for (uint32_t i = 0; i < 16; i++) {
            int32_t change = changes[table][numbers[i]];
            double expected;
            if (kind == 2) {
                expected = limit_code((int32_t)base + change * factor) / 255.0;
            } else {
                int32_t step = factor == 0 ? change : change * factor * 8;
                int32_t start = kind == 0 ? (int32_t)base * 8 + 4
                    : base == 128         ? -127 * 8
                                          : (int32_t)(int8_t)base * 8;
                double most = kind == 0 ? 2047 : 1023;
                expected = fmin(fmax(start + step, kind == 0 ? 0 : -1023), most) / most;
            }
            differences += reference_float(texels[i][kind == 2 ? 3 : 0]) != (float)expected;
        }
    }
    CHECK_EQ(differences, 0);
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

CHECK_MAIN(end_points_and_what_lies_between, blocks_of_bc6h_and_bc7, blocks_of_astc,
    any_bits_are_blocks, etc2_halves, etc2_paints_and_planes, eac_components, views_of_blocks,
    samples_of_blocks)
