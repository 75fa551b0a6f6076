// SPDX-License-Identifier: MIT
//
// Type expressions (WGSL §Type Expressions, §Plain Types): identifiers and generators with template
// arguments to types. Structures are in check_struct.c. See check_priv.h for threads.
#include <inttypes.h>

#include "facts/texel_format.h"
#include "shader/wgsl/check_priv.h"

static type_id none(void) {
    return (type_id){0};
}

static type_id check_size(struct checker *checker, type_id type, struct source_span span) {
    if (type.index == 0 && !checker->arena->has_failed) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_TOO_LARGE, span,
            "this type is larger than 4294967295 bytes");
    } else if (type.index == 0) {
        check_out_of_memory(checker);
    } else if (type_nesting_depth(checker->types, type) > LIMIT_TYPE_NESTING) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, span,
            "this type nests %" PRIu32 " deep; the limit is %d",
            type_nesting_depth(checker->types, type), LIMIT_TYPE_NESTING);
        return none();
    }
    return type;
}

static bool check_argument_count(struct checker *checker, const struct ast_expression *expression,
    uint32_t minimum, uint32_t maximum) {
    const struct ast_expression_list *list = expression->identifier.template_arguments;
    uint32_t count = list == NULL ? 0 : list->count;
    if (count >= minimum && count <= maximum) {
        return true;
    }
    if (count == 1 && list->items[0]->kind == EXPRESSION_ERROR) {
        return false; // the parser reported it
    }
    struct text name = expression->identifier.name->text;
    if (minimum == maximum) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
            "'%.*s' takes %" PRIu32 " template argument%s, not %" PRIu32, TEXT_ARGS(name), minimum,
            minimum == 1 ? "" : "s", count);
    } else {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
            "'%.*s' takes %" PRIu32 " or %" PRIu32 " template arguments, not %" PRIu32,
            TEXT_ARGS(name), minimum, maximum, count);
    }
    return false;
}

static struct ast_expression *argument(const struct ast_expression *expression, uint32_t index) {
    return expression->identifier.template_arguments->items[index];
}

// The enumerant that an argument names, NULL (reported) if it is something else.
static const struct predeclared *check_enumerant(struct checker *checker,
    struct ast_expression *expression, enum predeclared_kind kind, const char *what) {
    if (expression->kind == EXPRESSION_IDENTIFIER &&
        expression->resolution == RESOLUTION_ENUMERANT &&
        expression->identifier.template_arguments == NULL) {
        const struct predeclared *row = predeclared_get(expression->detail);
        if (row->kind == kind) {
            return row;
        }
    }
    if (expression->kind != EXPRESSION_ERROR &&
        !(expression->kind == EXPRESSION_IDENTIFIER && expression->resolution == RESOLUTION_NONE)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
            "%s is expected here", what);
    }
    return NULL;
}

static type_id invalid_element(
    struct checker *checker, struct ast_expression *expression, const char *what, type_id element) {
    diagnostic_error(checker->diagnostics, DIAGNOSTIC_INVALID_ELEMENT_TYPE, expression->span,
        "%s cannot hold '%s'", what, check_type_text(checker, element));
    return none();
}

static type_id make_vector(
    struct checker *checker, struct ast_expression *expression, uint32_t size) {
    if (!check_argument_count(checker, expression, 1, 1)) {
        return none();
    }
    type_id element = check_type_expression(checker, argument(expression, 0));
    if (element.index != 0 && !type_is_scalar(checker->types, element)) {
        return invalid_element(checker, argument(expression, 0), "a vector", element);
    }
    return element.index == 0 ? element : type_vector(checker->types, element, size);
}

static type_id make_matrix(
    struct checker *checker, struct ast_expression *expression, uint32_t columns, uint32_t rows) {
    if (!check_argument_count(checker, expression, 1, 1)) {
        return none();
    }
    type_id element = check_type_expression(checker, argument(expression, 0));
    if (element.index != 0 && !type_is_float_scalar(checker->types, element)) {
        return invalid_element(checker, argument(expression, 0), "a matrix", element);
    }
    return element.index == 0 ? element : type_matrix(checker->types, element, columns, rows);
}

static type_id make_atomic(struct checker *checker, struct ast_expression *expression) {
    if (!check_argument_count(checker, expression, 1, 1)) {
        return none();
    }
    type_id element = check_type_expression(checker, argument(expression, 0));
    enum type_kind kind = type_kind_of(checker->types, element);
    if (element.index != 0 && kind != TYPE_I32 && kind != TYPE_U32) {
        return invalid_element(checker, argument(expression, 0), "an atomic", element);
    }
    return element.index == 0 ? element : type_atomic(checker->types, element);
}

// An array's element is a plain type with a creation-fixed footprint.
static bool check_array_element(
    struct checker *checker, struct ast_expression *expression, type_id element) {
    const struct type *type = type_get(checker->types, element);
    if (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_RUNTIME_ARRAY, expression->span,
            "an array cannot hold '%s', whose size is not fixed",
            check_type_text(checker, element));
        return false;
    }
    if (type->traits & TYPE_TRAIT_OVERRIDE_ARRAY) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_OVERRIDE_ARRAY, expression->span,
            "only the outermost array may be sized by an override");
        return false;
    }
    if (!(type->traits & TYPE_TRAIT_STORABLE) || !(type->traits & TYPE_TRAIT_CREATION_FIXED) ||
        type->kind == TYPE_BUFFER) {
        invalid_element(checker, expression, "an array", element);
        return false;
    }
    return true;
}

// An override-expression as the count: every identifier of an override is one count, any other
// expression is one of its own.
static bool find_override_count(
    struct checker *checker, struct ast_expression *count, uint32_t *out_index) {
    struct ast_declaration *override = NULL;
    if (count->kind == EXPRESSION_IDENTIFIER) {
        override = count->identifier.declaration;
    }
    uint32_t index = (uint32_t)checker->module->override_counts.count;
    if (override != NULL && override->override_array != 0) {
        index = override->override_array - 1;
    } else if (!arena_vector_push(checker->arena, &checker->module->override_counts, count)) {
        return check_out_of_memory(checker);
    } else if (override != NULL) {
        override->override_array = index + 1;
    }
    *out_index = index;
    return true;
}

static type_id make_override_array(
    struct checker *checker, struct ast_expression *count, type_id element) {
    uint32_t index = 0;
    if (!find_override_count(checker, count, &index)) {
        return none();
    }
    type_id type = type_array(checker->types, element, ARRAY_OVERRIDE, index);
    if (type.index != 0) {
        checker->types->types.items[type.index].name = check_source_text(checker, count->span);
    }
    return type;
}

static type_id make_array(struct checker *checker, struct ast_expression *expression) {
    if (!check_argument_count(checker, expression, 1, 2)) {
        return none();
    }
    type_id element = check_type_expression(checker, argument(expression, 0));
    if (element.index == 0 || !check_array_element(checker, argument(expression, 0), element)) {
        return none();
    }
    if (expression->identifier.template_arguments->count == 1) {
        return check_size(
            checker, type_array(checker->types, element, ARRAY_RUNTIME, 0), expression->span);
    }
    // A count is needed to know the type, even inside an operand that is not evaluated.
    struct ast_expression *count = argument(expression, 1);
    uint32_t skipped = checker->skip_evaluation;
    checker->skip_evaluation = 0;
    bool is_ok = check_value(checker, count) && check_concretize(checker, count);
    checker->skip_evaluation = skipped;
    if (!is_ok) {
        return none();
    }
    if (!type_is_integer_scalar(checker->types, check_value_type(checker, count))) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ARRAY_COUNT, count->span,
            "an element count is an i32 or u32, not '%s'",
            check_type_text(checker, check_value_type(checker, count)));
        return none();
    }
    if (count->stage == EVALUATION_RUNTIME) {
        check_report_stage(checker, count, EVALUATION_OVERRIDE, "an element count");
        return none();
    }
    if (count->stage == EVALUATION_OVERRIDE) {
        return check_size(checker, make_override_array(checker, count, element), expression->span);
    }
    if (count->value == NULL) {
        return none();
    }
    int64_t value = const_value_get_integer(count->value);
    if (value <= 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ARRAY_COUNT, count->span,
            "an array has at least one element, not %" PRId64, value);
        return none();
    }
    return check_size(checker, type_array(checker->types, element, ARRAY_FIXED, (uint32_t)value),
        expression->span);
}

static type_id make_pointer(struct checker *checker, struct ast_expression *expression) {
    if (!check_argument_count(checker, expression, 2, 3)) {
        return none();
    }
    static const enum access_mode defaults[] = {
#define SPACE(name, word, access) ACCESS_##access,
#include "facts/address_space.def"
    };
    const struct predeclared *space_row = check_enumerant(
        checker, argument(expression, 0), PREDECLARED_SPACE, "an address space");
    if (space_row == NULL) {
        return none();
    }
    type_id store = check_type_expression(checker, argument(expression, 1));
    if (store.index == 0) {
        return none();
    }
    enum address_space space = (enum address_space)space_row->a;
    enum access_mode access = defaults[space];
    if (expression->identifier.template_arguments->count == 3) {
        const struct predeclared *row = check_enumerant(
            checker, argument(expression, 2), PREDECLARED_ACCESS, "an access mode");
        if (row == NULL) {
            return none();
        }
        if (space != SPACE_STORAGE) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ACCESS_MODE,
                argument(expression, 2)->span,
                "only a pointer into 'storage' may spell an access mode; '%s' always "
                "has '%s'",
                space_row->word, access_mode_word(access));
            return none();
        }
        access = (enum access_mode)row->a;
        if (access == ACCESS_WRITE) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ACCESS_MODE,
                argument(expression, 2)->span,
                "storage memory is 'read' or 'read_write', never 'write'");
            return none();
        }
    }
    if (!check_store_type(checker, space, access, store, argument(expression, 1)->span, true)) {
        return none();
    }
    return type_pointer(checker->types, space, store, access);
}

static type_id make_sampled_texture(
    struct checker *checker, struct ast_expression *expression, const struct predeclared *row) {
    if (!check_argument_count(checker, expression, 1, 1)) {
        return none();
    }
    type_id element = check_type_expression(checker, argument(expression, 0));
    enum type_kind kind = type_kind_of(checker->types, element);
    if (element.index == 0) {
        return element;
    }
    if (kind != TYPE_F32 && kind != TYPE_I32 && kind != TYPE_U32) {
        return invalid_element(checker, argument(expression, 0), "a texture", element);
    }
    struct type type = {.kind = (enum type_kind)row->type_kind,
        .element = element,
        .dimension = (enum texture_dimension)row->a};
    return type_opaque(checker->types, &type);
}

static type_id make_storage_texture(
    struct checker *checker, struct ast_expression *expression, const struct predeclared *row) {
    if (!check_argument_count(checker, expression, 2, 2)) {
        return none();
    }
    const struct predeclared *format = check_enumerant(
        checker, argument(expression, 0), PREDECLARED_TEXEL_FORMAT, "a texel format");
    const struct predeclared *access = check_enumerant(
        checker, argument(expression, 1), PREDECLARED_ACCESS, "an access mode");
    if (format == NULL || access == NULL) {
        return none();
    }
    struct type type = {.kind = TYPE_TEXTURE_STORAGE,
        .access = (enum access_mode)access->a,
        .dimension = (enum texture_dimension)row->a};
    size_t count;
    const struct texel_format_info *formats = texel_format_get_all(&count);
    for (size_t i = 0; i < count; i++) {
        if (text_equals_string(text_from_string(format->word), formats[i].word)) {
            type.texel_format = formats[i].format;
        }
    }
    return type_opaque(checker->types, &type);
}

static type_id make_override_buffer(struct checker *checker, struct ast_expression *size) {
    uint32_t index = 0;
    if (!find_override_count(checker, size, &index)) {
        return none();
    }
    type_id type = type_buffer_override(checker->types, index);
    if (type.index != 0) {
        checker->types->types.items[type.index].name = check_source_text(checker, size->span);
    }
    return type;
}

static type_id make_buffer(struct checker *checker, struct ast_expression *expression) {
    if (!check_argument_count(checker, expression, 0, 1)) {
        return none();
    }
    const struct ast_expression_list *list = expression->identifier.template_arguments;
    if (list == NULL || list->count == 0) {
        return type_buffer(checker->types, 0);
    }
    struct ast_expression *size = argument(expression, 0);
    if (!check_value(checker, size) || !check_concretize(checker, size)) {
        return none();
    }
    if (!type_is_integer_scalar(checker->types, check_value_type(checker, size))) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ARRAY_COUNT, size->span,
            "a buffer's size is an i32 or u32, not '%s'",
            check_type_text(checker, check_value_type(checker, size)));
        return none();
    }
    if (size->stage == EVALUATION_RUNTIME) {
        check_report_stage(checker, size, EVALUATION_OVERRIDE, "a buffer's size");
        return none();
    }
    if (size->stage == EVALUATION_OVERRIDE) {
        return make_override_buffer(checker, size);
    }
    if (size->value == NULL) {
        return none();
    }
    int64_t value = const_value_get_integer(size->value);
    int64_t unit = check_has_enabled(checker, WGSL_EXTENSION_F16) ? 2 : 4;
    if (value <= 0 || value % unit != 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ARRAY_COUNT, size->span,
            "a buffer's size is a positive multiple of %d, not %" PRId64, (int)unit, value);
        return none();
    }
    return type_buffer(checker->types, (uint32_t)value);
}

static type_id generate(struct checker *checker, struct ast_expression *expression) {
    const struct predeclared *row = predeclared_get(expression->detail);
    switch ((enum type_kind)row->type_kind) {
    case TYPE_VECTOR:
        return make_vector(checker, expression, row->a);
    case TYPE_MATRIX:
        return make_matrix(checker, expression, row->a, row->b);
    case TYPE_ARRAY:
        return make_array(checker, expression);
    case TYPE_ATOMIC:
        return make_atomic(checker, expression);
    case TYPE_POINTER:
        return make_pointer(checker, expression);
    case TYPE_BUFFER:
        return make_buffer(checker, expression);
    case TYPE_TEXTURE_STORAGE:
        return make_storage_texture(checker, expression, row);
    default:
        return make_sampled_texture(checker, expression, row);
    }
}

static type_id report_not_a_type(struct checker *checker, const struct ast_expression *expression) {
    if (expression->kind == EXPRESSION_IDENTIFIER) {
        struct text name = expression->identifier.name->text;
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_NOT_A_TYPE, expression->span, "'%.*s' is not a type", TEXT_ARGS(name));
        if (expression->identifier.declaration != NULL) {
            diagnostic_note(checker->diagnostics, diagnostic,
                expression->identifier.declaration->name_span, "declared here");
        }
    } else if (expression->kind != EXPRESSION_ERROR) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_A_TYPE, expression->span,
            "a type is expected here");
    }
    return none();
}

static type_id check_named_type(struct checker *checker, struct ast_expression *expression) {
    if (expression->kind != EXPRESSION_IDENTIFIER) {
        return report_not_a_type(checker, expression);
    }
    const struct ast_declaration *declaration = expression->identifier.declaration;
    bool has_arguments = expression->identifier.template_arguments != NULL;
    type_id type = none();
    switch ((enum ast_resolution)expression->resolution) {
    case RESOLUTION_NONE:
        return none();
    case RESOLUTION_TYPE_GENERATOR:
        return generate(checker, expression);
    case RESOLUTION_TYPE:
        type = expression->type;
        break;
    case RESOLUTION_DECLARATION:
        if (declaration->kind != DECLARATION_ALIAS && declaration->kind != DECLARATION_STRUCT) {
            return report_not_a_type(checker, expression);
        }
        type = declaration->type;
        break;
    case RESOLUTION_ENUMERANT:
    case RESOLUTION_BUILTIN_FUNCTION:
        return report_not_a_type(checker, expression);
    }
    if (has_arguments) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
            "'%.*s' takes no template arguments", TEXT_ARGS(expression->identifier.name->text));
        return none();
    }
    return type;
}

type_id check_type_expression(struct checker *checker, struct ast_expression *expression) {
    if (expression->is_checked) {
        return expression->type;
    }
    expression->is_checked = true;
    expression->type = check_named_type(checker, expression);
    if (expression->type.index != 0 && expression->kind == EXPRESSION_IDENTIFIER) {
        // Only where the name itself is f16's: an alias was reported at its declaration.
        bool names_f16 = expression->resolution == RESOLUTION_TYPE &&
            type_get(checker->types, expression->type)->traits & TYPE_TRAIT_F16;
        if (names_f16 &&
            !check_need_extension(
                checker, WGSL_EXTENSION_F16, "f16", expression->span, "the type 'f16'")) {
            expression->type = none();
        }
    }
    return expression->type;
}

type_id check_concrete(struct checker *checker, type_id id) {
    const struct type *type = type_get(checker->types, id);
    if (!(type->traits & TYPE_TRAIT_ABSTRACT)) {
        return id;
    }
    switch (type->kind) {
    case TYPE_ABSTRACT_INT:
        return type_scalar(TYPE_I32);
    case TYPE_ABSTRACT_FLOAT:
        return type_scalar(TYPE_F32);
    case TYPE_VECTOR:
    case TYPE_MATRIX:
        return type_with_element(checker->types, id, check_concrete(checker, type->element));
    case TYPE_ARRAY: {
        uint32_t count = type->count;
        type_id element = check_concrete(checker, type->element); // at most 15 deep
        return type_array(checker->types, element, ARRAY_FIXED, count);
    }
    default:
        for (uint32_t count = 1; count <= 4; count++) {
            if (type_equals(checker->structures.frexp[TYPE_ABSTRACT_FLOAT][count], id)) {
                return checker->structures.frexp[TYPE_F32][count];
            }
            if (type_equals(checker->structures.modf[TYPE_ABSTRACT_FLOAT][count], id)) {
                return checker->structures.modf[TYPE_F32][count];
            }
        }
        return id;
    }
}
