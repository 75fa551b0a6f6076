// SPDX-License-Identifier: MIT
//
// What must be true of every text; fuzz.h lists it.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "shader/compile/compile.h"
#include "shader/explain/explain.h"
#include "shader/explain/layout_report.h"
#include "shader/ir/ir_text.h"
#include "shader/wgsl/extension.h"

// Printing all of a long text again and again would test the printers alone.
#define ROUND_TRIP_BYTES ((size_t)16 << 10)

static void violation(const char *format, ...) TEXT_PRINTF(1, 2);

static void violation(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("fuzz: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

uint32_t fuzz_next(struct fuzz_input *input, uint32_t below) {
    uint32_t value = 0;
    for (uint32_t most = below - 1; most != 0; most >>= 8) {
        uint8_t byte = input->at < input->count ? input->bytes[input->at++] : 0;
        value = value << 8 | byte;
    }
    return value % below;
}

static size_t count_bytes(size_t (*count)(enum memory_tag)) {
    return count(MEMORY_COMPILE) + count(MEMORY_GENERAL) + count(MEMORY_TEXT);
}

static void reset_peaks(void) {
    memory_reset_peak(MEMORY_COMPILE);
    memory_reset_peak(MEMORY_GENERAL);
    memory_reset_peak(MEMORY_TEXT);
}

static void check_span(struct source_span span, size_t length, const char *what) {
    if (span.begin > span.end || span.end > length) {
        violation("the %s lies at %u to %u of %zu bytes", what, span.begin, span.end, length);
    }
}

static void check_diagnostics(const struct compile_module *module, size_t length) {
    const struct diagnostic_list *list = &module->diagnostics;
    if (!module->is_valid && list->error_count == 0) {
        violation("the module is invalid and no error says why");
    }
    if (module->is_valid && list->error_count != 0) {
        violation("the module is valid and has an error");
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const struct diagnostic *diagnostic = list->items[i];
        check_span(diagnostic->span, length, "diagnostic");
        if (diagnostic->message.length == 0) {
            violation("a diagnostic has no message");
        }
        if (diagnostic->code == DIAGNOSTIC_INTERNAL) {
            violation(
                "the compiler says that it is at fault: %.*s", TEXT_ARGS(diagnostic->message));
        }
        for (const struct diagnostic_note *note = diagnostic->first_note; note; note = note->next) {
            if (note->has_span) {
                check_span(note->span, length, "note");
            }
        }
        for (const struct diagnostic_fix *fix = diagnostic->first_fix; fix; fix = fix->next) {
            check_span(fix->span, length, "fix");
        }
    }
    struct text_buffer out = {0};
    diagnostic_list_print(&out, &module->source, list, (struct diagnostic_style){0});
    diagnostic_list_print_json(&out, &module->source, list);
    text_buffer_finish(&out);
}

static void check_round_trip(const struct ir_module *ir) {
    struct text_buffer first = {0}, second = {0}, errors = {0};
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    ir_print(&first, ir);
    struct ir_module *copy = ir_read(text_buffer_get(&first), &arena, &errors);
    if (copy == NULL) {
        violation("the printed IR cannot be read: %s", errors.data ? errors.data : "");
    }
    ir_print(&second, copy);
    if (!text_equals(text_buffer_get(&first), text_buffer_get(&second))) {
        violation("the printed IR reads back differently");
    }
    arena_finish(&arena);
    text_buffer_finish(&first);
    text_buffer_finish(&second);
    text_buffer_finish(&errors);
}

static void check_status(enum compile_status status, const struct text_buffer *error) {
    if (status == COMPILE_OUT_OF_MEMORY) {
        violation("an entry point is said to be out of memory");
    }
    if (status == COMPILE_ERROR && error->length == 0) {
        violation("an entry point is refused without a message");
    }
}

static void check_entry_points(const struct compile_module *module) {
    for (uint32_t i = 0; i < module->ir->entry_points.count; i++) {
        struct text_buffer error = {0};
        struct compile_program *program = NULL, *lowered = NULL;
        check_status(compile_specialise(module, i, NULL, 0, &error, &program), &error);
        if (program != NULL && program->ir->entry_points.items[0].stage == STAGE_COMPUTE) {
            // Few operations, so that calls that double and double are refused early.
            struct compile_cpu_options options = {.inline_budget_ops = 5000};
            check_status(compile_lower_for_cpu(program->ir, &options, &error, &lowered), &error);
            if (lowered != NULL && !ir_validate(lowered->ir, &error)) {
                violation("the lowered IR is not valid: %s", error.data ? error.data : "");
            }
        }
        compile_program_destroy(lowered);
        compile_program_destroy(program);
        text_buffer_finish(&error);
    }
}

// All that the command line tells of a shader.
static void check_explanations(struct text text) {
    struct explain_module *module = explain_module_create(
        text, TEXT_LITERAL("fuzz"), TEXT_LITERAL(""));
    if (module == NULL) {
        violation("explaining is said to be out of memory");
    }
    struct explain_options options = {0};
    struct layout_report_options layout = {.columns = LAYOUT_ALL_COLUMNS};
    struct text_buffer out = {0};
    uint32_t count = 0;
    bool ok = true;
    if (module->is_checked) {
        ok = explain_print(module, &options, &out) && explain_print_json(module, &options, &out);
    }
    if (module->is_complete) {
        ok = explain_print_reflection(module, &out) && ok;
    }
    if (module->ast != NULL) {
        ok = layout_report_print(module, &layout, &out, &count) &&
            layout_report_print_json(module, &layout, &out, &count) &&
            layout_report_print_c_header(module, &layout, &out, &count) && ok;
    }
    if (!ok || out.has_failed) {
        violation("an explanation is said to be out of memory");
    }
    text_buffer_finish(&out);
    explain_module_destroy(module);
}

static double cpu_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct compile_module *create(
    enum fuzz_language language, struct text text, struct text_buffer *error) {
    switch (language) {
    case FUZZ_WGSL: {
        struct compile_options options = {.enabled_extensions = UINT32_MAX};
        struct compile_module *module = compile_module_create(text, TEXT_LITERAL("fuzz"), &options);
        if (module == NULL) {
            violation("a module is said to be out of memory");
        }
        return module;
    }
    case FUZZ_IR:
        return compile_module_create_from_ir(text, error);
    }
    return NULL;
}

void fuzz_judge(enum fuzz_language language, struct text text, size_t bytes_each,
    struct fuzz_measure *out_measure) {
    struct text_buffer error = {0};
    size_t before = count_bytes(memory_live_bytes);
    reset_peaks();
    double start = cpu_ms();
    struct compile_module *module = create(language, text, &error);
    *out_measure = (struct fuzz_measure){
        .peak_bytes = count_bytes(memory_peak_bytes) - before,
        .cpu_ms = cpu_ms() - start,
        .is_valid = module != NULL && module->is_valid,
    };
    size_t allowed = ((size_t)1 << 20) + bytes_each * text.length;
    if (bytes_each != 0 && out_measure->peak_bytes > allowed) {
        violation("%zu bytes of text took %zu bytes of memory, %.0f for each", text.length,
            out_measure->peak_bytes, (double)out_measure->peak_bytes / (double)text.length);
    }
    if (module == NULL && error.length == 0) {
        violation("the text is refused without a message");
    }
    if (module != NULL) {
        if (language == FUZZ_WGSL) {
            check_diagnostics(module, text.length);
            if (text.length <= ROUND_TRIP_BYTES) {
                check_explanations(text);
            }
        }
        if (module->is_valid && text.length <= ROUND_TRIP_BYTES) {
            if (!ir_validate(module->ir, &error)) {
                violation("the IR is not valid: %s", error.data ? error.data : "");
            }
            check_round_trip(module->ir);
            check_entry_points(module);
        }
        compile_module_destroy(module);
    }
    text_buffer_finish(&error);
    size_t after = count_bytes(memory_live_bytes);
    if (after != before) {
        violation("%zu bytes are allocated afterwards, %zu were before", after, before);
    }
}
