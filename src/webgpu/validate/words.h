// SPDX-License-Identifier: MIT
//
// Words for enumerants in messages, as the standard header spells them. Static strings; "?" for
// values that the standard does not have.
#pragma once

#include <webgpu/webgpu.h>

const char *words_for_dimension(uint32_t view_dimension);
const char *words_for_access(uint32_t storage_texture_access);
const char *words_for_sample_type(uint32_t texture_sample_type);
const char *words_for_buffer_type(uint32_t buffer_binding_type);
const char *words_for_sampler_type(uint32_t sampler_binding_type);
const char *words_for_format(uint32_t texture_format);
const char *words_for_texture_dimension(uint32_t texture_dimension);
const char *words_for_aspect(uint32_t texture_aspect);
const char *words_for_stage(uint32_t shader_stage); // enum shader_stage: "vertex"
const char *words_for_filter(uint32_t filter_or_mipmap_filter_mode);
const char *words_for_topology(uint32_t primitive_topology);
const char *words_for_index_format(uint32_t index_format);
const char *words_for_compare(uint32_t compare_function);
const char *words_for_blend_operation(uint32_t blend_operation);
const char *words_for_blend_factor(uint32_t blend_factor);
