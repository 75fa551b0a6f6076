// SPDX-License-Identifier: MIT
//
// Atomics. On storage memory they are real: one atomic instruction for each active lane, in
// ascending order of lanes; where all lanes hit one place and nobody uses the old value, the lanes
// are combined first. On workgroup memory they are plain, since one thread runs a workgroup.
#include "shader/jit/jit_priv.h"

static LLVMAtomicRMWBinOp binary(enum ir_opcode opcode, bool is_signed) {
    switch (opcode) {
    case IR_ATOMIC_ADD:
        return LLVMAtomicRMWBinOpAdd;
    case IR_ATOMIC_SUB:
        return LLVMAtomicRMWBinOpSub;
    case IR_ATOMIC_MAX:
        return is_signed ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    case IR_ATOMIC_MIN:
        return is_signed ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    case IR_ATOMIC_AND:
        return LLVMAtomicRMWBinOpAnd;
    case IR_ATOMIC_OR:
        return LLVMAtomicRMWBinOpOr;
    case IR_ATOMIC_XOR:
        return LLVMAtomicRMWBinOpXor;
    default:
        return LLVMAtomicRMWBinOpXchg;
    }
}

static LLVMValueRef combine(
    struct emit *e, enum ir_opcode opcode, bool is_signed, LLVMValueRef a, LLVMValueRef b) {
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    switch (opcode) {
    case IR_ATOMIC_ADD:
        return LLVMBuildAdd(e->builder, a, b, "");
    case IR_ATOMIC_SUB:
        return LLVMBuildSub(e->builder, a, b, "");
    case IR_ATOMIC_MAX:
        return jit_select(e, LLVMBuildICmp(e->builder, less, a, b, ""), b, a);
    case IR_ATOMIC_MIN:
        return jit_select(e, LLVMBuildICmp(e->builder, less, b, a, ""), b, a);
    case IR_ATOMIC_AND:
        return LLVMBuildAnd(e->builder, a, b, "");
    case IR_ATOMIC_OR:
        return LLVMBuildOr(e->builder, a, b, "");
    case IR_ATOMIC_XOR:
        return LLVMBuildXor(e->builder, a, b, "");
    default:
        return b;
    }
}

struct access {
    const struct ir_op *op;
    struct path path;
    bool is_plain; // workgroup memory
    bool is_signed;
    const struct component *first;  // value, or expected
    const struct component *second; // desired
};

// One lane's operation; gives the old value, and whether an exchange took place.
static LLVMValueRef perform(struct emit *e, const struct access *a, LLVMValueRef pointer,
    LLVMValueRef first, LLVMValueRef second, LLVMValueRef *out_exchanged) {
    LLVMBuilderRef b = e->builder;
    enum ir_opcode opcode = a->op->opcode;
    LLVMValueRef old = NULL;
    if (opcode == IR_ATOMIC_LOAD || a->is_plain) {
        old = opcode == IR_ATOMIC_STORE ? NULL : LLVMBuildLoad2(b, e->i32, pointer, "");
        if (old != NULL) {
            LLVMSetAlignment(old, 4);
            if (!a->is_plain) {
                LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
            }
        }
        if (opcode == IR_ATOMIC_LOAD) {
            return old;
        }
        LLVMValueRef value = first;
        if (opcode == IR_ATOMIC_COMPARE_EXCHANGE) {
            *out_exchanged = LLVMBuildICmp(b, LLVMIntEQ, old, first, "");
            value = jit_select(e, *out_exchanged, second, old);
        } else if (opcode != IR_ATOMIC_STORE) {
            value = combine(e, opcode, a->is_signed, old, first);
        }
        LLVMSetAlignment(LLVMBuildStore(b, value, pointer), 4);
        return old;
    }
    if (opcode == IR_ATOMIC_STORE) {
        LLVMValueRef store = LLVMBuildStore(b, first, pointer);
        LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
        LLVMSetAlignment(store, 4);
        return NULL;
    }
    if (opcode == IR_ATOMIC_COMPARE_EXCHANGE) {
        LLVMValueRef pair = LLVMBuildAtomicCmpXchg(b, pointer, first, second,
            LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, false);
        *out_exchanged = LLVMBuildExtractValue(b, pair, 1, "");
        return LLVMBuildExtractValue(b, pair, 0, "");
    }
    return LLVMBuildAtomicRMW(
        b, binary(opcode, a->is_signed), pointer, first, LLVMAtomicOrderingMonotonic, false);
}

static bool is_result_used(const struct emit *e, const struct ir_op *op) {
    return e->value_is_used[op->first_result.index] != 0;
}

static LLVMValueRef neutral(struct emit *e, enum ir_opcode opcode, bool is_signed) {
    switch (opcode) {
    case IR_ATOMIC_MAX:
        return jit_i32(e, is_signed ? 0x80000000u : 0);
    case IR_ATOMIC_MIN:
        return jit_i32(e, is_signed ? 0x7fffffffu : 0xffffffffu);
    case IR_ATOMIC_AND:
        return jit_i32(e, 0xffffffffu);
    default:
        return jit_i32(e, 0);
    }
}

static const char *reduction(enum ir_opcode opcode, bool is_signed) {
    switch (opcode) {
    case IR_ATOMIC_ADD:
    case IR_ATOMIC_SUB:
        return "llvm.vector.reduce.add";
    case IR_ATOMIC_MAX:
        return is_signed ? "llvm.vector.reduce.smax" : "llvm.vector.reduce.umax";
    case IR_ATOMIC_MIN:
        return is_signed ? "llvm.vector.reduce.smin" : "llvm.vector.reduce.umin";
    case IR_ATOMIC_AND:
        return "llvm.vector.reduce.and";
    case IR_ATOMIC_OR:
        return "llvm.vector.reduce.or";
    case IR_ATOMIC_XOR:
        return "llvm.vector.reduce.xor";
    default:
        return NULL;
    }
}

// All lanes hit one place and the old value is not used: one operation for all of them.
static bool emit_combined(struct emit *e, struct access *a, const struct address *address) {
    enum ir_opcode opcode = a->op->opcode;
    const char *name = reduction(opcode, a->is_signed);
    if (address->kind != SHAPE_ITERATION || name == NULL || is_result_used(e, a->op)) {
        return false;
    }
    bool is_sub = opcode == IR_ATOMIC_SUB;
    LLVMValueRef total = NULL;
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef value = jit_part(e, a->first, part);
        if (!e->lanes.is_full) {
            value = jit_select(e, jit_lanes_part(e, &e->lanes, part), value,
                jit_splat(e, neutral(e, opcode, a->is_signed)));
        }
        LLVMValueRef sum = jit_intrinsic(e, name, e->vi32, &value, 1);
        total = total == NULL
            ? sum
            : combine(e, is_sub ? IR_ATOMIC_ADD : opcode, a->is_signed, total, sum);
    }
    LLVMValueRef is_done = address->uniform_valid;
    if (!e->lanes.is_full) {
        is_done = jit_and(e, is_done, jit_lanes_any(e, &e->lanes));
    }
    LLVMBasicBlockRef end = NULL;
    if (is_done != NULL) {
        LLVMBasicBlockRef body = jit_block(e, "atomic");
        end = jit_block(e, "atomic_end");
        LLVMBuildCondBr(e->builder, is_done, body, end);
        jit_move_to(e, body);
    }
    LLVMValueRef pointer = jit_pointer_at(e, jit_path_base(e, &a->path), address->offsets[0]);
    perform(e, a, pointer, total, NULL, NULL);
    if (end != NULL) {
        LLVMBuildBr(e->builder, end);
        jit_move_to(e, end);
    }
    return true;
}

static LLVMValueRef element(
    struct emit *e, const struct component *component, uint32_t part, uint32_t lane) {
    if (component == NULL) {
        return NULL;
    }
    if (jit_is_uniform(component)) {
        return component->parts[0];
    }
    return LLVMBuildExtractElement(e->builder, jit_part(e, component, part), jit_i64(e, lane), "");
}

// Lane by lane. Lanes that take no part are stepped over by a branch.
static void emit_part(struct emit *e, struct access *a, uint32_t part, LLVMValueRef *out_old,
    LLVMValueRef *out_exchanged) {
    LLVMValueRef base = jit_path_base(e, &a->path);
    LLVMValueRef offsets = jit_address_lane_offsets(e, &a->path, part);
    LLVMValueRef lanes = jit_access_lanes(e, &a->path, part);
    LLVMValueRef bits = lanes != NULL ? jit_mask_bits(e, lanes) : NULL;
    bool has_result = a->op->result_count > 0;
    bool is_exchange = a->op->opcode == IR_ATOMIC_COMPARE_EXCHANGE;
    LLVMValueRef old = LLVMConstNull(e->vi32), exchanged = LLVMConstNull(e->vi32);
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMBasicBlockRef from = NULL, end = NULL;
        LLVMValueRef old_before = old, exchanged_before = exchanged, done = NULL;
        if (bits != NULL) {
            LLVMBasicBlockRef body = jit_block(e, "lane");
            end = jit_block(e, "lane_end");
            from = LLVMGetInsertBlock(e->builder);
            LLVMValueRef bit = LLVMBuildTrunc(
                e->builder, LLVMBuildLShr(e->builder, bits, jit_i64(e, lane), ""), e->i1, "");
            LLVMBuildCondBr(e->builder, bit, body, end);
            jit_move_to(e, body);
        }
        LLVMValueRef offset = LLVMBuildExtractElement(e->builder, offsets, jit_i64(e, lane), "");
        LLVMValueRef pointer = jit_pointer_at(
            e, base, LLVMBuildZExt(e->builder, offset, e->i64, ""));
        LLVMValueRef value = perform(e, a, pointer, element(e, a->first, part, lane),
            element(e, a->second, part, lane), &done);
        if (has_result) {
            old = LLVMBuildInsertElement(e->builder, old, value, jit_i64(e, lane), "");
        }
        if (is_exchange) {
            LLVMValueRef word = LLVMBuildZExt(e->builder, done, e->i32, "");
            exchanged = LLVMBuildInsertElement(e->builder, exchanged, word, jit_i64(e, lane), "");
        }
        if (bits == NULL) {
            continue;
        }
        LLVMBasicBlockRef blocks[2] = {LLVMGetInsertBlock(e->builder), from};
        LLVMBuildBr(e->builder, end);
        jit_move_to(e, end);
        if (has_result) {
            LLVMValueRef values[2] = {old, old_before};
            old = LLVMBuildPhi(e->builder, e->vi32, "");
            LLVMAddIncoming(old, values, blocks, 2);
        }
        if (is_exchange) {
            LLVMValueRef values[2] = {exchanged, exchanged_before};
            exchanged = LLVMBuildPhi(e->builder, e->vi32, "");
            LLVMAddIncoming(exchanged, values, blocks, 2);
        }
    }
    *out_old = old;
    *out_exchanged = exchanged;
}

void jit_emit_atomic(struct emit *e, const struct ir_op *op) {
    struct access *a = ARENA_NEW(e->arena, struct access);
    struct address address;
    if (a == NULL || !jit_path_resolve(e, op->operands[0], &a->path)) {
        jit_fail(e, "out of memory");
        return;
    }
    a->op = op;
    a->is_plain = a->path.space == SPACE_WORKGROUP;
    a->first = op->operand_count > 1 ? jit_components(e, op->operands[1]) : NULL;
    a->second = op->operand_count > 2 ? jit_components(e, op->operands[2]) : NULL;
    type_id pointer = ir_value_type(e->function, op->operands[0]);
    type_id atomic = type_get(&e->module->types, pointer)->element;
    type_id number = type_get(&e->module->types, atomic)->element;
    a->is_signed = type_kind_of(&e->module->types, number) == TYPE_I32;
    struct lanes lanes = e->lanes;
    if (op->opcode != IR_ATOMIC_LOAD) {
        e->lanes = jit_effect_lanes(e);
    }
    jit_address_resolve(e, &a->path, &address);
    struct component *old = jit_components_new(e, 1), *exchanged = jit_components_new(e, 1);
    old->kind = exchanged->kind = SHAPE_VARYING;
    if (op->result_count > 0 && emit_combined(e, a, &address)) {
        for (uint32_t part = 0; part < e->jam; part++) {
            old->parts[part] = LLVMConstNull(e->vi32);
        }
        jit_set(e, ir_op_result(op, 0), old);
        e->lanes = lanes;
        return;
    }
    for (uint32_t part = 0; part < e->jam && !e->has_failed; part++) {
        LLVMValueRef done = NULL;
        emit_part(e, a, part, &old->parts[part], &done);
        exchanged->parts[part] = LLVMBuildICmp(
            e->builder, LLVMIntNE, done, LLVMConstNull(e->vi32), "");
    }
    e->lanes = lanes;
    if (op->result_count > 0) {
        jit_set(e, ir_op_result(op, 0), old);
    }
    if (op->result_count > 1) {
        jit_set(e, ir_op_result(op, 1), exchanged);
    }
}
