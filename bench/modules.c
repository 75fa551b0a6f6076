// SPDX-License-Identifier: MIT
//
// What creating a shader module costs, for every WGSL file of some folders: time, and the memory that
// the module keeps. A line for each file; scripts/bench_table.awk adds up those that both
// implementations accept.
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define KEPT 16 // modules alive at one time, for their memory
#define LIST_LIMIT 1024

static void receive_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)status, (void)message, (void)userdata2;
    *(WGPUAdapter *)userdata1 = adapter;
}

static void receive_device(WGPURequestDeviceStatus status, WGPUDevice device,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)status, (void)message, (void)userdata2;
    *(WGPUDevice *)userdata1 = device;
}

// Of an adapter of its own, which gives one device only. With every feature, so that every `enable` is
// accepted; an error outside a scope is no reason to
// end: files that the implementation refuses are told apart.
static WGPUDevice open_device(const struct bench_gpu *gpu) {
    WGPUAdapter adapter = NULL;
    WGPURequestAdapterCallbackInfo adapter_callback = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    adapter_callback.mode = WGPUCallbackMode_WaitAnyOnly;
    adapter_callback.callback = receive_adapter;
    adapter_callback.userdata1 = &adapter;
    bench_wait(gpu, wgpuInstanceRequestAdapter(gpu->instance, NULL, adapter_callback));
    if (adapter == NULL) {
        bench_fail("wgpuInstanceRequestAdapter", "no second adapter");
    }
    WGPUSupportedFeatures features = {0};
    wgpuAdapterGetFeatures(adapter, &features);
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = features.featureCount;
    descriptor.requiredFeatures = features.features;
    WGPUDevice device = NULL;
    WGPURequestDeviceCallbackInfo callback = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_device;
    callback.userdata1 = &device;
    bench_wait(gpu, wgpuAdapterRequestDevice(adapter, &descriptor, callback));
    wgpuAdapterRelease(adapter);
    if (device == NULL) {
        bench_fail("wgpuAdapterRequestDevice", "no device with all features");
    }
    return device;
}

static WGPUShaderModule create(WGPUDevice device, const char *text) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = bench_view(text);
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    return wgpuDeviceCreateShaderModule(device, &descriptor);
}

static void receive_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    (void)status, (void)message, (void)userdata2;
    *(int *)userdata1 = type == WGPUErrorType_NoError;
}

static int is_accepted(const struct bench_gpu *gpu, WGPUDevice device, const char *text) {
    int accepted = 0;
    wgpuDevicePushErrorScope(device, WGPUErrorFilter_Validation);
    WGPUShaderModule module = create(device, text);
    WGPUPopErrorScopeCallbackInfo callback = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_WaitAnyOnly;
    callback.callback = receive_scope;
    callback.userdata1 = &accepted;
    bench_wait(gpu, wgpuDevicePopErrorScope(device, callback));
    wgpuShaderModuleRelease(module);
    return accepted;
}

// The file, and room for a comment that makes each copy different, so that no cache answers.
static char *read_text(const char *path, size_t *out_length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 32);
    if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        text = NULL;
    }
    fclose(file);
    if (text != NULL) {
        *out_length = (size_t)size;
        text[size] = '\0';
    }
    return text;
}

static void measure_file(const struct bench_gpu *gpu, WGPUDevice device, const char *path) {
    static int number; // of the copy
    size_t length = 0;
    char *text = read_text(path, &length);
    if (text == NULL) {
        return;
    }
    if (!is_accepted(gpu, device, text)) {
        printf("module %s - - %zu -\n", path, length);
        free(text);
        return;
    }
    double least_cpu = 1e30, least_wall = 1e30;
    for (int round = 0; round < 5; round++) {
        sprintf(text + length, "\n// %d\n", number++);
        double cpu = bench_cpu_ms(), wall = bench_wall_ms();
        WGPUShaderModule module = create(device, text);
        cpu = bench_cpu_ms() - cpu;
        wall = bench_wall_ms() - wall;
        least_cpu = cpu < least_cpu ? cpu : least_cpu;
        least_wall = wall < least_wall ? wall : least_wall;
        wgpuShaderModuleRelease(module);
    }
    WGPUShaderModule kept[KEPT];
    struct mallinfo2 before = mallinfo2();
    for (int i = 0; i < KEPT; i++) {
        sprintf(text + length, "\n// %d\n", number++);
        kept[i] = create(device, text);
    }
    struct mallinfo2 after = mallinfo2();
    double bytes = (double)(after.uordblks + after.hblkhd) -
        (double)(before.uordblks + before.hblkhd);
    for (int i = 0; i < KEPT; i++) {
        wgpuShaderModuleRelease(kept[i]);
    }
    printf("module %s %.2f %.2f %zu %.0f\n", path, least_cpu * 1e3, least_wall * 1e3, length,
        bytes / KEPT);
    free(text);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void measure_folder(const struct bench_gpu *gpu, WGPUDevice device, const char *folder) {
    char *paths[LIST_LIMIT];
    size_t count = 0;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        bench_fail(folder, "cannot be read");
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL && count < LIST_LIMIT;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".wgsl") == 0) {
            paths[count] = malloc(strlen(folder) + strlen(entry->d_name) + 2);
            if (paths[count] == NULL) {
                bench_fail(folder, "out of memory");
            }
            sprintf(paths[count++], "%s/%s", folder, entry->d_name);
        }
    }
    closedir(directory);
    qsort(paths, count, sizeof(char *), compare_paths);
    for (size_t i = 0; i < count; i++) {
        measure_file(gpu, device, paths[i]);
        free(paths[i]);
    }
    fflush(stdout);
}

void bench_modules(const struct bench_gpu *gpu) {
    const char *folders = getenv("ALBA_BENCH_WGSL");
    char list[4096];
    snprintf(list, sizeof list, "%s",
        folders != NULL ? folders
                        : "tests/shader:tests/run:tests/lessons:tests/fuzz/corpus:bench/kernels");
    WGPUDevice device = open_device(gpu);
    for (char *folder = strtok(list, ":"); folder != NULL; folder = strtok(NULL, ":")) {
        measure_folder(gpu, device, folder);
    }
    wgpuDeviceRelease(device);
}
