// SPDX-License-Identifier: MIT
//
// Writes JSON into a text buffer with the commas in place: a key is NULL inside an array. Nesting is
// at most 63 deep. One thread.
#pragma once

#include "base/text.h"

struct json {
    struct text_buffer *out;
    uint64_t has_item; // bit n: the value at depth n has an item already
    uint32_t depth;
};

void json_begin_object(struct json *json, const char *key);
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);
void json_text(struct json *json, const char *key, struct text value);
void json_string(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
