// SPDX-License-Identifier: MIT
//
// What WGSL says of an address space, in sentences about one variable: WGSL §"Address Spaces" and
// §"Variable and Value Declarations". See explain_priv.h.
#include "shader/explain/explain_priv.h"

#include <inttypes.h>

void explain_print_space(struct text_buffer *out, const struct explain_variable *variable) {
    switch (variable->declaration->space) {
    case SPACE_FUNCTION:
        text_buffer_append_string(out, "function: one invocation's own, for one call");
        break;
    case SPACE_PRIVATE:
        text_buffer_append_string(out, "private: one invocation's own");
        break;
    case SPACE_WORKGROUP:
        text_buffer_append_string(out, "workgroup: shared by the invocations of one workgroup");
        break;
    case SPACE_UNIFORM:
        text_buffer_append_string(
            out, "uniform: a buffer of the program, the same for all invocations");
        break;
    case SPACE_STORAGE:
        text_buffer_append_string(
            out, "storage: a buffer of the program, shared by all invocations");
        break;
    case SPACE_HANDLE:
        text_buffer_append_string(out, "handle: a texture or sampler of the program");
        break;
    case SPACE_IMMEDIATE:
        text_buffer_append_string(out, "immediate: bytes that the program sets in the pass");
        break;
    case SPACE_COUNT:
        break;
    }
}

void explain_print_access(struct text_buffer *out, const struct explain_variable *variable) {
    const struct ast_declaration *declaration = variable->declaration;
    text_buffer_append_string(out, access_mode_word(variable->access));
    bool is_written = declaration->template_arguments != NULL &&
        declaration->template_arguments->count == 2;
    if (declaration->space == SPACE_STORAGE) {
        text_buffer_append_string(out, is_written ? ", as declared" : ", the default of storage");
    } else if (variable->is_storage_texture) {
        text_buffer_append_string(out, ", part of the texture's type");
    } else {
        text_buffer_print(out, ", always so in %s", address_space_word(declaration->space));
    }
}

void explain_print_scope(struct text_buffer *out, const struct explain_variable *variable) {
    if (variable->function == NULL) {
        text_buffer_append_string(out, "the module");
    } else {
        text_buffer_print(out, "function '%.*s', from the declaration to the end of its block",
            TEXT_ARGS(variable->function->name->text));
    }
}

void explain_print_lifetime(struct text_buffer *out, const struct explain_variable *variable) {
    switch (variable->declaration->space) {
    case SPACE_FUNCTION:
        text_buffer_append_string(
            out, "from each execution of the declaration to the end of its block");
        break;
    case SPACE_PRIVATE:
        text_buffer_append_string(
            out, "the invocation; it starts as its initialiser, or zero, in each of them");
        break;
    case SPACE_WORKGROUP:
        text_buffer_append_string(out, "the workgroup; it starts as zero in each of them");
        break;
    case SPACE_UNIFORM:
    case SPACE_STORAGE:
        text_buffer_append_string(out, "that of the buffer, which the program makes and destroys");
        break;
    case SPACE_HANDLE:
        text_buffer_append_string(out, "that of the object, which the program makes");
        break;
    case SPACE_IMMEDIATE:
        text_buffer_append_string(out, "the commands of the pass that follow setImmediates");
        break;
    case SPACE_COUNT:
        break;
    }
}

void explain_print_admitted(struct text_buffer *out, const struct explain_variable *variable) {
    switch (variable->declaration->space) {
    case SPACE_FUNCTION:
    case SPACE_PRIVATE:
        text_buffer_append_string(out,
            "constructible types of a size known when the module is compiled: scalars, vectors, "
            "matrices, and arrays and structures of them; no atomics");
        break;
    case SPACE_WORKGROUP:
        text_buffer_append_string(out,
            "types of a size known when the pipeline is made (an override may size an array), atomics "
            "included");
        break;
    case SPACE_UNIFORM:
        text_buffer_append_string(out,
            "host-shareable types (no bool) of a size known when the module is compiled, without "
            "atomics, laid out by the uniform rules");
        break;
    case SPACE_STORAGE:
        text_buffer_append_string(out,
            "host-shareable types (no bool); a runtime-sized array at the end; atomics with "
            "read_write");
        break;
    case SPACE_HANDLE:
        text_buffer_append_string(out, "textures and samplers");
        break;
    case SPACE_IMMEDIATE:
        text_buffer_append_string(out, "host-shareable types (no bool) without arrays and atomics");
        break;
    case SPACE_COUNT:
        break;
    }
}

static void print_uniform_reason(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable) {
    type_id type = variable->declaration->type;
    bool is_classic = layout_is_legal(&facts->layout, LAYOUT_UNIFORM, type);
    text_buffer_print(
        out, "it is only read and its %" PRIu64 " bytes are known; ", variable->bytes);
    if (is_classic) {
        text_buffer_append_string(out, "it obeys the uniform rules of offsets and strides of 16");
    } else if (facts->module->requires_standard_layout) {
        text_buffer_append_string(out, "the module requires uniform_buffer_standard_layout");
    } else {
        text_buffer_append_string(out,
            "but it breaks the uniform layout rules, so it is NOT legal: alba layout shows where, and "
            "the edit");
    }
}

// Either why it must be storage, or that it need not be.
static void print_storage_reason(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable) {
    type_id type = variable->declaration->type;
    uint32_t traits = type_get(facts->layout.types, type)->traits;
    uint64_t limit = limit_get_info(LIMIT_maxUniformBufferBindingSize)->core_default;
    if (variable->declaration->access == ACCESS_READ_WRITE) {
        text_buffer_print(out, "it must be storage: the shader may write it%s%s",
            traits & TYPE_TRAIT_ATOMIC ? ", and it holds atomics" : "",
            traits & TYPE_TRAIT_RUNTIME_ARRAY ? ", and its size is that of the binding" : "");
    } else if (traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        text_buffer_append_string(
            out, "it must be storage: its size is that of the binding, not known to the compiler");
    } else if (variable->bytes > limit) {
        text_buffer_print(out,
            "it must be storage: %" PRIu64 " bytes pass the default maxUniformBufferBindingSize of "
            "%" PRIu64,
            variable->bytes, limit);
    } else if (layout_is_legal(&facts->layout, LAYOUT_UNIFORM, type)) {
        text_buffer_print(out,
            "host-shareable. It could be var<uniform> too: only read, %" PRIu64
            " bytes, laid out by "
            "the uniform rules. Uniform is the better place when all invocations read the same address",
            variable->bytes);
    } else {
        text_buffer_append_string(out,
            "host-shareable. For var<uniform> its layout would need an edit (alba layout) or "
            "uniform_buffer_standard_layout");
    }
}

void explain_print_reason(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable) {
    const struct ast_declaration *declaration = variable->declaration;
    uint32_t traits = type_get(facts->layout.types, declaration->type)->traits;
    switch (declaration->space) {
    case SPACE_FUNCTION:
        text_buffer_append_string(
            out, "a constructible type of known size, declared in a function");
        break;
    case SPACE_PRIVATE:
        text_buffer_append_string(
            out, "a constructible type of known size, declared at module scope");
        break;
    case SPACE_WORKGROUP:
        text_buffer_append_string(out,
            traits & TYPE_TRAIT_OVERRIDE_ARRAY
                ? "sized by an override, which only workgroup variables may be"
                : traits & TYPE_TRAIT_ATOMIC ? "a type of known size; atomics are allowed here"
                                             : "a type of known size");
        text_buffer_append_string(out, "; reached from compute entry points alone");
        break;
    case SPACE_UNIFORM:
        print_uniform_reason(out, facts, variable);
        break;
    case SPACE_STORAGE:
        print_storage_reason(out, facts, variable);
        break;
    case SPACE_HANDLE:
        text_buffer_append_string(
            out, "a texture or sampler; it is never written as a variable, only used by built-ins");
        break;
    case SPACE_IMMEDIATE:
        text_buffer_append_string(out, "host-shareable, of known size, without arrays");
        break;
    case SPACE_COUNT:
        break;
    }
}

bool explain_print_registers(struct text_buffer *out, const struct explain_variable *variable) {
    enum { REGISTER_BYTES = 4, MOST_REGISTERS = 255, WORTH_SAYING = 64 };
    enum address_space space = variable->declaration->space;
    if ((space != SPACE_PRIVATE && space != SPACE_FUNCTION) || !variable->contains_array) {
        return false;
    }
    if (variable->bytes > REGISTER_BYTES * MOST_REGISTERS) {
        text_buffer_print(out,
            "%" PRIu64 " bytes in each invocation will not fit in registers: it would take %" PRIu64
            " of 4 bytes, and GPUs give an invocation 255 at most",
            variable->bytes, (variable->bytes + REGISTER_BYTES - 1) / REGISTER_BYTES);
        return true;
    }
    if (variable->is_indexed && variable->bytes >= WORTH_SAYING) {
        text_buffer_print(out,
            "%" PRIu64
            " bytes in each invocation, indexed by a value that is known only at run time: "
            "most GPUs keep such an array in memory, not in registers",
            variable->bytes);
        return true;
    }
    return false;
}

void explain_print_declaration(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_variable *variable) {
    const struct ast_declaration *declaration = variable->declaration;
    if (declaration->has_binding) {
        text_buffer_print(out, "@group(%" PRIu32 ") @binding(%" PRIu32 ") ", declaration->group,
            declaration->binding);
    }
    text_buffer_append_string(out, "var");
    if (declaration->space == SPACE_STORAGE) {
        text_buffer_print(out, "<storage, %s>", access_mode_word(declaration->access));
    } else if (declaration->space != SPACE_HANDLE) {
        text_buffer_print(out, "<%s>", address_space_word(declaration->space));
    }
    text_buffer_print(out, " %.*s: ", TEXT_ARGS(declaration->name->text));
    type_print(out, facts->layout.types, declaration->type);
}

void explain_print_chain(
    struct text_buffer *out, const struct explain_entry *entry, uint32_t reach) {
    enum { SHOWN_CALLS = 32 };
    uint32_t chain[SHOWN_CALLS];
    uint32_t count = 0;
    for (uint32_t at = reach;; at = entry->reached.items[at].caller) {
        chain[count++] = at;
        if (at == 0 || count == SHOWN_CALLS) {
            break;
        }
    }
    text_buffer_append_string(out, chain[count - 1] != 0 ? "... -> " : "");
    for (uint32_t i = count; i-- > 0;) {
        text_buffer_print(out, "%.*s%s",
            TEXT_ARGS(entry->reached.items[chain[i]].function->name->text), i == 0 ? "" : " -> ");
    }
}
