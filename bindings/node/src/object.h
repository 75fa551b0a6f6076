// SPDX-License-Identifier: MIT
//
// Interfaces and their objects: a JavaScript object of a WebGPU interface wraps a struct object,
// which owns a handle of libalba's. Tables of methods and attributes say what an interface has
// (interface.c); one function enters each call, checks the receiver and the count of arguments, and
// hands a struct call to the row's own function. For the environment's thread.

#pragma once

#include "environment.h"

#include <webgpu/webgpu.h>

enum interface_id {
#define INTERFACE(id, name, size, release, set_label) INTERFACE_##id,
#define METHOD(id, name, function, required)
#define PROMISE(id, name, function, required)
#define READONLY(id, name, getter)
#define LABEL(id)
#define END_INTERFACE
#include "interface.def"
    INTERFACE_COUNT
};

struct call;

// What a row's function returns: NULL is undefined, or an exception if one is pending.
typedef napi_value (*call_function)(struct call *call);

struct method {
    const struct interface *interface;
    const char *name;
    call_function function;
    uint32_t required_count;
    // Exceptions become a rejected promise.
    bool is_promise;
};

struct attribute {
    struct method getter;
    struct method setter; // function NULL: readonly
};

struct interface {
    const char *name;
    enum interface_id id;
    size_t size_bytes; // of its struct, which begins with a struct object
    void (*release)(void *handle);
    void (*set_label)(void *handle, WGPUStringView label);
    const struct method *methods;
    size_t method_count;
    const struct attribute *attributes;
    size_t attribute_count;
};

#define INTERFACE(id, name, size, release, set_label) extern const struct interface interface_##id;
#define METHOD(id, name, function, required)
#define PROMISE(id, name, function, required)
#define READONLY(id, name, getter)
#define LABEL(id)
#define END_INTERFACE
#include "interface.def"

extern const struct interface *const interfaces[INTERFACE_COUNT];

struct object {
    const struct interface *interface;
    struct node_env *node;
    // The device that it belongs to, with a reference; NULL for GPU and adapters.
    struct device *device;
    void *handle;
    // UTF-8; NULL is the empty text.
    char *label;
    size_t label_length;
    // What V8 is told that the object holds outside its heap.
    int64_t external_bytes;
    // Called before the handle is released; NULL: nothing to do.
    void (*finish)(struct object *object);
};

enum { CALL_ARGUMENT_CAPACITY = 6 };

// Where in an argument a value was found, for messages: a member, or an element if name is NULL.
struct path {
    const struct path *parent;
    const char *name;
    uint32_t index;
};

struct call {
    struct node_env *node;
    napi_env env;
    const struct method *method;
    struct object *self;
    napi_value self_value;
    size_t argc; // as given; argv beyond it is undefined
    napi_value argv[CALL_ARGUMENT_CAPACITY];
    const struct path *path;
};

// The object behind a value, if it has this interface; else NULL, with no exception.
struct object *object_find(
    struct node_env *node, napi_value value, const struct interface *interface);
// A new JavaScript object that owns `handle`, and its struct in *out_object; the handle is released
// if that fails, and NULL returned with an exception pending. `device` may be NULL.
napi_value object_create(struct node_env *node, const struct interface *interface,
    struct device *device, void *handle, WGPUStringView label, struct object **out_object);
// The call's result: a new object of the receiver's device.
napi_value object_return(
    struct call *call, const struct interface *interface, void *handle, WGPUStringView label);
void object_set_external_bytes(struct object *object, int64_t external_bytes);

napi_value object_get_label(struct call *call);
napi_value object_set_label(struct call *call);

// The names of the interfaces that lib/interfaces.js makes classes of, and one of them by its number
// (the first argument), with native functions. NULL with an exception pending.
napi_value object_list_interfaces(napi_env env);
napi_value object_describe_interface(napi_env env, napi_callback_info info);
