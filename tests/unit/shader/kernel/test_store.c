// SPDX-License-Identifier: MIT
//
// Kernels on disk: found again whole; damage at every byte, cut files, files and folders that others
// could have written, folders that cannot be written, the limit, threads, failing memory.

#include "shader/kernel/kernel_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os_thread.h"
#include "check.h"

static char folder[] = "/tmp/alba-test-store-XXXXXX";
static int warning_count;

static void count_warning(enum log_level level, struct text message, void *user) {
    (void)message, (void)user;
    warning_count += level == LOG_WARNING;
}

static const char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

// The name of the only entry of the folder, "" for none, "?" for several.
static const char *only_file(void) {
    static char name[300];
    DIR *list = opendir(folder);
    name[0] = '\0';
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] != '.') {
            snprintf(name, sizeof(name), "%s", name[0] == '\0' ? entry->d_name : "?");
        }
    }
    closedir(list);
    return name;
}

static void empty_folder(void) {
    DIR *list = opendir(folder);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] != '.') {
            unlink(path_of(entry->d_name));
        }
    }
    closedir(list);
}

static struct kernel_store *open_store(uint64_t limit_bytes) {
    return kernel_store_create_in(text_from_string(folder), limit_bytes);
}

#define NO_LIMIT UINT64_MAX

struct facts {
    uint64_t number;
    uint32_t words[3];
};

static struct kernel_key key_of(uint32_t number) {
    struct kernel_key key = {{0}};
    memcpy(key.bytes + 7, &number, sizeof(number));
    return key;
}

// An image of `size` bytes whose contents follow from the number.
static void make(uint32_t number, uint32_t size, struct facts *facts, struct kernel_image *image) {
    *facts = (struct facts){number, {number + 1, number + 2, number + 3}};
    *image = (struct kernel_image){
        .bytes = memory_allocate(MEMORY_JIT, size),
        .fixups = memory_allocate(MEMORY_JIT, 2 * sizeof(struct kernel_fixup)),
        .size_bytes = size,
        .fixup_count = 2,
        .entry_offset_bytes = number % size,
        .code_bytes = size / 2,
    };
    for (uint32_t i = 0; i < size; i++) {
        image->bytes[i] = (uint8_t)(i * 31 + number);
    }
    image->fixups[0] = (struct kernel_fixup){0, KERNEL_SYMBOL_SELF, number};
    image->fixups[1] = (struct kernel_fixup){size - 8, KERNEL_SYMBOL_memcpy, 0};
}

static void insert(struct kernel_store *store, uint32_t number, uint32_t size) {
    struct facts facts;
    struct kernel_image image;
    make(number, size, &facts, &image);
    struct kernel_key key = key_of(number);
    kernel_store_insert(store, &key, &facts, sizeof(facts), &image);
    kernel_image_finish(&image);
}

// Whether the kernel is there; it must be whole then.
static bool find(struct kernel_store *store, uint32_t number, uint32_t size) {
    struct facts facts, expected_facts;
    struct kernel_image image, expected;
    struct kernel_key key = key_of(number);
    if (!kernel_store_find(store, &key, &facts, sizeof(facts), &image)) {
        CHECK(image.bytes == NULL && image.fixups == NULL);
        return false;
    }
    make(number, size, &expected_facts, &expected);
    CHECK_EQ(facts.number, expected_facts.number);
    CHECK(memcmp(facts.words, expected_facts.words, sizeof(facts.words)) == 0);
    CHECK_EQ(image.size_bytes, size);
    CHECK_EQ(image.fixup_count, 2);
    CHECK_EQ(image.entry_offset_bytes, expected.entry_offset_bytes);
    CHECK_EQ(image.code_bytes, size / 2);
    CHECK(image.size_bytes == size && memcmp(image.bytes, expected.bytes, size) == 0);
    CHECK(memcmp(image.fixups, expected.fixups, 2 * sizeof(struct kernel_fixup)) == 0);
    kernel_image_finish(&image);
    kernel_image_finish(&expected);
    return true;
}

TEST(kernels_are_found_again) {
    empty_folder();
    struct kernel_store *store = open_store(NO_LIMIT);
    CHECK_STR(kernel_store_folder(store), folder);
    CHECK(!find(store, 1, 100));
    insert(store, 1, 100);
    insert(store, 2, 70000);
    kernel_store_destroy(store);
    store = open_store(NO_LIMIT); // as another process would
    CHECK(find(store, 1, 100));
    CHECK(find(store, 2, 70000));
    CHECK(!find(store, 3, 100));
    // Facts of another size are another build's.
    struct kernel_key key = key_of(1);
    struct kernel_image image;
    uint8_t more[sizeof(struct facts) + 8];
    CHECK(!kernel_store_find(store, &key, more, sizeof(more), &image));
    CHECK(!kernel_store_find(store, &key, more, 1, &image));
    struct kernel_store_usage usage;
    kernel_store_get_usage(store, &usage);
    CHECK_EQ(usage.kernel_count, 2);
    CHECK(usage.size_bytes > 70100 && usage.size_bytes < 71000);
    kernel_store_destroy(store);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(no_store_is_an_empty_one) {
    struct kernel_store_usage usage;
    insert(NULL, 1, 100);
    CHECK(!find(NULL, 1, 100));
    kernel_store_get_usage(NULL, &usage);
    CHECK_EQ(usage.kernel_count, 0);
    CHECK(kernel_store_folder(NULL) == NULL);
    kernel_store_destroy(NULL);
}

static void write_file(const char *name, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path_of(name), "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

TEST(damaged_files_are_not_there_and_are_written_anew) {
    empty_folder();
    struct kernel_store *store = open_store(NO_LIMIT);
    insert(store, 5, 64);
    char name[300];
    snprintf(name, sizeof(name), "%s", only_file());
    uint8_t bytes[1024];
    FILE *file = fopen(path_of(name), "rb");
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    CHECK(size > 64 && size < sizeof(bytes));
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] ^= (uint8_t)(1 << bit);
            write_file(name, bytes, size);
            CHECK(!find(store, 5, 64));
            bytes[i] ^= (uint8_t)(1 << bit);
        }
    }
    for (size_t shorter = 0; shorter < size; shorter++) {
        write_file(name, bytes, shorter);
        CHECK(!find(store, 5, 64));
    }
    bytes[size] = 0;
    write_file(name, bytes, size + 1);
    CHECK(!find(store, 5, 64));
    insert(store, 5, 64);
    CHECK(find(store, 5, 64));
    // A file under another's name.
    write_file(
        "0000000000000006000000000000000000000000000000000000000000000000.kernel", bytes, size);
    CHECK(!find(store, 6, 64));
    kernel_store_destroy(store);
}

TEST(what_others_could_have_written_is_not_read) {
    empty_folder();
    warning_count = 0;
    log_set_callback(count_warning, NULL);
    struct kernel_store *store = open_store(NO_LIMIT);
    insert(store, 1, 100);
    char path[512];
    snprintf(path, sizeof(path), "%s", path_of(only_file()));
    CHECK(find(store, 1, 100));
    CHECK_EQ(chmod(path, 0620), 0);
    CHECK(!find(store, 1, 100));
    CHECK_EQ(chmod(path, 0602), 0);
    CHECK(!find(store, 1, 100));
    CHECK_EQ(chmod(path, 0600), 0);
    CHECK(find(store, 1, 100));
    CHECK_EQ(warning_count, 0);
    // The folder: nothing is read and nothing written, and one warning says so.
    CHECK_EQ(chmod(folder, 0777), 0);
    CHECK(!find(store, 1, 100));
    insert(store, 2, 100);
    CHECK(!find(store, 2, 100));
    CHECK_EQ(chmod(folder, 0700), 0);
    CHECK(find(store, 1, 100));
    CHECK(!find(store, 2, 100));
    CHECK_EQ(warning_count, 1);
    if (geteuid() == 0) { // another owner
        CHECK_EQ(chown(path, 12345, 12345), 0);
        CHECK(!find(store, 1, 100));
        CHECK_EQ(chown(path, 0, 0), 0);
        CHECK_EQ(chown(folder, 12345, 12345), 0);
        CHECK(!find(store, 1, 100));
        CHECK_EQ(chown(folder, 0, 0), 0);
    }
    // A link, a folder or a pipe in the file's place.
    char other[512];
    snprintf(other, sizeof(other), "%s", path_of("other"));
    CHECK_EQ(rename(path, other), 0);
    CHECK_EQ(symlink(other, path), 0);
    CHECK(!find(store, 1, 100));
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(mkdir(path, 0700), 0);
    CHECK(!find(store, 1, 100));
    CHECK_EQ(rmdir(path), 0);
    CHECK_EQ(mkfifo(path, 0600), 0);
    CHECK(!find(store, 1, 100));
    insert(store, 1, 100); // takes its place
    CHECK(find(store, 1, 100));
    kernel_store_destroy(store);
    log_set_callback(NULL, NULL);
}

TEST(folders_that_cannot_be_used_are_no_error) {
    empty_folder();
    static const char *const names[] = {
        "/proc/self/none", "/dev/null", "/dev/null/none", "/tmp/alba-test-store-none/none", ""};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct kernel_store *store = kernel_store_create_in(text_from_string(names[i]), NO_LIMIT);
        warning_count = 0;
        log_set_callback(count_warning, NULL);
        CHECK(!find(store, 1, 100));
        CHECK_EQ(warning_count, 0);
        insert(store, 1, 100);
        insert(store, 2, 100);
        CHECK_EQ(warning_count, 1); // once, and not before there was something to keep
        CHECK(!find(store, 1, 100));
        log_set_callback(NULL, NULL);
        kernel_store_destroy(store);
    }
    CHECK(access("/tmp/alba-test-store-none", F_OK) != 0);
    // A folder that may be read alone; root may write all the same.
    struct kernel_store *store = open_store(NO_LIMIT);
    insert(store, 1, 100);
    CHECK_EQ(chmod(folder, 0500), 0);
    insert(store, 2, 100);
    CHECK(find(store, 1, 100));
    CHECK(find(store, 2, 100) == (access(folder, W_OK) == 0));
    CHECK_EQ(chmod(folder, 0700), 0);
    kernel_store_destroy(store);
}

static void set_age(uint32_t number, time_t seconds) {
    char name[100];
    struct kernel_key key = key_of(number);
    for (size_t i = 0; i < sizeof(key.bytes); i++) {
        snprintf(name + 2 * i, 3, "%02x", key.bytes[i]);
    }
    snprintf(name + 64, sizeof(name) - 64, ".kernel");
    struct timespec times[2] = {{time(NULL) - seconds, 0}, {time(NULL) - seconds, 0}};
    CHECK_EQ(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

TEST(the_oldest_go_when_the_limit_is_passed) {
    empty_folder();
    struct kernel_store *store = open_store(NO_LIMIT);
    for (uint32_t i = 0; i < 10; i++) {
        insert(store, i, 10000);
        set_age(i, i == 3 ? 1000000 : 20000 + i);
    }
    kernel_store_destroy(store);
    write_file("not-ours", (const uint8_t *)"text", 4);
    const char *const stale =
        "00000000000000ff000000000000000000000000000000000000000000000000.kernel.1.1.tmp";
    write_file(stale, (const uint8_t *)"text", 4);
    struct timespec old[2] = {{time(NULL) - 10000, 0}, {time(NULL) - 10000, 0}};
    CHECK_EQ(utimensat(AT_FDCWD, path_of(stale), old, 0), 0);

    store = open_store(100000);
    CHECK(find(store, 3, 10000)); // found: no longer the oldest
    insert(store, 10, 10000);     // 11 files of about 10.2 kB; 75 kB stay
    struct kernel_store_usage usage;
    kernel_store_get_usage(store, &usage);
    CHECK(usage.size_bytes <= 75000);
    CHECK_EQ(usage.kernel_count, 7);
    CHECK(find(store, 10, 10000));
    CHECK(find(store, 3, 10000));
    CHECK(find(store, 0, 10000));
    CHECK(!find(store, 9, 10000));
    CHECK(!find(store, 6, 10000));
    CHECK(access(path_of("not-ours"), F_OK) == 0);
    CHECK(access(path_of(stale), F_OK) != 0);
    // What one process adds counts too.
    for (uint32_t i = 100; i < 130; i++) {
        insert(store, i, 10000);
        kernel_store_get_usage(store, &usage);
        CHECK(usage.size_bytes <= 100000);
        CHECK(find(store, i, 10000));
    }
    kernel_store_destroy(store);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(files_do_not_become_too_many) {
    empty_folder();
    for (uint32_t i = 0; i < KERNEL_STORE_LIMIT_COUNT; i++) {
        char name[100];
        snprintf(name, sizeof(name), "%064x.kernel", i + 1);
        write_file(name, (const uint8_t *)"old", 3);
    }
    // A key that does not make its process look, and one that does.
    struct facts facts;
    struct kernel_image image;
    make(1, 100, &facts, &image);
    struct kernel_store *store = open_store(NO_LIMIT);
    struct kernel_store_usage usage;
    struct kernel_key quiet = {{0xff, [31] = 1}}, looking = {{0xff, [31] = 16}};
    kernel_store_insert(store, &quiet, &facts, sizeof(facts), &image);
    kernel_store_get_usage(store, &usage);
    CHECK_EQ(usage.kernel_count, KERNEL_STORE_LIMIT_COUNT + 1);
    kernel_store_insert(store, &looking, &facts, sizeof(facts), &image);
    kernel_store_get_usage(store, &usage);
    CHECK_EQ(usage.kernel_count, KERNEL_STORE_LIMIT_COUNT / 4 * 3);
    kernel_image_finish(&image);
    CHECK(kernel_store_find(store, &looking, &facts, sizeof(facts), &image));
    kernel_image_finish(&image);
    kernel_store_destroy(store);
    empty_folder();
}

static void use_store(void *user) {
    uint32_t seed = *(uint32_t *)user;
    struct kernel_store *store = open_store(40000); // small: files come and go
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t number = (i * 7 + seed * 13) % 20;
        struct facts facts;
        struct kernel_image image;
        struct kernel_key key = key_of(number);
        if (kernel_store_find(store, &key, &facts, sizeof(facts), &image)) {
            if (facts.number != number || image.size_bytes != 3000 + number ||
                image.bytes[2999] != (uint8_t)(2999 * 31 + number)) {
                abort();
            }
            kernel_image_finish(&image);
        } else {
            insert(store, number, 3000 + number);
        }
    }
    kernel_store_destroy(store);
}

TEST(many_at_once_see_whole_files_alone) {
    empty_folder();
    struct os_thread threads[4];
    uint32_t seeds[4];
    for (uint32_t i = 0; i < 4; i++) {
        seeds[i] = i;
        CHECK(os_thread_create(&threads[i], use_store, &seeds[i], "store"));
    }
    for (int i = 0; i < 4; i++) {
        os_thread_join(&threads[i]);
    }
    DIR *list = opendir(folder);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        CHECK(strstr(entry->d_name, ".tmp") == NULL);
    }
    closedir(list);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(failing_memory_is_a_miss) {
    empty_folder();
    struct kernel_store *store = open_store(NO_LIMIT);
    insert(store, 1, 100);
    int miss_count = 0;
    struct facts facts;
    struct kernel_image image;
    struct kernel_key key = key_of(1);
    for (int countdown = 0; countdown < 10; countdown++) {
        memory_fail_after(countdown, false);
        bool is_found = kernel_store_find(store, &key, &facts, sizeof(facts), &image);
        memory_fail_after(-1, false);
        miss_count += !is_found;
        CHECK(is_found || image.bytes == NULL);
        kernel_image_finish(&image);
    }
    CHECK_EQ(miss_count, 3); // the file, the image, the fixups
    make(2, 100, &facts, &image);
    key = key_of(2);
    for (int countdown = 0; countdown < 4; countdown++) {
        memory_fail_after(countdown, false);
        kernel_store_insert(store, &key, &facts, sizeof(facts), &image);
        memory_fail_after(-1, false);
        CHECK(find(store, 2, 100) == (countdown > 0));
    }
    kernel_image_finish(&image);
    kernel_store_destroy(store);
    for (int countdown = 0; countdown < 2; countdown++) {
        memory_fail_after(countdown, false);
        CHECK(open_store(NO_LIMIT) == NULL);
        memory_fail_after(-1, false);
    }
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(the_environment_chooses_the_folder) {
    empty_folder();
    struct kernel_store *store;
    setenv("ALBA_CACHE", "off", 1);
    CHECK(kernel_store_create() == NULL);
    setenv("ALBA_CACHE", "0", 1);
    CHECK(kernel_store_create() == NULL);
    setenv("ALBA_CACHE", "/some/where", 1);
    store = kernel_store_create();
    CHECK_STR(kernel_store_folder(store), "/some/where");
    kernel_store_destroy(store);
    unsetenv("ALBA_CACHE");
    setenv("XDG_CACHE_HOME", "/some/cache", 1);
    store = kernel_store_create();
    CHECK_STR(kernel_store_folder(store), "/some/cache/alba");
    kernel_store_destroy(store);
    setenv("XDG_CACHE_HOME", "relative", 1); // not followed, says its specification
    setenv("HOME", folder, 1);
    store = kernel_store_create();
    CHECK_STR(kernel_store_folder(store), path_of(".cache/alba"));
    CHECK(!find(store, 1, 100));
    CHECK(access(path_of(".cache"), F_OK) != 0); // looking makes nothing
    insert(store, 1, 100);
    CHECK(find(store, 1, 100));
    struct stat status;
    CHECK(stat(path_of(".cache/alba"), &status) == 0 && (status.st_mode & 0777) == 0700);
    kernel_store_destroy(store);
    unsetenv("HOME");
    CHECK(kernel_store_create() == NULL);
    if (geteuid() == 0) { // root with a user's HOME leaves nothing there
        setenv("HOME", path_of("home"), 1);
        CHECK_EQ(mkdir(path_of("home"), 0755), 0);
        CHECK_EQ(chown(path_of("home"), 12345, 12345), 0);
        store = kernel_store_create();
        insert(store, 1, 100);
        CHECK(!find(store, 1, 100));
        CHECK(access(path_of("home/.cache"), F_OK) != 0);
        kernel_store_destroy(store);
    }
}

static const check_test tests[] = {kernels_are_found_again, no_store_is_an_empty_one,
    damaged_files_are_not_there_and_are_written_anew, what_others_could_have_written_is_not_read,
    folders_that_cannot_be_used_are_no_error, the_oldest_go_when_the_limit_is_passed,
    files_do_not_become_too_many, many_at_once_see_whole_files_alone, failing_memory_is_a_miss,
    the_environment_chooses_the_folder};
static const char names[] =
    "kernels_are_found_again, no_store_is_an_empty_one, "
    "damaged_files_are_not_there_and_are_written_anew, what_others_could_have_written_is_not_read, "
    "folders_that_cannot_be_used_are_no_error, the_oldest_go_when_the_limit_is_passed, "
    "files_do_not_become_too_many, many_at_once_see_whole_files_alone, failing_memory_is_a_miss, the_environment_chooses_the_folder";

int main(int argc, char **argv) {
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    int status = check_run(tests, sizeof(tests) / sizeof(tests[0]), names, argc, argv);
    char command[600];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    return system(command) != 0 ? 1 : status;
}
