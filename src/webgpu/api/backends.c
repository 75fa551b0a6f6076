// SPDX-License-Identifier: MIT
//
// The one list that names the concrete backends, in the order in which adapters are offered.
#include "base/os_environment.h"
#include "webgpu/api/api_priv.h"

// Offered only on request: it runs no shader.
#define ONLY_ON_REQUEST (1u << BACKEND_NULL)

static const struct backend *const backends_in_order[] = {&backend_cpu, &backend_null};
#define BACKEND_COUNT (sizeof(backends_in_order) / sizeof(backends_in_order[0]))

size_t api_enumerate_backends(
    uint32_t backends, struct backend_adapter **out_adapters, size_t capacity) {
    size_t count = 0;
    for (size_t i = 0; i < BACKEND_COUNT && count < capacity; i++) {
        uint32_t bit = 1u << backends_in_order[i]->type;
        bool is_wanted = backends != 0 ? (backends & bit) != 0 : (bit & ONLY_ON_REQUEST) == 0;
        if (is_wanted) {
            count += backends_in_order[i]->enumerate(out_adapters + count, capacity - count);
        }
    }
    return count;
}

uint32_t api_get_environment_backends(void) {
    const char *word = os_environment_find("ALBA_BACKEND");
    if (word == NULL) {
        return 0;
    }
    for (size_t i = 0; i < BACKEND_COUNT; i++) {
        if (text_equals_string(text_from_string(word), backends_in_order[i]->name)) {
            return 1u << backends_in_order[i]->type;
        }
    }
    if (text_equals_string(text_from_string(word), "vulkan")) {
        return 1u << BACKEND_VULKAN;
    }
    log_message(LOG_WARNING, "ALBA_BACKEND=%s is not understood: vulkan, cpu or null is", word);
    return 0;
}
