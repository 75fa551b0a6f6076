// SPDX-License-Identifier: MIT
//
// Assignments, compound assignments, increment and decrement (WGSL §Assignment Statement, §Increment
// and Decrement Statements). See check_priv.h for threads.
#include "shader/wgsl/check_priv.h"

static bool is_swizzle(const struct ast_expression *expression) {
    return expression->kind == EXPRESSION_MEMBER && expression->member.kind == MEMBER_SWIZZLE &&
        expression->member.swizzle_count > 1;
}

// The declaration that gave a name to a value, through member and index expressions.
static const struct ast_declaration *find_root(const struct ast_expression *expression) {
    while (expression != NULL) {
        switch ((enum expression_kind)expression->kind) {
        case EXPRESSION_IDENTIFIER:
            return expression->identifier.declaration;
        case EXPRESSION_INDEX:
            expression = expression->index.base;
            break;
        case EXPRESSION_MEMBER:
            expression = expression->member.base;
            break;
        case EXPRESSION_PAREN:
        case EXPRESSION_INDIRECTION:
        case EXPRESSION_ADDRESS_OF:
            expression = expression->unary.operand;
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

static void report_not_a_reference(struct checker *checker, const struct ast_expression *target) {
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_NOT_ASSIGNABLE, target->span, "this is a value, and only memory is assigned to");
    const struct ast_declaration *root = find_root(target);
    if (is_swizzle(target)) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "a swizzle of several components is not assigned to; assign each "
            "component, or the whole vector");
    } else if (type_kind_of(checker->types, target->type) == TYPE_POINTER) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "'*pointer = ...' assigns to what a pointer points to");
    } else if (root != NULL && root->kind != DECLARATION_VARIABLE) {
        diagnostic_note(checker->diagnostics, diagnostic, root->name_span,
            root->kind == DECLARATION_LET ? "declared here by 'let'; 'var' makes memory"
                : root->kind == DECLARATION_PARAMETER
                ? "declared here; a parameter cannot be changed"
                : "declared here");
        bool is_local = !root->is_module_scope &&
            (root->kind == DECLARATION_LET || root->kind == DECLARATION_CONST);
        if (is_local && target->kind == EXPRESSION_IDENTIFIER) {
            uint32_t begin = root->span.begin;
            uint32_t length = root->kind == DECLARATION_LET ? 3 : 5; // of the keyword
            diagnostic_fix(checker->diagnostics, diagnostic,
                (struct source_span){begin, begin + length}, "var");
        }
    }
}

// Spells read_write where the access mode of a storage variable or pointer stands.
static void fix_storage_access(
    struct checker *checker, struct diagnostic *diagnostic, const struct ast_declaration *root) {
    const struct ast_expression_list *list = NULL;
    uint32_t before = 1; // template arguments in front of the access mode
    if (root != NULL && root->kind == DECLARATION_VARIABLE) {
        list = root->template_arguments;
        diagnostic_explain(checker->diagnostics, diagnostic, "declare it var<storage, read_write>");
    } else if (root != NULL && root->kind == DECLARATION_PARAMETER) {
        const struct ast_expression *type = root->type_expression;
        list = type->kind == EXPRESSION_IDENTIFIER ? type->identifier.template_arguments : NULL;
        before = 2;
        diagnostic_explain(checker->diagnostics, diagnostic,
            "a pointer that is written through is declared ptr<storage, T, read_write>");
    }
    if (list != NULL && list->count == before) {
        uint32_t end = list->items[before - 1]->span.end;
        diagnostic_fix(
            checker->diagnostics, diagnostic, (struct source_span){end, end}, ", read_write");
    } else if (list != NULL && list->count == before + 1) {
        diagnostic_fix(checker->diagnostics, diagnostic, list->items[before]->span, "read_write");
    }
}

static void report_read_only(
    struct checker *checker, const struct ast_expression *target, const struct type *reference) {
    const struct ast_declaration *root = find_root(target);
    if (reference->space == SPACE_HANDLE) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_NOT_ASSIGNABLE, target->span, "textures and samplers are never assigned");
        if (type_kind_of(checker->types, reference->element) == TYPE_TEXTURE_STORAGE) {
            diagnostic_explain(
                checker->diagnostics, diagnostic, "textureStore(...) writes the texels");
        }
        return;
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
        DIAGNOSTIC_NOT_ASSIGNABLE, target->span,
        "memory in '%s' with the access mode '%s' cannot be written",
        address_space_word(reference->space), access_mode_word(reference->access));
    if (reference->space == SPACE_UNIFORM) {
        diagnostic_explain(checker->diagnostics, diagnostic,
            "a uniform buffer is always read-only; data that a shader writes must "
            "be in 'storage, read_write'");
    } else if (reference->space == SPACE_STORAGE) {
        fix_storage_access(checker, diagnostic, root);
    }
    if (root != NULL) {
        diagnostic_note(checker->diagnostics, diagnostic, root->name_span, "declared here");
    }
}

// The store type of a checked left-hand side, index 0 (reported) if it cannot be written.
static type_id check_target(
    struct checker *checker, struct ast_expression *target, uint32_t access) {
    type_id none = {0};
    check_expression(checker, target);
    if (target->type.index == 0) {
        return none;
    }
    if (!target->is_reference) {
        report_not_a_reference(checker, target);
        return none;
    }
    const struct type *reference = type_get(checker->types, target->type);
    type_id store = reference->element;
    if (reference->access == ACCESS_READ) {
        report_read_only(checker, target, reference);
        return none;
    }
    if (!type_is_constructible(checker->types, store)) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_NOT_ASSIGNABLE, target->span, "a value of type '%s' cannot be assigned",
            check_type_text(checker, store));
        if (type_contains_atomic(checker->types, store)) {
            diagnostic_explain(
                checker->diagnostics, diagnostic, "an atomic is written by atomicStore(&...)");
        }
        return none;
    }
    check_note_access(checker, target, access);
    return store;
}

static void check_phony(struct checker *checker, struct ast_expression *value) {
    if (!check_value(checker, value)) {
        return;
    }
    type_id type = check_value_type(checker, value);
    enum type_kind kind = type_kind_of(checker->types, type);
    bool is_handle = kind >= TYPE_SAMPLER && kind <= TYPE_TEXTURE_EXTERNAL;
    if (!type_is_constructible(checker->types, type) && kind != TYPE_POINTER && !is_handle) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NOT_CONSTRUCTIBLE, value->span,
            "'_' takes a constructible value, a pointer, a texture or a sampler, not "
            "'%s'",
            check_type_text(checker, type));
        return;
    }
    check_concretize(checker, value);
}

// target op value, whose result must be of the target's type.
static void check_operation(
    struct checker *checker, struct ast_statement *statement, type_id store) {
    struct ast_expression *value = statement->assign.value;
    uint32_t id = check_binary_builtin((enum binary_operator)statement->assign.op);
    type_id types[] = {store, check_value_type(checker, value)};
    bool is_const[] = {false, value->stage == EVALUATION_CONST};
    struct builtin_match match = builtin_resolve(
        &checker->builtins, checker->types, &checker->structures, id, types, is_const, 2);
    if (match.status == BUILTIN_MATCH_ERROR) {
        check_out_of_memory(checker);
        return;
    }
    if (match.status != BUILTIN_MATCH_FOUND) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD,
            statement->assign.operator_span, "no operator '%s' takes '%s' and '%s'",
            builtin_get(id)->name, check_type_text(checker, types[0]),
            check_type_text(checker, types[1]));
        return;
    }
    if (!type_equals(match.result, store)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_MISMATCH,
            statement->assign.operator_span, "the operation gives '%s', but the target is '%s'",
            check_type_text(checker, match.result), check_type_text(checker, store));
        return;
    }
    statement->assign.operation_type = match.result;
    if (check_convert(checker, value, match.parameters[1]) && value->value != NULL) {
        check_set_span(checker, statement->span);
        const_check_operator(&checker->evaluator, id, store, value->value);
    }
}

void check_assign(struct checker *checker, struct ast_statement *statement) {
    struct ast_expression *target = statement->assign.target, *value = statement->assign.value;
    if (target == NULL) {
        check_phony(checker, value);
        return;
    }
    type_id store = check_target(checker, target,
        statement->assign.is_compound ? CHECK_ACCESS_READ | CHECK_ACCESS_WRITE
                                      : CHECK_ACCESS_WRITE);
    bool has_value = check_value(checker, value);
    if (store.index == 0 || !has_value) {
        return;
    }
    if (statement->assign.is_compound) {
        check_operation(checker, statement, store);
    } else {
        check_convert_or_report(checker, value, store, "what is assigned to");
    }
}

void check_increment(struct checker *checker, struct ast_statement *statement) {
    struct ast_expression *target = statement->increment.target;
    type_id store = check_target(checker, target, CHECK_ACCESS_READ | CHECK_ACCESS_WRITE);
    if (store.index != 0 && !type_is_integer_scalar(checker->types, store)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD, target->span,
            "'%s' takes an i32 or u32, not '%s'", statement->increment.is_decrement ? "--" : "++",
            check_type_text(checker, store));
    }
}
