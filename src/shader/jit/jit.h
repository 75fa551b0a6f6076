// SPDX-License-Identifier: MIT
//
// The contract between the CPU backend (or a test) and libalba-jit, the shared object that holds
// the SPMD code generator and LLVM. The user of this header loads the library, calls
// alba_jit_get_interface and uses the function table; nothing else is exported. All functions of
// the table are safe from any thread.
//
// A kernel is one compute entry point, specialised: overrides substituted, every pass of
// compile_lower_for_cpu run. It executes whole workgroups, in ascending linear order, inside one
// call, on the calling thread. Linear index = (z * num_workgroups.y + y) * num_workgroups.x + x.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "shader/ir/ir.h"

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
    uint32_t width; // lanes of one vector; 0: the level's native width. Power of two, 1..64
    uint32_t jam;   // vectors in flight; 0: chosen by register pressure. 1, 2, 4, 8
    bool poll_cancel; // false: never poll (for timing); default callers set true
};

// One bound buffer range. data is aligned to at least 16 bytes unless the binding ends at a guard
// page, where it is aligned to 4. size_bytes is the binding's size.
struct jit_buffer {
    uint8_t *data;
    uint64_t size_bytes;
};

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
};

// Executes workgroups [first, end). scratch: kernel.scratch_bytes bytes of this worker alone,
// aligned to 64, contents unspecified before and after. After each finished workgroup the kernel
// adds 1 to *progress with a relaxed store (one worker writes, a watchdog reads).
typedef void (*jit_function)(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
                             void *scratch, _Atomic uint64_t *progress);

struct jit_kernel {
    jit_function function;
    uint64_t scratch_bytes; // workgroup memory, private memory, values across barriers
    uint32_t workgroup_size[3];
    uint32_t width;
    uint32_t jam;
    uint64_t code_bytes;
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
static inline bool jit_level_has_fma(enum jit_level level) {
    return level != JIT_LEVEL_SSE42;
}
