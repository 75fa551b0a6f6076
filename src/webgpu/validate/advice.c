// SPDX-License-Identifier: MIT
//
// Advice about layouts and buffers of pipelines.
#include "webgpu/validate/advice.h"

#include <stdio.h>

#include "base/try.h"
#include "shader/compile/compile.h"
#include "shader/ir/analysis_uniformity.h"
#include "webgpu/event/warning.h"
#include "webgpu/object/bind_group_layout.h"

#define OBJECT_NAME gpu_object_get_name(pipeline, pipeline->class_of->kind).text

// ---------------------------------------------------------------- visibility

static uint32_t stage_bit(enum shader_stage stage) {
    switch (stage) {
    case STAGE_VERTEX:
        return (uint32_t)WGPUShaderStage_Vertex;
    case STAGE_FRAGMENT:
        return (uint32_t)WGPUShaderStage_Fragment;
    case STAGE_COMPUTE:
    case STAGE_COUNT:
        break;
    }
    return (uint32_t)WGPUShaderStage_Compute;
}

// "Vertex|Fragment", "no stage".
struct stage_words {
    char text[40];
};
static struct stage_words describe_stages(uint32_t bits) {
    struct stage_words words;
    snprintf(words.text, sizeof(words.text), "%s%s%s%s%s%s", bits == 0 ? "no stage" : "",
        bits & 1u ? "Vertex" : "", (bits & 1u) && (bits & 6u) ? "|" : "",
        bits & 2u ? "Fragment" : "", (bits & 2u) && (bits & 4u) ? "|" : "",
        bits & 4u ? "Compute" : "");
    return words;
}

static uint32_t find_users(
    const struct advice_stage *stages, uint32_t stage_count, uint32_t group, uint32_t binding) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < stage_count; i++) {
        const struct reflect_entry_point *entry_point = stages[i].declared;
        for (uint32_t j = 0; j < entry_point->binding_count; j++) {
            if (entry_point->bindings[j].group == group &&
                entry_point->bindings[j].binding == binding) {
                bits |= stage_bit(entry_point->stage);
            }
        }
    }
    return bits;
}

static void advise_visibility(struct WGPUDeviceImpl *device, const char *call,
    struct gpu_object *pipeline, const struct WGPUPipelineLayoutImpl *layout,
    const struct advice_stage *stages, uint32_t stage_count) {
    for (uint32_t i = 0; i < GPU_BIND_GROUP_SLOTS; i++) {
        struct WGPUBindGroupLayoutImpl *group = layout->groups[i];
        for (uint32_t j = 0; group != NULL && j < group->entry_count; j++) {
            const struct gpu_binding_layout *entry = &group->entries[j];
            uint32_t used = find_users(stages, stage_count, i, entry->binding);
            if ((entry->visibility & ~used) != 0) {
                uint64_t numbers[] = {i, entry->binding, entry->visibility, used};
                WARN(device, LAYOUT_VISIBILITY, call, pipeline, numbers, OBJECT_NAME,
                    entry->binding, i, GPU_NAME(group, BIND_GROUP_LAYOUT),
                    describe_stages(entry->visibility).text, describe_stages(used).text);
            }
        }
    }
}

// ---------------------------------------------------------------- storage where uniform would do

static uint32_t round_up_16(uint64_t value) {
    return (uint32_t)((value + 15u) & ~(uint64_t)15u);
}

// WGSL §"Address Space Layout Constraints" for uniform, without uniform_buffer_standard_layout.
// Recursion follows the nesting of types, which the language limits.
static bool is_legal_in_uniform(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    if (type->kind == TYPE_ARRAY) {
        return type->stride_bytes % 16 == 0 && is_legal_in_uniform(types, type->element);
    }
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        const struct type *inner = type_get(types, member->type);
        bool is_composite = inner->kind == TYPE_STRUCT || inner->kind == TYPE_ARRAY;
        if (is_composite && member->offset_bytes % round_up_16(inner->align_bytes) != 0) {
            return false;
        }
        if (inner->kind == TYPE_STRUCT && i + 1 < type->member_count &&
            type->members[i + 1].offset_bytes - member->offset_bytes <
                round_up_16(inner->size_bytes)) {
            return false;
        }
        TRY(is_legal_in_uniform(types, member->type));
    }
    return true;
}

// True when the pointer is into that module variable.
static bool points_into(const struct ir_function *function, ir_value value, uint32_t variable) {
    for (;;) {
        const struct ir_value_info *info = ir_value_get(function, value);
        if (info->kind != IR_VALUE_RESULT) {
            return false;
        }
        const struct ir_op *op = &function->ops.items[info->definition];
        if (op->opcode == IR_VARIABLE) {
            return op->data.index == variable;
        }
        if (op->opcode != IR_ACCESS) {
            return false;
        }
        value = op->operands[0];
    }
}

// True when every use of the variable is a load from a place that is the same for the invocations
// that load together. What is handed to another function is not followed.
static bool is_read_uniformly(
    const struct ir_module *module, const struct ir_uniformity *uniformity, uint32_t variable) {
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const struct ir_function *function = &module->functions.items[i];
        for (size_t j = 1; j < function->ops.count; j++) {
            const struct ir_op *op = &function->ops.items[j];
            if (op->parent.index == 0 || op->opcode == IR_ACCESS) {
                continue; // unlinked; or a step on the way
            }
            for (uint32_t k = 0; k < op->operand_count; k++) {
                ir_value operand = op->operands[k];
                if (points_into(function, operand, variable) &&
                    (op->opcode != IR_LOAD ||
                        uniformity->functions[i].values[operand.index] == IR_VARYING)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void advise_storage(struct WGPUDeviceImpl *device, const char *call,
    struct gpu_object *pipeline, const struct compile_program *program) {
    const struct ir_module *module = program->ir;
    const struct reflect_entry_point *entry_point = &program->reflection->entry_points[0];
    uint64_t limit = device->limits.values[LIMIT_maxUniformBufferBindingSize];
    struct ir_uniformity_options options = {.vector_width = 1};
    for (int i = 0; i < 3; i++) {
        options.workgroup_size[i] = entry_point->workgroup_size[i];
    }
    struct arena arena;
    arena_init(&arena, MEMORY_COMPILE);
    struct ir_uniformity uniformity;
    bool ok = ir_uniformity_analyse(module, &options, &arena, &uniformity);
    for (uint32_t i = 0; ok && i < entry_point->binding_count; i++) {
        const struct reflect_binding *binding = &entry_point->bindings[i];
        if (binding->kind != REFLECT_BUFFER_READ_ONLY_STORAGE) {
            continue;
        }
        type_id type = module->variables.items[binding->variable].type;
        uint64_t size_bytes = type_get(&module->types, type)->size_bytes;
        if (!type_has_fixed_footprint(&module->types, type) || size_bytes > limit ||
            type_get(&module->types, type)->kind == TYPE_BUFFER ||
            !is_legal_in_uniform(&module->types, type) ||
            !is_read_uniformly(module, &uniformity, binding->variable)) {
            continue;
        }
        char name[96];
        snprintf(name, sizeof(name), "%.*s",
            (int)(binding->name.length < 90 ? binding->name.length : 90), binding->name.data);
        uint64_t numbers[] = {binding->group, binding->binding, size_bytes, limit};
        WARN(device, STORAGE_FOR_UNIFORM, call, pipeline, numbers, OBJECT_NAME, name,
            binding->group, binding->binding, (unsigned long long)size_bytes,
            (unsigned long long)limit);
    }
    arena_finish(&arena);
}

void advise_pipeline(struct WGPUDeviceImpl *device, const char *call, struct gpu_object *pipeline,
    const struct WGPUPipelineLayoutImpl *layout, bool has_given_layout,
    const struct advice_stage *stages, uint32_t stage_count) {
    if (has_given_layout) {
        advise_visibility(device, call, pipeline, layout, stages, stage_count);
    }
    for (uint32_t i = 0; i < stage_count; i++) {
        advise_storage(device, call, pipeline, stages[i].program);
    }
}
