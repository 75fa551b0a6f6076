// SPDX-License-Identifier: MIT
//
// What `alba explain` prints: the variables, then the entry points. See explain.h.
#include <inttypes.h>

#include "base/try.h"
#include "shader/explain/explain_priv.h"

// WGSL §"Limits": private variables of a shader, and function variables of one function.
enum { GUARANTEED_BYTES = 8192 };

typedef void (*sentence)(struct text_buffer *out, const struct explain_variable *variable);

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static uint32_t line_of(const struct explain_facts *facts, struct source_span span) {
    return source_locate(&facts->module->base.source, span.begin).line;
}

static void print_bytes(struct text_buffer *out, const struct explain_variable *variable) {
    if (variable->declaration->space == SPACE_HANDLE) {
        text_buffer_append_string(out, "none that a shader can see");
    } else if (!variable->has_bytes) {
        text_buffer_append_string(out, "depend on an override: give --constant NAME=VALUE");
    } else if (variable->element_bytes != 0) {
        text_buffer_print(out, "at least %" PRIu64 ", and %" PRIu64 " for each further element",
            variable->bytes, variable->element_bytes);
    } else {
        layout_print_bytes(out, variable->bytes);
    }
}

// The sentences that hold for every variable of the space (and of the function, when there is one).
static void print_sentences(struct text_buffer *out, const struct explain_variable *variable) {
    static const struct {
        const char *head;
        sentence print;
    } rows[] = {{"address space", explain_print_space}, {"access mode", explain_print_access},
        {"scope", explain_print_scope}, {"lifetime", explain_print_lifetime},
        {"admitted types", explain_print_admitted}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        text_buffer_print(out, "  %-15s ", rows[i].head);
        rows[i].print(out, variable);
        text_buffer_append_char(out, '\n');
    }
}

static void print_registers(
    struct text_buffer *out, const struct explain_variable *variable, const char *before) {
    struct text_buffer registers = {0};
    if (explain_print_registers(&registers, variable)) {
        text_buffer_print(out, "%s%s\n", before, text_buffer_get(&registers).data);
    }
    text_buffer_finish(&registers);
}

static void print_variable(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable) {
    explain_print_declaration(out, facts, variable);
    text_buffer_print(
        out, "   // line %" PRIu32 "\n", line_of(facts, variable->declaration->name_span));
    print_sentences(out, variable);
    text_buffer_print(out, "  %-15s ", "why it may");
    explain_print_reason(out, facts, variable);
    text_buffer_print(out, "\n  %-15s ", "bytes");
    print_bytes(out, variable);
    text_buffer_append_char(out, '\n');
    print_registers(out, variable, "  registers       ");
    text_buffer_append_char(out, '\n');
}

// A function's own variables have the same answers, but for their bytes: said once.
static void print_function_variables(struct text_buffer *out, const struct explain_facts *facts) {
    uint64_t sum = 0;
    for (size_t i = facts->module_variable_count; i < facts->variables.count; i++) {
        const struct explain_variable *variable = &facts->variables.items[i];
        bool is_first = i == facts->module_variable_count ||
            variable[-1].function != variable->function;
        if (is_first) {
            text_buffer_print(out, "the variables of fn %.*s   // line %" PRIu32 "\n",
                TEXT_ARGS(variable->function->name->text),
                line_of(facts, variable->function->name_span));
            print_sentences(out, variable);
            text_buffer_print(out, "  %-15s ", "why they may");
            explain_print_reason(out, facts, variable);
            text_buffer_append_char(out, '\n');
        }
        text_buffer_append_string(out, "    ");
        explain_print_declaration(out, facts, variable);
        text_buffer_append_string(out, ", bytes ");
        print_bytes(out, variable);
        text_buffer_print(
            out, "   // line %" PRIu32 "\n", line_of(facts, variable->declaration->name_span));
        print_registers(out, variable, "      ");
        sum = (is_first ? 0 : sum) + variable->bytes;
        bool is_last = i + 1 == facts->variables.count ||
            variable[1].function != variable->function;
        if (is_last && sum > GUARANTEED_BYTES) {
            text_buffer_print(out,
                "    %" PRIu64 " bytes in all, more than the %d in one function that every WebGPU "
                "supports\n",
                sum, GUARANTEED_BYTES);
        }
        text_buffer_append_string(out, is_last ? "\n" : "");
    }
}

static void print_heading(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    static const char *const stages[] = {
        [STAGE_VERTEX] = "vertex", [STAGE_FRAGMENT] = "fragment", [STAGE_COMPUTE] = "compute"};
    text_buffer_print(out, "@%s", stages[entry->stage]);
    if (entry->stage == STAGE_COMPUTE) {
        text_buffer_append_string(out, " @workgroup_size(");
        for (int i = 0; i < 3; i++) {
            text_buffer_append_string(out, i == 0 ? "" : ", ");
            if (entry->workgroup_size[i] == 0) {
                text_buffer_append_char(out, '?');
            } else {
                text_buffer_print(out, "%" PRIu32, entry->workgroup_size[i]);
            }
        }
        text_buffer_append_char(out, ')');
    }
    text_buffer_print(out, " fn %.*s   // line %" PRIu32 "\n",
        TEXT_ARGS(entry->function->name->text), line_of(facts, entry->function->name_span));
}

static void print_uses(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    text_buffer_append_string(
        out, entry->uses.count == 0 ? "  it reaches no module-scope variable\n" : "  it reaches\n");
    for (size_t i = 0; i < entry->uses.count; i++) {
        text_buffer_append_string(out, "    ");
        explain_print_declaration(
            out, facts, &facts->variables.items[entry->uses.items[i].variable]);
        text_buffer_append_string(out, "   in ");
        explain_print_chain(out, entry, entry->uses.items[i].reach);
        text_buffer_append_char(out, '\n');
    }
}

static void print_workgroup(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    if (entry->stage != STAGE_COMPUTE) {
        return;
    }
    const struct limit_info *limit = limit_get_info(LIMIT_maxComputeWorkgroupStorageSize);
    text_buffer_print(out,
        "  workgroup memory: %s%" PRIu64 " of %" PRIu64 " bytes (the default %s)\n",
        entry->is_workgroup_known ? "" : "at least ", entry->workgroup_bytes, limit->core_default,
        limit->name);
    if (entry->workgroup_bytes == 0) {
        return;
    }
    for (size_t i = 0; i < entry->uses.count; i++) {
        const struct explain_variable *variable =
            &facts->variables.items[entry->uses.items[i].variable];
        if (variable->declaration->space != SPACE_WORKGROUP) {
            continue;
        }
        text_buffer_print(out, "    %.*s: ", TEXT_ARGS(variable->declaration->name->text));
        type_print(out, facts->layout.types, variable->declaration->type);
        text_buffer_append_string(out, ", bytes ");
        print_bytes(out, variable);
        text_buffer_append_string(out,
            variable->has_bytes && variable->bytes % 16 != 0 ? ", counted as a multiple of 16\n"
                                                             : "\n");
    }
    uint64_t invocations = (uint64_t)entry->workgroup_size[0] * entry->workgroup_size[1];
    invocations = invocations > UINT32_MAX ? 0 : invocations * entry->workgroup_size[2];
    for (uint32_t i = 0; i < explain_pool_count; i++) {
        uint64_t count = explain_count_resident(
            &explain_pools[i], entry->workgroup_bytes, invocations);
        text_buffer_print(out, "    %s holds %" PRIu64 " such workgroup%s at once%s\n",
            explain_pools[i].name, count, plural(count),
            explain_pools[i].workgroup_limit == 0 ? ", counting memory alone" : "");
    }
}

static void print_invocation(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    text_buffer_print(out,
        "  each invocation: %" PRIu64 " bytes of private variables, at most %" PRIu64
        " of function variables (along the calls that need most)\n",
        entry->private_bytes, entry->function_bytes);
    if (entry->private_bytes > GUARANTEED_BYTES) {
        text_buffer_print(out,
            "    more than the %d bytes of private variables that every WebGPU supports\n",
            GUARANTEED_BYTES);
    }
    for (size_t i = 0; i < entry->uses.count; i++) {
        const struct explain_variable *variable =
            &facts->variables.items[entry->uses.items[i].variable];
        struct text_buffer registers = {0};
        if (explain_print_registers(&registers, variable)) {
            text_buffer_print(out, "    %.*s: %s\n", TEXT_ARGS(variable->declaration->name->text),
                text_buffer_get(&registers).data);
        }
        text_buffer_finish(&registers);
    }
}

static void print_limits(struct text_buffer *out, const struct explain_entry *entry) {
    bool is_in_core = true;
    for (size_t i = 0; i < entry->limits.count; i++) {
        is_in_core = is_in_core && entry->limits.items[i].needed <= entry->limits.items[i].core;
    }
    text_buffer_append_string(out,
        is_in_core ? "  limits: within the defaults of core"
                   : "  limits: past the defaults of core");
    text_buffer_append_string(out,
        entry->limits.count == 0 ? " and of compatibility mode\n"
            : is_in_core         ? ", past those of compatibility mode\n"
                                 : " and of compatibility mode\n");
    for (size_t i = 0; i < entry->limits.count; i++) {
        const struct explain_limit *limit = &entry->limits.items[i];
        text_buffer_print(out,
            "    %s: needs %" PRIu64 "; core gives %" PRIu64 "%s, compatibility %" PRIu64 "%s\n",
            limit_get_info(limit->name)->name, limit->needed, limit->core,
            limit->needed > limit->core ? " (ask for more in requiredLimits)" : "",
            limit->compatibility, limit->needed > limit->compatibility ? " (too few)" : "");
    }
}

static void indent(struct text_buffer *out, struct text text) {
    for (size_t i = 0; i < text.length; i++) {
        if (i == 0 || text.data[i - 1] == '\n') {
            text_buffer_append_string(out, "    ");
        }
        text_buffer_append_char(out, text.data[i]);
    }
}

static void print_layouts(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    struct text_buffer code = {0};
    explain_print_layouts_c(&code, facts, entry);
    if (code.length != 0) {
        text_buffer_append_string(out, "  bind group layouts, for webgpu.h\n");
        indent(out, text_buffer_get(&code));
        code.length = 0;
        explain_print_layouts_js(&code, facts, entry);
        text_buffer_append_string(out, "  bind group layouts, in JavaScript\n");
        indent(out, text_buffer_get(&code));
    }
    out->has_failed = out->has_failed || code.has_failed;
    text_buffer_finish(&code);
}

bool explain_print(
    struct explain_module *module, const struct explain_options *options, struct text_buffer *out) {
    struct explain_facts facts;
    bool ok = explain_gather(module, options, &facts);
    for (size_t i = 0; ok && i < facts.module_variable_count; i++) {
        print_variable(out, &facts, &facts.variables.items[i]);
    }
    if (ok) {
        print_function_variables(out, &facts);
    }
    for (size_t i = 0; ok && i < facts.entries.count; i++) {
        const struct explain_entry *entry = &facts.entries.items[i];
        print_heading(out, &facts, entry);
        print_uses(out, &facts, entry);
        print_workgroup(out, &facts, entry);
        print_invocation(out, &facts, entry);
        print_limits(out, entry);
        print_layouts(out, &facts, entry);
        text_buffer_append_char(out, '\n');
    }
    struct explain_entry render;
    bool has_both = false;
    ok = ok && explain_merge_render(&facts, &render, &has_both);
    if (ok && has_both) {
        text_buffer_append_string(out, "@vertex and @fragment in one render pipeline\n");
        print_layouts(out, &facts, &render);
        text_buffer_append_char(out, '\n');
    }
    struct text_buffer note = {0};
    if (ok && explain_print_missing(&note, &facts, options)) {
        text_buffer_print(out, "%.*s\n", TEXT_ARGS(text_buffer_get(&note)));
    }
    text_buffer_finish(&note);
    return ok && !out->has_failed;
}
