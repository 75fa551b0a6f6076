// SPDX-License-Identifier: MIT
//
// Loading libalba-jit: search order, version check, messages.
#include "shader/compile/code_generator.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/os_environment.h"
#include "base/os_library.h"

#define LIBRARY_NAME "libalba-jit.so"
// What LLVM takes of the heap when it is loaded and compiles a small kernel.
#define LOADED_HEAP_BYTES ((size_t)1900 << 10)
// ALBA_LIBRARY_FOLDER, set by the build: where the libraries are installed, seen from a program.

static _Atomic(const struct jit_interface *) loaded_interface;

// Loads one candidate; NULL with its reason appended as a part of the whole message.
static const struct jit_interface *load(const char *path, struct text_buffer *out_error) {
    struct text_buffer reason = {0};
    struct os_library *library = os_library_open(path, &reason);
    // The system's reasons often begin with the path.
    size_t length = strlen(path);
    const char *text = text_buffer_get(&reason).data;
    bool is_named = text != NULL && strncmp(text, path, length) == 0 && text[length] == ':';
    text_buffer_append_string(out_error, "; ");
    if (!is_named) {
        text_buffer_print(out_error, "%s: ", path);
    }
    text_buffer_append_string(out_error, text != NULL ? text : "");
    text_buffer_finish(&reason);
    if (library == NULL) {
        return NULL;
    }
    jit_get_interface_function get = (jit_get_interface_function)os_library_find(
        library, JIT_GET_INTERFACE_NAME);
    const struct jit_interface *found = get == NULL ? NULL : get(JIT_ABI_VERSION);
    if (found == NULL) {
        text_buffer_append_string(out_error,
            "was built from other sources than libalba: both must "
            "come from one build");
    }
    return found;
}

// Looks in a folder relative to the library or program that holds this code.
static const struct jit_interface *load_beside(const char *folder, struct text_buffer *out_error) {
    struct text_buffer path = {0};
    const struct jit_interface *found = NULL;
    if (os_library_own_folder(&path)) {
        text_buffer_append_string(&path, folder);
        text_buffer_append_string(&path, "/" LIBRARY_NAME);
        if (!path.has_failed) {
            found = load(text_buffer_get(&path).data, out_error);
        }
    }
    text_buffer_finish(&path);
    return found;
}

static const struct jit_interface *search(struct text_buffer *out_error) {
    const char *given = os_environment_find("ALBA_JIT");
    if (given != NULL) {
        return load(given, out_error);
    }
    const struct jit_interface *found = load_beside("", out_error);
#if defined(ALBA_LIBRARY_FOLDER)
    if (found == NULL) {
        found = load_beside("/" ALBA_LIBRARY_FOLDER, out_error);
    }
#endif
    return found != NULL ? found : load(LIBRARY_NAME, out_error);
}

const struct jit_interface *code_generator_open(struct text_buffer *out_error) {
    const struct jit_interface *found = atomic_load_explicit(
        &loaded_interface, memory_order_acquire);
    if (found != NULL) {
        return found;
    }
    struct text_buffer tried = {0};
    memory_prepare(LOADED_HEAP_BYTES);
    found = search(&tried);
    if (found != NULL) {
        atomic_store_explicit(&loaded_interface, found, memory_order_release);
    } else {
        text_buffer_print(out_error,
            "the CPU code generator %s cannot be loaded: put it beside libalba, or name it in "
            "ALBA_JIT; it is built where LLVM 19 or newer is installed (Debian and Ubuntu: package "
            "llvm-19-dev)%s",
            LIBRARY_NAME, text_buffer_get(&tried).data);
    }
    text_buffer_finish(&tried);
    return found;
}

bool code_generator_find_level(
    const char *word, enum jit_level *out_level, struct text_buffer *out_error) {
    enum jit_level native = jit_native_level();
    if (word == NULL) {
        *out_level = native;
        return true;
    }
    for (int level = 0; level < JIT_LEVEL_COUNT; level++) {
        if (strcmp(word, jit_level_word((enum jit_level)level)) != 0) {
            continue;
        }
        // The levels of one architecture are ordered; another architecture's is never executable.
        bool is_executable = (native == JIT_LEVEL_NEON) == (level == JIT_LEVEL_NEON) &&
            level <= (int)native;
        if (!is_executable) {
            text_buffer_print(out_error, "this CPU does not execute %s; its best is %s", word,
                jit_level_word(native));
            return false;
        }
        *out_level = (enum jit_level)level;
        return true;
    }
    text_buffer_print(
        out_error, "'%s' is no instruction-set level: expected sse4.2, avx2, avx512 or neon", word);
    return false;
}

bool code_generator_level(enum jit_level *out_level, struct text_buffer *out_error) {
    const char *word = os_environment_find("ALBA_CPU");
    size_t length = out_error->length;
    if (code_generator_find_level(word, out_level, out_error)) {
        return true;
    }
    if (out_error->length > length) {
        text_buffer_append_string(out_error, " (ALBA_CPU)");
    }
    return false;
}
