// SPDX-License-Identifier: MIT
//
// The type table of one shader module: interned WGSL types by index, their sizes, alignments and
// strides (WGSL §"Memory Layout"). The front end, the IR and every consumer of the IR share it.
// Not thread-safe while types are added; reading is safe from any thread.
//
// Structures are nominal: each creation gives a new type. All other types are interned: the same
// type has the same index. Layout does not depend on the address space.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"
#include "facts/shader_enum.h"

typedef struct {
    uint32_t index; // 0 is "no type"
} type_id;

enum type_kind {
    TYPE_NONE,
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_I32,
    TYPE_U32,
    TYPE_F16,
    TYPE_F32,
    TYPE_ABSTRACT_INT,   // front end only
    TYPE_ABSTRACT_FLOAT, // front end only
    TYPE_VECTOR,         // element, count 2..4
    TYPE_MATRIX,         // element (a float type), columns in count, rows
    TYPE_ARRAY,          // element, count; see array_size
    TYPE_STRUCT,         // members
    TYPE_ATOMIC,         // element i32 or u32
    TYPE_POINTER,        // space, element (store type), access
    TYPE_REFERENCE,      // as TYPE_POINTER; front end only
    TYPE_BUFFER,         // buffer_view extension: count bytes, 0 = unsized; or ARRAY_OVERRIDE
    TYPE_SAMPLER,
    TYPE_SAMPLER_COMPARISON,
    TYPE_TEXTURE,              // element (sampled type), dimension
    TYPE_TEXTURE_MULTISAMPLED, // element, dimension 2D
    TYPE_TEXTURE_DEPTH,        // dimension
    TYPE_TEXTURE_DEPTH_MULTISAMPLED,
    TYPE_TEXTURE_STORAGE, // texel format index, access, dimension
    TYPE_TEXTURE_EXTERNAL,
    TYPE_KIND_COUNT
};

enum array_size {
    ARRAY_FIXED,    // count elements
    ARRAY_RUNTIME,  // the last bytes of a binding
    ARRAY_OVERRIDE, // count is an index into the IR module's override expressions
};

// What a type is or contains, computed once when the type is made; the queries below read it.
enum type_trait {
    TYPE_TRAIT_ABSTRACT = 1 << 0,
    TYPE_TRAIT_CONSTRUCTIBLE = 1 << 1,
    TYPE_TRAIT_HOST_SHAREABLE = 1 << 2,
    TYPE_TRAIT_STORABLE = 1 << 3,
    TYPE_TRAIT_CREATION_FIXED = 1 << 4,
    TYPE_TRAIT_FIXED = 1 << 5,
    TYPE_TRAIT_ATOMIC = 1 << 6,
    TYPE_TRAIT_RUNTIME_ARRAY = 1 << 7,
    TYPE_TRAIT_OVERRIDE_ARRAY = 1 << 8,
    TYPE_TRAIT_F16 = 1 << 9,
};

struct type_member {
    struct text name;
    type_id type;
    uint32_t offset_bytes;
    uint32_t align_bytes;
    uint32_t size_bytes; // with @size; 0 for a runtime-sized last member
};

struct type {
    enum type_kind kind;
    enum array_size array_size;
    enum address_space space;
    enum access_mode access;
    enum texture_dimension dimension;
    type_id element;       // vector, matrix (scalar), array, atomic, pointer, reference, texture
    uint32_t count;        // vector components, matrix columns, array elements, override expression
    uint32_t rows;         // matrix
    uint32_t texel_format; // WGPUTextureFormat value of a storage texture
    uint32_t align_bytes;  // 0 where the type has no layout
    uint32_t stride_bytes; // array, matrix column
    uint64_t size_bytes;   // runtime-sized: of the fixed part (a bare runtime array: 0)
    struct text name;      // structure; override-sized array: the count as written, for printing
    struct type_member *members;
    uint32_t member_count;
    uint32_t traits;        // set of enum type_trait
    uint32_t nesting_depth; // see type_nesting_depth
};

struct type_table {
    struct arena *arena;
    VECTOR(struct type) types; // in the arena; index 0 is TYPE_NONE
    uint32_t *buckets;         // open-addressing hash of interned types, in the arena
    uint32_t bucket_count;
};

// Makes a table with the predeclared scalar types; memory comes from the arena, which must outlive
// it. False when out of memory.
bool type_table_init(struct type_table *table, struct arena *arena);

// The scalar types have fixed indices, equal to their kind.
static inline type_id type_scalar(enum type_kind kind) {
    return (type_id){(uint32_t)kind};
}
static inline bool type_equals(type_id a, type_id b) {
    return a.index == b.index;
}
static inline const struct type *type_get(const struct type_table *table, type_id id) {
    return &table->types.items[id.index];
}
static inline enum type_kind type_kind_of(const struct type_table *table, type_id id) {
    return table->types.items[id.index].kind;
}

// Constructors; each returns index 0 when out of memory, or when a size passes 2^32 - 1 bytes for a
// fixed-footprint type (the front end reports that with its own check first).
type_id type_vector(struct type_table *table, type_id element, uint32_t count);
type_id type_matrix(struct type_table *table, type_id element, uint32_t columns, uint32_t rows);
type_id type_array(struct type_table *table, type_id element, enum array_size size, uint32_t count);
type_id type_atomic(struct type_table *table, type_id element);
type_id type_pointer(
    struct type_table *table, enum address_space space, type_id store, enum access_mode access);
type_id type_reference(
    struct type_table *table, enum address_space space, type_id store, enum access_mode access);
type_id type_buffer(struct type_table *table, uint32_t size_bytes);
type_id type_buffer_override(struct type_table *table, uint32_t expression); // see ARRAY_OVERRIDE
type_id type_opaque(struct type_table *table, const struct type *description); // samplers, textures
// members: name and type set; align_bytes and size_bytes 0 mean the natural ones, else the
// attribute's value. Offsets are computed. Members are copied.
type_id type_struct(struct type_table *table, struct text name, const struct type_member *members,
    uint32_t member_count);

// Queries. The element of a scalar is itself; component_count of a scalar is 1.
type_id type_element_of(
    const struct type_table *table, type_id id); // scalar of scalar/vector/matrix
uint32_t type_component_count(const struct type_table *table, type_id id);
// The same shape (scalar or vector) with another element type.
type_id type_with_element(struct type_table *table, type_id shape, type_id element);
bool type_is_scalar(const struct type_table *table, type_id id); // bool, numeric, abstract
bool type_is_numeric_scalar(const struct type_table *table, type_id id);
bool type_is_integer_scalar(const struct type_table *table, type_id id); // i32 u32 abstract-int
bool type_is_float_scalar(const struct type_table *table, type_id id);   // f32 f16 abstract-float
bool type_is_abstract(const struct type_table *table, type_id id);       // also composites of them
bool type_is_constructible(const struct type_table *table, type_id id);
bool type_is_host_shareable(const struct type_table *table, type_id id);
bool type_is_storable(const struct type_table *table, type_id id);
bool type_has_creation_fixed_footprint(const struct type_table *table, type_id id);
bool type_has_fixed_footprint(const struct type_table *table, type_id id); // override arrays too
bool type_contains_atomic(const struct type_table *table, type_id id);
bool type_contains_runtime_array(const struct type_table *table, type_id id);
bool type_contains_override_array(const struct type_table *table, type_id id);
// Bytes that a binding of this store type must have at least (runtime arrays count one element).
uint64_t type_minimum_binding_size(const struct type_table *table, type_id id);
// Nesting depth of composite types (WGSL limit 15); scalars are 0.
uint32_t type_nesting_depth(const struct type_table *table, type_id id);

// The scalar kind of what a texel of the texture type holds: f32, i32 or u32.
enum type_kind type_texture_channel(const struct type_table *table, type_id id);

// Layout of values in memory and in IR constants: offset of element i of a vector, matrix, array or
// of a structure member. bool occupies 4 bytes (0 or 1) in IR constants and in private memory.
uint32_t type_element_offset(const struct type_table *table, type_id id, uint32_t index);
type_id type_element_at(const struct type_table *table, type_id id, uint32_t index);

// Appends the type as the user would write it ("vec3<f32>", "ptr<storage, Particle, read_write>").
void type_print(struct text_buffer *out, const struct type_table *table, type_id id);

const char *address_space_word(enum address_space space);
const char *access_mode_word(enum access_mode access);
const char *builtin_value_word(enum builtin_value value);
