// SPDX-License-Identifier: MIT
//
// f16. In registers a half is the f32 of the same value: arithmetic is f32's, and its result is rounded
// where it may not be a half, to the nearest, ties to even. In memory it takes two bytes: halves are
// read and written one by one, rows of them at once.
#include "shader/jit/jit_priv.h"

#define HALF_LARGEST_BITS 0x477fe000u // of f32: 65504
#define HALF_NORMAL_BITS 0x38800000u  // 2^-14
#define INFINITE_BITS 0x7f800000u

bool jit_is_half(const struct emit *e, type_id type) {
    type_id element = type_element_of(&e->module->types, type);
    return type_kind_of(&e->module->types, element) == TYPE_F16;
}

// ---------------------------------------------------------------- numbers

static bool is_vector(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static LLVMTypeRef half_word(struct emit *e) {
    return LLVMInt16TypeInContext(e->context);
}

static LLVMValueRef word(struct emit *e, LLVMValueRef shape, uint32_t number) {
    return is_vector(shape) ? jit_splat(e, jit_i32(e, number)) : jit_i32(e, number);
}

static LLVMValueRef real(struct emit *e, LLVMValueRef shape, double number) {
    LLVMValueRef scalar = LLVMConstReal(e->f32, number);
    return is_vector(shape) ? jit_splat(e, scalar) : scalar;
}

static LLVMValueRef bits_of(struct emit *e, LLVMValueRef number) {
    return LLVMBuildBitCast(e->builder, number, is_vector(number) ? e->vi32 : e->i32, "");
}

static LLVMValueRef number_of(struct emit *e, LLVMValueRef bits) {
    return LLVMBuildBitCast(e->builder, bits, is_vector(bits) ? e->vf32 : e->f32, "");
}

static LLVMValueRef above(struct emit *e, LLVMValueRef a, uint32_t number) {
    return LLVMBuildICmp(e->builder, LLVMIntUGT, a, word(e, a, number), "");
}

static LLVMValueRef bits_and(struct emit *e, LLVMValueRef a, uint32_t number) {
    return LLVMBuildAnd(e->builder, a, word(e, a, number), "");
}

// The processor's own conversion, where it has one for such vectors: NULL. Truncations and extensions
// of LLVM's would be taken for arithmetic in half, which it then does lane by lane.
static LLVMValueRef convert_vector(struct emit *e, LLVMValueRef number) {
    bool is_wide = e->width > 4;
    uint32_t step = is_wide ? 8 : 4;
    LLVMTypeRef halves = LLVMVectorType(half_word(e), e->width);
    bool has_instruction = e->level == JIT_LEVEL_AVX2 || e->level == JIT_LEVEL_AVX512;
    if (!has_instruction || !is_vector(number) || e->width % step != 0) {
        return NULL;
    }
    const char *name = is_wide ? "llvm.x86.vcvtps2ph.256" : "llvm.x86.vcvtps2ph.128";
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->llvm, id, NULL, 0);
    LLVMTypeRef type = LLVMIntrinsicGetType(e->context, id, NULL, 0);
    LLVMValueRef numbers[JIT_WIDTH_LIMIT], result = LLVMGetPoison(halves);
    for (uint32_t first = 0; first < e->width; first += step) {
        for (uint32_t i = 0; i < step; i++) {
            numbers[i] = jit_i32(e, first + i);
        }
        LLVMValueRef part = LLVMBuildShuffleVector(e->builder, number,
            LLVMGetPoison(LLVMTypeOf(number)), LLVMConstVector(numbers, step), "");
        LLVMValueRef arguments[] = {part, jit_i32(e, 0)}; // 0: to the nearest, ties to even
        part = LLVMBuildCall2(e->builder, type, function, arguments, 2, "");
        if (e->width == step && step == 8) {
            return part;
        }
        for (uint32_t i = 0; i < e->width; i++) {
            bool is_new = i >= first && i < first + step;
            numbers[i] = jit_i32(e, is_new ? e->width + i - first : i);
        }
        // The instruction gives eight halves, of which the first `step` are wanted.
        LLVMValueRef widened[JIT_WIDTH_LIMIT];
        for (uint32_t i = 0; i < e->width; i++) {
            widened[i] = jit_i32(e, i < step ? i : 0);
        }
        part = LLVMBuildShuffleVector(e->builder, part, LLVMGetPoison(LLVMTypeOf(part)),
            LLVMConstVector(widened, e->width), "");
        result = LLVMBuildShuffleVector(
            e->builder, result, part, LLVMConstVector(numbers, e->width), "");
    }
    return result;
}

static LLVMValueRef from_bits(struct emit *e, LLVMValueRef bits);

LLVMValueRef jit_half_round(struct emit *e, LLVMValueRef number) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef converted = convert_vector(e, number);
    if (converted != NULL) {
        return from_bits(e, LLVMBuildZExt(b, converted, e->vi32, ""));
    }
    LLVMValueRef bits = bits_of(e, number);
    LLVMValueRef sign = bits_and(e, bits, 0x80000000u), size = bits_and(e, bits, 0x7fffffffu);
    // 13 bits of the fraction go; a carry into the exponent is right.
    LLVMValueRef odd = bits_and(e, LLVMBuildLShr(b, size, word(e, size, 13), ""), 1);
    LLVMValueRef sum = LLVMBuildAdd(b, size, LLVMBuildAdd(b, odd, word(e, size, 0xfff), ""), "");
    LLVMValueRef rounded = bits_and(e, sum, ~0x1fffu);
    rounded = jit_select(
        e, above(e, rounded, HALF_LARGEST_BITS), word(e, size, INFINITE_BITS), rounded);
    // Below the least normal half: multiples of 2^-24, the distance of floats from 0.5 on.
    LLVMValueRef half = real(e, number, 0.5);
    LLVMValueRef least = LLVMBuildFAdd(b, number_of(e, size), half, "");
    least = bits_of(e, LLVMBuildFSub(b, least, half, ""));
    rounded = jit_select(e, above(e, size, HALF_NORMAL_BITS - 1), rounded, least);
    LLVMValueRef nan = LLVMBuildOr(b, size, word(e, size, 0x00400000u), "");
    rounded = jit_select(e, above(e, size, INFINITE_BITS), nan, rounded);
    return number_of(e, LLVMBuildOr(b, rounded, sign, ""));
}

// Of a number that is a half; in the low 16 bits of a word.
static LLVMValueRef to_bits(struct emit *e, LLVMValueRef number) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef converted = convert_vector(e, number);
    if (converted != NULL) {
        return LLVMBuildZExt(b, converted, e->vi32, "");
    }
    LLVMValueRef bits = bits_of(e, number);
    LLVMValueRef size = bits_and(e, bits, 0x7fffffffu);
    LLVMValueRef sign = bits_and(e, LLVMBuildLShr(b, bits, word(e, bits, 16), ""), 0x8000);
    LLVMValueRef normal = LLVMBuildSub(
        b, LLVMBuildLShr(b, size, word(e, size, 13), ""), word(e, size, 112u << 10), "");
    LLVMValueRef least = LLVMBuildFAdd(b, number_of(e, size), real(e, number, 0.5), "");
    least = LLVMBuildSub(b, bits_of(e, least), word(e, size, 0x3f000000u), "");
    LLVMValueRef result = jit_select(e, above(e, size, HALF_NORMAL_BITS - 1), normal, least);
    result = jit_select(e, above(e, size, INFINITE_BITS - 1), word(e, size, 0x7c00), result);
    result = jit_select(e, above(e, size, INFINITE_BITS), word(e, size, 0x7e00), result);
    return LLVMBuildOr(b, result, sign, "");
}

// Of the low 16 bits of a word; the others may be anything.
static LLVMValueRef from_bits(struct emit *e, LLVMValueRef bits) {
    LLVMBuilderRef b = e->builder;
    if (is_vector(bits) && e->level != JIT_LEVEL_SSE42) {
        LLVMTypeRef half = LLVMHalfTypeInContext(e->context);
        bits = LLVMBuildTrunc(b, bits, LLVMVectorType(half_word(e), e->width), "");
        bits = LLVMBuildBitCast(b, bits, LLVMVectorType(half, e->width), "");
        return LLVMBuildFPExt(b, bits, e->vf32, "");
    }
    LLVMValueRef thirteen = word(e, bits, 13), sixteen = word(e, bits, 16);
    LLVMValueRef size = LLVMBuildShl(b, bits_and(e, bits, 0x7fff), thirteen, "");
    LLVMValueRef sign = LLVMBuildShl(b, bits_and(e, bits, 0x8000), sixteen, "");
    LLVMValueRef scaled = LLVMBuildFMul(b, number_of(e, size), real(e, bits, 0x1p112), "");
    LLVMValueRef result = bits_of(e, scaled);
    LLVMValueRef infinite = LLVMBuildOr(b, result, word(e, bits, INFINITE_BITS), "");
    result = jit_select(e, above(e, size, (0x7c00u << 13) - 1), infinite, result);
    return number_of(e, LLVMBuildOr(b, result, sign, ""));
}

// f16's infinities become its largest numbers before they become integers.
LLVMValueRef jit_half_limit(struct emit *e, LLVMValueRef number) {
    LLVMValueRef high = real(e, number, 65504.0), low = real(e, number, -65504.0);
    LLVMValueRef is_high = LLVMBuildFCmp(e->builder, LLVMRealOGT, number, high, "");
    LLVMValueRef is_low = LLVMBuildFCmp(e->builder, LLVMRealOLT, number, low, "");
    return jit_select(e, is_high, high, jit_select(e, is_low, low, number));
}

// ---------------------------------------------------------------- bits of vectors

// Halves 2 i and 2 i + 1 are the low and the high half of word i.
void jit_emit_half_bitcast(struct emit *e, const struct ir_op *op) {
    ir_value result = ir_op_result(op, 0);
    type_id type = ir_value_type(e->function, result);
    bool is_from_half = jit_is_half(e, ir_value_type(e->function, op->operands[0]));
    uint32_t count = e->facts->values[result.index].component_count;
    const struct component *operands = jit_components(e, op->operands[0]);
    struct component *components = jit_components_new(e, count);
    bool is_uniform = true;
    for (uint32_t i = 0; i < e->facts->values[op->operands[0].index].component_count; i++) {
        is_uniform = is_uniform && jit_is_uniform(&operands[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        components[i].kind = is_uniform ? SHAPE_ITERATION : SHAPE_VARYING;
        for (uint32_t part = 0; part < (is_uniform ? 1 : e->jam); part++) {
            const struct component *first = &operands[is_from_half ? 2 * i : i / 2];
            LLVMValueRef a = is_uniform ? first->parts[0] : jit_part(e, first, part);
            if (is_from_half) {
                LLVMValueRef high = is_uniform ? first[1].parts[0] : jit_part(e, &first[1], part);
                a = to_bits(e, a);
                high = LLVMBuildShl(e->builder, to_bits(e, high), word(e, a, 16), "");
                a = LLVMBuildOr(e->builder, a, high, "");
                components[i].parts[part] = jit_word_to_value(e, a, jit_scalar_type(e, type));
            } else {
                a = jit_value_to_word(e, a);
                a = i % 2 == 0 ? a : LLVMBuildLShr(e->builder, a, word(e, a, 16), "");
                components[i].parts[part] = from_bits(e, a);
            }
        }
    }
    jit_set(e, result, components);
}

// ---------------------------------------------------------------- memory that lanes share

static LLVMValueRef load_at(struct emit *e, LLVMValueRef pointer) {
    LLVMValueRef bits = LLVMBuildLoad2(e->builder, half_word(e), pointer, "");
    LLVMSetAlignment(bits, 2);
    return bits;
}

static void store_at(struct emit *e, LLVMValueRef bits, LLVMValueRef pointer) {
    bits = LLVMBuildTrunc(e->builder, bits, half_word(e), "");
    LLVMSetAlignment(LLVMBuildStore(e->builder, bits, pointer), 2);
}

static void load_uniform(struct emit *e, const struct path *path, const struct address *address,
    uint32_t count, struct component *components) {
    LLVMValueRef pointer = jit_pointer_at(e, jit_path_base(e, path), address->offsets[0]);
    if (address->uniform_valid != NULL) {
        pointer = jit_select(e, address->uniform_valid, pointer, e->zeros);
    }
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef bits = load_at(e, jit_bytes_at(e, pointer, 2 * (uint64_t)i));
        bits = LLVMBuildZExt(e->builder, bits, e->i32, "");
        bits = path->is_writable_shared ? LLVMBuildFreeze(e->builder, bits, "") : bits;
        components[i] = jit_uniform(from_bits(e, bits));
    }
}

static LLVMValueRef lane_pointer(
    struct emit *e, LLVMValueRef base, LLVMValueRef offsets, uint32_t lane, uint32_t number) {
    LLVMValueRef offset = LLVMBuildExtractElement(e->builder, offsets, jit_i64(e, lane), "");
    offset = LLVMBuildZExt(e->builder, offset, e->i64, "");
    return jit_bytes_at(e, jit_pointer_at(e, base, offset), 2 * (uint64_t)number);
}

// A root is at least as large as any of its parts: its first bytes can be read by lanes that may not.
static LLVMValueRef gather(
    struct emit *e, const struct path *path, uint32_t part, uint32_t number) {
    LLVMValueRef base = jit_path_base(e, path), zero = LLVMConstNull(e->vi32);
    LLVMValueRef offsets = jit_address_lane_offsets(e, path, part);
    LLVMValueRef lanes = jit_access_lanes(e, path, part);
    offsets = lanes != NULL ? jit_select(e, lanes, offsets, zero) : offsets;
    LLVMValueRef bits = LLVMGetPoison(LLVMVectorType(half_word(e), e->width));
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef one = load_at(e, lane_pointer(e, base, offsets, lane, number));
        bits = LLVMBuildInsertElement(e->builder, bits, one, jit_i64(e, lane), "");
    }
    bits = LLVMBuildZExt(e->builder, bits, e->vi32, "");
    return lanes != NULL ? jit_select(e, lanes, bits, zero) : bits;
}

// Whether lanes are neighbours, and then whether all of them access this time (NULL: always).
static bool is_row(struct emit *e, const struct path *path, const struct address *address,
    uint32_t count, LLVMValueRef *out_all) {
    if (address->kind != SHAPE_LINEAR || address->lane_stride != 2 || count != 1) {
        return false;
    }
    *out_all = jit_and(e, jit_lanes_all(e, &e->lanes), jit_address_all_valid(e, path));
    return true;
}

static void load_lanes(struct emit *e, const struct path *path, const struct address *address,
    uint32_t count, struct component *components) {
    LLVMTypeRef row_type = LLVMVectorType(half_word(e), e->width);
    LLVMValueRef all = NULL, base = jit_path_base(e, path);
    bool has_row = is_row(e, path, address, count, &all);
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMBasicBlockRef blocks[2] = {NULL, NULL}, end = NULL;
        LLVMValueRef words[2] = {NULL, NULL};
        if (has_row && all != NULL) {
            LLVMBasicBlockRef row = jit_block(e, "halves");
            blocks[1] = jit_block(e, "halves_apart");
            end = jit_block(e, "halves_end");
            LLVMBuildCondBr(e->builder, all, row, blocks[1]);
            jit_move_to(e, row);
        }
        if (has_row) {
            LLVMValueRef row = LLVMBuildLoad2(
                e->builder, row_type, jit_pointer_at(e, base, address->offsets[part]), "");
            LLVMSetAlignment(row, 2);
            words[0] = LLVMBuildZExt(e->builder, row, e->vi32, "");
            blocks[0] = LLVMGetInsertBlock(e->builder);
        }
        if (end != NULL) {
            LLVMBuildBr(e->builder, end);
            jit_move_to(e, blocks[1]);
        }
        for (uint32_t i = 0; i < count && (!has_row || end != NULL); i++) {
            words[1] = gather(e, path, part, i);
            components[i].parts[part] = words[1];
        }
        if (end != NULL) {
            blocks[1] = LLVMGetInsertBlock(e->builder);
            LLVMBuildBr(e->builder, end);
            jit_move_to(e, end);
            LLVMValueRef phi = LLVMBuildPhi(e->builder, e->vi32, "");
            LLVMAddIncoming(phi, words, blocks, 2);
            components[0].parts[part] = phi;
        } else if (has_row) {
            components[0].parts[part] = words[0];
        }
        for (uint32_t i = 0; i < count; i++) {
            LLVMValueRef bits = components[i].parts[part];
            bits = path->is_writable_shared ? LLVMBuildFreeze(e->builder, bits, "") : bits;
            components[i].kind = SHAPE_VARYING;
            components[i].parts[part] = from_bits(e, bits);
        }
    }
}

struct component *jit_half_load(struct emit *e, const struct path *path, type_id type) {
    struct address address;
    uint32_t count = jit_component_count(e->module, type);
    struct component *components = jit_components_new(e, count);
    jit_row_flush_for(e, path);
    jit_address_resolve(e, path, &address);
    if (address.kind == SHAPE_ITERATION) {
        load_uniform(e, path, &address, count, components);
    } else {
        load_lanes(e, path, &address, count, components);
    }
    return components;
}

// Lanes that may not store write to a place that nobody reads. In ascending order: where lanes hit one
// place, the last one's value stays.
static void scatter(
    struct emit *e, const struct path *path, uint32_t part, uint32_t number, LLVMValueRef bits) {
    LLVMValueRef base = jit_path_base(e, path);
    LLVMValueRef offsets = jit_address_lane_offsets(e, path, part);
    LLVMValueRef lanes = jit_access_lanes(e, path, part);
    LLVMValueRef dummy = lanes != NULL ? jit_alloca(e, e->i32, "nowhere") : NULL;
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef pointer = lane_pointer(e, base, offsets, lane, number);
        if (lanes != NULL) {
            LLVMValueRef is_active = LLVMBuildExtractElement(
                e->builder, lanes, jit_i64(e, lane), "");
            pointer = jit_select(e, is_active, pointer, dummy);
        }
        store_at(e, LLVMBuildExtractElement(e->builder, bits, jit_i64(e, lane), ""), pointer);
    }
}

static void store_row(struct emit *e, const struct path *path, const struct address *address,
    const struct component *component, LLVMValueRef all) {
    LLVMBasicBlockRef row = NULL, apart = NULL, end = NULL;
    LLVMTypeRef row_type = LLVMVectorType(half_word(e), e->width);
    LLVMValueRef base = jit_path_base(e, path);
    if (all != NULL) {
        row = jit_block(e, "write_halves");
        apart = jit_block(e, "write_halves_apart");
        end = jit_block(e, "write_halves_end");
        LLVMBuildCondBr(e->builder, all, row, apart);
        jit_move_to(e, row);
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef bits = to_bits(e, jit_part(e, component, part));
        bits = LLVMBuildTrunc(e->builder, bits, row_type, "");
        LLVMSetAlignment(
            LLVMBuildStore(e->builder, bits, jit_pointer_at(e, base, address->offsets[part])), 2);
    }
    if (all == NULL) {
        return;
    }
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, apart);
    for (uint32_t part = 0; part < e->jam; part++) {
        scatter(e, path, part, 0, to_bits(e, jit_part(e, component, part)));
    }
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, end);
}

// The effect lanes are e->lanes.
void jit_half_store(
    struct emit *e, const struct path *path, type_id type, const struct component *components) {
    struct address address;
    uint32_t count = jit_component_count(e->module, type);
    LLVMValueRef all = NULL;
    jit_row_forget(e, path);
    jit_row_flush(e);
    jit_address_resolve(e, path, &address);
    if (is_row(e, path, &address, count, &all)) {
        store_row(e, path, &address, &components[0], all);
        return;
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        for (uint32_t i = 0; i < count; i++) {
            scatter(e, path, part, i, to_bits(e, jit_part(e, &components[i], part)));
        }
    }
}

// ---------------------------------------------------------------- private and function variables

// The word of a half in all lanes of a part, and how far up in it the half is.
struct place {
    bool is_uniform;
    LLVMValueRef pointers[JIT_WIDTH_LIMIT]; // of each lane; uniform: [0], of the vector
    LLVMValueRef shift;                     // <W x i32>
    LLVMValueRef valid;                     // i1, <W x i1> or NULL
};

static void find_place(struct emit *e, const struct path *path, const struct address *address,
    uint32_t part, uint32_t number, struct place *out) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef lanes, size, base = jit_lane_base(e, path, &lanes, &size);
    base = jit_bytes_at(e, base, (uint64_t)part * e->width * 4);
    out->is_uniform = address->kind == SHAPE_ITERATION;
    if (out->is_uniform) {
        LLVMValueRef offset = address->offsets[0];
        out->valid = address->uniform_valid;
        offset = LLVMBuildAdd(b, offset, jit_i64(e, 2 * (uint64_t)number), "");
        offset = out->valid != NULL ? jit_select(e, out->valid, offset, size) : offset;
        LLVMValueRef start = LLVMBuildAnd(b, offset, jit_i64(e, ~(uint64_t)3), "");
        out->pointers[0] = jit_pointer_at(e, base, LLVMBuildMul(b, start, lanes, ""));
        offset = LLVMBuildAnd(b, LLVMBuildTrunc(b, offset, e->i32, ""), jit_i32(e, 2), "");
        out->shift = jit_splat(e, LLVMBuildShl(b, offset, jit_i32(e, 3), ""));
        return;
    }
    LLVMValueRef offsets = jit_address_lane_offsets(e, path, part);
    out->valid = jit_access_lanes(e, path, part);
    offsets = LLVMBuildAdd(b, offsets, word(e, offsets, 2 * number), "");
    if (out->valid != NULL) {
        LLVMValueRef spare = jit_splat(e, LLVMBuildTrunc(b, size, e->i32, ""));
        offsets = jit_select(e, out->valid, offsets, spare);
    }
    out->shift = LLVMBuildShl(b, bits_and(e, offsets, 2), word(e, offsets, 3), "");
    LLVMValueRef pitch = jit_splat(e, LLVMBuildTrunc(b, lanes, e->i32, ""));
    offsets = LLVMBuildMul(b, bits_and(e, offsets, ~3u), pitch, "");
    offsets = LLVMBuildAdd(b, offsets, jit_lane_numbers(e, 4), "");
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef offset = LLVMBuildExtractElement(b, offsets, jit_i64(e, lane), "");
        out->pointers[lane] = jit_pointer_at(e, base, LLVMBuildZExt(b, offset, e->i64, ""));
    }
}

static LLVMValueRef load_place(struct emit *e, const struct place *place) {
    if (place->is_uniform) {
        LLVMValueRef words = LLVMBuildLoad2(e->builder, e->vi32, place->pointers[0], "");
        LLVMSetAlignment(words, 4);
        return words;
    }
    LLVMValueRef words = LLVMGetPoison(e->vi32);
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef one = LLVMBuildLoad2(e->builder, e->i32, place->pointers[lane], "");
        words = LLVMBuildInsertElement(e->builder, words, one, jit_i64(e, lane), "");
    }
    return words;
}

struct component *jit_half_lane_load(struct emit *e, const struct path *path, type_id type) {
    struct address address;
    uint32_t count = jit_component_count(e->module, type);
    struct component *components = jit_components_new(e, count);
    jit_address_resolve(e, path, &address);
    for (uint32_t i = 0; i < count && !e->has_failed; i++) {
        components[i].kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            struct place place;
            find_place(e, path, &address, part, i, &place);
            LLVMValueRef bits = LLVMBuildLShr(e->builder, load_place(e, &place), place.shift, "");
            if (place.valid != NULL) {
                bits = jit_select(e, place.valid, bits, LLVMConstNull(e->vi32));
            }
            components[i].parts[part] = from_bits(e, bits);
        }
    }
    return components;
}

// The other half of the word is the same lane's, or spare.
void jit_half_lane_store(
    struct emit *e, const struct path *path, type_id type, const struct component *components) {
    struct address address;
    jit_address_resolve(e, path, &address);
    for (uint32_t i = 0; i < jit_component_count(e->module, type) && !e->has_failed; i++) {
        for (uint32_t part = 0; part < e->jam; part++) {
            struct place place;
            find_place(e, path, &address, part, i, &place);
            LLVMValueRef old = load_place(e, &place);
            LLVMValueRef bits = to_bits(e, jit_part(e, &components[i], part));
            bits = LLVMBuildShl(e->builder, bits, place.shift, "");
            LLVMValueRef mask = LLVMBuildShl(e->builder, word(e, bits, 0xffff), place.shift, "");
            mask = LLVMBuildAnd(e->builder, old, LLVMBuildNot(e->builder, mask, ""), "");
            bits = LLVMBuildOr(e->builder, mask, bits, "");
            if (!place.is_uniform) {
                for (uint32_t lane = 0; lane < e->width; lane++) {
                    LLVMBuildStore(e->builder,
                        LLVMBuildExtractElement(e->builder, bits, jit_i64(e, lane), ""),
                        place.pointers[lane]);
                }
                continue;
            }
            if (!e->lanes.is_full) {
                bits = jit_select(e, jit_lanes_part(e, &e->lanes, part), bits, old);
            }
            LLVMSetAlignment(LLVMBuildStore(e->builder, bits, place.pointers[0]), 4);
        }
    }
}
