// SPDX-License-Identifier: MIT
//
// Composite values as leaves, memory or constants, and the ways between them. See split_priv.h.
#include <string.h>

#include "shader/pass/split_priv.h"

bool split_is_composite(const struct split_state *s, type_id type) {
    enum type_kind kind = type_kind_of(&s->module->types, type);
    return kind == TYPE_MATRIX || kind == TYPE_ARRAY || kind == TYPE_STRUCT;
}

uint32_t split_element_count(const struct split_state *s, type_id id) {
    const struct type *type = type_get(&s->module->types, id);
    return type->kind == TYPE_STRUCT ? type->member_count : type->count;
}

static uint32_t count_leaves(struct split_state *s, type_id type) {
    if (!split_is_composite(s, type)) {
        return 1;
    }
    uint32_t count = split_element_count(s, type);
    bool is_struct = type_kind_of(&s->module->types, type) == TYPE_STRUCT;
    if (!is_struct) {
        uint64_t total = count == 0
            ? 0
            : (uint64_t)count * split_leaf_count(s, type_element_at(&s->module->types, type, 0));
        return total > SPLIT_LEAF_LIMIT ? SPLIT_LEAF_LIMIT + 1 : (uint32_t)total;
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < count && total <= SPLIT_LEAF_LIMIT; i++) {
        total += split_leaf_count(s, type_element_at(&s->module->types, type, i));
    }
    return total > SPLIT_LEAF_LIMIT ? SPLIT_LEAF_LIMIT + 1 : total;
}

// Recursion follows types, at most 15 deep.
uint32_t split_leaf_count(struct split_state *s, type_id type) {
    if (type.index < s->leaf_count_count && s->leaf_counts[type.index] != 0) {
        return s->leaf_counts[type.index] - 1;
    }
    uint32_t count = count_leaves(s, type);
    if (type.index < s->leaf_count_count) {
        s->leaf_counts[type.index] = count + 1;
    }
    return count;
}

struct split_form *split_get_form(struct split_state *s, ir_value value) {
    const struct ir_function *function = &s->module->functions.items[s->function];
    const struct ir_value_info *info = ir_value_get(function, value);
    struct split_form *form = value.index < s->form_count ? &s->forms[value.index] : NULL;
    if (form == NULL) {
        form = ARENA_NEW(s->scratch, struct split_form);
    }
    if (form != NULL && form->kind == SPLIT_NONE && info->kind == IR_VALUE_CONSTANT) {
        *form = (struct split_form){.kind = SPLIT_CONSTANT, .constant = info->definition};
    }
    return form;
}

ir_value split_access_number(struct ir_builder *b, ir_value pointer, uint32_t index) {
    ir_value number = ir_builder_u32(b, index);
    ir_value access = ir_builder_access(b, pointer, &number, 1);
    if (access.index != 0) {
        pass_definition(pass_function(b), access)->data.in_bounds = 1;
    }
    return access;
}

// ---------------------------------------------------------------- walking the leaves of a type

// Where the walk is: the constant indices from the root to the leaf at hand.
struct leaf_walk {
    struct split_state *s;
    struct ir_builder *b;
    uint32_t path[SPLIT_DEPTH_LIMIT];
    uint32_t depth;
    uint32_t position; // of the next leaf
    bool (*visit)(struct leaf_walk *walk, type_id type);
    ir_value pointer;
    ir_value *leaves;
    const unsigned char *bytes; // of the constant; NULL is zero
    uint64_t offset_bytes;
    enum ir_opcode load;
};

static bool walk_leaves(struct leaf_walk *walk, type_id type) {
    struct split_state *s = walk->s;
    if (!split_is_composite(s, type)) {
        return walk->visit(walk, type) && !s->module->has_failed;
    }
    uint32_t count = split_element_count(s, type);
    uint64_t offset_bytes = walk->offset_bytes;
    if (walk->depth >= SPLIT_DEPTH_LIMIT) {
        s->module->has_failed = true; // the front end admits no deeper type
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        walk->path[walk->depth++] = i;
        walk->offset_bytes = offset_bytes + type_element_offset(&s->module->types, type, i);
        TRY(walk_leaves(walk, type_element_at(&s->module->types, type, i)));
        walk->depth--;
    }
    walk->offset_bytes = offset_bytes;
    return true;
}

// A pointer to the leaf at hand: one access with all its indices.
static ir_value access_leaf(struct leaf_walk *walk) {
    ir_value indices[SPLIT_DEPTH_LIMIT] = {{0}};
    if (walk->depth == 0) {
        return walk->pointer;
    }
    for (uint32_t i = 0; i < walk->depth; i++) {
        indices[i] = ir_builder_u32(walk->b, walk->path[i]);
    }
    ir_value access = ir_builder_access(walk->b, walk->pointer, indices, walk->depth);
    if (access.index != 0) {
        pass_definition(pass_function(walk->b), access)->data.in_bounds = (UINT32_C(1)
                                                                              << walk->depth) -
            1;
    }
    return access;
}

static bool visit_load(struct leaf_walk *walk, type_id type) {
    ir_value pointer = access_leaf(walk);
    union ir_op_data data = {0};
    walk->leaves[walk->position++] = ir_builder_op(
        walk->b, walk->load, &pointer, 1, &type, 1, data);
    return true;
}

static bool visit_store(struct leaf_walk *walk, type_id type) {
    (void)type;
    ir_builder_store(walk->b, access_leaf(walk), walk->leaves[walk->position++]);
    return true;
}

static bool visit_constant(struct leaf_walk *walk, type_id type) {
    const void *bytes = walk->bytes == NULL ? NULL : walk->bytes + walk->offset_bytes;
    walk->leaves[walk->position++] = ir_builder_constant_bytes(walk->b, type, bytes);
    return true;
}

static ir_value *new_leaves(struct split_state *s, type_id type) {
    return ARENA_ARRAY(s->scratch, ir_value, (size_t)split_leaf_count(s, type) + 1);
}

ir_value *split_load_leaves(struct split_state *s, struct ir_builder *b, ir_value pointer,
    type_id type, enum ir_opcode load) {
    ir_value *leaves = new_leaves(s, type);
    struct leaf_walk walk = {
        .s = s, .b = b, .visit = visit_load, .pointer = pointer, .leaves = leaves, .load = load};
    return leaves != NULL && walk_leaves(&walk, type) ? leaves : NULL;
}

bool split_store_leaves(struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type,
    const ir_value *leaves) {
    struct leaf_walk walk = {.s = s,
        .b = b,
        .visit = visit_store,
        .pointer = pointer,
        .leaves = (ir_value *)(uintptr_t)leaves};
    return walk_leaves(&walk, type);
}

ir_value *split_get_leaves(
    struct split_state *s, struct ir_builder *b, struct split_form *form, type_id type) {
    if (form->kind == SPLIT_MEMORY) {
        return split_load_leaves(s, b, form->pointer, type, IR_LOAD);
    }
    if (form->kind == SPLIT_CONSTANT) {
        ir_value *leaves = new_leaves(s, type);
        struct leaf_walk walk = {.s = s,
            .b = b,
            .visit = visit_constant,
            .leaves = leaves,
            .bytes = s->module->constants.items[form->constant].bytes};
        if (leaves == NULL || !walk_leaves(&walk, type)) {
            return NULL;
        }
        form->kind = SPLIT_LEAVES;
        form->leaves = leaves;
    }
    return form->kind == SPLIT_LEAVES ? form->leaves : NULL;
}

// ---------------------------------------------------------------- memory

// The private variable, access read, that holds a constant.
static ir_value table_of(struct split_state *s, struct ir_builder *b, uint32_t constant) {
    struct ir_module *module = s->module;
    bool is_known = constant < s->table_count && s->tables[constant] != 0;
    uint32_t variable = is_known ? s->tables[constant] - 1 : (uint32_t)module->variables.count;
    if (!is_known) {
        struct ir_variable row = {.name = {"", 0},
            .space = SPACE_PRIVATE,
            .access = ACCESS_READ,
            .type = module->constants.items[constant].type,
            .initial_constant = constant + 1};
        if (!arena_vector_push(module->arena, &module->variables, row)) {
            module->has_failed = true;
            return (ir_value){0};
        }
        if (constant < s->table_count) {
            s->tables[constant] = variable + 1;
        }
    }
    return ir_builder_variable(b, variable);
}

ir_value split_materialise(
    struct split_state *s, struct ir_builder *b, struct split_form *form, type_id type) {
    if (form->kind == SPLIT_MEMORY) {
        return form->pointer;
    }
    if (form->kind == SPLIT_CONSTANT) {
        return table_of(s, b, form->constant);
    }
    ir_value var = ir_builder_var(b, type, (struct text){"", 0});
    if (form->kind != SPLIT_LEAVES || !split_store_leaves(s, b, var, type, form->leaves)) {
        s->module->has_failed = true;
    }
    return var;
}

static bool fill_zero(struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type);

static bool fill_array(
    struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type) {
    ir_value first = ir_builder_u32(b, 0);
    ir_op_id loop = ir_builder_loop(b, &first, 1, NULL, 0);
    if (s->module->has_failed) {
        return false;
    }
    struct ir_builder body = ir_builder_in(b, loop, 0);
    ir_value i = ir_region_get(pass_function(b), body.region)->parameters[0];
    ir_value count = ir_builder_u32(&body, split_element_count(s, type));
    ir_op_id test = ir_builder_if(&body, ir_builder_binary(&body, IR_LT_U, i, count), NULL, 0);
    struct ir_builder inner = ir_builder_in(&body, test, 0);
    ir_builder_terminate(&inner, IR_EXIT_IF, NULL, 0);
    inner = ir_builder_in(&body, test, 1);
    ir_builder_terminate(&inner, IR_EXIT_LOOP, NULL, 0);
    ir_value access = ir_builder_access(&body, pointer, &i, 1);
    if (s->module->has_failed) {
        return false;
    }
    pass_definition(pass_function(b), access)->data.in_bounds = 1;
    TRY(fill_zero(s, &body, access, type_element_at(&s->module->types, type, 0)));
    ir_builder_terminate(&body, IR_CONTINUE, NULL, 0);
    struct ir_builder continuing = ir_builder_in(b, loop, 1);
    ir_value next = ir_builder_binary(&continuing, IR_ADD_I, i, ir_builder_u32(&continuing, 1));
    ir_builder_terminate(&continuing, IR_NEXT_ITERATION, &next, 1);
    return !s->module->has_failed;
}

// Recursion follows types, at most 15 deep.
static bool fill_zero(struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type) {
    if (split_leaf_count(s, type) <= SPLIT_FILL_LIMIT) {
        struct split_form zero = {.kind = SPLIT_CONSTANT};
        zero.constant = ir_constant_create(s->module, type, NULL);
        if (zero.constant == UINT32_MAX) {
            return false;
        }
        const ir_value *leaves = split_get_leaves(s, b, &zero, type);
        return leaves != NULL && split_store_leaves(s, b, pointer, type, leaves);
    }
    if (type_kind_of(&s->module->types, type) != TYPE_STRUCT) {
        return fill_array(s, b, pointer, type);
    }
    uint32_t count = split_element_count(s, type);
    for (uint32_t i = 0; i < count; i++) {
        ir_value member = split_access_number(b, pointer, i);
        TRY(fill_zero(s, b, member, type_element_at(&s->module->types, type, i)));
    }
    return true;
}

static bool is_zero_constant(const struct split_state *s, const struct split_form *form) {
    if (form->kind != SPLIT_CONSTANT) {
        return false;
    }
    const struct ir_constant *constant = &s->module->constants.items[form->constant];
    const unsigned char *bytes = constant->bytes;
    uint64_t size_bytes = type_get(&s->module->types, constant->type)->size_bytes;
    return bytes == NULL || size_bytes == 0 ||
        (bytes[0] == 0 && memcmp(bytes, bytes + 1, (size_t)size_bytes - 1) == 0);
}

bool split_store(struct split_state *s, struct ir_builder *b, ir_value pointer, ir_value value) {
    type_id type = ir_value_type(pass_function(b), value);
    if (!split_is_composite(s, type)) {
        ir_builder_store(b, pointer, value);
        return true;
    }
    struct split_form *form = split_get_form(s, value);
    if (form == NULL) {
        return false;
    }
    if (split_leaf_count(s, type) > SPLIT_FILL_LIMIT && is_zero_constant(s, form)) {
        return fill_zero(s, b, pointer, type);
    }
    if (split_is_small(s, type)) {
        const ir_value *leaves = split_get_leaves(s, b, form, type);
        return leaves != NULL && split_store_leaves(s, b, pointer, type, leaves);
    }
    ir_value source = split_materialise(s, b, form, type);
    union ir_op_data data = {0};
    ir_builder_op(b, IR_COPY_MEMORY, (ir_value[]){pointer, source}, 2, NULL, 0, data);
    return !s->module->has_failed;
}

struct split_form split_form_of_memory(
    struct split_state *s, struct ir_builder *b, ir_value pointer, type_id type) {
    struct split_form form = {.kind = SPLIT_MEMORY, .pointer = pointer};
    if (split_is_small(s, type)) {
        form.kind = SPLIT_LEAVES;
        form.leaves = split_load_leaves(s, b, pointer, type, IR_LOAD);
        s->module->has_failed = s->module->has_failed || form.leaves == NULL;
    }
    return form;
}
