// SPDX-License-Identifier: MIT
//
// Faults of LLVM's code generation that are known, and how generated code keeps clear of them. Runs
// last before code generation; the interface calls it.
#include <string.h>

#include "shader/jit/jit_priv.h"

// AVX-512: vpternlog under a mask. Where a select takes a combination of three values or the first of
// them, and another is in memory, LLVM up to 22 gives the instruction the truth table of operands in
// another order (fixed in 2026: "swapped VPTERNLOG231_imm8/VPTERNLOG312_imm8"). An empty piece of
// assembly around the combination keeps the two apart; it costs a move of the mask into a blend.

static LLVMValueRef behind_bitcasts(LLVMValueRef value) {
    while (LLVMIsABitCastInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

static bool is_logic(LLVMValueRef value) {
    value = behind_bitcasts(value);
    if (LLVMIsAInstruction(value) == NULL) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor || opcode == LLVMFNeg) {
        return true;
    }
    if (opcode != LLVMCall || LLVMIsAFunction(LLVMGetCalledValue(value)) == NULL) {
        return false;
    }
    // Made of such operations.
    size_t length = 0;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(value), &length);
    return strncmp(name, "llvm.copysign", 13) == 0 || strncmp(name, "llvm.fabs", 9) == 0;
}

static bool is_combination(LLVMValueRef value) {
    value = behind_bitcasts(value);
    if (!is_logic(value)) {
        return false;
    }
    if (LLVMIsACallInst(value) != NULL) {
        return true;
    }
    int count = LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++) {
        if (is_logic(LLVMGetOperand(value, (unsigned)i))) {
            return true;
        }
    }
    return false;
}

static bool has_register(struct emit *e, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return false;
    }
    LLVMTypeRef element = LLVMGetElementType(type);
    uint32_t bits = LLVMGetVectorSize(type) * 32;
    return (element == e->i32 || element == e->f32) && bits >= 128 && bits <= 512;
}

static void set_apart(struct emit *e, LLVMBuilderRef builder, LLVMValueRef user, unsigned operand) {
    LLVMValueRef value = LLVMGetOperand(user, operand);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!has_register(e, type) || !is_combination(value)) {
        return;
    }
    LLVMTypeRef function = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(
        function, "", 0, "=v,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(builder, user);
    LLVMSetOperand(user, operand, LLVMBuildCall2(builder, function, nothing, &value, 1, ""));
}

void jit_work_around(struct emit *e) {
    if (e->level != JIT_LEVEL_AVX512) {
        return;
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(e->context);
    for (LLVMValueRef function = LLVMGetFirstFunction(e->llvm); function != NULL;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
                 i = LLVMGetNextInstruction(i)) {
                if (LLVMIsASelectInst(i) != NULL) {
                    set_apart(e, builder, i, 1);
                    set_apart(e, builder, i, 2);
                } else if (LLVMIsAShuffleVectorInst(i) != NULL) {
                    set_apart(e, builder, i, 0); // one that picks lanes is a select, too
                    set_apart(e, builder, i, 1);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
