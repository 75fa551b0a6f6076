// SPDX-License-Identifier: MIT
//
// Rules of WebGPU §"Color Attachments" and §"Depth/Stencil Attachments", one attachment at a time.
#pragma once

#include "webgpu/object/device.h"
#include "webgpu/object/texture.h"
#include "webgpu/validate/rule.h"

// How messages name an attachment: "color attachment 0", "the resolve target of color attachment
// 0", "the depth-stencil attachment".
struct attachment_words {
    char text[64];
};
struct attachment_words attachment_describe(uint32_t index, bool is_resolve_target);
extern const char attachment_depth_stencil_words[];

bool validate_color_attachment(const struct WGPUDeviceImpl *device,
    const WGPURenderPassColorAttachment *attachment, uint32_t index, const char *name,
    struct validate_error *error);
bool validate_depth_stencil_attachment(const struct WGPUDeviceImpl *device,
    const WGPURenderPassDepthStencilAttachment *attachment, const char *name,
    struct validate_error *error);
