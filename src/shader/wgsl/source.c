// SPDX-License-Identifier: MIT
//
// Lines and columns of a source text. One pass at the start records, every 4 KiB, how far the
// lines and columns have come; a lookup then reads at most 4 KiB, however long the lines are.

#include "shader/wgsl/source.h"

#include "shader/wgsl/unicode.h"

#define CHECKPOINT_BYTES 4096u

struct source_checkpoint {
    uint32_t line;
    uint32_t line_begin;
    uint32_t column;       // code points since line_begin
    uint32_t column_utf16; // UTF-16 code units since line_begin
    uint32_t offset_utf16; // UTF-16 code units since the beginning
    uint32_t offset;       // of the first character at or after the 4 KiB border
};

struct source_span source_span_join(struct source_span a, struct source_span b) {
    return (struct source_span){
        .begin = a.begin < b.begin ? a.begin : b.begin,
        .end = a.end > b.end ? a.end : b.end,
    };
}

struct text source_get_text(const struct source *source, struct source_span span) {
    size_t length = source->text.length;
    size_t begin = span.begin < length ? span.begin : length;
    size_t end = span.end < length ? span.end : length;
    return (struct text){source->text.data + begin, end > begin ? end - begin : 0};
}

// Moves past one character: a code point, a stray byte, or CR LF together.
static void advance(const struct text *text, struct source_checkpoint *at) {
    const char *data = text->data + at->offset;
    size_t left = text->length - at->offset;
    uint32_t code_point = 0xFFFD;
    uint32_t size = unicode_decode(data, left, &code_point);
    if (size == 0) {
        size = 1;
        code_point = 0xFFFD;
    }
    bool is_break = false;
    if (code_point == '\r' && left > 1 && data[1] == '\n') {
        size = 2;
        is_break = true;
        at->offset_utf16++;
    } else {
        is_break = (code_point >= '\n' && code_point <= '\r') || code_point == 0x85 ||
            code_point == 0x2028 || code_point == 0x2029;
    }
    uint32_t units = code_point > 0xFFFF ? 2 : 1;
    at->offset += size;
    at->offset_utf16 += units;
    if (is_break) {
        at->line++;
        at->line_begin = at->offset;
        at->column = 0;
        at->column_utf16 = 0;
    } else {
        at->column++;
        at->column_utf16 += units;
    }
}

bool source_init(struct source *source, struct text text, struct text name, struct arena *arena) {
    *source = (struct source){.text = text, .name = name};
    if (text.length > WGSL_SOURCE_LIMIT_BYTES) {
        source->text.length = WGSL_SOURCE_LIMIT_BYTES;
    }
    uint32_t count = (uint32_t)(source->text.length / CHECKPOINT_BYTES) + 1;
    struct source_checkpoint *checkpoints = ARENA_ARRAY(arena, struct source_checkpoint, count);
    if (!checkpoints) {
        return false;
    }
    struct source_checkpoint at = {.line = 1};
    for (uint32_t i = 1; i < count; i++) {
        checkpoints[i - 1] = at;
        while (at.offset < i * CHECKPOINT_BYTES) {
            advance(&source->text, &at);
        }
    }
    checkpoints[count - 1] = at;
    source->checkpoints = checkpoints;
    source->checkpoint_count = count;
    return true;
}

struct source_location source_locate(const struct source *source, uint32_t offset) {
    if (offset > source->text.length) {
        offset = (uint32_t)source->text.length;
    }
    struct source_checkpoint at = {.line = 1};
    uint32_t index = offset / CHECKPOINT_BYTES;
    if (source->checkpoints && index < source->checkpoint_count) {
        // A character may straddle the border.
        at = source->checkpoints[index];
        if (at.offset > offset && index > 0) {
            at = source->checkpoints[index - 1];
        }
    }
    while (at.offset < offset) {
        struct source_checkpoint next = at;
        advance(&source->text, &next);
        if (next.offset > offset) {
            break; // inside a character: its beginning
        }
        at = next;
    }
    return (struct source_location){
        .offset = offset,
        .line = at.line,
        .column = at.column + 1,
        .column_utf16 = at.column_utf16 + 1,
        .column_bytes = offset - at.line_begin + 1,
        .line_begin = at.line_begin,
        .offset_utf16 = at.offset_utf16,
    };
}

struct text source_get_line(const struct source *source, uint32_t line_begin) {
    struct source_checkpoint at = {.line = 1, .line_begin = line_begin, .offset = line_begin};
    uint32_t end = line_begin;
    while (at.offset < source->text.length) {
        advance(&source->text, &at);
        if (at.line != 1) {
            break;
        }
        end = at.offset;
    }
    return (struct text){source->text.data + line_begin, end - line_begin};
}
