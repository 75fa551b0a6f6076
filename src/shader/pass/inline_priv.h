// SPDX-License-Identifier: MIT
//
// Between the two files of inlining: the choice of calls, and the copying of one body.
#pragma once

#include "shader/pass/pass_priv.h"

// Early returns of one body that become nested branches at most.
#define INLINE_NEST_LIMIT 16u
// How much deeper a body nests once it is copied: those branches, or the switch that stands for its
// returns and the test after a loop that a return leaves.
#define INLINE_EXTRA_DEPTH (INLINE_NEST_LIMIT + 4u)

// Copies the callee's body in place of the call and removes the call; its result is put into map.
// After a branch that returns, the rest goes into the other branch. Where that cannot be, a return
// in the middle becomes the exit of a switch with one case; a return inside a loop or switch sets a
// flag, which is tested after that construct. False when out of memory.
bool inline_call(struct ir_module *module, uint32_t caller, ir_op_id call, struct arena *scratch,
    struct pass_map *map);
