// SPDX-License-Identifier: MIT
//
// The targets: instruction-set levels, LLVM's target machines and pass pipeline, and the one linker
// that places objects into memory, with an explicit table of the symbols that generated code may
// call. The interface and the emission use it. The linker is shared by all compilations under a
// lock; everything else is per compilation.
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Object.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/os_thread.h"
#include "shader/jit/jit_priv.h"

struct jit_code {
    LLVMOrcResourceTrackerRef tracker;
};

static struct os_once init_once = OS_ONCE_INITIALIZER;
static struct os_mutex link_lock = OS_MUTEX_INITIALIZER;
static LLVMOrcLLJITRef linker;
static LLVMOrcJITDylibRef library;
static char *init_error;

static void describe(struct text_buffer *error, const char *what, LLVMErrorRef problem) {
    char *message = LLVMGetErrorMessage(problem);
    text_buffer_print(error, "%s: %s", what, message);
    LLVMDisposeErrorMessage(message);
}

static void ignore_report(void *context, LLVMErrorRef problem) {
    (void)context;
    LLVMConsumeError(problem);
}

static LLVMOrcCSymbolMapPair symbol(const char *name, uintptr_t address) {
    LLVMOrcCSymbolMapPair pair = {
        .Name = LLVMOrcLLJITMangleAndIntern(linker, name),
        .Sym = {.Address = (LLVMOrcExecutorAddress)address,
            .Flags = {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0}},
    };
    return pair;
}

// All that generated code may call outside its own module. LLVM emits the memory functions for
// large copies, fmaf where the level has no fused multiply-add.
static LLVMErrorRef define_symbols(void) {
    LLVMOrcCSymbolMapPair pairs[] = {
        symbol("memset", (uintptr_t)memset),
        symbol("memcpy", (uintptr_t)memcpy),
        symbol("memmove", (uintptr_t)memmove),
        symbol("fmaf", (uintptr_t)fmaf),
        symbol(JIT_SLOW_LOAD_NAME, (uintptr_t)jit_run_slow_load),
        symbol(JIT_SLOW_STORE_NAME, (uintptr_t)jit_run_slow_store),
    };
    return LLVMOrcJITDylibDefine(
        library, LLVMOrcAbsoluteSymbols(pairs, sizeof pairs / sizeof pairs[0]));
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

// Objects alone reach the linker: told of a plain processor, it does not ask this one for all of its
// features, which a virtual machine answers slowly.
static LLVMErrorRef create_linker(void) {
    LLVMOrcLLJITBuilderRef builder = NULL;
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target = NULL;
    LLVMTargetMachineRef machine = NULL;
    if (!LLVMGetTargetFromTriple(triple, &target, NULL)) {
        machine = LLVMCreateTargetMachine(
            target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
    }
    if (machine != NULL) {
        builder = LLVMOrcCreateLLJITBuilder();
        LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
            builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    }
    LLVMDisposeMessage(triple);
    return LLVMOrcCreateLLJIT(&linker, builder);
}

static void initialise(void) {
    LLVMErrorRef problem = NULL;
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
    problem = create_linker();
    if (problem == NULL) {
        LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(linker);
        LLVMOrcExecutionSessionSetErrorReporter(session, ignore_report, NULL);
        // A bare library sees no symbol of the process: what is not defined below is an error.
        library = LLVMOrcExecutionSessionCreateBareJITDylib(session, "alba");
        problem = define_symbols();
    }
    if (problem != NULL) {
        init_error = LLVMGetErrorMessage(problem);
    }
}

bool jit_target_init(struct text_buffer *error) {
    os_once_run(&init_once, initialise);
    if (init_error != NULL) {
        text_buffer_print(error, "LLVM cannot generate code here: %s", init_error);
        return false;
    }
    return true;
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

struct lookup {
    bool is_done;
    LLVMOrcExecutorAddress address;
    char *message;
};

static void lookup_done(
    LLVMErrorRef problem, LLVMOrcCSymbolMapPairs pairs, size_t count, void *context) {
    struct lookup *lookup = context;
    lookup->is_done = true;
    if (problem != NULL) {
        lookup->message = LLVMGetErrorMessage(problem);
    } else if (count == 1) {
        lookup->address = pairs[0].Sym.Address;
    }
}

static bool look_up(const char *name, void **out_address, struct text_buffer *error) {
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(linker);
    LLVMOrcCJITDylibSearchOrderElement order = {
        library, LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly};
    LLVMOrcCLookupSetElement wanted = {
        LLVMOrcLLJITMangleAndIntern(linker, name), LLVMOrcSymbolLookupFlagsRequiredSymbol};
    struct lookup lookup = {0};
    LLVMOrcExecutionSessionLookup(
        session, LLVMOrcLookupKindStatic, &order, 1, &wanted, 1, lookup_done, &lookup);
    if (!lookup.is_done || lookup.message != NULL || lookup.address == 0) {
        text_buffer_print(error, "linking the kernel failed: %s",
            lookup.message != NULL ? lookup.message : "no address");
        LLVMDisposeErrorMessage(lookup.message);
        return false;
    }
    *out_address = (void *)(uintptr_t)lookup.address;
    return true;
}

bool jit_link(LLVMMemoryBufferRef object, const char *name, void **out_address,
    struct jit_code **out_code, struct text_buffer *error) {
    struct jit_code *code = memory_allocate_zeroed(MEMORY_JIT, 1, sizeof(*code));
    if (code == NULL) {
        LLVMDisposeMemoryBuffer(object);
        text_buffer_append_string(error, "out of memory");
        return false;
    }
    os_mutex_lock(&link_lock);
    code->tracker = LLVMOrcJITDylibCreateResourceTracker(library);
    LLVMErrorRef problem = LLVMOrcLLJITAddObjectFileWithRT(linker, code->tracker, object);
    bool is_linked = problem == NULL;
    if (problem != NULL) {
        describe(error, "placing the kernel failed", problem);
    }
    is_linked = is_linked && look_up(name, out_address, error);
    os_mutex_unlock(&link_lock);
    if (!is_linked) {
        jit_unlink(code);
        return false;
    }
    *out_code = code;
    return true;
}

void jit_unlink(struct jit_code *code) {
    if (code == NULL) {
        return;
    }
    os_mutex_lock(&link_lock);
    LLVMErrorRef problem = LLVMOrcResourceTrackerRemove(code->tracker);
    if (problem != NULL) {
        LLVMConsumeError(problem);
    }
    LLVMOrcReleaseResourceTracker(code->tracker);
    os_mutex_unlock(&link_lock);
    memory_free(code);
}

uint64_t jit_object_code_bytes(LLVMMemoryBufferRef object) {
    char *message = NULL;
    uint64_t bytes = 0;
    LLVMBinaryRef binary = LLVMCreateBinary(object, NULL, &message);
    if (binary == NULL) {
        LLVMDisposeMessage(message);
        return 0;
    }
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
    while (!LLVMObjectFileIsSectionIteratorAtEnd(binary, section)) {
        const char *name = LLVMGetSectionName(section);
        if (name != NULL && strncmp(name, ".text", 5) == 0) {
            bytes += LLVMGetSectionSize(section);
        }
        LLVMMoveToNextSection(section);
    }
    LLVMDisposeSectionIterator(section);
    LLVMDisposeBinary(binary);
    return bytes;
}
