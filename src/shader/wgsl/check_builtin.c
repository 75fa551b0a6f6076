// SPDX-License-Identifier: MIT
//
// Calls of built-in functions: overload resolution over builtin.def, evaluation of constants, what
// restricts the stage (WGSL §Built-in Functions). See check_priv.h for threads.
#include <inttypes.h>

#include "shader/wgsl/check_priv.h"

void check_note_use(
    struct checker *checker, enum check_use_kind kind, const char *name, struct source_span span) {
    if (checker->function == NULL) {
        return;
    }
    struct check_node *node = &checker->nodes[checker->function->index];
    if (node->uses == NULL) {
        node->uses = ARENA_ARRAY(checker->arena, struct check_use, CHECK_USE_KIND_COUNT);
        if (node->uses == NULL) {
            check_out_of_memory(checker);
            return;
        }
    }
    if (node->uses[kind].name == NULL) {
        node->uses[kind] = (struct check_use){name, span};
    }
}

static void note_stages(struct checker *checker, const struct ast_expression *expression,
    const struct builtin_info *info) {
    struct source_span span = expression->call.callee->span;
    if (info->flags & (BUILTIN_FLAG_UNIFORM_FLOW | BUILTIN_FLAG_DERIVATIVE_FLOW)) {
        checker->has_collective = true;
    }
    if (info->flags & BUILTIN_FLAG_SUBGROUP_FLOW) {
        checker->has_subgroup = true;
    }
    if (info->flags & BUILTIN_FLAG_COMPUTE_ONLY) {
        check_note_use(checker, CHECK_USE_COMPUTE_ONLY, info->name, span);
    }
    if (info->flags & BUILTIN_FLAG_FRAGMENT_ONLY) {
        check_note_use(checker, CHECK_USE_FRAGMENT_ONLY, info->name, span);
    }
    if (info->flags & (BUILTIN_FLAG_NOT_VERTEX | BUILTIN_FLAG_SUBGROUP)) {
        check_note_use(checker, CHECK_USE_NOT_VERTEX, info->name, span);
    }
}

static bool check_arguments(
    struct checker *checker, struct ast_expression *expression, bool is_const_function) {
    bool is_ok = true;
    expression->stage = is_const_function ? EVALUATION_CONST : EVALUATION_RUNTIME;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        struct ast_expression *argument = expression->call.arguments.items[i];
        is_ok = check_value(checker, argument) && is_ok;
        if (argument->stage > expression->stage) {
            expression->stage = argument->stage;
        }
    }
    return is_ok;
}

// The overloads that fit the textures and samplers given; all of them when none does.
static void explain_overloads(struct checker *checker, struct diagnostic *diagnostic,
    const struct ast_expression *expression, uint32_t id) {
    type_id types[BUILTIN_PARAMETER_LIMIT];
    uint32_t count = expression->call.arguments.count;
    count = count < BUILTIN_PARAMETER_LIMIT ? count : BUILTIN_PARAMETER_LIMIT;
    for (uint32_t i = 0; i < count; i++) {
        types[i] = check_value_type(checker, expression->call.arguments.items[i]);
    }
    bool has_fitting = false;
    for (int round = 0; round < 2 && !has_fitting; round++) {
        for (uint32_t i = 0; i < builtin_overload_count(id); i++) {
            if (round == 0 &&
                !builtin_takes_handles(&checker->builtins, checker->types, id, i, types, count)) {
                continue;
            }
            struct text_buffer text = {0};
            builtin_print_overload(&text, id, i);
            diagnostic_explain(
                checker->diagnostics, diagnostic, "%.*s", TEXT_ARGS(text_buffer_get(&text)));
            text_buffer_finish(&text);
            has_fitting = true;
        }
    }
}

static void report_overloads(
    struct checker *checker, const struct ast_expression *expression, uint32_t id) {
    struct text_buffer text = {0};
    for (uint32_t i = 0; i < expression->call.arguments.count && i < 20; i++) {
        text_buffer_append_string(&text, i == 0 ? "" : ", ");
        type_print(
            &text, checker->types, check_value_type(checker, expression->call.arguments.items[i]));
    }
    struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD,
        expression->span, "'%s' does not take (%.*s)", builtin_get(id)->name,
        TEXT_ARGS(text_buffer_get(&text)));
    text_buffer_finish(&text);
    explain_overloads(checker, diagnostic, expression, id);
}

static bool report_atomic_space(
    struct checker *checker, const struct ast_expression *expression, uint32_t id) {
    if (!(builtin_get(id)->flags & BUILTIN_FLAG_ATOMIC) || expression->call.arguments.count == 0) {
        return false;
    }
    const struct ast_expression *pointer = expression->call.arguments.items[0];
    const struct type *type = type_get(checker->types, check_value_type(checker, pointer));
    if (type->kind == TYPE_ATOMIC || (type->kind != TYPE_POINTER && pointer->is_reference)) {
        return false;
    }
    if (type->kind == TYPE_POINTER && type_kind_of(checker->types, type->element) != TYPE_ATOMIC) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_NO_OVERLOAD, pointer->span,
            "'%s' needs a pointer to an atomic, not to '%s'", builtin_get(id)->name,
            check_type_text(checker, type->element));
        return true;
    }
    return false;
}

static void evaluate(struct checker *checker, struct ast_expression *expression, uint32_t id) {
    const struct const_value *values[BUILTIN_PARAMETER_LIMIT] = {NULL};
    uint32_t count = expression->call.arguments.count;
    bool has_all = true;
    if (checker->skip_evaluation != 0 || !(builtin_get(id)->flags & BUILTIN_FLAG_CONST)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        values[i] = expression->call.arguments.items[i]->value;
        has_all = has_all && values[i] != NULL;
    }
    check_set_span(checker, expression->span);
    if (!has_all) {
        enum type_kind kind = type_kind_of(
            checker->types, type_element_of(checker->types, expression->type));
        if (!const_check_builtin(&checker->evaluator, id, kind, values, count)) {
            expression->type = (type_id){0};
        }
        return;
    }
    if (check_is_evaluated(checker, expression)) {
        expression->value = const_eval_builtin(
            &checker->evaluator, id, values, count, expression->type);
        if (expression->value == NULL) {
            expression->type = (type_id){0};
        }
    }
}

// ---- bitcast -----------------------------------------------------------------------------------

static bool is_bitcast_type(const struct checker *checker, type_id type) {
    const struct type *info = type_get(checker->types, type);
    return info->kind != TYPE_MATRIX && !(info->traits & TYPE_TRAIT_ABSTRACT) &&
        type_is_numeric_scalar(checker->types, type_element_of(checker->types, type));
}

static uint32_t bit_size(const struct checker *checker, type_id type) {
    uint32_t count = type_component_count(checker->types, type);
    bool is_half = type_kind_of(checker->types, type_element_of(checker->types, type)) == TYPE_F16;
    return count * (is_half ? 16 : 32);
}

static void check_bitcast(
    struct checker *checker, struct ast_expression *expression, struct ast_call *call) {
    const struct ast_expression *callee = expression->call.callee;
    const struct ast_expression_list *list = callee->identifier.template_arguments;
    bool has_arguments = check_arguments(checker, expression, true);
    if (list == NULL || list->count != 1 || expression->call.arguments.count != 1) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS, expression->span,
            "a bitcast is written bitcast<T>(value)");
        return;
    }
    type_id to = check_type_expression(checker, list->items[0]);
    struct ast_expression *argument = expression->call.arguments.items[0];
    if (!has_arguments || to.index == 0) {
        return;
    }
    type_id from = check_value_type(checker, argument);
    type_id element = type_element_of(checker->types, from);
    // An abstract integer becomes u32 where u32 is asked for, and i32 otherwise.
    type_id concrete = check_concrete(checker, from);
    if (type_kind_of(checker->types, element) == TYPE_ABSTRACT_INT &&
        type_kind_of(checker->types, type_element_of(checker->types, to)) == TYPE_U32) {
        concrete = type_with_element(checker->types, from, type_scalar(TYPE_U32));
    }
    if (!is_bitcast_type(checker, to) || !is_bitcast_type(checker, concrete) ||
        bit_size(checker, to) != bit_size(checker, concrete)) {
        struct diagnostic *diagnostic = diagnostic_error(checker->diagnostics,
            DIAGNOSTIC_NO_OVERLOAD, expression->span, "'%s' cannot be bitcast to '%s'",
            check_type_text(checker, from), check_type_text(checker, to));
        if (is_bitcast_type(checker, to) && is_bitcast_type(checker, concrete)) {
            diagnostic_explain(checker->diagnostics, diagnostic,
                "a bitcast keeps the number of bits, but these have %u and %u",
                (unsigned)bit_size(checker, concrete), (unsigned)bit_size(checker, to));
        } else {
            diagnostic_explain(checker->diagnostics, diagnostic,
                "a bitcast is between numeric scalars and vectors that have a size");
        }
        return;
    }
    if (!check_convert(checker, argument, concrete)) {
        return;
    }
    call->kind = CALL_BUILTIN;
    call->builtin = BUILTIN_BITCAST;
    call->types[0] = to;
    expression->type = to;
    if (check_is_evaluated(checker, expression) && argument->value != NULL) {
        check_set_span(checker, expression->span);
        expression->value = const_eval_bitcast(&checker->evaluator, argument->value, to);
        if (expression->value == NULL) {
            expression->type = (type_id){0};
        }
    }
}

// ---- Calls -------------------------------------------------------------------------------------

static bool is_extension_missing(struct checker *checker, const struct ast_expression *expression,
    const struct builtin_info *info) {
    if (!(info->flags & BUILTIN_FLAG_SUBGROUP)) {
        return false;
    }
    char *what = text_format(checker->arena, "'%s'", info->name);
    return !check_need_extension(checker, WGSL_EXTENSION_SUBGROUPS, "subgroups",
        expression->call.callee->span, what != NULL ? what : info->name);
}

// What the specification says of arguments beyond their types.
enum argument_rule {
    RULE_OFFSET,    // texels of a texture offset
    RULE_COMPONENT, // of textureGather
    RULE_SUBGROUP,  // an invocation, distance or mask in a subgroup
    RULE_QUAD,      // an invocation in a quad
};

static bool is_in_range(
    struct checker *checker, const struct ast_expression *argument, enum argument_rule rule) {
    static const struct {
        int64_t low;
        int64_t high;
        const char *what;
    } rules[] = {
        [RULE_OFFSET] = {-8, 7, "each component of a texture offset is"},
        [RULE_COMPONENT] = {0, 3, "the component to gather is"},
        [RULE_SUBGROUP] = {0, 127, "the invocation, distance or mask in a subgroup is"},
        [RULE_QUAD] = {0, 3, "the invocation in a quad is"},
    };
    uint32_t count = type_component_count(checker->types, argument->value->type);
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = const_value_get(argument->value, checker->types, i).integer;
        if (value < rules[rule].low || value > rules[rule].high) {
            diagnostic_error(checker->diagnostics, DIAGNOSTIC_VALUE_RANGE, argument->span,
                "%s from %" PRId64 " to %" PRId64 ", not %" PRId64, rules[rule].what,
                rules[rule].low, rules[rule].high, value);
            return false;
        }
    }
    return true;
}

// Arguments that must be constant, and constants in range.
static bool check_parameters(struct checker *checker, struct ast_expression *expression,
    uint32_t id, uint32_t const_parameters) {
    bool is_shuffle = id == BUILTIN_SUBGROUP_SHUFFLE || id == BUILTIN_SUBGROUP_SHUFFLE_UP ||
        id == BUILTIN_SUBGROUP_SHUFFLE_DOWN || id == BUILTIN_SUBGROUP_SHUFFLE_XOR;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        struct ast_expression *argument = expression->call.arguments.items[i];
        bool is_const = const_parameters >> i & 1;
        if (!is_const && !(is_shuffle && i == 1)) {
            continue;
        }
        enum argument_rule rule = is_shuffle || id == BUILTIN_SUBGROUP_BROADCAST ? RULE_SUBGROUP
            : id == BUILTIN_QUAD_BROADCAST                                       ? RULE_QUAD
            : i == 0                                                             ? RULE_COMPONENT
                                                                                 : RULE_OFFSET;
        static const char *const names[] = {[RULE_OFFSET] = "a texture offset",
            [RULE_COMPONENT] = "the component to gather",
            [RULE_SUBGROUP] = "the invocation to broadcast from",
            [RULE_QUAD] = "the invocation to broadcast from"};
        if (is_const && argument->stage != EVALUATION_CONST) {
            check_report_stage(checker, argument, EVALUATION_CONST, names[rule]);
            return false;
        }
        if (argument->value != NULL && !is_in_range(checker, argument, rule)) {
            return false;
        }
    }
    return true;
}

void check_builtin_call(struct checker *checker, struct ast_expression *expression,
    struct ast_call *call, uint32_t id) {
    const struct builtin_info *info = builtin_get(id);
    note_stages(checker, expression, info);
    if (is_extension_missing(checker, expression, info)) {
        return;
    }
    if (id == BUILTIN_BUFFER_VIEW || id == BUILTIN_BUFFER_ARRAY_VIEW ||
        id == BUILTIN_BUFFER_LENGTH) {
        check_buffer_call(checker, expression, call, id);
        return;
    }
    if (id == BUILTIN_BITCAST) {
        check_bitcast(checker, expression, call);
        return;
    }
    if (expression->call.callee->identifier.template_arguments != NULL) {
        diagnostic_error(checker->diagnostics, DIAGNOSTIC_TEMPLATE_ARGUMENTS,
            expression->call.callee->span, "'%s' takes no template arguments", info->name);
        return;
    }
    type_id types[BUILTIN_PARAMETER_LIMIT];
    bool is_const[BUILTIN_PARAMETER_LIMIT];
    uint32_t count = expression->call.arguments.count;
    if (!check_arguments(checker, expression, (info->flags & BUILTIN_FLAG_CONST) != 0)) {
        return;
    }
    if (count > BUILTIN_PARAMETER_LIMIT) {
        report_overloads(checker, expression, id);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        types[i] = check_value_type(checker, expression->call.arguments.items[i]);
        is_const[i] = expression->call.arguments.items[i]->stage == EVALUATION_CONST;
    }
    struct builtin_match match = builtin_resolve(
        &checker->builtins, checker->types, &checker->structures, id, types, is_const, count);
    if (match.status == BUILTIN_MATCH_ERROR) {
        check_out_of_memory(checker);
        return;
    }
    if (match.status != BUILTIN_MATCH_FOUND) {
        if (!report_atomic_space(checker, expression, id)) {
            report_overloads(checker, expression, id);
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!check_convert(checker, expression->call.arguments.items[i], match.parameters[i])) {
            return;
        }
    }
    if (id == BUILTIN_WORKGROUP_UNIFORM_LOAD || id == BUILTIN_ATOMIC_LOAD) {
        check_note_access(checker, expression->call.arguments.items[0], CHECK_ACCESS_READ);
    } else if (info->flags & BUILTIN_FLAG_ATOMIC) {
        check_note_access(
            checker, expression->call.arguments.items[0], CHECK_ACCESS_READ | CHECK_ACCESS_WRITE);
    }
    if (!check_parameters(checker, expression, id, match.const_parameters)) {
        return;
    }
    call->kind = CALL_BUILTIN;
    call->builtin = (uint16_t)id;
    call->overload = match.overload;
    call->const_parameters = match.const_parameters;
    call->types[0] = match.types[0];
    call->types[1] = match.types[1];
    expression->type = match.result;
    evaluate(checker, expression, id);
}
