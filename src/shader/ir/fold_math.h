// SPDX-License-Identifier: MIT
//
// The helper functions that op.def's C expressions name, and the conversion between f16 and f32.
// Exact where IEEE 754 is; transcendental functions are the C library's in double precision, rounded
// once. Pure functions, any thread. Only the folder's own files and tests include it.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// f16 is stored as its 16 bits and computed in f32; both conversions are exact or round to nearest
// even, NaN stays NaN.
static inline float fold_half_to_float(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t exponent = (half >> 10) & 0x1fu;
    uint32_t fraction = half & 0x3ffu;
    uint32_t bits = 0;
    if (exponent == 0) {
        float magnitude = (float)fraction * 0x1p-24f;
        memcpy(&bits, &magnitude, sizeof(bits));
        bits |= sign;
    } else if (exponent == 31) {
        bits = sign | 0x7f800000u | (fraction << 13);
    } else {
        bits = sign | ((exponent + 112) << 23) | (fraction << 13);
    }
    float result = 0;
    memcpy(&result, &bits, sizeof(result));
    return result;
}

static inline uint16_t fold_float_to_half(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    uint16_t sign = (uint16_t)((bits >> 16) & 0x8000u);
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        return (uint16_t)(sign | 0x7e00u);
    }
    if (magnitude >= 0x477ff000u) { // 65520 and above round to infinity
        return (uint16_t)(sign | 0x7c00u);
    }
    if (magnitude < 0x38800000u) { // below 2^-14: a multiple of 2^-24
        float absolute = 0;
        memcpy(&absolute, &magnitude, sizeof(absolute));
        // Adding 0.5 puts the unit of 2^-24 at the last place of the fraction.
        float shifted = absolute + 0.5f;
        uint32_t shifted_bits = 0;
        memcpy(&shifted_bits, &shifted, sizeof(shifted_bits));
        return (uint16_t)(sign | (shifted_bits - 0x3f000000u));
    }
    uint32_t rounded = magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u);
    return (uint16_t)(sign | (rounded >> 13));
}

static inline int32_t fold_div_s(int32_t a, int32_t b) {
    if (b == 0) {
        return a;
    }
    return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}
static inline int32_t fold_rem_s(int32_t a, int32_t b) {
    return b == 0 || b == -1 ? 0 : a % b;
}
static inline bool fold_not_bool(bool a) {
    return !a;
}
static inline int32_t fold_not_i32(int32_t a) {
    return ~a;
}
static inline uint32_t fold_not_u32(uint32_t a) {
    return ~a;
}
#define fold_not(a) \
    _Generic((a), bool : fold_not_bool, int32_t : fold_not_i32, uint32_t : fold_not_u32)(a)

static inline int32_t fold_shr_s(int32_t a, uint32_t b) {
    uint32_t count = b & 31u;
    uint32_t shifted = (uint32_t)a >> count;
    if (a < 0 && count != 0) {
        shifted |= ~(UINT32_MAX >> count);
    }
    return (int32_t)shifted;
}
// min(max(e, low), high), also where low > high.
static inline int32_t fold_clamp_s(int32_t a, int32_t low, int32_t high) {
    int32_t raised = a > low ? a : low;
    return raised < high ? raised : high;
}
static inline uint32_t fold_clamp_u(uint32_t a, uint32_t low, uint32_t high) {
    uint32_t raised = a > low ? a : low;
    return raised < high ? raised : high;
}

static inline uint32_t fold_clz(uint32_t a) {
    uint32_t count = 32;
    while (a != 0) {
        a >>= 1;
        count--;
    }
    return count;
}
static inline uint32_t fold_popcount(uint32_t a) {
    uint32_t count = 0;
    for (; a != 0; a &= a - 1) {
        count++;
    }
    return count;
}
static inline uint32_t fold_ctz(uint32_t a) {
    return a == 0 ? 32 : fold_popcount((a & (0u - a)) - 1);
}
static inline uint32_t fold_reverse_bits(uint32_t a) {
    uint32_t result = 0;
    for (int i = 0; i < 32; i++) {
        result = (result << 1) | ((a >> i) & 1u);
    }
    return result;
}
static inline uint32_t fold_first_leading_bit_u(uint32_t a) {
    return 31u - fold_clz(a); // 0 gives all ones
}
static inline int32_t fold_first_leading_bit_s(int32_t a) {
    return (int32_t)fold_first_leading_bit_u(a < 0 ? ~(uint32_t)a : (uint32_t)a);
}
static inline uint32_t fold_first_trailing_bit(uint32_t a) {
    return a == 0 ? UINT32_MAX : fold_ctz(a);
}

static inline uint32_t fold_extract_bits_u(uint32_t a, uint32_t offset, uint32_t count) {
    uint32_t o = offset < 32 ? offset : 32;
    uint32_t c = count < 32 - o ? count : 32 - o;
    if (c == 0) {
        return 0;
    }
    return (a >> o) & (UINT32_MAX >> (32 - c));
}
static inline int32_t fold_extract_bits_s(int32_t a, uint32_t offset, uint32_t count) {
    uint32_t o = offset < 32 ? offset : 32;
    uint32_t c = count < 32 - o ? count : 32 - o;
    if (c == 0) {
        return 0;
    }
    return fold_shr_s((int32_t)((uint32_t)a << (32 - c - o)), 32 - c);
}
static inline uint32_t fold_insert_bits(
    uint32_t a, uint32_t bits, uint32_t offset, uint32_t count) {
    uint32_t o = offset < 32 ? offset : 32;
    uint32_t c = count < 32 - o ? count : 32 - o;
    if (c == 0) {
        return a;
    }
    uint32_t mask = (UINT32_MAX >> (32 - c)) << o;
    return (a & ~mask) | ((bits << o) & mask);
}

static inline float fold_rem_f(float a, float b) {
    float quotient = a / b;
    float whole = truncf(quotient);
    float product = b * whole;
    return a - product;
}
static inline float fold_clamp_f(float a, float low, float high) {
    float raised = a < low ? low : a;
    return high < raised ? high : raised;
}
static inline float fold_mix(float a, float b, float c) {
    float rest = 1.0f - c;
    float left = a * rest;
    float right = b * c;
    return left + right;
}
static inline float fold_smoothstep(float low, float high, float x) {
    float difference = x - low;
    float range = high - low;
    float t = fold_clamp_f(difference / range, 0.0f, 1.0f);
    float square = t * t;
    float twice = 2.0f * t;
    return square * (3.0f - twice);
}
static inline float fold_ldexp(float a, int32_t exponent) {
    int clamped = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : (int)exponent;
    return ldexpf(a, clamped);
}
static inline float fold_quantize_f16(float a) {
    return fold_half_to_float(fold_float_to_half(a));
}
// x = fract * 2^exp with fract in [0.5, 1); 0, infinity and NaN give themselves and exponent 0.
static inline float fold_frexp_fract(float a) {
    int exponent = 0;
    return a == 0.0f || !isfinite(a) ? a : frexpf(a, &exponent);
}
static inline int32_t fold_frexp_exp(float a) {
    int exponent = 0;
    if (a != 0.0f && isfinite(a)) {
        (void)frexpf(a, &exponent);
    }
    return (int32_t)exponent;
}

// Truncates; beyond the target's range gives the outermost f32 that the target can represent.
static inline int32_t fold_f_to_s(float a) {
    if (isnan(a)) {
        return 0;
    }
    if (a >= 2147483520.0f) {
        return 2147483520;
    }
    return a <= -2147483648.0f ? INT32_MIN : (int32_t)a;
}
static inline uint32_t fold_f_to_u(float a) {
    if (isnan(a) || a <= 0.0f) {
        return 0;
    }
    return a >= 4294967040.0f ? 4294967040u : (uint32_t)a;
}
