// SPDX-License-Identifier: MIT
//
// Which values are the same in all active invocations, of a workgroup or of one vector of lanes,
// and where control flow diverges. The code generator keeps uniform values scalar and branches on
// them. A pure analysis of one module: it changes nothing; reading the result is safe from any
// thread.
//
// "Active" means: the invocations that execute the operation together. A value may be uniform at
// its definition and yet reach a place with fewer active invocations; it stays uniform there.
// Leaving a loop at different iterations makes that loop's results varying ("temporal divergence").
#pragma once

#include "shader/ir/ir.h"

// Ordered: a join is the maximum.
enum ir_uniformity_level {
    IR_UNIFORM_WORKGROUP, // the same in the whole workgroup
    // The same in the lanes of one vector, if the code generator evaluates the operation once for
    // the vector. Loads from a uniform address of memory that others may write (workgroup, storage
    // read_write) are of this level: two vectors may read at different times.
    IR_UNIFORM_VECTOR,
    IR_VARYING
};

struct ir_uniformity_options {
    // Lanes of a vector hold consecutive local_invocation_index values, the first a multiple of
    // this power of two. 1: no value is uniform merely by the shape of the workgroup.
    uint32_t vector_width;
    uint32_t workgroup_size[3];
};

struct ir_function_uniformity {
    // Indexed by value: enum ir_uniformity_level. Constants are IR_UNIFORM_WORKGROUP; a pointer is
    // uniform when its root and all indices are (a `var` is uniform as an address although its
    // content belongs to one invocation: loads from it are varying unless it is_uniform_memory).
    const uint8_t *values;
    // Indexed by region: the level of the conditions that decide whether the active invocations
    // reach this region, from the function's entry on; loops with divergent exits make their bodies
    // divergent. IR_UNIFORM_WORKGROUP: all invocations that entered the function and did not return
    // are here together.
    const uint8_t *regions;
    // Indexed by operation. For a loop: the level at which invocations leave it or start its next
    // iteration at different times; IR_UNIFORM_WORKGROUP or VECTOR: the back edge is one scalar
    // branch. For an if or switch: the level of its condition. For `var`: the level of its content,
    // IR_VARYING unless every store to it is uniform in uniform control flow. 0 for others.
    const uint8_t *operations;
    uint8_t return_level; // of the returned value, with the parameters as found at the calls
};

struct ir_uniformity {
    struct ir_function_uniformity *functions; // indexed as module.functions
    uint32_t function_count;
};

// Analyses the whole module, callees with the join of their call sites' arguments. Parameters of
// functions that nobody calls are varying. Linear in the module's size. False when out of memory.
bool ir_uniformity_analyse(const struct ir_module *module,
    const struct ir_uniformity_options *options, struct arena *arena,
    struct ir_uniformity *out_uniformity);
