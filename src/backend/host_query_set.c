// SPDX-License-Identifier: MIT
//
// Results are 64-bit numbers, laid out as a resolve writes them.
#include "backend/host_query_set.h"

#include <string.h>

#include "backend/host_buffer.h"
#include "base/memory.h"
#include "base/os_clock.h"

enum backend_status host_query_set_create(
    uint32_t type, uint32_t count, struct backend_query_set **out_query_set) {
    struct backend_query_set *query_set = memory_allocate_zeroed(
        MEMORY_OBJECT, 1, sizeof(*query_set) + (size_t)count * sizeof(query_set->values[0]));
    *out_query_set = query_set;
    if (query_set == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    query_set->type = type;
    query_set->count = count;
    return BACKEND_OK;
}

void host_query_set_destroy(struct backend_query_set *query_set) {
    memory_free(query_set);
}

bool host_query_set_execute(const struct command_header *header) {
    if (header->kind == COMMAND_WRITE_TIMESTAMP) {
        const struct command_write_timestamp *write = (const struct command_write_timestamp *)
            header;
        write->query_set->values[write->index] = os_clock_monotonic_ns();
        return true;
    }
    if (header->kind == COMMAND_RESOLVE_QUERY_SET) {
        const struct command_resolve_query_set *resolve = (const struct command_resolve_query_set *)
            header;
        memcpy(resolve->destination->data + resolve->destination_offset_bytes,
            &resolve->query_set->values[resolve->first],
            (size_t)resolve->count * sizeof(resolve->query_set->values[0]));
        return true;
    }
    return false;
}
