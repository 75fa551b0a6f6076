// SPDX-License-Identifier: MIT
//
// The one error-forwarding macro, for functions that return bool (true: success).
#pragma once

#define TRY(expression)       \
    do {                      \
        if (!(expression)) {  \
            return false;     \
        }                     \
    } while (0)
