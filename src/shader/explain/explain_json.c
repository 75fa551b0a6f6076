// SPDX-License-Identifier: MIT
//
// What `alba explain --json` prints; docs/reflect.md is the schema. See explain.h.
#include "base/try.h"
#include "shader/explain/explain_priv.h"

static void put_sentence(struct json *json, const char *key,
    const struct explain_variable *variable,
    void (*print)(struct text_buffer *out, const struct explain_variable *variable)) {
    struct text_buffer text = {0};
    print(&text, variable);
    json_text(json, key, text_buffer_get(&text));
    json->out->has_failed = json->out->has_failed || text.has_failed;
    text_buffer_finish(&text);
}

static void put_variable(
    struct json *json, const struct explain_facts *facts, const struct explain_variable *variable) {
    const struct ast_declaration *declaration = variable->declaration;
    struct source_location place = source_locate(
        &facts->module->base.source, declaration->name_span.begin);
    struct text_buffer text = {0};
    json_begin_object(json, NULL);
    json_text(json, "name", declaration->name->text);
    json_number(json, "line", place.line);
    json_number(json, "column", place.column_utf16);
    json_string(json, "space", address_space_word(declaration->space));
    json_string(json, "access", access_mode_word(variable->access));
    type_print(&text, facts->layout.types, declaration->type);
    json_text(json, "type", text_buffer_get(&text));
    if (variable->function == NULL) {
        json_null(json, "function");
    } else {
        json_text(json, "function", variable->function->name->text);
    }
    if (declaration->has_binding) {
        json_number(json, "group", declaration->group);
        json_number(json, "binding", declaration->binding);
    }
    if (variable->has_bytes) {
        json_number(json, "bytes", variable->bytes);
    } else {
        json_null(json, "bytes");
    }
    if (variable->element_bytes != 0) {
        json_number(json, "elementBytes", variable->element_bytes);
    }
    put_sentence(json, "scope", variable, explain_print_scope);
    put_sentence(json, "lifetime", variable, explain_print_lifetime);
    put_sentence(json, "admittedTypes", variable, explain_print_admitted);
    text.length = 0;
    explain_print_reason(&text, facts, variable);
    json_text(json, "reason", text_buffer_get(&text));
    text.length = 0;
    if (explain_print_registers(&text, variable)) {
        json_text(json, "registers", text_buffer_get(&text));
    }
    json->out->has_failed = json->out->has_failed || text.has_failed;
    text_buffer_finish(&text);
    json_end_object(json);
}

static void put_uses(
    struct json *json, const struct explain_facts *facts, const struct explain_entry *entry) {
    json_begin_array(json, "reaches");
    for (size_t i = 0; i < entry->uses.count; i++) {
        const struct explain_use *use = &entry->uses.items[i];
        json_begin_object(json, NULL);
        json_text(json, "variable", facts->variables.items[use->variable].declaration->name->text);
        struct text_buffer chain = {0};
        explain_print_chain(&chain, entry, use->reach);
        json_text(json, "calls", text_buffer_get(&chain));
        json->out->has_failed = json->out->has_failed || chain.has_failed;
        text_buffer_finish(&chain);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_pools(struct json *json, const struct explain_entry *entry) {
    uint64_t invocations = (uint64_t)entry->workgroup_size[0] * entry->workgroup_size[1];
    invocations = invocations > UINT32_MAX ? 0 : invocations * entry->workgroup_size[2];
    json_begin_array(json, "resident");
    for (uint32_t i = 0; i < explain_pool_count && entry->workgroup_bytes != 0; i++) {
        json_begin_object(json, NULL);
        json_string(json, "pool", explain_pools[i].name);
        json_number(json, "poolBytes", explain_pools[i].pool_bytes);
        json_number(json, "workgroups",
            explain_count_resident(&explain_pools[i], entry->workgroup_bytes, invocations));
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_entry(
    struct json *json, const struct explain_facts *facts, const struct explain_entry *entry) {
    static const char *const stages[] = {
        [STAGE_VERTEX] = "vertex", [STAGE_FRAGMENT] = "fragment", [STAGE_COMPUTE] = "compute"};
    json_begin_object(json, NULL);
    json_text(json, "name", entry->function->name->text);
    json_string(json, "stage", stages[entry->stage]);
    if (entry->stage == STAGE_COMPUTE) {
        json_begin_array(json, "workgroupSize");
        for (int i = 0; i < 3; i++) {
            if (entry->workgroup_size[i] == 0) {
                json_null(json, NULL);
            } else {
                json_number(json, NULL, entry->workgroup_size[i]);
            }
        }
        json_end_array(json);
        json_number(json, "workgroupBytes", entry->workgroup_bytes);
        json_bool(json, "workgroupBytesAreComplete", entry->is_workgroup_known);
        put_pools(json, entry);
    }
    json_number(json, "privateBytes", entry->private_bytes);
    json_number(json, "functionBytes", entry->function_bytes);
    put_uses(json, facts, entry);
    json_begin_array(json, "limitsPassed");
    for (size_t i = 0; i < entry->limits.count; i++) {
        const struct explain_limit *limit = &entry->limits.items[i];
        json_begin_object(json, NULL);
        json_string(json, "limit", limit_get_info(limit->name)->name);
        json_number(json, "needed", limit->needed);
        json_number(json, "core", limit->core);
        json_number(json, "compatibility", limit->compatibility);
        json_end_object(json);
    }
    json_end_array(json);
    explain_put_layouts(json, facts, entry);
    json_end_object(json);
}

bool explain_print_json(
    struct explain_module *module, const struct explain_options *options, struct text_buffer *out) {
    struct explain_facts facts;
    struct text_buffer note = {0};
    bool ok = explain_gather(module, options, &facts);
    struct json json = {.out = out};
    json_begin_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_text(&json, "file", module->base.source.name);
    json_bool(&json, "ok", module->base.is_valid);
    if (!module->base.is_valid) { // a uniform layout: what it is about is explained all the same
        text_buffer_append_string(out, ",\"diagnostics\":");
        diagnostic_list_print_json(out, &module->base.source, &module->base.diagnostics);
    }
    json_begin_array(&json, "variables");
    for (size_t i = 0; ok && i < facts.variables.count; i++) {
        put_variable(&json, &facts, &facts.variables.items[i]);
    }
    json_end_array(&json);
    json_begin_array(&json, "entryPoints");
    for (size_t i = 0; ok && i < facts.entries.count; i++) {
        put_entry(&json, &facts, &facts.entries.items[i]);
    }
    json_end_array(&json);
    struct explain_entry render;
    bool has_both = false;
    ok = ok && explain_merge_render(&facts, &render, &has_both);
    if (ok && has_both) {
        json_begin_object(&json, "renderPipeline");
        explain_put_layouts(&json, &facts, &render);
        json_end_object(&json);
    }
    if (ok && explain_print_missing(&note, &facts, options)) {
        json_text(&json, "note", text_buffer_get(&note));
    }
    json_end_object(&json);
    text_buffer_append_char(out, '\n');
    text_buffer_finish(&note);
    return ok && !out->has_failed;
}
