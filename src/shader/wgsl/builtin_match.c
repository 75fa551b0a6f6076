// SPDX-License-Identifier: MIT
//
// WGSL §Conversion Rank and §Overload Resolution. For each overload the arguments' shapes fix the
// sizes; then each admitted pair of scalar types for S and I is a candidate, feasible if every
// argument converts; of the feasible ones the single candidate that is preferred over all others is
// taken. See builtin_table.h for threads.
#include "shader/wgsl/builtin_priv.h"

#define RANK_INFINITE UINT32_MAX
#define CANDIDATE_LIMIT 64

static uint32_t scalar_rank(enum type_kind from, enum type_kind to) {
    if (from == to) {
        return 0;
    }
    if (from == TYPE_ABSTRACT_FLOAT) {
        return to == TYPE_F32 ? 1 : to == TYPE_F16 ? 2 : RANK_INFINITE;
    }
    if (from == TYPE_ABSTRACT_INT) {
        switch (to) {
        case TYPE_I32:
            return 3;
        case TYPE_U32:
            return 4;
        case TYPE_ABSTRACT_FLOAT:
            return 5;
        case TYPE_F32:
            return 6;
        case TYPE_F16:
            return 7;
        default:
            return RANK_INFINITE;
        }
    }
    return RANK_INFINITE;
}

static uint32_t result_structure_rank(
    const struct builtin_structures *structures, type_id from, type_id to) {
    for (uint32_t count = 1; count <= 4; count++) {
        if (type_equals(structures->frexp[TYPE_ABSTRACT_FLOAT][count], from)) {
            return type_equals(structures->frexp[TYPE_F32][count], to) ? 1
                : type_equals(structures->frexp[TYPE_F16][count], to)  ? 2
                                                                       : RANK_INFINITE;
        }
        if (type_equals(structures->modf[TYPE_ABSTRACT_FLOAT][count], from)) {
            return type_equals(structures->modf[TYPE_F32][count], to) ? 1
                : type_equals(structures->modf[TYPE_F16][count], to)  ? 2
                                                                      : RANK_INFINITE;
        }
    }
    return RANK_INFINITE;
}

uint32_t builtin_conversion_rank(const struct type_table *types,
    const struct builtin_structures *structures, type_id from, type_id to) {
    // Arrays nest at most as deep as types do; each step goes one level in.
    for (;;) {
        if (type_equals(from, to)) {
            return 0;
        }
        const struct type *a = type_get(types, from), *b = type_get(types, to);
        if (!(a->traits & TYPE_TRAIT_ABSTRACT)) {
            return RANK_INFINITE;
        }
        if (a->kind == TYPE_STRUCT) {
            return result_structure_rank(structures, from, to);
        }
        if (a->kind != b->kind &&
            (a->kind == TYPE_VECTOR || a->kind == TYPE_MATRIX || a->kind == TYPE_ARRAY)) {
            return RANK_INFINITE;
        }
        if (a->kind == TYPE_VECTOR || a->kind == TYPE_MATRIX || a->kind == TYPE_ARRAY) {
            if (a->count != b->count || a->rows != b->rows || a->array_size != b->array_size) {
                return RANK_INFINITE;
            }
            from = a->element;
            to = b->element;
            continue;
        }
        return scalar_rank(a->kind, b->kind);
    }
}

struct candidate {
    uint16_t overload;
    enum type_kind scalars[BUILTIN_TYPE_PARAMETERS];
    uint32_t ranks[BUILTIN_PARAMETER_LIMIT];
};

// What the sizes N, C, R, K stand for; 0: not known yet. N may be 1 for a scalar.
struct sizes {
    uint8_t values[4];
};

static bool bind_size(struct sizes *sizes, uint8_t pattern, uint32_t actual) {
    if (pattern < SIZE_N) {
        return pattern == actual;
    }
    uint8_t *value = &sizes->values[pattern == SIZE_N_OR_SCALAR ? 0 : pattern - SIZE_N];
    if (*value == 0) {
        *value = (uint8_t)actual;
    }
    return *value == actual;
}

static bool match_pointer(const struct type_table *types, const struct builtin_pattern *pattern,
    const struct type *argument) {
    if (argument->kind != TYPE_POINTER) {
        return false;
    }
    if (pattern->is_workgroup && argument->space != SPACE_WORKGROUP) {
        return false;
    }
    const struct type *store = type_get(types, argument->element);
    switch (pattern->kind) {
    case PATTERN_POINTER_ATOMIC:
        return store->kind == TYPE_ATOMIC && argument->access == ACCESS_READ_WRITE;
    case PATTERN_POINTER_RUNTIME_ARRAY:
        return store->kind == TYPE_ARRAY && store->array_size == ARRAY_RUNTIME;
    default:
        return (store->traits & TYPE_TRAIT_CONSTRUCTIBLE) != 0;
    }
}

static bool match_handle(const struct builtin_pattern *pattern, const struct type *argument,
    const struct builtin_overload *overload) {
    return argument->kind == (enum type_kind)pattern->opaque &&
        (argument->kind == TYPE_TEXTURE_EXTERNAL || argument->kind < TYPE_TEXTURE ||
            argument->dimension == (enum texture_dimension)pattern->dimension) &&
        (argument->kind != TYPE_TEXTURE_STORAGE || overload->access_modes == 0 ||
            overload->access_modes >> argument->access & 1);
}

static bool match_shape(const struct type_table *types, const struct builtin_overload *overload,
    uint32_t number, type_id id, struct sizes *sizes) {
    const struct builtin_pattern *pattern = &overload->parameters[number];
    const struct type *argument = type_get(types, id);
    if (pattern->kind == PATTERN_HANDLE) {
        return match_handle(pattern, argument, overload);
    }
    if (pattern->kind != PATTERN_VALUE) {
        return match_pointer(types, pattern, argument);
    }
    if (argument->kind == TYPE_MATRIX) {
        return pattern->rows != 0 && bind_size(sizes, pattern->columns, argument->count) &&
            bind_size(sizes, pattern->rows, argument->rows);
    }
    if (pattern->rows != 0) {
        return false;
    }
    if (argument->kind == TYPE_VECTOR) {
        return pattern->columns != 0 && bind_size(sizes, pattern->columns, argument->count);
    }
    if (!type_is_scalar(types, id)) {
        return false;
    }
    return pattern->columns == 0 ||
        (pattern->columns == SIZE_N_OR_SCALAR && bind_size(sizes, pattern->columns, 1));
}

static enum type_kind element_kind(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    switch (type->kind) {
    case TYPE_VECTOR:
    case TYPE_MATRIX:
        return type_kind_of(types, type->element);
    case TYPE_POINTER: {
        const struct type *store = type_get(types, type->element);
        return store->kind == TYPE_ATOMIC ? type_kind_of(types, store->element) : TYPE_NONE;
    }
    case TYPE_TEXTURE:
    case TYPE_TEXTURE_MULTISAMPLED:
    case TYPE_TEXTURE_STORAGE:
        return type_texture_channel(types, id);
    default:
        return type->kind;
    }
}

static bool is_abstract(enum type_kind kind) {
    return kind == TYPE_ABSTRACT_INT || kind == TYPE_ABSTRACT_FLOAT;
}

static enum type_kind get_kind(const struct candidate *candidate, uint8_t element) {
    return element >= ELEMENT_S ? candidate->scalars[element - ELEMENT_S] : (enum type_kind)element;
}

// Fills the ranks of one substitution; false when it does not apply.
static bool rank_candidate(const struct type_table *types, const struct builtin_overload *overload,
    const type_id *arguments, bool all_const, struct candidate *candidate) {
    for (uint32_t i = 0; i < overload->parameter_count; i++) {
        const struct builtin_pattern *pattern = &overload->parameters[i];
        candidate->ranks[i] = 0;
        if (pattern->kind == PATTERN_POINTER_RUNTIME_ARRAY ||
            pattern->kind == PATTERN_POINTER_ANY) {
            continue;
        }
        enum type_kind to = get_kind(candidate, pattern->element);
        if (pattern->kind == PATTERN_HANDLE && to == TYPE_NONE) {
            continue; // a sampler, or a texture of any channel type
        }
        enum type_kind from = element_kind(types, arguments[i]);
        uint32_t rank = scalar_rank(from, to);
        if (rank == RANK_INFINITE || (pattern->kind != PATTERN_VALUE && rank != 0) ||
            (is_abstract(to) && !all_const)) {
            return false;
        }
        candidate->ranks[i] = rank;
    }
    // ldexp: T is abstract if and only if I is.
    if (overload->sets[1] & 1 << TYPE_ABSTRACT_INT) {
        return is_abstract(candidate->scalars[0]) == is_abstract(candidate->scalars[1]);
    }
    return true;
}

static bool is_preferred(const struct candidate *a, const struct candidate *b, uint32_t count) {
    bool is_better = false;
    for (uint32_t i = 0; i < count; i++) {
        if (a->ranks[i] > b->ranks[i]) {
            return false;
        }
        is_better |= a->ranks[i] < b->ranks[i];
    }
    return is_better;
}

static type_id instantiate(struct type_table *types, struct builtin_structures *structures,
    const struct builtin_pattern *pattern, const struct candidate *candidate,
    const struct sizes *sizes);

static uint32_t get_size(const struct sizes *sizes, uint8_t pattern) {
    if (pattern < SIZE_N) {
        return pattern;
    }
    return sizes->values[pattern == SIZE_N_OR_SCALAR ? 0 : pattern - SIZE_N];
}

static type_id make_structure(struct type_table *types, const char *stem, enum type_kind element,
    uint32_t count, const char *first, type_id first_type, const char *second,
    type_id second_type) {
    static const char *const suffixes[] = {[TYPE_F32] = "f32",
        [TYPE_F16] = "f16",
        [TYPE_I32] = "i32",
        [TYPE_U32] = "u32",
        [TYPE_ABSTRACT_FLOAT] = "abstract"};
    char *name = count > 1
        ? text_format(types->arena, "%s_vec%u_%s", stem, (unsigned)count, suffixes[element])
        : text_format(types->arena, "%s_%s", stem, suffixes[element]);
    if (name == NULL || first_type.index == 0 || second_type.index == 0) {
        return (type_id){0};
    }
    struct type_member members[] = {{.name = text_from_string(first), .type = first_type},
        {.name = text_from_string(second), .type = second_type}};
    return type_struct(types, text_from_string(name), members, 2);
}

static type_id make_split_result(struct type_table *types, struct builtin_structures *structures,
    bool is_frexp, enum type_kind element, uint32_t count) {
    type_id *slot = is_frexp ? &structures->frexp[element][count]
                             : &structures->modf[element][count];
    if (slot->index == 0) {
        type_id scalar = type_scalar(element);
        type_id fract = count > 1 ? type_vector(types, scalar, count) : scalar;
        type_id other = fract;
        if (is_frexp) {
            other = type_scalar(element == TYPE_ABSTRACT_FLOAT ? TYPE_ABSTRACT_INT : TYPE_I32);
            other = count > 1 ? type_vector(types, other, count) : other;
        }
        *slot = make_structure(types, is_frexp ? "__frexp_result" : "__modf_result", element, count,
            "fract", fract, is_frexp ? "exp" : "whole", other);
    }
    return *slot;
}

static type_id make_compare_exchange_result(
    struct type_table *types, struct builtin_structures *structures, enum type_kind element) {
    type_id *slot = &structures->compare_exchange[element];
    if (slot->index == 0) {
        *slot = make_structure(types, "__atomic_compare_exchange_result", element, 1, "old_value",
            type_scalar(element), "exchanged", type_scalar(TYPE_BOOL));
    }
    return *slot;
}

static type_id instantiate(struct type_table *types, struct builtin_structures *structures,
    const struct builtin_pattern *pattern, const struct candidate *candidate,
    const struct sizes *sizes) {
    enum type_kind kind = get_kind(candidate, pattern->element);
    type_id scalar = type_scalar(kind);
    uint32_t columns = get_size(sizes, pattern->columns);
    switch ((enum pattern_kind)pattern->kind) {
    case PATTERN_FREXP_RESULT:
    case PATTERN_MODF_RESULT: {
        // Both abstract and concrete forms are made, so that the conversion between them exists.
        bool is_frexp = pattern->kind == PATTERN_FREXP_RESULT;
        uint32_t count = sizes->values[0];
        if (candidate->scalars[0] == TYPE_ABSTRACT_FLOAT) {
            make_split_result(types, structures, is_frexp, TYPE_F32, count);
            make_split_result(types, structures, is_frexp, TYPE_F16, count);
        }
        return make_split_result(types, structures, is_frexp, candidate->scalars[0], count);
    }
    case PATTERN_COMPARE_EXCHANGE_RESULT:
        return make_compare_exchange_result(types, structures, candidate->scalars[0]);
    case PATTERN_VALUE:
    case PATTERN_POINTER_ATOMIC:
    case PATTERN_POINTER_RUNTIME_ARRAY:
    case PATTERN_POINTER_ANY:
    case PATTERN_ANY:
    case PATTERN_HANDLE:
        break;
    }
    if (pattern->rows != 0) {
        return type_matrix(types, scalar, columns, get_size(sizes, pattern->rows));
    }
    return columns > 1 ? type_vector(types, scalar, columns) : scalar;
}

// The next kind that the type parameter may be, TYPE_KIND_COUNT after the last. A parameter that the
// signature does not have is TYPE_NONE.
static int next_kind(const struct builtin_overload *overload, uint32_t parameter, int kind) {
    if (overload->sets[parameter] == 0) {
        return kind < TYPE_NONE ? TYPE_NONE : TYPE_KIND_COUNT;
    }
    do {
        kind++;
    } while (kind <= TYPE_ABSTRACT_FLOAT && !(overload->sets[parameter] >> kind & 1));
    return kind <= TYPE_ABSTRACT_FLOAT ? kind : TYPE_KIND_COUNT;
}

// All substitutions of the type parameters, counted like the digits of a number.
static void collect(const struct type_table *types, const struct builtin_overload *overload,
    uint16_t number, const type_id *arguments, bool all_const, struct candidate *candidates,
    uint32_t *count) {
    struct candidate candidate = {.overload = number};
    for (uint32_t i = 0; i < BUILTIN_TYPE_PARAMETERS; i++) {
        candidate.scalars[i] = (enum type_kind)next_kind(overload, i, -1);
    }
    for (;;) {
        if (*count < CANDIDATE_LIMIT &&
            rank_candidate(types, overload, arguments, all_const, &candidate)) {
            candidates[(*count)++] = candidate;
        }
        uint32_t digit = BUILTIN_TYPE_PARAMETERS;
        while (digit > 0) {
            int kind = next_kind(overload, digit - 1, (int)candidate.scalars[digit - 1]);
            if (kind != TYPE_KIND_COUNT) {
                candidate.scalars[digit - 1] = (enum type_kind)kind;
                break;
            }
            candidate.scalars[digit - 1] = (enum type_kind)next_kind(overload, digit - 1, -1);
            digit--;
        }
        if (digit == 0) {
            return;
        }
    }
}

static const struct candidate *choose(
    const struct candidate *candidates, uint32_t count, uint32_t position_count) {
    for (uint32_t i = 0; i < count; i++) {
        bool is_best = true;
        for (uint32_t j = 0; j < count && is_best; j++) {
            is_best = i == j || is_preferred(&candidates[i], &candidates[j], position_count);
        }
        if (is_best) {
            return &candidates[i];
        }
    }
    return NULL;
}

static void fill(struct type_table *types, struct builtin_structures *structures,
    const struct builtin_overload *overload, const struct candidate *chosen,
    const type_id *arguments, struct builtin_match *match) {
    struct sizes sizes = {{0}};
    for (uint32_t i = 0; i < overload->parameter_count; i++) {
        match_shape(types, overload, i, arguments[i], &sizes);
    }
    match->status = BUILTIN_MATCH_FOUND;
    match->overload = chosen->overload;
    match->types[0] = type_scalar(chosen->scalars[0]);
    match->types[1] = type_scalar(chosen->scalars[1]);
    for (uint32_t i = 0; i < overload->parameter_count; i++) {
        match->parameters[i] = overload->parameters[i].kind == PATTERN_VALUE
            ? instantiate(types, structures, &overload->parameters[i], chosen, &sizes)
            : arguments[i];
        if (match->parameters[i].index == 0) {
            match->status = BUILTIN_MATCH_ERROR;
        }
        if (overload->parameters[i].is_const) {
            match->const_parameters |= (uint8_t)(1u << i);
        }
    }
    match->takes_pointer_atomic = overload->parameter_count != 0 &&
        overload->parameters[0].kind == PATTERN_POINTER_ATOMIC;
    match->result = type_scalar(TYPE_VOID);
    if (overload->has_result) {
        match->result = overload->result.kind == PATTERN_ANY
            ? type_get(types, arguments[0])->element
            : instantiate(types, structures, &overload->result, chosen, &sizes);
        if (match->result.index == 0) {
            match->status = BUILTIN_MATCH_ERROR;
        }
    }
}

bool builtin_takes_handles(struct builtin_cache *cache, const struct type_table *types, uint32_t id,
    uint32_t number, const type_id *arguments, uint32_t argument_count) {
    const struct builtin_overloads *overloads = builtin_parse(cache, id);
    if (overloads == NULL) {
        return true;
    }
    const struct builtin_overload *overload = &overloads->items[number];
    for (uint32_t i = 0; i < argument_count && i < overload->parameter_count; i++) {
        enum type_kind kind = type_kind_of(types, arguments[i]);
        bool is_handle = kind >= TYPE_SAMPLER && kind <= TYPE_TEXTURE_EXTERNAL;
        bool wants_handle = overload->parameters[i].kind == PATTERN_HANDLE;
        struct sizes sizes = {{0}};
        if (is_handle != wants_handle ||
            (is_handle && !match_shape(types, overload, i, arguments[i], &sizes))) {
            return false;
        }
    }
    return true;
}

struct builtin_match builtin_resolve(struct builtin_cache *cache, struct type_table *types,
    struct builtin_structures *structures, uint32_t id, const type_id *arguments,
    const bool *is_const, uint32_t argument_count) {
    struct builtin_match match = {.status = BUILTIN_MATCH_NONE};
    struct candidate candidates[CANDIDATE_LIMIT];
    uint32_t count = 0;
    bool all_const = true;
    for (uint32_t i = 0; i < argument_count; i++) {
        all_const = all_const && is_const[i];
    }
    const struct builtin_overloads *overloads = builtin_parse(cache, id);
    if (overloads == NULL) {
        match.status = BUILTIN_MATCH_ERROR;
        return match;
    }
    for (uint32_t i = 0; i < overloads->count; i++) {
        const struct builtin_overload *overload = &overloads->items[i];
        struct sizes sizes = {{0}};
        bool is_fitting = overload->parameter_count == argument_count;
        for (uint32_t j = 0; is_fitting && j < argument_count; j++) {
            is_fitting = match_shape(types, overload, j, arguments[j], &sizes);
        }
        if (is_fitting) {
            collect(types, overload, (uint16_t)i, arguments, all_const, candidates, &count);
        }
    }
    if (count == 0) {
        return match;
    }
    const struct candidate *chosen = choose(candidates, count, argument_count);
    if (chosen == NULL) {
        match.status = BUILTIN_MATCH_AMBIGUOUS;
        return match;
    }
    fill(types, structures, &overloads->items[chosen->overload], chosen, arguments, &match);
    return match;
}
