// SPDX-License-Identifier: MIT
//
// The reader of the text form: a module's declarations. ir_text_priv.h has the grammar. Any bytes
// may be given; the result has the form of a module, and ir_validate says whether it is a valid one.
#include "shader/ir/ir_text.h"

#include "shader/ir/ir_read_priv.h"

static bool expect_number(struct ir_reader *reader, size_t number) {
    uint32_t given = 0;
    TRY(ir_read_expect_char(reader, '#') && ir_read_u32(reader, &given));
    return given == number || ir_read_fail(reader, "declarations are numbered from 0 in order");
}

static bool out_of_memory(struct ir_reader *reader) {
    return ir_read_fail(reader, "out of memory");
}

static bool read_member(struct ir_reader *reader, struct type_member *member) {
    TRY(ir_read_optional_name(reader, &member->name) && ir_read_expect_char(reader, ':') &&
        ir_read_type(reader, &member->type));
    if (ir_read_accept_word(reader, "align")) {
        TRY(ir_read_u32(reader, &member->align_bytes));
    }
    if (ir_read_accept_word(reader, "size")) {
        TRY(ir_read_u32(reader, &member->size_bytes));
    }
    const struct type *type = type_get(&reader->module->types, member->type);
    if ((member->size_bytes != 0 && member->size_bytes < type->size_bytes) ||
        (member->align_bytes != 0 && member->align_bytes < type->align_bytes)) {
        return ir_read_fail(reader, "a member is smaller or less aligned than its type");
    }
    uint32_t align = member->align_bytes;
    if ((align & (align - 1)) != 0) {
        return ir_read_fail(reader, "an alignment is a power of two");
    }
    return true;
}

static bool read_struct(struct ir_reader *reader) {
    struct text name = {0};
    VECTOR(struct type_member) members = {0};
    bool ok = expect_number(reader, reader->structs.count) &&
        ir_read_optional_name(reader, &name) && ir_read_expect_char(reader, '{');
    while (ok && !ir_read_accept_char(reader, '}')) {
        struct type_member member = {0};
        ok = (members.count == 0 || ir_read_expect_char(reader, ',')) &&
            read_member(reader, &member) &&
            (vector_push(&members, MEMORY_COMPILE, member) || out_of_memory(reader));
    }
    if (ok && members.count == 0) {
        ok = ir_read_fail(reader, "a structure has a member");
    }
    if (ok) {
        type_id type = type_struct(
            &reader->module->types, name, members.items, (uint32_t)members.count);
        ok = type.index != 0
            ? vector_push(&reader->structs, MEMORY_COMPILE, type) || out_of_memory(reader)
            : ir_read_fail(reader, "the structure cannot be made");
    }
    vector_finish(&members);
    return ok;
}

static bool read_override(struct ir_reader *reader) {
    struct ir_override row = {0};
    TRY(expect_number(reader, reader->module->overrides.count) && ir_read_type(reader, &row.type) &&
        ir_read_optional_name(reader, &row.name));
    if (ir_read_accept_word(reader, "id")) {
        row.has_id = true;
        TRY(ir_read_u32(reader, &row.id));
    }
    return arena_vector_push(reader->module->arena, &reader->module->overrides, row) ||
        out_of_memory(reader);
}

static bool read_variable(struct ir_reader *reader) {
    struct ir_variable row = {0};
    TRY(expect_number(reader, reader->module->variables.count) &&
        ir_read_address_space(reader, &row.space) && ir_read_access_mode(reader, &row.access) &&
        ir_read_type(reader, &row.type) && ir_read_optional_name(reader, &row.name));
    if (ir_read_accept_word(reader, "group")) {
        row.has_binding = true;
        TRY(ir_read_u32(reader, &row.group) && ir_read_expect_word(reader, "binding") &&
            ir_read_u32(reader, &row.binding));
    }
    if (ir_read_accept_word(reader, "constant")) {
        uint32_t constant = 0;
        TRY(ir_read_constant(reader, &constant));
        row.initial_constant = constant + 1;
    }
    return arena_vector_push(reader->module->arena, &reader->module->variables, row) ||
        out_of_memory(reader);
}

// Stands before the functions, so that the reader keeps that function's values.
static bool read_initialisation(struct ir_reader *reader) {
    if (reader->module->functions.count != 0) {
        return ir_read_fail(reader, "this stands before the functions");
    }
    return ir_read_expect_char(reader, '#') && ir_read_u32(reader, &reader->module->initialisation);
}

static bool read_function(struct ir_reader *reader) {
    size_t number = reader->module->functions.count;
    if (reader->is_after_functions) {
        return ir_read_fail(reader, "functions stand before the values that name them");
    }
    TRY(expect_number(reader, number) && ir_read_function(reader));
    if (number == reader->module->initialisation) {
        for (size_t i = 0; i < reader->numbers.count; i++) {
            if (!vector_push(
                    &reader->initialisation_numbers, MEMORY_COMPILE, reader->numbers.items[i])) {
                return out_of_memory(reader);
            }
        }
    }
    return true;
}

// From here on ir_read_value reads values of the initialisation function.
static bool enter_initialisation(struct ir_reader *reader) {
    if (reader->is_after_functions) {
        return true;
    }
    if (reader->module->initialisation >= reader->module->functions.count) {
        return ir_read_fail(reader, "there is no initialisation function");
    }
    reader->is_after_functions = true;
    reader->builder = ir_builder_create(reader->module, reader->module->initialisation);
    reader->numbers.count = 0;
    for (size_t i = 0; i < reader->initialisation_numbers.count; i++) {
        if (!vector_push(
                &reader->numbers, MEMORY_COMPILE, reader->initialisation_numbers.items[i])) {
            return out_of_memory(reader);
        }
    }
    return true;
}

static bool read_builtin(struct ir_reader *reader, enum shader_stage stage, bool is_input,
    enum builtin_value *out_builtin) {
    enum { IN, OUT };
    static const struct {
        const char *word;
        enum shader_stage stage;
        int direction;
    } rows[] = {
#define BUILTIN_VALUE(name, word, stage, direction, type, enable) {word, STAGE_##stage, direction},
#include "facts/builtin_value.def"
    };
    struct text word = {0};
    TRY(ir_read_word(reader, &word));
    for (int i = 0; i < BUILTIN_VALUE_COUNT; i++) {
        if (text_equals_string(word, rows[i].word) && rows[i].stage == stage &&
            (rows[i].direction == IN) == is_input) {
            *out_builtin = (enum builtin_value)i;
            return true;
        }
    }
    return ir_read_fail(reader, "the stage has no such built-in value");
}

static bool read_interface(
    struct ir_reader *reader, enum shader_stage stage, bool is_input, struct ir_interface *row) {
    TRY(ir_read_type(reader, &row->type));
    if (ir_read_accept_word(reader, "builtin")) {
        row->is_builtin = true;
        TRY(read_builtin(reader, stage, is_input, &row->builtin));
    } else {
        int interpolation = 0, sampling = 0;
        TRY(ir_read_expect_word(reader, "location") && ir_read_u32(reader, &row->location) &&
            ir_read_from_list(reader, ir_interpolation_words, &interpolation) &&
            ir_read_from_list(reader, ir_sampling_words, &sampling));
        row->interpolation = (uint8_t)interpolation;
        row->sampling = (uint8_t)sampling;
        if (ir_read_accept_word(reader, "blend_src")) {
            row->has_blend_source = true;
            TRY(ir_read_u32(reader, &row->blend_source));
        }
    }
    row->is_invariant = ir_read_accept_word(reader, "invariant");
    row->depth_mode = ir_read_accept_word(reader, "less") ? 1
        : ir_read_accept_word(reader, "greater")          ? 2
                                                          : 0;
    return ir_read_optional_name(reader, &row->name);
}

// A number, or a value of the initialisation function.
static bool read_size(struct ir_reader *reader, uint32_t *out_size, ir_value *out_value) {
    char c = ir_read_peek(reader);
    if (c >= '0' && c <= '9') {
        return ir_read_u32(reader, out_size);
    }
    return enter_initialisation(reader) && ir_read_value(reader, out_value);
}

static bool read_workgroup_size(struct ir_reader *reader, struct ir_entry_point *entry) {
    TRY(ir_read_expect_char(reader, '('));
    for (int i = 0; i < 3; i++) {
        TRY(i == 0 || ir_read_expect_char(reader, ','));
        TRY(read_size(reader, &entry->workgroup_size[i], &entry->workgroup_size_value[i]));
    }
    return ir_read_expect_char(reader, ')');
}

static bool read_interfaces(struct ir_reader *reader, struct ir_entry_point *entry) {
    typedef VECTOR(struct ir_interface) interface_list;
    interface_list inputs = {0}, outputs = {0};
    bool ok = ir_read_expect_char(reader, '{');
    while (ok && !ir_read_accept_char(reader, '}')) {
        struct ir_interface row = {0};
        bool is_input = ir_read_accept_word(reader, "input");
        ok = (is_input || ir_read_expect_word(reader, "output")) &&
            read_interface(reader, entry->stage, is_input, &row) &&
            (vector_push(is_input ? &inputs : &outputs, MEMORY_COMPILE, row) ||
                out_of_memory(reader));
    }
    if (ok) {
        struct arena *arena = reader->module->arena;
        entry->inputs = arena_copy(arena, inputs.items, inputs.count * sizeof(struct ir_interface));
        entry->outputs = arena_copy(
            arena, outputs.items, outputs.count * sizeof(struct ir_interface));
        entry->input_count = (uint32_t)inputs.count;
        entry->output_count = (uint32_t)outputs.count;
        ok = (entry->inputs != NULL && entry->outputs != NULL) || out_of_memory(reader);
    }
    vector_finish(&inputs);
    vector_finish(&outputs);
    return ok;
}

static bool read_entry_point(struct ir_reader *reader) {
    struct ir_entry_point entry = {0};
    int stage = 0;
    TRY(ir_read_from_list(reader, ir_stage_words, &stage) &&
        ir_read_optional_name(reader, &entry.name) && ir_read_expect_char(reader, '#') &&
        ir_read_u32(reader, &entry.function));
    entry.stage = (enum shader_stage)stage;
    if (ir_read_accept_word(reader, "workgroup_size")) {
        TRY(read_workgroup_size(reader, &entry));
    }
    if (ir_read_accept_word(reader, "subgroup_size")) {
        TRY(read_size(reader, &entry.subgroup_size, &entry.subgroup_size_value));
    }
    TRY(read_interfaces(reader, &entry));
    return arena_vector_push(reader->module->arena, &reader->module->entry_points, entry) ||
        out_of_memory(reader);
}

// "#N = V" for a row of a list of `count` rows.
static bool read_initial_value(
    struct ir_reader *reader, size_t count, uint32_t *out_number, ir_value *out_value) {
    TRY(enter_initialisation(reader) && ir_read_expect_char(reader, '#') &&
        ir_read_u32(reader, out_number) && ir_read_expect_char(reader, '='));
    if (*out_number >= count) {
        return ir_read_fail(reader, "the number names nothing");
    }
    return ir_read_value(reader, out_value);
}

static bool read_declaration(struct ir_reader *reader) {
    struct ir_module *module = reader->module;
    uint32_t number = 0;
    ir_value value = {0};
    if (ir_read_accept_word(reader, "struct")) {
        return read_struct(reader);
    }
    if (ir_read_accept_word(reader, "override")) {
        return read_override(reader);
    }
    if (ir_read_accept_word(reader, "variable")) {
        return read_variable(reader);
    }
    if (ir_read_accept_word(reader, "function")) {
        return read_function(reader);
    }
    if (ir_read_accept_word(reader, "entry")) {
        return read_entry_point(reader);
    }
    if (ir_read_accept_word(reader, "initialisation")) {
        return read_initialisation(reader);
    }
    if (ir_read_accept_word(reader, "override_value")) {
        TRY(read_initial_value(reader, module->overrides.count, &number, &value));
        module->overrides.items[number].has_initial_value = true;
        module->overrides.items[number].initial_value = value;
        return true;
    }
    if (ir_read_accept_word(reader, "variable_value")) {
        TRY(read_initial_value(reader, module->variables.count, &number, &value));
        module->variables.items[number].initial_value = value;
        return true;
    }
    if (ir_read_accept_word(reader, "count")) {
        size_t count = module->override_counts.count;
        TRY(read_initial_value(reader, count + 1, &number, &value));
        if (number != count) {
            return ir_read_fail(reader, "declarations are numbered from 0 in order");
        }
        return arena_vector_push(module->arena, &module->override_counts, value) ||
            out_of_memory(reader);
    }
    return ir_read_fail(reader, "expected a declaration");
}

struct ir_module *ir_read(struct text source, struct arena *arena, struct text_buffer *out_error) {
    struct ir_reader reader = {.source = source, .out_error = out_error};
    reader.module = ir_module_create(arena);
    bool ok = reader.module != NULL || out_of_memory(&reader);
    while (ok && !ir_read_is_end(&reader)) {
        ok = read_declaration(&reader);
    }
    vector_finish(&reader.structs);
    vector_finish(&reader.numbers);
    vector_finish(&reader.initialisation_numbers);
    return ok ? reader.module : NULL;
}
