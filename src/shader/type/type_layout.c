// SPDX-License-Identifier: MIT
//
// WGSL §Memory Layout: alignment, size, stride, member offsets; and the traits of a type, computed
// once when the type is made. Abstract numbers get a layout of 8 bytes, so that constants of every
// type have one; no shader sees it.
#include "shader/type/type_priv.h"

static uint64_t round_up(uint64_t alignment, uint64_t value) {
    return alignment == 0 ? value : (value + alignment - 1) / alignment * alignment;
}

enum {
    TRAITS_PLAIN = TYPE_TRAIT_CONSTRUCTIBLE | TYPE_TRAIT_STORABLE | TYPE_TRAIT_CREATION_FIXED |
        TYPE_TRAIT_FIXED,
    // What a composite has only if every part has it.
    TRAITS_OF_ALL = TYPE_TRAIT_CONSTRUCTIBLE | TYPE_TRAIT_HOST_SHAREABLE | TYPE_TRAIT_STORABLE |
        TYPE_TRAIT_CREATION_FIXED | TYPE_TRAIT_FIXED,
    // What a composite has as soon as one part has it.
    TRAITS_OF_ANY = TYPE_TRAIT_ABSTRACT | TYPE_TRAIT_ATOMIC | TYPE_TRAIT_RUNTIME_ARRAY |
        TYPE_TRAIT_OVERRIDE_ARRAY | TYPE_TRAIT_F16,
};

static void compute_scalar(struct type *type) {
    type->traits = TRAITS_PLAIN | TYPE_TRAIT_HOST_SHAREABLE;
    type->size_bytes = 4;
    if (type->kind == TYPE_BOOL) {
        type->traits = TRAITS_PLAIN;
    } else if (type->kind == TYPE_F16) {
        type->traits |= TYPE_TRAIT_F16;
        type->size_bytes = 2;
    } else if (type->kind == TYPE_ABSTRACT_INT || type->kind == TYPE_ABSTRACT_FLOAT) {
        type->traits = TYPE_TRAIT_ABSTRACT | TYPE_TRAIT_CONSTRUCTIBLE | TYPE_TRAIT_CREATION_FIXED |
            TYPE_TRAIT_FIXED;
        type->size_bytes = 8;
    }
    type->align_bytes = (uint32_t)type->size_bytes;
}

static void compute_vector(const struct type_table *table, struct type *type) {
    const struct type *element = type_get(table, type->element);
    uint32_t scalar = (uint32_t)element->size_bytes;
    type->traits = element->traits;
    type->align_bytes = scalar * (type->count == 2 ? 2 : 4);
    type->stride_bytes = scalar;
    type->size_bytes = (uint64_t)scalar * type->count;
    type->nesting_depth = 1;
}

static void compute_matrix(const struct type_table *table, struct type *type) {
    const struct type *element = type_get(table, type->element);
    uint32_t scalar = (uint32_t)element->size_bytes;
    type->traits = element->traits;
    type->align_bytes = scalar * (type->rows == 2 ? 2 : 4);
    type->stride_bytes = type->align_bytes;
    type->size_bytes = (uint64_t)type->stride_bytes * type->count;
    type->nesting_depth = 2;
}

static bool compute_array(const struct type_table *table, struct type *type) {
    const struct type *element = type_get(table, type->element);
    uint64_t stride = round_up(element->align_bytes, element->size_bytes);
    TRY(stride <= UINT32_MAX);
    type->align_bytes = element->align_bytes;
    type->stride_bytes = (uint32_t)stride;
    type->nesting_depth = element->nesting_depth + 1;
    type->traits = element->traits;
    switch (type->array_size) {
    case ARRAY_FIXED:
        type->size_bytes = stride * type->count; // both below 2^32
        TRY(type->size_bytes <= UINT32_MAX);
        break;
    case ARRAY_RUNTIME:
        type->traits &= (uint32_t) ~(
            TYPE_TRAIT_CONSTRUCTIBLE | TYPE_TRAIT_CREATION_FIXED | TYPE_TRAIT_FIXED);
        type->traits |= TYPE_TRAIT_RUNTIME_ARRAY;
        break;
    case ARRAY_OVERRIDE:
        type->traits &= (uint32_t) ~(
            TYPE_TRAIT_CONSTRUCTIBLE | TYPE_TRAIT_HOST_SHAREABLE | TYPE_TRAIT_CREATION_FIXED);
        type->traits |= TYPE_TRAIT_OVERRIDE_ARRAY;
        break;
    }
    return true;
}

static bool compute_struct(const struct type_table *table, struct type *type) {
    uint64_t end = 0;
    uint32_t of_all = TRAITS_OF_ALL, of_any = 0;
    type->align_bytes = 1;
    for (uint32_t i = 0; i < type->member_count; i++) {
        struct type_member *member = &type->members[i];
        const struct type *inner = type_get(table, member->type);
        if (member->align_bytes == 0) {
            member->align_bytes = inner->align_bytes;
        }
        if (member->size_bytes == 0) {
            TRY(inner->size_bytes <= UINT32_MAX);
            member->size_bytes = (uint32_t)inner->size_bytes;
        }
        uint64_t offset = round_up(member->align_bytes, end);
        TRY(offset <= UINT32_MAX);
        member->offset_bytes = (uint32_t)offset;
        end = offset + member->size_bytes;
        if (member->align_bytes > type->align_bytes) {
            type->align_bytes = member->align_bytes;
        }
        if (inner->nesting_depth > type->nesting_depth) {
            type->nesting_depth = inner->nesting_depth;
        }
        of_all &= inner->traits;
        of_any |= inner->traits & TRAITS_OF_ANY;
    }
    type->nesting_depth++;
    type->traits = of_all | of_any;
    type->size_bytes = of_any & TYPE_TRAIT_RUNTIME_ARRAY ? end : round_up(type->align_bytes, end);
    return type->size_bytes <= UINT32_MAX;
}

bool type_compute(const struct type_table *table, struct type *type) {
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_F16:
    case TYPE_F32:
    case TYPE_ABSTRACT_INT:
    case TYPE_ABSTRACT_FLOAT:
        compute_scalar(type);
        return true;
    case TYPE_VECTOR:
        compute_vector(table, type);
        return true;
    case TYPE_MATRIX:
        compute_matrix(table, type);
        return true;
    case TYPE_ARRAY:
        return compute_array(table, type);
    case TYPE_STRUCT:
        return compute_struct(table, type);
    case TYPE_ATOMIC:
        type->align_bytes = 4;
        type->size_bytes = 4;
        type->traits = (TRAITS_PLAIN & ~TYPE_TRAIT_CONSTRUCTIBLE) | TYPE_TRAIT_HOST_SHAREABLE |
            TYPE_TRAIT_ATOMIC;
        return true;
    case TYPE_BUFFER:
        // Nothing contains a buffer; 16 suits every view that can be made of one.
        type->align_bytes = 16;
        if (type->array_size == ARRAY_OVERRIDE) {
            type->traits = TYPE_TRAIT_STORABLE | TYPE_TRAIT_FIXED | TYPE_TRAIT_OVERRIDE_ARRAY;
            return true;
        }
        type->size_bytes = type->count;
        type->traits = TYPE_TRAIT_STORABLE | TYPE_TRAIT_HOST_SHAREABLE;
        if (type->count != 0) {
            type->traits |= TYPE_TRAIT_CREATION_FIXED | TYPE_TRAIT_FIXED;
        }
        return true;
    case TYPE_SAMPLER:
    case TYPE_SAMPLER_COMPARISON:
    case TYPE_TEXTURE:
    case TYPE_TEXTURE_MULTISAMPLED:
    case TYPE_TEXTURE_DEPTH:
    case TYPE_TEXTURE_DEPTH_MULTISAMPLED:
    case TYPE_TEXTURE_STORAGE:
    case TYPE_TEXTURE_EXTERNAL:
        type->traits = TYPE_TRAIT_STORABLE;
        return true;
    case TYPE_NONE:
    case TYPE_VOID:
    case TYPE_POINTER:
    case TYPE_REFERENCE:
    case TYPE_KIND_COUNT:
        return true;
    }
    return false;
}

uint64_t type_minimum_binding_size(const struct type_table *table, type_id id) {
    const struct type *type = type_get(table, id);
    if (type->kind == TYPE_ARRAY && type->array_size == ARRAY_RUNTIME) {
        return type->stride_bytes;
    }
    if (type->kind == TYPE_STRUCT && type->traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        const struct type_member *last = &type->members[type->member_count - 1];
        uint64_t end = (uint64_t)last->offset_bytes + type_get(table, last->type)->stride_bytes;
        return round_up(type->align_bytes, end);
    }
    return type->size_bytes;
}

uint32_t type_element_offset(const struct type_table *table, type_id id, uint32_t index) {
    const struct type *type = type_get(table, id);
    if (type->kind == TYPE_STRUCT) {
        return type->members[index].offset_bytes;
    }
    return type->stride_bytes * index;
}

type_id type_element_at(const struct type_table *table, type_id id, uint32_t index) {
    const struct type *type = type_get(table, id);
    switch (type->kind) {
    case TYPE_STRUCT:
        return type->members[index].type;
    case TYPE_MATRIX:
        // Interned together with the matrix, so that looking it up adds nothing.
        return type_find_vector(table, type->element, type->rows);
    case TYPE_VECTOR:
    case TYPE_ARRAY:
    case TYPE_ATOMIC:
        return type->element;
    default: // nothing else has elements
        return (type_id){0};
    }
}
