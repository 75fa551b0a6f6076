// SPDX-License-Identifier: MIT
//
// Reflection: what each entry point statically uses, by a walk over its call graph. See reflect.h.
#include "shader/ir/reflect.h"

#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "shader/ir/reflect_priv.h"

typedef VECTOR(uint32_t) index_list;

// What one function names directly; each list has an entry once.
struct uses {
    index_list variables;
    index_list overrides;
    index_list callees;
    bool has_fine_derivative;
};

struct reflector {
    const struct ir_module *module;
    struct arena *arena;
    struct uses *uses;       // by function
    uint32_t *variable_mark; // last function or entry point + 1 that counted it
    uint32_t *override_mark;
    uint32_t *function_mark;
    bool *value_seen; // of the initialisation function
    reflect_pair_list *pairs; // by function
    index_list stack;
    // Of the entry point at hand.
    index_list variables;
    index_list overrides;
    bool has_fine_derivative;
};

static bool add_once(index_list *list, uint32_t *marks, uint32_t mark, uint32_t index) {
    if (marks[index] == mark) {
        return true;
    }
    marks[index] = mark;
    return vector_push(list, MEMORY_COMPILE, index);
}

static uint32_t *new_marks(size_t count) {
    return memory_allocate_zeroed(MEMORY_COMPILE, count + 1, sizeof(uint32_t));
}

// Unlinked operations are no uses.
static bool collect_function(struct reflector *r, uint32_t number) {
    const struct ir_function *function = &r->module->functions.items[number];
    struct uses *uses = &r->uses[number];
    for (size_t i = 1; i < function->ops.count; i++) {
        const struct ir_op *op = &function->ops.items[i];
        if (op->parent.index == 0) {
            continue;
        }
        if (op->opcode == IR_VARIABLE) {
            TRY(add_once(&uses->variables, r->variable_mark, number + 1, op->data.index));
        } else if (op->opcode == IR_OVERRIDE) {
            TRY(add_once(&uses->overrides, r->override_mark, number + 1, op->data.index));
        } else if (op->opcode == IR_CALL) {
            TRY(add_once(&uses->callees, r->function_mark, number + 1, op->data.index));
        } else if (op->opcode == IR_DPDX_FINE || op->opcode == IR_DPDY_FINE ||
            op->opcode == IR_FWIDTH_FINE) {
            uses->has_fine_derivative = true;
        }
    }
    return true;
}

static bool collect(struct reflector *r) {
    const struct ir_module *module = r->module;
    size_t value_count = module->initialisation < module->functions.count
        ? module->functions.items[module->initialisation].values.count
        : 0;
    r->uses = memory_allocate_zeroed(MEMORY_COMPILE, module->functions.count + 1, sizeof(*r->uses));
    r->variable_mark = new_marks(module->variables.count);
    r->override_mark = new_marks(module->overrides.count);
    r->function_mark = new_marks(module->functions.count);
    r->value_seen = memory_allocate_zeroed(MEMORY_COMPILE, value_count + 1, sizeof(bool));
    TRY(r->uses != NULL && r->variable_mark != NULL && r->override_mark != NULL &&
        r->function_mark != NULL && r->value_seen != NULL);
    for (uint32_t i = 0; i < module->functions.count; i++) {
        TRY(collect_function(r, i));
    }
    r->pairs = reflect_collect_pairs(module);
    return r->pairs != NULL;
}

// Pushes an initialisation value for follow_values.
static bool push_value(struct reflector *r, ir_value value) {
    if (value.index == 0 || r->value_seen[value.index]) {
        return true;
    }
    r->value_seen[value.index] = true;
    return vector_push(&r->stack, MEMORY_COMPILE, value.index);
}

// All that the operations inside a control operation name counts as its use: the results depend on
// the paths taken. Results are pushed too, so that follow_values reaches deeper regions.
static bool push_nested(
    struct reflector *r, const struct ir_function *function, const struct ir_op *control) {
    for (uint32_t i = 0; i < control->region_count; i++) {
        ir_op_id at = ir_region_get(function, control->regions[i])->first;
        for (; at.index != 0; at = ir_op_get(function, at)->next) {
            const struct ir_op *op = ir_op_get(function, at);
            for (uint32_t k = 0; k < op->operand_count; k++) {
                TRY(push_value(r, op->operands[k]));
            }
            if (op->result_count != 0) {
                TRY(push_value(r, op->first_result));
            }
        }
    }
    return true;
}

// Overrides on which the pushed initialisation values depend, their own initial values included.
static bool follow_values(struct reflector *r, uint32_t mark) {
    const struct ir_module *module = r->module;
    while (r->stack.count != 0) {
        const struct ir_function *function = &module->functions.items[module->initialisation];
        const struct ir_value_info *info =
            &function->values.items[r->stack.items[--r->stack.count]];
        if (info->kind != IR_VALUE_RESULT) {
            continue;
        }
        const struct ir_op *op = &function->ops.items[info->definition];
        for (uint32_t i = 0; i < op->operand_count; i++) {
            TRY(push_value(r, op->operands[i]));
        }
        if (op->opcode == IR_OVERRIDE) {
            TRY(add_once(&r->overrides, r->override_mark, mark, op->data.index));
            TRY(push_value(r, module->overrides.items[op->data.index].initial_value));
        }
        if (op->region_count != 0) {
            TRY(push_nested(r, function, op));
        }
    }
    return true;
}

// Index into override_counts that the variable's type depends on, UINT32_MAX if it does not.
static uint32_t override_count_of(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    while (type->kind == TYPE_ARRAY || type->kind == TYPE_BUFFER) {
        if (type->array_size == ARRAY_OVERRIDE) {
            return type->count;
        }
        if (type->kind == TYPE_BUFFER) {
            break;
        }
        type = type_get(types, type->element);
    }
    return UINT32_MAX;
}

static bool add_variable(struct reflector *r, uint32_t mark, uint32_t index) {
    const struct ir_module *module = r->module;
    const struct ir_variable *variable = &module->variables.items[index];
    TRY(add_once(&r->variables, r->variable_mark, mark, index));
    TRY(push_value(r, variable->initial_value));
    uint32_t count = override_count_of(&module->types, variable->type);
    if (count < module->override_counts.count) {
        TRY(push_value(r, module->override_counts.items[count]));
    }
    return true;
}

// Fills r->variables and r->overrides for the entry point. Marks above the functions' numbers tell
// entry points apart.
static bool gather(struct reflector *r, uint32_t number) {
    const struct ir_module *module = r->module;
    const struct ir_entry_point *entry = &module->entry_points.items[number];
    uint32_t mark = (uint32_t)module->functions.count + number + 1;
    index_list functions = {0};
    r->variables.count = 0;
    r->overrides.count = 0;
    r->stack.count = 0;
    r->has_fine_derivative = false;
    if (module->initialisation < module->functions.count) {
        memset(r->value_seen, 0, module->functions.items[module->initialisation].values.count);
    }
    bool ok = add_once(&functions, r->function_mark, mark, entry->function);
    for (size_t at = 0; ok && at < functions.count; at++) {
        const struct uses *uses = &r->uses[functions.items[at]];
        r->has_fine_derivative |= uses->has_fine_derivative;
        for (size_t i = 0; ok && i < uses->callees.count; i++) {
            ok = add_once(&functions, r->function_mark, mark, uses->callees.items[i]);
        }
        for (size_t i = 0; ok && i < uses->variables.count; i++) {
            ok = add_variable(r, mark, uses->variables.items[i]);
        }
        for (size_t i = 0; ok && i < uses->overrides.count; i++) {
            uint32_t index = uses->overrides.items[i];
            ok = add_once(&r->overrides, r->override_mark, mark, index) &&
                push_value(r, module->overrides.items[index].initial_value);
        }
    }
    for (int i = 0; ok && i < 3; i++) {
        ok = push_value(r, entry->workgroup_size_value[i]);
    }
    ok = ok && push_value(r, entry->subgroup_size_value);
    vector_finish(&functions);
    return ok && follow_values(r, mark);
}

static bool copy_name(struct arena *arena, struct text name, struct text *out_name) {
    *out_name = (struct text){text_copy(arena, name), name.length};
    return out_name->data != NULL;
}

static enum reflect_binding_kind binding_kind(
    const struct ir_variable *variable, enum type_kind kind) {
    if (variable->space == SPACE_UNIFORM) {
        return REFLECT_BUFFER_UNIFORM;
    }
    if (variable->space == SPACE_STORAGE) {
        return variable->access == ACCESS_READ ? REFLECT_BUFFER_READ_ONLY_STORAGE
                                               : REFLECT_BUFFER_STORAGE;
    }
    switch (kind) {
    case TYPE_SAMPLER:
        return REFLECT_SAMPLER;
    case TYPE_SAMPLER_COMPARISON:
        return REFLECT_SAMPLER_COMPARISON;
    case TYPE_TEXTURE_STORAGE:
        return REFLECT_STORAGE_TEXTURE;
    case TYPE_TEXTURE_EXTERNAL:
        return REFLECT_EXTERNAL_TEXTURE;
    default:
        return REFLECT_TEXTURE;
    }
}

static bool describe_binding(struct reflector *r, uint32_t index, struct reflect_binding *out) {
    const struct type_table *types = &r->module->types;
    const struct ir_variable *variable = &r->module->variables.items[index];
    const struct type *type = type_get(types, variable->type);
    *out = (struct reflect_binding){
        .group = variable->group,
        .binding = variable->binding,
        .kind = binding_kind(variable, type->kind),
        .variable = index,
        .access = variable->access,
    };
    bool is_buffer = variable->space == SPACE_UNIFORM || variable->space == SPACE_STORAGE;
    if (is_buffer) {
        out->minimum_size_bytes = type_minimum_binding_size(types, variable->type);
    } else {
        bool is_depth = type->kind == TYPE_TEXTURE_DEPTH ||
            type->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
        out->dimension = type->dimension;
        out->is_depth = is_depth;
        out->is_multisampled = type->kind == TYPE_TEXTURE_MULTISAMPLED ||
            type->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
        out->sampled_type = is_depth ? TYPE_F32 : type_kind_of(types, type->element);
        out->texel_format = type->texel_format;
        if (type->kind == TYPE_TEXTURE_STORAGE) {
            out->access = type->access;
        }
    }
    return copy_name(r->arena, variable->name, &out->name);
}

static int compare_bindings(const void *a, const void *b) {
    const struct reflect_binding *left = a, *right = b;
    if (left->group != right->group) {
        return left->group < right->group ? -1 : 1;
    }
    if (left->binding != right->binding) {
        return left->binding < right->binding ? -1 : 1;
    }
    return left->variable < right->variable ? -1 : left->variable > right->variable;
}

static int compare_indices(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

// WGSL AccessibleSlots of a value at that offset. Slots from 64 on have no bit: no device offers so
// many immediate bytes. Types nest at most 15 deep.
static uint64_t accessible_slots(const struct type_table *types, type_id id, uint64_t offset) {
    const struct type *type = type_get(types, id);
    uint64_t slots = 0;
    if (type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->member_count; i++) {
            slots |= accessible_slots(
                types, type->members[i].type, offset + type->members[i].offset_bytes);
        }
        return slots;
    }
    if (type->kind == TYPE_MATRIX || type->kind == TYPE_ARRAY) {
        for (uint32_t i = 0; i < type->count && offset / 4 < 64; i++) {
            slots |= accessible_slots(types, type_element_at(types, id, i), offset);
            offset += type->stride_bytes;
        }
        return slots;
    }
    uint64_t end = offset + type->size_bytes;
    for (uint64_t slot = offset / 4; slot * 4 < end && slot < 64; slot++) {
        slots |= (uint64_t)1 << slot;
    }
    return slots;
}

static bool describe_variables(struct reflector *r, struct reflect_entry_point *out) {
    const struct type_table *types = &r->module->types;
    out->bindings = ARENA_ARRAY(r->arena, struct reflect_binding, r->variables.count);
    TRY(out->bindings != NULL);
    for (size_t i = 0; i < r->variables.count; i++) {
        const struct ir_variable *variable = &r->module->variables.items[r->variables.items[i]];
        uint64_t size_bytes = type_get(types, variable->type)->size_bytes;
        if (variable->has_binding) {
            TRY(describe_binding(r, r->variables.items[i], &out->bindings[out->binding_count++]));
        } else if (variable->space == SPACE_WORKGROUP) {
            if (override_count_of(types, variable->type) != UINT32_MAX) {
                out->has_override_sized_workgroup_memory = true;
            } else {
                out->workgroup_memory_bytes += (size_bytes + 15) & ~(uint64_t)15;
            }
        } else if (variable->space == SPACE_IMMEDIATE) {
            out->immediate_size_bytes = (uint32_t)size_bytes;
            out->immediate_slots = accessible_slots(types, variable->type, 0);
        }
    }
    if (out->binding_count != 0) {
        qsort(out->bindings, out->binding_count, sizeof(*out->bindings), compare_bindings);
    }
    return true;
}

static void describe_workgroup_size(
    struct reflector *r, const struct ir_entry_point *entry, struct reflect_entry_point *out) {
    const struct ir_module *module = r->module;
    for (int i = 0; i < 3; i++) {
        ir_value value = entry->workgroup_size_value[i];
        if (value.index == 0) {
            out->workgroup_size[i] = entry->workgroup_size[i];
            continue;
        }
        const struct ir_value_info *info = ir_value_get(
            &module->functions.items[module->initialisation], value);
        if (info->kind == IR_VALUE_CONSTANT) {
            const void *bytes = module->constants.items[info->definition].bytes;
            if (bytes != NULL) {
                memcpy(&out->workgroup_size[i], bytes, sizeof(uint32_t));
            }
        }
    }
}

static bool describe_entry_point(
    struct reflector *r, uint32_t number, struct reflect_entry_point *out) {
    const struct ir_entry_point *entry = &r->module->entry_points.items[number];
    *out = (struct reflect_entry_point){
        .stage = entry->stage, .subgroup_size = entry->subgroup_size};
    TRY(gather(r, number) && copy_name(r->arena, entry->name, &out->name) &&
        describe_variables(r, out) && reflect_describe_interface(r->module, entry, r->arena, out) &&
        reflect_describe_pairs(&r->pairs[entry->function], r->arena, out));
    if (r->overrides.count != 0) {
        qsort(r->overrides.items, r->overrides.count, sizeof(uint32_t), compare_indices);
    }
    out->overrides = arena_copy(
        r->arena, r->overrides.items, r->overrides.count * sizeof(uint32_t));
    out->override_count = (uint32_t)r->overrides.count;
    describe_workgroup_size(r, entry, out);
    out->uses_fine_derivatives = r->has_fine_derivative;
    out->uses_num_workgroups = reflect_has_builtin(out, BUILTIN_VALUE_NUM_WORKGROUPS);
    out->uses_workgroup_index = reflect_has_builtin(out, BUILTIN_VALUE_WORKGROUP_INDEX);
    out->uses_global_invocation_index = reflect_has_builtin(
        out, BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX);
    return out->overrides != NULL;
}

static bool describe_overrides(struct reflector *r, struct reflection *out) {
    const struct ir_module *module = r->module;
    out->overrides = ARENA_ARRAY(r->arena, struct reflect_override, module->overrides.count);
    TRY(out->overrides != NULL);
    out->override_count = (uint32_t)module->overrides.count;
    for (uint32_t i = 0; i < out->override_count; i++) {
        const struct ir_override *row = &module->overrides.items[i];
        out->overrides[i] = (struct reflect_override){
            .has_id = row->has_id,
            .id = row->id,
            .type = type_kind_of(&module->types, row->type),
            .has_default = row->has_initial_value,
            .index = i,
        };
        TRY(copy_name(r->arena, row->name, &out->overrides[i].name));
    }
    return true;
}

static bool describe(struct reflector *r, struct reflection *out) {
    size_t count = r->module->entry_points.count;
    out->entry_points = ARENA_ARRAY(r->arena, struct reflect_entry_point, count);
    TRY(out->entry_points != NULL && collect(r) && describe_overrides(r, out));
    out->entry_point_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        TRY(describe_entry_point(r, i, &out->entry_points[i]));
    }
    return true;
}

struct reflection *reflect_create(const struct ir_module *module, struct arena *arena) {
    struct reflector r = {.module = module, .arena = arena};
    struct reflection *out = ARENA_NEW(arena, struct reflection);
    bool ok = out != NULL && describe(&r, out);
    for (size_t i = 0; r.uses != NULL && i < module->functions.count; i++) {
        vector_finish(&r.uses[i].variables);
        vector_finish(&r.uses[i].overrides);
        vector_finish(&r.uses[i].callees);
    }
    reflect_free_pairs(module, r.pairs);
    memory_free(r.uses);
    memory_free(r.variable_mark);
    memory_free(r.override_mark);
    memory_free(r.function_mark);
    memory_free(r.value_seen);
    vector_finish(&r.stack);
    vector_finish(&r.variables);
    vector_finish(&r.overrides);
    return ok ? out : NULL;
}
