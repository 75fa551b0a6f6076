// SPDX-License-Identifier: MIT
//
// Dynamic loading over POSIX.
#include "base/os_library.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

struct os_library *os_library_open(const char *name, struct text_buffer *out_error) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL && out_error != NULL) {
        const char *reason = dlerror();
        text_buffer_append_string(out_error, reason == NULL ? "unknown reason" : reason);
    }
    return handle;
}

os_library_function os_library_find(struct os_library *library, const char *name) {
    void *symbol = dlsym(library, name);
    os_library_function function = NULL;
    // Object and function pointers have one representation where dlsym exists.
    memcpy(&function, &symbol, sizeof(function));
    return function;
}

bool os_library_own_folder(struct text_buffer *out_folder) {
    bool (*self)(struct text_buffer *) = os_library_own_folder;
    void *address = NULL;
    memcpy(&address, &self, sizeof(address));
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    const char *path = info.dli_fname;
    char program[4096];
    if (path[0] != '/') {
        // The main program is known by the name it was started with, which need not be a path.
        ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
        if (length <= 0) {
            return false;
        }
        program[length] = '\0';
        path = program;
    }
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return false;
    }
    text_buffer_append(out_folder, (struct text){path, (size_t)(slash - path)});
    return !out_folder->has_failed;
}
