// SPDX-License-Identifier: MIT
//
// Expressions. lower_expression walks down the left spine (ast.h) to the first node that is lowered
// on its own, then builds upwards in a loop; every other operand recurses, which ast.h bounds.
// Steps from one reference to the next (`a.b[i].c`) collect their indices and become one access.

#include "shader/wgsl/lower_priv.h"

#define PENDING_LIMIT 16u

// What a variable holds, or the memory that a pointer parameter points to, as loaded before.
struct known_load {
    const struct ast_declaration *declaration;
    ir_value value;
};
#define KNOWN_LIMIT 8u

// The way up: what has been built so far, and the indices not yet applied to it.
struct climb {
    ir_value value;
    ir_value indices[PENDING_LIMIT];
    uint32_t index_count;
    // Of the right operands since the last one that may have written memory or branched.
    struct known_load known[KNOWN_LIMIT];
    uint32_t known_count; // ever; the oldest give way
};

static void flush(struct lower *lower, struct climb *climb) {
    if (climb->index_count > 0 && ir_value_is_set(climb->value)) {
        climb->value = ir_builder_access(
            &lower->at, climb->value, climb->indices, climb->index_count);
    }
    climb->index_count = 0;
}

static void push_index(struct lower *lower, struct climb *climb, ir_value index) {
    if (climb->index_count == PENDING_LIMIT) {
        flush(lower, climb);
    }
    climb->indices[climb->index_count++] = index;
}

// A value known before run time that the IR can hold.
static bool is_constant(const struct lower *lower, const struct ast_expression *expression) {
    return expression->value && expression->stage == EVALUATION_CONST &&
        !lower_is_abstract(lower, expression->value->type);
}

ir_value lower_extract(struct lower *lower, ir_value composite, uint32_t index) {
    return ir_value_is_set(composite) ? ir_builder_extract(&lower->at, composite, index)
                                      : composite;
}

// ---- Nodes at the bottom of a spine ----

static ir_value lower_identifier(struct lower *lower, struct ast_expression *expression) {
    const struct ast_declaration *declaration = expression->identifier.declaration;
    if (!declaration || declaration->ir_id == 0) {
        return (ir_value){0};
    }
    switch (declaration->kind) {
    case DECLARATION_VARIABLE:
        if (declaration->is_module_scope) {
            return ir_builder_variable(&lower->at, declaration->ir_id - 1);
        }
        return (ir_value){declaration->ir_id};
    case DECLARATION_LET:
    case DECLARATION_PARAMETER:
        return (ir_value){declaration->ir_id};
    case DECLARATION_OVERRIDE:
        return ir_builder_op(&lower->at, IR_OVERRIDE, NULL, 0, &declaration->type, 1,
            (union ir_op_data){.index = declaration->ir_id - 1});
    case DECLARATION_CONST:
    case DECLARATION_ALIAS:
    case DECLARATION_STRUCT:
    case DECLARATION_FUNCTION:
    case DECLARATION_CONST_ASSERT:
        break;
    }
    return (ir_value){0};
}

// The components of scalars and vectors one after the other; at most 16.
static uint32_t flatten(
    struct lower *lower, const struct ast_expression_list *arguments, ir_value *out_components) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        ir_value value = lower_expression(lower, arguments->items[i]);
        uint32_t size = type_component_count(lower->types, lower_type_of(lower, value));
        if (!ir_value_is_set(value) || count + size > 16) {
            return 0;
        }
        for (uint32_t j = 0; j < size; j++) {
            out_components[count++] = size == 1 ? value : lower_extract(lower, value, j);
        }
    }
    return count;
}

static ir_value construct_matrix(
    struct lower *lower, type_id type, const struct ast_expression_list *arguments) {
    struct type row = *type_get(lower->types, type);
    ir_value columns[4];
    if (arguments->count == row.count) {
        for (uint32_t i = 0; i < row.count; i++) {
            columns[i] = lower_expression(lower, arguments->items[i]);
        }
    } else {
        ir_value components[16];
        if (flatten(lower, arguments, components) != row.count * row.rows) {
            return (ir_value){0};
        }
        type_id column = type_vector(lower->types, row.element, row.rows);
        for (uint32_t i = 0; i < row.count; i++) {
            columns[i] = ir_builder_construct(
                &lower->at, column, components + i * row.rows, row.rows);
        }
    }
    return ir_builder_construct(&lower->at, type, columns, row.count);
}

static ir_value construct(
    struct lower *lower, type_id type, const struct ast_expression_list *arguments) {
    if (lower_kind_of(lower, type) == TYPE_VECTOR) {
        ir_value components[16];
        uint32_t count = flatten(lower, arguments, components);
        return ir_builder_construct(&lower->at, type, components, count);
    }
    if (lower_kind_of(lower, type) == TYPE_MATRIX) {
        return construct_matrix(lower, type, arguments);
    }
    VECTOR(ir_value) elements = {0};
    ir_value result = {0};
    bool is_ok = true;
    for (uint32_t i = 0; i < arguments->count && is_ok; i++) {
        ir_value element = lower_expression(lower, arguments->items[i]);
        is_ok = vector_push(&elements, MEMORY_COMPILE, element);
    }
    if (is_ok) {
        result = ir_builder_construct(&lower->at, type, elements.items, (uint32_t)elements.count);
    } else {
        lower_fail(lower);
    }
    vector_finish(&elements);
    return result;
}

static ir_value lower_function_call(struct lower *lower, struct ast_expression *expression) {
    const struct ast_declaration *function = expression->call.resolved->function;
    const struct ast_expression_list *arguments = &expression->call.arguments;
    if (function->ir_id == 0) {
        return (ir_value){0}; // its own problem was reported
    }
    VECTOR(ir_value) values = {0};
    bool is_ok = true;
    for (uint32_t i = 0; i < arguments->count && is_ok; i++) {
        ir_value value = lower_expression(lower, arguments->items[i]);
        type_id wanted = function->function->parameters[i]->type;
        if (lower_kind_of(lower, wanted) == TYPE_POINTER &&
            !type_equals(lower_type_of(lower, value), wanted)) {
            value = ir_builder_op(
                &lower->at, IR_BUFFER_LIMIT, &value, 1, &wanted, 1, (union ir_op_data){0});
        }
        is_ok = vector_push(&values, MEMORY_COMPILE, value);
    }
    ir_value result = {0};
    lower->at.span = lower_span(expression->span);
    if (is_ok) {
        result = ir_builder_call(
            &lower->at, function->ir_id - 1, values.items, (uint32_t)values.count);
    } else {
        lower_fail(lower);
    }
    vector_finish(&values);
    return result;
}

static ir_value lower_call(struct lower *lower, struct ast_expression *expression) {
    const struct ast_call *call = expression->call.resolved;
    const struct ast_expression_list *arguments = &expression->call.arguments;
    if (!call) {
        return (ir_value){0};
    }
    switch (call->kind) {
    case CALL_NONE:
        break;
    case CALL_FUNCTION:
        return lower_function_call(lower, expression);
    case CALL_BUILTIN:
        return lower_builtin_call(lower, expression);
    case CALL_ZERO_VALUE:
        return ir_builder_zero(&lower->at, expression->type);
    case CALL_CONSTRUCT:
        return construct(lower, expression->type, arguments);
    case CALL_CONVERT:
        return lower_convert(lower, lower_expression(lower, arguments->items[0]), expression->type);
    case CALL_SPLAT:
        return ir_builder_splat(
            &lower->at, expression->type, lower_expression(lower, arguments->items[0]));
    case CALL_IDENTITY:
        return lower_expression(lower, arguments->items[0]);
    }
    return (ir_value){0};
}

static ir_value lower_bottom(struct lower *lower, struct ast_expression *expression) {
    switch ((enum expression_kind)expression->kind) {
    case EXPRESSION_IDENTIFIER:
        return lower_identifier(lower, expression);
    case EXPRESSION_CALL:
        return lower_call(lower, expression);
    case EXPRESSION_UNARY:
        return lower_unary(lower, (enum unary_operator)expression->unary.op,
            lower_expression(lower, expression->unary.operand));
    case EXPRESSION_ADDRESS_OF:
    case EXPRESSION_INDIRECTION:
    case EXPRESSION_PAREN:
        return lower_expression(lower, expression->unary.operand);
    case EXPRESSION_ERROR:
    case EXPRESSION_LITERAL: // a constant, or abstract and unused
    case EXPRESSION_INDEX:
    case EXPRESSION_MEMBER:
    case EXPRESSION_BINARY:
        break;
    }
    return (ir_value){0};
}

// ---- Nodes on the way up ----

// The declaration whose memory a simple operand reads: `a` or `*p` in memory that only the own
// invocation has. NULL: the operand is not of this form.
static const struct ast_declaration *get_own_memory(
    const struct lower *lower, const struct ast_expression *operand) {
    if (!operand->needs_load) {
        return NULL;
    }
    bool is_indirection = operand->kind == EXPRESSION_INDIRECTION;
    const struct ast_expression *name = is_indirection ? operand->unary.operand : operand;
    if (name->kind != EXPRESSION_IDENTIFIER || !name->identifier.declaration) {
        return NULL;
    }
    const struct ast_declaration *declaration = name->identifier.declaration;
    if (declaration->kind == DECLARATION_VARIABLE) {
        bool is_own = declaration->space == SPACE_FUNCTION || declaration->space == SPACE_PRIVATE;
        return is_own && !is_indirection ? declaration : NULL;
    }
    if (declaration->kind != DECLARATION_PARAMETER || !is_indirection ||
        lower_kind_of(lower, declaration->type) != TYPE_POINTER) {
        return NULL;
    }
    enum address_space space = type_get(lower->types, declaration->type)->space;
    return space == SPACE_FUNCTION || space == SPACE_PRIVATE ? declaration : NULL;
}

// Its evaluation writes nothing, branches nowhere and cannot fail.
static bool is_simple(const struct lower *lower, const struct ast_expression *operand) {
    if (is_constant(lower, operand) || get_own_memory(lower, operand)) {
        return true;
    }
    const struct ast_declaration *declaration = operand->kind == EXPRESSION_IDENTIFIER
        ? operand->identifier.declaration
        : NULL;
    return declaration && !operand->needs_load &&
        (declaration->kind == DECLARATION_LET || declaration->kind == DECLARATION_PARAMETER);
}

// In a long chain of simple operands each variable is loaded once.
static ir_value lower_right(
    struct lower *lower, struct climb *climb, struct ast_expression *operand) {
    const struct ast_declaration *declaration = get_own_memory(lower, operand);
    uint32_t kept = climb->known_count < KNOWN_LIMIT ? climb->known_count : KNOWN_LIMIT;
    for (uint32_t i = 0; i < kept && declaration; i++) {
        if (climb->known[i].declaration == declaration) {
            return climb->known[i].value;
        }
    }
    ir_value value = lower_expression(lower, operand);
    if (declaration) {
        climb->known[climb->known_count++ % KNOWN_LIMIT] = (struct known_load){declaration, value};
    } else if (!is_simple(lower, operand)) {
        climb->known_count = 0;
    }
    return value;
}

// a && b is if (a) { b } else { false }; a || b likewise.
static ir_value lower_short_circuit(
    struct lower *lower, struct climb *climb, struct ast_expression *expression) {
    ir_value left = climb->value;
    bool is_and = expression->binary.op == BINARY_LOGICAL_AND;
    const struct ast_expression *first = expression->binary.left;
    struct ast_expression *right = expression->binary.right;
    if (is_constant(lower, first) && const_value_get_bool(first->value) != is_and) {
        return left; // the right operand was checked, but is not evaluated
    }
    if (is_simple(lower, right)) {
        ir_value value = lower_right(lower, climb, right); // evaluating it always does no harm
        lower->at.span = lower_span(expression->span);
        return lower_binary(lower, (enum binary_operator)expression->binary.op, left, value);
    }
    climb->known_count = 0;
    type_id type = type_scalar(TYPE_BOOL);
    lower->at.span = lower_span(expression->span);
    ir_op_id branch = ir_builder_if(&lower->at, left, &type, 1);
    struct ir_builder outer = lower->at;
    lower->nesting++;
    lower->at = ir_builder_in(&outer, branch, is_and ? 0 : 1);
    ir_value value = lower_expression(lower, right);
    ir_builder_terminate(&lower->at, IR_EXIT_IF, &value, 1);
    lower->at = ir_builder_in(&outer, branch, is_and ? 1 : 0);
    ir_value known = ir_builder_bool(&lower->at, !is_and);
    ir_builder_terminate(&lower->at, IR_EXIT_IF, &known, 1);
    lower->nesting--;
    lower->at = outer;
    if (lower->ir->has_failed) {
        return (ir_value){0};
    }
    return ir_op_result(ir_op_get(&lower->ir->functions.items[outer.function], branch), 0);
}

static void climb_binary(
    struct lower *lower, struct climb *climb, struct ast_expression *expression) {
    enum binary_operator op = (enum binary_operator)expression->binary.op;
    flush(lower, climb);
    if (op == BINARY_LOGICAL_AND || op == BINARY_LOGICAL_OR) {
        climb->value = lower_short_circuit(lower, climb, expression);
        return;
    }
    ir_value right = lower_right(lower, climb, expression->binary.right);
    lower->at.span = lower_span(expression->span);
    climb->value = lower_binary(lower, op, climb->value, right);
}

static void climb_index(
    struct lower *lower, struct climb *climb, struct ast_expression *expression) {
    climb->known_count = 0;
    ir_value index = lower_expression(lower, expression->index.index);
    lower->at.span = lower_span(expression->span);
    if (expression->is_reference) {
        push_index(lower, climb, index);
        return;
    }
    flush(lower, climb);
    const struct ast_expression *number = expression->index.index;
    if (!ir_value_is_set(climb->value) || !ir_value_is_set(index)) {
        climb->value = (ir_value){0};
    } else if (is_constant(lower, number)) {
        climb->value = ir_builder_extract(
            &lower->at, climb->value, (uint32_t)const_value_get_integer(number->value));
    } else {
        type_id element = expression->type;
        climb->value = ir_builder_op(&lower->at, IR_EXTRACT_DYNAMIC,
            (ir_value[]){climb->value, index}, 2, &element, 1, (union ir_op_data){0});
    }
}

static void climb_member(
    struct lower *lower, struct climb *climb, struct ast_expression *expression) {
    bool is_swizzle = expression->member.kind == MEMBER_SWIZZLE;
    uint32_t number = is_swizzle ? expression->member.swizzle[0] : expression->member.member_index;
    lower->at.span = lower_span(expression->span);
    if (expression->is_reference) {
        push_index(lower, climb, ir_builder_u32(&lower->at, number));
        return;
    }
    flush(lower, climb);
    if (!ir_value_is_set(climb->value)) {
        return;
    }
    if (lower_kind_of(lower, lower_type_of(lower, climb->value)) == TYPE_POINTER) {
        climb->value = ir_builder_load(&lower->at, climb->value); // p.xy
    }
    if (is_swizzle && expression->member.swizzle_count > 1) {
        climb->value = ir_builder_swizzle(
            &lower->at, climb->value, expression->member.swizzle, expression->member.swizzle_count);
    } else {
        climb->value = ir_builder_extract(&lower->at, climb->value, number);
    }
}

static void apply_load_rule(
    struct lower *lower, struct climb *climb, const struct ast_expression *expression) {
    if (!expression->needs_load) {
        return;
    }
    flush(lower, climb);
    lower->at.span = lower_span(expression->span);
    if (ir_value_is_set(climb->value)) {
        climb->value = ir_builder_load(&lower->at, climb->value);
    }
}

static void climb_to(struct lower *lower, struct climb *climb, struct ast_expression *expression) {
    switch ((enum expression_kind)expression->kind) {
    case EXPRESSION_BINARY:
        climb_binary(lower, climb, expression);
        break;
    case EXPRESSION_INDEX:
        climb_index(lower, climb, expression);
        break;
    case EXPRESSION_MEMBER:
        climb_member(lower, climb, expression);
        break;
    case EXPRESSION_ERROR:
    case EXPRESSION_LITERAL:
    case EXPRESSION_IDENTIFIER:
    case EXPRESSION_CALL:
    case EXPRESSION_UNARY:
    case EXPRESSION_ADDRESS_OF:
    case EXPRESSION_INDIRECTION:
    case EXPRESSION_PAREN:
        break;
    }
    apply_load_rule(lower, climb, expression);
}

ir_value lower_expression(struct lower *lower, struct ast_expression *expression) {
    enum { INLINE_SPINE = 8 };
    struct ast_expression *inline_spine[INLINE_SPINE];
    VECTOR(struct ast_expression *) long_spine = {0};
    uint32_t inline_count = 0;
    struct ast_expression *bottom = expression;
    while (!is_constant(lower, bottom)) {
        struct ast_expression *next = ast_expression_get_spine(bottom);
        if (!next) {
            break;
        }
        if (inline_count < INLINE_SPINE) {
            inline_spine[inline_count++] = bottom;
        } else if (!vector_push(&long_spine, MEMORY_COMPILE, bottom)) {
            lower_fail(lower);
            vector_finish(&long_spine);
            return (ir_value){0};
        }
        bottom = next;
    }
    struct climb climb = {0};
    lower->at.span = lower_span(bottom->span);
    if (is_constant(lower, bottom)) {
        climb.value = lower_constant(lower, bottom->value);
    } else {
        climb.value = lower_bottom(lower, bottom);
        apply_load_rule(lower, &climb, bottom);
    }
    for (size_t i = long_spine.count; i > 0; i--) {
        climb_to(lower, &climb, long_spine.items[i - 1]);
    }
    for (uint32_t i = inline_count; i > 0; i--) {
        climb_to(lower, &climb, inline_spine[i - 1]);
    }
    flush(lower, &climb);
    vector_finish(&long_spine);
    return climb.value;
}
