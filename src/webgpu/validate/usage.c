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
    return usage->view != NULL ? textures[usage->kind] : buffers[usage->kind];
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
    if (a->view != NULL) {
        return BROKEN(error, USAGE_TEXTURE, PASS_NAME, scopes[scope].name, RESOURCE_NAME(a),
            describe(a).text, describe(b).text, advise(scope, a, b));
    }
    return BROKEN(error, USAGE_BUFFER, PASS_NAME, scopes[scope].name, RESOURCE_NAME(a),
        describe(a).text, describe(b).text, advise(scope, a, b));
}

// ---------------------------------------------------------------- pairs of a dispatch or draw

// What is checked: a dispatch is a usage scope of its own, a draw is a part of one.
struct check {
    struct gpu_pass *pass;
    bool is_dispatch;
    struct validate_error *error;
};

static bool break_alias(
    struct check *check, const struct gpu_bound_use *a, const struct gpu_bound_use *b) {
    struct gpu_pass *pass = check->pass;
    if (a->kind != GPU_USAGE_STORAGE) {
        const struct gpu_bound_use *swap = a;
        a = b;
        b = swap;
    }
    const char *verb = check->is_dispatch ? "dispatch" : "draw";
    struct gpu_usage first = usage_describe_bound(pass, a);
    struct gpu_usage second = usage_describe_bound(pass, b);
    if (a->view != NULL) {
        return BROKEN(check->error, ALIAS_TEXTURE, PASS_NAME, verb, RESOURCE_NAME(&first),
            describe(&first).text, describe(&second).text);
    }
    return BROKEN(check->error, ALIAS_BUFFER, PASS_NAME, verb, ULL(a->offset_bytes),
        ULL(a->end_bytes), RESOURCE_NAME(&first), describe(&first).text, ULL(b->offset_bytes),
        ULL(b->end_bytes), describe(&second).text);
}

// Two uses of one resource.
static bool validate_pair(
    struct check *check, const struct gpu_bound_use *a, const struct gpu_bound_use *b) {
    bool is_written = a->kind == GPU_USAGE_STORAGE || b->kind == GPU_USAGE_STORAGE;
    if (!is_written || (a->view != NULL && !usage_views_overlap(a->view, b->view))) {
        return true;
    }
    if (check->is_dispatch && !usage_kinds_are_compatible(a->kind, b->kind)) {
        struct gpu_usage first = usage_describe_bound(check->pass, a);
        struct gpu_usage second = usage_describe_bound(check->pass, b);
        return break_pair(check->pass, SCOPE_DISPATCH, &first, &second, check->error);
    }
    bool overlaps = a->view != NULL ||
        (a->offset_bytes < b->end_bytes && b->offset_bytes < a->end_bytes);
    return !overlaps || (a->visibility & b->visibility) == 0 || break_alias(check, a, b);
}

static int compare_uses(const void *a, const void *b) {
    const struct gpu_bound_use *left = a;
    const struct gpu_bound_use *right = b;
    if (left->resource != right->resource) {
        return (uintptr_t)left->resource < (uintptr_t)right->resource ? -1 : 1;
    }
    return left->offset_bytes < right->offset_bytes ? -1 : left->offset_bytes > right->offset_bytes;
}

// Up to here all pairs are looked at; longer lists are sorted so that pairs of one resource are
// neighbours.
#define PAIR_LIMIT 24

// What reaches furthest of the uses of one buffer so far, for each stage; NULL: none.
#define STAGE_COUNT 3
struct reach {
    const struct gpu_bound_use *any[STAGE_COUNT];
    const struct gpu_bound_use *writable[STAGE_COUNT];
};

static void keep_furthest(const struct gpu_bound_use **furthest, const struct gpu_bound_use *use) {
    if (*furthest == NULL || (*furthest)->end_bytes < use->end_bytes) {
        *furthest = use;
    }
}

// A use begins behind all before it: it overlaps one of them if it overlaps the one that reaches
// furthest, of those that it must not overlap.
static bool validate_reach(
    struct check *check, struct reach *reach, const struct gpu_bound_use *use) {
    bool is_writable = use->kind == GPU_USAGE_STORAGE;
    for (uint32_t stage = 0; stage < STAGE_COUNT; stage++) {
        if (((use->visibility >> stage) & 1u) == 0) {
            continue;
        }
        const struct gpu_bound_use *other = is_writable ? reach->any[stage]
                                                        : reach->writable[stage];
        if (other != NULL) {
            TRY(validate_pair(check, other, use));
        }
        keep_furthest(&reach->any[stage], use);
        if (is_writable) {
            keep_furthest(&reach->writable[stage], use);
        }
    }
    return true;
}

static bool validate_sorted(struct check *check) {
    const struct gpu_bound_use *items = check->pass->uses.items;
    struct reach reach = {0};
    size_t first = 0; // of the resource at hand
    for (size_t i = 0; i < check->pass->uses.count; i++) {
        if (items[i].resource != items[first].resource) {
            first = i;
            reach = (struct reach){0};
        }
        if (items[i].view != NULL) {
            for (size_t j = first; j < i; j++) {
                TRY(validate_pair(check, &items[j], &items[i]));
            }
            continue;
        }
        // All are compatible with the first, or one is not.
        TRY(i == first || validate_pair(check, &items[first], &items[i]));
        TRY(validate_reach(check, &reach, &items[i]));
    }
    return true;
}

static bool validate_pairs(struct check *check) {
    struct gpu_bound_use *items = check->pass->uses.items;
    size_t count = check->pass->uses.count;
    if (count > PAIR_LIMIT) {
        qsort(items, count, sizeof(*items), compare_uses);
        return validate_sorted(check);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (items[i].resource == items[j].resource) {
                TRY(validate_pair(check, &items[j], &items[i]));
            }
        }
    }
    return true;
}

bool validate_draw_uses(struct gpu_pass *pass, struct validate_error *error) {
    struct check check = {pass, false, error};
    return validate_pairs(&check);
}

bool validate_dispatch_uses(struct gpu_pass *pass, struct validate_error *error) {
    struct check check = {pass, true, error};
    return validate_pairs(&check);
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
