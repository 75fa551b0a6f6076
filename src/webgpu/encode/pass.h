// SPDX-License-Identifier: MIT
//
// The commands that compute passes, render passes and render bundle encoders share: WebGPU
// §"Programmable Passes" and §"Debug Markers". `what` names the standard's function in messages. A
// broken rule is kept in the pass. One thread at a time; no locks.
#pragma once

#include "webgpu/object/command_encoder.h"
#include "webgpu/object/pass.h"
#include "webgpu/validate/rule.h"

// Reports a broken rule at once, where the specification does not wait for finish.
void pass_report(struct gpu_pass *pass, struct validate_error *error);
// How messages name what ended it.
const char *pass_end_word(const struct gpu_pass *pass);
// Where a pass records that was refused, or that has broken a rule: never. Counts the call.
bool pass_accepts_slow(struct gpu_pass *pass, const char *what);
static inline bool pass_accepts(struct gpu_pass *pass, const char *what) {
    bool is_open = pass->state == GPU_ENCODER_OPEN && !pass->error.has_error &&
        !pass->is_detached && (pass->encoder == NULL || pass->encoder->state == GPU_ENCODER_LOCKED);
    pass->call_count++;
    return is_open || pass_accepts_slow(pass, what);
}

// Ends the pass and lets its encoder go on. True when the pass may append its last command: no rule
// is broken. `error` may hold one that the caller has found before; it is emptied.
bool pass_end(struct gpu_pass *pass, const char *what, struct validate_error *error);

void pass_set_bind_group(struct gpu_pass *pass, const char *what, uint32_t index,
    struct WGPUBindGroupImpl *group, size_t offset_count, const uint32_t *offsets);
void pass_set_immediates(struct gpu_pass *pass, const char *what, uint32_t offset_bytes,
    const void *data, size_t size_bytes);
void pass_push_debug_group(struct gpu_pass *pass, const char *what, struct text label);
void pass_pop_debug_group(struct gpu_pass *pass, const char *what);
void pass_insert_debug_marker(struct gpu_pass *pass, const char *what, struct text label);
