// SPDX-License-Identifier: MIT
//
// The folder's entry: dispatch by family, and the loop over components. See ir_fold.h.
#include "shader/ir/ir_fold.h"

#include <string.h>

#include "shader/ir/ir_fold_priv.h"

static uint32_t component_count(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    return type->kind == TYPE_VECTOR ? type->count : 1;
}

static enum type_kind element_kind(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    return type->kind == TYPE_VECTOR ? type_kind_of(types, type->element) : type->kind;
}

static uint32_t element_bytes(enum type_kind kind) {
    return kind == TYPE_F16 ? 2 : 4;
}

static bool fold_components(const struct ir_fold *fold) {
    const struct type_table *types = fold->types;
    enum type_kind element = element_kind(types, fold->operand_types[0]);
    enum type_kind result = element_kind(types, fold->result_type);
    uint32_t count = component_count(types, fold->result_type);
    uint32_t operand_count = fold->op->operand_count;
    const unsigned char *components[4];
    uint32_t strides[4];
    if (operand_count > 4) {
        return false;
    }
    for (uint32_t k = 0; k < operand_count; k++) {
        // Offset and count of bit fields are scalars next to vectors.
        bool is_scalar = component_count(types, fold->operand_types[k]) == 1;
        components[k] = fold->operands[k];
        strides[k] = is_scalar ? 0 : element_bytes(element_kind(types, fold->operand_types[k]));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!ir_fold_component(fold->op->opcode, element, result == TYPE_F16, components,
                fold->out + (size_t)i * element_bytes(result))) {
            return false;
        }
        for (uint32_t k = 0; k < operand_count; k++) {
            components[k] += strides[k];
        }
    }
    return true;
}

bool ir_fold_op(const struct type_table *types, const struct ir_op *op, type_id result_type,
    const type_id *operand_types, const void *const *operand_bytes, void *out_bytes) {
    struct ir_fold fold = {
        .types = types,
        .op = op,
        .result_type = result_type,
        .operand_types = operand_types,
        .operands = (const unsigned char *const *)operand_bytes,
        .out = out_bytes,
    };
    switch (ir_op_get_info(op->opcode)->family) {
    case IR_FAMILY_UNARY:
    case IR_FAMILY_BINARY:
    case IR_FAMILY_TERNARY:
    case IR_FAMILY_COMPARE:
    case IR_FAMILY_SHIFT:
    case IR_FAMILY_EXTRACT_BITS:
    case IR_FAMILY_INSERT_BITS:
    case IR_FAMILY_LDEXP:
    case IR_FAMILY_FREXP_EXP:
    case IR_FAMILY_CONVERT:
        return fold_components(&fold);
    case IR_FAMILY_BITCAST:
        memcpy(out_bytes, operand_bytes[0],
            (size_t)component_count(types, result_type) *
                element_bytes(element_kind(types, result_type)));
        return true;
    case IR_FAMILY_PACK:
    case IR_FAMILY_UNPACK:
    case IR_FAMILY_DOT_PACKED:
        return ir_fold_packing(&fold);
    case IR_FAMILY_DOT:
    case IR_FAMILY_UNARY_VECTOR:
    case IR_FAMILY_BINARY_VECTOR:
    case IR_FAMILY_TERNARY_VECTOR:
    case IR_FAMILY_LENGTH:
    case IR_FAMILY_DISTANCE:
    case IR_FAMILY_REFRACT:
    case IR_FAMILY_DETERMINANT:
    case IR_FAMILY_TRANSPOSE:
    case IR_FAMILY_MATRIX_PRODUCT:
        return ir_fold_vector(&fold);
    case IR_FAMILY_CONSTRUCT:
    case IR_FAMILY_SPLAT:
    case IR_FAMILY_EXTRACT:
    case IR_FAMILY_EXTRACT_DYNAMIC:
    case IR_FAMILY_INSERT:
    case IR_FAMILY_INSERT_DYNAMIC:
    case IR_FAMILY_SWIZZLE:
    case IR_FAMILY_SELECT:
    case IR_FAMILY_REDUCE_BOOL:
        return ir_fold_composite(&fold);
    case IR_FAMILY_VAR:
    case IR_FAMILY_VARIABLE:
    case IR_FAMILY_ACCESS:
    case IR_FAMILY_LOAD:
    case IR_FAMILY_STORE:
    case IR_FAMILY_COPY_MEMORY:
    case IR_FAMILY_ARRAY_LENGTH:
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_STORE:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
    case IR_FAMILY_BARRIER:
    case IR_FAMILY_LOAD_INPUT:
    case IR_FAMILY_STORE_OUTPUT:
    case IR_FAMILY_OVERRIDE:
    case IR_FAMILY_DISCARD:
    case IR_FAMILY_CALL:
    case IR_FAMILY_CONTROL:
    case IR_FAMILY_TERMINATOR:
    case IR_FAMILY_TEXTURE_QUERY:
    case IR_FAMILY_TEXTURE_LOAD:
    case IR_FAMILY_TEXTURE_STORE:
    case IR_FAMILY_TEXTURE_SAMPLE:
    case IR_FAMILY_DERIVATIVE:
    case IR_FAMILY_SUBGROUP_REDUCE:
    case IR_FAMILY_SUBGROUP_VOTE:
    case IR_FAMILY_SUBGROUP_ELECT:
    case IR_FAMILY_SUBGROUP_SHUFFLE:
    case IR_FAMILY_BUFFER_VIEW:
    case IR_FAMILY_BUFFER_LIMIT:
    case IR_FAMILY_BUFFER_LENGTH:
        return false;
    }
    return false;
}
