// SPDX-License-Identifier: MIT
//
// The checks of the unit tests. A test file defines `TEST(name) { ... }` functions and ends with
// CHECK_MAIN(name, ...), which runs them in that order. A failed check prints its place, its text
// and the values, and the test goes on; the program exits with 1 if any check failed. A program in
// which no check ran at all fails too: it would have tested nothing. `--list` prints the names, and
// names given as arguments run only those. One thread: checks of other threads belong to that
// thread's owner.

#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*check_test)(void);

static uint64_t check_count;
static uint64_t check_failure_count;

// Records one check; returns `ok` so that a test can stop: `if (!CHECK(p)) return;`
static inline bool check_record(bool ok, const char *file, int line, const char *text) {
    check_count++;
    if (!ok) {
        check_failure_count++;
        fprintf(stderr, "%s:%d: check failed: %s\n", file, line, text);
    }
    return ok;
}

static inline bool check_equal_signed(
    int64_t a, int64_t b, const char *file, int line, const char *text) {
    bool ok = check_record(a == b, file, line, text);
    if (!ok) {
        fprintf(stderr, "    left %" PRId64 " (0x%" PRIx64 "), right %" PRId64 " (0x%" PRIx64 ")\n",
            a, (uint64_t)a, b, (uint64_t)b);
    }
    return ok;
}

static inline bool check_equal_string(
    const char *a, const char *b, const char *file, int line, const char *text) {
    bool ok = check_record(a == b || (a && b && strcmp(a, b) == 0), file, line, text);
    if (!ok) {
        fprintf(stderr, "    left  \"%s\"\n    right \"%s\"\n", a ? a : "(null)", b ? b : "(null)");
    }
    return ok;
}

static inline bool check_equal_bytes(
    const void *a, const void *b, size_t size_bytes, const char *file, int line, const char *text) {
    const unsigned char *left = (const unsigned char *)a, *right = (const unsigned char *)b;
    size_t at = 0;
    while (at < size_bytes && left[at] == right[at]) {
        at++;
    }
    bool ok = check_record(at == size_bytes, file, line, text);
    if (!ok) {
        fprintf(stderr, "    byte %zu of %zu: left 0x%02x, right 0x%02x\n", at, size_bytes,
            left[at], right[at]);
    }
    return ok;
}

// Near means |a - b| <= tolerance; two NaNs are near, and so are equal infinities.
static inline bool check_near(
    double a, double b, double tolerance, const char *file, int line, const char *text) {
    bool near = (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= tolerance;
    bool ok = check_record(near, file, line, text);
    if (!ok) {
        fprintf(stderr, "    left %.17g, right %.17g, tolerance %g\n", a, b, tolerance);
    }
    return ok;
}

#define CHECK(x) check_record((x) ? true : false, __FILE__, __LINE__, #x)
// Integers of any width, enums, booleans, and addresses cast to uintptr_t.
#define CHECK_EQ(a, b) \
    check_equal_signed((int64_t)(a), (int64_t)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b) check_equal_string((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_BYTES(a, b, size_bytes) \
    check_equal_bytes((a), (b), (size_bytes), __FILE__, __LINE__, #a " == " #b)
#define CHECK_NEAR(a, b, tolerance) \
    check_near((double)(a), (double)(b), (double)(tolerance), __FILE__, __LINE__, #a " ~ " #b)

#define TEST(name) static void name(void)

static inline bool check_is_chosen(const char *name, int argc, char **argv) {
    if (argc < 2) {
        return true;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static inline int check_run(
    const check_test *tests, size_t test_count, const char *names, int argc, char **argv) {
    size_t run_count = 0;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        puts(names);
        return 0;
    }
    // The names stand as one text "a, b, c": the macro below can spell them only so.
    const char *at = names;
    for (size_t i = 0; i < test_count; i++) {
        char name[128];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        at += strspn(at, ", ");
        if (!check_is_chosen(name, argc, argv)) {
            continue;
        }
        uint64_t failures_before = check_failure_count;
        tests[i]();
        run_count++;
        if (check_failure_count != failures_before) {
            fprintf(stderr, "FAILED %s\n", name);
        }
    }
    printf("%zu tests, %" PRIu64 " checks, %" PRIu64 " failed\n", run_count, check_count,
        check_failure_count);
    return check_failure_count != 0 || check_count == 0;
}

#define CHECK_MAIN(...) \
    int main(int argc, char **argv) { \
        static const check_test tests[] = {__VA_ARGS__}; \
        return check_run(tests, sizeof tests / sizeof tests[0], #__VA_ARGS__, argc, argv); \
    }
