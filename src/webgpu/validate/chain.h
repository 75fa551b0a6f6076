// SPDX-License-Identifier: MIT
//
// Chains of extension structs: which ones a descriptor takes, each at most once.
#pragma once

#include <webgpu/webgpu.h>

#include "webgpu/validate/rule.h"

#define VALIDATE_CHAIN_CAPACITY 4

// What a descriptor may have in its chain, and where it was found (NULL: not there).
struct validate_chain {
    uint32_t allowed_count;
    uint32_t allowed[VALIDATE_CHAIN_CAPACITY]; // sType values
    const WGPUChainedStruct *found[VALIDATE_CHAIN_CAPACITY];
};

// Walks the chain; an sType that is not allowed, or twice, is a broken rule (so cycles end).
bool validate_chain(const WGPUChainedStruct *first, struct validate_chain *chain, const char *name,
    struct validate_error *error);
// A descriptor that takes no extensions.
bool validate_no_chain(
    const WGPUChainedStruct *first, const char *name, struct validate_error *error);
