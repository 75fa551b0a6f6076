// SPDX-License-Identifier: MIT
//
// Begin and end of render passes, and their own commands.
#include "webgpu/encode/render_pass.h"

#include "base/memory.h"
#include "base/try.h"
#include "webgpu/encode/encoder.h"
#include "webgpu/encode/pass.h"
#include "webgpu/encode/query_set.h"
#include "webgpu/encode/render_commands.h"
#include "webgpu/track/usage_scope.h"
#include "webgpu/validate/query_set.h"
#include "webgpu/validate/render_pass.h"

// ---------------------------------------------------------------- begin

static bool use_view(struct WGPURenderPassEncoderImpl *pass, struct WGPUTextureViewImpl *view) {
    struct gpu_pass *base = &pass->commands.pass;
    return encoder_use(base->recording, &base->error, &view->object) &&
        encoder_use(base->recording, &base->error, &view->texture->object);
}

static bool add_attachment(struct WGPURenderPassEncoderImpl *pass, struct WGPUTextureViewImpl *view,
    enum gpu_usage_place place, uint32_t index) {
    TRY(use_view(pass, view));
    return usage_scope_add_attachment(
        &pass->commands.scope, view, view->view.aspect, GPU_USAGE_ATTACHMENT, place, index);
}

static bool add_aspect(struct WGPURenderPassEncoderImpl *pass, struct WGPUTextureViewImpl *view,
    enum texture_aspect aspect, bool is_read_only) {
    if (texture_format_get_aspect(view->view.format, aspect) == 0) {
        return true;
    }
    return usage_scope_add_attachment(&pass->commands.scope, view, aspect,
        is_read_only ? GPU_USAGE_ATTACHMENT_READ : GPU_USAGE_ATTACHMENT,
        GPU_USAGE_DEPTH_STENCIL_ATTACHMENT, 0);
}

// The attachments and query set as the pass's uses; false when out of memory.
static bool use_attachments(
    struct WGPURenderPassEncoderImpl *pass, const WGPURenderPassDescriptor *descriptor) {
    for (uint32_t i = 0; i < descriptor->colorAttachmentCount; i++) {
        const WGPURenderPassColorAttachment *color = &descriptor->colorAttachments[i];
        if (color->view != NULL) {
            TRY(add_attachment(pass, color->view, GPU_USAGE_COLOR_ATTACHMENT, i));
            TRY(color->resolveTarget == NULL ||
                add_attachment(pass, color->resolveTarget, GPU_USAGE_RESOLVE_TARGET, i));
        }
    }
    const WGPURenderPassDepthStencilAttachment *depth = descriptor->depthStencilAttachment;
    if (depth != NULL) {
        TRY(use_view(pass, depth->view));
        TRY(add_aspect(pass, depth->view, TEXTURE_ASPECT_DEPTH, depth->depthReadOnly));
        TRY(add_aspect(pass, depth->view, TEXTURE_ASPECT_STENCIL, depth->stencilReadOnly));
    }
    struct gpu_pass *base = &pass->commands.pass;
    return descriptor->occlusionQuerySet == NULL ||
        encoder_use(base->recording, &base->error, &descriptor->occlusionQuerySet->object);
}

static void fill_color(
    struct command_color_attachment *out, const WGPURenderPassColorAttachment *color) {
    *out = (struct command_color_attachment){.view = NULL};
    if (color->view == NULL) {
        return;
    }
    out->view = &color->view->view;
    out->resolve_target = color->resolveTarget != NULL ? &color->resolveTarget->view : NULL;
    out->depth_slice = color->depthSlice != WGPU_DEPTH_SLICE_UNDEFINED ? color->depthSlice : 0;
    out->load_op = color->loadOp;
    out->store_op = color->storeOp;
    out->clear_value[0] = color->clearValue.r;
    out->clear_value[1] = color->clearValue.g;
    out->clear_value[2] = color->clearValue.b;
    out->clear_value[3] = color->clearValue.a;
}

static void append_begin(struct WGPURenderPassEncoderImpl *pass,
    const WGPURenderPassDescriptor *descriptor, struct text label) {
    struct command_stream *stream = pass->commands.pass.recording->stream;
    const char *copy = command_stream_label(stream, label);
    struct command_begin_render_pass *command = COMMAND_APPEND(
        stream, BEGIN_RENDER_PASS, begin_render_pass);
    if (command == NULL) {
        return;
    }
    command->label = copy;
    command->width = pass->width;
    command->height = pass->height;
    command->sample_count = pass->commands.layout.sample_count;
    command->color_count = (uint32_t)descriptor->colorAttachmentCount;
    for (uint32_t i = 0; i < command->color_count; i++) {
        fill_color(&command->colors[i], &descriptor->colorAttachments[i]);
    }
    command->depth_stencil = (struct command_depth_stencil_attachment){.view = NULL};
    const WGPURenderPassDepthStencilAttachment *depth = descriptor->depthStencilAttachment;
    if (depth != NULL) {
        command->depth_stencil = (struct command_depth_stencil_attachment){
            .view = &depth->view->view,
            .depth_load_op = depth->depthLoadOp,
            .depth_store_op = depth->depthStoreOp,
            .depth_clear_value = depth->depthClearValue,
            .is_depth_read_only = depth->depthReadOnly != WGPU_FALSE,
            .stencil_load_op = depth->stencilLoadOp,
            .stencil_store_op = depth->stencilStoreOp,
            .stencil_clear_value = depth->stencilClearValue,
            .is_stencil_read_only = depth->stencilReadOnly != WGPU_FALSE,
        };
    }
    command->occlusion_query_set = pass->occlusion_query_set != NULL
        ? pass->occlusion_query_set->backend
        : NULL;
}

static void open_pass(struct WGPURenderPassEncoderImpl *pass,
    const WGPURenderPassDescriptor *descriptor, struct text label) {
    struct gpu_pass *base = &pass->commands.pass;
    struct validate_error error = {0};
    struct render_target target;
    struct gpu_name name = gpu_object_get_name(&pass->object, GPU_RENDER_PASS_ENCODER);
    const struct WGPUDeviceImpl *device = pass->object.device;
    const WGPUPassTimestampWrites *writes = descriptor->timestampWrites;
    if (!validate_render_pass(device, descriptor, name.text, &target, &error) ||
        (writes != NULL && !validate_timestamp_writes(device, &pass->object, writes, &error))) {
        encoder_fail(&base->error, &error);
        return;
    }
    const WGPURenderPassDepthStencilAttachment *depth = descriptor->depthStencilAttachment;
    pass->commands.layout = target.layout;
    pass->commands.is_depth_read_only = depth != NULL && depth->depthReadOnly != WGPU_FALSE;
    pass->commands.is_stencil_read_only = depth != NULL && depth->stencilReadOnly != WGPU_FALSE;
    pass->width = target.width;
    pass->height = target.height;
    pass->max_draw_count = target.max_draw_count;
    pass->occlusion_query_set = descriptor->occlusionQuerySet;
    if (!use_attachments(pass, descriptor)) {
        render_fail_memory(&pass->commands);
        return;
    }
    encoder_begin_timestamps(base->recording, &base->error, writes, &pass->end_timestamp);
    append_begin(pass, descriptor, label);
}

struct WGPURenderPassEncoderImpl *render_pass_begin(struct WGPUCommandEncoderImpl *encoder,
    const WGPURenderPassDescriptor *descriptor, struct text label) {
    bool is_open = encoder->state == GPU_ENCODER_OPEN;
    bool is_accepted = encoder_accepts(encoder, "wgpuCommandEncoderBeginRenderPass");
    struct WGPURenderPassEncoderImpl *pass = gpu_render_pass_encoder_create(encoder, label);
    if (pass == NULL) {
        encoder_fail_text(
            &encoder->error, WGPUErrorType_OutOfMemory, "out of memory for a render pass");
        return NULL;
    }
    pass->commands.pass.is_detached = !is_accepted;
    if (is_open) {
        encoder->state = GPU_ENCODER_LOCKED;
    }
    if (is_accepted) {
        open_pass(pass, descriptor, label);
    }
    return pass;
}

// ---------------------------------------------------------------- end

void render_pass_end(struct WGPURenderPassEncoderImpl *pass) {
    struct gpu_pass *base = &pass->commands.pass;
    struct validate_error error = {0};
    if (!base->error.has_error) {
        (void)validate_end_render_pass(pass, &error);
    }
    if (pass_end(base, "wgpuRenderPassEncoderEnd", &error)) {
        (void)COMMAND_APPEND(base->recording->stream, END_RENDER_PASS, end_render_pass);
        encoder_end_timestamps(base->recording, &pass->end_timestamp);
    }
}

// ---------------------------------------------------------------- rasterisation state

void render_pass_set_viewport(struct WGPURenderPassEncoderImpl *pass, float x, float y, float width,
    float height, float min_depth, float max_depth) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderSetViewport")) {
        return;
    }
    struct command_set_viewport viewport = {
        .x = x,
        .y = y,
        .width = width,
        .height = height,
        .min_depth = min_depth,
        .max_depth = max_depth,
    };
    struct validate_error error = {0};
    if (!validate_viewport(pass, &viewport, &error)) {
        encoder_fail(&base->error, &error);
        return;
    }
    struct command_set_viewport *command = COMMAND_APPEND(
        base->recording->stream, SET_VIEWPORT, set_viewport);
    if (command != NULL) {
        viewport.header = command->header;
        *command = viewport;
    }
}

void render_pass_set_scissor_rect(struct WGPURenderPassEncoderImpl *pass, uint32_t x, uint32_t y,
    uint32_t width, uint32_t height) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderSetScissorRect")) {
        return;
    }
    struct command_set_scissor_rect rect = {.x = x, .y = y, .width = width, .height = height};
    struct validate_error error = {0};
    if (!validate_scissor_rect(pass, &rect, &error)) {
        encoder_fail(&base->error, &error);
        return;
    }
    struct command_set_scissor_rect *command = COMMAND_APPEND(
        base->recording->stream, SET_SCISSOR_RECT, set_scissor_rect);
    if (command != NULL) {
        rect.header = command->header;
        *command = rect;
    }
}

void render_pass_set_blend_constant(
    struct WGPURenderPassEncoderImpl *pass, const WGPUColor *color) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderSetBlendConstant")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_blend_constant(pass, color, &error)) {
        encoder_fail(&base->error, &error);
        return;
    }
    struct command_set_blend_constant *command = COMMAND_APPEND(
        base->recording->stream, SET_BLEND_CONSTANT, set_blend_constant);
    if (command != NULL) {
        command->color[0] = color->r;
        command->color[1] = color->g;
        command->color[2] = color->b;
        command->color[3] = color->a;
    }
}

void render_pass_set_stencil_reference(struct WGPURenderPassEncoderImpl *pass, uint32_t reference) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderSetStencilReference")) {
        return;
    }
    struct command_set_stencil_reference *command = COMMAND_APPEND(
        base->recording->stream, SET_STENCIL_REFERENCE, set_stencil_reference);
    if (command != NULL) {
        command->reference = reference;
    }
}

// ---------------------------------------------------------------- queries

void render_pass_begin_occlusion_query(struct WGPURenderPassEncoderImpl *pass, uint32_t index) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderBeginOcclusionQuery")) {
        return;
    }
    const struct WGPUQuerySetImpl *set = pass->occlusion_query_set;
    if (set != NULL && pass->occlusion_queries_begun == NULL) {
        size_t words = ((size_t)set->count + 63) / 64 + 1;
        pass->occlusion_queries_begun = memory_allocate_zeroed(
            MEMORY_COMMAND, words, sizeof(uint64_t));
        if (pass->occlusion_queries_begun == NULL) {
            render_fail_memory(&pass->commands);
            return;
        }
    }
    bool is_begun = set != NULL && index < set->count &&
        ((pass->occlusion_queries_begun[index / 64] >> (index % 64)) & 1u) != 0;
    struct validate_error error = {0};
    if (!validate_begin_occlusion_query(pass, index, is_begun, &error)) {
        encoder_fail(&base->error, &error);
        return;
    }
    pass->occlusion_queries_begun[index / 64] |= (uint64_t)1 << (index % 64);
    pass->is_occlusion_query_active = true;
    struct command_begin_occlusion_query *command = COMMAND_APPEND(
        base->recording->stream, BEGIN_OCCLUSION_QUERY, begin_occlusion_query);
    if (command != NULL) {
        command->index = index;
    }
}

void render_pass_end_occlusion_query(struct WGPURenderPassEncoderImpl *pass) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderEndOcclusionQuery")) {
        return;
    }
    struct validate_error error = {0};
    if (!validate_end_occlusion_query(pass, &error)) {
        encoder_fail(&base->error, &error);
        return;
    }
    pass->is_occlusion_query_active = false;
    (void)COMMAND_APPEND(base->recording->stream, END_OCCLUSION_QUERY, end_occlusion_query);
}

// ---------------------------------------------------------------- bundles

static bool execute_bundle(
    struct WGPURenderPassEncoderImpl *pass, struct WGPURenderBundleImpl *bundle) {
    struct gpu_pass *base = &pass->commands.pass;
    TRY(encoder_use(base->recording, &base->error, &bundle->object));
    TRY(usage_scope_merge(&pass->commands.scope, bundle, &bundle->scope, base->call_count));
    render_count_draws(&pass->commands, bundle->recording.draw_count);
    struct command_execute_bundle *command = COMMAND_APPEND(
        base->recording->stream, EXECUTE_BUNDLE, execute_bundle);
    if (command != NULL) {
        command->stream = bundle->recording.stream;
    }
    return true;
}

void render_pass_execute_bundles(struct WGPURenderPassEncoderImpl *pass, size_t count,
    struct WGPURenderBundleImpl *const *bundles) {
    struct gpu_pass *base = &pass->commands.pass;
    if (!pass_accepts(base, "wgpuRenderPassEncoderExecuteBundles")) {
        return;
    }
    struct validate_error error = {0};
    for (size_t i = 0; i < count; i++) {
        if (!validate_execute_bundle(pass, (uint32_t)i, bundles[i], &error)) {
            encoder_fail(&base->error, &error);
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!execute_bundle(pass, bundles[i])) {
            render_fail_memory(&pass->commands);
            return;
        }
    }
    gpu_render_commands_reset(&pass->commands);
}
