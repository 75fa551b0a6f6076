// SPDX-License-Identifier: MIT
//
// Loads, stores, copies and array lengths: chooses by the shape of the address. Uniform: one scalar
// access. A constant distance from lane to lane: rows (emit_row.c). Anything else: lane by lane
// (emit_gather.c). Private and function variables: emit_lane_memory.c.
#include "shader/jit/jit_priv.h"

#define UNROLL_LIMIT 4u

LLVMValueRef jit_word_to_value(struct emit *e, LLVMValueRef word, LLVMTypeRef scalar) {
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(word)) == LLVMVectorTypeKind;
    if (scalar == e->i1) {
        return LLVMBuildICmp(e->builder, LLVMIntNE, word, LLVMConstNull(LLVMTypeOf(word)), "");
    }
    if (scalar == e->f32) {
        return LLVMBuildBitCast(e->builder, word, is_vector ? e->vf32 : e->f32, "");
    }
    return word;
}

LLVMValueRef jit_value_to_word(struct emit *e, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (type == e->i1) {
        return LLVMBuildZExt(e->builder, value, e->i32, "");
    }
    if (type == e->vi1) {
        return LLVMBuildZExt(e->builder, value, e->vi32, "");
    }
    if (type == e->f32) {
        return LLVMBuildBitCast(e->builder, value, e->i32, "");
    }
    return type == e->vf32 ? LLVMBuildBitCast(e->builder, value, e->vi32, "") : value;
}

void jit_memory_forget(struct emit *e) {
    jit_row_forget(e, NULL);
}

void jit_memory_barrier(struct emit *e) {
    if (!e->is_closed) {
        jit_row_flush(e);
    }
    jit_row_forget(e, NULL);
}

// Nobody writes the place while the kernel runs.
void jit_mark_invariant(struct emit *e, LLVMValueRef load) {
    static const char name[] = "invariant.load";
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, NULL, 0);
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(e->context, name, sizeof name - 1),
        LLVMMetadataAsValue(e->context, node));
}

static LLVMValueRef load_scalar(
    struct emit *e, LLVMValueRef pointer, LLVMTypeRef scalar, bool is_constant_memory) {
    LLVMValueRef word = LLVMBuildLoad2(e->builder, e->i32, pointer, "");
    LLVMSetAlignment(word, 4);
    if (is_constant_memory) {
        jit_mark_invariant(e, word);
    }
    return jit_word_to_value(e, word, scalar);
}

// A read at one place for all lanes; out of range it reads zeros.
static struct component *load_uniform(
    struct emit *e, const struct path *path, const struct address *address, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    struct component *components = jit_components_new(e, count);
    LLVMValueRef pointer = jit_pointer_at(e, jit_path_base(e, path), address->offsets[0]);
    if (address->uniform_valid != NULL) {
        pointer = jit_select(e, address->uniform_valid, pointer, e->zeros);
    }
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef place = jit_bytes_at(e, pointer, 4 * (uint64_t)i);
        components[i] = jit_uniform(load_scalar(e, place, scalar, !path->is_writable_shared));
    }
    return components;
}

// One place a part.
static struct component *load_by_part(
    struct emit *e, const struct path *path, const struct address *address, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    struct component *components = jit_components_new(e, count);
    LLVMValueRef base = jit_path_base(e, path);
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef valid = address->uniform_valid;
        for (uint32_t i = 0; i < path->term_count; i++) {
            const struct term *term = &path->terms[i];
            if (!jit_is_uniform(term->index) && term->length != NULL &&
                !(term->is_proven && e->lanes.is_full)) {
                valid = jit_and(e, valid,
                    LLVMBuildICmp(
                        e->builder, LLVMIntULT, term->index->parts[part], term->length, ""));
            }
        }
        LLVMValueRef pointer = jit_pointer_at(e, base, address->offsets[part]);
        if (valid != NULL) {
            pointer = jit_select(e, valid, pointer, e->zeros);
        }
        for (uint32_t i = 0; i < count; i++) {
            LLVMValueRef place = jit_bytes_at(e, pointer, 4 * (uint64_t)i);
            LLVMValueRef value = load_scalar(e, place, scalar, !path->is_writable_shared);
            components[i].kind = SHAPE_VARYING;
            components[i].parts[part] = jit_splat(e, value);
        }
    }
    return components;
}

// Lanes with a common part address but different strides that cancel out.
static bool is_by_part(const struct path *path) {
    for (uint32_t i = 0; i < path->term_count; i++) {
        if (!jit_is_uniform(path->terms[i].index) && path->terms[i].index->stride != 0) {
            return false;
        }
    }
    return true;
}

static struct component *load_lanes(struct emit *e, const struct path *path, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    struct component *components = jit_components_new(e, count);
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef words[4];
        jit_gather(e, path, part, count, words);
        for (uint32_t i = 0; i < count; i++) {
            components[i].kind = SHAPE_VARYING;
            components[i].parts[part] = jit_word_to_value(e, words[i], scalar);
        }
    }
    return components;
}

static void freeze_integers(struct emit *e, struct component *components, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parts = jit_is_uniform(&components[i]) ? 1 : e->jam;
        for (uint32_t part = 0; part < parts; part++) {
            LLVMTypeRef type = LLVMTypeOf(components[i].parts[part]);
            if (type == e->i32 || type == e->vi32) {
                components[i].parts[part] = LLVMBuildFreeze(
                    e->builder, components[i].parts[part], "");
            }
        }
    }
}

struct component *jit_load_path(struct emit *e, const struct path *path, type_id type) {
    struct address address;
    struct component *components;
    if (path->is_invalid) {
        // Its place is that of an element in range, whose row may be at hand.
        components = jit_components_new(e, jit_component_count(e->module, type));
        for (uint32_t i = 0; i < jit_component_count(e->module, type); i++) {
            components[i] = jit_uniform(LLVMConstNull(jit_scalar_type(e, type)));
        }
        return components;
    }
    if (path->space == SPACE_FUNCTION || path->space == SPACE_PRIVATE) {
        return jit_lane_load(e, path, type);
    }
    if (jit_is_half(e, type)) {
        return jit_half_load(e, path, type);
    }
    jit_row_flush_for(e, path);
    jit_address_resolve(e, path, &address);
    if (address.kind == SHAPE_ITERATION) {
        components = load_uniform(e, path, &address, type);
    } else if (address.kind == SHAPE_LINEAR && is_by_part(path)) {
        components = load_by_part(e, path, &address, type);
    } else if (address.kind == SHAPE_LINEAR && address.lane_stride >= 4) {
        components = jit_row_load(e, path, &address, type);
    } else {
        components = load_lanes(e, path, type);
    }
    if (path->is_writable_shared) {
        // What another thread writes meanwhile must not make the check and the access disagree.
        freeze_integers(e, components, jit_component_count(e->module, type));
    }
    return components;
}

// All active lanes write one place: the last one's value stays.
static void store_uniform(struct emit *e, const struct path *path, const struct address *address,
    type_id type, const struct component *components) {
    uint32_t count = jit_component_count(e->module, type);
    LLVMValueRef is_done = address->uniform_valid;
    LLVMBasicBlockRef end = NULL;
    if (!e->lanes.is_full) {
        is_done = jit_and(e, is_done, jit_lanes_any(e, &e->lanes));
    }
    if (is_done != NULL) {
        LLVMBasicBlockRef body = jit_block(e, "store");
        end = jit_block(e, "stored");
        LLVMBuildCondBr(e->builder, is_done, body, end);
        jit_move_to(e, body);
    }
    LLVMValueRef pointer = jit_pointer_at(e, jit_path_base(e, path), address->offsets[0]);
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef word;
        if (jit_is_uniform(&components[i])) {
            word = components[i].parts[0];
        } else {
            word = NULL;
            for (uint32_t part = 0; part < e->jam; part++) {
                LLVMValueRef mask = jit_lanes_part(e, &e->lanes, part);
                LLVMValueRef bits = LLVMBuildBitCast(e->builder, mask, e->bits, "");
                LLVMValueRef arguments[] = {bits, LLVMConstNull(e->i1)};
                LLVMValueRef zeros = jit_intrinsic(e, "llvm.ctlz", e->bits, arguments, 2);
                LLVMValueRef last = LLVMBuildSub(
                    e->builder, LLVMConstInt(e->bits, e->width - 1, false), zeros, "");
                LLVMValueRef any = LLVMBuildICmp(
                    e->builder, LLVMIntNE, bits, LLVMConstNull(e->bits), "");
                last = jit_select(e, any, last, LLVMConstNull(e->bits));
                LLVMValueRef vector = jit_value_to_word(e, jit_part(e, &components[i], part));
                LLVMValueRef lane = LLVMBuildZExtOrBitCast(
                    e->builder, last, e->width == 64 ? e->bits : e->i64, "");
                LLVMValueRef value = LLVMBuildExtractElement(e->builder, vector, lane, "");
                word = word == NULL ? value : jit_select(e, any, value, word);
            }
        }
        LLVMValueRef place = jit_bytes_at(e, pointer, 4 * (uint64_t)i);
        LLVMSetAlignment(LLVMBuildStore(e->builder, jit_value_to_word(e, word), place), 4);
    }
    if (end != NULL) {
        LLVMBuildBr(e->builder, end);
        jit_move_to(e, end);
    }
}

static void store_shared(
    struct emit *e, const struct path *path, type_id type, const struct component *components) {
    struct address address;
    jit_row_forget(e, path);
    jit_address_resolve(e, path, &address);
    if (address.kind == SHAPE_LINEAR && address.lane_stride >= 4) {
        jit_row_store(e, path, &address, type, components);
        return;
    }
    jit_row_flush(e);
    if (address.kind == SHAPE_ITERATION) {
        store_uniform(e, path, &address, type, components);
        return;
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef words[4];
        uint32_t count = jit_component_count(e->module, type);
        for (uint32_t i = 0; i < count; i++) {
            words[i] = jit_value_to_word(e, jit_part(e, &components[i], part));
        }
        jit_scatter(e, path, part, count, words);
    }
}

void jit_store_path(
    struct emit *e, const struct path *path, type_id type, const struct component *components) {
    if (path->is_invalid) {
        return;
    }
    if (path->space == SPACE_FUNCTION || path->space == SPACE_PRIVATE) {
        jit_lane_store(e, path, type, components);
        return;
    }
    struct lanes lanes = e->lanes;
    e->lanes = jit_effect_lanes(e);
    if (jit_is_half(e, type)) {
        jit_half_store(e, path, type, components);
    } else {
        store_shared(e, path, type, components);
    }
    e->lanes = lanes;
}

static void copy(struct emit *e, struct path *to, struct path *from, type_id type, uint32_t depth);

static void copy_array(struct emit *e, struct path *to, struct path *from, const struct type *info,
    type_id element, uint32_t depth) {
    struct path to_element = *to, from_element = *from;
    if (info->count <= UNROLL_LIMIT) {
        for (uint32_t i = 0; i < info->count; i++) {
            to_element.offset = to->offset + (uint64_t)i * info->stride_bytes;
            from_element.offset = from->offset + (uint64_t)i * info->stride_bytes;
            copy(e, &to_element, &from_element, element, depth + 1);
        }
        return;
    }
    jit_memory_barrier(e);
    LLVMValueRef counter = jit_alloca(e, e->i32, "copied");
    LLVMBasicBlockRef loop = jit_block(e, "copy"), end = jit_block(e, "endcopy");
    struct component *index = jit_components_new(e, 1);
    LLVMBuildStore(e->builder, jit_i32(e, 0), counter);
    LLVMBuildBr(e->builder, loop);
    jit_move_to(e, loop);
    index[0] = jit_uniform(LLVMBuildLoad2(e->builder, e->i32, counter, ""));
    jit_path_add_term(e, &to_element, index, info->stride_bytes);
    jit_path_add_term(e, &from_element, index, info->stride_bytes);
    to_element.row_stride = from_element.row_stride = 0;
    copy(e, &to_element, &from_element, element, depth + 1);
    jit_memory_barrier(e);
    LLVMValueRef next = LLVMBuildAdd(e->builder, index[0].parts[0], jit_i32(e, 1), "");
    LLVMBuildStore(e->builder, next, counter);
    LLVMBuildCondBr(e->builder,
        LLVMBuildICmp(e->builder, LLVMIntULT, next, jit_i32(e, info->count), ""), loop, end);
    jit_move_to(e, end);
}

static void copy(struct emit *e, struct path *to, struct path *from, type_id type, uint32_t depth) {
    const struct type *info = type_get(&e->module->types, type);
    if (e->has_failed || depth > 32) {
        jit_fail(e, "a type is nested too deeply");
        return;
    }
    if (jit_component_count(e->module, type) > 0) {
        jit_store_path(e, to, type, jit_load_path(e, from, type));
        return;
    }
    if (info->kind == TYPE_STRUCT) {
        struct path to_member = *to, from_member = *from;
        for (uint32_t i = 0; i < info->member_count; i++) {
            to_member.offset = to->offset + info->members[i].offset_bytes;
            from_member.offset = from->offset + info->members[i].offset_bytes;
            copy(e, &to_member, &from_member, info->members[i].type, depth + 1);
        }
    } else if (info->kind == TYPE_ARRAY && info->array_size == ARRAY_FIXED) {
        copy_array(e, to, from, info, info->element, depth);
    } else if (info->kind == TYPE_MATRIX) {
        copy_array(e, to, from, info, type_element_at(&e->module->types, type, 0), depth);
    } else {
        jit_fail(e, "a type that cannot be copied reached the code generator");
    }
}

static void emit_copy(struct emit *e, const struct ir_op *op) {
    struct path *to = ARENA_NEW(e->arena, struct path);
    struct path *from = ARENA_NEW(e->arena, struct path);
    if (to == NULL || from == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    if (jit_path_resolve(e, op->operands[0], to) && jit_path_resolve(e, op->operands[1], from)) {
        type_id pointer = ir_value_type(e->function, op->operands[0]);
        copy(e, to, from, type_get(&e->module->types, pointer)->element, 0);
    }
}

static void emit_array_length(struct emit *e, const struct ir_op *op) {
    struct path path;
    if (!jit_path_resolve(e, op->operands[0], &path)) {
        return;
    }
    type_id pointer = ir_value_type(e->function, op->operands[0]);
    type_id array = type_get(&e->module->types, pointer)->element;
    struct component *components = jit_components_new(e, 1);
    components[0] = jit_uniform(jit_array_length(e, &path, array));
    jit_set(e, ir_op_result(op, 0), components);
}

void jit_emit_memory(struct emit *e, const struct ir_op *op) {
    struct path path;
    if (op->opcode == IR_COPY_MEMORY) {
        emit_copy(e, op);
        return;
    }
    if (op->opcode == IR_ARRAY_LENGTH) {
        emit_array_length(e, op);
        return;
    }
    if (jit_is_symbolic(e->module, e->function, op)) {
        return;
    }
    if (!jit_path_resolve(e, op->operands[0], &path)) {
        return;
    }
    if (op->opcode == IR_STORE) {
        type_id type = ir_value_type(e->function, op->operands[1]);
        if (jit_component_count(e->module, type) == 0) {
            jit_fail(e, "a composite store reached the code generator");
            return;
        }
        jit_store_path(e, &path, type, jit_components(e, op->operands[1]));
        return;
    }
    type_id type = ir_value_type(e->function, ir_op_result(op, 0));
    if (jit_component_count(e->module, type) == 0) {
        jit_fail(e, "a composite load reached the code generator");
        return;
    }
    jit_set(e, ir_op_result(op, 0), jit_load_path(e, &path, type));
}
