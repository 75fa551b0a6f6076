// SPDX-License-Identifier: MIT
//
// Limits of WebGPU (facts/limit.def) over the standard's WGPULimits. Pure functions, any thread.
#pragma once

#include <webgpu/webgpu.h>
