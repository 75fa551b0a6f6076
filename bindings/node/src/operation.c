// SPDX-License-Identifier: MIT
//
// See operation.h.

#include "operation.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

struct operation *operation_create(
    struct call *call, settle_function settle, napi_value keep, napi_value *out_promise) {
    struct operation *operation = calloc(1, sizeof *operation);
    if (operation == NULL) {
        napi_throw_range_error(call->env, NULL, "alba: out of memory");
        return NULL;
    }
    operation->node = call->node;
    operation->settle = settle;
    node_env_ref(call->node);
    if (napi_create_promise(call->env, &operation->deferred, out_promise) != napi_ok ||
        (keep != NULL && napi_create_reference(call->env, keep, 1, &operation->keep) != napi_ok)) {
        operation_destroy(operation);
        napi_throw_range_error(call->env, NULL, "alba: out of memory");
        return NULL;
    }
    if (call->self->device != NULL) {
        operation->device = call->self->device;
        device_ref(operation->device);
    }
    operation->object = call->self;
    operation->is_pending = true;
    node_env_add_pending(call->node);
    return operation;
}

struct operation *operation_create_event(struct device *device, settle_function settle) {
    struct operation *operation = calloc(1, sizeof *operation);
    if (operation == NULL) {
        return NULL;
    }
    operation->node = device->node;
    operation->settle = settle;
    node_env_ref(device->node);
    operation->device = device;
    operation->only_holds_device = true;
    device_hold(device);
    return operation;
}

// Node-API is called only while the environment is there: `env` NULL otherwise.
static void operation_free(struct operation *operation, napi_env env) {
    struct node_env *node = operation->node;
    if (env != NULL) {
        if (operation->keep != NULL) {
            napi_delete_reference(env, operation->keep);
        }
        if (operation->is_pending) {
            node_env_remove_pending(node);
        }
    }
    if (operation->handle != NULL && operation->release != NULL) {
        operation->release(operation->handle);
    }
    if (operation->device != NULL && operation->only_holds_device) {
        device_let_go(operation->device);
    } else if (operation->device != NULL) {
        device_unref(operation->device);
    }
    free(operation->message);
    free(operation->label);
    free(operation->extra);
    free(operation);
    node_env_unref(node);
}

void operation_destroy(struct operation *operation) {
    operation_free(operation, operation->node->env);
}

void operation_post(struct operation *operation, WGPUStringView message) {
    size_t length = message.length;
    if (message.data == NULL) {
        length = 0;
    } else if (length == WGPU_STRLEN) {
        length = strlen(message.data);
    }
    if (length > 0) {
        operation->message = malloc(length);
        if (operation->message != NULL) {
            memcpy(operation->message, message.data, length);
            operation->message_length = message_translate(operation->message, length);
        }
    }
    if (!node_env_post(operation->node, operation)) {
        operation_free(operation, NULL);
    }
}

void operation_settle_posted(napi_env env, napi_value function, void *context, void *item) {
    struct operation *operation = item;
    (void)function;
    (void)context;
    if (env != NULL) {
        operation->settle(operation, env);
        bool is_pending = false;
        if (napi_is_exception_pending(env, &is_pending) == napi_ok && is_pending) {
            napi_value exception;
            napi_get_and_clear_last_exception(env, &exception);
        }
    }
    operation_free(operation, env);
}

void operation_resolve(struct operation *operation, napi_value value) {
    napi_env env = operation->node->env;
    if (operation->deferred == NULL) {
        return;
    }
    if (value == NULL) {
        operation_reject(operation, NULL);
        return;
    }
    napi_resolve_deferred(env, operation->deferred, value);
    operation->deferred = NULL;
}

void operation_reject(struct operation *operation, napi_value error) {
    napi_env env = operation->node->env;
    if (operation->deferred == NULL) {
        return;
    }
    if (error == NULL && napi_get_and_clear_last_exception(env, &error) != napi_ok) {
        return;
    }
    napi_reject_deferred(env, operation->deferred, error);
    operation->deferred = NULL;
}

napi_value operation_message(struct operation *operation, const char *fallback) {
    napi_value text = NULL;
    if (operation->message_length > 0) {
        napi_create_string_utf8(
            operation->node->env, operation->message, operation->message_length, &text);
    } else {
        napi_create_string_utf8(operation->node->env, fallback, NAPI_AUTO_LENGTH, &text);
    }
    return text;
}

void operation_reject_dom(struct operation *operation, const char *name, const char *fallback) {
    napi_value argv[2] = {operation_message(operation, fallback), NULL};
    if (operation->deferred == NULL || argv[0] == NULL ||
        napi_create_string_utf8(operation->node->env, name, NAPI_AUTO_LENGTH, &argv[1]) !=
            napi_ok) {
        return;
    }
    operation_reject(
        operation, node_env_call_hook(operation->node, HOOK_createDOMException, 2, argv));
}
