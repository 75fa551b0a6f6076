// SPDX-License-Identifier: MIT
//
// A tool for work on the code generator, not a test: jit_measure FILE.wgsl X Y Z BYTES... runs the
// compute entry point on zeroed buffers of the given sizes (bindings in order) and prints the time
// of the fastest of several runs. JIT_PRINT=llvm|optimised|asm|ir prints a stage. JIT_LEVEL, JIT_WIDTH
// and JIT_JAM choose the form.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jit/jit_run.h"
#include "shader/ir/ir_text.h"

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
        text[0] = 0;
    }
    fclose(file);
    return text;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void print_stage(struct jit_run *run, const struct jit_options *options, const char *stage) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    struct text_buffer out = {0};
    if (strcmp(stage, "ir") == 0) {
        ir_print(&out, run->program->ir);
    } else {
        enum jit_text_kind kind = strcmp(stage, "asm") == 0 ? JIT_TEXT_ASSEMBLY
            : strcmp(stage, "optimised") == 0               ? JIT_TEXT_LLVM_OPTIMISED
                                                            : JIT_TEXT_LLVM;
        jit->print(run->program->ir, 0, options, kind, &out, &out);
    }
    struct text text = text_buffer_get(&out);
    fwrite(text.data, 1, text.length, stdout);
    text_buffer_finish(&out);
}

static uint32_t from_environment(const char *name, uint32_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
    struct jit_run run;
    struct jit_buffer buffers[16];
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    struct jit_options options = {
        .level = (enum jit_level)from_environment("JIT_LEVEL", jit->native_level()),
        .width = from_environment("JIT_WIDTH", 0),
        .jam = from_environment("JIT_JAM", 0),
        .poll_cancel = true,
    };
    char *wgsl = argc > 1 ? read_file(argv[1]) : NULL;
    if (wgsl == NULL || argc < 5 || argc > 5 + 16) {
        fprintf(stderr, "usage: jit_measure FILE.wgsl X Y Z BYTES...\n");
        return 1;
    }
    double start = now();
    if (!jit_run_create(&run, wgsl, &options)) {
        fprintf(stderr, "%.*s\n", TEXT_ARGS(text_buffer_get(&run.error)));
        if (run.program != NULL && getenv("JIT_PRINT") != NULL) {
            print_stage(&run, &options, getenv("JIT_PRINT"));
        }
        return 1;
    }
    double compiled = now() - start;
    if (getenv("JIT_PRINT") != NULL) {
        print_stage(&run, &options, getenv("JIT_PRINT"));
        return 0;
    }
    for (int i = 5; i < argc; i++) {
        // SIZE, or SIZE:WORD for the first word.
        char *rest = NULL;
        uint64_t size = strtoull(argv[i], &rest, 10);
        buffers[i - 5].data = aligned_alloc(64, (size + 63) / 64 * 64);
        buffers[i - 5].size_bytes = size;
        for (uint64_t k = 0; k < size / 4; k++) {
            float number = (float)(k * 2654435761u % 1000) / 1000.0f;
            memcpy(buffers[i - 5].data + 4 * k, &number, 4);
        }
        for (uint64_t k = 0; *rest == ':'; k++) {
            uint32_t word = (uint32_t)strtoul(rest + 1, &rest, 10);
            memcpy(buffers[i - 5].data + 4 * k, &word, 4);
        }
    }
    uint32_t x = (uint32_t)atoi(argv[2]), y = (uint32_t)atoi(argv[3]), z = (uint32_t)atoi(argv[4]);
    double best = 1e9, total = 0;
    for (int i = 0; i < 30 && total < 2.0; i++) {
        start = now();
        jit_run_dispatch(&run, buffers, x, y, z);
        double taken = now() - start;
        total += taken;
        best = taken < best ? taken : best;
    }
    printf("%-28s %9.3f ms   compile %.1f ms, %llu bytes of code, width %u, jam %u\n", argv[1],
        best * 1e3, compiled * 1e3, (unsigned long long)run.kernel->code_bytes, run.kernel->width,
        run.kernel->jam);
    jit_run_destroy(&run);
    free(wgsl);
    return 0;
}
