// SPDX-License-Identifier: MIT
//
// The values of numeric literals (WGSL §Numeric Literals), independent of the locale and correctly
// rounded. The text is a token that the lexer accepted, its suffix included. Pure, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "shader/type/type.h"

enum const_literal_status {
    CONST_LITERAL_OK,
    CONST_LITERAL_RANGE,   // too large for the type
    CONST_LITERAL_INEXACT, // hexadecimal with f or h suffix that the type cannot represent exactly
};

// kind: TYPE_ABSTRACT_INT, TYPE_I32 or TYPE_U32.
enum const_literal_status const_parse_integer(
    struct text text, enum type_kind kind, int64_t *out_value);
// kind: TYPE_ABSTRACT_FLOAT, TYPE_F32 or TYPE_F16.
enum const_literal_status const_parse_real(
    struct text text, enum type_kind kind, double *out_value);
