// SPDX-License-Identifier: MIT
//
// The functions of alba.h.
#include <alba/alba.h>
#include <string.h>

#include "base/memory.h"
#include "ledger/ledger.h"
#include "webgpu/api/api_priv.h"
#include "webgpu/event/warning.h"

_Static_assert((int)AlbaLogLevel_Off == (int)LOG_OFF && (int)AlbaLogLevel_Error == (int)LOG_ERROR &&
        (int)AlbaLogLevel_Warning == (int)LOG_WARNING && (int)AlbaLogLevel_Info == (int)LOG_INFO &&
        (int)AlbaLogLevel_Debug == (int)LOG_DEBUG,
    "the public levels are the log's own");

uint32_t albaGetVersion(void) {
    return ALBA_VERSION;
}

// ---------------------------------------------------------------- log

// The public callback behind the log's own. Guarded by its mutex: the pair must not be torn.
static struct {
    struct os_mutex mutex;
    AlbaLogCallback callback;
    void *userdata;
} log_receiver = {OS_MUTEX_INITIALIZER, NULL, NULL};

static void pass_on(enum log_level level, struct text message, void *user) {
    (void)user;
    os_mutex_lock(&log_receiver.mutex);
    AlbaLogCallback callback = log_receiver.callback;
    void *userdata = log_receiver.userdata;
    os_mutex_unlock(&log_receiver.mutex);
    if (callback != NULL) {
        callback((AlbaLogLevel)level, view_from_text(message), userdata);
    }
}

void albaSetLogCallback(AlbaLogCallback callback, void *userdata) {
    os_mutex_lock(&log_receiver.mutex);
    log_receiver.callback = callback;
    log_receiver.userdata = userdata;
    os_mutex_unlock(&log_receiver.mutex);
    log_set_callback(callback != NULL ? pass_on : NULL, NULL);
}

void albaSetLogLevel(AlbaLogLevel level) {
    if ((unsigned)level < LOG_LEVEL_COUNT) {
        log_set_level((enum log_level)level);
    }
}

AlbaLogLevel albaGetLogLevel(void) {
    return (AlbaLogLevel)log_get_level();
}

// ---------------------------------------------------------------- threads, memory

uint32_t albaDeviceGetThreadCount(WGPUDevice device) {
    return API_IS_NULL(device) ? 0 : device->backend->thread_count;
}

size_t albaGetMemoryCounters(size_t capacity, AlbaMemoryCounter *counters) {
    for (size_t i = 0; i < capacity && i < MEMORY_TAG_COUNT; i++) {
        enum memory_tag tag = (enum memory_tag)i;
        counters[i].name = event_message(memory_tag_name(tag));
        counters[i].liveBytes = memory_live_bytes(tag);
        counters[i].liveBlocks = memory_live_blocks(tag);
    }
    return MEMORY_TAG_COUNT;
}

// ---------------------------------------------------------------- ledger

static AlbaLedgerBytes get_bytes(const uint64_t bytes[LEDGER_CROSSING_COUNT]) {
    AlbaLedgerBytes out = {
        .hostToStaging = bytes[LEDGER_HOST_TO_STAGING],
        .stagingToDevice = bytes[LEDGER_STAGING_TO_DEVICE],
        .deviceToStaging = bytes[LEDGER_DEVICE_TO_STAGING],
        .stagingToHost = bytes[LEDGER_STAGING_TO_HOST],
    };
    return out;
}

static WGPUStatus write_totals(const char *function, WGPUDevice device,
    const struct ledger_totals *totals, AlbaLedgerTotals *out) {
    if (out->nextInChain != NULL) {
        log_message(LOG_ERROR, "%s: the chained struct of sType 0x%08x is not known", function,
            (unsigned)out->nextInChain->sType);
        return WGPUStatus_Error;
    }
    out->crossed = get_bytes(totals->crossed_bytes);
    out->elided = get_bytes(totals->elided_bytes);
    out->submitCount = totals->submit_count;
    out->frameCount = totals->frame_count;
    out->entryCount = ledger_entry_count(device->ledger);
    out->droppedEntryCount = ledger_dropped_count(device->ledger);
    return WGPUStatus_Success;
}

WGPUStatus albaDeviceGetLedgerTotals(WGPUDevice device, AlbaLedgerTotals *totals) {
    if (API_IS_NULL(device) || API_IS_NULL(totals)) {
        return WGPUStatus_Error;
    }
    struct ledger_totals all;
    ledger_get_totals(device->ledger, &all);
    return write_totals(__func__, device, &all, totals);
}

WGPUStatus albaDeviceGetLedgerSubmitTotals(WGPUDevice device, AlbaLedgerTotals *totals) {
    if (API_IS_NULL(device) || API_IS_NULL(totals)) {
        return WGPUStatus_Error;
    }
    struct ledger_totals last;
    ledger_get_submit_totals(device->ledger, &last);
    return write_totals(__func__, device, &last, totals);
}

static AlbaLedgerPlace get_place(enum ledger_place place) {
    switch (place) {
    case LEDGER_STAGING:
        return AlbaLedgerPlace_Staging;
    case LEDGER_DEVICE:
        return AlbaLedgerPlace_Device;
    case LEDGER_HOST:
    case LEDGER_PLACE_COUNT:
        break;
    }
    return AlbaLedgerPlace_Host;
}

size_t albaDeviceGetLedgerEntries(
    WGPUDevice device, size_t firstEntry, size_t capacity, AlbaLedgerEntry *entries) {
    if (API_IS_NULL(device) || (capacity != 0 && API_IS_NULL(entries))) {
        return 0;
    }
    size_t count = 0;
    struct ledger_entry entry;
    while (count < capacity &&
        ledger_get_entries(device->ledger, firstEntry + count, &entry, 1) == 1) {
        AlbaLedgerEntry *out = &entries[count++];
        out->submit = entry.submit;
        out->frame = entry.frame;
        out->call = event_message(ledger_call_name(entry.call));
        out->label = view_from_text(entry.label);
        out->otherLabel = view_from_text(entry.other_label);
        out->from = get_place(entry.from);
        out->to = get_place(entry.to);
        out->sizeBytes = entry.size_bytes;
        out->crossed = get_bytes(entry.crossed_bytes);
        out->elided = get_bytes(entry.elided_bytes);
    }
    return count;
}

void albaDeviceResetLedger(WGPUDevice device) {
    if (!API_IS_NULL(device)) {
        ledger_reset(device->ledger);
    }
}

void albaDeviceNextFrame(WGPUDevice device) {
    if (!API_IS_NULL(device)) {
        ledger_next_frame(device->ledger);
    }
}

// The buffer's text is given away.
static AlbaText give_text(struct text_buffer *buffer) {
    AlbaText out = {NULL, 0};
    if (buffer->has_failed) {
        text_buffer_finish(buffer);
        return out;
    }
    out.data = buffer->data;
    out.length = buffer->length;
    return out;
}

AlbaText albaDeviceGetLedgerJSON(WGPUDevice device) {
    struct text_buffer json = {0};
    if (!API_IS_NULL(device)) {
        ledger_print_json(device->ledger, &json);
    }
    return give_text(&json);
}

// ---------------------------------------------------------------- warnings

size_t albaDeviceGetWarnings(
    WGPUDevice device, size_t firstWarning, size_t capacity, AlbaWarning *warnings) {
    if (API_IS_NULL(device) || (capacity != 0 && API_IS_NULL(warnings)) || !warning_is_on(device)) {
        return 0;
    }
    return warning_get(device->warnings, firstWarning, capacity, warnings);
}

AlbaText albaDeviceGetWarningsJSON(WGPUDevice device) {
    struct text_buffer json = {0};
    if (!API_IS_NULL(device) && warning_is_on(device)) {
        warning_print_json(device->warnings, &json);
    } else {
        text_buffer_append_string(&json, "{\"warnings\":[],\"dropped\":0}");
    }
    return give_text(&json);
}

void albaTextFreeMembers(AlbaText text) {
    memory_free(text.data);
}
