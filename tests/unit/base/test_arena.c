// SPDX-License-Identifier: MIT
//
// Arenas: alignment, large blocks that grow in place of making garbage, marks, limits; vectors in
// them; and the peaks that the memory counters keep.
#include <string.h>

#include "base/arena.h"
#include "base/vector.h"
#include "check.h"

static bool is_filled(const unsigned char *bytes, size_t count, unsigned char value) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

TEST(alignment_and_contents) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    unsigned char *items[200];
    for (size_t i = 0; i < 200; i++) {
        bool is_packed = i % 3 != 0;
        items[i] = is_packed ? arena_allocate_packed(&arena, i) : arena_allocate(&arena, i);
        if (!CHECK(items[i] != NULL)) {
            break;
        }
        CHECK_EQ((uintptr_t)items[i] % (is_packed ? 8 : 16), 0);
        memset(items[i], (int)i, i);
    }
    for (size_t i = 0; i < 200; i++) {
        CHECK(is_filled(items[i], i, (unsigned char)i));
    }
    arena_finish(&arena);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), 0);
}

TEST(large_allocations_are_enlarged_without_garbage) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    unsigned char *first = arena_allocate(&arena, ARENA_LARGE_BYTES);
    unsigned char *second = arena_allocate(&arena, ARENA_LARGE_BYTES);
    memset(first, 1, ARENA_LARGE_BYTES);
    memset(second, 2, ARENA_LARGE_BYTES);
    // Both in turn, so that links to older and to newer blocks are mended.
    for (size_t factor = 2; factor <= 16; factor *= 2) {
        first = arena_enlarge(
            &arena, first, factor / 2 * ARENA_LARGE_BYTES, factor * ARENA_LARGE_BYTES);
        second = arena_enlarge(
            &arena, second, factor / 2 * ARENA_LARGE_BYTES, factor * ARENA_LARGE_BYTES);
    }
    CHECK(is_filled(first, ARENA_LARGE_BYTES, 1));
    CHECK(is_filled(second, ARENA_LARGE_BYTES, 2));
    CHECK(memory_live_bytes(MEMORY_TEST) < 33 * ARENA_LARGE_BYTES);
    CHECK_EQ(arena.used_bytes, 32 * ARENA_LARGE_BYTES);
    // A small one moves into a block of its own, where it can grow.
    unsigned char *small = arena_allocate(&arena, 100);
    memset(small, 3, 100);
    small = arena_enlarge(&arena, small, 100, ARENA_LARGE_BYTES);
    CHECK(is_filled(small, 100, 3));
    arena_finish(&arena);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), 0);
}

TEST(marks) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    unsigned char *kept = arena_allocate(&arena, ARENA_LARGE_BYTES);
    memset(kept, 7, ARENA_LARGE_BYTES);
    arena_allocate(&arena, 10);
    struct arena_mark mark = arena_get_mark(&arena);
    size_t used = arena.used_bytes;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            arena_allocate(&arena, 3000);
        }
        arena_allocate(&arena, ARENA_LARGE_BYTES);
        arena_allocate(&arena, 2 * ARENA_LARGE_BYTES);
        arena_reset_to(&arena, mark);
        CHECK_EQ(arena.used_bytes, used);
    }
    // What is older than the mark and was enlarged after it stays.
    kept = arena_enlarge(&arena, kept, ARENA_LARGE_BYTES, 3 * ARENA_LARGE_BYTES);
    arena_allocate(&arena, ARENA_LARGE_BYTES);
    arena_reset_to(&arena, mark);
    CHECK(is_filled(kept, ARENA_LARGE_BYTES, 7));
    CHECK(memory_live_bytes(MEMORY_TEST) < 4 * ARENA_LARGE_BYTES);
    arena_finish(&arena);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), 0);
}

TEST(limits_and_failures) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    arena.limit_bytes = 4 * ARENA_LARGE_BYTES;
    unsigned char *block = arena_allocate(&arena, ARENA_LARGE_BYTES);
    CHECK(block != NULL);
    CHECK(arena_enlarge(&arena, block, ARENA_LARGE_BYTES, 5 * ARENA_LARGE_BYTES) == NULL);
    CHECK(arena.has_failed);
    memset(block, 1, ARENA_LARGE_BYTES); // it stays as it was
    arena.has_failed = false;
    memory_fail_after(0, false);
    CHECK(arena_enlarge(&arena, block, ARENA_LARGE_BYTES, 2 * ARENA_LARGE_BYTES) == NULL);
    CHECK(arena.has_failed);
    CHECK(is_filled(block, ARENA_LARGE_BYTES, 1));
    CHECK(arena_allocate(&arena, SIZE_MAX) == NULL);
    CHECK(arena_allocate_zeroed(&arena, SIZE_MAX / 2, 4) == NULL);
    arena_finish(&arena);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), 0);
}

static void check_vector(bool gives_back, size_t most_bytes) {
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    arena.gives_back_outgrown = gives_back;
    VECTOR(uint32_t) numbers = {0};
    VECTOR(uint64_t) others = {0};
    memory_reset_peak(MEMORY_TEST);
    for (uint32_t i = 0; i < 500000; i++) {
        if (!CHECK(arena_vector_push(&arena, &numbers, i)) ||
            !CHECK(arena_vector_push(&arena, &others, (uint64_t)i << 32))) {
            break;
        }
    }
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 500000; i++) {
        wrong += numbers.items[i] != i || others.items[i] != (uint64_t)i << 32;
    }
    CHECK_EQ(wrong, 0);
    CHECK(memory_peak_bytes(MEMORY_TEST) < most_bytes);
    CHECK(memory_peak_bytes(MEMORY_TEST) >= memory_live_bytes(MEMORY_TEST));
    arena_finish(&arena);
}

TEST(vectors_in_arenas) {
    size_t bytes = 500000 * (sizeof(uint32_t) + sizeof(uint64_t));
    check_vector(true, bytes + bytes / 4 + ((size_t)1 << 20));
    check_vector(false, 6 * bytes);
}

TEST(peaks) {
    memory_reset_peak(MEMORY_TEST);
    size_t before = memory_live_bytes(MEMORY_TEST);
    void *a = memory_allocate(MEMORY_TEST, 1000);
    void *b = memory_allocate(MEMORY_TEST, 500);
    memory_free(a);
    void *grown = memory_resize(MEMORY_TEST, b, 700);
    CHECK_EQ(memory_peak_bytes(MEMORY_TEST) - before, 1500);
    grown = memory_resize(MEMORY_TEST, grown, 2000);
    CHECK_EQ(memory_peak_bytes(MEMORY_TEST) - before, 2000);
    memory_reset_peak(MEMORY_TEST);
    CHECK_EQ(memory_peak_bytes(MEMORY_TEST) - before, 2000);
    memory_free(grown);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), before);
    CHECK_EQ(memory_peak_bytes(MEMORY_TEST) - before, 2000);
}

CHECK_MAIN(alignment_and_contents, large_allocations_are_enlarged_without_garbage, marks,
    limits_and_failures, vectors_in_arenas, peaks)
