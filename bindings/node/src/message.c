// SPDX-License-Identifier: MIT
//
// The C names in messages become those of JavaScript.

#include "message.h"

#include <stdbool.h>
#include <string.h>

static const char *const interface_names[] = {
#define INTERFACE(id, name, size, release, set_label) name,
#define METHOD(id, name, function, required)
#define PROMISE(id, name, function, required)
#define READONLY(id, name, getter)
#define LABEL(id)
#define END_INTERFACE
#include "interface.def"
};

// By hand: the locale has no say.
static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

static char to_lower(char c) {
    return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static char to_upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool begins_with(const char *text, size_t length, const char *beginning) {
    size_t count = strlen(beginning);
    return length >= count && memcmp(text, beginning, count) == 0;
}

// The longest interface that the text, after "wgpu", begins with and that a method follows: its
// length without "GPU"; 0: none.
static size_t find_interface(const char *text, size_t length) {
    size_t best = 0;
    for (size_t i = 0; i < sizeof(interface_names) / sizeof(interface_names[0]); i++) {
        const char *name = interface_names[i] + strlen("GPU");
        size_t count = strlen(name);
        if (count > best && begins_with(text, length, name) && count < length &&
            is_upper(text[count])) {
            best = count;
        }
    }
    return best;
}

// Each writes one name at `out`, which is at or before `text`, and returns how far it has read.
static size_t translate_function(const char *text, size_t length, char *out, size_t *out_length) {
    size_t prefix = strlen("wgpu");
    size_t count = find_interface(text + prefix, length - prefix);
    if (count == 0) {
        return 0;
    }
    char method = to_lower(text[prefix + count]);
    memmove(out + 3, text + prefix, count);
    memcpy(out, "GPU", 3);
    out[3 + count] = '.';
    out[4 + count] = method;
    *out_length = 5 + count;
    return prefix + count + 1;
}

static size_t translate_type(const char *text, size_t length, char *out, size_t *out_length) {
    size_t read = strlen("W");
    size_t written = 0;
    while (read < length && is_letter(text[read])) {
        out[written++] = text[read++];
    }
    if (read + 1 < length && text[read] == '_' && is_upper(text[read + 1])) {
        out[written++] = '.';
        read++;
        while (read < length && is_letter(text[read])) {
            out[written++] = to_upper(text[read++]);
        }
    }
    *out_length = written;
    return read;
}

size_t message_translate(char *text, size_t length) {
    size_t read = 0;
    size_t written = 0;
    bool is_quoted = false;
    while (read < length) {
        is_quoted ^= text[read] == '"';
        bool begins_word = !is_quoted && (read == 0 || !is_letter(text[read - 1]));
        size_t name_length = 0;
        size_t taken = 0;
        if (begins_word && begins_with(text + read, length - read, "wgpu")) {
            taken = translate_function(text + read, length - read, text + written, &name_length);
        } else if (begins_word && begins_with(text + read, length - read, "WGPU")) {
            taken = translate_type(text + read, length - read, text + written, &name_length);
        }
        if (taken == 0) {
            text[written++] = text[read++];
        } else {
            read += taken;
            written += name_length;
        }
    }
    return written;
}
