// SPDX-License-Identifier: MIT
//
// Memory of usage scopes.
#include "webgpu/object/usage.h"

#include <string.h>

#include "base/memory.h"

void gpu_usage_scope_finish(struct gpu_usage_scope *scope) {
    for (size_t i = 0; i < scope->entries.count; i++) {
        memory_free(scope->entries.items[i].parts);
    }
    vector_finish(&scope->usages);
    vector_finish(&scope->entries);
    memory_free(scope->slots);
    memset(scope, 0, sizeof(*scope));
}
