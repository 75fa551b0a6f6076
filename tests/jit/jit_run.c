// SPDX-License-Identifier: MIT
//
// See jit_run.h.
#include "jit/jit_run.h"

#include <stdlib.h>
#include <string.h>

static bool lower(struct jit_run *run, const struct jit_options *options, bool has_passes) {
    const struct jit_interface *jit = alba_jit_get_interface(JIT_ABI_VERSION);
    static const enum shader_stage stages[] = {STAGE_COMPUTE, STAGE_VERTEX, STAGE_FRAGMENT};
    uint32_t entry = COMPILE_NO_ENTRY_POINT;
    for (int i = 0; i < 3 && entry == COMPILE_NO_ENTRY_POINT; i++) {
        entry = compile_find_entry_point(run->module, stages[i], (struct text){NULL, 0});
    }
    struct compile_cpu_options cpu = {.has_fma = jit_level_has_fma(options->level)};
    if (entry == COMPILE_NO_ENTRY_POINT) {
        text_buffer_append_string(&run->error, "not one entry point");
        return false;
    }
    if (compile_specialise(run->module, entry, NULL, 0, &run->error, &run->special) != COMPILE_OK ||
        (has_passes &&
            compile_lower_for_cpu(run->special->ir, &cpu, &run->error, &run->program) !=
                COMPILE_OK)) {
        return false;
    }
    run->kernel = jit->compile(
        has_passes ? run->program->ir : run->special->ir, 0, options, &run->error);
    if (run->kernel == NULL) {
        return false;
    }
    run->scratch = aligned_alloc(64, (run->kernel->scratch_bytes + 63) / 64 * 64);
    return run->scratch != NULL;
}

static bool create(
    struct jit_run *run, const char *wgsl, const struct jit_options *options, bool has_passes) {
    memset(run, 0, sizeof(*run));
    struct compile_options all = {.enabled_extensions = UINT32_MAX};
    run->module = compile_module_create(text_from_string(wgsl), (struct text){"test", 4}, &all);
    if (run->module == NULL) {
        return false;
    }
    if (!run->module->is_valid) {
        diagnostic_list_print(&run->error, &run->module->source, &run->module->diagnostics,
            (struct diagnostic_style){false, 0});
        return false;
    }
    return lower(run, options, has_passes);
}

bool jit_run_create(struct jit_run *run, const char *wgsl, const struct jit_options *options) {
    return create(run, wgsl, options, true);
}

bool jit_run_create_unlowered(
    struct jit_run *run, const char *wgsl, const struct jit_options *options) {
    return create(run, wgsl, options, false);
}

bool jit_run_create_ir(struct jit_run *run, const char *ir, const struct jit_options *options) {
    memset(run, 0, sizeof(*run));
    run->module = compile_module_create_from_ir(text_from_string(ir), &run->error);
    return run->module != NULL && lower(run, options, true);
}

void jit_run_destroy(struct jit_run *run) {
    if (run->kernel != NULL) {
        alba_jit_get_interface(JIT_ABI_VERSION)->destroy(run->kernel);
    }
    compile_program_destroy(run->program);
    compile_program_destroy(run->special);
    compile_module_destroy(run->module);
    text_buffer_finish(&run->error);
    free(run->scratch);
    memset(run, 0, sizeof(*run));
}

void jit_run_dispatch(
    struct jit_run *run, const struct jit_buffer *buffers, uint32_t x, uint32_t y, uint32_t z) {
    atomic_uint cancel = 0;
    _Atomic uint64_t progress = 0;
    struct jit_dispatch dispatch = {.buffers = buffers,
        .num_workgroups = {x, y, z},
        .cancel = &cancel,
        .texture = run->texture};
    run->kernel->function(&dispatch, 0, (uint64_t)x * y * z, run->scratch, &progress);
}

void jit_run_batches(struct jit_run *run, const struct jit_buffer *buffers,
    struct jit_batch *batches, uint64_t first, uint64_t end) {
    atomic_uint cancel = 0;
    _Atomic uint64_t progress = 0;
    struct jit_dispatch dispatch = {
        .buffers = buffers, .cancel = &cancel, .texture = run->texture, .batches = batches};
    run->kernel->function(&dispatch, first, end, run->scratch, &progress);
}
