// SPDX-License-Identifier: MIT
//
// Reflection: what entry points use through calls, bindings sorted, overrides through initial values,
// counts and workgroup sizes, memory sizes by the layout rules.
#include "ir_test.h"
#include "shader/ir/reflect.h"

static const char module_text[] =
    "struct #0 \"Light\" { \"at\": vec3<f32>, \"power\": f32 }\n"
    "struct #1 \"Lights\" { \"count\": u32, \"items\": array<struct#0> }\n"
    "override #0 u32 \"size\" id 4\n"
    "override #1 f32 \"unused\"\n"
    "override #2 u32 \"base\"\n"
    "override #3 f32 \"scale\"\n"
    "override #4 i32 \"start\"\n"
    "variable #0 storage read_write struct#1 \"lights\" group 1 binding 2\n"
    "variable #1 uniform read mat3x3<f32> \"camera\" group 1 binding 0\n"
    "variable #2 storage read array<u32> \"table\" group 0 binding 9\n"
    "variable #3 handle read texture<2d_array, u32> \"picture\" group 0 binding 1\n"
    "variable #4 handle read texture_depth_multisampled<2d> \"depth\" group 0 binding 2\n"
    "variable #5 handle read sampler_comparison \"compare\" group 0 binding 3\n"
    "variable #6 handle read texture_storage<3d, 34, read_write> \"cells\" group 0 binding 4\n"
    "variable #7 workgroup read_write array<f32, 5> \"small\"\n"
    "variable #8 workgroup read_write u32 \"one\"\n"
    "variable #9 workgroup read_write array<u32, override 0> \"sized\"\n"
    "variable #10 private read_write i32 \"counter\"\n"
    "initialisation #0\n"
    "function #0 () -> void {\n"
    "%1 = override [2] : u32\n"
    "%2 = add.i %1, u32(1) : u32\n" // value of `size`
    "%3 = override [0] : u32\n"
    "%4 = mul.i %3, u32(2) : u32\n" // the count
    "%5 = override [4] : i32\n"
    "%6 = gt.s %5, i32(0) : bool\n"
    "%7 = if %6 : i32 then {\n %8 = override [4] : i32\n exit_if %8\n} else {\n exit_if i32(7)\n}\n"
    "return\n}\n"
    "function #1 \"deep\" () -> void {\n"
    "%1 = variable [0] : ptr<storage, struct#1, read_write>\n"
    "%2 = variable [1] : ptr<uniform, mat3x3<f32>, read>\n"
    "%3 = override [3] : f32\n"
    "return\n}\n"
    "function #2 \"middle\" () -> void {\ncall [1]\ncall [1]\nreturn\n}\n"
    "function #3 \"first\" () -> void {\n"
    "%1 = load_input [0] : vec3<u32>\n"
    "call [2]\n"
    "%2 = variable [2] : ptr<storage, array<u32>, read>\n"
    "%3 = variable [7] : ptr<workgroup, array<f32, 5>, read_write>\n"
    "%4 = variable [8] : ptr<workgroup, u32, read_write>\n"
    "return\n}\n"
    "function #4 \"second\" () -> void {\n"
    "%1 = variable [9] : ptr<workgroup, array<u32, override 0>, read_write>\n"
    "%2 = variable [10] : ptr<private, i32, read_write>\n"
    "return\n}\n"
    "function #5 \"third\" () -> void {\n"
    "%1 = variable [3] : ptr<handle, texture<2d_array, u32>, read>\n"
    "%2 = variable [4] : ptr<handle, texture_depth_multisampled<2d>, read>\n"
    "%3 = variable [5] : ptr<handle, sampler_comparison, read>\n"
    "%4 = variable [6] : ptr<handle, texture_storage<3d, 34, read_write>, read>\n"
    "return\n}\n"
    "override_value #0 = %2\noverride_value #2 = u32(3)\n"
    "override_value #4 = i32(1)\n"
    "variable_value #10 = %7\n"
    "count #0 = %4\n"
    "entry compute \"first\" #3 workgroup_size(8, 2, 1) {\n"
    "input vec3<u32> builtin num_workgroups\n}\n"
    "entry compute \"second\" #4 workgroup_size(%4, u32(6), 1) {\n}\n"
    "entry fragment \"third\" #5 {\n}\n";

static struct reflection *reflect(struct ir_test *test) {
    *test = ir_test_read(module_text);
    return CHECK(ir_test_is_valid(test)) ? reflect_create(test->module, &test->arena) : NULL;
}

TEST(bindings_through_calls_are_sorted) {
    struct ir_test test;
    struct reflection *reflection = reflect(&test);
    if (CHECK(reflection != NULL) && CHECK_EQ(reflection->entry_point_count, 3)) {
        const struct reflect_entry_point *entry = &reflection->entry_points[0];
        CHECK(text_equals_string(entry->name, "first"));
        CHECK_EQ(entry->stage, STAGE_COMPUTE);
        if (CHECK_EQ(entry->binding_count, 3)) {
            CHECK_EQ(entry->bindings[0].binding, 9);
            CHECK_EQ(entry->bindings[0].kind, REFLECT_BUFFER_READ_ONLY_STORAGE);
            CHECK_EQ(entry->bindings[0].minimum_size_bytes, 4); // one element
            CHECK_EQ(entry->bindings[1].group, 1);
            CHECK_EQ(entry->bindings[1].kind, REFLECT_BUFFER_UNIFORM);
            CHECK_EQ(entry->bindings[1].minimum_size_bytes, 48); // three columns of 16
            CHECK_EQ(entry->bindings[2].kind, REFLECT_BUFFER_STORAGE);
            CHECK_EQ(entry->bindings[2].minimum_size_bytes, 32); // 16, and one element of 16
            CHECK(text_equals_string(entry->bindings[2].name, "lights"));
        }
        CHECK_EQ(entry->workgroup_memory_bytes, 32 + 16); // 20 and 4, each rounded up to 16
        CHECK(!entry->has_override_sized_workgroup_memory);
        CHECK(entry->uses_num_workgroups);
        CHECK_EQ(entry->workgroup_size[0], 8);
        CHECK_EQ(entry->workgroup_size[1], 2);
        if (CHECK_EQ(entry->override_count, 1)) {
            CHECK(text_equals_string(reflection->overrides[entry->overrides[0]].name, "scale"));
        }
    }
    ir_test_finish(&test);
}

TEST(overrides_through_counts_sizes_and_initial_values) {
    struct ir_test test;
    struct reflection *reflection = reflect(&test);
    if (CHECK(reflection != NULL)) {
        const struct reflect_entry_point *entry = &reflection->entry_points[1];
        // size by the count and the workgroup size, base by size's value, start inside the `if`.
        if (CHECK_EQ(entry->override_count, 3)) {
            CHECK_EQ(entry->overrides[0], 0);
            CHECK_EQ(entry->overrides[1], 2);
            CHECK_EQ(entry->overrides[2], 4);
        }
        CHECK(entry->has_override_sized_workgroup_memory);
        CHECK_EQ(entry->workgroup_memory_bytes, 0);
        CHECK_EQ(entry->workgroup_size[0], 0); // depends on overrides
        CHECK_EQ(entry->workgroup_size[1], 6);
        CHECK(!entry->uses_num_workgroups);
        CHECK_EQ(entry->binding_count, 0);
    }
    ir_test_finish(&test);
}

TEST(override_rows) {
    struct ir_test test;
    struct reflection *reflection = reflect(&test);
    if (CHECK(reflection != NULL) && CHECK_EQ(reflection->override_count, 5)) {
        CHECK(reflection->overrides[0].has_id);
        CHECK_EQ(reflection->overrides[0].id, 4);
        CHECK(reflection->overrides[0].has_default);
        CHECK(!reflection->overrides[1].has_default);
        CHECK_EQ(reflection->overrides[1].type, TYPE_F32);
    }
    ir_test_finish(&test);
}

TEST(textures_and_samplers) {
    struct ir_test test;
    struct reflection *reflection = reflect(&test);
    if (CHECK(reflection != NULL) && CHECK_EQ(reflection->entry_points[2].binding_count, 4)) {
        const struct reflect_binding *rows = reflection->entry_points[2].bindings;
        CHECK_EQ(rows[0].kind, REFLECT_TEXTURE);
        CHECK_EQ(rows[0].dimension, TEXTURE_DIMENSION_2D_ARRAY);
        CHECK_EQ(rows[0].sampled_type, TYPE_U32);
        CHECK(rows[1].is_depth && rows[1].is_multisampled);
        CHECK_EQ(rows[2].kind, REFLECT_SAMPLER_COMPARISON);
        CHECK_EQ(rows[3].kind, REFLECT_STORAGE_TEXTURE);
        CHECK_EQ(rows[3].access, ACCESS_READ_WRITE);
        CHECK_EQ(rows[3].texel_format, 34);
    }
    ir_test_finish(&test);
}

TEST(failed_allocations_give_null) {
    struct ir_test test = ir_test_read(module_text);
    if (CHECK(ir_test_is_valid(&test))) {
        bool succeeded = false;
        uint32_t failures = 0;
        for (int64_t i = 0; i < 200 && !succeeded; i++) {
            struct arena arena;
            arena_init(&arena, MEMORY_TEST);
            memory_fail_after(i, true);
            succeeded = reflect_create(test.module, &arena) != NULL;
            memory_fail_after(-1, false);
            failures += succeeded ? 0 : 1;
            arena_finish(&arena);
        }
        CHECK(succeeded);
        CHECK(failures > 5);
    }
    ir_test_finish(&test);
}

// Two textures and two samplers go through two levels of calls; each pair is listed once, and only
// what is sampled counts.
static const char textures_text[] =
    "variable #0 handle read texture<2d, f32> \"a\" group 0 binding 0\n"
    "variable #1 handle read texture<2d, f32> \"b\" group 0 binding 1\n"
    "variable #2 handle read sampler \"s\" group 0 binding 2\n"
    "variable #3 handle read texture<2d, f32> \"c\" group 0 binding 3\n"
    "function #0 \"inner\" (%1: sampler, %2: texture<2d, f32>, %3: vec2<f32>) -> vec4<f32> {\n"
    "  %4 = texture_sample_level %2, %1, %3, f32(0) : vec4<f32>\n"
    "  return %4\n"
    "}\n"
    "function #1 \"outer\" (%1: texture<2d, f32>, %2: vec2<f32>) -> vec4<f32> {\n"
    "  %3 = variable [2] : ptr<handle, sampler, read>\n"
    "  %4 = load %3 : sampler\n"
    "  %5 = call %4, %1, %2 [0] : vec4<f32>\n"
    "  %6 = call %4, %1, %2 [0] : vec4<f32>\n"
    "  return %6\n"
    "}\n"
    "function #2 \"main\" () -> void {\n"
    "  %1 = variable [0] : ptr<handle, texture<2d, f32>, read>\n"
    "  %2 = load %1 : texture<2d, f32>\n"
    "  %3 = variable [1] : ptr<handle, texture<2d, f32>, read>\n"
    "  %4 = load %3 : texture<2d, f32>\n"
    "  %5 = variable [3] : ptr<handle, texture<2d, f32>, read>\n"
    "  %6 = load %5 : texture<2d, f32>\n"
    "  %7 = call %2, vec2<f32>(0, 0) [1] : vec4<f32>\n"
    "  %8 = call %4, vec2<f32>(0, 0) [1] : vec4<f32>\n"
    "  %9 = texture_dimensions %6 : vec2<u32>\n"
    "  return\n"
    "}\n"
    "entry compute \"main\" #2 workgroup_size(1, 1, 1) {\n"
    "}\n";

TEST(sampled_pairs) {
    struct ir_test test = ir_test_read(textures_text);
    struct reflection *reflection =
        CHECK(ir_test_is_valid(&test)) ? reflect_create(test.module, &test.arena) : NULL;
    if (CHECK(reflection != NULL) && CHECK_EQ(reflection->entry_point_count, 1)) {
        const struct reflect_entry_point *entry = &reflection->entry_points[0];
        CHECK_EQ(entry->binding_count, 4);
        if (CHECK_EQ(entry->texture_pair_count, 2)) {
            CHECK_EQ(entry->texture_pairs[0].texture, 0);
            CHECK_EQ(entry->texture_pairs[0].sampler, 2);
            CHECK_EQ(entry->texture_pairs[1].texture, 1);
            CHECK_EQ(entry->texture_pairs[1].sampler, 2);
        }
        CHECK(entry->bindings[0].is_sampled && entry->bindings[1].is_sampled);
        CHECK(!entry->bindings[3].is_sampled && entry->bindings[3].is_called);
        CHECK(!entry->bindings[3].is_loaded && !entry->bindings[0].is_loaded);
    }
    ir_test_finish(&test);
}

// Inputs and outputs come sorted by location, built-in values apart from them.
static const char interface_text[] =
    "function #0 \"slope\" (%1: f32) -> f32 {\n"
    "  %2 = fwidth_fine %1 : f32\n"
    "  return %2\n"
    "}\n"
    "function #1 \"vs\" () -> void {\n  return\n}\n"
    "function #2 \"fs\" () -> void {\n"
    "  %1 = load_input [0] : f32\n"
    "  %2 = call %1 [0] : f32\n"
    "  return\n"
    "}\n"
    "entry vertex \"vs\" #1 {\n"
    "  input vec3<u32> location 9 flat first \"b\"\n"
    "  input u32 builtin instance_index\n"
    "  input i32 location 2 flat either \"a\"\n"
    "  output vec4<f32> builtin position\n"
    "  output array<f32, 5> builtin clip_distances\n"
    "  output vec2<f16> location 4 linear sample \"c\"\n"
    "}\n"
    "entry fragment \"fs\" #2 {\n"
    "  input f32 location 0 perspective centroid\n"
    "  output vec4<f32> location 0 perspective center blend_src 1 \"second\"\n"
    "  output vec4<f32> location 0 perspective center blend_src 0 \"first\"\n"
    "  output f32 builtin frag_depth\n"
    "}\n";

TEST(inputs_and_outputs) {
    struct ir_test test = ir_test_read(interface_text);
    struct reflection *reflection =
        CHECK(ir_test_is_valid(&test)) ? reflect_create(test.module, &test.arena) : NULL;
    if (CHECK(reflection != NULL) && CHECK_EQ(reflection->entry_point_count, 2)) {
        const struct reflect_entry_point *vs = &reflection->entry_points[0];
        const struct reflect_entry_point *fs = &reflection->entry_points[1];
        if (CHECK_EQ(vs->input_count, 2) && CHECK_EQ(vs->output_count, 1)) {
            CHECK_EQ(vs->inputs[0].location, 2);
            CHECK_EQ(vs->inputs[0].scalar, TYPE_I32);
            CHECK_EQ(vs->inputs[0].component_count, 1);
            CHECK_EQ(vs->inputs[0].sampling, 4);
            CHECK(text_equals_string(vs->inputs[1].name, "b"));
            CHECK_EQ(vs->inputs[1].scalar, TYPE_U32);
            CHECK_EQ(vs->inputs[1].component_count, 3);
            CHECK_EQ(vs->outputs[0].scalar, TYPE_F16);
            CHECK_EQ(vs->outputs[0].interpolation, 1);
            CHECK_EQ(vs->outputs[0].sampling, 2);
        }
        CHECK_EQ(vs->clip_distance_count, 5);
        CHECK(reflect_has_builtin(vs, BUILTIN_VALUE_INSTANCE_INDEX));
        CHECK(reflect_has_builtin(vs, BUILTIN_VALUE_POSITION));
        CHECK(!reflect_has_builtin(vs, BUILTIN_VALUE_VERTEX_INDEX));
        CHECK(!vs->uses_fine_derivatives);
        if (CHECK_EQ(fs->output_count, 2)) {
            CHECK(fs->outputs[0].has_blend_source);
            CHECK(text_equals_string(fs->outputs[0].name, "first"));
            CHECK_EQ(fs->outputs[1].blend_source, 1);
        }
        CHECK(reflect_has_builtin(fs, BUILTIN_VALUE_FRAG_DEPTH));
        CHECK_EQ(fs->clip_distance_count, 0);
        CHECK(fs->uses_fine_derivatives);
    }
    ir_test_finish(&test);
}

CHECK_MAIN(bindings_through_calls_are_sorted, overrides_through_counts_sizes_and_initial_values,
    override_rows, textures_and_samplers, failed_allocations_give_null, sampled_pairs,
    inputs_and_outputs)
