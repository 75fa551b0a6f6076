// SPDX-License-Identifier: MIT
//
// The text form: what is printed reads back to a module that prints equally.
#include "ir_test.h"
#include "shader/ir/ir_builder.h"

static const char everything[] =
    "struct #0 \"Particle\" { \"pos\": vec3<f32> align 16 size 12, \"mass\": f32 align 4 size 4 }\n"
    "struct #1 \"Rest\" { \"head\": struct#0 align 16 size 16, \"tail\": array<struct#0> align 16 "
    "size 0 }\n"
    "override #0 u32 \"block \\\"size\\\"\" id 7\n"
    "override #1 f32 \"scale\"\n"
    "variable #0 storage read_write struct#1 \"data\" group 0 binding 3\n"
    "variable #1 private read_write vec2<f32> \"p\" constant vec2<f32>(1.5, -0)\n"
    "variable #2 workgroup read_write array<atomic<u32>, override 0> \"w\"\n"
    "variable #3 handle read texture<2d_array, f32> \"t\" group 1 binding 0\n"
    "variable #4 handle read texture_storage<3d, 34, read_write> \"s\" group 1 binding 1\n"
    "variable #5 handle read sampler_comparison \"c\" group 1 binding 2\n"
    "variable #6 private read_write bool \"q\"\n"
    "initialisation #0\n"
    "function #0 \"initialisation\" () -> void {\n"
    "  %1 = override [0] : u32\n"
    "  %2 = mul.i %1, u32(2) : u32\n"
    "  return\n"
    "}\n"
    "function #1 \"helper\" (%1: ptr<function, f32, read_write> \"p\", %2: f32) -> f32 {\n"
    "  %3 = load %1 : f32 !10-14\n"
    "  %4 = add.f %3, %2 : f32\n"
    "  store %1, %4\n"
    "  return %4\n"
    "}\n"
    "function #2 \"main\" () -> void {\n"
    "  %1 = load_input [0] : u32\n"
    "  %2 \"x\" = var : ptr<function, f32, read_write>\n"
    "  store %2, f32(0x7fc00000)\n"
    "  %3 = call %2, f32(3.4028234663852886e38) [1] : f32\n"
    "  %4 = variable [0] : ptr<storage, struct#1, read_write>\n"
    "  %5 = access %4, u32(1), %1, u32(0) [in_bounds 5] : ptr<storage, vec3<f32>, read_write>\n"
    "  %6 = load %5 : vec3<f32>\n"
    "  %7 = swizzle %6 [2 0] : vec2<f32>\n"
    "  %8 = extract %7 [1] : f32\n"
    "  %9, %10 = if bool(true) : f32, i32 then {\n"
    "    exit_if %8, i32(-2147483648)\n"
    "  } else {\n"
    "    exit_if f32(0.100000001), i32(7)\n"
    "  }\n"
    "  %11 = loop u32(0), %9 : u32 body (%12: u32 \"i\", %13: f32) {\n"
    "    %14 = lt.u %12, %1 : bool\n"
    "    if %14 then {\n"
    "      exit_if\n"
    "    } else {\n"
    "      exit_loop %12\n"
    "    }\n"
    "    continue %12\n"
    "  } continuing (%15: u32) {\n"
    "    %16 = add.i %15, u32(1) : u32\n"
    "    break_if %14, %16, %13, %16 [arguments 2]\n"
    "  }\n"
    "  switch %10 case -1 3 {\n"
    "    exit_switch\n"
    "  } case default {\n"
    "    exit_switch\n"
    "  } case 9 {\n"
    "    return\n"
    "  }\n"
    "  %17 = construct struct#0((1, 2, 3), 4), array<vec2<bool>, 2>((true, false), (false, true)) "
    ": struct#0\n"
    "  workgroup_barrier\n"
    "  unreachable\n"
    "}\n"
    "override_value #1 = f32(2)\n"
    "count #0 = %2\n"
    "entry compute \"main\" #2 workgroup_size(%2, 8, u32(1)) {\n"
    "  input u32 builtin local_invocation_index \"i\"\n"
    "}\n"
    "entry fragment \"f\" #1 {\n"
    "  input vec4<f32> builtin position\n"
    "  input f32 location 2 flat either \"a\"\n"
    "  output vec4<f32> location 0 perspective center blend_src 1\n"
    "}\n";

TEST(printing_what_was_read_gives_the_text) {
    struct ir_test test = ir_test_read(everything);
    if (CHECK(test.module != NULL)) {
        struct text_buffer first = {0};
        ir_print(&first, test.module);
        struct ir_test again = ir_test_read(first.data);
        if (CHECK(again.module != NULL)) {
            struct text_buffer second = {0};
            ir_print(&second, again.module);
            CHECK_STR(first.data, second.data);
            text_buffer_finish(&second);
        } else {
            fprintf(stderr, "%s\n", again.error.data);
        }
        // The text above is in the printer's own form but for the number of digits.
        CHECK(strstr(first.data, "f32(3.40282347e+38)") != NULL);
        CHECK(strstr(first.data, "constant vec2<f32>(1.5, -0)") != NULL);
        CHECK(strstr(first.data, "input vec4<f32> builtin position\n") != NULL);
        CHECK(strstr(first.data, "workgroup_size(%2, 8, u32(1))") != NULL);
        CHECK(strstr(first.data, "f32(0x7fc00000)") != NULL);
        CHECK(strstr(first.data, "\"block \\\"size\\\"\" id 7") != NULL);
        ir_test_finish(&again);
        text_buffer_finish(&first);
    } else {
        fprintf(stderr, "%s\n", test.error.data);
    }
    ir_test_finish(&test);
}

TEST(reading_back_keeps_the_rows) {
    struct ir_test test = ir_test_read(everything);
    if (CHECK(test.module != NULL)) {
        const struct ir_module *module = test.module;
        CHECK_EQ(module->functions.count, 3);
        CHECK_EQ(module->variables.items[0].binding, 3);
        CHECK_EQ(module->variables.items[4].access, ACCESS_READ);
        CHECK_EQ(
            type_get(&module->types, module->variables.items[4].type)->access, ACCESS_READ_WRITE);
        CHECK_EQ(
            type_get(&module->types, module->variables.items[0].type)->members[1].offset_bytes, 16);
        CHECK_EQ(module->entry_points.items[1].inputs[0].builtin, BUILTIN_VALUE_FRAGMENT_POSITION);
        CHECK_EQ(module->entry_points.items[1].inputs[1].sampling, 4);
        CHECK_EQ(module->entry_points.items[0].workgroup_size[1], 8);
        CHECK_EQ(module->overrides.items[0].id, 7);
        CHECK(!module->overrides.items[0].has_initial_value);
        CHECK(module->overrides.items[1].has_initial_value);
        float initial[2] = {0};
        memcpy(initial,
            module->constants.items[module->variables.items[1].initial_constant - 1].bytes, 8);
        CHECK(initial[0] == 1.5f);
        CHECK(signbit(initial[1]));
    }
    ir_test_finish(&test);
}

TEST(a_copy_prints_equally_after_the_original_is_gone) {
    struct ir_test test = ir_test_read(everything);
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    if (CHECK(test.module != NULL)) {
        struct text_buffer first = {0}, second = {0};
        ir_print(&first, test.module);
        struct ir_module *copy = ir_module_copy(test.module, &arena);
        ir_test_finish(&test);
        if (CHECK(copy != NULL)) {
            ir_print(&second, copy);
            CHECK_STR(first.data, second.data);
        }
        text_buffer_finish(&first);
        text_buffer_finish(&second);
    }
    arena_finish(&arena);
}

static void check_error(const char *source, const char *expected) {
    struct ir_test test = ir_test_read(source);
    CHECK(test.module == NULL);
    CHECK_STR(test.error.data, expected);
    ir_test_finish(&test);
}

TEST(syntax_errors_name_their_place) {
    check_error("variable #1", "1:12: declarations are numbered from 0 in order");
    check_error("\n  nonsense", "2:3: expected a declaration");
    check_error("function #0 () -> void {\n  frobnicate\n}", "2:3: unknown operation");
    check_error("function #0 () -> void {\n  return %1\n}", "2:12: the value is not defined above");
    check_error("function #0 () -> void {", "1:25: unfinished region");
    check_error("variable #0 private read_write vec5<f32>", "1:32: unknown type");
    check_error("struct #0 \"S\" { }", "1:18: a structure has a member");
    check_error("struct #0 \"S\" { \"a\": vec3<f32> align 4 size 16 }",
        "1:47: a member is smaller or less aligned than its type");
    check_error("struct #0 \"S\" { \"a\": vec3<f32> align 16 size 4 }",
        "1:47: a member is smaller or less aligned than its type");
    check_error("struct #0 \"S\" { \"a\": vec3<f32> align 24 size 16 }",
        "1:48: an alignment is a power of two");
    check_error("function #0 (%1: f32, %1: f32) -> void {}", "1:39: the value is defined twice");
}

TEST(any_cut_of_the_text_is_refused_without_harm) {
    size_t refused = 0, length = sizeof(everything) - 1;
    char *text = malloc(length);
    for (size_t i = 1; CHECK(text != NULL) && i < length; i += 3) {
        struct arena arena;
        struct text_buffer error = {0};
        arena_init(&arena, MEMORY_TEST);
        memcpy(text, everything, length);
        text[i] = (char)(text[i] ^ (1 + i % 7));
        refused += ir_read((struct text){text, length}, &arena, &error) == NULL;
        refused += ir_read((struct text){everything, i}, &arena, &error) == NULL;
        arena_finish(&arena);
        text_buffer_finish(&error);
    }
    CHECK(refused > length / 6);
    free(text);
}

TEST(deep_nesting_is_an_error) {
    struct text_buffer source = {0};
    text_buffer_append_string(&source, "function #0 () -> void {\n");
    for (int i = 0; i < 100000; i++) {
        text_buffer_append_string(&source, "if bool(true) then {\n");
    }
    struct ir_test test = ir_test_read(source.data);
    CHECK(test.module == NULL);
    CHECK(test.error.data != NULL && strstr(test.error.data, "nested too deeply") != NULL);
    ir_test_finish(&test);
    text_buffer_finish(&source);
    text_buffer_append_string(&source, "variable #0 private read_write ");
    for (int i = 0; i < 100000; i++) {
        text_buffer_append_string(&source, "array<");
    }
    test = ir_test_read(source.data);
    CHECK(test.module == NULL);
    ir_test_finish(&test);
    text_buffer_finish(&source);
}

CHECK_MAIN(printing_what_was_read_gives_the_text, reading_back_keeps_the_rows,
    a_copy_prints_equally_after_the_original_is_gone, syntax_errors_name_their_place,
    any_cut_of_the_text_is_refused_without_harm, deep_nesting_is_an_error)
