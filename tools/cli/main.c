// SPDX-License-Identifier: MIT
//
// `alba`: picks the command and prints help. The commands stand in files of their own.
#include <stdio.h>
#include <string.h>

#include <alba/alba.h>

#include "cli.h"

// clang-format off
const struct cli_command cli_commands[] = {
    {"check", "judge WGSL files and explain each error in place",
     "usage: alba check [--json] FILE...\n"
     "\n"
     "Compiles each file and prints its diagnostics. Exit status 1 when a file has an error.\n"
     "FILE may be - for standard input.\n"
     "\n"
     "  --json    one object per file and line: {\"file\":..., \"ok\":..., \"diagnostics\":[...]}\n"
     "\n"
     "example: alba check examples/layout_mistake.wgsl\n", cli_check},
    {"layout", "show how types lie in memory, and how to mend or shrink them",
     "usage: alba layout FILE [TYPE] [--space uniform|storage] [--c-header] [--diff LIST] [--json]\n"
     "\n"
     "Shows every type that a host shares with the shader, or TYPE alone: a structure, an alias, a\n"
     "variable, or any type in WGSL ('array<vec3f, 8>'). Each member has its offset, alignment and\n"
     "size, padding stands where it is, and three columns tell whether the type may lie so in a\n"
     "storage buffer, in a uniform buffer, and in a uniform buffer with the language extension\n"
     "uniform_buffer_standard_layout. Exit status 1 when the module has an error, such as a uniform\n"
     "buffer that breaks a rule, or when --diff found a difference.\n"
     "\n"
     "  --space NAME   only this address space's columns, and types that it uses\n"
     "  --c-header     C structures with padding, and static assertions on offsets and sizes\n"
     "  --diff LIST    compare TYPE with a host's layout: members as NAME:TYPE@OFFSET with f32 i32\n"
     "                 u32 f16, f32x3 for three in a row, f32x3x3 for three columns, f32[9] or\n"
     "                 f32[9]/16 (stride) for arrays; plain sizes in bytes; size=BYTES. Without\n"
     "                 @OFFSET a member follows the one before it as in C.\n"
     "  --json         the same for programs; docs/reflect.md is the schema\n"
     "\n"
     "example: alba layout examples/particles.wgsl\n"
     "example: alba layout examples/particles.wgsl Particle --diff position:f32x3@0,size=12\n", cli_layout},
    {"explain", "tell where variables live and what each entry point needs",
     "usage: alba explain FILE [--constant NAME=VALUE]... [--json]\n"
     "\n"
     "For each variable: its address space, access mode, scope, lifetime, bytes, the types that may\n"
     "live there, and why it may. For each entry point: the variables that it reaches and through\n"
     "which calls, workgroup memory and how many workgroups fit a GPU's pool, bytes of each\n"
     "invocation and what will not fit registers, limits of core and of compatibility mode that it\n"
     "passes, and the bind group layouts that it needs, for webgpu.h and in JavaScript.\n"
     "\n"
     "  --constant NAME=VALUE   for sizes that depend on an override\n"
     "  --json                  the same for programs; docs/reflect.md is the schema\n"
     "\n"
     "example: alba explain examples/histogram.wgsl\n", cli_explain},
    {"reflect", "write a module's interface as JSON",
     "usage: alba reflect FILE --json\n"
     "\n"
     "One JSON object: entry points with inputs, outputs, workgroup size, overrides and bind group\n"
     "layouts; resources; overrides; structures with every offset. docs/reflect.md is the schema.\n"
     "For a module with an error: {\"file\":..., \"ok\":false, \"diagnostics\":[...]}, exit status 1.\n"
     "\n"
     "example: alba reflect examples/hello_compute.wgsl --json\n", cli_reflect},
    {"run", "run a compute shader on data from the command line",
     "usage: alba run FILE --dispatch X[,Y[,Z]] [options]\n"
     "\n"
     "  --entry NAME         the entry point; may be left out when there is only one\n"
     "  --dispatch X,Y,Z     how many workgroups\n"
     "  --bind G.B=SPEC      the buffer at @group(G) @binding(B); SPEC is one of\n"
     "                         zeros:BYTES   f32:1,2.5,3   u32:1,2   i32:-1,2\n"
     "                         @FILE         random:BYTES:SEED\n"
     "  --print G.B=TYPE[:N] print the buffer afterwards as f32, u32 or i32, at most N values\n"
     "  --out G.B=FILE       write the buffer's bytes to a file afterwards\n"
     "  --constant NAME=VALUE   a pipeline constant, by name or @id\n"
     "  --repeat N           dispatch N times\n"
     "  --ledger             print every byte that crossed between host, staging and device\n"
     "  --warnings           print what is valid and may be better\n"
     "  --time               print times of compiling and running\n"
     "  --watchdog MS        give up when no workgroup finishes for so many milliseconds (10000)\n"
     "  --no-watchdog        let a shader run for ever\n"
     "\n"
     "example: alba run examples/hello_compute.wgsl --dispatch 1 \\\n"
     "             --bind 0.0=f32:1,2,3 --bind 0.1=f32:10,10,10 --print 0.1=f32\n", cli_run},
    {"ir", "show the intermediate representation, stage by stage",
     "usage: alba ir FILE [--entry NAME] [--constant NAME=VALUE]... [--stage NAME]\n"
     "\n"
     "Without --entry, a module with one entry point shows all stages; one with several, the\n"
     "module alone. Stages: module, specialised, then each pass; --stage shows one of them.\n"
     "\n"
     "example: alba ir examples/hello_compute.wgsl --stage module\n", cli_ir},
    {"llvm", "show the LLVM IR of an entry point",
     "usage: alba llvm FILE [--entry NAME] [--constant NAME=VALUE]... [--unoptimised]\n"
     "                 [--cpu sse4.2|avx2|avx512|neon] [--width N] [--jam N]\n"
     "\n"
     "example: alba llvm examples/hello_compute.wgsl --cpu avx2\n", cli_llvm},
    {"asm", "show the machine code of an entry point",
     "usage: alba asm FILE [--entry NAME] [--constant NAME=VALUE]...\n"
     "                [--cpu sse4.2|avx2|avx512|neon] [--width N] [--jam N]\n"
     "\n"
     "example: alba asm examples/hello_compute.wgsl\n", cli_asm},
    {"info", "list adapters, their limits and features",
     "usage: alba info [--json]\n"
     "\n"
     "Lists every adapter with its limits and features, this build's version, and where\n"
     "compiled shaders are kept between runs: how many there are and what they take.\n"
     "\n"
     "example: alba info\n", cli_info},
    {NULL, NULL, NULL, NULL},
};
// clang-format on

static void print_help(FILE *file) {
    fprintf(file, "alba %d.%d.%d: WebGPU in C\n\nusage: alba COMMAND [ARGUMENT...]\n\n",
        ALBA_VERSION_MAJOR, ALBA_VERSION_MINOR, ALBA_VERSION_PATCH);
    for (const struct cli_command *command = cli_commands; command->name != NULL; command++) {
        fprintf(file, "  %-8s %s\n", command->name, command->summary);
    }
    fprintf(file,
        "\nalba COMMAND --help tells more. "
        "Example: alba check examples/layout_mistake.wgsl\n");
}

static bool wants_help(int argument_count, char **arguments) {
    for (int i = 0; i < argument_count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

// 0 when a and b are one edit apart or equal, for "did you mean".
static bool is_near(const char *a, const char *b) {
    size_t prefix = 0;
    while (a[prefix] != '\0' && a[prefix] == b[prefix]) {
        prefix++;
    }
    size_t rest_a = strlen(a + prefix), rest_b = strlen(b + prefix);
    size_t suffix = 0;
    while (suffix < rest_a && suffix < rest_b &&
        a[prefix + rest_a - 1 - suffix] == b[prefix + rest_b - 1 - suffix]) {
        suffix++;
    }
    return rest_a - suffix <= 2 && rest_b - suffix <= 2;
}

// A full disk or a closed pipe is a failure too.
static int finish(int status) {
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_OK) {
        return cli_fail("standard output cannot be written");
    }
    return status;
}

int main(int argument_count, char **arguments) {
    if (argument_count < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = arguments[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return CLI_OK;
    }
    if (strcmp(name, "--version") == 0) {
        printf("alba %d.%d.%d\n", ALBA_VERSION_MAJOR, ALBA_VERSION_MINOR, ALBA_VERSION_PATCH);
        return CLI_OK;
    }
    for (const struct cli_command *command = cli_commands; command->name != NULL; command++) {
        if (strcmp(name, command->name) == 0) {
            if (wants_help(argument_count - 2, arguments + 2)) {
                fputs(command->help, stdout);
                return CLI_OK;
            }
            return finish(command->run(argument_count - 2, arguments + 2));
        }
    }
    fprintf(stderr, "alba: there is no command '%s'", name);
    for (const struct cli_command *command = cli_commands; command->name != NULL; command++) {
        if (is_near(name, command->name)) {
            fprintf(stderr, "; did you mean '%s'?", command->name);
            break;
        }
    }
    fprintf(stderr, "\nalba --help lists the commands\n");
    return CLI_USAGE;
}
