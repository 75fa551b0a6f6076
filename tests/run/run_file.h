// SPDX-License-Identifier: MIT
//
// A program file: WGSL with directives in comments that begin with "//!".
//
//   //! entry NAME                      the only entry point if there is none
//   //! dispatch X Y Z                  1 1 1 if there is none
//   //! constant NAME VALUE             an override's value
//   //! bind G.B uniform|read|storage TYPE VALUE...   contents; TYPE is u32, i32 or f32
//   //! bind G.B uniform|read|storage zeros N         N words
//   //! expect G.B TYPE VALUE...        the words in order; f32 bit-exact but for NaN
//   //! expect G.B near TOLERANCE VALUE...   f32 within the tolerance
//   //! expect G.B skip N               N words of any value
// Lines of one binding follow each other: their words are appended. One thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_BINDING_LIMIT 16
#define RUN_WORD_LIMIT 4096
#define RUN_CONSTANT_LIMIT 8

enum run_access { RUN_UNIFORM, RUN_READ, RUN_STORAGE };
enum run_check { RUN_SKIP, RUN_U32, RUN_I32, RUN_F32, RUN_NEAR };

struct run_binding {
    uint32_t group;
    uint32_t binding;
    enum run_access access;
    uint32_t word_count;
    uint32_t words[RUN_WORD_LIMIT];
    uint32_t expected_count;
    uint32_t expected[RUN_WORD_LIMIT];
    enum run_check checks[RUN_WORD_LIMIT];
    double tolerances[RUN_WORD_LIMIT];
};

struct run_file {
    char *source;   // NUL-terminated
    char entry[64]; // empty: the only one
    uint32_t dispatch[3];
    uint32_t constant_count;
    struct {
        char name[64];
        double value;
    } constants[RUN_CONSTANT_LIMIT];
    uint32_t binding_count;
    struct run_binding bindings[RUN_BINDING_LIMIT];
};

// NULL after printing the reason to standard error.
struct run_file *run_file_read(const char *path);
void run_file_destroy(struct run_file *file);
