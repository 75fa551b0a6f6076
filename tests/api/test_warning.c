// SPDX-License-Identifier: MIT
//
// The channel of warnings: off by default, what each warning says and when it does not come, the
// list, the callback and the JSON form.
#include "api_helper.h"

struct received {
    int count;
    char id[64];
    char label[64];
    char text[512];
    uint64_t numbers[4];
};

static void on_warning(const AlbaWarning *warning, void *userdata1, void *userdata2) {
    struct received *received = userdata1;
    UNUSED_PARAMETER(userdata2);
    received->count++;
    api_copy_message(received->id, sizeof(received->id), warning->id);
    api_copy_message(received->label, sizeof(received->label), warning->label);
    api_copy_message(received->text, sizeof(received->text), warning->text);
    for (size_t i = 0; i < warning->numberCount; i++) {
        received->numbers[i] = warning->numbers[i].value;
    }
}

// A device with warnings in place of the usual one.
static bool begin(struct api *api, struct received *received, size_t capacity) {
    if (!api_begin(api)) {
        return false;
    }
    wgpuQueueRelease(api->queue);
    wgpuDeviceRelease(api->device);
    AlbaWarningOptions options = ALBA_WARNING_OPTIONS_INIT;
    options.callback = received != NULL ? on_warning : NULL;
    options.userdata1 = received;
    options.listCapacity = capacity;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    api->device = api_request_device(api, &descriptor, NULL);
    if (!CHECK(api->device != NULL)) {
        return false;
    }
    api->queue = wgpuDeviceGetQueue(api->device);
    return true;
}

static void make(struct api *api, const char *code, WGPUPipelineLayout layout) {
    WGPUShaderModule module = api_shader(api, code);
    wgpuComputePipelineRelease(api_pipeline(api, module, layout));
    wgpuShaderModuleRelease(module);
    if (!CHECK_EQ(atomic_load(&api->error_count), 0)) {
        fprintf(stderr, "    %s\n", api->error_message);
    }
}

#define SCALE \
    "struct Scale { factor: f32, steps: array<vec4f, 4> }\n" \
    "@group(0) @binding(1) var<storage> scale: Scale;\n" \
    "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n" \
    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n" \
    "    for (var i = 0; i < 4; i++) { data[id.x] *= scale.factor * scale.steps[i].x; }\n" \
    "}\n"

TEST(nothing_is_told_unless_it_is_asked_for) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    make(&api, SCALE, NULL);
    AlbaWarning warning;
    CHECK_EQ(albaDeviceGetWarnings(api.device, 0, 1, &warning), 0);
    AlbaText json = albaDeviceGetWarningsJSON(api.device);
    CHECK_STR(json.data, "{\"warnings\":[],\"dropped\":0}");
    albaTextFreeMembers(json);
    api_end(&api);
}

TEST(storage_that_could_be_uniform) {
    struct api api;
    struct received received = {0};
    if (!begin(&api, &received, 0)) {
        return;
    }
    make(&api, SCALE, NULL);
    if (CHECK_EQ(received.count, 1)) {
        CHECK_STR(received.id, "storage-for-uniform");
        CHECK_STR(received.label, "the pipeline");
        CHECK_STR(received.text,
            "compute pipeline \"the pipeline\": the shader's variable \"scale\" at @group(0) "
            "@binding(1) is read-only storage of 80 bytes, which all invocations read at the same "
            "places; a uniform buffer holds up to 65536 bytes, has the same layout here and is "
            "faster on many GPUs");
        CHECK_EQ(received.numbers[0], 0);
        CHECK_EQ(received.numbers[1], 1);
        CHECK_EQ(received.numbers[2], 80);
        CHECK_EQ(received.numbers[3], 65536);
    }
    // The same again is counted.
    make(&api, SCALE, NULL);
    CHECK_EQ(received.count, 1);
    AlbaWarning warnings[2];
    if (CHECK_EQ(albaDeviceGetWarnings(api.device, 0, 2, warnings), 1)) {
        CHECK_EQ(warnings[0].count, 2);
        CHECK_EQ(warnings[0].numberCount, 4);
        CHECK(strncmp(warnings[0].numbers[2].name.data, "bytes", 5) == 0);
    }
    CHECK_EQ(albaDeviceGetWarnings(api.device, 1, 1, warnings), 0);
    api_end(&api);
}

// Each of these is storage with a reason.
TEST(storage_that_must_be_storage) {
    static const char *const reasons[] = {// its size is not fixed
        "var<storage> s: array<vec4f>;", "s[0].x",
        // it is too large
        "var<storage> s: array<vec4f, 4097>;", "s[0].x",
        // its layout differs in uniform
        "var<storage> s: array<f32, 16>;", "s[0]",
        // the places that invocations read differ
        "var<storage> s: array<vec4f, 64>;", "s[id.x].x",
        // it is written
        "var<storage, read_write> s: array<vec4f, 4>;", "s[0].x",
        // it is uniform already
        "var<uniform> s: array<vec4f, 4>;", "s[0].x"};
    struct api api;
    struct received received = {0};
    if (!begin(&api, &received, 0)) {
        return;
    }
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i += 2) {
        char code[512];
        snprintf(code, sizeof(code),
            "@group(0) @binding(0) %s\n"
            "@group(0) @binding(1) var<storage, read_write> data: array<f32>;\n"
            "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
            "    data[id.x] = %s;\n"
            "}\n",
            reasons[i], reasons[i + 1]);
        make(&api, code, NULL);
        if (!CHECK_EQ(received.count, 0)) {
            fprintf(stderr, "    %s: %s\n", reasons[i], received.text);
            break;
        }
    }
    // At the very limit it fits.
    make(&api,
        "@group(0) @binding(0) var<storage> s: array<vec4f, 4096>;\n"
        "@group(0) @binding(1) var<storage, read_write> data: array<f32>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
        "    data[id.x] = s[4095].x;\n"
        "}\n",
        NULL);
    CHECK_EQ(received.count, 1);
    CHECK_EQ(received.numbers[2], 65536);
    api_end(&api);
}

TEST(visibility_that_no_shader_uses) {
    struct api api;
    struct received received = {0};
    if (!begin(&api, &received, 0)) {
        return;
    }
    WGPUBindGroupLayoutEntry entries[2] = {
        WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT, WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT};
    entries[0].binding = 4;
    entries[0].visibility = WGPUShaderStage_Compute;
    entries[0].buffer.type = WGPUBufferBindingType_Storage;
    entries[1].binding = 7;
    entries[1].visibility = WGPUShaderStage_Vertex | WGPUShaderStage_Fragment |
        WGPUShaderStage_Compute;
    entries[1].buffer.type = WGPUBufferBindingType_Uniform;
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("shared");
    descriptor.entryCount = 2;
    descriptor.entries = entries;
    WGPUBindGroupLayout group = wgpuDeviceCreateBindGroupLayout(api.device, &descriptor);
    WGPUBindGroupLayout groups[2] = {NULL, group};
    WGPUPipelineLayoutDescriptor layout_descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.bindGroupLayoutCount = 2;
    layout_descriptor.bindGroupLayouts = groups;
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(api.device, &layout_descriptor);
    make(&api,
        "@group(1) @binding(4) var<storage, read_write> out: array<u32>;\n"
        "@group(1) @binding(7) var<uniform> in: vec4u;\n"
        "@compute @workgroup_size(1) fn main() { out[0] = in.x; }\n",
        layout);
    if (CHECK_EQ(received.count, 1)) {
        CHECK_STR(received.id, "layout-visibility");
        CHECK_STR(received.text,
            "compute pipeline \"the pipeline\": binding 7 of group 1, bind group layout "
            "\"shared\", is visible to Vertex|Fragment|Compute, but the pipeline's shaders use it "
            "in Compute; it counts against the limits of each stage that it is visible to");
        CHECK_EQ(received.numbers[0], 1);
        CHECK_EQ(received.numbers[1], 7);
        CHECK_EQ(received.numbers[2], 7); // Vertex, Fragment and Compute
        CHECK_EQ(received.numbers[3], 4); // Compute
    }
    // One that is not used at all.
    make(&api,
        "@group(1) @binding(4) var<storage, read_write> out: array<u32>;\n"
        "@compute @workgroup_size(1) fn main() { out[0] = 1u; }\n",
        layout);
    CHECK_EQ(received.count, 2);
    CHECK_EQ(received.numbers[3], 0);
    CHECK(strstr(received.text, "use it in no stage;") != NULL);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(group);
    api_end(&api);
}

TEST(both_stages_of_a_render_pipeline_count) {
    struct api api;
    struct received received = {0};
    if (!begin(&api, &received, 0)) {
        return;
    }
    WGPUBindGroupLayoutEntry entries[2] = {
        WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT, WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT};
    for (uint32_t i = 0; i < 2; i++) { // only the second one is used in both
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Vertex | WGPUShaderStage_Fragment;
        entries[i].buffer.type = WGPUBufferBindingType_Uniform;
    }
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.entryCount = 2;
    descriptor.entries = entries;
    WGPUBindGroupLayout group = wgpuDeviceCreateBindGroupLayout(api.device, &descriptor);
    WGPUPipelineLayoutDescriptor layout_descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.bindGroupLayoutCount = 1;
    layout_descriptor.bindGroupLayouts = &group;
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(api.device, &layout_descriptor);
    WGPUShaderModule module = api_shader(&api,
        "@group(0) @binding(0) var<uniform> tint: vec4f;\n"
        "@group(0) @binding(1) var<uniform> scale: vec4f;\n"
        "@vertex fn v() -> @builtin(position) vec4f { return scale; }\n"
        "@fragment fn f() -> @location(0) vec4f { return tint * scale; }\n");
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor render = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    render.label = api_view("triangles");
    render.layout = layout;
    render.vertex.module = module;
    render.fragment = &fragment;
    wgpuRenderPipelineRelease(wgpuDeviceCreateRenderPipeline(api.device, &render));
    CHECK_EQ(atomic_load(&api.error_count), 0);
    if (CHECK_EQ(received.count, 1)) {
        CHECK_STR(received.text,
            "render pipeline \"triangles\": binding 0 of group 0, bind group layout (no label), is "
            "visible to Vertex|Fragment, but the pipeline's shaders use it in Fragment; it counts "
            "against the limits of each stage that it is visible to");
        CHECK_EQ(received.numbers[2], 3);
        CHECK_EQ(received.numbers[3], 2);
    }
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(group);
    api_end(&api);
}

TEST(the_list_as_json_has_room_for_so_many) {
    struct api api;
    if (!begin(&api, NULL, 1)) {
        return;
    }
    albaSetLogLevel(AlbaLogLevel_Off);
    make(&api, SCALE, NULL);
    make(&api,
        "@group(2) @binding(3) var<storage> s: vec4f;\n"
        "@group(0) @binding(1) var<storage, read_write> data: array<f32>;\n"
        "@compute @workgroup_size(1) fn main() { data[0] = s.x; }\n",
        NULL);
    AlbaText json = albaDeviceGetWarningsJSON(api.device);
    CHECK_STR(json.data,
        "{\"warnings\":[{\"id\":\"storage-for-uniform\",\"call\":\"wgpuDeviceCreateComputePipeline\","
        "\"label\":\"the pipeline\",\"numbers\":{\"group\":0,\"binding\":1,\"bytes\":80,\"limit\":"
        "65536},\"text\":\"compute pipeline \\\"the pipeline\\\": the shader's variable \\\"scale\\\""
        " at @group(0) @binding(1) is read-only storage of 80 bytes, which all invocations read at "
        "the same places; a uniform buffer holds up to 65536 bytes, has the same layout here and is "
        "faster on many GPUs\",\"count\":1}],\"dropped\":1}");
    CHECK_EQ(json.length, strlen(json.data));
    albaTextFreeMembers(json);
    api_end(&api);
}

CHECK_MAIN(nothing_is_told_unless_it_is_asked_for, storage_that_could_be_uniform,
    storage_that_must_be_storage, visibility_that_no_shader_uses,
    both_stages_of_a_render_pipeline_count, the_list_as_json_has_room_for_so_many)
