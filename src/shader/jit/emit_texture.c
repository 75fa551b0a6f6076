// SPDX-License-Identifier: MIT
//
// Textures and samplers. They are pointers, the same in all lanes. Sizes and counts are read from
// struct jit_texture; all else (but for what emit_texel.c does alone) is one call a part of the
// texture function that comes with the dispatch: what is constant at the place is a constant of the
// module, arguments and results pass through two arrays on the stack, rows of one word a lane. Where
// no operand differs between the lanes, one call serves the iteration.
#include <stddef.h>

#include "shader/jit/jit_priv.h"

_Static_assert(offsetof(struct jit_texture, width) == 0, "read by generated code");
_Static_assert(offsetof(struct jit_texture, height) == 4, "read by generated code");
_Static_assert(offsetof(struct jit_texture, depth) == 8, "read by generated code");
_Static_assert(offsetof(struct jit_texture, layer_count) == 12, "read by generated code");
_Static_assert(offsetof(struct jit_texture, level_count) == 16, "read by generated code");
_Static_assert(offsetof(struct jit_texture, sample_count) == 20, "read by generated code");

// Coordinates and an array index, two derivatives: three words each, and one.
#define ARGUMENT_ROWS 10u
#define RESULT_ROWS 4u

LLVMValueRef jit_handle(struct emit *e, ir_value value) {
    const struct ir_value_info *info = ir_value_get(e->function, value);
    if (info->kind == IR_VALUE_FUNCTION_PARAMETER) {
        return e->pointer_parameters[info->position].base;
    }
    const struct ir_op *load = info->kind == IR_VALUE_RESULT
        ? ir_op_get(e->function, (ir_op_id){info->definition})
        : NULL;
    if (load != NULL && load->opcode == IR_LOAD) {
        info = ir_value_get(e->function, load->operands[0]);
        const struct ir_op *root = info->kind == IR_VALUE_RESULT
            ? ir_op_get(e->function, (ir_op_id){info->definition})
            : NULL;
        for (uint32_t i = 0; root != NULL && root->opcode == IR_VARIABLE && i < e->buffer_count;
             i++) {
            if (e->buffers[i].variable == root->data.index && e->buffers[i].is_handle) {
                return e->buffers[i].data;
            }
        }
    }
    jit_fail(e, "a texture or sampler is not a binding's");
    return e->zeros;
}

static const struct type *texture_type(struct emit *e, const struct ir_op *op) {
    return type_get(&e->module->types, ir_value_type(e->function, op->operands[0]));
}

// ---------------------------------------------------------------- queries

// Nothing writes a view's description while a kernel runs.
LLVMValueRef jit_texture_field(
    struct emit *e, LLVMValueRef texture, size_t offset, LLVMTypeRef type) {
    LLVMValueRef field = LLVMBuildLoad2(e->builder, type, jit_bytes_at(e, texture, offset), "");
    jit_mark_invariant(e, field);
    return field;
}

static LLVMValueRef load_field(struct emit *e, LLVMValueRef texture, size_t offset) {
    return jit_texture_field(e, texture, offset, e->i32);
}

static LLVMValueRef like(struct emit *e, LLVMValueRef scalar, LLVMValueRef example) {
    return LLVMTypeOf(example) == e->i32 ? scalar : jit_splat(e, scalar);
}

// max(1, size >> level), and zero for a level that the view has not; scalars or vectors by `level`.
static LLVMValueRef size_at_level(
    struct emit *e, LLVMValueRef size, LLVMValueRef level_count, LLVMValueRef level) {
    LLVMValueRef one = like(e, jit_i32(e, 1), level), zero = like(e, jit_i32(e, 0), level);
    LLVMValueRef has_level = LLVMBuildICmp(
        e->builder, LLVMIntULT, level, like(e, level_count, level), "");
    LLVMValueRef shift = LLVMBuildAnd(e->builder, level, like(e, jit_i32(e, 31), level), "");
    LLVMValueRef shifted = LLVMBuildLShr(e->builder, like(e, size, level), shift, "");
    LLVMValueRef is_none = LLVMBuildICmp(e->builder, LLVMIntEQ, shifted, zero, "");
    return jit_select(e, has_level, jit_select(e, is_none, one, shifted), zero);
}

static void emit_dimensions(struct emit *e, const struct ir_op *op, LLVMValueRef texture) {
    static const size_t offsets[3] = {offsetof(struct jit_texture, width),
        offsetof(struct jit_texture, height), offsetof(struct jit_texture, depth)};
    ir_value result = ir_op_result(op, 0);
    uint32_t count = jit_component_count(e->module, ir_value_type(e->function, result));
    struct component *components = jit_components_new(e, count);
    const struct component *level = op->operand_count > 1 ? jit_components(e, op->operands[1])
                                                          : NULL;
    LLVMValueRef level_count = level == NULL
        ? NULL
        : load_field(e, texture, offsetof(struct jit_texture, level_count));
    for (uint32_t i = 0; i < count && i < 3; i++) {
        LLVMValueRef size = load_field(e, texture, offsets[i]);
        components[i] = jit_uniform(size);
        if (level != NULL && jit_is_uniform(level)) {
            components[i] = jit_uniform(size_at_level(e, size, level_count, level->parts[0]));
        } else if (level != NULL) {
            components[i].kind = SHAPE_VARYING;
            for (uint32_t part = 0; part < e->jam; part++) {
                components[i].parts[part] = size_at_level(
                    e, size, level_count, jit_part(e, level, part));
            }
        }
    }
    jit_set(e, result, components);
}

static void emit_query(struct emit *e, const struct ir_op *op) {
    LLVMValueRef texture = jit_handle(e, op->operands[0]);
    if (op->opcode == IR_TEXTURE_DIMENSIONS) {
        emit_dimensions(e, op, texture);
        return;
    }
    size_t offset = op->opcode == IR_TEXTURE_NUM_LAYERS ? offsetof(struct jit_texture, layer_count)
        : op->opcode == IR_TEXTURE_NUM_LEVELS           ? offsetof(struct jit_texture, level_count)
                                              : offsetof(struct jit_texture, sample_count);
    struct component *components = jit_components_new(e, 1);
    components[0] = jit_uniform(load_field(e, texture, offset));
    jit_set(e, ir_op_result(op, 0), components);
}

// ---------------------------------------------------------------- calls

static bool is_signed(struct emit *e, ir_value value) {
    type_id element = type_element_of(&e->module->types, ir_value_type(e->function, value));
    return type_kind_of(&e->module->types, element) == TYPE_I32;
}

static struct jit_texture_call describe(
    struct emit *e, const struct ir_op *op, uint32_t first_argument) {
    const struct type *type = texture_type(e, op);
    struct jit_texture_call call;
    memset(&call, 0, sizeof call); // padding too: it becomes a constant
    call.opcode = (uint32_t)op->opcode;
    call.texel_format = type->kind == TYPE_TEXTURE_STORAGE ? type->texel_format : 0;
    call.dimension = (uint8_t)type->dimension;
    call.sampled_type = (uint8_t)type_texture_channel(
        &e->module->types, ir_value_type(e->function, op->operands[0]));
    call.is_depth = type->kind == TYPE_TEXTURE_DEPTH ||
        type->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
    call.is_multisampled = type->kind == TYPE_TEXTURE_MULTISAMPLED ||
        type->kind == TYPE_TEXTURE_DEPTH_MULTISAMPLED;
    if (call.is_multisampled || type->kind == TYPE_TEXTURE_EXTERNAL) {
        call.dimension = TEXTURE_DIMENSION_2D;
    }
    if (ir_op_get_info(op->opcode)->family == IR_FAMILY_TEXTURE_SAMPLE) {
        call.component = op->data.texture.component;
        memcpy(call.offset, op->data.texture.offset, sizeof call.offset);
    }
    call.width = (uint8_t)e->width;
    uint32_t next = first_argument + 1;
    if (call.dimension == TEXTURE_DIMENSION_2D_ARRAY ||
        call.dimension == TEXTURE_DIMENSION_CUBE_ARRAY) {
        call.is_layer_signed = is_signed(e, op->operands[next++]);
    }
    call.is_level_signed = (op->opcode == IR_TEXTURE_LOAD ||
                               op->opcode == IR_TEXTURE_SAMPLE_LEVEL) &&
        next < op->operand_count && is_signed(e, op->operands[next]);
    return call;
}

static LLVMValueRef place_constant(struct emit *e, const struct jit_texture_call *call) {
    LLVMValueRef content = LLVMConstStringInContext2(
        e->context, (const char *)call, sizeof *call, true);
    LLVMValueRef place = LLVMAddGlobal(e->llvm, LLVMTypeOf(content), "texture_call");
    LLVMSetInitializer(place, content);
    LLVMSetGlobalConstant(place, true);
    LLVMSetLinkage(place, LLVMInternalLinkage);
    LLVMSetUnnamedAddress(place, LLVMGlobalUnnamedAddr); // equal ones may be one
    LLVMSetAlignment(place, 8);
    return place;
}

// One place in the function serves all calls. Lanes that take no part read what was there before:
// never nothing.
static void prepare(struct emit *e) {
    if (e->texture_arguments != NULL) {
        return;
    }
    e->texture_arguments = jit_alloca(
        e, LLVMArrayType2(e->vi32, ARGUMENT_ROWS), "texture_arguments");
    e->texture_results = jit_alloca(e, LLVMArrayType2(e->vi32, RESULT_ROWS), "texture_results");
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->builder);
    LLVMPositionBuilderBefore(e->builder, LLVMGetNextInstruction(e->texture_arguments));
    LLVMBuildStore(
        e->builder, LLVMConstNull(LLVMArrayType2(e->vi32, RESULT_ROWS)), e->texture_results);
    LLVMPositionBuilderAtEnd(e->builder, block);
}

static LLVMValueRef row(struct emit *e, LLVMValueRef rows, uint32_t number) {
    return jit_bytes_at(e, rows, (uint64_t)number * e->width * 4);
}

struct texture_access {
    const struct ir_op *op;
    LLVMValueRef function, constant, texture, sampler;
    const struct component *arguments[ARGUMENT_ROWS];
    uint32_t argument_count;
    bool is_uniform; // all arguments
};

static bool collect(struct emit *e, const struct ir_op *op, struct texture_access *a) {
    uint32_t first = 1;
    memset(a, 0, sizeof *a);
    a->op = op;
    a->function = e->texture_function;
    a->texture = jit_handle(e, op->operands[0]);
    a->sampler = LLVMConstNull(e->pointer);
    if (ir_op_get_info(op->opcode)->family == IR_FAMILY_TEXTURE_SAMPLE) {
        a->sampler = jit_handle(e, op->operands[first++]);
    }
    a->is_uniform = true;
    for (uint32_t i = first; i < op->operand_count && !e->has_failed; i++) {
        const struct component *components = jit_components(e, op->operands[i]);
        uint32_t count = e->facts->values[op->operands[i].index].component_count;
        for (uint32_t c = 0; c < count; c++) {
            if (a->argument_count == ARGUMENT_ROWS) {
                return jit_fail(e, "a texture operation has too many operands");
            }
            a->arguments[a->argument_count++] = &components[c];
            a->is_uniform = a->is_uniform && jit_is_uniform(&components[c]);
        }
    }
    if (op->opcode == IR_TEXTURE_LOAD && texture_type(e, op)->kind == TYPE_TEXTURE_EXTERNAL &&
        a->argument_count < ARGUMENT_ROWS) {
        // One plane of one level, as a view: the operand that WGSL leaves out.
        struct component *level = jit_components_new(e, 1);
        level[0] = jit_uniform(jit_i32(e, 0));
        a->arguments[a->argument_count++] = level;
    }
    struct jit_texture_call call = describe(e, op, first);
    a->constant = place_constant(e, &call);
    return !e->has_failed;
}

static void call_part(
    struct emit *e, const struct texture_access *a, uint32_t part, LLVMValueRef bits) {
    LLVMTypeRef parameters[] = {e->pointer, e->pointer, e->pointer, e->i64, e->pointer, e->pointer};
    LLVMTypeRef type = LLVMFunctionType(e->void_type, parameters, 6, false);
    LLVMBasicBlockRef end = NULL;
    if (!LLVMIsConstant(bits)) {
        LLVMBasicBlockRef some = jit_block(e, "texture");
        end = jit_block(e, "texture_end");
        LLVMBuildCondBr(
            e->builder, LLVMBuildICmp(e->builder, LLVMIntNE, bits, jit_i64(e, 0), ""), some, end);
        jit_move_to(e, some);
    }
    for (uint32_t i = 0; i < a->argument_count; i++) {
        LLVMValueRef word = jit_value_to_word(e, jit_part(e, a->arguments[i], part));
        LLVMBuildStore(e->builder, word, row(e, e->texture_arguments, i));
    }
    LLVMValueRef arguments[] = {
        a->constant, a->texture, a->sampler, bits, e->texture_arguments, e->texture_results};
    LLVMBuildCall2(e->builder, type, a->function, arguments, 6, "");
    if (end != NULL) {
        LLVMBuildBr(e->builder, end);
        jit_move_to(e, end);
    }
}

// One lane stands for all. A read may happen for no lane at all; a store may not.
static LLVMValueRef uniform_bits(struct emit *e, const struct texture_access *a) {
    struct lanes lanes = jit_effect_lanes(e);
    if (a->op->opcode != IR_TEXTURE_STORE || lanes.is_full) {
        return jit_i64(e, 1);
    }
    return LLVMBuildZExt(e->builder, jit_lanes_any(e, &lanes), e->i64, "");
}

// The lanes of a part that exist in a batch, where generated code does not care.
static LLVMValueRef batch_bits(struct emit *e, uint32_t part) {
    LLVMValueRef first = LLVMBuildAdd(e->builder, e->first_lane, jit_i32(e, part * e->width), "");
    LLVMValueRef arguments[2][2] = {{e->stage.lane_count, first}, {NULL, jit_i32(e, e->width)}};
    arguments[1][0] = jit_intrinsic(e, "llvm.usub.sat", e->i32, arguments[0], 2);
    LLVMValueRef count = jit_intrinsic(e, "llvm.umin", e->i32, arguments[1], 2);
    LLVMValueRef unused = LLVMBuildSub(e->builder, jit_i32(e, 64), count, "");
    LLVMValueRef bits = LLVMBuildLShr(
        e->builder, jit_i64(e, UINT64_MAX), LLVMBuildZExt(e->builder, unused, e->i64, ""), "");
    LLVMValueRef none = LLVMBuildIsNull(e->builder, count, "");
    return jit_select(e, none, jit_i64(e, 0), bits);
}

static LLVMValueRef part_bits(struct emit *e, const struct texture_access *a, uint32_t part) {
    struct lanes lanes = a->op->opcode == IR_TEXTURE_STORE ? jit_effect_lanes(e) : e->lanes;
    if (!lanes.is_full) {
        return jit_mask_bits(e, jit_lanes_part(e, &lanes, part));
    }
    if (e->stage.lane_count != NULL && e->function_index == e->entry->function) {
        return batch_bits(e, part);
    }
    return jit_i64(e, e->width == 64 ? UINT64_MAX : (UINT64_C(1) << e->width) - 1);
}

// Whether generated code can do it alone, of some bound textures.
static bool find_place(struct emit *e, const struct texture_access *a, struct texture_place *p) {
    static const uint8_t axis_counts[] = {
        [TEXTURE_DIMENSION_1D] = 1,
        [TEXTURE_DIMENSION_2D] = 2,
        [TEXTURE_DIMENSION_2D_ARRAY] = 2,
        [TEXTURE_DIMENSION_3D] = 3,
    };
    const struct type *type = texture_type(e, a->op);
    bool is_sampled = type->kind == TYPE_TEXTURE && a->op->opcode == IR_TEXTURE_LOAD &&
        jit_is_uniform(a->arguments[a->argument_count - 1]); // the level
    bool is_storage = type->kind == TYPE_TEXTURE_STORAGE &&
        jit_has_plain_texels(type->texel_format);
    bool has_axes = type->dimension <= TEXTURE_DIMENSION_3D; // no cube
    if (a->is_uniform || !has_axes || !(is_sampled || is_storage)) {
        return false;
    }
    memset(p, 0, sizeof *p);
    p->texture = a->texture;
    p->axis_count = axis_counts[type->dimension];
    p->has_layer = type->dimension == TEXTURE_DIMENSION_2D_ARRAY;
    p->format = type->texel_format;
    p->kind = type_texture_channel(
        &e->module->types, ir_value_type(e->function, a->op->operands[0]));
    for (uint32_t i = 0; i < p->axis_count + p->has_layer; i++) {
        p->coordinates[i] = a->arguments[i];
    }
    return true;
}

static void call_and_load(struct emit *e, const struct texture_access *a, uint32_t part,
    uint32_t count, LLVMValueRef *out_words) {
    call_part(e, a, part, a->is_uniform ? uniform_bits(e, a) : part_bits(e, a, part));
    for (uint32_t i = 0; i < count; i++) {
        LLVMTypeRef type = a->is_uniform ? e->i32 : e->vi32;
        out_words[i] = LLVMBuildLoad2(e->builder, type, row(e, e->texture_results, i), "");
    }
}

static void access_texels(struct emit *e, const struct texture_access *a,
    const struct texture_place *place, uint32_t part, LLVMValueRef *out_words) {
    struct lanes lanes = a->op->opcode == IR_TEXTURE_STORE ? jit_effect_lanes(e) : e->lanes;
    LLVMValueRef mask = lanes.is_full ? NULL : jit_lanes_part(e, &lanes, part);
    if (a->op->opcode == IR_TEXTURE_LOAD) {
        jit_load_texels(e, place, part, mask, out_words);
        return;
    }
    LLVMValueRef words[4];
    for (uint32_t i = 0; i < 4; i++) {
        const struct component *value = a->arguments[a->argument_count - 4 + i];
        words[i] = jit_value_to_word(e, jit_part(e, value, part));
    }
    jit_store_texels(e, place, part, mask, words);
}

#define PLAIN_FORMATS 4u

// In line where the texture bound allows it, a block for each format that it may have; else a call.
static void access_place(struct emit *e, const struct texture_access *a,
    const struct texture_place *place, uint32_t part, uint32_t count, LLVMValueRef *out_words) {
    LLVMBasicBlockRef other = jit_block(e, "texels_called"), end = jit_block(e, "texels_end");
    LLVMBasicBlockRef ends[PLAIN_FORMATS + 1];
    LLVMValueRef words[PLAIN_FORMATS + 1][RESULT_ROWS], values[PLAIN_FORMATS + 1];
    const uint32_t *formats = &place->format;
    uint32_t format_count = place->format != 0 ? 1 : jit_plain_formats(place->kind, &formats);
    LLVMValueRef is_plain = jit_texels_are_plain(e, a->texture), format = NULL, branch;
    if (place->format != 0) {
        format = jit_select(e, is_plain, jit_i32(e, place->format), jit_i32(e, 0));
    } else {
        LLVMValueRef level = a->arguments[a->argument_count - 1]->parts[0];
        is_plain = jit_and(e, is_plain, LLVMBuildIsNull(e->builder, level, ""));
        format = load_field(e, a->texture, offsetof(struct jit_texture, format));
        format = jit_select(e, is_plain, format, jit_i32(e, 0));
    }
    branch = LLVMBuildSwitch(e->builder, format, other, format_count);
    for (uint32_t i = 0; i < format_count; i++) {
        struct texture_place known = *place;
        known.format = formats[i];
        LLVMBasicBlockRef block = jit_block(e, "texels");
        LLVMAddCase(branch, jit_i32(e, formats[i]), block);
        jit_move_to(e, block);
        access_texels(e, a, &known, part, words[i]);
        ends[i] = LLVMGetInsertBlock(e->builder);
        LLVMBuildBr(e->builder, end);
    }
    jit_move_to(e, other);
    call_and_load(e, a, part, count, words[format_count]);
    ends[format_count] = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, end);
    jit_move_to(e, end);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k <= format_count; k++) {
            values[k] = words[k][i];
        }
        out_words[i] = LLVMBuildPhi(e->builder, e->vi32, "");
        LLVMAddIncoming(out_words[i], values, ends, format_count + 1);
    }
}

static void emit_access(struct emit *e, const struct ir_op *op) {
    struct texture_access *a = ARENA_NEW(e->arena, struct texture_access);
    struct texture_place place;
    if (a == NULL) {
        jit_fail(e, "out of memory");
        return;
    }
    prepare(e);
    if (!collect(e, op, a)) {
        return;
    }
    type_id type = op->result_count == 0 ? (type_id){0}
                                         : ir_value_type(e->function, ir_op_result(op, 0));
    uint32_t count = op->result_count == 0 ? 0 : jit_component_count(e->module, type);
    LLVMTypeRef scalar = op->result_count == 0 ? NULL : jit_scalar_type(e, type);
    struct component *results = jit_components_new(e, count);
    bool has_place = find_place(e, a, &place);
    for (uint32_t part = 0; part < (a->is_uniform ? 1 : e->jam); part++) {
        LLVMValueRef words[RESULT_ROWS];
        if (has_place) {
            access_place(e, a, &place, part, count, words);
        } else {
            call_and_load(e, a, part, count, words);
        }
        for (uint32_t i = 0; i < count; i++) {
            results[i].kind = a->is_uniform ? SHAPE_ITERATION : SHAPE_VARYING;
            results[i].parts[part] = jit_word_to_value(e, words[i], scalar);
        }
    }
    if (op->result_count > 0) {
        jit_set(e, ir_op_result(op, 0), results);
    }
}

void jit_emit_texture(struct emit *e, const struct ir_op *op) {
    if (ir_op_get_info(op->opcode)->family == IR_FAMILY_TEXTURE_QUERY) {
        emit_query(e, op);
    } else {
        emit_access(e, op);
    }
}
