// SPDX-License-Identifier: MIT
//
// Building and editing IR. The front end and every pass use it. A builder is a cursor: operations go
// to the end of `region`, or before `before` when that is set. On allocation failure functions
// return index 0 and module->has_failed is set; callers may go on and check once at the end (all
// functions accept index 0 operands then and do nothing). Not thread-safe.
#pragma once

#include "shader/ir/ir.h"

struct ir_builder {
    struct ir_module *module;
    uint32_t function; // index; not a pointer, since the vector grows
    ir_region_id region;
    ir_op_id before; // none: append
    struct ir_span span; // given to each new operation
};

// Adds a function with an empty body region; returns its index (UINT32_MAX on failure).
uint32_t ir_function_create(struct ir_module *module, struct text name, type_id return_type,
                            const type_id *parameter_types, uint32_t parameter_count);
// A cursor at the end of the function's body.
struct ir_builder ir_builder_create(struct ir_module *module, uint32_t function);

// Constants. bytes in the type's layout (see struct ir_constant), copied; NULL for zero.
uint32_t ir_constant_create(struct ir_module *module, type_id type, const void *bytes);
ir_value ir_builder_constant(struct ir_builder *builder, uint32_t constant);
ir_value ir_builder_constant_bytes(struct ir_builder *builder, type_id type, const void *bytes);
ir_value ir_builder_u32(struct ir_builder *builder, uint32_t number);
ir_value ir_builder_i32(struct ir_builder *builder, int32_t number);
ir_value ir_builder_f32(struct ir_builder *builder, float number);
ir_value ir_builder_bool(struct ir_builder *builder, bool truth);
ir_value ir_builder_zero(struct ir_builder *builder, type_id type);

// The general form: one operation with operands, result_count result types (NULL when 0) and no
// regions. Returns the first result, or index 0 when there is none.
ir_value ir_builder_op(struct ir_builder *builder, enum ir_opcode opcode, const ir_value *operands,
                       uint32_t operand_count, const type_id *result_types, uint32_t result_count,
                       union ir_op_data data);
// Common forms; the result type follows from the family.
ir_value ir_builder_unary(struct ir_builder *builder, enum ir_opcode opcode, ir_value a);
ir_value ir_builder_binary(struct ir_builder *builder, enum ir_opcode opcode, ir_value a, ir_value b);
ir_value ir_builder_ternary(struct ir_builder *builder, enum ir_opcode opcode, ir_value a, ir_value b,
                            ir_value c);
ir_value ir_builder_convert(struct ir_builder *builder, enum ir_opcode opcode, type_id to, ir_value a);
ir_value ir_builder_construct(struct ir_builder *builder, type_id type, const ir_value *elements,
                              uint32_t element_count);
ir_value ir_builder_splat(struct ir_builder *builder, type_id vector, ir_value scalar);
ir_value ir_builder_extract(struct ir_builder *builder, ir_value composite, uint32_t index);
ir_value ir_builder_insert(struct ir_builder *builder, ir_value composite, uint32_t index,
                           ir_value element);
ir_value ir_builder_swizzle(struct ir_builder *builder, ir_value vector, const uint8_t *components,
                            uint32_t component_count);
ir_value ir_builder_select(struct ir_builder *builder, ir_value if_false, ir_value if_true,
                           ir_value condition);
ir_value ir_builder_var(struct ir_builder *builder, type_id store_type, struct text name);
ir_value ir_builder_variable(struct ir_builder *builder, uint32_t variable);
ir_value ir_builder_access(struct ir_builder *builder, ir_value pointer, const ir_value *indices,
                           uint32_t index_count);
ir_value ir_builder_load(struct ir_builder *builder, ir_value pointer);
void ir_builder_store(struct ir_builder *builder, ir_value pointer, ir_value value);
ir_value ir_builder_call(struct ir_builder *builder, uint32_t function, const ir_value *arguments,
                         uint32_t argument_count);

// Control operations: made with empty regions; the caller moves a builder into them, fills them and
// terminates them. Results may be declared at creation (passes) or none (front end).
ir_op_id ir_builder_if(struct ir_builder *builder, ir_value condition, const type_id *result_types,
                       uint32_t result_count);
ir_op_id ir_builder_loop(struct ir_builder *builder, const ir_value *initial, uint32_t initial_count,
                         const type_id *result_types, uint32_t result_count);
// cases are copied, selectors included.
ir_op_id ir_builder_switch(struct ir_builder *builder, ir_value selector, const struct ir_case *cases,
                           uint32_t case_count, const type_id *result_types, uint32_t result_count);
ir_value ir_region_add_parameter(struct ir_module *module, uint32_t function, ir_region_id region,
                                 type_id type);
// A builder at the end of region number `number` of a control operation.
struct ir_builder ir_builder_in(const struct ir_builder *builder, ir_op_id control, uint32_t number);
// A builder that inserts before the operation.
struct ir_builder ir_builder_before(struct ir_module *module, uint32_t function, ir_op_id op);
void ir_builder_terminate(struct ir_builder *builder, enum ir_opcode terminator,
                          const ir_value *operands, uint32_t operand_count);
// True when the region's last operation is a terminator.
bool ir_region_is_terminated(const struct ir_function *function, ir_region_id region);

// Editing. Unlinking an operation does not free it; its results must have no uses left.
void ir_op_unlink(struct ir_function *function, ir_op_id op);
void ir_op_move_before(struct ir_function *function, ir_op_id op, ir_op_id before);
// Replaces every use of `from` in the function by `to` by one walk over all operations; passes that
// replace many values use a map of their own and ir_function_replace_all.
void ir_value_replace(struct ir_function *function, ir_value from, ir_value to);
// map[value] is the replacement or 0; chains are followed. map has values.count entries.
void ir_function_replace_all(struct ir_function *function, const uint32_t *map, uint32_t map_count);
