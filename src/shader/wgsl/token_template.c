// SPDX-License-Identifier: MIT
//
// Template list discovery (WGSL §Template Lists), on tokens instead of code points: the lexer has
// left '<', '>' and '=' as single characters and skipped blankspace, comments and literals, which
// is all that the algorithm of the specification looks at one code point at a time. Then adjacent
// characters that delimit no list are joined into operators.

#include "shader/wgsl/token.h"

struct candidate {
    uint32_t token; // of the '<'
    uint32_t depth;
};

struct discovery {
    struct token *tokens;
    VECTOR(struct candidate) pending;
    uint32_t depth;
};

// Whether the token after `index` is that one and stands right behind it.
static bool is_next_adjacent(const struct token *tokens, uint32_t index, enum token_kind kind) {
    return tokens[index + 1].kind == (uint32_t)kind && tokens[index + 1].begin == tokens[index].end;
}

// What the specification's ident_pattern_token matches: names and words, though not `true` and
// `false`, which it skips as literals, and not a lone underscore.
static bool is_word(enum token_kind kind) {
    bool is_keyword = kind >= TOKEN_ALIAS && kind <= TOKEN_WHILE;
    return kind == TOKEN_IDENTIFIER || (is_keyword && kind != TOKEN_TRUE && kind != TOKEN_FALSE);
}

static void drop_pending_inside(struct discovery *state) {
    while (state->pending.count > 0 &&
        state->pending.items[state->pending.count - 1].depth >= state->depth) {
        state->pending.count--;
    }
}

static void clear_pending(struct discovery *state) {
    state->depth = 0;
    state->pending.count = 0;
}

// A '<' right after a word: returns the index of the last token consumed, UINT32_MAX on failure.
static uint32_t visit_candidate(struct discovery *state, uint32_t index) {
    if (is_next_adjacent(state->tokens, index, TOKEN_LESS) ||
        is_next_adjacent(state->tokens, index, TOKEN_EQUAL)) {
        return index + 1; // "<<" or "<="
    }
    struct candidate candidate = {.token = index, .depth = state->depth};
    return vector_push(&state->pending, MEMORY_COMPILE, candidate) ? index : UINT32_MAX;
}

// A '>': ends the innermost list at this depth, or is an operator.
static uint32_t visit_greater(struct discovery *state, uint32_t index) {
    if (state->pending.count > 0) {
        struct candidate top = state->pending.items[state->pending.count - 1];
        if (top.depth == state->depth) {
            state->tokens[top.token].kind = TOKEN_TEMPLATE_BEGIN;
            state->tokens[index].kind = TOKEN_TEMPLATE_END;
            state->pending.count--;
            return index;
        }
    }
    return is_next_adjacent(state->tokens, index, TOKEN_EQUAL) ? index + 1 : index;
}

static uint32_t visit_token(struct discovery *state, uint32_t index) {
    struct token *tokens = state->tokens;
    switch (tokens[index].kind) {
    case TOKEN_GREATER:
        return visit_greater(state, index);
    case TOKEN_PAREN_LEFT:
    case TOKEN_BRACKET_LEFT:
        state->depth++;
        break;
    case TOKEN_PAREN_RIGHT:
    case TOKEN_BRACKET_RIGHT:
        drop_pending_inside(state);
        state->depth -= state->depth > 0;
        break;
    case TOKEN_EQUAL:
        if (is_next_adjacent(tokens, index, TOKEN_EQUAL)) {
            return index + 1;
        }
        clear_pending(state);
        break;
    case TOKEN_SEMICOLON:
    case TOKEN_BRACE_LEFT:
    case TOKEN_COLON:
    case TOKEN_PLUS_EQUAL:
    case TOKEN_MINUS_EQUAL:
    case TOKEN_STAR_EQUAL:
    case TOKEN_SLASH_EQUAL:
    case TOKEN_PERCENT_EQUAL:
    case TOKEN_AND_EQUAL:
    case TOKEN_OR_EQUAL:
    case TOKEN_XOR_EQUAL:
        clear_pending(state);
        break;
    case TOKEN_AND_AND:
    case TOKEN_OR_OR:
        drop_pending_inside(state);
        break;
    default:
        break;
    }
    return index;
}

// The operator that starts with this single '<', '>' or '=' and its length in characters.
static enum token_kind join(const struct token *tokens, uint32_t index, uint32_t *out_count) {
    uint32_t kind = tokens[index].kind;
    *out_count = 1;
    if (kind != TOKEN_LESS && kind != TOKEN_GREATER && kind != TOKEN_EQUAL) {
        return (enum token_kind)kind;
    }
    if (is_next_adjacent(tokens, index, TOKEN_EQUAL)) {
        *out_count = 2;
        return kind == TOKEN_LESS   ? TOKEN_LESS_EQUAL
            : kind == TOKEN_GREATER ? TOKEN_GREATER_EQUAL
                                    : TOKEN_EQUAL_EQUAL;
    }
    if (kind == TOKEN_EQUAL || !is_next_adjacent(tokens, index, (enum token_kind)kind)) {
        return (enum token_kind)kind;
    }
    bool has_equal = is_next_adjacent(tokens, index + 1, TOKEN_EQUAL);
    *out_count = has_equal ? 3 : 2;
    if (kind == TOKEN_LESS) {
        return has_equal ? TOKEN_SHIFT_LEFT_EQUAL : TOKEN_SHIFT_LEFT;
    }
    return has_equal ? TOKEN_SHIFT_RIGHT_EQUAL : TOKEN_SHIFT_RIGHT;
}

bool token_list_find_templates(struct token_list *list) {
    struct token *tokens = list->tokens.items;
    uint32_t count = (uint32_t)list->tokens.count; // the last is TOKEN_END
    struct discovery state = {.tokens = tokens};
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (is_word((enum token_kind)tokens[i].kind) && tokens[i + 1].kind == TOKEN_LESS) {
            i = visit_candidate(&state, i + 1);
            if (i == UINT32_MAX) {
                vector_finish(&state.pending);
                return false;
            }
        } else {
            i = visit_token(&state, i);
        }
    }
    vector_finish(&state.pending);

    uint32_t to = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t joined = 1;
        struct token token = tokens[i];
        if (i + 2 < count) {
            token.kind = (uint32_t)join(tokens, i, &joined);
            token.end = tokens[i + joined - 1].end;
        }
        tokens[to++] = token;
        i += joined;
    }
    list->tokens.count = to;
    return true;
}
