// SPDX-License-Identifier: MIT
//
// From bind groups to the buffers of a dispatch or of a stage of a draw, and the memory that kernels
// work in.
#include "backend/cpu/execute_priv.h"

#include <string.h>

#include "base/memory.h"

void cpu_bind_reset(struct cpu_pass *pass) {
    memset(pass->groups, 0, sizeof(pass->groups));
    memset(pass->immediates, 0, sizeof(pass->immediates));
    pass->has_changed = true;
}

void cpu_set_bind_group(struct cpu_pass *pass, const struct command_set_bind_group *command) {
    pass->groups[command->index] = (struct cpu_bound_group){
        command->group, (const uint32_t *)(const void *)(command + 1)};
    pass->has_changed = true;
}

void cpu_set_immediates(struct cpu_pass *pass, const struct command_set_immediates *command) {
    memcpy(pass->immediates + command->offset_bytes, command + 1, command->size_bytes);
}

static const struct cpu_binding *find_binding(
    const struct backend_bind_group *group, uint32_t binding, uint32_t hint) {
    if (hint < group->binding_count && group->bindings[hint].binding == binding) {
        return &group->bindings[hint];
    }
    uint32_t low = 0;
    uint32_t high = group->binding_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (group->bindings[middle].binding < binding) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found = low < group->binding_count && group->bindings[low].binding == binding;
    return is_found ? &group->bindings[low] : NULL;
}

bool cpu_bind_fill(struct cpu_pass *pass, const struct cpu_pipeline_slot *slots,
    uint32_t slot_count, struct jit_buffer *out_buffers) {
    uint32_t hint = 0;
    for (uint32_t i = 0; i < slot_count; i++) {
        const struct cpu_pipeline_slot *slot = &slots[i];
        hint = i != 0 && slot->group == slot[-1].group ? hint + 1 : 0;
        const struct cpu_bound_group *bound = &pass->groups[slot->group];
        const struct cpu_binding *binding = bound->group == NULL
            ? NULL
            : find_binding(bound->group, slot->binding, hint);
        if (binding == NULL) {
            cpu_lose(
                pass->device, "a command reached the CPU adapter without a bind group it needs");
            return false;
        }
        uint64_t offset_bytes = binding->dynamic_index == CPU_NO_DYNAMIC_OFFSET
            ? 0
            : bound->dynamic_offsets[binding->dynamic_index];
        out_buffers[i] = (struct jit_buffer){binding->data + offset_bytes, binding->size_bytes};
    }
    return true;
}

bool cpu_scratch_reserve(struct cpu_device *device, uint64_t size_bytes) {
    if (size_bytes <= device->scratch_stride_bytes) {
        return true;
    }
    memory_pages_free(MEMORY_JIT, device->scratch,
        (size_t)device->scratch_stride_bytes * device->base.thread_count);
    device->scratch = NULL;
    device->scratch_stride_bytes = 0;
    // A page more, so that the workers' scratches do not start in the same cache sets.
    uint64_t stride = (size_bytes + 4095) / 4096 * 4096 + 4096 + 64;
    if (size_bytes > (uint64_t)1 << 40) {
        return false;
    }
    device->scratch = memory_pages_allocate(MEMORY_JIT, (size_t)stride * device->base.thread_count);
    if (device->scratch == NULL) {
        return false;
    }
    device->scratch_stride_bytes = stride;
    return true;
}
