// SPDX-License-Identifier: MIT
//
// Compiles every tests/shader/NAME.wgsl and compares with what lies beside it: NAME.ir, the printed
// IR of a valid module, or NAME.err, the diagnostics of an invalid one (a valid one with warnings has
// both). Whatever the goldens say, the IR must pass the validator and read back to itself, and
// diagnostics must point into the text. --accept writes the goldens; arguments choose names.
//
// When all run, each code of diagnostic.def must have appeared in some golden, or be one of the few
// that no file of this folder can cause, each with the test that does.
//
// Every fix is applied to the text, which is compiled once more: the message must be gone, and
// the errors no more than before.
//
// The first line of a .wgsl may say what must come out: `// valid` or `// error: CODE...`, the codes
// in the order of the text. It is the author's judgement by the specification, and --accept does not
// change it: a golden cannot be accepted against it. A second line `// no features` compiles for a
// device without any.

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shader/ir/ir_text.h"
#include "shader/wgsl/extension.h"
#include "shader/wgsl/wgsl.h"

#define NAME_LIMIT 512

static bool seen_codes[DIAGNOSTIC_CODE_COUNT];

// What takes a text of 64 MiB, or a fault of the compiler's own, to cause.
static const enum diagnostic_code uncaused_codes[] = {
    DIAGNOSTIC_SOURCE_TOO_LARGE, // here, check_too_large
    DIAGNOSTIC_INTERNAL,         // tests/unit/shader/wgsl: allocations that fail
};

struct names {
    char **items;
    size_t count;
};

static bool read_file(const char *path, struct text_buffer *out) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    char chunk[4096];
    size_t size;
    while ((size = fread(chunk, 1, sizeof chunk, file)) > 0) {
        text_buffer_append(out, (struct text){chunk, size});
    }
    fclose(file);
    return !out->has_failed;
}

static bool write_file(const char *path, struct text text) {
    if (text.length == 0) {
        remove(path);
        return true;
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        return false;
    }
    bool is_ok = fwrite(text.data, 1, text.length, file) == text.length;
    return fclose(file) == 0 && is_ok;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct names list_names(const char *folder) {
    struct names names = {0};
    DIR *directory = opendir(folder);
    if (!directory) {
        return names;
    }
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".wgsl") != 0) {
            continue;
        }
        char **items = realloc(names.items, (names.count + 1) * sizeof(char *));
        char *copy = malloc(length - 4);
        if (!items || !copy) {
            exit(2);
        }
        memcpy(copy, entry->d_name, length - 5);
        copy[length - 5] = '\0';
        names.items = items;
        names.items[names.count++] = copy;
    }
    closedir(directory);
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof(char *), compare_names);
    }
    return names;
}

// Shows the first line that differs.
static void print_difference(
    const char *name, const char *suffix, struct text expected, struct text actual) {
    size_t at = 0, line = 1, begin = 0;
    while (at < expected.length && at < actual.length && expected.data[at] == actual.data[at]) {
        if (expected.data[at] == '\n') {
            line++;
            begin = at + 1;
        }
        at++;
    }
    const char *a = expected.data + begin, *b = actual.data + begin;
    const char *a_end = memchr(a, '\n', expected.length - begin);
    const char *b_end = memchr(b, '\n', actual.length - begin);
    int a_length = (int)((a_end ? a_end : expected.data + expected.length) - a);
    int b_length = (int)((b_end ? b_end : actual.data + actual.length) - b);
    printf("FAIL %s%s: line %zu\n    expected %.*s\n    actual   %.*s\n", name, suffix, line,
        a_length, a, b_length, b);
}

static bool compare(const char *name, const char *suffix, struct text actual, bool accept) {
    char path[NAME_LIMIT];
    snprintf(path, sizeof path, "%s/%s%s", ALBA_SHADER_GOLDENS, name, suffix);
    if (accept) {
        return write_file(path, actual);
    }
    struct text_buffer expected = {0};
    bool has_file = read_file(path, &expected);
    struct text golden = text_buffer_get(&expected);
    bool is_equal = text_equals(golden, actual) && (has_file || actual.length == 0);
    if (!is_equal) {
        print_difference(name, suffix, golden, actual);
    }
    text_buffer_finish(&expected);
    return is_equal;
}

static bool check_ir(const char *name, const struct ir_module *module, struct text_buffer *out) {
    struct text_buffer errors = {0}, again = {0};
    bool is_ok = true;
    if (!ir_validate(module, &errors)) {
        printf("FAIL %s: the IR is not valid:\n%s\n", name, errors.data ? errors.data : "");
        is_ok = false;
    }
    ir_print(out, module);
    struct arena arena;
    arena_init(&arena, MEMORY_TEST);
    struct ir_module *copy = ir_read(text_buffer_get(out), &arena, &errors);
    if (copy) {
        ir_print(&again, copy);
    }
    if (!text_equals(text_buffer_get(&again), text_buffer_get(out))) {
        printf("FAIL %s: the printed IR reads back differently: %s\n", name,
            errors.data ? errors.data : "");
        print_difference(name, " (read back)", text_buffer_get(out), text_buffer_get(&again));
        is_ok = false;
    }
    arena_finish(&arena);
    text_buffer_finish(&errors);
    text_buffer_finish(&again);
    return is_ok;
}

// Holds the codes of the errors against the file's first line.
static bool check_verdict(const char *name, struct text source,
    const struct diagnostic_list *diagnostics, bool is_valid) {
    struct text_buffer actual = {0};
    text_buffer_append_string(&actual, is_valid ? "// valid" : "// error:");
    for (uint32_t i = 0; i < diagnostics->count; i++) {
        if (diagnostics->items[i]->severity == DIAGNOSTIC_ERROR) {
            text_buffer_print(&actual, " %s", diagnostic_code_id(diagnostics->items[i]->code));
        }
    }
    const char *end = memchr(source.data, '\n', source.length);
    struct text first = {source.data, end ? (size_t)(end - source.data) : source.length};
    bool is_ok = text_equals(first, text_buffer_get(&actual));
    if (!is_ok) {
        printf("FAIL %s: says '%.*s' but is '%s'\n", name, TEXT_ARGS(first), actual.data);
    }
    text_buffer_finish(&actual);
    return is_ok;
}

static uint32_t count_same(const struct diagnostic_list *list, const struct diagnostic *wanted) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        count += list->items[i]->code == wanted->code &&
            text_equals(list->items[i]->message, wanted->message);
    }
    return count;
}

// The text with all fixes of the diagnostic, which stand in the order of the text.
static void apply_fixes(struct text text, const struct diagnostic *from, struct text_buffer *out) {
    size_t at = 0;
    for (const struct diagnostic_fix *fix = from->first_fix; fix; fix = fix->next) {
        text_buffer_append(out, (struct text){text.data + at, fix->span.begin - at});
        text_buffer_append(out, fix->replacement);
        at = fix->span.end;
    }
    text_buffer_append(out, (struct text){text.data + at, text.length - at});
}

static bool check_fix(const char *name, struct text text, const struct wgsl_options *options,
    const struct diagnostic_list *before, const struct diagnostic *from) {
    struct text_buffer mended = {0};
    struct arena arena;
    struct diagnostic_list after;
    struct ir_module *module = NULL;
    arena_init(&arena, MEMORY_TEST);
    diagnostic_list_init(&after, &arena, 0);
    apply_fixes(text, from, &mended);
    wgsl_compile(text_buffer_get(&mended), options, &arena, &after, &module);
    bool is_ok = !mended.has_failed && count_same(&after, from) < count_same(before, from) &&
        after.error_count <= before->error_count;
    if (!is_ok) {
        printf("FAIL %s: the fix does not mend: %.*s\n", name, TEXT_ARGS(from->message));
    }
    arena_finish(&arena);
    text_buffer_finish(&mended);
    return is_ok;
}

static bool run(const char *name, bool accept) {
    char path[NAME_LIMIT];
    struct text_buffer file = {0}, ir_text = {0}, messages = {0};
    snprintf(path, sizeof path, "%s/%s.wgsl", ALBA_SHADER_GOLDENS, name);
    if (!read_file(path, &file)) {
        printf("FAIL %s: cannot read\n", name);
        text_buffer_finish(&file);
        return false;
    }
    struct text text = text_buffer_get(&file);
    struct arena arena;
    struct source source;
    struct diagnostic_list diagnostics;
    struct ir_module *module = NULL;
    arena_init(&arena, MEMORY_TEST);
    diagnostic_list_init(&diagnostics, &arena, 0);
    const char *second = memchr(text.data, '\n', text.length);
    bool is_bare = second != NULL && strncmp(second, "\n// no features\n", 16) == 0;
    struct wgsl_options options = {.enabled_extensions = is_bare ? 0 : UINT32_MAX};
    bool is_ok = source_init(&source, text, (struct text){0}, &arena);
    bool is_valid = is_ok && wgsl_compile_source(&source, &options, &arena, &diagnostics, &module);
    is_ok = is_ok && check_verdict(name, text, &diagnostics, is_valid);
    if (module) {
        is_ok = check_ir(name, module, &ir_text) && is_ok;
    }
    for (uint32_t i = 0; i < diagnostics.count; i++) {
        diagnostic_print(&messages, &source, diagnostics.items[i], (struct diagnostic_style){0});
        is_ok = is_ok && diagnostics.items[i]->span.end <= text.length;
        seen_codes[diagnostics.items[i]->code] = true;
        if (diagnostics.items[i]->first_fix) {
            is_ok = check_fix(name, text, &options, &diagnostics, diagnostics.items[i]) && is_ok;
        }
    }
    bool may_accept = accept && is_ok;
    is_ok = compare(name, ".ir", text_buffer_get(&ir_text), may_accept) && is_ok;
    is_ok = compare(name, ".err", text_buffer_get(&messages), may_accept) && is_ok;
    text_buffer_finish(&file);
    text_buffer_finish(&ir_text);
    text_buffer_finish(&messages);
    arena_finish(&arena);
    return is_ok;
}

static bool check_too_large(void) {
    static const char golden[] =
        "the module has 67108865 bytes of text; at most 67108864 are accepted";
    enum { SIZE = 64 * 1024 * 1024 + 1 };
    char *data = malloc(SIZE);
    if (!data) {
        exit(2);
    }
    memset(data, ' ', SIZE);
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct ir_module *module = NULL;
    arena_init(&arena, MEMORY_TEST);
    diagnostic_list_init(&diagnostics, &arena, 0);
    struct wgsl_options options = {0};
    bool is_ok = !wgsl_compile(
                     (struct text){data, SIZE}, &options, &arena, &diagnostics, &module) &&
        diagnostics.count == 1 && diagnostics.items[0]->code == DIAGNOSTIC_SOURCE_TOO_LARGE &&
        text_equals_string(diagnostics.items[0]->message, golden);
    if (!is_ok) {
        printf("FAIL source-too-large\n");
    }
    arena_finish(&arena);
    free(data);
    return is_ok;
}

// The page that lists every code, for people.
static bool check_page(bool accept) {
    struct text_buffer page = {0}, golden = {0};
    text_buffer_append_string(&page,
        "# The errors and warnings of alba's WGSL compiler\n\n"
        "A code is stable: programs may match on it. `alba check FILE` prints it behind the message,\n"
        "`alba check FILE --json` as `code`. Each rule links to its section of the specification. An\n"
        "example of each, with what is said of it, is in `tests/shader`: `code_*.wgsl` and `.err`, the\n"
        "code with `_` for `-`.\n\n"
        "| code | the rule |\n|---|---|\n");
    for (int i = 0; i < DIAGNOSTIC_CODE_COUNT; i++) {
        enum diagnostic_code code = (enum diagnostic_code)i;
        const char *section = diagnostic_code_section(code);
        text_buffer_print(&page, "| `%s` | ", diagnostic_code_id(code));
        text_buffer_print(&page, section[0] ? "[%s](https://www.w3.org/TR/WGSL/#%s) |\n" : "%s |\n",
            diagnostic_code_summary(code), section);
    }
    const char *path = ALBA_SHADER_GOLDENS "/../../docs/diagnostics.md";
    bool is_ok = accept
        ? write_file(path, text_buffer_get(&page))
        : read_file(path, &golden) && text_equals(text_buffer_get(&page), text_buffer_get(&golden));
    if (!is_ok) {
        printf("FAIL docs/diagnostics.md is not what diagnostic.def says: --accept writes it\n");
    }
    text_buffer_finish(&page);
    text_buffer_finish(&golden);
    return is_ok;
}

// verdicts.txt: many small programs in one file, of which only the verdict is held.
static bool check_verdict_of(struct text program, bool is_valid) {
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct ir_module *module = NULL;
    struct text_buffer errors = {0};
    arena_init(&arena, MEMORY_TEST);
    diagnostic_list_init(&diagnostics, &arena, 0);
    struct wgsl_options options = {.enabled_extensions = UINT32_MAX};
    bool is_accepted = wgsl_compile(program, &options, &arena, &diagnostics, &module);
    bool is_ok = is_accepted == is_valid && is_accepted != diagnostic_list_has_errors(&diagnostics);
    if (module && !ir_validate(module, &errors)) {
        is_ok = false;
    }
    if (!is_ok) {
        printf("FAIL verdicts: %s, but should be %s: %.*s", is_accepted ? "accepted" : "rejected",
            is_valid ? "valid" : "invalid", TEXT_ARGS(program));
    }
    text_buffer_finish(&errors);
    arena_finish(&arena);
    return is_ok;
}

static size_t count_wrong_verdicts(void) {
    static const char valid[] = "=== valid\n", invalid[] = "=== invalid\n";
    struct text_buffer file = {0};
    size_t wrong = 0, count = 0;
    if (!read_file(ALBA_SHADER_GOLDENS "/verdicts.txt", &file)) {
        text_buffer_finish(&file);
        return 1;
    }
    const char *at = strstr(file.data, "\n=== ");
    while (at) {
        at++;
        bool is_valid = strncmp(at, valid, sizeof valid - 1) == 0;
        at += is_valid ? sizeof valid - 1 : sizeof invalid - 1;
        const char *end = strstr(at - 1, "\n=== ");
        const char *stop = end ? end + 1 : file.data + file.length;
        wrong += !check_verdict_of((struct text){at, (size_t)(stop - at)}, is_valid);
        count++;
        at = end;
    }
    text_buffer_finish(&file);
    printf("%zu verdicts, %zu wrong\n", count, wrong);
    return wrong + (count == 0);
}

static size_t count_missing_codes(void) {
    size_t missing = 0;
    for (size_t i = 0; i < sizeof uncaused_codes / sizeof uncaused_codes[0]; i++) {
        seen_codes[uncaused_codes[i]] = true;
    }
    for (int code = 0; code < DIAGNOSTIC_CODE_COUNT; code++) {
        if (!seen_codes[code]) {
            printf("FAIL no golden shows the diagnostic '%s'\n",
                diagnostic_code_id((enum diagnostic_code)code));
            missing++;
        }
    }
    return missing;
}

int main(int argc, char **argv) {
    bool accept = false;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--accept") == 0) {
        accept = true;
        first = 2;
    }
    struct names names = list_names(ALBA_SHADER_GOLDENS);
    size_t run_count = 0, failed = 0;
    for (size_t i = 0; i < names.count; i++) {
        bool is_chosen = first >= argc;
        for (int j = first; j < argc; j++) {
            is_chosen |= strcmp(argv[j], names.items[i]) == 0;
        }
        if (is_chosen) {
            run_count++;
            failed += !run(names.items[i], accept);
        }
        free(names.items[i]);
    }
    free(names.items);
    if (first >= argc) {
        failed += count_missing_codes() + !check_too_large() + !check_page(accept) +
            count_wrong_verdicts();
    }
    printf("%zu shaders, %zu failed\n", run_count, failed);
    return failed > 0 || run_count == 0;
}
