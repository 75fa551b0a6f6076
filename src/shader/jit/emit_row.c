// SPDX-License-Identifier: MIT
//
// Lanes at a constant distance: contiguous elements and arrays of structures. One test decides
// whether all lanes are active and in range; then the block is read or written by wide accesses,
// else lane by lane. A row that was read serves later loads of its other members, and stores to
// the members of one element are collected and written together.
#include "shader/jit/jit_priv.h"

#define ROW_WORDS 16u
#define ROW_ENTRIES 8u

struct row_cache {
    bool is_used;
    struct path path;
    uint32_t word_count;
    uint64_t word_set;  // waiting stores: the words present
    struct lanes lanes; // waiting stores
    LLVMValueRef words[JIT_JAM_LIMIT][ROW_WORDS];
};

// The rows that an access lies in: the whole element where its members are known, else only the
// words accessed. The path then points to the row's first word.
struct row {
    struct path path;
    uint32_t first_word; // of the access, in the row
    uint32_t word_count; // of the row
    bool is_element;
};

static struct row find_row(
    const struct path *path, const struct address *address, uint32_t word_count) {
    struct row row = {.path = *path, .word_count = word_count};
    uint64_t within = path->offset - path->row_offset;
    if (path->row_stride != 0 && path->row_stride == address->lane_stride &&
        path->row_stride <= 4 * ROW_WORDS && path->row_stride % 4 == 0 && within % 4 == 0 &&
        within + 4 * (uint64_t)word_count <= path->row_stride) {
        row.is_element = true;
        row.path.offset = path->row_offset;
        row.first_word = (uint32_t)(within / 4);
        row.word_count = path->row_stride / 4;
    }
    return row;
}

static bool ensure(struct emit *e) {
    if (e->rows == NULL) {
        e->rows = ARENA_ARRAY(e->arena, struct row_cache, ROW_ENTRIES);
        e->waiting = ARENA_NEW(e->arena, struct row_cache);
    }
    return (e->rows != NULL && e->waiting != NULL) || jit_fail(e, "out of memory");
}

void jit_row_forget(struct emit *e, const struct path *path) {
    for (uint32_t i = 0; e->rows != NULL && i < ROW_ENTRIES; i++) {
        if (path == NULL || jit_path_may_alias(&e->rows[i].path, path)) {
            e->rows[i].is_used = false;
        }
    }
}

static struct row_cache *find_cached(struct emit *e, const struct row *row) {
    for (uint32_t i = 0; i < ROW_ENTRIES; i++) {
        struct row_cache *cached = &e->rows[i];
        if (cached->is_used && jit_path_same_root(&cached->path, &row->path) &&
            cached->path.offset == row->path.offset && cached->word_count == row->word_count &&
            jit_path_same_terms(&cached->path, &row->path)) {
            return cached;
        }
    }
    return NULL;
}

// Where lanes are contiguous words and the processor masks, the slow path is one masked access a
// part, unless an index wraps within the vector.
static const struct component *find_contiguous(const struct emit *e, const struct path *path,
    const struct address *address, uint32_t word_count) {
    const struct component *found = NULL;
    if (word_count != 1 || address->lane_stride != 4 || e->level == JIT_LEVEL_SSE42 ||
        e->width < 4) {
        return NULL;
    }
    for (uint32_t i = 0; i < path->term_count; i++) {
        if (!jit_is_uniform(path->terms[i].index)) {
            if (found != NULL || path->terms[i].stride != 4 || path->terms[i].index->stride != 1) {
                return NULL;
            }
            found = path->terms[i].index;
        }
    }
    return found;
}

static LLVMValueRef has_wrap(struct emit *e, const struct component *index) {
    LLVMValueRef wraps = NULL;
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef one = LLVMBuildICmp(
            e->builder, LLVMIntUGT, index->parts[part], jit_i32(e, 0u - e->width), "");
        wraps = wraps == NULL ? one : LLVMBuildOr(e->builder, wraps, one, "");
    }
    return wraps;
}

static LLVMValueRef lanes_or_all(struct emit *e, const struct path *path, uint32_t part) {
    LLVMValueRef lanes = jit_access_lanes(e, path, part);
    return lanes != NULL ? lanes : LLVMConstAllOnes(e->vi1);
}

// The slow path of a load, ending in the block `end`; fills words and gives the block it came from.
static LLVMBasicBlockRef load_slowly(struct emit *e, const struct row *row,
    const struct address *address, LLVMBasicBlockRef end,
    LLVMValueRef words[JIT_JAM_LIMIT][ROW_WORDS]) {
    const struct component *index = find_contiguous(e, &row->path, address, row->word_count);
    LLVMBasicBlockRef masked = NULL, lanes = NULL, merge = NULL;
    LLVMValueRef masked_words[JIT_JAM_LIMIT];
    if (index != NULL) {
        masked = jit_block(e, "row_masked");
        lanes = jit_block(e, "row_lanes");
        merge = jit_block(e, "row_some");
        LLVMBuildCondBr(e->builder, has_wrap(e, index), lanes, masked);
        jit_move_to(e, masked);
        LLVMValueRef base = jit_path_base(e, &row->path);
        for (uint32_t part = 0; part < e->jam; part++) {
            masked_words[part] = jit_masked_load(e, jit_pointer_at(e, base, address->offsets[part]),
                lanes_or_all(e, &row->path, part));
        }
        LLVMBuildBr(e->builder, merge);
        jit_move_to(e, lanes);
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        jit_slow_load(e, &row->path, part, row->word_count, words[part]);
    }
    if (index != NULL) {
        LLVMBuildBr(e->builder, merge);
        jit_move_to(e, merge);
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef phi = LLVMBuildPhi(e->builder, e->vi32, "");
            LLVMValueRef values[] = {masked_words[part], words[part][0]};
            LLVMBasicBlockRef blocks[] = {masked, lanes};
            LLVMAddIncoming(phi, values, blocks, 2);
            words[part][0] = phi;
        }
    }
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, end);
    return from;
}

// Both ways to the same words.
static void load_row(struct emit *e, const struct row *row, const struct address *address,
    LLVMValueRef words[JIT_JAM_LIMIT][ROW_WORDS]) {
    uint64_t back = address->offsets[0] != NULL ? (uint64_t)row->first_word * 4 : 0;
    LLVMValueRef base = jit_path_base(e, &row->path);
    LLVMValueRef is_fast = jit_and(
        e, jit_lanes_all(e, &e->lanes), jit_address_all_valid(e, &row->path));
    LLVMBasicBlockRef fast = NULL, slow = NULL, end = NULL;
    LLVMValueRef slow_words[JIT_JAM_LIMIT][ROW_WORDS];
    if (is_fast != NULL) {
        fast = jit_block(e, "row");
        slow = jit_block(e, "row_slow");
        end = jit_block(e, "row_end");
        LLVMBuildCondBr(e->builder, is_fast, fast, slow);
        jit_move_to(e, fast);
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef offset = address->offsets[part];
        if (back != 0) {
            offset = LLVMBuildSub(e->builder, offset, jit_i64(e, back), "");
        }
        jit_transpose_load(
            e, jit_pointer_at(e, base, offset), address->lane_stride, row->word_count, words[part]);
    }
    if (is_fast == NULL) {
        return;
    }
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, slow);
    slow = load_slowly(e, row, address, end, slow_words);
    jit_move_to(e, end);
    for (uint32_t part = 0; part < e->jam; part++) {
        for (uint32_t w = 0; w < row->word_count; w++) {
            LLVMValueRef phi = LLVMBuildPhi(e->builder, e->vi32, "");
            LLVMValueRef values[] = {words[part][w], slow_words[part][w]};
            LLVMBasicBlockRef blocks[] = {fast, slow};
            LLVMAddIncoming(phi, values, blocks, 2);
            words[part][w] = phi;
        }
    }
}

struct component *jit_row_load(
    struct emit *e, const struct path *path, const struct address *address, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    struct component *components = jit_components_new(e, count);
    if (!ensure(e)) {
        return components;
    }
    struct row row = find_row(path, address, count);
    struct row_cache *cached = row.is_element ? find_cached(e, &row) : NULL;
    struct row_cache local = {0};
    if (cached == NULL) {
        cached = row.is_element ? &e->rows[e->next_row++ % ROW_ENTRIES] : &local;
        cached->path = row.path;
        cached->word_count = row.word_count;
        load_row(e, &row, address, cached->words);
        cached->is_used = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        components[i].kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            components[i].parts[part] = jit_word_to_value(
                e, cached->words[part][row.first_word + i], scalar);
        }
    }
    return components;
}

static void store_slowly(
    struct emit *e, struct row_cache *row, const struct address *address, LLVMBasicBlockRef end) {
    const struct component *index = find_contiguous(e, &row->path, address, row->word_count);
    if (index != NULL) {
        LLVMBasicBlockRef masked = jit_block(e, "write_masked");
        LLVMBasicBlockRef lanes = jit_block(e, "write_lanes");
        LLVMBuildCondBr(e->builder, has_wrap(e, index), lanes, masked);
        jit_move_to(e, masked);
        LLVMValueRef base = jit_path_base(e, &row->path);
        for (uint32_t part = 0; part < e->jam; part++) {
            jit_masked_store(e, row->words[part][0],
                jit_pointer_at(e, base, address->offsets[part]), lanes_or_all(e, &row->path, part));
        }
        LLVMBuildBr(e->builder, end);
        jit_move_to(e, lanes);
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        jit_slow_store(e, &row->path, part, row->word_count, row->word_set, row->words[part]);
    }
    LLVMBuildBr(e->builder, end);
}

static void store_row(struct emit *e, struct row_cache *row, const struct address *address) {
    struct lanes lanes = e->lanes;
    e->lanes = row->lanes;
    LLVMValueRef is_fast = jit_and(
        e, jit_lanes_all(e, &e->lanes), jit_address_all_valid(e, &row->path));
    LLVMBasicBlockRef fast = NULL, slow = NULL, end = NULL;
    if (is_fast != NULL) {
        fast = jit_block(e, "write");
        slow = jit_block(e, "write_slow");
        end = jit_block(e, "write_end");
        LLVMBuildCondBr(e->builder, is_fast, fast, slow);
        jit_move_to(e, fast);
    }
    LLVMValueRef base = jit_path_base(e, &row->path);
    for (uint32_t part = 0; part < e->jam; part++) {
        jit_transpose_store(e, jit_pointer_at(e, base, address->offsets[part]),
            address->lane_stride, row->word_count, row->word_set, row->words[part]);
    }
    if (is_fast != NULL) {
        LLVMBuildBr(e->builder, end);
        jit_move_to(e, slow);
        store_slowly(e, row, address, end);
        jit_move_to(e, end);
    }
    e->lanes = lanes;
}

void jit_row_flush(struct emit *e) {
    if (e->waiting == NULL || !e->waiting->is_used || e->has_failed) {
        return;
    }
    struct address address;
    e->waiting->is_used = false;
    struct lanes lanes = e->lanes;
    e->lanes = e->waiting->lanes;
    jit_address_resolve(e, &e->waiting->path, &address);
    e->lanes = lanes;
    store_row(e, e->waiting, &address);
}

void jit_row_flush_for(struct emit *e, const struct path *path) {
    if (e->waiting != NULL && e->waiting->is_used && jit_path_may_alias(&e->waiting->path, path)) {
        jit_row_flush(e);
    }
}

static void put_words(struct emit *e, struct row_cache *row, uint32_t first,
    const struct component *components, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        row->word_set |= (uint64_t)1 << (first + i);
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef value = jit_part(e, &components[i], part);
            row->words[part][first + i] = jit_value_to_word(e, value);
        }
    }
}

void jit_row_store(struct emit *e, const struct path *path, const struct address *address,
    type_id type, const struct component *components) {
    uint32_t count = jit_component_count(e->module, type);
    if (!ensure(e)) {
        return;
    }
    struct row row = find_row(path, address, count);
    struct row_cache *waiting = e->waiting;
    if (!row.is_element || row.word_count == count) {
        struct row_cache now = {.path = row.path, .word_count = row.word_count, .lanes = e->lanes};
        jit_row_flush(e);
        put_words(e, &now, row.first_word, components, count);
        store_row(e, &now, address);
        return;
    }
    bool joins = waiting->is_used && jit_path_same_root(&waiting->path, &row.path) &&
        waiting->path.offset == row.path.offset && waiting->word_count == row.word_count &&
        jit_path_same_terms(&waiting->path, &row.path);
    if (!joins) {
        jit_row_flush(e);
        waiting->is_used = true;
        waiting->path = row.path;
        waiting->word_count = row.word_count;
        waiting->word_set = 0;
        waiting->lanes = e->lanes;
    }
    put_words(e, waiting, row.first_word, components, count);
}
