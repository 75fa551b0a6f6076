// SPDX-License-Identifier: MIT
//
// Masks for processors without mask registers, after LLVM's passes and before code generation. There
// a <W x i1> that lives in a loop or meets another is kept in a vector of another element width than
// the values that it masks, and every use converts it. This pass rewrites masks as <W x i32> of 0 and
// -1: combinations and phis become operations on integers, comparisons are widened where they are
// made, and a use as <W x i1> tests the sign, which blends and movemask do for nothing. The passes
// themselves would undo it.
#include "base/vector.h"
#include "shader/jit/jit_priv.h"

struct widened {
    LLVMValueRef mask; // <W x i1>
    LLVMValueRef wide; // <W x i32>
    bool is_replaced;  // the mask itself goes; else it stays and `wide` extends it
};

struct widening {
    struct emit *emit;
    LLVMBuilderRef builder;
    VECTOR(struct widened) items; // in the arena
    uint32_t *buckets;            // index + 1, open addressing
    uint32_t bucket_count;        // a power of two
};

static uint32_t hash(LLVMValueRef value) {
    uint64_t bits = (uint64_t)(uintptr_t)value;
    return (uint32_t)((bits >> 4) * 0x9e3779b97f4a7c15u >> 32);
}

static struct widened *find(struct widening *w, LLVMValueRef mask) {
    for (uint32_t i = hash(mask) & (w->bucket_count - 1); w->buckets[i] != 0;
         i = (i + 1) & (w->bucket_count - 1)) {
        struct widened *item = &w->items.items[w->buckets[i] - 1];
        if (item->mask == mask) {
            return item;
        }
    }
    return NULL;
}

static bool is_replaced_opcode(LLVMOpcode opcode) {
    return opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor || opcode == LLVMPHI;
}

static LLVMValueRef next_of(LLVMValueRef instruction) {
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    while (next != NULL && LLVMGetInstructionOpcode(instruction) == LLVMPHI &&
        LLVMGetInstructionOpcode(next) == LLVMPHI) {
        next = LLVMGetNextInstruction(next);
    }
    return next;
}

// One scalar for all lanes: shufflevector (insertelement poison, x, 0), poison, zeroinitializer.
static LLVMValueRef splat_scalar(LLVMValueRef mask) {
    if (LLVMGetInstructionOpcode(mask) != LLVMShuffleVector) {
        return NULL;
    }
    for (unsigned i = 0; i < LLVMGetNumMaskElements(mask); i++) {
        if (LLVMGetMaskValue(mask, i) != 0) {
            return NULL;
        }
    }
    LLVMValueRef source = LLVMGetOperand(mask, 0);
    if (LLVMIsAInsertElementInst(source) == NULL) {
        return NULL;
    }
    LLVMValueRef index = LLVMGetOperand(source, 2);
    bool is_first = LLVMIsAConstantInt(index) != NULL && LLVMConstIntGetZExtValue(index) == 0;
    return is_first ? LLVMGetOperand(source, 1) : NULL;
}

#define MASK_PHI_LIMIT 8u

struct mask_search {
    LLVMValueRef phis[MASK_PHI_LIMIT]; // taken for masks while their operands are looked at
    uint32_t count;
};

// Whether a <W x i32> holds nothing but 0 and -1: a mask at rest that the passes left wide.
static bool is_wide_mask(struct mask_search *search, LLVMValueRef value, uint32_t depth) {
    if (LLVMIsConstant(value)) {
        return LLVMIsNull(value) || LLVMConstAllOnes(LLVMTypeOf(value)) == value;
    }
    if (LLVMIsAInstruction(value) == NULL || depth == 0) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMSExt) {
        LLVMTypeRef from = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(value, 0)));
        return LLVMGetIntTypeWidth(from) == 1;
    }
    if (opcode != LLVMPHI) {
        return (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor) &&
            is_wide_mask(search, LLVMGetOperand(value, 0), depth - 1) &&
            is_wide_mask(search, LLVMGetOperand(value, 1), depth - 1);
    }
    for (uint32_t i = 0; i < search->count; i++) {
        if (search->phis[i] == value) {
            return true;
        }
    }
    if (search->count == MASK_PHI_LIMIT) {
        return false;
    }
    search->phis[search->count++] = value;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        if (!is_wide_mask(search, LLVMGetIncomingValue(value, i), depth - 1)) {
            return false;
        }
    }
    return true;
}

// The mask that a test of the sign reads, where it is one.
static LLVMValueRef tested_mask(struct emit *e, LLVMValueRef mask) {
    if (LLVMIsAICmpInst(mask) == NULL || LLVMGetICmpPredicate(mask) != LLVMIntSLT ||
        LLVMTypeOf(LLVMGetOperand(mask, 0)) != e->vmask ||
        !LLVMIsConstant(LLVMGetOperand(mask, 1)) || !LLVMIsNull(LLVMGetOperand(mask, 1))) {
        return NULL;
    }
    struct mask_search search = {0};
    LLVMValueRef source = LLVMGetOperand(mask, 0);
    return is_wide_mask(&search, source, 16) ? source : NULL;
}

static LLVMValueRef make_wide(struct widening *w, LLVMValueRef mask) {
    struct emit *e = w->emit;
    LLVMValueRef hole = LLVMGetPoison(e->vmask);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(mask);
    if (is_replaced_opcode(opcode)) {
        LLVMPositionBuilderBefore(w->builder, mask);
        if (opcode == LLVMPHI) {
            return LLVMBuildPhi(w->builder, e->vmask, "");
        }
        // A builder would fold poison operands: they are set later, over operands that do not fold.
        LLVMValueRef opaque = LLVMBuildFreeze(w->builder, hole, "");
        return LLVMBuildBinOp(w->builder, opcode, opaque, opaque, "");
    }
    LLVMValueRef tested = tested_mask(e, mask);
    if (tested != NULL) {
        return tested;
    }
    LLVMValueRef scalar = splat_scalar(mask);
    LLVMPositionBuilderBefore(w->builder, next_of(mask));
    if (scalar == NULL) {
        return LLVMBuildSExt(w->builder, mask, e->vmask, "");
    }
    LLVMValueRef extended = LLVMBuildSExt(w->builder, scalar, e->i32, "");
    LLVMValueRef first = LLVMBuildInsertElement(
        w->builder, hole, extended, LLVMConstInt(e->i64, 0, false), "");
    return LLVMBuildShuffleVector(
        w->builder, first, hole, LLVMConstNull(LLVMVectorType(e->i32, e->width)), "");
}

static LLVMValueRef wide_operand(struct widening *w, LLVMValueRef mask) {
    struct widened *item = find(w, mask);
    if (item != NULL) {
        return item->wide;
    }
    // Constants fold; a mask that is a parameter is extended at the function's start.
    return LLVMBuildSExt(w->builder, mask, w->emit->vmask, "");
}

static void connect(struct widening *w, const struct widened *item) {
    if (LLVMGetInstructionOpcode(item->mask) != LLVMPHI) {
        LLVMPositionBuilderBefore(w->builder, item->wide);
        LLVMValueRef opaque = LLVMGetOperand(item->wide, 0);
        LLVMSetOperand(item->wide, 0, wide_operand(w, LLVMGetOperand(item->mask, 0)));
        LLVMSetOperand(item->wide, 1, wide_operand(w, LLVMGetOperand(item->mask, 1)));
        LLVMInstructionEraseFromParent(opaque);
        return;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(item->mask); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(item->mask, i);
        LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(block));
        LLVMValueRef wide = wide_operand(w, LLVMGetIncomingValue(item->mask, i));
        LLVMAddIncoming(item->wide, &wide, &block, 1);
    }
}

static bool uses(LLVMValueRef user, LLVMValueRef mask) {
    int operand_count = LLVMGetNumOperands(user);
    for (int i = 0; i < operand_count; i++) {
        if (LLVMGetOperand(user, (unsigned)i) == mask) {
            return true;
        }
    }
    return false;
}

// Every other use of a mask that goes tests the sign of its wide form, right where it is used.
static bool replace_uses(struct widening *w, const struct widened *item) {
    VECTOR(LLVMValueRef) users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(item->mask); use != NULL; use = LLVMGetNextUse(use)) {
        struct widened *other = find(w, LLVMGetUser(use));
        if ((other == NULL || !other->is_replaced) &&
            !arena_vector_push(w->emit->arena, &users, LLVMGetUser(use))) {
            return false;
        }
    }
    for (size_t k = 0; k < users.count; k++) {
        LLVMValueRef user = users.items[k];
        if (!uses(user, item->mask)) {
            continue; // it used the mask twice
        }
        LLVMPositionBuilderBefore(w->builder, user);
        if (LLVMTypeOf(user) == w->emit->vmask && LLVMGetInstructionOpcode(user) == LLVMSExt) {
            LLVMReplaceAllUsesWith(user, item->wide);
        } else if (LLVMTypeOf(user) == w->emit->vmask && LLVMIsAZExtInst(user) != NULL) {
            // The passes prefer adding 1 to subtracting -1.
            LLVMReplaceAllUsesWith(user, LLVMBuildNeg(w->builder, item->wide, ""));
        }
        LLVMValueRef narrow = LLVMBuildICmp(
            w->builder, LLVMIntSLT, item->wide, LLVMConstNull(w->emit->vmask), "");
        int operand_count = LLVMGetNumOperands(user);
        for (int i = 0; i < operand_count; i++) {
            if (LLVMGetOperand(user, (unsigned)i) == item->mask) {
                LLVMSetOperand(user, (unsigned)i, narrow);
            }
        }
    }
    return true;
}

static bool collect(struct widening *w, LLVMValueRef function) {
    bool has_replaced = false;
    w->items.count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
             i = LLVMGetNextInstruction(i)) {
            if (LLVMTypeOf(i) != w->emit->vi1 || LLVMIsATerminatorInst(i) != NULL) {
                continue;
            }
            bool is_replaced = is_replaced_opcode(LLVMGetInstructionOpcode(i));
            has_replaced = has_replaced || is_replaced;
            struct widened item = {.mask = i, .is_replaced = is_replaced};
            if (!arena_vector_push(w->emit->arena, &w->items, item)) {
                return false;
            }
        }
    }
    return has_replaced;
}

static bool index_items(struct widening *w) {
    w->bucket_count = 64;
    while (w->bucket_count < w->items.count * 2) {
        w->bucket_count *= 2;
    }
    w->buckets = ARENA_ARRAY(w->emit->arena, uint32_t, w->bucket_count);
    if (w->buckets == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < w->items.count; i++) {
        uint32_t bucket = hash(w->items.items[i].mask) & (w->bucket_count - 1);
        while (w->buckets[bucket] != 0) {
            bucket = (bucket + 1) & (w->bucket_count - 1);
        }
        w->buckets[bucket] = i + 1;
    }
    return true;
}

bool jit_widen_masks(struct emit *emit) {
    if (emit->vmask == emit->vi1) {
        return true;
    }
    bool is_whole = true;
    struct widening w = {.emit = emit, .builder = LLVMCreateBuilderInContext(emit->context)};
    for (LLVMValueRef function = LLVMGetFirstFunction(emit->llvm); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!collect(&w, function) || !index_items(&w)) {
            continue; // nothing to gain, or out of memory: the masks stay as they are
        }
        for (size_t i = 0; i < w.items.count; i++) {
            w.items.items[i].wide = make_wide(&w, w.items.items[i].mask);
        }
        for (size_t i = 0; i < w.items.count; i++) {
            if (w.items.items[i].is_replaced) {
                connect(&w, &w.items.items[i]);
            }
        }
        for (size_t i = 0; i < w.items.count; i++) {
            if (w.items.items[i].is_replaced) {
                is_whole = replace_uses(&w, &w.items.items[i]) && is_whole;
            }
        }
        for (size_t i = 0; i < w.items.count; i++) {
            if (w.items.items[i].is_replaced) {
                LLVMReplaceAllUsesWith(w.items.items[i].mask, LLVMGetPoison(emit->vi1));
                LLVMInstructionEraseFromParent(w.items.items[i].mask);
            }
        }
    }
    LLVMDisposeBuilder(w.builder);
    return is_whole || jit_fail(emit, "out of memory");
}
