// SPDX-License-Identifier: MIT
//
// Reads a host's layout. Grammar (no spaces):
//
//   list    = item { "," item }
//   item    = "size=" BYTES | [ NAME ":" ] type [ "@" OFFSET ] | BYTES [ "@" OFFSET ]
//   type    = scalar [ "x" N [ "x" M ] ] [ "[" COUNT "]" [ "/" STRIDE ] ]
//   scalar  = f32 | i32 | u32 | f16 | f64 | u8 | i8 | u16 | i16 | u64 | i64 | bool
//
// f32x3 is three floats side by side, f32x3x3 three columns of three. Without an offset an item
// follows the one before it, aligned to its scalar as a C compiler aligns; a plain number of bytes
// follows directly.
#include "shader/explain/layout_diff.h"

#include <inttypes.h>

#include "base/try.h"

struct cursor {
    struct text rest;
};

static bool take(struct cursor *c, char wanted) {
    if (c->rest.length == 0 || c->rest.data[0] != wanted) {
        return false;
    }
    c->rest.data++;
    c->rest.length--;
    return true;
}

// Below 2^32, so that a stride times a count plus an offset stays in 64 bits.
static bool take_number(struct cursor *c, uint64_t *out_number) {
    uint64_t number = 0;
    size_t count = 0;
    while (count < c->rest.length && c->rest.data[count] >= '0' && c->rest.data[count] <= '9') {
        number = number * 10 + (uint64_t)(c->rest.data[count] - '0');
        count++;
        if (number > UINT32_MAX) {
            return false;
        }
    }
    c->rest.data += count;
    c->rest.length -= count;
    *out_number = number;
    return count != 0;
}

static uint32_t take_scalar(struct cursor *c) {
    static const struct {
        const char *word;
        uint32_t bytes;
    } rows[] = {{"f32", 4}, {"i32", 4}, {"u32", 4}, {"f16", 2}, {"f64", 8}, {"u16", 2}, {"i16", 2},
        {"u64", 8}, {"i64", 8}, {"u8", 1}, {"i8", 1}, {"bool", 1}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (text_starts_with(c->rest, rows[i].word)) {
            size_t length = text_from_string(rows[i].word).length;
            c->rest.data += length;
            c->rest.length -= length;
            return rows[i].bytes;
        }
    }
    return 0;
}

static bool parse_type(struct cursor *c, struct host_member *out, uint64_t *inout_end) {
    uint64_t columns = 1, rows = 1, count = 1, stride = 0, offset = 0;
    uint64_t bytes = 0;
    bool is_plain = take_number(c, &bytes);
    if (!is_plain) {
        bytes = take_scalar(c);
        TRY(bytes != 0);
        *inout_end = (*inout_end + bytes - 1) / bytes * bytes;
        if (take(c, 'x')) {
            TRY(take_number(c, &rows) && rows != 0 && rows <= 16);
        }
        if (take(c, 'x')) {
            columns = rows;
            TRY(take_number(c, &rows) && rows != 0 && rows <= 16);
        }
    }
    uint64_t element = bytes * rows * columns;
    out->stride_bytes = columns > 1 ? bytes * rows : 0;
    out->count = columns;
    out->size_bytes = element;
    if (!is_plain && take(c, '[')) {
        TRY(take_number(c, &count) && count != 0 && take(c, ']'));
        stride = element;
        if (take(c, '/')) {
            TRY(take_number(c, &stride) && stride >= element);
        }
        out->stride_bytes = stride;
        out->count = count;
        out->size_bytes = stride * count;
    }
    out->offset_bytes = *inout_end;
    if (take(c, '@')) {
        TRY(take_number(c, &offset));
        out->offset_bytes = offset;
    }
    *inout_end = out->offset_bytes + out->size_bytes;
    return out->size_bytes <= UINT32_MAX && *inout_end <= UINT32_MAX;
}

static bool parse_item(struct text item, struct host_layout *out, uint64_t *inout_end) {
    struct cursor c = {item};
    if (text_starts_with(item, "size=")) {
        c.rest = (struct text){item.data + 5, item.length - 5};
        out->has_size = true;
        return take_number(&c, &out->size_bytes) && c.rest.length == 0;
    }
    struct host_member *member = &out->members[out->member_count++];
    *member = (struct host_member){.name = {item.data, 0}};
    for (size_t i = 0; i < item.length; i++) {
        if (item.data[i] == ':') {
            member->name = (struct text){item.data, i};
            c.rest = (struct text){item.data + i + 1, item.length - i - 1};
            TRY(i != 0);
            break;
        }
    }
    member->word = c.rest;
    for (size_t i = 0; i < member->word.length; i++) {
        if (member->word.data[i] == '@') {
            member->word.length = i;
        }
    }
    return parse_type(&c, member, inout_end) && c.rest.length == 0;
}

bool host_layout_parse(struct text specification, struct arena *arena, struct host_layout *out,
    struct text_buffer *out_error) {
    size_t count = 1;
    uint64_t end = 0;
    for (size_t i = 0; i < specification.length; i++) {
        count += specification.data[i] == ',';
    }
    *out = (struct host_layout){.members = ARENA_ARRAY(arena, struct host_member, count)};
    if (out->members == NULL) {
        text_buffer_append_string(out_error, "out of memory");
        return false;
    }
    size_t begin = 0;
    for (size_t i = 0; i <= specification.length; i++) {
        if (i < specification.length && specification.data[i] != ',') {
            continue;
        }
        struct text item = {specification.data + begin, i - begin};
        if (!parse_item(item, out, &end)) {
            text_buffer_print(out_error,
                "'%.*s' is no member of a layout: write NAME:TYPE@OFFSET (radius:f32@16, "
                "center:f32x3, weights:f32[9]/16), a plain number of bytes, or size=BYTES",
                TEXT_ARGS(item));
            return false;
        }
        begin = i + 1;
    }
    return true;
}
