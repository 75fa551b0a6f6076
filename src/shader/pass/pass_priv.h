// SPDX-License-Identifier: MIT
//
// What the passes share: value maps, lists of regions, small builders. Not thread-safe.
#pragma once

#include "base/arena.h"
#include "base/try.h"
#include "shader/ir/ir_builder.h"
#include "shader/pass/pass.h"

// The outcome of a pass that only memory can stop.
static inline enum pass_status pass_finish(const struct ir_module *module, bool ok) {
    return ok && !module->has_failed ? PASS_OK : PASS_OUT_OF_MEMORY;
}

static inline struct ir_function *pass_function(const struct ir_builder *builder) {
    return &builder->module->functions.items[builder->function];
}

// A replacement for values of one function: items[value] is the value's substitute or 0. Values
// made after the map are their own. Chains are followed and shortened.
struct pass_map {
    uint32_t *items;
    uint32_t count;
};
// False when out of memory. Covers the values that exist now.
bool pass_map_init(struct pass_map *map, struct arena *scratch, const struct ir_function *function);
ir_value pass_map_get(struct pass_map *map, ir_value value);
void pass_map_set(struct pass_map *map, ir_value from, ir_value to);
// Rewrites the operands of all linked operations.
void pass_map_apply(struct pass_map *map, struct ir_function *function);

// The regions that can be reached from the body, outer before inner; *out_count of them, in scratch
// memory. NULL when out of memory.
uint32_t *pass_list_regions(
    const struct ir_function *function, struct arena *scratch, uint32_t *out_count);

// The operation that defines a value, NULL for parameters and constants.
static inline struct ir_op *pass_definition(const struct ir_function *function, ir_value value) {
    const struct ir_value_info *info = ir_value_get(function, value);
    return info->kind == IR_VALUE_RESULT ? &function->ops.items[info->definition] : NULL;
}
// The value at which a pointer's accesses start: a `var`, a `variable` or a parameter. A chain of
// accesses is no longer than types are nested; where buffer views make it longer than that, the
// value at which the walk gave up. For other values: itself.
ir_value pass_pointer_root(const struct ir_function *function, ir_value pointer);
// The bytes of a constant; NULL when the value is no constant. A large zero constant has no bytes:
// *out_is_constant tells (it may be NULL where that does not matter).
const void *pass_constant_bytes(const struct ir_module *module, const struct ir_function *function,
    ir_value value, bool *out_is_constant);
// True for an i32 or u32 constant, with its bits.
bool pass_constant_index(const struct ir_module *module, const struct ir_function *function,
    ir_value value, uint32_t *out_bits);
// A constant of scalar or vector type that has the number in each component, converted to f32, f16,
// i32 or u32.
ir_value pass_number(struct ir_builder *builder, type_id type, double number);
// The bits of the nearest f16, ties to even.
uint16_t pass_half_from_float(float number);
// The same shape with another element kind.
type_id pass_shape(struct ir_builder *builder, type_id type, enum type_kind element);
// Moves a region's operations before an operation.
void pass_splice(struct ir_function *function, ir_region_id region, ir_op_id before);
// Unlinks an operation with all that is nested in it, which then counts as unlinked too.
void pass_remove_op(struct ir_function *function, ir_op_id op);
// True when a loop body's last operation is the only `continue` in it.
bool pass_is_only_continue(const struct ir_function *function, ir_region_id body);
// Replaces the operand list by a new one. False when out of memory (has_failed is set).
bool pass_set_operands(
    struct ir_module *module, struct ir_op *op, const ir_value *operands, uint32_t count);
// Gives the operation new results of these types instead of its old ones; the caller maps the old
// ones.
bool pass_set_results(
    struct ir_module *module, uint32_t function, ir_op_id op, const type_id *types, uint32_t count);
// Vector with one component replaced, by a dynamic index: unchanged when it is out of range.
ir_value pass_insert_dynamic(
    struct ir_builder *builder, ir_value vector, ir_value element, ir_value index);
// One component by a dynamic index: zero when it is out of range.
ir_value pass_extract_dynamic(struct ir_builder *builder, ir_value vector, ir_value index);
