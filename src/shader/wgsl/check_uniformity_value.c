// SPDX-License-Identifier: MIT
//
// The values of function-scope variables in the uniformity analysis (WGSL §Function-scope Variable
// Value Analysis): a table of current values with a log, merges of the paths that arrive at one
// place, and the nodes for the start of a loop's iterations, made when a variable is first used in
// the loop. See check_priv.h for threads.
#include "shader/wgsl/check_uniformity_priv.h"

// ---- Merges ------------------------------------------------------------------------------------

static void fail(struct uniformity *u) {
    u->has_failed = true;
}

static struct uniform_merge_entry *merge_slot(
    struct uniform_merge_entry *entries, uint32_t capacity, uint32_t variable) {
    uint32_t at = (variable * 2654435761u) & (capacity - 1);
    while (entries[at].variable != 0 && entries[at].variable != variable + 1) {
        at = (at + 1) & (capacity - 1);
    }
    return &entries[at];
}

struct uniform_merge_entry *uniform_merge_find(
    const struct uniform_merge *merge, uint32_t variable) {
    if (merge->capacity == 0) {
        return NULL;
    }
    struct uniform_merge_entry *slot = merge_slot(merge->entries, merge->capacity, variable);
    return slot->variable != 0 ? slot : NULL;
}

// The variable's entry, made with a new node if there is none; NULL when out of memory.
static struct uniform_merge_entry *merge_get(
    struct uniformity *u, struct uniform_merge *merge, uint32_t variable) {
    if (merge->used * 2 >= merge->capacity) {
        uint32_t capacity = merge->capacity == 0 ? 8 : merge->capacity * 2;
        struct uniform_merge_entry *entries = memory_allocate_zeroed(
            MEMORY_COMPILE, capacity, sizeof(*entries));
        if (entries == NULL) {
            fail(u);
            return NULL;
        }
        for (uint32_t i = 0; i < merge->capacity; i++) {
            if (merge->entries[i].variable != 0) {
                *merge_slot(entries, capacity, merge->entries[i].variable - 1) = merge->entries[i];
            }
        }
        memory_free(merge->entries);
        merge->entries = entries;
        merge->capacity = capacity;
    }
    struct uniform_merge_entry *slot = merge_slot(merge->entries, merge->capacity, variable);
    if (slot->variable == 0) {
        struct source_span nowhere = {0, 0};
        slot->variable = variable + 1;
        slot->node = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
        merge->used++;
    }
    return slot;
}

void uniform_merge_finish(struct uniform_merge *merge) {
    memory_free(merge->entries);
    *merge = (struct uniform_merge){NULL, 0, 0, 0};
}

// One path arrives: everything that was changed since `log_begin` brings its value.
void uniform_merge_path(struct uniformity *u, struct uniform_merge *merge, size_t log_begin) {
    uint32_t seen = ++u->seen;
    merge->total++;
    for (size_t i = log_begin; i < u->log.count && !u->has_failed; i++) {
        uint32_t variable = u->log.items[i].variable;
        if (u->variables.items[variable].seen == seen) {
            continue;
        }
        u->variables.items[variable].seen = seen;
        struct uniform_merge_entry *entry = merge_get(u, merge, variable);
        if (entry != NULL) {
            entry->count++;
            uniform_add_edge(u, entry->node, uniform_get_value(u, variable));
        }
    }
}

// ---- Values ------------------------------------------------------------------------------------

bool uniform_is_tracked(const struct uniformity *u, const struct ast_declaration *root) {
    if (root->is_module_scope) {
        return false;
    }
    if (root->kind == DECLARATION_VARIABLE) {
        return true;
    }
    const struct type *type = type_get(u->checker->types, root->type);
    return root->kind == DECLARATION_PARAMETER && type->kind == TYPE_POINTER &&
        type->space == SPACE_FUNCTION;
}

// The loops around this place, outermost first, that began after the value was set.
static uniform_node start_of_loops(struct uniformity *u, struct uniform_target *target,
    uint32_t variable, uniform_node value, uint32_t time) {
    if (target == NULL || target->time <= time) {
        return value;
    }
    // Nesting is bounded by the limit on braces.
    value = start_of_loops(u, target->outer, variable, value, time);
    if (!target->is_loop) {
        return value;
    }
    struct uniform_merge_entry *entry = uniform_merge_find(&target->starts, variable);
    if (entry != NULL) {
        return entry->node;
    }
    entry = merge_get(u, &target->starts, variable);
    if (entry == NULL) {
        return value;
    }
    uniform_add_edge(u, entry->node, value);
    return entry->node;
}

uniform_node uniform_get_value(struct uniformity *u, uint32_t variable) {
    const struct uniform_variable *v = &u->variables.items[variable];
    return start_of_loops(u, u->target, variable, v->value, v->time);
}

void uniform_set_value(struct uniformity *u, uint32_t variable, uniform_node value) {
    // The loops around must know the variable: its value at their start may be what leaves them.
    (void)uniform_get_value(u, variable);
    struct uniform_variable *v = &u->variables.items[variable];
    if (v->stamp != u->level) {
        struct uniform_log_entry entry = {variable, v->value, v->time};
        if (!vector_push(&u->log, MEMORY_COMPILE, entry)) {
            fail(u);
            return;
        }
        v->stamp = u->level;
    }
    v->value = value;
    v->time = ++u->time;
}

void uniform_declare(
    struct uniformity *u, struct ast_declaration *declaration, uniform_node value) {
    struct uniform_variable variable = {value, ++u->time, 0, 0};
    declaration->index = (uint32_t)u->variables.count;
    if (!vector_push(&u->variables, MEMORY_COMPILE, variable)) {
        declaration->index = 0;
        fail(u);
    }
}

// From here on every variable is logged anew.
void uniform_next_level(struct uniformity *u) {
    u->level++;
}

void uniform_restore(struct uniformity *u, size_t log_begin) {
    while (u->log.count > log_begin) {
        const struct uniform_log_entry *entry = &u->log.items[--u->log.count];
        struct uniform_variable *v = &u->variables.items[entry->variable];
        v->value = entry->value;
        v->time = entry->time;
    }
    uniform_next_level(u);
}

// After all paths of a branch or switch: what any of them changed becomes the join of all.
void uniform_apply(struct uniformity *u, struct uniform_merge *merge) {
    for (uint32_t i = 0; i < merge->capacity && !u->has_failed; i++) {
        const struct uniform_merge_entry *entry = &merge->entries[i];
        if (entry->variable == 0) {
            continue;
        }
        if (entry->count < merge->total) {
            uniform_add_edge(u, entry->node, uniform_get_value(u, entry->variable - 1));
        }
        uniform_set_value(u, entry->variable - 1, entry->node);
    }
    uniform_merge_finish(merge);
}
