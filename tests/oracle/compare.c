// SPDX-License-Identifier: MIT
//
// The program that compares executions of random programs. Each batch runs in a child process, so that a
// crash of generated code is a result like any other. Seeds are printed; a failure is reduced to a small
// program. Exit 1 when any program differs, is refused or crashes.
//
//   compare [--first N] [--count N] [--seconds N] [--thorough] [--no-jit | --front-end] [--no-reduce] [--verbose]
//   compare --seed N         one program, thoroughly
//   compare --print N        the program of a seed
//   compare --file F --seed N  another text with that seed's bindings and sizes
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "oracle/check_program.h"
#include "oracle/reduce.h"
#include "shader/compile/code_generator.h"

#define BATCH 50
#define PROGRAM_SECONDS 20
#define REPORT_BYTES 4096
#define EXIT_FAILED_CHECK 77 // no status that a sanitizer or an abort ends with

struct settings {
    uint64_t first;
    uint64_t count;
    uint32_t seconds;
    uint32_t failure_limit;
    bool is_thorough;
    bool is_front_end_only;
    bool has_jit;
    bool is_reducing;
    bool is_verbose;
    bool is_single;
    bool is_printing;
    const char *file;
    const struct jit_interface *jit;
};

// Written by the child, read by the parent.
struct shared_state {
    uint64_t seed; // at work
    uint64_t checked;
    uint64_t skipped;
    int outcome;
    char report[REPORT_BYTES];
};

static struct shared_state *shared;

static bool generate(uint64_t seed, struct text_buffer *wgsl, struct generated_program *program) {
    return generate_program(seed, NULL, wgsl, program);
}

static enum check_outcome check_text(const struct settings *settings, struct text wgsl,
    const struct generated_program *program, uint64_t seed) {
    struct check_options options = {
        .jit = settings->has_jit ? settings->jit : NULL,
        .is_thorough = settings->is_thorough,
        .is_front_end_only = settings->is_front_end_only,
        .seed = seed,
    };
    struct text_buffer report = {0};
    enum check_outcome outcome = check_program(wgsl, program, &options, &report);
    snprintf(shared->report, sizeof(shared->report), "%s", report.data == NULL ? "" : report.data);
    text_buffer_finish(&report);
    shared->outcome = (int)outcome;
    return outcome;
}

// The child's part of a batch: stops at the first program that is not well.
static int run_batch(const struct settings *settings, uint64_t first, uint64_t end) {
    for (uint64_t seed = first; seed < end; seed++) {
        struct text_buffer wgsl = {0};
        struct generated_program program;
        shared->seed = seed;
        alarm(PROGRAM_SECONDS);
        if (!generate(seed, &wgsl, &program)) {
            return 2;
        }
        enum check_outcome outcome = check_text(settings, text_buffer_get(&wgsl), &program, seed);
        text_buffer_finish(&wgsl);
        shared->checked++;
        shared->skipped += outcome == CHECK_SKIPPED ? 1 : 0;
        if (outcome == CHECK_REFUSED || outcome == CHECK_DIFFERS) {
            return EXIT_FAILED_CHECK;
        }
    }
    return 0;
}

// What a child's end means: 0 well, else the outcome, with a text in shared->report.
enum verdict { VERDICT_WELL, VERDICT_REFUSED, VERDICT_DIFFERS, VERDICT_CRASHED };

static enum verdict wait_for(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        return VERDICT_CRASHED;
    }
    if (WIFSIGNALED(status)) {
        snprintf(shared->report, sizeof(shared->report), "ended by signal %d (%s)", WTERMSIG(status),
            WTERMSIG(status) == SIGALRM ? "took too long" : strsignal(WTERMSIG(status)));
        return VERDICT_CRASHED;
    }
    if (WEXITSTATUS(status) == 0) {
        return VERDICT_WELL;
    }
    if (WEXITSTATUS(status) == EXIT_FAILED_CHECK) {
        return shared->outcome == CHECK_REFUSED ? VERDICT_REFUSED : VERDICT_DIFFERS;
    }
    snprintf(shared->report, sizeof(shared->report), "ended with status %d", WEXITSTATUS(status));
    return VERDICT_CRASHED;
}

// ---------------------------------------------------------------- reduction

struct reduction {
    const struct settings *settings;
    const struct generated_program *program;
    uint64_t seed;
    enum verdict verdict;
    char stage[64]; // the beginning of the report
};

static bool still_fails(void *user, struct text text) {
    struct reduction *reduction = user;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        // What a broken candidate prints is of no interest.
        if (freopen("/dev/null", "w", stderr) == NULL) {
            _exit(3);
        }
        alarm(PROGRAM_SECONDS);
        enum check_outcome outcome =
            check_text(reduction->settings, text, reduction->program, reduction->seed);
        _exit(outcome == CHECK_REFUSED || outcome == CHECK_DIFFERS ? EXIT_FAILED_CHECK : 0);
    }
    if (child < 0) {
        return false;
    }
    enum verdict verdict = wait_for(child);
    return verdict == reduction->verdict && verdict != VERDICT_REFUSED &&
        strncmp(shared->report, reduction->stage, strlen(reduction->stage)) == 0;
}

static void reduce(const struct settings *settings, uint64_t seed, enum verdict verdict,
    struct text_buffer *wgsl, const struct generated_program *program) {
    struct reduction reduction = {settings, program, seed, verdict, ""};
    // The pass or level's name: up to the first "(" or ",".
    size_t length = strcspn(shared->report, "(,:");
    snprintf(reduction.stage, sizeof(reduction.stage), "%.*s", (int)(length < 60 ? length : 60),
        shared->report);
    if (!still_fails(&reduction, text_buffer_get(wgsl))) {
        printf("  (does not fail again on its own; not reduced)\n");
        return;
    }
    reduce_text(wgsl, still_fails, &reduction, 1500);
    still_fails(&reduction, text_buffer_get(wgsl));
    printf("---- reduced program; %s\n%s\n----\n", shared->report, wgsl->data);
}

static void report_failure(const struct settings *settings, uint64_t seed, enum verdict verdict) {
    static const char *const words[] = {"well", "refused", "differs", "crashed"};
    printf("seed %llu %s: %s\n", (unsigned long long)seed, words[verdict], shared->report);
    struct text_buffer wgsl = {0};
    struct generated_program program;
    if (settings->is_reducing && verdict != VERDICT_REFUSED && generate(seed, &wgsl, &program)) {
        reduce(settings, seed, verdict, &wgsl, &program);
        printf("workgroup size %u %u %u, workgroups %u %u %u\n", program.workgroup_size[0],
            program.workgroup_size[1], program.workgroup_size[2], program.num_workgroups[0],
            program.num_workgroups[1], program.num_workgroups[2]);
    }
    text_buffer_finish(&wgsl);
    fflush(stdout);
}

// ---------------------------------------------------------------- the run

static int run_all(const struct settings *settings) {
    time_t start = time(NULL);
    uint64_t failures = 0, seed = settings->first, end = settings->first + settings->count;
    while (seed < end) {
        uint64_t batch_end = seed + BATCH < end ? seed + BATCH : end;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            _exit(run_batch(settings, seed, batch_end));
        }
        enum verdict verdict = child < 0 ? VERDICT_CRASHED : wait_for(child);
        if (verdict == VERDICT_WELL) {
            seed = batch_end;
        } else {
            uint64_t failed = shared->seed;
            failures++;
            report_failure(settings, failed, verdict);
            seed = failed + 1;
        }
        if (failures >= settings->failure_limit) {
            printf("too many failures\n");
            break;
        }
        if (settings->seconds != 0 && time(NULL) - start >= (time_t)settings->seconds) {
            printf("time is up\n");
            break;
        }
        if (settings->is_verbose) {
            printf("%llu programs\n", (unsigned long long)(seed - settings->first));
        }
    }
    printf("seeds %llu to %llu: %llu programs compared%s, %llu too long, %llu failures, %ld s\n",
        (unsigned long long)settings->first, (unsigned long long)seed - 1,
        (unsigned long long)shared->checked, settings->has_jit ? "" : " (interpreter only)",
        (unsigned long long)shared->skipped, (unsigned long long)failures, (long)(time(NULL) - start));
    return failures != 0 || shared->checked == 0;
}

static bool read_file(const char *path, struct text_buffer *out) {
    FILE *file = fopen(path, "rb");
    char block[4096];
    size_t got = 0;
    if (file == NULL) {
        return false;
    }
    while ((got = fread(block, 1, sizeof(block), file)) != 0) {
        text_buffer_append(out, (struct text){block, got});
    }
    fclose(file);
    return !out->has_failed;
}

static int run_single(const struct settings *settings) {
    struct text_buffer wgsl = {0};
    struct generated_program program;
    int status = 2;
    if (generate(settings->first, &wgsl, &program)) {
        if (settings->file != NULL) {
            wgsl.length = 0;
            if (!read_file(settings->file, &wgsl)) {
                fprintf(stderr, "cannot read %s\n", settings->file);
                return 2;
            }
        }
        if (settings->is_printing) {
            printf("%s", wgsl.data);
            status = 0;
        } else {
            enum check_outcome outcome =
                check_text(settings, text_buffer_get(&wgsl), &program, settings->first);
            static const char *const words[] = {"agrees", "skipped", "refused", "differs"};
            printf("seed %llu %s %s\n", (unsigned long long)settings->first, words[outcome], shared->report);
            status = outcome == CHECK_REFUSED || outcome == CHECK_DIFFERS;
        }
    }
    text_buffer_finish(&wgsl);
    return status;
}

static bool parse(int argc, char **argv, struct settings *settings) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--thorough") == 0) {
            settings->is_thorough = true;
        } else if (strcmp(argv[i], "--no-jit") == 0) {
            settings->has_jit = false;
        } else if (strcmp(argv[i], "--front-end") == 0) {
            settings->is_front_end_only = true;
            settings->has_jit = false;
        } else if (strcmp(argv[i], "--no-reduce") == 0) {
            settings->is_reducing = false;
        } else if (strcmp(argv[i], "--verbose") == 0) {
            settings->is_verbose = true;
        } else if (strcmp(argv[i], "--first") == 0) {
            settings->first = strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--count") == 0) {
            settings->count = strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--seconds") == 0) {
            settings->seconds = (uint32_t)strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--failures") == 0) {
            settings->failure_limit = (uint32_t)strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--file") == 0) {
            settings->file = value;
            i++;
        } else if (strcmp(argv[i], "--seed") == 0 || strcmp(argv[i], "--print") == 0) {
            settings->is_single = true;
            settings->is_thorough = true;
            settings->is_printing = argv[i][2] == 'p';
            settings->first = strtoull(value, NULL, 10);
            i++;
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    struct settings settings = {
        .first = 1, .count = 1000, .has_jit = true, .is_reducing = true, .failure_limit = 20};
    if (!parse(argc, argv, &settings)) {
        return 2;
    }
    shared = mmap(
        NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return 2;
    }
    struct text_buffer error = {0};
    if (settings.has_jit && !settings.is_printing) {
        settings.jit = code_generator_open(&error);
        if (settings.jit == NULL) {
            fprintf(stderr, "%s\n", error.data == NULL ? "no code generator" : error.data);
            return 2;
        }
    }
    int status = settings.is_single ? run_single(&settings) : run_all(&settings);
    text_buffer_finish(&error);
    munmap(shared, sizeof(*shared));
    return status;
}
