// SPDX-License-Identifier: MIT
//
// Inlining, dropping of what is not reached, and localisation. Expected IR follows from the
// contracts.
#include "pass_test.h"

#define ENTRY(number) \
    "entry compute \"main\" #" number \
    " workgroup_size(4, 1, 1) {\n  input u32 builtin local_invocation_index\n}\n"

static enum pass_status inline_all(struct ir_module *module) {
    struct text_buffer error = {0};
    enum pass_status status = pass_inline(module, 100000, &error);
    text_buffer_finish(&error);
    return status;
}

TEST(single_return) {
    PASS_CHECK(inline_all,
        "function #0 \"twice\" (%1: u32) -> u32 {\n"
        "  %2 = add.i %1, %1 : u32\n"
        "  return %2\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = call %1 [0] : u32\n"
        "  %3 = call %2 [0] : u32\n"
        "  %4 = mul.i %3, u32(3) : u32\n"
        "  return\n"
        "}\n" ENTRY("1"),
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = add.i %1, %1 : u32\n"
        "  %3 = add.i %2, %2 : u32\n"
        "  %4 = mul.i %3, u32(3) : u32\n"
        "  return\n"
        "}\n" ENTRY("0"));
}

// After a branch that returns, the rest stands in the other branch.
TEST(early_return_nests) {
    PASS_CHECK(inline_all,
        "function #0 \"f\" (%1: u32) -> u32 {\n"
        "  %2 = gt.u %1, u32(7) : bool\n"
        "  if %2 then {\n"
        "    return u32(9)\n"
        "  } else {\n"
        "    exit_if\n"
        "  }\n"
        "  %3 = add.i %1, u32(1) : u32\n"
        "  return %3\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = call %1 [0] : u32\n"
        "  %3 = mul.i %2, u32(3) : u32\n"
        "  return\n"
        "}\n" ENTRY("1"),
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %3 = var : ptr<function, u32, read_write>\n"
        "  %4 = gt.u %1, u32(7) : bool\n"
        "  if %4 then {\n"
        "    store %3, u32(9)\n"
        "    exit_if\n"
        "  } else {\n"
        "    %5 = add.i %1, u32(1) : u32\n"
        "    store %3, %5\n"
        "    exit_if\n"
        "  }\n"
        "  %6 = load %3 : u32\n"
        "  %7 = mul.i %6, u32(3) : u32\n"
        "  return\n"
        "}\n" ENTRY("0"));
}

// A return inside a loop sets a flag that is tested after the loop.
TEST(return_in_loop) {
    PASS_CHECK(inline_all,
        "function #0 \"f\" (%1: u32) -> u32 {\n"
        "  loop body {\n"
        "    return u32(5)\n"
        "  } continuing {\n"
        "    next_iteration\n"
        "  }\n"
        "  return %1\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = call %1 [0] : u32\n"
        "  %3 = mul.i %2, u32(3) : u32\n"
        "  return\n"
        "}\n" ENTRY("1"),
        "function #0 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  %2 = var : ptr<function, u32, read_write>\n"
        "  %3 = var : ptr<function, bool, read_write>\n"
        "  store %3, bool(false)\n"
        "  switch u32(0) case default {\n"
        "    loop body {\n"
        "      store %2, u32(5)\n"
        "      store %3, bool(true)\n"
        "      exit_loop\n"
        "    } continuing {\n"
        "      next_iteration\n"
        "    }\n"
        "    %4 = load %3 : bool\n"
        "    if %4 then {\n"
        "      exit_switch\n"
        "    } else {\n"
        "      exit_if\n"
        "    }\n"
        "    store %2, %1\n"
        "    exit_switch\n"
        "  }\n"
        "  %5 = load %2 : u32\n"
        "  %6 = mul.i %5, u32(3) : u32\n"
        "  return\n"
        "}\n" ENTRY("0"));
}

// main -> f19 -> f19 ... each calls the one before twice; `barrier` makes all of them inlined.
static void write_doubling_chain(struct text_buffer *out, bool has_barrier) {
    text_buffer_print(out, "function #0 \"f0\" () -> void {\n%s  return\n}\n",
        has_barrier ? "  workgroup_barrier\n" : "");
    for (int i = 1; i < 30; i++) {
        text_buffer_print(out,
            "function #%d \"f%d\" () -> void {\n  call [%d]\n  call [%d]\n  return\n}\n", i, i,
            i - 1, i - 1);
    }
    text_buffer_append_string(out, "entry compute \"main\" #29 workgroup_size(4, 1, 1) {\n}\n");
}

TEST(doubling_chain) {
    struct text_buffer source = {0};
    write_doubling_chain(&source, false);
    struct pass_test test;
    pass_test_read(&test, source.data);
    if (test.module != NULL) {
        CHECK_EQ(inline_all(test.module), PASS_OK);
        size_t count = 0;
        for (size_t i = 0; i < test.module->functions.count; i++) {
            count += test.module->functions.items[i].ops.count;
        }
        CHECK(count < 20000);
    }
    pass_test_finish(&test);
    source.length = 0;
    write_doubling_chain(&source, true);
    pass_test_read(&test, source.data);
    if (test.module != NULL) {
        struct text_buffer error = {0};
        CHECK_EQ(pass_inline(test.module, 50000, &error), PASS_ERROR);
        CHECK(error.data != NULL && strstr(error.data, "50000 operations") != NULL);
        text_buffer_finish(&error);
    }
    pass_test_finish(&test);
    text_buffer_finish(&source);
}

TEST(localise) {
    PASS_CHECK(pass_localise,
        "variable #0 private read_write array<u32, 4> \"table\" constant array<u32, 4>(1, 2, 3, 4)\n"
        "variable #1 private read_write u32 \"shared\"\n"
        "function #0 \"f\" () -> void {\n"
        "  %1 = variable [1] : ptr<private, u32, read_write>\n"
        "  store %1, u32(1)\n"
        "  return\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %1 = load_input [0] : u32\n"
        "  call [0]\n"
        "  %2 = variable [0] : ptr<private, array<u32, 4>, read_write>\n"
        "  %3 = access %2, %1 : ptr<private, u32, read_write>\n"
        "  store %3, %1\n"
        "  %4 = variable [1] : ptr<private, u32, read_write>\n"
        "  store %4, %1\n"
        "  return\n"
        "}\n" ENTRY("1"),
        "variable #0 private read_write array<u32, 4> \"table\" constant array<u32, 4>(1, 2, 3, 4)\n"
        "variable #1 private read_write u32 \"shared\"\n"
        "function #0 \"f\" () -> void {\n"
        "  %1 = variable [1] : ptr<private, u32, read_write>\n"
        "  store %1, u32(1)\n"
        "  return\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %2 \"table\" = var : ptr<function, array<u32, 4>, read_write>\n"
        "  store %2, array<u32, 4>(1, 2, 3, 4)\n"
        "  %1 = load_input [0] : u32\n"
        "  call [0]\n"
        "  %3 = access %2, %1 : ptr<function, u32, read_write>\n"
        "  store %3, %1\n"
        "  %4 = variable [1] : ptr<private, u32, read_write>\n"
        "  store %4, %1\n"
        "  return\n"
        "}\n" ENTRY("1"));
}

TEST(drop_unreached) {
    struct pass_test test;
    pass_test_read(&test,
        "variable #0 storage read array<u32> \"a\" group 0 binding 0\n"
        "variable #1 storage read array<u32> \"b\" group 0 binding 1\n"
        "variable #2 private read_write u32 \"p\"\n"
        "function #0 \"unused\" () -> void {\n"
        "  %1 = variable [0] : ptr<storage, array<u32>, read>\n"
        "  return\n"
        "}\n"
        "function #1 \"main\" () -> void {\n"
        "  %1 = variable [1] : ptr<storage, array<u32>, read>\n"
        "  %2 = array_length %1 : u32\n"
        "  return\n"
        "}\n" ENTRY("1"));
    if (test.module != NULL) {
        CHECK_EQ(pass_drop_unreached(test.module, true), PASS_OK);
        CHECK_EQ(test.module->variables.count, 2);
        CHECK_EQ(pass_drop_unreached(test.module, false), PASS_OK);
        CHECK_EQ(test.module->variables.count, 1);
        CHECK_EQ(test.module->functions.count, 1);
        pass_test_compare(&test,
            "variable #0 storage read array<u32> \"b\" group 0 binding 1\n"
            "function #0 \"main\" () -> void {\n"
            "  %1 = variable [0] : ptr<storage, array<u32>, read>\n"
            "  %2 = array_length %1 : u32\n"
            "  return\n"
            "}\n" ENTRY("0"),
            __FILE__, __LINE__);
    }
    pass_test_finish(&test);
}

CHECK_MAIN(
    single_return, early_return_nests, return_in_loop, doubling_chain, localise, drop_unreached)
