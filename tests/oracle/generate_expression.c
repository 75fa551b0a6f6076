// SPDX-License-Identifier: MIT
//
// Expressions of any shape: paths into variables, constructors, calls, matrices. generate_value.c has
// scalars and vectors.
#include "oracle/generate_priv.h"

#define INDEX_DEPTH_LIMIT 100u

// An index expression for an array or vector of `count` elements: mostly in range, sometimes not; never
// a constant expression, which would have to be in range.
const char *generate_index(struct generator *g, uint32_t count, bool is_uniform) {
    enum base_type base = generate_chance(g, 50) ? BASE_U32 : BASE_I32;
    gtype type = generate_value_type(g, base, 1);
    if (generate_chance(g, 40) || g->index_depth == INDEX_DEPTH_LIMIT) {
        return generate_format(g, "%u", generate_below(g, count)); // a constant in range
    }
    g->index_depth++;
    struct expression e = generate_runtime_leaf(g, type, is_uniform);
    g->index_depth--;
    if (generate_chance(g, 75)) {
        return base == BASE_U32 ? generate_format(g, "(%s %% %uu)", e.text, count)
                                : generate_format(g, "(abs(%s) %% %u)", e.text, (unsigned)count);
    }
    return generate_chance(g, 50)
        ? generate_format(g, "(%s & %s)", e.text, base == BASE_U32 ? "7u" : "7")
        : e.text;
}

const char *generate_path(struct generator *g, const struct variable_row *variable, gtype wanted,
    bool is_uniform, gtype *out_type) {
    const char *text = variable->name;
    gtype type = variable->type;
    for (int step = 0; step < 5; step++) {
        const struct type_row *row = generate_type_row(g, type);
        if (type == wanted && wanted != 0) {
            break;
        }
        if (row->shape == SHAPE_VALUE && row->count == 1) {
            break;
        }
        if (wanted == 0 && generate_chance(g, 40)) {
            break;
        }
        if (row->shape == SHAPE_STRUCT) {
            uint32_t member = generate_below(g, row->count);
            type = row->members[member];
            text = generate_format(g, "%s.m%u", text, member);
        } else if (row->shape == SHAPE_VALUE) {
            static const char *const names[] = {"x", "y", "z", "w"};
            text = generate_chance(g, 70)
                ? generate_format(g, "%s.%s", text, names[generate_below(g, row->count)])
                : generate_format(g, "%s[%s]", text, generate_index(g, row->count, is_uniform));
            type = generate_value_type(g, row->base, 1);
        } else {
            text = generate_format(g, "%s[%s]", text, generate_index(g, row->count, is_uniform));
            type = row->shape == SHAPE_ARRAY ? row->element
                                             : generate_value_type(g, BASE_F32, row->rows);
        }
    }
    *out_type = type;
    return wanted == 0 || type == wanted ? text : NULL;
}

struct expression generate_literal(struct generator *g, gtype type) {
    static const char *const integers[] = {
        "0", "1", "2", "3", "5", "7", "16", "31", "100", "255", "65535", "1000000", "2147483647"};
    const struct type_row *row = generate_type_row(g, type);
    struct expression e = {.is_constant = true, .bound = 8};
    const char *scalar = NULL;
    const char *number = integers[generate_below(g, sizeof(integers) / sizeof(integers[0]))];
    switch (row->base) {
    case BASE_BOOL:
        scalar = generate_chance(g, 50) ? "true" : "false";
        break;
    case BASE_I32:
        scalar = generate_format(g, generate_chance(g, 25) ? "(-%si)" : "%si", number);
        break;
    case BASE_U32:
        scalar = generate_chance(g, 10) ? "4294967295u" : generate_format(g, "%su", number);
        break;
    case BASE_F32:
        e.fraction_bits = 1;
        scalar = generate_format(g, generate_chance(g, 25) ? "(-%u.%uf)" : "%u.%uf",
            generate_below(g, 8), generate_chance(g, 30) ? 5 : 0);
        break;
    }
    e.text = row->count == 1 ? scalar : generate_format(g, "%s(%s)", row->name, scalar);
    return e;
}

// A variable or a path into one; NULL text when chance found none.
static struct expression find_leaf(struct generator *g, gtype type, bool is_uniform) {
    struct expression e = {.bound = 16};
    for (int attempt = 0; attempt < 12 && g->variables.count != 0; attempt++) {
        const struct variable_row *variable =
            &g->variables.items[generate_below(g, (uint32_t)g->variables.count)];
        gtype reached = 0;
        if (is_uniform && !variable->is_uniform) {
            continue;
        }
        const char *text = generate_path(g, variable, type, is_uniform, &reached);
        if (text != NULL) {
            e.text = text;
            return e;
        }
    }
    return e;
}

// Something of the type that is no constant expression, from what is always there: id is a u32.
struct expression generate_runtime_leaf(struct generator *g, gtype type, bool is_uniform) {
    const struct type_row *row = generate_type_row(g, type);
    struct expression e = find_leaf(g, type, is_uniform);
    if (e.text != NULL) {
        return e;
    }
    const char *id = is_uniform || !g->is_in_main ? (is_uniform ? "uni.m0" : "own") : "g";
    const char *scalar = NULL;
    switch (row->base) {
    case BASE_BOOL:
        scalar = generate_format(g, "((%s & %uu) == 0u)", id, 1 + generate_below(g, 7));
        break;
    case BASE_I32:
        scalar = generate_format(g, "(i32(%s) - %u)", id, generate_below(g, 9));
        break;
    case BASE_U32:
        scalar = generate_format(g, "(%s * %uu)", id, 1 + generate_below(g, 9));
        break;
    case BASE_F32:
        scalar = generate_format(g, "f32(%s & 7u)", id);
        break;
    }
    e.text = row->count == 1 ? scalar : generate_format(g, "%s(%s)", row->name, scalar);
    return e;
}

struct expression generate_leaf(struct generator *g, gtype type, bool is_uniform) {
    if (generate_chance(g, 25)) {
        return generate_literal(g, type);
    }
    return generate_runtime_leaf(g, type, is_uniform);
}

const char *generate_quantised(struct generator *g, struct expression e, uint32_t count) {
    if (e.bound <= 16 && e.fraction_bits == 0) {
        return e.text;
    }
    if (count == 1) {
        return generate_format(g, "clamp(floor(%s), -16.0f, 16.0f)", e.text);
    }
    return generate_format(
        g, "clamp(floor(%s), vec%u<f32>(-16.0f), vec%u<f32>(16.0f))", e.text, count, count);
}

// type(element, element, ...)
static const char *construct(struct generator *g, gtype type, uint32_t depth, bool is_uniform) {
    struct type_row row = *generate_type_row(g, type);
    struct text_buffer text = {0};
    text_buffer_print(&text, "%s(", row.name);
    for (uint32_t i = 0; i < row.count; i++) {
        gtype element = row.shape == SHAPE_STRUCT ? row.members[i]
            : row.shape == SHAPE_ARRAY            ? row.element
                                                  : generate_value_type(g, BASE_F32, row.rows);
        const char *part = generate_stored(g, element, depth == 0 ? 0 : depth - 1, is_uniform);
        text_buffer_print(&text, "%s%s", i == 0 ? "" : ", ", part == NULL ? "" : part);
    }
    text_buffer_append_char(&text, ')');
    const char *copy = text_copy(g->arena, text_buffer_get(&text));
    g->has_failed = g->has_failed || text.has_failed || copy == NULL;
    text_buffer_finish(&text);
    return copy;
}

static const char *matrix(struct generator *g, gtype type, uint32_t depth, bool is_uniform) {
    struct type_row row = *generate_type_row(g, type);
    struct expression leaf = find_leaf(g, type, is_uniform);
    if (leaf.text != NULL && (depth == 0 || generate_chance(g, 50))) {
        return leaf.text;
    }
    // A product would need quantising by columns: only the identity-preserving forms appear here.
    if (leaf.text != NULL && row.count == row.rows && generate_chance(g, 30)) {
        return generate_format(g, "transpose(%s)", leaf.text);
    }
    return construct(g, type, depth, is_uniform);
}

struct expression generate_expression(
    struct generator *g, gtype type, uint32_t depth, bool is_uniform) {
    const struct type_row *row = generate_type_row(g, type);
    struct expression e = {.bound = 16};
    if (row->shape == SHAPE_VALUE) {
        switch (row->base) {
        case BASE_BOOL:
            return generate_bool(g, row->count, depth, is_uniform);
        case BASE_I32:
        case BASE_U32:
            return generate_integer(g, row->base, row->count, depth, is_uniform);
        case BASE_F32:
            return generate_float(g, row->count, depth, is_uniform);
        }
    }
    if (row->shape == SHAPE_MATRIX) {
        e.text = matrix(g, type, depth, is_uniform);
        return e;
    }
    if (!is_uniform && depth != 0 && generate_chance(g, 20)) {
        e.text = generate_call(g, type, depth - 1);
    }
    if (e.text == NULL && generate_chance(g, 60)) {
        e = find_leaf(g, type, is_uniform);
    }
    if (e.text == NULL) {
        e.text = generate_chance(g, 10) ? generate_format(g, "%s()", row->name)
                                        : construct(g, type, depth, is_uniform);
    }
    return e;
}

const char *generate_stored(struct generator *g, gtype type, uint32_t depth, bool is_uniform) {
    const struct type_row *row = generate_type_row(g, type);
    uint32_t count = row->count;
    bool is_float = row->shape == SHAPE_VALUE && row->base == BASE_F32;
    struct expression e = generate_expression(g, type, depth, is_uniform);
    return is_float ? generate_quantised(g, e, count) : e.text;
}
