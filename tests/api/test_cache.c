// SPDX-License-Identifier: MIT
//
// Compiled shaders kept between runs (ALBA_CACHE), from outside: the same results with and without,
// a second process that does not load the code generator, other levels, damage. The program starts
// itself as those processes: "test_api_cache run" computes and prints a hash of all results and
// whether libalba-jit was loaded.
#include "api_helper.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_COUNT 4
#define WORD_COUNT 512

// What generated code may need of the process is used: a large copy, a fused multiply-add where the
// level has none, scattered accesses, atomics, workgroup memory and barriers.
static const char code[] =
    "struct Large { words: array<f32, 300> }\n"
    "@group(0) @binding(0) var<storage, read_write> out: array<f32, 512>;\n"
    "@group(0) @binding(1) var<storage, read_write> large: array<Large, 2>;\n"
    "@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>, 16>;\n"
    "var<workgroup> shared_words: array<f32, 64>;\n"
    "override scale = 3.0;\n"
    "@compute @workgroup_size(64) fn simple(@builtin(global_invocation_id) id: vec3u) {\n"
    "    out[id.x] = scale * f32(id.x) + 1.0;\n"
    "}\n"
    "@compute @workgroup_size(64) fn fused(@builtin(global_invocation_id) id: vec3u) {\n"
    "    out[id.x] = fma(out[id.x], 1.0000001, sin(f32(id.x)) * 0.125) + exp2(out[id.x] * 0.001);\n"
    "}\n"
    "@compute @workgroup_size(64) fn scattered(@builtin(global_invocation_id) id: vec3u,\n"
    "        @builtin(local_invocation_index) local: u32) {\n"
    "    shared_words[local] = out[(id.x * 37u + 11u) % 512u];\n"
    "    workgroupBarrier();\n"
    "    let value = shared_words[63u - local];\n"
    "    atomicAdd(&counts[u32(abs(value)) % 16u], 1u);\n"
    "    storageBarrier();\n"
    "    if (id.x % 3u == 0u) { large[id.x % 2u].words[(id.x * 7u) % 300u] = f32(id.x); }\n"
    "    workgroupBarrier();\n"
    "    out[id.x] = value;\n"
    "}\n"
    "@compute @workgroup_size(1) fn copying(@builtin(global_invocation_id) id: vec3u) {\n"
    "    if (id.x == 0u) { var copy = large[0]; copy.words[5] += 1.0; large[1] = copy; }\n"
    "}\n";
static const char *const entries[ENTRY_COUNT] = {"simple", "fused", "scattered", "copying"};

// ---------------------------------------------------------------- the process that computes

static WGPUDevice open_device(struct api *api) {
    memset(api, 0, sizeof(*api));
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_CPU;
    WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    api->instance = wgpuCreateInstance(&descriptor);
    api->adapter = api_request_adapter(api->instance);
    AlbaDeviceOptions device_options = ALBA_DEVICE_OPTIONS_INIT;
    device_options.threadCount = 1; // the order of atomics does not matter, of racing stores it does
    WGPUDeviceDescriptor device = WGPU_DEVICE_DESCRIPTOR_INIT;
    device.nextInChain = &device_options.chain;
    api->device = api_request_device(api, &device, NULL);
    api->queue = api->device != NULL ? wgpuDeviceGetQueue(api->device) : NULL;
    return api->device;
}

static bool is_generator_loaded(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024];
    bool is_loaded = false;
    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
        is_loaded = is_loaded || strstr(line, "libalba-jit") != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return is_loaded;
}

// Whether pages of the process can be written and executed at once.
static bool has_open_pages(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024];
    bool is_open = false;
    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
        is_open = is_open || strstr(line, " rwx") != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return is_open;
}

static void dispatch(struct api *api, WGPUShaderModule module, WGPUPipelineLayout layout,
    WGPUBindGroup group, const char *entry) {
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.compute.module = module;
    descriptor.compute.entryPoint = api_view(entry);
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(api->device, &descriptor);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, WORD_COUNT / 64, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
    wgpuComputePipelineRelease(pipeline);
}

static uint64_t hash_buffer(struct api *api, WGPUBuffer buffer, size_t size, uint64_t hash) {
    WGPUBuffer staging =
        api_buffer(api, "staging", size, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, size);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(api->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    if (api_map(api, staging, WGPUMapMode_Read, 0, size) == WGPUMapAsyncStatus_Success) {
        const uint8_t *bytes = wgpuBufferGetConstMappedRange(staging, 0, size);
        for (size_t i = 0; i < size; i++) {
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
        }
    }
    wgpuBufferRelease(staging);
    return hash;
}

static int run(void) {
    static const size_t sizes[3] = {4 * WORD_COUNT, 2 * 300 * 4, 16 * 4};
    struct api api;
    if (open_device(&api) == NULL) {
        return 1;
    }
    WGPUShaderModule module = api_shader(&api, code);
    WGPUBindGroupLayoutEntry layout_entries[3];
    WGPUBindGroupEntry group_entries[3];
    WGPUBuffer buffers[3];
    for (uint32_t i = 0; i < 3; i++) {
        static const WGPUBindGroupLayoutEntry storage = {.visibility = WGPUShaderStage_Compute,
            .buffer = {.type = WGPUBufferBindingType_Storage}};
        buffers[i] = api_buffer(&api, "buffer", sizes[i],
            WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
        layout_entries[i] = storage;
        layout_entries[i].binding = i;
        group_entries[i] = WGPU_BIND_GROUP_ENTRY_INIT;
        group_entries[i].binding = i;
        group_entries[i].buffer = buffers[i];
    }
    WGPUBindGroupLayoutDescriptor layout_descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.entryCount = 3;
    layout_descriptor.entries = layout_entries;
    WGPUBindGroupLayout group_layout =
        wgpuDeviceCreateBindGroupLayout(api.device, &layout_descriptor);
    WGPUPipelineLayoutDescriptor pipeline_layout = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    pipeline_layout.bindGroupLayoutCount = 1;
    pipeline_layout.bindGroupLayouts = &group_layout;
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(api.device, &pipeline_layout);
    WGPUBindGroupDescriptor group_descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group_descriptor.layout = group_layout;
    group_descriptor.entryCount = 3;
    group_descriptor.entries = group_entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &group_descriptor);

    for (int i = 0; i < ENTRY_COUNT; i++) {
        dispatch(&api, module, layout, group, entries[i]);
    }
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 3; i++) {
        hash = hash_buffer(&api, buffers[i], sizes[i], hash);
        wgpuBufferRelease(buffers[i]);
    }
    printf("%016" PRIx64 " %d %d %d\n", hash, is_generator_loaded(), has_open_pages(),
        (int)atomic_load(&api.error_count));
    wgpuBindGroupRelease(group);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(group_layout);
    wgpuShaderModuleRelease(module);
    api_end(&api);
    return 0;
}

// ---------------------------------------------------------------- the test

struct result {
    char hash[17];
    bool is_generator_loaded;
};

// Runs the program with settings of environment variables before it.
static struct result start(const char *settings) {
    char program[1024] = {0}, command[2048], line[256];
    struct result result = {.hash = "none"};
    int is_loaded = 0, has_open = 1, error_count = 1;
    CHECK(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
    snprintf(command, sizeof(command), "env %s '%s' run", settings, program);
    FILE *output = popen(command, "r");
    if (!CHECK(output != NULL)) {
        return result;
    }
    bool is_read = fgets(line, sizeof(line), output) != NULL &&
        sscanf(line, "%16s %d %d %d", result.hash, &is_loaded, &has_open, &error_count) == 4;
    CHECK(is_read);
    CHECK_EQ(pclose(output), 0);
    CHECK_EQ(error_count, 0);
    CHECK_EQ(has_open, 0);
    result.is_generator_loaded = is_loaded != 0;
    return result;
}

static char folder[] = "/tmp/alba-test-cache-XXXXXX";

static const char *with_cache(const char *more) {
    static char settings[512];
    snprintf(settings, sizeof(settings), "ALBA_CACHE=%s/kernels %s", folder, more);
    return settings;
}

// Visits the files: the number, and each loses a byte in its middle if is_damaging.
static int visit_files(bool is_damaging) {
    char path[600];
    int count = 0;
    snprintf(path, sizeof(path), "%s/kernels", folder);
    DIR *list = opendir(path);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        struct stat status;
        snprintf(path, sizeof(path), "%s/kernels/%s", folder, entry->d_name);
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
            continue;
        }
        count++;
        CHECK_EQ(status.st_mode & 0777, 0600);
        FILE *file = is_damaging ? fopen(path, "r+b") : NULL;
        if (file != NULL) {
            fseek(file, (long)status.st_size / 2, SEEK_SET);
            int byte = fgetc(file);
            fseek(file, (long)status.st_size / 2, SEEK_SET);
            fputc(byte ^ 0xff, file);
            fclose(file);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return count;
}

TEST(a_second_process_needs_no_code_generator) {
    struct result without = start("ALBA_CACHE=off");
    CHECK(without.is_generator_loaded);
    struct result first = start(with_cache(""));
    CHECK(first.is_generator_loaded);
    CHECK_STR(first.hash, without.hash);
    CHECK_EQ(visit_files(false), ENTRY_COUNT);
    struct result second = start(with_cache(""));
    CHECK(!second.is_generator_loaded);
    CHECK_STR(second.hash, without.hash);
    CHECK_EQ(visit_files(false), ENTRY_COUNT);
    // Damaged files are compiled and written again.
    CHECK_EQ(visit_files(true), ENTRY_COUNT);
    struct result damaged = start(with_cache(""));
    CHECK(damaged.is_generator_loaded);
    CHECK_STR(damaged.hash, without.hash);
    struct result mended = start(with_cache(""));
    CHECK(!mended.is_generator_loaded);
    CHECK_STR(mended.hash, without.hash);
}

TEST(levels_are_not_mixed) {
#if defined(__x86_64__)
    struct result without = start("ALBA_CACHE=off ALBA_CPU=sse4.2");
    struct result first = start(with_cache("ALBA_CPU=sse4.2"));
    CHECK(first.is_generator_loaded || visit_files(false) == ENTRY_COUNT); // sse4.2 may be the best
    CHECK_STR(first.hash, without.hash);
    struct result second = start(with_cache("ALBA_CPU=sse4.2"));
    CHECK(!second.is_generator_loaded);
    CHECK_STR(second.hash, without.hash);
#else
    CHECK(true);
#endif
}

TEST(folders_that_cannot_be_used_change_nothing) {
    struct result without = start("ALBA_CACHE=off");
    static const char *const places[] = {"/proc/self/none", "/dev/null", "/none/none"};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        char settings[100];
        snprintf(settings, sizeof(settings), "ALBA_CACHE=%s", places[i]);
        struct result result = start(settings);
        CHECK(result.is_generator_loaded);
        CHECK_STR(result.hash, without.hash);
    }
}

static const check_test tests[] = {a_second_process_needs_no_code_generator, levels_are_not_mixed,
    folders_that_cannot_be_used_change_nothing};

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "run") == 0) {
        return run();
    }
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    int status = check_run(tests, sizeof(tests) / sizeof(tests[0]),
        "a_second_process_needs_no_code_generator, levels_are_not_mixed, "
        "folders_that_cannot_be_used_change_nothing",
        argc, argv);
    char command[600];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    return system(command) != 0 ? 1 : status;
}
