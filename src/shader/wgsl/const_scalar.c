// SPDX-License-Identifier: MIT
//
// Rounding and conversion of single constants; const_scalar.h has the contract.
#include "shader/wgsl/const_scalar.h"

#include <math.h>
#include <string.h>

uint16_t const_f16_to_bits(double value) {
    uint16_t sign = signbit(value) ? 0x8000u : 0;
    double magnitude = fabs(value);
    if (isnan(value)) {
        return (uint16_t)(sign | 0x7e00u);
    }
    if (magnitude >= 65520.0) { // from here on the nearest is 65536, which is infinity
        return (uint16_t)(sign | 0x7c00u);
    }
    int exponent = 0;
    if (magnitude != 0.0) {
        (void)frexp(magnitude, &exponent); // magnitude = m * 2^exponent, m in [0.5, 1)
    }
    if (magnitude == 0.0 || exponent < -13) {
        // Subnormal: units of 2^-24. Rounding up to 1024 gives the smallest normal number's bits.
        return (uint16_t)(sign | (uint16_t)rint(ldexp(magnitude, 24)));
    }
    // Normal: 11 significant bits; a carry into the next exponent falls out of the addition.
    uint32_t significand = (uint32_t)rint(ldexp(magnitude, 11 - exponent));
    uint32_t bits = ((uint32_t)(exponent + 14) << 10) + (significand - 1024);
    return (uint16_t)(sign | bits);
}

double const_f16_from_bits(uint16_t bits) {
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    double magnitude;
    if (exponent == 0x1f) {
        magnitude = fraction == 0 ? (double)INFINITY : (double)NAN;
    } else if (exponent == 0) {
        magnitude = ldexp(fraction, -24);
    } else {
        magnitude = ldexp(1024 + fraction, exponent - 25);
    }
    return bits & 0x8000u ? -magnitude : magnitude;
}

double const_round(enum type_kind kind, double value) {
    if (kind == TYPE_F32) {
        // The conversion is undefined beyond float's range in C: decide that range here. Half a unit
        // above the largest float is where nearest becomes infinity.
        if (fabs(value) >= 0x1.ffffffp+127) {
            return value > 0 ? (double)INFINITY : -(double)INFINITY;
        }
        return (double)(float)value;
    }
    if (kind == TYPE_F16) {
        return const_f16_from_bits(const_f16_to_bits(value));
    }
    return value;
}

bool const_is_integer_kind(enum type_kind kind) {
    return kind == TYPE_I32 || kind == TYPE_U32 || kind == TYPE_ABSTRACT_INT;
}

bool const_is_real_kind(enum type_kind kind) {
    return kind == TYPE_F32 || kind == TYPE_F16 || kind == TYPE_ABSTRACT_FLOAT;
}

int64_t const_integer_minimum(enum type_kind kind) {
    return kind == TYPE_I32 ? INT32_MIN : kind == TYPE_U32 ? 0 : INT64_MIN;
}

int64_t const_integer_maximum(enum type_kind kind) {
    return kind == TYPE_I32 ? INT32_MAX : kind == TYPE_U32 ? (int64_t)UINT32_MAX : INT64_MAX;
}

int64_t const_wrap(enum type_kind kind, int64_t value) {
    if (kind == TYPE_U32) {
        return (int64_t)(uint32_t)value;
    }
    if (kind == TYPE_I32) {
        uint32_t bits = (uint32_t)value;
        return bits <= INT32_MAX ? (int64_t)bits : (int64_t)bits - ((int64_t)1 << 32);
    }
    return value;
}

// Truncation, clamped to the values of the target that the source type can represent.
static int64_t real_to_integer(enum type_kind from, enum type_kind to, double value) {
    double truncated = trunc(value);
    double low = (double)const_integer_minimum(to), high = (double)const_integer_maximum(to);
    if (from == TYPE_F32) {
        high = to == TYPE_I32 ? 2147483520.0 : 4294967040.0;
    }
    if (isnan(truncated)) {
        return 0;
    }
    return (int64_t)(truncated < low ? low : truncated > high ? high : truncated);
}

static enum const_conversion to_integer(
    enum type_kind from, enum type_kind to, union const_scalar value, union const_scalar *out) {
    if (const_is_real_kind(from)) {
        out->integer = real_to_integer(from, to, value.real);
        return CONST_CONVERSION_OK;
    }
    if (from == TYPE_ABSTRACT_INT &&
        (value.integer < const_integer_minimum(to) || value.integer > const_integer_maximum(to))) {
        return CONST_CONVERSION_RANGE;
    }
    out->integer = const_wrap(to, value.integer);
    return CONST_CONVERSION_OK;
}

enum const_conversion const_convert_scalar(
    enum type_kind from, enum type_kind to, union const_scalar value, union const_scalar *out) {
    if (from == to) {
        *out = value;
        return CONST_CONVERSION_OK;
    }
    if (to == TYPE_BOOL) {
        out->integer = const_is_real_kind(from) ? value.real != 0.0 : value.integer != 0;
        return CONST_CONVERSION_OK;
    }
    if (const_is_integer_kind(to)) {
        return to_integer(from, to, value, out);
    }
    // An integer of 64 bits may need two roundings on its way to f32: the first one is to f64, as
    // the specification defines the conversion.
    double real = const_is_real_kind(from) ? value.real : (double)value.integer;
    out->real = const_round(to, real);
    return isfinite(out->real) ? CONST_CONVERSION_OK : CONST_CONVERSION_RANGE;
}
