// SPDX-License-Identifier: MIT
//
// Evaluates override expressions: a walk over the `initialisation` function with constant bytes.
// See override_priv.h. WGSL's pipeline-creation errors are found here.
#include "shader/pass/override_priv.h"

#include <math.h>
#include <string.h>

#include "shader/ir/ir_fold.h"

static const struct ir_function *function_of(const struct override_state *s) {
    return &s->module->functions.items[s->module->initialisation];
}

static const void *zeros_of(struct override_state *s, type_id type) {
    return arena_allocate_zeroed(
        s->scratch, 1, (size_t)type_get(&s->module->types, type)->size_bytes + 4);
}

// The value of an operand; constants are looked up on first use.
static const struct override_value *get(struct override_state *s, ir_value value) {
    struct override_value *row = &s->values[value.index];
    const struct ir_value_info *info = ir_value_get(function_of(s), value);
    if (row->bytes == NULL && row->error == NULL && info->kind == IR_VALUE_CONSTANT) {
        row->bytes = s->module->constants.items[info->definition].bytes;
        if (row->bytes == NULL) {
            row->bytes = zeros_of(s, info->type);
        }
    }
    return row;
}

const struct override_value *override_get(struct override_state *s, uint32_t index) {
    const struct ir_override *row = &s->module->overrides.items[index];
    struct override_value *value = ARENA_NEW(s->scratch, struct override_value);
    if (value == NULL) {
        return NULL;
    }
    if (s->given[index] != NULL) {
        value->bytes = s->given[index];
    } else if (!row->has_initial_value) {
        value->error = text_format(s->scratch,
            "override '%.*s' has no default value and no pipeline constant gives it one",
            TEXT_ARGS(row->name));
    } else {
        *value = *get(s, row->initial_value);
        if (value->bytes == NULL && value->error == NULL) {
            value->error = text_format(s->scratch,
                "the value of override '%.*s' is used before it is computed", TEXT_ARGS(row->name));
        }
    }
    return value->bytes == NULL && value->error == NULL ? NULL : value;
}

// ---------------------------------------------------------------- errors of single operations

static bool is_float_kind(const struct override_state *s, type_id type) {
    enum type_kind kind = type_kind_of(&s->module->types, type_element_of(&s->module->types, type));
    return kind == TYPE_F32 || kind == TYPE_F16;
}

static bool is_scalar_or_vector(const struct override_state *s, type_id type) {
    return type_is_scalar(&s->module->types, type) ||
        type_kind_of(&s->module->types, type) == TYPE_VECTOR;
}

static uint32_t word_at(const void *bytes, uint32_t component) {
    uint32_t word;
    memcpy(&word, (const unsigned char *)bytes + 4u * component, sizeof(word));
    return word;
}

static bool has_infinity_or_nan(const struct override_state *s, type_id type, const void *bytes) {
    if (!is_scalar_or_vector(s, type) || !is_float_kind(s, type)) {
        return false;
    }
    bool is_half = type_kind_of(&s->module->types, type_element_of(&s->module->types, type)) ==
        TYPE_F16;
    uint32_t count = type_component_count(&s->module->types, type);
    for (uint32_t i = 0; i < count; i++) {
        if (is_half) {
            uint16_t half;
            memcpy(&half, (const unsigned char *)bytes + 2u * i, sizeof(half));
            if ((half & 0x7c00u) == 0x7c00u) {
                return true;
            }
        } else if ((word_at(bytes, i) & 0x7f800000u) == 0x7f800000u) {
            return true;
        }
    }
    return false;
}

// Division and remainder, shift counts, bit ranges, clamp: what WGSL refuses in an override
// expression although the operation has a value at run time.
static const char *find_integer_error(const struct override_state *s, const struct ir_op *op,
    const void *const *operands, type_id type) {
    uint32_t count = is_scalar_or_vector(s, type) ? type_component_count(&s->module->types, type)
                                                  : 0;
    for (uint32_t i = 0; i < count; i++) {
        switch (op->opcode) {
        case IR_DIV_S:
        case IR_REM_S:
            if (word_at(operands[0], i) == 0x80000000u && word_at(operands[1], i) == UINT32_MAX) {
                return "overflow in an override expression: the smallest i32 divided by -1";
            }
            if (word_at(operands[1], i) == 0) {
                return "division by zero in an override expression";
            }
            break;
        case IR_DIV_U:
        case IR_REM_U:
            if (word_at(operands[1], i) == 0) {
                return "division by zero in an override expression";
            }
            break;
        case IR_SHL:
        case IR_SHR_S:
        case IR_SHR_U:
            if (word_at(operands[1], i) >= 32) {
                return "a shift count in an override expression is 32 or more";
            }
            break;
        case IR_CLAMP_S:
            if ((int32_t)word_at(operands[1], i) > (int32_t)word_at(operands[2], i)) {
                return "clamp in an override expression has low > high";
            }
            break;
        case IR_CLAMP_U:
            if (word_at(operands[1], i) > word_at(operands[2], i)) {
                return "clamp in an override expression has low > high";
            }
            break;
        default:
            break;
        }
    }
    uint32_t first = op->opcode == IR_INSERT_BITS ? 2 : 1;
    if (op->opcode == IR_EXTRACT_BITS_S || op->opcode == IR_EXTRACT_BITS_U ||
        op->opcode == IR_INSERT_BITS) {
        uint64_t end = (uint64_t)word_at(operands[first], 0) + word_at(operands[first + 1], 0);
        if (end > 32) {
            return "offset + count in an override expression is more than 32";
        }
    }
    return NULL;
}

// ---------------------------------------------------------------- the walk

static bool evaluate_region(struct override_state *s, ir_region_id region, ir_op_id *out_end);

static bool evaluate_plain(struct override_state *s, const struct ir_op *op) {
    const struct ir_function *function = function_of(s);
    ir_value result = op->first_result;
    type_id type = ir_value_type(function, result);
    const void **operands = ARENA_ARRAY(s->scratch, const void *, (size_t)op->operand_count + 1);
    type_id *types = ARENA_ARRAY(s->scratch, type_id, (size_t)op->operand_count + 1);
    void *bytes = (void *)(uintptr_t)zeros_of(s, type);
    if (operands == NULL || types == NULL || bytes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const struct override_value *value = get(s, op->operands[i]);
        if (value->error != NULL || value->bytes == NULL) {
            s->values[result.index].error = value->error != NULL
                ? value->error
                : "an override expression was not evaluated";
            return true;
        }
        operands[i] = value->bytes;
        types[i] = ir_value_type(function, op->operands[i]);
    }
    const char *error = find_integer_error(s, op, operands, type);
    if (error == NULL && !ir_fold_op(&s->module->types, op, type, types, operands, bytes)) {
        error = text_format(s->scratch, "operation %s cannot stand in an override expression",
            ir_op_get_info(op->opcode)->text);
        TRY(error != NULL);
    }
    if (error == NULL && has_infinity_or_nan(s, type, bytes)) {
        error = text_format(s->scratch, "the result of %s in an override expression is not finite",
            ir_op_get_info(op->opcode)->text);
        TRY(error != NULL);
    }
    s->values[result.index] = (struct override_value){
        .bytes = error == NULL ? bytes : NULL, .error = error};
    return true;
}

static bool evaluate_if(struct override_state *s, const struct ir_op *op) {
    const struct override_value *condition = get(s, op->operands[0]);
    if (condition->bytes == NULL) {
        for (uint32_t i = 0; i < op->result_count; i++) {
            s->values[ir_op_result(op, i).index].error = condition->error;
        }
        return true;
    }
    ir_op_id end = {0};
    TRY(evaluate_region(s, op->regions[word_at(condition->bytes, 0) != 0 ? 0 : 1], &end));
    const struct ir_op *exit = ir_op_get(function_of(s), end);
    for (uint32_t i = 0; i < op->result_count && exit->opcode == IR_EXIT_IF; i++) {
        s->values[ir_op_result(op, i).index] = *get(s, exit->operands[i]);
    }
    return true;
}

// Recursion follows nesting, which ir_validate bounds.
static bool evaluate_region(struct override_state *s, ir_region_id region, ir_op_id *out_end) {
    const struct ir_function *function = function_of(s);
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        *out_end = id;
        if (op->opcode == IR_OVERRIDE) {
            const struct override_value *value = override_get(s, op->data.index);
            TRY(value != NULL);
            s->values[op->first_result.index] = *value;
        } else if (op->opcode == IR_IF) {
            TRY(evaluate_if(s, op));
        } else if (op->opcode == IR_STORE) {
            // A variable's slot holds what it contains: short-circuit operators may go through one.
            s->values[op->operands[0].index] = *get(s, op->operands[1]);
        } else if (op->opcode == IR_LOAD) {
            s->values[op->first_result.index] = s->values[op->operands[0].index];
        } else if (op->opcode == IR_VAR) {
            s->values[op->first_result.index] = (struct override_value){0};
        } else if (op->result_count == 1 && op->region_count == 0) {
            TRY(evaluate_plain(s, op));
        }
    }
    return true;
}

bool override_evaluate(struct override_state *s) {
    if (s->module->initialisation == UINT32_MAX) {
        s->values = ARENA_NEW(s->scratch, struct override_value);
        return s->values != NULL;
    }
    const struct ir_function *function = function_of(s);
    s->values = ARENA_ARRAY(s->scratch, struct override_value, function->values.count);
    TRY(s->values != NULL);
    ir_op_id end = {0};
    return evaluate_region(s, function->body, &end);
}
