// SPDX-License-Identifier: MIT
//
// The walk over a chain of extension structs.
#include "webgpu/validate/chain.h"

bool validate_chain(const WGPUChainedStruct *first, struct validate_chain *chain, const char *name,
    struct validate_error *error) {
    for (const WGPUChainedStruct *at = first; at != NULL; at = at->next) {
        uint32_t i = 0;
        while (i < chain->allowed_count && chain->allowed[i] != (uint32_t)at->sType) {
            i++;
        }
        if (i == chain->allowed_count) {
            return BROKEN(error, CHAIN_UNKNOWN, name, (unsigned)at->sType);
        }
        if (chain->found[i] != NULL) {
            return BROKEN(error, CHAIN_TWICE, name, (unsigned)at->sType);
        }
        chain->found[i] = at;
    }
    return true;
}

bool validate_no_chain(
    const WGPUChainedStruct *first, const char *name, struct validate_error *error) {
    struct validate_chain chain = {0};
    return validate_chain(first, &chain, name, error);
}
