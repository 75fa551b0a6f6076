// SPDX-License-Identifier: MIT
//
// Uniformity of expressions and calls (WGSL §Uniformity Rules for Expressions, §Uniformity Rules for
// Function Calls). Left spines are walked by a loop. Two rules are stricter than the text so that the
// analysis is sound: the result of an atomic function may be non-uniform, and so may what is read
// through a pointer parameter that is itself non-uniform. See check_priv.h for threads.
#include "shader/wgsl/check_uniformity_priv.h"

static uniform_node maybe_not(
    struct uniformity *u, enum uniform_reason reason, struct source_span span) {
    uniform_node node = uniform_add_node(u, reason, span);
    uniform_add_edge(u, node, UNIFORM_MAYBE_NOT);
    return node;
}

// ---- Identifiers and loads ---------------------------------------------------------------------

static bool is_uniform_builtin(const struct uniformity *u, const struct ast_interface *interface) {
    if (!interface->has_builtin) {
        return false;
    }
    switch (interface->builtin) {
    case BUILTIN_VALUE_WORKGROUP_ID:
    case BUILTIN_VALUE_NUM_WORKGROUPS:
    case BUILTIN_VALUE_NUM_SUBGROUPS:
        return true;
    case BUILTIN_VALUE_SUBGROUP_SIZE:
        return u->function->stage == STAGE_COMPUTE;
    case BUILTIN_VALUE_SUBGROUP_ID:
        return u->scope == UNIFORM_SCOPE_SUBGROUP;
    default: // all others differ
        return false;
    }
}

static const struct ast_struct *find_structure(const struct ast_expression *expression) {
    const struct ast_declaration *declaration = NULL;
    while (expression != NULL && expression->kind == EXPRESSION_IDENTIFIER) {
        declaration = expression->identifier.declaration;
        if (declaration == NULL || declaration->kind != DECLARATION_ALIAS) {
            break;
        }
        expression = declaration->type_expression;
    }
    return declaration != NULL ? declaration->structure : NULL;
}

// An input of an entry point: uniform if all that it holds is.
static bool is_uniform_input(const struct uniformity *u, const struct ast_declaration *parameter) {
    const struct ast_struct *structure = find_structure(parameter->type_expression);
    if (structure == NULL) {
        return is_uniform_builtin(u, &parameter->interface);
    }
    for (uint32_t i = 0; i < structure->member_count; i++) {
        if (!is_uniform_builtin(u, &structure->members[i].interface)) {
            return false;
        }
    }
    return true;
}

static uniform_node parameter_value(struct uniformity *u, const struct ast_declaration *parameter,
    uint32_t position, struct source_span span, uniform_node flow) {
    if (u->function->is_entry_point) {
        return is_uniform_input(u, parameter) ? flow : maybe_not(u, UNIFORM_REASON_BUILTIN, span);
    }
    return uniform_join(u, flow, u->parameter_nodes[position]);
}

static uint32_t find_parameter(
    const struct uniformity *u, const struct ast_declaration *parameter) {
    uint32_t i = 0;
    while (i < u->function->parameter_count && u->function->parameters[i] != parameter) {
        i++;
    }
    return i;
}

// An identifier without the load rule.
static uniform_node identifier_value(
    struct uniformity *u, const struct ast_expression *expression, uniform_node flow) {
    const struct ast_declaration *declaration = expression->identifier.declaration;
    if (declaration == NULL || declaration->is_module_scope) {
        return flow;
    }
    switch (declaration->kind) {
    case DECLARATION_LET:
        return uniform_join(u, flow, uniform_get_value(u, declaration->index));
    case DECLARATION_PARAMETER:
        return parameter_value(
            u, declaration, find_parameter(u, declaration), expression->span, flow);
    default: // variables and constants
        return flow;
    }
}

// The value that is stored where the expression refers or points to.
static uniform_node load(
    struct uniformity *u, const struct ast_expression *expression, uniform_node view) {
    struct ast_declaration *root = check_find_root(expression);
    if (root == NULL) {
        return view;
    }
    if (uniform_is_tracked(u, root)) {
        return uniform_join(u, view, uniform_get_value(u, root->index));
    }
    enum access_mode access = root->access;
    if (root->kind == DECLARATION_PARAMETER) {
        const struct type *type = type_get(u->checker->types, root->type);
        access = type->kind == TYPE_POINTER ? type->access : ACCESS_READ;
    }
    if (access == ACCESS_READ) {
        return view;
    }
    return uniform_join(u, view, maybe_not(u, UNIFORM_REASON_MEMORY, expression->span));
}

// ---- Calls -------------------------------------------------------------------------------------

// What a call of the function asks of control flow, or AST_SEVERITY_OFF.
static uint8_t required_severity(const struct uniformity *u, uint32_t flags) {
    bool is_workgroup = u->scope == UNIFORM_SCOPE_WORKGROUP;
    return flags & BUILTIN_FLAG_UNIFORM_FLOW && is_workgroup ? AST_SEVERITY_ERROR
        : flags & BUILTIN_FLAG_DERIVATIVE_FLOW && is_workgroup
        ? u->severities[UNIFORM_RULE_DERIVATIVE]
        : flags & BUILTIN_FLAG_SUBGROUP_FLOW && !is_workgroup ? u->severities[UNIFORM_RULE_SUBGROUP]
                                                              : (uint8_t)AST_SEVERITY_OFF;
}

// Functions over a subgroup that give all its invocations the same.
static bool is_uniform_in_subgroup(uint32_t id) {
    switch ((enum builtin_id)id) {
    case BUILTIN_SUBGROUP_ADD:
    case BUILTIN_SUBGROUP_ALL:
    case BUILTIN_SUBGROUP_AND:
    case BUILTIN_SUBGROUP_ANY:
    case BUILTIN_SUBGROUP_BALLOT:
    case BUILTIN_SUBGROUP_BROADCAST:
    case BUILTIN_SUBGROUP_BROADCAST_FIRST:
    case BUILTIN_SUBGROUP_MAX:
    case BUILTIN_SUBGROUP_MIN:
    case BUILTIN_SUBGROUP_MUL:
    case BUILTIN_SUBGROUP_OR:
    case BUILTIN_SUBGROUP_XOR:
        return true;
    default:
        return false;
    }
}

// The result may differ whatever the arguments are.
static bool may_result_differ(
    const struct uniformity *u, const struct ast_expression *expression, uint32_t id) {
    uint32_t flags = builtin_get(id)->flags;
    if (flags & (BUILTIN_FLAG_ATOMIC | BUILTIN_FLAG_DERIVATIVE_FLOW)) {
        return true;
    }
    if (flags & BUILTIN_FLAG_SUBGROUP_FLOW) {
        return u->scope != UNIFORM_SCOPE_SUBGROUP || !is_uniform_in_subgroup(id);
    }
    if (id == BUILTIN_TEXTURE_LOAD) {
        const struct type_table *types = u->checker->types;
        const struct type *type = type_get(
            types, check_value_type(u->checker, expression->call.arguments.items[0]));
        return type->kind == TYPE_TEXTURE_STORAGE && type->access == ACCESS_READ_WRITE;
    }
    return false;
}

// The argument that must be the same for all, besides control flow.
static bool is_argument_required(uint32_t id, uint32_t number) {
    return number == 0 ? id == BUILTIN_WORKGROUP_UNIFORM_LOAD
                       : number == 1 &&
            (id == BUILTIN_SUBGROUP_SHUFFLE_UP || id == BUILTIN_SUBGROUP_SHUFFLE_DOWN ||
                id == BUILTIN_SUBGROUP_SHUFFLE_XOR);
}

static uniform_node builtin_call(
    struct uniformity *u, struct ast_expression *expression, uniform_node flow) {
    uint32_t id = expression->call.resolved->builtin;
    const struct builtin_info *info = builtin_get(id);
    struct uniform_requirement requirement = {.span = expression->span,
        .name = info->name,
        .severity = required_severity(u, info->flags)};
    bool is_required = requirement.severity != AST_SEVERITY_OFF;
    uniform_node result = flow;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        struct ast_expression *argument = expression->call.arguments.items[i];
        uniform_node value = uniform_expression(u, argument, flow);
        result = uniform_join(u, result, value);
        if (is_required && is_argument_required(id, i)) {
            requirement.is_value = true;
            uniform_require(u, value, requirement);
            requirement.is_value = false;
        }
    }
    if (is_required) {
        uniform_require(u, flow, requirement);
    }
    if (may_result_differ(u, expression, id)) {
        result = uniform_join(u, result, maybe_not(u, UNIFORM_REASON_CALL, expression->span));
    }
    return result;
}

struct call_argument {
    uniform_node value;
    uniform_node contents; // of a pointer into the function address space, else UNIFORM_NONE
    struct ast_declaration *root;
};

static void apply_parameter(struct uniformity *u, const struct uniform_tags *tags, uint32_t index,
    const struct call_argument *arguments, const struct ast_expression *expression) {
    const struct call_argument *argument = &arguments[index];
    struct uniform_requirement requirement = {.span = expression->call.arguments.items[index]->span,
        .name = tags->name,
        .is_value = true,
        .callee = tags,
        .parameter = expression->call.resolved->function->function->parameters[index]};
    uint8_t tag = tags->parameters[index];
    if (tag & UNIFORM_PARAMETER_REQUIRED) {
        requirement.severity = tag >> UNIFORM_PARAMETER_SEVERITY_SHIFT & 3;
        uniform_require(u, argument->value, requirement);
    }
    if (tag & UNIFORM_PARAMETER_CONTENTS_REQUIRED) {
        requirement.severity = tag >> UNIFORM_PARAMETER_CONTENTS_SEVERITY_SHIFT & 3;
        uniform_require(u, argument->contents, requirement);
    }
}

// What the call leaves behind a pointer argument.
static void update_pointer(struct uniformity *u, const struct uniform_tags *tags, uint32_t index,
    const struct call_argument *arguments, const struct ast_expression *expression) {
    const struct call_argument *argument = &arguments[index];
    if (argument->contents == UNIFORM_NONE) {
        return;
    }
    // The old value stays where only a part is pointed to; where the function keeps it, a transfer
    // says so.
    uniform_node after = argument->value;
    if (!uniform_is_full(expression->call.arguments.items[index])) {
        after = uniform_join(u, after, argument->contents);
    }
    if (tags->parameters[index] & UNIFORM_PARAMETER_POINTER_MAYBE_NOT) {
        after = uniform_join(u, after, maybe_not(u, UNIFORM_REASON_CALL, expression->span));
    }
    for (uint32_t i = 0; i < tags->transfer_count; i++) {
        const struct uniform_transfer *transfer = &tags->transfers[i];
        if (transfer->to == index) {
            const struct call_argument *from = &arguments[transfer->from];
            after = uniform_join(u, after, transfer->is_contents ? from->contents : from->value);
        }
    }
    uniform_set_value(u, argument->root->index, after);
}

static uniform_node function_call(
    struct uniformity *u, struct ast_expression *expression, uniform_node flow) {
    const struct ast_declaration *callee = expression->call.resolved->function;
    const struct uniform_tags *tags = u->checker->nodes[callee->index].uniformity;
    uint32_t count = expression->call.arguments.count;
    struct call_argument *arguments = memory_allocate_zeroed(
        MEMORY_COMPILE, count, sizeof(*arguments));
    if (arguments == NULL || tags == NULL) {
        memory_free(arguments);
        u->has_failed = true;
        return flow;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct ast_expression *argument = expression->call.arguments.items[i];
        arguments[i].value = uniform_expression(u, argument, flow);
        const struct type *type = type_get(u->checker->types, argument->type);
        if (type->kind == TYPE_POINTER && type->space == SPACE_FUNCTION) {
            arguments[i].root = check_find_root(argument);
            if (arguments[i].root != NULL && uniform_is_tracked(u, arguments[i].root)) {
                arguments[i].contents = uniform_get_value(u, arguments[i].root->index);
            }
        }
    }
    uniform_node result = uniform_add_node(u, UNIFORM_REASON_NONE, expression->span);
    uniform_add_edge(u, result, flow);
    if (tags->needs_uniform_call) {
        uniform_require(u, flow,
            (struct uniform_requirement){.span = expression->span,
                .name = tags->name,
                .severity = tags->call_severity,
                .callee = tags});
    }
    if (tags->returns_maybe_not) {
        uniform_add_edge(u, result, maybe_not(u, UNIFORM_REASON_CALL, expression->span));
    }
    for (uint32_t i = 0; i < count; i++) {
        apply_parameter(u, tags, i, arguments, expression);
        if (tags->parameters[i] & UNIFORM_PARAMETER_RETURN) {
            uniform_add_edge(u, result, arguments[i].value);
            uniform_add_edge(u, result, arguments[i].contents);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        update_pointer(u, tags, i, arguments, expression);
    }
    memory_free(arguments);
    return result;
}

static uniform_node call_value(
    struct uniformity *u, struct ast_expression *expression, uniform_node flow) {
    const struct ast_call *call = expression->call.resolved;
    if (call != NULL && call->kind == CALL_FUNCTION) {
        return function_call(u, expression, flow);
    }
    if (call != NULL && call->kind == CALL_BUILTIN) {
        return builtin_call(u, expression, flow);
    }
    uniform_node result = flow;
    for (uint32_t i = 0; i < expression->call.arguments.count; i++) {
        result = uniform_join(
            u, result, uniform_expression(u, expression->call.arguments.items[i], flow));
    }
    return result;
}

// ---- The walk ----------------------------------------------------------------------------------

// `left` is the value of the node's left part.
static uniform_node node_value(
    struct uniformity *u, struct ast_expression *expression, uniform_node left, uniform_node flow) {
    switch ((enum expression_kind)expression->kind) {
    case EXPRESSION_ERROR:
    case EXPRESSION_LITERAL:
        return flow;
    case EXPRESSION_IDENTIFIER:
        return identifier_value(u, expression, flow);
    case EXPRESSION_CALL:
        return call_value(u, expression, flow);
    case EXPRESSION_INDEX:
        return uniform_join(u, left, uniform_expression(u, expression->index.index, flow));
    case EXPRESSION_MEMBER:
        // Several components through a pointer: the load is implied.
        if (expression->member.kind == MEMBER_SWIZZLE && expression->member.swizzle_count > 1 &&
            type_kind_of(u->checker->types, expression->member.base->type) == TYPE_POINTER) {
            return load(u, expression->member.base, left);
        }
        return left;
    case EXPRESSION_UNARY:
    case EXPRESSION_ADDRESS_OF:
    case EXPRESSION_INDIRECTION:
    case EXPRESSION_PAREN:
        return uniform_expression(u, expression->unary.operand, flow);
    case EXPRESSION_BINARY:
        if (expression->binary.op == BINARY_LOGICAL_AND ||
            expression->binary.op == BINARY_LOGICAL_OR) {
            // The right operand is evaluated under the control of the left one.
            uniform_node condition = uniform_add_node(
                u, UNIFORM_REASON_CONDITION, expression->binary.left->span);
            uniform_add_edge(u, condition, left);
            return uniform_expression(u, expression->binary.right, condition);
        }
        return uniform_join(u, left, uniform_expression(u, expression->binary.right, flow));
    }
    return flow;
}

uniform_node uniform_expression(
    struct uniformity *u, struct ast_expression *expression, uniform_node flow) {
    size_t base = u->spine.count;
    uniform_node value = flow;
    for (struct ast_expression *node = expression; node != NULL;
         node = ast_expression_get_spine(node)) {
        if (!vector_push(&u->spine, MEMORY_COMPILE, node)) {
            u->spine.count = base;
            u->has_failed = true;
            return flow;
        }
    }
    while (u->spine.count > base && !u->has_failed) {
        struct ast_expression *node = u->spine.items[--u->spine.count];
        if (node->value != NULL) {
            value = flow; // a constant
            continue;
        }
        value = node_value(u, node, value, flow);
        if (node->needs_load) {
            value = load(u, node, value);
        }
    }
    u->spine.count = base;
    return value;
}
