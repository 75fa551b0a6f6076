// SPDX-License-Identifier: MIT
//
// The list of warnings and its JSON form.
#include "webgpu/event/warning.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/os_thread.h"

#define DEFAULT_CAPACITY 256u

struct warning_list {
    AlbaWarningCallback callback; // may be NULL
    void *userdata1;
    void *userdata2;
    size_t capacity;

    struct os_mutex mutex; // guards what follows
    struct arena arena;    // texts and entries, for the list's life
    AlbaWarning **items;   // in the arena
    size_t count;
    uint64_t dropped_count;
};

static const struct {
    const char *word;
    const char *numbers;
} rows[WARNING_COUNT] = {
#define WARNING(id, word, numbers, format) {word, numbers},
#include "webgpu/event/warning.def"
};

struct warning_list *warning_list_create(const AlbaWarningOptions *options) {
    struct warning_list *list = memory_allocate_zeroed(MEMORY_EVENT, 1, sizeof(*list));
    if (list == NULL) {
        return NULL;
    }
    list->callback = options->callback;
    list->userdata1 = options->userdata1;
    list->userdata2 = options->userdata2;
    list->capacity = options->listCapacity != 0 ? options->listCapacity : DEFAULT_CAPACITY;
    arena_init(&list->arena, MEMORY_EVENT);
    if (!os_mutex_init(&list->mutex)) {
        memory_free(list);
        return NULL;
    }
    return list;
}

void warning_list_destroy(struct warning_list *list) {
    if (list != NULL) {
        arena_finish(&list->arena);
        os_mutex_finish(&list->mutex);
        memory_free(list);
    }
}

// ---------------------------------------------------------------- reporting

static WGPUStringView view_of(struct text text) {
    return (WGPUStringView){text.data, text.length};
}

static struct text text_of(WGPUStringView view) {
    return (struct text){view.data, view.length};
}

// Splits the row's names. Returns how many.
static size_t fill_numbers(enum warning_id id, const uint64_t *numbers, AlbaWarning *out) {
    size_t count = 0;
    const char *at = rows[id].numbers;
    while (*at != 0 && count < WARNING_NUMBER_CAPACITY) {
        size_t length = strcspn(at, " ");
        out->numbers[count].name = (WGPUStringView){at, length};
        out->numbers[count].value = numbers[count];
        count++;
        at += length;
        at += *at == ' ';
    }
    return count;
}

static AlbaWarning *find(struct warning_list *list, const AlbaWarning *warning) {
    for (size_t i = 0; i < list->count; i++) {
        AlbaWarning *item = list->items[i];
        if (item->id.data == warning->id.data && item->call.data == warning->call.data &&
            text_equals(text_of(item->text), text_of(warning->text))) {
            return item;
        }
    }
    return NULL;
}

static bool copy_view(struct arena *arena, WGPUStringView *view) {
    view->data = text_copy(arena, text_of(*view));
    return view->data != NULL;
}

// Doubles the list where it is full. False: no memory.
static bool make_room(struct warning_list *list) {
    if ((list->count & (list->count - 1)) != 0) {
        return true; // it grows at powers of two
    }
    AlbaWarning **grown = ARENA_ARRAY(
        &list->arena, AlbaWarning *, list->count != 0 ? list->count * 2 : 1);
    if (grown == NULL) {
        return false;
    }
    if (list->count != 0) {
        memcpy(grown, list->items, list->count * sizeof(*grown));
    }
    list->items = grown;
    return true;
}

// With the mutex held: the new entry; NULL when it was there before, or could not be kept.
static const AlbaWarning *add(struct warning_list *list, const AlbaWarning *warning) {
    AlbaWarning *known = find(list, warning);
    if (known != NULL) {
        known->count++;
        return NULL;
    }
    AlbaWarning *item = NULL;
    if (list->count < list->capacity && make_room(list)) {
        item = ARENA_NEW(&list->arena, AlbaWarning);
    }
    if (item != NULL) {
        *item = *warning;
        if (copy_view(&list->arena, &item->label) && copy_view(&list->arena, &item->text)) {
            list->items[list->count++] = item;
            return item;
        }
    }
    list->dropped_count++;
    return NULL;
}

void warning_report(struct WGPUDeviceImpl *device, enum warning_id id, const char *call,
    struct gpu_object *object, const uint64_t *numbers, const char *format, ...) {
    struct warning_list *list = device->warnings;
    struct text_buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_buffer_print_list(&text, format, arguments);
    va_end(arguments);
    struct gpu_label label = gpu_object_get_label(object);
    AlbaWarning warning = {
        .id = {rows[id].word, strlen(rows[id].word)},
        .call = {call, strlen(call)},
        .label = {label.data, label.length},
        .text = view_of(text_buffer_get(&text)),
        .count = 1,
    };
    warning.numberCount = fill_numbers(id, numbers, &warning);
    os_mutex_lock(&list->mutex);
    const AlbaWarning *added = text.has_failed ? NULL : add(list, &warning);
    os_mutex_unlock(&list->mutex);
    // Without the lock: it does not change but for its count, of which the callback gets a copy.
    if (added != NULL && list->callback != NULL) {
        list->callback(&warning, list->userdata1, list->userdata2);
    } else if (added != NULL) {
        log_message(LOG_WARNING, "%s: %s", call, text.data);
    }
    text_buffer_finish(&text);
}

// ---------------------------------------------------------------- reading

size_t warning_get(struct warning_list *list, size_t first, size_t capacity, AlbaWarning *out) {
    size_t count = 0;
    os_mutex_lock(&list->mutex);
    while (count < capacity && first + count < list->count) {
        out[count] = *list->items[first + count];
        count++;
    }
    os_mutex_unlock(&list->mutex);
    return count;
}

uint64_t warning_get_dropped_count(struct warning_list *list) {
    os_mutex_lock(&list->mutex);
    uint64_t count = list->dropped_count;
    os_mutex_unlock(&list->mutex);
    return count;
}

static void print_warning(const AlbaWarning *warning, struct text_buffer *out) {
    text_buffer_append_string(out, "{\"id\":");
    text_buffer_append_json(out, text_of(warning->id));
    text_buffer_append_string(out, ",\"call\":");
    text_buffer_append_json(out, text_of(warning->call));
    text_buffer_append_string(out, ",\"label\":");
    text_buffer_append_json(out, text_of(warning->label));
    text_buffer_append_string(out, ",\"numbers\":{");
    for (size_t i = 0; i < warning->numberCount; i++) {
        text_buffer_append_string(out, i == 0 ? "" : ",");
        text_buffer_append_json(out, text_of(warning->numbers[i].name));
        text_buffer_print(out, ":%llu", (unsigned long long)warning->numbers[i].value);
    }
    text_buffer_append_string(out, "},\"text\":");
    text_buffer_append_json(out, text_of(warning->text));
    text_buffer_print(out, ",\"count\":%llu}", (unsigned long long)warning->count);
}

void warning_print_json(struct warning_list *list, struct text_buffer *out) {
    text_buffer_append_string(out, "{\"warnings\":[");
    os_mutex_lock(&list->mutex);
    for (size_t i = 0; i < list->count; i++) {
        text_buffer_append_string(out, i == 0 ? "" : ",");
        print_warning(list->items[i], out);
    }
    uint64_t dropped_count = list->dropped_count;
    os_mutex_unlock(&list->mutex);
    text_buffer_print(out, "],\"dropped\":%llu}", (unsigned long long)dropped_count);
}
