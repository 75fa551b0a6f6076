// SPDX-License-Identifier: MIT
//
// The walk of promotion: each load becomes the variable's value at that place. See promote_priv.h.
#include <string.h>

#include "shader/pass/promote_priv.h"

static struct ir_function *function_of(const struct promoter *p) {
    return &p->module->functions.items[p->function];
}

// The slot of a promoted variable that the pointer names, UINT32_MAX for any other pointer.
static uint32_t slot_of(const struct promoter *p, ir_value pointer) {
    uint32_t slot = pointer.index < p->value_count ? p->slot_of[pointer.index] : 0;
    return slot != 0 && p->slots.items[slot - 1].is_promoted ? slot - 1 : UINT32_MAX;
}

static uint32_t slots_begin(const struct promoter *p, ir_op_id op) {
    return op.index < p->old_op_count ? p->first[op.index] : 0;
}
static uint32_t slots_end(const struct promoter *p, ir_op_id op) {
    return op.index < p->old_op_count ? p->first[op.index + 1] : 0;
}

// ---------------------------------------------------------------- loads and stores

static void rename_load(struct promoter *p, ir_op_id id, const struct ir_op *op, uint32_t slot) {
    ir_value value = p->current[slot];
    const struct ir_op *access = promote_component(p, op->operands[0]);
    if (access != NULL) {
        struct ir_builder b = ir_builder_before(p->module, p->function, id);
        ir_value index = access->operands[1];
        uint32_t number = 0;
        uint32_t count = type_component_count(&p->module->types, p->slots.items[slot].type);
        bool is_constant = pass_constant_index(p->module, function_of(p), index, &number);
        value = is_constant && number < count ? ir_builder_extract(&b, value, number)
                                              : pass_extract_dynamic(&b, value, index);
    }
    pass_map_set(&p->map, op->first_result, value);
    ir_op_unlink(function_of(p), id);
}

static void rename_store(struct promoter *p, ir_op_id id, const struct ir_op *op, uint32_t slot) {
    ir_value value = op->operands[1];
    const struct ir_op *access = promote_component(p, op->operands[0]);
    if (access != NULL) {
        struct ir_builder b = ir_builder_before(p->module, p->function, id);
        ir_value index = access->operands[1];
        uint32_t number = 0;
        uint32_t count = type_component_count(&p->module->types, p->slots.items[slot].type);
        bool is_constant = pass_constant_index(p->module, function_of(p), index, &number);
        value = is_constant && number < count
            ? ir_builder_insert(&b, p->current[slot], number, value)
            : pass_insert_dynamic(&b, p->current[slot], value, index);
    }
    p->current[slot] = pass_map_get(&p->map, value);
    ir_op_unlink(function_of(p), id);
}

static void rename_var(struct promoter *p, ir_op_id id, uint32_t slot) {
    struct ir_builder b = ir_builder_before(p->module, p->function, id);
    // Undefined until stored; zero is as good as any value.
    p->current[slot] = ir_builder_zero(&b, p->slots.items[slot].type);
    ir_op_unlink(function_of(p), id);
}

// ---------------------------------------------------------------- control flow

// The parameters that only the continuing region has, in order of its list.
static uint32_t first_continued(const struct promoter *p, ir_op_id loop) {
    return loop.index < p->old_op_count ? p->continued[loop.index] : 0;
}

// Appends the values of the variables that only the continuing region takes.
static bool extend_continue(struct promoter *p, ir_op_id id, ir_op_id loop) {
    uint32_t added = 0;
    for (uint32_t s = first_continued(p, loop); s != 0; s = p->next_continued[s - 1]) {
        added++;
    }
    if (added == 0) {
        return true;
    }
    struct ir_op *op = ir_op_get(function_of(p), id);
    ir_value *operands = ARENA_ARRAY(p->module->arena, ir_value, (size_t)op->operand_count + added);
    TRY(operands != NULL);
    if (op->operand_count != 0) {
        memcpy(operands, op->operands, op->operand_count * sizeof(ir_value));
    }
    for (uint32_t s = first_continued(p, loop); s != 0; s = p->next_continued[s - 1]) {
        operands[op->operand_count++] = p->current[s - 1];
    }
    op->operands = operands;
    return true;
}

// Appends the slots' values to the terminator's operands; those after `keep` stay behind them.
static bool extend_operands(struct promoter *p, ir_op_id id, ir_op_id target, uint32_t keep) {
    uint32_t begin = slots_begin(p, target);
    uint32_t end = slots_end(p, target);
    struct ir_op *op = ir_op_get(function_of(p), id);
    uint32_t added = end - begin;
    if (added == 0) {
        return true;
    }
    ir_value *operands = ARENA_ARRAY(p->module->arena, ir_value, (size_t)op->operand_count + added);
    TRY(operands != NULL);
    if (keep != 0) {
        memcpy(operands, op->operands, keep * sizeof(ir_value));
    }
    for (uint32_t i = begin; i < end; i++) {
        operands[keep + i - begin] = p->current[p->list[i]];
    }
    if (op->operand_count > keep) {
        memcpy(operands + keep + added, op->operands + keep,
            (op->operand_count - keep) * sizeof(ir_value));
    }
    op->operands = operands;
    op->operand_count += added;
    return true;
}

static bool rename_terminator(
    struct promoter *p, ir_op_id id, const struct promote_context *context) {
    struct ir_op *op = ir_op_get(function_of(p), id);
    uint32_t count = op->operand_count;
    switch (op->opcode) {
    case IR_EXIT_IF:
        return extend_operands(p, id, context->if_op, count);
    case IR_EXIT_SWITCH:
        return extend_operands(p, id, context->switch_op, count);
    case IR_CONTINUE:
        TRY(extend_operands(p, id, context->loop, count));
        return extend_continue(p, id, context->loop);
    case IR_EXIT_LOOP:
    case IR_NEXT_ITERATION:
        return extend_operands(p, id, context->loop, count);
    case IR_BREAK_IF: {
        // (condition, body arguments + slots, results + slots)
        uint32_t body = op->data.break_if.body_argument_count;
        TRY(extend_operands(p, id, context->loop, count));
        TRY(extend_operands(p, id, context->loop, 1 + body));
        op = ir_op_get(function_of(p), id);
        op->data.break_if.body_argument_count = body + slots_end(p, context->loop) -
            slots_begin(p, context->loop);
        return true;
    }
    default:
        return true;
    }
}

// New results after the old ones, which move with their names.
static bool extend_results(struct promoter *p, ir_op_id id) {
    uint32_t begin = slots_begin(p, id);
    uint32_t end = slots_end(p, id);
    const struct ir_op *op = ir_op_get(function_of(p), id);
    uint32_t old_count = op->result_count;
    ir_value old_first = op->first_result;
    type_id *types = ARENA_ARRAY(p->scratch, type_id, (size_t)old_count + end - begin);
    TRY(types != NULL);
    for (uint32_t i = 0; i < old_count; i++) {
        types[i] = ir_value_type(function_of(p), (ir_value){old_first.index + i});
    }
    for (uint32_t i = begin; i < end; i++) {
        types[old_count + i - begin] = p->slots.items[p->list[i]].type;
    }
    TRY(pass_set_results(p->module, p->function, id, types, old_count + end - begin));
    op = ir_op_get(function_of(p), id);
    for (uint32_t i = 0; i < old_count; i++) {
        ir_value old = {old_first.index + i};
        pass_map_set(&p->map, old, ir_op_result(op, i));
        ir_value_set_name(
            p->module, function_of(p), ir_op_result(op, i), ir_value_name(function_of(p), old));
    }
    for (uint32_t i = begin; i < end; i++) {
        const struct promote_slot *slot = &p->slots.items[p->list[i]];
        ir_value var = ir_op_get(function_of(p), slot->var)->first_result;
        ir_value_set_name(p->module, function_of(p), ir_op_result(op, old_count + i - begin),
            ir_value_name(function_of(p), var));
    }
    return true;
}

static bool add_parameters(struct promoter *p, ir_op_id id, uint32_t region, ir_value *out_first) {
    for (uint32_t i = slots_begin(p, id); i < slots_end(p, id); i++) {
        const struct promote_slot *slot = &p->slots.items[p->list[i]];
        ir_region_id inner = ir_op_get(function_of(p), id)->regions[region];
        ir_value value = ir_region_add_parameter(p->module, p->function, inner, slot->type);
        TRY(value.index != 0);
        ir_value var = ir_op_get(function_of(p), slot->var)->first_result;
        ir_value_set_name(p->module, function_of(p), value, ir_value_name(function_of(p), var));
        if (i == slots_begin(p, id)) {
            *out_first = value;
        }
    }
    return true;
}

// The slots' values: consecutive ones from `first`.
static void set_current(struct promoter *p, ir_op_id id, ir_value first) {
    for (uint32_t i = slots_begin(p, id); i < slots_end(p, id); i++) {
        p->current[p->list[i]] = (ir_value){first.index + i - slots_begin(p, id)};
    }
}

static bool rename_loop(struct promoter *p, ir_op_id id, const struct promote_context *context) {
    ir_value body_first = {0};
    ir_value continuing_first = {0};
    TRY(extend_operands(p, id, id, ir_op_get(function_of(p), id)->operand_count));
    TRY(add_parameters(p, id, 0, &body_first));
    TRY(add_parameters(p, id, 1, &continuing_first));
    struct promote_context inner = {.loop = id};
    (void)context;
    set_current(p, id, body_first);
    TRY(promote_region(p, ir_op_get(function_of(p), id)->regions[0], &inner));
    set_current(p, id, continuing_first);
    for (uint32_t s = first_continued(p, id); s != 0; s = p->next_continued[s - 1]) {
        ir_region_id continuing = ir_op_get(function_of(p), id)->regions[1];
        p->current[s - 1] = ir_region_add_parameter(
            p->module, p->function, continuing, p->slots.items[s - 1].type);
    }
    TRY(!p->module->has_failed);
    return promote_region(p, ir_op_get(function_of(p), id)->regions[1], &inner);
}

static bool rename_branch(struct promoter *p, ir_op_id id, const struct promote_context *context) {
    uint32_t begin = slots_begin(p, id);
    uint32_t end = slots_end(p, id);
    ir_value *saved = ARENA_ARRAY(p->scratch, ir_value, (size_t)end - begin + 1);
    TRY(saved != NULL);
    for (uint32_t i = begin; i < end; i++) {
        saved[i - begin] = p->current[p->list[i]];
    }
    struct promote_context inner = *context;
    if (ir_op_get(function_of(p), id)->opcode == IR_IF) {
        inner.if_op = id;
    } else {
        inner.switch_op = id;
        inner.if_op = (ir_op_id){0};
    }
    uint32_t count = ir_op_get(function_of(p), id)->region_count;
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t i = begin; i < end; i++) {
            p->current[p->list[i]] = saved[i - begin];
        }
        TRY(promote_region(p, ir_op_get(function_of(p), id)->regions[r], &inner));
    }
    return true;
}

static bool rename_control(struct promoter *p, ir_op_id id, const struct promote_context *context) {
    bool has_slots = slots_end(p, id) != slots_begin(p, id);
    uint32_t old_count = ir_op_get(function_of(p), id)->result_count;
    if (has_slots) {
        TRY(extend_results(p, id));
    }
    bool is_loop = ir_op_get(function_of(p), id)->opcode == IR_LOOP;
    TRY(is_loop ? rename_loop(p, id, context) : rename_branch(p, id, context));
    if (has_slots) {
        set_current(p, id, ir_op_result(ir_op_get(function_of(p), id), old_count));
    }
    return true;
}

// Recursion follows nesting, bounded by IR_NESTING_LIMIT.
bool promote_region(
    struct promoter *p, ir_region_id region, const struct promote_context *context) {
    ir_op_id next;
    for (ir_op_id id = ir_region_get(function_of(p), region)->first; id.index != 0; id = next) {
        struct ir_op op = *ir_op_get(function_of(p), id);
        next = op.next;
        uint32_t slot = op.operand_count != 0 ? slot_of(p, op.operands[0]) : UINT32_MAX;
        if (op.region_count != 0) {
            TRY(rename_control(p, id, context));
        } else if ((ir_op_get_info(op.opcode)->flags & IR_FLAG_TERMINATOR) != 0) {
            TRY(rename_terminator(p, id, context));
        } else if (op.opcode == IR_VAR && slot_of(p, op.first_result) != UINT32_MAX) {
            rename_var(p, id, slot_of(p, op.first_result));
        } else if (op.opcode == IR_LOAD && slot != UINT32_MAX) {
            rename_load(p, id, &op, slot);
        } else if (op.opcode == IR_STORE && slot != UINT32_MAX) {
            rename_store(p, id, &op, slot);
        } else if (op.opcode == IR_ACCESS && slot != UINT32_MAX) {
            ir_op_unlink(function_of(p), id);
        }
        if (p->module->has_failed) {
            return false;
        }
    }
    return true;
}
