// SPDX-License-Identifier: MIT
//
// Sizes, alignments, strides and offsets against the tables and worked examples of WGSL §Memory
// Layout, interning, traits and printing.
#include "check.h"

#include "shader/type/type.h"

static struct arena arena;
static struct type_table table;

static void begin(void) {
    arena_init(&arena, MEMORY_TEST);
    CHECK(type_table_init(&table, &arena));
}

static void finish(void) {
    arena_finish(&arena);
}

static void check_layout(type_id id, uint32_t align, uint64_t size) {
    if (!CHECK(id.index != 0)) {
        return;
    }
    CHECK_EQ(type_get(&table, id)->align_bytes, align);
    CHECK_EQ(type_get(&table, id)->size_bytes, size);
}

static type_id f32(void) {
    return type_scalar(TYPE_F32);
}

static void check_print(type_id id, const char *expected) {
    struct text_buffer out = {0};
    type_print(&out, &table, id);
    CHECK_STR(out.data, expected);
    text_buffer_finish(&out);
}

TEST(scalars_and_vectors) {
    begin();
    check_layout(type_scalar(TYPE_BOOL), 4, 4);
    check_layout(type_scalar(TYPE_I32), 4, 4);
    check_layout(type_scalar(TYPE_F16), 2, 2);
    check_layout(type_atomic(&table, type_scalar(TYPE_U32)), 4, 4);
    check_layout(type_vector(&table, f32(), 2), 8, 8);
    check_layout(type_vector(&table, f32(), 3), 16, 12);
    check_layout(type_vector(&table, f32(), 4), 16, 16);
    check_layout(type_vector(&table, type_scalar(TYPE_F16), 2), 4, 4);
    check_layout(type_vector(&table, type_scalar(TYPE_F16), 3), 8, 6);
    check_layout(type_vector(&table, type_scalar(TYPE_F16), 4), 8, 8);
    CHECK_EQ(type_element_offset(&table, type_vector(&table, f32(), 3), 2), 8);
    finish();
}

TEST(matrices) {
    static const struct {
        uint32_t columns, rows, align, size, align_f16, size_f16;
    } rows[] = {
        {2, 2, 8, 16, 4, 8},
        {3, 2, 8, 24, 4, 12},
        {4, 2, 8, 32, 4, 16},
        {2, 3, 16, 32, 8, 16},
        {3, 3, 16, 48, 8, 24},
        {4, 3, 16, 64, 8, 32},
        {2, 4, 16, 32, 8, 16},
        {3, 4, 16, 48, 8, 24},
        {4, 4, 16, 64, 8, 32},
    };
    begin();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check_layout(
            type_matrix(&table, f32(), rows[i].columns, rows[i].rows), rows[i].align, rows[i].size);
        check_layout(type_matrix(&table, type_scalar(TYPE_F16), rows[i].columns, rows[i].rows),
            rows[i].align_f16, rows[i].size_f16);
    }
    type_id matrix = type_matrix(&table, f32(), 4, 3);
    CHECK_EQ(type_element_offset(&table, matrix, 3), 48);
    CHECK_EQ(type_element_at(&table, matrix, 0).index, type_vector(&table, f32(), 3).index);
    CHECK_EQ(type_component_count(&table, matrix), 12);
    finish();
}

TEST(arrays) {
    begin();
    type_id small = type_array(&table, f32(), ARRAY_FIXED, 8);
    check_layout(small, 4, 32);
    CHECK_EQ(type_get(&table, small)->stride_bytes, 4);
    type_id big = type_array(&table, type_vector(&table, f32(), 3), ARRAY_FIXED, 8);
    check_layout(big, 16, 128);
    CHECK_EQ(type_get(&table, big)->stride_bytes, 16);
    type_id runtime = type_array(&table, type_vector(&table, f32(), 3), ARRAY_RUNTIME, 0);
    check_layout(runtime, 16, 0);
    CHECK_EQ(type_minimum_binding_size(&table, runtime), 16);
    // 2^30 elements of 4 bytes do not fit 32 bits; one less does.
    CHECK_EQ(type_array(&table, f32(), ARRAY_FIXED, 1u << 30).index, 0);
    CHECK(type_array(&table, f32(), ARRAY_FIXED, (1u << 30) - 1).index != 0);
    CHECK_EQ(type_nesting_depth(&table, type_array(&table, big, ARRAY_FIXED, 2)), 3);
    finish();
}

static struct type_member member(const char *name, type_id type) {
    return (struct type_member){.name = text_from_string(name), .type = type};
}

// The two examples of WGSL §Structure Member Layout.
TEST(structures) {
    begin();
    type_id vec2 = type_vector(&table, f32(), 2), vec3 = type_vector(&table, f32(), 3);
    struct type_member a[] = {
        member("u", f32()), member("v", f32()), member("w", vec2), member("x", f32())};
    type_id plain_a = type_struct(&table, TEXT_LITERAL("A"), a, 4);
    check_layout(plain_a, 8, 24);
    struct type_member b[] = {
        member("a", vec2),
        member("b", vec3),
        member("c", f32()),
        member("d", f32()),
        member("e", plain_a),
        member("f", vec3),
        member("g", type_array(&table, plain_a, ARRAY_FIXED, 3)),
        member("h", type_scalar(TYPE_I32)),
    };
    type_id plain_b = type_struct(&table, TEXT_LITERAL("B"), b, 8);
    check_layout(plain_b, 16, 160);
    static const uint32_t plain_offsets[] = {0, 16, 28, 32, 40, 64, 80, 152};
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_EQ(type_element_offset(&table, plain_b, i), plain_offsets[i]);
    }
    a[3].size_bytes = 16;
    type_id sized_a = type_struct(&table, TEXT_LITERAL("A"), a, 4);
    check_layout(sized_a, 8, 32);
    CHECK(sized_a.index != plain_a.index);
    b[4].type = sized_a;
    b[4].align_bytes = 16;
    b[6].type = type_array(&table, sized_a, ARRAY_FIXED, 3);
    type_id aligned_b = type_struct(&table, TEXT_LITERAL("B"), b, 8);
    check_layout(aligned_b, 16, 208);
    static const uint32_t aligned_offsets[] = {0, 16, 28, 32, 48, 80, 96, 192};
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_EQ(type_element_offset(&table, aligned_b, i), aligned_offsets[i]);
    }
    // { head: Header, data: array<f32> }: data at 4; the binding holds at least one element.
    struct type_member header[] = {member("n", type_scalar(TYPE_U32))};
    type_id head = type_struct(&table, TEXT_LITERAL("Header"), header, 1);
    check_layout(head, 4, 4);
    struct type_member block[] = {
        member("head", head), member("data", type_array(&table, f32(), ARRAY_RUNTIME, 0))};
    type_id runtime = type_struct(&table, TEXT_LITERAL("Block"), block, 2);
    CHECK_EQ(type_element_offset(&table, runtime, 1), 4);
    CHECK_EQ(type_minimum_binding_size(&table, runtime), 8);
    CHECK(type_contains_runtime_array(&table, runtime));
    finish();
}

TEST(interning_and_traits) {
    begin();
    type_id vec3 = type_vector(&table, f32(), 3);
    CHECK_EQ(vec3.index, type_vector(&table, f32(), 3).index);
    for (uint32_t i = 1; i < 500; i++) { // more types than the first hash holds
        CHECK(type_array(&table, vec3, ARRAY_FIXED, i).index != 0);
    }
    CHECK_EQ(type_array(&table, vec3, ARRAY_FIXED, 77).index,
        type_array(&table, vec3, ARRAY_FIXED, 77).index);
    CHECK(type_array(&table, vec3, ARRAY_FIXED, 77).index !=
        type_array(&table, vec3, ARRAY_FIXED, 78).index);
    type_id atomic = type_atomic(&table, type_scalar(TYPE_I32));
    type_id atomics = type_array(&table, atomic, ARRAY_FIXED, 4);
    CHECK(type_contains_atomic(&table, atomics));
    CHECK(!type_is_constructible(&table, atomics));
    CHECK(type_is_host_shareable(&table, atomics));
    CHECK(type_has_creation_fixed_footprint(&table, atomics));
    CHECK(!type_is_host_shareable(&table, type_scalar(TYPE_BOOL)));
    CHECK(type_is_constructible(&table, type_scalar(TYPE_BOOL)));
    CHECK(type_is_abstract(&table, type_vector(&table, type_scalar(TYPE_ABSTRACT_INT), 2)));
    CHECK(!type_is_storable(&table, type_vector(&table, type_scalar(TYPE_ABSTRACT_INT), 2)));
    type_id override = type_array(&table, f32(), ARRAY_OVERRIDE, 0);
    CHECK(type_has_fixed_footprint(&table, override));
    CHECK(!type_has_creation_fixed_footprint(&table, override));
    CHECK(!type_is_constructible(&table, override));
    type_id pointer = type_pointer(&table, SPACE_FUNCTION, f32(), ACCESS_READ_WRITE);
    CHECK(!type_is_storable(&table, pointer));
    finish();
}

TEST(printing) {
    begin();
    type_id vec3 = type_vector(&table, f32(), 3);
    check_print(vec3, "vec3<f32>");
    check_print(type_matrix(&table, f32(), 4, 2), "mat4x2<f32>");
    check_print(type_array(&table, vec3, ARRAY_FIXED, 12), "array<vec3<f32>, 12>");
    check_print(type_array(&table, vec3, ARRAY_RUNTIME, 0), "array<vec3<f32>>");
    check_print(type_pointer(&table, SPACE_STORAGE, vec3, ACCESS_READ_WRITE),
        "ptr<storage, vec3<f32>, read_write>");
    check_print(
        type_pointer(&table, SPACE_WORKGROUP, f32(), ACCESS_READ_WRITE), "ptr<workgroup, f32>");
    check_print(type_atomic(&table, type_scalar(TYPE_U32)), "atomic<u32>");
    struct type storage = {.kind = TYPE_TEXTURE_STORAGE,
        .dimension = TEXTURE_DIMENSION_2D,
        .access = ACCESS_WRITE,
        .texel_format = 22};
    check_print(type_opaque(&table, &storage), "texture_storage_2d<rgba8unorm, write>");
    CHECK_STR(address_space_word(SPACE_WORKGROUP), "workgroup");
    CHECK_STR(builtin_value_word(BUILTIN_VALUE_GLOBAL_INVOCATION_ID), "global_invocation_id");
    finish();
}

CHECK_MAIN(scalars_and_vectors, matrices, arrays, structures, interning_and_traits, printing)
