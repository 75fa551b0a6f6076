// SPDX-License-Identifier: MIT
//
// Pointers. A pointer is symbolic: a root, constant bytes, and index terms, found anew at each
// access, so that it costs nothing to carry from one segment to another. An address is what a path
// comes to in one place: one for all lanes, one a part with a fixed distance from lane to lane, or
// one a lane; with the checks that its indices still need.
#include "shader/jit/jit_priv.h"

LLVMValueRef jit_and(struct emit *e, LLVMValueRef a, LLVMValueRef b) {
    if (a == NULL || b == NULL) {
        return a == NULL ? b : a;
    }
    return LLVMBuildAnd(e->builder, a, b, "");
}

static struct buffer_binding *find_buffer(struct emit *e, uint32_t variable) {
    for (uint32_t i = 0; i < e->buffer_count; i++) {
        if (e->buffers[i].variable == variable) {
            return &e->buffers[i];
        }
    }
    return NULL;
}

// floor((binding size - offset of the array) / stride)
static LLVMValueRef runtime_length(
    struct emit *e, LLVMValueRef size, uint64_t offset, uint32_t stride) {
    LLVMValueRef start = jit_i64(e, offset);
    LLVMValueRef is_longer = LLVMBuildICmp(e->builder, LLVMIntUGT, size, start, "");
    LLVMValueRef bytes = LLVMBuildSub(e->builder, size, start, "");
    bytes = jit_select(e, is_longer, bytes, jit_i64(e, 0));
    LLVMValueRef count = LLVMBuildUDiv(e->builder, bytes, jit_i64(e, stride), "");
    return LLVMBuildTrunc(e->builder, count, e->i32, "length");
}

LLVMValueRef jit_array_length(struct emit *e, const struct path *path, type_id array) {
    const struct type *type = type_get(&e->module->types, array);
    if (type->array_size != ARRAY_RUNTIME) {
        return jit_i32(e, type->count);
    }
    if (path->parameter != UINT32_MAX) {
        // The offset of the array in its binding is the pointer's own offset, the same in all lanes.
        const struct pointer_parameter *parameter = &e->pointer_parameters[path->parameter];
        LLVMValueRef first = LLVMBuildExtractElement(
            e->builder, parameter->offsets[0], jit_i64(e, 0), "");
        LLVMValueRef size = LLVMBuildSub(
            e->builder, parameter->size, LLVMBuildZExt(e->builder, first, e->i64, ""), "");
        return runtime_length(e, size, path->offset, type->stride_bytes);
    }
    struct buffer_binding *buffer = find_buffer(e, path->variable);
    if (buffer == NULL) {
        jit_fail(e, "a runtime-sized array outside a buffer");
        return jit_i32(e, 0);
    }
    if (buffer->length == NULL) {
        // Once, where it serves the whole function.
        LLVMBasicBlockRef block = LLVMGetInsertBlock(e->builder);
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(e->alloca_block);
        if (terminator != NULL) {
            LLVMPositionBuilderBefore(e->builder, terminator);
        } else {
            LLVMPositionBuilderAtEnd(e->builder, e->alloca_block);
        }
        buffer->length = runtime_length(e, buffer->size, path->offset, type->stride_bytes);
        LLVMPositionBuilderAtEnd(e->builder, block);
    }
    return buffer->length;
}

static bool constant_index(const struct component *index, uint64_t *out_number) {
    if (index->kind != SHAPE_ITERATION || !LLVMIsAConstantInt(index->parts[0])) {
        return false;
    }
    *out_number = LLVMConstIntGetZExtValue(index->parts[0]);
    return true;
}

void jit_path_add_term(
    struct emit *e, struct path *path, const struct component *index, uint32_t stride) {
    if (path->term_count == JIT_TERM_LIMIT) {
        jit_fail(e, "an access path is too long");
        return;
    }
    path->terms[path->term_count++] = (struct term){.index = index, .stride = stride};
}

// One step down from `type`; advances the path and the type.
static bool walk_index(
    struct emit *e, struct path *path, type_id *type, ir_value operand, bool is_proven) {
    const struct type *info = type_get(&e->module->types, *type);
    const struct component *index = jit_components(e, operand);
    uint64_t number = 0;
    bool is_constant = constant_index(index, &number);
    if (info->kind == TYPE_STRUCT) {
        if (!is_constant || number >= info->member_count) {
            return jit_fail(e, "a member index is not a constant in range");
        }
        path->offset += info->members[number].offset_bytes;
        *type = info->members[number].type;
        return true;
    }
    bool is_runtime = info->kind == TYPE_ARRAY && info->array_size == ARRAY_RUNTIME;
    uint32_t stride;
    if (info->kind == TYPE_ARRAY || info->kind == TYPE_MATRIX) {
        stride = info->stride_bytes;
    } else if (info->kind == TYPE_VECTOR) {
        stride = (uint32_t)type_get(&e->module->types, info->element)->size_bytes;
    } else {
        return jit_fail(e, "an access path indexes what has no elements");
    }
    type_id element = type_element_at(&e->module->types, *type, 0);
    if (is_constant && !is_runtime) {
        path->is_invalid |= number >= info->count;
        path->offset += number < info->count ? number * stride : 0;
        *type = element;
        return true;
    }
    LLVMValueRef length = info->kind == TYPE_ARRAY ? jit_array_length(e, path, *type)
                                                   : jit_i32(e, info->count);
    jit_path_add_term(e, path, index, stride);
    if (e->has_failed) {
        return false;
    }
    struct term *term = &path->terms[path->term_count - 1];
    term->id = operand.index;
    term->length = length;
    term->is_proven = is_proven;
    const struct shape *shape = jit_shape_of(e->facts, operand, 0);
    bool is_constant_value = ir_value_get(e->function, operand)->kind == IR_VALUE_CONSTANT;
    term->hint = !is_constant_value && shape->kind == SHAPE_VARYING ? (uint8_t)shape->stride : 0;
    if (!jit_is_uniform(index)) {
        path->row_offset = path->offset;
        path->row_stride = index->kind == SHAPE_LINEAR && index->stride == 1 ? stride : 0;
    } else {
        path->row_stride = 0;
    }
    *type = element;
    return true;
}

static bool find_root(struct emit *e, ir_value root, struct path *path) {
    const struct ir_value_info *info = ir_value_get(e->function, root);
    const struct type *type = type_get(&e->module->types, info->type);
    path->space = type->space;
    if (type->space == SPACE_PRIVATE && type->access == ACCESS_READ) {
        path->space = SPACE_UNIFORM; // a constant table is read as a binding is
    }
    path->root_type = type->element;
    path->is_writable_shared = jit_space_is_writable_shared(e->module, info->type);
    path->variable = UINT32_MAX;
    path->parameter = UINT32_MAX;
    if (info->kind == IR_VALUE_FUNCTION_PARAMETER) {
        path->parameter = info->position;
        return true;
    }
    if (info->kind != IR_VALUE_RESULT) {
        return jit_fail(e, "a pointer has no root");
    }
    const struct ir_op *op = ir_op_get(e->function, (ir_op_id){info->definition});
    if (op->opcode == IR_VARIABLE) {
        path->variable = op->data.index;
        return true;
    }
    path->var = info->definition;
    return op->opcode == IR_VAR || jit_fail(e, "a pointer has no root");
}

bool jit_path_resolve(struct emit *e, ir_value pointer, struct path *out_path) {
    const struct ir_op *chain[JIT_TERM_LIMIT];
    uint32_t count = 0;
    memset(out_path, 0, sizeof(*out_path));
    for (;;) {
        const struct ir_value_info *info = ir_value_get(e->function, pointer);
        const struct ir_op *op = info->kind == IR_VALUE_RESULT
            ? ir_op_get(e->function, (ir_op_id){info->definition})
            : NULL;
        if (op == NULL || op->opcode != IR_ACCESS) {
            break;
        }
        if (count == JIT_TERM_LIMIT) {
            return jit_fail(e, "an access path is too long");
        }
        chain[count++] = op;
        pointer = op->operands[0];
    }
    TRY(find_root(e, pointer, out_path));
    type_id type = out_path->root_type;
    while (count-- > 0) {
        const struct ir_op *op = chain[count];
        for (uint32_t i = 1; i < op->operand_count; i++) {
            bool is_proven = i <= 32 && (op->data.in_bounds >> (i - 1) & 1u) != 0;
            TRY(walk_index(e, out_path, &type, op->operands[i], is_proven));
        }
    }
    return !e->has_failed;
}

bool jit_path_same_root(const struct path *a, const struct path *b) {
    return a->variable == b->variable && a->var == b->var && a->parameter == b->parameter;
}

// Bindings of one dispatch never overlap where one is writable (WebGPU's usage scope rules).
bool jit_path_may_alias(const struct path *a, const struct path *b) {
    return jit_path_same_root(a, b) ||
        (a->space == b->space && (a->parameter != UINT32_MAX || b->parameter != UINT32_MAX));
}

bool jit_path_same_terms(const struct path *a, const struct path *b) {
    if (a->term_count != b->term_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->term_count; i++) {
        if (a->terms[i].index != b->terms[i].index || a->terms[i].stride != b->terms[i].stride) {
            return false;
        }
    }
    return true;
}

LLVMValueRef jit_path_base(struct emit *e, const struct path *path) {
    if (path->parameter != UINT32_MAX) {
        return e->pointer_parameters[path->parameter].base;
    }
    if (path->space == SPACE_WORKGROUP) {
        return jit_bytes_at(e, e->scratch, e->variable_offsets[path->variable]);
    }
    struct buffer_binding *buffer = find_buffer(e, path->variable);
    if (buffer == NULL || buffer->data == NULL) {
        jit_fail(e, "a variable of the address space %s has no memory here",
            address_space_word(path->space));
        return e->zeros;
    }
    return buffer->data;
}

LLVMValueRef jit_path_size(struct emit *e, const struct path *path) {
    if (path->parameter != UINT32_MAX) {
        return e->pointer_parameters[path->parameter].size;
    }
    struct buffer_binding *buffer = path->space == SPACE_WORKGROUP ? NULL
                                                                   : find_buffer(e, path->variable);
    return buffer != NULL ? buffer->size : jit_i64(e, 0);
}

static bool needs_check(const struct emit *e, const struct term *term) {
    // A proof holds in active lanes; code of the workgroup level and masked code may run without.
    bool all_active = e->lanes.is_full && e->segment != JIT_SEGMENT_WORKGROUP;
    return term->length != NULL && !(term->is_proven && all_active);
}

static LLVMValueRef scaled(struct emit *e, LLVMValueRef index, uint32_t stride) {
    LLVMValueRef wide = LLVMBuildZExt(e->builder, index, e->i64, "");
    return LLVMBuildMul(e->builder, wide, jit_i64(e, stride), "");
}

static LLVMValueRef add_scaled(
    struct emit *e, LLVMValueRef sum, LLVMValueRef index, uint32_t stride) {
    if (stride == 0) {
        return sum;
    }
    LLVMValueRef bytes = scaled(e, index, stride);
    return sum == NULL ? bytes : LLVMBuildAdd(e->builder, sum, bytes, "");
}

static LLVMValueRef below(struct emit *e, LLVMValueRef index, LLVMValueRef length) {
    return LLVMBuildICmp(e->builder, LLVMIntULT, index, length, "");
}

void jit_address_resolve(struct emit *e, const struct path *path, struct address *out) {
    int64_t lane_stride = 0;
    memset(out, 0, sizeof(*out));
    out->kind = path->parameter != UINT32_MAX ? SHAPE_VARYING : SHAPE_ITERATION;
    LLVMValueRef uniform = path->offset != 0 ? jit_i64(e, path->offset) : NULL;
    for (uint32_t i = 0; i < path->term_count; i++) {
        const struct term *term = &path->terms[i];
        if (jit_is_uniform(term->index)) {
            uniform = add_scaled(e, uniform, term->index->parts[0], term->stride);
            if (needs_check(e, term)) {
                out->uniform_valid = jit_and(
                    e, out->uniform_valid, below(e, term->index->parts[0], term->length));
            }
        } else {
            out->kind = term->index->kind > out->kind ? term->index->kind : out->kind;
            lane_stride += (int64_t)term->index->stride * term->stride;
        }
    }
    if (path->is_invalid) {
        out->uniform_valid = LLVMConstNull(e->i1);
    }
    if (out->kind == SHAPE_LINEAR && (lane_stride < 0 || lane_stride > UINT32_MAX)) {
        out->kind = SHAPE_VARYING;
    }
    out->lane_stride = (uint32_t)lane_stride;
    if (uniform == NULL) {
        uniform = jit_i64(e, 0);
    }
    if (out->kind == SHAPE_ITERATION) {
        out->offsets[0] = uniform;
    }
    for (uint32_t part = 0; out->kind == SHAPE_LINEAR && part < e->jam; part++) {
        out->offsets[part] = uniform;
        for (uint32_t i = 0; i < path->term_count; i++) {
            const struct term *term = &path->terms[i];
            if (!jit_is_uniform(term->index)) {
                out->offsets[part] = add_scaled(
                    e, out->offsets[part], term->index->parts[part], term->stride);
            }
        }
    }
}

static LLVMValueRef part_valid(struct emit *e, const struct term *term, uint32_t part) {
    LLVMValueRef base = term->index->parts[part];
    int32_t stride = term->index->stride;
    uint32_t reach = (uint32_t)(stride < 0 ? -stride : stride) * (e->width - 1);
    if (stride <= 0) {
        LLVMValueRef valid = below(e, base, term->length);
        if (reach != 0) {
            valid = jit_and(
                e, valid, LLVMBuildICmp(e->builder, LLVMIntUGE, base, jit_i32(e, reach), ""));
        }
        return valid;
    }
    LLVMValueRef arguments[] = {term->length, jit_i32(e, reach)};
    LLVMValueRef limit = jit_intrinsic(e, "llvm.usub.sat", e->i32, arguments, 2);
    return below(e, base, limit);
}

LLVMValueRef jit_address_all_valid(struct emit *e, const struct path *path) {
    LLVMValueRef valid = NULL;
    for (uint32_t i = 0; i < path->term_count; i++) {
        const struct term *term = &path->terms[i];
        if (term->length == NULL || term->is_proven) {
            continue;
        }
        if (jit_is_uniform(term->index)) {
            valid = jit_and(e, valid, below(e, term->index->parts[0], term->length));
            continue;
        }
        for (uint32_t part = 0; part < e->jam; part++) {
            valid = jit_and(e, valid, part_valid(e, term, part));
        }
    }
    return path->is_invalid ? LLVMConstNull(e->i1) : valid;
}

LLVMValueRef jit_address_lane_offsets(struct emit *e, const struct path *path, uint32_t part) {
    LLVMValueRef sum = jit_splat(e, jit_i32(e, (uint32_t)path->offset));
    for (uint32_t i = 0; i < path->term_count; i++) {
        const struct term *term = &path->terms[i];
        if (term->stride != 0) {
            LLVMValueRef index = jit_part(e, term->index, part);
            LLVMValueRef bytes = LLVMBuildMul(
                e->builder, index, jit_splat(e, jit_i32(e, term->stride)), "");
            sum = LLVMBuildAdd(e->builder, sum, bytes, "");
        }
    }
    if (path->parameter != UINT32_MAX) {
        sum = LLVMBuildAdd(
            e->builder, sum, e->pointer_parameters[path->parameter].offsets[part], "");
    }
    return sum;
}

LLVMValueRef jit_address_lane_valid(struct emit *e, const struct path *path, uint32_t part) {
    LLVMValueRef valid = NULL;
    if (path->is_invalid) {
        return LLVMConstNull(e->vi1);
    }
    for (uint32_t i = 0; i < path->term_count; i++) {
        const struct term *term = &path->terms[i];
        if (term->length != NULL && !term->is_proven) {
            LLVMValueRef index = jit_part(e, term->index, part);
            valid = jit_and(e, valid, below(e, index, jit_splat(e, term->length)));
        }
    }
    if (path->parameter != UINT32_MAX) {
        valid = jit_and(e, valid, e->pointer_parameters[path->parameter].valid[part]);
    }
    return valid;
}

LLVMValueRef jit_access_lanes(struct emit *e, const struct path *path, uint32_t part) {
    LLVMValueRef valid = jit_address_lane_valid(e, path, part);
    if (e->lanes.is_full) {
        return valid;
    }
    return jit_and(e, jit_lanes_part(e, &e->lanes, part), valid);
}
