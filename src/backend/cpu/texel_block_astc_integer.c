// SPDX-License-Identifier: MIT
//
// The sequences of bounded integers in ASTC blocks: values of a few bits each, with five trits packed
// in eight bits or three quints in seven, and what the values stand for.
#include "backend/cpu/texel_block_astc.h"

struct range {
    uint8_t trit_count; // of a value
    uint8_t quint_count;
    uint8_t bit_count;
};

static const struct range weight_ranges[12] = {
    {0, 0, 1}, {1, 0, 0}, {0, 0, 2}, {0, 1, 0}, {1, 0, 1}, {0, 0, 3}, // 2 3 4 5 6 8
    {0, 1, 1}, {1, 0, 2}, {0, 0, 4}, {0, 1, 2}, {1, 0, 3}, {0, 0, 5}, // 10 12 16 20 24 32
};

static const struct range color_ranges[17] = {
    {1, 0, 1}, {0, 0, 3}, {0, 1, 1}, {1, 0, 2}, {0, 0, 4}, {0, 1, 2}, // 6 8 10 12 16 20
    {1, 0, 3}, {0, 0, 5}, {0, 1, 3}, {1, 0, 4}, {0, 0, 6}, {0, 1, 4}, // 24 32 40 48 64 80
    {1, 0, 5}, {0, 0, 7}, {0, 1, 5}, {1, 0, 6}, {0, 0, 8},            // 96 128 160 192 256
};

static uint32_t count_bits(const struct range *range, uint32_t count) {
    uint32_t packed = range->trit_count != 0 ? (8 * count + 4) / 5
        : range->quint_count != 0            ? (7 * count + 2) / 3
                                             : 0;
    return packed + count * range->bit_count;
}

// ---------------------------------------------------------------- sequences

// Bits from a first one on; those at `end` and above are 0.
struct reader {
    const struct texel_bits *bits;
    uint32_t at;
    uint32_t end;
};

static uint32_t take(struct reader *reader, uint32_t count) {
    uint32_t left = reader->at < reader->end ? reader->end - reader->at : 0;
    uint32_t readable = count < left ? count : left;
    uint32_t value = readable != 0 ? texel_bits_get(reader->bits, reader->at, readable) : 0;
    reader->at += count;
    return value;
}

static void unpack_trits(uint32_t packed, uint8_t out[5]) {
    uint32_t rest;
    if ((packed >> 2 & 7) == 7) {
        rest = (packed >> 5 & 7) << 2 | (packed & 3);
        out[3] = out[4] = 2;
    } else {
        rest = packed & 31;
        if ((packed >> 5 & 3) == 3) {
            out[4] = 2;
            out[3] = packed >> 7 & 1;
        } else {
            out[4] = packed >> 7 & 1;
            out[3] = packed >> 5 & 3;
        }
    }
    if ((rest & 3) == 3) {
        out[2] = 2;
        out[1] = rest >> 4 & 1;
        out[0] = (uint8_t)((rest >> 3 & 1) << 1 | (rest >> 2 & 1 & ~(rest >> 3)));
    } else if ((rest >> 2 & 3) == 3) {
        out[2] = out[1] = 2;
        out[0] = rest & 3;
    } else {
        out[2] = rest >> 4 & 1;
        out[1] = rest >> 2 & 3;
        out[0] = (uint8_t)((rest >> 1 & 1) << 1 | (rest & 1 & ~(rest >> 1)));
    }
}

static void unpack_quints(uint32_t packed, uint8_t out[3]) {
    uint32_t low = packed & 1;
    if ((packed >> 1 & 3) == 3 && (packed >> 5 & 3) == 0) {
        out[0] = out[1] = 4;
        out[2] = (uint8_t)(low << 2 | (packed >> 4 & 1 & ~low) << 1 | (packed >> 3 & 1 & ~low));
        return;
    }
    uint32_t rest = packed & 31;
    out[2] = packed >> 5 & 3;
    if ((packed >> 1 & 3) == 3) {
        out[2] = 4;
        rest = (packed >> 3 & 3) << 3 | (~(packed >> 5) & 3) << 1 | low;
    }
    if ((rest & 7) == 5) {
        out[1] = 4;
        out[0] = rest >> 3 & 3;
    } else {
        out[1] = rest >> 3 & 3;
        out[0] = rest & 7;
    }
}

// Five values with trits, three with quints, or one: their bits, and trits or quints above.
static uint32_t take_group(
    struct reader *reader, const struct range *range, uint8_t out_bits[5], uint8_t out_digits[5]) {
    static const uint8_t trit_pieces[5] = {2, 2, 1, 2, 1};
    static const uint8_t quint_pieces[3] = {3, 2, 2};
    uint32_t count = range->trit_count != 0 ? 5 : range->quint_count != 0 ? 3 : 1;
    const uint8_t *pieces = range->trit_count != 0 ? trit_pieces : quint_pieces;
    uint32_t packed = 0;
    uint32_t packed_bits = 0;
    memset(out_digits, 0, 5);
    for (uint32_t i = 0; i < count; i++) {
        out_bits[i] = (uint8_t)take(reader, range->bit_count);
        if (count > 1) {
            packed |= take(reader, pieces[i]) << packed_bits;
            packed_bits += pieces[i];
        }
    }
    if (range->trit_count != 0) {
        unpack_trits(packed, out_digits);
    } else if (range->quint_count != 0) {
        unpack_quints(packed, out_digits);
    }
    return count;
}

// ---------------------------------------------------------------- what values stand for

// Bits of a value, the lowest left out, put to the places that a pattern of letters names: b is bit 1,
// c bit 2 and so on; the pattern's last letter is the lowest bit.
static uint32_t spread(uint32_t value, const char *pattern) {
    uint32_t out = 0;
    for (; *pattern != '\0'; pattern++) {
        out = out << 1 | (*pattern != '0' ? value >> (*pattern - 'a') & 1 : 0);
    }
    return out;
}

struct scale {
    uint16_t factor; // of the trit or quint
    const char *pattern;
};

static const struct scale color_trits[7] = {{0, ""}, {204, "000000000"}, {93, "b000b0bb0"},
    {44, "cb000cbcb"}, {22, "dcb000dcb"}, {11, "edcb000ed"}, {5, "fedcb000f"}};
static const struct scale color_quints[6] = {{0, ""}, {113, "000000000"}, {54, "b0000bb00"},
    {26, "cb0000cbc"}, {13, "dcb0000dc"}, {6, "edcb0000e"}};
static const struct scale weight_trits[4] = {
    {0, ""}, {50, "0000000"}, {23, "b000b0b"}, {11, "cb000cb"}};
static const struct scale weight_quints[3] = {{0, ""}, {28, "0000000"}, {13, "b0000b0"}};

// To `width` bits.
static uint32_t replicate(uint32_t value, uint32_t bits, uint32_t width) {
    uint32_t out = 0;
    uint32_t filled = 0;
    while (filled < width) {
        out = out << bits | value;
        filled += bits;
    }
    return out >> (filled - width);
}

static uint8_t get_color(const struct range *range, uint32_t bits, uint32_t digit) {
    if (range->trit_count + range->quint_count == 0) {
        return (uint8_t)replicate(bits, range->bit_count, 8);
    }
    const struct scale *scale = range->trit_count != 0 ? &color_trits[range->bit_count]
                                                       : &color_quints[range->bit_count];
    uint32_t mask = (bits & 1) != 0 ? 0x1ff : 0;
    uint32_t value = (digit * scale->factor + spread(bits, scale->pattern)) ^ mask;
    return (uint8_t)((mask & 0x80) | value >> 2);
}

static uint8_t get_weight(const struct range *range, uint32_t bits, uint32_t digit) {
    static const uint8_t three[3] = {0, 32, 63};
    static const uint8_t five[5] = {0, 16, 32, 47, 63};
    uint32_t weight;
    if (range->trit_count + range->quint_count == 0) {
        weight = replicate(bits, range->bit_count, 6);
    } else if (range->bit_count == 0) {
        weight = range->trit_count != 0 ? three[digit] : five[digit];
    } else {
        const struct scale *scale = range->trit_count != 0 ? &weight_trits[range->bit_count]
                                                           : &weight_quints[range->bit_count];
        uint32_t mask = (bits & 1) != 0 ? 0x7f : 0;
        uint32_t value = (digit * scale->factor + spread(bits, scale->pattern)) ^ mask;
        weight = (mask & 0x20) | value >> 2;
    }
    return (uint8_t)(weight > 32 ? weight + 1 : weight);
}

// ---------------------------------------------------------------- weights and colors

uint32_t texel_astc_weight_bits(uint32_t range, uint32_t count) {
    return count_bits(&weight_ranges[range], count);
}

static uint64_t reverse(uint64_t value) {
    uint64_t out = 0;
    for (uint32_t i = 0; i < 64; i++) {
        out = out << 1 | (value >> i & 1);
    }
    return out;
}

void texel_astc_take_weights(
    const struct texel_bits *bits, uint32_t range, uint32_t count, uint8_t *out_weights) {
    struct texel_bits reversed = {reverse(bits->high), reverse(bits->low), 0};
    const struct range *of = &weight_ranges[range];
    struct reader reader = {&reversed, 0, count_bits(of, count)};
    for (uint32_t at = 0; at < count;) {
        uint8_t values[5];
        uint8_t digits[5];
        uint32_t group = take_group(&reader, of, values, digits);
        for (uint32_t i = 0; i < group && at < count; i++) {
            out_weights[at++] = get_weight(of, values[i], digits[i]);
        }
    }
}

bool texel_astc_take_colors(const struct texel_bits *bits, uint32_t first, uint32_t end,
    uint32_t count, uint8_t *out_values) {
    uint32_t number = sizeof(color_ranges) / sizeof(color_ranges[0]);
    while (number > 0 && count_bits(&color_ranges[number - 1], count) > end - first) {
        number--;
    }
    if (number == 0) {
        return false;
    }
    const struct range *range = &color_ranges[number - 1];
    struct reader reader = {bits, first, first + count_bits(range, count)};
    for (uint32_t at = 0; at < count;) {
        uint8_t values[5];
        uint8_t digits[5];
        uint32_t group = take_group(&reader, range, values, digits);
        for (uint32_t i = 0; i < group && at < count; i++) {
            out_values[at++] = get_color(range, values[i], digits[i]);
        }
    }
    return true;
}
