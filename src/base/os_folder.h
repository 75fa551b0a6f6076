// SPDX-License-Identifier: MIT
//
// A folder of the user's own and the files in it, for what is kept between runs. What others could
// have written is not read. All functions are safe from any thread and with other processes at work
// in the same folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct os_folder {
    int handle;
};

enum os_folder_status {
    OS_FOLDER_OK,
    OS_FOLDER_ABSENT,
    OS_FOLDER_UNSAFE, // it belongs to another user, or others may write in it
    OS_FOLDER_FAILED, // it cannot be opened, or is no folder
};

// Opens a folder that this user owns and nobody else may write in.
enum os_folder_status os_folder_open(const char *path, struct os_folder *out_folder);
void os_folder_close(struct os_folder *folder);
// Makes a folder for this user alone, if there is none of that name. makes_parent: its parent, too, and
// nothing where those above do not belong to this user.
bool os_folder_create(const char *path, bool makes_parent);

// Reads a whole file that this user owns and nobody else may write, of 1 byte to largest_bytes. A
// heap block; false when there is no such file, or it changes while it is read.
bool os_folder_read(const struct os_folder *folder, const char *name, size_t largest_bytes,
    enum memory_tag tag, uint8_t **out_bytes, size_t *out_size_bytes);
// Writes a whole file under a name that ends in OS_FOLDER_TEMPORARY and then renames it, so that
// nobody ever sees a part of it. false, and nothing left behind, when that is not possible.
#define OS_FOLDER_TEMPORARY ".tmp"
bool os_folder_write(
    const struct os_folder *folder, const char *name, const void *bytes, size_t size_bytes);
bool os_folder_remove(const struct os_folder *folder, const char *name);
// Makes the file's time of change now, if it is older than age_seconds.
void os_folder_refresh(const struct os_folder *folder, const char *name, int64_t age_seconds);

struct os_folder_file {
    const char *name; // until visit returns
    uint64_t size_bytes;
    int64_t age_ns; // since it was changed; may be negative
};
// Calls visit for each regular file of the folder, in no particular order, until it returns false.
// false when the folder cannot be read or visit said so.
bool os_folder_visit(const struct os_folder *folder,
    bool (*visit)(void *user, const struct os_folder_file *file), void *user);

// Whether the process runs with rights that its user does not have (set-user-ID programs), so that
// the environment must not choose its files.
bool os_process_has_foreign_rights(void);
