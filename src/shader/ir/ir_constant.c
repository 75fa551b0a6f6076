// SPDX-License-Identifier: MIT
//
// Constants: interning by type and bytes, and the builder's short forms. A constant of at most
// INTERNED_BYTES always carries its bytes; a larger one that is all zero carries none.
#include <string.h>

#include "shader/ir/ir_builder.h"

#define INTERNED_BYTES 256u

static uint64_t hash_constant(type_id type, const void *bytes, size_t size_bytes) {
    return text_hash((struct text){bytes, size_bytes}) ^
        (type.index * UINT64_C(0x9e3779b97f4a7c15));
}

static void insert_bucket(uint32_t *buckets, uint32_t bucket_count, uint64_t hash, uint32_t index) {
    uint32_t slot = (uint32_t)(hash ^ (hash >> 32)) & (bucket_count - 1);
    while (buckets[slot] != 0) {
        slot = (slot + 1) & (bucket_count - 1);
    }
    buckets[slot] = index + 1;
}

// Buckets hold a constant's index + 1 and stay at most half full.
static bool grow_buckets(struct ir_module *module) {
    if (module->constants.count * 2 + 2 <= module->constant_bucket_count) {
        return true;
    }
    uint32_t count = module->constant_bucket_count == 0 ? 64 : module->constant_bucket_count * 2;
    while (count < module->constants.count * 2 + 2) {
        count *= 2;
    }
    uint32_t *buckets = ARENA_ARRAY(module->arena, uint32_t, count);
    if (buckets == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < module->constants.count; i++) {
        const struct ir_constant *constant = &module->constants.items[i];
        uint64_t size_bytes = type_get(&module->types, constant->type)->size_bytes;
        if (size_bytes <= INTERNED_BYTES) {
            insert_bucket(buckets, count,
                hash_constant(constant->type, constant->bytes, (size_t)size_bytes), i);
        }
    }
    module->constant_buckets = buckets;
    module->constant_bucket_count = count;
    return true;
}

static uint32_t find_constant(const struct ir_module *module, uint64_t hash, type_id type,
    const void *bytes, size_t size_bytes) {
    uint32_t mask = module->constant_bucket_count - 1;
    for (uint32_t slot = (uint32_t)(hash ^ (hash >> 32)) & mask;
         module->constant_buckets[slot] != 0; slot = (slot + 1) & mask) {
        uint32_t index = module->constant_buckets[slot] - 1;
        const struct ir_constant *constant = &module->constants.items[index];
        if (type_equals(constant->type, type) && memcmp(constant->bytes, bytes, size_bytes) == 0) {
            return index;
        }
    }
    return UINT32_MAX;
}

static bool is_all_zero(const unsigned char *bytes, size_t size_bytes) {
    return size_bytes == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size_bytes - 1) == 0);
}

static uint32_t add_constant(struct ir_module *module, type_id type, const void *bytes) {
    if (!arena_vector_push(module->arena, &module->constants, (struct ir_constant){type, bytes})) {
        module->has_failed = true;
        return UINT32_MAX;
    }
    return (uint32_t)(module->constants.count - 1);
}

uint32_t ir_constant_create(struct ir_module *module, type_id type, const void *bytes) {
    static const unsigned char zeros[INTERNED_BYTES];
    if (module->has_failed) {
        return UINT32_MAX;
    }
    size_t size_bytes = (size_t)type_get(&module->types, type)->size_bytes;
    if (size_bytes > INTERNED_BYTES) {
        if (bytes == NULL || is_all_zero(bytes, size_bytes)) {
            return add_constant(module, type, NULL);
        }
        void *copy = arena_copy(module->arena, bytes, size_bytes);
        if (copy == NULL) {
            module->has_failed = true;
            return UINT32_MAX;
        }
        return add_constant(module, type, copy);
    }
    if (!grow_buckets(module)) {
        module->has_failed = true;
        return UINT32_MAX;
    }
    const void *given = bytes == NULL ? zeros : bytes;
    uint64_t hash = hash_constant(type, given, size_bytes);
    uint32_t found = find_constant(module, hash, type, given, size_bytes);
    if (found != UINT32_MAX) {
        return found;
    }
    void *copy = arena_copy(module->arena, given, size_bytes);
    if (copy == NULL) {
        module->has_failed = true;
        return UINT32_MAX;
    }
    uint32_t index = add_constant(module, type, copy);
    if (index != UINT32_MAX) {
        insert_bucket(module->constant_buckets, module->constant_bucket_count, hash, index);
    }
    return index;
}

// A function's values of constants are found by a hash of its own: a table by constant would take the
// product of functions and constants.
static uint32_t *find_slot(const struct ir_function *function, uint32_t constant) {
    uint32_t mask = (uint32_t)function->constant_values.count - 1;
    uint32_t hash = constant * 0x9e3779b1u;
    uint32_t at = (hash ^ hash >> 16) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *slot = &function->constant_values.items[at];
        const struct ir_value_info *info = &function->values.items[*slot];
        bool is_it = info->kind == IR_VALUE_CONSTANT && info->definition == constant;
        if (*slot == 0 || is_it) {
            return slot;
        }
    }
}

// Slots stay at most half full.
static bool grow_slots(struct ir_module *module, struct ir_function *function) {
    if (function->constant_value_count * 2 + 2 <= function->constant_values.count) {
        return true;
    }
    struct ir_function old = *function;
    size_t count = old.constant_values.count == 0 ? 16 : old.constant_values.count * 2;
    uint32_t *slots = ARENA_ARRAY(module->arena, uint32_t, count);
    if (slots == NULL) {
        return false;
    }
    function->constant_values.items = slots;
    function->constant_values.count = count;
    function->constant_values.capacity = count;
    function->constant_value_count = 0;
    for (size_t i = 0; i < old.constant_values.count; i++) {
        uint32_t value = old.constant_values.items[i];
        // A pass may have made another value of one of these.
        if (value != 0 && function->values.items[value].kind == IR_VALUE_CONSTANT) {
            *find_slot(function, function->values.items[value].definition) = value;
            function->constant_value_count++;
        }
    }
    return true;
}

ir_value ir_builder_constant(struct ir_builder *builder, uint32_t constant) {
    struct ir_module *module = builder->module;
    if (module->has_failed || constant >= module->constants.count) {
        module->has_failed = true;
        return (ir_value){0};
    }
    struct ir_function *function = &module->functions.items[builder->function];
    if (!grow_slots(module, function)) {
        module->has_failed = true;
        return (ir_value){0};
    }
    uint32_t *slot = find_slot(function, constant);
    if (*slot == 0) {
        struct ir_value_info info = {
            .kind = IR_VALUE_CONSTANT,
            .type = module->constants.items[constant].type,
            .definition = constant,
        };
        if (!arena_vector_push(module->arena, &function->values, info)) {
            module->has_failed = true;
            return (ir_value){0};
        }
        *slot = (uint32_t)(function->values.count - 1);
        function->constant_value_count++;
    }
    return (ir_value){*slot};
}

ir_value ir_builder_constant_bytes(struct ir_builder *builder, type_id type, const void *bytes) {
    uint32_t constant = ir_constant_create(builder->module, type, bytes);
    return constant == UINT32_MAX ? (ir_value){0} : ir_builder_constant(builder, constant);
}

ir_value ir_builder_u32(struct ir_builder *builder, uint32_t number) {
    return ir_builder_constant_bytes(builder, type_scalar(TYPE_U32), &number);
}

ir_value ir_builder_i32(struct ir_builder *builder, int32_t number) {
    return ir_builder_constant_bytes(builder, type_scalar(TYPE_I32), &number);
}

ir_value ir_builder_f32(struct ir_builder *builder, float number) {
    return ir_builder_constant_bytes(builder, type_scalar(TYPE_F32), &number);
}

ir_value ir_builder_bool(struct ir_builder *builder, bool truth) {
    uint32_t word = truth ? 1 : 0;
    return ir_builder_constant_bytes(builder, type_scalar(TYPE_BOOL), &word);
}

ir_value ir_builder_zero(struct ir_builder *builder, type_id type) {
    return ir_builder_constant_bytes(builder, type, NULL);
}
