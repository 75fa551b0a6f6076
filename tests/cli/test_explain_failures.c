// SPDX-License-Identifier: MIT
//
// Explaining a module while memory runs out at each allocation in turn: every call answers false or
// NULL, nothing crashes, nothing leaks; and with all of it the answers come.
#include "../unit/check.h"
#include "shader/explain/explain.h"
#include "shader/explain/layout_report.h"

static const char source[] =
    "enable f16; override n: u32 = 4;\n"
    "struct Inner { a: f32, b: vec3f, c: array<f16, 3> }\n"
    "struct Outer { x: f32, list: array<Inner, 2>, m: mat3x3f, y: f32, z: vec3f }\n"
    "@group(0) @binding(0) var<uniform> u: Outer;\n"
    "@group(0) @binding(1) var<storage, read_write> s: array<Outer>;\n"
    "var<workgroup> w: array<f32, n>; var<private> p: array<f32, 300>;\n"
    "fn helper(i: u32) -> f32 { var t: array<f32, 20>; t[i] = p[i]; return t[i] + w[i]; }\n"
    "@compute @workgroup_size(n) fn main(@builtin(local_invocation_index) i: u32) {\n"
    "    s[i].x = helper(i) + u.x; }\n";

static bool answer_layout(struct explain_module *module, struct text_buffer *out) {
    uint32_t count = 0;
    struct layout_report_options options = {.columns = LAYOUT_ALL_COLUMNS};
    struct json json = {.out = out};
    struct text_buffer error = {0};
    bool is_named = false;
    type_id type = layout_report_find_type(module, TEXT_LITERAL("Outer"), &is_named);
    bool ok = layout_report_print(module, &options, out, &count) &&
        layout_report_print_json(module, &options, out, &count) &&
        layout_report_print_c_header(module, &options, out, &count);
    json_begin_object(&json, NULL);
    enum layout_diff diff = layout_compare(module->ast->types, type,
        TEXT_LITERAL("x:f32,list:f32[20]@16,size=64"), &module->base.arena, out, &json, &error);
    json_end_object(&json);
    text_buffer_finish(&error);
    return ok && diff == LAYOUT_DIFF_DIFFERENT;
}

// True when every answer came whole.
static bool answer_all(void) {
    struct explain_module *module = explain_module_create(
        text_from_string(source), TEXT_LITERAL("test"), TEXT_LITERAL(""));
    struct text_buffer out = {0};
    struct explain_options options = {0};
    bool ok = module != NULL && module->is_complete;
    if (ok) {
        ok = explain_print(module, &options, &out);
        ok = explain_print_json(module, &options, &out) && ok;
        ok = explain_print_reflection(module, &out) && ok;
        ok = answer_layout(module, &out) && ok;
    }
    ok = ok && !out.has_failed;
    text_buffer_finish(&out);
    explain_module_destroy(module);
    return ok;
}

static size_t live_blocks(void) {
    size_t count = 0;
    for (int tag = 0; tag < MEMORY_TAG_COUNT; tag++) {
        count += memory_live_blocks((enum memory_tag)tag);
    }
    return count;
}

TEST(with_memory) {
    CHECK(answer_all());
    CHECK_EQ(live_blocks(), 0);
}

// One allocation after the other fails, with all that follow it or alone. Some single failures are
// survived by design (a proposal that is left out); the sticky ones are failures all.
TEST(without_memory) {
    int64_t allocation_count = 0;
    bool ok = false;
    for (; !ok && allocation_count < 100000; allocation_count++) {
        memory_fail_after(allocation_count, true);
        ok = answer_all();
        memory_fail_after(-1, false);
        if (!CHECK_EQ(live_blocks(), 0)) {
            return;
        }
    }
    CHECK(ok && allocation_count > 50);
    for (int64_t at = 0; at < allocation_count; at++) {
        memory_fail_after(at, false);
        answer_all();
        memory_fail_after(-1, false);
        if (!CHECK_EQ(live_blocks(), 0)) {
            return;
        }
    }
}

CHECK_MAIN(with_memory, without_memory)
