// SPDX-License-Identifier: MIT
//
// Finishing of bundles.
#include "webgpu/encode/render_bundle.h"

#include "webgpu/encode/encoder.h"
#include "webgpu/encode/pass.h"
#include "webgpu/event/error.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/pass.h"

#define NAME GPU_NAME(encoder, RENDER_BUNDLE_ENCODER)

static void check_finish(
    struct WGPURenderBundleEncoderImpl *encoder, const WGPURenderBundleDescriptor *descriptor) {
    struct gpu_pass *pass = &encoder->commands.pass;
    struct gpu_first_error *first = &pass->error;
    struct validate_error error = {0};
    if (descriptor != NULL && !validate_no_chain(descriptor->nextInChain, NAME, &error)) {
        encoder_fail(first, &error);
    }
    if (!encoder->object.is_valid) {
        BROKEN(&error, BUNDLE_INVALID, NAME);
        encoder_fail(first, &error);
    }
    if (!validate_usage_scope(pass, &encoder->commands.scope, &error)) {
        encoder_fail(first, &error);
    }
    if (pass->debug_depth != 0) {
        BROKEN(&error, BUNDLE_DEBUG_GROUPS, NAME, pass->debug_depth);
        encoder_fail(first, &error);
    }
    if (encoder->recording.stream != NULL && encoder->recording.stream->has_failed) {
        encoder_fail_text(first, WGPUErrorType_OutOfMemory, "out of memory while encoding");
    }
}

struct WGPURenderBundleImpl *render_bundle_finish(struct WGPURenderBundleEncoderImpl *encoder,
    const WGPURenderBundleDescriptor *descriptor, struct text label) {
    struct gpu_pass *pass = &encoder->commands.pass;
    if (pass->state == GPU_ENCODER_ENDED) {
        struct validate_error error = {0};
        BROKEN(&error, PASS_ENDED, NAME, "wgpuRenderBundleEncoderFinish", pass_end_word(pass));
        pass_report(pass, &error);
        return gpu_render_bundle_create(encoder, label, false);
    }
    check_finish(encoder, descriptor);
    pass->state = GPU_ENCODER_ENDED;
    bool is_valid = !pass->error.has_error;
    if (!is_valid) {
        error_report(
            encoder->object.device, pass->error.type, text_buffer_get(&pass->error.message));
    }
    struct WGPURenderBundleImpl *bundle = gpu_render_bundle_create(encoder, label, is_valid);
    // What an invalid encoder recorded keeps nothing alive any longer.
    gpu_recording_finish(&encoder->recording);
    return bundle;
}
