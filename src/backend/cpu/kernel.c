// SPDX-License-Identifier: MIT
//
// From a specialised module to a kernel: found among those of the adapter, or kept on disk by an
// earlier run, or lowered and compiled by libalba-jit, which is loaded then. Pipelines of all kinds
// get their kernels here. Safe from any thread.
#include "backend/cpu/cpu_priv.h"

#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_environment.h"
#include "shader/compile/code_generator.h"
#include "shader/compile/compile.h"
#include "shader/ir/ir_text.h"
#include "shader/kernel/identity.h"

struct placed_kernel {
    struct jit_kernel base; // first: the handle is its address
    struct kernel_code code;
};

static void destroy_kernel(const struct jit_kernel *kernel) {
    union {
        const struct jit_kernel *base;
        struct placed_kernel *whole;
    } handle = {.base = kernel};
    kernel_code_destroy(&handle.whole->code);
    memory_free(handle.whole);
}

static enum backend_status place(const struct jit_kernel *facts, const struct kernel_image *image,
    const struct jit_kernel **out_kernel, struct text_buffer *out_message) {
    struct placed_kernel *kernel = memory_allocate_zeroed(MEMORY_JIT, 1, sizeof(*kernel));
    void *entry = NULL;
    if (kernel == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    if (!kernel_code_create(image, &kernel->code, &entry)) {
        text_buffer_append_string(out_message, "there is no memory that may hold code");
        memory_free(kernel);
        return BACKEND_OUT_OF_MEMORY;
    }
    kernel->base = *facts;
    memcpy(&kernel->base.function, &entry, sizeof(entry));
    *out_kernel = &kernel->base;
    return BACKEND_OK;
}

void cpu_kernel_hash(const char *identity, const char *generator, const struct jit_options *options,
    struct text module, struct kernel_key *out_key) {
    struct sha256 hash;
    sha256_init(&hash);
    sha256_append_string(&hash, identity);
    sha256_append_string(&hash, generator);
    sha256_append(&hash, options, sizeof(*options));
    sha256_append(&hash, module.data, module.length);
    sha256_get(&hash, out_key->bytes);
}

static enum backend_status compile(const struct jit_interface *jit,
    const struct jit_options *options, const struct ir_module *module,
    struct jit_kernel *out_facts, struct kernel_image *out_image, struct text_buffer *out_message) {
    struct compile_cpu_options cpu_options = {.has_fma = jit_level_has_fma(options->level)};
    struct compile_program *program = NULL;
    switch (compile_lower_for_cpu(module, &cpu_options, out_message, &program)) {
    case COMPILE_OK:
        break;
    case COMPILE_ERROR:
        return BACKEND_INTERNAL;
    case COMPILE_OUT_OF_MEMORY:
        return BACKEND_OUT_OF_MEMORY;
    }
    bool is_compiled =
        jit->compile_image(program->ir, 0, options, out_facts, out_image, out_message);
    compile_program_destroy(program);
    return is_compiled ? BACKEND_OK : BACKEND_INTERNAL;
}

// Compiles, keeps what came of it and places it.
static enum backend_status make(struct kernel_store *store, const struct kernel_key *key,
    const struct jit_options *options, const struct ir_module *module, struct text label,
    const struct jit_kernel **out_kernel, struct text_buffer *out_message) {
    const struct jit_interface *jit = code_generator_open(out_message);
    if (jit == NULL) {
        return BACKEND_INTERNAL;
    }
    uint64_t start_ns = os_clock_monotonic_ns();
    struct jit_kernel facts;
    struct kernel_image image = {0};
    enum backend_status status = compile(jit, options, module, &facts, &image, out_message);
    if (status == BACKEND_OK) {
        log_message(LOG_DEBUG,
            "pipeline \"%.*s\": compiled in %.1f ms, %u lanes x %u, %llu bytes of code",
            TEXT_ARGS(label), (double)(os_clock_monotonic_ns() - start_ns) / 1e6,
            (unsigned)facts.width, (unsigned)facts.jam, (unsigned long long)facts.code_bytes);
        status = place(&facts, &image, out_kernel, out_message);
    }
    // A code generator of other sources, by ALBA_JIT, makes other code of the same key.
    if (status == BACKEND_OK && strcmp(jit->build_identity(), kernel_build_identity()) == 0) {
        kernel_store_insert(store, key, &facts, sizeof(facts), &image);
    }
    jit->finish_image(&image);
    return status;
}

static bool find_kept(struct kernel_store *store, const struct kernel_key *key, struct text label,
    const struct jit_kernel **out_kernel) {
    struct jit_kernel facts;
    struct kernel_image image;
    struct text_buffer ignored = {0};
    bool is_placed = kernel_store_find(store, key, &facts, sizeof(facts), &image) &&
        place(&facts, &image, out_kernel, &ignored) == BACKEND_OK;
    if (is_placed) {
        log_message(LOG_DEBUG, "pipeline \"%.*s\": found in %s, %llu bytes of code",
            TEXT_ARGS(label), kernel_store_folder(store), (unsigned long long)facts.code_bytes);
    }
    kernel_image_finish(&image);
    text_buffer_finish(&ignored);
    return is_placed;
}

static enum backend_status find_or_make(struct cpu_device *device, const struct ir_module *module,
    struct text label, const struct cpu_kernel_key *key, struct cpu_kernel_entry **out_entry,
    struct text_buffer *out_message) {
    *out_entry = cpu_kernel_cache_find(device->cache, key);
    if (*out_entry != NULL) {
        return BACKEND_OK;
    }
    struct jit_options options;
    memset(&options, 0, sizeof(options)); // its bytes are hashed
    options.level = key->level;
    options.poll_cancel = true;
    struct kernel_store *store = cpu_kernel_cache_store(device->cache);
    struct kernel_key hash = {{0}};
    if (store != NULL) {
        const char *generator = os_environment_find("ALBA_JIT");
        cpu_kernel_hash(kernel_build_identity(), generator != NULL ? generator : "", &options,
            key->module, &hash);
    }
    const struct jit_kernel *kernel = NULL;
    if (!find_kept(store, &hash, label, &kernel)) {
        enum backend_status status =
            make(store, &hash, &options, module, label, &kernel, out_message);
        if (status != BACKEND_OK) {
            return status;
        }
    }
    *out_entry = cpu_kernel_cache_insert(device->cache, key, kernel, destroy_kernel);
    return *out_entry == NULL ? BACKEND_OUT_OF_MEMORY : BACKEND_OK;
}

enum backend_status cpu_kernel_get(struct cpu_device *device, const struct ir_module *module,
                                   struct text label, struct cpu_kernel_entry **out_entry,
                                   struct text_buffer *out_message) {
    *out_entry = NULL;
    struct cpu_kernel_key key = {0};
    if (!code_generator_level(&key.level, out_message)) {
        return BACKEND_INTERNAL;
    }
    struct text_buffer text = {0};
    ir_print(&text, module);
    if (text.has_failed) {
        text_buffer_finish(&text);
        return BACKEND_OUT_OF_MEMORY;
    }
    key.module = text_buffer_get(&text);
    enum backend_status status = find_or_make(device, module, label, &key, out_entry, out_message);
    text_buffer_finish(&text);
    return status;
}
