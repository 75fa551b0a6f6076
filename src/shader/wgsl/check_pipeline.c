// SPDX-License-Identifier: MIT
//
// Override-expressions at pipeline creation (WGSL §override Expressions): the module is checked
// once more, with values for its overrides; what the entry point reaches is evaluated and reports
// the errors that constants report at module creation. See check_priv.h for threads.
#include <inttypes.h>
#include <stdio.h>

#include "shader/wgsl/check_priv.h"

static const struct wgsl_constant *find_constant(
    const struct checker *checker, const struct ast_declaration *declaration) {
    const struct wgsl_pipeline *pipeline = checker->pipeline;
    char id[12] = "";
    const struct ast_attribute *attribute = ast_attribute_find(
        &declaration->attributes, ATTRIBUTE_ID);
    if (attribute != NULL) {
        snprintf(id, sizeof id, "%" PRIu32, declaration->override_id);
    }
    for (uint32_t i = 0; i < pipeline->constant_count; i++) {
        struct text key = pipeline->constants[i].key;
        if (attribute != NULL ? text_equals_string(key, id)
                              : text_equals(key, declaration->name->text)) {
            return &pipeline->constants[i];
        }
    }
    return NULL;
}

const struct const_value *check_pipeline_value(
    struct checker *checker, const struct ast_declaration *declaration, type_id type) {
    const struct wgsl_constant *constant = find_constant(checker, declaration);
    if (constant == NULL) {
        return NULL;
    }
    switch (type_kind_of(checker->types, type)) {
    case TYPE_BOOL:
        return const_value_bool(checker->arena, constant->value != 0);
    case TYPE_I32:
    case TYPE_U32:
        return const_value_integer(checker->arena, type, (int64_t)constant->value);
    default: {
        // Rounded to the type as an abstract float is.
        const struct const_value *value = const_value_real(
            checker->arena, type_scalar(TYPE_ABSTRACT_FLOAT), constant->value);
        return value != NULL ? const_convert(&checker->evaluator, value, type) : NULL;
    }
    }
}

static struct ast_declaration *find_entry(const struct checker *checker) {
    const struct ast_module *module = checker->module;
    for (uint32_t i = 0; i < module->sorted_count; i++) {
        struct ast_declaration *declaration = module->sorted[i];
        if (declaration->kind == DECLARATION_FUNCTION &&
            text_equals(declaration->name->text, checker->pipeline->entry_point)) {
            return declaration;
        }
    }
    return NULL;
}

void check_pipeline_reach(struct checker *checker) {
    VECTOR(struct ast_declaration *) pending = {0};
    struct ast_declaration *entry = find_entry(checker);
    bool is_ok = entry == NULL || vector_push(&pending, MEMORY_COMPILE, entry);
    while (is_ok && pending.count > 0) {
        const struct ast_declaration *declaration = pending.items[--pending.count];
        struct check_node *node = &checker->nodes[declaration->index];
        if (node->is_specialised) {
            continue;
        }
        node->is_specialised = true;
        // A given value replaces the initialiser, which is then not evaluated. (Its @id, a
        // const-expression, has been checked when the module was made.)
        bool is_replaced = declaration->kind == DECLARATION_OVERRIDE &&
            declaration->initializer != NULL && find_constant(checker, declaration) != NULL;
        for (uint32_t i = 0; i < node->dependency_count && !is_replaced && is_ok; i++) {
            is_ok = vector_push(&pending, MEMORY_COMPILE, node->dependencies[i]);
        }
    }
    vector_finish(&pending);
    if (!is_ok) {
        check_out_of_memory(checker);
    }
}
