// SPDX-License-Identifier: MIT
//
// Pages of the system. Safe from any thread. For memory that should be counted and fail on demand
// use memory_pages_allocate (base/memory.h).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t os_page_bytes(void);

// Zeroed, readable and writable pages, committed when first touched. size_bytes is rounded up to
// whole pages; large blocks are aligned so that huge pages can be used. NULL on failure.
void *os_pages_allocate(size_t size_bytes);
// block and size as given to os_pages_allocate; NULL is allowed.
void os_pages_free(void *block, size_t size_bytes);
// Takes all access away from whole pages, or gives reading and writing back.
bool os_pages_set_access(void *address, size_t size_bytes, bool is_accessible);
// Has the system commit the whole pages inside a block now. Without effect where that is not possible.
void os_pages_commit(void *block, size_t size_bytes);
// Whole pages that were written become readable and executable, and can be written no more. false:
// the system does not allow it.
bool os_pages_make_executable(void *address, size_t size_bytes);

// Bytes of memory in the machine; 0 if unknown.
uint64_t os_memory_total_bytes(void);
