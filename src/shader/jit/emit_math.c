// SPDX-License-Identifier: MIT
//
// Component-wise operations, conversions and select, on scalars and vectors alike. Each must give the
// bits of op.def's expression; tests/jit compares them. No fast-math flag is ever set.
#include "shader/jit/jit_priv.h"

static bool is_vector(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

// The type of `shape` with another scalar.
static LLVMTypeRef shaped(struct emit *e, LLVMValueRef shape, LLVMTypeRef scalar) {
    return is_vector(shape) ? jit_vector_type(e, scalar) : scalar;
}

static LLVMValueRef integer(struct emit *e, LLVMValueRef shape, uint32_t number) {
    LLVMValueRef scalar = jit_i32(e, number);
    return is_vector(shape) ? jit_splat(e, scalar) : scalar;
}

static LLVMValueRef real(struct emit *e, LLVMValueRef shape, double number) {
    LLVMValueRef scalar = LLVMConstReal(e->f32, number);
    return is_vector(shape) ? jit_splat(e, scalar) : scalar;
}

static LLVMValueRef call1(struct emit *e, const char *name, LLVMValueRef a) {
    return jit_intrinsic(e, name, LLVMTypeOf(a), &a, 1);
}

static LLVMValueRef call2(struct emit *e, const char *name, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef arguments[] = {a, b};
    return jit_intrinsic(e, name, LLVMTypeOf(a), arguments, 2);
}

// Processors divide no vectors of integers: a quotient of 32-bit numbers is exact in f64.
static LLVMValueRef divide_vector(struct emit *e, LLVMValueRef a, LLVMValueRef b, bool is_signed) {
    LLVMValueRef left = is_signed ? LLVMBuildSIToFP(e->builder, a, e->vf64, "")
                                  : LLVMBuildUIToFP(e->builder, a, e->vf64, "");
    LLVMValueRef right = is_signed ? LLVMBuildSIToFP(e->builder, b, e->vf64, "")
                                   : LLVMBuildUIToFP(e->builder, b, e->vf64, "");
    LLVMValueRef quotient = LLVMBuildFDiv(e->builder, left, right, "");
    return is_signed ? LLVMBuildFPToSI(e->builder, quotient, e->vi32, "")
                     : LLVMBuildFPToUI(e->builder, quotient, e->vi32, "");
}

// Divisors that trap (zero, and -1 under the least number) are replaced in every lane, active or not.
static LLVMValueRef divide(struct emit *e, enum ir_opcode opcode, LLVMValueRef a, LLVMValueRef b) {
    bool is_signed = opcode == IR_DIV_S || opcode == IR_REM_S;
    bool is_quotient = opcode == IR_DIV_S || opcode == IR_DIV_U;
    LLVMBuilderRef builder = e->builder;
    LLVMValueRef one = integer(e, a, 1), zero = integer(e, a, 0);
    // An inactive lane may hold anything; what is tested must be what divides. Freezing is kept to
    // where it matters: instcombine pays for it by the length of the block.
    b = LLVMIsConstant(b) ? b : LLVMBuildFreeze(builder, b, "");
    LLVMValueRef bad = LLVMBuildICmp(builder, LLVMIntEQ, b, zero, "");
    LLVMValueRef minus = LLVMBuildICmp(builder, LLVMIntEQ, b, integer(e, a, 0xffffffffu), "");
    if (is_signed && !(LLVMIsConstant(minus) && LLVMIsNull(minus))) {
        // a / 1 wraps to what WGSL wants of the least number / -1.
        a = LLVMIsConstant(a) ? a : LLVMBuildFreeze(builder, a, "");
        LLVMValueRef least = LLVMBuildICmp(builder, LLVMIntEQ, a, integer(e, a, 0x80000000u), "");
        bad = LLVMBuildOr(builder, bad, LLVMBuildAnd(builder, least, minus, ""), "");
    }
    LLVMValueRef divisor = jit_select(e, bad, one, b);
    LLVMValueRef quotient;
    bool in_double = is_vector(a) && !LLVMIsConstant(divisor) && e->width >= 2;
    if (in_double) {
        quotient = divide_vector(e, a, divisor, is_signed);
        if (is_quotient) {
            return quotient;
        }
        return LLVMBuildSub(builder, a, LLVMBuildMul(builder, quotient, divisor, ""), "");
    }
    switch (opcode) {
    case IR_DIV_S:
        return LLVMBuildSDiv(builder, a, divisor, "");
    case IR_DIV_U:
        return LLVMBuildUDiv(builder, a, divisor, "");
    case IR_REM_S:
        return LLVMBuildSRem(builder, a, divisor, "");
    default:
        return LLVMBuildURem(builder, a, divisor, "");
    }
}

static LLVMValueRef compare_float(
    struct emit *e, enum ir_opcode opcode, LLVMValueRef a, LLVMValueRef b) {
    LLVMRealPredicate predicate = opcode == IR_EQ_F ? LLVMRealOEQ
        : opcode == IR_NE_F                         ? LLVMRealUNE
        : opcode == IR_LT_F                         ? LLVMRealOLT
        : opcode == IR_LE_F                         ? LLVMRealOLE
        : opcode == IR_GT_F                         ? LLVMRealOGT
                                                    : LLVMRealOGE;
    return LLVMBuildFCmp(e->builder, predicate, a, b, "");
}

static LLVMValueRef compare_integer(
    struct emit *e, enum ir_opcode opcode, LLVMValueRef a, LLVMValueRef b) {
    LLVMIntPredicate predicate = opcode == IR_EQ_I ? LLVMIntEQ
        : opcode == IR_NE_I                        ? LLVMIntNE
        : opcode == IR_LT_S                        ? LLVMIntSLT
        : opcode == IR_LE_S                        ? LLVMIntSLE
        : opcode == IR_GT_S                        ? LLVMIntSGT
        : opcode == IR_GE_S                        ? LLVMIntSGE
        : opcode == IR_LT_U                        ? LLVMIntULT
        : opcode == IR_LE_U                        ? LLVMIntULE
        : opcode == IR_GT_U                        ? LLVMIntUGT
                                                   : LLVMIntUGE;
    return LLVMBuildICmp(e->builder, predicate, a, b, "");
}

// Truncation towards zero that saturates to the outermost f32 of the target; NaN gives 0.
static LLVMValueRef float_to_integer(struct emit *e, LLVMValueRef a, bool is_signed) {
    LLVMBuilderRef builder = e->builder;
    double low_number = is_signed ? -2147483648.0 : 0.0;
    double high_number = is_signed ? 2147483520.0 : 4294967040.0;
    LLVMValueRef low = real(e, a, low_number), high = real(e, a, high_number);
    LLVMValueRef number = LLVMBuildFCmp(builder, LLVMRealORD, a, a, "");
    a = jit_select(e, number, a, real(e, a, 0.0));
    a = jit_select(e, LLVMBuildFCmp(builder, LLVMRealOLT, a, low, ""), low, a);
    a = jit_select(e, LLVMBuildFCmp(builder, LLVMRealOGT, a, high, ""), high, a);
    LLVMTypeRef type = shaped(e, a, e->i32);
    return is_signed ? LLVMBuildFPToSI(builder, a, type, "")
                     : LLVMBuildFPToUI(builder, a, type, "");
}

static LLVMValueRef least_u(struct emit *e, LLVMValueRef a, LLVMValueRef b) {
    return jit_select(e, LLVMBuildICmp(e->builder, LLVMIntULT, a, b, ""), a, b);
}

// Offset and count clamped as WGSL says, and the all-ones word shifted right by 32 - count.
static void bit_field(
    struct emit *e, LLVMValueRef *offset, LLVMValueRef *count, LLVMValueRef *out_rest) {
    LLVMValueRef limit = integer(e, *offset, 32);
    *offset = least_u(e, *offset, limit);
    *count = least_u(e, *count, LLVMBuildSub(e->builder, limit, *offset, ""));
    *out_rest = LLVMBuildSub(e->builder, limit, *count, "");
}

static LLVMValueRef masked_count(struct emit *e, LLVMValueRef count) {
    return LLVMBuildAnd(e->builder, count, integer(e, count, 31), "");
}

static LLVMValueRef extract_bits(struct emit *e, LLVMValueRef *arguments, bool is_signed) {
    LLVMBuilderRef builder = e->builder;
    LLVMValueRef value = arguments[0], offset = arguments[1], count = arguments[2], rest;
    bit_field(e, &offset, &count, &rest);
    LLVMValueRef left = LLVMBuildSub(builder, rest, offset, "");
    LLVMValueRef shifted = LLVMBuildShl(builder, value, masked_count(e, left), "");
    rest = masked_count(e, rest);
    shifted = is_signed ? LLVMBuildAShr(builder, shifted, rest, "")
                        : LLVMBuildLShr(builder, shifted, rest, "");
    LLVMValueRef zero = integer(e, value, 0);
    LLVMValueRef empty = LLVMBuildICmp(builder, LLVMIntEQ, count, zero, "");
    return jit_select(e, empty, zero, shifted);
}

static LLVMValueRef insert_bits(struct emit *e, LLVMValueRef *arguments) {
    LLVMBuilderRef builder = e->builder;
    LLVMValueRef value = arguments[0], bits = arguments[1];
    LLVMValueRef offset = arguments[2], count = arguments[3], rest;
    bit_field(e, &offset, &count, &rest);
    LLVMValueRef empty = LLVMBuildICmp(builder, LLVMIntEQ, count, integer(e, value, 0), "");
    LLVMValueRef ones = integer(e, value, 0xffffffffu);
    offset = masked_count(e, offset);
    LLVMValueRef mask = LLVMBuildShl(
        builder, LLVMBuildLShr(builder, ones, masked_count(e, rest), ""), offset, "");
    LLVMValueRef kept = LLVMBuildAnd(builder, value, LLVMBuildNot(builder, mask, ""), "");
    LLVMValueRef inserted = LLVMBuildAnd(
        builder, LLVMBuildShl(builder, bits, offset, ""), mask, "");
    return jit_select(e, empty, value, LLVMBuildOr(builder, kept, inserted, ""));
}

static LLVMValueRef count_zeros(struct emit *e, const char *name, LLVMValueRef a) {
    LLVMValueRef arguments[] = {a, LLVMConstNull(e->i1)};
    return jit_intrinsic(e, name, LLVMTypeOf(a), arguments, 2);
}

static LLVMValueRef integer_math(struct emit *e, enum ir_opcode opcode, LLVMValueRef *arguments) {
    LLVMBuilderRef builder = e->builder;
    LLVMValueRef a = arguments[0], b = arguments[1], c = arguments[2];
    switch (opcode) {
    case IR_ADD_I:
        return LLVMBuildAdd(builder, a, b, "");
    case IR_SUB_I:
        return LLVMBuildSub(builder, a, b, "");
    case IR_MUL_I:
        return LLVMBuildMul(builder, a, b, "");
    case IR_NEG_I:
        return LLVMBuildNeg(builder, a, "");
    case IR_DIV_S:
    case IR_DIV_U:
    case IR_REM_S:
    case IR_REM_U:
        return divide(e, opcode, a, b);
    case IR_AND:
        return LLVMBuildAnd(builder, a, b, "");
    case IR_OR:
        return LLVMBuildOr(builder, a, b, "");
    case IR_XOR:
        return LLVMBuildXor(builder, a, b, "");
    case IR_NOT:
        return LLVMBuildNot(builder, a, "");
    case IR_SHL:
        return LLVMBuildShl(builder, a, masked_count(e, b), "");
    case IR_SHR_S:
        return LLVMBuildAShr(builder, a, masked_count(e, b), "");
    case IR_SHR_U:
        return LLVMBuildLShr(builder, a, masked_count(e, b), "");
    case IR_MIN_S:
        return call2(e, "llvm.smin", a, b);
    case IR_MAX_S:
        return call2(e, "llvm.smax", a, b);
    case IR_MIN_U:
        return call2(e, "llvm.umin", a, b);
    case IR_MAX_U:
        return call2(e, "llvm.umax", a, b);
    case IR_CLAMP_S:
        return call2(e, "llvm.smin", call2(e, "llvm.smax", a, b), c);
    case IR_CLAMP_U:
        return call2(e, "llvm.umin", call2(e, "llvm.umax", a, b), c);
    case IR_ABS_S: {
        LLVMValueRef is_negative = LLVMBuildICmp(builder, LLVMIntSLT, a, integer(e, a, 0), "");
        return jit_select(e, is_negative, LLVMBuildNeg(builder, a, ""), a);
    }
    case IR_SIGN_S: {
        LLVMValueRef limited = call2(e, "llvm.smin", a, integer(e, a, 1));
        return call2(e, "llvm.smax", limited, integer(e, a, 0xffffffffu));
    }
    case IR_COUNT_LEADING_ZEROS:
        return count_zeros(e, "llvm.ctlz", a);
    case IR_COUNT_TRAILING_ZEROS:
        return count_zeros(e, "llvm.cttz", a);
    case IR_COUNT_ONE_BITS:
        return call1(e, "llvm.ctpop", a);
    case IR_REVERSE_BITS:
        return call1(e, "llvm.bitreverse", a);
    case IR_FIRST_LEADING_BIT_S:
        a = LLVMBuildXor(builder, a, LLVMBuildAShr(builder, a, integer(e, a, 31), ""), "");
        return LLVMBuildSub(builder, integer(e, a, 31), count_zeros(e, "llvm.ctlz", a), "");
    case IR_FIRST_LEADING_BIT_U:
        return LLVMBuildSub(builder, integer(e, a, 31), count_zeros(e, "llvm.ctlz", a), "");
    case IR_FIRST_TRAILING_BIT: {
        LLVMValueRef is_zero = LLVMBuildICmp(builder, LLVMIntEQ, a, integer(e, a, 0), "");
        return jit_select(e, is_zero, integer(e, a, 0xffffffffu), count_zeros(e, "llvm.cttz", a));
    }
    case IR_EXTRACT_BITS_S:
    case IR_EXTRACT_BITS_U:
        return extract_bits(e, arguments, opcode == IR_EXTRACT_BITS_S);
    case IR_INSERT_BITS:
        return insert_bits(e, arguments);
    default:
        return NULL;
    }
}

static LLVMValueRef float_math(struct emit *e, enum ir_opcode opcode, LLVMValueRef *arguments) {
    LLVMBuilderRef builder = e->builder;
    LLVMValueRef a = arguments[0], b = arguments[1];
    switch (opcode) {
    case IR_ADD_F:
        return LLVMBuildFAdd(builder, a, b, "");
    case IR_SUB_F:
        return LLVMBuildFSub(builder, a, b, "");
    case IR_MUL_F:
        return LLVMBuildFMul(builder, a, b, "");
    case IR_DIV_F:
        return LLVMBuildFDiv(builder, a, b, "");
    case IR_NEG_F:
        return LLVMBuildFNeg(builder, a, "");
    case IR_MIN_F:
        return jit_select(e, LLVMBuildFCmp(builder, LLVMRealOLT, b, a, ""), b, a);
    case IR_MAX_F:
        return jit_select(e, LLVMBuildFCmp(builder, LLVMRealOLT, a, b, ""), b, a);
    case IR_ABS_F:
        return call1(e, "llvm.fabs", a);
    case IR_FLOOR:
        return call1(e, "llvm.floor", a);
    case IR_CEIL:
        return call1(e, "llvm.ceil", a);
    case IR_TRUNC:
        return call1(e, "llvm.trunc", a);
    case IR_ROUND:
        return call1(e, "llvm.rint", a);
    case IR_SQRT:
        return call1(e, "llvm.sqrt", a);
    case IR_FMA:
        return jit_intrinsic(e, "llvm.fma", LLVMTypeOf(a), arguments, 3);
    case IR_S_TO_F:
        return LLVMBuildSIToFP(builder, a, shaped(e, a, e->f32), "");
    case IR_U_TO_F:
        return LLVMBuildUIToFP(builder, a, shaped(e, a, e->f32), "");
    case IR_F_TO_S:
        return float_to_integer(e, a, true);
    case IR_F_TO_U:
        return float_to_integer(e, a, false);
    case IR_F_TO_F:
        return a;
    default:
        return NULL;
    }
}

LLVMValueRef jit_math(
    struct emit *e, enum ir_opcode opcode, type_id result_type, LLVMValueRef *arguments) {
    LLVMValueRef a = arguments[0];
    if (opcode == IR_BITCAST) {
        LLVMTypeRef type = shaped(e, a, jit_scalar_type(e, result_type));
        return LLVMTypeOf(a) == type ? a : LLVMBuildBitCast(e->builder, a, type, "");
    }
    if (opcode == IR_SELECT) {
        return jit_select(e, arguments[2], arguments[1], arguments[0]);
    }
    if (opcode >= IR_EQ_I && opcode <= IR_GE_U) {
        return compare_integer(e, opcode, a, arguments[1]);
    }
    if (opcode >= IR_EQ_F && opcode <= IR_GE_F) {
        return compare_float(e, opcode, a, arguments[1]);
    }
    LLVMValueRef result = integer_math(e, opcode, arguments);
    if (result == NULL) {
        result = float_math(e, opcode, arguments);
    }
    if (result == NULL) {
        jit_fail(e, "not implemented yet: %s in the code generator", ir_op_get_info(opcode)->text);
        result = LLVMGetUndef(shaped(e, a, jit_scalar_type(e, result_type)));
    }
    return result;
}

// Whether f32's result for halves need not be a half.
static bool needs_rounding(enum ir_opcode opcode) {
    switch (opcode) {
    case IR_ADD_F:
    case IR_SUB_F:
    case IR_MUL_F:
    case IR_DIV_F:
    case IR_SQRT:
    case IR_FMA:
    case IR_S_TO_F:
    case IR_U_TO_F:
    case IR_F_TO_F:
        return true;
    default:
        return false;
    }
}

static LLVMValueRef component_math(
    struct emit *e, const struct ir_op *op, type_id type, LLVMValueRef *arguments) {
    if ((op->opcode == IR_F_TO_S || op->opcode == IR_F_TO_U) &&
        jit_is_half(e, ir_value_type(e->function, op->operands[0]))) {
        arguments[0] = jit_half_limit(e, arguments[0]);
    }
    LLVMValueRef result = jit_math(e, op->opcode, type, arguments);
    return needs_rounding(op->opcode) && jit_is_half(e, type) ? jit_half_round(e, result) : result;
}

static void emit_component(struct emit *e, const struct ir_op *op, type_id type,
    struct component *operands[4], uint32_t number, struct component *out) {
    LLVMValueRef arguments[4] = {NULL, NULL, NULL, NULL};
    bool is_uniform = true, is_linear = true;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        uint8_t kind = operands[i][number].kind;
        is_uniform = is_uniform && kind == SHAPE_ITERATION;
        is_linear = is_linear && kind != SHAPE_VARYING;
    }
    const struct shape *shape = jit_shape_of(e->facts, ir_op_result(op, 0), number);
    if (is_uniform) {
        for (uint32_t i = 0; i < op->operand_count; i++) {
            arguments[i] = operands[i][number].parts[0];
        }
        *out = jit_uniform(component_math(e, op, type, arguments));
        return;
    }
    is_linear = is_linear && shape->kind == SHAPE_LINEAR;
    out->kind = is_linear ? SHAPE_LINEAR : SHAPE_VARYING;
    out->stride = is_linear ? shape->stride : 0;
    for (uint32_t part = 0; part < e->jam; part++) {
        for (uint32_t i = 0; i < op->operand_count; i++) {
            const struct component *operand = &operands[i][number];
            bool keep_scalar = is_linear;
            // A select by a uniform condition keeps it scalar.
            keep_scalar = keep_scalar ||
                (op->opcode == IR_SELECT && i == 2 && jit_is_uniform(operand));
            arguments[i] = keep_scalar ? operand->parts[operand->kind == SHAPE_LINEAR ? part : 0]
                                       : jit_part(e, operand, part);
        }
        out->parts[part] = component_math(e, op, type, arguments);
    }
}

void jit_emit_math(struct emit *e, const struct ir_op *op) {
    ir_value result = ir_op_result(op, 0);
    type_id type = ir_value_type(e->function, result);
    uint32_t count = e->facts->values[result.index].component_count;
    struct component *components = jit_components_new(e, count);
    struct component *operands[4];
    struct component *widened[4];
    if (op->operand_count > 4) {
        jit_fail(e, "an operation has too many operands");
        return;
    }
    if (op->opcode == IR_BITCAST &&
        jit_is_half(e, type) != jit_is_half(e, ir_value_type(e->function, op->operands[0]))) {
        jit_emit_half_bitcast(e, op);
        return;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
        operands[i] = jit_components(e, op->operands[i]);
        uint32_t have = e->facts->values[op->operands[i].index].component_count;
        widened[i] = operands[i];
        if (have < count) { // a scalar beside vectors serves every component
            widened[i] = jit_components_new(e, count);
            for (uint32_t c = 0; c < count; c++) {
                widened[i][c] = operands[i][0];
            }
        }
    }
    for (uint32_t c = 0; c < count && !e->has_failed; c++) {
        emit_component(e, op, type, widened, c, &components[c]);
    }
    jit_set(e, result, components);
}
