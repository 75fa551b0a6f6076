// SPDX-License-Identifier: MIT
//
// Simplification: one walk over each function that folds, merges common subexpressions and resolves
// constant branches, then dead code; again while it pays. See pass.h.
#include "shader/pass/simplify_priv.h"

#define ROUND_LIMIT 4u
// A round over many operations must have changed at least one in so many to be followed by another.
#define LARGE_OPS 4096u
#define LARGE_SHARE 16u

// ---------------------------------------------------------------- common subexpressions

bool simplify_is_read_only_load(const struct simplifier *s, const struct ir_op *op) {
    if (op->opcode != IR_LOAD) {
        return false;
    }
    const struct type *pointer = type_get(
        &s->module->types, ir_value_type(simplify_function(s), op->operands[0]));
    switch (pointer->space) {
    case SPACE_UNIFORM:
    case SPACE_IMMEDIATE:
    case SPACE_HANDLE: // the texture or sampler itself
        return true;
    case SPACE_STORAGE:
    case SPACE_PRIVATE: // a constant table
        return pointer->access == ACCESS_READ;
    case SPACE_FUNCTION:
    case SPACE_WORKGROUP:
    case SPACE_COUNT:
        return false;
    }
    return false;
}

static enum address_space space_of(const struct simplifier *s, ir_value pointer) {
    return type_get(&s->module->types, ir_value_type(simplify_function(s), pointer))->space;
}

static bool is_mergeable(const struct ir_op *op) {
    bool is_pure = (ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) != 0;
    return op->result_count == 1 && op->region_count == 0 && (is_pure || op->opcode == IR_LOAD);
}

static void forget_loads(struct simplifier *s) {
    for (uint32_t i = 0; i < SPACE_COUNT; i++) {
        s->epochs[i]++;
    }
}

// Counts what an operation without regions may write, or let others write.
static void note_writes(struct simplifier *s, const struct ir_op *op) {
    uint32_t flags = ir_op_get_info(op->opcode)->flags;
    if (op->opcode == IR_CALL || (flags & IR_FLAG_BARRIER) != 0) {
        forget_loads(s);
    } else if ((flags & (IR_FLAG_WRITES | IR_FLAG_ATOMIC)) != 0 && op->operand_count != 0) {
        // A texture store names no pointer; its texels are no memory that a load reads.
        s->epochs[space_of(s, op->operands[0])]++;
    }
}

// The count that an operation's value depends on; 0 for what no write changes.
static uint32_t epoch_of(const struct simplifier *s, const struct ir_op *op) {
    return op->opcode != IR_LOAD || simplify_is_read_only_load(s, op)
        ? 0
        : s->epochs[space_of(s, op->operands[0])] + 1;
}

static uint32_t hash_op(const struct simplifier *s, const struct ir_op *op) {
    uint64_t hash = op->opcode * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= ir_value_type(simplify_function(s), op->first_result).index;
    hash = (hash ^ op->data.index) * UINT64_C(0xff51afd7ed558ccd);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        hash = (hash ^ (hash >> 29) ^ op->operands[i].index) * UINT64_C(0xc4ceb9fe1a85ec53);
    }
    return (uint32_t)(hash >> 32) & s->bucket_mask;
}

static bool is_same_op(const struct simplifier *s, const struct ir_op *a, const struct ir_op *b) {
    if (a->opcode != b->opcode || a->operand_count != b->operand_count ||
        a->data.index != b->data.index ||
        !type_equals(ir_value_type(simplify_function(s), a->first_result),
            ir_value_type(simplify_function(s), b->first_result))) {
        return false;
    }
    for (uint32_t i = 0; i < a->operand_count; i++) {
        if (a->operands[i].index != b->operands[i].index) {
            return false;
        }
    }
    return true;
}

// An equal operation in scope, or none after entering this one.
static ir_value find_equal(struct simplifier *s, ir_op_id id) {
    const struct ir_op *op = ir_op_get(simplify_function(s), id);
    if (id.index >= s->op_count || !is_mergeable(op)) {
        return (ir_value){0};
    }
    uint32_t bucket = hash_op(s, op);
    for (uint32_t at = s->buckets[bucket]; at != 0; at = s->chain[at]) {
        const struct ir_op *other = &simplify_function(s)->ops.items[at];
        if (is_same_op(s, op, other) && s->load_epochs[at] == epoch_of(s, op)) {
            return other->first_result;
        }
    }
    s->load_epochs[id.index] = epoch_of(s, op);
    s->chain[id.index] = s->buckets[bucket];
    s->buckets[bucket] = id.index;
    s->scope_stack[s->scope_count++] = bucket;
    return (ir_value){0};
}

static void leave_scope(struct simplifier *s, uint32_t mark) {
    while (s->scope_count > mark) {
        uint32_t bucket = s->scope_stack[--s->scope_count];
        s->buckets[bucket] = s->chain[s->buckets[bucket]];
    }
}

// ---------------------------------------------------------------- the walk

static bool walk_region(struct simplifier *s, ir_region_id region);

static void resolve_operands(struct simplifier *s, ir_op_id id) {
    struct ir_op *op = ir_op_get(simplify_function(s), id);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        op->operands[i] = pass_map_get(&s->map, op->operands[i]);
    }
}

// An input's component, taken out where the input is loaded, so that all branches share one value.
static ir_value share_input(struct simplifier *s, ir_op_id id) {
    struct ir_function *function = simplify_function(s);
    const struct ir_op *op = ir_op_get(function, id);
    const struct ir_op *input = op->opcode == IR_EXTRACT
        ? pass_definition(function, op->operands[0])
        : NULL;
    if (input == NULL || input->opcode != IR_LOAD_INPUT) {
        return (ir_value){0};
    }
    for (uint32_t i = 0; i < s->input_count; i++) {
        if (s->inputs[i].vector.index == op->operands[0].index &&
            s->inputs[i].component == op->data.index) {
            return s->inputs[i].result;
        }
    }
    if (s->input_count < SIMPLIFY_INPUT_LIMIT) {
        s->inputs[s->input_count].vector = op->operands[0];
        s->inputs[s->input_count].component = op->data.index;
        s->inputs[s->input_count++].result = op->first_result;
        ir_op_move_before(function, id, input->next);
    }
    return (ir_value){0};
}

// Computed from constants, lengths of bindings and memory that nobody writes, at places that
// nothing decides: may stand anywhere in the function.
static bool is_fixed_op(const struct simplifier *s, const struct ir_op *op) {
    bool is_pure = (ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) != 0;
    if (op->opcode == IR_LOAD_INPUT || !(is_pure || simplify_is_read_only_load(s, op))) {
        return false;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        ir_value operand = op->operands[i];
        bool is_constant = ir_value_get(simplify_function(s), operand)->kind == IR_VALUE_CONSTANT;
        if (!is_constant && (operand.index >= s->map.count || !s->is_fixed[operand.index])) {
            return false;
        }
    }
    return true;
}

// A fixed operation of a loop's body goes before the loop, and out of the loops around it.
static void hoist_fixed(struct simplifier *s, ir_op_id id) {
    struct ir_function *function = simplify_function(s);
    const struct ir_op *op = ir_op_get(function, id);
    if (op->first_result.index >= s->map.count || !is_fixed_op(s, op)) {
        return;
    }
    s->is_fixed[op->first_result.index] = 1;
    ir_op_id owner = ir_region_get(function, op->parent)->owner;
    ir_op_id loop = {0};
    while (owner.index != 0 && ir_op_get(function, owner)->opcode == IR_LOOP) {
        loop = owner;
        owner = ir_region_get(function, ir_op_get(function, loop)->parent)->owner;
    }
    if (loop.index != 0) {
        ir_op_move_before(function, id, loop);
        s->change_count++;
    }
}

static void walk_plain(struct simplifier *s, ir_op_id id, ir_region_id region) {
    note_writes(s, ir_op_get(simplify_function(s), id));
    ir_value result = ir_op_get(simplify_function(s), id)->first_result;
    if (ir_op_get(simplify_function(s), id)->result_count != 1) {
        return;
    }
    ir_value value = simplify_fold(s, id);
    if (value.index == 0) {
        value = simplify_algebra(s, id);
    }
    if (value.index == 0) {
        value = share_input(s, id);
    }
    if (value.index == 0 && ir_op_get(simplify_function(s), id)->parent.index == region.index) {
        value = find_equal(s, id);
    }
    if (value.index == 0) {
        hoist_fixed(s, id);
    }
    if (value.index != 0 && result.index < s->map.count) {
        pass_map_set(&s->map, result, value);
        ir_op_unlink(simplify_function(s), id);
        s->change_count++;
    }
}

// A continuing region with one way in takes what is passed there: the body's last operation sees
// all that the region may see.
static void bypass_continuing(struct simplifier *s, ir_op_id id) {
    struct ir_function *function = simplify_function(s);
    const struct ir_op *loop = ir_op_get(function, id);
    struct ir_region *continuing = ir_region_get(function, loop->regions[1]);
    ir_op_id last = ir_region_get(function, loop->regions[0])->last;
    struct ir_op *end = ir_op_get(function, last);
    if (continuing->parameter_count == 0 || last.index == 0 || end->opcode != IR_CONTINUE) {
        return;
    }
    // Another `continue` would stand inside a control operation of the body.
    if (!pass_is_only_continue(function, loop->regions[0])) {
        return;
    }
    for (uint32_t i = 0; i < continuing->parameter_count; i++) {
        if (continuing->parameters[i].index >= s->map.count) {
            return;
        }
    }
    for (uint32_t i = 0; i < continuing->parameter_count; i++) {
        pass_map_set(&s->map, continuing->parameters[i], end->operands[i]);
    }
    continuing->parameter_count = 0;
    end->operand_count = 0;
    s->change_count++;
}

// Recursion follows nesting.
static bool has_continue(const struct ir_function *function, ir_region_id region) {
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        if (op->opcode == IR_CONTINUE) {
            return true;
        }
        for (uint32_t i = 0; i < op->region_count && op->opcode != IR_LOOP; i++) {
            if (has_continue(function, op->regions[i])) {
                return true;
            }
        }
    }
    return false;
}

// A continuing region that nothing reaches any more may name values that are gone with the way to it:
// only its end stays, and passes the body's parameters on.
static bool empty_unreached_continuing(struct simplifier *s, ir_op_id id) {
    struct ir_function *function = simplify_function(s);
    ir_region_id body = ir_op_get(function, id)->regions[0];
    ir_region_id continuing = ir_op_get(function, id)->regions[1];
    if (has_continue(function, body)) {
        return true;
    }
    while (ir_region_get(function, continuing)->first.index != 0) {
        pass_remove_op(function, ir_region_get(function, continuing)->first);
    }
    ir_region_get(function, continuing)->parameter_count = 0;
    struct ir_builder b = {.module = s->module, .function = s->function, .region = continuing};
    ir_builder_terminate(&b, IR_NEXT_ITERATION, ir_region_get(function, body)->parameters,
        ir_region_get(function, body)->parameter_count);
    return !s->module->has_failed;
}

static bool walk_control(struct simplifier *s, ir_op_id id, bool *out_is_gone) {
    uint32_t count = ir_op_get(simplify_function(s), id)->region_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t mark = s->scope_count;
        if (ir_op_get(simplify_function(s), id)->opcode == IR_LOOP) {
            forget_loads(s); // the iteration before may have written
        }
        TRY(walk_region(s, ir_op_get(simplify_function(s), id)->regions[i]));
        leave_scope(s, mark);
        if (i == 0 && ir_op_get(simplify_function(s), id)->opcode == IR_LOOP) {
            bypass_continuing(s, id);
            TRY(empty_unreached_continuing(s, id));
        }
    }
    return simplify_after_regions(s, id, out_is_gone);
}

// Recursion follows nesting, bounded by IR_NESTING_LIMIT.
static bool walk_region(struct simplifier *s, ir_region_id region) {
    ir_op_id id = ir_region_get(simplify_function(s), region)->first;
    while (id.index != 0) {
        resolve_operands(s, id);
        bool is_gone = false;
        if (ir_op_get(simplify_function(s), id)->region_count != 0) {
            ir_op_id next = simplify_constant_branch(s, id, &is_gone);
            if (is_gone) {
                id = next;
                continue;
            }
            next = ir_op_get(simplify_function(s), id)->next;
            TRY(walk_control(s, id, &is_gone));
            id = next;
        } else {
            ir_op_id next = ir_op_get(simplify_function(s), id)->next;
            walk_plain(s, id, region);
            id = next;
        }
        if (s->module->has_failed) {
            return false;
        }
    }
    return true;
}

static bool simplify_once(struct ir_module *module, uint32_t index, bool *out_changed) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct simplifier s = {.module = module, .function = index, .scratch = &scratch};
    const struct ir_function *function = &module->functions.items[index];
    s.op_count = (uint32_t)function->ops.count;
    uint32_t buckets = 64;
    while (buckets < s.op_count && buckets < (UINT32_C(1) << 20)) {
        buckets *= 2;
    }
    s.bucket_mask = buckets - 1;
    s.buckets = ARENA_ARRAY(&scratch, uint32_t, buckets);
    s.chain = ARENA_ARRAY(&scratch, uint32_t, s.op_count);
    s.scope_stack = ARENA_ARRAY(&scratch, uint32_t, s.op_count);
    s.load_epochs = ARENA_ARRAY(&scratch, uint32_t, s.op_count);
    s.is_fixed = ARENA_ARRAY(&scratch, uint8_t, function->values.count);
    bool ok = s.is_fixed != NULL && s.load_epochs != NULL && s.buckets != NULL && s.chain != NULL &&
        s.scope_stack != NULL && pass_map_init(&s.map, &scratch, function) &&
        walk_region(&s, function->body);
    if (ok) {
        pass_map_apply(&s.map, &module->functions.items[index]);
    }
    arena_finish(&scratch);
    bool has_removed = false;
    ok = ok && remove_dead_code(module, index, &has_removed);
    *out_changed = s.op_count < LARGE_OPS ? s.change_count != 0 || has_removed
                                          : s.change_count > s.op_count / LARGE_SHARE;
    return ok;
}

enum pass_status pass_simplify(struct ir_module *module) {
    bool ok = !module->has_failed;
    for (uint32_t f = 0; f < module->functions.count && ok; f++) {
        bool has_changed = true;
        for (uint32_t round = 0; round < ROUND_LIMIT && has_changed && ok; round++) {
            ok = simplify_once(module, f, &has_changed) && !module->has_failed;
        }
    }
    return pass_finish(module, ok);
}
