// SPDX-License-Identifier: MIT
//
// Composite function variables whose parts are only reached by constant indices become one variable
// for each part; a part that is indexed dynamically, copied or passed to a call stays whole. See
// split_priv.h.
#include "shader/pass/split_priv.h"

#define NODE_LIMIT 256u // nodes of one variable
#define COUNT_LIMIT 32u // elements of an array that is taken apart

struct node {
    type_id type;
    uint32_t first_child; // 0: none
    uint32_t child_count;
    bool is_whole; // becomes one variable
    ir_value var;
};

struct splitter {
    struct ir_module *module;
    uint32_t function;
    struct arena *scratch;
    VECTOR(struct node) nodes; // index 0 unused
    uint32_t *node_of;         // by value: the node that a pointer names, 0 none
    struct pass_map map;
    const uint32_t *regions;
    uint32_t region_count;
    uint32_t value_count;
};

static struct ir_function *function_of(const struct splitter *s) {
    return &s->module->functions.items[s->function];
}

static bool is_composite(const struct splitter *s, type_id type) {
    enum type_kind kind = type_kind_of(&s->module->types, type);
    return kind == TYPE_MATRIX || kind == TYPE_ARRAY || kind == TYPE_STRUCT;
}

// Adds the node's children, and theirs, while the variable has room. Recursion follows types.
static bool expand(struct splitter *s, uint32_t index, size_t end) {
    type_id type = s->nodes.items[index].type;
    if (!is_composite(s, type)) {
        return true;
    }
    const struct type *row = type_get(&s->module->types, type);
    uint32_t count = row->kind == TYPE_STRUCT ? row->member_count : row->count;
    bool is_large = row->kind == TYPE_ARRAY && count > COUNT_LIMIT;
    if (is_large || count == 0 || s->nodes.count + count > end) {
        s->nodes.items[index].is_whole = true;
        return true;
    }
    uint32_t first = (uint32_t)s->nodes.count;
    for (uint32_t i = 0; i < count; i++) {
        struct node child = {.type = type_element_at(&s->module->types, type, i)};
        TRY(arena_vector_push(s->scratch, &s->nodes, child));
    }
    s->nodes.items[index].first_child = first;
    s->nodes.items[index].child_count = count;
    for (uint32_t i = 0; i < count; i++) {
        TRY(expand(s, first + i, end));
    }
    return true;
}

static bool add_root(struct splitter *s, ir_value var) {
    type_id pointer = ir_value_type(function_of(s), var);
    struct node root = {.type = type_get(&s->module->types, pointer)->element};
    if (!is_composite(s, root.type)) {
        return true;
    }
    uint32_t index = (uint32_t)s->nodes.count;
    TRY(arena_vector_push(s->scratch, &s->nodes, root));
    s->node_of[var.index] = index;
    return expand(s, index, s->nodes.count + NODE_LIMIT);
}

// Walks an access from a node as far as nodes go; *out_used is how many indices that took. A node
// whose index is dynamic is marked whole when `mark` is set.
static uint32_t walk(
    struct splitter *s, const struct ir_op *op, uint32_t node, bool mark, uint32_t *out_used) {
    uint32_t used = 0;
    for (uint32_t i = 1; i < op->operand_count; i++) {
        struct node *at = &s->nodes.items[node];
        if (at->is_whole || at->child_count == 0) {
            break;
        }
        uint32_t index = 0;
        if (!pass_constant_index(s->module, function_of(s), op->operands[i], &index) ||
            index >= at->child_count) {
            at->is_whole = at->is_whole || mark;
            break;
        }
        node = at->first_child + index;
        used++;
    }
    *out_used = used;
    return node;
}

static bool is_final(const struct splitter *s, uint32_t node) {
    return s->nodes.items[node].is_whole || s->nodes.items[node].child_count == 0;
}

static bool find_nodes(struct splitter *s) {
    for (uint32_t r = 0; r < s->region_count; r++) {
        const struct ir_function *function = function_of(s);
        for (ir_op_id id = function->regions.items[s->regions[r]].first; id.index != 0;
             id = ir_op_get(function, id)->next) {
            const struct ir_op *op = ir_op_get(function, id);
            if (op->opcode == IR_VAR) {
                TRY(add_root(s, op->first_result));
                continue;
            }
            for (uint32_t k = 0; k < op->operand_count; k++) {
                uint32_t node = s->node_of[op->operands[k].index];
                if (node == 0) {
                    continue;
                }
                if (op->opcode != IR_ACCESS) {
                    // A load, copy or call of more than a leaf keeps it together.
                    s->nodes.items[node].is_whole = true;
                    continue;
                }
                uint32_t used = 0;
                uint32_t reached = walk(s, op, node, true, &used);
                if (used + 1 == op->operand_count) {
                    s->node_of[op->first_result.index] = reached;
                }
            }
        }
    }
    return true;
}

// Makes the variables of the final nodes below a node. Recursion follows types.
static void make_vars(struct splitter *s, struct ir_builder *b, uint32_t index, struct text name) {
    if (is_final(s, index)) {
        s->nodes.items[index].var = ir_builder_var(b, s->nodes.items[index].type, name);
        return;
    }
    uint32_t first = s->nodes.items[index].first_child;
    for (uint32_t i = 0; i < s->nodes.items[index].child_count; i++) {
        make_vars(s, b, first + i, name);
    }
}

static bool rewrite_access(struct splitter *s, ir_op_id id, const struct ir_op *op, uint32_t base) {
    uint32_t used = 0;
    uint32_t node = walk(s, op, base, false, &used);
    if (!is_final(s, node)) {
        s->node_of[op->first_result.index] = node;
        ir_op_unlink(function_of(s), id);
        return true;
    }
    ir_value pointer = s->nodes.items[node].var;
    s->node_of[op->first_result.index] = 0;
    if (used + 1 < op->operand_count) {
        struct ir_builder b = ir_builder_before(s->module, s->function, id);
        uint32_t rest = op->operand_count - 1 - used;
        pointer = ir_builder_access(&b, pointer, op->operands + 1 + used, rest);
        TRY(pointer.index != 0);
        pass_definition(function_of(s), pointer)->data.in_bounds = op->data.in_bounds >> used;
    }
    pass_map_set(&s->map, op->first_result, pointer);
    ir_op_unlink(function_of(s), id);
    return true;
}

static bool rewrite(struct splitter *s) {
    for (uint32_t r = 0; r < s->region_count; r++) {
        ir_op_id next;
        for (ir_op_id id = function_of(s)->regions.items[s->regions[r]].first; id.index != 0;
             id = next) {
            struct ir_op op = *ir_op_get(function_of(s), id);
            next = op.next;
            if (op.opcode == IR_VAR) {
                uint32_t node = s->node_of[op.first_result.index];
                if (node == 0 || is_final(s, node)) {
                    s->node_of[op.first_result.index] = 0;
                    continue;
                }
                struct ir_builder b = ir_builder_before(s->module, s->function, id);
                make_vars(s, &b, node, ir_value_name(function_of(s), op.first_result));
                ir_op_unlink(function_of(s), id);
            } else if (op.opcode == IR_ACCESS && op.operands[0].index < s->value_count) {
                uint32_t base = s->node_of[op.operands[0].index];
                if (base != 0) {
                    TRY(rewrite_access(s, id, &op, base));
                } else {
                    s->node_of[op.first_result.index] = 0;
                }
            }
            TRY(!s->module->has_failed);
        }
    }
    pass_map_apply(&s->map, function_of(s));
    return true;
}

bool split_variables(struct ir_module *module, uint32_t function) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct splitter s = {.module = module, .function = function, .scratch = &scratch};
    s.value_count = (uint32_t)function_of(&s)->values.count;
    s.node_of = ARENA_ARRAY(&scratch, uint32_t, s.value_count);
    s.regions = pass_list_regions(function_of(&s), &scratch, &s.region_count);
    bool ok = s.node_of != NULL && s.regions != NULL &&
        arena_vector_push(&scratch, &s.nodes, (struct node){0}) &&
        pass_map_init(&s.map, &scratch, function_of(&s));
    ok = ok && find_nodes(&s) && rewrite(&s);
    arena_finish(&scratch);
    return ok && !module->has_failed;
}
