// SPDX-License-Identifier: MIT
//
// Reads program files. See run_file.h.
#include "run_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line_reader {
    struct run_file *file;
    const char *path;
    int line;
    char *at;
};

static bool fail(const struct line_reader *reader, const char *reason) {
    fprintf(stderr, "%s:%d: %s\n", reader->path, reader->line, reason);
    return false;
}

// The next word of the line, "" at its end.
static const char *next_word(struct line_reader *reader) {
    reader->at += strspn(reader->at, " \t\r");
    char *word = reader->at;
    reader->at += strcspn(reader->at, " \t\r");
    if (*reader->at != '\0') {
        *reader->at++ = '\0';
    }
    return word;
}

static struct run_binding *find_binding(struct line_reader *reader, bool may_add) {
    struct run_file *file = reader->file;
    unsigned group = 0, number = 0;
    if (sscanf(next_word(reader), "%u.%u", &group, &number) != 2) {
        fail(reader, "expected GROUP.BINDING");
        return NULL;
    }
    for (uint32_t i = 0; i < file->binding_count; i++) {
        if (file->bindings[i].group == group && file->bindings[i].binding == number) {
            return &file->bindings[i];
        }
    }
    if (!may_add || file->binding_count == RUN_BINDING_LIMIT) {
        fail(reader, may_add ? "too many bindings" : "the binding is not bound above");
        return NULL;
    }
    struct run_binding *binding = &file->bindings[file->binding_count++];
    binding->group = group;
    binding->binding = number;
    return binding;
}

static bool read_check(struct line_reader *reader, const char *type, enum run_check *out_check) {
    if (strcmp(type, "u32") == 0) {
        *out_check = RUN_U32;
    } else if (strcmp(type, "i32") == 0) {
        *out_check = RUN_I32;
    } else if (strcmp(type, "f32") == 0) {
        *out_check = RUN_F32;
    } else {
        return fail(reader, "expected u32, i32 or f32");
    }
    return true;
}

static bool read_value(
    struct line_reader *reader, enum run_check check, const char *word, uint32_t *out_word) {
    char *end = NULL;
    if (check == RUN_F32 || check == RUN_NEAR) {
        float number = strtof(word, &end);
        memcpy(out_word, &number, sizeof(number));
    } else {
        *out_word = (uint32_t)strtoll(word, &end, 0);
    }
    return (end != word && *end == '\0') || fail(reader, "malformed number");
}

static bool read_bind(struct line_reader *reader) {
    struct run_binding *binding = find_binding(reader, true);
    if (binding == NULL) {
        return false;
    }
    const char *access = next_word(reader);
    if (strcmp(access, "uniform") == 0) {
        binding->access = RUN_UNIFORM;
    } else if (strcmp(access, "read") == 0) {
        binding->access = RUN_READ;
    } else if (strcmp(access, "storage") == 0) {
        binding->access = RUN_STORAGE;
    } else {
        return fail(reader, "expected uniform, read or storage");
    }
    const char *type = next_word(reader);
    enum run_check check = RUN_U32;
    if (strcmp(type, "zeros") == 0) {
        uint32_t count = (uint32_t)strtoul(next_word(reader), NULL, 10);
        if (count == 0 || count > RUN_WORD_LIMIT - binding->word_count) {
            return fail(reader, "the number of words is out of range");
        }
        binding->word_count += count;
        return true;
    }
    if (!read_check(reader, type, &check)) {
        return false;
    }
    for (const char *word = next_word(reader); *word != '\0'; word = next_word(reader)) {
        if (binding->word_count == RUN_WORD_LIMIT) {
            return fail(reader, "too many words");
        }
        if (!read_value(reader, check, word, &binding->words[binding->word_count++])) {
            return false;
        }
    }
    return true;
}

static bool read_expect(struct line_reader *reader) {
    struct run_binding *binding = find_binding(reader, false);
    if (binding == NULL) {
        return false;
    }
    const char *type = next_word(reader);
    enum run_check check = RUN_NEAR;
    double tolerance = 0;
    if (strcmp(type, "skip") == 0) {
        uint32_t count = (uint32_t)strtoul(next_word(reader), NULL, 10);
        if (count > RUN_WORD_LIMIT - binding->expected_count) {
            return fail(reader, "too many words");
        }
        binding->expected_count += count;
        return true;
    }
    if (strcmp(type, "near") == 0) {
        tolerance = strtod(next_word(reader), NULL);
    } else if (!read_check(reader, type, &check)) {
        return false;
    }
    for (const char *word = next_word(reader); *word != '\0'; word = next_word(reader)) {
        if (binding->expected_count == RUN_WORD_LIMIT) {
            return fail(reader, "too many words");
        }
        uint32_t at = binding->expected_count++;
        binding->checks[at] = check;
        binding->tolerances[at] = tolerance;
        if (!read_value(reader, check, word, &binding->expected[at])) {
            return false;
        }
    }
    return true;
}

static bool read_directive(struct line_reader *reader) {
    struct run_file *file = reader->file;
    const char *word = next_word(reader);
    if (strcmp(word, "entry") == 0) {
        snprintf(file->entry, sizeof(file->entry), "%s", next_word(reader));
        return true;
    }
    if (strcmp(word, "dispatch") == 0) {
        for (int i = 0; i < 3; i++) {
            file->dispatch[i] = (uint32_t)strtoul(next_word(reader), NULL, 10);
        }
        return true;
    }
    if (strcmp(word, "constant") == 0) {
        if (file->constant_count == RUN_CONSTANT_LIMIT) {
            return fail(reader, "too many constants");
        }
        uint32_t at = file->constant_count++;
        snprintf(
            file->constants[at].name, sizeof(file->constants[at].name), "%s", next_word(reader));
        file->constants[at].value = strtod(next_word(reader), NULL);
        return true;
    }
    if (strcmp(word, "bind") == 0) {
        return read_bind(reader);
    }
    if (strcmp(word, "expect") == 0) {
        return read_expect(reader);
    }
    return fail(reader, "unknown directive");
}

static char *read_all(const char *path) {
    FILE *stream = fopen(path, "rb");
    char *text = NULL;
    if (stream == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        return NULL;
    }
    if (fseek(stream, 0, SEEK_END) == 0) {
        long size = ftell(stream);
        rewind(stream);
        text = size < 0 ? NULL : malloc((size_t)size + 1);
        if (text != NULL) {
            text[fread(text, 1, (size_t)size, stream)] = '\0';
        }
    }
    fclose(stream);
    return text;
}

static bool read_directives(struct run_file *file, const char *path) {
    struct line_reader reader = {.file = file, .path = path};
    uint32_t expected_count = 0;
    for (const char *at = file->source; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        reader.line++;
        if (strncmp(at, "//!", 3) == 0) {
            char *line = malloc(length + 1);
            if (line == NULL) {
                return fail(&reader, "out of memory");
            }
            memcpy(line, at + 3, length - 3);
            line[length - 3] = '\0';
            reader.at = line;
            bool ok = read_directive(&reader);
            free(line);
            if (!ok) {
                return false;
            }
        }
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    for (uint32_t i = 0; i < file->binding_count; i++) {
        expected_count += file->bindings[i].expected_count;
        if (file->bindings[i].expected_count > file->bindings[i].word_count) {
            return fail(&reader, "more is expected than is bound");
        }
    }
    return expected_count != 0 || fail(&reader, "nothing is expected");
}

struct run_file *run_file_read(const char *path) {
    struct run_file *file = calloc(1, sizeof(*file));
    if (file == NULL) {
        return NULL;
    }
    file->dispatch[0] = file->dispatch[1] = file->dispatch[2] = 1;
    file->source = read_all(path);
    if (file->source == NULL || !read_directives(file, path)) {
        run_file_destroy(file);
        return NULL;
    }
    return file;
}

void run_file_destroy(struct run_file *file) {
    if (file != NULL) {
        free(file->source);
        free(file);
    }
}
