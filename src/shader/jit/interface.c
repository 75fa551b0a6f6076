// SPDX-License-Identifier: MIT
//
// The exported function table: compile, destroy, print. One compilation makes its own LLVM context
// and arena and frees both; only the linked image, or the placed code and a small record, stay.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "shader/jit/jit_priv.h"
#include "shader/kernel/identity.h"
#include "shader/kernel/kernel_link.h"

// The function's name in the object.
#define KERNEL_NAME "alba_kernel"

struct kernel {
    struct jit_kernel base; // first: the handle is its address
    struct kernel_code code;
};

struct compilation {
    struct arena arena;
    struct emit emit;
    LLVMTargetMachineRef machine;
    LLVMCodeGenOptLevel effort; // of machine
};

static enum jit_level native_level(void) {
    return jit_native_level();
}

static uint32_t native_width(enum jit_level level) {
    return level == JIT_LEVEL_AVX512 ? 16 : level == JIT_LEVEL_AVX2 ? 8 : 4;
}

static void make_types(struct emit *e) {
    LLVMContextRef context = e->context;
    e->void_type = LLVMVoidTypeInContext(context);
    e->i1 = LLVMInt1TypeInContext(context);
    e->i8 = LLVMInt8TypeInContext(context);
    e->i32 = LLVMInt32TypeInContext(context);
    e->i64 = LLVMInt64TypeInContext(context);
    e->f32 = LLVMFloatTypeInContext(context);
    e->f64 = LLVMDoubleTypeInContext(context);
    e->pointer = LLVMPointerTypeInContext(context, 0);
    e->vi1 = LLVMVectorType(e->i1, e->width);
    e->vi32 = LLVMVectorType(e->i32, e->width);
    e->vi64 = LLVMVectorType(e->i64, e->width);
    e->vf32 = LLVMVectorType(e->f32, e->width);
    e->vf64 = LLVMVectorType(e->f64, e->width);
    e->bits = LLVMIntTypeInContext(context, e->width);
    bool has_mask_registers = e->level == JIT_LEVEL_AVX512 && e->width == 16;
    e->vmask = has_mask_registers ? e->vi1 : e->vi32;
}

static void make_zeros(struct emit *e) {
    LLVMTypeRef type = LLVMArrayType2(e->i8, 256);
    e->zeros = LLVMAddGlobal(e->llvm, type, "zeros");
    LLVMSetInitializer(e->zeros, LLVMConstNull(type));
    LLVMSetGlobalConstant(e->zeros, true);
    LLVMSetLinkage(e->zeros, LLVMInternalLinkage);
    LLVMSetAlignment(e->zeros, 64);
}

static bool find_workgroup(struct emit *e) {
    uint64_t count = 1;
    if (e->entry->stage != STAGE_COMPUTE) {
        e->size[0] = e->lane_count = JIT_BATCH_LANES;
        e->size[1] = e->size[2] = 1;
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        e->size[axis] = e->entry->workgroup_size[axis];
        count *= e->size[axis];
        if (e->size[axis] == 0 || count > 65536) {
            return jit_fail(e, "a workgroup of %u x %u x %u invocations is not possible",
                e->entry->workgroup_size[0], e->entry->workgroup_size[1],
                e->entry->workgroup_size[2]);
        }
    }
    e->lane_count = (uint32_t)count;
    return true;
}

static bool is_power_of_two(uint32_t number) {
    return number != 0 && (number & (number - 1)) == 0;
}

static bool take_options(struct emit *e, const struct jit_options *options) {
    e->options = options;
    e->level = options->level;
    if ((uint32_t)options->level >= JIT_LEVEL_COUNT) {
        return jit_fail(e, "unknown instruction-set level");
    }
    e->width = options->width != 0 ? options->width : native_width(options->level);
    e->jam = options->jam != 0 ? options->jam : 1;
    if (!is_power_of_two(e->width) || e->width > JIT_WIDTH_LIMIT || !is_power_of_two(e->jam) ||
        e->jam > JIT_JAM_LIMIT) {
        return jit_fail(e, "width %u or jam %u is not a power of two in range", e->width, e->jam);
    }
    if (e->entry->stage == STAGE_FRAGMENT && e->width < 4) {
        e->width = 4; // a quad is in one vector
    }
    while (e->entry->stage != STAGE_COMPUTE && e->width * e->jam > JIT_BATCH_LANES) {
        e->jam /= 2;
    }
    return true;
}

static bool analyse(struct emit *e) {
    size_t count = e->module->functions.count;
    e->all_facts = ARENA_ARRAY(e->arena, struct function_facts, count + 1);
    if (e->all_facts == NULL) {
        return jit_fail(e, "out of memory");
    }
    uint32_t entry_function = e->entry->function;
    if (e->options->jam == 0) {
        struct function_facts facts = {0};
        TRY(jit_facts_create(e, entry_function, &facts));
        TRY(jit_plan_levels(e, entry_function, &facts));
        TRY(jit_shape_analyse(e, entry_function, &facts));
        TRY(jit_choose_jam(e, entry_function, &facts, &e->jam));
    }
    e->iteration_count = (e->lane_count + e->width * e->jam - 1) / (e->width * e->jam);
    for (uint32_t i = 0; i < count; i++) {
        if (e->function_is_used[i]) {
            TRY(jit_facts_create(e, i, &e->all_facts[i]));
            TRY(jit_plan_levels(e, i, &e->all_facts[i]));
        }
    }
    e->has_slots = e->iteration_count > 1 || e->all_facts[entry_function].has_return_in_segment;
    for (uint32_t i = 0; i < count; i++) {
        if (e->function_is_used[i]) {
            TRY(jit_shape_analyse(e, i, &e->all_facts[i]));
            TRY(jit_plan(e, i, &e->all_facts[i]));
        }
    }
    return true;
}

// A diagnostic of LLVM's, without which an error would end the process and a warning be lost. Frames
// beyond what threads surely have come here as a warning.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
    struct emit *e = context;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    char *text = LLVMGetDiagInfoDescription(info);
    if (severity == LLVMDSError || strstr(text, "stack frame size") != NULL) {
        jit_fail(e, "the code generator cannot compile this shader: %s", text);
    }
    LLVMDisposeMessage(text);
}

static bool generate(struct compilation *c, const struct ir_module *module, uint32_t entry_point,
    const struct jit_options *options) {
    struct emit *e = &c->emit;
    e->module = module;
    if (entry_point >= module->entry_points.count) {
        return jit_fail(e, "there is no entry point number %u", entry_point);
    }
    e->entry = &module->entry_points.items[entry_point];
    TRY(take_options(e, options));
    TRY(find_workgroup(e));
    TRY(jit_find_reachable(e));
    TRY(jit_find_buffers(e));
    TRY(jit_find_stage(e));
    c->effort = LLVMCodeGenLevelDefault;
    c->machine = jit_target_machine(e->level, c->effort, e->error);
    if (c->machine == NULL) {
        e->has_failed = true;
        return false;
    }
    TRY(analyse(e));
    e->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(e->context, on_diagnostic, e);
    e->llvm = LLVMModuleCreateWithNameInContext("kernel", e->context);
    char *triple = LLVMGetTargetMachineTriple(c->machine);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(c->machine);
    LLVMSetTarget(e->llvm, triple);
    LLVMSetModuleDataLayout(e->llvm, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
    e->builder = LLVMCreateBuilderInContext(e->context);
    make_types(e);
    make_zeros(e);
    TRY(jit_declare_functions(e));
    return jit_emit_kernel(e, KERNEL_NAME);
}

static bool verify(struct compilation *c) {
    char *message = NULL;
    bool is_broken = LLVMVerifyModule(c->emit.llvm, LLVMReturnStatusAction, &message) != 0;
    if (is_broken) {
        jit_fail(&c->emit, "the generated code is not valid: %s", message);
    }
    LLVMDisposeMessage(message);
    return !is_broken;
}

static bool prepare(struct compilation *c, const struct ir_module *module, uint32_t entry_point,
    const struct jit_options *options, struct text_buffer *error) {
    memset(c, 0, sizeof(*c));
    arena_init(&c->arena, MEMORY_JIT);
    c->emit.arena = &c->arena;
    c->emit.error = error;
    jit_target_init();
    return generate(c, module, entry_point, options) && verify(c);
}

static void finish(struct compilation *c) {
    if (c->emit.builder != NULL) {
        LLVMDisposeBuilder(c->emit.builder);
    }
    if (c->emit.llvm != NULL) {
        LLVMDisposeModule(c->emit.llvm);
    }
    if (c->emit.context != NULL) {
        LLVMContextDispose(c->emit.context);
    }
    if (c->machine != NULL) {
        jit_target_machine_return(c->machine, c->emit.level, c->effort);
    }
    arena_finish(&c->arena);
}

static bool emit_code(
    struct compilation *c, LLVMCodeGenFileType kind, LLVMMemoryBufferRef *out_buffer) {
    char *message = NULL;
    LLVMCodeGenOptLevel effort = jit_code_effort(c->emit.llvm);
    if (effort != LLVMCodeGenLevelDefault) {
        jit_target_machine_return(c->machine, c->emit.level, c->effort);
        c->effort = effort;
        c->machine = jit_target_machine(c->emit.level, effort, c->emit.error);
        if (c->machine == NULL) {
            return false;
        }
    }
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->emit.llvm, kind, &message, out_buffer)) {
        text_buffer_print(c->emit.error, "LLVM emitted no code: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    if (c->emit.has_failed) { // by a diagnostic
        LLVMDisposeMemoryBuffer(*out_buffer);
        return false;
    }
    return true;
}

// What LLVM's passes would undo.
static bool finish_llvm(struct emit *e) {
    TRY(jit_widen_masks(e));
    TRY(jit_order_parts(e));
    jit_work_around(e);
    return true;
}

// Everything after LLVM IR was emitted.
static bool finish_image(
    struct compilation *c, struct jit_kernel *out_facts, struct kernel_image *out_image) {
    LLVMMemoryBufferRef object = NULL;
    if (!jit_optimise(c->emit.llvm, c->machine, c->emit.error) || !finish_llvm(&c->emit) ||
        !emit_code(c, LLVMObjectFile, &object)) {
        return false;
    }
    bool is_linked = kernel_link(LLVMGetBufferStart(object), LLVMGetBufferSize(object),
        KERNEL_NAME, out_image, c->emit.error);
    LLVMDisposeMemoryBuffer(object);
    if (!is_linked) {
        return false;
    }
    out_facts->code_bytes = out_image->code_bytes;
    out_facts->scratch_bytes = (c->emit.scratch_bytes + 64 + 63) / 64 * 64;
    if (!c->emit.stage.has_batches) {
        memcpy(out_facts->workgroup_size, c->emit.size, sizeof c->emit.size);
    }
    out_facts->input_words = c->emit.stage.input_words;
    out_facts->output_words = c->emit.stage.output_words;
    out_facts->width = c->emit.width;
    out_facts->jam = c->emit.jam;
    return true;
}

struct request {
    struct compilation compilation;
    const struct ir_module *module;
    uint32_t entry_point;
    const struct jit_options *options;
    struct text_buffer *error;
    struct jit_kernel *facts;    // compile
    struct kernel_image *image;  // compile
    enum jit_text_kind kind;     // print
    struct text_buffer *text;    // print; NULL: compile
};

static bool print_stage(
    struct compilation *c, enum jit_text_kind kind, struct text_buffer *out_text);

static bool work(void *context) {
    struct request *request = context;
    struct compilation *c = &request->compilation;
    bool is_done = prepare(
        c, request->module, request->entry_point, request->options, request->error);
    if (is_done && request->text != NULL) {
        is_done = print_stage(c, request->kind, request->text);
    } else if (is_done) {
        is_done = finish_image(c, request->facts, request->image);
    }
    finish(c);
    return is_done;
}

static bool perform(struct request *request) {
    bool is_done = false;
    return jit_guard(work, request, request->error, &is_done) && is_done;
}

static bool compile_image(const struct ir_module *module, uint32_t entry_point,
    const struct jit_options *options, struct jit_kernel *out_facts,
    struct kernel_image *out_image, struct text_buffer *out_error) {
    memset(out_facts, 0, sizeof(*out_facts));
    *out_image = (struct kernel_image){0};
    struct request request = {.module = module,
        .entry_point = entry_point,
        .options = options,
        .error = out_error,
        .facts = out_facts,
        .image = out_image};
    return perform(&request);
}

static const struct jit_kernel *compile(const struct ir_module *module, uint32_t entry_point,
    const struct jit_options *options, struct text_buffer *out_error) {
    struct kernel *kernel = memory_allocate_zeroed(MEMORY_JIT, 1, sizeof(*kernel));
    struct kernel_image image = {0};
    if (kernel == NULL) {
        text_buffer_append_string(out_error, "out of memory");
        return NULL;
    }
    void *entry = NULL;
    bool is_done =
        compile_image(module, entry_point, options, &kernel->base, &image, out_error);
    if (is_done && !kernel_code_create(&image, &kernel->code, &entry)) {
        text_buffer_append_string(out_error, "there is no memory that may hold code");
        is_done = false;
    }
    kernel_image_finish(&image);
    if (!is_done) {
        memory_free(kernel);
        return NULL;
    }
    memcpy(&kernel->base.function, &entry, sizeof entry);
    return &kernel->base;
}

static void destroy(const struct jit_kernel *kernel) {
    union {
        const struct jit_kernel *base;
        struct kernel *whole;
    } handle = {.base = kernel};
    if (kernel != NULL) {
        kernel_code_destroy(&handle.whole->code);
        memory_free(handle.whole);
    }
}

static bool print_stage(
    struct compilation *c, enum jit_text_kind kind, struct text_buffer *out_text) {
    if (kind != JIT_TEXT_LLVM && !jit_optimise(c->emit.llvm, c->machine, c->emit.error)) {
        return false;
    }
    if (kind != JIT_TEXT_ASSEMBLY) {
        char *text = LLVMPrintModuleToString(c->emit.llvm);
        text_buffer_append_string(out_text, text);
        LLVMDisposeMessage(text);
        return true;
    }
    LLVMMemoryBufferRef buffer = NULL;
    if (!finish_llvm(&c->emit) || !emit_code(c, LLVMAssemblyFile, &buffer)) {
        return false;
    }
    struct text text = {LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)};
    text_buffer_append(out_text, text);
    LLVMDisposeMemoryBuffer(buffer);
    return true;
}

static bool print(const struct ir_module *module, uint32_t entry_point,
    const struct jit_options *options, enum jit_text_kind kind, struct text_buffer *out_text,
    struct text_buffer *out_error) {
    struct request request = {.module = module,
        .entry_point = entry_point,
        .options = options,
        .error = out_error,
        .kind = kind,
        .text = out_text};
    return perform(&request);
}

static const char *llvm_version(void) {
    static _Thread_local char version[32];
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, patch);
    return version;
}

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

EXPORT const struct jit_interface *alba_jit_get_interface(uint32_t abi_version) {
    static const struct jit_interface interface = {
        .abi_version = JIT_ABI_VERSION,
        .native_level = native_level,
        .native_width = native_width,
        .compile = compile,
        .compile_image = compile_image,
        .finish_image = kernel_image_finish,
        .build_identity = kernel_build_identity,
        .destroy = destroy,
        .print = print,
        .llvm_version = llvm_version,
    };
    return abi_version == JIT_ABI_VERSION ? &interface : NULL;
}
