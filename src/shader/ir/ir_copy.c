// SPDX-License-Identifier: MIT
//
// A deep copy of a module into another arena, names included. See ir.h.
#include <string.h>

#include "shader/ir/ir.h"

// Copies `count` items of a vector into `arena`; false when out of memory.
#define COPY_VECTOR(arena, vector) \
    copy_items((arena), (void **)&(vector)->items, &(vector)->capacity, (vector)->count, \
        sizeof(*(vector)->items))

static bool copy_items(
    struct arena *arena, void **items, size_t *capacity, size_t count, size_t item_bytes) {
    if (count == 0) {
        *items = NULL;
        *capacity = 0;
        return true;
    }
    *items = arena_copy(arena, *items, count * item_bytes);
    *capacity = count;
    return *items != NULL;
}

static bool copy_array(struct arena *arena, void **items, size_t count, size_t item_bytes) {
    size_t capacity = 0;
    return copy_items(arena, items, &capacity, count, item_bytes);
}

static bool copy_name(struct arena *arena, struct text *name) {
    if (name->length == 0) {
        *name = (struct text){"", 0};
        return true;
    }
    name->data = text_copy(arena, *name);
    return name->data != NULL;
}

static bool copy_types(struct type_table *types, struct arena *arena) {
    types->arena = arena;
    bool ok = COPY_VECTOR(arena, &types->types) &&
        copy_array(arena, (void **)&types->buckets, types->bucket_count, sizeof(uint32_t));
    for (size_t i = 0; ok && i < types->types.count; i++) {
        struct type *type = &types->types.items[i];
        ok = copy_name(arena, &type->name) &&
            copy_array(
                arena, (void **)&type->members, type->member_count, sizeof(struct type_member));
        for (uint32_t k = 0; ok && k < type->member_count; k++) {
            ok = copy_name(arena, &type->members[k].name);
        }
    }
    return ok;
}

// Of the small arrays that there are very many of.
static bool copy_packed(struct arena *arena, void **items, size_t bytes) {
    if (bytes == 0) {
        *items = NULL;
        return true;
    }
    void *copy = arena_allocate_packed(arena, bytes);
    if (copy == NULL) {
        return false;
    }
    *items = memcpy(copy, *items, bytes);
    return true;
}

static bool copy_op(struct ir_op *op, struct arena *arena) {
    bool ok = copy_packed(arena, (void **)&op->operands, op->operand_count * sizeof(ir_value)) &&
        copy_packed(arena, (void **)&op->regions, op->region_count * sizeof(ir_region_id));
    if (!ok || op->opcode != IR_SWITCH) {
        return ok;
    }
    struct ir_case *cases = arena_copy(arena, op->data.cases, op->region_count * sizeof(*cases));
    for (uint32_t i = 0; cases != NULL && i < op->region_count; i++) {
        cases[i].selectors = arena_copy(
            arena, cases[i].selectors, cases[i].selector_count * sizeof(uint32_t));
        if (cases[i].selectors == NULL) {
            return false;
        }
    }
    op->data.cases = cases;
    return cases != NULL;
}

// Parameters keep room up to the next power of two: see ir_region_add_parameter.
static bool copy_region(struct ir_region *region, struct arena *arena) {
    if (region->parameter_count == 0) {
        region->parameters = NULL;
        return true;
    }
    size_t room = 1;
    while (room < region->parameter_count) {
        room *= 2;
    }
    ir_value *parameters = ARENA_ARRAY(arena, ir_value, room);
    if (parameters == NULL) {
        return false;
    }
    memcpy(parameters, region->parameters, region->parameter_count * sizeof(ir_value));
    region->parameters = parameters;
    return true;
}

static bool copy_function(struct ir_function *function, struct arena *arena) {
    bool ok = copy_name(arena, &function->name) &&
        copy_array(
            arena, (void **)&function->parameters, function->parameter_count, sizeof(ir_value)) &&
        COPY_VECTOR(arena, &function->values) && COPY_VECTOR(arena, &function->ops) &&
        COPY_VECTOR(arena, &function->regions) && COPY_VECTOR(arena, &function->names) &&
        COPY_VECTOR(arena, &function->constant_values);
    for (size_t i = 0; ok && i < function->names.count; i++) {
        ok = copy_name(arena, &function->names.items[i]);
    }
    for (size_t i = 0; ok && i < function->ops.count; i++) {
        ok = copy_op(&function->ops.items[i], arena);
    }
    for (size_t i = 0; ok && i < function->regions.count; i++) {
        ok = copy_region(&function->regions.items[i], arena);
    }
    return ok;
}

static bool copy_interface(struct ir_interface **items, uint32_t count, struct arena *arena) {
    bool ok = copy_array(arena, (void **)items, count, sizeof(struct ir_interface));
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = copy_name(arena, &(*items)[i].name);
    }
    return ok;
}

static bool copy_contents(struct ir_module *copy, struct arena *arena) {
    copy->arena = arena;
    bool ok = copy_types(&copy->types, arena) && COPY_VECTOR(arena, &copy->variables) &&
        COPY_VECTOR(arena, &copy->constants) && COPY_VECTOR(arena, &copy->overrides) &&
        COPY_VECTOR(arena, &copy->override_counts) && COPY_VECTOR(arena, &copy->functions) &&
        COPY_VECTOR(arena, &copy->entry_points) &&
        copy_array(
            arena, (void **)&copy->constant_buckets, copy->constant_bucket_count, sizeof(uint32_t));
    for (size_t i = 0; ok && i < copy->variables.count; i++) {
        ok = copy_name(arena, &copy->variables.items[i].name);
    }
    for (size_t i = 0; ok && i < copy->constants.count; i++) {
        struct ir_constant *constant = &copy->constants.items[i];
        if (constant->bytes != NULL) {
            uint64_t size_bytes = type_get(&copy->types, constant->type)->size_bytes;
            constant->bytes = arena_copy(arena, constant->bytes, (size_t)size_bytes);
            ok = constant->bytes != NULL;
        }
    }
    for (size_t i = 0; ok && i < copy->overrides.count; i++) {
        ok = copy_name(arena, &copy->overrides.items[i].name);
    }
    for (size_t i = 0; ok && i < copy->functions.count; i++) {
        ok = copy_function(&copy->functions.items[i], arena);
    }
    for (size_t i = 0; ok && i < copy->entry_points.count; i++) {
        struct ir_entry_point *entry = &copy->entry_points.items[i];
        ok = copy_name(arena, &entry->name) &&
            copy_interface(&entry->inputs, entry->input_count, arena) &&
            copy_interface(&entry->outputs, entry->output_count, arena);
    }
    return ok;
}

struct ir_module *ir_module_copy(const struct ir_module *module, struct arena *arena) {
    struct ir_module *copy = ARENA_NEW(arena, struct ir_module);
    if (copy == NULL) {
        return NULL;
    }
    *copy = *module;
    return copy_contents(copy, arena) ? copy : NULL;
}
