// SPDX-License-Identifier: MIT
//
// Query sets whose results lie in the process's own memory, and the commands that write timestamps
// and resolve results: shared by the backends null and cpu. Creation and destruction are safe from
// any thread; the results belong to whoever the queue's order gives them to.
#pragma once

#include "backend/backend.h"

struct backend_query_set {
    uint32_t type; // WGPUQueryType
    uint32_t count;
    uint64_t values[]; // nanoseconds of the monotonic clock, or samples that passed
};

// All values are 0.
enum backend_status host_query_set_create(
    uint32_t type, uint32_t count, struct backend_query_set **out_query_set);
void host_query_set_destroy(struct backend_query_set *query_set); // NULL is allowed

// Performs WRITE_TIMESTAMP and RESOLVE_QUERY_SET; false for every other kind.
bool host_query_set_execute(const struct command_header *header);
