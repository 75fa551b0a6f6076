// SPDX-License-Identifier: MIT
//
// Pages over POSIX mmap.
#include "base/os_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define HUGE_BLOCK_BYTES (2 * HUGE_PAGE_BYTES)

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

size_t os_page_bytes(void) {
    static _Atomic size_t known;
    size_t bytes = known;
    if (bytes == 0) {
        long answer = sysconf(_SC_PAGESIZE);
        bytes = answer > 0 ? (size_t)answer : 4096;
        known = bytes;
    }
    return bytes;
}

static size_t round_up(size_t size_bytes, size_t unit) {
    return (size_bytes + unit - 1) / unit * unit;
}

static void *map_pages(size_t size_bytes) {
    void *block = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void *os_pages_allocate(size_t size_bytes) {
    if (size_bytes == 0 || size_bytes > PTRDIFF_MAX - 2 * HUGE_PAGE_BYTES) {
        return NULL;
    }
    size_t needed = round_up(size_bytes, os_page_bytes());
    if (needed < HUGE_BLOCK_BYTES) {
        return map_pages(needed);
    }
    // Map more than is needed and give back what lies before and after the aligned part.
    size_t mapped = needed + HUGE_PAGE_BYTES;
    char *block = map_pages(mapped);
    if (block == NULL) {
        return NULL;
    }
    size_t before = (size_t)(-(uintptr_t)block & (HUGE_PAGE_BYTES - 1));
    if (before != 0) {
        munmap(block, before);
    }
    if (mapped - before != needed) {
        munmap(block + before + needed, mapped - before - needed);
    }
    block += before;
#if defined(MADV_HUGEPAGE)
    madvise(block, needed, MADV_HUGEPAGE);
#endif
    return block;
}

void os_pages_free(void *block, size_t size_bytes) {
    if (block != NULL) {
        munmap(block, round_up(size_bytes, os_page_bytes()));
    }
}

bool os_pages_set_access(void *address, size_t size_bytes, bool is_accessible) {
    return mprotect(address, size_bytes, is_accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

void os_pages_commit(void *block, size_t size_bytes) {
#if defined(MADV_POPULATE_WRITE)
    uintptr_t page = os_page_bytes();
    uintptr_t first = ((uintptr_t)block + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)block + size_bytes) / page * page;
    if (first < end) {
        madvise((char *)block + (first - (uintptr_t)block), end - first, MADV_POPULATE_WRITE);
    }
#else
    (void)block;
    (void)size_bytes;
#endif
}

bool os_pages_make_executable(void *address, size_t size_bytes) {
#if defined(__GNUC__)
    __builtin___clear_cache((char *)address, (char *)address + size_bytes);
#endif
    return mprotect(address, size_bytes, PROT_READ | PROT_EXEC) == 0;
}

uint64_t os_memory_total_bytes(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (uint64_t)pages * os_page_bytes() : 0;
}
