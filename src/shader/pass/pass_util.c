// SPDX-License-Identifier: MIT
//
// What the passes share. See pass_priv.h.
#include "shader/pass/pass_priv.h"

#include <string.h>

bool pass_map_init(
    struct pass_map *map, struct arena *scratch, const struct ir_function *function) {
    map->count = (uint32_t)function->values.count;
    map->items = ARENA_ARRAY(scratch, uint32_t, map->count);
    return map->items != NULL;
}

ir_value pass_map_get(struct pass_map *map, ir_value value) {
    uint32_t root = value.index;
    while (root < map->count && map->items[root] != 0) {
        root = map->items[root];
    }
    for (uint32_t at = value.index; at < map->count && map->items[at] != 0;) {
        uint32_t next = map->items[at];
        map->items[at] = root;
        at = next;
    }
    return (ir_value){root};
}

void pass_map_set(struct pass_map *map, ir_value from, ir_value to) {
    uint32_t target = pass_map_get(map, to).index;
    if (from.index < map->count && from.index != target) {
        map->items[from.index] = target;
    }
}

void pass_map_apply(struct pass_map *map, struct ir_function *function) {
    for (size_t i = 1; i < function->ops.count; i++) {
        struct ir_op *op = &function->ops.items[i];
        for (uint32_t k = 0; k < op->operand_count && op->parent.index != 0; k++) {
            op->operands[k] = pass_map_get(map, op->operands[k]);
        }
    }
}

uint32_t *pass_list_regions(
    const struct ir_function *function, struct arena *scratch, uint32_t *out_count) {
    uint32_t *list = ARENA_ARRAY(scratch, uint32_t, function->regions.count);
    if (list == NULL) {
        return NULL;
    }
    uint32_t count = 1;
    list[0] = function->body.index;
    for (uint32_t at = 0; at < count; at++) {
        for (ir_op_id id = function->regions.items[list[at]].first; id.index != 0;
             id = ir_op_get(function, id)->next) {
            const struct ir_op *op = ir_op_get(function, id);
            for (uint32_t i = 0; i < op->region_count; i++) {
                list[count++] = op->regions[i].index;
            }
        }
    }
    *out_count = count;
    return list;
}

// Types nest 15 deep, but views of buffers may be limited again and again.
#define ROOT_STEP_LIMIT 256u

ir_value pass_pointer_root(const struct ir_function *function, ir_value pointer) {
    for (uint32_t step = 0; step < ROOT_STEP_LIMIT; step++) {
        const struct ir_op *op = pass_definition(function, pointer);
        if (op == NULL ||
            (op->opcode != IR_ACCESS && op->opcode != IR_BUFFER_VIEW &&
                op->opcode != IR_BUFFER_LIMIT)) {
            break;
        }
        pointer = op->operands[0];
    }
    return pointer;
}

const void *pass_constant_bytes(const struct ir_module *module, const struct ir_function *function,
    ir_value value, bool *out_is_constant) {
    const struct ir_value_info *info = ir_value_get(function, value);
    bool is_constant = info->kind == IR_VALUE_CONSTANT;
    if (out_is_constant != NULL) {
        *out_is_constant = is_constant;
    }
    return is_constant ? module->constants.items[info->definition].bytes : NULL;
}

bool pass_constant_index(const struct ir_module *module, const struct ir_function *function,
    ir_value value, uint32_t *out_bits) {
    const struct ir_value_info *info = ir_value_get(function, value);
    if (info->kind != IR_VALUE_CONSTANT ||
        (info->type.index != TYPE_I32 && info->type.index != TYPE_U32)) {
        return false;
    }
    const void *bytes = module->constants.items[info->definition].bytes;
    *out_bits = 0;
    if (bytes != NULL) {
        memcpy(out_bits, bytes, sizeof(*out_bits));
    }
    return true;
}

uint16_t pass_half_from_float(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    uint16_t sign = (uint16_t)((bits >> 16) & 0x8000u);
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x477ff000u) {
        return (uint16_t)(sign | (magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u));
    }
    if (magnitude < 0x38800000u) {
        float absolute;
        memcpy(&absolute, &magnitude, sizeof(absolute));
        absolute += 0.5f;
        memcpy(&magnitude, &absolute, sizeof(magnitude));
        return (uint16_t)(sign | (magnitude - 0x3f000000u));
    }
    return (uint16_t)(sign | ((magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13));
}

ir_value pass_number(struct ir_builder *builder, type_id type, double number) {
    if (builder->module->has_failed) {
        return (ir_value){0};
    }
    const struct type_table *types = &builder->module->types;
    unsigned char bytes[16] = {0};
    uint32_t count = type_component_count(types, type);
    enum type_kind kind = type_kind_of(types, type_element_of(types, type));
    for (uint32_t i = 0; i < count && i < 4; i++) {
        if (kind == TYPE_F16) {
            uint16_t half = pass_half_from_float((float)number);
            memcpy(bytes + 2u * i, &half, 2);
        } else if (kind == TYPE_F32) {
            float single = (float)number;
            memcpy(bytes + 4u * i, &single, 4);
        } else {
            uint32_t word = (uint32_t)(int64_t)number;
            memcpy(bytes + 4u * i, &word, 4);
        }
    }
    return ir_builder_constant_bytes(builder, type, bytes);
}

type_id pass_shape(struct ir_builder *builder, type_id type, enum type_kind element) {
    return type_with_element(&builder->module->types, type, type_scalar(element));
}

void pass_splice(struct ir_function *function, ir_region_id region, ir_op_id before) {
    ir_op_id next;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0; id = next) {
        next = ir_op_get(function, id)->next;
        ir_op_move_before(function, id, before);
    }
}

// Recursion follows nesting.
static void orphan(struct ir_function *function, ir_op_id id) {
    const struct ir_op *op = ir_op_get(function, id);
    for (uint32_t i = 0; i < op->region_count; i++) {
        for (ir_op_id inner = ir_region_get(function, op->regions[i])->first; inner.index != 0;
             inner = ir_op_get(function, inner)->next) {
            orphan(function, inner);
            ir_op_get(function, inner)->parent = (ir_region_id){0};
        }
    }
}

void pass_remove_op(struct ir_function *function, ir_op_id id) {
    orphan(function, id);
    ir_op_unlink(function, id);
}

// A `continue` inside a nested loop is that loop's. Recursion follows nesting.
static uint32_t count_continues(const struct ir_function *function, ir_region_id region) {
    uint32_t count = 0;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        count += op->opcode == IR_CONTINUE;
        for (uint32_t i = 0; i < op->region_count && op->opcode != IR_LOOP; i++) {
            count += count_continues(function, op->regions[i]);
        }
    }
    return count;
}

bool pass_is_only_continue(const struct ir_function *function, ir_region_id body) {
    ir_op_id last = ir_region_get(function, body)->last;
    return last.index != 0 && ir_op_get(function, last)->opcode == IR_CONTINUE &&
        count_continues(function, body) == 1;
}

bool pass_set_operands(
    struct ir_module *module, struct ir_op *op, const ir_value *operands, uint32_t count) {
    ir_value *copy = ARENA_ARRAY(module->arena, ir_value, (size_t)count + 1);
    if (copy == NULL) {
        module->has_failed = true;
        return false;
    }
    if (count != 0) {
        memcpy(copy, operands, count * sizeof(ir_value));
    }
    op->operands = copy;
    op->operand_count = count;
    return true;
}

bool pass_set_results(struct ir_module *module, uint32_t function_index, ir_op_id id,
    const type_id *types, uint32_t count) {
    struct ir_function *function = &module->functions.items[function_index];
    uint32_t first = (uint32_t)function->values.count;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_value_info info = {
            .kind = IR_VALUE_RESULT, .type = types[i], .definition = id.index, .position = i};
        if (!arena_vector_push(module->arena, &function->values, info)) {
            module->has_failed = true;
            return false;
        }
    }
    struct ir_op *op = ir_op_get(function, id);
    op->first_result = (ir_value){count == 0 ? 0 : first};
    op->result_count = count;
    return true;
}

// index == number, for an i32 or u32 index.
static ir_value is_index(struct ir_builder *builder, ir_value index, uint32_t number) {
    type_id type = ir_value_type(pass_function(builder), index);
    return ir_builder_binary(builder, IR_EQ_I, index, pass_number(builder, type, number));
}

ir_value pass_insert_dynamic(
    struct ir_builder *builder, ir_value vector, ir_value element, ir_value index) {
    if (builder->module->has_failed) {
        return (ir_value){0};
    }
    type_id type = ir_value_type(pass_function(builder), vector);
    uint32_t count = type_component_count(&builder->module->types, type);
    ir_value components[4] = {{0}};
    for (uint32_t i = 0; i < count && i < 4; i++) {
        ir_value old = ir_builder_extract(builder, vector, i);
        components[i] = ir_builder_select(builder, old, element, is_index(builder, index, i));
        if (builder->module->has_failed) {
            return (ir_value){0};
        }
    }
    return ir_builder_construct(builder, type, components, count);
}

ir_value pass_extract_dynamic(struct ir_builder *builder, ir_value vector, ir_value index) {
    if (builder->module->has_failed) {
        return (ir_value){0};
    }
    type_id type = ir_value_type(pass_function(builder), vector);
    uint32_t count = type_component_count(&builder->module->types, type);
    ir_value result = ir_builder_zero(builder, type_element_of(&builder->module->types, type));
    for (uint32_t i = 0; i < count; i++) {
        ir_value component = ir_builder_extract(builder, vector, i);
        result = ir_builder_select(builder, result, component, is_index(builder, index, i));
        if (builder->module->has_failed) {
            return (ir_value){0};
        }
    }
    return result;
}
