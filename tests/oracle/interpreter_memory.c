// SPDX-License-Identifier: MIT
//
// The interpreter's memory operations; ir.h §Pointers has their semantics.
#include "oracle/interpreter_priv.h"

#include <string.h>

static struct memory_pointer read_pointer(
    const struct machine *machine, const struct frame *frame, ir_value value) {
    struct memory_pointer pointer;
    memcpy(&pointer, machine_value(machine, frame, value), sizeof(pointer));
    return pointer;
}

static void write_pointer(const struct machine *machine, const struct frame *frame, ir_value value,
    struct memory_pointer pointer) {
    memcpy(machine_slot(machine, frame, value), &pointer, sizeof(pointer));
}

static const struct type *store_type(
    const struct machine *machine, const struct frame *frame, ir_value pointer) {
    const struct ir_function *function = &machine->module->functions.items[frame->function];
    const struct type_table *types = &machine->module->types;
    return type_get(types, type_get(types, ir_value_type(function, pointer))->element);
}

static bool is_inside(struct memory_pointer pointer, uint64_t size_bytes) {
    return pointer.offset_bytes <= pointer.size_bytes &&
        size_bytes <= pointer.size_bytes - pointer.offset_bytes;
}

static bool execute_var(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    const struct function_layout *layout = &machine->layouts[frame->function];
    const struct ir_function *function = &machine->module->functions.items[frame->function];
    uint64_t size_bytes = store_type(machine, frame, op->first_result)->size_bytes;
    uint32_t number = (uint32_t)(op - function->ops.items);
    struct memory_pointer pointer = {
        .base = frame->memory + layout->var_offsets[number],
        .size_bytes = size_bytes,
        .is_valid = true,
    };
    // Undefined until stored: a pattern that no program computes by chance.
    memset(pointer.base, 0xa5, (size_t)size_bytes);
    write_pointer(machine, frame, op->first_result, pointer);
    return true;
}

static bool execute_variable(struct machine *machine, const struct invocation *invocation,
    struct frame *frame, const struct ir_op *op) {
    uint32_t index = op->data.index;
    const struct ir_variable *variable = &machine->module->variables.items[index];
    unsigned char *memory = variable->space == SPACE_PRIVATE ? invocation->private_memory[index]
                                                             : machine->shared_memory[index];
    if (memory == NULL) {
        return machine_fault(machine, "a variable without memory is used (no binding given)");
    }
    write_pointer(machine, frame, op->first_result,
        (struct memory_pointer){
            .base = memory, .size_bytes = machine->memory_bytes[index], .is_valid = true});
    return true;
}

// Number of elements that the type has at this pointer.
static uint64_t element_count(
    const struct machine *machine, const struct type *type, struct memory_pointer pointer) {
    if (type->kind != TYPE_ARRAY || type->array_size == ARRAY_FIXED) {
        return type->count;
    }
    if (type->array_size == ARRAY_OVERRIDE) {
        return machine->override_counts[type->count];
    }
    return (pointer.size_bytes - pointer.offset_bytes) / type->stride_bytes;
}

static bool execute_access(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    const struct type_table *types = &machine->module->types;
    const struct ir_function *function = &machine->module->functions.items[frame->function];
    struct memory_pointer pointer = read_pointer(machine, frame, op->operands[0]);
    type_id at = type_get(types, ir_value_type(function, op->operands[0]))->element;
    for (uint32_t i = 1; i < op->operand_count; i++) {
        const struct type *type = type_get(types, at);
        uint32_t word = 0;
        memcpy(&word, machine_value(machine, frame, op->operands[i]), sizeof(word));
        if (type->kind == TYPE_STRUCT) {
            pointer.offset_bytes += type->members[word].offset_bytes;
            at = type->members[word].type;
            continue;
        }
        bool is_negative = ir_value_type(function, op->operands[i]).index == TYPE_I32 &&
            word >> 31 != 0;
        bool is_in_range = !is_negative && pointer.is_valid &&
            word < element_count(machine, type, pointer);
        bool is_claimed = i <= 32 && (op->data.in_bounds >> (i - 1) & 1u) != 0;
        if (is_claimed && !is_in_range && pointer.is_valid) {
            return machine_fault(machine, "an index marked in_bounds is out of range");
        }
        pointer.is_valid = pointer.is_valid && is_in_range;
        pointer.offset_bytes += is_in_range ? (uint64_t)type->stride_bytes * word : 0;
        at = type_element_at(types, at, 0);
    }
    write_pointer(machine, frame, op->first_result, pointer);
    return true;
}

bool machine_load(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    const struct ir_function *function = &machine->module->functions.items[frame->function];
    type_id type = ir_value_type(function, op->first_result);
    struct memory_pointer pointer = read_pointer(machine, frame, op->operands[0]);
    uint64_t size_bytes = type_get(&machine->module->types, type)->size_bytes;
    unsigned char *slot = machine_slot(machine, frame, op->first_result);
    if (!pointer.is_valid) {
        memset(slot, 0, (size_t)size_bytes);
        return true;
    }
    if (!is_inside(pointer, size_bytes)) {
        return machine_fault(machine, "a load leaves its memory");
    }
    memcpy(slot, pointer.base + pointer.offset_bytes, (size_t)size_bytes);
    return true;
}

static bool execute_store(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    struct memory_pointer pointer = read_pointer(machine, frame, op->operands[0]);
    uint64_t size_bytes = store_type(machine, frame, op->operands[0])->size_bytes;
    if (!pointer.is_valid) {
        return true;
    }
    if (!is_inside(pointer, size_bytes)) {
        return machine_fault(machine, "a store leaves its memory");
    }
    memcpy(pointer.base + pointer.offset_bytes, machine_value(machine, frame, op->operands[1]),
        (size_t)size_bytes);
    return true;
}

static bool execute_copy(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    struct memory_pointer to = read_pointer(machine, frame, op->operands[0]);
    struct memory_pointer from = read_pointer(machine, frame, op->operands[1]);
    uint64_t size_bytes = store_type(machine, frame, op->operands[0])->size_bytes;
    if (!to.is_valid || !from.is_valid) {
        return true;
    }
    if (!is_inside(to, size_bytes) || !is_inside(from, size_bytes)) {
        return machine_fault(machine, "a copy leaves its memory");
    }
    memmove(to.base + to.offset_bytes, from.base + from.offset_bytes, (size_t)size_bytes);
    return true;
}

static bool execute_array_length(
    struct machine *machine, struct frame *frame, const struct ir_op *op) {
    struct memory_pointer pointer = read_pointer(machine, frame, op->operands[0]);
    const struct type *type = store_type(machine, frame, op->operands[0]);
    uint32_t length = pointer.is_valid ? (uint32_t)element_count(machine, type, pointer) : 0;
    memcpy(machine_slot(machine, frame, op->first_result), &length, sizeof(length));
    return true;
}

// The new value of an atomic; `is_signed` by its element type.
static uint32_t modify(enum ir_opcode opcode, bool is_signed, uint32_t old, uint32_t operand) {
    bool is_less = is_signed ? (int32_t)operand < (int32_t)old : operand < old;
    switch (opcode) {
    case IR_ATOMIC_ADD:
        return old + operand;
    case IR_ATOMIC_SUB:
        return old - operand;
    case IR_ATOMIC_MAX:
        return is_less ? old : operand;
    case IR_ATOMIC_MIN:
        return is_less ? operand : old;
    case IR_ATOMIC_AND:
        return old & operand;
    case IR_ATOMIC_OR:
        return old | operand;
    case IR_ATOMIC_XOR:
        return old ^ operand;
    case IR_ATOMIC_LOAD:
        return old;
    default: // store, exchange
        return operand;
    }
}

static bool execute_atomic(struct machine *machine, struct frame *frame, const struct ir_op *op) {
    struct memory_pointer pointer = read_pointer(machine, frame, op->operands[0]);
    const struct type *type = store_type(machine, frame, op->operands[0]);
    uint32_t old = 0, operands[2] = {0}, is_exchanged = 0;
    for (uint32_t i = 1; i < op->operand_count; i++) {
        memcpy(&operands[i - 1], machine_value(machine, frame, op->operands[i]), sizeof(uint32_t));
    }
    if (pointer.is_valid) {
        if (!is_inside(pointer, sizeof(old))) {
            return machine_fault(machine, "an atomic operation leaves its memory");
        }
        unsigned char *at = pointer.base + pointer.offset_bytes;
        memcpy(&old, at, sizeof(old));
        uint32_t new_value = modify(op->opcode, type->element.index == TYPE_I32, old, operands[0]);
        if (op->opcode == IR_ATOMIC_COMPARE_EXCHANGE) {
            is_exchanged = old == operands[0] ? 1 : 0;
            new_value = is_exchanged != 0 ? operands[1] : old;
        }
        memcpy(at, &new_value, sizeof(new_value));
    }
    if (op->result_count > 0) {
        memcpy(machine_slot(machine, frame, op->first_result), &old, sizeof(old));
    }
    if (op->result_count > 1) {
        memcpy(machine_slot(machine, frame, ir_op_result(op, 1)), &is_exchanged, sizeof(uint32_t));
    }
    return true;
}

// Of a helper invocation nothing that others could see has an effect.
static bool is_without_effect(const struct machine *machine, const struct invocation *invocation,
    const struct frame *frame, const struct ir_op *op) {
    const struct interpreter_lanes *lanes = machine->options->lanes;
    if (lanes == NULL || lanes->live[invocation->local_index] != 0 ||
        op->opcode == IR_ATOMIC_LOAD || (ir_op_get_info(op->opcode)->flags & IR_FLAG_WRITES) == 0) {
        return false;
    }
    const struct ir_function *function = &machine->module->functions.items[frame->function];
    type_id pointer = ir_value_type(function, op->operands[0]);
    return type_get(&machine->module->types, pointer)->space == SPACE_STORAGE;
}

bool machine_execute_memory(struct machine *machine, struct invocation *invocation,
    struct frame *frame, const struct ir_op *op) {
    if (is_without_effect(machine, invocation, frame, op)) {
        for (uint32_t i = 0; i < op->result_count; i++) {
            memset(machine_slot(machine, frame, ir_op_result(op, i)), 0, 4);
        }
        return true;
    }
    switch (ir_op_get_info(op->opcode)->family) {
    case IR_FAMILY_VAR:
        return execute_var(machine, frame, op);
    case IR_FAMILY_VARIABLE:
        return execute_variable(machine, invocation, frame, op);
    case IR_FAMILY_ACCESS:
        return execute_access(machine, frame, op);
    case IR_FAMILY_LOAD:
        return machine_load(machine, frame, op);
    case IR_FAMILY_STORE:
        return execute_store(machine, frame, op);
    case IR_FAMILY_COPY_MEMORY:
        return execute_copy(machine, frame, op);
    case IR_FAMILY_ARRAY_LENGTH:
        return execute_array_length(machine, frame, op);
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_STORE:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
        return execute_atomic(machine, frame, op);
    default:
        return machine_fault(machine, "an operation that the interpreter does not have");
    }
}
