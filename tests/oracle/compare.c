// SPDX-License-Identifier: MIT
//
// The program that compares executions of random programs. Each batch runs in a child process, so that a
// crash of generated code is a result like any other. Seeds are printed; a failure is reduced to a small
// program. Exit 1 when any program differs, is refused or crashes.
//
//   compare [--first N] [--count N] [--seconds N] [--jobs N] [--failures N] [--thorough]
//           [--statements N]
//           [--no-jit | --front-end] [--no-reduce] [--verbose]
//   compare --seed N         one program, thoroughly
//   compare --print N        the program of a seed
//   compare --file F --seed N  another text with that seed's bindings and sizes
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "oracle/check_program.h"
#include "oracle/reduce.h"
#include "shader/compile/code_generator.h"

#define BATCH 20
#define JOB_LIMIT 64
#define PROGRAM_SECONDS 20   // of processor time
#define PROGRAM_DEADLINE 300 // of the clock, for what waits
#define REPORT_BYTES 4096
#define EXIT_FAILED_CHECK 77 // no status that a sanitizer or an abort ends with

struct settings {
    uint64_t first;
    uint64_t count;
    uint32_t seconds;
    uint32_t failure_limit;
    uint32_t job_count;
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
static uint32_t statement_limit; // the generator's option, set once

static bool generate(uint64_t seed, struct text_buffer *wgsl, struct generated_program *program) {
    struct generate_options options = {.statement_limit = statement_limit};
    return generate_program(seed, &options, wgsl, program);
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

// For one program, from now on: SIGPROF or SIGALRM ends the child.
static void limit_time(void) {
    struct itimerval limit = {.it_value = {.tv_sec = PROGRAM_SECONDS}};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(PROGRAM_DEADLINE);
}

// The child's part of a batch: stops at the first program that is not well.
static int run_batch(const struct settings *settings, uint64_t first, uint64_t end) {
    for (uint64_t seed = first; seed < end; seed++) {
        struct text_buffer wgsl = {0};
        struct generated_program program;
        shared->seed = seed;
        limit_time();
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

static enum verdict judge(int status) {
    if (WIFSIGNALED(status)) {
        snprintf(shared->report, sizeof(shared->report), "ended by signal %d (%s)",
            WTERMSIG(status),
            WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF
                ? "took too long"
                : strsignal(WTERMSIG(status)));
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

static enum verdict wait_for(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child ? judge(status) : VERDICT_CRASHED;
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
        limit_time();
        enum check_outcome outcome = check_text(
            reduction->settings, text, reduction->program, reduction->seed);
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
    if (statement_limit != 0) {
        printf("  (with --statements %u)\n", statement_limit);
    }
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

// One child at work on a batch.
struct job {
    pid_t child; // 0: none
    uint64_t end;
    struct shared_state *state;
};

struct run {
    const struct settings *settings;
    struct job jobs[JOB_LIMIT];
    uint64_t next;
    uint64_t end;
    uint64_t failures;
};

static void start_job(struct run *run, struct job *job, uint64_t first, uint64_t end) {
    fflush(stdout);
    shared = job->state;
    job->end = end;
    job->child = fork();
    if (job->child == 0) {
        _exit(run_batch(run->settings, first, end));
    }
}

// Gives the job its next batch, if there is one.
static void start_next(struct run *run, struct job *job) {
    job->child = 0;
    if (run->next < run->end && run->failures < run->settings->failure_limit) {
        uint64_t first = run->next;
        run->next = first + BATCH < run->end ? first + BATCH : run->end;
        start_job(run, job, first, run->next);
    }
}

// A child ended: reports its failure and goes on behind it, or takes the next batch.
static void finish_job(struct run *run, struct job *job, int status) {
    shared = job->state;
    enum verdict verdict = judge(status);
    uint64_t failed = shared->seed;
    if (verdict == VERDICT_WELL) {
        start_next(run, job);
        return;
    }
    run->failures++;
    report_failure(run->settings, failed, verdict);
    if (failed + 1 < job->end && run->failures < run->settings->failure_limit) {
        start_job(run, job, failed + 1, job->end);
    } else {
        start_next(run, job);
    }
}

static bool wait_for_job(struct run *run) {
    int status = 0;
    pid_t child = wait(&status);
    for (uint32_t i = 0; child > 0 && i < run->settings->job_count; i++) {
        if (run->jobs[i].child == child) {
            finish_job(run, &run->jobs[i], status);
        }
    }
    return child > 0;
}

static int run_all(const struct settings *settings, struct shared_state *states) {
    time_t start = time(NULL);
    struct run run = {
        .settings = settings, .next = settings->first, .end = settings->first + settings->count};
    uint64_t checked = 0, skipped = 0;
    bool is_late = false;
    for (uint32_t i = 0; i < settings->job_count; i++) {
        run.jobs[i].state = &states[i];
        start_next(&run, &run.jobs[i]);
    }
    while (wait_for_job(&run)) {
        is_late = settings->seconds != 0 && time(NULL) - start >= (time_t)settings->seconds;
        run.end = is_late ? run.next : run.end;
        if (settings->is_verbose) {
            printf("up to seed %llu\n", (unsigned long long)run.next - 1);
        }
    }
    for (uint32_t i = 0; i < settings->job_count; i++) {
        checked += states[i].checked;
        skipped += states[i].skipped;
    }
    printf("seeds %llu to %llu%s: %llu programs compared%s, %llu too long, %llu failures, %ld s\n",
        (unsigned long long)settings->first, (unsigned long long)run.next - 1,
        is_late ? " (time is up)" : "", (unsigned long long)checked,
        settings->has_jit ? "" : " (interpreter only)", (unsigned long long)skipped,
        (unsigned long long)run.failures, (long)(time(NULL) - start));
    return run.failures != 0 || checked == 0;
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
            enum check_outcome outcome = check_text(
                settings, text_buffer_get(&wgsl), &program, settings->first);
            static const char *const words[] = {"agrees", "skipped", "refused", "differs"};
            printf("seed %llu %s %s\n", (unsigned long long)settings->first, words[outcome],
                shared->report);
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
        } else if (strcmp(argv[i], "--statements") == 0) {
            statement_limit = (uint32_t)strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--jobs") == 0) {
            settings->job_count = (uint32_t)strtoull(value, NULL, 10);
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
    long cpu_count = sysconf(_SC_NPROCESSORS_ONLN);
    settings.job_count = cpu_count < 1 ? 1 : (uint32_t)cpu_count;
    if (!parse(argc, argv, &settings)) {
        return 2;
    }
    settings.job_count = settings.job_count < 1 ? 1
        : settings.job_count > JOB_LIMIT        ? JOB_LIMIT
                                                : settings.job_count;
    struct shared_state *states = mmap(NULL, sizeof(*states) * JOB_LIMIT, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (states == MAP_FAILED) {
        return 2;
    }
    shared = &states[0];
    struct text_buffer error = {0};
    if (settings.has_jit && !settings.is_printing) {
        settings.jit = code_generator_open(&error);
        if (settings.jit == NULL) {
            fprintf(stderr, "%s\n", error.data == NULL ? "no code generator" : error.data);
            return 2;
        }
    }
    int status = settings.is_single ? run_single(&settings) : run_all(&settings, states);
    text_buffer_finish(&error);
    munmap(states, sizeof(*states) * JOB_LIMIT);
    return status;
}
