// SPDX-License-Identifier: MIT
//
// Reflection of an entry point's inputs and outputs. See reflect_priv.h.
#include <stdlib.h>

#include "base/try.h"
#include "shader/ir/reflect_priv.h"

static int compare(const void *a, const void *b) {
    const struct reflect_io *left = a, *right = b;
    if (left->location != right->location) {
        return left->location < right->location ? -1 : 1;
    }
    return left->blend_source < right->blend_source ? -1 : left->blend_source > right->blend_source;
}

static bool describe(const struct ir_module *module, const struct ir_interface *rows,
    uint32_t count, struct arena *arena, struct reflect_entry_point *out,
    struct reflect_io **out_items, uint32_t *out_count) {
    struct reflect_io *items = ARENA_ARRAY(arena, struct reflect_io, (size_t)count + 1);
    TRY(items != NULL);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_interface *row = &rows[i];
        if (row->is_builtin) {
            out->builtins |= (uint64_t)1 << row->builtin;
            if (row->builtin == BUILTIN_VALUE_CLIP_DISTANCES) {
                out->clip_distance_count = type_get(&module->types, row->type)->count;
            }
            continue;
        }
        items[kept] = (struct reflect_io){
            .location = row->location,
            .blend_source = row->blend_source,
            .has_blend_source = row->has_blend_source,
            .scalar = type_kind_of(&module->types, type_element_of(&module->types, row->type)),
            .component_count = type_component_count(&module->types, row->type),
            .interpolation = row->interpolation,
            .sampling = row->sampling,
        };
        struct text *name = &items[kept++].name;
        *name = (struct text){text_copy(arena, row->name), row->name.length};
        TRY(name->data != NULL);
    }
    if (kept > 1) {
        qsort(items, kept, sizeof(*items), compare);
    }
    *out_items = items;
    *out_count = kept;
    return true;
}

bool reflect_describe_interface(const struct ir_module *module, const struct ir_entry_point *entry,
    struct arena *arena, struct reflect_entry_point *out) {
    return describe(module, entry->inputs, entry->input_count, arena, out, &out->inputs,
               &out->input_count) &&
        describe(module, entry->outputs, entry->output_count, arena, out, &out->outputs,
            &out->output_count);
}
