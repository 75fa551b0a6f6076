// SPDX-License-Identifier: MIT
//
// Random structures held against an independent calculation: offsets and sizes by WGSL's rules
// written down here once more, the legal form that is proposed compiles as a uniform buffer and has
// the promised size, and the proposed order of members has the promised size too. Seeds are printed
// with a failure.
#include "../unit/check.h"
#include "shader/explain/explain.h"
#include "shader/explain/layout.h"

enum { ROUNDS = 400, STRUCTS = 4, MEMBERS = 7 };

static uint64_t state;

static uint32_t random_below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

struct shape {
    char text[64];
    uint32_t align;
    uint32_t size;
    bool is_runtime_free_struct;
};

static uint32_t round_up(uint32_t to, uint32_t value) {
    return (value + to - 1) / to * to;
}

// Scalars, vectors and matrices with AlignOf and SizeOf from the specification's table.
static const struct shape plain[] = {{"f32", 4, 4, false}, {"u32", 4, 4, false},
    {"i32", 4, 4, false}, {"f16", 2, 2, false}, {"vec2<f32>", 8, 8, false},
    {"vec3<f32>", 16, 12, false}, {"vec4<i32>", 16, 16, false}, {"vec2<f16>", 4, 4, false},
    {"vec3<f16>", 8, 6, false}, {"vec4<f16>", 8, 8, false}, {"mat2x2<f32>", 8, 16, false},
    {"mat3x3<f32>", 16, 48, false}, {"mat4x2<f32>", 8, 32, false}, {"mat2x3<f16>", 8, 16, false},
    {"mat4x4<f32>", 16, 64, false}};

struct model {
    struct shape structs[STRUCTS];
    uint32_t offsets[STRUCTS][MEMBERS];
    uint32_t member_count[STRUCTS];
    char source[8192];
};

static struct shape random_shape(const struct model *model, uint32_t struct_count, int depth) {
    uint32_t choice = random_below(10);
    if (choice < 2 && struct_count != 0) {
        return model->structs[random_below(struct_count)];
    }
    if (choice < 5 && depth < 2) {
        struct shape element = random_shape(model, struct_count, depth + 1);
        uint32_t count = 1 + random_below(6);
        struct shape array = {
            .align = element.align, .size = round_up(element.align, element.size) * count};
        snprintf(array.text, sizeof(array.text), "array<%.40s, %u>", element.text, count);
        return array;
    }
    return plain[random_below(sizeof(plain) / sizeof(plain[0]))];
}

static void add_struct(struct model *model, uint32_t number, size_t *length) {
    uint32_t end = 0, align = 1, count = 1 + random_below(MEMBERS);
    size_t at = *length;
    at += (size_t)snprintf(
        model->source + at, sizeof(model->source) - at, "struct S%u {\n", number);
    for (uint32_t i = 0; i < count; i++) {
        struct shape member = random_shape(model, number, 0);
        const char *space = "";
        char attribute[32] = "";
        // Structures may grow by an edit, beyond an attribute that another structure gives them.
        bool has_struct = strchr(member.text, 'S') != NULL;
        if (random_below(8) == 0 && !has_struct) {
            uint32_t factor = 1u << random_below(3);
            member.align *= factor;
            snprintf(attribute, sizeof(attribute), "@align(%u)", member.align);
            space = " ";
        } else if (random_below(8) == 0 && !has_struct) {
            member.size += random_below(20);
            snprintf(attribute, sizeof(attribute), "@size(%u)", member.size);
            space = " ";
        }
        model->offsets[number][i] = round_up(member.align, end);
        end = model->offsets[number][i] + member.size;
        align = member.align > align ? member.align : align;
        at += (size_t)snprintf(model->source + at, sizeof(model->source) - at, "  %s%sm%u: %s,\n",
            attribute, space, i, member.text);
    }
    at += (size_t)snprintf(model->source + at, sizeof(model->source) - at, "}\n");
    model->member_count[number] = count;
    model->structs[number] = (struct shape){.align = align, .size = round_up(align, end)};
    snprintf(model->structs[number].text, sizeof(model->structs[number].text), "S%u", number);
    *length = at;
}

static void make_model(struct model *model) {
    size_t length = (size_t)snprintf(model->source, sizeof(model->source), "enable f16;\n");
    for (uint32_t i = 0; i < STRUCTS; i++) {
        add_struct(model, i, &length);
    }
}

static struct explain_module *compile(const char *source) {
    return explain_module_create(
        text_from_string(source), TEXT_LITERAL("random"), TEXT_LITERAL(""));
}

// The structure's type by its declaration; index 0 when there is none.
static type_id find_struct(const struct explain_module *module, const char *name) {
    for (uint32_t i = 0; i < module->ast->declaration_count; i++) {
        const struct ast_declaration *declaration = module->ast->declarations[i];
        if (declaration->kind == DECLARATION_STRUCT &&
            text_equals_string(declaration->name->text, name)) {
            return declaration->type;
        }
    }
    return (type_id){0};
}

static bool is_taken(void *context, struct text name) {
    (void)context, (void)name;
    return false;
}

static void print_diagnostics(const struct explain_module *module) {
    struct text_buffer out = {0};
    if (module != NULL) {
        diagnostic_list_print(
            &out, &module->base.source, &module->base.diagnostics, (struct diagnostic_style){0});
    }
    fputs(text_buffer_get(&out).data, stderr);
    text_buffer_finish(&out);
}

// The legal form with the structures that did not change, as a uniform buffer.
static void check_edit(const struct model *model, struct explain_module *module,
    const struct layout_types *layout, uint32_t number) {
    struct layout_edit edit;
    type_id type = find_struct(module, model->structs[number].text);
    bool is_legal = layout_is_legal(layout, LAYOUT_UNIFORM, type);
    bool has_edit = layout_find_edit(layout, type, &module->base.arena, is_taken, NULL, &edit);
    CHECK_EQ(has_edit, !is_legal);
    if (!has_edit) {
        return;
    }
    struct text_buffer source = {0};
    text_buffer_append_string(&source, "enable f16;\n");
    text_buffer_append(&source, text_buffer_get(&edit.declarations));
    for (uint32_t i = 0; i < STRUCTS; i++) {
        char head[16];
        snprintf(head, sizeof(head), "struct S%u {", i);
        const char *begin = strstr(model->source, head);
        if (begin != NULL && strstr(text_buffer_get(&edit.declarations).data, head) == NULL) {
            text_buffer_append(&source, (struct text){begin, strcspn(begin, "}") + 1});
        }
    }
    text_buffer_print(&source, "\n@group(0) @binding(0) var<uniform> u: S%u;\n", number);
    struct explain_module *mended = compile(text_buffer_get(&source).data);
    bool is_mended = CHECK(mended != NULL && mended->base.is_valid);
    if (is_mended) {
        type_id after = find_struct(mended, model->structs[number].text);
        CHECK_EQ(type_get(mended->ast->types, after)->size_bytes, edit.size_bytes);
    } else {
        print_diagnostics(mended);
        fprintf(stderr, "--- mended:\n%s\n", source.data);
    }
    explain_module_destroy(mended);
    text_buffer_finish(&source);
    layout_edit_finish(&edit);
}

static void check_order(const struct explain_module *module, struct arena *arena, type_id id) {
    const struct type *type = type_get(module->ast->types, id);
    uint32_t *order = NULL;
    uint64_t size = 0;
    if (!layout_find_order(module->ast->types, id, arena, &order, &size)) {
        return;
    }
    uint64_t end = 0;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[order[i]];
        end = round_up(member->align_bytes, (uint32_t)end) + member->size_bytes;
        seen |= (uint64_t)1 << order[i];
    }
    CHECK_EQ(seen, ((uint64_t)1 << type->member_count) - 1); // each member once
    CHECK_EQ(round_up(type->align_bytes, (uint32_t)end), size);
    CHECK(size < type->size_bytes);
}

TEST(structures) {
    static struct model model;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        uint64_t failures_before = check_failure_count;
        state = seed;
        make_model(&model);
        struct explain_module *module = compile(model.source);
        struct layout_types layout;
        if (CHECK(module != NULL && module->base.is_valid) &&
            CHECK(layout_types_init(&layout, module->ast->types, &module->base.arena))) {
            for (uint32_t i = 0; i < STRUCTS; i++) {
                type_id id = find_struct(module, model.structs[i].text);
                const struct type *type = type_get(module->ast->types, id);
                CHECK_EQ(type->align_bytes, model.structs[i].align);
                CHECK_EQ(type->size_bytes, model.structs[i].size);
                for (uint32_t k = 0; k < model.member_count[i] && k < type->member_count; k++) {
                    CHECK_EQ(type->members[k].offset_bytes, model.offsets[i][k]);
                }
                check_edit(&model, module, &layout, i);
                check_order(module, &module->base.arena, id);
            }
        }
        explain_module_destroy(module);
        if (check_failure_count != failures_before) {
            fprintf(stderr, "seed %" PRIu64 "\n%s\n", seed, model.source);
            return;
        }
    }
}

// Orders that were found are held against every order there is, for structures of few members.
static uint32_t best_by_trial(
    const struct type *type, uint32_t placed, uint32_t end, uint32_t used) {
    if (placed == type->member_count) {
        return round_up(type->align_bytes, end);
    }
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < type->member_count; i++) {
        if (!(used >> i & 1)) {
            uint32_t at = round_up(type->members[i].align_bytes, end) + type->members[i].size_bytes;
            uint32_t size = best_by_trial(type, placed + 1, at, used | 1u << i);
            best = size < best ? size : best;
        }
    }
    return best;
}

TEST(orders_are_the_best) {
    static struct model model;
    for (uint64_t seed = 1000; seed < 1100; seed++) {
        state = seed;
        make_model(&model);
        struct explain_module *module = compile(model.source);
        if (!CHECK(module != NULL && module->base.is_valid)) {
            return;
        }
        for (uint32_t i = 0; i < STRUCTS; i++) {
            type_id id = find_struct(module, model.structs[i].text);
            const struct type *type = type_get(module->ast->types, id);
            uint32_t *order = NULL;
            uint64_t size = type->size_bytes;
            layout_find_order(module->ast->types, id, &module->base.arena, &order, &size);
            if (type->member_count <= 6) {
                CHECK_EQ(size, best_by_trial(type, 0, 0, 0));
            }
        }
        explain_module_destroy(module);
    }
}

CHECK_MAIN(structures, orders_are_the_best)
