// SPDX-License-Identifier: MIT
//
// Shader modules and compute pipelines.
#include "validation.h"

#include <math.h>

#define EMPTY_MAIN "@compute @workgroup_size(1) fn main() {}"

static void try_pipeline(struct validation *v, WGPUPipelineLayout layout, const char *code) {
    wgpuComputePipelineRelease(make_pipeline(v, layout, code));
}

// Tries the code against a layout of one entry in group 0.
static void try_against(
    struct validation *v, const WGPUBindGroupLayoutEntry *entry, const char *code) {
    WGPUBindGroupLayout layout = make_layout(v, entry, 1);
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, &layout, 1, 0);
    try_pipeline(v, pipeline_layout, code);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
}

// ---------------------------------------------------------------- modules

CASE(MODULE_SOURCE) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = is_broken ? NULL : &source.chain;
    descriptor.label = api_view("m");
    wgpuShaderModuleRelease(wgpuDeviceCreateShaderModule(v->api.device, &descriptor));
}
CASE(MODULE_SPIRV) {
    static const uint32_t word = 0x07230203;
    WGPUShaderSourceSPIRV spirv = WGPU_SHADER_SOURCE_SPIRV_INIT;
    spirv.codeSize = 1;
    spirv.code = &word;
    WGPUShaderSourceWGSL wgsl = WGPU_SHADER_SOURCE_WGSL_INIT;
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = is_broken ? &spirv.chain : &wgsl.chain;
    descriptor.label = api_view("m");
    wgpuShaderModuleRelease(wgpuDeviceCreateShaderModule(v->api.device, &descriptor));
}
CASE(MODULE_WGSL) {
    wgpuShaderModuleRelease(make_module(v, is_broken ? "fn f() -> i32 {}\n" : "fn f() {}\n"));
    // The compiler's words are its own matter: here, that they are passed on with their place.
    if (is_broken) {
        struct api_scope_result scope = api_pop_scope(&v->api);
        wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
        CHECK(strncmp(scope.message, "shader module \"module\" has 1 error:\n  1:", 40) == 0);
        snprintf(v->message, sizeof(v->message), "%.34s", scope.message);
    }
}

// ---------------------------------------------------------------- the stage

CASE(PIPELINE_LAYOUT) {
    WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    descriptor.label = api_view("pl");
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(
        is_broken ? v->other.device : v->api.device, &descriptor);
    try_pipeline(v, layout, EMPTY_MAIN);
    wgpuPipelineLayoutRelease(layout);
}
CASE(PIPELINE_MODULE) {
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("pipe");
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUShaderModule module = make_module(v, is_broken ? "?" : EMPTY_MAIN);
    api_pop_scope(&v->api);
    descriptor.compute.module = module;
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(v->api.device, &descriptor));
    wgpuShaderModuleRelease(module);
}

static void try_entry(struct validation *v, const char *entry_point, const char *code) {
    WGPUShaderModule module = make_module(v, code);
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("pipe");
    descriptor.compute.module = module;
    descriptor.compute.entryPoint = api_view(entry_point);
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(v->api.device, &descriptor));
    wgpuShaderModuleRelease(module);
}

CASE(PIPELINE_ENTRY_POINT) {
    try_entry(v, is_broken ? "mian" : "main", EMPTY_MAIN);
}
CASE(PIPELINE_ENTRY_POINT_DEFAULT) {
    try_entry(
        v, NULL, is_broken ? EMPTY_MAIN " @compute @workgroup_size(1) fn more() {}" : EMPTY_MAIN);
}
CASE(PIPELINE_CONSTANT_FINITE) {
    WGPUShaderModule module = make_module(v,
        "override b: bool = false;\n"
        "@compute @workgroup_size(1) fn main() { _ = b; }");
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = api_view("b");
    constant.value = is_broken ? -(double)INFINITY : -1e300;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("pipe");
    descriptor.compute.module = module;
    descriptor.compute.constantCount = 1;
    descriptor.compute.constants = &constant;
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(v->api.device, &descriptor));
    wgpuShaderModuleRelease(module);
}
CASE(PIPELINE_CONSTANTS) {
    WGPUShaderModule module = make_module(v,
        "override n: u32 = 3;\n"
        "@compute @workgroup_size(n) fn main() {}");
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = api_view(is_broken ? "m" : "n");
    constant.value = 4;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = api_view("pipe");
    descriptor.compute.module = module;
    descriptor.compute.constantCount = 1;
    descriptor.compute.constants = &constant;
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(v->api.device, &descriptor));
    wgpuShaderModuleRelease(module);
    if (is_broken) {
        struct api_scope_result scope = api_pop_scope(&v->api);
        wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
        CHECK(strstr(scope.message, "m") != NULL);
        snprintf(v->message, sizeof(v->message), "%.25s", scope.message);
    }
}

// ---------------------------------------------------------------- shader against layout

#define READS_A "@compute @workgroup_size(1) fn main() { _ = a[0]; }"

CASE(PIPELINE_BINDING_MISSING) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        is_broken ? 1 : 0, WGPUBufferBindingType_ReadOnlyStorage);
    try_against(v, &entry, "@group(0) @binding(0) var<storage> a: array<u32>;\n" READS_A);
}
CASE(PIPELINE_BINDING_TYPE) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        0, is_broken ? WGPUBufferBindingType_ReadOnlyStorage : WGPUBufferBindingType_Storage);
    try_against(
        v, &entry, "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n" READS_A);
}
CASE(PIPELINE_BINDING_VISIBILITY) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    entry.visibility = is_broken ? WGPUShaderStage_Fragment
                                 : WGPUShaderStage_Fragment | WGPUShaderStage_Compute;
    try_against(v, &entry, "@group(0) @binding(0) var<storage> a: array<u32>;\n" READS_A);
}
CASE(PIPELINE_BINDING_MIN_SIZE) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    entry.buffer.minBindingSize = is_broken ? 60 : 64;
    try_against(v, &entry, "@group(0) @binding(0) var<storage> a: array<u32, 16>;\n" READS_A);
}
CASE(PIPELINE_IMMEDIATE_SIZE) {
    WGPUPipelineLayout layout = make_pipeline_layout(v, NULL, 0, is_broken ? 12 : 16);
    try_pipeline(v, layout,
        "requires immediate_address_space;\n"
        "var<immediate> i: vec4f;\n"
        "@compute @workgroup_size(1) fn main() { _ = i; }");
    wgpuPipelineLayoutRelease(layout);
}

// ---------------------------------------------------------------- workgroups

CASE(PIPELINE_WORKGROUP_STORAGE) {
    try_pipeline(v, NULL,
        is_broken ? "var<workgroup> w: array<u32, 4097>;\n"
                    "@compute @workgroup_size(1) fn main() { w[0] = 1; }"
                  : "var<workgroup> w: array<u32, 4096>;\n"
                    "@compute @workgroup_size(1) fn main() { w[0] = 1; }");
}
CASE(PIPELINE_INVOCATIONS) {
    try_pipeline(v, NULL,
        is_broken ? "@compute @workgroup_size(16, 17) fn main() {}"
                  : "@compute @workgroup_size(16, 16) fn main() {}");
}
CASE(PIPELINE_WORKGROUP_SIZE) {
    try_pipeline(v, NULL,
        is_broken ? "@compute @workgroup_size(1, 1, 65) fn main() {}"
                  : "@compute @workgroup_size(1, 1, 64) fn main() {}");
}

// ---------------------------------------------------------------- getBindGroupLayout

CASE(PIPELINE_GET_LAYOUT) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUComputePipeline pipeline = make_pipeline(v, NULL, is_broken ? "?" : EMPTY_MAIN);
    api_pop_scope(&v->api);
    wgpuBindGroupLayoutRelease(wgpuComputePipelineGetBindGroupLayout(pipeline, 0));
    wgpuComputePipelineRelease(pipeline);
}
CASE(PIPELINE_GET_LAYOUT_INDEX) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL, EMPTY_MAIN);
    wgpuBindGroupLayoutRelease(wgpuComputePipelineGetBindGroupLayout(pipeline, is_broken ? 4 : 3));
    wgpuComputePipelineRelease(pipeline);
}

static const struct validation_case cases[] = {
    ROW(MODULE_SOURCE, "shader module \"m\": the descriptor's chain holds no WGPUShaderSourceWGSL"),
    ROW(MODULE_SPIRV,
        "shader module \"m\": WGPUShaderSourceSPIRV needs WGPUInstanceFeatureName_ShaderSourceSPIRV, which is not supported"),
    ROW(MODULE_WGSL, "shader module \"module\" has 1 error"),
    ROW(PIPELINE_LAYOUT, "compute pipeline \"pipe\": pipeline layout \"pl\" is of another device"),
    ROW(PIPELINE_MODULE, "compute pipeline \"pipe\": the module of the compute stage, shader module \"module\", is invalid"),
    ROW(PIPELINE_ENTRY_POINT,
        "compute pipeline \"pipe\": shader module \"module\" has no compute entry point named \"mian\" (it has: main)"),
    ROW(PIPELINE_ENTRY_POINT_DEFAULT,
        "compute pipeline \"pipe\": no entry point was named, and shader module \"module\" has 2 compute entry points instead of one (it has: main, more)"),
    ROW(PIPELINE_CONSTANT_FINITE,
        "compute pipeline \"pipe\": the value of constant \"b\", -inf, must be finite"),
    ROW(PIPELINE_CONSTANTS, "compute pipeline \"pipe\": "),
    ROW(PIPELINE_BINDING_MISSING,
        "compute pipeline \"pipe\": the shader's variable \"a\" at @group(0) @binding(0) is not in pipeline layout \"pl\""),
    ROW(PIPELINE_BINDING_TYPE,
        "compute pipeline \"pipe\": the shader's variable \"a\" at @group(0) @binding(0) is declared var<storage, read_write>, for a buffer of type Storage, but the layout's entry is a buffer of type ReadOnlyStorage"),
    ROW(PIPELINE_BINDING_VISIBILITY,
        "compute pipeline \"pipe\": the shader's variable \"a\" at @group(0) @binding(0) is used by the compute stage, to which the layout's entry is not visible"),
    ROW(PIPELINE_BINDING_MIN_SIZE,
        "compute pipeline \"pipe\": the shader's variable \"a\" at @group(0) @binding(0) needs 64 bytes, but the layout's minBindingSize is 60"),
    ROW(PIPELINE_IMMEDIATE_SIZE,
        "compute pipeline \"pipe\": the shader needs 16 bytes of immediate data, but pipeline layout \"pl\" has an immediateSize of 12"),
    ROW(PIPELINE_WORKGROUP_STORAGE,
        "compute pipeline \"pipe\": entry point \"main\" uses 16400 bytes of workgroup memory, over the limit maxComputeWorkgroupStorageSize, 16384: w: 16388 bytes"),
    ROW(PIPELINE_INVOCATIONS,
        "compute pipeline \"pipe\": entry point \"main\" has workgroups of 16 x 17 x 1 = 272 invocations, over the limit maxComputeInvocationsPerWorkgroup, 256"),
    ROW(PIPELINE_WORKGROUP_SIZE,
        "compute pipeline \"pipe\": entry point \"main\" has a workgroup size of 65 in z, over the limit maxComputeWorkgroupSizeZ, 64"),
    ROW(PIPELINE_GET_LAYOUT, "compute pipeline \"pipe\" is invalid and has no bind group layouts"),
    ROW(PIPELINE_GET_LAYOUT_INDEX,
        "compute pipeline \"pipe\": bind group index 4 must be below the limit maxBindGroups, 4"),
};
TABLE(pipeline_table, cases);
