// SPDX-License-Identifier: MIT
//
// See json.h.
#include "shader/explain/json.h"

#include <inttypes.h>

static void begin_value(struct json *json, const char *key) {
    uint64_t bit = (uint64_t)1 << json->depth;
    if (json->has_item & bit) {
        text_buffer_append_char(json->out, ',');
    }
    json->has_item |= bit;
    if (key != NULL) {
        text_buffer_append_json(json->out, text_from_string(key));
        text_buffer_append_char(json->out, ':');
    }
}

static void open_level(struct json *json, const char *key, char bracket) {
    begin_value(json, key);
    text_buffer_append_char(json->out, bracket);
    json->depth++;
    json->has_item &= ~((uint64_t)1 << json->depth);
}

static void close_level(struct json *json, char bracket) {
    json->depth--;
    text_buffer_append_char(json->out, bracket);
}

void json_begin_object(struct json *json, const char *key) {
    open_level(json, key, '{');
}

void json_end_object(struct json *json) {
    close_level(json, '}');
}

void json_begin_array(struct json *json, const char *key) {
    open_level(json, key, '[');
}

void json_end_array(struct json *json) {
    close_level(json, ']');
}

void json_text(struct json *json, const char *key, struct text value) {
    begin_value(json, key);
    text_buffer_append_json(json->out, value);
}

void json_string(struct json *json, const char *key, const char *value) {
    json_text(json, key, text_from_string(value));
}

void json_number(struct json *json, const char *key, uint64_t value) {
    begin_value(json, key);
    text_buffer_print(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *key, bool value) {
    begin_value(json, key);
    text_buffer_append_string(json->out, value ? "true" : "false");
}

void json_null(struct json *json, const char *key) {
    begin_value(json, key);
    text_buffer_append_string(json->out, "null");
}
