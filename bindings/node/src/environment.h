// SPDX-License-Identifier: MIT
//
// The addon's state in one JavaScript environment (the main thread's, or a worker's): what belongs
// to the environment is here and nowhere else, so that any number of them can live in a process.
// Everything is for the environment's own thread, except what says otherwise. The state outlives
// the environment while an operation of libalba's still holds a reference.

#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

// Functions of lib/interfaces.js that C calls.
enum hook {
#define HOOK(name) HOOK_##name,
#include "hook.def"
    HOOK_COUNT
};

enum { INTERFACE_CAPACITY = 32 };

// What a call allocates, freed when it returns; see scratch_begin.
struct scratch_chunk;
struct scratch_mark {
    struct scratch_chunk *chunk;
    size_t used;
    struct temporary *temporaries;
};

struct node_env {
    atomic_size_t references;
    napi_env env;
    pthread_t thread;

    // Guarded by `lock`: no call of the thread-safe function once the environment closes.
    pthread_mutex_t lock;
    bool is_closed;
    napi_threadsafe_function settle;

    // Operations that keep the program running: the thread-safe function is referenced exactly
    // while there are some.
    size_t pending_count;

    napi_ref hooks[HOOK_COUNT];
    napi_ref factories[INTERFACE_CAPACITY];

    // Objects that JavaScript can reach, as an open-addressed set: what tells ours from others'.
    struct object **live;
    size_t live_capacity;
    size_t live_count;

    struct scratch_chunk *chunk;
    struct temporary *temporaries;
};

// The environment's state; NULL with an exception pending if there is no memory. `settle` runs on
// the environment's thread for each item posted; with env NULL when there is no environment left.
struct node_env *node_env_create(napi_env env, napi_threadsafe_function_call_js settle);
struct node_env *node_env_get(napi_env env);
// From any thread, these three.
bool node_env_is_own_thread(const struct node_env *node);
void node_env_ref(struct node_env *node);
void node_env_unref(struct node_env *node);
// Hands `item` to the settle function, in order; false if the environment is closing. From any
// thread.
bool node_env_post(struct node_env *node, void *item);
// Counts an operation that keeps the program running, and counts it off again.
void node_env_add_pending(struct node_env *node);
void node_env_remove_pending(struct node_env *node);

// Calls a hook; NULL with an exception pending if it throws.
napi_value node_env_call_hook(
    struct node_env *node, enum hook hook, size_t argc, const napi_value *argv);

bool live_insert(struct node_env *node, struct object *object);
void live_remove(struct node_env *node, const struct object *object);
bool live_contains(const struct node_env *node, const void *pointer);

// Scratch memory between begin and end, which nest. NULL if there is no memory.
struct scratch_mark scratch_begin(const struct node_env *node);
void scratch_end(struct node_env *node, struct scratch_mark mark);
void *scratch_allocate(struct node_env *node, size_t size_bytes);
// Has scratch_end call `release` with `handle`.
bool scratch_defer(struct node_env *node, void (*release)(void *handle), void *handle);
