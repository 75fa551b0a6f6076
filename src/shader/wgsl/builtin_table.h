// SPDX-License-Identifier: MIT
//
// The table of built-in functions and operators (builtin.def) and overload resolution over it (WGSL
// §Overload Resolution). The checker resolves calls with it; lowering reads the rows. The table is
// constant; parsed signatures live in the checker's arena. One checker belongs to one thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shader/ir/ir.h"
#include "shader/type/type.h"

enum builtin_id {
#define BUILTIN(id, name, flags, lowering, float_op, signed_op, unsigned_op) BUILTIN_##id,
#include "shader/wgsl/builtin.def"
    BUILTIN_COUNT
};

enum builtin_flag {
    BUILTIN_FLAG_CONST = 1 << 0,
    BUILTIN_FLAG_MUST_USE = 1 << 1,
    BUILTIN_FLAG_COMPUTE_ONLY = 1 << 2,
    BUILTIN_FLAG_FRAGMENT_ONLY = 1 << 3,
    BUILTIN_FLAG_NOT_VERTEX = 1 << 4,
    BUILTIN_FLAG_ATOMIC = 1 << 5,
    BUILTIN_FLAG_SUBGROUP = 1 << 6,
    BUILTIN_FLAG_UNIFORM_FLOW = 1 << 7,
    BUILTIN_FLAG_DERIVATIVE_FLOW = 1 << 8,
    BUILTIN_FLAG_SUBGROUP_FLOW = 1 << 9,
};

enum builtin_lowering {
    BUILTIN_LOWERING_OP,
    BUILTIN_LOWERING_SPECIAL,
    BUILTIN_LOWERING_OPERATOR,
};

// The NONE of builtin.def's operation columns.
enum { IR_NONE = IR_OPCODE_COUNT };

struct builtin_info {
    const char *name;
    uint32_t flags; // set of enum builtin_flag
    enum builtin_lowering lowering;
    uint16_t float_op; // enum ir_opcode or IR_NONE; likewise the next two
    uint16_t signed_op;
    uint16_t unsigned_op;
};

const struct builtin_info *builtin_get(uint32_t id);
// The function of that name, BUILTIN_COUNT when there is none. Operators are not found.
uint32_t builtin_find(struct text name);

#define BUILTIN_PARAMETER_LIMIT 7
#define BUILTIN_TYPE_PARAMETERS 5

// Where the parsed signatures are kept.
struct builtin_cache {
    struct arena *arena;
    struct builtin_overloads *parsed[BUILTIN_COUNT]; // NULL: not parsed yet
};

enum builtin_match_status {
    BUILTIN_MATCH_FOUND,
    BUILTIN_MATCH_NONE,      // no overload takes these types
    BUILTIN_MATCH_AMBIGUOUS, // several do, none is preferred
    BUILTIN_MATCH_ERROR,     // out of memory
};

struct builtin_match {
    enum builtin_match_status status;
    uint16_t overload;        // number of the OVERLOAD row within the function
    type_id types[2];         // what S and I were bound to, index 0 where the signature has none
    uint8_t const_parameters; // bit i: parameter i must be a const-expression
    type_id parameters[BUILTIN_PARAMETER_LIMIT];
    type_id result;            // TYPE_VOID without result
    bool takes_pointer_atomic; // the first parameter is a pointer to an atomic
};

// The result structures that have no spelling, made on first use.
struct builtin_structures {
    type_id frexp[TYPE_ABSTRACT_FLOAT + 1][5]; // by element kind and component count
    type_id modf[TYPE_ABSTRACT_FLOAT + 1][5];
    type_id compare_exchange[TYPE_U32 + 1];
};

// Resolves a call of `id` with arguments of these types (references already loaded). is_const says
// which arguments are const-expressions.
struct builtin_match builtin_resolve(struct builtin_cache *cache, struct type_table *types,
    struct builtin_structures *structures, uint32_t id, const type_id *arguments,
    const bool *is_const, uint32_t argument_count);
// The rank of WGSL §Conversion Rank from one type to another, UINT32_MAX when there is none. Covers
// scalars, vectors, matrices, arrays and the frexp and modf results.
uint32_t builtin_conversion_rank(const struct type_table *types,
    const struct builtin_structures *structures, type_id from, type_id to);
// Appends "name(e: T) -> T, S is numeric; ..." for each overload, one after the other; calls back
// with each line.
void builtin_print_overload(struct text_buffer *out, uint32_t id, uint32_t overload);
uint32_t builtin_overload_count(uint32_t id);
// Whether the overload takes the textures and samplers among the arguments, at their places.
bool builtin_takes_handles(struct builtin_cache *cache, const struct type_table *types, uint32_t id,
    uint32_t overload, const type_id *arguments, uint32_t argument_count);
