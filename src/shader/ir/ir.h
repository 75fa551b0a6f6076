// SPDX-License-Identifier: MIT
//
// The intermediate representation: typed, structured, values by index, every operation with its
// span. The front end writes it, passes rewrite it, back ends read it. Nothing in it belongs to one
// target. One module belongs to one thread while it is built or rewritten; reading is safe from any
// thread. All memory comes from the module's arena and is freed with it.
//
// Evaluation order. A region is a list of operations executed in order; its last operation, and
// only that one, is a terminator. An operand is a value defined earlier in the same region or in an
// enclosing one, a region or function parameter, or a constant.
//
// Control flow. Nested regions, no gotos. A terminator leaves the innermost construct of its kind:
//   if (condition)         regions: then, else (always both). exit_if leaves the innermost `if` and
//                          gives its results. Results are the same in number and type on each exit.
//   switch (selector)      one region a case (data.cases), exactly one is the default.
//                          exit_switch leaves the innermost switch and gives its results.
//   loop (initial...)      regions: body, continuing. The initial values are the body's parameters.
//                          `continue` in the body goes to the continuing region with its
//                          parameters; exit_loop leaves with the loop's results. The continuing
//                          region ends with next_iteration (back to the body with new parameters)
//                          or break_if; it contains no return, no exit of this loop inside, and no
//                          barrier-free guarantee is given. A value defined at the top level of the
//                          body before the first operation that contains a `continue` of this loop
//                          may be used in the continuing region; one in any other place may not.
//   return, unreachable    return leaves the function from any depth. After `unreachable`
//                          nothing is executed by contract (all paths left before).
// exit_if may leave an `if` only from the `if`'s own region (not from a nested loop or switch);
// exit_switch and exit_loop cross nested ifs; exit_loop and `continue` also cross switches.
// An `if` all of whose regions end in other terminators than exit_if is followed by `unreachable`.
//
// Pointers. `var` makes a new function-space variable each time it is executed; its content is
// undefined until stored (the front end always stores). `variable` names a module variable.
// `access` walks the store type: an index for an array, vector or matrix column (i32 or u32 value,
// i32 read as signed), a u32 constant for a structure member. Pointers are not stored, selected or
// passed through region parameters or results; they may be function parameters.
// A dynamic index out of range makes the pointer *invalid*: a load, atomic or array_length through
// it gives zero, a store, atomic or copy has no effect. So the rule of WGSL's robustness is part of
// the IR's semantics, and interpreter and back ends agree to the bit. data.in_bounds has a bit for
// each index operand that is proven in range and needs no check. The length of a runtime-sized array
// is floor((binding size - array offset) / stride).
// Module variables: workgroup memory is zero when a workgroup starts; private variables hold their
// initialiser (or zero) when an invocation starts.
// A private variable with access read is a constant table: nobody writes it, one copy serves all.
//
// Values. Scalars, vectors, matrices, arrays and structures are all values; the pass
// `split_composites` leaves scalars and vectors only. bool is a value type; in constants, private,
// function and workgroup memory it occupies 4 bytes, 0 or 1.
//
// Interface. `load_input` and `store_output` move one value of the entry point's lists; an array that
// was taken apart is stored by all its elements at once. `discard` makes the invocation a helper: it
// runs on, and its stores, atomics and texture stores have no effect.
//
// Textures. A load through a pointer in the handle space gives the texture or sampler as a value,
// which may be passed to functions and used by the texture operations, nothing else. The texture's
// type decides the dimension and whether there is an array index; coordinates and the array index
// are i32 or u32 (signed as their type says) for loads and stores, f32 coordinates for sampling. A
// texel out of range loads zero, with one in alpha where the format has none; a store to it has no
// effect. The offset of data.texture is added to the sampled coordinates, in texels.
//
// Subgroups. An operation over a subgroup or quad takes the invocations that execute it together.
// `subgroup_ballot` gives bit i for the invocation i; an inactive source gives an undefined value.
//
// Buffer views. A variable of type buffer is bytes; `buffer_view` gives a pointer of another store
// type at a byte offset, rounded down to the type's alignment, and is invalid where type and offset
// do not fit into the buffer, whose length `buffer_limit` may only lower. With a size, a
// runtime-sized array in the type ends there.
//
// Execution. Invocations of a workgroup run as if interleaved arbitrarily between barriers; private
// and function variables belong to one invocation. The operation flags say what may be moved.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"
#include "facts/shader_enum.h"
#include "shader/type/type.h"

typedef struct {
    uint32_t index; // into ir_function.values; 0 is "no value"
} ir_value;
typedef struct {
    uint32_t index; // into ir_function.ops; 0 is "no operation"
} ir_op_id;
typedef struct {
    uint32_t index; // into ir_function.regions; 0 is "no region"
} ir_region_id;

// The row order is the order of op.def.
enum ir_opcode {
#define IR_OP(id, text, family, element, flags, expression) IR_##id,
#include "shader/ir/op.def"
    IR_OPCODE_COUNT
};

// clang-format off
// How an operation's operands and results relate. T is one type, its element as the row admits.
enum ir_family {
    IR_FAMILY_UNARY,          // T -> T, component-wise, scalar or vector
    IR_FAMILY_BINARY,         // T, T -> T
    IR_FAMILY_TERNARY,        // T, T, T -> T
    IR_FAMILY_COMPARE,        // T, T -> bool of T's shape
    IR_FAMILY_SHIFT,          // T, u32 of T's shape -> T
    IR_FAMILY_EXTRACT_BITS,   // T, u32, u32 (scalars) -> T
    IR_FAMILY_INSERT_BITS,    // T, T, u32, u32 (scalars) -> T
    IR_FAMILY_LDEXP,          // T, i32 of T's shape -> T
    IR_FAMILY_FREXP_EXP,      // T -> i32 of T's shape
    IR_FAMILY_CONVERT,        // T -> the result type, same shape
    IR_FAMILY_BITCAST,        // same size in bytes
    IR_FAMILY_PACK,           // vec4 or vec2 -> u32
    IR_FAMILY_UNPACK,         // u32 -> vec4 or vec2
    IR_FAMILY_DOT_PACKED,     // u32, u32 -> i32 or u32
    IR_FAMILY_DOT,            // vec, vec -> scalar
    IR_FAMILY_UNARY_VECTOR,   // vec -> vec, not component-wise
    IR_FAMILY_BINARY_VECTOR, IR_FAMILY_TERNARY_VECTOR,
    IR_FAMILY_LENGTH,         // scalar or vec -> scalar
    IR_FAMILY_DISTANCE,       // T, T -> scalar
    IR_FAMILY_REFRACT,        // vec, vec, scalar -> vec
    IR_FAMILY_DETERMINANT,    // square matrix -> scalar
    IR_FAMILY_TRANSPOSE,      // matrix -> matrix
    IR_FAMILY_MATRIX_PRODUCT, // by the operand types
    IR_FAMILY_CONSTRUCT, IR_FAMILY_SPLAT, IR_FAMILY_EXTRACT, IR_FAMILY_EXTRACT_DYNAMIC,
    IR_FAMILY_INSERT, IR_FAMILY_INSERT_DYNAMIC, IR_FAMILY_SWIZZLE, IR_FAMILY_SELECT,
    IR_FAMILY_REDUCE_BOOL,
    IR_FAMILY_VAR, IR_FAMILY_VARIABLE, IR_FAMILY_ACCESS, IR_FAMILY_LOAD, IR_FAMILY_STORE,
    IR_FAMILY_COPY_MEMORY, IR_FAMILY_ARRAY_LENGTH,
    IR_FAMILY_ATOMIC_LOAD, IR_FAMILY_ATOMIC_STORE, IR_FAMILY_ATOMIC_RMW,
    IR_FAMILY_ATOMIC_COMPARE_EXCHANGE,
    IR_FAMILY_BARRIER, IR_FAMILY_LOAD_INPUT, IR_FAMILY_STORE_OUTPUT, IR_FAMILY_OVERRIDE,
    IR_FAMILY_DISCARD, IR_FAMILY_CALL, IR_FAMILY_CONTROL, IR_FAMILY_TERMINATOR,
    IR_FAMILY_TEXTURE_QUERY, IR_FAMILY_TEXTURE_LOAD, IR_FAMILY_TEXTURE_STORE,
    IR_FAMILY_TEXTURE_SAMPLE,
    IR_FAMILY_DERIVATIVE,       // T -> T
    IR_FAMILY_SUBGROUP_REDUCE,  // T -> T
    IR_FAMILY_SUBGROUP_VOTE, IR_FAMILY_SUBGROUP_ELECT,
    IR_FAMILY_SUBGROUP_SHUFFLE, // T, i32 or u32 -> T
    IR_FAMILY_BUFFER_VIEW, IR_FAMILY_BUFFER_LIMIT, IR_FAMILY_BUFFER_LENGTH
};

enum ir_flag {
    IR_FLAG_PURE        = 1 << 0, // no effect, no memory read: may be moved, merged, dropped
    IR_FLAG_READS       = 1 << 1, // reads memory
    IR_FLAG_WRITES      = 1 << 2, // writes memory
    IR_FLAG_ATOMIC      = 1 << 3,
    IR_FLAG_SIDE_EFFECT = 1 << 4, // must stay where it is
    IR_FLAG_CONVERGENT  = 1 << 5, // needs uniform control flow
    IR_FLAG_BARRIER     = 1 << 6, // orders the workgroup's invocations
    IR_FLAG_QUAD        = 1 << 7, // reads other invocations of the quad
    IR_FLAG_MAY_TRAP    = 1 << 8,
    IR_FLAG_TERMINATOR  = 1 << 9,
    IR_FLAG_POLYFILL    = 1 << 10 // shader/pass/polyfill_*.c rewrites it into simpler operations
};
// clang-format on

struct ir_op_info {
    const char *text;
    enum ir_family family;
    const char *elements; // letters, see op.def
    uint32_t flags;
};
const struct ir_op_info *ir_op_get_info(enum ir_opcode opcode);

struct ir_span {
    uint32_t begin; // byte offsets into the WGSL source; 0,0 when there is none
    uint32_t end;
};

// One case region of a switch. The region of the same index in ir_op.regions is executed when the
// selector equals one of the values, or, for the default, none of any case.
struct ir_case {
    const uint32_t *selectors; // bit patterns of i32 or u32
    uint32_t selector_count;
    bool is_default; // may also have selectors
};

union ir_op_data {
    uint32_t index;      // constant index, variable, function, input, output, override
    uint8_t swizzle[4];
    uint32_t in_bounds;  // access: bit i is set when index operand i (0 = first index) is proven
    const struct ir_case *cases; // switch: one for each region; arena
    struct {
        uint32_t body_argument_count; // break_if: how many operands go to the body
    } break_if;
    struct {
        uint8_t component;  // texture_gather of a colour texture: 0 to 3
        int8_t offset[3];   // texture_sample…, texture_gather…: in texels, -8 to 7
    } texture;
};

// A switch has at most so many cases: they are counted in what the opcode leaves of 32 bits.
#define IR_REGION_LIMIT ((1u << 20) - 1)

// 64 bytes: a module's memory is little else than these.
struct ir_op {
    enum ir_opcode opcode : 12;
    uint32_t region_count : 20;
    struct ir_span span;
    ir_region_id parent;
    ir_op_id previous; // in the region's list
    ir_op_id next;
    uint32_t operand_count;
    ir_value first_result; // results have consecutive indices
    uint32_t result_count;
    ir_value *operands;    // arena
    ir_region_id *regions; // arena; if: 2, loop: 2, switch: one a case
    union ir_op_data data;
};

struct ir_region {
    ir_op_id owner; // the control operation, none for a function's body
    ir_op_id first;
    ir_op_id last;
    uint32_t parameter_count;
    ir_value *parameters; // arena
};

enum ir_value_kind {
    IR_VALUE_NONE,
    IR_VALUE_RESULT,             // of op `definition`, result number `position`
    IR_VALUE_REGION_PARAMETER,   // of region `definition`, number `position`
    IR_VALUE_FUNCTION_PARAMETER, // number `position`
    IR_VALUE_CONSTANT            // module constant `definition`
};

// 16 bytes; see ir_op.
struct ir_value_info {
    enum ir_value_kind kind : 4;
    uint32_t position : 28;
    type_id type;
    uint32_t definition;
    uint32_t name; // index into ir_function.names, + 1; 0: none. See ir_value_name
};

// A constant of any constructible type. bytes has the type's memory layout (bool: 4 bytes, padding
// zero) and its size, little-endian; NULL is the zero value. Constants are interned: equal ones
// share an index, except large ones (over 256 bytes).
struct ir_constant {
    type_id type;
    const void *bytes;
};

struct ir_variable {
    struct text name;
    enum address_space space;
    enum access_mode access;
    type_id type; // the store type
    bool has_binding;
    uint32_t group;
    uint32_t binding;
    // private only: the initial value. A constant index + 1, or 0 and, when it depends on
    // overrides, a value of the module's `initialisation` function.
    uint32_t initial_constant;
    ir_value initial_value;
    struct ir_span span;
};

struct ir_override {
    struct text name;
    bool has_id;
    uint32_t id; // @id
    type_id type; // bool i32 u32 f32 f16
    bool has_initial_value;
    ir_value initial_value; // in the `initialisation` function
    struct ir_span span;
};

// An interface value of an entry point, after structures are taken apart.
struct ir_interface {
    bool is_builtin;
    enum builtin_value builtin;
    uint32_t location;
    uint32_t blend_source;
    bool has_blend_source;
    uint8_t interpolation; // 0 perspective, 1 linear, 2 flat
    uint8_t sampling;      // 0 center, 1 centroid, 2 sample, 3 first, 4 either
    bool is_invariant;
    uint8_t depth_mode; // frag_depth: 0 any depth, 1 less, 2 greater
    type_id type;
    struct text name;
};

struct ir_entry_point {
    struct text name;
    enum shader_stage stage;
    uint32_t function;
    struct ir_interface *inputs; // arena
    uint32_t input_count;
    struct ir_interface *outputs;
    uint32_t output_count;
    // compute: each a constant, or a value of the `initialisation` function when override-dependent.
    // After override substitution all are constants.
    uint32_t workgroup_size[3];
    ir_value workgroup_size_value[3];
    // @subgroup_size, likewise; 0 and no value: not given.
    uint32_t subgroup_size;
    ir_value subgroup_size_value;
    struct ir_span span;
};

struct ir_function {
    struct text name;
    type_id return_type;
    ir_value *parameters; // arena
    uint32_t parameter_count;
    ir_region_id body;
    VECTOR(struct ir_value_info) values; // arena; index 0 unused
    VECTOR(struct ir_op) ops;            // arena; index 0 unused; unlinked ones stay as holes
    VECTOR(struct ir_region) regions;    // arena; index 0 unused
    VECTOR(struct text) names;           // arena; of values
    VECTOR(uint32_t) constant_values; // arena; hash slots: value indices of constants, 0 is empty
    uint32_t constant_value_count;    // slots in use
    struct ir_span span;
};

struct ir_module {
    struct arena *arena;
    struct type_table types;
    VECTOR(struct ir_variable) variables;
    VECTOR(struct ir_constant) constants;
    VECTOR(struct ir_override) overrides;
    // Counts of override-sized arrays: values of the `initialisation` function (u32 or i32).
    VECTOR(ir_value) override_counts;
    // Functions in an order in which callees come before callers. No recursion.
    VECTOR(struct ir_function) functions;
    VECTOR(struct ir_entry_point) entry_points;
    // Index of the function that computes override expressions, UINT32_MAX if there is none: a
    // body of pure operations, `override`, `call`-free, and `if`; ends with return.
    uint32_t initialisation;
    uint32_t *constant_buckets; // interning hash
    uint32_t constant_bucket_count;
    bool has_failed; // an allocation failed while building; the module must not be used
};

// Largest nesting of regions in one function; the front end reports deeper ones.
#define IR_NESTING_LIMIT 512

static inline struct ir_op *ir_op_get(const struct ir_function *function, ir_op_id id) {
    return &function->ops.items[id.index];
}
static inline struct ir_region *ir_region_get(const struct ir_function *function, ir_region_id id) {
    return &function->regions.items[id.index];
}
static inline const struct ir_value_info *ir_value_get(const struct ir_function *function,
                                                       ir_value value) {
    return &function->values.items[value.index];
}
static inline type_id ir_value_type(const struct ir_function *function, ir_value value) {
    return function->values.items[value.index].type;
}
// The user's name for dumps and tools; may be empty.
static inline struct text ir_value_name(const struct ir_function *function, ir_value value) {
    uint32_t name = function->values.items[value.index].name;
    return name == 0 ? (struct text){"", 0} : function->names.items[name - 1];
}
static inline bool ir_value_is_set(ir_value value) {
    return value.index != 0;
}
static inline ir_value ir_op_result(const struct ir_op *op, uint32_t number) {
    return (ir_value){op->first_result.index + number};
}

// Gives a value a name, whose bytes live as long as the module; an empty one takes it away.
void ir_value_set_name(
    struct ir_module *module, struct ir_function *function, ir_value value, struct text name);

// Makes an empty module in the arena, NULL when out of memory.
struct ir_module *ir_module_create(struct arena *arena);
// A deep copy into another arena (pipelines specialise their own copy), NULL when out of memory.
struct ir_module *ir_module_copy(const struct ir_module *module, struct arena *arena);
