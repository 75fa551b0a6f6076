// SPDX-License-Identifier: MIT
//
// Picks the types of a module and prints what there is to say about each. See layout_report.h.
#include "shader/explain/layout_report.h"

#include <inttypes.h>

#include "base/try.h"
#include "facts/limits.h"

enum { SHOWN_USERS = 4 };

// The buffer variables of a type, or of arrays of it: the first few, and how many there are.
struct users {
    const struct ast_declaration *shown[SHOWN_USERS];
    uint32_t count;
};

struct report {
    struct explain_module *module;
    const struct layout_report_options *options;
    struct layout_types layout;
    uint8_t *spaces;     // by type index: set of 1 << enum address_space whose variables hold it
    struct users *users; // by type index
    type_id *types;      // to be shown
    uint32_t type_count;
};

static bool is_buffer_variable(const struct ast_declaration *declaration) {
    return declaration->kind == DECLARATION_VARIABLE && declaration->type.index != 0 &&
        (declaration->space == SPACE_UNIFORM || declaration->space == SPACE_STORAGE ||
            declaration->space == SPACE_IMMEDIATE);
}

type_id layout_report_find_type(
    const struct explain_module *module, struct text name, bool *out_is_named) {
    for (uint32_t i = 0; i < module->ast->declaration_count; i++) {
        const struct ast_declaration *declaration = module->ast->declarations[i];
        bool is_type = declaration->kind == DECLARATION_STRUCT ||
            declaration->kind == DECLARATION_ALIAS || declaration->kind == DECLARATION_VARIABLE;
        if (is_type && text_equals(declaration->name->text, name)) {
            *out_is_named = true;
            return declaration->type;
        }
    }
    *out_is_named = false;
    return (type_id){0};
}

// From the variables' store types down to their parts, which have smaller indices.
static void mark_spaces(struct report *report) {
    const struct type_table *types = report->layout.types;
    const struct ast_module *ast = report->module->ast;
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        if (is_buffer_variable(declaration)) {
            report->spaces[declaration->type.index] |= (uint8_t)(1u << declaration->space);
        }
    }
    for (size_t i = types->types.count; i-- > 1;) {
        const struct type *type = &types->types.items[i];
        if (report->spaces[i] == 0) {
            continue;
        }
        if (type->kind == TYPE_ARRAY) {
            report->spaces[type->element.index] |= report->spaces[i];
        }
        for (uint32_t k = 0; type->kind == TYPE_STRUCT && k < type->member_count; k++) {
            report->spaces[type->members[k].type.index] |= report->spaces[i];
        }
    }
}

static void gather_users(struct report *report) {
    const struct ast_module *ast = report->module->ast;
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        type_id type = is_buffer_variable(declaration) ? declaration->type : (type_id){0};
        while (type.index != 0) {
            struct users *users = &report->users[type.index];
            if (users->count < SHOWN_USERS) {
                users->shown[users->count] = declaration;
            }
            users->count++;
            const struct type *shape = type_get(report->layout.types, type);
            type = shape->kind == TYPE_ARRAY ? shape->element : (type_id){0};
        }
    }
}

static bool has_interface_attribute(const struct ast_declaration *declaration) {
    for (uint32_t i = 0; i < declaration->structure->member_count; i++) {
        const struct ast_attribute_list *list = &declaration->structure->members[i].attributes;
        if (ast_attribute_find(list, ATTRIBUTE_LOCATION) != NULL ||
            ast_attribute_find(list, ATTRIBUTE_BUILTIN) != NULL) {
            return true;
        }
    }
    return false;
}

static bool has_layout(const struct type *type) {
    return (type->traits & TYPE_TRAIT_HOST_SHAREABLE) != 0 && type->align_bytes != 0 &&
        type->kind != TYPE_BUFFER;
}

// Structures as they are declared, and the store types of variables that are none.
static bool is_listed(const struct report *report, const struct ast_declaration *declaration) {
    const struct layout_report_options *options = report->options;
    if (declaration->type.index == 0 ||
        !has_layout(type_get(report->layout.types, declaration->type))) {
        return false;
    }
    uint8_t spaces = report->spaces[declaration->type.index];
    bool is_wanted = !options->has_space || (spaces >> options->space & 1) != 0;
    if (declaration->kind == DECLARATION_STRUCT) {
        return is_wanted && (spaces != 0 || !has_interface_attribute(declaration));
    }
    return is_wanted && is_buffer_variable(declaration) &&
        type_kind_of(report->layout.types, declaration->type) != TYPE_STRUCT;
}

static bool begin(struct report *report, struct explain_module *module,
    const struct layout_report_options *options) {
    struct arena *arena = &module->base.arena;
    const struct ast_module *ast = module->ast;
    *report = (struct report){.module = module, .options = options};
    TRY(layout_types_init(&report->layout, ast->types, arena));
    report->spaces = ARENA_ARRAY(arena, uint8_t, ast->types->types.count);
    report->types = ARENA_ARRAY(arena, type_id, ast->declaration_count + 1);
    bool *is_listed_already = ARENA_ARRAY(arena, bool, ast->types->types.count);
    report->users = ARENA_ARRAY(arena, struct users, ast->types->types.count);
    TRY(report->spaces != NULL && report->types != NULL && is_listed_already != NULL &&
        report->users != NULL);
    mark_spaces(report);
    gather_users(report);
    if (options->type.index != 0) {
        if (has_layout(type_get(ast->types, options->type))) {
            report->types[report->type_count++] = options->type;
        }
        return true;
    }
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        if ((declaration->kind == DECLARATION_STRUCT ||
                declaration->kind == DECLARATION_VARIABLE) &&
            is_listed(report, declaration) && !is_listed_already[declaration->type.index]) {
            is_listed_already[declaration->type.index] = true;
            report->types[report->type_count++] = declaration->type;
        }
    }
    return true;
}

// "var<uniform> blur, var<storage, read> x": who holds a value of the type, or an array of it.
static void print_users(struct text_buffer *out, const struct report *report, type_id id) {
    const struct users *users = &report->users[id.index];
    for (uint32_t i = 0; i < users->count && i < SHOWN_USERS; i++) {
        const struct ast_declaration *declaration = users->shown[i];
        bool is_storage = declaration->space == SPACE_STORAGE;
        text_buffer_print(out, "%s var<%s%s%s> %.*s", i == 0 ? "" : ",",
            address_space_word(declaration->space), is_storage ? ", " : "",
            is_storage ? access_mode_word(declaration->access) : "",
            TEXT_ARGS(declaration->name->text));
    }
    if (users->count > SHOWN_USERS) {
        text_buffer_print(out, " and %" PRIu32 " more", users->count - SHOWN_USERS);
    }
    if (users->count == 0) {
        text_buffer_append_string(
            out, report->spaces[id.index] != 0 ? " a part of another type" : " no buffer variable");
    }
}

static bool is_taken(void *context, struct text name) {
    const struct ast_module *ast = context;
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        if (ast->declarations[i]->name != NULL &&
            text_equals(ast->declarations[i]->name->text, name)) {
            return true;
        }
    }
    return false;
}

static void print_issue(struct text_buffer *out, const struct report *report, struct text member,
    const struct layout_issue *issue) {
    text_buffer_print(out, "  %.*s: ", TEXT_ARGS(member));
    layout_print_issue(out, report->layout.types, issue);
    text_buffer_append_string(out, "\n    edit: ");
    layout_print_advice(out, report->layout.types, issue, member);
    text_buffer_append_char(out, '\n');
}

// One about the member's place, and one about what is inside it.
static void print_member_issues(struct text_buffer *out, const struct report *report,
    const struct type *type, uint32_t number) {
    const struct type_member *member = &type->members[number];
    struct layout_issue place = layout_find_issue(&report->layout, LAYOUT_UNIFORM, member->type,
        member->offset_bytes, number == 0 ? NULL : member - 1);
    struct layout_issue inside = layout_find_issue(
        &report->layout, LAYOUT_UNIFORM, member->type, 0, NULL);
    if (place.rule != LAYOUT_RULE_NONE && place.rule != inside.rule) {
        print_issue(out, report, member->name, &place);
    }
    if (inside.rule != LAYOUT_RULE_NONE) {
        print_issue(out, report, member->name, &inside);
    }
}

// What the classic uniform rules have against the type, each with its edit, then the legal form.
static void print_uniform(struct text_buffer *out, const struct report *report, type_id id) {
    const struct type *type = type_get(report->layout.types, id);
    if ((report->options->columns >> LAYOUT_UNIFORM & 1) == 0 ||
        layout_is_legal(&report->layout, LAYOUT_UNIFORM, id)) {
        return;
    }
    bool is_used = (report->spaces[id.index] >> SPACE_UNIFORM & 1) != 0;
    struct layout_issue whole = layout_find_issue(&report->layout, LAYOUT_UNIFORM, id, 0, NULL);
    bool is_storage_only = whole.rule == LAYOUT_RULE_RUNTIME || whole.rule == LAYOUT_RULE_ATOMIC;
    if (is_storage_only && report->options->type.index == 0 && !is_used) {
        return; // nobody asks: the columns say it
    }
    text_buffer_append_string(out,
        is_used && !report->module->requires_standard_layout
            ? "An error as it stands: the module uses it in a uniform buffer.\n"
            : "Not legal in a uniform buffer by the classic rules:\n");
    if (type->kind != TYPE_STRUCT || is_storage_only) {
        print_issue(
            out, report, type->kind == TYPE_STRUCT ? type->name : TEXT_LITERAL("a"), &whole);
    }
    if (is_storage_only) {
        return;
    }
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        print_member_issues(out, report, type, i);
    }
    text_buffer_append_string(out,
        "  or, with the type as it is: 'requires uniform_buffer_standard_layout;', or var<storage>\n");
    struct layout_edit edit;
    if (layout_find_edit(&report->layout, id, &report->module->base.arena, is_taken,
            report->module->ast, &edit)) {
        text_buffer_print(out, "Legal form, %" PRIu64 " bytes", edit.size_bytes);
        if (edit.size_bytes != type->size_bytes) {
            text_buffer_print(out, " instead of %" PRIu64, type->size_bytes);
        } else {
            text_buffer_append_string(out, " as before");
        }
        text_buffer_print(out, ":\n%.*s", TEXT_ARGS(text_buffer_get(&edit.declarations)));
        if (type->kind != TYPE_STRUCT) {
            text_buffer_print(out, "%.*s\n", TEXT_ARGS(text_buffer_get(&edit.type)));
        }
        layout_edit_finish(&edit);
    }
}

// "_pad", "padding2": what people call members that are to fill a hole.
static bool is_pad_name(struct text name) {
    for (size_t i = 0; i + 3 <= name.length; i++) {
        if ((name.data[i] | 0x20) == 'p' && (name.data[i + 1] | 0x20) == 'a' &&
            (name.data[i + 2] | 0x20) == 'd') {
            return true;
        }
    }
    return false;
}

// Two surprises that the numbers alone do not explain.
static void print_notes(struct text_buffer *out, const struct report *report, type_id id) {
    const struct type *type = type_get(report->layout.types, id);
    uint64_t end = 0;
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        const struct type *inner = type_get(report->layout.types, member->type);
        bool is_three = inner->kind == TYPE_VECTOR && inner->count == 3;
        if (is_three && member->offset_bytes > end && is_pad_name(member->name)) {
            text_buffer_print(out,
                "%.*s: a vec3 is no padding of %" PRIu64 " bytes: it is aligned to %" PRIu32
                ", so %" PRIu64 " more stand before it. Use three scalars, or @size on the member "
                "before.\n",
                TEXT_ARGS(member->name), inner->size_bytes, inner->align_bytes,
                member->offset_bytes - end);
        }
        end = (uint64_t)member->offset_bytes + member->size_bytes;
    }
    if (type->kind == TYPE_STRUCT && !(type->traits & TYPE_TRAIT_RUNTIME_ARRAY) &&
        type->size_bytes > end && report->spaces[id.index] != 0) {
        text_buffer_print(out,
            "A binding needs all %" PRIu64 " bytes (its minBindingSize), not %" PRIu64
            ": padding at the end counts.\n",
            type->size_bytes, end);
    }
}

static void print_order(struct text_buffer *out, const struct report *report, type_id id) {
    const struct type *type = type_get(report->layout.types, id);
    uint32_t *order = NULL;
    uint64_t size = 0;
    if (!layout_find_order(report->layout.types, id, &report->module->base.arena, &order, &size)) {
        return;
    }
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    uint64_t present = is_runtime ? type->members[type->member_count - 1].offset_bytes
                                  : type->size_bytes;
    text_buffer_append_string(out, "Reordered as");
    for (uint32_t i = 0; i < type->member_count; i++) {
        text_buffer_print(
            out, "%s %.*s", i == 0 ? "" : ",", TEXT_ARGS(type->members[order[i]].name));
    }
    text_buffer_print(out, " it takes %" PRIu64 " bytes%s, saving %" PRIu64, size,
        is_runtime ? " before the array" : "", present - size);
    if (!is_runtime) {
        uint64_t sectors = (type->size_bytes + 31) / 32 - (size + 31) / 32;
        if (sectors != 0) {
            text_buffer_print(out, " and %" PRIu64 " sector%s", sectors, sectors == 1 ? "" : "s");
        }
    }
    text_buffer_append_string(out, ".\n");
}

static void print_read_cost(struct text_buffer *out, const struct report *report, type_id id) {
    const struct type_table *types = report->layout.types;
    const struct type *type = type_get(types, id);
    type_id element = type->kind == TYPE_ARRAY ? type->element : id;
    struct layout_read_cost cost;
    // An array of structures is answered by the structure's own listing.
    bool is_composite = type->kind == TYPE_STRUCT || type_kind_of(types, element) == TYPE_VECTOR;
    if (!is_composite || !layout_measure_read_cost(types, element, &cost)) {
        return;
    }
    uint64_t stride = (type_get(types, element)->size_bytes +
                          type_get(types, element)->align_bytes - 1) /
        type_get(types, element)->align_bytes * type_get(types, element)->align_bytes;
    text_buffer_print(out,
        "Elements of an array of it lie %" PRIu64
        " bytes apart. When 32 neighbouring invocations read "
        "one each: %" PRIu32 " load%s of %" PRIu32 " bytes, %" PRIu32 " sectors",
        stride, cost.request_count, cost.request_count == 1 ? "" : "s", cost.load_bytes,
        cost.sector_count);
    if (cost.scalar_request_count > cost.request_count) {
        text_buffer_print(out, "; scalar by scalar %" PRIu32 " loads, %" PRIu32 " sectors",
            cost.scalar_request_count, cost.scalar_sector_count);
    }
    text_buffer_append_string(out,
        cost.load_bytes < 16 && cost.request_count > 1
            ? ".\n(Loads of 16 bytes need a stride that is a multiple of 16.)\n"
            : ".\n");
}

// A binding larger than a default limit needs that limit raised.
static void print_limits(struct text_buffer *out, const struct report *report, type_id id) {
    static const struct {
        enum address_space space;
        enum limit_name limit;
    } rows[] = {{SPACE_UNIFORM, LIMIT_maxUniformBufferBindingSize},
        {SPACE_STORAGE, LIMIT_maxStorageBufferBindingSize},
        {SPACE_IMMEDIATE, LIMIT_maxImmediateSize}};
    uint64_t bytes = type_minimum_binding_size(report->layout.types, id);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct limit_info *info = limit_get_info(rows[i].limit);
        bool is_used = (report->spaces[id.index] >> rows[i].space & 1) != 0;
        if (is_used && bytes > info->core_default) {
            text_buffer_print(out,
                "%" PRIu64 " bytes pass the default %s of %" PRIu64
                ": ask for more in requiredLimits%s.\n",
                bytes, info->name, info->core_default,
                rows[i].space == SPACE_UNIFORM ? ", or use storage" : "");
        } else if (is_used && bytes > info->compatibility_default) {
            text_buffer_print(out,
                "%" PRIu64 " bytes pass compatibility mode's %s of %" PRIu64 ".\n", bytes,
                info->name, info->compatibility_default);
        }
    }
}

bool layout_report_print(struct explain_module *module, const struct layout_report_options *options,
    struct text_buffer *out, uint32_t *out_count) {
    struct report report;
    TRY(begin(&report, module, options));
    struct layout_style style = {.columns = options->columns, .use_colour = options->use_colour};
    for (uint32_t i = 0; i < report.type_count; i++) {
        type_id id = report.types[i];
        struct arena_mark mark = arena_get_mark(&module->base.arena);
        text_buffer_append_string(out, i == 0 ? "" : "\n");
        layout_print_name(out, report.layout.types, id);
        text_buffer_append_string(out, ", used by");
        print_users(out, &report, id);
        text_buffer_append_char(out, '\n');
        TRY(layout_print(out, &report.layout, id, &module->base.arena, &style));
        print_uniform(out, &report, id);
        print_order(out, &report, id);
        print_notes(out, &report, id);
        print_read_cost(out, &report, id);
        print_limits(out, &report, id);
        arena_reset_to(&module->base.arena, mark);
    }
    if (report.type_count != 0 && (options->columns >> LAYOUT_UNIFORM_STANDARD & 1) != 0) {
        text_buffer_append_string(
            out, "\nuniform*: with 'requires uniform_buffer_standard_layout;'\n");
    }
    *out_count = report.type_count;
    return !out->has_failed && !module->base.arena.has_failed;
}

bool layout_report_print_json(struct explain_module *module,
    const struct layout_report_options *options, struct text_buffer *out, uint32_t *out_count) {
    struct report report;
    struct json json = {.out = out};
    TRY(begin(&report, module, options));
    json_begin_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_text(&json, "file", module->base.source.name);
    json_bool(&json, "ok", module->base.is_valid);
    if (!module->base.is_valid) { // types that are sound are shown all the same
        text_buffer_append_string(out, ",\"diagnostics\":");
        diagnostic_list_print_json(out, &module->base.source, &module->base.diagnostics);
    }
    json_begin_array(&json, "types");
    for (uint32_t i = 0; i < report.type_count; i++) {
        struct arena_mark mark = arena_get_mark(&module->base.arena);
        type_id id = report.types[i];
        json_begin_object(&json, NULL);
        TRY(layout_print_json(&json, &report.layout, id, &module->base.arena));
        json_begin_array(&json, "spaces");
        for (uint32_t space = 0; space < SPACE_COUNT; space++) {
            if ((report.spaces[id.index] >> space & 1) != 0) {
                json_string(&json, NULL, address_space_word((enum address_space)space));
            }
        }
        json_end_array(&json);
        struct layout_edit edit;
        if (!layout_is_legal(&report.layout, LAYOUT_UNIFORM, id) &&
            layout_find_edit(
                &report.layout, id, &module->base.arena, is_taken, module->ast, &edit)) {
            json_begin_object(&json, "legalForm");
            json_number(&json, "size", edit.size_bytes);
            json_text(&json, "type", text_buffer_get(&edit.type));
            json_text(&json, "declarations", text_buffer_get(&edit.declarations));
            json_end_object(&json);
            layout_edit_finish(&edit);
        }
        json_end_object(&json);
        arena_reset_to(&module->base.arena, mark);
    }
    json_end_array(&json);
    json_end_object(&json);
    text_buffer_append_char(out, '\n');
    *out_count = report.type_count;
    return !out->has_failed && !module->base.arena.has_failed;
}

bool layout_report_print_c_header(struct explain_module *module,
    const struct layout_report_options *options, struct text_buffer *out, uint32_t *out_count) {
    struct report report;
    TRY(begin(&report, module, options));
    *out_count = report.type_count;
    return layout_print_c_header(out, report.layout.types, report.types, report.type_count,
        module->base.source.name, &module->base.arena);
}
