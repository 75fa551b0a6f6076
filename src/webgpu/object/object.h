// SPDX-License-Identifier: MIT
//
// What all objects behind the standard's handles have in common. `struct WGPUBufferImpl` and its
// kin begin with a struct gpu_object, so that a handle needs no cast.
//
// References. The application's (AddRef, Release) and alba's own are counted apart: all of the
// application's together count as one of alba's while there are any. When alba's count reaches
// zero the object's class destroys it. Counting is safe from any thread. Everything else in an
// object is constant once it was created, unless its own header says which lock guards it.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum gpu_object_kind {
#define OBJECT(id, name, standard) GPU_##id,
#include "webgpu/object/object.def"
    GPU_OBJECT_KIND_COUNT
};

struct gpu_object;

struct gpu_object_class {
    enum gpu_object_kind kind;
    // Called once, by the last unref, on any thread, with no lock held. Frees the object.
    void (*destroy)(struct gpu_object *object);
    // Called each time the application's last reference goes, before it is given back. May be NULL.
    void (*release_last)(struct gpu_object *object);
};

struct gpu_object {
    const struct gpu_object_class *class_of;
    struct WGPUDeviceImpl *device; // an internal reference; NULL for instance, adapter, device
    atomic_uint_fast32_t api_refs;
    atomic_uint_fast32_t refs;
    atomic_flag label_lock; // guards label for the length of a copy
    char *label;            // NULL for none
    size_t label_length;
    bool is_valid; // false: an error object, callable, of no effect
};

// Allocates size_bytes zeroed bytes (MEMORY_OBJECT) that begin with a gpu_object, with one
// reference of the application and a reference to the device (may be NULL). NULL when out of
// memory; a label that cannot be copied is left out.
void *gpu_object_create(const struct gpu_object_class *class_of, size_t size_bytes,
    struct WGPUDeviceImpl *device, struct text label, bool is_valid);
// The last step of each class's destroy: frees label and memory, gives back the device.
void gpu_object_free(struct gpu_object *object);

// alba's references. NULL is allowed.
void gpu_object_ref(struct gpu_object *object);
void gpu_object_unref(struct gpu_object *object);
// Takes a reference unless the object is being destroyed.
bool gpu_object_try_ref(struct gpu_object *object);

// The application's references. NULL is allowed.
void gpu_object_api_ref(struct gpu_object *object);
void gpu_object_api_unref(struct gpu_object *object);
// Gives the application a reference to an object that alba holds.
void gpu_object_give(struct gpu_object *object);

#define GPU_REF(handle) gpu_object_ref((handle) ? &(handle)->object : NULL)
#define GPU_UNREF(handle) gpu_object_unref((handle) ? &(handle)->object : NULL)

// A label as it stood at the call; longer ones are cut.
#define GPU_LABEL_CAPACITY 120
struct gpu_label {
    size_t length;
    char data[GPU_LABEL_CAPACITY + 4];
};
void gpu_object_set_label(struct gpu_object *object, struct text label);
struct gpu_label gpu_object_get_label(struct gpu_object *object);

// How messages name an object: `buffer "particles"`, or `buffer (no label)`; `no buffer` for NULL.
struct gpu_name {
    char text[GPU_LABEL_CAPACITY + 48];
};
struct gpu_name gpu_object_get_name(struct gpu_object *object, enum gpu_object_kind kind);
// The same for a label in a descriptor whose object does not exist yet.
struct gpu_name gpu_name_of_label(enum gpu_object_kind kind, struct text label);
#define GPU_NAME(handle, kind) \
    gpu_object_get_name((handle) ? &(handle)->object : NULL, GPU_##kind).text
