// SPDX-License-Identifier: MIT
//
// The ordered list of passes for the CPU, and the stages that it shows. See compile.h.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader/compile/compile_priv.h"
#include "shader/ir/ir_text.h"
#include "shader/pass/pass.h"

#define DEFAULT_INLINE_BUDGET 200000u
// What the IR of one program may take while it is lowered. A short text can ask for much: each
// product of two matrices is some hundred operations.
#define PROGRAM_LIMIT_MIB 1024u

static const char *const pass_names[COMPILE_PASS_COUNT] = {
#define X(name, text, is_optional) text,
    COMPILE_PASSES(X)
#undef X
};
static const bool pass_is_optional[COMPILE_PASS_COUNT] = {
#define X(name, text, is_optional) is_optional,
    COMPILE_PASSES(X)
#undef X
};

const char *compile_pass_name(enum compile_pass pass) {
    return pass_names[pass];
}

bool compile_pass_is_optional(enum compile_pass pass) {
    return pass_is_optional[pass];
}

void compile_assert_valid(const struct ir_module *module, const char *stage) {
#ifndef NDEBUG
    struct text_buffer error = {0};
    size_t failed = 0;
    bool ok = ir_validate(module, &error);
    // Memory may run out in the validator: then nothing is known, and later steps will fail too.
    if (!ok && !error.has_failed && error.data != NULL &&
        strstr(error.data, "out of memory") == NULL && !module->has_failed) {
        fprintf(stderr, "invalid IR after %s:\n%s", stage, error.data);
        struct text_buffer dump = {0};
        ir_print(&dump, module);
        fprintf(stderr, "%s\n", dump.data != NULL ? dump.data : "");
        failed = 1;
    }
    text_buffer_finish(&error);
    if (failed != 0) {
        abort();
    }
#else
    (void)module;
    (void)stage;
#endif
}

static enum pass_status run_pass(struct ir_module *ir, enum compile_pass pass,
    const struct compile_cpu_options *options, struct text_buffer *out_error) {
    enum pass_status status = PASS_OK;
    switch (pass) {
    case COMPILE_PASS_INLINE:
        return pass_inline(ir,
            options->inline_budget_ops != 0 ? options->inline_budget_ops : DEFAULT_INLINE_BUDGET,
            out_error);
    case COMPILE_PASS_LOCALISE:
        return pass_localise(ir);
    case COMPILE_PASS_POLYFILL:
        return pass_polyfill(ir);
    case COMPILE_PASS_SPLIT_COMPOSITES:
        return pass_split_composites(ir, out_error);
    case COMPILE_PASS_PROMOTE:
        return pass_promote(ir);
    case COMPILE_PASS_SCALARISE:
        return pass_scalarise(ir);
    case COMPILE_PASS_SIMPLIFY:
        return pass_simplify(ir);
    case COMPILE_PASS_CONTRACT:
        return pass_contract(ir, options->has_fma);
    case COMPILE_PASS_LOOPS:
        return pass_loops(ir);
    case COMPILE_PASS_BOUNDS:
        return pass_bounds(ir);
    case COMPILE_PASS_FINAL_CLEANUP:
        status = pass_simplify(ir);
        return status == PASS_OK ? pass_drop_unreached(ir, true) : status;
    case COMPILE_PASS_COUNT:
        break;
    }
    return PASS_OK;
}

enum compile_status compile_lower_observed(const struct ir_module *module,
    const struct compile_cpu_options *options, compile_observer observer, void *user,
    struct text_buffer *out_error, struct compile_program **out_program) {
    static const struct compile_cpu_options defaults;
    const struct compile_cpu_options *given = options != NULL ? options : &defaults;
    *out_program = NULL;
    if (!compile_check_cpu_support(module, out_error)) {
        return COMPILE_ERROR;
    }
    struct compile_program *program = compile_program_create(module);
    if (program == NULL) {
        return COMPILE_OUT_OF_MEMORY;
    }
    size_t limit_bytes = (size_t)PROGRAM_LIMIT_MIB << 20;
    program->arena.limit_bytes = limit_bytes;
    enum compile_status status = COMPILE_OK;
    for (uint32_t i = 0; i < COMPILE_PASS_COUNT && status == COMPILE_OK; i++) {
        if (pass_is_optional[i] && (given->disabled_passes & (1u << i)) != 0) {
            continue;
        }
        status = compile_status_of(run_pass(program->ir, (enum compile_pass)i, given, out_error));
        if (status == COMPILE_OK) {
            compile_assert_valid(program->ir, pass_names[i]);
            if (observer != NULL) {
                observer(user, (enum compile_pass)i, program->ir);
            }
        }
    }
    if (status == COMPILE_OK) {
        program->reflection = reflect_create(program->ir, &program->arena);
        status = program->reflection != NULL ? COMPILE_OK : COMPILE_OUT_OF_MEMORY;
    }
    // A growing list asks for twice its size: the limit is met from half of it on.
    if (status == COMPILE_OUT_OF_MEMORY && program->arena.used_bytes > limit_bytes / 4) {
        text_buffer_print(out_error, "the program takes more than %u MiB to compile for the CPU",
            PROGRAM_LIMIT_MIB);
        status = COMPILE_ERROR;
    }
    if (status != COMPILE_OK) {
        compile_program_destroy(program);
        return status;
    }
    *out_program = program;
    return COMPILE_OK;
}

enum compile_status compile_lower_for_cpu(const struct ir_module *module,
    const struct compile_cpu_options *options, struct text_buffer *out_error,
    struct compile_program **out_program) {
    return compile_lower_observed(module, options, NULL, NULL, out_error, out_program);
}

// ---------------------------------------------------------------- stages

struct printer {
    struct text_buffer *out;
    struct text wanted; // empty: all
    bool has_printed;
};

static void print_stage(struct printer *printer, const char *name, const struct ir_module *module) {
    if (printer->wanted.length == 0 || text_equals_string(printer->wanted, name)) {
        text_buffer_print(printer->out, "; stage %s\n", name);
        ir_print(printer->out, module);
        printer->has_printed = true;
    }
}

static void print_pass(void *user, enum compile_pass pass, const struct ir_module *module) {
    print_stage(user, pass_names[pass], module);
}

static enum compile_status print_stages(struct printer *printer,
    const struct compile_module *module, uint32_t entry_point,
    const struct compile_constant *constants, uint32_t constant_count,
    const struct compile_cpu_options *options, struct text_buffer *out_error) {
    print_stage(printer, "module", module->ir);
    if (entry_point == COMPILE_NO_ENTRY_POINT) {
        return COMPILE_OK;
    }
    struct compile_program *program = NULL;
    enum compile_status status = compile_specialise(
        module, entry_point, constants, constant_count, out_error, &program);
    if (status != COMPILE_OK) {
        return status;
    }
    print_stage(printer, "specialised", program->ir);
    struct text_buffer unsupported = {0};
    if (!compile_check_cpu_support(program->ir, &unsupported)) {
        text_buffer_print(
            printer->out, "; no more stages: %.*s\n", TEXT_ARGS(text_buffer_get(&unsupported)));
        text_buffer_finish(&unsupported);
        compile_program_destroy(program);
        return COMPILE_OK;
    }
    text_buffer_finish(&unsupported);
    struct compile_program *lowered = NULL;
    status = compile_lower_observed(program->ir, options, print_pass, printer, out_error, &lowered);
    compile_program_destroy(program);
    compile_program_destroy(lowered);
    return status;
}

enum compile_status compile_print_ir(const struct compile_module *module, uint32_t entry_point,
    const struct compile_constant *constants, uint32_t constant_count,
    const struct compile_cpu_options *options, struct text stage, struct text_buffer *out,
    struct text_buffer *out_error) {
    if (!module->is_valid) {
        text_buffer_append_string(out_error, "the module has errors");
        return COMPILE_ERROR;
    }
    struct printer printer = {.out = out, .wanted = stage};
    enum compile_status status = print_stages(
        &printer, module, entry_point, constants, constant_count, options, out_error);
    if (status == COMPILE_OK && !printer.has_printed) {
        text_buffer_print(out_error, "there is no stage '%.*s'; stages are: module specialised",
            TEXT_ARGS(stage));
        for (uint32_t i = 0; i < COMPILE_PASS_COUNT; i++) {
            text_buffer_print(out_error, " %s", pass_names[i]);
        }
        return COMPILE_ERROR;
    }
    return out->has_failed && status == COMPILE_OK ? COMPILE_OUT_OF_MEMORY : status;
}
