// SPDX-License-Identifier: MIT
//
// Rows and words. Consecutive lanes' structures lie in memory as rows; lanes need each word of the
// row as one vector. Rows move in pieces of 16 bytes and are turned by shuffles that stay within 128
// bits, four rows at a time in each 128-bit part of the vector.
#include "shader/jit/jit_priv.h"

static LLVMValueRef shuffle(
    struct emit *e, LLVMValueRef a, LLVMValueRef b, const uint32_t *indices, uint32_t count) {
    LLVMValueRef mask[JIT_WIDTH_LIMIT * 4];
    for (uint32_t i = 0; i < count; i++) {
        mask[i] = jit_i32(e, indices[i]);
    }
    return LLVMBuildShuffleVector(e->builder, a, b, LLVMConstVector(mask, count), "");
}

// Joins vectors of `length` words, a power of two of them, into one.
static LLVMValueRef join(struct emit *e, LLVMValueRef *vectors, uint32_t count, uint32_t length) {
    uint32_t indices[JIT_WIDTH_LIMIT * 4];
    LLVMValueRef work[JIT_WIDTH_LIMIT];
    for (uint32_t i = 0; i < count; i++) {
        work[i] = vectors[i];
    }
    for (; count > 1; count /= 2, length *= 2) {
        for (uint32_t i = 0; i < 2 * length; i++) {
            indices[i] = i;
        }
        for (uint32_t i = 0; i < count / 2; i++) {
            work[i] = shuffle(e, work[2 * i], work[2 * i + 1], indices, 2 * length);
        }
    }
    return work[0];
}

// Within each 128-bit part: pick elements p[0..3] of a (0-3) and b (4-7).
static LLVMValueRef shuffle_parts(struct emit *e, LLVMValueRef a, LLVMValueRef b, uint32_t p0,
    uint32_t p1, uint32_t p2, uint32_t p3) {
    uint32_t indices[JIT_WIDTH_LIMIT];
    const uint32_t picks[4] = {p0, p1, p2, p3};
    for (uint32_t i = 0; i < e->width; i++) {
        uint32_t pick = picks[i % 4];
        indices[i] = i / 4 * 4 + (pick < 4 ? pick : e->width + pick - 4);
    }
    return shuffle(e, a, b, indices, e->width);
}

// Four vectors, in each 128-bit part a 4 x 4 matrix: transposed, which is its own inverse.
static void transpose4(struct emit *e, LLVMValueRef *v) {
    LLVMValueRef a = shuffle_parts(e, v[0], v[1], 0, 4, 1, 5);
    LLVMValueRef b = shuffle_parts(e, v[0], v[1], 2, 6, 3, 7);
    LLVMValueRef c = shuffle_parts(e, v[2], v[3], 0, 4, 1, 5);
    LLVMValueRef d = shuffle_parts(e, v[2], v[3], 2, 6, 3, 7);
    v[0] = shuffle_parts(e, a, c, 0, 1, 4, 5);
    v[1] = shuffle_parts(e, a, c, 2, 3, 6, 7);
    v[2] = shuffle_parts(e, b, d, 0, 1, 4, 5);
    v[3] = shuffle_parts(e, b, d, 2, 3, 6, 7);
}

void jit_transpose_rows(struct emit *e, LLVMValueRef *rows, LLVMValueRef *out_words) {
    uint32_t groups = e->width / 4;
    LLVMValueRef parts[JIT_WIDTH_LIMIT];
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t g = 0; g < groups; g++) {
            parts[g] = rows[g * 4 + i];
        }
        out_words[i] = join(e, parts, groups, 4);
    }
    transpose4(e, out_words);
}

static LLVMValueRef load(struct emit *e, LLVMTypeRef type, LLVMValueRef base, uint64_t offset) {
    LLVMValueRef value = LLVMBuildLoad2(e->builder, type, jit_bytes_at(e, base, offset), "");
    LLVMSetAlignment(value, 4);
    return value;
}

static void store(struct emit *e, LLVMValueRef value, LLVMValueRef base, uint64_t offset) {
    LLVMSetAlignment(LLVMBuildStore(e->builder, value, jit_bytes_at(e, base, offset)), 4);
}

static LLVMValueRef load_word_by_lane(
    struct emit *e, LLVMValueRef base, uint32_t stride, uint32_t word) {
    LLVMValueRef result = LLVMGetPoison(e->vi32);
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef one = load(e, e->i32, base, (uint64_t)lane * stride + 4 * (uint64_t)word);
        result = LLVMBuildInsertElement(e->builder, result, one, jit_i64(e, lane), "");
    }
    return result;
}

// Two or three words a row without a gap: whole vectors, taken apart by shuffles.
static void load_interleaved(
    struct emit *e, LLVMValueRef base, uint32_t words, LLVMValueRef *out_words) {
    LLVMValueRef block = load(e, LLVMVectorType(e->i32, e->width * words), base, 0);
    for (uint32_t w = 0; w < words; w++) {
        uint32_t indices[JIT_WIDTH_LIMIT];
        for (uint32_t lane = 0; lane < e->width; lane++) {
            indices[lane] = lane * words + w;
        }
        out_words[w] = shuffle(e, block, LLVMGetPoison(LLVMTypeOf(block)), indices, e->width);
    }
}

void jit_transpose_load(struct emit *e, LLVMValueRef base, uint32_t stride_bytes,
    uint32_t word_count, LLVMValueRef *out_words) {
    LLVMValueRef rows[JIT_WIDTH_LIMIT];
    uint32_t word = 0;
    if (stride_bytes == word_count * 4 && word_count <= 3) {
        if (word_count == 1) {
            out_words[0] = load(e, e->vi32, base, 0);
        } else {
            load_interleaved(e, base, word_count, out_words);
        }
        return;
    }
    LLVMTypeRef piece = LLVMVectorType(e->i32, 4);
    for (; e->width % 4 == 0 && word + 4 <= word_count; word += 4) {
        for (uint32_t lane = 0; lane < e->width; lane++) {
            rows[lane] = load(e, piece, base, (uint64_t)lane * stride_bytes + 4 * (uint64_t)word);
        }
        jit_transpose_rows(e, rows, out_words + word);
    }
    for (; word < word_count; word++) {
        out_words[word] = load_word_by_lane(e, base, stride_bytes, word);
    }
}

static void store_word_by_lane(
    struct emit *e, LLVMValueRef base, uint32_t stride, uint32_t word, LLVMValueRef value) {
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef one = LLVMBuildExtractElement(e->builder, value, jit_i64(e, lane), "");
        store(e, one, base, (uint64_t)lane * stride + 4 * (uint64_t)word);
    }
}

static void store_interleaved(
    struct emit *e, LLVMValueRef base, uint32_t words, LLVMValueRef *values) {
    uint32_t indices[JIT_WIDTH_LIMIT * 4];
    uint32_t padded = words == 3 ? 4 : words;
    LLVMValueRef parts[4];
    for (uint32_t w = 0; w < padded; w++) {
        parts[w] = w < words ? values[w] : LLVMGetPoison(e->vi32);
    }
    LLVMValueRef block = join(e, parts, padded, e->width);
    for (uint32_t i = 0; i < e->width * words; i++) {
        indices[i] = i % words * e->width + i / words;
    }
    block = shuffle(e, block, LLVMGetPoison(LLVMTypeOf(block)), indices, e->width * words);
    store(e, block, base, 0);
}

// The words of one row's 16 bytes that are to be written, by runs of 4, 2 and 1.
static void store_piece(struct emit *e, LLVMValueRef vector, uint32_t group, LLVMValueRef base,
    uint64_t offset, uint32_t set) {
    uint32_t at = 0;
    while (at < 4) {
        if ((set >> at & 1u) == 0) {
            at++;
            continue;
        }
        uint32_t length = at == 0 && set == 15 ? 4 : at < 3 && (set >> (at + 1) & 1u) != 0 ? 2 : 1;
        if (length == 1) {
            LLVMValueRef word = LLVMBuildExtractElement(
                e->builder, vector, jit_i64(e, group * 4 + at), "");
            store(e, word, base, offset + 4 * at);
        } else {
            uint32_t indices[4];
            for (uint32_t i = 0; i < length; i++) {
                indices[i] = group * 4 + at + i;
            }
            LLVMValueRef run = shuffle(e, vector, LLVMGetPoison(e->vi32), indices, length);
            if (length == 2) {
                run = LLVMBuildBitCast(e->builder, run, e->i64, "");
            }
            store(e, run, base, offset + 4 * at);
        }
        at += length;
    }
}

void jit_transpose_store(struct emit *e, LLVMValueRef base, uint32_t stride_bytes,
    uint32_t word_count, uint64_t word_set, LLVMValueRef *words) {
    uint64_t whole = word_count == 64 ? UINT64_MAX : ((uint64_t)1 << word_count) - 1;
    if (stride_bytes == word_count * 4 && word_set == whole && word_count <= 3) {
        if (word_count == 1) {
            store(e, words[0], base, 0);
        } else {
            store_interleaved(e, base, word_count, words);
        }
        return;
    }
    for (uint32_t word = 0; word < word_count; word += 4) {
        uint32_t set = (uint32_t)(word_set >> word & 15u);
        bool is_alone = (set & (set - 1)) == 0;
        if (set == 0) {
            continue;
        }
        if (e->width % 4 != 0 || is_alone) {
            for (uint32_t i = 0; i < 4; i++) {
                if ((set >> i & 1u) != 0) {
                    store_word_by_lane(e, base, stride_bytes, word + i, words[word + i]);
                }
            }
            continue;
        }
        LLVMValueRef v[4];
        for (uint32_t i = 0; i < 4; i++) {
            v[i] = (set >> i & 1u) != 0 ? words[word + i] : LLVMGetPoison(e->vi32);
        }
        transpose4(e, v);
        for (uint32_t lane = 0; lane < e->width; lane++) {
            store_piece(e, v[lane % 4], lane / 4, base,
                (uint64_t)lane * stride_bytes + 4 * (uint64_t)word, set);
        }
    }
}
