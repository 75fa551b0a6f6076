// SPDX-License-Identifier: MIT
//
// The compiler's front door: modules, programs, stages, hostile input and failing allocations.
#include <time.h>

#include "check.h"
#include "shader/compile/compile.h"
#include "shader/ir/ir_text.h"

static const char saxpy[] =
    "@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
    "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n"
    "struct Params { a: f32, n: u32 }\n"
    "@group(0) @binding(2) var<uniform> p: Params;\n"
    "override block = 64u;\n"
    "@compute @workgroup_size(block) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
    "    if (id.x >= min(p.n, arrayLength(&y))) { return; }\n"
    "    y[id.x] = p.a * x[id.x] + y[id.x];\n"
    "}\n"
    "@compute @workgroup_size(1) fn other() { y[0] = 0; }\n";

static struct compile_module *compile(const char *wgsl) {
    return compile_module_create(text_from_string(wgsl), TEXT_LITERAL("test"), NULL);
}

TEST(module_and_entry_points) {
    struct compile_module *module = compile(saxpy);
    if (!CHECK(module != NULL && module->is_valid)) {
        compile_module_destroy(module);
        return;
    }
    CHECK_EQ(module->reflection->entry_point_count, 2);
    CHECK_EQ(compile_find_entry_point(module, STAGE_COMPUTE, TEXT_LITERAL("main")), 0);
    CHECK_EQ(compile_find_entry_point(module, STAGE_COMPUTE, TEXT_LITERAL("other")), 1);
    CHECK_EQ(compile_find_entry_point(module, STAGE_VERTEX, TEXT_LITERAL("main")),
        COMPILE_NO_ENTRY_POINT);
    // Two of the stage: no default.
    CHECK_EQ(
        compile_find_entry_point(module, STAGE_COMPUTE, (struct text){0}), COMPILE_NO_ENTRY_POINT);
    compile_module_destroy(module);
}

TEST(errors_are_diagnostics) {
    struct compile_module *module = compile("fn f() -> i32 { return 1.5; }\nfn g( {");
    if (CHECK(module != NULL)) {
        CHECK(!module->is_valid);
        CHECK(module->diagnostics.error_count > 0);
        struct text_buffer error = {0};
        struct compile_program *program = NULL;
        CHECK_EQ(compile_specialise(module, 0, NULL, 0, &error, &program), COMPILE_ERROR);
        CHECK(program == NULL);
        text_buffer_finish(&error);
    }
    compile_module_destroy(module);
    module = compile("");
    CHECK(module != NULL && module->is_valid);
    compile_module_destroy(module);
    compile_module_destroy(NULL);
    compile_program_destroy(NULL);
}

TEST(specialise_and_lower) {
    struct compile_module *module = compile(saxpy);
    struct compile_program *program = NULL;
    struct compile_program *lowered = NULL;
    struct text_buffer error = {0};
    struct compile_constant constant = {TEXT_LITERAL("block"), 128};
    if (CHECK(module != NULL && module->is_valid) &&
        CHECK_EQ(compile_specialise(module, 0, &constant, 1, &error, &program), COMPILE_OK)) {
        CHECK_EQ(program->ir->entry_points.count, 1);
        CHECK_EQ(program->reflection->entry_points[0].workgroup_size[0], 128);
        CHECK_EQ(program->reflection->entry_points[0].binding_count, 3);
        CHECK_EQ(compile_lower_for_cpu(program->ir, NULL, &error, &lowered), COMPILE_OK);
    }
    if (CHECK(lowered != NULL)) {
        CHECK_EQ(lowered->ir->variables.count, 3);
        for (size_t i = 1; i < lowered->ir->functions.items[0].ops.count; i++) {
            const struct ir_op *op = &lowered->ir->functions.items[0].ops.items[i];
            CHECK(op->parent.index == 0 ||
                ((ir_op_get_info(op->opcode)->flags & IR_FLAG_POLYFILL) == 0 &&
                    op->opcode != IR_FMA));
        }
    }
    compile_program_destroy(lowered);
    compile_program_destroy(program);
    compile_module_destroy(module);
    text_buffer_finish(&error);
}

TEST(stages) {
    struct compile_module *module = compile(saxpy);
    struct text_buffer out = {0};
    struct text_buffer error = {0};
    if (CHECK(module != NULL && module->is_valid)) {
        CHECK_EQ(
            compile_print_ir(module, 0, NULL, 0, NULL, (struct text){0}, &out, &error), COMPILE_OK);
        CHECK(out.data != NULL && strstr(out.data, "; stage module\n") != NULL);
        CHECK(out.data != NULL && strstr(out.data, "; stage specialised\n") != NULL);
        CHECK(out.data != NULL && strstr(out.data, "; stage final_cleanup\n") != NULL);
        CHECK_EQ(compile_print_ir(module, 0, NULL, 0, NULL, TEXT_LITERAL("nothing"), &out, &error),
            COMPILE_ERROR);
        CHECK(error.data != NULL && strstr(error.data, "no stage 'nothing'") != NULL);
    }
    text_buffer_finish(&out);
    text_buffer_finish(&error);
    compile_module_destroy(module);
}

// Compiles and lowers the first entry point; true when it went through or was refused in words.
static bool survives(struct text wgsl, bool *out_lowered) {
    struct compile_module *module = compile_module_create(wgsl, TEXT_LITERAL("hostile"), NULL);
    struct compile_program *program = NULL;
    struct compile_program *lowered = NULL;
    struct text_buffer error = {0};
    *out_lowered = false;
    bool ok = module != NULL;
    if (ok && module->is_valid && module->ir->entry_points.count != 0) {
        enum compile_status status = compile_specialise(module, 0, NULL, 0, &error, &program);
        if (status == COMPILE_OK) {
            status = compile_lower_for_cpu(program->ir, NULL, &error, &lowered);
        }
        *out_lowered = status == COMPILE_OK;
        ok = status == COMPILE_OK || (status == COMPILE_ERROR && error.length != 0);
    }
    compile_program_destroy(lowered);
    compile_program_destroy(program);
    compile_module_destroy(module);
    text_buffer_finish(&error);
    return ok;
}

static void check_hostile(struct text_buffer *wgsl, bool must_lower, const char *what) {
    bool is_lowered = false;
    clock_t begin = clock();
    if (!CHECK(!wgsl->has_failed) || !CHECK(survives(text_buffer_get(wgsl), &is_lowered)) ||
        !CHECK(is_lowered || !must_lower)) {
        fprintf(stderr, "    %s\n", what);
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (getenv("ALBA_TEST_VERBOSE") != NULL) {
        printf("%s: %.2f s, %zu bytes\n", what, seconds, wgsl->length);
    }
    wgsl->length = 0;
}

#define MAIN \
    "@group(0) @binding(0) var<storage, read_write> o: array<f32>;\n" \
    "@compute @workgroup_size(1) fn main() {\n"

TEST(hostile_programs) {
    struct text_buffer wgsl = {0};
    // A sum of 20,000 terms.
    text_buffer_append_string(&wgsl, MAIN "o[0] = o[1]");
    for (int i = 0; i < 20000; i++) {
        text_buffer_append_string(&wgsl, " + o[1]");
    }
    text_buffer_append_string(&wgsl, ";\n}\n");
    check_hostile(&wgsl, false, "long sum");
    // Functions that call the one before twice.
    text_buffer_append_string(&wgsl,
        "@group(0) @binding(0) var<storage, read_write> o: array<f32>;\n"
        "fn g0() { o[0] += 1; }\n");
    for (int i = 1; i < 40; i++) {
        text_buffer_print(&wgsl, "fn g%d() { g%d(); g%d(); }\n", i, i - 1, i - 1);
    }
    text_buffer_append_string(&wgsl, "@compute @workgroup_size(1) fn main() { g39(); }\n");
    check_hostile(&wgsl, true, "doubling calls");
    // Many variables stored in nested loops.
    text_buffer_append_string(&wgsl, MAIN);
    for (int i = 0; i < 1500; i++) {
        text_buffer_print(&wgsl, "var v%d = 0.0;\n", i);
    }
    for (int i = 0; i < 60; i++) {
        text_buffer_print(&wgsl, "for (var i%d = 0; i%d < 2; i%d++) {\n", i, i, i);
    }
    for (int i = 0; i < 1500; i++) {
        text_buffer_print(&wgsl, "v%d += 1.0;\n", i);
    }
    for (int i = 0; i < 60; i++) {
        text_buffer_append_string(&wgsl, "}\n");
    }
    for (int i = 0; i < 1500; i++) {
        text_buffer_print(&wgsl, "o[0] += v%d;\n", i);
    }
    text_buffer_append_string(&wgsl, "}\n");
    check_hostile(&wgsl, true, "variables in nested loops");
    // Many breaks and continues in one loop that stores many variables.
    text_buffer_append_string(&wgsl, MAIN);
    for (int i = 0; i < 1000; i++) {
        text_buffer_print(&wgsl, "var v%d = 0.0;\n", i);
    }
    text_buffer_append_string(&wgsl, "loop {\n");
    for (int i = 0; i < 1000; i++) {
        text_buffer_print(
            &wgsl, "if (o[%d] > 1) { break; } v%d += 1.0; if (o[%d] > 2) { continue; }\n", i, i, i);
    }
    text_buffer_append_string(&wgsl, "}\n");
    for (int i = 0; i < 1000; i++) {
        text_buffer_print(&wgsl, "o[0] += v%d;\n", i);
    }
    text_buffer_append_string(&wgsl, "}\n");
    check_hostile(&wgsl, true, "breaks and continues");
    // A large constant array, indexed dynamically; a large zero.
    text_buffer_append_string(&wgsl, "const table = array(");
    for (int i = 0; i < 20000; i++) {
        text_buffer_print(&wgsl, "%d,", i);
    }
    text_buffer_append_string(&wgsl,
        ");\n" MAIN "var a: array<f32, 16000>; let k = u32(o[0]);"
        "a[k] = f32(table[k]); o[1] = a[k + 1];\n}\n");
    check_hostile(&wgsl, false, "large arrays");
    // Early returns: more than are nested.
    text_buffer_append_string(&wgsl, "fn f(x: f32) -> f32 {\n");
    for (int i = 0; i < 400; i++) {
        text_buffer_print(&wgsl, "if (x == %d.0) { return %d.5; }\n", i, i);
    }
    text_buffer_append_string(&wgsl, "return 0;\n}\n" MAIN "o[0] = f(o[1]);\n}\n");
    check_hostile(&wgsl, true, "early returns");
    text_buffer_finish(&wgsl);
}

TEST(failing_allocations) {
    static const char text[] =
        "struct P { pos: vec3f, m: mat2x2f, t: array<f32, 4> }\n"
        "@group(0) @binding(0) var<storage, read_write> o: array<P>;\n"
        "var<private> count: u32;\n"
        "override n = 2u;\n"
        "fn f(p: P, i: u32) -> P {\n"
        "  var q = p;\n"
        "  if (i > 3) { return p; }\n"
        "  q.pos = sin(q.pos) * f32(n);\n"
        "  q.t[i] += 1;\n"
        "  return q;\n"
        "}\n"
        "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "  for (var k = 0u; k < n; k++) { o[i] = f(o[k], i); count += 1; }\n"
        "  o[i].m = o[i].m * o[0].m; o[0].t[i & 3] = f32(count);\n"
        "}\n";
    bool is_lowered = false;
    CHECK(survives(TEXT_LITERAL(text), &is_lowered));
    CHECK(is_lowered);
    size_t blocks = memory_live_blocks(MEMORY_COMPILE);
    // Each run fails one allocation later, until none fails.
    for (int64_t countdown = 0; countdown < 2000; countdown++) {
        memory_fail_after(countdown, true);
        survives(TEXT_LITERAL(text), &is_lowered);
        memory_fail_after(-1, false);
        if (is_lowered) {
            break;
        }
    }
    CHECK(is_lowered);
    CHECK_EQ(memory_live_blocks(MEMORY_COMPILE), blocks);
}

// 5,000 lines of ordinary code, so that the MiB that any module may take counts for little.
TEST(memory_is_64_times_the_text_at_most) {
    struct text_buffer text = {0};
    text_buffer_append_string(
        &text, "@group(0) @binding(0) var<storage, read_write> b: array<f32>;\n");
    for (int i = 0; i < 500; i++) {
        text_buffer_print(&text,
            "fn step%d(x: vec3f, n: u32) -> vec3f {\n"
            "    var v = x * %d.5;\n"
            "    for (var k = 0u; k < n; k++) {\n"
            "        let t = dot(v, x) + f32(k);\n"
            "        if (t > 10.0) {\n"
            "            v = v.yzx - vec3f(t, 1.0, %d.0);\n"
            "        }\n"
            "    }\n"
            "    return select(v, x, v < vec3f(b[n]));\n"
            "}\n",
            i, i, i);
    }
    size_t before = memory_live_bytes(MEMORY_COMPILE);
    memory_reset_peak(MEMORY_COMPILE);
    struct compile_module *module = compile(text.data);
    size_t peak = memory_peak_bytes(MEMORY_COMPILE) - before;
    CHECK(module != NULL && module->is_valid);
    CHECK(text.length > 100000);
    CHECK(peak < ((size_t)1 << 20) + 64 * text.length);
    // The syntax tree is not kept.
    CHECK(memory_live_bytes(MEMORY_COMPILE) - before < 3 * peak / 4);
    compile_module_destroy(module);
    CHECK_EQ(memory_live_bytes(MEMORY_COMPILE), before);
    text_buffer_finish(&text);
}

CHECK_MAIN(module_and_entry_points, errors_are_diagnostics, specialise_and_lower, stages,
    hostile_programs, failing_allocations, memory_is_64_times_the_text_at_most)
