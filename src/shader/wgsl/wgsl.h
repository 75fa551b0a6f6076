// SPDX-License-Identifier: MIT
//
// The WGSL front end's one entry: source text to a checked module in the IR. Called by
// shader/compile. Each call is independent of every other: safe from any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shader/wgsl/ast.h"
#include "shader/wgsl/diagnostic.h"
#include "shader/wgsl/extension.h"
#include "shader/wgsl/source.h"

struct ir_module;

// What the module may use. A zero-initialised struct admits no enable extension.
struct wgsl_options {
    uint32_t enabled_extensions; // set of enum wgsl_extension bits that the device supports
    uint32_t diagnostic_limit;   // 0: DIAGNOSTIC_LIMIT_DEFAULT
};

// The stages, for tools and tests. Each reports into `diagnostics`; the trees live in the arena.
//
// Returns NULL only when the source is refused or memory ran out; otherwise a module, well-formed
// even after syntax errors (has_syntax_errors).
struct ast_module *wgsl_parse(
    const struct source *source, struct arena *arena, struct diagnostic_list *diagnostics);
// As wgsl_parse, with the IR module, its types included, in an arena of its own: once the module is
// lowered the trees may be freed. The source's text outlives both.
struct ast_module *wgsl_parse_apart(const struct source *source, struct arena *arena,
    struct arena *ir_arena, struct diagnostic_list *diagnostics);
// Resolves, checks and annotates. True when the module is valid (no error so far).
bool wgsl_check(struct ast_module *module, const struct wgsl_options *options,
    struct diagnostic_list *diagnostics);
// Lowers a module that wgsl_check accepted. NULL when a compiler limit was met (reported) or memory
// ran out.
struct ir_module *wgsl_lower(struct ast_module *module, struct diagnostic_list *diagnostics);

// All stages. `text` need not end in NUL and must live as long as the arena's contents are used.
// `diagnostics` was initialised by the caller. False when there is an error; then *out_module is
// NULL. Warnings may stand in the list either way.
bool wgsl_compile(struct text text, const struct wgsl_options *options, struct arena *arena,
    struct diagnostic_list *diagnostics, struct ir_module **out_module);
// As wgsl_compile, for a caller that keeps the source for its messages; it was initialised by
// source_init and outlives the arena's contents. The text is at most WGSL_SOURCE_LIMIT_BYTES long.
bool wgsl_compile_source(const struct source *source, const struct wgsl_options *options,
    struct arena *arena, struct diagnostic_list *diagnostics, struct ir_module **out_module);

// A pipeline constant. The key is an override's name, or its @id as a decimal number.
struct wgsl_constant {
    struct text key;
    double value;
};
struct wgsl_pipeline {
    struct text entry_point;
    const struct wgsl_constant *constants;
    uint32_t constant_count;
};

// Evaluates the override-expressions that the entry point reaches, with the constants, for the errors
// of pipeline creation (WGSL §override Expressions). The source is that of a valid module; the
// constants' keys and values have been checked. False when there is an error or memory ran out.
bool wgsl_check_pipeline(const struct source *source, const struct wgsl_options *options,
    const struct wgsl_pipeline *pipeline, struct arena *arena, struct diagnostic_list *diagnostics);
