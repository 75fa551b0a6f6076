// SPDX-License-Identifier: MIT
//
// Pipeline constants: which value each override takes, and their substitution into the module.
// override_evaluate.c computes the `initialisation` function. See pass.h.
#include "shader/pass/override_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

void override_report(struct override_state *s, const char *format, ...) {
    if (!s->has_error) {
        va_list list;
        va_start(list, format);
        text_buffer_print_list(s->out_error, format, list);
        va_end(list);
    }
    s->has_error = true;
}

// ---------------------------------------------------------------- the constants that are given

static const char *kind_word(enum type_kind kind) {
    switch (kind) {
    case TYPE_BOOL:
        return "bool";
    case TYPE_I32:
        return "i32";
    case TYPE_U32:
        return "u32";
    case TYPE_F16:
        return "f16";
    default:
        return "f32";
    }
}

// WebGPU "to WGSL type": how a double becomes a value of the override's type. False: a TypeError.
static bool convert(enum type_kind kind, double value, unsigned char *out_bytes) {
    uint32_t word = 0;
    float single = 0;
    switch (kind) {
    case TYPE_BOOL:
        word = value != 0 && !isnan(value) ? 1 : 0;
        break;
    case TYPE_I32:
        value = trunc(value);
        if (!(value >= -2147483648.0 && value <= 2147483647.0)) {
            return false;
        }
        word = (uint32_t)(int32_t)value;
        break;
    case TYPE_U32:
        value = trunc(value);
        if (!(value >= 0 && value <= 4294967295.0)) {
            return false;
        }
        word = (uint32_t)value;
        break;
    default:
        // The nearest f32; what rounds beyond the largest finite value is no f32.
        if (!isfinite(value) || fabs(value) >= 0x1.ffffffp127) {
            return false;
        }
        single = (float)value;
        if (kind == TYPE_F16) {
            if (fabs(value) >= 65520.0) {
                return false;
            }
            uint16_t half = pass_half_from_float(single);
            memcpy(out_bytes, &half, sizeof(half));
            return true;
        }
        memcpy(&word, &single, sizeof(word));
        break;
    }
    memcpy(out_bytes, &word, sizeof(word));
    return true;
}

static bool parse_id(struct text key, uint32_t *out_id) {
    uint32_t id = 0;
    if (key.length == 0 || key.length > 5 || (key.length > 1 && key.data[0] == '0')) {
        return false;
    }
    for (size_t i = 0; i < key.length; i++) {
        if (key.data[i] < '0' || key.data[i] > '9') {
            return false;
        }
        id = id * 10 + (uint32_t)(key.data[i] - '0');
    }
    *out_id = id;
    return true;
}

struct key_row {
    struct text key;
    uint32_t override_index;
};

static int compare_rows(const void *a, const void *b) {
    const struct key_row *left = a;
    const struct key_row *right = b;
    return text_compare(left->key, right->key);
}

static uint32_t find_override(
    const struct override_state *s, const struct key_row *rows, struct text key) {
    const struct ir_module *module = s->module;
    uint32_t id = 0;
    if (parse_id(key, &id)) {
        for (uint32_t i = 0; i < module->overrides.count; i++) {
            if (module->overrides.items[i].has_id && module->overrides.items[i].id == id) {
                return i;
            }
        }
        return UINT32_MAX;
    }
    struct key_row wanted = {.key = key};
    const struct key_row *row = bsearch(
        &wanted, rows, module->overrides.count, sizeof(*rows), compare_rows);
    // With an @id the name is no key.
    return row == NULL || module->overrides.items[row->override_index].has_id ? UINT32_MAX
                                                                              : row->override_index;
}

static void report_unknown(struct override_state *s, struct text key) {
    const struct ir_module *module = s->module;
    struct suggest_search search;
    bool may_search = suggest_begin(&search, key);
    for (uint32_t i = 0; i < module->overrides.count; i++) {
        const struct ir_override *row = &module->overrides.items[i];
        if (row->has_id && text_equals(row->name, key)) {
            override_report(s,
                "constant '%.*s': this override has an @id, and its key is that number, '%u'",
                TEXT_ARGS(key), (unsigned)row->id);
            return;
        }
        if (may_search && !row->has_id) {
            suggest_consider(&search, row->name);
        }
    }
    if (may_search && search.best.length != 0) {
        override_report(s,
            "constant '%.*s' names no override of the module; the nearest name is '%.*s'",
            TEXT_ARGS(key), TEXT_ARGS(search.best));
    } else {
        override_report(s, "constant '%.*s' names no override of the module", TEXT_ARGS(key));
    }
}

static bool take_constants(
    struct override_state *s, const struct pass_constant *constants, uint32_t count) {
    const struct ir_module *module = s->module;
    struct key_row *rows = ARENA_ARRAY(s->scratch, struct key_row, module->overrides.count + 1);
    s->given = ARENA_ARRAY(s->scratch, const void *, module->overrides.count + 1);
    if (rows == NULL || s->given == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < module->overrides.count; i++) {
        rows[i] = (struct key_row){module->overrides.items[i].name, i};
    }
    qsort(rows, module->overrides.count, sizeof(*rows), compare_rows);
    for (uint32_t i = 0; i < count && !s->has_error; i++) {
        uint32_t found = find_override(s, rows, constants[i].key);
        if (found == UINT32_MAX) {
            report_unknown(s, constants[i].key);
            return true;
        }
        const struct ir_override *row = &module->overrides.items[found];
        if (s->given[found] != NULL) {
            override_report(
                s, "constant '%.*s' is given more than once", TEXT_ARGS(constants[i].key));
            return true;
        }
        unsigned char *bytes = arena_allocate(s->scratch, 8);
        if (bytes == NULL) {
            return false;
        }
        enum type_kind kind = type_kind_of(&module->types, row->type);
        if (!convert(kind, constants[i].value, bytes)) {
            struct text_buffer number = {0};
            text_buffer_append_real(&number, constants[i].value, false);
            override_report(s,
                "constant '%.*s': %.*s is not representable as %s, the type of override '%.*s'",
                TEXT_ARGS(constants[i].key), TEXT_ARGS(text_buffer_get(&number)), kind_word(kind),
                TEXT_ARGS(row->name));
            text_buffer_finish(&number);
            return true;
        }
        s->given[found] = bytes;
    }
    return true;
}

// ---------------------------------------------------------------- substitution

// The bytes of a needed value; NULL after reporting its error.
static const void *needed_value(struct override_state *s, ir_value value) {
    const struct override_value *row = &s->values[value.index];
    if (row->error != NULL) {
        override_report(s, "%s", row->error);
        return NULL;
    }
    if (row->bytes == NULL) {
        override_report(s, "an override expression was not evaluated");
    }
    return row->bytes;
}

// A positive count; 0 after reporting.
static uint32_t needed_count(struct override_state *s, ir_value value, const char *what) {
    const void *bytes = needed_value(s, value);
    if (bytes == NULL) {
        return 0;
    }
    uint32_t bits = 0;
    memcpy(&bits, bytes, sizeof(bits));
    const struct ir_function *function = &s->module->functions.items[s->module->initialisation];
    bool is_signed = ir_value_type(function, value).index == TYPE_I32;
    if (bits == 0 || (is_signed && (int32_t)bits < 0)) {
        if (is_signed) {
            override_report(s, "%s is %d, it must be at least 1", what, (int)(int32_t)bits);
        } else {
            override_report(s, "%s is %u, it must be at least 1", what, (unsigned)bits);
        }
        return 0;
    }
    return bits;
}

static void substitute_entry_points(struct override_state *s) {
    for (uint32_t i = 0; i < s->module->entry_points.count && !s->has_error; i++) {
        struct ir_entry_point *entry = &s->module->entry_points.items[i];
        for (int k = 0; k < 3 && !s->has_error; k++) {
            if (entry->workgroup_size_value[k].index != 0) {
                char what[40] = "the workgroup size in x";
                what[22] = (char)('x' + k);
                entry->workgroup_size[k] = needed_count(s, entry->workgroup_size_value[k], what);
                entry->workgroup_size_value[k] = (ir_value){0};
            }
        }
        if (entry->subgroup_size_value.index != 0 && !s->has_error) {
            uint32_t size = needed_count(s, entry->subgroup_size_value, "the subgroup size");
            if (!s->has_error && (size & (size - 1)) != 0) {
                override_report(s, "the subgroup size is a power of two, not %u", (unsigned)size);
            }
            entry->subgroup_size = size;
            entry->subgroup_size_value = (ir_value){0};
        }
    }
}

// Override-sized arrays become fixed ones in place: every type that names them follows. They are
// store types of workgroup variables and pointed to, never part of another type.
static void substitute_array(struct override_state *s, struct type *type) {
    if (type->count >= s->module->override_counts.count) {
        override_report(s, "an override-sized array names no expression");
        return;
    }
    uint32_t count = needed_count(
        s, s->module->override_counts.items[type->count], "the number of elements of an array");
    uint64_t size_bytes = (uint64_t)count * type->stride_bytes;
    if (size_bytes > UINT32_MAX) {
        override_report(s, "an array of %u elements of %u bytes is larger than 4 GiB",
            (unsigned)count, (unsigned)type->stride_bytes);
        return;
    }
    type->array_size = ARRAY_FIXED;
    type->count = count;
    type->size_bytes = size_bytes;
}

// Likewise a workgroup buffer; its size is in bytes.
static void substitute_buffer(struct override_state *s, struct type *type) {
    if (type->count >= s->module->override_counts.count) {
        override_report(s, "an override-sized buffer names no expression");
        return;
    }
    uint32_t size_bytes = needed_count(
        s, s->module->override_counts.items[type->count], "the size of a buffer in bytes");
    if (size_bytes % 4 != 0) {
        override_report(
            s, "the size of a buffer is a multiple of 4 bytes, not %u", (unsigned)size_bytes);
        return;
    }
    type->array_size = ARRAY_FIXED;
    type->count = size_bytes;
    type->size_bytes = size_bytes;
}

static void substitute_variables(struct override_state *s) {
    struct ir_module *module = s->module;
    for (uint32_t i = 0; i < module->variables.count && !s->has_error; i++) {
        struct ir_variable *row = &module->variables.items[i];
        struct type *type = &module->types.types.items[row->type.index];
        if (type->kind == TYPE_ARRAY && type->array_size == ARRAY_OVERRIDE) {
            substitute_array(s, type);
        } else if (type->kind == TYPE_BUFFER && type->array_size == ARRAY_OVERRIDE) {
            substitute_buffer(s, type);
        }
        if (row->initial_value.index != 0) {
            const void *bytes = needed_value(s, row->initial_value);
            uint32_t constant = bytes == NULL ? UINT32_MAX
                                              : ir_constant_create(module, row->type, bytes);
            row->initial_constant = constant == UINT32_MAX ? 0 : constant + 1;
            row->initial_value = (ir_value){0};
        }
    }
}

static bool substitute_function(struct override_state *s, uint32_t index) {
    struct ir_module *module = s->module;
    struct pass_map map;
    TRY(pass_map_init(&map, s->scratch, &module->functions.items[index]));
    bool has_any = false;
    for (uint32_t i = 1; i < module->functions.items[index].ops.count && !s->has_error; i++) {
        struct ir_op *op = &module->functions.items[index].ops.items[i];
        if (op->opcode != IR_OVERRIDE || op->parent.index == 0) {
            continue;
        }
        const struct override_value *value = override_get(s, op->data.index);
        if (value == NULL || value->error != NULL) {
            override_report(s, "%s", value == NULL ? "out of memory" : value->error);
            return value != NULL;
        }
        ir_value result = op->first_result;
        struct ir_builder b = ir_builder_before(module, index, (ir_op_id){i});
        ir_value constant = ir_builder_constant_bytes(
            &b, ir_value_type(pass_function(&b), result), value->bytes);
        if (module->has_failed) {
            return false;
        }
        pass_map_set(&map, result, constant);
        ir_op_unlink(&module->functions.items[index], (ir_op_id){i});
        has_any = true;
    }
    if (has_any) {
        pass_map_apply(&map, &module->functions.items[index]);
    }
    return true;
}

static bool substitute(struct override_state *s) {
    struct ir_module *module = s->module;
    substitute_entry_points(s);
    substitute_variables(s);
    for (uint32_t f = 0; f < module->functions.count && !s->has_error; f++) {
        if (f != module->initialisation) {
            TRY(substitute_function(s, f));
        }
    }
    module->overrides.count = 0;
    module->override_counts.count = 0;
    module->initialisation = UINT32_MAX;
    return !module->has_failed;
}

// A positive integer that is known, else 0.
static uint32_t find_size(const struct override_state *s, ir_value value) {
    const struct override_value *row = &s->values[value.index];
    uint32_t bits = 0;
    if (value.index != 0 && row->error == NULL && row->bytes != NULL) {
        memcpy(&bits, row->bytes, sizeof(bits));
        const struct ir_function *function = &s->module->functions.items[s->module->initialisation];
        bool is_signed = ir_value_type(function, value).index == TYPE_I32;
        bits = is_signed && (int32_t)bits < 0 ? 0 : bits;
    }
    return bits;
}

static bool find_sizes(struct override_state *s, struct arena *arena, struct pass_sizes *out) {
    const struct ir_module *module = s->module;
    out->workgroup_sizes = arena_allocate_zeroed(
        arena, module->entry_points.count + 1, sizeof(*out->workgroup_sizes));
    out->counts = ARENA_ARRAY(arena, uint32_t, module->override_counts.count + 1);
    TRY(out->workgroup_sizes != NULL && out->counts != NULL);
    for (uint32_t i = 0; i < module->entry_points.count; i++) {
        const struct ir_entry_point *entry = &module->entry_points.items[i];
        for (int k = 0; k < 3; k++) {
            ir_value value = entry->workgroup_size_value[k];
            out->workgroup_sizes[i][k] = value.index == 0 ? entry->workgroup_size[k]
                                                          : find_size(s, value);
        }
    }
    for (uint32_t i = 0; i < module->override_counts.count; i++) {
        out->counts[i] = find_size(s, module->override_counts.items[i]);
    }
    return true;
}

enum pass_status pass_override_sizes(struct ir_module *module,
    const struct pass_constant *constants, uint32_t constant_count, struct arena *arena,
    struct pass_sizes *out, struct text_buffer *out_error) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct override_state s = {.module = module, .scratch = &scratch, .out_error = out_error};
    bool ok = take_constants(&s, constants, constant_count);
    ok = ok && (s.has_error || (override_evaluate(&s) && find_sizes(&s, arena, out)));
    arena_finish(&scratch);
    return !ok ? PASS_OUT_OF_MEMORY : s.has_error ? PASS_ERROR : PASS_OK;
}

enum pass_status pass_override(struct ir_module *module, const struct pass_constant *constants,
    uint32_t constant_count, struct text_buffer *out_error) {
    if (module->has_failed) {
        return PASS_OUT_OF_MEMORY;
    }
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct override_state s = {.module = module, .scratch = &scratch, .out_error = out_error};
    bool ok = take_constants(&s, constants, constant_count);
    ok = ok && (s.has_error || override_evaluate(&s));
    ok = ok && (s.has_error || substitute(&s));
    arena_finish(&scratch);
    if (!ok || module->has_failed) {
        return PASS_OUT_OF_MEMORY;
    }
    return s.has_error ? PASS_ERROR : pass_drop_unreached(module, true);
}
