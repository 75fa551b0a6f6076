// SPDX-License-Identifier: MIT
//
// The log: levels, callback, long messages.

#include "base/log.h"
#include "check.h"

static int call_count;
static enum log_level last_level;
static char last_message[4096];

static void keep(enum log_level level, struct text message, void *user) {
    call_count++;
    last_level = level;
    snprintf(last_message, sizeof(last_message), "%.*s", TEXT_ARGS(message));
    *(int *)user += 1;
}

TEST(the_environment_sets_the_first_level) {
    CHECK_EQ(log_get_level(), LOG_ERROR);
}

TEST(levels_filter) {
    int user = 0;
    log_set_callback(keep, &user);
    log_set_level(LOG_WARNING);
    log_message(LOG_INFO, "not %d", 1);
    CHECK_EQ(call_count, 0);
    log_message(LOG_WARNING, "yes %d", 2);
    CHECK_EQ(call_count, 1);
    CHECK_EQ(last_level, LOG_WARNING);
    CHECK_STR(last_message, "yes 2");
    CHECK_EQ(user, 1);
    log_set_level(LOG_OFF);
    log_message(LOG_ERROR, "never");
    CHECK_EQ(call_count, 1);
    log_set_level(LOG_DEBUG);
    log_message(LOG_DEBUG, "%*d", 3000, 1); // longer than a message can be
    CHECK_EQ(call_count, 2);
    CHECK_EQ(strlen(last_message), 2047);
    log_set_callback(NULL, NULL);
    CHECK_EQ(log_get_level(), LOG_DEBUG);
}

int main(int argc, char **argv) {
    setenv("ALBA_LOG", "error", 1);
    static const check_test tests[] = {the_environment_sets_the_first_level, levels_filter};
    return check_run(tests, 2, "the_environment_sets_the_first_level, levels_filter", argc, argv);
}
