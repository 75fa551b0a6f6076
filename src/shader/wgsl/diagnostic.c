// SPDX-License-Identifier: MIT
//
// The list of diagnostics. Recording never fails for the caller: what cannot be stored is counted,
// and running out of memory is itself remembered as an error.

#include "shader/wgsl/diagnostic.h"

#include <stdio.h>
#include <string.h>

struct code_row {
    const char *id;
    const char *section;
    const char *summary;
};

static const struct code_row code_rows[DIAGNOSTIC_CODE_COUNT] = {
#define DIAGNOSTIC(name, id, section, summary) {id, section, summary},
#include "shader/wgsl/diagnostic.def"
};

const char *diagnostic_code_id(enum diagnostic_code code) {
    return code_rows[code].id;
}

const char *diagnostic_code_section(enum diagnostic_code code) {
    return code_rows[code].section;
}

const char *diagnostic_code_summary(enum diagnostic_code code) {
    return code_rows[code].summary;
}

const char *diagnostic_severity_name(enum diagnostic_severity severity) {
    switch (severity) {
    case DIAGNOSTIC_OFF:
        return "off";
    case DIAGNOSTIC_INFO:
        return "info";
    case DIAGNOSTIC_WARNING:
        return "warning";
    case DIAGNOSTIC_ERROR:
        return "error";
    }
    return "error";
}

void diagnostic_list_init(struct diagnostic_list *list, struct arena *arena, uint32_t limit) {
    *list = (struct diagnostic_list){
        .arena = arena,
        .limit = limit ? limit : DIAGNOSTIC_LIMIT_DEFAULT,
    };
}

bool diagnostic_list_has_errors(const struct diagnostic_list *list) {
    return list->error_count > 0;
}

bool diagnostic_list_is_full(const struct diagnostic_list *list) {
    return list->count >= list->limit || list->is_out_of_memory;
}

bool diagnostic_list_set_out_of_memory(struct diagnostic_list *list) {
    if (!list->is_out_of_memory) {
        list->is_out_of_memory = true;
        list->error_count++;
    }
    return false;
}

// Formats into the arena; an empty text when that fails, which the list remembers.
static struct text format_message(
    struct diagnostic_list *list, const char *format, va_list arguments) {
    // A message quotes names of the program, and those may be of any length.
    enum { MESSAGE_LIMIT_BYTES = 2000 };
    char buffer[MESSAGE_LIMIT_BYTES];
    int needed = vsnprintf(buffer, sizeof buffer, format, arguments);
    if (needed < 0) {
        return (struct text){"", 0};
    }
    size_t length = (size_t)needed;
    if (length >= sizeof buffer) {
        length = sizeof buffer - 1;
        memcpy(buffer + length - 3, "...", 3);
        // Not in the middle of a UTF-8 sequence.
        size_t cut = length - 3;
        while (cut > 0 && ((unsigned char)buffer[cut - 1] & 0xC0) == 0x80) {
            cut--;
        }
        if (cut > 0 && (unsigned char)buffer[cut - 1] >= 0xC0) {
            cut--;
        }
        if (cut < length - 3) {
            memcpy(buffer + cut, "...", 4);
            length = cut + 3;
        }
    }
    char *copy = text_copy(list->arena, (struct text){buffer, length});
    if (!copy) {
        diagnostic_list_set_out_of_memory(list);
        return (struct text){"", 0};
    }
    return (struct text){copy, length};
}

static bool make_room(struct diagnostic_list *list) {
    if (list->count < list->capacity) {
        return true;
    }
    uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
    struct diagnostic **items = ARENA_ARRAY(list->arena, struct diagnostic *, capacity);
    if (!items) {
        return false;
    }
    if (list->count) {
        memcpy(items, list->items, list->count * sizeof(struct diagnostic *));
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

struct diagnostic *diagnostic_add_list(struct diagnostic_list *list,
    enum diagnostic_severity severity, enum diagnostic_code code, struct source_span span,
    const char *format, va_list arguments) {
    if (severity == DIAGNOSTIC_OFF) {
        return NULL;
    }
    list->error_count += severity == DIAGNOSTIC_ERROR;
    list->warning_count += severity == DIAGNOSTIC_WARNING;
    if (list->count >= list->limit) {
        list->suppressed_count++;
        return NULL;
    }
    struct diagnostic *diagnostic = ARENA_NEW(list->arena, struct diagnostic);
    if (!diagnostic || !make_room(list)) {
        diagnostic_list_set_out_of_memory(list);
        return NULL;
    }
    diagnostic->severity = severity;
    diagnostic->code = code;
    diagnostic->span = span;
    diagnostic->message = format_message(list, format, arguments);
    list->items[list->count++] = diagnostic;
    return diagnostic;
}

struct diagnostic *diagnostic_add(struct diagnostic_list *list, enum diagnostic_severity severity,
    enum diagnostic_code code, struct source_span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct diagnostic *diagnostic = diagnostic_add_list(
        list, severity, code, span, format, arguments);
    va_end(arguments);
    return diagnostic;
}

struct diagnostic *diagnostic_error(struct diagnostic_list *list, enum diagnostic_code code,
    struct source_span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct diagnostic *diagnostic = diagnostic_add_list(
        list, DIAGNOSTIC_ERROR, code, span, format, arguments);
    va_end(arguments);
    return diagnostic;
}

struct diagnostic *diagnostic_warning(struct diagnostic_list *list, enum diagnostic_code code,
    struct source_span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct diagnostic *diagnostic = diagnostic_add_list(
        list, DIAGNOSTIC_WARNING, code, span, format, arguments);
    va_end(arguments);
    return diagnostic;
}

static void append_note(struct diagnostic_list *list, struct diagnostic *diagnostic,
    const struct source_span *span, const char *format, va_list arguments) {
    if (!diagnostic) {
        return;
    }
    struct diagnostic_note *note = ARENA_NEW(list->arena, struct diagnostic_note);
    if (!note) {
        diagnostic_list_set_out_of_memory(list);
        return;
    }
    if (span) {
        note->has_span = true;
        note->span = *span;
    }
    note->message = format_message(list, format, arguments);
    if (diagnostic->last_note) {
        diagnostic->last_note->next = note;
    } else {
        diagnostic->first_note = note;
    }
    diagnostic->last_note = note;
}

void diagnostic_note(struct diagnostic_list *list, struct diagnostic *diagnostic,
    struct source_span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_note(list, diagnostic, &span, format, arguments);
    va_end(arguments);
}

void diagnostic_explain(
    struct diagnostic_list *list, struct diagnostic *diagnostic, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_note(list, diagnostic, NULL, format, arguments);
    va_end(arguments);
}

void diagnostic_fix(struct diagnostic_list *list, struct diagnostic *diagnostic,
    struct source_span span, const char *format, ...) {
    if (!diagnostic) {
        return;
    }
    struct diagnostic_fix *fix = ARENA_NEW(list->arena, struct diagnostic_fix);
    if (!fix) {
        diagnostic_list_set_out_of_memory(list);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fix->span = span;
    fix->replacement = format_message(list, format, arguments);
    va_end(arguments);
    if (diagnostic->last_fix) {
        diagnostic->last_fix->next = fix;
    } else {
        diagnostic->first_fix = fix;
    }
    diagnostic->last_fix = fix;
}

static bool is_lexical(enum diagnostic_code code) {
    return code == DIAGNOSTIC_RESERVED_WORD || code == DIAGNOSTIC_INVALID_IDENTIFIER ||
        code == DIAGNOSTIC_INVALID_LITERAL || code == DIAGNOSTIC_INVALID_CHARACTER;
}

// True when `later` tells the reader nothing new after `earlier`: the same words at the same place,
// one word that is reserved once more, or what follows from a token that is none.
static bool is_implied(const struct diagnostic *earlier, const struct diagnostic *later) {
    bool is_same_place = earlier->span.begin == later->span.begin;
    if (is_same_place && is_lexical(earlier->code) && later->severity == DIAGNOSTIC_ERROR) {
        return true;
    }
    if (later->code == DIAGNOSTIC_UNRESOLVED && earlier->code == DIAGNOSTIC_UNRESOLVED &&
        later->first_fix == NULL && text_equals(earlier->message, later->message)) {
        return true; // one declaration is missing, not each use wrong
    }
    return earlier->code == later->code &&
        (is_same_place || later->code == DIAGNOSTIC_RESERVED_WORD) &&
        earlier->severity == later->severity && text_equals(earlier->message, later->message);
}

static void drop_implied(struct diagnostic_list *list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        struct diagnostic *item = list->items[i];
        bool is_dropped = false;
        for (uint32_t j = 0; j < kept && !is_dropped; j++) {
            is_dropped = is_implied(list->items[j], item);
        }
        if (is_dropped) {
            list->error_count -= item->severity == DIAGNOSTIC_ERROR;
            list->warning_count -= item->severity == DIAGNOSTIC_WARNING;
        } else {
            list->items[kept++] = item;
        }
    }
    list->count = kept;
}

// Insertion sort: at most `limit` items, nearly in order already, and it is stable.
void diagnostic_list_sort(struct diagnostic_list *list) {
    for (uint32_t i = 1; i < list->count; i++) {
        struct diagnostic *item = list->items[i];
        uint32_t to = i;
        while (to > 0 && list->items[to - 1]->span.begin > item->span.begin) {
            list->items[to] = list->items[to - 1];
            to--;
        }
        list->items[to] = item;
    }
    drop_implied(list);
}
