// SPDX-License-Identifier: MIT
//
// The kernel function: reads the dispatch once, then runs workgroups in ascending order, each with
// zeroed workgroup memory, and counts them.
#include <stddef.h>

#include "shader/jit/jit_priv.h"

_Static_assert(offsetof(struct jit_dispatch, buffers) == 0, "read by generated code");
_Static_assert(offsetof(struct jit_dispatch, immediates) == 8, "read by generated code");
_Static_assert(offsetof(struct jit_dispatch, num_workgroups) == 16, "read by generated code");
_Static_assert(offsetof(struct jit_dispatch, cancel) == 32, "read by generated code");
_Static_assert(offsetof(struct jit_dispatch, texture) == 40, "read by generated code");
_Static_assert(offsetof(struct jit_dispatch, batches) == 48, "read by generated code");
_Static_assert(offsetof(struct jit_batch, outputs) == 8, "read by generated code");
_Static_assert(offsetof(struct jit_batch, live) == 16, "read by generated code");
_Static_assert(offsetof(struct jit_batch, lane_count) == 24, "read by generated code");
_Static_assert(sizeof(struct jit_batch) == 32, "read by generated code");
_Static_assert(offsetof(struct jit_buffer, size_bytes) == 8, "read by generated code");
_Static_assert(sizeof(struct jit_buffer) == 16, "read by generated code");
_Static_assert(sizeof(atomic_uint) == 4, "read by generated code");

bool jit_begin_function(struct emit *e, uint32_t function) {
    e->function_index = function;
    e->function = &e->module->functions.items[function];
    e->facts = &e->all_facts[function];
    size_t values = e->function->values.count + 1, ops = e->function->ops.count + 1;
    e->values = ARENA_ARRAY(e->arena, struct emitted_value, values);
    e->value_is_used = ARENA_ARRAY(e->arena, uint8_t, values);
    e->vars = ARENA_ARRAY(e->arena, struct lane_memory, ops);
    if (e->values == NULL || e->value_is_used == NULL || e->vars == NULL) {
        return jit_fail(e, "out of memory");
    }
    for (size_t i = 1; i < e->function->ops.count; i++) {
        const struct ir_op *op = &e->function->ops.items[i];
        for (uint32_t k = 0; op->parent.index != 0 && k < op->operand_count; k++) {
            e->value_is_used[op->operands[k].index] = 1;
        }
    }
    e->frame = NULL;
    e->is_closed = false;
    e->slow_words = e->slow_offsets = NULL;
    e->texture_arguments = e->texture_results = NULL;
    e->has_return_home = false;
    e->rows = e->waiting = NULL;
    e->depth = 0;
    e->local_words = 0;
    e->first_alive = NULL;
    e->iteration = NULL;
    return true;
}

static LLVMValueRef load_field(
    struct emit *e, LLVMTypeRef type, LLVMValueRef base, uint64_t offset, const char *name) {
    return LLVMBuildLoad2(e->builder, type, jit_bytes_at(e, base, offset), name);
}

// Sizes beyond what 32-bit offsets reach are cut off; a binding too small for its type, which the
// API refuses, is treated as empty.
static void load_buffer(
    struct emit *e, struct buffer_binding *buffer, LLVMValueRef buffers, uint32_t number) {
    const struct ir_variable *variable = &e->module->variables.items[buffer->variable];
    LLVMValueRef data = load_field(e, e->pointer, buffers, 16 * (uint64_t)number, "data");
    if (buffer->is_handle) {
        buffer->data = data;
        return;
    }
    uint64_t least = type_minimum_binding_size(&e->module->types, variable->type);
    LLVMValueRef size = load_field(e, e->i64, buffers, 16 * (uint64_t)number + 8, "size");
    LLVMValueRef limit = jit_i64(e, 0xfffffffcu);
    LLVMValueRef is_large = LLVMBuildICmp(e->builder, LLVMIntUGT, size, limit, "");
    LLVMValueRef is_small = LLVMBuildICmp(e->builder, LLVMIntULT, size, jit_i64(e, least), "");
    size = jit_select(e, is_large, limit, size);
    buffer->size = jit_select(e, is_small, jit_i64(e, 0), size);
    buffer->data = jit_select(e, is_small, e->zeros, data);
    buffer->length = NULL;
}

// A constant table becomes a constant of the module, once, whichever function asks first.
static void load_table(struct emit *e, struct buffer_binding *buffer) {
    const struct ir_variable *variable = &e->module->variables.items[buffer->variable];
    uint64_t size_bytes = type_get(&e->module->types, variable->type)->size_bytes;
    const char *bytes = NULL;
    if (variable->initial_constant != 0) {
        bytes = e->module->constants.items[variable->initial_constant - 1].bytes;
    }
    if (buffer->data == NULL) {
        LLVMValueRef content = bytes == NULL
            ? LLVMConstNull(LLVMArrayType2(e->i8, size_bytes))
            : LLVMConstStringInContext2(e->context, bytes, (size_t)size_bytes, true);
        LLVMValueRef table = LLVMAddGlobal(e->llvm, LLVMTypeOf(content), "table");
        LLVMSetInitializer(table, content);
        LLVMSetGlobalConstant(table, true);
        LLVMSetLinkage(table, LLVMInternalLinkage);
        LLVMSetAlignment(table, 64);
        buffer->data = table;
    }
    buffer->size = jit_i64(e, size_bytes);
}

void jit_load_dispatch(struct emit *e) {
    LLVMValueRef buffers = NULL;
    for (uint32_t i = 0; i < e->buffer_count; i++) {
        struct buffer_binding *buffer = &e->buffers[i];
        if (buffer->is_table) {
            load_table(e, buffer);
            continue;
        }
        if (buffer->is_immediate) {
            LLVMValueRef data = load_field(e, e->pointer, e->dispatch, 8, "immediates");
            LLVMValueRef none = LLVMBuildIsNull(e->builder, data, "");
            buffer->data = jit_select(e, none, e->zeros, data);
            buffer->size = jit_i64(e, 0);
            continue;
        }
        if (buffers == NULL) {
            buffers = load_field(e, e->pointer, e->dispatch, 0, "buffers");
        }
        load_buffer(e, buffer, buffers, buffer->slot);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        e->num_workgroups[axis] = load_field(
            e, e->i32, e->dispatch, 16 + 4 * (uint64_t)axis, "num_workgroups");
    }
    e->cancel = load_field(e, e->pointer, e->dispatch, 32, "cancel");
    e->texture_function = load_field(e, e->pointer, e->dispatch, 40, "texture");
}

struct counters {
    LLVMValueRef linear, id[3];
};

// Splits the first linear index; afterwards the numbers are counted up.
static void start_counters(struct emit *e, LLVMValueRef first, struct counters *c) {
    LLVMValueRef counts[2], rest = first;
    c->linear = jit_alloca(e, e->i64, "workgroup");
    LLVMBuildStore(e->builder, first, c->linear);
    for (uint32_t axis = 0; axis < 3 && !e->stage.has_batches; axis++) {
        LLVMValueRef number = rest;
        if (axis < 2) {
            counts[axis] = LLVMBuildZExt(e->builder, e->num_workgroups[axis], e->i64, "");
            LLVMValueRef none = LLVMBuildIsNull(e->builder, counts[axis], "");
            counts[axis] = jit_select(e, none, jit_i64(e, 1), counts[axis]);
            number = LLVMBuildURem(e->builder, rest, counts[axis], "");
            rest = LLVMBuildUDiv(e->builder, rest, counts[axis], "");
        }
        c->id[axis] = jit_alloca(e, e->i32, "workgroup_id");
        LLVMBuildStore(e->builder, LLVMBuildTrunc(e->builder, number, e->i32, ""), c->id[axis]);
    }
}

static void advance_counters(struct emit *e, struct counters *c) {
    LLVMValueRef carry = LLVMConstInt(e->i1, 1, false);
    for (uint32_t axis = 0; axis < 3 && !e->stage.has_batches; axis++) {
        LLVMValueRef old = LLVMBuildLoad2(e->builder, e->i32, c->id[axis], "");
        LLVMValueRef next = LLVMBuildAdd(
            e->builder, old, LLVMBuildZExt(e->builder, carry, e->i32, ""), "");
        if (axis < 2) {
            LLVMValueRef wraps = LLVMBuildICmp(
                e->builder, LLVMIntUGE, next, e->num_workgroups[axis], "");
            next = jit_select(e, wraps, jit_i32(e, 0), next);
            carry = LLVMBuildAnd(e->builder, carry, wraps, "");
        }
        LLVMBuildStore(e->builder, next, c->id[axis]);
    }
}

static void count_progress(struct emit *e, LLVMValueRef progress) {
    LLVMValueRef old = LLVMBuildLoad2(e->builder, e->i64, progress, "");
    LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(old, 8);
    LLVMValueRef store = LLVMBuildStore(
        e->builder, LLVMBuildAdd(e->builder, old, jit_i64(e, 1), ""), progress);
    LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(store, 8);
}

static void add_alias_attributes(struct emit *e, LLVMValueRef function) {
    // Only the worker's scratch memory is known to be reached by no other pointer.
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(e->context, kind, 0);
    LLVMAddAttributeAtIndex(function, 4, attribute);
}

bool jit_emit_kernel(struct emit *e, const char *name) {
    LLVMTypeRef parameters[] = {e->pointer, e->i64, e->i64, e->pointer, e->pointer};
    LLVMTypeRef type = LLVMFunctionType(e->void_type, parameters, 5, false);
    struct counters counters;
    if (!jit_begin_function(e, e->entry->function)) {
        return false;
    }
    e->llvm_function = LLVMAddFunction(e->llvm, name, type);
    jit_target_attributes(e, e->llvm_function);
    add_alias_attributes(e, e->llvm_function);
    e->dispatch = LLVMGetParam(e->llvm_function, 0);
    e->scratch = LLVMGetParam(e->llvm_function, 3);
    LLVMValueRef first = LLVMGetParam(e->llvm_function, 1);
    LLVMValueRef end = LLVMGetParam(e->llvm_function, 2);
    LLVMValueRef progress = LLVMGetParam(e->llvm_function, 4);

    e->alloca_block = jit_block(e, "entry");
    LLVMBasicBlockRef start = jit_block(e, "start"), loop = jit_block(e, "workgroup");
    e->abandon_block = jit_block(e, "abandon");
    e->workgroup_end = jit_block(e, "workgroup_end");
    LLVMPositionBuilderAtEnd(e->builder, e->alloca_block);
    jit_load_dispatch(e);
    jit_place_live(e);
    LLVMPositionBuilderAtEnd(e->builder, start);
    start_counters(e, first, &counters);
    LLVMValueRef some = LLVMBuildICmp(e->builder, LLVMIntULT, first, end, "");
    LLVMBuildCondBr(e->builder, some, loop, e->abandon_block);

    jit_move_to(e, loop);
    LLVMValueRef linear = LLVMBuildLoad2(e->builder, e->i64, counters.linear, "workgroup");
    if (e->stage.has_batches) {
        jit_load_batch(e, linear);
    } else {
        for (uint32_t axis = 0; axis < 3; axis++) {
            e->workgroup_id[axis] = LLVMBuildLoad2(
                e->builder, e->i32, counters.id[axis], "workgroup_id");
        }
        e->workgroup_index = LLVMBuildTrunc(e->builder, linear, e->i32, "");
    }
    jit_emit_workgroup(e);
    if (!e->is_closed) {
        LLVMBuildBr(e->builder, e->workgroup_end);
    }

    jit_move_to(e, e->workgroup_end);
    count_progress(e, progress);
    advance_counters(e, &counters);
    LLVMValueRef next = LLVMBuildAdd(e->builder, linear, jit_i64(e, 1), "");
    LLVMBuildStore(e->builder, next, counters.linear);
    LLVMValueRef more = LLVMBuildICmp(e->builder, LLVMIntULT, next, end, "");
    LLVMBuildCondBr(e->builder, more, loop, e->abandon_block);
    jit_move_to(e, e->abandon_block);
    LLVMBuildRetVoid(e->builder);
    LLVMPositionBuilderAtEnd(e->builder, e->alloca_block);
    LLVMBuildBr(e->builder, start);
    return !e->has_failed;
}
