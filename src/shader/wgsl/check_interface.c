// SPDX-License-Identifier: MIT
//
// Stage inputs and outputs: builtin, location, blend_src, interpolate and invariant on parameters,
// results and members, and what an entry point's interface must look like (WGSL §Inter-stage Input
// and Output Interface). See check_priv.h for threads.
#include <inttypes.h>

#include "base/suggest.h"
#include "shader/wgsl/check_priv.h"

// ---- Built-in values ---------------------------------------------------------------------------

enum direction { DIRECTION_IN, DIRECTION_OUT };

static const struct builtin_row {
    const char *word;
    enum shader_stage stage;
    enum direction direction;
    const char *type;
    const char *enable; // "NONE" or the extension's word
} builtin_rows[] = {
#define BUILTIN_VALUE(name, word, stage, direction, type, enable) \
    {word, STAGE_##stage, DIRECTION_##direction, type, #enable},
#include "facts/builtin_value.def"
};

static const char *stage_word(enum shader_stage stage) {
    return stage == STAGE_VERTEX ? "vertex" : stage == STAGE_FRAGMENT ? "fragment" : "compute";
}

// The first row of that word, BUILTIN_VALUE_COUNT if there is none. Words of several rows are told
// apart by stage and direction where an entry point uses them.
static uint32_t find_row(struct text word) {
    uint32_t i = 0;
    while (i < BUILTIN_VALUE_COUNT && !text_equals_string(word, builtin_rows[i].word)) {
        i++;
    }
    return i;
}

static struct text get_name(const struct ast_attribute *attribute, uint32_t index) {
    if (index >= attribute->arguments.count ||
        attribute->arguments.items[index]->kind != EXPRESSION_IDENTIFIER) {
        return (struct text){"", 0};
    }
    return attribute->arguments.items[index]->identifier.name->text;
}

static void report_unknown_builtin(
    struct checker *checker, const struct ast_attribute *attribute, struct text name) {
    const char *words[BUILTIN_VALUE_COUNT];
    for (uint32_t i = 0; i < BUILTIN_VALUE_COUNT; i++) {
        words[i] = builtin_rows[i].word;
    }
    struct source_span span = attribute->arguments.items[0]->span;
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_BUILTIN_VALUE,
        span, "there is no built-in value '%.*s'", TEXT_ARGS(name));
    const char *nearest = suggest_nearest(name, words, BUILTIN_VALUE_COUNT);
    if (nearest != NULL) {
        diagnostic_explain(checker->diagnostics, diagnostic, "did you mean '%s'?", nearest);
        diagnostic_fix(checker->diagnostics, diagnostic, span, "%s", nearest);
    }
}

static bool has_row_type(struct checker *checker, const struct builtin_row *row, type_id id) {
    const struct type *type = type_get(checker->types, id);
    if (text_equals_string(text_from_string(row->word), "clip_distances")) {
        return type->kind == TYPE_ARRAY && type->array_size == ARRAY_FIXED && type->count <= 8 &&
            type_kind_of(checker->types, type->element) == TYPE_F32;
    }
    return text_equals_string(text_from_string(check_type_text(checker, id)), row->type);
}

static void check_depth_mode(struct checker *checker, const struct ast_attribute *attribute,
    struct ast_interface *interface) {
    if (attribute->arguments.count < 2) {
        return;
    }
    struct text mode = get_name(attribute, 1);
    if (!text_equals_string(get_name(attribute, 0), "frag_depth") ||
        (!text_equals_string(mode, "less") && !text_equals_string(mode, "greater"))) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_BUILTIN_VALUE,
            attribute->arguments.items[1]->span,
            "only frag_depth takes a second name: less or greater");
        return;
    }
    interface->depth_mode = text_equals_string(mode, "less") ? 1 : 2;
}

static void check_builtin_attribute(struct checker *checker, const struct ast_attribute *attribute,
    type_id type, struct ast_interface *interface) {
    struct text name = get_name(attribute, 0);
    if (name.length == 0) {
        return;
    }
    uint32_t row = find_row(name);
    if (row == BUILTIN_VALUE_COUNT) {
        report_unknown_builtin(checker, attribute, name);
        return;
    }
    check_depth_mode(checker, attribute, interface);
    if (!has_row_type(checker, &builtin_rows[row], type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_BUILTIN_VALUE, attribute->span,
            "the built-in value '%s' has the type '%s', not '%s'", builtin_rows[row].word,
            builtin_rows[row].type, check_type_text(checker, type));
        return;
    }
    interface->has_builtin = true;
    interface->builtin = (enum builtin_value)row;
}

// ---- User-defined data -------------------------------------------------------------------------

static bool check_number(struct checker *checker, const struct ast_attribute *attribute,
    const char *what, int64_t maximum, uint32_t *out) {
    int64_t value = 0;
    if (attribute->arguments.count != 1 ||
        !check_const_integer(checker, attribute->arguments.items[0], what, &value)) {
        return false;
    }
    if (value > maximum) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ATTRIBUTE_VALUE,
            attribute->arguments.items[0]->span, "%s is at most %" PRId64 ", but this is %" PRId64,
            what, maximum, value);
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool is_user_type(const struct checker *checker, type_id type) {
    const struct type *info = type_get(checker->types, type);
    return info->kind != TYPE_MATRIX &&
        type_is_numeric_scalar(checker->types, type_element_of(checker->types, type));
}

static void check_location_attribute(struct checker *checker, const struct ast_attribute *attribute,
    type_id type, struct ast_interface *interface) {
    if (!is_user_type(checker, type)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LOCATION, attribute->span,
            "a location holds a numeric scalar or vector, not '%s'",
            check_type_text(checker, type));
        return;
    }
    interface->has_location = check_number(
        checker, attribute, "a location", UINT32_MAX, &interface->location);
}

static void check_interpolate_attribute(struct checker *checker,
    const struct ast_attribute *attribute, struct ast_interface *interface) {
    static const char *const types[] = {"perspective", "linear", "flat"};
    static const char *const samplings[] = {"center", "centroid", "sample", "first", "either"};
    struct text type = get_name(attribute, 0), sampling = get_name(attribute, 1);
    uint32_t i = 0, j = 0;
    while (i < 3 && !text_equals_string(type, types[i])) {
        i++;
    }
    while (j < 5 && !text_equals_string(sampling, samplings[j])) {
        j++;
    }
    interface->interpolation = INTERPOLATION_FLAT; // after an error nothing more is said of it
    if (i == 3) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INTERPOLATION, attribute->span,
            "an interpolation type is perspective, linear or flat");
        return;
    }
    bool is_flat = i == INTERPOLATION_FLAT;
    if (attribute->arguments.count < 2) {
        j = is_flat ? SAMPLING_FIRST : SAMPLING_CENTER;
    } else if (j == 5 || is_flat != (j >= SAMPLING_FIRST)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INTERPOLATION, attribute->span,
            is_flat ? "flat interpolation samples first or either"
                    : "%s interpolation samples center, centroid or sample",
            types[i]);
        return;
    }
    interface->interpolation = (enum interpolation_type)i;
    interface->sampling = (enum interpolation_sampling)j;
}

void check_interface_attributes(struct checker *checker, const struct ast_attribute_list *list,
    type_id type, struct ast_interface *interface) {
    const struct ast_attribute *builtin = ast_attribute_find(list, ATTRIBUTE_BUILTIN);
    const struct ast_attribute *location = ast_attribute_find(list, ATTRIBUTE_LOCATION);
    const struct ast_attribute *blend_src = ast_attribute_find(list, ATTRIBUTE_BLEND_SRC);
    const struct ast_attribute *interpolate = ast_attribute_find(list, ATTRIBUTE_INTERPOLATE);
    const struct ast_attribute *invariant = ast_attribute_find(list, ATTRIBUTE_INVARIANT);
    *interface = (struct ast_interface){.has_builtin = false};
    if (builtin != NULL && location != NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_STAGE_INTERFACE, location->span,
            "a built-in value has no location");
        return;
    }
    if (builtin != NULL) {
        check_builtin_attribute(checker, builtin, type, interface);
    }
    if (location != NULL) {
        check_location_attribute(checker, location, type, interface);
    }
    if (blend_src != NULL) {
        if (location == NULL) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_LOCATION, blend_src->span,
                "@blend_src needs @location");
        } else {
            check_need_extension(checker, WGSL_EXTENSION_DUAL_SOURCE_BLENDING,
                "dual_source_blending", blend_src->span, "@blend_src");
            interface->has_blend_src = check_number(
                checker, blend_src, "a blend source", 1, &interface->blend_src);
        }
    }
    if (interpolate != NULL && location == NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_INTERPOLATION, interpolate->span,
            "@interpolate needs @location");
    } else if (interpolate != NULL) {
        check_interpolate_attribute(checker, interpolate, interface);
    }
    if (invariant != NULL) {
        interface->is_invariant = true;
        if (!interface->has_builtin ||
            !text_equals_string(
                text_from_string(builtin_rows[interface->builtin].word), "position")) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_STAGE_INTERFACE, invariant->span,
                "@invariant is only for the built-in value 'position'");
        }
    }
}

// ---- Entry points ------------------------------------------------------------------------------

// What one entry point has in one direction, for repeated names and locations.
struct interface_set {
    struct checker *checker;
    enum shader_stage stage;
    enum direction direction;
    struct source_span builtins[BUILTIN_VALUE_COUNT]; // end 0: not seen
    VECTOR(struct source_span) location_spans;
    VECTOR(uint32_t) locations;
    bool has_position;
};

// The row that fits stage and direction, for words that have several.
static uint32_t find_stage_row(const struct interface_set *set, uint32_t first) {
    for (uint32_t i = 0; i < BUILTIN_VALUE_COUNT; i++) {
        if (builtin_rows[i].stage == set->stage && builtin_rows[i].direction == set->direction &&
            text_equals_string(text_from_string(builtin_rows[i].word), builtin_rows[first].word)) {
            return i;
        }
    }
    return BUILTIN_VALUE_COUNT;
}

static const char *direction_word(enum direction direction) {
    return direction == DIRECTION_IN ? "input" : "output";
}

static void check_builtin_use(
    struct interface_set *set, struct ast_interface *interface, struct source_span span) {
    struct checker *checker = set->checker;
    const char *word = builtin_rows[interface->builtin].word;
    uint32_t row = find_stage_row(set, interface->builtin);
    if (row == BUILTIN_VALUE_COUNT) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_BUILTIN_VALUE, span, "'%s' is no %s of a %s shader", word,
            direction_word(set->direction), stage_word(set->stage));
        for (uint32_t i = 0; i < BUILTIN_VALUE_COUNT; i++) {
            if (text_equals_string(text_from_string(builtin_rows[i].word), word)) {
                diagnostic_explain(checker->diagnostics, diagnostic, "it is an %s of %s shaders",
                    direction_word(builtin_rows[i].direction), stage_word(builtin_rows[i].stage));
            }
        }
        return;
    }
    const struct builtin_row *info = &builtin_rows[row];
    static const struct {
        const char *word;
        enum wgsl_extension extension;
    } extensions[] = {{"clip_distances", WGSL_EXTENSION_CLIP_DISTANCES},
        {"primitive_index", WGSL_EXTENSION_PRIMITIVE_INDEX},
        {"subgroups", WGSL_EXTENSION_SUBGROUPS}};
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        if (text_equals_string(text_from_string(info->enable), extensions[i].word)) {
            char *what = text_format(checker->arena, "the built-in value '%s'", word);
            check_need_extension(checker, extensions[i].extension, extensions[i].word, span,
                what != NULL ? what : word);
        }
    }
    if (set->builtins[row].end != 0) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_BUILTIN_VALUE, span, "the built-in value '%s' is given twice", word);
        diagnostic_note(checker->diagnostics, diagnostic, set->builtins[row], "first given here");
    }
    set->builtins[row] = span;
    // A member's structure may serve several stages; only what is not shared keeps the row.
    interface->builtin = (enum builtin_value)row;
}

static void check_location_use(struct interface_set *set, const struct ast_interface *interface,
    type_id type, struct source_span span, const struct ast_attribute *interpolate) {
    struct checker *checker = set->checker;
    if (set->stage == STAGE_COMPUTE) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_STAGE_INTERFACE, span,
            "a compute shader has no user-defined inputs and outputs");
        return;
    }
    bool is_integer = type_is_integer_scalar(checker->types, type_element_of(checker->types, type));
    bool is_interpolated = (set->stage == STAGE_VERTEX) == (set->direction == DIRECTION_OUT);
    if (is_integer && is_interpolated && interface->interpolation != INTERPOLATION_FLAT) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_INTERPOLATION, interpolate != NULL ? interpolate->span : span,
            "integers are not interpolated: '%s' needs @interpolate(flat)",
            check_type_text(checker, type));
        if (interpolate != NULL) {
            diagnostic_fix(
                checker->diagnostics, diagnostic, interpolate->span, "@interpolate(flat)");
        } else {
            diagnostic_fix(checker->diagnostics, diagnostic,
                (struct source_span){span.end, span.end}, " @interpolate(flat)");
        }
    }
    if (interface->has_blend_src &&
        (set->stage != STAGE_FRAGMENT || set->direction != DIRECTION_OUT)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_LOCATION, span,
            "@blend_src is only for outputs of a fragment shader");
    }
    for (size_t i = 0; i < set->locations.count && !interface->has_blend_src; i++) {
        if (set->locations.items[i] == interface->location) {
            struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
                DIAGNOSTIC_LOCATION, span, "location %" PRIu32 " is given twice",
                interface->location);
            diagnostic_note(
                checker->diagnostics, diagnostic, set->location_spans.items[i], "first given here");
            break;
        }
    }
    if (!vector_push(&set->locations, MEMORY_COMPILE, interface->location) ||
        !vector_push(&set->location_spans, MEMORY_COMPILE, span)) {
        check_out_of_memory(checker);
    }
}

static void check_one(struct interface_set *set, const struct ast_attribute_list *attributes,
    struct ast_interface *interface, type_id type, struct source_span span, const char *what) {
    const struct ast_attribute *builtin = ast_attribute_find(attributes, ATTRIBUTE_BUILTIN);
    const struct ast_attribute *location = ast_attribute_find(attributes, ATTRIBUTE_LOCATION);
    if (builtin != NULL && text_equals_string(get_name(builtin, 0), "position")) {
        set->has_position = true; // were it wrong, that has been reported
    }
    if (interface->has_builtin) {
        check_builtin_use(set, interface, builtin->span);
    } else if (interface->has_location) {
        check_location_use(set, interface, type, location->span,
            ast_attribute_find(attributes, ATTRIBUTE_INTERPOLATE));
    } else if (builtin == NULL && location == NULL) {
        // An attribute that is there but wrong has been reported.
        diagnostic_error(set->checker->diagnostics, DIAGNOSTIC_STAGE_INTERFACE, span,
            "%s of an entry point needs @builtin or @location", what);
    }
}

static const struct ast_declaration *find_structure(const struct ast_expression *expression) {
    const struct ast_declaration *declaration = NULL;
    // An alias names another type expression; chains of aliases are as long as the module.
    while (expression != NULL && expression->kind == EXPRESSION_IDENTIFIER) {
        declaration = expression->identifier.declaration;
        if (declaration == NULL || declaration->kind != DECLARATION_ALIAS) {
            break;
        }
        expression = declaration->type_expression;
    }
    return declaration != NULL && declaration->kind == DECLARATION_STRUCT ? declaration : NULL;
}

static void check_datum(struct interface_set *set, const struct ast_attribute_list *attributes,
    struct ast_interface *interface, type_id type, const struct ast_expression *type_expression,
    struct source_span span, const char *what) {
    if (type.index == 0) {
        return;
    }
    if (type_kind_of(set->checker->types, type) != TYPE_STRUCT) {
        check_one(set, attributes, interface, type, span, what);
        return;
    }
    const struct ast_declaration *structure = find_structure(type_expression);
    if (structure == NULL) {
        return;
    }
    for (uint32_t i = 0; i < structure->structure->member_count; i++) {
        struct ast_member *member = &structure->structure->members[i];
        // The members' own annotation stays as declared: another stage may use the structure too.
        struct ast_interface copy = member->interface;
        if (type_kind_of(set->checker->types, member->type) == TYPE_STRUCT) {
            diagnostic_error(set->checker->diagnostics, DIAGNOSTIC_STAGE_INTERFACE, member->span,
                "structures of stage inputs and outputs do not nest");
            continue;
        }
        check_one(set, &member->attributes, &copy, member->type, member->span,
            "each member of an interface");
    }
}

static void finish(struct interface_set *set) {
    vector_finish(&set->locations);
    vector_finish(&set->location_spans);
}

static void report_stray_attributes(struct checker *checker, struct ast_declaration *declaration) {
    static const enum attribute_kind kinds[] = {
        ATTRIBUTE_BUILTIN, ATTRIBUTE_LOCATION, ATTRIBUTE_INTERPOLATE, ATTRIBUTE_INVARIANT};
    struct ast_function *function = declaration->function;
    if (declaration->attributes.has_unknown) {
        return; // it may have been meant as the stage
    }
    for (uint32_t i = 0; i <= function->parameter_count; i++) {
        const struct ast_attribute_list *list = i < function->parameter_count
            ? &function->parameters[i]->attributes
            : &function->result_attributes;
        for (size_t j = 0; j < sizeof(kinds) / sizeof(kinds[0]); j++) {
            const struct ast_attribute *attribute = ast_attribute_find(list, kinds[j]);
            if (attribute != NULL) {
                diagnostic_error(checker->diagnostics, DIAGNOSTIC_STAGE_INTERFACE, attribute->span,
                    "only entry points have stage inputs and outputs");
                break;
            }
        }
    }
}

void check_entry_interface(struct checker *checker, struct ast_declaration *declaration) {
    struct ast_function *function = declaration->function;
    if (!function->is_entry_point) {
        report_stray_attributes(checker, declaration);
        return;
    }
    struct interface_set set = {
        .checker = checker, .stage = function->stage, .direction = DIRECTION_IN};
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        struct ast_declaration *parameter = function->parameters[i];
        check_datum(&set, &parameter->attributes, &parameter->interface, parameter->type,
            parameter->type_expression, parameter->name_span, "each parameter");
    }
    finish(&set);
    set = (struct interface_set){
        .checker = checker, .stage = function->stage, .direction = DIRECTION_OUT};
    if (function->result_type_expression != NULL) {
        if (function->result_type_expression->kind == EXPRESSION_ERROR) {
            return; // a syntax error took it
        }
        if (function->stage == STAGE_COMPUTE) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_ENTRY_POINT,
                function->result_type_expression->span, "a compute entry point returns nothing");
            return;
        }
        check_datum(&set, &function->result_attributes, &function->result_interface,
            function->result_type, function->result_type_expression,
            function->result_type_expression->span, "the result");
    }
    if (function->stage == STAGE_VERTEX && !set.has_position &&
        (function->result_type.index != 0 || function->result_type_expression == NULL)) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_ENTRY_POINT, declaration->name_span,
            "the vertex entry point '%.*s' must return @builtin(position)",
            TEXT_ARGS(declaration->name->text));
    }
    finish(&set);
}
