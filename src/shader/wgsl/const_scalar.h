// SPDX-License-Identifier: MIT
//
// Arithmetic on single constants: rounding to the float types and the conversions of WGSL §Floating
// Point Conversion. Private to the const-evaluator. Pure functions, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "shader/type/type.h"
#include "shader/wgsl/const_value.h"

// The nearest value of the type (f16, f32 or abstract-float), ties to even; infinite when the
// magnitude is too large.
double const_round(enum type_kind kind, double value);
uint16_t const_f16_to_bits(double value);
double const_f16_from_bits(uint16_t bits);

bool const_is_integer_kind(enum type_kind kind); // i32, u32, abstract-int
bool const_is_real_kind(enum type_kind kind);    // f32, f16, abstract-float
// The range of an integer type.
int64_t const_integer_minimum(enum type_kind kind);
int64_t const_integer_maximum(enum type_kind kind);
// Wraps to i32 or u32; an abstract-int stays as it is.
int64_t const_wrap(enum type_kind kind, int64_t value);

enum const_conversion {
    CONST_CONVERSION_OK,
    CONST_CONVERSION_RANGE, // the value does not fit the type
};
// The value constructors T(e) and the automatic conversions: an abstract source must fit, a concrete
// one follows the constructor's rule (wrap, clamp, round).
enum const_conversion const_convert_scalar(
    enum type_kind from, enum type_kind to, union const_scalar value, union const_scalar *out);
