// SPDX-License-Identifier: MIT
//
// A host's layout beside the WGSL one: the first member where they part, where the host's bytes land
// and what WGSL reads instead, and the edits that bring them together. layout_host.c reads the
// host's list; layout.h has the contract.
#include "shader/explain/layout_diff.h"

#include <inttypes.h>

#include "base/try.h"

// A member of the WGSL type by its path.
struct place {
    type_id type;
    uint64_t offset_bytes;
    uint64_t size_bytes;
    struct text name;
    bool is_member; // of the structure itself: may carry attributes
};

struct comparison {
    const struct type_table *types;
    type_id type;
    struct host_layout host;
    struct text_buffer *out;
    struct json *json; // NULL: text
    bool has_difference;
};

static bool find_member(const struct type *type, struct text name, uint32_t *out_index) {
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        if (text_equals(type->members[i].name, name)) {
            *out_index = i;
            return true;
        }
    }
    return false;
}

// "light.color", one structure a dot.
static bool find_place(const struct comparison *c, struct text path, struct place *out) {
    *out = (struct place){.type = c->type, .name = path};
    size_t begin = 0;
    uint32_t depth = 0;
    for (size_t i = 0; i <= path.length; i++) {
        if (i < path.length && path.data[i] != '.') {
            continue;
        }
        uint32_t index = 0;
        const struct type *type = type_get(c->types, out->type);
        TRY(find_member(type, (struct text){path.data + begin, i - begin}, &index));
        out->type = type->members[index].type;
        out->offset_bytes += type->members[index].offset_bytes;
        out->size_bytes = type_get(c->types, out->type)->size_bytes;
        out->is_member = ++depth == 1;
        begin = i + 1;
    }
    return true;
}

static bool get_place(const struct comparison *c, uint32_t number, struct place *out) {
    const struct host_member *host = &c->host.members[number];
    const struct type *type = type_get(c->types, c->type);
    if (host->name.length != 0) {
        return find_place(c, host->name, out);
    }
    if (type->kind != TYPE_STRUCT) {
        *out = (struct place){c->type, 0, type->size_bytes, TEXT_LITERAL("value"), false};
        return number == 0;
    }
    TRY(number < type->member_count);
    const struct type_member *member = &type->members[number];
    *out = (struct place){member->type, member->offset_bytes,
        type_get(c->types, member->type)->size_bytes, member->name, true};
    return true;
}

static uint64_t stride_of(const struct comparison *c, type_id id) {
    const struct type *type = type_get(c->types, id);
    return type->kind == TYPE_ARRAY || type->kind == TYPE_MATRIX ? type->stride_bytes : 0;
}

// Where a byte offset of the host lies in the WGSL type.
static void print_landing(const struct comparison *c, uint64_t offset) {
    const struct type *type = type_get(c->types, c->type);
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    if (!is_runtime && offset >= type->size_bytes) {
        text_buffer_print(
            c->out, "past the end of the WGSL type (%" PRIu64 " bytes)", type->size_bytes);
        return;
    }
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        uint64_t size = type_get(c->types, member->type)->size_bytes;
        bool is_inside = offset >= member->offset_bytes &&
            (offset < member->offset_bytes + size || (is_runtime && i + 1 == type->member_count));
        if (is_inside && offset == member->offset_bytes) {
            text_buffer_print(c->out, "in '%.*s'", TEXT_ARGS(member->name));
            return;
        }
        if (is_inside) {
            text_buffer_print(c->out, "in '%.*s', %" PRIu64 " bytes into it",
                TEXT_ARGS(member->name), offset - member->offset_bytes);
            return;
        }
    }
    text_buffer_append_string(
        c->out, type->kind == TYPE_STRUCT ? "in padding" : "inside the value");
}

// What the host has at a byte offset.
static void print_host_content(const struct comparison *c, uint64_t offset) {
    for (uint32_t i = 0; i < c->host.member_count; i++) {
        const struct host_member *host = &c->host.members[i];
        if (offset >= host->offset_bytes && offset < host->offset_bytes + host->size_bytes) {
            struct place place;
            struct text name = get_place(c, i, &place) ? place.name : host->name;
            text_buffer_print(c->out, "where you have '%.*s'", TEXT_ARGS(name));
            return;
        }
    }
    text_buffer_append_string(c->out,
        c->host.has_size && offset >= c->host.size_bytes ? "past the end of yours"
                                                         : "where you have padding");
}

// The attribute that moves a WGSL member to the host's offset, where one does.
static void print_attribute(
    const struct comparison *c, const struct place *place, uint64_t wanted) {
    const struct type *type = type_get(c->types, c->type);
    uint32_t index = 0;
    uint32_t align = type_get(c->types, place->type)->align_bytes;
    if (!place->is_member || !find_member(type, place->name, &index) || index == 0 ||
        wanted % align != 0) {
        return;
    }
    const struct type_member *before = &type->members[index - 1];
    if (wanted >= before->offset_bytes + type_get(c->types, before->type)->size_bytes) {
        text_buffer_print(c->out,
            "  in WGSL: @size(%" PRIu64 ") %.*s moves '%.*s' to %" PRIu64 "\n",
            wanted - before->offset_bytes, TEXT_ARGS(before->name), TEXT_ARGS(place->name), wanted);
    }
}

static void explain_offset(
    const struct comparison *c, const struct place *place, const struct host_member *host) {
    text_buffer_print(
        c->out, "  your %.*s at %" PRIu64 " lands ", TEXT_ARGS(place->name), host->offset_bytes);
    print_landing(c, host->offset_bytes);
    text_buffer_print(c->out, "; WGSL reads it at %" PRIu64 ", ", place->offset_bytes);
    print_host_content(c, place->offset_bytes);
    text_buffer_append_char(c->out, '\n');
    print_attribute(c, place, host->offset_bytes);
    uint64_t end = 0;
    for (uint32_t i = 0; i < c->host.member_count && &c->host.members[i] != host; i++) {
        end = c->host.members[i].offset_bytes + c->host.members[i].size_bytes;
    }
    if (place->offset_bytes > end) {
        text_buffer_print(c->out, "  on your side: put %" PRIu64 " bytes of padding before it\n",
            place->offset_bytes - end);
    } else if (place->offset_bytes == end) {
        text_buffer_append_string(c->out, "  on your side: leave no padding before it\n");
    }
}

static void explain_stride(
    const struct comparison *c, const struct place *place, const struct host_member *host) {
    uint64_t wgsl = stride_of(c, place->type);
    bool is_matrix = type_kind_of(c->types, place->type) == TYPE_MATRIX;
    const char *part = is_matrix ? "column" : "element";
    text_buffer_print(c->out,
        "  the %ss of your %.*s are %" PRIu64 " bytes apart, WGSL's %" PRIu64
        ": %s 1 is read at %" PRIu64 ", yours is at %" PRIu64 "\n",
        part, TEXT_ARGS(place->name), host->stride_bytes, wgsl, part, place->offset_bytes + wgsl,
        host->offset_bytes + host->stride_bytes);
    if (wgsl > host->stride_bytes) {
        text_buffer_print(c->out, "  on your side: pad each %s to %" PRIu64 " bytes\n", part, wgsl);
    }
}

static void put_row(const struct comparison *c, const struct place *place,
    const struct host_member *host, bool is_same) {
    uint64_t stride = stride_of(c, place->type);
    if (c->json != NULL) {
        json_begin_object(c->json, NULL);
        json_text(c->json, "member", place->name);
        json_bool(c->json, "same", is_same);
        json_number(c->json, "offset", place->offset_bytes);
        json_number(c->json, "size", place->size_bytes);
        json_number(c->json, "stride", stride);
        json_number(c->json, "hostOffset", host->offset_bytes);
        json_number(c->json, "hostSize", host->size_bytes);
        json_number(c->json, "hostStride", host->stride_bytes);
        json_end_object(c->json);
        return;
    }
    struct text_buffer type = {0}, size = {0};
    type_print(&type, c->types, place->type);
    bool is_runtime = (type_get(c->types, place->type)->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    text_buffer_print(&size, is_runtime ? "any" : "%" PRIu64, place->size_bytes);
    text_buffer_print(c->out,
        "%s %-16.*s WGSL %-14s offset %4" PRIu64 " size %4s   host %-10.*s offset %4" PRIu64
        " size %4" PRIu64 "\n",
        is_same ? "  " : "->", TEXT_ARGS(place->name), text_buffer_get(&type).data,
        place->offset_bytes, text_buffer_get(&size).data, TEXT_ARGS(host->word), host->offset_bytes,
        host->size_bytes);
    text_buffer_finish(&type);
    text_buffer_finish(&size);
}

static void compare_member(
    struct comparison *c, const struct place *place, const struct host_member *host) {
    const struct type *type = type_get(c->types, place->type);
    bool is_runtime = type->kind == TYPE_ARRAY && type->array_size == ARRAY_RUNTIME;
    uint64_t stride = stride_of(c, place->type);
    bool has_strides = stride != 0 && host->stride_bytes != 0 && host->count > 1;
    bool is_offset_wrong = place->offset_bytes != host->offset_bytes;
    bool is_stride_wrong = has_strides && stride != host->stride_bytes;
    bool is_size_wrong = !is_stride_wrong && !is_runtime && place->size_bytes != host->size_bytes;
    bool is_same = !is_offset_wrong && !is_stride_wrong && !is_size_wrong;
    put_row(c, place, host, is_same);
    bool is_first = !c->has_difference;
    c->has_difference = c->has_difference || !is_same;
    if (c->json != NULL || is_same || !is_first) {
        return;
    }
    if (is_offset_wrong) {
        explain_offset(c, place, host);
    }
    if (is_stride_wrong) {
        explain_stride(c, place, host);
    } else if (is_size_wrong) {
        text_buffer_print(c->out, "  your %.*s has %" PRIu64 " bytes, WGSL's %" PRIu64 "\n",
            TEXT_ARGS(place->name), host->size_bytes, place->size_bytes);
    }
}

static void compare_size(struct comparison *c) {
    const struct type *type = type_get(c->types, c->type);
    bool is_same = type->traits & TYPE_TRAIT_RUNTIME_ARRAY
        ? c->host.size_bytes >= type_minimum_binding_size(c->types, c->type)
        : c->host.size_bytes == type->size_bytes;
    c->has_difference = c->has_difference || !is_same;
    if (c->json != NULL) {
        json_number(c->json, "hostTotal", c->host.size_bytes);
        return;
    }
    text_buffer_print(c->out, "%s whole            WGSL %" PRIu64 " bytes, host %" PRIu64 "\n",
        is_same ? "  " : "->", type_minimum_binding_size(c->types, c->type), c->host.size_bytes);
    if (!is_same && c->host.size_bytes < type->size_bytes) {
        text_buffer_print(c->out,
            "  a buffer of %" PRIu64 " bytes is too small to bind: minBindingSize is %" PRIu64 "\n",
            c->host.size_bytes, type_minimum_binding_size(c->types, c->type));
    } else if (!is_same) {
        text_buffer_print(c->out,
            "  in an array of them, element 1 is read at %" PRIu64 " and yours is at %" PRIu64 "\n",
            type->size_bytes, c->host.size_bytes);
    }
}

static bool report_unknown(
    const struct comparison *c, uint32_t number, struct text_buffer *out_error) {
    const struct type *type = type_get(c->types, c->type);
    struct text name = c->host.members[number].name;
    if (name.length == 0) {
        text_buffer_print(out_error, "the list has more members than ");
        layout_print_name(out_error, c->types, c->type);
        return false;
    }
    layout_print_name(out_error, c->types, c->type);
    text_buffer_print(out_error, " has no member '%.*s'; it has", TEXT_ARGS(name));
    for (uint32_t i = 0; i < type->member_count && i < 16; i++) {
        text_buffer_print(
            out_error, "%s %.*s", i == 0 ? "" : ",", TEXT_ARGS(type->members[i].name));
    }
    text_buffer_append_string(out_error, type->member_count > 16 ? ", ..." : "");
    return false;
}

static bool compare_all(struct comparison *c, struct text_buffer *out_error) {
    if (c->json != NULL) {
        json_begin_array(c->json, "members");
    } else {
        layout_print_name(c->out, c->types, c->type);
        text_buffer_append_string(c->out, " in WGSL and on the host\n");
    }
    bool ok = true;
    for (uint32_t i = 0; i < c->host.member_count && ok; i++) {
        struct place place;
        ok = get_place(c, i, &place) || report_unknown(c, i, out_error);
        if (ok) {
            compare_member(c, &place, &c->host.members[i]);
        }
    }
    if (c->json != NULL) {
        json_end_array(c->json);
    }
    return ok;
}

enum layout_diff layout_compare(const struct type_table *types, type_id type,
    struct text specification, struct arena *arena, struct text_buffer *out, struct json *out_json,
    struct text_buffer *out_error) {
    struct comparison c = {.types = types, .type = type, .out = out, .json = out_json};
    if (!host_layout_parse(specification, arena, &c.host, out_error) ||
        !compare_all(&c, out_error)) {
        return LAYOUT_DIFF_ERROR;
    }
    if (c.host.has_size) {
        compare_size(&c);
    }
    if (out_json != NULL) {
        json_bool(out_json, "same", !c.has_difference);
    } else {
        text_buffer_append_string(out,
            c.has_difference ? "they differ\n" : "they agree on everything that the list names\n");
    }
    return c.has_difference ? LAYOUT_DIFF_DIFFERENT : LAYOUT_DIFF_SAME;
}
