// SPDX-License-Identifier: MIT
//
// What the files of the code generator share: shapes (how a value varies from lane to lane), the plan
// (what runs once a workgroup and what in the loop over its vectors), and the state of emission.
// One compilation belongs to one thread; nothing here is global but target.c's LLVM instance.
//
// Words. Lane: one invocation. Part: one vector of `width` lanes. Iteration: `jam` parts, executed
// together. A component of a value is scalar (the same in the whole iteration), linear (each part
// has a scalar base and lane l holds base + stride * l) or a vector for each part.
//
// Two levels of code. Workgroup code is executed once a workgroup: it holds the control operations
// that contain barriers, and values that are the same in the whole workgroup. Between barriers
// stand segments: loops over the workgroup's iterations. What a segment defines and another uses is
// kept in the worker's scratch memory or computed again.
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "base/arena.h"
#include "base/try.h"
#include "base/vector.h"
#include "shader/ir/ir.h"
#include "shader/jit/jit.h"
#include "shader/kernel/kernel_image.h"

#define JIT_JAM_LIMIT 8u
#define JIT_WIDTH_LIMIT 64u
#define JIT_TERM_LIMIT 40u // index operands on one access path: WGSL nests types at most 15 deep

// ---------------------------------------------------------------- shapes (shape.c)

// Ordered from the most to the least uniform.
enum shape_kind {
    SHAPE_NONE,      // not reached yet (analysis only)
    SHAPE_WORKGROUP, // the same in the whole workgroup
    SHAPE_ITERATION, // the same in all lanes of an iteration
    SHAPE_LINEAR,    // integers: base of the part + stride * lane
    SHAPE_VARYING
};
struct shape {
    uint8_t kind;
    // SHAPE_LINEAR: the stride. SHAPE_VARYING: a hint, no promise: 1 most often the same in all lanes
    // of a part, 2 most often linear with stride 1 (clamped or wrapped indices), 0 nothing known.
    int32_t stride;
};
#define SHAPE_HINT_UNIFORM 1
#define SHAPE_HINT_CONTIGUOUS 2

struct op_facts {
    uint32_t cost;       // operations inside, saturating
    uint32_t segment;    // the segment that executes it, JIT_SEGMENT_WORKGROUP for workgroup code
    bool is_varying;     // if, switch: the condition differs between lanes
    bool is_masked;      // some lanes may leave it early, or stay longer, than others
    bool has_leaks;      // lanes inside may leave by a terminator of an outer construct or return
    bool has_lane_leaks; // such a terminator is no branch: the lanes that arrive must be counted
    bool has_barrier;
    bool is_workgroup_level; // executed once a workgroup, by real branches
    bool is_hoisted;         // workgroup-uniform and free of effects: emitted before its segment
    bool has_loop;
    bool has_call;
    bool has_effect; // stores, atomics, barriers
};

struct value_facts {
    uint32_t shapes;            // index of the first component's shape
    uint8_t component_count;    // 0 for pointers
    uint8_t rematerialise_cost; // 0: not cheap; else operations + 1
    bool needs_slot;            // defined in one segment, used in another
    uint32_t segment;           // that defines it
};

// Stack that one kernel may use in all, a small part of what threads have.
#define JIT_STACK_BYTES (1u << 20)

#define JIT_SEGMENT_NONE 0u
#define JIT_SEGMENT_WORKGROUP UINT32_MAX

struct function_facts {
    struct op_facts *ops;
    struct value_facts *values;
    struct shape *shapes;
    uint8_t *var_is_shared;   // by op: a `var` that several segments use
    uint32_t *continue_count; // by op: `continue` terminators of a loop
    uint32_t *exit_count;     // by op: terminators that leave a loop with its results
    uint32_t segment_count;
    bool has_barrier;
    bool has_return_in_segment; // invocations may end before a later segment
    bool has_partial_return;    // function: some lanes may return before others
};

// ---------------------------------------------------------------- emission

struct component {
    uint8_t kind; // SHAPE_ITERATION (one scalar), SHAPE_LINEAR (a base a part), SHAPE_VARYING
    int32_t stride;
    LLVMValueRef parts[JIT_JAM_LIMIT];
};

struct lanes {                         // a mask
    bool is_full;                      // all lanes, known when compiling
    bool is_dead;                      // no lane, known when compiling
    LLVMValueRef parts[JIT_JAM_LIMIT]; // <W x i1>
};

// The place of a mutable component: allocas, which LLVM's sroa turns into phis, or for values that
// live across segments slots of scratch memory.
struct home_component {
    uint8_t kind; // as in the shape analysis, SHAPE_WORKGROUP included
    int32_t stride;
    bool is_bool;
    bool in_scratch;
    LLVMTypeRef type; // of the scalar as computed with
    LLVMValueRef slots[JIT_JAM_LIMIT];
    uint64_t scratch_offset;
};
struct counter {
    ir_value initial;
    uint32_t step;
};
struct home {
    struct home_component *components;
    uint32_t component_count;
    // Of a loop's result that is computed after the loop (emit_count.c); stores have no effect.
    const struct counter *counter;
};

struct emitted_value {
    struct component *components; // NULL: not emitted
    uint32_t segment;             // where the LLVM values may be used
    struct home *slot;            // for values that other segments use
};

struct lanes_home {
    LLVMValueRef slots[JIT_JAM_LIMIT];
    bool is_set;
};

enum frame_kind { FRAME_FUNCTION, FRAME_IF, FRAME_SWITCH, FRAME_LOOP };
struct frame {
    enum frame_kind kind;
    ir_op_id op;
    struct frame *parent;
    bool is_workgroup_level;
    bool is_varying;
    bool is_masked;
    bool has_arrivals;    // some path reaches the end of the construct
    bool has_continued;   // loop: a `continue` was emitted
    struct home *results; // one a result
    struct home *parameters;
    struct home *continue_parameters;
    struct lanes_home exit_lanes;
    struct lanes_home continue_lanes;
    struct lanes_home loop_lanes;
    LLVMBasicBlockRef exit_block;
    LLVMBasicBlockRef continue_block;
    LLVMBasicBlockRef header_block;
    struct lanes entry_lanes;
    bool is_finite;
    LLVMValueRef iterations[JIT_JAM_LIMIT]; // loop, emit_count.c: allocas; NULL: nothing is counted
};

struct buffer_binding {
    uint32_t variable;
    uint32_t slot; // in jit_dispatch.buffers
    bool is_immediate;
    bool is_table;  // a private variable that nobody writes: a constant of the generated module
    bool is_handle; // a texture or sampler: `data` is what stands for it, all else is unset
    LLVMValueRef data;
    LLVMValueRef size;   // i64, at most 2^32 - 4
    LLVMValueRef length; // i32, of the runtime-sized array, NULL without one
};

// Memory of one function-space or private variable: [word][lane].
struct lane_memory {
    bool is_set;
    bool is_shared;     // all of the workgroup's lanes, else one iteration's
    LLVMValueRef local; // an alloca, or NULL: in scratch
    uint64_t scratch_offset;
    uint32_t lane_count; // lanes of a word
    uint64_t size_bytes; // of one lane; four words more take stores that must not happen
};

// A pointer as it comes into a function: where the root begins, and for each lane its place and
// whether it is valid.
struct pointer_parameter {
    LLVMValueRef base;  // of a texture or sampler: all there is
    LLVMValueRef size;  // i64, bytes of the binding
    LLVMValueRef lanes; // i32, private and function memory: lanes of a word
    LLVMValueRef offsets[JIT_JAM_LIMIT];
    LLVMValueRef valid[JIT_JAM_LIMIT];
};

struct row_cache;

// What differs in vertex and fragment kernels, whose workgroup is a batch of JIT_BATCH_LANES
// (emit_stage.c).
struct stage {
    bool has_batches;
    bool is_fragment;
    bool needs_existing; // absent lanes must not run: loops, effects
    bool may_discard;
    bool may_write;       // memory that others see
    bool has_subgroups;   // operations of subgroups: absent lanes and helpers take no part
    bool has_live;        // fragments that discard or write: who is no helper is kept
    bool has_shared_live; // in scratch memory, since called functions need it
    uint8_t *function_discards, *function_writes; // by function, those that it calls included
    uint32_t *input_rows, *output_rows;           // by input, output: its first row
    uint32_t input_words, output_words;           // rows
    uint64_t live_offset;                         // in scratch
    LLVMValueRef batch, inputs, outputs, lane_count;
    struct lanes_home live;
    struct lanes all; // of the current iteration, when it begins
};

struct emit {
    struct arena *arena;
    const struct ir_module *module;
    const struct ir_entry_point *entry;
    const struct jit_options *options;
    struct text_buffer *error;
    bool has_failed;

    LLVMContextRef context;
    LLVMModuleRef llvm;
    LLVMBuilderRef builder;
    LLVMTypeRef void_type, i1, i8, i32, i64, f32, f64, pointer;
    LLVMTypeRef vi1, vi32, vf32, vi64, vf64;
    LLVMTypeRef
        vmask; // a mask at rest: <W x i32>, or <W x i1> where the processor has mask registers
    LLVMTypeRef bits; // iW
    uint32_t width;
    uint32_t jam;
    enum jit_level level;

    // The workgroup.
    uint32_t size[3];
    uint32_t lane_count; // invocations of a workgroup
    uint32_t iteration_count;
    bool has_slots; // values cross segments by scratch memory, not as LLVM values
    uint64_t scratch_bytes;
    uint32_t *variable_offsets;         // workgroup variables: bytes into scratch
    struct lane_memory *private_memory; // by module variable
    uint64_t workgroup_bytes;
    struct stage stage;
    uint8_t *variable_is_used; // by module variable, in the functions that the entry reaches
    uint8_t *function_is_used;
    uint32_t function_count; // used ones
    bool has_calls;
    uint32_t local_words; // of the function's variables on the stack
    struct buffer_binding *buffers;
    uint32_t buffer_count;
    LLVMValueRef zeros; // a constant block for reads that are out of range

    // The function being emitted.
    const struct ir_function *function;
    uint32_t function_index;
    struct function_facts *facts; // of function
    struct function_facts *all_facts;
    uint8_t *value_is_used; // by value of the function being emitted
    struct emitted_value *values;
    struct lane_memory *vars; // by op
    LLVMValueRef llvm_function;
    LLVMBasicBlockRef alloca_block;
    LLVMBasicBlockRef preamble;      // of the segment: values of other segments are loaded here
    LLVMBasicBlockRef abandon_block; // where a cancelled kernel or function goes
    struct frame *frame;
    struct lanes lanes;
    bool is_closed; // the current block has its terminator
    uint32_t segment;
    LLVMValueRef iteration;  // i32
    LLVMValueRef first_lane; // i32: iteration * jam * width
    // Invocations that have not returned, where some may return before a later barrier: a mask an
    // iteration, and the number of the first lane (UINT32_MAX: none). NULL: not needed.
    struct home alive;
    LLVMValueRef first_alive;
    struct lanes_home segment_arrived; // result of emitting a segment's body
    LLVMBasicBlockRef workgroup_end;
    bool has_private;
    LLVMValueRef dispatch, scratch;
    LLVMValueRef workgroup_id[3], num_workgroups[3], workgroup_index;
    LLVMValueRef cancel;
    LLVMValueRef texture_function;
    struct home return_home;
    bool has_return_home;

    // Called functions (emit_call.c).
    LLVMValueRef *llvm_functions;
    LLVMTypeRef *llvm_function_types;
    struct pointer_parameter *pointer_parameters; // of the function being emitted, by number
    LLVMValueRef slow_load, slow_store;
    LLVMTypeRef slow_load_type, slow_store_type;
    LLVMValueRef slow_words, slow_offsets; // allocas of the function being emitted
    LLVMValueRef dummy;                    // an alloca that takes stores that must not happen
    LLVMValueRef texture_arguments, texture_results; // allocas of the function being emitted

    // Reads of whole rows that later loads may use, and stores that wait (emit_row.c).
    struct row_cache *rows;
    uint32_t next_row;
    struct row_cache *waiting; // at most one element's stores
    bool has_masked_loop;      // emitted so far
    uint32_t depth;
};

bool jit_fail(struct emit *emit, const char *format, ...) TEXT_PRINTF(2, 3);

// resources.c
bool jit_find_reachable(struct emit *emit);
bool jit_find_buffers(struct emit *emit);

// shape.c, plan.c
bool jit_shape_analyse(struct emit *emit, uint32_t function, struct function_facts *facts);
bool jit_facts_create(struct emit *emit, uint32_t function, struct function_facts *facts);
bool jit_plan_levels(struct emit *emit, uint32_t function, struct function_facts *facts);
bool jit_plan(struct emit *emit, uint32_t function, struct function_facts *facts);
bool jit_constant_u32(const struct emit *emit, const struct ir_function *function, ir_value value,
    uint32_t *out_number);
struct shape *jit_shape_of(const struct function_facts *facts, ir_value value, uint32_t component);
uint32_t jit_component_count(const struct ir_module *module, type_id type); // 0: pointer, void
void jit_walk_pointer(const struct ir_function *function, ir_value pointer, ir_value *out_root);
bool jit_space_is_writable_shared(const struct ir_module *module, type_id pointer_type);
bool jit_is_handle(const struct ir_module *module, type_id type); // a texture or sampler
// A texture whose texels this dispatch may change.
bool jit_is_writable_texture(const struct ir_module *module, type_id type);
// Pointers and handles, which are not computed where they are made but where they are used.
bool jit_is_symbolic(
    const struct ir_module *module, const struct ir_function *function, const struct ir_op *op);

// jam.c
bool jit_choose_jam(
    struct emit *emit, uint32_t function, const struct function_facts *facts, uint32_t *out_jam);

// emit_value.c
LLVMTypeRef jit_scalar_type(struct emit *emit, type_id type);
LLVMTypeRef jit_vector_type(struct emit *emit, LLVMTypeRef scalar);
struct component *jit_components_new(struct emit *emit, uint32_t count);
struct component *jit_components(struct emit *emit, ir_value value);
void jit_set(struct emit *emit, ir_value value, struct component *components);
LLVMValueRef jit_part(struct emit *emit, const struct component *component, uint32_t part);
struct component jit_uniform(LLVMValueRef scalar);
LLVMValueRef jit_splat(struct emit *emit, LLVMValueRef scalar);
LLVMValueRef jit_i32(struct emit *emit, uint32_t number);
LLVMValueRef jit_i64(struct emit *emit, uint64_t number);
LLVMValueRef jit_lane_numbers(struct emit *emit, uint32_t scale); // <0, scale, 2 scale...>
bool jit_is_uniform(const struct component *component);
struct component *jit_input(struct emit *emit, uint32_t input);
LLVMValueRef jit_alloca(struct emit *emit, LLVMTypeRef type, const char *name);
LLVMValueRef jit_bytes_at(struct emit *emit, LLVMValueRef pointer, uint64_t offset);
LLVMValueRef jit_intrinsic(struct emit *emit, const char *name, LLVMTypeRef overload,
    LLVMValueRef *arguments, uint32_t argument_count);
LLVMBasicBlockRef jit_block(struct emit *emit, const char *name);
void jit_move_to(struct emit *emit, LLVMBasicBlockRef block);
LLVMValueRef jit_select(
    struct emit *emit, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no);

// emit_lanes.c
struct lanes jit_lanes_full(void);
LLVMValueRef jit_lanes_part(struct emit *emit, const struct lanes *lanes, uint32_t part);
struct lanes jit_lanes_and(
    struct emit *emit, const struct lanes *a, const struct component *b, bool is_inverted);
LLVMValueRef jit_lanes_any(struct emit *emit, const struct lanes *lanes);
LLVMValueRef jit_lanes_all(struct emit *emit, const struct lanes *lanes); // NULL: known to be all
LLVMValueRef jit_mask_bits(struct emit *emit, LLVMValueRef mask);         // <W x i1> -> i64
void jit_lanes_home_create(struct emit *emit, struct lanes_home *home, const char *name);
void jit_lanes_home_store(struct emit *emit, struct lanes_home *home, const struct lanes *lanes);
void jit_lanes_home_add(struct emit *emit, struct lanes_home *home, const struct lanes *lanes);
void jit_lanes_home_clear(struct emit *emit, struct lanes_home *home);
struct lanes jit_lanes_home_load(struct emit *emit, const struct lanes_home *home);
bool jit_home_create(struct emit *emit, struct home *home, ir_value value, bool in_scratch);
bool jit_home_create_varying(struct emit *emit, struct home *home, type_id type);
bool jit_home_create_mask(struct emit *emit, struct home *home); // one bool, for each iteration
LLVMValueRef jit_scratch_at(struct emit *emit, uint64_t offset, uint32_t iteration_stride);
LLVMValueRef jit_first_active_lane(struct emit *emit); // i32, workgroup code
// lanes NULL: all lanes are overwritten.
void jit_home_store(struct emit *emit, struct home *home, const struct component *components,
    const struct lanes *lanes);
void jit_home_clear(struct emit *emit, struct home *home);
struct component *jit_home_load(struct emit *emit, const struct home *home);
// The value of one component in the workgroup's first active lane, for workgroup code.
LLVMValueRef jit_home_first_active(struct emit *emit, const struct home *home, uint32_t component);
uint64_t jit_scratch_reserve(struct emit *emit, uint64_t size_bytes, uint32_t align_bytes);

// emit_math.c
void jit_emit_math(struct emit *emit, const struct ir_op *op);
LLVMValueRef jit_math(
    struct emit *emit, enum ir_opcode opcode, type_id result_type, LLVMValueRef *arguments);
struct path;
// emit_half.c: f16, in registers the f32 of the same value.
bool jit_is_half(const struct emit *emit, type_id type); // a scalar or vector of f16
LLVMValueRef jit_half_round(struct emit *emit, LLVMValueRef number);
LLVMValueRef jit_half_limit(struct emit *emit, LLVMValueRef number); // infinities to +-65504
void jit_emit_half_bitcast(struct emit *emit, const struct ir_op *op);
struct component *jit_half_load(struct emit *emit, const struct path *path, type_id type);
void jit_half_store(
    struct emit *emit, const struct path *path, type_id type, const struct component *components);
struct component *jit_half_lane_load(struct emit *emit, const struct path *path, type_id type);
void jit_half_lane_store(
    struct emit *emit, const struct path *path, type_id type, const struct component *components);
// emit_composite.c
void jit_emit_composite(struct emit *emit, const struct ir_op *op);

// emit_control.c
void jit_emit_region(struct emit *emit, ir_region_id region);
// Operations from first up to, not including, end (0: all). Where no lane may be left and much
// follows, the rest is skipped by a branch to *skip, a block that is then made for the caller to end in.
void jit_emit_ops(struct emit *emit, ir_op_id first, ir_op_id end, LLVMBasicBlockRef *skip);
void jit_end_skip(struct emit *emit, LLVMBasicBlockRef skip);
void jit_emit_if(struct emit *emit, ir_op_id id);
struct frame *jit_frame_find(struct emit *emit, enum frame_kind kind, bool *out_is_direct);
void jit_values_to_homes(struct emit *emit, const ir_value *values, uint32_t count,
    struct home *homes, const struct lanes *lanes);
void jit_emit_op(struct emit *emit, ir_op_id id);
void jit_poll_cancel(struct emit *emit);
bool jit_loop_is_finite(const struct emit *emit, ir_op_id loop);
struct home *jit_homes_for_values(
    struct emit *emit, const ir_value *values, uint32_t count, bool in_scratch);
void jit_homes_to_values(struct emit *emit, const ir_value *values, uint32_t count,
    struct home *homes, uint32_t segment);
// emit_count.c: results of a masked loop that are a counter are computed from the number of
// iterations that each lane began, at the loop's end. Prepared before the loop, noted at the start of
// each iteration, finished where all lanes have left.
void jit_count_prepare(struct emit *emit, struct frame *frame);
void jit_count_iteration(struct emit *emit, const struct frame *frame);
void jit_count_finish(struct emit *emit, struct frame *frame);
// emit_loop.c, emit_switch.c
void jit_emit_loop(struct emit *emit, ir_op_id id);
void jit_emit_switch(struct emit *emit, ir_op_id id);
void jit_emit_terminator(struct emit *emit, ir_op_id id);

// segment.c: loops over the workgroup's iterations, and the invocations that are still there.
struct segment {
    struct frame frame; // takes returns
    struct lanes_home arrived;
    LLVMBasicBlockRef header, body, end, done;
    LLVMValueRef counter;
    LLVMValueRef limit; // iterations, i32
};
// Opens a loop over the iterations, or the first `limit` of them (NULL: all); code that follows is
// executed for each until the end.
void jit_begin_segment(struct emit *emit, uint32_t id, LLVMValueRef limit, struct segment *out);
void jit_end_segment(struct emit *emit, struct segment *segment);
void jit_close_segment(struct emit *emit, struct segment *segment);
uint32_t jit_extra_segment(
    struct emit *emit); // the number of a segment that the plan does not know
struct lanes jit_existing_lanes(struct emit *emit); // of the current iteration: partial at the end
struct lanes jit_load_alive(struct emit *emit);
void jit_store_alive(struct emit *emit, const struct lanes *lanes);
void jit_note_first_alive(struct emit *emit, const struct lanes *lanes);

// emit_barrier.c
void jit_emit_workgroup(struct emit *emit);
// narrow.c: how many iterations of a segment can have an active lane (i32), NULL: all of them.
// Workgroup code.
LLVMValueRef jit_narrow_segment(struct emit *emit, ir_op_id first, ir_op_id end);
// emit_kernel.c
bool jit_emit_kernel(struct emit *emit, const char *name);
bool jit_begin_function(struct emit *emit, uint32_t function);
void jit_load_dispatch(struct emit *emit);

// emit_pointer.c: the address of a memory operation.
struct term {
    const struct component *index;
    uint8_t hint;        // of a varying index, see struct shape
    uint32_t id;         // the index's ir_value, to compare paths
    uint32_t stride;     // bytes; 0: only the check
    LLVMValueRef length; // i32 scalar; NULL: needs no check at all
    bool is_proven;      // in range in every active lane
};
struct path {
    enum address_space space;
    bool is_writable_shared;
    uint32_t variable;   // module variable or UINT32_MAX
    uint32_t var;        // function-space variable's op, or 0
    uint32_t parameter;  // function parameter number or UINT32_MAX
    type_id root_type;   // store type of the root
    bool is_invalid;     // a constant index out of range
    uint64_t offset;     // constant bytes
    uint64_t row_offset; // of `offset`, where the element of the last lane-dependent index begins
    uint32_t row_stride; // bytes of that element with its padding; 0: none or not known
    struct term terms[JIT_TERM_LIMIT];
    uint32_t term_count;
};
bool jit_path_resolve(struct emit *emit, ir_value pointer, struct path *out_path);
void jit_path_add_term(
    struct emit *emit, struct path *path, const struct component *index, uint32_t stride);
bool jit_path_same_root(const struct path *a, const struct path *b);
bool jit_path_may_alias(const struct path *a, const struct path *b);
bool jit_path_same_terms(const struct path *a, const struct path *b);
LLVMValueRef jit_array_length(struct emit *emit, const struct path *path, type_id array);
// Memory that all lanes of the workgroup share, or buffers: one base address.
LLVMValueRef jit_path_base(struct emit *emit, const struct path *path);
LLVMValueRef jit_path_size(struct emit *emit, const struct path *path); // i64

struct address {
    uint8_t kind;                        // SHAPE_ITERATION, LINEAR, VARYING
    uint32_t lane_stride;                // LINEAR: bytes from lane to lane
    LLVMValueRef offsets[JIT_JAM_LIMIT]; // ITERATION: [0], i64; LINEAR: i64 of each part's lane 0
    LLVMValueRef uniform_valid;          // i1 or NULL (true): the checks of uniform indices
};
void jit_address_resolve(struct emit *emit, const struct path *path, struct address *out_address);
// All lanes of all parts in range, i1; NULL: always. For LINEAR addresses.
LLVMValueRef jit_address_all_valid(struct emit *emit, const struct path *path);
// Byte offsets of a part's lanes, <W x i32>; lanes in range, <W x i1> or NULL: all.
LLVMValueRef jit_address_lane_offsets(struct emit *emit, const struct path *path, uint32_t part);
LLVMValueRef jit_address_lane_valid(struct emit *emit, const struct path *path, uint32_t part);
// The lanes that access: active and in range; NULL: all, known when compiling.
LLVMValueRef jit_access_lanes(struct emit *emit, const struct path *path, uint32_t part);
LLVMValueRef jit_and(struct emit *emit, LLVMValueRef a, LLVMValueRef b); // NULL: true

// emit_memory.c
void jit_emit_memory(struct emit *emit, const struct ir_op *op);
struct component *jit_load_path(struct emit *emit, const struct path *path, type_id type);
void jit_store_path(
    struct emit *emit, const struct path *path, type_id type, const struct component *components);
void jit_memory_barrier(struct emit *emit); // forget cached rows, write waiting stores
void jit_memory_forget(struct emit *emit);
void jit_mark_invariant(struct emit *emit, LLVMValueRef load);
LLVMValueRef jit_word_to_value(struct emit *emit, LLVMValueRef word, LLVMTypeRef scalar);
LLVMValueRef jit_value_to_word(struct emit *emit, LLVMValueRef value);
LLVMValueRef jit_pointer_at(struct emit *emit, LLVMValueRef base, LLVMValueRef offset);
// emit_gather.c: lanes with unrelated addresses, and the slow paths of the others.
void jit_gather(struct emit *emit, const struct path *path, uint32_t part, uint32_t word_count,
    LLVMValueRef *out_words);
void jit_scatter(struct emit *emit, const struct path *path, uint32_t part, uint32_t word_count,
    LLVMValueRef *words);
void jit_slow_load(struct emit *emit, const struct path *path, uint32_t part, uint32_t word_count,
    LLVMValueRef *out_words);
void jit_slow_store(struct emit *emit, const struct path *path, uint32_t part, uint32_t word_count,
    uint64_t word_set, LLVMValueRef *words);
// Words of lanes at base + offsets[lane] (<W x i32>); lanes: <W x i1>, NULL: all. The first bytes at
// base can be read.
void jit_gather_words(struct emit *emit, LLVMValueRef base, LLVMValueRef offsets,
    LLVMValueRef lanes, uint32_t word_count, LLVMValueRef *out_words);
void jit_scatter_words(struct emit *emit, LLVMValueRef base, LLVMValueRef offsets,
    LLVMValueRef lanes, uint32_t word_count, LLVMValueRef *words);
// Contiguous words of the lanes in mask (<W x i1>); the others' bytes are not touched.
LLVMValueRef jit_masked_load(struct emit *emit, LLVMValueRef pointer, LLVMValueRef mask);
void jit_masked_store(
    struct emit *emit, LLVMValueRef word, LLVMValueRef pointer, LLVMValueRef mask);
// emit_lane_memory.c: private and function variables.
struct component *jit_lane_load(struct emit *emit, const struct path *path, type_id type);
void jit_lane_store(
    struct emit *emit, const struct path *path, type_id type, const struct component *components);
struct lane_memory *jit_lane_memory(struct emit *emit, const struct path *path);
// Base of the current iteration's lanes; lanes of a word and bytes of a lane (i64).
LLVMValueRef jit_lane_base(
    struct emit *emit, const struct path *path, LLVMValueRef *out_lanes, LLVMValueRef *out_size);
void jit_private_initialise(struct emit *emit);
// emit_row.c: lanes at a constant distance.
struct component *jit_row_load(
    struct emit *emit, const struct path *path, const struct address *address, type_id type);
void jit_row_store(struct emit *emit, const struct path *path, const struct address *address,
    type_id type, const struct component *components);
void jit_row_flush(struct emit *emit);
void jit_row_flush_for(struct emit *emit, const struct path *path); // before a load from path
void jit_row_forget(struct emit *emit, const struct path *path);    // NULL: all
// transpose.c: rows of four words of consecutive lanes <-> one vector a word.
// Row vectors <4 x i32> of consecutive lanes -> four vectors; width divisible by 4.
void jit_transpose_rows(struct emit *emit, LLVMValueRef *rows, LLVMValueRef *out_words);
void jit_transpose_load(struct emit *emit, LLVMValueRef base, uint32_t stride_bytes,
    uint32_t word_count, LLVMValueRef *out_words);
void jit_transpose_store(struct emit *emit, LLVMValueRef base, uint32_t stride_bytes,
    uint32_t word_count, uint64_t word_set, LLVMValueRef *words);

// emit_stage.c: batches of vertex and fragment invocations.
bool jit_find_stage(struct emit *emit);
void jit_load_batch(struct emit *emit, LLVMValueRef index); // i64, in dispatch->batches
// Iterations that hold an invocation, i32.
LLVMValueRef jit_batch_iterations(struct emit *emit);
struct lanes jit_batch_lanes(struct emit *emit); // of the current iteration
void jit_begin_live(struct emit *emit);          // in an iteration
void jit_end_live(struct emit *emit);
void jit_place_live(struct emit *emit); // where a function begins
// The lanes whose stores, atomics and texture stores have an effect: no helper invocations.
struct lanes jit_effect_lanes(struct emit *emit);
void jit_leave_without_live(struct emit *emit); // ends the function when only helpers are left
bool jit_needs_live_lane(const struct emit *emit, ir_op_id loop); // only helpers: the loop ends
struct component *jit_batch_input(struct emit *emit, uint32_t input);
void jit_emit_store_output(struct emit *emit, const struct ir_op *op);
void jit_emit_discard(struct emit *emit);
void jit_emit_derivative(struct emit *emit, const struct ir_op *op);

// emit_subgroup.c
void jit_emit_subgroup(struct emit *emit, const struct ir_op *op);
struct lanes jit_subgroup_lanes(struct emit *emit); // active, and no helpers
// False: not one of subgroups.
bool jit_subgroup_input(
    struct emit *emit, enum builtin_value builtin, struct component *out_component);

// emit_atomic.c
void jit_emit_atomic(struct emit *emit, const struct ir_op *op);
// emit_texture.c
void jit_emit_texture(struct emit *emit, const struct ir_op *op);
LLVMValueRef jit_handle(struct emit *emit, ir_value value); // the texture's or sampler's pointer
LLVMValueRef jit_texture_field(
    struct emit *emit, LLVMValueRef texture, size_t offset, LLVMTypeRef type);
// emit_texel.c: loads and stores of storage textures without a call.
struct texture_place {
    LLVMValueRef texture;
    const struct component *coordinates[3]; // and the array index, in this order
    uint32_t axis_count;                    // coordinates
    bool has_layer;
    uint32_t format;
    enum type_kind kind; // of the texel's components
};
bool jit_has_plain_texels(uint32_t format);
// The formats that are looked for where the shader's type does not tell; their number.
uint32_t jit_plain_formats(enum type_kind kind, const uint32_t **out_formats);
// Where this holds at run time (i1), the two that follow may be executed.
LLVMValueRef jit_texels_are_plain(struct emit *emit, LLVMValueRef texture);
// lanes: NULL: all. words: four vectors of words; components that the format has not are filled in.
void jit_load_texels(struct emit *emit, const struct texture_place *place, uint32_t part,
    LLVMValueRef lanes, LLVMValueRef *out_words);
void jit_store_texels(struct emit *emit, const struct texture_place *place, uint32_t part,
    LLVMValueRef lanes, LLVMValueRef *words);
// emit_call.c
bool jit_declare_functions(struct emit *emit);
void jit_emit_call(struct emit *emit, const struct ir_op *op);

// target.c
LLVMTargetMachineRef jit_target_machine(
    enum jit_level level, LLVMCodeGenOptLevel effort, struct text_buffer *error);
void jit_target_machine_return(
    LLVMTargetMachineRef machine, enum jit_level level, LLVMCodeGenOptLevel effort);
// How much work on code generation the module can bear, so that it stays near-linear.
LLVMCodeGenOptLevel jit_code_effort(LLVMModuleRef module);
// widen_masks.c. After jit_optimise, before code is emitted; false when out of memory.
bool jit_widen_masks(struct emit *emit);
// order.c
// Whether vectors in flight in a masked loop use up the registers, so that what is not on the way from
// one iteration to the next had better be in memory.
static inline bool jit_is_short_of_registers(const struct emit *emit) {
    return emit->has_masked_loop && emit->jam > 2 && emit->vmask != emit->vi1;
}
bool jit_order_parts(struct emit *emit);
// work_around.c
void jit_work_around(struct emit *emit);
bool jit_optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, struct text_buffer *error);
void jit_target_init(void);
// Runs work(context) so that LLVM's fatal errors end only it: false with a reason then, and what it
// had allocated must be left alone.
bool jit_guard(bool (*work)(void *), void *context, struct text_buffer *error, bool *out_is_done);
void jit_target_attributes(struct emit *emit, LLVMValueRef function);
