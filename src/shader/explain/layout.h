// SPDX-License-Identifier: MIT
//
// How a host-shareable type lies in memory, and whether it may lie there: offsets, padding, the rules
// of each address space, the edit that makes a type legal in a uniform buffer, the order of members
// that saves bytes, the C structure of the same layout, and the comparison with a host's layout.
// Reads the type table; owns nothing that outlives the arena given. One thread.
//
// The three columns: in the storage address space every host-shareable type is legal; in the uniform
// address space the classic rules ask for strides and offsets of 16; with the language extension
// uniform_buffer_standard_layout only unknown sizes and atomics remain excluded. Offsets are the
// same in all three (WGSL §"Memory Layout").
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "shader/explain/json.h"
#include "shader/type/type.h"

enum layout_column { LAYOUT_STORAGE, LAYOUT_UNIFORM, LAYOUT_UNIFORM_STANDARD, LAYOUT_COLUMN_COUNT };
// Bit sets of columns.
#define LAYOUT_ALL_COLUMNS 7u

enum layout_rule {
    LAYOUT_RULE_NONE,
    LAYOUT_RULE_OFFSET,  // a member's offset is no multiple of what its type asks for
    LAYOUT_RULE_STRIDE,  // an array's stride is no multiple of 16
    LAYOUT_RULE_GAP,     // too close behind a member that is a structure
    LAYOUT_RULE_NESTED,  // a member's or element's structure breaks a rule inside
    LAYOUT_RULE_RUNTIME, // the size is not known to the compiler
    LAYOUT_RULE_ATOMIC   // atomics need storage with read_write
};
const char *layout_rule_word(enum layout_rule rule); // "offset", "stride", …; stable, for programs

// One broken rule. `array` is the array type whose stride it is, for LAYOUT_RULE_STRIDE.
struct layout_issue {
    enum layout_rule rule;
    uint32_t actual;
    uint32_t required;
    type_id array;
};

// The type table with what was worked out once for every type in it; init is false when out of memory.
// Types made later have no answer.
struct layout_types {
    const struct type_table *types;
    const bool *is_uniform_legal; // by type index: the classic rules hold inside the type
};
bool layout_types_init(
    struct layout_types *out, const struct type_table *types, struct arena *arena);

// What stands in the way of the type as a member at that offset, or as a whole at offset 0, under a
// column's rules; the rule LAYOUT_RULE_NONE when nothing does. `before` is the previous member, NULL
// for the first.
struct layout_issue layout_find_issue(const struct layout_types *layout, enum layout_column column,
    type_id type, uint64_t offset, const struct type_member *before);
// True when the type as the store type of a variable obeys the rules of the column.
bool layout_is_legal(const struct layout_types *layout, enum layout_column column, type_id type);
// "stride 4, needs a multiple of 16".
void layout_print_issue(
    struct text_buffer *out, const struct type_table *types, const struct layout_issue *issue);

// Padding in a structure. A hole lies before a member, or inside it after the bytes of its type when
// @size asks for more.
struct layout_padding {
    uint32_t hole_count;
    uint64_t hole_bytes;
    uint64_t tail_bytes;
    uint64_t member_bytes; // of the members' types
};
struct layout_padding layout_measure_padding(const struct type_table *types, type_id structure);

// Reading whole elements from an array of the type by 32 neighbouring invocations.
struct layout_read_cost {
    uint32_t load_bytes;           // widest load that the stride allows: 16, 8, 4, 2
    uint32_t request_count;        // loads of that width
    uint32_t sector_count;         // 32-byte sectors touched, summed over the requests
    uint32_t scalar_request_count; // loads of 4 bytes each; 0 for a type with f16
    uint32_t scalar_sector_count;
};
// False where the question makes no sense: no fixed size, or over 4096 bytes.
bool layout_measure_read_cost(
    const struct type_table *types, type_id type, struct layout_read_cost *out_cost);

// An order of the members that makes the structure smaller. out_order (member_count entries) names
// members by their present index. False when no order was found that saves bytes; a runtime-sized
// last member stays last, and @align and @size stay with their members.
bool layout_find_order(const struct type_table *types, type_id structure, struct arena *arena,
    uint32_t **out_order, uint64_t *out_size_bytes);

// The declarations, in WGSL, that make the type legal under the classic uniform rules, with the
// structures in the order of use, and notes on what changes for the code that uses them. `is_taken`
// tells names of the module. False when there is no such edit (or out of memory).
struct layout_edit {
    struct text_buffer declarations;
    struct text_buffer type; // what to write for the type itself
    uint64_t size_bytes;     // afterwards
};
bool layout_find_edit(const struct layout_types *layout, type_id type, struct arena *arena,
    bool (*is_taken)(void *context, struct text name), void *context, struct layout_edit *out_edit);
void layout_edit_finish(struct layout_edit *edit);
// The edits for one broken rule in a sentence or two; see layout_issue.
void layout_print_advice(struct text_buffer *out, const struct type_table *types,
    const struct layout_issue *issue, struct text member);

// The listing of one type: a line for each member and padding, with the columns asked for.
struct layout_style {
    uint32_t columns; // set of 1u << enum layout_column
    bool use_colour;
};
bool layout_print(struct text_buffer *out, const struct layout_types *layout, type_id type,
    struct arena *arena, const struct layout_style *style);
bool layout_print_json(
    struct json *json, const struct layout_types *layout, type_id type, struct arena *arena);

// C declarations of the structures, each with its parts before it, and static assertions on every
// offset and size. False when out of memory.
bool layout_print_c_header(struct text_buffer *out, const struct type_table *types,
    const type_id *structures, uint32_t count, struct text source_name, struct arena *arena);

// A host's layout against the WGSL one; the grammar of `specification` is in layout_host.c. Appends
// the comparison, or a message to out_error about the specification.
enum layout_diff { LAYOUT_DIFF_SAME, LAYOUT_DIFF_DIFFERENT, LAYOUT_DIFF_ERROR };
enum layout_diff layout_compare(const struct type_table *types, type_id type,
    struct text specification, struct arena *arena, struct text_buffer *out, struct json *out_json,
    struct text_buffer *out_error);

// "33554432 (32 MiB)": bytes, and from 1 KiB on the same in binary units where that is a round number.
void layout_print_bytes(struct text_buffer *out, uint64_t bytes);
// "struct Blur" or the type as it is written.
void layout_print_name(struct text_buffer *out, const struct type_table *types, type_id type);
