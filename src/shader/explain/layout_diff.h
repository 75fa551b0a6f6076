// SPDX-License-Identifier: MIT
//
// A host's layout as the user describes it on the command line; see layout_diff.c for the grammar.
#pragma once

#include "shader/explain/layout.h"

struct host_member {
    struct text name; // empty: by position
    uint64_t offset_bytes;
    uint64_t size_bytes;   // of all elements
    uint64_t stride_bytes; // of an array's elements, or a matrix's columns; 0: neither
    uint64_t count;        // of elements or columns; 1: neither
    struct text word;      // the type as written
};

struct host_layout {
    struct host_member *members;
    uint32_t member_count;
    uint64_t size_bytes;
    bool has_size;
};

// False with a message in out_error. The list lives in the arena.
bool host_layout_parse(struct text specification, struct arena *arena, struct host_layout *out,
    struct text_buffer *out_error);
