// SPDX-License-Identifier: MIT
//
// Notices when work runs and nothing finishes. One thread that sleeps while there is no work and
// looks a few times a limit while there is. begin, end and set_label are called by the queue thread
// alone.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct cpu_watchdog;

struct cpu_watchdog_options {
    uint64_t limit_ns;                // > 0
    uint64_t (*progress)(void *user); // any number that changes when something has finished
    // Called from the watchdog's thread, with no lock held, when the number stayed the same for the
    // limit. Again after each further limit.
    void (*stuck)(void *user, const char *what, struct text label);
    void *user;
};

// NULL when memory or threads ran out.
struct cpu_watchdog *cpu_watchdog_create(const struct cpu_watchdog_options *options);
void cpu_watchdog_destroy(struct cpu_watchdog *watchdog); // NULL is allowed

// What runs next, for the report: a static string that says what should finish, and the label of
// whose it is, cut after 127 bytes.
void cpu_watchdog_set_label(struct cpu_watchdog *watchdog, const char *what, struct text label);
void cpu_watchdog_begin(struct cpu_watchdog *watchdog);
void cpu_watchdog_end(struct cpu_watchdog *watchdog);
