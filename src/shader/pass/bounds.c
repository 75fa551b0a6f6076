// SPDX-License-Identifier: MIT
//
// Proves indices in range. Ranges of single values come from ir/analysis_affine; this walk adds
// what the conditions around a place say: ranges that a comparison narrows, and indices below an
// array_length. See pass.h.
#include "base/vector.h"
#include "shader/ir/analysis_affine.h"
#include "shader/ir/analysis_affine_transfer.h"
#include "shader/pass/pass_priv.h"

// How far an index is re-evaluated with narrowed operands.
#define EVALUATION_DEPTH 4u

struct range {
    int64_t low;
    int64_t high;
};

// `value` is less than `bound` at this place, both read as unsigned.
struct below {
    uint32_t value;
    uint32_t bound;
    uint32_t next; // of the same value: index + 1
};

struct undo {
    uint32_t value;
    struct range range;
};

struct prover {
    struct ir_module *module;
    struct ir_function *function;
    const struct ir_affine_value *affine;
    struct arena *scratch;
    struct range *ranges; // by value, at this place
    uint32_t *below;      // by value: index + 1 into facts
    VECTOR(struct below) facts;
    VECTOR(struct undo) undos;
};

static bool is_integer(const struct prover *p, ir_value value) {
    uint32_t type = ir_value_type(p->function, value).index;
    return type == TYPE_I32 || type == TYPE_U32;
}

// ---------------------------------------------------------------- ranges

static struct range intersect(struct range a, struct range b) {
    struct range both = {a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    return both.low <= both.high ? both : a; // contradictory: the place is never reached
}

static struct range range_of(const struct prover *p, ir_value value, uint32_t depth) {
    struct range range = p->ranges[value.index];
    const struct ir_op *op = pass_definition(p->function, value);
    if (depth == 0 || op == NULL || op->operand_count == 0 || op->operand_count > 3 ||
        op->region_count != 0 || (ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) == 0) {
        return range;
    }
    struct ir_affine_value values[3] = {{0}};
    const struct ir_affine_value *operands[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (!is_integer(p, op->operands[i])) {
            return range;
        }
        struct range operand = range_of(p, op->operands[i], depth - 1);
        values[i] = (struct ir_affine_value){
            .base_alignment = 1, .low = operand.low, .high = operand.high};
        operands[i] = &values[i];
    }
    bool is_signed = ir_value_type(p->function, value).index == TYPE_I32;
    struct affine_fact fact = affine_transfer(
        op->opcode, is_signed, operands, op->operand_count, 1);
    return intersect(range, (struct range){fact.v.low, fact.v.high});
}

static bool narrow(struct prover *p, ir_value value, struct range range) {
    struct undo undo = {value.index, p->ranges[value.index]};
    TRY(arena_vector_push(p->scratch, &p->undos, undo));
    p->ranges[value.index] = intersect(p->ranges[value.index], range);
    return true;
}

// ---------------------------------------------------------------- conditions

// a < b, or a <= b when is_inclusive.
static bool assume_less(struct prover *p, ir_value a, ir_value b, bool is_inclusive) {
    int64_t gap = is_inclusive ? 0 : 1;
    struct range left = range_of(p, a, 1);
    struct range right = range_of(p, b, 1);
    TRY(narrow(p, a, (struct range){left.low, right.high - gap}));
    TRY(narrow(p, b, (struct range){left.low + gap, right.high}));
    bool is_signed = ir_value_type(p->function, a).index == TYPE_I32;
    if (is_inclusive || (is_signed && left.low < 0)) {
        return true;
    }
    struct below fact = {a.index, b.index, p->below[a.index]};
    TRY(arena_vector_push(p->scratch, &p->facts, fact));
    p->below[a.index] = (uint32_t)p->facts.count;
    return true;
}

static bool assume_equal(struct prover *p, ir_value a, ir_value b) {
    struct range left = range_of(p, a, 1);
    struct range right = range_of(p, b, 1);
    TRY(narrow(p, a, right));
    return narrow(p, b, left);
}

// Takes the condition to be `truth`. A chain of conjunctions is followed as far as `depth`.
static bool assume(struct prover *p, ir_value condition, bool truth, uint32_t depth) {
    const struct ir_op *op = pass_definition(p->function, condition);
    if (op == NULL || depth == 0) {
        return true;
    }
    bool is_conjunction = truth ? op->opcode == IR_AND : op->opcode == IR_OR;
    if (is_conjunction) {
        TRY(assume(p, op->operands[0], truth, depth - 1));
        return assume(p, op->operands[1], truth, depth - 1);
    }
    if (op->opcode == IR_NOT) {
        return assume(p, op->operands[0], !truth, depth - 1);
    }
    if (op->operand_count != 2 || !is_integer(p, op->operands[0])) {
        return true;
    }
    ir_value a = op->operands[0];
    ir_value b = op->operands[1];
    switch (op->opcode) {
    case IR_LT_S:
    case IR_LT_U:
        return truth ? assume_less(p, a, b, false) : assume_less(p, b, a, true);
    case IR_LE_S:
    case IR_LE_U:
        return truth ? assume_less(p, a, b, true) : assume_less(p, b, a, false);
    case IR_GT_S:
    case IR_GT_U:
        return truth ? assume_less(p, b, a, false) : assume_less(p, a, b, true);
    case IR_GE_S:
    case IR_GE_U:
        return truth ? assume_less(p, b, a, true) : assume_less(p, a, b, false);
    case IR_EQ_I:
        return truth ? assume_equal(p, a, b) : true;
    case IR_NE_I:
        return truth ? true : assume_equal(p, a, b);
    default:
        return true;
    }
}

struct mark {
    size_t facts;
    size_t undos;
};

static struct mark get_mark(const struct prover *p) {
    return (struct mark){p->facts.count, p->undos.count};
}

static void forget(struct prover *p, struct mark mark) {
    while (p->facts.count > mark.facts) {
        const struct below *fact = &p->facts.items[--p->facts.count];
        p->below[fact->value] = fact->next;
    }
    while (p->undos.count > mark.undos) {
        const struct undo *undo = &p->undos.items[--p->undos.count];
        p->ranges[undo->value] = undo->range;
    }
}

// ---------------------------------------------------------------- accesses

// The same memory, reached by the same constant members.
static bool is_same_pointer(const struct prover *p, ir_value a, ir_value b) {
    while (a.index != b.index) {
        const struct ir_op *x = pass_definition(p->function, a);
        const struct ir_op *y = pass_definition(p->function, b);
        if (x == NULL || y == NULL || x->opcode != y->opcode ||
            x->operand_count != y->operand_count) {
            return false;
        }
        if (x->opcode == IR_VARIABLE) {
            return x->data.index == y->data.index;
        }
        if (x->opcode != IR_ACCESS) {
            return false;
        }
        for (uint32_t i = 1; i < x->operand_count; i++) {
            if (x->operands[i].index != y->operands[i].index) {
                return false;
            }
        }
        a = x->operands[0];
        b = y->operands[0];
    }
    return true;
}

// True when `array` is the pointer that an access walks to with `count` more constant indices from
// base.
static bool is_array_of(const struct prover *p, ir_value array, ir_value base,
    const ir_value *indices, uint32_t count) {
    if (count == 0) {
        return is_same_pointer(p, array, base);
    }
    const struct ir_op *op = pass_definition(p->function, array);
    if (op == NULL || op->opcode != IR_ACCESS || op->operand_count != count + 1) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (op->operands[i + 1].index != indices[i].index) {
            return false;
        }
    }
    return is_same_pointer(p, op->operands[0], base);
}

static bool is_below_length(
    const struct prover *p, const struct ir_op *access, uint32_t position, ir_value index) {
    for (uint32_t at = p->below[index.index]; at != 0; at = p->facts.items[at - 1].next) {
        ir_value bound = {p->facts.items[at - 1].bound};
        const struct ir_op *length = pass_definition(p->function, bound);
        // arrayLength is a u32; a comparison of i32 goes through a bitcast of one of them.
        while (length != NULL && length->opcode == IR_BITCAST) {
            length = pass_definition(p->function, length->operands[0]);
        }
        if (length != NULL && length->opcode == IR_ARRAY_LENGTH &&
            is_array_of(
                p, length->operands[0], access->operands[0], access->operands + 1, position)) {
            return true;
        }
    }
    return false;
}

// A bitcast of a value that is not negative is the same number.
static ir_value without_bitcast(const struct prover *p, ir_value index) {
    const struct ir_op *op = pass_definition(p->function, index);
    while (op != NULL && op->opcode == IR_BITCAST && is_integer(p, op->operands[0])) {
        index = op->operands[0];
        op = pass_definition(p->function, index);
    }
    return index;
}

static void prove_access(struct prover *p, struct ir_op *op) {
    const struct type_table *types = &p->module->types;
    type_id store = type_get(types, ir_value_type(p->function, op->operands[0]))->element;
    for (uint32_t i = 1; i < op->operand_count && i <= 32; i++) {
        const struct type *type = type_get(types, store);
        ir_value index = op->operands[i];
        uint32_t number = 0;
        bool is_proven = type->kind == TYPE_STRUCT;
        bool is_runtime = type->kind == TYPE_ARRAY && type->array_size != ARRAY_FIXED;
        if (is_runtime) {
            is_proven = is_below_length(p, op, i - 1, index) ||
                is_below_length(p, op, i - 1, without_bitcast(p, index));
        } else if (!is_proven) {
            struct range range = range_of(p, index, EVALUATION_DEPTH);
            is_proven = range.low >= 0 && range.high < (int64_t)type->count;
        }
        if (is_proven) {
            op->data.in_bounds |= UINT32_C(1) << (i - 1);
        }
        if (type->kind == TYPE_STRUCT) {
            pass_constant_index(p->module, p->function, index, &number);
        }
        store = type_element_at(types, store, number);
    }
}

// ---------------------------------------------------------------- the walk

static bool leaves_normally(const struct prover *p, ir_region_id region) {
    ir_op_id last = ir_region_get(p->function, region)->last;
    return ir_op_get(p->function, last)->opcode == IR_EXIT_IF;
}

// Recursion follows nesting, bounded by IR_NESTING_LIMIT. Facts that hold in a region end with it.
static bool prove_region(struct prover *p, ir_region_id region) {
    struct mark outer = get_mark(p);
    for (ir_op_id id = ir_region_get(p->function, region)->first; id.index != 0;
         id = ir_op_get(p->function, id)->next) {
        struct ir_op *op = ir_op_get(p->function, id);
        if (op->opcode == IR_ACCESS) {
            prove_access(p, op);
        }
        if (op->opcode != IR_IF) {
            for (uint32_t i = 0; i < op->region_count; i++) {
                TRY(prove_region(p, op->regions[i]));
            }
            continue;
        }
        for (uint32_t i = 0; i < 2; i++) {
            struct mark mark = get_mark(p);
            TRY(assume(p, op->operands[0], i == 0, 8));
            TRY(prove_region(p, op->regions[i]));
            forget(p, mark);
        }
        // Whoever goes on came out of the other region.
        if (!leaves_normally(p, op->regions[0])) {
            TRY(assume(p, op->operands[0], false, 8));
        } else if (!leaves_normally(p, op->regions[1])) {
            TRY(assume(p, op->operands[0], true, 8));
        }
    }
    forget(p, outer);
    return true;
}

static bool prove_function(struct ir_module *module, uint32_t index, const struct ir_affine *affine,
    struct arena *scratch) {
    struct prover p = {.module = module,
        .function = &module->functions.items[index],
        .affine = affine->functions[index].values,
        .scratch = scratch};
    size_t count = p.function->values.count;
    p.ranges = ARENA_ARRAY(scratch, struct range, count);
    p.below = ARENA_ARRAY(scratch, uint32_t, count);
    TRY(p.ranges != NULL && p.below != NULL);
    for (size_t v = 0; v < count; v++) {
        p.ranges[v] = (struct range){p.affine[v].low, p.affine[v].high};
    }
    return prove_region(&p, p.function->body);
}

enum pass_status pass_bounds(struct ir_module *module) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct ir_uniformity_options options = {.vector_width = 1, .workgroup_size = {1, 1, 1}};
    bool has_entry = module->entry_points.count == 1;
    for (uint32_t i = 0; i < 3; i++) {
        // With several entry points nothing is known of the sizes of ids.
        options.workgroup_size[i] = has_entry ? module->entry_points.items[0].workgroup_size[i]
                                              : 65536;
        options.workgroup_size[i] += options.workgroup_size[i] == 0;
    }
    struct ir_uniformity uniformity;
    struct ir_affine affine;
    bool ok = !module->has_failed &&
        ir_uniformity_analyse(module, &options, &scratch, &uniformity) &&
        ir_affine_analyse(module, &options, &uniformity, &scratch, &affine);
    for (uint32_t f = 0; ok && f < module->functions.count; f++) {
        ok = prove_function(module, f, &affine, &scratch);
    }
    arena_finish(&scratch);
    return pass_finish(module, ok);
}
