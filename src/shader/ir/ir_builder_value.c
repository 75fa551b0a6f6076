// SPDX-License-Identifier: MIT
//
// The builder's short forms for operations that compute values: the result type follows from the
// family and the operand types. See ir_builder.h.
#include "shader/ir/ir_builder_priv.h"

#include <string.h>

static const union ir_op_data no_data;

static type_id scalar_or_vector(struct type_table *types, type_id element, uint32_t count) {
    return count == 1 ? element : type_vector(types, element, count);
}

static type_id pack_result(struct type_table *types, enum ir_opcode opcode) {
    switch (opcode) {
    case IR_UNPACK_4X8_SNORM:
    case IR_UNPACK_4X8_UNORM:
        return type_vector(types, type_scalar(TYPE_F32), 4);
    case IR_UNPACK_2X16_SNORM:
    case IR_UNPACK_2X16_UNORM:
    case IR_UNPACK_2X16_FLOAT:
        return type_vector(types, type_scalar(TYPE_F32), 2);
    case IR_UNPACK_4X_I8:
        return type_vector(types, type_scalar(TYPE_I32), 4);
    case IR_UNPACK_4X_U8:
        return type_vector(types, type_scalar(TYPE_U32), 4);
    default:
        return (type_id){0};
    }
}

static type_id matrix_product_result(
    struct type_table *types, enum ir_opcode opcode, type_id a, type_id b) {
    struct type left = *type_get(types, a);
    struct type right = *type_get(types, b);
    if (opcode == IR_MATRIX_TIMES_MATRIX) {
        return type_matrix(types, left.element, right.count, left.rows);
    }
    if (opcode == IR_MATRIX_TIMES_VECTOR) {
        return type_vector(types, left.element, left.rows);
    }
    return type_vector(types, right.element, right.count);
}

// The element that a dynamic or constant index selects.
static type_id composite_element(
    const struct type_table *types, type_id composite, uint32_t index) {
    return type_element_at(types, composite, index);
}

// What a load through the pointer gives: the store type, or that inside an atomic.
static type_id loaded_type(const struct type_table *types, type_id pointer) {
    if (type_kind_of(types, pointer) != TYPE_POINTER) {
        return (type_id){0};
    }
    type_id store = type_get(types, pointer)->element;
    return type_kind_of(types, store) == TYPE_ATOMIC ? type_get(types, store)->element : store;
}

// The result type of an operation whose family determines it, none otherwise.
static type_id result_type(struct type_table *types, enum ir_opcode opcode, type_id a, type_id b) {
    switch (ir_op_get_info(opcode)->family) {
    case IR_FAMILY_UNARY:
    case IR_FAMILY_BINARY:
    case IR_FAMILY_TERNARY:
    case IR_FAMILY_SHIFT:
    case IR_FAMILY_EXTRACT_BITS:
    case IR_FAMILY_INSERT_BITS:
    case IR_FAMILY_LDEXP:
    case IR_FAMILY_UNARY_VECTOR:
    case IR_FAMILY_BINARY_VECTOR:
    case IR_FAMILY_TERNARY_VECTOR:
    case IR_FAMILY_REFRACT:
    case IR_FAMILY_INSERT:
    case IR_FAMILY_INSERT_DYNAMIC:
    case IR_FAMILY_SELECT:
        return a;
    case IR_FAMILY_COMPARE:
        return type_with_element(types, a, type_scalar(TYPE_BOOL));
    case IR_FAMILY_FREXP_EXP:
        return type_with_element(types, a, type_scalar(TYPE_I32));
    case IR_FAMILY_PACK:
    case IR_FAMILY_ARRAY_LENGTH:
        return type_scalar(TYPE_U32);
    case IR_FAMILY_UNPACK:
        return pack_result(types, opcode);
    case IR_FAMILY_DOT_PACKED:
        return type_scalar(opcode == IR_DOT_4_I8_PACKED ? TYPE_I32 : TYPE_U32);
    case IR_FAMILY_DOT:
    case IR_FAMILY_LENGTH:
    case IR_FAMILY_DISTANCE:
    case IR_FAMILY_DETERMINANT:
        return type_element_of(types, a);
    case IR_FAMILY_TRANSPOSE: {
        struct type matrix = *type_get(types, a);
        return type_matrix(types, matrix.element, matrix.rows, matrix.count);
    }
    case IR_FAMILY_MATRIX_PRODUCT:
        return matrix_product_result(types, opcode, a, b);
    case IR_FAMILY_EXTRACT_DYNAMIC:
        return composite_element(types, a, 0);
    case IR_FAMILY_REDUCE_BOOL:
        return type_scalar(TYPE_BOOL);
    case IR_FAMILY_LOAD:
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_RMW:
        return loaded_type(types, a);
    default:
        return (type_id){0};
    }
}

static ir_value build_inferred(
    struct ir_builder *builder, enum ir_opcode opcode, const ir_value *operands, uint32_t count) {
    type_id a = ir_builder_type(builder, operands[0]);
    type_id b = count > 1 ? ir_builder_type(builder, operands[1]) : (type_id){0};
    if (a.index == 0 || (count > 1 && b.index == 0)) {
        builder->module->has_failed = true;
        return (ir_value){0};
    }
    type_id type = result_type(&builder->module->types, opcode, a, b);
    return ir_builder_op(builder, opcode, operands, count, &type, 1, no_data);
}

ir_value ir_builder_unary(struct ir_builder *builder, enum ir_opcode opcode, ir_value a) {
    return build_inferred(builder, opcode, &a, 1);
}

ir_value ir_builder_binary(
    struct ir_builder *builder, enum ir_opcode opcode, ir_value a, ir_value b) {
    return build_inferred(builder, opcode, (ir_value[]){a, b}, 2);
}

ir_value ir_builder_ternary(
    struct ir_builder *builder, enum ir_opcode opcode, ir_value a, ir_value b, ir_value c) {
    return build_inferred(builder, opcode, (ir_value[]){a, b, c}, 3);
}

ir_value ir_builder_convert(
    struct ir_builder *builder, enum ir_opcode opcode, type_id to, ir_value a) {
    return ir_builder_op(builder, opcode, &a, 1, &to, 1, no_data);
}

ir_value ir_builder_construct(
    struct ir_builder *builder, type_id type, const ir_value *elements, uint32_t element_count) {
    return ir_builder_op(builder, IR_CONSTRUCT, elements, element_count, &type, 1, no_data);
}

ir_value ir_builder_splat(struct ir_builder *builder, type_id vector, ir_value scalar) {
    return ir_builder_op(builder, IR_SPLAT, &scalar, 1, &vector, 1, no_data);
}

ir_value ir_builder_extract(struct ir_builder *builder, ir_value composite, uint32_t index) {
    type_id type = ir_builder_type(builder, composite);
    if (type.index == 0) {
        builder->module->has_failed = true;
        return (ir_value){0};
    }
    type_id element = composite_element(&builder->module->types, type, index);
    return ir_builder_op(
        builder, IR_EXTRACT, &composite, 1, &element, 1, (union ir_op_data){.index = index});
}

ir_value ir_builder_insert(
    struct ir_builder *builder, ir_value composite, uint32_t index, ir_value element) {
    type_id type = ir_builder_type(builder, composite);
    return ir_builder_op(builder, IR_INSERT, (ir_value[]){composite, element}, 2, &type, 1,
        (union ir_op_data){.index = index});
}

ir_value ir_builder_swizzle(struct ir_builder *builder, ir_value vector, const uint8_t *components,
    uint32_t component_count) {
    type_id type = ir_builder_type(builder, vector);
    if (type.index == 0 || component_count == 0 || component_count > 4) {
        builder->module->has_failed = true;
        return (ir_value){0};
    }
    struct type_table *types = &builder->module->types;
    type_id result = scalar_or_vector(types, type_element_of(types, type), component_count);
    union ir_op_data data = {.swizzle = {0}};
    memcpy(data.swizzle, components, component_count);
    return ir_builder_op(builder, IR_SWIZZLE, &vector, 1, &result, 1, data);
}

ir_value ir_builder_select(
    struct ir_builder *builder, ir_value if_false, ir_value if_true, ir_value condition) {
    return build_inferred(builder, IR_SELECT, (ir_value[]){if_false, if_true, condition}, 3);
}
