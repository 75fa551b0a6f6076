// SPDX-License-Identifier: MIT
//
// Simplification and contraction: what folds, what must not, what is dead.
#include "pass_test.h"

#define OUT "variable #0 storage read_write array<u32> \"out\" group 0 binding 0\n"
#define OUT_F "variable #0 storage read_write array<f32> \"out\" group 0 binding 0\n"
#define ENTRY \
    "entry compute \"main\" #0 workgroup_size(1, 1, 1) {\n  input u32 builtin local_invocation_index\n}\n"
#define BEGIN "function #0 \"main\" () -> void {\n  %1 = load_input [0] : u32\n"
// Stores %90 to out[%1].
#define END \
    "  %91 = variable [0] : ptr<storage, array<u32>, read_write>\n" \
    "  %92 = access %91, %1 : ptr<storage, u32, read_write>\n" \
    "  store %92, %90\n  return\n}\n" ENTRY
#define END_F \
    "  %91 = variable [0] : ptr<storage, array<f32>, read_write>\n" \
    "  %92 = access %91, %1 : ptr<storage, f32, read_write>\n" \
    "  store %92, %90\n  return\n}\n" ENTRY

TEST(constants_and_common_subexpressions) {
    PASS_CHECK(pass_simplify,
        OUT BEGIN "  %2 = mul.i u32(6), u32(7) : u32\n"
                  "  %3 = add.i %1, %2 : u32\n"
                  "  %4 = add.i u32(42), %1 : u32\n"
                  "  %5 = sub.i %3, %4 : u32\n"
                  "  %6 = or %5, %3 : u32\n"
                  "  %90 = shl %6, u32(0) : u32\n" END,
        OUT BEGIN "  %90 = add.i %1, u32(42) : u32\n" END);
}

// x + 0 is not x for -0; x * 1, x - 0, x + -0 are; x / 4 is x * 0.25, x / 3 stays.
TEST(float_identities_are_exact) {
    PASS_CHECK(pass_simplify,
        OUT_F BEGIN "  %2 = u_to_f %1 : f32\n"
                    "  %3 = mul.f %2, f32(1) : f32\n"
                    "  %4 = sub.f %3, f32(0) : f32\n"
                    "  %5 = add.f %4, f32(-0) : f32\n"
                    "  %6 = add.f %5, f32(0) : f32\n"
                    "  %7 = div.f %6, f32(4) : f32\n"
                    "  %90 = div.f %7, f32(3) : f32\n" END_F,
        OUT_F BEGIN "  %2 = u_to_f %1 : f32\n"
                    "  %6 = add.f %2, f32(0) : f32\n"
                    "  %7 = mul.f %6, f32(0.25) : f32\n"
                    "  %90 = div.f %7, f32(3) : f32\n" END_F);
}

// !(a < b) is a >= b for integers only.
TEST(inverted_comparisons) {
    PASS_CHECK(pass_simplify,
        OUT BEGIN "  %2 = lt.u %1, u32(5) : bool\n"
                  "  %3 = not %2 : bool\n"
                  "  %4 = u_to_f %1 : f32\n"
                  "  %5 = lt.f %4, f32(5) : bool\n"
                  "  %6 = not %5 : bool\n"
                  "  %7 = select u32(1), u32(2), %3 : u32\n"
                  "  %8 = select u32(3), u32(4), %6 : u32\n"
                  "  %90 = add.i %7, %8 : u32\n" END,
        OUT BEGIN "  %3 = ge.u %1, u32(5) : bool\n"
                  "  %4 = u_to_f %1 : f32\n"
                  "  %5 = lt.f %4, f32(5) : bool\n"
                  "  %6 = not %5 : bool\n"
                  "  %7 = select u32(1), u32(2), %3 : u32\n"
                  "  %8 = select u32(3), u32(4), %6 : u32\n"
                  "  %90 = add.i %7, %8 : u32\n" END);
}

TEST(constant_branch) {
    PASS_CHECK(pass_simplify,
        OUT BEGIN "  %2 = eq.i u32(1), u32(2) : bool\n"
                  "  %90 = if %2 : u32 then {\n"
                  "    workgroup_barrier\n"
                  "    exit_if u32(1)\n"
                  "  } else {\n"
                  "    %3 = add.i %1, u32(1) : u32\n"
                  "    exit_if %3\n"
                  "  }\n" END,
        OUT BEGIN "  %90 = add.i %1, u32(1) : u32\n" END);
}

// A constant condition whose branch returns removes what follows.
TEST(constant_return) {
    PASS_CHECK(pass_simplify,
        OUT BEGIN "  if bool(true) then {\n"
                  "    return\n"
                  "  } else {\n"
                  "    exit_if\n"
                  "  }\n"
                  "  %90 = add.i %1, u32(1) : u32\n" END,
        OUT "function #0 \"main\" () -> void {\n  return\n}\n" ENTRY);
}

// a && b by a branch, a || b by a branch: pure, so both sides are computed.
TEST(short_circuit) {
    PASS_CHECK(pass_simplify,
        OUT BEGIN "  %2 = lt.u %1, u32(5) : bool\n"
                  "  %3 = if %2 : bool then {\n"
                  "    %4 = gt.u %1, u32(2) : bool\n"
                  "    exit_if %4\n"
                  "  } else {\n"
                  "    exit_if bool(false)\n"
                  "  }\n"
                  "  %90 = select u32(0), u32(9), %3 : u32\n" END,
        OUT BEGIN "  %2 = lt.u %1, u32(5) : bool\n"
                  "  %4 = gt.u %1, u32(2) : bool\n"
                  "  %3 = and %2, %4 : bool\n"
                  "  %90 = select u32(0), u32(9), %3 : u32\n" END);
}

// Stores to a variable that nobody reads, a loop without effects, an unused result: all go. The
// loop that nothing leaves stays.
TEST(dead_code) {
    PASS_CHECK(pass_simplify,
        OUT BEGIN "  %2 = var : ptr<function, u32, read_write>\n"
                  "  store %2, %1\n"
                  "  %3, %90 = loop u32(0), u32(0) : u32, u32 body (%4: u32, %5: u32) {\n"
                  "    %6 = ge.u %4, u32(10) : bool\n"
                  "    if %6 then {\n"
                  "      exit_loop %5, %4\n"
                  "    } else {\n"
                  "      exit_if\n"
                  "    }\n"
                  "    continue\n"
                  "  } continuing {\n"
                  "    %7 = add.i %4, u32(1) : u32\n"
                  "    %8 = add.i %5, %4 : u32\n"
                  "    next_iteration %7, %8\n"
                  "  }\n"
                  "  loop body {\n"
                  "    exit_loop\n"
                  "  } continuing {\n"
                  "    next_iteration\n"
                  "  }\n" END,
        OUT BEGIN "  %90 = loop u32(0) : u32 body (%4: u32) {\n"
                  "    %6 = ge.u %4, u32(10) : bool\n"
                  "    if %6 then {\n"
                  "      exit_loop %4\n"
                  "    } else {\n"
                  "      exit_if\n"
                  "    }\n"
                  "    continue\n"
                  "  } continuing {\n"
                  "    %7 = add.i %4, u32(1) : u32\n"
                  "    next_iteration %7\n"
                  "  }\n" END);
    static const char endless[] = OUT "function #0 \"main\" () -> void {\n"
                                      "  loop body {\n"
                                      "    continue\n"
                                      "  } continuing {\n"
                                      "    next_iteration\n"
                                      "  }\n"
                                      "  unreachable\n"
                                      "}\n" ENTRY;
    PASS_CHECK(pass_simplify, endless, endless);
}

// Loads of uniform memory merge and leave the loop; loads of writable memory merge only where
// nothing was written in between, and stay in the loop.
TEST(read_only_loads) {
    PASS_CHECK(pass_simplify,
        "variable #0 storage read_write array<u32> \"out\" group 0 binding 0\n"
        "variable #1 uniform read u32 \"n\" group 0 binding 1\n" BEGIN
        "  %91 = variable [0] : ptr<storage, array<u32>, read_write>\n"
        "  %92 = access %91, u32(0) : ptr<storage, u32, read_write>\n"
        "  loop u32(0) body (%2: u32) {\n"
        "    %3 = variable [1] : ptr<uniform, u32, read>\n"
        "    %4 = load %3 : u32\n"
        "    %5 = ge.u %2, %4 : bool\n"
        "    if %5 then {\n"
        "      exit_loop\n"
        "    } else {\n"
        "      exit_if\n"
        "    }\n"
        "    %6 = load %92 : u32\n"
        "    %7 = load %3 : u32\n"
        "    %8 = add.i %6, %7 : u32\n"
        "    %20 = load %92 : u32\n"
        "    %21 = add.i %8, %20 : u32\n"
        "    store %92, %21\n"
        "    %9 = load %92 : u32\n"
        "    %10 = add.i %8, %9 : u32\n"
        "    store %92, %10\n"
        "    continue\n"
        "  } continuing {\n"
        "    %11 = add.i %2, u32(1) : u32\n"
        "    next_iteration %11\n"
        "  }\n"
        "  return\n}\n" ENTRY,
        "variable #0 storage read_write array<u32> \"out\" group 0 binding 0\n"
        "variable #1 uniform read u32 \"n\" group 0 binding 1\n"
        "function #0 \"main\" () -> void {\n"
        "  %91 = variable [0] : ptr<storage, array<u32>, read_write>\n"
        "  %92 = access %91, u32(0) : ptr<storage, u32, read_write>\n"
        "  %3 = variable [1] : ptr<uniform, u32, read>\n"
        "  %4 = load %3 : u32\n"
        "  loop u32(0) body (%2: u32) {\n"
        "    %5 = ge.u %2, %4 : bool\n"
        "    if %5 then {\n"
        "      exit_loop\n"
        "    } else {\n"
        "      exit_if\n"
        "    }\n"
        "    %6 = load %92 : u32\n"
        "    %8 = add.i %4, %6 : u32\n"
        "    %21 = add.i %6, %8 : u32\n"
        "    store %92, %21\n"
        "    %9 = load %92 : u32\n"
        "    %10 = add.i %8, %9 : u32\n"
        "    store %92, %10\n"
        "    continue\n"
        "  } continuing {\n"
        "    %11 = add.i %2, u32(1) : u32\n"
        "    next_iteration %11\n"
        "  }\n"
        "  return\n}\n" ENTRY);
}

static enum pass_status contract_with_fma(struct ir_module *module) {
    return pass_contract(module, true);
}
static enum pass_status contract_without_fma(struct ir_module *module) {
    return pass_contract(module, false);
}

// One consumer fuses, two do not; a subtrahend's product is negated.
TEST(contract) {
    static const char products[] = OUT_F BEGIN "  %2 = u_to_f %1 : f32\n"
                                               "  %3 = mul.f %2, %2 : f32\n"
                                               "  %4 = add.f %3, f32(1) : f32\n"
                                               "  %5 = mul.f %4, %2 : f32\n"
                                               "  %6 = sub.f %2, %5 : f32\n"
                                               "  %7 = mul.f %6, %6 : f32\n"
                                               "  %8 = add.f %7, %2 : f32\n"
                                               "  %90 = add.f %7, %8 : f32\n" END_F;
    PASS_CHECK(contract_with_fma, products,
        OUT_F BEGIN "  %2 = u_to_f %1 : f32\n"
                    "  %4 = fma %2, %2, f32(1) : f32\n"
                    "  %5 = neg.f %4 : f32\n"
                    "  %6 = fma %5, %2, %2 : f32\n"
                    "  %7 = mul.f %6, %6 : f32\n"
                    "  %8 = add.f %7, %2 : f32\n"
                    "  %90 = add.f %7, %8 : f32\n" END_F);
    PASS_CHECK(contract_without_fma, products, products);
    PASS_CHECK(contract_without_fma,
        OUT_F BEGIN "  %2 = u_to_f %1 : f32\n"
                    "  %90 = fma %2, %2, f32(1) : f32\n" END_F,
        OUT_F BEGIN "  %2 = u_to_f %1 : f32\n"
                    "  %3 = mul.f %2, %2 : f32\n"
                    "  %90 = add.f %3, f32(1) : f32\n" END_F);
}

CHECK_MAIN(constants_and_common_subexpressions, float_identities_are_exact, inverted_comparisons,
    constant_branch, constant_return, short_circuit, dead_code, read_only_loads, contract)
