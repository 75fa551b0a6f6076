// SPDX-License-Identifier: MIT
//
// The uniformity analysis as a graph: a node for each value, region and control operation of all
// functions, an edge for "at least as varying as". Seeds are memory and invocation ids; two
// breadth-first walks, for IR_VARYING and then IR_UNIFORM_VECTOR, give the least solution, so the
// cost is linear however control flow is nested. See analysis_uniformity.h.
#include "shader/ir/analysis_uniformity.h"

#include "base/try.h"

#define NO_NODE UINT32_MAX

struct edge {
    uint32_t target;
    uint32_t next; // index + 1 into edges; 0 ends the list
};

// Where a function's nodes begin. Values, regions and operations stand first; then, for each
// region, the level relative to the innermost loop and to the innermost switch.
struct layout {
    uint32_t values;
    uint32_t regions;
    uint32_t operations;
    uint32_t loop_relative;
    uint32_t switch_relative;
    uint32_t returned;
};

struct region_context {
    ir_op_id loop;      // the innermost loop around the region's operations
    ir_op_id switch_op; // the innermost switch, none when a loop stands between
    bool is_in_any_loop;
};

struct analysis {
    const struct ir_module *module;
    const struct ir_uniformity_options *options;
    struct arena *scratch;
    struct layout *layouts; // by function
    uint8_t *levels;        // by node
    uint32_t *heads;        // by node: index + 1 into edges
    uint32_t node_count;
    VECTOR(struct edge) edges;
    // Of the function at hand.
    const struct ir_function *function;
    const struct layout *layout;
    const struct ir_entry_point *entry_point;
    struct region_context *contexts; // by region
    uint32_t *roots;                 // by value: the root of a pointer, a value index
    uint32_t *continue_counts;       // by operation
    uint32_t return_count;
};

static bool add_edge(struct analysis *a, uint32_t source, uint32_t target) {
    if (source == target) {
        return true;
    }
    struct edge edge = {.target = target, .next = a->heads[source]};
    TRY(arena_vector_push(a->scratch, &a->edges, edge));
    a->heads[source] = (uint32_t)a->edges.count;
    return true;
}

static void seed(struct analysis *a, uint32_t node, enum ir_uniformity_level level) {
    if (a->levels[node] < level) {
        a->levels[node] = (uint8_t)level;
    }
}

static uint32_t value_node(const struct analysis *a, ir_value value) {
    return a->layout->values + value.index;
}
static uint32_t region_node(const struct analysis *a, ir_region_id region) {
    return a->layout->regions + region.index;
}
static uint32_t op_node(const struct analysis *a, ir_op_id op) {
    return a->layout->operations + op.index;
}
static uint32_t loop_relative_node(const struct analysis *a, ir_region_id region) {
    return a->layout->loop_relative + region.index;
}
static uint32_t switch_relative_node(const struct analysis *a, ir_region_id region) {
    return a->layout->switch_relative + region.index;
}

// ---------------------------------------------------------------- values

// The level of component `component` of a builtin input.
static enum ir_uniformity_level builtin_level(
    const struct ir_uniformity_options *options, enum builtin_value builtin, uint32_t component) {
    const uint32_t *size = options->workgroup_size;
    uint64_t width = options->vector_width;
    switch (builtin) {
    case BUILTIN_VALUE_WORKGROUP_ID:
    case BUILTIN_VALUE_WORKGROUP_INDEX:
    case BUILTIN_VALUE_NUM_WORKGROUPS:
    case BUILTIN_VALUE_SUBGROUP_SIZE:
    case BUILTIN_VALUE_NUM_SUBGROUPS:
    case BUILTIN_VALUE_FRAGMENT_SUBGROUP_SIZE:
        return IR_UNIFORM_WORKGROUP;
    case BUILTIN_VALUE_LOCAL_INVOCATION_ID:
    case BUILTIN_VALUE_GLOBAL_INVOCATION_ID: {
        if (size[component] == 1) {
            return IR_UNIFORM_WORKGROUP;
        }
        uint64_t before = component == 0 ? 1 : size[0];
        before *= component == 2 ? size[1] : 1;
        return component != 0 && before % width == 0 ? IR_UNIFORM_VECTOR : IR_VARYING;
    }
    case BUILTIN_VALUE_LOCAL_INVOCATION_INDEX:
    case BUILTIN_VALUE_GLOBAL_INVOCATION_INDEX:
    case BUILTIN_VALUE_SUBGROUP_INVOCATION_ID:
    case BUILTIN_VALUE_SUBGROUP_ID:
        return (uint64_t)size[0] * size[1] * size[2] == 1 ? IR_UNIFORM_WORKGROUP : IR_VARYING;
    case BUILTIN_VALUE_VERTEX_INDEX:
    case BUILTIN_VALUE_INSTANCE_INDEX:
    case BUILTIN_VALUE_CLIP_DISTANCES:
    case BUILTIN_VALUE_POSITION:
    case BUILTIN_VALUE_FRAGMENT_POSITION:
    case BUILTIN_VALUE_FRONT_FACING:
    case BUILTIN_VALUE_FRAG_DEPTH:
    case BUILTIN_VALUE_PRIMITIVE_INDEX:
    case BUILTIN_VALUE_SAMPLE_INDEX:
    case BUILTIN_VALUE_SAMPLE_MASK_IN:
    case BUILTIN_VALUE_SAMPLE_MASK_OUT:
    case BUILTIN_VALUE_FRAGMENT_SUBGROUP_INVOCATION_ID:
    case BUILTIN_VALUE_COUNT:
        return IR_VARYING;
    }
    return IR_VARYING;
}

// The level of components [first, first + count) of an input, chosen by `components`.
static enum ir_uniformity_level input_level(
    const struct analysis *a, uint32_t input, const uint8_t *components, uint32_t count) {
    if (a->entry_point == NULL || input >= a->entry_point->input_count ||
        !a->entry_point->inputs[input].is_builtin) {
        return IR_VARYING;
    }
    enum ir_uniformity_level level = IR_UNIFORM_WORKGROUP;
    for (uint32_t i = 0; i < count; i++) {
        enum ir_uniformity_level one = builtin_level(a->options,
            a->entry_point->inputs[input].builtin, components[i] < 3 ? components[i] : 2);
        level = one > level ? one : level;
    }
    return level;
}

static const struct ir_op *definition(const struct analysis *a, ir_value value) {
    const struct ir_value_info *info = ir_value_get(a->function, value);
    return info->kind == IR_VALUE_RESULT ? &a->function->ops.items[info->definition] : NULL;
}

// The root of a pointer: follows access operations and shortens the path for the next asker.
static ir_value pointer_root(struct analysis *a, ir_value pointer) {
    uint32_t root = pointer.index;
    while (a->roots[root] == 0) {
        const struct ir_op *op = definition(a, (ir_value){root});
        if (op == NULL || op->opcode != IR_ACCESS) {
            a->roots[root] = root;
            break;
        }
        root = op->operands[0].index;
    }
    root = a->roots[root];
    for (uint32_t at = pointer.index; a->roots[at] == 0;) {
        a->roots[at] = root;
        at = definition(a, (ir_value){at})->operands[0].index;
    }
    return (ir_value){root};
}

// The `var` operation at the root of a pointer, none for other roots.
static ir_op_id root_var(struct analysis *a, ir_value pointer) {
    ir_value root = pointer_root(a, pointer);
    const struct ir_op *op = definition(a, root);
    if (op == NULL || op->opcode != IR_VAR) {
        return (ir_op_id){0};
    }
    return (ir_op_id){ir_value_get(a->function, root)->definition};
}

static bool visit_load(struct analysis *a, const struct ir_op *op) {
    uint32_t result = value_node(a, op->first_result);
    TRY(add_edge(a, value_node(a, op->operands[0]), result));
    const struct type *pointer = type_get(
        &a->module->types, ir_value_type(a->function, op->operands[0]));
    switch (pointer->space) {
    case SPACE_FUNCTION: {
        ir_op_id var = root_var(a, op->operands[0]);
        if (var.index == 0) {
            seed(a, result, IR_VARYING);
            return true;
        }
        return add_edge(a, op_node(a, var), result);
    }
    case SPACE_PRIVATE:
        // With access read it is a constant table, the same for all.
        if (pointer->access != ACCESS_READ) {
            seed(a, result, IR_VARYING);
        }
        return true;
    case SPACE_WORKGROUP:
        seed(a, result, IR_UNIFORM_VECTOR);
        return true;
    case SPACE_STORAGE:
        seed(a, result, pointer->access == ACCESS_READ ? IR_UNIFORM_WORKGROUP : IR_UNIFORM_VECTOR);
        return true;
    case SPACE_UNIFORM:
    case SPACE_HANDLE:
    case SPACE_IMMEDIATE:
    case SPACE_COUNT:
        return true;
    }
    return true;
}

// A pointer whose memory may be written in a way that is not followed.
static void escape(struct analysis *a, ir_value pointer) {
    ir_op_id var = root_var(a, pointer);
    if (var.index != 0) {
        seed(a, op_node(a, var), IR_VARYING);
    }
}

static bool visit_store(struct analysis *a, const struct ir_op *op, ir_region_id region) {
    ir_op_id var = root_var(a, op->operands[0]);
    if (var.index == 0) {
        return true;
    }
    uint32_t content = op_node(a, var);
    TRY(add_edge(a, value_node(a, op->operands[0]), content));
    TRY(add_edge(a, value_node(a, op->operands[1]), content));
    return add_edge(a, region_node(a, region), content);
}

static bool visit_call(struct analysis *a, const struct ir_op *op) {
    const struct ir_function *callee = &a->module->functions.items[op->data.index];
    const struct layout *layout = &a->layouts[op->data.index];
    for (uint32_t i = 0; i < op->operand_count && i < callee->parameter_count; i++) {
        TRY(add_edge(
            a, value_node(a, op->operands[i]), layout->values + callee->parameters[i].index));
        if (type_kind_of(&a->module->types, ir_value_type(a->function, op->operands[i])) ==
            TYPE_POINTER) {
            escape(a, op->operands[i]);
        }
    }
    for (uint32_t i = 0; i < op->result_count; i++) {
        TRY(add_edge(a, layout->returned, value_node(a, ir_op_result(op, i))));
    }
    return true;
}

static bool visit_plain(struct analysis *a, const struct ir_op *op) {
    for (uint32_t r = 0; r < op->result_count; r++) {
        for (uint32_t i = 0; i < op->operand_count; i++) {
            TRY(add_edge(a, value_node(a, op->operands[i]), value_node(a, ir_op_result(op, r))));
        }
    }
    return true;
}

// Components of an invocation id are told apart: a component may be uniform though the vector is
// not.
static bool visit_component(struct analysis *a, const struct ir_op *op) {
    const struct ir_op *source = definition(a, op->operands[0]);
    if (source == NULL || source->opcode != IR_LOAD_INPUT) {
        return visit_plain(a, op);
    }
    uint8_t one = (uint8_t)(op->data.index < 255 ? op->data.index : 255);
    bool is_swizzle = op->opcode == IR_SWIZZLE;
    uint32_t count = is_swizzle
        ? type_component_count(&a->module->types, ir_value_type(a->function, op->first_result))
        : 1;
    seed(a, value_node(a, op->first_result),
        input_level(a, source->data.index, is_swizzle ? op->data.swizzle : &one, count));
    return true;
}

// ---------------------------------------------------------------- control flow

static bool visit_if(struct analysis *a, const struct ir_op *op, ir_op_id id, ir_region_id parent) {
    uint32_t condition = value_node(a, op->operands[0]);
    TRY(add_edge(a, condition, op_node(a, id)));
    const struct ir_op *exits[2];
    uint32_t exit_count = 0;
    for (uint32_t i = 0; i < op->region_count; i++) {
        ir_region_id region = op->regions[i];
        TRY(add_edge(a, region_node(a, parent), region_node(a, region)));
        TRY(add_edge(a, condition, region_node(a, region)));
        TRY(add_edge(a, loop_relative_node(a, parent), loop_relative_node(a, region)));
        TRY(add_edge(a, condition, loop_relative_node(a, region)));
        TRY(add_edge(a, switch_relative_node(a, parent), switch_relative_node(a, region)));
        TRY(add_edge(a, condition, switch_relative_node(a, region)));
        ir_op_id last = ir_region_get(a->function, region)->last;
        if (last.index != 0 && ir_op_get(a->function, last)->opcode == IR_EXIT_IF &&
            exit_count < 2) {
            exits[exit_count++] = ir_op_get(a->function, last);
        }
    }
    for (uint32_t r = 0; r < op->result_count; r++) {
        uint32_t result = value_node(a, ir_op_result(op, r));
        for (uint32_t i = 0; i < exit_count; i++) {
            TRY(add_edge(a, value_node(a, exits[i]->operands[r]), result));
        }
        if (exit_count == 2 && exits[0]->operands[r].index != exits[1]->operands[r].index) {
            TRY(add_edge(a, condition, result));
        }
    }
    return true;
}

static bool visit_switch(
    struct analysis *a, const struct ir_op *op, ir_op_id id, ir_region_id parent) {
    uint32_t selector = value_node(a, op->operands[0]);
    uint32_t divergence = op_node(a, id);
    TRY(add_edge(a, selector, divergence));
    for (uint32_t i = 0; i < op->region_count; i++) {
        ir_region_id region = op->regions[i];
        TRY(add_edge(a, region_node(a, parent), region_node(a, region)));
        TRY(add_edge(a, divergence, region_node(a, region)));
        TRY(add_edge(a, loop_relative_node(a, parent), loop_relative_node(a, region)));
        TRY(add_edge(a, divergence, loop_relative_node(a, region)));
        TRY(add_edge(a, selector, switch_relative_node(a, region)));
    }
    for (uint32_t r = 0; r < op->result_count; r++) {
        TRY(add_edge(a, divergence, value_node(a, ir_op_result(op, r))));
    }
    return true;
}

static bool visit_loop(
    struct analysis *a, const struct ir_op *op, ir_op_id id, ir_region_id parent) {
    for (uint32_t i = 0; i < op->region_count; i++) {
        ir_region_id region = op->regions[i];
        TRY(add_edge(a, region_node(a, parent), region_node(a, region)));
        TRY(add_edge(a, op_node(a, id), region_node(a, region)));
    }
    const struct ir_region *body = ir_region_get(a->function, op->regions[0]);
    for (uint32_t i = 0; i < body->parameter_count && i < op->operand_count; i++) {
        TRY(add_edge(a, value_node(a, op->operands[i]), value_node(a, body->parameters[i])));
    }
    return true;
}

// Operands [first, ...) become the loop's results; a value of the world outside the loop that all
// exits share would stay uniform, but that is rare after simplification.
static bool visit_loop_exit(
    struct analysis *a, const struct ir_op *op, uint32_t first, ir_op_id loop_id) {
    const struct ir_op *loop = ir_op_get(a->function, loop_id);
    for (uint32_t r = 0; r < loop->result_count && first + r < op->operand_count; r++) {
        uint32_t result = value_node(a, ir_op_result(loop, r));
        TRY(add_edge(a, value_node(a, op->operands[first + r]), result));
        TRY(add_edge(a, op_node(a, loop_id), result));
    }
    return true;
}

static bool visit_next(struct analysis *a, const struct ir_op *op, uint32_t first, uint32_t count,
    const struct ir_op *loop) {
    const struct ir_region *body = ir_region_get(a->function, loop->regions[0]);
    for (uint32_t i = 0; i < count && i < body->parameter_count; i++) {
        TRY(add_edge(
            a, value_node(a, op->operands[first + i]), value_node(a, body->parameters[i])));
    }
    return true;
}

static bool visit_continue(struct analysis *a, const struct ir_op *op, ir_op_id loop_id) {
    const struct ir_op *loop = ir_op_get(a->function, loop_id);
    const struct ir_region *continuing = ir_region_get(a->function, loop->regions[1]);
    bool is_joined = a->continue_counts[loop_id.index] > 1;
    for (uint32_t i = 0; i < op->operand_count && i < continuing->parameter_count; i++) {
        uint32_t parameter = value_node(a, continuing->parameters[i]);
        TRY(add_edge(a, value_node(a, op->operands[i]), parameter));
        if (is_joined) {
            TRY(add_edge(a, op_node(a, loop_id), parameter));
        }
    }
    return true;
}

static bool visit_terminator(struct analysis *a, const struct ir_op *op, ir_region_id region) {
    const struct region_context *context = &a->contexts[region.index];
    switch (op->opcode) {
    case IR_EXIT_SWITCH: {
        const struct ir_op *switch_op = ir_op_get(a->function, context->switch_op);
        TRY(add_edge(a, switch_relative_node(a, region), op_node(a, context->switch_op)));
        for (uint32_t r = 0; r < switch_op->result_count && r < op->operand_count; r++) {
            TRY(add_edge(
                a, value_node(a, op->operands[r]), value_node(a, ir_op_result(switch_op, r))));
        }
        return true;
    }
    case IR_EXIT_LOOP:
        TRY(add_edge(a, loop_relative_node(a, region), op_node(a, context->loop)));
        return visit_loop_exit(a, op, 0, context->loop);
    case IR_CONTINUE:
        TRY(add_edge(a, loop_relative_node(a, region), op_node(a, context->loop)));
        return visit_continue(a, op, context->loop);
    case IR_NEXT_ITERATION:
        return visit_next(a, op, 0, op->operand_count, ir_op_get(a->function, context->loop));
    case IR_BREAK_IF: {
        uint32_t count = op->data.break_if.body_argument_count;
        TRY(add_edge(a, loop_relative_node(a, region), op_node(a, context->loop)));
        TRY(add_edge(a, value_node(a, op->operands[0]), op_node(a, context->loop)));
        TRY(visit_next(a, op, 1, count, ir_op_get(a->function, context->loop)));
        return visit_loop_exit(a, op, 1 + count, context->loop);
    }
    case IR_RETURN:
        for (uint32_t i = 0; i < op->operand_count; i++) {
            TRY(add_edge(a, value_node(a, op->operands[i]), a->layout->returned));
        }
        // One return outside loops gives each invocation the value of the same execution.
        if (a->return_count > 1 || context->is_in_any_loop) {
            TRY(add_edge(a, region_node(a, region), a->layout->returned));
        }
        return true;
    default: // exit_if is read by its `if`; unreachable has nothing
        return true;
    }
}

// ---------------------------------------------------------------- the walk

static bool visit_op(struct analysis *a, ir_op_id id, ir_region_id region) {
    const struct ir_op *op = ir_op_get(a->function, id);
    const struct ir_op_info *info = ir_op_get_info(op->opcode);
    switch (info->family) {
    case IR_FAMILY_LOAD:
        if (op->opcode == IR_WORKGROUP_UNIFORM_LOAD) {
            return true;
        }
        return visit_load(a, op);
    case IR_FAMILY_STORE:
        return visit_store(a, op, region);
    case IR_FAMILY_COPY_MEMORY:
        escape(a, op->operands[0]);
        return true;
    case IR_FAMILY_ARRAY_LENGTH:
    case IR_FAMILY_VAR:
        return true;
    case IR_FAMILY_ATOMIC_LOAD:
    case IR_FAMILY_ATOMIC_STORE:
    case IR_FAMILY_ATOMIC_RMW:
    case IR_FAMILY_ATOMIC_COMPARE_EXCHANGE:
        for (uint32_t r = 0; r < op->result_count; r++) {
            seed(a, value_node(a, ir_op_result(op, r)), IR_VARYING);
        }
        return true;
    case IR_FAMILY_LOAD_INPUT: {
        static const uint8_t all[3] = {0, 1, 2};
        uint32_t count = type_component_count(
            &a->module->types, ir_value_type(a->function, op->first_result));
        seed(a, value_node(a, op->first_result),
            input_level(a, op->data.index, all, count < 3 ? count : 3));
        return true;
    }
    case IR_FAMILY_EXTRACT:
    case IR_FAMILY_SWIZZLE:
        return visit_component(a, op);
    case IR_FAMILY_CALL:
        return visit_call(a, op);
    case IR_FAMILY_CONTROL:
        if (op->opcode == IR_IF) {
            return visit_if(a, op, id, region);
        }
        return op->opcode == IR_LOOP ? visit_loop(a, op, id, region)
                                     : visit_switch(a, op, id, region);
    case IR_FAMILY_TERMINATOR:
        return visit_terminator(a, op, region);
    case IR_FAMILY_TEXTURE_LOAD:
    case IR_FAMILY_DERIVATIVE:
    case IR_FAMILY_SUBGROUP_REDUCE:
    case IR_FAMILY_SUBGROUP_VOTE:
    case IR_FAMILY_SUBGROUP_ELECT:
    case IR_FAMILY_SUBGROUP_SHUFFLE:
    case IR_FAMILY_TEXTURE_SAMPLE:
        // Other invocations decide too.
        seed(a, value_node(a, ir_op_result(op, 0)), IR_VARYING);
        return visit_plain(a, op);
    default:
        return visit_plain(a, op);
    }
}

// Fills contexts and counts; lists the reachable regions, outer before inner. A list of regions
// instead of recursion: the order of edges does not matter.
static bool list_regions(struct analysis *a, uint32_t *list, uint32_t *out_count) {
    uint32_t count = 0;
    list[count++] = a->function->body.index;
    a->contexts[a->function->body.index] = (struct region_context){0};
    for (uint32_t at = 0; at < count; at++) {
        struct region_context outer = a->contexts[list[at]];
        const struct ir_region *region = &a->function->regions.items[list[at]];
        for (ir_op_id id = region->first; id.index != 0; id = ir_op_get(a->function, id)->next) {
            const struct ir_op *op = ir_op_get(a->function, id);
            a->return_count += op->opcode == IR_RETURN;
            if (op->opcode == IR_CONTINUE) {
                a->continue_counts[outer.loop.index]++;
            }
            struct region_context inner = outer;
            if (op->opcode == IR_LOOP) {
                inner = (struct region_context){.loop = id, .is_in_any_loop = true};
            } else if (op->opcode == IR_SWITCH) {
                inner.switch_op = id;
            }
            for (uint32_t i = 0; i < op->region_count; i++) {
                a->contexts[op->regions[i].index] = inner;
                list[count++] = op->regions[i].index;
            }
        }
    }
    *out_count = count;
    return true;
}

static bool visit_function(struct analysis *a, uint32_t index) {
    a->function = &a->module->functions.items[index];
    a->layout = &a->layouts[index];
    a->entry_point = NULL;
    for (uint32_t i = 0; i < a->module->entry_points.count; i++) {
        if (a->module->entry_points.items[i].function == index) {
            a->entry_point = &a->module->entry_points.items[i];
        }
    }
    a->return_count = 0;
    a->contexts = ARENA_ARRAY(a->scratch, struct region_context, a->function->regions.count);
    a->roots = ARENA_ARRAY(a->scratch, uint32_t, a->function->values.count);
    a->continue_counts = ARENA_ARRAY(a->scratch, uint32_t, a->function->ops.count);
    uint32_t *list = ARENA_ARRAY(a->scratch, uint32_t, a->function->regions.count);
    if (a->contexts == NULL || a->roots == NULL || a->continue_counts == NULL || list == NULL) {
        return false;
    }
    uint32_t count = 0;
    TRY(list_regions(a, list, &count));
    for (uint32_t i = 0; i < count; i++) {
        ir_region_id region = {list[i]};
        ir_op_id next;
        for (ir_op_id id = ir_region_get(a->function, region)->first; id.index != 0; id = next) {
            next = ir_op_get(a->function, id)->next;
            TRY(visit_op(a, id, region));
        }
    }
    return true;
}

static bool propagate(struct analysis *a, enum ir_uniformity_level level, uint32_t *queue) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < a->node_count; node++) {
        if (a->levels[node] == level) {
            queue[count++] = node;
        }
    }
    for (uint32_t at = 0; at < count; at++) {
        for (uint32_t e = a->heads[queue[at]]; e != 0; e = a->edges.items[e - 1].next) {
            uint32_t target = a->edges.items[e - 1].target;
            if (a->levels[target] < level) {
                a->levels[target] = (uint8_t)level;
                queue[count++] = target;
            }
        }
    }
    return true;
}

static bool lay_out(struct analysis *a) {
    uint64_t node = 0;
    a->layouts = ARENA_ARRAY(a->scratch, struct layout, a->module->functions.count + 1);
    if (a->layouts == NULL) {
        return false;
    }
    for (uint32_t f = 0; f < a->module->functions.count; f++) {
        const struct ir_function *function = &a->module->functions.items[f];
        struct layout *layout = &a->layouts[f];
        layout->values = (uint32_t)node;
        node += function->values.count;
        layout->regions = (uint32_t)node;
        node += function->regions.count;
        layout->operations = (uint32_t)node;
        node += function->ops.count;
        layout->loop_relative = (uint32_t)node;
        node += function->regions.count;
        layout->switch_relative = (uint32_t)node;
        node += function->regions.count;
        layout->returned = (uint32_t)node;
        node += 1;
        if (node > UINT32_MAX) {
            return false;
        }
    }
    a->node_count = (uint32_t)node;
    return true;
}

static bool seed_uncalled_parameters(struct analysis *a) {
    uint8_t *is_called = ARENA_ARRAY(a->scratch, uint8_t, a->module->functions.count + 1);
    if (is_called == NULL) {
        return false;
    }
    for (uint32_t f = 0; f < a->module->functions.count; f++) {
        const struct ir_function *function = &a->module->functions.items[f];
        for (uint32_t i = 1; i < function->ops.count; i++) {
            if (function->ops.items[i].opcode == IR_CALL) {
                is_called[function->ops.items[i].data.index] = 1;
            }
        }
    }
    for (uint32_t f = 0; f < a->module->functions.count; f++) {
        const struct ir_function *function = &a->module->functions.items[f];
        for (uint32_t i = 0; i < function->parameter_count && !is_called[f]; i++) {
            seed(a, a->layouts[f].values + function->parameters[i].index, IR_VARYING);
        }
    }
    return true;
}

static bool write_out(const struct analysis *a, struct arena *arena, struct ir_uniformity *out) {
    out->function_count = (uint32_t)a->module->functions.count;
    out->functions = ARENA_ARRAY(arena, struct ir_function_uniformity, out->function_count + 1u);
    uint8_t *levels = arena_copy(arena, a->levels, a->node_count);
    if (out->functions == NULL || levels == NULL) {
        return false;
    }
    for (uint32_t f = 0; f < out->function_count; f++) {
        out->functions[f] = (struct ir_function_uniformity){
            .values = levels + a->layouts[f].values,
            .regions = levels + a->layouts[f].regions,
            .operations = levels + a->layouts[f].operations,
            .return_level = levels[a->layouts[f].returned],
        };
    }
    return true;
}

static bool analyse(struct analysis *a, struct arena *arena, struct ir_uniformity *out) {
    TRY(lay_out(a));
    a->levels = ARENA_ARRAY(a->scratch, uint8_t, a->node_count + 1u);
    a->heads = ARENA_ARRAY(a->scratch, uint32_t, a->node_count + 1u);
    uint32_t *queue = ARENA_ARRAY(a->scratch, uint32_t, a->node_count + 1u);
    if (a->levels == NULL || a->heads == NULL || queue == NULL) {
        return false;
    }
    TRY(seed_uncalled_parameters(a));
    for (uint32_t f = 0; f < a->module->functions.count; f++) {
        TRY(visit_function(a, f));
    }
    TRY(propagate(a, IR_VARYING, queue));
    TRY(propagate(a, IR_UNIFORM_VECTOR, queue));
    return write_out(a, arena, out);
}

bool ir_uniformity_analyse(const struct ir_module *module,
    const struct ir_uniformity_options *options, struct arena *arena,
    struct ir_uniformity *out_uniformity) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct analysis a = {.module = module, .options = options, .scratch = &scratch};
    bool ok = !module->has_failed && analyse(&a, arena, out_uniformity);
    arena_finish(&scratch);
    return ok;
}
