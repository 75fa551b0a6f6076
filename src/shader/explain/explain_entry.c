// SPDX-License-Identifier: MIT
//
// What each entry point reaches, through which calls, and how many bytes that takes. See
// explain_priv.h.
#include "shader/explain/explain_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/try.h"

static uint64_t round_up_16(uint64_t value) {
    return (value + 15) / 16 * 16;
}

struct gatherer {
    struct explain_facts *facts;
    struct arena *arena;
    uint32_t *variable_of; // by declaration index in ast->sorted: variable + 1
    uint32_t *mark_of;     // by declaration index: the entry point that counted it, + 1
    uint64_t *stack_of;    // by declaration index: function bytes with those of its deepest callee
};

static bool add_function(struct gatherer *g, struct explain_entry *entry, uint32_t mark,
    const struct ast_declaration *function, uint32_t caller) {
    if (g->mark_of[function->index] == mark) {
        return true;
    }
    g->mark_of[function->index] = mark;
    return arena_vector_push(g->arena, &entry->reached, (struct explain_reach){function, caller});
}

// Breadth first: the first way found to a function is a shortest one.
static bool gather_reached(struct gatherer *g, struct explain_entry *entry, uint32_t mark) {
    TRY(add_function(g, entry, mark, entry->function, 0));
    for (uint32_t at = 0; at < entry->reached.count; at++) {
        const struct ast_function *function = entry->reached.items[at].function->function;
        for (uint32_t i = 0; i < function->callees.count; i++) {
            TRY(add_function(g, entry, mark, function->callees.items[i], at));
        }
        for (uint32_t i = 0; i < function->globals.count; i++) {
            const struct ast_declaration *global = function->globals.items[i];
            uint32_t variable = g->variable_of[global->index];
            if (variable != 0 && g->mark_of[global->index] != mark) {
                g->mark_of[global->index] = mark;
                struct explain_use use = {variable - 1, at,
                    global->has_binding ? 0 : 1 + (uint32_t)global->space, global->group,
                    global->binding, 1u << entry->stage};
                TRY(arena_vector_push(g->arena, &entry->uses, use));
            }
        }
    }
    return true;
}

// By rank, group and binding: 0 for two of one place.
static int compare_places(const struct explain_use *left, const struct explain_use *right) {
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    if (left->group != right->group) {
        return left->group < right->group ? -1 : 1;
    }
    return left->binding == right->binding ? 0 : left->binding < right->binding ? -1 : 1;
}

static int compare_uses(const void *a, const void *b) {
    const struct explain_use *left = a, *right = b;
    int places = compare_places(left, right);
    return places != 0                     ? places
        : left->variable < right->variable ? -1
                                           : left->variable > right->variable;
}

static void count_bytes(struct gatherer *g, struct explain_entry *entry) {
    entry->is_workgroup_known = true;
    entry->function_bytes = g->stack_of[entry->function->index];
    for (size_t i = 0; i < entry->uses.count; i++) {
        const struct explain_variable *variable =
            &g->facts->variables.items[entry->uses.items[i].variable];
        if (variable->declaration->space == SPACE_PRIVATE) {
            entry->private_bytes += variable->bytes;
        } else if (variable->declaration->space == SPACE_WORKGROUP) {
            entry->workgroup_bytes += variable->has_bytes ? round_up_16(variable->bytes) : 0;
            entry->is_workgroup_known = entry->is_workgroup_known && variable->has_bytes;
        }
    }
}

// In dependency order callees come before callers.
static void count_stacks(struct gatherer *g) {
    const struct explain_facts *facts = g->facts;
    const struct ast_module *ast = facts->module->ast;
    for (size_t i = facts->module_variable_count; i < facts->variables.count; i++) {
        const struct explain_variable *variable = &facts->variables.items[i];
        g->stack_of[variable->function->index] += variable->bytes;
    }
    for (uint32_t i = 0; i < ast->sorted_count; i++) {
        const struct ast_declaration *declaration = ast->sorted[i];
        uint64_t deepest = 0;
        for (uint32_t k = 0;
             declaration->kind == DECLARATION_FUNCTION && k < declaration->function->callees.count;
             k++) {
            uint64_t stack = g->stack_of[declaration->function->callees.items[k]->index];
            deepest = stack > deepest ? stack : deepest;
        }
        g->stack_of[i] += deepest;
    }
}

// ---- Sizes that depend on overrides ----

// The bytes of workgroup variables that an override sizes.
static void apply_counts(struct explain_facts *facts, const struct compile_sizes *sizes) {
    for (uint32_t i = 0; i < facts->module_variable_count; i++) {
        struct explain_variable *variable = &facts->variables.items[i];
        const struct type *type = type_get(facts->layout.types, variable->declaration->type);
        bool is_sized_late = (type->kind == TYPE_ARRAY || type->kind == TYPE_BUFFER) &&
            type->array_size == ARRAY_OVERRIDE;
        uint64_t count = is_sized_late ? sizes->counts[type->count] : 0;
        if (count != 0) {
            variable->bytes = type->kind == TYPE_BUFFER ? count : count * type->stride_bytes;
            variable->has_bytes = true;
        }
    }
}

static void find_workgroup_size(
    struct explain_facts *facts, struct explain_entry *entry, const struct compile_sizes *sizes) {
    const struct ir_module *ir = facts->module->base.ir;
    for (uint32_t i = 0; ir != NULL && i < ir->entry_points.count; i++) {
        if (text_equals(ir->entry_points.items[i].name, entry->function->name->text)) {
            memcpy(entry->workgroup_size, sizes->workgroup_sizes[i], sizeof(entry->workgroup_size));
        }
    }
}

bool explain_check_constants(struct explain_module *module, const struct explain_options *options,
    struct text_buffer *out_error) {
    struct compile_sizes sizes;
    return module->base.ir == NULL ||
        compile_find_sizes(&module->base, options->constants, options->constant_count,
            &module->base.arena, &sizes, out_error) == COMPILE_OK;
}

static bool has_unknown_size(const struct explain_facts *facts) {
    for (uint32_t i = 0; i < facts->module_variable_count; i++) {
        const struct explain_variable *variable = &facts->variables.items[i];
        if (variable->declaration->space == SPACE_WORKGROUP && !variable->has_bytes) {
            return true;
        }
    }
    for (size_t i = 0; i < facts->entries.count; i++) {
        const struct explain_entry *entry = &facts->entries.items[i];
        if (entry->stage == STAGE_COMPUTE &&
            (entry->workgroup_size[0] == 0 || entry->workgroup_size[1] == 0 ||
                entry->workgroup_size[2] == 0)) {
            return true;
        }
    }
    return false;
}

static bool is_given(const struct explain_options *options, const char *key) {
    for (uint32_t i = 0; i < options->constant_count; i++) {
        if (text_equals_string(options->constants[i].key, key)) {
            return true;
        }
    }
    return false;
}

static bool is_reached(const struct reflection *reflection, uint32_t override) {
    for (uint32_t i = 0; i < reflection->entry_point_count; i++) {
        const struct reflect_entry_point *entry = &reflection->entry_points[i];
        for (uint32_t k = 0; k < entry->override_count; k++) {
            if (entry->overrides[k] == override) {
                return true;
            }
        }
    }
    return false;
}

// What a pipeline of the first entry point that cannot be made would say.
static bool print_error(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_options *options) {
    const struct compile_module *base = &facts->module->base;
    bool has_error = false;
    for (uint32_t i = 0; base->is_valid && !has_error && i < base->ir->entry_points.count; i++) {
        struct compile_program *program = NULL;
        struct text_buffer error = {0};
        has_error = compile_specialise(base, i, options->constants, options->constant_count, &error,
                        &program) == COMPILE_ERROR;
        if (has_error) {
            text_buffer_print(out, "'%.*s' makes no pipeline: %.*s",
                TEXT_ARGS(base->ir->entry_points.items[i].name),
                TEXT_ARGS(text_buffer_get(&error)));
        }
        text_buffer_finish(&error);
        compile_program_destroy(program);
    }
    return has_error;
}

bool explain_print_missing(struct text_buffer *out, const struct explain_facts *facts,
    const struct explain_options *options) {
    const struct ir_module *ir = facts->module->base.ir;
    bool has_any = false;
    if (ir == NULL || facts->module->base.reflection == NULL || !has_unknown_size(facts)) {
        return false;
    }
    for (uint32_t i = 0; i < ir->overrides.count; i++) {
        const struct ir_override *override = &ir->overrides.items[i];
        char *key = override->has_id ? text_format(&facts->module->base.arena, "%u", override->id)
                                     : text_copy(&facts->module->base.arena, override->name);
        if (key == NULL || override->has_initial_value || is_given(options, key) ||
            !is_reached(facts->module->base.reflection, i)) {
            continue;
        }
        text_buffer_print(out, "%s--constant %s=VALUE",
            has_any ? ", " : "Some sizes depend on overrides without a default: give ", key);
        has_any = true;
    }
    return has_any || print_error(out, facts, options);
}

static bool gather_entry(
    struct gatherer *g, const struct ast_declaration *function, const struct compile_sizes *sizes) {
    struct explain_facts *facts = g->facts;
    TRY(arena_vector_push(g->arena, &facts->entries,
        (struct explain_entry){.function = function, .stage = function->function->stage}));
    struct explain_entry *entry = &facts->entries.items[facts->entries.count - 1];
    TRY(gather_reached(g, entry, (uint32_t)facts->entries.count));
    find_workgroup_size(facts, entry, sizes);
    if (entry->uses.count != 0) {
        qsort(entry->uses.items, entry->uses.count, sizeof(*entry->uses.items), compare_uses);
    }
    count_bytes(g, entry);
    return explain_gather_limits(facts, entry);
}

bool explain_gather(struct explain_module *module, const struct explain_options *options,
    struct explain_facts *out) {
    const struct ast_module *ast = module->ast;
    struct arena *arena = &module->base.arena;
    *out = (struct explain_facts){.module = module};
    TRY(layout_types_init(&out->layout, ast->types, arena) && explain_gather_variables(out));
    struct gatherer g = {.facts = out, .arena = arena};
    g.variable_of = ARENA_ARRAY(arena, uint32_t, ast->sorted_count + 1);
    g.mark_of = ARENA_ARRAY(arena, uint32_t, ast->sorted_count + 1);
    g.stack_of = ARENA_ARRAY(arena, uint64_t, ast->sorted_count + 1);
    TRY(g.variable_of != NULL && g.mark_of != NULL && g.stack_of != NULL);
    for (uint32_t i = 0; i < out->module_variable_count; i++) {
        g.variable_of[out->variables.items[i].declaration->index] = i + 1;
    }
    count_stacks(&g);
    struct compile_sizes sizes = {0};
    struct text_buffer error = {0};
    if (module->base.ir != NULL) {
        enum compile_status status = compile_find_sizes(
            &module->base, options->constants, options->constant_count, arena, &sizes, &error);
        text_buffer_finish(&error);
        TRY(status == COMPILE_OK); // explain_check_constants has seen the constants
        apply_counts(out, &sizes);
    }
    for (uint32_t i = 0; i < ast->declaration_count; i++) {
        const struct ast_declaration *declaration = ast->declarations[i];
        if (declaration->kind == DECLARATION_FUNCTION && declaration->function->is_entry_point) {
            TRY(gather_entry(&g, declaration, &sizes));
        }
    }
    return true;
}

static const struct explain_entry *find_only(
    const struct explain_facts *facts, enum shader_stage stage) {
    const struct explain_entry *found = NULL;
    for (size_t i = 0; i < facts->entries.count; i++) {
        if (facts->entries.items[i].stage == stage) {
            if (found != NULL) {
                return NULL;
            }
            found = &facts->entries.items[i];
        }
    }
    return found;
}

bool explain_merge_render(
    struct explain_facts *facts, struct explain_entry *out, bool *out_has_both) {
    const struct explain_entry *vertex = find_only(facts, STAGE_VERTEX);
    const struct explain_entry *fragment = find_only(facts, STAGE_FRAGMENT);
    *out = (struct explain_entry){.stage = STAGE_VERTEX};
    *out_has_both = false;
    if (vertex == NULL || fragment == NULL) {
        return true;
    }
    for (size_t i = 0; i < vertex->uses.count; i++) {
        TRY(arena_vector_push(&facts->module->base.arena, &out->uses, vertex->uses.items[i]));
    }
    for (size_t i = 0; i < fragment->uses.count; i++) {
        const struct explain_use *use = &fragment->uses.items[i];
        struct explain_use *same = NULL;
        for (size_t k = 0; k < vertex->uses.count; k++) {
            if (out->uses.items[k].variable == use->variable) {
                same = &out->uses.items[k];
            } else if (use->rank == 0 && compare_places(&out->uses.items[k], use) == 0) {
                return true;
            }
        }
        if (same != NULL) {
            same->stages |= use->stages;
        } else {
            TRY(arena_vector_push(&facts->module->base.arena, &out->uses, *use));
        }
    }
    if (out->uses.count != 0) {
        qsort(out->uses.items, out->uses.count, sizeof(*out->uses.items), compare_uses);
    }
    *out_has_both = true;
    return true;
}

// ---- Limits ----

struct counts {
    uint64_t of[LIMIT_COUNT];
};

static void raise(struct counts *counts, enum limit_name name, uint64_t value) {
    counts->of[name] = counts->of[name] > value ? counts->of[name] : value;
}

static void count_binding(struct counts *counts, const struct explain_facts *facts,
    const struct explain_variable *variable, enum shader_stage stage) {
    const struct ast_declaration *declaration = variable->declaration;
    enum type_kind kind = type_kind_of(facts->layout.types, declaration->type);
    raise(counts, LIMIT_maxBindGroups, (uint64_t)declaration->group + 1);
    raise(counts, LIMIT_maxBindingsPerBindGroup, (uint64_t)declaration->binding + 1);
    if (declaration->space == SPACE_UNIFORM) {
        counts->of[LIMIT_maxUniformBuffersPerShaderStage]++;
        raise(counts, LIMIT_maxUniformBufferBindingSize, variable->bytes);
    } else if (declaration->space == SPACE_STORAGE) {
        counts->of[LIMIT_maxStorageBuffersPerShaderStage]++;
        counts->of[LIMIT_maxStorageBuffersInVertexStage] += stage == STAGE_VERTEX;
        counts->of[LIMIT_maxStorageBuffersInFragmentStage] += stage == STAGE_FRAGMENT;
        raise(counts, LIMIT_maxStorageBufferBindingSize, variable->bytes);
    } else if (kind == TYPE_SAMPLER || kind == TYPE_SAMPLER_COMPARISON) {
        counts->of[LIMIT_maxSamplersPerShaderStage]++;
    } else if (kind == TYPE_TEXTURE_STORAGE) {
        counts->of[LIMIT_maxStorageTexturesPerShaderStage]++;
        counts->of[LIMIT_maxStorageTexturesInVertexStage] += stage == STAGE_VERTEX;
        counts->of[LIMIT_maxStorageTexturesInFragmentStage] += stage == STAGE_FRAGMENT;
    } else if (kind == TYPE_TEXTURE_EXTERNAL) {
        // WebGPU counts an external texture as four textures, a sampler and a uniform buffer.
        counts->of[LIMIT_maxSampledTexturesPerShaderStage] += 4;
        counts->of[LIMIT_maxSamplersPerShaderStage]++;
        counts->of[LIMIT_maxUniformBuffersPerShaderStage]++;
    } else {
        counts->of[LIMIT_maxSampledTexturesPerShaderStage]++;
    }
}

static void count_compute(struct counts *counts, const struct explain_entry *entry) {
    const uint32_t *size = entry->workgroup_size;
    raise(counts, LIMIT_maxComputeWorkgroupStorageSize, entry->workgroup_bytes);
    raise(counts, LIMIT_maxComputeWorkgroupSizeX, size[0]);
    raise(counts, LIMIT_maxComputeWorkgroupSizeY, size[1]);
    raise(counts, LIMIT_maxComputeWorkgroupSizeZ, size[2]);
    uint64_t plane = (uint64_t)size[0] * size[1];
    uint64_t invocations = size[2] != 0 && plane > UINT64_MAX / size[2] ? UINT64_MAX
                                                                        : plane * size[2];
    raise(counts, LIMIT_maxComputeInvocationsPerWorkgroup, invocations);
}

static void count_interface(
    struct counts *counts, const struct explain_facts *facts, const struct explain_entry *entry) {
    const struct ir_module *ir = facts->module->base.ir;
    for (size_t i = 0; ir != NULL && i < ir->entry_points.count; i++) {
        const struct ir_entry_point *ep = &ir->entry_points.items[i];
        if (!text_equals(ep->name, entry->function->name->text)) {
            continue;
        }
        for (uint32_t k = 0; k < ep->input_count; k++) {
            if (!ep->inputs[k].is_builtin) {
                raise(counts,
                    entry->stage == STAGE_VERTEX ? LIMIT_maxVertexAttributes
                                                 : LIMIT_maxInterStageShaderVariables,
                    (uint64_t)ep->inputs[k].location + 1);
            }
        }
        for (uint32_t k = 0; k < ep->output_count; k++) {
            if (!ep->outputs[k].is_builtin) {
                raise(counts,
                    entry->stage == STAGE_FRAGMENT ? LIMIT_maxColorAttachments
                                                   : LIMIT_maxInterStageShaderVariables,
                    (uint64_t)ep->outputs[k].location + 1);
            }
        }
    }
}

bool explain_gather_limits(struct explain_facts *facts, struct explain_entry *entry) {
    struct counts counts = {{0}};
    for (size_t i = 0; i < entry->uses.count; i++) {
        const struct explain_variable *variable =
            &facts->variables.items[entry->uses.items[i].variable];
        if (variable->declaration->has_binding) {
            count_binding(&counts, facts, variable, entry->stage);
        } else if (variable->declaration->space == SPACE_IMMEDIATE) {
            raise(&counts, LIMIT_maxImmediateSize, variable->bytes);
        }
    }
    if (entry->stage == STAGE_COMPUTE) {
        count_compute(&counts, entry);
    }
    count_interface(&counts, facts, entry);
    for (uint32_t i = 0; i < LIMIT_COUNT; i++) {
        const struct limit_info *info = limit_get_info((enum limit_name)i);
        bool is_passed = info->class_of == LIMIT_CLASS_MAXIMUM &&
            (counts.of[i] > info->core_default || counts.of[i] > info->compatibility_default);
        if (is_passed) {
            struct explain_limit limit = {
                (enum limit_name)i, counts.of[i], info->core_default, info->compatibility_default};
            TRY(arena_vector_push(&facts->module->base.arena, &entry->limits, limit));
        }
    }
    return true;
}

// ---- Residency ----

const struct explain_pool explain_pools[] = {
    {"a pool of 64 KiB (a compute unit of AMD GCN and CDNA)", 65536, 0, 0, 0},
    {"a multiprocessor of an NVIDIA H100 or H200 (228 KiB, 1 KiB reserved for each workgroup)",
        233472, 1024, 32, 2048},
};
const uint32_t explain_pool_count = sizeof(explain_pools) / sizeof(explain_pools[0]);

uint64_t explain_count_resident(
    const struct explain_pool *pool, uint64_t workgroup_bytes, uint64_t invocation_count) {
    uint64_t bytes = workgroup_bytes + pool->reserved_bytes;
    uint64_t count = bytes == 0 ? UINT64_MAX : pool->pool_bytes / bytes;
    if (pool->workgroup_limit != 0 && count > pool->workgroup_limit) {
        count = pool->workgroup_limit;
    }
    if (pool->invocation_limit != 0 && invocation_count != 0) {
        uint64_t threads = (invocation_count + 31) / 32 * 32;
        uint64_t by_threads = pool->invocation_limit / threads;
        count = count < by_threads ? count : by_threads;
    }
    return count;
}
