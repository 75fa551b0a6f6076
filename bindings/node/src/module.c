// SPDX-License-Identifier: MIT
//
// The addon's entry: what index.js and lib/interfaces.js get from it: {interfaces, limitNames,
// describeInterface(index), initialize(hooks, factories), createGPU(options), memory(),
// warnings(device)}.

#include "operation.h"

#include <alba/alba.h>
#include <string.h>

static bool get_number(napi_env env, napi_value object, const char *key, double *out) {
    napi_value value;
    return napi_get_named_property(env, object, key, &value) == napi_ok &&
        napi_get_value_double(env, value, out) == napi_ok;
}

static bool store_functions(
    napi_env env, napi_value object, size_t count, const char *const *names, napi_ref *out) {
    for (size_t i = 0; i < count; i++) {
        napi_value function;
        if (napi_get_named_property(env, object, names[i], &function) != napi_ok ||
            napi_create_reference(env, function, 1, &out[i]) != napi_ok) {
            return false;
        }
    }
    return true;
}

static const char *const hook_names[HOOK_COUNT] = {
#define HOOK(name) #name,
#include "hook.def"
};

// initialize(hooks, factories): functions by the names of hook.def, and by interface.
static napi_value initialize(napi_env env, napi_callback_info info) {
    struct node_env *node = node_env_get(env);
    size_t argc = 2;
    napi_value argv[2];
    const char *interface_names[INTERFACE_COUNT];
    for (size_t i = 0; i < INTERFACE_COUNT; i++) {
        interface_names[i] = interfaces[i]->name;
    }
    if (napi_get_cb_info(env, info, &argc, argv, NULL, NULL) != napi_ok || argc < 2 ||
        !store_functions(env, argv[0], HOOK_COUNT, hook_names, node->hooks) ||
        !store_functions(env, argv[1], INTERFACE_COUNT, interface_names, node->factories)) {
        napi_throw_error(env, NULL, "alba: lib/interfaces.js does not fit the addon");
    }
    return NULL;
}

static WGPUBackendType backend_type(uint64_t backends) {
    return backends == AlbaBackends_Null ? WGPUBackendType_Null : WGPUBackendType_Undefined;
}

// createGPU({backends, threads, watchdog, guardPages, ledger, mapping, warnings}): numbers, as alba.h
// has them; warnings: enum device_warnings.
static napi_value create_gpu(napi_env env, napi_callback_info info) {
    size_t argc = 1;
    napi_value argv[1];
    double backends;
    double threads;
    double watchdog;
    double guard_pages;
    double ledger;
    double mapping;
    double warnings;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, NULL) != napi_ok || argc < 1 ||
        !get_number(env, argv[0], "backends", &backends) ||
        !get_number(env, argv[0], "threads", &threads) ||
        !get_number(env, argv[0], "watchdog", &watchdog) ||
        !get_number(env, argv[0], "guardPages", &guard_pages) ||
        !get_number(env, argv[0], "ledger", &ledger) ||
        !get_number(env, argv[0], "mapping", &mapping) ||
        !get_number(env, argv[0], "warnings", &warnings)) {
        napi_throw_type_error(env, NULL, "alba: createGPU wants its seven numbers");
        return NULL;
    }
    struct device_options options = {
        .watchdog_milliseconds = watchdog < 0 ? ALBA_WATCHDOG_DEFAULT : (uint64_t)watchdog,
        .thread_count = (uint32_t)threads,
        .guard_pages = (uint32_t)guard_pages,
        .ledger_list_capacity = (size_t)ledger,
        .warnings = (uint32_t)warnings,
        .has_own_mappings = mapping != 0,
    };
    return gpu_create(
        node_env_get(env), &options, backend_type((uint64_t)backends), (uint64_t)backends);
}

// memory(): libalba's live bytes and blocks by use (alba.h, albaGetMemoryCounters).
static napi_value get_memory(napi_env env, napi_callback_info info) {
    enum { CAPACITY = 64 };
    AlbaMemoryCounter counters[CAPACITY];
    size_t count = albaGetMemoryCounters(CAPACITY, counters);
    napi_value result;
    (void)info;
    if (napi_create_object(env, &result) != napi_ok) {
        return NULL;
    }
    for (size_t i = 0; i < count && i < CAPACITY; i++) {
        napi_value row;
        napi_value key;
        napi_value bytes;
        napi_value blocks;
        if (napi_create_object(env, &row) != napi_ok ||
            napi_create_string_utf8(env, counters[i].name.data, counters[i].name.length, &key) !=
                napi_ok ||
            napi_create_double(env, (double)counters[i].liveBytes, &bytes) != napi_ok ||
            napi_create_double(env, (double)counters[i].liveBlocks, &blocks) != napi_ok ||
            napi_set_named_property(env, row, "bytes", bytes) != napi_ok ||
            napi_set_named_property(env, row, "blocks", blocks) != napi_ok ||
            napi_set_property(env, result, key, row) != napi_ok) {
            return NULL;
        }
    }
    return result;
}

// warnings(device): the device's warnings as a text of JSON (alba.h, albaDeviceGetWarningsJSON).
static napi_value get_warnings(napi_env env, napi_callback_info info) {
    size_t argc = 1;
    napi_value argv[1];
    napi_value result = NULL;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, NULL) != napi_ok) {
        return NULL;
    }
    struct object *object = argc < 1 ? NULL
                                     : object_find(node_env_get(env), argv[0], &interface_device);
    if (object == NULL) {
        napi_throw_type_error(env, NULL, "alba-webgpu: warnings takes a GPUDevice");
        return NULL;
    }
    AlbaText json = albaDeviceGetWarningsJSON(object->handle);
    if (json.data == NULL ||
        napi_create_string_utf8(env, json.data, json.length, &result) != napi_ok) {
        napi_throw_error(env, NULL, "alba-webgpu: out of memory");
    }
    albaTextFreeMembers(json);
    return result;
}

static bool export_function(
    napi_env env, napi_value exports, const char *name, napi_callback callback) {
    napi_value function;
    return napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function) ==
        napi_ok &&
        napi_set_named_property(env, exports, name, function) == napi_ok;
}

// The limits' names, in the order of createLimits's values.
static bool export_limit_names(napi_env env, napi_value exports) {
    napi_value names;
    if (napi_create_array(env, &names) != napi_ok) {
        return false;
    }
    for (uint32_t i = 0; i < LIMIT_COUNT; i++) {
        napi_value name;
        if (napi_create_string_utf8(env, limits_get_name(i), NAPI_AUTO_LENGTH, &name) != napi_ok ||
            napi_set_element(env, names, i, name) != napi_ok) {
            return false;
        }
    }
    return napi_set_named_property(env, exports, "limitNames", names) == napi_ok;
}

// The entry points by which Node.js loads the addon, once in each environment.
__attribute__((visibility("default"))) int32_t node_api_module_get_api_version_v1(void);
__attribute__((visibility("default"))) napi_value napi_register_module_v1(
    napi_env env, napi_value exports);

int32_t node_api_module_get_api_version_v1(void) {
    return NAPI_VERSION;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    struct node_env *node = node_env_create(env, operation_settle_posted);
    if (node == NULL) {
        return NULL;
    }
    napi_value list = object_list_interfaces(env);
    if (list == NULL || napi_set_named_property(env, exports, "interfaces", list) != napi_ok ||
        !export_limit_names(env, exports) ||
        !export_function(env, exports, "describeInterface", object_describe_interface) ||
        !export_function(env, exports, "initialize", initialize) ||
        !export_function(env, exports, "createGPU", create_gpu) ||
        !export_function(env, exports, "memory", get_memory) ||
        !export_function(env, exports, "warnings", get_warnings)) {
        return NULL;
    }
    return exports;
}
