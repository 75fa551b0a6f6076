// SPDX-License-Identifier: MIT
//
// Types by family: component-wise operations, conversions, packing, vectors and matrices. See ir.h.
#include "shader/ir/ir_validate_priv.h"

#include <string.h>

#define WRONG_OPERAND "an operand has a type that the operation does not admit"
#define WRONG_RESULT "the result type does not follow from the operands"
#define WRONG_COUNT "wrong number of operands or results"

struct ir_shape ir_shape_of(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_F16:
    case TYPE_F32:
        return (struct ir_shape){type->kind, 1};
    case TYPE_VECTOR:
        return (struct ir_shape){type_kind_of(types, type->element), type->count};
    default:
        return (struct ir_shape){TYPE_NONE, 0};
    }
}

bool ir_elements_admit(const char *letters, enum type_kind element) {
    const char *admitted = "";
    switch (element) {
    case TYPE_BOOL:
        admitted = "BA";
        break;
    case TYPE_I32:
        admitted = "ISNA";
        break;
    case TYPE_U32:
        admitted = "IUNA";
        break;
    case TYPE_F16:
    case TYPE_F32:
        admitted = "FNA";
        break;
    default:
        break;
    }
    return strpbrk(letters, admitted) != NULL && admitted[0] != '\0';
}

static bool is_shape(struct ir_shape shape, enum type_kind element, uint32_t count) {
    return shape.element == element && shape.count == count;
}

// All operands have the first one's type, or, where `scalar` names a kind, the rest are that scalar.
static const char *check_component_wise(const struct ir_type_check *check, uint32_t same_count,
    uint32_t rest_count, enum type_kind rest_kind, bool rest_is_scalar) {
    const struct ir_op *op = check->op;
    if (op->operand_count != same_count + rest_count || op->result_count != 1) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    struct ir_shape shape = ir_shape_of(types, ir_operand_type(check, 0));
    if (shape.count == 0 ||
        !ir_elements_admit(ir_op_get_info(op->opcode)->elements, shape.element)) {
        return WRONG_OPERAND;
    }
    for (uint32_t i = 1; i < same_count; i++) {
        if (!type_equals(ir_operand_type(check, i), ir_operand_type(check, 0))) {
            return WRONG_OPERAND;
        }
    }
    for (uint32_t i = same_count; i < op->operand_count; i++) {
        struct ir_shape other = ir_shape_of(types, ir_operand_type(check, i));
        if (!is_shape(other, rest_kind, rest_is_scalar ? 1 : shape.count)) {
            return WRONG_OPERAND;
        }
    }
    return NULL;
}

static const char *check_same_result(const struct ir_type_check *check, const char *reason) {
    if (reason != NULL) {
        return reason;
    }
    return type_equals(ir_result_type(check, 0), ir_operand_type(check, 0)) ? NULL : WRONG_RESULT;
}

static const char *check_result_element(
    const struct ir_type_check *check, const char *reason, enum type_kind element) {
    if (reason != NULL) {
        return reason;
    }
    const struct type_table *types = &check->module->types;
    struct ir_shape operand = ir_shape_of(types, ir_operand_type(check, 0));
    struct ir_shape result = ir_shape_of(types, ir_result_type(check, 0));
    return is_shape(result, element, operand.count) ? NULL : WRONG_RESULT;
}

static const char *check_convert(const struct ir_type_check *check) {
    const char *reason = check_component_wise(check, 1, 0, TYPE_NONE, false);
    if (reason != NULL) {
        return reason;
    }
    struct ir_shape result = ir_shape_of(&check->module->types, ir_result_type(check, 0));
    bool ok = false;
    switch (check->op->opcode) {
    case IR_F_TO_S:
        ok = result.element == TYPE_I32;
        break;
    case IR_F_TO_U:
        ok = result.element == TYPE_U32;
        break;
    default:
        ok = result.element == TYPE_F32 || result.element == TYPE_F16;
        break;
    }
    return ok ? check_result_element(check, NULL, result.element) : WRONG_RESULT;
}

static const char *check_bitcast(const struct ir_type_check *check) {
    if (check->op->operand_count != 1 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    struct ir_shape from = ir_shape_of(types, ir_operand_type(check, 0));
    struct ir_shape to = ir_shape_of(types, ir_result_type(check, 0));
    uint32_t from_bytes = from.count * (from.element == TYPE_F16 ? 2 : 4);
    uint32_t to_bytes = to.count * (to.element == TYPE_F16 ? 2 : 4);
    if (from.count == 0 || from.element == TYPE_BOOL) {
        return WRONG_OPERAND;
    }
    return to.element != TYPE_BOOL && from_bytes == to_bytes ? NULL : WRONG_RESULT;
}

// Each packing operation's vector: element and component count.
static struct ir_shape packed_shape(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_PACK_4X8_SNORM:
    case IR_PACK_4X8_UNORM:
    case IR_UNPACK_4X8_SNORM:
    case IR_UNPACK_4X8_UNORM:
        return (struct ir_shape){TYPE_F32, 4};
    case IR_PACK_4X_I8:
    case IR_PACK_4X_I8_CLAMP:
    case IR_UNPACK_4X_I8:
        return (struct ir_shape){TYPE_I32, 4};
    case IR_PACK_4X_U8:
    case IR_PACK_4X_U8_CLAMP:
    case IR_UNPACK_4X_U8:
        return (struct ir_shape){TYPE_U32, 4};
    default:
        return (struct ir_shape){TYPE_F32, 2};
    }
}

static const char *check_packing(const struct ir_type_check *check, bool is_pack) {
    if (check->op->operand_count != 1 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    struct ir_shape vector = packed_shape(check->op->opcode);
    struct ir_shape from = ir_shape_of(types, ir_operand_type(check, 0));
    struct ir_shape to = ir_shape_of(types, ir_result_type(check, 0));
    if (is_pack) {
        return !is_shape(from, vector.element, vector.count) ? WRONG_OPERAND
            : is_shape(to, TYPE_U32, 1)                      ? NULL
                                                             : WRONG_RESULT;
    }
    return !is_shape(from, TYPE_U32, 1)              ? WRONG_OPERAND
        : is_shape(to, vector.element, vector.count) ? NULL
                                                     : WRONG_RESULT;
}

static const char *check_dot_packed(const struct ir_type_check *check) {
    if (check->op->operand_count != 2 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    if (ir_operand_type(check, 0).index != TYPE_U32 ||
        ir_operand_type(check, 1).index != TYPE_U32) {
        return WRONG_OPERAND;
    }
    uint32_t wanted = check->op->opcode == IR_DOT_4_I8_PACKED ? TYPE_I32 : TYPE_U32;
    return ir_result_type(check, 0).index == wanted ? NULL : WRONG_RESULT;
}

// Operations on whole vectors: `same_count` operands of one type, a scalar of its element after them
// for refract; the result is that type or its element.
static const char *check_vector(const struct ir_type_check *check, uint32_t same_count,
    bool has_scalar, bool scalar_allowed, bool result_is_element) {
    const struct type_table *types = &check->module->types;
    type_id type = check->op->operand_count != 0 ? ir_operand_type(check, 0) : (type_id){0};
    struct ir_shape shape = ir_shape_of(types, type);
    const char *reason = check_component_wise(
        check, same_count, has_scalar ? 1 : 0, shape.element, true);
    if (reason != NULL) {
        return reason;
    }
    if (shape.count == 1 && !scalar_allowed) {
        return WRONG_OPERAND;
    }
    if (check->op->opcode == IR_CROSS && shape.count != 3) {
        return WRONG_OPERAND;
    }
    struct ir_shape result = ir_shape_of(types, ir_result_type(check, 0));
    return is_shape(result, shape.element, result_is_element ? 1 : shape.count) ? NULL
                                                                                : WRONG_RESULT;
}

static const struct type *matrix_of(const struct ir_type_check *check, type_id id) {
    const struct type *type = type_get(&check->module->types, id);
    return type->kind == TYPE_MATRIX ? type : NULL;
}

static const char *check_one_matrix(const struct ir_type_check *check) {
    if (check->op->operand_count != 1 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    const struct type *matrix = matrix_of(check, ir_operand_type(check, 0));
    if (matrix == NULL) {
        return WRONG_OPERAND;
    }
    if (check->op->opcode == IR_DETERMINANT) {
        if (matrix->count != matrix->rows) {
            return WRONG_OPERAND;
        }
        return type_equals(ir_result_type(check, 0), matrix->element) ? NULL : WRONG_RESULT;
    }
    const struct type *result = matrix_of(check, ir_result_type(check, 0));
    bool ok = result != NULL && result->count == matrix->rows && result->rows == matrix->count &&
        type_equals(result->element, matrix->element);
    return ok ? NULL : WRONG_RESULT;
}

static const char *check_matrix_product(const struct ir_type_check *check) {
    if (check->op->operand_count != 2 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    const struct type *a = type_get(types, ir_operand_type(check, 0));
    const struct type *b = type_get(types, ir_operand_type(check, 1));
    const struct type *result = type_get(types, ir_result_type(check, 0));
    if (!type_equals(a->element, b->element)) {
        return WRONG_OPERAND;
    }
    bool same_element = type_equals(a->element, result->element);
    if (check->op->opcode == IR_MATRIX_TIMES_MATRIX) {
        if (a->kind != TYPE_MATRIX || b->kind != TYPE_MATRIX || a->count != b->rows) {
            return WRONG_OPERAND;
        }
        return same_element && result->kind == TYPE_MATRIX && result->count == b->count &&
                result->rows == a->rows
            ? NULL
            : WRONG_RESULT;
    }
    const struct type *matrix = check->op->opcode == IR_MATRIX_TIMES_VECTOR ? a : b;
    const struct type *vector = matrix == a ? b : a;
    uint32_t inner = matrix == a ? matrix->count : matrix->rows;
    uint32_t outer = matrix == a ? matrix->rows : matrix->count;
    if (matrix->kind != TYPE_MATRIX || vector->kind != TYPE_VECTOR || vector->count != inner) {
        return WRONG_OPERAND;
    }
    return same_element && result->kind == TYPE_VECTOR && result->count == outer ? NULL
                                                                                 : WRONG_RESULT;
}

const char *ir_validate_op_types(const struct ir_type_check *check) {
    switch (ir_op_get_info(check->op->opcode)->family) {
    case IR_FAMILY_UNARY:
        return check_same_result(check, check_component_wise(check, 1, 0, TYPE_NONE, false));
    case IR_FAMILY_BINARY:
        return check_same_result(check, check_component_wise(check, 2, 0, TYPE_NONE, false));
    case IR_FAMILY_TERNARY:
        return check_same_result(check, check_component_wise(check, 3, 0, TYPE_NONE, false));
    case IR_FAMILY_COMPARE:
        return check_result_element(
            check, check_component_wise(check, 2, 0, TYPE_NONE, false), TYPE_BOOL);
    case IR_FAMILY_SHIFT:
        return check_same_result(check, check_component_wise(check, 1, 1, TYPE_U32, false));
    case IR_FAMILY_EXTRACT_BITS:
        return check_same_result(check, check_component_wise(check, 1, 2, TYPE_U32, true));
    case IR_FAMILY_INSERT_BITS:
        return check_same_result(check, check_component_wise(check, 2, 2, TYPE_U32, true));
    case IR_FAMILY_LDEXP:
        return check_same_result(check, check_component_wise(check, 1, 1, TYPE_I32, false));
    case IR_FAMILY_FREXP_EXP:
        return check_result_element(
            check, check_component_wise(check, 1, 0, TYPE_NONE, false), TYPE_I32);
    case IR_FAMILY_CONVERT:
        return check_convert(check);
    case IR_FAMILY_BITCAST:
        return check_bitcast(check);
    case IR_FAMILY_PACK:
        return check_packing(check, true);
    case IR_FAMILY_UNPACK:
        return check_packing(check, false);
    case IR_FAMILY_DOT_PACKED:
        return check_dot_packed(check);
    case IR_FAMILY_DOT:
        return check_vector(check, 2, false, false, true);
    case IR_FAMILY_UNARY_VECTOR:
        return check_vector(check, 1, false, false, false);
    case IR_FAMILY_BINARY_VECTOR:
        return check_vector(check, 2, false, false, false);
    case IR_FAMILY_TERNARY_VECTOR:
        return check_vector(check, 3, false, false, false);
    case IR_FAMILY_LENGTH:
        return check_vector(check, 1, false, true, true);
    case IR_FAMILY_DISTANCE:
        return check_vector(check, 2, false, true, true);
    case IR_FAMILY_REFRACT:
        return check_vector(check, 2, true, false, false);
    case IR_FAMILY_DETERMINANT:
    case IR_FAMILY_TRANSPOSE:
        return check_one_matrix(check);
    case IR_FAMILY_MATRIX_PRODUCT:
        return check_matrix_product(check);
    case IR_FAMILY_CONSTRUCT:
    case IR_FAMILY_SPLAT:
    case IR_FAMILY_EXTRACT:
    case IR_FAMILY_EXTRACT_DYNAMIC:
    case IR_FAMILY_INSERT:
    case IR_FAMILY_INSERT_DYNAMIC:
    case IR_FAMILY_SWIZZLE:
    case IR_FAMILY_SELECT:
    case IR_FAMILY_REDUCE_BOOL:
        return ir_validate_composite_types(check);
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
        return ir_validate_memory_types(check);
    case IR_FAMILY_DERIVATIVE:
    case IR_FAMILY_SUBGROUP_REDUCE:
        return check_same_result(check, check_component_wise(check, 1, 0, TYPE_NONE, false));
    case IR_FAMILY_TEXTURE_QUERY:
    case IR_FAMILY_TEXTURE_LOAD:
    case IR_FAMILY_TEXTURE_STORE:
    case IR_FAMILY_TEXTURE_SAMPLE:
    case IR_FAMILY_SUBGROUP_VOTE:
    case IR_FAMILY_SUBGROUP_ELECT:
    case IR_FAMILY_SUBGROUP_SHUFFLE:
    case IR_FAMILY_BUFFER_VIEW:
    case IR_FAMILY_BUFFER_LIMIT:
    case IR_FAMILY_BUFFER_LENGTH:
        return ir_validate_resource_types(check);
    case IR_FAMILY_CONTROL:
    case IR_FAMILY_TERMINATOR:
        return NULL; // ir_validate_control.c
    }
    return "unknown operation";
}
