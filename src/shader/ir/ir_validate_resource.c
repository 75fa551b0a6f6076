// SPDX-License-Identifier: MIT
//
// Types of the operations on textures, subgroups and buffer views. See ir.h.
#include "shader/ir/ir_validate_priv.h"

#define WRONG_OPERAND "an operand has a type that the operation does not admit"
#define WRONG_RESULT "the result type does not follow from the operands"
#define WRONG_COUNT "wrong number of operands or results"

static bool is_shape(struct ir_shape shape, enum type_kind element, uint32_t count) {
    return shape.element == element && shape.count == count;
}

static struct ir_shape operand_shape(const struct ir_type_check *check, uint32_t number) {
    return ir_shape_of(&check->module->types, ir_operand_type(check, number));
}

static struct ir_shape result_shape(const struct ir_type_check *check) {
    return ir_shape_of(&check->module->types, ir_result_type(check, 0));
}

static bool is_integer(const struct ir_type_check *check, uint32_t number) {
    struct ir_shape shape = operand_shape(check, number);
    return is_shape(shape, TYPE_I32, 1) || is_shape(shape, TYPE_U32, 1);
}

// ---- Textures ----------------------------------------------------------------------------------

// The texture, the first operand; NULL if it is none.
static const struct type *texture_of(const struct ir_type_check *check) {
    if (check->op->operand_count == 0) {
        return NULL;
    }
    const struct type *type = type_get(&check->module->types, ir_operand_type(check, 0));
    return type->kind >= TYPE_TEXTURE && type->kind <= TYPE_TEXTURE_EXTERNAL ? type : NULL;
}

static uint32_t coordinate_count(const struct type *texture) {
    if (texture->kind == TYPE_TEXTURE_EXTERNAL || texture->kind == TYPE_TEXTURE_MULTISAMPLED ||
        texture->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED) {
        return 2;
    }
    switch (texture->dimension) {
    case TEXTURE_DIMENSION_1D:
        return 1;
    case TEXTURE_DIMENSION_2D:
    case TEXTURE_DIMENSION_2D_ARRAY:
        return 2;
    case TEXTURE_DIMENSION_3D:
    case TEXTURE_DIMENSION_CUBE:
    case TEXTURE_DIMENSION_CUBE_ARRAY:
        break;
    }
    return 3;
}

static bool is_arrayed(const struct type *texture) {
    return texture->dimension == TEXTURE_DIMENSION_2D_ARRAY ||
        texture->dimension == TEXTURE_DIMENSION_CUBE_ARRAY;
}

static bool is_depth(const struct type *texture) {
    return texture->kind == TYPE_TEXTURE_DEPTH || texture->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
}

static bool is_multisampled(const struct type *texture) {
    return texture->kind == TYPE_TEXTURE_MULTISAMPLED ||
        texture->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
}

static const char *check_query(const struct ir_type_check *check) {
    const struct type *texture = texture_of(check);
    const struct ir_op *op = check->op;
    if (texture == NULL || op->result_count != 1) {
        return texture == NULL ? WRONG_OPERAND : WRONG_COUNT;
    }
    if (op->opcode != IR_TEXTURE_DIMENSIONS) {
        return op->operand_count != 1                    ? WRONG_COUNT
            : is_shape(result_shape(check), TYPE_U32, 1) ? NULL
                                                         : WRONG_RESULT;
    }
    if (op->operand_count > 2) {
        return WRONG_COUNT;
    }
    if (op->operand_count == 2 && !is_integer(check, 1)) {
        return WRONG_OPERAND;
    }
    uint32_t count = coordinate_count(texture);
    bool is_cube = texture->dimension == TEXTURE_DIMENSION_CUBE ||
        texture->dimension == TEXTURE_DIMENSION_CUBE_ARRAY;
    return is_shape(result_shape(check), TYPE_U32, is_cube ? 2 : count) ? NULL : WRONG_RESULT;
}

// Coordinates and the array index from operand `first` on; *out_next is the operand after them.
static bool has_coordinates(const struct ir_type_check *check, const struct type *texture,
    uint32_t first, bool is_float, uint32_t *out_next) {
    uint32_t count = is_arrayed(texture) ? 2 : 1;
    if (check->op->operand_count < first + count) {
        return false;
    }
    struct ir_shape shape = operand_shape(check, first);
    bool ok = is_float ? shape.element == TYPE_F32
                       : shape.element == TYPE_I32 || shape.element == TYPE_U32;
    *out_next = first + count;
    return ok && shape.count == coordinate_count(texture) &&
        (count == 1 || is_integer(check, first + 1));
}

static bool is_texel(const struct ir_type_check *check, const struct type *texture, type_id type) {
    struct ir_shape shape = ir_shape_of(&check->module->types, type);
    return is_shape(shape, type_texture_channel(&check->module->types, ir_operand_type(check, 0)),
        is_depth(texture) ? 1 : 4);
}

static const char *check_texture_load(const struct ir_type_check *check) {
    const struct type *texture = texture_of(check);
    uint32_t next = 0;
    if (texture == NULL || !has_coordinates(check, texture, 1, false, &next)) {
        return WRONG_OPERAND;
    }
    bool has_level = texture->kind != TYPE_TEXTURE_STORAGE &&
        texture->kind != TYPE_TEXTURE_EXTERNAL;
    if (check->op->operand_count != next + (has_level ? 1 : 0) || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    if ((has_level && !is_integer(check, next)) ||
        (texture->kind == TYPE_TEXTURE_STORAGE && texture->access == ACCESS_WRITE)) {
        return WRONG_OPERAND;
    }
    return is_texel(check, texture, ir_result_type(check, 0)) ? NULL : WRONG_RESULT;
}

static const char *check_texture_store(const struct ir_type_check *check) {
    const struct type *texture = texture_of(check);
    uint32_t next = 0;
    if (texture == NULL || texture->kind != TYPE_TEXTURE_STORAGE ||
        texture->access == ACCESS_READ || !has_coordinates(check, texture, 1, false, &next)) {
        return WRONG_OPERAND;
    }
    if (check->op->operand_count != next + 1 || check->op->result_count != 0) {
        return WRONG_COUNT;
    }
    return is_texel(check, texture, ir_operand_type(check, next)) ? NULL : WRONG_OPERAND;
}

// What follows the coordinates: how many operands.
static uint32_t extra_count(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_TEXTURE_SAMPLE_GRAD:
        return 2;
    case IR_TEXTURE_SAMPLE:
    case IR_TEXTURE_SAMPLE_BASE_CLAMP_TO_EDGE:
    case IR_TEXTURE_GATHER:
        return 0;
    default:
        return 1;
    }
}

static bool is_extra(
    const struct ir_type_check *check, const struct type *texture, uint32_t number) {
    struct ir_shape shape = operand_shape(check, number);
    if (check->op->opcode == IR_TEXTURE_SAMPLE_GRAD) {
        return is_shape(shape, TYPE_F32, coordinate_count(texture));
    }
    if (check->op->opcode == IR_TEXTURE_SAMPLE_LEVEL && is_depth(texture)) {
        return is_integer(check, number);
    }
    return is_shape(shape, TYPE_F32, 1);
}

static const char *check_sample(const struct ir_type_check *check) {
    const struct type *texture = texture_of(check);
    enum ir_opcode opcode = check->op->opcode;
    bool is_compare = opcode == IR_TEXTURE_SAMPLE_COMPARE ||
        opcode == IR_TEXTURE_SAMPLE_COMPARE_LEVEL || opcode == IR_TEXTURE_GATHER_COMPARE;
    bool is_gather = opcode == IR_TEXTURE_GATHER || opcode == IR_TEXTURE_GATHER_COMPARE;
    uint32_t next = 0;
    if (texture == NULL || texture->kind == TYPE_TEXTURE_STORAGE || is_multisampled(texture) ||
        (is_compare && !is_depth(texture)) || check->op->operand_count < 2 ||
        !has_coordinates(check, texture, 2, true, &next)) {
        return WRONG_OPERAND;
    }
    enum type_kind sampler = is_compare ? TYPE_SAMPLER_COMPARISON : TYPE_SAMPLER;
    if (type_kind_of(&check->module->types, ir_operand_type(check, 1)) != sampler) {
        return WRONG_OPERAND;
    }
    if (check->op->operand_count != next + extra_count(opcode) || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    for (uint32_t i = next; i < check->op->operand_count; i++) {
        if (!is_extra(check, texture, i)) {
            return WRONG_OPERAND;
        }
    }
    uint32_t count = is_gather || !is_depth(texture) ? 4 : 1;
    return is_shape(result_shape(check),
               type_texture_channel(&check->module->types, ir_operand_type(check, 0)), count)
        ? NULL
        : WRONG_RESULT;
}

// ---- Subgroups ---------------------------------------------------------------------------------

static const char *check_vote(const struct ir_type_check *check) {
    if (check->op->operand_count != 1 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    if (!is_shape(operand_shape(check, 0), TYPE_BOOL, 1)) {
        return WRONG_OPERAND;
    }
    bool is_ballot = check->op->opcode == IR_SUBGROUP_BALLOT;
    return is_shape(result_shape(check), is_ballot ? TYPE_U32 : TYPE_BOOL, is_ballot ? 4 : 1)
        ? NULL
        : WRONG_RESULT;
}

static const char *check_shuffle(const struct ir_type_check *check) {
    if (check->op->operand_count != 2 || check->op->result_count != 1) {
        return WRONG_COUNT;
    }
    struct ir_shape value = operand_shape(check, 0);
    if (value.count == 0 || value.element == TYPE_BOOL || !is_integer(check, 1)) {
        return WRONG_OPERAND;
    }
    return type_equals(ir_result_type(check, 0), ir_operand_type(check, 0)) ? NULL : WRONG_RESULT;
}

// ---- Buffer views ------------------------------------------------------------------------------

static const struct type *buffer_pointer(const struct ir_type_check *check, type_id id) {
    const struct type *pointer = type_get(&check->module->types, id);
    bool ok = pointer->kind == TYPE_POINTER &&
        type_kind_of(&check->module->types, pointer->element) == TYPE_BUFFER;
    return ok ? pointer : NULL;
}

static const char *check_buffer(const struct ir_type_check *check) {
    const struct ir_op *op = check->op;
    bool is_view = op->opcode == IR_BUFFER_VIEW;
    if (op->result_count != 1 || op->operand_count < (is_view ? 2u : 1u) ||
        op->operand_count > (is_view ? 3u : 1u)) {
        return WRONG_COUNT;
    }
    const struct type_table *types = &check->module->types;
    const struct type *pointer = buffer_pointer(check, ir_operand_type(check, 0));
    if (pointer == NULL) {
        return WRONG_OPERAND;
    }
    for (uint32_t i = 1; i < op->operand_count; i++) {
        if (!is_shape(operand_shape(check, i), TYPE_U32, 1)) {
            return WRONG_OPERAND;
        }
    }
    if (op->opcode == IR_BUFFER_LENGTH) {
        return is_shape(result_shape(check), TYPE_U32, 1) ? NULL : WRONG_RESULT;
    }
    const struct type *result = type_get(types, ir_result_type(check, 0));
    bool ok = result->kind == TYPE_POINTER && result->space == pointer->space &&
        result->access == pointer->access &&
        (type_kind_of(types, result->element) == TYPE_BUFFER) == !is_view;
    return ok ? NULL : WRONG_RESULT;
}

const char *ir_validate_resource_types(const struct ir_type_check *check) {
    switch (ir_op_get_info(check->op->opcode)->family) {
    case IR_FAMILY_TEXTURE_QUERY:
        return check_query(check);
    case IR_FAMILY_TEXTURE_LOAD:
        return check_texture_load(check);
    case IR_FAMILY_TEXTURE_STORE:
        return check_texture_store(check);
    case IR_FAMILY_TEXTURE_SAMPLE:
        return check_sample(check);
    case IR_FAMILY_SUBGROUP_VOTE:
        return check_vote(check);
    case IR_FAMILY_SUBGROUP_ELECT:
        return check->op->operand_count != 0 || check->op->result_count != 1 ? WRONG_COUNT
            : is_shape(result_shape(check), TYPE_BOOL, 1)                    ? NULL
                                                                             : WRONG_RESULT;
    case IR_FAMILY_SUBGROUP_SHUFFLE:
        return check_shuffle(check);
    default: // buffer views
        return check_buffer(check);
    }
}
