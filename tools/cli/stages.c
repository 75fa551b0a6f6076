// SPDX-License-Identifier: MIT
//
// `alba ir`, `alba llvm`, `alba asm`: what the compiler makes of a shader, stage by stage.
#include <stdio.h>
#include <string.h>

#include "run_arguments.h"
#include "shader.h"
#include "shader/compile/code_generator.h"

enum stage_command { STAGE_IR, STAGE_LLVM, STAGE_ASSEMBLY };

struct stage_options {
    const char *command;
    const char *path;
    const char *entry_point;
    const char *stage; // ir: NULL for all
    const char *cpu;   // NULL: ALBA_CPU, else native
    struct jit_options jit;
    bool is_unoptimised;
    struct compile_constant constants[CLI_CONSTANT_LIMIT];
    uint32_t constant_count;
};

static bool parse_number(const char *command, const char *name, const char *value, uint64_t limit,
    uint32_t *out_number) {
    uint64_t number = 0;
    if (value == NULL || !cli_parse_u64(text_from_string(value), limit, &number) ||
        (number & (number - 1)) != 0) {
        cli_usage(command, "--%s takes a power of two up to %u", name, (unsigned)limit);
        return false;
    }
    *out_number = (uint32_t)number;
    return true;
}

static int parse_valued_option(struct stage_options *options, struct cli_arguments *arguments,
    enum stage_command which, const char *text) {
    const char *value = cli_option_value(arguments);
    if (value == NULL) {
        return cli_usage(options->command, "%s needs a value, or is not known", text);
    }
    if (cli_is_option(arguments, "entry")) {
        options->entry_point = value;
    } else if (cli_is_option(arguments, "constant")) {
        struct cli_constant constant = {0};
        if (options->constant_count == CLI_CONSTANT_LIMIT ||
            !cli_parse_constant(options->command, value, &constant)) {
            return CLI_USAGE;
        }
        options->constants[options->constant_count++] = (struct compile_constant){
            .key = constant.name, .value = constant.value};
    } else if (which == STAGE_IR && cli_is_option(arguments, "stage")) {
        options->stage = value;
    } else if (which != STAGE_IR && cli_is_option(arguments, "cpu")) {
        options->cpu = value;
    } else if (which != STAGE_IR && cli_is_option(arguments, "width")) {
        return parse_number(options->command, "width", value, 64, &options->jit.width) ? CLI_OK
                                                                                       : CLI_USAGE;
    } else if (which != STAGE_IR && cli_is_option(arguments, "jam")) {
        return parse_number(options->command, "jam", value, 8, &options->jit.jam) ? CLI_OK
                                                                                  : CLI_USAGE;
    } else {
        return cli_usage(options->command, "there is no option '%s'", text);
    }
    return CLI_OK;
}

static int parse(
    struct stage_options *options, enum stage_command which, int argument_count, char **items) {
    struct cli_arguments arguments = {.count = argument_count, .items = items};
    const char *text = NULL;
    enum cli_argument_kind kind;
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind == CLI_ARGUMENT_POSITIONAL) {
            if (options->path != NULL) {
                return cli_usage(options->command, "one file only; '%s' is one too many", text);
            }
            options->path = text;
        } else if (which == STAGE_LLVM && cli_is_option(&arguments, "unoptimised")) {
            options->is_unoptimised = true;
        } else {
            int status = parse_valued_option(options, &arguments, which, text);
            if (status != CLI_OK) {
                return status;
            }
        }
    }
    return options->path == NULL ? cli_usage(options->command, "which file?") : CLI_OK;
}

static bool print_ir(const struct stage_options *options, const struct cli_shader *shader,
    struct text_buffer *out, struct text_buffer *out_error) {
    struct compile_cpu_options cpu_options = {.has_fma = true};
    struct text stage = {options->stage, options->stage == NULL ? 0 : strlen(options->stage)};
    if (shader->entry_point == COMPILE_NO_ENTRY_POINT && options->stage == NULL) {
        stage = TEXT_LITERAL("module");
    }
    enum compile_status status = compile_print_ir(shader->module, shader->entry_point,
        options->constants, options->constant_count, &cpu_options, stage, out, out_error);
    return status == COMPILE_OK;
}

static bool print_code(const struct stage_options *options, const struct cli_shader *shader,
    enum stage_command which, struct text_buffer *out, struct text_buffer *out_error) {
    const struct jit_interface *generator = code_generator_open(out_error);
    if (generator == NULL) {
        return false;
    }
    struct jit_options jit = options->jit;
    jit.poll_cancel = true;
    bool has_level = options->cpu == NULL
        ? code_generator_level(&jit.level, out_error)
        : code_generator_find_level(options->cpu, &jit.level, out_error);
    if (!has_level) {
        return false;
    }
    struct compile_program *specialised = NULL;
    struct compile_program *lowered = NULL;
    struct compile_cpu_options cpu_options = {.has_fma = jit_level_has_fma(jit.level)};
    bool is_printed = compile_specialise(shader->module, shader->entry_point, options->constants,
                          options->constant_count, out_error, &specialised) == COMPILE_OK &&
        compile_lower_for_cpu(specialised->ir, &cpu_options, out_error, &lowered) == COMPILE_OK &&
        generator->print(lowered->ir, 0, &jit,
            which == STAGE_ASSEMBLY       ? JIT_TEXT_ASSEMBLY
                : options->is_unoptimised ? JIT_TEXT_LLVM
                                          : JIT_TEXT_LLVM_OPTIMISED,
            out, out_error);
    compile_program_destroy(lowered);
    compile_program_destroy(specialised);
    return is_printed;
}

static int show(
    const char *command, enum stage_command which, int argument_count, char **arguments) {
    static struct stage_options options;
    options.command = command;
    struct cli_shader shader = {0};
    int status = parse(&options, which, argument_count, arguments);
    if (status == CLI_OK) {
        status = cli_shader_open(&shader, options.path, options.entry_point,
            which == STAGE_IR ? CLI_ENTRY_ANY_OR_NONE : CLI_ENTRY_ANY);
    }
    if (status == CLI_OK) {
        struct text_buffer out = {0};
        struct text_buffer error = {0};
        bool is_printed = which == STAGE_IR ? print_ir(&options, &shader, &out, &error)
                                            : print_code(&options, &shader, which, &out, &error);
        if (is_printed && !out.has_failed) {
            fputs(text_buffer_get(&out).data, stdout);
        } else {
            status = cli_fail("%s", error.length == 0 ? "out of memory" : error.data);
        }
        text_buffer_finish(&out);
        text_buffer_finish(&error);
    }
    cli_shader_finish(&shader);
    return status;
}

int cli_ir(int argument_count, char **arguments) {
    return show("ir", STAGE_IR, argument_count, arguments);
}

int cli_llvm(int argument_count, char **arguments) {
    return show("llvm", STAGE_LLVM, argument_count, arguments);
}

int cli_asm(int argument_count, char **arguments) {
    return show("asm", STAGE_ASSEMBLY, argument_count, arguments);
}
