// SPDX-License-Identifier: MIT
//
// The order of instructions in a block, before code generation. Emission goes operation by operation
// and writes each for all parts, so that the temporaries of all parts are alive at once; LLVM's
// scheduler keeps much of the order that it finds. Here instructions that belong to one part are put
// together. Only runs of instructions that touch no memory are rearranged; results do not change.
#include <string.h>

#include "base/vector.h"
#include "shader/jit/jit_priv.h"

struct node {
    LLVMValueRef instruction;
    uint32_t group; // union-find: the parent's index
    uint32_t rank;  // of its part in the run, 0 for what all parts share
};

struct ordering {
    struct emit *emit;
    VECTOR(struct node)
    nodes;                 // in the arena: phis and the run's instructions, in order of appearance
    uint32_t *buckets;     // index + 1, open addressing
    uint32_t bucket_count; // a power of two
    uint32_t *ranks;       // by node that leads a group
    uint32_t *rank_runs;   // by such a node: the run that its rank belongs to, by first node + 1
    unsigned memory_kind;
};

#define NOT_FOUND UINT32_MAX
#define RUN_MINIMUM 8u

static uint32_t hash(LLVMValueRef value) {
    uint64_t bits = (uint64_t)(uintptr_t)value;
    return (uint32_t)((bits >> 4) * 0x9e3779b97f4a7c15u >> 32);
}

static uint32_t find(const struct ordering *o, LLVMValueRef value) {
    for (uint32_t i = hash(value) & (o->bucket_count - 1); o->buckets[i] != 0;
         i = (i + 1) & (o->bucket_count - 1)) {
        if (o->nodes.items[o->buckets[i] - 1].instruction == value) {
            return o->buckets[i] - 1;
        }
    }
    return NOT_FOUND;
}

static bool touches_no_memory(const struct ordering *o, LLVMValueRef instruction) {
    if (LLVMIsAPHINode(instruction) != NULL || LLVMIsATerminatorInst(instruction) != NULL ||
        LLVMIsALoadInst(instruction) != NULL || LLVMIsAStoreInst(instruction) != NULL ||
        LLVMIsAAllocaInst(instruction) != NULL || LLVMIsAFenceInst(instruction) != NULL ||
        LLVMIsAAtomicRMWInst(instruction) != NULL ||
        LLVMIsAAtomicCmpXchgInst(instruction) != NULL) {
        return false;
    }
    if (LLVMIsACallInst(instruction) == NULL) {
        return true;
    }
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    LLVMAttributeRef memory = LLVMIsAFunction(callee) == NULL
        ? NULL
        : LLVMGetEnumAttributeAtIndex(
              callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, o->memory_kind);
    return memory != NULL && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool is_vector(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

// Combinations of masks may join parts, to ask whether any lane is left.
static bool is_mask_combination(const struct emit *e, LLVMValueRef instruction) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    return (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor) &&
        (type == e->vi1 || type == e->vmask);
}

// A scalar for all lanes of all parts, or a step towards it.
static bool is_shared(LLVMValueRef instruction) {
    return LLVMIsAInsertElementInst(instruction) != NULL ||
        (LLVMIsAShuffleVectorInst(instruction) != NULL &&
            LLVMIsAInsertElementInst(LLVMGetOperand(instruction, 0)) != NULL);
}

static uint32_t leader(struct ordering *o, uint32_t node) {
    struct node *nodes = o->nodes.items;
    while (nodes[node].group != node) {
        nodes[node].group = nodes[nodes[node].group].group;
        node = nodes[node].group;
    }
    return node;
}

static void unite(struct ordering *o, uint32_t a, uint32_t b) {
    a = leader(o, a);
    b = leader(o, b);
    // The earlier one leads.
    o->nodes.items[a < b ? b : a].group = a < b ? a : b;
}

static bool add(struct ordering *o, LLVMValueRef instruction) {
    uint32_t index = (uint32_t)o->nodes.count;
    struct node node = {.instruction = instruction, .group = index};
    if (!arena_vector_push(o->emit->arena, &o->nodes, node)) {
        return false;
    }
    uint32_t bucket = hash(instruction) & (o->bucket_count - 1);
    while (o->buckets[bucket] != 0) {
        bucket = (bucket + 1) & (o->bucket_count - 1);
    }
    o->buckets[bucket] = index + 1;
    return true;
}

static void group_node(struct ordering *o, uint32_t index) {
    LLVMValueRef instruction = o->nodes.items[index].instruction;
    if (!is_vector(instruction) || is_mask_combination(o->emit, instruction) ||
        is_shared(instruction)) {
        return;
    }
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        uint32_t found = is_vector(operand) ? find(o, operand) : NOT_FOUND;
        if (found != NOT_FOUND && !is_shared(operand) && !is_mask_combination(o->emit, operand)) {
            unite(o, index, found);
        }
    }
}

// Gives ranks to groups as they appear, and to each instruction the highest of its group's and its
// operands': sorted by it, an instruction still follows its operands.
static uint32_t rank_nodes(struct ordering *o, uint32_t first) {
    uint32_t last_rank = 0;
    for (uint32_t i = first; i < o->nodes.count; i++) {
        struct node *node = &o->nodes.items[i];
        uint32_t group = leader(o, i);
        bool has_group = is_vector(node->instruction) && !is_shared(node->instruction) &&
            !is_mask_combination(o->emit, node->instruction);
        if (has_group && o->rank_runs[group] != first + 1) {
            o->rank_runs[group] = first + 1;
            o->ranks[group] = ++last_rank;
        }
        node->rank = has_group ? o->ranks[group] : 0;
        int count = LLVMGetNumOperands(node->instruction);
        for (int k = 0; k < count; k++) {
            uint32_t found = find(o, LLVMGetOperand(node->instruction, (unsigned)k));
            if (found != NOT_FOUND && found >= first && o->nodes.items[found].rank > node->rank) {
                node->rank = o->nodes.items[found].rank;
            }
        }
    }
    return last_rank;
}

// A stable counting sort; the instructions are put back before `end`.
static bool place(struct ordering *o, uint32_t first, uint32_t last_rank, LLVMValueRef end,
    LLVMBuilderRef builder) {
    uint32_t count = (uint32_t)o->nodes.count - first;
    uint32_t *starts = ARENA_ARRAY(o->emit->arena, uint32_t, last_rank + 2);
    LLVMValueRef *sorted = ARENA_ARRAY(o->emit->arena, LLVMValueRef, count);
    if (starts == NULL || sorted == NULL) {
        return false;
    }
    for (uint32_t i = first; i < o->nodes.count; i++) {
        starts[o->nodes.items[i].rank + 1]++;
    }
    for (uint32_t i = 1; i <= last_rank; i++) {
        starts[i] += starts[i - 1];
    }
    for (uint32_t i = first; i < o->nodes.count; i++) {
        sorted[starts[o->nodes.items[i].rank]++] = o->nodes.items[i].instruction;
    }
    LLVMPositionBuilderBefore(builder, end);
    for (uint32_t i = 0; i < count; i++) {
        LLVMInstructionRemoveFromParent(sorted[i]);
        LLVMInsertIntoBuilder(builder, sorted[i]);
    }
    return true;
}

static bool arrange(struct ordering *o, uint32_t first, LLVMValueRef end, LLVMBuilderRef builder) {
    if (o->nodes.count - first < RUN_MINIMUM) {
        return true;
    }
    for (uint32_t i = first; i < o->nodes.count; i++) {
        group_node(o, i);
    }
    uint32_t last_rank = rank_nodes(o, first);
    return last_rank < 2 || place(o, first, last_rank, end, builder);
}

// Operands of comparisons in memory: a constant for all lanes would be kept in a register, or made
// anew at each use.
static LLVMValueRef constant_in_memory(struct emit *e, LLVMValueRef constant) {
    for (LLVMValueRef global = LLVMGetFirstGlobal(e->llvm); global != NULL;
         global = LLVMGetNextGlobal(global)) {
        if (LLVMGetLinkage(global) == LLVMPrivateLinkage &&
            LLVMGetInitializer(global) == constant) {
            return global;
        }
    }
    LLVMValueRef global = LLVMAddGlobal(e->llvm, LLVMTypeOf(constant), "operand");
    LLVMSetInitializer(global, constant);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static void compare_with_memory(struct ordering *o, LLVMBuilderRef builder) {
    for (uint32_t i = 0; i < o->nodes.count; i++) {
        LLVMValueRef instruction = o->nodes.items[i].instruction;
        LLVMValueRef constant = LLVMIsAFCmpInst(instruction) != NULL && is_vector(instruction)
            ? LLVMGetOperand(instruction, 1)
            : NULL;
        if (constant == NULL || !LLVMIsConstant(constant) || LLVMIsNull(constant)) {
            continue;
        }
        LLVMPositionBuilderBefore(builder, instruction);
        LLVMValueRef load = LLVMBuildLoad2(
            builder, LLVMTypeOf(constant), constant_in_memory(o->emit, constant), "");
        LLVMSetVolatile(load, true); // else it is moved out of the loop, into a register
        LLVMSetOperand(instruction, 1, load);
    }
}

static bool order_function(struct ordering *o, LLVMValueRef function, LLVMBuilderRef builder) {
    uint32_t total = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
             i = LLVMGetNextInstruction(i)) {
            total++;
        }
    }
    o->bucket_count = 64;
    while (o->bucket_count < total * 2) {
        o->bucket_count *= 2;
    }
    o->nodes.count = 0;
    o->buckets = ARENA_ARRAY(o->emit->arena, uint32_t, o->bucket_count);
    o->ranks = ARENA_ARRAY(o->emit->arena, uint32_t, total + 1);
    o->rank_runs = ARENA_ARRAY(o->emit->arena, uint32_t, total + 1);
    if (o->buckets == NULL || o->ranks == NULL || o->rank_runs == NULL) {
        return false;
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        uint32_t first = (uint32_t)o->nodes.count;
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = next) {
            next = LLVMGetNextInstruction(i);
            bool is_movable = touches_no_memory(o, i);
            if (!is_movable && !arrange(o, first, i, builder)) {
                return false;
            }
            if ((is_movable || LLVMIsAPHINode(i) != NULL) && !add(o, i)) {
                return false;
            }
            if (!is_movable) {
                first = (uint32_t)o->nodes.count;
            }
        }
    }
    if (jit_is_short_of_registers(o->emit)) {
        compare_with_memory(o, builder);
    }
    return true;
}

bool jit_order_parts(struct emit *emit) {
    if (emit->jam == 1) {
        return true;
    }
    bool is_whole = true;
    struct ordering o = {
        .emit = emit, .memory_kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"))};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(emit->context);
    for (LLVMValueRef function = LLVMGetFirstFunction(emit->llvm); function != NULL && is_whole;
         function = LLVMGetNextFunction(function)) {
        is_whole = LLVMGetFirstBasicBlock(function) == NULL ||
            order_function(&o, function, builder);
    }
    LLVMDisposeBuilder(builder);
    return is_whole || jit_fail(emit, "out of memory");
}
