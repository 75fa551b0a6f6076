// SPDX-License-Identifier: MIT
//
// Buffers whose bytes lie in the process's own memory, and the commands that only move bytes:
// shared by the backends null and cpu. The memory budget is shared by all devices of the process.
// Creation and destruction are safe from any thread; the bytes belong to whoever the queue's order
// gives them to.
#pragma once

#include "backend/backend.h"

struct backend_buffer {
    uint8_t *data; // aligned to 64
    uint64_t size_bytes;
    void *block;     // what was allocated
    bool has_pages;  // block is whole pages, else heap
};

// Bytes that all host buffers together may take: a fraction of min(RAM, cgroup limit). Read once.
uint64_t host_memory_budget_bytes(void);
// Bytes that they take now.
uint64_t host_memory_used_bytes(void);

// Zeroed, lazily where it is large. OUT_OF_MEMORY beyond the budget.
enum backend_status host_buffer_create(uint64_t size_bytes, struct backend_buffer **out_buffer);
void host_buffer_destroy(struct backend_buffer *buffer);

// Performs COPY_BUFFER_TO_BUFFER, CLEAR_BUFFER and WRITE_BUFFER; false for every other kind.
bool host_buffer_execute(const struct command_header *header);
