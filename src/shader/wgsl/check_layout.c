// SPDX-License-Identifier: MIT
//
// WGSL §Address Space Layout Constraints: what the uniform address space asks of offsets and strides
// where the module does not require uniform_buffer_standard_layout. Messages say what is there, what
// is needed, and the edit that helps. See check_priv.h for threads.
#include <inttypes.h>
#include <stdio.h>

#include "shader/wgsl/check_priv.h"

static uint32_t round_up_16(uint32_t value) {
    return (value + 15) / 16 * 16;
}

static uint32_t required_alignment(const struct checker *checker, type_id id) {
    const struct type *type = type_get(checker->types, id);
    bool is_rounded = type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT;
    return is_rounded ? round_up_16(type->align_bytes) : type->align_bytes;
}

struct layout_check {
    struct checker *checker;
    struct source_span span; // the variable's type
    struct text name;        // the variable
    bool *is_checked;        // by type index: a type is looked at once, however often it is named
};

static struct diagnostic *begin_report(struct layout_check *check, const char *what) {
    struct diagnostic *diagnostic = diagnostic_error(check->checker->diagnostics,
        DIAGNOSTIC_UNIFORM_LAYOUT, check->span,
        check->name.length == 0 ? "this view of a uniform buffer breaks a layout rule%.*s: %s"
                                : "the uniform buffer '%.*s' breaks a layout rule: %s",
        TEXT_ARGS(check->name), what);
    return diagnostic;
}

static void end_report(struct layout_check *check, struct diagnostic *diagnostic) {
    diagnostic_explain(check->checker->diagnostics, diagnostic,
        "'requires uniform_buffer_standard_layout;' lifts this rule, and so does the "
        "storage address space");
}

// The declaration of a structure type, for notes; NULL for one that has none.
static const struct ast_declaration *find_structure(const struct checker *checker, type_id id) {
    const struct type *type = type_get(checker->types, id);
    const struct ast_module *module = checker->module;
    for (uint32_t i = 0; i < module->declaration_count; i++) {
        const struct ast_declaration *declaration = module->declarations[i];
        if (declaration->kind == DECLARATION_STRUCT && declaration->type.index == id.index &&
            text_equals(declaration->name->text, type->name)) {
            return declaration;
        }
    }
    return NULL;
}

// Points at the member that is to move, and moves it.
static void note_member(
    struct layout_check *check, struct diagnostic *diagnostic, type_id id, uint32_t index) {
    struct diagnostic_list *list = check->checker->diagnostics;
    const struct ast_declaration *structure = find_structure(check->checker, id);
    if (structure == NULL || index >= structure->structure->member_count) {
        return;
    }
    const struct ast_member *member = &structure->structure->members[index];
    const struct ast_attribute *align = ast_attribute_find(&member->attributes, ATTRIBUTE_ALIGN);
    diagnostic_note(list, diagnostic, member->span, "this member; @align(16) moves it");
    if (align != NULL) {
        diagnostic_fix(list, diagnostic, align->span, "@align(16)");
    } else {
        struct source_span before = {member->span.begin, member->span.begin};
        diagnostic_fix(list, diagnostic, before, "@align(16) ");
    }
}

static bool report_offset(struct layout_check *check, type_id id, uint32_t i, uint32_t required) {
    const struct type_member *member = &type_get(check->checker->types, id)->members[i];
    char what[256];
    snprintf(what, sizeof(what), "'%.*s.%.*s' is at offset %" PRIu32 ", not a multiple of %" PRIu32,
        TEXT_ARGS(type_get(check->checker->types, id)->name), TEXT_ARGS(member->name),
        member->offset_bytes, required);
    struct diagnostic *diagnostic = begin_report(check, what);
    note_member(check, diagnostic, id, i);
    end_report(check, diagnostic);
    return false;
}

static bool report_gap(struct layout_check *check, type_id id, uint32_t i, uint32_t needed) {
    const struct type *type = type_get(check->checker->types, id);
    const struct type_member *member = &type->members[i], *next = &type->members[i + 1];
    char what[256];
    snprintf(what, sizeof(what),
        "'%.*s' begins %" PRIu32 " bytes after the structure '%.*s'; at least %" PRIu32
        " are needed",
        TEXT_ARGS(next->name), next->offset_bytes - member->offset_bytes, TEXT_ARGS(member->name),
        needed);
    struct diagnostic *diagnostic = begin_report(check, what);
    note_member(check, diagnostic, id, i + 1);
    end_report(check, diagnostic);
    return false;
}

static bool report_stride(struct layout_check *check, type_id id) {
    const struct type *type = type_get(check->checker->types, id);
    char what[256];
    snprintf(what, sizeof(what),
        "the elements of '%s' are %" PRIu32 " bytes apart, not a multiple of 16",
        check_type_text(check->checker, id), type->stride_bytes);
    struct diagnostic *diagnostic = begin_report(check, what);
    bool is_scalar = type_is_scalar(check->checker->types, type->element);
    if (is_scalar && type->array_size == ARRAY_RUNTIME) {
        diagnostic_explain(check->checker->diagnostics, diagnostic,
            "array<vec4<%s>> holds the same numbers and is legal",
            check_type_text(check->checker, type->element));
    } else if (is_scalar && type->count % 4 == 0) {
        diagnostic_explain(check->checker->diagnostics, diagnostic,
            "array<vec4<%s>, %" PRIu32 "> holds the same numbers and is legal",
            check_type_text(check->checker, type->element), type->count / 4);
    } else {
        diagnostic_explain(check->checker->diagnostics, diagnostic,
            "wrap the element in a structure whose member has @size(%" PRIu32 ")",
            round_up_16(type->stride_bytes));
    }
    end_report(check, diagnostic);
    // The type's other forms change its uses too; this is one edit.
    diagnostic_fix(check->checker->diagnostics, diagnostic, (struct source_span){0, 0},
        "requires uniform_buffer_standard_layout;\n");
    return false;
}

// Recursion follows the nesting of types, at most 15. Stops at the first problem.
static bool check_type(struct layout_check *check, type_id id) {
    const struct checker *checker = check->checker;
    const struct type *type = type_get(checker->types, id);
    if (type->kind == TYPE_ARRAY) {
        type_id element = type->element;
        if (type->stride_bytes % 16 != 0) {
            return report_stride(check, id);
        }
        return check_type(check, element);
    }
    if (type->kind != TYPE_STRUCT || check->is_checked[id.index]) {
        return true;
    }
    check->is_checked[id.index] = true;
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        const struct type *inner = type_get(checker->types, member->type);
        uint32_t required = required_alignment(checker, member->type);
        if (required != 0 && member->offset_bytes % required != 0) {
            return report_offset(check, id, i, required);
        }
        uint32_t needed = round_up_16((uint32_t)inner->size_bytes);
        if (inner->kind == TYPE_STRUCT && i + 1 < type->member_count &&
            type->members[i + 1].offset_bytes - member->offset_bytes < needed) {
            return report_gap(check, id, i, needed);
        }
        TRY(check_type(check, member->type));
    }
    return true;
}

bool check_uniform_layout(
    struct checker *checker, type_id type, struct source_span span, struct text name) {
    if (checker->required & WGSL_LANGUAGE_EXTENSION_UNIFORM_BUFFER_STANDARD_LAYOUT) {
        return true;
    }
    bool *is_checked = memory_allocate_zeroed(
        MEMORY_COMPILE, checker->types->types.count, sizeof(bool));
    if (is_checked == NULL) {
        check_out_of_memory(checker);
        return false;
    }
    struct layout_check check = {checker, span, name, is_checked};
    bool ok = check_type(&check, type);
    memory_free(is_checked);
    return ok;
}
