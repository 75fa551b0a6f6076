// SPDX-License-Identifier: MIT
//
// Vectors to scalars: what is uniform, constant or unused is known for each component. Vectors
// remain where memory, calls and the stage interface move them. This file does control flow; see
// pass.h.
#include "base/vector.h"
#include "shader/pass/scalarise_priv.h"

static type_id type_of(const struct scalariser *s, ir_value value) {
    return ir_value_type(scalarise_function(s), value);
}

// The components of a list of operands, vectors spread out; scalars are themselves. NULL: out of
// memory.
static ir_value *spread(struct scalariser *s, struct ir_builder *b, const ir_value *values,
    uint32_t count, uint32_t *out_count) {
    ir_value *list = ARENA_ARRAY(s->module->arena, ir_value, (size_t)count * 4 + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        if (!scalarise_is_vector(s, type_of(s, values[i]))) {
            list[at++] = values[i];
            continue;
        }
        uint32_t components = scalarise_count(s, values[i]);
        const ir_value *from = scalarise_components(s, b, values[i]);
        if (from == NULL) {
            return NULL;
        }
        for (uint32_t k = 0; k < components; k++) {
            list[at++] = from[k];
        }
    }
    *out_count = at;
    return list;
}

static bool has_vector(const struct scalariser *s, const ir_value *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (scalarise_is_vector(s, type_of(s, values[i]))) {
            return true;
        }
    }
    return false;
}

static bool spread_operands(struct scalariser *s, ir_op_id id) {
    struct ir_op op = *ir_op_get(scalarise_function(s), id);
    if (!has_vector(s, op.operands, op.operand_count)) {
        return true;
    }
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    uint32_t count = 0;
    uint32_t body = 0;
    ir_value *list = spread(s, &b, op.operands, op.operand_count, &count);
    TRY(list != NULL);
    struct ir_op *changed = ir_op_get(scalarise_function(s), id);
    if (op.opcode == IR_BREAK_IF) {
        for (uint32_t i = 0; i < op.data.break_if.body_argument_count; i++) {
            bool is_vector = scalarise_is_vector(s, type_of(s, op.operands[1 + i]));
            body += is_vector ? scalarise_count(s, op.operands[1 + i]) : 1;
        }
        changed->data.break_if.body_argument_count = body;
    }
    changed->operands = list;
    changed->operand_count = count;
    return true;
}

// New scalar values for old ones of any type: `first` and the following ones.
static bool take_over(
    struct scalariser *s, const ir_value *old, uint32_t count, const ir_value *fresh) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct text name = ir_value_name(scalarise_function(s), old[i]);
        uint32_t components = 1;
        if (scalarise_is_vector(s, type_of(s, old[i]))) {
            components = scalarise_count(s, old[i]);
            ir_value *list = ARENA_ARRAY(s->scratch, ir_value, 4);
            TRY(list != NULL);
            for (uint32_t k = 0; k < components; k++) {
                list[k] = fresh[at + k];
            }
            s->components[old[i].index] = list;
        } else if (old[i].index != fresh[at].index) {
            pass_map_set(&s->map, old[i], fresh[at]);
        }
        for (uint32_t k = 0; k < components; k++) {
            ir_value_set_name(s->module, scalarise_function(s), fresh[at++], name);
        }
    }
    return true;
}

static bool spread_results(struct scalariser *s, ir_op_id id) {
    const struct ir_op *op = ir_op_get(scalarise_function(s), id);
    uint32_t count = op->result_count;
    ir_value *old = ARENA_ARRAY(s->scratch, ir_value, (size_t)count + 1);
    type_id *types = ARENA_ARRAY(s->scratch, type_id, (size_t)count * 4 + 1);
    ir_value *fresh = ARENA_ARRAY(s->scratch, ir_value, (size_t)count * 4 + 1);
    TRY(old != NULL && types != NULL && fresh != NULL);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        old[i] = ir_op_result(op, i);
        type_id type = type_of(s, old[i]);
        uint32_t components = scalarise_is_vector(s, type) ? scalarise_count(s, old[i]) : 1;
        for (uint32_t k = 0; k < components; k++) {
            types[at++] = scalarise_is_vector(s, type) ? type_element_of(&s->module->types, type)
                                                       : type;
        }
    }
    if (at == count) {
        return true;
    }
    TRY(pass_set_results(s->module, s->function, id, types, at));
    for (uint32_t i = 0; i < at; i++) {
        fresh[i] = ir_op_result(ir_op_get(scalarise_function(s), id), i);
    }
    return take_over(s, old, count, fresh);
}

static bool spread_parameters(struct scalariser *s, ir_region_id region) {
    struct ir_region row = *ir_region_get(scalarise_function(s), region);
    if (!has_vector(s, row.parameters, row.parameter_count)) {
        return true;
    }
    struct ir_region *changed = ir_region_get(scalarise_function(s), region);
    changed->parameters = NULL;
    changed->parameter_count = 0;
    ir_value *fresh = ARENA_ARRAY(s->scratch, ir_value, (size_t)row.parameter_count * 4 + 1);
    TRY(fresh != NULL);
    uint32_t at = 0;
    for (uint32_t i = 0; i < row.parameter_count; i++) {
        type_id type = type_of(s, row.parameters[i]);
        bool is_vector = scalarise_is_vector(s, type);
        uint32_t components = is_vector ? scalarise_count(s, row.parameters[i]) : 1;
        type_id element = is_vector ? type_element_of(&s->module->types, type) : type;
        for (uint32_t k = 0; k < components; k++) {
            fresh[at] = ir_region_add_parameter(s->module, s->function, region, element);
            TRY(fresh[at++].index != 0);
        }
    }
    return take_over(s, row.parameters, row.parameter_count, fresh);
}

// Walks from an operation to its region's end. Recursion follows nesting, bounded by
// IR_NESTING_LIMIT.
static bool walk_from(struct scalariser *s, ir_op_id first) {
    ir_op_id next;
    for (ir_op_id id = first; id.index != 0; id = next) {
        const struct ir_op *op = ir_op_get(scalarise_function(s), id);
        next = op->next;
        bool is_terminator = (ir_op_get_info(op->opcode)->flags & IR_FLAG_TERMINATOR) != 0;
        if (op->region_count == 0 && (!is_terminator || op->opcode == IR_RETURN)) {
            bool is_replaced = false;
            TRY(scalarise_operation(s, id, &is_replaced));
            if (is_replaced) {
                ir_op_unlink(scalarise_function(s), id);
            }
            continue;
        }
        // if and switch have a scalar operand; a loop's are its initial values.
        TRY(spread_operands(s, id));
        uint32_t count = ir_op_get(scalarise_function(s), id)->region_count;
        bool is_loop = ir_op_get(scalarise_function(s), id)->opcode == IR_LOOP;
        for (uint32_t i = 0; i < count; i++) {
            ir_region_id inner = ir_op_get(scalarise_function(s), id)->regions[i];
            TRY(!is_loop || spread_parameters(s, inner));
            TRY(walk_from(s, ir_region_get(scalarise_function(s), inner)->first));
        }
        TRY(spread_results(s, id));
    }
    return !s->module->has_failed;
}

static bool scalarise_body(struct scalariser *s) {
    const struct ir_function *function = scalarise_function(s);
    ir_op_id first = ir_region_get(function, function->body)->first;
    // Vector parameters are taken apart where the body begins.
    for (uint32_t i = 0; i < scalarise_function(s)->parameter_count; i++) {
        ir_value parameter = scalarise_function(s)->parameters[i];
        if (scalarise_is_vector(s, type_of(s, parameter))) {
            struct ir_builder b = ir_builder_before(s->module, s->function, first);
            TRY(scalarise_components(s, &b, parameter) != NULL);
        }
    }
    TRY(walk_from(s, first));
    pass_map_apply(&s->map, scalarise_function(s));
    return true;
}

enum pass_status pass_scalarise(struct ir_module *module) {
    bool ok = !module->has_failed;
    for (uint32_t f = 0; f < module->functions.count && ok; f++) {
        struct arena scratch;
        arena_init(&scratch, MEMORY_COMPILE);
        struct scalariser s = {.module = module, .function = f, .scratch = &scratch};
        s.value_count = (uint32_t)module->functions.items[f].values.count;
        s.components = ARENA_ARRAY(&scratch, ir_value *, s.value_count);
        ok = s.components != NULL && pass_map_init(&s.map, &scratch, &module->functions.items[f]) &&
            scalarise_body(&s);
        arena_finish(&scratch);
    }
    return pass_finish(module, ok);
}
