// SPDX-License-Identifier: MIT
//
// UTF-8 decoding and Unicode's identifier classes, for the lexer and for columns in diagnostics.
// Pure functions, safe from any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes the code point at text[0]; length > 0. Returns its size in bytes, 1 to 4, or 0 when the
// bytes are not well-formed UTF-8 (surrogates and overlong forms are not).
uint32_t unicode_decode(const char *text, size_t length, uint32_t *out_code_point);

// XID_Start or '_', and XID_Continue, of Unicode 14.0 (WGSL §Identifiers).
bool unicode_is_identifier_start(uint32_t code_point);
bool unicode_is_identifier_continue(uint32_t code_point);
