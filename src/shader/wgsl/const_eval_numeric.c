// SPDX-License-Identifier: MIT
//
// The component-wise functions of WGSL §Numeric Built-in Functions on constants, and the checks of
// arguments that hold even when only some are constant. Real functions are computed in f64 and
// rounded once to the type. const_eval.h has the contract.
#include <inttypes.h>
#include <math.h>

#include "shader/wgsl/const_eval_priv.h"

static bool domain(struct const_evaluator *evaluator, uint32_t id, double value) {
    return const_fail(evaluator, DIAGNOSTIC_BUILTIN_DOMAIN, "%.9g is outside the domain of '%s'",
        value, builtin_get(id)->name);
}

static bool integer_function(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    int64_t a = v[0].integer;
    switch (id) {
    case BUILTIN_ABS:
        // The most negative value has no positive counterpart and is its own absolute value.
        out->integer = const_wrap(kind, a < 0 ? (int64_t)(0 - (uint64_t)a) : a);
        return true;
    case BUILTIN_SIGN:
        out->integer = (a > 0) - (a < 0);
        return true;
    case BUILTIN_MIN:
        out->integer = a < v[1].integer ? a : v[1].integer;
        return true;
    case BUILTIN_MAX:
        out->integer = a > v[1].integer ? a : v[1].integer;
        return true;
    default: { // clamp
        const union const_scalar *low = &v[1], *high = &v[2];
        if (low->integer > high->integer) {
            return const_fail(evaluator, DIAGNOSTIC_BUILTIN_DOMAIN,
                "'clamp' has a low bound of %" PRId64 ", above its high bound of %" PRId64,
                low->integer, high->integer);
        }
        int64_t raised = a > low->integer ? a : low->integer;
        out->integer = raised < high->integer ? raised : high->integer;
        return true;
    }
    }
}

static bool clamp_real(
    struct const_evaluator *evaluator, const union const_scalar *v, union const_scalar *out) {
    if (v[1].real > v[2].real) {
        return const_fail(evaluator, DIAGNOSTIC_BUILTIN_DOMAIN,
            "'clamp' has a low bound of %.9g, above its high bound of %.9g", v[1].real, v[2].real);
    }
    out->real = fmin(fmax(v[0].real, v[1].real), v[2].real);
    return true;
}

static bool smoothstep(struct const_evaluator *evaluator, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    double low = v[0].real, high = v[1].real;
    if (low == high) {
        return const_fail(
            evaluator, DIAGNOSTIC_BUILTIN_DOMAIN, "both edges of 'smoothstep' are %.9g", low);
    }
    double t = fmin(fmax((v[2].real - low) / (high - low), 0.0), 1.0);
    return const_finish_real(evaluator, kind, t * t * (3.0 - 2.0 * t), out);
}

static int ldexp_bias(enum type_kind kind) {
    return kind == TYPE_F32 ? 127 : kind == TYPE_F16 ? 15 : 1023;
}

static bool load_exponent(struct const_evaluator *evaluator, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    int64_t exponent = v[1].integer;
    if (exponent > ldexp_bias(kind) + 1) {
        return const_fail(evaluator, DIAGNOSTIC_BUILTIN_DOMAIN,
            "the exponent %" PRId64 " of 'ldexp' is above %d", exponent, ldexp_bias(kind) + 1);
    }
    int clamped = exponent < -5000 ? -5000 : (int)exponent;
    return const_finish_real(evaluator, kind, ldexp(v[0].real, clamped), out);
}

static bool power(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    double base = v[0].real, exponent = v[1].real;
    if (base < 0.0) {
        return domain(evaluator, id, base);
    }
    if (base == 0.0 && exponent <= 0.0) {
        return domain(evaluator, id, exponent);
    }
    return const_finish_real(evaluator, kind, pow(base, exponent), out);
}

// e1 (1 - e3) + e2 e3, each step rounded: one that overflows is an error.
static bool mix(struct const_evaluator *evaluator, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    union const_scalar rest, left, right;
    return const_finish_real(evaluator, kind, 1.0 - v[2].real, &rest) &&
        const_finish_real(evaluator, kind, v[0].real * rest.real, &left) &&
        const_finish_real(evaluator, kind, v[1].real * v[2].real, &right) &&
        const_finish_real(evaluator, kind, left.real + right.real, out);
}

static bool quantize(
    struct const_evaluator *evaluator, const union const_scalar *v, union const_scalar *out) {
    out->real = const_round(TYPE_F16, v[0].real);
    if (fabs(v[0].real) > CONST_F16_MAXIMUM) {
        return const_fail(
            evaluator, DIAGNOSTIC_VALUE_RANGE, "%.9g is outside the range of f16", v[0].real);
    }
    return true;
}

// Functions with a domain: outside it is an error rather than NaN or infinity.
static bool is_in_domain(uint32_t id, double value) {
    switch (id) {
    case BUILTIN_ACOS:
    case BUILTIN_ASIN:
        return value >= -1.0 && value <= 1.0;
    case BUILTIN_ACOSH:
        return value >= 1.0;
    case BUILTIN_ATANH:
        return value > -1.0 && value < 1.0;
    case BUILTIN_LOG:
    case BUILTIN_LOG2:
    case BUILTIN_INVERSE_SQRT:
        return value > 0.0;
    case BUILTIN_SQRT:
        return value >= 0.0;
    default:
        return true;
    }
}

static double unary_function(uint32_t id, double a) {
    switch (id) {
    case BUILTIN_ABS:
        return fabs(a);
    case BUILTIN_ACOS:
        return acos(a);
    case BUILTIN_ACOSH:
        return acosh(a);
    case BUILTIN_ASIN:
        return asin(a);
    case BUILTIN_ASINH:
        return asinh(a);
    case BUILTIN_ATAN:
        return atan(a);
    case BUILTIN_ATANH:
        return atanh(a);
    case BUILTIN_CEIL:
        return ceil(a);
    case BUILTIN_COS:
        return cos(a);
    case BUILTIN_COSH:
        return cosh(a);
    case BUILTIN_DEGREES:
        return a * 57.295779513082320877;
    case BUILTIN_EXP:
        return exp(a);
    case BUILTIN_EXP2:
        return exp2(a);
    case BUILTIN_FLOOR:
        return floor(a);
    case BUILTIN_FRACT:
        return a - floor(a);
    case BUILTIN_INVERSE_SQRT:
        return 1.0 / sqrt(a);
    case BUILTIN_LOG:
        return log(a);
    case BUILTIN_LOG2:
        return log2(a);
    case BUILTIN_RADIANS:
        return a * 0.017453292519943295769;
    case BUILTIN_ROUND:
        return rint(a); // ties to even in the default rounding mode
    case BUILTIN_SATURATE:
        return fmin(fmax(a, 0.0), 1.0);
    case BUILTIN_SIGN:
        return (double)((a > 0.0) - (a < 0.0));
    case BUILTIN_SIN:
        return sin(a);
    case BUILTIN_SINH:
        return sinh(a);
    case BUILTIN_SQRT:
        return sqrt(a);
    case BUILTIN_TAN:
        return tan(a);
    case BUILTIN_TANH:
        return tanh(a);
    case BUILTIN_TRUNC:
        return trunc(a);
    default:
        return (double)NAN;
    }
}

static double fused_multiply_add(enum type_kind kind, const union const_scalar *v) {
    if (kind == TYPE_F32) {
        return (double)fmaf((float)v[0].real, (float)v[1].real, (float)v[2].real);
    }
    return fma(v[0].real, v[1].real, v[2].real);
}

bool const_numeric_component(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *v, union const_scalar *out) {
    if (const_is_integer_kind(kind)) {
        return integer_function(evaluator, id, kind, v, out);
    }
    switch (id) {
    case BUILTIN_ATAN2:
        return const_finish_real(evaluator, kind, atan2(v[0].real, v[1].real), out);
    case BUILTIN_CLAMP:
        return clamp_real(evaluator, v, out);
    case BUILTIN_FMA:
        return const_finish_real(evaluator, kind, fused_multiply_add(kind, v), out);
    case BUILTIN_LDEXP:
        return load_exponent(evaluator, kind, v, out);
    case BUILTIN_MAX:
        return const_finish_real(evaluator, kind, fmax(v[0].real, v[1].real), out);
    case BUILTIN_MIN:
        return const_finish_real(evaluator, kind, fmin(v[0].real, v[1].real), out);
    case BUILTIN_MIX:
        return mix(evaluator, kind, v, out);
    case BUILTIN_POW:
        return power(evaluator, id, kind, v, out);
    case BUILTIN_QUANTIZE_TO_F16:
        return quantize(evaluator, v, out);
    case BUILTIN_SMOOTHSTEP:
        return smoothstep(evaluator, kind, v, out);
    case BUILTIN_STEP:
        out->real = v[0].real <= v[1].real ? 1.0 : 0.0;
        return true;
    default:
        break;
    }
    if (!is_in_domain(id, v[0].real)) {
        return domain(evaluator, id, v[0].real);
    }
    return const_finish_real(evaluator, kind, unary_function(id, v[0].real), out);
}

// ---- Partly constant arguments -----------------------------------------------------------------

static bool check_bounds(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *low, const struct const_value *high) {
    bool is_real = const_is_real_kind(const_element_kind(evaluator, low));
    for (uint32_t i = 0; i < type_component_count(evaluator->types, low->type); i++) {
        union const_scalar v[3], unused;
        v[0] = v[1] = const_value_get(low, evaluator->types, i);
        v[2] = const_value_get(high, evaluator->types, i);
        if (id == BUILTIN_SMOOTHSTEP) {
            v[1] = v[2];
            v[2].real = 0.0;
            if (!smoothstep(evaluator, const_element_kind(evaluator, low), v, &unused)) {
                return false;
            }
        } else if (!(is_real ? clamp_real(evaluator, v, &unused)
                             : integer_function(evaluator, id, TYPE_I32, v, &unused))) {
            return false;
        }
    }
    return true;
}

static bool check_bit_range(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *offset, const struct const_value *count) {
    int64_t end = const_value_get_integer(offset) + const_value_get_integer(count);
    if (end > 32) {
        return const_fail(evaluator, DIAGNOSTIC_BUILTIN_DOMAIN,
            "'%s' reaches bit %" PRId64 " of a 32-bit integer", builtin_get(id)->name, end);
    }
    return true;
}

static bool check_exponent(struct const_evaluator *evaluator, enum type_kind kind,
    const struct const_value *const *v) {
    for (uint32_t i = 0; i < type_component_count(evaluator->types, v[1]->type); i++) {
        union const_scalar unused, values[2] = {{.real = 0.0}, {.integer = 0}};
        values[1] = const_value_get(v[1], evaluator->types, i);
        if (!load_exponent(evaluator, kind, values, &unused)) {
            return false;
        }
    }
    return true;
}

bool const_check_builtin(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const struct const_value *const *arguments, uint32_t count) {
    if (id == BUILTIN_CLAMP && arguments[1] != NULL && arguments[2] != NULL) {
        return check_bounds(evaluator, id, arguments[1], arguments[2]);
    }
    if (id == BUILTIN_SMOOTHSTEP && arguments[0] != NULL && arguments[1] != NULL) {
        return check_bounds(evaluator, id, arguments[0], arguments[1]);
    }
    if ((id == BUILTIN_EXTRACT_BITS || id == BUILTIN_INSERT_BITS) && arguments[count - 2] != NULL &&
        arguments[count - 1] != NULL) {
        return check_bit_range(evaluator, id, arguments[count - 2], arguments[count - 1]);
    }
    if (id == BUILTIN_LDEXP && arguments[1] != NULL) {
        return check_exponent(evaluator, kind, arguments);
    }
    return true;
}
