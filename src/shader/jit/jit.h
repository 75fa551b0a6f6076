// SPDX-License-Identifier: MIT
//
// The contract between the CPU backend (or a test) and libalba-jit, the shared object that holds
// the SPMD code generator and LLVM. The user of this header loads the library, calls
// alba_jit_get_interface and uses the function table; nothing else is exported. All functions of
// the table are safe from any thread.
//
// A kernel is one entry point, specialised: overrides substituted, every pass of
// compile_lower_for_cpu run. Of a compute entry point it executes whole workgroups, in ascending
// linear order, inside one call, on the calling thread. Linear index =
// (z * num_workgroups.y + y) * num_workgroups.x + x. Of a vertex or fragment entry point it executes
// batches of invocations, in the same way: see struct jit_batch.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/os_cpu.h"
#include "base/text.h"
#include "shader/ir/ir.h"

struct kernel_image;

// A number that stands for all headers that both sides must have in common; the build makes it of
// their contents (cmake/AlbaModule.cmake), so that libraries of two builds are never mixed.
#define JIT_ABI_VERSION ALBA_JIT_ABI

// Instruction-set levels: results are bit-identical within one level, whatever the thread count.
enum jit_level {
    JIT_LEVEL_SSE42,  // native vector: 4 x 32 bits, no FMA
    JIT_LEVEL_AVX2,   // 8 x 32 bits, FMA
    JIT_LEVEL_AVX512, // 16 x 32 bits, FMA
    JIT_LEVEL_NEON,   // 4 x 32 bits, FMA
    JIT_LEVEL_COUNT
};

struct jit_options {
    enum jit_level level;
    uint32_t width; // lanes of one vector; 0: the level's native width. Power of two, 1..64;
                    // fragments: 4 at least
    uint32_t jam;   // vectors in flight; 0: chosen by register pressure. 1, 2, 4, 8
    bool poll_cancel; // false: never poll (for timing); default callers set true
};

// One binding. A buffer range: data is aligned to at least 16 bytes unless the binding ends at a
// guard page, where it is aligned to 4; size_bytes is the binding's size. A texture: data is a
// struct jit_texture. A sampler: data is what the texture function takes as one.
struct jit_buffer {
    uint8_t *data;
    uint64_t size_bytes;
};

// ---------------------------------------------------------------- textures

// What generated code knows of a bound texture view; the rest is the texture function's. Embedded
// first in the adapter's own structure.
struct jit_texture {
    uint32_t width; // of the view's first level
    uint32_t height;
    uint32_t depth;       // 3D, else 1
    uint32_t layer_count; // arrays; cube arrays: cubes
    uint32_t level_count;
    uint32_t sample_count;
    // Where the first level's texels lie as their format says, row after row and image after image
    // within 2^31 bytes, generated code may read and write them itself, of some formats and equal to
    // the texture function to the bit. NULL: only through the function.
    uint8_t *texels; // aligned to 4
    uint32_t row_bytes;
    uint32_t image_bytes; // of a layer or depth slice
    uint32_t format;      // WGPUTextureFormat of these texels
};

// What is constant at one place in a shader where a texture built-in function is called.
struct jit_texture_call {
    uint32_t opcode;       // enum ir_opcode, of the texture families
    uint32_t texel_format; // WGPUTextureFormat of a storage texture's type, else 0
    uint8_t dimension;     // enum texture_dimension
    uint8_t sampled_type;  // enum type_kind of the texel's components: TYPE_F32, TYPE_I32, TYPE_U32
    uint8_t is_depth;
    uint8_t is_multisampled;
    uint8_t component; // as data.texture of struct ir_op
    int8_t offset[3];
    uint8_t width;        // lanes of a row of words
    uint8_t is_layer_signed;        // the array index is i32, else u32
    uint8_t is_level_signed;        // loads; sampling of depth textures: the level is i32, else u32
};

// Executes one texture operation for some lanes. arguments: rows of call->width words, one a
// component of each operand after texture and sampler, in the operands' order (ir/op.def). results:
// rows likewise, one a component of the result; lanes that are not in `lanes` may be written or
// left. Operations with implicit derivatives find the neighbours' coordinates in arguments: lane l
// belongs to the quad l / 4, at x = l % 2 and y = l / 2 % 2 in it, whether in `lanes` or not.
// sampler: NULL where the operation has none. Called by many threads at once.
typedef void (*jit_texture_function)(const struct jit_texture_call *call,
                                     const struct jit_texture *texture, const void *sampler,
                                     uint64_t lanes, const uint32_t *arguments, uint32_t *results);

// ---------------------------------------------------------------- dispatches

struct jit_dispatch {
    // In the order of the entry point's reflect_entry_point.bindings (sorted by group, binding). Of a
    // module with one entry point every variable with a binding counts, used or not; of one with
    // several, those that the entry point reaches.
    const struct jit_buffer *buffers;
    const void *immediates;
    uint32_t num_workgroups[3];
    // Becomes non-zero when the device is to be lost: polled on back edges of loops that are not
    // proven finite; the kernel then returns early with unspecified buffer contents.
    const atomic_uint *cancel;
    jit_texture_function texture; // may be NULL for a shader without textures
    struct jit_batch *batches;    // vertex and fragment kernels, else NULL
};

// The lanes of a batch, and of a row of its words.
#define JIT_BATCH_LANES 64u

// Invocations of a vertex or fragment kernel that run together: what a workgroup is to a compute
// kernel. Inputs and outputs are rows of JIT_BATCH_LANES words, a row for each scalar of each
// interface value, in the order of the entry point's inputs and outputs (struct ir_entry_point;
// arrays and vectors taken apart; bool: 0 or 1; f16: the f32, which the kernel rounds when it reads).
// Rows of inputs are set for all lanes up to lane_count rounded up to a multiple of 4, and readable
// for all.
//
// Fragments: lane l belongs to the quad l / 4, at x = l % 2 and y = l / 2 % 2 in it; lane_count is a
// multiple of 4. A lane whose bit of `live` is 0 is a helper invocation: it computes, and its stores,
// atomics and texture stores have no effect (its atomics give 0). `discard` clears the lane's bit;
// what is left is read by the caller. Vertices: `live` is ignored. Outputs of lanes that are not
// alive, or beyond lane_count, are unspecified.
struct jit_batch {
    const uint32_t *inputs;
    uint32_t *outputs;
    uint64_t live; // in and out: bit l, the lane l
    uint32_t lane_count; // 1 to JIT_BATCH_LANES
};

// Executes workgroups [first, end), or batches [first, end) of dispatch->batches. scratch: kernel.scratch_bytes bytes of this worker alone,
// aligned to 64, contents unspecified before and after. After each finished workgroup the kernel
// adds 1 to *progress with a relaxed store (one worker writes, a watchdog reads).
typedef void (*jit_function)(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
                             void *scratch, _Atomic uint64_t *progress);

struct jit_kernel {
    jit_function function;
    uint64_t scratch_bytes; // workgroup memory, private memory, values across barriers
    uint32_t workgroup_size[3]; // compute
    uint32_t width;
    uint32_t jam;
    uint64_t code_bytes;
    uint32_t input_words;  // rows of a batch's inputs, and of its outputs; compute: 0
    uint32_t output_words;
};

enum jit_text_kind { JIT_TEXT_LLVM, JIT_TEXT_LLVM_OPTIMISED, JIT_TEXT_ASSEMBLY };

struct jit_interface {
    uint32_t abi_version;
    // The highest level this CPU executes; ALBA_CPU is applied by the caller.
    enum jit_level (*native_level)(void);
    uint32_t (*native_width)(enum jit_level level);
    // Compiles entry point number `entry_point` of a lowered module, which must stay unchanged
    // during the call and is not kept. On failure returns NULL and appends a reason to out_error.
    const struct jit_kernel *(*compile)(const struct ir_module *module, uint32_t entry_point,
                                        const struct jit_options *options,
                                        struct text_buffer *out_error);
    void (*destroy)(const struct jit_kernel *kernel); // no call of its function may be running
    // Compiles as `compile` does, but gives the code as an image (shader/kernel/kernel_image.h), to be
    // placed by the caller and freed by finish_image. out_facts: the kernel, without its function.
    bool (*compile_image)(const struct ir_module *module, uint32_t entry_point,
                          const struct jit_options *options, struct jit_kernel *out_facts,
                          struct kernel_image *out_image, struct text_buffer *out_error);
    void (*finish_image)(struct kernel_image *image);
    // Of the sources and tools that kernels depend on (shader/kernel/identity.h).
    const char *(*build_identity)(void);
    // Appends the text of a stage of the same compilation; false with a reason on failure.
    bool (*print)(const struct ir_module *module, uint32_t entry_point,
                  const struct jit_options *options, enum jit_text_kind kind,
                  struct text_buffer *out_text, struct text_buffer *out_error);
    const char *(*llvm_version)(void);
};

// The only exported symbol. NULL when the version asked for is not this one's.
const struct jit_interface *alba_jit_get_interface(uint32_t abi_version);

typedef const struct jit_interface *(*jit_get_interface_function)(uint32_t abi_version);
#define JIT_GET_INTERFACE_NAME "alba_jit_get_interface"

static inline const char *jit_level_word(enum jit_level level) {
    static const char *const words[JIT_LEVEL_COUNT] = {"sse4.2", "avx2", "avx512", "neon"};
    return words[level];
}
// The highest level that this CPU executes.
static inline enum jit_level jit_native_level(void) {
#if defined(__aarch64__)
    return JIT_LEVEL_NEON;
#else
    uint32_t level = os_cpu_x86_level();
    return level >= 4 ? JIT_LEVEL_AVX512 : level == 3 ? JIT_LEVEL_AVX2 : JIT_LEVEL_SSE42;
#endif
}
static inline bool jit_level_has_fma(enum jit_level level) {
    return level != JIT_LEVEL_SSE42;
}
