// SPDX-License-Identifier: MIT
//
// Render pipelines of the backends that run on the host (null, cpu): a copy of the state, for
// whoever draws with it. Shared as host_buffer.h is. Constant once made; any thread.
#pragma once

#include "backend/backend.h"

struct backend_render_pipeline {
    struct backend_render_pipeline_state state;
};

// backend_device_functions.render_pipeline_create and render_pipeline_destroy.
enum backend_status host_render_pipeline_create(
    struct backend_device *device, const struct backend_render_pipeline_description *description,
    struct backend_render_pipeline **out_pipeline, struct text_buffer *out_message);
void host_render_pipeline_destroy(
    struct backend_device *device, struct backend_render_pipeline *pipeline);
