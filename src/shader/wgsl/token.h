// SPDX-License-Identifier: MIT
//
// Tokens of WGSL, the lexer that makes them, and the discovery of template lists among them.
// Called by the parser; safe from any thread for different token lists.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "shader/wgsl/diagnostic.h"
#include "shader/wgsl/source.h"

enum token_kind {
#define TOKEN(name, text) TOKEN_##name,
#include "shader/wgsl/token.def"
    TOKEN_KIND_COUNT
};

// 12 bytes: there is one for every two bytes of a dense source.
struct token {
    uint32_t begin; // byte offsets
    uint32_t end;
    uint32_t kind; // enum token_kind
};

// Ends with exactly one TOKEN_END.
struct token_list {
    VECTOR(struct token) tokens; // on the heap
};

// How messages call a kind of token: "'{'", "identifier".
const char *token_kind_text(enum token_kind kind);

// Turns the source into tokens, template lists marked and operators joined. Reports text that is no
// token, each place once, and leaves TOKEN_INVALID there. False: out of memory.
bool token_list_lex(
    struct token_list *list, const struct source *source, struct diagnostic_list *diagnostics);
void token_list_finish(struct token_list *list);

// The second half of the above (token_template.c): the lexer leaves '<', '>' and '=' as single
// characters, because whether "a<b>=c" holds a template list decides what the operators are.
bool token_list_find_templates(struct token_list *list);
