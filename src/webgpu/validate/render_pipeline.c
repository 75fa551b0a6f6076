// SPDX-License-Identifier: MIT
//
// Rules of render pipelines' fixed states: primitives, depth and stencil, multisampling; and what
// several files of these rules share.
#include "webgpu/validate/render_pipeline.h"

#include <math.h>
#include <stdio.h>

#include "base/try.h"
#include "facts/texture_format.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/words.h"

// ---------------------------------------------------------------- shared

bool validate_render_enum(uint32_t given, uint32_t fallback, uint32_t last, const char *what,
    const char *name, uint32_t *out_value, struct validate_error *error) {
    *out_value = given != 0 ? given : fallback;
    if (given > last) {
        return BROKEN(error, RENDER_ENUM, name, what, (unsigned)given);
    }
    return true;
}

bool validate_render_format(const struct WGPUDeviceImpl *device, uint32_t format, const char *what,
    const char *name, struct validate_error *error) {
    const struct texture_format_info *info = texture_format_get_info(format);
    if (info == NULL) {
        return BROKEN(error, RENDER_ENUM, name, "texture format", (unsigned)format);
    }
    if (!texture_format_can(info, TEXTURE_CAPABILITY_FORMAT, device->features)) {
        const struct feature_info *needed = feature_get_info(
            info->needs[TEXTURE_CAPABILITY_FORMAT]);
        return BROKEN(error, RENDER_FORMAT_FEATURE, name, what, info->word,
            needed != NULL ? needed->word : "?");
    }
    return true;
}

struct rule_words validate_cut_name(struct text name) {
    struct rule_words words = {""};
    snprintf(words.text, sizeof(words.text), "%.*s", (int)(name.length < 90 ? name.length : 90),
        name.data);
    return words;
}

struct rule_words validate_describe_io_type(const struct reflect_io *io) {
    const char *scalar = io->scalar == TYPE_F32 ? "f32"
        : io->scalar == TYPE_F16                ? "f16"
        : io->scalar == TYPE_I32                ? "i32"
                                                : "u32";
    struct rule_words words = {""};
    if (io->component_count == 1) {
        snprintf(words.text, sizeof(words.text), "%s", scalar);
    } else {
        snprintf(words.text, sizeof(words.text), "vec%u<%s>", io->component_count, scalar);
    }
    return words;
}

bool validate_render_slots(const struct WGPUDeviceImpl *device,
    const struct WGPUPipelineLayoutImpl *layout, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error) {
    uint64_t limit = device->limits.values[LIMIT_maxBindGroupsPlusVertexBuffers];
    uint32_t group_count = GPU_BIND_GROUP_SLOTS;
    while (group_count != 0 && layout->groups[group_count - 1] == NULL) {
        group_count--;
    }
    uint32_t buffer_count = state->vertex_buffer_count;
    while (buffer_count != 0 && !state->vertex_buffers[buffer_count - 1].is_used) {
        buffer_count--;
    }
    if (group_count + buffer_count > limit) {
        return BROKEN(error, RENDER_SLOTS, name, group_count != 0 ? group_count - 1 : 0,
            buffer_count - 1, group_count + buffer_count, ULL(limit));
    }
    return true;
}

// ---------------------------------------------------------------- primitives

static bool is_strip(uint32_t topology) {
    return topology == WGPUPrimitiveTopology_LineStrip ||
        topology == WGPUPrimitiveTopology_TriangleStrip;
}

static bool is_triangle(uint32_t topology) {
    return topology == WGPUPrimitiveTopology_TriangleList ||
        topology == WGPUPrimitiveTopology_TriangleStrip;
}

bool validate_primitive_state(const struct WGPUDeviceImpl *device,
    const WGPUPrimitiveState *primitive, const char *name,
    struct backend_render_pipeline_state *out, struct validate_error *error) {
    TRY(validate_no_chain(primitive->nextInChain, name, error));
    TRY(validate_render_enum(primitive->topology, WGPUPrimitiveTopology_TriangleList,
        WGPUPrimitiveTopology_TriangleStrip, "primitive topology", name, &out->topology, error));
    TRY(validate_render_enum(primitive->stripIndexFormat, WGPUIndexFormat_Undefined,
        WGPUIndexFormat_Uint32, "strip index format", name, &out->strip_index_format, error));
    TRY(validate_render_enum(primitive->frontFace, WGPUFrontFace_CCW, WGPUFrontFace_CW,
        "front face", name, &out->front_face, error));
    TRY(validate_render_enum(primitive->cullMode, WGPUCullMode_None, WGPUCullMode_Back, "cull mode",
        name, &out->cull_mode, error));
    out->has_unclipped_depth = primitive->unclippedDepth != 0;
    if (out->strip_index_format != WGPUIndexFormat_Undefined && !is_strip(out->topology)) {
        return BROKEN(error, PRIMITIVE_STRIP_FORMAT, name,
            words_for_index_format(out->strip_index_format), words_for_topology(out->topology));
    }
    if (out->has_unclipped_depth &&
        !feature_set_has(device->features, WGPUFeatureName_DepthClipControl)) {
        return BROKEN(error, PRIMITIVE_UNCLIPPED, name);
    }
    return true;
}

// ---------------------------------------------------------------- depth and stencil

static bool validate_stencil_face(const WGPUStencilFaceState *face, const char *name,
    struct backend_stencil_face *out, struct validate_error *error) {
    static const char operation[] = "stencil operation";
    TRY(validate_render_enum(face->compare, WGPUCompareFunction_Always, WGPUCompareFunction_Always,
        "stencil compare function", name, &out->compare, error));
    TRY(validate_render_enum(face->failOp, WGPUStencilOperation_Keep,
        WGPUStencilOperation_DecrementWrap, operation, name, &out->fail_op, error));
    TRY(validate_render_enum(face->depthFailOp, WGPUStencilOperation_Keep,
        WGPUStencilOperation_DecrementWrap, operation, name, &out->depth_fail_op, error));
    return validate_render_enum(face->passOp, WGPUStencilOperation_Keep,
        WGPUStencilOperation_DecrementWrap, operation, name, &out->pass_op, error);
}

static bool is_default_face(const struct backend_stencil_face *face) {
    return face->compare == WGPUCompareFunction_Always &&
        face->fail_op == WGPUStencilOperation_Keep &&
        face->depth_fail_op == WGPUStencilOperation_Keep &&
        face->pass_op == WGPUStencilOperation_Keep;
}

static bool validate_bias(const struct WGPUDeviceImpl *device, const WGPUDepthStencilState *given,
    const char *name, const struct backend_render_pipeline_state *out,
    struct validate_error *error) {
    const struct {
        const char *what;
        double value;
    } parts[3] = {
        {"depthBias", given->depthBias},
        {"depthBiasSlopeScale", (double)given->depthBiasSlopeScale},
        {"depthBiasClamp", (double)given->depthBiasClamp},
    };
    for (int i = 0; i < 3; i++) {
        if (!isfinite(parts[i].value)) {
            return BROKEN(error, DEPTH_BIAS_FINITE, name, parts[i].what, parts[i].value);
        }
        if (parts[i].value != 0 && !is_triangle(out->topology)) {
            return BROKEN(error, DEPTH_BIAS, name, parts[i].what, parts[i].value,
                words_for_topology(out->topology));
        }
    }
    if (!device->is_core && parts[2].value != 0) {
        return BROKEN(error, DEPTH_BIAS_CLAMP, name, parts[2].value);
    }
    return true;
}

// What the format has of depth and stencil, against what is asked of it.
static bool validate_aspects(const WGPUDepthStencilState *given,
    const struct texture_format_info *format, const char *name,
    const struct backend_render_pipeline_state *out, struct validate_error *error) {
    bool has_depth = format->aspect != TEXTURE_ASPECT_STENCIL;
    bool has_stencil = format->aspect != TEXTURE_ASPECT_DEPTH;
    if (!has_depth && out->is_depth_write_enabled) {
        return BROKEN(error, DEPTH_NO_DEPTH, name, "depthWriteEnabled is true", format->word);
    }
    if (!has_depth && out->depth_compare != WGPUCompareFunction_Undefined &&
        out->depth_compare != WGPUCompareFunction_Always) {
        struct rule_words words = {""};
        snprintf(words.text, sizeof(words.text), "depthCompare is %s",
            words_for_compare(out->depth_compare));
        return BROKEN(error, DEPTH_NO_DEPTH, name, words.text, format->word);
    }
    if (!has_stencil && !is_default_face(&out->stencil_front)) {
        return BROKEN(error, DEPTH_NO_STENCIL, name, "stencilFront", format->word);
    }
    if (!has_stencil && !is_default_face(&out->stencil_back)) {
        return BROKEN(error, DEPTH_NO_STENCIL, name, "stencilBack", format->word);
    }
    if (has_depth && given->depthWriteEnabled == WGPUOptionalBool_Undefined) {
        return BROKEN(error, DEPTH_WRITE, name, format->word);
    }
    if (has_depth && out->depth_compare == WGPUCompareFunction_Undefined) {
        const char *why = out->is_depth_write_enabled ? "depthWriteEnabled is true"
            : out->stencil_front.depth_fail_op != WGPUStencilOperation_Keep
            ? "stencilFront.depthFailOp is not Keep"
            : out->stencil_back.depth_fail_op != WGPUStencilOperation_Keep
            ? "stencilBack.depthFailOp is not Keep"
            : NULL;
        if (why != NULL) {
            return BROKEN(error, DEPTH_COMPARE, name, format->word, why);
        }
    }
    return true;
}

bool validate_depth_stencil_state(const struct WGPUDeviceImpl *device,
    const WGPUDepthStencilState *depth_stencil, const char *name,
    struct backend_render_pipeline_state *out, struct validate_error *error) {
    const WGPUDepthStencilState *given = depth_stencil;
    if (given == NULL) {
        return true;
    }
    TRY(validate_no_chain(given->nextInChain, name, error));
    TRY(validate_render_format(device, given->format, "depthStencil", name, error));
    const struct texture_format_info *format = texture_format_get_info(given->format);
    if (format->aspect == TEXTURE_ASPECT_COLOR) {
        return BROKEN(error, DEPTH_FORMAT, name, format->word);
    }
    if ((uint32_t)given->depthWriteEnabled > WGPUOptionalBool_Undefined) {
        return BROKEN(
            error, RENDER_ENUM, name, "depthWriteEnabled", (unsigned)given->depthWriteEnabled);
    }
    TRY(validate_render_enum(given->depthCompare, WGPUCompareFunction_Undefined,
        WGPUCompareFunction_Always, "depth compare function", name, &out->depth_compare, error));
    TRY(validate_stencil_face(&given->stencilFront, name, &out->stencil_front, error));
    TRY(validate_stencil_face(&given->stencilBack, name, &out->stencil_back, error));
    out->depth_stencil_format = given->format;
    out->is_depth_write_enabled = given->depthWriteEnabled == WGPUOptionalBool_True;
    TRY(validate_aspects(given, format, name, out, error));
    if (out->depth_compare == WGPUCompareFunction_Undefined) {
        out->depth_compare = WGPUCompareFunction_Always;
    }
    TRY(validate_bias(device, given, name, out, error));
    out->stencil_read_mask = given->stencilReadMask;
    out->stencil_write_mask = given->stencilWriteMask;
    out->depth_bias = given->depthBias;
    out->depth_bias_slope_scale = given->depthBiasSlopeScale;
    out->depth_bias_clamp = given->depthBiasClamp;
    return true;
}

// ---------------------------------------------------------------- multisampling

bool validate_multisample_state(const struct WGPUDeviceImpl *device,
    const WGPUMultisampleState *multisample, const char *name,
    struct backend_render_pipeline_state *out, struct validate_error *error) {
    TRY(validate_no_chain(multisample->nextInChain, name, error));
    if (multisample->count != 1 && multisample->count != 4) {
        return BROKEN(error, SAMPLES_COUNT, name, multisample->count);
    }
    out->sample_count = multisample->count;
    out->sample_mask = multisample->mask;
    out->has_alpha_to_coverage = multisample->alphaToCoverageEnabled != 0;
    if (!out->has_alpha_to_coverage) {
        return true;
    }
    if (multisample->count == 1) {
        return BROKEN(error, SAMPLES_ALPHA, name);
    }
    const struct texture_format_info *format = out->target_count != 0
        ? texture_format_get_info(out->targets[0].format)
        : NULL;
    if (format == NULL) {
        return BROKEN(error, SAMPLES_ALPHA_TARGET, name, "there is none");
    }
    if (!texture_format_can(format, TEXTURE_CAPABILITY_BLEND, device->features) ||
        format->component_count < 4) {
        struct rule_words words = {""};
        snprintf(words.text, sizeof(words.text), "its format is %s", format->word);
        return BROKEN(error, SAMPLES_ALPHA_TARGET, name, words.text);
    }
    return true;
}
