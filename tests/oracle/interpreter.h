// SPDX-License-Identifier: MIT
//
// A plain interpreter of the IR, one invocation at a time: the reference that the passes and the code
// generator are compared with. It runs any valid module, before or after any pass, and checks what
// only it can see: proofs of in_bounds that do not hold, barriers that not all invocations reach, and
// addresses outside a binding. One call uses one thread; calls are independent of each other.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "shader/ir/ir.h"

struct interpreter_binding {
    uint32_t group;
    uint32_t binding;
    void *data; // read and written in place
    uint64_t size_bytes;
};

// A value for an override; the text is its name.
struct interpreter_constant {
    const char *name;
    uint32_t bits; // of the override's type
};

// Invocations of a vertex or fragment entry point, one after the other. Rows of `count` words, a row for
// each scalar of each input and output. Fragments: a lane that is not alive has no effects. No
// derivatives.
struct interpreter_lanes {
    uint32_t count;
    const uint32_t *inputs;
    uint32_t *outputs;
    uint8_t *live; // in and out: not after `discard`
};

struct interpreter_options {
    uint32_t entry_point;
    const struct interpreter_lanes *lanes; // NULL: a compute entry point
    const struct interpreter_binding *bindings;
    uint32_t binding_count;
    uint32_t num_workgroups[3];
    const void *immediates;
    const struct interpreter_constant *constants;
    uint32_t constant_count;
    uint64_t step_limit; // operations of the whole run; 0: 100 million
    // Runs the invocations of a workgroup in descending order: programs without races cannot tell.
    bool is_reversed;
};

enum interpreter_status {
    INTERPRETER_OK,
    INTERPRETER_STEP_LIMIT,
    INTERPRETER_FAULT, // the module broke a rule of ir.h while it ran; described in out_error
    INTERPRETER_OUT_OF_MEMORY
};

// Runs the workgroups in ascending order. The module is valid (ir_validate).
enum interpreter_status interpreter_run(const struct ir_module *module,
    const struct interpreter_options *options, struct text_buffer *out_error);
