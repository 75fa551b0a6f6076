// SPDX-License-Identifier: MIT
//
// What each entry point reaches: the module-scope variables and overrides it accesses statically,
// and the rules about them (WGSL §Shader Interface, §Resource Interface, §Address Spaces, §Limits);
// pipeline constant IDs. Errors show the chain of calls. See check_priv.h for threads.
#include <inttypes.h>
#include <stdlib.h>

#include "shader/wgsl/check_priv.h"

// A declaration that the entry point reaches, and how.
struct reached {
    struct ast_declaration *declaration;
    uint32_t parent; // index of who mentions it; of the entry point: itself
    struct source_span span;
};

struct reach {
    struct checker *checker;
    struct ast_declaration *entry;
    VECTOR(struct reached) items; // breadth first, so that chains are short
};

static const char *stage_word(enum shader_stage stage) {
    return stage == STAGE_VERTEX ? "vertex" : stage == STAGE_FRAGMENT ? "fragment" : "compute";
}

static bool collect(struct reach *reach) {
    struct checker *checker = reach->checker;
    uint32_t walk = ++checker->walk;
    struct reached first = {reach->entry, 0, reach->entry->name_span};
    checker->nodes[reach->entry->index].visited = walk;
    TRY(vector_push(&reach->items, MEMORY_COMPILE, first));
    for (size_t at = 0; at < reach->items.count; at++) {
        const struct check_node *node = &checker->nodes[reach->items.items[at].declaration->index];
        for (uint32_t i = 0; i < node->dependency_count; i++) {
            struct ast_declaration *used = node->dependencies[i];
            struct reached next = {used, (uint32_t)at, node->spans[i]};
            if (checker->nodes[used->index].visited == walk) {
                continue;
            }
            checker->nodes[used->index].visited = walk;
            TRY(vector_push(&reach->items, MEMORY_COMPILE, next));
        }
    }
    return true;
}

// Notes from the entry point down to the item: who mentions whom where.
static void note_chain(struct reach *reach, struct diagnostic *diagnostic, uint32_t item) {
    uint32_t chain[16], count = 0;
    while (item != 0 && count < 16) {
        chain[count++] = item;
        item = reach->items.items[item].parent;
    }
    while (count-- > 0) {
        const struct reached *reached = &reach->items.items[chain[count]];
        const struct ast_declaration *parent = reach->items.items[reached->parent].declaration;
        bool is_call = reached->declaration->kind == DECLARATION_FUNCTION;
        diagnostic_note(reach->checker->diagnostics, diagnostic, reached->span,
            is_call ? "'%.*s' calls '%.*s' here" : "'%.*s' uses '%.*s' here",
            TEXT_ARGS(parent->name->text), TEXT_ARGS(reached->declaration->name->text));
    }
}

static struct diagnostic *restrict_stage(
    struct reach *reach, struct source_span span, const char *format, struct text name) {
    char *message = text_format(reach->checker->arena, format, TEXT_ARGS(name),
        stage_word(reach->entry->function->stage), TEXT_ARGS(reach->entry->name->text));
    return diagnostic_error(reach->checker->diagnostics, DIAGNOSTIC_STAGE_RESTRICTION, span, "%s",
        message != NULL ? message : "a stage restriction is broken");
}

static void check_variable_stage(struct reach *reach, uint32_t item) {
    const struct ast_declaration *variable = reach->items.items[item].declaration;
    enum shader_stage stage = reach->entry->function->stage;
    const struct type *type = type_get(reach->checker->types, variable->type);
    struct source_span span = reach->items.items[item].span;
    struct diagnostic *diagnostic = NULL;
    if (variable->space == SPACE_WORKGROUP && stage != STAGE_COMPUTE) {
        diagnostic = restrict_stage(reach, span,
            "the workgroup variable '%.*s' is reached from the %s entry point '%.*s'; only compute "
            "shaders have workgroup memory",
            variable->name->text);
    } else if (variable->space == SPACE_STORAGE && variable->access != ACCESS_READ &&
        stage == STAGE_VERTEX) {
        diagnostic = restrict_stage(reach, span,
            "the writable storage variable '%.*s' is reached from the %s "
            "entry point '%.*s'",
            variable->name->text);
    } else if (type->kind == TYPE_TEXTURE_STORAGE && type->access != ACCESS_READ &&
        stage == STAGE_VERTEX) {
        diagnostic = restrict_stage(reach, span,
            "the writable storage texture '%.*s' is reached from the %s "
            "entry point '%.*s'",
            variable->name->text);
    } else {
        return;
    }
    note_chain(reach, diagnostic, item);
    diagnostic_note(reach->checker->diagnostics, diagnostic, variable->name_span, "declared here");
}

static void check_function_stage(struct reach *reach, uint32_t item) {
    const struct ast_declaration *function = reach->items.items[item].declaration;
    const struct check_node *node = &reach->checker->nodes[function->index];
    enum shader_stage stage = reach->entry->function->stage;
    for (int kind = 0; kind < CHECK_USE_KIND_COUNT && node->uses != NULL; kind++) {
        const struct check_use *use = &node->uses[kind];
        bool is_allowed = kind == CHECK_USE_COMPUTE_ONLY ? stage == STAGE_COMPUTE
            : kind == CHECK_USE_FRAGMENT_ONLY            ? stage == STAGE_FRAGMENT
                                                         : stage != STAGE_VERTEX;
        if (use->name != NULL && !is_allowed) {
            struct diagnostic *diagnostic = restrict_stage(reach, use->span,
                "'%.*s' is reached from the %s entry point '%.*s'", text_from_string(use->name));
            diagnostic_explain(reach->checker->diagnostics, diagnostic,
                kind == CHECK_USE_COMPUTE_ONLY        ? "only compute shaders may use it"
                    : kind == CHECK_USE_FRAGMENT_ONLY ? "only fragment shaders may use it"
                                                      : "vertex shaders may not use it");
            note_chain(reach, diagnostic, item);
        }
    }
}

// ---- Bindings and limits -----------------------------------------------------------------------

static int compare_bindings(const void *a, const void *b) {
    const struct ast_declaration *x = *(struct ast_declaration *const *)a;
    const struct ast_declaration *y = *(struct ast_declaration *const *)b;
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->binding != y->binding) {
        return x->binding < y->binding ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

static int compare_indices(const void *a, const void *b) {
    const struct ast_declaration *x = *(struct ast_declaration *const *)a;
    const struct ast_declaration *y = *(struct ast_declaration *const *)b;
    return (x->index > y->index) - (x->index < y->index);
}

static void check_bindings(struct reach *reach, struct ast_declaration **globals, uint32_t count) {
    const struct ast_declaration *previous = NULL;
    qsort(globals, count, sizeof(*globals), compare_bindings);
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_declaration *variable = globals[i];
        if (!variable->has_binding) {
            continue;
        }
        if (previous != NULL && previous->group == variable->group &&
            previous->binding == variable->binding) {
            struct diagnostic *diagnostic = diagnostic_error(reach->checker->diagnostics,
                DIAGNOSTIC_BINDING_CONFLICT, variable->name_span,
                "'%.*s' and '%.*s' have the same @group(%" PRIu32 ") @binding(%" PRIu32
                ") and are both used by '%.*s'",
                TEXT_ARGS(previous->name->text), TEXT_ARGS(variable->name->text), variable->group,
                variable->binding, TEXT_ARGS(reach->entry->name->text));
            diagnostic_note(
                reach->checker->diagnostics, diagnostic, previous->name_span, "the other one");
        }
        previous = variable;
    }
    qsort(globals, count, sizeof(*globals), compare_indices);
}

static void check_totals(
    struct reach *reach, struct ast_declaration *const *globals, uint32_t count) {
    struct checker *checker = reach->checker;
    const struct ast_declaration *immediate = NULL;
    uint64_t private_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_declaration *variable = globals[i];
        if (variable->kind != DECLARATION_VARIABLE) {
            continue;
        }
        if (variable->space == SPACE_PRIVATE) {
            private_bytes += type_get(checker->types, variable->type)->size_bytes;
        }
        if (variable->space == SPACE_IMMEDIATE && immediate != NULL) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_IMMEDIATE_COUNT, variable->name_span,
                "the entry point '%.*s' uses two immediate variables",
                TEXT_ARGS(reach->entry->name->text));
            diagnostic_note(
                checker->diagnostics, diagnostic, immediate->name_span, "the other one");
        } else if (variable->space == SPACE_IMMEDIATE) {
            immediate = variable;
        }
    }
    if (private_bytes > LIMIT_PRIVATE_BYTES) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, reach->entry->name_span,
            "the private variables that '%.*s' reaches take %" PRIu64 " bytes; the limit is %d",
            TEXT_ARGS(reach->entry->name->text), private_bytes, LIMIT_PRIVATE_BYTES);
    }
}

static bool check_entry_point(struct reach *reach) {
    struct ast_declaration_list *list = &reach->entry->function->all_globals;
    TRY(collect(reach));
    list->items = ARENA_ARRAY(reach->checker->arena, struct ast_declaration *, reach->items.count);
    TRY(list->items != NULL);
    for (uint32_t i = 0; i < reach->items.count; i++) {
        struct ast_declaration *declaration = reach->items.items[i].declaration;
        if (declaration->kind == DECLARATION_VARIABLE) {
            check_variable_stage(reach, i);
            list->items[list->count++] = declaration;
        } else if (declaration->kind == DECLARATION_OVERRIDE) {
            list->items[list->count++] = declaration;
        } else if (declaration->kind == DECLARATION_FUNCTION) {
            check_function_stage(reach, i);
        }
    }
    check_bindings(reach, list->items, list->count);
    check_totals(reach, list->items, list->count);
    return true;
}

// ---- Pipeline constants ------------------------------------------------------------------------

static int compare_ids(const void *a, const void *b) {
    const struct ast_declaration *x = *(struct ast_declaration *const *)a;
    const struct ast_declaration *y = *(struct ast_declaration *const *)b;
    if (x->has_override_id != y->has_override_id) {
        return x->has_override_id ? -1 : 1;
    }
    if (x->has_override_id && x->override_id != y->override_id) {
        return x->override_id < y->override_id ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

// Given IDs are unique; the others get the lowest ones that are free, in the order of the text.
static void assign_ids(
    struct checker *checker, struct ast_declaration **overrides, uint32_t count) {
    uint32_t given_count = 0, next = 0, at = 0;
    qsort(overrides, count, sizeof(*overrides), compare_ids);
    while (given_count < count && overrides[given_count]->has_override_id) {
        const struct ast_declaration *previous = given_count > 0 ? overrides[given_count - 1]
                                                                 : NULL;
        if (previous != NULL && previous->override_id == overrides[given_count]->override_id) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_OVERRIDE_ID, overrides[given_count]->name_span,
                "the pipeline constant ID %" PRIu32 " is given twice", previous->override_id);
            diagnostic_note(
                checker->diagnostics, diagnostic, previous->name_span, "first given here");
        }
        given_count++;
    }
    for (uint32_t i = given_count; i < count; i++) {
        while (at < given_count && overrides[at]->override_id <= next) {
            next += overrides[at]->override_id == next;
            at++;
        }
        overrides[i]->override_id = next++;
    }
}

static void check_override_ids(struct checker *checker) {
    struct ast_module *module = checker->module;
    VECTOR(struct ast_declaration *) overrides = {0};
    for (uint32_t i = 0; i < module->declaration_count; i++) {
        if (module->declarations[i]->kind == DECLARATION_OVERRIDE &&
            !vector_push(&overrides, MEMORY_COMPILE, module->declarations[i])) {
            check_out_of_memory(checker);
        }
    }
    if (overrides.count != 0) {
        assign_ids(checker, overrides.items, (uint32_t)overrides.count);
    }
    vector_finish(&overrides);
}

void check_entry_points(struct checker *checker) {
    struct ast_module *module = checker->module;
    check_override_ids(checker);
    for (uint32_t i = 0; i < module->sorted_count; i++) {
        struct ast_declaration *declaration = module->sorted[i];
        if (declaration->kind != DECLARATION_FUNCTION || !declaration->function->is_entry_point) {
            continue;
        }
        struct reach reach = {.checker = checker, .entry = declaration};
        bool is_ok = check_entry_point(&reach);
        vector_finish(&reach.items);
        if (!is_ok) {
            check_out_of_memory(checker);
            return;
        }
    }
}
