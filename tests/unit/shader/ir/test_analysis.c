// SPDX-License-Identifier: MIT
//
// Uniformity and affine facts of single values, by hand from the definitions.
#include "check.h"
#include "ir_test.h"
#include "shader/ir/analysis_affine.h"

struct analysed {
    struct ir_test test;
    struct arena arena;
    struct ir_uniformity uniformity;
    struct ir_affine affine;
    bool ok;
};

static void analyse(
    struct analysed *a, const char *source, uint32_t width, uint32_t x, uint32_t y) {
    struct ir_uniformity_options options = {.vector_width = width, .workgroup_size = {x, y, 1}};
    a->test = ir_test_read(source);
    arena_init(&a->arena, MEMORY_TEST);
    a->ok = CHECK(ir_test_is_valid(&a->test)) &&
        CHECK(ir_uniformity_analyse(a->test.module, &options, &a->arena, &a->uniformity)) &&
        CHECK(ir_affine_analyse(a->test.module, &options, &a->uniformity, &a->arena, &a->affine));
}

static void finish(struct analysed *a) {
    arena_finish(&a->arena);
    ir_test_finish(&a->test);
}

// Values are found by their names.
static uint32_t find(const struct analysed *a, const char *name) {
    const struct ir_function *function =
        &a->test.module->functions.items[a->test.module->functions.count - 1];
    for (uint32_t i = 1; i < function->values.count; i++) {
        if (text_equals_string(ir_value_name(function, (ir_value){i}), name)) {
            return i;
        }
    }
    CHECK(!"the value exists");
    return 0;
}

static enum ir_uniformity_level level(const struct analysed *a, const char *name) {
    return a->ok ? a->uniformity.functions[a->uniformity.function_count - 1].values[find(a, name)]
                 : IR_VARYING;
}
static struct ir_affine_value affine(const struct analysed *a, const char *name) {
    return a->ok ? a->affine.functions[a->affine.function_count - 1].values[find(a, name)]
                 : (struct ir_affine_value){0};
}

#define HEAD \
    "variable #0 storage read_write array<u32> \"rw\" group 0 binding 0\n" \
    "variable #1 storage read array<u32> \"ro\" group 0 binding 1\n" \
    "variable #2 uniform read u32 \"u\" group 0 binding 2\n"
#define ENTRY(x, y) \
    "entry compute \"main\" #0 workgroup_size(" #x ", " #y ", 1) {\n" \
    "  input vec3<u32> builtin local_invocation_id\n" \
    "  input vec3<u32> builtin workgroup_id\n" \
    "  input u32 builtin local_invocation_index\n" \
    "  input vec3<u32> builtin global_invocation_id\n}\n"

TEST(memory_and_inputs) {
    struct analysed a;
    analyse(&a,
        HEAD "function #0 \"main\" () -> void {\n"
             "  %1 \"lid\" = load_input [0] : vec3<u32>\n"
             "  %2 \"wid\" = load_input [1] : vec3<u32>\n"
             "  %3 \"x\" = extract %1 [0] : u32\n"
             "  %4 \"y\" = extract %1 [1] : u32\n"
             "  %5 \"z\" = extract %1 [2] : u32\n"
             "  %6 = variable [0] : ptr<storage, array<u32>, read_write>\n"
             "  %7 = variable [1] : ptr<storage, array<u32>, read>\n"
             "  %8 = variable [2] : ptr<uniform, u32, read>\n"
             "  %9 \"n\" = load %8 : u32\n"
             "  %10 = access %6, %9 : ptr<storage, u32, read_write>\n"
             "  %11 \"rw_n\" = load %10 : u32\n"
             "  %12 = access %7, %9 : ptr<storage, u32, read>\n"
             "  %13 \"ro_n\" = load %12 : u32\n"
             "  %14 = access %7, %3 : ptr<storage, u32, read>\n"
             "  %15 \"ro_x\" = load %14 : u32\n"
             "  %16 \"sum\" = add.i %13, %4 : u32\n"
             "  return\n}\n" ENTRY(16, 4),
        8, 16, 4);
    CHECK_EQ(level(&a, "lid"), IR_VARYING);
    CHECK_EQ(level(&a, "wid"), IR_UNIFORM_WORKGROUP);
    CHECK_EQ(level(&a, "x"), IR_VARYING);
    CHECK_EQ(level(&a, "y"), IR_UNIFORM_VECTOR);    // 16 is a multiple of 8
    CHECK_EQ(level(&a, "z"), IR_UNIFORM_WORKGROUP); // always 0
    CHECK_EQ(level(&a, "n"), IR_UNIFORM_WORKGROUP);
    CHECK_EQ(level(&a, "rw_n"), IR_UNIFORM_VECTOR);
    CHECK_EQ(level(&a, "ro_n"), IR_UNIFORM_WORKGROUP);
    CHECK_EQ(level(&a, "ro_x"), IR_VARYING);
    CHECK_EQ(level(&a, "sum"), IR_UNIFORM_VECTOR);
    finish(&a);
}

TEST(control_flow) {
    struct analysed a;
    // A varying condition joins uniform values to a varying one; a loop that lanes leave at
    // different times gives a varying result although its counter is uniform in each iteration.
    analyse(&a,
        HEAD "function #0 \"main\" () -> void {\n"
             "  %1 = load_input [2] : u32\n"
             "  %2 = variable [2] : ptr<uniform, u32, read>\n"
             "  %3 = load %2 : u32\n"
             "  %4 = eq.i %1, u32(3) : bool\n"
             "  %5 \"joined\", %6 \"same\" = if %4 : u32, u32 then {\n"
             "    exit_if u32(1), %3\n"
             "  } else {\n"
             "    exit_if u32(2), %3\n"
             "  }\n"
             "  %7 = eq.i %3, u32(3) : bool\n"
             "  %8 \"uniform_join\" = if %7 : u32 then {\n"
             "    exit_if u32(1)\n"
             "  } else {\n"
             "    exit_if u32(2)\n"
             "  }\n"
             "  %9 \"left_at\" = loop u32(0) : u32 body (%10: u32 \"counter\") {\n"
             "    %11 = ge.u %10, %1 : bool\n"
             "    if %11 then {\n"
             "      exit_loop %10\n"
             "    } else {\n"
             "      exit_if\n"
             "    }\n"
             "    continue\n"
             "  } continuing {\n"
             "    %12 = add.i %10, u32(1) : u32\n"
             "    next_iteration %12\n"
             "  }\n"
             "  %13 \"uniform_left_at\" = loop u32(0) : u32 body (%14: u32) {\n"
             "    %15 = ge.u %14, %3 : bool\n"
             "    if %15 then {\n"
             "      exit_loop %14\n"
             "    } else {\n"
             "      exit_if\n"
             "    }\n"
             "    continue\n"
             "  } continuing {\n"
             "    %16 = add.i %14, u32(1) : u32\n"
             "    next_iteration %16\n"
             "  }\n"
             "  return\n}\n" ENTRY(64, 1),
        8, 64, 1);
    CHECK_EQ(level(&a, "joined"), IR_VARYING);
    CHECK_EQ(level(&a, "same"), IR_UNIFORM_WORKGROUP);
    CHECK_EQ(level(&a, "uniform_join"), IR_UNIFORM_WORKGROUP);
    CHECK_EQ(level(&a, "counter"), IR_UNIFORM_WORKGROUP);
    CHECK_EQ(level(&a, "left_at"), IR_VARYING);
    CHECK_EQ(level(&a, "uniform_left_at"), IR_UNIFORM_WORKGROUP);
    finish(&a);
}

// Lanes that break out of a switch early make an exit of the loop around it divergent.
TEST(divergent_break_in_switch) {
    struct analysed a;
    analyse(&a,
        HEAD "function #0 \"main\" () -> void {\n"
             "  %1 = load_input [2] : u32\n"
             "  %2 \"left_at\" = loop u32(0) : u32 body (%3: u32) {\n"
             "    switch u32(0) case default {\n"
             "      %4 = ge.u %3, %1 : bool\n"
             "      if %4 then {\n"
             "        exit_switch\n"
             "      } else {\n"
             "        exit_if\n"
             "      }\n"
             "      exit_loop %3\n"
             "    }\n"
             "    continue\n"
             "  } continuing {\n"
             "    %5 = add.i %3, u32(1) : u32\n"
             "    next_iteration %5\n"
             "  }\n"
             "  return\n}\n" ENTRY(64, 1),
        8, 64, 1);
    CHECK_EQ(level(&a, "left_at"), IR_VARYING);
    finish(&a);
}

static const char index_arithmetic[] = HEAD "function #0 \"main\" () -> void {\n"
                                            "  %1 = load_input [0] : vec3<u32>\n"
                                            "  %2 = load_input [3] : vec3<u32>\n"
                                            "  %3 \"lx\" = extract %1 [0] : u32\n"
                                            "  %4 \"ly\" = extract %1 [1] : u32\n"
                                            "  %5 \"gx\" = extract %2 [0] : u32\n"
                                            "  %6 = variable [2] : ptr<uniform, u32, read>\n"
                                            "  %7 = load %6 : u32\n"
                                            "  %8 \"row\" = mul.i %4, %7 : u32\n"
                                            "  %9 \"cell\" = add.i %8, %5 : u32\n"
                                            "  %10 \"times4\" = mul.i %5, u32(4) : u32\n"
                                            "  %11 \"masked\" = and %5, u32(63) : u32\n"
                                            "  %12 \"high\" = shr.u %5, u32(3) : u32\n"
                                            "  %13 \"low\" = and %5, u32(7) : u32\n"
                                            "  %14 \"split\" = shr.u %5, u32(1) : u32\n"
                                            "  %15 \"square\" = mul.i %5, %5 : u32\n"
                                            "  %16 \"partner\" = xor %5, u32(8) : u32\n"
                                            "  %17 \"neighbour\" = xor %5, u32(1) : u32\n"
                                            "  %18 \"back\" = sub.i u32(100), %5 : u32\n"
                                            "  return\n}\n" ENTRY(16, 4);

TEST(strides) {
    struct analysed a;
    analyse(&a, index_arithmetic, 8, 16, 4);
    CHECK_EQ(affine(&a, "lx").is_affine, true);
    CHECK_EQ(affine(&a, "lx").stride, 1);
    CHECK_EQ(affine(&a, "lx").base_alignment, 8);
    CHECK_EQ(affine(&a, "lx").high, 15);
    CHECK_EQ(affine(&a, "ly").is_affine, true);
    CHECK_EQ(affine(&a, "ly").stride, 0);
    CHECK_EQ(affine(&a, "ly").high, 3);
    CHECK_EQ(affine(&a, "gx").stride, 1);
    CHECK_EQ(affine(&a, "gx").base_alignment, 8);
    CHECK_EQ(affine(&a, "row").stride, 0);
    CHECK_EQ(affine(&a, "cell").is_affine, true);
    CHECK_EQ(affine(&a, "cell").stride, 1);
    CHECK_EQ(affine(&a, "times4").stride, 4);
    CHECK_EQ(affine(&a, "times4").base_alignment, 32);
    CHECK_EQ(affine(&a, "masked").is_affine, true); // 8 lanes never cross a multiple of 64
    CHECK_EQ(affine(&a, "masked").stride, 1);
    CHECK_EQ(affine(&a, "masked").high, 63);
    CHECK_EQ(affine(&a, "high").is_affine, true); // one value for the 8 lanes
    CHECK_EQ(affine(&a, "high").stride, 0);
    CHECK_EQ(affine(&a, "low").stride, 1);
    CHECK_EQ(affine(&a, "split").is_affine, false);
    CHECK_EQ(affine(&a, "square").is_affine, false);
    CHECK_EQ(affine(&a, "partner").is_affine, true);
    CHECK_EQ(affine(&a, "partner").stride, 1);
    CHECK_EQ(affine(&a, "neighbour").is_affine, false);
    CHECK_EQ(affine(&a, "back").stride, -1);
    finish(&a);
}

// With 16 lanes over rows of 4 nothing is consecutive but the index.
TEST(narrow_rows) {
    struct analysed a;
    analyse(&a,
        HEAD "function #0 \"main\" () -> void {\n"
             "  %1 = load_input [0] : vec3<u32>\n"
             "  %2 \"lx\" = extract %1 [0] : u32\n"
             "  %3 \"ly\" = extract %1 [1] : u32\n"
             "  %4 \"index\" = load_input [2] : u32\n"
             "  return\n}\n" ENTRY(4, 8),
        16, 4, 8);
    CHECK_EQ(affine(&a, "lx").is_affine, false);
    CHECK_EQ(affine(&a, "ly").is_affine, false);
    CHECK_EQ(affine(&a, "lx").high, 3);
    CHECK_EQ(affine(&a, "index").stride, 1);
    CHECK_EQ(affine(&a, "index").high, 31);
    finish(&a);
}

// Grid-stride loop: the counter starts affine and grows by a uniform step.
TEST(loop_parameters) {
    struct analysed a;
    analyse(&a,
        HEAD "function #0 \"main\" () -> void {\n"
             "  %1 = load_input [3] : vec3<u32>\n"
             "  %2 = extract %1 [0] : u32\n"
             "  %3 = variable [2] : ptr<uniform, u32, read>\n"
             "  %4 = load %3 : u32\n"
             "  loop %2, u32(10), i32(0) body (%5: u32 \"i\", %6: u32 \"down\", %7: i32 \"up\") {\n"
             "    %8 = lt.s %7, i32(20) : bool\n"
             "    if %8 then {\n"
             "      exit_if\n"
             "    } else {\n"
             "      exit_loop\n"
             "    }\n"
             "    continue\n"
             "  } continuing {\n"
             "    %9 = add.i %5, %4 : u32\n"
             "    %10 = shr.u %6, u32(1) : u32\n"
             "    %11 = add.i %7, i32(3) : i32\n"
             "    next_iteration %9, %10, %11\n"
             "  }\n"
             "  return\n}\n" ENTRY(64, 1),
        8, 64, 1);
    CHECK_EQ(affine(&a, "i").is_affine, true);
    CHECK_EQ(affine(&a, "i").stride, 1);
    CHECK_EQ(affine(&a, "down").high, 10);
    CHECK_EQ(affine(&a, "down").low, 0);
    CHECK_EQ(affine(&a, "up").low, 0);
    CHECK_EQ(affine(&a, "up").high, 22); // 19 + 3, where it stops
    finish(&a);
}

CHECK_MAIN(memory_and_inputs, control_flow, divergent_break_in_switch, strides, narrow_rows,
    loop_parameters)
