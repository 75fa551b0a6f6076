// SPDX-License-Identifier: MIT
//
// The const-evaluator's core: component-wise application, conversions, construction and the choice
// of the family that evaluates a built-in function. const_eval.h has the contract.
#include "shader/wgsl/const_eval.h"

#include <math.h>
#include <string.h>

#include "base/try.h"
#include "shader/wgsl/const_eval_priv.h"

bool const_fail(
    struct const_evaluator *evaluator, enum diagnostic_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    diagnostic_add_list(
        evaluator->diagnostics, DIAGNOSTIC_ERROR, code, evaluator->span, format, arguments);
    va_end(arguments);
    return false;
}

static const struct const_value *out_of_memory(struct const_evaluator *evaluator) {
    diagnostic_list_set_out_of_memory(evaluator->diagnostics);
    return NULL;
}

static const struct const_value *check_memory(
    struct const_evaluator *evaluator, const struct const_value *value) {
    return value != NULL ? value : out_of_memory(evaluator);
}

enum type_kind const_element_kind(
    const struct const_evaluator *evaluator, const struct const_value *value) {
    return type_kind_of(evaluator->types, type_element_of(evaluator->types, value->type));
}

static const char *kind_word(enum type_kind kind) {
    switch (kind) {
    case TYPE_I32:
        return "i32";
    case TYPE_U32:
        return "u32";
    case TYPE_F16:
        return "f16";
    case TYPE_F32:
        return "f32";
    case TYPE_ABSTRACT_INT:
        return "abstract-int";
    case TYPE_ABSTRACT_FLOAT:
        return "abstract-float";
    default:
        return "bool";
    }
}

bool const_finish_real(
    struct const_evaluator *evaluator, enum type_kind kind, double value, union const_scalar *out) {
    out->real = const_round(kind, value);
    if (isfinite(out->real)) {
        return true;
    }
    if (isnan(value)) {
        return const_fail(evaluator, DIAGNOSTIC_CONST_OVERFLOW,
            "this constant expression has no defined value (NaN)");
    }
    return const_fail(evaluator, DIAGNOSTIC_CONST_OVERFLOW, "this constant expression overflows %s",
        kind_word(kind));
}

const struct const_value *const_apply(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, uint32_t count, type_id result,
    const_component_function function) {
    union const_scalar components[CONST_COMPONENT_LIMIT];
    uint32_t component_count = type_component_count(evaluator->types, result);
    enum type_kind kind = const_element_kind(evaluator, arguments[0]);
    for (uint32_t i = 0; i < component_count; i++) {
        union const_scalar values[BUILTIN_PARAMETER_LIMIT];
        for (uint32_t j = 0; j < count; j++) {
            bool is_scalar = type_is_scalar(evaluator->types, arguments[j]->type);
            values[j] = const_value_get(arguments[j], evaluator->types, is_scalar ? 0 : i);
        }
        if (!function(evaluator, id, kind, values, &components[i])) {
            return NULL;
        }
    }
    return check_memory(
        evaluator, const_value_components(evaluator->arena, evaluator->types, result, components));
}

// ---- Conversions -------------------------------------------------------------------------------

static const struct const_value *convert_components(
    struct const_evaluator *evaluator, const struct const_value *value, type_id to) {
    union const_scalar components[CONST_COMPONENT_LIMIT];
    enum type_kind from_kind = const_element_kind(evaluator, value);
    enum type_kind to_kind = type_kind_of(evaluator->types, type_element_of(evaluator->types, to));
    uint32_t count = type_component_count(evaluator->types, to);
    for (uint32_t i = 0; i < count; i++) {
        union const_scalar scalar = const_value_get(value, evaluator->types, i);
        if (const_convert_scalar(from_kind, to_kind, scalar, &components[i]) !=
            CONST_CONVERSION_OK) {
            struct text_buffer text = {0};
            const_value_print(&text, evaluator->types, value);
            const_fail(evaluator, DIAGNOSTIC_VALUE_RANGE,
                "the value %.*s is outside the range of %s", TEXT_ARGS(text_buffer_get(&text)),
                kind_word(to_kind));
            text_buffer_finish(&text);
            return NULL;
        }
    }
    return check_memory(
        evaluator, const_value_components(evaluator->arena, evaluator->types, to, components));
}

// The innermost element's kind, under any number of arrays.
static enum type_kind leaf_kind(const struct type_table *types, type_id id) {
    while (type_kind_of(types, id) == TYPE_ARRAY) {
        id = type_get(types, id)->element;
    }
    return type_kind_of(types, type_element_of(types, id));
}

static const struct const_value *convert_composite(
    struct const_evaluator *evaluator, const struct const_value *value, type_id to) {
    const struct type *target = type_get(evaluator->types, to);
    bool is_array = target->kind == TYPE_ARRAY;
    uint32_t count = is_array ? target->count : target->member_count;
    struct const_composite *composite = value->composite;
    enum type_kind leaf = is_array ? leaf_kind(evaluator->types, to) : TYPE_NONE;
    if (is_array && leaf <= TYPE_ABSTRACT_FLOAT && composite->converted[leaf] != NULL) {
        return composite->converted[leaf];
    }
    const struct const_value **items = memory_allocate(
        MEMORY_COMPILE, (size_t)count * sizeof(*items));
    if (items == NULL) {
        return out_of_memory(evaluator);
    }
    const struct const_value *result = NULL;
    uint32_t i = 0;
    for (; i < count; i++) {
        type_id item_type = type_element_at(evaluator->types, to, i);
        items[i] = const_convert(evaluator, composite->items[i], item_type);
        if (items[i] == NULL) {
            break;
        }
    }
    if (i == count) {
        result = check_memory(evaluator, const_value_composite(evaluator->arena, to, items, count));
    }
    memory_free(items);
    if (is_array && leaf <= TYPE_ABSTRACT_FLOAT) {
        composite->converted[leaf] = result;
    }
    return result;
}

// Recursion follows the nesting of types, which is limited.
const struct const_value *const_convert(
    struct const_evaluator *evaluator, const struct const_value *value, type_id to) {
    if (type_equals(value->type, to)) {
        return value;
    }
    if (value->is_zero) {
        return check_memory(evaluator, const_value_zero(evaluator->arena, to));
    }
    enum type_kind kind = type_kind_of(evaluator->types, to);
    if (kind == TYPE_ARRAY || kind == TYPE_STRUCT) {
        return convert_composite(evaluator, value, to);
    }
    return convert_components(evaluator, value, to);
}

const struct const_value *const_eval_flatten(struct const_evaluator *evaluator, type_id type,
    const struct const_value *const *arguments, uint32_t count) {
    union const_scalar components[CONST_COMPONENT_LIMIT];
    uint32_t filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t part = type_component_count(evaluator->types, arguments[i]->type);
        for (uint32_t j = 0; j < part && filled < CONST_COMPONENT_LIMIT; j++) {
            components[filled++] = const_value_get(arguments[i], evaluator->types, j);
        }
    }
    return check_memory(
        evaluator, const_value_components(evaluator->arena, evaluator->types, type, components));
}

// ---- Built-in functions ------------------------------------------------------------------------

static const struct const_value *eval_select(
    struct const_evaluator *evaluator, const struct const_value *const *arguments, type_id result) {
    union const_scalar components[CONST_COMPONENT_LIMIT];
    bool is_scalar_condition = type_is_scalar(evaluator->types, arguments[2]->type);
    for (uint32_t i = 0; i < type_component_count(evaluator->types, result); i++) {
        bool take_second =
            const_value_get(arguments[2], evaluator->types, is_scalar_condition ? 0 : i).integer !=
            0;
        components[i] = const_value_get(arguments[take_second], evaluator->types, i);
    }
    return check_memory(
        evaluator, const_value_components(evaluator->arena, evaluator->types, result, components));
}

static const struct const_value *eval_all_any(
    struct const_evaluator *evaluator, uint32_t id, const struct const_value *argument) {
    uint32_t set_count = 0, count = type_component_count(evaluator->types, argument->type);
    for (uint32_t i = 0; i < count; i++) {
        set_count += const_value_get(argument, evaluator->types, i).integer != 0;
    }
    bool value = id == BUILTIN_ALL ? set_count == count : set_count != 0;
    return check_memory(evaluator, const_value_bool(evaluator->arena, value));
}

static bool fract_component(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *arguments, union const_scalar *out) {
    int exponent = 0;
    double value = arguments[0].real;
    double fract = id == BUILTIN_FREXP ? frexp(value, &exponent) : value - trunc(value);
    return const_finish_real(evaluator, kind, fract, out);
}

static bool other_component(struct const_evaluator *evaluator, uint32_t id, enum type_kind kind,
    const union const_scalar *arguments, union const_scalar *out) {
    int exponent = 0;
    if (id == BUILTIN_MODF) {
        return const_finish_real(evaluator, kind, trunc(arguments[0].real), out);
    }
    (void)frexp(arguments[0].real, &exponent);
    out->integer = exponent;
    return true;
}

static const struct const_value *eval_split(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *argument, type_id result) {
    const struct const_value *items[2];
    items[0] = const_apply(
        evaluator, id, &argument, 1, type_element_at(evaluator->types, result, 0), fract_component);
    items[1] = const_apply(
        evaluator, id, &argument, 1, type_element_at(evaluator->types, result, 1), other_component);
    if (items[0] == NULL || items[1] == NULL) {
        return NULL;
    }
    return check_memory(evaluator, const_value_composite(evaluator->arena, result, items, 2));
}

const struct const_value *const_eval_builtin(struct const_evaluator *evaluator, uint32_t id,
    const struct const_value *const *arguments, uint32_t count, type_id result) {
    switch (id) {
    case BUILTIN_SELECT:
        return eval_select(evaluator, arguments, result);
    case BUILTIN_ALL:
    case BUILTIN_ANY:
        return eval_all_any(evaluator, id, arguments[0]);
    case BUILTIN_FREXP:
    case BUILTIN_MODF:
        return eval_split(evaluator, id, arguments[0], result);
    case BUILTIN_COUNT_LEADING_ZEROS:
    case BUILTIN_COUNT_ONE_BITS:
    case BUILTIN_COUNT_TRAILING_ZEROS:
    case BUILTIN_EXTRACT_BITS:
    case BUILTIN_FIRST_LEADING_BIT:
    case BUILTIN_FIRST_TRAILING_BIT:
    case BUILTIN_INSERT_BITS:
    case BUILTIN_REVERSE_BITS:
        return const_apply(evaluator, id, arguments, count, result, const_bit_component);
    case BUILTIN_CROSS:
    case BUILTIN_DETERMINANT:
    case BUILTIN_DISTANCE:
    case BUILTIN_DOT:
    case BUILTIN_FACE_FORWARD:
    case BUILTIN_LENGTH:
    case BUILTIN_NORMALIZE:
    case BUILTIN_REFLECT:
    case BUILTIN_REFRACT:
    case BUILTIN_TRANSPOSE:
        return const_eval_vector(evaluator, id, arguments, result);
    case BUILTIN_DOT_4_U8_PACKED:
    case BUILTIN_DOT_4_I8_PACKED:
        return const_eval_packing(evaluator, id, arguments, result);
    default:
        break;
    }
    if (id >= BUILTIN_PACK_4X8_SNORM && id <= BUILTIN_UNPACK_2X16_FLOAT) {
        return const_eval_packing(evaluator, id, arguments, result);
    }
    return const_apply(evaluator, id, arguments, count, result, const_numeric_component);
}
