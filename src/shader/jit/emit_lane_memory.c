// SPDX-License-Identifier: MIT
//
// Private and function variables that stayed memory: arrays with dynamic indices, variables whose
// address is passed. Each invocation has its own; they lie as [word][lane], so that an index that
// is the same in all lanes reads and writes whole vectors. What lives across a barrier, and what is
// large, is in the worker's scratch memory; the rest on the stack, where LLVM may keep it in
// registers. Lanes that must not store write to spare words behind the variable.
#include "shader/jit/jit_priv.h"

#define LOCAL_WORDS 64u // larger variables do not go on the stack
#define LOCAL_WORDS_IN_ALL 1024u
#define SPARE_WORDS 4u
#define LANE_MEMORY_LIMIT ((uint64_t)1 << 31)

static void place(
    struct emit *e, struct lane_memory *memory, type_id type, bool is_shared, bool may_be_local) {
    uint64_t bytes = type_get(&e->module->types, type)->size_bytes;
    bytes = (bytes + 3) / 4 * 4;
    memory->is_set = true;
    memory->is_shared = is_shared && e->iteration_count > 1;
    memory->size_bytes = bytes;
    memory->lane_count = e->width * e->jam * (memory->is_shared ? e->iteration_count : 1);
    uint64_t words = bytes / 4 + SPARE_WORDS;
    if (words * memory->lane_count * 4 >= LANE_MEMORY_LIMIT) {
        jit_fail(e, "a variable of %llu bytes in each of %u invocations is too large",
            (unsigned long long)bytes, memory->lane_count);
        return;
    }
    if (may_be_local && !memory->is_shared && words <= LOCAL_WORDS &&
        e->local_words + words <= LOCAL_WORDS_IN_ALL) {
        e->local_words += (uint32_t)words;
        memory->local = jit_alloca(e, LLVMArrayType2(e->vi32, words * e->jam), "lanes");
        LLVMSetAlignment(memory->local, 64);
    } else {
        memory->scratch_offset = jit_scratch_reserve(e, words * memory->lane_count * 4, 64);
    }
}

struct lane_memory *jit_lane_memory(struct emit *e, const struct path *path) {
    if (path->space == SPACE_PRIVATE) {
        struct lane_memory *memory = &e->private_memory[path->variable];
        if (!memory->is_set) {
            const struct function_facts *facts = &e->all_facts[e->entry->function];
            place(e, memory, path->root_type, facts->has_barrier, !e->has_calls);
        }
        return memory;
    }
    struct lane_memory *memory = &e->vars[path->var];
    if (!memory->is_set) {
        place(e, memory, path->root_type, e->facts->var_is_shared[path->var] != 0, true);
    }
    return memory;
}

LLVMValueRef jit_lane_base(
    struct emit *e, const struct path *path, LLVMValueRef *out_lanes, LLVMValueRef *out_size) {
    if (path->parameter != UINT32_MAX) {
        const struct pointer_parameter *parameter = &e->pointer_parameters[path->parameter];
        *out_lanes = LLVMBuildZExt(e->builder, parameter->lanes, e->i64, "");
        *out_size = parameter->size;
        return parameter->base;
    }
    const struct lane_memory *memory = jit_lane_memory(e, path);
    *out_lanes = jit_i64(e, memory->lane_count);
    *out_size = jit_i64(e, memory->size_bytes);
    if (memory->local != NULL) {
        return memory->local;
    }
    LLVMValueRef base = jit_bytes_at(e, e->scratch, memory->scratch_offset);
    if (!memory->is_shared) {
        return base;
    }
    LLVMValueRef lane = LLVMBuildZExt(e->builder, e->first_lane, e->i64, "");
    return LLVMBuildGEP2(e->builder, e->i32, base, &lane, 1, "");
}

static LLVMValueRef multiply(struct emit *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildMul(e->builder, a, b, "");
}

// One word in all lanes of a part, the same offset for all: a vector.
struct uniform_place {
    LLVMValueRef base;  // of word 0 of the access
    LLVMValueRef pitch; // bytes from word to word, i64
    LLVMValueRef valid; // i1 or NULL
};

static struct uniform_place find_uniform(
    struct emit *e, const struct path *path, const struct address *address) {
    LLVMValueRef lanes, size;
    struct uniform_place place = {.valid = address->uniform_valid};
    LLVMValueRef base = jit_lane_base(e, path, &lanes, &size);
    LLVMValueRef offset = address->offsets[0];
    if (place.valid != NULL) {
        offset = jit_select(e, place.valid, offset, size);
    }
    place.base = jit_pointer_at(e, base, multiply(e, offset, lanes));
    place.pitch = multiply(e, lanes, jit_i64(e, 4));
    return place;
}

static LLVMValueRef word_place(
    struct emit *e, const struct uniform_place *place, uint32_t word, uint32_t part) {
    LLVMValueRef row = jit_pointer_at(e, place->base, multiply(e, place->pitch, jit_i64(e, word)));
    return jit_bytes_at(e, row, (uint64_t)part * e->width * 4);
}

// Byte offsets of each lane's own word.
static LLVMValueRef lane_offsets(struct emit *e, const struct path *path, uint32_t part,
    LLVMValueRef lanes, LLVMValueRef size, LLVMValueRef active) {
    LLVMValueRef offsets = jit_address_lane_offsets(e, path, part);
    if (active != NULL) {
        LLVMValueRef spare = jit_splat(e, LLVMBuildTrunc(e->builder, size, e->i32, ""));
        offsets = jit_select(e, active, offsets, spare);
    }
    LLVMValueRef pitch = jit_splat(e, LLVMBuildTrunc(e->builder, lanes, e->i32, ""));
    offsets = multiply(e, offsets, pitch);
    return LLVMBuildAdd(e->builder, offsets, jit_lane_numbers(e, 4), "");
}

static LLVMValueRef own_place(struct emit *e, LLVMValueRef base, LLVMValueRef offsets,
    uint32_t lane, LLVMValueRef lanes, uint32_t word) {
    LLVMValueRef offset = LLVMBuildExtractElement(e->builder, offsets, jit_i64(e, lane), "");
    offset = LLVMBuildZExt(e->builder, offset, e->i64, "");
    LLVMValueRef pointer = jit_pointer_at(e, base, offset);
    return word == 0 ? pointer
                     : jit_pointer_at(e, pointer, multiply(e, lanes, jit_i64(e, 4 * word)));
}

static LLVMValueRef gather_word(
    struct emit *e, const struct path *path, uint32_t part, uint32_t word) {
    LLVMValueRef lanes, size;
    LLVMValueRef base = jit_lane_base(e, path, &lanes, &size);
    LLVMValueRef active = jit_access_lanes(e, path, part);
    LLVMValueRef offsets = lane_offsets(e, path, part, lanes, size, active);
    LLVMValueRef result = LLVMGetPoison(e->vi32);
    base = jit_bytes_at(e, base, (uint64_t)part * e->width * 4);
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef place = own_place(e, base, offsets, lane, lanes, word);
        LLVMValueRef value = LLVMBuildLoad2(e->builder, e->i32, place, "");
        result = LLVMBuildInsertElement(e->builder, result, value, jit_i64(e, lane), "");
    }
    return active == NULL ? result : jit_select(e, active, result, LLVMConstNull(e->vi32));
}

static void scatter_word(
    struct emit *e, const struct path *path, uint32_t part, uint32_t word, LLVMValueRef value) {
    LLVMValueRef lanes, size;
    LLVMValueRef base = jit_lane_base(e, path, &lanes, &size);
    LLVMValueRef active = jit_access_lanes(e, path, part);
    LLVMValueRef offsets = lane_offsets(e, path, part, lanes, size, active);
    base = jit_bytes_at(e, base, (uint64_t)part * e->width * 4);
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef place = own_place(e, base, offsets, lane, lanes, word);
        LLVMBuildStore(
            e->builder, LLVMBuildExtractElement(e->builder, value, jit_i64(e, lane), ""), place);
    }
}

struct component *jit_lane_load(struct emit *e, const struct path *path, type_id type) {
    if (jit_is_half(e, type)) {
        return jit_half_lane_load(e, path, type);
    }
    struct address address;
    uint32_t count = jit_component_count(e->module, type);
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    struct component *components = jit_components_new(e, count);
    jit_address_resolve(e, path, &address);
    bool is_uniform = address.kind == SHAPE_ITERATION;
    struct uniform_place place = {0};
    if (is_uniform) {
        place = find_uniform(e, path, &address);
    }
    for (uint32_t i = 0; i < count && !e->has_failed; i++) {
        components[i].kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef word;
            if (is_uniform) {
                word = LLVMBuildLoad2(e->builder, e->vi32, word_place(e, &place, i, part), "");
                LLVMSetAlignment(word, 4);
                if (place.valid != NULL) {
                    word = jit_select(e, place.valid, word, LLVMConstNull(e->vi32));
                }
            } else {
                word = gather_word(e, path, part, i);
            }
            components[i].parts[part] = jit_word_to_value(e, word, scalar);
        }
    }
    return components;
}

void jit_lane_store(
    struct emit *e, const struct path *path, type_id type, const struct component *components) {
    if (jit_is_half(e, type)) {
        jit_half_lane_store(e, path, type, components);
        return;
    }
    struct address address;
    uint32_t count = jit_component_count(e->module, type);
    jit_address_resolve(e, path, &address);
    bool is_uniform = address.kind == SHAPE_ITERATION;
    struct uniform_place place = {0};
    if (is_uniform) {
        place = find_uniform(e, path, &address);
    }
    for (uint32_t i = 0; i < count && !e->has_failed; i++) {
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef word = jit_value_to_word(e, jit_part(e, &components[i], part));
            if (!is_uniform) {
                scatter_word(e, path, part, i, word);
                continue;
            }
            LLVMValueRef pointer = word_place(e, &place, i, part);
            if (!e->lanes.is_full) {
                // These bytes are this thread's own: blending writes nobody else's.
                LLVMValueRef old = LLVMBuildLoad2(e->builder, e->vi32, pointer, "");
                LLVMSetAlignment(old, 4);
                word = jit_select(e, jit_lanes_part(e, &e->lanes, part), word, old);
            }
            LLVMSetAlignment(LLVMBuildStore(e->builder, word, pointer), 4);
        }
    }
}

static void store_word(
    struct emit *e, LLVMValueRef base, LLVMValueRef lanes, LLVMValueRef word, LLVMValueRef value) {
    LLVMValueRef pitch = multiply(e, lanes, jit_i64(e, 4));
    LLVMValueRef row = jit_pointer_at(e, base, multiply(e, word, pitch));
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef place = jit_bytes_at(e, row, (uint64_t)part * e->width * 4);
        LLVMSetAlignment(LLVMBuildStore(e->builder, value, place), 4);
    }
}

static void fill_zero(struct emit *e, LLVMValueRef base, LLVMValueRef lanes, uint64_t words) {
    LLVMValueRef zero = LLVMConstNull(e->vi32);
    if (words <= 16) {
        for (uint64_t i = 0; i < words; i++) {
            store_word(e, base, lanes, jit_i64(e, i), zero);
        }
        return;
    }
    LLVMValueRef counter = jit_alloca(e, e->i64, "word");
    LLVMBasicBlockRef loop = jit_block(e, "zero"), end = jit_block(e, "zeroed");
    LLVMBuildStore(e->builder, jit_i64(e, 0), counter);
    LLVMBuildBr(e->builder, loop);
    jit_move_to(e, loop);
    LLVMValueRef word = LLVMBuildLoad2(e->builder, e->i64, counter, "");
    store_word(e, base, lanes, word, zero);
    LLVMValueRef next = LLVMBuildAdd(e->builder, word, jit_i64(e, 1), "");
    LLVMBuildStore(e->builder, next, counter);
    LLVMBuildCondBr(
        e->builder, LLVMBuildICmp(e->builder, LLVMIntULT, next, jit_i64(e, words), ""), loop, end);
    jit_move_to(e, end);
}

// Private variables at the start of the current iteration's invocations.
void jit_private_initialise(struct emit *e) {
    for (uint32_t v = 0; v < e->module->variables.count && !e->has_failed; v++) {
        const struct ir_variable *variable = &e->module->variables.items[v];
        if (variable->space != SPACE_PRIVATE || variable->access == ACCESS_READ ||
            !e->variable_is_used[v]) {
            continue;
        }
        struct path path = {.space = SPACE_PRIVATE,
            .variable = v,
            .parameter = UINT32_MAX,
            .root_type = variable->type};
        LLVMValueRef lanes, size;
        LLVMValueRef base = jit_lane_base(e, &path, &lanes, &size);
        if (e->has_failed) {
            return;
        }
        uint64_t words = jit_lane_memory(e, &path)->size_bytes / 4;
        const uint8_t *bytes = NULL;
        if (variable->initial_constant != 0) {
            bytes = e->module->constants.items[variable->initial_constant - 1].bytes;
        } else if (ir_value_is_set(variable->initial_value)) {
            jit_fail(e, "a private variable's initial value is not a constant yet");
            return;
        }
        fill_zero(e, base, lanes, words);
        uint64_t size_bytes = type_get(&e->module->types, variable->type)->size_bytes;
        for (uint64_t i = 0; bytes != NULL && i < words; i++) {
            uint32_t word = 0;
            uint64_t rest = size_bytes - 4 * i; // two bytes less than a word, for halves
            memcpy(&word, bytes + 4 * i, rest < sizeof(word) ? (size_t)rest : sizeof(word));
            if (word != 0) {
                store_word(e, base, lanes, jit_i64(e, i), jit_splat(e, jit_i32(e, word)));
            }
        }
    }
}
