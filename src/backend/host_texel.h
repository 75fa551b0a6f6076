// SPDX-License-Identifier: MIT
//
// Single texels in memory as four numbers and back, for every format that can be rendered to: the
// conversions of WebGPU "to a texel value of texture format". Numbers are doubles, which hold every
// f32, i32 and u32. Pure functions, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The bytes of the largest texel of one sample.
#define HOST_TEXEL_BYTES 16u

// format: WGPUTextureFormat, renderable, of one aspect. Color takes all four numbers (red, green,
// blue, alpha), depth and stencil the first. Normalised formats clamp and round to nearest, NaN to 0;
// float formats round to nearest even, integer formats clamp. Returns the bytes written.
uint32_t host_texel_encode(uint32_t format, const double value[4], uint8_t out_bytes[]);
// Components that the format lacks are 0, alpha 1. sRGB becomes linear.
void host_texel_decode(uint32_t format, const uint8_t bytes[], double out_value[4]);
