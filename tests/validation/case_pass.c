// SPDX-License-Identifier: MIT
//
// Compute passes: state, bind groups, immediate data, dispatches and what they use.
#include "validation.h"

#define EMPTY_MAIN "@compute @workgroup_size(1) fn main() {}"
#define READS_A "@compute @workgroup_size(1) fn main() { _ = a[0]; }"

// A pass with its encoder; end_pass ends, finishes and releases both.
struct open_pass {
    WGPUCommandEncoder encoder;
    WGPUComputePassEncoder pass;
};

static struct open_pass open_pass(struct validation *v) {
    struct open_pass open;
    open.encoder = begin_encoder(v);
    open.pass = begin_pass(open.encoder);
    return open;
}

static void end_pass(struct open_pass open) {
    finish_pass_and_release(open.encoder, open.pass);
}

CASE(PASS_ENDED) {
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderEnd(open.pass);
    if (is_broken) {
        wgpuComputePassEncoderSetBindGroup(open.pass, 0, NULL, 0, NULL);
    }
    finish_and_release(open.encoder);
    wgpuComputePassEncoderRelease(open.pass);
}
CASE(PASS_PARENT_ENDED) {
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPUCommandBuffer commands = NULL;
    WGPUComputePassEncoder pass = NULL;
    if (is_broken) {
        // A pass that began on a finished encoder: that is one error, which is not ours here.
        commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
        pass = begin_pass(encoder);
        api_pop_scope(&v->api);
        wgpuComputePassEncoderEnd(pass);
    } else {
        pass = begin_pass(encoder);
        wgpuComputePassEncoderEnd(pass);
        commands = wgpuCommandEncoderFinish(encoder, NULL);
    }
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
}
CASE(PASS_DEBUG_GROUPS) {
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderPushDebugGroup(open.pass, api_view("outer"));
    wgpuComputePassEncoderPushDebugGroup(open.pass, api_view("inner"));
    wgpuComputePassEncoderInsertDebugMarker(open.pass, api_view("marker"));
    wgpuComputePassEncoderPopDebugGroup(open.pass);
    if (!is_broken) {
        wgpuComputePassEncoderPopDebugGroup(open.pass);
    }
    end_pass(open);
}

// ---------------------------------------------------------------- state

CASE(SET_PIPELINE) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUComputePipeline pipeline = make_pipeline(v, NULL, is_broken ? "?" : EMPTY_MAIN);
    api_pop_scope(&v->api);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, pipeline);
    end_pass(open);
    wgpuComputePipelineRelease(pipeline);
}
CASE(SET_GROUP_INDEX) {
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetBindGroup(open.pass, is_broken ? 4 : 3, NULL, 0, NULL);
    end_pass(open);
}
CASE(SET_GROUP) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Uniform);
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBuffer buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Uniform);
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    WGPUBindGroup group = make_group(v, layout, buffer, is_broken ? 1 : 0, 16);
    api_pop_scope(&v->api);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetBindGroup(open.pass, 0, group, 0, NULL);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
}

// Sets a group of one dynamic binding of 256 bytes in a buffer "b" of 1024.
static void set_dynamic(struct validation *v, size_t count, uint32_t offset) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Uniform);
    entry.buffer.hasDynamicOffset = WGPU_TRUE;
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBuffer buffer = make_buffer(v, "b", 1024, WGPUBufferUsage_Uniform);
    WGPUBindGroup group = make_group(v, layout, buffer, 256, 256);
    uint32_t offsets[2] = {offset, 0};
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetBindGroup(open.pass, 0, group, count, offsets);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
}

CASE(DYNAMIC_COUNT) {
    set_dynamic(v, is_broken ? 2 : 1, 0);
}
CASE(DYNAMIC_ALIGNMENT) {
    set_dynamic(v, 1, is_broken ? 128 : 256);
}
CASE(DYNAMIC_RANGE) {
    set_dynamic(v, 1, is_broken ? 768 : 512);
}

static void set_immediates(struct validation *v, uint32_t offset, size_t size) {
    static const unsigned char bytes[128];
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetImmediates(open.pass, offset, bytes, size);
    end_pass(open);
}

CASE(IMMEDIATES_OFFSET) {
    set_immediates(v, is_broken ? 2 : 4, 4);
}
CASE(IMMEDIATES_SIZE) {
    set_immediates(v, 0, is_broken ? 5 : 4);
}
CASE(IMMEDIATES_RANGE) {
    set_immediates(v, 60, is_broken ? 8 : 4);
}

// ---------------------------------------------------------------- dispatches

static void dispatch(
    struct validation *v, WGPUComputePipeline pipeline, uint32_t x, uint32_t y, uint32_t z) {
    struct open_pass open = open_pass(v);
    if (pipeline != NULL) {
        wgpuComputePassEncoderSetPipeline(open.pass, pipeline);
    }
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, x, y, z);
    end_pass(open);
}

CASE(BOUND_PIPELINE) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL, EMPTY_MAIN);
    dispatch(v, is_broken ? NULL : pipeline, 1, 1, 1);
    wgpuComputePipelineRelease(pipeline);
}
CASE(DISPATCH_COUNT) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL, EMPTY_MAIN);
    dispatch(v, pipeline, 1, is_broken ? 65536 : 65535, 1);
    wgpuComputePipelineRelease(pipeline);
}
CASE(DISPATCH_INDEX) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL,
        "requires linear_indexing;\n"
        "@compute @workgroup_size(1) fn main(@builtin(workgroup_index) i: u32) { _ = i; }");
    dispatch(v, pipeline, 65535, 65535, is_broken ? 2 : 1);
    wgpuComputePipelineRelease(pipeline);
}

// A pipeline of one storage buffer with an explicit layout, and a group for it.
struct one_buffer {
    WGPUBindGroupLayout layout;
    WGPUPipelineLayout pipeline_layout;
    WGPUComputePipeline pipeline;
    WGPUBuffer buffer;
    WGPUBindGroup group;
};

static struct one_buffer make_one_buffer(struct validation *v, uint64_t size) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    struct one_buffer one;
    one.layout = make_layout(v, &entry, 1);
    one.pipeline_layout = make_pipeline_layout(v, &one.layout, 1, 0);
    one.pipeline = make_pipeline(
        v, one.pipeline_layout, "@group(0) @binding(0) var<storage> a: array<u32, 16>;\n" READS_A);
    one.buffer = make_buffer(v, "b", 256, WGPUBufferUsage_Storage);
    one.group = make_group(v, one.layout, one.buffer, 0, size);
    return one;
}

static void release_one_buffer(struct one_buffer *one) {
    wgpuBindGroupRelease(one->group);
    wgpuBufferRelease(one->buffer);
    wgpuComputePipelineRelease(one->pipeline);
    wgpuPipelineLayoutRelease(one->pipeline_layout);
    wgpuBindGroupLayoutRelease(one->layout);
}

CASE(BOUND_GROUP) {
    struct one_buffer one = make_one_buffer(v, 256);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, one.pipeline);
    wgpuComputePassEncoderSetBindGroup(open.pass, is_broken ? 1 : 0, one.group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, 1, 1, 1);
    end_pass(open);
    release_one_buffer(&one);
}
// `entry` is that of the bind group's layout; the pipeline's has one read-only storage buffer.
static void bind_other_layout(struct validation *v, const WGPUBindGroupLayoutEntry *entry) {
    struct one_buffer one = make_one_buffer(v, 256);
    WGPUBindGroupLayout layout = make_layout(v, entry, 1);
    wgpuBindGroupLayoutSetLabel(layout, api_view("second"));
    WGPUBindGroupEntry bound = WGPU_BIND_GROUP_ENTRY_INIT;
    bound.binding = entry->binding;
    bound.buffer = one.buffer;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = api_view("group");
    descriptor.layout = layout;
    descriptor.entryCount = 1;
    descriptor.entries = &bound;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(v->api.device, &descriptor);
    struct open_pass open = open_pass(v);
    uint32_t offset = 0;
    wgpuComputePassEncoderSetPipeline(open.pass, one.pipeline);
    wgpuComputePassEncoderSetBindGroup(
        open.pass, 0, group, entry->buffer.hasDynamicOffset ? 1 : 0, &offset);
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, 1, 1, 1);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBindGroupLayoutRelease(layout);
    release_one_buffer(&one);
}
// An equal layout will do; one that differs in one member will not.
CASE(BOUND_LAYOUT) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    entry.visibility = is_broken ? WGPUShaderStage_Compute | WGPUShaderStage_Fragment
                                 : WGPUShaderStage_Compute;
    bind_other_layout(v, &entry);
}
CASE(BOUND_TYPE) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        0, is_broken ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage);
    bind_other_layout(v, &entry);
}
CASE(BOUND_NUMBER) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(
        is_broken ? 1 : 0, WGPUBufferBindingType_ReadOnlyStorage);
    bind_other_layout(v, &entry);
}
CASE(BOUND_DYNAMIC) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    entry.buffer.hasDynamicOffset = is_broken;
    bind_other_layout(v, &entry);
}
CASE(BOUND_MINIMUM) {
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_ReadOnlyStorage);
    entry.buffer.minBindingSize = is_broken ? 64 : 0;
    bind_other_layout(v, &entry);
}
CASE(BOUND_SIZE) {
    struct one_buffer one = make_one_buffer(v, is_broken ? 60 : 64);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, one.pipeline);
    wgpuComputePassEncoderSetBindGroup(open.pass, 0, one.group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, 1, 1, 1);
    end_pass(open);
    release_one_buffer(&one);
}
CASE(BOUND_IMMEDIATES) {
    // The padding after the vec3 need not be set.
    WGPUPipelineLayout layout = make_pipeline_layout(v, NULL, 0, 32);
    WGPUComputePipeline pipeline = make_pipeline(v, layout,
        "requires immediate_address_space;\n"
        "struct I { a: vec3u, @align(16) b: u32 }\n"
        "var<immediate> i: I;\n"
        "@compute @workgroup_size(1) fn main() { _ = i.a; _ = i.b; }");
    static const uint32_t words[3] = {1, 2, 3};
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, pipeline);
    wgpuComputePassEncoderSetImmediates(open.pass, 0, words, 12);
    if (!is_broken) {
        wgpuComputePassEncoderSetImmediates(open.pass, 16, words, 4);
    }
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, 1, 1, 1);
    end_pass(open);
    wgpuComputePipelineRelease(pipeline);
    wgpuPipelineLayoutRelease(layout);
}

// Binds two ranges of one buffer "b" of 1024 bytes in one group and dispatches.
static void dispatch_two(struct validation *v, WGPUBufferBindingType first,
    WGPUBufferBindingType second, uint64_t second_offset) {
    WGPUBindGroupLayoutEntry layout_entries[2] = {buffer_entry(0, first), buffer_entry(1, second)};
    WGPUBindGroupLayout layout = make_layout(v, layout_entries, 2);
    WGPUPipelineLayout pipeline_layout = make_pipeline_layout(v, &layout, 1, 0);
    WGPUComputePipeline pipeline = make_pipeline(v, pipeline_layout, EMPTY_MAIN);
    WGPUBuffer buffer = make_buffer(v, "b", 1024, WGPUBufferUsage_Storage);
    WGPUBindGroupEntry entries[2] = {WGPU_BIND_GROUP_ENTRY_INIT, WGPU_BIND_GROUP_ENTRY_INIT};
    entries[0].buffer = buffer;
    entries[0].size = 260;
    entries[1].binding = 1;
    entries[1].buffer = buffer;
    entries[1].offset = second_offset;
    entries[1].size = 256;
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layout;
    descriptor.entryCount = 2;
    descriptor.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(v->api.device, &descriptor);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, pipeline);
    // Setting it is no error: only a dispatch is.
    wgpuComputePassEncoderSetBindGroup(open.pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, 1, 1, 1);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuComputePipelineRelease(pipeline);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
}

CASE(USAGE_BUFFER) {
    // Even for ranges that do not meet.
    dispatch_two(v, WGPUBufferBindingType_Storage,
        is_broken ? WGPUBufferBindingType_ReadOnlyStorage : WGPUBufferBindingType_Storage, 512);
}
CASE(ALIAS_BUFFER) {
    dispatch_two(
        v, WGPUBufferBindingType_Storage, WGPUBufferBindingType_Storage, is_broken ? 256 : 512);
}

// ---------------------------------------------------------------- indirect dispatches

static void dispatch_indirect(struct validation *v, WGPUBuffer buffer, uint64_t offset) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL, EMPTY_MAIN);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, pipeline);
    wgpuComputePassEncoderDispatchWorkgroupsIndirect(open.pass, buffer, offset);
    end_pass(open);
    wgpuComputePipelineRelease(pipeline);
    wgpuBufferRelease(buffer);
}

// The indirect buffer is a use of its own: it cannot be written by the same dispatch.
static void run_INDIRECT_WRITTEN(struct validation *v, bool is_broken) {
    WGPUComputePipeline pipeline = make_pipeline(v, NULL,
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
        "@compute @workgroup_size(1) fn main() { a[0] = 1; }");
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBuffer buffer = make_buffer(
        v, "b", 256, WGPUBufferUsage_Indirect | WGPUBufferUsage_Storage);
    WGPUBuffer other = make_buffer(v, "o", 256, WGPUBufferUsage_Indirect);
    WGPUBindGroup group = make_group(v, layout, buffer, 0, 256);
    struct open_pass open = open_pass(v);
    wgpuComputePassEncoderSetPipeline(open.pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(open.pass, 0, group, 0, NULL);
    // Checked anew, though the state has not changed since the dispatch before.
    wgpuComputePassEncoderDispatchWorkgroups(open.pass, 1, 1, 1);
    wgpuComputePassEncoderDispatchWorkgroupsIndirect(open.pass, is_broken ? buffer : other, 0);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuBufferRelease(other);
    wgpuBindGroupLayoutRelease(layout);
    wgpuComputePipelineRelease(pipeline);
}

CASE(INDIRECT_BUFFER) {
    dispatch_indirect(v,
        is_broken ? make_invalid_buffer(v) : make_buffer(v, "b", 12, WGPUBufferUsage_Indirect), 0);
}
CASE(INDIRECT_USAGE) {
    dispatch_indirect(v,
        make_buffer(v, "b", 12, is_broken ? WGPUBufferUsage_Storage : WGPUBufferUsage_Indirect), 0);
}
CASE(INDIRECT_OFFSET) {
    dispatch_indirect(v, make_buffer(v, "b", 32, WGPUBufferUsage_Indirect), is_broken ? 2 : 4);
}
CASE(INDIRECT_RANGE) {
    dispatch_indirect(v, make_buffer(v, "b", 32, WGPUBufferUsage_Indirect), is_broken ? 24 : 20);
}

static const struct
    validation_case
        cases
            [] =
                {
                    ROW(PASS_ENDED,
                        "compute pass encoder \"pass\": wgpuComputePassEncoderSetBindGroup after the pass was ended"),
                    ROW(PASS_PARENT_ENDED,
                        "compute pass encoder \"pass\": wgpuComputePassEncoderEnd, but its command encoder \"enc\" is not in a pass"),
                    ROW(PASS_DEBUG_GROUPS,
                        "compute pass encoder \"pass\": ended with 1 debug groups that were not popped"),
                    ROW(SET_PIPELINE,
                        "compute pass encoder \"pass\": the pipeline to set, compute pipeline \"pipe\", is invalid"),
                    ROW(SET_GROUP_INDEX,
                        "compute pass encoder \"pass\": bind group index 4 must be below the limit maxBindGroups, 4"),
                    ROW(SET_GROUP,
                        "compute pass encoder \"pass\": bind group \"group\" is invalid"),
                    ROW(DYNAMIC_COUNT,
                        "compute pass encoder \"pass\": 2 dynamic offsets were given for bind group \"group\", whose layout has 1 bindings with one"),
                    ROW(DYNAMIC_ALIGNMENT,
                        "compute pass encoder \"pass\": dynamic offset 128 of binding 0 of bind group \"group\" must be a multiple of the limit minUniformBufferOffsetAlignment, 256"),
                    ROW(DYNAMIC_RANGE,
                        "compute pass encoder \"pass\": dynamic offset 768 of binding 0 of bind group \"group\": offset 1024 and 256 bytes reach beyond buffer \"b\" of 1024 bytes"),
                    ROW(IMMEDIATES_OFFSET,
                        "compute pass encoder \"pass\": offset 2 of immediate data must be a multiple of 4"),
                    ROW(IMMEDIATES_SIZE,
                        "compute pass encoder \"pass\": size 5 of immediate data must be a multiple of 4"),
                    ROW(IMMEDIATES_RANGE,
                        "compute pass encoder \"pass\": offset 60 and size 8 of immediate data are over the limit maxImmediateSize, 64"),
                    ROW(BOUND_PIPELINE,
                        "compute pass encoder \"pass\": a dispatch without a pipeline set"),
                    ROW(BOUND_GROUP,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\" needs a bind group at index 0, and none is set"),
                    ROW(BOUND_LAYOUT,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\": bind group \"group\" at index 0 was made for bind group layout \"second\", which does not equal the pipeline's, bind group layout \"layout\": binding 0 has visibility 0x6 in the former, 0x4 in the latter"),
                    {RULE_BOUND_LAYOUT, run_BOUND_TYPE,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\": bind group \"group\" at index 0 was made for bind group layout \"second\", which does not equal the pipeline's, bind group layout \"layout\": binding 0 is a buffer of type Storage in the former, a buffer of type ReadOnlyStorage in the latter"},
                    {RULE_BOUND_LAYOUT, run_BOUND_NUMBER,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\": bind group \"group\" at index 0 was made for bind group layout \"second\", which does not equal the pipeline's, bind group layout \"layout\": binding 0 is in the latter alone"},
                    {RULE_BOUND_LAYOUT, run_BOUND_DYNAMIC,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\": bind group \"group\" at index 0 was made for bind group layout \"second\", which does not equal the pipeline's, bind group layout \"layout\": binding 0 has a dynamic offset in the former alone"},
                    {RULE_BOUND_LAYOUT, run_BOUND_MINIMUM, "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\": bind group \"group\" at index 0 was made for bind group layout \"second\", which does not equal the pipeline's, bind group layout \"layout\": binding 0 has minBindingSize 64 in the former, 0 in the latter"},
                    ROW(BOUND_SIZE,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\": binding 0 of bind group \"group\" at index 0 has 60 bytes of buffer \"b\", but the shader needs 64"),
                    ROW(USAGE_BUFFER,
                        "compute pass encoder \"pass\": a dispatch uses buffer \"b\" in two ways that exclude each other: group 0 binding 0 (Storage) of bind group (no label), set by call 2; and group 0 binding 1 (ReadOnlyStorage) of bind group (no label), set by call 2; in one dispatch it may be read in any number of ways, or be writable storage, but not both"),
                    {RULE_USAGE_BUFFER, run_INDIRECT_WRITTEN,
                        "compute pass encoder \"pass\": a dispatch uses buffer \"b\" in two ways that exclude each other: group 0 binding 0 (Storage) of bind group \"group\", set by call 2; and the indirect buffer, used by call 4; in one dispatch it may be read in any number of ways, or be writable storage, but not both"},
                    ROW(ALIAS_BUFFER,
                        "compute pass encoder \"pass\": a dispatch may write to bytes 0 to 260 of buffer \"b\" through group 0 binding 0 (Storage) of bind group (no label), set by call 2, which overlap bytes 256 to 512 bound as group 0 binding 1 (Storage) of bind group (no label), set by call 2"),
                    ROW(BOUND_IMMEDIATES,
                        "compute pass encoder \"pass\": a dispatch of compute pipeline \"pipe\" reads the immediate data at byte 16, which was never set"),
                    ROW(DISPATCH_COUNT,
                        "compute pass encoder \"pass\": a dispatch of 1 x 65536 x 1 workgroups is over the limit maxComputeWorkgroupsPerDimension, 65535"),
                    ROW(DISPATCH_INDEX,
                        "compute pass encoder \"pass\": a dispatch of 65535 x 65535 x 2 workgroups of compute pipeline \"pipe\": the built-in value workgroup_index would not fit 32 bits"),
                    ROW(INDIRECT_BUFFER,
                        "compute pass encoder \"pass\": the indirect buffer, buffer \"bad\", is invalid"),
                    ROW(INDIRECT_USAGE,
                        "compute pass encoder \"pass\": an indirect buffer needs usage Indirect, but buffer \"b\" has usage Storage"),
                    ROW(INDIRECT_OFFSET,
                        "compute pass encoder \"pass\": indirect offset 2 must be a multiple of 4"),
                    ROW(INDIRECT_RANGE,
                        "compute pass encoder \"pass\": 12 bytes at indirect offset 24 reach beyond buffer \"b\" of 32 bytes"),
};
TABLE(pass_table, cases);
