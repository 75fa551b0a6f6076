// SPDX-License-Identifier: MIT
//
// Compiles a WGSL text for the code generator and runs it on plain memory: what the tests and the
// measurements of tests/jit share.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "shader/compile/compile.h"
#include "shader/jit/jit.h"

struct jit_run {
    struct compile_module *module;
    struct compile_program *special;
    struct compile_program *program;
    const struct jit_kernel *kernel;
    void *scratch;
    jit_texture_function texture; // for dispatches; NULL unless the test sets it
    struct text_buffer error;
};

// False, with the reason in run->error, when a stage refuses. The text may have one entry point.
bool jit_run_create(struct jit_run *run, const char *wgsl, const struct jit_options *options);
// Without the passes for the CPU: functions stay calls, variables stay memory. The text must need none
// of them: no composite values, no built-in functions that are expanded.
bool jit_run_create_unlowered(
    struct jit_run *run, const char *wgsl, const struct jit_options *options);
bool jit_run_create_ir(struct jit_run *run, const char *ir, const struct jit_options *options);
void jit_run_destroy(struct jit_run *run);
// Runs x * y * z workgroups on this thread.
void jit_run_dispatch(
    struct jit_run *run, const struct jit_buffer *buffers, uint32_t x, uint32_t y, uint32_t z);
// Runs batches of a vertex or fragment kernel on this thread.
void jit_run_batches(struct jit_run *run, const struct jit_buffer *buffers,
                     struct jit_batch *batches, uint64_t first, uint64_t end);
