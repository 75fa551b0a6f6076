// SPDX-License-Identifier: MIT
//
// The ledger of one device: every byte that crosses between host, staging and device, by the one
// table in crossing.def. The API layer calls ledger_record where it knows object, label and size;
// alba.h's functions read. Safe from any thread. Totals are always kept (a few relaxed atomic
// additions a call); the list of events only when asked for, bounded.
//
// Call and frame. `submit` of an event is the number of submits that had begun before it: a copy
// inside the first submit has 1, a write before it 0. `frame` counts ledger_next_frame likewise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum ledger_place { LEDGER_HOST, LEDGER_STAGING, LEDGER_DEVICE, LEDGER_PLACE_COUNT };

enum ledger_crossing {
#define CROSSING(id, name, from, to) LEDGER_##id,
#include "ledger/crossing.def"
    LEDGER_CROSSING_COUNT
};

enum ledger_call {
#define LEDGER_CALL(id, name, from, to, unified) LEDGER_CALL_##id,
#include "ledger/crossing.def"
    LEDGER_CALL_COUNT
};

// One call, as the API layer reports it. A copy inside a command buffer is reported when the
// command buffer is submitted, after ledger_begin_submit. Fields that a row of the table does not
// name are ignored.
struct ledger_event {
    enum ledger_call call;
    enum ledger_place source;      // where the row says SOURCE: ledger_buffer_place of the buffer
    enum ledger_place destination; // where the row says DESTINATION
    uint64_t size_bytes;
    struct text label;       // the buffer or texture; of a copy, the destination
    struct text other_label; // of a copy, the source
};

struct ledger_totals {
    uint64_t crossed_bytes[LEDGER_CROSSING_COUNT];
    uint64_t elided_bytes[LEDGER_CROSSING_COUNT]; // part of crossed_bytes: not moved
    uint64_t call_counts[LEDGER_CALL_COUNT];
    uint64_t submit_count;
    uint64_t frame_count;
};

// One entry of the list. The texts live until the next ledger_reset or ledger_destroy.
struct ledger_entry {
    uint64_t submit;
    uint64_t frame;
    enum ledger_call call;
    enum ledger_place from;
    enum ledger_place to;
    uint64_t size_bytes;
    uint64_t crossed_bytes[LEDGER_CROSSING_COUNT];
    uint64_t elided_bytes[LEDGER_CROSSING_COUNT];
    struct text label;
    struct text other_label;
};

struct ledger;

struct ledger_options {
    bool has_unified_memory; // backend_adapter_info.has_unified_memory
    size_t list_capacity;    // entries kept; 0: no list
};

// Where a buffer of this usage (WGPUBufferUsage bits) lives: STAGING with MAP_READ or MAP_WRITE.
enum ledger_place ledger_buffer_place(uint64_t usage);
// True when the call crosses a boundary: others only add to call_counts.
bool ledger_event_has_crossing(const struct ledger_event *event);

// NULL when out of memory.
struct ledger *ledger_create(const struct ledger_options *options);
void ledger_destroy(struct ledger *ledger); // NULL is allowed

// False: events are counted alone, and their labels are not looked at.
bool ledger_has_list(const struct ledger *ledger);
// All of these allow a NULL ledger and then do nothing (totals: zeros).
void ledger_record(struct ledger *ledger, const struct ledger_event *event);
// Calls that cross nothing, many at once: the dispatches of a command buffer, say.
void ledger_count_calls(struct ledger *ledger, enum ledger_call call, uint64_t count);
void ledger_begin_submit(struct ledger *ledger);
void ledger_next_frame(struct ledger *ledger);

void ledger_get_totals(const struct ledger *ledger, struct ledger_totals *out_totals);
// What crossed since the last ledger_begin_submit (its copies included).
void ledger_get_submit_totals(const struct ledger *ledger, struct ledger_totals *out_totals);
// Copies entries [first, first + capacity) of the list; returns how many were copied. The list
// keeps the first list_capacity events since the last reset; later ones are counted as dropped.
size_t ledger_get_entries(struct ledger *ledger, size_t first, struct ledger_entry *out_entries,
                          size_t capacity);
// Calls visit for each entry in order, with the list locked: visit must not call the ledger.
void ledger_visit_entries(struct ledger *ledger,
                          void (*visit)(void *user, const struct ledger_entry *entry), void *user);
size_t ledger_entry_count(struct ledger *ledger);
uint64_t ledger_dropped_count(struct ledger *ledger);
// Empties totals, counts and list. Entries' texts become invalid.
void ledger_reset(struct ledger *ledger);

const char *ledger_crossing_name(enum ledger_crossing crossing); // JSON name, static
const char *ledger_call_name(enum ledger_call call);             // static
const char *ledger_place_name(enum ledger_place place);          // "host", "staging", "device"

// Appends the whole ledger as one JSON object: totals, list (with "dropped").
void ledger_print_json(struct ledger *ledger, struct text_buffer *out_text);
