// SPDX-License-Identifier: MIT
//
// The targets: instruction-set levels, LLVM's target machines and pass pipeline. The interface and
// the emission use it. Target machines at rest are shared by all compilations under a lock;
// everything else is per compilation.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/os_thread.h"
#include "shader/jit/jit_priv.h"

static struct os_once init_once = OS_ONCE_INITIALIZER;

static void describe(struct text_buffer *error, const char *what, LLVMErrorRef problem) {
    char *message = LLVMGetErrorMessage(problem);
    text_buffer_print(error, "%s: %s", what, message);
    LLVMDisposeErrorMessage(message);
}

// LLVM would end the process. The compilation that provoked it is given up instead; what it had
// allocated stays.
static _Thread_local jmp_buf *fatal_target;
static _Thread_local char fatal_message[200];

static void on_fatal_error(const char *reason) {
    if (fatal_target != NULL) {
        snprintf(fatal_message, sizeof fatal_message, "%s", reason != NULL ? reason : "");
        longjmp(*fatal_target, 1);
    }
}

bool jit_guard(bool (*work)(void *), void *context, struct text_buffer *error, bool *out_is_done) {
    jmp_buf here;
    if (setjmp(here) != 0) {
        fatal_target = NULL;
        text_buffer_print(error, "LLVM gave up: %s", fatal_message);
        return false;
    }
    fatal_target = &here;
    *out_is_done = work(context);
    fatal_target = NULL;
    return true;
}

static void initialise(void) {
    LLVMInstallFatalErrorHandler(on_fatal_error);
#if defined(__x86_64__) || defined(__i386__)
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
#else
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
#endif
}

void jit_target_init(void) {
    os_once_run(&init_once, initialise);
}

static const char *level_cpu(enum jit_level level) {
    switch (level) {
    case JIT_LEVEL_SSE42:
        return "x86-64-v2";
    case JIT_LEVEL_AVX2:
        return "x86-64-v3";
    case JIT_LEVEL_AVX512:
        return "x86-64-v4";
    case JIT_LEVEL_NEON:
        return "generic";
    case JIT_LEVEL_COUNT:
        break;
    }
    return "";
}

static bool level_is_x86(enum jit_level level) {
    return level != JIT_LEVEL_NEON;
}

static LLVMTargetMachineRef make_machine(
    enum jit_level level, LLVMCodeGenOptLevel effort, struct text_buffer *error) {
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target = NULL;
    char *message = NULL;
    LLVMTargetMachineRef machine = NULL;
    bool is_x86 = strncmp(triple, "x86_64", 6) == 0;
    if (is_x86 != level_is_x86(level)) {
        text_buffer_print(error, "the level %s is not one of this machine", jit_level_word(level));
    } else if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        text_buffer_print(error, "%s", message);
        LLVMDisposeMessage(message);
    } else {
        machine = LLVMCreateTargetMachine(
            target, triple, level_cpu(level), "", effort, LLVMRelocPIC, LLVMCodeModelSmall);
        if (machine == NULL) {
            text_buffer_append_string(error, "LLVM has no target machine for this processor");
        }
    }
    LLVMDisposeMessage(triple);
    return machine;
}

// Target machines at rest: making one, and its tables at first use, costs as much as a small kernel.
#define IDLE_LIMIT 8
static struct {
    LLVMTargetMachineRef machine;
    enum jit_level level;
    LLVMCodeGenOptLevel effort;
} idle[IDLE_LIMIT];
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;

LLVMTargetMachineRef jit_target_machine(
    enum jit_level level, LLVMCodeGenOptLevel effort, struct text_buffer *error) {
    LLVMTargetMachineRef machine = NULL;
    pthread_mutex_lock(&idle_lock);
    for (int i = 0; i < IDLE_LIMIT && machine == NULL; i++) {
        if (idle[i].machine != NULL && idle[i].level == level && idle[i].effort == effort) {
            machine = idle[i].machine;
            idle[i].machine = NULL;
        }
    }
    pthread_mutex_unlock(&idle_lock);
    return machine != NULL ? machine : make_machine(level, effort, error);
}

void jit_target_machine_return(
    LLVMTargetMachineRef machine, enum jit_level level, LLVMCodeGenOptLevel effort) {
    pthread_mutex_lock(&idle_lock);
    for (int i = 0; i < IDLE_LIMIT && machine != NULL; i++) {
        if (idle[i].machine == NULL) {
            idle[i].machine = machine;
            idle[i].level = level;
            idle[i].effort = effort;
            machine = NULL;
        }
    }
    pthread_mutex_unlock(&idle_lock);
    if (machine != NULL) {
        LLVMDisposeTargetMachine(machine);
    }
}

static void add_attribute(
    struct emit *emit, LLVMValueRef function, const char *key, const char *value) {
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        emit->context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void add_enum_attribute(struct emit *emit, LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(emit->context, kind, 0);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void jit_target_attributes(struct emit *emit, LLVMValueRef function) {
    add_attribute(emit, function, "target-cpu", level_cpu(emit->level));
    if (emit->level == JIT_LEVEL_AVX512) {
        // Without these LLVM splits vectors into halves of 256 bits.
        add_attribute(emit, function, "prefer-vector-width", "512");
        add_attribute(emit, function, "min-legal-vector-width", "512");
    }
    add_enum_attribute(emit, function, "nounwind");
    char bytes[16];
    snprintf(bytes, sizeof bytes, "%u", JIT_STACK_BYTES / emit->function_count);
    add_attribute(emit, function, "warn-stack-size", bytes);
}

// Instcombine numbers a block's instructions anew for each `freeze` that it moves, and asks of each
// value all branches that test it: quadratic in a block's length and in the number of branches.
#define LONGEST_COMBINED_BLOCK 16384u
#define MOST_COMBINED_BLOCKS 4000u

static bool is_too_long_to_combine(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (LLVMCountBasicBlocks(function) > MOST_COMBINED_BLOCKS) {
            return true;
        }
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            uint32_t count = 0;
            for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction != NULL;
                 instruction = LLVMGetNextInstruction(instruction)) {
                if (++count > LONGEST_COMBINED_BLOCK) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Register allocation and strength reduction are quadratic in the number of blocks.
#define MOST_BLOCKS 1500u

LLVMCodeGenOptLevel jit_code_effort(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (LLVMCountBasicBlocks(function) > MOST_BLOCKS) {
            return LLVMCodeGenLevelNone;
        }
    }
    return LLVMCodeGenLevelDefault;
}

bool jit_optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, struct text_buffer *error) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    // Measured against O1 to O3: the best exchange of compile time for speed.
    const char *passes = is_too_long_to_combine(module)
        ? "function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),early-cse)"
        : "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
          "loop-mssa(licm),early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";
    LLVMErrorRef problem = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (problem != NULL) {
        describe(error, "LLVM's passes failed", problem);
        return false;
    }
    return true;
}
