// SPDX-License-Identifier: MIT
//
// The rows of builtin.def, and the parser of their signatures. The rows are constant; a signature is
// parsed when its function is first called in a module. See builtin_table.h for threads.
#include "shader/wgsl/builtin_table.h"

#include <string.h>

#include "shader/wgsl/builtin_priv.h"

#define CONST BUILTIN_FLAG_CONST
#define MUST_USE BUILTIN_FLAG_MUST_USE
#define COMPUTE_ONLY BUILTIN_FLAG_COMPUTE_ONLY
#define FRAGMENT_ONLY BUILTIN_FLAG_FRAGMENT_ONLY
#define NOT_VERTEX BUILTIN_FLAG_NOT_VERTEX
#define ATOMIC BUILTIN_FLAG_ATOMIC
#define SUBGROUP BUILTIN_FLAG_SUBGROUP
#define UNIFORM_FLOW BUILTIN_FLAG_UNIFORM_FLOW
#define DERIVATIVE_FLOW BUILTIN_FLAG_DERIVATIVE_FLOW
#define SUBGROUP_FLOW BUILTIN_FLAG_SUBGROUP_FLOW

static const struct builtin_info rows[] = {
#define BUILTIN(id, text, flags, lowering, float_op, signed_op, unsigned_op) \
    {text, flags, BUILTIN_LOWERING_##lowering, IR_##float_op, IR_##signed_op, IR_##unsigned_op},
#include "shader/wgsl/builtin.def"
};

// In the order of the rows, so that the overloads of one function are neighbours.
static const struct {
    uint16_t id;
    const char *signature;
    const char *where;
} overload_rows[] = {
#define OVERLOAD(id, signature, where) {BUILTIN_##id, signature, where},
#include "shader/wgsl/builtin.def"
};

enum { OVERLOAD_ROW_COUNT = sizeof(overload_rows) / sizeof(overload_rows[0]) };

const struct builtin_info *builtin_get(uint32_t id) {
    return &rows[id];
}

uint32_t builtin_find(struct text name) {
    for (uint32_t id = 0; id < BUILTIN_COUNT; id++) {
        if (rows[id].lowering != BUILTIN_LOWERING_OPERATOR &&
            text_equals_string(name, rows[id].name)) {
            return id;
        }
    }
    return BUILTIN_COUNT;
}

static uint32_t first_overload_row(uint32_t id) {
    uint32_t low = 0, high = OVERLOAD_ROW_COUNT;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (overload_rows[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t builtin_overload_count(uint32_t id) {
    return first_overload_row(id + 1) - first_overload_row(id);
}

void builtin_print_overload(struct text_buffer *out, uint32_t id, uint32_t overload) {
    uint32_t row = first_overload_row(id) + overload;
    text_buffer_print(out, "%s%s", rows[id].name, overload_rows[row].signature);
    if (overload_rows[row].where[0] != '\0') {
        text_buffer_print(out, " where %s", overload_rows[row].where);
    }
}

// ---- Parsing -----------------------------------------------------------------------------------

static bool accept(const char **at, const char *word) {
    size_t length = strlen(word);
    while (**at == ' ') {
        (*at)++;
    }
    if (strncmp(*at, word, length) != 0) {
        return false;
    }
    *at += length;
    return true;
}

static uint8_t parse_size(const char **at) {
    char letter = *(*at)++;
    switch (letter) {
    case 'N':
        return SIZE_N;
    case 'C':
        return SIZE_C;
    case 'R':
        return SIZE_R;
    case 'K':
        return SIZE_K;
    default:
        return (uint8_t)(letter - '0');
    }
}

// A scalar type or scalar parameter.
static uint8_t parse_element(const char **at) {
    static const struct {
        const char *word;
        uint8_t element;
    } words[] = {{"bool", TYPE_BOOL}, {"i32", TYPE_I32}, {"u32", TYPE_U32}, {"f32", TYPE_F32},
        {"f16", TYPE_F16}, {"AbstractInt", TYPE_ABSTRACT_INT},
        {"AbstractFloat", TYPE_ABSTRACT_FLOAT}, {"S", ELEMENT_S}, {"I", ELEMENT_I},
        {"C", ELEMENT_C}, {"A", ELEMENT_A}, {"L", ELEMENT_L}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (accept(at, words[i].word)) {
            return words[i].element;
        }
    }
    return TYPE_NONE;
}

static struct builtin_pattern parse_pointer(const char **at) {
    struct builtin_pattern pattern = {.kind = PATTERN_POINTER_ATOMIC};
    pattern.is_workgroup = accept(at, "workgroup");
    if (!pattern.is_workgroup) {
        accept(at, "any");
    }
    accept(at, ",");
    if (accept(at, "runtime_array")) {
        pattern.kind = PATTERN_POINTER_RUNTIME_ARRAY;
    } else if (accept(at, "atomic<S>")) {
        pattern.element = ELEMENT_S;
    } else {
        accept(at, "W");
        pattern.kind = PATTERN_POINTER_ANY;
    }
    accept(at, ">");
    return pattern;
}

// A scalar, or a vector of N.
static struct builtin_pattern shaped(uint8_t element) {
    return (struct builtin_pattern){
        .kind = PATTERN_VALUE, .element = element, .columns = SIZE_N_OR_SCALAR};
}

// "texture_2d_array<S>", "sampler_comparison": the longer words first.
static bool parse_handle(const char **at, struct builtin_pattern *out) {
    static const struct {
        const char *word;
        uint8_t opaque;
    } kinds[] = {{"sampler_comparison", TYPE_SAMPLER_COMPARISON}, {"sampler", TYPE_SAMPLER},
        {"texture_external", TYPE_TEXTURE_EXTERNAL},
        {"texture_depth_multisampled_", TYPE_TEXTURE_DEPTH_MULTISAMPLED},
        {"texture_depth_", TYPE_TEXTURE_DEPTH},
        {"texture_multisampled_", TYPE_TEXTURE_MULTISAMPLED},
        {"texture_storage_", TYPE_TEXTURE_STORAGE}, {"texture_", TYPE_TEXTURE}};
    static const struct {
        const char *word;
        uint8_t dimension;
    } dimensions[] = {{"1d", TEXTURE_DIMENSION_1D}, {"2d_array", TEXTURE_DIMENSION_2D_ARRAY},
        {"2d", TEXTURE_DIMENSION_2D}, {"3d", TEXTURE_DIMENSION_3D},
        {"cube_array", TEXTURE_DIMENSION_CUBE_ARRAY}, {"cube", TEXTURE_DIMENSION_CUBE}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!accept(at, kinds[i].word)) {
            continue;
        }
        *out = (struct builtin_pattern){.kind = PATTERN_HANDLE, .opaque = kinds[i].opaque};
        for (size_t j = 0; j < sizeof(dimensions) / sizeof(dimensions[0]); j++) {
            if (kinds[i].opaque >= TYPE_TEXTURE && accept(at, dimensions[j].word)) {
                out->dimension = dimensions[j].dimension;
                break;
            }
        }
        if (accept(at, "<F, AM>")) {
            out->element = ELEMENT_S;
        } else if (accept(at, "<")) {
            out->element = parse_element(at);
            accept(at, ">");
        }
        return true;
    }
    return false;
}

static struct builtin_pattern parse_pattern(const char **at) {
    struct builtin_pattern pattern = {.kind = PATTERN_VALUE};
    if (accept(at, "const ")) {
        pattern = parse_pattern(at); // one level: "const" stands once
        pattern.is_const = true;
        return pattern;
    }
    if (parse_handle(at, &pattern)) {
        return pattern;
    }
    if (accept(at, "ptr<")) {
        return parse_pointer(at);
    }
    if (accept(at, "__frexp_result<T>")) {
        return (struct builtin_pattern){.kind = PATTERN_FREXP_RESULT};
    }
    if (accept(at, "__modf_result<T>")) {
        return (struct builtin_pattern){.kind = PATTERN_MODF_RESULT};
    }
    if (accept(at, "__atomic_compare_exchange_result<S>")) {
        return (struct builtin_pattern){.kind = PATTERN_COMPARE_EXCHANGE_RESULT};
    }
    if (accept(at, "vec")) {
        pattern.columns = parse_size(at);
        accept(at, "<");
        pattern.element = parse_element(at);
        accept(at, ">");
    } else if (accept(at, "mat")) {
        pattern.columns = parse_size(at);
        accept(at, "x");
        pattern.rows = parse_size(at);
        accept(at, "<");
        pattern.element = parse_element(at);
        accept(at, ">");
    } else if (accept(at, "TI")) {
        pattern = shaped(ELEMENT_I);
    } else if (accept(at, "TU")) {
        pattern = shaped(TYPE_U32);
    } else if (accept(at, "TB")) {
        pattern = shaped(TYPE_BOOL);
    } else if (accept(at, "T")) {
        pattern = shaped(ELEMENT_S);
    } else if (accept(at, "W")) {
        pattern.kind = PATTERN_ANY;
    } else {
        pattern.element = parse_element(at);
    }
    return pattern;
}

static uint16_t parse_set(const char **at) {
    enum {
        INTEGERS = 1 << TYPE_ABSTRACT_INT | 1 << TYPE_I32 | 1 << TYPE_U32,
        FLOATS = 1 << TYPE_ABSTRACT_FLOAT | 1 << TYPE_F32 | 1 << TYPE_F16,
    };
    uint16_t set = 0;
    do {
        if (accept(at, "scalar")) {
            set |= INTEGERS | FLOATS | 1 << TYPE_BOOL;
        } else if (accept(at, "numeric")) {
            set |= INTEGERS | FLOATS;
        } else if (accept(at, "float")) {
            set |= FLOATS;
        } else {
            set |= (uint16_t)(1u << parse_element(at));
        }
    } while (accept(at, "or"));
    return set;
}

static void parse_overload(const char *signature, const char *where, struct builtin_overload *out) {
    const char *at = signature;
    *out = (struct builtin_overload){.has_result = false};
    accept(&at, "(");
    while (!accept(&at, ")") && out->parameter_count < BUILTIN_PARAMETER_LIMIT) {
        at = strchr(at, ':') + 1;
        out->parameters[out->parameter_count++] = parse_pattern(&at);
        accept(&at, ",");
    }
    if (accept(&at, "->")) {
        out->has_result = true;
        out->result = parse_pattern(&at);
    }
    for (at = where; at != NULL && *at != '\0';) {
        static const char *const words[BUILTIN_TYPE_PARAMETERS] = {
            "S is ", "I is ", "C is ", "A is ", "L is "};
        if (accept(&at, "S is the channel type of F")) {
            out->sets[0] = 1 << TYPE_F32 | 1 << TYPE_I32 | 1 << TYPE_U32;
        } else if (accept(&at, "AM is ")) {
            do {
                out->access_modes |= accept(&at, "read_write") ? 1 << ACCESS_READ_WRITE
                    : accept(&at, "read")                      ? 1 << ACCESS_READ
                    : accept(&at, "write")                     ? 1 << ACCESS_WRITE
                                                               : 0;
            } while (accept(&at, "or"));
        } else {
            for (int i = 0; i < BUILTIN_TYPE_PARAMETERS; i++) {
                if (accept(&at, words[i])) {
                    out->sets[i] = parse_set(&at);
                    break;
                }
            }
        }
        at = strchr(at, ';');
        at = at == NULL ? NULL : at + 1;
    }
}

const struct builtin_overloads *builtin_parse(struct builtin_cache *cache, uint32_t id) {
    if (cache->parsed[id] == NULL) {
        uint32_t first = first_overload_row(id), count = builtin_overload_count(id);
        struct builtin_overloads *parsed = ARENA_NEW(cache->arena, struct builtin_overloads);
        struct builtin_overload *items = ARENA_ARRAY(cache->arena, struct builtin_overload, count);
        if (parsed == NULL || items == NULL) {
            return NULL;
        }
        for (uint32_t i = 0; i < count; i++) {
            parse_overload(
                overload_rows[first + i].signature, overload_rows[first + i].where, &items[i]);
        }
        *parsed = (struct builtin_overloads){items, count};
        cache->parsed[id] = parsed;
    }
    return cache->parsed[id];
}
