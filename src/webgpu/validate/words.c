// SPDX-License-Identifier: MIT
//
// Small tables from enumerants to words.
#include "webgpu/validate/words.h"

#include <stddef.h>

#include "facts/blend_factor.h"
#include "facts/texture_format.h"

static const char *find_word(const char *const *words, size_t count, uint32_t value) {
    return value < count && words[value] != NULL ? words[value] : "?";
}
#define FIND_WORD(words, value) find_word((words), sizeof(words) / sizeof((words)[0]), (value))

const char *words_for_dimension(uint32_t view_dimension) {
    static const char *const words[] = {
        "Undefined", "1D", "2D", "2DArray", "Cube", "CubeArray", "3D"};
    return FIND_WORD(words, view_dimension);
}

const char *words_for_access(uint32_t storage_texture_access) {
    static const char *const words[] = {
        "BindingNotUsed", "Undefined", "WriteOnly", "ReadOnly", "ReadWrite"};
    return FIND_WORD(words, storage_texture_access);
}

const char *words_for_sample_type(uint32_t texture_sample_type) {
    static const char *const words[] = {
        "BindingNotUsed", "Undefined", "Float", "UnfilterableFloat", "Depth", "Sint", "Uint"};
    return FIND_WORD(words, texture_sample_type);
}

const char *words_for_buffer_type(uint32_t buffer_binding_type) {
    static const char *const words[] = {
        "BindingNotUsed", "Undefined", "Uniform", "Storage", "ReadOnlyStorage"};
    return FIND_WORD(words, buffer_binding_type);
}

const char *words_for_sampler_type(uint32_t sampler_binding_type) {
    static const char *const words[] = {
        "BindingNotUsed", "Undefined", "Filtering", "NonFiltering", "Comparison"};
    return FIND_WORD(words, sampler_binding_type);
}

const char *words_for_format(uint32_t texture_format) {
    const struct texture_format_info *info = texture_format_get_info(texture_format);
    return info != NULL ? info->word : "Undefined";
}

const char *words_for_texture_dimension(uint32_t texture_dimension) {
    static const char *const words[] = {"Undefined", "1D", "2D", "3D"};
    return FIND_WORD(words, texture_dimension);
}

const char *words_for_aspect(uint32_t texture_aspect) {
    static const char *const words[] = {"Undefined", "All", "StencilOnly", "DepthOnly"};
    return FIND_WORD(words, texture_aspect);
}

const char *words_for_filter(uint32_t filter_mode) {
    static const char *const words[] = {"Undefined", "Nearest", "Linear"};
    return FIND_WORD(words, filter_mode);
}

const char *words_for_stage(uint32_t shader_stage) {
    static const char *const words[] = {"vertex", "fragment", "compute"};
    return FIND_WORD(words, shader_stage);
}

const char *words_for_topology(uint32_t primitive_topology) {
    static const char *const words[] = {
        "Undefined", "PointList", "LineList", "LineStrip", "TriangleList", "TriangleStrip"};
    return FIND_WORD(words, primitive_topology);
}

const char *words_for_index_format(uint32_t index_format) {
    static const char *const words[] = {"Undefined", "Uint16", "Uint32"};
    return FIND_WORD(words, index_format);
}

const char *words_for_compare(uint32_t compare_function) {
    static const char *const words[] = {"Undefined", "Never", "Less", "Equal", "LessEqual",
        "Greater", "NotEqual", "GreaterEqual", "Always"};
    return FIND_WORD(words, compare_function);
}

const char *words_for_blend_operation(uint32_t blend_operation) {
    static const char *const words[] = {
        "Undefined", "Add", "Subtract", "ReverseSubtract", "Min", "Max"};
    return FIND_WORD(words, blend_operation);
}

const char *words_for_blend_factor(uint32_t blend_factor) {
    const struct blend_factor_info *info = blend_factor_get_info(blend_factor);
    return info != NULL ? info->word : "?";
}
