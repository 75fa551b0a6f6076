// SPDX-License-Identifier: MIT
//
// The interpreter on hand-written IR; expected values are worked out by hand from ir.h.
#include "check.h"

#include "oracle/interpreter.h"
#include "shader/ir/ir_text.h"

// Runs the only entry point with one storage buffer at (0, 0); true when it ended well.
static enum interpreter_status run(const char *source, void *data, uint64_t size_bytes,
    uint32_t groups, char *reason, size_t room) {
    struct arena arena;
    struct text_buffer error = {0};
    arena_init(&arena, MEMORY_TEST);
    struct ir_module *module = ir_read(text_from_string(source), &arena, &error);
    enum interpreter_status status = INTERPRETER_FAULT;
    if (CHECK(module != NULL) && CHECK(ir_validate(module, &error))) {
        struct interpreter_binding binding = {.data = data, .size_bytes = size_bytes};
        struct interpreter_options options = {
            .bindings = &binding,
            .binding_count = 1,
            .num_workgroups = {groups, 1, 1},
            .step_limit = 100000,
        };
        status = interpreter_run(module, &options, &error);
    }
    if (error.length != 0 && room == 0) {
        fprintf(stderr, "%s\n", error.data);
    }
    if (room != 0) {
        snprintf(reason, room, "%s", error.data == NULL ? "" : error.data);
    }
    text_buffer_finish(&error);
    arena_finish(&arena);
    return status;
}

#define BUFFER "variable #0 storage read_write array<u32> \"out\" group 0 binding 0\n"
#define POINTER "ptr<storage, array<u32>, read_write>"
#define ELEMENT "ptr<storage, u32, read_write>"
#define ENTRY(size, number) \
    "entry compute \"main\" #" number " workgroup_size(" size ", 1, 1) {\n" \
    "input u32 builtin local_invocation_index\ninput u32 builtin workgroup_index\n}\n"

TEST(a_loop_with_swapped_parameters) {
    // (a, b) = (1, 0); 5 times (a, b) = (b, a + b): 0 1 1 2 3 -> b = 3, a = 2... by hand: after
    // k steps a = F(k - 1), b = F(k) with F(1) = F(2) = 1 and a = 1, b = 0 at k = 0.
    uint32_t out[2] = {0};
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\n"
                        "%1, %2 = loop u32(0), u32(1), u32(0) : u32, u32 "
                        "body (%3: u32, %4: u32, %5: u32) {\n"
                        " %6 = ge.u %3, u32(5) : bool\n"
                        " if %6 then {\n exit_loop %4, %5\n } else {\n exit_if\n }\n"
                        " continue %3\n"
                        "} continuing (%7: u32) {\n"
                        " %8 = add.i %7, u32(1) : u32\n"
                        " %9 = add.i %4, %5 : u32\n"
                        " next_iteration %8, %5, %9\n"
                        "}\n"
                        "%10 = variable [0] : " POINTER "\n"
                        "%11 = access %10, u32(0) : " ELEMENT "\n"
                        "store %11, %1\n"
                        "%12 = access %10, u32(1) : " ELEMENT "\n"
                        "store %12, %2\n"
                        "return\n}\n" ENTRY("1", "0"),
                 out, sizeof(out), 1, NULL, 0),
        INTERPRETER_OK);
    CHECK_EQ(out[0], 3);
    CHECK_EQ(out[1], 5);
}

TEST(break_if_gives_the_loops_results) {
    uint32_t out[1] = {0};
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\n"
                        "%1 = loop u32(1) : u32 body (%2: u32) {\n continue\n"
                        "} continuing {\n"
                        " %3 = mul.i %2, u32(3) : u32\n"
                        " %4 = gt.u %3, u32(100) : bool\n"
                        " %5 = add.i %3, u32(1000) : u32\n"
                        " break_if %4, %3, %5 [arguments 1]\n"
                        "}\n"
                        "%6 = variable [0] : " POINTER "\n"
                        "%7 = access %6, u32(0) : " ELEMENT "\n"
                        "store %7, %1\nreturn\n}\n" ENTRY("1", "0"),
                 out, sizeof(out), 1, NULL, 0),
        INTERPRETER_OK);
    CHECK_EQ(out[0], 1243);
}

TEST(a_switch_with_default_among_the_cases) {
    uint32_t out[6] = {0};
    // out[i] = i == 1 or 4: 10; i == 2: return early; else: 20
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\n"
                        "%1 = load_input [0] : u32\n"
                        "%2 = variable [0] : " POINTER "\n"
                        "%3 = access %2, %1 : " ELEMENT "\n"
                        "%4 = switch %1 : u32 case 1 4 {\n exit_switch u32(10)\n"
                        "} case 9 default {\n exit_switch u32(20)\n} case 2 {\n return\n}\n"
                        "store %3, %4\nreturn\n}\n" ENTRY("6", "0"),
                 out, sizeof(out), 1, NULL, 0),
        INTERPRETER_OK);
    uint32_t expected[6] = {20, 10, 0, 20, 10, 20};
    CHECK_BYTES(out, expected, sizeof(out));
}

TEST(barriers_in_a_uniform_loop) {
    // Each of 4 rounds: read the neighbour's value after a barrier, add, write after a barrier.
    // values start as 1, 2, 3, 4; v[i] += v[(i + 1) % 4]
    uint32_t out[4] = {0};
    const char *source = BUFFER "variable #1 workgroup read_write array<u32, 4> \"w\"\n"
                                "function #0 \"main\" () -> void {\n"
                                "%1 = load_input [0] : u32\n"
                                "%2 = variable [1] : ptr<workgroup, array<u32, 4>, read_write>\n"
                                "%3 = access %2, %1 : ptr<workgroup, u32, read_write>\n"
                                "%4 = add.i %1, u32(1) : u32\n"
                                "%5 = and %4, u32(3) : u32\n"
                                "%6 = access %2, %5 : ptr<workgroup, u32, read_write>\n"
                                "store %3, %4\n"
                                "loop u32(0) body (%7: u32) {\n"
                                " %8 = lt.u %7, u32(4) : bool\n"
                                " if %8 then {\n exit_if\n } else {\n exit_loop\n }\n"
                                " workgroup_barrier\n"
                                " %9 = load %6 : u32\n"
                                " %10 = load %3 : u32\n"
                                " %11 = add.i %9, %10 : u32\n"
                                " workgroup_barrier\n"
                                " store %3, %11\n"
                                " continue\n"
                                "} continuing {\n"
                                " %12 = add.i %7, u32(1) : u32\n next_iteration %12\n}\n"
                                "%13 = variable [0] : " POINTER "\n"
                                "%14 = access %13, %1 : " ELEMENT "\n"
                                "%15 = load %3 : u32\nstore %14, %15\nreturn\n}\n" ENTRY("4", "0");
    CHECK_EQ(run(source, out, sizeof(out), 1, NULL, 0), INTERPRETER_OK);
    uint32_t v[4] = {1, 2, 3, 4};
    for (int round = 0; round < 4; round++) {
        uint32_t next[4];
        for (int i = 0; i < 4; i++) {
            next[i] = v[i] + v[(i + 1) % 4];
        }
        memcpy(v, next, sizeof(v));
    }
    CHECK_BYTES(out, v, sizeof(out));
}

TEST(workgroup_memory_is_zero_in_every_workgroup_and_private_is_initialised) {
    uint32_t out[6] = {0};
    CHECK_EQ(run(BUFFER "variable #1 workgroup read_write atomic<u32> \"w\"\n"
                        "variable #2 private read_write u32 \"p\" constant u32(7)\n"
                        "function #0 \"main\" () -> void {\n"
                        "%1 = load_input [0] : u32\n%2 = load_input [1] : u32\n"
                        "%3 = variable [1] : ptr<workgroup, atomic<u32>, read_write>\n"
                        "%4 = atomic_add %3, u32(5) : u32\n"
                        "%5 = variable [2] : ptr<private, u32, read_write>\n"
                        "%6 = load %5 : u32\n"
                        "store %5, u32(0)\n"
                        "%7 = add.i %6, %4 : u32\n"
                        "%8 = mul.i %2, u32(2) : u32\n"
                        "%9 = add.i %8, %1 : u32\n"
                        "%10 = variable [0] : " POINTER "\n"
                        "%11 = access %10, %9 : " ELEMENT "\n"
                        "store %11, %7\nreturn\n}\n" ENTRY("2", "0"),
                 out, sizeof(out), 3, NULL, 0),
        INTERPRETER_OK);
    uint32_t expected[6] = {7, 12, 7, 12, 7, 12};
    CHECK_BYTES(out, expected, sizeof(out));
}

TEST(workgroup_uniform_load_waits_for_every_invocation) {
    uint32_t out[3] = {0};
    // The last invocation stores before the load of all.
    CHECK_EQ(run(BUFFER "variable #1 workgroup read_write u32 \"w\"\n"
                        "function #0 \"main\" () -> void {\n"
                        "%1 = load_input [0] : u32\n"
                        "%2 = variable [1] : ptr<workgroup, u32, read_write>\n"
                        "%3 = eq.i %1, u32(2) : bool\n"
                        "if %3 then {\n store %2, u32(99)\n exit_if\n} else {\n exit_if\n}\n"
                        "%4 = workgroup_uniform_load %2 : u32\n"
                        "store %2, %1\n"
                        "%5 = add.i %4, %1 : u32\n"
                        "%6 = variable [0] : " POINTER "\n"
                        "%7 = access %6, %1 : " ELEMENT "\n"
                        "store %7, %5\nreturn\n}\n" ENTRY("3", "0"),
                 out, sizeof(out), 1, NULL, 0),
        INTERPRETER_OK);
    uint32_t expected[3] = {99, 100, 101};
    CHECK_BYTES(out, expected, sizeof(out));
}

TEST(invalid_pointers_read_zero_and_write_nothing) {
    uint32_t out[4] = {1, 2, 3, 4};
    // Index -1 and index length: stores vanish, loads give 0; array_length is 4.
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\n"
                        "%1 = variable [0] : " POINTER "\n"
                        "%2 = array_length %1 : u32\n"
                        "%3 = access %1, %2 : " ELEMENT "\n"
                        "store %3, u32(77)\n"
                        "%4 = load %3 : u32\n"
                        "%5 = access %1, i32(-1) : " ELEMENT "\n"
                        "store %5, u32(78)\n"
                        "%6 = load %5 : u32\n"
                        "%7 = access %1, u32(0) : " ELEMENT "\n"
                        "%8 = add.i %4, %6 : u32\n"
                        "store %7, %8\n"
                        "%9 = access %1, u32(1) : " ELEMENT "\n"
                        "store %9, %2\n"
                        "return\n}\n" ENTRY("1", "0"),
                 out, sizeof(out), 1, NULL, 0),
        INTERPRETER_OK);
    uint32_t expected[4] = {0, 4, 3, 4};
    CHECK_BYTES(out, expected, sizeof(out));
}

TEST(calls_with_pointers_and_results) {
    uint32_t out[2] = {0};
    CHECK_EQ(
        run(BUFFER "function #0 \"bump\" (%1: ptr<function, array<u32, 2>, read_write>, %2: u32) "
                   "-> u32 {\n"
                   "%3 = access %1, %2 : ptr<function, u32, read_write>\n"
                   "%4 = load %3 : u32\n"
                   "%5 = add.i %4, u32(10) : u32\n"
                   "store %3, %5\n"
                   "return %4\n}\n"
                   "function #1 \"main\" () -> void {\n"
                   "%1 = var : ptr<function, array<u32, 2>, read_write>\n"
                   "store %1, array<u32, 2>(1, 2)\n"
                   "%2 = call %1, u32(1) [0] : u32\n"
                   "%3 = call %1, u32(1) [0] : u32\n"
                   "%4 = load %1 : array<u32, 2>\n"
                   "%5 = extract %4 [1] : u32\n"
                   "%6 = add.i %5, %3 : u32\n"
                   "%7 = variable [0] : " POINTER "\n"
                   "%8 = access %7, u32(0) : " ELEMENT "\n"
                   "store %8, %6\n"
                   "%9 = access %7, u32(1) : " ELEMENT "\n"
                   "store %9, %2\n"
                   "return\n}\n" ENTRY("1", "1"),
            out, sizeof(out), 1, NULL, 0),
        INTERPRETER_OK);
    CHECK_EQ(out[0], 22 + 12);
    CHECK_EQ(out[1], 2);
}

TEST(atomics) {
    struct {
        const char *op;
        uint32_t before, after, old;
    } rows[] = {
        {"atomic_add %3, i32(-3)", 5, 2, 5},
        {"atomic_sub %3, i32(7)", 5, (uint32_t)-2, 5},
        {"atomic_max %3, i32(-1)", (uint32_t)-5, (uint32_t)-1, (uint32_t)-5},
        {"atomic_min %3, i32(-1)", 5, (uint32_t)-1, 5},
        {"atomic_and %3, i32(6)", 5, 4, 5},
        {"atomic_or %3, i32(6)", 5, 7, 5},
        {"atomic_xor %3, i32(6)", 5, 3, 5},
        {"atomic_exchange %3, i32(6)", 5, 6, 5},
        {"atomic_load %3", 5, 5, 5},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char source[1024];
        uint32_t out[2] = {rows[i].before, 0};
        snprintf(source, sizeof(source),
            "struct #0 \"S\" { \"a\": atomic<i32>, \"b\": i32 }\n"
            "variable #0 storage read_write struct#0 \"s\" group 0 binding 0\n"
            "function #0 \"main\" () -> void {\n"
            "%%2 = variable [0] : ptr<storage, struct#0, read_write>\n"
            "%%3 = access %%2, u32(0) : ptr<storage, atomic<i32>, read_write>\n"
            "%%4 = %s : i32\n"
            "%%5 = access %%2, u32(1) : ptr<storage, i32, read_write>\n"
            "store %%5, %%4\nreturn\n}\n" ENTRY("1", "0"),
            rows[i].op);
        CHECK_EQ(run(source, out, sizeof(out), 1, NULL, 0), INTERPRETER_OK);
        CHECK_EQ(out[0], rows[i].after);
        CHECK_EQ(out[1], rows[i].old);
    }
}

TEST(what_breaks_the_rules_is_a_fault) {
    uint32_t out[4] = {0};
    char reason[128];
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\n"
                        "%1 = load_input [0] : u32\n%2 = eq.i %1, u32(0) : bool\n"
                        "if %2 then {\n workgroup_barrier\n exit_if\n} else {\n exit_if\n}\n"
                        "return\n}\n" ENTRY("2", "0"),
                 out, sizeof(out), 1, reason, sizeof(reason)),
        INTERPRETER_FAULT);
    CHECK_STR(reason, "a barrier is not reached by every invocation");
    CHECK_EQ(
        run(BUFFER "function #0 \"main\" () -> void {\n"
                   "%1 = load_input [0] : u32\n%2 = eq.i %1, u32(0) : bool\n"
                   "if %2 then {\n workgroup_barrier\n exit_if\n} else {\n workgroup_barrier\n "
                   "exit_if\n}\nreturn\n}\n" ENTRY("2", "0"),
            out, sizeof(out), 1, reason, sizeof(reason)),
        INTERPRETER_FAULT);
    CHECK_STR(reason, "invocations wait at different barriers");
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\n"
                        "%1 = variable [0] : " POINTER "\n"
                        "%2 = access %1, u32(4) [in_bounds 1] : " ELEMENT
                        "\nreturn\n}\n" ENTRY("1", "0"),
                 out, sizeof(out), 1, reason, sizeof(reason)),
        INTERPRETER_FAULT);
    CHECK_STR(reason, "an index marked in_bounds is out of range");
    CHECK_EQ(run(BUFFER "function #0 \"main\" () -> void {\nunreachable\n}\n" ENTRY("1", "0"), out,
                 sizeof(out), 1, reason, sizeof(reason)),
        INTERPRETER_FAULT);
    CHECK_STR(reason, "unreachable was reached");
    CHECK_EQ(
        run(BUFFER
            "function #0 \"main\" () -> void {\n"
            "loop body {\n continue\n} continuing {\n next_iteration\n}\nunreachable\n}\n" ENTRY(
                "1", "0"),
            out, sizeof(out), 1, reason, sizeof(reason)),
        INTERPRETER_STEP_LIMIT);
}

TEST(overrides_and_sizes_that_depend_on_them) {
    const char *source =
        "override #0 u32 \"n\"\n"
        "override #1 u32 \"m\"\n" BUFFER
        "variable #1 workgroup read_write array<u32, override 0> \"w\"\n"
        "variable #2 private read_write u32 \"p\"\n"
        "initialisation #0\n"
        "function #0 () -> void {\n"
        "%1 = override [0] : u32\n"
        "%2 = add.i %1, u32(1) : u32\n"
        "%3 = gt.u %2, u32(3) : bool\n"
        "%4 = if %3 : u32 then {\n %5 = override [1] : u32\n exit_if %5\n} else {\n "
        "exit_if u32(0)\n}\n"
        "return\n}\n"
        "function #1 \"main\" () -> void {\n"
        "%1 = load_input [0] : u32\n"
        "%2 = variable [1] : ptr<workgroup, array<u32, override 0>, read_write>\n"
        "%3 = access %2, u32(3) : ptr<workgroup, u32, read_write>\n"
        "store %3, u32(5)\n"
        "%4 = access %2, u32(4) : ptr<workgroup, u32, read_write>\n"
        "store %4, u32(6)\n"
        "%5 = load %3 : u32\n%6 = load %4 : u32\n"
        "%7 = variable [2] : ptr<private, u32, read_write>\n%8 = load %7 : u32\n"
        "%9 = override [1] : u32\n"
        "%10 = variable [0] : " POINTER "\n"
        "%11 = access %10, u32(0) : " ELEMENT "\nstore %11, %5\n"
        "%12 = access %10, u32(1) : " ELEMENT "\nstore %12, %6\n"
        "%13 = access %10, u32(2) : " ELEMENT "\nstore %13, %8\n"
        "%14 = access %10, u32(3) : " ELEMENT "\nstore %14, %9\n"
        "return\n}\n"
        "override_value #0 = u32(3)\noverride_value #1 = u32(40)\n"
        "variable_value #2 = %4\ncount #0 = %2\n"
        "entry compute \"main\" #1 workgroup_size(%1, 1, 1) {\n"
        "input u32 builtin local_invocation_index\n}\n";
    uint32_t out[4] = {0};
    CHECK_EQ(run(source, out, sizeof(out), 1, NULL, 0), INTERPRETER_OK);
    uint32_t expected[4] = {5, 0, 40, 40};
    CHECK_BYTES(out, expected, sizeof(out));
}

CHECK_MAIN(a_loop_with_swapped_parameters, break_if_gives_the_loops_results,
    a_switch_with_default_among_the_cases, barriers_in_a_uniform_loop,
    workgroup_memory_is_zero_in_every_workgroup_and_private_is_initialised,
    workgroup_uniform_load_waits_for_every_invocation, invalid_pointers_read_zero_and_write_nothing,
    calls_with_pointers_and_results, atomics, what_breaks_the_rules_is_a_fault,
    overrides_and_sizes_that_depend_on_them)
