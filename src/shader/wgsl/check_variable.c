// SPDX-License-Identifier: MIT
//
// var declarations: address space, access mode, store type, binding, initialiser (WGSL §var
// Declarations, §Address Spaces). See check_priv.h for threads.
#include <inttypes.h>
#include <string.h>

#include "shader/wgsl/check_priv.h"

// ---- Store types -------------------------------------------------------------------------------

// Why a type is not host-shareable: the innermost reason, in the arena.
static const char *find_unshareable(struct checker *checker, type_id id) {
    for (uint32_t depth = 0; depth <= LIMIT_TYPE_NESTING; depth++) {
        const struct type *type = type_get(checker->types, id);
        if (type->kind == TYPE_STRUCT) {
            uint32_t i = 0;
            while (i + 1 < type->member_count &&
                type_is_host_shareable(checker->types, type->members[i].type)) {
                i++;
            }
            id = type->members[i].type;
        } else if (type->kind == TYPE_ARRAY || type->kind == TYPE_VECTOR) {
            id = type->element;
        } else {
            break;
        }
    }
    return check_type_text(checker, id);
}

static struct diagnostic *reject(struct checker *checker, enum diagnostic_code code,
    struct source_span span, enum address_space space, type_id type, bool is_pointer) {
    return diagnostic_error(checker->diagnostics, code, span,
        is_pointer ? "no pointer into '%s' can have the store type '%s'"
                   : "a variable in '%s' cannot have the type '%s'",
        address_space_word(space), check_type_text(checker, type));
}

static bool check_atomics(struct checker *checker, enum address_space space,
    enum access_mode access, type_id type, struct source_span span, bool is_pointer) {
    if (!type_contains_atomic(checker->types, type) || space == SPACE_WORKGROUP ||
        (space == SPACE_STORAGE && access == ACCESS_READ_WRITE)) {
        return true;
    }
    struct diagnostic *diagnostic = reject(
        checker, DIAGNOSTIC_ATOMIC_PLACE, span, space, type, is_pointer);
    diagnostic_explain(checker->diagnostics, diagnostic,
        space == SPACE_STORAGE ? "atomics in storage need the access mode 'read_write'"
                               : "atomics live in 'workgroup' and in 'storage, read_write' only");
    return false;
}

static bool check_shareable(struct checker *checker, enum address_space space, type_id type,
    struct source_span span, bool is_pointer) {
    if (type_is_host_shareable(checker->types, type)) {
        return true;
    }
    if (type_contains_override_array(checker->types, type)) {
        struct diagnostic *diagnostic = reject(
            checker, DIAGNOSTIC_OVERRIDE_ARRAY, span, space, type, is_pointer);
        diagnostic_explain(checker->diagnostics, diagnostic,
            "only workgroup variables may be sized by an override");
        return false;
    }
    struct diagnostic *diagnostic = reject(
        checker, DIAGNOSTIC_STORE_TYPE, span, space, type, is_pointer);
    const char *inner = find_unshareable(checker, type);
    diagnostic_explain(checker->diagnostics, diagnostic,
        strstr(inner, "bool") != NULL ? "'%s' is not host-shareable; u32 holds a truth value"
                                      : "'%s' is not host-shareable",
        inner);
    return false;
}

static bool check_not_runtime(struct checker *checker, enum address_space space, type_id type,
    struct source_span span, bool is_pointer) {
    if (!type_contains_runtime_array(checker->types, type)) {
        return true;
    }
    // A view of a buffer gives pointers to such types, without atomics, outside storage too.
    if (is_pointer && (space == SPACE_WORKGROUP || space == SPACE_UNIFORM) &&
        !type_contains_atomic(checker->types, type)) {
        return space == SPACE_WORKGROUP ||
            check_uniform_layout(checker, type, span, TEXT_LITERAL(""));
    }
    struct diagnostic *diagnostic = reject(
        checker, DIAGNOSTIC_RUNTIME_ARRAY, span, space, type, is_pointer);
    diagnostic_explain(
        checker->diagnostics, diagnostic, "runtime-sized arrays exist only in 'storage'");
    return false;
}

static bool contains_array(const struct checker *checker, type_id id) {
    const struct type *type = type_get(checker->types, id);
    if (type->kind == TYPE_ARRAY) {
        return true;
    }
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        if (contains_array(checker, type->members[i].type)) { // types nest at most 15 deep
            return true;
        }
    }
    return false;
}

bool check_store_type(struct checker *checker, enum address_space space, enum access_mode access,
    type_id id, struct source_span span, bool is_pointer) {
    const struct type *type = type_get(checker->types, id);
    bool is_buffer = type->kind == TYPE_BUFFER;
    if (!(type->traits & TYPE_TRAIT_STORABLE) || type->align_bytes == 0) {
        if (space == SPACE_HANDLE && type->traits & TYPE_TRAIT_STORABLE) {
            return true;
        }
        struct diagnostic *diagnostic = reject(
            checker, DIAGNOSTIC_STORE_TYPE, span, space, id, is_pointer);
        if (type->traits & TYPE_TRAIT_STORABLE) {
            diagnostic_explain(checker->diagnostics, diagnostic,
                "textures and samplers are declared without an address space");
        }
        return false;
    }
    TRY(check_atomics(checker, space, access, id, span, is_pointer));
    switch (space) {
    case SPACE_FUNCTION:
    case SPACE_PRIVATE:
    case SPACE_WORKGROUP:
        TRY(check_not_runtime(checker, space, id, span, is_pointer));
        if (type_contains_override_array(checker->types, id) && space != SPACE_WORKGROUP) {
            struct diagnostic *diagnostic = reject(
                checker, DIAGNOSTIC_OVERRIDE_ARRAY, span, space, id, is_pointer);
            diagnostic_explain(checker->diagnostics, diagnostic,
                "only workgroup variables may be sized by an override");
            return false;
        }
        if (is_buffer &&
            (space != SPACE_WORKGROUP ||
                (type->count == 0 && !is_pointer && type->array_size == ARRAY_FIXED))) {
            reject(checker, DIAGNOSTIC_STORE_TYPE, span, space, id, is_pointer);
            return false;
        }
        return true;
    case SPACE_UNIFORM:
        TRY(check_not_runtime(checker, space, id, span, is_pointer));
        TRY(check_shareable(checker, space, id, span, is_pointer));
        if (is_buffer && type->count == 0 && !is_pointer) {
            reject(checker, DIAGNOSTIC_STORE_TYPE, span, space, id, is_pointer);
            return false;
        }
        return true;
    case SPACE_STORAGE:
        return check_shareable(checker, space, id, span, is_pointer);
    case SPACE_IMMEDIATE:
        TRY(check_not_runtime(checker, space, id, span, is_pointer));
        TRY(check_shareable(checker, space, id, span, is_pointer));
        if (is_buffer || contains_array(checker, id)) {
            struct diagnostic *diagnostic = reject(
                checker, DIAGNOSTIC_STORE_TYPE, span, space, id, is_pointer);
            diagnostic_explain(checker->diagnostics, diagnostic, "immediate data holds no arrays");
            return false;
        }
        return true;
    case SPACE_HANDLE:
    case SPACE_COUNT: {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_ADDRESS_SPACE, span,
            "a module-scope variable of type '%s' needs an address space",
            check_type_text(checker, id));
        diagnostic_explain(checker->diagnostics, diagnostic,
            "for example var<private>, var<workgroup>, var<storage> or var<uniform>");
        return false;
    }
    }
    return false;
}

// ---- Address space and access mode -------------------------------------------------------------

static const struct predeclared *get_enumerant(
    const struct ast_expression *expression, enum predeclared_kind kind) {
    if (expression->kind != EXPRESSION_IDENTIFIER ||
        expression->resolution != RESOLUTION_ENUMERANT) {
        return NULL;
    }
    const struct predeclared *row = predeclared_get(expression->detail);
    return row->kind == kind ? row : NULL;
}

static bool is_reported(const struct ast_expression *expression) {
    return expression->kind == EXPRESSION_ERROR ||
        (expression->kind == EXPRESSION_IDENTIFIER && expression->resolution == RESOLUTION_NONE);
}

static bool check_access(struct checker *checker, struct ast_declaration *declaration,
    const struct ast_expression *argument) {
    const struct predeclared *row = get_enumerant(argument, PREDECLARED_ACCESS);
    if (row == NULL) {
        if (!is_reported(argument)) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ACCESS_MODE, argument->span,
                "an access mode is expected here: read or read_write");
        }
        return false;
    }
    if (declaration->space != SPACE_STORAGE) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ACCESS_MODE, argument->span,
            "only a variable in 'storage' may spell an access mode; '%s' always has "
            "'%s'",
            address_space_word(declaration->space), access_mode_word(declaration->access));
        return false;
    }
    if (row->a == ACCESS_WRITE) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_ACCESS_MODE, argument->span,
            "a storage variable is 'read' or 'read_write', never 'write'");
        diagnostic_fix(checker->diagnostics, diagnostic, argument->span, "read_write");
        return false;
    }
    declaration->access = (enum access_mode)row->a;
    return true;
}

static bool check_space(struct checker *checker, struct ast_declaration *declaration) {
    static const enum access_mode defaults[] = {
#define SPACE(name, word, access) ACCESS_##access,
#include "facts/address_space.def"
    };
    static const char spaces[] =
        "address spaces are function, private, workgroup, uniform, storage and immediate";
    const struct ast_expression_list *list = declaration->template_arguments;
    declaration->space = declaration->is_module_scope ? SPACE_HANDLE : SPACE_FUNCTION;
    declaration->access = defaults[declaration->space];
    if (list == NULL) {
        return true;
    }
    if (list->count == 0 || list->count > 2) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS,
            declaration->name_span,
            "'var' takes an address space and, for storage, an access mode");
        return false;
    }
    const struct predeclared *row = get_enumerant(list->items[0], PREDECLARED_SPACE);
    if (row == NULL) {
        if (!is_reported(list->items[0])) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_ADDRESS_SPACE, list->items[0]->span,
                "an address space is expected here");
            diagnostic_explain(checker->diagnostics, diagnostic, "%s", spaces);
        }
        return false;
    }
    declaration->space = (enum address_space)row->a;
    declaration->access = defaults[declaration->space];
    if (declaration->is_module_scope == (declaration->space == SPACE_FUNCTION)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ADDRESS_SPACE, list->items[0]->span,
            declaration->is_module_scope ? "a variable in '%s' is declared only in a function"
                                         : "a variable in '%s' is declared only at module scope",
            row->word);
        return false;
    }
    return list->count == 1 || check_access(checker, declaration, list->items[1]);
}

// ---- Binding -----------------------------------------------------------------------------------

static bool check_binding_number(struct checker *checker, const struct ast_attribute *attribute,
    const char *what, uint32_t *out) {
    int64_t value = 0;
    if (attribute->arguments.count != 1 ||
        !check_const_integer(checker, attribute->arguments.items[0], what, &value)) {
        return false;
    }
    *out = (uint32_t)value; // an i32 or u32 that is not negative
    return true;
}

static void check_binding(struct checker *checker, struct ast_declaration *declaration) {
    const struct ast_attribute *group = ast_attribute_find(
        &declaration->attributes, ATTRIBUTE_GROUP);
    const struct ast_attribute *binding = ast_attribute_find(
        &declaration->attributes, ATTRIBUTE_BINDING);
    bool is_resource = declaration->space == SPACE_UNIFORM || declaration->space == SPACE_STORAGE ||
        declaration->space == SPACE_HANDLE;
    if (!is_resource) {
        const struct ast_attribute *extra = group != NULL ? group : binding;
        if (extra != NULL) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_BINDING, extra->span,
                "a variable in '%s' has no binding: only uniform and storage "
                "variables, textures and samplers do",
                address_space_word(declaration->space));
        }
        return;
    }
    if (declaration->name->text.length == 0) {
        return; // a syntax error ended the declaration early
    }
    if (group == NULL || binding == NULL) {
        const char *missing = group == NULL && binding == NULL ? "@group and @binding"
            : group == NULL                                    ? "@group"
                                                               : "@binding";
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_BINDING,
            declaration->name_span, "the resource '%.*s' needs %s",
            TEXT_ARGS(declaration->name->text), missing);
        diagnostic_explain(checker->diagnostics, diagnostic, "for example @group(0) @binding(0)");
        return;
    }
    declaration->has_binding = check_binding_number(
        checker, group, "a group number", &declaration->group);
    declaration->has_binding = check_binding_number(
                                   checker, binding, "a binding number", &declaration->binding) &&
        declaration->has_binding;
}

// ---- The declaration ---------------------------------------------------------------------------

static void check_initializer_place(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_expression *initializer = declaration->initializer;
    if (declaration->space != SPACE_FUNCTION && declaration->space != SPACE_PRIVATE) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INITIALIZER, initializer->span,
            "a variable in '%s' has no initialiser", address_space_word(declaration->space));
        return;
    }
    if (declaration->space == SPACE_PRIVATE && initializer->type.index != 0 &&
        initializer->stage == EVALUATION_RUNTIME) {
        check_report_stage(
            checker, initializer, EVALUATION_OVERRIDE, "the initial value of a private variable");
    }
}

static type_id check_variable_type(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_expression *initializer = declaration->initializer;
    type_id type = {0};
    if (declaration->type_expression != NULL) {
        type = check_type_expression(checker, declaration->type_expression);
    }
    if (initializer == NULL) {
        if (declaration->type_expression == NULL && !checker->module->has_syntax_errors) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_MISSING_TYPE, declaration->name_span,
                "the variable '%.*s' needs a type or an initialiser",
                TEXT_ARGS(declaration->name->text));
        }
        return type;
    }
    if (!check_value(checker, initializer)) {
        return type;
    }
    if (declaration->space != SPACE_FUNCTION && declaration->space != SPACE_PRIVATE) {
        return declaration->type_expression != NULL ? type : check_value_type(checker, initializer);
    }
    if (declaration->type_expression != NULL) {
        char *what = text_format(
            checker->arena, "the variable '%.*s'", TEXT_ARGS(declaration->name->text));
        check_convert_or_report(checker, initializer, type, what != NULL ? what : "the variable");
        return type;
    }
    return check_concretize(checker, initializer) ? check_value_type(checker, initializer)
                                                  : (type_id){0};
}

void check_variable(struct checker *checker, struct ast_declaration *declaration) {
    bool has_space = check_space(checker, declaration);
    type_id type = check_variable_type(checker, declaration);
    declaration->stage = EVALUATION_RUNTIME;
    if (!has_space) {
        return;
    }
    if (declaration->initializer != NULL) {
        check_initializer_place(checker, declaration);
    }
    if (type.index == 0) {
        check_binding(checker, declaration);
        return;
    }
    struct source_span span = declaration->type_expression != NULL
        ? declaration->type_expression->span
        : declaration->name_span;
    if (!check_store_type(checker, declaration->space, declaration->access, type, span, false)) {
        return;
    }
    check_binding(checker, declaration);
    if (declaration->space == SPACE_UNIFORM) {
        check_uniform_layout(checker, type, span, declaration->name->text);
    }
    declaration->type = type;
}
