// SPDX-License-Identifier: MIT
//
// What the files of the text reader share: the cursor over the text, and reading of types and
// constants. ir_text_priv.h has the grammar. One thread a reader.
#pragma once

#include "base/text.h"
#include "base/try.h"
#include "shader/ir/ir_builder.h"
#include "shader/ir/ir_text_priv.h"

struct ir_reader {
    struct text source;
    size_t at;
    struct text_buffer *out_error;
    bool has_failed;
    struct ir_module *module;
    VECTOR(type_id) structs; // heap; by number
    // The function that is being read, and its values by their number in the text (heap).
    struct ir_builder builder;
    VECTOR(ir_value) numbers;
    // The initialisation function's numbers, kept until a declaration names one of them.
    VECTOR(ir_value) initialisation_numbers;
    bool is_after_functions;
};

// Reports once, with line and column; always false.
bool ir_read_fail(struct ir_reader *reader, const char *reason);
// The cursor. peek_* skip white space and comments and consume nothing else.
char ir_read_peek(struct ir_reader *reader); // '\0' at the end
bool ir_read_is_end(struct ir_reader *reader);
bool ir_read_accept_char(struct ir_reader *reader, char c);
bool ir_read_expect_char(struct ir_reader *reader, char c);
// A word is a run of letters, digits, "_" and "."; empty when there is none.
struct text ir_read_peek_word(struct ir_reader *reader);
bool ir_read_accept_word(struct ir_reader *reader, const char *word);
bool ir_read_expect_word(struct ir_reader *reader, const char *word);
bool ir_read_word(struct ir_reader *reader, struct text *out_word);
bool ir_read_from_list(struct ir_reader *reader, const struct ir_word *list, int *out_value);
// Decimal digits, with a sign where the number is given as its 32 bits.
bool ir_read_u32(struct ir_reader *reader, uint32_t *out_number);
bool ir_read_bits(struct ir_reader *reader, uint32_t *out_bits);
bool ir_read_f32(struct ir_reader *reader, float *out_number);
// "..." if there is one, else the empty text; in the module's arena.
bool ir_read_optional_name(struct ir_reader *reader, struct text *out_name);

bool ir_read_type(struct ir_reader *reader, type_id *out_type);
bool ir_read_constant(struct ir_reader *reader, uint32_t *out_constant);
bool ir_read_address_space(struct ir_reader *reader, enum address_space *out_space);
bool ir_read_access_mode(struct ir_reader *reader, enum access_mode *out_access);

// "#N", then the rest of a function declaration, its body included.
bool ir_read_function(struct ir_reader *reader);
// %N or a constant, as a value of reader->builder's function.
bool ir_read_value(struct ir_reader *reader, ir_value *out_value);
