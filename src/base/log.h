// SPDX-License-Identifier: MIT
//
// The log: the one way in which the library says something beside its API. Process-wide, safe from
// any thread; no lock is held while the callback runs.
#pragma once

#include <stdbool.h>

#include "base/text.h"

enum log_level { LOG_OFF, LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG, LOG_LEVEL_COUNT };

typedef void (*log_callback)(enum log_level level, struct text message, void *user);

// NULL: standard error, the default.
void log_set_callback(log_callback callback, void *user);
// Until the first call ALBA_LOG decides, else LOG_WARNING.
void log_set_level(enum log_level level);
enum log_level log_get_level(void);

// Formats and passes a message on, if its level is asked for. Messages are cut after 2,000 bytes.
void log_message(enum log_level level, const char *format, ...) TEXT_PRINTF(2, 3);
