// SPDX-License-Identifier: MIT
//
// Life of the host's render pipelines. Any thread.
#include "backend/host_render_pipeline.h"

#include "base/memory.h"

enum backend_status host_render_pipeline_create(
    struct backend_device *device, const struct backend_render_pipeline_description *description,
    struct backend_render_pipeline **out_pipeline, struct text_buffer *out_message) {
    (void)device;
    (void)out_message;
    *out_pipeline = memory_allocate(MEMORY_OBJECT, sizeof(**out_pipeline));
    if (*out_pipeline == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    (*out_pipeline)->state = *description->state;
    return BACKEND_OK;
}

void host_render_pipeline_destroy(
    struct backend_device *device, struct backend_render_pipeline *pipeline) {
    (void)device;
    memory_free(pipeline);
}
