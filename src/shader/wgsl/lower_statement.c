// SPDX-License-Identifier: MIT
//
// Statements that do not branch, and blocks. After a terminator the rest of a block is dead: it is
// not lowered (lower.c still names the module variables that it uses, since WGSL counts those).

#include "shader/wgsl/lower_priv.h"

void lower_terminate(struct lower *lower, enum ir_opcode terminator, const ir_value *operands,
    uint32_t operand_count) {
    if (!lower->is_terminated) {
        ir_builder_terminate(&lower->at, terminator, operands, operand_count);
        lower->is_terminated = true;
    }
}

void lower_block(struct lower *lower, const struct ast_block *block) {
    for (uint32_t i = 0; i < block->count && !lower->is_terminated; i++) {
        lower_statement(lower, block->items[i]);
    }
}

// Gives a value of the program its name, unless it is a constant or has one already.
static void name_value(struct lower *lower, ir_value value, struct text name) {
    if (!ir_value_is_set(value) || lower->ir->has_failed) {
        return;
    }
    struct ir_function *function = &lower->ir->functions.items[lower->at.function];
    const struct ir_value_info *info = ir_value_get(function, value);
    if (info->kind == IR_VALUE_RESULT && info->name == 0) {
        ir_value_set_name(lower->ir, function, value, name);
    }
}

static void lower_declaration(struct lower *lower, struct ast_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARATION_VARIABLE: {
        ir_value initial = {0};
        if (declaration->initializer) {
            initial = lower_expression(lower, declaration->initializer);
        } else {
            initial = ir_builder_zero(&lower->at, declaration->type);
        }
        lower->at.span = lower_span(declaration->name_span);
        ir_value pointer = ir_builder_var(&lower->at, declaration->type, declaration->name->text);
        declaration->ir_id = pointer.index;
        lower->at.span = lower_span(declaration->span);
        if (ir_value_is_set(pointer) && ir_value_is_set(initial)) {
            ir_builder_store(&lower->at, pointer, initial);
        }
        break;
    }
    case DECLARATION_LET: {
        ir_value value = lower_expression(lower, declaration->initializer);
        name_value(lower, value, declaration->name->text);
        declaration->ir_id = value.index;
        break;
    }
    case DECLARATION_CONST: // its uses carry the value
    case DECLARATION_OVERRIDE:
    case DECLARATION_PARAMETER:
    case DECLARATION_ALIAS:
    case DECLARATION_STRUCT:
    case DECLARATION_FUNCTION:
    case DECLARATION_CONST_ASSERT:
        break;
    }
}

// Order: the reference, then for `op=` its old value, then the right-hand side, then the store.
static void lower_assign(struct lower *lower, const struct ast_statement *statement) {
    if (!statement->assign.target) {
        lower_expression(lower, statement->assign.value);
        return;
    }
    ir_value pointer = lower_expression(lower, statement->assign.target);
    ir_value old = {0};
    if (statement->assign.is_compound) {
        lower->at.span = lower_span(statement->assign.target->span);
        old = ir_value_is_set(pointer) ? ir_builder_load(&lower->at, pointer) : pointer;
    }
    ir_value value = lower_expression(lower, statement->assign.value);
    lower->at.span = lower_span(statement->span);
    if (statement->assign.is_compound) {
        value = lower_binary(lower, (enum binary_operator)statement->assign.op, old, value);
    }
    if (ir_value_is_set(pointer) && ir_value_is_set(value)) {
        ir_builder_store(&lower->at, pointer, value);
    }
}

static void lower_increment(struct lower *lower, const struct ast_statement *statement) {
    ir_value pointer = lower_expression(lower, statement->increment.target);
    if (!ir_value_is_set(pointer)) {
        return;
    }
    lower->at.span = lower_span(statement->span);
    ir_value old = ir_builder_load(&lower->at, pointer);
    bool is_signed = lower_kind_of(lower, lower_type_of(lower, old)) == TYPE_I32;
    ir_value one = is_signed ? ir_builder_i32(&lower->at, 1) : ir_builder_u32(&lower->at, 1);
    enum ir_opcode opcode = statement->increment.is_decrement ? IR_SUB_I : IR_ADD_I;
    ir_builder_store(&lower->at, pointer, ir_builder_binary(&lower->at, opcode, old, one));
}

static void lower_return(struct lower *lower, const struct ast_statement *statement) {
    ir_value value = {0};
    if (statement->result) {
        value = lower_expression(lower, statement->result);
        lower->at.span = lower_span(statement->span);
    }
    if (lower->entry) {
        if (statement->result) {
            lower_entry_outputs(lower, value);
        }
        lower_terminate(lower, IR_RETURN, NULL, 0);
    } else {
        lower_terminate(lower, IR_RETURN, &value, statement->result ? 1 : 0);
    }
}

void lower_statement(struct lower *lower, const struct ast_statement *statement) {
    lower->at.span = lower_span(statement->span);
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_COMPOUND:
        lower_block(lower, &statement->compound);
        break;
    case STATEMENT_DECLARATION:
        lower_declaration(lower, statement->declaration);
        break;
    case STATEMENT_ASSIGN:
        lower_assign(lower, statement);
        break;
    case STATEMENT_INCREMENT:
        lower_increment(lower, statement);
        break;
    case STATEMENT_CALL:
        lower_expression(lower, statement->call);
        break;
    case STATEMENT_IF:
        lower_if(lower, statement);
        break;
    case STATEMENT_SWITCH:
        lower_switch(lower, statement);
        break;
    case STATEMENT_LOOP:
        lower_loop(lower, statement);
        break;
    case STATEMENT_FOR:
        lower_for(lower, statement);
        break;
    case STATEMENT_WHILE:
        lower_while(lower, statement);
        break;
    case STATEMENT_BREAK:
        lower->has_exit = true;
        lower_terminate(
            lower, lower->break_target == BREAK_SWITCH ? IR_EXIT_SWITCH : IR_EXIT_LOOP, NULL, 0);
        break;
    case STATEMENT_CONTINUE:
        lower->has_continue = true;
        lower_terminate(lower, IR_CONTINUE, NULL, 0);
        break;
    case STATEMENT_RETURN:
        lower_return(lower, statement);
        break;
    case STATEMENT_DISCARD:
        ir_builder_op(&lower->at, IR_DISCARD, NULL, 0, NULL, 0, (union ir_op_data){0});
        break;
    case STATEMENT_CONST_ASSERT:
        break;
    }
}
