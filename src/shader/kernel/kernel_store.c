// SPDX-License-Identifier: MIT
//
// One file a kernel, named by its key in hexadecimal digits. See kernel_store.h.
#include "shader/kernel/kernel_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os_environment.h"
#include "base/os_folder.h"
#include "base/os_thread.h"
#include "base/vector.h"

#define FILE_ENDING ".kernel"
#define FILE_NAME_BYTES (2 * SHA256_BYTES + sizeof(FILE_ENDING))
// No kernel of more is kept.
#define LARGEST_FILE_BYTES ((size_t)64 << 20)
// A file's time is renewed when it is found, so that the ones unused for longest are known: but not
// each time.
#define REFRESH_SECONDS 3600
// To look at all files takes as long as to compile a small kernel, if they are many: one new kernel in
// so many looks, by its key, and the process that adds so many.
#define INSERTS_PER_COUNT 16u
// Temporary files of this age were left behind by processes that ended while writing.
#define STALE_NS (INT64_C(3600) * 1000000000)

struct kernel_store {
    char *folder; // NUL-terminated
    uint64_t limit_bytes;
    bool is_default_folder;
    struct os_mutex mutex; // guards all below
    bool has_warned;
    bool has_counted;
    uint64_t size_bytes; // of the folder when it was counted, and of what was inserted since
    uint64_t file_count; // the same
};

// ---------------------------------------------------------------- the file

// Followed by the facts, the fixups and the image's bytes. Numbers are those of the process: files of
// another kind of machine have other keys.
struct file_header {
    char magic[8];
    uint8_t checksum[SHA256_BYTES]; // of all bytes after it
    struct kernel_key key;
    uint32_t facts_bytes;
    uint32_t fixup_count;
    uint32_t size_bytes;
    uint32_t entry_offset_bytes;
    uint32_t code_bytes;
    uint32_t reserved; // 0
};
#define CHECKSUM_END (8 + SHA256_BYTES)
static const char magic[8] = {'a', 'l', 'b', 'a', 'k', 'r', 'n', '1'};
_Static_assert(sizeof(struct file_header) == CHECKSUM_END + SHA256_BYTES + 24, "no padding");
_Static_assert(sizeof(struct kernel_fixup) == 16, "no padding");

static void hash_file(const uint8_t *bytes, size_t size_bytes, uint8_t *out_checksum) {
    struct sha256 hash;
    sha256_init(&hash);
    sha256_append(&hash, bytes + CHECKSUM_END, size_bytes - CHECKSUM_END);
    sha256_get(&hash, out_checksum);
}

static uint64_t file_bytes(const struct file_header *header) {
    return sizeof(*header) + (uint64_t)header->facts_bytes +
        (uint64_t)header->fixup_count * sizeof(struct kernel_fixup) + header->size_bytes;
}

static bool is_intact(const uint8_t *bytes, size_t size_bytes, const struct kernel_key *key,
    uint32_t facts_bytes, struct file_header *out_header) {
    uint8_t checksum[SHA256_BYTES];
    if (size_bytes < sizeof(*out_header)) {
        return false;
    }
    memcpy(out_header, bytes, sizeof(*out_header));
    if (memcmp(out_header->magic, magic, sizeof(magic)) != 0 ||
        memcmp(&out_header->key, key, sizeof(*key)) != 0 ||
        out_header->facts_bytes != facts_bytes || file_bytes(out_header) != size_bytes) {
        return false;
    }
    hash_file(bytes, size_bytes, checksum);
    return memcmp(out_header->checksum, checksum, sizeof(checksum)) == 0;
}

static bool unpack(const uint8_t *bytes, const struct file_header *header, void *out_facts,
    struct kernel_image *out_image) {
    const uint8_t *facts = bytes + sizeof(*header);
    const uint8_t *fixups = facts + header->facts_bytes;
    size_t fixups_bytes = header->fixup_count * sizeof(struct kernel_fixup);
    *out_image = (struct kernel_image){
        .bytes = memory_allocate(MEMORY_JIT, header->size_bytes),
        .fixups = memory_allocate(MEMORY_JIT, fixups_bytes),
        .size_bytes = header->size_bytes,
        .fixup_count = header->fixup_count,
        .entry_offset_bytes = header->entry_offset_bytes,
        .code_bytes = header->code_bytes,
    };
    if (out_image->bytes == NULL || out_image->fixups == NULL) {
        kernel_image_finish(out_image);
        return false;
    }
    memcpy(out_facts, facts, header->facts_bytes);
    memcpy(out_image->fixups, fixups, fixups_bytes);
    memcpy(out_image->bytes, fixups + fixups_bytes, header->size_bytes);
    if (!kernel_image_is_consistent(out_image)) {
        kernel_image_finish(out_image);
        return false;
    }
    return true;
}

static uint8_t *pack(const struct kernel_key *key, const void *facts, uint32_t facts_bytes,
    const struct kernel_image *image, size_t *out_size_bytes) {
    struct file_header header = {
        .key = *key,
        .facts_bytes = facts_bytes,
        .fixup_count = image->fixup_count,
        .size_bytes = image->size_bytes,
        .entry_offset_bytes = image->entry_offset_bytes,
        .code_bytes = image->code_bytes,
    };
    memcpy(header.magic, magic, sizeof(magic));
    uint64_t size_bytes = file_bytes(&header);
    if (size_bytes > LARGEST_FILE_BYTES) {
        return NULL;
    }
    uint8_t *bytes = memory_allocate(MEMORY_JIT, (size_t)size_bytes);
    if (bytes == NULL) {
        return NULL;
    }
    size_t fixups_bytes = image->fixup_count * sizeof(struct kernel_fixup);
    uint8_t *at = bytes + sizeof(header);
    memcpy(bytes, &header, sizeof(header));
    memcpy(at, facts, facts_bytes);
    memcpy(at + facts_bytes, image->fixups, fixups_bytes);
    memcpy(at + facts_bytes + fixups_bytes, image->bytes, image->size_bytes);
    hash_file(bytes, (size_t)size_bytes, bytes + sizeof(magic));
    *out_size_bytes = (size_t)size_bytes;
    return bytes;
}

// ---------------------------------------------------------------- the folder

static void write_file_name(const struct kernel_key *key, char out_name[FILE_NAME_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        out_name[2 * i] = digits[key->bytes[i] >> 4];
        out_name[2 * i + 1] = digits[key->bytes[i] & 15];
    }
    memcpy(out_name + (size_t)2 * SHA256_BYTES, FILE_ENDING, sizeof(FILE_ENDING));
}

// Whether it is a file of ours, and whether it is one being written.
static bool is_own_name(const char *name, bool *out_is_temporary) {
    size_t digit_count = strspn(name, "0123456789abcdef");
    size_t length = strlen(name), ending = strlen(FILE_ENDING), last = strlen(OS_FOLDER_TEMPORARY);
    if (digit_count != (size_t)2 * SHA256_BYTES ||
        strncmp(name + digit_count, FILE_ENDING, ending) != 0) {
        return false;
    }
    *out_is_temporary = length > digit_count + ending;
    return !*out_is_temporary || strcmp(name + length - last, OS_FOLDER_TEMPORARY) == 0;
}

// A store warns once. A folder that the user has not named may be out of reach without a word.
static void warn(struct kernel_store *store, const char *reason) {
    os_mutex_lock(&store->mutex);
    bool is_first = !store->has_warned;
    store->has_warned = true;
    os_mutex_unlock(&store->mutex);
    if (is_first) {
        log_message(LOG_WARNING,
            "compiled shaders are not kept: the folder %s %s (ALBA_CACHE names another one, or "
            "\"off\")",
            store->folder, reason);
    }
}

static enum os_folder_status open_folder(
    struct kernel_store *store, bool may_create, struct os_folder *out_folder) {
    enum os_folder_status status = os_folder_open(store->folder, out_folder);
    if (status == OS_FOLDER_ABSENT && may_create &&
        os_folder_create(store->folder, store->is_default_folder)) {
        status = os_folder_open(store->folder, out_folder);
    }
    if (status == OS_FOLDER_UNSAFE) {
        warn(store, "belongs to another user, or others may write in it");
    } else if (status != OS_FOLDER_OK && may_create && !store->is_default_folder) {
        warn(store, "cannot be opened or made; its parent must exist");
    }
    return status;
}

struct file {
    char name[FILE_NAME_BYTES];
    uint64_t size_bytes;
    int64_t age_ns;
};

struct listing {
    const struct os_folder *folder;
    VECTOR(struct file) files;
    uint64_t size_bytes;
    bool removes_stale;
};

static bool add_file(void *user, const struct os_folder_file *found) {
    struct listing *listing = user;
    bool is_temporary = false;
    if (!is_own_name(found->name, &is_temporary)) {
        return true;
    }
    if (is_temporary) {
        if (listing->removes_stale && found->age_ns > STALE_NS) {
            os_folder_remove(listing->folder, found->name);
        }
        return true;
    }
    struct file file = {.size_bytes = found->size_bytes, .age_ns = found->age_ns};
    memcpy(file.name, found->name, sizeof(file.name));
    listing->size_bytes += found->size_bytes;
    return vector_push(&listing->files, MEMORY_JIT, file);
}

static int compare_age(const void *a, const void *b) {
    int64_t first = ((const struct file *)a)->age_ns;
    int64_t second = ((const struct file *)b)->age_ns;
    return (first < second) - (first > second);
}

// Looks at the folder, with the mutex held. When all files take more than the limit or are too many,
// the oldest go, but not `newest`.
static void evict(struct kernel_store *store, const struct os_folder *folder, const char *newest) {
    struct listing listing = {.folder = folder, .removes_stale = true};
    os_folder_visit(folder, add_file, &listing);
    uint64_t size_bytes = listing.size_bytes;
    uint64_t count = listing.files.count;
    if (size_bytes > store->limit_bytes || count > KERNEL_STORE_LIMIT_COUNT) {
        qsort(listing.files.items, listing.files.count, sizeof(struct file), compare_age);
        for (size_t i = 0; i < listing.files.count &&
             (size_bytes > store->limit_bytes / 4 * 3 || count > KERNEL_STORE_LIMIT_COUNT / 4 * 3);
             i++) {
            const struct file *file = &listing.files.items[i];
            if (strcmp(file->name, newest) != 0) {
                os_folder_remove(folder, file->name);
                size_bytes -= file->size_bytes;
                count--;
            }
        }
    }
    vector_finish(&listing.files);
    store->has_counted = true;
    store->size_bytes = size_bytes;
    store->file_count = count;
}

static void keep_limit(struct kernel_store *store, const struct os_folder *folder,
    const struct kernel_key *key, const char *newest, uint64_t added_bytes) {
    os_mutex_lock(&store->mutex);
    store->size_bytes += added_bytes;
    store->file_count++;
    bool is_to_count = !store->has_counted &&
        (key->bytes[SHA256_BYTES - 1] % INSERTS_PER_COUNT == 0 ||
            store->file_count >= INSERTS_PER_COUNT);
    if (is_to_count || store->size_bytes > store->limit_bytes ||
        store->file_count > KERNEL_STORE_LIMIT_COUNT) {
        evict(store, folder, newest);
    }
    os_mutex_unlock(&store->mutex);
}

// ---------------------------------------------------------------- the store

struct kernel_store *kernel_store_create_in(struct text folder, uint64_t limit_bytes) {
    struct kernel_store *store = memory_allocate_zeroed(MEMORY_JIT, 1, sizeof(*store));
    char *path = memory_allocate_zeroed(MEMORY_JIT, folder.length + 1, 1);
    if (store == NULL || path == NULL || !os_mutex_init(&store->mutex)) {
        memory_free(path);
        memory_free(store);
        return NULL;
    }
    memcpy(path, folder.data, folder.length);
    store->folder = path;
    store->limit_bytes = limit_bytes;
    return store;
}

struct kernel_store *kernel_store_create(void) {
    const char *given = os_environment_find("ALBA_CACHE");
    const char *base = os_environment_find("XDG_CACHE_HOME");
    const char *home = os_environment_find("HOME");
    bool is_off = given != NULL && (strcmp(given, "off") == 0 || strcmp(given, "0") == 0);
    if (is_off || os_process_has_foreign_rights()) {
        return NULL;
    }
    struct text_buffer path = {0};
    if (given != NULL) {
        text_buffer_append_string(&path, given);
    } else if (base != NULL && base[0] == '/') {
        text_buffer_print(&path, "%s/alba", base);
    } else if (home != NULL && home[0] == '/') {
        text_buffer_print(&path, "%s/.cache/alba", home);
    }
    struct kernel_store *store = NULL;
    if (path.length != 0 && !path.has_failed) {
        store = kernel_store_create_in(text_buffer_get(&path), KERNEL_STORE_LIMIT_BYTES);
    }
    if (store != NULL) {
        store->is_default_folder = given == NULL;
    }
    text_buffer_finish(&path);
    return store;
}

void kernel_store_destroy(struct kernel_store *store) {
    if (store != NULL) {
        os_mutex_finish(&store->mutex);
        memory_free(store->folder);
        memory_free(store);
    }
}

bool kernel_store_find(struct kernel_store *store, const struct kernel_key *key, void *out_facts,
    uint32_t facts_bytes, struct kernel_image *out_image) {
    struct os_folder folder;
    *out_image = (struct kernel_image){0};
    if (store == NULL || open_folder(store, false, &folder) != OS_FOLDER_OK) {
        return false;
    }
    char name[FILE_NAME_BYTES];
    write_file_name(key, name);
    uint8_t *bytes = NULL;
    size_t size_bytes = 0;
    struct file_header header;
    bool is_found = os_folder_read(
                        &folder, name, LARGEST_FILE_BYTES, MEMORY_JIT, &bytes, &size_bytes) &&
        is_intact(bytes, size_bytes, key, facts_bytes, &header) &&
        unpack(bytes, &header, out_facts, out_image);
    memory_free(bytes);
    if (is_found) {
        os_folder_refresh(&folder, name, REFRESH_SECONDS);
    }
    os_folder_close(&folder);
    return is_found;
}

void kernel_store_insert(struct kernel_store *store, const struct kernel_key *key,
    const void *facts, uint32_t facts_bytes, const struct kernel_image *image) {
    struct os_folder folder;
    size_t size_bytes = 0;
    uint8_t *bytes = store != NULL ? pack(key, facts, facts_bytes, image, &size_bytes) : NULL;
    if (bytes != NULL && open_folder(store, true, &folder) == OS_FOLDER_OK) {
        char name[FILE_NAME_BYTES];
        write_file_name(key, name);
        if (os_folder_write(&folder, name, bytes, size_bytes)) {
            keep_limit(store, &folder, key, name, size_bytes);
        } else if (!store->is_default_folder) {
            warn(store, "cannot be written to, or its file system is full");
        }
        os_folder_close(&folder);
    }
    memory_free(bytes);
}

bool kernel_store_get_usage(struct kernel_store *store, struct kernel_store_usage *out_usage) {
    struct os_folder folder;
    *out_usage = (struct kernel_store_usage){0};
    if (store == NULL) {
        return false;
    }
    enum os_folder_status status = open_folder(store, false, &folder);
    if (status != OS_FOLDER_OK) {
        return status == OS_FOLDER_ABSENT;
    }
    struct listing listing = {.folder = &folder};
    os_folder_visit(&folder, add_file, &listing);
    out_usage->kernel_count = (uint32_t)listing.files.count;
    out_usage->size_bytes = listing.size_bytes;
    vector_finish(&listing.files);
    os_folder_close(&folder);
    return true;
}

const char *kernel_store_folder(const struct kernel_store *store) {
    return store != NULL ? store->folder : NULL;
}
