// SPDX-License-Identifier: MIT
//
// The static rows of op.def as a table. Read-only, safe from any thread.
#include <stddef.h>

#include "shader/ir/ir.h"

#define PURE IR_FLAG_PURE
#define READS IR_FLAG_READS
#define WRITES IR_FLAG_WRITES
#define ATOMIC IR_FLAG_ATOMIC
#define SIDE_EFFECT IR_FLAG_SIDE_EFFECT
#define CONVERGENT IR_FLAG_CONVERGENT
#define BARRIER IR_FLAG_BARRIER
#define QUAD IR_FLAG_QUAD
#define MAY_TRAP IR_FLAG_MAY_TRAP
#define TERMINATOR IR_FLAG_TERMINATOR
#define POLYFILL IR_FLAG_POLYFILL

// The family column is pasted before its argument could be expanded as one of the flags above.
#define IR_OP(id, text, family, element, flags, expression) \
    {text, IR_FAMILY_##family, #element, (flags)},
static const struct ir_op_info infos[IR_OPCODE_COUNT] = {
#include "shader/ir/op.def"
};

const struct ir_op_info *ir_op_get_info(enum ir_opcode opcode) {
    return &infos[opcode];
}
