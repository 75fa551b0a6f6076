// SPDX-License-Identifier: MIT
//
// The lexer (WGSL §Textual Structure). One loop over the bytes, no recursion, no look-behind. It
// first checks the encoding of the whole text, comments included, so that what follows may treat a
// malformed byte as something already reported.

#include <string.h>

#include "shader/wgsl/token.h"
#include "shader/wgsl/unicode.h"

struct lexer {
    const struct source *source;
    struct diagnostic_list *diagnostics;
    struct token_list *list;
    const char *data;
    uint32_t length;
    uint32_t at;
};

const char *token_kind_text(enum token_kind kind) {
    static const char *const texts[TOKEN_KIND_COUNT] = {
#define TOKEN(name, text) text,
#include "shader/wgsl/token.def"
    };
    return texts[kind];
}

void token_list_finish(struct token_list *list) {
    vector_finish(&list->tokens);
}

static char peek(const struct lexer *lexer, uint32_t ahead) {
    // Beyond the end a NUL: the text itself is known to be free of them, or reported.
    return lexer->length - lexer->at > ahead ? lexer->data[lexer->at + ahead] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool push_token(struct lexer *lexer, enum token_kind kind, uint32_t begin) {
    struct token token = {.begin = begin, .end = lexer->at, .kind = (uint32_t)kind};
    return vector_push(&lexer->list->tokens, MEMORY_COMPILE, token);
}

static void report(struct lexer *lexer, enum diagnostic_code code, uint32_t begin, uint32_t end,
    const char *message) {
    diagnostic_error(lexer->diagnostics, code, (struct source_span){begin, end}, "%s", message);
}

// ---- Encoding ----

static void check_encoding(struct lexer *lexer) {
    bool has_nul = false;
    if (lexer->length >= 3 && memcmp(lexer->data, "\xEF\xBB\xBF", 3) == 0) {
        report(lexer, DIAGNOSTIC_INVALID_UTF8, 0, 3, "the module starts with a byte order mark");
        lexer->at = 3;
    }
    for (uint32_t i = 0; i < lexer->length;) {
        unsigned char byte = (unsigned char)lexer->data[i];
        if (byte != 0 && byte < 0x80) {
            i++;
            continue;
        }
        if (byte == 0) {
            if (!has_nul) {
                report(lexer, DIAGNOSTIC_NULL_CODE_POINT, i, i + 1,
                    "the module contains a null code point");
                has_nul = true;
            }
            i++;
            continue;
        }
        uint32_t code_point;
        uint32_t size = unicode_decode(lexer->data + i, lexer->length - i, &code_point);
        if (size == 0) {
            report(lexer, DIAGNOSTIC_INVALID_UTF8, i, i + 1, "the module is not valid UTF-8 here");
            return; // one is enough: the rest is usually the same mistake
        }
        i += size;
    }
}

// ---- Blankspace and comments ----

// The size of the blankspace code point here, or 0; whether it breaks the line.
static uint32_t blank_size(const struct lexer *lexer, uint32_t at, bool *out_is_break) {
    const unsigned char *bytes = (const unsigned char *)lexer->data + at;
    uint32_t left = lexer->length - at;
    *out_is_break = false;
    if (left == 0) {
        return 0;
    }
    if (bytes[0] == ' ' || bytes[0] == '\t') {
        return 1;
    }
    if (bytes[0] >= '\n' && bytes[0] <= '\r') {
        *out_is_break = true;
        return 1;
    }
    if (left >= 2 && bytes[0] == 0xC2 && bytes[1] == 0x85) {
        *out_is_break = true;
        return 2;
    }
    if (left >= 3 && bytes[0] == 0xE2 && bytes[1] == 0x80) {
        if (bytes[2] == 0xA8 || bytes[2] == 0xA9) {
            *out_is_break = true;
            return 3;
        }
        if (bytes[2] == 0x8E || bytes[2] == 0x8F) {
            return 3;
        }
    }
    return 0;
}

static void skip_line_comment(struct lexer *lexer) {
    bool is_break = false;
    while (lexer->at < lexer->length) {
        blank_size(lexer, lexer->at, &is_break);
        if (is_break) {
            return;
        }
        lexer->at++;
    }
}

static void skip_block_comment(struct lexer *lexer) {
    uint32_t begin = lexer->at;
    uint32_t depth = 0;
    while (lexer->at < lexer->length) {
        if (peek(lexer, 0) == '/' && peek(lexer, 1) == '*') {
            lexer->at += 2;
            depth++;
        } else if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            lexer->at += 2;
            if (--depth == 0) {
                return;
            }
        } else {
            lexer->at++;
        }
    }
    report(lexer, DIAGNOSTIC_UNTERMINATED_COMMENT, begin, begin + 2,
        depth > 1 ? "this block comment, with comments nested in it, does not end"
                  : "this block comment does not end");
}

static void skip_blank(struct lexer *lexer) {
    while (lexer->at < lexer->length) {
        bool is_break;
        uint32_t size = blank_size(lexer, lexer->at, &is_break);
        if (size > 0) {
            lexer->at += size;
        } else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '/') {
            skip_line_comment(lexer);
        } else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '*') {
            skip_block_comment(lexer);
        } else {
            return;
        }
    }
}

// ---- Words ----

struct word {
    const char *text;
    enum token_kind kind;
};

// Both sorted by bytes, as token.def is; a test looks every word up.
static const struct word keywords[] = {
#define KEYWORD(name, text) {text, TOKEN_##name},
#include "shader/wgsl/token.def"
};
static const struct word reserved_words[] = {
#define RESERVED(text) {text, TOKEN_IDENTIFIER},
#include "shader/wgsl/token.def"
};

static const struct word *find_word(const struct word *words, size_t count, struct text text) {
    size_t begin = 0, end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = strncmp(text.data, words[middle].text, text.length);
        if (order == 0) {
            order = words[middle].text[text.length] == '\0' ? 0 : -1;
        }
        if (order == 0) {
            return &words[middle];
        }
        if (order < 0) {
            end = middle;
        } else {
            begin = middle + 1;
        }
    }
    return NULL;
}

// The size of the identifier character here, or 0.
static uint32_t word_size(const struct lexer *lexer, bool is_start) {
    if (lexer->at >= lexer->length) {
        return 0;
    }
    uint32_t code_point = (unsigned char)lexer->data[lexer->at];
    uint32_t size = 1;
    if (code_point >= 0x80) {
        size = unicode_decode(lexer->data + lexer->at, lexer->length - lexer->at, &code_point);
        if (size == 0) {
            return 0;
        }
    }
    bool fits = is_start ? unicode_is_identifier_start(code_point)
                         : unicode_is_identifier_continue(code_point);
    return fits ? size : 0;
}

static void skip_word(struct lexer *lexer) {
    uint32_t size;
    while ((size = word_size(lexer, false)) > 0) {
        lexer->at += size;
    }
}

static bool lex_word(struct lexer *lexer) {
    enum { LONGEST_WORD = 16 };
    uint32_t begin = lexer->at;
    skip_word(lexer);
    struct text text = {lexer->data + begin, lexer->at - begin};
    if (text.length == 1 && text.data[0] == '_') {
        return push_token(lexer, TOKEN_UNDERSCORE, begin);
    }
    if (text.length >= 2 && text.data[0] == '_' && text.data[1] == '_') {
        report(lexer, DIAGNOSTIC_INVALID_IDENTIFIER, begin, lexer->at,
            "an identifier does not start with two underscores");
    }
    if (text.length >= 2 && text.length <= LONGEST_WORD) {
        const struct word *word = find_word(keywords, sizeof keywords / sizeof keywords[0], text);
        if (word) {
            return push_token(lexer, word->kind, begin);
        }
        if (find_word(reserved_words, sizeof reserved_words / sizeof reserved_words[0], text)) {
            diagnostic_error(lexer->diagnostics, DIAGNOSTIC_RESERVED_WORD,
                (struct source_span){begin, lexer->at},
                "'%.*s' is reserved and cannot be used as a name", TEXT_ARGS(text));
        }
    }
    return push_token(lexer, TOKEN_IDENTIFIER, begin);
}

// The end of a literal in quotes, as other languages have them; of the quote alone when no second
// one is on its line.
static uint32_t skip_quoted(const struct lexer *lexer, uint32_t begin) {
    for (uint32_t i = begin + 1; i < lexer->length && lexer->data[i] != '\n'; i++) {
        if (lexer->data[i] == lexer->data[begin]) {
            return i + 1;
        }
    }
    return begin;
}

// ---- Numbers ----

static uint32_t skip_digits(struct lexer *lexer, bool is_hexadecimal) {
    uint32_t begin = lexer->at;
    while (is_hexadecimal ? is_hex_digit(peek(lexer, 0)) : is_digit(peek(lexer, 0))) {
        lexer->at++;
    }
    return lexer->at - begin;
}

// An exponent, if a complete one stands here.
static bool skip_exponent(struct lexer *lexer, char letter) {
    if ((peek(lexer, 0) | 0x20) != letter) {
        return false;
    }
    uint32_t ahead = peek(lexer, 1) == '+' || peek(lexer, 1) == '-' ? 2 : 1;
    if (!is_digit(peek(lexer, ahead))) {
        return false;
    }
    lexer->at += ahead;
    skip_digits(lexer, false);
    return true;
}

static bool skip_suffix(struct lexer *lexer, char a, char b) {
    if (peek(lexer, 0) == a || peek(lexer, 0) == b) {
        lexer->at++;
        return true;
    }
    return false;
}

// Scans the longest literal; NULL, or what is wrong with it.
static const char *scan_number(struct lexer *lexer, enum token_kind *out_kind) {
    bool is_hexadecimal = peek(lexer, 0) == '0' && (peek(lexer, 1) | 0x20) == 'x';
    lexer->at += is_hexadecimal ? 2 : 0;
    char first = peek(lexer, 0);
    uint32_t digits = skip_digits(lexer, is_hexadecimal);
    bool has_leading_zero = !is_hexadecimal && digits > 1 && first == '0';
    bool has_point = peek(lexer, 0) == '.';
    if (has_point) {
        lexer->at++;
        digits += skip_digits(lexer, is_hexadecimal);
    }
    if (digits == 0) {
        return "'0x' is followed by hexadecimal digits";
    }
    bool has_exponent = skip_exponent(lexer, is_hexadecimal ? 'p' : 'e');
    *out_kind = has_point || has_exponent ? TOKEN_FLOAT_LITERAL : TOKEN_INT_LITERAL;
    if (*out_kind == TOKEN_FLOAT_LITERAL) {
        if (!is_hexadecimal || has_exponent) {
            skip_suffix(lexer, 'f', 'h');
        } else if ((peek(lexer, 0) | 0x20) != 'p' && skip_suffix(lexer, 'h', 'h')) {
            return "a hexadecimal float takes a suffix only after an exponent";
        }
    } else if (!skip_suffix(lexer, 'i', 'u') && !is_hexadecimal && skip_suffix(lexer, 'f', 'h')) {
        *out_kind = TOKEN_FLOAT_LITERAL;
        return has_leading_zero ? "a number without point or exponent has no leading zero" : NULL;
    }
    if (*out_kind == TOKEN_INT_LITERAL && has_leading_zero) {
        return "a decimal integer has no leading zero";
    }
    return NULL;
}

static bool lex_number(struct lexer *lexer) {
    uint32_t begin = lexer->at;
    enum token_kind kind = TOKEN_INT_LITERAL;
    const char *problem = scan_number(lexer, &kind);
    uint32_t end = lexer->at;
    skip_word(lexer);
    if (!problem && lexer->at != end) {
        problem = "this is no number: the letters or digits at its end are no suffix of WGSL";
    }
    if (problem) {
        report(lexer, DIAGNOSTIC_INVALID_LITERAL, begin, lexer->at, problem);
        kind = TOKEN_INVALID;
    }
    return push_token(lexer, kind, begin);
}

// ---- Punctuation ----

// The longest of the tokens that start here; '<', '>' and '=' stay single. TOKEN_INVALID: none.
static enum token_kind scan_punctuation(struct lexer *lexer) {
    char first = peek(lexer, 0);
    char second = peek(lexer, 1);
    uint32_t size = 1;
    enum token_kind kind = TOKEN_INVALID;
#define ONE(character, name) \
    case character: \
        kind = TOKEN_##name; \
        break
#define TWO(character, name, next, longer) \
    case character: \
        kind = TOKEN_##name; \
        if (second == (next)) { \
            kind = TOKEN_##longer; \
            size = 2; \
        } \
        break
#define THREE(character, name, next, longer, other, third) \
    case character: \
        kind = TOKEN_##name; \
        if (second == (next)) { \
            kind = TOKEN_##longer; \
            size = 2; \
        } else if (second == (other)) { \
            kind = TOKEN_##third; \
            size = 2; \
        } \
        break
    // clang-format off
    switch (first) {
        ONE('@', AT);
        ONE('[', BRACKET_LEFT);
        ONE(']', BRACKET_RIGHT);
        ONE('{', BRACE_LEFT);
        ONE('}', BRACE_RIGHT);
        ONE('(', PAREN_LEFT);
        ONE(')', PAREN_RIGHT);
        ONE(':', COLON);
        ONE(',', COMMA);
        ONE(';', SEMICOLON);
        ONE('.', PERIOD);
        ONE('~', TILDE);
        ONE('<', LESS);
        ONE('>', GREATER);
        ONE('=', EQUAL);
        TWO('!', BANG, '=', NOT_EQUAL);
        TWO('/', SLASH, '=', SLASH_EQUAL);
        TWO('%', PERCENT, '=', PERCENT_EQUAL);
        TWO('*', STAR, '=', STAR_EQUAL);
        TWO('^', XOR, '=', XOR_EQUAL);
        THREE('&', AND, '&', AND_AND, '=', AND_EQUAL);
        THREE('|', OR, '|', OR_OR, '=', OR_EQUAL);
        THREE('+', PLUS, '+', PLUS_PLUS, '=', PLUS_EQUAL);
    case '-':
        kind = TOKEN_MINUS;
        if (second == '-' || second == '=' || second == '>') {
            kind = second == '-'   ? TOKEN_MINUS_MINUS
                   : second == '=' ? TOKEN_MINUS_EQUAL
                                   : TOKEN_ARROW;
            size = 2;
        }
        break;
    default: size = 0; break;
    }
    // clang-format on
#undef ONE
#undef TWO
#undef THREE
    lexer->at += size;
    return kind;
}

// Characters that start no token, taken together up to the next one that may.
static bool lex_invalid(struct lexer *lexer) {
    uint32_t begin = lexer->at;
    bool is_reported = true; // malformed UTF-8 and NUL are
    char first = lexer->data[begin];
    bool is_quote = first == '"' || first == '\'';
    uint32_t quoted_end = is_quote ? skip_quoted(lexer, begin) : begin;
    if (quoted_end != begin) {
        lexer->at = quoted_end;
        is_reported = false;
    }
    while (quoted_end == begin && lexer->at < lexer->length) {
        char c = lexer->data[lexer->at];
        bool is_break;
        if (word_size(lexer, true) || blank_size(lexer, lexer->at, &is_break) || is_digit(c) ||
            (c != '\0' && strchr("@[]{}():,;.~<>=!/%*^&|+-", c))) {
            break;
        }
        uint32_t code_point;
        uint32_t size = unicode_decode(
            lexer->data + lexer->at, lexer->length - lexer->at, &code_point);
        if (size > 0 && code_point != 0) {
            is_reported = false;
        }
        lexer->at += size > 0 ? size : 1;
    }
    if (!is_reported) {
        struct text text = {lexer->data + begin, lexer->at - begin};
        struct source_span span = {begin, lexer->at};
        if (text.length == 1 && text.data[0] == '?') {
            diagnostic_error(lexer->diagnostics, DIAGNOSTIC_INVALID_CHARACTER, span,
                "WGSL has no '?' operator: use select(if_false, if_true, condition)");
        } else if (is_quote) {
            diagnostic_error(lexer->diagnostics, DIAGNOSTIC_INVALID_CHARACTER, span,
                "WGSL has no character or string literals");
        } else if (text.data[0] == '#') {
            diagnostic_error(lexer->diagnostics, DIAGNOSTIC_INVALID_CHARACTER, span,
                "WGSL has no preprocessor: '#' starts no token");
        } else {
            diagnostic_error(lexer->diagnostics, DIAGNOSTIC_INVALID_CHARACTER, span,
                "this text is no token of WGSL");
        }
    }
    return push_token(lexer, TOKEN_INVALID, begin);
}

bool token_list_lex(
    struct token_list *list, const struct source *source, struct diagnostic_list *diagnostics) {
    struct lexer lexer = {
        .source = source,
        .diagnostics = diagnostics,
        .list = list,
        .data = source->text.data,
        .length = (uint32_t)source->text.length,
    };
    check_encoding(&lexer);
    for (;;) {
        skip_blank(&lexer);
        if (lexer.at >= lexer.length) {
            break;
        }
        uint32_t begin = lexer.at;
        char c = peek(&lexer, 0);
        bool is_ok;
        if (is_digit(c) || (c == '.' && is_digit(peek(&lexer, 1)))) {
            is_ok = lex_number(&lexer);
        } else if (word_size(&lexer, true) > 0) {
            is_ok = lex_word(&lexer);
        } else {
            enum token_kind kind = scan_punctuation(&lexer);
            is_ok = kind == TOKEN_INVALID ? lex_invalid(&lexer) : push_token(&lexer, kind, begin);
        }
        if (!is_ok) {
            return diagnostic_list_set_out_of_memory(diagnostics);
        }
    }
    if (!push_token(&lexer, TOKEN_END, lexer.length) || !token_list_find_templates(list)) {
        return diagnostic_list_set_out_of_memory(diagnostics);
    }
    return true;
}
