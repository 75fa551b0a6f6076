// SPDX-License-Identifier: MIT
//
// One program through all executions. See check_program.h.
#include "oracle/check_program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/buffers.h"
#include "shader/compile/compile.h"
#include "shader/compile/compile_priv.h"
#include "shader/ir/ir_text.h"

#define STEP_LIMIT 3000000u
#define THREAD_LIMIT 8

struct checker {
    const struct check_options *options;
    const struct generated_program *program;
    struct text_buffer *out_report;
    struct generate_random random;
    struct compile_module *module;
    struct compile_program *specialised;
    struct buffers_layout layout;
    struct buffers baseline; // after the front end's IR ran
    bool has_baseline;
    enum check_outcome outcome;
};

static void differ(struct checker *c, const char *where, const char *what) {
    if (c->outcome == CHECK_AGREES) {
        c->outcome = CHECK_DIFFERS;
        text_buffer_print(c->out_report, "%s: %s", where, what);
    }
}

// Runs the interpreter on the module into `buffers`, which it makes; false with the outcome set.
static bool interpret(struct checker *c, const struct ir_module *module, uint32_t entry_point,
    bool is_reversed, const char *where, struct buffers *buffers) {
    struct interpreter_binding bindings[BUFFERS_LIMIT];
    struct text_buffer error = {0};
    if (!buffers_init(buffers, &c->layout, GUARD_NONE)) {
        differ(c, where, "out of memory");
        return false;
    }
    for (uint32_t i = 0; i < c->layout.count; i++) {
        bindings[i] = (struct interpreter_binding){.group = c->layout.items[i].group,
            .binding = c->layout.items[i].binding,
            .data = buffers->data[i],
            .size_bytes = c->layout.items[i].size_bytes};
    }
    struct interpreter_options options = {
        .entry_point = entry_point,
        .bindings = bindings,
        .binding_count = c->layout.count,
        .step_limit = STEP_LIMIT,
        .is_reversed = is_reversed,
    };
    memcpy(options.num_workgroups, c->program->num_workgroups, sizeof(options.num_workgroups));
    struct interpreter_lanes lanes = {
        .count = c->layout.lane_count,
        .inputs = c->layout.inputs,
        .outputs = buffers->outputs,
        .live = buffers->live,
    };
    options.lanes = c->layout.lane_count != 0 ? &lanes : NULL;
    enum interpreter_status status = interpreter_run(module, &options, &error);
    if (status == INTERPRETER_STEP_LIMIT && c->outcome == CHECK_AGREES) {
        c->outcome = CHECK_SKIPPED;
    } else if (status != INTERPRETER_OK) {
        differ(c, where, error.data != NULL ? error.data : "the interpreter failed");
    }
    text_buffer_finish(&error);
    return status == INTERPRETER_OK;
}

static bool compare(struct checker *c, const struct buffers *expected, const struct buffers *given,
    const char *where) {
    struct text_buffer difference = {0};
    bool ok = buffers_compare(expected, given, &c->layout, &difference);
    if (!ok) {
        differ(c, where, difference.data != NULL ? difference.data : "");
    }
    text_buffer_finish(&difference);
    return ok;
}

static bool make_baseline(struct checker *c) {
    if (!interpret(c, c->module->ir, 0, false, "front end", &c->baseline)) {
        return false;
    }
    c->has_baseline = true;
    if (c->options->is_thorough || c->options->is_front_end_only ||
        generate_random_below(&c->random, 4) == 0) {
        struct buffers reversed;
        bool ok = interpret(c, c->module->ir, 0, true, "front end, reversed order", &reversed) &&
            compare(
                c, &c->baseline, &reversed, "front end, reversed order (a race in the program)");
        buffers_finish(&reversed, &c->layout);
        return ok;
    }
    return true;
}

// ---------------------------------------------------------------- passes

struct observation {
    struct checker *checker;
    const char *configuration;
    uint32_t chosen_pass; // the one to run after, COMPILE_PASS_COUNT: all
};

static void observe(void *user, enum compile_pass pass, const struct ir_module *module) {
    struct observation *observation = user;
    struct checker *c = observation->checker;
    struct text_buffer error = {0};
    if (c->outcome == CHECK_AGREES && !ir_validate(module, &error)) {
        char reason[200];
        snprintf(reason, sizeof(reason), "after pass %s (%s)", compile_pass_name(pass),
            observation->configuration);
        differ(c, reason, error.data != NULL ? error.data : "invalid");
    }
    text_buffer_finish(&error);
    if (c->outcome != CHECK_AGREES || c->program->is_inexact ||
        (observation->chosen_pass != COMPILE_PASS_COUNT &&
            observation->chosen_pass != (uint32_t)pass)) {
        return;
    }
    char where[160];
    snprintf(where, sizeof(where), "after pass %s (%s)", compile_pass_name(pass),
        observation->configuration);
    struct buffers result;
    if (interpret(c, module, 0, false, where, &result)) {
        compare(c, &c->baseline, &result, where);
    }
    buffers_finish(&result, &c->layout);
}

static uint32_t optional_passes(void) {
    uint32_t set = 0;
    for (int i = 0; i < COMPILE_PASS_COUNT; i++) {
        set |= compile_pass_is_optional((enum compile_pass)i) ? 1u << i : 0;
    }
    return set;
}

// ---------------------------------------------------------------- generated code

struct jit_worker {
    const struct jit_kernel *kernel;
    const struct jit_dispatch *dispatch;
    atomic_uint *next;
    uint32_t total;
    uint32_t chunk;
    void *scratch;
};

static void *work(void *argument) {
    struct jit_worker *worker = argument;
    _Atomic uint64_t progress = 0;
    for (;;) {
        uint32_t first = atomic_fetch_add(worker->next, worker->chunk);
        if (first >= worker->total) {
            return NULL;
        }
        uint32_t end = first + worker->chunk < worker->total ? first + worker->chunk
                                                             : worker->total;
        worker->kernel->function(worker->dispatch, first, end, worker->scratch, &progress);
    }
}

static bool run_threads(const struct jit_kernel *kernel, const struct jit_dispatch *dispatch,
    uint32_t total, uint32_t thread_count) {
    struct jit_worker workers[THREAD_LIMIT];
    pthread_t threads[THREAD_LIMIT];
    atomic_uint next = 0;
    uint32_t started = 0;
    bool ok = true;
    for (uint32_t i = 0; i < thread_count && ok; i++) {
        size_t scratch_bytes = (size_t)(kernel->scratch_bytes + 63) & ~(size_t)63;
        workers[i] = (struct jit_worker){kernel, dispatch, &next, total,
            thread_count == 1 ? total : 1,
            aligned_alloc(64, scratch_bytes == 0 ? 64 : scratch_bytes)};
        ok = workers[i].scratch != NULL;
        if (ok) {
            memset(workers[i].scratch, 0x5a, scratch_bytes);
            ok = thread_count == 1 || pthread_create(&threads[i], NULL, work, &workers[i]) == 0;
            started = i + 1;
        }
    }
    if (ok && thread_count == 1) {
        work(&workers[0]);
    }
    for (uint32_t i = 0; i < started; i++) {
        if (thread_count != 1 && (ok || i + 1 < started)) {
            pthread_join(threads[i], NULL);
        }
        free(workers[i].scratch);
    }
    return ok;
}

// ---------------------------------------------------------------- batches

// The rows of a batch: its part of the layout's, behind it what no lane may depend on.
struct batch_rows {
    uint32_t inputs[GENERATE_INPUT_WORDS * JIT_BATCH_LANES];
    uint32_t outputs[GENERATE_OUTPUT_WORDS * JIT_BATCH_LANES];
};

static struct jit_batch *make_batches(
    const struct buffers_layout *layout, uint32_t count, struct batch_rows *rows) {
    struct jit_batch *batches = memory_allocate_zeroed(MEMORY_TEST, count + 1, sizeof(*batches));
    for (uint32_t b = 0; batches != NULL && b < count; b++) {
        uint32_t first = b * JIT_BATCH_LANES, rest = layout->lane_count - first;
        struct jit_batch *batch = &batches[b];
        batch->inputs = rows[b].inputs;
        batch->outputs = rows[b].outputs;
        batch->lane_count = rest < JIT_BATCH_LANES ? rest : JIT_BATCH_LANES;
        memset(&rows[b], 0xff, sizeof(rows[b]));
        for (uint32_t i = 0; i < batch->lane_count; i++) {
            batch->live |= (uint64_t)layout->initial_live[first + i] << i;
            for (uint32_t row = 0; row < GENERATE_INPUT_WORDS; row++) {
                rows[b].inputs[row * JIT_BATCH_LANES + i] =
                    layout->inputs[row * layout->lane_count + first + i];
            }
        }
    }
    return batches;
}

static void read_batches(
    const struct buffers_layout *layout, const struct jit_batch *batches, struct buffers *result) {
    for (uint32_t i = 0; i < layout->lane_count; i++) {
        const struct jit_batch *batch = &batches[i / JIT_BATCH_LANES];
        uint32_t lane = i % JIT_BATCH_LANES;
        result->live[i] = batch->live >> lane & 1u;
        for (uint32_t row = 0; row < GENERATE_OUTPUT_WORDS; row++) {
            result->outputs[row * layout->lane_count + i] =
                batch->outputs[row * JIT_BATCH_LANES + lane];
        }
    }
}

// Runs the kernel on the grid, or on the lanes; false when it could not be.
static bool run_kernel(struct checker *c, const struct jit_kernel *kernel,
    struct jit_dispatch *dispatch, uint32_t thread_count, struct buffers *result) {
    const uint32_t *groups = dispatch->num_workgroups;
    if (c->layout.lane_count == 0) {
        return run_threads(kernel, dispatch, groups[0] * groups[1] * groups[2], thread_count);
    }
    uint32_t count = (c->layout.lane_count + JIT_BATCH_LANES - 1) / JIT_BATCH_LANES;
    struct batch_rows *rows = memory_allocate(MEMORY_TEST, count * sizeof(*rows));
    bool ok = rows != NULL && kernel->input_words <= GENERATE_INPUT_WORDS &&
        kernel->output_words <= GENERATE_OUTPUT_WORDS;
    dispatch->batches = ok ? make_batches(&c->layout, count, rows) : NULL;
    ok = ok && dispatch->batches != NULL && run_threads(kernel, dispatch, count, thread_count);
    if (ok) {
        read_batches(&c->layout, dispatch->batches, result);
    }
    memory_free(dispatch->batches);
    memory_free(rows);
    return ok;
}

struct jit_choice {
    struct jit_options options;
    uint32_t thread_count;
    enum guard_side guard;
};

static void run_jit(struct checker *c, const struct ir_module *module,
    const struct buffers *expected, const struct jit_choice *choice, const char *configuration) {
    char where[200];
    struct text_buffer error = {0};
    snprintf(where, sizeof(where), "%s, width %u, jam %u, %u threads, guard %s (%s)",
        jit_level_word(choice->options.level), choice->options.width, choice->options.jam,
        choice->thread_count, choice->guard == GUARD_AFTER ? "after" : "before", configuration);
    const struct jit_kernel *kernel = c->options->jit->compile(module, 0, &choice->options, &error);
    struct buffers result = {0};
    if (kernel == NULL) {
        differ(c, where, error.data != NULL ? error.data : "no reason");
    } else if (!buffers_init(&result, &c->layout, choice->guard)) {
        differ(c, where, "out of memory");
    } else {
        struct jit_buffer buffers[BUFFERS_LIMIT];
        atomic_uint cancel = 0;
        const uint32_t *groups = c->program->num_workgroups;
        struct jit_dispatch dispatch = {.buffers = buffers, .cancel = &cancel};
        memcpy(dispatch.num_workgroups, groups, sizeof(dispatch.num_workgroups));
        for (uint32_t i = 0; i < c->layout.count; i++) {
            buffers[i] = (struct jit_buffer){
                .data = result.data[i], .size_bytes = c->layout.items[i].size_bytes};
        }
        if (run_kernel(c, kernel, &dispatch, choice->thread_count, &result)) {
            compare(c, expected, &result, where);
        }
    }
    buffers_finish(&result, &c->layout);
    if (kernel != NULL) {
        c->options->jit->destroy(kernel);
    }
    text_buffer_finish(&error);
}

static struct jit_choice choose_jit(struct checker *c, enum jit_level level) {
    static const uint32_t jams[] = {0, 1, 2, 4}, widths[] = {0, 0, 0, 4, 8, 16};
    struct jit_choice choice = {
        .options =
            {
                .level = level,
                .width = widths[generate_random_below(&c->random, 6)],
                .jam = jams[generate_random_below(&c->random, 4)],
                .poll_cancel = generate_random_below(&c->random, 2) == 0,
            },
        .thread_count = generate_random_below(&c->random, 2) == 0
            ? 1
            : 1 + generate_random_below(&c->random, THREAD_LIMIT),
        .guard = generate_random_below(&c->random, 3) == 0 ? GUARD_BEFORE : GUARD_AFTER,
    };
    return choice;
}

static void run_jits(struct checker *c, const struct ir_module *module,
    const struct buffers *expected, bool has_fma, const char *configuration) {
    enum jit_level native = c->options->jit->native_level();
    for (int level = 0; level <= (int)native && level <= JIT_LEVEL_AVX512; level++) {
        if (jit_level_has_fma((enum jit_level)level) != has_fma) {
            continue;
        }
        uint32_t count = c->options->is_thorough ? 6 : 1;
        for (uint32_t i = 0; i < count && c->outcome == CHECK_AGREES; i++) {
            struct jit_choice choice = choose_jit(c, (enum jit_level)level);
            if (c->options->is_thorough) {
                static const uint32_t jams[] = {0, 1, 2, 4, 1, 2};
                choice.options.jam = jams[i];
                choice.guard = i % 2 == 0 ? GUARD_AFTER : GUARD_BEFORE;
                choice.thread_count = 1 + i;
            }
            run_jit(c, module, expected, &choice, configuration);
        }
    }
}

// ---------------------------------------------------------------- one pass list

static void check_configuration(struct checker *c, bool has_fma, uint32_t disabled_passes) {
    char configuration[80];
    snprintf(configuration, sizeof(configuration), "fma %d, passes off 0x%x", has_fma ? 1 : 0,
        disabled_passes);
    struct compile_cpu_options options = {.has_fma = has_fma, .disabled_passes = disabled_passes};
    struct observation observation = {c, configuration,
        c->options->is_thorough ? (uint32_t)COMPILE_PASS_COUNT
                                : generate_random_below(&c->random, COMPILE_PASS_COUNT)};
    struct compile_program *lowered = NULL;
    struct text_buffer error = {0};
    enum compile_status status = compile_lower_observed(
        c->specialised->ir, &options, observe, &observation, &error, &lowered);
    if (status != COMPILE_OK) {
        differ(c, configuration, error.data != NULL ? error.data : "lowering failed");
    }
    struct buffers final = {0};
    if (c->outcome == CHECK_AGREES && interpret(c, lowered->ir, 0, false, configuration, &final)) {
        bool ok = c->program->is_inexact || compare(c, &c->baseline, &final, configuration);
        if (!ok && observation.chosen_pass != COMPILE_PASS_COUNT) {
            // Find the first pass after which results differ.
            c->outcome = CHECK_AGREES;
            c->out_report->length = 0;
            observation.chosen_pass = COMPILE_PASS_COUNT;
            struct compile_program *again = NULL;
            compile_lower_observed(
                c->specialised->ir, &options, observe, &observation, &error, &again);
            compile_program_destroy(again);
            c->outcome = CHECK_DIFFERS;
        }
        if (ok && c->options->jit != NULL) {
            run_jits(c, lowered->ir, &final, has_fma, configuration);
        }
    }
    buffers_finish(&final, &c->layout);
    text_buffer_finish(&error);
    compile_program_destroy(lowered);
}

static void check_all(struct checker *c) {
    if (!make_baseline(c) || c->options->is_front_end_only) {
        return;
    }
    uint32_t optional = optional_passes();
    if (c->options->is_thorough) {
        for (int fma = 0; fma < 2 && c->outcome == CHECK_AGREES; fma++) {
            check_configuration(c, fma != 0, 0);
            check_configuration(c, fma != 0, optional);
            check_configuration(c, fma != 0, optional & generate_random_next(&c->random));
        }
        return;
    }
    bool has_fma = generate_random_below(&c->random, 3) != 0;
    uint32_t disabled = 0;
    switch (generate_random_below(&c->random, 6)) {
    case 0:
        disabled = optional;
        break;
    case 1:
        disabled = optional & generate_random_next(&c->random);
        break;
    default:
        break;
    }
    check_configuration(c, has_fma, disabled);
}

enum check_outcome check_program(struct text wgsl, const struct generated_program *program,
    const struct check_options *options, struct text_buffer *out_report) {
    struct checker c = {.options = options, .program = program, .out_report = out_report};
    generate_random_init(&c.random, options->seed, 77);
    struct compile_options compile_options = {.enabled_extensions = 0};
    c.module = compile_module_create(wgsl, TEXT_LITERAL("program"), &compile_options);
    if (c.module == NULL || !c.module->is_valid) {
        c.outcome = CHECK_REFUSED;
        if (c.module == NULL) {
            text_buffer_append_string(out_report, "out of memory");
        } else {
            diagnostic_list_print(out_report, &c.module->source, &c.module->diagnostics,
                (struct diagnostic_style){0});
        }
    } else {
        struct text_buffer error = {0};
        enum compile_status status = compile_specialise(
            c.module, 0, NULL, 0, &error, &c.specialised);
        if (status != COMPILE_OK) {
            c.outcome = CHECK_REFUSED;
            text_buffer_append(out_report, text_buffer_get(&error));
        } else if (!buffers_layout_init(&c.layout, c.module->ir,
                       &c.module->reflection->entry_points[0], program, options->seed)) {
            c.outcome = CHECK_REFUSED;
            text_buffer_append_string(out_report, "the bindings cannot be made");
        } else {
            check_all(&c);
        }
        text_buffer_finish(&error);
    }
    if (c.baseline.data[0] != NULL || c.has_baseline) {
        buffers_finish(&c.baseline, &c.layout);
    }
    buffers_layout_finish(&c.layout);
    compile_program_destroy(c.specialised);
    compile_module_destroy(c.module);
    return c.outcome;
}
