// SPDX-License-Identifier: MIT
//
// Parses `alba run`'s arguments, buffer contents included.
#include "run_arguments.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define LARGEST_BUFFER_BYTES ((uint64_t)1 << 32)

static int fail(const char *format, const char *what) {
    return cli_usage("run", format, what);
}

// "G.B=" at the start of text; *out_rest is what follows the '='.
static bool parse_place(
    const char *text, uint32_t *out_group, uint32_t *out_binding, const char **out_rest) {
    const char *dot = strchr(text, '.');
    const char *equals = strchr(text, '=');
    uint64_t group = 0, binding = 0;
    if (dot == NULL || equals == NULL || equals < dot ||
        !cli_parse_u64((struct text){text, (size_t)(dot - text)}, UINT32_MAX, &group) ||
        !cli_parse_u64((struct text){dot + 1, (size_t)(equals - dot - 1)}, UINT32_MAX, &binding)) {
        return false;
    }
    *out_group = (uint32_t)group;
    *out_binding = (uint32_t)binding;
    *out_rest = equals + 1;
    return true;
}

static bool parse_value(enum cli_element element, struct text text, uint32_t *out_bits) {
    if (element == CLI_ELEMENT_F32) {
        double number = 0;
        if (!cli_parse_double(text, &number)) {
            return false;
        }
        float single = (float)number;
        memcpy(out_bits, &single, 4);
        return true;
    }
    bool is_negative = element == CLI_ELEMENT_I32 && text.length > 0 && text.data[0] == '-';
    struct text digits = is_negative ? (struct text){text.data + 1, text.length - 1} : text;
    uint64_t number = 0;
    uint64_t limit = element == CLI_ELEMENT_U32 ? UINT32_MAX : (uint64_t)INT32_MAX + is_negative;
    if (!cli_parse_u64(digits, limit, &number)) {
        return false;
    }
    *out_bits = is_negative ? 0u - (uint32_t)number : (uint32_t)number;
    return true;
}

static int parse_list(
    struct cli_binding *binding, enum cli_element element, const char *list, const char *whole) {
    size_t count = 1;
    for (const char *c = list; *c != '\0'; c++) {
        count += *c == ',';
    }
    uint32_t *values = memory_allocate(MEMORY_GENERAL, count * 4);
    if (values == NULL) {
        return cli_fail("--bind %s: out of memory", whole);
    }
    binding->bytes = (uint8_t *)values;
    binding->size_bytes = count * 4;
    for (size_t i = 0; i < count; i++) {
        const char *comma = strchr(list, ',');
        size_t length = comma == NULL ? strlen(list) : (size_t)(comma - list);
        if (!parse_value(element, (struct text){list, length}, &values[i])) {
            return cli_usage("run", "--bind %s: '%.*s' is not %s", whole, (int)length, list,
                element == CLI_ELEMENT_F32       ? "a number"
                    : element == CLI_ELEMENT_U32 ? "a u32"
                                                 : "an i32");
        }
        list += length + 1;
    }
    return CLI_OK;
}

static int allocate(struct cli_binding *binding, uint64_t size_bytes, const char *whole) {
    if (size_bytes == 0 || size_bytes % 4 != 0 || size_bytes > LARGEST_BUFFER_BYTES) {
        return cli_usage("run",
            "--bind %s: %" PRIu64 " bytes; a buffer has 4 or more, a multiple of 4, "
            "at most %" PRIu64,
            whole, size_bytes, LARGEST_BUFFER_BYTES);
    }
    binding->bytes = memory_allocate_zeroed(MEMORY_GENERAL, 1, (size_t)size_bytes);
    binding->size_bytes = size_bytes;
    return binding->bytes == NULL ? cli_fail("--bind %s: out of memory", whole) : CLI_OK;
}

static int parse_random(struct cli_binding *binding, const char *text, const char *whole) {
    const char *colon = strchr(text, ':');
    uint64_t size_bytes = 0, seed = 0;
    if (colon == NULL ||
        !cli_parse_u64((struct text){text, (size_t)(colon - text)}, UINT64_MAX, &size_bytes) ||
        !cli_parse_u64(text_from_string(colon + 1), UINT64_MAX, &seed)) {
        return fail("--bind %s: random takes BYTES:SEED", whole);
    }
    int status = allocate(binding, size_bytes, whole);
    if (status != CLI_OK) {
        return status;
    }
    uint64_t state = seed * 2 + 1; // splitmix64
    for (uint64_t i = 0; i < size_bytes; i++) {
        uint64_t mixed = state += 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        binding->bytes[i] = (uint8_t)(mixed >> 56);
    }
    return CLI_OK;
}

static int parse_file(struct cli_binding *binding, const char *path, const char *whole) {
    char *bytes = NULL;
    size_t length = 0;
    if (!cli_read_file(path, &bytes, &length)) {
        return CLI_FAILED;
    }
    binding->bytes = (uint8_t *)bytes;
    binding->size_bytes = length;
    if (length == 0 || length % 4 != 0) {
        return cli_usage("run",
            "--bind %s: the file has %zu bytes; a buffer has 4 or more, "
            "a multiple of 4",
            whole, length);
    }
    return CLI_OK;
}

static int parse_content(struct cli_binding *binding, const char *text, const char *whole) {
    static const char *const element_words[] = {"f32:", "u32:", "i32:"};
    for (int i = 0; i < 3; i++) {
        if (strncmp(text, element_words[i], 4) == 0) {
            return parse_list(binding, (enum cli_element)i, text + 4, whole);
        }
    }
    if (strncmp(text, "zeros:", 6) == 0) {
        uint64_t size_bytes = 0;
        if (!cli_parse_u64(text_from_string(text + 6), UINT64_MAX, &size_bytes)) {
            return fail("--bind %s: zeros takes a number of bytes", whole);
        }
        return allocate(binding, size_bytes, whole);
    }
    if (strncmp(text, "random:", 7) == 0) {
        return parse_random(binding, text + 7, whole);
    }
    if (text[0] == '@') {
        return parse_file(binding, text + 1, whole);
    }
    return fail(
        "--bind %s: expected zeros:BYTES, f32:…, u32:…, i32:…, @FILE or random:BYTES:SEED", whole);
}

static struct cli_binding *find_binding(
    struct cli_run_options *options, uint32_t group, uint32_t binding) {
    for (uint32_t i = 0; i < options->binding_count; i++) {
        if (options->bindings[i].group == group && options->bindings[i].binding == binding) {
            return &options->bindings[i];
        }
    }
    if (options->binding_count == CLI_BINDING_LIMIT) {
        return NULL;
    }
    struct cli_binding *added = &options->bindings[options->binding_count++];
    *added = (struct cli_binding){.group = group, .binding = binding};
    return added;
}

static int parse_print(struct cli_binding *binding, const char *text, const char *whole) {
    static const char *const words[] = {"f32", "u32", "i32"};
    for (int i = 0; i < 3; i++) {
        if (strncmp(text, words[i], 3) == 0 && (text[3] == '\0' || text[3] == ':')) {
            struct cli_print print = {(enum cli_element)i, UINT64_MAX};
            if (text[3] == ':' &&
                !cli_parse_u64(text_from_string(text + 4), UINT64_MAX, &print.limit)) {
                return fail("--print %s: the count is not a number", whole);
            }
            if (binding->print_count == CLI_OUTPUT_LIMIT) {
                return cli_usage("run", "--print %s: one buffer is printed %d times at most", whole,
                    CLI_OUTPUT_LIMIT);
            }
            binding->prints[binding->print_count++] = print;
            return CLI_OK;
        }
    }
    return fail("--print %s: the type is one of f32, u32, i32", whole);
}

// --bind, --print and --out share the form G.B=REST.
static int parse_binding_option(
    struct cli_run_options *options, const char *name, const char *value) {
    uint32_t group = 0, binding_number = 0;
    const char *rest = NULL;
    if (!parse_place(value, &group, &binding_number, &rest)) {
        return cli_usage("run", "--%s %s: expected GROUP.BINDING=…", name, value);
    }
    struct cli_binding *binding = find_binding(options, group, binding_number);
    if (binding == NULL) {
        return cli_usage("run", "more than %u bindings", CLI_BINDING_LIMIT);
    }
    if (strcmp(name, "print") == 0) {
        return parse_print(binding, rest, value);
    }
    if (strcmp(name, "out") == 0) {
        if (binding->out_path_count == CLI_OUTPUT_LIMIT) {
            return cli_usage("run", "--out %s: one buffer is written to %d files at most", value,
                CLI_OUTPUT_LIMIT);
        }
        binding->out_paths[binding->out_path_count++] = rest;
        return CLI_OK;
    }
    if (binding->bytes != NULL) {
        return cli_usage("run", "--bind %u.%u is given twice", group, binding_number);
    }
    return parse_content(binding, rest, value);
}

static int parse_dispatch(struct cli_run_options *options, const char *value) {
    const char *rest = value;
    for (int i = 0; i < 3; i++) {
        options->workgroups[i] = 1;
        if (rest != NULL) {
            const char *comma = strchr(rest, ',');
            size_t length = comma == NULL ? strlen(rest) : (size_t)(comma - rest);
            uint64_t number = 0;
            if (!cli_parse_u64((struct text){rest, length}, UINT64_MAX, &number)) {
                return fail("--dispatch %s: expected X, X,Y or X,Y,Z", value);
            }
            if (number > UINT32_MAX) {
                return cli_usage("run",
                    "--dispatch %s: %" PRIu64 " workgroups in %c; a count is below 2^32, and "
                    "maxComputeWorkgroupsPerDimension is 65535 by default",
                    value, number, (char)('x' + i));
            }
            options->workgroups[i] = (uint32_t)number;
            rest = comma == NULL ? NULL : comma + 1;
        }
    }
    options->has_dispatch = true;
    return rest == NULL ? CLI_OK : fail("--dispatch %s: at most three numbers", value);
}

bool cli_parse_constant(const char *command, const char *text, struct cli_constant *out_constant) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        cli_usage(command, "--constant %s: expected NAME=VALUE", text);
        return false;
    }
    out_constant->name = (struct text){text, (size_t)(equals - text)};
    struct text value = text_from_string(equals + 1);
    if (text_equals_string(value, "true") || text_equals_string(value, "false")) {
        out_constant->value = text_equals_string(value, "true") ? 1 : 0;
    } else if (!cli_parse_double(value, &out_constant->value)) {
        cli_usage(command, "--constant %s: '%s' is not a number", text, equals + 1);
        return false;
    }
    return true;
}

static int parse_option(
    struct cli_run_options *options, struct cli_arguments *arguments, const char *text) {
    if (cli_is_option(arguments, "ledger")) {
        options->shows_ledger = true;
        return CLI_OK;
    }
    if (cli_is_option(arguments, "warnings")) {
        options->shows_warnings = true;
        return CLI_OK;
    }
    if (cli_is_option(arguments, "time")) {
        options->shows_time = true;
        return CLI_OK;
    }
    if (cli_is_option(arguments, "no-watchdog")) {
        options->has_no_watchdog = true;
        return CLI_OK;
    }
    static const char *const with_value[] = {
        "entry", "dispatch", "bind", "print", "out", "constant", "repeat", "watchdog"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof(with_value) / sizeof(with_value[0]); i++) {
        is_known = is_known || cli_is_option(arguments, with_value[i]);
    }
    if (!is_known) {
        return fail("there is no option '%s'", text);
    }
    const char *value = cli_option_value(arguments);
    if (value == NULL) {
        return fail("%s needs a value", text);
    }
    if (cli_is_option(arguments, "entry")) {
        options->entry_point = value;
        return CLI_OK;
    }
    if (cli_is_option(arguments, "dispatch")) {
        return parse_dispatch(options, value);
    }
    if (cli_is_option(arguments, "repeat")) {
        bool is_number = cli_parse_u64(text_from_string(value), 1000000, &options->repeat);
        return is_number && options->repeat > 0 ? CLI_OK : fail("--repeat %s: 1 to 1000000", value);
    }
    if (cli_is_option(arguments, "watchdog")) {
        bool is_number = cli_parse_u64(text_from_string(value), 1000000000, &options->watchdog_ms);
        return is_number && options->watchdog_ms > 0
            ? CLI_OK
            : fail("--watchdog %s: milliseconds, 1 to 1000000000", value);
    }
    if (cli_is_option(arguments, "constant")) {
        if (options->constant_count == CLI_CONSTANT_LIMIT) {
            return cli_usage("run", "more than %u constants", CLI_CONSTANT_LIMIT);
        }
        return cli_parse_constant("run", value, &options->constants[options->constant_count++])
            ? CLI_OK
            : CLI_USAGE;
    }
    return parse_binding_option(options, arguments->name, value);
}

int cli_run_options_parse(struct cli_run_options *options, int argument_count, char **items) {
    *options = (struct cli_run_options){.repeat = 1};
    struct cli_arguments arguments = {.count = argument_count, .items = items};
    const char *text = NULL;
    enum cli_argument_kind kind;
    while ((kind = cli_next_argument(&arguments, &text)) != CLI_ARGUMENT_END) {
        if (kind == CLI_ARGUMENT_OPTION) {
            int status = parse_option(options, &arguments, text);
            if (status != CLI_OK) {
                return status;
            }
        } else if (options->path != NULL) {
            return fail("one file only; '%s' is one too many", text);
        } else {
            options->path = text;
        }
    }
    if (options->path == NULL) {
        return cli_usage("run", "which file?");
    }
    if (!options->has_dispatch) {
        return cli_usage("run", "how many workgroups? give --dispatch X,Y,Z");
    }
    for (uint32_t i = 0; i < options->binding_count; i++) {
        if (options->bindings[i].bytes == NULL) {
            return cli_usage("run", "%u.%u is to be shown, but there is no --bind %u.%u=…",
                options->bindings[i].group, options->bindings[i].binding,
                options->bindings[i].group, options->bindings[i].binding);
        }
    }
    return CLI_OK;
}

void cli_run_options_finish(struct cli_run_options *options) {
    for (uint32_t i = 0; i < options->binding_count; i++) {
        memory_free(options->bindings[i].bytes);
    }
    options->binding_count = 0;
}
