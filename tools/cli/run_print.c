// SPDX-License-Identifier: MIT
//
// See run_print.h.
#include "run_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int cli_view_length(WGPUStringView view) {
    return (int)(view.data == NULL       ? 0
            : view.length == WGPU_STRLEN ? strlen(view.data)
                                         : view.length);
}

void cli_print_values(
    const struct cli_binding *binding, const struct cli_print *print, const void *bytes) {
    uint64_t count = binding->size_bytes / 4;
    uint64_t shown = count < print->limit ? count : print->limit;
    printf("%u.%u:", binding->group, binding->binding);
    for (uint64_t i = 0; i < shown; i++) {
        uint32_t bits = 0;
        memcpy(&bits, (const uint8_t *)bytes + i * 4, 4);
        if (print->element == CLI_ELEMENT_F32) {
            float number = 0;
            memcpy(&number, &bits, 4);
            printf(" %.9g", (double)number);
        } else if (print->element == CLI_ELEMENT_U32) {
            printf(" %" PRIu32, bits);
        } else {
            printf(" %" PRId32, (int32_t)bits);
        }
    }
    printf(shown < count ? " … (%" PRIu64 " more)\n" : "\n", count - shown);
}

void cli_print_ledger(WGPUDevice device) {
    AlbaLedgerEntry entries[256];
    size_t count = albaDeviceGetLedgerEntries(device, 0, 256, entries);
    static const char *const places[] = {"?", "host", "staging", "device"};
    printf("ledger\n");
    for (size_t i = 0; i < count; i++) {
        const AlbaLedgerEntry *entry = &entries[i];
        // As the totals count it: between host and device lies staging memory.
        bool is_whole_way = entry->from != AlbaLedgerPlace_Staging &&
            entry->to != AlbaLedgerPlace_Staging;
        printf("  submit %-3" PRIu64 " %12" PRIu64 " bytes  %s -> %s%s  %.*s  \"%.*s\"\n",
            entry->submit, entry->sizeBytes, places[entry->from], is_whole_way ? "staging -> " : "",
            places[entry->to], cli_view_length(entry->call), entry->call.data,
            cli_view_length(entry->label), entry->label.data);
    }
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    albaDeviceGetLedgerTotals(device, &totals);
    printf("  crossed: host -> staging %" PRIu64 ", staging -> device %" PRIu64
           ", device -> staging %" PRIu64 ", staging -> host %" PRIu64 " bytes\n",
        totals.crossed.hostToStaging, totals.crossed.stagingToDevice,
        totals.crossed.deviceToStaging, totals.crossed.stagingToHost);
    printf("  of which this adapter moved nothing: %" PRIu64 " bytes\n",
        totals.elided.hostToStaging + totals.elided.stagingToDevice +
            totals.elided.deviceToStaging + totals.elided.stagingToHost);
    if (totals.droppedEntryCount != 0) {
        printf("  and %" PRIu64 " entries more\n", totals.droppedEntryCount);
    }
}
