// SPDX-License-Identifier: MIT
//
// The system layer: clocks, threads, pages, libraries, control groups from made-up trees.

#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_cpu.h"
#include "base/os_environment.h"
#include "base/os_library.h"
#include "base/os_memory.h"
#include "base/os_thread.h"
#include "check.h"

TEST(clocks_go_forward) {
    uint64_t start = os_clock_monotonic_ns();
    uint64_t cpu = os_clock_process_cpu_ns();
    os_clock_sleep_ns(2000000);
    CHECK(os_clock_monotonic_ns() - start >= 2000000);
    CHECK(os_clock_process_cpu_ns() >= cpu);
    CHECK_EQ(os_clock_deadline_ns(UINT64_MAX), UINT64_MAX);
    CHECK(os_clock_deadline_ns(1000) > start);
}

struct baton {
    struct os_mutex mutex;
    struct os_condition condition;
    int turn;
    int rounds;
};

static void run_baton(void *user) {
    struct baton *baton = user;
    os_mutex_lock(&baton->mutex);
    for (int i = 0; i < 100; i++) {
        while (baton->turn != 1) {
            os_condition_wait(&baton->condition, &baton->mutex);
        }
        baton->rounds++;
        baton->turn = 0;
        os_condition_broadcast(&baton->condition);
    }
    os_mutex_unlock(&baton->mutex);
}

TEST(threads_wait_for_each_other) {
    struct baton baton = {.turn = 0};
    struct os_thread thread;
    if (!CHECK(os_mutex_init(&baton.mutex)) || !CHECK(os_condition_init(&baton.condition)) ||
        !CHECK(os_thread_create(&thread, run_baton, &baton, "a name that is too long"))) {
        return;
    }
    os_mutex_lock(&baton.mutex);
    for (int i = 0; i < 100; i++) {
        while (baton.turn != 0) {
            os_condition_wait(&baton.condition, &baton.mutex);
        }
        baton.turn = 1;
        os_condition_broadcast(&baton.condition);
    }
    os_mutex_unlock(&baton.mutex);
    CHECK(!os_thread_is_self(&thread));
    os_thread_join(&thread);
    CHECK_EQ(baton.rounds, 100);
    uint64_t start = os_clock_monotonic_ns();
    os_mutex_lock(&baton.mutex);
    while (os_condition_wait_until(&baton.condition, &baton.mutex, start + 1000000)) {
    }
    os_mutex_unlock(&baton.mutex);
    CHECK(os_clock_monotonic_ns() >= start + 1000000);
    os_condition_finish(&baton.condition);
    os_mutex_finish(&baton.mutex);
}

TEST(pages_are_zero_and_counted) {
    size_t before = memory_live_bytes(MEMORY_TEST);
    size_t sizes[] = {1, os_page_bytes(), os_page_bytes() + 1, (size_t)5 << 20};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        unsigned char *block = memory_pages_allocate(MEMORY_TEST, sizes[i]);
        if (!CHECK(block != NULL)) {
            return;
        }
        CHECK_EQ(memory_live_bytes(MEMORY_TEST) - before, sizes[i]);
        CHECK_EQ((uintptr_t)block % os_page_bytes(), 0);
        CHECK_EQ(block[0], 0);
        CHECK_EQ(block[sizes[i] - 1], 0);
        block[sizes[i] - 1] = 7;
        memory_pages_free(MEMORY_TEST, block, sizes[i]);
        CHECK_EQ(memory_live_bytes(MEMORY_TEST), before);
    }
    CHECK(memory_pages_allocate(MEMORY_TEST, 0) == NULL);
    CHECK(memory_pages_allocate(MEMORY_TEST, SIZE_MAX) == NULL);
    memory_fail_after(0, false);
    CHECK(memory_pages_allocate(MEMORY_TEST, 16) == NULL);
    memory_fail_after(-1, false);
    CHECK_EQ(memory_live_bytes(MEMORY_TEST), before);
    CHECK(os_memory_total_bytes() > (uint64_t)1 << 20);
}

TEST(libraries_open_or_say_why) {
    struct text_buffer text = {0};
    CHECK(os_library_open("/nowhere/libnothing.so", &text) == NULL);
    CHECK(strstr(text.data, "libnothing.so") != NULL);
    text_buffer_finish(&text);
    struct os_library *library = os_library_open("libc.so.6", NULL);
    if (library != NULL) { // not every C library has this name
        CHECK(os_library_find(library, "strlen") != NULL);
        CHECK(os_library_find(library, "no_such_function_of_libc") == NULL);
    }
    CHECK(os_library_own_folder(&text));
    CHECK(text.length > 0 && text.data[0] == '/' && text.data[text.length - 1] != '/');
    CHECK(access(text.data, X_OK) == 0);
    text_buffer_finish(&text);
}

TEST(environment_empty_is_unset) {
    setenv("ALBA_TEST_VARIABLE", "", 1);
    CHECK(os_environment_find("ALBA_TEST_VARIABLE") == NULL);
    setenv("ALBA_TEST_VARIABLE", "x", 1);
    CHECK_STR(os_environment_find("ALBA_TEST_VARIABLE"), "x");
}

TEST(the_cpu_has_a_name) {
    struct os_cpu_info info;
    os_cpu_get_info(&info);
    CHECK(info.vendor[0] != '\0' && info.name[0] != '\0' && info.architecture[0] != '\0');
    CHECK(os_cpu_usable_count() >= 1);
}

// ---- control groups

static char root[256];

static void write_file(const char *path, const char *content) {
    char whole[1024];
    snprintf(whole, sizeof(whole), "%s%s", root, path);
    for (char *at = whole + strlen(root) + 1; *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(whole, 0700);
            *at = '/';
        }
    }
    FILE *file = fopen(whole, "w");
    if (CHECK(file != NULL)) {
        fputs(content, file);
        fclose(file);
    }
}

static bool make_root(void) {
    snprintf(root, sizeof(root), "/tmp/alba-test-XXXXXX");
    return CHECK(mkdtemp(root) != NULL);
}

static void remove_root(void) {
    char command[512];
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    CHECK_EQ(system(command), 0);
}

TEST(cgroup_2_takes_the_least_of_all_ancestors) {
    if (!make_root()) {
        return;
    }
    write_file("/proc/self/cgroup", "0::/outer/inner\n");
    write_file("/proc/self/mountinfo",
               "20 1 0:3 / /proc rw - proc proc rw\n"
               "30 1 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    write_file("/sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
    write_file("/sys/fs/cgroup/outer/memory.max", "max\n");
    write_file("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
    write_file("/sys/fs/cgroup/outer/inner/memory.max", "1073741824\n");
    struct os_cgroup_limits limits;
    os_cgroup_read(root, &limits);
    CHECK(limits.has_cpu_quota);
    CHECK_NEAR(limits.cpu_quota, 1.5, 1e-9);
    CHECK(limits.has_memory_limit);
    CHECK_EQ(limits.memory_limit_bytes, 1073741824);
    remove_root();
}

TEST(cgroup_1_and_a_container_mount) {
    if (!make_root()) {
        return;
    }
    write_file("/proc/self/cgroup", "7:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n");
    write_file("/proc/self/mountinfo",
               "31 1 0:27 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
               "32 1 0:28 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n");
    write_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    struct os_cgroup_limits limits;
    os_cgroup_read(root, &limits);
    CHECK(limits.has_cpu_quota);
    CHECK_NEAR(limits.cpu_quota, 0.5, 1e-9);
    CHECK(limits.has_memory_limit);
    CHECK_EQ(limits.memory_limit_bytes, 536870912);

    write_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    os_cgroup_read(root, &limits);
    CHECK(!limits.has_cpu_quota);
    CHECK(!limits.has_memory_limit);
    remove_root();
}

TEST(cgroup_without_files_has_no_limits) {
    struct os_cgroup_limits limits;
    os_cgroup_read("/nowhere", &limits);
    CHECK(!limits.has_cpu_quota && !limits.has_memory_limit);
}

CHECK_MAIN(clocks_go_forward, threads_wait_for_each_other, pages_are_zero_and_counted,
           libraries_open_or_say_why, environment_empty_is_unset, the_cpu_has_a_name,
           cgroup_2_takes_the_least_of_all_ancestors, cgroup_1_and_a_container_mount,
           cgroup_without_files_has_no_limits)
