// SPDX-License-Identifier: MIT
//
// The affine analysis as an optimistic worklist over integer values: facts start at "not reached"
// and only weaken, each value a bounded number of times, so the cost is linear even for nested
// loops. analysis_affine_transfer.c knows the single operations. See analysis_affine.h.
#include "shader/ir/analysis_affine.h"

#include "base/try.h"
#include "shader/ir/analysis_affine_transfer.h"

// After so many changes a joined value's range is widened; after twice as many any value gives up.
#define WIDEN_AFTER 3u
#define GIVE_UP_AFTER 24u

struct link {
    uint32_t value;
    uint32_t next; // index + 1; 0 ends the list
};

// A loop counter: the body parameter grows by a positive constant, and only while it is below
// `bound`.
struct counter {
    ir_value bound;
    uint32_t step;
    bool is_inclusive; // grows while <= bound
};

struct analysis {
    const struct ir_module *module;
    const struct ir_uniformity_options *options;
    const struct ir_function *function;
    const struct ir_function_uniformity *uniformity;
    const struct ir_entry_point *entry_point;
    struct arena *scratch;
    struct affine_fact *facts;  // by value
    uint8_t *changes;           // by value
    uint8_t *is_choice_uniform; // by value: joins of this value choose the same in all lanes
    uint32_t *users;            // by value: list of values computed from it
    uint32_t *incoming;         // by joined value: list of the values it may be
    uint32_t *counters;         // by body parameter: index + 1 into counter_items
    VECTOR(struct link) links;
    VECTOR(struct counter) counter_items;
    uint32_t *queue; // ring of values
    uint8_t *is_queued;
};

static bool is_integer(const struct analysis *a, ir_value value) {
    enum type_kind kind = type_kind_of(&a->module->types, ir_value_type(a->function, value));
    return kind == TYPE_I32 || kind == TYPE_U32;
}
static bool is_signed(const struct analysis *a, ir_value value) {
    return type_kind_of(&a->module->types, ir_value_type(a->function, value)) == TYPE_I32;
}
static const struct ir_op *definition(const struct analysis *a, ir_value value) {
    const struct ir_value_info *info = ir_value_get(a->function, value);
    return info->kind == IR_VALUE_RESULT ? &a->function->ops.items[info->definition] : NULL;
}

static bool add_link(struct analysis *a, uint32_t *head, ir_value value) {
    struct link link = {.value = value.index, .next = *head};
    TRY(arena_vector_push(a->scratch, &a->links, link));
    *head = (uint32_t)a->links.count;
    return true;
}
static bool add_incoming(struct analysis *a, ir_value joined, ir_value source) {
    if (!is_integer(a, joined)) {
        return true;
    }
    TRY(add_link(a, &a->incoming[joined.index], source));
    return add_link(a, &a->users[source.index], joined);
}

// ---------------------------------------------------------------- facts of single values

// One component of an invocation id. x, y and z of local ids count through the index in this order.
static struct affine_fact local_id_fact(const struct analysis *a, uint32_t component) {
    const uint32_t *size = a->options->workgroup_size;
    uint32_t width = a->options->vector_width;
    struct affine_fact fact = affine_unknown(false);
    fact.v.low = 0;
    fact.v.high = (int64_t)size[component] - 1;
    uint64_t before = component == 0 ? 1 : size[0];
    before *= component == 2 ? size[1] : 1;
    uint64_t after = (component == 0 ? size[1] : 1) * (uint64_t)(component == 2 ? 1 : size[2]);
    if (size[component] == 1) {
        return affine_constant(false, 0);
    }
    if (component == 0 && (size[0] % width == 0 || (size[1] == 1 && size[2] == 1))) {
        fact.v.is_affine = true;
        fact.v.stride = 1;
        fact.v.base_alignment = width;
    } else if (component != 0 && before % width == 0) {
        fact.v.is_affine = true;
    } else if (before == 1 && (size[component] % width == 0 || after == 1)) {
        fact.v.is_affine = true; // all dimensions before it have size 1: it counts the lanes
        fact.v.stride = 1;
        fact.v.base_alignment = width;
    }
    return fact;
}

static struct affine_fact builtin_fact(
    const struct analysis *a, enum builtin_value builtin, uint32_t component) {
    const uint32_t *size = a->options->workgroup_size;
    uint32_t width = a->options->vector_width;
    struct affine_fact fact = affine_unknown(false);
    uint64_t total = (uint64_t)size[0] * size[1] * size[2];
    struct affine_fact factor;
    switch (builtin) {
    case BUILTIN_VALUE_LOCAL_INVOCATION_ID:
        return local_id_fact(a, component);
    case BUILTIN_VALUE_GLOBAL_INVOCATION_ID: {
        struct affine_fact local = local_id_fact(a, component);
        factor = affine_constant(false, size[component]);
        fact.v.is_affine = local.v.is_affine;
        fact.v.stride = local.v.stride;
        fact.v.base_alignment = local.v.base_alignment < factor.v.base_alignment
            ? local.v.base_alignment
            : factor.v.base_alignment;
        return fact;
    }
    case BUILTIN_VALUE_LOCAL_INVOCATION_INDEX:
        fact.v = (struct ir_affine_value){
            .is_affine = true, .stride = 1, .base_alignment = width, .high = (int64_t)total - 1};
        return fact;
    case BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX:
        factor = affine_constant(false, (uint32_t)total);
        fact.v.is_affine = true;
        fact.v.stride = 1;
        fact.v.base_alignment = width < factor.v.base_alignment ? width : factor.v.base_alignment;
        return fact;
    default:
        return fact;
    }
}

static struct affine_fact input_fact(const struct analysis *a, uint32_t input, uint32_t component) {
    if (a->entry_point == NULL || input >= a->entry_point->input_count ||
        !a->entry_point->inputs[input].is_builtin || component > 2) {
        return affine_unknown(false);
    }
    return builtin_fact(a, a->entry_point->inputs[input].builtin, component);
}

static struct affine_fact select_fact(const struct analysis *a, const struct ir_op *op, bool sign) {
    bool is_uniform = a->uniformity->values[op->operands[2].index] != IR_VARYING ||
        op->operands[0].index == op->operands[1].index;
    const struct affine_fact *x = &a->facts[op->operands[0].index];
    const struct affine_fact *y = &a->facts[op->operands[1].index];
    if (!x->is_reached || !y->is_reached) {
        return (struct affine_fact){0};
    }
    return affine_join(x, y, is_uniform, sign);
}

static struct affine_fact operation_fact(
    const struct analysis *a, ir_value value, const struct ir_op *op) {
    bool sign = is_signed(a, value);
    const struct ir_affine_value *operands[4] = {0};
    if ((op->opcode == IR_EXTRACT || op->opcode == IR_SWIZZLE) &&
        definition(a, op->operands[0]) != NULL &&
        definition(a, op->operands[0])->opcode == IR_LOAD_INPUT && !sign) {
        return input_fact(a, definition(a, op->operands[0])->data.index,
            op->opcode == IR_EXTRACT ? op->data.index : op->data.swizzle[0]);
    }
    if (op->opcode == IR_LOAD_INPUT && !sign) {
        return input_fact(a, op->data.index, 0);
    }
    if (op->opcode == IR_SELECT) {
        return select_fact(a, op, sign);
    }
    if ((ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) == 0 || op->operand_count > 4) {
        return affine_unknown(sign);
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (is_integer(a, op->operands[i])) {
            if (!a->facts[op->operands[i].index].is_reached) {
                return (struct affine_fact){0};
            }
            operands[i] = &a->facts[op->operands[i].index].v;
        }
    }
    return affine_transfer(op->opcode, sign, operands, op->operand_count, a->options->vector_width);
}

// The range that a counter reaches from its start: growing stops at the bound.
static struct affine_fact counted_fact(
    const struct analysis *a, ir_value parameter, const struct affine_fact *next) {
    const struct counter *counter = &a->counter_items.items[a->counters[parameter.index] - 1];
    struct affine_fact fact = *next;
    const struct affine_fact *bound = &a->facts[counter->bound.index];
    if (!fact.is_reached || !bound->is_reached) {
        return fact;
    }
    int64_t high = bound->v.high - (counter->is_inclusive ? 0 : 1) + counter->step;
    int64_t limit = is_signed(a, parameter) ? INT32_MAX : (int64_t)UINT32_MAX;
    if (high <= limit) {
        // The start may lie above the bound already: then nothing grows.
        fact.v.high = high;
        fact.v.low = fact.v.low < high ? fact.v.low : high;
    }
    return fact;
}

static struct affine_fact joined_fact(const struct analysis *a, ir_value value) {
    struct affine_fact fact = {0};
    bool sign = is_signed(a, value);
    for (uint32_t at = a->incoming[value.index]; at != 0; at = a->links.items[at - 1].next) {
        struct affine_fact source = a->facts[a->links.items[at - 1].value];
        if (a->counters[value.index] != 0 && a->links.items[at - 1].next != 0) {
            // The initial value was linked first, so it stands last in the list.
            source = counted_fact(a, value, &source);
        }
        fact = affine_join(&fact, &source, a->is_choice_uniform[value.index] != 0, sign);
    }
    return fact;
}

static struct affine_fact evaluate(const struct analysis *a, ir_value value) {
    const struct ir_value_info *info = ir_value_get(a->function, value);
    bool sign = is_signed(a, value);
    struct affine_fact fact = affine_unknown(sign);
    if (info->kind == IR_VALUE_CONSTANT) {
        const uint32_t *bits = a->module->constants.items[info->definition].bytes;
        return affine_constant(sign, bits == NULL ? 0 : *bits);
    }
    if (a->incoming[value.index] != 0) {
        fact = joined_fact(a, value);
    } else if (info->kind == IR_VALUE_RESULT) {
        fact = operation_fact(a, value, &a->function->ops.items[info->definition]);
    }
    if (fact.is_reached && !fact.v.is_affine && a->uniformity->values[value.index] != IR_VARYING) {
        fact.v.is_affine = true;
        fact.v.stride = 0;
    }
    return fact;
}

// ---------------------------------------------------------------- the graph

static bool link_operands(struct analysis *a, const struct ir_op *op) {
    if ((ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) == 0 || op->result_count != 1 ||
        !is_integer(a, op->first_result)) {
        return true;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (is_integer(a, op->operands[i])) {
            TRY(add_link(a, &a->users[op->operands[i].index], op->first_result));
        }
    }
    return true;
}

static bool link_exits(
    struct analysis *a, const struct ir_op *exit, uint32_t first, const struct ir_op *owner) {
    for (uint32_t i = 0; i < owner->result_count && first + i < exit->operand_count; i++) {
        TRY(add_incoming(a, ir_op_result(owner, i), exit->operands[first + i]));
    }
    return true;
}

static bool link_parameters(struct analysis *a, const struct ir_op *op, uint32_t first,
    uint32_t count, ir_region_id region_id) {
    const struct ir_region *region = ir_region_get(a->function, region_id);
    for (uint32_t i = 0; i < count && i < region->parameter_count; i++) {
        TRY(add_incoming(a, region->parameters[i], op->operands[first + i]));
    }
    return true;
}

static void mark_choice(struct analysis *a, const struct ir_op *op, ir_op_id id) {
    bool is_uniform = a->uniformity->operations[id.index] != IR_VARYING;
    if (op->opcode == IR_IF && !is_uniform) {
        // One exit, or the same value on both, is no choice.
        const struct ir_op *exits[2] = {NULL, NULL};
        for (uint32_t i = 0; i < 2 && i < op->region_count; i++) {
            ir_op_id last = ir_region_get(a->function, op->regions[i])->last;
            if (last.index != 0 && ir_op_get(a->function, last)->opcode == IR_EXIT_IF) {
                exits[i] = ir_op_get(a->function, last);
            }
        }
        for (uint32_t r = 0; r < op->result_count; r++) {
            a->is_choice_uniform[ir_op_result(op, r).index] = exits[0] == NULL ||
                exits[1] == NULL || exits[0]->operands[r].index == exits[1]->operands[r].index;
        }
        return;
    }
    for (uint32_t r = 0; r < op->result_count; r++) {
        a->is_choice_uniform[ir_op_result(op, r).index] = is_uniform;
    }
    if (op->opcode == IR_LOOP) {
        const struct ir_region *body = ir_region_get(a->function, op->regions[0]);
        const struct ir_region *continuing = ir_region_get(a->function, op->regions[1]);
        // All active lanes take the same iteration: the body's parameters come from one place.
        for (uint32_t i = 0; i < body->parameter_count; i++) {
            a->is_choice_uniform[body->parameters[i].index] = 1;
        }
        for (uint32_t i = 0; i < continuing->parameter_count; i++) {
            a->is_choice_uniform[continuing->parameters[i].index] = is_uniform;
        }
    }
}

struct context {
    ir_op_id loop;
    ir_op_id switch_op;
};

static bool visit_terminator(
    struct analysis *a, const struct ir_op *op, ir_op_id owner_id, const struct context *context) {
    const struct ir_op *loop = ir_op_get(a->function, context->loop);
    switch (op->opcode) {
    case IR_EXIT_IF:
        return link_exits(a, op, 0, ir_op_get(a->function, owner_id));
    case IR_EXIT_SWITCH:
        return link_exits(a, op, 0, ir_op_get(a->function, context->switch_op));
    case IR_EXIT_LOOP:
        return link_exits(a, op, 0, loop);
    case IR_CONTINUE:
        return link_parameters(a, op, 0, op->operand_count, loop->regions[1]);
    case IR_NEXT_ITERATION:
        return link_parameters(a, op, 0, op->operand_count, loop->regions[0]);
    case IR_BREAK_IF:
        TRY(link_parameters(a, op, 1, op->data.break_if.body_argument_count, loop->regions[0]));
        return link_exits(a, op, 1 + op->data.break_if.body_argument_count, loop);
    default:
        return true;
    }
}

// ---------------------------------------------------------------- loop counters

// The region leaves the loop by all its paths.
static bool is_leaving(const struct analysis *a, ir_region_id region) {
    for (ir_op_id id = ir_region_get(a->function, region)->first; id.index != 0;
         id = ir_op_get(a->function, id)->next) {
        if (ir_op_get(a->function, id)->region_count != 0) {
            return false; // a `continue` may stand inside
        }
    }
    ir_op_id last = ir_region_get(a->function, region)->last;
    enum ir_opcode opcode = last.index == 0 ? IR_EXIT_IF : ir_op_get(a->function, last)->opcode;
    return opcode == IR_EXIT_LOOP || opcode == IR_RETURN;
}

// The body's first branch: `parameter < bound` (or <=) holds for whatever follows it in the body.
static bool read_guard(const struct analysis *a, const struct ir_op *loop, ir_value *out_parameter,
    struct counter *out_counter) {
    const struct ir_op *branch = NULL;
    const struct ir_region *body = ir_region_get(a->function, loop->regions[0]);
    for (ir_op_id id = body->first; id.index != 0 && branch == NULL;
         id = ir_op_get(a->function, id)->next) {
        const struct ir_op *op = ir_op_get(a->function, id);
        branch = op->region_count != 0 ? op : NULL;
    }
    if (branch == NULL || branch->opcode != IR_IF) {
        return false;
    }
    bool is_negated = is_leaving(a, branch->regions[0]);
    if (!is_negated && !is_leaving(a, branch->regions[1])) {
        return false;
    }
    const struct ir_op *condition = definition(a, branch->operands[0]);
    while (condition != NULL && condition->opcode == IR_NOT) {
        is_negated = !is_negated;
        condition = definition(a, condition->operands[0]);
    }
    if (condition == NULL || condition->operand_count != 2) {
        return false;
    }
    enum ir_opcode opcode = condition->opcode;
    bool is_less = opcode == IR_LT_S || opcode == IR_LT_U;
    bool is_less_equal = opcode == IR_LE_S || opcode == IR_LE_U;
    bool is_greater = opcode == IR_GT_S || opcode == IR_GT_U;
    bool is_greater_equal = opcode == IR_GE_S || opcode == IR_GE_U;
    // p < b, !(p >= b), b > p, !(b <= p): exclusive; p <= b, !(p > b), b >= p, !(b < p): inclusive.
    bool is_first = is_negated ? is_greater_equal || is_greater : is_less || is_less_equal;
    bool is_second = is_negated ? is_less || is_less_equal : is_greater || is_greater_equal;
    if (!is_first && !is_second) {
        return false;
    }
    *out_parameter = condition->operands[is_first ? 0 : 1];
    out_counter->bound = condition->operands[is_first ? 1 : 0];
    out_counter->is_inclusive = is_negated ? is_greater || is_less
                                           : is_less_equal || is_greater_equal;
    return true;
}

// The constant that the loop adds to body parameter `position` on its way to the next iteration, 0
// when it is something else. `continue` may pass the parameter on.
static uint32_t read_step(const struct analysis *a, const struct ir_op *loop, uint32_t position) {
    const struct ir_region *body = ir_region_get(a->function, loop->regions[0]);
    const struct ir_region *continuing = ir_region_get(a->function, loop->regions[1]);
    if (continuing->last.index == 0) {
        return 0;
    }
    const struct ir_op *last = ir_op_get(a->function, continuing->last);
    uint32_t first = last->opcode == IR_BREAK_IF ? 1 : 0;
    if (first + position >= last->operand_count) {
        return 0;
    }
    const struct ir_op *add = definition(a, last->operands[first + position]);
    if (add == NULL || add->opcode != IR_ADD_I) {
        return 0;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const struct ir_value_info *step = ir_value_get(a->function, add->operands[1 - i]);
        if (step->kind != IR_VALUE_CONSTANT) {
            continue;
        }
        ir_value counted = add->operands[i];
        if (ir_value_get(a->function, counted)->kind == IR_VALUE_REGION_PARAMETER &&
            ir_value_get(a->function, counted)->definition == loop->regions[1].index) {
            // A parameter of the continuing region: every `continue` must pass the body's.
            uint32_t at = a->incoming[counted.index];
            if (at == 0 || a->links.items[at - 1].next != 0) {
                return 0;
            }
            counted = (ir_value){a->links.items[at - 1].value};
        }
        const uint32_t *bits = a->module->constants.items[step->definition].bytes;
        if (counted.index == body->parameters[position].index && bits != NULL &&
            *bits <= (uint32_t)INT32_MAX) {
            return *bits;
        }
    }
    return 0;
}

static bool find_counter(struct analysis *a, const struct ir_op *loop) {
    struct counter counter = {0};
    ir_value parameter = {0};
    if (!read_guard(a, loop, &parameter, &counter) || !is_integer(a, parameter)) {
        return true;
    }
    const struct ir_value_info *info = ir_value_get(a->function, parameter);
    if (info->kind != IR_VALUE_REGION_PARAMETER || info->definition != loop->regions[0].index) {
        return true;
    }
    counter.step = read_step(a, loop, info->position);
    if (counter.step == 0) {
        return true;
    }
    TRY(arena_vector_push(a->scratch, &a->counter_items, counter));
    a->counters[parameter.index] = (uint32_t)a->counter_items.count;
    return add_link(a, &a->users[counter.bound.index], parameter);
}

// ---------------------------------------------------------------- propagation

// From here on the fact only grows, in few steps.
static void widen(struct affine_fact *fact, const struct affine_fact *old, bool sign) {
    struct affine_fact full = affine_unknown(sign);
    if (fact->v.low < old->v.low) {
        fact->v.low = fact->v.low >= 0 ? 0 : full.v.low;
    } else {
        fact->v.low = old->v.low;
    }
    fact->v.high = fact->v.high > old->v.high ? full.v.high : old->v.high;
}

static bool is_same_fact(const struct affine_fact *a, const struct affine_fact *b) {
    return a->is_reached == b->is_reached && a->v.is_affine == b->v.is_affine &&
        a->v.stride == b->v.stride && a->v.base_alignment == b->v.base_alignment &&
        a->v.low == b->v.low && a->v.high == b->v.high;
}

// Re-evaluates a value; true when its fact changed.
static bool update(struct analysis *a, ir_value value) {
    struct affine_fact *old = &a->facts[value.index];
    if (a->changes[value.index] > GIVE_UP_AFTER) {
        return false;
    }
    struct affine_fact fact = evaluate(a, value);
    if (is_same_fact(&fact, old) || !fact.is_reached) {
        return false;
    }
    a->changes[value.index]++;
    if (a->changes[value.index] > GIVE_UP_AFTER) {
        fact = affine_unknown(is_signed(a, value));
        fact.v.is_affine = a->uniformity->values[value.index] != IR_VARYING;
    } else if (old->is_reached && a->changes[value.index] > WIDEN_AFTER &&
        a->incoming[value.index] != 0) {
        widen(&fact, old, is_signed(a, value));
    }
    if (is_same_fact(&fact, old)) {
        return false;
    }
    *old = fact;
    return true;
}

static void propagate(struct analysis *a) {
    uint32_t capacity = (uint32_t)a->function->values.count;
    uint32_t begin = 0;
    uint32_t count = 0;
    for (uint32_t v = 1; v < capacity; v++) {
        if (is_integer(a, (ir_value){v})) {
            a->queue[count++] = v;
            a->is_queued[v] = 1;
        }
    }
    while (count != 0) {
        uint32_t v = a->queue[begin];
        begin = begin + 1 == capacity ? 0 : begin + 1;
        count--;
        a->is_queued[v] = 0;
        if (!update(a, (ir_value){v})) {
            continue;
        }
        for (uint32_t at = a->users[v]; at != 0; at = a->links.items[at - 1].next) {
            uint32_t user = a->links.items[at - 1].value;
            if (!a->is_queued[user]) {
                a->is_queued[user] = 1;
                uint64_t end = (uint64_t)begin + count;
                a->queue[end >= capacity ? end - capacity : end] = user;
                count++;
            }
        }
    }
}

static bool visit_region(struct analysis *a, ir_region_id region, ir_op_id owner,
    const struct context *context, uint32_t *list, struct context *contexts, uint32_t *list_count) {
    for (ir_op_id id = ir_region_get(a->function, region)->first; id.index != 0;
         id = ir_op_get(a->function, id)->next) {
        const struct ir_op *op = ir_op_get(a->function, id);
        uint32_t flags = ir_op_get_info(op->opcode)->flags;
        if ((flags & IR_FLAG_TERMINATOR) != 0) {
            TRY(visit_terminator(a, op, owner, context));
            continue;
        }
        TRY(link_operands(a, op));
        if (op->region_count == 0) {
            continue;
        }
        mark_choice(a, op, id);
        struct context inner = *context;
        if (op->opcode == IR_LOOP) {
            inner = (struct context){.loop = id};
            TRY(link_parameters(a, op, 0, op->operand_count, op->regions[0]));
        } else if (op->opcode == IR_SWITCH) {
            inner.switch_op = id;
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            contexts[*list_count] = inner;
            list[(*list_count)++] = op->regions[i].index;
        }
    }
    return true;
}

static bool visit_function(struct analysis *a) {
    size_t region_count = a->function->regions.count;
    uint32_t *list = ARENA_ARRAY(a->scratch, uint32_t, region_count);
    struct context *contexts = ARENA_ARRAY(a->scratch, struct context, region_count);
    if (list == NULL || contexts == NULL) {
        return false;
    }
    uint32_t count = 1;
    list[0] = a->function->body.index;
    for (uint32_t at = 0; at < count; at++) {
        ir_op_id owner = a->function->regions.items[list[at]].owner;
        struct context context = contexts[at];
        TRY(visit_region(a, (ir_region_id){list[at]}, owner, &context, list, contexts, &count));
    }
    // The counters need all the links of `continue`.
    for (uint32_t at = 0; at < count; at++) {
        ir_op_id owner = a->function->regions.items[list[at]].owner;
        const struct ir_op *op = ir_op_get(a->function, owner);
        if (owner.index != 0 && op->opcode == IR_LOOP && op->regions[0].index == list[at]) {
            TRY(find_counter(a, op));
        }
    }
    propagate(a);
    return true;
}

static bool analyse_function(
    struct analysis *a, uint32_t index, struct arena *arena, struct ir_function_affine *out) {
    a->function = &a->module->functions.items[index];
    a->entry_point = NULL;
    for (uint32_t i = 0; i < a->module->entry_points.count; i++) {
        if (a->module->entry_points.items[i].function == index) {
            a->entry_point = &a->module->entry_points.items[i];
        }
    }
    size_t count = a->function->values.count;
    a->facts = ARENA_ARRAY(a->scratch, struct affine_fact, count);
    a->changes = ARENA_ARRAY(a->scratch, uint8_t, count);
    a->is_choice_uniform = ARENA_ARRAY(a->scratch, uint8_t, count);
    a->users = ARENA_ARRAY(a->scratch, uint32_t, count);
    a->incoming = ARENA_ARRAY(a->scratch, uint32_t, count);
    a->counters = ARENA_ARRAY(a->scratch, uint32_t, count);
    a->queue = ARENA_ARRAY(a->scratch, uint32_t, count);
    a->is_queued = ARENA_ARRAY(a->scratch, uint8_t, count);
    struct ir_affine_value *values = ARENA_ARRAY(arena, struct ir_affine_value, count);
    if (a->facts == NULL || a->changes == NULL || a->is_choice_uniform == NULL ||
        a->users == NULL || a->incoming == NULL || a->counters == NULL || a->queue == NULL ||
        a->is_queued == NULL || values == NULL) {
        return false;
    }
    TRY(visit_function(a));
    for (uint32_t v = 1; v < count; v++) {
        if (is_integer(a, (ir_value){v})) {
            // A value that nothing reaches is never computed.
            struct affine_fact fact = a->facts[v];
            values[v] = fact.is_reached ? fact.v : affine_unknown(is_signed(a, (ir_value){v})).v;
        }
    }
    out->values = values;
    return true;
}

bool ir_affine_analyse(const struct ir_module *module, const struct ir_uniformity_options *options,
    const struct ir_uniformity *uniformity, struct arena *arena, struct ir_affine *out_affine) {
    if (module->has_failed) {
        return false;
    }
    out_affine->function_count = (uint32_t)module->functions.count;
    out_affine->functions = ARENA_ARRAY(
        arena, struct ir_function_affine, out_affine->function_count + 1u);
    bool ok = out_affine->functions != NULL;
    for (uint32_t f = 0; f < out_affine->function_count && ok; f++) {
        struct arena scratch;
        arena_init(&scratch, MEMORY_COMPILE);
        struct analysis a = {.module = module,
            .options = options,
            .uniformity = &uniformity->functions[f],
            .scratch = &scratch};
        ok = analyse_function(&a, f, arena, &out_affine->functions[f]);
        arena_finish(&scratch);
    }
    return ok;
}
