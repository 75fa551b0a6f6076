// SPDX-License-Identifier: MIT
//
// The builder and the editing functions: result types by family, interning, insertion before an
// operation, unlinking, moving, replacing, and what happens when memory runs out.
#include "ir_test.h"
#include "shader/ir/ir_builder.h"

struct build {
    struct arena arena;
    struct ir_module *module;
    struct ir_builder builder;
};

// The module keeps the address of its arena, which must therefore not move.
static void open(struct build *build) {
    *build = (struct build){0};
    arena_init(&build->arena, MEMORY_TEST);
    build->module = ir_module_create(&build->arena);
    uint32_t index = ir_function_create(
        build->module, TEXT_LITERAL("f"), type_scalar(TYPE_VOID), NULL, 0);
    build->builder = ir_builder_create(build->module, index);
}

static struct ir_function *function_of(struct build *build) {
    return &build->module->functions.items[build->builder.function];
}

static enum type_kind kind_of(struct build *build, ir_value value) {
    return type_kind_of(&build->module->types, ir_value_type(function_of(build), value));
}

// Prints and compares with the text of the function alone.
static void check_body(struct build *build, const char *expected) {
    struct text_buffer text = {0}, error = {0};
    ir_print(&text, build->module);
    CHECK_STR(text.data, expected);
    if (!CHECK(ir_validate(build->module, &error))) {
        fprintf(stderr, "%s\n", error.data);
    }
    text_buffer_finish(&text);
    text_buffer_finish(&error);
}

TEST(equal_constants_are_one) {
    struct build build;
    open(&build);
    ir_value a = ir_builder_u32(&build.builder, 7), b = ir_builder_u32(&build.builder, 7);
    ir_value c = ir_builder_i32(&build.builder, 7);
    CHECK_EQ(a.index, b.index);
    CHECK(a.index != c.index);
    CHECK_EQ(ir_builder_zero(&build.builder, type_scalar(TYPE_U32)).index,
        ir_builder_u32(&build.builder, 0).index);
    // -0 and 0 differ in their bits.
    CHECK(
        ir_builder_f32(&build.builder, 0.0f).index != ir_builder_f32(&build.builder, -0.0f).index);
    for (uint32_t i = 0; i < 1000; i++) {
        ir_builder_u32(&build.builder, i);
    }
    CHECK_EQ(ir_builder_u32(&build.builder, 7).index, a.index);
    CHECK_EQ(build.module->constants.count, 1000 + 3);
    type_id large = type_array(&build.module->types, type_scalar(TYPE_F32), ARRAY_FIXED, 100000);
    ir_value zero = ir_builder_zero(&build.builder, large);
    uint32_t definition = ir_value_get(function_of(&build), zero)->definition;
    CHECK(build.module->constants.items[definition].bytes == NULL);
    arena_finish(&build.arena);
}

TEST(result_types_follow_from_the_operands) {
    struct build build;
    open(&build);
    struct ir_builder *b = &build.builder;
    struct type_table *types = &build.module->types;
    type_id vec3 = type_vector(types, type_scalar(TYPE_F32), 3);
    type_id matrix = type_matrix(types, type_scalar(TYPE_F32), 2, 3);
    ir_value v = ir_builder_zero(b, vec3), m = ir_builder_zero(b, matrix);
    CHECK_EQ(kind_of(&build, ir_builder_binary(b, IR_LT_F, v, v)), TYPE_VECTOR);
    CHECK_EQ(type_element_of(
                 types, ir_value_type(function_of(&build), ir_builder_binary(b, IR_LT_F, v, v)))
                 .index,
        TYPE_BOOL);
    CHECK_EQ(kind_of(&build, ir_builder_unary(b, IR_LENGTH, v)), TYPE_F32);
    CHECK_EQ(kind_of(&build, ir_builder_binary(b, IR_DOT_F, v, v)), TYPE_F32);
    ir_value product = ir_builder_binary(b, IR_MATRIX_TIMES_VECTOR, m,
        ir_builder_zero(b, type_vector(types, type_scalar(TYPE_F32), 2)));
    CHECK(type_equals(ir_value_type(function_of(&build), product), vec3));
    ir_value turned = ir_builder_unary(b, IR_TRANSPOSE, m);
    CHECK_EQ(type_get(types, ir_value_type(function_of(&build), turned))->count, 3);
    CHECK(type_equals(ir_value_type(function_of(&build), ir_builder_extract(b, m, 1)), vec3));
    const uint8_t components[] = {2, 0};
    CHECK_EQ(
        type_get(types, ir_value_type(function_of(&build), ir_builder_swizzle(b, v, components, 2)))
            ->count,
        2);
    ir_value packed = ir_builder_unary(b, IR_UNPACK_4X_I8, ir_builder_u32(b, 1));
    CHECK_EQ(type_element_of(types, ir_value_type(function_of(&build), packed)).index, TYPE_I32);
    ir_builder_terminate(b, IR_RETURN, NULL, 0);
    struct text_buffer error = {0};
    CHECK(ir_validate(build.module, &error));
    text_buffer_finish(&error);
    arena_finish(&build.arena);
}

TEST(inserting_moving_unlinking_and_replacing) {
    struct build build;
    open(&build);
    struct ir_builder *b = &build.builder;
    ir_value a = ir_builder_binary(b, IR_ADD_I, ir_builder_u32(b, 1), ir_builder_u32(b, 2));
    ir_value c = ir_builder_binary(b, IR_MUL_I, a, a);
    ir_value d = ir_builder_unary(b, IR_NOT, c);
    ir_builder_terminate(b, IR_RETURN, NULL, 0);
    ir_op_id add = {ir_value_get(function_of(&build), a)->definition};
    ir_op_id multiply = {ir_value_get(function_of(&build), c)->definition};
    ir_op_id invert = {ir_value_get(function_of(&build), d)->definition};
    // Before the multiplication: e = a - 5.
    struct ir_builder before = ir_builder_before(build.module, build.builder.function, multiply);
    ir_value e = ir_builder_binary(&before, IR_SUB_I, a, ir_builder_u32(&before, 5));
    check_body(&build,
        "function #0 \"f\" () -> void {\n"
        "  %1 = add.i u32(1), u32(2) : u32\n"
        "  %2 = sub.i %1, u32(5) : u32\n"
        "  %3 = mul.i %1, %1 : u32\n"
        "  %4 = not %3 : u32\n"
        "  return\n}\n");
    ir_value_replace(function_of(&build), c, e);
    ir_op_unlink(function_of(&build), multiply);
    check_body(&build,
        "function #0 \"f\" () -> void {\n"
        "  %1 = add.i u32(1), u32(2) : u32\n"
        "  %2 = sub.i %1, u32(5) : u32\n"
        "  %3 = not %2 : u32\n"
        "  return\n}\n");
    // Chains in the map are followed: e -> a -> the constant.
    ir_value three = ir_builder_u32(b, 3);
    uint32_t *map = calloc(function_of(&build)->values.count, sizeof(uint32_t));
    if (CHECK(map != NULL)) {
        map[e.index] = a.index;
        map[a.index] = three.index;
        ir_function_replace_all(
            function_of(&build), map, (uint32_t)function_of(&build)->values.count);
        free(map);
    }
    ir_op_move_before(function_of(&build), invert, add);
    check_body(&build,
        "function #0 \"f\" () -> void {\n"
        "  %1 = not u32(3) : u32\n"
        "  %2 = add.i u32(1), u32(2) : u32\n"
        "  %3 = sub.i u32(3), u32(5) : u32\n"
        "  return\n}\n");
    arena_finish(&build.arena);
}

TEST(loops_and_switches) {
    struct build build;
    open(&build);
    struct ir_builder *b = &build.builder;
    type_id u32_type = type_scalar(TYPE_U32);
    ir_value initial = ir_builder_u32(b, 0);
    ir_op_id loop = ir_builder_loop(b, &initial, 1, &u32_type, 1);
    struct ir_builder body = ir_builder_in(b, loop, 0), next = ir_builder_in(b, loop, 1);
    ir_value i = ir_region_get(function_of(&build), body.region)->parameters[0];
    const uint32_t one = 1;
    struct ir_case cases[2] = {{&one, 1, false}, {NULL, 0, true}};
    ir_op_id choice = ir_builder_switch(&body, i, cases, 2, NULL, 0);
    struct ir_builder first = ir_builder_in(&body, choice, 0),
                      rest = ir_builder_in(&body, choice, 1);
    ir_builder_terminate(&first, IR_EXIT_LOOP, &i, 1);
    ir_builder_terminate(&rest, IR_EXIT_SWITCH, NULL, 0);
    ir_builder_terminate(&body, IR_CONTINUE, NULL, 0);
    ir_value sum = ir_builder_binary(&next, IR_ADD_I, i, ir_builder_u32(&next, 1));
    ir_builder_terminate(&next, IR_NEXT_ITERATION, &sum, 1);
    CHECK(!ir_region_is_terminated(function_of(&build), b->region));
    ir_builder_terminate(b, IR_RETURN, NULL, 0);
    CHECK(ir_region_is_terminated(function_of(&build), b->region));
    check_body(&build,
        "function #0 \"f\" () -> void {\n"
        "  %1 = loop u32(0) : u32 body (%2: u32) {\n"
        "    switch %2 case 1 {\n"
        "      exit_loop %2\n"
        "    } case default {\n"
        "      exit_switch\n"
        "    }\n"
        "    continue\n"
        "  } continuing {\n"
        "    %3 = add.i %2, u32(1) : u32\n"
        "    next_iteration %3\n"
        "  }\n"
        "  return\n}\n");
    arena_finish(&build.arena);
}

// Every allocation fails in turn: nothing crashes, and the module says so.
TEST(failing_allocations) {
    uint32_t failures = 0;
    bool succeeded = false;
    for (int64_t n = 0; n < 400 && !succeeded; n++) {
        struct arena arena;
        arena_init(&arena, MEMORY_TEST);
        memory_fail_after(n, true);
        struct ir_module *module = ir_module_create(&arena);
        if (module != NULL) {
            uint32_t index = ir_function_create(
                module, TEXT_LITERAL("f"), type_scalar(TYPE_VOID), NULL, 0);
            struct ir_builder b = ir_builder_create(module, index);
            for (uint32_t i = 0; i < 300; i++) {
                ir_value v = ir_builder_var(&b, type_scalar(TYPE_U32), TEXT_LITERAL("v"));
                ir_builder_store(&b, v, ir_builder_u32(&b, i));
                ir_value loaded = ir_builder_load(&b, v);
                ir_op_id op = ir_builder_if(
                    &b, ir_builder_binary(&b, IR_EQ_I, loaded, loaded), NULL, 0);
                struct ir_builder yes = ir_builder_in(&b, op, 0), no = ir_builder_in(&b, op, 1);
                ir_builder_terminate(&yes, IR_EXIT_IF, NULL, 0);
                ir_builder_terminate(&no, IR_EXIT_IF, NULL, 0);
            }
            ir_builder_terminate(&b, IR_RETURN, NULL, 0);
            succeeded = !module->has_failed;
        }
        memory_fail_after(-1, false);
        failures += succeeded ? 0 : 1;
        arena_finish(&arena);
    }
    CHECK(succeeded);
    CHECK(failures > 3);
}

CHECK_MAIN(equal_constants_are_one, result_types_follow_from_the_operands,
    inserting_moving_unlinking_and_replacing, loops_and_switches, failing_allocations)
