// SPDX-License-Identifier: MIT
//
// Inlining: which calls, and the budget. inline_clone.c copies a body. See pass.h.
#include "shader/pass/inline_priv.h"

// A function of at most so many operations is copied to each of its calls.
#define SMALL_OPS 120u
// Beyond this size a caller takes no more functions than it must.
#define LARGE_OPS 20000u

struct traits {
    uint32_t op_count;
    uint32_t depth;      // of region nesting
    uint32_t call_count; // calls to it from all functions
    bool may_reach_barrier;
};

struct inliner {
    struct ir_module *module;
    struct arena *scratch;
    struct traits *traits; // by function
    uint32_t budget_ops;
    uint64_t total_ops;
    struct text_buffer *out_error;
};

// Calls of a function with the depth at which each stands.
struct call_site {
    ir_op_id op;
    uint32_t depth;
};

// Measures a function; callees were measured before. Lists its calls when sites is given.
static bool measure(
    struct inliner *inliner, uint32_t index, struct call_site *sites, uint32_t *site_count) {
    const struct ir_function *function = &inliner->module->functions.items[index];
    struct traits *traits = &inliner->traits[index];
    uint32_t region_count = 0;
    const uint32_t *regions = pass_list_regions(function, inliner->scratch, &region_count);
    uint32_t *depths = ARENA_ARRAY(inliner->scratch, uint32_t, function->regions.count);
    if (regions == NULL || depths == NULL) {
        return false;
    }
    traits->op_count = 0;
    traits->depth = 0;
    traits->may_reach_barrier = false;
    for (uint32_t i = 0; i < region_count; i++) {
        uint32_t depth = depths[regions[i]];
        traits->depth = depth > traits->depth ? depth : traits->depth;
        for (ir_op_id id = function->regions.items[regions[i]].first; id.index != 0;
             id = ir_op_get(function, id)->next) {
            const struct ir_op *op = ir_op_get(function, id);
            traits->op_count++;
            for (uint32_t k = 0; k < op->region_count; k++) {
                depths[op->regions[k].index] = depth + 1;
            }
            if ((ir_op_get_info(op->opcode)->flags & IR_FLAG_BARRIER) != 0) {
                traits->may_reach_barrier = true;
            }
            if (op->opcode == IR_CALL) {
                traits->may_reach_barrier = traits->may_reach_barrier ||
                    inliner->traits[op->data.index].may_reach_barrier;
                if (sites != NULL) {
                    sites[(*site_count)++] = (struct call_site){.op = id, .depth = depth};
                } else {
                    inliner->traits[op->data.index].call_count++;
                }
            }
        }
    }
    return true;
}

static enum pass_status refuse(const struct inliner *inliner, uint32_t caller, uint32_t callee,
    const char *limit, uint64_t number) {
    const struct ir_module *module = inliner->module;
    text_buffer_print(inliner->out_error,
        "function '%.*s' may reach a barrier and is inlined into '%.*s', which passes the "
        "limit of %llu %s",
        TEXT_ARGS(module->functions.items[callee].name),
        TEXT_ARGS(module->functions.items[caller].name), (unsigned long long)number, limit);
    return PASS_ERROR;
}

static enum pass_status inline_site(
    struct inliner *inliner, uint32_t caller, const struct call_site *site, struct pass_map *map) {
    struct ir_module *module = inliner->module;
    uint32_t callee = ir_op_get(&module->functions.items[caller], site->op)->data.index;
    const struct traits *traits = &inliner->traits[callee];
    struct traits *own = &inliner->traits[caller];
    uint32_t depth = site->depth + traits->depth + INLINE_EXTRA_DEPTH;
    bool must = traits->may_reach_barrier;
    if (!must &&
        (depth > IR_NESTING_LIMIT || own->op_count > LARGE_OPS ||
            inliner->total_ops + traits->op_count > inliner->budget_ops ||
            (traits->op_count > SMALL_OPS && traits->call_count != 1))) {
        return PASS_OK;
    }
    if (inliner->total_ops + traits->op_count > inliner->budget_ops) {
        return refuse(inliner, caller, callee, "operations", inliner->budget_ops);
    }
    if (depth > IR_NESTING_LIMIT) {
        return refuse(inliner, caller, callee, "nested regions", IR_NESTING_LIMIT);
    }
    inliner->total_ops += traits->op_count;
    own->op_count += traits->op_count;
    own->depth = depth > own->depth ? depth : own->depth;
    return inline_call(module, caller, site->op, inliner->scratch, map) ? PASS_OK
                                                                        : PASS_OUT_OF_MEMORY;
}

static enum pass_status inline_into(struct inliner *inliner, uint32_t caller) {
    struct ir_module *module = inliner->module;
    // Measured anew: its callees have changed since, but not its own operations.
    size_t op_count = module->functions.items[caller].ops.count;
    struct call_site *sites = ARENA_ARRAY(inliner->scratch, struct call_site, op_count);
    uint32_t site_count = 0;
    if (sites == NULL || !measure(inliner, caller, sites, &site_count)) {
        return PASS_OUT_OF_MEMORY;
    }
    if (site_count == 0) {
        return PASS_OK;
    }
    struct pass_map map;
    if (!pass_map_init(&map, inliner->scratch, &module->functions.items[caller])) {
        return PASS_OUT_OF_MEMORY;
    }
    bool was_reaching = inliner->traits[caller].may_reach_barrier;
    for (uint32_t i = 0; i < site_count; i++) {
        enum pass_status status = inline_site(inliner, caller, &sites[i], &map);
        if (status != PASS_OK || module->has_failed) {
            return status != PASS_OK ? status : PASS_OUT_OF_MEMORY;
        }
    }
    inliner->traits[caller].may_reach_barrier = was_reaching;
    pass_map_apply(&map, &module->functions.items[caller]);
    return PASS_OK;
}

static enum pass_status run(struct inliner *inliner) {
    struct ir_module *module = inliner->module;
    inliner->traits = ARENA_ARRAY(inliner->scratch, struct traits, module->functions.count + 1);
    if (inliner->traits == NULL) {
        return PASS_OUT_OF_MEMORY;
    }
    for (uint32_t f = 0; f < module->functions.count; f++) {
        if (!measure(inliner, f, NULL, NULL)) {
            return PASS_OUT_OF_MEMORY;
        }
        inliner->total_ops += inliner->traits[f].op_count;
    }
    // Callees come first, so what is copied is final.
    for (uint32_t f = 0; f < module->functions.count; f++) {
        if (f == module->initialisation) {
            continue;
        }
        enum pass_status status = inline_into(inliner, f);
        if (status != PASS_OK) {
            return status;
        }
    }
    return PASS_OK;
}

enum pass_status pass_inline(
    struct ir_module *module, uint32_t budget_ops, struct text_buffer *out_error) {
    if (module->has_failed) {
        return PASS_OUT_OF_MEMORY;
    }
    struct arena scratch;
    arena_init(&scratch, MEMORY_COMPILE);
    struct inliner inliner = {
        .module = module, .scratch = &scratch, .budget_ops = budget_ops, .out_error = out_error};
    enum pass_status status = run(&inliner);
    arena_finish(&scratch);
    return status == PASS_OK ? pass_drop_unreached(module, true) : status;
}
