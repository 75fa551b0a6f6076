// SPDX-License-Identifier: MIT
//
// A type's layout as JSON, for programs; docs/reflect.md is the schema. See layout.h.
#include "shader/explain/layout.h"

static void put_issue(struct json *json, const char *key, const struct layout_types *layout,
    enum layout_column column, type_id type, uint64_t offset, const struct type_member *before,
    struct text member) {
    struct layout_issue issue = layout_find_issue(layout, column, type, offset, before);
    json_begin_object(json, key);
    json_bool(json, "legal", issue.rule == LAYOUT_RULE_NONE);
    if (issue.rule != LAYOUT_RULE_NONE) {
        struct text_buffer text = {0};
        json_string(json, "rule", layout_rule_word(issue.rule));
        if (issue.required != 0) {
            json_number(json, "actual", issue.actual);
            json_number(json, "required", issue.required);
        }
        layout_print_issue(&text, layout->types, &issue);
        json_text(json, "message", text_buffer_get(&text));
        text.length = 0;
        layout_print_advice(&text, layout->types, &issue, member);
        json_text(json, "edit", text_buffer_get(&text));
        json->out->has_failed = json->out->has_failed || text.has_failed;
        text_buffer_finish(&text);
    }
    json_end_object(json);
}

static void put_columns(struct json *json, const struct layout_types *layout, type_id type,
    uint64_t offset, const struct type_member *before, struct text member) {
    put_issue(json, "storage", layout, LAYOUT_STORAGE, type, offset, before, member);
    put_issue(json, "uniform", layout, LAYOUT_UNIFORM, type, offset, before, member);
    put_issue(json, "uniformStandardLayout", layout, LAYOUT_UNIFORM_STANDARD, type, offset, before,
        member);
}

static void put_type_text(
    struct json *json, const char *key, const struct type_table *types, type_id type) {
    struct text_buffer text = {0};
    type_print(&text, types, type);
    json_text(json, key, text_buffer_get(&text));
    json->out->has_failed = json->out->has_failed || text.has_failed;
    text_buffer_finish(&text);
}

static void put_size(struct json *json, const struct type *type, uint64_t size) {
    bool is_runtime = type->kind == TYPE_ARRAY && type->array_size == ARRAY_RUNTIME;
    if (is_runtime) {
        json_null(json, "size");
    } else {
        json_number(json, "size", size);
    }
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MATRIX) {
        json_number(json, "stride", type->stride_bytes);
    }
    if (type->kind == TYPE_ARRAY && !is_runtime) {
        json_number(json, "count", type->count);
    }
}

static void put_members(
    struct json *json, const struct layout_types *layout, const struct type *type) {
    uint64_t end = 0;
    json_begin_array(json, "members");
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        json_begin_object(json, NULL);
        json_text(json, "name", member->name);
        put_type_text(json, "type", layout->types, member->type);
        json_number(json, "offset", member->offset_bytes);
        json_number(json, "align", member->align_bytes);
        put_size(json, type_get(layout->types, member->type), member->size_bytes);
        json_number(json, "paddingBefore", member->offset_bytes - end);
        put_columns(json, layout, member->type, member->offset_bytes, i == 0 ? NULL : member - 1,
            member->name);
        json_end_object(json);
        end = (uint64_t)member->offset_bytes + member->size_bytes;
    }
    json_end_array(json);
}

static void put_order(struct json *json, const struct layout_types *layout, const struct type *type,
    type_id id, struct arena *arena) {
    uint32_t *order = NULL;
    uint64_t size = 0;
    if (!layout_find_order(layout->types, id, arena, &order, &size)) {
        return;
    }
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    uint64_t present = is_runtime ? type->members[type->member_count - 1].offset_bytes
                                  : type->size_bytes;
    json_begin_object(json, "reorder");
    json_number(json, "size", size);
    json_number(json, "saved", present - size);
    json_begin_array(json, "order");
    for (uint32_t i = 0; i < type->member_count; i++) {
        json_text(json, NULL, type->members[order[i]].name);
    }
    json_end_array(json);
    json_end_object(json);
}

static void put_read_cost(struct json *json, const struct type_table *types, type_id id) {
    struct layout_read_cost cost;
    if (layout_measure_read_cost(types, id, &cost)) {
        json_begin_object(json, "elementRead");
        json_number(json, "loadBytes", cost.load_bytes);
        json_number(json, "requests", cost.request_count);
        json_number(json, "sectors", cost.sector_count);
        json_number(json, "scalarRequests", cost.scalar_request_count);
        json_number(json, "scalarSectors", cost.scalar_sector_count);
        json_end_object(json);
    }
}

bool layout_print_json(
    struct json *json, const struct layout_types *layout, type_id id, struct arena *arena) {
    const struct type *type = type_get(layout->types, id);
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    bool is_struct = type->kind == TYPE_STRUCT;
    put_type_text(json, "name", layout->types, id);
    json_string(json, "kind", is_struct ? "struct" : type->kind == TYPE_ARRAY ? "array" : "other");
    json_number(json, "align", type->align_bytes);
    if (is_struct && is_runtime) {
        json_null(json, "size");
    } else {
        put_size(json, type, type->size_bytes);
    }
    json_number(json, "minBindingSize", type_minimum_binding_size(layout->types, id));
    json_bool(json, "runtimeSized", is_runtime);
    put_columns(json, layout, id, 0, NULL, TEXT_LITERAL("a"));
    if (is_struct) {
        struct layout_padding padding = layout_measure_padding(layout->types, id);
        json_number(json, "memberBytes", padding.member_bytes);
        json_number(json, "holes", padding.hole_count);
        json_number(json, "holeBytes", padding.hole_bytes);
        json_number(json, "tailPadding", padding.tail_bytes);
        put_members(json, layout, type);
        put_order(json, layout, type, id, arena);
    }
    put_read_cost(json, layout->types, id);
    return !json->out->has_failed;
}
