// SPDX-License-Identifier: MIT
//
// Arguments, messages, files and progress for every command.
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_terminal.h"

int cli_fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "alba: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    return CLI_FAILED;
}

int cli_usage(const char *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "alba %s: ", command);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\nalba %s --help shows how to use it\n", command);
    va_end(list);
    return CLI_USAGE;
}

enum cli_argument_kind cli_next_argument(struct cli_arguments *arguments, const char **out_text) {
    arguments->inline_value = NULL;
    arguments->name[0] = '\0';
    if (arguments->next >= arguments->count) {
        return CLI_ARGUMENT_END;
    }
    const char *item = arguments->items[arguments->next++];
    if (!arguments->options_have_ended && strcmp(item, "--") == 0) {
        arguments->options_have_ended = true;
        return cli_next_argument(arguments, out_text);
    }
    if (arguments->options_have_ended || strncmp(item, "--", 2) != 0) {
        *out_text = item;
        return CLI_ARGUMENT_POSITIONAL;
    }
    const char *equals = strchr(item, '=');
    size_t length = equals == NULL ? strlen(item + 2) : (size_t)(equals - item - 2);
    if (length >= sizeof(arguments->name)) {
        length = sizeof(arguments->name) - 1;
    }
    memcpy(arguments->name, item + 2, length);
    arguments->name[length] = '\0';
    arguments->inline_value = equals == NULL ? NULL : equals + 1;
    *out_text = item;
    return CLI_ARGUMENT_OPTION;
}

bool cli_is_option(const struct cli_arguments *arguments, const char *name) {
    return strcmp(arguments->name, name) == 0;
}

const char *cli_option_value(struct cli_arguments *arguments) {
    if (arguments->inline_value != NULL) {
        return arguments->inline_value;
    }
    return arguments->next < arguments->count ? arguments->items[arguments->next++] : NULL;
}

static bool read_stream(FILE *file, const char *path, char **out_bytes, size_t *out_length) {
    size_t capacity = 65536;
    size_t length = 0;
    char *bytes = memory_allocate(MEMORY_GENERAL, capacity);
    while (bytes != NULL) {
        size_t got = fread(bytes + length, 1, capacity - length, file);
        length += got;
        if (got == 0) {
            break;
        }
        if (length == capacity) {
            char *grown = memory_resize(MEMORY_GENERAL, bytes, capacity * 2);
            if (grown == NULL) {
                memory_free(bytes);
            }
            bytes = grown;
            capacity *= 2;
        }
    }
    if (bytes == NULL) {
        cli_fail("%s: out of memory", path);
        return false;
    }
    if (ferror(file)) {
        cli_fail("%s: %s", path, strerror(errno));
        memory_free(bytes);
        return false;
    }
    *out_bytes = bytes;
    *out_length = length;
    return true;
}

bool cli_read_file(const char *path, char **out_bytes, size_t *out_length) {
    if (strcmp(path, "-") == 0) {
        return read_stream(stdin, "standard input", out_bytes, out_length);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        cli_fail("%s: %s", path, strerror(errno));
        return false;
    }
    bool is_read = read_stream(file, path, out_bytes, out_length);
    fclose(file);
    return is_read;
}

bool cli_write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    bool is_written = file != NULL && fwrite(bytes, 1, length, file) == length;
    if (file != NULL && file != stdout) {
        is_written = fclose(file) == 0 && is_written;
    }
    if (!is_written) {
        cli_fail("%s: %s", path, strerror(errno));
    }
    return is_written;
}

bool cli_parse_u64(struct text text, uint64_t limit, uint64_t *out_number) {
    char digits[32];
    if (text.length == 0 || text.length >= sizeof(digits) || text.data[0] == '-' ||
        text.data[0] == '+' || text.data[0] == ' ') {
        return false;
    }
    memcpy(digits, text.data, text.length);
    digits[text.length] = '\0';
    char *end = NULL;
    errno = 0;
    bool is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    unsigned long long number = strtoull(digits, &end, is_hexadecimal ? 16 : 10);
    if (errno != 0 || *end != '\0' || number > limit) {
        return false;
    }
    *out_number = number;
    return true;
}

bool cli_parse_double(struct text text, double *out_number) {
    char digits[64];
    if (text.length == 0 || text.length >= sizeof(digits) || text.data[0] == ' ') {
        return false;
    }
    memcpy(digits, text.data, text.length);
    digits[text.length] = '\0';
    char *end = NULL;
    *out_number = strtod(digits, &end);
    return *end == '\0';
}

bool cli_is_terminal(int descriptor) {
    return os_is_terminal(descriptor);
}

static bool progress_is_shown;

void cli_progress(uint64_t start_ns, const char *message) {
    uint64_t elapsed_ns = os_clock_monotonic_ns() - start_ns;
    if (elapsed_ns > 1000000000u && cli_is_terminal(2)) {
        fprintf(stderr, "\r%s, %.0f s ", message, (double)elapsed_ns * 1e-9);
        fflush(stderr);
        progress_is_shown = true;
    }
}

void cli_progress_end(void) {
    if (progress_is_shown) {
        fprintf(stderr, "\r\033[K");
        progress_is_shown = false;
    }
}
