// SPDX-License-Identifier: MIT
//
// Small buffers come from the heap (a page and a system call each would cost more than their
// contents), large ones are pages that the system zeroes when they are touched.
#include "backend/host_buffer.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_cpu.h"
#include "base/os_memory.h"
#include "base/os_thread.h"

#define ALIGNMENT_BYTES 64u
#define PAGES_FROM_BYTES 16384u
#define MINIMUM_BUDGET_BYTES ((uint64_t)256 << 20)

static uint64_t budget_bytes;
static _Atomic uint64_t used_bytes;

// Three quarters, so that the program and the system keep room.
static void read_budget(void) {
    uint64_t total = os_memory_total_bytes();
    struct os_cgroup_limits limits;
    os_cgroup_read("", &limits);
    if (limits.has_memory_limit && (total == 0 || limits.memory_limit_bytes < total)) {
        total = limits.memory_limit_bytes;
    }
    budget_bytes = total / 4 * 3;
    if (budget_bytes < MINIMUM_BUDGET_BYTES) {
        budget_bytes = MINIMUM_BUDGET_BYTES;
    }
}

uint64_t host_memory_budget_bytes(void) {
    static struct os_once once = OS_ONCE_INITIALIZER;
    os_once_run(&once, read_budget);
    return budget_bytes;
}

uint64_t host_memory_used_bytes(void) {
    return atomic_load_explicit(&used_bytes, memory_order_relaxed);
}

static bool take(uint64_t size_bytes) {
    uint64_t budget = host_memory_budget_bytes();
    uint64_t used = atomic_load_explicit(&used_bytes, memory_order_relaxed);
    do {
        if (size_bytes > budget || used > budget - size_bytes) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&used_bytes, &used, used + size_bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void give_back(uint64_t size_bytes) {
    atomic_fetch_sub_explicit(&used_bytes, size_bytes, memory_order_relaxed);
}

enum backend_status host_buffer_create(uint64_t size_bytes, struct backend_buffer **out_buffer) {
    *out_buffer = NULL;
    struct backend_buffer *buffer = memory_allocate(MEMORY_OBJECT, sizeof(*buffer));
    if (buffer == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    if (!take(size_bytes)) {
        memory_free(buffer);
        return BACKEND_OUT_OF_MEMORY;
    }
    *buffer = (struct backend_buffer){.size_bytes = size_bytes,
                                      .has_pages = size_bytes >= PAGES_FROM_BYTES};
    if (buffer->has_pages) {
        buffer->block = memory_pages_allocate(MEMORY_BUFFER, (size_t)size_bytes);
        buffer->data = buffer->block;
    } else {
        buffer->block =
            memory_allocate_zeroed(MEMORY_BUFFER, 1, (size_t)size_bytes + ALIGNMENT_BYTES - 1);
        if (buffer->block != NULL) {
            uintptr_t address = (uintptr_t)buffer->block;
            buffer->data = (uint8_t *)buffer->block + (-address & (ALIGNMENT_BYTES - 1));
        }
    }
    if (buffer->block == NULL) {
        give_back(size_bytes);
        memory_free(buffer);
        return BACKEND_OUT_OF_MEMORY;
    }
    *out_buffer = buffer;
    return BACKEND_OK;
}

void host_buffer_destroy(struct backend_buffer *buffer) {
    if (buffer == NULL) {
        return;
    }
    if (buffer->has_pages) {
        memory_pages_free(MEMORY_BUFFER, buffer->block, (size_t)buffer->size_bytes);
    } else {
        memory_free(buffer->block);
    }
    give_back(buffer->size_bytes);
    memory_free(buffer);
}

bool host_buffer_execute(const struct command_header *header) {
    if (header->kind == COMMAND_WRITE_BUFFER) {
        const struct command_write_buffer *write = (const struct command_write_buffer *)header;
        const void *bytes = write->data != NULL ? write->data : (const void *)(write + 1);
        memcpy(write->buffer->data + write->offset_bytes, bytes, (size_t)write->size_bytes);
        return true;
    }
    if (header->kind == COMMAND_COPY_BUFFER_TO_BUFFER) {
        const struct command_copy_buffer_to_buffer *copy =
            (const struct command_copy_buffer_to_buffer *)header;
        memmove(copy->destination->data + copy->destination_offset_bytes,
                copy->source->data + copy->source_offset_bytes, (size_t)copy->size_bytes);
        return true;
    }
    if (header->kind == COMMAND_CLEAR_BUFFER) {
        const struct command_clear_buffer *clear = (const struct command_clear_buffer *)header;
        memset(clear->buffer->data + clear->offset_bytes, 0, (size_t)clear->size_bytes);
        return true;
    }
    return false;
}
