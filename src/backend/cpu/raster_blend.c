// SPDX-License-Identifier: MIT
//
// Colors on their way into attachments: texels of all lanes are fetched into one row, decoded,
// blended, encoded and put back. Lanes that are the same pixel may not be in one row, since the
// second must find what the first one left: a batch is cut where a pixel comes again.
#include "backend/cpu/raster_blend_priv.h"

#include <string.h>

#include <webgpu/webgpu.h>

// ---------------------------------------------------------------- outputs of the shader

static const struct raster_interface_value *find_color(
    const struct raster_interface *outputs, uint32_t location, uint32_t blend_source) {
    for (uint32_t i = 0; i < outputs->value_count; i++) {
        const struct raster_interface_value *value = &outputs->values[i];
        if (!value->is_builtin && value->location == location &&
            value->blend_source == blend_source) {
            return value;
        }
    }
    return NULL;
}

// A color's rows; components that the shader does not give are 0, alpha 1.
static void copy_color(const struct raster_interface_value *value, const uint32_t *outputs,
    union blend_rows *out_rows) {
    uint32_t given = value == NULL ? 0 : value->word_count < 4 ? value->word_count : 4;
    if (given != 0) {
        memcpy(out_rows->words, outputs + (size_t)value->first_word * JIT_BATCH_LANES,
            given * sizeof(out_rows->words[0]));
    }
    for (uint32_t i = given; i < 4; i++) {
        for (uint32_t lane = 0; lane < JIT_BATCH_LANES; lane++) {
            out_rows->values[i][lane] = i == 3 ? 1.0f : 0.0f;
        }
    }
}

// ---------------------------------------------------------------- formats

static enum blend_range get_range(uint32_t format) {
    switch (format) {
    case WGPUTextureFormat_R16Float:
    case WGPUTextureFormat_RG16Float:
    case WGPUTextureFormat_RGBA16Float:
    case WGPUTextureFormat_R32Float:
    case WGPUTextureFormat_RG32Float:
    case WGPUTextureFormat_RGBA32Float:
    case WGPUTextureFormat_RG11B10Ufloat:
        return BLEND_FLOAT;
    case WGPUTextureFormat_R8Snorm:
    case WGPUTextureFormat_RG8Snorm:
    case WGPUTextureFormat_RGBA8Snorm:
    case WGPUTextureFormat_R16Snorm:
    case WGPUTextureFormat_RG16Snorm:
    case WGPUTextureFormat_RGBA16Snorm:
        return BLEND_SNORM;
    default:
        return BLEND_UNORM;
    }
}

static void set_bits(uint8_t *bytes, uint32_t first_bit, uint32_t bit_count) {
    for (uint32_t i = first_bit; i < first_bit + bit_count; i++) {
        bytes[i / 8] |= (uint8_t)(1u << (i % 8));
    }
}

// The bits of a texel that a write mask lets through.
static void make_write_bits(
    const struct raster_target *target, uint32_t write_mask, uint8_t out_bits[BLEND_TEXEL_BYTES]) {
    static const uint8_t shifts_10_2[5] = {0, 10, 20, 30, 32};
    static const uint8_t shifts_11_10[4] = {0, 11, 22, 32};
    memset(out_bits, 0, BLEND_TEXEL_BYTES);
    uint32_t format = target->format;
    bool is_bgra = format == WGPUTextureFormat_BGRA8Unorm ||
        format == WGPUTextureFormat_BGRA8UnormSrgb;
    const uint8_t *shifts = NULL;
    if (format == WGPUTextureFormat_RGB10A2Unorm || format == WGPUTextureFormat_RGB10A2Uint) {
        shifts = shifts_10_2;
    } else if (format == WGPUTextureFormat_RG11B10Ufloat) {
        shifts = shifts_11_10;
    }
    uint32_t component_bits = target->texel_bytes * 8 / target->codec->component_count;
    for (uint32_t i = 0; i < target->codec->component_count; i++) {
        uint32_t component = is_bgra && i != 3 ? 2 - i : i;
        if ((write_mask >> component & 1u) == 0) {
            continue;
        }
        if (shifts != NULL) {
            set_bits(out_bits, shifts[i], (uint32_t)shifts[i + 1] - shifts[i]);
        } else {
            set_bits(out_bits, i * component_bits, component_bits);
        }
    }
}

// ---------------------------------------------------------------- one target

struct store {
    const struct raster_pass *pass;
    const struct raster_target *target;
    const struct raster_fragments *fragments;
    const uint8_t *bits; // NULL: all of a texel
};

static void replace(const struct store *store, const uint32_t *words) {
    const struct raster_target *target = store->target;
    struct blend_span span = {0, store->fragments->lane_count};
    uint8_t texels[JIT_BATCH_LANES * BLEND_TEXEL_BYTES];
    target->codec->encode(texels, target->texel_bytes, span.end, words, JIT_BATCH_LANES);
    raster_blend_scatter(target, store->pass->sample_count, store->fragments,
        store->fragments->coverage, store->bits, span, texels);
}

// Whether the quad at `lane` has a sample of a pixel in common with one from `first` on.
static bool is_met_again(const struct raster_fragments *fragments, uint32_t first, uint32_t lane) {
    uint32_t covered = 0;
    for (uint32_t i = 0; i < 4; i++) {
        covered |= fragments->coverage[lane + i];
    }
    for (uint32_t other = first; other < lane; other += 4) {
        const uint8_t *coverage = &fragments->coverage[other];
        bool is_same = fragments->x[other] == fragments->x[lane] &&
            fragments->y[other] == fragments->y[lane];
        if (is_same && ((coverage[0] | coverage[1] | coverage[2] | coverage[3]) & covered) != 0) {
            return true;
        }
    }
    return false;
}

// Where a row of quads that begins at `first` must end, since a pixel comes again.
static uint32_t find_cut(const struct raster_fragments *fragments, uint32_t first) {
    // A bit for the place of each quad in a tile: most rows meet none twice.
    uint64_t seen[RASTER_TILE / 2 * RASTER_TILE / 2 / 64] = {0};
    uint32_t lane = first;
    for (; lane < fragments->lane_count; lane += 4) {
        uint32_t place = (fragments->y[lane] / 2u % (RASTER_TILE / 2)) * (RASTER_TILE / 2) +
            fragments->x[lane] / 2u % (RASTER_TILE / 2);
        uint64_t bit = (uint64_t)1 << (place % 64);
        if ((seen[place / 64] & bit) != 0 && is_met_again(fragments, first, lane)) {
            break;
        }
        seen[place / 64] |= bit;
    }
    return lane;
}

struct blending {
    const struct backend_color_target *state;
    const uint32_t *over_source; // rows of a source that is laid over bytes; NULL: operands are set
    enum blend_range range;
    struct blend_operands operands;
};

// Blends one sample of each lane with `coverage` and stores the result into all of those.
static void blend_sample(const struct store *store, struct blending *blending,
    const uint8_t *coverage, uint32_t sample, struct blend_span span) {
    const struct raster_target *target = store->target;
    uint32_t texel_bytes = target->texel_bytes;
    uint32_t count = span.end - span.first;
    uint32_t components = (1u << target->codec->component_count) - 1;
    uint8_t texels[JIT_BATCH_LANES * BLEND_TEXEL_BYTES];
    uint8_t *first_texel = texels + (size_t)span.first * texel_bytes;
    union blend_rows result;
    memset(first_texel, 0, (size_t)count * texel_bytes);
    raster_blend_gather(
        target, store->pass->sample_count, store->fragments, coverage, sample, span, texels);
    if (blending->over_source != NULL) {
        raster_blend_over_unorm8(
            blending->state, target->format, blending->over_source, span, texels);
    } else {
        target->codec->decode(first_texel, texel_bytes, count,
            &blending->operands.target.words[0][span.first], JIT_BATCH_LANES);
        raster_blend_evaluate(
            blending->state, blending->range, &blending->operands, components, span, &result);
        target->codec->encode(
            first_texel, texel_bytes, count, &result.words[0][span.first], JIT_BATCH_LANES);
    }
    raster_blend_scatter(
        target, store->pass->sample_count, store->fragments, coverage, store->bits, span, texels);
}

static void blend_span(
    const struct store *store, struct blending *blending, struct blend_span span) {
    const struct raster_fragments *fragments = store->fragments;
    uint32_t sample_count = store->pass->sample_count;
    if (sample_count == 1) {
        blend_sample(store, blending, fragments->coverage, 0, span);
        return;
    }
    // Inside a surface the samples of a pixel are mostly one color: once for all of them.
    uint8_t uniform[JIT_BATCH_LANES];
    uint8_t rest[JIT_BATCH_LANES];
    if (raster_blend_find_uniform(store->target, sample_count, fragments, span, uniform) != 0) {
        blend_sample(store, blending, uniform, 0, span);
    }
    for (uint32_t sample = 0; sample < sample_count; sample++) {
        uint32_t seen = 0;
        for (uint32_t lane = span.first; lane < span.end; lane++) {
            uint32_t samples = uniform[lane] != 0 ? 0 : fragments->coverage[lane];
            rest[lane] = (uint8_t)(samples & 1u << sample);
            seen |= rest[lane];
        }
        if (seen != 0) {
            blend_sample(store, blending, rest, sample, span);
        }
    }
}

static void get_operands(const struct raster_draw *draw, uint32_t index, const uint32_t *outputs,
    struct blending *blending) {
    const struct raster_interface *values = &draw->pipeline->fragment.outputs;
    struct blend_operands *operands = &blending->operands;
    copy_color(find_color(values, index, 0), outputs, &operands->source);
    operands->needs_source1 = raster_blend_needs_source1(blending->state);
    if (operands->needs_source1) {
        copy_color(find_color(values, index, 1), outputs, &operands->source1);
    }
    memcpy(operands->constant, draw->blend_constant, sizeof(operands->constant));
    raster_blend_clamp(operands, blending->range);
}

static void blend(const struct store *store, const struct raster_draw *draw, uint32_t index,
    const uint32_t *outputs) {
    const struct raster_interface_value *value = find_color(
        &draw->pipeline->fragment.outputs, index, 0);
    struct blending blending; // large: set where it is used
    blending.state = &draw->pipeline->state.targets[index];
    blending.range = get_range(store->target->format);
    blending.over_source = NULL;
    if (value->word_count == 4 &&
        raster_blend_is_over_unorm8(blending.state, store->target->format)) {
        blending.over_source = outputs + (size_t)value->first_word * JIT_BATCH_LANES;
    } else {
        get_operands(draw, index, outputs, &blending);
    }
    struct blend_span span = {0, 0};
    for (; span.first < store->fragments->lane_count; span.first = span.end) {
        span.end = find_cut(store->fragments, span.first);
        blend_span(store, &blending, span);
    }
}

static void store_color(const struct raster_draw *draw, const struct raster_fragments *fragments,
    const uint32_t *outputs, uint32_t index) {
    const struct backend_color_target *state = &draw->pipeline->state.targets[index];
    const struct raster_target *target = &draw->pass->colors[index];
    const struct raster_interface *values = &draw->pipeline->fragment.outputs;
    const struct raster_interface_value *value = find_color(values, index, 0);
    uint32_t all = (1u << target->codec->component_count) - 1;
    uint32_t write_mask = (uint32_t)state->write_mask & all;
    if (value == NULL || write_mask == 0) {
        return;
    }
    uint8_t bits[BLEND_TEXEL_BYTES];
    struct store store = {.pass = draw->pass, .target = target, .fragments = fragments};
    if (write_mask != all) {
        make_write_bits(target, write_mask, bits);
        store.bits = bits;
    }
    if (state->has_blend && target->codec->kind == TYPE_F32) {
        blend(&store, draw, index, outputs);
    } else if (value->word_count >= target->codec->component_count &&
        value->first_word + 4 <= values->word_count) {
        // Encoders may read four rows, whatever the format.
        replace(&store, outputs + (size_t)value->first_word * JIT_BATCH_LANES);
    } else {
        union blend_rows rows;
        copy_color(value, outputs, &rows);
        replace(&store, rows.words[0]);
    }
}

// ---------------------------------------------------------------- the batch

void raster_blend(const struct raster_draw *draw, const struct raster_fragments *fragments,
    const uint32_t *outputs) {
    uint32_t count = draw->pass->color_count;
    if (count > draw->pipeline->state.target_count) {
        count = draw->pipeline->state.target_count;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (draw->pass->colors[i].data != NULL &&
            draw->pipeline->state.targets[i].format != WGPUTextureFormat_Undefined) {
            store_color(draw, fragments, outputs, i);
        }
    }
}

void raster_alpha_to_coverage(
    const struct raster_draw *draw, struct raster_fragments *fragments, const uint32_t *outputs) {
    // By quarters of alpha, to the nearest: each mask has the samples of the one before, and the
    // second sample lies opposite the first.
    static const uint8_t masks[5] = {0, 1, 9, 11, 15};
    const struct raster_interface_value *value = find_color(
        &draw->pipeline->fragment.outputs, 0, 0);
    if (draw->pass->sample_count != 4 || value == NULL || value->word_count < 4) {
        return;
    }
    const uint32_t *row = outputs + (size_t)(value->first_word + 3) * JIT_BATCH_LANES;
    for (uint32_t lane = 0; lane < fragments->lane_count; lane++) {
        float alpha = 0;
        memcpy(&alpha, &row[lane], sizeof(alpha));
        float quarters = alpha > 0 ? (alpha < 1 ? alpha * 4 + 0.5f : 4) : 0; // NaN: 0
        fragments->coverage[lane] &= masks[(uint32_t)quarters];
    }
}
