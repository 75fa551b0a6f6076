// SPDX-License-Identifier: MIT
//
// Copies one function's body to the place of a call. See inline_priv.h.
#include "shader/pass/inline_priv.h"

// Where a return leads from the region at hand.
enum return_path {
    PATH_END,        // the body's last operation, nothing else returns: just go on
    PATH_SWITCH,     // exit_switch leaves the switch that stands for the body
    PATH_FLAG_LOOP,  // set the flag and leave the innermost loop
    PATH_FLAG_SWITCH // set the flag and leave the innermost switch
};

struct cloner {
    struct ir_module *module;
    uint32_t source;
    uint32_t caller;
    ir_value *values;    // source value -> caller value
    uint8_t *has_return; // by source operation: a return stands inside
    ir_value result_var; // holds the returned value until the end
    ir_value flag_var;   // true once a return left a loop or switch
    ir_value result;     // PATH_END
    struct arena *scratch;
};

static const struct ir_function *source_of(const struct cloner *c) {
    return &c->module->functions.items[c->source];
}

static ir_value map_value(struct cloner *c, struct ir_builder *b, ir_value value) {
    if (c->values[value.index].index == 0) {
        const struct ir_value_info *info = ir_value_get(source_of(c), value);
        if (info->kind == IR_VALUE_CONSTANT) {
            c->values[value.index] = ir_builder_constant(b, info->definition);
        }
    }
    return c->values[value.index];
}

static ir_value *map_operands(struct cloner *c, struct ir_builder *b, const struct ir_op *op) {
    ir_value *operands = ARENA_ARRAY(c->scratch, ir_value, (size_t)op->operand_count + 1);
    for (uint32_t i = 0; operands != NULL && i < op->operand_count; i++) {
        operands[i] = map_value(c, b, op->operands[i]);
    }
    return operands;
}

static void map_results(struct cloner *c, const struct ir_op *op, ir_value first) {
    for (uint32_t i = 0; i < op->result_count && first.index != 0; i++) {
        ir_value copy = {first.index + i};
        c->values[ir_op_result(op, i).index] = copy;
        struct ir_function *caller = &c->module->functions.items[c->caller];
        ir_value_set_name(
            c->module, caller, copy, ir_value_name(source_of(c), ir_op_result(op, i)));
    }
}

static type_id *result_types(const struct cloner *c, const struct ir_op *op) {
    type_id *types = ARENA_ARRAY(c->scratch, type_id, (size_t)op->result_count + 1);
    for (uint32_t i = 0; types != NULL && i < op->result_count; i++) {
        types[i] = ir_value_type(source_of(c), ir_op_result(op, i));
    }
    return types;
}

// Leaves the construct that target (a caller operation) is, with zeros for its results: nobody will
// look at them.
static bool leave(struct cloner *c, struct ir_builder *b, enum ir_opcode exit, ir_op_id target) {
    uint32_t count = ir_op_get(pass_function(b), target)->result_count;
    ir_value *zeros = ARENA_ARRAY(c->scratch, ir_value, (size_t)count + 1);
    if (zeros == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_op *op = ir_op_get(pass_function(b), target);
        zeros[i] = ir_builder_zero(b, ir_value_type(pass_function(b), ir_op_result(op, i)));
    }
    ir_builder_terminate(b, exit, zeros, count);
    return true;
}

static bool clone_return(struct cloner *c, struct ir_builder *b, const struct ir_op *op,
    enum return_path path, ir_op_id target) {
    ir_value value = {0};
    if (op->operand_count != 0) {
        value = map_value(c, b, op->operands[0]);
    }
    if (path == PATH_END) {
        c->result = value;
        return true;
    }
    if (value.index != 0) {
        ir_builder_store(b, c->result_var, value);
    }
    if (path == PATH_SWITCH) {
        ir_builder_terminate(b, IR_EXIT_SWITCH, NULL, 0);
        return true;
    }
    ir_builder_store(b, c->flag_var, ir_builder_bool(b, true));
    return leave(c, b, path == PATH_FLAG_LOOP ? IR_EXIT_LOOP : IR_EXIT_SWITCH, target);
}

// After a construct that a return may have left: if (flag) { go on leaving } else { }.
static bool test_flag(
    struct cloner *c, struct ir_builder *b, enum return_path path, ir_op_id target) {
    ir_value flag = ir_builder_load(b, c->flag_var);
    ir_op_id test = ir_builder_if(b, flag, NULL, 0);
    struct ir_builder then = ir_builder_in(b, test, 0);
    if (path == PATH_SWITCH) {
        ir_builder_terminate(&then, IR_EXIT_SWITCH, NULL, 0);
    } else if (!c->module->has_failed) {
        TRY(leave(c, &then, path == PATH_FLAG_LOOP ? IR_EXIT_LOOP : IR_EXIT_SWITCH, target));
    }
    struct ir_builder otherwise = ir_builder_in(b, test, 1);
    ir_builder_terminate(&otherwise, IR_EXIT_IF, NULL, 0);
    return !c->module->has_failed;
}

static bool clone_region(struct cloner *c, ir_region_id region, struct ir_builder *b,
    enum return_path path, ir_op_id target);

static bool clone_control(
    struct cloner *c, struct ir_builder *b, ir_op_id id, enum return_path path, ir_op_id target) {
    const struct ir_op *op = ir_op_get(source_of(c), id);
    ir_value *operands = map_operands(c, b, op);
    type_id *types = result_types(c, op);
    if (operands == NULL || types == NULL) {
        return false;
    }
    ir_op_id copy = {0};
    enum return_path inner = path;
    ir_op_id inner_target = target;
    bool is_left = c->has_return[id.index] != 0;
    switch (op->opcode) {
    case IR_IF:
        copy = ir_builder_if(b, operands[0], types, op->result_count);
        break;
    case IR_LOOP:
        copy = ir_builder_loop(b, operands, op->operand_count, types, op->result_count);
        inner = PATH_FLAG_LOOP;
        inner_target = copy;
        break;
    default:
        copy = ir_builder_switch(
            b, operands[0], op->data.cases, op->region_count, types, op->result_count);
        inner = PATH_FLAG_SWITCH;
        inner_target = copy;
        break;
    }
    if (c->module->has_failed) {
        return false;
    }
    map_results(c, op, ir_op_get(pass_function(b), copy)->first_result);
    for (uint32_t i = 0; i < op->region_count; i++) {
        // The source does not grow, but operations of the caller move when it does.
        const struct ir_region *from = ir_region_get(source_of(c), op->regions[i]);
        struct ir_builder in = ir_builder_in(b, copy, i);
        for (uint32_t k = 0; k < from->parameter_count; k++) {
            ir_value parameter = {0};
            if (op->opcode == IR_LOOP && i == 0) {
                parameter = ir_region_get(pass_function(b), in.region)->parameters[k];
            } else {
                parameter = ir_region_add_parameter(c->module, c->caller, in.region,
                    ir_value_type(source_of(c), from->parameters[k]));
            }
            c->values[from->parameters[k].index] = parameter;
        }
    }
    for (uint32_t i = 0; i < op->region_count; i++) {
        struct ir_builder in = ir_builder_in(b, copy, i);
        TRY(clone_region(c, op->regions[i], &in, inner, inner_target));
    }
    if (is_left && op->opcode != IR_IF) {
        return test_flag(c, b, path, target);
    }
    return true;
}

static bool clone_op(
    struct cloner *c, struct ir_builder *b, ir_op_id id, enum return_path path, ir_op_id target) {
    const struct ir_op *op = ir_op_get(source_of(c), id);
    b->span = op->span;
    if (op->opcode == IR_RETURN) {
        return clone_return(c, b, op, path, target);
    }
    if (op->region_count != 0) {
        return clone_control(c, b, id, path, target);
    }
    ir_value *operands = map_operands(c, b, op);
    type_id *types = result_types(c, op);
    TRY(operands != NULL && types != NULL);
    ir_value first = ir_builder_op(
        b, op->opcode, operands, op->operand_count, types, op->result_count, op->data);
    map_results(c, op, first);
    return !c->module->has_failed;
}

// Recursion follows nesting, which the caller of inline_call has bounded.
static bool clone_region(struct cloner *c, ir_region_id region, struct ir_builder *b,
    enum return_path path, ir_op_id target) {
    for (ir_op_id id = ir_region_get(source_of(c), region)->first; id.index != 0;
         id = ir_op_get(source_of(c), id)->next) {
        TRY(clone_op(c, b, id, path, target));
    }
    return true;
}

// ---------------------------------------------------------------- early returns as nested branches

static bool is_falling_through(const struct cloner *c, ir_region_id region) {
    ir_op_id last = ir_region_get(source_of(c), region)->last;
    return ir_op_get(source_of(c), last)->opcode == IR_EXIT_IF;
}

// Every return stands in branches of which at most one goes on, so that what follows has one place.
static bool can_nest(const struct cloner *c, ir_region_id region, uint32_t *count) {
    for (ir_op_id id = ir_region_get(source_of(c), region)->first; id.index != 0;
         id = ir_op_get(source_of(c), id)->next) {
        const struct ir_op *op = ir_op_get(source_of(c), id);
        if (!c->has_return[id.index]) {
            continue;
        }
        if (op->opcode != IR_IF || op->result_count != 0 || ++*count > INLINE_NEST_LIMIT ||
            (is_falling_through(c, op->regions[0]) && is_falling_through(c, op->regions[1]))) {
            return false;
        }
        TRY(can_nest(c, op->regions[0], count));
        TRY(can_nest(c, op->regions[1], count));
    }
    return true;
}

// What follows the branch around, and what follows that.
struct continuation {
    ir_op_id next;
    const struct continuation *outer;
};

// Clones from an operation to the body's end. Inside a branch the end is its exit_if. Recursion:
// once an early return, at most INLINE_NEST_LIMIT deep.
static bool clone_nested(struct cloner *c, struct ir_builder *b, ir_op_id id,
    const struct continuation *outer, bool is_inside) {
    while (id.index != 0) {
        const struct ir_op *op = ir_op_get(source_of(c), id);
        if (op->opcode == IR_EXIT_IF) {
            id = outer->next;
            outer = outer->outer;
            continue;
        }
        if (op->opcode == IR_RETURN && op->operand_count != 0) {
            b->span = op->span;
            ir_builder_store(b, c->result_var, map_value(c, b, op->operands[0]));
        }
        if (op->opcode == IR_RETURN || op->opcode == IR_UNREACHABLE) {
            break;
        }
        if (!c->has_return[id.index]) {
            TRY(clone_op(c, b, id, PATH_END, id));
            id = op->next;
            continue;
        }
        b->span = op->span;
        ir_op_id branch = ir_builder_if(b, map_value(c, b, op->operands[0]), NULL, 0);
        struct continuation rest = {op->next, outer};
        for (uint32_t i = 0; i < 2 && !c->module->has_failed; i++) {
            struct ir_builder in = ir_builder_in(b, branch, i);
            ir_op_id first = ir_region_get(source_of(c), op->regions[i])->first;
            TRY(clone_nested(c, &in, first, &rest, true));
        }
        break;
    }
    if (is_inside) {
        ir_builder_terminate(b, IR_EXIT_IF, NULL, 0);
    }
    return !c->module->has_failed;
}

// Marks the control operations that hold a return; true when the only return is the body's end.
static bool find_returns(struct cloner *c, bool *out_is_single) {
    const struct ir_function *source = source_of(c);
    uint32_t count = 0;
    const uint32_t *regions = pass_list_regions(source, c->scratch, &count);
    c->has_return = ARENA_ARRAY(c->scratch, uint8_t, source->ops.count);
    if (regions == NULL || c->has_return == NULL) {
        return false;
    }
    *out_is_single = true;
    // Inner regions stand later in the list: backwards, a region's owner is marked after its
    // contents.
    for (uint32_t i = count; i-- > 0;) {
        const struct ir_region *region = &source->regions.items[regions[i]];
        bool has_return = false;
        for (ir_op_id id = region->first; id.index != 0; id = ir_op_get(source, id)->next) {
            has_return = has_return || ir_op_get(source, id)->opcode == IR_RETURN ||
                c->has_return[id.index];
        }
        if (region->owner.index != 0 && has_return) {
            c->has_return[region->owner.index] = 1;
            *out_is_single = false;
        }
    }
    const struct ir_region *body = ir_region_get(source, source->body);
    *out_is_single = *out_is_single && body->last.index != 0 &&
        ir_op_get(source, body->last)->opcode == IR_RETURN;
    return true;
}

static bool clone_with_returns(struct cloner *c, struct ir_builder *b, type_id return_type) {
    uint32_t count = 0;
    bool has_value = return_type.index != TYPE_VOID;
    if (has_value) {
        c->result_var = ir_builder_var(b, return_type, (struct text){"", 0});
    }
    if (can_nest(c, source_of(c)->body, &count)) {
        ir_op_id first = ir_region_get(source_of(c), source_of(c)->body)->first;
        TRY(clone_nested(c, b, first, NULL, false));
        c->result = has_value ? ir_builder_load(b, c->result_var) : (ir_value){0};
        return true;
    }
    c->flag_var = ir_builder_var(b, type_scalar(TYPE_BOOL), (struct text){"", 0});
    ir_builder_store(b, c->flag_var, ir_builder_bool(b, false));
    struct ir_case only = {.is_default = true};
    ir_op_id wrapper = ir_builder_switch(b, ir_builder_u32(b, 0), &only, 1, NULL, 0);
    if (c->module->has_failed) {
        return false;
    }
    struct ir_builder in = ir_builder_in(b, wrapper, 0);
    TRY(clone_region(c, source_of(c)->body, &in, PATH_SWITCH, wrapper));
    if (has_value) {
        c->result = ir_builder_load(b, c->result_var);
    }
    return true;
}

bool inline_call(struct ir_module *module, uint32_t caller, ir_op_id call, struct arena *scratch,
    struct pass_map *map) {
    const struct ir_op *op = ir_op_get(&module->functions.items[caller], call);
    struct cloner c = {
        .module = module, .source = op->data.index, .caller = caller, .scratch = scratch};
    c.values = ARENA_ARRAY(scratch, ir_value, source_of(&c)->values.count);
    bool is_single = false;
    if (c.values == NULL || !find_returns(&c, &is_single)) {
        return false;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        c.values[source_of(&c)->parameters[i].index] = op->operands[i];
    }
    struct ir_builder b = ir_builder_before(module, caller, call);
    type_id return_type = source_of(&c)->return_type;
    if (is_single) {
        TRY(clone_region(&c, source_of(&c)->body, &b, PATH_END, call));
    } else {
        TRY(clone_with_returns(&c, &b, return_type));
    }
    if (module->has_failed) {
        return false;
    }
    op = ir_op_get(&module->functions.items[caller], call);
    if (op->result_count != 0) {
        pass_map_set(map, op->first_result, c.result);
    }
    ir_op_unlink(&module->functions.items[caller], call);
    return true;
}
