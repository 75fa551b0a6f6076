// SPDX-License-Identifier: MIT
//
// Masks and homes. A mask is a <W x i1> for each part; at rest it is widened, since processors
// without mask registers keep it as a vector. A home is the mutable place of a value that several
// paths define: LLVM turns the allocas into phis.
#include "shader/jit/jit_priv.h"

struct lanes jit_lanes_full(void) {
    return (struct lanes){.is_full = true};
}

LLVMValueRef jit_lanes_part(struct emit *emit, const struct lanes *lanes, uint32_t part) {
    if (lanes->is_full) {
        return LLVMConstAllOnes(emit->vi1);
    }
    return lanes->is_dead ? LLVMConstNull(emit->vi1) : lanes->parts[part];
}

struct lanes jit_lanes_and(
    struct emit *emit, const struct lanes *a, const struct component *b, bool is_inverted) {
    struct lanes result = {0};
    if (a->is_dead) {
        return *a;
    }
    for (uint32_t part = 0; part < emit->jam; part++) {
        LLVMValueRef condition = jit_part(emit, b, part);
        if (is_inverted) {
            condition = LLVMBuildNot(emit->builder, condition, "");
        }
        result.parts[part] = a->is_full
            ? condition
            : LLVMBuildAnd(emit->builder, a->parts[part], condition, "");
    }
    return result;
}

static LLVMValueRef mask_integer(struct emit *emit, LLVMValueRef mask) {
    return LLVMBuildBitCast(emit->builder, mask, emit->bits, "");
}

LLVMValueRef jit_lanes_any(struct emit *emit, const struct lanes *lanes) {
    if (lanes->is_full || lanes->is_dead) {
        return LLVMConstInt(emit->i1, lanes->is_full, false);
    }
    LLVMValueRef mask = lanes->parts[0];
    for (uint32_t part = 1; part < emit->jam; part++) {
        mask = LLVMBuildOr(emit->builder, mask, lanes->parts[part], "");
    }
    return LLVMBuildICmp(
        emit->builder, LLVMIntNE, mask_integer(emit, mask), LLVMConstNull(emit->bits), "any");
}

LLVMValueRef jit_lanes_all(struct emit *emit, const struct lanes *lanes) {
    if (lanes->is_full) {
        return NULL;
    }
    if (lanes->is_dead) {
        return LLVMConstNull(emit->i1);
    }
    LLVMValueRef mask = lanes->parts[0];
    for (uint32_t part = 1; part < emit->jam; part++) {
        mask = LLVMBuildAnd(emit->builder, mask, lanes->parts[part], "");
    }
    return LLVMBuildICmp(
        emit->builder, LLVMIntEQ, mask_integer(emit, mask), LLVMConstAllOnes(emit->bits), "all");
}

LLVMValueRef jit_mask_bits(struct emit *emit, LLVMValueRef mask) {
    LLVMValueRef bits = mask_integer(emit, mask);
    return emit->width == 64 ? bits : LLVMBuildZExt(emit->builder, bits, emit->i64, "");
}

static LLVMValueRef mask_to_rest(struct emit *emit, LLVMValueRef mask) {
    return emit->vmask == emit->vi1 ? mask : LLVMBuildSExt(emit->builder, mask, emit->vmask, "");
}

static LLVMValueRef mask_from_rest(struct emit *emit, LLVMValueRef mask) {
    return emit->vmask == emit->vi1
        ? mask
        : LLVMBuildICmp(emit->builder, LLVMIntSLT, mask, LLVMConstNull(emit->vmask), "");
}

void jit_lanes_home_create(struct emit *emit, struct lanes_home *home, const char *name) {
    for (uint32_t part = 0; part < emit->jam; part++) {
        home->slots[part] = jit_alloca(emit, emit->vmask, name);
    }
    home->is_set = true;
}

void jit_lanes_home_clear(struct emit *emit, struct lanes_home *home) {
    for (uint32_t part = 0; part < emit->jam; part++) {
        LLVMBuildStore(emit->builder, LLVMConstNull(emit->vmask), home->slots[part]);
    }
}

void jit_lanes_home_store(struct emit *emit, struct lanes_home *home, const struct lanes *lanes) {
    for (uint32_t part = 0; part < emit->jam; part++) {
        LLVMValueRef mask = jit_lanes_part(emit, lanes, part);
        LLVMBuildStore(emit->builder, mask_to_rest(emit, mask), home->slots[part]);
    }
}

void jit_lanes_home_add(struct emit *emit, struct lanes_home *home, const struct lanes *lanes) {
    if (lanes->is_dead) {
        return;
    }
    for (uint32_t part = 0; part < emit->jam; part++) {
        LLVMValueRef old = LLVMBuildLoad2(emit->builder, emit->vmask, home->slots[part], "");
        LLVMValueRef mask = mask_to_rest(emit, jit_lanes_part(emit, lanes, part));
        LLVMBuildStore(emit->builder, LLVMBuildOr(emit->builder, old, mask, ""), home->slots[part]);
    }
}

struct lanes jit_lanes_home_load(struct emit *emit, const struct lanes_home *home) {
    struct lanes lanes = {0};
    for (uint32_t part = 0; part < emit->jam; part++) {
        lanes.parts[part] = mask_from_rest(
            emit, LLVMBuildLoad2(emit->builder, emit->vmask, home->slots[part], ""));
    }
    return lanes;
}

uint64_t jit_scratch_reserve(struct emit *emit, uint64_t size_bytes, uint32_t align_bytes) {
    uint64_t offset = (emit->scratch_bytes + align_bytes - 1) / align_bytes * align_bytes;
    emit->scratch_bytes = offset + size_bytes;
    return offset;
}

LLVMValueRef jit_scratch_at(struct emit *emit, uint64_t offset, uint32_t iteration_stride) {
    LLVMValueRef place = jit_bytes_at(emit, emit->scratch, offset);
    if (iteration_stride == 0 || emit->iteration == NULL) {
        return place;
    }
    LLVMValueRef wide = LLVMBuildZExt(emit->builder, emit->iteration, emit->i64, "");
    LLVMValueRef index = LLVMBuildMul(emit->builder, wide, jit_i64(emit, iteration_stride), "");
    return LLVMBuildGEP2(emit->builder, emit->i8, place, &index, 1, "");
}

static uint32_t part_count(const struct emit *emit, uint8_t kind) {
    return kind <= SHAPE_ITERATION ? 1 : emit->jam;
}

static LLVMTypeRef rest_type(struct emit *emit, const struct home_component *component) {
    if (component->kind == SHAPE_VARYING) {
        return component->is_bool ? emit->vmask : jit_vector_type(emit, component->type);
    }
    return component->is_bool && component->in_scratch ? emit->i32 : component->type;
}

static uint32_t part_bytes(const struct emit *emit, const struct home_component *component) {
    return component->kind == SHAPE_VARYING ? emit->width * 4 : 4;
}

static void place_component(struct emit *emit, struct home_component *component, bool in_scratch) {
    uint32_t parts = part_count(emit, component->kind);
    component->in_scratch = in_scratch && emit->has_slots && component->kind != SHAPE_WORKGROUP;
    if (component->in_scratch) {
        uint64_t bytes = (uint64_t)parts * part_bytes(emit, component) * emit->iteration_count;
        component->scratch_offset = jit_scratch_reserve(emit, bytes, 64);
        return;
    }
    for (uint32_t part = 0; part < parts; part++) {
        component->slots[part] = jit_alloca(emit, rest_type(emit, component), "home");
    }
}

static bool create(struct emit *emit, struct home *home, type_id type, const struct shape *shapes,
    bool in_scratch) {
    home->component_count = jit_component_count(emit->module, type);
    home->components = ARENA_ARRAY(emit->arena, struct home_component, home->component_count + 1);
    if (home->components == NULL) {
        return jit_fail(emit, "out of memory");
    }
    for (uint32_t i = 0; i < home->component_count; i++) {
        struct home_component *component = &home->components[i];
        component->kind = SHAPE_VARYING;
        if (shapes != NULL && shapes[i].kind != SHAPE_NONE) {
            component->kind = shapes[i].kind;
            component->stride = shapes[i].stride;
        } else if (shapes != NULL) {
            component->kind = SHAPE_ITERATION; // never reached
        }
        component->type = jit_scalar_type(emit, type);
        component->is_bool = component->type == emit->i1;
        place_component(emit, component, in_scratch);
    }
    return true;
}

bool jit_home_create(struct emit *emit, struct home *home, ir_value value, bool in_scratch) {
    return create(emit, home, ir_value_type(emit->function, value),
        jit_shape_of(emit->facts, value, 0), in_scratch);
}

bool jit_home_create_varying(struct emit *emit, struct home *home, type_id type) {
    return create(emit, home, type, NULL, false);
}

bool jit_home_create_mask(struct emit *emit, struct home *home) {
    home->component_count = 1;
    home->components = ARENA_NEW(emit->arena, struct home_component);
    if (home->components == NULL) {
        return jit_fail(emit, "out of memory");
    }
    *home->components = (struct home_component){
        .kind = SHAPE_VARYING, .type = emit->i1, .is_bool = true};
    place_component(emit, home->components, true);
    return true;
}

static LLVMValueRef slot_address(
    struct emit *emit, const struct home_component *component, uint32_t part) {
    if (!component->in_scratch) {
        return component->slots[part];
    }
    uint32_t bytes = part_bytes(emit, component);
    LLVMValueRef place = jit_scratch_at(
        emit, component->scratch_offset, bytes * part_count(emit, component->kind));
    return jit_bytes_at(emit, place, (uint64_t)part * bytes);
}

static LLVMValueRef to_rest(
    struct emit *emit, const struct home_component *component, LLVMValueRef value) {
    if (!component->is_bool) {
        return value;
    }
    if (component->kind == SHAPE_VARYING) {
        return mask_to_rest(emit, value);
    }
    return component->in_scratch ? LLVMBuildZExt(emit->builder, value, emit->i32, "") : value;
}

static LLVMValueRef from_rest(
    struct emit *emit, const struct home_component *component, LLVMValueRef value) {
    if (!component->is_bool) {
        return value;
    }
    if (component->kind == SHAPE_VARYING) {
        return mask_from_rest(emit, value);
    }
    return component->in_scratch ? LLVMBuildTrunc(emit->builder, value, emit->i1, "") : value;
}

static LLVMValueRef component_for_home(struct emit *emit, const struct home_component *home,
    const struct component *component, uint32_t part) {
    if (home->kind == SHAPE_VARYING) {
        return jit_part(emit, component, part);
    }
    if (component->kind == SHAPE_VARYING) {
        jit_fail(emit, "a varying value reached a uniform place");
        return LLVMGetUndef(home->type);
    }
    return component->parts[component->kind == SHAPE_LINEAR ? part : 0];
}

void jit_home_store(struct emit *emit, struct home *home, const struct component *components,
    const struct lanes *lanes) {
    bool is_blended = lanes != NULL && !lanes->is_full;
    if (home->counter != NULL) {
        return;
    }
    for (uint32_t i = 0; i < home->component_count && !emit->has_failed; i++) {
        struct home_component *target = &home->components[i];
        for (uint32_t part = 0; part < part_count(emit, target->kind); part++) {
            LLVMValueRef value = component_for_home(emit, target, &components[i], part);
            LLVMValueRef place = slot_address(emit, target, part);
            value = to_rest(emit, target, value);
            if (is_blended && target->kind == SHAPE_VARYING) {
                LLVMValueRef old = LLVMBuildLoad2(
                    emit->builder, rest_type(emit, target), place, "");
                value = jit_select(emit, jit_lanes_part(emit, lanes, part), value, old);
            }
            LLVMBuildStore(emit->builder, value, place);
        }
    }
}

void jit_home_clear(struct emit *emit, struct home *home) {
    for (uint32_t i = 0; i < home->component_count; i++) {
        struct home_component *target = &home->components[i];
        for (uint32_t part = 0; part < part_count(emit, target->kind); part++) {
            LLVMBuildStore(emit->builder, LLVMConstNull(rest_type(emit, target)),
                slot_address(emit, target, part));
        }
    }
}

struct component *jit_home_load(struct emit *emit, const struct home *home) {
    struct component *components = jit_components_new(emit, home->component_count);
    for (uint32_t i = 0; i < home->component_count; i++) {
        const struct home_component *source = &home->components[i];
        components[i].kind = source->kind <= SHAPE_ITERATION ? SHAPE_ITERATION : source->kind;
        components[i].stride = source->stride;
        for (uint32_t part = 0; part < part_count(emit, source->kind); part++) {
            LLVMValueRef place = slot_address(emit, source, part);
            LLVMValueRef value = LLVMBuildLoad2(emit->builder, rest_type(emit, source), place, "");
            components[i].parts[part] = from_rest(emit, source, value);
        }
    }
    return components;
}

LLVMValueRef jit_home_first_active(struct emit *emit, const struct home *home, uint32_t component) {
    const struct home_component *source = &home->components[component];
    LLVMValueRef value;
    if (!source->in_scratch) {
        if (source->kind != SHAPE_WORKGROUP && emit->has_slots) {
            jit_fail(emit, "a lane's value has no place in memory");
        }
        value = LLVMBuildLoad2(emit->builder, source->type, source->slots[0], "");
        return value;
    }
    LLVMValueRef lane = jit_first_active_lane(emit);
    LLVMTypeRef type = source->is_bool ? emit->i32 : source->type;
    if (source->kind == SHAPE_VARYING && source->is_bool && emit->vmask == emit->vi1) {
        // Packed bits: lane / W selects the part, each in a slot of W * 4 bytes.
        LLVMValueRef part = LLVMBuildUDiv(emit->builder, lane, jit_i32(emit, emit->width), "");
        LLVMValueRef bit = LLVMBuildURem(emit->builder, lane, jit_i32(emit, emit->width), "");
        LLVMValueRef index = LLVMBuildMul(emit->builder, part, jit_i32(emit, emit->width * 4), "");
        LLVMValueRef place = LLVMBuildGEP2(emit->builder, emit->i8,
            jit_bytes_at(emit, emit->scratch, source->scratch_offset), &index, 1, "");
        LLVMValueRef mask = LLVMBuildLoad2(emit->builder, emit->vi1, place, "");
        return LLVMBuildExtractElement(emit->builder, mask, bit, "");
    }
    uint32_t lanes_per_slot = source->kind == SHAPE_VARYING ? 1
        : source->kind == SHAPE_LINEAR                      ? emit->width
                                                            : emit->width * emit->jam;
    LLVMValueRef index = LLVMBuildUDiv(emit->builder, lane, jit_i32(emit, lanes_per_slot), "");
    LLVMValueRef place = LLVMBuildGEP2(emit->builder, emit->i32,
        jit_bytes_at(emit, emit->scratch, source->scratch_offset), &index, 1, "");
    value = LLVMBuildLoad2(emit->builder, type, place, "");
    if (source->kind == SHAPE_LINEAR && source->stride != 0) {
        LLVMValueRef within = LLVMBuildURem(emit->builder, lane, jit_i32(emit, emit->width), "");
        value = LLVMBuildAdd(emit->builder, value,
            LLVMBuildMul(emit->builder, within, jit_i32(emit, (uint32_t)source->stride), ""), "");
    }
    return source->is_bool ? LLVMBuildTrunc(emit->builder, value, emit->i1, "") : value;
}
