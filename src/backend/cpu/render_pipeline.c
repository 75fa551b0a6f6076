// SPDX-License-Identifier: MIT
//
// Render pipelines of the CPU: a kernel for each stage, and what the rasteriser must know of their
// interfaces. Any thread.
#include "backend/cpu/raster.h"

#include <string.h>

#include <webgpu/webgpu.h>

#include "base/memory.h"

// Of struct ir_interface.
#define SAMPLING_SAMPLE 2

// What one stage is made of.
struct stage_source {
    const char *word; // "vertex"
    const struct ir_module *module;
    const struct reflect_entry_point *reflection;
};

// ---------------------------------------------------------------- interfaces

// The scalars of an interface value: vectors, and arrays of scalars (clip_distances).
static uint32_t count_words(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    if (type->kind == TYPE_ARRAY) {
        return type->count * type_component_count(types, type->element);
    }
    return type_component_count(types, id);
}

static enum type_kind get_scalar(const struct type_table *types, type_id id) {
    const struct type *type = type_get(types, id);
    return type_kind_of(
        types, type_element_of(types, type->kind == TYPE_ARRAY ? type->element : id));
}

static bool init_interface(struct raster_interface *out, const struct type_table *types,
    const struct ir_interface *values, uint32_t count) {
    out->values = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*out->values));
    if (out->values == NULL) {
        return false;
    }
    out->value_count = count;
    for (uint32_t i = 0; i < count; i++) {
        out->values[i] = (struct raster_interface_value){
            .is_builtin = values[i].is_builtin,
            .builtin = values[i].builtin,
            .location = values[i].location,
            .blend_source = values[i].has_blend_source ? values[i].blend_source : 0,
            .interpolation = values[i].interpolation,
            .sampling = values[i].sampling,
            .scalar = get_scalar(types, values[i].type),
            .first_word = out->word_count,
            .word_count = count_words(types, values[i].type),
        };
        out->word_count += out->values[i].word_count;
    }
    return true;
}

static const struct raster_interface_value *find_builtin(
    const struct raster_interface *interface, enum builtin_value builtin) {
    for (uint32_t i = 0; i < interface->value_count; i++) {
        if (interface->values[i].is_builtin && interface->values[i].builtin == builtin) {
            return &interface->values[i];
        }
    }
    return NULL;
}

uint32_t raster_find_builtin(const struct raster_interface *interface, enum builtin_value builtin) {
    const struct raster_interface_value *value = find_builtin(interface, builtin);
    return value != NULL ? value->first_word : RASTER_NO_WORD;
}

static const struct raster_interface_value *find_location(
    const struct raster_interface *interface, uint32_t location) {
    for (uint32_t i = 0; i < interface->value_count; i++) {
        if (!interface->values[i].is_builtin && interface->values[i].location == location) {
            return &interface->values[i];
        }
    }
    return NULL;
}

static bool init_varyings(struct backend_render_pipeline *pipeline) {
    const struct raster_interface *inputs = &pipeline->fragment.inputs;
    pipeline->varyings = memory_allocate_zeroed(
        MEMORY_OBJECT, inputs->word_count, sizeof(*pipeline->varyings));
    if (pipeline->varyings == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < inputs->value_count; i++) {
        const struct raster_interface_value *input = &inputs->values[i];
        const struct raster_interface_value *output = input->is_builtin
            ? NULL
            : find_location(&pipeline->vertex.outputs, input->location);
        for (uint32_t j = 0; output != NULL && j < input->word_count && j < output->word_count;
             j++) {
            pipeline->varyings[pipeline->varying_count++] = (struct raster_varying){
                .vertex_word = (uint16_t)(output->first_word + j),
                .fragment_word = (uint16_t)(input->first_word + j),
                .interpolation = input->interpolation,
                .sampling = input->sampling,
            };
        }
    }
    return true;
}

// ---------------------------------------------------------------- stages

static bool init_slots(struct raster_stage *stage, const struct reflect_entry_point *reflection) {
    uint32_t count = reflection->binding_count;
    stage->slot_count = count;
    stage->slots = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*stage->slots));
    stage->is_writable = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*stage->is_writable));
    stage->buffers = memory_allocate_zeroed(MEMORY_OBJECT, count, sizeof(*stage->buffers));
    if (stage->slots == NULL || stage->is_writable == NULL || stage->buffers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct reflect_binding *binding = &reflection->bindings[i];
        stage->slots[i] = (struct cpu_pipeline_slot){binding->group, binding->binding};
        stage->is_writable[i] = binding->kind == REFLECT_BUFFER_STORAGE;
        stage->may_write = stage->may_write || stage->is_writable[i] ||
            (binding->kind == REFLECT_STORAGE_TEXTURE && binding->access != ACCESS_READ);
    }
    return true;
}

static bool has_discard(const struct ir_module *module) {
    for (size_t i = 0; i < module->functions.count; i++) {
        const struct ir_function *function = &module->functions.items[i];
        for (size_t j = 1; j < function->ops.count; j++) {
            // An operation without a parent is a hole that a pass has left.
            const struct ir_op *op = &function->ops.items[j];
            if (op->parent.index != 0 && op->opcode == IR_DISCARD) {
                return true;
            }
        }
    }
    return false;
}

// The rows of both sides must be the same: a difference would be read out of bounds.
static enum backend_status check_rows(const struct raster_stage *stage,
    const struct stage_source *source, struct text_buffer *out_message) {
    if (stage->kernel->input_words == stage->inputs.word_count &&
        stage->kernel->output_words == stage->outputs.word_count) {
        return BACKEND_OK;
    }
    text_buffer_print(out_message,
        "the %s stage's entry point '%.*s' has %u words of inputs and %u of outputs, but its code "
        "has %u and %u",
        source->word, TEXT_ARGS(source->reflection->name), stage->inputs.word_count,
        stage->outputs.word_count, stage->kernel->input_words, stage->kernel->output_words);
    return BACKEND_INTERNAL;
}

static enum backend_status init_stage(struct cpu_device *device, struct text label,
    const struct stage_source *source, struct raster_stage *stage,
    struct text_buffer *out_message) {
    const struct ir_module *module = source->module;
    const struct ir_entry_point *entry = &module->entry_points.items[0];
    if (!init_slots(stage, source->reflection) ||
        !init_interface(&stage->inputs, &module->types, entry->inputs, entry->input_count) ||
        !init_interface(&stage->outputs, &module->types, entry->outputs, entry->output_count)) {
        return BACKEND_OUT_OF_MEMORY;
    }
    struct text_buffer reason = {0};
    enum backend_status status = cpu_kernel_get(device, module, label, &stage->entry, &reason);
    if (status != BACKEND_OK) {
        text_buffer_print(out_message, "%s stage, entry point '%.*s': %.*s", source->word,
            TEXT_ARGS(source->reflection->name), TEXT_ARGS(text_buffer_get(&reason)));
        text_buffer_finish(&reason);
        return status;
    }
    text_buffer_finish(&reason);
    stage->kernel = cpu_kernel_entry_get(stage->entry);
    return check_rows(stage, source, out_message);
}

static void finish_stage(struct raster_stage *stage, struct cpu_kernel_cache *cache) {
    if (stage->entry != NULL) {
        cpu_kernel_cache_release(cache, stage->entry);
    }
    memory_free(stage->buffers);
    memory_free(stage->is_writable);
    memory_free(stage->slots);
    memory_free(stage->inputs.values);
    memory_free(stage->outputs.values);
}

// ---------------------------------------------------------------- pipelines

static bool is_sample_shaded(const struct backend_render_pipeline *pipeline) {
    const struct raster_interface *inputs = &pipeline->fragment.inputs;
    if (pipeline->state.sample_count == 1) {
        return false;
    }
    for (uint32_t i = 0; i < inputs->value_count; i++) {
        const struct raster_interface_value *input = &inputs->values[i];
        if (input->is_builtin ? input->builtin == BUILTIN_VALUE_SAMPLE_INDEX
                              : input->sampling == SAMPLING_SAMPLE) {
            return true;
        }
    }
    return false;
}

// What follows from both stages together.
static void init_facts(struct backend_render_pipeline *pipeline, const struct ir_module *fragment) {
    const struct raster_interface_value *clip = find_builtin(
        &pipeline->vertex.outputs, BUILTIN_VALUE_CLIP_DISTANCES);
    pipeline->clip_distance_word = clip != NULL ? clip->first_word : RASTER_NO_WORD;
    pipeline->clip_distance_count = clip != NULL ? clip->word_count : 0;
    pipeline->is_sample_shaded = is_sample_shaded(pipeline);
    struct raster_stage *stage = &pipeline->fragment;
    stage->may_discard = fragment != NULL &&
        (has_discard(fragment) || find_builtin(&stage->outputs, BUILTIN_VALUE_FRAG_DEPTH) != NULL ||
            find_builtin(&stage->outputs, BUILTIN_VALUE_SAMPLE_MASK_OUT) != NULL);
    pipeline->has_early_tests = !stage->may_discard && !stage->may_write &&
        !pipeline->state.has_alpha_to_coverage;
}

void cpu_render_pipeline_destroy(struct backend_render_pipeline *pipeline) {
    if (pipeline == NULL) {
        return;
    }
    finish_stage(&pipeline->vertex, pipeline->cache);
    finish_stage(&pipeline->fragment, pipeline->cache);
    memory_free(pipeline->varyings);
    memory_free(pipeline->label);
    memory_free(pipeline);
}

enum backend_status cpu_render_pipeline_create(struct backend_device *base,
    const struct backend_render_pipeline_description *description,
    struct backend_render_pipeline **out_pipeline, struct text_buffer *out_message) {
    struct cpu_device *device = cpu_device_get(base);
    *out_pipeline = NULL;
    struct backend_render_pipeline *pipeline = memory_allocate_zeroed(
        MEMORY_OBJECT, 1, sizeof(*pipeline));
    if (pipeline == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    struct text label = description->label;
    struct stage_source vertex = {"vertex", description->vertex_module, description->vertex};
    struct stage_source fragment = {
        "fragment", description->fragment_module, description->fragment};
    pipeline->cache = device->cache;
    pipeline->state = *description->state;
    pipeline->label = memory_allocate_zeroed(MEMORY_OBJECT, 1, label.length + 1);
    enum backend_status status = BACKEND_OUT_OF_MEMORY;
    if (pipeline->label != NULL) {
        if (label.length != 0) {
            memcpy(pipeline->label, label.data, label.length);
        }
        status = init_stage(device, label, &vertex, &pipeline->vertex, out_message);
    }
    if (status == BACKEND_OK && fragment.module != NULL) {
        status = init_stage(device, label, &fragment, &pipeline->fragment, out_message);
    }
    if (status == BACKEND_OK && !init_varyings(pipeline)) {
        status = BACKEND_OUT_OF_MEMORY;
    }
    if (status != BACKEND_OK) {
        cpu_render_pipeline_destroy(pipeline);
        return status;
    }
    init_facts(pipeline, description->fragment_module);
    *out_pipeline = pipeline;
    return BACKEND_OK;
}
