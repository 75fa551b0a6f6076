// SPDX-License-Identifier: MIT
//
// The CPU's name and the number of CPUs that the process may use.
#include "base/os_cpu.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

static void read_info(struct os_cpu_info *info) {
    unsigned int a = 0;
    unsigned int b = 0;
    unsigned int c = 0;
    unsigned int d = 0;
    info->architecture = sizeof(void *) == 8 ? "x86-64" : "x86";
    char vendor[13] = {0};
    if (!__get_cpuid(0, &a, &b, &c, &d)) {
        return;
    }
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    static const struct {
        const char *id;
        const char *word;
    } vendors[] = {
        {"AuthenticAMD", "amd"},
        {"GenuineIntel", "intel"},
        {"HygonGenuine", "hygon"},
        {"CentaurHauls", "via"},
        {"  Shanghai  ", "zhaoxin"},
    };
    for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
        if (strcmp(vendor, vendors[i].id) == 0) {
            snprintf(info->vendor, sizeof(info->vendor), "%s", vendors[i].word);
        }
    }
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        uint32_t family = (a >> 8) & 15u;
        info->model = (a >> 4) & 15u;
        if (family == 6 || family == 15) {
            info->model |= ((a >> 16) & 15u) << 4;
        }
        info->family = family == 15 ? family + ((a >> 20) & 255u) : family;
    }
    char name[49] = {0};
    for (unsigned int part = 0; part < 3; part++) {
        unsigned int words[4] = {0};
        if (!__get_cpuid(0x80000002u + part, &words[0], &words[1], &words[2], &words[3])) {
            return;
        }
        memcpy(name + 16 * part, words, 16);
    }
    // Makers pad with blanks on both sides.
    const char *start = name + strspn(name, " ");
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ') {
        length--;
    }
    if (length > 0) {
        snprintf(info->name, sizeof(info->name), "%.*s", (int)length, start);
    }
}
#else
static void read_info(struct os_cpu_info *info) {
#if defined(__aarch64__)
    info->architecture = "aarch64";
    snprintf(info->vendor, sizeof(info->vendor), "arm");
    snprintf(info->name, sizeof(info->name), "ARM CPU");
#else
    (void)info;
#endif
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) {
        return;
    }
    char line[512];
    while (fgets(line, sizeof(line), file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, "model name", 10) == 0) {
            colon += strspn(colon, ": ");
            colon[strcspn(colon, "\n")] = '\0';
            snprintf(info->name, sizeof(info->name), "%.*s", (int)sizeof(info->name) - 1, colon);
            break;
        }
    }
    fclose(file);
}
#endif

void os_cpu_get_info(struct os_cpu_info *out_info) {
    *out_info = (struct os_cpu_info){
        .vendor = "unknown", .name = "unknown CPU", .architecture = "unknown"};
    read_info(out_info);
}

static uint32_t affinity_count(void) {
#if defined(__linux__)
    // Masks grow until the system's fits.
    for (size_t cpus = 1024; cpus <= (size_t)1 << 20; cpus *= 4) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (set == NULL) {
            break;
        }
        size_t bytes = CPU_ALLOC_SIZE(cpus);
        int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0) {
            return (uint32_t)count;
        }
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

uint32_t os_cpu_x86_level(void) {
#if defined(__x86_64__)
    bool has_v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    bool has_v3 = has_v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
    return has_v4 ? 4 : has_v3 ? 3 : has_v2 ? 2 : 0;
#else
    return 0;
#endif
}

uint32_t os_cpu_usable_count(void) {
    uint32_t count = affinity_count();
    struct os_cgroup_limits limits;
    os_cgroup_read("", &limits);
    if (limits.has_cpu_quota && limits.cpu_quota < (double)count) {
        double whole = limits.cpu_quota < 1.0 ? 1.0 : limits.cpu_quota;
        uint32_t rounded = (uint32_t)whole;
        count = (double)rounded < whole ? rounded + 1 : rounded;
    }
    return count;
}
