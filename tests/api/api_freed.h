// SPDX-License-Identifier: MIT
//
// Whether a program that has released everything left any of the library's memory behind.
#pragma once

#include "api_helper.h"

#include "base/os_clock.h"

// The last reference may be given back by a thread of alba's, a moment later: waits for it for three
// seconds. What is left is printed.
static inline bool api_is_all_freed(void) {
    for (int i = 0; i < 3000; i++) {
        if (api_count_live_blocks() == 0) {
            return true;
        }
        os_clock_sleep_ns(1000000);
    }
    AlbaMemoryCounter counters[32];
    size_t count = albaGetMemoryCounters(32, counters);
    for (size_t i = 0; i < count && i < 32; i++) {
        if (counters[i].liveBlocks != 0) {
            fprintf(stderr, "    %.*s: %llu blocks, %llu bytes\n", (int)counters[i].name.length,
                counters[i].name.data, (unsigned long long)counters[i].liveBlocks,
                (unsigned long long)counters[i].liveBytes);
        }
    }
    return false;
}
