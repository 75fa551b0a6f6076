// SPDX-License-Identifier: MIT
//
// The buffers of one execution: sized by reflection, filled with random data that fits their types,
// compared word by word without padding. Guarded buffers end or start at a page without access.
// Of fragment programs also the lanes' inputs, outputs and who is alive. One thread.
#pragma once

#include "oracle/generate.h"
#include "oracle/interpreter.h"
#include "shader/ir/reflect.h"

#define BUFFERS_LIMIT 16

enum word_kind { WORD_PADDING, WORD_INTEGER, WORD_FLOAT, WORD_BOOL };

struct buffers_layout {
    uint32_t count;
    struct {
        uint32_t group;
        uint32_t binding;
        uint64_t size_bytes;
        bool is_writable;
        uint8_t *kinds; // enum word_kind of each 4 bytes
        uint8_t *initial;
    } items[BUFFERS_LIMIT]; // in the order of the entry point's bindings
    uint32_t lane_count;    // fragment programs, else 0; a multiple of 4
    uint32_t *inputs;       // rows of lane_count words
    uint8_t *initial_live;  // by lane
};

// The layout of the entry point's bindings with random contents; false when there are too many, one is no
// buffer, or memory ran out.
bool buffers_layout_init(struct buffers_layout *layout, const struct ir_module *module,
    const struct reflect_entry_point *entry, const struct generated_program *program,
    uint64_t seed);
void buffers_layout_finish(struct buffers_layout *layout);

enum guard_side { GUARD_NONE, GUARD_AFTER, GUARD_BEFORE };

struct buffers {
    uint8_t *data[BUFFERS_LIMIT];
    void *mapping[BUFFERS_LIMIT];
    size_t mapping_bytes[BUFFERS_LIMIT];
    uint32_t *outputs; // rows of lane_count words
    uint8_t *live;
};
// Copies of the initial contents.
bool buffers_init(
    struct buffers *buffers, const struct buffers_layout *layout, enum guard_side guard);
void buffers_finish(struct buffers *buffers, const struct buffers_layout *layout);

// True when equal: read-only buffers exactly, writable ones but for padding, all NaNs equal; outputs of
// lanes that are alive. Otherwise appends the first difference.
bool buffers_compare(const struct buffers *expected, const struct buffers *given,
    const struct buffers_layout *layout, struct text_buffer *out_report);
