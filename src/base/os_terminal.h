// SPDX-License-Identifier: MIT
//
// What kind of thing a standard stream is connected to. Any thread.
#pragma once

#include <stdbool.h>

// descriptor: 0 standard input, 1 standard output, 2 standard error.
bool os_is_terminal(int descriptor);
