// SPDX-License-Identifier: MIT
//
// Diagnostics as text for people (place, excerpt, carets, notes, fixes) and as JSON for programs.
// Excerpts are windows: a line of megabytes prints as one line of the asked width.

#include <stdio.h>

#include "shader/wgsl/diagnostic.h"
#include "shader/wgsl/unicode.h"

#define DEFAULT_WIDTH 100u
#define MINIMUM_WIDTH 20u
#define TAB_COLUMNS 4u

static const char *severity_colour(enum diagnostic_severity severity) {
    switch (severity) {
    case DIAGNOSTIC_ERROR:
        return "\x1b[1;31m";
    case DIAGNOSTIC_WARNING:
        return "\x1b[1;33m";
    case DIAGNOSTIC_INFO:
    case DIAGNOSTIC_OFF:
        break;
    }
    return "\x1b[1;36m";
}

static void append_coloured(
    struct text_buffer *out, struct diagnostic_style style, const char *colour, const char *words) {
    if (style.use_colour) {
        text_buffer_append_string(out, colour);
    }
    text_buffer_append_string(out, words);
    if (style.use_colour) {
        text_buffer_append_string(out, "\x1b[0m");
    }
}

static void append_place(
    struct text_buffer *out, const struct source *source, struct source_location at) {
    if (source->name.length) {
        text_buffer_append(out, source->name);
        text_buffer_append_char(out, ':');
    }
    text_buffer_print(out, "%u:%u: ", (unsigned)at.line, (unsigned)at.column);
}

// The size of the character at text[0]; stray bytes are characters of size 1.
static uint32_t character_size(const char *text, size_t length, uint32_t *out_code_point) {
    uint32_t size = unicode_decode(text, length, out_code_point);
    if (size == 0) {
        *out_code_point = 0xFFFD;
        return 1;
    }
    return size;
}

static bool is_unprintable(uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
        (code_point >= 0x200B && code_point <= 0x200F) ||
        (code_point >= 0x2028 && code_point <= 0x202E) ||
        (code_point >= 0x2060 && code_point <= 0x206F) || code_point == 0xFEFF;
}

// Appends a line's characters, controls made visible; returns the columns used.
static uint32_t append_character(
    struct text_buffer *out, const char *text, uint32_t size, uint32_t code_point) {
    if (code_point == '\t') {
        text_buffer_append_string(out, "    ");
        return TAB_COLUMNS;
    }
    if (is_unprintable(code_point) || code_point == 0xFFFD) {
        text_buffer_append_string(out, "\xEF\xBF\xBD");
        return 1;
    }
    text_buffer_append(out, (struct text){text, size});
    return 1;
}

// Steps back over whole characters from `offset`, at most `count`, not before `floor`.
static uint32_t step_back(
    const struct source *source, uint32_t offset, uint32_t count, uint32_t floor) {
    const char *data = source->text.data;
    while (count > 0 && offset > floor) {
        uint32_t to = offset - 1;
        while (to > floor && offset - to < 4 && ((unsigned char)data[to] & 0xC0) == 0x80) {
            to--;
        }
        uint32_t code_point;
        if (unicode_decode(data + to, source->text.length - to, &code_point) != offset - to) {
            to = offset - 1;
        }
        offset = to;
        count--;
    }
    return offset;
}

static void append_excerpt(struct text_buffer *out, const struct source *source,
    struct source_span span, struct diagnostic_style style, const char *colour) {
    struct source_location at = source_locate(source, span.begin);
    struct text line = source_get_line(source, at.line_begin);
    uint32_t line_end = at.line_begin + (uint32_t)line.length;
    uint32_t width = style.width ? style.width : DEFAULT_WIDTH;
    width = width < MINIMUM_WIDTH ? MINIMUM_WIDTH : width;
    uint32_t mark_begin = at.offset < line_end ? at.offset : line_end;
    // Start early enough to show what stands before the mark.
    uint32_t begin = at.line_begin;
    bool is_cut_left = at.column > width * 2 / 3;
    if (is_cut_left) {
        begin = step_back(source, mark_begin, width / 3, at.line_begin);
    }
    char number[16];
    int number_width = snprintf(number, sizeof number, "%u", (unsigned)at.line);
    text_buffer_print(out, " %s | %s", number, is_cut_left ? "..." : "");
    struct text_buffer marks = {0};
    uint32_t columns = 0, mark_column = 0, mark_width = 0;
    uint32_t offset = begin;
    while (offset < line_end && columns < width) {
        uint32_t code_point = 0;
        uint32_t size = character_size(source->text.data + offset, line_end - offset, &code_point);
        uint32_t used = append_character(out, source->text.data + offset, size, code_point);
        if (offset + size <= mark_begin) {
            mark_column += used;
        } else if (offset < span.end || offset == mark_begin) {
            mark_width += used;
        }
        columns += used;
        offset += size;
    }
    text_buffer_append_string(out, offset < line_end ? "...\n" : "\n");
    text_buffer_print(
        out, " %*s | %s%*s", number_width, "", is_cut_left ? "   " : "", (int)mark_column, "");
    text_buffer_append_char(&marks, '^');
    for (uint32_t i = 1; i < mark_width; i++) {
        text_buffer_append_char(&marks, '~');
    }
    out->has_failed |= marks.has_failed;
    append_coloured(out, style, colour, marks.data ? marks.data : "^");
    text_buffer_append_char(out, '\n');
    text_buffer_finish(&marks);
}

void diagnostic_print_fix(
    struct text_buffer *out, const struct source *source, const struct diagnostic_fix *fix) {
    if (source_get_text(source, fix->span).length == 0) {
        // A line of its own is shown without its line break.
        struct text shown = fix->replacement;
        if (shown.length > 0 && shown.data[shown.length - 1] == '\n') {
            shown.length--;
        }
        text_buffer_print(out, "insert '%.*s'", TEXT_ARGS(shown));
    } else if (fix->replacement.length == 0) {
        text_buffer_append_string(out, "remove this");
    } else {
        text_buffer_print(out, "write '%.*s'", TEXT_ARGS(fix->replacement));
    }
}

void diagnostic_print(struct text_buffer *out, const struct source *source,
    const struct diagnostic *diagnostic, struct diagnostic_style style) {
    const char *colour = severity_colour(diagnostic->severity);
    append_place(out, source, source_locate(source, diagnostic->span.begin));
    append_coloured(out, style, colour, diagnostic_severity_name(diagnostic->severity));
    text_buffer_append_string(out, ": ");
    text_buffer_append(out, diagnostic->message);
    const char *section = diagnostic_code_section(diagnostic->code);
    text_buffer_print(out, section[0] ? " [%s, WGSL §%s]\n" : " [%s]\n",
        diagnostic_code_id(diagnostic->code), section);
    append_excerpt(out, source, diagnostic->span, style, colour);
    for (const struct diagnostic_note *note = diagnostic->first_note; note; note = note->next) {
        if (note->has_span) {
            append_place(out, source, source_locate(source, note->span.begin));
        } else {
            text_buffer_append_string(out, "  ");
        }
        append_coloured(out, style, "\x1b[1;36m", "note");
        text_buffer_append_string(out, ": ");
        text_buffer_append(out, note->message);
        text_buffer_append_char(out, '\n');
        if (note->has_span) {
            append_excerpt(out, source, note->span, style, "\x1b[1;36m");
        }
    }
    for (const struct diagnostic_fix *fix = diagnostic->first_fix; fix; fix = fix->next) {
        text_buffer_append_string(out, "  ");
        append_coloured(out, style, "\x1b[1;32m", "fix");
        text_buffer_append_string(out, ": ");
        diagnostic_print_fix(out, source, fix);
        struct source_location at = source_locate(source, fix->span.begin);
        text_buffer_print(out, " at %u:%u\n", (unsigned)at.line, (unsigned)at.column);
    }
}

void diagnostic_list_print(struct text_buffer *out, const struct source *source,
    const struct diagnostic_list *list, struct diagnostic_style style) {
    for (uint32_t i = 0; i < list->count; i++) {
        diagnostic_print(out, source, list->items[i], style);
    }
    if (list->is_out_of_memory) {
        text_buffer_append_string(out, "error: out of memory while compiling\n");
    }
    if (list->suppressed_count) {
        text_buffer_print(
            out, "too many errors: %u more are not shown\n", (unsigned)list->suppressed_count);
    }
    if (list->error_count || list->warning_count) {
        text_buffer_print(out, "%u error%s and %u warning%s\n", (unsigned)list->error_count,
            list->error_count == 1 ? "" : "s", (unsigned)list->warning_count,
            list->warning_count == 1 ? "" : "s");
    }
}

static void append_json_span(
    struct text_buffer *out, const struct source *source, struct source_span span) {
    struct source_location begin = source_locate(source, span.begin);
    struct source_location end = source_locate(source, span.end);
    text_buffer_print(out,
        "\"line\":%u,\"column\":%u,\"endLine\":%u,\"endColumn\":%u,"
        "\"offset\":%u,\"length\":%u",
        (unsigned)begin.line, (unsigned)begin.column_utf16, (unsigned)end.line,
        (unsigned)end.column_utf16, (unsigned)begin.offset, (unsigned)(end.offset - begin.offset));
}

static void append_json(
    struct text_buffer *out, const struct source *source, const struct diagnostic *diagnostic) {
    text_buffer_print(out, "{\"severity\":\"%s\",\"code\":\"%s\",\"section\":\"%s\",\"rule\":",
        diagnostic_severity_name(diagnostic->severity), diagnostic_code_id(diagnostic->code),
        diagnostic_code_section(diagnostic->code));
    text_buffer_append_json(out, text_from_string(diagnostic_code_summary(diagnostic->code)));
    text_buffer_append_string(out, ",\"message\":");
    text_buffer_append_json(out, diagnostic->message);
    text_buffer_append_char(out, ',');
    append_json_span(out, source, diagnostic->span);
    text_buffer_append_string(out, ",\"notes\":[");
    for (const struct diagnostic_note *note = diagnostic->first_note; note; note = note->next) {
        text_buffer_append_string(out, "{\"message\":");
        text_buffer_append_json(out, note->message);
        if (note->has_span) {
            text_buffer_append_char(out, ',');
            append_json_span(out, source, note->span);
        }
        text_buffer_append_string(out, note->next ? "}," : "}");
    }
    text_buffer_append_string(out, "],\"fixes\":[");
    for (const struct diagnostic_fix *fix = diagnostic->first_fix; fix; fix = fix->next) {
        text_buffer_append_string(out, "{\"replacement\":");
        text_buffer_append_json(out, fix->replacement);
        text_buffer_append_char(out, ',');
        append_json_span(out, source, fix->span);
        text_buffer_append_string(out, fix->next ? "}," : "}");
    }
    text_buffer_append_string(out, "]}");
}

void diagnostic_list_print_json(
    struct text_buffer *out, const struct source *source, const struct diagnostic_list *list) {
    text_buffer_append_char(out, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0) {
            text_buffer_append_char(out, ',');
        }
        append_json(out, source, list->items[i]);
    }
    text_buffer_append_char(out, ']');
}
