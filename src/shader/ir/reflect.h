// SPDX-License-Identifier: MIT
//
// What the API needs to know of a shader module: entry points, bindings, overrides, sizes. Made
// once from the IR; plain data without pointers into the IR. Reading is safe from any thread.
#pragma once

#include "shader/ir/ir.h"

enum reflect_binding_kind {
    REFLECT_BUFFER_UNIFORM,
    REFLECT_BUFFER_STORAGE,           // read_write
    REFLECT_BUFFER_READ_ONLY_STORAGE, // read
    REFLECT_SAMPLER,
    REFLECT_SAMPLER_COMPARISON,
    REFLECT_TEXTURE,         // sampled, depth, multisampled: see the fields
    REFLECT_STORAGE_TEXTURE,
    REFLECT_EXTERNAL_TEXTURE
};

struct reflect_binding {
    uint32_t group;
    uint32_t binding;
    enum reflect_binding_kind kind;
    uint32_t variable; // index into the IR module's variables
    struct text name;  // the variable's name
    uint64_t minimum_size_bytes;
    enum texture_dimension dimension;
    enum type_kind sampled_type; // TYPE_F32, TYPE_I32, TYPE_U32
    bool is_multisampled;
    bool is_depth;
    enum access_mode access;
    uint32_t texel_format; // WGPUTextureFormat value
    bool is_sampled;       // textures: used in a call that also uses a sampler
    bool is_loaded;        // textures: used in a call of textureLoad
    bool is_called;        // textures: used in any call of a texture built-in function
};

// A texture and a sampler that one call uses together: indices into the entry point's bindings.
struct reflect_pair {
    uint32_t texture;
    uint32_t sampler;
};

// A user-defined input or output of an entry point: all but the built-in values.
struct reflect_io {
    struct text name;
    uint32_t location;
    uint32_t blend_source;
    bool has_blend_source;
    enum type_kind scalar; // TYPE_F32, TYPE_F16, TYPE_I32, TYPE_U32
    uint32_t component_count; // 1: a scalar
    uint8_t interpolation;    // as in struct ir_interface
    uint8_t sampling;
};

struct reflect_override {
    struct text name;
    bool has_id;
    uint32_t id;
    enum type_kind type;
    bool has_default;
    uint32_t index; // in the IR module
};

struct reflect_entry_point {
    struct text name;
    enum shader_stage stage;
    struct reflect_binding *bindings; // statically used, sorted by group then binding
    uint32_t binding_count;
    struct reflect_pair *texture_pairs; // each once
    uint32_t texture_pair_count;
    uint32_t *overrides; // statically used, indices into reflection.overrides
    uint32_t override_count;
    uint32_t workgroup_size[3]; // 0 where it depends on overrides
    uint32_t subgroup_size;     // @subgroup_size; 0: none, or it depends on overrides
    uint64_t workgroup_memory_bytes; // each variable rounded up to 16; without override-sized arrays
    bool has_override_sized_workgroup_memory;
    uint32_t immediate_size_bytes;
    uint64_t immediate_slots; // WGSL AccessibleSlots: bit n, the 4 bytes at 4 n hold data
    struct reflect_io *inputs; // sorted by location
    uint32_t input_count;
    struct reflect_io *outputs; // sorted by location, then blend source
    uint32_t output_count;
    uint64_t builtins; // inputs and outputs: bit n, enum builtin_value n
    uint32_t clip_distance_count;
    bool uses_fine_derivatives; // a function in the stage has dpdxFine, dpdyFine or fwidthFine
    bool uses_num_workgroups;
    bool uses_workgroup_index;
    bool uses_global_invocation_index;
};

struct reflection {
    struct reflect_entry_point *entry_points;
    uint32_t entry_point_count;
    struct reflect_override *overrides;
    uint32_t override_count;
};

static inline bool reflect_has_builtin(
    const struct reflect_entry_point *entry_point, enum builtin_value builtin) {
    return (entry_point->builtins >> builtin & 1) != 0;
}

// Allocates in the arena, strings included; NULL when out of memory.
struct reflection *reflect_create(const struct ir_module *module, struct arena *arena);
