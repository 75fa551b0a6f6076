// SPDX-License-Identifier: MIT
//
// Clocks over POSIX.
#include "base/os_clock.h"

#include <errno.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t os_clock_monotonic_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t os_clock_process_cpu_ns(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t os_clock_deadline_ns(uint64_t delay_ns) {
    uint64_t now = os_clock_monotonic_ns();
    return delay_ns > UINT64_MAX - now ? UINT64_MAX : now + delay_ns;
}

void os_clock_sleep_ns(uint64_t duration_ns) {
    struct timespec left = {
        .tv_sec = (time_t)(duration_ns / 1000000000u),
        .tv_nsec = (long)(duration_ns % 1000000000u),
    };
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}
