// SPDX-License-Identifier: MIT
//
// Buffer views (WGSL §Buffer View Built-in Functions): bufferView, bufferArrayView, bufferLength,
// whose template argument and pointer are checked by hand. See check_priv.h for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

static struct ast_expression *argument_at(const struct ast_expression *expression, uint32_t i) {
    return expression->call.arguments.items[i];
}

static uint64_t round_up(uint64_t unit, uint64_t value) {
    return (value + unit - 1) / unit * unit;
}

// The pointer argument's type if it points to a buffer, else NULL after a report.
static const struct type *check_pointer(
    struct checker *checker, const struct ast_expression *argument, const char *name) {
    const struct type *pointer = type_get(checker->types, argument->type);
    if (pointer->kind == TYPE_POINTER &&
        type_kind_of(checker->types, pointer->element) == TYPE_BUFFER) {
        return pointer;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD,
        argument->span, "'%s' needs a pointer to a buffer, but this is '%s'", name,
        check_type_text(checker, check_value_type(checker, argument)));
    if (pointer->kind != TYPE_POINTER &&
        type_kind_of(checker->types, check_value_type(checker, argument)) == TYPE_BUFFER) {
        diagnostic_explain(checker->diagnostics, diagnostic, "write '&' to pass the address");
    }
    return NULL;
}

// The type that the view shows.
static bool check_viewed(struct checker *checker, const struct ast_expression *written,
    type_id viewed, const struct type *pointer, bool is_array) {
    const struct type *type = type_get(checker->types, viewed);
    const char *problem = NULL;
    if (!(type->traits & TYPE_TRAIT_HOST_SHAREABLE) || type->kind == TYPE_BUFFER) {
        problem = "is not host-shareable";
    } else if (type->traits & TYPE_TRAIT_ATOMIC) {
        problem = "contains an atomic";
    } else if (is_array && type->traits & TYPE_TRAIT_FIXED) {
        problem = "has a fixed size: bufferView shows it";
    }
    if (problem != NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_STORE_TYPE, written->span,
            "a buffer cannot be viewed as '%s', which %s", check_type_text(checker, viewed),
            problem);
        return false;
    }
    return pointer->space != SPACE_UNIFORM ||
        check_uniform_layout(checker, viewed, written->span, TEXT_LITERAL(""));
}

// An offset or size: i32 or u32.
static bool check_number(
    struct checker *checker, struct ast_expression *argument, const char *what) {
    type_id type = check_value_type(checker, argument);
    if (!type_is_integer_scalar(checker->types, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD, argument->span,
            "%s is an i32 or u32, not '%s'", what, check_type_text(checker, type));
        return false;
    }
    if (!check_concretize(checker, argument)) {
        return false;
    }
    if (argument->value != NULL && const_value_get_integer(argument->value) < 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_VALUE_RANGE, argument->span,
            "%s is not negative, but this is %" PRId64, what,
            const_value_get_integer(argument->value));
        return false;
    }
    return true;
}

// What the type asks of offset and size.
struct view_layout {
    uint64_t minimum_bytes;
    uint64_t array_offset; // of the runtime-sized array
    uint64_t stride_bytes; // of its elements
    uint64_t align_bytes;
};

static struct view_layout get_layout(
    const struct checker *checker, type_id viewed, enum address_space space) {
    const struct type *type = type_get(checker->types, viewed);
    struct view_layout layout = {.minimum_bytes = type_minimum_binding_size(checker->types, viewed),
        .align_bytes = type->align_bytes};
    const struct type *array = type;
    if (type->kind == TYPE_STRUCT) {
        const struct type_member *last = &type->members[type->member_count - 1];
        array = type_get(checker->types, last->type);
        layout.array_offset = last->offset_bytes;
    }
    layout.stride_bytes = array->kind == TYPE_ARRAY ? array->stride_bytes : 0;
    bool is_standard = checker->required & WGSL_LANGUAGE_EXTENSION_UNIFORM_BUFFER_STANDARD_LAYOUT;
    if (space == SPACE_UNIFORM && !is_standard &&
        (type->kind == TYPE_STRUCT || type->kind == TYPE_ARRAY)) {
        layout.align_bytes = round_up(16, layout.align_bytes);
    }
    return layout;
}

static bool fail(struct checker *checker, const struct ast_expression *argument, const char *what,
    uint64_t given, uint64_t limit) {
    diagnostic_error(
        checker->diagnostics, DIAGNOSTIC_BUFFER_VIEW, argument->span, what, given, limit);
    return false;
}

static bool check_constants(struct checker *checker, const struct ast_expression *expression,
    const struct view_layout *layout, uint64_t buffer_bytes) {
    const struct ast_expression *offset = argument_at(expression, 1);
    const struct ast_expression *size = expression->call.arguments.count > 2
        ? argument_at(expression, 2)
        : NULL;
    uint64_t start = offset->value != NULL ? (uint64_t)const_value_get_integer(offset->value) : 0;
    uint64_t length = layout->minimum_bytes;
    if (start % layout->align_bytes != 0) {
        return fail(checker, offset,
            "the offset %" PRIu64 " is not a multiple of the type's alignment, %" PRIu64, start,
            layout->align_bytes);
    }
    if (size != NULL && size->value != NULL) {
        length = (uint64_t)const_value_get_integer(size->value);
        if (layout->minimum_bytes > length) {
            return fail(checker, size,
                "the size %" PRIu64 " is below what the type needs, %" PRIu64, length,
                layout->minimum_bytes);
        }
        if (layout->stride_bytes != 0 &&
            (length - layout->array_offset) % layout->stride_bytes != 0) {
            return fail(checker, size,
                "the size %" PRIu64 " does not end with an element: elements take %" PRIu64
                " bytes each",
                length, layout->stride_bytes);
        }
    }
    if (buffer_bytes != 0 && start + length > buffer_bytes) {
        return fail(checker, offset->value != NULL || size == NULL ? offset : size,
            "the view ends at byte %" PRIu64 ", but the buffer has %" PRIu64, start + length,
            buffer_bytes);
    }
    return true;
}

static bool has_count(struct checker *checker, const struct ast_expression *expression,
    uint32_t templates, uint32_t arguments, const char *form) {
    const struct ast_expression_list *list = expression->call.callee->identifier.template_arguments;
    if ((list == NULL ? 0 : list->count) == templates &&
        expression->call.arguments.count == arguments) {
        return true;
    }
    diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD, expression->span,
        "this function is written %s", form);
    return false;
}

void check_buffer_call(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, uint32_t id) {
    static const char *const forms[] = {
        "bufferView<T>(&buffer, offset)",
        "bufferArrayView<T>(&buffer, offset, size)",
        "bufferLength(&buffer)",
    };
    bool is_length = id == BUILTIN_BUFFER_LENGTH, is_array = id == BUILTIN_BUFFER_ARRAY_VIEW;
    bool is_ok = true;
    expression->stage = EVALUATION_RUNTIME;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        is_ok = check_value(checker, argument_at(expression, i)) && is_ok;
    }
    if (!has_count(checker, expression, is_length ? 0 : 1,
            is_length      ? 1
                : is_array ? 3
                           : 2,
            forms[is_length    ? 2
                    : is_array ? 1
                               : 0]) ||
        !is_ok) {
        return;
    }
    const struct type *found = check_pointer(
        checker, argument_at(expression, 0), builtin_get(id)->name);
    if (found == NULL) {
        return;
    }
    struct type pointer = *found; // the table may grow
    call->kind = CALL_BUILTIN;
    call->builtin = (uint16_t)id;
    if (is_length) {
        expression->type = type_scalar(TYPE_U32);
        return;
    }
    const struct ast_expression *written =
        expression->call.callee->identifier.template_arguments->items[0];
    type_id viewed = check_type_expression(
        checker, expression->call.callee->identifier.template_arguments->items[0]);
    if (viewed.index == 0 || !check_viewed(checker, written, viewed, &pointer, is_array) ||
        !check_number(checker, argument_at(expression, 1), "the offset") ||
        (is_array && !check_number(checker, argument_at(expression, 2), "the size"))) {
        return;
    }
    struct view_layout layout = get_layout(checker, viewed, pointer.space);
    const struct type *buffer = type_get(checker->types, pointer.element);
    uint64_t buffer_bytes = buffer->array_size == ARRAY_OVERRIDE ? 0 : buffer->count;
    if (!check_constants(checker, expression, &layout, buffer_bytes)) {
        return;
    }
    call->types[0] = viewed;
    expression->type = type_pointer(checker->types, pointer.space, viewed, pointer.access);
    if (expression->type.index == 0) {
        check_out_of_memory(checker);
    }
}

bool check_is_buffer_limit(const struct type_table *types, type_id from, type_id to) {
    const struct type *a = type_get(types, from), *b = type_get(types, to);
    if (a->kind != TYPE_POINTER || b->kind != TYPE_POINTER || a->space != b->space ||
        a->access != b->access) {
        return false;
    }
    const struct type *large = type_get(types, a->element), *small = type_get(types, b->element);
    bool is_sized = large->array_size == ARRAY_OVERRIDE || large->count != 0;
    if (large->kind != TYPE_BUFFER || small->kind != TYPE_BUFFER || !is_sized) {
        return false; // from a fixed-size buffer only
    }
    bool to_unsized = small->array_size == ARRAY_FIXED && small->count == 0;
    return to_unsized ||
        (large->array_size == ARRAY_FIXED && small->array_size == ARRAY_FIXED &&
            small->count < large->count);
}
