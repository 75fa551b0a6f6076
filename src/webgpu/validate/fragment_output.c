// SPDX-License-Identifier: MIT
//
// Rules of a fragment entry point's outputs: against color targets, depth and multisampling.
#include <stdio.h>

#include "base/try.h"
#include "facts/blend_factor.h"
#include "facts/texture_format.h"
#include "webgpu/validate/render_pipeline.h"
#include "webgpu/validate/words.h"

// The first output at the location, blend source 0 before 1; NULL when there is none.
static const struct reflect_io *find_output(
    const struct reflect_entry_point *entry_point, uint32_t location) {
    for (uint32_t i = 0; i < entry_point->output_count; i++) {
        if (entry_point->outputs[i].location == location) {
            return &entry_point->outputs[i];
        }
    }
    return NULL;
}

// `output "tint"`; what an entry point returns without a structure has no name.
static struct rule_words describe_output(const struct reflect_io *output) {
    struct rule_words words = {"the result"};
    if (output->name.length != 0) {
        snprintf(words.text, sizeof(words.text), "output \"%.90s\"",
            validate_cut_name(output->name).text);
    }
    return words;
}

static const char *get_component_type(const struct texture_format_info *format) {
    return format->sample == TEXTURE_SAMPLE_UINT ? "u32"
        : format->sample == TEXTURE_SAMPLE_SINT  ? "i32"
                                                 : "f32 or f16";
}

static bool does_type_fit(
    const struct texture_format_info *format, const struct reflect_io *output) {
    if (format->sample == TEXTURE_SAMPLE_UINT) {
        return output->scalar == TYPE_U32;
    }
    if (format->sample == TEXTURE_SAMPLE_SINT) {
        return output->scalar == TYPE_I32;
    }
    return output->scalar == TYPE_F32 || output->scalar == TYPE_F16;
}

static struct rule_words describe_write_mask(uint64_t mask) {
    struct rule_words words = {""};
    if (mask == WGPUColorWriteMask_All) {
        snprintf(words.text, sizeof(words.text), "All");
        return words;
    }
    snprintf(words.text, sizeof(words.text), "%s%s%s%s",
        (mask & WGPUColorWriteMask_Red) != 0 ? "Red " : "",
        (mask & WGPUColorWriteMask_Green) != 0 ? "Green " : "",
        (mask & WGPUColorWriteMask_Blue) != 0 ? "Blue " : "",
        (mask & WGPUColorWriteMask_Alpha) != 0 ? "Alpha " : "");
    for (size_t i = 0; words.text[i] != '\0'; i++) {
        if (words.text[i] == ' ') {
            words.text[i] = words.text[i + 1] == '\0' ? '\0' : '|';
        }
    }
    return words;
}

// The first color factor that reads the source's alpha; NULL: none does.
static const struct blend_factor_info *find_alpha_factor(
    const struct backend_color_target *target) {
    const uint32_t factors[2] = {target->color.src_factor, target->color.dst_factor};
    for (int i = 0; target->has_blend && i < 2; i++) {
        const struct blend_factor_info *info = blend_factor_get_info(factors[i]);
        if (info->uses_src_alpha) {
            return info;
        }
    }
    return NULL;
}

// The first factor that reads the second source; NULL: none does.
static const struct blend_factor_info *find_second_source(
    const struct backend_color_target *target) {
    const uint32_t factors[4] = {target->color.src_factor, target->color.dst_factor,
        target->alpha.src_factor, target->alpha.dst_factor};
    for (int i = 0; target->has_blend && i < 4; i++) {
        const struct blend_factor_info *info = blend_factor_get_info(factors[i]);
        if (info->uses_second_source) {
            return info;
        }
    }
    return NULL;
}

static bool validate_target(const struct backend_color_target *target, uint32_t index,
    const struct reflect_entry_point *entry_point, const char *entry, const char *name,
    struct validate_error *error) {
    const struct texture_format_info *format = texture_format_get_info(target->format);
    if (format == NULL) {
        return true; // a hole
    }
    if (find_output(entry_point, index) == NULL) {
        return target->write_mask == 0 ||
            BROKEN(error, TARGET_OUTPUT_MISSING, name, index,
                describe_write_mask(target->write_mask).text, entry, index);
    }
    const struct blend_factor_info *alpha_factor = find_alpha_factor(target);
    for (uint32_t i = 0; i < entry_point->output_count; i++) {
        const struct reflect_io *output = &entry_point->outputs[i];
        if (output->location != index) {
            continue;
        }
        struct rule_words words = describe_output(output);
        struct rule_words type = validate_describe_io_type(output);
        if (!does_type_fit(format, output)) {
            return BROKEN(error, TARGET_OUTPUT_TYPE, name, index, format->word,
                get_component_type(format), words.text, entry, index, type.text);
        }
        if (output->component_count < format->component_count) {
            return BROKEN(error, TARGET_OUTPUT_SIZE, name, index, format->word,
                format->component_count, words.text, entry, index, type.text);
        }
        if (alpha_factor != NULL && output->component_count < 4) {
            return BROKEN(error, TARGET_OUTPUT_ALPHA, name, index, alpha_factor->word, words.text,
                entry, index, type.text);
        }
    }
    return true;
}

static bool validate_second_source(const struct backend_render_pipeline_state *state,
    const struct reflect_entry_point *entry_point, const char *entry, const char *name,
    struct validate_error *error) {
    for (uint32_t i = 0; i < state->target_count; i++) {
        const struct blend_factor_info *factor = find_second_source(&state->targets[i]);
        if (factor == NULL) {
            continue;
        }
        if (state->target_count != 1) {
            return BROKEN(
                error, BLEND_DUAL_TARGETS, name, i, factor->word, ULL(state->target_count));
        }
        // WGSL: an output with @blend_src comes with the other, both at location 0, and no more.
        const struct reflect_io *output = find_output(entry_point, 0);
        if (output == NULL || !output->has_blend_source) {
            return BROKEN(error, BLEND_DUAL_OUTPUT, name, i, factor->word, entry);
        }
    }
    return true;
}

static bool validate_builtins(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *entry_point, const char *entry, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error) {
    if (state->has_alpha_to_coverage &&
        reflect_has_builtin(entry_point, BUILTIN_VALUE_SAMPLE_MASK_OUT)) {
        return BROKEN(error, SAMPLES_ALPHA_MASK, name, entry);
    }
    if (reflect_has_builtin(entry_point, BUILTIN_VALUE_FRAG_DEPTH)) {
        const struct texture_format_info *format = texture_format_get_info(
            state->depth_stencil_format);
        if (format == NULL) {
            return BROKEN(
                error, OUTPUT_DEPTH, name, entry, "the pipeline has no depthStencil state");
        }
        if (format->aspect == TEXTURE_ASPECT_STENCIL) {
            return BROKEN(
                error, OUTPUT_DEPTH, name, entry, "depthStencil.format stencil8 has no depth");
        }
    }
    if (device->is_core) {
        return true;
    }
    const char *what = reflect_has_builtin(entry_point, BUILTIN_VALUE_SAMPLE_MASK_IN)
        ? "the input sample_mask"
        : reflect_has_builtin(entry_point, BUILTIN_VALUE_SAMPLE_MASK_OUT) ? "the output sample_mask"
        : reflect_has_builtin(entry_point, BUILTIN_VALUE_SAMPLE_INDEX)    ? "the input sample_index"
        : entry_point->uses_fine_derivatives ? "dpdxFine, dpdyFine or fwidthFine"
                                             : NULL;
    return what == NULL || BROKEN(error, FRAGMENT_COMPATIBILITY, name, entry, what);
}

bool validate_fragment_outputs(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *entry_point, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error) {
    struct rule_words entry = validate_cut_name(entry_point->name);
    uint64_t limit = device->limits.values[LIMIT_maxColorAttachments];
    for (uint32_t i = 0; i < entry_point->output_count; i++) {
        const struct reflect_io *output = &entry_point->outputs[i];
        if (output->location >= limit) {
            return BROKEN(error, OUTPUT_LOCATION, name, describe_output(output).text, entry.text,
                output->location, ULL(limit));
        }
    }
    for (uint32_t i = 0; i < state->target_count; i++) {
        TRY(validate_target(&state->targets[i], i, entry_point, entry.text, name, error));
    }
    TRY(validate_second_source(state, entry_point, entry.text, name, error));
    return validate_builtins(device, entry_point, entry.text, name, state, error);
}
