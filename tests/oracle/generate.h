// SPDX-License-Identifier: MIT
//
// The generator of random valid WGSL programs: compute, and some fragment ones, whose inputs are the
// numbers that a compute invocation has. The text depends on the seed alone. Programs
// end, have no data races, no result that depends on order, and float arithmetic that is exact, so
// that every correct implementation computes the same bits (NaN aside). One thread a call.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define GENERATE_BINDING_LIMIT 8

// What a fragment program takes, in this order: as an invocation of its grid has them.
#define GENERATE_INPUT_WORDS 13 // global id, index in the workgroup, workgroup, count, local id
#define GENERATE_OUTPUT_WORDS 4

struct generated_program {
    bool is_fragment;
    uint32_t workgroup_size[3]; // of a fragment program: only for its inputs
    uint32_t num_workgroups[3];
    // Of group 0, by binding number: how many elements a runtime-sized array in it has.
    uint32_t runtime_counts[GENERATE_BINDING_LIMIT];
    // Uses functions whose polyfills round otherwise than the reference: only IR after the passes
    // may be compared with other executions.
    bool is_inexact;
};

struct generate_options {
    uint32_t statement_limit; // most statements, about; 0: as the seed has it
};

// Appends the program; false when out of memory. The entry point is "main".
bool generate_program(uint64_t seed, const struct generate_options *options,
    struct text_buffer *out_wgsl, struct generated_program *out_program);

// The generator's own random numbers (PCG-XSH-RR 64/32), also for filling buffers.
struct generate_random {
    uint64_t state;
    uint64_t increment;
};
void generate_random_init(struct generate_random *random, uint64_t seed, uint64_t stream);
uint32_t generate_random_next(struct generate_random *random);
uint32_t generate_random_below(struct generate_random *random, uint32_t bound); // bound > 0
