// SPDX-License-Identifier: MIT
//
// Rules of what passes from the vertex to the fragment stage.
#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/render_pipeline.h"

// WebGPU "Inter-Stage Builtins".
static const enum builtin_value counted_builtins[] = {
    BUILTIN_VALUE_FRONT_FACING,
    BUILTIN_VALUE_SAMPLE_INDEX,
    BUILTIN_VALUE_SAMPLE_MASK_IN,
    BUILTIN_VALUE_PRIMITIVE_INDEX,
    BUILTIN_VALUE_FRAGMENT_SUBGROUP_INVOCATION_ID,
    BUILTIN_VALUE_FRAGMENT_SUBGROUP_SIZE,
};

static struct rule_words describe_interpolation(const struct reflect_io *io) {
    static const char *const types[] = {"perspective", "linear", "flat"};
    static const char *const samplings[] = {"center", "centroid", "sample", "first", "either"};
    struct rule_words words = {""};
    snprintf(words.text, sizeof(words.text), "@interpolate(%s, %s)", types[io->interpolation % 3],
        samplings[io->sampling % 5]);
    return words;
}

enum { PERSPECTIVE, LINEAR, FLAT };
enum { CENTER, CENTROID, SAMPLE, FIRST, EITHER };

// WebGPU "validating compatibility mode shader binding".
static bool validate_compatibility(const struct reflect_io *items, uint32_t count,
    const char *stage, const char *entry, const char *name, struct validate_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const struct reflect_io *io = &items[i];
        if (io->interpolation == LINEAR || io->sampling == SAMPLE ||
            (io->interpolation == FLAT && io->sampling != EITHER)) {
            return BROKEN(error, BETWEEN_COMPATIBILITY, name, validate_cut_name(io->name).text,
                io->location, stage, entry, describe_interpolation(io).text);
        }
    }
    return true;
}

static bool validate_vertex_side(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *vertex, const char *entry, const char *name,
    const struct backend_render_pipeline_state *state, struct validate_error *error) {
    uint64_t limit = device->limits.values[LIMIT_maxInterStageShaderVariables];
    uint32_t point = state->topology == WGPUPrimitiveTopology_PointList;
    uint32_t clip = (vertex->clip_distance_count + 3) / 4;
    char clip_words[80] = "";
    if (clip != 0) {
        snprintf(clip_words, sizeof(clip_words), "%u for %u clip_distances", clip,
            vertex->clip_distance_count);
    }
    // The limit is at least 15 and clip distances are at most 8.
    if (vertex->output_count > limit - point - clip) {
        struct rule_words words = {""};
        if (point + clip != 0) {
            snprintf(words.text, sizeof(words.text), " after %s%s%s",
                point != 0 ? "1 for topology PointList" : "",
                point != 0 && clip != 0 ? " and " : "", clip_words);
        }
        return BROKEN(error, BETWEEN_OUTPUT_COUNT, name, entry, vertex->output_count, ULL(limit),
            ULL(limit - point - clip), words.text);
    }
    for (uint32_t i = 0; i < vertex->output_count; i++) {
        const struct reflect_io *output = &vertex->outputs[i];
        if (output->location >= limit - clip) {
            struct rule_words words = {""};
            if (clip != 0) {
                snprintf(words.text, sizeof(words.text), " after %s", clip_words);
            }
            return BROKEN(error, BETWEEN_LOCATION, name, validate_cut_name(output->name).text,
                entry, output->location, ULL(limit), ULL(limit - clip), words.text);
        }
    }
    return device->is_core ||
        validate_compatibility(vertex->outputs, vertex->output_count, "vertex", entry, name, error);
}

static bool validate_input_count(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *fragment, const char *entry, const char *name,
    struct validate_error *error) {
    uint64_t limit = device->limits.values[LIMIT_maxInterStageShaderVariables];
    struct rule_words words = {""};
    size_t length = 0;
    uint32_t counted = 0;
    for (size_t i = 0; i < sizeof(counted_builtins) / sizeof(counted_builtins[0]); i++) {
        if (reflect_has_builtin(fragment, counted_builtins[i])) {
            counted++;
            int written = snprintf(words.text + length, sizeof(words.text) - length, "%s%s",
                length == 0 ? " after 1 each for " : ", ", builtin_value_word(counted_builtins[i]));
            length += written > 0 ? (size_t)written : 0;
        }
    }
    return fragment->input_count <= limit - counted ||
        BROKEN(error, BETWEEN_INPUT_COUNT, name, entry, fragment->input_count, ULL(limit),
            ULL(limit - counted), words.text);
}

static bool validate_pair(const struct reflect_entry_point *vertex, const char *vertex_entry,
    const struct reflect_io *input, const char *fragment_entry, const char *name,
    struct validate_error *error) {
    const struct reflect_io *output = NULL;
    for (uint32_t i = 0; i < vertex->output_count && output == NULL; i++) {
        if (vertex->outputs[i].location == input->location) {
            output = &vertex->outputs[i];
        }
    }
    struct rule_words input_name = validate_cut_name(input->name);
    if (output == NULL) {
        return BROKEN(error, BETWEEN_MISSING, name, fragment_entry, input_name.text,
            input->location, vertex_entry);
    }
    struct rule_words output_name = validate_cut_name(output->name);
    if (output->scalar != input->scalar || output->component_count != input->component_count) {
        return BROKEN(error, BETWEEN_TYPE, name, input->location,
            validate_describe_io_type(output).text, output_name.text, vertex_entry,
            validate_describe_io_type(input).text, input_name.text, fragment_entry);
    }
    if (output->interpolation != input->interpolation || output->sampling != input->sampling) {
        return BROKEN(error, BETWEEN_INTERPOLATION, name, input->location,
            describe_interpolation(output).text, output_name.text, vertex_entry,
            describe_interpolation(input).text, input_name.text, fragment_entry);
    }
    return true;
}

bool validate_inter_stage(const struct WGPUDeviceImpl *device,
    const struct reflect_entry_point *vertex, const struct reflect_entry_point *fragment,
    const char *name, const struct backend_render_pipeline_state *state,
    struct validate_error *error) {
    struct rule_words vertex_entry = validate_cut_name(vertex->name);
    TRY(validate_vertex_side(device, vertex, vertex_entry.text, name, state, error));
    if (fragment == NULL) {
        return true;
    }
    struct rule_words fragment_entry = validate_cut_name(fragment->name);
    TRY(validate_input_count(device, fragment, fragment_entry.text, name, error));
    for (uint32_t i = 0; i < fragment->input_count; i++) {
        TRY(validate_pair(
            vertex, vertex_entry.text, &fragment->inputs[i], fragment_entry.text, name, error));
    }
    return device->is_core ||
        validate_compatibility(
            fragment->inputs, fragment->input_count, "fragment", fragment_entry.text, name, error);
}
