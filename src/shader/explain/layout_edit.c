// SPDX-License-Identifier: MIT
//
// The edit that makes a type legal under the classic uniform rules: @align(16) where a member begins
// at a wrong place or too close behind a structure, vec4 instead of small elements of an array, a
// wrapper of @size(16) for the others. See layout.h.
#include "shader/explain/layout.h"

#include <inttypes.h>

#include "base/try.h"

// What a type becomes; worked out once for each.
struct edited {
    bool is_known;
    bool is_changed;
    bool is_reached;
    bool is_element; // of an array that the type at hand holds
    uint32_t align_bytes;
    uint64_t size_bytes;
    struct text text; // the type as it is to be written
};

struct editor {
    const struct layout_types *layout;
    struct arena *arena;
    struct edited *types; // by type index
    bool (*is_taken)(void *context, struct text name);
    void *context;
    struct text_buffer *declarations;
    struct text wrapper_of[4]; // names of wrappers made so far, by the text of their element
    struct text wrapper_name[4];
    uint32_t wrapper_count;
    uint32_t name_number;
    bool has_failed;
};

static uint64_t round_up(uint64_t alignment, uint64_t value) {
    return alignment == 0 ? value : (value + alignment - 1) / alignment * alignment;
}

static struct text keep(struct editor *e, struct text_buffer *buffer) {
    struct text slice = text_buffer_get(buffer);
    char *copy = text_copy(e->arena, slice);
    e->has_failed = e->has_failed || buffer->has_failed || copy == NULL;
    slice.data = copy == NULL ? "" : copy;
    slice.length = copy == NULL ? 0 : slice.length;
    text_buffer_finish(buffer);
    return slice;
}

static struct text print_type(struct editor *e, type_id id) {
    struct text_buffer buffer = {0};
    type_print(&buffer, e->layout->types, id);
    return keep(e, &buffer);
}

// A name that the module does not use yet.
static struct text new_name(struct editor *e) {
    struct text name = {"", 0};
    do {
        struct text_buffer buffer = {0};
        text_buffer_print(&buffer, "Padded%" PRIu32, e->name_number == 0 ? 16 : e->name_number);
        e->name_number = e->name_number == 0 ? 2 : e->name_number + 1;
        name = keep(e, &buffer);
    } while (!e->has_failed && e->is_taken != NULL && e->is_taken(e->context, name));
    return name;
}

// The structure that pads an element to `size` bytes; one serves all arrays of the same element.
static struct text wrap(struct editor *e, struct text element, uint64_t size) {
    for (uint32_t i = 0; i < e->wrapper_count; i++) {
        if (text_equals(e->wrapper_of[i], element)) {
            return e->wrapper_name[i];
        }
    }
    struct text name = new_name(e);
    text_buffer_print(e->declarations,
        "struct %.*s {\n    @size(%" PRIu64 ") value: %.*s, // a[i] becomes a[i].value\n}\n",
        TEXT_ARGS(name), size, TEXT_ARGS(element));
    if (e->wrapper_count < 4) {
        e->wrapper_of[e->wrapper_count] = element;
        e->wrapper_name[e->wrapper_count++] = name;
    }
    return name;
}

static void edit_array(struct editor *e, const struct type *type, struct edited *out) {
    const struct type_table *types = e->layout->types;
    const struct edited *element = &e->types[type->element.index];
    const struct type *inner = type_get(types, type->element);
    uint64_t stride = round_up(element->align_bytes, element->size_bytes);
    uint64_t count = type->count;
    struct text text = element->text;
    out->align_bytes = element->align_bytes;
    uint32_t parts = inner->kind == TYPE_VECTOR ? inner->count : 1;
    type_id scalar = type_element_of(types, type->element);
    bool is_word = scalar.index == TYPE_F32 || scalar.index == TYPE_I32 || scalar.index == TYPE_U32;
    if (stride % 16 != 0) {
        out->is_changed = true;
        if (is_word && parts <= 2 &&
            (inner->kind == TYPE_VECTOR || type_is_scalar(types, type->element))) {
            struct text_buffer buffer = {0};
            text_buffer_append_string(&buffer, "vec4<");
            type_print(&buffer, types, scalar);
            text_buffer_append_char(&buffer, '>');
            text = keep(e, &buffer);
            count = (count * parts + 3) / 4;
            stride = 16;
            out->align_bytes = 16;
        } else {
            stride = round_up(16, stride);
            text = wrap(e, element->text, stride);
        }
    }
    out->is_changed = out->is_changed || element->is_changed;
    out->size_bytes = stride * count;
    struct text_buffer buffer = {0};
    text_buffer_print(&buffer, "array<%.*s, %" PRIu64 ">", TEXT_ARGS(text), count);
    out->text = keep(e, &buffer);
}

// One member as it is to be written, at that alignment and size.
static void print_member(struct editor *e, const struct type_member *member,
    const struct edited *inner, uint32_t align, uint64_t size, struct text_buffer *out) {
    const struct type *before = type_get(e->layout->types, member->type);
    text_buffer_append_string(out, "    ");
    if (align != inner->align_bytes) {
        text_buffer_print(out, "@align(%" PRIu32 ") ", align);
    }
    if (size != inner->size_bytes) {
        text_buffer_print(out, "@size(%" PRIu64 ") ", size);
    }
    text_buffer_print(out, "%.*s: %.*s,", TEXT_ARGS(member->name), TEXT_ARGS(inner->text));
    const struct type *element = before->kind == TYPE_ARRAY
        ? type_get(e->layout->types, before->element)
        : NULL;
    if (element != NULL && before->stride_bytes < 16 &&
        text_starts_with(inner->text, "array<vec4<")) {
        if (element->kind == TYPE_VECTOR) {
            text_buffer_print(out, " // %.*s[i].x becomes %.*s[i / 2][i %% 2 * 2], .y the next",
                TEXT_ARGS(member->name), TEXT_ARGS(member->name));
        } else if (element->kind != TYPE_ARRAY) {
            text_buffer_print(out, " // %.*s[i] becomes %.*s[i / 4][i %% 4]",
                TEXT_ARGS(member->name), TEXT_ARGS(member->name));
        }
    }
    text_buffer_append_char(out, '\n');
}

// The attribute that a member needs to lie where the rules want it.
static uint32_t find_alignment(const struct edited *inner, enum type_kind kind, uint32_t align,
    uint64_t offset, bool is_too_close) {
    uint32_t required = kind == TYPE_ARRAY || kind == TYPE_STRUCT
        ? (uint32_t)round_up(16, inner->align_bytes)
        : inner->align_bytes;
    if (offset % required == 0 && !is_too_close) {
        return 0;
    }
    required = required > 16 ? required : 16;
    return align > required ? align : required;
}

// Lays the members out; first_align, when not 0, is asked of the first one.
static void edit_members(struct editor *e, const struct type *type, uint32_t first_align,
    struct text_buffer *body, struct edited *out) {
    const struct type_table *types = e->layout->types;
    uint64_t end = 0, last_offset = 0;
    const struct edited *last = NULL; // the member before, when it is a structure
    out->align_bytes = 1;
    out->is_changed = first_align != 0;
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        const struct edited *inner = &e->types[member->type.index];
        const struct type *before = type_get(types, member->type);
        uint32_t align = member->align_bytes > before->align_bytes ? member->align_bytes : 0;
        align = align > inner->align_bytes ? align : inner->align_bytes;
        uint64_t offset = round_up(align, end);
        bool is_too_close = last != NULL && offset - last_offset < round_up(16, last->size_bytes);
        uint32_t needed = i == 0 && first_align > align
            ? first_align
            : find_alignment(inner, before->kind, align, offset, is_too_close);
        if (needed != 0) {
            align = needed;
            offset = round_up(align, end);
            out->is_changed = true;
        }
        uint64_t size = inner->size_bytes;
        if (member->size_bytes > before->size_bytes && member->size_bytes > size) {
            size = member->size_bytes;
        }
        print_member(e, member, inner, align, size, body);
        out->is_changed = out->is_changed || inner->is_changed;
        out->align_bytes = align > out->align_bytes ? align : out->align_bytes;
        last = before->kind == TYPE_STRUCT ? inner : NULL;
        last_offset = offset;
        end = offset + size;
    }
    out->size_bytes = round_up(out->align_bytes, end);
}

// A structure that is the element of an array fills a multiple of 16 bytes.
static void edit_struct(struct editor *e, const struct type *type, struct edited *out) {
    for (int round = 0; round < 2; round++) {
        struct text_buffer body = {0};
        text_buffer_print(&body, "struct %.*s {\n", TEXT_ARGS(type->name));
        edit_members(e, type, round == 0 ? 0 : 16, &body, out);
        text_buffer_append_string(&body, "}\n");
        bool is_done = round == 1 || !out->is_element || out->size_bytes % 16 == 0;
        if (is_done && out->is_changed) {
            text_buffer_append(e->declarations, text_buffer_get(&body));
        }
        e->has_failed = e->has_failed || body.has_failed;
        text_buffer_finish(&body);
        if (is_done) {
            break;
        }
    }
    out->text = type->name;
}

// Types nest at most 15 deep. Parts first, so that declarations come in the order of use.
static void edit_type(struct editor *e, type_id id) {
    const struct type *type = type_get(e->layout->types, id);
    struct edited *out = &e->types[id.index];
    if (out->is_known) {
        return;
    }
    out->is_known = true;
    if (type->kind == TYPE_ARRAY) {
        edit_type(e, type->element);
        edit_array(e, type, out);
    } else if (type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->member_count; i++) {
            edit_type(e, type->members[i].type);
        }
        edit_struct(e, type, out);
    } else {
        out->align_bytes = type->align_bytes;
        out->size_bytes = type->size_bytes;
        out->text = print_type(e, id);
    }
}

// Marks the structures that are elements of arrays anywhere in the type. Parts have smaller indices.
static void mark_elements(struct editor *e, type_id id) {
    struct edited *marks = e->types;
    marks[id.index].is_reached = true;
    for (uint32_t i = id.index; i > 0; i--) {
        const struct type *type = type_get(e->layout->types, (type_id){i});
        if (!marks[i].is_reached) {
            continue;
        }
        if (type->kind == TYPE_ARRAY) {
            marks[type->element.index].is_reached = true;
            marks[type->element.index].is_element = true;
        }
        for (uint32_t k = 0; type->kind == TYPE_STRUCT && k < type->member_count; k++) {
            marks[type->members[k].type.index].is_reached = true;
        }
    }
}

bool layout_find_edit(const struct layout_types *layout, type_id type, struct arena *arena,
    bool (*is_taken)(void *context, struct text name), void *context,
    struct layout_edit *out_edit) {
    const struct type *shape = type_get(layout->types, type);
    *out_edit = (struct layout_edit){0};
    TRY((shape->traits & TYPE_TRAIT_HOST_SHAREABLE) != 0 &&
        (shape->traits &
            (TYPE_TRAIT_RUNTIME_ARRAY | TYPE_TRAIT_ATOMIC | TYPE_TRAIT_OVERRIDE_ARRAY)) == 0 &&
        shape->kind != TYPE_BUFFER);
    struct editor e = {.layout = layout,
        .arena = arena,
        .is_taken = is_taken,
        .context = context,
        .declarations = &out_edit->declarations};
    e.types = ARENA_ARRAY(arena, struct edited, layout->types->types.count);
    TRY(e.types != NULL);
    mark_elements(&e, type);
    edit_type(&e, type);
    out_edit->size_bytes = e.types[type.index].size_bytes;
    text_buffer_append(&out_edit->type, e.types[type.index].text);
    if (e.has_failed || out_edit->declarations.has_failed || out_edit->type.has_failed ||
        !e.types[type.index].is_changed || out_edit->size_bytes > UINT32_MAX) {
        layout_edit_finish(out_edit);
        return false;
    }
    return true;
}

void layout_edit_finish(struct layout_edit *edit) {
    text_buffer_finish(&edit->declarations);
    text_buffer_finish(&edit->type);
}

static void advise_stride(struct text_buffer *out, const struct type_table *types,
    const struct layout_issue *issue, struct text member) {
    const struct type *array = type_get(types, issue->array);
    const struct type *element = type_get(types, array->element);
    type_id scalar = type_element_of(types, array->element);
    uint32_t parts = element->kind == TYPE_VECTOR ? element->count : 1;
    uint64_t padded = (array->stride_bytes + 15u) / 16u * 16u;
    bool is_small = (type_is_scalar(types, array->element) || element->kind == TYPE_VECTOR) &&
        scalar.index != TYPE_F16 && parts <= 2;
    if (is_small) {
        uint64_t count = ((uint64_t)array->count * parts + 3) / 4;
        text_buffer_append_string(out, "array<vec4<");
        type_print(out, types, scalar);
        text_buffer_print(
            out, ">, %" PRIu64 "> holds the same numbers in %" PRIu64 " bytes", count, count * 16);
        if (parts == 1) {
            text_buffer_print(out, " (%.*s[i] becomes %.*s[i / 4][i %% 4])", TEXT_ARGS(member),
                TEXT_ARGS(member));
        }
        text_buffer_append_string(out, "; or ");
    }
    text_buffer_append_string(out, "elements of a structure { @size(");
    text_buffer_print(out, "%" PRIu64 ") value: ", padded);
    type_print(out, types, array->element);
    text_buffer_print(out, " }, %" PRIu64 " bytes", padded * array->count);
}

void layout_print_advice(struct text_buffer *out, const struct type_table *types,
    const struct layout_issue *issue, struct text member) {
    switch (issue->rule) {
    case LAYOUT_RULE_OFFSET:
    case LAYOUT_RULE_GAP:
        text_buffer_print(out, "@align(16) %.*s", TEXT_ARGS(member));
        break;
    case LAYOUT_RULE_STRIDE:
        advise_stride(out, types, issue, member);
        break;
    case LAYOUT_RULE_NESTED:
        text_buffer_append_string(out, "edit ");
        layout_print_name(out, types, issue->array);
        break;
    case LAYOUT_RULE_RUNTIME:
        text_buffer_append_string(out, "give the array a count, or use var<storage>");
        break;
    case LAYOUT_RULE_ATOMIC:
        text_buffer_append_string(out, "use var<storage, read_write>");
        break;
    case LAYOUT_RULE_NONE:
        break;
    }
}
