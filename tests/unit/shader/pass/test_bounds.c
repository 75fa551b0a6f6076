// SPDX-License-Identifier: MIT
//
// Proofs of indices: which accesses get in_bounds, and, as important, which do not.
#include "pass_test.h"

#define HEAD \
    "variable #0 storage read_write array<u32> \"data\" group 0 binding 0\n" \
    "variable #1 workgroup read_write array<u32, 64> \"w\"\n" \
    "variable #2 storage read_write array<u32> \"other\" group 0 binding 1\n"
#define ENTRY \
    "entry compute \"main\" #0 workgroup_size(64, 1, 1) {\n" \
    "  input u32 builtin local_invocation_index\n  input vec3<u32> builtin global_invocation_id\n}\n"
#define BEGIN \
    HEAD "function #0 \"main\" () -> void {\n" \
         "  %1 = load_input [0] : u32\n  %2 = load_input [1] : vec3<u32>\n" \
         "  %3 = extract %2 [0] : u32\n" \
         "  %4 = variable [0] : ptr<storage, array<u32>, read_write>\n" \
         "  %5 = variable [1] : ptr<workgroup, array<u32, 64>, read_write>\n" \
         "  %6 = variable [2] : ptr<storage, array<u32>, read_write>\n"

// The proofs of all accesses in order, one character each.
static void check_proofs(const char *body, const char *expected, const char *file, int line) {
    struct pass_test test;
    struct text_buffer source = {0};
    char found[64] = {0};
    text_buffer_print(&source, "%s%s%s", BEGIN, body, ENTRY);
    pass_test_read(&test, source.data);
    if (test.module != NULL && CHECK_EQ(pass_bounds(test.module), PASS_OK)) {
        const struct ir_function *function = &test.module->functions.items[0];
        size_t count = 0;
        for (size_t i = 1; i < function->ops.count && count < 63; i++) {
            const struct ir_op *op = &function->ops.items[i];
            if (op->opcode == IR_ACCESS) {
                found[count++] = (char)('0' + (op->data.in_bounds & 7u));
            }
        }
    }
    check_equal_string(found, expected, file, line, "proofs");
    pass_test_finish(&test);
    text_buffer_finish(&source);
}
#define PROOFS(body, expected) check_proofs((body), (expected), __FILE__, __LINE__)

TEST(ranges) {
    // The invocation index is below the workgroup's size; the global id is not known to be.
    PROOFS("  %7 = access %5, %1 : ptr<workgroup, u32, read_write>\n"
           "  %8 = access %5, %3 : ptr<workgroup, u32, read_write>\n"
           "  %9 = and %3, u32(63) : u32\n"
           "  %10 = access %5, %9 : ptr<workgroup, u32, read_write>\n"
           "  %11 = rem.u %3, u32(64) : u32\n"
           "  %12 = access %5, %11 : ptr<workgroup, u32, read_write>\n"
           "  %13 = rem.u %3, u32(65) : u32\n"
           "  %14 = access %5, %13 : ptr<workgroup, u32, read_write>\n"
           "  %15 = min.u %3, u32(63) : u32\n"
           "  %16 = access %5, %15 : ptr<workgroup, u32, read_write>\n"
           "  %17 = access %5, i32(-1) : ptr<workgroup, u32, read_write>\n"
           "  %18 = access %5, i32(63) : ptr<workgroup, u32, read_write>\n"
           "  %19 = add.i %1, u32(1) : u32\n"
           "  %20 = access %5, %19 : ptr<workgroup, u32, read_write>\n"
           "  return\n}\n",
        "101101010");
}

TEST(guards) {
    // i < arrayLength(data) proves data[i] and nothing of other[i], inside the branch only.
    PROOFS("  %7 = array_length %4 : u32\n"
           "  %8 = lt.u %3, %7 : bool\n"
           "  if %8 then {\n"
           "    %9 = access %4, %3 : ptr<storage, u32, read_write>\n"
           "    %10 = access %6, %3 : ptr<storage, u32, read_write>\n"
           "    exit_if\n"
           "  } else {\n"
           "    exit_if\n"
           "  }\n"
           "  %11 = access %4, %3 : ptr<storage, u32, read_write>\n"
           "  return\n}\n",
        "100");
    // An early return, with a conjunction; an i32 reading of the same index.
    PROOFS("  %7 = array_length %4 : u32\n"
           "  %8 = ge.u %3, %7 : bool\n"
           "  %9 = gt.u %1, u32(9) : bool\n"
           "  %10 = or %8, %9 : bool\n"
           "  if %10 then {\n"
           "    return\n"
           "  } else {\n"
           "    exit_if\n"
           "  }\n"
           "  %11 = access %4, %3 : ptr<storage, u32, read_write>\n"
           "  %12 = add.i %1, u32(54) : u32\n"
           "  %13 = access %5, %12 : ptr<workgroup, u32, read_write>\n"
           "  %14 = add.i %1, u32(55) : u32\n"
           "  %15 = access %5, %14 : ptr<workgroup, u32, read_write>\n"
           "  %16 = le.u %3, %7 : bool\n"
           "  return\n}\n",
        "110");
    // i <= length proves nothing.
    PROOFS("  %7 = array_length %4 : u32\n"
           "  %8 = le.u %3, %7 : bool\n"
           "  if %8 then {\n"
           "    %9 = access %4, %3 : ptr<storage, u32, read_write>\n"
           "    exit_if\n"
           "  } else {\n"
           "    exit_if\n"
           "  }\n"
           "  return\n}\n",
        "0");
}

TEST(loop_counters) {
    // for (i = 0; i < 64; i += 1), and the reduction's halving stride with its guard.
    PROOFS("  loop u32(0) body (%7: u32) {\n"
           "    %8 = lt.u %7, u32(64) : bool\n"
           "    if %8 then {\n"
           "      exit_if\n"
           "    } else {\n"
           "      exit_loop\n"
           "    }\n"
           "    %9 = access %5, %7 : ptr<workgroup, u32, read_write>\n"
           "    continue\n"
           "  } continuing {\n"
           "    %10 = add.i %7, u32(1) : u32\n"
           "    next_iteration %10\n"
           "  }\n"
           "  loop u32(32) body (%11: u32) {\n"
           "    %12 = gt.u %11, u32(0) : bool\n"
           "    if %12 then {\n"
           "      exit_if\n"
           "    } else {\n"
           "      exit_loop\n"
           "    }\n"
           "    %13 = lt.u %1, %11 : bool\n"
           "    if %13 then {\n"
           "      %14 = add.i %1, %11 : u32\n"
           "      %15 = access %5, %14 : ptr<workgroup, u32, read_write>\n"
           "      exit_if\n"
           "    } else {\n"
           "      exit_if\n"
           "    }\n"
           "    continue\n"
           "  } continuing {\n"
           "    %16 = shr.u %11, u32(1) : u32\n"
           "    next_iteration %16\n"
           "  }\n"
           "  return\n}\n",
        "11");
    // The counter is changed elsewhere too: nothing holds.
    PROOFS("  loop u32(0) body (%7: u32) {\n"
           "    %8 = lt.u %7, u32(64) : bool\n"
           "    if %8 then {\n"
           "      exit_if\n"
           "    } else {\n"
           "      exit_loop\n"
           "    }\n"
           "    %9 = add.i %7, %3 : u32\n"
           "    %10 = access %5, %9 : ptr<workgroup, u32, read_write>\n"
           "    continue\n"
           "  } continuing {\n"
           "    next_iteration %9\n"
           "  }\n"
           "  return\n}\n",
        "0");
}

CHECK_MAIN(ranges, guards, loop_counters)
