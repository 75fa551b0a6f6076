// SPDX-License-Identifier: MIT
//
// Control operations that a constant decides, and small branches that become selects. See
// simplify_priv.h.
#include "shader/pass/simplify_priv.h"

// An `if` whose regions hold at most so much pure work is computed on both sides.
#define SELECT_COST_LIMIT 8u

static bool constant_word(const struct simplifier *s, ir_value value, uint32_t *out_word) {
    bool is_constant = false;
    const uint32_t *bytes = pass_constant_bytes(
        s->module, simplify_function(s), value, &is_constant);
    *out_word = bytes == NULL ? 0 : *bytes;
    return is_constant;
}

// ---------------------------------------------------------------- constant conditions

// Removes what follows an operation in its region.
static void remove_rest(struct simplifier *s, ir_op_id id) {
    ir_op_id next = ir_op_get(simplify_function(s), id)->next;
    while (next.index != 0) {
        ir_op_id after = ir_op_get(simplify_function(s), next)->next;
        pass_remove_op(simplify_function(s), next);
        next = after;
    }
}

// Puts the region in place of its operation; exit is the terminator that leaves the operation
// normally.
static ir_op_id replace_by_region(
    struct simplifier *s, ir_op_id id, ir_region_id region, enum ir_opcode exit) {
    struct ir_function *function = simplify_function(s);
    const struct ir_op *op = ir_op_get(function, id);
    ir_op_id last = ir_region_get(function, region)->last;
    const struct ir_op *end = ir_op_get(function, last);
    bool is_normal = end->opcode == exit;
    for (uint32_t i = 0; i < op->result_count && is_normal; i++) {
        pass_map_set(&s->map, ir_op_result(op, i), end->operands[i]);
    }
    if (is_normal) {
        ir_op_unlink(function, last);
    } else {
        remove_rest(s, id);
    }
    ir_op_id first = ir_region_get(function, region)->first;
    ir_op_id next = first.index != 0 ? first : ir_op_get(function, id)->next;
    pass_splice(function, region, id);
    pass_remove_op(function, id);
    s->change_count++;
    return next;
}

// Exits of this switch below a region, other than through nested switches. Recursion follows
// nesting.
static uint32_t count_exits(const struct ir_function *function, ir_region_id region) {
    uint32_t count = 0;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        count += op->opcode == IR_EXIT_SWITCH;
        for (uint32_t i = 0; i < op->region_count && op->opcode == IR_IF; i++) {
            count += count_exits(function, op->regions[i]);
        }
    }
    return count;
}

static uint32_t find_case(const struct ir_op *op, uint32_t selector) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < op->region_count; i++) {
        const struct ir_case *row = &op->data.cases[i];
        if (row->is_default) {
            found = i;
        }
        for (uint32_t k = 0; k < row->selector_count; k++) {
            if (row->selectors[k] == selector) {
                return i;
            }
        }
    }
    return found;
}

ir_op_id simplify_constant_branch(struct simplifier *s, ir_op_id id, bool *out_is_gone) {
    struct ir_function *function = simplify_function(s);
    const struct ir_op *op = ir_op_get(function, id);
    uint32_t word = 0;
    *out_is_gone = false;
    if (op->opcode == IR_LOOP || op->result_count > 0) {
        for (uint32_t i = 0; i < op->result_count; i++) {
            if (ir_op_result(op, i).index >= s->map.count) {
                return id;
            }
        }
    }
    if (op->opcode == IR_IF && constant_word(s, op->operands[0], &word)) {
        *out_is_gone = true;
        return replace_by_region(s, id, op->regions[word != 0 ? 0 : 1], IR_EXIT_IF);
    }
    if (op->opcode == IR_SWITCH && constant_word(s, op->operands[0], &word)) {
        ir_region_id region = op->regions[find_case(op, word)];
        ir_op_id last = ir_region_get(function, region)->last;
        uint32_t exits = count_exits(function, region);
        bool is_last = ir_op_get(function, last)->opcode == IR_EXIT_SWITCH;
        if (exits == (is_last ? 1u : 0u)) {
            *out_is_gone = true;
            return replace_by_region(s, id, region, IR_EXIT_SWITCH);
        }
    }
    return id;
}

// ---------------------------------------------------------------- selects

// A load, or the access for it, of memory that nobody writes, at a place that no value decides.
static bool is_fixed_load(const struct simplifier *s, const struct ir_op *op) {
    const struct ir_function *function = simplify_function(s);
    if (op->opcode == IR_LOAD) {
        const struct ir_op *pointer = pass_definition(function, op->operands[0]);
        return simplify_is_read_only_load(s, op) && pointer != NULL &&
            (pointer->opcode == IR_VARIABLE || is_fixed_load(s, pointer));
    }
    if (op->opcode != IR_ACCESS) {
        return false;
    }
    for (uint32_t i = 1; i < op->operand_count; i++) {
        if (ir_value_get(function, op->operands[i])->kind != IR_VALUE_CONSTANT) {
            return false;
        }
    }
    const struct ir_op *base = pass_definition(function, op->operands[0]);
    return base != NULL && (base->opcode == IR_VARIABLE || is_fixed_load(s, base));
}

// The work of a region that is pure and ends in exit_if; UINT32_MAX for any other.
static uint32_t pure_cost(const struct simplifier *s, ir_region_id region) {
    const struct ir_function *function = simplify_function(s);
    uint32_t cost = 0;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        if (op->opcode == IR_EXIT_IF) {
            return cost;
        }
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        bool is_free = (flags & IR_FLAG_PURE) != 0 && op->opcode != IR_ACCESS;
        if (!(is_free || is_fixed_load(s, op)) || cost > SELECT_COST_LIMIT) {
            return UINT32_MAX;
        }
        bool is_slow = op->opcode == IR_DIV_F || op->opcode == IR_SQRT || op->opcode == IR_DIV_S ||
            op->opcode == IR_DIV_U || op->opcode == IR_REM_S || op->opcode == IR_REM_U;
        cost += is_slow ? 4 : 1;
    }
    return UINT32_MAX;
}

bool simplify_after_regions(struct simplifier *s, ir_op_id id, bool *out_is_gone) {
    struct ir_function *function = simplify_function(s);
    struct ir_op op = *ir_op_get(function, id);
    if (op.opcode != IR_IF) {
        return true;
    }
    uint32_t yes_cost = pure_cost(s, op.regions[0]);
    uint32_t no_cost = pure_cost(s, op.regions[1]);
    if (yes_cost == UINT32_MAX || no_cost == UINT32_MAX ||
        (uint64_t)yes_cost + no_cost > SELECT_COST_LIMIT) {
        return true;
    }
    for (uint32_t i = 0; i < op.result_count; i++) {
        if (ir_op_result(&op, i).index >= s->map.count) {
            return true;
        }
    }
    ir_op_id yes_exit = ir_region_get(function, op.regions[0])->last;
    ir_op_id no_exit = ir_region_get(function, op.regions[1])->last;
    const ir_value *yes = ir_op_get(function, yes_exit)->operands;
    const ir_value *no = ir_op_get(function, no_exit)->operands;
    ir_op_unlink(function, yes_exit);
    ir_op_unlink(function, no_exit);
    pass_splice(function, op.regions[0], id);
    pass_splice(function, op.regions[1], id);
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    for (uint32_t i = 0; i < op.result_count; i++) {
        ir_value value = yes[i].index == no[i].index
            ? yes[i]
            : ir_builder_select(&b, no[i], yes[i], op.operands[0]);
        TRY(value.index != 0);
        pass_map_set(&s->map, ir_op_result(&op, i), value);
    }
    pass_remove_op(simplify_function(s), id);
    s->change_count++;
    *out_is_gone = true;
    return true;
}
