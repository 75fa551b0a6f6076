// SPDX-License-Identifier: MIT
//
// Reads standard input as lines of JSON, strictly by RFC 8259. Without an argument prints how many
// objects there were; with a path ("types.0.size") prints that value of the first line, strings
// without quotes. Exit status 1 when a line is no JSON object or the path leads nowhere.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    const char *end;
    int depth;
    const char *path;        // what is left of it; NULL once the value was found
    const char *found_begin; // the value at the end of the path
    const char *found_end;
};

enum { DEPTH_LIMIT = 64 };

static void skip_space(struct reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) {
        r->at++;
    }
}

static bool take(struct reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c) {
        return false;
    }
    r->at++;
    return true;
}

// One multi-byte character of well-formed UTF-8.
static bool take_utf8(struct reader *r) {
    unsigned char first = (unsigned char)*r->at;
    int more = first >= 0xf0 && first < 0xf5 ? 3
        : first >= 0xe0 && first < 0xf0      ? 2
        : first >= 0xc2 && first < 0xe0      ? 1
                                             : -1;
    if (more < 0 || r->end - r->at <= more) {
        return false;
    }
    r->at++;
    for (; more > 0; more--, r->at++) {
        if (((unsigned char)*r->at & 0xc0) != 0x80) {
            return false;
        }
    }
    return true;
}

static bool take_string(struct reader *r) {
    if (!take(r, '"')) {
        return false;
    }
    while (r->at < r->end && *r->at != '"') {
        unsigned char c = (unsigned char)*r->at;
        if (c < 0x20) {
            return false;
        }
        if (c >= 0x80) {
            if (!take_utf8(r)) {
                return false;
            }
        } else if (c == '\\') {
            r->at++;
            if (r->at == r->end || strchr("\"\\/bfnrtu", *r->at) == NULL) {
                return false;
            }
            for (int i = *r->at++ == 'u' ? 4 : 0; i > 0; i--, r->at++) {
                if (r->at == r->end || !isxdigit((unsigned char)*r->at)) {
                    return false;
                }
            }
        } else {
            r->at++;
        }
    }
    return take(r, '"');
}

static bool take_number(struct reader *r) {
    if (r->at < r->end && *r->at == '-') {
        r->at++;
    }
    const char *digits = r->at;
    while (r->at < r->end && isdigit((unsigned char)*r->at)) {
        r->at++;
    }
    if (r->at == digits || (*digits == '0' && r->at - digits > 1)) {
        return false;
    }
    if (r->at < r->end && *r->at == '.') {
        const char *fraction = ++r->at;
        while (r->at < r->end && isdigit((unsigned char)*r->at)) {
            r->at++;
        }
        return r->at != fraction;
    }
    return true;
}

static bool take_word(struct reader *r, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) {
        return false;
    }
    r->at += length;
    return true;
}

static bool take_value(struct reader *r);

// Enters the item when its key is the path's next part.
static bool take_item(struct reader *r, const char *key, size_t key_length) {
    const char *path = r->path;
    if (path == NULL) {
        return take_value(r);
    }
    size_t length = strcspn(path, ".");
    bool is_on_path = length == key_length && memcmp(path, key, length) == 0;
    r->path = is_on_path ? (path[length] == '.' ? path + length + 1 : "") : NULL;
    skip_space(r);
    const char *begin = r->at;
    bool ok = take_value(r);
    if (is_on_path && r->path != NULL && *r->path == '\0' && r->found_begin == NULL) {
        r->found_begin = begin;
        r->found_end = r->at;
    }
    r->path = r->found_begin != NULL ? NULL : path;
    return ok;
}

static bool take_object(struct reader *r) {
    if (take(r, '}')) {
        return true;
    }
    do {
        skip_space(r);
        const char *key = r->at + 1;
        if (!take_string(r)) {
            return false;
        }
        size_t length = (size_t)(r->at - 1 - key);
        if (!take(r, ':') || !take_item(r, key, length)) {
            return false;
        }
    } while (take(r, ','));
    return take(r, '}');
}

static bool take_array(struct reader *r) {
    char key[24];
    if (take(r, ']')) {
        return true;
    }
    unsigned long index = 0;
    do {
        int length = snprintf(key, sizeof(key), "%lu", index++);
        if (!take_item(r, key, (size_t)length)) {
            return false;
        }
    } while (take(r, ','));
    if (r->path != NULL && strcmp(r->path, "length") == 0 && r->found_begin == NULL) {
        printf("%lu\n", index);
        exit(0);
    }
    return take(r, ']');
}

static bool take_value(struct reader *r) {
    skip_space(r);
    if (r->at == r->end || r->depth == DEPTH_LIMIT) {
        return false;
    }
    r->depth++;
    bool ok;
    if (*r->at == '{') {
        r->at++;
        ok = take_object(r);
    } else if (*r->at == '[') {
        r->at++;
        ok = take_array(r);
    } else if (*r->at == '"') {
        ok = take_string(r);
    } else if (*r->at == 't' || *r->at == 'f' || *r->at == 'n') {
        ok = take_word(r, "true") || take_word(r, "false") || take_word(r, "null");
    } else {
        ok = take_number(r);
    }
    r->depth--;
    return ok;
}

static bool read_line(const char *begin, const char *end, const char *path) {
    struct reader r = {.at = begin, .end = end, .path = path};
    bool ok = begin != end && *begin == '{' && take_value(&r);
    skip_space(&r);
    if (!ok || r.at != r.end) {
        fprintf(stderr, "no JSON at byte %ld of the line: %.40s\n", (long)(r.at - begin), r.at);
        return false;
    }
    if (path != NULL) {
        if (r.found_begin == NULL) {
            fprintf(stderr, "nothing at %s\n", path);
            return false;
        }
        bool is_string = *r.found_begin == '"';
        printf("%.*s\n", (int)(r.found_end - r.found_begin - 2 * is_string),
            r.found_begin + is_string);
    }
    return true;
}

int main(int argc, char **argv) {
    enum { LARGEST = 64 * 1024 * 1024 };
    char *bytes = malloc(LARGEST);
    size_t length = bytes == NULL ? 0 : fread(bytes, 1, LARGEST, stdin);
    unsigned long count = 0;
    size_t begin = 0;
    if (length == 0 || bytes[length - 1] != '\n') {
        fprintf(stderr, "no line, or one without an end\n");
        free(bytes);
        return 1;
    }
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            if (!read_line(bytes + begin, bytes + i, argc > 1 ? argv[1] : NULL)) {
                free(bytes);
                return 1;
            }
            count++;
            begin = i + 1;
            if (argc > 1) {
                break;
            }
        }
    }
    if (argc < 2) {
        printf("%lu\n", count);
    }
    free(bytes);
    return 0;
}
