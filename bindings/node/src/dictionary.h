// SPDX-License-Identifier: MIT
//
// The dictionaries of WebGPU's IDL, as tables for convert_dictionary. Constant, safe from any
// thread.

#pragma once

#include "convert.h"

// What a GPURequestAdapterOptions needs beside the C struct.
struct request_adapter_options {
    WGPUStringView feature_level;
    WGPUPowerPreference power_preference;
    WGPUBool force_fallback;
    WGPUBool xr_compatible;
};

// A GPUDeviceDescriptor but for requiredLimits, which adapter.c converts.
struct device_descriptor {
    WGPUStringView label;
    size_t feature_count;
    const WGPUFeatureName *features;
    WGPUQueueDescriptor queue;
    napi_value limits; // NULL: none given
};

struct shader_module_descriptor {
    WGPUStringView label;
    WGPUStringView code;
    size_t hint_count;
    const struct compilation_hint *hints;
};
struct compilation_hint {
    WGPUStringView entry_point;
    WGPUPipelineLayout layout;
};

struct external_texture_descriptor {
    WGPUStringView label;
};

// GPUCopyExternalImageDestInfo's own members, which nothing here can use.
struct label_descriptor {
    WGPUStringView label;
};

#define BEGIN(id) extern const struct dictionary dictionary_##id;
#define MEMBER(...)
#define SEQUENCE(...)
#define END(id, name, ...)
#define FOR_DECLARATION
#include "dictionary.def"

// Unions (WebGPU §"Type Definitions" and the descriptors that use them). Each writes what its name
// says to *out.
bool convert_bind_group_resource(struct call *call, napi_value value, void *out_entry_resource);
bool convert_color(struct call *call, napi_value value, void *out_color);
bool convert_constants(struct call *call, napi_value value, void *out_constants);
bool convert_extent_3d(struct call *call, napi_value value, void *out_extent);
bool convert_external_texture_layout(struct call *call, napi_value value, void *out_chain);
bool convert_any(struct call *call, napi_value value, void *out_value);
bool convert_max_draw_count(struct call *call, napi_value value, void *out_chain);
bool convert_no_external_source(struct call *call, napi_value value, void *out_nothing);
bool convert_origin_3d(struct call *call, napi_value value, void *out_origin);
bool convert_pipeline_layout(struct call *call, napi_value value, void *out_layout);
bool convert_swizzle(struct call *call, napi_value value, void *out_chain);
bool convert_texture_binding_view_dimension(struct call *call, napi_value value, void *out_chain);
bool convert_view(struct call *call, napi_value value, void *out_view);
