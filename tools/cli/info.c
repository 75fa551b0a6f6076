// SPDX-License-Identifier: MIT
//
// `alba info`: every adapter that the environment admits, with its limits and features; where compiled
// shaders are kept, and how many.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <alba/alba.h>
#include <webgpu/webgpu.h>

#include "cli.h"
#include "facts/feature.h"
#include "facts/limits.h"
#include "shader/kernel/kernel_store.h"

struct request {
    WGPUAdapter adapter;
    bool is_done;
};

static void receive_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)message, (void)userdata2;
    struct request *request = userdata1;
    request->adapter = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    request->is_done = true;
}

static WGPUAdapter find_adapter(AlbaBackends backends, WGPUInstance *out_instance) {
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = backends;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    *out_instance = wgpuCreateInstance(&descriptor);
    if (*out_instance == NULL) {
        return NULL;
    }
    struct request request = {0};
    WGPURequestAdapterCallbackInfo callback = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_adapter;
    callback.userdata1 = &request;
    WGPUFutureWaitInfo wait = {.future = wgpuInstanceRequestAdapter(*out_instance, NULL, callback)};
    wgpuInstanceWaitAny(*out_instance, 1, &wait, 0);
    return request.is_done ? request.adapter : NULL;
}

static struct text from_view(WGPUStringView view) {
    if (view.data == NULL) {
        return text_from_string(NULL);
    }
    return (struct text){view.data, view.length == WGPU_STRLEN ? strlen(view.data) : view.length};
}

struct limit_printer {
    struct text_buffer *out;
    bool is_json;
    bool is_first;
};

static void print_limit(struct limit_printer *printer, const char *name, uint64_t value) {
    if (printer->is_json) {
        text_buffer_print(
            printer->out, "%s\"%s\":%" PRIu64, printer->is_first ? "" : ",", name, value);
    } else {
        text_buffer_print(printer->out, "    %-44s %" PRIu64 "\n", name, value);
    }
    printer->is_first = false;
}

static void print_limits(struct limit_printer *printer, WGPUAdapter adapter) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    WGPUCompatibilityModeLimits compatibility = WGPU_COMPATIBILITY_MODE_LIMITS_INIT;
    limits.nextInChain = &compatibility.chain;
    wgpuAdapterGetLimits(adapter, &limits);
    struct limit_set set = limit_set_read(&limits, &compatibility);
    for (uint32_t i = 0; i < LIMIT_COUNT; i++) {
        print_limit(printer, limit_get_info((enum limit_name)i)->name, set.values[i]);
    }
}

static void print_features(struct text_buffer *out, WGPUAdapter adapter, bool is_json) {
    WGPUSupportedFeatures features = {0};
    wgpuAdapterGetFeatures(adapter, &features);
    for (size_t i = 0; i < features.featureCount; i++) {
        const char *name = feature_get_info((uint32_t)features.features[i])->word;
        if (is_json) {
            text_buffer_print(out, "%s\"%s\"", i == 0 ? "" : ",", name);
        } else {
            text_buffer_print(out, "    %s\n", name);
        }
    }
    wgpuSupportedFeaturesFreeMembers(features);
}

static void print_adapter(
    struct text_buffer *out, WGPUAdapter adapter, const char *backend, bool is_json) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    wgpuAdapterGetInfo(adapter, &info);
    struct limit_printer printer = {.out = out, .is_json = is_json, .is_first = true};
    if (is_json) {
        text_buffer_print(out, "{\"backend\":\"%s\",\"vendor\":", backend);
        text_buffer_append_json(out, from_view(info.vendor));
        text_buffer_append_string(out, ",\"architecture\":");
        text_buffer_append_json(out, from_view(info.architecture));
        text_buffer_append_string(out, ",\"device\":");
        text_buffer_append_json(out, from_view(info.device));
        text_buffer_append_string(out, ",\"description\":");
        text_buffer_append_json(out, from_view(info.description));
        text_buffer_append_string(out, ",\"limits\":{");
        print_limits(&printer, adapter);
        text_buffer_append_string(out, "},\"features\":[");
        print_features(out, adapter, true);
        text_buffer_append_string(out, "]}");
    } else {
        text_buffer_print(out, "%s adapter: %.*s\n", backend, TEXT_ARGS(from_view(info.device)));
        text_buffer_print(out, "  vendor %.*s, architecture %.*s; %.*s\n",
            TEXT_ARGS(from_view(info.vendor)), TEXT_ARGS(from_view(info.architecture)),
            TEXT_ARGS(from_view(info.description)));
        text_buffer_append_string(out, "  limits\n");
        print_limits(&printer, adapter);
        text_buffer_append_string(out, "  features\n");
        print_features(out, adapter, false);
    }
    wgpuAdapterInfoFreeMembers(info);
}

// Where compiled shaders are kept between runs.
static void print_cache(struct text_buffer *out, bool is_json) {
    struct kernel_store *store = kernel_store_create();
    struct kernel_store_usage usage;
    bool is_kept = kernel_store_get_usage(store, &usage);
    const char *folder = kernel_store_folder(store);
    if (is_json) {
        text_buffer_append_string(out, ",\"cache\":");
        if (!is_kept) {
            text_buffer_append_string(out, "null");
        } else {
            text_buffer_append_string(out, "{\"folder\":");
            text_buffer_append_json(out, text_from_string(folder));
            text_buffer_print(out,
                ",\"kernels\":%" PRIu32 ",\"bytes\":%" PRIu64 ",\"limit_bytes\":%" PRIu64 "}",
                usage.kernel_count, usage.size_bytes, KERNEL_STORE_LIMIT_BYTES);
        }
    } else if (folder == NULL) {
        text_buffer_append_string(out, "\ncompiled shaders are not kept (ALBA_CACHE)\n");
    } else if (!is_kept) {
        text_buffer_print(out,
            "\ncompiled shaders are not kept: %s is no folder that can be used (ALBA_CACHE)\n",
            folder);
    } else {
        text_buffer_print(out,
            "\ncompiled shaders kept in %s (ALBA_CACHE)\n  %" PRIu32 " kernels, %" PRIu64
            " bytes of at most %" PRIu64 "\n",
            folder, usage.kernel_count, usage.size_bytes, KERNEL_STORE_LIMIT_BYTES);
    }
    kernel_store_destroy(store);
}

int cli_info(int argument_count, char **argument_items) {
    struct cli_arguments arguments = {.count = argument_count, .items = argument_items};
    const char *text = NULL;
    bool is_json = false;
    enum cli_argument_kind kind;
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind != CLI_ARGUMENT_OPTION || !cli_is_option(&arguments, "json")) {
            return cli_usage("info", "'%s' is not understood", text);
        }
        is_json = true;
    }
    static const struct {
        AlbaBackends backends;
        const char *name;
    } rows[] = {
        {AlbaBackends_Vulkan, "vulkan"}, {AlbaBackends_CPU, "cpu"}, {AlbaBackends_Null, "null"}};
    struct text_buffer out = {0};
    text_buffer_print(&out,
        is_json ? "{\"version\":\"%u.%u.%u\",\"adapters\":[" : "alba %u.%u.%u\n",
        albaGetVersion() / 1000000u, albaGetVersion() / 1000u % 1000u, albaGetVersion() % 1000u);
    size_t adapter_count = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        WGPUInstance instance = NULL;
        WGPUAdapter adapter = find_adapter(rows[i].backends, &instance);
        if (adapter != NULL) {
            text_buffer_append_string(&out, is_json ? (adapter_count == 0 ? "" : ",") : "\n");
            print_adapter(&out, adapter, rows[i].name, is_json);
            adapter_count++;
            wgpuAdapterRelease(adapter);
        }
        if (instance != NULL) {
            wgpuInstanceRelease(instance);
        }
    }
    text_buffer_append_string(&out, is_json ? "]" : "");
    print_cache(&out, is_json);
    text_buffer_append_string(&out, is_json ? "}\n" : "");
    fputs(text_buffer_get(&out).data, stdout);
    text_buffer_finish(&out);
    return CLI_OK;
}
