// SPDX-License-Identifier: MIT
//
// The generator's module: structures, bindings, helper functions and the entry point. See generate.h.
#include "oracle/generate.h"

#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "oracle/generate_priv.h"

void generate_random_init(struct generate_random *random, uint64_t seed, uint64_t stream) {
    random->state = 0;
    random->increment = stream << 1 | 1;
    generate_random_next(random);
    random->state += seed;
    generate_random_next(random);
}

uint32_t generate_random_next(struct generate_random *random) {
    uint64_t old = random->state;
    random->state = old * UINT64_C(6364136223846793005) + random->increment;
    uint32_t shifted = (uint32_t)((old >> 18 ^ old) >> 27);
    uint32_t rotation = (uint32_t)(old >> 59);
    return shifted >> rotation | shifted << (-rotation & 31u);
}

uint32_t generate_random_below(struct generate_random *random, uint32_t bound) {
    return (uint32_t)((uint64_t)generate_random_next(random) * bound >> 32);
}

uint32_t generate_below(struct generator *g, uint32_t bound) {
    return generate_random_below(&g->random, bound);
}

bool generate_chance(struct generator *g, uint32_t percent) {
    return generate_below(g, 100) < percent;
}

const char *generate_format(struct generator *g, const char *format, ...) {
    char text[4096];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    char *copy = NULL;
    if (length >= 0 && (size_t)length < sizeof(text)) {
        copy = arena_copy(g->arena, text, (size_t)length + 1);
    } else if (length >= 0) {
        copy = arena_allocate(g->arena, (size_t)length + 1);
        if (copy != NULL) {
            va_start(list, format);
            vsnprintf(copy, (size_t)length + 1, format, list);
            va_end(list);
        }
    }
    g->has_failed = g->has_failed || copy == NULL;
    return copy == NULL ? "" : copy;
}

void generate_line(struct generator *g, const char *format, ...) {
    for (uint32_t i = 0; i < g->indent; i++) {
        text_buffer_append_string(g->out, "  ");
    }
    va_list list;
    va_start(list, format);
    text_buffer_print_list(g->out, format, list);
    va_end(list);
    text_buffer_append_char(g->out, '\n');
}

const char *generate_name(struct generator *g, const char *prefix) {
    return generate_format(g, "%s%u", prefix, g->next_name++);
}

void generate_declare(struct generator *g, struct variable_row row) {
    if (!arena_vector_push(g->arena, &g->variables, row)) {
        g->has_failed = true;
    }
}

static void pick_sizes(struct generator *g) {
    static const uint32_t sizes[][3] = {{1, 1, 1}, {7, 1, 1}, {33, 1, 1}, {64, 1, 1}, {5, 3, 2},
        {8, 8, 1}, {4, 1, 1}, {16, 1, 1}, {2, 3, 1}, {256, 1, 1}, {13, 1, 1}, {1, 9, 1}};
    uint32_t choice = generate_below(g, sizeof(sizes) / sizeof(sizes[0]));
    if (choice == 9 && generate_chance(g, 70)) {
        choice = 0; // the largest is rare: it costs the most
    }
    memcpy(g->program->workgroup_size, sizes[choice], sizeof(sizes[0]));
    g->workgroup_count = sizes[choice][0] * sizes[choice][1] * sizes[choice][2];
    for (int i = 0; i < 3; i++) {
        g->program->num_workgroups[i] = 1;
    }
    if (g->workgroup_count <= 40) {
        g->program->num_workgroups[0] = 1 + generate_below(g, 3);
        g->program->num_workgroups[1] = generate_chance(g, 20) ? 2 : 1;
    }
}

static uint32_t invocation_count(const struct generator *g) {
    const uint32_t *groups = g->program->num_workgroups;
    return g->workgroup_count * groups[0] * groups[1] * groups[2];
}

// Module variables. Own cells: `cells` (words) and `mine` (structures) by the invocation's index; the
// index is in `g` in main and in the private `own` elsewhere.
static void write_bindings(struct generator *g, gtype mine, gtype read) {
    generate_line(g,
        "struct Uni { m0: u32, m1: i32, m2: vec4<f32>, m3: vec3<u32>, m4: f32, "
        "m5: array<vec4<i32>, 3> }");
    generate_line(g,
        "struct Counters { sum: array<atomic<u32>, 8>, high: atomic<u32>, "
        "low: atomic<i32>, every: atomic<u32>, some: atomic<u32>, parity: atomic<u32> }");
    generate_line(g, "@group(0) @binding(0) var<storage, read_write> cells: array<u32>;");
    generate_line(g, "@group(0) @binding(1) var<uniform> uni: Uni;");
    generate_line(g, "@group(0) @binding(2) var<storage, read> data: array<%s>;",
        generate_type_row(g, read)->name);
    generate_line(g, "@group(0) @binding(3) var<storage, read_write> mine: array<%s>;",
        generate_type_row(g, mine)->name);
    generate_line(g, "@group(0) @binding(4) var<storage, read_write> counters: Counters;");
    generate_line(g, "@group(0) @binding(5) var<storage, read_write> exchange: array<u32>;");
    generate_line(g, "@group(0) @binding(6) var<storage, read> table: array<i32>;");
    generate_line(g, "@group(0) @binding(7) var<storage, read_write> atoms: array<atomic<i32>>;");
    uint32_t count = invocation_count(g);
    g->program->runtime_counts[0] = count * 4;
    g->program->runtime_counts[2] = generate_chance(g, 50) ? 1 + generate_below(g, 9)
                                                           : count + generate_below(g, 20);
    // Sometimes too short: the last invocations' elements do not exist.
    g->program->runtime_counts[3] = generate_chance(g, 70) || count == 1 ? count : count - 1;
    g->program->runtime_counts[5] = count;
    g->program->runtime_counts[6] = generate_chance(g, 40) ? 1 + generate_below(g, 40)
                                                           : count * (1 + generate_below(g, 4)) + 5;
    g->program->runtime_counts[7] = count;
}

// Module constants: indexed dynamically they become tables in memory.
static void write_constants(struct generator *g) {
    static const char *const words[] = {"i32", "u32"};
    uint32_t choice = generate_below(g, 2), count = 2 + generate_below(g, 8);
    generate_line(g, "const numbers = array<%s, %u>(", words[choice], count);
    for (uint32_t i = 0; i < count; i++) {
        generate_line(g, "  %u%s,", generate_random_next(&g->random) >> 1, choice == 0 ? "i" : "u");
    }
    generate_line(g, ");");
    gtype type = generate_value_type(g, choice == 0 ? BASE_I32 : BASE_U32, 1);
    generate_declare(g,
        (struct variable_row){.name = generate_format(g, "numbers[own %% %uu]", count),
            .type = type,
            .kind = VARIABLE_READ_ONLY});
    generate_declare(g,
        (struct variable_row){.name = generate_format(g, "numbers[uni.m0]"),
            .type = type,
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true});
    count = 1 + generate_below(g, 4);
    generate_line(g, "const corners = array<vec3<f32>, %u>(", count);
    for (uint32_t i = 0; i < count; i++) {
        generate_line(
            g, "  vec3<f32>(%u.0, %u.0, -%u.0),", generate_below(g, 9), i, generate_below(g, 9));
    }
    generate_line(g, ");");
    generate_declare(g,
        (struct variable_row){.name = "corners[own & 3u]",
            .type = generate_value_type(g, BASE_F32, 3),
            .kind = VARIABLE_READ_ONLY});
}

static void write_private(struct generator *g) {
    generate_line(g, "var<private> own: u32;");
    uint32_t count = 1 + generate_below(g, 3);
    for (uint32_t i = 0; i < count; i++) {
        gtype type = generate_pick_type(g, false);
        const char *name = generate_name(g, "pr");
        // Leaves promise whole numbers, and a float literal may be a half.
        const struct type_row *row = generate_type_row(g, type);
        bool has_initial = row->shape == SHAPE_VALUE && row->base != BASE_F32;
        if (has_initial && generate_chance(g, 50)) {
            generate_line(g, "var<private> %s: %s = %s;", name, generate_type_row(g, type)->name,
                generate_literal(g, type).text);
        } else {
            generate_line(g, "var<private> %s: %s;", name, generate_type_row(g, type)->name);
        }
        generate_declare(g,
            (struct variable_row){
                .name = name, .type = type, .kind = VARIABLE_VAR, .is_private = true});
    }
}

static void write_workgroup(struct generator *g) {
    g->workgroup_element = generate_pick_type(g, false);
    g->has_override_size = generate_chance(g, 15);
    const char *count = generate_format(g, "%u", g->workgroup_count);
    if (g->has_override_size) {
        const uint32_t *size = g->program->workgroup_size;
        generate_line(g, "override width: u32 = %u;", size[0]);
        generate_line(g, "@id(7) override rest = %uu;", size[1] * size[2]);
        count = "width * rest";
    }
    generate_line(g, "var<workgroup> shared_values: array<%s, %s>;",
        generate_type_row(g, g->workgroup_element)->name, count);
    generate_line(g, "var<workgroup> shared_count: atomic<u32>;");
    generate_line(g, "var<workgroup> shared_scalar: i32;");
}

static void declare_module(struct generator *g, gtype read) {
    gtype u32_type = generate_value_type(g, BASE_U32, 1);
    gtype i32_type = generate_value_type(g, BASE_I32, 1);
    const struct variable_row rows[] = {
        {.name = "uni.m0", .type = u32_type, .kind = VARIABLE_READ_ONLY, .is_uniform = true},
        {.name = "uni.m1", .type = i32_type, .kind = VARIABLE_READ_ONLY, .is_uniform = true},
        {.name = "uni.m2",
            .type = generate_value_type(g, BASE_F32, 4),
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true},
        {.name = "uni.m3",
            .type = generate_value_type(g, BASE_U32, 3),
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true},
        {.name = "uni.m4",
            .type = generate_value_type(g, BASE_F32, 1),
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true},
        {.name = "uni.m5[uni.m0 % 4u]",
            .type = generate_value_type(g, BASE_I32, 4),
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true},
        {.name = "table[uni.m0 & 63u]",
            .type = i32_type,
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true},
        {.name = "data[uni.m1]", .type = read, .kind = VARIABLE_READ_ONLY, .is_uniform = true},
        {.name = "arrayLength(&data)",
            .type = u32_type,
            .kind = VARIABLE_READ_ONLY,
            .is_uniform = true},
        {.name = "data[own & 7u]", .type = read, .kind = VARIABLE_READ_ONLY},
        {.name = "table[own]", .type = i32_type, .kind = VARIABLE_READ_ONLY},
        {.name = "own", .type = u32_type, .kind = VARIABLE_READ_ONLY},
        {.name = "cells[own * 4u + 3u]", .type = u32_type, .kind = VARIABLE_STORAGE},
        {.name = "cells[own + 0x20000000u]", .type = u32_type, .kind = VARIABLE_STORAGE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        generate_declare(g, rows[i]);
    }
}

static void begin_function(struct generator *g, struct function_row *row) {
    struct text_buffer text = {0};
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        const char *name = generate_name(g, "a");
        const char *type = generate_type_row(g, row->parameters[i])->name;
        text_buffer_print(&text, "%s%s: ", i == 0 ? "" : ", ", name);
        text_buffer_print(&text, row->is_pointer[i] ? "ptr<function, %s>" : "%s", type);
        generate_declare(g,
            (struct variable_row){
                .name = row->is_pointer[i] ? generate_format(g, "(*%s)", name) : name,
                .type = row->parameters[i],
                .kind = row->is_pointer[i] ? VARIABLE_VAR : VARIABLE_LET,
            });
    }
    const char *result = row->result == 0
        ? ""
        : generate_format(g, " -> %s", generate_type_row(g, row->result)->name);
    generate_line(g, "fn %s(%s)%s {", row->name, text_buffer_get(&text).data, result);
    g->has_failed = g->has_failed || text.has_failed;
    text_buffer_finish(&text);
}

// A return on every path: plain, or as the ends of branches behind which nothing is reached.
static void write_final_return(struct generator *g, gtype result) {
    gtype bool_type = generate_value_type(g, BASE_BOOL, 1);
    uint32_t choice = generate_below(g, 8);
    if (choice < 2) {
        generate_line(g, "if %s {", generate_expression(g, bool_type, 2, false).text);
        generate_line(g, "  return %s;", generate_stored(g, result, 1, false));
        generate_line(g, choice == 0 ? "} else {" : "}");
        if (choice == 0) {
            generate_line(g, "  return %s;", generate_stored(g, result, 1, false));
            generate_line(g, "}");
            return;
        }
    } else if (choice == 2) {
        generate_line(g, "switch %s & 1 {",
            generate_runtime_leaf(g, generate_value_type(g, BASE_I32, 1), false).text);
        generate_line(g, "  case 0: { return %s; }", generate_stored(g, result, 1, false));
        generate_line(g, "  default: { return %s; }", generate_stored(g, result, 1, false));
        generate_line(g, "}");
        return;
    }
    generate_line(g, "return %s;", generate_stored(g, result, 2, false));
}

static void write_helper(struct generator *g) {
    uint32_t mark = (uint32_t)g->variables.count;
    struct function_row row = {.name = generate_name(g, "fun")};
    row.result = generate_chance(g, 80) ? generate_pick_type(g, false) : 0;
    row.parameter_count = generate_below(g, 4);
    for (uint32_t i = 0; i < row.parameter_count; i++) {
        row.parameters[i] = generate_pick_type(g, false);
        row.is_pointer[i] = generate_chance(g, 30);
    }
    begin_function(g, &row);
    g->result = row.result;
    g->may_return = true;
    generate_block(g, 1 + generate_below(g, 5));
    if (row.result != 0) {
        g->indent++;
        write_final_return(g, row.result);
        g->indent--;
    }
    generate_line(g, "}");
    g->may_return = false;
    g->variables.count = mark;
    if (!arena_vector_push(g->arena, &g->functions, row)) {
        g->has_failed = true;
    }
}

// A helper with barriers: it takes the local index and a uniform number.
static void write_barrier_helper(struct generator *g) {
    uint32_t mark = (uint32_t)g->variables.count;
    gtype u32_type = generate_value_type(g, BASE_U32, 1);
    struct function_row row = {
        .name = generate_name(g, "h"), .result = u32_type, .has_barrier = true};
    generate_line(g, "fn %s(lid: u32, steps: u32) -> u32 {", row.name);
    generate_declare(g, (struct variable_row){.name = "lid", .type = u32_type});
    g->indent++;
    for (uint32_t i = 0; i < 3 && g->budget > 0; i++) {
        generate_uniform_statement(g, 1);
    }
    generate_line(g, "return %s;", generate_stored(g, u32_type, 1, false));
    g->indent--;
    generate_line(g, "}");
    g->variables.count = mark;
    if (!arena_vector_push(g->arena, &g->functions, row)) {
        g->has_failed = true;
    }
}

// A helper that works on this invocation's element through a pointer to storage.
static void write_storage_helper(struct generator *g, gtype mine) {
    uint32_t mark = (uint32_t)g->variables.count;
    gtype u32_type = generate_value_type(g, BASE_U32, 1);
    struct function_row row = {
        .name = generate_name(g, "q"), .result = u32_type, .is_storage = true};
    generate_line(g, "fn %s(at: ptr<storage, %s, read_write>, n: u32) -> u32 {", row.name,
        generate_type_row(g, mine)->name);
    generate_declare(
        g, (struct variable_row){.name = "(*at)", .type = mine, .kind = VARIABLE_STORAGE});
    generate_declare(g, (struct variable_row){.name = "n", .type = u32_type});
    g->result = u32_type;
    g->may_return = true;
    generate_block(g, 1 + generate_below(g, 4));
    g->may_return = false;
    g->indent++;
    generate_line(g, "return %s;", generate_stored(g, u32_type, 1, false));
    g->indent--;
    generate_line(g, "}");
    g->variables.count = mark;
    if (!arena_vector_push(g->arena, &g->functions, row)) {
        g->has_failed = true;
    }
}

// Reads whose addresses follow the lane in one of the ways that generated code knows, and in some that it
// does not: rows, strides, reversed, by halves, by two coordinates.
static void declare_rows(struct generator *g, gtype read) {
    static const char *const indices[] = {"g", "lid", "g + 3u", "g * 2u", "g * 3u + 1u", "g * 4u",
        "200u - g", "g ^ 1u", "g / 2u", "g & 15u", "local.y * 5u + local.x", "wid.x * 7u + local.x",
        "local.x * 2u + local.y", "g % 5u", "base", "base + lid"};
    const uint32_t index_count = sizeof(indices) / sizeof(indices[0]);
    for (int i = 0; i < 3; i++) {
        generate_declare(g,
            (struct variable_row){
                .name = generate_format(g, "table[%s]", indices[generate_below(g, index_count)]),
                .type = generate_value_type(g, BASE_I32, 1),
                .kind = VARIABLE_READ_ONLY});
    }
    for (int i = 0; i < 2; i++) {
        generate_declare(g,
            (struct variable_row){
                .name = generate_format(g, "data[%s]", indices[generate_below(g, index_count)]),
                .type = read,
                .kind = VARIABLE_READ_ONLY});
    }
}

static void declare_in_main(struct generator *g, gtype mine) {
    gtype u32_type = generate_value_type(g, BASE_U32, 1);
    const struct variable_row rows[] = {
        {.name = "g", .type = u32_type, .kind = VARIABLE_LET},
        {.name = "lid", .type = u32_type, .kind = VARIABLE_LET},
        {.name = "wid.x", .type = u32_type, .kind = VARIABLE_LET, .is_uniform = true},
        {.name = "num",
            .type = generate_value_type(g, BASE_U32, 3),
            .kind = VARIABLE_LET,
            .is_uniform = true},
        {.name = "local", .type = generate_value_type(g, BASE_U32, 3), .kind = VARIABLE_LET},
        {.name = "cells[g * 4u + 2u]", .type = u32_type, .kind = VARIABLE_STORAGE},
        {.name = "mine[g]", .type = mine, .kind = VARIABLE_STORAGE},
        {.name = "mine[g]", .type = mine, .kind = VARIABLE_STORAGE},
        {.name = "mine[i32(g) - 100000]", .type = mine, .kind = VARIABLE_STORAGE},
        {.name = "table[g]",
            .type = generate_value_type(g, BASE_I32, 1),
            .kind = VARIABLE_READ_ONLY},
        {.name = "table[lid * 2u + 1u]",
            .type = generate_value_type(g, BASE_I32, 1),
            .kind = VARIABLE_READ_ONLY},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        generate_declare(g, rows[i]);
    }
}

// What variables in scope hold becomes visible in the invocation's own cells.
static void write_results(struct generator *g) {
    for (size_t i = 0; i < g->variables.count; i++) {
        struct variable_row row = g->variables.items[i];
        gtype type = 0;
        if (!row.is_local && !row.is_private) {
            continue;
        }
        const char *path = generate_path(g, &row, 0, false, &type);
        const struct type_row *reached = generate_type_row(g, type);
        if (path == NULL || reached->shape != SHAPE_VALUE) {
            continue;
        }
        const char *value = path;
        if (reached->count > 1) {
            value = generate_format(g, "%s.y", path);
        }
        if (reached->base == BASE_BOOL) {
            value = generate_format(g, "u32(%s)", value);
        } else if (reached->base == BASE_F32) {
            value = generate_format(g, "u32(i32(%s))", value);
        } else if (reached->base == BASE_I32) {
            value = generate_format(g, "u32(%s)", value);
        }
        generate_line(g, "cells[g * 4u + %uu] ^= (%s) * %uu;", generate_below(g, 2), value,
            generate_random_next(&g->random) | 1u);
    }
}

static void write_fragment_head(struct generator *g) {
    generate_line(g, "@fragment");
    generate_line(g,
        "fn main(@location(0) @interpolate(flat) gid: vec3<u32>, "
        "@location(1) @interpolate(flat) lid: u32, @location(2) @interpolate(flat) wid: vec3<u32>, "
        "@location(3) @interpolate(flat) num: vec3<u32>, "
        "@location(4) @interpolate(flat) local: vec3<u32>) -> @location(0) vec4<u32> {");
    g->result = generate_value_type(g, BASE_U32, 4);
}

static void write_compute_head(struct generator *g) {
    const uint32_t *size = g->program->workgroup_size;
    if (g->has_override_size) {
        generate_line(g, "@compute @workgroup_size(width, %u, %u)", size[1], size[2]);
    } else {
        generate_line(g, "@compute @workgroup_size(%u, %u, %u)", size[0], size[1], size[2]);
    }
    generate_line(g,
        "fn main(@builtin(global_invocation_id) gid: vec3<u32>, "
        "@builtin(local_invocation_index) lid: u32, @builtin(workgroup_id) wid: vec3<u32>, "
        "@builtin(num_workgroups) num: vec3<u32>, "
        "@builtin(local_invocation_id) local: vec3<u32>) {");
    g->result = 0;
}

static void write_main(struct generator *g, gtype mine, gtype read) {
    const uint32_t *size = g->program->workgroup_size;
    if (g->is_fragment) {
        write_fragment_head(g);
    } else {
        write_compute_head(g);
    }
    gtype result = g->result;
    g->indent++;
    bool is_one_dimensional = size[1] == 1 && size[2] == 1 && g->program->num_workgroups[1] == 1;
    if (is_one_dimensional) {
        generate_line(g, "let g = gid.x;");
    } else {
        generate_line(g, "let g = ((wid.z * num.y + wid.y) * num.x + wid.x) * %uu + lid;",
            g->workgroup_count);
    }
    generate_line(
        g, "let base = ((wid.z * num.y + wid.y) * num.x + wid.x) * %uu;", g->workgroup_count);
    generate_line(g, "own = g;");
    g->is_in_main = true;
    declare_in_main(g, mine);
    declare_rows(g, read);
    if (g->has_workgroup) {
        g->is_uniform = true;
        int32_t reserved = g->budget / 4;
        while (g->budget > reserved && !g->has_failed) {
            generate_uniform_statement(g, 0);
        }
    }
    // After the last barrier anything goes.
    g->may_return = true;
    g->result = result;
    if (generate_chance(g, 20)) {
        generate_line(g, "if g >= arrayLength(&mine) { return%s; }",
            result == 0 ? "" : " vec4<u32>(g, 7u, lid, 9u)");
    }
    while (g->budget > 0 && !g->has_failed) {
        generate_statement(g);
    }
    write_results(g);
    if (result != 0) {
        generate_line(g, "return %s;", generate_stored(g, result, 2, false));
    }
    g->indent--;
    generate_line(g, "}");
}

static bool write_program(struct generator *g) {
    g->allows_inexact = generate_chance(g, 12);
    g->has_workgroup = generate_chance(g, 60) && !g->is_fragment;
    pick_sizes(g);
    TRY(generate_types(g));
    gtype mine = generate_pick_type(g, true);
    gtype read = generate_pick_type(g, true);
    write_bindings(g, mine, read);
    write_private(g);
    write_workgroup(g);
    write_constants(g);
    declare_module(g, read);
    uint32_t helpers = generate_below(g, 4);
    int32_t total = g->budget;
    for (uint32_t i = 0; i < helpers; i++) {
        g->budget = total / 4;
        write_helper(g);
    }
    if (g->has_workgroup && generate_chance(g, 40)) {
        g->budget = total / 4;
        write_barrier_helper(g);
    }
    if (generate_chance(g, 30)) {
        g->budget = total / 4;
        write_storage_helper(g, mine);
    }
    g->budget = total;
    write_main(g, mine, read);
    return !g->has_failed && !g->out->has_failed;
}

bool generate_program(uint64_t seed, const struct generate_options *options,
    struct text_buffer *out_wgsl, struct generated_program *out_program) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    *out_program = (struct generated_program){0};
    struct generator g = {.arena = &arena, .out = out_wgsl, .program = out_program};
    struct generate_random stage;
    generate_random_init(&stage, seed, 91);
    g.is_fragment = out_program->is_fragment = generate_random_below(&stage, 5) == 0;
    generate_random_init(&g.random, seed, 54);
    g.budget = (int32_t)(3 + generate_random_below(&g.random, 19));
    if (generate_chance(&g, 4)) {
        g.budget *= 4;
    }
    if (options != NULL && options->statement_limit != 0 &&
        g.budget > (int32_t)options->statement_limit) {
        g.budget = (int32_t)options->statement_limit;
    }
    bool ok = write_program(&g);
    arena_finish(&arena);
    return ok;
}
