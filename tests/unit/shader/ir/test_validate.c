// SPDX-License-Identifier: MIT
//
// The validator: a valid module passes, and each rule has a module that breaks it alone.
#include "ir_test.h"
#include "shader/ir/ir_builder.h"

#define MAIN(body) "function #0 \"main\" () -> void {\n" body "}\n"

static void check_valid(const char *source) {
    struct ir_test test = ir_test_read(source);
    CHECK(ir_test_is_valid(&test));
    ir_test_finish(&test);
}

// Refused, and the first message holds the reason.
static void check_refused(int line, const char *source, const char *reason) {
    struct ir_test test = ir_test_read(source);
    bool was_read = test.module != NULL;
    bool is_refused = was_read && !ir_validate(test.module, &test.error);
    const char *message = test.error.data == NULL ? "" : test.error.data;
    if (!CHECK(was_read) || !CHECK(is_refused) || !CHECK(strstr(message, reason) != NULL)) {
        fprintf(stderr, "    line %d: wanted \"%s\", got \"%s\"\n", line, reason, message);
    }
    ir_test_finish(&test);
}

#define REFUSED(source, reason) check_refused(__LINE__, source, reason)

TEST(valid_modules_pass) {
    check_valid(MAIN("return\n"));
    check_valid(MAIN("%1 = add.i i32(1), i32(2) : i32\n"
                     "%2 = if bool(true) : i32 then {\n exit_if %1\n} else {\n return\n}\n"
                     "%3 = add.i %2, %1 : i32\n"
                     "return\n"));
    // A value before the first continue is in scope of the continuing region.
    check_valid(MAIN("loop u32(0) body (%1: u32) {\n"
                     " %2 = lt.u %1, u32(9) : bool\n"
                     " if %2 then {\n exit_if\n} else {\n exit_loop\n}\n"
                     " switch %1 case 3 {\n continue\n} case default {\n exit_switch\n}\n"
                     " continue\n"
                     "} continuing {\n"
                     " %3 = add.i %1, u32(1) : u32\n"
                     " next_iteration %3\n"
                     "}\nreturn\n"));
    check_valid(MAIN("if bool(true) then {\n return\n} else {\n return\n}\nunreachable\n"));
}

TEST(links_and_scope) {
    REFUSED(MAIN("%1 = add.i i32(1), i32(2) : i32\n"), "does not end in a terminator");
    REFUSED(MAIN("return\nreturn\n"), "operations follow a terminator");
    REFUSED(MAIN(""), "a region is empty");
    // The reader takes any number that stands above; the scope is the validator's.
    REFUSED(MAIN("if bool(true) then {\n %1 = neg.i i32(1) : i32\n exit_if\n} else {\n exit_if\n}\n"
                 "%2 = neg.i %1 : i32\nreturn\n"),
        "not defined here");
    REFUSED(MAIN("loop body {\n"
                 " if bool(true) then {\n continue\n} else {\n exit_if\n}\n"
                 " %1 = neg.i i32(1) : i32\n continue\n"
                 "} continuing {\n %2 = neg.i %1 : i32\n next_iteration\n}\nreturn\n"),
        "not defined here");
}

TEST(control_flow) {
    REFUSED(MAIN("exit_if\n"), "no construct of its kind");
    REFUSED(MAIN("exit_loop\n"), "no construct of its kind");
    REFUSED(MAIN("continue\n"), "no loop body to continue");
    REFUSED(MAIN("next_iteration\n"), "only a continuing region");
    REFUSED(MAIN("if i32(1) then {\n exit_if\n} else {\n exit_if\n}\nreturn\n"), "not a bool");
    REFUSED(MAIN("if bool(true) then {\n return\n} else {\n return\n}\nreturn\n"),
        "followed by unreachable");
    REFUSED(
        MAIN("%1 = if bool(true) : i32 then {\n exit_if i32(1)\n} else {\n exit_if\n}\nreturn\n"),
        "do not fit the results");
    REFUSED(MAIN("%1 = if bool(true) : i32 then {\n exit_if i32(1)\n} else {\n exit_if f32(1)\n}\n"
                 "return\n"),
        "do not fit the results");
    REFUSED(MAIN("loop body {\n continue\n} continuing {\n return\n}\nreturn\n"),
        "return stands in a continuing region");
    REFUSED(MAIN("loop body {\n continue\n} continuing {\n exit_loop\n}\nreturn\n"),
        "no construct of its kind");
    REFUSED(
        MAIN("loop i32(0) body (%1: f32) {\n exit_loop\n} continuing {\n next_iteration f32(0)\n}\n"
             "return\n"),
        "do not fit the body's parameters");
    REFUSED(MAIN("loop body {\n continue i32(1)\n} continuing {\n next_iteration\n}\nreturn\n"),
        "continuing region's parameters");
    REFUSED(MAIN("loop body {\n continue\n} continuing {\n break_if i32(1)\n}\nreturn\n"),
        "not a bool");
    REFUSED(MAIN("loop body {\n continue\n} continuing {\n next_iteration i32(1)\n}\nreturn\n"),
        "wrong number of operands for the loop");
    REFUSED(MAIN("switch i32(1) case 1 {\n exit_switch\n}\nreturn\n"), "exactly one default");
    REFUSED(
        MAIN("switch i32(1) case 1 {\n exit_switch\n} case 1 default {\n exit_switch\n}\nreturn\n"),
        "the same selector");
    REFUSED(MAIN("switch f32(1) case default {\n exit_switch\n}\nreturn\n"), "neither i32 nor u32");
    // exit_switch does not cross a loop, exit_if does not cross a switch.
    REFUSED(MAIN("switch i32(1) case default {\n loop body {\n exit_switch\n} continuing {\n "
                 "next_iteration\n}\n exit_switch\n}\nreturn\n"),
        "no construct of its kind");
    REFUSED(
        MAIN(
            "if bool(true) then {\n switch i32(1) case default {\n exit_if\n}\n exit_if\n} else {\n "
            "exit_if\n}\nreturn\n"),
        "no construct of its kind");
    REFUSED(MAIN("return i32(1)\n"), "does not fit the function's type");
    REFUSED("function #0 () -> i32 {\n return\n}\n", "does not fit the function's type");
    REFUSED(MAIN("if bool(true) then (%1: i32) {\n exit_if\n} else {\n exit_if\n}\nreturn\n"),
        "only a loop's regions have parameters");
}

#define ONE(text) MAIN(text "\nreturn\n")
#define OPERAND "that the operation does not admit"
#define RESULT "does not follow from the operands"
#define COUNT "wrong number"

TEST(types_of_values) {
    REFUSED(ONE("%1 = add.i i32(1), u32(2) : i32"), OPERAND);
    REFUSED(ONE("%1 = add.i f32(1), f32(2) : f32"), OPERAND);
    REFUSED(ONE("%1 = add.i i32(1), i32(2) : u32"), RESULT);
    REFUSED(ONE("%1 = add.i i32(1) : i32"), COUNT);
    REFUSED(ONE("%1 = div.s u32(1), u32(2) : u32"), OPERAND);
    REFUSED(ONE("%1 = lt.s i32(1), i32(2) : i32"), RESULT);
    REFUSED(ONE("%1 = lt.s vec2<i32>(1, 2), vec2<i32>(1, 2) : bool"), RESULT);
    REFUSED(ONE("%1 = shl i32(1), i32(2) : i32"), OPERAND);
    REFUSED(ONE("%1 = shl vec2<i32>(1, 2), u32(2) : vec2<i32>"), OPERAND);
    REFUSED(ONE("%1 = extract_bits.u u32(1), u32(1), i32(1) : u32"), OPERAND);
    REFUSED(ONE("%1 = ldexp f32(1), u32(1) : f32"), OPERAND);
    REFUSED(ONE("%1 = frexp.exp f32(1) : f32"), RESULT);
    REFUSED(ONE("%1 = f_to_s f32(1) : u32"), RESULT);
    REFUSED(ONE("%1 = bitcast vec2<f32>(1, 2) : f32"), RESULT);
    REFUSED(ONE("%1 = bitcast bool(true) : u32"), OPERAND);
    REFUSED(ONE("%1 = pack4x8snorm vec2<f32>(1, 2) : u32"), OPERAND);
    REFUSED(ONE("%1 = unpack2x16float u32(1) : vec4<f32>"), RESULT);
    REFUSED(ONE("%1 = dot4I8Packed u32(1), u32(1) : u32"), RESULT);
    REFUSED(ONE("%1 = dot.f vec2<f32>(1, 2), vec2<f32>(1, 2) : vec2<f32>"), RESULT);
    REFUSED(ONE("%1 = dot.f f32(1), f32(2) : f32"), OPERAND);
    REFUSED(ONE("%1 = cross vec2<f32>(1, 2), vec2<f32>(1, 2) : vec2<f32>"), OPERAND);
    REFUSED(ONE("%1 = determinant mat2x3<f32>() : f32"), OPERAND);
    REFUSED(ONE("%1 = transpose mat2x3<f32>() : mat2x3<f32>"), RESULT);
    REFUSED(ONE("%1 = mat_mul_vec mat2x3<f32>(), vec3<f32>(1, 2, 3) : vec3<f32>"), OPERAND);
    REFUSED(ONE("%1 = mat_mul_mat mat2x3<f32>(), mat2x2<f32>() : mat2x2<f32>"), RESULT);
    REFUSED(ONE("%1 = vec_mul_mat vec3<f32>(), mat2x3<f32>() : vec3<f32>"), RESULT);
}

TEST(types_of_composites) {
    REFUSED(ONE("%1 = construct f32(1), f32(2) : vec3<f32>"), COUNT);
    REFUSED(ONE("%1 = construct f32(1), i32(2) : vec2<f32>"), OPERAND);
    REFUSED(ONE("%1 = splat f32(1) : f32"), RESULT);
    REFUSED(ONE("%1 = extract vec2<f32>(1, 2) [2] : f32"), "outside the composite");
    REFUSED(ONE("%1 = extract vec2<f32>(1, 2) [1] : i32"), RESULT);
    REFUSED(ONE("%1 = extract_dynamic vec2<f32>(1, 2), f32(1) : f32"), OPERAND);
    REFUSED(ONE("%1 = insert vec2<f32>(1, 2), i32(1) [0] : vec2<f32>"), OPERAND);
    REFUSED(ONE("%1 = insert_dynamic vec2<f32>(1, 2), f32(1), f32(0) : vec2<f32>"), OPERAND);
    REFUSED(ONE("%1 = swizzle vec2<f32>(1, 2) [0 2] : vec2<f32>"), "outside the composite");
    REFUSED(ONE("%1 = swizzle f32(1) [0] : f32"), OPERAND);
    REFUSED(ONE("%1 = select f32(1), f32(2), i32(0) : f32"), OPERAND);
    REFUSED(ONE("%1 = select f32(1), i32(2), bool(true) : f32"), OPERAND);
    REFUSED(ONE("%1 = select vec2<f32>(1, 2), vec2<f32>(1, 2), vec3<bool>() : vec2<f32>"), OPERAND);
    REFUSED(ONE("%1 = all vec2<i32>(1, 2) : bool"), OPERAND);
}

#define POINTER "ptr<storage, array<u32>, read>"
#define VARIABLE "variable #0 storage read array<u32> \"a\" group 0 binding 0\n"

TEST(types_of_memory) {
    REFUSED(VARIABLE ONE("%1 = variable [1] : " POINTER), "names nothing");
    REFUSED(VARIABLE ONE("%1 = variable [0] : ptr<storage, array<u32>, read_write>"), RESULT);
    REFUSED(ONE("%1 = var : ptr<private, u32, read_write>"), RESULT);
    REFUSED(VARIABLE ONE("%1 = variable [0] : " POINTER "\n"
                         "%2 = access %1, f32(1) : ptr<storage, u32, read>"),
        "does not fit the store type");
    REFUSED(VARIABLE ONE("%1 = variable [0] : " POINTER "\n"
                         "%2 = access %1, u32(1) : ptr<storage, i32, read>"),
        RESULT);
    REFUSED(VARIABLE ONE("%1 = variable [0] : " POINTER "\n"
                         "%2 = access %1, u32(1) : ptr<storage, u32, read>\n"
                         "store %2, u32(1)"),
        "not writable");
    REFUSED(VARIABLE ONE("%1 = variable [0] : " POINTER "\n%2 = load %1 : array<u32>"), OPERAND);
    REFUSED(ONE("%1 = var : ptr<function, u32, read_write>\nstore %1, i32(1)"), OPERAND);
    REFUSED(ONE("%1 = var : ptr<function, u32, read_write>\n%2 = load %1 : i32"), RESULT);
    REFUSED(ONE("%1 = var : ptr<function, u32, read_write>\n%2 = workgroup_uniform_load %1 : u32"),
        "pointer to workgroup memory");
    REFUSED(ONE("%1 = var : ptr<function, u32, read_write>\n%2 = array_length %1 : u32"), OPERAND);
    REFUSED(ONE("%1 = var : ptr<function, u32, read_write>\n%2 = atomic_load %1 : u32"), OPERAND);
    REFUSED(ONE("%1 = var : ptr<function, u32, read_write>\n"
                "%2 = var : ptr<function, i32, read_write>\ncopy_memory %1, %2"),
        OPERAND);
    REFUSED("variable #0 workgroup read_write atomic<i32> \"a\"\n" ONE(
                "%1 = variable [0] : ptr<workgroup, atomic<i32>, read_write>\n"
                "%2 = atomic_add %1, u32(1) : i32"),
        OPERAND);
    REFUSED("variable #0 workgroup read_write atomic<i32> \"a\"\n" ONE(
                "%1 = variable [0] : ptr<workgroup, atomic<i32>, read_write>\n"
                "%2, %3 = atomic_compare_exchange %1, i32(1), i32(2) : i32, i32"),
        RESULT);
    REFUSED(
        ONE("%1 = var : ptr<function, u32, read_write>\n"
            "%2 = if bool(true) : ptr<function, u32, read_write> then {\n exit_if %1\n} else {\n "
            "exit_if %1\n}"),
        "no pointer results");
}

TEST(functions_and_rows) {
    REFUSED(ONE("call [0]"), "must come before its caller");
    REFUSED(ONE("call [9]"), "names nothing");
    REFUSED("function #0 (%1: u32) -> void {\n return\n}\nfunction #1 () -> void {\n call [0]\n "
            "return\n}\n",
        COUNT);
    REFUSED(
        "function #0 (%1: u32) -> void {\n return\n}\nfunction #1 () -> void {\n call i32(1) [0]\n "
        "return\n}\n",
        OPERAND);
    REFUSED(ONE("%1 = load_input [0] : u32"), "only an entry point's function");
    REFUSED(
        ONE("%1 = load_input [0] : u32") "entry compute \"m\" #0 workgroup_size(1, 1, 1) {\n}\n",
        "names nothing");
    REFUSED(ONE("%1 = load_input [0] : i32") "entry compute \"m\" #0 workgroup_size(1, 1, 1) {\n"
                                             "input u32 builtin local_invocation_index\n}\n",
        RESULT);
    REFUSED(ONE("%1 = override [0] : i32"), "names nothing");
    REFUSED("override #0 u32 \"o\"\n" ONE("%1 = override [0] : i32"), RESULT);
    REFUSED("variable #0 function read_write u32 \"v\"\n" ONE(""), "in the function space");
    REFUSED("variable #0 workgroup read_write u32 \"v\" constant u32(1)\n" ONE(""),
        "only a private variable");
    REFUSED("variable #0 private read_write u32 \"v\" constant i32(1)\n" ONE(""),
        "does not fit its type");
    REFUSED(ONE("") "entry compute \"m\" #4 workgroup_size(1, 1, 1) {\n}\n", "names no function");
    REFUSED(ONE("") "entry compute \"a\" #0 workgroup_size(1, 1, 1) {\n}\n"
                    "entry compute \"b\" #0 workgroup_size(1, 1, 1) {\n}\n",
        "is another's");
    REFUSED("function #0 \"f\" (%1: u32) -> void {\nreturn\n}\n"
            "entry compute \"f\" #0 workgroup_size(1, 1, 1) {\n}\n",
        "has parameters or a result");
    REFUSED("function #0 \"f\" () -> void {\nreturn\n}\n"
            "function #1 \"g\" () -> void {\ncall [0]\nreturn\n}\n"
            "entry compute \"f\" #0 workgroup_size(1, 1, 1) {\n}\n",
        "or the initialisation is called");
    REFUSED("initialisation #3\n" ONE(""), "does not exist");
}

TEST(deeper_nesting_than_the_limit) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    struct ir_module *module = ir_module_create(&arena);
    uint32_t index = ir_function_create(module, TEXT_LITERAL("f"), type_scalar(TYPE_VOID), NULL, 0);
    struct ir_builder builder = ir_builder_create(module, index);
    for (int i = 0; i <= IR_NESTING_LIMIT; i++) {
        ir_op_id op = ir_builder_if(&builder, ir_builder_bool(&builder, true), NULL, 0);
        struct ir_builder other = ir_builder_in(&builder, op, 1);
        struct ir_builder inner = ir_builder_in(&builder, op, 0);
        ir_builder_terminate(&other, IR_EXIT_IF, NULL, 0);
        ir_builder_terminate(&builder, i == 0 ? IR_RETURN : IR_EXIT_IF, NULL, 0);
        builder = inner;
    }
    ir_builder_terminate(&builder, IR_EXIT_IF, NULL, 0);
    struct text_buffer error = {0};
    CHECK(!ir_validate(module, &error));
    CHECK(error.data != NULL && strstr(error.data, "nested too deeply") != NULL);
    text_buffer_finish(&error);
    arena_finish(&arena);
}

TEST(a_failed_allocation_is_kept) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    struct ir_module *module = ir_module_create(&arena);
    uint32_t index = ir_function_create(module, TEXT_LITERAL("f"), type_scalar(TYPE_VOID), NULL, 0);
    struct ir_builder builder = ir_builder_create(module, index);
    // Small enough that the next block cannot be had.
    arena.limit_bytes = arena.used_bytes;
    for (int i = 0; i < 5000; i++) {
        ir_value sum = ir_builder_binary(
            &builder, IR_ADD_I, ir_builder_i32(&builder, i), ir_builder_i32(&builder, 1));
        ir_op_id op = ir_builder_if(&builder, sum, NULL, 0);
        struct ir_builder inner = ir_builder_in(&builder, op, 0);
        ir_builder_terminate(&inner, IR_EXIT_IF, NULL, 0);
    }
    struct text_buffer error = {0};
    CHECK(module->has_failed);
    CHECK(!ir_validate(module, &error));
    text_buffer_finish(&error);
    arena_finish(&arena);
}

CHECK_MAIN(valid_modules_pass, links_and_scope, control_flow, types_of_values, types_of_composites,
    types_of_memory, functions_and_rows, deeper_nesting_than_the_limit, a_failed_allocation_is_kept)
