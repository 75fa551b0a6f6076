// SPDX-License-Identifier: MIT
//
// Calls of built-in functions. Most are one operation, which builtin.def names; the rest is here.

#include "shader/wgsl/lower_priv.h"

#define ARGUMENT_LIMIT 8u

struct builtin_call {
    const struct ast_expression *expression;
    const struct ast_call *call;
    ir_value arguments[ARGUMENT_LIMIT];
    uint32_t argument_count;
    type_id result;
};

static ir_value emit(struct lower *lower, enum ir_opcode opcode, const ir_value *operands,
    uint32_t operand_count, type_id result) {
    bool has_result = result.index != 0 && lower_kind_of(lower, result) != TYPE_VOID;
    return ir_builder_op(&lower->at, opcode, operands, operand_count, &result, has_result ? 1 : 0,
        (union ir_op_data){0});
}

// Of the first argument: its scalar, or, of a pointer to an atomic, the atomic's.
static enum type_kind operand_kind(const struct lower *lower, ir_value argument) {
    type_id type = lower_type_of(lower, argument);
    if (lower_kind_of(lower, type) == TYPE_POINTER) {
        type = type_get(lower->types, type)->element;
    }
    if (lower_kind_of(lower, type) == TYPE_ATOMIC) {
        return lower_kind_of(lower, type_get(lower->types, type)->element);
    }
    return lower_kind_of(lower, type_element_of(lower->types, type));
}

static ir_value lower_one_op(
    struct lower *lower, struct builtin_call *call, const struct builtin_info *info) {
    enum type_kind kind = operand_kind(lower, call->arguments[0]);
    uint16_t opcode = kind == TYPE_F32 || kind == TYPE_F16 ? info->float_op
        : kind == TYPE_I32                                 ? info->signed_op
                                                           : info->unsigned_op;
    if (opcode == IR_NONE) {
        return call->arguments[0]; // abs of an unsigned number
    }
    if (call->call->builtin == BUILTIN_MIX) {
        type_id shape = lower_type_of(lower, call->arguments[0]);
        if (!type_equals(shape, lower_type_of(lower, call->arguments[2]))) {
            call->arguments[2] = ir_builder_splat(&lower->at, shape, call->arguments[2]);
        }
    }
    return emit(lower, (enum ir_opcode)opcode, call->arguments, call->argument_count, call->result);
}

static ir_value lower_reduce(
    struct lower *lower, struct builtin_call *call, enum ir_opcode opcode) {
    type_id type = lower_type_of(lower, call->arguments[0]);
    return lower_kind_of(lower, type) == TYPE_BOOL
        ? call->arguments[0]
        : emit(lower, opcode, call->arguments, 1, call->result);
}

static ir_value lower_frexp(struct lower *lower, struct builtin_call *call) {
    type_id shape = lower_type_of(lower, call->arguments[0]);
    type_id exponent_type = type_with_element(lower->types, shape, type_scalar(TYPE_I32));
    ir_value parts[2] = {
        ir_builder_unary(&lower->at, IR_FREXP_FRACT, call->arguments[0]),
        emit(lower, IR_FREXP_EXP, call->arguments, 1, exponent_type),
    };
    return ir_builder_construct(&lower->at, call->result, parts, 2);
}

static ir_value lower_modf(struct lower *lower, struct builtin_call *call) {
    ir_value parts[2] = {
        ir_builder_unary(&lower->at, IR_MODF_FRACT, call->arguments[0]),
        ir_builder_unary(&lower->at, IR_TRUNC, call->arguments[0]),
    };
    return ir_builder_construct(&lower->at, call->result, parts, 2);
}

static ir_value lower_bitcast(struct lower *lower, struct builtin_call *call) {
    if (type_equals(lower_type_of(lower, call->arguments[0]), call->result)) {
        return call->arguments[0];
    }
    return ir_builder_convert(&lower->at, IR_BITCAST, call->result, call->arguments[0]);
}

static ir_value lower_compare_exchange(struct lower *lower, struct builtin_call *call) {
    type_id types[2] = {lower_type_of(lower, call->arguments[2]), type_scalar(TYPE_BOOL)};
    ir_value old = ir_builder_op(&lower->at, IR_ATOMIC_COMPARE_EXCHANGE, call->arguments, 3, types,
        2, (union ir_op_data){0});
    if (!ir_value_is_set(old)) {
        return old;
    }
    ir_value parts[2] = {old, {old.index + 1}};
    return ir_builder_construct(&lower->at, call->result, parts, 2);
}

static enum ir_opcode texture_opcode(enum builtin_id id) {
    static const struct {
        uint16_t id;
        uint16_t opcode;
    } rows[] = {
        {BUILTIN_TEXTURE_DIMENSIONS, IR_TEXTURE_DIMENSIONS},
        {BUILTIN_TEXTURE_GATHER, IR_TEXTURE_GATHER},
        {BUILTIN_TEXTURE_GATHER_COMPARE, IR_TEXTURE_GATHER_COMPARE},
        {BUILTIN_TEXTURE_LOAD, IR_TEXTURE_LOAD},
        {BUILTIN_TEXTURE_NUM_LAYERS, IR_TEXTURE_NUM_LAYERS},
        {BUILTIN_TEXTURE_NUM_LEVELS, IR_TEXTURE_NUM_LEVELS},
        {BUILTIN_TEXTURE_NUM_SAMPLES, IR_TEXTURE_NUM_SAMPLES},
        {BUILTIN_TEXTURE_SAMPLE, IR_TEXTURE_SAMPLE},
        {BUILTIN_TEXTURE_SAMPLE_BIAS, IR_TEXTURE_SAMPLE_BIAS},
        {BUILTIN_TEXTURE_SAMPLE_COMPARE, IR_TEXTURE_SAMPLE_COMPARE},
        {BUILTIN_TEXTURE_SAMPLE_COMPARE_LEVEL, IR_TEXTURE_SAMPLE_COMPARE_LEVEL},
        {BUILTIN_TEXTURE_SAMPLE_GRAD, IR_TEXTURE_SAMPLE_GRAD},
        {BUILTIN_TEXTURE_SAMPLE_LEVEL, IR_TEXTURE_SAMPLE_LEVEL},
        {BUILTIN_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE, IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE},
        {BUILTIN_TEXTURE_STORE, IR_TEXTURE_STORE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].id == id) {
            return (enum ir_opcode)rows[i].opcode;
        }
    }
    return IR_OPCODE_COUNT;
}

// The constant component and offset go from the arguments into the operation's data.
static ir_value lower_texture(
    struct lower *lower, struct builtin_call *call, enum ir_opcode opcode) {
    const struct ast_expression_list *list = &call->expression->call.arguments;
    union ir_op_data data = {0};
    ir_value operands[ARGUMENT_LIMIT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->argument_count; i++) {
        if (!(call->call->const_parameters >> i & 1)) {
            operands[count++] = call->arguments[i];
            continue;
        }
        const struct const_value *value = list->items[i]->value;
        uint32_t components = type_component_count(lower->types, value->type);
        if (components == 1) {
            data.texture.component = (uint8_t)const_value_get_integer(value);
        }
        for (uint32_t k = 0; components > 1 && k < components && k < 3; k++) {
            data.texture.offset[k] = (int8_t)const_value_get(value, lower->types, k).integer;
        }
    }
    bool has_result = opcode != IR_TEXTURE_STORE;
    return ir_builder_op(
        &lower->at, opcode, operands, count, &call->result, has_result ? 1 : 0, data);
}

// Offset and size go as u32; a negative i32 gives an offset behind the end, which is no memory.
static ir_value lower_buffer_view(struct lower *lower, struct builtin_call *call) {
    for (uint32_t i = 1; i < call->argument_count; i++) {
        if (lower_kind_of(lower, lower_type_of(lower, call->arguments[i])) == TYPE_I32) {
            call->arguments[i] = ir_builder_convert(
                &lower->at, IR_BITCAST, type_scalar(TYPE_U32), call->arguments[i]);
        }
    }
    return emit(lower, IR_BUFFER_VIEW, call->arguments, call->argument_count, call->result);
}

static ir_value lower_special(struct lower *lower, struct builtin_call *call) {
    const ir_value *arguments = call->arguments;
    switch ((enum builtin_id)call->call->builtin) {
    case BUILTIN_FREXP:
        return lower_frexp(lower, call);
    case BUILTIN_MODF:
        return lower_modf(lower, call);
    case BUILTIN_BITCAST:
        return lower_bitcast(lower, call);
    case BUILTIN_ALL:
        return lower_reduce(lower, call, IR_ALL);
    case BUILTIN_ANY:
        return lower_reduce(lower, call, IR_ANY);
    case BUILTIN_SELECT:
        return ir_builder_select(&lower->at, arguments[0], arguments[1], arguments[2]);
    case BUILTIN_ARRAY_LENGTH:
        return emit(lower, IR_ARRAY_LENGTH, arguments, 1, call->result);
    case BUILTIN_ATOMIC_COMPARE_EXCHANGE_WEAK:
        return lower_compare_exchange(lower, call);
    case BUILTIN_STORAGE_BARRIER:
        return emit(lower, IR_STORAGE_BARRIER, NULL, 0, (type_id){0});
    case BUILTIN_TEXTURE_BARRIER:
        return emit(lower, IR_TEXTURE_BARRIER, NULL, 0, (type_id){0});
    case BUILTIN_WORKGROUP_BARRIER:
        return emit(lower, IR_WORKGROUP_BARRIER, NULL, 0, (type_id){0});
    case BUILTIN_WORKGROUP_UNIFORM_LOAD:
        return emit(lower, IR_WORKGROUP_UNIFORM_LOAD, arguments, 1, call->result);
    case BUILTIN_BUFFER_VIEW:
    case BUILTIN_BUFFER_ARRAY_VIEW:
        return lower_buffer_view(lower, call);
    case BUILTIN_BUFFER_LENGTH:
        return emit(lower, IR_BUFFER_LENGTH, arguments, 1, call->result);
    case BUILTIN_SUBGROUP_ALL:
        return emit(lower, IR_SUBGROUP_ALL, arguments, 1, call->result);
    case BUILTIN_SUBGROUP_ANY:
        return emit(lower, IR_SUBGROUP_ANY, arguments, 1, call->result);
    case BUILTIN_SUBGROUP_BALLOT:
        return emit(lower, IR_SUBGROUP_BALLOT, arguments, 1, call->result);
    case BUILTIN_SUBGROUP_ELECT:
        return emit(lower, IR_SUBGROUP_ELECT, NULL, 0, call->result);
    default:
        break;
    }
    enum ir_opcode texture = texture_opcode((enum builtin_id)call->call->builtin);
    if (texture != IR_OPCODE_COUNT) {
        return lower_texture(lower, call, texture);
    }
    return ir_builder_zero(&lower->at, call->result);
}

ir_value lower_builtin_call(struct lower *lower, struct ast_expression *expression) {
    struct builtin_call call = {
        .expression = expression,
        .call = expression->call.resolved,
        .result = expression->type,
    };
    const struct builtin_info *info = builtin_get(call.call->builtin);
    const struct ast_expression_list *arguments = &expression->call.arguments;
    call.argument_count = arguments->count < ARGUMENT_LIMIT ? arguments->count : ARGUMENT_LIMIT;
    for (uint32_t i = 0; i < call.argument_count; i++) {
        call.arguments[i] = lower_expression(lower, arguments->items[i]);
        if (!ir_value_is_set(call.arguments[i])) {
            return (ir_value){0};
        }
    }
    lower->at.span = lower_span(expression->span);
    switch (info->lowering) {
    case BUILTIN_LOWERING_OP:
        return lower_one_op(lower, &call, info);
    case BUILTIN_LOWERING_SPECIAL:
        return lower_special(lower, &call);
    case BUILTIN_LOWERING_OPERATOR:
        break;
    }
    return (ir_value){0};
}
