// SPDX-License-Identifier: MIT
//
// Environment variables over the C library.
#include "base/os_environment.h"

#include <stdlib.h>

const char *os_environment_find(const char *name) {
    const char *value = getenv(name);
    return value != 0 && value[0] != '\0' ? value : 0;
}
