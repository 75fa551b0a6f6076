// SPDX-License-Identifier: MIT
//
// Rules of usage scopes: uses that exclude each other, and bindings that alias.
#include <stdio.h>
#include <stdlib.h>

#include "base/try.h"
#include "webgpu/object/render_bundle.h"
#include "webgpu/track/usage_scope.h"
#include "webgpu/validate/pass.h"

#define PASS_NAME gpu_object_get_name(&pass->object, pass->object.class_of->kind).text

// ---------------------------------------------------------------- words

#define RESOURCE_NAME(usage) \
    gpu_object_get_name((usage)->resource, (usage)->resource->class_of->kind).text

static const char *get_binding_word(const struct gpu_usage *usage) {
    static const char *const buffers[] = {
        [GPU_USAGE_CONSTANT] = "Uniform",
        [GPU_USAGE_STORAGE] = "Storage",
        [GPU_USAGE_STORAGE_READ] = "ReadOnlyStorage",
    };
    static const char *const textures[] = {
        [GPU_USAGE_CONSTANT] = "Texture",
        [GPU_USAGE_STORAGE] = "StorageTexture",
        [GPU_USAGE_STORAGE_READ] = "ReadOnly StorageTexture",
    };
    return usage_is_texture(usage) ? textures[usage->kind] : buffers[usage->kind];
}

struct usage_words {
    char text[4 * sizeof(struct gpu_name)];
};

static void describe_place(const struct gpu_usage *usage, char *out, size_t capacity) {
    switch (usage->place) {
    case GPU_USAGE_BINDING:
        snprintf(out, capacity, "group %u binding %u (%s) of %s", usage->slot, usage->binding,
            get_binding_word(usage), GPU_NAME(usage->group, BIND_GROUP));
        break;
    case GPU_USAGE_INDIRECT_BUFFER:
        snprintf(out, capacity, "the indirect buffer");
        break;
    case GPU_USAGE_INDEX_BUFFER:
        snprintf(out, capacity, "the index buffer");
        break;
    case GPU_USAGE_VERTEX_BUFFER:
        snprintf(out, capacity, "vertex buffer %u", usage->slot);
        break;
    case GPU_USAGE_COLOR_ATTACHMENT:
        snprintf(out, capacity, "color attachment %u", usage->slot);
        break;
    case GPU_USAGE_RESOLVE_TARGET:
        snprintf(out, capacity, "the resolve target of color attachment %u", usage->slot);
        break;
    case GPU_USAGE_DEPTH_STENCIL_ATTACHMENT:
        snprintf(out, capacity, "the %s%s attachment",
            usage->kind == GPU_USAGE_ATTACHMENT_READ ? "read-only " : "",
            usage->aspect == TEXTURE_ASPECT_STENCIL ? "stencil" : "depth");
        break;
    }
}

// Where the use comes from: "vertex buffer 0, set by call 3".
static struct usage_words describe(const struct gpu_usage *usage) {
    struct usage_words words;
    char place[2 * sizeof(struct gpu_name)];
    describe_place(usage, place, sizeof(place));
    const char *verb = usage->place == GPU_USAGE_INDIRECT_BUFFER ? "used" : "set";
    if (usage->bundle != NULL) {
        snprintf(words.text, sizeof(words.text), "%s, %s by call %u of %s, executed by call %u",
            place, verb, usage->call, GPU_NAME(usage->bundle, RENDER_BUNDLE), usage->bundle_call);
    } else if (usage->call == 0) {
        snprintf(words.text, sizeof(words.text), "%s", place);
    } else {
        snprintf(words.text, sizeof(words.text), "%s, %s by call %u", place, verb, usage->call);
    }
    return words;
}

enum scope { SCOPE_DISPATCH, SCOPE_PASS, SCOPE_BUNDLE };

static const struct {
    const char *name;
    const char *advice; // what would be legal instead
} scopes[] = {
    [SCOPE_DISPATCH] = {"a dispatch",
        "in one dispatch it may be read in any number of ways, or be writable storage, but not "
        "both"},
    [SCOPE_PASS] = {"the pass",
        "in one render pass it may be read in any number of ways, or be writable storage, but not "
        "both"},
    [SCOPE_BUNDLE] = {"the bundle",
        "in one bundle it may be read in any number of ways, or be writable storage, but not "
        "both"},
};

static const char *advise(enum scope scope, const struct gpu_usage *a, const struct gpu_usage *b) {
    if (a->kind == GPU_USAGE_ATTACHMENT || b->kind == GPU_USAGE_ATTACHMENT) {
        return "in one render pass a subresource may be an attachment that is written or be bound, "
               "but not both; a read-only depth-stencil attachment may be bound as a texture";
    }
    return scopes[scope].advice;
}

static bool break_pair(struct gpu_pass *pass, enum scope scope, const struct gpu_usage *a,
    const struct gpu_usage *b, struct validate_error *error) {
    if (usage_is_texture(a)) {
        return BROKEN(error, USAGE_TEXTURE, PASS_NAME, scopes[scope].name, RESOURCE_NAME(a),
            describe(a).text, describe(b).text, advise(scope, a, b));
    }
    return BROKEN(error, USAGE_BUFFER, PASS_NAME, scopes[scope].name, RESOURCE_NAME(a),
        describe(a).text, describe(b).text, advise(scope, a, b));
}

// ---------------------------------------------------------------- pairs of a dispatch or draw

static bool is_written(const struct gpu_usage *a, const struct gpu_usage *b) {
    return a->kind == GPU_USAGE_STORAGE || b->kind == GPU_USAGE_STORAGE;
}

// Two uses of one resource by one dispatch or draw.
static bool validate_alias(struct gpu_pass *pass, const char *verb, const struct gpu_usage *a,
    const struct gpu_usage *b, struct validate_error *error) {
    if (!is_written(a, b) || (a->visibility & b->visibility) == 0) {
        return true;
    }
    if (b->kind == GPU_USAGE_STORAGE && a->kind != GPU_USAGE_STORAGE) {
        const struct gpu_usage *swap = a;
        a = b;
        b = swap;
    }
    if (usage_is_texture(a)) {
        if (usage_views_overlap(a, b)) {
            return BROKEN(error, ALIAS_TEXTURE, PASS_NAME, verb, RESOURCE_NAME(a), describe(a).text,
                describe(b).text);
        }
        return true;
    }
    uint64_t a_end = a->offset_bytes + a->size_bytes;
    uint64_t b_end = b->offset_bytes + b->size_bytes;
    if (a->offset_bytes < b_end && b->offset_bytes < a_end) {
        return BROKEN(error, ALIAS_BUFFER, PASS_NAME, verb, ULL(a->offset_bytes), ULL(a_end),
            RESOURCE_NAME(a), describe(a).text, ULL(b->offset_bytes), ULL(b_end), describe(b).text);
    }
    return true;
}

static bool validate_pair(struct gpu_pass *pass, const char *verb, bool is_scope,
    const struct gpu_usage *a, const struct gpu_usage *b, struct validate_error *error) {
    if (is_scope && !usage_kinds_are_compatible(a->kind, b->kind) &&
        (!usage_is_texture(a) || usage_views_overlap(a, b))) {
        return break_pair(pass, SCOPE_DISPATCH, a, b, error);
    }
    return validate_alias(pass, verb, a, b, error);
}

static int compare_usages(const void *a, const void *b) {
    const struct gpu_usage *left = a;
    const struct gpu_usage *right = b;
    if (left->resource != right->resource) {
        return (uintptr_t)left->resource < (uintptr_t)right->resource ? -1 : 1;
    }
    return left->offset_bytes < right->offset_bytes ? -1 : left->offset_bytes > right->offset_bytes;
}

// Up to here all pairs are looked at; longer lists are sorted so that pairs of one resource are
// neighbours.
#define PAIR_LIMIT 24

// What reaches furthest of the uses of one buffer so far, for each stage: 1 + an index, 0: none.
#define STAGE_COUNT 3
struct reach {
    size_t any[STAGE_COUNT];
    size_t writable[STAGE_COUNT];
};

static void keep_furthest(const struct gpu_usage *items, size_t *furthest, size_t at) {
    uint64_t end = items[at].offset_bytes + items[at].size_bytes;
    if (*furthest == 0 ||
        items[*furthest - 1].offset_bytes + items[*furthest - 1].size_bytes < end) {
        *furthest = at + 1;
    }
}

// The use at `at` begins behind all before it: it overlaps one of them if it overlaps the one that
// reaches furthest, of those that it must not overlap.
static bool validate_reach(struct gpu_pass *pass, const char *verb, bool is_scope,
    struct reach *reach, size_t at, struct validate_error *error) {
    const struct gpu_usage *items = pass->usages.items;
    bool is_writable = items[at].kind == GPU_USAGE_STORAGE;
    for (uint32_t stage = 0; stage < STAGE_COUNT; stage++) {
        if (((items[at].visibility >> stage) & 1u) == 0) {
            continue;
        }
        size_t other = is_writable ? reach->any[stage] : reach->writable[stage];
        if (other != 0) {
            TRY(validate_pair(pass, verb, is_scope, &items[other - 1], &items[at], error));
        }
        keep_furthest(items, &reach->any[stage], at);
        if (is_writable) {
            keep_furthest(items, &reach->writable[stage], at);
        }
    }
    return true;
}

static bool validate_sorted(
    struct gpu_pass *pass, const char *verb, bool is_scope, struct validate_error *error) {
    const struct gpu_usage *items = pass->usages.items;
    struct reach reach = {0};
    size_t first = 0; // of the resource at hand
    for (size_t i = 0; i < pass->usages.count; i++) {
        if (items[i].resource != items[first].resource) {
            first = i;
            reach = (struct reach){0};
        }
        if (usage_is_texture(&items[i])) {
            for (size_t j = first; j < i; j++) {
                TRY(validate_pair(pass, verb, is_scope, &items[j], &items[i], error));
            }
            continue;
        }
        // All are compatible with the first, or one is not.
        if (i != first) {
            TRY(validate_pair(pass, verb, is_scope, &items[first], &items[i], error));
        }
        TRY(validate_reach(pass, verb, is_scope, &reach, i, error));
    }
    return true;
}

static bool validate_pairs(
    struct gpu_pass *pass, const char *verb, bool is_scope, struct validate_error *error) {
    struct gpu_usage *items = pass->usages.items;
    size_t count = pass->usages.count;
    if (count > PAIR_LIMIT) {
        qsort(items, count, sizeof(*items), compare_usages);
        return validate_sorted(pass, verb, is_scope, error);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (items[i].resource == items[j].resource) {
                TRY(validate_pair(pass, verb, is_scope, &items[j], &items[i], error));
            }
        }
    }
    return true;
}

bool validate_aliasing(struct gpu_pass *pass, const char *verb, struct validate_error *error) {
    return validate_pairs(pass, verb, false, error);
}

bool validate_dispatch_usages(struct gpu_pass *pass, struct validate_error *error) {
    return validate_pairs(pass, "dispatch", true, error);
}

bool validate_usage_scope(
    struct gpu_pass *pass, const struct gpu_usage_scope *scope, struct validate_error *error) {
    if (!scope->has_conflict) {
        return true;
    }
    bool is_bundle = pass->object.class_of->kind == GPU_RENDER_BUNDLE_ENCODER;
    return break_pair(pass, is_bundle ? SCOPE_BUNDLE : SCOPE_PASS, &scope->conflict[0],
        &scope->conflict[1], error);
}
