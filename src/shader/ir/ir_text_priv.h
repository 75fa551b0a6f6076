// SPDX-License-Identifier: MIT
//
// What the printer and the reader of the text form share: the grammar and the words of its closed
// lists. Constant data.
//
// One declaration a line; "..." is a JSON string; #N counts from 0 in order.
//   struct #0 "Particle" { "pos": vec3<f32> align 16 size 16, ... }
//   override #0 u32 "N" id 3
//   variable #0 storage read_write array<f32> "data" group 0 binding 1 constant C
//   initialisation #0                         the function whose values stand below the functions
//   function #0 "main" (%1: u32 "x") -> void { ... }
//   override_value #0 = V    variable_value #0 = V    count #0 = V
//   entry compute "main" #0 workgroup_size(V, V, V) { input u32 builtin local_invocation_index "i" }
// Types are WGSL's words; a structure is struct#0, ptr<space, type, access>, array<T, 4>, array<T>,
// array<T, override 0>, buffer<64>. A constant stands where a value may: f32(1.5), u32(7),
// vec2<f32>(1, 2), struct#0((1, 2), 3); no elements: zero. A float may be its bits: f32(0x7fc00000).
// An operation:
//   %3 "name", %4 = name V, V [data] : type, type !begin-end  label (%5: type) { ... } label { ... }
// data: one number; swizzle: component numbers; access: in_bounds N; break_if: arguments N.
// Labels: then else body continuing, or case N N default.
#pragma once

#include "shader/ir/ir.h"

struct ir_word {
    const char *word;
    int value;
};

extern const struct ir_word ir_stage_words[];
extern const struct ir_word ir_dimension_words[];
extern const struct ir_word ir_interpolation_words[];
extern const struct ir_word ir_sampling_words[];
// The word of a value, "?" if there is none. Lists end in a NULL word.
const char *ir_word_of(const struct ir_word *list, int value);

// Largest nesting of a type or constant in the text form.
#define IR_TEXT_TYPE_DEPTH 64

// Printing of types and constants, shared by ir_print.c and the validator's messages.
struct ir_print_types {
    const struct ir_module *module;
    const uint32_t *struct_numbers; // by type index
};
void ir_print_type(struct text_buffer *out, const struct ir_print_types *context, type_id type);
void ir_print_constant(struct text_buffer *out, const struct ir_print_types *context,
    const struct ir_constant *constant);
