// SPDX-License-Identifier: MIT
//
// Lanes whose addresses have nothing in common: one scalar access a lane. Loads read a safe place
// for lanes that may not read, so that they need no branch. Stores, and the slow paths of the wide
// accesses, go through two functions of the library, which move words of the chosen lanes.
#include "shader/jit/jit_priv.h"

LLVMValueRef jit_pointer_at(struct emit *e, LLVMValueRef base, LLVMValueRef offset) {
    return LLVMBuildGEP2(e->builder, e->i8, base, &offset, 1, "");
}

static LLVMValueRef lane_pointer(
    struct emit *e, LLVMValueRef base, LLVMValueRef offsets, uint32_t lane) {
    LLVMValueRef offset = LLVMBuildExtractElement(e->builder, offsets, jit_i64(e, lane), "");
    return jit_pointer_at(e, base, LLVMBuildZExt(e->builder, offset, e->i64, ""));
}

static LLVMValueRef load_word(struct emit *e, LLVMValueRef pointer) {
    LLVMValueRef word = LLVMBuildLoad2(e->builder, e->i32, pointer, "");
    LLVMSetAlignment(word, 4);
    return word;
}

void jit_gather_words(struct emit *e, LLVMValueRef base, LLVMValueRef offsets, LLVMValueRef lanes,
    uint32_t word_count, LLVMValueRef *out_words) {
    LLVMValueRef zero = LLVMConstNull(e->vi32);
    if (lanes != NULL) {
        // A root is at least as large as any of its parts: its first bytes can be read.
        offsets = jit_select(e, lanes, offsets, zero);
    }
    bool has_rows = word_count == 4 && e->width % 4 == 0;
    LLVMValueRef rows[JIT_WIDTH_LIMIT];
    for (uint32_t w = 0; w < word_count; w++) {
        out_words[w] = LLVMGetPoison(e->vi32);
    }
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef pointer = lane_pointer(e, base, offsets, lane);
        if (has_rows) {
            rows[lane] = LLVMBuildLoad2(e->builder, LLVMVectorType(e->i32, 4), pointer, "");
            LLVMSetAlignment(rows[lane], 4);
            continue;
        }
        for (uint32_t w = 0; w < word_count; w++) {
            LLVMValueRef word = load_word(e, jit_bytes_at(e, pointer, 4 * (uint64_t)w));
            out_words[w] = LLVMBuildInsertElement(
                e->builder, out_words[w], word, jit_i64(e, lane), "");
        }
    }
    if (has_rows) {
        jit_transpose_rows(e, rows, out_words);
    }
    for (uint32_t w = 0; w < word_count && lanes != NULL; w++) {
        out_words[w] = jit_select(e, lanes, out_words[w], zero);
    }
}

// Whether one word a lane most often lies in a row: neighbours, clamped or wrapped.
static bool is_likely_contiguous(
    const struct emit *e, const struct path *path, uint32_t word_count) {
    uint32_t found = 0;
    if (word_count != 1 || e->width < 4) {
        return false;
    }
    for (uint32_t i = 0; i < path->term_count; i++) {
        const struct term *term = &path->terms[i];
        bool is_uniform = jit_is_uniform(term->index) ||
            (term->index->kind == SHAPE_LINEAR && term->index->stride == 0) ||
            (term->index->kind == SHAPE_VARYING && term->hint == SHAPE_HINT_UNIFORM);
        bool is_row = term->stride == 4 &&
            (term->index->kind == SHAPE_LINEAR ? term->index->stride == 1
                                               : term->hint == SHAPE_HINT_CONTIGUOUS);
        if (!is_uniform && !is_row) {
            return false;
        }
        found += !is_uniform;
    }
    return found == 1 && path->parameter == UINT32_MAX;
}

// Looks whether the lanes lie in a row this time.
static void gather_or_load(struct emit *e, LLVMValueRef base, LLVMValueRef offsets,
    LLVMValueRef lanes, LLVMValueRef *out_words) {
    LLVMBasicBlockRef row = jit_block(e, "in_row"), apart = jit_block(e, "apart");
    LLVMBasicBlockRef end = jit_block(e, "gathered");
    LLVMValueRef first = LLVMBuildExtractElement(e->builder, offsets, jit_i64(e, 0), "");
    LLVMValueRef expected = LLVMBuildAdd(
        e->builder, jit_splat(e, first), jit_lane_numbers(e, 4), "");
    LLVMValueRef is_row = LLVMBuildICmp(e->builder, LLVMIntEQ, offsets, expected, "");
    is_row = jit_and(e, is_row, lanes);
    LLVMValueRef bits = LLVMBuildBitCast(e->builder, is_row, e->bits, "");
    LLVMValueRef all = LLVMBuildICmp(e->builder, LLVMIntEQ, bits, LLVMConstAllOnes(e->bits), "");
    LLVMBuildCondBr(e->builder, all, row, apart);
    jit_move_to(e, row);
    LLVMValueRef place = jit_pointer_at(e, base, LLVMBuildZExt(e->builder, first, e->i64, ""));
    LLVMValueRef loaded = LLVMBuildLoad2(e->builder, e->vi32, place, "");
    LLVMSetAlignment(loaded, 4);
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, apart);
    jit_gather_words(e, base, offsets, lanes, 1, out_words);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, end);
    LLVMValueRef phi = LLVMBuildPhi(e->builder, e->vi32, "");
    LLVMValueRef values[] = {loaded, out_words[0]};
    LLVMBasicBlockRef blocks[] = {row, from};
    LLVMAddIncoming(phi, values, blocks, 2);
    out_words[0] = phi;
}

void jit_gather(struct emit *e, const struct path *path, uint32_t part, uint32_t word_count,
    LLVMValueRef *out_words) {
    LLVMValueRef base = jit_path_base(e, path);
    LLVMValueRef offsets = jit_address_lane_offsets(e, path, part);
    LLVMValueRef lanes = jit_access_lanes(e, path, part);
    if (is_likely_contiguous(e, path, word_count)) {
        gather_or_load(e, base, offsets, lanes, out_words);
    } else {
        jit_gather_words(e, base, offsets, lanes, word_count, out_words);
    }
}

// slow_path.c's functions. Their code is in the library, not made anew for each kernel.
static LLVMValueRef declare_slow_function(struct emit *e, bool is_store, LLVMTypeRef *out_type) {
    LLVMTypeRef parameters[] = {e->pointer, e->pointer, e->i64, e->pointer, e->i32, e->i64, e->i32};
    *out_type = LLVMFunctionType(e->void_type, parameters, 7, false);
    return LLVMAddFunction(e->llvm,
        kernel_symbol_name(is_store ? KERNEL_SYMBOL_alba_slow_store : KERNEL_SYMBOL_alba_slow_load),
        *out_type);
}

static void prepare_slow(struct emit *e) {
    if (e->slow_words == NULL) {
        e->slow_words = jit_alloca(e, LLVMArrayType2(e->vi32, 16), "slow_words");
        e->slow_offsets = jit_alloca(e, e->vi32, "slow_offsets");
    }
}

static void call_slow(struct emit *e, bool is_store, LLVMValueRef base, LLVMValueRef offsets,
    LLVMValueRef lanes, uint32_t word_count, uint64_t word_set) {
    LLVMValueRef *function = is_store ? &e->slow_store : &e->slow_load;
    LLVMTypeRef *type = is_store ? &e->slow_store_type : &e->slow_load_type;
    if (*function == NULL) {
        *function = declare_slow_function(e, is_store, type);
    }
    lanes = lanes != NULL ? lanes : LLVMConstAllOnes(e->vi1);
    LLVMBuildStore(e->builder, offsets, e->slow_offsets);
    LLVMValueRef arguments[] = {
        base,
        e->slow_offsets,
        jit_mask_bits(e, lanes),
        e->slow_words,
        jit_i32(e, word_count),
        jit_i64(e, word_set),
        jit_i32(e, e->width),
    };
    LLVMBuildCall2(e->builder, *type, *function, arguments, 7, "");
}

static LLVMValueRef slow_word(struct emit *e, uint32_t word) {
    return jit_bytes_at(e, e->slow_words, (uint64_t)word * e->width * 4);
}

void jit_slow_load(struct emit *e, const struct path *path, uint32_t part, uint32_t word_count,
    LLVMValueRef *out_words) {
    prepare_slow(e);
    call_slow(e, false, jit_path_base(e, path), jit_address_lane_offsets(e, path, part),
        jit_access_lanes(e, path, part), word_count, UINT64_MAX);
    for (uint32_t w = 0; w < word_count; w++) {
        out_words[w] = LLVMBuildLoad2(e->builder, e->vi32, slow_word(e, w), "");
        LLVMSetAlignment(out_words[w], 4);
    }
}

static void store_slowly(struct emit *e, LLVMValueRef base, LLVMValueRef offsets,
    LLVMValueRef lanes, uint32_t word_count, uint64_t word_set, LLVMValueRef *words) {
    prepare_slow(e);
    for (uint32_t w = 0; w < word_count; w++) {
        if ((word_set >> w & 1u) != 0) {
            LLVMSetAlignment(LLVMBuildStore(e->builder, words[w], slow_word(e, w)), 4);
        }
    }
    call_slow(e, true, base, offsets, lanes, word_count, word_set);
}

void jit_slow_store(struct emit *e, const struct path *path, uint32_t part, uint32_t word_count,
    uint64_t word_set, LLVMValueRef *words) {
    store_slowly(e, jit_path_base(e, path), jit_address_lane_offsets(e, path, part),
        jit_access_lanes(e, path, part), word_count, word_set, words);
}

static void scatter_all(struct emit *e, LLVMValueRef base, LLVMValueRef offsets,
    uint32_t word_count, LLVMValueRef *words) {
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef pointer = lane_pointer(e, base, offsets, lane);
        for (uint32_t w = 0; w < word_count; w++) {
            LLVMValueRef word = LLVMBuildExtractElement(e->builder, words[w], jit_i64(e, lane), "");
            LLVMValueRef place = jit_bytes_at(e, pointer, 4 * (uint64_t)w);
            LLVMSetAlignment(LLVMBuildStore(e->builder, word, place), 4);
        }
    }
}

void jit_scatter_words(struct emit *e, LLVMValueRef base, LLVMValueRef offsets, LLVMValueRef lanes,
    uint32_t word_count, LLVMValueRef *words) {
    if (lanes == NULL) {
        scatter_all(e, base, offsets, word_count, words);
        return;
    }
    LLVMBasicBlockRef all = jit_block(e, "scatter"), some = jit_block(e, "scatter_some");
    LLVMBasicBlockRef end = jit_block(e, "scattered");
    LLVMValueRef bits = LLVMBuildBitCast(e->builder, lanes, e->bits, "");
    LLVMValueRef is_all = LLVMBuildICmp(e->builder, LLVMIntEQ, bits, LLVMConstAllOnes(e->bits), "");
    LLVMBuildCondBr(e->builder, is_all, all, some);
    jit_move_to(e, all);
    scatter_all(e, base, offsets, word_count, words);
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, some);
    store_slowly(e, base, offsets, lanes, word_count, UINT64_MAX, words);
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, end);
}

void jit_scatter(struct emit *e, const struct path *path, uint32_t part, uint32_t word_count,
    LLVMValueRef *words) {
    jit_scatter_words(e, jit_path_base(e, path), jit_address_lane_offsets(e, path, part),
        jit_access_lanes(e, path, part), word_count, words);
}

// The masked intrinsics took an alignment operand until LLVM 21.
static LLVMValueRef call_masked(struct emit *e, const char *name, LLVMValueRef first,
    LLVMValueRef second, LLVMValueRef mask, LLVMValueRef last) {
    LLVMTypeRef overloads[] = {e->vi32, e->pointer};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->llvm, id, overloads, 2);
    LLVMTypeRef type = LLVMIntrinsicGetType(e->context, id, overloads, 2);
    LLVMValueRef arguments[5];
    uint32_t count = 0;
    LLVMValueRef given[] = {first, second, jit_i32(e, 4), mask, last};
    bool has_alignment = LLVMCountParamTypes(type) == 4;
    for (int i = 0; i < 5; i++) {
        if (given[i] != NULL && (i != 2 || has_alignment)) {
            arguments[count++] = given[i];
        }
    }
    return LLVMBuildCall2(e->builder, type, function, arguments, count, "");
}

LLVMValueRef jit_masked_load(struct emit *e, LLVMValueRef pointer, LLVMValueRef mask) {
    return call_masked(e, "llvm.masked.load", pointer, NULL, mask, LLVMConstNull(e->vi32));
}

void jit_masked_store(struct emit *e, LLVMValueRef word, LLVMValueRef pointer, LLVMValueRef mask) {
    call_masked(e, "llvm.masked.store", word, pointer, mask, NULL);
}
