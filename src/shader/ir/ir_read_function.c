// SPDX-License-Identifier: MIT
//
// Functions of the text form: operations and nested regions. Recursion follows region nesting and
// stops at IR_NESTING_LIMIT. The validator judges what is read; only syntax is checked here.
#include "shader/ir/ir_read_priv.h"

#include <string.h>

#include "shader/ir/ir_builder_priv.h"

#define LARGEST_NUMBER 10000000u

typedef VECTOR(ir_value) value_list;
typedef VECTOR(type_id) type_list;
typedef VECTOR(struct ir_case) case_list;

// The pieces of one operation while it is read; the lists live on the heap.
struct pending {
    VECTOR(uint32_t) result_numbers;
    VECTOR(struct text) result_names;
    value_list operands;
    type_list types;
    case_list cases;
    union ir_op_data data;
    struct ir_span span;
};

static bool out_of_memory(struct ir_reader *reader) {
    return ir_read_fail(reader, "out of memory");
}

// %N in a place that defines it.
static bool read_number(struct ir_reader *reader, uint32_t *out_number) {
    TRY(ir_read_expect_char(reader, '%') && ir_read_u32(reader, out_number));
    return (*out_number != 0 && *out_number <= LARGEST_NUMBER) ||
        ir_read_fail(reader, "a value's number is from 1 to 10000000");
}

static bool define(struct ir_reader *reader, uint32_t number, ir_value value, struct text name) {
    while (reader->numbers.count <= number) {
        if (!vector_push(&reader->numbers, MEMORY_COMPILE, (ir_value){0})) {
            return out_of_memory(reader);
        }
    }
    if (reader->numbers.items[number].index != 0) {
        return ir_read_fail(reader, "the value is defined twice");
    }
    reader->numbers.items[number] = value;
    struct ir_function *function = &reader->module->functions.items[reader->builder.function];
    ir_value_set_name(reader->module, function, value, name);
    return !reader->module->has_failed || out_of_memory(reader);
}

bool ir_read_value(struct ir_reader *reader, ir_value *out_value) {
    if (ir_read_peek(reader) != '%') {
        uint32_t constant = 0;
        TRY(ir_read_constant(reader, &constant));
        *out_value = ir_builder_constant(&reader->builder, constant);
        return out_value->index != 0 || out_of_memory(reader);
    }
    uint32_t number = 0;
    TRY(read_number(reader, &number));
    if (number >= reader->numbers.count || reader->numbers.items[number].index == 0) {
        return ir_read_fail(reader, "the value is not defined above");
    }
    *out_value = reader->numbers.items[number];
    return true;
}

// (%1: type "name", ...)
static bool read_parameters(struct ir_reader *reader, struct pending *pending) {
    TRY(ir_read_expect_char(reader, '('));
    while (ir_read_peek(reader) != ')') {
        uint32_t number = 0;
        type_id type = {0};
        struct text name = {0};
        TRY(pending->types.count == 0 || ir_read_expect_char(reader, ','));
        TRY(read_number(reader, &number) && ir_read_expect_char(reader, ':') &&
            ir_read_type(reader, &type) && ir_read_optional_name(reader, &name));
        if (!vector_push(&pending->result_numbers, MEMORY_COMPILE, number) ||
            !vector_push(&pending->result_names, MEMORY_COMPILE, name) ||
            !vector_push(&pending->types, MEMORY_COMPILE, type)) {
            return out_of_memory(reader);
        }
    }
    return ir_read_expect_char(reader, ')');
}

static void finish_pending(struct pending *pending) {
    for (size_t i = 0; i < pending->cases.count; i++) {
        memory_free((void *)(uintptr_t)pending->cases.items[i].selectors);
    }
    vector_finish(&pending->result_numbers);
    vector_finish(&pending->result_names);
    vector_finish(&pending->operands);
    vector_finish(&pending->types);
    vector_finish(&pending->cases);
}

static bool read_results(struct ir_reader *reader, struct pending *pending) {
    if (ir_read_peek(reader) != '%') {
        return true;
    }
    do {
        uint32_t number = 0;
        struct text name = {0};
        TRY(read_number(reader, &number) && ir_read_optional_name(reader, &name));
        if (!vector_push(&pending->result_numbers, MEMORY_COMPILE, number) ||
            !vector_push(&pending->result_names, MEMORY_COMPILE, name)) {
            return out_of_memory(reader);
        }
    } while (ir_read_accept_char(reader, ','));
    return ir_read_expect_char(reader, '=');
}

static bool read_opcode(struct ir_reader *reader, enum ir_opcode *out_opcode) {
    struct text word = ir_read_peek_word(reader);
    for (int i = 0; i < IR_OPCODE_COUNT; i++) {
        if (text_equals_string(word, ir_op_get_info((enum ir_opcode)i)->text)) {
            *out_opcode = (enum ir_opcode)i;
            reader->at += word.length;
            return true;
        }
    }
    return ir_read_fail(reader, "unknown operation");
}

static bool is_label(struct text word) {
    static const char *const labels[] = {"then", "body", "case"};
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        if (text_equals_string(word, labels[i])) {
            return true;
        }
    }
    return false;
}

// Operands follow when the next thing is a value: "%" or a type's word that no other thing begins
// with. The next line's operation may begin with a word too, so that a constant is told from it by
// the characters after its first word.
static bool is_value_next(struct ir_reader *reader) {
    if (ir_read_peek(reader) == '%') {
        // A definition of the next operation: "%N name? [,=]".
        size_t at = reader->at + 1;
        struct text source = reader->source;
        while (at < source.length && source.data[at] >= '0' && source.data[at] <= '9') {
            at++;
        }
        struct ir_reader ahead = *reader;
        ahead.at = at;
        char c = ir_read_peek(&ahead);
        return c != '=' && c != '"';
    }
    struct text word = ir_read_peek_word(reader);
    if (word.length == 0 || is_label(word)) {
        return false;
    }
    size_t after = reader->at + word.length;
    char c = after < reader->source.length ? reader->source.data[after] : '\0';
    return c == '(' || c == '<' || c == '#';
}

static bool read_operands(struct ir_reader *reader, struct pending *pending) {
    // A line break after the operation's word ends it when no comma holds it open.
    size_t at = reader->at;
    while (at < reader->source.length && reader->source.data[at] == ' ') {
        at++;
    }
    if (at >= reader->source.length || reader->source.data[at] == '\n' || !is_value_next(reader)) {
        return true;
    }
    do {
        ir_value value = {0};
        TRY(ir_read_value(reader, &value));
        if (!vector_push(&pending->operands, MEMORY_COMPILE, value)) {
            return out_of_memory(reader);
        }
    } while (ir_read_accept_char(reader, ','));
    return true;
}

static bool read_swizzle(struct ir_reader *reader, struct pending *pending) {
    for (int i = 0; i < 4 && ir_read_peek(reader) != ']'; i++) {
        uint32_t component = 0;
        TRY(ir_read_u32(reader, &component));
        if (component > 3) {
            return ir_read_fail(reader, "a component is from 0 to 3");
        }
        pending->data.swizzle[i] = (uint8_t)component;
    }
    return true;
}

// component N offset N N N
static bool read_texture(struct ir_reader *reader, struct pending *pending) {
    uint32_t component = 0;
    TRY(ir_read_expect_word(reader, "component") && ir_read_u32(reader, &component) &&
        ir_read_expect_word(reader, "offset"));
    if (component > 3) {
        return ir_read_fail(reader, "a component is from 0 to 3");
    }
    pending->data.texture.component = (uint8_t)component;
    for (int i = 0; i < 3; i++) {
        uint32_t bits = 0;
        TRY(ir_read_bits(reader, &bits));
        if (bits + 8 > 15) {
            return ir_read_fail(reader, "an offset is from -8 to 7");
        }
        pending->data.texture.offset[i] = (int8_t)((int32_t)(bits + 8) - 8);
    }
    return true;
}

static bool read_data(struct ir_reader *reader, enum ir_opcode opcode, struct pending *pending) {
    if (!ir_read_accept_char(reader, '[')) {
        return true;
    }
    if (opcode == IR_SWIZZLE) {
        TRY(read_swizzle(reader, pending));
    } else if (ir_op_get_info(opcode)->family == IR_FAMILY_TEXTURE_SAMPLE) {
        TRY(read_texture(reader, pending));
    } else if (opcode == IR_ACCESS) {
        TRY(ir_read_expect_word(reader, "in_bounds") &&
            ir_read_u32(reader, &pending->data.in_bounds));
    } else if (opcode == IR_BREAK_IF) {
        TRY(ir_read_expect_word(reader, "arguments") &&
            ir_read_u32(reader, &pending->data.break_if.body_argument_count));
    } else {
        TRY(ir_read_u32(reader, &pending->data.index));
    }
    return ir_read_expect_char(reader, ']');
}

static bool read_types_and_span(struct ir_reader *reader, struct pending *pending) {
    if (ir_read_accept_char(reader, ':')) {
        do {
            type_id type = {0};
            TRY(ir_read_type(reader, &type));
            if (!vector_push(&pending->types, MEMORY_COMPILE, type)) {
                return out_of_memory(reader);
            }
        } while (ir_read_accept_char(reader, ','));
    }
    if (pending->types.count != pending->result_numbers.count) {
        return ir_read_fail(reader, "each result needs one type");
    }
    if (ir_read_accept_char(reader, '!')) {
        TRY(ir_read_u32(reader, &pending->span.begin) && ir_read_expect_char(reader, '-') &&
            ir_read_u32(reader, &pending->span.end));
    }
    return true;
}

static bool read_block(struct ir_reader *reader, uint32_t depth);

// [(parameters)] { ... } into the region.
static bool read_region(struct ir_reader *reader, ir_region_id region, uint32_t depth) {
    struct ir_builder outer = reader->builder;
    struct pending pending = {0};
    bool ok = true;
    if (ir_read_peek(reader) == '(') {
        ok = read_parameters(reader, &pending);
        for (size_t i = 0; ok && i < pending.types.count; i++) {
            ir_value value = ir_region_add_parameter(
                reader->module, outer.function, region, pending.types.items[i]);
            ok = value.index != 0 ? define(reader, pending.result_numbers.items[i], value,
                                        pending.result_names.items[i])
                                  : out_of_memory(reader);
        }
    }
    finish_pending(&pending);
    TRY(ok);
    reader->builder.region = region;
    reader->builder.before = (ir_op_id){0};
    TRY(read_block(reader, depth + 1));
    reader->builder = outer;
    return true;
}

static bool read_regions_of(struct ir_reader *reader, ir_op_id id, uint32_t depth) {
    struct ir_region_pair {
        ir_region_id first, second;
    } pair;
    const struct ir_op *op = ir_op_get(ir_builder_function(&reader->builder), id);
    pair.first = op->regions[0];
    pair.second = op->regions[1];
    bool is_loop = op->opcode == IR_LOOP;
    return ir_read_expect_word(reader, is_loop ? "body" : "then") &&
        read_region(reader, pair.first, depth) &&
        ir_read_expect_word(reader, is_loop ? "continuing" : "else") &&
        read_region(reader, pair.second, depth);
}

// case N N default
static bool read_case(struct ir_reader *reader, struct pending *pending) {
    VECTOR(uint32_t) selectors = {0};
    struct ir_case row = {0};
    bool ok = true;
    for (;;) {
        char c = ir_read_peek(reader);
        if (c != '-' && (c < '0' || c > '9')) {
            break;
        }
        uint32_t bits = 0;
        ok = ir_read_bits(reader, &bits) &&
            (vector_push(&selectors, MEMORY_COMPILE, bits) || out_of_memory(reader));
        if (!ok) {
            break;
        }
    }
    row.is_default = ok && ir_read_accept_word(reader, "default");
    row.selectors = selectors.items;
    row.selector_count = (uint32_t)selectors.count;
    if (!ok || !vector_push(&pending->cases, MEMORY_COMPILE, row)) {
        vector_finish(&selectors);
        return ok ? out_of_memory(reader) : false;
    }
    return true;
}

// The switch operation's cases are known only after its regions: the regions are made one by one.
static bool read_switch(
    struct ir_reader *reader, ir_op_id id, struct pending *pending, uint32_t depth) {
    struct ir_module *module = reader->module;
    uint32_t function_index = reader->builder.function;
    typedef VECTOR(ir_region_id) region_list;
    region_list regions = {0};
    bool ok = true;
    while (ok && regions.count < IR_REGION_LIMIT && ir_read_accept_word(reader, "case")) {
        struct ir_function *function = &module->functions.items[function_index];
        ir_region_id region = {(uint32_t)function->regions.count};
        ok = read_case(reader, pending) &&
            ((arena_vector_push(
                  module->arena, &function->regions, (struct ir_region){.owner = id}) &&
                 vector_push(&regions, MEMORY_COMPILE, region)) ||
                out_of_memory(reader)) &&
            read_region(reader, region, depth);
    }
    struct ir_case *cases = NULL;
    ir_region_id *copies = NULL;
    if (ok) {
        cases = arena_copy(
            module->arena, pending->cases.items, pending->cases.count * sizeof(*cases));
        copies = arena_copy(module->arena, regions.items, regions.count * sizeof(*copies));
        ok = (cases != NULL && copies != NULL) || out_of_memory(reader);
    }
    for (size_t i = 0; ok && i < pending->cases.count; i++) {
        cases[i].selectors = arena_copy(
            module->arena, cases[i].selectors, cases[i].selector_count * sizeof(uint32_t));
        ok = cases[i].selectors != NULL || out_of_memory(reader);
    }
    if (ok) {
        struct ir_op *op = ir_op_get(&module->functions.items[function_index], id);
        op->regions = copies;
        op->region_count = (uint32_t)regions.count;
        op->data.cases = cases;
    }
    vector_finish(&regions);
    return ok;
}

static bool read_control(struct ir_reader *reader, ir_op_id id, enum ir_opcode opcode,
    struct pending *pending, uint32_t depth) {
    if (opcode == IR_SWITCH) {
        return read_switch(reader, id, pending, depth);
    }
    if (!ir_builder_add_regions(&reader->builder, id, 2)) {
        return out_of_memory(reader);
    }
    return read_regions_of(reader, id, depth);
}

static bool read_op(struct ir_reader *reader, struct pending *pending, uint32_t depth) {
    enum ir_opcode opcode = IR_UNREACHABLE;
    TRY(read_results(reader, pending) && read_opcode(reader, &opcode) &&
        read_operands(reader, pending) && read_data(reader, opcode, pending) &&
        read_types_and_span(reader, pending));
    reader->builder.span = pending->span;
    ir_op_id id = ir_builder_add(&reader->builder, opcode, pending->operands.items,
        (uint32_t)pending->operands.count, pending->types.items, (uint32_t)pending->types.count,
        pending->data);
    if (id.index == 0) {
        return out_of_memory(reader);
    }
    if (ir_op_get_info(opcode)->family == IR_FAMILY_CONTROL) {
        TRY(read_control(reader, id, opcode, pending, depth));
    }
    ir_value first = ir_op_get(ir_builder_function(&reader->builder), id)->first_result;
    for (uint32_t i = 0; i < pending->result_numbers.count; i++) {
        TRY(define(reader, pending->result_numbers.items[i], (ir_value){first.index + i},
            pending->result_names.items[i]));
    }
    return true;
}

static bool read_block(struct ir_reader *reader, uint32_t depth) {
    if (depth > IR_NESTING_LIMIT) {
        return ir_read_fail(reader, "regions are nested too deeply");
    }
    TRY(ir_read_expect_char(reader, '{'));
    while (!ir_read_accept_char(reader, '}')) {
        if (ir_read_is_end(reader)) {
            return ir_read_fail(reader, "unfinished region");
        }
        struct pending pending = {0};
        bool ok = read_op(reader, &pending, depth);
        finish_pending(&pending);
        TRY(ok);
    }
    return true;
}

bool ir_read_function(struct ir_reader *reader) {
    struct text name = {0};
    type_id return_type = {0};
    struct pending pending = {0};
    reader->numbers.count = 0;
    bool ok = ir_read_optional_name(reader, &name) && read_parameters(reader, &pending) &&
        ir_read_expect_char(reader, '-') && ir_read_expect_char(reader, '>') &&
        ir_read_type(reader, &return_type);
    if (ok) {
        uint32_t index = ir_function_create(
            reader->module, name, return_type, pending.types.items, (uint32_t)pending.types.count);
        ok = index != UINT32_MAX || out_of_memory(reader);
        if (ok) {
            reader->builder = ir_builder_create(reader->module, index);
        }
    }
    for (size_t i = 0; ok && i < pending.types.count; i++) {
        ir_value value = reader->module->functions.items[reader->builder.function].parameters[i];
        ok = define(reader, pending.result_numbers.items[i], value, pending.result_names.items[i]);
    }
    finish_pending(&pending);
    return ok && read_block(reader, 0);
}
