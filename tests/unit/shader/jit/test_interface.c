// SPDX-License-Identifier: MIT
//
// The code generator's contract: options and modules that it refuses, its texts, cancellation, failing
// allocations, and memory that is given back.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "shader/ir/ir_text.h"
#include "shader/jit/jit.h"

static const char counting[] =
    "variable #0 storage read_write array<u32> \"b\" group 0 binding 0\n"
    "function #0 \"main\" () -> void {\n"
    "  %1 = load_input [0] : u32\n"
    "  %2 = variable [0] : ptr<storage, array<u32>, read_write>\n"
    "  %3 = access %2, %1 : ptr<storage, u32, read_write>\n"
    "  %4 = add.i %1, u32(5) : u32\n"
    "  store %3, %4\n"
    "  return\n"
    "}\n"
    "entry compute \"main\" #0 workgroup_size(16, 1, 1) { input u32 builtin local_invocation_index }\n";

// Stores the second immediate word plus the lane's number.
static const char immediate[] =
    "struct #0 \"I\" { \"a\": u32 align 4 size 4, \"b\": u32 align 4 size 4 }\n"
    "variable #0 storage read_write array<u32> \"b\" group 0 binding 0\n"
    "variable #1 immediate read struct#0 \"i\"\n"
    "function #0 \"main\" () -> void {\n"
    "  %1 = load_input [0] : u32\n"
    "  %2 = variable [0] : ptr<storage, array<u32>, read_write>\n"
    "  %3 = access %2, %1 : ptr<storage, u32, read_write>\n"
    "  %4 = variable [1] : ptr<immediate, struct#0, read>\n"
    "  %5 = access %4, u32(1) : ptr<immediate, u32, read>\n"
    "  %6 = load %5 : u32\n"
    "  %7 = add.i %1, %6 : u32\n"
    "  store %3, %7\n"
    "  return\n"
    "}\n"
    "entry compute \"main\" #0 workgroup_size(16, 1, 1) { input u32 builtin local_invocation_index }\n";

static const char waiting[] = "function #0 \"main\" () -> void {\n"
                              "  workgroup_barrier\n"
                              "  return\n"
                              "}\n"
                              "entry compute \"main\" #0 workgroup_size(1, 1, 1) { }\n";

// Never ends unless it is cancelled.
static const char endless[] = "function #0 \"main\" () -> void {\n"
                              "  loop u32(0) body (%1: u32) {\n"
                              "    continue\n"
                              "  } continuing {\n"
                              "    %2 = add.i %1, u32(1) : u32\n"
                              "    next_iteration %2\n"
                              "  }\n"
                              "  unreachable\n"
                              "}\n"
                              "entry compute \"main\" #0 workgroup_size(1, 1, 1) { }\n";

static const struct jit_interface *get(void) {
    return alba_jit_get_interface(JIT_ABI_VERSION);
}

static struct jit_options native(void) {
    return (struct jit_options){.level = get()->native_level(), .poll_cancel = true};
}

static struct ir_module *read(const char *text, struct arena *arena) {
    struct text_buffer error = {0};
    arena_init(arena, MEMORY_TEST);
    struct ir_module *module = ir_read(text_from_string(text), arena, &error);
    CHECK(module != NULL);
    if (module == NULL) {
        fprintf(stderr, "    %s\n", error.data);
    }
    text_buffer_finish(&error);
    return module;
}

TEST(only_this_version_is_given) {
    CHECK(get() != NULL);
    CHECK(alba_jit_get_interface(JIT_ABI_VERSION + 1) == NULL);
    CHECK(strlen(get()->llvm_version()) >= 5);
    CHECK_EQ(get()->native_width(JIT_LEVEL_SSE42), 4);
    CHECK_EQ(get()->native_width(JIT_LEVEL_AVX2), 8);
    CHECK_EQ(get()->native_width(JIT_LEVEL_AVX512), 16);
}

static void refuse(
    const struct ir_module *module, uint32_t entry, struct jit_options options, const char *word) {
    struct text_buffer error = {0};
    CHECK(get()->compile(module, entry, &options, &error) == NULL);
    CHECK(error.data != NULL && strstr(error.data, word) != NULL);
    if (error.data == NULL || strstr(error.data, word) == NULL) {
        fprintf(stderr, "    got \"%s\", expected the word %s\n", error.data, word);
    }
    text_buffer_finish(&error);
}

TEST(what_cannot_be_compiled_is_refused_with_a_reason) {
    struct arena arena;
    struct ir_module *module = read(counting, &arena);
    struct jit_options options = native();
    if (module != NULL) {
        refuse(module, 1, options, "entry point");
        options.width = 3;
        refuse(module, 0, options, "power of two");
        options.width = 128;
        refuse(module, 0, options, "power of two");
        options = native();
        options.jam = 16;
        refuse(module, 0, options, "power of two");
        options = native();
        options.level = options.level == JIT_LEVEL_NEON ? JIT_LEVEL_AVX2 : JIT_LEVEL_NEON;
        refuse(module, 0, options, "not one of this machine");
        module->entry_points.items[0].workgroup_size[1] = 0;
        refuse(module, 0, native(), "workgroup");
        module->entry_points.items[0].workgroup_size[1] = 1u << 20;
        refuse(module, 0, native(), "workgroup");
    }
    arena_finish(&arena);
}

TEST(a_stage_that_cannot_have_barriers_is_refused) {
    struct arena arena;
    struct ir_module *module = read(waiting, &arena);
    if (module != NULL) {
        module->entry_points.items[0].stage = STAGE_FRAGMENT;
        refuse(module, 0, native(), "barrier");
    }
    arena_finish(&arena);
}

TEST(a_kernel_runs_the_groups_it_is_given_and_counts_them) {
    struct arena arena;
    struct ir_module *module = read(counting, &arena);
    struct text_buffer error = {0};
    struct jit_options options = native();
    const struct jit_kernel *kernel = module != NULL ? get()->compile(module, 0, &options, &error)
                                                     : NULL;
    CHECK(kernel != NULL);
    arena_finish(&arena); // the kernel does not need the module
    if (kernel != NULL) {
        uint32_t words[20] = {0};
        struct jit_buffer buffer = {(uint8_t *)words, 64};
        atomic_uint cancel = 0;
        _Atomic uint64_t progress = 7;
        struct jit_dispatch dispatch = {
            .buffers = &buffer, .num_workgroups = {4, 2, 3}, .cancel = &cancel};
        void *scratch = aligned_alloc(64, kernel->scratch_bytes);
        CHECK_EQ(kernel->workgroup_size[0], 16);
        CHECK(kernel->code_bytes > 0);
        kernel->function(&dispatch, 3, 3, scratch, &progress);
        CHECK_EQ(progress, 7);
        CHECK_EQ(words[0], 0);
        kernel->function(&dispatch, 5, 24, scratch, &progress);
        CHECK_EQ(progress, 26);
        for (uint32_t i = 0; i < 20; i++) {
            CHECK_EQ(words[i], i < 16 ? i + 5 : 0);
        }
        free(scratch);
        get()->destroy(kernel);
    }
    get()->destroy(NULL);
    text_buffer_finish(&error);
}

TEST(immediates_are_read_from_the_dispatch) {
    struct arena arena;
    struct ir_module *module = read(immediate, &arena);
    struct text_buffer error = {0};
    struct jit_options options = native();
    const struct jit_kernel *kernel = module != NULL ? get()->compile(module, 0, &options, &error)
                                                     : NULL;
    CHECK(kernel != NULL);
    if (kernel != NULL) {
        uint32_t words[16] = {0}, immediates[2] = {3, 500};
        struct jit_buffer buffer = {(uint8_t *)words, 64};
        atomic_uint cancel = 0;
        _Atomic uint64_t progress = 0;
        struct jit_dispatch dispatch = {.buffers = &buffer,
            .immediates = immediates,
            .num_workgroups = {1, 1, 1},
            .cancel = &cancel};
        void *scratch = aligned_alloc(64, kernel->scratch_bytes);
        kernel->function(&dispatch, 0, 1, scratch, &progress);
        for (uint32_t i = 0; i < 16; i++) {
            CHECK_EQ(words[i], 500 + i);
        }
        free(scratch);
        get()->destroy(kernel);
    }
    text_buffer_finish(&error);
    arena_finish(&arena);
}

TEST(an_endless_loop_ends_when_it_is_cancelled) {
    struct arena arena;
    struct ir_module *module = read(endless, &arena);
    struct text_buffer error = {0};
    struct jit_options options = native();
    const struct jit_kernel *kernel = module != NULL ? get()->compile(module, 0, &options, &error)
                                                     : NULL;
    CHECK(kernel != NULL);
    if (kernel != NULL) {
        atomic_uint cancel = 1;
        _Atomic uint64_t progress = 0;
        struct jit_dispatch dispatch = {.num_workgroups = {3, 1, 1}, .cancel = &cancel};
        void *scratch = aligned_alloc(64, kernel->scratch_bytes);
        kernel->function(&dispatch, 0, 3, scratch, &progress);
        CHECK(progress < 3);
        free(scratch);
        get()->destroy(kernel);
    } else {
        fprintf(stderr, "    %s\n", error.data);
    }
    text_buffer_finish(&error);
    arena_finish(&arena);
}

TEST(stages_can_be_printed) {
    struct arena arena;
    struct ir_module *module = read(counting, &arena);
    struct jit_options options = native();
    static const enum jit_text_kind kinds[] = {
        JIT_TEXT_LLVM, JIT_TEXT_LLVM_OPTIMISED, JIT_TEXT_ASSEMBLY};
    for (int i = 0; module != NULL && i < 3; i++) {
        struct text_buffer text = {0}, error = {0};
        CHECK(get()->print(module, 0, &options, kinds[i], &text, &error));
        CHECK(text.length > 100);
        CHECK(strstr(text.data, "alba_kernel") != NULL);
        CHECK_EQ(error.length, 0);
        text_buffer_finish(&text);
        text_buffer_finish(&error);
    }
    arena_finish(&arena);
}

TEST(failing_allocations_are_reported_and_leak_nothing) {
    struct arena arena;
    struct ir_module *module = read(counting, &arena);
    struct jit_options options = native();
    size_t before = memory_live_bytes(MEMORY_JIT);
    bool has_succeeded = false;
    for (int64_t countdown = 0; module != NULL && countdown < 200 && !has_succeeded; countdown++) {
        struct text_buffer error = {0};
        memory_fail_after(countdown, true);
        const struct jit_kernel *kernel = get()->compile(module, 0, &options, &error);
        memory_fail_after(-1, false);
        has_succeeded = kernel != NULL;
        CHECK(kernel != NULL || error.length > 0 || error.has_failed);
        get()->destroy(kernel);
        text_buffer_finish(&error);
        CHECK_EQ(memory_live_bytes(MEMORY_JIT), before);
    }
    CHECK(has_succeeded);
    arena_finish(&arena);
}

CHECK_MAIN(only_this_version_is_given, what_cannot_be_compiled_is_refused_with_a_reason,
    a_stage_that_cannot_have_barriers_is_refused,
    a_kernel_runs_the_groups_it_is_given_and_counts_them, immediates_are_read_from_the_dispatch,
    an_endless_loop_ends_when_it_is_cancelled, stages_can_be_printed,
    failing_allocations_are_reported_and_leak_nothing)
