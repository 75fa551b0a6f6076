// SPDX-License-Identifier: MIT
//
// The command stream's blocks: they double from 4 KiB to 64 KiB, so that a short stream is one
// small allocation and a long one costs few; a command larger than that gets a block of its own.
#include "backend/command.h"

#include <string.h>

#define FIRST_BLOCK_BYTES 4096u
#define LARGEST_BLOCK_BYTES 65536u

_Static_assert(sizeof(struct command_block) % 8 == 0, "commands are aligned to 8");

static unsigned char *block_bytes(struct command_block *block) {
    return (unsigned char *)(block + 1);
}

void command_stream_init(struct command_stream *stream) {
    *stream = (struct command_stream){0};
    arena_init(&stream->strings, MEMORY_COMMAND);
}

void command_stream_finish(struct command_stream *stream) {
    struct command_cursor cursor = {0};
    const struct command_header *header = NULL;
    while ((header = command_stream_next(stream, &cursor)) != NULL) {
        if (header->kind == COMMAND_WRITE_BUFFER) {
            memory_free(((const struct command_write_buffer *)header)->data);
        } else if (header->kind == COMMAND_WRITE_TEXTURE) {
            memory_free(((const struct command_write_texture *)header)->data);
        }
    }
    struct command_block *block = stream->first;
    while (block != NULL) {
        struct command_block *next = block->next;
        memory_free(block);
        block = next;
    }
    arena_finish(&stream->strings);
    *stream = (struct command_stream){0};
}

static struct command_block *add_block(struct command_stream *stream, uint32_t needed_bytes) {
    struct command_block *last = stream->last;
    uint32_t capacity = FIRST_BLOCK_BYTES;
    if (last != NULL) {
        capacity = last->capacity_bytes < LARGEST_BLOCK_BYTES / 2 ? last->capacity_bytes * 2
                                                                  : LARGEST_BLOCK_BYTES;
    }
    if (capacity < needed_bytes) {
        capacity = needed_bytes;
    }
    struct command_block *block =
        memory_allocate(MEMORY_COMMAND, sizeof(*block) + (size_t)capacity);
    if (block == NULL) {
        return NULL;
    }
    *block = (struct command_block){.capacity_bytes = capacity};
    if (last == NULL) {
        stream->first = block;
    } else {
        last->next = block;
    }
    stream->last = block;
    return block;
}

void *command_stream_append(struct command_stream *stream, enum command_kind kind,
                            size_t size_bytes) {
    if (size_bytes > UINT32_MAX - 64) {
        stream->has_failed = true;
        return NULL;
    }
    uint32_t rounded = ((uint32_t)size_bytes + 7u) & ~7u;
    struct command_block *block = stream->last;
    if (block == NULL || block->capacity_bytes - block->used_bytes < rounded) {
        block = add_block(stream, rounded);
        if (block == NULL) {
            stream->has_failed = true;
            return NULL;
        }
    }
    struct command_header *header =
        (struct command_header *)(void *)(block_bytes(block) + block->used_bytes);
    header->kind = (uint32_t)kind;
    header->size_bytes = rounded;
    if (kind == COMMAND_WRITE_BUFFER) {
        // The stream owns this pointer from here, also if the caller fails before it sets one.
        ((struct command_write_buffer *)(void *)header)->data = NULL;
    } else if (kind == COMMAND_WRITE_TEXTURE) {
        ((struct command_write_texture *)(void *)header)->data = NULL;
    }
    block->used_bytes += rounded;
    return header;
}

const char *command_stream_label(struct command_stream *stream, struct text label) {
    if (label.length == 0) {
        return NULL;
    }
    return text_copy(&stream->strings, label);
}

const struct command_header *command_stream_next(const struct command_stream *stream,
                                                 struct command_cursor *cursor) {
    if (!cursor->has_started) {
        cursor->has_started = true;
        cursor->block = stream->first;
        cursor->offset_bytes = 0;
    }
    while (cursor->block != NULL && cursor->offset_bytes >= cursor->block->used_bytes) {
        cursor->block = cursor->block->next;
        cursor->offset_bytes = 0;
    }
    if (cursor->block == NULL) {
        return NULL;
    }
    const struct command_header *header =
        (const struct command_header *)(const void *)((const unsigned char *)(cursor->block + 1) +
                                                      cursor->offset_bytes);
    cursor->offset_bytes += header->size_bytes;
    return header;
}
