// SPDX-License-Identifier: MIT
//
// What the code generator for the CPU cannot run yet, found before any pass runs, so that pipeline
// creation names the language's feature and the function that uses it. Called by compile_cpu.c. Any
// thread.
#include "shader/compile/compile_priv.h"

#define NOT_YET "not implemented yet on the CPU: "

// The IR's words are the language's, with underscores: texture_sample_level is textureSampleLevel.
static void print_name(struct text_buffer *out, const char *word) {
    bool is_upper = false;
    for (; *word != '\0'; word++) {
        if (*word == '_') {
            is_upper = true;
            continue;
        }
        char c = *word;
        text_buffer_append_char(out, is_upper && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
        is_upper = false;
    }
}

static bool is_supported(enum ir_family family) {
    switch (family) {
    case IR_FAMILY_BUFFER_VIEW:
    case IR_FAMILY_BUFFER_LIMIT:
    case IR_FAMILY_BUFFER_LENGTH:
        return false;
    default: // all that a shader without these needs
        return true;
    }
}

static bool check_function(
    const struct ir_module *module, uint32_t number, struct text_buffer *out_error) {
    const struct ir_function *function = &module->functions.items[number];
    for (size_t i = 1; i < function->ops.count; i++) {
        const struct ir_op *op = &function->ops.items[i];
        if (op->parent.index == 0 || is_supported(ir_op_get_info(op->opcode)->family)) {
            continue; // unlinked, or fine
        }
        text_buffer_append_string(out_error, NOT_YET);
        print_name(out_error, ir_op_get_info(op->opcode)->text);
        text_buffer_print(out_error, ", used in the function '%.*s'", TEXT_ARGS(function->name));
        return false;
    }
    return true;
}

static bool check_entry_point(const struct ir_entry_point *entry, struct text_buffer *out_error) {
    if (entry->subgroup_size != 0) {
        text_buffer_print(
            out_error, NOT_YET "@subgroup_size, of the entry point '%.*s'", TEXT_ARGS(entry->name));
        return false;
    }
    return true;
}

bool compile_check_cpu_support(const struct ir_module *module, struct text_buffer *out_error) {
    for (size_t i = 0; i < module->entry_points.count; i++) {
        const struct ir_entry_point *entry = &module->entry_points.items[i];
        if (!check_entry_point(entry, out_error)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < module->functions.count; i++) {
        if (!check_function(module, i, out_error)) {
            return false;
        }
    }
    return true;
}
