// SPDX-License-Identifier: MIT
//
// Orders the module-scope declarations so that each comes after all it mentions, and reports cycles
// with the chain that closes them. Depth-first without recursion. See check_priv.h for threads.
#include "shader/wgsl/check_priv.h"

// One declaration on the path from the root of the search.
struct step {
    struct ast_declaration *declaration;
    uint32_t next;   // dependency to look at next
    uint32_t lowest; // the lowest place on the path that is reachable from here
};

// A chain longer than this helps nobody.
#define NOTE_LIMIT 10

struct order {
    struct checker *checker;
    VECTOR(struct step) path;
};

static const char *kind_word(const struct ast_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARATION_VARIABLE:
        return "variable";
    case DECLARATION_CONST:
        return "const";
    case DECLARATION_OVERRIDE:
        return "override";
    case DECLARATION_LET:
        return "let";
    case DECLARATION_PARAMETER:
        return "parameter";
    case DECLARATION_ALIAS:
        return "alias";
    case DECLARATION_STRUCT:
        return "structure";
    case DECLARATION_FUNCTION:
        return "function";
    case DECLARATION_CONST_ASSERT:
        return "const_assert";
    }
    return "declaration";
}

// The path's end mentions what is at `begin` on the path: the path from there is a cycle.
static void report_cycle(struct order *order, uint32_t begin, struct source_span closing_span) {
    struct checker *checker = order->checker;
    const struct ast_declaration *target = order->path.items[begin].declaration;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_CYCLE,
        target->name_span,
        target->kind == DECLARATION_FUNCTION
            ? "the %s '%.*s' calls itself; recursion is not allowed"
            : "the %s '%.*s' depends on itself",
        kind_word(target), TEXT_ARGS(target->name->text));
    for (size_t i = begin; i < order->path.count && i - begin < NOTE_LIMIT; i++) {
        const struct step *step = &order->path.items[i];
        bool is_last = i + 1 == order->path.count;
        const struct ast_declaration *used = is_last ? target
                                                     : order->path.items[i + 1].declaration;
        const struct check_node *node = &checker->nodes[step->declaration->index];
        diagnostic_note(checker->diagnostics, diagnostic,
            is_last ? closing_span : node->spans[step->next - 1], "'%.*s' mentions '%.*s' here",
            TEXT_ARGS(step->declaration->name->text), TEXT_ARGS(used->name->text));
    }
}

// check_node.visited is the place on the path, + 1, while the search is there.
static bool push(struct order *order, struct ast_declaration *declaration) {
    uint32_t place = (uint32_t)order->path.count;
    struct step step = {declaration, 0, place};
    declaration->visit = VISIT_ACTIVE;
    order->checker->nodes[declaration->index].visited = place + 1;
    return vector_push(&order->path, MEMORY_COMPILE, step);
}

// All that the declaration mentions has been seen.
static void pop(struct order *order) {
    struct ast_module *module = order->checker->module;
    uint32_t place = (uint32_t)order->path.count - 1;
    struct step step = order->path.items[--order->path.count];
    order->checker->nodes[step.declaration->index].visited = 0;
    step.declaration->visit = VISIT_DONE;
    module->sorted[module->sorted_count++] = step.declaration;
    if (place > 0 && step.lowest < place) {
        // What is below can come back to where it is: it is part of a cycle too.
        struct step *below = &order->path.items[place - 1];
        order->checker->nodes[below->declaration->index].is_broken = true;
        below->lowest = step.lowest < below->lowest ? step.lowest : below->lowest;
    }
}

static bool visit(struct order *order, struct ast_declaration *root) {
    struct checker *checker = order->checker;
    if (root->visit != VISIT_NEW) {
        return true;
    }
    TRY(push(order, root));
    while (order->path.count > 0) {
        struct step *step = &order->path.items[order->path.count - 1];
        struct check_node *node = &checker->nodes[step->declaration->index];
        if (step->next == node->dependency_count) {
            pop(order);
            continue;
        }
        uint32_t at = step->next++;
        struct ast_declaration *used = node->dependencies[at];
        if (used->visit == VISIT_ACTIVE) {
            uint32_t place = checker->nodes[used->index].visited - 1;
            node->is_broken = true;
            step->lowest = place < step->lowest ? place : step->lowest;
            report_cycle(order, place, node->spans[at]);
        } else if (used->visit == VISIT_NEW) {
            TRY(push(order, used));
        }
    }
    return true;
}

bool resolve_order(struct checker *checker) {
    struct ast_module *module = checker->module;
    struct order order = {.checker = checker};
    module->sorted = ARENA_ARRAY(
        checker->arena, struct ast_declaration *, module->declaration_count);
    bool is_ok = module->sorted != NULL;
    for (uint32_t i = 0; is_ok && i < module->declaration_count; i++) {
        is_ok = visit(&order, module->declarations[i]);
    }
    vector_finish(&order.path);
    return is_ok || check_out_of_memory(checker);
}
