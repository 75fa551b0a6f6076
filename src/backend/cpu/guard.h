// SPDX-License-Identifier: MIT
//
// Guard pages around bindings, for finding generated code that leaves its binding. Each bound range
// is copied between two pages without access before a dispatch, flush with the later or the
// earlier one, and back after it if the shader may have written it. Belongs to the queue thread.
#pragma once

#include <stdbool.h>

#include "shader/jit/jit.h"

struct cpu_guard;

// is_before: ranges start right after the page without access; else they end right before one.
// NULL when memory ran out.
struct cpu_guard *cpu_guard_create(bool is_before);
void cpu_guard_destroy(struct cpu_guard *guard); // NULL is allowed

// Copies the buffers' contents into guarded places and gives those; textures and samplers, which have
// 0 bytes, are given as they are. NULL when memory ran out.
const struct jit_buffer *cpu_guard_enter(
    struct cpu_guard *guard, const struct jit_buffer *buffers, uint32_t buffer_count);
// Copies back those that are writable.
void cpu_guard_leave(struct cpu_guard *guard, const struct jit_buffer *buffers,
    const bool *is_writable, uint32_t buffer_count);
