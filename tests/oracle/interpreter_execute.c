// SPDX-License-Identifier: MIT
//
// One invocation of the interpreter: a loop over operations with an explicit stack of calls. Structured
// control flow needs no stack of its own: a region names its owner, and the owner its place.
#include "oracle/interpreter_priv.h"

#include <string.h>

#include "shader/ir/ir_fold.h"

#define OPERAND_LIMIT 64

static const struct ir_function *function_of(
    const struct machine *machine, const struct frame *frame) {
    return &machine->module->functions.items[frame->function];
}

// Copies `count` operands from `first` on into the values, all read before any is written.
static bool assign(struct machine *machine, struct frame *frame, const struct ir_op *op,
    uint32_t first, uint32_t count, const ir_value *values, ir_value consecutive) {
    const struct ir_function *function = function_of(machine, frame);
    uint64_t total_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        total_bytes += machine_value_bytes(
            machine, ir_value_type(function, op->operands[first + i]));
    }
    unsigned char local[256];
    unsigned char *copies = total_bytes <= sizeof(local)
        ? local
        : memory_allocate(MEMORY_TEST, (size_t)total_bytes);
    if (copies == NULL) {
        return machine_out_of_memory(machine);
    }
    for (int pass = 0; pass < 2; pass++) {
        unsigned char *at = copies;
        for (uint32_t i = 0; i < count; i++) {
            ir_value operand = op->operands[first + i];
            size_t size_bytes = (size_t)machine_value_bytes(
                machine, ir_value_type(function, operand));
            ir_value target = values != NULL ? values[i] : (ir_value){consecutive.index + i};
            if (pass == 0) {
                memcpy(at, machine_value(machine, frame, operand), size_bytes);
            } else {
                memcpy(machine_slot(machine, frame, target), at, size_bytes);
            }
            at += size_bytes;
        }
    }
    if (copies != local) {
        memory_free(copies);
    }
    return true;
}

static void enter_region(
    struct frame *frame, const struct ir_function *function, ir_region_id region) {
    frame->at = ir_region_get(function, region)->first;
}

static uint32_t read_word(
    const struct machine *machine, const struct frame *frame, ir_value value) {
    uint32_t word = 0;
    memcpy(&word, machine_value(machine, frame, value), sizeof(word));
    return word;
}

static bool enter_control(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    const struct ir_function *function = function_of(machine, frame);
    if (op->opcode == IR_LOOP) {
        const struct ir_region *body = ir_region_get(function, op->regions[0]);
        bool ok = assign(machine, frame, op, 0, op->operand_count, body->parameters, (ir_value){0});
        enter_region(frame, function, op->regions[0]);
        return ok;
    }
    uint32_t word = read_word(machine, frame, op->operands[0]);
    if (op->opcode == IR_IF) {
        enter_region(frame, function, op->regions[word != 0 ? 0 : 1]);
        return true;
    }
    uint32_t chosen = UINT32_MAX;
    for (uint32_t i = 0; i < op->region_count; i++) {
        const struct ir_case *row = &op->data.cases[i];
        for (uint32_t k = 0; k < row->selector_count; k++) {
            if (row->selectors[k] == word) {
                chosen = i;
            }
        }
    }
    for (uint32_t i = 0; chosen == UINT32_MAX && i < op->region_count; i++) {
        chosen = op->data.cases[i].is_default ? i : chosen;
    }
    enter_region(frame, function, op->regions[chosen]);
    return true;
}

// The innermost control operation of the kind around the operation.
static const struct ir_op *find_owner(
    const struct ir_function *function, const struct ir_op *op, enum ir_opcode kind) {
    for (;;) {
        ir_op_id owner = ir_region_get(function, op->parent)->owner;
        if (owner.index == 0) {
            return NULL; // the validator refuses such a module
        }
        op = ir_op_get(function, owner);
        if (op->opcode == kind) {
            return op;
        }
    }
}

static bool leave(
    struct machine *machine, struct frame *frame, const struct ir_op *op, enum ir_opcode kind) {
    const struct ir_op *owner = find_owner(function_of(machine, frame), op, kind);
    frame->at = owner->next;
    return assign(machine, frame, op, 0, op->operand_count, NULL, owner->first_result);
}

static bool go_to_body(
    struct machine *machine, struct frame *frame, const struct ir_op *op, uint32_t first) {
    const struct ir_function *function = function_of(machine, frame);
    const struct ir_op *loop = find_owner(function, op, IR_LOOP);
    const struct ir_region *body = ir_region_get(function, loop->regions[0]);
    bool ok = assign(
        machine, frame, op, first, body->parameter_count, body->parameters, (ir_value){0});
    enter_region(frame, function, loop->regions[0]);
    return ok;
}

static bool return_from(
    struct machine *machine, struct invocation *invocation, const struct ir_op *op) {
    struct frame *frame = &invocation->frames.items[invocation->frames.count - 1];
    if (invocation->frames.count == 1) {
        machine_pop_frame(machine, invocation);
        invocation->state = INVOCATION_DONE;
        return true;
    }
    struct frame *caller = frame - 1;
    const struct ir_function *function = function_of(machine, caller);
    const struct ir_op *call = ir_op_get(function, caller->at);
    if (op->operand_count == 1) {
        memcpy(machine_slot(machine, caller, call->first_result),
            machine_value(machine, frame, op->operands[0]),
            (size_t)machine_value_bytes(machine, ir_value_type(function, call->first_result)));
    }
    caller->at = call->next;
    machine_pop_frame(machine, invocation);
    return true;
}

static bool terminate(struct machine *machine, struct invocation *invocation, struct frame *frame,
    const struct ir_op *op) {
    const struct ir_function *function = function_of(machine, frame);
    const struct ir_op *loop = NULL;
    switch (op->opcode) {
    case IR_EXIT_IF:
        return leave(machine, frame, op, IR_IF);
    case IR_EXIT_SWITCH:
        return leave(machine, frame, op, IR_SWITCH);
    case IR_EXIT_LOOP:
        return leave(machine, frame, op, IR_LOOP);
    case IR_CONTINUE:
        loop = find_owner(function, op, IR_LOOP);
        enter_region(frame, function, loop->regions[1]);
        return assign(machine, frame, op, 0, op->operand_count,
            ir_region_get(function, loop->regions[1])->parameters, (ir_value){0});
    case IR_NEXT_ITERATION:
        return go_to_body(machine, frame, op, 0);
    case IR_BREAK_IF:
        if (read_word(machine, frame, op->operands[0]) == 0) {
            return go_to_body(machine, frame, op, 1);
        }
        loop = find_owner(function, op, IR_LOOP);
        frame->at = loop->next;
        return assign(machine, frame, op, 1 + op->data.break_if.body_argument_count,
            loop->result_count, NULL, loop->first_result);
    case IR_RETURN:
        return return_from(machine, invocation, op);
    default:
        return machine_fault(machine, "unreachable was reached");
    }
}

static bool fold(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    const struct ir_function *function = function_of(machine, frame);
    type_id local_types[OPERAND_LIMIT];
    const void *local_bytes[OPERAND_LIMIT];
    type_id *types = local_types;
    const void **bytes = local_bytes;
    if (op->operand_count > OPERAND_LIMIT) {
        types = memory_allocate(MEMORY_TEST, op->operand_count * sizeof(*types));
        bytes = memory_allocate(MEMORY_TEST, op->operand_count * sizeof(*bytes));
    }
    bool ok = types != NULL && bytes != NULL ? true : machine_out_of_memory(machine);
    for (uint32_t i = 0; ok && i < op->operand_count; i++) {
        types[i] = ir_value_type(function, op->operands[i]);
        bytes[i] = machine_value(machine, frame, op->operands[i]);
    }
    if (ok &&
        !ir_fold_op(&machine->module->types, op, ir_value_type(function, op->first_result), types,
            bytes, machine_slot(machine, frame, op->first_result))) {
        ok = machine_fault(machine, "an operation has no expression for its operands");
    }
    if (types != local_types) {
        memory_free(types);
    }
    if (bytes != local_bytes) {
        memory_free((void *)bytes);
    }
    return ok;
}

static uint32_t word_count(const struct machine *machine, const struct ir_interface *value) {
    return (uint32_t)(type_get(&machine->module->types, value->type)->size_bytes / 4);
}

// The place of a value of the interface in the lane's column, from its first row on.
static uint32_t first_word(const struct machine *machine, const struct ir_interface *values,
    uint32_t index, uint32_t lane) {
    uint32_t row = 0;
    for (uint32_t i = 0; i < index; i++) {
        row += word_count(machine, &values[i]);
    }
    return row * machine->options->lanes->count + lane;
}

static bool load_lane_input(struct machine *machine, const struct invocation *invocation,
    struct frame *frame, const struct ir_op *op) {
    const struct interpreter_lanes *lanes = machine->options->lanes;
    const struct ir_entry_point *entry =
        &machine->module->entry_points.items[machine->options->entry_point];
    unsigned char *slot = machine_slot(machine, frame, op->first_result);
    uint32_t at = first_word(machine, entry->inputs, op->data.index, invocation->local_index);
    for (uint32_t i = 0; i < word_count(machine, &entry->inputs[op->data.index]); i++) {
        memcpy(slot + (size_t)i * 4, &lanes->inputs[at + i * lanes->count], 4);
    }
    return true;
}

// One operand, or the elements of an array that was taken apart.
static bool store_lane_output(struct machine *machine, const struct invocation *invocation,
    struct frame *frame, const struct ir_op *op) {
    const struct interpreter_lanes *lanes = machine->options->lanes;
    const struct ir_entry_point *entry =
        &machine->module->entry_points.items[machine->options->entry_point];
    if (lanes == NULL) {
        return machine_fault(machine, "a compute shader stores an output");
    }
    uint32_t at = first_word(machine, entry->outputs, op->data.index, invocation->local_index);
    for (uint32_t k = 0; k < op->operand_count; k++) {
        const unsigned char *bytes = machine_value(machine, frame, op->operands[k]);
        type_id type = ir_value_type(function_of(machine, frame), op->operands[k]);
        for (uint32_t i = 0; i < machine_value_bytes(machine, type) / 4; i++) {
            memcpy(&lanes->outputs[at], bytes + (size_t)i * 4, 4);
            at += lanes->count;
        }
    }
    return true;
}

static bool load_input(struct machine *machine, const struct invocation *invocation,
    struct frame *frame, const struct ir_op *op) {
    const struct interpreter_options *options = machine->options;
    if (options->lanes != NULL) {
        return load_lane_input(machine, invocation, frame, op);
    }
    const struct ir_interface *input =
        &machine->module->entry_points.items[options->entry_point].inputs[op->data.index];
    const uint32_t *size = machine->workgroup_size, *group = machine->workgroup_id;
    const uint32_t *groups = options->num_workgroups;
    uint32_t local[3] = {invocation->local_index % size[0],
        invocation->local_index / size[0] % size[1], invocation->local_index / size[0] / size[1]};
    uint32_t global[3], extent[3];
    for (int i = 0; i < 3; i++) {
        global[i] = group[i] * size[i] + local[i];
        extent[i] = size[i] * groups[i];
    }
    uint32_t words[3] = {0};
    switch (input->builtin) {
    case BUILTIN_VALUE_LOCAL_INVOCATION_ID:
        memcpy(words, local, sizeof(words));
        break;
    case BUILTIN_VALUE_LOCAL_INVOCATION_INDEX:
        words[0] = invocation->local_index;
        break;
    case BUILTIN_VALUE_GLOBAL_INVOCATION_ID:
        memcpy(words, global, sizeof(words));
        break;
    case BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX:
        words[0] = (global[2] * extent[1] + global[1]) * extent[0] + global[0];
        break;
    case BUILTIN_VALUE_WORKGROUP_ID:
        memcpy(words, group, sizeof(words));
        break;
    case BUILTIN_VALUE_WORKGROUP_INDEX:
        words[0] = (group[2] * groups[1] + group[1]) * groups[0] + group[0];
        break;
    case BUILTIN_VALUE_NUM_WORKGROUPS:
        memcpy(words, groups, sizeof(words));
        break;
    default:
        return machine_fault(machine, "a built-in value that the interpreter does not have");
    }
    size_t size_bytes = (size_t)type_get(&machine->module->types, input->type)->size_bytes;
    memcpy(machine_slot(machine, frame, op->first_result), words, size_bytes);
    return true;
}

bool machine_execute_plain(struct machine *machine, struct invocation *invocation,
    struct frame *frame, const struct ir_op *op) {
    switch (op->opcode) {
    case IR_LOAD_INPUT:
        return load_input(machine, invocation, frame, op);
    case IR_STORE_OUTPUT:
        return store_lane_output(machine, invocation, frame, op);
    case IR_DISCARD:
        if (machine->options->lanes == NULL) {
            return machine_fault(machine, "a compute shader discards");
        }
        machine->options->lanes->live[invocation->local_index] = 0;
        return true;
    case IR_OVERRIDE:
        memcpy(machine_slot(machine, frame, op->first_result),
            machine->override_values + (size_t)op->data.index * 4, sizeof(uint32_t));
        return true;
    default:
        break;
    }
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    bool is_pure = (flags & IR_FLAG_PURE) != 0 && op->opcode != IR_VARIABLE &&
        op->opcode != IR_ACCESS && op->opcode != IR_ARRAY_LENGTH;
    return is_pure ? fold(machine, frame, op)
                   : machine_execute_memory(machine, invocation, frame, op);
}

bool machine_execute(struct machine *machine, struct invocation *invocation) {
    while (invocation->state == INVOCATION_READY) {
        struct frame *frame = &invocation->frames.items[invocation->frames.count - 1];
        const struct ir_op *op = ir_op_get(function_of(machine, frame), frame->at);
        const struct ir_op_info *info = ir_op_get_info(op->opcode);
        if (machine->steps_left-- == 0) {
            machine->status = INTERPRETER_STEP_LIMIT;
            return false;
        }
        bool ok = true;
        if ((info->flags & IR_FLAG_BARRIER) != 0) {
            invocation->state = INVOCATION_WAITS;
            return true;
        }
        if (info->family == IR_FAMILY_CONTROL) {
            ok = enter_control(machine, frame, op);
        } else if (info->family == IR_FAMILY_TERMINATOR) {
            ok = terminate(machine, invocation, frame, op);
        } else if (info->family == IR_FAMILY_CALL) {
            ok = machine_push_frame(machine, invocation, op->data.index, frame, op);
        } else {
            ok = machine_execute_plain(machine, invocation, frame, op);
            frame->at = op->next;
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}
