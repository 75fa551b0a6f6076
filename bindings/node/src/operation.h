// SPDX-License-Identifier: MIT
//
// Asynchronous calls: an operation holds the promise that a method returned, goes to libalba as the
// callback's userdata, and comes back through the environment's thread-safe function, which settles
// the promise on the JavaScript thread, in the order in which the callbacks ran. Node-API is called
// on that thread alone.

#pragma once

#include "device.h"

struct operation;

// Settles on the environment's thread. `env` has a handle scope.
typedef void (*settle_function)(struct operation *operation, napi_env env);

struct operation {
    struct node_env *node;
    settle_function settle;
    napi_deferred deferred; // NULL: no promise, or settled already
    struct device *device;  // as its user, or holding the struct; or NULL
    bool only_holds_device;
    struct object *object; // kept alive by `keep`, or NULL
    napi_ref keep;
    bool is_pending; // counted as keeping the program running
    // What the callback was given.
    uint32_t status;
    uint32_t type;
    void *handle;
    void (*release)(void *handle); // for a handle that nobody took
    char *message;
    size_t message_length;
    // Copies of descriptors' texts that the result needs.
    char *label;
    size_t label_length;
    void *extra; // freed with free()
};

// A promise and the operation that settles it; NULL with an exception pending. `keep` is an object
// that must not be collected before (NULL: none).
struct operation *operation_create(
    struct call *call, settle_function settle, napi_value keep, napi_value *out_promise);
// Without a promise, from any thread: NULL if there is no memory.
struct operation *operation_create_event(struct device *device, settle_function settle);
// From the callback, on any thread: the operation comes back through `settle`, or is freed if the
// environment closes.
void operation_post(struct operation *operation, WGPUStringView message);
// Frees an operation that was never handed over.
void operation_destroy(struct operation *operation);

void operation_resolve(struct operation *operation, napi_value value);
// Rejects with what `error` is; NULL: the pending exception.
void operation_reject(struct operation *operation, napi_value error);
// With a DOMException of this name and the operation's message.
void operation_reject_dom(struct operation *operation, const char *name, const char *fallback);
napi_value operation_message(struct operation *operation, const char *fallback);

// The function that node_env_create wants.
void operation_settle_posted(napi_env env, napi_value function, void *context, void *item);
