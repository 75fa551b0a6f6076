// SPDX-License-Identifier: MIT
//
// Values during emission: constants, components in their three forms, values that come from another
// segment, and small LLVM conveniences that all emission files use.
#include <stdarg.h>

#include "shader/ir/fold_math.h"
#include "shader/jit/jit_priv.h"

bool jit_fail(struct emit *emit, const char *format, ...) {
    if (!emit->has_failed) {
        va_list list;
        va_start(list, format);
        text_buffer_print_list(emit->error, format, list);
        va_end(list);
        emit->has_failed = true;
    }
    return false;
}

LLVMValueRef jit_i32(struct emit *emit, uint32_t number) {
    return LLVMConstInt(emit->i32, number, false);
}
LLVMValueRef jit_i64(struct emit *emit, uint64_t number) {
    return LLVMConstInt(emit->i64, number, false);
}

LLVMTypeRef jit_scalar_type(struct emit *emit, type_id type) {
    type_id element = type_element_of(&emit->module->types, type);
    switch (type_kind_of(&emit->module->types, element)) {
    case TYPE_BOOL:
        return emit->i1;
    case TYPE_F32:
    case TYPE_F16:
        return emit->f32;
    default:
        return emit->i32;
    }
}

LLVMTypeRef jit_vector_type(struct emit *emit, LLVMTypeRef scalar) {
    return scalar == emit->i1 ? emit->vi1
        : scalar == emit->f32 ? emit->vf32
        : scalar == emit->i32 ? emit->vi32
                              : LLVMVectorType(scalar, emit->width);
}

struct component *jit_components_new(struct emit *emit, uint32_t count) {
    // One spare component keeps the address valid where the count is 0.
    struct component *components = ARENA_ARRAY(emit->arena, struct component, count + 1);
    if (components == NULL) {
        static struct component none[5];
        jit_fail(emit, "out of memory");
        return none;
    }
    return components;
}

struct component jit_uniform(LLVMValueRef scalar) {
    return (struct component){SHAPE_ITERATION, 0, {scalar}};
}

bool jit_is_uniform(const struct component *component) {
    return component->kind == SHAPE_ITERATION;
}

LLVMValueRef jit_splat(struct emit *emit, LLVMValueRef scalar) {
    LLVMTypeRef type = jit_vector_type(emit, LLVMTypeOf(scalar));
    LLVMValueRef values[JIT_WIDTH_LIMIT];
    if (LLVMIsConstant(scalar)) {
        for (uint32_t i = 0; i < emit->width; i++) {
            values[i] = scalar;
        }
        return LLVMConstVector(values, emit->width);
    }
    LLVMValueRef one = LLVMBuildInsertElement(
        emit->builder, LLVMGetPoison(type), scalar, jit_i64(emit, 0), "");
    return LLVMBuildShuffleVector(
        emit->builder, one, LLVMGetPoison(type), LLVMConstNull(emit->vi32), "");
}

LLVMValueRef jit_lane_numbers(struct emit *emit, uint32_t scale) {
    LLVMValueRef values[JIT_WIDTH_LIMIT];
    for (uint32_t i = 0; i < emit->width; i++) {
        values[i] = jit_i32(emit, i * scale);
    }
    return LLVMConstVector(values, emit->width);
}

LLVMValueRef jit_part(struct emit *emit, const struct component *component, uint32_t part) {
    switch (component->kind) {
    case SHAPE_VARYING:
        return component->parts[part];
    case SHAPE_LINEAR: {
        LLVMValueRef base = jit_splat(emit, component->parts[part]);
        if (component->stride == 0) {
            return base;
        }
        return LLVMBuildAdd(
            emit->builder, base, jit_lane_numbers(emit, (uint32_t)component->stride), "");
    }
    default:
        return jit_splat(emit, component->parts[0]);
    }
}

LLVMValueRef jit_alloca(struct emit *emit, LLVMTypeRef type, const char *name) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(emit->builder);
    LLVMValueRef first = LLVMGetFirstInstruction(emit->alloca_block);
    if (first != NULL) {
        LLVMPositionBuilderBefore(emit->builder, first);
    } else {
        LLVMPositionBuilderAtEnd(emit->builder, emit->alloca_block);
    }
    LLVMValueRef slot = LLVMBuildAlloca(emit->builder, type, name);
    LLVMPositionBuilderAtEnd(emit->builder, block);
    return slot;
}

LLVMValueRef jit_bytes_at(struct emit *emit, LLVMValueRef pointer, uint64_t offset) {
    if (offset == 0) {
        return pointer;
    }
    LLVMValueRef index = jit_i64(emit, offset);
    return LLVMBuildGEP2(emit->builder, emit->i8, pointer, &index, 1, "");
}

LLVMValueRef jit_intrinsic(struct emit *emit, const char *name, LLVMTypeRef overload,
    LLVMValueRef *arguments, uint32_t argument_count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(emit->llvm, id, &overload, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(emit->context, id, &overload, 1);
    return LLVMBuildCall2(emit->builder, type, function, arguments, argument_count, "");
}

LLVMBasicBlockRef jit_block(struct emit *emit, const char *name) {
    return LLVMAppendBasicBlockInContext(emit->context, emit->llvm_function, name);
}

void jit_move_to(struct emit *emit, LLVMBasicBlockRef block) {
    // Keep the text in the order of emission.
    LLVMBasicBlockRef last = LLVMGetLastBasicBlock(emit->llvm_function);
    if (last != block) {
        LLVMMoveBasicBlockAfter(block, last);
    }
    LLVMPositionBuilderAtEnd(emit->builder, block);
    emit->is_closed = false;
}

LLVMValueRef jit_select(
    struct emit *emit, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no) {
    return yes == no ? yes : LLVMBuildSelect(emit->builder, condition, yes, no, "");
}

static LLVMValueRef scalar_constant(struct emit *emit, enum type_kind kind, uint32_t bits) {
    switch (kind) {
    case TYPE_BOOL:
        return LLVMConstInt(emit->i1, bits != 0, false);
    case TYPE_F32:
    case TYPE_F16:
        return LLVMConstBitCast(jit_i32(emit, bits), emit->f32);
    default:
        return jit_i32(emit, bits);
    }
}

static struct component *constant_components(struct emit *emit, const struct ir_value_info *info) {
    const struct ir_constant *constant = &emit->module->constants.items[info->definition];
    uint32_t count = jit_component_count(emit->module, constant->type);
    struct component *components = jit_components_new(emit, count);
    type_id element = type_element_of(&emit->module->types, constant->type);
    bool is_half = jit_is_half(emit, constant->type);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        uint16_t half = 0;
        if (constant->bytes != NULL && is_half) {
            memcpy(&half, (const uint8_t *)constant->bytes + 2 * i, sizeof(half));
            float number = fold_half_to_float(half);
            memcpy(&bits, &number, sizeof(bits));
        } else if (constant->bytes != NULL) {
            memcpy(&bits, (const uint8_t *)constant->bytes + 4 * i, sizeof(bits));
        }
        components[i] = jit_uniform(
            scalar_constant(emit, type_kind_of(&emit->module->types, element), bits));
    }
    if (count == 0) {
        jit_fail(emit, "a composite constant reached the code generator");
    }
    return components;
}

// Workgroup code reads a segment's value from the first active lane.
static struct component *first_active_components(struct emit *emit, ir_value value) {
    struct emitted_value *emitted = &emit->values[value.index];
    uint32_t count = emit->facts->values[value.index].component_count;
    struct component *components = jit_components_new(emit, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!emit->has_slots && emitted->components != NULL) {
            const struct component *source = &emitted->components[i];
            if (jit_is_uniform(source)) {
                components[i] = *source;
                continue;
            }
            // Through memory: the lane's number is not a constant.
            LLVMTypeRef type = LLVMTypeOf(jit_part(emit, source, 0));
            bool is_mask = type == emit->vi1;
            LLVMTypeRef stored = is_mask ? emit->vi32 : type;
            LLVMValueRef slot = jit_alloca(emit, LLVMArrayType2(stored, emit->jam), "lanes");
            for (uint32_t part = 0; part < emit->jam; part++) {
                LLVMValueRef vector = jit_part(emit, source, part);
                vector = is_mask ? LLVMBuildSExt(emit->builder, vector, stored, "") : vector;
                LLVMBuildStore(emit->builder, vector,
                    jit_bytes_at(emit, slot, (uint64_t)part * emit->width * 4));
            }
            LLVMValueRef lane = jit_first_active_lane(emit);
            LLVMTypeRef scalar = LLVMGetElementType(stored);
            LLVMValueRef place = LLVMBuildGEP2(emit->builder, scalar, slot, &lane, 1, "");
            LLVMValueRef loaded = LLVMBuildLoad2(emit->builder, scalar, place, "");
            components[i] = jit_uniform(
                is_mask ? LLVMBuildTrunc(emit->builder, loaded, emit->i1, "") : loaded);
        } else if (emitted->slot != NULL) {
            components[i] = jit_uniform(jit_home_first_active(emit, emitted->slot, i));
        } else {
            jit_fail(emit, "a value of a segment has no slot for workgroup code");
        }
    }
    return components;
}

static struct component *from_other_segment(struct emit *emit, ir_value value) {
    struct emitted_value *emitted = &emit->values[value.index];
    if (emit->segment == JIT_SEGMENT_WORKGROUP) {
        return first_active_components(emit, value);
    }
    LLVMBasicBlockRef block = LLVMGetInsertBlock(emit->builder);
    LLVMPositionBuilderAtEnd(emit->builder, emit->preamble);
    const struct value_facts *facts = &emit->facts->values[value.index];
    if (facts->rematerialise_cost != 0) {
        uint32_t definition = ir_value_get(emit->function, value)->definition;
        struct component *before = emitted->components;
        bool was_needed = facts->needs_slot;
        emit->facts->values[value.index].needs_slot = false;
        jit_emit_op(emit, (ir_op_id){definition});
        emit->facts->values[value.index].needs_slot = was_needed;
        if (emitted->components == before) {
            jit_fail(emit, "a value could not be computed again");
        }
    } else if (emitted->slot != NULL) {
        emitted->components = jit_home_load(emit, emitted->slot);
        emitted->segment = emit->segment;
    } else {
        jit_fail(emit, "a value is used outside its segment");
    }
    LLVMPositionBuilderAtEnd(emit->builder, block);
    return emitted->components;
}

struct component *jit_components(struct emit *emit, ir_value value) {
    struct emitted_value *emitted = &emit->values[value.index];
    const struct ir_value_info *info = ir_value_get(emit->function, value);
    struct component *components = emitted->components;
    if (info->kind == IR_VALUE_CONSTANT) {
        if (components == NULL) {
            components = constant_components(emit, info);
            *emitted = (struct emitted_value){components, JIT_SEGMENT_WORKGROUP, NULL};
        }
    } else if (components == NULL ||
        (emitted->segment != JIT_SEGMENT_WORKGROUP && emitted->segment != emit->segment)) {
        components = from_other_segment(emit, value);
    }
    return components != NULL ? components : jit_components_new(emit, 4);
}

void jit_set(struct emit *emit, ir_value value, struct component *components) {
    struct emitted_value *emitted = &emit->values[value.index];
    emitted->components = components;
    emitted->segment = emit->segment;
    if (emit->facts->values[value.index].needs_slot && emit->has_slots &&
        emit->segment != JIT_SEGMENT_WORKGROUP) {
        if (emitted->slot == NULL) {
            emitted->slot = ARENA_NEW(emit->arena, struct home);
            if (emitted->slot == NULL || !jit_home_create(emit, emitted->slot, value, true)) {
                jit_fail(emit, "out of memory");
                return;
            }
        }
        jit_home_store(emit, emitted->slot, components, NULL);
    }
}
