// SPDX-License-Identifier: MIT
//
// How strides, alignments and ranges pass through one integer operation. See analysis_affine.h for
// what the facts mean. Pure functions, any thread.
#include "shader/ir/analysis_affine_transfer.h"

static int64_t type_low(bool is_signed) {
    return is_signed ? INT32_MIN : 0;
}
static int64_t type_high(bool is_signed) {
    return is_signed ? INT32_MAX : (int64_t)UINT32_MAX;
}

struct affine_fact affine_unknown(bool is_signed) {
    return (struct affine_fact){.is_reached = true,
        .v = {.base_alignment = 1, .low = type_low(is_signed), .high = type_high(is_signed)}};
}

static uint32_t alignment_of(uint32_t bits) {
    return bits == 0 ? AFFINE_ALIGNMENT_MAX : bits & (0u - bits);
}

struct affine_fact affine_constant(bool is_signed, uint32_t bits) {
    int64_t number = is_signed ? (int64_t)(int32_t)bits : (int64_t)bits;
    return (struct affine_fact){.is_reached = true,
        .v = {.is_affine = true,
            .base_alignment = alignment_of(bits),
            .low = number,
            .high = number}};
}

static uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}
static int64_t min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t max_i64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

uint32_t affine_lane_alignment(const struct ir_affine_value *value) {
    return value->is_affine ? min_u32(value->base_alignment, alignment_of((uint32_t)value->stride))
                            : value->base_alignment;
}

static bool is_single(const struct ir_affine_value *value) {
    return value->low == value->high;
}

static void drop_affine(struct ir_affine_value *value) {
    value->base_alignment = affine_lane_alignment(value);
    value->is_affine = false;
    value->stride = 0;
}

struct affine_fact affine_join(const struct affine_fact *a, const struct affine_fact *b,
    bool is_choice_uniform, bool is_signed) {
    (void)is_signed;
    if (!a->is_reached || !b->is_reached) {
        return a->is_reached ? *a : *b;
    }
    struct ir_affine_value x = a->v;
    struct ir_affine_value y = b->v;
    if (!x.is_affine || !y.is_affine || x.stride != y.stride || !is_choice_uniform) {
        drop_affine(&x);
        drop_affine(&y);
    }
    x.base_alignment = min_u32(x.base_alignment, y.base_alignment);
    x.low = min_i64(x.low, y.low);
    x.high = max_i64(x.high, y.high);
    return (struct affine_fact){.is_reached = true, .v = x};
}

// Sets the range, or the type's when it does not fit: the operation wrapped.
static void set_range(struct ir_affine_value *out, bool is_signed, int64_t low, int64_t high) {
    if (low >= type_low(is_signed) && high <= type_high(is_signed)) {
        out->low = low;
        out->high = high;
    }
}

// ---------------------------------------------------------------- ranges

static int64_t bits_above(int64_t high) {
    int64_t mask = 0;
    while (mask < high) {
        mask = mask * 2 + 1;
    }
    return mask;
}

static void multiply_range(struct ir_affine_value *out, bool is_signed,
    const struct ir_affine_value *a, const struct ir_affine_value *b) {
    // Magnitudes are below 2^32; products of two unsigned ones may pass 2^63, so those go first.
    if (!is_signed && a->high != 0 && b->high > (int64_t)UINT32_MAX / a->high) {
        return;
    }
    int64_t corners[4] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
    int64_t low = corners[0];
    int64_t high = corners[0];
    for (int i = 1; i < 4; i++) {
        low = min_i64(low, corners[i]);
        high = max_i64(high, corners[i]);
    }
    set_range(out, is_signed, low, high);
}

static void remainder_range(struct ir_affine_value *out, bool is_signed,
    const struct ir_affine_value *a, const struct ir_affine_value *b) {
    int64_t magnitude = max_i64(b->high, -b->low);
    int64_t bound = magnitude > 0 ? magnitude - 1 : 0;
    // x % 0 is 0, INT_MIN % -1 is 0; the sign is the dividend's.
    int64_t high = a->high > 0 ? min_i64(a->high, bound) : 0;
    int64_t low = a->low < 0 ? max_i64(a->low, -bound) : 0;
    set_range(out, is_signed, low, high);
}

static void divide_range(struct ir_affine_value *out, bool is_signed,
    const struct ir_affine_value *a, const struct ir_affine_value *b) {
    if (b->low >= 1) {
        int64_t corners[4] = {
            a->low / b->low, a->low / b->high, a->high / b->low, a->high / b->high};
        int64_t low = corners[0];
        int64_t high = corners[0];
        for (int i = 1; i < 4; i++) {
            low = min_i64(low, corners[i]);
            high = max_i64(high, corners[i]);
        }
        set_range(out, is_signed, low, high);
    } else if (!is_signed) {
        set_range(out, is_signed, 0, a->high); // x / 0 is x
    }
}

static void bitwise_range(struct ir_affine_value *out, enum ir_opcode opcode, bool is_signed,
    const struct ir_affine_value *a, const struct ir_affine_value *b) {
    bool is_a_positive = a->low >= 0;
    bool is_b_positive = b->low >= 0;
    if (opcode == IR_AND) {
        if (is_a_positive && is_b_positive) {
            set_range(out, is_signed, 0, min_i64(a->high, b->high));
        } else if (is_a_positive || is_b_positive) {
            set_range(out, is_signed, 0, is_a_positive ? a->high : b->high);
        }
    } else if (is_a_positive && is_b_positive) {
        set_range(out, is_signed, opcode == IR_OR ? max_i64(a->low, b->low) : 0,
            bits_above(max_i64(a->high, b->high)));
    }
}

static void shift_range(struct ir_affine_value *out, enum ir_opcode opcode, bool is_signed,
    const struct ir_affine_value *a, const struct ir_affine_value *count) {
    if (count->low < 0 || count->high > 31) {
        if (a->low >= 0 && opcode != IR_SHL) {
            set_range(out, is_signed, 0, a->high);
        }
        return;
    }
    if (opcode == IR_SHL) {
        if (a->low >= 0) {
            set_range(out, is_signed, a->low << count->low, a->high << count->high);
        }
    } else if (a->low >= 0) {
        set_range(out, is_signed, a->low >> count->high, a->high >> count->low);
    }
}

static void clamp_range(struct ir_affine_value *out, bool is_signed,
    const struct ir_affine_value *a, const struct ir_affine_value *low,
    const struct ir_affine_value *high) {
    // min(max(a, low), high)
    int64_t l = min_i64(max_i64(a->low, low->low), high->low);
    int64_t h = min_i64(max_i64(a->high, low->high), high->high);
    set_range(out, is_signed, l, h);
}

static void set_result_range(struct ir_affine_value *out, enum ir_opcode opcode, bool is_signed,
    const struct ir_affine_value *const *x, uint32_t count) {
    const struct ir_affine_value *a = count > 0 ? x[0] : NULL;
    const struct ir_affine_value *b = count > 1 ? x[1] : NULL;
    if (a == NULL) {
        return;
    }
    switch (opcode) {
    case IR_ABS_S:
        if (a->low > INT32_MIN) {
            set_range(out, is_signed, a->low >= 0 ? a->low : 0, max_i64(a->high, -a->low));
        }
        return;
    case IR_NEG_I:
        set_range(out, is_signed, -a->high, -a->low);
        return;
    case IR_SIGN_S:
        set_range(out, is_signed, -1, 1);
        return;
    case IR_COUNT_LEADING_ZEROS:
    case IR_COUNT_TRAILING_ZEROS:
    case IR_COUNT_ONE_BITS:
        set_range(out, is_signed, 0, 32);
        return;
    case IR_BITCAST:
        set_range(out, is_signed, a->low, a->high);
        return;
    default:
        break;
    }
    if (b == NULL) {
        return;
    }
    switch (opcode) {
    case IR_ADD_I:
        set_range(out, is_signed, a->low + b->low, a->high + b->high);
        return;
    case IR_SUB_I:
        set_range(out, is_signed, a->low - b->high, a->high - b->low);
        return;
    case IR_MUL_I:
        multiply_range(out, is_signed, a, b);
        return;
    case IR_DIV_S:
    case IR_DIV_U:
        divide_range(out, is_signed, a, b);
        return;
    case IR_REM_S:
    case IR_REM_U:
        remainder_range(out, is_signed, a, b);
        return;
    case IR_AND:
    case IR_OR:
    case IR_XOR:
        bitwise_range(out, opcode, is_signed, a, b);
        return;
    case IR_SHL:
    case IR_SHR_S:
    case IR_SHR_U:
        shift_range(out, opcode, is_signed, a, b);
        return;
    case IR_MIN_S:
    case IR_MIN_U:
        set_range(out, is_signed, min_i64(a->low, b->low), min_i64(a->high, b->high));
        return;
    case IR_MAX_S:
    case IR_MAX_U:
        set_range(out, is_signed, max_i64(a->low, b->low), max_i64(a->high, b->high));
        return;
    case IR_CLAMP_S:
    case IR_CLAMP_U:
        if (count > 2 && x[2] != NULL) {
            clamp_range(out, is_signed, a, b, x[2]);
        }
        return;
    case IR_EXTRACT_BITS_U:
        if (count > 2 && x[2] != NULL && x[2]->high < 32) {
            set_range(out, is_signed, 0, (INT64_C(1) << x[2]->high) - 1);
        }
        return;
    default:
        return;
    }
}

// ---------------------------------------------------------------- strides and alignments

static uint32_t multiply_alignment(uint32_t a, uint32_t b) {
    uint64_t product = (uint64_t)a * b;
    return product > AFFINE_ALIGNMENT_MAX ? AFFINE_ALIGNMENT_MAX : (uint32_t)product;
}

static void linear(struct ir_affine_value *out, const struct ir_affine_value *a,
    const struct ir_affine_value *b, bool is_subtraction) {
    if (a->is_affine && b->is_affine) {
        out->is_affine = true;
        out->stride = (int32_t)(is_subtraction ? (uint32_t)a->stride - (uint32_t)b->stride
                                               : (uint32_t)a->stride + (uint32_t)b->stride);
        out->base_alignment = min_u32(a->base_alignment, b->base_alignment);
    } else {
        out->base_alignment = min_u32(affine_lane_alignment(a), affine_lane_alignment(b));
    }
}

static void scale(
    struct ir_affine_value *out, const struct ir_affine_value *a, const struct ir_affine_value *b) {
    if (a->is_affine && b->is_affine &&
        (is_single(a) || is_single(b) || (a->stride | b->stride) == 0)) {
        out->is_affine = true;
        if (is_single(b)) {
            out->stride = (int32_t)((uint32_t)a->stride * (uint32_t)b->low);
        } else if (is_single(a)) {
            out->stride = (int32_t)((uint32_t)b->stride * (uint32_t)a->low);
        }
        out->base_alignment = multiply_alignment(a->base_alignment, b->base_alignment);
    } else {
        out->base_alignment = multiply_alignment(
            affine_lane_alignment(a), affine_lane_alignment(b));
    }
}

// True when adding the lanes' part never carries out of the bits below `limit`.
static bool lanes_stay_below(const struct ir_affine_value *a, uint64_t limit, uint32_t width) {
    uint64_t smaller = a->base_alignment < limit ? a->base_alignment : limit;
    return a->is_affine && a->stride >= 0 && (uint64_t)a->stride * (width - 1u) < smaller;
}

// a >> shift, or a divided by 1 << shift.
static void shift_right(
    struct ir_affine_value *out, const struct ir_affine_value *a, uint32_t shift, uint32_t width) {
    if (a->is_affine && a->stride == 0) {
        out->is_affine = true;
    } else if (a->low >= 0 && lanes_stay_below(a, UINT64_C(1) << shift, width)) {
        out->is_affine = true;
        out->stride = 0;
    } else {
        out->base_alignment = affine_lane_alignment(a) >> shift;
        out->base_alignment += out->base_alignment == 0;
        return;
    }
    out->base_alignment = a->base_alignment >> shift;
    out->base_alignment += out->base_alignment == 0;
}

// a & mask, for a mask that keeps or clears all the bits that differ between lanes.
static void mask(
    struct ir_affine_value *out, const struct ir_affine_value *a, uint32_t bits, uint32_t width) {
    uint32_t lanes = a->base_alignment - 1;
    uint32_t known = alignment_of(bits);
    if (lanes_stay_below(a, UINT64_C(1) << 32, width) && a->stride != 0 &&
        ((bits & lanes) == lanes || (bits & lanes) == 0)) {
        out->is_affine = true;
        out->stride = (bits & lanes) == 0 ? 0 : a->stride;
        out->base_alignment = known > a->base_alignment ? known : a->base_alignment;
        return;
    }
    uint32_t lane = affine_lane_alignment(a);
    out->base_alignment = known > lane ? known : lane;
    out->is_affine = a->is_affine && a->stride == 0;
}

// a | bits or a ^ bits, where `bits` leaves the lanes' bits alone.
static void mix_bits(struct ir_affine_value *out, const struct ir_affine_value *a,
    const struct ir_affine_value *b, uint32_t width) {
    if (a->is_affine && b->is_affine && is_single(b) && a->stride != 0 &&
        ((uint32_t)b->low & (a->base_alignment - 1)) == 0 &&
        lanes_stay_below(a, UINT64_C(1) << 32, width)) {
        out->is_affine = true;
        out->stride = a->stride;
        out->base_alignment = min_u32(a->base_alignment, b->base_alignment);
        return;
    }
    out->is_affine = a->is_affine && b->is_affine && (a->stride | b->stride) == 0;
    out->base_alignment = min_u32(affine_lane_alignment(a), affine_lane_alignment(b));
}

static bool is_power_of_two(int64_t number) {
    return number > 0 && (number & (number - 1)) == 0;
}
static uint32_t exponent_of(int64_t power) {
    uint32_t exponent = 0;
    while ((INT64_C(1) << exponent) < power) {
        exponent++;
    }
    return exponent;
}

static void set_stride(struct ir_affine_value *out, enum ir_opcode opcode,
    const struct ir_affine_value *const *x, uint32_t count, uint32_t width) {
    const struct ir_affine_value *a = count > 0 ? x[0] : NULL;
    const struct ir_affine_value *b = count > 1 ? x[1] : NULL;
    if (a == NULL) {
        return;
    }
    if (opcode == IR_BITCAST) {
        out->is_affine = a->is_affine;
        out->stride = a->stride;
        out->base_alignment = a->base_alignment;
        return;
    }
    if (opcode == IR_NEG_I) {
        out->is_affine = a->is_affine;
        out->stride = (int32_t)(0u - (uint32_t)a->stride);
        out->base_alignment = a->base_alignment;
        return;
    }
    if (b == NULL) {
        return;
    }
    switch (opcode) {
    case IR_ADD_I:
        linear(out, a, b, false);
        return;
    case IR_SUB_I:
        linear(out, a, b, true);
        return;
    case IR_MUL_I:
        scale(out, a, b);
        return;
    case IR_SHL:
        if (is_single(b)) {
            struct ir_affine_value factor =
                affine_constant(false, UINT32_C(1) << ((uint32_t)b->low & 31u)).v;
            scale(out, a, &factor);
        }
        return;
    case IR_SHR_S:
    case IR_SHR_U:
        if (is_single(b)) {
            shift_right(out, a, (uint32_t)b->low & 31u, width);
        }
        return;
    case IR_DIV_S:
    case IR_DIV_U:
        if (is_single(b) && is_power_of_two(b->low) && a->low >= 0) {
            shift_right(out, a, exponent_of(b->low), width);
        }
        return;
    case IR_REM_S:
    case IR_REM_U:
        if (is_single(b) && is_power_of_two(b->low) && a->low >= 0) {
            mask(out, a, (uint32_t)b->low - 1u, width);
        }
        return;
    case IR_AND:
        if (is_single(b)) {
            mask(out, a, (uint32_t)b->low, width);
        } else if (is_single(a)) {
            mask(out, b, (uint32_t)a->low, width);
        }
        return;
    case IR_OR:
    case IR_XOR:
        if (is_single(a)) {
            mix_bits(out, b, a, width);
        } else {
            mix_bits(out, a, b, width);
        }
        return;
    default:
        return;
    }
}

// Where every operand is uniform over the vector the result is, whatever the operation.
static bool are_all_uniform(const struct ir_affine_value *const *x, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (x[i] == NULL || !x[i]->is_affine || x[i]->stride != 0) {
            return false;
        }
    }
    return count != 0;
}

struct affine_fact affine_transfer(enum ir_opcode opcode, bool is_signed,
    const struct ir_affine_value *const *operands, uint32_t operand_count, uint32_t width) {
    struct affine_fact fact = affine_unknown(is_signed);
    set_result_range(&fact.v, opcode, is_signed, operands, operand_count);
    set_stride(&fact.v, opcode, operands, operand_count, width);
    if (!fact.v.is_affine && are_all_uniform(operands, operand_count)) {
        fact.v.is_affine = true;
        fact.v.stride = 0;
    }
    if (is_single(&fact.v)) {
        return affine_constant(is_signed, (uint32_t)fact.v.low);
    }
    return fact;
}
