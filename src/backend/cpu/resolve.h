// SPDX-License-Identifier: MIT
//
// The averages of samples, for host_render_pass.resolve of the CPU adapter: by rows, spread over
// the pool. The queue thread's.
#pragma once

#include "backend/host_render_pass.h"

// A host_resolve_function; user: the struct cpu_device, or NULL to use the calling thread alone.
void cpu_resolve(void *user, const struct host_resolve *resolve);
