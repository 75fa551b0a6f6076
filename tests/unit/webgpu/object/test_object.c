// SPDX-License-Identifier: MIT
//
// References, labels and sets of objects.
#include "base/memory.h"
#include "check.h"
#include "webgpu/object/object.h"
#include "webgpu/object/object_set.h"

static int destroyed_count;
static int last_release_count;

static void destroy(struct gpu_object *object) {
    destroyed_count++;
    gpu_object_free(object);
}
static void release_last(struct gpu_object *object) {
    (void)object;
    last_release_count++;
}
static const struct gpu_object_class class_of_test = {GPU_SAMPLER, destroy, release_last};

static struct gpu_object *make(const char *label) {
    return gpu_object_create(
        &class_of_test, sizeof(struct gpu_object), NULL, text_from_string(label), true);
}

TEST(both_kinds_of_references_keep_alive) {
    destroyed_count = 0;
    last_release_count = 0;
    struct gpu_object *object = make("a");
    gpu_object_ref(object);
    gpu_object_api_ref(object);
    gpu_object_api_unref(object);
    CHECK_EQ(last_release_count, 0);
    gpu_object_api_unref(object);
    CHECK_EQ(last_release_count, 1);
    CHECK_EQ(destroyed_count, 0);
    gpu_object_give(object); // the application gets one again
    gpu_object_unref(object);
    CHECK_EQ(destroyed_count, 0);
    CHECK(gpu_object_try_ref(object));
    gpu_object_unref(object);
    gpu_object_api_unref(object);
    CHECK_EQ(last_release_count, 2);
    CHECK_EQ(destroyed_count, 1);
    gpu_object_ref(NULL);
    gpu_object_unref(NULL);
    gpu_object_api_unref(NULL);
}

TEST(labels_are_cut_at_characters) {
    struct gpu_object *object = make("");
    CHECK_STR(gpu_object_get_name(object, GPU_SAMPLER).text, "sampler (no label)");
    CHECK_STR(gpu_object_get_name(NULL, GPU_SAMPLER).text, "no sampler");
    gpu_object_set_label(object, TEXT_LITERAL("short"));
    CHECK_STR(gpu_object_get_name(object, GPU_SAMPLER).text, "sampler \"short\"");
    // Two-byte characters from an odd offset: the cut falls between them.
    char text[400];
    text[0] = 'x';
    for (size_t i = 1; i + 1 < sizeof(text); i += 2) {
        text[i] = (char)0xC3;
        text[i + 1] = (char)0xA9;
    }
    gpu_object_set_label(object, (struct text){text, 399});
    struct gpu_label label = gpu_object_get_label(object);
    CHECK(label.length <= GPU_LABEL_CAPACITY + 3);
    CHECK_EQ(label.length % 2, 0); // 1 + an even number, and three points
    CHECK(strcmp(label.data + label.length - 3, "...") == 0);
    gpu_object_api_unref(object);
}

TEST(sets_hold_each_once) {
    enum { COUNT = 500 };
    static struct gpu_object *objects[COUNT];
    struct object_set set = {0};
    destroyed_count = 0;
    for (int i = 0; i < COUNT; i++) {
        objects[i] = make("");
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
            CHECK(object_set_add(&set, objects[(i * 7) % COUNT]));
        }
        CHECK_EQ(set.count, COUNT);
    }
    for (int i = 0; i < COUNT; i++) {
        CHECK(set.items[i] == objects[(i * 7) % COUNT]); // in the order of addition
        gpu_object_api_unref(objects[i]);
    }
    CHECK_EQ(destroyed_count, 0);
    object_set_finish(&set);
    CHECK_EQ(destroyed_count, COUNT);
    CHECK_EQ(memory_live_blocks(MEMORY_OBJECT), 0);
    CHECK_EQ(memory_live_blocks(MEMORY_COMMAND), 0);
}

CHECK_MAIN(both_kinds_of_references_keep_alive, labels_are_cut_at_characters, sets_hold_each_once)
