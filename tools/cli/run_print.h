// SPDX-License-Identifier: MIT
//
// What `alba run` prints of a buffer and of the ledger. One thread.
#pragma once

#include <alba/alba.h>

#include "run_arguments.h"

// The buffer's values as one --print asked, in one line.
void cli_print_values(
    const struct cli_binding *binding, const struct cli_print *print, const void *bytes);
// Every entry that the device kept, then the totals.
void cli_print_ledger(WGPUDevice device);
// For printf's "%.*s"; message.data may be NULL then.
int cli_view_length(WGPUStringView view);
