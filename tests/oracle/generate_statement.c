// SPDX-License-Identifier: MIT
//
// Statements of divergent control flow: declarations, assignments, branches, loops that end, calls,
// atomics whose order does not matter. generate_uniform.c has those around barriers.
#include "oracle/generate_priv.h"

#define CALL_LIMIT 2

static uint32_t scope_begin(struct generator *g) {
    g->indent++;
    return (uint32_t)g->variables.count;
}

static void scope_end(struct generator *g, uint32_t mark) {
    g->indent--;
    g->variables.count = mark;
}

void generate_block(struct generator *g, uint32_t statement_count) {
    uint32_t mark = scope_begin(g);
    for (uint32_t i = 0; i < statement_count && g->budget > 0 && !g->has_failed; i++) {
        generate_statement(g);
    }
    scope_end(g, mark);
}

// A local variable of exactly the type, for a pointer argument: each is passed once a call.
static const char *find_local(
    struct generator *g, gtype type, const char *const *used, uint32_t used_count) {
    for (size_t i = g->variables.count; i-- > 0;) {
        const struct variable_row *row = &g->variables.items[i];
        bool is_used = false;
        for (uint32_t k = 0; k < used_count; k++) {
            is_used = is_used || used[k] == row->name;
        }
        if (row->is_local && row->type == type && !row->is_uniform && !is_used) {
            return row->name;
        }
    }
    return NULL;
}

// name(arguments), NULL when no function fits.
const char *generate_call(struct generator *g, gtype result, uint32_t depth) {
    if (g->functions.count == 0 || g->call_depth >= 1 || g->loop_depth > CALL_LIMIT) {
        return NULL;
    }
    struct function_row row = g->functions.items[generate_below(g, (uint32_t)g->functions.count)];
    if (row.has_barrier || (result != 0 && row.result != result) ||
        (result == 0 && generate_chance(g, 20))) {
        return NULL;
    }
    if (row.is_storage) {
        return !g->is_in_main ? NULL
                              : generate_format(g, "%s(&mine[%s], %s)", row.name,
                                    generate_chance(g, 80) ? "g" : "g + 0x10000000u",
                                    generate_stored(g, generate_value_type(g, BASE_U32, 1),
                                        depth > 1 ? 1 : depth, false));
    }
    const char *used[4] = {NULL};
    uint32_t used_count = 0;
    struct text_buffer text = {0};
    text_buffer_print(&text, "%s(", row.name);
    g->call_depth++;
    bool ok = true;
    for (uint32_t i = 0; ok && i < row.parameter_count; i++) {
        text_buffer_append_string(&text, i == 0 ? "" : ", ");
        if (row.is_pointer[i]) {
            const char *local = find_local(g, row.parameters[i], used, used_count);
            ok = local != NULL;
            used[used_count++] = local;
            text_buffer_print(&text, "&%s", ok ? local : "");
        } else {
            const char *argument = generate_stored(
                g, row.parameters[i], depth > 1 ? 1 : depth, false);
            text_buffer_append_string(&text, argument == NULL ? "" : argument);
        }
    }
    g->call_depth--;
    text_buffer_append_char(&text, ')');
    const char *copy = ok ? text_copy(g->arena, text_buffer_get(&text)) : NULL;
    g->has_failed = g->has_failed || text.has_failed;
    text_buffer_finish(&text);
    return copy;
}

// ---------------------------------------------------------------- simple statements

static void declare_local(struct generator *g) {
    gtype type = generate_pick_type(g, false);
    const char *type_name = generate_type_row(g, type)->name;
    const char *value = generate_stored(g, type, 2, false);
    const char *name = NULL;
    struct variable_row row = {.type = type};
    uint32_t choice = generate_below(g, 10);
    if (choice < 3) {
        name = generate_name(g, "l");
        if (generate_chance(g, 50)) {
            generate_line(g, "let %s = %s;", name, value);
        } else {
            generate_line(g, "let %s: %s = %s;", name, type_name, value);
        }
    } else if (choice < 8) {
        name = generate_name(g, "v");
        generate_line(g, "var %s: %s = %s;", name, type_name, value);
        row.kind = VARIABLE_VAR;
        row.is_local = true;
    } else {
        name = generate_name(g, "z");
        generate_line(g, "var %s: %s;", name, type_name); // zero
        row.kind = VARIABLE_VAR;
        row.is_local = true;
    }
    row.name = name;
    generate_declare(g, row);
}

// A variable that may be written here, NULL when chance found none.
static const struct variable_row *find_writable(struct generator *g) {
    for (int attempt = 0; attempt < 10 && g->variables.count != 0; attempt++) {
        const struct variable_row *row =
            &g->variables.items[generate_below(g, (uint32_t)g->variables.count)];
        bool is_writable = row->kind == VARIABLE_VAR || row->kind == VARIABLE_STORAGE;
        if (is_writable && !row->is_uniform) {
            return row;
        }
    }
    return NULL;
}

static void assign(struct generator *g) {
    const struct variable_row *found = find_writable(g);
    if (found == NULL) {
        declare_local(g);
        return;
    }
    struct variable_row variable = *found;
    gtype type = 0;
    const char *path = generate_path(g, &variable, 0, false, &type);
    struct type_row row = *generate_type_row(g, type);
    bool is_integer = row.shape == SHAPE_VALUE && (row.base == BASE_I32 || row.base == BASE_U32);
    if (is_integer && row.count == 1 && generate_chance(g, 15)) {
        generate_line(g, "%s%s;", path, generate_chance(g, 50) ? "++" : "--");
        return;
    }
    if (is_integer && generate_chance(g, 30)) {
        static const char *const ops[] = {"+=", "-=", "*=", "&=", "|=", "^="};
        generate_line(
            g, "%s %s %s;", path, ops[generate_below(g, 6)], generate_stored(g, type, 2, false));
        return;
    }
    generate_line(g, "%s = %s;", path, generate_stored(g, type, 3, false));
}

static void through_pointer(struct generator *g) {
    const struct variable_row *found = find_writable(g);
    if (found == NULL) {
        return;
    }
    struct variable_row variable = *found;
    gtype type = 0;
    const char *path = generate_path(g, &variable, 0, false, &type);
    // A vector's component has no address.
    if (path == NULL ||
        (generate_type_row(g, type)->shape == SHAPE_VALUE && path != variable.name &&
            generate_type_row(g, type)->count == 1)) {
        generate_line(g, "_ = %s;", path);
        return;
    }
    const char *name = generate_name(g, "p");
    generate_line(g, "let %s = &%s;", name, path);
    generate_line(g, "*%s = %s;", name, generate_stored(g, type, 2, false));
    generate_declare(g,
        (struct variable_row){
            .name = generate_format(g, "(*%s)", name), .type = type, .kind = VARIABLE_LET});
}

// Any operation on this invocation's own atomic, whose result then is determined.
static void own_atomic_statement(struct generator *g) {
    static const char *const ops[] = {"atomicAdd", "atomicSub", "atomicMax", "atomicMin",
        "atomicAnd", "atomicOr", "atomicXor", "atomicExchange"};
    gtype type = generate_value_type(g, BASE_I32, 1);
    const char *value = generate_stored(g, type, 1, false);
    const char *name = generate_name(g, "o");
    const char *at = generate_chance(g, 90) ? "own" : "own + 0x40000000u";
    uint32_t choice = generate_below(g, 12);
    if (choice < 8) {
        generate_line(g, "let %s = %s(&atoms[%s], %s);", name, ops[choice], at, value);
    } else if (choice < 10) {
        generate_line(g, "let %s = atomicCompareExchangeWeak(&atoms[%s], %s, %s).old_value;", name,
            at, generate_stored(g, type, 1, false), value);
    } else if (choice == 10) {
        generate_line(g, "atomicStore(&atoms[%s], %s);", at, value);
        return;
    } else {
        generate_line(g, "let %s = atomicLoad(&atoms[%s]);", name, at);
    }
    generate_declare(g, (struct variable_row){.name = name, .type = type, .kind = VARIABLE_LET});
}

// Operations whose final value does not depend on their order; no result is used.
static void atomic_statement(struct generator *g) {
    if (generate_chance(g, 50)) {
        own_atomic_statement(g);
        return;
    }
    uint32_t choice = generate_below(g, 7);
    gtype type = generate_value_type(g, choice == 3 ? BASE_I32 : BASE_U32, 1);
    const char *value = generate_stored(g, type, 2, false);
    switch (choice) {
    case 0:
        generate_line(g, "atomicAdd(&counters.sum[%s], %s);", generate_index(g, 8, false), value);
        break;
    case 1:
        generate_line(g, "atomicSub(&counters.sum[%s], %s);", generate_index(g, 8, false), value);
        break;
    case 2:
        generate_line(g, "atomicMax(&counters.high, %s);", value);
        break;
    case 3:
        generate_line(g, "atomicMin(&counters.low, %s);", value);
        break;
    case 4:
        generate_line(g, "atomicAnd(&counters.every, %s);", value);
        break;
    case 5:
        generate_line(g, "atomicOr(&counters.some, %s);", value);
        break;
    default:
        generate_line(g, "atomicXor(&counters.parity, %s);", value);
        break;
    }
}

// ---------------------------------------------------------------- control flow

// Enters a construct that break (and, for loops, continue) leaves.
struct outer {
    uint32_t breakable;
    bool is_switch_inside;
};
static struct outer enter(struct generator *g, bool is_switch) {
    struct outer outer = {g->breakable, g->is_switch_inside};
    g->breakable = is_switch ? g->breakable : g->breakable + 1;
    g->is_switch_inside = is_switch;
    return outer;
}
static void leave(struct generator *g, struct outer outer) {
    g->breakable = outer.breakable;
    g->is_switch_inside = outer.is_switch_inside;
}

static const char *condition(struct generator *g) {
    return generate_expression(g, generate_value_type(g, BASE_BOOL, 1), 3, false).text;
}

static void if_statement(struct generator *g) {
    generate_line(g, "if %s {", condition(g));
    generate_block(g, 1 + generate_below(g, 3));
    while (generate_chance(g, 20) && g->budget > 0) {
        generate_line(g, "} else if %s {", condition(g));
        generate_block(g, 1 + generate_below(g, 2));
    }
    if (generate_chance(g, 50)) {
        generate_line(g, "} else {");
        generate_block(g, 1 + generate_below(g, 3));
    }
    generate_line(g, "}");
}

static void switch_statement(struct generator *g) {
    bool is_signed = generate_chance(g, 50);
    gtype type = generate_value_type(g, is_signed ? BASE_I32 : BASE_U32, 1);
    const char *suffix = is_signed ? "i" : "u";
    const char *selector = generate_runtime_leaf(g, type, false).text;
    generate_line(g, generate_chance(g, 70) ? "switch (%s & 3%s) {" : "switch (%s - 2%s) {",
        selector, suffix);
    uint32_t count = generate_below(g, 4), default_at = generate_below(g, count + 1), next = 0;
    struct outer outer = enter(g, true);
    for (uint32_t i = 0; i <= count; i++) {
        g->indent++;
        if (i == default_at) {
            if (generate_chance(g, 30)) {
                generate_line(g, "case %u%s, default: {", next, suffix);
                next++;
            } else {
                generate_line(g, "default: {");
            }
        } else if (generate_chance(g, 30)) {
            generate_line(g, "case %u%s, %u%s: {", next, suffix, next + 1, suffix);
            next += 2;
        } else {
            generate_line(g, "case %u%s: {", next, suffix);
            next++;
        }
        generate_block(g, generate_below(g, 3));
        generate_line(g, "}");
        g->indent--;
    }
    leave(g, outer);
    generate_line(g, "}");
}

static void for_statement(struct generator *g) {
    const char *name = generate_name(g, "j");
    uint32_t mark = (uint32_t)g->variables.count;
    bool is_signed = generate_chance(g, 50);
    const char *suffix = is_signed ? "i" : "u";
    const char *limit = generate_format(g, "%u%s", 1 + generate_below(g, 4), suffix);
    if (generate_chance(g, 40)) {
        gtype type = generate_value_type(g, is_signed ? BASE_I32 : BASE_U32, 1);
        limit = generate_format(
            g, "(%s & 3%s)", generate_runtime_leaf(g, type, false).text, suffix);
    }
    generate_line(g, "for (var %s = 0%s; %s < %s; %s%s) {", name, suffix, name, limit, name,
        generate_chance(g, 50) ? "++" : generate_format(g, " += 1%s", suffix));
    generate_declare(g,
        (struct variable_row){.name = name,
            .type = generate_value_type(g, is_signed ? BASE_I32 : BASE_U32, 1),
            .kind = VARIABLE_LET});
    struct outer outer = enter(g, false);
    g->loop_depth++;
    generate_block(g, 1 + generate_below(g, 4));
    g->loop_depth--;
    leave(g, outer);
    generate_line(g, "}");
    g->variables.count = mark;
}

// Sums a few elements in a loop whose index follows the lane and the counter.
static void sum_statement(struct generator *g) {
    static const char *const forms[] = {"g * 4u + %s", "g + %s", "%s", "lid + %s * 3u", "g - %s",
        "%s * 16u + lid", "(g + %s) % 7u"};
    const char *name = generate_name(g, "s"), *counter = generate_name(g, "j");
    gtype type = generate_value_type(g, BASE_I32, 1);
    uint32_t choice = generate_below(g, sizeof(forms) / sizeof(forms[0]));
    bool is_remainder = choice == 6; // its "%" is no format
    const char *index = is_remainder ? generate_format(g, "(g + %s) %% 7u", counter)
                                     : generate_format(g, forms[choice], counter);
    generate_line(g, "var %s = 0i;", name);
    generate_line(g, "for (var %s = 0u; %s < %uu; %s++) { %s += table[%s]; }", counter, counter,
        1 + generate_below(g, 6), counter, name, index);
    generate_declare(g,
        (struct variable_row){.name = name, .type = type, .kind = VARIABLE_VAR, .is_local = true});
}

static void while_statement(struct generator *g) {
    const char *name = generate_name(g, "n");
    uint32_t mark = (uint32_t)g->variables.count;
    generate_line(g, "var %s = %uu;", name, generate_below(g, 3));
    generate_line(g, "while ((%s < %uu) && %s) {", name, 2 + generate_below(g, 4), condition(g));
    generate_declare(g,
        (struct variable_row){
            .name = name, .type = generate_value_type(g, BASE_U32, 1), .kind = VARIABLE_LET});
    struct outer outer = enter(g, false);
    g->loop_depth++;
    g->indent++;
    generate_line(g, "%s++;", name);
    g->indent--;
    generate_block(g, 1 + generate_below(g, 3));
    g->loop_depth--;
    leave(g, outer);
    generate_line(g, "}");
    g->variables.count = mark;
}

static void loop_statement(struct generator *g) {
    const char *name = generate_name(g, "k");
    uint32_t mark = (uint32_t)g->variables.count;
    bool has_break_if = generate_chance(g, 50);
    generate_line(g, "var %s = 0i;", name);
    generate_line(g, "loop {");
    generate_declare(g,
        (struct variable_row){
            .name = name, .type = generate_value_type(g, BASE_I32, 1), .kind = VARIABLE_LET});
    struct outer outer = enter(g, false);
    g->loop_depth++;
    g->indent++;
    if (!has_break_if) {
        generate_line(g, "if %s >= %u { break; }", name, 1 + generate_below(g, 4));
    }
    g->indent--;
    generate_block(g, 1 + generate_below(g, 4));
    // Nothing in a continuing block leaves the loop but break if.
    g->indent++;
    generate_line(g, "continuing {");
    g->breakable = 0;
    g->is_switch_inside = false;
    bool may_return = g->may_return;
    g->may_return = false;
    // What the body declared is not visible after a possible continue: only what stands outside is used.
    generate_block(g, generate_below(g, 2));
    g->may_return = may_return;
    generate_line(g, "  %s += 1;", name);
    if (has_break_if) {
        generate_line(
            g, "  break if (%s >= %u) || %s;", name, 1 + generate_below(g, 4), condition(g));
    }
    generate_line(g, "}");
    g->indent--;
    g->loop_depth--;
    leave(g, outer);
    generate_line(g, "}");
    g->variables.count = mark;
}

// break, continue or return, under a condition so that what follows is not dead.
static void jump(struct generator *g) {
    uint32_t choice = generate_below(g, 3);
    if (choice == 0 && (g->breakable != 0 || g->is_switch_inside)) {
        generate_line(g, "if %s { break; }", condition(g));
    } else if (choice == 1 && g->breakable != 0) {
        generate_line(g, "if %s { continue; }", condition(g));
    } else if (g->may_return) {
        if (g->result != 0) {
            generate_line(
                g, "if %s { return %s; }", condition(g), generate_stored(g, g->result, 2, false));
        } else {
            generate_line(g, "if %s { return; }", condition(g));
        }
    } else {
        assign(g);
    }
}

static void call_statement(struct generator *g) {
    const char *call = generate_call(g, 0, 2);
    if (call == NULL) {
        assign(g);
        return;
    }
    // A call's value must be used; calls of functions with results are phony assignments here.
    for (size_t i = 0; i < g->functions.count; i++) {
        const struct function_row *row = &g->functions.items[i];
        size_t length = 0;
        while (row->name[length] != '\0') {
            length++;
        }
        if (text_starts_with(text_from_string(call), row->name) && call[length] == '(') {
            generate_line(g, row->result != 0 ? "_ = %s;" : "%s;", call);
            return;
        }
    }
}

void generate_statement(struct generator *g) {
    g->budget--;
    bool may_nest = g->indent < 7 && g->budget > 2;
    bool may_loop = may_nest && g->loop_depth < 2;
    if (g->is_fragment && generate_chance(g, 6)) {
        generate_line(g, "if %s { discard; }", condition(g));
    }
    uint32_t choice = generate_below(g, 100);
    if (choice < 22) {
        declare_local(g);
    } else if (choice < 50) {
        assign(g);
    } else if (choice < 54) {
        through_pointer(g);
    } else if (choice < 59) {
        atomic_statement(g);
    } else if (choice < 65) {
        jump(g);
    } else if (choice < 70) {
        call_statement(g);
    } else if (choice < 82 && may_nest) {
        if_statement(g);
    } else if (choice < 87 && may_nest) {
        switch_statement(g);
    } else if (choice < 89 && may_loop) {
        for_statement(g);
    } else if (choice < 91 && may_loop && g->is_in_main) {
        sum_statement(g);
    } else if (choice < 94 && may_loop) {
        while_statement(g);
    } else if (choice < 97 && may_loop) {
        loop_statement(g);
    } else if (choice < 98 && may_nest) {
        generate_line(g, "{");
        generate_block(g, 1 + generate_below(g, 2));
        generate_line(g, "}");
    } else {
        assign(g);
    }
}
