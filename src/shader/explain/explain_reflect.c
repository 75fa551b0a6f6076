// SPDX-License-Identifier: MIT
//
// What `alba reflect --json` prints: a module's interface for programs; docs/reflect.md is the
// schema. See explain.h.
#include "base/try.h"
#include "shader/explain/explain_priv.h"

static const char *const stage_words[] = {
    [STAGE_VERTEX] = "vertex", [STAGE_FRAGMENT] = "fragment", [STAGE_COMPUTE] = "compute"};

static void put_type(
    struct json *json, const char *key, const struct type_table *types, type_id type) {
    struct text_buffer text = {0};
    type_print(&text, types, type);
    json_text(json, key, text_buffer_get(&text));
    json->out->has_failed = json->out->has_failed || text.has_failed;
    text_buffer_finish(&text);
}

static void put_interface(struct json *json, const char *key, const struct type_table *types,
    const struct ir_interface *items, uint32_t count) {
    static const char *const interpolations[] = {"perspective", "linear", "flat"};
    static const char *const samplings[] = {"center", "centroid", "sample", "first", "either"};
    json_begin_array(json, key);
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_interface *item = &items[i];
        json_begin_object(json, NULL);
        if (item->is_builtin) {
            json_string(json, "builtin", builtin_value_word(item->builtin));
        } else {
            json_number(json, "location", item->location);
            if (item->has_blend_source) {
                json_number(json, "blendSrc", item->blend_source);
            }
            json_string(json, "interpolation", interpolations[item->interpolation % 3]);
            json_string(json, "sampling", samplings[item->sampling % 5]);
        }
        put_type(json, "type", types, item->type);
        if (item->name.length != 0) {
            json_text(json, "name", item->name);
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_override_names(struct json *json, const struct reflection *reflection,
    const struct reflect_entry_point *entry) {
    json_begin_array(json, "overrides");
    for (uint32_t i = 0; i < entry->override_count; i++) {
        json_text(json, NULL, reflection->overrides[entry->overrides[i]].name);
    }
    json_end_array(json);
}

// The entry point of that name: both lists have them all.
static const struct explain_entry *find_entry(const struct explain_facts *facts, struct text name) {
    size_t i = 0;
    while (i + 1 < facts->entries.count &&
        !text_equals(facts->entries.items[i].function->name->text, name)) {
        i++;
    }
    return &facts->entries.items[i];
}

static void put_entry(struct json *json, struct explain_facts *facts, uint32_t number) {
    const struct compile_module *base = &facts->module->base;
    const struct ir_entry_point *ir = &base->ir->entry_points.items[number];
    const struct reflect_entry_point *entry = &base->reflection->entry_points[number];
    json_begin_object(json, NULL);
    json_text(json, "name", entry->name);
    json_string(json, "stage", stage_words[entry->stage]);
    if (entry->stage == STAGE_COMPUTE) {
        json_begin_array(json, "workgroupSize");
        const struct explain_entry *sizes = find_entry(facts, entry->name);
        for (int i = 0; i < 3; i++) {
            if (sizes->workgroup_size[i] == 0) {
                json_null(json, NULL);
            } else {
                json_number(json, NULL, sizes->workgroup_size[i]);
            }
        }
        json_end_array(json);
        json_number(json, "workgroupBytes", sizes->workgroup_bytes);
        json_bool(json, "workgroupBytesAreComplete", sizes->is_workgroup_known);
    }
    json_number(json, "immediateBytes", entry->immediate_size_bytes);
    put_interface(json, "inputs", &base->ir->types, ir->inputs, ir->input_count);
    put_interface(json, "outputs", &base->ir->types, ir->outputs, ir->output_count);
    put_override_names(json, base->reflection, entry);
    for (size_t i = 0; i < facts->entries.count; i++) {
        if (text_equals(facts->entries.items[i].function->name->text, entry->name)) {
            explain_put_layouts(json, facts, &facts->entries.items[i]);
        }
    }
    json_end_object(json);
}

static void put_overrides(struct json *json, const struct reflection *reflection) {
    json_begin_array(json, "overrides");
    for (uint32_t i = 0; i < reflection->override_count; i++) {
        const struct reflect_override *row = &reflection->overrides[i];
        static const char *const words[] = {[TYPE_BOOL] = "bool",
            [TYPE_I32] = "i32",
            [TYPE_U32] = "u32",
            [TYPE_F16] = "f16",
            [TYPE_F32] = "f32"};
        json_begin_object(json, NULL);
        json_text(json, "name", row->name);
        if (row->has_id) {
            json_number(json, "id", row->id);
        }
        json_string(json, "type",
            (size_t)row->type < sizeof(words) / sizeof(words[0]) ? words[row->type] : NULL);
        json_bool(json, "hasDefault", row->has_default);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_resources(struct json *json, const struct explain_facts *facts) {
    json_begin_array(json, "resources");
    for (uint32_t i = 0; i < facts->module_variable_count; i++) {
        const struct explain_variable *variable = &facts->variables.items[i];
        const struct ast_declaration *declaration = variable->declaration;
        if (!declaration->has_binding) {
            continue;
        }
        json_begin_object(json, NULL);
        json_text(json, "name", declaration->name->text);
        json_number(json, "group", declaration->group);
        json_number(json, "binding", declaration->binding);
        json_string(json, "space", address_space_word(declaration->space));
        json_string(json, "access", access_mode_word(variable->access));
        put_type(json, "type", facts->layout.types, declaration->type);
        if (declaration->space != SPACE_HANDLE) {
            json_number(json, "minBindingSize", variable->bytes);
            if (variable->element_bytes != 0) {
                json_number(json, "elementBytes", variable->element_bytes);
            }
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static bool put_structures(struct json *json, const struct explain_facts *facts) {
    const struct ast_module *ast = facts->module->ast;
    json_begin_array(json, "structures");
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        if (declaration->kind != DECLARATION_STRUCT ||
            !type_is_host_shareable(facts->layout.types, declaration->type)) {
            continue;
        }
        struct arena_mark mark = arena_get_mark(&facts->module->base.arena);
        json_begin_object(json, NULL);
        TRY(layout_print_json(json, &facts->layout, declaration->type, &facts->module->base.arena));
        json_end_object(json);
        arena_reset_to(&facts->module->base.arena, mark);
    }
    json_end_array(json);
    return true;
}

bool explain_print_reflection(struct explain_module *module, struct text_buffer *out) {
    static const struct explain_options no_options;
    struct explain_facts facts;
    TRY(explain_gather(module, &no_options, &facts));
    struct json json = {.out = out};
    json_begin_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_text(&json, "file", module->base.source.name);
    json_bool(&json, "ok", module->base.is_valid);
    json_begin_array(&json, "entryPoints");
    for (uint32_t i = 0; i < module->base.reflection->entry_point_count; i++) {
        put_entry(&json, &facts, i);
    }
    json_end_array(&json);
    put_resources(&json, &facts);
    put_overrides(&json, module->base.reflection);
    bool ok = put_structures(&json, &facts);
    json_end_object(&json);
    text_buffer_append_char(out, '\n');
    return ok && !out->has_failed;
}
