// SPDX-License-Identifier: MIT
//
// The statements of docs/memory_model.md through webgpu.h, on the null adapter: what each allows, and
// what a program is told that breaks it. What shaders compute is for tests/run and tests/lessons.
#include <stdlib.h>

#include "api_helper.h"

#define TEXT_LIMIT 6

// A module that is legal beside one that is not, and what the messages of the second must hold.
struct statement {
    const char *legal; // NULL: another statement has it
    const char *broken;
    const char *texts[TEXT_LIMIT];
};

static void on_info(WGPUCompilationInfoRequestStatus status, const WGPUCompilationInfo *info,
    void *userdata1, void *userdata2) {
    char *all = userdata1;
    size_t *used = userdata2;
    CHECK_EQ(status, WGPUCompilationInfoRequestStatus_Success);
    for (size_t i = 0; i < info->messageCount; i++) {
        WGPUStringView text = info->messages[i].message;
        if (*used + text.length + 2 < 16384) {
            memcpy(all + *used, text.data, text.length);
            *used += text.length;
            all[(*used)++] = '\n';
        }
    }
    all[*used] = 0;
}

static bool compiles(struct api *api, const char *code, char *messages) {
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
    WGPUShaderModule module = api_shader(api, code);
    struct api_scope_result scope = api_pop_scope(api);
    size_t used = 0;
    WGPUCompilationInfoCallbackInfo info = WGPU_COMPILATION_INFO_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = on_info;
    info.userdata1 = messages;
    info.userdata2 = &used;
    api_wait(api->instance, wgpuShaderModuleGetCompilationInfo(module, info));
    wgpuShaderModuleRelease(module);
    return scope.type == WGPUErrorType_NoError;
}

static void check_texts(const char *what, const char *message, const char *const *texts) {
    for (int i = 0; i < TEXT_LIMIT && texts[i] != NULL; i++) {
        if (!CHECK(strstr(message, texts[i]) != NULL)) {
            printf("--- %s\n    lacks '%s' in: %s\n", what, texts[i], message);
        }
    }
}

static void check_statements(const struct statement *rows, size_t count) {
    struct api api;
    char *messages = malloc(16384);
    if (CHECK(messages != NULL) && api_begin(&api)) {
        for (size_t i = 0; i < count; i++) {
            if (rows[i].legal != NULL && !CHECK(compiles(&api, rows[i].legal, messages))) {
                printf("--- %s\n    %s\n", rows[i].legal, messages);
            }
            if (rows[i].broken != NULL && CHECK(!compiles(&api, rows[i].broken, messages))) {
                check_texts(rows[i].broken, messages, rows[i].texts);
            }
        }
        CHECK_EQ(atomic_load(&api.error_count), 0);
        api_end(&api);
    }
    free(messages);
}

#define CHECK_STATEMENTS(rows) check_statements(rows, sizeof(rows) / sizeof((rows)[0]))
#define B0 "@group(0) @binding(0) "
#define MAIN "@compute @workgroup_size(1) fn main()"

// ---- Address spaces ----

TEST(variables_stand_where_their_space_allows) {
    static const struct statement rows[] = {
        // All seven spaces in one module.
        {B0 "var<uniform> u: vec4f; @group(0) @binding(1) var<storage> s: array<f32>;"
            "@group(0) @binding(2) var t: texture_2d<f32>; var<immediate> i: f32;"
            "var<workgroup> w: f32; var<private> p: f32;" MAIN
            "{ var f = 1.0; var<function> g: f32; w = u.x + s[0] + i + p + f + g; _ = t; }",
            NULL, {NULL}},
        {NULL, "fn f() { var<private> a: f32; }", {"'private'", "module scope"}},
        {NULL, "var<function> a: f32;", {"'function'", "only in a function"}},
        {NULL, "var a: f32;", {"'f32' needs an address space", "var<private>"}},
        {"var<workgroup> w: u32; fn a() -> u32 { return w; }" MAIN "{ _ = a(); }",
            "var<workgroup> w: u32; fn c() -> u32 { return w; } fn b() -> u32 { return c(); }"
            "fn a() -> u32 { return b(); }"
            "@vertex fn main() -> @builtin(position) vec4f { return vec4f(f32(a())); }",
            {"workgroup variable 'w'", "vertex entry point 'main'", "'main' calls 'a'",
                "'a' calls 'b'", "'b' calls 'c'", "'c' uses 'w'"}},
        {NULL,
            "var<workgroup> w: u32; fn c() { w = 1; } fn b() { c(); } fn a() { b(); }"
            "@fragment fn main() { a(); }",
            {"workgroup variable 'w'", "fragment entry point 'main'", "'main' calls 'a'",
                "'a' calls 'b'", "'b' calls 'c'"}},
        {B0 "var<uniform> u: f32; @group(9) @binding(99) var<storage> s: f32;",
            "var<storage> a: f32;", {"'a' needs @group and @binding"}},
        {NULL, "@group(0) var<uniform> a: f32;", {"'a' needs @binding"}},
        {NULL, "@binding(0) var a: sampler;", {"'a' needs @group"}},
        {NULL, B0 "var<private> a: f32;", {"'private' has no binding"}},
        {NULL, B0 "var<workgroup> a: f32;", {"'workgroup' has no binding"}},
        {NULL, "fn f() { " B0 "var a: f32; }", {"@group cannot be applied"}},
    };
    CHECK_STATEMENTS(rows);
}

TEST(types_live_where_their_space_admits) {
    static const struct statement rows[] = {
        {"var<workgroup> w: atomic<u32>; " B0 "var<storage, read_write> s: array<atomic<i32>>;",
            "var<private> a: atomic<u32>;", {"atomic<u32>", "'private'", "'workgroup'"}},
        {NULL, "fn f() { var a: atomic<u32>; }", {"atomic<u32>", "'function'"}},
        {NULL, B0 "var<uniform> a: atomic<u32>;", {"atomic<u32>", "'uniform'"}},
        {NULL, B0 "var<storage> a: array<atomic<u32>>;", {"atomics in storage", "'read_write'"}},
        {B0 "var<storage> a: array<f32>;", "var<private> a: array<f32>;",
            {"'private'", "array<f32>", "only in 'storage'"}},
        {NULL, "var<workgroup> a: array<f32>;", {"'workgroup'", "only in 'storage'"}},
        {NULL, "fn f() { var a: array<f32>; }", {"'function'", "only in 'storage'"}},
        {NULL, B0 "var<uniform> a: array<vec4f>;", {"'uniform'", "only in 'storage'"}},
        {NULL, "struct S { n: u32, a: array<vec4f> } " B0 "var<uniform> a: S;",
            {"'uniform'", "'S'", "only in 'storage'"}},
        {NULL, "struct S { a: array<f32>, n: u32 }", {"only be the last member"}},
        {NULL, B0 "var<uniform> a: vec3<bool>;", {"'vec3<bool>'", "not host-shareable"}},
        // 8192 bytes are the least that must work; what alba takes at most is named.
        {"var<private> a: array<f32, 2048>; fn f() { var b: array<f32, 2048>; b[0] = a[0]; }" MAIN
         "{ a[1] = 2; f(); }",
            "var<private> a: array<f32, 20000>; " MAIN "{ a[0] = 1; }",
            {"'main'", "80000 bytes", "limit is 65536"}},
        {NULL, "fn f() { var a: array<f32, 20000>; }", {"80000 bytes", "limit is 65536"}},
        {"override n = 4; var<workgroup> a: array<f32, n>;",
            "override n = 4; var<private> a: array<f32, n>;",
            {"'private'", "only workgroup variables may be sized by an override"}},
    };
    CHECK_STATEMENTS(rows);
}

TEST(access_modes_are_spelled_for_storage_alone) {
    static const struct statement rows[] = {
        {B0 "var<storage> a: f32; @group(0) @binding(1) var<storage, read> b: f32;"
            "@group(0) @binding(2) var<storage, read_write> c: f32;" MAIN "{ c = a + b; }",
            B0 "var<storage, write> a: f32;", {"'read' or 'read_write', never 'write'"}},
        {NULL, "var<private, read_write> a: f32;", {"'private' always has 'read_write'"}},
        {NULL, "var<workgroup, read_write> a: f32;", {"'workgroup' always has 'read_write'"}},
        {NULL, B0 "var<uniform, read> a: f32;", {"'uniform' always has 'read'"}},
        {NULL, "fn f() { var<function, read_write> a: f32; }", {"'function' always has"}},
        // The default of storage is read.
        {NULL, B0 "var<storage> a: f32; " MAIN "{ a = 1; }",
            {"'storage'", "mode 'read' cannot be written", "var<storage, read_write>",
                "[not-assignable, WGSL §assignment]", "fix: insert ', read_write'"}},
        {NULL, B0 "var<uniform> a: f32; " MAIN "{ a = 1; }",
            {"'uniform'", "always read-only", "'storage, read_write'"}},
        {B0 "var a: texture_storage_2d<rgba8unorm, write>;"
            "@group(0) @binding(1) var b: texture_storage_2d<r32uint, read_write>;"
            "@group(0) @binding(2) var c: texture_storage_2d<rgba8unorm, read>;",
            B0 "var a: texture_storage_2d<rgba8unorm>;", {"takes 2 template arguments"}},
        {NULL,
            B0 "var a: texture_storage_2d<r32uint, read>; " MAIN
               "{ textureStore(a, vec2u(), vec4u()); }",
            {"textureStore", "texture_storage_2d<r32uint, read>"}},
        {NULL,
            B0 "var a: texture_storage_2d<r32uint, write>; " MAIN
               "{ _ = textureLoad(a, vec2u()); }",
            {"textureLoad", "texture_storage_2d<r32uint, write>"}},
        {NULL, B0 "var a: sampler; fn f(b: sampler) { a = b; }", {"never assigned"}},
        {NULL, B0 "var<private> a: sampler;", {"'private'", "without an address space"}},
    };
    CHECK_STATEMENTS(rows);
}

TEST(pointers_carry_their_space_and_mode) {
    static const struct statement rows[] = {
        {"fn sum(p: ptr<function, array<f32, 4>>) -> f32 { return (*p)[0] + p[1]; }" MAIN
         "{ var a = array<f32, 4>(); _ = sum(&a); }",
            "fn f(p: ptr<private, u32>) {} var<workgroup> w: u32; " MAIN "{ f(&w); }",
            {"'p'", "ptr<private, u32>", "ptr<workgroup, u32>"}},
        {B0 "var<storage, read_write> s: array<f32>; @group(0) @binding(1) var<uniform> u: vec4f;"
            "var<workgroup> w: f32;"
            "fn f(a: ptr<storage, array<f32>, read_write>, b: ptr<uniform, vec4f>,"
            "     c: ptr<workgroup, f32>) { *c = (*b).x; a[0] = *c; }" MAIN "{ f(&s, &u, &w); }",
            "fn f(p: ptr<function, u32, read_write>) {}", {"'function' always has 'read_write'"}},
        {NULL,
            B0 "var<storage> s: u32; fn f(p: ptr<storage, u32, read_write>) {} " MAIN "{ f(&s); }",
            {"ptr<storage, u32, read_write>", "'p'"}},
        {NULL, B0 "var<storage> s: u32; fn f(p: ptr<storage, u32>) { *p = 1; }",
            {"cannot be written", "ptr<storage, T, read_write>"}},
    };
    CHECK_STATEMENTS(rows);
}

TEST(atomics_are_used_by_their_functions) {
    static const struct statement rows[] = {
        {"var<workgroup> w: atomic<u32>; " B0
         "var<storage, read_write> s: array<atomic<i32>, 2>;" MAIN
         "{ atomicStore(&w, atomicLoad(&w)); _ = atomicAdd(&w, 1u); _ = atomicSub(&w, 1u);"
         "_ = atomicMax(&w, 1u); _ = atomicMin(&w, 1u); _ = atomicAnd(&w, 1u);"
         "_ = atomicOr(&w, 1u); _ = atomicXor(&w, 1u); _ = atomicExchange(&w, 1u);"
         "_ = atomicCompareExchangeWeak(&w, 1u, 2u).exchanged;"
         "atomicStore(&s[1], atomicLoad(&s[0])); _ = atomicAdd(&s[1], 1i);"
         "_ = atomicSub(&s[1], 1i); _ = atomicMax(&s[1], 1i); _ = atomicMin(&s[1], 1i);"
         "_ = atomicAnd(&s[1], 1i); _ = atomicOr(&s[1], 1i); _ = atomicXor(&s[1], 1i);"
         "_ = atomicExchange(&s[1], 1i); _ = atomicCompareExchangeWeak(&s[1], 1i, 2i).old_value; }",
            "var<workgroup> w: atomic<f32>;", {"an atomic cannot hold 'f32'"}},
        {NULL, B0 "var<storage, read_write> s: array<atomic<u32>>; " MAIN "{ let x = s[0] + 1u; }",
            {"atomic<u32>", "atomicLoad(&...)"}},
        {NULL, B0 "var<storage, read_write> s: atomic<u32>; " MAIN "{ s = 1u; }",
            {"atomic<u32>", "atomicStore(&...)"}},
        {NULL,
            B0 "var<storage, read_write> s: atomic<u32>; fn f() { atomicAdd(&s, 1u); }"
               "@vertex fn main() -> @builtin(position) vec4f { f(); return vec4f(); }",
            {"'s'", "vertex entry point 'main'", "'main' calls 'f'"}},
    };
    CHECK_STATEMENTS(rows);
}

TEST(barriers_stand_in_uniform_control_flow) {
    static const struct statement rows[] = {
        {"var<workgroup> w: u32; @compute @workgroup_size(64)"
         "fn main(@builtin(workgroup_id) id: vec3u) {"
         "    if id.x == 3 { workgroupBarrier(); storageBarrier(); textureBarrier(); }"
         "    if workgroupUniformLoad(&w) == 1 { workgroupBarrier(); } }",
            "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
            "    let half = i / 2;\n"
            "    if half < 3 { workgroupBarrier(); } }",
            {"'workgroupBarrier' must be called in uniform control flow",
                "control flow depends on this condition", "may differ between invocations",
                "this input differs between invocations"}},
        {NULL,
            "fn wait(n: u32) { if n > 3 { storageBarrier(); } }"
            "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32)"
            "{ wait(i); }",
            {"'storageBarrier' depends on the parameter 'n'", "'storageBarrier' is called here",
                "this input differs"}},
        {NULL,
            "var<workgroup> w: u32; @compute @workgroup_size(64) fn main()"
            "{ if w == 1 { workgroupBarrier(); } }",
            {"uniform control flow", "reading this memory"}},
        {NULL, "@fragment fn main() { workgroupBarrier(); }",
            {"'workgroupBarrier'", "fragment entry point 'main'", "only compute shaders"}},
    };
    CHECK_STATEMENTS(rows);
}

// ---- Storage and uniform ----

TEST(uniform_layouts_obey_the_classic_rules) {
    static const struct statement rows[] = {
        {"requires uniform_buffer_standard_layout; struct Weights { v: array<f32, 64> } " B0
         "var<uniform> w: Weights;",
            "struct Weights { v: array<f32, 64> } " B0 "var<uniform> w: Weights;",
            {"uniform buffer 'w'", "4 bytes apart, not a multiple of 16", "array<vec4<f32>, 16>",
                "requires uniform_buffer_standard_layout", "storage address space"}},
        {"struct Weights { v: array<f32, 64> } " B0 "var<storage> w: Weights;", NULL, {NULL}},
        {"struct Weights { v: array<vec4f, 16> } " B0 "var<uniform> w: Weights;", NULL, {NULL}},
        {"struct E { @size(16) v: f32 } struct Weights { v: array<E, 64> } " B0
         "var<uniform> w: Weights;",
            NULL, {NULL}},
        {"struct Header { n: u32 } struct Block { head: Header, @align(16) more: f32 } " B0
         "var<uniform> b: Block;",
            "struct Header { n: u32 } struct Block { head: Header, more: f32 } " B0
            "var<uniform> b: Block;",
            {"'more' begins 4 bytes after the structure 'head'", "at least 16", "@align(16)"}},
        {"struct Header { n: u32 } struct Block { head: Header, data: array<f32> } " B0
         "var<storage> b: Block;",
            "struct Header { n: u32 } struct Block { head: Header, data: array<f32> } " B0
            "var<uniform> b: Block;",
            {"'uniform'", "'Block'", "runtime-sized", "'storage'"}},
        {B0 "var<uniform> v: array<vec3f, 4>;", NULL, {NULL}}, // a stride of 16, like everywhere
    };
    CHECK_STATEMENTS(rows);
}

TEST(default_limits_are_the_specified_ones) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPULimits limits = WGPU_LIMITS_INIT;
    CHECK_EQ(wgpuDeviceGetLimits(api.device, &limits), WGPUStatus_Success);
    CHECK_EQ(limits.maxUniformBufferBindingSize, 65536);
    CHECK_EQ(limits.maxStorageBufferBindingSize, 134217728);
    CHECK_EQ(limits.maxBufferSize, 268435456);
    CHECK_EQ(limits.maxUniformBuffersPerShaderStage, 12);
    CHECK_EQ(limits.maxStorageBuffersPerShaderStage, 8);
    CHECK_EQ(limits.maxDynamicUniformBuffersPerPipelineLayout, 8);
    CHECK_EQ(limits.maxDynamicStorageBuffersPerPipelineLayout, 4);
    CHECK_EQ(limits.minUniformBufferOffsetAlignment, 256);
    CHECK_EQ(limits.minStorageBufferOffsetAlignment, 256);
    CHECK_EQ(limits.maxComputeWorkgroupStorageSize, 16384);
    api_end(&api);
}

// ---- Layouts, groups and pipelines ----

static WGPUBindGroupLayout make_layout(struct api *api, WGPUShaderStage visibility,
    WGPUBufferBindingType type, uint32_t count, bool is_dynamic) {
    WGPUBindGroupLayoutEntry entries[16];
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
        entries[i].binding = i;
        entries[i].visibility = visibility;
        entries[i].buffer = WGPU_BUFFER_BINDING_LAYOUT_INIT;
        entries[i].buffer.type = type;
        entries[i].buffer.hasDynamicOffset = is_dynamic;
    }
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("the layout");
    descriptor.entryCount = count;
    descriptor.entries = entries;
    return wgpuDeviceCreateBindGroupLayout(api->device, &descriptor);
}

static WGPUPipelineLayout make_pipeline_layout(struct api *api, WGPUBindGroupLayout layout) {
    WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("the pipeline layout");
    descriptor.bindGroupLayoutCount = 1;
    descriptor.bindGroupLayouts = &layout;
    return wgpuDeviceCreatePipelineLayout(api->device, &descriptor);
}

// Ends the scope and holds its message; texts[0] NULL: no error.
static void check_scope(struct api *api, const char *what, const char *const *texts) {
    struct api_scope_result scope = api_pop_scope(api);
    if (texts[0] == NULL) {
        if (!CHECK_EQ(scope.type, WGPUErrorType_NoError)) {
            printf("--- %s: %s\n", what, scope.message);
        }
    } else if (CHECK_EQ(scope.type, WGPUErrorType_Validation)) {
        check_texts(what, scope.message, texts);
    } else {
        printf("--- %s\n", what);
    }
}

static void begin_scope(struct api *api) {
    wgpuDevicePushErrorScope(api->device, WGPUErrorFilter_Validation);
}

TEST(access_modes_of_shader_and_layout_agree) {
    static const struct {
        const char *mode;
        WGPUBufferBindingType type;
        const char *texts[TEXT_LIMIT];
    } rows[] = {
        {"read", WGPUBufferBindingType_ReadOnlyStorage, {NULL}},
        {"read_write", WGPUBufferBindingType_Storage, {NULL}},
        {"read", WGPUBufferBindingType_Storage,
            {"\"the pipeline\"", "\"a\" at @group(0) @binding(0)", "var<storage, read>",
                "type Storage"}},
        {"read_write", WGPUBufferBindingType_ReadOnlyStorage,
            {"\"the pipeline\"", "\"a\" at @group(0) @binding(0)", "var<storage, read_write>",
                "type ReadOnlyStorage"}},
    };
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char code[256];
        snprintf(code, sizeof(code), B0 "var<storage, %s> a: array<u32>; " MAIN "{ _ = a[0]; }",
            rows[i].mode);
        WGPUShaderModule module = api_shader(&api, code);
        WGPUBindGroupLayout layout = make_layout(
            &api, WGPUShaderStage_Compute, rows[i].type, 1, false);
        WGPUPipelineLayout whole = make_pipeline_layout(&api, layout);
        begin_scope(&api);
        WGPUComputePipeline pipeline = api_pipeline(&api, module, whole);
        check_scope(&api, code, rows[i].texts);
        wgpuComputePipelineRelease(pipeline);
        wgpuPipelineLayoutRelease(whole);
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
    }
    api_end(&api);
}

TEST(vertex_shaders_see_nothing_writable) {
    static const struct {
        WGPUShaderStage visibility;
        WGPUBufferBindingType type;
        const char *texts[TEXT_LIMIT];
    } rows[] = {
        {WGPUShaderStage_Vertex | WGPUShaderStage_Fragment | WGPUShaderStage_Compute,
            WGPUBufferBindingType_ReadOnlyStorage, {NULL}},
        {WGPUShaderStage_Fragment | WGPUShaderStage_Compute, WGPUBufferBindingType_Storage, {NULL}},
        {WGPUShaderStage_Vertex, WGPUBufferBindingType_Storage,
            {"\"the layout\"", "binding 0", "vertex", "ReadOnlyStorage can"}},
    };
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_scope(&api);
        WGPUBindGroupLayout layout = make_layout(&api, rows[i].visibility, rows[i].type, 1, false);
        check_scope(&api, "visibility", rows[i].texts);
        wgpuBindGroupLayoutRelease(layout);
    }
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.visibility = WGPUShaderStage_Vertex;
    entry.storageTexture.format = WGPUTextureFormat_R32Uint;
    entry.storageTexture.viewDimension = WGPUTextureViewDimension_2D;
    WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("textures");
    descriptor.entryCount = 1;
    descriptor.entries = &entry;
    for (int is_read_only = 0; is_read_only < 2; is_read_only++) {
        static const char *const texts[] = {"\"textures\"", "binding 0", "vertex", NULL};
        entry.storageTexture.access = is_read_only ? WGPUStorageTextureAccess_ReadOnly
                                                   : WGPUStorageTextureAccess_ReadWrite;
        begin_scope(&api);
        WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(api.device, &descriptor);
        check_scope(&api, "storage texture", is_read_only ? &texts[3] : texts);
        wgpuBindGroupLayoutRelease(layout);
    }
    api_end(&api);
}

TEST(workgroup_memory_is_counted) {
    static const struct {
        const char *code;
        double count; // of the override n
        const char *texts[TEXT_LIMIT];
    } rows[] = {
        {"override n = 1; var<workgroup> a: array<u32, 4096>; " MAIN "{ a[n] = 1; }", 1, {NULL}},
        {"override n = 1; var<workgroup> a: array<u32, 4096>; var<workgroup> b: u32; " MAIN
         "{ a[n] = 1; b = 2; }",
            1, {"\"the pipeline\"", "16400 bytes", "16384", "a: 16384", "b: 4"}},
        {"override n = 1; var<workgroup> a: array<u32, n>; " MAIN "{ a[0] = 1; }", 4096, {NULL}},
        {"override n = 1; var<workgroup> a: array<u32, n>; " MAIN "{ a[0] = 1; }", 4097,
            {"\"the pipeline\"", "16400 bytes", "maxComputeWorkgroupStorageSize, 16384",
                "a: 16388"}},
    };
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        WGPUShaderModule module = api_shader(&api, rows[i].code);
        WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
        constant.key = api_view("n");
        constant.value = rows[i].count;
        WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        descriptor.label = api_view("the pipeline");
        descriptor.compute.module = module;
        descriptor.compute.constantCount = 1;
        descriptor.compute.constants = &constant;
        begin_scope(&api);
        WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(api.device, &descriptor);
        check_scope(&api, rows[i].code, rows[i].texts);
        wgpuComputePipelineRelease(pipeline);
        wgpuShaderModuleRelease(module);
    }
    api_end(&api);
}

TEST(layouts_stay_within_the_slots) {
    static const struct {
        WGPUBufferBindingType type;
        uint32_t count;
        bool is_dynamic;
        const char *texts[TEXT_LIMIT];
    } rows[] = {
        {WGPUBufferBindingType_Uniform, 12, false, {NULL}},
        {WGPUBufferBindingType_Uniform, 13, false,
            {"\"the layout\"", "13", "maxUniformBuffersPerShaderStage, 12"}},
        {WGPUBufferBindingType_ReadOnlyStorage, 8, false, {NULL}},
        {WGPUBufferBindingType_ReadOnlyStorage, 9, false,
            {"\"the layout\"", "9", "maxStorageBuffersPerShaderStage, 8"}},
        {WGPUBufferBindingType_Uniform, 8, true, {NULL}},
        {WGPUBufferBindingType_Uniform, 9, true,
            {"\"the layout\"", "9", "maxDynamicUniformBuffersPerPipelineLayout, 8"}},
        {WGPUBufferBindingType_Storage, 4, true, {NULL}},
        {WGPUBufferBindingType_Storage, 5, true,
            {"\"the layout\"", "5", "maxDynamicStorageBuffersPerPipelineLayout, 4"}},
    };
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_scope(&api);
        WGPUBindGroupLayout layout = make_layout(
            &api, WGPUShaderStage_Compute, rows[i].type, rows[i].count, rows[i].is_dynamic);
        check_scope(&api, "slots", rows[i].texts);
        wgpuBindGroupLayoutRelease(layout);
    }
    api_end(&api);
}

TEST(bound_buffers_have_usage_alignment_and_size) {
    static const struct {
        WGPUBufferBindingType type;
        WGPUBufferUsage usage;
        uint64_t offset;
        uint64_t size;
        const char *texts[TEXT_LIMIT];
    } rows[] = {
        {WGPUBufferBindingType_Storage, WGPUBufferUsage_Storage, 256, 256, {NULL}},
        {WGPUBufferBindingType_Storage, WGPUBufferUsage_Uniform, 0, 256,
            {"\"the buffer\"", "binding 0", "usage", "Storage"}},
        {WGPUBufferBindingType_ReadOnlyStorage, WGPUBufferUsage_Uniform, 0, 256,
            {"\"the buffer\"", "binding 0", "usage", "Storage"}},
        {WGPUBufferBindingType_Uniform, WGPUBufferUsage_Uniform, 0, 65536, {NULL}},
        {WGPUBufferBindingType_Uniform, WGPUBufferUsage_Storage, 0, 256,
            {"\"the buffer\"", "binding 0", "usage", "Uniform"}},
        {WGPUBufferBindingType_Uniform, WGPUBufferUsage_Uniform, 128, 256,
            {"binding 0", "offset 128", "minUniformBufferOffsetAlignment, 256"}},
        {WGPUBufferBindingType_Storage, WGPUBufferUsage_Storage, 128, 256,
            {"binding 0", "offset 128", "minStorageBufferOffsetAlignment, 256"}},
        {WGPUBufferBindingType_Uniform, WGPUBufferUsage_Uniform, 0, 65540,
            {"binding 0", "65540 bytes", "maxUniformBufferBindingSize, 65536"}},
    };
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        WGPUBindGroupLayout layout = make_layout(
            &api, WGPUShaderStage_Compute, rows[i].type, 1, false);
        WGPUBuffer buffer = api_buffer(&api, "the buffer", 131072, rows[i].usage);
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.buffer = buffer;
        entry.offset = rows[i].offset;
        entry.size = rows[i].size;
        WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        descriptor.label = api_view("the group");
        descriptor.layout = layout;
        descriptor.entryCount = 1;
        descriptor.entries = &entry;
        begin_scope(&api);
        WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &descriptor);
        check_scope(&api, "bind group", rows[i].texts);
        wgpuBindGroupRelease(group);
        wgpuBufferRelease(buffer);
        wgpuBindGroupLayoutRelease(layout);
    }
    api_end(&api);
}

// The least size of a binding comes from the shader; one element of a runtime-sized array counts.
TEST(bound_sizes_are_those_that_the_shader_needs) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUShaderModule module = api_shader(&api,
        "struct Header { n: u32 } struct Block { head: Header, data: array<vec4f> } " B0
        "var<storage> b: Block; " MAIN "{ _ = b.data[0]; }");
    WGPUComputePipeline pipeline = api_pipeline(&api, module, NULL);
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    for (uint64_t size = 28; size <= 32; size += 4) { // the data begin at 16, one element has 16
        static const char *const texts[] = {"binding 0", "28 bytes", "32", NULL};
        WGPUBuffer buffer = api_buffer(&api, "short", size, WGPUBufferUsage_Storage);
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.buffer = buffer;
        WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        descriptor.layout = layout;
        descriptor.entryCount = 1;
        descriptor.entries = &entry;
        begin_scope(&api);
        WGPUBindGroup group = wgpuDeviceCreateBindGroup(api.device, &descriptor);
        check_scope(&api, "least size", size == 32 ? &texts[3] : texts);
        wgpuBindGroupRelease(group);
        wgpuBufferRelease(buffer);
    }
    wgpuBindGroupLayoutRelease(layout);
    wgpuComputePipelineRelease(pipeline);
    wgpuShaderModuleRelease(module);
    api_end(&api);
}

// requiredLimits may raise the limit of uniform bindings up to the adapter's, and no further.
TEST(the_uniform_limit_can_be_raised) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPULimits adapter = WGPU_LIMITS_INIT, limits = WGPU_LIMITS_INIT;
    CHECK_EQ(wgpuAdapterGetLimits(api.adapter, &adapter), WGPUStatus_Success);
    CHECK(adapter.maxUniformBufferBindingSize > 65536);
    for (uint64_t more = 0; more < 2; more++) {
        limits = WGPU_LIMITS_INIT;
        limits.maxUniformBufferBindingSize = adapter.maxUniformBufferBindingSize + more;
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.requiredLimits = &limits;
        char message[1024] = "";
        WGPUDevice device = api_request_device(&api, &descriptor, message);
        if (more == 0 && CHECK(device != NULL)) {
            WGPULimits given = WGPU_LIMITS_INIT;
            CHECK_EQ(wgpuDeviceGetLimits(device, &given), WGPUStatus_Success);
            CHECK_EQ(given.maxUniformBufferBindingSize, adapter.maxUniformBufferBindingSize);
            wgpuDeviceRelease(device);
        } else {
            CHECK(device == NULL);
            CHECK(strstr(message, "maxUniformBufferBindingSize") != NULL);
        }
    }
    api_end(&api);
}

CHECK_MAIN(variables_stand_where_their_space_allows, types_live_where_their_space_admits,
    access_modes_are_spelled_for_storage_alone, pointers_carry_their_space_and_mode,
    atomics_are_used_by_their_functions, barriers_stand_in_uniform_control_flow,
    uniform_layouts_obey_the_classic_rules, default_limits_are_the_specified_ones,
    access_modes_of_shader_and_layout_agree, vertex_shaders_see_nothing_writable,
    workgroup_memory_is_counted, layouts_stay_within_the_slots,
    bound_buffers_have_usage_alignment_and_size, bound_sizes_are_those_that_the_shader_needs,
    the_uniform_limit_can_be_raised)
