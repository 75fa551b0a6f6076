// SPDX-License-Identifier: MIT
//
// Loading shared libraries at run time, and the places of the running ones. Safe from any thread. A
// loaded library is never unloaded.
#pragma once

#include <stdbool.h>

#include "base/text.h"

struct os_library; // opaque

// name: a path, or a bare name for the system's search. NULL with the system's reason appended to
// out_error (may be NULL).
struct os_library *os_library_open(const char *name, struct text_buffer *out_error);
// A function by name, NULL if there is none. Cast it to its type.
typedef void (*os_library_function)(void);
os_library_function os_library_find(struct os_library *library, const char *name);

// Appends the folder of the library or program that holds this code, without a slash at its end;
// false when the system does not tell.
bool os_library_own_folder(struct text_buffer *out_folder);
