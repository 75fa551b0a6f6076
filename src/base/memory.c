// SPDX-License-Identifier: MIT
//
// Tagged heap allocation over malloc: a 16-byte header holds size and tag.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/os_memory.h"

struct header {
    uint64_t size_bytes;
    uint32_t tag;
    uint32_t check;
};

_Static_assert(sizeof(struct header) == 16, "blocks stay aligned to 16 bytes");

#define HEADER_CHECK 0xa1bau

static _Atomic size_t live_bytes[MEMORY_TAG_COUNT];
static _Atomic size_t live_blocks[MEMORY_TAG_COUNT];
static _Atomic size_t peak_bytes[MEMORY_TAG_COUNT];
static _Atomic int64_t fail_countdown = -1;
static atomic_bool fail_is_sticky;

static bool must_fail(void) {
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) < 0) {
        return false;
    }
    int64_t before = atomic_fetch_sub(&fail_countdown, 1);
    if (before > 0) {
        return false;
    }
    if (before == 0 && atomic_load(&fail_is_sticky)) {
        atomic_store(&fail_countdown, 0);
        return true;
    }
    return before == 0;
}

static void account(enum memory_tag tag, size_t added, size_t removed, int blocks) {
    // One addition of the difference, which may wrap, so that no peak is seen that never was.
    size_t difference = added - removed;
    size_t now = difference +
        atomic_fetch_add_explicit(&live_bytes[tag], difference, memory_order_relaxed);
    if (added > removed) {
        size_t peak = atomic_load_explicit(&peak_bytes[tag], memory_order_relaxed);
        while (now > peak && !atomic_compare_exchange_weak_explicit(&peak_bytes[tag], &peak, now,
                                 memory_order_relaxed, memory_order_relaxed)) {
        }
    }
    if (blocks > 0) {
        atomic_fetch_add_explicit(&live_blocks[tag], 1, memory_order_relaxed);
    } else if (blocks < 0) {
        atomic_fetch_sub_explicit(&live_blocks[tag], 1, memory_order_relaxed);
    }
}

static void *finish_block(struct header *header, enum memory_tag tag, size_t size_bytes) {
    header->size_bytes = size_bytes;
    header->tag = (uint32_t)tag;
    header->check = HEADER_CHECK;
    return header + 1;
}

void *memory_allocate(enum memory_tag tag, size_t size_bytes) {
    if (size_bytes > PTRDIFF_MAX - sizeof(struct header) || must_fail()) {
        return NULL;
    }
    struct header *header = malloc(sizeof(struct header) + size_bytes);
    if (header == NULL) {
        return NULL;
    }
    account(tag, size_bytes, 0, 1);
    return finish_block(header, tag, size_bytes);
}

void *memory_allocate_zeroed(enum memory_tag tag, size_t count, size_t size_bytes) {
    if (size_bytes != 0 && count > (PTRDIFF_MAX - sizeof(struct header)) / size_bytes) {
        return NULL;
    }
    if (must_fail()) {
        return NULL;
    }
    struct header *header = calloc(1, sizeof(struct header) + count * size_bytes);
    if (header == NULL) {
        return NULL;
    }
    account(tag, count * size_bytes, 0, 1);
    return finish_block(header, tag, count * size_bytes);
}

void *memory_resize(enum memory_tag tag, void *block, size_t size_bytes) {
    if (block == NULL) {
        return memory_allocate(tag, size_bytes);
    }
    if (size_bytes > PTRDIFF_MAX - sizeof(struct header) || must_fail()) {
        return NULL;
    }
    struct header *old = (struct header *)block - 1;
    size_t old_bytes = (size_t)old->size_bytes;
    struct header *header = realloc(old, sizeof(struct header) + size_bytes);
    if (header == NULL) {
        return NULL;
    }
    account(tag, size_bytes, old_bytes, 0);
    return finish_block(header, tag, size_bytes);
}

void memory_free(void *block) {
    if (block == NULL) {
        return;
    }
    struct header *header = (struct header *)block - 1;
    account((enum memory_tag)header->tag, 0, (size_t)header->size_bytes, -1);
    header->check = 0;
    free(header);
}

size_t memory_live_bytes(enum memory_tag tag) {
    return atomic_load_explicit(&live_bytes[tag], memory_order_relaxed);
}

size_t memory_peak_bytes(enum memory_tag tag) {
    return atomic_load_explicit(&peak_bytes[tag], memory_order_relaxed);
}

void memory_reset_peak(enum memory_tag tag) {
    atomic_store_explicit(&peak_bytes[tag], memory_live_bytes(tag), memory_order_relaxed);
}

size_t memory_live_blocks(enum memory_tag tag) {
    return atomic_load_explicit(&live_blocks[tag], memory_order_relaxed);
}

const char *memory_tag_name(enum memory_tag tag) {
    static const char *const names[] = {
#define X(name, text) text,
        MEMORY_TAGS(X)
#undef X
    };
    return names[tag];
}

void memory_fail_after(int64_t countdown, bool is_sticky) {
    atomic_store(&fail_is_sticky, is_sticky);
    atomic_store(&fail_countdown, countdown);
}

void *memory_pages_allocate(enum memory_tag tag, size_t size_bytes) {
    if (must_fail()) {
        return NULL;
    }
    void *block = os_pages_allocate(size_bytes);
    if (block != NULL) {
        account(tag, size_bytes, 0, 1);
    }
    return block;
}

void memory_pages_free(enum memory_tag tag, void *block, size_t size_bytes) {
    if (block != NULL) {
        account(tag, 0, size_bytes, -1);
        os_pages_free(block, size_bytes);
    }
}

#define PREPARED_BLOCK_BYTES ((size_t)96 << 10) // glibc maps 128 KiB and more one by one
#define PREPARED_BLOCK_COUNT 32

void memory_prepare(size_t size_bytes) {
#if defined(__GLIBC__)
    static atomic_flag is_done = ATOMIC_FLAG_INIT;
    static void *last; // stays: what lies below it is not given back to the system when it is freed
    void *blocks[PREPARED_BLOCK_COUNT];
    size_t count = 0;
    if (atomic_flag_test_and_set(&is_done)) {
        return;
    }
    while (count < PREPARED_BLOCK_COUNT && count * PREPARED_BLOCK_BYTES < size_bytes &&
        (blocks[count] = malloc(PREPARED_BLOCK_BYTES)) != NULL) {
        os_pages_commit(blocks[count++], PREPARED_BLOCK_BYTES);
    }
    // The whole size, so that it lies behind the others, and then hardly any of it.
    last = malloc(PREPARED_BLOCK_BYTES);
    void *shrunk = last != NULL ? realloc(last, 1) : NULL;
    last = shrunk != NULL ? shrunk : last;
    while (count != 0) {
        free(blocks[--count]);
    }
#else
    (void)size_bytes;
#endif
}
