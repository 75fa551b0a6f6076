// SPDX-License-Identifier: MIT
//
// What the files of the interpreter share. One thread.
#pragma once

#include "oracle/interpreter.h"

// A pointer value. Memory blocks do not move while a pointer to them exists.
struct memory_pointer {
    unsigned char *base;
    uint64_t offset_bytes;
    uint64_t size_bytes; // of the whole block
    bool is_valid;
};

// Where a function's values and variables lie in a frame.
struct function_layout {
    uint32_t *value_offsets; // by value
    uint32_t *var_offsets;   // by operation, for `var`
    uint32_t frame_bytes;
};

struct frame {
    uint32_t function;
    ir_op_id at;
    unsigned char *memory; // frame_bytes of the function's layout
};

enum invocation_state { INVOCATION_READY, INVOCATION_WAITS, INVOCATION_DONE };

struct invocation {
    VECTOR(struct frame) frames;
    enum invocation_state state;
    unsigned char **private_memory; // by variable, NULL for other spaces
    uint32_t local_index;
};

struct machine {
    const struct ir_module *module;
    const struct interpreter_options *options;
    struct text_buffer *out_error;
    struct function_layout *layouts; // by function
    unsigned char **shared_memory;   // by variable: workgroup, and bindings' data
    uint64_t *memory_bytes;          // by variable: size of its block
    unsigned char *override_values;  // 4 bytes each
    uint32_t *override_counts;
    unsigned char *zeros;                // for constants without bytes
    VECTOR(unsigned char *) free_frames; // memory to use again, largest frame size each
    uint32_t largest_frame_bytes;
    uint32_t workgroup_size[3];
    uint32_t workgroup_id[3];
    uint64_t steps_left;
    enum interpreter_status status;
};

// Sets the status once and appends the reason; always false.
bool machine_fault(struct machine *machine, const char *reason);
bool machine_out_of_memory(struct machine *machine);

// The bytes of a value in the frame (constants included).
const unsigned char *machine_value(
    const struct machine *machine, const struct frame *frame, ir_value value);
unsigned char *machine_slot(
    const struct machine *machine, const struct frame *frame, ir_value value);
uint64_t machine_value_bytes(const struct machine *machine, type_id type);

bool machine_push_frame(struct machine *machine, struct invocation *invocation, uint32_t function,
    const struct frame *caller, const struct ir_op *call);
void machine_pop_frame(struct machine *machine, struct invocation *invocation);

// Executes from where the invocation stands until it waits at a barrier or is done; false when the
// machine's status is no longer OK.
bool machine_execute(struct machine *machine, struct invocation *invocation);
// One operation that is neither control, terminator, call nor barrier.
bool machine_execute_plain(struct machine *machine, struct invocation *invocation,
    struct frame *frame, const struct ir_op *op);
bool machine_execute_memory(struct machine *machine, struct invocation *invocation,
    struct frame *frame, const struct ir_op *op);
// The load of workgroup_uniform_load, between its two barriers.
bool machine_load(struct machine *machine, struct frame *frame, const struct ir_op *op);
