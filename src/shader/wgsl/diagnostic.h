// SPDX-License-Identifier: MIT
//
// What the WGSL compiler has to say to the shader's author: a bounded list of errors, warnings and
// notes with spans, filled by every stage of the front end and read by the command line and by the
// API's compilation info. A list belongs to one thread at a time.
//
//   struct diagnostic *d = diagnostic_error(list, DIAGNOSTIC_TYPE_MISMATCH, span, "…", …);
//   diagnostic_note(list, d, other_span, "declared here");
//   diagnostic_fix(list, d, span, "…");
//
// diagnostic_error and its kin may return NULL (list full, or out of memory); the note and fix
// functions accept that NULL, so that callers never check.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shader/wgsl/source.h"

enum diagnostic_severity {
    DIAGNOSTIC_OFF, // never in a list; for filters
    DIAGNOSTIC_INFO,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_ERROR,
};

// One row each in diagnostic.def. The text id is stable: programs may match on it.
enum diagnostic_code {
#define DIAGNOSTIC(name, id, section, summary) DIAGNOSTIC_##name,
#include "shader/wgsl/diagnostic.def"
    DIAGNOSTIC_CODE_COUNT
};

struct diagnostic_note {
    struct diagnostic_note *next;
    bool has_span; // a note without a place explains the message
    struct source_span span;
    struct text message;
};

// Replace `span` by `replacement` to mend the program.
struct diagnostic_fix {
    struct diagnostic_fix *next;
    struct source_span span;
    struct text replacement;
};

struct diagnostic {
    enum diagnostic_severity severity;
    enum diagnostic_code code;
    struct source_span span;
    struct text message; // one line, no final full stop
    struct diagnostic_note *first_note;
    struct diagnostic_note *last_note;
    struct diagnostic_fix *first_fix;
    struct diagnostic_fix *last_fix;
};

#define DIAGNOSTIC_LIMIT_DEFAULT 100u

struct diagnostic_list {
    struct arena *arena; // owns the messages
    struct diagnostic **items;
    uint32_t count;
    uint32_t capacity;
    uint32_t limit;            // after this many, only counted
    uint32_t error_count;      // all errors, kept or not
    uint32_t warning_count;    // all warnings, kept or not
    uint32_t suppressed_count; // beyond the limit
    bool is_out_of_memory;     // something could not be recorded; it also counts as an error
};

// limit 0 means DIAGNOSTIC_LIMIT_DEFAULT. The arena must outlive the list.
void diagnostic_list_init(struct diagnostic_list *list, struct arena *arena, uint32_t limit);
bool diagnostic_list_has_errors(const struct diagnostic_list *list);
// True once nothing more will be kept: long loops may stop early.
bool diagnostic_list_is_full(const struct diagnostic_list *list);
// Records that memory ran out; idempotent. Always returns false, for `return …;`.
bool diagnostic_list_set_out_of_memory(struct diagnostic_list *list);
// Sorts by place in the source (stable), errors and warnings mixed: passes report in their own
// order, readers want the text's. Drops what an earlier one implies; an error always remains.
void diagnostic_list_sort(struct diagnostic_list *list);

struct diagnostic *diagnostic_add(struct diagnostic_list *list, enum diagnostic_severity severity,
    enum diagnostic_code code, struct source_span span, const char *format, ...) TEXT_PRINTF(5, 6);
struct diagnostic *diagnostic_add_list(struct diagnostic_list *list,
    enum diagnostic_severity severity, enum diagnostic_code code, struct source_span span,
    const char *format, va_list arguments);
struct diagnostic *diagnostic_error(struct diagnostic_list *list, enum diagnostic_code code,
    struct source_span span, const char *format, ...) TEXT_PRINTF(4, 5);
struct diagnostic *diagnostic_warning(struct diagnostic_list *list, enum diagnostic_code code,
    struct source_span span, const char *format, ...) TEXT_PRINTF(4, 5);

// Appended in the order of the calls. diagnostic may be NULL.
void diagnostic_note(struct diagnostic_list *list, struct diagnostic *diagnostic,
    struct source_span span, const char *format, ...) TEXT_PRINTF(4, 5);
void diagnostic_explain(struct diagnostic_list *list, struct diagnostic *diagnostic,
    const char *format, ...) TEXT_PRINTF(3, 4);
void diagnostic_fix(struct diagnostic_list *list, struct diagnostic *diagnostic,
    struct source_span span, const char *format, ...) TEXT_PRINTF(4, 5);

// Columns of the table: static strings.
const char *diagnostic_code_id(enum diagnostic_code code);      // "unresolved-identifier"
const char *diagnostic_code_section(enum diagnostic_code code); // "WGSL §resolve"-like anchor
const char *diagnostic_code_summary(enum diagnostic_code code); // the rule in a sentence
const char *diagnostic_severity_name(enum diagnostic_severity severity);

// diagnostic_print.c: for people, with place, excerpt and carets; and for programs.
struct diagnostic_style {
    bool use_colour;
    uint32_t width; // columns of the excerpt; 0 means 100
};
void diagnostic_print(struct text_buffer *out, const struct source *source,
    const struct diagnostic *diagnostic, struct diagnostic_style style);
// "insert ';'", "write 'read_write'".
void diagnostic_print_fix(
    struct text_buffer *out, const struct source *source, const struct diagnostic_fix *fix);
// All of them, then "N errors and M warnings" (nothing when the list is empty).
void diagnostic_list_print(struct text_buffer *out, const struct source *source,
    const struct diagnostic_list *list, struct diagnostic_style style);
// A JSON array of objects {severity, code, section, rule, message, line, column, endLine, endColumn,
// offset, length, notes: […], fixes: […]}; columns in UTF-16 units, offsets in bytes.
void diagnostic_list_print_json(
    struct text_buffer *out, const struct source *source, const struct diagnostic_list *list);
