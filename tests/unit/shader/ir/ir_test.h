// SPDX-License-Identifier: MIT
//
// Helpers of the IR's unit tests: reading text into a module that lives until the test's end.
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "check.h"
#include "shader/ir/ir_text.h"

struct ir_test {
    struct arena arena;
    struct ir_module *module; // NULL when the text could not be read
    struct text_buffer error;
};

static inline struct ir_test ir_test_read(const char *source) {
    struct ir_test test = {0};
    arena_init(&test.arena, MEMORY_TEST);
    test.module = ir_read(text_from_string(source), &test.arena, &test.error);
    return test;
}

static inline void ir_test_finish(struct ir_test *test) {
    arena_finish(&test->arena);
    text_buffer_finish(&test->error);
}

// Reads and validates; prints the reason when either fails.
static inline bool ir_test_is_valid(struct ir_test *test) {
    bool ok = test->module != NULL && ir_validate(test->module, &test->error);
    if (!ok) {
        fprintf(stderr, "%s\n", test->error.data == NULL ? "" : test->error.data);
    }
    return ok;
}
