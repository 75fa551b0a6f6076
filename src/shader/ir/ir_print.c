// SPDX-License-Identifier: MIT
//
// The printer of the text form; ir_text_priv.h has the grammar. Values are numbered anew, in the
// order in which they are defined, so that equal modules print equally. Called with any module, also
// one that the validator refuses.
#include "shader/ir/ir_text.h"

#include <string.h>

#include "shader/ir/ir_text_priv.h"

struct printer {
    struct text_buffer *out;
    struct ir_print_types types;
    const struct ir_module *module;
    const struct ir_function *function;
    uint32_t *numbers; // by value index
    uint32_t next_number;
};

// A control operation whose region number `region` is being printed.
struct frame {
    ir_op_id op;
    uint32_t region;
};
typedef VECTOR(struct frame) frame_stack;

static void indent(struct printer *printer, size_t depth) {
    for (size_t i = 0; i < depth; i++) {
        text_buffer_append_string(printer->out, "  ");
    }
}

static void print_name(struct printer *printer, struct text name) {
    if (name.length != 0) {
        text_buffer_append_char(printer->out, ' ');
        text_buffer_append_json(printer->out, name);
    }
}

static void print_value(struct printer *printer, ir_value value) {
    if (printer->function == NULL || value.index == 0 ||
        value.index >= printer->function->values.count) {
        text_buffer_append_string(printer->out, "%0");
        return;
    }
    const struct ir_value_info *info = ir_value_get(printer->function, value);
    if (info->kind == IR_VALUE_CONSTANT && info->definition < printer->module->constants.count) {
        ir_print_constant(
            printer->out, &printer->types, &printer->module->constants.items[info->definition]);
        return;
    }
    text_buffer_print(printer->out, "%%%u", printer->numbers[value.index]);
}

static void print_values(struct printer *printer, const ir_value *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        text_buffer_append_string(printer->out, i == 0 ? " " : ", ");
        print_value(printer, values[i]);
    }
}

static void define(struct printer *printer, ir_value value) {
    printer->numbers[value.index] = printer->next_number++;
}

static void print_parameters(struct printer *printer, const ir_value *values, uint32_t count) {
    text_buffer_append_char(printer->out, '(');
    for (uint32_t i = 0; i < count; i++) {
        define(printer, values[i]);
        text_buffer_append_string(printer->out, i == 0 ? "" : ", ");
        print_value(printer, values[i]);
        text_buffer_append_string(printer->out, ": ");
        ir_print_type(printer->out, &printer->types, ir_value_type(printer->function, values[i]));
        print_name(printer, ir_value_name(printer->function, values[i]));
    }
    text_buffer_append_char(printer->out, ')');
}

static void print_data(struct printer *printer, const struct ir_op *op) {
    struct text_buffer *out = printer->out;
    switch (ir_op_get_info(op->opcode)->family) {
    case IR_FAMILY_EXTRACT:
    case IR_FAMILY_INSERT:
    case IR_FAMILY_VARIABLE:
    case IR_FAMILY_LOAD_INPUT:
    case IR_FAMILY_STORE_OUTPUT:
    case IR_FAMILY_OVERRIDE:
    case IR_FAMILY_CALL:
        text_buffer_print(out, " [%u]", op->data.index);
        break;
    case IR_FAMILY_SWIZZLE: {
        uint32_t count = type_component_count(
            &printer->module->types, ir_value_type(printer->function, op->first_result));
        for (uint32_t i = 0; i < count && i < 4; i++) {
            text_buffer_print(out, "%s%u", i == 0 ? " [" : " ", op->data.swizzle[i]);
        }
        text_buffer_append_char(out, ']');
        break;
    }
    case IR_FAMILY_ACCESS:
        if (op->data.in_bounds != 0) {
            text_buffer_print(out, " [in_bounds %u]", op->data.in_bounds);
        }
        break;
    case IR_FAMILY_TERMINATOR:
        if (op->opcode == IR_BREAK_IF && op->data.break_if.body_argument_count != 0) {
            text_buffer_print(out, " [arguments %u]", op->data.break_if.body_argument_count);
        }
        break;
    case IR_FAMILY_TEXTURE_SAMPLE:
        if (op->data.texture.component != 0 || op->data.texture.offset[0] != 0 ||
            op->data.texture.offset[1] != 0 || op->data.texture.offset[2] != 0) {
            text_buffer_print(out, " [component %u offset %d %d %d]", op->data.texture.component,
                op->data.texture.offset[0], op->data.texture.offset[1], op->data.texture.offset[2]);
        }
        break;
    default:
        break;
    }
}

static void print_head(struct printer *printer, const struct ir_op *op, size_t depth) {
    struct text_buffer *out = printer->out;
    indent(printer, depth);
    for (uint32_t i = 0; i < op->result_count; i++) {
        ir_value result = ir_op_result(op, i);
        define(printer, result);
        text_buffer_append_string(out, i == 0 ? "" : ", ");
        print_value(printer, result);
        print_name(printer, ir_value_name(printer->function, result));
    }
    text_buffer_append_string(out, op->result_count != 0 ? " = " : "");
    text_buffer_append_string(out, ir_op_get_info(op->opcode)->text);
    print_values(printer, op->operands, op->operand_count);
    print_data(printer, op);
    for (uint32_t i = 0; i < op->result_count; i++) {
        text_buffer_append_string(out, i == 0 ? " : " : ", ");
        ir_print_type(out, &printer->types, ir_value_type(printer->function, ir_op_result(op, i)));
    }
    if (op->span.begin != 0 || op->span.end != 0) {
        text_buffer_print(out, " !%u-%u", op->span.begin, op->span.end);
    }
}

static void print_case_label(struct printer *printer, const struct ir_op *op, uint32_t number) {
    const struct ir_case *row = &op->data.cases[number];
    bool is_signed = op->operand_count != 0 &&
        ir_value_type(printer->function, op->operands[0]).index == TYPE_I32;
    text_buffer_append_string(printer->out, "case");
    for (uint32_t i = 0; i < row->selector_count; i++) {
        if (is_signed) {
            text_buffer_print(printer->out, " %lld", (long long)(int32_t)row->selectors[i]);
        } else {
            text_buffer_print(printer->out, " %u", row->selectors[i]);
        }
    }
    text_buffer_append_string(printer->out, row->is_default ? " default" : "");
}

static void begin_region(struct printer *printer, const struct ir_op *op, uint32_t number) {
    text_buffer_append_char(printer->out, ' ');
    if (op->opcode == IR_SWITCH && number < op->region_count) {
        print_case_label(printer, op, number);
    } else if (op->opcode == IR_LOOP) {
        text_buffer_append_string(printer->out, number == 0 ? "body" : "continuing");
    } else {
        text_buffer_append_string(printer->out, number == 0 ? "then" : "else");
    }
    const struct ir_region *region = ir_region_get(printer->function, op->regions[number]);
    if (region->parameter_count != 0) {
        text_buffer_append_char(printer->out, ' ');
        print_parameters(printer, region->parameters, region->parameter_count);
    }
    text_buffer_append_string(printer->out, " {\n");
}

// Walks the regions with a stack of its own: nesting costs memory, not C stack.
static void print_body(struct printer *printer, frame_stack *stack) {
    const struct ir_function *function = printer->function;
    ir_op_id at = ir_region_get(function, function->body)->first;
    for (;;) {
        if (at.index != 0) {
            const struct ir_op *op = ir_op_get(function, at);
            print_head(printer, op, stack->count + 1);
            if (op->region_count == 0) {
                text_buffer_append_char(printer->out, '\n');
                at = op->next;
                continue;
            }
            if (!vector_push(stack, MEMORY_TEXT, (struct frame){at, 0})) {
                printer->out->has_failed = true;
                return;
            }
            begin_region(printer, op, 0);
            at = ir_region_get(function, op->regions[0])->first;
            continue;
        }
        if (stack->count == 0) {
            return;
        }
        struct frame *frame = &stack->items[stack->count - 1];
        const struct ir_op *op = ir_op_get(function, frame->op);
        indent(printer, stack->count);
        text_buffer_append_char(printer->out, '}');
        if (++frame->region < op->region_count) {
            begin_region(printer, op, frame->region);
            at = ir_region_get(function, op->regions[frame->region])->first;
        } else {
            text_buffer_append_char(printer->out, '\n');
            stack->count--;
            at = op->next;
        }
    }
}

// Numbers of the function's values; false when out of memory.
static bool enter_function(struct printer *printer, const struct ir_function *function) {
    memory_free(printer->numbers);
    printer->numbers = memory_allocate_zeroed(
        MEMORY_TEXT, function->values.count, sizeof(uint32_t));
    printer->next_number = 1;
    printer->function = function;
    if (printer->numbers == NULL) {
        printer->out->has_failed = true;
        printer->function = NULL;
        return false;
    }
    return true;
}

static void print_function(struct printer *printer, uint32_t number, frame_stack *stack) {
    const struct ir_function *function = &printer->module->functions.items[number];
    if (!enter_function(printer, function)) {
        return;
    }
    text_buffer_print(printer->out, "function #%u", number);
    print_name(printer, function->name);
    text_buffer_append_char(printer->out, ' ');
    print_parameters(printer, function->parameters, function->parameter_count);
    text_buffer_append_string(printer->out, " -> ");
    ir_print_type(printer->out, &printer->types, function->return_type);
    text_buffer_append_string(printer->out, " {\n");
    print_body(printer, stack);
    text_buffer_append_string(printer->out, "}\n");
}

static void print_structs(struct printer *printer) {
    const struct type_table *types = &printer->module->types;
    for (uint32_t i = 0; i < types->types.count; i++) {
        const struct type *type = &types->types.items[i];
        if (type->kind != TYPE_STRUCT) {
            continue;
        }
        text_buffer_print(printer->out, "struct #%u", printer->types.struct_numbers[i]);
        print_name(printer, type->name);
        text_buffer_append_string(printer->out, " {");
        for (uint32_t k = 0; k < type->member_count; k++) {
            const struct type_member *member = &type->members[k];
            text_buffer_append_string(printer->out, k == 0 ? " " : ", ");
            text_buffer_append_json(printer->out, member->name);
            text_buffer_append_string(printer->out, ": ");
            ir_print_type(printer->out, &printer->types, member->type);
            text_buffer_print(
                printer->out, " align %u size %u", member->align_bytes, member->size_bytes);
        }
        text_buffer_append_string(printer->out, " }\n");
    }
}

static void print_variables(struct printer *printer) {
    struct text_buffer *out = printer->out;
    for (uint32_t i = 0; i < printer->module->overrides.count; i++) {
        const struct ir_override *row = &printer->module->overrides.items[i];
        text_buffer_print(out, "override #%u ", i);
        ir_print_type(out, &printer->types, row->type);
        print_name(printer, row->name);
        if (row->has_id) {
            text_buffer_print(out, " id %u", row->id);
        }
        text_buffer_append_char(out, '\n');
    }
    for (uint32_t i = 0; i < printer->module->variables.count; i++) {
        const struct ir_variable *row = &printer->module->variables.items[i];
        text_buffer_print(out, "variable #%u %s %s ", i, address_space_word(row->space),
            access_mode_word(row->access));
        ir_print_type(out, &printer->types, row->type);
        print_name(printer, row->name);
        if (row->has_binding) {
            text_buffer_print(out, " group %u binding %u", row->group, row->binding);
        }
        if (row->initial_constant != 0 &&
            row->initial_constant <= printer->module->constants.count) {
            text_buffer_append_string(out, " constant ");
            ir_print_constant(
                out, &printer->types, &printer->module->constants.items[row->initial_constant - 1]);
        }
        text_buffer_append_char(out, '\n');
    }
}

static void print_initial_value(
    struct printer *printer, const char *word, size_t number, ir_value value) {
    text_buffer_print(printer->out, "%s #%zu = ", word, number);
    print_value(printer, value);
    text_buffer_append_char(printer->out, '\n');
}

// Gives the initialisation function's values the numbers that its printed form has.
static void renumber_initialisation(struct printer *printer) {
    const struct ir_module *module = printer->module;
    printer->function = NULL;
    if (module->initialisation >= module->functions.count) {
        return;
    }
    struct text_buffer *out = printer->out;
    struct text_buffer discarded = {0};
    frame_stack stack = {0};
    printer->out = &discarded;
    print_function(printer, module->initialisation, &stack);
    vector_finish(&stack);
    text_buffer_finish(&discarded);
    printer->out = out;
}

static void print_initialisation(struct printer *printer) {
    const struct ir_module *module = printer->module;
    for (size_t i = 0; i < module->overrides.count; i++) {
        if (module->overrides.items[i].has_initial_value) {
            print_initial_value(
                printer, "override_value", i, module->overrides.items[i].initial_value);
        }
    }
    for (size_t i = 0; i < module->variables.count; i++) {
        if (ir_value_is_set(module->variables.items[i].initial_value)) {
            print_initial_value(
                printer, "variable_value", i, module->variables.items[i].initial_value);
        }
    }
    for (size_t i = 0; i < module->override_counts.count; i++) {
        print_initial_value(printer, "count", i, module->override_counts.items[i]);
    }
}

static void print_interface(
    struct printer *printer, const char *word, const struct ir_interface *row) {
    struct text_buffer *out = printer->out;
    text_buffer_print(out, "  %s ", word);
    ir_print_type(out, &printer->types, row->type);
    if (row->is_builtin) {
        text_buffer_print(out, " builtin %s", builtin_value_word(row->builtin));
    } else {
        text_buffer_print(out, " location %u %s %s", row->location,
            ir_word_of(ir_interpolation_words, row->interpolation),
            ir_word_of(ir_sampling_words, row->sampling));
        if (row->has_blend_source) {
            text_buffer_print(out, " blend_src %u", row->blend_source);
        }
    }
    text_buffer_append_string(out, row->is_invariant ? " invariant" : "");
    text_buffer_append_string(out,
        row->depth_mode == 1       ? " less"
            : row->depth_mode == 2 ? " greater"
                                   : "");
    print_name(printer, row->name);
    text_buffer_append_char(out, '\n');
}

static void print_entry_point(struct printer *printer, const struct ir_entry_point *entry) {
    struct text_buffer *out = printer->out;
    text_buffer_print(out, "entry %s", ir_word_of(ir_stage_words, (int)entry->stage));
    print_name(printer, entry->name);
    text_buffer_print(out, " #%u", entry->function);
    if (entry->stage == STAGE_COMPUTE) {
        text_buffer_append_string(out, " workgroup_size(");
        for (int i = 0; i < 3; i++) {
            text_buffer_append_string(out, i == 0 ? "" : ", ");
            if (ir_value_is_set(entry->workgroup_size_value[i])) {
                print_value(printer, entry->workgroup_size_value[i]);
            } else {
                text_buffer_print(out, "%u", entry->workgroup_size[i]);
            }
        }
        text_buffer_append_char(out, ')');
    }
    if (ir_value_is_set(entry->subgroup_size_value)) {
        text_buffer_append_string(out, " subgroup_size ");
        print_value(printer, entry->subgroup_size_value);
    } else if (entry->subgroup_size != 0) {
        text_buffer_print(out, " subgroup_size %u", entry->subgroup_size);
    }
    text_buffer_append_string(out, " {\n");
    for (uint32_t i = 0; i < entry->input_count; i++) {
        print_interface(printer, "input", &entry->inputs[i]);
    }
    for (uint32_t i = 0; i < entry->output_count; i++) {
        print_interface(printer, "output", &entry->outputs[i]);
    }
    text_buffer_append_string(out, "}\n");
}

static uint32_t *number_structs(const struct type_table *types) {
    uint32_t *numbers = memory_allocate_zeroed(MEMORY_TEXT, types->types.count, sizeof(uint32_t));
    uint32_t next = 0;
    for (size_t i = 0; numbers != NULL && i < types->types.count; i++) {
        if (types->types.items[i].kind == TYPE_STRUCT) {
            numbers[i] = next++;
        }
    }
    return numbers;
}

void ir_print(struct text_buffer *out, const struct ir_module *module) {
    uint32_t *numbers = number_structs(&module->types);
    if (numbers == NULL) {
        out->has_failed = true;
        return;
    }
    struct printer printer = {
        .out = out, .types = {.module = module, .struct_numbers = numbers}, .module = module};
    frame_stack stack = {0};
    print_structs(&printer);
    print_variables(&printer);
    if (module->initialisation != UINT32_MAX) {
        text_buffer_print(out, "initialisation #%u\n", module->initialisation);
    }
    for (uint32_t i = 0; i < module->functions.count; i++) {
        print_function(&printer, i, &stack);
    }
    renumber_initialisation(&printer);
    print_initialisation(&printer);
    for (size_t i = 0; i < module->entry_points.count; i++) {
        print_entry_point(&printer, &module->entry_points.items[i]);
    }
    vector_finish(&stack);
    memory_free(printer.numbers);
    memory_free(numbers);
}
