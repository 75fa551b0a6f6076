// SPDX-License-Identifier: MIT
//
// Structure declarations: members, layout attributes, locations (WGSL §Structure Types, §align,
// §size). See check_priv.h for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

static bool check_member_type(
    struct checker *checker, const struct ast_struct *structure, uint32_t index) {
    const struct ast_member *member = &structure->members[index];
    const struct type *type = type_get(checker->types, member->type);
    if (type->traits & TYPE_TRAIT_OVERRIDE_ARRAY) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_OVERRIDE_ARRAY,
            member->type_expression->span,
            "a structure cannot hold an array that is sized by an override");
        return false;
    }
    if (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        bool is_last = index + 1 == structure->member_count;
        if (type->kind == TYPE_ARRAY && is_last) {
            return true;
        }
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_RUNTIME_ARRAY,
            member->type_expression->span,
            type->kind == TYPE_ARRAY
                ? "a runtime-sized array may only be the last member"
                : "a structure that ends in a runtime-sized array cannot be a member");
        return false;
    }
    if (!(type->traits & TYPE_TRAIT_STORABLE) || !(type->traits & TYPE_TRAIT_CREATION_FIXED) ||
        type->kind == TYPE_BUFFER) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INVALID_ELEMENT_TYPE,
            member->type_expression->span, "a structure cannot hold '%s'",
            check_type_text(checker, member->type));
        return false;
    }
    return true;
}

static bool check_positive(struct checker *checker, const struct ast_attribute *attribute,
    const char *what, int64_t *out) {
    if (attribute->arguments.count != 1 ||
        !check_const_integer(checker, attribute->arguments.items[0], what, out)) {
        return false;
    }
    if (*out == 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE,
            attribute->arguments.items[0]->span, "%s must be positive", what);
        return false;
    }
    return true;
}

static void check_align(
    struct checker *checker, const struct ast_member *member, struct type_member *out) {
    const struct ast_attribute *attribute = ast_attribute_find(
        &member->attributes, ATTRIBUTE_ALIGN);
    int64_t value = 0;
    if (attribute == NULL || !check_positive(checker, attribute, "an alignment", &value)) {
        return;
    }
    uint32_t natural = type_get(checker->types, member->type)->align_bytes;
    if ((value & (value - 1)) != 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE,
            attribute->arguments.items[0]->span,
            "an alignment is a power of two, but this is %" PRId64, value);
    } else if (value % natural != 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE,
            attribute->arguments.items[0]->span,
            "an alignment of %" PRId64 " is below that of '%s', which is %" PRIu32, value,
            check_type_text(checker, member->type), natural);
    } else {
        out->align_bytes = (uint32_t)value;
    }
}

static void check_size(
    struct checker *checker, const struct ast_member *member, struct type_member *out) {
    const struct ast_attribute *attribute = ast_attribute_find(&member->attributes, ATTRIBUTE_SIZE);
    int64_t value = 0;
    if (attribute == NULL || !check_positive(checker, attribute, "a size", &value)) {
        return;
    }
    const struct type *type = type_get(checker->types, member->type);
    if (!(type->traits & TYPE_TRAIT_CREATION_FIXED)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE, attribute->span,
            "a member of type '%s' has no fixed size", check_type_text(checker, member->type));
    } else if ((uint64_t)value < type->size_bytes) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE,
            attribute->arguments.items[0]->span,
            "a size of %" PRId64 " is below that of '%s', which is %" PRIu64, value,
            check_type_text(checker, member->type), type->size_bytes);
    } else {
        out->size_bytes = (uint32_t)value;
    }
}

// Repeated names, in linear time: ast_name.local is free at module scope and serves as the mark.
static void check_member_names(struct checker *checker, const struct ast_declaration *declaration) {
    struct ast_struct *structure = declaration->structure;
    struct ast_declaration mark = *declaration;
    for (uint32_t i = 0; i < structure->member_count; i++) {
        struct ast_name *name = structure->members[i].name;
        if (name->local == &mark && name != checker->module->error_name) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_REDECLARATION,
                structure->members[i].name_span, "the structure '%.*s' already has a member '%.*s'",
                TEXT_ARGS(declaration->name->text), TEXT_ARGS(name->text));
        }
        name->local = &mark;
    }
    for (uint32_t i = 0; i < structure->member_count; i++) {
        structure->members[i].name->local = NULL;
    }
}

static void check_blend_sources(struct checker *checker, const struct ast_struct *structure) {
    const struct ast_member *blended = NULL;
    uint32_t located_count = 0, seen = 0;
    bool is_valid = true;
    type_id type = {0};
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const struct ast_member *member = &structure->members[i];
        if (!member->interface.has_location) {
            continue;
        }
        located_count++;
        is_valid = is_valid && member->interface.location == 0 && member->interface.has_blend_src &&
            (type.index == 0 || type_equals(type, member->type));
        type = member->type;
        if (member->interface.has_blend_src) {
            blended = blended == NULL ? member : blended;
            seen |= 1u << member->interface.blend_src;
        }
    }
    if (blended != NULL && (!is_valid || located_count != 2 || seen != 3)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LOCATION, blended->span,
            "with @blend_src a structure has exactly two locations: @location(0) "
            "@blend_src(0) and @location(0) @blend_src(1), of one type");
    }
}

// An extension that is missing leaves the attribute without a value; it is there all the same.
static bool has_blend_attribute(const struct ast_member *member) {
    return ast_attribute_find(&member->attributes, ATTRIBUTE_BLEND_SRC) != NULL;
}

static struct source_span location_span(const struct ast_member *member) {
    return ast_attribute_find(&member->attributes, ATTRIBUTE_LOCATION)->span;
}

static void check_locations(struct checker *checker, const struct ast_struct *structure) {
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const struct ast_interface *interface = &structure->members[i].interface;
        if (!interface->has_location || has_blend_attribute(&structure->members[i])) {
            continue;
        }
        // Quadratic, but over the few members that have locations in a structure of at most 1023.
        for (uint32_t j = 0; j < i; j++) {
            const struct ast_interface *earlier = &structure->members[j].interface;
            if (earlier->has_location && !has_blend_attribute(&structure->members[j]) &&
                earlier->location == interface->location) {
                struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                    DIAGNOSTIC_LOCATION, location_span(&structure->members[i]),
                    "location %" PRIu32 " is given twice", interface->location);
                diagnostic_note(checker->diagnostics, diagnostic,
                    location_span(&structure->members[j]), "first given here");
                break;
            }
        }
    }
    check_blend_sources(checker, structure);
}

static bool check_members(
    struct checker *checker, struct ast_declaration *declaration, struct type_member *out) {
    struct ast_struct *structure = declaration->structure;
    bool is_ok = true;
    for (uint32_t i = 0; i < structure->member_count; i++) {
        struct ast_member *member = &structure->members[i];
        member->type = check_type_expression(checker, member->type_expression);
        if (member->type.index == 0 || !check_member_type(checker, structure, i)) {
            is_ok = false;
            continue;
        }
        out[i] = (struct type_member){.name = member->name->text, .type = member->type};
        check_align(checker, member, &out[i]);
        check_size(checker, member, &out[i]);
        check_interface_attributes(checker, &member->attributes, member->type, &member->interface);
    }
    return is_ok;
}

void check_struct(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_struct *structure = declaration->structure;
    if (structure->member_count > LIMIT_STRUCT_MEMBERS) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, declaration->name_span,
            "a structure of %" PRIu32 " members; the limit is %d", structure->member_count,
            LIMIT_STRUCT_MEMBERS);
        return;
    }
    if (structure->member_count == 0) {
        return; // a syntax error
    }
    check_member_names(checker, declaration);
    struct type_member *members = ARENA_ARRAY(
        checker->arena, struct type_member, structure->member_count);
    if (members == NULL) {
        check_out_of_memory(checker);
        return;
    }
    if (!check_members(checker, declaration, members)) {
        return;
    }
    check_locations(checker, structure);
    type_id type = type_struct(
        checker->types, declaration->name->text, members, structure->member_count);
    if (type.index == 0 && checker->arena->has_failed) {
        check_out_of_memory(checker);
        return;
    }
    if (type.index == 0) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TYPE_TOO_LARGE, declaration->name_span,
            "this type is larger than 4294967295 bytes");
        return;
    }
    if (type_nesting_depth(checker->types, type) > LIMIT_TYPE_NESTING) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LIMIT, declaration->name_span,
            "this type nests %" PRIu32 " deep; the limit is %d",
            type_nesting_depth(checker->types, type), LIMIT_TYPE_NESTING);
        return;
    }
    declaration->type = type;
}
