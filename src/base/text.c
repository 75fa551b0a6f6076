// SPDX-License-Identifier: MIT
//
// String slices and the growing text buffer.
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text text_from_string(const char *string) {
    return (struct text){string == NULL ? "" : string, string == NULL ? 0 : strlen(string)};
}

bool text_equals(struct text a, struct text b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

bool text_equals_string(struct text a, const char *b) {
    return text_equals(a, text_from_string(b));
}

bool text_starts_with(struct text a, const char *prefix) {
    size_t length = strlen(prefix);
    return a.length >= length && memcmp(a.data, prefix, length) == 0;
}

int text_compare(struct text a, struct text b) {
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter == 0 ? 0 : memcmp(a.data, b.data, shorter);
    if (order != 0) {
        return order;
    }
    return a.length < b.length ? -1 : a.length > b.length;
}

uint64_t text_hash(struct text a) {
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    for (size_t i = 0; i < a.length; i++) {
        hash = (hash ^ (unsigned char)a.data[i]) * 0x100000001b3u;
    }
    return hash;
}

char *text_copy(struct arena *arena, struct text a) {
    char *copy = arena_allocate(arena, a.length + 1);
    if (copy != NULL) {
        if (a.length != 0) {
            memcpy(copy, a.data, a.length);
        }
        copy[a.length] = '\0';
    }
    return copy;
}

char *text_format(struct arena *arena, const char *format, ...) {
    va_list list;
    va_start(list, format);
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *result = length < 0 ? NULL : arena_allocate(arena, (size_t)length + 1);
    if (result != NULL) {
        vsnprintf(result, (size_t)length + 1, format, again);
    }
    va_end(again);
    return result;
}

void text_buffer_finish(struct text_buffer *buffer) {
    memory_free(buffer->data);
    *buffer = (struct text_buffer){0};
}

static bool reserve(struct text_buffer *buffer, size_t extra) {
    if (buffer->has_failed) {
        return false;
    }
    if (buffer->capacity - buffer->length > extra) {
        return true;
    }
    size_t wanted = buffer->capacity * 2 + extra + 64;
    char *grown = wanted < extra ? NULL : memory_resize(MEMORY_TEXT, buffer->data, wanted);
    if (grown == NULL) {
        buffer->has_failed = true;
        return false;
    }
    buffer->data = grown;
    buffer->capacity = wanted;
    return true;
}

void text_buffer_append(struct text_buffer *buffer, struct text a) {
    if (reserve(buffer, a.length)) {
        if (a.length != 0) {
            memcpy(buffer->data + buffer->length, a.data, a.length);
        }
        buffer->length += a.length;
        buffer->data[buffer->length] = '\0';
    }
}

void text_buffer_append_string(struct text_buffer *buffer, const char *string) {
    text_buffer_append(buffer, text_from_string(string));
}

void text_buffer_append_real(struct text_buffer *buffer, double value, bool is_single) {
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        double again = strtod(digits, NULL);
        if (is_single ? (float)again == (float)value : again == value) {
            break;
        }
    }
    for (char *c = digits; *c != '\0'; c++) {
        if (*c == ',') {
            *c = '.'; // the program's locale is no business of ours
        }
    }
    text_buffer_append_string(buffer, digits);
}

void text_buffer_append_char(struct text_buffer *buffer, char c) {
    text_buffer_append(buffer, (struct text){&c, 1});
}

void text_buffer_print_list(struct text_buffer *buffer, const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    if (length < 0) {
        buffer->has_failed = true;
    } else if (reserve(buffer, (size_t)length)) {
        vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
}

void text_buffer_print(struct text_buffer *buffer, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_buffer_print_list(buffer, format, list);
    va_end(list);
}

// Length of the well-formed UTF-8 sequence at data, 0 if there is none.
static size_t sequence_length(const unsigned char *data, size_t available) {
    static const struct {
        unsigned char low, high, second_low, second_high, length;
    } rows[] = {
        {0x00, 0x7f, 0x00, 0x00, 1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (data[0] < rows[i].low || data[0] > rows[i].high) {
            continue;
        }
        if (rows[i].length > available) {
            return 0;
        }
        if (rows[i].length > 1 && (data[1] < rows[i].second_low || data[1] > rows[i].second_high)) {
            return 0;
        }
        for (size_t k = 2; k < rows[i].length; k++) {
            if ((data[k] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return rows[i].length;
    }
    return 0;
}

void text_buffer_append_json(struct text_buffer *buffer, struct text a) {
    text_buffer_append_char(buffer, '"');
    for (size_t i = 0; i < a.length;) {
        unsigned char c = (unsigned char)a.data[i];
        size_t length = sequence_length((const unsigned char *)a.data + i, a.length - i);
        if (length == 0) {
            text_buffer_append_string(buffer, "\xef\xbf\xbd");
            length = 1;
        } else if (c == '"' || c == '\\') {
            text_buffer_append_char(buffer, '\\');
            text_buffer_append_char(buffer, (char)c);
        } else if (c == '\n') {
            text_buffer_append_string(buffer, "\\n");
        } else if (c == '\t') {
            text_buffer_append_string(buffer, "\\t");
        } else if (c < 0x20 || c == 0x7f) {
            text_buffer_print(buffer, "\\u%04x", c);
        } else {
            text_buffer_append(buffer, (struct text){a.data + i, length});
        }
        i += length;
    }
    text_buffer_append_char(buffer, '"');
}

struct text text_buffer_get(const struct text_buffer *buffer) {
    return (struct text){buffer->data == NULL ? "" : buffer->data, buffer->length};
}
