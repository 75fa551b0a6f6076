// SPDX-License-Identifier: MIT
//
// Rules of color targets and their blending.
#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "facts/blend_factor.h"
#include "facts/texture_format.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/render_pipeline.h"
#include "webgpu/validate/words.h"

static bool validate_component(const struct WGPUDeviceImpl *device,
    const WGPUBlendComponent *component, uint32_t index, const char *which, const char *name,
    struct backend_blend_component *out, struct validate_error *error) {
    TRY(validate_render_enum(component->operation, WGPUBlendOperation_Add, WGPUBlendOperation_Max,
        "blend operation", name, &out->operation, error));
    const uint32_t given[2] = {component->srcFactor, component->dstFactor};
    const uint32_t fallback[2] = {WGPUBlendFactor_One, WGPUBlendFactor_Zero};
    uint32_t factors[2];
    for (int i = 0; i < 2; i++) {
        TRY(validate_render_enum(given[i], fallback[i], WGPUBlendFactor_OneMinusSrc1Alpha,
            "blend factor", name, &factors[i], error));
        const struct blend_factor_info *info = blend_factor_get_info(factors[i]);
        if (info->uses_second_source &&
            !feature_set_has(device->features, WGPUFeatureName_DualSourceBlending)) {
            return BROKEN(error, BLEND_FEATURE, name, index, which, info->word);
        }
    }
    out->src_factor = factors[0];
    out->dst_factor = factors[1];
    bool is_min_max = out->operation == WGPUBlendOperation_Min ||
        out->operation == WGPUBlendOperation_Max;
    if (is_min_max &&
        (out->src_factor != WGPUBlendFactor_One || out->dst_factor != WGPUBlendFactor_One)) {
        return BROKEN(error, BLEND_MIN_MAX, name, index, which,
            words_for_blend_operation(out->operation), words_for_blend_factor(out->src_factor),
            words_for_blend_factor(out->dst_factor));
    }
    return true;
}

static bool validate_blend(const struct WGPUDeviceImpl *device, const WGPUBlendState *blend,
    const struct texture_format_info *format, uint32_t index, const char *name,
    struct backend_color_target *out, struct validate_error *error) {
    TRY(validate_component(device, &blend->color, index, "color", name, &out->color, error));
    TRY(validate_component(device, &blend->alpha, index, "alpha", name, &out->alpha, error));
    out->has_blend = true;
    if (!texture_format_can(format, TEXTURE_CAPABILITY_BLEND, device->features)) {
        uint8_t needed = format->needs[TEXTURE_CAPABILITY_BLEND];
        const struct feature_info *feature = needed != TEXTURE_NEVER ? feature_get_info(needed)
                                                                     : NULL;
        struct rule_words words = {""};
        if (feature != NULL) {
            snprintf(words.text, sizeof(words.text), " without the feature %s", feature->word);
        }
        return BROKEN(error, TARGET_BLENDABLE, name, index, format->word, words.text);
    }
    return true;
}

static bool validate_target(const struct WGPUDeviceImpl *device, const WGPUColorTargetState *target,
    uint32_t index, const char *name, struct backend_color_target *out,
    struct validate_error *error) {
    char what[48];
    snprintf(what, sizeof(what), "color target %u", index);
    TRY(validate_no_chain(target->nextInChain, name, error));
    out->format = target->format;
    if (target->format == WGPUTextureFormat_Undefined) {
        return true;
    }
    TRY(validate_render_format(device, target->format, what, name, error));
    const struct texture_format_info *format = texture_format_get_info(target->format);
    if (format->aspect != TEXTURE_ASPECT_COLOR ||
        !texture_format_can(format, TEXTURE_CAPABILITY_RENDER, device->features)) {
        return BROKEN(error, TARGET_FORMAT, name, index, format->word);
    }
    if ((target->writeMask & ~(WGPUColorWriteMask)WGPUColorWriteMask_All) != 0) {
        return BROKEN(error, TARGET_WRITE_MASK, name, index, ULL(target->writeMask));
    }
    out->write_mask = target->writeMask;
    return target->blend == NULL ||
        validate_blend(device, target->blend, format, index, name, out, error);
}

static bool validate_bytes(const struct WGPUDeviceImpl *device, const char *name,
    const struct backend_render_pipeline_state *out, struct validate_error *error) {
    uint64_t limit = device->limits.values[LIMIT_maxColorAttachmentBytesPerSample];
    struct rule_words words = {""};
    size_t length = 0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < out->target_count; i++) {
        const struct texture_format_info *format = texture_format_get_info(out->targets[i].format);
        if (format == NULL) {
            continue;
        }
        total = texture_format_add_render_bytes(total, format);
        int written = snprintf(words.text + length, sizeof(words.text) - length, "%s%s",
            length != 0 ? ", " : "", format->word);
        length += written > 0 ? (size_t)written : 0;
        length = length < sizeof(words.text) ? length : sizeof(words.text) - 1;
    }
    return total <= limit || BROKEN(error, TARGET_BYTES, name, total, words.text, ULL(limit));
}

static bool is_equal_component(
    const struct backend_blend_component *a, const struct backend_blend_component *b) {
    return a->operation == b->operation && a->src_factor == b->src_factor &&
        a->dst_factor == b->dst_factor;
}

// On a device in compatibility mode all targets blend and write alike.
static bool validate_alike(const char *name, const struct backend_render_pipeline_state *out,
    struct validate_error *error) {
    uint32_t first = 0;
    while (first < out->target_count && out->targets[first].format == WGPUTextureFormat_Undefined) {
        first++;
    }
    for (uint32_t i = first + 1; i < out->target_count; i++) {
        const struct backend_color_target *a = &out->targets[first];
        const struct backend_color_target *b = &out->targets[i];
        if (b->format == WGPUTextureFormat_Undefined) {
            continue;
        }
        const char *what = a->has_blend != b->has_blend ? "whether they have a blend state"
            : !is_equal_component(&a->color, &b->color) ? "blend.color"
            : !is_equal_component(&a->alpha, &b->alpha) ? "blend.alpha"
            : a->write_mask != b->write_mask            ? "writeMask"
                                                        : NULL;
        if (what != NULL) {
            return BROKEN(error, TARGET_COMPATIBILITY, name, first, i, what);
        }
    }
    return true;
}

bool validate_color_targets(const struct WGPUDeviceImpl *device, const WGPUFragmentState *fragment,
    const char *name, struct backend_render_pipeline_state *out, struct validate_error *error) {
    bool has_target = false;
    if (fragment != NULL) {
        uint64_t limit = device->limits.values[LIMIT_maxColorAttachments];
        TRY(validate_no_chain(fragment->nextInChain, name, error));
        if (fragment->targetCount > limit) {
            return BROKEN(error, TARGET_COUNT, name, ULL(fragment->targetCount), ULL(limit));
        }
        out->target_count = (uint32_t)fragment->targetCount;
        for (uint32_t i = 0; i < out->target_count; i++) {
            TRY(validate_target(device, &fragment->targets[i], i, name, &out->targets[i], error));
            has_target |= out->targets[i].format != WGPUTextureFormat_Undefined;
        }
        TRY(validate_bytes(device, name, out, error));
        TRY(device->is_core || validate_alike(name, out, error));
    }
    if (!has_target && out->depth_stencil_format == WGPUTextureFormat_Undefined) {
        return BROKEN(error, RENDER_NO_ATTACHMENT, name);
    }
    return true;
}
