// SPDX-License-Identifier: MIT
//
// Texels read and written by generated code: of storage textures, whose format the shader's type
// tells, and loads of other textures, whose format is looked at: formats of whole words, and four
// normalised bytes. Where lanes lie side by side in a row, one
// masked access serves them. Conversions are those of the texture function, to the bit.
#include <stddef.h>

#include <webgpu/webgpu.h>

#include "shader/jit/jit_priv.h"

_Static_assert(offsetof(struct jit_texture, texels) == 24, "read by generated code");
_Static_assert(offsetof(struct jit_texture, row_bytes) == 32, "read by generated code");
_Static_assert(offsetof(struct jit_texture, image_bytes) == 36, "read by generated code");
_Static_assert(offsetof(struct jit_texture, format) == 40, "read by generated code");

// Words of a texel of 32-bit components; 0: none of these.
static uint32_t count_words(uint32_t format) {
    switch (format) {
    case WGPUTextureFormat_R32Float:
    case WGPUTextureFormat_R32Uint:
    case WGPUTextureFormat_R32Sint:
        return 1;
    case WGPUTextureFormat_RG32Float:
    case WGPUTextureFormat_RG32Uint:
    case WGPUTextureFormat_RG32Sint:
        return 2;
    case WGPUTextureFormat_RGBA32Float:
    case WGPUTextureFormat_RGBA32Uint:
    case WGPUTextureFormat_RGBA32Sint:
        return 4;
    default:
        return 0;
    }
}

static bool is_unorm8(uint32_t format) {
    return format == WGPUTextureFormat_RGBA8Unorm || format == WGPUTextureFormat_BGRA8Unorm;
}

bool jit_has_plain_texels(uint32_t format) {
    return is_unorm8(format) || count_words(format) != 0;
}

uint32_t jit_plain_formats(enum type_kind kind, const uint32_t **out_formats) {
    static const uint32_t floats[] = {
        WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_R32Float, WGPUTextureFormat_RGBA32Float};
    static const uint32_t unsigneds[] = {WGPUTextureFormat_R32Uint};
    static const uint32_t signeds[] = {WGPUTextureFormat_R32Sint};
    *out_formats = kind == TYPE_F32 ? floats : kind == TYPE_U32 ? unsigneds : signeds;
    return kind == TYPE_F32 ? 3 : 1;
}

LLVMValueRef jit_texels_are_plain(struct emit *e, LLVMValueRef texture) {
    LLVMValueRef texels = jit_texture_field(
        e, texture, offsetof(struct jit_texture, texels), e->pointer);
    return LLVMBuildIsNotNull(e->builder, texels, "plain");
}

// ---------------------------------------------------------------- addresses

struct texels {
    LLVMValueRef base;
    LLVMValueRef lanes;   // that are in range and take part, never NULL
    LLVMValueRef offsets; // <W x i32>
    LLVMValueRef row;     // where lane 0 lies if all lie in a row of words, else NULL
    uint32_t word_count;  // of a texel
};

static LLVMValueRef field(struct emit *e, const struct texture_place *place, size_t offset) {
    return jit_texture_field(e, place->texture, offset, e->i32);
}

// In one row, one word after the other, known when compiling. Masked accesses leave other lanes'
// addresses alone, wherever those are.
static bool is_row(
    const struct emit *e, const struct texture_place *place, const struct texels *texels) {
    if (texels->word_count != 1 || e->level == JIT_LEVEL_SSE42 || e->width < 4 ||
        place->coordinates[0]->kind != SHAPE_LINEAR || place->coordinates[0]->stride != 1) {
        return false;
    }
    for (uint32_t i = 1; i < place->axis_count + place->has_layer; i++) {
        const struct component *coordinate = place->coordinates[i];
        if (!jit_is_uniform(coordinate) &&
            !(coordinate->kind == SHAPE_LINEAR && coordinate->stride == 0)) {
            return false;
        }
    }
    return true;
}

static struct texels find_texels(
    struct emit *e, const struct texture_place *place, uint32_t part, LLVMValueRef lanes) {
    static const size_t sizes[3] = {offsetof(struct jit_texture, width),
        offsetof(struct jit_texture, height), offsetof(struct jit_texture, depth)};
    static const size_t strides[3] = {
        0, offsetof(struct jit_texture, row_bytes), offsetof(struct jit_texture, image_bytes)};
    struct texels texels = {.lanes = lanes};
    texels.word_count = is_unorm8(place->format) ? 1 : count_words(place->format);
    texels.base = jit_texture_field(
        e, place->texture, offsetof(struct jit_texture, texels), e->pointer);
    bool has_row = is_row(e, place, &texels);
    LLVMValueRef first = NULL;
    for (uint32_t i = 0; i < place->axis_count + place->has_layer; i++) {
        bool is_layer = i == place->axis_count;
        const struct component *coordinate = place->coordinates[i];
        LLVMValueRef index = jit_part(e, coordinate, part);
        LLVMValueRef size = field(
            e, place, is_layer ? offsetof(struct jit_texture, layer_count) : sizes[i]);
        LLVMValueRef stride = i == 0 ? jit_i32(e, 4 * texels.word_count)
                                     : field(e, place, strides[i]);
        texels.lanes = jit_and(
            e, texels.lanes, LLVMBuildICmp(e->builder, LLVMIntULT, index, jit_splat(e, size), ""));
        LLVMValueRef bytes = LLVMBuildMul(e->builder, index, jit_splat(e, stride), "");
        texels.offsets = i == 0 ? bytes : LLVMBuildAdd(e->builder, texels.offsets, bytes, "");
        if (has_row) {
            LLVMValueRef start = coordinate->parts[jit_is_uniform(coordinate) ? 0 : part];
            bytes = LLVMBuildMul(e->builder, start, stride, "");
            first = i == 0 ? bytes : LLVMBuildAdd(e->builder, first, bytes, "");
        }
    }
    if (has_row) {
        // Before the texture's first texel where only later lanes are in range.
        texels.row = jit_pointer_at(e, texels.base, LLVMBuildSExt(e->builder, first, e->i64, ""));
    }
    return texels;
}

// ---------------------------------------------------------------- conversions

static LLVMValueRef splat_double(struct emit *e, double number) {
    return jit_splat(e, LLVMConstReal(e->f64, number));
}

static LLVMValueRef from_unorm8(struct emit *e, LLVMValueRef word, uint32_t shift) {
    LLVMValueRef code = LLVMBuildLShr(e->builder, word, jit_splat(e, jit_i32(e, shift)), "");
    code = LLVMBuildAnd(e->builder, code, jit_splat(e, jit_i32(e, 255)), "");
    LLVMValueRef number = LLVMBuildSIToFP(e->builder, code, e->vf32, "");
    LLVMValueRef most = jit_splat(e, LLVMConstReal(e->f32, 255.0));
    return jit_value_to_word(e, LLVMBuildFDiv(e->builder, number, most, ""));
}

// The product is exact in doubles: it is rounded once.
static LLVMValueRef to_unorm8(struct emit *e, LLVMValueRef word) {
    LLVMValueRef zero = LLVMConstNull(e->vf32), one = jit_splat(e, LLVMConstReal(e->f32, 1.0));
    LLVMValueRef value = jit_word_to_value(e, word, e->f32);
    value = jit_select(
        e, LLVMBuildFCmp(e->builder, LLVMRealOGT, value, zero, ""), value, zero); // NaN too
    value = jit_select(e, LLVMBuildFCmp(e->builder, LLVMRealOLT, value, one, ""), value, one);
    LLVMValueRef wide = LLVMBuildFPExt(e->builder, value, e->vf64, "");
    wide = LLVMBuildFMul(e->builder, wide, splat_double(e, 255.0), "");
    wide = LLVMBuildFAdd(e->builder, wide, splat_double(e, 0.5), "");
    return LLVMBuildFPToSI(e->builder, wide, e->vi32, "");
}

static uint32_t shift_of(uint32_t format, uint32_t component) {
    bool is_swapped = format == WGPUTextureFormat_BGRA8Unorm && component < 3;
    return 8 * (is_swapped ? 2 - component : component);
}

void jit_load_texels(struct emit *e, const struct texture_place *place, uint32_t part,
    LLVMValueRef lanes, LLVMValueRef *out_words) {
    struct texels texels = find_texels(e, place, part, lanes);
    LLVMValueRef words[4];
    if (texels.row != NULL) {
        words[0] = jit_masked_load(e, texels.row, texels.lanes);
    } else {
        jit_gather_words(e, texels.base, texels.offsets, texels.lanes, texels.word_count, words);
    }
    for (uint32_t c = 0; c < 4; c++) {
        if (is_unorm8(place->format)) {
            out_words[c] = from_unorm8(e, words[0], shift_of(place->format, c));
        } else if (c < texels.word_count) {
            out_words[c] = words[c];
        } else {
            uint32_t one = place->kind == TYPE_F32 ? 0x3f800000u : 1;
            out_words[c] = jit_splat(e, jit_i32(e, c == 3 ? one : 0));
        }
    }
}

void jit_store_texels(struct emit *e, const struct texture_place *place, uint32_t part,
    LLVMValueRef lanes, LLVMValueRef *words) {
    struct texels texels = find_texels(e, place, part, lanes);
    LLVMValueRef packed = NULL;
    for (uint32_t c = 0; c < 4 && is_unorm8(place->format); c++) {
        LLVMValueRef shift = jit_splat(e, jit_i32(e, shift_of(place->format, c)));
        LLVMValueRef code = LLVMBuildShl(e->builder, to_unorm8(e, words[c]), shift, "");
        packed = packed == NULL ? code : LLVMBuildOr(e->builder, packed, code, "");
    }
    LLVMValueRef *stored = packed != NULL ? &packed : words;
    if (texels.row != NULL) {
        jit_masked_store(e, stored[0], texels.row, texels.lanes);
    } else {
        jit_scatter_words(e, texels.base, texels.offsets, texels.lanes, texels.word_count, stored);
    }
}
