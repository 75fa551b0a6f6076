// SPDX-License-Identifier: MIT
//
// WGSL §Uniformity Analysis: barriers, workgroupUniformLoad, derivatives, subgroup and quad
// functions stand only in uniform control flow. For each scope each function's graph is explored
// once; its tags tell its callers what they must guarantee. A violation is reported, with the
// severity that the nearest diagnostic filter gives it, with the chain from the call that needs
// uniformity to what may break it. See check_priv.h for threads.
#include <string.h>

#include "shader/wgsl/check_uniformity_priv.h"

// ---- The graph ---------------------------------------------------------------------------------

uniform_node uniform_add_node(
    struct uniformity *u, enum uniform_reason reason, struct source_span span) {
    struct uniform_vertex vertex = {0, (uint8_t)reason, span};
    if (!vector_push(&u->vertices, MEMORY_COMPILE, vertex)) {
        u->has_failed = true;
        return UNIFORM_START;
    }
    return (uniform_node)(u->vertices.count - 1);
}

void uniform_add_edge(struct uniformity *u, uniform_node from, uniform_node to) {
    if (from == UNIFORM_NONE || to == UNIFORM_NONE || from == to || u->has_failed) {
        return;
    }
    struct uniform_edge edge = {from, to, u->vertices.items[from].first_edge};
    if (u->edges.count >= UNIFORM_EDGE_LIMIT || !vector_push(&u->edges, MEMORY_COMPILE, edge)) {
        u->has_failed = true;
        return;
    }
    u->vertices.items[from].first_edge = (uint32_t)(u->edges.count - 1);
}

uniform_node uniform_join(struct uniformity *u, uniform_node a, uniform_node b) {
    struct source_span nowhere = {0, 0};
    if (a == UNIFORM_NONE || a == b) {
        return b;
    }
    if (b == UNIFORM_NONE) {
        return a;
    }
    uniform_node node = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
    uniform_add_edge(u, node, a);
    uniform_add_edge(u, node, b);
    return node;
}

void uniform_require(
    struct uniformity *u, uniform_node node, struct uniform_requirement requirement) {
    requirement.node = node;
    if (node != UNIFORM_NONE && !vector_push(&u->requirements, MEMORY_COMPILE, requirement)) {
        u->has_failed = true;
    }
}

// ---- Exploration -------------------------------------------------------------------------------

// Marks all that is reachable from the nodes in `pending`; `from` gets the node before each.
static bool explore(
    const struct uniformity *u, uniform_node *from, uniform_node *pending, uint32_t count) {
    for (uint32_t at = 0; at < count; at++) {
        uniform_node node = pending[at];
        for (uint32_t e = u->vertices.items[node].first_edge; e != 0; e = u->edges.items[e].next) {
            uniform_node to = u->edges.items[e].to;
            if (from[to] == UNIFORM_NONE) {
                from[to] = node;
                pending[count++] = to;
            }
        }
    }
    return true;
}

static const char *reason_text(enum uniform_reason reason) {
    switch (reason) {
    case UNIFORM_REASON_CONDITION:
        return "control flow depends on this condition";
    case UNIFORM_REASON_VALUE:
        return "this gets a value that may differ between invocations";
    case UNIFORM_REASON_BUILTIN:
        return "this input differs between invocations";
    case UNIFORM_REASON_MEMORY:
        return "reading this memory may give different values to different invocations";
    case UNIFORM_REASON_CALL:
        return "the result of this call may differ between invocations";
    case UNIFORM_REASON_NONE:
        break;
    }
    return "";
}

static void report(
    struct uniformity *u, const struct uniform_requirement *requirement, const uniform_node *from) {
    struct checker *checker = u->checker;
    static const enum diagnostic_severity severities[] = {
        [AST_SEVERITY_ERROR] = DIAGNOSTIC_ERROR,
        [AST_SEVERITY_WARNING] = DIAGNOSTIC_WARNING,
        [AST_SEVERITY_INFO] = DIAGNOSTIC_INFO,
        [AST_SEVERITY_OFF] = DIAGNOSTIC_OFF,
    };
    enum diagnostic_severity severity = severities[requirement->severity];
    const struct ast_declaration *parameter = requirement->parameter;
    struct diagnostic *diagnostic = parameter != NULL
        ? diagnostic_add(checker->diagnostics, severity, DIAGNOSTIC_UNIFORMITY, requirement->span,
              "this argument must be the same in all invocations: '%s' depends on the parameter "
              "'%.*s'",
              requirement->name, TEXT_ARGS(parameter->name->text))
        : diagnostic_add(checker->diagnostics, severity, DIAGNOSTIC_UNIFORMITY, requirement->span,
              requirement->is_value ? "'%s' needs an argument that is the same in all invocations"
                                    : "'%s' must be called in uniform control flow",
              requirement->name);
    const struct uniform_tags *callee = requirement->callee;
    for (uint32_t depth = 0; callee != NULL && depth < 8; callee = callee->callee, depth++) {
        diagnostic_note(checker->diagnostics, diagnostic, callee->span,
            callee->callee != NULL ? "the called function passes it on here"
                                   : "'%s' is called here",
            requirement->name);
    }
    // The path runs backwards from what may differ; notes go from the call to it.
    uniform_node path[64];
    uint32_t count = 0;
    for (uniform_node node = UNIFORM_MAYBE_NOT, before = UNIFORM_NONE; node != before;
         before = node, node = from[node]) {
        if (u->vertices.items[node].reason != UNIFORM_REASON_NONE) {
            path[count++ % 64] = node;
        }
    }
    uint32_t first = count > 64 ? count - 64 : 0;
    for (uint32_t i = count, shown = 0; i-- > first && shown < 8; shown++) {
        const struct uniform_vertex *vertex = &u->vertices.items[path[i % 64]];
        diagnostic_note(checker->diagnostics, diagnostic, vertex->span, "%s",
            reason_text((enum uniform_reason)vertex->reason));
    }
}

// What is required here is required of the callers where it depends on them.
static void apply_tags(struct uniformity *u, struct uniform_tags *tags, const uniform_node *from,
    uint8_t severity, const struct uniform_requirement *first) {
    if (from[UNIFORM_START] != UNIFORM_NONE && !tags->needs_uniform_call) {
        tags->needs_uniform_call = true;
        tags->call_severity = severity;
    }
    if (tags->name == NULL) {
        tags->name = first->name;
        tags->span = first->span;
        tags->callee = first->callee;
    }
    for (uint32_t i = 0; i < u->function->parameter_count; i++) {
        uint8_t *tag = &tags->parameters[i];
        if (*tag & (UNIFORM_PARAMETER_REQUIRED | UNIFORM_PARAMETER_CONTENTS_REQUIRED)) {
            continue; // from a greater severity
        }
        if (from[u->parameter_nodes[i]] != UNIFORM_NONE) {
            *tag |= (uint8_t)(UNIFORM_PARAMETER_REQUIRED |
                severity << UNIFORM_PARAMETER_SEVERITY_SHIFT);
        }
        if (u->contents_nodes[i] != UNIFORM_NONE && from[u->contents_nodes[i]] != UNIFORM_NONE) {
            *tag |= (uint8_t)(UNIFORM_PARAMETER_CONTENTS_REQUIRED |
                severity << UNIFORM_PARAMETER_CONTENTS_SEVERITY_SHIFT);
        }
    }
}

// The nodes that each severity looks at anew.
static void forget_ends(struct uniformity *u, uniform_node *from) {
    from[UNIFORM_MAYBE_NOT] = UNIFORM_NONE;
    from[UNIFORM_START] = UNIFORM_NONE;
    for (uint32_t i = 0; i < u->function->parameter_count; i++) {
        from[u->parameter_nodes[i]] = UNIFORM_NONE;
        if (u->contents_nodes[i] != UNIFORM_NONE) {
            from[u->contents_nodes[i]] = UNIFORM_NONE;
        }
    }
}

// Requirements of one severity in the order of the text: the first that fails is reported, and then
// none of them sets tags. False after a failure.
static bool apply_severity(struct uniformity *u, struct uniform_tags *tags, uniform_node *from,
    uniform_node *pending, uint8_t severity) {
    const struct uniform_requirement *first = NULL; // that needs something of the caller
    bool is_valid = true;
    for (size_t i = 0; i < u->requirements.count; i++) {
        const struct uniform_requirement *requirement = &u->requirements.items[i];
        if (requirement->severity != severity || from[requirement->node] != UNIFORM_NONE) {
            continue; // reached before, with all that follows from it
        }
        bool had_start = from[UNIFORM_START] != UNIFORM_NONE;
        from[requirement->node] = requirement->node;
        pending[0] = requirement->node;
        explore(u, from, pending, 1);
        if (is_valid && from[UNIFORM_MAYBE_NOT] != UNIFORM_NONE) {
            report(u, requirement, from);
            is_valid = false;
        }
        if (first == NULL || (!had_start && from[UNIFORM_START] != UNIFORM_NONE)) {
            first = requirement;
        }
    }
    if (is_valid && first != NULL) {
        apply_tags(u, tags, from, severity, first);
    }
    forget_ends(u, from);
    return is_valid;
}

static bool apply_requirements(
    struct uniformity *u, struct uniform_tags *tags, uniform_node *from, uniform_node *pending) {
    memset(from, 0, u->vertices.count * sizeof(*from));
    if (!apply_severity(u, tags, from, pending, AST_SEVERITY_ERROR)) {
        return false;
    }
    apply_severity(u, tags, from, pending, AST_SEVERITY_WARNING);
    apply_severity(u, tags, from, pending, AST_SEVERITY_INFO);
    return true;
}

static void explore_from(
    struct uniformity *u, uniform_node start, uniform_node *from, uniform_node *pending) {
    memset(from, 0, u->vertices.count * sizeof(*from));
    from[start] = start;
    pending[0] = start;
    explore(u, from, pending, 1);
}

static void apply_return(
    struct uniformity *u, struct uniform_tags *tags, uniform_node *from, uniform_node *pending) {
    explore_from(u, UNIFORM_RETURN, from, pending);
    tags->returns_maybe_not = from[UNIFORM_MAYBE_NOT] != UNIFORM_NONE;
    for (uint32_t i = 0; i < u->function->parameter_count; i++) {
        if (from[u->parameter_nodes[i]] != UNIFORM_NONE ||
            (u->contents_nodes[i] != UNIFORM_NONE && from[u->contents_nodes[i]] != UNIFORM_NONE)) {
            tags->parameters[i] |= UNIFORM_PARAMETER_RETURN;
        }
    }
}

static bool apply_pointers(
    struct uniformity *u, struct uniform_tags *tags, uniform_node *from, uniform_node *pending) {
    VECTOR(struct uniform_transfer) transfers = {0};
    bool is_ok = true;
    for (uint32_t i = 0; i < u->function->parameter_count && is_ok; i++) {
        if (u->contents_nodes[i] == UNIFORM_NONE) {
            continue;
        }
        explore_from(u, u->final_nodes[i], from, pending);
        if (from[UNIFORM_MAYBE_NOT] != UNIFORM_NONE) {
            tags->parameters[i] |= UNIFORM_PARAMETER_POINTER_MAYBE_NOT;
        }
        for (uint32_t j = 0; j < u->function->parameter_count && is_ok; j++) {
            struct uniform_transfer transfer = {(uint8_t)i, (uint8_t)j, false};
            if (from[u->parameter_nodes[j]] != UNIFORM_NONE) {
                is_ok = vector_push(&transfers, MEMORY_COMPILE, transfer);
            }
            transfer.is_contents = true;
            if (u->contents_nodes[j] != UNIFORM_NONE &&
                from[u->contents_nodes[j]] != UNIFORM_NONE) {
                is_ok = is_ok && vector_push(&transfers, MEMORY_COMPILE, transfer);
            }
        }
    }
    if (is_ok && transfers.count != 0) {
        tags->transfers = arena_copy(
            u->checker->arena, transfers.items, transfers.count * sizeof(*transfers.items));
        tags->transfer_count = (uint32_t)transfers.count;
        is_ok = tags->transfers != NULL;
    }
    vector_finish(&transfers);
    return is_ok;
}

// ---- Functions ---------------------------------------------------------------------------------

static bool begin_function(struct uniformity *u, struct uniform_tags *tags) {
    struct source_span nowhere = {0, 0};
    uint32_t count = u->function->parameter_count;
    struct uniform_edge unused = {0, 0, 0};
    size_t bytes = (size_t)count * sizeof(uniform_node);
    u->parameter_nodes = memory_allocate_zeroed(MEMORY_COMPILE, 1, 3 * bytes);
    tags->parameters = ARENA_ARRAY(u->checker->arena, uint8_t, count);
    TRY(u->parameter_nodes != NULL && tags->parameters != NULL);
    u->contents_nodes = u->parameter_nodes + count;
    u->final_nodes = u->contents_nodes + count;
    TRY(vector_push(&u->edges, MEMORY_COMPILE, unused));
    for (uint32_t i = 0; i < UNIFORM_FIXED_COUNT; i++) {
        uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct ast_declaration *parameter = u->function->parameters[i];
        u->parameter_nodes[i] = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
        uniform_node value = u->parameter_nodes[i];
        if (uniform_is_tracked(u, parameter)) {
            u->contents_nodes[i] = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
            u->final_nodes[i] = uniform_add_node(u, UNIFORM_REASON_NONE, nowhere);
            value = u->contents_nodes[i];
        }
        uniform_declare(u, parameter, value);
    }
    return !u->has_failed;
}

static bool explore_function(struct uniformity *u, struct uniform_tags *tags) {
    size_t bytes = u->vertices.count * sizeof(uniform_node);
    uniform_node *from = memory_allocate(MEMORY_COMPILE, bytes);
    uniform_node *pending = memory_allocate(MEMORY_COMPILE, bytes);
    bool is_ok = from != NULL && pending != NULL;
    if (is_ok && apply_requirements(u, tags, from, pending)) {
        apply_return(u, tags, from, pending);
        is_ok = apply_pointers(u, tags, from, pending);
    }
    memory_free(from);
    memory_free(pending);
    return is_ok;
}

static void finish_function(struct uniformity *u) {
    memory_free(u->parameter_nodes);
    vector_finish(&u->vertices);
    vector_finish(&u->edges);
    vector_finish(&u->requirements);
    vector_finish(&u->variables);
    vector_finish(&u->log);
    vector_finish(&u->spine);
}

// The severities of the module's directives.
static void apply_directives(struct uniformity *u) {
    const struct ast_module *module = u->checker->module;
    for (uint32_t i = 0; i < module->directive_count; i++) {
        struct ast_attribute attribute = {.control = &module->directives[i].control};
        struct ast_attribute_list list = {.items = &attribute, .count = 1};
        uint8_t before[UNIFORM_RULE_COUNT];
        if (module->directives[i].kind == DIRECTIVE_DIAGNOSTIC) {
            uniform_filter(u, &list, before);
        }
    }
}

static bool analyse_function(
    struct checker *checker, struct ast_declaration *declaration, enum uniform_scope scope) {
    struct uniformity u = {.checker = checker, .function = declaration->function, .scope = scope};
    uint8_t before[UNIFORM_RULE_COUNT];
    apply_directives(&u);
    uniform_filter(&u, &declaration->attributes, before);
    struct uniform_tags *tags = ARENA_NEW(checker->arena, struct uniform_tags);
    TRY(tags != NULL);
    checker->nodes[declaration->index].uniformity = tags;
    bool is_ok = begin_function(&u, tags);
    if (is_ok) {
        uniform_body(&u);
        is_ok = !u.has_failed && explore_function(&u, tags);
    }
    if (!is_ok && u.edges.count >= UNIFORM_EDGE_LIMIT) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, declaration->name_span,
            "'%.*s' is too complex for the uniformity analysis",
            TEXT_ARGS(declaration->name->text));
        is_ok = true;
    }
    finish_function(&u);
    return is_ok;
}

static void analyse_scope(struct checker *checker, enum uniform_scope scope) {
    const struct ast_module *module = checker->module;
    for (uint32_t i = 0; i < module->sorted_count; i++) {
        if (module->sorted[i]->kind == DECLARATION_FUNCTION &&
            !analyse_function(checker, module->sorted[i], scope)) {
            check_out_of_memory(checker);
            return;
        }
    }
}

void check_uniformity(struct checker *checker) {
    if (checker->has_collective) {
        analyse_scope(checker, UNIFORM_SCOPE_WORKGROUP);
    }
    if (checker->has_subgroup) {
        analyse_scope(checker, UNIFORM_SCOPE_SUBGROUP);
    }
}
