// SPDX-License-Identifier: MIT
//
// The form of loops that invocations leave at different times: fewer tests and masks. See pass.h.
#include "shader/ir/analysis_uniformity.h"
#include "shader/pass/pass_priv.h"

#define MOST_PARTS 16u

struct parts {
    ir_value
        uniform; // the conjunction (disjunction) of the parts that are the same for all, or none
    ir_value varying;
};

struct former {
    struct ir_module *module;
    uint32_t function;
    const uint8_t *levels; // by value; values made by this pass have none
    uint32_t level_count;
};

static struct ir_function *current(const struct former *s) {
    return &s->module->functions.items[s->function];
}

// The one operation of the region, or its opcode's absence: IR_OPCODE_COUNT.
static enum ir_opcode only_op(const struct ir_function *function, ir_region_id region) {
    const struct ir_region *info = ir_region_get(function, region);
    return info->first.index != 0 && info->first.index == info->last.index
        ? ir_op_get(function, info->first)->opcode
        : IR_OPCODE_COUNT;
}

static ir_value join(struct ir_builder *builder, enum ir_opcode opcode, ir_value a, ir_value b) {
    return a.index == 0 ? b : ir_builder_binary(builder, opcode, a, b);
}

// Takes `condition` apart along `opcode`. False when out of memory; parts stay empty where there is
// nothing to split or too much.
static bool take_apart(const struct former *s, ir_op_id id, ir_value condition,
    enum ir_opcode opcode, struct parts *out_parts) {
    ir_value list[MOST_PARTS] = {condition};
    uint32_t count = 1;
    for (uint32_t i = 0; i < count;) {
        const struct ir_op *op = pass_definition(current(s), list[i]);
        if (op == NULL || op->opcode != opcode) {
            i++;
        } else if (count == MOST_PARTS) {
            return true;
        } else {
            list[i] = op->operands[0];
            list[count++] = op->operands[1];
        }
    }
    bool has[2] = {false, false};
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].index >= s->level_count) {
            return true;
        }
        has[s->levels[list[i].index] == IR_VARYING] = true;
    }
    if (!has[0] || !has[1]) {
        return true;
    }
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    for (uint32_t i = 0; i < count; i++) {
        ir_value *side = s->levels[list[i].index] == IR_VARYING ? &out_parts->varying
                                                                : &out_parts->uniform;
        *side = join(&b, opcode, *side, list[i]);
        TRY(side->index != 0);
    }
    return true;
}

static bool split(struct former *s, ir_op_id id) {
    const struct ir_op *op = ir_op_get(current(s), id);
    if (op->opcode != IR_IF || op->result_count > 0) {
        return true;
    }
    uint32_t leaving = only_op(current(s), op->regions[0]) == IR_EXIT_LOOP ? 0 : 1;
    if (only_op(current(s), op->regions[leaving]) != IR_EXIT_LOOP ||
        only_op(current(s), op->regions[1 - leaving]) != IR_EXIT_IF) {
        return true;
    }
    ir_region_id region = op->regions[leaving];
    struct parts parts = {0};
    TRY(take_apart(s, id, op->operands[0], leaving == 0 ? IR_OR : IR_AND, &parts));
    if (parts.uniform.index == 0) {
        return true;
    }
    struct ir_builder b = ir_builder_before(s->module, s->function, id);
    b.span = ir_op_get(current(s), id)->span;
    ir_op_id first = ir_builder_if(&b, parts.uniform, NULL, 0);
    TRY(first.index != 0);
    struct ir_builder leave = ir_builder_in(&b, first, leaving);
    struct ir_builder stay = ir_builder_in(&b, first, 1 - leaving);
    const struct ir_op *end = ir_op_get(current(s), ir_region_get(current(s), region)->first);
    ir_builder_terminate(&leave, IR_EXIT_LOOP, end->operands, end->operand_count);
    ir_builder_terminate(&stay, IR_EXIT_IF, NULL, 0);
    ir_op_get(current(s), id)->operands[0] = parts.varying;
    return !s->module->has_failed;
}

// Arithmetic of the continuing region goes to the end of the body, so that nothing stands between the
// question whether anyone is left and the next iteration.
static void shorten_continuing(struct former *s, ir_op_id id) {
    struct ir_function *function = current(s);
    const struct ir_op *loop = ir_op_get(function, id);
    if (loop->opcode != IR_LOOP || !pass_is_only_continue(function, loop->regions[0])) {
        return;
    }
    ir_op_id end = ir_region_get(function, loop->regions[0])->last;
    ir_op_id at = ir_region_get(function, loop->regions[1])->first;
    if (ir_op_get(function, end)->operand_count > 0) {
        return; // the region has parameters
    }
    while (at.index != 0) {
        const struct ir_op *op = ir_op_get(function, at);
        ir_op_id next = op->next;
        if (op->region_count > 0 || (ir_op_get_info(op->opcode)->flags & IR_FLAG_PURE) == 0) {
            return;
        }
        ir_op_move_before(function, at, end);
        at = next;
    }
}

static bool form_loops(struct ir_module *module, uint32_t index,
    const struct ir_uniformity *uniformity, struct arena *scratch) {
    struct former s = {.module = module,
        .function = index,
        .levels = uniformity->functions[index].values,
        .level_count = (uint32_t)module->functions.items[index].values.count};
    uint32_t region_count = 0;
    const uint32_t *regions = pass_list_regions(current(&s), scratch, &region_count);
    TRY(regions != NULL);
    for (uint32_t i = 0; i < region_count; i++) {
        ir_op_id id = ir_region_get(current(&s), (ir_region_id){regions[i]})->first;
        while (id.index != 0) {
            ir_op_id next = ir_op_get(current(&s), id)->next;
            TRY(split(&s, id));
            shorten_continuing(&s, id);
            id = next;
        }
    }
    return true;
}

enum pass_status pass_loops(struct ir_module *module) {
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    // The width is not known here: with one as wide as this no id is uniform by the group's shape.
    struct ir_uniformity_options options = {.vector_width = 1u << 16, .workgroup_size = {2, 2, 2}};
    struct ir_uniformity uniformity;
    bool ok = !module->has_failed && ir_uniformity_analyse(module, &options, &scratch, &uniformity);
    for (uint32_t f = 0; ok && f < module->functions.count; f++) {
        ok = form_loops(module, f, &uniformity, &scratch);
    }
    arena_finish(&scratch);
    return pass_finish(module, ok);
}
