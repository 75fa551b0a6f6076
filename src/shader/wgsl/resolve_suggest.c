// SPDX-License-Identifier: MIT
//
// Names that are not found: what WGSL calls it, or the nearest that is in scope. Bounded work: the
// first few errors of a module only. See check_priv.h for threads.
#include "base/suggest.h"
#include "shader/wgsl/check_priv.h"

#define SUGGESTION_LIMIT 16

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
        {"texture2D", "textureSample"},
        {"textureLod", "textureSampleLevel"}, {"rw", "read_write"}, {"readonly", "read"},
        {"shared", "workgroup"}, {"bitfieldInsert", "insertBits"}, {"bitfieldReverse", "reverseBits"},
    };
    // clang-format on
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (text_equals_string(name, rows[i].theirs)) {
            return rows[i].ours;
        }
    }
    return NULL;
}

void resolve_suggest(struct checker *checker, struct diagnostic *diagnostic,
    struct source_span span, struct text name, struct ast_declaration *const *locals,
    size_t local_count) {
    struct suggest_search search;
    const char *synonym = find_synonym(name);
    if (synonym != NULL) {
        diagnostic_explain(checker->diagnostics, diagnostic, "WGSL calls this '%s'", synonym);
        if (synonym[0] >= 'A') { // an operator does not replace a function's name
            diagnostic_fix(checker->diagnostics, diagnostic, span, "%s", synonym);
        }
        return;
    }
    if (text_equals_string(name, "handle")) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "textures and samplers are declared without an address space");
        return;
    }
    if (diagnostic == NULL || checker->suggestion_count++ >= SUGGESTION_LIMIT ||
        !suggest_begin(&search, name)) {
        return;
    }
    for (size_t i = local_count; i-- > 0;) {
        suggest_consider(&search, locals[i]->name->text);
    }
    for (uint32_t i = 0; i < checker->module->declaration_count; i++) {
        if (checker->module->declarations[i]->name != NULL) {
            suggest_consider(&search, checker->module->declarations[i]->name->text);
        }
    }
    for (uint32_t row = 0; row < predeclared_count(); row++) {
        suggest_consider(&search, text_from_string(predeclared_get(row)->word));
    }
    if (search.best.length != 0) {
        diagnostic_explain(
            checker->diagnostics, diagnostic, "did you mean '%.*s'?", TEXT_ARGS(search.best));
        diagnostic_fix(checker->diagnostics, diagnostic, span, "%.*s", TEXT_ARGS(search.best));
    }
}
