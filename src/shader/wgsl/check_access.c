// SPDX-License-Identifier: MIT
//
// Indexing, members, swizzles, address-of and indirection (WGSL §Composite Value Decomposition
// Expressions, §Address-Of, §Indirection). A pointer base counts as the reference it points to. See
// check_priv.h for threads.
#include <inttypes.h>

#include "base/suggest.h"
#include "shader/wgsl/check_priv.h"

// What is accessed: a value or a memory view.
struct base {
    bool is_view;
    enum address_space space;
    enum access_mode access;
    type_id type; // of the value, or the store type
};

static bool get_base(struct checker *checker, struct ast_expression *expression, struct base *out) {
    if (expression->type.index == 0) {
        return false;
    }
    const struct type *type = type_get(checker->types, expression->type);
    if (expression->is_reference) {
        // A reference to a handle is no memory view that could be taken apart.
        *out = (struct base){true, type->space, type->access, type->element};
        return true;
    }
    if (type->kind == TYPE_POINTER) {
        *out = (struct base){true, type->space, type->access, type->element};
        return true;
    }
    *out = (struct base){.type = expression->type};
    return type->kind != TYPE_VOID || check_load(checker, expression);
}

// The result of an access that gives `element` of the base.
static void set_result(struct checker *checker, struct ast_expression *expression,
    const struct base *base, type_id element) {
    if (!base->is_view) {
        expression->type = element;
        return;
    }
    expression->stage = EVALUATION_RUNTIME;
    expression->type = type_reference(checker->types, base->space, element, base->access);
    expression->is_reference = expression->type.index != 0;
    if (!expression->is_reference) {
        check_out_of_memory(checker);
    }
}

// ---- Indexing ----------------------------------------------------------------------------------

// The number of elements, 0 when it is not known before the shader runs.
static uint32_t get_element_count(const struct checker *checker, type_id id) {
    const struct type *type = type_get(checker->types, id);
    return type->kind == TYPE_ARRAY && type->array_size != ARRAY_FIXED ? 0 : type->count;
}

static bool check_bounds(
    struct checker *checker, const struct ast_expression *index, type_id base) {
    int64_t value = const_value_get_integer(index->value);
    uint32_t count = get_element_count(checker, base);
    if (value >= 0 && (count == 0 || value < (int64_t)count)) {
        return true;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_INDEX_BOUNDS,
        index->span, "index %" PRId64 " is out of bounds of '%s'", value,
        check_type_text(checker, base));
    if (count != 0) {
        diagnostic_explain(checker->diagnostics, diagnostic, "valid are 0 to %" PRIu32, count - 1);
    }
    return false;
}

void check_index(struct checker *checker, struct ast_expression *expression) {
    struct ast_expression *base_node = expression->index.base, *index = expression->index.index;
    struct base base;
    bool has_base = get_base(checker, base_node, &base);
    bool has_index = check_value(checker, index);
    expression->stage = base_node->stage > index->stage ? base_node->stage : index->stage;
    if (!has_base) {
        return;
    }
    enum type_kind kind = type_kind_of(checker->types, base.type);
    if (kind != TYPE_VECTOR && kind != TYPE_MATRIX && kind != TYPE_ARRAY) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_INDEXABLE, base_node->span,
            "'%s' cannot be indexed", check_type_text(checker, base.type));
        return;
    }
    if (!has_index) {
        return;
    }
    if (!type_is_integer_scalar(checker->types, check_value_type(checker, index))) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_INDEXABLE, index->span,
            "an index is an i32 or u32, not '%s'",
            check_type_text(checker, check_value_type(checker, index)));
        return;
    }
    if (index->value != NULL && !check_bounds(checker, index, base.type)) {
        return;
    }
    if (!check_concretize(checker, index)) {
        return;
    }
    if (!base.is_view && index->stage != EVALUATION_CONST) {
        if (!check_concretize(checker, base_node)) {
            return;
        }
        base.type = base_node->type;
    }
    set_result(checker, expression, &base, type_element_at(checker->types, base.type, 0));
    if (expression->stage != EVALUATION_RUNTIME && base_node->value != NULL &&
        index->value != NULL) {
        expression->value = const_value_element(checker->arena, checker->types, base_node->value,
            (uint32_t)const_value_get_integer(index->value));
        if (expression->value == NULL) {
            check_out_of_memory(checker);
        }
    }
}

// ---- Swizzles ----------------------------------------------------------------------------------

// The component that a letter names, and whether it is of the colour set; -1: no such letter.
static int component_of(char letter, bool *out_is_colour) {
    static const char dimensions[] = "xyzw", colours[] = "rgba";
    for (int i = 0; i < 4; i++) {
        if (dimensions[i] == letter || colours[i] == letter) {
            *out_is_colour = colours[i] == letter;
            return i;
        }
    }
    return -1;
}

static bool parse_swizzle(
    struct checker *checker, struct ast_expression *expression, type_id vector) {
    struct text name = expression->member.name->text;
    uint32_t size = type_get(checker->types, vector)->count;
    bool is_colour = false, is_colour_first = false;
    const char *problem = name.length > 4 ? "it has more than four letters" : NULL;
    for (size_t i = 0; i < name.length && problem == NULL; i++) {
        int component = component_of(name.data[i], &is_colour);
        if (component < 0) {
            problem = "its letters are xyzw or rgba";
        } else if (i > 0 && is_colour != is_colour_first) {
            problem = "it mixes xyzw with rgba";
        } else if ((uint32_t)component >= size) {
            problem = "it names a component past the end";
        } else {
            is_colour_first = is_colour;
            expression->member.swizzle[i] = (uint8_t)component;
        }
    }
    if (problem != NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INVALID_SWIZZLE,
            expression->member.name_span, "'%.*s' is no swizzle of '%s': %s", TEXT_ARGS(name),
            check_type_text(checker, vector), problem);
        return false;
    }
    expression->member.kind = MEMBER_SWIZZLE;
    expression->member.swizzle_count = (uint8_t)name.length;
    return true;
}

static void evaluate_swizzle(struct checker *checker, struct ast_expression *expression) {
    const struct const_value *base = expression->member.base->value;
    union const_scalar components[4];
    for (uint32_t i = 0; i < expression->member.swizzle_count; i++) {
        components[i] = const_value_get(base, checker->types, expression->member.swizzle[i]);
    }
    expression->value = const_value_components(
        checker->arena, checker->types, expression->type, components);
    if (expression->value == NULL) {
        check_out_of_memory(checker);
    }
}

static void check_swizzle(
    struct checker *checker, struct ast_expression *expression, const struct base *base) {
    if (!parse_swizzle(checker, expression, base->type)) {
        return;
    }
    type_id element = type_get(checker->types, base->type)->element;
    if (expression->member.swizzle_count == 1) {
        set_result(checker, expression, base, element);
    } else {
        // Several components are always a value: a memory view is loaded first.
        if (expression->member.base->is_reference &&
            !check_load(checker, expression->member.base)) {
            return;
        }
        expression->type = type_vector(checker->types, element, expression->member.swizzle_count);
        if (expression->type.index == 0) {
            check_out_of_memory(checker);
        }
        if (base->is_view) {
            expression->stage = EVALUATION_RUNTIME;
            check_note_access(checker, expression->member.base, CHECK_ACCESS_READ);
        }
    }
    if (expression->member.base->value != NULL && !base->is_view && expression->type.index != 0) {
        evaluate_swizzle(checker, expression);
    }
}

// ---- Members -----------------------------------------------------------------------------------

static bool find_member(const struct type *structure, struct text name, uint32_t *out_index) {
    // Names are interned, so that the address tells; the structures that built-in functions return
    // have names of their own.
    for (uint32_t i = 0; i < structure->member_count; i++) {
        if (structure->members[i].name.data == name.data) {
            *out_index = i;
            return true;
        }
    }
    for (uint32_t i = 0; i < structure->member_count; i++) {
        if (text_equals(structure->members[i].name, name)) {
            *out_index = i;
            return true;
        }
    }
    return false;
}

static void report_unknown_member(
    struct checker *checker, struct ast_expression *expression, type_id structure) {
    const struct type *type = type_get(checker->types, structure);
    struct text name = expression->member.name->text;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_UNKNOWN_MEMBER, expression->member.name_span, "'%s' has no member '%.*s'",
        check_type_text(checker, structure), TEXT_ARGS(name));
    const char *words[64];
    size_t count = 0;
    for (uint32_t i = 0; i < type->member_count && count < 64; i++) {
        words[count] = text_copy(checker->arena, type->members[i].name);
        count += words[count] != NULL;
    }
    const char *nearest = suggest_nearest(name, words, count);
    if (nearest != NULL) {
        diagnostic_explain(checker->diagnostics, diagnostic, "did you mean '%s'?", nearest);
        diagnostic_fix(
            checker->diagnostics, diagnostic, expression->member.name_span, "%s", nearest);
        return;
    }
    struct text_buffer list = {0};
    for (size_t i = 0; i < count && i < 12; i++) {
        text_buffer_print(&list, "%s'%s'", i == 0 ? "" : ", ", words[i]);
    }
    diagnostic_explain(checker->diagnostics, diagnostic, "its members are %.*s%s",
        TEXT_ARGS(text_buffer_get(&list)), count > 12 ? ", ..." : "");
    text_buffer_finish(&list);
}

static void report_no_members(
    struct checker *checker, const struct ast_expression *expression, type_id type) {
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_UNKNOWN_MEMBER, expression->member.name_span, "'%s' has no members",
        check_type_text(checker, type));
    enum type_kind kind = type_kind_of(checker->types, type);
    if (kind == TYPE_MATRIX) {
        diagnostic_explain(checker->diagnostics, diagnostic, "its columns are read as in m[0]");
    } else if (kind == TYPE_ARRAY) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            type_contains_runtime_array(checker->types, type)
                ? "its elements are read as in a[0], their number by arrayLength(&a)"
                : "its elements are read as in a[0]; their number is in the type");
    }
}

static void check_structure_member(
    struct checker *checker, struct ast_expression *expression, const struct base *base) {
    uint32_t index = 0;
    if (!find_member(type_get(checker->types, base->type), expression->member.name->text, &index)) {
        if (!checker->module->has_syntax_errors) { // else members may have been lost
            report_unknown_member(checker, expression, base->type);
        }
        return;
    }
    expression->member.kind = MEMBER_STRUCT;
    expression->member.member_index = (uint16_t)index;
    set_result(checker, expression, base, type_element_at(checker->types, base->type, index));
    if (!base->is_view && expression->member.base->value != NULL) {
        expression->value = const_value_element(
            checker->arena, checker->types, expression->member.base->value, index);
        if (expression->value == NULL) {
            check_out_of_memory(checker);
        }
    }
}

void check_member(struct checker *checker, struct ast_expression *expression) {
    struct base base;
    bool has_base = get_base(checker, expression->member.base, &base);
    expression->stage = expression->member.base->stage;
    if (!has_base || expression->member.name->text.length == 0) {
        return;
    }
    switch (type_kind_of(checker->types, base.type)) {
    case TYPE_STRUCT:
        check_structure_member(checker, expression, &base);
        return;
    case TYPE_VECTOR:
        check_swizzle(checker, expression, &base);
        return;
    default:
        report_no_members(checker, expression, base.type);
        return;
    }
}

// ---- Pointers ----------------------------------------------------------------------------------

// True for v.x and v[i] where v is a vector in memory.
static bool is_vector_component(
    const struct checker *checker, const struct ast_expression *expression) {
    while (expression->kind == EXPRESSION_PAREN) {
        expression = expression->unary.operand;
    }
    const struct ast_expression *base = expression->kind == EXPRESSION_INDEX
        ? expression->index.base
        : expression->kind == EXPRESSION_MEMBER ? expression->member.base
                                                : NULL;
    if (base == NULL || base->type.index == 0) {
        return false;
    }
    const struct type *type = type_get(checker->types, base->type);
    bool is_view = base->is_reference || type->kind == TYPE_POINTER;
    return is_view && type_kind_of(checker->types, type->element) == TYPE_VECTOR;
}

void check_address_of(struct checker *checker, struct ast_expression *expression) {
    struct ast_expression *operand = expression->unary.operand;
    check_expression(checker, operand);
    expression->stage = EVALUATION_RUNTIME;
    if (operand->type.index == 0) {
        return;
    }
    if (!operand->is_reference) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ADDRESS_OF, operand->span,
            "only memory has an address; this is a value of type '%s'",
            check_type_text(checker, operand->type));
        return;
    }
    const struct type *reference = type_get(checker->types, operand->type);
    if (reference->space == SPACE_HANDLE) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ADDRESS_OF, operand->span,
            "a texture or sampler has no address");
        return;
    }
    if (is_vector_component(checker, operand)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ADDRESS_OF, operand->span,
            "the component of a vector has no address");
        return;
    }
    expression->type = type_pointer(
        checker->types, reference->space, reference->element, reference->access);
    if (expression->type.index == 0) {
        check_out_of_memory(checker);
    }
}

void check_indirection(struct checker *checker, struct ast_expression *expression) {
    struct ast_expression *operand = expression->unary.operand;
    check_expression(checker, operand);
    expression->stage = EVALUATION_RUNTIME;
    if (operand->type.index == 0) {
        return;
    }
    const struct type *pointer = type_get(checker->types, operand->type);
    if (operand->is_reference || pointer->kind != TYPE_POINTER) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INDIRECTION, operand->span,
            "'*' needs a pointer, not '%s'",
            check_type_text(checker, check_value_type(checker, operand)));
        return;
    }
    expression->type = type_reference(
        checker->types, pointer->space, pointer->element, pointer->access);
    expression->is_reference = expression->type.index != 0;
    if (!expression->is_reference) {
        check_out_of_memory(checker);
    }
}
