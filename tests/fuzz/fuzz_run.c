// SPDX-License-Identifier: MIT
//
// Runs the targets without libFuzzer: the same inputs each time for the same numbers. Inputs are
// made and judged in child processes, so that a crash is a result like any other and names the
// input that it happened with. Exit 1 when any input fails.
//
//   fuzz_run [TARGET...] [--first N] [--count N] [--seconds N] [--bytes N] [--limit-ms N] [--corpus FOLDER]...
//       every target by default; --count inputs of each, from number --first on, of at most --bytes
//       bytes; --seconds ends each target early; --limit-ms is the processor time that a module of
//       64 KiB may take (none by default; the time allowed for less text is the same)
//   fuzz_run TARGET --print N       the text of that input
//   fuzz_run --wgsl FILE... | --ir FILE... | --measure FILE...
//       judges files and tells their size, the memory at its peak and the time; --measure takes WGSL
//       and does not judge the memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"

#define INPUT_LIMIT ((size_t)64 << 10)

struct settings {
    uint64_t first, count;
    double seconds;
    size_t bytes;
    double limit_ms;
};

struct shared_state {
    uint64_t number; // of the input at work
    uint64_t valid;
    double worst_ms;
    uint64_t worst_number;
};

static struct fuzz_corpus corpus_wgsl, corpus_ir;

// ---------------------------------------------------------------- inputs

static uint64_t mix(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void make_text(
    const struct fuzz_target *target, uint64_t number, size_t most_bytes, struct text_buffer *out) {
    static uint8_t bytes[INPUT_LIMIT];
    uint64_t state = number * 1000003;
    for (const char *c = target->name; *c != '\0'; c++) {
        state = state * 31 + (unsigned char)*c;
    }
    // Short ones more often than long ones.
    size_t most = (size_t)1 << (4 + mix(&state) % 13);
    most = most < most_bytes ? most : most_bytes;
    size_t count = 1 + (size_t)(mix(&state) % most);
    bool is_printable = mix(&state) % 2 == 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = mix(&state);
        bytes[i] = (uint8_t)(value >> 8);
        if (is_printable && strcmp(target->name, "bytes") == 0) {
            bytes[i] = (uint8_t) "\n !&()*+,-./0129:;<=>@[]^_abefx{|}~i32"[value % 38];
        }
    }
    struct fuzz_input input = {bytes, count, 0};
    target->write(&input, target->language == FUZZ_IR ? &corpus_ir : &corpus_wgsl, out);
    if (strcmp(target->name, "ir") == 0) {
        // Bytes alone end at the first word: the beginning of a valid text goes before them.
        struct text_buffer whole = {0};
        struct text first = corpus_ir.items[mix(&state) % corpus_ir.count];
        text_buffer_append(
            &whole, (struct text){first.data, (size_t)(mix(&state) % (first.length + 1))});
        text_buffer_append(&whole, text_buffer_get(out));
        text_buffer_finish(out);
        *out = whole;
    }
}

static double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// In the child; the status is 0 when all were judged and found well.
static int judge_inputs(const struct fuzz_target *target, const struct settings *settings,
    uint64_t begin, double deadline, struct shared_state *shared) {
    for (uint64_t i = begin; i < settings->first + settings->count; i++) {
        if (settings->seconds > 0 && wall_seconds() > deadline) {
            shared->number = i;
            return 0;
        }
        struct text_buffer text = {0};
        struct fuzz_measure measure;
        shared->number = i;
        make_text(target, i, settings->bytes, &text);
        fuzz_judge(target->language, text_buffer_get(&text), FUZZ_BYTES_EACH, &measure);
        shared->valid += measure.is_valid;
        if (measure.cpu_ms > shared->worst_ms) {
            shared->worst_ms = measure.cpu_ms;
            shared->worst_number = i;
        }
        if (settings->limit_ms > 0 && measure.cpu_ms > settings->limit_ms) {
            fprintf(stderr, "fuzz: %zu bytes of text took %.0f ms\n", text.length, measure.cpu_ms);
            return 3;
        }
        text_buffer_finish(&text);
    }
    shared->number = settings->first + settings->count;
    return 0;
}

// The number of inputs that failed; stops after a few.
static int run_target(const struct fuzz_target *target, const struct settings *settings,
    struct shared_state *shared) {
    int failed = 0;
    double start = wall_seconds();
    *shared = (struct shared_state){.number = settings->first};
    uint64_t end = settings->first + settings->count, begin = settings->first;
    while (begin < end && failed < 5) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            _exit(judge_inputs(target, settings, begin, start + settings->seconds, shared));
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            perror("fuzz_run");
            exit(2);
        }
        if (status == 0) {
            break;
        }
        failed++;
        printf("FAIL %s %llu: %s %d\n", target->name, (unsigned long long)shared->number,
            WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        begin = shared->number + 1;
    }
    printf("%-10s %llu inputs, %llu valid, %d failed; slowest %.1f ms (%llu)\n", target->name,
        (unsigned long long)(shared->number - settings->first), (unsigned long long)shared->valid,
        failed, shared->worst_ms, (unsigned long long)shared->worst_number);
    return failed;
}

static void judge_file(enum fuzz_language language, const char *path, size_t bytes_each) {
    struct text text = fuzz_read_file(path);
    struct fuzz_measure measure;
    fuzz_judge(language, text, bytes_each, &measure);
    printf("%-40s %8zu bytes, peak %9zu = %5.1f each, %8.2f ms, %s\n", path, text.length,
        measure.peak_bytes, (double)measure.peak_bytes / (double)(text.length ? text.length : 1),
        measure.cpu_ms, measure.is_valid ? "valid" : "invalid");
    memory_free((void *)(uintptr_t)(text.length != 0 ? text.data : NULL));
}

static const struct fuzz_target *find_target(const char *name) {
    for (const struct fuzz_target *target = fuzz_targets; target->name != NULL; target++) {
        if (strcmp(target->name, name) == 0) {
            return target;
        }
    }
    fprintf(stderr, "fuzz_run: no target or option %s\n", name);
    exit(2);
}

int main(int argc, char **argv) {
    struct settings settings = {.count = 1000, .bytes = INPUT_LIMIT};
    const struct fuzz_target *chosen[16];
    size_t chosen_count = 0;
    const char *print = NULL;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--wgsl") == 0 || strcmp(name, "--ir") == 0 ||
            strcmp(name, "--measure") == 0) {
            for (int k = i + 1; k < argc; k++) {
                judge_file(strcmp(name, "--ir") == 0 ? FUZZ_IR : FUZZ_WGSL, argv[k],
                    strcmp(name, "--measure") == 0 ? 0 : FUZZ_BYTES_EACH);
            }
            return 0;
        }
        if (strncmp(name, "--", 2) != 0) {
            if (chosen_count < sizeof chosen / sizeof *chosen) {
                chosen[chosen_count++] = find_target(name);
            }
            continue;
        }
        i++;
        if (strcmp(name, "--first") == 0) {
            settings.first = strtoull(value, NULL, 10);
        } else if (strcmp(name, "--count") == 0) {
            settings.count = strtoull(value, NULL, 10);
        } else if (strcmp(name, "--seconds") == 0) {
            settings.seconds = strtod(value, NULL);
        } else if (strcmp(name, "--bytes") == 0) {
            settings.bytes = strtoull(value, NULL, 10);
            settings.bytes = settings.bytes < 1 ? 1
                : settings.bytes > INPUT_LIMIT  ? INPUT_LIMIT
                                                : settings.bytes;
        } else if (strcmp(name, "--limit-ms") == 0) {
            settings.limit_ms = strtod(value, NULL);
        } else if (strcmp(name, "--corpus") == 0) {
            fuzz_corpus_read(value, &corpus_wgsl, &corpus_ir);
        } else if (strcmp(name, "--print") == 0) {
            print = value;
        } else {
            find_target(name);
        }
    }
    if (corpus_ir.count == 0) {
        fuzz_corpus_read(ALBA_FUZZ_CORPUS, &corpus_wgsl, &corpus_ir);
    }
    if (print != NULL && chosen_count == 1) {
        struct text_buffer text = {0};
        make_text(chosen[0], strtoull(print, NULL, 10), settings.bytes, &text);
        fwrite(text.data, 1, text.length, stdout);
        text_buffer_finish(&text);
        return 0;
    }
    struct shared_state *shared = mmap(
        NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("fuzz_run");
        return 2;
    }
    int failed = 0;
    if (chosen_count == 0) {
        while (fuzz_targets[chosen_count].name != NULL) {
            chosen[chosen_count] = &fuzz_targets[chosen_count];
            chosen_count++;
        }
    }
    for (size_t i = 0; i < chosen_count; i++) {
        failed += run_target(chosen[i], &settings, shared);
    }
    return failed != 0;
}
