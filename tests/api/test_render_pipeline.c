// SPDX-License-Identifier: MIT
//
// Render pipelines through the public API, on the null adapter: at once and asynchronously,
// automatic layouts of two stages, and what of a descriptor a call may take away again. Rules are
// tests/validation's.
#include "api_helper.h"

#include "base/os_thread.h"

static const char shader[] =
    "@group(0) @binding(0) var<uniform> small: vec4f;\n"
    "@group(0) @binding(0) var<uniform> large: array<vec4f, 4>;\n"
    "@group(0) @binding(7) var<storage> lights: array<vec4f>;\n"
    "@group(2) @binding(1) var<uniform> far: f32;\n"
    "override gain: f32 = 1;\n"
    "@vertex fn vs(@location(3) at: vec3f) -> @builtin(position) vec4f {\n"
    "    return vec4f(at, far) + small;\n"
    "}\n"
    "@fragment fn fs() -> @location(1) vec4f { return large[3] * gain + lights[0]; }\n";

struct result {
    atomic_int count;
    WGPUCreatePipelineAsyncStatus status;
    WGPURenderPipeline pipeline;
    char message[512];
};

static void on_pipeline(WGPUCreatePipelineAsyncStatus status, WGPURenderPipeline pipeline,
    WGPUStringView message, void *userdata1, void *userdata2) {
    struct result *result = userdata1;
    UNUSED_PARAMETER(userdata2);
    result->status = status;
    result->pipeline = pipeline;
    api_copy_message(result->message, sizeof(result->message), message);
    atomic_fetch_add(&result->count, 1);
}

// All that a descriptor points to.
struct parts {
    WGPURenderPipelineDescriptor descriptor;
    WGPUVertexBufferLayout buffers[2];
    WGPUVertexAttribute attribute;
    WGPUFragmentState fragment;
    WGPUColorTargetState targets[2];
    WGPUConstantEntry constant;
    WGPUDepthStencilState depth_stencil;
    char label[16];
    char key[16];
};

static void fill(struct parts *p, WGPUShaderModule module) {
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    WGPUVertexBufferLayout buffer = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    WGPUVertexAttribute attribute = WGPU_VERTEX_ATTRIBUTE_INIT;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    WGPUDepthStencilState depth_stencil = WGPU_DEPTH_STENCIL_STATE_INIT;
    memset(p, 0, sizeof(*p));
    snprintf(p->label, sizeof(p->label), "pipe");
    snprintf(p->key, sizeof(p->key), "gain");
    p->attribute = attribute;
    p->attribute.format = WGPUVertexFormat_Float32x3;
    p->attribute.shaderLocation = 3;
    p->buffers[0] = buffer; // a hole
    p->buffers[1] = buffer;
    p->buffers[1].arrayStride = 12;
    p->buffers[1].attributeCount = 1;
    p->buffers[1].attributes = &p->attribute;
    p->constant = constant;
    p->constant.key = api_view(p->key);
    p->constant.value = 2.5;
    p->targets[0] = target; // a hole
    p->targets[1] = target;
    p->targets[1].format = WGPUTextureFormat_RGBA16Float;
    p->fragment = fragment;
    p->fragment.module = module;
    p->fragment.constantCount = 1;
    p->fragment.constants = &p->constant;
    p->fragment.targetCount = 2;
    p->fragment.targets = p->targets;
    p->depth_stencil = depth_stencil;
    p->depth_stencil.format = WGPUTextureFormat_Depth24PlusStencil8;
    p->depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
    p->depth_stencil.depthCompare = WGPUCompareFunction_LessEqual;
    p->descriptor = descriptor;
    p->descriptor.label = api_view(p->label);
    p->descriptor.vertex.module = module;
    p->descriptor.vertex.bufferCount = 2;
    p->descriptor.vertex.buffers = p->buffers;
    p->descriptor.fragment = &p->fragment;
    p->descriptor.depthStencil = &p->depth_stencil;
}

static WGPUFuture create_async(
    struct api *api, const WGPURenderPipelineDescriptor *descriptor, struct result *result) {
    WGPUCreateRenderPipelineAsyncCallbackInfo info =
        WGPU_CREATE_RENDER_PIPELINE_ASYNC_CALLBACK_INFO_INIT;
    memset(result, 0, sizeof(*result));
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = on_pipeline;
    info.userdata1 = result;
    return wgpuDeviceCreateRenderPipelineAsync(api->device, descriptor, info);
}

TEST(async_pipelines_outlive_their_descriptor) {
    struct api api;
    struct result result;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, shader);
    WGPUChainedStruct *chain = malloc(sizeof(*chain));
    for (int way = 0; way < 3; way++) {
        struct parts *parts = malloc(sizeof(*parts));
        fill(parts, module);
        if (way == 1) {
            snprintf(parts->key, sizeof(parts->key), "pain");
            parts->constant.key = api_view(parts->key);
        } else if (way == 2) {
            *chain = (WGPUChainedStruct){NULL, WGPUSType_ShaderSourceWGSL};
            parts->descriptor.primitive.nextInChain = chain;
        }
        WGPUFuture future = create_async(&api, &parts->descriptor, &result);
        memset(parts, 0xee, sizeof(*parts));
        free(parts);
        if (way == 2) {
            free(chain);
            wgpuShaderModuleRelease(module);
        }
        api_wait(api.instance, future);
        CHECK_EQ(atomic_load(&result.count), 1);
        if (way == 0) {
            CHECK_EQ(result.status, WGPUCreatePipelineAsyncStatus_Success);
            CHECK_STR(result.message, "");
            if (CHECK(result.pipeline != NULL)) {
                wgpuRenderPipelineRelease(result.pipeline);
            }
            continue;
        }
        CHECK_EQ(result.status, WGPUCreatePipelineAsyncStatus_ValidationError);
        CHECK(result.pipeline == NULL);
        CHECK(strstr(result.message, "render pipeline \"pipe\": ") != NULL);
        CHECK(strstr(result.message, way == 1 ? "pain" : "sType 0x00000002") != NULL);
    }
    CHECK_EQ(atomic_load(&api.error_count), 0);
    api_end(&api);
}

TEST(a_lost_device_makes_pipelines_without_errors) {
    struct api api;
    struct result result;
    struct parts parts;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, shader);
    fill(&parts, module);
    parts.targets[1].format = WGPUTextureFormat_Undefined;
    parts.descriptor.depthStencil = NULL; // which breaks a rule
    wgpuDeviceDestroy(api.device);
    api_wait(api.instance, create_async(&api, &parts.descriptor, &result));
    CHECK_EQ(result.status, WGPUCreatePipelineAsyncStatus_Success);
    if (CHECK(result.pipeline != NULL)) {
        wgpuRenderPipelineRelease(result.pipeline);
    }
    wgpuRenderPipelineRelease(wgpuDeviceCreateRenderPipeline(api.device, &parts.descriptor));
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

static void try_group(struct api *api, WGPUBindGroupLayout layout,
    const WGPUBindGroupEntry *entries, size_t count, const char *message) {
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = count;
    descriptor.entries = entries;
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
    wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(api->device, &descriptor));
    struct api_scope_result scope = api_pop_scope(api);
    if (message == NULL) {
        CHECK_STR(scope.message, "");
    } else {
        CHECK(strstr(scope.message, message) != NULL);
    }
}

TEST(automatic_layouts_serve_both_stages) {
    struct api api;
    struct parts parts;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, shader);
    fill(&parts, module);
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api.device, &parts.descriptor);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    WGPUBuffer buffer = api_buffer(
        &api, "b", 64, WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage);
    WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    entries[0].buffer = buffer;
    entries[1].binding = 7;
    entries[1].buffer = buffer;
    entries[1].size = 16;
    try_group(&api, layout, entries, 2, NULL);
    entries[0].size = 48; // enough for the vertex stage alone: 16 bytes
    try_group(&api, layout, entries, 2, "64");
    wgpuBindGroupLayoutRelease(layout);
    layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 1); // no variable is there
    try_group(&api, layout, NULL, 0, NULL);
    wgpuBindGroupLayoutRelease(layout);
    layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 2);
    entries[0].binding = 1;
    entries[0].size = 4;
    try_group(&api, layout, entries, 1, NULL);
    // Of that pipeline alone.
    WGPUPipelineLayoutDescriptor layout_descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    layout_descriptor.bindGroupLayoutCount = 1;
    layout_descriptor.bindGroupLayouts = &layout;
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    wgpuPipelineLayoutRelease(wgpuDeviceCreatePipelineLayout(api.device, &layout_descriptor));
    CHECK(strstr(api_pop_scope(&api).message, "automatic layout") != NULL);
    wgpuBindGroupLayoutRelease(layout);
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

// Makes the pipeline and expects that error.
static void expect_error(struct api *api, const struct parts *parts, const char *message) {
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(api->device, &parts->descriptor);
    struct api_scope_result scope = api_pop_scope(api);
    CHECK_STR(scope.message, message);
    wgpuRenderPipelineRelease(pipeline);
}

TEST(every_struct_refuses_what_it_does_not_know) {
    struct api api;
    struct parts parts;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, shader);
    WGPUChainedStruct chain = {NULL, WGPUSType_ShaderSourceWGSL};
    WGPUChainedStruct **const places[] = {&parts.descriptor.nextInChain,
        &parts.descriptor.vertex.nextInChain, &parts.buffers[0].nextInChain,
        &parts.buffers[1].nextInChain, &parts.attribute.nextInChain,
        &parts.descriptor.primitive.nextInChain, &parts.depth_stencil.nextInChain,
        &parts.descriptor.multisample.nextInChain, &parts.fragment.nextInChain,
        &parts.targets[0].nextInChain, &parts.targets[1].nextInChain, &parts.constant.nextInChain};
    fill(&parts, module);
    expect_error(&api, &parts, "");
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        fill(&parts, module);
        *places[i] = &chain;
        expect_error(&api, &parts,
            "render pipeline \"pipe\": a chained struct of sType 0x00000002 is not one that this "
            "descriptor takes");
    }
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

// Each enumeration takes its last value (or another error follows) and refuses the one after.
TEST(every_enumeration_has_an_end) {
    struct api api;
    struct parts parts;
    WGPUBlendState blend = WGPU_BLEND_STATE_INIT;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, shader);
    WGPUStencilFaceState *front = &parts.depth_stencil.stencilFront;
    WGPUStencilFaceState *back = &parts.depth_stencil.stencilBack;
    const struct {
        void *place;
        uint32_t end;
        const char *word;
    } rows[] = {
        {&parts.attribute.format, 42, "vertex format"},
        {&parts.buffers[1].stepMode, 3, "vertex step mode"},
        {&parts.descriptor.primitive.topology, 6, "primitive topology"},
        {&parts.descriptor.primitive.stripIndexFormat, 3, "strip index format"},
        {&parts.descriptor.primitive.frontFace, 3, "front face"},
        {&parts.descriptor.primitive.cullMode, 4, "cull mode"},
        {&parts.depth_stencil.format, 102, "texture format"},
        {&parts.depth_stencil.depthWriteEnabled, 3, "depthWriteEnabled"},
        {&parts.depth_stencil.depthCompare, 9, "depth compare function"},
        {&front->compare, 9, "stencil compare function"},
        {&front->failOp, 9, "stencil operation"},
        {&front->depthFailOp, 9, "stencil operation"},
        {&front->passOp, 9, "stencil operation"},
        {&back->compare, 9, "stencil compare function"},
        {&back->failOp, 9, "stencil operation"},
        {&back->depthFailOp, 9, "stencil operation"},
        {&back->passOp, 9, "stencil operation"},
        {&parts.targets[1].format, 102, "texture format"},
        {&blend.color.operation, 6, "blend operation"},
        {&blend.color.srcFactor, 18, "blend factor"},
        {&blend.color.dstFactor, 18, "blend factor"},
        {&blend.alpha.operation, 6, "blend operation"},
        {&blend.alpha.srcFactor, 18, "blend factor"},
        {&blend.alpha.dstFactor, 18, "blend factor"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (int k = 0; k < 2; k++) {
            WGPUBlendState fresh = WGPU_BLEND_STATE_INIT;
            char message[160];
            uint32_t value = k == 0 ? rows[i].end : UINT32_MAX;
            fill(&parts, module);
            blend = fresh;
            parts.targets[1].blend = &blend;
            memcpy(rows[i].place, &value, sizeof(value));
            snprintf(message, sizeof(message),
                "render pipeline \"pipe\": its %s is %u, which is no value of that enumeration",
                rows[i].word, value);
            expect_error(&api, &parts, message);
        }
    }
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

// Each line of the log, joined.
static void on_log(AlbaLogLevel level, WGPUStringView message, void *userdata) {
    UNUSED_PARAMETER(level);
    char line[256];
    api_copy_message(line, sizeof(line), message);
    strncat(userdata, line, 1000 - strlen(userdata));
}

TEST(an_array_that_is_null_is_named) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api, shader);
    char told[1024] = "";
    AlbaLogLevel level = albaGetLogLevel();
    albaSetLogLevel(AlbaLogLevel_Error);
    albaSetLogCallback(on_log, told);
    struct parts parts;
    fill(&parts, module);
    parts.buffers[1].attributeCount = 1;
    parts.buffers[1].attributes = NULL;
    parts.descriptor.vertex.bufferCount = 2;
    CHECK(wgpuDeviceCreateRenderPipeline(api.device, &parts.descriptor) == NULL);
    CHECK(strstr(told,
              "wgpuDeviceCreateRenderPipeline: descriptor->vertex.buffers[1].attributes is NULL") !=
        NULL);
    fill(&parts, module);
    parts.fragment.targets = NULL;
    struct result result;
    CHECK_EQ(create_async(&api, &parts.descriptor, &result).id, 0);
    CHECK(
        strstr(told,
            "wgpuDeviceCreateRenderPipelineAsync: descriptor->fragment->targets is NULL") != NULL);
    albaSetLogCallback(NULL, NULL);
    albaSetLogLevel(level);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

struct maker {
    struct api *api;
    WGPUShaderModule module;
    atomic_int *count; // of pipelines
};

// At once and on the compile thread, all from one module; the last ones on a device that goes.
static void make_many(void *user) {
    struct maker *maker = user;
    for (int i = 0; i < 30; i++) {
        struct parts parts;
        struct result result;
        fill(&parts, maker->module);
        parts.constant.value = i;
        WGPUFuture future = create_async(maker->api, &parts.descriptor, &result);
        WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(
            maker->api->device, &parts.descriptor);
        wgpuBindGroupLayoutRelease(wgpuRenderPipelineGetBindGroupLayout(pipeline, 0));
        wgpuRenderPipelineRelease(pipeline);
        api_wait(maker->api->instance, future);
        if (result.pipeline != NULL) {
            wgpuRenderPipelineRelease(result.pipeline);
            atomic_fetch_add(maker->count, 1);
        }
        if (i == 20) {
            wgpuDeviceDestroy(maker->api->device);
        }
    }
}

TEST(threads_make_pipelines_until_the_device_goes) {
    struct api api;
    atomic_int count = 0;
    struct os_thread threads[4];
    if (!api_begin(&api)) {
        return;
    }
    struct maker maker = {&api, api_shader(&api, shader), &count};
    for (int i = 0; i < 4; i++) {
        CHECK(os_thread_create(&threads[i], make_many, &maker, "maker"));
    }
    for (int i = 0; i < 4; i++) {
        os_thread_join(&threads[i]);
    }
    // With the device lost they come, too, and no error with them.
    CHECK_EQ(atomic_load(&count), 4 * 30);
    CHECK_EQ(atomic_load(&api.error_count), 0);
    wgpuShaderModuleRelease(maker.module);
    api_end(&api);
}

CHECK_MAIN(async_pipelines_outlive_their_descriptor, a_lost_device_makes_pipelines_without_errors,
    automatic_layouts_serve_both_stages, every_struct_refuses_what_it_does_not_know,
    every_enumeration_has_an_end, an_array_that_is_null_is_named,
    threads_make_pipelines_until_the_device_goes)
