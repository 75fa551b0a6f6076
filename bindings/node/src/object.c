// SPDX-License-Identifier: MIT
//
// See object.h.

#include "object.h"

#include "convert.h"
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object *object_find(
    struct node_env *node, napi_value value, const struct interface *interface) {
    void *pointer = NULL;
    if (napi_unwrap(node->env, value, &pointer) != napi_ok || !live_contains(node, pointer)) {
        return NULL;
    }
    struct object *object = pointer;
    return object->interface == interface ? object : NULL;
}

static void object_free(struct object *object) {
    struct node_env *node = object->node;
    if (object->finish != NULL) {
        object->finish(object);
    }
    if (object->handle != NULL) {
        object->interface->release(object->handle);
    }
    if (object->device != NULL) {
        device_unref(object->device);
    }
    free(object->label);
    free(object);
    node_env_unref(node);
}

// On the environment's thread, after a collection or when the environment ends.
static void finalize_object(napi_env env, void *data, void *hint) {
    struct object *object = data;
    (void)hint;
    if (object->external_bytes != 0) {
        int64_t ignored;
        napi_adjust_external_memory(env, -object->external_bytes, &ignored);
    }
    live_remove(object->node, object);
    object_free(object);
}

static bool set_label(struct object *object, WGPUStringView label) {
    char *copy = NULL;
    if (label.data == NULL || label.length == 0) {
        label.length = 0;
    } else {
        copy = malloc(label.length);
        if (copy == NULL) {
            return false;
        }
        memcpy(copy, label.data, label.length);
    }
    free(object->label);
    object->label = copy;
    object->label_length = label.length;
    return true;
}

static struct object *object_allocate(struct node_env *node, const struct interface *interface,
    struct device *device, void *handle, WGPUStringView label) {
    struct object *object = calloc(1, interface->size_bytes);
    if (object == NULL) {
        if (handle != NULL) {
            interface->release(handle);
        }
        return NULL;
    }
    object->interface = interface;
    object->node = node;
    node_env_ref(node);
    object->handle = handle;
    object->device = device;
    if (device != NULL) {
        device_ref(device);
    }
    if (!set_label(object, label) || !live_insert(node, object)) {
        object_free(object);
        return NULL;
    }
    return object;
}

napi_value object_create(struct node_env *node, const struct interface *interface,
    struct device *device, void *handle, WGPUStringView label, struct object **out_object) {
    napi_env env = node->env;
    struct object *object = object_allocate(node, interface, device, handle, label);
    napi_value factory;
    napi_value undefined;
    napi_value value = NULL;
    if (object == NULL) {
        napi_throw_range_error(env, NULL, "alba: out of memory");
        return NULL;
    }
    if (napi_get_reference_value(env, node->factories[interface->id], &factory) != napi_ok ||
        napi_get_undefined(env, &undefined) != napi_ok ||
        napi_call_function(env, undefined, factory, 0, NULL, &value) != napi_ok ||
        napi_wrap(env, value, object, finalize_object, NULL, NULL) != napi_ok) {
        live_remove(node, object);
        object_free(object);
        return NULL;
    }
    if (out_object != NULL) {
        *out_object = object;
    }
    return value;
}

napi_value object_return(
    struct call *call, const struct interface *interface, void *handle, WGPUStringView label) {
    if (handle == NULL) {
        fail_memory(call);
        return NULL;
    }
    return object_create(call->node, interface, call->self->device, handle, label, NULL);
}

void object_set_external_bytes(struct object *object, int64_t external_bytes) {
    int64_t ignored;
    napi_adjust_external_memory(
        object->node->env, external_bytes - object->external_bytes, &ignored);
    object->external_bytes = external_bytes;
}

napi_value object_get_label(struct call *call) {
    napi_value text = NULL;
    napi_create_string_utf8(call->env, call->self->label == NULL ? "" : call->self->label,
        call->self->label_length, &text);
    return text;
}

napi_value object_set_label(struct call *call) {
    WGPUStringView label;
    if (!argument_string(call, 0, "value", &label)) {
        return NULL;
    }
    if (!set_label(call->self, label)) {
        fail_memory(call);
        return NULL;
    }
    struct object *object = call->self;
    if (object->interface->set_label != NULL && object->handle != NULL) {
        object->interface->set_label(object->handle, label);
    }
    return NULL;
}

//
// Calls
//

static napi_value reject_exception(napi_env env) {
    napi_value exception;
    napi_deferred deferred;
    napi_value promise = NULL;
    if (napi_get_and_clear_last_exception(env, &exception) == napi_ok &&
        napi_create_promise(env, &deferred, &promise) == napi_ok) {
        napi_reject_deferred(env, deferred, exception);
    }
    return promise;
}

static bool check_call(struct call *call) {
    const struct method *method = call->method;
    call->self = object_find(call->node, call->self_value, method->interface);
    if (call->self == NULL) {
        char text[96];
        snprintf(
            text, sizeof text, "Illegal invocation: this is not a %s", method->interface->name);
        return fail_type(call, text);
    }
    if (call->argc < method->required_count) {
        char text[96];
        snprintf(text, sizeof text, "%u argument(s) required, but only %zu present",
            (unsigned)method->required_count, call->argc);
        return fail_type(call, text);
    }
    return true;
}

// Every method and attribute of every interface comes in here; the data is its row.
static napi_value enter_call(napi_env env, napi_callback_info info) {
    struct call call;
    void *data;
    call.argc = CALL_ARGUMENT_CAPACITY;
    if (napi_get_cb_info(env, info, &call.argc, call.argv, &call.self_value, &data) != napi_ok) {
        return NULL;
    }
    call.node = node_env_get(env);
    call.env = env;
    call.method = data;
    call.path = NULL;
    napi_value result = NULL;
    struct scratch_mark mark = scratch_begin(call.node);
    if (check_call(&call)) {
        result = call.method->function(&call);
    }
    scratch_end(call.node, mark);
    if (result == NULL && call.method->is_promise) {
        return reject_exception(env);
    }
    return result;
}

//
// Description for lib/interfaces.js
//

static bool set_function(
    napi_env env, napi_value object, const char *key, const struct method *method) {
    napi_value function;
    return napi_create_function(env, method->name, NAPI_AUTO_LENGTH, enter_call, (void *)method,
               &function) == napi_ok &&
        napi_set_named_property(env, object, key, function) == napi_ok;
}

static bool set_text(napi_env env, napi_value object, const char *key, const char *text) {
    napi_value value;
    return napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value) == napi_ok &&
        napi_set_named_property(env, object, key, value) == napi_ok;
}

static bool set_number(napi_env env, napi_value object, const char *key, uint32_t number) {
    napi_value value;
    return napi_create_uint32(env, number, &value) == napi_ok &&
        napi_set_named_property(env, object, key, value) == napi_ok;
}

static bool describe_method(
    napi_env env, napi_value list, size_t index, const struct method *method) {
    napi_value row;
    return napi_create_object(env, &row) == napi_ok && set_text(env, row, "name", method->name) &&
        set_number(env, row, "length", method->required_count) &&
        set_function(env, row, "function", method) &&
        napi_set_element(env, list, (uint32_t)index, row) == napi_ok;
}

static bool describe_attribute(
    napi_env env, napi_value list, size_t index, const struct attribute *attribute) {
    napi_value row;
    return napi_create_object(env, &row) == napi_ok &&
        set_text(env, row, "name", attribute->getter.name) &&
        set_function(env, row, "get", &attribute->getter) &&
        (attribute->setter.function == NULL || set_function(env, row, "set", &attribute->setter)) &&
        napi_set_element(env, list, (uint32_t)index, row) == napi_ok;
}

static napi_value describe_interface(napi_env env, const struct interface *interface) {
    napi_value row;
    napi_value methods;
    napi_value attributes;
    if (napi_create_object(env, &row) != napi_ok || napi_create_array(env, &methods) != napi_ok ||
        napi_create_array(env, &attributes) != napi_ok ||
        !set_text(env, row, "name", interface->name) ||
        napi_set_named_property(env, row, "methods", methods) != napi_ok ||
        napi_set_named_property(env, row, "attributes", attributes) != napi_ok) {
        return NULL;
    }
    for (size_t i = 0; i < interface->method_count; i++) {
        if (!describe_method(env, methods, i, &interface->methods[i])) {
            return NULL;
        }
    }
    for (size_t i = 0; i < interface->attribute_count; i++) {
        if (!describe_attribute(env, attributes, i, &interface->attributes[i])) {
            return NULL;
        }
    }
    return row;
}

napi_value object_describe_interface(napi_env env, napi_callback_info info) {
    size_t argc = 1;
    napi_value argv[1];
    uint32_t index = 0;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, NULL) != napi_ok || argc < 1 ||
        napi_get_value_uint32(env, argv[0], &index) != napi_ok || index >= INTERFACE_COUNT) {
        napi_throw_type_error(env, NULL, "alba: describeInterface wants an interface's number");
        return NULL;
    }
    return describe_interface(env, interfaces[index]);
}

napi_value object_list_interfaces(napi_env env) {
    napi_value list;
    if (napi_create_array_with_length(env, INTERFACE_COUNT, &list) != napi_ok) {
        return NULL;
    }
    for (uint32_t i = 0; i < INTERFACE_COUNT; i++) {
        napi_value name;
        if (napi_create_string_utf8(env, interfaces[i]->name, NAPI_AUTO_LENGTH, &name) != napi_ok ||
            napi_set_element(env, list, i, name) != napi_ok) {
            return NULL;
        }
    }
    return list;
}
