// SPDX-License-Identifier: MIT
//
// POSIX terminals.
#include "base/os_terminal.h"

#include <unistd.h>

bool os_is_terminal(int descriptor) {
    return isatty(descriptor) == 1;
}
