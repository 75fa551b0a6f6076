// SPDX-License-Identifier: MIT
//
// Pipeline constants: conversion by WebGPU's rules, evaluation, substitution and its errors.
#include "pass_test.h"

static const char source[] =
    "override #0 u32 \"block\" id 7\n"
    "override #1 f32 \"scale\"\n"
    "override #2 i32 \"count\"\n"
    "override #3 bool \"flag\"\n"
    "variable #0 workgroup read_write array<u32, override 0> \"w\"\n"
    "initialisation #0\n"
    "function #0 \"initialisation\" () -> void {\n"
    "  %1 = override [0] : u32\n"
    "  %2 = bitcast %1 : i32\n"
    "  %3 = div.s i32(64), %2 : i32\n"
    "  %4 = mul.i %1, u32(2) : u32\n"
    "  %5 = gt.u %1, u32(4) : bool\n"
    "  %6 = if %5 : bool then {\n"
    "    %7 = lt.u %1, u32(9) : bool\n"
    "    exit_if %7\n"
    "  } else {\n"
    "    exit_if bool(false)\n"
    "  }\n"
    "  %8 = not %6 : bool\n"
    "  return\n"
    "}\n"
    "function #1 \"main\" () -> void {\n"
    "  %1 = override [2] : i32\n"
    "  %2 = variable [0] : ptr<workgroup, array<u32, override 0>, read_write>\n"
    "  %3 = access %2, %1 : ptr<workgroup, u32, read_write>\n"
    "  %4 = override [3] : bool\n"
    "  %5 = select u32(1), u32(2), %4 : u32\n"
    "  store %3, %5\n"
    "  return\n"
    "}\n"
    "override_value #2 = %3\n"
    "override_value #3 = %8\n"
    "count #0 = %4\n"
    "entry compute \"main\" #1 workgroup_size(%1, 1, 1) {\n}\n";

// Reads `source`; on a difference of the text form says so, so that the test cannot pass unread.
static enum pass_status run(struct pass_test *test, const struct pass_constant *constants,
    uint32_t count, struct text_buffer *error) {
    pass_test_read(test, source);
    if (test->module == NULL) {
        return PASS_OUT_OF_MEMORY;
    }
    return pass_override(test->module, constants, count, error);
}

static void check_error(const struct pass_constant *constants, uint32_t count, const char *words) {
    struct pass_test test;
    struct text_buffer error = {0};
    CHECK_EQ(run(&test, constants, count, &error), PASS_ERROR);
    if (!CHECK(error.data != NULL && strstr(error.data, words) != NULL)) {
        fprintf(stderr, "    '%s', expected '%s'\n", error.data == NULL ? "" : error.data, words);
    }
    text_buffer_finish(&error);
    pass_test_finish(&test);
}

TEST(substitution) {
    struct pass_test test;
    struct text_buffer error = {0};
    struct pass_constant constants[] = {{TEXT_LITERAL("7"), 8.9}};
    if (CHECK_EQ(run(&test, constants, 1, &error), PASS_OK)) {
        CHECK_EQ(test.module->overrides.count, 0);
        CHECK_EQ(test.module->entry_points.items[0].workgroup_size[0], 8);
        const struct type *type = type_get(
            &test.module->types, test.module->variables.items[0].type);
        CHECK_EQ(type->array_size, ARRAY_FIXED);
        CHECK_EQ(type->count, 16);
        CHECK_EQ(type->size_bytes, 64);
        // count = 64 / 8; flag = !(8 > 4 && 8 < 9)
        const char *text = pass_test_print(&test);
        CHECK(strstr(text, "i32(8)") != NULL);
        CHECK(strstr(text, "bool(false)") != NULL);
    }
    text_buffer_finish(&error);
    pass_test_finish(&test);
}

// An override that is given needs no initial value, not even one with an error in it.
TEST(given_values_win) {
    struct pass_test test;
    struct text_buffer error = {0};
    struct pass_constant constants[] = {
        {TEXT_LITERAL("7"), 4}, {TEXT_LITERAL("count"), -3}, {TEXT_LITERAL("flag"), 0.5}};
    if (CHECK_EQ(run(&test, constants, 3, &error), PASS_OK)) {
        const char *text = pass_test_print(&test);
        CHECK(strstr(text, "i32(-3)") != NULL);
        CHECK(strstr(text, "bool(true)") != NULL);
    }
    text_buffer_finish(&error);
    pass_test_finish(&test);
}

TEST(errors) {
    struct pass_constant none[] = {{TEXT_LITERAL("nothing"), 1}};
    check_error(none, 1, "'nothing' names no override");
    // With an @id the name is no key.
    struct pass_constant name[] = {{TEXT_LITERAL("block"), 1}};
    check_error(name, 1, "'block': this override has an @id, and its key is that number, '7'");
    check_error(NULL, 0, "override 'block' has no default value");
    struct pass_constant twice[] = {{TEXT_LITERAL("7"), 1}, {TEXT_LITERAL("7"), 1}};
    check_error(twice, 2, "given more than once");
    struct pass_constant negative[] = {{TEXT_LITERAL("7"), -1}};
    check_error(negative, 1, "not representable as u32");
    struct pass_constant large[] = {{TEXT_LITERAL("scale"), 1e39}};
    check_error(large, 1, "not representable as f32");
    struct pass_constant nan[] = {{TEXT_LITERAL("count"), NAN}};
    check_error(nan, 1, "not representable as i32");
    // The count's initial value divides by block; the workgroup size is block.
    struct pass_constant zero[] = {{TEXT_LITERAL("7"), 0}};
    check_error(zero, 1, "workgroup size in x is 0");
}

// An error in an expression that the entry point does not need is none.
TEST(unneeded_errors) {
    static const char text[] = "override #0 u32 \"n\"\n"
                               "override #1 u32 \"m\"\n"
                               "initialisation #0\n"
                               "function #0 \"initialisation\" () -> void {\n"
                               "  %1 = override [0] : u32\n"
                               "  %2 = div.u u32(1), %1 : u32\n"
                               "  return\n"
                               "}\n"
                               "function #1 \"main\" () -> void {\n"
                               "  return\n"
                               "}\n"
                               "override_value #1 = %2\n"
                               "entry compute \"main\" #1 workgroup_size(1, 1, 1) {\n}\n";
    struct pass_test test;
    struct text_buffer error = {0};
    pass_test_read(&test, text);
    if (test.module != NULL) {
        struct pass_constant zero = {TEXT_LITERAL("n"), 0};
        CHECK_EQ(pass_override(test.module, &zero, 1, &error), PASS_OK);
    }
    pass_test_finish(&test);
    text_buffer_finish(&error);
}

CHECK_MAIN(substitution, given_values_win, errors, unneeded_errors)
