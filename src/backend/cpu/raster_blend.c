// SPDX-License-Identifier: MIT
//
// Colors on their way into attachments: texels of all lanes are fetched into one row, decoded,
// blended, encoded and put back, a sample at a time. Lanes that are the same pixel may not be in
// one row, since the second must find what the first one left: a batch is cut where a pixel comes
// again.
#include "backend/cpu/raster_blend_priv.h"

#include <string.h>

#include <webgpu/webgpu.h>

#define TEXEL_BYTES_LIMIT 16u

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
    const struct raster_target *target, uint32_t write_mask, uint8_t out_bits[TEXEL_BYTES_LIMIT]) {
    static const uint8_t shifts_10_2[5] = {0, 10, 20, 30, 32};
    static const uint8_t shifts_11_10[4] = {0, 11, 22, 32};
    memset(out_bits, 0, TEXEL_BYTES_LIMIT);
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

// ---------------------------------------------------------------- texels in memory

// Where the texels of a sample are, by lane; lanes without it have one of their own to spoil.
struct texel_places {
    uint8_t *at[JIT_BATCH_LANES];
    uint8_t spare[TEXEL_BYTES_LIMIT];
    bool has_any;
};

static void find_places(const struct raster_pass *pass, const struct raster_target *target,
    const struct raster_fragments *fragments, uint32_t sample, uint32_t first, uint32_t end,
    struct texel_places *out_places) {
    uint64_t pixel_bytes = (uint64_t)target->texel_bytes * pass->sample_count;
    uint8_t *data = target->data + (size_t)sample * target->texel_bytes;
    uint32_t seen = 0;
    memset(out_places->spare, 0, sizeof(out_places->spare));
    for (uint32_t lane = first; lane < end; lane++) {
        uint32_t has_sample = fragments->coverage[lane] >> sample & 1u;
        seen |= has_sample;
        out_places->at[lane] = has_sample != 0
            ? data + fragments->y[lane] * target->row_bytes + fragments->x[lane] * pixel_bytes
            : out_places->spare;
    }
    out_places->has_any = seen != 0;
}

// `bytes` is constant at each place that calls.
static inline void gather_texels(
    uint8_t *const *at, uint8_t *texels, size_t bytes, uint32_t first, uint32_t end) {
    for (uint32_t lane = first; lane < end; lane++) {
        memcpy(texels + lane * bytes, at[lane], bytes);
    }
}

static void gather(const struct texel_places *places, uint32_t texel_bytes, uint32_t first,
    uint32_t end, uint8_t *out_texels) {
    switch (texel_bytes) {
    case 1:
        gather_texels(places->at, out_texels, 1, first, end);
        break;
    case 2:
        gather_texels(places->at, out_texels, 2, first, end);
        break;
    case 4:
        gather_texels(places->at, out_texels, 4, first, end);
        break;
    case 8:
        gather_texels(places->at, out_texels, 8, first, end);
        break;
    default:
        gather_texels(places->at, out_texels, 16, first, end);
        break;
    }
}

static inline void scatter_texels(
    uint8_t *const *at, const uint8_t *texels, size_t bytes, uint32_t first, uint32_t end) {
    for (uint32_t lane = first; lane < end; lane++) {
        memcpy(at[lane], texels + lane * bytes, bytes);
    }
}

static void scatter(const struct texel_places *places, uint32_t texel_bytes, uint32_t first,
    uint32_t end, const uint8_t *texels) {
    switch (texel_bytes) {
    case 1:
        scatter_texels(places->at, texels, 1, first, end);
        break;
    case 2:
        scatter_texels(places->at, texels, 2, first, end);
        break;
    case 4:
        scatter_texels(places->at, texels, 4, first, end);
        break;
    case 8:
        scatter_texels(places->at, texels, 8, first, end);
        break;
    default:
        scatter_texels(places->at, texels, 16, first, end);
        break;
    }
}

// As scatter, of some bits alone.
static void scatter_bits(const struct texel_places *places, uint32_t texel_bytes, uint32_t first,
    uint32_t end, const uint8_t *bits, const uint8_t *texels) {
    for (uint32_t lane = first; lane < end; lane++) {
        uint8_t *at = places->at[lane];
        const uint8_t *texel = texels + (size_t)lane * texel_bytes;
        for (uint32_t i = 0; i < texel_bytes; i++) {
            at[i] = (uint8_t)((at[i] & ~bits[i]) | (texel[i] & bits[i]));
        }
    }
}

// ---------------------------------------------------------------- one target

struct store {
    const struct raster_pass *pass;
    const struct raster_target *target;
    const struct raster_fragments *fragments;
    uint8_t bits[TEXEL_BYTES_LIMIT];
    bool has_all_bits;
};

static void put(const struct store *store, const struct texel_places *places, uint32_t first,
    uint32_t end, const uint8_t *texels) {
    if (store->has_all_bits) {
        scatter(places, store->target->texel_bytes, first, end, texels);
    } else {
        scatter_bits(places, store->target->texel_bytes, first, end, store->bits, texels);
    }
}

static void replace(const struct store *store, const uint32_t *words) {
    const struct raster_target *target = store->target;
    uint32_t count = store->fragments->lane_count;
    uint8_t texels[JIT_BATCH_LANES * TEXEL_BYTES_LIMIT];
    struct texel_places places;
    target->codec->encode(texels, target->texel_bytes, count, words, JIT_BATCH_LANES);
    for (uint32_t sample = 0; sample < store->pass->sample_count; sample++) {
        find_places(store->pass, target, store->fragments, sample, 0, count, &places);
        if (places.has_any) {
            put(store, &places, 0, count, texels);
        }
    }
}

// Quads [first, end) of a batch that share no sample of a pixel: where the next such row begins.
static uint32_t find_cut(const struct raster_fragments *fragments, uint32_t first_lane) {
    uint32_t places[JIT_BATCH_LANES / 4];
    uint32_t samples[JIT_BATCH_LANES / 4];
    uint32_t count = 0;
    uint32_t lane = first_lane;
    for (; lane < fragments->lane_count; lane += 4) {
        const uint8_t *coverage = &fragments->coverage[lane];
        uint32_t place = (uint32_t)fragments->x[lane] << 16 | fragments->y[lane];
        uint32_t sample = (uint32_t)coverage[0] | coverage[1] | coverage[2] | coverage[3];
        uint32_t shared = 0;
        for (uint32_t i = 0; i < count; i++) {
            shared |= places[i] == place ? samples[i] & sample : 0;
        }
        if (shared != 0) {
            break;
        }
        places[count] = place;
        samples[count] = sample;
        count++;
    }
    return lane;
}

static void blend_lanes(const struct store *store, const struct backend_color_target *state,
    enum blend_range range, struct blend_operands *operands, uint32_t first, uint32_t end) {
    const struct raster_target *target = store->target;
    uint32_t texel_bytes = target->texel_bytes;
    uint32_t components = (1u << target->codec->component_count) - 1;
    uint8_t texels[JIT_BATCH_LANES * TEXEL_BYTES_LIMIT];
    struct texel_places places;
    union blend_rows result;
    for (uint32_t sample = 0; sample < store->pass->sample_count; sample++) {
        find_places(store->pass, target, store->fragments, sample, first, end, &places);
        if (!places.has_any) {
            continue;
        }
        uint8_t *run = texels + (size_t)first * texel_bytes;
        gather(&places, texel_bytes, first, end, texels);
        target->codec->decode(
            run, texel_bytes, end - first, &operands->target.words[0][first], JIT_BATCH_LANES);
        raster_blend_evaluate(state, range, operands, components, first, end, &result);
        target->codec->encode(
            run, texel_bytes, end - first, &result.words[0][first], JIT_BATCH_LANES);
        put(store, &places, first, end, texels);
    }
}

static void blend(const struct store *store, const struct backend_color_target *state,
    const float constant[4], struct blend_operands *operands) {
    enum blend_range range = get_range(store->target->format);
    memcpy(operands->constant, constant, sizeof(operands->constant));
    raster_blend_clamp(operands, range);
    uint32_t end = 0;
    for (uint32_t first = 0; first < store->fragments->lane_count; first = end) {
        end = find_cut(store->fragments, first);
        blend_lanes(store, state, range, operands, first, end);
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
    struct store store = {
        .pass = draw->pass,
        .target = target,
        .fragments = fragments,
        .has_all_bits = write_mask == all,
    };
    make_write_bits(target, write_mask, store.bits);
    if (state->has_blend && target->codec->kind == TYPE_F32) {
        struct blend_operands operands;
        copy_color(value, outputs, &operands.source);
        copy_color(find_color(values, index, 1), outputs, &operands.source1);
        blend(&store, state, draw->blend_constant, &operands);
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
