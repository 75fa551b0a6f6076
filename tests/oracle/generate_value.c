// SPDX-License-Identifier: MIT
//
// Expressions of scalars and vectors. Integer operations take any operands; what WGSL refuses in
// constant expressions (division by zero, overflow, shifts past the width) is avoided by making an
// operand that is no constant expression. Float operations track a bound and fraction bits: beyond
// 22 bits the operands are quantised, so that every result is exact.
#include "oracle/generate_priv.h"

#define EXACT_BITS 22

static double two_to_the(uint32_t bits) {
    double result = 1;
    while (bits-- != 0) {
        result *= 2;
    }
    return result;
}

static bool is_exact(double bound, uint32_t fraction_bits) {
    return fraction_bits <= 12 && bound * two_to_the(fraction_bits) < two_to_the(EXACT_BITS);
}

static const char *pick(struct generator *g, const char *const *list, uint32_t count) {
    return list[generate_below(g, count)];
}
#define PICK(g, ...) \
    pick(g, (const char *const[]){__VA_ARGS__}, \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

// ---------------------------------------------------------------- bool

static enum base_type pick_numeric(struct generator *g) {
    return (enum base_type)(BASE_I32 + generate_below(g, 3));
}

static const char *comparison(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    enum base_type base = generate_chance(g, 10) ? BASE_BOOL : pick_numeric(g);
    gtype type = generate_value_type(g, base, count);
    struct expression a = generate_expression(g, type, depth - 1, is_uniform);
    struct expression b = generate_expression(g, type, depth - 1, is_uniform);
    if (a.is_constant && b.is_constant) {
        b = generate_runtime_leaf(g, type, is_uniform);
    }
    const char *op = base == BASE_BOOL ? PICK(g, "==", "!=")
                                       : PICK(g, "==", "!=", "<", "<=", ">", ">=");
    return generate_format(g, "(%s %s %s)", a.text, op, b.text);
}

struct expression generate_bool(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, BASE_BOOL, count);
    struct expression e = {0};
    if (depth == 0) {
        return generate_leaf(g, type, is_uniform);
    }
    struct expression a = generate_bool(g, count, depth - 1, is_uniform);
    uint32_t form = generate_below(g, 8);
    // Two forms exist for one component only; the next one stands in for them.
    if ((form == 1 && (count != 1 || is_uniform)) || (form == 3 && count != 1)) {
        form++;
    }
    switch (form) {
    case 0:
        e.text = generate_format(g, "(!%s)", a.text);
        e.is_constant = a.is_constant;
        break;
    case 1: {
        struct expression b = generate_bool(g, 1, depth - 1, is_uniform);
        e.text = generate_format(g, "(%s %s %s)", a.text, PICK(g, "&&", "||"), b.text);
        e.is_constant = a.is_constant;
        break;
    }
    case 2: {
        struct expression b = generate_bool(g, count, depth - 1, is_uniform);
        e.text = generate_format(g, "(%s %s %s)", a.text, PICK(g, "&", "|", "==", "!="), b.text);
        e.is_constant = a.is_constant && b.is_constant;
        break;
    }
    case 3: {
        struct expression v = generate_bool(g, 2 + generate_below(g, 3), depth - 1, is_uniform);
        e.text = generate_format(g, "%s(%s)", PICK(g, "all", "any"), v.text);
        e.is_constant = v.is_constant;
        break;
    }
    case 4: {
        struct expression b = generate_bool(g, count, depth - 1, is_uniform);
        struct expression c = generate_bool(g, 1, depth - 1, is_uniform);
        e.text = generate_format(g, "select(%s, %s, %s)", a.text, b.text, c.text);
        e.is_constant = a.is_constant && b.is_constant && c.is_constant;
        break;
    }
    default:
        e.text = comparison(g, count, depth, is_uniform);
        break;
    }
    return e;
}

// ---------------------------------------------------------------- integers

static const char *integer_unary(struct generator *g, enum base_type base, const char *a) {
    const char *name = PICK(g, "-", "~", "abs", "countLeadingZeros", "countOneBits",
        "countTrailingZeros", "firstLeadingBit", "firstTrailingBit", "reverseBits", "sign");
    if (base == BASE_U32 && (name[0] == '-' || name[0] == 's')) {
        name = "~";
    }
    return generate_format(g, name[1] == '\0' ? "(%s%s)" : "%s(%s)", name, a);
}

static const char *shift(
    struct generator *g, const char *a, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, BASE_U32, count);
    if (generate_chance(g, 40)) {
        const char *amount = generate_format(g, "%uu", generate_below(g, 32));
        if (count != 1) {
            amount = generate_format(g, "vec%u<u32>(%s)", count, amount);
        }
        return generate_format(g, "(%s %s %s)", a, PICK(g, "<<", ">>"), amount);
    }
    struct expression b = generate_expression(g, type, depth, is_uniform);
    const char *leaf = generate_runtime_leaf(g, type, is_uniform).text;
    b.text = generate_chance(g, 50) ? leaf : generate_format(g, "(%s ^ %s)", b.text, leaf);
    return generate_format(g, "(%s %s %s)", a, PICK(g, "<<", ">>"), b.text);
}

// The operands of a binary operation: at least one is no constant expression, and the second one is
// none where `second_is_runtime`.
struct pair {
    struct expression a, b;
};
static struct pair integer_pair(
    struct generator *g, gtype type, uint32_t depth, bool is_uniform, bool second_is_runtime) {
    struct pair p = {generate_expression(g, type, depth, is_uniform),
        generate_expression(g, type, depth, is_uniform)};
    if (p.b.is_constant && p.a.is_constant) {
        p.b = generate_runtime_leaf(g, type, is_uniform);
    }
    if (second_is_runtime) {
        // What is made of constants alone is constant too, however it is made.
        const char *leaf = generate_runtime_leaf(g, type, is_uniform).text;
        p.b.text = generate_chance(g, 50) ? leaf : generate_format(g, "(%s ^ %s)", p.b.text, leaf);
        p.b.is_constant = false;
    }
    return p;
}

static const char *bit_field(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, base, count);
    gtype scalar = generate_value_type(g, BASE_U32, 1);
    struct expression e = generate_runtime_leaf(g, type, is_uniform);
    struct expression offset = generate_runtime_leaf(g, scalar, is_uniform);
    struct expression size = generate_runtime_leaf(g, scalar, is_uniform);
    const char *masked = generate_format(g, "(%s & 31u)", offset.text);
    if (generate_chance(g, 30)) {
        masked = offset.text;
    }
    if (generate_chance(g, 50)) {
        return generate_format(g, "extractBits(%s, %s, (%s & 15u))", e.text, masked, size.text);
    }
    struct expression bits = generate_expression(g, type, depth, is_uniform);
    return generate_format(
        g, "insertBits(%s, %s, %s, (%s & 15u))", e.text, bits.text, masked, size.text);
}

static const char *integer_conversion(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform) {
    enum base_type from = (enum base_type)generate_below(g, 4);
    gtype type = generate_value_type(g, from, count);
    gtype to = generate_value_type(g, base, count);
    const char *name = generate_type_row(g, to)->name;
    struct expression e = generate_expression(g, type, depth, is_uniform);
    if (e.is_constant) {
        e = generate_runtime_leaf(g, type, is_uniform);
    }
    bool is_integer = from == BASE_I32 || from == BASE_U32;
    if (is_integer && generate_chance(g, 50)) {
        return generate_format(g, "bitcast<%s>(%s)", name, e.text);
    }
    if (from == BASE_F32 && generate_chance(g, 15)) {
        // A NaN's bits are nobody's promise.
        const char *f = generate_runtime_leaf(g, type, is_uniform).text;
        return generate_format(g, "bitcast<%s>(select(%s(), %s, %s == %s))", name,
            generate_type_row(g, type)->name, f, f, f);
    }
    if (from == BASE_F32 && base == BASE_I32 && generate_chance(g, 15)) {
        return generate_format(g, "frexp(%s).exp", e.text);
    }
    return generate_format(g, "%s(%s)", name, e.text);
}

static const char *packing(struct generator *g, uint32_t depth, bool is_uniform) {
    gtype v4 = generate_value_type(g, BASE_F32, 4), v2 = generate_value_type(g, BASE_F32, 2);
    switch (generate_below(g, 5)) {
    case 0:
        return generate_format(g, "%s(%s * 0.125f)", PICK(g, "pack4x8snorm", "pack4x8unorm"),
            generate_runtime_leaf(g, v4, is_uniform).text);
    case 1:
        return generate_format(g, "%s(%s * 0.125f)",
            PICK(g, "pack2x16snorm", "pack2x16unorm", "pack2x16float"),
            generate_runtime_leaf(g, v2, is_uniform).text);
    case 2:
        return generate_format(g, "%s(%s)", PICK(g, "pack4xI8", "pack4xI8Clamp"),
            generate_runtime_leaf(g, generate_value_type(g, BASE_I32, 4), is_uniform).text);
    case 3:
        return generate_format(g, "%s(%s)", PICK(g, "pack4xU8", "pack4xU8Clamp"),
            generate_runtime_leaf(g, generate_value_type(g, BASE_U32, 4), is_uniform).text);
    default: {
        struct pair p = integer_pair(
            g, generate_value_type(g, BASE_U32, 1), depth, is_uniform, false);
        return generate_format(g, "dot4U8Packed(%s, %s)", p.a.text, p.b.text);
    }
    }
}

static const char *vector_part(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform);

static const char *unpacked_bytes(
    struct generator *g, enum base_type base, uint32_t depth, bool is_uniform) {
    gtype word = generate_value_type(g, BASE_U32, 1);
    struct expression e = generate_expression(g, word, depth, is_uniform);
    if (e.is_constant) {
        e = generate_runtime_leaf(g, word, is_uniform);
    }
    return generate_format(g, "%s(%s)", base == BASE_I32 ? "unpack4xI8" : "unpack4xU8", e.text);
}

static const char *integer_operation(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, base, count);
    struct pair p;
    struct expression c;
    switch (generate_below(g, 16)) {
    case 0:
        return integer_unary(g, base, generate_runtime_leaf(g, type, is_uniform).text);
    case 1:
    case 2:
        p = integer_pair(g, type, depth, is_uniform, true);
        return generate_format(g, "(%s %s %s)", p.a.text, PICK(g, "/", "%"), p.b.text);
    case 3:
        return shift(g, generate_runtime_leaf(g, type, is_uniform).text, count, depth, is_uniform);
    case 4:
        p = integer_pair(g, type, depth, is_uniform, false);
        return generate_format(g, "%s(%s, %s)", PICK(g, "min", "max"), p.a.text, p.b.text);
    case 5:
        p = integer_pair(g, type, depth, is_uniform, true);
        c = generate_runtime_leaf(g, type, is_uniform);
        return generate_format(g, "clamp(%s, %s, %s)", p.a.text, p.b.text, c.text);
    case 6:
        return bit_field(g, base, count, depth, is_uniform);
    case 7:
    case 8:
        return integer_conversion(g, base, count, depth, is_uniform);
    case 9:
        p = integer_pair(g, type, depth, is_uniform, false);
        c = generate_bool(g, generate_chance(g, 50) ? 1 : count, depth, is_uniform);
        return generate_format(g, "select(%s, %s, %s)", p.a.text, p.b.text, c.text);
    case 10:
        if (count == 1) {
            gtype vector = generate_value_type(g, base, 2 + generate_below(g, 3));
            p = integer_pair(g, vector, depth, is_uniform, false);
            return generate_format(g, "dot(%s, %s)", p.a.text, p.b.text);
        }
        return count == 4 && generate_chance(g, 40)
            ? unpacked_bytes(g, base, depth, is_uniform)
            : vector_part(g, base, count, depth, is_uniform);
    case 11:
        if (count == 1) {
            return base == BASE_U32 ? packing(g, depth, is_uniform)
                                    : generate_format(g, "dot4I8Packed(u32(%s), %uu)",
                                          generate_runtime_leaf(g, type, is_uniform).text,
                                          generate_random_next(&g->random));
        }
        return vector_part(g, base, count, depth, is_uniform);
    default:
        p = integer_pair(g, type, depth, is_uniform, false);
        return generate_format(
            g, "(%s %s %s)", p.a.text, PICK(g, "+", "-", "*", "&", "|", "^"), p.b.text);
    }
}

struct expression generate_integer(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, base, count);
    struct expression e = {0};
    if (depth == 0 || generate_chance(g, 15)) {
        return generate_leaf(g, type, is_uniform);
    }
    if (!is_uniform && generate_chance(g, 6)) {
        e.text = generate_call(g, type, depth - 1);
    }
    if (e.text == NULL) {
        e.text = integer_operation(g, base, count, depth - 1, is_uniform);
    }
    return e;
}

// ---------------------------------------------------------------- vectors of any element

// A swizzle, a constructor of parts, or an operation of a vector and a scalar.
static const char *vector_part(
    struct generator *g, enum base_type base, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, base, count);
    const char *name = generate_type_row(g, type)->name;
    if (generate_chance(g, 40)) {
        static const char letters[2][5] = {"xyzw", "rgba"};
        uint32_t from = 2 + generate_below(g, 3), set = generate_below(g, 2);
        const char *source =
            generate_runtime_leaf(g, generate_value_type(g, base, from), is_uniform).text;
        char swizzle[5] = {0};
        for (uint32_t i = 0; i < count; i++) {
            swizzle[i] = letters[set][generate_below(g, from)];
        }
        return generate_format(g, "%s.%s", source, swizzle);
    }
    gtype scalar = generate_value_type(g, base, 1);
    if (count == 2) {
        return generate_format(g, "%s(%s, %s)", name, generate_stored(g, scalar, depth, is_uniform),
            generate_runtime_leaf(g, scalar, is_uniform).text);
    }
    return generate_format(g, "%s(%s, %s)", name,
        generate_runtime_leaf(g, generate_value_type(g, base, count - 1), is_uniform).text,
        generate_stored(g, scalar, depth, is_uniform));
}

// ---------------------------------------------------------------- floats

// Makes the operand small enough for an operation that needs `bits` bits of it.
static struct expression small(struct generator *g, struct expression e, uint32_t count,
    double bound, uint32_t fraction_bits) {
    if (e.bound <= bound && e.fraction_bits <= fraction_bits) {
        return e;
    }
    e.text = generate_quantised(g, e, count);
    e.bound = 16;
    e.fraction_bits = 0;
    return e;
}

static struct expression float_binary(
    struct generator *g, struct expression a, struct expression b, uint32_t count) {
    struct expression e = {0};
    if (generate_chance(g, 45)) {
        a = small(g, a, count, 512, 4);
        b = small(g, b, count, 512, 4);
        e.text = generate_format(g, "(%s * %s)", a.text, b.text);
        e.bound = a.bound * b.bound;
        e.fraction_bits = a.fraction_bits + b.fraction_bits;
    } else {
        e.text = generate_format(g, "(%s %s %s)", a.text, PICK(g, "+", "-"), b.text);
        e.bound = a.bound + b.bound;
        e.fraction_bits = a.fraction_bits > b.fraction_bits ? a.fraction_bits : b.fraction_bits;
    }
    return e;
}

static struct expression float_unary(struct generator *g, struct expression a) {
    struct expression e = a;
    uint32_t choice = generate_below(g, 10);
    e.is_constant = false;
    switch (choice) {
    case 0:
        e.text = generate_format(g, "(-%s)", a.text);
        break;
    case 1:
        e.text = generate_format(g, "abs(%s)", a.text);
        break;
    case 2:
    case 3:
        e.text = generate_format(g, "%s(%s)", PICK(g, "floor", "ceil", "trunc", "round"), a.text);
        e.bound = a.bound + 1;
        e.fraction_bits = 0;
        break;
    case 4:
        e.text = generate_format(g, "%s(%s)", PICK(g, "sign", "saturate"), a.text);
        e.bound = 1;
        break;
    case 5:
        e.text = generate_format(g, "fract(%s)", a.text);
        e.bound = 1;
        break;
    case 6:
        e.text = generate_format(g, "modf(%s).%s", a.text, PICK(g, "fract", "whole"));
        break;
    case 7:
        e.text = generate_format(g, "frexp(%s).fract", a.text);
        e.bound = 16; // infinities and NaN are themselves
        e.fraction_bits = 23;
        break;
    default:
        e.text = generate_format(g, PICK(g, "(%s * 0.25f)", "(%s / 4.0f)"), a.text);
        e.fraction_bits = a.fraction_bits + 2;
        break;
    }
    return e;
}

// Square matrices made of one: m * transpose(m), of whose columns one is taken, and determinants.
static struct expression float_matrix(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    struct expression e = {0};
    for (gtype m = 1; m < g->types.count; m++) {
        struct type_row row = g->types.items[m];
        if (row.shape != SHAPE_MATRIX) {
            continue;
        }
        const char *matrix = generate_stored(g, m, depth, is_uniform);
        if (count == 1 && row.count == row.rows) {
            // Infinities tell how the polyfill expands it.
            g->program->is_inexact = true;
            e.text = generate_format(g, "determinant(%s)", matrix);
            e.bound = 24.0 * 16 * 16 * 16 * 16;
            return e;
        }
        if (row.rows == count) {
            e.text = generate_format(g, "(%s * transpose(%s))[%s]", matrix, matrix,
                generate_index(g, count, is_uniform));
            e.bound = 4 * 256;
            return e;
        }
    }
    return e;
}

// Geometric functions and unpacking: exact, or rounded to whole numbers far from the borders.
static struct expression float_special(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, BASE_F32, count);
    gtype word = generate_value_type(g, BASE_U32, 1);
    struct expression e = {.bound = 16};
    struct expression first = generate_expression(g, type, depth, is_uniform);
    if (first.is_constant) {
        first = generate_runtime_leaf(g, type, is_uniform);
    }
    const char *a = generate_quantised(g, first, count);
    const char *b = generate_runtime_leaf(g, type, is_uniform).text;
    struct expression packed = generate_expression(g, word, depth, is_uniform);
    if (packed.is_constant) {
        packed = generate_runtime_leaf(g, word, is_uniform);
    }
    switch (generate_below(g, 8)) {
    case 0:
        e.text = generate_format(g, "(%s %% %s)", a, b);
        break;
    case 1:
        e.bound = 1e30;
        e.text = generate_format(g, "(%s / %s)", a, b);
        e.text = generate_quantised(g, e, count);
        e.bound = 16;
        break;
    case 2:
        e.text = generate_format(g, "ldexp(%s, %s & %s(3))", a,
            generate_runtime_leaf(g, generate_value_type(g, BASE_I32, count), is_uniform).text,
            generate_type_row(g, generate_value_type(g, BASE_I32, count))->name);
        e.bound = 128;
        break;
    case 3:
        e.text = generate_format(g, "quantizeToF16(%s)", a);
        break;
    case 4:
        if (count == 4) {
            e.text = generate_format(g, "floor(fma(%s(%s), vec4<f32>(120.0f), vec4<f32>(0.3f)))",
                PICK(g, "unpack4x8snorm", "unpack4x8unorm"), packed.text);
            e.bound = 128;
        } else if (count == 2) {
            e.text = generate_chance(g, 50)
                ? generate_format(g, "floor(fma(%s(%s), vec2<f32>(50.0f), vec2<f32>(0.3f)))",
                      PICK(g, "unpack2x16snorm", "unpack2x16unorm"), packed.text)
                : generate_format(
                      g, "floor(unpack2x16float(%s & 0xbfff3fffu) * 8.0f)", packed.text);
            e.bound = 51;
        } else {
            return float_matrix(g, count, depth, is_uniform);
        }
        break;
    case 5:
        if (count == 1) {
            gtype v = generate_value_type(g, BASE_F32, 2 + generate_below(g, 3));
            e.text = generate_format(g, "floor(%s(%s, %s))", "distance",
                generate_stored(g, v, depth, is_uniform),
                generate_runtime_leaf(g, v, is_uniform).text);
            e.bound = 70;
        } else {
            e.text = generate_format(g, "reflect(%s, %s)", a, b);
            e.bound = 16 + 2 * 4 * 16.0 * 16 * 16;
        }
        break;
    case 6:
        if (count == 1) {
            e.text = generate_format(g, "floor(length(%s))", a);
        } else {
            e.text = generate_format(
                g, "faceForward(%s, %s, %s)", a, b, generate_stored(g, type, depth, is_uniform));
        }
        break;
    default:
        return float_matrix(g, count, depth, is_uniform);
    }
    return e;
}

// Functions of whole vectors, on quantised operands: sums of at most 4 products of 8 bits.
static struct expression float_vector(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    struct expression e = {.bound = 2048};
    if (count == 1) {
        gtype v = generate_value_type(g, BASE_F32, 2 + generate_below(g, 3));
        e.text = generate_format(g, "dot(%s, %s)", generate_stored(g, v, depth, is_uniform),
            generate_runtime_leaf(g, v, is_uniform).text);
        return e;
    }
    if (count == 3 && generate_chance(g, 30)) {
        gtype v = generate_value_type(g, BASE_F32, 3);
        e.text = generate_format(g, "cross(%s, %s)", generate_stored(g, v, depth, is_uniform),
            generate_runtime_leaf(g, v, is_uniform).text);
        return e;
    }
    for (gtype m = 1; m < g->types.count; m++) {
        struct type_row row = g->types.items[m];
        if (row.shape != SHAPE_MATRIX || generate_chance(g, 30)) {
            continue;
        }
        const char *matrix = generate_stored(g, m, depth, is_uniform);
        if (row.rows == count) {
            e.text = generate_format(g, "(%s * %s)", matrix,
                generate_runtime_leaf(g, generate_value_type(g, BASE_F32, row.count), is_uniform)
                    .text);
            return e;
        }
        if (row.count == count) {
            e.text = generate_format(g, "(%s * %s)",
                generate_runtime_leaf(g, generate_value_type(g, BASE_F32, row.rows), is_uniform)
                    .text,
                matrix);
            return e;
        }
    }
    e.text = vector_part(g, BASE_F32, count, depth, is_uniform);
    e.bound = 16;
    return e;
}

// A function whose result is not exact, brought back to a small integer.
static struct expression float_inexact(struct generator *g, struct expression a, uint32_t count) {
    struct expression e = {.bound = 17};
    if (g->allows_inexact) {
        g->program->is_inexact = true;
        static const char *const forms[] = {"sin(%s)", "cos(%s)", "tanh(%s)", "atan(%s)", "tan(%s)",
            "exp(%s * 0.1f)", "exp2(%s * 0.1f)", "log(abs(%s))", "log2(abs(%s))",
            "asin(%s * 0.05f)", "acos(%s * 0.05f)", "sinh(%s * 0.1f)", "cosh(%s * 0.1f)",
            "asinh(%s)", "acosh(abs(%s))", "atanh(%s * 0.05f)", "inverseSqrt(abs(%s))",
            "degrees(%s)", "radians(%s)"};
        e.bound = 1e30;
        e.text = generate_format(g, "(%s * 4.0f)",
            generate_format(g, forms[generate_below(g, sizeof(forms) / sizeof(forms[0]))], a.text));
        e.text = generate_quantised(g, e, count);
        e.bound = 16;
        return e;
    }
    const char *scale = count == 1 ? "1.0f" : generate_format(g, "vec%u<f32>(1.0f)", count);
    e.text = generate_chance(g, 50)
        ? generate_format(g, "floor(sqrt(abs(%s)))", generate_quantised(g, a, count))
        : generate_format(g, "step(%s, %s)", a.text, scale);
    return e;
}

static struct expression float_conversion(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    enum base_type from = (enum base_type)generate_below(g, 3);
    gtype type = generate_value_type(g, from, count);
    const char *name = generate_type_row(g, generate_value_type(g, BASE_F32, count))->name;
    struct expression a = generate_expression(g, type, depth, is_uniform);
    struct expression e = {.bound = 4294967296.0};
    e.text = generate_format(g, "%s(%s)", name, a.text);
    if (from == BASE_BOOL) {
        e.bound = 1;
    }
    e.text = generate_quantised(g, e, count);
    e.bound = 16;
    e.is_constant = a.is_constant;
    return e;
}

static struct expression float_many(struct generator *g, struct expression a, struct expression b,
    uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, BASE_F32, count);
    struct expression e = {0}, c = generate_runtime_leaf(g, type, is_uniform);
    e.bound = a.bound > b.bound ? a.bound : b.bound;
    e.fraction_bits = a.fraction_bits > b.fraction_bits ? a.fraction_bits : b.fraction_bits;
    switch (generate_below(g, 5)) {
    case 0:
        e.text = generate_format(g, "%s(%s, %s)", PICK(g, "min", "max"), a.text, b.text);
        break;
    case 1:
        e.text = generate_format(g, "clamp(%s, %s, %s)", a.text, b.text, c.text);
        e.bound = e.bound > 16 ? e.bound : 16;
        break;
    case 2:
        e.text = generate_format(g, "select(%s, %s, %s)", a.text, b.text,
            generate_bool(g, generate_chance(g, 50) ? 1 : count, depth, is_uniform).text);
        break;
    case 3:
        a = small(g, a, count, 512, 4);
        b = small(g, b, count, 512, 4);
        e.text = generate_format(g, "fma(%s, %s, %s)", a.text, b.text, c.text);
        e.bound = a.bound * b.bound + 16;
        e.fraction_bits = a.fraction_bits + b.fraction_bits;
        break;
    default:
        a = small(g, a, count, 512, 4);
        b = small(g, b, count, 512, 4);
        e.text = generate_format(g, "mix(%s, %s, %s)", a.text, b.text, c.text);
        e.bound = (a.bound + b.bound) * 17;
        break;
    }
    return e;
}

struct expression generate_float(
    struct generator *g, uint32_t count, uint32_t depth, bool is_uniform) {
    gtype type = generate_value_type(g, BASE_F32, count);
    struct expression e = {.bound = 16};
    if (depth == 0 || generate_chance(g, 15)) {
        return generate_leaf(g, type, is_uniform);
    }
    if (!is_uniform && generate_chance(g, 6)) {
        e.text = generate_call(g, type, depth - 1);
        if (e.text != NULL) {
            return e;
        }
    }
    uint32_t choice = generate_below(g, 14);
    if (choice == 0) {
        return float_conversion(g, count, depth - 1, is_uniform);
    }
    if (choice >= 12) {
        e = float_special(g, count, depth - 1, is_uniform);
        return e.text != NULL ? e : generate_leaf(g, type, is_uniform);
    }
    if (choice <= 2) {
        return float_vector(g, count, depth - 1, is_uniform);
    }
    struct expression a = generate_float(g, count, depth - 1, is_uniform);
    if (a.is_constant) {
        a = generate_runtime_leaf(g, type, is_uniform);
    }
    if (choice == 3) {
        // Constant operands would have to be inside the functions' domains.
        return float_inexact(g, generate_runtime_leaf(g, type, is_uniform), count);
    }
    if (choice <= 5) {
        e = float_unary(g, a);
    } else {
        struct expression b = generate_float(g, count, depth - 1, is_uniform);
        e = choice <= 8 ? float_many(g, a, b, count, depth - 1, is_uniform)
                        : float_binary(g, a, b, count);
    }
    if (!is_exact(e.bound, e.fraction_bits)) {
        // The operation itself must stay exact: quantise the operands, not the result.
        a.text = generate_quantised(g, a, count);
        e = (struct expression){.text = generate_format(g, "(%s + %s)", a.text,
                                    generate_runtime_leaf(g, type, is_uniform).text),
            .bound = 32};
    }
    return e;
}
