// SPDX-License-Identifier: MIT
//
// The cursor of the text reader. See ir_read_priv.h.
#include "shader/ir/ir_read_priv.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

bool ir_read_fail(struct ir_reader *reader, const char *reason) {
    if (reader->has_failed) {
        return false;
    }
    reader->has_failed = true;
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < reader->at && i < reader->source.length; i++) {
        column++;
        if (reader->source.data[i] == '\n') {
            line++;
            column = 1;
        }
    }
    text_buffer_print(reader->out_error, "%u:%u: %s", line, column, reason);
    return false;
}

static void skip_space(struct ir_reader *reader) {
    const char *data = reader->source.data;
    size_t length = reader->source.length;
    while (reader->at < length) {
        char c = data[reader->at];
        if (c == '/' && reader->at + 1 < length && data[reader->at + 1] == '/') {
            while (reader->at < length && data[reader->at] != '\n') {
                reader->at++;
            }
        } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            reader->at++;
        } else {
            return;
        }
    }
}

bool ir_read_is_end(struct ir_reader *reader) {
    skip_space(reader);
    return reader->at >= reader->source.length;
}

char ir_read_peek(struct ir_reader *reader) {
    return ir_read_is_end(reader) ? '\0' : reader->source.data[reader->at];
}

bool ir_read_accept_char(struct ir_reader *reader, char c) {
    if (ir_read_peek(reader) != c || ir_read_is_end(reader)) {
        return false;
    }
    reader->at++;
    return true;
}

bool ir_read_expect_char(struct ir_reader *reader, char c) {
    if (ir_read_accept_char(reader, c)) {
        return true;
    }
    char reason[] = "expected ' '";
    reason[10] = c;
    return ir_read_fail(reader, reason);
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
        c == '.';
}

struct text ir_read_peek_word(struct ir_reader *reader) {
    skip_space(reader);
    size_t end = reader->at;
    while (end < reader->source.length && is_word_char(reader->source.data[end])) {
        end++;
    }
    return (struct text){reader->source.data + reader->at, end - reader->at};
}

bool ir_read_accept_word(struct ir_reader *reader, const char *word) {
    if (!text_equals_string(ir_read_peek_word(reader), word)) {
        return false;
    }
    reader->at += strlen(word);
    return true;
}

bool ir_read_expect_word(struct ir_reader *reader, const char *word) {
    if (ir_read_accept_word(reader, word)) {
        return true;
    }
    char reason[64] = "expected ";
    strncat(reason, word, sizeof(reason) - sizeof("expected "));
    return ir_read_fail(reader, reason);
}

bool ir_read_word(struct ir_reader *reader, struct text *out_word) {
    *out_word = ir_read_peek_word(reader);
    if (out_word->length == 0) {
        return ir_read_fail(reader, "expected a word");
    }
    reader->at += out_word->length;
    return true;
}

bool ir_read_from_list(struct ir_reader *reader, const struct ir_word *list, int *out_value) {
    for (; list->word != NULL; list++) {
        if (ir_read_accept_word(reader, list->word)) {
            *out_value = list->value;
            return true;
        }
    }
    return ir_read_fail(reader, "unknown word");
}

bool ir_read_u32(struct ir_reader *reader, uint32_t *out_number) {
    skip_space(reader);
    uint64_t number = 0;
    size_t start = reader->at;
    while (reader->at < reader->source.length && reader->source.data[reader->at] >= '0' &&
        reader->source.data[reader->at] <= '9') {
        number = number * 10 + (uint64_t)(reader->source.data[reader->at] - '0');
        if (number > UINT32_MAX) {
            return ir_read_fail(reader, "the number is too large");
        }
        reader->at++;
    }
    if (reader->at == start) {
        return ir_read_fail(reader, "expected a number");
    }
    *out_number = (uint32_t)number;
    return true;
}

bool ir_read_bits(struct ir_reader *reader, uint32_t *out_bits) {
    bool is_negative = ir_read_accept_char(reader, '-');
    uint32_t magnitude = 0;
    TRY(ir_read_u32(reader, &magnitude));
    if (is_negative && magnitude > 0x80000000u) {
        return ir_read_fail(reader, "the number is too small");
    }
    *out_bits = is_negative ? 0u - magnitude : magnitude;
    return true;
}

// A NUL-terminated copy of the number at the cursor, with the locale's decimal point, for strtof.
static size_t copy_number(struct ir_reader *reader, char *digits, size_t capacity) {
    const char *point = localeconv()->decimal_point;
    size_t length = 0, at = reader->at;
    while (at < reader->source.length && length + 1 < capacity) {
        char c = reader->source.data[at];
        bool is_part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            c == '.' || c == '+' || c == '-';
        if (!is_part) {
            break;
        }
        digits[length++] = c == '.' && point[0] != '\0' && point[1] == '\0' ? point[0] : c;
        at++;
    }
    digits[length] = '\0';
    return length;
}

bool ir_read_f32(struct ir_reader *reader, float *out_number) {
    skip_space(reader);
    char digits[64];
    size_t length = copy_number(reader, digits, sizeof(digits));
    if (length == 0) {
        return ir_read_fail(reader, "expected a number");
    }
    char *end = NULL;
    *out_number = strtof(digits, &end);
    if (end != digits + length) {
        return ir_read_fail(reader, "malformed number");
    }
    reader->at += length;
    return true;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0'
        : c >= 'a' && c <= 'f'  ? c - 'a' + 10
        : c >= 'A' && c <= 'F'  ? c - 'A' + 10
                                : -1;
}

// One character after a backslash.
static bool read_escape(struct ir_reader *reader, char *out_char) {
    struct text source = reader->source;
    if (reader->at >= source.length) {
        return ir_read_fail(reader, "unfinished name");
    }
    char c = source.data[reader->at++];
    if (c == 'n' || c == 't') {
        *out_char = c == 'n' ? '\n' : '\t';
    } else if (c == 'u') {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = reader->at < source.length ? hex_digit(source.data[reader->at]) : -1;
            if (digit < 0) {
                return ir_read_fail(reader, "malformed escape");
            }
            code = code * 16 + digit;
            reader->at++;
        }
        if (code > 0x7f) {
            return ir_read_fail(reader, "an escape names a control character only");
        }
        *out_char = (char)code;
    } else {
        *out_char = c;
    }
    return true;
}

bool ir_read_optional_name(struct ir_reader *reader, struct text *out_name) {
    *out_name = (struct text){"", 0};
    if (!ir_read_accept_char(reader, '"')) {
        return true;
    }
    size_t end = reader->at;
    while (end < reader->source.length && reader->source.data[end] != '"') {
        end += reader->source.data[end] == '\\' ? 2 : 1;
    }
    if (end >= reader->source.length) {
        return ir_read_fail(reader, "unfinished name");
    }
    char *copy = arena_allocate(reader->module->arena, end - reader->at + 1);
    if (copy == NULL) {
        return ir_read_fail(reader, "out of memory");
    }
    size_t length = 0;
    while (reader->at < end) {
        char c = reader->source.data[reader->at++];
        if (c == '\\') {
            TRY(read_escape(reader, &c));
        }
        copy[length++] = c;
    }
    reader->at = end + 1;
    *out_name = (struct text){copy, length};
    return true;
}
