// SPDX-License-Identifier: MIT
//
// Memory taken from the system ahead of its use: contents and counters stay as they are.

#include "base/memory.h"
#include "base/os_memory.h"
#include "check.h"

TEST(committing_pages_changes_no_byte) {
    size_t page = os_page_bytes();
    size_t size = 5 * page + 100;
    uint8_t *block = malloc(size);
    for (size_t i = 0; i < size; i++) {
        block[i] = (uint8_t)(i * 7);
    }
    os_pages_commit(block, size);
    os_pages_commit(block + 1, 10);       // no whole page
    os_pages_commit(block + 3, page - 1); // perhaps none
    os_pages_commit(block, 0);
    for (size_t i = 0; i < size; i++) {
        if (block[i] != (uint8_t)(i * 7)) {
            CHECK_EQ(block[i], (uint8_t)(i * 7));
        }
    }
    CHECK(block[size - 1] == (uint8_t)((size - 1) * 7));
    free(block);
    uint8_t *pages = os_pages_allocate(3 * page);
    if (!CHECK(pages != NULL)) {
        return;
    }
    os_pages_commit(pages, 3 * page);
    CHECK_EQ(pages[0] | pages[3 * page - 1], 0);
    os_pages_free(pages, 3 * page);
}

TEST(preparing_counts_as_nothing) {
    memory_fail_after(0, true); // and needs none of ours
    memory_prepare((size_t)1 << 20);
    memory_prepare((size_t)64 << 20); // a second time: nothing
    memory_fail_after(-1, false);
    for (int tag = 0; tag < MEMORY_TAG_COUNT; tag++) {
        CHECK_EQ(memory_live_bytes((enum memory_tag)tag), 0);
    }
    uint8_t *blocks[200];
    for (int i = 0; i < 200; i++) {
        blocks[i] = memory_allocate(MEMORY_TEST, 10000);
        if (CHECK(blocks[i] != NULL)) {
            memset(blocks[i], i, 10000);
        }
    }
    for (int i = 0; i < 200; i++) {
        CHECK(blocks[i] == NULL || (blocks[i][0] == i && blocks[i][9999] == i));
        memory_free(blocks[i]);
    }
    CHECK_EQ(memory_live_blocks(MEMORY_TEST), 0);
}

CHECK_MAIN(committing_pages_changes_no_byte, preparing_counts_as_nothing)
