// SPDX-License-Identifier: MIT
//
// Fuzzing of the shader compiler: a target turns bytes into a text, WGSL or the IR's, and the judge
// has it compiled and holds the compiler to what must be true of every text whatever it says. Used
// by the driver (fuzz_run.c) and by libFuzzer (fuzz_entry.c). One thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

// What a target draws its decisions from. Past the end of the bytes every number is 0.
struct fuzz_input {
    const uint8_t *bytes;
    size_t count;
    size_t at;
};
// A number below `below`, which is not 0.
uint32_t fuzz_next(struct fuzz_input *input, uint32_t below);

// Valid programs and texts of the IR, from which some targets start.
struct fuzz_corpus {
    struct text *items;
    size_t count;
    size_t *valid; // indices of those that are valid
    size_t valid_count;
};

// The bytes of a file, which memory_free frees unless there are none.
struct text fuzz_read_file(const char *path);
// Adds every .wgsl of the folder, in the order of their names, and the IR of those that are valid.
void fuzz_corpus_read(const char *folder, struct fuzz_corpus *wgsl, struct fuzz_corpus *ir);

enum fuzz_language { FUZZ_WGSL, FUZZ_IR };

struct fuzz_target {
    const char *name;
    enum fuzz_language language;
    void (*write)(
        struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out);
};
// Ends with a row without name.
extern const struct fuzz_target fuzz_targets[];

#define FUZZ_BYTES_EACH 100u

struct fuzz_measure {
    size_t peak_bytes; // allocated while the module was made
    double cpu_ms;     // for making it
    bool is_valid;
};
// Compiles the text and checks
// - memory: at its peak at most 1 MiB and bytes_each for each byte of the text (0: not checked), none
//   of it kept after the module is destroyed;
// - an invalid module has an error, each diagnostic a message and places within the text, and both
//   forms of printing work;
// - a valid one passes the IR's validator, and its printed IR reads back to the same text; each entry
//   point can be specialised and lowered, or is refused with a message.
// - what explain, reflect and layout print of it can be printed, valid or not.
// On a violation it prints what was wrong and calls abort.
void fuzz_judge(enum fuzz_language language, struct text text, size_t bytes_each,
    struct fuzz_measure *out_measure);
