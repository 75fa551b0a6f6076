// SPDX-License-Identifier: MIT
//
// Between the files of shader/type: the facts computed when a type is made. Thread rules of type.h.
#pragma once

#include "base/try.h"
#include "shader/type/type.h"

// Fills alignment, stride, size, member offsets, traits and nesting depth of a type whose parts are
// in the table. False when a size or offset does not fit 32 bits.
bool type_compute(const struct type_table *table, struct type *type);

// The vector type if it is already in the table, else index 0.
type_id type_find_vector(const struct type_table *table, type_id element, uint32_t count);
