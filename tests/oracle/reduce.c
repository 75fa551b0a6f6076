// SPDX-License-Identifier: MIT
//
// The reducer. See reduce.h. It works on the generator's layout: a statement or a brace a line, and
// expressions in full parentheses.
#include "oracle/reduce.h"

#include <string.h>

#include "base/try.h"
#include "base/vector.h"

struct reducer {
    struct text_buffer *text;
    reduce_predicate predicate;
    void *user;
    uint32_t attempts_left;
    bool has_failed;
};

// Keeps the text without [begin, end), with `middle` in its place, if the predicate holds for it.
static bool try_replace(struct reducer *r, size_t begin, size_t end, struct text middle) {
    if (r->attempts_left == 0 || r->has_failed) {
        return false;
    }
    r->attempts_left--;
    struct text_buffer candidate = {0};
    struct text whole = text_buffer_get(r->text);
    text_buffer_append(&candidate, (struct text){whole.data, begin});
    text_buffer_append(&candidate, middle);
    text_buffer_append(&candidate, (struct text){whole.data + end, whole.length - end});
    if (candidate.has_failed) {
        r->has_failed = true;
    } else if (r->predicate(r->user, text_buffer_get(&candidate))) {
        text_buffer_finish(r->text);
        *r->text = candidate;
        return true;
    }
    text_buffer_finish(&candidate);
    return false;
}

typedef VECTOR(size_t) offset_list;

// Offsets of the lines' starts, and the end.
static bool find_lines(struct reducer *r, offset_list *lines) {
    struct text whole = text_buffer_get(r->text);
    lines->count = 0;
    bool ok = vector_push(lines, MEMORY_TEST, 0);
    for (size_t i = 0; ok && i < whole.length; i++) {
        if (whole.data[i] == '\n') {
            ok = vector_push(lines, MEMORY_TEST, i + 1);
        }
    }
    r->has_failed = r->has_failed || !ok;
    return ok;
}

// Braces opened less closed within the range; INT_MIN-like -1000000 when it closes what it did not open.
static int balance(struct text text) {
    int depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        depth += text.data[i] == '{' ? 1 : 0;
        depth -= text.data[i] == '}' ? 1 : 0;
        if (depth < 0) {
            return -1000000;
        }
    }
    return depth;
}

static struct text range(
    const struct reducer *r, const offset_list *lines, size_t from, size_t to) {
    return (struct text){r->text->data + lines->items[from], lines->items[to] - lines->items[from]};
}

static bool remove_lines(struct reducer *r, offset_list *lines) {
    bool any = false;
    TRY(find_lines(r, lines));
    for (size_t size = lines->count / 2; size >= 1 && !r->has_failed; size /= 2) {
        for (size_t at = 0; at + size < lines->count && r->attempts_left != 0;) {
            struct text chunk = range(r, lines, at, at + size);
            bool removed = balance(chunk) == 0 &&
                try_replace(r, lines->items[at], lines->items[at + size], (struct text){"", 0});
            if (removed) {
                any = true;
                TRY(find_lines(r, lines));
            } else {
                at++;
            }
        }
    }
    return any;
}

// Replaces the lines [at, end) by the lines [from, to) of them.
static bool keep_only(
    struct reducer *r, offset_list *lines, size_t at, size_t end, size_t from, size_t to) {
    struct text_buffer copy = {0};
    text_buffer_append(&copy, range(r, lines, from, to));
    bool ok = try_replace(r, lines->items[at], lines->items[end], text_buffer_get(&copy));
    text_buffer_finish(&copy);
    return ok && find_lines(r, lines);
}

// A block from a line that opens to the line that closes it: removed whole, or only its two lines.
static bool remove_blocks(struct reducer *r, offset_list *lines) {
    bool any = false;
    TRY(find_lines(r, lines));
    for (size_t at = 0; at + 1 < lines->count && r->attempts_left != 0 && !r->has_failed; at++) {
        if (balance(range(r, lines, at, at + 1)) != 1) {
            continue;
        }
        size_t end = at + 1;
        while (end + 1 < lines->count && balance(range(r, lines, at, end)) != 0) {
            end++;
        }
        if (try_replace(r, lines->items[at], lines->items[end], (struct text){"", 0})) {
            any = true;
            TRY(find_lines(r, lines));
            at--;
            continue;
        }
        // Each branch alone: the lines between the opening, "} else", and closing lines.
        size_t from = at + 1;
        for (size_t i = at + 1; i < end; i++) {
            bool is_separator = i + 1 == end || balance(range(r, lines, at, i)) == 1;
            struct text line = range(r, lines, i, i + 1);
            is_separator = is_separator && line.length != 0 &&
                memchr(line.data, '}', line.length) != NULL && balance(line) < 0;
            if (is_separator && keep_only(r, lines, at, end, from, i)) {
                any = true;
                at--;
                break;
            }
            from = is_separator ? i + 1 : from;
        }
    }
    return any;
}

// The end of the group that opens at `at`, past its closing parenthesis; 0 when it does not close.
static size_t group_end(struct text whole, size_t at) {
    int depth = 0;
    for (size_t i = at; i < whole.length && whole.data[i] != '\n'; i++) {
        depth += whole.data[i] == '(' || whole.data[i] == '[' ? 1 : 0;
        depth -= whole.data[i] == ')' || whole.data[i] == ']' ? 1 : 0;
        if (depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
        c == '<' || c == '>';
}

// Replaces a group, and the function name before it, by one of its operands or a literal.
static bool shrink_group(struct reducer *r, size_t at) {
    static const char *const literals[] = {"0u", "1u", "0i", "1i", "true", "false", "1.0f"};
    struct text whole = text_buffer_get(r->text);
    size_t end = group_end(whole, at);
    if (end == 0) {
        return false;
    }
    size_t begin = at;
    while (begin > 0 && is_name_char(whole.data[begin - 1])) {
        begin--;
    }
    size_t part = at + 1;
    int depth = 0;
    for (size_t i = at + 1; i < end; i++) {
        char c = whole.data[i];
        bool is_break = depth == 0 && (c == ',' || c == ' ' || i + 1 == end);
        if (is_break) {
            struct text operand = {whole.data + part, i - part};
            if (operand.length > 2 || (operand.length > 0 && is_name_char(operand.data[0]))) {
                struct text_buffer copy = {0};
                text_buffer_append(&copy, operand);
                bool ok = try_replace(r, begin, end, text_buffer_get(&copy));
                text_buffer_finish(&copy);
                if (ok) {
                    return true;
                }
            }
            part = i + 1;
        }
        depth += c == '(' || c == '[' ? 1 : 0;
        depth -= c == ')' || c == ']' ? 1 : 0;
    }
    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
        if (end - begin > 4 && try_replace(r, begin, end, text_from_string(literals[i]))) {
            return true;
        }
    }
    return false;
}

static bool shrink_expressions(struct reducer *r) {
    bool any = false;
    for (size_t at = 0; at < r->text->length && r->attempts_left != 0 && !r->has_failed; at++) {
        while (at < r->text->length && r->text->data[at] == '(' && shrink_group(r, at)) {
            any = true;
            // The text changed from the function's name on; look again from a little before.
            at = at > 24 ? at - 24 : 0;
        }
    }
    return any;
}

bool reduce_text(
    struct text_buffer *text, reduce_predicate predicate, void *user, uint32_t attempt_limit) {
    struct reducer r = {text, predicate, user, attempt_limit, false};
    offset_list lines = {0};
    bool is_smaller = true;
    while (is_smaller && r.attempts_left != 0 && !r.has_failed) {
        is_smaller = remove_lines(&r, &lines);
        is_smaller = remove_blocks(&r, &lines) || is_smaller;
        is_smaller = shrink_expressions(&r) || is_smaller;
    }
    vector_finish(&lines);
    return !r.has_failed;
}
