// SPDX-License-Identifier: MIT
//
// Functions that stayed calls. The convention is internal: dispatch, scratch, first lane, the mask,
// then each argument by components and parts; a pointer is a base, a size, lanes of a word, and for
// each lane an offset and whether it is valid; a texture or sampler is a pointer. Results come back as one structure. There is no
// recursion in WGSL, so that a function's memory has a fixed place in the worker's scratch.
#include <stdio.h>

#include "shader/jit/jit_priv.h"

struct signature {
    LLVMTypeRef *types;
    uint32_t count;
};

static uint32_t parameter_words(struct emit *e, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    return jit_is_handle(e->module, type) ? 1 : count > 0 ? count * e->jam : 3 + 2 * e->jam;
}

static void add_types(struct emit *e, struct signature *signature, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    if (jit_is_handle(e->module, type)) {
        signature->types[signature->count++] = e->pointer;
        return;
    }
    if (count == 0) {
        signature->types[signature->count++] = e->pointer;
        signature->types[signature->count++] = e->i64;
        signature->types[signature->count++] = e->i32;
        for (uint32_t part = 0; part < e->jam; part++) {
            signature->types[signature->count++] = e->vi32;
            signature->types[signature->count++] = e->vmask;
        }
        return;
    }
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    LLVMTypeRef vector = scalar == e->i1 ? e->vmask : jit_vector_type(e, scalar);
    for (uint32_t i = 0; i < count * e->jam; i++) {
        signature->types[signature->count++] = vector;
    }
}

static LLVMTypeRef result_type(struct emit *e, type_id type) {
    uint32_t count = jit_component_count(e->module, type);
    LLVMTypeRef types[4 * JIT_JAM_LIMIT];
    if (count == 0) {
        return e->void_type;
    }
    LLVMTypeRef scalar = jit_scalar_type(e, type);
    for (uint32_t i = 0; i < count * e->jam; i++) {
        types[i] = scalar == e->i1 ? e->vmask : jit_vector_type(e, scalar);
    }
    return LLVMStructTypeInContext(e->context, types, count * e->jam, false);
}

static LLVMValueRef to_rest(struct emit *e, LLVMValueRef value) {
    return LLVMTypeOf(value) == e->vi1 && e->vmask != e->vi1
        ? LLVMBuildSExt(e->builder, value, e->vmask, "")
        : value;
}

static LLVMValueRef from_rest(struct emit *e, LLVMValueRef value) {
    return e->vmask != e->vi1
        ? LLVMBuildICmp(e->builder, LLVMIntSLT, value, LLVMConstNull(e->vmask), "")
        : value;
}

static bool declare(struct emit *e, uint32_t number) {
    const struct ir_function *function = &e->module->functions.items[number];
    uint64_t total = 3 + e->jam;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        total += parameter_words(e, ir_value_type(function, function->parameters[i]));
    }
    struct signature signature = {ARENA_ARRAY(e->arena, LLVMTypeRef, total), 0};
    if (signature.types == NULL) {
        return jit_fail(e, "out of memory");
    }
    signature.types[signature.count++] = e->pointer;
    signature.types[signature.count++] = e->pointer;
    signature.types[signature.count++] = e->i32;
    for (uint32_t part = 0; part < e->jam; part++) {
        signature.types[signature.count++] = e->vmask;
    }
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        add_types(e, &signature, ir_value_type(function, function->parameters[i]));
    }
    LLVMTypeRef type = LLVMFunctionType(
        result_type(e, function->return_type), signature.types, signature.count, false);
    char name[32];
    snprintf(name, sizeof name, "function_%u", number);
    LLVMValueRef value = LLVMAddFunction(e->llvm, name, type);
    LLVMSetLinkage(value, LLVMInternalLinkage);
    jit_target_attributes(e, value);
    e->llvm_functions[number] = value;
    e->llvm_function_types[number] = type;
    return true;
}

static void take_parameters(struct emit *e, uint32_t at) {
    const struct ir_function *function = e->function;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        ir_value value = function->parameters[i];
        type_id type = ir_value_type(function, value);
        uint32_t count = jit_component_count(e->module, type);
        if (jit_is_handle(e->module, type)) {
            e->pointer_parameters[i].base = LLVMGetParam(e->llvm_function, at++);
            continue;
        }
        if (count == 0) {
            struct pointer_parameter *parameter = &e->pointer_parameters[i];
            parameter->base = LLVMGetParam(e->llvm_function, at++);
            parameter->size = LLVMGetParam(e->llvm_function, at++);
            parameter->lanes = LLVMGetParam(e->llvm_function, at++);
            for (uint32_t part = 0; part < e->jam; part++) {
                parameter->offsets[part] = LLVMGetParam(e->llvm_function, at++);
                parameter->valid[part] = from_rest(e, LLVMGetParam(e->llvm_function, at++));
            }
            continue;
        }
        struct component *components = jit_components_new(e, count);
        bool is_bool = jit_scalar_type(e, type) == e->i1;
        for (uint32_t c = 0; c < count; c++) {
            components[c].kind = SHAPE_VARYING;
            for (uint32_t part = 0; part < e->jam; part++) {
                LLVMValueRef parameter = LLVMGetParam(e->llvm_function, at++);
                components[c].parts[part] = is_bool ? from_rest(e, parameter) : parameter;
            }
        }
        e->values[value.index] = (struct emitted_value){components, JIT_SEGMENT_WORKGROUP, NULL};
    }
}

static void give_result(struct emit *e) {
    if (!e->has_return_home) {
        LLVMBuildRetVoid(e->builder);
        return;
    }
    struct component *components = jit_home_load(e, &e->return_home);
    LLVMTypeRef type = result_type(e, e->function->return_type);
    LLVMValueRef result = LLVMGetPoison(type);
    uint32_t at = 0;
    for (uint32_t c = 0; c < e->return_home.component_count; c++) {
        for (uint32_t part = 0; part < e->jam; part++) {
            result = LLVMBuildInsertValue(
                e->builder, result, to_rest(e, components[c].parts[part]), at++, "");
        }
    }
    LLVMBuildRet(e->builder, result);
}

static bool define(struct emit *e, uint32_t number) {
    if (!jit_begin_function(e, number)) {
        return false;
    }
    e->pointer_parameters = ARENA_ARRAY(
        e->arena, struct pointer_parameter, e->function->parameter_count + 1);
    if (e->pointer_parameters == NULL) {
        return jit_fail(e, "out of memory");
    }
    e->llvm_function = e->llvm_functions[number];
    e->dispatch = LLVMGetParam(e->llvm_function, 0);
    e->scratch = LLVMGetParam(e->llvm_function, 1);
    e->first_lane = LLVMGetParam(e->llvm_function, 2);
    e->alloca_block = jit_block(e, "entry");
    LLVMBasicBlockRef body = jit_block(e, "body"), end = jit_block(e, "return");
    e->abandon_block = end;
    e->preamble = body;
    LLVMPositionBuilderAtEnd(e->builder, e->alloca_block);
    jit_load_dispatch(e);
    jit_place_live(e);
    jit_move_to(e, body);
    e->lanes = (struct lanes){0};
    for (uint32_t part = 0; part < e->jam; part++) {
        e->lanes.parts[part] = from_rest(e, LLVMGetParam(e->llvm_function, 3 + part));
    }
    take_parameters(e, 3 + e->jam);
    if (jit_component_count(e->module, e->function->return_type) > 0) {
        if (!jit_home_create_varying(e, &e->return_home, e->function->return_type)) {
            return false;
        }
        jit_home_clear(e, &e->return_home);
        e->has_return_home = true;
    }
    struct frame frame = {.kind = FRAME_FUNCTION, .exit_block = end};
    e->frame = &frame;
    e->segment = 1;
    jit_emit_region(e, e->function->body);
    e->frame = NULL;
    if (!e->is_closed) {
        LLVMBuildBr(e->builder, end);
    }
    jit_move_to(e, end);
    give_result(e);
    LLVMPositionBuilderAtEnd(e->builder, e->alloca_block);
    LLVMBuildBr(e->builder, body);
    return !e->has_failed;
}

bool jit_declare_functions(struct emit *e) {
    size_t count = e->module->functions.count;
    e->llvm_functions = ARENA_ARRAY(e->arena, LLVMValueRef, count + 1);
    e->llvm_function_types = ARENA_ARRAY(e->arena, LLVMTypeRef, count + 1);
    if (e->llvm_functions == NULL || e->llvm_function_types == NULL) {
        return jit_fail(e, "out of memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (e->function_is_used[i] && i != e->entry->function) {
            TRY(declare(e, i));
            TRY(define(e, i)); // callees come before callers
        }
    }
    return true;
}

static void add_pointer(struct emit *e, ir_value value, LLVMValueRef *arguments, uint32_t *at) {
    struct path path;
    if (!jit_path_resolve(e, value, &path)) {
        return;
    }
    LLVMValueRef lanes = jit_i32(e, 0), size = jit_i64(e, 0), base;
    if (path.space == SPACE_FUNCTION || path.space == SPACE_PRIVATE) {
        LLVMValueRef wide;
        base = jit_lane_base(e, &path, &wide, &size);
        lanes = LLVMBuildTrunc(e->builder, wide, e->i32, "");
    } else {
        base = jit_path_base(e, &path);
        size = jit_path_size(e, &path);
    }
    arguments[(*at)++] = base;
    arguments[(*at)++] = size;
    arguments[(*at)++] = lanes;
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef valid = jit_access_lanes(e, &path, part);
        LLVMValueRef offsets = jit_address_lane_offsets(e, &path, part);
        valid = valid != NULL ? valid : LLVMConstAllOnes(e->vi1);
        // Also in lanes that are not active the place must be one that can be read.
        offsets = jit_select(e, valid, offsets, LLVMConstNull(e->vi32));
        arguments[(*at)++] = offsets;
        arguments[(*at)++] = to_rest(e, valid);
    }
}

void jit_emit_call(struct emit *e, const struct ir_op *op) {
    uint32_t number = op->data.index;
    const struct ir_function *callee = &e->module->functions.items[number];
    if (e->llvm_functions[number] == NULL) {
        jit_fail(e, "a function is called before it is defined");
        return;
    }
    uint64_t total = 3 + e->jam;
    for (uint32_t i = 0; i < callee->parameter_count; i++) {
        total += parameter_words(e, ir_value_type(callee, callee->parameters[i]));
    }
    LLVMValueRef *arguments = ARENA_ARRAY(e->arena, LLVMValueRef, total);
    uint32_t at = 0;
    if (arguments == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    arguments[at++] = e->dispatch;
    arguments[at++] = e->scratch;
    arguments[at++] = e->first_lane;
    for (uint32_t part = 0; part < e->jam; part++) {
        arguments[at++] = to_rest(e, jit_lanes_part(e, &e->lanes, part));
    }
    for (uint32_t i = 0; i < op->operand_count && !e->has_failed; i++) {
        type_id type = ir_value_type(e->function, op->operands[i]);
        uint32_t count = jit_component_count(e->module, type);
        if (jit_is_handle(e->module, type)) {
            arguments[at++] = jit_handle(e, op->operands[i]);
            continue;
        }
        if (count == 0) {
            add_pointer(e, op->operands[i], arguments, &at);
            continue;
        }
        struct component *components = jit_components(e, op->operands[i]);
        for (uint32_t c = 0; c < count; c++) {
            for (uint32_t part = 0; part < e->jam; part++) {
                arguments[at++] = to_rest(e, jit_part(e, &components[c], part));
            }
        }
    }
    if (e->has_failed) {
        return;
    }
    LLVMValueRef result = LLVMBuildCall2(
        e->builder, e->llvm_function_types[number], e->llvm_functions[number], arguments, at, "");
    if (e->stage.has_live && e->stage.function_discards[number]) {
        jit_leave_without_live(e);
    }
    if (op->result_count == 0) {
        return;
    }
    type_id type = ir_value_type(e->function, ir_op_result(op, 0));
    uint32_t count = jit_component_count(e->module, type), field = 0;
    struct component *components = jit_components_new(e, count);
    bool is_bool = jit_scalar_type(e, type) == e->i1;
    for (uint32_t c = 0; c < count; c++) {
        components[c].kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef value = LLVMBuildExtractValue(e->builder, result, field++, "");
            components[c].parts[part] = is_bool ? from_rest(e, value) : value;
        }
    }
    jit_set(e, ir_op_result(op, 0), components);
}
