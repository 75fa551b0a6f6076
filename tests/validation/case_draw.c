// SPDX-License-Identifier: MIT
//
// What is set for draws, and draws, in render passes and bundles.
#include "validation.h"

#define FORMAT WGPUTextureFormat_RGBA8Unorm

// A pass "pass" on one attachment; end_pass ends, finishes and releases all.
struct open_pass {
    WGPUCommandEncoder encoder;
    WGPURenderPassEncoder pass;
    WGPUTextureView view;
};

static struct open_pass open_limited(struct validation *v, uint64_t max_draw_count) {
    struct open_pass open;
    open.view = make_target(v, FORMAT, 4, 4, 1);
    open.encoder = begin_encoder(v);
    WGPURenderPassColorAttachment color = color_attachment(open.view);
    WGPURenderPassMaxDrawCount limit = WGPU_RENDER_PASS_MAX_DRAW_COUNT_INIT;
    limit.maxDrawCount = max_draw_count;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.nextInChain = &limit.chain;
    descriptor.label = api_view("pass");
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    open.pass = wgpuCommandEncoderBeginRenderPass(open.encoder, &descriptor);
    return open;
}

static struct open_pass open_pass(struct validation *v) {
    return open_limited(v, 1000);
}

static void end_pass(struct open_pass open) {
    finish_render_pass_and_release(open.encoder, open.pass);
    wgpuTextureViewRelease(open.view);
}

static WGPURenderPipeline make_plain_pipeline(struct validation *v) {
    struct render_case r;
    begin_render(v, &r, NULL);
    return make_render_pipeline(v, &r);
}

static WGPUBuffer make_usable_buffer(struct validation *v, uint64_t size) {
    return make_buffer(
        v, "b", size, WGPUBufferUsage_Vertex | WGPUBufferUsage_Index | WGPUBufferUsage_Indirect);
}

// ---------------------------------------------------------------- pipelines

static void set_pipeline(struct validation *v, WGPURenderPipeline pipeline) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    end_pass(open);
    wgpuRenderPipelineRelease(pipeline);
}

CASE(SET_RENDER_PIPELINE) {
    wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
    struct render_case r;
    begin_render(v, &r, NULL);
    r.fragment.targetCount = is_broken ? 0 : 1;
    WGPURenderPipeline pipeline = make_render_pipeline(v, &r);
    api_pop_scope(&v->api);
    set_pipeline(v, pipeline);
}
CASE(SET_RENDER_LAYOUT) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.multisample.count = is_broken ? 4 : 1;
    set_pipeline(v, make_render_pipeline(v, &r));
}

// A pipeline that writes depth, or stencil, in a pass whose depth and stencil are read-only or not.
static void set_writing(struct validation *v, bool writes_depth, bool is_read_only) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.depthStencil = &r.depth_stencil;
    r.depth_stencil.depthCompare = WGPUCompareFunction_Always;
    if (writes_depth) {
        r.depth_stencil.depthWriteEnabled = WGPUOptionalBool_True;
    } else {
        r.depth_stencil.stencilFront.passOp = WGPUStencilOperation_Replace;
    }
    WGPURenderPipeline pipeline = make_render_pipeline(v, &r);
    WGPUTextureView color = make_target(v, FORMAT, 4, 4, 1);
    WGPUTextureView depth = make_target(v, WGPUTextureFormat_Depth24PlusStencil8, 4, 4, 1);
    WGPURenderPassColorAttachment attachment = color_attachment(color);
    WGPURenderPassDepthStencilAttachment depth_stencil =
        WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    depth_stencil.view = depth;
    depth_stencil.depthReadOnly = writes_depth && is_read_only;
    depth_stencil.stencilReadOnly = !writes_depth && is_read_only;
    if (!depth_stencil.depthReadOnly) {
        depth_stencil.depthLoadOp = WGPULoadOp_Load;
        depth_stencil.depthStoreOp = WGPUStoreOp_Store;
    }
    if (!depth_stencil.stencilReadOnly) {
        depth_stencil.stencilLoadOp = WGPULoadOp_Load;
        depth_stencil.stencilStoreOp = WGPUStoreOp_Store;
    }
    WGPUCommandEncoder encoder = begin_encoder(v);
    WGPURenderPassEncoder pass = begin_render_pass(encoder, &attachment, 1, &depth_stencil);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    finish_render_pass_and_release(encoder, pass);
    wgpuTextureViewRelease(depth);
    wgpuTextureViewRelease(color);
    wgpuRenderPipelineRelease(pipeline);
}

CASE(SET_RENDER_READ_ONLY) {
    set_writing(v, true, is_broken);
}
static void run_SET_RENDER_READ_ONLY_STENCIL(struct validation *v, bool is_broken) {
    set_writing(v, false, is_broken);
}

// ---------------------------------------------------------------- index buffers

static void set_index(struct validation *v, WGPUBuffer buffer, WGPUIndexFormat format,
    uint64_t offset, uint64_t size) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetIndexBuffer(open.pass, buffer, format, offset, size);
    end_pass(open);
    wgpuBufferRelease(buffer);
}

CASE(SET_INDEX_BUFFER) {
    set_index(v,
        is_broken ? make_foreign_buffer(v, WGPUBufferUsage_Index) : make_usable_buffer(v, 16),
        WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
}
CASE(SET_INDEX_USAGE) {
    set_index(v,
        make_buffer(v, "b", 16, is_broken ? WGPUBufferUsage_Vertex : WGPUBufferUsage_Index),
        WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
}
CASE(SET_INDEX_FORMAT) {
    set_index(v, make_usable_buffer(v, 16),
        is_broken ? WGPUIndexFormat_Undefined : WGPUIndexFormat_Uint16, 0, WGPU_WHOLE_SIZE);
}
CASE(SET_INDEX_OFFSET) {
    set_index(v, make_usable_buffer(v, 16),
        is_broken ? WGPUIndexFormat_Uint32 : WGPUIndexFormat_Uint16, 2, WGPU_WHOLE_SIZE);
}
CASE(SET_INDEX_RANGE) {
    set_index(v, make_usable_buffer(v, 16), WGPUIndexFormat_Uint32, 8, is_broken ? 9 : 8);
}

// ---------------------------------------------------------------- vertex buffers

static void set_vertex(
    struct validation *v, uint32_t slot, WGPUBuffer buffer, uint64_t offset, uint64_t size) {
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetVertexBuffer(open.pass, slot, buffer, offset, size);
    end_pass(open);
    if (buffer != NULL) {
        wgpuBufferRelease(buffer);
    }
}

CASE(SET_VERTEX_SLOT) {
    set_vertex(v, is_broken ? 8 : 7, NULL, 0, WGPU_WHOLE_SIZE);
}
CASE(SET_VERTEX_OFFSET) {
    set_vertex(v, 1, make_usable_buffer(v, 16), is_broken ? 2 : 4, WGPU_WHOLE_SIZE);
}
CASE(SET_VERTEX_RANGE) {
    set_vertex(v, 1, make_usable_buffer(v, 16), 12, is_broken ? 5 : 4);
}
static void run_SET_VERTEX_RANGE_NONE(struct validation *v, bool is_broken) {
    set_vertex(v, 1, NULL, is_broken ? 4 : 0, 0);
}
CASE(SET_VERTEX_BUFFER) {
    set_vertex(v, 1,
        is_broken ? make_foreign_buffer(v, WGPUBufferUsage_Vertex) : make_usable_buffer(v, 256), 0,
        WGPU_WHOLE_SIZE);
}
CASE(SET_VERTEX_USAGE) {
    set_vertex(v, 1,
        make_buffer(v, "b", 16, is_broken ? WGPUBufferUsage_Index : WGPUBufferUsage_Vertex), 0,
        WGPU_WHOLE_SIZE);
}

// ---------------------------------------------------------------- draws

static void run_DRAW_PIPELINE(struct validation *v, bool is_broken) {
    WGPURenderPipeline pipeline = make_plain_pipeline(v);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    if (is_broken) {
        // It unsets all state, even without bundles.
        WGPURenderBundle none = NULL;
        wgpuRenderPassEncoderExecuteBundles(open.pass, 0, &none);
    }
    wgpuRenderPassEncoderDraw(open.pass, 3, 1, 0, 0);
    end_pass(open);
    wgpuRenderPipelineRelease(pipeline);
}

// Slot 0 a vertex of 16 bytes every 20, slot 1 an instance of 16 bytes every 32.
static WGPURenderPipeline make_vertex_pipeline(
    struct validation *v, WGPUPrimitiveTopology topology, WGPUIndexFormat strip_format) {
    struct render_case r;
    begin_render(v, &r, NULL);
    r.descriptor.primitive.topology = topology;
    r.descriptor.primitive.stripIndexFormat = strip_format;
    r.descriptor.vertex.bufferCount = 2;
    r.buffers[0].arrayStride = 20;
    r.buffers[0].attributeCount = 1;
    r.buffers[0].attributes = &r.attributes[0];
    r.buffers[0].stepMode = WGPUVertexStepMode_Vertex;
    r.buffers[1].arrayStride = 32;
    r.buffers[1].attributeCount = 1;
    r.buffers[1].attributes = &r.attributes[1];
    r.buffers[1].stepMode = WGPUVertexStepMode_Instance;
    return make_render_pipeline(v, &r);
}

// A pass with that pipeline, and a buffer "b" of 80 bytes in both slots and for indices.
static struct open_pass open_vertices(struct validation *v, bool has_second,
    WGPUPrimitiveTopology topology, WGPUIndexFormat strip_format) {
    WGPURenderPipeline pipeline = make_vertex_pipeline(v, topology, strip_format);
    WGPUBuffer buffer = make_usable_buffer(v, 80);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(open.pass, 0, buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetVertexBuffer(open.pass, 1, buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetIndexBuffer(
        open.pass, buffer, WGPUIndexFormat_Uint16, 8, WGPU_WHOLE_SIZE);
    if (!has_second) {
        wgpuRenderPassEncoderSetVertexBuffer(open.pass, 1, NULL, 0, 0);
    }
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
    return open;
}

static struct open_pass open_triangles(struct validation *v, bool has_second) {
    return open_vertices(
        v, has_second, WGPUPrimitiveTopology_TriangleList, WGPUIndexFormat_Undefined);
}

CASE(DRAW_VERTEX_BUFFER) {
    struct open_pass open = open_triangles(v, !is_broken);
    wgpuRenderPassEncoderDraw(open.pass, 0, 0, 0, 0);
    end_pass(open);
}
CASE(DRAW_VERTEX_RANGE) {
    // Four vertices end at 3 * 20 + 16 = 76 of 80 bytes, five at 96.
    struct open_pass open = open_triangles(v, true);
    wgpuRenderPassEncoderDraw(open.pass, 3, 1, is_broken ? 2 : 1, 0);
    end_pass(open);
}
static void run_DRAW_INSTANCE_RANGE(struct validation *v, bool is_broken) {
    // Three instances end at 2 * 32 + 16 = 80 bytes, four at 112; indexed, so vertices are not known.
    struct open_pass open = open_triangles(v, true);
    wgpuRenderPassEncoderDrawIndexed(open.pass, 36, 2, 0, 1000, is_broken ? 2 : 1);
    end_pass(open);
}
CASE(DRAW_SLOTS) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBindGroups = 8;
    limits.maxVertexBuffers = 18;
    begin_limited_device(v, true, NULL, 0, &limits);
    WGPURenderPipeline pipeline = make_plain_pipeline(v);
    WGPUBindGroupLayoutEntry entry = buffer_entry(0, WGPUBufferBindingType_Uniform);
    WGPUBindGroupLayout layout = make_layout(v, &entry, 1);
    WGPUBuffer uniform = make_buffer(v, "u", 256, WGPUBufferUsage_Uniform);
    WGPUBindGroup group = make_group(v, layout, uniform, 0, 256);
    WGPUBuffer buffer = make_usable_buffer(v, 16);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(open.pass, 6, group, 0, NULL);
    // The pipeline uses neither; each alone is allowed.
    wgpuRenderPassEncoderSetVertexBuffer(open.pass, is_broken ? 17 : 16, buffer, 0, 16);
    wgpuRenderPassEncoderDraw(open.pass, 3, 1, 0, 0);
    end_pass(open);
    wgpuBufferRelease(buffer);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(uniform);
    wgpuBindGroupLayoutRelease(layout);
    wgpuRenderPipelineRelease(pipeline);
    end_device(v);
}
CASE(DRAW_INDEX_BUFFER) {
    WGPURenderPipeline pipeline = make_plain_pipeline(v);
    WGPUBuffer buffer = make_usable_buffer(v, 16);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    if (!is_broken) {
        wgpuRenderPassEncoderSetIndexBuffer(
            open.pass, buffer, WGPUIndexFormat_Uint32, 0, WGPU_WHOLE_SIZE);
    }
    wgpuRenderPassEncoderDrawIndexed(open.pass, 0, 1, 0, 0, 0);
    end_pass(open);
    wgpuBufferRelease(buffer);
    wgpuRenderPipelineRelease(pipeline);
}
CASE(DRAW_INDEX_FORMAT) {
    struct open_pass open = open_vertices(v, true, WGPUPrimitiveTopology_TriangleStrip,
        is_broken ? WGPUIndexFormat_Uint32 : WGPUIndexFormat_Uint16);
    wgpuRenderPassEncoderDrawIndexed(open.pass, 3, 1, 0, 0, 0);
    end_pass(open);
}
CASE(DRAW_INDEX_RANGE) {
    // 72 bytes of 16-bit indices are 36.
    struct open_pass open = open_triangles(v, true);
    wgpuRenderPassEncoderDrawIndexed(open.pass, 30, 1, is_broken ? 7 : 6, 0, 0);
    end_pass(open);
}
static void run_DRAW_INDIRECT_RANGE(struct validation *v, bool is_broken) {
    struct open_pass open = open_triangles(v, true);
    WGPUBuffer buffer = make_usable_buffer(v, 32);
    wgpuRenderPassEncoderDrawIndirect(open.pass, buffer, is_broken ? 20 : 16);
    end_pass(open);
    wgpuBufferRelease(buffer);
}
static void run_DRAW_INDEXED_INDIRECT_RANGE(struct validation *v, bool is_broken) {
    struct open_pass open = open_triangles(v, true);
    WGPUBuffer buffer = make_usable_buffer(v, 32);
    wgpuRenderPassEncoderDrawIndexedIndirect(open.pass, buffer, is_broken ? 16 : 12);
    end_pass(open);
    wgpuBufferRelease(buffer);
}

// Two draws of a bundle and one of the pass.
CASE(PASS_DRAW_COUNT) {
    WGPURenderPipeline pipeline = make_plain_pipeline(v);
    WGPUTextureFormat format = FORMAT;
    WGPURenderBundleEncoderDescriptor descriptor = WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT;
    descriptor.colorFormatCount = 1;
    descriptor.colorFormats = &format;
    WGPURenderBundleEncoder encoder = wgpuDeviceCreateRenderBundleEncoder(
        v->api.device, &descriptor);
    wgpuRenderBundleEncoderSetPipeline(encoder, pipeline);
    wgpuRenderBundleEncoderDraw(encoder, 3, 1, 0, 0);
    wgpuRenderBundleEncoderDraw(encoder, 3, 1, 0, 0);
    WGPURenderBundle bundle = wgpuRenderBundleEncoderFinish(encoder, NULL);
    struct open_pass open = open_limited(v, is_broken ? 2 : 3);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    wgpuRenderPassEncoderDraw(open.pass, 3, 1, 0, 0);
    wgpuRenderPassEncoderExecuteBundles(open.pass, 1, &bundle);
    end_pass(open);
    wgpuRenderBundleRelease(bundle);
    wgpuRenderBundleEncoderRelease(encoder);
    wgpuRenderPipelineRelease(pipeline);
}

// A draw's bind groups are checked like a dispatch's.
static void run_DRAW_GROUP(struct validation *v, bool is_broken) {
    struct render_case r;
    begin_render(v, &r,
        "@group(1) @binding(0) var<uniform> u: vec4f;\n"
        "@vertex fn vs() -> @builtin(position) vec4f { return u; }\n"
        "@fragment fn fs() -> @location(0) vec4f { return vec4f(); }\n");
    WGPURenderPipeline pipeline = make_render_pipeline(v, &r);
    WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 1);
    WGPUBuffer buffer = make_buffer(v, "u", 256, WGPUBufferUsage_Uniform);
    WGPUBindGroup group = make_group(v, layout, buffer, 0, 256);
    struct open_pass open = open_pass(v);
    wgpuRenderPassEncoderSetPipeline(open.pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(open.pass, is_broken ? 0 : 1, group, 0, NULL);
    wgpuRenderPassEncoderDraw(open.pass, 3, 1, 0, 0);
    end_pass(open);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(buffer);
    wgpuBindGroupLayoutRelease(layout);
    wgpuRenderPipelineRelease(pipeline);
}

#define PASS "render pass encoder \"pass\": "
#define PIPE "render pipeline \"pipe\""

static const struct validation_case cases[] = {
    ROW(SET_RENDER_PIPELINE, PASS PIPE " is invalid"),
    ROW(SET_RENDER_LAYOUT,
        PASS PIPE
        " is made for color formats [rgba8unorm], no depth-stencil format and 4 samples, but here there is color formats [rgba8unorm], no depth-stencil format and 1 sample"),
    ROW(SET_RENDER_READ_ONLY, PASS PIPE " writes depth, which is read-only here"),
    {RULE_SET_RENDER_READ_ONLY, run_SET_RENDER_READ_ONLY_STENCIL,
        PASS PIPE " writes stencil, which is read-only here"},
    ROW(SET_INDEX_BUFFER, PASS "the index buffer, buffer \"foreign\", is of another device"),
    ROW(SET_INDEX_USAGE,
        PASS "an index buffer needs usage Index, but buffer \"b\" has usage Vertex"),
    ROW(SET_INDEX_FORMAT, PASS "the index format 0 must be Uint16 or Uint32"),
    ROW(SET_INDEX_OFFSET,
        PASS "the index buffer's offset 2 must be a multiple of 4, the bytes of an index"),
    ROW(SET_INDEX_RANGE,
        PASS "the index buffer's offset 8 and size 9 reach beyond buffer \"b\" of 16 bytes"),
    ROW(SET_VERTEX_SLOT, PASS "vertex buffer slot 8 must be below the limit maxVertexBuffers, 8"),
    ROW(SET_VERTEX_OFFSET, PASS "vertex buffer 1: offset 2 must be a multiple of 4"),
    ROW(SET_VERTEX_RANGE,
        PASS "vertex buffer 1: offset 12 and size 5 reach beyond buffer \"b\" of 16 bytes"),
    {RULE_SET_VERTEX_RANGE, run_SET_VERTEX_RANGE_NONE,
        PASS "vertex buffer 1: offset 4 is beyond NULL, which counts as a buffer of 0 bytes"},
    ROW(SET_VERTEX_BUFFER, PASS "vertex buffer 1, buffer \"foreign\", is of another device"),
    ROW(SET_VERTEX_USAGE,
        PASS "vertex buffer 1 needs usage Vertex, but buffer \"b\" has usage Index"),
    {RULE_BOUND_PIPELINE, run_DRAW_PIPELINE, PASS "a draw without a pipeline set"},
    ROW(DRAW_VERTEX_BUFFER,
        PASS "a draw of " PIPE " needs a vertex buffer in slot 1, and none is set"),
    ROW(DRAW_SLOTS,
        PASS
        "a draw with bind groups set up to index 6 and vertex buffers up to slot 17, 25 together, is over the limit maxBindGroupsPlusVertexBuffers, 24"),
    ROW(DRAW_VERTEX_RANGE,
        PASS
        "a draw of " PIPE
        " reads vertices up to 5, which needs 96 bytes of vertex buffer 0 (stride 20, last 16), but 80 bytes of buffer \"b\" are set"),
    {RULE_DRAW_VERTEX_RANGE, run_DRAW_INSTANCE_RANGE,
        PASS
        "a draw of " PIPE
        " reads instances up to 4, which needs 112 bytes of vertex buffer 1 (stride 32, last 16), but 80 bytes of buffer \"b\" are set"},
    ROW(DRAW_INDEX_BUFFER, PASS "an indexed draw without an index buffer set"),
    ROW(DRAW_INDEX_FORMAT,
        PASS
        "an indexed draw of " PIPE
        ", whose topology is a strip with stripIndexFormat Uint32, but the index buffer has format Uint16"),
    ROW(DRAW_INDEX_RANGE,
        PASS
        "an indexed draw of 30 indices from index 7 reaches beyond the 36 indices of buffer \"b\" that are set"),
    {RULE_INDIRECT_RANGE, run_DRAW_INDIRECT_RANGE,
        PASS "16 bytes at indirect offset 20 reach beyond buffer \"b\" of 32 bytes"},
    {RULE_INDIRECT_RANGE, run_DRAW_INDEXED_INDIRECT_RANGE,
        PASS "20 bytes at indirect offset 16 reach beyond buffer \"b\" of 32 bytes"},
    ROW(PASS_DRAW_COUNT, PASS "3 draws, those of bundles included, are over its maxDrawCount, 2"),
    {RULE_BOUND_GROUP, run_DRAW_GROUP,
        PASS "a draw of " PIPE " needs a bind group at index 1, and none is set"},
};
TABLE(draw_table, cases);
