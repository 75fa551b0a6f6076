// SPDX-License-Identifier: MIT
//
// Promotion: variables become values, region parameters and results. The results are written down
// from the IR's rules.
#include "pass_test.h"

#define STORAGE "variable #0 storage read_write array<u32> \"out\" group 0 binding 0\n"
#define ENTRY \
    "entry compute \"main\" #0 workgroup_size(1, 1, 1) {\n  input u32 builtin local_invocation_index\n}\n"

TEST(straight_line) {
    PASS_CHECK(pass_promote,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %2 = var : ptr<function, u32, read_write>\n"
                "  store %2, u32(3)\n"
                "  %3 = load %2 : u32\n"
                "  %4 = add.i %3, %1 : u32\n"
                "  store %2, %4\n"
                "  %5 = load %2 : u32\n"
                "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %7 = access %6, %1 : ptr<storage, u32, read_write>\n"
                "  store %7, %5\n"
                "  return\n"
                "}\n" ENTRY,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %4 = add.i u32(3), %1 : u32\n"
                "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %7 = access %6, %1 : ptr<storage, u32, read_write>\n"
                "  store %7, %4\n"
                "  return\n"
                "}\n" ENTRY);
}

// A variable stored in one branch gets a result that is its old value in the other.
TEST(branch) {
    PASS_CHECK(pass_promote,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %2 = var : ptr<function, u32, read_write>\n"
                "  store %2, u32(3)\n"
                "  %3 = eq.i %1, u32(0) : bool\n"
                "  if %3 then {\n"
                "    store %2, u32(4)\n"
                "    exit_if\n"
                "  } else {\n"
                "    exit_if\n"
                "  }\n"
                "  %5 = load %2 : u32\n"
                "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %7 = access %6, %1 : ptr<storage, u32, read_write>\n"
                "  store %7, %5\n"
                "  return\n"
                "}\n" ENTRY,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %3 = eq.i %1, u32(0) : bool\n"
                "  %4 = if %3 : u32 then {\n"
                "    exit_if u32(4)\n"
                "  } else {\n"
                "    exit_if u32(3)\n"
                "  }\n"
                "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %7 = access %6, %1 : ptr<storage, u32, read_write>\n"
                "  store %7, %4\n"
                "  return\n"
                "}\n" ENTRY);
}

// A counter becomes a parameter of both regions and a result; break_if passes it on twice.
TEST(loop_with_break_if) {
    PASS_CHECK(pass_promote,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %2 = var : ptr<function, u32, read_write>\n"
                "  store %2, u32(0)\n"
                "  loop body {\n"
                "    continue\n"
                "  } continuing {\n"
                "    %3 = load %2 : u32\n"
                "    %4 = add.i %3, u32(1) : u32\n"
                "    store %2, %4\n"
                "    %5 = ge.u %4, %1 : bool\n"
                "    break_if %5 [arguments 0]\n"
                "  }\n"
                "  %6 = load %2 : u32\n"
                "  %7 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %8 = access %7, %6 : ptr<storage, u32, read_write>\n"
                "  store %8, %6\n"
                "  return\n"
                "}\n" ENTRY,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %2 = loop u32(0) : u32 body (%3: u32) {\n"
                "    continue %3\n"
                "  } continuing (%4: u32) {\n"
                "    %5 = add.i %4, u32(1) : u32\n"
                "    %6 = ge.u %5, %1 : bool\n"
                "    break_if %6, %5, %5 [arguments 1]\n"
                "  }\n"
                "  %7 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %8 = access %7, %2 : ptr<storage, u32, read_write>\n"
                "  store %8, %2\n"
                "  return\n"
                "}\n" ENTRY);
}

// A variable of the body that the continuing region reads, with two ways into it.
TEST(body_variable_in_continuing) {
    PASS_CHECK(pass_promote,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  loop body {\n"
                "    %2 = var : ptr<function, u32, read_write>\n"
                "    store %2, u32(1)\n"
                "    %3 = eq.i %1, u32(0) : bool\n"
                "    if %3 then {\n"
                "      store %2, u32(2)\n"
                "      continue\n"
                "    } else {\n"
                "      exit_if\n"
                "    }\n"
                "    continue\n"
                "  } continuing {\n"
                "    %4 = load %2 : u32\n"
                "    %5 = ge.u %4, %1 : bool\n"
                "    break_if %5 [arguments 0]\n"
                "  }\n"
                "  return\n"
                "}\n" ENTRY,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  loop body {\n"
                "    %3 = eq.i %1, u32(0) : bool\n"
                "    %6 = if %3 : u32 then {\n"
                "      continue u32(2)\n"
                "    } else {\n"
                "      exit_if u32(1)\n"
                "    }\n"
                "    continue %6\n"
                "  } continuing (%4: u32) {\n"
                "    %5 = ge.u %4, %1 : bool\n"
                "    break_if %5 [arguments 0]\n"
                "  }\n"
                "  return\n"
                "}\n" ENTRY);
}

// Components: a constant index inserts and extracts, a dynamic one selects; out of range has no
// effect.
TEST(components) {
    PASS_CHECK(pass_promote,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %2 = var : ptr<function, vec2<u32>, read_write>\n"
                "  store %2, vec2<u32>(5, 6)\n"
                "  %3 = access %2, u32(1) : ptr<function, u32, read_write>\n"
                "  store %3, %1\n"
                "  %4 = access %2, %1 : ptr<function, u32, read_write>\n"
                "  %5 = load %4 : u32\n"
                "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %7 = access %6, %1 : ptr<storage, u32, read_write>\n"
                "  store %7, %5\n"
                "  return\n"
                "}\n" ENTRY,
        STORAGE "function #0 \"main\" () -> void {\n"
                "  %1 = load_input [0] : u32\n"
                "  %2 = insert vec2<u32>(5, 6), %1 [1] : vec2<u32>\n"
                "  %3 = extract %2 [0] : u32\n"
                "  %4 = eq.i %1, u32(0) : bool\n"
                "  %5 = select u32(0), %3, %4 : u32\n"
                "  %8 = extract %2 [1] : u32\n"
                "  %9 = eq.i %1, u32(1) : bool\n"
                "  %10 = select %5, %8, %9 : u32\n"
                "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
                "  %7 = access %6, %1 : ptr<storage, u32, read_write>\n"
                "  store %7, %10\n"
                "  return\n"
                "}\n" ENTRY);
}

// A pointer that a call takes keeps the variable in memory.
TEST(escaping_variable_stays) {
    static const char text[] = "function #0 \"f\" (%1: ptr<function, u32, read_write>) -> void {\n"
                               "  store %1, u32(1)\n"
                               "  return\n"
                               "}\n"
                               "function #1 \"main\" () -> void {\n"
                               "  %1 = var : ptr<function, u32, read_write>\n"
                               "  store %1, u32(0)\n"
                               "  call %1 [0]\n"
                               "  return\n"
                               "}\n"
                               "entry compute \"main\" #1 workgroup_size(1, 1, 1) {\n}\n";
    PASS_CHECK(pass_promote, text, text);
}

CHECK_MAIN(straight_line, branch, loop_with_break_if, body_variable_in_continuing, components,
    escaping_variable_stays)
