// SPDX-License-Identifier: MIT
//
// The validator: links, scope, control flow and nesting of every function, and the module's own
// rows. Types by family are in ir_validate_op.c and its neighbours. Linear in the module's size;
// recursion follows region nesting and stops at IR_NESTING_LIMIT. Pure.
#include "shader/ir/ir_text.h"

#include <stdlib.h>
#include <string.h>

#include "shader/ir/ir_validate_priv.h"

#define ERROR_LIMIT 20

// One control operation around the operation at hand.
struct scope {
    const struct ir_op *op;
    uint32_t region;         // number
    ir_op_id top;            // the operation of that region in which the walk is
    ir_op_id first_continue; // loop body: the `top` that holds the first continue
    bool has_exit;           // an exit_* of this operation was seen
};

struct validator {
    struct ir_type_check check; // op changes with the walk
    struct text_buffer *out;
    uint32_t error_count;
    bool *visible;     // by value
    bool *op_seen;     // by operation
    bool *region_seen; // by region
    uint32_t *entries; // check.entries
    struct scope scopes[IR_NESTING_LIMIT];
    uint32_t depth;
};

static void report(struct validator *v, const char *reason) {
    if (v->error_count++ >= ERROR_LIMIT) {
        return;
    }
    if (v->check.function == NULL) {
        text_buffer_print(v->out, "module: %s\n", reason);
        return;
    }
    const struct ir_function *function = v->check.function;
    text_buffer_print(
        v->out, "function %u \"%.*s\"", v->check.function_number, TEXT_ARGS(function->name));
    if (v->check.op != NULL) {
        text_buffer_print(v->out, ", operation %zu %s", (size_t)(v->check.op - function->ops.items),
            ir_op_get_info(v->check.op->opcode)->text);
        if (v->check.op->span.end != 0) {
            text_buffer_print(v->out, " at %u-%u", v->check.op->span.begin, v->check.op->span.end);
        }
    }
    text_buffer_print(v->out, ": %s\n", reason);
}

static bool is_pointer(const struct validator *v, type_id type) {
    return type_kind_of(&v->check.module->types, type) == TYPE_POINTER;
}

// True when the operands from `first` have the types of the values.
static bool operands_match(const struct validator *v, const struct ir_op *op, uint32_t first,
    uint32_t count, const ir_value *values) {
    for (uint32_t i = 0; i < count; i++) {
        if (!type_equals(ir_value_type(v->check.function, op->operands[first + i]),
                ir_value_type(v->check.function, values[i]))) {
            return false;
        }
    }
    return true;
}

static bool results_match(const struct validator *v, const struct ir_op *op, uint32_t first,
    const struct ir_op *control) {
    for (uint32_t i = 0; i < control->result_count; i++) {
        if (!type_equals(ir_value_type(v->check.function, op->operands[first + i]),
                ir_value_type(v->check.function, ir_op_result(control, i)))) {
            return false;
        }
    }
    return true;
}

// The scope that an exit or continue leaves, NULL when there is none in reach.
static struct scope *find_target(struct validator *v, enum ir_opcode terminator) {
    for (uint32_t i = v->depth; i-- > 0;) {
        struct scope *scope = &v->scopes[i];
        switch (scope->op->opcode) {
        case IR_IF:
            if (terminator == IR_EXIT_IF) {
                return scope;
            }
            break;
        case IR_SWITCH:
            if (terminator == IR_EXIT_SWITCH) {
                return scope;
            }
            if (terminator == IR_EXIT_IF) {
                return NULL;
            }
            break;
        default: // a loop
            return (terminator == IR_EXIT_LOOP || terminator == IR_CONTINUE) && scope->region == 0
                ? scope
                : NULL;
        }
    }
    return NULL;
}

static bool is_in_continuing(const struct validator *v) {
    for (uint32_t i = 0; i < v->depth; i++) {
        if (v->scopes[i].op->opcode == IR_LOOP && v->scopes[i].region == 1) {
            return true;
        }
    }
    return false;
}

static void check_return(struct validator *v, const struct ir_op *op) {
    type_id type = v->check.function->return_type;
    bool is_void = type.index == TYPE_VOID;
    if (op->operand_count != (is_void ? 0u : 1u) ||
        (!is_void && !type_equals(type, ir_value_type(v->check.function, op->operands[0])))) {
        report(v, "the returned value does not fit the function's type");
    }
    if (is_in_continuing(v)) {
        report(v, "a return stands in a continuing region");
    }
}

static void check_continue(struct validator *v, const struct ir_op *op, struct scope *scope) {
    const struct ir_region *continuing = ir_region_get(v->check.function, scope->op->regions[1]);
    if (op->operand_count != continuing->parameter_count ||
        !operands_match(v, op, 0, op->operand_count, continuing->parameters)) {
        report(v, "the operands do not fit the continuing region's parameters");
    }
    if (scope->first_continue.index == 0) {
        scope->first_continue = scope->top;
    }
}

static void check_back_edge(struct validator *v, const struct ir_op *op) {
    struct scope *scope = v->depth != 0 ? &v->scopes[v->depth - 1] : NULL;
    if (scope == NULL || scope->op->opcode != IR_LOOP || scope->region != 1) {
        report(v, "only a continuing region ends so");
        return;
    }
    const struct ir_region *body = ir_region_get(v->check.function, scope->op->regions[0]);
    bool is_break = op->opcode == IR_BREAK_IF;
    uint32_t first = is_break ? 1 : 0;
    uint32_t arguments = is_break ? op->data.break_if.body_argument_count : op->operand_count;
    uint32_t rest = is_break ? scope->op->result_count : 0;
    if (arguments != body->parameter_count || op->operand_count != first + arguments + rest) {
        report(v, "wrong number of operands for the loop");
        return;
    }
    if (!operands_match(v, op, first, arguments, body->parameters) ||
        (is_break && !results_match(v, op, first + arguments, scope->op))) {
        report(v, "the operands do not fit the loop's parameters or results");
    }
    if (is_break && ir_value_type(v->check.function, op->operands[0]).index != TYPE_BOOL) {
        report(v, "the condition is not a bool");
    }
    scope->has_exit = scope->has_exit || is_break;
}

static void check_terminator(struct validator *v, const struct ir_op *op) {
    if (op->result_count != 0) {
        report(v, "a terminator has no results");
    }
    struct scope *scope = NULL;
    switch (op->opcode) {
    case IR_EXIT_IF:
    case IR_EXIT_SWITCH:
    case IR_EXIT_LOOP:
        scope = find_target(v, op->opcode);
        if (scope == NULL) {
            report(v, "there is no construct of its kind to leave here");
        } else if (op->operand_count != scope->op->result_count ||
            !results_match(v, op, 0, scope->op)) {
            report(v, "the operands do not fit the results of the construct that it leaves");
        } else {
            scope->has_exit = true;
        }
        break;
    case IR_CONTINUE:
        scope = find_target(v, op->opcode);
        if (scope == NULL) {
            report(v, "there is no loop body to continue here");
        } else {
            check_continue(v, op, scope);
        }
        break;
    case IR_NEXT_ITERATION:
    case IR_BREAK_IF:
        check_back_edge(v, op);
        break;
    case IR_RETURN:
        check_return(v, op);
        break;
    default: // unreachable
        if (op->operand_count != 0) {
            report(v, "unreachable has no operands");
        }
        break;
    }
}

static int compare_selectors(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static void check_cases(struct validator *v, const struct ir_op *op) {
    uint32_t default_count = 0;
    VECTOR(uint32_t) selectors = {0};
    for (uint32_t i = 0; i < op->region_count; i++) {
        const struct ir_case *row = &op->data.cases[i];
        default_count += row->is_default ? 1 : 0;
        for (uint32_t k = 0; k < row->selector_count; k++) {
            if (!vector_push(&selectors, MEMORY_COMPILE, row->selectors[k])) {
                report(v, "out of memory");
                vector_finish(&selectors);
                return;
            }
        }
    }
    if (default_count != 1) {
        report(v, "a switch has exactly one default");
    }
    if (selectors.count != 0) {
        qsort(selectors.items, selectors.count, sizeof(uint32_t), compare_selectors);
    }
    for (size_t i = 1; i < selectors.count; i++) {
        if (selectors.items[i] == selectors.items[i - 1]) {
            report(v, "two cases have the same selector");
            break;
        }
    }
    vector_finish(&selectors);
}

// False when the regions must not be walked.
static bool check_control(struct validator *v, const struct ir_op *op) {
    for (uint32_t i = 0; i < op->result_count; i++) {
        if (is_pointer(v, ir_value_type(v->check.function, ir_op_result(op, i)))) {
            report(v, "a control operation has no pointer results");
        }
    }
    uint32_t regions = op->opcode == IR_SWITCH ? op->region_count : 2u;
    if (op->region_count != regions || (op->opcode != IR_LOOP && op->operand_count != 1)) {
        report(v, "wrong number of regions or operands");
        return false;
    }
    for (uint32_t i = 0; i < regions; i++) {
        if (op->regions[i].index == 0 || op->regions[i].index >= v->check.function->regions.count) {
            report(v, "a region index is out of range");
            return false;
        }
    }
    if (op->opcode == IR_LOOP) {
        const struct ir_region *body = ir_region_get(v->check.function, op->regions[0]);
        if (body->parameter_count != op->operand_count ||
            !operands_match(v, op, 0, op->operand_count, body->parameters)) {
            report(v, "the initial values do not fit the body's parameters");
        }
        return true;
    }
    uint32_t kind = ir_value_type(v->check.function, op->operands[0]).index;
    if (op->opcode == IR_IF && kind != TYPE_BOOL) {
        report(v, "the condition is not a bool");
    }
    if (op->opcode == IR_SWITCH) {
        if (kind != TYPE_I32 && kind != TYPE_U32) {
            report(v, "the selector is neither i32 nor u32");
        }
        check_cases(v, op);
    }
    return true;
}

// Operands defined and visible, results linked back to the operation.
static bool check_values(struct validator *v, const struct ir_op *op, ir_op_id id) {
    const struct ir_function *function = v->check.function;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        uint32_t index = op->operands[i].index;
        if (index == 0 || index >= function->values.count) {
            report(v, "an operand index is out of range");
            return false;
        }
        const struct ir_value_info *info = &function->values.items[index];
        if (info->kind == IR_VALUE_CONSTANT) {
            if (info->definition >= v->check.module->constants.count ||
                !type_equals(info->type, v->check.module->constants.items[info->definition].type)) {
                report(v, "an operand is no constant of its type");
                return false;
            }
        } else if (!v->visible[index]) {
            report(v, "an operand is not defined here");
            return false;
        }
    }
    for (uint32_t i = 0; i < op->result_count; i++) {
        uint32_t index = ir_op_result(op, i).index;
        if (index == 0 || index >= function->values.count) {
            report(v, "a result index is out of range");
            return false;
        }
        const struct ir_value_info *info = &function->values.items[index];
        if (info->kind != IR_VALUE_RESULT || info->definition != id.index || info->position != i ||
            info->type.index == 0 || info->type.index >= v->check.module->types.types.count) {
            report(v, "a result is not linked to its operation");
            return false;
        }
    }
    return true;
}

static void show_results(struct validator *v, const struct ir_op *op, bool visible) {
    for (uint32_t i = 0; i < op->result_count; i++) {
        uint32_t index = ir_op_result(op, i).index;
        if (index != 0 && index < v->check.function->values.count) {
            v->visible[index] = visible;
        }
    }
}

// Hides what the region defines, from the operation `from` on; `from` none: from the start.
static void hide_region(struct validator *v, ir_region_id id, ir_op_id from, bool parameters_too) {
    const struct ir_function *function = v->check.function;
    const struct ir_region *region = ir_region_get(function, id);
    for (uint32_t i = 0; parameters_too && i < region->parameter_count; i++) {
        v->visible[region->parameters[i].index] = false;
    }
    for (ir_op_id at = from; at.index != 0; at = ir_op_get(function, at)->next) {
        show_results(v, ir_op_get(function, at), false);
    }
}

static bool walk_region(struct validator *v, ir_region_id id, ir_op_id owner);

static bool walk_control(struct validator *v, const struct ir_op *op, ir_op_id id) {
    const struct ir_function *function = v->check.function;
    if (!check_control(v, op)) {
        return false;
    }
    if (v->depth >= IR_NESTING_LIMIT) {
        report(v, "regions are nested too deeply");
        return false;
    }
    struct scope *scope = &v->scopes[v->depth++];
    *scope = (struct scope){.op = op};
    for (uint32_t i = 0; i < op->region_count; i++) {
        scope->region = i;
        scope->top = (ir_op_id){0};
        if (!walk_region(v, op->regions[i], id)) {
            return false;
        }
        ir_op_id first = ir_region_get(function, op->regions[i])->first;
        if (op->opcode == IR_LOOP && i == 0) {
            // What stands before the first continue is in scope of the continuing region.
            hide_region(v, op->regions[0], scope->first_continue, false);
        } else {
            hide_region(v, op->regions[i], first, true);
        }
    }
    if (op->opcode == IR_LOOP) {
        hide_region(v, op->regions[0], ir_region_get(function, op->regions[0])->first, true);
    }
    v->depth--;
    v->check.op = op;
    if (op->opcode == IR_IF && !scope->has_exit &&
        (op->next.index == 0 || ir_op_get(function, op->next)->opcode != IR_UNREACHABLE)) {
        report(v, "an if that is left by no exit_if must be followed by unreachable");
    }
    return true;
}

static bool check_parameters(struct validator *v, ir_region_id id, const struct ir_region *region) {
    for (uint32_t i = 0; i < region->parameter_count; i++) {
        uint32_t index = region->parameters[i].index;
        const struct ir_function *function = v->check.function;
        if (index == 0 || index >= function->values.count) {
            report(v, "a region parameter's index is out of range");
            return false;
        }
        const struct ir_value_info *info = &function->values.items[index];
        if (info->kind != IR_VALUE_REGION_PARAMETER || info->definition != id.index ||
            info->position != i) {
            report(v, "a region parameter is not linked to its region");
            return false;
        }
        if (is_pointer(v, info->type)) {
            report(v, "a region parameter is a pointer");
        }
        v->visible[index] = true;
    }
    bool may_have = v->depth != 0 && v->scopes[v->depth - 1].op->opcode == IR_LOOP;
    if (region->parameter_count != 0 && !may_have) {
        report(v, "only a loop's regions have parameters");
    }
    return true;
}

static bool walk_op(struct validator *v, ir_op_id id, ir_region_id region) {
    const struct ir_op *op = ir_op_get(v->check.function, id);
    v->check.op = op;
    if ((unsigned)op->opcode >= IR_OPCODE_COUNT) {
        v->check.op = NULL;
        report(v, "an operation has no opcode");
        return false;
    }
    if (op->parent.index != region.index || v->op_seen[id.index]) {
        report(v, "the operation is linked wrongly");
        return false;
    }
    v->op_seen[id.index] = true;
    const struct ir_op_info *info = ir_op_get_info(op->opcode);
    bool is_terminator = (info->flags & IR_FLAG_TERMINATOR) != 0;
    if (is_terminator != (op->next.index == 0)) {
        report(v,
            is_terminator ? "operations follow a terminator"
                          : "the region does not end in a terminator");
    }
    if (!check_values(v, op, id)) {
        return false;
    }
    if (is_terminator) {
        check_terminator(v, op);
    } else if (info->family == IR_FAMILY_CONTROL) {
        if (!walk_control(v, op, id)) {
            return false;
        }
    } else if (op->region_count != 0) {
        report(v, "only a control operation has regions");
    } else {
        const char *reason = ir_validate_op_types(&v->check);
        if (reason != NULL) {
            report(v, reason);
        }
    }
    show_results(v, op, true);
    return true;
}

// Recursion: once a nesting level, bounded by walk_control.
static bool walk_region(struct validator *v, ir_region_id id, ir_op_id owner) {
    const struct ir_function *function = v->check.function;
    if (id.index == 0 || id.index >= function->regions.count || v->region_seen[id.index]) {
        report(v, "a region is linked wrongly");
        return false;
    }
    v->region_seen[id.index] = true;
    const struct ir_region *region = ir_region_get(function, id);
    if (region->owner.index != owner.index) {
        report(v, "a region does not name its owner");
        return false;
    }
    if (!check_parameters(v, id, region)) {
        return false;
    }
    if (region->first.index == 0) {
        report(v, "a region is empty");
        return false;
    }
    ir_op_id previous = {0};
    for (ir_op_id at = region->first; at.index != 0;) {
        if (at.index >= function->ops.count ||
            ir_op_get(function, at)->previous.index != previous.index) {
            report(v, "the list of operations is linked wrongly");
            return false;
        }
        if (v->depth != 0) {
            v->scopes[v->depth - 1].top = at;
        }
        if (!walk_op(v, at, id)) {
            return false;
        }
        previous = at;
        at = ir_op_get(function, at)->next;
    }
    if (region->last.index != previous.index) {
        report(v, "the list of operations is linked wrongly");
        return false;
    }
    return true;
}

static void validate_function(struct validator *v, uint32_t number) {
    const struct ir_module *module = v->check.module;
    const struct ir_function *function = &module->functions.items[number];
    v->check.function = function;
    v->check.function_number = number;
    v->check.op = NULL;
    uint32_t entry = v->entries[number];
    v->check.entry = entry != 0 ? &module->entry_points.items[entry - 1] : NULL;
    v->depth = 0;
    v->visible = memory_allocate_zeroed(MEMORY_COMPILE, function->values.count, 1);
    v->op_seen = memory_allocate_zeroed(MEMORY_COMPILE, function->ops.count, 1);
    v->region_seen = memory_allocate_zeroed(MEMORY_COMPILE, function->regions.count, 1);
    if (v->visible == NULL || v->op_seen == NULL || v->region_seen == NULL) {
        report(v, "out of memory");
    } else {
        for (uint32_t i = 0; i < function->parameter_count; i++) {
            const struct ir_value_info *info = ir_value_get(function, function->parameters[i]);
            if (info->kind != IR_VALUE_FUNCTION_PARAMETER || info->position != i) {
                report(v, "a function parameter is linked wrongly");
            }
            v->visible[function->parameters[i].index] = true;
        }
        walk_region(v, function->body, (ir_op_id){0});
    }
    memory_free(v->visible);
    memory_free(v->op_seen);
    memory_free(v->region_seen);
    v->check.function = NULL;
}

static bool is_initialisation_value(const struct ir_module *module, ir_value value) {
    return module->initialisation < module->functions.count && value.index != 0 &&
        value.index < module->functions.items[module->initialisation].values.count;
}

static void validate_rows(struct validator *v) {
    const struct ir_module *module = v->check.module;
    for (size_t i = 0; i < module->variables.count; i++) {
        const struct ir_variable *row = &module->variables.items[i];
        if (row->space == SPACE_FUNCTION || row->space >= SPACE_COUNT) {
            report(v, "a module variable is in the function space");
        }
        bool has_initial = row->initial_constant != 0 || row->initial_value.index != 0;
        if (has_initial && row->space != SPACE_PRIVATE) {
            report(v, "only a private variable has an initial value");
        }
        if (row->initial_constant != 0 &&
            (row->initial_constant > module->constants.count ||
                !type_equals(module->constants.items[row->initial_constant - 1].type, row->type))) {
            report(v, "a variable's initial constant does not fit its type");
        }
        if (row->initial_value.index != 0 && !is_initialisation_value(module, row->initial_value)) {
            report(v, "a variable's initial value is not one of the initialisation function");
        }
    }
    for (size_t i = 0; i < module->overrides.count; i++) {
        const struct ir_override *row = &module->overrides.items[i];
        if (row->has_initial_value && !is_initialisation_value(module, row->initial_value)) {
            report(v, "an override's initial value is not one of the initialisation function");
        }
    }
    for (size_t i = 0; i < module->override_counts.count; i++) {
        ir_value count = module->override_counts.items[i];
        if (count.index != 0 && !is_initialisation_value(module, count)) {
            report(v, "an array's override count is not a value of the initialisation function");
        }
    }
    for (size_t i = 0; i < module->entry_points.count; i++) {
        const struct ir_entry_point *entry = &module->entry_points.items[i];
        if (entry->function >= module->functions.count) {
            report(v, "an entry point names no function");
            continue;
        }
        const struct ir_function *function = &module->functions.items[entry->function];
        if (v->entries[entry->function] != i + 1 || entry->function == module->initialisation) {
            report(v, "an entry point's function is another's, or the initialisation");
        }
        if (function->parameter_count != 0 || function->return_type.index != TYPE_VOID) {
            report(v, "an entry point's function has parameters or a result");
        }
        if (entry->subgroup_size_value.index != 0 &&
            !is_initialisation_value(module, entry->subgroup_size_value)) {
            report(v, "a subgroup size is not a value of the initialisation function");
        }
        for (int k = 0; k < 3; k++) {
            ir_value value = entry->workgroup_size_value[k];
            if (value.index != 0 && !is_initialisation_value(module, value)) {
                report(v, "a workgroup size is not a value of the initialisation function");
            }
        }
    }
    if (module->initialisation != UINT32_MAX && module->initialisation >= module->functions.count) {
        report(v, "the initialisation function does not exist");
    }
}

bool ir_validate(const struct ir_module *module, struct text_buffer *out_error) {
    if (module->has_failed) {
        text_buffer_append_string(out_error, "module: an allocation failed while it was built\n");
        return false;
    }
    struct validator *v = memory_allocate_zeroed(MEMORY_COMPILE, 1, sizeof(*v));
    if (v == NULL) {
        text_buffer_append_string(out_error, "module: out of memory\n");
        return false;
    }
    v->check.module = module;
    v->out = out_error;
    v->entries = memory_allocate_zeroed(
        MEMORY_COMPILE, module->functions.count + 1, sizeof(uint32_t));
    if (v->entries == NULL) {
        text_buffer_append_string(out_error, "module: out of memory\n");
        memory_free(v);
        return false;
    }
    for (uint32_t i = 0; i < module->entry_points.count; i++) {
        if (module->entry_points.items[i].function < module->functions.count) {
            v->entries[module->entry_points.items[i].function] = i + 1;
        }
    }
    v->check.entries = v->entries;
    validate_rows(v);
    for (uint32_t i = 0; i < module->functions.count && v->error_count < ERROR_LIMIT; i++) {
        validate_function(v, i);
    }
    bool ok = v->error_count == 0;
    memory_free(v->entries);
    memory_free(v);
    return ok;
}
