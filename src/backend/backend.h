// SPDX-License-Identifier: MIT
//
// The only seam between the API layer and what executes: null, cpu, vulkan. Each backend fills the
// function tables below. What reaches a backend is valid (webgpu/validate is the one place of
// validation); it reports only the machine's errors, as a backend_status.
//
// Threads: every function may be called from any thread unless its contract says otherwise; calls
// on one object being destroyed are the caller's error. Submissions run asynchronously in order of
// their serials. Callbacks of backend_events come from any thread, with no backend lock held.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/command.h"
#include "base/text.h"
#include "facts/feature.h"
#include "facts/limits.h"
#include "shader/ir/reflect.h"

enum backend_status {
    BACKEND_OK,
    BACKEND_OUT_OF_MEMORY,
    BACKEND_LOST,
    BACKEND_INTERNAL
};

enum backend_type { BACKEND_NULL, BACKEND_CPU, BACKEND_VULKAN, BACKEND_TYPE_COUNT };

struct backend_adapter_info {
    enum backend_type type;
    char vendor[64];
    char architecture[64];
    char device[128];
    char description[256];
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t adapter_type; // WGPUAdapterType value
    uint32_t subgroup_min_size;
    uint32_t subgroup_max_size;
    bool has_unified_memory;    // host, staging and device are one memory: the ledger's `elided`
    WGPULimits limits;          // the best that the adapter supports; no chained structs
    struct feature_set features;
};

// What a backend tells the API layer. `user` is passed back.
struct backend_events {
    void *user;
    // All submissions up to `serial` have completed (successfully or not).
    void (*completed)(void *user, uint64_t serial);
    // The device cannot go on; called at most once. Pending serials complete afterwards.
    void (*lost)(void *user, struct text reason);
};

struct backend_adapter; // opaque to the API layer: each backend embeds struct backend_adapter_base
struct backend_device;

struct backend_device_options {
    struct backend_events events;
    struct text label;
    struct feature_set features; // those that the device has
    uint32_t thread_count;       // 0: ALBA_THREADS, else affinity and cgroup quota
    uint64_t watchdog_ms;        // no workgroup finished for so long: lost; 0: off
    bool has_watchdog;           // false: the default, 10 000 ms
    bool has_guard_pages;        // debug: each binding ends at a PROT_NONE page
    bool has_guard_pages_before; // debug: each binding starts after a PROT_NONE page instead
};

struct backend_compute_pipeline_description {
    struct text label;
    const struct ir_module *module; // specialised by compile_specialise, entry point 0; not kept
    const struct reflect_entry_point *reflection; // not kept
};

// ---------------------------------------------------------------- render pipelines

// The most that any adapter offers.
#define BACKEND_VERTEX_BUFFER_CAPACITY 24
#define BACKEND_VERTEX_ATTRIBUTE_CAPACITY 32

struct backend_vertex_attribute {
    uint32_t format; // WGPUVertexFormat
    uint32_t location;
    uint32_t buffer; // index into the vertex buffers
    uint64_t offset_bytes;
};

struct backend_vertex_buffer_layout {
    bool is_used; // false: a hole
    bool is_per_instance;
    uint64_t stride_bytes; // 0: every vertex reads the same element
};

struct backend_stencil_face {
    uint32_t compare; // WGPUCompareFunction
    uint32_t fail_op; // WGPUStencilOperation
    uint32_t depth_fail_op;
    uint32_t pass_op;
};

struct backend_blend_component {
    uint32_t operation;  // WGPUBlendOperation
    uint32_t src_factor; // WGPUBlendFactor
    uint32_t dst_factor;
};

struct backend_color_target {
    uint32_t format; // WGPUTextureFormat; Undefined: a hole
    bool has_blend;
    struct backend_blend_component color;
    struct backend_blend_component alpha;
    uint64_t write_mask; // WGPUColorWriteMask bits
};

// All defaults resolved; values of the standard's enumerations.
struct backend_render_pipeline_state {
    struct backend_vertex_buffer_layout vertex_buffers[BACKEND_VERTEX_BUFFER_CAPACITY];
    uint32_t vertex_buffer_count;
    struct backend_vertex_attribute vertex_attributes[BACKEND_VERTEX_ATTRIBUTE_CAPACITY];
    uint32_t vertex_attribute_count;
    uint32_t topology;           // WGPUPrimitiveTopology
    uint32_t strip_index_format; // WGPUIndexFormat, Undefined for lists
    uint32_t front_face;         // WGPUFrontFace
    uint32_t cull_mode;          // WGPUCullMode
    bool has_unclipped_depth;
    uint32_t depth_stencil_format; // WGPUTextureFormat; Undefined: no depth-stencil state
    bool is_depth_write_enabled;
    uint32_t depth_compare; // WGPUCompareFunction; Always where the format has no depth
    struct backend_stencil_face stencil_front;
    struct backend_stencil_face stencil_back;
    uint32_t stencil_read_mask;
    uint32_t stencil_write_mask;
    int32_t depth_bias;
    float depth_bias_slope_scale;
    float depth_bias_clamp;
    uint32_t sample_count;
    uint32_t sample_mask;
    bool has_alpha_to_coverage;
    struct backend_color_target targets[COMMAND_COLOR_ATTACHMENT_CAPACITY];
    uint32_t target_count;
};

// Modules and reflections as in compute pipelines; fragment_* are NULL without a fragment stage.
struct backend_render_pipeline_description {
    struct text label;
    const struct ir_module *vertex_module;
    const struct reflect_entry_point *vertex;
    const struct ir_module *fragment_module;
    const struct reflect_entry_point *fragment;
    const struct backend_render_pipeline_state *state;
};

// ---------------------------------------------------------------- resources

// Values of the standard's enumerations; layers, levels and samples are at least 1.
struct backend_texture_description {
    struct text label;
    uint64_t usage;     // WGPUTextureUsage bits
    uint32_t dimension; // WGPUTextureDimension
    uint32_t format;    // WGPUTextureFormat
    uint32_t width;
    uint32_t height;
    uint32_t depth_or_array_layers;
    uint32_t mip_level_count;
    uint32_t sample_count;
};

// A view with all defaults resolved.
struct backend_texture_view {
    struct backend_texture *texture;
    uint32_t format;         // WGPUTextureFormat
    uint32_t dimension;      // WGPUTextureViewDimension
    enum texture_aspect aspect;
    uint32_t base_mip_level;
    uint32_t mip_level_count;
    uint32_t base_array_layer;
    uint32_t array_layer_count;
    uint8_t swizzle[4]; // WGPUComponentSwizzle
};

// A sampler with all defaults resolved.
struct backend_sampler {
    uint32_t address_modes[3]; // WGPUAddressMode of u, v, w
    uint32_t mag_filter;       // WGPUFilterMode
    uint32_t min_filter;
    uint32_t mipmap_filter; // WGPUMipmapFilterMode
    float lod_min_clamp;
    float lod_max_clamp;
    uint32_t compare; // WGPUCompareFunction, Undefined: none
    uint32_t max_anisotropy;
};

// One resolved binding of a bind group, in ascending binding order: a buffer, a view or a sampler.
// What the pointers name lives as long as the bind group, but for the memory of textures that are
// destroyed after the bind group was made.
struct backend_binding {
    uint32_t binding;
    bool has_dynamic_offset;
    struct backend_buffer *buffer; // NULL for other kinds
    uint64_t offset_bytes;
    uint64_t size_bytes;
    const struct backend_texture_view *view;
    const struct backend_sampler *sampler;
};

struct backend_device_functions {
    void (*destroy)(struct backend_device *device); // waits for running work, then frees

    // size_bytes > 0, any usage (WGPUBufferUsage bits). Contents are zero.
    enum backend_status (*buffer_create)(struct backend_device *device, uint64_t size_bytes,
                                         uint64_t usage, struct text label,
                                         struct backend_buffer **out_buffer);
    // No pending submission may use it.
    void (*buffer_destroy)(struct backend_device *device, struct backend_buffer *buffer);
    // A pointer to the range for the host, stable until buffer_unmap. The caller has waited for the
    // submissions that use the buffer. NULL when out of memory. is_write: host writes will be
    // visible to later submissions after buffer_unmap.
    void *(*buffer_map)(struct backend_device *device, struct backend_buffer *buffer,
                        uint64_t offset_bytes, uint64_t size_bytes, bool is_write);
    void (*buffer_unmap)(struct backend_device *device, struct backend_buffer *buffer);

    // Contents are zero. OUT_OF_MEMORY rather than more than the machine has.
    enum backend_status (*texture_create)(struct backend_device *device,
                                          const struct backend_texture_description *description,
                                          struct backend_texture **out_texture);
    // No pending submission may use it.
    void (*texture_destroy)(struct backend_device *device, struct backend_texture *texture);

    enum backend_status (*bind_group_create)(struct backend_device *device,
                                             const struct backend_binding *bindings,
                                             uint32_t binding_count,
                                             struct backend_bind_group **out_group);
    // No pending submission uses it. Its buffers may have been destroyed before: not to be touched.
    void (*bind_group_destroy)(struct backend_device *device, struct backend_bind_group *group);

    // May take long (code generation). BACKEND_INTERNAL with a message for a shader that this
    // backend cannot compile.
    enum backend_status (*compute_pipeline_create)(
        struct backend_device *device, const struct backend_compute_pipeline_description *description,
        struct backend_compute_pipeline **out_pipeline, struct text_buffer *out_message);
    void (*compute_pipeline_destroy)(struct backend_device *device,
                                     struct backend_compute_pipeline *pipeline);

    // As compute_pipeline_create.
    enum backend_status (*render_pipeline_create)(
        struct backend_device *device, const struct backend_render_pipeline_description *description,
        struct backend_render_pipeline **out_pipeline, struct text_buffer *out_message);
    void (*render_pipeline_destroy)(struct backend_device *device,
                                    struct backend_render_pipeline *pipeline);

    // type: WGPUQueryType. All queries are 0.
    enum backend_status (*query_set_create)(struct backend_device *device, uint32_t type,
                                            uint32_t count, struct text label,
                                            struct backend_query_set **out_query_set);
    // No pending submission may use it.
    void (*query_set_destroy)(struct backend_device *device, struct backend_query_set *query_set);

    // Queues the streams, executed in order as one submission; returns at once. serial is 1 + the
    // last one submitted; calls are made in serial order (the API layer's queue lock is held). The
    // backend owns the stream array's contents from here (it finishes and frees each with
    // memory_free after execution); on failure too, when nothing is executed and the serial
    // completes all the same.
    enum backend_status (*submit)(struct backend_device *device, struct command_stream **streams,
                                  size_t stream_count, uint64_t serial);
    uint64_t (*completed_serial)(struct backend_device *device);
    // Blocks until the serial has completed or timeout_ns passed; true when completed.
    bool (*wait)(struct backend_device *device, uint64_t serial, uint64_t timeout_ns);
    // Makes the device lost from the outside (wgpuDeviceDestroy): running loops are cancelled,
    // queued work is skipped, pending serials complete. `lost` is not called.
    void (*cancel)(struct backend_device *device);
};

// Embedded first in each backend's device.
struct backend_device {
    const struct backend_device_functions *functions;
    uint32_t thread_count; // threads of this process that run shaders; 0: not this process's matter
};

struct backend_adapter_functions {
    void (*get_info)(struct backend_adapter *adapter, struct backend_adapter_info *out_info);
    enum backend_status (*device_create)(struct backend_adapter *adapter,
                                         const struct backend_device_options *options,
                                         struct backend_device **out_device);
    void (*destroy)(struct backend_adapter *adapter);
};

struct backend_adapter {
    const struct backend_adapter_functions *functions;
};

// One per concrete backend, listed in webgpu/api only.
struct backend {
    enum backend_type type;
    const char *name; // "null", "cpu", "vulkan": ALBA_BACKEND's words
    // Makes the backend's adapters (0 or more), at most capacity; returns the count. A backend
    // whose driver is missing returns 0.
    size_t (*enumerate)(struct backend_adapter **out_adapters, size_t capacity);
};

extern const struct backend backend_null;
extern const struct backend backend_cpu;
