// SPDX-License-Identifier: MIT
//
// Dead code, by marking what is needed from the effects backwards: operations, results of control
// operations, parameters of loops. What is not marked goes. See simplify_priv.h.
#include <string.h>

#include "base/vector.h"
#include "shader/pass/simplify_priv.h"

struct exit_link {
    ir_op_id op;   // the terminator
    uint32_t next; // index + 1
};

struct eliminator {
    struct ir_module *module;
    uint32_t index;
    struct ir_function *function;
    struct arena *scratch;
    uint8_t *is_live;      // by value
    uint8_t *is_needed;    // by operation
    uint8_t *is_essential; // by control operation: an effect or a way out stands inside
    uint8_t *is_read;      // by value: the `var` that somebody reads
    uint32_t *exits;       // by control operation: its exit_*, for a loop also break_if
    uint32_t *continues;   // by loop
    uint32_t *back_edge;   // by loop: next_iteration or break_if
    VECTOR(struct exit_link) links;
    VECTOR(uint32_t) queue; // values that became live
    bool has_changed;
};

struct targets {
    ir_op_id if_op;
    ir_op_id switch_op;
    ir_op_id loop;
};

static bool add_link(struct eliminator *e, uint32_t *head, ir_op_id op) {
    struct exit_link link = {.op = op, .next = *head};
    TRY(arena_vector_push(e->scratch, &e->links, link));
    *head = (uint32_t)e->links.count;
    return true;
}

// ---------------------------------------------------------------- what the function contains

static void note_reads(struct eliminator *e, const struct ir_op *op) {
    if (op->opcode == IR_ACCESS) {
        return;
    }
    bool is_written_only = op->opcode == IR_STORE || op->opcode == IR_COPY_MEMORY;
    for (uint32_t k = is_written_only ? 1 : 0; k < op->operand_count; k++) {
        type_id type = ir_value_type(e->function, op->operands[k]);
        if (type_kind_of(&e->module->types, type) == TYPE_POINTER) {
            e->is_read[pass_pointer_root(e->function, op->operands[k]).index] = 1;
        }
    }
}

static bool note_exit(
    struct eliminator *e, ir_op_id id, const struct ir_op *op, const struct targets *targets) {
    switch (op->opcode) {
    case IR_EXIT_IF:
        return add_link(e, &e->exits[targets->if_op.index], id);
    case IR_EXIT_SWITCH:
        return add_link(e, &e->exits[targets->switch_op.index], id);
    case IR_EXIT_LOOP:
        return add_link(e, &e->exits[targets->loop.index], id);
    case IR_CONTINUE:
        return add_link(e, &e->continues[targets->loop.index], id);
    case IR_BREAK_IF:
        e->back_edge[targets->loop.index] = id.index;
        return add_link(e, &e->exits[targets->loop.index], id);
    case IR_NEXT_ITERATION:
        e->back_edge[targets->loop.index] = id.index;
        return true;
    default:
        return true;
    }
}

static bool is_effect(const struct eliminator *e, const struct ir_op *op) {
    if (op->opcode == IR_VAR) {
        return false;
    }
    if (op->opcode == IR_STORE || op->opcode == IR_COPY_MEMORY) {
        ir_value root = pass_pointer_root(e->function, op->operands[0]);
        const struct ir_op *var = pass_definition(e->function, root);
        return var == NULL || var->opcode != IR_VAR || e->is_read[root.index];
    }
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    return op->region_count == 0 && (flags & IR_FLAG_TERMINATOR) == 0 &&
        (flags & (IR_FLAG_WRITES | IR_FLAG_ATOMIC | IR_FLAG_SIDE_EFFECT)) != 0;
}

// First walk: reads of variables and the lists of exits. Recursion follows nesting.
static bool collect(struct eliminator *e, ir_region_id region, const struct targets *targets) {
    for (ir_op_id id = ir_region_get(e->function, region)->first; id.index != 0;
         id = ir_op_get(e->function, id)->next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        note_reads(e, op);
        TRY(note_exit(e, id, op, targets));
        struct targets inner = *targets;
        if (op->opcode == IR_IF) {
            inner.if_op = id;
        } else if (op->opcode == IR_SWITCH) {
            inner.switch_op = id;
        } else if (op->opcode == IR_LOOP) {
            inner.loop = id;
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            TRY(collect(e, op->regions[i], &inner));
        }
    }
    return true;
}

// How far out of a region control may go: the depth of the outermost construct that a terminator
// leaves, counted by nesting; the region's own construct has depth `depth`.
struct depths {
    uint32_t switch_depth;
    uint32_t loop_depth;
};

// Second walk: marks control operations with effects or ways further out. Returns the smallest
// depth that is left, and sets *out_effect. Recursion follows nesting.
static uint32_t find_essential(struct eliminator *e, ir_region_id region, uint32_t depth,
    struct depths depths, bool *out_effect) {
    uint32_t outermost = UINT32_MAX;
    for (ir_op_id id = ir_region_get(e->function, region)->first; id.index != 0;
         id = ir_op_get(e->function, id)->next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        uint32_t left = UINT32_MAX;
        switch (op->opcode) {
        case IR_RETURN:
            left = 0;
            break;
        case IR_EXIT_SWITCH:
            left = depths.switch_depth;
            break;
        case IR_EXIT_LOOP:
        case IR_CONTINUE:
            left = depths.loop_depth;
            break;
        default:
            break;
        }
        bool has_effect = is_effect(e, op);
        struct depths inner = depths;
        inner.switch_depth = op->opcode == IR_SWITCH ? depth + 1 : depths.switch_depth;
        inner.loop_depth = op->opcode == IR_LOOP ? depth + 1 : depths.loop_depth;
        for (uint32_t i = 0; i < op->region_count; i++) {
            uint32_t reached = find_essential(e, op->regions[i], depth + 1, inner, &has_effect);
            left = reached < left ? reached : left;
        }
        // A loop that nothing leaves is never passed: what follows it is unreachable by contract.
        has_effect = has_effect || (op->opcode == IR_LOOP && e->exits[id.index] == 0);
        if (op->region_count != 0 && (has_effect || left <= depth)) {
            e->is_essential[id.index] = 1;
        }
        *out_effect = *out_effect || has_effect;
        outermost = left < outermost ? left : outermost;
    }
    return outermost;
}

// ---------------------------------------------------------------- marking

static bool need_value(struct eliminator *e, ir_value value) {
    if (e->is_live[value.index]) {
        return true;
    }
    e->is_live[value.index] = 1;
    return arena_vector_push(e->scratch, &e->queue, value.index);
}

static bool need_region(struct eliminator *e, ir_region_id region);

// The operation stays. For control operations: what is in them that must stay.
static bool need_op(struct eliminator *e, ir_op_id id) {
    if (e->is_needed[id.index]) {
        return true;
    }
    e->is_needed[id.index] = 1;
    const struct ir_op *op = ir_op_get(e->function, id);
    if (op->opcode == IR_LOOP) {
        uint32_t back = e->back_edge[id.index];
        if (back != 0 && e->function->ops.items[back].opcode == IR_BREAK_IF) {
            TRY(need_value(e, e->function->ops.items[back].operands[0]));
        }
    } else {
        for (uint32_t i = 0; i < op->operand_count; i++) {
            TRY(need_value(e, op->operands[i]));
        }
    }
    for (uint32_t i = 0; i < op->region_count; i++) {
        TRY(need_region(e, op->regions[i]));
    }
    return true;
}

// Recursion follows nesting.
static bool need_region(struct eliminator *e, ir_region_id region) {
    for (ir_op_id id = ir_region_get(e->function, region)->first; id.index != 0;
         id = ir_op_get(e->function, id)->next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        if (op->opcode == IR_RETURN || is_effect(e, op) || e->is_essential[id.index]) {
            TRY(need_op(e, id));
        }
    }
    return true;
}

static bool need_operands(struct eliminator *e, uint32_t list, uint32_t position) {
    for (; list != 0; list = e->links.items[list - 1].next) {
        const struct ir_op *op = ir_op_get(e->function, e->links.items[list - 1].op);
        uint32_t first = op->opcode == IR_BREAK_IF ? 1 + op->data.break_if.body_argument_count : 0;
        TRY(need_value(e, op->operands[first + position]));
    }
    return true;
}

static bool need_parameter(struct eliminator *e, const struct ir_value_info *info) {
    ir_region_id region = {info->definition};
    ir_op_id owner = ir_region_get(e->function, region)->owner;
    const struct ir_op *loop = ir_op_get(e->function, owner);
    if (loop->regions[0].index != region.index) {
        return need_operands(e, e->continues[owner.index], info->position);
    }
    TRY(need_value(e, loop->operands[info->position]));
    uint32_t back = e->back_edge[owner.index];
    if (back == 0) {
        return true;
    }
    const struct ir_op *edge = &e->function->ops.items[back];
    uint32_t first = edge->opcode == IR_BREAK_IF ? 1 : 0;
    return need_value(e, edge->operands[first + info->position]);
}

static bool propagate(struct eliminator *e) {
    for (size_t at = 0; at < e->queue.count; at++) {
        const struct ir_value_info *info = &e->function->values.items[e->queue.items[at]];
        if (info->kind == IR_VALUE_REGION_PARAMETER) {
            TRY(need_parameter(e, info));
        } else if (info->kind == IR_VALUE_RESULT) {
            ir_op_id id = {info->definition};
            uint32_t position = info->position;
            TRY(need_op(e, id));
            if (ir_op_get(e->function, id)->region_count != 0) {
                TRY(need_operands(e, e->exits[id.index], position));
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------- removal

// Keeps the operands of [first, first + count) whose flag is set; returns how many went.
static uint32_t keep_operands(
    struct ir_op *op, uint32_t first, const uint8_t *is_kept, uint32_t count) {
    uint32_t kept = first;
    for (uint32_t i = 0; i < count; i++) {
        if (is_kept[i]) {
            op->operands[kept++] = op->operands[first + i];
        }
    }
    uint32_t removed = first + count - kept;
    for (uint32_t i = first + count; i < op->operand_count; i++) {
        op->operands[i - removed] = op->operands[i];
    }
    op->operand_count -= removed;
    return removed;
}

static uint8_t *kept_flags(
    const struct eliminator *e, const ir_value *values, uint32_t count, bool *out_all) {
    uint8_t *flags = ARENA_ARRAY(e->scratch, uint8_t, (size_t)count + 1);
    *out_all = true;
    for (uint32_t i = 0; flags != NULL && i < count; i++) {
        flags[i] = e->is_live[values[i].index];
        *out_all = *out_all && flags[i];
    }
    return flags;
}

static bool drop_results(struct eliminator *e, ir_op_id id, struct pass_map *map) {
    struct ir_op *op = ir_op_get(e->function, id);
    uint32_t count = op->result_count;
    ir_value *old = ARENA_ARRAY(e->scratch, ir_value, (size_t)count + 1);
    type_id *types = ARENA_ARRAY(e->scratch, type_id, (size_t)count + 1);
    TRY(old != NULL && types != NULL);
    for (uint32_t i = 0; i < count; i++) {
        old[i] = ir_op_result(op, i);
    }
    bool has_all = true;
    uint8_t *flags = kept_flags(e, old, count, &has_all);
    TRY(flags != NULL);
    if (has_all) {
        return true;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (flags[i]) {
            types[kept++] = ir_value_type(e->function, old[i]);
        }
    }
    for (uint32_t at = e->exits[id.index]; at != 0; at = e->links.items[at - 1].next) {
        struct ir_op *exit = ir_op_get(e->function, e->links.items[at - 1].op);
        uint32_t first = exit->opcode == IR_BREAK_IF ? 1 + exit->data.break_if.body_argument_count
                                                     : 0;
        keep_operands(exit, first, flags, count);
    }
    TRY(pass_set_results(e->module, e->index, id, types, kept));
    kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (flags[i]) {
            ir_value value = ir_op_result(ir_op_get(e->function, id), kept++);
            ir_value_set_name(e->module, e->function, value, ir_value_name(e->function, old[i]));
            pass_map_set(map, old[i], value);
        }
    }
    e->has_changed = true;
    return true;
}

static void keep_parameters(
    struct ir_function *function, struct ir_region *region, const uint8_t *flags) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < region->parameter_count; i++) {
        if (flags[i]) {
            region->parameters[kept] = region->parameters[i];
            function->values.items[region->parameters[kept].index].position = kept;
            kept++;
        }
    }
    region->parameter_count = kept;
}

static bool drop_parameters(struct eliminator *e, ir_op_id id) {
    struct ir_op *loop = ir_op_get(e->function, id);
    struct ir_region *body = ir_region_get(e->function, loop->regions[0]);
    struct ir_region *continuing = ir_region_get(e->function, loop->regions[1]);
    bool has_all = true;
    uint8_t *flags = kept_flags(e, continuing->parameters, continuing->parameter_count, &has_all);
    TRY(flags != NULL);
    if (!has_all) {
        for (uint32_t at = e->continues[id.index]; at != 0; at = e->links.items[at - 1].next) {
            keep_operands(ir_op_get(e->function, e->links.items[at - 1].op), 0, flags,
                continuing->parameter_count);
        }
        keep_parameters(e->function, continuing, flags);
        e->has_changed = true;
    }
    flags = kept_flags(e, body->parameters, body->parameter_count, &has_all);
    TRY(flags != NULL);
    if (has_all) {
        return true;
    }
    uint32_t back = e->back_edge[id.index];
    if (back != 0) {
        struct ir_op *edge = &e->function->ops.items[back];
        bool is_break = edge->opcode == IR_BREAK_IF;
        uint32_t removed = keep_operands(edge, is_break ? 1 : 0, flags, body->parameter_count);
        if (is_break) {
            edge->data.break_if.body_argument_count -= removed;
        }
    }
    keep_operands(loop, 0, flags, body->parameter_count);
    keep_parameters(e->function, body, flags);
    e->has_changed = true;
    return true;
}

// Recursion follows nesting.
static bool sweep(struct eliminator *e, ir_region_id region, struct pass_map *map) {
    ir_op_id next;
    for (ir_op_id id = ir_region_get(e->function, region)->first; id.index != 0; id = next) {
        const struct ir_op *op = ir_op_get(e->function, id);
        next = op->next;
        bool is_terminator = (ir_op_get_info(op->opcode)->flags & IR_FLAG_TERMINATOR) != 0;
        if (!is_terminator && !e->is_needed[id.index]) {
            pass_remove_op(e->function, id);
            e->has_changed = true;
            continue;
        }
        if (op->region_count == 0) {
            continue;
        }
        uint32_t count = op->region_count;
        TRY(drop_results(e, id, map));
        if (ir_op_get(e->function, id)->opcode == IR_LOOP) {
            TRY(drop_parameters(e, id));
        }
        for (uint32_t i = 0; i < count; i++) {
            TRY(sweep(e, ir_op_get(e->function, id)->regions[i], map));
        }
    }
    return true;
}

static bool eliminate(struct eliminator *e) {
    size_t ops = e->function->ops.count;
    size_t values = e->function->values.count;
    e->is_live = ARENA_ARRAY(e->scratch, uint8_t, values);
    e->is_read = ARENA_ARRAY(e->scratch, uint8_t, values);
    e->is_needed = ARENA_ARRAY(e->scratch, uint8_t, ops);
    e->is_essential = ARENA_ARRAY(e->scratch, uint8_t, ops);
    e->exits = ARENA_ARRAY(e->scratch, uint32_t, ops);
    e->continues = ARENA_ARRAY(e->scratch, uint32_t, ops);
    e->back_edge = ARENA_ARRAY(e->scratch, uint32_t, ops);
    TRY(e->is_live != NULL && e->is_read != NULL && e->is_needed != NULL &&
        e->is_essential != NULL && e->exits != NULL && e->continues != NULL &&
        e->back_edge != NULL);
    struct targets targets = {0};
    TRY(collect(e, e->function->body, &targets));
    bool has_effect = false;
    struct depths depths = {0};
    find_essential(e, e->function->body, 0, depths, &has_effect);
    TRY(need_region(e, e->function->body));
    TRY(propagate(e));
    struct pass_map map;
    TRY(pass_map_init(&map, e->scratch, e->function));
    TRY(sweep(e, e->function->body, &map));
    pass_map_apply(&map, e->function);
    return true;
}

bool remove_dead_code(struct ir_module *module, uint32_t function, bool *out_changed) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct eliminator e = {.module = module,
        .index = function,
        .function = &module->functions.items[function],
        .scratch = &scratch};
    bool ok = eliminate(&e) && !module->has_failed;
    *out_changed = e.has_changed;
    arena_finish(&scratch);
    return ok;
}
