// SPDX-License-Identifier: MIT
//
// The variables of a module: those at module scope, and each function's own, found in its statements.
// See explain_priv.h.
#include "shader/explain/explain_priv.h"

#include "base/try.h"

static bool contains_array(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    if (type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->member_count; i++) {
            if (type_kind_of(types, type->members[i].type) == TYPE_ARRAY) {
                return true; // one level is enough: what matters is the size
            }
        }
    }
    return type->kind == TYPE_ARRAY;
}

static bool add_variable(struct explain_facts *facts, const struct ast_declaration *declaration,
    const struct ast_declaration *function) {
    const struct type_table *types = facts->layout.types;
    const struct type *type = type_get(types, declaration->type);
    struct explain_variable variable = {.declaration = declaration,
        .function = function,
        .access = type->kind == TYPE_TEXTURE_STORAGE ? type->access : declaration->access};
    bool is_resource = declaration->space == SPACE_UNIFORM || declaration->space == SPACE_STORAGE;
    if (declaration->space != SPACE_HANDLE) {
        variable.has_bytes = (type->traits & TYPE_TRAIT_OVERRIDE_ARRAY) == 0;
        variable.bytes = is_resource ? type_minimum_binding_size(types, declaration->type)
                                     : type->size_bytes;
    }
    if (type->traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        const struct type *last = type->kind == TYPE_STRUCT
            ? type_get(types, type->members[type->member_count - 1].type)
            : type;
        variable.element_bytes = last->stride_bytes;
    }
    variable.is_storage_texture = type->kind == TYPE_TEXTURE_STORAGE;
    variable.contains_array = contains_array(types, declaration->type);
    return arena_vector_push(&facts->module->base.arena, &facts->variables, variable);
}

static bool walk_block(struct explain_facts *facts, const struct ast_declaration *function,
    const struct ast_block *block);

// Recursion is bounded by AST_STATEMENT_DEPTH_LIMIT.
static bool walk_statement(struct explain_facts *facts, const struct ast_declaration *function,
    const struct ast_statement *statement) {
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_COMPOUND:
        return walk_block(facts, function, &statement->compound);
    case STATEMENT_DECLARATION:
        return statement->declaration->kind != DECLARATION_VARIABLE ||
            statement->declaration->type.index == 0 ||
            add_variable(facts, statement->declaration, function);
    case STATEMENT_IF:
        for (uint32_t i = 0; i < statement->branch.clause_count; i++) {
            TRY(walk_block(facts, function, &statement->branch.clauses[i].block));
        }
        return statement->branch.otherwise == NULL ||
            walk_block(facts, function, statement->branch.otherwise);
    case STATEMENT_SWITCH:
        for (uint32_t i = 0; i < statement->select.clause_count; i++) {
            TRY(walk_block(facts, function, &statement->select.clauses[i].block));
        }
        return true;
    case STATEMENT_LOOP:
        TRY(walk_block(facts, function, &statement->loop.body));
        return statement->loop.continuing == NULL ||
            walk_block(facts, function, statement->loop.continuing);
    case STATEMENT_FOR:
        TRY(statement->loop_for.init == NULL ||
            walk_statement(facts, function, statement->loop_for.init));
        return walk_block(facts, function, &statement->loop_for.body);
    case STATEMENT_WHILE:
        return walk_block(facts, function, &statement->loop_while.body);
    case STATEMENT_ASSIGN:
    case STATEMENT_INCREMENT:
    case STATEMENT_CALL:
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
    case STATEMENT_RETURN:
    case STATEMENT_DISCARD:
    case STATEMENT_CONST_ASSERT:
        return true;
    }
    return true;
}

static bool walk_block(struct explain_facts *facts, const struct ast_declaration *function,
    const struct ast_block *block) {
    for (uint32_t i = 0; i < block->count; i++) {
        TRY(walk_statement(facts, function, block->items[i]));
    }
    return true;
}

// ---- Indexed by a run-time value: told by the IR ----

// The variable at the root of a pointer: its operation in the function, or 0.
static ir_op_id find_root(const struct ir_function *function, ir_value pointer) {
    for (;;) {
        const struct ir_value_info *info = ir_value_get(function, pointer);
        if (info->kind != IR_VALUE_RESULT) {
            return (ir_op_id){0};
        }
        const struct ir_op *op = &function->ops.items[info->definition];
        if (op->opcode == IR_VAR || op->opcode == IR_VARIABLE) {
            return (ir_op_id){info->definition};
        }
        if (op->opcode != IR_ACCESS) {
            return (ir_op_id){0};
        }
        pointer = op->operands[0]; // defined before it: the walk ends
    }
}

static bool has_runtime_index(const struct ir_function *function, const struct ir_op *access) {
    for (uint32_t i = 1; i < access->operand_count; i++) {
        if (ir_value_get(function, access->operands[i])->kind != IR_VALUE_CONSTANT) {
            return true;
        }
    }
    return false;
}

struct variable_key {
    uint32_t begin; // of the name in the source
    uint32_t index; // in facts->variables
};

static void mark_root(struct explain_facts *facts, const struct ir_function *function,
    ir_value pointer, const struct variable_key *by_place, const uint32_t *by_ir) {
    ir_op_id root = find_root(function, pointer);
    if (root.index == 0) {
        return;
    }
    const struct ir_op *op = ir_op_get(function, root);
    uint32_t found = UINT32_MAX;
    if (op->opcode == IR_VARIABLE) {
        found = by_ir[op->data.index];
    } else {
        // Sorted by place, as the text has them.
        size_t low = facts->module_variable_count, high = facts->variables.count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (by_place[middle].begin < op->span.begin) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low < facts->variables.count && by_place[low].begin == op->span.begin) {
            found = by_place[low].index;
        }
    }
    if (found != UINT32_MAX) {
        facts->variables.items[found].is_indexed = true;
    }
}

static bool find_ir_variables(struct explain_facts *facts, uint32_t *by_ir) {
    const struct ir_module *ir = facts->module->base.ir;
    for (size_t i = 0; i < ir->variables.count; i++) {
        by_ir[i] = UINT32_MAX;
        for (uint32_t k = 0; k < facts->module_variable_count; k++) {
            if (text_equals(ir->variables.items[i].name,
                    facts->variables.items[k].declaration->name->text)) {
                by_ir[i] = k;
                break;
            }
        }
    }
    return true;
}

static bool mark_indexed(struct explain_facts *facts) {
    const struct ir_module *ir = facts->module->base.ir;
    struct arena *arena = &facts->module->base.arena;
    if (ir == NULL || ir->variables.count * (uint64_t)facts->module_variable_count > 100000000) {
        return true;
    }
    struct variable_key *by_place = ARENA_ARRAY(
        arena, struct variable_key, facts->variables.count + 1);
    uint32_t *by_ir = ARENA_ARRAY(arena, uint32_t, ir->variables.count + 1);
    TRY(by_place != NULL && by_ir != NULL && find_ir_variables(facts, by_ir));
    for (uint32_t i = 0; i < facts->variables.count; i++) {
        by_place[i] = (struct variable_key){
            facts->variables.items[i].declaration->name_span.begin, i};
    }
    for (size_t f = 0; f < ir->functions.count; f++) {
        const struct ir_function *function = &ir->functions.items[f];
        for (size_t i = 1; i < function->ops.count; i++) {
            const struct ir_op *op = &function->ops.items[i];
            if (op->parent.index == 0) {
                continue;
            }
            if (op->opcode == IR_ACCESS && has_runtime_index(function, op)) {
                mark_root(facts, function, op->operands[0], by_place, by_ir);
            }
            // A pointer that is handed on may be indexed there.
            for (uint32_t k = 0; op->opcode == IR_CALL && k < op->operand_count; k++) {
                if (type_kind_of(&ir->types, ir_value_type(function, op->operands[k])) ==
                    TYPE_POINTER) {
                    mark_root(facts, function, op->operands[k], by_place, by_ir);
                }
            }
        }
    }
    return true;
}

bool explain_gather_variables(struct explain_facts *facts) {
    const struct ast_module *ast = facts->module->ast;
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        if (declaration->kind == DECLARATION_VARIABLE && declaration->type.index != 0) {
            TRY(add_variable(facts, declaration, NULL));
        }
    }
    facts->module_variable_count = (uint32_t)facts->variables.count;
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        if (declaration->kind == DECLARATION_FUNCTION && declaration->function != NULL) {
            TRY(walk_block(facts, declaration, &declaration->function->body));
        }
    }
    return mark_indexed(facts);
}
