// SPDX-License-Identifier: MIT
//
// Helpers of the passes' unit tests: IR text in, a pass, IR text out. Expected text is read and
// printed again, so that spacing and the numbers of values do not matter.
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "check.h"
#include "shader/ir/ir_text.h"
#include "shader/pass/pass.h"

typedef enum pass_status (*pass_test_function)(struct ir_module *module);

struct pass_test {
    struct arena arena;
    struct ir_module *module; // NULL when the text could not be read
    struct text_buffer text;  // messages, then the printed result
};

// The module refers to the test's arena: the struct stays where it is.
static inline void pass_test_read(struct pass_test *test, const char *source) {
    *test = (struct pass_test){0};
    arena_init(&test->arena, MEMORY_TEST);
    test->module = ir_read(text_from_string(source), &test->arena, &test->text);
    if (test->module == NULL || !ir_validate(test->module, &test->text)) {
        fprintf(stderr, "%s\n", test->text.data == NULL ? "" : test->text.data);
        test->module = NULL;
    }
    CHECK(test->module != NULL);
}

static inline void pass_test_finish(struct pass_test *test) {
    arena_finish(&test->arena);
    text_buffer_finish(&test->text);
}

// The module as text, valid or not; the buffer belongs to the test.
static inline const char *pass_test_print(struct pass_test *test) {
    test->text.length = 0;
    if (!ir_validate(test->module, &test->text)) {
        ir_print(&test->text, test->module);
        fprintf(stderr, "%s\n", test->text.data);
        return "invalid";
    }
    test->text.length = 0;
    ir_print(&test->text, test->module);
    return test->text.data;
}

// Checks that the test's module prints as the expected text does.
static inline void pass_test_compare(
    struct pass_test *test, const char *expected, const char *file, int line) {
    struct pass_test wanted;
    pass_test_read(&wanted, expected);
    if (test->module != NULL && wanted.module != NULL) {
        check_equal_string(
            pass_test_print(test), pass_test_print(&wanted), file, line, "pass result");
    }
    pass_test_finish(&wanted);
}

static inline void pass_test_run(
    pass_test_function pass, const char *source, const char *expected, const char *file, int line) {
    struct pass_test test;
    pass_test_read(&test, source);
    if (test.module != NULL && CHECK_EQ(pass(test.module), PASS_OK)) {
        pass_test_compare(&test, expected, file, line);
    }
    pass_test_finish(&test);
}

#define PASS_CHECK(pass, source, expected) \
    pass_test_run((pass), (source), (expected), __FILE__, __LINE__)
