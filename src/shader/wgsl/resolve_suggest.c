// SPDX-License-Identifier: MIT
//
// "Did you mean": the nearest name by edit distance, for names that are not found. Bounded work: the
// first few errors of a module only. See check_priv.h for threads.
#include <string.h>

#include "shader/wgsl/check_priv.h"

#define NAME_LIMIT 32
#define SUGGESTION_LIMIT 16
#define CANDIDATE_LIMIT 4096

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Edits (insert, delete, replace, swap of neighbours) from a to b; a change of case costs less than
// the unit of 2.
static uint32_t distance(struct text a, struct text b) {
    uint32_t rows[3][NAME_LIMIT + 1];
    for (uint32_t j = 0; j <= b.length; j++) {
        rows[0][j] = 2 * j;
    }
    for (uint32_t i = 1; i <= a.length; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = 2 * i;
        for (uint32_t j = 1; j <= b.length; j++) {
            char x = a.data[i - 1], y = b.data[j - 1];
            uint32_t best = above[j - 1] + (x == y ? 0 : lower(x) == lower(y) ? 1 : 2);
            if (above[j] + 2 < best) {
                best = above[j] + 2;
            }
            if (row[j - 1] + 2 < best) {
                best = row[j - 1] + 2;
            }
            if (i > 1 && j > 1 && x == b.data[j - 2] && a.data[i - 2] == y &&
                above2[j - 2] + 2 < best) {
                best = above2[j - 2] + 2;
            }
            row[j] = best;
        }
    }
    return rows[a.length % 3][b.length];
}

// What other shading languages call it.
static const char *find_synonym(struct text name) {
    // clang-format off
    static const struct {
        const char *theirs, *ours;
    } rows[] = {
        {"float", "f32"}, {"double", "f32"}, {"half", "f16"}, {"int", "i32"}, {"uint", "u32"},
        {"float2", "vec2f"}, {"float3", "vec3f"}, {"float4", "vec4f"}, {"int2", "vec2i"},
        {"int3", "vec3i"}, {"int4", "vec4i"}, {"uint2", "vec2u"}, {"uint3", "vec3u"},
        {"uint4", "vec4u"}, {"ivec2", "vec2i"}, {"ivec3", "vec3i"}, {"ivec4", "vec4i"},
        {"uvec2", "vec2u"}, {"uvec3", "vec3u"}, {"uvec4", "vec4u"}, {"mat2", "mat2x2f"},
        {"mat3", "mat3x3f"}, {"mat4", "mat4x4f"}, {"float4x4", "mat4x4f"}, {"float3x3", "mat3x3f"},
        {"lerp", "mix"}, {"frac", "fract"}, {"rsqrt", "inverseSqrt"}, {"inversesqrt", "inverseSqrt"},
        {"ddx", "dpdx"}, {"ddy", "dpdy"}, {"dFdx", "dpdx"}, {"dFdy", "dpdy"}, {"mul", "*"},
        {"mod", "%"}, {"fmod", "%"}, {"texture", "textureSample"}, {"texelFetch", "textureLoad"},
        {"barrier", "workgroupBarrier"}, {"atomicCompSwap", "atomicCompareExchangeWeak"},
        {"floatBitsToUint", "bitcast<u32>"}, {"uintBitsToFloat", "bitcast<f32>"},
        {"bitCount", "countOneBits"}, {"bitfieldExtract", "extractBits"},
        {"bitfieldInsert", "insertBits"}, {"bitfieldReverse", "reverseBits"},
    };
    // clang-format on
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (text_equals_string(name, rows[i].theirs)) {
            return rows[i].ours;
        }
    }
    return NULL;
}

struct search {
    struct text name;
    struct text best;
    uint32_t best_distance; // candidates at or above it are not near
    uint32_t seen_count;
};

static void consider(struct search *search, struct text candidate) {
    if (candidate.length == 0 || candidate.length > NAME_LIMIT ||
        search->seen_count++ > CANDIDATE_LIMIT || text_equals(candidate, search->name)) {
        return;
    }
    uint32_t found = distance(search->name, candidate);
    if (found < search->best_distance) {
        search->best_distance = found;
        search->best = candidate;
    }
}

static bool begin(struct search *search, struct text name) {
    if (name.length == 0 || name.length > NAME_LIMIT) {
        return false;
    }
    // One edit for each three letters, and at least one in names of two letters and more.
    uint32_t edits = (uint32_t)(name.length + 2) / 3;
    *search = (struct search){.name = name, .best_distance = name.length < 2 ? 2 : 2 * edits + 1};
    return true;
}

void resolve_suggest(struct checker *checker, struct diagnostic *diagnostic,
    struct source_span span, struct text name, struct ast_declaration *const *locals,
    size_t local_count) {
    struct search search;
    const char *synonym = find_synonym(name);
    if (synonym != NULL) {
        diagnostic_explain(checker->diagnostics, diagnostic, "WGSL calls this '%s'", synonym);
        if (synonym[0] >= 'A') { // an operator does not replace a function's name
            diagnostic_fix(checker->diagnostics, diagnostic, span, "%s", synonym);
        }
        return;
    }
    if (diagnostic == NULL || checker->suggestion_count++ >= SUGGESTION_LIMIT ||
        !begin(&search, name)) {
        return;
    }
    for (size_t i = local_count; i-- > 0;) {
        consider(&search, locals[i]->name->text);
    }
    for (uint32_t i = 0; i < checker->module->declaration_count; i++) {
        if (checker->module->declarations[i]->name != NULL) {
            consider(&search, checker->module->declarations[i]->name->text);
        }
    }
    for (uint32_t row = 0; row < predeclared_count(); row++) {
        consider(&search, text_from_string(predeclared_get(row)->word));
    }
    if (search.best.length != 0) {
        diagnostic_explain(
            checker->diagnostics, diagnostic, "did you mean '%.*s'?", TEXT_ARGS(search.best));
        diagnostic_fix(checker->diagnostics, diagnostic, span, "%.*s", TEXT_ARGS(search.best));
    }
}

const char *resolve_nearest(struct text name, const char *const *words, size_t count) {
    struct search search;
    const char *best = NULL;
    if (!begin(&search, name)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t before = search.best_distance;
        consider(&search, text_from_string(words[i]));
        if (search.best_distance < before) {
            best = words[i];
        }
    }
    return best;
}
