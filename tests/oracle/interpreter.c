// SPDX-License-Identifier: MIT
//
// The interpreter's machine: memory of a run, workgroups in order, and the scheduler that runs every
// invocation to the next barrier. See interpreter.h.
#include "oracle/interpreter.h"

#include <string.h>

#include "base/try.h"
#include "oracle/interpreter_priv.h"

#define DEFAULT_STEP_LIMIT 100000000u
#define CALL_DEPTH_LIMIT 1024

bool machine_fault(struct machine *machine, const char *reason) {
    if (machine->status == INTERPRETER_OK) {
        machine->status = INTERPRETER_FAULT;
        text_buffer_append_string(machine->out_error, reason);
    }
    return false;
}

bool machine_out_of_memory(struct machine *machine) {
    machine->status = INTERPRETER_OUT_OF_MEMORY;
    return false;
}

uint64_t machine_value_bytes(const struct machine *machine, type_id type) {
    const struct type *row = type_get(&machine->module->types, type);
    return row->kind == TYPE_POINTER ? sizeof(struct memory_pointer) : row->size_bytes;
}

const unsigned char *machine_value(
    const struct machine *machine, const struct frame *frame, ir_value value) {
    const struct ir_function *function = &machine->module->functions.items[frame->function];
    const struct ir_value_info *info = ir_value_get(function, value);
    if (info->kind == IR_VALUE_CONSTANT) {
        const void *bytes = machine->module->constants.items[info->definition].bytes;
        return bytes != NULL ? bytes : machine->zeros;
    }
    return frame->memory + machine->layouts[frame->function].value_offsets[value.index];
}

unsigned char *machine_slot(
    const struct machine *machine, const struct frame *frame, ir_value value) {
    return frame->memory + machine->layouts[frame->function].value_offsets[value.index];
}

bool machine_push_frame(struct machine *machine, struct invocation *invocation, uint32_t function,
    const struct frame *caller, const struct ir_op *call) {
    const struct ir_function *row = &machine->module->functions.items[function];
    struct frame frame = {.function = function, .at = ir_region_get(row, row->body)->first};
    if (invocation->frames.count >= CALL_DEPTH_LIMIT) {
        return machine_fault(machine, "calls are nested too deeply");
    }
    if (machine->free_frames.count != 0) {
        frame.memory = machine->free_frames.items[--machine->free_frames.count];
    } else {
        frame.memory = memory_allocate(MEMORY_TEST, machine->largest_frame_bytes);
    }
    if (frame.memory == NULL) {
        return machine_out_of_memory(machine);
    }
    for (uint32_t i = 0; call != NULL && i < row->parameter_count; i++) {
        memcpy(machine_slot(machine, &frame, row->parameters[i]),
            machine_value(machine, caller, call->operands[i]),
            (size_t)machine_value_bytes(machine, ir_value_type(row, row->parameters[i])));
    }
    if (!vector_push(&invocation->frames, MEMORY_TEST, frame)) {
        memory_free(frame.memory);
        return machine_out_of_memory(machine);
    }
    return true;
}

void machine_pop_frame(struct machine *machine, struct invocation *invocation) {
    struct frame *frame = &invocation->frames.items[--invocation->frames.count];
    if (!vector_push(&machine->free_frames, MEMORY_TEST, frame->memory)) {
        memory_free(frame->memory);
    }
}

static uint32_t align_16(uint64_t bytes) {
    return (uint32_t)((bytes + 15) & ~(uint64_t)15);
}

static bool lay_out_function(struct machine *machine, uint32_t number) {
    const struct ir_function *function = &machine->module->functions.items[number];
    const struct type_table *types = &machine->module->types;
    struct function_layout *layout = &machine->layouts[number];
    layout->value_offsets = memory_allocate_zeroed(
        MEMORY_TEST, function->values.count + 1, sizeof(uint32_t));
    layout->var_offsets = memory_allocate_zeroed(
        MEMORY_TEST, function->ops.count + 1, sizeof(uint32_t));
    if (layout->value_offsets == NULL || layout->var_offsets == NULL) {
        return machine_out_of_memory(machine);
    }
    for (uint32_t i = 1; i < function->values.count; i++) {
        const struct ir_value_info *info = &function->values.items[i];
        if (info->kind != IR_VALUE_CONSTANT && info->kind != IR_VALUE_NONE) {
            layout->value_offsets[i] = layout->frame_bytes;
            layout->frame_bytes += align_16(machine_value_bytes(machine, info->type));
        }
    }
    for (uint32_t i = 1; i < function->ops.count; i++) {
        const struct ir_op *op = &function->ops.items[i];
        if (op->opcode == IR_VAR && op->parent.index != 0) {
            type_id store = type_get(types, ir_value_type(function, op->first_result))->element;
            layout->var_offsets[i] = layout->frame_bytes;
            layout->frame_bytes += align_16(type_get(types, store)->size_bytes);
        }
    }
    if (layout->frame_bytes >= machine->largest_frame_bytes) {
        machine->largest_frame_bytes = layout->frame_bytes + 16;
    }
    return true;
}

static bool make_zeros(struct machine *machine) {
    uint64_t largest = 16;
    for (size_t i = 0; i < machine->module->constants.count; i++) {
        const struct ir_constant *constant = &machine->module->constants.items[i];
        uint64_t size_bytes = type_get(&machine->module->types, constant->type)->size_bytes;
        if (constant->bytes == NULL && size_bytes > largest) {
            largest = size_bytes;
        }
    }
    machine->zeros = memory_allocate_zeroed(MEMORY_TEST, (size_t)largest, 1);
    return machine->zeros != NULL || machine_out_of_memory(machine);
}

static const struct interpreter_constant *find_constant(
    const struct interpreter_options *options, struct text name) {
    for (uint32_t i = 0; i < options->constant_count; i++) {
        if (text_equals_string(name, options->constants[i].name)) {
            return &options->constants[i];
        }
    }
    return NULL;
}

// Runs the initialisation function up to its return and keeps its frame, in which the values of
// overrides, counts, sizes and initial values then stand.
static bool run_initialisation(struct machine *machine, struct frame *frame) {
    const struct ir_module *module = machine->module;
    struct invocation invocation = {0};
    TRY(machine_push_frame(machine, &invocation, module->initialisation, NULL, NULL));
    *frame = invocation.frames.items[0];
    bool ok = true;
    const struct ir_function *function = &module->functions.items[module->initialisation];
    while (ok) {
        struct frame *at = &invocation.frames.items[0];
        const struct ir_op *op = ir_op_get(function, at->at);
        if (op->opcode == IR_OVERRIDE) {
            // The initial value stands before; it is this override's value unless one was given.
            const struct ir_override *row = &module->overrides.items[op->data.index];
            const struct interpreter_constant *given = find_constant(machine->options, row->name);
            unsigned char *value = machine->override_values + (size_t)op->data.index * 4;
            if (given != NULL) {
                memcpy(value, &given->bits, sizeof(given->bits));
            } else if (row->has_initial_value) {
                memcpy(value, machine_value(machine, at, row->initial_value), sizeof(uint32_t));
            }
        }
        if (op->opcode == IR_RETURN) {
            break;
        }
        // One operation at a time: a budget of one step makes machine_execute stop after it.
        uint64_t steps_left = machine->steps_left;
        machine->steps_left = 1;
        machine_execute(machine, &invocation);
        machine->steps_left = steps_left;
        ok = machine->status == INTERPRETER_STEP_LIMIT;
        if (ok) {
            machine->status = INTERPRETER_OK;
        }
    }
    vector_finish(&invocation.frames);
    return ok;
}

static bool read_override_values(struct machine *machine, const struct frame *frame) {
    const struct ir_module *module = machine->module;
    for (size_t i = 0; i < module->overrides.count; i++) {
        const struct ir_override *row = &module->overrides.items[i];
        const struct interpreter_constant *given = find_constant(machine->options, row->name);
        if (given != NULL) {
            memcpy(machine->override_values + i * 4, &given->bits, sizeof(given->bits));
        } else if (row->has_initial_value) {
            memcpy(machine->override_values + i * 4,
                machine_value(machine, frame, row->initial_value), sizeof(uint32_t));
        }
    }
    for (size_t i = 0; i < module->override_counts.count; i++) {
        ir_value value = module->override_counts.items[i];
        if (value.index != 0) {
            memcpy(&machine->override_counts[i], machine_value(machine, frame, value), 4);
        }
    }
    return true;
}

static bool find_workgroup_size(struct machine *machine, const struct frame *initialisation) {
    const struct ir_entry_point *entry =
        &machine->module->entry_points.items[machine->options->entry_point];
    const struct interpreter_lanes *lanes = machine->options->lanes;
    uint64_t total = 1;
    for (int i = 0; i < 3; i++) {
        machine->workgroup_size[i] = entry->workgroup_size[i];
        if (lanes != NULL) {
            machine->workgroup_size[i] = i == 0 ? lanes->count : 1;
        } else if (entry->workgroup_size_value[i].index != 0 && initialisation->memory != NULL) {
            memcpy(&machine->workgroup_size[i],
                machine_value(machine, initialisation, entry->workgroup_size_value[i]), 4);
        }
        if (machine->workgroup_size[i] == 0) {
            return machine_fault(machine, "a workgroup size is zero");
        }
        total *= machine->workgroup_size[i];
    }
    return total <= 65536 || machine_fault(machine, "the workgroup is too large");
}

static bool bind_variable(struct machine *machine, uint32_t index) {
    const struct ir_variable *variable = &machine->module->variables.items[index];
    const struct type *type = type_get(&machine->module->types, variable->type);
    const struct interpreter_options *options = machine->options;
    machine->memory_bytes[index] = type->size_bytes;
    if (variable->space == SPACE_IMMEDIATE) {
        // Never written: an immediate pointer is read-only.
        machine->shared_memory[index] = (unsigned char *)(uintptr_t)options->immediates;
    } else if (variable->space == SPACE_WORKGROUP) {
        if (type->kind == TYPE_ARRAY && type->array_size == ARRAY_OVERRIDE) {
            machine->memory_bytes[index] = (uint64_t)type->stride_bytes *
                machine->override_counts[type->count];
        }
        machine->shared_memory[index] = memory_allocate_zeroed(
            MEMORY_TEST, (size_t)machine->memory_bytes[index] + 1, 1);
        return machine->shared_memory[index] != NULL || machine_out_of_memory(machine);
    } else if (variable->has_binding) {
        for (uint32_t i = 0; i < options->binding_count; i++) {
            const struct interpreter_binding *binding = &options->bindings[i];
            if (binding->group == variable->group && binding->binding == variable->binding) {
                machine->shared_memory[index] = binding->data;
                machine->memory_bytes[index] = binding->size_bytes;
            }
        }
    }
    return true;
}

static bool fill_private(
    struct machine *machine, struct invocation *invocation, const struct frame *initialisation) {
    const struct ir_module *module = machine->module;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const struct ir_variable *variable = &module->variables.items[i];
        if (variable->space != SPACE_PRIVATE) {
            continue;
        }
        size_t size_bytes = (size_t)machine->memory_bytes[i];
        if (invocation->private_memory[i] == NULL) {
            invocation->private_memory[i] = memory_allocate(MEMORY_TEST, size_bytes + 1);
        }
        if (invocation->private_memory[i] == NULL) {
            return machine_out_of_memory(machine);
        }
        const void *bytes = NULL;
        if (variable->initial_constant != 0) {
            bytes = module->constants.items[variable->initial_constant - 1].bytes;
        } else if (variable->initial_value.index != 0 && initialisation->memory != NULL) {
            bytes = machine_value(machine, initialisation, variable->initial_value);
        }
        if (bytes != NULL) {
            memcpy(invocation->private_memory[i], bytes, size_bytes);
        } else {
            memset(invocation->private_memory[i], 0, size_bytes);
        }
    }
    return true;
}

// The invocations that are not done must all wait at one operation, reached by the same calls.
static bool is_same_place(const struct invocation *a, const struct invocation *b) {
    if (a->frames.count != b->frames.count) {
        return false;
    }
    for (size_t i = 0; i < a->frames.count; i++) {
        if (a->frames.items[i].function != b->frames.items[i].function ||
            a->frames.items[i].at.index != b->frames.items[i].at.index) {
            return false;
        }
    }
    return true;
}

// All wait or all are done; releases them from the barrier.
static bool pass_barrier(
    struct machine *machine, struct invocation *items, uint32_t count, bool *out_done) {
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < count; i++) {
        waiting += items[i].state == INVOCATION_WAITS ? 1 : 0;
    }
    *out_done = waiting == 0;
    if (waiting != 0 && waiting != count) {
        return machine_fault(machine, "a barrier is not reached by every invocation");
    }
    for (uint32_t i = 0; waiting != 0 && i < count; i++) {
        if (!is_same_place(&items[0], &items[i])) {
            return machine_fault(machine, "invocations wait at different barriers");
        }
    }
    for (uint32_t i = 0; waiting != 0 && i < count; i++) {
        struct frame *frame = &items[i].frames.items[items[i].frames.count - 1];
        const struct ir_op *op = ir_op_get(
            &machine->module->functions.items[frame->function], frame->at);
        if (op->opcode == IR_WORKGROUP_UNIFORM_LOAD) {
            TRY(machine_load(machine, frame, op));
        }
        frame->at = op->next;
        items[i].state = INVOCATION_READY;
    }
    return true;
}

static bool run_workgroup(struct machine *machine, struct invocation *items, uint32_t count,
    const struct frame *initialisation) {
    const struct ir_module *module = machine->module;
    uint32_t function = module->entry_points.items[machine->options->entry_point].function;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        if (module->variables.items[i].space == SPACE_WORKGROUP) {
            memset(machine->shared_memory[i], 0, (size_t)machine->memory_bytes[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i].state = INVOCATION_READY;
        items[i].local_index = i;
        TRY(fill_private(machine, &items[i], initialisation) &&
            machine_push_frame(machine, &items[i], function, NULL, NULL));
    }
    bool is_done = false;
    while (!is_done) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t chosen = machine->options->is_reversed ? count - 1 - i : i;
            TRY(machine_execute(machine, &items[chosen]));
        }
        TRY(pass_barrier(machine, items, count, &is_done));
    }
    return true;
}

static bool run_grid(struct machine *machine, const struct frame *initialisation) {
    static const uint32_t one[3] = {1, 1, 1};
    const uint32_t *size = machine->workgroup_size;
    const uint32_t *groups = machine->options->lanes != NULL ? one
                                                             : machine->options->num_workgroups;
    uint32_t count = size[0] * size[1] * size[2];
    size_t variable_count = machine->module->variables.count;
    struct invocation *items = memory_allocate_zeroed(MEMORY_TEST, count, sizeof(*items));
    bool ok = items != NULL || machine_out_of_memory(machine);
    for (uint32_t i = 0; ok && i < count; i++) {
        items[i].private_memory = memory_allocate_zeroed(
            MEMORY_TEST, variable_count + 1, sizeof(unsigned char *));
        ok = items[i].private_memory != NULL || machine_out_of_memory(machine);
    }
    for (uint32_t z = 0; ok && z < groups[2]; z++) {
        for (uint32_t y = 0; ok && y < groups[1]; y++) {
            for (uint32_t x = 0; ok && x < groups[0]; x++) {
                machine->workgroup_id[0] = x;
                machine->workgroup_id[1] = y;
                machine->workgroup_id[2] = z;
                ok = run_workgroup(machine, items, count, initialisation);
            }
        }
    }
    for (uint32_t i = 0; items != NULL && i < count; i++) {
        while (items[i].frames.count != 0) {
            memory_free(items[i].frames.items[--items[i].frames.count].memory);
        }
        vector_finish(&items[i].frames);
        for (size_t k = 0; items[i].private_memory != NULL && k < variable_count; k++) {
            memory_free(items[i].private_memory[k]);
        }
        memory_free(items[i].private_memory);
    }
    memory_free(items);
    return ok;
}

static bool prepare(struct machine *machine) {
    const struct ir_module *module = machine->module;
    size_t functions = module->functions.count + 1, variables = module->variables.count + 1;
    machine->layouts = memory_allocate_zeroed(MEMORY_TEST, functions, sizeof(*machine->layouts));
    machine->shared_memory = memory_allocate_zeroed(
        MEMORY_TEST, variables, sizeof(*machine->shared_memory));
    machine->memory_bytes = memory_allocate_zeroed(MEMORY_TEST, variables, sizeof(uint64_t));
    machine->override_values = memory_allocate_zeroed(MEMORY_TEST, module->overrides.count + 1, 4);
    machine->override_counts = memory_allocate_zeroed(
        MEMORY_TEST, module->override_counts.count + 1, sizeof(uint32_t));
    if (machine->layouts == NULL || machine->shared_memory == NULL ||
        machine->memory_bytes == NULL || machine->override_values == NULL ||
        machine->override_counts == NULL) {
        return machine_out_of_memory(machine);
    }
    for (uint32_t i = 0; i < module->functions.count; i++) {
        TRY(lay_out_function(machine, i));
    }
    return make_zeros(machine);
}

static bool run(struct machine *machine, struct frame *initialisation) {
    const struct ir_module *module = machine->module;
    TRY(prepare(machine));
    if (module->initialisation < module->functions.count) {
        TRY(run_initialisation(machine, initialisation) &&
            read_override_values(machine, initialisation));
    }
    TRY(find_workgroup_size(machine, initialisation));
    for (uint32_t i = 0; i < module->variables.count; i++) {
        TRY(bind_variable(machine, i));
    }
    return run_grid(machine, initialisation);
}

static void finish(struct machine *machine, struct frame *initialisation) {
    const struct ir_module *module = machine->module;
    for (size_t i = 0; machine->layouts != NULL && i < module->functions.count; i++) {
        memory_free(machine->layouts[i].value_offsets);
        memory_free(machine->layouts[i].var_offsets);
    }
    for (size_t i = 0; machine->shared_memory != NULL && i < module->variables.count; i++) {
        if (module->variables.items[i].space == SPACE_WORKGROUP) {
            memory_free(machine->shared_memory[i]);
        }
    }
    while (machine->free_frames.count != 0) {
        memory_free(machine->free_frames.items[--machine->free_frames.count]);
    }
    vector_finish(&machine->free_frames);
    memory_free(initialisation->memory);
    memory_free(machine->layouts);
    memory_free(machine->shared_memory);
    memory_free(machine->memory_bytes);
    memory_free(machine->override_values);
    memory_free(machine->override_counts);
    memory_free(machine->zeros);
}

enum interpreter_status interpreter_run(const struct ir_module *module,
    const struct interpreter_options *options, struct text_buffer *out_error) {
    struct machine machine = {
        .module = module,
        .options = options,
        .out_error = out_error,
        .steps_left = options->step_limit != 0 ? options->step_limit : DEFAULT_STEP_LIMIT,
    };
    struct frame initialisation = {0};
    run(&machine, &initialisation);
    finish(&machine, &initialisation);
    return machine.status;
}
