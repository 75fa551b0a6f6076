// SPDX-License-Identifier: MIT
//
// String slices and a growing text buffer used for messages, printers and JSON. UTF-8 throughout.
// Not thread-safe except where the data is constant.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#if defined(__GNUC__)
#define TEXT_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define TEXT_PRINTF(format_index, first_index)
#endif

// A slice that does not own its bytes and need not end in NUL.
struct text {
    const char *data;
    size_t length;
};

#define TEXT_LITERAL(literal) ((struct text){(literal), sizeof(literal) - 1})
// For printf's "%.*s".
#define TEXT_ARGS(slice) (int)(slice).length, (slice).data

struct text text_from_string(const char *string); // NULL gives an empty slice
bool text_equals(struct text a, struct text b);
bool text_equals_string(struct text a, const char *b);
bool text_starts_with(struct text a, const char *prefix);
int text_compare(struct text a, struct text b); // as memcmp, shorter first
uint64_t text_hash(struct text a);
// NUL-terminated copy in the arena, NULL on failure.
char *text_copy(struct arena *arena, struct text a);
// NUL-terminated formatted string in the arena, NULL on failure.
char *text_format(struct arena *arena, const char *format, ...) TEXT_PRINTF(2, 3);

// A growing NUL-terminated string. Zero-initialised is valid and empty. Append failures set
// has_failed and are otherwise silent, so that printers stay simple: check once at the end.
struct text_buffer {
    char *data; // NUL-terminated once anything was appended, else NULL
    size_t length;
    size_t capacity;
    bool has_failed;
};

void text_buffer_finish(struct text_buffer *buffer);
void text_buffer_append(struct text_buffer *buffer, struct text a);
void text_buffer_append_string(struct text_buffer *buffer, const char *string);
// The shortest decimal that reads back as the same number: as a float when is_single, else as a
// double ("0.1", "1e+39").
void text_buffer_append_real(struct text_buffer *buffer, double value, bool is_single);
void text_buffer_append_char(struct text_buffer *buffer, char c);
void text_buffer_print(struct text_buffer *buffer, const char *format, ...) TEXT_PRINTF(2, 3);
void text_buffer_print_list(struct text_buffer *buffer, const char *format, va_list list);
// Appends the slice as a JSON string, quotes included; invalid UTF-8 becomes U+FFFD.
void text_buffer_append_json(struct text_buffer *buffer, struct text a);
// The contents as a slice (never NULL data).
struct text text_buffer_get(const struct text_buffer *buffer);
