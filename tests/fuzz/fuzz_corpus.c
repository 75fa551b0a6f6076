// SPDX-License-Identifier: MIT
//
// Reads the programs from which the mutating targets start. A failure ends the process.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "shader/compile/compile.h"
#include "shader/ir/ir_text.h"

static void *must(void *pointer) {
    if (pointer == NULL) {
        fputs("fuzz_run: out of memory\n", stderr);
        exit(2);
    }
    return pointer;
}

static void corpus_add(struct fuzz_corpus *corpus, struct text text) {
    corpus->items = must(realloc(corpus->items, (corpus->count + 1) * sizeof(struct text)));
    char *copy = must(malloc(text.length + 1));
    memcpy(copy, text.data, text.length);
    corpus->items[corpus->count++] = (struct text){copy, text.length};
}

struct text fuzz_read_file(const char *path) {
    struct text_buffer out = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "fuzz_run: cannot read %s\n", path);
        exit(2);
    }
    char chunk[4096];
    for (size_t size; (size = fread(chunk, 1, sizeof chunk, file)) > 0;) {
        text_buffer_append(&out, (struct text){chunk, size});
    }
    fclose(file);
    return text_buffer_get(&out); // kept to the end
}

// The last program of `wgsl`.
static void add_ir_of(struct text text, struct fuzz_corpus *wgsl, struct fuzz_corpus *ir) {
    struct compile_options options = {.enabled_extensions = UINT32_MAX};
    struct compile_module *module = must(
        compile_module_create(text, TEXT_LITERAL("corpus"), &options));
    if (module->is_valid) {
        struct text_buffer out = {0};
        ir_print(&out, module->ir);
        wgsl->valid = must(realloc(wgsl->valid, (wgsl->valid_count + 1) * sizeof(size_t)));
        wgsl->valid[wgsl->valid_count++] = wgsl->count - 1;
        corpus_add(ir, text_buffer_get(&out));
        text_buffer_finish(&out);
    }
    compile_module_destroy(module);
}

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void fuzz_corpus_read(const char *folder, struct fuzz_corpus *wgsl, struct fuzz_corpus *ir) {
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        fprintf(stderr, "fuzz_run: cannot read %s\n", folder);
        exit(2);
    }
    char **names = NULL;
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".wgsl") == 0) {
            names = must(realloc(names, (count + 1) * sizeof(char *)));
            names[count] = must(malloc(strlen(folder) + strlen(entry->d_name) + 2));
            sprintf(names[count++], "%s/%s", folder, entry->d_name);
        }
    }
    closedir(directory);
    if (count > 0) {
        qsort(names, count, sizeof(char *), compare_strings);
    }
    for (size_t i = 0; i < count; i++) {
        struct text text = fuzz_read_file(names[i]);
        corpus_add(wgsl, text);
        add_ir_of(text, wgsl, ir);
        memory_free((void *)(uintptr_t)(text.length != 0 ? text.data : NULL));
        free(names[i]);
    }
    free(names);
}
