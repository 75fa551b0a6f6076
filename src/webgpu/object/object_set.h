// SPDX-License-Identifier: MIT
//
// A set of objects, each held by one internal reference: what an encoder, a command buffer or a
// submission uses. One thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "webgpu/object/object.h"

struct object_set {
    struct gpu_object **items; // in the order of addition
    size_t count;
    size_t capacity;
    uint32_t *slots; // open addressing; 0 is empty, else an index + 1
    size_t slot_count;
};

// Zero-initialised is valid and empty.
// True when the object is in the set afterwards; false when out of memory.
bool object_set_add(struct object_set *set, struct gpu_object *object);
// Gives the references back.
void object_set_finish(struct object_set *set);
