// SPDX-License-Identifier: MIT
//
// Folders and files over POSIX.
#include "base/os_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FOREIGN_WRITE (S_IWGRP | S_IWOTH)

static bool is_own(const struct stat *status) {
    return status->st_uid == geteuid() && (status->st_mode & FOREIGN_WRITE) == 0;
}

enum os_folder_status os_folder_open(const char *path, struct os_folder *out_folder) {
    out_folder->handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out_folder->handle < 0) {
        return errno == ENOENT ? OS_FOLDER_ABSENT : OS_FOLDER_FAILED;
    }
    struct stat status;
    if (fstat(out_folder->handle, &status) != 0 || !is_own(&status)) {
        os_folder_close(out_folder);
        return OS_FOLDER_UNSAFE;
    }
    return OS_FOLDER_OK;
}

void os_folder_close(struct os_folder *folder) {
    close(folder->handle);
    folder->handle = -1;
}

static bool make_folder(const char *path) {
    return mkdir(path, S_IRWXU) == 0 || errno == EEXIST;
}

static bool belongs_to_user(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && status.st_uid == geteuid();
}

// The path without its last part, which must not be its only one.
static bool write_parent(const char *path, char *out_parent, size_t size_bytes) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path || (size_t)(slash - path) >= size_bytes) {
        return false;
    }
    memcpy(out_parent, path, (size_t)(slash - path));
    out_parent[slash - path] = '\0';
    return true;
}

bool os_folder_create(const char *path, bool makes_parent) {
    char parent[4096], above[4096];
    if (makes_parent &&
        !(write_parent(path, parent, sizeof(parent)) &&
            (belongs_to_user(parent) ||
                (write_parent(parent, above, sizeof(above)) && belongs_to_user(above) &&
                    make_folder(parent) && belongs_to_user(parent))))) {
        return false;
    }
    return make_folder(path);
}

// read, whole and through interruptions.
static bool read_all(int file, uint8_t *bytes, size_t size_bytes) {
    while (size_bytes != 0) {
        ssize_t count = read(file, bytes, size_bytes);
        if (count <= 0) {
            if (count < 0 && errno == EINTR) {
                continue;
            }
            return false;
        }
        bytes += count;
        size_bytes -= (size_t)count;
    }
    return true;
}

bool os_folder_read(const struct os_folder *folder, const char *name, size_t largest_bytes,
    enum memory_tag tag, uint8_t **out_bytes, size_t *out_size_bytes) {
    int file = openat(folder->handle, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    struct stat status;
    uint8_t *bytes = NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_own(&status) &&
        status.st_size > 0 && (uint64_t)status.st_size <= largest_bytes) {
        bytes = memory_allocate(tag, (size_t)status.st_size);
    }
    if (bytes != NULL && !read_all(file, bytes, (size_t)status.st_size)) {
        memory_free(bytes);
        bytes = NULL;
    }
    close(file);
    *out_bytes = bytes;
    *out_size_bytes = bytes != NULL ? (size_t)status.st_size : 0;
    return bytes != NULL;
}

static bool write_all(int file, const uint8_t *bytes, size_t size_bytes) {
    while (size_bytes != 0) {
        ssize_t count = write(file, bytes, size_bytes);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        bytes += count;
        size_bytes -= (size_t)count;
    }
    return true;
}

bool os_folder_write(
    const struct os_folder *folder, const char *name, const void *bytes, size_t size_bytes) {
    static atomic_uint next_number;
    char temporary[256];
    int length = snprintf(temporary, sizeof(temporary), "%s.%ld.%u" OS_FOLDER_TEMPORARY, name,
        (long)getpid(), atomic_fetch_add(&next_number, 1));
    if (length < 0 || (size_t)length >= sizeof(temporary)) {
        return false;
    }
    int file = openat(folder->handle, temporary,
        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) {
        return false;
    }
    bool is_written = write_all(file, bytes, size_bytes);
    is_written = close(file) == 0 && is_written;
    if (!is_written || renameat(folder->handle, temporary, folder->handle, name) != 0) {
        unlinkat(folder->handle, temporary, 0);
        return false;
    }
    return true;
}

bool os_folder_remove(const struct os_folder *folder, const char *name) {
    return unlinkat(folder->handle, name, 0) == 0;
}

void os_folder_refresh(const struct os_folder *folder, const char *name, int64_t age_seconds) {
    struct stat status;
    if (fstatat(folder->handle, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        time(NULL) - status.st_mtime > age_seconds) {
        utimensat(folder->handle, name, NULL, AT_SYMLINK_NOFOLLOW);
    }
}

// Times that are far from now are as good as the farthest.
static int64_t age_ns(const struct timespec *now, const struct timespec *then) {
    double seconds = difftime(now->tv_sec, then->tv_sec);
    if (seconds > 1e9 || seconds < -1e9) {
        return seconds > 0 ? INT64_MAX : INT64_MIN;
    }
    return ((int64_t)now->tv_sec - (int64_t)then->tv_sec) * 1000000000 + (now->tv_nsec - then->tv_nsec);
}

bool os_folder_visit(const struct os_folder *folder,
    bool (*visit)(void *user, const struct os_folder_file *file), void *user) {
    int handle = openat(folder->handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = handle >= 0 ? fdopendir(handle) : NULL;
    if (list == NULL) {
        if (handle >= 0) {
            close(handle);
        }
        return false;
    }
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    bool goes_on = true;
    for (struct dirent *entry = readdir(list); entry != NULL && goes_on; entry = readdir(list)) {
        struct stat status;
        if (fstatat(folder->handle, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            struct os_folder_file file = {
                .name = entry->d_name,
                .size_bytes = (uint64_t)status.st_size,
                .age_ns = age_ns(&now, &status.st_mtim),
            };
            goes_on = visit(user, &file);
        }
    }
    closedir(list);
    return goes_on;
}

bool os_process_has_foreign_rights(void) {
    return geteuid() != getuid() || getegid() != getgid();
}
