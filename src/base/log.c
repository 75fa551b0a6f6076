// SPDX-License-Identifier: MIT
//
// The log's state and its default output.
#include "base/log.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/os_environment.h"
#include "base/os_thread.h"

static const char *const level_words[LOG_LEVEL_COUNT] = {"off", "error", "warning", "info",
                                                         "debug"};

#define LEVEL_UNREAD (-1)
static atomic_int current_level = LEVEL_UNREAD;

static struct os_mutex callback_mutex = OS_MUTEX_INITIALIZER; // guards the two below
static log_callback callback_function;
static void *callback_user;

static void print_to_standard_error(enum log_level level, struct text message) {
    fprintf(stderr, "alba %s: %.*s\n", level_words[level], TEXT_ARGS(message));
}

static int level_from_environment(void) {
    struct text word = text_from_string(os_environment_find("ALBA_LOG"));
    for (int level = 0; level < LOG_LEVEL_COUNT; level++) {
        if (text_equals_string(word, level_words[level])) {
            return level;
        }
    }
    if (word.length != 0) {
        char text[200];
        int length = snprintf(text, sizeof(text),
                              "ALBA_LOG is \"%.*s\"; expected off, error, warning, info or debug",
                              word.length > 100 ? 100 : (int)word.length, word.data);
        print_to_standard_error(LOG_WARNING, (struct text){text, length < 0 ? 0 : (size_t)length});
    }
    return LOG_WARNING;
}

void log_set_callback(log_callback callback, void *user) {
    os_mutex_lock(&callback_mutex);
    callback_function = callback;
    callback_user = user;
    os_mutex_unlock(&callback_mutex);
}

void log_set_level(enum log_level level) {
    atomic_store(&current_level, (int)level);
}

enum log_level log_get_level(void) {
    int level = atomic_load_explicit(&current_level, memory_order_relaxed);
    if (level == LEVEL_UNREAD) {
        level = level_from_environment();
        int expected = LEVEL_UNREAD;
        if (!atomic_compare_exchange_strong(&current_level, &expected, level)) {
            level = expected;
        }
    }
    return (enum log_level)level;
}

void log_message(enum log_level level, const char *format, ...) {
    if (level == LOG_OFF || level > log_get_level()) {
        return;
    }
    char text[2048];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (length < 0) {
        return;
    }
    struct text message = {text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1};

    os_mutex_lock(&callback_mutex);
    log_callback callback = callback_function;
    void *user = callback_user;
    os_mutex_unlock(&callback_mutex);
    if (callback != NULL) {
        callback(level, message, user);
    } else {
        print_to_standard_error(level, message);
    }
}
