// SPDX-License-Identifier: MIT
//
// Constants: values of const-expressions as IR constants. The IR interns small ones; large ones are
// remembered here by the checker's value: a table used in a thousand places is written once.

#include "shader/wgsl/lower_priv.h"

#include "base/memory.h"

#define LARGE_BYTES 256u

static uint32_t hash_pointer(const struct const_value *value) {
    uint64_t bits = (uint64_t)(uintptr_t)value * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(bits >> 32);
}

static bool grow(struct lower *lower) {
    uint32_t capacity = lower->constant_capacity ? lower->constant_capacity * 2 : 64;
    struct constant_slot *slots = (struct constant_slot *)memory_allocate_zeroed(
        MEMORY_COMPILE, capacity, sizeof(struct constant_slot));
    if (!slots) {
        return false;
    }
    for (uint32_t i = 0; i < lower->constant_capacity; i++) {
        if (lower->constants[i].value) {
            uint32_t at = hash_pointer(lower->constants[i].value) & (capacity - 1);
            while (slots[at].value) {
                at = (at + 1) & (capacity - 1);
            }
            slots[at] = lower->constants[i];
        }
    }
    memory_free(lower->constants);
    lower->constants = slots;
    lower->constant_capacity = capacity;
    return true;
}

// A constant built from shared parts can be far larger than the text that makes it. What is written
// out in one module is bounded by a multiple of the text; beyond it the first constant is reported.
static bool is_within_budget(struct lower *lower, uint64_t size_bytes) {
    uint64_t budget = ((uint64_t)1 << 20) + 64 * (uint64_t)lower->module->source->text.length;
    bool was_within = lower->constant_bytes <= budget;
    lower->constant_bytes += size_bytes;
    if (lower->constant_bytes <= budget) {
        return true;
    }
    if (was_within) {
        struct source_span nowhere = {0, 0};
        diagnostic_error(lower->diagnostics, DIAGNOSTIC_LIMIT,
            lower->function != NULL ? lower->function->name_span : nowhere,
            "the constants of this module take over %llu bytes", (unsigned long long)budget);
    }
    return false;
}

static uint32_t make_constant(struct lower *lower, const struct const_value *value) {
    uint64_t size_bytes = type_get(lower->types, value->type)->size_bytes;
    if (value->is_zero || (size_bytes > LARGE_BYTES && !is_within_budget(lower, size_bytes))) {
        return ir_constant_create(lower->ir, value->type, NULL);
    }
    unsigned char small[LARGE_BYTES];
    void *bytes = small;
    if (size_bytes > sizeof small) {
        bytes = memory_allocate(MEMORY_COMPILE, (size_t)size_bytes);
        if (!bytes) {
            lower_fail(lower);
            return UINT32_MAX;
        }
    }
    const_value_write(value, lower->types, bytes);
    uint32_t constant = ir_constant_create(lower->ir, value->type, bytes);
    if (bytes != small) {
        memory_free(bytes);
    }
    return constant;
}

uint32_t lower_constant_index(struct lower *lower, const struct const_value *value) {
    if (type_get(lower->types, value->type)->size_bytes <= LARGE_BYTES) {
        return make_constant(lower, value);
    }
    if (lower->constant_count >= lower->constant_capacity / 2 && !grow(lower)) {
        lower_fail(lower);
        return UINT32_MAX;
    }
    uint32_t at = hash_pointer(value) & (lower->constant_capacity - 1);
    while (lower->constants[at].value) {
        if (lower->constants[at].value == value) {
            return lower->constants[at].constant;
        }
        at = (at + 1) & (lower->constant_capacity - 1);
    }
    uint32_t constant = make_constant(lower, value);
    if (constant != UINT32_MAX) {
        lower->constants[at] = (struct constant_slot){value, constant};
        lower->constant_count++;
    }
    return constant;
}

ir_value lower_constant(struct lower *lower, const struct const_value *value) {
    uint32_t constant = lower_constant_index(lower, value);
    return constant == UINT32_MAX ? (ir_value){0} : ir_builder_constant(&lower->at, constant);
}

bool lower_is_abstract(const struct lower *lower, type_id type) {
    return type.index == 0 || type_is_abstract(lower->types, type);
}
