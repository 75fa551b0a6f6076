// SPDX-License-Identifier: MIT
//
// Exit tests with a part that is the same for all invocations, arithmetic in continuing regions, and
// what must stay as it is.
#include "pass_test.h"

#define BEGIN \
    "variable #0 storage read array<u32> \"limits\" group 0 binding 0\n" \
    "function #0 \"main\" () -> void {\n" \
    "  %1 = load_input [0] : u32\n" \
    "  %2 = loop u32(0) : u32 body (%3: u32) {\n" \
    "    %4 = lt.u %3, u32(100) : bool\n" \
    "    %5 = lt.u %3, %1 : bool\n"
#define END \
    "    %6 = add.i %3, u32(1) : u32\n" \
    "    continue\n" \
    "  } continuing {\n" \
    "    next_iteration %6\n" \
    "  }\n" \
    "  return\n}\n" \
    "entry compute \"main\" #0 workgroup_size(64, 1, 1) {\n" \
    "  input u32 builtin local_invocation_index\n}\n"

TEST(a_conjunction_that_goes_on) {
    PASS_CHECK(pass_loops,
        BEGIN "    %10 = and %4, %5 : bool\n"
              "    if %10 then {\n      exit_if\n    } else {\n      exit_loop %3\n    }\n" END,
        BEGIN "    %10 = and %4, %5 : bool\n"
              "    if %4 then {\n      exit_if\n    } else {\n      exit_loop %3\n    }\n"
              "    if %5 then {\n      exit_if\n    } else {\n      exit_loop %3\n    }\n" END);
}

// Two parts of each kind, in any order of nesting; the parts of a kind stay together.
TEST(a_disjunction_that_leaves) {
    PASS_CHECK(pass_loops,
        BEGIN "    %10 = gt.u %3, u32(7) : bool\n"
              "    %11 = eq.i %1, u32(9) : bool\n"
              "    %12 = or %5, %10 : bool\n"
              "    %13 = or %11, %4 : bool\n"
              "    %14 = or %12, %13 : bool\n"
              "    if %14 then {\n      exit_loop %3\n    } else {\n      exit_if\n    }\n" END,
        BEGIN "    %10 = gt.u %3, u32(7) : bool\n"
              "    %11 = eq.i %1, u32(9) : bool\n"
              "    %12 = or %5, %10 : bool\n"
              "    %13 = or %11, %4 : bool\n"
              "    %14 = or %12, %13 : bool\n"
              "    %15 = or %5, %11 : bool\n"
              "    %16 = or %10, %4 : bool\n"
              "    if %16 then {\n      exit_loop %3\n    } else {\n      exit_if\n    }\n"
              "    if %15 then {\n      exit_loop %3\n    } else {\n      exit_if\n    }\n" END);
}

#define CHECK_SAME(body) PASS_CHECK(pass_loops, BEGIN body END, BEGIN body END)

TEST(what_stays) {
    // Leaves where the conjunction holds; leaves where one of two does not; both parts uniform; both
    // not; something else happens on the way out.
    CHECK_SAME("    %10 = and %4, %5 : bool\n"
               "    if %10 then {\n      exit_loop %3\n    } else {\n      exit_if\n    }\n");
    CHECK_SAME("    %10 = or %4, %5 : bool\n"
               "    if %10 then {\n      exit_if\n    } else {\n      exit_loop %3\n    }\n");
    CHECK_SAME("    %10 = gt.u %3, u32(7) : bool\n"
               "    %11 = and %4, %10 : bool\n"
               "    if %11 then {\n      exit_if\n    } else {\n      exit_loop %3\n    }\n");
    CHECK_SAME("    %10 = eq.i %1, u32(9) : bool\n"
               "    %11 = and %5, %10 : bool\n"
               "    if %11 then {\n      exit_if\n    } else {\n      exit_loop %3\n    }\n");
    CHECK_SAME("    %10 = and %4, %5 : bool\n"
               "    if %10 then {\n      exit_if\n    } else {\n"
               "      %11 = add.i %3, %1 : u32\n      exit_loop %11\n    }\n");
}

#define TAIL \
    "  return\n}\n" \
    "entry compute \"main\" #0 workgroup_size(64, 1, 1) {\n" \
    "  input u32 builtin local_invocation_index\n}\n"

TEST(arithmetic_that_continues) {
    // All of it; up to what reads memory; none where lanes come from two places.
    PASS_CHECK(pass_loops,
        BEGIN "    continue\n  } continuing {\n"
              "    %6 = add.i %3, u32(1) : u32\n    %7 = mul.i %6, u32(3) : u32\n"
              "    break_if %5, %7, %3 [arguments 1]\n  }\n" TAIL,
        BEGIN "    %6 = add.i %3, u32(1) : u32\n    %7 = mul.i %6, u32(3) : u32\n"
              "    continue\n  } continuing {\n    break_if %5, %7, %3 [arguments 1]\n  }\n" TAIL);
    PASS_CHECK(pass_loops,
        BEGIN "    continue\n  } continuing {\n    %6 = add.i %3, u32(1) : u32\n"
              "    %7 = variable [0] : ptr<storage, array<u32>, read>\n"
              "    %8 = access %7, %6 : ptr<storage, u32, read>\n    %9 = load %8 : u32\n"
              "    %10 = add.i %9, %6 : u32\n    next_iteration %10\n  }\n" TAIL,
        BEGIN "    %6 = add.i %3, u32(1) : u32\n"
              "    %7 = variable [0] : ptr<storage, array<u32>, read>\n"
              "    %8 = access %7, %6 : ptr<storage, u32, read>\n"
              "    continue\n  } continuing {\n    %9 = load %8 : u32\n"
              "    %10 = add.i %9, %6 : u32\n    next_iteration %10\n  }\n" TAIL);
    static const char two[] = BEGIN
        "    if %5 then {\n      continue\n    } else {\n      exit_if\n    }\n"
        "    continue\n  } continuing {\n"
        "    %6 = add.i %3, u32(1) : u32\n    next_iteration %6\n  }\n" TAIL;
    PASS_CHECK(pass_loops, two, two);
}

CHECK_MAIN(
    arithmetic_that_continues, a_conjunction_that_goes_on, a_disjunction_that_leaves, what_stays)
