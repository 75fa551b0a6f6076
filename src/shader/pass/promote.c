// SPDX-License-Identifier: MIT
//
// Function variables to values. Control flow is structured, so no dominance is computed: a variable
// that is stored inside a control operation becomes one more result of it and, for a loop, one more
// parameter of its regions. See pass.h.
#include "shader/pass/promote_priv.h"

// Results, parameters and the operands that carry them are made while their number stays within
// this many for each operation of the function, plus a constant: 500 nested loops that store 10,000
// variables, or 5,000 breaks of a loop that stores 5,000 variables, would make millions.
#define OPERANDS_PER_OP 16u
#define OPERANDS_BASE 16384u

static struct ir_function *function_of(const struct promoter *p) {
    return &p->module->functions.items[p->function];
}

// ---------------------------------------------------------------- candidates

static bool is_plain(const struct promoter *p, type_id type) {
    return type_is_scalar(&p->module->types, type) ||
        type_kind_of(&p->module->types, type) == TYPE_VECTOR;
}

static bool add_candidate(struct promoter *p, ir_op_id id, const struct ir_op *op) {
    type_id pointer = ir_value_type(function_of(p), op->first_result);
    type_id type = type_get(&p->module->types, pointer)->element;
    if (!is_plain(p, type)) {
        return true;
    }
    struct promote_slot slot = {.var = id, .region = op->parent, .type = type, .is_promoted = true};
    ir_op_id owner = ir_region_get(function_of(p), op->parent)->owner;
    const struct ir_op *loop = ir_op_get(function_of(p), owner);
    if (owner.index != 0 && loop->opcode == IR_LOOP && loop->regions[0].index == op->parent.index) {
        slot.continuing = loop->regions[1];
    }
    TRY(arena_vector_push(p->scratch, &p->slots, slot));
    p->slot_of[op->first_result.index] = (uint32_t)p->slots.count;
    return true;
}

// Every use must be a load, the pointer of a store, or an access to one component used so.
static bool look_at_uses(struct promoter *p, const struct ir_op *op) {
    for (uint32_t k = 0; k < op->operand_count; k++) {
        uint32_t slot = p->slot_of[op->operands[k].index];
        if (slot == 0) {
            continue;
        }
        struct promote_slot *row = &p->slots.items[slot - 1];
        uint32_t place = p->region_begin[op->parent.index];
        row->is_continued = row->is_continued ||
            (row->continuing.index != 0 && place >= p->region_begin[row->continuing.index] &&
                place < p->region_end[row->continuing.index]);
        bool is_component = promote_component(p, op->operands[k]) != NULL;
        if (op->opcode == IR_STORE && k == 0) {
            struct promote_store store = {.region = op->parent, .next = row->first_store};
            TRY(arena_vector_push(p->scratch, &p->stores, store));
            row->first_store = (uint32_t)p->stores.count;
        } else if (op->opcode == IR_ACCESS && k == 0 && !is_component && op->operand_count == 2) {
            p->slot_of[op->first_result.index] = slot;
        } else if (op->opcode != IR_LOAD) {
            row->is_promoted = false;
        }
    }
    return true;
}

static bool find_candidates(struct promoter *p) {
    for (uint32_t r = 0; r < p->region_count; r++) {
        const struct ir_function *function = function_of(p);
        for (ir_op_id id = function->regions.items[p->regions[r]].first; id.index != 0;
             id = ir_op_get(function, id)->next) {
            const struct ir_op *op = ir_op_get(function, id);
            TRY(op->opcode == IR_VAR ? add_candidate(p, id, op) : look_at_uses(p, op));
        }
    }
    return true;
}

// -------------------------------------------------------------- what each control operation stores

// Enters the slot in the lists of all control operations between its stores and its variable.
static bool enter_slot(struct promoter *p, uint32_t slot, uint64_t limit) {
    const struct ir_function *function = function_of(p);
    const struct promote_slot *row = &p->slots.items[slot];
    size_t before = p->entries.count;
    uint64_t weight = p->weight;
    if (row->is_continued) {
        weight += p->exit_counts[ir_region_get(function, row->continuing)->owner.index];
    }
    for (uint32_t s = row->first_store; s != 0; s = p->stores.items[s - 1].next) {
        ir_region_id region = p->stores.items[s - 1].region;
        while (region.index != row->region.index) {
            ir_op_id owner = ir_region_get(function, region)->owner;
            if (owner.index == 0 || region.index == row->continuing.index ||
                p->entered[owner.index] == slot + 1) {
                break; // the variable's loop, or its owners were entered with it
            }
            p->entered[owner.index] = slot + 1;
            struct promote_entry entry = {.slot = slot, .op = owner};
            TRY(arena_vector_push(p->scratch, &p->entries, entry));
            weight += 2u + p->exit_counts[owner.index];
            region = ir_op_get(function, owner)->parent;
        }
    }
    if (weight > limit) {
        p->entries.count = before;
        p->slots.items[slot].is_promoted = false;
    } else {
        p->weight = weight;
    }
    return true;
}

// Variables of a loop's body that its continuing region uses.
static bool list_continued(struct promoter *p) {
    p->continued = ARENA_ARRAY(p->scratch, uint32_t, function_of(p)->ops.count);
    p->next_continued = ARENA_ARRAY(p->scratch, uint32_t, p->slots.count + 1);
    TRY(p->continued != NULL && p->next_continued != NULL);
    for (uint32_t i = 0; i < p->slots.count; i++) {
        const struct promote_slot *slot = &p->slots.items[i];
        if (slot->is_promoted && slot->is_continued) {
            ir_op_id loop = ir_region_get(function_of(p), slot->continuing)->owner;
            p->next_continued[i] = p->continued[loop.index];
            p->continued[loop.index] = i + 1;
        }
    }
    return true;
}

static void count_exit(struct promoter *p, const struct ir_op *op, ir_op_id owner,
    const struct promote_context *context) {
    ir_op_id target = op->opcode == IR_EXIT_IF ? owner
        : op->opcode == IR_EXIT_SWITCH         ? context->switch_op
                                               : context->loop;
    p->exit_counts[target.index]++;
}

// Numbers the regions so that what is inside one lies between its begin and its end, and counts the
// exits of control operations. Recursion follows nesting.
static uint32_t number_regions(
    struct promoter *p, ir_region_id region, uint32_t next, const struct promote_context *context) {
    const struct ir_function *function = function_of(p);
    p->region_begin[region.index] = next++;
    for (ir_op_id id = ir_region_get(function, region)->first; id.index != 0;
         id = ir_op_get(function, id)->next) {
        const struct ir_op *op = ir_op_get(function, id);
        if ((ir_op_get_info(op->opcode)->flags & IR_FLAG_TERMINATOR) != 0) {
            count_exit(p, op, ir_region_get(function, region)->owner, context);
        }
        struct promote_context inner = *context;
        if (op->opcode == IR_LOOP) {
            inner.loop = id;
        } else if (op->opcode == IR_SWITCH) {
            inner.switch_op = id;
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            next = number_regions(p, op->regions[i], next, &inner);
        }
    }
    p->region_end[region.index] = next;
    return next;
}

// The lists, as ranges of one array ordered by operation.
static bool list_entries(struct promoter *p) {
    size_t op_count = function_of(p)->ops.count;
    p->entered = ARENA_ARRAY(p->scratch, uint32_t, op_count);
    p->first = ARENA_ARRAY(p->scratch, uint32_t, op_count + 1);
    TRY(p->entered != NULL && p->first != NULL);
    uint64_t limit = (uint64_t)op_count * OPERANDS_PER_OP + OPERANDS_BASE;
    for (uint32_t i = 0; i < p->slots.count; i++) {
        if (p->slots.items[i].is_promoted) {
            TRY(enter_slot(p, i, limit));
        }
    }
    for (size_t i = 0; i < p->entries.count; i++) {
        p->first[p->entries.items[i].op.index + 1]++;
    }
    for (size_t i = 0; i < op_count; i++) {
        p->first[i + 1] += p->first[i];
    }
    p->list = ARENA_ARRAY(p->scratch, uint32_t, p->entries.count + 1);
    uint32_t *fill = arena_copy(p->scratch, p->first, (op_count + 1) * sizeof(uint32_t));
    TRY(p->list != NULL && fill != NULL);
    for (size_t i = 0; i < p->entries.count; i++) {
        p->list[fill[p->entries.items[i].op.index]++] = p->entries.items[i].slot;
    }
    return true;
}

static bool promote_function(struct promoter *p) {
    struct ir_function *function = function_of(p);
    p->value_count = (uint32_t)function->values.count;
    p->slot_of = ARENA_ARRAY(p->scratch, uint32_t, p->value_count);
    p->regions = pass_list_regions(function, p->scratch, &p->region_count);
    TRY(p->slot_of != NULL && p->regions != NULL);
    p->region_begin = ARENA_ARRAY(p->scratch, uint32_t, function->regions.count);
    p->region_end = ARENA_ARRAY(p->scratch, uint32_t, function->regions.count);
    TRY(p->region_begin != NULL && p->region_end != NULL);
    p->exit_counts = ARENA_ARRAY(p->scratch, uint32_t, function->ops.count);
    TRY(p->exit_counts != NULL);
    struct promote_context context = {0};
    number_regions(p, function->body, 1, &context);
    TRY(find_candidates(p));
    if (p->slots.count == 0) {
        return true;
    }
    TRY(list_entries(p));
    TRY(list_continued(p));
    TRY(pass_map_init(&p->map, p->scratch, function));
    p->current = ARENA_ARRAY(p->scratch, ir_value, p->slots.count + 1);
    TRY(p->current != NULL);
    p->old_op_count = (uint32_t)function->ops.count;
    TRY(promote_region(p, function->body, &context));
    pass_map_apply(&p->map, function_of(p));
    return true;
}

enum pass_status pass_promote(struct ir_module *module) {
    bool ok = !module->has_failed;
    for (uint32_t f = 0; f < module->functions.count && ok; f++) {
        struct arena scratch;
        arena_init(&scratch, MEMORY_COMPILE);
        struct promoter p = {.module = module, .function = f, .scratch = &scratch};
        ok = promote_function(&p) && !module->has_failed;
        arena_finish(&scratch);
    }
    return pass_finish(module, ok);
}
