// SPDX-License-Identifier: MIT
//
// A factor is a row, a term a row times a row; loops over a row are what compilers vectorise.
// Factors of zero and one are not multiplied by: what is not a number in an attachment must not
// survive a blend that ignores it.
#include "backend/cpu/raster_blend_priv.h"
#include "backend/cpu/wide.h"

#include <webgpu/webgpu.h>

CPU_WIDE_INLINE float clamp(float value, float least, float most) {
    float clamped = value > least ? value : least;
    clamped = clamped < most ? clamped : most;
    return value == value ? clamped : 0;
}

CPU_WIDE_INLINE void clamp_row(float *row, float least, float most) {
    for (uint32_t i = 0; i < JIT_BATCH_LANES; i++) {
        row[i] = clamp(row[i], least, most);
    }
}

CPU_WIDE void clamp_operands(struct blend_operands *operands, enum blend_range range) {
    if (range == BLEND_FLOAT) {
        return;
    }
    float least = range == BLEND_SNORM ? -1 : 0;
    for (uint32_t i = 0; i < 4; i++) {
        clamp_row(operands->source.values[i], least, 1);
        if (operands->needs_source1) {
            clamp_row(operands->source1.values[i], least, 1);
        }
        operands->constant[i] = clamp(operands->constant[i], least, 1);
    }
}

void raster_blend_clamp(struct blend_operands *operands, enum blend_range range) {
    clamp_operands(operands, range);
}

// ---------------------------------------------------------------- factors

static bool is_of_source1(uint32_t factor) {
    return factor >= WGPUBlendFactor_Src1 && factor <= WGPUBlendFactor_OneMinusSrc1Alpha;
}

bool raster_blend_needs_source1(const struct backend_color_target *state) {
    return is_of_source1(state->color.src_factor) || is_of_source1(state->color.dst_factor) ||
        is_of_source1(state->alpha.src_factor) || is_of_source1(state->alpha.dst_factor);
}

enum factor_kind { FACTOR_ZERO, FACTOR_ONE, FACTOR_ROW };

CPU_WIDE_INLINE void copy_row(struct blend_span span, const float *row, float *out_row) {
    for (uint32_t i = span.first; i < span.end; i++) {
        out_row[i] = row[i];
    }
}

CPU_WIDE_INLINE void complement_row(struct blend_span span, const float *row, float *out_row) {
    for (uint32_t i = span.first; i < span.end; i++) {
        out_row[i] = 1 - row[i];
    }
}

CPU_WIDE_INLINE void fill_row(struct blend_span span, float value, float *out_row) {
    for (uint32_t i = span.first; i < span.end; i++) {
        out_row[i] = value;
    }
}

CPU_WIDE_INLINE void saturate_row(
    struct blend_span span, const float *source_alpha, const float *target_alpha, float *out_row) {
    for (uint32_t i = span.first; i < span.end; i++) {
        float rest = 1 - target_alpha[i];
        out_row[i] = source_alpha[i] < rest ? source_alpha[i] : rest;
    }
}

CPU_WIDE_INLINE enum factor_kind get_factor(const struct blend_operands *operands, uint32_t factor,
    uint32_t component, struct blend_span span, float *out_row) {
    const float(*source)[JIT_BATCH_LANES] = operands->source.values;
    const float(*source1)[JIT_BATCH_LANES] = operands->source1.values;
    const float(*target)[JIT_BATCH_LANES] = operands->target.values;
    switch (factor) {
    case WGPUBlendFactor_Zero:
        return FACTOR_ZERO;
    case WGPUBlendFactor_Src:
        copy_row(span, source[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusSrc:
        complement_row(span, source[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_SrcAlpha:
        copy_row(span, source[3], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusSrcAlpha:
        complement_row(span, source[3], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_Dst:
        copy_row(span, target[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusDst:
        complement_row(span, target[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_DstAlpha:
        copy_row(span, target[3], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusDstAlpha:
        complement_row(span, target[3], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_SrcAlphaSaturated:
        if (component == 3) {
            return FACTOR_ONE;
        }
        saturate_row(span, source[3], target[3], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_Constant:
        fill_row(span, operands->constant[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusConstant:
        fill_row(span, 1 - operands->constant[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_Src1:
        copy_row(span, source1[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusSrc1:
        complement_row(span, source1[component], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_Src1Alpha:
        copy_row(span, source1[3], out_row);
        return FACTOR_ROW;
    case WGPUBlendFactor_OneMinusSrc1Alpha:
        complement_row(span, source1[3], out_row);
        return FACTOR_ROW;
    default:
        return FACTOR_ONE;
    }
}

// value times its factor. Where 1 is the most that a number can be, 1 - x of x = -1 is 1 too.
CPU_WIDE_INLINE void make_term(const struct blend_operands *operands, uint32_t factor,
    uint32_t component, const float *value, enum blend_range range, struct blend_span span,
    float *out_row) {
    switch (get_factor(operands, factor, component, span, out_row)) {
    case FACTOR_ZERO:
        fill_row(span, 0, out_row);
        return;
    case FACTOR_ONE:
        copy_row(span, value, out_row);
        return;
    case FACTOR_ROW:
        break;
    }
    if (range == BLEND_SNORM) {
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = clamp(out_row[i], -1, 1);
        }
    }
    for (uint32_t i = span.first; i < span.end; i++) {
        out_row[i] *= value[i];
    }
}

// ---------------------------------------------------------------- operations

CPU_WIDE_INLINE void combine(uint32_t operation, struct blend_span span, const float *source,
    const float *target, float *out_row) {
    switch (operation) {
    case WGPUBlendOperation_Subtract:
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = source[i] - target[i];
        }
        return;
    case WGPUBlendOperation_ReverseSubtract:
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = target[i] - source[i];
        }
        return;
    case WGPUBlendOperation_Min:
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = source[i] < target[i] ? source[i] : target[i];
        }
        return;
    case WGPUBlendOperation_Max:
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = source[i] > target[i] ? source[i] : target[i];
        }
        return;
    default:
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = source[i] + target[i];
        }
        return;
    }
}

// The blends that most programs use, in one loop; operations and their order are those of the terms.
static bool is_over(const struct backend_blend_component *state, enum blend_range range) {
    return range != BLEND_SNORM && state->operation == WGPUBlendOperation_Add &&
        state->dst_factor == WGPUBlendFactor_OneMinusSrcAlpha &&
        (state->src_factor == WGPUBlendFactor_SrcAlpha || state->src_factor == WGPUBlendFactor_One);
}

CPU_WIDE_INLINE void lay_over(struct blend_span span, const float *source, const float *alpha,
    bool is_premultiplied, const float *target, float *restrict out_row) {
    if (is_premultiplied) {
        for (uint32_t i = span.first; i < span.end; i++) {
            out_row[i] = source[i] + (1 - alpha[i]) * target[i];
        }
        return;
    }
    for (uint32_t i = span.first; i < span.end; i++) {
        out_row[i] = alpha[i] * source[i] + (1 - alpha[i]) * target[i];
    }
}

CPU_WIDE_INLINE void evaluate_component(const struct backend_blend_component *state,
    enum blend_range range, const struct blend_operands *operands, uint32_t component,
    struct blend_span span, float *out_row) {
    const float *source = operands->source.values[component];
    const float *target = operands->target.values[component];
    if (state->operation == WGPUBlendOperation_Min || state->operation == WGPUBlendOperation_Max) {
        combine(state->operation, span, source, target, out_row); // without factors
        return;
    }
    if (is_over(state, range)) {
        bool is_premultiplied = state->src_factor == WGPUBlendFactor_One;
        lay_over(span, source, operands->source.values[3], is_premultiplied, target, out_row);
        return;
    }
    float source_term[JIT_BATCH_LANES];
    float target_term[JIT_BATCH_LANES];
    make_term(operands, state->src_factor, component, source, range, span, source_term);
    make_term(operands, state->dst_factor, component, target, range, span, target_term);
    combine(state->operation, span, source_term, target_term, out_row);
}

CPU_WIDE void evaluate(const struct backend_color_target *state, enum blend_range range,
    const struct blend_operands *operands, uint32_t components, struct blend_span span,
    union blend_rows *out_result) {
    for (uint32_t i = 0; i < 4; i++) {
        if ((components >> i & 1u) != 0) {
            evaluate_component(i < 3 ? &state->color : &state->alpha, range, operands, i, span,
                out_result->values[i]);
        } else {
            fill_row(span, 0, out_result->values[i]);
        }
    }
}

void raster_blend_evaluate(const struct backend_color_target *state, enum blend_range range,
    const struct blend_operands *operands, uint32_t components, struct blend_span span,
    union blend_rows *out_result) {
    evaluate(state, range, operands, components, span, out_result);
}
