// SPDX-License-Identifier: MIT
//
// The generator's types: all scalars and vectors, some matrices, arrays and structures.
#include "oracle/generate_priv.h"

#include "base/try.h"

static gtype add_type(struct generator *g, struct type_row row) {
    if (row.name == NULL || !arena_vector_push(g->arena, &g->types, row)) {
        g->has_failed = true;
        return 0;
    }
    return (gtype)(g->types.count - 1);
}

static void add_values(struct generator *g) {
    static const char *const scalars[] = {"bool", "i32", "u32", "f32"};
    for (int base = 0; base < 4; base++) {
        for (uint32_t count = 1; count <= 4; count++) {
            const char *name = count == 1 ? scalars[base]
                                          : generate_format(g, "vec%u<%s>", count, scalars[base]);
            g->value_types[base][count] = add_type(g,
                (struct type_row){
                    .base = (enum base_type)base,
                    .count = count,
                    .name = name,
                    .is_shareable = base != BASE_BOOL,
                });
        }
    }
}

gtype generate_value_type(const struct generator *g, enum base_type base, uint32_t count) {
    return g->value_types[base][count];
}

gtype generate_array_type(struct generator *g, gtype element, uint32_t count) {
    struct type_row row = {.shape = SHAPE_ARRAY, .count = count, .element = element};
    row.is_shareable = generate_type_row(g, element)->is_shareable;
    row.name = generate_format(g, "array<%s, %u>", generate_type_row(g, element)->name, count);
    for (gtype i = 1; i < g->types.count; i++) {
        const struct type_row *other = &g->types.items[i];
        if (other->shape == SHAPE_ARRAY && other->element == element && other->count == count) {
            return i;
        }
    }
    return add_type(g, row);
}

static void add_matrices(struct generator *g) {
    for (int i = 0; i < 2; i++) {
        uint32_t columns = 2 + generate_below(g, 3), rows = 2 + generate_below(g, 3);
        add_type(g,
            (struct type_row){
                .shape = SHAPE_MATRIX,
                .base = BASE_F32,
                .count = columns,
                .rows = rows,
                .name = generate_format(g, "mat%ux%u<f32>", columns, rows),
                .is_shareable = true,
            });
    }
}

static void add_struct(struct generator *g, bool is_shareable) {
    struct type_row row = {.shape = SHAPE_STRUCT, .is_shareable = true};
    row.name = generate_name(g, "S");
    row.count = 1 + generate_below(g, 5);
    for (uint32_t i = 0; i < row.count; i++) {
        row.members[i] = generate_pick_type(g, is_shareable);
        row.is_shareable = row.is_shareable && generate_type_row(g, row.members[i])->is_shareable;
    }
    generate_line(g, "struct %s {", row.name);
    for (uint32_t i = 0; i < row.count; i++) {
        const char *attribute = "";
        bool is_value = generate_type_row(g, row.members[i])->shape == SHAPE_VALUE;
        if (is_value && generate_chance(g, 8)) {
            attribute = generate_chance(g, 50) ? "@align(16) " : "@align(32) ";
        }
        generate_line(g, "  %sm%u: %s,", attribute, i, generate_type_row(g, row.members[i])->name);
    }
    generate_line(g, "}");
    add_type(g, row);
}

gtype generate_pick_value_type(struct generator *g) {
    uint32_t count = generate_chance(g, 60) ? 1 : 2 + generate_below(g, 3);
    return g->value_types[generate_below(g, 4)][count];
}

gtype generate_pick_type(struct generator *g, bool is_shareable) {
    for (int attempt = 0; attempt < 8; attempt++) {
        gtype type = generate_chance(g, 60) ? generate_pick_value_type(g)
                                            : 1 + generate_below(g, (uint32_t)g->types.count - 1);
        if (!is_shareable || generate_type_row(g, type)->is_shareable) {
            return type;
        }
    }
    return g->value_types[BASE_U32][1];
}

bool generate_types(struct generator *g) {
    TRY(arena_vector_push(g->arena, &g->types, (struct type_row){0}));
    add_values(g);
    add_matrices(g);
    for (int i = 0; i < 2; i++) {
        generate_array_type(g, generate_pick_value_type(g), 1 + generate_below(g, 5));
    }
    add_struct(g, true);
    generate_array_type(g, generate_pick_type(g, true), 1 + generate_below(g, 3));
    add_struct(g, generate_chance(g, 50));
    generate_array_type(g, generate_value_type(g, BASE_U32, 1), 2 + generate_below(g, 6));
    return !g->has_failed;
}
