// SPDX-License-Identifier: MIT
//
// The ledger: every row of the table against the bytes that alba.h's rules give, totals, submits,
// the bounded list, the JSON form, threads, failing memory.

#include "ledger/ledger.h"

#include <webgpu/webgpu.h>

#include "base/os_thread.h"
#include "check.h"

#define H2S LEDGER_HOST_TO_STAGING
#define S2D LEDGER_STAGING_TO_DEVICE
#define D2S LEDGER_DEVICE_TO_STAGING
#define S2H LEDGER_STAGING_TO_HOST

// One call of 100 bytes and the set of crossings it makes (bit 1 << crossing).
struct expectation {
    enum ledger_call call;
    enum ledger_place source;
    enum ledger_place destination;
    unsigned crossings;
    bool is_elided; // on unified memory
};

static const struct expectation expectations[] = {
    {LEDGER_CALL_WRITE_BUFFER, 0, LEDGER_DEVICE, 1u << H2S | 1u << S2D, false},
    {LEDGER_CALL_WRITE_BUFFER, 0, LEDGER_STAGING, 1u << H2S, false},
    {LEDGER_CALL_WRITE_TEXTURE, 0, LEDGER_DEVICE, 1u << H2S | 1u << S2D, false},
    {LEDGER_CALL_UNMAP_AT_CREATION, 0, LEDGER_DEVICE, 1u << H2S | 1u << S2D, true},
    {LEDGER_CALL_UNMAP_AT_CREATION, 0, LEDGER_STAGING, 1u << H2S, true},
    {LEDGER_CALL_UNMAP_WRITE, 0, LEDGER_STAGING, 1u << H2S, true},
    {LEDGER_CALL_GET_MAPPED_RANGE, LEDGER_STAGING, 0, 1u << S2H, true},
    {LEDGER_CALL_READ_MAPPED_RANGE, LEDGER_STAGING, 0, 1u << S2H, false},
    {LEDGER_CALL_COPY_BUFFER_TO_BUFFER, LEDGER_DEVICE, LEDGER_DEVICE, 0, false},
    {LEDGER_CALL_COPY_BUFFER_TO_BUFFER, LEDGER_DEVICE, LEDGER_STAGING, 1u << D2S, false},
    {LEDGER_CALL_COPY_BUFFER_TO_BUFFER, LEDGER_STAGING, LEDGER_DEVICE, 1u << S2D, false},
    {LEDGER_CALL_COPY_BUFFER_TO_BUFFER, LEDGER_STAGING, LEDGER_STAGING, 0, false},
    {LEDGER_CALL_COPY_BUFFER_TO_TEXTURE, LEDGER_STAGING, LEDGER_DEVICE, 1u << S2D, false},
    {LEDGER_CALL_COPY_TEXTURE_TO_BUFFER, LEDGER_DEVICE, LEDGER_STAGING, 1u << D2S, false},
    {LEDGER_CALL_COPY_TEXTURE_TO_TEXTURE, 0, 0, 0, false},
    {LEDGER_CALL_CLEAR_BUFFER, 0, LEDGER_STAGING, 0, false},
    {LEDGER_CALL_RESOLVE_QUERY_SET, 0, 0, 0, false},
    {LEDGER_CALL_READ_FRAME, 0, 0, 1u << D2S | 1u << S2H, false},
    {LEDGER_CALL_DISPATCH, 0, 0, 0, false},
    {LEDGER_CALL_DRAW, 0, 0, 0, false},
};

static struct ledger *create(bool is_unified, size_t capacity) {
    struct ledger_options options = {.has_unified_memory = is_unified, .list_capacity = capacity};
    struct ledger *ledger = ledger_create(&options);
    CHECK(ledger != NULL);
    return ledger;
}

TEST(each_row_crosses_what_the_table_says) {
    bool is_seen[LEDGER_CALL_COUNT] = {false};
    for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++) {
        const struct expectation *expected = &expectations[i];
        is_seen[expected->call] = true;
        for (int is_unified = 0; is_unified < 2; is_unified++) {
            struct ledger *ledger = create(is_unified != 0, 4);
            struct ledger_event event = {.call = expected->call,
                                         .source = expected->source,
                                         .destination = expected->destination,
                                         .size_bytes = 100};
            CHECK_EQ(ledger_event_has_crossing(&event), expected->crossings != 0);
            ledger_record(ledger, &event);
            struct ledger_totals totals;
            ledger_get_totals(ledger, &totals);
            for (int c = 0; c < LEDGER_CROSSING_COUNT; c++) {
                bool has = (expected->crossings >> c & 1u) != 0;
                CHECK_EQ(totals.crossed_bytes[c], has ? 100 : 0);
                CHECK_EQ(totals.elided_bytes[c],
                         has && expected->is_elided && is_unified ? 100 : 0);
            }
            CHECK_EQ(totals.call_counts[expected->call], 1);
            CHECK_EQ(ledger_entry_count(ledger), expected->crossings != 0);
            ledger_destroy(ledger);
        }
    }
    for (int call = 0; call < LEDGER_CALL_COUNT; call++) {
        check_record(is_seen[call], __FILE__, __LINE__, ledger_call_name((enum ledger_call)call));
    }
}

TEST(buffers_live_where_their_usage_says) {
    CHECK_EQ(ledger_buffer_place(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst), LEDGER_STAGING);
    CHECK_EQ(ledger_buffer_place(WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc), LEDGER_STAGING);
    CHECK_EQ(ledger_buffer_place(WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst), LEDGER_DEVICE);
    CHECK_EQ(ledger_buffer_place(0), LEDGER_DEVICE);
}

static void write_buffer(struct ledger *ledger, uint64_t size_bytes, const char *label) {
    struct ledger_event event = {.call = LEDGER_CALL_WRITE_BUFFER,
                                 .destination = LEDGER_DEVICE,
                                 .size_bytes = size_bytes,
                                 .label = text_from_string(label)};
    ledger_record(ledger, &event);
}

TEST(submits_frames_and_the_list) {
    struct ledger *ledger = create(false, 3);
    write_buffer(ledger, 16, "first");
    ledger_begin_submit(ledger);
    struct ledger_event copy = {.call = LEDGER_CALL_COPY_BUFFER_TO_BUFFER,
                                .source = LEDGER_DEVICE,
                                .destination = LEDGER_STAGING,
                                .size_bytes = 8,
                                .label = TEXT_LITERAL("read-back"),
                                .other_label = TEXT_LITERAL("result")};
    ledger_record(ledger, &copy);
    ledger_count_calls(ledger, LEDGER_CALL_DISPATCH, 10);
    ledger_next_frame(ledger);
    write_buffer(ledger, 4, "third");
    write_buffer(ledger, 2, "fourth, dropped");
    write_buffer(ledger, 0, "crosses nothing");

    struct ledger_totals totals;
    ledger_get_totals(ledger, &totals);
    CHECK_EQ(totals.crossed_bytes[H2S], 22);
    CHECK_EQ(totals.crossed_bytes[D2S], 8);
    CHECK_EQ(totals.call_counts[LEDGER_CALL_DISPATCH], 10);
    CHECK_EQ(totals.call_counts[LEDGER_CALL_WRITE_BUFFER], 4);
    CHECK_EQ(totals.submit_count, 1);
    CHECK_EQ(totals.frame_count, 1);
    ledger_get_submit_totals(ledger, &totals);
    CHECK_EQ(totals.crossed_bytes[H2S], 6);
    CHECK_EQ(totals.crossed_bytes[D2S], 8);

    struct ledger_entry entries[8];
    CHECK_EQ(ledger_get_entries(ledger, 0, entries, 8), 3);
    CHECK_EQ(ledger_dropped_count(ledger), 1);
    CHECK_EQ(entries[0].submit, 0);
    CHECK_STR(entries[0].label.data, "first");
    CHECK_EQ(entries[1].submit, 1);
    CHECK_EQ(entries[1].frame, 0);
    CHECK_EQ(entries[1].from, LEDGER_DEVICE);
    CHECK_EQ(entries[1].to, LEDGER_STAGING);
    CHECK_STR(entries[1].label.data, "read-back");
    CHECK_STR(entries[1].other_label.data, "result");
    CHECK_EQ(entries[2].frame, 1);
    CHECK_EQ(entries[2].crossed_bytes[S2D], 4);
    CHECK_EQ(ledger_get_entries(ledger, 2, entries, 8), 1);
    CHECK_EQ(ledger_get_entries(ledger, 3, entries, 8), 0);
    CHECK_EQ(ledger_get_entries(ledger, 99, entries, 8), 0);

    ledger_reset(ledger);
    ledger_get_totals(ledger, &totals);
    CHECK_EQ(totals.crossed_bytes[H2S] + totals.submit_count + totals.frame_count, 0);
    CHECK_EQ(ledger_entry_count(ledger), 0);
    CHECK_EQ(ledger_dropped_count(ledger), 0);
    write_buffer(ledger, 1, "again");
    CHECK_EQ(ledger_entry_count(ledger), 1);
    ledger_destroy(ledger);
}

TEST(json_is_exact) {
    struct ledger *ledger = create(true, 8);
    ledger_begin_submit(ledger);
    struct ledger_event event = {.call = LEDGER_CALL_UNMAP_WRITE,
                                 .destination = LEDGER_STAGING,
                                 .size_bytes = 12,
                                 .label = TEXT_LITERAL("a \"b\"")};
    ledger_record(ledger, &event);
    struct text_buffer text = {0};
    ledger_print_json(ledger, &text);
    CHECK_STR(text.data,
              "{\"submits\":1,\"frames\":0,\"crossed\":{\"hostToStaging\":12,\"stagingToDevice\":0,"
              "\"deviceToStaging\":0,\"stagingToHost\":0},\"elided\":{\"hostToStaging\":12,"
              "\"stagingToDevice\":0,\"deviceToStaging\":0,\"stagingToHost\":0},\"calls\":{"
              "\"wgpuBufferUnmap (MapWrite)\":1},\"entries\":[{\"submit\":1,\"frame\":0,\"call\":"
              "\"wgpuBufferUnmap (MapWrite)\",\"label\":\"a \\\"b\\\"\",\"from\":\"host\",\"to\":"
              "\"staging\",\"size\":12,\"crossed\":{\"hostToStaging\":12,\"stagingToDevice\":0,"
              "\"deviceToStaging\":0,\"stagingToHost\":0},\"elided\":{\"hostToStaging\":12,"
              "\"stagingToDevice\":0,\"deviceToStaging\":0,\"stagingToHost\":0}}],\"dropped\":0}");
    text_buffer_finish(&text);
    ledger_destroy(ledger);
}

#define THREAD_COUNT 4
#define ROUND_COUNT 2000

static void run_writes(void *user) {
    for (int i = 0; i < ROUND_COUNT; i++) {
        write_buffer(user, 3, "threads");
    }
}

TEST(threads_lose_no_byte) {
    struct ledger *ledger = create(false, 1000);
    struct os_thread threads[THREAD_COUNT];
    for (int i = 0; i < THREAD_COUNT; i++) {
        CHECK(os_thread_create(&threads[i], run_writes, ledger, "writer"));
    }
    for (int i = 0; i < THREAD_COUNT; i++) {
        os_thread_join(&threads[i]);
    }
    struct ledger_totals totals;
    ledger_get_totals(ledger, &totals);
    CHECK_EQ(totals.crossed_bytes[H2S], 3 * THREAD_COUNT * ROUND_COUNT);
    CHECK_EQ(ledger_entry_count(ledger) + ledger_dropped_count(ledger), THREAD_COUNT * ROUND_COUNT);
    CHECK_EQ(ledger_entry_count(ledger), 1000);
    ledger_destroy(ledger);
}

TEST(failing_memory_drops_entries_and_keeps_totals) {
    size_t before = memory_live_blocks(MEMORY_LEDGER);
    struct ledger_options options = {.list_capacity = 100};
    memory_fail_after(0, false);
    CHECK(ledger_create(&options) == NULL);
    memory_fail_after(-1, false);
    for (int countdown = 0; countdown < 4; countdown++) {
        struct ledger *ledger = create(false, 100);
        memory_fail_after(countdown, true);
        for (int i = 0; i < 20; i++) {
            write_buffer(ledger, 5, "label");
        }
        memory_fail_after(-1, false);
        struct ledger_totals totals;
        ledger_get_totals(ledger, &totals);
        CHECK_EQ(totals.crossed_bytes[S2D], 100);
        CHECK_EQ(ledger_entry_count(ledger) + ledger_dropped_count(ledger), 20);
        ledger_destroy(ledger);
    }
    CHECK_EQ(memory_live_blocks(MEMORY_LEDGER), before);
    ledger_record(NULL, &(struct ledger_event){.call = LEDGER_CALL_DRAW});
    ledger_destroy(NULL);
}

CHECK_MAIN(each_row_crosses_what_the_table_says, buffers_live_where_their_usage_says,
           submits_frames_and_the_list, json_is_exact, threads_lose_no_byte,
           failing_memory_drops_entries_and_keeps_totals)
