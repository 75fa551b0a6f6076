// SPDX-License-Identifier: MIT
//
// Render bundle encoders: WebGPU §"Bundles"; render_commands.h and pass.h have their commands. One
// thread at a time; no locks.
#pragma once

#include "webgpu/object/render_bundle.h"
#include "webgpu/validate/rule.h"

// Reports the first broken rule. NULL only when out of memory.
struct WGPURenderBundleImpl *render_bundle_finish(struct WGPURenderBundleEncoderImpl *encoder,
    const WGPURenderBundleDescriptor *descriptor, struct text label);
