// SPDX-License-Identifier: MIT
//
// Tagged heap allocation, the one door to malloc. Every allocation names a tag, which feeds the
// leak report, the memory counters and failure injection. All functions are safe from any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// clang-format off
#define MEMORY_TAGS(X) \
    X(GENERAL, "general") X(TEXT, "text") X(COMPILE, "compile") X(OBJECT, "object") \
    X(COMMAND, "command") X(BUFFER, "buffer") X(STAGING, "staging") X(JIT, "jit") \
    X(THREAD, "thread") X(LEDGER, "ledger") X(EVENT, "event") X(TEST, "test")
// clang-format on

enum memory_tag {
#define X(name, text) MEMORY_##name,
    MEMORY_TAGS(X)
#undef X
        MEMORY_TAG_COUNT
};

// Returns size bytes aligned to 16, uninitialised, or NULL. A size of 0 gives a unique pointer.
void *memory_allocate(enum memory_tag tag, size_t size_bytes);
// As memory_allocate, filled with zero bytes; NULL when count * size overflows.
void *memory_allocate_zeroed(enum memory_tag tag, size_t count, size_t size_bytes);
// Grows or shrinks; on failure returns NULL and the old block stays valid. The block keeps its tag
// (the tag must be the one it was allocated with). block may be NULL.
void *memory_resize(enum memory_tag tag, void *block, size_t size_bytes);
// Frees a block; NULL is allowed.
void memory_free(void *block);

// Has malloc take up to 3 MiB from the system at once, for much that is small and will be allocated
// soon, by whatever library: taken page by page at first touch, the same costs several times as
// much. Works once in a process, and only where malloc is known to keep what it was given.
void memory_prepare(size_t size_bytes);

// Bytes now allocated under a tag, and the number of live blocks.
size_t memory_live_bytes(enum memory_tag tag);
size_t memory_live_blocks(enum memory_tag tag);
// The most bytes that were allocated under a tag at one time since the start or the last reset, which
// begins again from what is allocated then. Exact while one thread allocates under the tag.
size_t memory_peak_bytes(enum memory_tag tag);
void memory_reset_peak(enum memory_tag tag);
// The tag's name for reports, a static string.
const char *memory_tag_name(enum memory_tag tag);

// Failure injection: the allocation after `countdown` further successful ones fails, and, if
// is_sticky, all later ones too. A negative countdown switches injection off (the default).
void memory_fail_after(int64_t countdown, bool is_sticky);

// Whole pages, zeroed and committed when first touched, counted under the tag and subject to
// failure injection. NULL on failure or for size 0. To be freed with the same tag and size.
void *memory_pages_allocate(enum memory_tag tag, size_t size_bytes);
void memory_pages_free(enum memory_tag tag, void *block, size_t size_bytes); // NULL is allowed
