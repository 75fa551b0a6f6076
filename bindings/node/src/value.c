// SPDX-License-Identifier: MIT
//
// Values that GPU, adapters and devices have in common, and attributes that are the same object each
// time; see device.h.

#include "device.h"
#include "enum.h"

napi_value create_words(struct node_env *node, enum hook hook, size_t count, const uint32_t *values,
    const struct enum_table *words) {
    napi_value array;
    napi_env env = node->env;
    if (napi_create_array(env, &array) != napi_ok) {
        return NULL;
    }
    uint32_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const char *word = enum_find_word(words, values[i]);
        napi_value text;
        if (word != NULL &&
            (napi_create_string_utf8(env, word, NAPI_AUTO_LENGTH, &text) != napi_ok ||
                napi_set_element(env, array, length++, text) != napi_ok)) {
            return NULL;
        }
    }
    return node_env_call_hook(node, hook, 1, &array);
}

napi_value create_features(struct node_env *node, const WGPUSupportedFeatures *features) {
    return create_words(node, HOOK_createFeatures, features->featureCount,
        (const uint32_t *)features->features, &enum_feature_name);
}

napi_value create_limits(struct node_env *node, const struct limit_structs *limits) {
    napi_value array;
    if (napi_create_array_with_length(node->env, LIMIT_COUNT, &array) != napi_ok) {
        return NULL;
    }
    for (uint32_t i = 0; i < LIMIT_COUNT; i++) {
        napi_value number;
        if (napi_create_double(node->env, (double)limits_get(limits, i), &number) != napi_ok ||
            napi_set_element(node->env, array, i, number) != napi_ok) {
            return NULL;
        }
    }
    return node_env_call_hook(node, HOOK_createLimits, 1, &array);
}

static bool create_text(napi_env env, WGPUStringView text, napi_value *out) {
    return napi_create_string_utf8(env, text.data == NULL ? "" : text.data,
               text.data == NULL ? 0 : text.length, out) == napi_ok;
}

napi_value create_info(struct node_env *node, const WGPUAdapterInfo *info, bool is_fallback) {
    napi_value argv[7];
    napi_env env = node->env;
    if (!create_text(env, info->vendor, &argv[0]) ||
        !create_text(env, info->architecture, &argv[1]) ||
        !create_text(env, info->device, &argv[2]) ||
        !create_text(env, info->description, &argv[3]) ||
        napi_create_uint32(env, info->subgroupMinSize, &argv[4]) != napi_ok ||
        napi_create_uint32(env, info->subgroupMaxSize, &argv[5]) != napi_ok ||
        napi_get_boolean(env, is_fallback, &argv[6]) != napi_ok) {
        return NULL;
    }
    return node_env_call_hook(node, HOOK_createAdapterInfo, 7, argv);
}

napi_value same_object(
    struct call *call, napi_ref *reference, napi_value (*create)(struct call *call)) {
    napi_value value = NULL;
    if (*reference != NULL) {
        napi_get_reference_value(call->env, *reference, &value);
        return value;
    }
    value = create(call);
    if (value != NULL) {
        napi_create_reference(call->env, value, 1, reference);
    }
    return value;
}

void drop_reference(struct node_env *node, napi_ref *reference) {
    if (*reference != NULL && !node->is_closed) {
        napi_delete_reference(node->env, *reference);
    }
    *reference = NULL;
}
