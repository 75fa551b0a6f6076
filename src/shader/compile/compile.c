// SPDX-License-Identifier: MIT
//
// The front door: WGSL text to a module, a module to a specialised program. See compile.h; the pass
// list for the CPU is in compile_cpu.c.
#include "shader/compile/compile.h"

#include "shader/compile/compile_priv.h"
#include "shader/ir/ir_text.h"
#include "shader/pass/pass.h"
#include "shader/wgsl/wgsl.h"

static struct compile_module *allocate_module(void) {
    struct compile_module *module = memory_allocate_zeroed(MEMORY_COMPILE, 1, sizeof(*module));
    if (module != NULL) {
        arena_init(&module->arena, MEMORY_COMPILE);
        module->arena.gives_back_outgrown = true;
    }
    return module;
}

// False when out of memory. An error in the text is none of this function's failures.
static bool fill_module(struct compile_module *module, struct text wgsl, struct text name,
    const struct compile_options *options) {
    struct arena *arena = &module->arena;
    struct text copy = {text_copy(arena, wgsl), wgsl.length};
    struct text name_copy = {text_copy(arena, name), name.length};
    diagnostic_list_init(&module->diagnostics, arena, options->diagnostic_limit);
    if (copy.data == NULL || name_copy.data == NULL) {
        return false;
    }
    module->is_wgsl = true;
    module->enabled_extensions = options->enabled_extensions;
    struct wgsl_options wgsl_options = {.enabled_extensions = options->enabled_extensions,
        .diagnostic_limit = options->diagnostic_limit};
    bool ok = wgsl_compile(copy, &wgsl_options, arena, &module->diagnostics, &module->ir);
    diagnostic_list_sort(&module->diagnostics);
    // The index of lines is made here too, so that messages can be placed whatever went wrong.
    bool is_indexed = wgsl.length > WGSL_SOURCE_LIMIT_BYTES ||
        source_init(&module->source, copy, name_copy, arena);
    if (!is_indexed || module->diagnostics.is_out_of_memory) {
        return false;
    }
    if (!ok || module->ir == NULL) {
        module->ir = NULL;
        return diagnostic_list_has_errors(&module->diagnostics);
    }
    if (module->ir->has_failed) {
        return false;
    }
    compile_assert_valid(module->ir, "wgsl");
    module->reflection = reflect_create(module->ir, arena);
    module->is_valid = module->reflection != NULL;
    return module->is_valid;
}

struct compile_module *compile_module_create(
    struct text wgsl, struct text name, const struct compile_options *options) {
    static const struct compile_options defaults;
    struct compile_module *module = allocate_module();
    if (module == NULL) {
        return NULL;
    }
    // More than the front end takes is not copied either: the front end refuses it by its length.
    struct text taken = wgsl;
    if (wgsl.length > WGSL_SOURCE_LIMIT_BYTES + 1) {
        taken.length = WGSL_SOURCE_LIMIT_BYTES + 1;
    }
    if (!fill_module(module, taken, name, options != NULL ? options : &defaults)) {
        compile_module_destroy(module);
        return NULL;
    }
    return module;
}

struct compile_module *compile_module_create_from_ir(
    struct text ir_text, struct text_buffer *out_error) {
    struct compile_module *module = allocate_module();
    if (module == NULL) {
        text_buffer_append_string(out_error, "out of memory");
        return NULL;
    }
    diagnostic_list_init(&module->diagnostics, &module->arena, 0);
    struct text copy = {text_copy(&module->arena, ir_text), ir_text.length};
    bool ok = copy.data != NULL &&
        source_init(&module->source, copy, TEXT_LITERAL("ir"), &module->arena);
    module->ir = ok ? ir_read(copy, &module->arena, out_error) : NULL;
    if (module->ir == NULL || !ir_validate(module->ir, out_error)) {
        compile_module_destroy(module);
        return NULL;
    }
    module->reflection = reflect_create(module->ir, &module->arena);
    module->is_valid = module->reflection != NULL;
    if (!module->is_valid) {
        text_buffer_append_string(out_error, "out of memory");
        compile_module_destroy(module);
        return NULL;
    }
    return module;
}

void compile_module_destroy(struct compile_module *module) {
    if (module != NULL) {
        arena_finish(&module->arena);
        memory_free(module);
    }
}

uint32_t compile_find_entry_point(
    const struct compile_module *module, enum shader_stage stage, struct text name) {
    uint32_t found = COMPILE_NO_ENTRY_POINT;
    for (uint32_t i = 0; module->is_valid && i < module->ir->entry_points.count; i++) {
        const struct ir_entry_point *entry = &module->ir->entry_points.items[i];
        if (entry->stage != stage) {
            continue;
        }
        if (name.data != NULL) {
            if (text_equals(entry->name, name)) {
                return i;
            }
        } else if (found != COMPILE_NO_ENTRY_POINT) {
            return COMPILE_NO_ENTRY_POINT;
        } else {
            found = i;
        }
    }
    return found;
}

// ---------------------------------------------------------------- programs

struct compile_program *compile_program_create(const struct ir_module *module) {
    struct compile_program *program = memory_allocate_zeroed(MEMORY_COMPILE, 1, sizeof(*program));
    if (program == NULL) {
        return NULL;
    }
    arena_init(&program->arena, MEMORY_COMPILE);
    program->ir = ir_module_copy(module, &program->arena);
    if (program->ir == NULL) {
        compile_program_destroy(program);
        return NULL;
    }
    return program;
}

void compile_program_destroy(struct compile_program *program) {
    if (program != NULL) {
        arena_finish(&program->arena);
        memory_free(program);
    }
}

enum compile_status compile_status_of(enum pass_status status) {
    switch (status) {
    case PASS_OK:
        return COMPILE_OK;
    case PASS_ERROR:
        return COMPILE_ERROR;
    case PASS_OUT_OF_MEMORY:
        return COMPILE_OUT_OF_MEMORY;
    }
    return COMPILE_OUT_OF_MEMORY;
}

static enum pass_status specialise(struct ir_module *ir, uint32_t entry_point,
    const struct pass_constant *constants, uint32_t count, struct text_buffer *out_error) {
    ir->entry_points.items[0] = ir->entry_points.items[entry_point];
    ir->entry_points.count = 1;
    enum pass_status status = pass_drop_unreached(ir, false);
    if (status == PASS_OK) {
        status = pass_override(ir, constants, count, out_error);
    }
    return status;
}

static void print_first_error(const struct compile_module *module,
    const struct diagnostic_list *diagnostics, struct text_buffer *out_error) {
    for (uint32_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *diagnostic = diagnostics->items[i];
        if (diagnostic->severity == DIAGNOSTIC_ERROR) {
            struct source_location at = source_locate(&module->source, diagnostic->span.begin);
            text_buffer_print(out_error, "%u:%u: %.*s", (unsigned)at.line, (unsigned)at.column,
                TEXT_ARGS(diagnostic->message));
            return;
        }
    }
}

// The errors that override-expressions have with these constants, as constants have them.
static enum compile_status check_override_expressions(const struct compile_module *module,
    uint32_t entry_point, const struct compile_constant *constants, uint32_t count,
    struct text_buffer *out_error) {
    if (!module->is_wgsl || module->reflection->entry_points[entry_point].override_count == 0) {
        return COMPILE_OK;
    }
    struct arena arena;
    arena_init(&arena, MEMORY_COMPILE);
    struct wgsl_constant *copies = ARENA_ARRAY(&arena, struct wgsl_constant, (size_t)count + 1);
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, &arena, 0);
    enum compile_status status = COMPILE_OUT_OF_MEMORY;
    if (copies != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            copies[i] = (struct wgsl_constant){constants[i].key, constants[i].value};
        }
        struct wgsl_options options = {.enabled_extensions = module->enabled_extensions};
        struct wgsl_pipeline pipeline = {
            module->ir->entry_points.items[entry_point].name, copies, count};
        bool ok = wgsl_check_pipeline(&module->source, &options, &pipeline, &arena, &diagnostics);
        status = ok ? COMPILE_OK : COMPILE_ERROR;
        if (diagnostics.is_out_of_memory) {
            status = COMPILE_OUT_OF_MEMORY;
        } else if (!ok) {
            print_first_error(module, &diagnostics, out_error);
        }
    }
    arena_finish(&arena);
    return status;
}

static struct pass_constant *copy_constants(
    const struct compile_constant *constants, uint32_t count) {
    struct pass_constant *copies = memory_allocate_zeroed(
        MEMORY_COMPILE, (size_t)count + 1, sizeof(*copies));
    for (uint32_t i = 0; copies != NULL && i < count; i++) {
        copies[i] = (struct pass_constant){constants[i].key, constants[i].value};
    }
    return copies;
}

enum compile_status compile_find_sizes(const struct compile_module *module,
    const struct compile_constant *constants, uint32_t constant_count, struct arena *arena,
    struct compile_sizes *out, struct text_buffer *out_error) {
    struct pass_constant *copies = copy_constants(constants, constant_count);
    if (copies == NULL) {
        return COMPILE_OUT_OF_MEMORY;
    }
    struct pass_sizes sizes = {0};
    enum compile_status status = compile_status_of(
        pass_override_sizes(module->ir, copies, constant_count, arena, &sizes, out_error));
    memory_free(copies);
    *out = (struct compile_sizes){sizes.workgroup_sizes, sizes.counts};
    return status;
}

enum compile_status compile_specialise(const struct compile_module *module, uint32_t entry_point,
    const struct compile_constant *constants, uint32_t constant_count,
    struct text_buffer *out_error, struct compile_program **out_program) {
    *out_program = NULL;
    if (!module->is_valid || entry_point >= module->ir->entry_points.count) {
        text_buffer_append_string(out_error, "the module has no such entry point");
        return COMPILE_ERROR;
    }
    struct pass_constant *copies = copy_constants(constants, constant_count);
    struct compile_program *program = compile_program_create(module->ir);
    if (copies == NULL || program == NULL) {
        memory_free(copies);
        compile_program_destroy(program);
        return COMPILE_OUT_OF_MEMORY;
    }
    enum compile_status status = compile_status_of(
        specialise(program->ir, entry_point, copies, constant_count, out_error));
    memory_free(copies);
    if (status == COMPILE_OK) {
        status = check_override_expressions(
            module, entry_point, constants, constant_count, out_error);
    }
    if (status == COMPILE_OK) {
        compile_assert_valid(program->ir, "specialise");
        program->reflection = reflect_create(program->ir, &program->arena);
        status = program->reflection != NULL ? COMPILE_OK : COMPILE_OUT_OF_MEMORY;
    }
    if (status != COMPILE_OK) {
        compile_program_destroy(program);
        return status;
    }
    *out_program = program;
    return COMPILE_OK;
}
