// SPDX-License-Identifier: MIT
//
// The ledger's accumulators and its bounded list.
#include "ledger/ledger.h"

#include <stdatomic.h>
#include <string.h>

#include <webgpu/webgpu.h>

#include "base/os_thread.h"
#include "base/vector.h"

// What a row of LEDGER_CALL says.
enum role { ROLE_HOST, ROLE_DEVICE, ROLE_SOURCE, ROLE_DESTINATION };
enum unified { UNIFIED_COPIES, UNIFIED_NOTHING };

struct call_row {
    const char *name;
    enum role from;
    enum role to;
    enum unified unified;
};

static const struct call_row call_rows[LEDGER_CALL_COUNT] = {
#define LEDGER_CALL(id, name, from, to, unified) {name, ROLE_##from, ROLE_##to, UNIFIED_##unified},
#include "ledger/crossing.def"
};

struct crossing_row {
    const char *name;
    enum ledger_place from;
    enum ledger_place to;
};

static const struct crossing_row crossing_rows[LEDGER_CROSSING_COUNT] = {
#define CROSSING(id, name, from, to) {name, LEDGER_##from, LEDGER_##to},
#include "ledger/crossing.def"
};

struct counters {
    _Atomic uint64_t crossed_bytes[LEDGER_CROSSING_COUNT];
    _Atomic uint64_t elided_bytes[LEDGER_CROSSING_COUNT];
    _Atomic uint64_t call_counts[LEDGER_CALL_COUNT];
};

struct ledger {
    bool has_unified_memory;
    size_t list_capacity;
    struct counters total;
    struct counters submit;
    _Atomic uint64_t submit_count;
    _Atomic uint64_t frame_count;

    struct os_mutex mutex; // guards what follows
    VECTOR(struct ledger_entry) list;
    struct arena labels;
    uint64_t dropped_count;
};

enum ledger_place ledger_buffer_place(uint64_t usage) {
    return (usage & (WGPUBufferUsage_MapRead | WGPUBufferUsage_MapWrite)) != 0 ? LEDGER_STAGING
                                                                               : LEDGER_DEVICE;
}

static enum ledger_place place_of(enum role role, const struct ledger_event *event) {
    switch (role) {
    case ROLE_HOST:
        return LEDGER_HOST;
    case ROLE_DEVICE:
        return LEDGER_DEVICE;
    case ROLE_SOURCE:
        return event->source;
    case ROLE_DESTINATION:
        return event->destination;
    }
    return LEDGER_DEVICE;
}

// Is the crossing on the way between the two places? They are numbered from the host outwards, and
// bytes pass every boundary between.
static bool is_crossed(const struct crossing_row *crossing, enum ledger_place from,
                       enum ledger_place to) {
    if (crossing->from < crossing->to) {
        return from <= crossing->from && crossing->to <= to;
    }
    return to <= crossing->to && crossing->from <= from;
}

bool ledger_event_has_crossing(const struct ledger_event *event) {
    const struct call_row *row = &call_rows[event->call];
    return place_of(row->from, event) != place_of(row->to, event) && event->size_bytes != 0;
}

struct ledger *ledger_create(const struct ledger_options *options) {
    struct ledger *ledger = memory_allocate_zeroed(MEMORY_LEDGER, 1, sizeof(*ledger));
    if (ledger == NULL) {
        return NULL;
    }
    if (!os_mutex_init(&ledger->mutex)) {
        memory_free(ledger);
        return NULL;
    }
    ledger->has_unified_memory = options->has_unified_memory;
    ledger->list_capacity = options->list_capacity;
    arena_init(&ledger->labels, MEMORY_LEDGER);
    return ledger;
}

void ledger_destroy(struct ledger *ledger) {
    if (ledger == NULL) {
        return;
    }
    vector_finish(&ledger->list);
    arena_finish(&ledger->labels);
    os_mutex_finish(&ledger->mutex);
    memory_free(ledger);
}

static void add(_Atomic uint64_t *counter, uint64_t amount) {
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

static uint64_t get(const _Atomic uint64_t *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

// false when the arena has no room.
static bool copy_label(struct ledger *ledger, struct text label, struct text *out_label) {
    *out_label = (struct text){"", 0};
    if (label.length == 0) {
        return true;
    }
    char *copy = text_copy(&ledger->labels, label);
    if (copy == NULL) {
        return false;
    }
    *out_label = (struct text){copy, label.length};
    return true;
}

static void append_entry(struct ledger *ledger, struct ledger_entry entry,
                         const struct ledger_event *event) {
    os_mutex_lock(&ledger->mutex);
    if (ledger->list.count >= ledger->list_capacity ||
        !copy_label(ledger, event->label, &entry.label) ||
        !copy_label(ledger, event->other_label, &entry.other_label) ||
        !vector_push(&ledger->list, MEMORY_LEDGER, entry)) {
        ledger->dropped_count++;
    }
    os_mutex_unlock(&ledger->mutex);
}

bool ledger_has_list(const struct ledger *ledger) {
    return ledger != NULL && ledger->list_capacity != 0;
}

void ledger_record(struct ledger *ledger, const struct ledger_event *event) {
    if (ledger == NULL) {
        return;
    }
    const struct call_row *row = &call_rows[event->call];
    struct ledger_entry entry = {
        .submit = get(&ledger->submit_count),
        .frame = get(&ledger->frame_count),
        .call = event->call,
        .from = place_of(row->from, event),
        .to = place_of(row->to, event),
        .size_bytes = event->size_bytes,
    };
    bool is_elided = ledger->has_unified_memory && row->unified == UNIFIED_NOTHING;
    bool has_crossing = false;
    add(&ledger->total.call_counts[event->call], 1);
    add(&ledger->submit.call_counts[event->call], 1);
    for (int i = 0; i < LEDGER_CROSSING_COUNT; i++) {
        if (!is_crossed(&crossing_rows[i], entry.from, entry.to)) {
            continue;
        }
        has_crossing = true;
        entry.crossed_bytes[i] = event->size_bytes;
        add(&ledger->total.crossed_bytes[i], event->size_bytes);
        add(&ledger->submit.crossed_bytes[i], event->size_bytes);
        if (is_elided) {
            entry.elided_bytes[i] = event->size_bytes;
            add(&ledger->total.elided_bytes[i], event->size_bytes);
            add(&ledger->submit.elided_bytes[i], event->size_bytes);
        }
    }
    if (has_crossing && event->size_bytes != 0 && ledger->list_capacity != 0) {
        append_entry(ledger, entry, event);
    }
}

void ledger_count_calls(struct ledger *ledger, enum ledger_call call, uint64_t count) {
    if (ledger != NULL) {
        add(&ledger->total.call_counts[call], count);
        add(&ledger->submit.call_counts[call], count);
    }
}

static void clear(struct counters *counters) {
    for (int i = 0; i < LEDGER_CROSSING_COUNT; i++) {
        atomic_store_explicit(&counters->crossed_bytes[i], 0, memory_order_relaxed);
        atomic_store_explicit(&counters->elided_bytes[i], 0, memory_order_relaxed);
    }
    for (int i = 0; i < LEDGER_CALL_COUNT; i++) {
        atomic_store_explicit(&counters->call_counts[i], 0, memory_order_relaxed);
    }
}

void ledger_begin_submit(struct ledger *ledger) {
    if (ledger != NULL) {
        add(&ledger->submit_count, 1);
        clear(&ledger->submit);
    }
}

void ledger_next_frame(struct ledger *ledger) {
    if (ledger != NULL) {
        add(&ledger->frame_count, 1);
    }
}

static void copy_totals(const struct ledger *ledger, const struct counters *counters,
                        struct ledger_totals *out_totals) {
    for (int i = 0; i < LEDGER_CROSSING_COUNT; i++) {
        out_totals->crossed_bytes[i] = get(&counters->crossed_bytes[i]);
        out_totals->elided_bytes[i] = get(&counters->elided_bytes[i]);
    }
    for (int i = 0; i < LEDGER_CALL_COUNT; i++) {
        out_totals->call_counts[i] = get(&counters->call_counts[i]);
    }
    out_totals->submit_count = get(&ledger->submit_count);
    out_totals->frame_count = get(&ledger->frame_count);
}

void ledger_get_totals(const struct ledger *ledger, struct ledger_totals *out_totals) {
    *out_totals = (struct ledger_totals){0};
    if (ledger != NULL) {
        copy_totals(ledger, &ledger->total, out_totals);
    }
}

void ledger_get_submit_totals(const struct ledger *ledger, struct ledger_totals *out_totals) {
    *out_totals = (struct ledger_totals){0};
    if (ledger != NULL) {
        copy_totals(ledger, &ledger->submit, out_totals);
    }
}

size_t ledger_get_entries(struct ledger *ledger, size_t first, struct ledger_entry *out_entries,
                          size_t capacity) {
    if (ledger == NULL || capacity == 0) {
        return 0;
    }
    os_mutex_lock(&ledger->mutex);
    size_t available = first < ledger->list.count ? ledger->list.count - first : 0;
    size_t count = available < capacity ? available : capacity;
    if (count != 0) {
        memcpy(out_entries, ledger->list.items + first, count * sizeof(*out_entries));
    }
    os_mutex_unlock(&ledger->mutex);
    return count;
}

void ledger_visit_entries(struct ledger *ledger,
                          void (*visit)(void *user, const struct ledger_entry *entry), void *user) {
    if (ledger == NULL) {
        return;
    }
    os_mutex_lock(&ledger->mutex);
    for (size_t i = 0; i < ledger->list.count; i++) {
        visit(user, &ledger->list.items[i]);
    }
    os_mutex_unlock(&ledger->mutex);
}

size_t ledger_entry_count(struct ledger *ledger) {
    if (ledger == NULL) {
        return 0;
    }
    os_mutex_lock(&ledger->mutex);
    size_t count = ledger->list.count;
    os_mutex_unlock(&ledger->mutex);
    return count;
}

uint64_t ledger_dropped_count(struct ledger *ledger) {
    if (ledger == NULL) {
        return 0;
    }
    os_mutex_lock(&ledger->mutex);
    uint64_t count = ledger->dropped_count;
    os_mutex_unlock(&ledger->mutex);
    return count;
}

void ledger_reset(struct ledger *ledger) {
    if (ledger == NULL) {
        return;
    }
    os_mutex_lock(&ledger->mutex);
    clear(&ledger->total);
    clear(&ledger->submit);
    atomic_store(&ledger->submit_count, 0);
    atomic_store(&ledger->frame_count, 0);
    vector_finish(&ledger->list);
    arena_finish(&ledger->labels);
    ledger->dropped_count = 0;
    os_mutex_unlock(&ledger->mutex);
}

const char *ledger_crossing_name(enum ledger_crossing crossing) {
    return crossing_rows[crossing].name;
}

const char *ledger_call_name(enum ledger_call call) {
    return call_rows[call].name;
}

const char *ledger_place_name(enum ledger_place place) {
    static const char *const names[LEDGER_PLACE_COUNT] = {"host", "staging", "device"};
    return names[place];
}
