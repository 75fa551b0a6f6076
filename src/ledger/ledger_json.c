// SPDX-License-Identifier: MIT
//
// The ledger's JSON form: {"submits":, "frames":, "crossed":{}, "elided":{}, "calls":{},
// "entries":[], "dropped":}. Byte objects name all four crossings; calls name those that were made.
#include <inttypes.h>

#include "ledger/ledger.h"

static void print_bytes(struct text_buffer *text, const char *name, const uint64_t *bytes) {
    text_buffer_print(text, "\"%s\":{", name);
    for (int i = 0; i < LEDGER_CROSSING_COUNT; i++) {
        text_buffer_print(text, "%s\"%s\":%" PRIu64, i == 0 ? "" : ",",
                          ledger_crossing_name((enum ledger_crossing)i), bytes[i]);
    }
    text_buffer_append_char(text, '}');
}

struct printer {
    struct text_buffer *text;
    bool is_first;
};

static void print_entry(void *user, const struct ledger_entry *entry) {
    struct printer *printer = user;
    struct text_buffer *text = printer->text;
    text_buffer_append_string(text, printer->is_first ? "" : ",");
    printer->is_first = false;
    text_buffer_print(text, "{\"submit\":%" PRIu64 ",\"frame\":%" PRIu64 ",\"call\":\"%s\"",
                      entry->submit, entry->frame, ledger_call_name(entry->call));
    text_buffer_append_string(text, ",\"label\":");
    text_buffer_append_json(text, entry->label);
    if (entry->other_label.length != 0) {
        text_buffer_append_string(text, ",\"otherLabel\":");
        text_buffer_append_json(text, entry->other_label);
    }
    text_buffer_print(text, ",\"from\":\"%s\",\"to\":\"%s\",\"size\":%" PRIu64 ",",
                      ledger_place_name(entry->from), ledger_place_name(entry->to),
                      entry->size_bytes);
    print_bytes(text, "crossed", entry->crossed_bytes);
    text_buffer_append_char(text, ',');
    print_bytes(text, "elided", entry->elided_bytes);
    text_buffer_append_char(text, '}');
}

void ledger_print_json(struct ledger *ledger, struct text_buffer *out_text) {
    struct ledger_totals totals;
    ledger_get_totals(ledger, &totals);
    text_buffer_print(out_text, "{\"submits\":%" PRIu64 ",\"frames\":%" PRIu64 ",",
                      totals.submit_count, totals.frame_count);
    print_bytes(out_text, "crossed", totals.crossed_bytes);
    text_buffer_append_char(out_text, ',');
    print_bytes(out_text, "elided", totals.elided_bytes);
    text_buffer_append_string(out_text, ",\"calls\":{");
    bool is_first = true;
    for (int i = 0; i < LEDGER_CALL_COUNT; i++) {
        if (totals.call_counts[i] != 0) {
            text_buffer_print(out_text, "%s\"%s\":%" PRIu64, is_first ? "" : ",",
                              ledger_call_name((enum ledger_call)i), totals.call_counts[i]);
            is_first = false;
        }
    }
    text_buffer_append_string(out_text, "},\"entries\":[");
    struct printer printer = {out_text, true};
    ledger_visit_entries(ledger, print_entry, &printer);
    text_buffer_print(out_text, "],\"dropped\":%" PRIu64 "}", ledger_dropped_count(ledger));
}
