// SPDX-License-Identifier: MIT
//
// The bind group layouts that an entry point needs: the descriptor in C, in JavaScript, and as JSON
// with WebGPU's words. See explain_priv.h.
#include "shader/explain/explain_priv.h"

#include <inttypes.h>

#include <webgpu/webgpu.h>

// One word for C and one for JavaScript.
struct words {
    const char *c;
    const char *js;
};

static const struct words stage_words[] = {[STAGE_VERTEX] = {"Vertex", "VERTEX"},
    [STAGE_FRAGMENT] = {"Fragment", "FRAGMENT"},
    [STAGE_COMPUTE] = {"Compute", "COMPUTE"}};
static const struct words dimension_words[] = {[TEXTURE_DIMENSION_1D] = {"1D", "1d"},
    [TEXTURE_DIMENSION_2D] = {"2D", "2d"},
    [TEXTURE_DIMENSION_2D_ARRAY] = {"2DArray", "2d-array"},
    [TEXTURE_DIMENSION_3D] = {"3D", "3d"},
    [TEXTURE_DIMENSION_CUBE] = {"Cube", "cube"},
    [TEXTURE_DIMENSION_CUBE_ARRAY] = {"CubeArray", "cube-array"}};
static const struct words access_words[] = {[ACCESS_READ] = {"ReadOnly", "read-only"},
    [ACCESS_WRITE] = {"WriteOnly", "write-only"},
    [ACCESS_READ_WRITE] = {"ReadWrite", "read-write"}};

static struct words format_words(uint32_t format) {
    static const struct {
        uint32_t format;
        struct words words;
    } rows[] = {
#define TEXEL_FORMAT(word, name, channel, tier1) {WGPUTextureFormat_##name, {#name, word}},
#include "facts/texel_format.def"
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].format == format) {
            return rows[i].words;
        }
    }
    return (struct words){"Undefined", "?"};
}

static struct words buffer_words(const struct ast_declaration *declaration) {
    if (declaration->space == SPACE_UNIFORM) {
        return (struct words){"Uniform", "uniform"};
    }
    return declaration->access == ACCESS_READ
        ? (struct words){"ReadOnlyStorage", "read-only-storage"}
        : (struct words){"Storage", "storage"};
}

// Float: what a filtering sampler takes; a multisampled texture is never filtered.
static struct words sample_words(const struct type_table *types, const struct type *type) {
    switch (type->kind) {
    case TYPE_TEXTURE_DEPTH:
    case TYPE_TEXTURE_DEPTH_MULTISAMPLED:
        return (struct words){"Depth", "depth"};
    case TYPE_TEXTURE_MULTISAMPLED:
    case TYPE_TEXTURE:
        break;
    default:
        return (struct words){"Float", "float"};
    }
    switch (type_kind_of(types, type->element)) {
    case TYPE_I32:
        return (struct words){"Sint", "sint"};
    case TYPE_U32:
        return (struct words){"Uint", "uint"};
    default:
        return type->kind == TYPE_TEXTURE_MULTISAMPLED
            ? (struct words){"UnfilterableFloat", "unfilterable-float"}
            : (struct words){"Float", "float"};
    }
}

static bool is_multisampled(const struct type *type) {
    return type->kind == TYPE_TEXTURE_MULTISAMPLED || type->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
}

// The stages' words, one behind the other.
static void print_stages(
    struct text_buffer *out, uint32_t stages, const char *prefix, const char *between, bool is_c) {
    bool has_any = false;
    for (uint32_t i = 0; i < sizeof(stage_words) / sizeof(stage_words[0]); i++) {
        if ((stages >> i & 1) != 0) {
            text_buffer_print(out, "%s%s%s", has_any ? between : "", prefix,
                is_c ? stage_words[i].c : stage_words[i].js);
            has_any = true;
        }
    }
}

static void print_entry_c(struct text_buffer *out, const struct type_table *types,
    const struct explain_variable *variable, uint32_t stages) {
    const struct ast_declaration *declaration = variable->declaration;
    const struct type *type = type_get(types, declaration->type);
    text_buffer_print(out, "    {.binding = %" PRIu32 ", .visibility = ", declaration->binding);
    print_stages(out, stages, "WGPUShaderStage_", " | ", true);
    text_buffer_append_string(out, ", ");
    if (declaration->space != SPACE_HANDLE) {
        text_buffer_print(out,
            ".buffer = {.type = WGPUBufferBindingType_%s, .minBindingSize = %" PRIu64 "}},",
            buffer_words(declaration).c, variable->bytes);
    } else if (type->kind == TYPE_SAMPLER || type->kind == TYPE_SAMPLER_COMPARISON) {
        text_buffer_print(out, ".sampler = {.type = WGPUSamplerBindingType_%s}},",
            type->kind == TYPE_SAMPLER ? "Filtering" : "Comparison");
    } else if (type->kind == TYPE_TEXTURE_STORAGE) {
        text_buffer_print(out,
            ".storageTexture = {.access = WGPUStorageTextureAccess_%s, .format = "
            "WGPUTextureFormat_%s, .viewDimension = WGPUTextureViewDimension_%s}},",
            access_words[type->access].c, format_words(type->texel_format).c,
            dimension_words[type->dimension].c);
    } else if (type->kind == TYPE_TEXTURE_EXTERNAL) {
        text_buffer_append_string(
            out, "/* chain a WGPUExternalTextureBindingLayout */ .nextInChain = NULL},");
    } else {
        text_buffer_print(out,
            ".texture = {.sampleType = WGPUTextureSampleType_%s, .viewDimension = "
            "WGPUTextureViewDimension_%s%s}},",
            sample_words(types, type).c, dimension_words[type->dimension].c,
            is_multisampled(type) ? ", .multisampled = WGPU_TRUE" : "");
    }
    text_buffer_print(out, " // %.*s\n", TEXT_ARGS(declaration->name->text));
}

static void print_entry_js(struct text_buffer *out, const struct type_table *types,
    const struct explain_variable *variable, uint32_t stages) {
    const struct ast_declaration *declaration = variable->declaration;
    const struct type *type = type_get(types, declaration->type);
    text_buffer_print(out, "  {binding: %" PRIu32 ", visibility: ", declaration->binding);
    print_stages(out, stages, "GPUShaderStage.", " | ", false);
    text_buffer_append_string(out, ", ");
    if (declaration->space != SPACE_HANDLE) {
        text_buffer_print(out, "buffer: {type: \"%s\", minBindingSize: %" PRIu64 "}},",
            buffer_words(declaration).js, variable->bytes);
    } else if (type->kind == TYPE_SAMPLER || type->kind == TYPE_SAMPLER_COMPARISON) {
        text_buffer_print(out, "sampler: {type: \"%s\"}},",
            type->kind == TYPE_SAMPLER ? "filtering" : "comparison");
    } else if (type->kind == TYPE_TEXTURE_STORAGE) {
        text_buffer_print(out,
            "storageTexture: {access: \"%s\", format: \"%s\", viewDimension: \"%s\"}},",
            access_words[type->access].js, format_words(type->texel_format).js,
            dimension_words[type->dimension].js);
    } else if (type->kind == TYPE_TEXTURE_EXTERNAL) {
        text_buffer_append_string(out, "externalTexture: {}},");
    } else {
        text_buffer_print(out, "texture: {sampleType: \"%s\", viewDimension: \"%s\"%s}},",
            sample_words(types, type).js, dimension_words[type->dimension].js,
            is_multisampled(type) ? ", multisampled: true" : "");
    }
    text_buffer_print(out, " // %.*s\n", TEXT_ARGS(declaration->name->text));
}

// The uses with bindings stand first, sorted; calls visit once for each group with its range.
static size_t group_end(
    const struct explain_facts *facts, const struct explain_entry *entry, size_t begin) {
    size_t end = begin;
    uint32_t group = 0;
    for (; end < entry->uses.count; end++) {
        const struct ast_declaration *declaration =
            facts->variables.items[entry->uses.items[end].variable].declaration;
        group = end == begin ? declaration->group : group;
        if (!declaration->has_binding || declaration->group != group) {
            break;
        }
    }
    return end;
}

static const struct explain_variable *variable_at(
    const struct explain_facts *facts, const struct explain_entry *entry, size_t use) {
    return &facts->variables.items[entry->uses.items[use].variable];
}

void explain_print_layouts_c(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    for (size_t begin = 0, end; (end = group_end(facts, entry, begin)) > begin; begin = end) {
        text_buffer_print(out, "const WGPUBindGroupLayoutEntry group%" PRIu32 "[] = {\n",
            variable_at(facts, entry, begin)->declaration->group);
        for (size_t i = begin; i < end; i++) {
            print_entry_c(out, facts->layout.types, variable_at(facts, entry, i),
                entry->uses.items[i].stages);
        }
        text_buffer_append_string(out, "};\n");
    }
}

void explain_print_layouts_js(
    struct text_buffer *out, const struct explain_facts *facts, const struct explain_entry *entry) {
    for (size_t begin = 0, end; (end = group_end(facts, entry, begin)) > begin; begin = end) {
        text_buffer_print(out,
            "const group%" PRIu32 " = device.createBindGroupLayout({entries: [\n",
            variable_at(facts, entry, begin)->declaration->group);
        for (size_t i = begin; i < end; i++) {
            print_entry_js(out, facts->layout.types, variable_at(facts, entry, i),
                entry->uses.items[i].stages);
        }
        text_buffer_append_string(out, "]});\n");
    }
}

static void put_entry(struct json *json, const struct type_table *types,
    const struct explain_variable *variable, uint32_t stages) {
    const struct ast_declaration *declaration = variable->declaration;
    const struct type *type = type_get(types, declaration->type);
    struct text_buffer visibility = {0};
    print_stages(&visibility, stages, "", "|", false);
    json_begin_object(json, NULL);
    json_number(json, "binding", declaration->binding);
    json_text(json, "variable", declaration->name->text);
    json_text(json, "visibility", text_buffer_get(&visibility));
    json->out->has_failed |= visibility.has_failed;
    text_buffer_finish(&visibility);
    if (declaration->space != SPACE_HANDLE) {
        json_begin_object(json, "buffer");
        json_string(json, "type", buffer_words(declaration).js);
        json_number(json, "minBindingSize", variable->bytes);
    } else if (type->kind == TYPE_SAMPLER || type->kind == TYPE_SAMPLER_COMPARISON) {
        json_begin_object(json, "sampler");
        json_string(json, "type", type->kind == TYPE_SAMPLER ? "filtering" : "comparison");
    } else if (type->kind == TYPE_TEXTURE_STORAGE) {
        json_begin_object(json, "storageTexture");
        json_string(json, "access", access_words[type->access].js);
        json_string(json, "format", format_words(type->texel_format).js);
        json_string(json, "viewDimension", dimension_words[type->dimension].js);
    } else if (type->kind == TYPE_TEXTURE_EXTERNAL) {
        json_begin_object(json, "externalTexture");
    } else {
        json_begin_object(json, "texture");
        json_string(json, "sampleType", sample_words(types, type).js);
        json_string(json, "viewDimension", dimension_words[type->dimension].js);
        json_bool(json, "multisampled", is_multisampled(type));
    }
    json_end_object(json);
    json_end_object(json);
}

void explain_put_layouts(
    struct json *json, const struct explain_facts *facts, const struct explain_entry *entry) {
    json_begin_array(json, "bindGroupLayouts");
    for (size_t begin = 0, end; (end = group_end(facts, entry, begin)) > begin; begin = end) {
        json_begin_object(json, NULL);
        json_number(json, "group", variable_at(facts, entry, begin)->declaration->group);
        json_begin_array(json, "entries");
        for (size_t i = begin; i < end; i++) {
            put_entry(json, facts->layout.types, variable_at(facts, entry, i),
                entry->uses.items[i].stages);
        }
        json_end_array(json);
        json_end_object(json);
    }
    json_end_array(json);
}
