// SPDX-License-Identifier: MIT
//
// Statements of uniform control flow: barriers, exchange through workgroup memory, uniform loads,
// and the uniform branches and loops around them. Conditions use only what WGSL's uniformity
// analysis finds uniform.
#include "oracle/generate_priv.h"

// Own element written, barrier, another's read, barrier: no two accesses race.
static void exchange(struct generator *g) {
    gtype element = g->workgroup_element;
    generate_line(g, "shared_values[lid] = %s;", generate_stored(g, element, 2, false));
    generate_line(g, "workgroupBarrier();");
    const char *name = generate_name(g, "x");
    const char *index = generate_chance(g, 80)
        ? generate_format(g, "(lid + %uu) %% %uu", generate_below(g, 9), g->workgroup_count)
        : generate_format(g, "(lid * %uu)", 1 + generate_below(g, 3)); // partly out of range
    if (generate_chance(g, 30)) {
        index = generate_format(g, "u32(%s) %% %uu",
            generate_runtime_leaf(g, generate_value_type(g, BASE_I32, 1), false).text,
            g->workgroup_count);
    }
    generate_line(g, "let %s = shared_values[%s];", name, index);
    generate_line(g, "workgroupBarrier();");
    generate_declare(g, (struct variable_row){.name = name, .type = element, .kind = VARIABLE_LET});
}

// All add, then all read one sum: a uniform value.
static void count(struct generator *g) {
    const char *name = generate_name(g, "c");
    generate_line(g, "atomicAdd(&shared_count, %s);",
        generate_stored(g, generate_value_type(g, BASE_U32, 1), 2, false));
    if (generate_chance(g, 50)) {
        generate_line(g, "let %s = workgroupUniformLoad(&shared_count);", name);
        generate_declare(g,
            (struct variable_row){.name = name,
                .type = generate_value_type(g, BASE_U32, 1),
                .kind = VARIABLE_LET,
                .is_uniform = true});
    } else {
        generate_line(g, "workgroupBarrier();");
        generate_line(g, "let %s = atomicLoad(&shared_count);", name);
        generate_line(g, "workgroupBarrier();");
        generate_declare(g,
            (struct variable_row){
                .name = name, .type = generate_value_type(g, BASE_U32, 1), .kind = VARIABLE_LET});
    }
}

// One invocation writes, all load.
static void broadcast(struct generator *g) {
    const char *name = generate_name(g, "b");
    generate_line(g, "if lid == %uu { shared_scalar = %s; }", generate_below(g, g->workgroup_count),
        generate_stored(g, generate_value_type(g, BASE_I32, 1), 2, false));
    generate_line(g, "let %s = workgroupUniformLoad(&shared_scalar);", name);
    generate_declare(g,
        (struct variable_row){.name = name,
            .type = generate_value_type(g, BASE_I32, 1),
            .kind = VARIABLE_LET,
            .is_uniform = true});
}

// Through the storage buffer of own cells, within the workgroup: own cell written, storageBarrier,
// a neighbour's read, storageBarrier.
static void storage_exchange(struct generator *g) {
    const char *name = generate_name(g, "y");
    generate_line(g, "exchange[base + lid] = %s;",
        generate_stored(g, generate_value_type(g, BASE_U32, 1), 2, false));
    generate_line(g, "storageBarrier();");
    generate_line(g, "let %s = exchange[base + ((lid + %uu) %% %uu)];", name, generate_below(g, 9),
        g->workgroup_count);
    generate_line(g, "storageBarrier();");
    generate_declare(g,
        (struct variable_row){
            .name = name, .type = generate_value_type(g, BASE_U32, 1), .kind = VARIABLE_LET});
}

static const char *uniform_condition(struct generator *g) {
    return generate_expression(g, generate_value_type(g, BASE_BOOL, 1), 2, true).text;
}

static void uniform_block(struct generator *g, uint32_t statement_count, uint32_t depth) {
    uint32_t mark = (uint32_t)g->variables.count;
    g->indent++;
    for (uint32_t i = 0; i < statement_count && g->budget > 0 && !g->has_failed; i++) {
        generate_uniform_statement(g, depth);
    }
    g->indent--;
    g->variables.count = mark;
}

static void uniform_if(struct generator *g, uint32_t depth) {
    generate_line(g, "if %s {", uniform_condition(g));
    uniform_block(g, 1 + generate_below(g, 3), depth + 1);
    if (generate_chance(g, 50)) {
        generate_line(g, "} else {");
        uniform_block(g, 1 + generate_below(g, 3), depth + 1);
    }
    generate_line(g, "}");
}

static void uniform_switch(struct generator *g, uint32_t depth) {
    gtype type = generate_value_type(g, BASE_U32, 1);
    generate_line(g, "switch (%s & 3u) {", generate_runtime_leaf(g, type, true).text);
    for (uint32_t i = 0; i < 2; i++) {
        generate_line(g, "  case %uu: {", i);
        uniform_block(g, 1 + generate_below(g, 2), depth + 1);
        if (generate_chance(g, 25)) {
            generate_line(g, "    if %s { break; }", uniform_condition(g));
            uniform_block(g, 1, depth + 1);
        }
        generate_line(g, "  }");
    }
    generate_line(g, "  default: {");
    uniform_block(g, generate_below(g, 2), depth + 1);
    generate_line(g, "  }");
    generate_line(g, "}");
}

static void uniform_loop(struct generator *g, uint32_t depth) {
    const char *name = generate_name(g, "t");
    uint32_t mark = (uint32_t)g->variables.count;
    const char *limit = generate_format(g, "%uu", 1 + generate_below(g, 3));
    if (generate_chance(g, 50)) {
        limit = generate_format(g, "(%s & 3u)",
            generate_runtime_leaf(g, generate_value_type(g, BASE_U32, 1), true).text);
    }
    generate_line(g, "for (var %s = 0u; %s < %s; %s++) {", name, name, limit, name);
    generate_declare(g,
        (struct variable_row){.name = name,
            .type = generate_value_type(g, BASE_U32, 1),
            .kind = VARIABLE_LET,
            .is_uniform = true});
    g->loop_depth++;
    uniform_block(g, 1 + generate_below(g, 3), depth + 1);
    if (generate_chance(g, 40)) {
        generate_line(g, "  if %s { %s; }", uniform_condition(g),
            generate_chance(g, 50) ? "break" : "continue");
        uniform_block(g, 1, depth + 1);
    }
    g->loop_depth--;
    generate_line(g, "}");
    g->variables.count = mark;
}

static void uniform_local(struct generator *g) {
    gtype type = generate_pick_value_type(g);
    const char *name = generate_name(g, "w");
    generate_line(g, "var %s = %s;", name, generate_stored(g, type, 2, true));
    generate_declare(g,
        (struct variable_row){.name = name,
            .type = type,
            .kind = VARIABLE_VAR,
            .is_uniform = true,
            .is_local = true});
}

// A whole uniform variable is assigned; a part of it by a path would do too, but keeps less.
static void uniform_assign(struct generator *g) {
    for (size_t i = g->variables.count; i-- > 0;) {
        struct variable_row row = g->variables.items[i];
        if (row.is_uniform && row.kind == VARIABLE_VAR && generate_chance(g, 60)) {
            generate_line(g, "%s = %s;", row.name, generate_stored(g, row.type, 2, true));
            return;
        }
    }
    uniform_local(g);
}

static void uniform_call(struct generator *g) {
    for (size_t i = 0; i < g->functions.count; i++) {
        struct function_row row = g->functions.items[i];
        if (row.has_barrier && generate_chance(g, 60)) {
            generate_line(g, "_ = %s(lid, %s);", row.name,
                generate_stored(g, generate_value_type(g, BASE_U32, 1), 1, true));
            return;
        }
    }
    exchange(g);
}

void generate_uniform_statement(struct generator *g, uint32_t depth) {
    bool may_nest = depth < 3 && g->budget > 4;
    uint32_t choice = generate_below(g, 100);
    if (choice < 38) {
        // Divergent inside, uniform again after: no jump leaves the statement.
        uint32_t breakable = g->breakable;
        bool is_switch_inside = g->is_switch_inside, may_return = g->may_return;
        g->breakable = 0;
        g->is_switch_inside = false;
        g->may_return = false;
        generate_statement(g);
        g->breakable = breakable;
        g->is_switch_inside = is_switch_inside;
        g->may_return = may_return;
        return;
    }
    g->budget--;
    if (choice < 50) {
        exchange(g);
    } else if (choice < 56) {
        count(g);
    } else if (choice < 62) {
        broadcast(g);
    } else if (choice < 68 && g->is_in_main) {
        storage_exchange(g);
    } else if (choice < 74 && may_nest) {
        uniform_if(g, depth);
    } else if (choice < 79 && may_nest) {
        uniform_switch(g, depth);
    } else if (choice < 88 && may_nest && g->loop_depth < 2) {
        uniform_loop(g, depth);
    } else if (choice < 92) {
        uniform_assign(g);
    } else if (choice < 95 && g->is_in_main) {
        uniform_call(g);
    } else {
        uniform_local(g);
    }
}
