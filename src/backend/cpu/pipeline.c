// SPDX-License-Identifier: MIT
//
// Compute pipelines of the CPU: a lowered program, compiled by libalba-jit.
#include "backend/cpu/cpu_priv.h"

#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os_clock.h"
#include "shader/compile/code_generator.h"
#include "shader/compile/compile.h"

static enum backend_status compile(struct cpu_device *device, const struct jit_interface *jit,
                                   const struct ir_module *module,
                                   const struct jit_kernel **out_kernel,
                                   struct text_buffer *out_message) {
    enum jit_level level;
    if (!code_generator_level(jit, &level, out_message)) {
        return BACKEND_INTERNAL;
    }
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
        .check_addresses = device->has_guard,
    };
    *out_kernel = jit->compile(program->ir, 0, &jit_options, out_message);
    compile_program_destroy(program);
    return *out_kernel == NULL ? BACKEND_INTERNAL : BACKEND_OK;
}

enum backend_status cpu_pipeline_create(
    struct backend_device *device, const struct backend_compute_pipeline_description *description,
    struct backend_compute_pipeline **out_pipeline, struct text_buffer *out_message) {
    *out_pipeline = NULL;
    const struct jit_interface *jit = code_generator_open(out_message);
    if (jit == NULL) {
        return BACKEND_INTERNAL;
    }
    uint64_t start_ns = os_clock_monotonic_ns();
    const struct jit_kernel *kernel = NULL;
    enum backend_status status =
        compile(cpu_device_get(device), jit, description->module, &kernel, out_message);
    if (status != BACKEND_OK) {
        return status;
    }
    log_message(LOG_DEBUG,
                "compute pipeline \"%.*s\": compiled in %.1f ms, %u lanes x %u, %llu bytes of code",
                TEXT_ARGS(description->label),
                (double)(os_clock_monotonic_ns() - start_ns) / 1e6, (unsigned)kernel->width,
                (unsigned)kernel->jam, (unsigned long long)kernel->code_bytes);
    return cpu_pipeline_create_from_kernel(kernel, jit, description->label,
                                           description->reflection, out_pipeline);
}

// Allocates the arrays; false leaves what was allocated in place.
static bool init_slots(struct backend_compute_pipeline *pipeline,
                       const struct reflect_entry_point *reflection) {
    uint32_t count = reflection->binding_count;
    pipeline->slot_count = count;
    pipeline->slots = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*pipeline->slots));
    pipeline->is_writable =
        memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*pipeline->is_writable));
    pipeline->buffers = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*pipeline->buffers));
    if (pipeline->slots == NULL || pipeline->is_writable == NULL || pipeline->buffers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct reflect_binding *binding = &reflection->bindings[i];
        pipeline->slots[i] = (struct cpu_pipeline_slot){binding->group, binding->binding};
        pipeline->is_writable[i] = binding->kind == REFLECT_BUFFER_STORAGE;
    }
    return true;
}

enum backend_status cpu_pipeline_create_from_kernel(const struct jit_kernel *kernel,
                                                    const struct jit_interface *jit,
                                                    struct text label,
                                                    const struct reflect_entry_point *reflection,
                                                    struct backend_compute_pipeline **out) {
    *out = NULL;
    struct backend_compute_pipeline *pipeline =
        memory_allocate_zeroed(MEMORY_OBJECT, 1, sizeof(*pipeline));
    if (pipeline == NULL) {
        if (jit != NULL) {
            jit->destroy(kernel);
        }
        return BACKEND_OUT_OF_MEMORY;
    }
    pipeline->kernel = kernel;
    pipeline->jit = jit;
    pipeline->invocation_count =
        kernel->workgroup_size[0] * kernel->workgroup_size[1] * kernel->workgroup_size[2];
    pipeline->label = memory_allocate_zeroed(MEMORY_OBJECT, 1, label.length + 1);
    if (pipeline->label == NULL || !init_slots(pipeline, reflection)) {
        cpu_pipeline_destroy(pipeline);
        return BACKEND_OUT_OF_MEMORY;
    }
    if (label.length != 0) {
        memcpy(pipeline->label, label.data, label.length);
    }
    *out = pipeline;
    return BACKEND_OK;
}

void cpu_pipeline_destroy(struct backend_compute_pipeline *pipeline) {
    if (pipeline == NULL) {
        return;
    }
    if (pipeline->jit != NULL) {
        pipeline->jit->destroy(pipeline->kernel);
    }
    memory_free(pipeline->buffers);
    memory_free(pipeline->is_writable);
    memory_free(pipeline->slots);
    memory_free(pipeline->label);
    memory_free(pipeline);
}
