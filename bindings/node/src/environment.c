// SPDX-License-Identifier: MIT
//
// See environment.h.

#include "environment.h"

#include <stdlib.h>
#include <string.h>

enum { SCRATCH_CHUNK_BYTES = 16 * 1024 };
// What one allocation may take; more is no program's meaning, and would end the process.
#define SCRATCH_LIMIT_BYTES ((size_t)1 << 28)

struct scratch_chunk {
    struct scratch_chunk *previous;
    size_t capacity;
    size_t used;
    max_align_t data[];
};

struct temporary {
    struct temporary *previous;
    void (*release)(void *handle);
    void *handle;
};

// From here on nothing is posted. Runs before the thread-safe function's own cleanup, since hooks
// run in the opposite order of their registration.
static void close_environment(void *data) {
    struct node_env *node = data;
    pthread_mutex_lock(&node->lock);
    node->is_closed = true;
    pthread_mutex_unlock(&node->lock);
    napi_release_threadsafe_function(node->settle, napi_tsfn_abort);
}

static void finalize_instance(napi_env env, void *data, void *hint) {
    (void)env;
    (void)hint;
    node_env_unref(data);
}

static bool create_settle(struct node_env *node, napi_threadsafe_function_call_js settle) {
    napi_value name;
    return napi_create_string_utf8(node->env, "alba", NAPI_AUTO_LENGTH, &name) == napi_ok &&
        napi_create_threadsafe_function(node->env, NULL, NULL, name, 0, 1, NULL, NULL, node, settle,
            &node->settle) == napi_ok &&
        napi_unref_threadsafe_function(node->env, node->settle) == napi_ok;
}

struct node_env *node_env_create(napi_env env, napi_threadsafe_function_call_js settle) {
    struct node_env *node = calloc(1, sizeof *node);
    if (node == NULL) {
        napi_throw_error(env, NULL, "alba: out of memory");
        return NULL;
    }
    node->env = env;
    node->thread = pthread_self();
    atomic_init(&node->references, 1);
    if (pthread_mutex_init(&node->lock, NULL) != 0) {
        free(node);
        napi_throw_error(env, NULL, "alba: no mutex");
        return NULL;
    }
    if (!create_settle(node, settle) ||
        napi_set_instance_data(env, node, finalize_instance, NULL) != napi_ok ||
        napi_add_env_cleanup_hook(env, close_environment, node) != napi_ok) {
        napi_throw_error(env, NULL, "alba: the environment refuses the addon");
        return NULL;
    }
    return node;
}

struct node_env *node_env_get(napi_env env) {
    void *data = NULL;
    napi_get_instance_data(env, &data);
    return data;
}

bool node_env_is_own_thread(const struct node_env *node) {
    return pthread_equal(node->thread, pthread_self()) != 0;
}

void node_env_ref(struct node_env *node) {
    atomic_fetch_add_explicit(&node->references, 1, memory_order_relaxed);
}

void node_env_unref(struct node_env *node) {
    if (atomic_fetch_sub_explicit(&node->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    while (node->chunk != NULL) {
        struct scratch_chunk *chunk = node->chunk;
        node->chunk = chunk->previous;
        free(chunk);
    }
    pthread_mutex_destroy(&node->lock);
    free(node->live);
    free(node);
}

bool node_env_post(struct node_env *node, void *item) {
    pthread_mutex_lock(&node->lock);
    bool is_posted = !node->is_closed &&
        napi_call_threadsafe_function(node->settle, item, napi_tsfn_nonblocking) == napi_ok;
    pthread_mutex_unlock(&node->lock);
    return is_posted;
}

void node_env_add_pending(struct node_env *node) {
    if (node->pending_count++ == 0 && !node->is_closed) {
        napi_ref_threadsafe_function(node->env, node->settle);
    }
}

void node_env_remove_pending(struct node_env *node) {
    if (--node->pending_count == 0 && !node->is_closed) {
        napi_unref_threadsafe_function(node->env, node->settle);
    }
}

napi_value node_env_call_hook(
    struct node_env *node, enum hook hook, size_t argc, const napi_value *argv) {
    napi_value function;
    napi_value undefined;
    napi_value result = NULL;
    if (node->hooks[hook] == NULL ||
        napi_get_reference_value(node->env, node->hooks[hook], &function) != napi_ok ||
        napi_get_undefined(node->env, &undefined) != napi_ok ||
        napi_call_function(node->env, undefined, function, argc, argv, &result) != napi_ok) {
        return NULL;
    }
    return result;
}

//
// Live objects
//

static size_t live_slot(const struct node_env *node, const void *pointer) {
    uint64_t bits = (uint64_t)(uintptr_t)pointer >> 4;
    return (size_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (node->live_capacity - 1);
}

static void live_place(struct node_env *node, struct object *object) {
    size_t slot = live_slot(node, object);
    while (node->live[slot] != NULL) {
        slot = (slot + 1) & (node->live_capacity - 1);
    }
    node->live[slot] = object;
}

static bool live_grow(struct node_env *node) {
    size_t old_capacity = node->live_capacity;
    struct object **old = node->live;
    size_t capacity = old_capacity == 0 ? 256 : old_capacity * 2;
    struct object **grown = calloc(capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    node->live = grown;
    node->live_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i] != NULL) {
            live_place(node, old[i]);
        }
    }
    free(old);
    return true;
}

bool live_insert(struct node_env *node, struct object *object) {
    if ((node->live_count + 1) * 2 > node->live_capacity && !live_grow(node)) {
        return false;
    }
    live_place(node, object);
    node->live_count++;
    return true;
}

void live_remove(struct node_env *node, const struct object *object) {
    if (!live_contains(node, object)) {
        return;
    }
    size_t mask = node->live_capacity - 1;
    size_t slot = live_slot(node, object);
    while (node->live[slot] != object) {
        slot = (slot + 1) & mask;
    }
    node->live[slot] = NULL;
    node->live_count--;
    // Those that had to step over this slot move up.
    for (slot = (slot + 1) & mask; node->live[slot] != NULL; slot = (slot + 1) & mask) {
        struct object *moved = node->live[slot];
        node->live[slot] = NULL;
        live_place(node, moved);
    }
}

bool live_contains(const struct node_env *node, const void *pointer) {
    if (node->live_capacity == 0) {
        return false;
    }
    size_t slot = live_slot(node, pointer);
    while (node->live[slot] != NULL) {
        if ((const void *)node->live[slot] == pointer) {
            return true;
        }
        slot = (slot + 1) & (node->live_capacity - 1);
    }
    return false;
}

//
// Scratch memory
//

struct scratch_mark scratch_begin(const struct node_env *node) {
    return (struct scratch_mark){.chunk = node->chunk,
        .used = node->chunk == NULL ? 0 : node->chunk->used,
        .temporaries = node->temporaries};
}

void scratch_end(struct node_env *node, struct scratch_mark mark) {
    while (node->temporaries != mark.temporaries) {
        struct temporary *temporary = node->temporaries;
        node->temporaries = temporary->previous;
        temporary->release(temporary->handle);
    }
    // The first chunk stays for the next call.
    while (node->chunk != mark.chunk && node->chunk->previous != NULL) {
        struct scratch_chunk *chunk = node->chunk;
        node->chunk = chunk->previous;
        free(chunk);
    }
    if (node->chunk != NULL) {
        node->chunk->used = node->chunk == mark.chunk ? mark.used : 0;
    }
}

void *scratch_allocate(struct node_env *node, size_t size_bytes) {
    if (size_bytes > SCRATCH_LIMIT_BYTES) {
        return NULL;
    }
    size_t rounded = (size_bytes + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
    struct scratch_chunk *chunk = node->chunk;
    if (chunk == NULL || chunk->capacity - chunk->used < rounded) {
        size_t capacity = rounded > SCRATCH_CHUNK_BYTES ? rounded : SCRATCH_CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + capacity);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->previous = node->chunk;
        chunk->capacity = capacity;
        chunk->used = 0;
        node->chunk = chunk;
    }
    void *result = (char *)chunk->data + chunk->used;
    chunk->used += rounded;
    return result;
}

bool scratch_defer(struct node_env *node, void (*release)(void *handle), void *handle) {
    struct temporary *temporary = scratch_allocate(node, sizeof *temporary);
    if (temporary == NULL) {
        release(handle);
        return false;
    }
    *temporary = (struct temporary){
        .previous = node->temporaries, .release = release, .handle = handle};
    node->temporaries = temporary;
    return true;
}
