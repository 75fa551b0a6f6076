// SPDX-License-Identifier: MIT
//
// The command stream: appending over blocks, alignment, reading back, labels, failing memory.

#include "backend/command.h"
#include "check.h"

TEST(an_empty_stream_has_no_commands) {
    struct command_stream stream;
    command_stream_init(&stream);
    struct command_cursor cursor = {0};
    CHECK(command_stream_next(&stream, &cursor) == NULL);
    CHECK(command_stream_next(&stream, &cursor) == NULL);
    command_stream_finish(&stream);
    CHECK_EQ(memory_live_blocks(MEMORY_COMMAND), 0);
}

TEST(commands_come_back_in_order) {
    struct command_stream stream;
    command_stream_init(&stream);
    const uint32_t count = 5000;
    for (uint32_t i = 0; i < count; i++) {
        size_t extra = i % 97 == 0 ? 70000 : i % 13; // larger than a block, and odd
        struct command_set_immediates *set = command_stream_append(
            &stream, COMMAND_SET_IMMEDIATES, sizeof(struct command_set_immediates) + extra);
        if (!CHECK(set != NULL)) {
            return;
        }
        CHECK_EQ((uintptr_t)set % 8, 0);
        set->offset_bytes = i;
        set->size_bytes = (uint32_t)extra;
        memset(set + 1, (int)(i & 0xff), extra);
    }
    struct command_cursor cursor = {0};
    const struct command_header *header = NULL;
    uint32_t seen = 0;
    while ((header = command_stream_next(&stream, &cursor)) != NULL) {
        const struct command_set_immediates *set = (const struct command_set_immediates *)header;
        CHECK_EQ(header->kind, COMMAND_SET_IMMEDIATES);
        CHECK_EQ(header->size_bytes % 8, 0);
        CHECK_EQ(set->offset_bytes, seen);
        const uint8_t *bytes = (const uint8_t *)(set + 1);
        if (set->size_bytes != 0) {
            CHECK_EQ(bytes[0], seen & 0xff);
            CHECK_EQ(bytes[set->size_bytes - 1], seen & 0xff);
        }
        seen++;
    }
    CHECK_EQ(seen, count);
    CHECK(!stream.has_failed);
    command_stream_finish(&stream);
    CHECK_EQ(memory_live_blocks(MEMORY_COMMAND), 0);
}

TEST(labels_are_copied) {
    struct command_stream stream;
    command_stream_init(&stream);
    char text[] = "a label that goes";
    const char *label = command_stream_label(&stream, text_from_string(text));
    text[0] = 'X';
    CHECK_STR(label, "a label that goes");
    CHECK(command_stream_label(&stream, TEXT_LITERAL("")) == NULL);
    command_stream_finish(&stream);
}

TEST(staging_blocks_are_freed_with_the_stream) {
    struct command_stream stream;
    command_stream_init(&stream);
    struct command_write_buffer *write = COMMAND_APPEND(&stream, WRITE_BUFFER, write_buffer);
    CHECK(write->data == NULL); // already: the caller may fail before it sets one
    COMMAND_APPEND(&stream, WRITE_BUFFER, write_buffer)->data =
        memory_allocate(MEMORY_STAGING, 100);
    CHECK_EQ(memory_live_blocks(MEMORY_STAGING), 1);
    command_stream_finish(&stream);
    CHECK_EQ(memory_live_blocks(MEMORY_STAGING), 0);
}

TEST(failure_is_remembered) {
    struct command_stream stream;
    command_stream_init(&stream);
    memory_fail_after(0, false);
    CHECK(COMMAND_APPEND(&stream, DISPATCH, dispatch) == NULL);
    memory_fail_after(-1, false);
    CHECK(stream.has_failed);
    CHECK(COMMAND_APPEND(&stream, DISPATCH, dispatch) != NULL);
    CHECK(stream.has_failed);
    CHECK(command_stream_append(&stream, COMMAND_WRITE_BUFFER, SIZE_MAX) == NULL);
    command_stream_finish(&stream);
    CHECK_EQ(memory_live_blocks(MEMORY_COMMAND), 0);
}

CHECK_MAIN(an_empty_stream_has_no_commands, commands_come_back_in_order, labels_are_copied,
           staging_blocks_are_freed_with_the_stream, failure_is_remembered)
