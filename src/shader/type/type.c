// SPDX-License-Identifier: MIT
//
// The type table: interning, constructors and queries. type_layout.c computes sizes and offsets,
// type_print.c the text form. Not thread-safe while types are added.
#include "shader/type/type.h"

#include "facts/texel_format.h"
#include "shader/type/type_priv.h"

static const struct type *get(const struct type_table *table, type_id id) {
    return &table->types.items[id.index];
}

static uint64_t hash_combine(uint64_t hash, uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdu;
}

static uint64_t hash_type(const struct type *type) {
    uint64_t hash = type->kind;
    hash = hash_combine(hash, type->element.index);
    hash = hash_combine(hash, type->count);
    hash = hash_combine(hash, type->rows);
    hash = hash_combine(hash,
        (uint64_t)type->array_size << 32 | (uint64_t)type->space << 16 |
            (uint64_t)type->access << 8 | (uint64_t)type->dimension);
    hash = hash_combine(hash, type->texel_format);
    return hash ^ hash >> 29;
}

static bool is_same(const struct type *a, const struct type *b) {
    return a->kind == b->kind && a->element.index == b->element.index && a->count == b->count &&
        a->rows == b->rows && a->array_size == b->array_size && a->space == b->space &&
        a->access == b->access && a->dimension == b->dimension &&
        a->texel_format == b->texel_format;
}

static void insert_bucket(struct type_table *table, uint32_t index) {
    uint32_t mask = table->bucket_count - 1;
    uint32_t at = (uint32_t)hash_type(&table->types.items[index]) & mask;
    while (table->buckets[at] != 0) {
        at = (at + 1) & mask;
    }
    table->buckets[at] = index;
}

static bool grow_buckets(struct type_table *table) {
    uint32_t count = table->bucket_count == 0 ? 64 : table->bucket_count * 2;
    uint32_t *buckets = ARENA_ARRAY(table->arena, uint32_t, count);
    TRY(buckets != NULL);
    table->buckets = buckets;
    table->bucket_count = count;
    for (uint32_t i = 1; i < table->types.count; i++) {
        if (table->types.items[i].kind != TYPE_STRUCT) {
            insert_bucket(table, i);
        }
    }
    return true;
}

static type_id append(struct type_table *table, const struct type *type) {
    type_id none = {0};
    if (!arena_vector_push(table->arena, &table->types, *type)) {
        return none;
    }
    return (type_id){(uint32_t)(table->types.count - 1)};
}

static type_id find(const struct type_table *table, const struct type *type) {
    uint32_t mask = table->bucket_count - 1;
    uint32_t at = (uint32_t)hash_type(type) & mask;
    while (table->buckets[at] != 0) {
        if (is_same(&table->types.items[table->buckets[at]], type)) {
            return (type_id){table->buckets[at]};
        }
        at = (at + 1) & mask;
    }
    return (type_id){0};
}

type_id type_find_vector(const struct type_table *table, type_id element, uint32_t count) {
    struct type type = {.kind = TYPE_VECTOR, .element = element, .count = count};
    return find(table, &type);
}

// The table's type that equals *type, made when it is new.
static type_id intern(struct type_table *table, struct type *type) {
    type_id none = {0};
    type_id found = find(table, type);
    if (found.index != 0) {
        return found;
    }
    if (!type_compute(table, type)) {
        return none;
    }
    if (table->types.count * 2 >= table->bucket_count && !grow_buckets(table)) {
        return none;
    }
    type_id id = append(table, type);
    if (id.index != 0) {
        insert_bucket(table, id.index);
    }
    return id;
}

bool type_table_init(struct type_table *table, struct arena *arena) {
    *table = (struct type_table){.arena = arena};
    struct type none = {.kind = TYPE_NONE};
    TRY(arena_vector_push(arena, &table->types, none));
    for (int kind = TYPE_VOID; kind <= TYPE_ABSTRACT_FLOAT; kind++) {
        struct type scalar = {.kind = (enum type_kind)kind};
        TRY(type_compute(table, &scalar));
        TRY(append(table, &scalar).index == (uint32_t)kind);
    }
    return grow_buckets(table);
}

type_id type_vector(struct type_table *table, type_id element, uint32_t count) {
    struct type type = {.kind = TYPE_VECTOR, .element = element, .count = count};
    return intern(table, &type);
}

type_id type_matrix(struct type_table *table, type_id element, uint32_t columns, uint32_t rows) {
    // The column vector's type exists whenever the matrix's does: type_element_at finds it.
    if (type_vector(table, element, rows).index == 0) {
        return (type_id){0};
    }
    struct type type = {.kind = TYPE_MATRIX, .element = element, .count = columns, .rows = rows};
    return intern(table, &type);
}

type_id type_array(
    struct type_table *table, type_id element, enum array_size size, uint32_t count) {
    struct type type = {.kind = TYPE_ARRAY,
        .array_size = size,
        .element = element,
        .count = size == ARRAY_RUNTIME ? 0 : count};
    return intern(table, &type);
}

type_id type_atomic(struct type_table *table, type_id element) {
    struct type type = {.kind = TYPE_ATOMIC, .element = element};
    return intern(table, &type);
}

type_id type_pointer(
    struct type_table *table, enum address_space space, type_id store, enum access_mode access) {
    struct type type = {.kind = TYPE_POINTER, .space = space, .element = store, .access = access};
    return intern(table, &type);
}

type_id type_reference(
    struct type_table *table, enum address_space space, type_id store, enum access_mode access) {
    struct type type = {.kind = TYPE_REFERENCE, .space = space, .element = store, .access = access};
    return intern(table, &type);
}

type_id type_buffer(struct type_table *table, uint32_t size_bytes) {
    struct type type = {.kind = TYPE_BUFFER, .count = size_bytes};
    return intern(table, &type);
}

type_id type_buffer_override(struct type_table *table, uint32_t expression) {
    struct type type = {
        .kind = TYPE_BUFFER, .array_size = ARRAY_OVERRIDE, .count = expression};
    return intern(table, &type);
}

type_id type_opaque(struct type_table *table, const struct type *description) {
    struct type type = {.kind = description->kind,
        .element = description->element,
        .dimension = description->dimension,
        .access = description->access,
        .texel_format = description->texel_format};
    return intern(table, &type);
}

type_id type_struct(struct type_table *table, struct text name, const struct type_member *members,
    uint32_t member_count) {
    struct type type = {.kind = TYPE_STRUCT, .name = name, .member_count = member_count};
    type.members = arena_copy(table->arena, members, member_count * sizeof(*members));
    if (type.members == NULL || !type_compute(table, &type)) {
        return (type_id){0};
    }
    return append(table, &type);
}

type_id type_element_of(const struct type_table *table, type_id id) {
    const struct type *type = get(table, id);
    return type->kind == TYPE_VECTOR || type->kind == TYPE_MATRIX ? type->element : id;
}

uint32_t type_component_count(const struct type_table *table, type_id id) {
    const struct type *type = get(table, id);
    switch (type->kind) {
    case TYPE_VECTOR:
        return type->count;
    case TYPE_MATRIX:
        return type->count * type->rows;
    default: // scalars and everything else that has no components
        return 1;
    }
}

type_id type_with_element(struct type_table *table, type_id shape, type_id element) {
    const struct type *type = get(table, shape);
    if (type->kind == TYPE_VECTOR) {
        return type_vector(table, element, type->count);
    }
    if (type->kind == TYPE_MATRIX) {
        return type_matrix(table, element, type->count, type->rows);
    }
    return element;
}

bool type_is_scalar(const struct type_table *table, type_id id) {
    enum type_kind kind = get(table, id)->kind;
    return kind >= TYPE_BOOL && kind <= TYPE_ABSTRACT_FLOAT;
}

bool type_is_numeric_scalar(const struct type_table *table, type_id id) {
    enum type_kind kind = get(table, id)->kind;
    return kind >= TYPE_I32 && kind <= TYPE_ABSTRACT_FLOAT;
}

bool type_is_integer_scalar(const struct type_table *table, type_id id) {
    enum type_kind kind = get(table, id)->kind;
    return kind == TYPE_I32 || kind == TYPE_U32 || kind == TYPE_ABSTRACT_INT;
}

bool type_is_float_scalar(const struct type_table *table, type_id id) {
    enum type_kind kind = get(table, id)->kind;
    return kind == TYPE_F32 || kind == TYPE_F16 || kind == TYPE_ABSTRACT_FLOAT;
}

bool type_is_abstract(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_ABSTRACT;
}

bool type_is_constructible(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_CONSTRUCTIBLE;
}

bool type_is_host_shareable(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_HOST_SHAREABLE;
}

bool type_is_storable(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_STORABLE;
}

bool type_has_creation_fixed_footprint(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_CREATION_FIXED;
}

bool type_has_fixed_footprint(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_FIXED;
}

bool type_contains_atomic(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_ATOMIC;
}

bool type_contains_runtime_array(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_RUNTIME_ARRAY;
}

bool type_contains_override_array(const struct type_table *table, type_id id) {
    return get(table, id)->traits & TYPE_TRAIT_OVERRIDE_ARRAY;
}

uint32_t type_nesting_depth(const struct type_table *table, type_id id) {
    return get(table, id)->nesting_depth;
}

enum type_kind type_texture_channel(const struct type_table *table, type_id id) {
    const struct type *type = get(table, id);
    if (type->kind == TYPE_TEXTURE || type->kind == TYPE_TEXTURE_MULTISAMPLED) {
        return type_kind_of(table, type->element);
    }
    if (type->kind == TYPE_TEXTURE_STORAGE) {
        enum texel_channel channel = texel_format_channel(type->texel_format);
        return channel == TEXEL_CHANNEL_I32 ? TYPE_I32
            : channel == TEXEL_CHANNEL_U32  ? TYPE_U32
                                            : TYPE_F32;
    }
    return TYPE_F32;
}
