// SPDX-License-Identifier: MIT
//
// Clocks of the system. Safe from any thread.
#pragma once

#include <stdint.h>

// Nanoseconds since an arbitrary point, never going back.
uint64_t os_clock_monotonic_ns(void);
// CPU time used by all threads of the process so far.
uint64_t os_clock_process_cpu_ns(void);
// os_clock_monotonic_ns() + delay_ns without overflow; UINT64_MAX stays UINT64_MAX.
uint64_t os_clock_deadline_ns(uint64_t delay_ns);
void os_clock_sleep_ns(uint64_t duration_ns);
