// SPDX-License-Identifier: MIT
//
// Integer, decimal and hexadecimal literals to numbers. A decimal significand counts to 20 digits and
// a hexadecimal one to 16, as the specification allows; the decimal value is then rounded exactly,
// by comparing whole numbers of a few hundred bits. const_literal.h has the contract.
#include "shader/wgsl/const_literal.h"

#include <math.h>
#include <string.h>

#include "shader/wgsl/const_scalar.h"

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_hexadecimal(struct text text) {
    return text.length > 2 && text.data[0] == '0' && (text.data[1] == 'x' || text.data[1] == 'X');
}

enum const_literal_status const_parse_integer(
    struct text text, enum type_kind kind, int64_t *out_value) {
    bool is_hex = is_hexadecimal(text);
    uint64_t base = is_hex ? 16 : 10, value = 0;
    uint64_t limit = (uint64_t)const_integer_maximum(kind);
    for (size_t i = is_hex ? 2 : 0; i < text.length; i++) {
        int digit = digit_value(text.data[i]);
        if (digit < 0) { // the suffix
            break;
        }
        if (value > (limit - (uint64_t)digit) / base) {
            return CONST_LITERAL_RANGE;
        }
        value = value * base + (uint64_t)digit;
    }
    *out_value = (int64_t)value;
    return CONST_LITERAL_OK;
}

// ---- Whole numbers of many bits ----------------------------------------------------------------

enum { LIMB_LIMIT = 48 }; // 1536 bits: 10^365 times 20 digits, and room for the scaling

struct whole {
    uint32_t limbs[LIMB_LIMIT]; // least significant first
    uint32_t count;             // without leading zero limbs
};

static void multiply_add(struct whole *a, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limbs[i] * factor;
        a->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && a->count < LIMB_LIMIT) {
        a->limbs[a->count++] = (uint32_t)carry;
    }
}

static void multiply_power_of_ten(struct whole *a, int exponent) {
    for (; exponent >= 9; exponent -= 9) {
        multiply_add(a, 1000000000u, 0);
    }
    for (; exponent > 0; exponent--) {
        multiply_add(a, 10, 0);
    }
}

static int bit_length(const struct whole *a) {
    int bits = 0;
    if (a->count == 0) {
        return 0;
    }
    for (uint32_t top = a->limbs[a->count - 1]; top != 0; top >>= 1) {
        bits++;
    }
    return bits + 32 * (int)(a->count - 1);
}

static void shift_left(struct whole *a, int bits) {
    int limbs = bits / 32, rest = bits % 32;
    multiply_add(a, 1u << rest, 0);
    if (limbs > 0 && a->count > 0) {
        memmove(&a->limbs[limbs], a->limbs, a->count * sizeof(a->limbs[0]));
        memset(a->limbs, 0, (size_t)limbs * sizeof(a->limbs[0]));
        a->count += (uint32_t)limbs;
    }
}

static int compare(const struct whole *a, const struct whole *b) {
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (uint32_t i = a->count; i-- > 0;) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
        }
    }
    return 0;
}

// a -= b, where a >= b.
static void subtract(struct whole *a, const struct whole *b) {
    int64_t borrow = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        int64_t difference = (int64_t)a->limbs[i] - (i < b->count ? (int64_t)b->limbs[i] : 0) +
            borrow;
        a->limbs[i] = (uint32_t)difference;
        borrow = difference < 0 ? -1 : 0;
    }
    while (a->count > 0 && a->limbs[a->count - 1] == 0) {
        a->count--;
    }
}

// significand * 2^exponent to the nearest double, ties to even; is_sticky: plus a bit more.
static double compose(uint64_t significand, bool is_sticky, int exponent) {
    if (significand == 0) {
        return 0.0;
    }
    while (!(significand >> 63)) {
        significand <<= 1;
        exponent--;
    }
    // The value lies in [2^(exponent+63), 2^(exponent+64)); subnormal doubles keep fewer bits.
    int drop = 11;
    if (exponent + 63 < -1022) {
        drop += -1022 - (exponent + 63);
    }
    if (drop > 64) {
        return 0.0;
    }
    uint64_t kept = drop == 64 ? 0 : significand >> drop;
    uint64_t rest = drop == 64 ? significand : significand & (((uint64_t)1 << drop) - 1);
    uint64_t half = (uint64_t)1 << (drop - 1);
    if (rest > half || (rest == half && (is_sticky || (kept & 1)))) {
        kept++;
    }
    if (exponent + drop > 1100) {
        return (double)INFINITY;
    }
    return ldexp((double)kept, exponent + drop);
}

// digits * 10^exponent.
static double scale_decimal(const struct whole *digits, int exponent) {
    struct whole numerator = *digits, denominator = {.limbs = {1}, .count = 1};
    if (exponent >= 0) {
        multiply_power_of_ten(&numerator, exponent);
    } else {
        multiply_power_of_ten(&denominator, -exponent);
    }
    // Scale so that the quotient has 64 or 65 bits, then divide bit by bit.
    int shift = 64 - (bit_length(&numerator) - bit_length(&denominator));
    if (shift >= 0) {
        shift_left(&numerator, shift);
    } else {
        shift_left(&denominator, -shift);
    }
    uint64_t quotient = 0;
    int lost_bits = 0;
    bool is_sticky = false;
    struct whole remainder = {.count = 0};
    int length = bit_length(&numerator);
    for (int i = length - 1; i >= 0; i--) {
        multiply_add(&remainder, 2, numerator.limbs[i / 32] >> (i % 32) & 1);
        uint64_t bit = compare(&remainder, &denominator) >= 0;
        if (bit) {
            subtract(&remainder, &denominator);
        }
        if (quotient >> 63) { // a 65th bit: keep 64 and remember what falls off
            is_sticky |= bit != 0;
            lost_bits++;
        } else {
            quotient = quotient << 1 | bit;
        }
    }
    return compose(quotient, is_sticky || remainder.count != 0, lost_bits - shift);
}

// ---- Literals ----------------------------------------------------------------------------------

// A signed decimal number; saturates far beyond any exponent that matters.
static int parse_exponent(const char *at, const char *end) {
    bool is_negative = false;
    int value = 0;
    if (at < end && (*at == '+' || *at == '-')) {
        is_negative = *at++ == '-';
    }
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        value = value < 100000000 ? value * 10 + (*at - '0') : value;
    }
    return is_negative ? -value : value;
}

static double parse_decimal(struct text text) {
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct whole digits = {.count = 0};
    uint64_t small = 0; // the digits again, while they fit
    int digit_count = 0;
    int64_t exponent = 0;
    bool is_after_point = false;
    const char *at = text.data, *end = text.data + text.length;
    for (; at < end; at++) {
        if (*at == '.') {
            is_after_point = true;
            continue;
        }
        if (*at < '0' || *at > '9') {
            break;
        }
        exponent -= is_after_point;
        if (digit_count == 20) {
            exponent++;
            continue;
        }
        if (digit_count > 0 || *at != '0') {
            digit_count++;
            multiply_add(&digits, 10, (uint32_t)(*at - '0'));
            small = small * 10 + (uint64_t)(*at - '0');
        }
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        exponent += parse_exponent(at + 1, end);
    }
    if (digit_count == 0) {
        return 0.0;
    }
    if (digit_count <= 15 && exponent >= -22 && exponent <= 22) {
        return exponent < 0 ? (double)small / powers[-exponent] : (double)small * powers[exponent];
    }
    if (exponent + digit_count > 310) {
        return (double)INFINITY;
    }
    if (exponent + digit_count < -330) {
        return 0.0;
    }
    return scale_decimal(&digits, (int)exponent);
}

static double parse_hexadecimal(struct text text) {
    uint64_t significand = 0;
    int digit_count = 0;
    int64_t exponent = 0;
    bool is_after_point = false;
    const char *at = text.data + 2, *end = text.data + text.length;
    for (; at < end; at++) {
        int digit = digit_value(*at);
        if (*at == '.') {
            is_after_point = true;
            continue;
        }
        if (digit < 0) {
            break;
        }
        exponent -= is_after_point ? 4 : 0;
        if (digit_count == 16) {
            exponent += 4;
        } else if (digit_count > 0 || digit != 0) {
            digit_count++;
            significand = significand << 4 | (uint64_t)digit;
        }
    }
    if (at < end && (*at == 'p' || *at == 'P')) {
        exponent += parse_exponent(at + 1, end);
    }
    if (exponent > 100000) {
        return significand == 0 ? 0.0 : (double)INFINITY;
    }
    return compose(significand, false, exponent < -100000 ? -100000 : (int)exponent);
}

enum const_literal_status const_parse_real(
    struct text text, enum type_kind kind, double *out_value) {
    bool is_hex = is_hexadecimal(text);
    double value = is_hex ? parse_hexadecimal(text) : parse_decimal(text);
    double rounded = const_round(kind, value);
    if (!isfinite(value) || !isfinite(rounded)) {
        return CONST_LITERAL_RANGE;
    }
    if (is_hex && kind != TYPE_ABSTRACT_FLOAT && rounded != value) {
        return CONST_LITERAL_INEXACT;
    }
    *out_value = rounded;
    return CONST_LITERAL_OK;
}
