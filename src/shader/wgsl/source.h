// SPDX-License-Identifier: MIT
//
// WGSL source text and places in it. A span is a pair of byte offsets; lines and columns are
// computed only where a person or the API asks for them, with the line breaks of WGSL §3.2
// (blankspace and line breaks). Everything here is immutable once initialised, so it may be read
// from any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

// The largest source that the front end takes; offsets fit 32 bits with room to spare.
#define WGSL_SOURCE_LIMIT_BYTES ((size_t)64 * 1024 * 1024)

// Byte offsets [begin, end) into the source. An empty span marks the point before `begin`.
struct source_span {
    uint32_t begin;
    uint32_t end;
};

// All 1-based. `offset` is the byte offset that was asked for, clamped to the source's length.
struct source_location {
    uint32_t offset;
    uint32_t line;
    uint32_t column;       // in code points: what a terminal or an editor shows
    uint32_t column_utf16; // in UTF-16 code units: WebGPU's GPUCompilationMessage
    uint32_t column_bytes; // in bytes
    uint32_t line_begin;   // byte offset of the line's first byte
    uint32_t offset_utf16; // 0-based: UTF-16 code units before `offset` in the whole text
};

struct source_checkpoint;

struct source {
    struct text text; // not owned, not NUL-terminated
    struct text name; // for messages: a file name or a module's label; may be empty
    const struct source_checkpoint *checkpoints;
    uint32_t checkpoint_count;
};

// The smallest span that covers both.
struct source_span source_span_join(struct source_span a, struct source_span b);
struct text source_get_text(const struct source *source, struct source_span span);

// Indexes the lines of `text`, which must stay alive as long as the source and be at most
// WGSL_SOURCE_LIMIT_BYTES long. The index costs 24 bytes for each 4 KiB. False: out of memory.
bool source_init(struct source *source, struct text text, struct text name, struct arena *arena);

// Any bytes are accepted; a byte that is no part of valid UTF-8 counts as one character.
struct source_location source_locate(const struct source *source, uint32_t offset);

// The bytes of the line that starts at `line_begin`, without its line break.
struct text source_get_line(const struct source *source, uint32_t line_begin);
