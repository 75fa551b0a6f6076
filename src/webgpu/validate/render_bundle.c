// SPDX-License-Identifier: MIT
//
// Rules of the creation of bundle encoders.
#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/render_commands.h"
#include "webgpu/validate/words.h"

// The format exists on the device and has what it is meant for.
static bool validate_format(const struct WGPUDeviceImpl *device, uint32_t format, bool is_color,
    const char *what, const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(format);
    if (info == NULL) {
        return BROKEN(error, BUNDLE_ENUM, name, what, (unsigned)format);
    }
    if (!texture_format_can(info, TEXTURE_CAPABILITY_FORMAT, device->features)) {
        const struct feature_info *feature = feature_get_info(
            info->needs[TEXTURE_CAPABILITY_FORMAT]);
        return BROKEN(error, BUNDLE_FORMAT_FEATURE, name, what, info->word, feature->word);
    }
    bool fits = is_color ? info->aspect == TEXTURE_ASPECT_COLOR &&
            texture_format_can(info, TEXTURE_CAPABILITY_RENDER, device->features)
                         : info->aspect != TEXTURE_ASPECT_COLOR;
    return fits ||
        BROKEN(error, BUNDLE_FORMAT, name, what, info->word,
            is_color ? "a color attachment" : "a depth-stencil attachment");
}

bool validate_bundle_encoder(const struct WGPUDeviceImpl *device,
    const WGPURenderBundleEncoderDescriptor *descriptor, const char *name,
    struct gpu_render_layout *out_layout, struct validate_error *error) {
    *out_layout = (struct gpu_render_layout){0};
    TRY(validate_no_chain(descriptor->nextInChain, name, error));
    uint64_t limit = device->limits.values[LIMIT_maxColorAttachments];
    if (descriptor->colorFormatCount > limit) {
        return BROKEN(
            error, BUNDLE_COLOR_COUNT, name, ULL(descriptor->colorFormatCount), ULL(limit));
    }
    for (uint32_t i = 0; i < descriptor->colorFormatCount; i++) {
        if (descriptor->colorFormats[i] == WGPUTextureFormat_Undefined) {
            continue;
        }
        char what[32];
        snprintf(what, sizeof(what), "colorFormats[%u]", i);
        TRY(validate_format(device, descriptor->colorFormats[i], true, what, name, error));
        out_layout->color_formats[i] = descriptor->colorFormats[i];
        out_layout->color_count = i + 1;
    }
    uint64_t bytes_limit = device->limits.values[LIMIT_maxColorAttachmentBytesPerSample];
    uint32_t bytes = validate_count_color_bytes(out_layout);
    if (bytes > bytes_limit) {
        return BROKEN(error, BUNDLE_BYTES, name, bytes, ULL(bytes_limit));
    }
    bool has_depth = descriptor->depthStencilFormat != WGPUTextureFormat_Undefined;
    if (has_depth) {
        TRY(validate_format(
            device, descriptor->depthStencilFormat, false, "depthStencilFormat", name, error));
    }
    if (!has_depth && out_layout->color_count == 0) {
        return BROKEN(error, BUNDLE_NO_ATTACHMENT, name);
    }
    out_layout->depth_stencil_format = descriptor->depthStencilFormat;
    out_layout->sample_count = descriptor->sampleCount;
    return true;
}
