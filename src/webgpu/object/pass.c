// SPDX-License-Identifier: MIT
//
// The common part of passes.
#include "webgpu/object/pass.h"

#include <string.h>

#include "base/memory.h"
#include "webgpu/object/command_encoder.h"

void gpu_pass_reset(struct gpu_pass *pass) {
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        pass->slots[i].group = NULL;
        pass->slots[i].dynamic_offset_count = 0;
    }
    pass->immediate_slots_set = 0;
    pass->is_state_checked = false;
}

void gpu_pass_finish(struct gpu_pass *pass) {
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        memory_free(pass->slots[i].dynamic_offsets);
    }
    vector_finish(&pass->uses);
    text_buffer_finish(&pass->error.message);
    GPU_UNREF(pass->encoder);
}
