// SPDX-License-Identifier: MIT
//
// Subgroups and quads. A subgroup is one vector: its invocations are the lanes of a part, and those that
// take part in an operation are the active ones that are no helpers. Reductions and scans go by
// shuffles at doubling distances, so that their results do not depend on anything but the width.
#include "shader/jit/jit_priv.h"

static LLVMValueRef lane_constants(
    struct emit *e, uint32_t (*source)(uint32_t, uint32_t), uint32_t number) {
    LLVMValueRef lanes[JIT_WIDTH_LIMIT];
    for (uint32_t i = 0; i < e->width; i++) {
        lanes[i] = jit_i32(e, source(i, number));
    }
    return LLVMConstVector(lanes, e->width);
}

static LLVMValueRef shuffle(struct emit *e, LLVMValueRef a, LLVMValueRef b,
    uint32_t (*source)(uint32_t, uint32_t), uint32_t number) {
    return LLVMBuildShuffleVector(e->builder, a, b, lane_constants(e, source, number), "");
}

static uint32_t source_xor(uint32_t lane, uint32_t mask) {
    return lane ^ mask;
}

// The lane `distance` before, or the first lanes of the second vector.
static uint32_t source_before(uint32_t lane, uint32_t packed) {
    uint32_t distance = packed & 0xffff, width = packed >> 16;
    return lane >= distance ? lane - distance : width + lane;
}

static uint32_t source_in_quad(uint32_t lane, uint32_t number) {
    return (lane & ~3u) | number;
}

struct lanes jit_subgroup_lanes(struct emit *e) {
    if (!e->stage.has_live || e->lanes.is_dead) {
        return e->lanes;
    }
    struct lanes live = jit_lanes_home_load(e, &e->stage.live);
    for (uint32_t part = 0; part < e->jam && !e->lanes.is_full; part++) {
        live.parts[part] = LLVMBuildAnd(e->builder, e->lanes.parts[part], live.parts[part], "");
    }
    return live;
}

// i32, in range also when no lane is active.
static LLVMValueRef first_lane_of(struct emit *e, LLVMValueRef mask) {
    LLVMValueRef arguments[] = {jit_mask_bits(e, mask), LLVMConstNull(e->i1)};
    LLVMValueRef zeros = jit_intrinsic(e, "llvm.cttz", e->i64, arguments, 2);
    zeros = LLVMBuildTrunc(e->builder, zeros, e->i32, "");
    return LLVMBuildAnd(e->builder, zeros, jit_i32(e, e->width - 1), "");
}

// ---------------------------------------------------------------- reductions and scans

enum combination { SUM, PRODUCT, LEAST, GREATEST, BITS_AND, BITS_OR, BITS_XOR };

static enum combination combination_of(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_SUBGROUP_MUL:
    case IR_SUBGROUP_EXCLUSIVE_MUL:
    case IR_SUBGROUP_INCLUSIVE_MUL:
        return PRODUCT;
    case IR_SUBGROUP_MIN:
        return LEAST;
    case IR_SUBGROUP_MAX:
        return GREATEST;
    case IR_SUBGROUP_AND:
        return BITS_AND;
    case IR_SUBGROUP_OR:
        return BITS_OR;
    case IR_SUBGROUP_XOR:
        return BITS_XOR;
    default: // the sums
        return SUM;
    }
}

static LLVMValueRef neutral(struct emit *e, enum combination how, enum type_kind kind) {
    bool is_float = kind == TYPE_F32 || kind == TYPE_F16;
    LLVMValueRef infinite = LLVMConstBitCast(jit_i32(e, 0x7f800000u), e->f32);
    LLVMValueRef minus = LLVMConstBitCast(jit_i32(e, 0xff800000u), e->f32);
    switch (how) {
    case PRODUCT:
        return is_float ? LLVMConstReal(e->f32, 1.0) : jit_i32(e, 1);
    case LEAST:
        return is_float ? infinite : jit_i32(e, kind == TYPE_I32 ? 0x7fffffffu : 0xffffffffu);
    case GREATEST:
        return is_float ? minus : jit_i32(e, kind == TYPE_I32 ? 0x80000000u : 0);
    case BITS_AND:
        return jit_i32(e, 0xffffffffu);
    case SUM:
    case BITS_OR:
    case BITS_XOR:
        break;
    }
    return is_float ? LLVMConstReal(e->f32, 0.0) : jit_i32(e, 0);
}

static enum ir_opcode operation(enum combination how, enum type_kind kind) {
    bool is_float = kind == TYPE_F32 || kind == TYPE_F16;
    switch (how) {
    case SUM:
        return is_float ? IR_ADD_F : IR_ADD_I;
    case PRODUCT:
        return is_float ? IR_MUL_F : IR_MUL_I;
    case LEAST:
        return is_float ? IR_MIN_F : kind == TYPE_I32 ? IR_MIN_S : IR_MIN_U;
    case GREATEST:
        return is_float ? IR_MAX_F : kind == TYPE_I32 ? IR_MAX_S : IR_MAX_U;
    case BITS_AND:
        return IR_AND;
    case BITS_OR:
        return IR_OR;
    case BITS_XOR:
        break;
    }
    return IR_XOR;
}

static LLVMValueRef combine(
    struct emit *e, enum combination how, type_id element, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef arguments[4] = {a, b, NULL, NULL};
    enum type_kind kind = type_kind_of(&e->module->types, element);
    LLVMValueRef result = jit_math(e, operation(how, kind), element, arguments);
    bool is_rounded = kind == TYPE_F16 && (how == SUM || how == PRODUCT);
    return is_rounded ? jit_half_round(e, result) : result;
}

static LLVMValueRef reduce(
    struct emit *e, enum ir_opcode opcode, type_id element, LLVMValueRef value, LLVMValueRef mask) {
    enum combination how = combination_of(opcode);
    LLVMValueRef nothing = jit_splat(e, neutral(e, how, type_kind_of(&e->module->types, element)));
    bool is_exclusive = opcode == IR_SUBGROUP_EXCLUSIVE_ADD || opcode == IR_SUBGROUP_EXCLUSIVE_MUL;
    bool is_scan = is_exclusive || opcode == IR_SUBGROUP_INCLUSIVE_ADD ||
        opcode == IR_SUBGROUP_INCLUSIVE_MUL;
    value = jit_select(e, mask, value, nothing);
    for (uint32_t distance = 1; distance < e->width; distance *= 2) {
        LLVMValueRef other = is_scan
            ? shuffle(e, value, nothing, source_before, distance | e->width << 16)
            : shuffle(e, value, nothing, source_xor, distance);
        value = combine(e, how, element, other, value);
    }
    return is_exclusive ? shuffle(e, value, nothing, source_before, 1 | e->width << 16) : value;
}

// ---------------------------------------------------------------- shuffles

static LLVMValueRef element_to_all(struct emit *e, LLVMValueRef value, LLVMValueRef lane) {
    return jit_splat(e, LLVMBuildExtractElement(e->builder, value, lane, ""));
}

// Lane l of the result is the value's lane sources[l].
static LLVMValueRef gather_lanes(struct emit *e, LLVMValueRef value, LLVMValueRef sources) {
    LLVMTypeRef type = LLVMTypeOf(value), scalar = LLVMGetElementType(type);
    sources = LLVMBuildAnd(e->builder, sources, jit_splat(e, jit_i32(e, e->width - 1)), "");
    LLVMValueRef memory = jit_alloca(e, type, "shuffled");
    LLVMBuildStore(e->builder, value, memory);
    LLVMValueRef result = LLVMGetPoison(type);
    for (uint32_t lane = 0; lane < e->width; lane++) {
        LLVMValueRef source = LLVMBuildExtractElement(e->builder, sources, jit_i64(e, lane), "");
        source = LLVMBuildZExt(e->builder, source, e->i64, "");
        LLVMValueRef place = LLVMBuildGEP2(e->builder, scalar, memory, &source, 1, "");
        LLVMValueRef one = LLVMBuildLoad2(e->builder, scalar, place, "");
        result = LLVMBuildInsertElement(e->builder, result, one, jit_i64(e, lane), "");
    }
    return result;
}

static LLVMValueRef swap_in_quad(struct emit *e, enum ir_opcode opcode, LLVMValueRef value) {
    uint32_t mask = opcode == IR_QUAD_SWAP_X ? 1 : opcode == IR_QUAD_SWAP_Y ? 2 : 3;
    return shuffle(e, value, value, source_xor, mask);
}

static LLVMValueRef move_lanes(struct emit *e, const struct ir_op *op, LLVMValueRef value,
    const struct component *number, uint32_t part) {
    LLVMValueRef own = jit_lane_numbers(e, 1), by = jit_part(e, number, part);
    bool is_constant = jit_is_uniform(number) && LLVMIsAConstantInt(number->parts[0]);
    uint32_t constant = is_constant ? (uint32_t)LLVMConstIntGetZExtValue(number->parts[0]) : 0;
    switch (op->opcode) {
    case IR_SUBGROUP_SHUFFLE_DOWN:
        return gather_lanes(e, value, LLVMBuildAdd(e->builder, own, by, ""));
    case IR_SUBGROUP_SHUFFLE_UP:
        return gather_lanes(e, value, LLVMBuildSub(e->builder, own, by, ""));
    case IR_SUBGROUP_SHUFFLE_XOR:
        if (is_constant) {
            return shuffle(e, value, value, source_xor, constant & (e->width - 1));
        }
        return gather_lanes(e, value, LLVMBuildXor(e->builder, own, by, ""));
    case IR_QUAD_BROADCAST:
        if (is_constant) {
            return shuffle(e, value, value, source_in_quad, constant & 3u);
        }
        by = LLVMBuildAnd(e->builder, by, jit_splat(e, jit_i32(e, 3)), "");
        own = LLVMBuildAnd(e->builder, own, jit_splat(e, jit_i32(e, ~3u)), "");
        return gather_lanes(e, value, LLVMBuildOr(e->builder, own, by, ""));
    default: // a lane by its number
        if (jit_is_uniform(number)) {
            LLVMValueRef lane = LLVMBuildAnd(
                e->builder, number->parts[0], jit_i32(e, e->width - 1), "");
            return element_to_all(e, value, lane);
        }
        return gather_lanes(e, value, by);
    }
}

static LLVMValueRef one_value(struct emit *e, const struct ir_op *op, type_id element,
    LLVMValueRef value, LLVMValueRef mask, uint32_t part) {
    switch (op->opcode) {
    case IR_SUBGROUP_BROADCAST_FIRST:
        return element_to_all(e, value, first_lane_of(e, mask));
    case IR_QUAD_SWAP_X:
    case IR_QUAD_SWAP_Y:
    case IR_QUAD_SWAP_DIAGONAL:
        return swap_in_quad(e, op->opcode, value);
    default:
        break;
    }
    return op->operand_count == 1
        ? reduce(e, op->opcode, element, value, mask)
        : move_lanes(e, op, value, jit_components(e, op->operands[1]), part);
}

// ---------------------------------------------------------------- votes

static void vote(struct emit *e, const struct ir_op *op, LLVMValueRef condition, LLVMValueRef mask,
    uint32_t part, struct component *out) {
    LLVMValueRef yes = LLVMBuildAnd(e->builder, mask, condition, "");
    LLVMValueRef no = LLVMBuildAnd(e->builder, mask, LLVMBuildNot(e->builder, condition, ""), "");
    LLVMValueRef none = LLVMConstNull(e->i64), bits;
    switch (op->opcode) {
    case IR_SUBGROUP_ALL:
        out[0].parts[part] = jit_splat(
            e, LLVMBuildICmp(e->builder, LLVMIntEQ, jit_mask_bits(e, no), none, ""));
        return;
    case IR_SUBGROUP_ANY:
        out[0].parts[part] = jit_splat(
            e, LLVMBuildICmp(e->builder, LLVMIntNE, jit_mask_bits(e, yes), none, ""));
        return;
    default: // the ballot: a bit an invocation
        bits = jit_mask_bits(e, yes);
        break;
    }
    out[0].parts[part] = jit_splat(e, LLVMBuildTrunc(e->builder, bits, e->i32, ""));
    bits = LLVMBuildLShr(e->builder, bits, jit_i64(e, 32), "");
    out[1].parts[part] = jit_splat(e, LLVMBuildTrunc(e->builder, bits, e->i32, ""));
    out[2].parts[part] = out[3].parts[part] = LLVMConstNull(e->vi32);
}

void jit_emit_subgroup(struct emit *e, const struct ir_op *op) {
    ir_value result = ir_op_result(op, 0);
    type_id type = ir_value_type(e->function, result);
    type_id element = type_element_of(&e->module->types, type);
    uint32_t count = jit_component_count(e->module, type);
    struct component *components = jit_components_new(e, count);
    enum ir_family family = ir_op_get_info(op->opcode)->family;
    if (e->width < 4) {
        jit_fail(e, "a subgroup has 4 invocations at least, and the width is %u", e->width);
        return;
    }
    struct lanes lanes = jit_subgroup_lanes(e);
    const struct component *operands = family == IR_FAMILY_SUBGROUP_ELECT
        ? NULL
        : jit_components(e, op->operands[0]);
    for (uint32_t i = 0; i < count; i++) {
        components[i].kind = SHAPE_VARYING;
    }
    for (uint32_t part = 0; part < e->jam; part++) {
        LLVMValueRef mask = jit_lanes_part(e, &lanes, part);
        if (family == IR_FAMILY_SUBGROUP_ELECT) {
            components[0].parts[part] = LLVMBuildICmp(e->builder, LLVMIntEQ, jit_lane_numbers(e, 1),
                jit_splat(e, first_lane_of(e, mask)), "");
        } else if (family == IR_FAMILY_SUBGROUP_VOTE) {
            vote(e, op, jit_part(e, &operands[0], part), mask, part, components);
        } else {
            for (uint32_t i = 0; i < count; i++) {
                components[i].parts[part] = one_value(
                    e, op, element, jit_part(e, &operands[i], part), mask, part);
            }
        }
    }
    jit_set(e, result, components);
}

bool jit_subgroup_input(struct emit *e, enum builtin_value builtin, struct component *out) {
    switch (builtin) {
    case BUILTIN_VALUE_SUBGROUP_INVOCATION_ID:
    case BUILTIN_VALUE_FRAGMENT_SUBGROUP_INVOCATION_ID:
        out->kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            out->parts[part] = jit_lane_numbers(e, 1);
        }
        return true;
    case BUILTIN_VALUE_SUBGROUP_SIZE:
    case BUILTIN_VALUE_FRAGMENT_SUBGROUP_SIZE:
        *out = jit_uniform(jit_i32(e, e->width));
        return true;
    case BUILTIN_VALUE_SUBGROUP_ID:
        out->kind = SHAPE_VARYING;
        for (uint32_t part = 0; part < e->jam; part++) {
            LLVMValueRef lane = LLVMBuildAdd(
                e->builder, e->first_lane, jit_i32(e, part * e->width), "");
            out->parts[part] = jit_splat(
                e, LLVMBuildUDiv(e->builder, lane, jit_i32(e, e->width), ""));
        }
        return true;
    case BUILTIN_VALUE_NUM_SUBGROUPS:
        *out = jit_uniform(jit_i32(e, (e->lane_count + e->width - 1) / e->width));
        return true;
    default: // another kind of input
        return false;
    }
}
