// SPDX-License-Identifier: MIT
//
// Bit, packing, unpacking and bitcast functions on constants: WGSL §Numeric Built-in Functions
// (integers), §Data Packing, §Data Unpacking, §Bit Reinterpretation. const_eval.h has the contract.
#include <math.h>
#include <string.h>

#include "shader/wgsl/const_eval_priv.h"

static uint32_t count_leading_zeros(uint32_t value) {
    uint32_t count = 0;
    while (count < 32 && (value >> (31 - count) & 1) == 0) {
        count++;
    }
    return count;
}

static uint32_t count_trailing_zeros(uint32_t value) {
    uint32_t count = 0;
    while (count < 32 && (value >> count & 1) == 0) {
        count++;
    }
    return count;
}

static uint32_t count_ones(uint32_t value) {
    uint32_t count = 0;
    for (; value != 0; value &= value - 1) {
        count++;
    }
    return count;
}

static uint32_t reverse(uint32_t value) {
    uint32_t result = 0;
    for (int i = 0; i < 32; i++) {
        result |= (value >> i & 1) << (31 - i);
    }
    return result;
}

static uint32_t low_mask(uint32_t count) {
    return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}

static uint32_t first_leading_bit(enum type_kind kind, uint32_t bits) {
    if (kind == TYPE_I32 && bits >> 31 != 0) {
        bits = ~bits; // the most significant bit that differs from the sign bit
    }
    return bits == 0 ? UINT32_MAX : 31 - count_leading_zeros(bits);
}

bool const_bit_component(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    uint32_t bits = (uint32_t)v[0].integer, result = 0;
    switch (id) {
    case BUILTIN_COUNT_LEADING_ZEROS:
        result = count_leading_zeros(bits);
        break;
    case BUILTIN_COUNT_TRAILING_ZEROS:
        result = count_trailing_zeros(bits);
        break;
    case BUILTIN_COUNT_ONE_BITS:
        result = count_ones(bits);
        break;
    case BUILTIN_REVERSE_BITS:
        result = reverse(bits);
        break;
    case BUILTIN_FIRST_LEADING_BIT:
        result = first_leading_bit(kind, bits);
        break;
    case BUILTIN_FIRST_TRAILING_BIT:
        result = bits == 0 ? UINT32_MAX : count_trailing_zeros(bits);
        break;
    default: {
        bool is_insert = id == BUILTIN_INSERT_BITS;
        int64_t offset = v[is_insert ? 2 : 1].integer, count = v[is_insert ? 3 : 2].integer;
        if (offset + count > 32) {
            return const_fail(evaluator, DIAGNOSTIC_BUILTIN_DOMAIN,
                "'%s' reaches bit %d of a 32-bit integer", builtin_get(id)->name,
                (int)(offset + count > 1000 ? 1000 : offset + count));
        }
        uint32_t mask = low_mask((uint32_t)count);
        if (is_insert) {
            uint32_t placed = offset == 32 ? 0 : mask << offset;
            uint32_t fresh = offset == 32 ? 0 : (uint32_t)v[1].integer << offset;
            result = (bits & ~placed) | (fresh & placed);
        } else {
            result = offset == 32 ? 0 : bits >> offset & mask;
            if (kind == TYPE_I32 && count != 0 && result >> (count - 1) & 1) {
                result |= ~mask;
            }
        }
        break;
    }
    }
    out->integer = const_wrap(kind, (int64_t)result);
    return true;
}

// ---- Packing -----------------------------------------------------------------------------------

static double get_real(
    const struct const_evaluator *evaluator, const struct const_value *value, uint32_t i) {
    return const_value_get(value, evaluator->types, i).real;
}

static uint32_t pack_normalized(double value, double low, double scale, uint32_t width) {
    double clamped = fmin(fmax(value, low), 1.0);
    return (uint32_t)(int32_t)floor(0.5 + scale * clamped) & low_mask(width);
}

static bool pack(struct const_evaluator *evaluator, uint32_t id, const struct const_value *value,
    uint32_t *out) {
    uint32_t count = type_component_count(evaluator->types, value->type);
    uint32_t width = 32 / count;
    *out = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t integer = const_value_get(value, evaluator->types, i).integer;
        uint32_t bits = 0;
        switch (id) {
        case BUILTIN_PACK_4X8_SNORM:
            bits = pack_normalized(get_real(evaluator, value, i), -1.0, 127.0, 8);
            break;
        case BUILTIN_PACK_4X8_UNORM:
            bits = pack_normalized(get_real(evaluator, value, i), 0.0, 255.0, 8);
            break;
        case BUILTIN_PACK_2X16_SNORM:
            bits = pack_normalized(get_real(evaluator, value, i), -1.0, 32767.0, 16);
            break;
        case BUILTIN_PACK_2X16_UNORM:
            bits = pack_normalized(get_real(evaluator, value, i), 0.0, 65535.0, 16);
            break;
        case BUILTIN_PACK_2X16_FLOAT: {
            double real = get_real(evaluator, value, i);
            if (fabs(real) > CONST_F16_MAXIMUM) {
                return const_fail(
                    evaluator, DIAGNOSTIC_VALUE_RANGE, "%.9g is outside the range of f16", real);
            }
            bits = const_f16_to_bits(real);
            break;
        }
        case BUILTIN_PACK_4X_I8_CLAMP:
            bits = (uint32_t)(integer < -128 ? -128 : integer > 127 ? 127 : integer);
            break;
        case BUILTIN_PACK_4X_U8_CLAMP:
            bits = (uint32_t)(integer > 255 ? 255 : integer);
            break;
        default: // pack4xI8, pack4xU8
            bits = (uint32_t)integer;
            break;
        }
        *out |= (bits & low_mask(width)) << (width * i);
    }
    return true;
}

static int64_t sign_extend(uint32_t bits, uint32_t width) {
    return bits >> (width - 1) & 1 ? (int64_t)bits - ((int64_t)1 << width) : (int64_t)bits;
}

static union const_scalar unpack(uint32_t id, uint32_t bits, uint32_t width) {
    union const_scalar out = {.integer = 0};
    int64_t extended = sign_extend(bits, width);
    switch (id) {
    case BUILTIN_UNPACK_4X8_SNORM:
        out.real = const_round(TYPE_F32, fmax((double)extended / 127.0, -1.0));
        break;
    case BUILTIN_UNPACK_4X8_UNORM:
        out.real = const_round(TYPE_F32, bits / 255.0);
        break;
    case BUILTIN_UNPACK_2X16_SNORM:
        out.real = const_round(TYPE_F32, fmax((double)extended / 32767.0, -1.0));
        break;
    case BUILTIN_UNPACK_2X16_UNORM:
        out.real = const_round(TYPE_F32, bits / 65535.0);
        break;
    case BUILTIN_UNPACK_2X16_FLOAT:
        out.real = const_f16_from_bits((uint16_t)bits);
        break;
    case BUILTIN_UNPACK_4X_I8:
        out.integer = extended;
        break;
    default: // unpack4xU8
        out.integer = bits;
        break;
    }
    return out;
}

static int64_t dot_packed(bool is_signed, uint32_t a, uint32_t b) {
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t left = a >> (8 * i) & 0xff, right = b >> (8 * i) & 0xff;
        sum += is_signed ? sign_extend(left, 8) * sign_extend(right, 8)
                         : (int64_t)left * (int64_t)right;
    }
    return sum;
}

static const struct const_value *check_memory(
    struct const_evaluator *evaluator, const struct const_value *value) {
    if (value == NULL) {
        diagnostic_list_set_out_of_memory(evaluator->diagnostics);
    }
    return value;
}

const struct const_value *const_eval_packing(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, type_id result) {
    if (id == BUILTIN_DOT_4_I8_PACKED || id == BUILTIN_DOT_4_U8_PACKED) {
        int64_t sum = dot_packed(id == BUILTIN_DOT_4_I8_PACKED,
            (uint32_t)const_value_get_integer(arguments[0]),
            (uint32_t)const_value_get_integer(arguments[1]));
        return check_memory(evaluator, const_value_integer(evaluator->arena, result, sum));
    }
    if (id <= BUILTIN_PACK_2X16_FLOAT) {
        uint32_t bits;
        if (!pack(evaluator, id, arguments[0], &bits)) {
            return NULL;
        }
        return check_memory(evaluator, const_value_integer(evaluator->arena, result, bits));
    }
    union const_scalar components[4];
    uint32_t bits = (uint32_t)const_value_get_integer(arguments[0]);
    uint32_t count = type_component_count(evaluator->types, result), width = 32 / count;
    for (uint32_t i = 0; i < count; i++) {
        components[i] = unpack(id, bits >> (width * i) & low_mask(width), width);
        if (id == BUILTIN_UNPACK_2X16_FLOAT && !isfinite(components[i].real)) {
            const_fail(evaluator, DIAGNOSTIC_CONST_OVERFLOW,
                "0x%08x holds a half that is no finite f16", (unsigned)bits);
            return NULL;
        }
    }
    return check_memory(
        evaluator, const_value_components(evaluator->arena, evaluator->types, result, components));
}

// ---- Bitcast -----------------------------------------------------------------------------------

static bool read_component(struct const_evaluator *evaluator, enum type_kind kind, uint32_t bits,
    union const_scalar *out) {
    if (kind == TYPE_F32) {
        float single;
        memcpy(&single, &bits, sizeof(single));
        out->real = (double)single;
    } else if (kind == TYPE_F16) {
        out->real = const_f16_from_bits((uint16_t)bits);
    } else {
        out->integer = const_wrap(kind, (int64_t)bits);
        return true;
    }
    if (!isfinite(out->real)) {
        return const_fail(evaluator, DIAGNOSTIC_CONST_OVERFLOW,
            "the bits 0x%0*x are no finite value of %s", kind == TYPE_F16 ? 4 : 8, (unsigned)bits,
            kind == TYPE_F16 ? "f16" : "f32");
    }
    return true;
}

const struct const_value *const_eval_bitcast(
    struct const_evaluator *evaluator, const struct const_value *value, type_id to) {
    unsigned char bytes[16];
    union const_scalar components[4];
    enum type_kind kind = type_kind_of(evaluator->types, type_element_of(evaluator->types, to));
    uint32_t scalar_bytes = kind == TYPE_F16 ? 2 : 4;
    const_value_write(value, evaluator->types, bytes);
    for (uint32_t i = 0; i < type_component_count(evaluator->types, to); i++) {
        uint32_t bits = 0;
        for (uint32_t j = 0; j < scalar_bytes; j++) {
            bits |= (uint32_t)bytes[i * scalar_bytes + j] << (8 * j);
        }
        if (!read_component(evaluator, kind, bits, &components[i])) {
            return NULL;
        }
    }
    return check_memory(
        evaluator, const_value_components(evaluator->arena, evaluator->types, to, components));
}
