// SPDX-License-Identifier: MIT
//
// The listing of a type with its padding in place, in the form that WebGPU programmers meet in error
// messages: /* offset(16) align(16) size(12) */. See layout.h.
#include "shader/explain/layout.h"

#include <inttypes.h>
#include <string.h>

#include "base/try.h"
#include "base/vector.h"

enum { SECTOR_BYTES = 32, SHOWN_BOUNDARIES = 4, COLUMN_WIDTH = 11 };

// One line: what stands in the comment, the WGSL beside it, and what each column says of it.
struct line {
    struct text comment;
    struct text code;
    enum layout_rule rules[LAYOUT_COLUMN_COUNT];
    bool has_columns;
};

struct listing {
    const struct layout_types *layout;
    struct arena *arena;
    const struct layout_style *style;
    VECTOR(struct line) lines; // in the arena
    int offset_width;
    int align_width;
    int size_width;
    bool has_failed;
};

static int digits(uint64_t number) {
    int count = 1;
    for (; number >= 10; number /= 10) {
        count++;
    }
    return count;
}

static struct text keep(struct listing *l, struct text_buffer *buffer) {
    char *copy = text_copy(l->arena, text_buffer_get(buffer));
    struct text slice = {copy == NULL ? "" : copy, copy == NULL ? 0 : buffer->length};
    l->has_failed = l->has_failed || copy == NULL || buffer->has_failed;
    text_buffer_finish(buffer);
    return slice;
}

static struct line *add_line(struct listing *l, struct text comment, struct text code) {
    static struct line nowhere;
    if (!arena_vector_push(l->arena, &l->lines, (struct line){.comment = comment, .code = code})) {
        l->has_failed = true;
        return &nowhere;
    }
    return &l->lines.items[l->lines.count - 1];
}

// "offset( 4) align( 4) size(12) stride(4)"; a negative offset leaves room for one.
static struct text place_text(struct listing *l, int64_t offset, uint32_t align, uint64_t size,
    uint32_t stride, bool is_runtime) {
    struct text_buffer buffer = {0};
    if (offset >= 0) {
        text_buffer_print(&buffer, "offset(%*" PRId64 ") ", l->offset_width, offset);
    } else {
        text_buffer_print(&buffer, "%*s", l->offset_width + 9, "");
    }
    text_buffer_print(&buffer, "align(%*" PRIu32 ") ", l->align_width, align);
    if (is_runtime) {
        text_buffer_print(&buffer, "size(%*s)", l->size_width, "?");
    } else {
        text_buffer_print(&buffer, "size(%*" PRIu64 ")", l->size_width, size);
    }
    if (stride != 0) {
        text_buffer_print(&buffer, " stride(%" PRIu32 ")", stride);
    }
    return keep(l, &buffer);
}

static void add_padding(struct listing *l, uint64_t offset, uint64_t size, const char *what) {
    if (size != 0) {
        struct text_buffer code = {0};
        text_buffer_print(&code, "    // -- %s --", what);
        add_line(l, place_text(l, (int64_t)offset, 1, size, 0, false), keep(l, &code));
    }
}

// Sector boundaries at the beginning of a member, and inside it.
static void add_boundaries(struct listing *l, uint64_t begin, uint64_t end, bool is_before) {
    struct text_buffer comment = {0};
    if (is_before) {
        if (begin == 0 || begin % SECTOR_BYTES != 0) {
            return;
        }
        text_buffer_print(
            &comment, "-- sector %" PRIu64 ": byte %" PRIu64 " --", begin / SECTOR_BYTES, begin);
    } else {
        uint64_t first = begin / SECTOR_BYTES + 1;
        uint64_t last = end == 0 ? 0 : (end - 1) / SECTOR_BYTES;
        if (last < first) {
            return;
        }
        text_buffer_append_string(&comment, "-- crosses into another sector at byte");
        for (uint64_t i = first; i <= last && i < first + SHOWN_BOUNDARIES; i++) {
            text_buffer_print(&comment, "%s %" PRIu64, i == first ? "" : ",", i * SECTOR_BYTES);
        }
        if (last - first >= SHOWN_BOUNDARIES) {
            text_buffer_print(&comment, ", ... %" PRIu64 " times in all", last - first + 1);
        }
        text_buffer_append_string(&comment, " --");
    }
    add_line(l, keep(l, &comment), (struct text){"", 0});
}

static void set_columns(struct listing *l, struct line *line, type_id type, uint64_t offset,
    const struct type_member *before) {
    line->has_columns = true;
    for (int i = 0; i < LAYOUT_COLUMN_COUNT; i++) {
        line->rules[i] =
            layout_find_issue(l->layout, (enum layout_column)i, type, offset, before).rule;
    }
}

static void add_member(struct listing *l, const struct type *type, uint32_t number) {
    const struct type_table *types = l->layout->types;
    const struct type_member *member = &type->members[number];
    const struct type *inner = type_get(types, member->type);
    const struct type_member *before = number == 0 ? NULL : member - 1;
    uint64_t end = before == NULL ? 0 : (uint64_t)before->offset_bytes + before->size_bytes;
    add_padding(l, end, member->offset_bytes - end, "implicit member alignment padding");
    add_boundaries(l, member->offset_bytes, 0, true);
    struct text_buffer code = {0};
    text_buffer_append_string(&code, "    ");
    if (member->align_bytes != inner->align_bytes) {
        text_buffer_print(&code, "@align(%" PRIu32 ") ", member->align_bytes);
    }
    bool has_size = member->size_bytes != inner->size_bytes;
    if (has_size) {
        text_buffer_print(&code, "@size(%" PRIu32 ") ", member->size_bytes);
    }
    text_buffer_append(&code, member->name);
    text_buffer_append_string(&code, ": ");
    type_print(&code, types, member->type);
    text_buffer_append_char(&code, ',');
    bool is_runtime = inner->kind == TYPE_ARRAY && inner->array_size == ARRAY_RUNTIME;
    uint32_t stride = inner->kind == TYPE_ARRAY || inner->kind == TYPE_MATRIX ? inner->stride_bytes
                                                                              : 0;
    struct line *line = add_line(l,
        place_text(
            l, member->offset_bytes, member->align_bytes, member->size_bytes, stride, is_runtime),
        keep(l, &code));
    set_columns(l, line, member->type, member->offset_bytes, before);
    if (has_size) {
        struct text_buffer note = {0};
        text_buffer_print(&note, "    // -- of these, the last %" PRIu64 " are padding by @size --",
            member->size_bytes - inner->size_bytes);
        add_line(l, (struct text){"", 0}, keep(l, &note));
    }
    add_boundaries(
        l, member->offset_bytes, (uint64_t)member->offset_bytes + member->size_bytes, false);
}

static void add_struct(struct listing *l, const struct type *type, type_id id) {
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    struct text_buffer code = {0};
    text_buffer_print(&code, "struct %.*s {", TEXT_ARGS(type->name));
    struct line *head = add_line(
        l, place_text(l, -1, type->align_bytes, type->size_bytes, 0, is_runtime), keep(l, &code));
    set_columns(l, head, id, 0, NULL);
    for (uint32_t i = 0; i < type->member_count && !l->has_failed; i++) {
        add_member(l, type, i);
    }
    struct layout_padding padding = layout_measure_padding(l->layout->types, id);
    if (!is_runtime) {
        add_padding(l, type->size_bytes - padding.tail_bytes, padding.tail_bytes,
            "implicit struct size padding");
    }
    add_line(l, (struct text){"", 0}, TEXT_LITERAL("}"));
}

static void add_other(struct listing *l, const struct type *type, type_id id) {
    const struct type *element = type_get(l->layout->types, type->element);
    bool is_array = type->kind == TYPE_ARRAY;
    bool is_runtime = is_array && type->array_size == ARRAY_RUNTIME;
    struct text_buffer code = {0};
    type_print(&code, l->layout->types, id);
    struct line *line = add_line(l,
        place_text(l, -1, type->align_bytes, type->size_bytes,
            is_array || type->kind == TYPE_MATRIX ? type->stride_bytes : 0, is_runtime),
        keep(l, &code));
    set_columns(l, line, id, 0, NULL);
    if (is_array && element->size_bytes < type->stride_bytes) {
        struct text_buffer note = {0};
        text_buffer_print(&note,
            "// -- each element: %" PRIu64 " bytes, then %" PRIu64 " of padding --",
            element->size_bytes, type->stride_bytes - element->size_bytes);
        add_line(l, (struct text){"", 0}, keep(l, &note));
    }
}

static const char *column_word(enum layout_rule rule, bool is_head) {
    switch (rule) {
    case LAYOUT_RULE_NONE:
        return "ok";
    case LAYOUT_RULE_OFFSET:
        return "NO: offset";
    case LAYOUT_RULE_STRIDE:
        return "NO: stride";
    case LAYOUT_RULE_GAP:
        return "NO: gap";
    case LAYOUT_RULE_NESTED:
        return is_head ? "NO" : "NO: inside";
    case LAYOUT_RULE_RUNTIME:
        return "NO: size";
    case LAYOUT_RULE_ATOMIC:
        return "NO: atomic";
    }
    return "";
}

// Code points, so that names in other scripts line up as well as they can.
static size_t width_of(struct text text) {
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++) {
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    }
    return count;
}

static void print_padded(struct text_buffer *out, struct text text, size_t width) {
    text_buffer_append(out, text);
    for (size_t i = width_of(text); i < width; i++) {
        text_buffer_append_char(out, ' ');
    }
}

static void print_columns(
    struct text_buffer *out, const struct listing *l, const struct line *line) {
    static const char *const heads[] = {"storage", "uniform", "uniform*"};
    for (int i = 0; i < LAYOUT_COLUMN_COUNT; i++) {
        if ((l->style->columns >> i & 1) == 0) {
            continue;
        }
        const char *word = line == NULL ? heads[i]
                                        : column_word(line->rules[i], line == l->lines.items);
        bool is_coloured = l->style->use_colour && line != NULL &&
            line->rules[i] != LAYOUT_RULE_NONE;
        text_buffer_print(
            out, "  %s%s%s", is_coloured ? "\033[31m" : "", word, is_coloured ? "\033[0m" : "");
        for (size_t k = strlen(word); k < COLUMN_WIDTH - 1 && l->style->columns >> (i + 1) != 0;
             k++) {
            text_buffer_append_char(out, ' ');
        }
    }
}

static void print_lines(struct text_buffer *out, const struct listing *l) {
    size_t comment_width = 0, code_width = 0;
    for (size_t i = 0; i < l->lines.count; i++) {
        size_t comment = width_of(l->lines.items[i].comment),
               code = width_of(l->lines.items[i].code);
        // A boundary's line may stick out: it has nothing beside it.
        bool is_alone = l->lines.items[i].code.length == 0;
        comment_width = !is_alone && comment > comment_width ? comment : comment_width;
        bool counts = l->lines.items[i].has_columns && code < 60;
        code_width = counts && code > code_width ? code : code_width;
    }
    print_padded(out, (struct text){"", 0}, comment_width + 7 + code_width);
    print_columns(out, l, NULL);
    text_buffer_append_char(out, '\n');
    for (size_t i = 0; i < l->lines.count; i++) {
        const struct line *line = &l->lines.items[i];
        text_buffer_append_string(out, "/* ");
        print_padded(out, line->comment, comment_width);
        text_buffer_append_string(out, " */");
        if (line->code.length != 0) {
            text_buffer_append_char(out, ' ');
            print_padded(out, line->code, line->has_columns ? code_width : 0);
        }
        if (line->has_columns) {
            print_columns(out, l, line);
        }
        text_buffer_append_char(out, '\n');
    }
}

static void print_trailer(struct text_buffer *out, const struct listing *l, type_id id) {
    const struct type_table *types = l->layout->types;
    const struct type *type = type_get(types, id);
    bool is_runtime = (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) != 0;
    uint64_t minimum = type_minimum_binding_size(types, id);
    text_buffer_append_string(out, is_runtime ? "/* least binding " : "/* size: ");
    layout_print_bytes(out, minimum);
    text_buffer_print(
        out, ", sectors of 32 bytes: %" PRIu64, (minimum + SECTOR_BYTES - 1) / SECTOR_BYTES);
    if (type->kind == TYPE_STRUCT) {
        struct layout_padding padding = layout_measure_padding(types, id);
        text_buffer_print(out,
            ", members: %" PRIu32 " */\n/* sum of members: %" PRIu64 ", holes: %" PRIu32
            ", sum of holes: %" PRIu64,
            type->member_count, padding.member_bytes, padding.hole_count, padding.hole_bytes);
        if (!is_runtime) {
            text_buffer_print(out, ", padding at the end: %" PRIu64, padding.tail_bytes);
        }
    }
    text_buffer_append_string(out, " */\n");
}

static void measure_widths(struct listing *l, const struct type *type) {
    l->offset_width = 1;
    l->align_width = digits(type->align_bytes);
    l->size_width = digits(type->size_bytes);
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        int offset = digits((uint64_t)type->members[i].offset_bytes + type->members[i].size_bytes);
        int align = digits(type->members[i].align_bytes);
        l->offset_width = offset > l->offset_width ? offset : l->offset_width;
        l->align_width = align > l->align_width ? align : l->align_width;
    }
}

bool layout_print(struct text_buffer *out, const struct layout_types *layout, type_id id,
    struct arena *arena, const struct layout_style *style) {
    struct listing listing = {.layout = layout, .arena = arena, .style = style};
    const struct type *type = type_get(layout->types, id);
    measure_widths(&listing, type);
    if (type->kind == TYPE_STRUCT) {
        add_struct(&listing, type, id);
    } else {
        add_other(&listing, type, id);
    }
    TRY(!listing.has_failed);
    print_lines(out, &listing);
    print_trailer(out, &listing, id);
    return !out->has_failed;
}
