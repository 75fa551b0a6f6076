// SPDX-License-Identifier: MIT
//
// From a specialised module to a kernel: found among those of the adapter, or lowered and compiled
// by libalba-jit. Pipelines of all kinds get their kernels here. Safe from any thread.
#include "backend/cpu/cpu_priv.h"

#include "base/log.h"
#include "base/os_clock.h"
#include "shader/compile/code_generator.h"
#include "shader/compile/compile.h"
#include "shader/ir/ir_text.h"

static enum backend_status compile(const struct jit_interface *jit, enum jit_level level,
                                   const struct ir_module *module,
                                   const struct jit_kernel **out_kernel,
                                   struct text_buffer *out_message) {
    struct compile_cpu_options cpu_options = {.has_fma = jit_level_has_fma(level)};
    struct compile_program *program = NULL;
    switch (compile_lower_for_cpu(module, &cpu_options, out_message, &program)) {
    case COMPILE_OK:
        break;
    case COMPILE_ERROR:
        return BACKEND_INTERNAL;
    case COMPILE_OUT_OF_MEMORY:
        return BACKEND_OUT_OF_MEMORY;
    }
    struct jit_options jit_options = {
        .level = level,
        .poll_cancel = true,
    };
    *out_kernel = jit->compile(program->ir, 0, &jit_options, out_message);
    compile_program_destroy(program);
    return *out_kernel == NULL ? BACKEND_INTERNAL : BACKEND_OK;
}

// Finds the kernel in the cache or compiles it.
static enum backend_status find_or_compile(struct cpu_device *device,
                                           const struct jit_interface *jit,
                                           const struct ir_module *module, struct text label,
                                           const struct cpu_kernel_key *key,
                                           struct cpu_kernel_entry **out_entry,
                                           struct text_buffer *out_message) {
    *out_entry = cpu_kernel_cache_find(device->cache, key);
    if (*out_entry != NULL) {
        return BACKEND_OK;
    }
    uint64_t start_ns = os_clock_monotonic_ns();
    const struct jit_kernel *kernel = NULL;
    enum backend_status status = compile(jit, key->level, module, &kernel, out_message);
    if (status != BACKEND_OK) {
        return status;
    }
    log_message(LOG_DEBUG,
                "pipeline \"%.*s\": compiled in %.1f ms, %u lanes x %u, %llu bytes of code",
                TEXT_ARGS(label), (double)(os_clock_monotonic_ns() - start_ns) / 1e6,
                (unsigned)kernel->width, (unsigned)kernel->jam,
                (unsigned long long)kernel->code_bytes);
    *out_entry = cpu_kernel_cache_insert(device->cache, key, kernel, jit);
    return *out_entry == NULL ? BACKEND_OUT_OF_MEMORY : BACKEND_OK;
}

enum backend_status cpu_kernel_get(struct cpu_device *device, const struct ir_module *module,
                                   struct text label, struct cpu_kernel_entry **out_entry,
                                   struct text_buffer *out_message) {
    *out_entry = NULL;
    const struct jit_interface *jit = code_generator_open(out_message);
    struct cpu_kernel_key key = {0};
    if (jit == NULL || !code_generator_level(jit, &key.level, out_message)) {
        return BACKEND_INTERNAL;
    }
    struct text_buffer text = {0};
    ir_print(&text, module);
    if (text.has_failed) {
        text_buffer_finish(&text);
        return BACKEND_OUT_OF_MEMORY;
    }
    key.module = text_buffer_get(&text);
    enum backend_status status =
        find_or_compile(device, jit, module, label, &key, out_entry, out_message);
    text_buffer_finish(&text);
    return status;
}
