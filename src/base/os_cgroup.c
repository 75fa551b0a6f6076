// SPDX-License-Identifier: MIT
//
// Control group limits: the group in each hierarchy is found in /proc/self/cgroup, the
// hierarchy's place in /proc/self/mountinfo; the limits of the group and of all its ancestors count.
#include "base/os_cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_thread.h"

#define PATH_BYTES 4096

// A limit of version 1 that means "none" is a number near the top of the address space.
#define UNLIMITED_BYTES ((uint64_t)1 << 60)

struct hierarchy {
    bool is_found;
    char mount[PATH_BYTES];       // where it is mounted
    char mount_group[PATH_BYTES]; // which group is mounted there
    char group[PATH_BYTES];       // the process's group
};

enum hierarchy_kind { UNIFIED, CPU, MEMORY, HIERARCHY_COUNT };

static bool read_line(const char *root, const char *folder, const char *file, char *out_line,
                      size_t capacity) {
    char path[3 * PATH_BYTES];
    int length = snprintf(path, sizeof(path), "%s%s/%s", root, folder, file);
    if (length < 0 || (size_t)length >= sizeof(path)) {
        return false;
    }
    FILE *stream = fopen(path, "re");
    if (stream == NULL) {
        return false;
    }
    bool ok = fgets(out_line, (int)capacity, stream) != NULL;
    fclose(stream);
    return ok;
}

// Is `word` one of the comma-separated words of `list`?
static bool list_has(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; *at != '\0';) {
        size_t part = strcspn(at, ",");
        if (part == length && strncmp(at, word, length) == 0) {
            return true;
        }
        at += part;
        at += *at == ',';
    }
    return false;
}

static bool copy_path(char *out_path, const char *path) {
    size_t length = strlen(path);
    if (length >= PATH_BYTES) {
        return false;
    }
    memcpy(out_path, path, length + 1);
    return true;
}

// Lines of /proc/self/cgroup: "id:controllers:group"; version 2 has no controllers.
static void read_groups(const char *root, struct hierarchy *hierarchies) {
    char line[2 * PATH_BYTES];
    snprintf(line, sizeof(line), "%.*s/proc/self/cgroup", PATH_BYTES, root);
    FILE *stream = fopen(line, "re");
    if (stream == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), stream) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL) {
            continue;
        }
        *group++ = '\0';
        controllers++;
        if (controllers[0] == '\0') {
            copy_path(hierarchies[UNIFIED].group, group);
        }
        if (list_has(controllers, "cpu")) {
            copy_path(hierarchies[CPU].group, group);
        }
        if (list_has(controllers, "memory")) {
            copy_path(hierarchies[MEMORY].group, group);
        }
    }
    fclose(stream);
}

static void note_mount(struct hierarchy *hierarchy, const char *mount, const char *mount_group) {
    if (!hierarchy->is_found) {
        hierarchy->is_found =
            copy_path(hierarchy->mount, mount) && copy_path(hierarchy->mount_group, mount_group);
    }
}

// Lines of mountinfo: "id parent major:minor mount-root mount-point options [optional...] - type
// source super-options".
static void read_mounts(const char *root, struct hierarchy *hierarchies) {
    char line[4 * PATH_BYTES];
    snprintf(line, sizeof(line), "%.*s/proc/self/mountinfo", PATH_BYTES, root);
    FILE *stream = fopen(line, "re");
    if (stream == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), stream) != NULL) {
        char mount_group[PATH_BYTES];
        char mount[PATH_BYTES];
        char type[64];
        char options[1024] = "";
        const char *tail = strstr(line, " - cgroup");
        if (tail == NULL ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", mount_group, mount) != 2 ||
            sscanf(tail, " - %63s %*s %1023s", type, options) < 1) {
            continue;
        }
        if (strcmp(type, "cgroup2") == 0) {
            note_mount(&hierarchies[UNIFIED], mount, mount_group);
        } else if (strcmp(type, "cgroup") == 0) {
            if (list_has(options, "cpu")) {
                note_mount(&hierarchies[CPU], mount, mount_group);
            }
            if (list_has(options, "memory")) {
                note_mount(&hierarchies[MEMORY], mount, mount_group);
            }
        }
    }
    fclose(stream);
}

static void lower_cpu(struct os_cgroup_limits *limits, double quota, double period) {
    if (quota > 0 && period > 0 &&
        (!limits->has_cpu_quota || quota / period < limits->cpu_quota)) {
        limits->has_cpu_quota = true;
        limits->cpu_quota = quota / period;
    }
}

static void lower_memory(struct os_cgroup_limits *limits, const char *text) {
    uint64_t bytes = 0;
    if (sscanf(text, "%" SCNu64, &bytes) == 1 && bytes < UNLIMITED_BYTES &&
        (!limits->has_memory_limit || bytes < limits->memory_limit_bytes)) {
        limits->has_memory_limit = true;
        limits->memory_limit_bytes = bytes;
    }
}

static void read_folder(const char *root, const char *folder, enum hierarchy_kind kind,
                        struct os_cgroup_limits *limits) {
    char line[128];
    double quota = 0;
    double period = 0;
    switch (kind) {
    case UNIFIED:
        if (read_line(root, folder, "cpu.max", line, sizeof(line)) &&
            sscanf(line, "%lf %lf", &quota, &period) == 2) { // "max 100000" has no number first
            lower_cpu(limits, quota, period);
        }
        if (read_line(root, folder, "memory.max", line, sizeof(line))) {
            lower_memory(limits, line);
        }
        break;
    case CPU:
        if (read_line(root, folder, "cpu.cfs_quota_us", line, sizeof(line)) &&
            sscanf(line, "%lf", &quota) == 1 &&
            read_line(root, folder, "cpu.cfs_period_us", line, sizeof(line)) &&
            sscanf(line, "%lf", &period) == 1) {
            lower_cpu(limits, quota, period); // -1 is none
        }
        break;
    case MEMORY:
        if (read_line(root, folder, "memory.limit_in_bytes", line, sizeof(line))) {
            lower_memory(limits, line);
        }
        break;
    case HIERARCHY_COUNT:
        break;
    }
}

// The group's folder is the mount point and what follows the mounted group in the group's path.
static void read_hierarchy(const char *root, struct hierarchy *hierarchy, enum hierarchy_kind kind,
                           struct os_cgroup_limits *limits) {
    if (!hierarchy->is_found) {
        return;
    }
    const char *group = hierarchy->group;
    size_t prefix = strlen(hierarchy->mount_group);
    if (prefix > 1 && strncmp(group, hierarchy->mount_group, prefix) == 0) {
        group += prefix;
    }
    char folder[2 * PATH_BYTES];
    snprintf(folder, sizeof(folder), "%s%s", hierarchy->mount, group);
    size_t shortest = strlen(hierarchy->mount);
    for (;;) {
        size_t length = strlen(folder);
        while (length > shortest && folder[length - 1] == '/') {
            folder[--length] = '\0';
        }
        read_folder(root, folder, kind, limits);
        if (length <= shortest) {
            return;
        }
        while (length > shortest && folder[length - 1] != '/') {
            folder[--length] = '\0';
        }
    }
}

static void read_limits(const char *root, struct os_cgroup_limits *out_limits) {
    *out_limits = (struct os_cgroup_limits){0};
    struct hierarchy *hierarchies =
        memory_allocate_zeroed(MEMORY_GENERAL, HIERARCHY_COUNT, sizeof(*hierarchies));
    if (hierarchies == NULL) {
        return;
    }
    read_groups(root, hierarchies);
    read_mounts(root, hierarchies);
    for (int kind = 0; kind < HIERARCHY_COUNT; kind++) {
        read_hierarchy(root, &hierarchies[kind], (enum hierarchy_kind)kind, out_limits);
    }
    memory_free(hierarchies);
}

#define FRESH_NS 1000000000u

void os_cgroup_read(const char *root, struct os_cgroup_limits *out_limits) {
    static struct os_mutex lock = OS_MUTEX_INITIALIZER;
    static struct os_cgroup_limits known;
    static uint64_t known_at_ns; // 0: never
    if (root[0] != '\0') {
        read_limits(root, out_limits);
        return;
    }
    // A device asks several times while it is made, and the system makes the list of mounts anew for
    // each reader.
    os_mutex_lock(&lock);
    uint64_t now_ns = os_clock_monotonic_ns();
    if (known_at_ns == 0 || now_ns - known_at_ns > FRESH_NS) {
        read_limits(root, &known);
        known_at_ns = now_ns;
    }
    *out_limits = known;
    os_mutex_unlock(&lock);
}
