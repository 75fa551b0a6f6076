// SPDX-License-Identifier: MIT
//
// Composite values to scalars and vectors, vectors to scalars.
#include "pass_test.h"

#define ENTRY(number) \
    "entry compute \"main\" #" number \
    " workgroup_size(1, 1, 1) {\n  input u32 builtin local_invocation_index\n}\n"

static enum pass_status split(struct ir_module *module) {
    struct text_buffer error = {0};
    enum pass_status status = pass_split_composites(module, &error);
    text_buffer_finish(&error);
    return status;
}

#define PAIR \
    "struct #0 \"Pair\" { \"a\": vec2<f32> align 8 size 8, \"b\": u32 align 4 size 4 }\n" \
    "variable #0 storage read_write array<struct#0> \"data\" group 0 binding 0\n"

// A struct is loaded and stored by its members; a member that was taken out needs no memory.
TEST(struct_copy) {
    PASS_CHECK(split,
        PAIR "function #0 \"main\" () -> void {\n"
             "  %1 = load_input [0] : u32\n"
             "  %2 = variable [0] : ptr<storage, array<struct#0>, read_write>\n"
             "  %3 = access %2, %1 : ptr<storage, struct#0, read_write>\n"
             "  %4 = load %3 : struct#0\n"
             "  %5 = extract %4 [1] : u32\n"
             "  %6 = add.i %5, u32(1) : u32\n"
             "  %7 = insert %4, %6 [1] : struct#0\n"
             "  store %3, %7\n"
             "  return\n}\n" ENTRY("0"),
        PAIR "function #0 \"main\" () -> void {\n"
             "  %1 = load_input [0] : u32\n"
             "  %2 = variable [0] : ptr<storage, array<struct#0>, read_write>\n"
             "  %3 = access %2, %1 : ptr<storage, struct#0, read_write>\n"
             "  %4 = access %3, u32(0) [in_bounds 1] : ptr<storage, vec2<f32>, read_write>\n"
             "  %5 = load %4 : vec2<f32>\n"
             "  %6 = access %3, u32(1) [in_bounds 1] : ptr<storage, u32, read_write>\n"
             "  %7 = load %6 : u32\n"
             "  %8 = add.i %7, u32(1) : u32\n"
             "  %9 = access %3, u32(0) [in_bounds 1] : ptr<storage, vec2<f32>, read_write>\n"
             "  store %9, %5\n"
             "  %10 = access %3, u32(1) [in_bounds 1] : ptr<storage, u32, read_write>\n"
             "  store %10, %8\n"
             "  return\n}\n" ENTRY("0"));
}

// A variable whose elements are named by constants becomes one variable each; with one dynamic
// index it stays, but its struct's other member does not.
TEST(variables) {
    PASS_CHECK(split,
        "struct #0 \"S\" { \"a\": array<u32, 2> align 4 size 8, \"b\": u32 align 4 size 4 }\n"
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 \"s\" = var : ptr<function, struct#0, read_write>\n"
        "  %3 = access %2, u32(0), %1 : ptr<function, u32, read_write>\n"
        "  store %3, u32(7)\n"
        "  %4 = access %2, u32(1) : ptr<function, u32, read_write>\n"
        "  store %4, %1\n"
        "  %5 \"t\" = var : ptr<function, array<u32, 2>, read_write>\n"
        "  %6 = access %5, i32(1) : ptr<function, u32, read_write>\n"
        "  store %6, %1\n"
        "  return\n}\n" ENTRY("0"),
        "struct #0 \"S\" { \"a\": array<u32, 2> align 4 size 8, \"b\": u32 align 4 size 4 }\n"
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 \"s\" = var : ptr<function, array<u32, 2>, read_write>\n"
        "  %3 \"s\" = var : ptr<function, u32, read_write>\n"
        "  %4 = access %2, %1 : ptr<function, u32, read_write>\n"
        "  store %4, u32(7)\n"
        "  store %3, %1\n"
        "  %5 \"t\" = var : ptr<function, u32, read_write>\n"
        "  %6 \"t\" = var : ptr<function, u32, read_write>\n"
        "  store %6, %1\n"
        "  return\n}\n" ENTRY("0"));
}

// A constant array that is indexed dynamically is a read-only table.
TEST(constant_table) {
    PASS_CHECK(split,
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = extract_dynamic array<u32, 5>(5, 4, 3, 2, 1), %1 : u32\n"
        "  %3 = add.i %2, %2 : u32\n"
        "  return\n}\n" ENTRY("0"),
        "variable #0 private read array<u32, 5> \"\" constant array<u32, 5>(5, 4, 3, 2, 1)\n"
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = variable [0] : ptr<private, array<u32, 5>, read>\n"
        "  %3 = access %2, %1 : ptr<private, u32, read>\n"
        "  %4 = load %3 : u32\n"
        "  %5 = add.i %4, %4 : u32\n"
        "  return\n}\n" ENTRY("0"));
}

// A large zero is stored by a loop.
TEST(large_zero) {
    struct pass_test test;
    pass_test_read(&test,
        "function #0 \"main\" () -> void {\n"
        "  %1 = var : ptr<function, array<u32, 1000>, read_write>\n"
        "  store %1, array<u32, 1000>()\n"
        "  return\n}\nentry compute \"main\" #0 workgroup_size(1, 1, 1) {\n}\n");
    if (test.module != NULL) {
        CHECK_EQ(split(test.module), PASS_OK);
        const char *text = pass_test_print(&test);
        CHECK(strstr(text, "loop") != NULL && strstr(text, "u32(1000)") != NULL);
        CHECK(strstr(text, "array<u32, 1000>(") == NULL);
    }
    pass_test_finish(&test);
}

// Composite parameters and results go through pointers.
TEST(signatures) {
    struct pass_test test;
    pass_test_read(&test,
        "struct #0 \"P\" { \"a\": f32 align 4 size 4, \"b\": u32 align 4 size 4 }\n"
        "function #0 \"f\" (%1: struct#0, %2: f32) -> struct#0 {\n"
        "  %3 = insert %1, %2 [0] : struct#0\n"
        "  return %3\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %1 = construct f32(1), u32(2) : struct#0\n"
        "  %2 = call %1, f32(3) [0] : struct#0\n"
        "  %3 = extract %2 [1] : u32\n"
        "  %4 = add.i %3, %3 : u32\n"
        "  return\n}\nentry compute \"main\" #1 workgroup_size(1, 1, 1) {\n}\n");
    if (test.module != NULL) {
        CHECK_EQ(split(test.module), PASS_OK);
        const struct ir_function *f = &test.module->functions.items[0];
        CHECK_EQ(f->return_type.index, TYPE_VOID);
        CHECK_EQ(f->parameter_count, 3);
        CHECK_EQ(
            type_kind_of(&test.module->types, ir_value_type(f, f->parameters[0])), TYPE_POINTER);
        CHECK_EQ(
            type_kind_of(&test.module->types, ir_value_type(f, f->parameters[2])), TYPE_POINTER);
        CHECK(strcmp(pass_test_print(&test), "invalid") != 0);
    }
    pass_test_finish(&test);
}

TEST(scalarise) {
    PASS_CHECK(pass_scalarise,
        "variable #0 storage read_write array<vec2<f32>> \"v\" group 0 binding 0\n"
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = variable [0] : ptr<storage, array<vec2<f32>>, read_write>\n"
        "  %3 = access %2, %1 : ptr<storage, vec2<f32>, read_write>\n"
        "  %4 = load %3 : vec2<f32>\n"
        "  %5 = loop %4 : vec2<f32> body (%6: vec2<f32>) {\n"
        "    %7 = mul.f %6, vec2<f32>(2, 3) : vec2<f32>\n"
        "    exit_loop %7\n"
        "  } continuing {\n"
        "    next_iteration %4\n"
        "  }\n"
        "  %8 = swizzle %5 [1 0] : vec2<f32>\n"
        "  store %3, %8\n"
        "  return\n}\n" ENTRY("0"),
        "variable #0 storage read_write array<vec2<f32>> \"v\" group 0 binding 0\n"
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = variable [0] : ptr<storage, array<vec2<f32>>, read_write>\n"
        "  %3 = access %2, %1 : ptr<storage, vec2<f32>, read_write>\n"
        "  %4 = load %3 : vec2<f32>\n"
        "  %5 = extract %4 [0] : f32\n"
        "  %6 = extract %4 [1] : f32\n"
        "  %7, %8 = loop %5, %6 : f32, f32 body (%9: f32, %10: f32) {\n"
        "    %11 = mul.f %9, f32(2) : f32\n"
        "    %12 = mul.f %10, f32(3) : f32\n"
        "    exit_loop %11, %12\n"
        "  } continuing {\n"
        "    next_iteration %5, %6\n"
        "  }\n"
        "  %13 = construct %8, %7 : vec2<f32>\n"
        "  store %3, %13\n"
        "  return\n}\n" ENTRY("0"));
}

CHECK_MAIN(struct_copy, variables, constant_table, large_zero, signatures, scalarise)
