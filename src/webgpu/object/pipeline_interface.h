// SPDX-License-Identifier: MIT
//
// What compute and render pipelines have in common for those who set bind groups and immediate
// data before a dispatch or draw. Constant once the pipeline was made.
#pragma once

#include <stdint.h>

#include "shader/ir/reflect.h"
#include "webgpu/object/pipeline_layout.h"

// The size that a binding of a layout with minBindingSize 0 must have at a dispatch or draw.
struct gpu_deferred_size {
    uint32_t group;
    uint32_t entry; // index into the bind group layout's entries
    uint64_t minimum_bytes;
};

struct gpu_pipeline_interface {
    struct WGPUPipelineLayoutImpl *layout;    // an internal reference; NULL when invalid
    uint64_t immediate_slots;                 // bit n: a shader may read the word at byte 4 n
    struct gpu_deferred_size *deferred_sizes; // MEMORY_OBJECT
    uint32_t deferred_size_count;
};

// Adds what one entry point uses; `layout` is set and has all of its bindings. False when out of
// memory.
bool gpu_pipeline_interface_add(
    struct gpu_pipeline_interface *interface, const struct reflect_entry_point *entry_point);
void gpu_pipeline_interface_finish(struct gpu_pipeline_interface *interface);
