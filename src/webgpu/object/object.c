// SPDX-License-Identifier: MIT
//
// Creation, references and labels of all objects. Any thread.
#include "webgpu/object/object.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "webgpu/object/device.h"

static const char *const kind_names[GPU_OBJECT_KIND_COUNT] = {
#define OBJECT(id, name, standard) name,
#include "webgpu/object/object.def"
};

void *gpu_object_create(const struct gpu_object_class *class_of, size_t size_bytes,
    struct WGPUDeviceImpl *device, struct text label, bool is_valid) {
    struct gpu_object *object = memory_allocate_zeroed(MEMORY_OBJECT, 1, size_bytes);
    if (object == NULL) {
        return NULL;
    }
    object->class_of = class_of;
    object->device = device;
    GPU_REF(device);
    atomic_init(&object->api_refs, 1);
    atomic_init(&object->refs, 1);
    atomic_flag_clear(&object->label_lock);
    object->is_valid = is_valid;
    if (label.length != 0) {
        gpu_object_set_label(object, label);
    }
    return object;
}

void gpu_object_free(struct gpu_object *object) {
    struct WGPUDeviceImpl *device = object->device;
    memory_free(object->label);
    memory_free(object);
    GPU_UNREF(device);
}

void gpu_object_ref(struct gpu_object *object) {
    if (object != NULL) {
        atomic_fetch_add_explicit(&object->refs, 1, memory_order_relaxed);
    }
}

bool gpu_object_try_ref(struct gpu_object *object) {
    uint_fast32_t refs = atomic_load_explicit(&object->refs, memory_order_relaxed);
    while (refs != 0) {
        if (atomic_compare_exchange_weak_explicit(
                &object->refs, &refs, refs + 1, memory_order_relaxed, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

void gpu_object_unref(struct gpu_object *object) {
    if (object == NULL) {
        return;
    }
    if (atomic_fetch_sub_explicit(&object->refs, 1, memory_order_acq_rel) == 1) {
        object->class_of->destroy(object);
    }
}

void gpu_object_api_ref(struct gpu_object *object) {
    if (object != NULL) {
        atomic_fetch_add_explicit(&object->api_refs, 1, memory_order_relaxed);
    }
}

void gpu_object_api_unref(struct gpu_object *object) {
    if (object == NULL) {
        return;
    }
    if (atomic_fetch_sub_explicit(&object->api_refs, 1, memory_order_acq_rel) == 1) {
        if (object->class_of->release_last != NULL) {
            object->class_of->release_last(object);
        }
        gpu_object_unref(object);
    }
}

void gpu_object_give(struct gpu_object *object) {
    if (atomic_fetch_add_explicit(&object->api_refs, 1, memory_order_relaxed) == 0) {
        gpu_object_ref(object);
    }
}

static void lock_label(struct gpu_object *object) {
    while (atomic_flag_test_and_set_explicit(&object->label_lock, memory_order_acquire)) {
    }
}

static void unlock_label(struct gpu_object *object) {
    atomic_flag_clear_explicit(&object->label_lock, memory_order_release);
}

void gpu_object_set_label(struct gpu_object *object, struct text label) {
    char *copy = NULL;
    if (label.length != 0) {
        copy = memory_allocate(MEMORY_OBJECT, label.length);
        if (copy == NULL) {
            return;
        }
        memcpy(copy, label.data, label.length);
    }
    lock_label(object);
    char *old = object->label;
    object->label = copy;
    object->label_length = label.length;
    unlock_label(object);
    memory_free(old);
}

// The greatest length up to `capacity` that does not cut a UTF-8 sequence.
static size_t cut_length(const char *data, size_t length, size_t capacity) {
    if (length <= capacity) {
        return length;
    }
    size_t cut = capacity;
    while (cut > 0 && ((unsigned char)data[cut] & 0xC0u) == 0x80u) {
        cut--;
    }
    return cut;
}

static struct gpu_label label_from_text(const char *data, size_t length) {
    struct gpu_label label;
    label.length = cut_length(data, length, GPU_LABEL_CAPACITY);
    if (label.length != 0) {
        memcpy(label.data, data, label.length);
    }
    if (label.length < length) {
        memcpy(label.data + label.length, "...", 3);
        label.length += 3;
    }
    label.data[label.length] = 0;
    return label;
}

struct gpu_label gpu_object_get_label(struct gpu_object *object) {
    lock_label(object);
    struct gpu_label label = label_from_text(object->label, object->label_length);
    unlock_label(object);
    return label;
}

// The names of kinds are short: all that is put together here fits.
static char *append(char *at, const char *bytes, size_t length) {
    memcpy(at, bytes, length);
    return at + length;
}

// By hand: every creation makes one, for the messages that it may need.
static struct gpu_name name_from_label(enum gpu_object_kind kind, const struct gpu_label *label) {
    struct gpu_name name;
    char *at = append(name.text, kind_names[kind], strlen(kind_names[kind]));
    if (label->length == 0) {
        at = append(at, " (no label)", 11);
    } else {
        at = append(at, " \"", 2);
        at = append(at, label->data, strlen(label->data)); // a label may hold a zero
        at = append(at, "\"", 1);
    }
    *at = 0;
    return name;
}

struct gpu_name gpu_object_get_name(struct gpu_object *object, enum gpu_object_kind kind) {
    if (object == NULL) {
        struct gpu_name name;
        snprintf(name.text, sizeof(name.text), "no %s", kind_names[kind]);
        return name;
    }
    struct gpu_label label = gpu_object_get_label(object);
    return name_from_label(kind, &label);
}

struct gpu_name gpu_name_of_label(enum gpu_object_kind kind, struct text text) {
    struct gpu_label label = label_from_text(text.data, text.length);
    return name_from_label(kind, &label);
}
