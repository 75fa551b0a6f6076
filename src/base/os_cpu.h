// SPDX-License-Identifier: MIT
//
// What CPU this is, and how much of the machine the process may use: affinity, cgroup quotas
// (version 1 and 2). Safe from any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct os_cpu_info {
    char vendor[64]; // lower case: "amd", "intel", "arm"; "unknown"
    char name[128];  // as the maker calls it
    uint32_t family;
    uint32_t model;
    const char *architecture; // "x86-64", "aarch64"; static
};
void os_cpu_get_info(struct os_cpu_info *out_info);

// Which of the x86-64 psABI's levels of instruction sets this CPU executes, 2 to 4; 0: none of them, or
// another architecture.
uint32_t os_cpu_x86_level(void);

// CPUs on which this process may run at once, at least 1: the smaller of the affinity mask and the
// cgroup quota, rounded up.
uint32_t os_cpu_usable_count(void);

// Limits that a control group and its ancestors set.
struct os_cgroup_limits {
    bool has_cpu_quota;
    double cpu_quota; // CPUs, 1.5 for one and a half
    bool has_memory_limit;
    uint64_t memory_limit_bytes;
};
// root: a folder put before all paths, "" for the system's, whose limits are read at most once a
// second; tests give a made-up tree.
void os_cgroup_read(const char *root, struct os_cgroup_limits *out_limits);
