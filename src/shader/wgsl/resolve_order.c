// SPDX-License-Identifier: MIT
//
// Orders the module-scope declarations so that each comes after all it mentions, and reports cycles
// with the chain that closes them. Depth-first without recursion. See check_priv.h for threads.
#include "shader/wgsl/check_priv.h"

// One declaration on the path from the root of the search.
struct step {
    struct ast_declaration *declaration;
    uint32_t next; // dependency to look at next
};

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

// The path's end mentions `target`, which is on the path: that part of the path is a cycle.
static void report_cycle(
    struct order *order, struct ast_declaration *target, struct source_span closing_span) {
    struct checker *checker = order->checker;
    size_t begin = order->path.count;
    while (begin > 0 && order->path.items[begin - 1].declaration != target) {
        begin--;
    }
    begin -= begin > 0;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_CYCLE,
        target->name_span,
        target->kind == DECLARATION_FUNCTION
            ? "the %s '%.*s' calls itself; recursion is not allowed"
            : "the %s '%.*s' depends on itself",
        kind_word(target), TEXT_ARGS(target->name->text));
    for (size_t i = begin; i < order->path.count; i++) {
        struct step *step = &order->path.items[i];
        struct check_node *node = &checker->nodes[step->declaration->index];
        bool is_last = i + 1 == order->path.count;
        node->is_broken = true;
        if (i - begin < 10) { // a longer chain helps nobody
            const struct ast_declaration *used = is_last ? target
                                                         : order->path.items[i + 1].declaration;
            diagnostic_note(checker->diagnostics, diagnostic,
                is_last ? closing_span : node->spans[step->next - 1], "'%.*s' mentions '%.*s' here",
                TEXT_ARGS(step->declaration->name->text), TEXT_ARGS(used->name->text));
        }
    }
}

static bool visit(struct order *order, struct ast_declaration *root) {
    struct checker *checker = order->checker;
    struct ast_module *module = checker->module;
    struct step first = {root, 0};
    if (root->visit != VISIT_NEW) {
        return true;
    }
    root->visit = VISIT_ACTIVE;
    TRY(vector_push(&order->path, MEMORY_COMPILE, first));
    while (order->path.count > 0) {
        struct step *step = &order->path.items[order->path.count - 1];
        struct check_node *node = &checker->nodes[step->declaration->index];
        if (step->next == node->dependency_count) {
            step->declaration->visit = VISIT_DONE;
            module->sorted[module->sorted_count++] = step->declaration;
            order->path.count--;
            continue;
        }
        uint32_t at = step->next++;
        struct ast_declaration *used = node->dependencies[at];
        if (used->visit == VISIT_ACTIVE) {
            report_cycle(order, used, node->spans[at]);
        } else if (used->visit == VISIT_NEW) {
            struct step deeper = {used, 0};
            used->visit = VISIT_ACTIVE;
            TRY(vector_push(&order->path, MEMORY_COMPILE, deeper));
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
