// SPDX-License-Identifier: MIT
//
// Types of memory operations, atomics, interface operations and calls. See ir.h §Pointers.
#include "shader/ir/ir_validate_priv.h"

#define WRONG_OPERAND "an operand has a type that the operation does not admit"
#define WRONG_RESULT "the result type does not follow from the operands"
#define WRONG_COUNT "wrong number of operands or results"
#define WRONG_INDEX "the index names nothing"

static const struct type *pointer_of(const struct ir_type_check *check, type_id id) {
    const struct type *type = type_get(&check->module->types, id);
    return type->kind == TYPE_POINTER ? type : NULL;
}

static bool has_counts(const struct ir_type_check *check, uint32_t operands, uint32_t results) {
    return check->op->operand_count == operands && check->op->result_count == results;
}

static const char *check_var(const struct ir_type_check *check) {
    if (!has_counts(check, 0, 1)) {
        return WRONG_COUNT;
    }
    const struct type *pointer = pointer_of(check, ir_result_type(check, 0));
    bool ok = pointer != NULL && pointer->space == SPACE_FUNCTION &&
        pointer->access == ACCESS_READ_WRITE &&
        type_is_constructible(&check->module->types, pointer->element);
    return ok ? NULL : WRONG_RESULT;
}

static const char *check_variable(const struct ir_type_check *check) {
    if (!has_counts(check, 0, 1)) {
        return WRONG_COUNT;
    }
    if (check->op->data.index >= check->module->variables.count) {
        return WRONG_INDEX;
    }
    const struct ir_variable *row = &check->module->variables.items[check->op->data.index];
    const struct type *pointer = pointer_of(check, ir_result_type(check, 0));
    bool ok = pointer != NULL && pointer->space == row->space && pointer->access == row->access &&
        type_equals(pointer->element, row->type);
    return ok ? NULL : WRONG_RESULT;
}

// One step of an access: from the store type by the operand; none when the operand does not fit.
static type_id step(const struct ir_type_check *check, type_id store, uint32_t operand) {
    const struct type_table *types = &check->module->types;
    const struct type *type = type_get(types, store);
    const struct ir_value_info *info = ir_value_get(check->function, check->op->operands[operand]);
    bool is_index = info->type.index == TYPE_U32 || info->type.index == TYPE_I32;
    if (type->kind == TYPE_STRUCT) {
        if (info->kind != IR_VALUE_CONSTANT || info->type.index != TYPE_U32) {
            return (type_id){0};
        }
        const void *bytes = check->module->constants.items[info->definition].bytes;
        uint32_t member = bytes == NULL ? 0 : *(const uint32_t *)bytes;
        return member < type->member_count ? type->members[member].type : (type_id){0};
    }
    bool is_indexed = type->kind == TYPE_VECTOR || type->kind == TYPE_MATRIX ||
        type->kind == TYPE_ARRAY;
    return is_index && is_indexed ? type_element_at(types, store, 0) : (type_id){0};
}

static const char *check_access(const struct ir_type_check *check) {
    const struct ir_op *op = check->op;
    if (op->operand_count < 2 || op->result_count != 1) {
        return WRONG_COUNT;
    }
    const struct type *base = pointer_of(check, ir_operand_type(check, 0));
    const struct type *result = pointer_of(check, ir_result_type(check, 0));
    if (base == NULL) {
        return WRONG_OPERAND;
    }
    type_id store = base->element;
    for (uint32_t i = 1; i < op->operand_count; i++) {
        store = step(check, store, i);
        if (store.index == 0) {
            return "an index does not fit the store type";
        }
    }
    bool ok = result != NULL && result->space == base->space && result->access == base->access &&
        type_equals(result->element, store);
    return ok ? NULL : WRONG_RESULT;
}

static const char *check_load(const struct ir_type_check *check) {
    if (!has_counts(check, 1, 1)) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    const struct type *pointer = pointer_of(check, ir_operand_type(check, 0));
    if (pointer == NULL) {
        return WRONG_OPERAND;
    }
    bool is_uniform_load = check->op->opcode == IR_WORKGROUP_UNIFORM_LOAD;
    if (is_uniform_load && pointer->space != SPACE_WORKGROUP) {
        return "workgroup_uniform_load needs a pointer to workgroup memory";
    }
    type_id loaded = pointer->element;
    if (is_uniform_load && type_kind_of(types, loaded) == TYPE_ATOMIC) {
        loaded = type_get(types, loaded)->element;
    }
    bool is_handle = pointer->space == SPACE_HANDLE;
    if (pointer->access == ACCESS_WRITE && !is_handle) {
        return "the memory is not readable";
    }
    if (!is_handle && !type_is_constructible(types, loaded)) {
        return WRONG_OPERAND;
    }
    return type_equals(ir_result_type(check, 0), loaded) ? NULL : WRONG_RESULT;
}

static const char *check_store(const struct ir_type_check *check) {
    if (!has_counts(check, 2, 0)) {
        return WRONG_COUNT;
    }
    const struct type *pointer = pointer_of(check, ir_operand_type(check, 0));
    if (pointer == NULL || !type_equals(pointer->element, ir_operand_type(check, 1)) ||
        !type_is_constructible(&check->module->types, pointer->element)) {
        return WRONG_OPERAND;
    }
    return pointer->access == ACCESS_READ ? "the memory is not writable" : NULL;
}

static const char *check_copy(const struct ir_type_check *check) {
    if (!has_counts(check, 2, 0)) {
        return WRONG_COUNT;
    }
    const struct type *to = pointer_of(check, ir_operand_type(check, 0));
    const struct type *from = pointer_of(check, ir_operand_type(check, 1));
    if (to == NULL || from == NULL || !type_equals(to->element, from->element) ||
        !type_is_constructible(&check->module->types, to->element)) {
        return WRONG_OPERAND;
    }
    return to->access == ACCESS_READ   ? "the memory is not writable"
        : from->access == ACCESS_WRITE ? "the memory is not readable"
                                       : NULL;
}

static const char *check_array_length(const struct ir_type_check *check) {
    if (!has_counts(check, 1, 1)) {
        return WRONG_COUNT;
    }
    const struct type *pointer = pointer_of(check, ir_operand_type(check, 0));
    const struct type *array = pointer != NULL ? type_get(&check->module->types, pointer->element)
                                               : NULL;
    if (array == NULL || array->kind != TYPE_ARRAY || array->array_size != ARRAY_RUNTIME) {
        return WRONG_OPERAND;
    }
    return ir_result_type(check, 0).index == TYPE_U32 ? NULL : WRONG_RESULT;
}

static const char *check_atomic(const struct ir_type_check *check) {
    enum ir_family family = ir_op_get_info(check->op->opcode)->family;
    uint32_t operands = family == IR_FAMILY_ATOMIC_LOAD ? 1
        : family == IR_FAMILY_ATOMIC_COMPARE_EXCHANGE   ? 3
                                                        : 2;
    uint32_t results = family == IR_FAMILY_ATOMIC_STORE ? 0
        : family == IR_FAMILY_ATOMIC_COMPARE_EXCHANGE   ? 2
                                                        : 1;
    if (!has_counts(check, operands, results)) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    const struct type *pointer = pointer_of(check, ir_operand_type(check, 0));
    const struct type *atomic = pointer != NULL ? type_get(types, pointer->element) : NULL;
    if (atomic == NULL || atomic->kind != TYPE_ATOMIC) {
        return WRONG_OPERAND;
    }
    if (pointer->access != ACCESS_READ_WRITE) {
        return "an atomic operation needs read_write memory";
    }
    for (uint32_t i = 1; i < operands; i++) {
        if (!type_equals(ir_operand_type(check, i), atomic->element)) {
            return WRONG_OPERAND;
        }
    }
    if (results >= 1 && !type_equals(ir_result_type(check, 0), atomic->element)) {
        return WRONG_RESULT;
    }
    return results == 2 && ir_result_type(check, 1).index != TYPE_BOOL ? WRONG_RESULT : NULL;
}

// An array that was taken apart: its elements.
static const char *check_output_elements(const struct ir_type_check *check, type_id type) {
    const struct ir_op *op = check->op;
    const struct type *array = type_get(&check->module->types, type);
    if (op->result_count != 0 || array->count != op->operand_count) {
        return WRONG_COUNT;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (!type_equals(ir_operand_type(check, i), array->element)) {
            return WRONG_OPERAND;
        }
    }
    return NULL;
}

static const char *check_interface(const struct ir_type_check *check) {
    bool is_input = check->op->opcode == IR_LOAD_INPUT;
    const struct ir_entry_point *entry = check->entry;
    if (entry == NULL) {
        return "only an entry point's function has inputs and outputs";
    }
    uint32_t index = check->op->data.index;
    if (index >= (is_input ? entry->input_count : entry->output_count)) {
        return WRONG_INDEX;
    }
    if (!is_input && check->op->operand_count > 0 &&
        !type_equals(ir_operand_type(check, 0), entry->outputs[index].type) &&
        type_kind_of(&check->module->types, entry->outputs[index].type) == TYPE_ARRAY) {
        return check_output_elements(check, entry->outputs[index].type);
    }
    if (!has_counts(check, is_input ? 0 : 1, is_input ? 1 : 0)) {
        return WRONG_COUNT;
    }
    type_id type = is_input ? entry->inputs[index].type : entry->outputs[index].type;
    type_id given = is_input ? ir_result_type(check, 0) : ir_operand_type(check, 0);
    return type_equals(type, given) ? NULL : is_input ? WRONG_RESULT : WRONG_OPERAND;
}

static const char *check_override(const struct ir_type_check *check) {
    if (!has_counts(check, 0, 1)) {
        return WRONG_COUNT;
    }
    if (check->op->data.index >= check->module->overrides.count) {
        return WRONG_INDEX;
    }
    type_id type = check->module->overrides.items[check->op->data.index].type;
    return type_equals(ir_result_type(check, 0), type) ? NULL : WRONG_RESULT;
}

static const char *check_call(const struct ir_type_check *check) {
    const struct ir_op *op = check->op;
    if (op->data.index >= check->module->functions.count) {
        return WRONG_INDEX;
    }
    if (op->data.index >= check->function_number) {
        return "the called function must come before its caller";
    }
    if (check->entries[op->data.index] != 0 || op->data.index == check->module->initialisation) {
        return "an entry point's function or the initialisation is called";
    }
    const struct ir_function *callee = &check->module->functions.items[op->data.index];
    bool has_result = callee->return_type.index != TYPE_VOID;
    if (!has_counts(check, callee->parameter_count, has_result ? 1 : 0)) {
        return WRONG_COUNT;
    }
    for (uint32_t i = 0; i < callee->parameter_count; i++) {
        type_id type = ir_value_type(callee, callee->parameters[i]);
        if (!type_equals(type, ir_operand_type(check, i))) {
            return WRONG_OPERAND;
        }
    }
    return has_result && !type_equals(ir_result_type(check, 0), callee->return_type) ? WRONG_RESULT
                                                                                     : NULL;
}

const char *ir_validate_memory_types(const struct ir_type_check *check) {
    switch (ir_op_get_info(check->op->opcode)->family) {
    case IR_FAMILY_VAR:
        return check_var(check);
    case IR_FAMILY_VARIABLE:
        return check_variable(check);
    case IR_FAMILY_ACCESS:
        return check_access(check);
    case IR_FAMILY_LOAD:
        return check_load(check);
    case IR_FAMILY_STORE:
        return check_store(check);
    case IR_FAMILY_COPY_MEMORY:
        return check_copy(check);
    case IR_FAMILY_ARRAY_LENGTH:
        return check_array_length(check);
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_STORE:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
        return check_atomic(check);
    case IR_FAMILY_LOAD_INPUT:
    case IR_FAMILY_STORE_OUTPUT:
        return check_interface(check);
    case IR_FAMILY_OVERRIDE:
        return check_override(check);
    case IR_FAMILY_CALL:
        return check_call(check);
    default: // barriers, discard
        return has_counts(check, 0, 0) ? NULL : WRONG_COUNT;
    }
}
