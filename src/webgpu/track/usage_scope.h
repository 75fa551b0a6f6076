// SPDX-License-Identifier: MIT
//
// Filling of what object/usage.h describes. A dispatch is a scope of its own: a list of what the
// bind groups name that the pipeline's layout asks for. A render pass and a bundle are one scope
// each, filled by every command that sets something; each buffer, texture subresource, bind group
// and bundle is looked at once, so that the cost of a command does not grow with the pass. One
// thread at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "webgpu/object/pass.h"
#include "webgpu/object/pipeline_interface.h"
#include "webgpu/object/usage.h"

// True when two uses of one subresource in one scope are compatible.
bool usage_kinds_are_compatible(enum gpu_usage_kind a, enum gpu_usage_kind b);
// True when two views of one texture share a subresource.
bool usage_views_overlap(
    const struct backend_texture_view *a, const struct backend_texture_view *b);

// ---- a dispatch or draw, whose bind groups fit the pipeline

// True when no two bindings can exclude or alias each other: none is written through, or the one
// group was looked at before.
bool usage_is_harmless(const struct gpu_pass *pass, const struct gpu_pipeline_interface *interface);
// Remembers that a dispatch of the groups, as bound now, was found so.
void usage_keep_harmless(
    const struct gpu_pass *pass, const struct gpu_pipeline_interface *interface);
// Fills pass->uses with what the bind groups name; then adds the indirect buffer. False when out of
// memory.
bool usage_collect(struct gpu_pass *pass, const struct gpu_pipeline_interface *interface);
bool usage_collect_indirect(struct gpu_pass *pass, const struct WGPUBufferImpl *indirect);
// What messages tell of an item of pass->uses.
struct gpu_usage usage_describe_bound(
    const struct gpu_pass *pass, const struct gpu_bound_use *bound);

// ---- a render pass or bundle; false when out of memory

bool usage_scope_add_buffer(struct gpu_usage_scope *scope, struct WGPUBufferImpl *buffer,
    enum gpu_usage_place place, uint32_t slot, uint32_t call);
bool usage_scope_add_attachment(struct gpu_usage_scope *scope, struct WGPUTextureViewImpl *view,
    enum texture_aspect aspect, enum gpu_usage_kind kind, enum gpu_usage_place place,
    uint32_t slot);
bool usage_scope_add_group(
    struct gpu_usage_scope *scope, struct WGPUBindGroupImpl *group, uint32_t index, uint32_t call);
// What the bundle's own scope has.
bool usage_scope_merge(struct gpu_usage_scope *scope, struct WGPURenderBundleImpl *bundle,
    const struct gpu_usage_scope *bundle_scope, uint32_t call);
